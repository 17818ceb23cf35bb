package imports_test

import (
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/app/apptest"
)

// TestAServerElsewhereThatDoesNotAnswer holds that it is a fault of the request, which named it, and not of this
// server: nothing is unavailable here, and trying again changes nothing until the other one answers.
func TestAServerElsewhereThatDoesNotAnswer(t *testing.T) {
	apptest.OnBothWith(t, apptest.Fetching, func(t *testing.T, s *apptest.Server) {
		closed, err := net.Listen("tcp4", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		port := closed.Addr().(*net.TCPAddr).Port
		closed.Close()
		address := fmt.Sprintf("http://127.0.0.1:%d/", port)
		space := s.Space("Guide")
		s.Call(http.MethodPost, "/v1/spaces/"+space+"/change-requests", nil, http.StatusCreated, nil)
		at := "/v1/spaces/" + space
		for _, c := range []struct{ method, path, body string }{
			{http.MethodPost, at + "/content/import", `{"url":"` + address + `","source":"website"}`},
			{http.MethodPost, at + "/content/import", `{"url":"` + address + `page.md","source":"markdown"}`},
			{http.MethodPost, at + "/content/import", `{"url":"` + address + `acme.git","source":"github-wiki"}`},
			{http.MethodPost, at + "/change-requests/1/content/import",
				`{"url":"` + address + `a.zip","source":"zip"}`},
			{http.MethodPost, at + "/content",
				`{"changes":[{"operation":"insert_files","files":[{"name":"a.png","url":"` + address + `a.png"}]}]}`},
			{http.MethodPatch, "/v1/orgs/" + s.Organization, `{"logo":"` + address + `a.png"}`},
		} {
			got := s.Call(c.method, c.path, c.body, http.StatusBadRequest, nil)
			if !strings.Contains(string(got.Body), "the connection was refused") {
				t.Errorf("%s: %s", c.body, got.Body)
			}
		}
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.Base+at+"/content/import",
			strings.NewReader(`{"url":"`+address+`","source":"website"}`))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+s.Token)
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Prefer", "respond-async")
		started := s.Send(request)
		if started.Status != http.StatusAccepted {
			t.Fatalf("started: %d %s", started.Status, started.Body)
		}
		var record struct{ State string }
		var told apptest.Answer
		for deadline := time.Now().Add(20 * time.Second); record.State != "failed" &&
			time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
			told = s.Call(http.MethodGet, strings.TrimPrefix(started.Header.Get("Location"), s.Base), nil,
				http.StatusOK, &record)
		}
		if record.State != "failed" || !strings.Contains(string(told.Body), "the connection was refused") {
			t.Errorf("the record: %s", told.Body)
		}
	})
}

// TestNamesDoNotTellTheirAddresses holds that nobody learns from an import where a name leads.
func TestNamesDoNotTellTheirAddresses(t *testing.T) {
	s := apptest.OnSQLite(t, nil)
	space := s.Space("Guide")
	for name, body := range map[string]string{
		"import": `{"url":"http://localhost:8080/","source":"website"}`,
		"file":   `{"url":"http://localhost/a.md","source":"markdown"}`,
	} {
		got := s.Call(http.MethodPost, "/v1/spaces/"+space+"/content/import", body, http.StatusBadRequest, nil)
		if text := string(got.Body); !strings.Contains(text, "not public") || strings.Contains(text, "127.0.0.1") ||
			strings.Contains(text, "::1") {
			t.Errorf("%s: %s", name, text)
		}
	}
	if !strings.Contains(s.Log.String(), "127.0.0.1") && !strings.Contains(s.Log.String(), "::1") {
		t.Error("the log does not tell the operator the address")
	}
}
