package pub

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/klauspost/compress/zstd"

	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/required/requiredtest"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/serve/pub/scope"
)

// kitchenSink makes a site with a page that has every block.
func kitchenSink(t testing.TB) *fixture {
	f := handbook(t)
	sink, err := os.ReadFile("testdata/kitchen-sink.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"sunrise.png", "dusk.png", "handbook.pdf"} {
		f.file(name, []byte(name))
	}
	f.put(document("guide", "Guide", "Text.\n"), document("guide/install", "Install it", "Text.\n"),
		document("kitchen-sink", "All blocks", string(sink)))
	return f
}

func TestMergeShowsAtOnceOnEveryProcess(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		f := newFixture(t, d)
		f.put(document("start", "Before", "Old text.\n"))
		// A second process has caches of its own.
		other := *f
		other.content = requiredtest.Wire(store.New(store.Deps{DB: d, Blobs: f.blobs}), store.Hooks{})
		other.server = other.newServer(requiredtest.Wire(site.New(requiredtest.Fill(site.Deps{DB: d, Spaces: f.spaces,
			BaseURL: testBase})), site.Hooks{}), "")
		for _, process := range []*fixture{f, &other} {
			if got := process.get("start").Body.String(); !strings.Contains(got, "Old text.") {
				t.Fatal("the first text does not show")
			}
		}
		tag := other.get("start").Header().Get("ETag")
		f.put(document("start", "After", "New text.\n"))
		for _, process := range []*fixture{f, &other} {
			w := process.get("start", "If-None-Match", tag)
			if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "New text.") ||
				strings.Contains(w.Body.String(), "Old text.") {
				t.Errorf("after the change: status %d", w.Code)
			}
		}
		if _, err := f.sites.Update(t.Context(), f.caller, f.org.ID, f.site.ID,
			site.Change{Title: optional.Of("Manual")}); err != nil {
			t.Fatal(err)
		}
		if got := texts(other.html("start"), ".brand"); len(got) != 1 || !strings.Contains(got[0], "Manual") {
			t.Errorf("after the site was renamed it is called %q", got)
		}
	})
}

func TestPagesAreRenderedOnce(t *testing.T) {
	f := handbook(t)
	f.get("guides/install")
	before := f.server.services.Pages.Len()
	for _, at := range []string{"guides/install", "guides/in%73tall", "guides/install?utm=1", "guides/install?utm=2"} {
		if w := f.get(at); w.Code != http.StatusOK {
			t.Fatalf("GET %s: status %d", at, w.Code)
		}
	}
	for _, at := range []string{"guides/none", "x/y", "~/search?q=a"} {
		f.get(at)
	}
	if after := f.server.services.Pages.Len(); after != before {
		t.Errorf("other spellings and missing pages took room in the cache: %d pages, then %d", before, after)
	}
}

func TestConditionalRequests(t *testing.T) {
	f := handbook(t)
	for _, at := range []string{"", "guides/install", "feed.xml", "sitemap.xml", "llms.txt", "llms-full.txt",
		"robots.txt", "guides/install.md", "~/search?q=install", "~/pages"} {
		plain := f.get(at)
		packed := f.get(at, "Accept-Encoding", "br, gzip;q=0.8, *;q=0.1")
		if plain.Header().Get("ETag") == "" || plain.Header().Get("ETag") == packed.Header().Get("ETag") &&
			packed.Header().Get("Content-Encoding") != "" {
			t.Errorf("%q: entity tags are %q and %q", at, plain.Header().Get("ETag"), packed.Header().Get("ETag"))
		}
		if packed.Header().Get("Content-Encoding") == "gzip" {
			reader, err := gzip.NewReader(packed.Body)
			if err != nil {
				t.Fatal(err)
			}
			if body, err := io.ReadAll(reader); err != nil || !bytes.Equal(body, plain.Body.Bytes()) {
				t.Errorf("%q: the compressed body is another one (%v)", at, err)
			}
		}
		if !strings.Contains(strings.Join(plain.Header().Values("Vary"), ","), "Accept-Encoding") {
			t.Errorf("%q: Vary is %q", at, plain.Header().Values("Vary"))
		}
		for _, tag := range []string{plain.Header().Get("ETag"), packed.Header().Get("ETag"),
			"W/" + plain.Header().Get("ETag"), `"x", ` + plain.Header().Get("ETag"), "*"} {
			w := f.get(at, "If-None-Match", tag, "Accept-Encoding", "gzip")
			if w.Code != http.StatusNotModified || w.Body.Len() != 0 || w.Header().Get("ETag") == "" {
				t.Errorf("%q with If-None-Match %s: status %d, %d bytes", at, tag, w.Code, w.Body.Len())
			}
		}
		if w := f.get(at, "If-None-Match", `"other"`); w.Code != http.StatusOK {
			t.Errorf("%q with another tag: status %d", at, w.Code)
		}
		if w := f.get(at, "Accept-Encoding", "gzip;q=0"); w.Header().Get("Content-Encoding") != "" {
			t.Errorf("%q is compressed for one who refuses that", at)
		}
	}
}

// inert finds what could run a script or style a page from inside its markup.
func inert(t *testing.T, at string, page *goquery.Document) {
	t.Helper()
	page.Find("*").Each(func(_ int, s *goquery.Selection) {
		for _, a := range s.Nodes[0].Attr {
			if strings.HasPrefix(a.Key, "data-") { // nothing follows these
				continue
			}
			value := strings.ToLower(strings.TrimSpace(a.Val))
			if a.Key == "style" || strings.HasPrefix(a.Key, "on") || strings.HasPrefix(value, "javascript:") ||
				strings.HasPrefix(value, "vbscript:") || strings.HasPrefix(value, "data:text") {
				t.Errorf("%s: <%s %s=%q>", at, goquery.NodeName(s), a.Key, a.Val)
			}
		}
	})
	page.Find("script").Each(func(_ int, s *goquery.Selection) {
		if _, external := s.Attr("src"); !external && s.AttrOr("type", "") != "application/ld+json" {
			t.Errorf("%s has an inline script: %s", at, s.Text())
		}
	})
	if text, err := page.Html(); err != nil || strings.Contains(text, "ZgotmplZ") {
		t.Errorf("%s has a value that its template refused (%v)", at, err)
	}
	if n := page.Find("style").Length(); n != 1 {
		t.Errorf("%s has %d style elements", at, n)
	}
	if n := page.Find("iframe, object, embed, form:not(.search-form), base, meta[http-equiv]").Length(); n != 0 {
		t.Errorf("%s has %d elements that no page should have", at, n)
	}
}

func TestPolicy(t *testing.T) {
	f := kitchenSink(t)
	for _, at := range []string{"", "kitchen-sink", "nowhere", "~/search?q=x", "~/pages"} {
		w := f.get(at, "Accept", "text/html")
		policy := w.Header().Get("Content-Security-Policy")
		for _, want := range []string{"default-src 'none'", "script-src 'self';", "base-uri 'none'",
			"frame-ancestors 'self'", "form-action 'self'"} {
			if !strings.Contains(policy, want) {
				t.Errorf("%q: the policy lacks %s: %s", at, want, policy)
			}
		}
		if strings.Contains(policy, "unsafe") {
			t.Errorf("%q: the policy allows what is unsafe: %s", at, policy)
		}
		page := parse(t, w)
		sum := sha256.Sum256([]byte(page.Find("style").Text()))
		if !strings.Contains(policy, "style-src 'self' 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'") {
			t.Errorf("%q: the policy does not allow the page's own style element: %s", at, policy)
		}
		if w.Header().Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%q: headers are %v", at, w.Header())
		}
		// The edge adds the request id; Go's map of headers is several times slower from the ninth on, see
		// docs/performance.md.
		if w.Code == http.StatusOK && w.Header().Get("X-Robots-Tag") == "" && len(w.Header()) > 7 {
			t.Errorf("%q has %d headers, want at most 7: %v", at, len(w.Header()), w.Header())
		}
		inert(t, at, page)
	}
}

func TestHostileText(t *testing.T) {
	const attack = `"><script>alert(1)</script><img src=x onerror=alert(2)>'` + "`" + `</title></style>{{.}}`
	f := handbook(t)
	f.put(with(document("bad", attack,
		"Text "+attack+"\n\n[a](javascript:alert(3)) <a href=\"javascript:alert(4)\">b</a>\n\n## "+attack+
			"\n\n## Second\n"), func(e *entity.Entry) {
		e.Description, e.LinkTitle = attack, "link "+attack
	}))
	if _, err := f.sites.Update(t.Context(), f.caller, f.org.ID, f.site.ID,
		site.Change{Title: optional.Of(attack)}); err != nil {
		t.Fatal(err)
	}
	f.file(`x"><script>alert(1)<b>.png`, []byte("x"))
	for _, at := range []string{"", "bad", "nowhere/%3Cscript%3Ealert(1)%3C/script%3E",
		"~/search?q=%22%3E%3Cscript%3Ealert(1)%3C/script%3E", "~/pages"} {
		w := f.get(at, "Accept", "text/html")
		page := parse(t, w)
		inert(t, at, page)
		if n := page.Find("script[src]").Length(); n != 2 {
			t.Errorf("%s has %d scripts", at, n)
		}
		if page.Find("img[onerror], img[src='x']").Length() != 0 {
			t.Errorf("%s has the attack's image", at)
		}
	}
	for _, at := range []string{"feed.xml", "sitemap.xml"} {
		if body := f.get(at).Body.String(); strings.Contains(body, "<script") || strings.Contains(body, "<img") {
			t.Errorf("%s has markup of a title: %s", at, body)
		}
	}
	if w := f.get("~/search?q=%3Cscript%3E"); !strings.HasPrefix(w.Header().Get("Content-Type"), "application/json") ||
		strings.Contains(w.Body.String(), "<script") {
		t.Errorf("search answers %s: %s", w.Header().Get("Content-Type"), w.Body)
	}
}

func TestEveryBlockIsStyled(t *testing.T) {
	f := kitchenSink(t)
	page := f.html("kitchen-sink")
	blocks := []string{
		"block-heading", "list-unordered", "list-ordered", "list-tasks", "block-divider", "block-quote", "block-hint",
		"block-code", "block-tabs", "block-stepper", "block-cards",
		"block-table", "block-expandable", "block-columns", "block-images", "block-file", "block-content-ref",
		"block-embed", "block-updates", "block-prompt", "block-math",
		"block-diagram", "block-openapi", "annotations", "button", "mention", "math", "icon", "emoji", "chroma",
		"is-added", "is-removed", "cell-check", "cell-rating", "option",
	}
	for _, block := range blocks {
		if page.Find(".prose ."+block).Length() == 0 {
			t.Errorf("the page has no .%s", block)
		}
	}
	style, script := f.asset("site.css"), f.asset("site.js")
	// Names that say what something is, for scripts of others, and need no look of their own.
	plain := regexp.MustCompile(
		`^(language-.*|chroma|line|list|paragraph|images-one|method-get|openapi-.*|mention-.*|hint-info|block-diagram|code-.*|x|w|lnt?|cl|cards-medium|tab|heading-\d|math|updates-.*|card-linked|embed-link|[a-z-]+-external|file-icon|content-ref-arrow|embed-icon|button-medium|block-(content|integration|missing|raw).*)$`)
	page.Find(".prose [class]").Each(func(_ int, s *goquery.Selection) {
		for class := range strings.FieldsSeq(s.AttrOr("class", "")) {
			if s.Closest("code").Length() > 0 && len(class) <= 3 { // kinds of tokens
				continue
			}
			if !strings.Contains(style, "."+class) && !strings.Contains(script, class) && !plain.MatchString(class) {
				t.Errorf("nothing styles .%s of <%s>", class, goquery.NodeName(s))
			}
		}
	})
}

func TestMathAndDiagramsLoadOnlyWhereTheyAre(t *testing.T) {
	f := kitchenSink(t)
	for at, want := range map[string]bool{"kitchen-sink": true, "guides/install": false} {
		script := f.html(at).Find("script[data-home]")
		for _, name := range []string{"data-katex", "data-katex-style", "data-diagram"} {
			address, there := script.Attr(name)
			if there != want {
				t.Errorf("%s: %s is %v", at, name, there)
			}
			if there && ask(f.server, http.MethodGet, address).Code != http.StatusOK {
				t.Errorf("%s is not at %s", name, address)
			}
		}
	}
	w := f.get("~/assets/" + f.server.services.Themes.Assets.File("diagram.html"))
	if policy := w.Header().Get("Content-Security-Policy"); !strings.Contains(policy, "sandbox allow-scripts") ||
		!strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "allow-same-origin") {
		t.Errorf("the frame of diagrams may do too much: %s", policy)
	}
}

func TestAssets(t *testing.T) {
	f := handbook(t)
	page := f.html("")
	var addresses []string
	for _, selector := range []string{"script[src]", "link[rel=stylesheet]", "link[rel=preload]"} {
		page.Find(selector).Each(func(_ int, s *goquery.Selection) {
			addresses = append(addresses, s.AttrOr("src", s.AttrOr("href", "")))
		})
	}
	if len(addresses) != 4 {
		t.Errorf("the page loads %q", addresses)
	}
	for _, mention := range regexp.MustCompile(`url\(([^)]+)\)`).FindAllStringSubmatch(f.asset("site.css")+
		f.asset("katex.css"), -1) {
		addresses = append(addresses, f.home()+"~/assets/"+mention[1])
	}
	if len(addresses) < 20 {
		t.Fatalf("only %d files are mentioned", len(addresses))
	}
	for _, address := range addresses {
		w := ask(f.server, http.MethodGet, address)
		if w.Code != http.StatusOK || w.Header().Get("Cache-Control") != "public, max-age=31536000, immutable" {
			t.Errorf("GET %s: status %d, %s", address, w.Code, w.Header().Get("Cache-Control"))
		}
		if got := ask(f.server, http.MethodGet, address, "If-None-Match",
			w.Header().Get("ETag")); got.Code != http.StatusNotModified {
			t.Errorf("GET %s again: status %d", address, got.Code)
		}
		for coding, open := range map[string]func(io.Reader) (io.Reader, error){
			"gzip": func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
			"zstd": func(r io.Reader) (io.Reader, error) { return zstd.NewReader(r) },
		} {
			packed := ask(f.server, http.MethodGet, address, "Accept-Encoding", coding)
			if strings.HasSuffix(address, ".woff2") {
				if packed.Header().Get("Content-Encoding") != "" {
					t.Errorf("%s is compressed twice", address)
				}
				continue
			}
			if packed.Header().Get("Content-Encoding") != coding {
				t.Errorf("%s for one who takes %s comes as %q", address, coding,
					packed.Header().Get("Content-Encoding"))
				continue
			}
			reader, err := open(packed.Body)
			if err != nil {
				t.Fatal(err)
			}
			if body, err := io.ReadAll(reader); err != nil || !bytes.Equal(body, w.Body.Bytes()) {
				t.Errorf("%s as %s is another file (%v)", address, coding, err)
			}
		}
	}
	// A page made by another version of the program mentions other hashes.
	stale := regexp.MustCompile(`\.[0-9a-f]{16}\.`).ReplaceAllString(addresses[0], ".0123456789abcdef.")
	if w := ask(f.server, http.MethodGet, stale); w.Code != http.StatusOK ||
		w.Header().Get("Cache-Control") != "no-cache" {
		t.Errorf("another version's file: status %d, %s", w.Code, w.Header().Get("Cache-Control"))
	}
	for _, at := range []string{"~/assets/", "~/assets/none.js", "~/assets/../server.go", "~/assets/site.js",
		"~/assets/%2e%2e/x"} {
		if w := f.get(at); w.Code != http.StatusNotFound {
			t.Errorf("GET %s: status %d", at, w.Code)
		}
	}
}

func TestFiles(t *testing.T) {
	f := handbook(t)
	body := []byte("0123456789")
	tests := []struct {
		name, contentType, disposition string
		sandboxed                      bool
	}{
		{"picture.png", "image/png", "inline", true},
		{"Drawing.SVG", "image/svg+xml", "attachment", true},
		{"page.html", "application/octet-stream", "attachment", true},
		{"page.xhtml", "application/octet-stream", "attachment", true},
		{"data.xml", "application/octet-stream", "attachment", true},
		{"script.js", "application/octet-stream", "attachment", true},
		{"module.mjs", "application/octet-stream", "attachment", true},
		{"style.css", "application/octet-stream", "attachment", true},
		{"archive.zip", "application/zip", "attachment", true},
		{"notes.txt", "text/plain; charset=utf-8", "inline", true},
		{"data.json", "text/plain; charset=utf-8", "inline", true},
		{"paper.pdf", "application/pdf", "inline", false},
		{"no extension", "application/octet-stream", "attachment", true},
		{"名前 'x' (1).png", "image/png", "inline", true},
		{"film.mp4", "video/mp4", "inline", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			file := f.file(tt.name, body)
			sc := &scope.Scope{Home: f.home()}
			address := sc.FileURL(file)
			w := ask(f.server, http.MethodGet, address)
			if w.Code != http.StatusOK || !bytes.Equal(w.Body.Bytes(), body) {
				t.Fatalf("GET %s: status %d, %q", address, w.Code, w.Body)
			}
			header := w.Header()
			if got := header.Get("Content-Type"); got != tt.contentType {
				t.Errorf("Content-Type is %q", got)
			}
			if got := header.Get("Content-Disposition"); !strings.HasPrefix(got,
				tt.disposition+"; filename*=UTF-8''") || strings.ContainsAny(got, "\"<>") {
				t.Errorf("Content-Disposition is %q", got)
			}
			if sandboxed := strings.Contains(header.Get("Content-Security-Policy"),
				"sandbox"); sandboxed != tt.sandboxed {
				t.Errorf("the policy is %q", header.Get("Content-Security-Policy"))
			}
			if header.Get("X-Content-Type-Options") != "nosniff" ||
				header.Get("Cache-Control") != "public, max-age=31536000, immutable" {
				t.Errorf("headers are %v", header)
			}
			part := ask(f.server, http.MethodGet, address, "Range", "bytes=2-4")
			if part.Code != http.StatusPartialContent || part.Body.String() != "234" ||
				part.Header().Get("Content-Range") != "bytes 2-4/10" {
				t.Errorf("a range: status %d, %q, %q", part.Code, part.Body, part.Header().Get("Content-Range"))
			}
			if got := ask(f.server, http.MethodGet, address, "Range",
				"bytes=20-30"); got.Code != http.StatusRequestedRangeNotSatisfiable {
				t.Errorf("a range behind the end: status %d", got.Code)
			}
			if got := ask(f.server, http.MethodGet, address, "If-None-Match",
				header.Get("ETag")); got.Code != http.StatusNotModified {
				t.Errorf("If-None-Match: status %d", got.Code)
			}
			if got := ask(f.server, http.MethodHead, address); got.Code != http.StatusOK || got.Body.Len() != 0 ||
				got.Header().Get("Content-Length") != "10" {
				t.Errorf("HEAD: status %d, %d bytes", got.Code, got.Body.Len())
			}
			plain, _, _ := strings.Cut(address, "?")
			if got := ask(f.server, http.MethodGet, plain); got.Code != http.StatusOK ||
				got.Header().Get("Cache-Control") != "no-cache" {
				t.Errorf("without its version: status %d, %s", got.Code, got.Header().Get("Cache-Control"))
			}
			if got := ask(f.server, http.MethodGet, plain+"?v=0000000000"); got.Header().
				Get("Cache-Control") != "no-cache" {
				t.Errorf("with another version: %s", got.Header().Get("Cache-Control"))
			}
			if got := f.get("~/files/" + file.ID + "/other.html"); got.Code != http.StatusPermanentRedirect ||
				got.Header().Get("Location") != address {
				t.Errorf("under another name: %d to %q", got.Code, got.Header().Get("Location"))
			}
		})
	}
	if w := f.get("~/files/" + f.page("welcome") + "/welcome"); w.Code != http.StatusNotFound {
		t.Errorf("a page as a file: status %d", w.Code)
	}
}

// A refusal before a site is known is a page for those who look at it, and a line for programs.
func TestRefusalsWithoutASite(t *testing.T) {
	f := handbook(t)
	onHost := f.newServer(f.sites, testDomain)
	for _, c := range []struct {
		method, url string
		server      *Server
		want        int
	}{
		{http.MethodGet, testBase + "/sites/nobody/nothing/", f.server, http.StatusNotFound},
		{http.MethodGet, testBase + "/sites/", f.server, http.StatusNotFound},
		{http.MethodGet, testBase + "/sites/x/" + strings.Repeat("y", maxPath), f.server, http.StatusNotFound},
		{http.MethodDelete, testBase + "/sites/nobody/nothing/", f.server, http.StatusMethodNotAllowed},
		{http.MethodGet, "https://nobody." + testDomain + "/%3Cb%3E/", onHost, http.StatusNotFound},
		{http.MethodHead, "https://nobody." + testDomain + "/", onHost, http.StatusNotFound},
	} {
		for accept, want := range map[string]string{"text/html,*/*;q=0.8": "text/html; charset=utf-8",
			"*/*": "text/plain; charset=utf-8", "": "text/plain; charset=utf-8"} {
			r := httptest.NewRequestWithContext(t.Context(), c.method, c.url, nil)
			r.Header.Set("Accept", accept)
			w := httptest.NewRecorder()
			c.server.ServeHTTP(w, r)
			if w.Code != c.want || w.Header().Get("Content-Type") != want {
				t.Errorf("%s %.80s as %q: status %d, type %s", c.method, c.url, accept, w.Code,
					w.Header().Get("Content-Type"))
			}
			if accept == "" || accept == "*/*" || c.method == http.MethodHead {
				continue
			}
			page := parse(t, w)
			inert(t, c.url, page)
			sum := sha256.Sum256([]byte(page.Find("style").Text()))
			if !strings.Contains(w.Header().Get("Content-Security-Policy"), base64.StdEncoding.EncodeToString(sum[:])) {
				t.Errorf("%.80s: the policy does not allow the page's style", c.url)
			}
			if page.Find("main h1").Text() == "" || page.Find("main p").Text() == "" ||
				page.Find("meta[name=robots][content=noindex]").Length() != 1 {
				t.Errorf("%.80s: the page says %q", c.url, page.Find("main").Text())
			}
		}
	}
}
