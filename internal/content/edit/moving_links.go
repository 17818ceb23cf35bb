package edit

import (
	"bytes"
	"context"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/pagefile/links"
)

// lead returns an entry, and its body, with other references in the place of its own.
func (m *move) lead(ctx context.Context, e *entity.Entry, body []byte,
	to func(context.Context, doc.Ref) doc.Ref) (store.Put, error) {
	led := e.Clone()
	if led.Target != nil {
		target := to(ctx, *led.Target)
		led.Target = &target
	}
	if led.Cover != nil {
		cover := *led.Cover
		for _, image := range []**doc.Ref{&cover.Ref, &cover.RefDark} {
			if *image != nil {
				ref := to(ctx, **image)
				*image = &ref
			}
		}
		led.Cover = &cover
	}
	put := store.Put{Entry: led}
	written := links.Rewrite(body, func(use links.Use) (string, bool) {
		ref := doc.ParseDestination(use.Destination)
		next := to(ctx, ref)
		return next.Destination(), next != ref
	})
	// A body that stays is named by its hash.
	if !bytes.Equal(written, body) {
		put.Body = written
	}
	return put, m.failure
}

// away leads a reference of what moves on, and notes what has to come along.
func (m *move) away(ctx context.Context, ref doc.Ref) doc.Ref {
	if ref.Space == string(m.to) && ref.Kind != doc.RefSpace {
		ref.Space = ""
		return ref
	}
	if ref.Space != "" && ref.Space != string(m.from) {
		return ref
	}
	switch ref.Kind {
	case doc.RefPage, doc.RefAnchor:
		if ref.Page == "" {
			return ref // an anchor of the page itself
		}
		if moved := m.ids[ref.Page]; moved != "" {
			ref.Page, ref.Space = moved, ""
		} else {
			ref.Space = string(m.from)
		}
	case doc.RefFile:
		if here := m.bring(ctx, ref.File, entity.KindFile, "file"); here != "" {
			ref.File, ref.Space = here, ""
		}
	case doc.RefReusableContent:
		if here := m.bring(ctx, ref.ReusableContent, entity.KindReusable, "content"); here != "" {
			ref.ReusableContent, ref.Space = here, ""
		}
	}
	return ref
}

// after leads a reference of what stays on.
func (m *move) after(_ context.Context, ref doc.Ref) doc.Ref {
	if ref.Space != "" && ref.Space != string(m.from) || ref.Kind != doc.RefPage && ref.Kind != doc.RefAnchor {
		return ref
	}
	if moved := m.ids[ref.Page]; ref.Page != "" && moved != "" {
		ref.Page, ref.Space = moved, string(m.to)
	}
	return ref
}

// bring has a file or reusable content come along, and returns its id in the other space; "" when it is not there.
func (m *move) bring(ctx context.Context, entryID string, kind entity.Kind, prefix string) string {
	if known := m.ids[entryID]; known != "" || m.failure != nil {
		return known
	}
	e, err := m.source.Entry(ctx, entryID)
	if errs.Is(err, errs.NotFound) || err == nil && e.Kind != kind {
		return ""
	}
	if err != nil {
		m.failure = err
		return ""
	}
	there, err := m.other.Entry(ctx, entryID)
	if err == nil && there.Kind == kind && there.Blob == e.Blob && there.Body == e.Body {
		m.ids[entryID] = entryID
		return entryID
	}
	if err := m.name(ctx, e, prefix); err != nil {
		m.failure = err
		return ""
	}
	if kind == entity.KindReusable {
		m.reusables++
		m.pending = append(m.pending, e)
		return m.ids[entryID]
	}
	m.files++
	file := e.Clone()
	file.ID, file.Git, file.Path = m.ids[entryID], nil, ""
	m.put = append(m.put, store.Put{Entry: file})
	return file.ID
}
