package search

import (
	"context"
	"fmt"

	"github.com/blevesearch/bleve/v2"
	index "github.com/blevesearch/bleve_index_api"
	segment "github.com/blevesearch/scorch_segment_api/v2"
	zap "github.com/blevesearch/zapx/v17"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/search/places"
	"github.com/rectodocs/recto/internal/content/search/terms"
	"github.com/rectodocs/recto/internal/content/search/typos"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/endpoint"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/render"
)

// Own is an index in memory of pages whose text depends on the visitor, as some of them see these. It does not change
// and is safe for use by many goroutines.
type Own struct {
	space   id.Space
	segment segment.Segment
	words   typos.Kept
}

// vocabulary returns the words of the index.
func (o *Own) vocabulary(dictionary segment.TermDictionary) (*typos.Vocabulary, error) {
	return o.words.Of(0, dictionary)
}

// OwnPage is a page of an Own: its entry, and its document with everything resolved.
type OwnPage struct {
	Entry    *entity.Entry
	Document *doc.Document
}

// maxOwnPages bounds how many pages of one space are found by what depends on the visitor.
const maxOwnPages = 5000

// NewOwn makes an index of pages of a space.
func NewOwn(space id.Space, pages []OwnPage) (*Own, error) {
	if err := terms.Register(); err != nil {
		return nil, err
	}
	fields := indexMapping()
	documents := make([]index.Document, 0, len(pages))
	for _, page := range pages {
		text, err := documentOf(page.Entry.Title, page.Entry.Slug, summaryOf(page.Entry),
			render.Sections(page.Document))
		if err != nil {
			return nil, err
		}
		text.Operations = endpoint.In(page.Document)
		made, err := places.Document(fields, documentID(space, page.Entry.ID), text, fieldText, fieldPlaces, nil)
		if err != nil {
			return nil, err
		}
		made.AddIDField()
		made.VisitFields(func(field index.Field) {
			if field.Options().IsIndexed() {
				field.Analyze()
			}
		})
		documents = append(documents, made)
	}
	// A part without an index around it: it has no goroutine and no file, so that nothing needs closing.
	piece, _, err := new(zap.ZapPlugin).New(documents)
	if err != nil {
		return nil, fmt.Errorf("make an index in memory: %w", err)
	}
	return &Own{space: space, segment: piece}, nil
}

// ownOf asks the query for the pages of a space whose text depends on the visitor; nil when there are none.
func ownOf(ctx context.Context, q Query, held *spaceIndex) (*Own, error) {
	if q.Own == nil {
		return nil, nil
	}
	dependent := bleve.NewTermQuery("true")
	dependent.SetField(fieldVisitor)
	request := bleve.NewSearchRequestOptions(dependent, maxOwnPages, 0, false)
	request.SortBy([]string{"_id"})
	found, err := held.bleve.SearchInContext(ctx, request)
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
	own, err := q.Own(ctx, held.space, pages)
	if err != nil {
		return nil, fmt.Errorf("prepare what a visitor sees of space %s: %w", held.space, err)
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
