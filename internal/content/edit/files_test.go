package edit_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/edit"
)

func TestFilesFromAddresses(t *testing.T) {
	each(t, func(f *fixture) {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/logo":
				w.Header().Set("Content-Type", "image/svg+xml; charset=utf-8")
				_, _ = io.WriteString(w, `<svg xmlns="http://www.w3.org/2000/svg"/>`)
			case "/large":
				w.Header().Set("Content-Length", fmt.Sprint(edit.MaxFileSize+1))
			case "/inside":
				http.Redirect(w, r, "http://169.254.169.254/", http.StatusFound)
			default:
				http.NotFound(w, r)
			}
		}))
		defer server.Close()
		take := func(files ...edit.NewFile) edit.Change {
			return edit.Change{Operation: edit.InsertFiles, Files: files}
		}
		made := f.apply(take(edit.NewFile{Name: "logo", URL: server.URL + "/logo"}, edit.NewFile{Name: "logo.svg",
			URL: server.URL + "/logo"}))
		if len(made.Files) != 2 || made.Files[0].ContentType != "image/svg+xml" || made.Files[1].Name != "logo.svg" ||
			made.Files[0].Blob != made.Files[1].Blob {
			t.Errorf("files = %+v", made.Files)
		}
		files, err := f.head().Files(t.Context())
		if err != nil || len(files) != 2 {
			t.Errorf("%d files are there (%v)", len(files), err)
		}
		f.refused(errs.Invalid, "status 404", take(edit.NewFile{Name: "x", URL: server.URL + "/none"}))
		f.refused(errs.TooLarge, "changes[0].files[1]", take(edit.NewFile{Name: "x", URL: server.URL + "/logo"},
			edit.NewFile{Name: "x", URL: server.URL + "/large"}))
		f.refused(errs.Invalid, "changes[0].files[0].url", take(edit.NewFile{Name: "x", URL: server.URL + "/inside"}))
		long := strings.Repeat("é", 252) + ".gif"
		if e := f.apply(take(edit.NewFile{Name: long, Base64: new(pixel)})).Files[0]; !strings.HasSuffix(e.Name,
			".gif") || len([]rune(e.Name)) != 255 {
			t.Errorf("a name of 256 characters became %q", e.Name)
		}
	})
}

// zeros gives so many zero bytes.
type zeros struct{ left int64 }

func (z *zeros) Read(p []byte) (int, error) {
	if z.left == 0 {
		return 0, io.EOF
	}
	n := min(int64(len(p)), z.left)
	clear(p[:n])
	z.left -= n
	return int(n), nil
}

func TestUpload(t *testing.T) {
	each(t, func(f *fixture) {
		send := func(files ...edit.Upload) (edit.Result, error) {
			return f.edits.UploadToSpace(t.Context(), f.admin, f.space, uploads(files...))
		}
		text := func(name string) edit.Upload { return edit.Upload{Name: name, Content: strings.NewReader("text")} }
		made, err := send(text("a.txt"), edit.Upload{Name: "b", Content: strings.NewReader("%PDF-1.7\n")},
			text("a.txt"))
		if err != nil || len(made.Files) != 3 || made.Files[0].ContentType != "text/plain" ||
			made.Files[1].ContentType != "application/pdf" {
			t.Fatalf("upload: %+v, %v", made.Files, err)
		}
		head := f.head().Revision().ID
		failing := errors.New("the line is cut")
		for name, test := range map[string]struct {
			kind  errs.Kind
			files []edit.Upload
		}{
			"none":             {errs.Invalid, nil},
			"21":               {errs.TooLarge, make([]edit.Upload, 0)},
			"name with folder": {errs.Invalid, []edit.Upload{text("ok.txt"), text("a/b.txt")}},
			"no name":          {errs.Invalid, []edit.Upload{text("")}},
			"control letter":   {errs.Invalid, []edit.Upload{text("a\x00b")}},
			"too large":        {errs.TooLarge, []edit.Upload{{Name: "zeros", Content: &zeros{edit.MaxFileSize + 1}}}},
			"cut off": {errs.Internal,
				[]edit.Upload{text("ok.txt"),
					{Name: "x", Content: io.MultiReader(strings.NewReader("x"), failingReader{failing})}}},
		} {
			files := test.files
			if name == "21" {
				for range 21 {
					files = append(files, text("a.txt"))
				}
			}
			if _, err := send(files...); err == nil || errs.KindOf(err) != test.kind {
				t.Errorf("%s: %v", name, err)
			}
			if got := f.head().Revision().ID; got != head {
				t.Fatalf("%s made revision %s", name, got)
			}
		}
		if made, err := send(edit.Upload{Name: "zeros", Content: &zeros{edit.MaxFileSize}}); err != nil ||
			made.Files[0].Size != edit.MaxFileSize {
			t.Errorf("the largest file: %v", err)
		}
	})
}

type failingReader struct{ err error }

func (r failingReader) Read([]byte) (int, error) { return 0, r.err }
