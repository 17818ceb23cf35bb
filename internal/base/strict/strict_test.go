package strict

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

type inner struct {
	Leaves []struct {
		Text string `json:"text"`
	} `json:"leaves"`
	Free map[string]any `json:"free"`
}

type outer struct {
	inner
	Title string           `json:"title"`
	Nodes []inner          `json:"nodes"`
	Named map[string]inner `json:"named"`
	Any   any              `json:"any"`
	Own   *json.RawMessage `json:"own"`
	Kept  string           `json:"-"`
}

func TestUnknownMembersAreNamedWithTheirPath(t *testing.T) {
	for input, want := range map[string]string{
		`{"titel":"x"}`:                          `titel: there is nothing called "titel" here; did you mean "title"?`,
		`{"nodes":[{},{"leafs":[]}]}`:            `nodes[1].leafs: there is nothing called "leafs" here; did you mean "leaves"?`,
		`{"named":{"a b":{"leaves":[{"t":1}]}}}`: `named.a b.leaves[0].t: there is nothing called "t" here; there are text`,
		`{"Kept":"x"}`:                           `Kept: there is nothing called "Kept" here; there are any, free, leaves, named, nodes, own, title`,
		`{"title":"x","zzz":1,"aaa":1}`:          `aaa: there is nothing called "aaa" here; there are any, free, leaves, named, nodes, own, title`,
	} {
		err := Unmarshal([]byte(input), new(outer))
		unknown, ok := errors.AsType[*UnknownMember](err)
		if !ok || unknown.Error() != want {
			t.Errorf("%s: %v, want %s", input, err, want)
		}
	}
}

func TestKnownMembersAreRead(t *testing.T) {
	var got outer
	err := Unmarshal([]byte(
		`{"title":"x","leaves":[{"text":"y"}],"free":{"z":{"zz":1}},"any":{"z":1},"own":{"z":1},"nodes":null}`), &got)
	if err != nil || got.Title != "x" || got.Leaves[0].Text != "y" {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestOtherFailuresStayWhatTheyAre(t *testing.T) {
	wrong, ok := errors.AsType[*json.UnmarshalTypeError](Unmarshal([]byte(`{"title":3}`), new(outer)))
	if !ok || wrong.Field != "title" {
		t.Errorf("wrong type: %v", wrong)
	}
	if _, ok := errors.AsType[*json.SyntaxError](Unmarshal([]byte(`{"title":`+"\x01"), new(outer))); !ok {
		t.Error("broken JSON has no syntax error")
	}
	if err := Unmarshal([]byte(`{} {}`), new(outer)); err == nil {
		t.Error("two values are taken")
	}
}

func TestNearest(t *testing.T) {
	known := []string{"visibility", "title", "description", "defaultLevel", "default", "id"}
	for given, want := range map[string]string{
		"visiblity": "visibility", "visibilty": "visibility", "Visibility": "visibility", "titel": "title",
		"desc":          "description",
		"default_level": "defaultLevel", "defaults": "default", "ids": "id", "di": "id",
		"colour": "", "": "", "t": "", strings.Repeat("title", 1000): "",
	} {
		if got, ok := Nearest(given, known); got != want || ok != (want != "") {
			t.Errorf("%.20q: %q, want %q", given, got, want)
		}
	}
	if got, ok := Nearest("aut", []string{"author", "autumn"}); ok {
		t.Errorf("of two that begin alike %q is taken", got)
	}
	if advice := Advice(strings.Repeat("é", 500), known); len(advice) > 300 {
		t.Errorf("the advice repeats what was sent: %s", advice)
	}
}
