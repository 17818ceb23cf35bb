package contents

import (
	"context"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// AtChangeRequest names a change request in the path of a read of its content.
type AtChangeRequest struct {
	ChangeRequest id.ChangeRequest `path:"changeRequestId" doc:"The id, or the number in the space."`
}

func (c AtChangeRequest) version() version { return version{changeRequest: c.ChangeRequest} }

type getChangeRequestContentInput struct {
	RevisionParams
	AtChangeRequest
}

// getChangeRequestRevision answers the content of a change request with its whole tree.
func (h *Handlers) getChangeRequestRevision(ctx context.Context,
	in *getChangeRequestContentInput) (*operation.Encoded, error) {
	return h.readRevision(ctx, in.RevisionParams, in.version())
}

// listChangeRequestPages answers the tree of pages of a change request.
func (h *Handlers) listChangeRequestPages(ctx context.Context,
	in *getChangeRequestContentInput) (*operation.Encoded, error) {
	return h.readPages(ctx, in.RevisionParams, in.version())
}

type listChangeRequestFilesInput struct {
	RevisionParams
	AtChangeRequest
	wire.PageParams
}

// listChangeRequestFiles lists the files of a change request by name.
func (h *Handlers) listChangeRequestFiles(ctx context.Context,
	in *listChangeRequestFilesInput) (*operation.Body[wire.List[wire.File]], error) {
	return h.readFiles(ctx, in.RevisionParams, in.version(), in.PageParams)
}

type getChangeRequestFileInput struct {
	RevisionParams
	AtChangeRequest
	File string `path:"fileId"`
}

// getChangeRequestFile answers one file of a change request.
func (h *Handlers) getChangeRequestFile(ctx context.Context,
	in *getChangeRequestFileInput) (*operation.Encoded, error) {
	return h.readFile(ctx, in.RevisionParams, in.version(), in.File)
}

type getChangeRequestPageInput struct {
	RevisionParams
	AtChangeRequest
	PageFormat
	Page string `path:"pageId"`
}

// getChangeRequestPage answers one page of a change request with its body.
func (h *Handlers) getChangeRequestPage(ctx context.Context,
	in *getChangeRequestPageInput) (*operation.Encoded, error) {
	return h.readPage(ctx, in.RevisionParams, in.version(), in.PageFormat, in.Page)
}

type getChangeRequestPageByPathInput struct {
	RevisionParams
	AtChangeRequest
	PageFormat
	Path string `path:"pagePath" doc:"Path of the page, such as guides/install; slashes may be sent as %2F."`
}

// getChangeRequestPageByPath answers the page at a path of a change request.
func (h *Handlers) getChangeRequestPageByPath(ctx context.Context,
	in *getChangeRequestPageByPathInput) (*operation.Encoded, error) {
	return h.readPath(ctx, in.RevisionParams, in.version(), in.PageFormat, in.Path)
}

type getChangeRequestReusableInput struct {
	RevisionParams
	AtChangeRequest
	Reusable string `path:"reusableContentId"`
}

// getChangeRequestReusable answers one reusable content of a change request.
func (h *Handlers) getChangeRequestReusable(ctx context.Context,
	in *getChangeRequestReusableInput) (*operation.Encoded, error) {
	return h.readReusable(ctx, in.RevisionParams, in.version(), in.Reusable)
}

type listChangeRequestRevisionsInput struct {
	wire.PageParams
	wire.ChangeRequestPath
}

// listChangeRequestRevisions lists the revisions that were made in a change request, the newest first.
func (h *Handlers) listChangeRequestRevisions(ctx context.Context,
	in *listChangeRequestRevisionsInput) (*operation.Body[wire.List[RevisionSummary]], error) {
	found, err := h.Changes.Get(ctx, operation.Caller(ctx), in.Space, in.ChangeRequest)
	if err != nil {
		return nil, err
	}
	return h.listHistory(ctx, in.Space, found.Branch, in.PageParams)
}

type changeRequestChangesInput struct {
	RevisionParams
	AtChangeRequest
	ChangesParams
}

// getChangeRequestChanges answers what a change request changes, and what a merged one has changed.
func (h *Handlers) getChangeRequestChanges(ctx context.Context,
	in *changeRequestChangesInput) (*operation.Encoded, error) {
	found, err := h.Changes.Get(ctx, operation.Caller(ctx), in.Space, in.ChangeRequest)
	if err != nil {
		return nil, err
	}
	from, to, err := h.spanned(ctx, found)
	if err != nil {
		return nil, err
	}
	var broken *int
	if found.Merged == "" {
		added, err := h.Links.BrokenAdded(ctx, found.Organization, found.Space, found.Branch)
		if err != nil {
			return nil, err
		}
		broken = &added.Count
	}
	return h.changesBetween(ctx, in.RevisionParams, from, to, in.Limit, nil, broken)
}

// spanned returns the two revisions between which a change request changes something, or has.
func (h *Handlers) spanned(ctx context.Context, found change.Request) (from, to id.Revision, err error) {
	if found.Merged == "" {
		return found.Base, found.Head, nil
	}
	merge, err := h.Content.Revision(ctx, found.Merged)
	if err != nil {
		return "", "", err
	}
	// A merge that found nothing to do has no revision of its own.
	if merge.Type == store.TypeMerge && len(merge.Parents) > 0 {
		return merge.Parents[0], merge.ID, nil
	}
	return merge.ID, merge.ID, nil
}

// mergedFrom returns the change request that a merge brought in; nil when a revision is none.
func (h *Handlers) mergedFrom(ctx context.Context, revisionID id.Revision) (*wire.ChangeRequest, error) {
	revision, err := h.Content.Revision(ctx, revisionID)
	if err != nil || revision.Type != store.TypeMerge {
		return nil, err
	}
	found, err := h.Changes.OfBranch(ctx, revision.Space, revision.MergedFrom)
	if errs.Is(err, errs.NotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	answer, err := h.ChangeRequestWriter.WriteOne(ctx, found)
	answer.URLs.Preview = "" // it is another one each time, and the answer is to be kept
	return &answer, err
}
