package contents_test

import (
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app"
	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/platform/config"
)

// discard is a response that goes nowhere.
type discard struct{ header http.Header }

func (d discard) Header() http.Header { return d.header }

func (d discard) WriteHeader(int) {}

func (d discard) Write(p []byte) (int, error) { return len(p), nil }

// BenchmarkPageJSON is one warm read of a page with a token, without the network.
func BenchmarkPageJSON(b *testing.B) {
	log := slog.New(slog.NewJSONHandler(io.Discard, nil))
	storage := config.Storage{Data: b.TempDir()}
	made, err := app.Init(b.Context(), storage, app.Setup{Title: "Example", Email: "ada@example.org", Name: "Ada"}, log)
	if err != nil {
		b.Fatal(err)
	}
	settings := config.Defaults(storage.Data)
	settings.RateLimit = 0
	program, err := app.New(b.Context(), settings, "bench", log)
	if err != nil {
		b.Fatal(err)
	}
	defer program.Close()
	send := func(method, path string, body io.Reader) *httptest.ResponseRecorder {
		request := httptest.NewRequest(method, path, body)
		request.Header.Set("Authorization", "Bearer "+made.Secret)
		request.Header.Set("Content-Type", "application/json")
		recorder := httptest.NewRecorder()
		program.Handler().ServeHTTP(recorder, request)
		if recorder.Code >= 300 {
			b.Fatalf("%s %s: %d %s", method, path, recorder.Code, recorder.Body)
		}
		return recorder
	}
	space := decodeID(b, send(http.MethodPost, "/v1/orgs/"+string(made.Organization.ID)+"/spaces",
		jsonBody(`{"title":"Guide"}`)))
	send(http.MethodPost, "/v1/spaces/"+space+"/content/upload?name=page.md", jsonBody("# Page\n\nText.\n"))
	request := httptest.NewRequest(http.MethodGet, "/v1/spaces/"+space+"/content/path/page", nil)
	request.Header.Set("Authorization", "Bearer "+made.Secret)
	b.ReportAllocs()
	for b.Loop() {
		program.Handler().ServeHTTP(discard{http.Header{}}, request)
	}
}

func jsonBody(text string) io.Reader { return strings.NewReader(text) }

// decodeID reads the id of what an answer holds.
func decodeID(b *testing.B, recorder *httptest.ResponseRecorder) string {
	b.Helper()
	var made apptest.Identified
	if err := json.Unmarshal(recorder.Body.Bytes(), &made); err != nil {
		b.Fatal(err)
	}
	return made.ID
}
