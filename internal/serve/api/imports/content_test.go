package imports_test

import (
	"bytes"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/app/apptest"
)

func TestImportsInTheBackground(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		space := s.Space("Guide")
		// The file comes as a form, as curl -F sends it.
		form := &bytes.Buffer{}
		parts := multipart.NewWriter(form)
		part, err := parts.CreateFormFile("file", "guide.zip")
		if err == nil {
			_, err = part.Write(apptest.Zipped(t, apptest.GuideFiles))
		}
		if err == nil {
			err = parts.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.Base+"/v1/spaces/"+space+
			"/content/upload", form)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+s.Token)
		request.Header.Set("Prefer", "respond-async")
		request.Header.Set("Content-Type", parts.FormDataContentType())
		got := s.Send(request)
		if got.Status != http.StatusAccepted || got.Header.Get("Preference-Applied") != "respond-async" {
			t.Fatalf("started: %d %s", got.Status, got.Body)
		}
		s.Check(http.MethodPost, "/v1/spaces/"+space+"/content/upload", got)
		location := strings.TrimPrefix(got.Header.Get("Location"), s.Base)
		var record struct {
			State, Message, Revision string
			Report                   struct{ Pages, Files int }
		}
		for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(20 * time.Millisecond) {
			s.Call(http.MethodGet, location, nil, 200, &record)
			if record.State == "done" {
				break
			}
			if record.State == "failed" || record.State == "cancelled" || time.Now().After(deadline) {
				t.Fatalf("import: %+v", record)
			}
		}
		if record.Report.Pages != 6 || record.Report.Files != 1 || record.Revision == "" {
			t.Errorf("record = %+v", record)
		}
		var list struct {
			Count int
			Items []apptest.Identified
		}
		s.Call(http.MethodGet, "/v1/org/"+s.Organization+"/imports", nil, 200, &list)
		if list.Count != 1 || !strings.HasSuffix(location, list.Items[0].ID) {
			t.Errorf("imports = %+v", list)
		}
		s.Call(http.MethodDelete, location, nil, http.StatusConflict, nil)
	})
}

func TestFailedImportChangesNothing(t *testing.T) {
	s := apptest.OnSQLite(t, nil)
	space := s.Space("Guide")
	s.Upload(space, "guide.zip", apptest.Zipped(t, apptest.GuideFiles))
	before := s.Call(http.MethodGet, "/v1/spaces/"+space+"/content", nil, 200, nil)
	for name, content := range map[string][]byte{
		"traversal.zip": apptest.Zipped(t, map[string]string{"a.md": "# A\n", "../../b.md": "# B\n"}),
		"notazip.zip":   []byte("PK\x03\x04 this is not an archive"),
		"empty.zip":     apptest.Zipped(t, nil),
		"bytes.md":      []byte("# A\n\n\xff\xfe\x00 not text"),
	} {
		got := s.Raw(http.MethodPost, "/v1/spaces/"+space+"/content/upload?name="+name, s.Token, content)
		if got.Status < 400 || got.Status >= 500 {
			t.Errorf("%s: %d %s", name, got.Status, got.Body)
		}
		after := s.Call(http.MethodGet, "/v1/spaces/"+space+"/content", nil, 200, nil)
		if after.Header.Get("ETag") != before.Header.Get("ETag") {
			t.Errorf("%s changed the space", name)
		}
	}
}
