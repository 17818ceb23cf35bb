package app_test

import (
	"bytes"
	"net/http"
	"net/http/cookiejar"
	"strings"
	"testing"
)

// TestPDFOfRestrictedSites holds PDFs to those who may read the site, and out of caches that others share.
func TestPDFOfRestrictedSites(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		for _, visibility := range []string{"share-link", "visitor-auth"} {
			site := s.audienceSite("Manual "+visibility, visibility, onePage)
			var whole map[string]any
			s.call(http.MethodGet, site.path+"/customization", nil, http.StatusOK, &whole)
			whole["pdf"] = map[string]any{"enabled": true}
			s.call(http.MethodPut, site.path+"/customization", whole, http.StatusOK, nil)
			jar, err := cookiejar.New(nil)
			if err != nil {
				t.Fatal(err)
			}
			reader := &http.Client{Jar: jar}
			in := site.home + "?jwt_token=" + sign(t, site.key(), nil)
			if visibility == "share-link" {
				_, in = site.link("Customers")
			}
			ask := func(client *http.Client, address string) answer {
				t.Helper()
				for range 200 {
					request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
					if err != nil {
						t.Fatal(err)
					}
					got, err := client.Do(request)
					if err != nil {
						t.Fatal(err)
					}
					var read bytes.Buffer
					_, err = read.ReadFrom(got.Body)
					got.Body.Close()
					if err != nil {
						t.Fatal(err)
					}
					if got.StatusCode != http.StatusAccepted {
						return answer{status: got.StatusCode, header: got.Header, body: read.Bytes()}
					}
					if control := got.Header.Get("Cache-Control"); control != "no-store" {
						t.Errorf("%s: the page that waits may be kept: %q", visibility, control)
					}
				}
				t.Fatal("the PDF is never done")
				return answer{}
			}
			stranger := &http.Client{}
			if got := ask(stranger, site.home+"~/pdf"); got.status != http.StatusNotFound {
				t.Errorf("%s: a stranger orders a PDF: %d", visibility, got.status)
			}
			if got := ask(reader, in); got.status != http.StatusOK {
				t.Fatalf("%s: the reader is not let in: %d", visibility, got.status)
			}
			made := ask(reader, site.home+"~/pdf")
			if made.status != http.StatusOK || !bytes.HasPrefix(made.body, []byte("%PDF-")) {
				t.Fatalf("%s: a reader gets %d %.200s", visibility, made.status, made.body)
			}
			if control := made.header.Get("Cache-Control"); control != "private, no-cache" || !strings.Contains(strings.Join(made.header.Values("Vary"), ","), "Cookie") {
				t.Errorf("%s: others may be given what a cache keeps of it: %v", visibility, made.header)
			}
			if got := ask(stranger, site.home+"~/pdf"); got.status != http.StatusNotFound || bytes.Contains(got.body, []byte("%PDF-")) {
				t.Errorf("%s: a stranger gets one that is there: %d", visibility, got.status)
			}
			site.adapt(`{"type":"object","properties":{"plan":{"type":"string"}},"additionalProperties":false}`)
			if got := ask(reader, site.home+"~/pdf"); got.status != http.StatusNotFound {
				t.Errorf("%s: an adaptive site has a PDF: %d", visibility, got.status)
			}
		}
	})
}
