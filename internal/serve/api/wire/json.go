package wire

import (
	"encoding/json"
	"reflect"

	"github.com/danielgtaylor/huma/v2"
)

// SchemaOf returns a reference to the schema of a type.
func SchemaOf[T any](r huma.Registry) *huma.Schema { return r.Schema(reflect.TypeFor[T](), true, "") }

// JSONObject is a JSON object as it is.
type JSONObject json.RawMessage

// MarshalJSON writes it.
func (o JSONObject) MarshalJSON() ([]byte, error) { return o, nil }

// UnmarshalJSON keeps it.
func (o *JSONObject) UnmarshalJSON(data []byte) error {
	*o = append(JSONObject{}, data...)
	return nil
}

// Schema says that it is any object.
func (JSONObject) Schema(huma.Registry) *huma.Schema {
	schema := &huma.Schema{Type: "object", AdditionalProperties: true}
	schema.PrecomputeMessages()
	return schema
}
