package entity_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/engine/entity"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestBytesAreStable pins the canonical bytes of an entry of each kind and type with every field that there is, and of
// entries that have one field alone. Other bytes would be other hashes for content that is stored already: a line may
// be added for a new field, none may change. Values come from the types by reflection.
func TestBytesAreStable(t *testing.T) {
	var got bytes.Buffer
	say := func(name string, e *entity.Entry) {
		encoded, err := entity.Encode(e)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		decoded, err := entity.Decode(e.ID, encoded)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !reflect.DeepEqual(decoded, e) {
			t.Errorf("%s is not read as it was:\n%s", name, cmp.Diff(e, decoded))
		}
		sum := sha256.Sum256(encoded)
		fmt.Fprintf(&got, "%s\n\t%s\n\t%q\n", name, hex.EncodeToString(sum[:]), encoded)
	}
	kinds := []struct {
		kind entity.Kind
		page entity.PageType
	}{
		{entity.KindPage, entity.PageDocument}, {entity.KindPage, entity.PageGroup}, {entity.KindPage, entity.PageLink},
		{entity.KindPage, entity.PageComputed}, {entity.KindFile, ""}, {entity.KindReusable, ""},
		{entity.KindVariables, ""}, {entity.KindRedirect, ""},
	}
	for _, each := range kinds {
		e := &entity.Entry{}
		fillNamed(reflect.ValueOf(e).Elem(), "")
		e.ID, e.Kind, e.Type = "entry_1", each.kind, each.page
		say(string(each.kind)+" "+string(each.page), e)
	}
	eachLeaf(reflect.TypeFor[entity.Entry](), "", func(path string, set func(root reflect.Value)) {
		e := &entity.Entry{}
		set(reflect.ValueOf(e).Elem())
		if e.ID != "" {
			return // not in the bytes
		}
		e.ID = "entry_1"
		say("only "+path, e)
	})
	const golden = "testdata/bytes.golden"
	if *update {
		if err := os.WriteFile(golden, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("bytes moved (-update writes the file anew, for a new field alone):\n%s", diff)
	}
}

// fillNamed sets everything below a value to something that its place names.
func fillNamed(v reflect.Value, name string) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fillNamed(v.Field(i), v.Type().Field(i).Name)
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fillNamed(v.Elem(), name)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			fillNamed(v.Index(i), fmt.Sprint(name, i))
		}
	case reflect.Map:
		v.Set(reflect.ValueOf(map[string]any{
			"b": "text \"quoted\"\n", "a": 1.5, "c": true, "é": []any{nil, "x", map[string]any{"k": -0.001}},
		}))
	case reflect.String:
		v.SetString("a <" + name + "> & \u2028é\\\t")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(100_000_000 + len(name)))
	case reflect.Float64:
		v.SetFloat(1e21 + 0.5)
	default:
		panic("no value of " + v.Type().String())
	}
}

// eachLeaf calls a function for every field that holds a value, however deep, with its path and what sets it alone.
func eachLeaf(t reflect.Type, path string, each func(path string, set func(root reflect.Value))) {
	for field := range t.Fields() {
		name := path + field.Name
		at := func(root reflect.Value) reflect.Value { return root.FieldByIndex(field.Index) }
		within := field.Type
		if field.Anonymous {
			eachLeaf(within, path, func(path string, set func(root reflect.Value)) {
				each(path, func(root reflect.Value) { set(at(root)) })
			})
			continue
		}
		if within.Kind() == reflect.Pointer && within.Elem().Kind() == reflect.Struct {
			eachLeaf(within.Elem(), name+".", func(path string, set func(root reflect.Value)) {
				each(path, func(root reflect.Value) {
					p := at(root)
					p.Set(reflect.New(within.Elem()))
					set(p.Elem())
				})
			})
			continue
		}
		each(name, func(root reflect.Value) { fillNamed(at(root), field.Name) })
		if p := within; p.Kind() == reflect.Pointer && p.Elem().Kind() == reflect.Bool {
			each(name+" off", func(root reflect.Value) { at(root).Set(reflect.ValueOf(new(false))) })
		}
	}
}
