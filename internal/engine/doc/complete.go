package doc

import (
	"strings"
	"time"
)

// midnight is what the document JSON adds to the day of an update: clients expect a moment.
const midnight = "T00:00:00.000Z"

// Complete gives a document what clients require in the document JSON and Markdown leaves out: the format of updates,
// whether a select column takes several values, and its options. The day of an update becomes a moment. The document is
// changed in place, and is not to be written as Markdown afterwards; decoding takes all of it back, see Reduce.
func (d *Document) Complete() {
	d.Walk(func(n *Node) bool {
		switch data := n.Data.(type) {
		case *UpdatesData:
			if data.Format == "" {
				data.Format = "full"
			}
		case *UpdateData:
			if _, err := time.Parse(time.DateOnly, data.Date); err == nil {
				data.Date += midnight
			}
		case *TableData:
			for _, column := range data.Definition {
				if column == nil || column.Type != "select" {
					continue
				}
				if column.Options == nil {
					column.Options = []SelectOption{}
				}
				if column.Multiple == nil {
					column.Multiple = new(false)
				}
			}
		}
		return true
	})
}

// Reduce takes what Complete has added away again. Decoding does so, and whoever compares what was decoded with a
// document that is written otherwise asks for it.
func (n *Node) Reduce() {
	switch data := n.Data.(type) {
	case *UpdatesData:
		if data.Format == "full" {
			data.Format = ""
		}
	case *UpdateData:
		data.Date = dayOf(data.Date)
	case *TableData:
		for _, column := range data.Definition {
			if column == nil || column.Type != "select" {
				continue
			}
			if len(column.Options) == 0 {
				column.Options = nil
			}
			if column.Multiple != nil && !*column.Multiple {
				column.Multiple = nil
			}
		}
	}
}

// dayOf returns the day of a moment at midnight, and any other text as it is.
func dayOf(date string) string {
	for _, end := range []string{midnight, "T00:00:00Z"} {
		if day, found := strings.CutSuffix(date, end); found {
			return day
		}
	}
	return date
}
