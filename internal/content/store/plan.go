package store

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/engine/entity"
)

// Put is an entry to add or to replace as a whole.
type Put struct {
	// Entry has its final id. What the caller leaves out is filled in: the slug (kept, or made of the title), the
	// position (kept below the same parent, else the last), the id of a redirect, CreatedAt (kept, or now) and
	// UpdatedAt (now when anything but the place and the file that it came from has changed; a new entry may bring its
	// own). The entry is not changed, unless CommitRequest.Own says so.
	Entry *entity.Entry
	// Body is the Markdown body of a document page or reusable content, UTF-8 of at most MaxBodySize bytes; nil keeps
	// Entry.Body, a body that the store already has. An empty Body that is not nil empties it.
	Body []byte
}

// plan applies a request to the revision that it was made for: it fills in what was left out, and deletes what is
// below a deleted page. bodies receives the new bodies by hash.
func plan(ctx context.Context, base *View, request CommitRequest, now int64, bodies map[string][]byte) (*draft, error) {
	d := newDraft(base)
	if err := d.put(ctx, request.Put, request.Own, now, bodies); err != nil {
		return nil, err
	}
	if err := d.delete(ctx, request); err != nil {
		return nil, err
	}
	return d, nil
}

func (d *draft) put(ctx context.Context, puts []Put, own bool, now int64, bodies map[string][]byte) error {
	seen := make(map[string]struct{}, len(puts))
	var placeless []*entity.Entry
	for _, put := range puts {
		if put.Entry == nil {
			return errs.Invalidf("put", "an entry is missing")
		}
		e := put.Entry
		if !own {
			e = e.Clone()
		}
		if e.Kind == entity.KindRedirect && e.ID == "" {
			e.ID = entity.RedirectID(e.Parent, e.Path)
		}
		if e.ID == "" {
			return errs.Invalidf("id", "an entry without id cannot be stored")
		}
		if _, twice := seen[e.ID]; twice {
			return errs.Invalidf("id", "%s is changed twice; put the two changes into one", e.ID)
		}
		seen[e.ID] = struct{}{}
		before, err := d.original(ctx, e.ID)
		if err != nil {
			return err
		}
		if before != nil && before.Kind != e.Kind {
			return errs.Invalidf("kind", "%s is a %s and cannot become a %s; delete it and make a new one", e.ID,
				before.Kind, e.Kind)
		}
		if err := setBody(e, put.Body, bodies); err != nil {
			return err
		}
		if isPage(e) && fillPlace(e, before) {
			placeless = append(placeless, e)
		}
		fillTimes(e, before, now)
		if err := d.set(ctx, e.ID, e); err != nil {
			return err
		}
	}
	return d.append(ctx, placeless)
}

// setBody stores the hash of a body in its entry.
func setBody(e *entity.Entry, body []byte, bodies map[string][]byte) error {
	if body == nil {
		return nil
	}
	if e.Kind != entity.KindReusable && (e.Kind != entity.KindPage || e.Type != entity.PageDocument) {
		return errs.Invalidf("body", "%s has no body; only documents and reusable contents have", e.ID)
	}
	if len(body) > MaxBodySize {
		return errs.New(errs.TooLarge,
			"The body of %s has %d bytes, at most %d are allowed; split it into several pages.", name(e), len(body),
			MaxBodySize)
	}
	if !utf8.Valid(body) {
		return errs.Invalidf("body", "the body of %s is not UTF-8 text", name(e))
	}
	e.Body = hashBody(body)
	if e.Body != "" {
		bodies[e.Body] = body
	}
	return nil
}

// fillPlace completes a page's slug and position from before. It reports whether the position is still to be found.
func fillPlace(e, before *entity.Entry) (placeless bool) {
	if isPage(before) {
		if e.Slug == "" {
			e.Slug = before.Slug
		}
		if e.Position == "" && e.Parent == before.Parent {
			e.Position = before.Position
		}
	}
	return e.Position == ""
}

// fillTimes sets when an entry was made and changed. Variables and redirects carry no times: two branches that make
// the same one have then made equal entries.
func fillTimes(e, before *entity.Entry, now int64) {
	if e.Kind == entity.KindRedirect || e.Kind == entity.KindVariables {
		e.CreatedAt, e.UpdatedAt = 0, 0
		return
	}
	if before == nil {
		if e.CreatedAt == 0 {
			e.CreatedAt = now
		}
		if e.UpdatedAt == 0 {
			e.UpdatedAt = e.CreatedAt
		}
		return
	}
	e.CreatedAt, e.UpdatedAt = before.CreatedAt, before.UpdatedAt
	same := *e
	same.Parent, same.Position, same.Git = before.Parent, before.Position, before.Git
	if !entity.Equal(&same, before) {
		e.UpdatedAt = now
	}
}

// append gives pages their positions after the last child of their parents, in the order of the request.
func (d *draft) append(ctx context.Context, pages []*entity.Entry) error {
	last := map[string]string{}
	var below map[string][]*entity.Entry
	for _, e := range pages {
		position, known := last[e.Parent]
		if !known {
			if below == nil {
				below = d.arrivals()
			}
			siblings, _, err := d.base.list(ctx, e.Parent)
			if err != nil {
				return err
			}
			for _, sibling := range siblings {
				position = max(position, sibling.Position)
			}
			for _, sibling := range below[e.Parent] {
				position = max(position, sibling.Position)
			}
		}
		e.Position = entity.Between(position, "")
		last[e.Parent] = e.Position
	}
	return nil
}

// delete removes what the request names and every page below it.
func (d *draft) delete(ctx context.Context, request CommitRequest) error {
	if len(request.Delete) == 0 {
		return nil
	}
	puts := make(map[string]struct{}, len(request.Put))
	for _, put := range request.Put {
		puts[put.Entry.ID] = struct{}{}
	}
	below := d.arrivals()
	named := make(map[string]struct{}, len(request.Delete))
	pending := slices.Clone(request.Delete)
	for _, id := range pending {
		named[id] = struct{}{}
		e, err := d.original(ctx, id)
		if err != nil {
			return err
		}
		if e == nil {
			return errs.NotFoundf("There is nothing with the id %q to delete.", id)
		}
	}
	for len(pending) > 0 {
		id := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		if d.gone(id) {
			continue
		}
		if _, both := puts[id]; both {
			reason := "an ancestor of it is"
			if _, direct := named[id]; direct {
				reason = "it is"
			}
			return errs.Invalidf("delete",
				"%s is changed by the same request in which %s deleted; leave one of the two out", id, reason)
		}
		before, err := d.original(ctx, id)
		if err != nil {
			return err
		}
		if err := d.set(ctx, id, nil); err != nil {
			return err
		}
		if !isPage(before) {
			continue
		}
		children, _, err := d.base.list(ctx, id)
		if err != nil {
			return err
		}
		for _, c := range children {
			if e, changed := d.after[c.ID]; changed && e != nil && e.Parent != id {
				continue // it has moved out
			}
			pending = append(pending, c.ID)
		}
		for _, e := range below[id] {
			pending = append(pending, e.ID)
		}
	}
	return nil
}

// name says which entry a message is about.
func name(e *entity.Entry) string {
	for _, text := range []string{e.Title, e.Name, e.Path, e.Slug} {
		if text = strings.TrimSpace(text); text != "" {
			return "“" + text + "” (" + e.ID + ")"
		}
	}
	return e.ID
}
