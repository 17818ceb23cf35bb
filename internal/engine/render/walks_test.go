package render

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/engine/doc"
)

func details(title string, nodes ...*doc.Node) *doc.Node {
	return withFragments(block(doc.Expandable, nil), doc.NewFragment(doc.FragmentExpandableTitle, para(title)),
		doc.NewFragment(doc.FragmentExpandableBody, nodes...))
}

func tab(title string, nodes ...*doc.Node) *doc.Node {
	return block(doc.TabsItem, &doc.TabsItemData{Title: title}, nodes...)
}

// outlined has headings everywhere that one can stand.
func outlined() *doc.Document {
	return &doc.Document{Nodes: []*doc.Node{
		para("Intro."),
		heading(doc.Heading1, "One"), para("First."), heading(doc.Heading2, "One a"), para("Sub."),
		heading(doc.Heading3, "Deep"), para("Deeper."),
		block(doc.Tabs, nil, tab("Left", heading(doc.Heading1, "In tab"), para("Left text.")),
			tab("Right", para("Right text."))),
		para("After tabs."),
		details("More", para("Hidden text.")),
		block(doc.Columns, nil, block(doc.Column, nil, heading(doc.Heading1, "In column"))),
		block(doc.Stepper, nil, block(doc.StepperStep, nil, heading(doc.Heading2, "In step"), para("Step."))),
		block(doc.Updates, nil, block(doc.Update, &doc.UpdateData{Date: "2025-01-31"},
			heading(doc.Heading1, "In update"), para("News."))),
		block(doc.Hint, &doc.HintData{Style: "info"}, heading(doc.Heading1, "In hint")),
		block(doc.ListUnordered, nil, item(heading(doc.Heading1, "In list"))),
		heading(doc.Heading1, "One"),
	}}
}

func TestOutline(t *testing.T) {
	want := []Heading{{"one", "One", 1}, {"one-a", "One a", 2}, {"in-column", "In column", 1},
		{"in-step", "In step", 2}, {"in-update", "In update", 1}, {"one-1", "One", 1}}
	if diff := cmp.Diff(want, Outline(outlined(), nil)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var out bytes.Buffer
	if err := HTML(t.Context(), &out, outlined(), Options{}); err != nil {
		t.Fatal(err)
	}
	for _, heading := range want {
		if !strings.Contains(out.String(), `id="`+heading.ID+`"`) {
			t.Errorf("the HTML has no %s", heading.ID)
		}
	}
}

func TestSections(t *testing.T) {
	want := []Section{
		{Text: "Intro."},
		{"one", "One", 1, doc.Heading1, "First."}, {"one-a", "One a", 2, doc.Heading2, "Sub."},
		{"deep", "Deep", 3, doc.Heading3, "Deeper.\nAfter tabs."},
		{"left", "Left", 4, doc.TabsItem, ""}, {"in-tab", "In tab", 1, doc.Heading1, "Left text."},
		{"right", "Right", 4, doc.TabsItem, "Right text."},
		{"more", "More", 4, doc.Expandable, "Hidden text."},
		{"in-column", "In column", 1, doc.Heading1, ""}, {"in-step", "In step", 2, doc.Heading2, "Step."},
		{"update-2025-01-31", "2025-01-31", 3, doc.Update, ""}, {"in-update", "In update", 1, doc.Heading1, "News."},
		{"in-hint", "In hint", 1, doc.Heading1, ""}, {"in-list", "In list", 1, doc.Heading1, ""},
		{"one-1", "One", 1, doc.Heading1, ""},
	}
	if diff := cmp.Diff(want, Sections(outlined())); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := Sections(&doc.Document{}); got != nil {
		t.Errorf("an empty document has sections %v", got)
	}
}

// TestSectionsHoldAllText holds that every word of a page is found in some section.
func TestSectionsHoldAllText(t *testing.T) {
	for name, nodes := range goldenDocuments() {
		d := &doc.Document{Nodes: nodes}
		var all strings.Builder
		for _, section := range Sections(d) {
			all.WriteString(section.Title + "\n" + section.Text + "\n")
		}
		for word := range strings.FieldsSeq(Text(d)) {
			word = strings.Trim(word, "-[]|")
			if word != "" && word != "x" && !strings.Contains(all.String(), word) && !isNumber(word) {
				t.Errorf("%s: %q is in the text but in no section", name, word)
			}
		}
	}
}

// isNumber reports whether a word is the number of a list item.
func isNumber(word string) bool { return strings.Trim(word, "0123456789.") == "" }

func TestLinks(t *testing.T) {
	reusable := doc.Ref{Kind: doc.RefReusableContent, ReusableContent: "r"}
	spec := doc.Ref{Kind: doc.RefOpenAPI, Spec: "s"}
	tag := doc.Ref{Kind: doc.RefTag, Tag: "t"}
	user := doc.Ref{Kind: doc.RefUser, User: "u"}
	dark := doc.URL("dark.png")
	keyed := func(key string, n *doc.Node) *doc.Node {
		n.Key = key
		return n
	}
	link := func(address string) *doc.Node {
		return inline(doc.Link, &doc.ContentRefData{Ref: doc.URL(address)}, text("to "+address))
	}
	table := block(doc.Table, &doc.TableData{
		View: doc.TableView{Type: "grid", Columns: []string{"l"}},
		Definition: map[string]*doc.TableDefinition{
			"l": {Type: "content-ref"}, "i": {Type: "image"}, "f": {Type: "files"}, "u": {Type: "users"},
			"s": {Type: "select"},
		},
		Records: map[string]doc.TableRecord{
			"2": {OrderIndex: "2", Values: map[string]any{"l": doc.URL("second")}},
			"1": {OrderIndex: "1", Values: map[string]any{"l": doc.URL("first"),
				"i": doc.ImageRecord{Ref: doc.URL("i.png"), Alt: "i"}, "f": []string{"f1", "a/b.pdf"}, "u": []any{"u"},
				"s": []string{"no"}}},
		},
	})
	d := &doc.Document{Nodes: []*doc.Node{
		keyed("k1", doc.NewParagraph(link("a.md#x"),
			keyed("k2", inline(doc.Mention, &doc.ContentRefData{Ref: pageRef("p")})),
			inline(doc.Button, &doc.ButtonData{Label: "Go", Ref: new(doc.URL("b"))}),
			inline(doc.Button, &doc.ButtonData{Action: &doc.ButtonAction{Action: "ask"}}))),
		block(doc.Heading1, nil, link("in-heading")),
		block(doc.Images, nil, block(doc.Image, &doc.ImageData{Ref: doc.URL("light.png"), RefDark: &dark, Alt: "alt"})),
		doc.NewParagraph(inline(doc.InlineImage, &doc.InlineImageData{Ref: doc.URL("inline.png"), RefDark: &dark})),
		block(doc.File, &doc.FileData{Ref: file("f")}), block(doc.Drawing, &doc.FileData{Ref: file("d")}),
		block(doc.ContentRefBlock, &doc.ContentRefData{Ref: pageRef("c")}),
		block(doc.ReusableContent, &doc.ReusableContentData{Ref: reusable}),
		block(doc.Swagger, &doc.OpenAPIData{Ref: doc.URL("api.json"), Method: "get", Path: "/x"}),
		block(doc.OpenAPIOperation, &doc.OpenAPIData{Ref: spec}),
		block(doc.Updates, nil, block(doc.Update, &doc.UpdateData{Date: "2025-01-31", Tags: []doc.Ref{tag}},
			para("x"))),
		details("More", doc.NewParagraph(link("in-details"))),
		doc.NewParagraph(link("after")),
		table,
		block(doc.Raw, &doc.RawData{Syntax: "html", Source: `<a href="raw">x</a><img src="raw.png" alt="r">`}),
		block(doc.If, &doc.ExpressionData{Expression: "false"}, doc.NewParagraph(link("in-if"))),
		doc.NewParagraph(withFragments(inline(doc.Annotation, nil, text("w")),
			doc.NewFragment(doc.FragmentAnnotationBody, doc.NewParagraph(link("in-note"))))),
	}}
	want := []LinkUse{
		{Ref: doc.URL("a.md#x"), Place: doc.Link, Key: "k1", Text: "to a.md#x"}, {Ref: pageRef("p"), Place: doc.Mention,
			Key: "k2"}, {Ref: doc.URL("b"), Place: doc.Button, Key: "k1", Text: "Go"},
		{Ref: doc.URL("in-heading"), Place: doc.Link, Anchor: "to-in-heading", Text: "to in-heading"},
		{Ref: doc.URL("light.png"), Place: doc.Image, Anchor: "to-in-heading", Text: "alt"},
		{Ref: dark, Place: doc.Image, Role: "dark", Anchor: "to-in-heading", Text: "alt"},
		{Ref: doc.URL("inline.png"), Place: doc.InlineImage, Anchor: "to-in-heading"},
		{Ref: dark, Place: doc.InlineImage, Role: "dark", Anchor: "to-in-heading"}, {Ref: file("f"), Place: doc.File,
			Anchor: "to-in-heading"}, {Ref: file("d"), Place: doc.Drawing, Anchor: "to-in-heading"},
		{Ref: pageRef("c"), Place: doc.ContentRefBlock, Anchor: "to-in-heading"},
		{Ref: reusable, Place: doc.ReusableContent, Relation: DependsOn, Anchor: "to-in-heading"},
		{Ref: doc.URL("api.json"), Place: doc.Swagger, Relation: DependsOn, Anchor: "to-in-heading", Text: "get /x"},
		{Ref: spec, Place: doc.OpenAPIOperation, Relation: DependsOn, Anchor: "to-in-heading"},
		{Ref: tag, Place: doc.Update, Role: "tag", Anchor: "update-2025-01-31"},
		{Ref: doc.URL("in-details"), Place: doc.Link, Anchor: "more", Text: "to in-details"},
		{Ref: doc.URL("after"), Place: doc.Link, Anchor: "to-in-heading", Text: "to after"},
		{Ref: file("f1"), Place: doc.Table, Role: "f", Anchor: "to-in-heading"},
		{Ref: doc.URL("a/b.pdf"), Place: doc.Table, Role: "f", Anchor: "to-in-heading"},
		{Ref: doc.URL("i.png"), Place: doc.Table, Role: "i", Anchor: "to-in-heading", Text: "i"},
		{Ref: doc.URL("first"), Place: doc.Table, Role: "l", Anchor: "to-in-heading"},
		{Ref: user, Place: doc.Table, Role: "u", Anchor: "to-in-heading"}, {Ref: doc.URL("second"), Place: doc.Table,
			Role: "l", Anchor: "to-in-heading"},
		{Ref: doc.URL("raw"), Place: doc.Raw, Anchor: "to-in-heading"}, {Ref: doc.URL("raw.png"), Place: doc.Raw,
			Anchor: "to-in-heading", Text: "r"}, {Ref: doc.URL("in-if"), Place: doc.Link, Anchor: "to-in-heading",
			Text: "to in-if"}, {Ref: doc.URL("in-note"), Place: doc.Link, Anchor: "to-in-heading", Text: "to in-note"},
	}
	for i := range want {
		if want[i].Relation == "" {
			want[i].Relation = Reference
		}
	}
	if diff := cmp.Diff(want, Links(d)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func reuse(id string) *doc.Node {
	n := block(doc.ReusableContent, &doc.ReusableContentData{Ref: doc.Ref{Kind: doc.RefReusableContent,
		ReusableContent: id}})
	n.Key = "use-" + id
	return n
}

func library(contents map[string][]*doc.Node) func(context.Context, doc.Ref) (*doc.Document, error) {
	return func(_ context.Context, ref doc.Ref) (*doc.Document, error) {
		if ref.ReusableContent == "error" {
			return nil, errors.New("disk on fire")
		}
		nodes, ok := contents[ref.ReusableContent]
		if !ok {
			return nil, nil
		}
		return &doc.Document{Nodes: nodes}, nil
	}
}

func condition(expression string, nodes ...*doc.Node) *doc.Node {
	return block(doc.If, &doc.ExpressionData{Expression: expression}, nodes...)
}

func expression(source string) *doc.Node {
	return inline(doc.Expression, &doc.ExpressionData{Expression: source})
}

func TestEvaluate(t *testing.T) {
	variables := map[string]any{"visitor": map[string]any{"claims": map[string]any{"pro": true}},
		"space": map[string]any{"vars": map[string]any{"name": "Recto", "n": 2.0}}}
	contents := map[string][]*doc.Node{
		"a":    {heading(doc.Heading1, "Same"), doc.NewParagraph(expression("space.vars.name")), reuse("b")},
		"b":    {para("b")},
		"loop": {para("before"), reuse("loop")},
	}
	tests := []struct {
		name     string
		in, want []*doc.Node
		keep     bool
	}{
		{"expression", []*doc.Node{doc.NewParagraph(text("a "), expression("space.vars.n + 1"), expression("bad("))},
			[]*doc.Node{doc.NewParagraph(text("a "), text("3"), expression("bad("))}, false},
		{"undefined", []*doc.Node{doc.NewParagraph(expression("space.vars.none"))},
			[]*doc.Node{doc.NewParagraph(text(""))}, false},
		{"if", []*doc.Node{condition("visitor.claims.pro", para("yes"), condition("1 > 2", para("no")),
			condition("", para("blank"))), para("end")}, []*doc.Node{para("yes"), para("end")}, false},
		{"if in a fragment", []*doc.Node{details("t", condition("true", para("in")))},
			[]*doc.Node{details("t", para("in"))}, false},
		{"reusable", []*doc.Node{heading(doc.Heading1, "Same"), reuse("a"), reuse("none")},
			[]*doc.Node{heading(doc.Heading1, "Same"), heading(doc.Heading1, "Same"), doc.NewParagraph(text("Recto")),
				para("b"), reuse("none")}, false},
		{"loop", []*doc.Node{reuse("loop")}, []*doc.Node{para("before"), reuse("loop")}, false},
		{"keep visitor", []*doc.Node{condition("visitor.claims.pro", doc.NewParagraph(expression("space.vars.name"))),
			doc.NewParagraph(expression("visitor.claims.pro")), condition("space.vars.n == 2", para("x"))},
			[]*doc.Node{condition("visitor.claims.pro", doc.NewParagraph(text("Recto"))),
				doc.NewParagraph(expression("visitor.claims.pro")), para("x")}, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := &doc.Document{Nodes: test.in}
			before := d.Clone()
			got, err := Evaluate(t.Context(), d, Options{Context: variables, Reusable: library(contents),
				KeepVisitor: test.keep})
			if err != nil {
				t.Fatal(err)
			}
			ignore := cmpopts.IgnoreFields(doc.Node{}, "Key", "ID")
			if diff := cmp.Diff(test.want, got.Nodes, ignore, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(before, d); diff != "" {
				t.Errorf("the document changed:\n%s", diff)
			}
		})
	}
}

// TestEvaluateOnlyReusable holds that reusable contents can be put in with everything else left alone.
func TestEvaluateOnlyReusable(t *testing.T) {
	contents := map[string][]*doc.Node{"a": {doc.NewParagraph(expression("1 + 1"))}}
	d := &doc.Document{Nodes: []*doc.Node{condition("false", reuse("a"), doc.NewParagraph(expression("1 + 1"))),
		reuse("none")}}
	want := []*doc.Node{condition("false", doc.NewParagraph(expression("1 + 1")),
		doc.NewParagraph(expression("1 + 1"))), reuse("none")}
	got, err := Evaluate(t.Context(), d, Options{Reusable: library(contents), OnlyReusable: true})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got.Nodes, cmpopts.IgnoreFields(doc.Node{}, "Key", "ID"),
		cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestEvaluateKeysAndAnchors(t *testing.T) {
	inner := heading(doc.Heading1, "Same")
	inner.Key = "n1"
	contents := map[string][]*doc.Node{"a": {inner}}
	got, err := Evaluate(t.Context(), &doc.Document{Nodes: []*doc.Node{reuse("a"), heading(doc.Heading1, "Same"),
		reuse("a")}}, Options{Reusable: library(contents)})
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := HTML(t.Context(), &out, got, Options{}); err != nil {
		t.Fatal(err)
	}
	want := []Heading{{"same-1", "Same", 1}, {"same", "Same", 1}, {"same-2", "Same", 1}}
	if diff := cmp.Diff(want, Outline(got, nil)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got.Nodes[0].Key != "use-a.n1" || inner.Key != "n1" || inner.ID != "" {
		t.Errorf("keys %q and %q, id %q", got.Nodes[0].Key, inner.Key, inner.ID)
	}
	for _, problem := range problems(out.String()) {
		t.Error(problem)
	}
}

func TestEvaluateErrors(t *testing.T) {
	fan := map[string][]*doc.Node{}
	for i, name := range []string{"a", "b", "c", "d", "e", "f", "g", "h", "i"} {
		fan[name] = repeat(reuse(string(rune('b'+i))), 100)
	}
	if _, err := Evaluate(t.Context(), &doc.Document{Nodes: []*doc.Node{reuse("error")}},
		Options{Reusable: library(nil)}); err == nil || errs.KindOf(err) != errs.Internal {
		t.Errorf("a failing library gives %v", err)
	}
	if _, err := Evaluate(t.Context(), &doc.Document{Nodes: []*doc.Node{reuse("a")}},
		Options{Reusable: library(fan)}); err != nil {
		t.Errorf("contents that multiply give %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := HTML(ctx, &bytes.Buffer{}, &doc.Document{Nodes: []*doc.Node{para("x")}}, Options{}); !errors.Is(err,
		context.Canceled) {
		t.Errorf("a cancelled context gives %v", err)
	}
}

func TestIDPrefix(t *testing.T) {
	d := &doc.Document{Nodes: []*doc.Node{
		heading(doc.Heading1, "One"), block(doc.Tabs, nil, tab("T", para("x"))),
		doc.NewParagraph(inline(doc.Link, &doc.ContentRefData{Ref: doc.URL("#one")}, text("up")),
			withFragments(inline(doc.Annotation, nil, text("w")), doc.NewFragment(doc.FragmentAnnotationBody,
				para("n")))),
	}}
	var out bytes.Buffer
	if err := HTML(t.Context(), &out, d, Options{IDPrefix: "p1-"}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`id="p1-one"`, `href="#p1-one">up`, `id="p1-t"`, `id="p1-t-title"`,
		`aria-labelledby="p1-t-title"`, `id="p1-note-1"`, `href="#p1-note-1"`, `href="#p1-note-ref-1"`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %s in %s", want, out.String())
		}
	}
}

func TestDeterministic(t *testing.T) {
	for name, nodes := range goldenDocuments() {
		d := &doc.Document{Nodes: nodes}
		outputs := make([]bytes.Buffer, 4)
		var wg sync.WaitGroup
		for i := range outputs {
			wg.Go(func() {
				if err := HTML(t.Context(), &outputs[i], d, goldenOptions()); err != nil {
					t.Error(err)
				}
				Text(d)
				Sections(d)
				Links(d)
			})
		}
		wg.Wait()
		for i := range outputs {
			if !bytes.Equal(outputs[i].Bytes(), outputs[0].Bytes()) {
				t.Errorf("%s: two renderings differ", name)
			}
		}
	}
}

func TestSelectSlug(t *testing.T) {
	for title, want := range map[string]string{"Windows 11": "windows-11", "C++": "c++", "C#": "c#",
		"Node.js": "node.js", "a_b": "a_b", "  x / y  ": "x-y", "ﬁne": "fine", "日本": "日本", "\u200bx": "x", "": "",
		strings.Repeat("a", 99): strings.Repeat("a", 64)} {
		if got := SelectSlug(title); got != want {
			t.Errorf("SelectSlug(%q) = %q, want %q", title, got, want)
		}
	}
}

func TestEmbedOrigins(t *testing.T) {
	origins := strings.Join(EmbedOrigins(), " ")
	for _, provider := range providers {
		if !strings.HasPrefix(provider.origin, "https://") || !strings.Contains(origins, provider.origin) {
			t.Errorf("%s: origin %q of %q", provider.name, provider.origin, origins)
		}
	}
}

func TestAttributesBehindTheLanguage(t *testing.T) {
	d := &doc.Document{Nodes: []*doc.Node{doc.NewCode(&doc.CodeData{Syntax: "rust,ignore,does_not_compile"},
		"let x = 1;")}}
	var out bytes.Buffer
	if err := HTML(t.Context(), &out, d, Options{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`data-language="rust"`, `class="language-rust"`, ">let</span>"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %s in %s", want, out.String())
		}
	}
}
