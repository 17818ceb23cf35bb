package comment

import (
	"context"
	"fmt"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
)

// aim checks what a new comment is about against the scope's current revision, and returns its target and anchor.
func (s *Service) aim(ctx context.Context, head id.Revision, in NewComment) (Target, anchor, error) {
	target := Target{Revision: head}
	switch {
	case in.Node != "" && in.Page == "":
		return target, anchor{}, errs.Invalidf("body.page", "is missing; a node is one of a page, so name that too")
	case in.Cell != nil && in.Node == "":
		return target, anchor{},
			errs.Invalidf("body.node", "is missing; a cell is one of a table, so name the table's node too")
	case in.Range != nil && in.Page == "":
		return target, anchor{}, errs.Invalidf("body.page", "is missing; a range is one of a page, so name that too")
	case in.Range != nil && in.Cell != nil:
		return target, anchor{},
			errs.Invalidf("body.tableCell", "goes without a range; name the node of the text in the cell instead")
	case in.Page == "":
		return target, anchor{}, nil
	}
	view, err := s.content.View(ctx, head)
	if err != nil {
		return target, anchor{}, err
	}
	page, err := s.pageOf(ctx, view, in.Page)
	if err != nil {
		return target, anchor{}, err
	}
	if page.entry == nil {
		return target, anchor{}, errs.NotFoundf("There is no page %q here. List the pages to see their ids.",
			clip(in.Page))
	}
	target.Page = &PageTarget{ID: page.entry.ID}
	if in.Node == "" && in.Range == nil {
		return target, anchor{}, nil
	}
	document, err := documentOf(ctx, view, page)
	if err != nil {
		return target, anchor{}, err
	}
	if in.Range != nil {
		made, err := rangeIn(page.entry, document, in)
		if err == nil && made.Suggestion != nil && page.document != nil {
			err = errs.Invalidf("body.suggestion", "is for pages that are written; %q is made of other things",
				page.entry.Title)
		}
		return target, made, err
	}
	made, err := anchorTo(page.entry, document, in.Node, in.Cell)
	return target, made, err
}

// pageOf returns a page of a revision, or one that a computed page of it stands for; without an entry when there is
// none.
func (s *Service) pageOf(ctx context.Context, view *store.View, pageID string) (located, error) {
	entry, err := view.Entry(ctx, pageID)
	missing := errs.Is(err, errs.NotFound) || (err == nil && entry.Kind != entity.KindPage)
	if err != nil && !missing {
		return located{}, fmt.Errorf("read page %s: %w", pageID, err)
	}
	if missing || entry.Type == entity.PageComputed {
		made, err := s.hooks.Get().Made(ctx, view)
		if err != nil {
			return located{}, fmt.Errorf("make the computed pages: %w", err)
		}
		if page := made.Page(pageID); page != nil {
			return located{entry: page.Entry, path: page.Path, document: page.Document}, nil
		}
	}
	if missing {
		return located{}, nil
	}
	found := located{entry: entry}
	if found.path, err = view.Path(ctx, pageID); err != nil {
		return located{}, fmt.Errorf("find the path of %s: %w", pageID, err)
	}
	return found, nil
}

// locator fills in what the targets of comments are now. It looks each page up once.
type locator struct {
	*Service
	view  *store.View
	pages map[string]located
	// alignments are where the places of outlines are now, by the body that they are of and the page.
	alignments map[string]alignment
	// compared is how many places have been compared for them.
	compared *int
}

// located is a page of the current revision; the entry is nil when there is none.
type located struct {
	entry *entity.Entry
	path  string
	// document is the body of a page that was made for a computed page; nil of others.
	document *doc.Document
}

// locate fills in the targets of comments of one scope, whose current revision is head.
func (s *Service) locate(ctx context.Context, head id.Revision, comments []Comment) error {
	l := locator{Service: s, pages: map[string]located{}, alignments: map[string]alignment{}, compared: new(int)}
	for i := range comments {
		c := &comments[i]
		if c.Target.Page == nil {
			continue
		}
		if l.view == nil {
			var err error
			if l.view, err = s.content.View(ctx, head); err != nil {
				return fmt.Errorf("read the current revision: %w", err)
			}
		}
		if err := l.fill(ctx, c); err != nil {
			return err
		}
	}
	return nil
}

func (l locator) fill(ctx context.Context, c *Comment) error {
	page, err := l.page(ctx, c.Target.Page.ID)
	if err != nil {
		return err
	}
	if page.entry == nil {
		return l.fillGone(ctx, c)
	}
	*c.Target.Page = pageTarget(page)
	if c.anchor.none() {
		return nil
	}
	if page.entry.Body != c.anchor.Body {
		blocks, err := l.outline(ctx, l.view, page)
		if err != nil {
			return err
		}
		now, found, err := l.place(ctx, c, blocks)
		if err != nil {
			return err
		}
		if !found && c.anchor.Quote != nil {
			if now, found, err = l.requote(ctx, c, blocks); err != nil {
				return err
			}
		}
		c.Target.Page.Outdated = !found
		if found {
			c.anchor.Key, c.anchor.Record, c.anchor.Definition = now.key, now.record, now.definition
		}
	}
	c.aimAtAnchor()
	return nil
}

// place finds the place of a comment's anchor in the present outline of its page; false when it is gone.
func (l locator) place(ctx context.Context, c *Comment, now []block) (block, bool, error) {
	if sole, ok := c.anchor.sole(now); ok {
		return sole, true, nil
	}
	nearest, found := c.anchor.nearest(now)
	if !found {
		return block{}, false, nil
	}
	// Several say the same. What has become of each is a matter of the page as it was.
	then, along, err := l.aligned(ctx, c, now)
	if err != nil {
		return block{}, false, err
	}
	if along == nil {
		return nearest, true, nil
	}
	if located, ok := c.anchor.locate(then, now, along); ok {
		return located, true, nil
	}
	// One that is nobody else's goes before one that was there already.
	if free, ok := c.anchor.nearest(along.free(now)); ok {
		return free, true, nil
	}
	return nearest, true, nil
}

// aligned returns the outline of a comment's page at its posting, and where its places are in the present one; without
// that when too many have been compared.
func (l locator) aligned(ctx context.Context, c *Comment, now []block) ([]block, alignment, error) {
	pair := c.anchor.Body + " " + c.Target.Page.ID
	then, err := l.outlineOf(ctx, c)
	if err != nil {
		return nil, nil, err
	}
	along, known := l.alignments[pair]
	if !known {
		if *l.compared += len(then) + len(now); *l.compared > maxCompared {
			return then, nil, nil
		}
		along = align(then, now)
		l.alignments[pair] = along
	}
	return then, along, nil
}

// requote finds the quote of a comment whose block has changed, and what is around it now; false when it is gone.
func (l locator) requote(ctx context.Context, c *Comment, now []block) (block, bool, error) {
	quoted := *c.anchor.Quote
	places := quoted.places(now)
	best, found := closest(places, nil)
	if !found {
		return block{}, false, nil
	}
	if !best.sure() {
		then, along, err := l.aligned(ctx, c, now)
		if err != nil {
			return block{}, false, err
		}
		// The block as it is now stands between those that were before and behind it.
		first, last := c.anchor.gap(then, along, len(now))
		best, found = closest(places, func(f occurrence) bool { return f.block > first && f.block < last })
		if !found || !best.sureAt(quoted) {
			return block{}, false, nil
		}
	}
	at := now[best.block]
	c.anchor.Quote = new(quoteAt(at.words, best.at, len(quoted.Words)))
	return at, true, nil
}

// maxCompared bounds how many places are compared for one answer: a second, or so. Past it the nearest place counts.
const maxCompared = 2_000_000

// outlineOf is the outline of a comment's page at its posting.
func (l locator) outlineOf(ctx context.Context, c *Comment) ([]block, error) {
	return l.outlines.Load(ctx, c.anchor.Body, func(ctx context.Context) ([]block, error) {
		view, err := l.content.View(ctx, c.Target.Revision)
		if err != nil {
			return nil, fmt.Errorf("read the revision of %s: %w", c.ID, err)
		}
		page, err := l.pageOf(ctx, view, c.Target.Page.ID)
		if err != nil || page.entry == nil {
			return nil, err
		}
		document, err := documentOf(ctx, view, page)
		if err != nil {
			return nil, err
		}
		return blocksOf(document), nil
	})
}

// fillGone describes a page that is gone as it was when the comment was posted.
func (l locator) fillGone(ctx context.Context, c *Comment) error {
	then, err := l.content.View(ctx, c.Target.Revision)
	if err != nil {
		return fmt.Errorf("read the revision of %s: %w", c.ID, err)
	}
	page, err := l.pageOf(ctx, then, c.Target.Page.ID)
	if err != nil {
		return err
	}
	if page.entry != nil {
		*c.Target.Page = pageTarget(page)
	}
	c.Target.Page.Outdated = true
	if !c.anchor.none() {
		c.aimAtAnchor()
	}
	return nil
}

// aimAtAnchor shows where the anchor is.
func (c *Comment) aimAtAnchor() {
	c.Target.Node = &NodeTarget{ID: keyText(c.anchor.Key), Preview: c.anchor.Preview}
	if c.anchor.onCell() {
		c.Target.Cell = &Cell{Record: c.anchor.Record, Definition: c.anchor.Definition}
	}
	if quoted := c.anchor.Quote; quoted != nil {
		c.Target.Range = &Range{Quote: quoted.Words, Before: quoted.Before, After: quoted.After}
	}
}

func (l locator) page(ctx context.Context, pageID string) (located, error) {
	if page, known := l.pages[pageID]; known {
		return page, nil
	}
	page, err := l.pageOf(ctx, l.view, pageID)
	if err != nil {
		return located{}, err
	}
	l.pages[pageID] = page
	return page, nil
}

func pageTarget(page located) PageTarget {
	e := page.entry
	return PageTarget{
		ID: e.ID, Title: e.Title, Emoji: e.Emoji, Icon: e.Icon, Path: page.path,
		CreatedAt: microTime(e.CreatedAt), UpdatedAt: microTime(e.UpdatedAt),
	}
}

// microTime is the zero time for 0.
func microTime(micros int64) time.Time {
	if micros == 0 {
		return time.Time{}
	}
	return time.UnixMicro(micros).UTC()
}
