package app_test

import (
	"bytes"
	"net/http"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/people/org"
)

// order asks for a PDF and returns its address.
func (s *server) order(path string) string {
	s.t.Helper()
	var ordered struct{ URL string }
	s.call(http.MethodGet, path, nil, http.StatusOK, &ordered)
	if !strings.HasPrefix(ordered.URL, s.base+"/v1/pdfs/pdf_") {
		s.t.Fatalf("%s: the address is %q", path, ordered.URL)
	}
	return ordered.URL
}

// fetchPDF gets a PDF from its address, without a token.
func (s *server) fetchPDF(address string) []byte {
	s.t.Helper()
	got := s.raw(http.MethodGet, address, "", nil)
	if got.status != http.StatusOK || got.header.Get("Content-Type") != "application/pdf" || !bytes.HasPrefix(got.body,
		[]byte("%PDF-1.7\n")) ||
		!bytes.HasSuffix(got.body, []byte("%%EOF\n")) {
		s.t.Fatalf("GET %s: %d %s, %d bytes\n%.300s", address, got.status, got.header.Get("Content-Type"),
			len(got.body), got.body)
	}
	return got.body
}

// sheets counts the pages of a PDF.
func sheets(file []byte) int { return bytes.Count(file, []byte("<< /Type /Page /Parent ")) }

func TestPDF(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		space := s.space("Guide")
		s.upload(space, "guide.zip", zipped(t, guide))
		base := "/v1/spaces/" + space
		ids := map[string]string{}
		var tree struct{ Pages []page }
		s.call(http.MethodGet, base+"/content/pages", nil, http.StatusOK, &tree)
		var walk func([]page)
		walk = func(pages []page) {
			for _, p := range pages {
				ids[p.Title] = p.ID
				walk(p.Pages)
			}
		}
		walk(tree.Pages)

		whole := s.fetchPDF(s.order(base + "/pdf"))
		if got := sheets(whole); got != 5 { // cover, contents, three documents; the hidden one is left out
			t.Errorf("the space has %d pages", got)
		}
		if first, again := s.order(base+"/pdf"), s.order(base+"/pdf"); strings.Split(first, "?")[0] != strings.Split(
			again, "?")[0] {
			t.Errorf("the same PDF is made twice: %s and %s", first, again)
		}
		for name, want := range map[string]struct {
			query  string
			sheets int
		}{
			"a page and those below it": {"?page=" + ids["Guides"], 4},
			"a page alone":              {"?only=true&page=" + ids["Guides"], 2},
			"a hidden page by name":     {"?page=" + ids["Hidden"], 2},
		} {
			// A cover, and contents where there is more than one line of them.
			if got := sheets(s.fetchPDF(s.order(base + "/pdf" + want.query))); got != want.sheets {
				t.Errorf("%s: %d pages, want %d", name, got, want.sheets)
			}
		}

		var request changeRequest
		s.call(http.MethodPost, base+"/change-requests", `{"subject":"Better"}`, http.StatusCreated, &request)
		for _, name := range []string{request.ID, "1"} {
			if got := sheets(s.fetchPDF(s.order(base + "/change-requests/" + name + "/pdf"))); got != 5 {
				t.Errorf("the change request has %d pages", got)
			}
		}

		t.Run("invalid", func(t *testing.T) {
			other := s.space("Other")
			s.upload(other, "page.md", []byte("# Another\n\nText.\n"))
			var elsewhere struct{ Pages []page }
			s.call(http.MethodGet, "/v1/spaces/"+other+"/content/pages", nil, http.StatusOK, &elsewhere)
			for _, path := range []string{base + "/pdf", base + "/change-requests/1/pdf"} {
				for query, want := range map[string]int{
					"?only=true":                              http.StatusBadRequest,
					"?only=perhaps":                           http.StatusBadRequest,
					"?only=true&page=" + ids["Elsewhere"]:     http.StatusBadRequest, // a group has no text
					"?page=" + ids["Go"]:                      http.StatusBadRequest, // nor has a link
					"?page=" + elsewhere.Pages[0].ID:          http.StatusNotFound,
					"?page=page_01j00000000000000000000000":   http.StatusNotFound,
					"?page=" + strings.Repeat("x", 101):       http.StatusBadRequest,
					"?page=%22%3B%20DROP%20TABLE%20print_pdf": http.StatusNotFound,
				} {
					s.call(http.MethodGet, path+query, nil, want, nil)
				}
			}
			s.call(http.MethodGet, base+"/change-requests/99/pdf", nil, http.StatusNotFound, nil)
			s.call(http.MethodGet, "/v1/spaces/"+other+"/change-requests/"+request.ID+"/pdf", nil, http.StatusNotFound,
				nil)
			s.call(http.MethodGet, "/v1/spaces/space_none/pdf", nil, http.StatusNotFound, nil)
		})
		t.Run("access", func(t *testing.T) {
			reader, guest := s.member(org.RoleRead, "reader@example.org"), s.member("", "guest@example.org")
			for _, path := range []string{base + "/pdf", base + "/change-requests/1/pdf"} {
				s.callAs(reader, http.MethodGet, path, nil, http.StatusOK, nil)
				s.callAs(guest, http.MethodGet, path, nil, http.StatusNotFound, nil)
				s.callAs("", http.MethodGet, path, nil, http.StatusUnauthorized, nil)
			}
		})
		t.Run("address", func(t *testing.T) {
			address := s.order(base + "/pdf")
			plain, query, _ := strings.Cut(address, "?")
			for name, tampered := range map[string]string{
				"no signature":    plain,
				"another time":    strings.Replace(address, "expires=", "expires=9", 1),
				"another PDF":     strings.Replace(address, "/pdfs/pdf_", "/pdfs/pdf_x", 1),
				"empty signature": plain + "?" + query[:strings.Index(query, "signature=")+len("signature=")],
			} {
				if got := s.raw(http.MethodGet, tampered, "", nil); got.status != http.StatusForbidden {
					t.Errorf("%s: %d %s", name, got.status, got.body)
				}
			}
			part, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
			if err != nil {
				t.Fatal(err)
			}
			part.Header.Set("Range", "bytes=0-7")
			if got := s.send(part); got.status != http.StatusPartialContent || string(got.body) != "%PDF-1.7" {
				t.Errorf("a part: %d %q", got.status, got.body)
			}
		})
	})
}
