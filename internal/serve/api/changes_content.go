package api

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/danielgtaylor/huma/v2"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/content/store"
)

// AtChangeRequest names a change request in the path of a read of its content.
type AtChangeRequest struct {
	ChangeRequest string `path:"changeRequestId" doc:"The id, or the number in the space."`
}

func (c AtChangeRequest) version() version { return version{changeRequest: c.ChangeRequest} }

type getChangeRequestContentInput struct {
	RevisionParams
	AtChangeRequest
}

// getChangeRequestRevision answers the content of a change request with its whole tree.
func (a *API) getChangeRequestRevision(ctx context.Context, in *getChangeRequestContentInput) (*encoded, error) {
	return a.readRevision(ctx, in.RevisionParams, in.version())
}

// listChangeRequestPages answers the tree of pages of a change request.
func (a *API) listChangeRequestPages(ctx context.Context, in *getChangeRequestContentInput) (*encoded, error) {
	return a.readPages(ctx, in.RevisionParams, in.version())
}

type listChangeRequestFilesInput struct {
	RevisionParams
	AtChangeRequest
	PageParams
}

// listChangeRequestFiles lists the files of a change request by name.
func (a *API) listChangeRequestFiles(ctx context.Context, in *listChangeRequestFilesInput) (*body[List[File]], error) {
	return a.readFiles(ctx, in.RevisionParams, in.version(), in.PageParams)
}

type getChangeRequestFileInput struct {
	RevisionParams
	AtChangeRequest
	File string `path:"fileId"`
}

// getChangeRequestFile answers one file of a change request.
func (a *API) getChangeRequestFile(ctx context.Context, in *getChangeRequestFileInput) (*encoded, error) {
	return a.readFile(ctx, in.RevisionParams, in.version(), in.File)
}

type getChangeRequestPageInput struct {
	RevisionParams
	AtChangeRequest
	PageFormat
	Page string `path:"pageId"`
}

// getChangeRequestPage answers one page of a change request with its body.
func (a *API) getChangeRequestPage(ctx context.Context, in *getChangeRequestPageInput) (*encoded, error) {
	return a.readPage(ctx, in.RevisionParams, in.version(), in.PageFormat, in.Page)
}

type getChangeRequestPageByPathInput struct {
	RevisionParams
	AtChangeRequest
	PageFormat
	Path string `path:"pagePath" doc:"Path of the page, such as guides/install; slashes may be sent as %2F."`
}

// getChangeRequestPageByPath answers the page at a path of a change request.
func (a *API) getChangeRequestPageByPath(ctx context.Context, in *getChangeRequestPageByPathInput) (*encoded, error) {
	return a.readPath(ctx, in.RevisionParams, in.version(), in.PageFormat, in.Path)
}

type getChangeRequestReusableInput struct {
	RevisionParams
	AtChangeRequest
	Reusable string `path:"reusableContentId"`
}

// getChangeRequestReusable answers one reusable content of a change request.
func (a *API) getChangeRequestReusable(ctx context.Context, in *getChangeRequestReusableInput) (*encoded, error) {
	return a.readReusable(ctx, in.RevisionParams, in.version(), in.Reusable)
}

type listChangeRequestRevisionsInput struct {
	PageParams
	ChangeRequestPath
}

// listChangeRequestRevisions lists the revisions that were made in a change request, the newest first.
func (a *API) listChangeRequestRevisions(ctx context.Context,
	in *listChangeRequestRevisionsInput) (*body[List[RevisionSummary]], error) {
	found, err := a.Changes.Get(ctx, callerOf(ctx), in.Space, in.ChangeRequest)
	if err != nil {
		return nil, err
	}
	return a.listHistory(ctx, in.Space, found.Branch, in.PageParams)
}

type changeRequestChangesInput struct {
	RevisionParams
	AtChangeRequest
	ChangesParams
}

// getChangeRequestChanges answers what a change request changes, and what a merged one has changed.
func (a *API) getChangeRequestChanges(ctx context.Context, in *changeRequestChangesInput) (*encoded, error) {
	found, err := a.Changes.Get(ctx, callerOf(ctx), in.Space, in.ChangeRequest)
	if err != nil {
		return nil, err
	}
	from, to := found.Base, found.Head
	var broken *int
	if found.Merged == "" {
		added, err := a.Links.BrokenAdded(ctx, found.Organization, found.Space, found.Branch)
		if err != nil {
			return nil, err
		}
		broken = &added.Count
	} else {
		merge, err := a.Content.Revision(ctx, found.Merged)
		if err != nil {
			return nil, err
		}
		// A merge that found nothing to do has no revision of its own.
		if to = merge.ID; merge.Type == store.TypeMerge && len(merge.Parents) > 0 {
			from = merge.Parents[0]
		} else {
			from = to
		}
	}
	return a.changesBetween(ctx, in.RevisionParams, from, to, in.Limit, nil, broken)
}

// mergedFrom returns the change request that a merge brought in; nil when a revision is none.
func (a *API) mergedFrom(ctx context.Context, revisionID string) (*ChangeRequest, error) {
	revision, err := a.Content.Revision(ctx, revisionID)
	if err != nil || revision.Type != store.TypeMerge {
		return nil, err
	}
	found, err := a.Changes.OfBranch(ctx, revision.Space, revision.MergedFrom)
	if errs.Is(err, errs.NotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	wire, err := a.oneChangeRequest(ctx, found)
	wire.URLs.Preview = "" // it is another one each time, and the answer is to be kept
	return &wire, err
}

type updateChangeRequestContentInput struct {
	ChangeRequestPath
	// Compat is a word because huma puts the default in the place of a boolean that is false, when there is a body.
	Compat string `query:"compat" enum:"true,false" default:"true" doc:"false answers with what became of each page and file, too."`
	Body   ContentChanges
}

// ChangeRequestContentUpdate is what changes of a change request's content have done.
type ChangeRequestContentUpdate struct {
	ChangeRequest ChangeRequest         `json:"changeRequest"`
	Changes       []ContentUpdateChange `json:"changes" doc:"What became of each page, in the order of the changes."`
	InsertedFiles []File                `json:"insertedFiles,omitempty" doc:"In the order of the request."`
}

// ContentAnswer is a change request, or what was done to its content.
type ContentAnswer struct {
	request *ChangeRequest
	update  *ChangeRequestContentUpdate
}

// MarshalJSON writes the one that is there.
func (a ContentAnswer) MarshalJSON() ([]byte, error) {
	if a.update != nil {
		return json.Marshal(a.update)
	}
	return json.Marshal(a.request)
}

// Schema tells huma that it is one of the two.
func (ContentAnswer) Schema(r huma.Registry) *huma.Schema {
	return &huma.Schema{OneOf: []*huma.Schema{schemaOf[ChangeRequest](r), schemaOf[ChangeRequestContentUpdate](r)}}
}

// updateChangeRequestContent changes the content of a change request.
func (a *API) updateChangeRequestContent(ctx context.Context,
	in *updateChangeRequestContentInput) (*body[ContentAnswer], error) {
	batch, err := in.Body.batch(in.Space)
	if err != nil {
		return nil, err
	}
	result, found, err := a.Edits.UpdateChangeRequest(ctx, callerOf(ctx), in.ChangeRequest, batch)
	if err != nil {
		return nil, err
	}
	wire, err := a.oneChangeRequest(ctx, found)
	if err != nil {
		return nil, err
	}
	if in.Compat == "true" {
		return &body[ContentAnswer]{Body: ContentAnswer{request: &wire}}, nil
	}
	return &body[ContentAnswer]{Body: ContentAnswer{update: &ChangeRequestContentUpdate{
		ChangeRequest: wire, Changes: a.wireOutcomes(ctx, result, a.changeRequestContentURL(found)+"/page/"),
		InsertedFiles: a.wireFiles(in.Space, result.Files),
	}}}, nil
}

func (a *API) changeRequestContentURL(r change.Request) string {
	return fmt.Sprintf("%s/content", a.changeRequestURL(r))
}

type uploadChangeRequestFilesInput struct {
	MultipartBody
	ChangeRequestPath
}

// uploadChangeRequestFiles takes files into the content of a change request.
func (a *API) uploadChangeRequestFiles(ctx context.Context,
	in *uploadChangeRequestFilesInput) (*created[UploadedFiles], error) {
	result, found, err := a.Edits.UploadToChangeRequest(ctx, callerOf(ctx), in.Space, in.ChangeRequest, in.next)
	if err != nil {
		return nil, err
	}
	return &created[UploadedFiles]{
		Location: a.changeRequestContentURL(found) + "/files/" + result.Files[0].ID,
		Body:     UploadedFiles{Revision: result.Revision.ID, Files: a.wireFiles(in.Space, result.Files)},
	}, nil
}
