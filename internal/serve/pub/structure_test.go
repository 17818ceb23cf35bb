package pub

import (
	"context"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/required/requiredtest"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
	"github.com/rectodocs/recto/internal/platform/httpx"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/publish/site/redirect"
)

// parts is a site of three sections: the guide with the versions v2 (default) and v1, the reference in the menu
// "Developers", and the blog. Every space has a start page and a page "install" that names it.
type parts struct {
	*fixture
	guide, reference, blog site.Section
	v2, v1                 site.SiteSpace
}

func newParts(t *testing.T, d *db.DB) *parts {
	t.Helper()
	ctx := t.Context()
	p := &parts{fixture: newFixture(t, d)}
	fill := func(id id.Space, title string) {
		p.putIn(id, document("start", "Start of "+title, "Words of "+title+"."), document("install", "Install "+title,
			"How to install "+title+"."), document("only-"+title, "Only "+title, "Text"))
	}
	fill(p.space.ID, "v2")
	add := func(title, text string) site.Section {
		made := p.addSpace(title)
		fill(made.ID, text)
		section, err := p.sites.AddSection(ctx, p.caller, p.org.ID, p.site.ID, site.NewSection{Space: made.ID,
			Title: title, Icon: "book"})
		if err != nil {
			t.Fatal(err)
		}
		return section.Section
	}
	guide, err := p.sites.AddSection(ctx, p.caller, p.org.ID, p.site.ID, site.NewSection{Space: p.space.ID,
		Title: "Guide"})
	if err != nil {
		t.Fatal(err)
	}
	old := p.addSpace("Version 1")
	fill(old.ID, "v1")
	p.guide, p.v2 = guide.Section, guide.Spaces[0]
	if p.v1, err = p.sites.AddSpace(ctx, p.caller, p.org.ID, p.site.ID, old.ID, guide.ID); err != nil {
		t.Fatal(err)
	}
	if p.v1, err = p.sites.UpdateSpace(ctx, p.caller, p.org.ID, p.site.ID, p.v1.ID,
		site.SpaceChange{Path: optional.Of("v1.0")}); err != nil {
		t.Fatal(err)
	}
	p.reference, p.blog = add("Reference", "api"), add("Blog", "blog")
	if _, err = p.sites.AddGroup(ctx, p.caller, p.org.ID, p.site.ID, site.NewGroup{Title: "Developers",
		Sections: []id.Section{p.reference.ID}}); err != nil {
		t.Fatal(err)
	}
	return p
}

// moved asks for a path and returns where it leads below the site's root.
func (p *parts) moved(rest string) string {
	p.t.Helper()
	w := p.get(rest)
	if w.Code != http.StatusPermanentRedirect {
		p.t.Errorf("%s answers %d", rest, w.Code)
	}
	return strings.TrimPrefix(w.Header().Get("Location"), p.home())
}

func TestSectionsAndVariants(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		p := newParts(t, d)
		for path, heading := range map[string]string{
			"": "Start of v2", "install": "Install v2", "v1.0/": "Start of v1", "v1.0/install": "Install v1",
			"reference/": "Start of api", "reference/install": "Install api", "blog/install": "Install blog",
		} {
			if got := texts(p.html(path), "h1"); len(got) != 1 || got[0] != heading {
				t.Errorf("%q shows %q, want %q", path, got, heading)
			}
		}
		for path, to := range map[string]string{"reference": "reference/", "v1.0": "v1.0/", "guide/install": "install",
			"guide/v1.0/install": "v1.0/install", "guide": "", "handbook/install": "install"} {
			if got := p.moved(path); got != to {
				t.Errorf("%q leads to %q, want %q", path, got, to)
			}
		}
		page := p.html("reference/install")
		if got := texts(page, ".section-tab"); strings.Join(got, ",") != "Guide,Blog,Developers" {
			t.Errorf("tabs %q", got)
		}
		if got := texts(page, ".section-tab.is-current, .menu-list [aria-current]"); strings.Join(got,
			",") != "Developers,Reference,Reference" {
			t.Errorf("current %q", got)
		}
		if got := texts(page, ".crumbs li"); strings.Join(got, ",") != "Reference" {
			t.Errorf("breadcrumbs %q", got)
		}
		if page.Find(".variants").Length() != 0 {
			t.Error("a section with one variant has a switch")
		}
		old := p.html("v1.0/install")
		if got := texts(old, ".variants .menu-link"); strings.Join(got, ",") != "Handbook,Version 1" {
			t.Errorf("variants %q", got)
		}
		if got := attribute(old, ".variants .menu-link", "href"); got != p.home()+"install" {
			t.Errorf("the other version of the page is at %q", got)
		}
		if got := attribute(p.html("v1.0/only-v1"), ".variants .menu-link", "href"); got != p.home() {
			t.Errorf("a page that the other version does not have leads to %q", got)
		}
		if got := attribute(old, ".pager-previous", "href"); got != p.home()+"v1.0/" {
			t.Errorf("the page before is %q", got)
		}
		for list, want := range map[string][]string{
			"llms.txt": {"/install.md", "/v1.0/install.md", "/reference/install.md", "/blog/install.md",
				"# Reference", "# Guide › Version 1"},
			"llms-full.txt": {"How to install v2", "How to install v1", "How to install api", "How to install blog"},
			"sitemap.xml":   {"/v1.0/sitemap.xml", "/reference/sitemap.xml", "/blog/sitemap.xml"},
			"feed.xml":      {"Install v2", "Install api", "Install blog"},
		} {
			got := p.get(list).Body.String()
			for _, text := range want {
				if !strings.Contains(got, text) {
					t.Errorf("%s lacks %q: %.400s", list, text, got)
				}
			}
		}
		if got := p.get("reference/llms.txt").Body.String(); strings.Contains(got, "/blog/") || !strings.Contains(got,
			"/reference/install.md") {
			t.Errorf("the list of a section: %s", got)
		}
		found := p.get("~/search?q=install", "Accept", "application/json").Body.String()
		for _, text := range []string{`"crumb":"Reference"`, `"crumb":"Guide › Version 1"`, p.home() + "blog/install"} {
			if !strings.Contains(found, text) {
				t.Errorf("search lacks %s: %s", text, found)
			}
		}
		w := p.get("reference/instal-blog")
		if w.Code != http.StatusNotFound || !strings.Contains(w.Body.String(), p.home()+"blog/install") {
			t.Errorf("a page that does not exist: %d", w.Code)
		}
	})
}

func TestAddressesLeadOn(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		p := newParts(t, d)
		ctx := t.Context()
		change := func(c site.SectionChange) {
			t.Helper()
			if _, err := p.sites.UpdateSection(ctx, p.caller, p.org.ID, p.site.ID, p.reference.ID, c); err != nil {
				t.Fatal(err)
			}
		}
		change(site.SectionChange{Path: optional.Of("api")})
		change(site.SectionChange{Path: optional.Of("rest-api")})
		if _, err := p.sites.Update(ctx, p.caller, p.org.ID, p.site.ID,
			site.Change{DefaultSiteSection: optional.Of(p.blog.ID)}); err != nil {
			t.Fatal(err)
		}
		for path, to := range map[string]string{
			"reference/install": "rest-api/install", "api/install": "rest-api/install", "api": "rest-api/",
			"api/feed.xml": "rest-api/feed.xml",
			"api/~/search": "rest-api/~/search", "api/install.md": "rest-api/install.md",
			"blog/install": "install", "only-v2": "guide/only-v2", "v1.0/install": "guide/v1.0/install",
		} {
			if got := p.moved(path); got != to {
				t.Errorf("%q leads to %q, want %q", path, got, to)
			}
		}
		// What answers at the site's address now is found there, whatever was there before.
		if got := texts(p.html("install"), "h1"); got[0] != "Install blog" {
			t.Error(got)
		}
		if w := p.get("api/nothing"); w.Code != http.StatusNotFound {
			t.Errorf("a page that never was answers %d", w.Code)
		}
		if _, err := p.sites.Update(ctx, p.caller, p.org.ID, p.site.ID,
			site.Change{Basename: optional.Of("manual")}); err != nil {
			t.Fatal(err)
		}
		if w := p.get("rest-api/install?x=1"); w.Code != http.StatusPermanentRedirect ||
			w.Header().Get("Location") != "/sites/"+p.org.Hostname+"/manual/rest-api/install?x=1" {
			t.Errorf("the old basename answers %d, %s", w.Code, w.Header().Get("Location"))
		}
	})
}

func TestConditionsHideParts(t *testing.T) {
	p := newParts(t, dbtest.SQLite(t))
	ctx := t.Context()
	before := p.get("install").Header().Get("ETag")
	if _, err := p.sites.UpdateSection(ctx, p.caller, p.org.ID, p.site.ID, p.reference.ID,
		site.SectionChange{Condition: optional.Of(`visitor.claims.staff === true`)}); err != nil {
		t.Fatal(err)
	}
	if _, err := p.sites.UpdateSpace(ctx, p.caller, p.org.ID, p.site.ID, p.v1.ID,
		site.SpaceChange{Condition: optional.Of(`1 === 2`)}); err != nil {
		t.Fatal(err)
	}
	if p.get("install").Header().Get("ETag") == before {
		t.Error("a page is the same with other menus")
	}
	for _, path := range []string{"reference/install", "reference", "v1.0/install", "reference/~/search?q=install",
		"reference/sitemap.xml", "guide/v1.0/install"} {
		if w := p.get(path); w.Code != http.StatusNotFound {
			t.Errorf("%s answers %d", path, w.Code)
		}
	}
	for _, path := range []string{"", "llms.txt", "llms-full.txt", "sitemap.xml", "feed.xml", "~/search?q=install",
		"nothing-api"} {
		if got := p.get(path).Body.String(); strings.Contains(got, "Developers") || strings.Contains(got,
			"reference/") || strings.Contains(got, "Install api") || strings.Contains(got, "v1.0") {
			t.Errorf("%s tells of what is hidden: %s", path, got)
		}
	}
	// The default section keeps its address for those who see it; others are led to the first part that they see.
	if _, err := p.sites.UpdateSection(ctx, p.caller, p.org.ID, p.site.ID, p.guide.ID,
		site.SectionChange{Condition: optional.Of(`visitor.claims.staff === true`)}); err != nil {
		t.Fatal(err)
	}
	if w := p.get(""); w.Code != http.StatusTemporaryRedirect || w.Header().Get("Location") != p.home()+"blog/" {
		t.Errorf("the root answers %d, %s", w.Code, w.Header().Get("Location"))
	}
	if w := p.get("install"); w.Code != http.StatusNotFound || strings.Contains(w.Body.String(), "Install v2") {
		t.Errorf("a page of the hidden default section answers %d", w.Code)
	}
	if got := p.get("sitemap.xml").Body.String(); !strings.Contains(got, "/blog/") {
		t.Errorf("sitemap of the site: %s", got)
	}
}

func TestRedirectsOfPeople(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		p := newParts(t, d)
		p.sites = requiredtest.Wire(site.New(requiredtest.Fill(site.Deps{DB: d, Spaces: p.spaces, BaseURL: testBase})),
			site.Hooks{PagePath: func(context.Context, id.Space,
				string) (string, bool, error) {
				return "install", true, nil
			}})

		p.server = p.newServer(p.sites, "")
		add := func(r redirect.Redirect) {
			t.Helper()
			if _, err := p.sites.CreateRedirect(t.Context(), p.caller, p.org.ID, p.site.ID, r); err != nil {
				t.Fatal(err)
			}
		}
		section := redirect.Destination{Kind: redirect.DestinationSection, Section: p.reference.ID}
		external := func(address string) redirect.Destination {
			return redirect.Destination{Kind: redirect.DestinationExternal, URL: address}
		}
		add(redirect.Redirect{Source: "/old", Permanent: true, Destination: section})
		add(redirect.Redirect{Source: "/soon", Destination: section})
		add(redirect.Redirect{Source: "/draft", Draft: true, Destination: section})
		add(redirect.Redirect{Source: "/legacy/*", Capture: true, Permanent: true, Destination: section})
		add(redirect.Redirect{Source: "/away/*", Capture: true, Destination: external("https://example.net/docs?x=1")})
		add(redirect.Redirect{Source: "/install", Destination: external("https://example.net/")})
		add(redirect.Redirect{Source: "/page", Destination: redirect.Destination{Kind: redirect.DestinationPage,
			SiteSpace: p.v1.ID,
			Page:      p.pages[string(p.v1.Space.ID)+"/install"]}})
		for path, want := range map[string]string{
			"old": "308 " + p.home() + "reference/", "soon": "307 " + p.home() + "reference/", "draft": "404 ",
			"legacy/install": "308 " + p.home() + "reference/install", "legacy/none": "404 ",
			"legacy":                   "308 " + p.home() + "reference/",
			"away/a/b":                 "307 https://example.net/docs/a/b?x=1",
			"away/@evil.example":       "307 https://example.net/docs/@evil.example?x=1",
			"away/a%2f%2fevil.example": "404 ", "page": "307 " + p.home() + "v1.0/install", "install": "200 ",
		} {
			w := p.get(path)
			if got := strings.Join([]string{http.StatusText(w.Code), w.Header().Get("Location")},
				" "); got != http.StatusText(status(want))+" "+want[4:] {
				t.Errorf("%s answers %d %s, want %s", path, w.Code, w.Header().Get("Location"), want)
			}
		}
	})
}

// status is the number at the beginning of a text.
func status(text string) int {
	return int(text[0]-'0')*100 + int(text[1]-'0')*10 + int(text[2]-'0')
}

func TestAgentsExcluded(t *testing.T) {
	p := newParts(t, dbtest.SQLite(t))
	if _, err := p.sites.Update(t.Context(), p.caller, p.org.ID, p.site.ID,
		site.Change{AgentsContext: optional.Of(site.AgentsExcluded)}); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"llms.txt", "llms-full.txt", "install.md", "reference/install.md",
		"reference/llms.txt"} {
		if w := p.get(path); w.Code != http.StatusNotFound {
			t.Errorf("%s answers %d", path, w.Code)
		}
	}
	w := p.get("install")
	if strings.Contains(w.Body.String(), "text/markdown") || strings.Contains(w.Body.String(), "data-copy-page") ||
		strings.Contains(w.Body.String(), "llms.txt") {
		t.Error("the page offers itself to agents")
	}
	if got := w.Header().Get("X-Robots-Tag"); !strings.Contains(got, "noai") {
		t.Errorf("X-Robots-Tag: %s", got)
	}
	if got := p.get("robots.txt").Body.String(); !strings.Contains(got, "User-agent: GPTBot\n") {
		t.Error(got)
	}
}

func TestLanguages(t *testing.T) {
	p := newParts(t, dbtest.SQLite(t))
	ctx := t.Context()
	for id, language := range map[id.Space]string{p.space.ID: "en", p.v1.Space.ID: "de"} {
		if _, err := p.spaces.Update(ctx, p.caller, id, space.Change{Language: optional.Of(language)}); err != nil {
			t.Fatal(err)
		}
	}
	page := p.html("v1.0/install")
	if attribute(page, "html", "lang") != "de" || attribute(page, ".variants", "aria-label") != "Sprache" {
		t.Error("the language is not told")
	}
	for language, want := range map[string]string{"en": "install", "de": "v1.0/install", "x-default": "install"} {
		if got := attribute(page, `link[hreflang="`+language+`"]`, "href"); got != testBase+p.home()+want {
			t.Errorf("%s: %s", language, got)
		}
	}
	if p.html("v1.0/only-v1").Find("link[hreflang]").Length() != 0 {
		t.Error("a page in one language has alternates")
	}
}

// TestHostOfItsOwn holds a site at a host whose owner has to prove it.
func TestHostOfItsOwn(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		p := newParts(t, d)
		ctx := t.Context()
		records := map[string][]string{}
		p.sites = requiredtest.Wire(site.New(requiredtest.Fill(site.Deps{
			DB: d, Spaces: p.spaces, BaseURL: testBase, SitesDomain: testDomain,
			LookupTXT: func(_ context.Context, name string) ([]string, error) { return records[name], nil },
		})), site.Hooks{})
		p.server = p.newServer(p.sites, testDomain)
		set := func() site.Site {
			t.Helper()
			changed, err := p.sites.Update(ctx, p.caller, p.org.ID, p.site.ID,
				site.Change{Hostname: optional.Of("help.acme.com")})
			if err != nil {
				t.Fatal(err)
			}
			return changed
		}
		changed := set()
		if changed.HostnameProven || strings.Contains(changed.PublishedURL, "acme.com") || p.server.ServesHost(ctx,
			"help.acme.com") {
			t.Errorf("an unproven host serves: %+v", changed)
		}
		if w := ask(p.server, http.MethodGet, "/install", "Host", "help.acme.com"); w.Code != http.StatusNotFound {
			t.Errorf("an unproven host answers %d", w.Code)
		}
		record := changed.HostnameRecord()
		records[record.Name] = []string{"something", record.Value}
		if changed = set(); !changed.HostnameProven || changed.PublishedURL != "https://help.acme.com/" {
			t.Fatalf("%+v", changed)
		}
		w := ask(p.server, http.MethodGet, "/reference/install", "Host", "Help.Acme.com:443")
		page := parse(t, w)
		if w.Code != http.StatusOK || attribute(page, "link[rel=canonical]",
			"href") != "https://help.acme.com/reference/install" {
			t.Errorf("%d, %s", w.Code, attribute(page, "link[rel=canonical]", "href"))
		}
		page.Find("[href], [src]").Each(func(_ int, s *goquery.Selection) {
			address := s.AttrOr("href", s.AttrOr("src", ""))
			if strings.Contains(address, "/sites/") || strings.Contains(address, testDomain) {
				t.Errorf("the page links to %s", address)
			}
		})
		for path, want := range map[string]int{"/robots.txt": 200, "/sitemap.xml": 200, "/llms.txt": 200, "/": 200,
			"/nothing": 404, "/sites/acme/handbook": 404} {
			if w := ask(p.server, http.MethodGet, path, "Host", "help.acme.com"); w.Code != want {
				t.Errorf("%s answers %d", path, w.Code)
			}
		}
		other, err := p.sites.Create(ctx, p.caller, p.org.ID, site.NewSite{Title: "Other"})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.sites.Update(ctx, p.caller, p.org.ID, other.ID,
			site.Change{Hostname: optional.Of("help.acme.com")}); err != nil {
			t.Errorf("a host that is not proven is refused: %v", err)
		}
		for _, bad := range []string{"acme.com", "HELP.acme.com", "docs.example.com", "a." + testDomain, "-a.acme.com",
			""} {
			if _, err := p.sites.Update(ctx, p.caller, p.org.ID, other.ID,
				site.Change{Hostname: optional.Of(bad)}); err == nil {
				t.Errorf("the host %q is accepted", bad)
			}
		}
	})
}

// TestBehindAProxy holds a site in a folder of another domain, through a real reverse proxy.
func TestBehindAProxy(t *testing.T) {
	p := newParts(t, dbtest.SQLite(t))
	changed, err := p.sites.Update(t.Context(), p.caller, p.org.ID, p.site.ID,
		site.Change{Proxy: optional.Of("www.acme.com/help/docs")})
	if err != nil {
		t.Fatal(err)
	}
	if changed.PublishedURL != "https://www.acme.com/help/docs/" || changed.DirectURL != testBase+p.home() {
		t.Fatalf("%+v", changed)
	}
	trusted := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}
	behind := httptest.NewServer(httpx.Edge{TrustedProxies: trusted, Log: p.server.log, Metrics: httpx.NewMetrics(),
		OnPanic: func(http.ResponseWriter, *http.Request) {}}.Wrap(p.server))
	defer behind.Close()
	target, err := url.Parse(behind.URL)
	if err != nil {
		t.Fatal(err)
	}
	front := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(target)
		r.Out.URL.Path = p.home() + strings.TrimPrefix(strings.TrimPrefix(r.In.URL.Path, "/help/docs"), "/")
		r.Out.Header.Set("X-Forwarded-Host", "www.acme.com")
	}})
	defer front.Close()
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	get := func(path string) *httptest.ResponseRecorder {
		t.Helper()
		response, err := client.Get(front.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		w := httptest.NewRecorder()
		maps.Copy(w.Header(), response.Header)
		w.WriteHeader(response.StatusCode)
		if _, err := w.Body.ReadFrom(response.Body); err != nil {
			t.Fatal(err)
		}
		return w
	}
	inside := regexp.MustCompile(`^(/help/docs/|#|data:|https://(www\.acme\.com/help/docs/|github\.com/|schema\.org))`)
	for _, path := range []string{"/help/docs/", "/help/docs/reference/install", "/help/docs/v1.0/install",
		"/help/docs/none"} {
		w := get(path)
		parse(t, w).Find("[href], [src], [data-home], [data-search], [data-copy-page], form[action]").
			Each(func(_ int, s *goquery.Selection) {
				for _, name := range []string{"href", "src", "action", "data-home", "data-search", "data-copy-page"} {
					if address, ok := s.Attr(name); ok && !inside.MatchString(address) {
						t.Errorf("%s: %s leads out of the folder: %s", path, name, address)
					}
				}
			})
		if strings.Contains(w.Body.String(), "/sites/") || strings.Contains(w.Body.String(), testBase) {
			t.Errorf("%s tells of the address behind", path)
		}
	}
	style := attribute(parse(t, get("/help/docs/")), "link[rel=stylesheet]", "href")
	if w := get(style); w.Code != http.StatusOK || !strings.Contains(w.Header().Get("Content-Type"), "css") {
		t.Errorf("the style sheet answers %d", w.Code)
	}
	for path, to := range map[string]string{"/help/docs/reference": "/help/docs/reference/",
		"/help/docs/guide/install": "/help/docs/install", "/help/docs/install/": "/help/docs/install"} {
		if w := get(path); w.Header().Get("Location") != to {
			t.Errorf("%s leads to %q", path, w.Header().Get("Location"))
		}
	}
	for _, list := range []string{"sitemap.xml", "sitemap-1.xml", "feed.xml", "llms.txt", "robots.txt"} {
		body := get("/help/docs/" + list).Body.String()
		if !strings.Contains(body, "/help/docs/") || strings.Contains(body, "/sites/") {
			t.Errorf("%s: %s", list, body)
		}
	}
	// Somebody who only says so is no proxy.
	if w := p.get("install", "X-Forwarded-Host", "www.acme.com"); strings.Contains(w.Body.String(),
		`href="/help/docs/`) {
		t.Error("a header of anybody changes the links")
	}
}
