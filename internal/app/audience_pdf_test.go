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
			if control := made.header.Get("Cache-Control"); control != "private, no-cache" ||
				!strings.Contains(strings.Join(made.header.Values("Vary"), ","), "Cookie") {
				t.Errorf("%s: others may be given what a cache keeps of it: %v", visibility, made.header)
			}
			if got := ask(stranger, site.home+"~/pdf"); got.status != http.StatusNotFound || bytes.Contains(got.body,
				[]byte("%PDF-")) {
				t.Errorf("%s: a stranger gets one that is there: %d", visibility, got.status)
			}
		}
	})
}

// TestPDFOfAdaptiveSites holds that a PDF is of what its reader sees, that readers share one when it is the same, and
// that nobody gets that of others.
func TestPDFOfAdaptiveSites(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		insert := func(title, condition, text string) string {
			return `{"operation":"insert_page","title":"` + title + `","ref":"` + title + `","condition":"` +
				condition + `","document":{"markdown":"` + text + `\n"}}`
		}
		site := s.audienceSite("Manual", "public", onePage+","+
			insert("Price", "visitor.claims.plan == \\\"pro\\\"", "Ten.")+","+
			insert("Links", "", "{% content-ref url=\\\"/pages/Price\\\" %}\\n[](/pages/Price)\\n{% endcontent-ref "+
				"%}\\n\\n{% if visitor.claims.plan == \\\"pro\\\" %}\\n{% if visitor.claims.beta %}\\nDeep.\\n{% "+
				"endif %}\\n{% endif %}"))
		var whole map[string]any
		s.call(http.MethodGet, site.path+"/customization", nil, http.StatusOK, &whole)
		whole["pdf"] = map[string]any{"enabled": true}
		s.call(http.MethodPut, site.path+"/customization", whole, http.StatusOK, nil)
		site.adapt(
			`{"type":"object","properties":{"plan":{"type":"string","description":""},"beta":{"type":"boolean","description":""},"name":{"type":"string","description":""}},"additionalProperties":false}`)
		var tree struct{ Pages []page }
		s.call(http.MethodGet, "/v1/spaces/"+site.space+"/content/pages", nil, http.StatusOK, &tree)
		price := ""
		for _, each := range tree.Pages {
			if each.Title == "Price" {
				price = each.ID
			}
		}
		if price == "" {
			t.Fatalf("%+v", tree)
		}
		key := site.key()
		as := func(claims map[string]any, query string) answer {
			t.Helper()
			v := newVisitor(t)
			if claims != nil {
				v.open(site.home + "?jwt_token=" + sign(t, key, claims))
			}
			for range 100 {
				status, body, got := v.open(site.home + "~/pdf" + query)
				if status != http.StatusAccepted {
					return answer{status: status, header: got.Header, body: []byte(body)}
				}
			}
			t.Fatal("the PDF is never done")
			return answer{}
		}
		nobody := as(nil, "")
		pro, again := as(map[string]any{"plan": "pro", "name": "Ada"}, ""),
			as(map[string]any{"plan": "pro", "name": "Grace"}, "")
		beta := as(map[string]any{"plan": "pro", "beta": true}, "")
		free := as(map[string]any{"plan": "free", "beta": true}, "")
		tag := func(a answer) string { return a.header.Get("ETag") }
		for name, got := range map[string]answer{"nobody": nobody, "pro": pro, "beta": beta, "free": free} {
			if got.status != http.StatusOK || !bytes.HasPrefix(got.body, []byte("%PDF-")) {
				t.Fatalf("%s: %d %.200s", name, got.status, got.body)
			}
			if got.header.Get("Cache-Control") != "private, no-cache" ||
				!strings.Contains(strings.Join(got.header.Values("Vary"), ","), "Cookie") {
				t.Errorf("%s: %v", name, got.header)
			}
			if mayKnow := name == "pro" || name == "beta"; mayKnow != (sheets(got.body) == 5) || !mayKnow &&
				bytes.Contains(got.body, []byte(price)) {
				t.Errorf("%s: %d sheets, names the hidden page: %t", name, sheets(got.body),
					bytes.Contains(got.body, []byte(price)))
			}
		}
		if tag(pro) != tag(again) || tag(nobody) != tag(free) {
			t.Error("readers who see the same have PDFs of their own")
		}
		if tag(pro) == tag(nobody) || tag(pro) == tag(beta) || tag(beta) == tag(nobody) {
			t.Error("readers who see something else share a PDF")
		}
		// A page by its id, and the address of somebody else's PDF.
		if got := as(nil, "?page="+price); got.status != http.StatusNotFound {
			t.Errorf("a hidden page as a PDF: %d", got.status)
		}
		if got := as(map[string]any{"plan": "pro"}, "?page="+price); got.status != http.StatusOK {
			t.Errorf("a page as a PDF for who may see it: %d", got.status)
		}
		if got := s.raw(http.MethodGet, s.base+"/v1/pdfs/"+strings.Trim(tag(pro), `"`)+"/manual.pdf", "",
			nil); got.status != http.StatusForbidden && got.status != http.StatusNotFound &&
			got.status != http.StatusUnauthorized {
			t.Errorf("the id of a PDF opens it: %d", got.status)
		}
	})
}
