package pub_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/people/org"
)

func TestPreviewOfAChangeRequest(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		space := s.Space("Guide")
		content := "/v1/spaces/" + space
		s.Call(http.MethodPost, content+"/content",
			`{"changes":[{"operation":"insert_page","title":"Start","document":{"markdown":"The live text. [Next](/pages/x)\n"}},{"operation":"insert_page","title":"Next","ref":"x","document":{"markdown":"More.\n"}}]}`, http.StatusOK, nil)
		var site struct {
			ID   string
			URLs struct{ Published string }
		}
		sites := "/v1/orgs/" + s.Organization + "/sites"
		s.Call(http.MethodPost, sites, `{"title":"Guide","visibility":"public","spaces":["`+space+`"]}`,
			http.StatusCreated, &site)
		s.Call(http.MethodPost, sites+"/"+site.ID+"/publish", nil, http.StatusOK, &site)
		home := site.URLs.Published

		changes := content + "/change-requests"
		s.Call(http.MethodPost, changes, `{"subject":"Say <more>"}`, http.StatusCreated, nil)
		var tree struct{ Pages []struct{ ID, Title string } }
		s.Call(http.MethodGet, content+"/content/pages", nil, http.StatusOK, &tree)
		s.Call(http.MethodPost, changes+"/1/content", `{"changes":[{"operation":"update_page","page":"`+
			tree.Pages[0].ID+`","document":{"markdown":"The proposed text. [Next](/pages/`+tree.Pages[1].ID+`)\n"}}]}`,
			http.StatusOK, nil)
		var change struct {
			Revision string
			URLs     struct{ Preview string }
		}
		s.Call(http.MethodGet, changes+"/1", nil, http.StatusOK, &change)

		reader := apptest.NewVisitor(t)
		status, body, answer := reader.Open(change.URLs.Preview)
		if status != http.StatusOK || !strings.Contains(body, "The proposed text.") || !strings.Contains(body,
			"Change request #1: Say &lt;more&gt;") {
			t.Fatalf("the preview: %d\n%s", status, body)
		}
		if answer.Request.URL.RawQuery != "" || answer.Header.Get("Cache-Control") != "private, no-cache" ||
			answer.Header.Get("X-Robots-Tag") != "noindex" {
			t.Errorf("the preview ends at %s with %v", answer.Request.URL, answer.Header)
		}
		if preview := strings.TrimPrefix(home, s.Base) + "~/changes/1/"; !strings.Contains(body,
			`href="`+preview+`next"`) {
			t.Errorf("links do not stay in the preview %s:\n%s", preview, body)
		}
		if status, body, _ := reader.Open(home + "~/changes/1/next"); status != http.StatusOK || !strings.Contains(body,
			"More.") {
			t.Errorf("the next page: %d", status)
		}
		if status, body, _ := reader.Open(home + "~/revisions/" + change.Revision + "/"); status != http.StatusOK ||
			!strings.Contains(body, "The proposed text.") {
			t.Errorf("a revision: %d", status)
		}
		if _, body, _ := reader.Open(home); !strings.Contains(body, "The live text.") || strings.Contains(body,
			"preview-note") {
			t.Errorf("the live site shows\n%s", body)
		}
		for _, path := range []string{"~/changes/2/", "~/changes/x/", "~/changes/%2e%2e/", "~/revisions/revision_0/",
			"~/changes/1/sitemap.xml", "~/changes/1/llms.txt", "~/changes//"} {
			if status, _, _ := reader.Open(home + path); status != http.StatusNotFound {
				t.Errorf("%s: %d", path, status)
			}
		}

		stranger := apptest.NewVisitor(t)
		ticket := change.URLs.Preview[strings.Index(change.URLs.Preview, "?"):]
		for name, address := range map[string]string{
			"no ticket": home + "~/changes/1/", "a changed ticket": change.URLs.Preview + "x",
			"a revision": home + "~/revisions/" + change.Revision + "/",
		} {
			if status, body, _ := stranger.Open(address); status != http.StatusNotFound || strings.Contains(body,
				"proposed") {
				t.Errorf("%s: %d", name, status)
			}
		}
		other := s.Space("Other")
		s.Call(http.MethodPost, "/v1/spaces/"+other+"/content",
			`{"changes":[{"operation":"insert_page","title":"Secret"}]}`, http.StatusOK, nil)
		var second struct {
			ID   string
			URLs struct{ Published string }
		}
		s.Call(http.MethodPost, sites, `{"title":"Other","visibility":"public","spaces":["`+other+`"]}`,
			http.StatusCreated, &second)
		s.Call(http.MethodPost, sites+"/"+second.ID+"/publish", nil, http.StatusOK, &second)
		s.Call(http.MethodPost, "/v1/spaces/"+other+"/change-requests", nil, http.StatusCreated, nil)
		if status, _, _ := apptest.NewVisitor(t).Open(second.URLs.Published + "~/changes/1/" +
			ticket); status != http.StatusNotFound {
			t.Errorf("a ticket for another space: %d", status)
		}

		// Access is asked for each time: who may no longer read the space has a ticket for nothing.
		member := s.Member(org.Role("read"), "grace@example.org")
		s.CallAs(member, http.MethodGet, changes+"/1", nil, http.StatusOK, &change)
		theirs := apptest.NewVisitor(t)
		if status, _, _ := theirs.Open(change.URLs.Preview); status != http.StatusOK {
			t.Errorf("a reader's preview: %d", status)
		}
		s.Call(http.MethodPatch, content, `{"defaultLevel":null}`, http.StatusOK, nil)
		if status, _, _ := theirs.Open(home + "~/changes/1/"); status != http.StatusNotFound {
			t.Errorf("the preview of somebody who lost access: %d", status)
		}
	})
}
