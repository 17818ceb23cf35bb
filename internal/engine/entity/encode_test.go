package entity_test

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/git"
)

func encode(t testing.TB, e *entity.Entry) []byte {
	t.Helper()
	encoded, err := entity.Encode(e)
	if err != nil {
		t.Fatal(err)
	}
	return encoded
}

// TestRoundTrip holds that decoding undoes encoding, that encoding is a function of the content, and that it is
// JSON which the library reads the same way.
func TestRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range cases(t) {
		e := randomPage(r)
		encoded := encode(t, e)
		got, err := entity.Decode(e.ID, encoded)
		if err != nil {
			t.Fatalf("%v in %s", err, encoded)
		}
		if !entity.Equal(e, got) {
			t.Fatalf("decoding differs (-want +got):\n%s", cmp.Diff(e, got, cmpopts.EquateEmpty()))
		}
		if clone := e.Clone(); !reflect.DeepEqual(e, clone) || !bytes.Equal(encode(t, clone), encoded) {
			t.Fatalf("a clone differs (-want +got):\n%s", cmp.Diff(e, clone))
		}
		if err := e.Validate(); err != nil {
			t.Fatalf("%v in %s", err, encoded)
		}
	}
}

// TestEqualHasEqualBytes holds that Equal and the encoding agree about what is the same.
func TestEqualHasEqualBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for range cases(t) {
		a := randomPage(r)
		b := a.Clone()
		for range r.IntN(2) {
			other := randomPage(r)
			f := pick(r, entity.Fields()...)
			if err := f.Set(b, f.Get(other)); err != nil {
				t.Fatal(err)
			}
		}
		if equal := bytes.Equal(encode(t, a), encode(t, b)); equal != entity.Equal(a, b) {
			t.Fatalf("bytes are equal: %v, and Equal says %v:\n%s\n%s", equal, !equal, encode(t, a), encode(t, b))
		}
	}
}

func TestEncoding(t *testing.T) {
	yes := true
	for name, test := range map[string]struct {
		entry *entity.Entry
		want  string
	}{
		"empty": {&entity.Entry{ID: "x"}, `{}`},
		"order": {&entity.Entry{Title: "T", Kind: entity.KindPage, UpdatedAt: 2, CreatedAt: 1},
			`{"kind":"page","title":"T","createdAt":1,"updatedAt":2}`},
		"text": {&entity.Entry{Title: "<a> & \u2028 \" \\ \n \x01 é"}, `{"title":"<a> & ` + "\u2028" +
			` \" \\ \n \u0001 é"}`},
		"maps": {&entity.Entry{Extra: map[string]any{"b": []any{}, "a": map[string]any{}, "c": nil}},
			`{"extra":{"a":{},"b":[],"c":null}}`},
		"empties": {&entity.Entry{Layout: &entity.Layout{}, Cover: &entity.Cover{}, Tags: []entity.Tag{},
			Extra: map[string]any{}}, `{}`},
		"numbers": {
			&entity.Entry{Extra: map[string]any{"a": 1, "b": 1.0, "c": 1e21, "d": 1e-7, "e": math.Copysign(0, -1),
				"f": uint8(3), "g": 123456789012345680000.0}},
			`{"extra":{"a":1,"b":1,"c":1e+21,"d":1e-7,"e":0,"f":3,"g":123456789012345680000}}`,
		},
		"structs": {
			&entity.Entry{Layout: &entity.Layout{Title: &yes, Width: "wide"},
				Tags: []entity.Tag{{Tag: "x", Primary: true}, {Tag: "y"}}},
			`{"layout":{"width":"wide","title":true},"tags":[{"tag":"x","primary":true},{"tag":"y"}]}`,
		},
		"dates": {
			&entity.Entry{Extra: map[string]any{
				"day": time.Date(2024, 5, 6, 0, 0, 0, 0, time.UTC), "time": time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC),
			}},
			`{"extra":{"day":"2024-05-06","time":"2024-05-06T07:08:09Z"}}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := string(encode(t, test.entry)); got != "\x01"+test.want {
				t.Errorf("got  %q\nwant %q", got, "\x01"+test.want)
			}
			if !json.Valid(encode(t, test.entry)[1:]) {
				t.Error("it is not JSON")
			}
		})
	}
}

func TestEncodeRefuses(t *testing.T) {
	deep := any("x")
	for range 40 {
		deep = []any{deep}
	}
	for name, e := range map[string]*entity.Entry{
		"not UTF-8":     {Title: "\xff"},
		"not UTF-8 key": {Extra: map[string]any{"\xff": 1}},
		"NaN":           {Extra: map[string]any{"x": math.NaN()}},
		"infinity":      {Cover: &entity.Cover{Ref: &doc.Ref{Kind: "url"}, Height: math.Inf(1)}},
		"large integer": {Extra: map[string]any{"x": int64(1)<<53 + 1}},
		"function":      {Extra: map[string]any{"x": func() {}}},
		"map of any":    {Extra: map[string]any{"x": map[any]any{1: 2}}},
		"deep":          {Extra: map[string]any{"x": deep}},
		"large":         {Extra: map[string]any{"x": strings.Repeat("x", entity.MaxSize)}},
	} {
		if _, err := entity.Encode(e); err == nil {
			t.Errorf("%s: Encode accepts it", name)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	for name, encoded := range map[string]string{
		"nothing":        "",
		"version":        "\x02{}",
		"no version":     `{"kind":"page"}`,
		"not an object":  "\x01[]",
		"truncated":      "\x01" + `{"kind":"pa`,
		"bytes behind":   "\x01{} ",
		"second value":   "\x01{}{}",
		"unknown field":  "\x01" + `{"kind":"page","color":"red"}`,
		"unknown inside": "\x01" + `{"layout":{"width":"wide","x":1}}`,
		"wrong type":     "\x01" + `{"kind":1}`,
		"order":          "\x01" + `{"title":"T","kind":"page"}`,
		"space":          "\x01" + `{"kind": "page"}`,
		"twice":          "\x01" + `{"kind":"page","kind":"page"}`,
		"upper case":     "\x01" + `{"Kind":"page"}`,
		"empty value":    "\x01" + `{"title":""}`,
		"null":           "\x01" + `{"title":null}`,
		"escape":         "\x01" + `{"title":"\u0041"}`,
		"number":         "\x01" + `{"extra":{"a":1.0}}`,
		"key order":      "\x01" + `{"extra":{"b":1,"a":1}}`,
		"empty struct":   "\x01" + `{"layout":{}}`,
		"oversize":       "\x01" + `{"title":"` + strings.Repeat("x", entity.MaxSize) + `"}`,
	} {
		if _, err := entity.Decode("page_1", []byte(encoded)); err == nil {
			t.Errorf("%s: Decode accepts it", name)
		}
	}
}

// TestFields holds that the table of fields and the struct have the same fields, in one order.
func TestFields(t *testing.T) {
	var names []string
	for _, f := range entity.Fields() {
		names = append(names, f.Name)
	}
	var want []string
	for _, field := range reflect.VisibleFields(reflect.TypeFor[entity.Entry]()) {
		if tag := field.Tag.Get("json"); tag != "-" && !field.Anonymous {
			want = append(want, strings.Split(tag, ",")[0])
		}
	}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("fields differ from the struct's (-want +got):\n%s", diff)
	}
	for _, sample := range []any{&entity.Layout{}, &entity.Cover{}, &doc.Ref{}, &entity.Computed{}, &git.File{},
		&entity.Tag{}} {
		// Whatever the library writes of a full struct, Encode must write, too.
		fill(reflect.ValueOf(sample).Elem())
		plain, err := json.Marshal(sample)
		if err != nil {
			t.Fatal(err)
		}
		e := &entity.Entry{}
		field := map[string]string{"*entity.Layout": "layout", "*entity.Cover": "cover", "*doc.Ref": "target",
			"*entity.Computed": "computed", "*git.File": "git"}[reflect.TypeOf(sample).String()]
		if tag, ok := sample.(*entity.Tag); ok {
			e.Tags = []entity.Tag{*tag}
			field, plain = "tags", []byte("["+string(plain)+"]")
		} else if f, found := entity.FieldNamed(field); !found || f.Set(e, sample) != nil {
			t.Fatalf("cannot set %T", sample)
		}
		if got, want := string(encode(t, e)[1:]), `{"`+field+`":`+string(plain)+`}`; got != want {
			t.Errorf("%T is encoded as\n%s, want\n%s", sample, got, want)
		}
	}
}

// fill sets every field of a struct to something.
func fill(v reflect.Value) {
	for _, field := range v.Fields() {
		switch f := field; f.Kind() {
		case reflect.String:
			f.SetString("x")
		case reflect.Bool:
			f.SetBool(true)
		case reflect.Float64:
			f.SetFloat(2.5)
		case reflect.Map:
			f.Set(reflect.ValueOf(map[string]any{"k": "v"}))
		case reflect.Pointer:
			f.Set(reflect.New(f.Type().Elem()))
			if f.Elem().Kind() == reflect.Struct {
				fill(f.Elem())
			}
		}
	}
}

func TestFieldSet(t *testing.T) {
	e := &entity.Entry{}
	for name, value := range map[string]any{
		"title": "T", "hidden": true, "width": float64(7), "size": 9.0, "type": "group",
		"extra":  map[string]any{"a": 1.0},
		"target": map[string]any{"kind": "url", "url": "https://example.org"},
		"tags":   []any{map[string]any{"tag": "x"}},
	} {
		if f, found := entity.FieldNamed(name); !found || f.Set(e, value) != nil {
			t.Errorf("cannot set %s to %v", name, value)
		}
	}
	want := &entity.Entry{
		Title: "T", Flags: entity.Flags{Hidden: true}, Width: 7, Size: 9, Type: entity.PageGroup,
		Extra:  map[string]any{"a": 1.0},
		Target: &doc.Ref{Kind: "url", URL: "https://example.org"}, Tags: []entity.Tag{{Tag: "x"}},
	}
	if diff := cmp.Diff(want, e); diff != "" {
		t.Errorf("Set (-want +got):\n%s", diff)
	}
	before := e.Clone()
	for name, value := range map[string]any{"title": 1.0, "width": 1.5, "hidden": "yes", "extra": "x", "target": "x",
		"tags": 1.0} {
		if f, _ := entity.FieldNamed(name); f.Set(e, value) == nil {
			t.Errorf("Set of %s accepts %v", name, value)
		}
	}
	if diff := cmp.Diff(before, e); diff != "" {
		t.Errorf("a refused Set changed the entry (-want +got):\n%s", diff)
	}
	for _, f := range entity.Fields() {
		if err := f.Set(e, nil); err != nil {
			t.Errorf("cannot clear %s: %v", f.Name, err)
		}
	}
	if diff := cmp.Diff(&entity.Entry{}, e); diff != "" {
		t.Errorf("cleared (-want +got):\n%s", diff)
	}
}

func TestKeyedFields(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for range cases(t) / 10 {
		e := randomPage(r)
		copied := e.Clone()
		for _, f := range entity.Fields() {
			if f.Shape != entity.ShapeKeyed {
				continue
			}
			values := f.Keyed(e)
			if err := f.SetKeyed(copied, nil); err != nil || f.Get(copied) != nil {
				t.Fatalf("cannot clear %s: %v", f.Name, err)
			}
			if err := f.SetKeyed(copied, values); err != nil || !f.Equal(e, copied) {
				t.Fatalf("%s differs after SetKeyed(Keyed): %v", f.Name, err)
			}
		}
		if !entity.Equal(e, copied) {
			t.Fatal("the entry differs after SetKeyed(Keyed)")
		}
	}
}

// FuzzDecode holds that decoding never panics, and that what it accepts is what Encode writes.
func FuzzDecode(f *testing.F) {
	r := rand.New(rand.NewPCG(4, 4))
	for range 20 {
		f.Add(encode(f, randomPage(r)))
	}
	f.Add([]byte("\x01{}"))
	f.Add([]byte("\x01" + `{"extra":{"a":[[[[[]]]]]}}`))
	f.Fuzz(func(t *testing.T, encoded []byte) {
		e, err := entity.Decode("page_1", encoded)
		if err != nil {
			return
		}
		if again := encode(t, e); !bytes.Equal(again, encoded) {
			t.Errorf("Decode accepts %q, and Encode writes %q", encoded, again)
		}
		if !entity.Equal(e, e.Clone()) {
			t.Error("a clone is not equal")
		}
		_ = e.Validate()
	})
}

func BenchmarkEncode(b *testing.B) {
	e := benchmarkPage()
	for b.Loop() {
		encode(b, e)
	}
}

func BenchmarkDecode(b *testing.B) {
	encoded := encode(b, benchmarkPage())
	for b.Loop() {
		if _, err := entity.Decode("page_1", encoded); err != nil {
			b.Fatal(err)
		}
	}
}

func benchmarkPage() *entity.Entry {
	return &entity.Entry{
		ID: "page_1", Kind: entity.KindPage, Type: entity.PageDocument, Parent: "page_01jd0000000000000000000000",
		Position: "a1", Slug: "getting-started", Title: "Getting started", Description: "How to install it and begin.",
		Body: strings.Repeat("ab", 32), Path: "guide/getting-started.md", CreatedAt: 1764000000000000,
		UpdatedAt: 1764000000000001,
	}
}
