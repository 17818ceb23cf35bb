package pub_test

import (
	"bytes"
	"net/http"
	"net/http/cookiejar"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
)

// TestPDFOfRestrictedSites holds PDFs to those who may read the site, and out of caches that others share.
func TestPDFOfRestrictedSites(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		for _, visibility := range []string{"share-link", "visitor-auth"} {
			site := s.NewSite("Manual "+visibility, visibility, apptest.OnePage)
			var whole map[string]any
			s.Call(http.MethodGet, site.Path+"/customization", nil, http.StatusOK, &whole)
			whole["pdf"] = map[string]any{"enabled": true}
			s.Call(http.MethodPut, site.Path+"/customization", whole, http.StatusOK, nil)
			jar, err := cookiejar.New(nil)
			if err != nil {
				t.Fatal(err)
			}
			reader := &http.Client{Jar: jar}
			in := site.Home + "?jwt_token=" + apptest.SignClaims(t, site.Key(), nil)
			if visibility == "share-link" {
				_, in = site.Link("Customers")
			}
			ask := func(client *http.Client, address string) apptest.Answer {
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
						return apptest.Answer{Status: got.StatusCode, Header: got.Header, Body: read.Bytes()}
					}
					if control := got.Header.Get("Cache-Control"); control != "no-store" {
						t.Errorf("%s: the page that waits may be kept: %q", visibility, control)
					}
				}
				t.Fatal("the PDF is never done")
				return apptest.Answer{}
			}
			stranger := &http.Client{}
			if got := ask(stranger, site.Home+"~/pdf"); got.Status != http.StatusNotFound {
				t.Errorf("%s: a stranger orders a PDF: %d", visibility, got.Status)
			}
			if got := ask(reader, in); got.Status != http.StatusOK {
				t.Fatalf("%s: the reader is not let in: %d", visibility, got.Status)
			}
			made := ask(reader, site.Home+"~/pdf")
			if made.Status != http.StatusOK || !bytes.HasPrefix(made.Body, []byte("%PDF-")) {
				t.Fatalf("%s: a reader gets %d %.200s", visibility, made.Status, made.Body)
			}
			if control := made.Header.Get("Cache-Control"); control != "private, no-cache" ||
				!strings.Contains(strings.Join(made.Header.Values("Vary"), ","), "Cookie") {
				t.Errorf("%s: others may be given what a cache keeps of it: %v", visibility, made.Header)
			}
			if got := ask(stranger, site.Home+"~/pdf"); got.Status != http.StatusNotFound || bytes.Contains(got.Body,
				[]byte("%PDF-")) {
				t.Errorf("%s: a stranger gets one that is there: %d", visibility, got.Status)
			}
		}
	})
}

// TestPDFOfAdaptiveSites holds that a PDF is of what its reader sees, that readers share one when it is the same, and
// that nobody gets that of others.
func TestPDFOfAdaptiveSites(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		insert := func(title, condition, text string) string {
			return `{"operation":"insert_page","title":"` + title + `","ref":"` + title + `","condition":"` +
				condition + `","document":{"markdown":"` + text + `\n"}}`
		}
		site := s.NewSite("Manual", "public", apptest.OnePage+","+
			insert("Price", "visitor.claims.plan == \\\"pro\\\"", "Ten.")+","+
			insert("Links", "", "{% content-ref url=\\\"/pages/Price\\\" %}\\n[](/pages/Price)\\n{% endcontent-ref "+
				"%}\\n\\n{% if visitor.claims.plan == \\\"pro\\\" %}\\n{% if visitor.claims.beta %}\\nDeep.\\n{% "+
				"endif %}\\n{% endif %}"))
		var whole map[string]any
		s.Call(http.MethodGet, site.Path+"/customization", nil, http.StatusOK, &whole)
		whole["pdf"] = map[string]any{"enabled": true}
		s.Call(http.MethodPut, site.Path+"/customization", whole, http.StatusOK, nil)
		site.Adapt(
			`{"type":"object","properties":{"plan":{"type":"string","description":""},"beta":{"type":"boolean","description":""},"name":{"type":"string","description":""}},"additionalProperties":false}`)
		var tree struct{ Pages []apptest.Page }
		s.Call(http.MethodGet, "/v1/spaces/"+site.Space+"/content/pages", nil, http.StatusOK, &tree)
		price := ""
		for _, each := range tree.Pages {
			if each.Title == "Price" {
				price = each.ID
			}
		}
		if price == "" {
			t.Fatalf("%+v", tree)
		}
		key := site.Key()
		as := func(claims map[string]any, query string) apptest.Answer {
			t.Helper()
			v := apptest.NewVisitor(t)
			if claims != nil {
				v.Open(site.Home + "?jwt_token=" + apptest.SignClaims(t, key, claims))
			}
			for range 100 {
				status, body, got := v.Open(site.Home + "~/pdf" + query)
				if status != http.StatusAccepted {
					return apptest.Answer{Status: status, Header: got.Header, Body: []byte(body)}
				}
			}
			t.Fatal("the PDF is never done")
			return apptest.Answer{}
		}
		nobody := as(nil, "")
		pro, again := as(map[string]any{"plan": "pro", "name": "Ada"}, ""),
			as(map[string]any{"plan": "pro", "name": "Grace"}, "")
		beta := as(map[string]any{"plan": "pro", "beta": true}, "")
		free := as(map[string]any{"plan": "free", "beta": true}, "")
		tag := func(a apptest.Answer) string { return a.Header.Get("ETag") }
		for name, got := range map[string]apptest.Answer{"nobody": nobody, "pro": pro, "beta": beta, "free": free} {
			if got.Status != http.StatusOK || !bytes.HasPrefix(got.Body, []byte("%PDF-")) {
				t.Fatalf("%s: %d %.200s", name, got.Status, got.Body)
			}
			if got.Header.Get("Cache-Control") != "private, no-cache" ||
				!strings.Contains(strings.Join(got.Header.Values("Vary"), ","), "Cookie") {
				t.Errorf("%s: %v", name, got.Header)
			}
			if mayKnow := name == "pro" || name == "beta"; mayKnow != (apptest.Sheets(got.Body) == 5) || !mayKnow &&
				bytes.Contains(got.Body, []byte(price)) {
				t.Errorf("%s: %d sheets, names the hidden page: %t", name, apptest.Sheets(got.Body),
					bytes.Contains(got.Body, []byte(price)))
			}
		}
		if tag(pro) != tag(again) || tag(nobody) != tag(free) {
			t.Error("readers who see the same have PDFs of their own")
		}
		if tag(pro) == tag(nobody) || tag(pro) == tag(beta) || tag(beta) == tag(nobody) {
			t.Error("readers who see something else share a PDF")
		}
		// A page by its id, and the address of somebody else's PDF.
		if got := as(nil, "?page="+price); got.Status != http.StatusNotFound {
			t.Errorf("a hidden page as a PDF: %d", got.Status)
		}
		if got := as(map[string]any{"plan": "pro"}, "?page="+price); got.Status != http.StatusOK {
			t.Errorf("a page as a PDF for who may see it: %d", got.Status)
		}
		if got := s.Raw(http.MethodGet, s.Base+"/v1/pdfs/"+strings.Trim(tag(pro), `"`)+"/manual.pdf", "",
			nil); got.Status != http.StatusForbidden && got.Status != http.StatusNotFound &&
			got.Status != http.StatusUnauthorized {
			t.Errorf("the id of a PDF opens it: %d", got.Status)
		}
	})
}
