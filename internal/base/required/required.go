// Package required owns the check that a package was given all that it stands on.
//
// It promises that a field without a value is an error that names it, unless the field says that it may be left out: by
// a tag optional with the reason, such as
//
//	Now func() time.Time `optional:"time.Now"`
package required

import (
	"errors"
	"fmt"
	"reflect"
)

// Check returns an error for each field of a struct that has no value and no tag optional: a nil function, pointer,
// interface, map, slice or channel, or an empty text. It looks into structs, and behind pointers to structs, that have
// exported fields alone: they are given like the struct itself. Numbers and booleans have no value that means none. It
// panics for what is no struct.
func Check(deps any) error {
	value := reflect.ValueOf(deps)
	return errors.Join(missing(value, value.Type().String())...)
}

func missing(value reflect.Value, name string) []error {
	var found []error
	for i := range value.NumField() {
		field := value.Type().Field(i)
		if _, optional := field.Tag.Lookup("optional"); optional {
			continue
		}
		given, name := value.Field(i), name+"."+field.Name
		if unset(given) {
			found = append(found, fmt.Errorf("%s is not set", name))
			continue
		}
		if given.Kind() == reflect.Pointer {
			given = given.Elem()
		}
		if given.Kind() == reflect.Struct && plain(given.Type()) {
			found = append(found, missing(given, name)...)
		}
	}
	return found
}

func unset(value reflect.Value) bool {
	switch value.Kind() {
	case reflect.Func, reflect.Pointer, reflect.Interface, reflect.Map, reflect.Slice, reflect.Chan:
		return value.IsNil()
	case reflect.String:
		return value.Len() == 0
	}
	return false
}

// plain reports whether all fields of a struct are exported.
func plain(described reflect.Type) bool {
	for field := range described.Fields() {
		if !field.IsExported() {
			return false
		}
	}
	return true
}
