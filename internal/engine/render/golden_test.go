package render

import (
	"bytes"
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/markdown"
)

var update = flag.Bool("update", false, "write the golden files")

// text, para and friends make short documents readable.
func text(s string, marks ...doc.Mark) *doc.Node { return doc.NewText(s, marks...) }
func para(s string) *doc.Node                    { return doc.NewParagraph(text(s)) }
func block(t doc.Type, data any, nodes ...*doc.Node) *doc.Node {
	return doc.NewBlock(t, data, nodes...)
}
func inline(t doc.Type, data any, nodes ...*doc.Node) *doc.Node {
	return doc.NewInline(t, data, nodes...)
}
func heading(t doc.Type, s string) *doc.Node { return block(t, nil, text(s)) }
func item(nodes ...*doc.Node) *doc.Node      { return block(doc.ListItem, nil, nodes...) }
func withFragments(n *doc.Node, fragments ...*doc.Node) *doc.Node {
	n.Fragments = fragments
	return n
}
func mark(t doc.MarkType) doc.Mark { return doc.Mark{Type: t} }
func file(id string) doc.Ref       { return doc.Ref{Kind: doc.RefFile, File: id} }
func pageRef(id string) doc.Ref    { return doc.Ref{Kind: doc.RefPage, Page: id} }

// books resolves a handful of references.
type books struct{}

func (books) Resolve(ref doc.Ref) Target {
	switch ref.Destination() {
	case "/pages/guide":
		return Target{URL: "/docs/guide", Title: "Guide", Description: "How to begin", Icon: "book", Kind: doc.RefPage}
	case "/pages/emoji":
		return Target{URL: "/docs/emoji", Title: "Moods", Emoji: "🙂", Kind: doc.RefPage}
	case "/pages/guide#start":
		return Target{URL: "/docs/guide#start", Title: "Start", Kind: doc.RefAnchor}
	case "/files/photo":
		return Target{URL: "/docs/~/files/photo.png", Title: "photo.png", Kind: doc.RefFile, Width: 640, Height: 480}
	case "/files/night":
		return Target{URL: "/docs/~/files/night.png", Title: "night.png", Kind: doc.RefFile}
	case "/files/report":
		return Target{URL: "/docs/~/files/report.pdf", Title: "report.pdf", Kind: doc.RefFile, Size: 1258291,
			MediaType: "application/pdf"}
	case "/users/ada":
		return Target{Title: "Ada", Kind: doc.RefUser}
	case "/tags/new":
		return Target{Title: "New", Color: "green", Icon: "star", Kind: doc.RefTag}
	case "/spaces/other":
		return Target{URL: "https://docs.example.com/other", Title: "Other", Kind: doc.RefSpace}
	case "/openapi/petstore":
		return Target{Title: "Petstore", Kind: doc.RefOpenAPI}
	}
	if ref.Kind == doc.RefURL && !strings.HasPrefix(ref.URL, "/broken/") && ref.URL != "gone.md" {
		return Target{URL: ref.URL, Kind: doc.RefURL}
	}
	if ref.Kind == doc.RefAnchor && ref.Page == "" {
		return Target{URL: "#" + ref.Anchor, Kind: doc.RefAnchor}
	}
	return Target{Broken: true}
}

func goldenOptions() Options {
	return Options{
		Resolver: books{}, NewTab: true, SearchURL: "/docs/~/search?q=",
		// Goldens have colours on a busy machine too.
		Limits: Limits{CodeTime: time.Minute},
		Context: map[string]any{"visitor": map[string]any{"claims": map[string]any{"plan": "pro"}},
			"space": map[string]any{"vars": map[string]any{"product": "<Recto>"}}},
		Icon: func(name string) string { return "<b>" + name + "</b>" },
		Reusable: func(_ context.Context, ref doc.Ref) (*doc.Document, error) {
			if ref.ReusableContent != "note" {
				return nil, nil
			}
			return &doc.Document{Nodes: []*doc.Node{heading(doc.Heading1, "Shared"), para("From elsewhere.")}}, nil
		},
	}
}

// goldenDocuments has every type of block and inline, with the attributes that change how it shows.
func goldenDocuments() map[string][]*doc.Node {
	yes, no, three, five := true, false, 3, 5
	color := doc.Mark{Type: doc.Color, Text: "red", Background: "default"}
	background := doc.Mark{Type: doc.Color, Text: "$primary", Background: "yellow"}
	image := func(ref doc.Ref, dark *doc.Ref, caption string) *doc.Node {
		n := block(doc.Image, &doc.ImageData{Ref: ref, RefDark: dark, Alt: "A <photo>"})
		if caption != "" {
			n.Fragments = []*doc.Node{doc.NewFragment(doc.FragmentCaption, para(caption))}
		}
		return n
	}
	night := file("night")
	return map[string][]*doc.Node{
		"paragraph": {para("Plain & simple."), block(doc.Paragraph, &doc.ParagraphData{Align: "center"},
			text("Two\nlines")), block(doc.Paragraph, &doc.ParagraphData{Align: "end"}, text("Right"))},
		"marks": {doc.NewParagraph(&doc.Node{Object: doc.ObjectText, Leaves: []doc.Leaf{
			{Text: "bold ", Marks: []doc.Mark{mark(doc.Bold)}},
			{Text: "both", Marks: []doc.Mark{mark(doc.Italic), mark(doc.Bold)}},
			{Text: " code", Marks: []doc.Mark{mark(doc.CodeMark), mark(doc.Bold)}},
			{Text: " key", Marks: []doc.Mark{mark(doc.Keyboard)}},
			{Text: " gone", Marks: []doc.Mark{mark(doc.Strikethrough)}},
			{Text: "2", Marks: []doc.Mark{mark(doc.Superscript)}}, {Text: "i", Marks: []doc.Mark{mark(doc.Subscript)}},
			{Text: " red", Marks: []doc.Mark{color}}, {Text: " loud", Marks: []doc.Mark{background}},
			{Text: " plain", Marks: []doc.Mark{{Type: doc.Color, Text: "default", Background: "default"}}},
		}})},
		"headings": {heading(doc.Heading1, "One & only"), heading(doc.Heading2, "Two"), heading(doc.Heading3, "Three"),
			heading(doc.Heading2, "Two"), block(doc.Heading1, &doc.HeadingData{ID: "mine", Align: "center"},
				text("Own id"))},
		"lists": {block(doc.ListUnordered, nil, item(para("a"), block(doc.ListOrdered, &doc.ListData{Start: &three},
			item(para("three"), block(doc.ListOrdered, nil, item(para("deep")))))), item(para("b"), para("second")),
			item())},
		"tasks": {block(doc.ListTasks, nil, block(doc.ListItem, &doc.ListItemData{Checked: &no}, para("open")),
			block(doc.ListItem, &doc.ListItemData{Checked: &yes}, para("done")))},
		"divider": {block(doc.Divider, nil)},
		"quote":   {block(doc.Blockquote, nil, para("Said"), block(doc.Blockquote, nil, para("inner")))},
		"hints": {block(doc.Hint, &doc.HintData{Style: "info"}, para("i")),
			block(doc.Hint, &doc.HintData{Style: "success"}, para("s")),
			block(doc.Hint, &doc.HintData{Style: "warning", Icon: "fa-bell"}, para("w")),
			block(doc.Hint, &doc.HintData{Style: "danger"}, para("d")), block(doc.Hint, &doc.HintData{Style: "odd"},
				para("?"))},
		"code": {codeSample(&yes), doc.NewCode(&doc.CodeData{Syntax: "no-such-language"}, "a <b>", "", "c"),
			doc.NewCode(nil, "plain"), doc.NewCode(&doc.CodeData{Syntax: "mermaid"}, "graph TD", "A-->B")},
		"code-long": {doc.NewCode(&doc.CodeData{Expandable: &yes, CollapsedLineCount: &three, LineNumbers: &yes}, "1",
			"2", "3", "4", "5"), doc.NewCode(&doc.CodeData{Expandable: &yes}, "short")},
		"diff": {doc.NewCode(&doc.CodeData{Syntax: "js"}, "old() // [!code --]", "fresh() // [!code ++]",
			"<i> # [!code ++]", "quote '[!code ++]'")},
		"math": {block(doc.Math, &doc.FormulaData{Formula: `a < b \\ "c"`}),
			doc.NewParagraph(text("In "), inline(doc.InlineMath, &doc.FormulaData{Formula: "x^2"}))},
		"images": {
			block(doc.Images, &doc.ImagesData{Align: "left", FullWidth: &yes, WithFrame: &yes},
				image(file("photo"), &night, "A caption")),
			block(doc.Images, nil, image(file("photo"), nil, ""), image(file("night"), nil, " ")),
			block(doc.Images, nil, block(doc.Image, &doc.ImageData{Ref: doc.URL("https://x.example/a b.png"),
				Width: &doc.Length{Value: 300}, Height: &doc.Length{Unit: "%", Value: 50}})),
			block(doc.Images, nil, image(file("gone"), nil, "")),
		},
		"drawing": {block(doc.Drawing, &doc.FileData{Ref: file("photo")})},
		"files": {withFragments(block(doc.File, &doc.FileData{Ref: file("report")}),
			doc.NewFragment(doc.FragmentCaption, para("The report"))),
			block(doc.File, &doc.FileData{Ref: file("gone")}),
			block(doc.File, &doc.FileData{Ref: doc.URL(".gitbook/assets/my%20file.zip")})},
		"embeds": {
			withFragments(block(doc.Embed, &doc.EmbedData{URL: "https://www.youtube.com/watch?v=abc_DEF-1",
				FullWidth: &yes}), doc.NewFragment(doc.FragmentCaption, para("Watch"))),
			block(doc.Embed, &doc.EmbedData{URL: "https://youtu.be/abc"}),
			block(doc.Embed, &doc.EmbedData{URL: "https://vimeo.com/123"}),
			block(doc.Embed, &doc.EmbedData{URL: "https://www.loom.com/share/0a1b"}),
			block(doc.Embed, &doc.EmbedData{URL: "https://codepen.io/ann/pen/xyz"}),
			block(doc.Embed, &doc.EmbedData{URL: "https://www.figma.com/file/abc/Name"}),
			block(doc.Embed, &doc.EmbedData{URL: "https://example.com/a?b=c&d"}),
			block(doc.Embed, &doc.EmbedData{URL: "javascript:alert(1)"}),
			block(doc.Embed, &doc.EmbedData{URL: "https://evil.example/youtube.com/watch?v=abc"}),
			block(doc.Embed, &doc.EmbedData{URL: "https://youtube.com.evil.example/watch?v=abc"}),
		},
		"expandable": {
			withFragments(block(doc.Expandable, nil), doc.NewFragment(doc.FragmentExpandableTitle,
				doc.NewParagraph(text("More", mark(doc.Bold)))), doc.NewFragment(doc.FragmentExpandableBody,
				para("Inside"))),
			withFragments(block(doc.Expandable, &doc.ExpandableData{DefaultExpanded: true}),
				doc.NewFragment(doc.FragmentExpandableTitle, para("More"))), block(doc.Expandable, nil),
		},
		"tabs": {
			block(doc.Tabs, &doc.TabsData{FullWidth: &yes},
				block(doc.TabsItem, &doc.TabsItemData{Title: "Windows 11", Icon: "windows"}, para("w")),
				block(doc.TabsItem, &doc.TabsItemData{Title: "C++", Slug: "cpp"}, para("c")),
				block(doc.TabsItem, nil, para("n"))),
			doc.NewParagraph(inline(doc.Button, &doc.ButtonData{Label: "C++", Kind: "secondary",
				Action: &doc.ButtonAction{Action: "select", Slug: "cpp"}})),
		},
		"stepper": {block(doc.Stepper, nil, block(doc.StepperStep, nil, heading(doc.Heading2, "First"), para("Do")),
			block(doc.StepperStep, &doc.StepperStepData{Icon: "flag"}, para("Done")))},
		"columns": {block(doc.Columns, nil,
			block(doc.Column, &doc.ColumnData{Width: &doc.Length{Unit: "%", Value: 33.3}, VerticalAlignment: "middle"},
				para("a")), block(doc.Column, &doc.ColumnData{Width: &doc.Length{Value: 384}}, para("b")),
			block(doc.Column, nil, para("c")))},
		"updates": {
			block(doc.Updates, &doc.UpdatesData{},
				block(doc.Update, &doc.UpdateData{Date: "2025-01-31", Tags: []doc.Ref{{Kind: doc.RefTag, Tag: "new"},
					{Kind: doc.RefTag, Tag: "old"}}}, heading(doc.Heading1, "Faster"), para("Much.")),
				block(doc.Update, &doc.UpdateData{Date: "2025-01-31"}, para("Again"))),
			block(doc.Updates, &doc.UpdatesData{Format: "short"}, block(doc.Update, &doc.UpdateData{Date: "2024-12-01"},
				para("s"))), block(doc.Updates, &doc.UpdatesData{Format: "numeric"},
				block(doc.Update, &doc.UpdateData{Date: "someday"}, para("n"))),
		},
		"prompt": {block(doc.Prompt, &doc.PromptData{Description: "Write <docs>", OpenInAIProviders: &yes},
			doc.NewCode(nil, "Act as")), block(doc.Prompt, &doc.PromptData{Description: "P", Icon: "robot",
			DefaultExpanded: "partial"}, doc.NewCode(nil, "1", "2", "3", "4")),
			block(doc.Prompt, &doc.PromptData{Description: "F", DefaultExpanded: "full"}, doc.NewCode(nil, "1"))},
		"if": {block(doc.If, &doc.ExpressionData{Expression: `visitor.claims.plan === "pro"`},
			para("For pros")), block(doc.If, &doc.ExpressionData{Expression: "visitor.claims.no"}, para("hidden")),
			block(doc.If, &doc.ExpressionData{Expression: "("}, para("hidden too"))},
		"expressions": {doc.NewParagraph(text("Use "),
			inline(doc.Expression, &doc.ExpressionData{Expression: "space.vars.product"}), text(", not "),
			inline(doc.Expression, &doc.ExpressionData{Expression: "a?.b"}), text("."),
			inline(doc.Expression, &doc.ExpressionData{Expression: "nope"})),
			block(doc.Code, nil, block(doc.CodeLine, nil, text("x = "),
				inline(doc.Expression, &doc.ExpressionData{Expression: "space.vars.product"})))},
		"grid":  {gridSample(&yes, &five)},
		"cards": {cardSample(&no), cardSample(nil)},
		"content-ref": {block(doc.ContentRefBlock, &doc.ContentRefData{Ref: pageRef("guide")}),
			block(doc.ContentRefBlock, &doc.ContentRefData{Ref: pageRef("emoji")}),
			block(doc.ContentRefBlock, &doc.ContentRefData{Ref: doc.URL("https://x.example/")}),
			block(doc.ContentRefBlock, &doc.ContentRefData{Ref: pageRef("gone")})},
		"reusable": {heading(doc.Heading1, "Shared"),
			block(doc.ReusableContent, &doc.ReusableContentData{Ref: doc.Ref{Kind: doc.RefReusableContent,
				ReusableContent: "note"}}),
			block(doc.ReusableContent, &doc.ReusableContentData{Ref: doc.Ref{Kind: doc.RefReusableContent,
				ReusableContent: "gone"}})},
		"integration": {
			block(doc.Integration, &doc.IntegrationData{Integration: "mermaid", Block: "diagram",
				Props: map[string]any{"content": "graph TD\nA-->B"}}),
			block(doc.Integration, &doc.IntegrationData{Integration: "x", Block: "y", URL: "https://x.example",
				Props: map[string]any{"b": 1.0, "a": "<i>"}}),
			block(doc.Integration, &doc.IntegrationData{Integration: "x", Props: map[string]any{"url": "javascript:1",
				"content": "c"}}),
		},
		"openapi": {
			block(doc.Swagger, &doc.OpenAPIData{Ref: doc.URL("https://x.example/api.json"), Path: "/pets/{id}",
				Method: "get"}), block(doc.OpenAPIOperation,
				&doc.OpenAPIData{Ref: doc.Ref{Kind: doc.RefOpenAPI, Spec: "petstore"}, Path: "/pets", Method: "post"}),
			block(doc.OpenAPISchemas, &doc.OpenAPIData{Ref: doc.Ref{Kind: doc.RefOpenAPI, Spec: "petstore"},
				Schemas: []string{"Pet", "Tag"}, Title: "Models"}),
			block(doc.OpenAPIWebhook, &doc.OpenAPIData{Ref: doc.Ref{Kind: doc.RefOpenAPI, Spec: "gone"}, Name: "newPet",
				Method: "post"}),
		},
		"raw": {
			block(doc.Raw, &doc.RawData{Syntax: "html",
				Source: `<div align="center" onclick="x()"><p id="there">Old <a href="gone.md">docs</a> <a name="anchor"></a><img src="a.png" width="10" onerror="x()"></p><script>x()</script></div>`}),
			block(doc.Raw, &doc.RawData{Syntax: "html", Source: "<!-- hidden -->"}),
			block(doc.Raw, &doc.RawData{Syntax: "html", Source: "</div></section><ul><li>open"}),
			block(doc.Raw, &doc.RawData{Syntax: "tag", Source: `{% odd a="<b>" %}`}),
			doc.NewParagraph(inline(doc.RawInline, &doc.RawData{Syntax: "html", Source: "<u>"}), text("under"),
				inline(doc.RawInline, &doc.RawData{Syntax: "html", Source: "</u>"}),
				inline(doc.RawInline, &doc.RawData{Syntax: "html", Source: "<small>"}), text(" small"),
				inline(doc.RawInline, &doc.RawData{Syntax: "html", Source: "</b>"}),
				inline(doc.RawInline, &doc.RawData{Syntax: "html", Source: `<font color="red" onclick="x">`}),
				text(" open"), inline(doc.RawInline, &doc.RawData{Syntax: "tag", Source: "{% x %}"})),
		},
		"links": {doc.NewParagraph(
			inline(doc.Link, &doc.ContentRefData{Ref: pageRef("guide")}, text("page")), text(" "),
			inline(doc.Link, &doc.ContentRefData{Ref: doc.URL("https://x.example/?a=b&c")},
				text("out", mark(doc.Bold))), text(" "),
			inline(doc.Link, &doc.ContentRefData{Ref: doc.URL("mailto:a@b.c")}, text("mail")), text(" "),
			inline(doc.Link, &doc.ContentRefData{Ref: doc.URL("gone.md")}, text("gone")), text(" "),
			inline(doc.Link, &doc.ContentRefData{Ref: doc.URL("JaVa\tscript:alert(1)")}, text("bad")), text(" "),
			inline(doc.Link, &doc.ContentRefData{Ref: doc.Ref{Kind: doc.RefAnchor, Anchor: "x"}}, text("here")),
			text(" "), inline(doc.Link, &doc.ContentRefData{Ref: doc.Ref{Kind: doc.RefSpace, Space: "other"}},
				text("space")),
			inline(doc.Link, &doc.ContentRefData{Ref: pageRef("guide")}, text("outer "),
				inline(doc.Link, &doc.ContentRefData{Ref: pageRef("emoji")}, text("inner")),
				inline(doc.InlineImage, &doc.InlineImageData{Ref: file("photo"), Alt: "in a link"}),
				inline(doc.Annotation, nil, text("noted"))),
		)},
		"mentions": {doc.NewParagraph(inline(doc.Mention, &doc.ContentRefData{Ref: pageRef("guide")}), text(" "),
			inline(doc.Mention, &doc.ContentRefData{Ref: pageRef("emoji")}), text(" "),
			inline(doc.Mention, &doc.ContentRefData{Ref: doc.Ref{Kind: doc.RefUser, User: "ada"}}), text(" "),
			inline(doc.Mention, &doc.ContentRefData{Ref: doc.Ref{Kind: doc.RefTag, Tag: "new"}}), text(" "),
			inline(doc.Mention, &doc.ContentRefData{Ref: pageRef("gone")}), text(" "),
			inline(doc.Mention, &doc.ContentRefData{Ref: doc.URL("../a/b.md#c")}))},
		"buttons": {doc.NewParagraph(
			inline(doc.Button, &doc.ButtonData{Label: "Go", Kind: "primary", Size: "large", Icon: "rocket",
				Ref: new(pageRef("guide"))}), inline(doc.Button, &doc.ButtonData{Label: "Find", Kind: "secondary",
				Action: &doc.ButtonAction{Action: "search", Query: "a b&c"}}),
			inline(doc.Button, &doc.ButtonData{Label: "Ask", Action: &doc.ButtonAction{Action: "ask"}}),
			inline(doc.Button, &doc.ButtonData{Label: "Off", Kind: "odd"}),
			inline(doc.Button, &doc.ButtonData{Label: "Gone", Ref: new(pageRef("gone"))}),
			inline(doc.Button, &doc.ButtonData{Label: "No tab", Action: &doc.ButtonAction{Action: "select",
				Slug: "x"}}),
		)},
		"small": {doc.NewParagraph(inline(doc.Emoji, &doc.EmojiData{Code: "1f1e9-1f1ea"}),
			inline(doc.Emoji, &doc.EmojiData{Code: "zz"}),
			inline(doc.Icon, &doc.IconData{Icon: "github", Color: "$primary"}),
			inline(doc.Icon, &doc.IconData{Icon: "fa-X<y>"}),
			inline(doc.InlineImage, &doc.InlineImageData{Ref: file("photo"), RefDark: &night, Size: "line",
				Alt: "logo"}))},
		"annotations": {
			doc.NewParagraph(text("A "), withFragments(inline(doc.Annotation, nil, text("word")),
				doc.NewFragment(doc.FragmentAnnotationBody, para("Explained"))), text(" and "),
				withFragments(inline(doc.Annotation, nil, text("more")), doc.NewFragment(doc.FragmentAnnotationBody,
					para("One"), doc.NewCode(nil, "two"))), text("."), inline(doc.Annotation, nil, text("bare"))),
			block(doc.Code, &doc.CodeData{Syntax: "go"}, block(doc.CodeLine, &doc.CodeLineData{Highlighted: true},
				text("x := "), withFragments(inline(doc.Annotation, nil, text("f(1, 2)")),
					doc.NewFragment(doc.FragmentAnnotationBody, para("A call"))), text(" + 1"))),
			heading(doc.Heading1, "Note 1"),
		},
		"odd": {text("loose text"), doc.NewParagraph(para("block in a paragraph")),
			{Object: doc.ObjectBlock, Type: "made-up", Nodes: []*doc.Node{para("inside")}},
			block(doc.ListItem, nil, para("lonely")), block(doc.TabsItem, &doc.TabsItemData{Title: "Alone"},
				para("tab")), block(doc.Image, &doc.ImageData{Ref: file("photo")}),
			{Object: doc.ObjectBlock, Type: doc.Table}, {Object: doc.ObjectBlock, Type: doc.Hint,
				Data: &doc.CodeData{}}, {Object: doc.ObjectInline, Type: doc.Button}, doc.NewCodeLine("line")},
	}
}

func codeSample(yes *bool) *doc.Node {
	n := doc.NewCode(&doc.CodeData{Syntax: "go", Title: "main.go", LineNumbers: yes, Overflow: "wrap", FullWidth: yes},
		"package main", "", "func main() { println(\"<hi>\") }")
	n.Nodes[2].Data = &doc.CodeLineData{Highlighted: true}
	return n
}

func gridSample(yes *bool, five *int) *doc.Node {
	column := func(id, title, kind string) *doc.TableDefinition {
		return &doc.TableDefinition{ID: id, Title: title, Type: kind}
	}
	data := &doc.TableData{
		FullWidth: yes,
		View: doc.TableView{Type: "grid", Columns: []string{"t", "n", "c", "r", "s", "l", "i", "f", "u", "ghost"},
			ColumnWidths: map[string]float64{"t": 269.76, "n": -1}, StickyHeader: yes, StickyFirstColumn: yes},
		Definition: map[string]*doc.TableDefinition{
			"t": {ID: "t", Title: "Text", Type: "text", TextAlignment: "right", VerticalAlignment: "top"},
			"n": column("n", "Number", "number"), "c": column("c", "Check", "checkbox"), "r": {ID: "r", Title: "Stars",
				Type: "rating", Max: five},
			"s": {ID: "s", Title: "Select", Type: "select",
				Options: []doc.SelectOption{{Value: "a", Label: "Alpha", Color: "blue"}}},
			"l": column("l", "Link", "content-ref"), "i": column("i", "Image", "image"),
			"f": column("f", "Files", "files"), "u": column("u", "", "users"),
		},
		Records: map[string]doc.TableRecord{
			"2": {OrderIndex: "b", Values: map[string]any{"t": "cell2", "n": 1.5, "c": false}},
			"1": {OrderIndex: "a", Values: map[string]any{"t": "cell1", "n": 42.0, "c": true, "r": 3.0,
				"s": []string{"a", "zz"}, "l": pageRef("guide"), "i": doc.ImageRecord{Ref: file("photo"), Alt: "pic"},
				"f": []any{"report"}, "u": []string{"ada"}}},
			"3": {OrderIndex: "c", Values: map[string]any{"t": "cell3"}},
		},
		CellMerges: []doc.CellMerge{{Anchor: doc.CellAnchor{Record: "2", Column: "n"}, RowSpan: 9, ColSpan: 2},
			{Anchor: doc.CellAnchor{Record: "3", Column: "n"}, RowSpan: 1, ColSpan: 2}},
	}
	return withFragments(block(doc.Table, data), doc.NewFragment("cell1", para("one")),
		doc.NewFragment("cell2", para("two"), para("more")),
		doc.NewFragment("cell3", block(doc.ListUnordered, nil, item(para("three")))))
}

func cardSample(hideTitle *bool) *doc.Node {
	data := &doc.TableData{
		View: doc.TableView{Type: "cards", CardSize: "large", Columns: []string{"t", "d"}, TargetDefinition: "to",
			CoverDefinition: "img", CoverDefinitionDark: "dark", HideColumnTitle: hideTitle, Wrap: hideTitle},
		Definition: map[string]*doc.TableDefinition{
			"t": {ID: "t", Title: "Title", Type: "text"}, "d": {ID: "d", Title: "Text", Type: "text"},
			"to": {ID: "to", Type: "content-ref"}, "img": {ID: "img", Type: "image"},
			"dark": {ID: "dark", Type: "image"},
		},
		Records: map[string]doc.TableRecord{
			"1": {OrderIndex: "1", Values: map[string]any{"t": "t1", "d": "d1", "to": pageRef("guide"),
				"img": doc.ImageRecord{Ref: file("photo"), ObjectFit: "contain"}, "dark": file("night")}},
			"2": {OrderIndex: "2", Values: map[string]any{"t": "t2", "to": doc.URL("https://x.example")}},
			"3": {OrderIndex: "3", Values: map[string]any{"t": "t2", "to": pageRef("gone")}},
		},
	}
	return withFragments(block(doc.Table, data), doc.NewFragment("t1", doc.NewParagraph(text("Begin", mark(doc.Bold)))),
		doc.NewFragment("d1", doc.NewParagraph(text("See "),
			inline(doc.Link, &doc.ContentRefData{Ref: pageRef("guide")}, text("this")))),
		doc.NewFragment("t2", para("Second")))
}

func TestGolden(t *testing.T) {
	for name, nodes := range goldenDocuments() {
		t.Run(name, func(t *testing.T) {
			checkGolden(t, name, &doc.Document{Nodes: nodes})
		})
	}
}

// TestGoldenMarkdown renders pages that were parsed from the dialect.
func TestGoldenMarkdown(t *testing.T) {
	sources, err := filepath.Glob("testdata/*.md")
	if err != nil || len(sources) == 0 {
		t.Fatalf("no pages under testdata: %v", err)
	}
	for _, source := range sources {
		t.Run(filepath.Base(source), func(t *testing.T) {
			body, err := os.ReadFile(source)
			if err != nil {
				t.Fatal(err)
			}
			d, err := markdown.Parse(body)
			if err != nil {
				t.Fatal(err)
			}
			checkGolden(t, "page-"+strings.TrimSuffix(filepath.Base(source), ".md"), d)
		})
	}
}

func checkGolden(t *testing.T, name string, d *doc.Document) {
	t.Helper()
	var out bytes.Buffer
	if err := HTML(t.Context(), &out, d, goldenOptions()); err != nil {
		t.Fatal(err)
	}
	for _, problem := range problems(out.String()) {
		t.Error(problem)
	}
	compareGolden(t, name+".html", out.String())
	compareGolden(t, name+".txt", Text(d))
}

func compareGolden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (go test ./internal/engine/render -update writes it)", err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

// TestGoldenIsComplete holds that every type of block and inline has a golden document.
func TestGoldenIsComplete(t *testing.T) {
	seen := map[doc.Type]bool{}
	for _, nodes := range goldenDocuments() {
		for n := range (&doc.Document{Nodes: nodes}).All() {
			seen[n.Type] = true
		}
	}
	for _, want := range everyType() {
		if !seen[want] {
			t.Errorf("no golden document has a %s", want)
		}
	}
}

func everyType() []doc.Type {
	return []doc.Type{
		doc.Paragraph, doc.Heading1, doc.Heading2, doc.Heading3, doc.ListOrdered, doc.ListUnordered, doc.ListTasks,
		doc.ListItem, doc.Divider, doc.Blockquote, doc.Hint, doc.Code, doc.CodeLine, doc.Math,
		doc.Images, doc.Image, doc.File, doc.Drawing, doc.Embed, doc.Expandable, doc.Tabs, doc.TabsItem, doc.Stepper,
		doc.StepperStep, doc.Columns, doc.Column, doc.Updates, doc.Update, doc.Prompt, doc.If, doc.Table,
		doc.ContentRefBlock, doc.ReusableContent, doc.Integration, doc.Swagger, doc.OpenAPIOperation,
		doc.OpenAPISchemas, doc.OpenAPIWebhook, doc.Raw,
		doc.Link, doc.Annotation, doc.Emoji, doc.Icon, doc.Expression, doc.InlineMath, doc.InlineImage, doc.Mention,
		doc.Button, doc.RawInline,
	}
}
