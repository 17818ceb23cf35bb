package doc

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/errs"
)

func sample() *Document {
	width := Length{Unit: "%", Value: 50}
	ref := URL("dark.png")
	image := NewBlock(Image, &ImageData{Ref: URL("a.png"), RefDark: &ref, Width: &Length{Value: 300}})
	image.Fragments = []*Node{NewFragment(FragmentCaption, NewParagraph(NewText("Caption")))}
	expandable := NewBlock(Expandable, &ExpandableData{DefaultExpanded: true})
	expandable.Fragments = []*Node{
		NewFragment(FragmentExpandableTitle, NewParagraph(NewText("More"))),
		NewFragment(FragmentExpandableBody, NewParagraph(NewText("Body"))),
	}
	note := NewInline(Annotation, nil, NewText("word"))
	note.Fragments = []*Node{NewFragment(FragmentAnnotationBody, NewParagraph(NewText("note")))}
	table := NewBlock(Table, &TableData{
		View: TableView{Type: "grid", Columns: []string{"a", "b"}},
		Definition: map[string]*TableDefinition{
			"a": {ID: "a", Title: "A", Type: "text", TextAlignment: "left"},
			"b": {ID: "b", Title: "B", Type: "select", Multiple: new(true),
				Options: []SelectOption{{Value: "1", Label: "One", Color: "red"}}},
		},
		Records: map[string]TableRecord{"r": {OrderIndex: "1", Values: map[string]any{
			"a": "cell", "b": []string{"1"}, "c": 1.5, "d": true, "e": nil, "f": URL("x"),
			"g": ImageRecord{Ref: URL("y"), ObjectFit: "fill"},
		}}},
	})
	table.Fragments = []*Node{NewFragment("cell", NewParagraph(NewText("text")))}
	return &Document{Nodes: []*Node{
		NewBlock(Heading1, &HeadingData{ID: "start"}, NewText("Start & more")),
		NewParagraph(NewText("bold", Mark{Type: Bold}), NewInline(Emoji, &EmojiData{Code: "1f389"}), note,
			NewText("red", Mark{Type: Color, Text: "red", Background: "default"})),
		NewBlock(Images, nil, image),
		expandable,
		NewBlock(Columns, nil, NewBlock(Column, &ColumnData{Width: &width}, NewBlock(Divider, nil))),
		NewCode(&CodeData{Syntax: "go"}, "a", "", "b"),
		NewBlock(Integration, &IntegrationData{Integration: "x", Block: "y", Props: map[string]any{"n": 1.0,
			"s": "t"}}),
		table,
	}}
}

func TestJSONRoundTrip(t *testing.T) {
	d := sample()
	Finish(d)
	first, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	var decoded Document
	if err := json.Unmarshal(first, &decoded); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(d, &decoded); diff != "" {
		t.Error(diff)
	}
	second, err := json.Marshal(&decoded)
	if err != nil {
		t.Fatal(err)
	}
	if string(first) != string(second) {
		t.Errorf("encoding twice differs:\n%s\n%s", first, second)
	}
}

func TestMarshalForm(t *testing.T) {
	d := &Document{Nodes: []*Node{
		NewBlock(Heading2, nil, NewText("A <b>", Mark{Type: CodeMark})),
		NewBlock(Divider, nil),
		NewBlock(Image, &ImageData{Ref: URL("a"), Width: &Length{Value: 3}}),
	}}
	Finish(d)
	got, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"object":"document","data":{"schemaVersion":2},"nodes":[` +
		`{"object":"block","type":"heading-2","key":"n1","isVoid":false,"data":{},"nodes":[` +
		`{"object":"text","key":"n2","leaves":[{"object":"leaf","text":"A \u003cb\u003e","marks":[{"object":"mark","type":"code"}]}]}],"meta":{"id":"a-b"}},` +
		`{"object":"block","type":"divider","key":"n3","isVoid":true,"data":{}},` +
		`{"object":"block","type":"image","key":"n4","isVoid":true,"data":{"ref":{"kind":"url","url":"a"},"width":3},"fragments":[]}]}`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
}

func TestDecodeRefuses(t *testing.T) {
	block := func(s string) string { return `{"object":"document","nodes":[` + s + `]}` }
	deep := strings.Repeat(`{"object":"block","type":"blockquote","nodes":[`, 200) + strings.Repeat("]}", 200)
	tests := []struct {
		name, input, path string
		kind              errs.Kind
	}{
		{"broken", `{"object":`, "document", errs.Invalid},
		{"not an object", `[]`, "document", errs.Invalid},
		{"not a document", `{"object":"block"}`, "document.object", errs.Invalid},
		{"object", block(`{"object":"thing"}`), "document.nodes[0].object", errs.Invalid},
		{"unknown type", block(`{"object":"block","type":"video"}`), "document.nodes[0].type", errs.Invalid},
		{"inline as block", block(`{"object":"block","type":"emoji","data":{"code":"1f389"}}`),
			"document.nodes[0].type", errs.Invalid},
		{"text as block", block(`{"object":"text","leaves":[]}`), "document.nodes[0]", errs.Invalid},
		{"inline at the top", block(`{"object":"inline","type":"emoji","data":{"code":"1f389"}}`), "document.nodes[0]",
			errs.Invalid},
		{"block in a paragraph",
			block(`{"object":"block","type":"paragraph","nodes":[{"object":"block","type":"divider"}]}`),
			"document.nodes[0].nodes[0]", errs.Invalid},
		{"fragment as block", block(`{"object":"fragment"}`), "document.nodes[0]", errs.Invalid},
		{"style", block(`{"object":"block","type":"hint","data":{"style":"loud"}}`), "document.nodes[0].data.style",
			errs.Invalid},
		{"wrong type of data", block(`{"object":"block","type":"hint","data":{"style":3}}`),
			"document.nodes[0].data.style", errs.Invalid},
		{"data as list", block(`{"object":"block","type":"hint","data":[]}`), "document.nodes[0].data", errs.Invalid},
		{"nodes as text", `{"object":"document","nodes":"x"}`, "document.nodes", errs.Invalid},
		{"ref without kind", block(`{"object":"block","type":"file","data":{"ref":{}}}`),
			"document.nodes[0].data.ref.kind", errs.Invalid},
		{"ref without target", block(`{"object":"block","type":"file","data":{"ref":{"kind":"file"}}}`),
			"document.nodes[0].data.ref", errs.Invalid},
		{"mark",
			block(
				`{"object":"block","type":"paragraph","nodes":[{"object":"text","leaves":[{"object":"leaf","text":"x","marks":[{"type":"loud"}]}]}]}`), "document.nodes[0].nodes[0].leaves[0].marks[0].type", errs.Invalid},
		{"colour",
			block(
				`{"object":"block","type":"paragraph","nodes":[{"object":"text","leaves":[{"object":"leaf","text":"x","marks":[{"type":"color","data":{"text":"\"","background":"red"}}]}]}]}`), "document.nodes[0].nodes[0].leaves[0].marks[0].data", errs.Invalid},
		{"leaf", block(`{"object":"block","type":"paragraph","nodes":[{"object":"text","leaves":[{"object":"x"}]}]}`),
			"document.nodes[0].nodes[0].leaves[0].object", errs.Invalid},
		{"column", block(`{"object":"block","type":"table","data":{"view":{"type":"grid","columns":["x"]}}}`),
			"document.nodes[0].data.view.columns", errs.Invalid},
		{"cell", block(`{"object":"block","type":"table","data":{"records":{"r":{"values":{"c":[1]}}}}}`), "values.c",
			errs.Invalid},
		{"null column", block(`{"object":"block","type":"table","data":{"definition":{"c":null}}}`),
			"document.nodes[0].data.definition.c", errs.Invalid},
		{"span", block(`{"object":"block","type":"table","data":{"cellMerges":[{"rowSpan":0,"colSpan":1}]}}`),
			"document.nodes[0].data.cellMerges[0]", errs.Invalid},
		{"depth", block(deep), "nested deeper", errs.Invalid},
		{"nodes", block(strings.TrimSuffix(strings.Repeat(`{"object":"block","type":"divider"},`, MaxNodes+1), ",")),
			"nodes", errs.TooLarge},
		{"size", block(strings.Repeat(" ", MaxJSON)), "bytes", errs.TooLarge},
		{"json depth", strings.Repeat("[", 200_000), "document", errs.Invalid},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var d Document
			err := d.UnmarshalJSON([]byte(test.input))
			if errs.KindOf(err) != test.kind || err == nil {
				t.Fatalf("error is %v, want kind %v", err, test.kind)
			}
			if !strings.Contains(err.Error(), test.path) {
				t.Errorf("error %q does not name %q", err, test.path)
			}
		})
	}
}

func TestAssignIDs(t *testing.T) {
	tab := func(title, slug string) *Node { return NewBlock(TabsItem, &TabsItemData{Title: title, Slug: slug}) }
	d := &Document{Nodes: []*Node{
		NewBlock(Heading1, nil, NewText("Set up")),
		NewBlock(Heading2, nil, NewText("Set up")),
		NewBlock(Heading2, &HeadingData{ID: "set-up"}, NewText("Other")),
		NewBlock(Heading2, &HeadingData{ID: "set-up"}, NewText("Again")),
		NewBlock(Heading1, nil),
		NewBlock(Tabs, nil, tab("Windows", ""), tab("Mac", "osx")),
		NewBlock(Swagger, &OpenAPIData{Path: "/pets/{id}", Method: "get"}),
	}}
	AssignIDs(d)
	var got []string
	d.Walk(func(n *Node) bool {
		if HasAnchor(n.Type) {
			got = append(got, n.ID)
		}
		return true
	})
	want := []string{"set-up-1", "set-up-2", "set-up", "set-up-3", "section", "windows", "osx", "get-pets-id"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestAnchor(t *testing.T) {
	tests := []struct{ words, want string }{
		{"Get started", "get-started"},
		{"1. Create a new application in Auth0", "id-1.-create-a-new-application-in-auth0"},
		{"What’s new?", "whats-new"},
		{"Terms & conditions", "terms-and-conditions"},
		{"v2.0_beta + more", "v2.0_beta-+-more"},
		{"Wait… what: “no”*", "wait...-what-no"},
		{"a/b (c)  – d", "a-b-c-d"},
		{"Über Füße", "uber-fuße"},
		{"入门 指南", "入门-指南"},
		{"Zero\u200bwidth\ufeff", "zerowidth"},
		{"!!!", ""},
		{"", ""},
		{strings.Repeat("x", 500), strings.Repeat("x", 100)},
	}
	for _, test := range tests {
		if got := Anchor(test.words); got != test.want {
			t.Errorf("Anchor(%q) = %q, want %q", test.words, got, test.want)
		}
	}
}

func TestDestination(t *testing.T) {
	tests := []struct {
		ref  Ref
		text string
	}{
		{Ref{Kind: RefPage, Page: "p"}, "/pages/p"},
		{Ref{Kind: RefPage, Page: "p", Space: "s"}, "/spaces/s/pages/p"},
		{Ref{Kind: RefAnchor, Page: "p", Anchor: "a"}, "/pages/p#a"},
		{Ref{Kind: RefAnchor, Page: "p", Anchor: "a", Space: "s"}, "/spaces/s/pages/p#a"},
		{Ref{Kind: RefAnchor, Anchor: "a"}, "#a"},
		{Ref{Kind: RefFile, File: "f"}, "/files/f"},
		{Ref{Kind: RefFile, File: "f", Space: "s"}, "/spaces/s/files/f"},
		{Ref{Kind: RefSpace, Space: "s"}, "/spaces/s"},
		{Ref{Kind: RefCollection, Collection: "c"}, "/collections/c"},
		{Ref{Kind: RefUser, User: "u"}, "/users/u"},
		{Ref{Kind: RefReusableContent, ReusableContent: "r"}, "/reusable-content/r"},
		{Ref{Kind: RefTag, Tag: "t", Space: "s"}, "/spaces/s/tags/t"},
		{Ref{Kind: RefOpenAPI, Spec: "o"}, "/openapi/o"},
		{URL("../x.md#a"), "../x.md#a"},
		{URL("https://x.y/pages/z"), "https://x.y/pages/z"},
		{URL("/pages/a/b"), "/pages/a/b"},
		{URL("/broken/pages/ID"), "/broken/pages/ID"},
		{URL("/files/x#a"), "/files/x#a"},
		{URL(""), ""},
	}
	for _, test := range tests {
		if got := test.ref.Destination(); got != test.text {
			t.Errorf("Destination of %+v = %q, want %q", test.ref, got, test.text)
		}
		if got := ParseDestination(test.text); got != test.ref {
			t.Errorf("ParseDestination(%q) = %+v, want %+v", test.text, got, test.ref)
		}
	}
}

func TestIsExternal(t *testing.T) {
	for text, want := range map[string]bool{
		"https://x": true, "mailto:a@b": true, "//host/x": true, "a.md": false, "a:b.md": true, "../a": false,
		"#a":   false,
		"/a:b": false, "a b:c": false, "": false,
	} {
		if got := URL(text).IsExternal(); got != want {
			t.Errorf("IsExternal(%q) = %v, want %v", text, got, want)
		}
	}
}

func TestMapRefs(t *testing.T) {
	d := sample()
	d.Nodes = append(d.Nodes,
		NewBlock(Update, &UpdateData{Tags: []Ref{{Kind: RefTag, Tag: "t"}}}),
		NewParagraph(NewInline(Button, &ButtonData{Ref: new(URL("button"))}),
			NewInline(InlineImage, &InlineImageData{Ref: URL("inline")})),
		NewBlock(File, &FileData{Ref: URL("file")}), NewBlock(Swagger, &OpenAPIData{Ref: URL("spec")}),
		NewBlock(ReusableContent, &ReusableContentData{Ref: URL("include")}))
	var seen []string
	clone := d.Clone()
	clone.MapRefs(func(r Ref) Ref {
		seen = append(seen, r.Destination())
		return URL("new")
	})
	want := []string{"a.png", "dark.png", "x", "y", "/tags/t", "button", "inline", "file", "spec", "include"}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Error(diff)
	}
	again := 0
	clone.MapRefs(func(r Ref) Ref {
		if r != URL("new") {
			t.Errorf("%+v was not replaced", r)
		}
		again++
		return r
	})
	if again != len(want) {
		t.Errorf("%d references the second time, want %d", again, len(want))
	}
	if cmp.Diff(sample().Nodes, d.Nodes[:len(sample().Nodes)]) != "" {
		t.Error("the original changed with its clone")
	}
}

func TestEqual(t *testing.T) {
	a, b := sample(), sample()
	Finish(a)
	if !Equal(a, b) {
		t.Error("keys and anchors count, but should not")
	}
	for i := range b.Nodes {
		c := sample()
		c.Nodes = append(c.Nodes[:i], c.Nodes[i+1:]...)
		if Equal(a, c) {
			t.Errorf("equal without block %d", i)
		}
	}
	b.Nodes[0].Nodes[0].Leaves[0].Text = "x"
	if Equal(a, b) {
		t.Error("equal with another text")
	}
}

func TestWalk(t *testing.T) {
	var types []string
	for n := range sample().All() {
		types = append(types, string(n.Object))
		if len(types) == 5 {
			break
		}
	}
	if diff := cmp.Diff([]string{"block", "text", "block", "text", "inline"}, types); diff != "" {
		t.Error(diff)
	}
	if got := sample().Nodes[0].PlainText(); got != "Start & more" {
		t.Errorf("PlainText = %q", got)
	}
	if got := EmojiCode(EmojiCharacters("1f1e9-1f1ea")); got != "1f1e9-1f1ea" {
		t.Errorf("emoji code = %q", got)
	}
}

func TestEveryTypeHasData(t *testing.T) {
	types := []Type{
		Paragraph, Heading1, Heading2, Heading3, ListOrdered, ListUnordered, ListTasks, ListItem, Divider, Blockquote,
		Hint,
		Code, CodeLine, Math, Images, Image, File, Drawing, Embed, Expandable, Tabs, TabsItem, Stepper, StepperStep,
		Columns,
		Column, Updates, Update, Prompt, If, Table, ContentRefBlock, ReusableContent, Integration, Swagger,
		OpenAPIOperation,
		OpenAPISchemas, OpenAPIWebhook, Raw, Link, Annotation, Emoji, Icon, Expression, InlineMath, InlineImage,
		Mention, Button,
		RawInline,
	}
	for _, typ := range types {
		if DataFor(typ) == nil {
			t.Errorf("%s has no attributes", typ)
		}
	}
	if DataFor("nothing") != nil {
		t.Error("an unknown type has attributes")
	}
}

func FuzzDecode(f *testing.F) {
	d := sample()
	Finish(d)
	seed, err := json.Marshal(d)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(seed))
	f.Add(`{"object":"document","nodes":[{"object":"block","type":"paragraph","nodes":[]}]}`)
	f.Fuzz(func(t *testing.T, input string) {
		var decoded Document
		if err := json.Unmarshal([]byte(input), &decoded); err != nil {
			return
		}
		first, err := json.Marshal(&decoded)
		if err != nil {
			t.Fatalf("a decoded document cannot be encoded: %v", err)
		}
		var again Document
		if err := json.Unmarshal(first, &again); err != nil {
			t.Fatalf("an encoded document cannot be decoded: %v\n%s", err, first)
		}
		second, err := json.Marshal(&again)
		if err != nil || string(first) != string(second) {
			t.Fatalf("encoding is no fixpoint\n%s\n%s", first, second)
		}
	})
}

func TestComplete(t *testing.T) {
	d := &Document{Nodes: []*Node{
		NewBlock(Updates, &UpdatesData{}, NewBlock(Update, &UpdateData{Date: "2026-02-03"}),
			NewBlock(Update, &UpdateData{Date: "soon"})),
		NewBlock(Table, &TableData{Definition: map[string]*TableDefinition{
			"state": {ID: "state", Type: "select"}, "name": {ID: "name", Type: "text"}}}),
	}}
	d.Complete()
	encoded, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"format":"full"`, `"date":"2026-02-03T00:00:00.000Z"`, `"date":"soon"`,
		`"multiple":false,"options":[]`} {
		if !strings.Contains(string(encoded), want) {
			t.Errorf("%s lacks %s", encoded, want)
		}
	}
	if strings.Count(string(encoded), "options") != 1 {
		t.Errorf("a column without choices has options: %s", encoded)
	}
	for _, date := range []string{"2026-02-03T00:00:00.000Z", "2026-02-03T00:00:00Z", "2026-02-03"} {
		back := &Document{}
		input := `{"object":"document","nodes":[{"object":"block","type":"updates","nodes":[{"object":"block",` +
			`"type":"update","data":{"date":"` + date + `"},"nodes":[]}]}]}`
		if err := json.Unmarshal([]byte(input), back); err != nil {
			t.Fatal(err)
		}
		if got := back.Nodes[0].Nodes[0].Data.(*UpdateData).Date; got != "2026-02-03" {
			t.Errorf("%s is decoded as %q", date, got)
		}
	}
}
