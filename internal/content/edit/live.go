package edit

import (
	"context"
	"encoding/json"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/markdown"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Kept is the body of a page of a change request that is put there in the name of somebody whose rights were looked at
// when they wrote it.
type Kept struct {
	Space  id.Space
	Branch id.Branch
	// Base is the revision that the body was written on.
	Base id.Revision
	Page string
	Body []byte
	// Author is who wrote last.
	Author id.User
	// Also runs in the transaction that moves the head. stayed says that there is no new revision: made is the head.
	Also func(ctx context.Context, q db.Querier, made store.Revision, stayed bool) error
}

// Keep commits a body as UpdatePage does, and merges it with what has happened since its base or refuses it as that
// does. It looks at no rights.
func (s *Service) Keep(ctx context.Context, kept Kept) (store.Revision, error) {
	view, err := s.deps.Content.View(ctx, kept.Base)
	if err != nil {
		return store.Revision{}, err
	}
	e, err := view.Entry(ctx, kept.Page)
	if err != nil {
		return store.Revision{}, err
	}
	var stayed bool
	return s.deps.Content.Commit(ctx, store.CommitRequest{
		Space: kept.Space, Branch: kept.Branch, Base: kept.Base, Author: kept.Author, Stayed: &stayed,
		Put: []store.Put{{Entry: e.Clone(), Body: append([]byte{}, kept.Body...)}},
		Also: func(ctx context.Context, q db.Querier, made store.Revision) error {
			return kept.Also(ctx, q, made, stayed)
		},
	})
}

// BodyOf returns the Markdown that a document becomes as the body of a page of a revision, and refuses what UpdatePage
// refuses.
func (s *Service) BodyOf(ctx context.Context, view *store.View, pageID string, document []byte) ([]byte, error) {
	e, err := view.Entry(ctx, pageID)
	if err != nil {
		return nil, err
	}
	read := &doc.Document{}
	if err := json.Unmarshal(document, read); err != nil {
		return nil, err
	}
	w := newWork(s, view, target{space: view.Revision().Space, readsSpecs: true}, names{})
	if err := w.setBody(ctx, e.Clone(), Change{Body: Body{Document: read}}); err != nil {
		return nil, err
	}
	return w.bodies[pageID], nil
}

// DocumentOf returns a Markdown body as the document JSON that the API has of it.
func DocumentOf(body []byte) ([]byte, error) {
	document, err := markdown.Parse(body)
	if err != nil {
		return nil, err
	}
	document.ReadDestinations()
	return json.Marshal(document)
}

// CheckBlocks refuses blocks of the document JSON that the caller may not bring into a page of a revision: with
// conditions that cannot be read, and API specifications that they may not see. What the page has already stays.
func (s *Service) CheckBlocks(ctx context.Context, caller account.Caller, view *store.View, pageID string,
	blocks []json.RawMessage) error {
	nodes, err := json.Marshal(blocks)
	if err != nil {
		return err
	}
	document := &doc.Document{}
	if err := json.Unmarshal([]byte(`{"object":"document","nodes":`+string(nodes)+`}`), document); err != nil {
		return err
	}
	e, err := view.Entry(ctx, pageID)
	if errs.Is(err, errs.NotFound) {
		e = &entity.Entry{ID: pageID}
	} else if err != nil {
		return err
	}
	w := newWork(s, view, target{space: view.Revision().Space}, names{})
	if err := w.checkConditions(ctx, e, document); err != nil {
		return err
	}
	shown := store.SpecsIn(document)
	if len(shown) == 0 {
		return nil
	}
	space, err := access.LoadSpace(ctx, s.deps.DB.Read(), caller, view.Revision().Space)
	if err != nil {
		return err
	}
	reads, err := s.access.ReadsSpecs(ctx, caller, space.Organization)
	if err != nil || reads {
		return err
	}
	before, err := view.Body(ctx, e)
	if err != nil {
		return err
	}
	return store.RefuseSpecs("The text", store.SpecsShown(before), shown)
}
