package api

import (
	"reflect"
	"testing"

	"github.com/rectodocs/recto/internal/platform/blob"
)

// TestEveryResourceGetsWhatItNeeds holds that no handler finds a dependency missing that the API has.
func TestEveryResourceGetsWhatItNeeds(t *testing.T) {
	var deps Deps
	fields := reflect.ValueOf(&deps).Elem()
	for _, field := range fields.Fields() {
		switch field.Kind() {
		case reflect.Pointer:
			field.Set(reflect.New(field.Type().Elem()))
		case reflect.Func:
			field.Set(reflect.MakeFunc(field.Type(), func([]reflect.Value) []reflect.Value { return nil }))
		case reflect.String:
			field.SetString("x")
		case reflect.Slice:
			field.SetBytes([]byte("0123456789abcdef"))
		}
	}
	deps.Blobs = struct{ blob.Store }{}
	resources := reflect.ValueOf(newHandlers(deps))
	for i := range resources.NumField() {
		name := resources.Type().Field(i).Name
		if resources.Field(i).IsNil() {
			t.Errorf("there are no handlers of %s", name)
			continue
		}
		for _, missing := range missingFields(resources.Field(i).Elem(), name) {
			t.Errorf("%s is missing", missing)
		}
	}
	if missing := missingFields(reflect.ValueOf(struct{ Here, Absent *int }{Here: new(int)}),
		"test"); len(missing) != 1 {
		t.Errorf("the check finds %v", missing)
	}
}

// missingFields names the exported fields of a struct, and of structs in it, that have no value.
func missingFields(value reflect.Value, path string) []string {
	var missing []string
	for i := range value.NumField() {
		field := value.Type().Field(i)
		switch {
		case !field.IsExported():
		case value.Field(i).IsZero():
			missing = append(missing, path+"."+field.Name)
		case value.Field(i).Kind() == reflect.Struct:
			missing = append(missing, missingFields(value.Field(i), path+"."+field.Name)...)
		}
	}
	return missing
}
