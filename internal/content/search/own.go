package search

import (
	"context"
	"fmt"

	"github.com/blevesearch/bleve/v2"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/render"
)

// Own is an index in memory of pages whose text depends on the visitor, as some of them see these. It does not change
// and is safe for use by many goroutines.
type Own struct{ bleve bleve.Index }

// OwnPage is a page of an Own: its entry, and its document with everything resolved.
type OwnPage struct {
	Entry    *entity.Entry
	Document *doc.Document
}

// maxOwnPages bounds how many pages of one space are found by what depends on the visitor.
const maxOwnPages = 5000

// NewOwn makes an index of pages of a space.
func NewOwn(space id.Space, pages []OwnPage) (*Own, error) {
	// This kind of index has no goroutine, so that one that nobody uses any more needs no closing.
	index, err := bleve.NewMemOnly(indexMapping())
	if err != nil {
		return nil, fmt.Errorf("make an index in memory: %w", err)
	}
	batch := index.NewBatch()
	for _, page := range pages {
		document, err := documentOf(page.Entry.Title, page.Entry.Description, render.Sections(page.Document))
		if err != nil {
			return nil, err
		}
		if err := batch.Index(documentID(space, page.Entry.ID), document); err != nil {
			return nil, fmt.Errorf("index page %s: %w", page.Entry.ID, err)
		}
	}
	if err := index.Batch(batch); err != nil {
		return nil, fmt.Errorf("fill an index in memory: %w", err)
	}
	return &Own{index}, nil
}

// ownOf asks the query for the pages of a space whose text depends on the visitor; nil when there are none.
func ownOf(ctx context.Context, q Query, index *spaceIndex) (*Own, error) {
	if q.Own == nil {
		return nil, nil
	}
	dependent := bleve.NewTermQuery("true")
	dependent.SetField(fieldVisitor)
	request := bleve.NewSearchRequestOptions(dependent, maxOwnPages, 0, false)
	request.SortBy([]string{"_id"})
	found, err := index.bleve.SearchInContext(ctx, request)
	if err != nil {
		return nil, fmt.Errorf("list the pages that depend on the visitor: %w", err)
	}
	if len(found.Hits) == 0 {
		return nil, nil
	}
	pages := make([]string, 0, len(found.Hits))
	for _, hit := range found.Hits {
		_, page := splitDocumentID(hit.ID)
		pages = append(pages, page)
	}
	own, err := q.Own(ctx, index.space, pages)
	if err != nil {
		return nil, fmt.Errorf("prepare what a visitor sees of space %s: %w", index.space, err)
	}
	return own, nil
}

// without are the names in the indexes of the pages that are left out.
func (q Query) without() []string {
	var names []string
	for space, pages := range q.Without {
		for _, page := range pages {
			names = append(names, documentID(space, page))
		}
	}
	return names
}
