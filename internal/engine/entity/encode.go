package entity

import (
	"bytes"
	"errors"
	"fmt"
)

const (
	// formatVersion is the first byte of an encoding.
	formatVersion = 0x01

	// MaxSize is the largest size of an encoding in bytes; Encode and Decode refuse more.
	MaxSize = 256 << 10
)

// Encode returns the canonical bytes of an entry: one version byte, then a JSON object of the fields that are set.
//
// The JSON is ours down to the byte, so that no change of a library moves a hash: members in the order of Fields,
// empty ones left out, keys of maps sorted by their bytes, no spaces, in strings only quotes, backslashes and
// control characters escaped, numbers as ECMAScript prints them (as in RFC 8785). Entries that Equal reports equal have
// equal bytes. Text is kept as it was written: it is not brought into a Unicode normal form.
//
// The id is not part of it: it is the key that the entry is stored under. Encode refuses text that is not UTF-8,
// values that Plain refuses and what is over MaxSize; otherwise it does not validate.
func Encode(e *Entry) ([]byte, error) {
	w := writer{out: make([]byte, 0, 512)}
	w.out = append(w.out, formatVersion)
	w.open('{')
	for _, f := range fields {
		if value := f.get(e); value != nil {
			w.name(f.Name)
			w.value(value, maxDepth)
			if w.err != nil {
				return nil, fmt.Errorf("encode entry %.80q: %s: %w", e.ID, f.Name, w.err)
			}
		}
	}
	w.close('}')
	if len(w.out) > MaxSize {
		return nil, fmt.Errorf("encode entry %.80q: it has %d bytes, at most %d are allowed", e.ID, len(w.out), MaxSize)
	}
	return w.out, nil
}

// Decode returns the entry of an id from what Encode wrote, and refuses all other bytes: unknown fields, another
// version, another order or spelling.
func Decode(id string, encoded []byte) (*Entry, error) {
	e, err := decode(id, encoded)
	if err != nil {
		return nil, fmt.Errorf("decode entry %.80q: %w", id, err)
	}
	return e, nil
}

func decode(id string, encoded []byte) (*Entry, error) {
	if len(encoded) > MaxSize {
		return nil, fmt.Errorf("%d bytes, at most %d are allowed", len(encoded), MaxSize)
	}
	if len(encoded) == 0 || encoded[0] != formatVersion {
		return nil, errors.New("its version is not known")
	}
	e := &Entry{ID: id}
	if err := decodeFields(e, encoded[1:]); err != nil {
		return nil, err
	}
	// Whatever was read too kindly is not what we write.
	again, err := Encode(e)
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(again, encoded) {
		return nil, errors.New("not in canonical form")
	}
	return e, nil
}
