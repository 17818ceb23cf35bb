package edit

import (
	"context"
	"errors"
	"slices"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/people/account"
)

// Limits of a move to another space.
const (
	// maxMoved is the most pages that move at once, with those below them.
	maxMoved = 500
	// maxMovedBytes is the most that their bodies have together.
	maxMovedBytes = 32 << 20
)

// Place names a change request of a space.
type Place struct {
	Space id.Space
	// Request is its id, or its number in the space.
	Request id.ChangeRequest
}

// Moving says which pages move to another space.
type Moving struct {
	From, To Place
	// Pages are ids; those below them go along.
	Pages []string
	// Linking returns the ids of the pages and reusable contents of a revision that lead to at least one entity of a
	// space.
	Linking func(ctx context.Context, view *store.View, space id.Space, ids []string) ([]string, error)
}

// MovedPage is a page that has moved, under the ids that it had and has.
type MovedPage struct{ From, To string }

// Moved is what a move has done.
type Moved struct {
	// From and To are the new heads of the two change requests.
	From, To store.Revision
	// Pages are all that have moved, each behind the one above it.
	Pages []MovedPage
	// Files and Reusables are the numbers of those that were copied along.
	Files, Reusables int
	// Linking are the pages and reusable contents that stayed, whose links follow.
	Linking []string
}

// MovePages moves pages, with all below them, from a change request of one space to the root of another space of the
// organization, in a change request there. It needs the right to write to both. Each of the two merges by itself.
//
// A page keeps its id where the other space has not taken it, and so the options and the text that it has. Files and
// reusable contents that it uses are copied along; those that are there already are taken as they are. Links go on
// leading where they did: from what moves to what stays, and from what stays to what has moved, they name the space. An
// old path leads to where the page is now. What depends on the variables of a space takes those of the other.
//
// The pages are first in the other space, and then leave the one they were in. When the second step cannot be made, the
// first is taken back, and the error says why.
func (s *Service) MovePages(ctx context.Context, caller account.Caller, moving Moving) (Moved, error) {
	from, left, err := s.request(ctx, caller, moving.From.Space, moving.From.Request)
	if err != nil {
		return Moved{}, err
	}
	to, entered, err := s.request(ctx, caller, moving.To.Space, moving.To.Request)
	if err != nil {
		return Moved{}, prefixed("target", err)
	}
	if from.space == to.space {
		return Moved{}, errs.Invalidf("target.space",
			"is the space that the pages are in; move them there with a change of the content")
	}
	if left.Organization != entered.Organization {
		return Moved{}, errs.Invalidf("target.space",
			"belongs to another organization; export the pages and import them there")
	}
	source, err := s.base(ctx, from, "")
	if err != nil {
		return Moved{}, err
	}
	other, err := s.base(ctx, to, "")
	if err != nil {
		return Moved{}, err
	}
	m := &move{source: source, other: other, from: from.space, to: to.space, ids: map[string]string{}}
	if err := m.take(ctx, moving.Pages); err != nil {
		return Moved{}, err
	}
	put, err := m.arriving(ctx)
	if err != nil {
		return Moved{}, err
	}
	moved := Moved{Files: m.files, Reusables: m.reusables}
	for _, page := range m.pages {
		moved.Pages = append(moved.Pages, MovedPage{From: page.ID, To: m.ids[page.ID]})
	}
	moved.To, err = s.deps.Content.Commit(ctx, store.CommitRequest{Space: to.space, Branch: to.branch,
		Base: other.Revision().ID, Author: to.author, Put: put, FixSlugs: true, Own: true, Also: to.also()})
	if err != nil {
		return Moved{}, prefixed("target", err)
	}
	if moved.Linking, moved.From, err = s.depart(ctx, from, m, moving); err != nil {
		return Moved{}, errors.Join(err, s.takeBack(ctx, to, moved, put))
	}
	return moved, nil
}

// depart takes the pages out of the space that they were in.
func (s *Service) depart(ctx context.Context, from target, m *move, moving Moving) ([]string, store.Revision, error) {
	ids := make([]string, len(m.pages))
	for i, page := range m.pages {
		ids[i] = page.ID
	}
	linking, err := moving.Linking(ctx, m.source, from.space, ids)
	if err != nil {
		return nil, store.Revision{}, err
	}
	linking = slices.DeleteFunc(linking, func(user string) bool { return slices.Contains(ids, user) })
	put, err := m.staying(ctx, linking)
	if err != nil {
		return nil, store.Revision{}, err
	}
	revision, err := s.deps.Content.Commit(ctx, store.CommitRequest{Space: from.space, Branch: from.branch,
		Base: m.source.Revision().ID, Author: from.author, Put: put, Delete: m.tops, Own: true, Also: from.also()})
	return linking, revision, err
}

// takeBack deletes what a move has put into the other space.
func (s *Service) takeBack(ctx context.Context, to target, moved Moved, put []store.Put) error {
	remove := make([]string, len(put))
	for i, each := range put {
		remove[i] = each.Entry.ID
	}
	_, err := s.deps.Content.Commit(context.WithoutCancel(ctx), store.CommitRequest{Space: to.space, Branch: to.branch,
		Base: moved.To.ID, Author: to.author, Delete: remove, Also: to.also()})
	return err
}

// move is a move of pages that is prepared.
type move struct {
	source, other *store.View
	from, to      id.Space
	// tops are the ids of the pages that were named, without those below others of them; pages are all, each behind
	// the one above it.
	tops  []string
	pages []*entity.Entry
	// ids are the ids that entries have in the other space, by those that they had.
	ids map[string]string
	// put is what comes with the pages, and pending the reusable contents of it whose bodies were not looked at yet.
	put              []store.Put
	pending          []*entity.Entry
	files, reusables int
	size             int
	failure          error
}

// take finds the pages that are named and all below them, and the ids that they get.
func (m *move) take(ctx context.Context, pages []string) error {
	named := map[string]bool{}
	for _, page := range pages {
		named[page] = true
	}
	for _, page := range pages {
		e, err := m.source.Entry(ctx, page)
		if errs.Is(err, errs.NotFound) || err == nil && e.Kind != entity.KindPage {
			return noPage("pages", page)
		}
		if err != nil {
			return err
		}
		below, err := m.below(ctx, e, named)
		if err != nil {
			return err
		}
		if below || slices.Contains(m.tops, page) {
			continue
		}
		m.tops = append(m.tops, page)
		if err := m.add(ctx, e); err != nil {
			return err
		}
	}
	return nil
}

// below reports whether a page above another one is named, too.
func (m *move) below(ctx context.Context, e *entity.Entry, named map[string]bool) (bool, error) {
	for e.Parent != "" {
		if named[e.Parent] {
			return true, nil
		}
		var err error
		if e, err = m.source.Entry(ctx, e.Parent); err != nil {
			return false, err
		}
	}
	return false, nil
}

func (m *move) add(ctx context.Context, e *entity.Entry) error {
	if len(m.pages) == maxMoved {
		return errs.Invalidf("pages", "are over %d with those below them; move them in parts", maxMoved)
	}
	m.pages = append(m.pages, e)
	if err := m.name(ctx, e, "page"); err != nil {
		return err
	}
	children, err := m.source.Children(ctx, e.ID)
	if err != nil {
		return err
	}
	for _, child := range children {
		if err := m.add(ctx, child); err != nil {
			return err
		}
	}
	return nil
}

// name gives an entry its id in the other space: its own, unless that is taken there.
func (m *move) name(ctx context.Context, e *entity.Entry, kind string) error {
	m.ids[e.ID] = e.ID
	_, err := m.other.Entry(ctx, e.ID)
	if err == nil {
		m.ids[e.ID] = id.New(kind)
		return nil
	}
	if errs.Is(err, errs.NotFound) {
		return nil
	}
	return err
}

// arriving is what the other space gets.
func (m *move) arriving(ctx context.Context) ([]store.Put, error) {
	roots, err := m.other.Places(ctx, "")
	if err != nil {
		return nil, err
	}
	last := ""
	if len(roots) > 0 {
		last = roots[len(roots)-1].Position
	}
	var put []store.Put
	for _, page := range m.pages {
		e, err := m.copy(ctx, page)
		if err != nil {
			return nil, err
		}
		if slices.Contains(m.tops, page.ID) {
			last = entity.Between(last, "")
			e.Entry.Parent, e.Entry.Position = "", last
		} else {
			e.Entry.Parent = m.ids[page.Parent]
		}
		put = append(put, e)
	}
	for len(m.pending) > 0 {
		next := m.pending[0]
		m.pending = m.pending[1:]
		e, err := m.copy(ctx, next)
		if err != nil {
			return nil, err
		}
		put = append(put, e)
	}
	return append(put, m.put...), nil
}

// copy is an entry as the other space gets it, with its references led on.
func (m *move) copy(ctx context.Context, e *entity.Entry) (store.Put, error) {
	body, err := m.source.Body(ctx, e)
	if err != nil {
		return store.Put{}, err
	}
	if m.size += len(body); m.size > maxMovedBytes {
		return store.Put{}, errs.Invalidf("pages", "have over %d MB of text with those below them; move them in parts",
			maxMovedBytes>>20)
	}
	led, err := m.lead(ctx, e, body, m.away)
	// What it was imported from is no part of the other space.
	led.Entry.ID, led.Entry.Git, led.Entry.Path = m.ids[e.ID], nil, ""
	return led, err
}

// staying are the entries of the space that the pages leave whose links follow them, and the redirects from where they
// were.
func (m *move) staying(ctx context.Context, linking []string) ([]store.Put, error) {
	var put []store.Put
	for _, user := range linking {
		e, err := m.source.Entry(ctx, user)
		if errs.Is(err, errs.NotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		body, err := m.source.Body(ctx, e)
		if err != nil {
			return nil, err
		}
		led, err := m.lead(ctx, e, body, m.after)
		if err != nil {
			return nil, err
		}
		put = append(put, led)
	}
	for _, page := range m.pages {
		if page.Type == entity.PageLink {
			continue
		}
		path, err := m.source.Path(ctx, page.ID)
		if err != nil {
			return nil, err
		}
		put = append(put, store.Put{Entry: &entity.Entry{ID: entity.RedirectID("", path), Kind: entity.KindRedirect,
			Path: path, Target: &doc.Ref{Kind: doc.RefPage, Page: m.ids[page.ID], Space: string(m.to)}}})
	}
	// What led to the pages before does so on.
	redirects, err := m.source.Redirects(ctx)
	if err != nil {
		return nil, err
	}
	for _, redirect := range redirects {
		if led := m.after(ctx, *redirect.Target); led != *redirect.Target && m.failure == nil {
			changed := redirect.Clone()
			changed.Target = &led
			put = append(put, store.Put{Entry: changed})
		}
	}
	return put, m.failure
}
