package edits

import (
	"context"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/upload"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// maxChangesBytes bounds the body of a request that changes content: it may hold files in base64.
const maxChangesBytes = 16 << 20

// large lets a request have a body of so many bytes, and the time to send it.
func large(bytes int64) operation.Option {
	return func(op *operation.Operation) {
		op.MaxBodyBytes = bytes
		op.BodyReadTimeout = 2 * time.Minute
	}
}

type updateSpaceContentInput struct {
	Space id.Space `path:"spaceId"`
	Body  ContentChanges
}

// updateSpaceContent changes the main content of a space directly.
func (h *Handlers) updateSpaceContent(ctx context.Context,
	in *updateSpaceContentInput) (*operation.Body[ContentUpdate], error) {
	batch, err := in.Body.batch(in.Space)
	if err != nil {
		return nil, err
	}
	result, err := h.Edits.UpdateSpace(ctx, operation.Caller(ctx), batch)
	if err != nil {
		return nil, err
	}
	return &operation.Body[ContentUpdate]{Body: ContentUpdate{
		Revision:      result.Revision.ID,
		Parents:       parentsOf(result),
		Changes:       h.wireOutcomes(ctx, result, h.Wire.BaseURL+"/v1/spaces/"+string(in.Space)+"/content/page/"),
		InsertedFiles: h.wireFiles(in.Space, result.Files),
	}}, nil
}

// UploadedFiles are files that came with a request.
type UploadedFiles struct {
	// Revision is the one that has them.
	Revision id.Revision `json:"revision"`
	Files    []wire.File `json:"files"`
}

type uploadFilesInput struct {
	upload.MultipartBody
	Space id.Space `path:"spaceId"`
}

// uploadFiles takes files into the main content of a space.
func (h *Handlers) uploadFiles(ctx context.Context, in *uploadFilesInput) (*operation.Created[UploadedFiles], error) {
	result, err := h.Edits.UploadToSpace(ctx, operation.Caller(ctx), in.Space, in.Next)
	if err != nil {
		return nil, err
	}
	return &operation.Created[UploadedFiles]{
		Location: h.Wire.BaseURL + "/v1/spaces/" + string(in.Space) + "/content/files/" + result.Files[0].ID,
		Body:     UploadedFiles{Revision: result.Revision.ID, Files: h.wireFiles(in.Space, result.Files)},
	}, nil
}

// ReplacedFile is a file with its new bytes.
type ReplacedFile struct {
	// Revision is the one that has it.
	Revision id.Revision `json:"revision"`
	File     wire.File   `json:"file"`
}

type replaceFileInput struct {
	upload.MultipartBody
	Space id.Space `path:"spaceId"`
	File  string   `path:"fileId"`
}

// replaceFile puts an upload in the place of a file of the main content.
func (h *Handlers) replaceFile(ctx context.Context, in *replaceFileInput) (*operation.Body[ReplacedFile], error) {
	result, err := h.Edits.ReplaceInSpace(ctx, operation.Caller(ctx), in.Space, in.File, in.Next)
	if err != nil {
		return nil, err
	}
	return &operation.Body[ReplacedFile]{Body: ReplacedFile{Revision: result.Revision.ID,
		File: h.Wire.File(in.Space, result.Files[0])}}, nil
}

type replaceChangeRequestFileInput struct {
	upload.MultipartBody
	wire.ChangeRequestPath
	File string `path:"fileId"`
}

// replaceChangeRequestFile puts an upload in the place of a file of a change request.
func (h *Handlers) replaceChangeRequestFile(ctx context.Context,
	in *replaceChangeRequestFileInput) (*operation.Body[ReplacedFile], error) {
	result, err := h.Edits.ReplaceInChangeRequest(ctx, operation.Caller(ctx), in.Space, in.ChangeRequest, in.File,
		in.Next)
	if err != nil {
		return nil, err
	}
	return &operation.Body[ReplacedFile]{Body: ReplacedFile{Revision: result.Revision.ID,
		File: h.Wire.File(in.Space, result.Files[0])}}, nil
}

type rollbackInput struct {
	Space    id.Space    `path:"spaceId"`
	Revision id.Revision `path:"revisionId"`
	Body     *struct {
		Message string `json:"message,omitempty" maxLength:"1000" doc:"What you say about it, for the history."`
	} `required:"false"`
}

// RollbackResult is what a rollback has done.
type RollbackResult struct {
	// Revision is the current one.
	Revision id.Revision `json:"revision"`
	Result   string      `json:"result" enum:"rollback,unchanged" doc:"unchanged: the content was that of the revision already."`
}

// rollbackSpace brings the main content of a space back to that of an earlier revision.
func (h *Handlers) rollbackSpace(ctx context.Context, in *rollbackInput) (*operation.Body[RollbackResult], error) {
	message := ""
	if in.Body != nil {
		message = in.Body.Message
	}
	revision, changed, err := h.Edits.Rollback(ctx, operation.Caller(ctx), in.Space, in.Revision, message)
	if err != nil {
		return nil, err
	}
	result := RollbackResult{Revision: revision.ID, Result: "unchanged"}
	if changed {
		result.Result = "rollback"
	}
	return &operation.Body[RollbackResult]{Body: result}, nil
}
