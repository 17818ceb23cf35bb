package doctest

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/rectodocs/recto/internal/engine/doc"
)

// Random makes a random document such as an editor or a client may send: all types, odd texts, ids of its own. It has
// at most so many blocks, some of them in others.
func Random(r *rand.Rand, blocks int) *doc.Document {
	maker := &documentMaker{r: r, budget: blocks}
	return &doc.Document{Nodes: maker.blocks(3)}
}

// documentMaker makes one document.
type documentMaker struct {
	r      *rand.Rand
	budget int
}

var oddTexts = []string{
	"word", "two words", " edge ", "*", "_a_", "**", "`", "``x``", "[a](b)", "![", "]", "<b>", "</p>", "&amp;", "&",
	"\\", "#", "# x", "- x",
	"1. x", "> x", "---", "===", "|", "a|b", "$$", "$", ":tada:", ":", "{% hint %}", "{%", "%}", "\n", "a\nb", "\n\n",
	"\t", "é", "日本語", "\u00a0",
	"\u200b", "x\x00y", "\r\n", "~", "~~", "!", "http://a.b", "www.a.b", "www.a.b.c", "a@b.cd", "https://a.b/c_d",
	"<http://x>", "^", "[^1]", "\"", "'", "(", ")", "  ", "a  b", "==", "+", "```",
}

func (m *documentMaker) text() string {
	var s strings.Builder
	for range 1 + m.r.IntN(3) {
		s.WriteString(oddTexts[m.r.IntN(len(oddTexts))])
	}
	return s.String()
}

func (m *documentMaker) maybe(s string) string {
	if m.r.IntN(2) == 0 {
		return ""
	}
	return s
}

func (m *documentMaker) flag() *bool {
	switch m.r.IntN(3) {
	case 0:
		return new(true)
	case 1:
		return new(false)
	}
	return nil
}

func (m *documentMaker) one(choices ...string) string { return choices[m.r.IntN(len(choices))] }

func (m *documentMaker) ref() doc.Ref {
	switch m.r.IntN(6) {
	case 0:
		return doc.Ref{Kind: doc.RefPage, Page: "p1", Space: m.maybe("s1")}
	case 1:
		return doc.Ref{Kind: doc.RefFile, File: "f1"}
	case 2:
		return doc.Ref{Kind: doc.RefAnchor, Anchor: "a"}
	case 3:
		return doc.URL(m.text())
	}
	return doc.URL(m.one("a.md", "../b c.md#d", "https://x.y/?a=1&b=2", "", "a(b", "<x>", `a\b`, "a\"b", "mailto:a@b"))
}

func (m *documentMaker) marks() []doc.Mark {
	var marks []doc.Mark
	for range m.r.IntN(3) {
		t := Marks[m.r.IntN(len(Marks)-1)] // the last is a colour; see below
		marks = append(marks, doc.Mark{Type: t})
	}
	if m.r.IntN(8) == 0 {
		marks = append(marks, doc.Mark{Type: doc.Color, Text: m.one("red", "default", "$primary"),
			Background: m.one("blue", "default")})
	}
	return marks
}

func (m *documentMaker) textNode() *doc.Node {
	n := &doc.Node{Object: doc.ObjectText}
	for range m.r.IntN(4) {
		n.Leaves = append(n.Leaves, doc.Leaf{Text: m.text(), Marks: m.marks()})
	}
	return n
}

func (m *documentMaker) inlines() []*doc.Node {
	var nodes []*doc.Node
	for range m.r.IntN(4) {
		if m.r.IntN(2) == 0 {
			nodes = append(nodes, m.textNode())
			continue
		}
		nodes = append(nodes, m.inline())
	}
	return nodes
}

func (m *documentMaker) inline() *doc.Node {
	switch m.r.IntN(10) {
	case 0:
		return doc.NewInline(doc.Link, &doc.ContentRefData{Ref: m.ref(), Title: m.maybe(m.text())}, m.textNode())
	case 1:
		n := doc.NewInline(doc.Annotation, nil, m.textNode())
		n.Fragments = []*doc.Node{doc.NewFragment(doc.FragmentAnnotationBody, m.blocks(1)...)}
		return n
	case 2:
		return doc.NewInline(doc.Emoji, &doc.EmojiData{Code: m.one("1f389", "2728", "274C", "2764", "1f1e9-1f1ea")})
	case 3:
		return doc.NewInline(doc.Icon, &doc.IconData{Icon: m.one("github", "a b", ""), Color: m.maybe("$primary")})
	case 4:
		return doc.NewInline(doc.Expression, &doc.ExpressionData{Expression: m.text()})
	case 5:
		return doc.NewInline(doc.InlineMath, &doc.FormulaData{Formula: m.text()})
	case 6:
		return doc.NewInline(doc.InlineImage, &doc.InlineImageData{Ref: m.ref(), Alt: m.maybe(m.text()),
			Caption: m.maybe(m.text()), Size: m.one("", "line", "original")})
	case 7:
		return doc.NewInline(doc.Mention, &doc.ContentRefData{Ref: m.ref()})
	case 8:
		return doc.NewInline(doc.Link, &doc.ContentRefData{Ref: m.ref()}, m.inlines()...)
	}
	data := &doc.ButtonData{Label: m.text(), Kind: m.one("primary", "secondary"), Size: m.one("", "small"),
		Icon: m.maybe("x")}
	switch m.r.IntN(3) {
	case 0:
		data.Ref = new(m.ref())
	case 1:
		data.Action = &doc.ButtonAction{Action: m.one("ask", "search", "select"), Query: m.maybe(m.text())}
	}
	return doc.NewInline(doc.Button, data)
}

func (m *documentMaker) paragraph() *doc.Node {
	return doc.NewBlock(doc.Paragraph, &doc.ParagraphData{Align: m.one("", "", "", "center")}, m.inlines()...)
}

// blocks makes a few blocks; depth bounds how deep they nest.
func (m *documentMaker) blocks(depth int) []*doc.Node {
	var nodes []*doc.Node
	for range m.r.IntN(4) {
		if m.budget--; m.budget < 0 {
			break
		}
		nodes = append(nodes, m.block(depth))
	}
	return nodes
}

func (m *documentMaker) children(t doc.Type, data func() any, depth int) []*doc.Node {
	var nodes []*doc.Node
	for range m.r.IntN(4) {
		nodes = append(nodes, doc.NewBlock(t, data(), m.blocks(depth-1)...))
	}
	return nodes
}

func (m *documentMaker) block(depth int) *doc.Node {
	if depth == 0 {
		return m.paragraph()
	}
	caption := func(n *doc.Node) *doc.Node {
		if m.r.IntN(2) == 0 {
			n.Fragments = []*doc.Node{doc.NewFragment(doc.FragmentCaption, m.paragraph(), m.paragraph())}
		}
		return n
	}
	switch m.r.IntN(26) {
	case 0:
		t := []doc.Type{doc.Heading1, doc.Heading2, doc.Heading3}[m.r.IntN(3)]
		return doc.NewBlock(t, &doc.HeadingData{ID: m.one("", "", "x-1"), Align: m.one("", "", "center")},
			m.inlines()...)
	case 1:
		n := doc.NewBlock(doc.ListOrdered, nil, m.children(doc.ListItem, func() any { return nil }, depth)...)
		if m.r.IntN(2) == 0 {
			n.Data = &doc.ListData{Start: new(m.r.IntN(12))}
		}
		return n
	case 2:
		return doc.NewBlock(doc.ListUnordered, nil, m.children(doc.ListItem, func() any { return nil }, depth)...)
	case 3:
		return doc.NewBlock(doc.ListTasks, nil, m.children(doc.ListItem, func() any {
			return &doc.ListItemData{Checked: m.flag()}
		}, depth)...)
	case 4:
		return doc.NewBlock(doc.Divider, nil)
	case 5:
		return doc.NewBlock(doc.Blockquote, nil, m.blocks(depth-1)...)
	case 6:
		return doc.NewBlock(doc.Hint, &doc.HintData{Style: m.one("info", "danger"), Icon: m.maybe("x")},
			m.blocks(depth-1)...)
	case 7, 8:
		return m.code()
	case 9:
		return doc.NewBlock(doc.Math, &doc.FormulaData{Formula: m.text()})
	case 10:
		images := doc.NewBlock(doc.Images, &doc.ImagesData{Align: m.one("", "left"), FullWidth: m.flag(),
			WithFrame: m.flag()})
		for range m.r.IntN(3) {
			data := &doc.ImageData{Ref: m.ref(), Alt: m.maybe(m.text())}
			if m.r.IntN(2) == 0 {
				data.Width, data.RefDark = &doc.Length{Value: 10.5}, new(m.ref())
			}
			images.Nodes = append(images.Nodes, caption(doc.NewBlock(doc.Image, data)))
		}
		return images
	case 11:
		return caption(doc.NewBlock(doc.File, &doc.FileData{Ref: m.ref()}))
	case 12:
		return caption(doc.NewBlock(doc.Drawing, &doc.FileData{Ref: m.ref()}))
	case 13:
		return caption(doc.NewBlock(doc.Embed, &doc.EmbedData{URL: m.text(), FullWidth: m.flag()}))
	case 14:
		n := doc.NewBlock(doc.Expandable, &doc.ExpandableData{DefaultExpanded: m.r.IntN(2) == 0})
		n.Fragments = []*doc.Node{
			doc.NewFragment(doc.FragmentExpandableTitle, doc.NewParagraph(m.inlines()...)),
			doc.NewFragment(doc.FragmentExpandableBody, m.blocks(depth-1)...),
		}
		return n
	case 15:
		return doc.NewBlock(doc.Tabs, &doc.TabsData{FullWidth: m.flag()}, m.children(doc.TabsItem, func() any {
			return &doc.TabsItemData{Title: m.maybe(m.text()), Icon: m.maybe("x"), Slug: m.maybe("s")}
		}, depth)...)
	case 16:
		return doc.NewBlock(doc.Stepper, nil, m.children(doc.StepperStep, func() any { return nil }, depth)...)
	case 17:
		return doc.NewBlock(doc.Columns, nil, m.children(doc.Column, func() any {
			return &doc.ColumnData{Width: &doc.Length{Unit: "%", Value: 33}, VerticalAlignment: m.one("", "middle")}
		}, depth)...)
	case 18:
		return doc.NewBlock(doc.Updates, &doc.UpdatesData{Format: m.one("", "full")},
			m.children(doc.Update, func() any {
				return &doc.UpdateData{Date: "2024-01-02", Tags: []doc.Ref{{Kind: doc.RefTag, Tag: "a"},
					{Kind: doc.RefTag, Tag: "b"}}}
			}, depth)...)
	case 19:
		return doc.NewBlock(doc.Prompt, &doc.PromptData{Description: m.text(), DefaultExpanded: m.one("", "partial")},
			m.code())
	case 20:
		return doc.NewBlock(doc.If, &doc.ExpressionData{Expression: m.text()}, m.blocks(depth-1)...)
	case 21:
		return m.table(depth - 1)
	case 22:
		return doc.NewBlock(doc.ContentRefBlock, &doc.ContentRefData{Ref: m.ref()})
	case 23:
		return doc.NewBlock(doc.ReusableContent, &doc.ReusableContentData{Ref: doc.Ref{Kind: doc.RefReusableContent,
			ReusableContent: "r"}})
	case 24:
		return doc.NewBlock(doc.Integration, &doc.IntegrationData{
			Integration: "mermaid", Block: "diagram", URL: m.maybe("https://x"), FullWidth: m.flag(),
			Props: map[string]any{"content": m.text(), "n": 1.5, "list": []any{"a", nil, true}, "odd key": m.text(),
				"url": "https://x"},
		})
	}
	spec := doc.Ref{Kind: doc.RefOpenAPI, Spec: "pets"}
	switch m.r.IntN(5) {
	case 4:
		data := &doc.OpenAPIData{Ref: doc.URL(""), BaseURL: m.maybe("https://x.example"), Path: m.text(), Method: "get",
			Title: m.maybe(m.text()), FullWidth: m.flag()}
		return doc.NewBlock(doc.Swagger, data, m.blocks(depth-1)...)
	case 0:
		return doc.NewBlock(doc.Swagger, &doc.OpenAPIData{Ref: m.ref(), Path: "/pets/{id}", Method: "get",
			Expanded: m.flag()})
	case 1:
		return doc.NewBlock(doc.OpenAPIOperation, &doc.OpenAPIData{Ref: spec, Path: "/pets", Method: "post",
			Headless: m.flag()})
	case 2:
		return doc.NewBlock(doc.OpenAPISchemas, &doc.OpenAPIData{Ref: spec, Schemas: []string{"A", "B"},
			Grouped: m.flag(), Title: m.maybe(m.text())})
	}
	return doc.NewBlock(doc.OpenAPIWebhook, &doc.OpenAPIData{Ref: spec, Name: m.text(), Method: "post"})
}

func (m *documentMaker) code() *doc.Node {
	code := doc.NewBlock(doc.Code, &doc.CodeData{
		Syntax: m.one("", "go", "c sharp", "`"), Title: m.maybe(m.text()), Overflow: m.one("", "wrap"),
		LineNumbers: m.flag(), Expandable: m.flag(),
	})
	for range m.r.IntN(4) {
		line := doc.NewBlock(doc.CodeLine, &doc.CodeLineData{Highlighted: m.r.IntN(6) == 0}, m.textNode())
		if m.r.IntN(6) == 0 {
			line.Nodes = append(line.Nodes, m.inline())
		}
		code.Nodes = append(code.Nodes, line)
	}
	return code
}

func (m *documentMaker) table(depth int) *doc.Node {
	data := &doc.TableData{
		View: doc.TableView{Type: m.one("grid", "grid", "cards"), HideHeader: m.r.IntN(4) == 0,
			CardSize: m.one("medium", "large")},
		Definition: map[string]*doc.TableDefinition{}, Records: map[string]doc.TableRecord{}, Search: m.flag(),
	}
	n := doc.NewBlock(doc.Table, data)
	plain := m.r.IntN(2) == 0
	for c := range m.r.IntN(4) {
		id := fmt.Sprintf("col%d", 9-c)
		definition := &doc.TableDefinition{ID: id, Title: m.text(), Type: "text", TextAlignment: m.one("left", "center",
			"right")}
		if !plain {
			definition.Type = m.one("text", "number", "checkbox", "files", "users", "rating", "select", "content-ref",
				"image")
			definition.Options = []doc.SelectOption{{Value: "1", Label: m.text(), Color: "red"}, {Value: "2"}}
		}
		if m.r.IntN(3) == 0 {
			title := doc.NewParagraph(m.inlines()...)
			definition.Title = title.PlainText()
			n.Fragments = append(n.Fragments, doc.NewFragment(doc.FragmentColumnTitle+id, title))
		}
		data.Definition[id] = definition
		if plain || m.r.IntN(4) > 0 {
			data.View.Columns = append(data.View.Columns, id)
		}
	}
	for row := range m.r.IntN(4) {
		id := fmt.Sprintf("row%d", 9-row)
		values := map[string]any{}
		for c, definition := range data.Definition {
			switch definition.Type {
			case "text":
				name := id + "/" + c
				values[c] = name
				blocks := []*doc.Node{doc.NewParagraph(m.inlines()...)}
				if !plain {
					blocks = m.blocks(depth)
				}
				n.Fragments = append(n.Fragments, doc.NewFragment(name, blocks...))
			case "number", "rating":
				values[c] = float64(m.r.IntN(5))
			case "checkbox":
				values[c] = m.r.IntN(2) == 0
			case "select", "files", "users":
				values[c] = []string{"1", "2"}[:m.r.IntN(3)]
			case "content-ref":
				values[c] = m.ref()
			default:
				values[c] = doc.ImageRecord{Ref: m.ref(), ObjectFit: m.one("", "fill"), Alt: m.maybe(m.text())}
			}
		}
		data.Records[id] = doc.TableRecord{OrderIndex: strconv.Itoa(row), Values: values}
		if m.r.IntN(4) == 0 && len(data.View.Columns) > 0 {
			data.CellMerges = append(data.CellMerges, doc.CellMerge{
				Anchor: doc.CellAnchor{Record: id, Column: data.View.Columns[0]}, RowSpan: 1 + m.r.IntN(3),
				ColSpan: 1 + m.r.IntN(3),
			})
		}
	}
	return n
}
