// Package optional tells three things apart that a Go value alone cannot: a field that was not sent, a field that was
// sent as null, and a field with a value.
//
// It is what a PATCH is made of. The package imports the standard library only.
package optional

import (
	"bytes"
	"encoding/json"
)

// Value is a field of an input that may be absent, null, or have a value. The zero Value is absent.
type Value[T any] struct {
	value T
	state state
}

type state uint8

const (
	absent state = iota
	null
	present
)

// Of returns a field that was sent with a value.
func Of[T any](value T) Value[T] { return Value[T]{value: value, state: present} }

// Null returns a field that was sent as null.
func Null[T any]() Value[T] { return Value[T]{state: null} }

// IsSet reports whether the field was sent at all, as null or with a value.
func (v Value[T]) IsSet() bool { return v.state != absent }

// IsNull reports whether the field was sent as null.
func (v Value[T]) IsNull() bool { return v.state == null }

// IsZero reports whether the field is absent, so that the omitzero option of encoding/json leaves it out.
func (v Value[T]) IsZero() bool { return v.state == absent }

// Get returns the value and whether there is one; it is false for an absent field and for null.
func (v Value[T]) Get() (T, bool) { return v.value, v.state == present }

// Or returns the value, and otherwise when the field is absent or null.
func (v Value[T]) Or(otherwise T) T {
	if v.state == present {
		return v.value
	}
	return otherwise
}

// UnmarshalJSON reads null or a value. encoding/json calls it for fields that are there, so a field it is not called
// for stays absent.
func (v *Value[T]) UnmarshalJSON(data []byte) error {
	if bytes.Equal(bytes.TrimSpace(data), []byte("null")) {
		*v = Null[T]()
		return nil
	}
	var value T
	if err := json.Unmarshal(data, &value); err != nil {
		return err
	}
	*v = Of(value)
	return nil
}

// MarshalJSON writes the value, and null for a field that is null or absent; mark fields omitzero to leave absent ones
// out.
func (v Value[T]) MarshalJSON() ([]byte, error) {
	if v.state != present {
		return []byte("null"), nil
	}
	return json.Marshal(v.value)
}
