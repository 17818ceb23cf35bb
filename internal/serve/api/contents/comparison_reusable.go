package contents

import (
	"context"
	"fmt"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/compare"
	"github.com/rectodocs/recto/internal/serve/api/operation"
)

// ReusableContentComparison is what differs in one reusable content between two versions of a space.
type ReusableContentComparison struct {
	Object string      `json:"object" enum:"reusable-content-comparison"`
	Base   id.Revision `json:"base" doc:"The revision that the reusable content is compared with."`
	Head   id.Revision `json:"head" doc:"The revision that has the changes."`
	Change string      `json:"change" enum:"same,added,deleted,changed" doc:"What became of the reusable content as a whole."`
	// Before and After are absent on the side on which it is not.
	Before *ComparedReusableContent `json:"before,omitempty"`
	After  *ComparedReusableContent `json:"after,omitempty"`
	// Blocks are the body.
	Blocks []ComparedBlock `json:"blocks" doc:"The body, block by block, as in the comparison of a page."`
	// Markdown is the body as text.
	Markdown []ComparedLines `json:"markdown" doc:"The body as lines of Markdown."`
	Partial  bool            `json:"partial,omitempty" doc:"The body is too large or too different for every comparison, as in that of a page."`
}

// ComparedReusableContent is a reusable content on one side.
type ComparedReusableContent struct {
	ID    string `json:"id"`
	Title string `json:"title"`
}

type compareReusableInput struct {
	RevisionParams
	Reusable string `path:"reusableContentId"`
	Base     string `query:"base" default:"main" maxLength:"100" doc:"What to compare with: main, the id of a revision, or the id or number of a change request."`
	Head     string `query:"head" default:"main" maxLength:"100" doc:"What has the changes: main, the id of a revision, or the id or number of a change request."`
}

// compareReusable answers what differs in a reusable content between two versions of a space.
func (h *Handlers) compareReusable(ctx context.Context, in *compareReusableInput) (*operation.Encoded, error) {
	base, err := h.head(ctx, in.Space, versionNamed(in.Base))
	if err != nil {
		return nil, err
	}
	head, err := h.head(ctx, in.Space, versionNamed(in.Head))
	if err != nil {
		return nil, err
	}
	return h.reusableBetween(ctx, in.RevisionParams, base, head, in.Reusable)
}

type changeRequestReusableChangesInput struct {
	RevisionParams
	AtChangeRequest
	Reusable string `path:"reusableContentId"`
}

// getChangeRequestReusableChanges answers what a change request changes in a reusable content, and what a merged one
// has changed.
func (h *Handlers) getChangeRequestReusableChanges(ctx context.Context,
	in *changeRequestReusableChangesInput) (*operation.Encoded, error) {
	found, err := h.Changes.Get(ctx, operation.Caller(ctx), in.Space, in.ChangeRequest)
	if err != nil {
		return nil, err
	}
	from, to, err := h.spanned(ctx, found)
	if err != nil {
		return nil, err
	}
	return h.reusableBetween(ctx, in.RevisionParams, from, to, in.Reusable)
}

// reusableBetween compares a reusable content in two revisions that the caller may read.
func (h *Handlers) reusableBetween(ctx context.Context, params RevisionParams, from, to id.Revision,
	reusableID string) (*operation.Encoded, error) {
	variant := fmt.Sprintf("reusable-comparison/%s/%s", from, reusableID)
	return h.encode(ctx, to, params, variant, func(ctx context.Context, newer *store.View) (any, error) {
		older, err := h.Content.View(ctx, from)
		if err != nil {
			return nil, err
		}
		return reusableComparison(ctx, older, newer, reusableID)
	})
}

func reusableComparison(ctx context.Context, older, newer *store.View,
	reusableID string) (*ReusableContentComparison, error) {
	before, was, err := reusableSide(ctx, older, reusableID)
	if err != nil {
		return nil, err
	}
	after, is, err := reusableSide(ctx, newer, reusableID)
	if err != nil {
		return nil, err
	}
	answer := &ReusableContentComparison{Object: "reusable-content-comparison", Base: older.Revision().ID,
		Head: newer.Revision().ID, Before: before, After: after, Blocks: []ComparedBlock{},
		Markdown: wireLines(was.markdown, is.markdown)}
	switch {
	case before == nil && after == nil:
		return nil, errs.NotFoundf("There is no reusable content %q on either side. Read the space's content to see "+
			"their ids.", reusableID)
	case before == nil:
		answer.Change = string(compare.Added)
	case after == nil:
		answer.Change = string(compare.Deleted)
	case before.Title == after.Title && string(was.markdown) == string(is.markdown):
		answer.Change = string(compare.Same)
	default:
		answer.Change = string(compare.Changed)
	}
	if was.unreadable || is.unreadable {
		answer.Partial = true
		return answer, nil
	}
	body := compare.Documents(was.document, is.document)
	answer.Partial, answer.Blocks = body.Partial, wireBlocks(body.Blocks)
	return answer, nil
}

// reusableSide reads a reusable content of a version, nil where it is not.
func reusableSide(ctx context.Context, view *store.View,
	reusableID string) (*ComparedReusableContent, bodySide, error) {
	entry, err := reusableEntry(ctx, view, reusableID)
	if errs.Is(err, errs.NotFound) {
		return nil, bodySide{}, nil
	}
	if err != nil {
		return nil, bodySide{}, err
	}
	body, err := bodyOf(ctx, view, entry)
	return &ComparedReusableContent{ID: entry.ID, Title: entry.Title}, body, err
}
