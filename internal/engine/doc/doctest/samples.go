// Package doctest makes documents for tests: samples that show every type of block, inline and mark with every
// attribute in every place, and random ones.
//
// Samples come from the types of package doc by reflection, so that a new type or attribute is in them the day it is
// added; a test of this package fails on a type that it does not know.
package doctest

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/engine/doc"
)

// Sample is a document about one type.
type Sample struct {
	// Name says what it shows.
	Name     string
	Document *doc.Document
}

// Blocks, Inlines and Marks are the types that samples are made of.
var (
	Blocks = []doc.Type{
		doc.Paragraph, doc.Heading1, doc.Heading2, doc.Heading3, doc.ListOrdered, doc.ListUnordered, doc.ListTasks,
		doc.ListItem, doc.Divider,
		doc.Blockquote, doc.Hint, doc.Code, doc.CodeLine, doc.Math, doc.Images, doc.Image, doc.File, doc.Drawing,
		doc.Embed, doc.Expandable,
		doc.Tabs, doc.TabsItem, doc.Stepper, doc.StepperStep, doc.Columns, doc.Column, doc.Updates, doc.Update,
		doc.Prompt, doc.If, doc.Table,
		doc.ContentRefBlock, doc.ReusableContent, doc.Integration, doc.Swagger, doc.OpenAPIOperation,
		doc.OpenAPISchemas, doc.OpenAPIWebhook, doc.Raw,
	}
	Inlines = []doc.Type{
		doc.Link, doc.Annotation, doc.Emoji, doc.Icon, doc.Expression, doc.InlineMath, doc.InlineImage, doc.Mention,
		doc.Button, doc.RawInline,
	}
	Marks = []doc.MarkType{
		doc.Bold, doc.Italic, doc.CodeMark, doc.Keyboard, doc.Strikethrough, doc.Superscript, doc.Subscript, doc.Color,
	}
)

// Targets are the references that samples use.
type Targets struct {
	// Links are what links, mentions, buttons and content references lead to.
	Links []doc.Ref
	// Files are what images, drawings and downloads show.
	Files []doc.Ref
	// Reusable is a reusable content.
	Reusable doc.Ref
}

// Samples returns a document for each type of block, each type of inline, and the marks.
func Samples(targets Targets) []Sample {
	maker := sampler{targets}
	var samples []Sample
	for _, t := range Blocks {
		samples = append(samples, Sample{"block " + string(t), maker.everywhere(maker.block(t))})
	}
	for _, t := range Inlines {
		samples = append(samples, Sample{"inline " + string(t), maker.lines(maker.inlines(t))})
	}
	return append(samples, Sample{"marks", maker.lines(maker.marked())})
}

// sampler makes samples.
type sampler struct{ targets Targets }

// everywhere puts blocks one after the other into a document, and one of them into everything that holds blocks.
func (s sampler) everywhere(blocks []*doc.Node) *doc.Document {
	d := &doc.Document{}
	for i, block := range blocks {
		d.Nodes = append(d.Nodes, block.Clone(), doc.NewParagraph(doc.NewText(fmt.Sprintf("Behind number %d.", i+1))))
	}
	for i, container := range containers {
		inner := blocks[i%len(blocks)].Clone()
		d.Nodes = append(d.Nodes, container(inner), container(doc.NewParagraph(doc.NewText("Before.")), inner.Clone(),
			doc.NewParagraph(doc.NewText("Behind."))))
		around := containers[(i+1)%len(containers)]
		d.Nodes = append(d.Nodes, around(container(inner.Clone())))
	}
	return d
}

// lines puts inlines into every place for them.
func (s sampler) lines(inlines []*doc.Node) *doc.Document {
	var blocks []*doc.Node
	for _, inline := range inlines {
		blocks = append(blocks, doc.NewParagraph(doc.NewText("Before "), inline.Clone(), doc.NewText(" behind.")),
			doc.NewParagraph(inline.Clone()),
			doc.NewBlock(doc.Heading1, &doc.HeadingData{}, doc.NewText("Heading "), inline.Clone()))
	}
	d := s.everywhere(blocks)
	all := slices.Clone(inlines)
	for i := range all {
		all[i] = all[i].Clone()
	}
	d.Nodes = append(d.Nodes, doc.NewParagraph(all...))
	return d
}

// containers put blocks into a block that holds others.
var containers = []func(inner ...*doc.Node) *doc.Node{
	func(inner ...*doc.Node) *doc.Node { return doc.NewBlock(doc.Blockquote, nil, inner...) },
	func(inner ...*doc.Node) *doc.Node {
		return doc.NewBlock(doc.Hint, &doc.HintData{Style: "info"}, inner...)
	},
	func(inner ...*doc.Node) *doc.Node {
		return doc.NewBlock(doc.ListUnordered, nil, doc.NewBlock(doc.ListItem, nil, inner...))
	},
	func(inner ...*doc.Node) *doc.Node {
		return doc.NewBlock(doc.ListOrdered, nil, doc.NewBlock(doc.ListItem, nil,
			append([]*doc.Node{doc.NewParagraph(doc.NewText("Item."))}, inner...)...))
	},
	func(inner ...*doc.Node) *doc.Node {
		return doc.NewBlock(doc.Tabs, nil, doc.NewBlock(doc.TabsItem, &doc.TabsItemData{Title: "One"}, inner...),
			doc.NewBlock(doc.TabsItem, &doc.TabsItemData{Title: "Two"}, clones(inner)...))
	},
	func(inner ...*doc.Node) *doc.Node {
		return doc.NewBlock(doc.Stepper, nil, doc.NewBlock(doc.StepperStep, nil, inner...),
			doc.NewBlock(doc.StepperStep, nil, clones(inner)...))
	},
	func(inner ...*doc.Node) *doc.Node {
		return doc.NewBlock(doc.Columns, nil, doc.NewBlock(doc.Column, nil, inner...),
			doc.NewBlock(doc.Column, nil, clones(inner)...))
	},
	func(inner ...*doc.Node) *doc.Node {
		return doc.NewBlock(doc.Updates, nil, doc.NewBlock(doc.Update, &doc.UpdateData{Date: "2026-02-03"}, inner...))
	},
	func(inner ...*doc.Node) *doc.Node {
		return doc.NewBlock(doc.If, &doc.ExpressionData{Expression: `visitor.claims.plan == "pro"`}, inner...)
	},
	func(inner ...*doc.Node) *doc.Node {
		return expandable(doc.NewParagraph(doc.NewText("More")), inner...)
	},
	func(inner ...*doc.Node) *doc.Node { return table("grid", "A cell", inner...) },
	func(inner ...*doc.Node) *doc.Node { return table("cards", "A card", inner...) },
}

func clones(nodes []*doc.Node) []*doc.Node {
	copies := make([]*doc.Node, len(nodes))
	for i, node := range nodes {
		copies[i] = node.Clone()
	}
	return copies
}

func expandable(title *doc.Node, body ...*doc.Node) *doc.Node {
	node := doc.NewBlock(doc.Expandable, &doc.ExpandableData{})
	node.Fragments = []*doc.Node{doc.NewFragment(doc.FragmentExpandableTitle, title),
		doc.NewFragment(doc.FragmentExpandableBody, body...)}
	return node
}

// table makes a table of one column and row.
func table(view, title string, cell ...*doc.Node) *doc.Node {
	node := doc.NewBlock(doc.Table, &doc.TableData{
		View:       doc.TableView{Type: view, Columns: []string{"c1"}},
		Definition: map[string]*doc.TableDefinition{"c1": {ID: "c1", Title: title, Type: "text"}},
		Records:    map[string]doc.TableRecord{"r1": {OrderIndex: "0", Values: map[string]any{"c1": "cell"}}},
	})
	node.Fragments = []*doc.Node{doc.NewFragment("cell", cell...)}
	return node
}

// block returns blocks that show a type with each value of each attribute. Blocks that live in another alone come in
// it.
func (s sampler) block(t doc.Type) []*doc.Node {
	var blocks []*doc.Node
	for _, data := range s.attributes(t) {
		blocks = append(blocks, s.filled(t, data))
	}
	if t == doc.Table {
		blocks = append(blocks, s.tables()...)
	}
	if t == doc.Raw {
		blocks = []*doc.Node{
			doc.NewBlock(doc.Raw, &doc.RawData{Source: `{% unknown with="this" %}`, Syntax: "tag"}),
			doc.NewBlock(doc.Raw, &doc.RawData{Source: "<section><video src=\"a.mp4\"></video></section>",
				Syntax: "html"}),
		}
	}
	return blocks
}

// filled makes one block with content.
func (s sampler) filled(t doc.Type, data any) *doc.Node {
	text := func(words string) *doc.Node { return doc.NewParagraph(doc.NewText(words)) }
	node := doc.NewBlock(t, data)
	caption := func() *doc.Node {
		node.Fragments = []*doc.Node{doc.NewFragment(doc.FragmentCaption, text("A caption"))}
		return node
	}
	switch t {
	case doc.Paragraph, doc.Heading1, doc.Heading2, doc.Heading3:
		node.Nodes = []*doc.Node{doc.NewText("Words of it")}
	case doc.ListOrdered, doc.ListUnordered:
		node.Nodes = []*doc.Node{doc.NewBlock(doc.ListItem, nil, text("One")), doc.NewBlock(doc.ListItem, nil,
			text("Two"))}
	case doc.ListTasks:
		node.Nodes = []*doc.Node{doc.NewBlock(doc.ListItem, &doc.ListItemData{Checked: new(true)}, text("Done"))}
	case doc.ListItem:
		node.Nodes = []*doc.Node{text("An item")}
		if data.(*doc.ListItemData).Checked != nil {
			return doc.NewBlock(doc.ListTasks, nil, node)
		}
		return doc.NewBlock(doc.ListUnordered, nil, node)
	case doc.Blockquote, doc.Hint, doc.If:
		node.Nodes = []*doc.Node{text("One."), text("Two.")}
	case doc.Code:
		node.Nodes = doc.NewCode(nil, "first();", "", "  second(\"<b>\") // {% hint %}").Nodes
	case doc.CodeLine:
		node.Nodes = []*doc.Node{doc.NewText("line()")}
		return doc.NewBlock(doc.Code, &doc.CodeData{Syntax: "js"}, doc.NewCode(nil, "before()").Nodes[0], node)
	case doc.Images:
		node.Nodes = []*doc.Node{doc.NewBlock(doc.Image, &doc.ImageData{Ref: s.targets.Files[0], Alt: "A picture"})}
	case doc.Image:
		return doc.NewBlock(doc.Images, nil, caption(),
			doc.NewBlock(doc.Image, &doc.ImageData{Ref: s.targets.Files[0]}))
	case doc.File, doc.Drawing, doc.Embed:
		return caption()
	case doc.Expandable:
		filled := expandable(text("A title"), text("One."), text("Two."))
		filled.Data = data
		return filled
	case doc.Tabs:
		node.Nodes = []*doc.Node{doc.NewBlock(doc.TabsItem, &doc.TabsItemData{Title: "One"}, text("First.")),
			doc.NewBlock(doc.TabsItem, &doc.TabsItemData{Title: "Two"}, text("Second."))}
	case doc.TabsItem:
		node.Nodes = []*doc.Node{text("In a tab.")}
		return doc.NewBlock(doc.Tabs, nil, node, node.Clone())
	case doc.Stepper:
		node.Nodes = []*doc.Node{doc.NewBlock(doc.StepperStep, nil, doc.NewBlock(doc.Heading2, nil,
			doc.NewText("Step")), text("Do it."))}
	case doc.StepperStep:
		node.Nodes = []*doc.Node{text("A step.")}
		return doc.NewBlock(doc.Stepper, nil, node, node.Clone())
	case doc.Columns:
		node.Nodes = []*doc.Node{doc.NewBlock(doc.Column, nil, text("Left")),
			doc.NewBlock(doc.Column, nil, text("Right"))}
	case doc.Column:
		node.Nodes = []*doc.Node{text("A column.")}
		return doc.NewBlock(doc.Columns, nil, node, node.Clone())
	case doc.Updates:
		node.Nodes = []*doc.Node{doc.NewBlock(doc.Update, &doc.UpdateData{Date: "2026-01-02"}, text("New."))}
	case doc.Update:
		node.Nodes = []*doc.Node{text("An update.")}
		return doc.NewBlock(doc.Updates, nil, node, node.Clone())
	case doc.Prompt:
		node.Nodes = []*doc.Node{doc.NewCode(nil, "Write a poem.")}
	case doc.Table:
		filled := table("grid", "A column", text("A cell"))
		mine, theirs := data.(*doc.TableData), filled.Data.(*doc.TableData)
		mine.View.Columns, mine.Definition, mine.Records = theirs.View.Columns, theirs.Definition, theirs.Records
		if mine.View.Type == "" {
			mine.View.Type = "grid"
		}
		filled.Data = mine
		return filled
	}
	return node
}

// inlines returns inlines that show a type with each value of each attribute.
func (s sampler) inlines(t doc.Type) []*doc.Node {
	var nodes []*doc.Node
	for _, data := range s.attributes(t) {
		node := doc.NewInline(t, data)
		switch t {
		case doc.Link:
			node.Nodes = []*doc.Node{doc.NewText("linked "), doc.NewText("words", doc.Mark{Type: doc.Bold})}
		case doc.Annotation:
			node.Nodes = []*doc.Node{doc.NewText("noted")}
			node.Fragments = []*doc.Node{doc.NewFragment(doc.FragmentAnnotationBody,
				doc.NewParagraph(doc.NewText("The note.")))}
		case doc.RawInline:
			node.Data = &doc.RawData{Source: "<!-- aside -->", Syntax: "html"}
		}
		nodes = append(nodes, node)
	}
	return nodes
}

// marked returns texts with each mark and each pair of marks.
func (s sampler) marked() []*doc.Node {
	mark := func(t doc.MarkType) doc.Mark {
		if t == doc.Color {
			return doc.Mark{Type: t, Text: "red", Background: "$primary"}
		}
		return doc.Mark{Type: t}
	}
	var texts []*doc.Node
	for i, one := range Marks {
		texts = append(texts, doc.NewText("marked", mark(one)))
		for _, other := range Marks[i+1:] {
			texts = append(texts, doc.NewText("*odd* & <twice>", mark(one), mark(other)))
		}
	}
	return append(texts, doc.NewText("coloured", doc.Mark{Type: doc.Color, Text: "blue", Background: "default"}),
		doc.NewText("behind", doc.Mark{Type: doc.Color, Text: "default", Background: "green"}))
}

// attributes returns the attributes of a type: those that it needs alone, and with each value of each of the others.
func (s sampler) attributes(t doc.Type) []any {
	plain := func() reflect.Value {
		data := reflect.ValueOf(doc.DataFor(t))
		for name, value := range s.required(t) {
			data.Elem().FieldByName(name).Set(reflect.ValueOf(value))
		}
		return data
	}
	list := []any{plain().Interface()}
	full := plain()
	var walk func(path []int, of reflect.Type)
	walk = func(path []int, of reflect.Type) {
		for i := range of.NumField() {
			field, at := of.Field(i), slices.Concat(path, []int{i})
			if field.Type == reflect.TypeFor[doc.TableView]() {
				walk(at, field.Type)
				continue
			}
			for _, value := range s.values(t, field) {
				data := plain()
				data.Elem().FieldByIndex(at).Set(reflect.ValueOf(value))
				list = append(list, data.Interface())
				full.Elem().FieldByIndex(at).Set(reflect.ValueOf(value))
			}
		}
	}
	walk(nil, full.Elem().Type())
	return append(list, full.Interface())
}

// required are the attributes without which a type says nothing.
func (s sampler) required(t doc.Type) map[string]any {
	specification := doc.Ref{Kind: doc.RefOpenAPI, Spec: "pets"}
	switch t {
	case doc.Hint:
		return map[string]any{"Style": "warning"}
	case doc.Math, doc.InlineMath:
		return map[string]any{"Formula": `\frac{a_1}{b_2} < c`}
	case doc.Image, doc.InlineImage, doc.File, doc.Drawing:
		return map[string]any{"Ref": s.targets.Files[0]}
	case doc.Link, doc.ContentRefBlock, doc.Mention:
		return map[string]any{"Ref": s.targets.Links[0]}
	case doc.Embed:
		return map[string]any{"URL": "https://video.example/watch?a=1&b=2"}
	case doc.Update:
		return map[string]any{"Date": "2026-03-04"}
	case doc.Prompt:
		return map[string]any{"Description": "Ask it"}
	case doc.If, doc.Expression:
		return map[string]any{"Expression": `page.vars.level > 1 && "a" != space.vars.b`}
	case doc.ReusableContent:
		return map[string]any{"Ref": s.targets.Reusable}
	case doc.Integration:
		return map[string]any{"Integration": "mermaid", "Block": "diagram",
			"Props": map[string]any{"content": "graph TD\nA-->B"}}
	case doc.Swagger:
		return map[string]any{"Ref": doc.URL("https://api.example/openapi.json"), "Path": "/pets/{id}", "Method": "get"}
	case doc.OpenAPIOperation:
		return map[string]any{"Ref": specification, "Path": "/pets/{id}", "Method": "delete"}
	case doc.OpenAPISchemas:
		return map[string]any{"Ref": specification, "Schemas": []string{"Pet", "Error"}}
	case doc.OpenAPIWebhook:
		return map[string]any{"Ref": specification, "Name": "newPet", "Method": "post"}
	case doc.Emoji:
		return map[string]any{"Code": "1f389"}
	case doc.Icon:
		return map[string]any{"Icon": "rocket"}
	case doc.Button:
		return map[string]any{"Label": "Press & <see>", "Kind": "primary"}
	}
	return nil
}

// choices are the values of attributes that have few.
var choices = map[string]string{
	"Style": "info success warning danger", "Overflow": "scroll wrap", "VerticalAlignment": "top middle bottom",
	"Format":          "full short numeric",
	"DefaultExpanded": "hidden partial full", "Kind": "primary secondary", "Size": "small medium large original line",
	"CardSize": "medium large",
	"Color":    "red $primary", "Method": "get post", "Type": "grid cards", "Slug": "a-slug", "ID": "an-anchor",
	"Icon": "gear", "Code": "2728 1f1e9-1f1ea",
	"Date": "2026-12-31", "Syntax": "go c++", "Integration": "widget", "Block": "card",
}

// values are what one attribute is tried with.
func (s sampler) values(t doc.Type, field reflect.StructField) []any {
	var values []any
	add := func(more ...any) []any { return append(values, more...) }
	switch reflect.Zero(field.Type).Interface().(type) {
	case string:
		switch {
		case field.Name == "Align" && t == doc.Images:
			return add("left", "center", "right")
		case field.Name == "Align":
			return add("start", "center", "end")
		case choices[field.Name] != "":
			for choice := range strings.FieldsSeq(choices[field.Name]) {
				values = add(choice)
			}
			return values
		case field.Name == "BaseURL" || field.Name == "URL":
			return add("https://base.example/v1?a=1&b=2")
		case field.Name == "Expression":
			return add(`visitor.claims.name != "Odd & <b>'s %"`, "space.vars.größe > 2")
		case strings.HasPrefix(field.Name, "Target") || strings.HasPrefix(field.Name, "Cover"):
			return nil // columns of a table of their own; see tables
		case t == doc.If && field.Name == "Expression":
			// What cannot be read is refused.
			return add(`visitor.claims.name == "O'Neil & <b>" && !page.hidden`, `"日本" in visitor.claims.unsigned.tags`)
		case t == doc.Swagger && field.Name == "Path":
			return add("/pets/{id}/toys")
		}
		return add("Plain words", `Odd "words" & <b>'s %`, "ünïcode 日本")
	case bool:
		return add(true)
	case *bool:
		return add(new(true), new(false))
	case *int:
		return add(new(7))
	case *doc.Length:
		return add(&doc.Length{Value: 300}, &doc.Length{Unit: "%", Value: 33.5})
	case []string:
		return add([]string{"One", "Two"})
	case *doc.ButtonAction:
		return add(&doc.ButtonAction{Action: "ask", Query: "How?"}, &doc.ButtonAction{Action: "search", Query: "words"})
	case doc.Ref:
		return s.references(t)
	case *doc.Ref:
		for _, ref := range s.references(t) {
			values = add(new(ref.(doc.Ref)))
		}
		return values
	case []doc.Ref:
		return add([]doc.Ref{{Kind: doc.RefTag, Tag: "new"}}, []doc.Ref{{Kind: doc.RefTag, Tag: "new"},
			{Kind: doc.RefTag, Tag: "breaking"}})
	case map[string]any:
		return add(map[string]any{"text": "one \"two\"", "number": 1.5, "list": []any{"a", nil, true},
			"odd key": "x%}"})
	}
	return nil
}

func (s sampler) references(t doc.Type) []any {
	var list []any
	from := s.targets.Links
	switch t {
	case doc.ReusableContent, doc.OpenAPIOperation, doc.OpenAPISchemas, doc.OpenAPIWebhook:
		return nil
	case doc.Image, doc.InlineImage, doc.File, doc.Drawing, doc.Swagger:
		from = s.targets.Files
	}
	for _, ref := range from {
		list = append(list, ref)
	}
	return list
}

// tables returns tables with a column of each type, and with merged cells.
func (s sampler) tables() []*doc.Node {
	link, file := s.targets.Links[0], s.targets.Files[0]
	columns := []struct {
		definition doc.TableDefinition
		value      any
	}{
		{doc.TableDefinition{Type: "text", TextAlignment: "center", VerticalAlignment: "middle"}, "cell"},
		{doc.TableDefinition{Type: "number", TextAlignment: "right"}, 1.5},
		{doc.TableDefinition{Type: "checkbox"}, true},
		{doc.TableDefinition{Type: "rating", Max: new(5)}, 3.0},
		{doc.TableDefinition{Type: "select", Multiple: new(true),
			Options: []doc.SelectOption{{Value: "a", Label: "A & B", Color: "red"},
				{Value: "b", Label: "B", Color: "blue"}}}, []string{"a", "b"}},
		{doc.TableDefinition{Type: "files"}, []string{file.Destination()}},
		{doc.TableDefinition{Type: "users"}, []string{"user_1"}},
		{doc.TableDefinition{Type: "content-ref"}, link},
		{doc.TableDefinition{Type: "image"}, doc.ImageRecord{Ref: file, ObjectFit: "cover", Alt: "A picture"}},
	}
	var tables []*doc.Node
	for _, view := range []string{"grid", "cards"} {
		data := &doc.TableData{
			View:       doc.TableView{Type: view, ColumnWidths: map[string]float64{}},
			Definition: map[string]*doc.TableDefinition{}, Records: map[string]doc.TableRecord{},
		}
		values := map[string]any{}
		for i, column := range columns {
			id := fmt.Sprintf("c%d", i+1)
			definition := column.definition
			definition.ID, definition.Title = id, "Column "+id
			data.Definition[id], values[id] = &definition, column.value
			data.View.Columns = append(data.View.Columns, id)
		}
		data.View.ColumnWidths["c1"] = 200
		if view == "cards" {
			data.View.TargetDefinition, data.View.CoverDefinition = "c8", "c9"
		}
		data.Records["r1"] = doc.TableRecord{OrderIndex: "0", Values: values}
		data.Records["r2"] = doc.TableRecord{OrderIndex: "1", Values: map[string]any{"c1": "other", "c3": false}}
		if view == "grid" {
			data.CellMerges = []doc.CellMerge{{Anchor: doc.CellAnchor{Record: "r1", Column: "c1"}, RowSpan: 2,
				ColSpan: 1}}
		}
		node := doc.NewBlock(doc.Table, data)
		node.Fragments = []*doc.Node{
			doc.NewFragment("cell", doc.NewParagraph(doc.NewText("A "), doc.NewText("cell", doc.Mark{Type: doc.Bold}))),
			doc.NewFragment("other", doc.NewParagraph(doc.NewText("One.")), doc.NewParagraph(doc.NewText("Two."))),
			doc.NewFragment(doc.FragmentColumnTitle+"c1", doc.NewParagraph(doc.NewText("Column "),
				doc.NewText("c1", doc.Mark{Type: doc.Italic}))),
		}
		tables = append(tables, node)
	}
	return tables
}
