package xmlstream

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/errs"
)

func TestReader(t *testing.T) {
	r := New(t.Context(), strings.NewReader(
		`<?xml version="1.0"?><!-- c --><a:root xmlns:a="x"><b v="1" a:w=" two "/><skip><b/>text</skip><t>one <i>two</i> <![CDATA[<three>]]> &amp;</t></a:root>`), "x.xml")
	var seen []string
	err := r.Root(func(e Element) error {
		seen = append(seen, e.Name)
		switch e.Name {
		case "b":
			if e.Attr("v") != "1" || e.Attr("w") != " two " || e.Attr("none") != "" || !e.Has("v") || e.Has("none") {
				t.Errorf("attributes of %+v", e)
			}
		case "t":
			text, err := r.Text()
			seen = append(seen, text)
			return err
		}
		return r.Skip()
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"b", "skip", "t", "one two <three> &"}, seen); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestSwitches(t *testing.T) {
	for written, want := range map[string]bool{`<a/>`: true, `<a val="1"/>`: true, `<a val="true"/>`: true,
		`<a val="0"/>`: false, `<a val="False"/>`: false, `<a val="off"/>`: false} {
		r := New(t.Context(), strings.NewReader("<root>"+written+"</root>"), "x.xml")
		err := r.Root(func(e Element) error {
			if e.On() != want {
				t.Errorf("%s is %v", written, e.On())
			}
			return r.Skip()
		})
		if err != nil {
			t.Error(err)
		}
	}
}

func TestWhatIsRefused(t *testing.T) {
	for name, document := range map[string]string{
		"declaration": `<!DOCTYPE a [<!ENTITY b "b">]><a>&b;</a>`, "entity": `<a>&b;</a>`, "empty": ``,
		"cut off": `<a><b>`, "not UTF-8": "<a>\xff</a>",
		"deep": strings.Repeat("<a>", MaxDepth+2), "attribute": `<a b></a>`,
		"encoding": `<?xml version="1.0" encoding="made-up"?><a/>`,
	} {
		r := New(t.Context(), strings.NewReader(document), "x.xml")
		if err := r.Root(func(Element) error { return r.Skip() }); !errs.Is(err, errs.Invalid) ||
			!strings.Contains(err.Error(), "x.xml") {
			t.Errorf("%s: %v", name, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := New(ctx, strings.NewReader("<a>"+strings.Repeat("<b/>", 10_000)+"</a>"), "x.xml")
	if err := r.Root(func(Element) error { return r.Skip() }); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
