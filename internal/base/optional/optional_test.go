package optional_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/optional"
)

type patch struct {
	Title optional.Value[string]  `json:"title,omitzero"`
	Level optional.Value[float64] `json:"level,omitzero"`
}

func TestUnmarshalTellsAbsentNullAndValueApart(t *testing.T) {
	tests := []struct {
		name, text  string
		set, null   bool
		value       string
		hasValue    bool
		orOtherwise string
	}{
		{name: "absent", text: `{}`, orOtherwise: "other"},
		{name: "null", text: `{"title": null}`, set: true, null: true, orOtherwise: "other"},
		{name: "empty", text: `{"title": ""}`, set: true, hasValue: true},
		{name: "value", text: `{"title": "a"}`, set: true, hasValue: true, value: "a", orOtherwise: "a"},
		{name: "last one wins", text: `{"title": "a", "title": null}`, set: true, null: true, orOtherwise: "other"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var p patch
			if err := json.Unmarshal([]byte(test.text), &p); err != nil {
				t.Fatal(err)
			}
			if p.Title.IsSet() != test.set || p.Title.IsNull() != test.null || p.Title.IsZero() == test.set {
				t.Errorf("set %v, null %v, zero %v", p.Title.IsSet(), p.Title.IsNull(), p.Title.IsZero())
			}
			if value, ok := p.Title.Get(); value != test.value || ok != test.hasValue {
				t.Errorf("Get() = %q, %v", value, ok)
			}
			if got := p.Title.Or("other"); got != test.orOtherwise {
				t.Errorf("Or() = %q", got)
			}
		})
	}
}

func TestUnmarshalRefusesWrongTypes(t *testing.T) {
	for _, text := range []string{`{"title": 1}`, `{"level": "1"}`, `{"title": {}}`} {
		var p patch
		if err := json.Unmarshal([]byte(text), &p); err == nil {
			t.Errorf("%s was accepted as %+v", text, p)
		}
	}
}

func TestMarshal(t *testing.T) {
	tests := []struct {
		in   patch
		want string
	}{
		{patch{}, `{}`},
		{patch{Title: optional.Null[string]()}, `{"title":null}`},
		{patch{Title: optional.Of("a"), Level: optional.Of(1.5)}, `{"title":"a","level":1.5}`},
	}
	for _, test := range tests {
		got, err := json.Marshal(test.in)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want, string(got)); diff != "" {
			t.Error(diff)
		}
	}
}
