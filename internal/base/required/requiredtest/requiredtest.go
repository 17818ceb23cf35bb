// Package requiredtest makes functions for the tests of services that ask others for something.
package requiredtest

import "reflect"

// Wire sets the Hooks of a service, with functions that do nothing in place of those that it is not given, see Fill. It
// returns the service.
func Wire[S interface{ SetHooks(hooks H) }, H any](service S, hooks H) S {
	service.SetHooks(Fill(hooks))
	return service
}

// Fill returns a struct with the required functions that it lacks: they do nothing, and their results are zero values.
// A list of functions that it lacks becomes empty. It looks into structs of structs.
func Fill[T any](given T) T {
	fill(reflect.ValueOf(&given).Elem())
	return given
}

func fill(value reflect.Value) {
	for i := range value.NumField() {
		if _, optional := value.Type().Field(i).Tag.Lookup("optional"); optional {
			continue
		}
		field := value.Field(i)
		switch kind := field.Type(); {
		case kind.Kind() == reflect.Struct:
			fill(field)
		case kind.Kind() == reflect.Func && field.IsNil():
			field.Set(nothing(kind))
		case kind.Kind() == reflect.Slice && kind.Elem().Kind() == reflect.Func && field.IsNil():
			field.Set(reflect.MakeSlice(kind, 0, 0))
		}
	}
}

// nothing returns a function that does nothing.
func nothing(kind reflect.Type) reflect.Value {
	return reflect.MakeFunc(kind, func([]reflect.Value) []reflect.Value {
		results := make([]reflect.Value, kind.NumOut())
		for i := range results {
			results[i] = reflect.Zero(kind.Out(i))
		}
		return results
	})
}
