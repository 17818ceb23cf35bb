// Package upload owns bodies of requests that are streams of files. They are read part by part, since a file may be
// larger than memory.
package upload

import (
	"errors"
	"io"
	"mime/multipart"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/edit"
	"github.com/rectodocs/recto/internal/serve/api/operation"
)

// MultipartBody is the body of a request as a stream of files. It is read part by part: a file may be larger than
// memory.
type MultipartBody struct {
	parts   *multipart.Reader
	failure error
	// others counts the parts that are no files.
	others int
}

// ReadRequest takes the body as it comes.
func (m *MultipartBody) ReadRequest(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, edit.MaxFiles*edit.MaxFileSize+(1<<20))
	var err error
	if m.parts, err = r.MultipartReader(); err != nil {
		m.failure = errs.Wrap(err, errs.Unsupported,
			"Send the files as multipart/form-data, one part with a file name for each.")
	}
}

// maxOtherParts is how many parts of a form may be something else than files.
const maxOtherParts = 100

// FilesOf returns the files of a form.
func FilesOf(form *multipart.Reader) *MultipartBody { return &MultipartBody{parts: form} }

// Next returns the next file, io.EOF when there is none.
func (m *MultipartBody) Next() (edit.Upload, error) {
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

// Files documents a body of up to 20 files.
func Files() operation.Option {
	return form(
		"1 to 20 files of at most 100 MB each. The name of the part does not matter; its file name becomes the file's.")
}

// File documents a body of a single file.
func File() operation.Option {
	return form("One file of at most 100 MB. The names of the part and of the file do not matter.")
}

func form(description string) operation.Option {
	return func(op *operation.Operation) {
		op.Streams = &huma.RequestBody{Required: true,
			Content: map[string]*huma.MediaType{"multipart/form-data": {Schema: &huma.Schema{
				Type: "object",
				Properties: map[string]*huma.Schema{"file": {
					Type: "array", Items: &huma.Schema{Type: "string", Format: "binary"},
					Description: description,
				}},
			}}}}
	}
}

// FileOrForm documents a body that is one file, alone or as a part of a form.
func FileOrForm() operation.Option {
	return func(op *operation.Operation) {
		file := &huma.Schema{Type: "string", Format: "binary"}
		op.Streams = &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{
			"application/octet-stream": {Schema: file},
			"multipart/form-data": {Schema: &huma.Schema{Type: "object",
				Properties: map[string]*huma.Schema{"file": file}}},
		}}
	}
}
