// Package strict reads JSON whose members have to be known, and finds the known name that somebody meant. A misspelt
// member that is passed over does the opposite of what was asked: a body without its limit, a page without its text.
package strict

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// UnknownMember is a member of JSON that has no place in what the JSON is read into.
type UnknownMember struct {
	// Path leads to the member from the top and ends with its name, such as "nodes[3].leafs".
	Path string
	// Name is the member's name, and Known are the names that may stand in its place.
	Name  string
	Known []string
}

// Error says which name was meant.
func (e *UnknownMember) Error() string { return e.Path + ": " + Advice(e.Name, e.Known) }

// Unmarshal is json.Unmarshal that refuses members that into has no field for, at any depth, with an *UnknownMember.
// Maps and values of type any take every member. Types with an UnmarshalJSON of their own decide for themselves.
func Unmarshal(data []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(into)
	if err == nil {
		if _, more := decoder.Token(); !errors.Is(more, io.EOF) {
			return errors.New("there is more behind the value")
		}
		return nil
	}
	// The decoder has no type for this failure and does not say where it was. So the place is looked up, which costs
	// time only when there is something to tell.
	var value any
	if json.Unmarshal(data, &value) == nil {
		if unknown := find(value, reflect.TypeOf(into), ""); unknown != nil {
			return unknown
		}
	}
	return err
}

var unmarshaler = reflect.TypeFor[json.Unmarshaler]()

// find returns the first unknown member, in the order of names.
func find(value any, into reflect.Type, path string) *UnknownMember {
	for into.Kind() == reflect.Pointer {
		if into.Implements(unmarshaler) {
			return nil
		}
		into = into.Elem()
	}
	if reflect.PointerTo(into).Implements(unmarshaler) {
		return nil
	}
	switch value := value.(type) {
	case []any:
		if into.Kind() != reflect.Slice && into.Kind() != reflect.Array {
			return nil
		}
		for i, item := range value {
			if found := find(item, into.Elem(), path+"["+strconv.Itoa(i)+"]"); found != nil {
				return found
			}
		}
	case map[string]any:
		return findInObject(value, into, path)
	}
	return nil
}

func findInObject(value map[string]any, into reflect.Type, path string) *UnknownMember {
	known := map[string]reflect.Type{}
	if into.Kind() == reflect.Struct {
		addFields(known, into)
	}
	names := make([]string, 0, len(value))
	for name := range value {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		place := name
		if path != "" {
			place = path + "." + name
		}
		of, ok := known[name]
		switch {
		case ok:
		case into.Kind() == reflect.Map:
			of = into.Elem()
		case into.Kind() == reflect.Struct:
			if !hasFold(known, name) {
				return &UnknownMember{Path: place, Name: name, Known: sortedNames(known)}
			}
			continue
		default:
			return nil
		}
		if found := find(value[name], of, place); found != nil {
			return found
		}
	}
	return nil
}

// addFields collects the members of a struct with those of the structs that it embeds.
func addFields(known map[string]reflect.Type, of reflect.Type) {
	for field := range of.Fields() {
		tag := field.Tag.Get("json")
		name, _, _ := strings.Cut(tag, ",")
		switch {
		case tag == "-":
		case field.Anonymous && name == "":
			embedded := field.Type
			if embedded.Kind() == reflect.Pointer {
				embedded = embedded.Elem()
			}
			if embedded.Kind() == reflect.Struct {
				addFields(known, embedded)
			}
		case !field.IsExported():
		case name == "":
			known[field.Name] = field.Type
		default:
			known[name] = field.Type
		}
	}
}

// hasFold reports whether encoding/json would take a name for one of the known ones, whatever its case.
func hasFold(known map[string]reflect.Type, name string) bool {
	for each := range known {
		if strings.EqualFold(each, name) {
			return true
		}
	}
	return false
}

func sortedNames(known map[string]reflect.Type) []string {
	names := make([]string, 0, len(known))
	for name := range known {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
