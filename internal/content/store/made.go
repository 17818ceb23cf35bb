package store

import (
	"context"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
)

// MadePage is a page that a computed page stands for. No revision holds it: it is made from the latest state of its
// source whenever it is read, under an id that stays.
type MadePage struct {
	// Entry is a document as a revision would have it. Its Body is no hash but names the state of the source: it
	// differs when the document may differ. The entry is shared and must not be changed.
	Entry *entity.Entry
	// Path is the address of the page, Place where it is in the Markdown tree.
	Path, Place string
	// Document is the body with its keys. It is shared and must not be changed.
	Document *doc.Document
	// Shown returns the body as readers see it, with what is described in its source.
	Shown func(ctx context.Context) (*doc.Document, error)
}

// Made is the pages that the computed pages of a revision stand for, by their ids. A computed page that has become a
// document is one of them, under its own id. Key identifies what was made: equal keys, equal pages; it is "" for none.
type Made struct {
	Key   string
	Pages map[string]*MadePage
}

// Page returns the page with an id, nil when it is none of those that were made; of nil, too.
func (m *Made) Page(id string) *MadePage {
	if m == nil {
		return nil
	}
	return m.Pages[id]
}

// MadePages says what is made of a revision's computed pages. It costs next to nothing where nothing is.
type MadePages func(ctx context.Context, view *View) (*Made, error)
