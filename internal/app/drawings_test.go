package app_test

import (
	"encoding/base64"
	"net/http"
	"regexp"
	"strings"
	"testing"
)

// TestDrawingsAreNoDocuments holds for every door behind which people's files are: a drawing is shown as a picture of a
// page, and opened by itself it is a file to save, in a sandbox.
func TestDrawingsAreNoDocuments(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		const active = `<svg xmlns="http://www.w3.org/2000/svg" width="5" height="5"><script>alert(1)</script></svg>`
		encoded := base64.StdEncoding.EncodeToString([]byte(active))
		insert :=
			`{"operation":"insert_files","files":[{"ref":"shot","name":"Shot.SVG","contentType":"image/svg+xml","base64":"` + encoded + `"},{"name":"shot.html","contentType":"image/svg+xml","base64":"` + encoded + `"},{"name":"shot","contentType":"image/svg+xml","base64":"` + encoded + `"}]},
			{"operation":"insert_page","title":"Start","document":{"markdown":"![What you see](/files/shot)\n"}}`
		site := s.audienceSite("Docs", "share-link", insert)
		_, shared := site.link("Friends")
		change := site.propose(`{"operation":"insert_files","files":[{"ref":"more","name":"more.svg","base64":"` +
			encoded +
			`"}]},{"operation":"insert_page","title":"More","document":{"markdown":"![More](/files/more)\n"}}`)
		s.publish("tracker", map[string]any{"icon": encoded})
		var integration struct{ URLs struct{ Icon string } }
		s.call(http.MethodGet, "/v1/integrations/tracker", nil, http.StatusOK, &integration)

		doors := map[string]answer{}
		for _, path := range []string{"/content/files", "/change-requests/1/content/files"} {
			var files struct {
				Items []struct{ Name, DownloadURL string }
			}
			s.call(http.MethodGet, "/v1/spaces/"+site.space+path, nil, http.StatusOK, &files)
			for _, file := range files.Items {
				doors["download "+path+" "+file.Name] = s.raw(http.MethodGet, file.DownloadURL, "", nil)
			}
		}
		doors["integration"] = s.raw(http.MethodGet, integration.URLs.Icon, "", nil)
		picture := regexp.MustCompile(`src="([^"]+(?i:\.svg)[^"]*)"`)
		friend, member := newVisitor(t), newVisitor(t)
		friend.open(shared)
		member.open(change.preview)
		for name, page := range map[string]struct {
			visitor *visitor
			address string
		}{"site": {friend, site.home + "start"}, "preview": {member, site.home + change.below + "more"}} {
			status, body, _ := page.visitor.open(page.address)
			found := picture.FindStringSubmatch(body)
			if found == nil {
				t.Errorf("%s: the page shows no picture: %d", name, status)
				continue
			}
			address := found[1]
			if strings.HasPrefix(address, "/") {
				address = s.base + address
			}
			status, body, got := page.visitor.open(address)
			doors[name] = answer{status: status, header: got.Header, body: []byte(body)}
		}
		if len(doors) < 10 {
			t.Errorf("only %d doors", len(doors))
		}
		for name, got := range doors {
			disposition, policy := got.header.Get("Content-Disposition"), got.header.Get("Content-Security-Policy")
			if got.status != http.StatusOK || !strings.HasPrefix(disposition, "attachment") || !strings.Contains(policy,
				"sandbox") || !strings.Contains(policy, "default-src 'none'") ||
				got.header.Get("X-Content-Type-Options") != "nosniff" {
				t.Errorf("%s: %d %q %q %v", name, got.status, disposition, policy, got.header)
			}
			if kind := got.header.Get("Content-Type"); kind != "image/svg+xml" && kind != "application/octet-stream" {
				t.Errorf("%s is %s", name, kind)
			}
		}
	})
}
