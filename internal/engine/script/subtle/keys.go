package subtle

import (
	"crypto"
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"math/big"
	"strings"
)

// webKey is a JSON Web Key.
type webKey struct {
	Type       string   `json:"kty"`
	Use        string   `json:"use,omitempty"`
	Operations []string `json:"key_ops,omitempty"`
	Algorithm  string   `json:"alg,omitempty"`
	Exportable *bool    `json:"ext,omitempty"`
	K          string   `json:"k,omitempty"`
	Curve      string   `json:"crv,omitempty"`
	X          string   `json:"x,omitempty"`
	Y          string   `json:"y,omitempty"`
	D          string   `json:"d,omitempty"`
	N          string   `json:"n,omitempty"`
	E          string   `json:"e,omitempty"`
	P          string   `json:"p,omitempty"`
	Q          string   `json:"q,omitempty"`
	DP         string   `json:"dp,omitempty"`
	DQ         string   `json:"dq,omitempty"`
	QI         string   `json:"qi,omitempty"`
}

// Import reads a key: raw, pkcs8, spki or jwk.
func Import(format string, a Algorithm, bytes []byte) (Key, error) {
	switch a.Name {
	case "HMAC", "AES-GCM", "AES-CBC", "AES-CTR", "AES-KW", "PBKDF2", "HKDF":
		return importSecret(format, a, bytes)
	}
	switch format {
	case "raw":
		key, err := rawPublic(a, bytes)
		if err != nil {
			return Key{}, err
		}
		return publicKey(key)
	case "pkcs8":
		key, err := parsePrivate(a, bytes)
		if err != nil {
			return Key{}, err
		}
		return privateKey(key)
	case "spki":
		key, err := parsePublic(a, bytes)
		if err != nil {
			return Key{}, err
		}
		return publicKey(key)
	case "jwk":
		return importWebKey(a, bytes)
	}
	return Key{}, unsupported("there is no format %.40q", format)
}

func importSecret(format string, a Algorithm, bytes []byte) (Key, error) {
	derives := a.Name == "PBKDF2" || a.Name == "HKDF"
	switch {
	case format == "jwk" && !derives:
		var key webKey
		if json.Unmarshal(bytes, &key) != nil || key.Type != "oct" {
			return Key{}, data("the key is no JSON Web Key of the type oct")
		}
		raw, err := unpack(key.K)
		if err != nil {
			return Key{}, err
		}
		if key.Algorithm != "" && key.Algorithm != nameOf(a, len(raw)) {
			return Key{}, data("the key is for %.40q", key.Algorithm)
		}
		bytes = raw
	case format != "raw":
		return Key{}, unsupported("a key for %s cannot be imported as %.40q", a.Name, format)
	}
	length := len(bytes) * 8
	if strings.HasPrefix(a.Name, "AES") && length != 128 && length != 192 && length != 256 {
		return Key{}, data("a key for %s has 128, 192 or 256 bits", a.Name)
	}
	if a.Name == "HMAC" && length == 0 {
		return Key{}, data("the key is empty")
	}
	return Key{Kind: secret, Data: bytes, Length: length}, nil
}

// rawPublic reads the point of a curve.
func rawPublic(a Algorithm, bytes []byte) (crypto.PublicKey, error) {
	switch a.Name {
	case "ECDSA":
		curve, ok := curves[a.Curve]
		if !ok {
			return nil, unsupported("there is no curve %.40q", a.Curve)
		}
		key, err := ecdsa.ParseUncompressedPublicKey(curve, bytes)
		if err != nil {
			return nil, data("the bytes are no point of the curve")
		}
		return key, nil
	case "ECDH", "X25519":
		curve, err := exchange(a)
		if err != nil {
			return nil, err
		}
		key, err := curve.NewPublicKey(bytes)
		if err != nil {
			return nil, data("the bytes are no point of the curve")
		}
		return key, nil
	case "Ed25519":
		if len(bytes) != ed25519.PublicKeySize {
			return nil, data("a public key has %d bytes", ed25519.PublicKeySize)
		}
		return ed25519.PublicKey(bytes), nil
	}
	return nil, unsupported("a key for %.40q cannot be imported raw", a.Name)
}

func importWebKey(a Algorithm, bytes []byte) (Key, error) {
	var w webKey
	if json.Unmarshal(bytes, &w) != nil {
		return Key{}, data("the key is no JSON Web Key")
	}
	var key crypto.PrivateKey
	var open crypto.PublicKey
	var err error
	switch {
	case w.Type == "RSA" && strings.HasPrefix(a.Name, "RS"):
		if w.Algorithm != "" && w.Algorithm != nameOf(a, 0) {
			return Key{}, data("the key is for %.40q", w.Algorithm)
		}
		key, open, err = rsaOf(w)
	case w.Type == "EC" && (a.Name == "ECDSA" || a.Name == "ECDH") && w.Curve == a.Curve:
		key, open, err = curveOf(a, w)
	case w.Type == "OKP" && (a.Name == "Ed25519" || a.Name == "X25519") && w.Curve == a.Name:
		key, open, err = edwardsOf(a, w)
	default:
		return Key{}, errFit
	}
	switch {
	case err != nil:
		return Key{}, err
	case key != nil:
		return privateKey(key)
	}
	if err := fits(a, open); err != nil {
		return Key{}, err
	}
	return publicKey(open)
}

func rsaOf(w webKey) (crypto.PrivateKey, crypto.PublicKey, error) {
	numbers := make([]*big.Int, 5)
	for i, text := range []string{w.N, w.E, w.D, w.P, w.Q} {
		bytes, err := unpack(text)
		if err != nil {
			return nil, nil, err
		}
		numbers[i] = new(big.Int).SetBytes(bytes)
	}
	n, e := numbers[0], numbers[1]
	if n.BitLen() < 512 || n.BitLen() > maxModulus || e.BitLen() > 31 || e.BitLen() < 2 {
		return nil, nil, data("the modulus or the exponent of the key is not one")
	}
	open := rsa.PublicKey{N: n, E: int(e.Int64())}
	if w.D == "" {
		return nil, &open, nil
	}
	if w.P == "" || w.Q == "" {
		return nil, nil, unsupported("a private key needs its primes")
	}
	key := &rsa.PrivateKey{PublicKey: open, D: numbers[2], Primes: numbers[3:]}
	if err := key.Validate(); err != nil {
		return nil, nil, data("the numbers of the key do not fit each other")
	}
	key.Precompute()
	return key, nil, nil
}

func curveOf(a Algorithm, w webKey) (crypto.PrivateKey, crypto.PublicKey, error) {
	curve, ok := curves[a.Curve]
	if !ok {
		return nil, nil, unsupported("there is no curve %.40q", a.Curve)
	}
	size := (curve.Params().BitSize + 7) / 8
	parts := make([][]byte, 3)
	for i, text := range []string{w.X, w.Y, w.D} {
		bytes, err := unpack(text)
		if err != nil {
			return nil, nil, err
		}
		if len(bytes) != size && text != "" {
			return nil, nil, data("a number of the key has not %d bytes", size)
		}
		parts[i] = bytes
	}
	point := append(append([]byte{4}, parts[0]...), parts[1]...)
	open, err := rawPublic(a, point)
	if err != nil || w.D == "" {
		return nil, open, err
	}
	key, err := ecdsa.ParseRawPrivateKey(curve, parts[2])
	if err != nil {
		return nil, nil, data("the private number of the key is not one")
	}
	if bytes, err := key.PublicKey.Bytes(); err != nil || string(bytes) != string(point) {
		return nil, nil, data("the numbers of the key do not fit each other")
	}
	if a.Name == "ECDH" {
		agrees, err := key.ECDH()
		return agrees, nil, err
	}
	return key, nil, nil
}

func edwardsOf(a Algorithm, w webKey) (crypto.PrivateKey, crypto.PublicKey, error) {
	x, err := unpack(w.X)
	if err != nil {
		return nil, nil, err
	}
	if w.D == "" {
		open, err := rawPublic(a, x)
		return nil, open, err
	}
	d, err := unpack(w.D)
	if err != nil || len(d) != ed25519.SeedSize {
		return nil, nil, data("the private number of the key is not one")
	}
	if a.Name == "X25519" {
		key, err := ecdh.X25519().NewPrivateKey(d)
		if err != nil || string(key.PublicKey().Bytes()) != string(x) {
			return nil, nil, data("the numbers of the key do not fit each other")
		}
		return key, nil, nil
	}
	key := ed25519.NewKeyFromSeed(d)
	if string(key.Public().(ed25519.PublicKey)) != string(x) {
		return nil, nil, data("the numbers of the key do not fit each other")
	}
	return key, nil, nil
}

// Export writes a key: raw, pkcs8, spki, or the members of a jwk that say what it is.
func Export(format string, a Algorithm, kind string, bytes []byte) ([]byte, error) {
	switch {
	case format == "raw" && kind == secret,
		format == "pkcs8" && kind == private,
		format == "spki" && kind == public:
		return bytes, nil
	case format == "raw" && kind == public:
		key, err := parsePublic(a, bytes)
		if err != nil {
			return nil, err
		}
		return point(key)
	case format == "jwk" && kind == secret:
		return json.Marshal(webKey{Type: "oct", K: pack(bytes), Algorithm: nameOf(a, len(bytes))})
	case format == "jwk" && kind == private:
		key, err := parsePrivate(a, bytes)
		if err != nil {
			return nil, err
		}
		return exportWebKey(a, key, publicOf(key))
	case format == "jwk" && kind == public:
		key, err := parsePublic(a, bytes)
		if err != nil {
			return nil, err
		}
		return exportWebKey(a, nil, key)
	}
	return nil, unsupported("the key cannot be exported as %.40q", format)
}

// point returns a public key of a curve as bytes.
func point(key crypto.PublicKey) ([]byte, error) {
	switch key := key.(type) {
	case *ecdsa.PublicKey:
		return refused(key.Bytes())
	case *ecdh.PublicKey:
		return key.Bytes(), nil
	case ed25519.PublicKey:
		return key, nil
	}
	return nil, unsupported("the key cannot be exported raw")
}

func exportWebKey(a Algorithm, key crypto.PrivateKey, open crypto.PublicKey) ([]byte, error) {
	if known, ok := open.(*rsa.PublicKey); ok {
		w := webKey{Type: "RSA", N: pack(known.N.Bytes()), E: pack(exponent(known.E)), Algorithm: nameOf(a, 0)}
		if key, ok := key.(*rsa.PrivateKey); ok && len(key.Primes) == 2 {
			key.Precompute()
			w.D, w.P, w.Q = pack(key.D.Bytes()), pack(key.Primes[0].Bytes()), pack(key.Primes[1].Bytes())
			w.DP, w.DQ = pack(key.Precomputed.Dp.Bytes()), pack(key.Precomputed.Dq.Bytes())
			w.QI = pack(key.Precomputed.Qinv.Bytes())
		}
		return json.Marshal(w)
	}
	bytes, err := point(open)
	if err != nil {
		return nil, err
	}
	if a.Name == "Ed25519" || a.Name == "X25519" {
		w := webKey{Type: "OKP", Curve: a.Name, X: pack(bytes)}
		switch key := key.(type) {
		case ed25519.PrivateKey:
			w.D = pack(key.Seed())
		case *ecdh.PrivateKey:
			w.D = pack(key.Bytes())
		}
		return json.Marshal(w)
	}
	half := (len(bytes) - 1) / 2
	w := webKey{Type: "EC", Curve: a.Curve, X: pack(bytes[1 : 1+half]), Y: pack(bytes[1+half:])}
	switch key := key.(type) {
	case *ecdsa.PrivateKey:
		d, err := key.Bytes()
		if err != nil {
			return nil, data("%v", err)
		}
		w.D = pack(d)
	case *ecdh.PrivateKey:
		w.D = pack(key.Bytes())
	}
	return json.Marshal(w)
}

// nameOf returns what a JSON Web Key calls an algorithm.
func nameOf(a Algorithm, length int) string {
	bits := strings.TrimPrefix(a.Hash, "SHA-")
	switch a.Name {
	case "HMAC":
		return "HS" + bits
	case "RSASSA-PKCS1-v1_5":
		return "RS" + bits
	case "RSA-PSS":
		return "PS" + bits
	case "RSA-OAEP":
		if bits == "1" {
			return "RSA-OAEP"
		}
		return "RSA-OAEP-" + bits
	case "AES-GCM", "AES-CBC", "AES-CTR", "AES-KW":
		return map[int]string{16: "A128", 24: "A192", 32: "A256"}[length] + strings.TrimPrefix(a.Name, "AES-")
	}
	return ""
}

func pack(bytes []byte) string { return base64.RawURLEncoding.EncodeToString(bytes) }

func unpack(text string) ([]byte, error) {
	bytes, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(text, "="))
	if err != nil {
		return nil, data("a member of the key is no base64url")
	}
	return bytes, nil
}
