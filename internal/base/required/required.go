// Package required owns the check that a package was given all that it stands on.
//
// It promises that a field without a value is an error that names it, unless the field says that it may be left out: by
// a tag optional with the reason, such as
//
//	Now func() time.Time `optional:"time.Now"`
//
// A service has two such structs. Deps is what it stands on: packages that it imports, and settings. Its New begins
// with Must. Hooks is what it asks of packages that it does not import, most of which come after its own: functions
// that its method SetHooks takes once, after all services have been made. It keeps them in a Hooks of this package.
//
// What is missing is a mistake in the program, which no caller can mend. So Must, Set and Get panic, and say what is
// missing.
package required

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// Check returns an error for each field of a struct that has no value and no tag optional: a nil function, pointer,
// interface, map, slice or channel, or an empty text. It looks into structs, and behind pointers to structs, that have
// exported fields alone: they are given like the struct itself. Numbers and booleans have no value that means none. It
// panics for what is no struct.
func Check(deps any) error {
	value := reflect.ValueOf(deps)
	return errors.Join(missing(value, value.Type().String())...)
}

// Must panics with the error of Check.
func Must(deps any) {
	if err := Check(deps); err != nil {
		panic(err)
	}
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

// Hooks keeps the functions that a service asks of packages that it does not import. H is the struct that describes
// them. The zero Hooks has none yet. They are set before the service is used: that is not synchronized.
type Hooks[H any] struct{ given *H }

// Set gives the functions. It panics when a required one is missing, and when they were given before.
func (h *Hooks[H]) Set(given H) {
	if h.given != nil {
		panic(fmt.Errorf("%T were set before", given))
	}
	Must(given)
	h.given = &given
}

// Get returns the functions. It panics when they were not given.
func (h *Hooks[H]) Get() *H {
	if h.given == nil {
		panic(fmt.Errorf("%v are not set: call SetHooks before the service is used", reflect.TypeFor[H]()))
	}
	return h.given
}

// CheckHooks returns an error for each service that is not there or whose Hooks were not set. services is a struct of
// pointers to services.
func CheckHooks(services any) error {
	found := []error{Check(services)}
	for _, pointer := range reflect.ValueOf(services).Fields() {
		service := pointer.Elem()
		if !service.IsValid() {
			continue
		}
		for _, field := range service.Fields() {
			if isHooks(field.Type()) && field.Field(0).IsNil() {
				found = append(found, fmt.Errorf("SetHooks of %s was not called", service.Type()))
			}
		}
	}
	return errors.Join(found...)
}

// isHooks reports whether a type is Hooks of whatever.
func isHooks(described reflect.Type) bool {
	return described.PkgPath() == reflect.TypeFor[Hooks[struct{}]]().PkgPath() &&
		strings.HasPrefix(described.Name(), "Hooks[")
}
