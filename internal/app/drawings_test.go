package app_test

import (
	"encoding/base64"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
)

// TestDrawingsAreNoDocuments holds for every door behind which people's files are: a drawing is shown as a picture of a
// page, and opened by itself it is a file to save, in a sandbox.
func TestDrawingsAreNoDocuments(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		const active = `<svg xmlns="http://www.w3.org/2000/svg" width="5" height="5"><script>alert(1)</script></svg>`
		encoded := base64.StdEncoding.EncodeToString([]byte(active))
		insert :=
			`{"operation":"insert_files","files":[{"ref":"shot","name":"Shot.SVG","contentType":"image/svg+xml","base64":"` + encoded + `"},{"name":"shot.html","contentType":"image/svg+xml","base64":"` + encoded + `"},{"name":"shot","contentType":"image/svg+xml","base64":"` + encoded + `"}]},
			{"operation":"insert_page","title":"Start","document":{"markdown":"![What you see](/files/shot)\n"}}`
		site := s.NewSite("Docs", "share-link", insert)
		_, shared := site.Link("Friends")
		change := site.Propose(`{"operation":"insert_files","files":[{"ref":"more","name":"more.svg","base64":"` +
			encoded +
			`"}]},{"operation":"insert_page","title":"More","document":{"markdown":"![More](/files/more)\n"}}`)
		s.Publish("tracker", map[string]any{"icon": encoded})
		var integration struct{ URLs struct{ Icon string } }
		s.Call(http.MethodGet, "/v1/integrations/tracker", nil, http.StatusOK, &integration)

		doors := map[string]apptest.Answer{}
		for _, path := range []string{"/content/files", "/change-requests/1/content/files"} {
			var files struct {
				Items []struct{ Name, DownloadURL string }
			}
			s.Call(http.MethodGet, "/v1/spaces/"+site.Space+path, nil, http.StatusOK, &files)
			for _, file := range files.Items {
				doors["download "+path+" "+file.Name] = s.Raw(http.MethodGet, file.DownloadURL, "", nil)
			}
		}
		doors["integration"] = s.Raw(http.MethodGet, integration.URLs.Icon, "", nil)
		picture := regexp.MustCompile(`src="([^"]+(?i:\.svg)[^"]*)"`)
		friend, member := apptest.NewVisitor(t), apptest.NewVisitor(t)
		friend.Open(shared)
		member.Open(change.Preview)
		for name, page := range map[string]struct {
			visitor *apptest.Visitor
			address string
		}{"site": {friend, site.Home + "start"}, "preview": {member, site.Home + change.Below + "more"}} {
			status, body, _ := page.visitor.Open(page.address)
			found := picture.FindStringSubmatch(body)
			if found == nil {
				t.Errorf("%s: the page shows no picture: %d", name, status)
				continue
			}
			address := found[1]
			if strings.HasPrefix(address, "/") {
				address = s.Base + address
			}
			status, body, got := page.visitor.Open(address)
			doors[name] = apptest.Answer{Status: status, Header: got.Header, Body: []byte(body)}
		}
		if len(doors) < 10 {
			t.Errorf("only %d doors", len(doors))
		}
		for name, got := range doors {
			disposition, policy := got.Header.Get("Content-Disposition"), got.Header.Get("Content-Security-Policy")
			if got.Status != http.StatusOK || !strings.HasPrefix(disposition, "attachment") || !strings.Contains(policy,
				"sandbox") || !strings.Contains(policy, "default-src 'none'") ||
				got.Header.Get("X-Content-Type-Options") != "nosniff" {
				t.Errorf("%s: %d %q %q %v", name, got.Status, disposition, policy, got.Header)
			}
			if kind := got.Header.Get("Content-Type"); kind != "image/svg+xml" && kind != "application/octet-stream" {
				t.Errorf("%s is %s", name, kind)
			}
		}
	})
}
