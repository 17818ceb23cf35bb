package pub_test

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
)

// TestPublishedPDF holds that readers get PDFs of what is published where the site offers them, and of nothing else.
func TestPublishedPDF(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		space := s.Space("Guide")
		var written struct {
			Changes []struct{ Page struct{ ID string } }
		}
		s.Call(http.MethodPost, "/v1/spaces/"+space+"/content", `{"changes":[
			{"operation":"insert_page","title":"Start","document":{"markdown":"Hello.\n"}},{"operation":"insert_page","title":"Next","document":{"markdown":"Bye.\n"}}]}`, http.StatusOK, &written)
		site, _ := s.PublishedSite("Docs", space)
		one := "/v1/orgs/" + s.Organization + "/sites/" + site
		var found struct{ URLs struct{ Published string } }
		s.Call(http.MethodGet, one, nil, http.StatusOK, &found)
		home := strings.TrimPrefix(found.URLs.Published, s.Base)

		if got := s.Raw(http.MethodGet, home+"~/pdf", "", nil); got.Status != http.StatusNotFound {
			t.Errorf("a site that offers none answers %d", got.Status)
		}
		var whole map[string]any
		s.Call(http.MethodGet, one+"/customization", nil, http.StatusOK, &whole)
		whole["pdf"] = map[string]any{"enabled": true}
		s.Call(http.MethodPut, one+"/customization", whole, http.StatusOK, nil)

		// pdf asks until the file is there, as the page that waits for it does.
		pdf := func(query string) apptest.Answer {
			t.Helper()
			for range 200 {
				got := s.Raw(http.MethodGet, home+"~/pdf"+query, "", nil)
				if got.Status != http.StatusAccepted {
					return got
				}
				if !bytes.Contains(got.Body, []byte(`http-equiv="refresh"`)) ||
					got.Header.Get("Cache-Control") != "no-store" {
					t.Errorf("the page that waits: %v %s", got.Header, got.Body)
				}
			}
			t.Fatal("the PDF is never done")
			return apptest.Answer{}
		}
		all := pdf("")
		if all.Status != http.StatusOK || !bytes.HasPrefix(all.Body, []byte("%PDF-")) ||
			all.Header.Get("Content-Type") != "application/pdf" || all.Header.Get("X-Robots-Tag") != "noindex" {
			t.Errorf("the PDF of all pages: %d %v", all.Status, all.Header)
		}
		page := pdf("?page=" + written.Changes[1].Page.ID)
		if page.Status != http.StatusOK || !bytes.HasPrefix(page.Body, []byte("%PDF-")) ||
			len(page.Body) >= len(all.Body)+1000 {
			t.Errorf("the PDF of a page: %d %v, %d bytes", page.Status, page.Header, len(page.Body))
		}
		if again := pdf(""); again.Header.Get("ETag") != all.Header.Get("ETag") {
			t.Error("the PDF is made again")
		}
		if got := pdf("?page=page_none"); got.Status != http.StatusNotFound {
			t.Errorf("no such page: %d", got.Status)
		}
		if got := s.Raw(http.MethodGet, home, "", nil); !bytes.Contains(got.Body, []byte("~/pdf?page=")) {
			t.Error("pages do not offer it")
		}
		// Another title makes another cover: every change of it is a PDF to be made, and there is a limit to these.
		limited := false
		for i := range 15 {
			whole["title"] = fmt.Sprintf("Docs %d", i)
			s.Call(http.MethodPut, one+"/customization", whole, http.StatusOK, nil)
			got := s.Raw(http.MethodGet, home+"~/pdf", "", nil)
			limited = limited || got.Status == http.StatusTooManyRequests && got.Header.Get("Retry-After") != ""
		}
		if !limited {
			t.Error("one address may have PDFs made without end")
		}
	})
}
