package apptest

import (
	"bytes"
	"net/http"
	"strings"
	"testing"
	"unicode"

	"github.com/rectodocs/recto/internal/engine/pdf/pdftest"
)

// Order asks for a PDF and returns its address.
func (s *Server) Order(path string) string {
	s.T.Helper()
	var ordered struct{ URL string }
	s.Call(http.MethodGet, path, nil, http.StatusOK, &ordered)
	if !strings.HasPrefix(ordered.URL, s.Base+"/v1/pdfs/pdf_") {
		s.T.Fatalf("%s: the address is %q", path, ordered.URL)
	}
	return ordered.URL
}

// FetchPDF gets a PDF from its address, without a token.
func (s *Server) FetchPDF(address string) []byte {
	s.T.Helper()
	got := s.Raw(http.MethodGet, address, "", nil)
	if got.Status != http.StatusOK || got.Header.Get("Content-Type") != "application/pdf" || !bytes.HasPrefix(got.Body,
		[]byte("%PDF-1.7\n")) ||
		!bytes.HasSuffix(got.Body, []byte("%%EOF\n")) {
		s.T.Fatalf("GET %s: %d %s, %d bytes\n%.300s", address, got.Status, got.Header.Get("Content-Type"),
			len(got.Body), got.Body)
	}
	return got.Body
}

// Sheets counts the pages of a PDF.
func Sheets(file []byte) int { return bytes.Count(file, []byte("<< /Type /Page /Parent ")) }

// WordsIn are the letters of all sheets of a PDF.
func WordsIn(of *pdftest.File) (all string) {
	for i := range of.Kids {
		all += Letters(of.Text(i + 1))
	}
	return all
}

// WordsOfPDF are the letters of a PDF that is still to be read.
func WordsOfPDF(t *testing.T, file []byte) string {
	t.Helper()
	return WordsIn(pdftest.Read(t, file))
}

// Letters is a text without anything but letters and digits, in lower case: type setting breaks the rest.
func Letters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}
