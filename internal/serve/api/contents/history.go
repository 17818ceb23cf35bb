package contents

import (
	"context"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/content/store/changes"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// PageHistory is a part of the history of a page. It has no count: that would cost a walk through everything that ever
// happened in the space.
type PageHistory struct {
	Items []PageRevision `json:"items"`
	Next  *wire.Next     `json:"next,omitempty" doc:"Absent at the beginning of the history. An answer may have few items, or none, and go on all the same, because it looks at a limited number of revisions."`
}

// PageRevision is a revision that changed a page.
type PageRevision struct {
	RevisionSummary
	Changes []SemanticChange `json:"changes" doc:"What it changed of the page: its place, its attributes, its making or its end. Titles and paths are those of then."`
}

type listPageRevisionsInput struct {
	wire.PageParams
	Space id.Space `path:"spaceId"`
	Page  string   `path:"pageId"`
}

// listPageRevisions lists the revisions of main that changed a page, the newest first.
func (h *Handlers) listPageRevisions(ctx context.Context,
	in *listPageRevisionsInput) (*operation.Body[PageHistory], error) {
	if _, err := h.Access.RequireSpace(ctx, operation.Caller(ctx), in.Space, access.ViewSpace); err != nil {
		return nil, err
	}
	return h.pageHistory(ctx, in.Space, "", in.Page, in.PageParams)
}

type listChangeRequestPageRevisionsInput struct {
	wire.PageParams
	wire.ChangeRequestPath
	Page string `path:"pageId"`
}

// listChangeRequestPageRevisions lists the revisions of a change request that changed a page, the newest first.
func (h *Handlers) listChangeRequestPageRevisions(ctx context.Context,
	in *listChangeRequestPageRevisionsInput) (*operation.Body[PageHistory], error) {
	found, err := h.Changes.Get(ctx, operation.Caller(ctx), in.Space, in.ChangeRequest)
	if err != nil {
		return nil, err
	}
	return h.pageHistory(ctx, in.Space, found.Branch, in.Page, in.PageParams)
}

// pageHistory lists what became of a page on a branch of a space that the caller may read.
func (h *Handlers) pageHistory(ctx context.Context, space id.Space, branchID id.Branch, page string,
	params wire.PageParams) (*operation.Body[PageHistory], error) {
	branch, err := h.Content.Branch(ctx, space, branchID)
	if err != nil {
		return nil, err
	}
	name := "revisions/" + string(branch.ID) + "/" + page
	request, err := h.Lists.Request(name, params)
	if err != nil {
		return nil, err
	}
	found, err := changes.History(ctx, h.Content, branch.ID, page, request)
	if err != nil {
		return nil, err
	}
	if len(found.Items) == 0 && params.Page == "" {
		if err := h.requireEntry(ctx, space, branch.ID, page, found.Next == nil); err != nil {
			return nil, err
		}
	}
	ids := make([]id.User, len(found.Items))
	for i, item := range found.Items {
		ids[i] = item.Revision.Author
	}
	authors, err := h.UserReader.ByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	history := PageHistory{Items: make([]PageRevision, 0, len(found.Items)), Next: h.Lists.NextPage(name, found.Next)}
	for _, item := range found.Items {
		r := item.Revision
		revision := PageRevision{RevisionSummary: h.wireSummary(r, h.Wire.KnownUser(authors, r.Author))}
		// The first parent is what it is compared with; the space is all that names of its files need.
		before := store.Revision{Space: r.Space}
		if len(r.Parents) > 0 {
			before.ID = r.Parents[0]
		}
		for _, change := range item.Changes {
			revision.Changes = append(revision.Changes, h.wireChange(before, r, change))
		}
		history.Items = append(history.Items, revision)
	}
	return &operation.Body[PageHistory]{Body: history}, nil
}

// requireEntry refuses what is no page of a branch. A page that was deleted may be found further back, unless that is
// all there is.
func (h *Handlers) requireEntry(ctx context.Context, space id.Space, branch id.Branch, page string, all bool) error {
	view, err := h.Content.BranchHead(ctx, space, branch)
	if err != nil {
		return err
	}
	_, err = view.Entry(ctx, page)
	if errs.Is(err, errs.NotFound) {
		if !all {
			return nil
		}
		return errs.NotFoundf("There is no page %.80q, and there never was one here.", page)
	}
	return err
}
