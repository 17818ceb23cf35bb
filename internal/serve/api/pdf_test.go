package api

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/content/print"
)

// TestPDFAddress holds when the address of a PDF works: for an hour, and as it was signed.
func TestPDFAddress(t *testing.T) {
	now := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	a := New(Deps{BaseURL: "http://localhost", DownloadKey: []byte("0123456789abcdef"), Now: func() time.Time {
		return now
	}, Log: slog.New(slog.DiscardHandler)})
	made, err := a.pdfAnswer(print.PDF{ID: "pdf_x", Title: "Ein Büchlein"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	address := strings.TrimPrefix(made.Body.URL, "http://localhost")
	if !strings.HasPrefix(address, "/v1/pdfs/pdf_x/ein-b") || !strings.Contains(address, ".pdf?") {
		t.Errorf("the address is %s", address)
	}
	for name, test := range map[string]struct {
		address string
		after   time.Duration
		want    int
	}{
		"after an hour":     {address, time.Hour + time.Second, http.StatusNotFound},
		"after a year":      {address, 365 * 24 * time.Hour, http.StatusNotFound},
		"another PDF":       {strings.Replace(address, "pdf_x", "pdf_y", 1), 0, http.StatusForbidden},
		"another time":      {strings.Replace(address, "expires=1", "expires=2", 1), 0, http.StatusForbidden},
		"another signature": {address[:len(address)-4] + "AAAA", 0, http.StatusForbidden},
		"no time": {strings.Split(address, "?")[0] + "?signature=" + a.downloadSignature("pdf", "pdf_x", ""),
			0, http.StatusNotFound},
		"of a file": {strings.Split(address, "?")[0] + "?expires=9999999999&signature=" + a.downloadSignature(
			"pdf_x", "9999999999"), 0, http.StatusForbidden},
	} {
		now = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC).Add(test.after)
		recorder := httptest.NewRecorder()
		a.ServeHTTP(recorder, httptest.NewRequestWithContext(t.Context(), http.MethodGet, test.address, nil))
		if recorder.Code != test.want || !strings.Contains(recorder.Body.String(), `"message"`) {
			t.Errorf("%s: %d %s, want %d", name, recorder.Code, recorder.Body, test.want)
		}
	}
}
