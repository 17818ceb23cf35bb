package render

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/engine/doc"
)

// tableView is a table made ready: its visible columns and its rows in order.
type tableView struct {
	node    *doc.Node
	data    *doc.TableData
	columns []*doc.TableDefinition
	rows    []tableRow
	// fragments are the contents of text cells by name, texts their texts once they were asked for: many cells may
	// name one fragment.
	fragments map[string]*doc.Node
	texts     map[string]string
}

type tableRow struct {
	id     string
	record doc.TableRecord
}

// minSearchRows is the length from which a grid offers to filter its rows.
const minSearchRows = 7

// readTable sorts rows by their order index and finds the columns that show.
func readTable(n *doc.Node) *tableView {
	v := &tableView{node: n, data: dataOf[doc.TableData](n), fragments: make(map[string]*doc.Node, len(n.Fragments)),
		texts: map[string]string{}}
	for _, fragment := range n.Fragments {
		if _, known := v.fragments[fragment.Fragment]; !known {
			v.fragments[fragment.Fragment] = fragment
		}
	}
	for _, id := range v.data.View.Columns {
		if definition := v.data.Definition[id]; definition != nil {
			column := *definition
			column.ID = id
			v.columns = append(v.columns, &column)
		}
	}
	for id, record := range v.data.Records {
		v.rows = append(v.rows, tableRow{id, record})
	}
	slices.SortFunc(v.rows, func(a, b tableRow) int {
		return cmp.Or(cmp.Compare(a.record.OrderIndex, b.record.OrderIndex), cmp.Compare(a.id, b.id))
	})
	return v
}

func (p *page) table(n *doc.Node, in blockContext) {
	v := readTable(n)
	if cells := len(v.rows) * max(len(v.columns), 1); cells > p.options.Limits.Cells {
		p.fail(errs.New(errs.TooLarge, "a table on the page has %d cells; %d can be shown", cells,
			p.options.Limits.Cells))
		return
	}
	search := v.data.Search == nil && len(v.rows) >= minSearchRows && v.data.View.Type != "cards" ||
		isSet(v.data.Search)
	if v.data.View.Type == "cards" {
		p.cards(v, in, search)
		return
	}
	p.grid(v, in, search)
}

func (p *page) grid(v *tableView, in blockContext, search bool) {
	view := v.data.View
	p.open("div", "class", classes("block-table", when(isSet(v.data.FullWidth), "is-full"),
		when(view.HideHeader, "table-headless"),
		when(isSet(view.StickyHeader), "table-sticky-header"), when(isSet(view.StickyFirstColumn),
			"table-sticky-column")),
		"data-table-search", present(search))
	p.open("div", "class", "table-scroll", "role", "group", "aria-label", p.labels.Table, "tabindex", "0")
	p.raw("<table>")
	p.columnWidths(v)
	if slices.ContainsFunc(v.columns, v.isTitled) {
		p.raw("<thead><tr>")
		for _, column := range v.columns {
			// An empty header cell names nothing, so it is no header.
			tag, scope := "th", "col"
			if !v.isTitled(column) {
				tag, scope = "td", ""
			}
			p.open(tag, "scope", scope, "class", cellClass(column))
			p.inlines(v.title(column))
			p.close(tag)
		}
		p.raw("</tr></thead>\n")
	}
	p.raw("<tbody>\n")
	spans := v.spans()
	for r, row := range v.rows {
		p.raw("<tr>")
		for c, column := range v.columns {
			span, merged := spans[cellPlace{r, c}]
			if merged && span.rows == 0 {
				continue
			}
			p.open("td", "class", cellClass(column), "rowspan", spanText(span.rows), "colspan", spanText(span.columns))
			p.cell(v, column, row, in)
			p.raw("</td>")
		}
		p.raw("</tr>\n")
	}
	p.raw("</tbody></table></div></div>\n")
}

// isTitled reports whether the header of a column shows something.
func (v *tableView) isTitled(column *doc.TableDefinition) bool { return v.title(column) != nil }

// title returns the inlines of a column's title, none when it has no title.
func (v *tableView) title(column *doc.TableDefinition) []*doc.Node {
	if v.node.FormattedTitle(column.ID) == nil && strings.TrimSpace(column.Title) == "" {
		return nil // white space names nothing
	}
	return v.node.ColumnTitle(column.ID)
}

func spanText(count int) string {
	if count < 2 {
		return ""
	}
	return strconv.Itoa(count)
}

func (p *page) columnWidths(v *tableView) {
	if len(v.data.View.ColumnWidths) == 0 {
		return
	}
	p.raw("<colgroup>")
	for _, column := range v.columns {
		width := v.data.View.ColumnWidths[column.ID]
		text := ""
		if width >= 1 && width <= 10_000 {
			text = strconv.Itoa(int(math.Round(width)))
		}
		p.open("col", "width", text)
	}
	p.raw("</colgroup>")
}

func cellClass(column *doc.TableDefinition) string {
	return classes(oneOf("align-", column.TextAlignment, "center", "right"), oneOf("valign-", column.VerticalAlignment,
		"top", "middle", "bottom"))
}

// cellPlace is a row and a column by number; cellSpan is how much of the grid a cell takes, none when another covers
// it.
type (
	cellPlace struct{ row, column int }
	cellSpan  struct{ rows, columns int }
)

// maxSpan is how far cells can be merged.
const maxSpan = 50

// spans works out merged cells. A merge that leaves the grid is cut; one that meets an earlier one is left out.
func (v *tableView) spans() map[cellPlace]cellSpan {
	spans := map[cellPlace]cellSpan{}
	rowOf := map[string]int{}
	if len(v.data.CellMerges) > 0 {
		for i, row := range v.rows {
			rowOf[row.id] = i
		}
	}
	for _, merge := range v.data.CellMerges {
		row, known := rowOf[merge.Anchor.Record]
		column := slices.IndexFunc(v.columns, func(c *doc.TableDefinition) bool { return c.ID == merge.Anchor.Column })
		if !known || column < 0 {
			continue
		}
		span := cellSpan{
			min(max(merge.RowSpan, 1), maxSpan, len(v.rows)-row),
			min(max(merge.ColSpan, 1), maxSpan, len(v.columns)-column),
		}
		covered := func(yield func(cellPlace) bool) {
			for r := range span.rows {
				for c := range span.columns {
					if !yield(cellPlace{row + r, column + c}) {
						return
					}
				}
			}
		}
		free := true
		for place := range covered {
			if _, taken := spans[place]; taken {
				free = false
			}
		}
		if !free {
			continue
		}
		for place := range covered {
			spans[place] = cellSpan{}
		}
		spans[cellPlace{row, column}] = span
	}
	return spans
}

// cell appends what a row has in a column.
func (p *page) cell(v *tableView, column *doc.TableDefinition, row tableRow, in blockContext) {
	value := row.record.Values[column.ID]
	switch column.Type {
	case "checkbox":
		p.checkCell(value == true)
	case "rating":
		p.ratingCell(value, column.Max)
	case "select":
		p.selectCell(value, column.Options)
	case "content-ref":
		if ref, ok := refOf(value); ok {
			l := p.resolve(ref)
			tag := p.openLink("link", l)
			p.text(l.name())
			p.closeLink(tag)
		}
	case "image":
		p.imageCell(value, "cell-image")
	case "files", "users":
		p.listCell(value, column.Type)
	case "number":
		p.text(scalarText(value))
	default:
		if name, ok := value.(string); ok {
			if fragment := v.fragments[name]; fragment != nil {
				p.bareBlocks(fragment.Nodes, in)
			}
			return
		}
		p.text(scalarText(value))
	}
}

// scalarText prints a number, and a text where a number was expected.
func scalarText(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case int:
		return strconv.Itoa(v)
	}
	return ""
}

func (p *page) checkCell(checked bool) {
	name := p.labels.No
	if checked {
		name = p.labels.Yes
	}
	p.open("span", "class", classes("cell-check", when(checked, "is-checked")), "role", "img", "aria-label", name)
	if checked {
		p.icon("check")
	}
	p.raw("</span>")
}

func (p *page) ratingCell(value any, limit *int) {
	rating, ok := value.(float64)
	if !ok {
		return
	}
	top := 5
	if limit != nil {
		top = min(max(*limit, 1), 20)
	}
	stars := int(min(max(rating, 0), float64(top)))
	p.open("span", "class", "cell-rating", "role", "img", "aria-label", label(p.labels.Rating, scalarText(rating),
		strconv.Itoa(top)))
	p.raw(strings.Repeat("★", stars), strings.Repeat("☆", top-stars), "</span>")
}

func (p *page) selectCell(value any, options []doc.SelectOption) {
	for i, id := range stringsOf(value) {
		if i > 0 {
			p.raw(" ")
		}
		option := doc.SelectOption{Value: id, Label: id}
		if at := slices.IndexFunc(options, func(o doc.SelectOption) bool { return o.Value == id }); at >= 0 {
			option = options[at]
		}
		p.open("span", "class", classes("option", colorClass("color-", option.Color)))
		p.text(firstText(option.Label, option.Value))
		p.raw("</span>")
	}
}

// stringsOf reads one string or a list of them.
func stringsOf(value any) []string {
	switch v := value.(type) {
	case string:
		if v != "" {
			return []string{v}
		}
	case []string:
		return v
	case []any:
		var out []string
		for _, element := range v {
			if s, ok := element.(string); ok {
				out = append(out, s)
			}
		}
		return out
	}
	return nil
}

// refOf reads a reference, also from an image record and from one that was decoded without its type.
func refOf(value any) (doc.Ref, bool) {
	switch v := value.(type) {
	case doc.Ref:
		return v, v.Kind != ""
	case *doc.Ref:
		if v != nil {
			return *v, v.Kind != ""
		}
	case doc.ImageRecord:
		return v.Ref, v.Ref.Kind != ""
	case *doc.ImageRecord:
		if v != nil {
			return v.Ref, v.Ref.Kind != ""
		}
	}
	return doc.Ref{}, false
}

func (p *page) imageCell(value any, class string) {
	ref, ok := refOf(value)
	if !ok {
		return
	}
	image := picture{ref: ref, class: class}
	if record, ok := value.(doc.ImageRecord); ok {
		image.alt = record.Alt
	}
	p.picture(image)
}

// listCell appends files and people: ids, or references.
func (p *page) listCell(value any, kind string) {
	var refs []doc.Ref
	if ref, ok := refOf(value); ok {
		refs = append(refs, ref)
	}
	for _, id := range stringsOf(value) {
		switch kind {
		case "users":
			refs = append(refs, doc.Ref{Kind: doc.RefUser, User: id})
		default:
			refs = append(refs, fileRef(id))
		}
	}
	for i, ref := range refs {
		if i > 0 {
			p.raw(", ")
		}
		if kind == "users" {
			p.mention(ref)
			continue
		}
		l := p.resolve(ref)
		tag := p.openLink("cell-file", l)
		p.text(firstText(l.Title, fileName(l.written)))
		p.closeLink(tag)
	}
}

// fileRef reads a file cell: a file's id, or an address as written in Markdown.
func fileRef(value string) doc.Ref {
	if strings.ContainsAny(value, "/.#") {
		return doc.URL(value)
	}
	return doc.Ref{Kind: doc.RefFile, File: value}
}

func (p *page) cards(v *tableView, in blockContext, search bool) {
	view := v.data.View
	p.open("ul", "class", classes("block-cards", firstText(oneOf("cards-", view.CardSize, "medium", "large"),
		"cards-medium"),
		when(view.Wrap != nil && !*view.Wrap, "cards-no-wrap"), when(isSet(v.data.FullWidth), "is-full")),
		"data-table-search", present(search))
	for _, row := range v.rows {
		target, hasTarget := refOf(row.record.Values[view.TargetDefinition])
		l := link{}
		if hasTarget {
			l = p.resolve(target)
		}
		linked := l.href != "" && p.linked == 0
		p.open("li", "class", classes("card", when(linked, "card-linked"), when(hasTarget && l.Broken, "is-broken")))
		p.cover(view, row)
		p.raw(`<div class="card-body">`)
		title := p.cardFields(v, row, in)
		p.raw("</div>")
		if linked {
			p.open("a", append(p.anchorAttributes("card-target", l), "aria-label",
				firstText(title, l.Title, l.name()))...)
			p.raw("</a>")
		}
		p.raw("</li>\n")
	}
	p.raw("</ul>\n")
}

// cardFields appends the fields of a card that have something to say, and returns the text of the first.
func (p *page) cardFields(v *tableView, row tableRow, in blockContext) string {
	title := ""
	for _, column := range v.columns {
		id := column.ID
		if id == v.data.View.CoverDefinition || id == v.data.View.CoverDefinitionDark ||
			id == v.data.View.TargetDefinition {
			continue
		}
		text := v.cellText(column, row)
		if text == "" && !v.cellShows(column, row) {
			continue
		}
		title = firstText(title, shorten(text, 120))
		p.raw(`<div class="card-field">`)
		if hide := v.data.View.HideColumnTitle; hide != nil && !*hide && column.Title != "" {
			p.raw(`<span class="card-label">`)
			p.text(column.Title)
			p.raw(`</span>`)
		}
		p.cell(v, column, row, in)
		p.raw("</div>")
	}
	return title
}

func (p *page) cover(view doc.TableView, row tableRow) {
	value := row.record.Values[view.CoverDefinition]
	ref, ok := coverRef(value)
	if !ok {
		return
	}
	image := picture{ref: ref}
	fit := ""
	if record, ok := value.(doc.ImageRecord); ok {
		image.alt = record.Alt
		fit = oneOf("fit-", record.ObjectFit, "contain", "cover", "fill")
	}
	if dark, ok := coverRef(row.record.Values[view.CoverDefinitionDark]); ok {
		image.dark = &dark
	}
	p.open("div", "class", classes("card-cover", fit))
	p.picture(image)
	p.raw("</div>")
}

// coverRef is a card's cover: an image, or the first of a list of files.
func coverRef(value any) (doc.Ref, bool) {
	if ref, ok := refOf(value); ok {
		return ref, true
	}
	if files := stringsOf(value); len(files) > 0 {
		return fileRef(files[0]), true
	}
	return doc.Ref{}, false
}

// cellShows reports whether a cell prints something that is not text: an image, a file, a mark.
func (v *tableView) cellShows(column *doc.TableDefinition, row tableRow) bool {
	value := row.record.Values[column.ID]
	switch column.Type {
	case "image", "files", "users", "content-ref":
		_, ok := refOf(value)
		return ok || len(stringsOf(value)) > 0
	case "checkbox", "rating", "number":
		return value != nil
	case "select":
		return len(stringsOf(value)) > 0
	}
	name, _ := value.(string)
	fragment := v.fragments[name]
	return fragment != nil && speaks(fragment)
}

// cellText is the text of a cell, as search and plain text have it.
func (v *tableView) cellText(column *doc.TableDefinition, row tableRow) string {
	value := row.record.Values[column.ID]
	switch column.Type {
	case "number", "rating":
		return scalarText(value)
	case "select":
		var labels []string
		for _, id := range stringsOf(value) {
			text := id
			for _, option := range column.Options {
				if option.Value == id {
					text = firstText(option.Label, id)
				}
			}
			labels = append(labels, text)
		}
		return strings.Join(labels, ", ")
	case "checkbox", "image", "files", "users", "content-ref":
		return ""
	}
	name, _ := value.(string)
	fragment := v.fragments[name]
	if fragment == nil {
		return ""
	}
	text, known := v.texts[name]
	if !known {
		var w textWriter
		w.blocks(fragment.Nodes)
		text = strings.Join(strings.Fields(w.String()), " ")
		v.texts[name] = text
	}
	return text
}
