package prints_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/people/org"
)

func TestPDF(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		space := s.Space("Guide")
		s.Upload(space, "guide.zip", apptest.Zipped(t, apptest.GuideFiles))
		base := "/v1/spaces/" + space
		ids := map[string]string{}
		var tree struct{ Pages []apptest.Page }
		s.Call(http.MethodGet, base+"/content/pages", nil, http.StatusOK, &tree)
		var walk func([]apptest.Page)
		walk = func(pages []apptest.Page) {
			for _, p := range pages {
				ids[p.Title] = p.ID
				walk(p.Pages)
			}
		}
		walk(tree.Pages)

		whole := s.FetchPDF(s.Order(base + "/pdf"))
		if got := apptest.Sheets(whole); got != 5 { // cover, contents, three documents; the hidden one is left out
			t.Errorf("the space has %d pages", got)
		}
		if first, again := s.Order(base+"/pdf"), s.Order(base+"/pdf"); strings.Split(first, "?")[0] != strings.Split(
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
			if got := apptest.Sheets(s.FetchPDF(s.Order(base + "/pdf" + want.query))); got != want.sheets {
				t.Errorf("%s: %d pages, want %d", name, got, want.sheets)
			}
		}

		var request apptest.ChangeRequest
		s.Call(http.MethodPost, base+"/change-requests", `{"subject":"Better"}`, http.StatusCreated, &request)
		for _, name := range []string{request.ID, "1"} {
			if got := apptest.Sheets(s.FetchPDF(s.Order(base + "/change-requests/" + name + "/pdf"))); got != 5 {
				t.Errorf("the change request has %d pages", got)
			}
		}

		t.Run("invalid", func(t *testing.T) {
			other := s.Space("Other")
			s.Upload(other, "page.md", []byte("# Another\n\nText.\n"))
			var elsewhere struct{ Pages []apptest.Page }
			s.Call(http.MethodGet, "/v1/spaces/"+other+"/content/pages", nil, http.StatusOK, &elsewhere)
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
					s.Call(http.MethodGet, path+query, nil, want, nil)
				}
			}
			s.Call(http.MethodGet, base+"/change-requests/99/pdf", nil, http.StatusNotFound, nil)
			s.Call(http.MethodGet, "/v1/spaces/"+other+"/change-requests/"+request.ID+"/pdf", nil, http.StatusNotFound,
				nil)
			s.Call(http.MethodGet, "/v1/spaces/space_none/pdf", nil, http.StatusNotFound, nil)
		})
		t.Run("access", func(t *testing.T) {
			reader, guest := s.Member(org.RoleRead, "reader@example.org"), s.Member("", "guest@example.org")
			for _, path := range []string{base + "/pdf", base + "/change-requests/1/pdf"} {
				s.CallAs(reader, http.MethodGet, path, nil, http.StatusOK, nil)
				s.CallAs(guest, http.MethodGet, path, nil, http.StatusNotFound, nil)
				s.CallAs("", http.MethodGet, path, nil, http.StatusUnauthorized, nil)
			}
		})
		t.Run("address", func(t *testing.T) {
			address := s.Order(base + "/pdf")
			plain, query, _ := strings.Cut(address, "?")
			for name, tampered := range map[string]string{
				"no signature":    plain,
				"another time":    strings.Replace(address, "expires=", "expires=9", 1),
				"another PDF":     strings.Replace(address, "/pdfs/pdf_", "/pdfs/pdf_x", 1),
				"empty signature": plain + "?" + query[:strings.Index(query, "signature=")+len("signature=")],
			} {
				if got := s.Raw(http.MethodGet, tampered, "", nil); got.Status != http.StatusForbidden {
					t.Errorf("%s: %d %s", name, got.Status, got.Body)
				}
			}
			part, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
			if err != nil {
				t.Fatal(err)
			}
			part.Header.Set("Range", "bytes=0-7")
			if got := s.Send(part); got.Status != http.StatusPartialContent || string(got.Body) != "%PDF-1.7" {
				t.Errorf("a part: %d %q", got.Status, got.Body)
			}
		})
	})
}
