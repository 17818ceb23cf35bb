package render

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/engine/doc"
)

// vectors are texts that become script where something forgets to escape or to check.
func vectors() []string {
	return []string{
		`<script>alert(1)</script>`, `"><script>alert(1)</script>`, `'><script>alert(1)</script>`,
		`</script><script>alert(1)</script>`, `<ScRiPt src=//x.example></sCrIpT>`, `<script/x>alert(1)</script>`,
		`<<script>alert(1)//<</script>`, `<script
>alert(1)</script>`,
		`<img src=x onerror=alert(1)>`, `"><img src=x onerror=alert(1)>`, `<img/src=x/onerror=alert(1)>`,
		`<img src="x" onerror="alert(1)" `, `<img src=` + "`javascript:alert(1)`" + `>`,
		`<IMG """><SCRIPT>alert(1)</SCRIPT>">`, `<img src=x:x onerror=alert(1)//`, `<image src=x onerror=alert(1)>`,
		`<svg onload=alert(1)>`, `<svg><script>alert(1)</script></svg>`,
		`<svg><animate onbegin=alert(1) attributeName=x dur=1s>`,
		`<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>`,
		`<math><mi xlink:href="javascript:alert(1)">x</mi></math>`,
		`<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>`,
		`<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">`,
		`<iframe src="javascript:alert(1)"></iframe>`, `<iframe srcdoc="<script>alert(1)</script>">`,
		`<object data="javascript:alert(1)">`, `<embed src="javascript:alert(1)">`,
		`<form action="javascript:alert(1)"><input type=submit>`, `<button formaction="javascript:alert(1)">x</button>`,
		`<input autofocus onfocus=alert(1)>`, `<select autofocus onfocus=alert(1)>`,
		`<textarea autofocus onfocus=alert(1)>`,
		`<details open ontoggle=alert(1)>`, `<body onload=alert(1)>`, `<video><source onerror=alert(1)>`,
		`<audio src=x onerror=alert(1)>`, `<marquee onstart=alert(1)>`, `<a href="javascript:alert(1)">x</a>`,
		`<a href=" &#14; javascript:alert(1)">x</a>`, `<a href="jav&#x09;ascript:alert(1)">x</a>`,
		`<a href="java&#x0a;script:alert(1)">x</a>`, `<a href=javascript&colon;alert(1)>x</a>`,
		`<a href="data:text/html,<script>alert(1)</script>">x</a>`, `<a href="vbscript:msgbox(1)">x</a>`,
		`<style>*{background:url(javascript:alert(1))}</style>`,
		`<div style="background:url(javascript:alert(1))">x</div>`, `<link rel=stylesheet href=javascript:alert(1)>`,
		`<meta http-equiv=refresh content="0;url=javascript:alert(1)">`, `<base href="javascript:alert(1)//">`,
		`<template><script>alert(1)</script></template>`,
		`<noscript><p title="</noscript><img src=x onerror=alert(1)>">`, `<title></title><img src=x onerror=alert(1)>`,
		`<xmp><img src=x onerror=alert(1)></xmp>`, `<!--><img src=x onerror=alert(1)>-->`,
		`<!--<img src="--><img src=x onerror=alert(1)>//">`, `<![CDATA[<img src=x onerror=alert(1)>]]>`,
		`<?xml version="1.0"?><script>alert(1)</script>`, `<plaintext><img src=x onerror=alert(1)>`,
		`javascript:alert(1)`, `JaVaScRiPt:alert(1)`, ` javascript:alert(1)`, "java\tscript:alert(1)",
		"java\nscript:alert(1)", "\x01javascript:alert(1)", "\u00a0javascript:alert(1)", `javascript&colon;alert(1)`,
		`java%0ascript:alert(1)`, `data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==`,
		`data:image/svg+xml,<svg onload=alert(1)>`, `vbscript:msgbox(1)`, `file:///etc/passwd`,
		`blob:https://x.example/1`, `view-source:javascript:alert(1)`, `x:javascript:alert(1)`, `//x.example/a`,
		`\\x.example\a`, `/\x.example`, `https:javascript:alert(1)`, `#" onmouseover="alert(1)`,
		`?"><script>alert(1)</script>`, `x" onerror="alert(1)`, `x' onerror='alert(1)`, "x` onerror=`alert(1)",
		`x onerror=alert(1)`,
		"\x00<script>alert(1)</script>", "<scr\x00ipt>alert(1)</scr\x00ipt>", "\xff\xfe<script>alert(1)</script>",
		"+ADw-script+AD4-alert(1)+ADw-/script+AD4-", "\u2028<script>alert(1)</script>",
		"<a\u00a0href=javascript:alert(1)>x</a>", `{{constructor.constructor('alert(1)')()}}`, "${alert(1)}",
		`]]><script>alert(1)</script>`, `&lt;script&gt;alert(1)&lt;/script&gt;`,
		`&#60;script&#62;alert(1)&#60;/script&#62;`, `</pre></code></figure><script>alert(1)</script>`,
		`</a></span></div></details><img src=x onerror=alert(1)>`, `{% raw %}<script>alert(1)</script>{% endraw %}`,
		"<b id=\"a b\" name=\"x\ny\">x</b>", `<a id="note-1" name="note-1">x</a>`,
	}
}

// fill sets every text below a value to the vector, and makes lists, maps and pointers that are empty hold one.
func fill(v reflect.Value, vector string, depth int) {
	if depth > 6 {
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(vector)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int:
		v.SetInt(3)
	case reflect.Float64:
		v.SetFloat(3)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), vector, depth+1)
	case reflect.Struct:
		for _, field := range v.Fields() {
			fill(field, vector, depth+1)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), vector, depth+1)
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		value := reflect.New(v.Type().Elem()).Elem()
		fill(value, vector, depth+1)
		v.SetMapIndex(reflect.ValueOf(vector), value)
	case reflect.Interface:
		v.Set(reflect.ValueOf(vector))
	}
}

// fillOpen puts the vector where a closed list of values would keep it out: references become URLs.
func fillOpen(n *doc.Node, vector string) {
	switch data := n.Data.(type) {
	case *doc.ContentRefData:
		data.Ref = doc.URL(vector)
	case *doc.ImageData:
		data.Ref, data.RefDark = doc.URL(vector), new(doc.URL(vector))
	case *doc.InlineImageData:
		data.Ref, data.RefDark = doc.URL(vector), new(doc.URL(vector))
	case *doc.FileData:
		data.Ref = doc.URL(vector)
	case *doc.OpenAPIData:
		data.Ref = doc.URL(vector)
	case *doc.ButtonData:
		data.Ref = new(doc.URL(vector))
	case *doc.CodeData:
		data.Overflow = "scroll"
	}
}

// poisoned is a document with the vector in every field of every type of node.
func poisoned(vector string, open bool) *doc.Document {
	var inlines, blocks []*doc.Node
	leaf := &doc.Node{Object: doc.ObjectText, Key: vector,
		Leaves: []doc.Leaf{{Text: vector, Marks: []doc.Mark{{Type: doc.Color, Text: vector, Background: vector},
			{Type: doc.MarkType(vector)}, {Type: doc.Bold}}}}}
	for _, kind := range append(everyType(), doc.Type(vector)) {
		n := &doc.Node{Object: doc.ObjectBlock, Type: kind, Key: vector, ID: vector, Fragment: vector,
			Data: doc.DataFor(kind)}
		if n.Data != nil {
			fill(reflect.ValueOf(n.Data).Elem(), vector, 0)
		}
		if open {
			fillOpen(n, vector)
		}
		if doc.IsInline(kind) {
			n.Object = doc.ObjectInline
			n.Nodes = []*doc.Node{leaf}
			n.Fragments = []*doc.Node{doc.NewFragment(doc.FragmentAnnotationBody, doc.NewParagraph(leaf))}
			if raw, ok := n.Data.(*doc.RawData); ok {
				raw.Syntax = "html"
			}
			inlines = append(inlines, n)
			continue
		}
		blocks = append(blocks, n)
	}
	for _, n := range blocks {
		if doc.HoldsText(n.Type) {
			n.Nodes = append([]*doc.Node{leaf}, inlines...)
		} else {
			n.Nodes = []*doc.Node{doc.NewParagraph(append([]*doc.Node{leaf}, inlines...)...)}
		}
		for _, name := range []string{doc.FragmentCaption, doc.FragmentExpandableTitle, doc.FragmentExpandableBody,
			vector} {
			n.Fragments = append(n.Fragments,
				doc.NewFragment(name, doc.NewParagraph(append([]*doc.Node{leaf}, inlines...)...)))
		}
		switch data := n.Data.(type) {
		case *doc.RawData:
			data.Syntax = "html"
		case *doc.TableData:
			poisonTable(data, vector, open)
		}
	}
	blocks = append(blocks, block(doc.Raw, &doc.RawData{Source: vector, Syntax: "tag"}),
		doc.NewCode(&doc.CodeData{Syntax: "html", Title: vector}, vector), doc.NewCode(&doc.CodeData{Syntax: vector},
			vector))
	return &doc.Document{Nodes: blocks}
}

// poisonTable makes a table whose columns show, one of each type, with a cover and a target.
func poisonTable(data *doc.TableData, vector string, cards bool) {
	data.View = doc.TableView{Type: "grid", CoverDefinition: "image", CoverDefinitionDark: "image",
		TargetDefinition: "content-ref", HideColumnTitle: new(false)}
	if cards {
		data.View.Type = "cards"
	}
	values := map[string]any{}
	data.Definition = map[string]*doc.TableDefinition{}
	for _, kind := range []string{"text", "number", "checkbox", "files", "users", "rating", "select", "content-ref",
		"image", vector} {
		data.View.Columns = append(data.View.Columns, kind)
		data.Definition[kind] = &doc.TableDefinition{ID: kind, Title: vector, Type: kind, TextAlignment: vector,
			VerticalAlignment: vector, Options: []doc.SelectOption{{Value: vector, Label: vector, Color: vector}}}
		values[kind] = vector
	}
	values["select"] = []string{vector, vector}
	values["content-ref"] = doc.URL(vector)
	values["image"] = doc.ImageRecord{Ref: doc.URL(vector), Alt: vector, ObjectFit: vector}
	values["files"] = []any{vector}
	data.Records = map[string]doc.TableRecord{vector: {OrderIndex: vector, Values: values}}
	data.CellMerges = []doc.CellMerge{{Anchor: doc.CellAnchor{Record: vector, Column: vector}, RowSpan: 9, ColSpan: 9}}
}

// hostileResolver answers with the vector in every field.
type hostileResolver string

func (v hostileResolver) Resolve(doc.Ref) Target {
	s := string(v)
	return Target{URL: s, Title: s, Description: s, Icon: s, Emoji: s, Color: s, Kind: doc.RefKind(s), MediaType: s,
		Size: 1, Width: 1, Height: 1}
}

func TestNothingRuns(t *testing.T) {
	if count := len(vectors()); count < 60 {
		t.Errorf("only %d vectors", count)
	}
	for _, vector := range vectors() {
		for name, options := range map[string]Options{
			"plain": {},
			"resolver": {Resolver: hostileResolver(vector), NewTab: true, SearchURL: vector,
				Labels: Labels{Info: vector, LinkTo: vector + "%s", Note: vector, ShowLines: vector}},
			"prefix": {IDPrefix: "p-", Resolver: books{}},
		} {
			for _, open := range []bool{false, true} {
				if name == "prefix" && !open {
					continue
				}
				d := poisoned(vector, open)
				var out bytes.Buffer
				if err := HTML(t.Context(), &out, d, options); err != nil {
					t.Errorf("%q, %s: %v", vector, name, err)
					continue
				}
				for _, problem := range problems(out.String()) {
					t.Errorf("%q, %s, open %v: %s", vector, name, open, problem)
				}
				Text(d)
				Sections(d)
				Outline(d, nil)
				Links(d)
			}
		}
	}
}

func TestSafeAddress(t *testing.T) {
	tests := []struct {
		address, want string
		ok            bool
	}{
		{"https://x.example/a?b=c#d", "https://x.example/a?b=c#d", true}, {"HTTP://X", "HTTP://X", true},
		{"mailto:a@b.c", "mailto:a@b.c", true}, {"tel:+1", "tel:+1", true}, {"../a b.md", "../a%20b.md", true},
		{"#a", "#a", true}, {"?q=a:b", "?q=a:b", true}, {"a/b:c", "a/b:c", true}, {"./a:b", "./a:b", true},
		{"//x.example", "//x.example", true}, {`\\x.example`, "%5C%5Cx.example", true}, {"", "", false},
		{"   ", "", false}, {"\x00", "", false}, {"javascript:x", "", false}, {" \x01JAVASCRIPT:x", "", false},
		{"java\nscript:x", "", false}, {"data:x", "", false}, {"a:b", "", false}, {":x", "", false},
		{"ftp://x", "", false}, {`a"b<c>`, "a%22b%3Cc%3E", true}, {"日本.md", "日本.md", true}, {" /a ", "/a", true},
	}
	for _, test := range tests {
		got, ok := safeAddress(test.address)
		if got != test.want || ok != test.ok {
			t.Errorf("safeAddress(%q) = %q, %v; want %q, %v", test.address, got, ok, test.want, test.ok)
		}
	}
}

// TestProblemsFindsProblems holds that the check which the tests above stand on sees what it should.
func TestProblemsFindsProblems(t *testing.T) {
	for _, markup := range []string{
		`<script>x</script>`, `<img src="x" alt="" onerror="x">`, `<a href="javascript:x">x</a>`,
		"<a href=\"java\tscript:x\">x</a>", `<p style="x">x</p>`, `<p><div></div></p>`, `<div>`, `</div>`,
		`<b id="a"></b><b id="a"></b>`, `<a href="a"><a href="b"></a></a>`, `<iframe></iframe>`, `<!-- x -->`,
		`<a href="data:x">x</a>`,
	} {
		if len(problems(markup)) == 0 {
			t.Errorf("no problem found in %s", markup)
		}
	}
	if found := problems(`<p class="a">x <a href="mailto:x">y</a><br></p>`); len(found) > 0 {
		t.Errorf("problems in fine markup: %s", strings.Join(found, "; "))
	}
}
