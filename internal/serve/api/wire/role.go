package wire

import (
	"encoding/json"

	"github.com/danielgtaylor/huma/v2"
)

// RoleOrNull is a role, or null for a guest.
type RoleOrNull string

// MarshalJSON writes null for the empty role.
func (r RoleOrNull) MarshalJSON() ([]byte, error) { return wordOrNull(string(r)) }

// Schema lists the roles and null.
func (RoleOrNull) Schema(huma.Registry) *huma.Schema { return wordOrNullSchema(roles...) }

// roles are the words for roles on the wire, from the highest.
var roles = []any{"admin", "create", "review", "edit", "comment", "read"}

func wordOrNull(word string) ([]byte, error) {
	if word == "" {
		return []byte("null"), nil
	}
	return json.Marshal(word)
}

// wordOrNullSchema is the schema of one of some words, or null.
func wordOrNullSchema(words ...any) *huma.Schema {
	return &huma.Schema{OneOf: []*huma.Schema{{Type: "string", Enum: words}, {Type: "null"}}}
}

// LevelOrNull is a role or inherit, or null for no access.
type LevelOrNull string

// MarshalJSON writes null for no access.
func (l LevelOrNull) MarshalJSON() ([]byte, error) { return wordOrNull(string(l)) }

// Schema lists the levels and null.
func (LevelOrNull) Schema(huma.Registry) *huma.Schema {
	return wordOrNullSchema(append([]any{"inherit"}, roles...)...)
}
