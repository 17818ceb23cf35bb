package folder

import (
	"bytes"
	"encoding/json"
	"errors"
	"iter"
)

// object is a JSON object that remembers the order of its keys.
type object struct {
	keys   []string
	values map[string]any
}

// get returns the value of a key; nil when there is none.
func (o object) get(key string) any { return o.values[key] }

// all goes through an object in the order in which it was written.
func (o object) all() iter.Seq2[string, any] {
	return func(yield func(string, any) bool) {
		for _, key := range o.keys {
			if !yield(key, o.values[key]) {
				return
			}
		}
	}
}

// maxJSONDepth is how deep a configuration goes at most.
const maxJSONDepth = 100

// decodeJSON reads a value: objects become object, lists []any.
func decodeJSON(data []byte) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	return decodeValue(decoder, 0)
}

func decodeValue(decoder *json.Decoder, depth int) (any, error) {
	token, err := decoder.Token()
	if err != nil || depth > maxJSONDepth {
		return nil, errors.Join(err, errors.New("it is no JSON that can be read"))
	}
	switch token {
	case json.Delim('['):
		list := []any{}
		for decoder.More() {
			value, err := decodeValue(decoder, depth+1)
			if err != nil {
				return nil, err
			}
			list = append(list, value)
		}
		_, err := decoder.Token()
		return list, err
	case json.Delim('{'):
		made := object{values: map[string]any{}}
		for decoder.More() {
			key, err := decoder.Token()
			if err != nil {
				return nil, err
			}
			name, _ := key.(string)
			value, err := decodeValue(decoder, depth+1)
			if err != nil {
				return nil, err
			}
			if _, twice := made.values[name]; !twice {
				made.keys = append(made.keys, name)
			}
			made.values[name] = value
		}
		_, err := decoder.Token()
		return made, err
	}
	return token, nil
}
