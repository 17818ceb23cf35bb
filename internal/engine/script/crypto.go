package script

import (
	"encoding/base64"
	"encoding/json"
	"fmt"

	"github.com/rectodocs/recto/internal/engine/script/subtle"
)

// cipher is crypto.subtle: an operation, its algorithm as JSON, a word, and up to three runs of bytes.
func cipher(_ *Instance, v values) (any, error) {
	text, err := v.texts(3)
	if err != nil {
		return nil, err
	}
	var a subtle.Algorithm
	if err := json.Unmarshal([]byte(text[1]), &a); err != nil {
		return nil, fmt.Errorf("TypeError: the algorithm cannot be read")
	}
	var given [3][]byte
	for n := 3; n < len(v) && n < 6; n++ {
		if given[n-3], err = v.bytes(n); err != nil {
			return nil, err
		}
	}
	one, other := given[0], given[1]
	var made []byte
	switch text[0] {
	case "digest":
		made, err = subtle.Digest(a.Hash, one)
	case "sign":
		made, err = subtle.Sign(a, one, other)
	case "verify":
		return subtle.Verify(a, one, other, given[2])
	case "encrypt":
		made, err = subtle.Encrypt(a, one, other)
	case "decrypt":
		made, err = subtle.Decrypt(a, one, other)
	case "derive":
		made, err = subtle.Derive(a, one, a.Length)
	case "wrap":
		made, err = subtle.Wrap(one, other)
	case "unwrap":
		made, err = subtle.Unwrap(one, other)
	case "export":
		format, kind := text[2], "secret"
		if len(format) > 8 {
			return nil, fmt.Errorf("NotSupportedError: there is no such format")
		}
		for _, each := range []string{"private", "public"} {
			if string(other) == each {
				kind = each
			}
		}
		made, err = subtle.Export(format, a, kind, one)
	case "import":
		key, err := subtle.Import(text[2], a, one)
		if err != nil {
			return nil, err
		}
		return asJSON(key)
	case "generate":
		keys, err := subtle.Generate(a)
		if err != nil {
			return nil, err
		}
		return asJSON(keys)
	default:
		return nil, fmt.Errorf("NotSupportedError: there is no operation %.40q", text[0])
	}
	if err != nil {
		return nil, err
	}
	return base64.StdEncoding.EncodeToString(made), nil
}

// asJSON returns a value as the layer reads it.
func asJSON(value any) (any, error) {
	text, err := json.Marshal(value)
	return string(text), err
}
