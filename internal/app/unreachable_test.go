package app_test

import (
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestAServerElsewhereThatDoesNotAnswer holds that it is a fault of the request, which named it, and not of this
// server: nothing is unavailable here, and trying again changes nothing until the other one answers.
func TestAServerElsewhereThatDoesNotAnswer(t *testing.T) {
	onBothWith(t, fetching, func(t *testing.T, s *server) {
		closed, err := net.Listen("tcp4", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		port := closed.Addr().(*net.TCPAddr).Port
		closed.Close()
		address := fmt.Sprintf("http://127.0.0.1:%d/", port)
		space := s.space("Guide")
		s.call(http.MethodPost, "/v1/spaces/"+space+"/change-requests", nil, http.StatusCreated, nil)
		at := "/v1/spaces/" + space
		for _, c := range []struct{ method, path, body string }{
			{http.MethodPost, at + "/content/import", `{"url":"` + address + `","source":"website"}`},
			{http.MethodPost, at + "/content/import", `{"url":"` + address + `page.md","source":"markdown"}`},
			{http.MethodPost, at + "/content/import", `{"url":"` + address + `acme.git","source":"github-wiki"}`},
			{http.MethodPost, at + "/change-requests/1/content/import",
				`{"url":"` + address + `a.zip","source":"zip"}`},
			{http.MethodPost, at + "/content",
				`{"changes":[{"operation":"insert_files","files":[{"name":"a.png","url":"` + address + `a.png"}]}]}`},
			{http.MethodPatch, "/v1/orgs/" + s.organization, `{"logo":"` + address + `a.png"}`},
		} {
			got := s.call(c.method, c.path, c.body, http.StatusBadRequest, nil)
			if !strings.Contains(string(got.body), "the connection was refused") {
				t.Errorf("%s: %s", c.body, got.body)
			}
		}
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.base+at+"/content/import",
			strings.NewReader(`{"url":"`+address+`","source":"website"}`))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Authorization", "Bearer "+s.token)
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Prefer", "respond-async")
		started := s.send(request)
		if started.status != http.StatusAccepted {
			t.Fatalf("started: %d %s", started.status, started.body)
		}
		var record struct{ State string }
		var told answer
		for deadline := time.Now().Add(20 * time.Second); record.State != "failed" &&
			time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
			told = s.call(http.MethodGet, strings.TrimPrefix(started.header.Get("Location"), s.base), nil,
				http.StatusOK, &record)
		}
		if record.State != "failed" || !strings.Contains(string(told.body), "the connection was refused") {
			t.Errorf("the record: %s", told.body)
		}
	})
}

// TestNamesDoNotTellTheirAddresses holds that nobody learns from an import where a name leads.
func TestNamesDoNotTellTheirAddresses(t *testing.T) {
	s := onSQLite(t, nil)
	space := s.space("Guide")
	for name, body := range map[string]string{
		"import": `{"url":"http://localhost:8080/","source":"website"}`,
		"file":   `{"url":"http://localhost/a.md","source":"markdown"}`,
	} {
		got := s.call(http.MethodPost, "/v1/spaces/"+space+"/content/import", body, http.StatusBadRequest, nil)
		if text := string(got.body); !strings.Contains(text, "not public") || strings.Contains(text, "127.0.0.1") ||
			strings.Contains(text, "::1") {
			t.Errorf("%s: %s", name, text)
		}
	}
	if !strings.Contains(s.log.String(), "127.0.0.1") && !strings.Contains(s.log.String(), "::1") {
		t.Error("the log does not tell the operator the address")
	}
}
