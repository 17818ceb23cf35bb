package entity

import (
	"bytes"
	"fmt"
)

// decodeFields sets the fields of an entry from its JSON. It takes an object apart into the text of its members and
// leaves these to the fields; it accepts more than the canonical form, and never less.
func decodeFields(e *Entry, encoded []byte) error {
	body, opened := bytes.CutPrefix(encoded, []byte("{"))
	body, closed := bytes.CutSuffix(body, []byte("}"))
	if !opened || !closed {
		return fmt.Errorf("not an object")
	}
	next := 0
	for len(body) > 0 {
		name := valueLength(body)
		if name < 2 || body[0] != '"' || name >= len(body) || body[name] != ':' {
			return fmt.Errorf("no name where one has to be")
		}
		// Members are in the order of the fields.
		for next < len(fields) && fields[next].Name != string(body[1:name-1]) {
			next++
		}
		if next == len(fields) {
			return fmt.Errorf("field %.40q is not known, or not in its place", body[1:name-1])
		}
		body = body[name+1:]
		length := valueLength(body)
		if err := fields[next].decode(e, body[:length]); err != nil {
			return fmt.Errorf("%s: %w", fields[next].Name, err)
		}
		body = body[length:]
		if len(body) > 0 {
			if body[0] != ',' || len(body) == 1 {
				return fmt.Errorf("no comma after %s", fields[next].Name)
			}
			body = body[1:]
		}
	}
	return nil
}

// valueLength returns the length of the JSON value at the beginning of a text: up to its closing quote or bracket, or
// to what ends a number. Of a text that is no JSON it returns some length.
func valueLength(text []byte) int {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
			if !quoted && depth == 0 {
				return i + 1
			}
		case quoted:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
			if depth <= 0 {
				return i + 1
			}
		case depth == 0 && c == ',':
			return i
		}
	}
	return len(text)
}

// plainText reports whether a JSON value is a string without escapes.
func plainText(encoded []byte) bool {
	return len(encoded) >= 2 && encoded[0] == '"' && encoded[len(encoded)-1] == '"' &&
		bytes.IndexByte(encoded, '\\') < 0 && bytes.IndexByte(encoded[1:len(encoded)-1], '"') < 0
}
