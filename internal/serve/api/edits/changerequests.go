package edits

import (
	"context"
	"encoding/json"

	"github.com/danielgtaylor/huma/v2"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/content/edit"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/upload"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

type updateChangeRequestContentInput struct {
	wire.ChangeRequestPath
	// Compat is a word because huma puts the default in the place of a boolean that is false, when there is a body.
	Compat string `query:"compat" enum:"true,false" default:"true" doc:"false answers with what became of each page and file, too."`
	Body   ContentChanges
}

// ChangeRequestContentUpdate is what changes of a change request's content have done.
type ChangeRequestContentUpdate struct {
	ChangeRequest wire.ChangeRequest `json:"changeRequest"`
	// Revision is not always the newest of the change request: somebody else may have been quick.
	Revision      id.Revision           `json:"revision" doc:"What the changes made; the present one when they changed nothing."`
	Parents       []id.Revision         `json:"parents" doc:"What that revision was made on, and nothing when the changes made none. When it is not the revision of the request, others' changes are in it, too."`
	Changes       []ContentUpdateChange `json:"changes" doc:"What became of each page, in the order of the changes."`
	InsertedFiles []wire.File           `json:"insertedFiles,omitempty" doc:"In the order of the request."`
}

// ContentAnswer is a change request, or what was done to its content.
type ContentAnswer struct {
	request *wire.ChangeRequest
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
	return &huma.Schema{OneOf: []*huma.Schema{wire.SchemaOf[wire.ChangeRequest](r),
		wire.SchemaOf[ChangeRequestContentUpdate](r)}}
}

// updateChangeRequestContent changes the content of a change request.
func (h *Handlers) updateChangeRequestContent(ctx context.Context,
	in *updateChangeRequestContentInput) (*operation.Body[ContentAnswer], error) {
	batch, err := in.Body.batch(in.Space)
	if err != nil {
		return nil, err
	}
	result, found, err := h.Edits.UpdateChangeRequest(ctx, operation.Caller(ctx), in.ChangeRequest, batch)
	if err != nil {
		return nil, err
	}
	wire, err := h.ChangeRequestWriter.WriteOne(ctx, found)
	if err != nil {
		return nil, err
	}
	if in.Compat == "true" {
		return &operation.Body[ContentAnswer]{Body: ContentAnswer{request: &wire}}, nil
	}
	return &operation.Body[ContentAnswer]{Body: ContentAnswer{update: &ChangeRequestContentUpdate{
		ChangeRequest: wire, Revision: result.Revision.ID, Parents: parentsOf(result),
		Changes:       h.wireOutcomes(ctx, result, h.changeRequestContentURL(found)+"/page/"),
		InsertedFiles: h.wireFiles(in.Space, result.Files),
	}}}, nil
}

// parentsOf are those of the revision that changes have made, none when they made none.
func parentsOf(result edit.Result) []id.Revision {
	if result.Stayed {
		return []id.Revision{}
	}
	return result.Revision.Parents
}

func (h *Handlers) changeRequestContentURL(r change.Request) string {
	return h.Wire.ChangeRequestURL(r) + "/content"
}

type uploadChangeRequestFilesInput struct {
	upload.MultipartBody
	wire.ChangeRequestPath
}

// uploadChangeRequestFiles takes files into the content of a change request.
func (h *Handlers) uploadChangeRequestFiles(ctx context.Context,
	in *uploadChangeRequestFilesInput) (*operation.Created[UploadedFiles], error) {
	result, found, err := h.Edits.UploadToChangeRequest(ctx, operation.Caller(ctx), in.Space, in.ChangeRequest, in.Next)
	if err != nil {
		return nil, err
	}
	return &operation.Created[UploadedFiles]{
		Location: h.changeRequestContentURL(found) + "/files/" + result.Files[0].ID,
		Body:     UploadedFiles{Revision: result.Revision.ID, Files: h.wireFiles(in.Space, result.Files)},
	}, nil
}
