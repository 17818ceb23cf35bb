package entity

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/git"
)

// Shape says how a field's value is made up, and so how two changes of it can be reconciled.
type Shape int

// Shapes of fields.
const (
	ShapeValue Shape = iota // one value: a string, a number, a flag, a reference
	ShapeKeyed              // independent values by key: see Field.Keyed
	ShapeTags               // a set of tags
)

// Field is one field of an Entry. Fields has the table of all of them.
type Field struct {
	// Name is the field's name in JSON.
	Name string
	// Shape is the shape of its value.
	Shape Shape

	get      func(*Entry) any
	set      func(*Entry, any) error
	keyed    func(*Entry) map[string]any
	setKeyed func(*Entry, map[string]any) error
	// decode sets the field from its JSON.
	decode func(*Entry, []byte) error
}

// Get returns the field's value: a string, bool, int, int64, *Layout, *Cover, *doc.Ref, *Computed, *git.File,
// []Tag or map[string]any, and nil when it has its zero value or is empty. The value aliases the entry.
func (f Field) Get(e *Entry) any { return f.get(e) }

// Set sets the field to a value as Get returns it, or to the JSON form of one as encoding/json decodes it; nil
// clears the field. It returns an error, and leaves the entry alone, when the value is of another type. It does not
// validate.
func (f Field) Set(e *Entry, value any) error {
	if err := f.set(e, value); err != nil {
		return fmt.Errorf("set entry field %s: %w", f.Name, err)
	}
	return nil
}

// Equal reports whether two entries agree in the field. Numbers are equal by value, an empty map or struct is no map
// or struct, tags are compared in order.
func (f Field) Equal(a, b *Entry) bool { return EqualValues(f.get(a), f.get(b)) }

// Keyed returns the values of a ShapeKeyed field by key, nil for none. The map is the caller's, the values are not.
func (f Field) Keyed(e *Entry) map[string]any { return f.keyed(e) }

// SetKeyed sets a ShapeKeyed field from its values by key; none clears the field.
func (f Field) SetKeyed(e *Entry, values map[string]any) error {
	if err := f.setKeyed(e, values); err != nil {
		return fmt.Errorf("set entry field %s: %w", f.Name, err)
	}
	return nil
}

// Fields returns the table of an entry's fields in the order of the encoding. It has every field but ID.
func Fields() []Field { return slices.Clone(fields) }

// FieldNamed returns the field of a name.
func FieldNamed(name string) (Field, bool) {
	for _, f := range fields {
		if f.Name == name {
			return f, true
		}
	}
	return Field{}, false
}

// Equal reports whether two entries have the same id and agree in all fields. Two nil entries are equal.
func Equal(a, b *Entry) bool {
	if a == nil || b == nil {
		return a == b
	}
	if a == b {
		return true
	}
	if a.ID != b.ID {
		return false
	}
	for _, f := range fields {
		if !f.Equal(a, b) {
			return false
		}
	}
	return true
}

// Clone returns a deep copy of an entry, nil for nil.
func (e *Entry) Clone() *Entry {
	if e == nil {
		return nil
	}
	c := *e
	c.Layout = clonePointer(e.Layout)
	c.Cover = clonePointer(e.Cover)
	if c.Cover != nil {
		c.Cover.Ref, c.Cover.RefDark = clonePointer(c.Cover.Ref), clonePointer(c.Cover.RefDark)
	}
	c.Tags = slices.Clone(e.Tags)
	c.Target = clonePointer(e.Target)
	c.Computed = clonePointer(e.Computed)
	if c.Computed != nil {
		c.Computed.Props = cloneMap(c.Computed.Props)
		c.Computed.Dependencies = cloneMap(c.Computed.Dependencies)
	}
	c.Git = clonePointer(e.Git)
	c.Extra, c.Variables = cloneMap(e.Extra), cloneMap(e.Variables)
	return &c
}

func clonePointer[T any](p *T) *T {
	if p == nil {
		return nil
	}
	return new(*p)
}

func cloneMap(m map[string]any) map[string]any {
	if m == nil {
		return nil
	}
	c := make(map[string]any, len(m))
	for key, value := range m {
		c[key] = cloneValue(value)
	}
	return c
}

func cloneValue(value any) any {
	switch v := value.(type) {
	case map[string]any:
		return cloneMap(v)
	case []any:
		c := make([]any, len(v))
		for i := range v {
			c[i] = cloneValue(v[i])
		}
		return c
	}
	return value
}

// fields is the one list of what an entry has, in the order of its encoding.
var fields = slices.Concat([]Field{
	plainField("kind", func(e *Entry) *Kind { return &e.Kind }),
	plainField("type", func(e *Entry) *PageType { return &e.Type }),
	plainField("parent", func(e *Entry) *string { return &e.Parent }),
	plainField("position", func(e *Entry) *string { return &e.Position }),
	plainField("slug", func(e *Entry) *string { return &e.Slug }),
	plainField("title", func(e *Entry) *string { return &e.Title }),
	plainField("linkTitle", func(e *Entry) *string { return &e.LinkTitle }),
	plainField("emoji", func(e *Entry) *string { return &e.Emoji }),
	plainField("icon", func(e *Entry) *string { return &e.Icon }),
	plainField("description", func(e *Entry) *string { return &e.Description }),
	structField("layout", ShapeKeyed, func(e *Entry) **Layout { return &e.Layout }),
	structField("cover", ShapeKeyed, func(e *Entry) **Cover { return &e.Cover }),
	tagsField("tags"),
	plainField("condition", func(e *Entry) *string { return &e.Condition }),
	plainField("owner", func(e *Entry) *string { return &e.Owner }),
}, flagFields(), []Field{
	structField("target", ShapeValue, func(e *Entry) **doc.Ref { return &e.Target }),
	structField("computed", ShapeValue, func(e *Entry) **Computed { return &e.Computed }),
	mapField("extra", func(e *Entry) *map[string]any { return &e.Extra }),
	mapField("variables", func(e *Entry) *map[string]any { return &e.Variables }),
	plainField("frontMatter", func(e *Entry) *string { return &e.FrontMatter }),
	plainField("body", func(e *Entry) *string { return &e.Body }),
	plainField("name", func(e *Entry) *string { return &e.Name }),
	plainField("path", func(e *Entry) *string { return &e.Path }),
	plainField("contentType", func(e *Entry) *string { return &e.ContentType }),
	plainField("size", func(e *Entry) *int64 { return &e.Size }),
	plainField("width", func(e *Entry) *int { return &e.Width }),
	plainField("height", func(e *Entry) *int { return &e.Height }),
	plainField("blob", func(e *Entry) *string { return &e.Blob }),
	structField("git", ShapeValue, func(e *Entry) **git.File { return &e.Git }),
	plainField("createdAt", func(e *Entry) *int64 { return &e.CreatedAt }),
	plainField("updatedAt", func(e *Entry) *int64 { return &e.UpdatedAt }),
})

func flagFields() []Field {
	var rows []Field
	for _, flag := range pageFlags {
		rows = append(rows, plainField(flag.Name, func(e *Entry) *bool { return flag.At(&e.Flags) }))
	}
	return rows
}

// plainField makes a field of a basic type. A named string type (Kind, PageType) is a string outside.
func plainField[T interface {
	~string | bool | int | int64
	comparable
}](name string, at func(*Entry) *T) Field {
	return Field{
		Name: name,
		get: func(e *Entry) any {
			var zero T
			value := *at(e)
			if value == zero {
				return nil
			}
			switch v := any(value).(type) {
			case Kind:
				return string(v)
			case PageType:
				return string(v)
			default:
				return v
			}
		},
		set: func(e *Entry, value any) error {
			var zero T
			if value == nil {
				*at(e) = zero
				return nil
			}
			return assign(at(e), value)
		},
		decode: func(e *Entry, encoded []byte) error {
			// Nearly all fields of nearly all entries are of these; the library is slow for them.
			switch p := any(at(e)).(type) {
			case *string:
				if plainText(encoded) {
					*p = string(encoded[1 : len(encoded)-1])
					return nil
				}
			case *Kind:
				if plainText(encoded) {
					*p = Kind(encoded[1 : len(encoded)-1])
					return nil
				}
			case *PageType:
				if plainText(encoded) {
					*p = PageType(encoded[1 : len(encoded)-1])
					return nil
				}
			case *int64:
				number, err := strconv.ParseInt(string(encoded), 10, 64)
				*p = number
				return err
			}
			return json.Unmarshal(encoded, at(e))
		},
	}
}

// assign stores value at p, of which it has the type or the JSON form.
func assign[T any](p *T, value any) error {
	if v, ok := value.(T); ok {
		*p = v
		return nil
	}
	if number, ok := value.(float64); ok && number != math.Trunc(number) {
		return fmt.Errorf("%v is not a whole number", number)
	}
	encoded, err := json.Marshal(value)
	if err != nil {
		return err
	}
	var v T
	if err := json.Unmarshal(encoded, &v); err != nil {
		return err
	}
	*p = v
	return nil
}

// structField makes a field that is a pointer to a struct.
func structField[T any](name string, shape Shape, at func(*Entry) **T) Field {
	return Field{
		Name:  name,
		Shape: shape,
		get: func(e *Entry) any {
			p := *at(e)
			if p == nil || len(members(p)) == 0 {
				return nil
			}
			return p
		},
		set: func(e *Entry, value any) error {
			if value == nil {
				*at(e) = nil
				return nil
			}
			return assign(at(e), value)
		},
		keyed: func(e *Entry) map[string]any {
			p := *at(e)
			if p == nil {
				return nil
			}
			values := map[string]any{}
			for _, m := range members(p) {
				values[m.name] = m.value
			}
			return values
		},
		setKeyed: func(e *Entry, values map[string]any) error {
			if len(values) == 0 {
				*at(e) = nil
				return nil
			}
			plain := make(map[string]any, len(values))
			maps.Copy(plain, values)
			encoded, err := json.Marshal(plain)
			if err != nil {
				return err
			}
			p := new(T)
			if err := json.Unmarshal(encoded, p); err != nil {
				return err
			}
			*at(e) = p
			return nil
		},
		decode: func(e *Entry, encoded []byte) error { return json.Unmarshal(encoded, at(e)) },
	}
}

func mapField(name string, at func(*Entry) *map[string]any) Field {
	f := Field{
		Name:  name,
		Shape: ShapeKeyed,
		get: func(e *Entry) any {
			if len(*at(e)) == 0 {
				return nil
			}
			return *at(e)
		},
		keyed: func(e *Entry) map[string]any { return cloneMap(*at(e)) },
		setKeyed: func(e *Entry, values map[string]any) error {
			*at(e) = nil
			if len(values) > 0 {
				*at(e) = cloneMap(values)
			}
			return nil
		},
	}
	f.set = func(e *Entry, value any) error {
		values, ok := value.(map[string]any)
		if !ok && value != nil {
			return fmt.Errorf("a %T is not an object", value)
		}
		return f.setKeyed(e, values)
	}
	f.decode = func(e *Entry, encoded []byte) error { return json.Unmarshal(encoded, at(e)) }
	return f
}

func tagsField(name string) Field {
	return Field{
		Name:  name,
		Shape: ShapeTags,
		get: func(e *Entry) any {
			if len(e.Tags) == 0 {
				return nil
			}
			return e.Tags
		},
		set: func(e *Entry, value any) error {
			if value == nil {
				e.Tags = nil
				return nil
			}
			return assign(&e.Tags, value)
		},
		decode: func(e *Entry, encoded []byte) error { return json.Unmarshal(encoded, &e.Tags) },
	}
}
