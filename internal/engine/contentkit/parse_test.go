package contentkit

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/errs"
)

func TestParseRefuses(t *testing.T) {
	deep := strings.Repeat(`{"type":"box","children":`, 40) + `"x"` + strings.Repeat(`}`, 40)
	for name, each := range map[string]struct {
		raw  string
		kind errs.Kind
	}{
		"no JSON":         {`<html>`, errs.Invalid},
		"a list":          {`[]`, errs.Invalid},
		"no UTF-8":        {"{\"element\":\"\xff\"}", errs.Invalid},
		"another type":    {`{"type":"dance"}`, errs.Invalid},
		"no element":      {`{"state":{}}`, errs.Invalid},
		"half an element": {`{"type":"element","element":{"type":}`, errs.Invalid},
		"null":            {`{"element":null}`, errs.Invalid},
		"no root":         {`{"element":{"type":"button","label":"x"}}`, errs.Invalid},
		"an unknown root": {`{"element":{"type":"window","children":[]}}`, errs.Invalid},
		"two roots":       {`{"element":[{"type":"block"},{"type":"block"}]}`, errs.Invalid},
		"too deep":        {`{"element":{"type":"block","children":` + deep + `}}`, errs.TooLarge},
		"too many": {`{"element":{"type":"block","children":[` + strings.Repeat(`"x",`, 5000) + `"x"]}}`,
			errs.TooLarge},
		"too large": {`{"element":{"type":"block","children":["` + strings.Repeat("x", MaxSize) + `"]}}`,
			errs.TooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			if out, err := Parse([]byte(each.raw)); !errs.Is(err, each.kind) {
				t.Errorf("Parse = %v, %v; want an error of kind %v", out, err, each.kind)
			}
		})
	}
}

func TestParseComplete(t *testing.T) {
	out, err := Parse([]byte(`{"type":"complete","returnValue":{"id":7}}`))
	if err != nil || !out.Complete || out.ReturnValue["id"] != 7.0 {
		t.Fatalf("Parse = %+v, %v", out, err)
	}
	if printed, err := HTML(t.Context(), out, Options{}); printed != "" || err != nil {
		t.Errorf("HTML = %q, %v; want nothing", printed, err)
	}
	if nodes := Document(out).Nodes; len(nodes) != 0 {
		t.Errorf("Document has %d blocks; want none", len(nodes))
	}
}

func TestParseNothing(t *testing.T) {
	for _, raw := range []string{`{"type":"element","state":{},"props":{}}`, `{"type":"element","element":null}`} {
		if out, err := Parse([]byte(raw)); err != nil || !out.Complete || out.Element != nil {
			t.Errorf("Parse(%s) = %+v, %v; want what shows nothing", raw, out, err)
		}
	}
}

func TestUnknownAndFrames(t *testing.T) {
	out, err := Parse([]byte(`{"element":{"type":"block","children":[{"type":"zebra","children":[{"type":"ape"}]},
		{"type":"ape"},
		{"type":"webframe","source":{"url":"https://B.example.org/x?y"}},{"type":"card","children":[
		{"type":"webframe","source":{"url":{"host":"a.example.org","pathname":"z"}}}]},
		{"type":"webframe","source":{"url":"https://*.example.org/"}}]}}`))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"ape", "zebra"}, out.Unknown); diff != "" {
		t.Errorf("unknown kinds (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"https://a.example.org", "https://b.example.org"}, out.Frames()); diff != "" {
		t.Errorf("frames (-want +got):\n%s", diff)
	}
}

func TestSafeURL(t *testing.T) {
	for address, want := range map[string]string{
		"https://example.org/a?b#c": "https://example.org/a?b#c", " http://x.y ": "http://x.y",
		"mailto:a@example.org": "mailto:a@example.org", "tel:+49": "tel:+49",
		"javascript:alert(1)": "", "JAVASCRIPT:x": "", "java\nscript:x": "", "data:text/html,x": "",
		"//example.org": "",
		"/path":         "", "https:///x": "", "https://user@example.org": "", "blob:https://x/1": "", "": "",
		"https://example.org/" + strings.Repeat("x", maxAddress): "",
	} {
		if got := SafeURL(address); got != want {
			t.Errorf("SafeURL(%.40q) = %q, want %q", address, got, want)
		}
	}
}
