package entity

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"time"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/git"
)

// maxDepth bounds the nesting of values in Extra, Props and Dependencies.
const maxDepth = 32

// Plain returns a value in the form that JSON decodes to: nil, bool, string, float64, []any, map[string]any. It takes
// what YAML and Go code put into such values, too: integers, string slices and maps, and times, which become
// RFC 3339 text, or a bare date at midnight UTC. It refuses other types, numbers that are not finite or that a float64
// does not hold exactly, and nesting over 32 levels.
func Plain(value any) (any, error) { return plain(value, maxDepth) }

func plain(value any, depth int) (any, error) {
	if depth < 0 {
		return nil, fmt.Errorf("nested over %d levels", maxDepth)
	}
	switch v := value.(type) {
	case nil, bool, string:
		return v, nil
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("%v is not a finite number", v)
		}
		return v + 0, nil
	case json.Number:
		number, err := v.Float64()
		if err != nil {
			return nil, err
		}
		return plain(number, depth)
	case time.Time:
		if v.Equal(v.UTC().Truncate(24 * time.Hour)) {
			return v.UTC().Format(time.DateOnly), nil
		}
		return v.Format(time.RFC3339Nano), nil
	case []any:
		list := make([]any, len(v))
		for i := range v {
			var err error
			if list[i], err = plain(v[i], depth-1); err != nil {
				return nil, err
			}
		}
		return list, nil
	case map[string]any:
		object := make(map[string]any, len(v))
		for key := range v {
			var err error
			if object[key], err = plain(v[key], depth-1); err != nil {
				return nil, err
			}
		}
		return object, nil
	}
	return plainReflected(reflect.ValueOf(value), depth)
}

// plainReflected is plain for the rarer types.
func plainReflected(v reflect.Value, depth int) (any, error) {
	switch v.Kind() {
	case reflect.Bool:
		return v.Bool(), nil
	case reflect.String:
		return v.String(), nil
	case reflect.Float32:
		return plain(v.Float(), depth)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		if number := float64(v.Int()); number < 1<<63 && int64(number) == v.Int() {
			return number, nil
		}
		return nil, fmt.Errorf("integer %d has too many digits", v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if number := float64(v.Uint()); number < 1<<64 && uint64(number) == v.Uint() {
			return number, nil
		}
		return nil, fmt.Errorf("integer %d has too many digits", v.Uint())
	case reflect.Slice:
		list := make([]any, v.Len())
		for i := range list {
			var err error
			if list[i], err = plain(v.Index(i).Interface(), depth-1); err != nil {
				return nil, err
			}
		}
		return list, nil
	case reflect.Map:
		if v.Type().Key().Kind() == reflect.String {
			object := make(map[string]any, v.Len())
			for entries := v.MapRange(); entries.Next(); {
				value, err := plain(entries.Value().Interface(), depth-1)
				if err != nil {
					return nil, err
				}
				object[entries.Key().String()] = value
			}
			return object, nil
		}
	}
	return nil, fmt.Errorf("a %s cannot be kept; use text, numbers, booleans, lists and objects", v.Type())
}

// EqualValues reports whether two field values, as Field.Get and Field.Keyed return them, are equal.
func EqualValues(a, b any) bool {
	switch va := a.(type) {
	case nil:
		return b == nil
	case string:
		vb, ok := b.(string)
		return ok && va == vb
	case bool:
		vb, ok := b.(bool)
		return ok && va == vb
	case float64:
		if vb, ok := b.(float64); ok {
			return va == vb
		}
	case int64:
		if vb, ok := b.(int64); ok {
			return va == vb
		}
	case []Tag:
		vb, ok := b.([]Tag)
		return ok && slices.Equal(va, vb)
	case *Layout:
		vb, ok := b.(*Layout)
		return ok && (va == vb || equalMembers(members(va), members(vb)))
	case *Cover:
		vb, ok := b.(*Cover)
		return ok && (va == vb || equalMembers(members(va), members(vb)))
	case *doc.Ref:
		vb, ok := b.(*doc.Ref)
		return ok && *va == *vb
	case *Computed:
		vb, ok := b.(*Computed)
		return ok && (va == vb || equalMembers(members(va), members(vb)))
	case *git.File:
		vb, ok := b.(*git.File)
		return ok && *va == *vb
	case map[string]any:
		vb, ok := b.(map[string]any)
		if !ok || len(va) != len(vb) {
			return false
		}
		for key := range va {
			other, found := vb[key]
			if !found || !EqualValues(va[key], other) {
				return false
			}
		}
		return true
	case []any:
		if vb, ok := b.([]any); ok {
			return slices.EqualFunc(va, vb, EqualValues)
		}
	}
	// Numbers of different types and the rarer types.
	plainA, errA := Plain(a)
	plainB, errB := Plain(b)
	return errA == nil && errB == nil && reflect.DeepEqual(plainA, plainB)
}

func equalMembers(a, b []member) bool {
	return slices.EqualFunc(a, b, func(x, y member) bool { return x.name == y.name && EqualValues(x.value, y.value) })
}

// member is one set member of a struct in its JSON form.
type member struct {
	name  string
	value any
}

// members lists what is set in a *Layout, *Cover, *doc.Ref, *Computed, *git.File or *Tag, in the order of the encoding.
func members(structure any) []member {
	var list []member
	text := func(name, value string) {
		if value != "" {
			list = append(list, member{name, value})
		}
	}
	switch s := structure.(type) {
	case *Layout:
		text("width", s.Width)
		text("coverSize", s.CoverSize)
		text("coverMask", s.CoverMask)
		for _, part := range layoutParts {
			if shown := *part.At(s); shown != nil {
				list = append(list, member{part.Name, *shown})
			}
		}
	case *Cover:
		for _, ref := range []member{{"ref", s.Ref}, {"refDark", s.RefDark}} {
			if target := ref.value.(*doc.Ref); target != nil && *target != (doc.Ref{}) {
				list = append(list, ref)
			}
		}
		if s.YPos != 0 {
			list = append(list, member{"yPos", s.YPos})
		}
		if s.Height != 0 {
			list = append(list, member{"height", s.Height})
		}
	case *doc.Ref:
		text("kind", string(s.Kind))
		text("url", s.URL)
		text("file", s.File)
		text("page", s.Page)
		text("anchor", s.Anchor)
		text("user", s.User)
		text("collection", s.Collection)
		text("space", s.Space)
		text("reusableContent", s.ReusableContent)
		text("tag", s.Tag)
		text("spec", s.Spec)
	case *Computed:
		text("type", s.Type)
		if len(s.Props) > 0 {
			list = append(list, member{"props", s.Props})
		}
		if len(s.Dependencies) > 0 {
			list = append(list, member{"dependencies", s.Dependencies})
		}
	case *git.File:
		text("repository", s.Repository)
		text("ref", s.Ref)
		text("path", s.Path)
		text("oid", s.OID)
	case *Tag:
		text("tag", s.Tag)
		if s.Primary {
			list = append(list, member{"primary", true})
		}
	}
	return list
}
