package wire

import (
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"github.com/rectodocs/recto/internal/base/optional"
)

// Patch is a field of an input that may be absent, null or have a value; see optional.Value.
type Patch[T any] struct{ optional.Value[T] }

// Schema tells huma that the field holds a T or null.
func (Patch[T]) Schema(r huma.Registry) *huma.Schema {
	// The schema stands here as it is rather than as a reference, because a reference cannot be nullable.
	nullable := *r.Schema(reflect.TypeFor[T](), false, "")
	// What takes anything takes null as well, and has no type to say so beside.
	nullable.Nullable = nullable.Type != ""
	nullable.PrecomputeMessages()
	return &nullable
}
