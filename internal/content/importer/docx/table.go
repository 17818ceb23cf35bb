package docx

import (
	"strconv"

	"golang.org/x/net/html"

	"github.com/rectodocs/recto/internal/content/importer/markup"
)

// maxSpan is the most columns that one cell takes.
const maxSpan = 100

// table reads a table, whose element was read last. A cell that goes on below becomes one that spans rows.
func (p *part) table() (*html.Node, error) {
	table := markup.Element("table")
	var above []*html.Node // by column, the cell that a continued one below belongs to
	headed := false
	err := p.Children(func(e element) error { return p.tablePart(e, table, &above, &headed) })
	if headed && table.FirstChild != nil {
		for cell := range table.FirstChild.ChildNodes() {
			cell.Data = "th"
		}
	}
	return table, err
}

func (p *part) tablePart(e element, table *html.Node, above *[]*html.Node, headed *bool) error {
	switch e.Name {
	case "tblPr":
		return p.Children(func(e element) error {
			if e.Name == "tblLook" {
				look, _ := strconv.ParseUint(e.Attr("val"), 16, 32)
				*headed = *headed || e.Attr("firstRow") == "1" || e.Attr("firstRow") == "true" || !e.Has("firstRow") &&
					look&0x20 != 0
			}
			return p.Skip()
		})
	case "tr":
		return p.tableRow(table, above, headed)
	case "sdt", "sdtContent", "customXml", "ins":
		return p.Children(func(e element) error { return p.tablePart(e, table, above, headed) })
	}
	return p.Skip()
}

func (p *part) tableRow(table *html.Node, above *[]*html.Node, headed *bool) error {
	if err := p.grow(); err != nil {
		return err
	}
	row := markup.Element("tr")
	column := 0
	deleted := false
	var visit func(e element) error
	visit = func(e element) error {
		switch e.Name {
		case "trPr":
			return p.Children(func(e element) error {
				switch e.Name {
				case "tblHeader":
					*headed = *headed || e.On() && table.FirstChild == nil
				case "gridBefore":
					column += spanOf(e.Attr("val")) // the row starts further right
					if column > 0 {
						markup.Append(row, markup.Element("td", "colspan", strconv.Itoa(column)))
					}
				case "del":
					deleted = true
				}
				return p.Skip()
			})
		case "tc":
			return p.tableCell(row, &column, above)
		case "sdt", "sdtContent", "customXml":
			return p.Children(visit)
		}
		return p.Skip()
	}
	if err := p.Children(visit); err != nil {
		return err
	}
	if deleted {
		p.losses.Add("left out: text deleted under change tracking")
		return nil
	}
	markup.Append(table, row)
	return nil
}

func (p *part) tableCell(row *html.Node, column *int, above *[]*html.Node) error {
	if err := p.grow(); err != nil {
		return err
	}
	cell := markup.Element("td")
	span, continued := 1, false
	out := &paragraphs{document: p.document, into: cell, inBox: true}
	err := p.Children(func(e element) error {
		if e.Name != "tcPr" {
			return p.block(e, out)
		}
		return p.Children(func(e element) error {
			switch e.Name {
			case "gridSpan":
				span = spanOf(e.Attr("val"))
			case "vMerge":
				continued = e.Attr("val") != "restart"
			}
			return p.Skip()
		})
	})
	out.finish()
	if err != nil {
		return err
	}
	first := *column
	*column += span
	for len(*above) < min(*column, 2*maxSpan) {
		*above = append(*above, nil)
	}
	if continued && first < len(*above) && (*above)[first] != nil {
		origin := (*above)[first]
		rows, err := strconv.Atoi(markup.Attr(origin, "rowspan"))
		if err != nil {
			rows = 1
		}
		markup.SetAttr(origin, "rowspan", strconv.Itoa(rows+1))
		return nil
	}
	if span > 1 {
		markup.SetAttr(cell, "colspan", strconv.Itoa(span))
	}
	for at := first; at < *column && at < len(*above); at++ {
		(*above)[at] = nil
	}
	if first < len(*above) {
		(*above)[first] = cell
	}
	markup.Append(row, cell)
	return nil
}

func spanOf(written string) int {
	span, err := strconv.Atoi(written)
	if err != nil {
		return 1
	}
	return min(max(span, 1), maxSpan)
}
