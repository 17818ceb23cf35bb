package app_test

import (
	"io"
	"net/http"
	"net/http/cookiejar"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/people/org"
)

// visitor is a browser with its own cookies.
type visitor struct {
	t      *testing.T
	client *http.Client
}

func newVisitor(t *testing.T) *visitor {
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &visitor{t, &http.Client{Jar: jar}}
}

// open follows redirects and returns the last answer.
func (v *visitor) open(address string) (status int, body string, answer *http.Response) {
	v.t.Helper()
	answer, err := v.client.Get(address)
	if err != nil {
		v.t.Fatal(err)
	}
	defer answer.Body.Close()
	raw, err := io.ReadAll(answer.Body)
	if err != nil {
		v.t.Fatal(err)
	}
	return answer.StatusCode, string(raw), answer
}

func TestPreviewOfAChangeRequest(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		space := s.space("Guide")
		content := "/v1/spaces/" + space
		s.call(http.MethodPost, content+"/content",
			`{"changes":[{"operation":"insert_page","title":"Start","document":{"markdown":"The live text. [Next](/pages/x)\n"}},{"operation":"insert_page","title":"Next","ref":"x","document":{"markdown":"More.\n"}}]}`, http.StatusOK, nil)
		var site struct {
			ID   string
			URLs struct{ Published string }
		}
		sites := "/v1/orgs/" + s.organization + "/sites"
		s.call(http.MethodPost, sites, `{"title":"Guide","visibility":"public","spaces":["`+space+`"]}`,
			http.StatusCreated, &site)
		s.call(http.MethodPost, sites+"/"+site.ID+"/publish", nil, http.StatusOK, &site)
		home := site.URLs.Published

		changes := content + "/change-requests"
		s.call(http.MethodPost, changes, `{"subject":"Say <more>"}`, http.StatusCreated, nil)
		var tree struct{ Pages []struct{ ID, Title string } }
		s.call(http.MethodGet, content+"/content/pages", nil, http.StatusOK, &tree)
		s.call(http.MethodPost, changes+"/1/content", `{"changes":[{"operation":"update_page","page":"`+
			tree.Pages[0].ID+`","document":{"markdown":"The proposed text. [Next](/pages/`+tree.Pages[1].ID+`)\n"}}]}`,
			http.StatusOK, nil)
		var change struct {
			Revision string
			URLs     struct{ Preview string }
		}
		s.call(http.MethodGet, changes+"/1", nil, http.StatusOK, &change)

		reader := newVisitor(t)
		status, body, answer := reader.open(change.URLs.Preview)
		if status != http.StatusOK || !strings.Contains(body, "The proposed text.") || !strings.Contains(body,
			"Change request #1: Say &lt;more&gt;") {
			t.Fatalf("the preview: %d\n%s", status, body)
		}
		if answer.Request.URL.RawQuery != "" || answer.Header.Get("Cache-Control") != "private, no-cache" ||
			answer.Header.Get("X-Robots-Tag") != "noindex" {
			t.Errorf("the preview ends at %s with %v", answer.Request.URL, answer.Header)
		}
		if preview := strings.TrimPrefix(home, s.base) + "~/changes/1/"; !strings.Contains(body,
			`href="`+preview+`next"`) {
			t.Errorf("links do not stay in the preview %s:\n%s", preview, body)
		}
		if status, body, _ := reader.open(home + "~/changes/1/next"); status != http.StatusOK || !strings.Contains(body,
			"More.") {
			t.Errorf("the next page: %d", status)
		}
		if status, body, _ := reader.open(home + "~/revisions/" + change.Revision + "/"); status != http.StatusOK ||
			!strings.Contains(body, "The proposed text.") {
			t.Errorf("a revision: %d", status)
		}
		if _, body, _ := reader.open(home); !strings.Contains(body, "The live text.") || strings.Contains(body,
			"preview-note") {
			t.Errorf("the live site shows\n%s", body)
		}
		for _, path := range []string{"~/changes/2/", "~/changes/x/", "~/changes/%2e%2e/", "~/revisions/revision_0/",
			"~/changes/1/sitemap.xml", "~/changes/1/llms.txt", "~/changes//"} {
			if status, _, _ := reader.open(home + path); status != http.StatusNotFound {
				t.Errorf("%s: %d", path, status)
			}
		}

		stranger := newVisitor(t)
		ticket := change.URLs.Preview[strings.Index(change.URLs.Preview, "?"):]
		for name, address := range map[string]string{
			"no ticket": home + "~/changes/1/", "a changed ticket": change.URLs.Preview + "x",
			"a revision": home + "~/revisions/" + change.Revision + "/",
		} {
			if status, body, _ := stranger.open(address); status != http.StatusNotFound || strings.Contains(body,
				"proposed") {
				t.Errorf("%s: %d", name, status)
			}
		}
		other := s.space("Other")
		s.call(http.MethodPost, "/v1/spaces/"+other+"/content",
			`{"changes":[{"operation":"insert_page","title":"Secret"}]}`, http.StatusOK, nil)
		var second struct {
			ID   string
			URLs struct{ Published string }
		}
		s.call(http.MethodPost, sites, `{"title":"Other","visibility":"public","spaces":["`+other+`"]}`,
			http.StatusCreated, &second)
		s.call(http.MethodPost, sites+"/"+second.ID+"/publish", nil, http.StatusOK, &second)
		s.call(http.MethodPost, "/v1/spaces/"+other+"/change-requests", nil, http.StatusCreated, nil)
		if status, _, _ := newVisitor(t).open(second.URLs.Published + "~/changes/1/" +
			ticket); status != http.StatusNotFound {
			t.Errorf("a ticket for another space: %d", status)
		}

		// Access is asked for each time: who may no longer read the space has a ticket for nothing.
		member := s.member(org.Role("read"), "grace@example.org")
		s.callAs(member, http.MethodGet, changes+"/1", nil, http.StatusOK, &change)
		theirs := newVisitor(t)
		if status, _, _ := theirs.open(change.URLs.Preview); status != http.StatusOK {
			t.Errorf("a reader's preview: %d", status)
		}
		s.call(http.MethodPatch, content, `{"defaultLevel":null}`, http.StatusOK, nil)
		if status, _, _ := theirs.open(home + "~/changes/1/"); status != http.StatusNotFound {
			t.Errorf("the preview of somebody who lost access: %d", status)
		}
	})
}
