package print

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/page"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/pdf"
	"github.com/rectodocs/recto/internal/engine/render"
	"github.com/rectodocs/recto/internal/platform/fetch"
)

// source is a revision as package pdf asks for it. It is for one goroutine.
type source struct {
	service *Service
	view    *store.View
	pages   *page.Revision
	tree    *store.Tree
	places  *store.Places
	// fileByID are those of the revision.
	fileByID map[string]*entity.Entry
	// visitor is what expressions know of the reader; nil when nothing is known.
	visitor map[string]any
	// computed are the bodies of pages that were made from API specifications, by id.
	computed map[string]*doc.Document
	// spaces are the revisions of other spaces that the reader sees; others are those that have been opened.
	spaces map[id.Space]id.Revision
	others map[id.Space]*source
	// fetched counts the images that were asked for elsewhere.
	fetched int
}

// open prepares a revision for printing.
func (s *Service) open(ctx context.Context, view *store.View) (*source, error) {
	tree, err := view.Pages(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the pages: %w", err)
	}
	tree, computed, err := s.hooks.Get().Computed.Expand(ctx, view.Revision().Space, tree)
	if err != nil {
		return nil, fmt.Errorf("make the computed pages: %w", err)
	}
	pages, err := page.Open(ctx, view)
	if err != nil {
		return nil, err
	}
	files, err := view.Files(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the files: %w", err)
	}
	return &source{
		service: s, view: view, pages: pages, tree: tree, computed: computed, places: store.NewPlaces(tree, files),
		fileByID: byID(files), others: map[id.Space]*source{},
	}, nil
}

// of returns the source of a space, "" for the own one; nil when the reader does not see it.
func (s *source) of(ctx context.Context, space id.Space) (*source, error) {
	if s.own(space) {
		return s, nil
	}
	revision := s.spaces[space]
	if revision == "" {
		return nil, nil
	}
	if other, known := s.others[space]; known {
		return other, nil
	}
	view, err := s.service.deps.Content.View(ctx, revision)
	if errs.Is(err, errs.NotFound) || err == nil && view.Revision().Space != space {
		return nil, nil // it has been purged since
	}
	if err != nil {
		return nil, err
	}
	other, err := s.service.open(ctx, view)
	if err != nil {
		return nil, err
	}
	s.others[space] = other
	return other, nil
}

func byID(entries []*entity.Entry) map[string]*entity.Entry {
	found := make(map[string]*entity.Entry, len(entries))
	for _, e := range entries {
		found[e.ID] = e
	}
	return found
}

// book lists what is printed.
func (s *source) book(ctx context.Context, wanted PDF) pdf.Book {
	revision := s.view.Revision()
	book := pdf.Book{
		Title: wanted.Title, Subtitle: wanted.Subtitle, Created: revision.CreatedAt,
		Notes: []string{revision.CreatedAt.UTC().Format("January 2, 2006")},
	}
	if named := s.tree.ByID[wanted.Scope.Page]; named != nil {
		s.collect(ctx, &book, []*store.TreeNode{named}, 0, wanted.Scope.Only, true)
		return book
	}
	s.collect(ctx, &book, s.tree.Roots, 0, false, false)
	return book
}

// collect appends pages and what is below them, without those that readers do not see unless they are named.
func (s *source) collect(ctx context.Context, book *pdf.Book, nodes []*store.TreeNode, level int, only, named bool) {
	for _, node := range nodes {
		e := node.Entry
		absent := e.Hidden || !s.pages.Holds(ctx, e, s.visitor)
		if absent && !named {
			continue
		}
		page := pdf.Page{ID: e.ID, Title: pageTitle(e), Description: strings.TrimSpace(e.Description), Level: level}
		if e.Layout != nil && e.Layout.Description != nil && !*e.Layout.Description {
			page.Description = ""
		}
		switch e.Type {
		case entity.PageDocument:
		case entity.PageGroup:
			page.Group = true
		case entity.PageLink:
			if page.Address = s.target(ctx, e); page.Address == "" {
				continue
			}
		default:
			continue
		}
		book.Pages = append(book.Pages, page)
		if !only {
			s.collect(ctx, book, node.Children, level+1, false, false)
		}
	}
}

// target is the address that a link page leads to, "" when that is no address.
func (s *source) target(ctx context.Context, e *entity.Entry) string {
	if e.Target == nil {
		return ""
	}
	return s.Resolve(ctx, e.ID, *e.Target).URL
}

// pageTitle is what a page is called: its emoji and its title.
func pageTitle(e *entity.Entry) string {
	title := strings.TrimSpace(e.Title)
	if strings.Count(title, "`")%2 == 0 {
		title = strings.ReplaceAll(title, "`", "") // marks of code
	}
	if title == "" {
		title = "Untitled"
	}
	if emoji := doc.EmojiCharacters(e.Emoji); emoji != "" {
		return emoji + " " + title
	}
	return title
}

// there reports whether the reader may know of a page.
func (s *source) there(ctx context.Context, node *store.TreeNode) bool {
	for ; node != nil; node = node.Parent {
		if !s.pages.Holds(ctx, node.Entry, s.visitor) {
			return false
		}
	}
	return true
}

// Document implements pdf.Source.
func (s *source) Document(ctx context.Context, pageID string) (*doc.Document, error) {
	node := s.tree.ByID[pageID]
	if node == nil {
		return nil, errs.NotFoundf("There is no page %.80q.", pageID)
	}
	describe, err := s.service.hooks.Get().Computed.Describe(ctx, s.view.Revision().Space,
		func(ctx context.Context, ref doc.Ref) (string, error) {
			if file := s.file(ctx, pageID, ref); file != nil {
				return file.Blob, nil
			}
			return "", nil
		})
	if err != nil {
		return nil, err
	}
	if made, ok := s.computed[pageID]; ok {
		return page.Computed(ctx, made, describe)
	}
	reading := s.pages.Read(node.Entry, page.Reader{Visitor: s.visitor, Space: s.pagesOf})
	document, err := reading.Document(ctx, reading.Options(render.Options{OpenAPI: describe}))
	if show := s.service.hooks.Get().Blocks; err == nil && show != nil {
		err = show(ctx, s.view.Revision().Space, document)
	}
	return document, err
}

// pagesOf returns the pages of another space that the reader sees, nil for none.
func (s *source) pagesOf(ctx context.Context, space id.Space) (*page.Revision, error) {
	other, err := s.of(ctx, space)
	if err != nil || other == nil {
		return nil, err
	}
	return other.pages, nil
}

// Limits of images from elsewhere, which the job waits for.
const (
	maxFetched = 200
	fetchBytes = 10 << 20
	fetchTime  = 5 * time.Second
)

// Image implements pdf.Source.
func (s *source) Image(ctx context.Context, pageID string, ref doc.Ref) (io.ReadCloser, error) {
	if file := s.file(ctx, pageID, ref); file != nil {
		if file.Blob == "" {
			return nil, errs.NotFoundf("The file %.80q has no bytes.", file.Name)
		}
		reader, _, err := s.service.deps.Content.OpenFile(ctx, file.Blob)
		return reader, err
	}
	if ref.Kind != doc.RefURL || !ref.IsExternal() || s.fetched >= maxFetched {
		return nil, errs.NotFoundf("There is no such image.")
	}
	s.fetched++
	response, err := s.service.deps.Fetch.Get(ctx, ref.URL, fetch.Limits{Bytes: fetchBytes, Time: fetchTime,
		Accept: "image/png, image/jpeg, image/gif, image/webp"})
	if err != nil {
		return nil, err
	}
	if response.Status != 200 {
		return nil, errors.Join(errs.NotFoundf("The image's server answers %d.", response.Status),
			response.Body.Close())
	}
	return response.Body, nil
}
