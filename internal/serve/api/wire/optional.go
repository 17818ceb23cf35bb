package wire

import (
	"github.com/rectodocs/recto/internal/base/optional"
)

// Boolean reads a query parameter that may be absent.
func Boolean(text string) optional.Value[bool] {
	switch text {
	case "true":
		return optional.Of(true)
	case "false":
		return optional.Of(false)
	}
	return optional.Value[bool]{}
}

// Convert turns an optional text into an optional value of a text type.
func Convert[T ~string](value optional.Value[string]) optional.Value[T] {
	text, ok := value.Get()
	switch {
	case ok:
		return optional.Of(T(text))
	case value.IsNull():
		return optional.Null[T]()
	}
	return optional.Value[T]{}
}
