package prints

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/content/print"
	"github.com/rectodocs/recto/internal/serve/api/download"
	"github.com/rectodocs/recto/internal/serve/api/failure"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// TestPDFAddress holds when the address of a PDF works: for an hour, and as it was signed.
func TestPDFAddress(t *testing.T) {
	now := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	signer := download.Signer{BaseURL: "http://localhost", Key: []byte("0123456789abcdef"), Now: func() time.Time {
		return now
	}}
	h := &Handlers{Wire: wire.Writer{BaseURL: "http://localhost", Downloads: signer}}
	made, err := h.pdfAnswer(print.PDF{ID: "pdf_x", Title: "Ein Büchlein"}, nil)
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
		"no time": {strings.Split(address, "?")[0] + "?signature=" + signer.Sign("pdf", "pdf_x", ""),
			0, http.StatusNotFound},
		"of a file": {strings.Split(address, "?")[0] + "?expires=9999999999&signature=" + signer.Sign(
			"pdf_x", "9999999999"), 0, http.StatusForbidden},
	} {
		now = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC).Add(test.after)
		body, logged := failure.Of(get(t, h, test.address))
		if body.Info.Code != test.want || body.Info.Message == "" || logged {
			t.Errorf("%s: %d %s, want %d", name, body.Info.Code, body.Info.Message, test.want)
		}
	}
}

// get calls the operation that sends PDFs, by the address that the table has for it, and returns its error.
func get(t *testing.T, h *Handlers, address string) error {
	t.Helper()
	err := errors.New("no operation has the address")
	mux := http.NewServeMux()
	for _, op := range h.Operations() {
		if op.OperationID != "downloadPDF" {
			continue
		}
		mux.HandleFunc(op.Method+" "+op.Path, func(_ http.ResponseWriter, r *http.Request) {
			_, err = op.Call(context.WithoutCancel(r.Context()), &downloadPDFInput{
				PDF: r.PathValue("pdfId"), Name: r.PathValue("name"), Expires: r.URL.Query().Get("expires"),
				Signature: r.URL.Query().Get("signature"),
			})
		})
	}
	mux.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodGet, address, nil))
	return err
}
