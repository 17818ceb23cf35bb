package api

import (
	"context"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/edit"
)

// maxChangesBytes bounds the body of a request that changes content: it may hold files in base64.
const maxChangesBytes = 16 << 20

// large lets a request have a body of so many bytes, and the time to send it.
func large(bytes int64) option {
	return func(op *operation) {
		op.MaxBodyBytes = bytes
		op.BodyReadTimeout = 2 * time.Minute
	}
}

type updateSpaceContentInput struct {
	Space string `path:"spaceId"`
	Body  ContentChanges
}

// updateSpaceContent changes the main content of a space directly.
func (a *API) updateSpaceContent(ctx context.Context, in *updateSpaceContentInput) (*body[ContentUpdate], error) {
	batch, err := in.Body.batch(in.Space)
	if err != nil {
		return nil, err
	}
	result, err := a.Edits.UpdateSpace(ctx, callerOf(ctx), batch)
	if err != nil {
		return nil, err
	}
	return &body[ContentUpdate]{Body: ContentUpdate{
		Revision:      result.Revision.ID,
		Changes:       a.wireOutcomes(ctx, result, a.BaseURL+"/v1/spaces/"+in.Space+"/content/page/"),
		InsertedFiles: a.wireFiles(in.Space, result.Files),
	}}, nil
}

// UploadedFiles are files that came with a request.
type UploadedFiles struct {
	// Revision is the one that has them.
	Revision string `json:"revision"`
	Files    []File `json:"files"`
}

// MultipartBody is the body of a request as a stream of files. It is read part by part: a file may be larger than
// memory.
type MultipartBody struct {
	parts   *multipart.Reader
	failure error
	// others counts the parts that are no files.
	others int
}

// takeRequest takes the body as it comes.
func (m *MultipartBody) takeRequest(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, edit.MaxFiles*edit.MaxFileSize+(1<<20))
	var err error
	if m.parts, err = r.MultipartReader(); err != nil {
		m.failure = errs.Wrap(err, errs.Unsupported,
			"Send the files as multipart/form-data, one part with a file name for each.")
	}
}

// maxOtherParts is how many parts of a form may be something else than files.
const maxOtherParts = 100

// next returns the next file, io.EOF when there is none.
func (m *MultipartBody) next() (edit.Upload, error) {
	if m.failure != nil {
		return edit.Upload{}, m.failure
	}
	for {
		part, err := m.parts.NextPart()
		if err != nil {
			return edit.Upload{}, uploadError(err)
		}
		if part.FileName() != "" {
			return edit.Upload{Name: part.FileName(), MediaType: part.Header.Get("Content-Type"),
				Content: partReader{part}}, nil
		}
		if m.others++; m.others > maxOtherParts {
			return edit.Upload{}, errs.Invalidf("body", "has more than %d parts that are no files", maxOtherParts)
		}
	}
}

// partReader reads a part and says in words of its own what is wrong with it.
type partReader struct{ part *multipart.Part }

// Read implements io.Reader.
func (r partReader) Read(p []byte) (int, error) {
	n, err := r.part.Read(p)
	if err != nil {
		err = uploadError(err)
	}
	return n, err
}

// uploadError turns what went wrong with reading a request's body into a refusal.
func uploadError(err error) error {
	if err == io.EOF {
		return err
	}
	if _, large := errors.AsType[*http.MaxBytesError](err); large {
		return errs.Wrap(err, errs.TooLarge, "The request is too large: at most %d files of %d bytes each are taken.",
			edit.MaxFiles, int64(edit.MaxFileSize))
	}
	return errs.Wrap(err, errs.Invalid, "The body is not whole multipart/form-data; send the files again.")
}

// multipartFiles documents a body of up to 20 files, multipartFile one of a single file.
func multipartFiles() option {
	return multipartForm(
		"1 to 20 files of at most 100 MB each. The name of the part does not matter; its file name becomes the file's.")
}

func multipartFile() option {
	return multipartForm("One file of at most 100 MB. The names of the part and of the file do not matter.")
}

func multipartForm(description string) option {
	return func(op *operation) {
		op.streams = &huma.RequestBody{Required: true,
			Content: map[string]*huma.MediaType{"multipart/form-data": {Schema: &huma.Schema{
				Type: "object",
				Properties: map[string]*huma.Schema{"file": {
					Type: "array", Items: &huma.Schema{Type: "string", Format: "binary"},
					Description: description,
				}},
			}}}}
	}
}

// uploads documents a body that is one file, alone or as a part of a form.
func uploads() option {
	return func(op *operation) {
		file := &huma.Schema{Type: "string", Format: "binary"}
		op.streams = &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{
			"application/octet-stream": {Schema: file},
			"multipart/form-data": {Schema: &huma.Schema{Type: "object",
				Properties: map[string]*huma.Schema{"file": file}}},
		}}
	}
}

type uploadFilesInput struct {
	MultipartBody
	Space string `path:"spaceId"`
}

// uploadFiles takes files into the main content of a space.
func (a *API) uploadFiles(ctx context.Context, in *uploadFilesInput) (*created[UploadedFiles], error) {
	result, err := a.Edits.UploadToSpace(ctx, callerOf(ctx), in.Space, in.next)
	if err != nil {
		return nil, err
	}
	return &created[UploadedFiles]{
		Location: a.BaseURL + "/v1/spaces/" + in.Space + "/content/files/" + result.Files[0].ID,
		Body:     UploadedFiles{Revision: result.Revision.ID, Files: a.wireFiles(in.Space, result.Files)},
	}, nil
}

// ReplacedFile is a file with its new bytes.
type ReplacedFile struct {
	// Revision is the one that has it.
	Revision string `json:"revision"`
	File     File   `json:"file"`
}

type replaceFileInput struct {
	MultipartBody
	Space string `path:"spaceId"`
	File  string `path:"fileId"`
}

// replaceFile puts an upload in the place of a file of the main content.
func (a *API) replaceFile(ctx context.Context, in *replaceFileInput) (*body[ReplacedFile], error) {
	result, err := a.Edits.ReplaceInSpace(ctx, callerOf(ctx), in.Space, in.File, in.next)
	if err != nil {
		return nil, err
	}
	return &body[ReplacedFile]{Body: ReplacedFile{Revision: result.Revision.ID,
		File: a.wireFile(in.Space, result.Files[0])}}, nil
}

type replaceChangeRequestFileInput struct {
	MultipartBody
	ChangeRequestPath
	File string `path:"fileId"`
}

// replaceChangeRequestFile puts an upload in the place of a file of a change request.
func (a *API) replaceChangeRequestFile(ctx context.Context,
	in *replaceChangeRequestFileInput) (*body[ReplacedFile], error) {
	result, err := a.Edits.ReplaceInChangeRequest(ctx, callerOf(ctx), in.Space, in.ChangeRequest, in.File, in.next)
	if err != nil {
		return nil, err
	}
	return &body[ReplacedFile]{Body: ReplacedFile{Revision: result.Revision.ID,
		File: a.wireFile(in.Space, result.Files[0])}}, nil
}

type rollbackInput struct {
	Space string `path:"spaceId"`
	AtRevision
	Body *struct {
		Message string `json:"message,omitempty" maxLength:"1000" doc:"What you say about it, for the history."`
	} `required:"false"`
}

// RollbackResult is what a rollback has done.
type RollbackResult struct {
	// Revision is the current one.
	Revision string `json:"revision"`
	Result   string `json:"result" enum:"rollback,unchanged" doc:"unchanged: the content was that of the revision already."`
}

// rollbackSpace brings the main content of a space back to that of an earlier revision.
func (a *API) rollbackSpace(ctx context.Context, in *rollbackInput) (*body[RollbackResult], error) {
	message := ""
	if in.Body != nil {
		message = in.Body.Message
	}
	revision, changed, err := a.Edits.Rollback(ctx, callerOf(ctx), in.Space, in.Revision, message)
	if err != nil {
		return nil, err
	}
	result := RollbackResult{Revision: revision.ID, Result: "unchanged"}
	if changed {
		result.Result = "rollback"
	}
	return &body[RollbackResult]{Body: result}, nil
}
