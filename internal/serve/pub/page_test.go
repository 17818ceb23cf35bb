package pub

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/required/requiredtest"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/publish/site"
)

// handbook makes a site with a little of everything that navigation has.
func handbook(t testing.TB) *fixture {
	f := sqliteFixture(t)
	f.put(
		with(document("welcome", "Welcome", "The first page.\n"), func(e *entity.Entry) {
			e.Description = "What a team needs to know."
			e.Emoji = "1f44b"
		}),
		groupPage("guides", "Guides & more"),
		with(document("guides/install", "Install `recto`",
			"## One\n\nText.\n\n### Two\n\nText, and [configuring](configure.md#ports).\n"), func(e *entity.Entry) {
			e.LinkTitle = "Installing"
		}),
		document("guides/configure", "Configure", "## Ports\n\nText.\n"),
		document("guides/configure/advanced", "Advanced", "Text.\n"),
		document("reference", "Reference", ""),
		with(document("reference/api", "API", "Text.\n"), func(e *entity.Entry) { e.Description = "All operations." }),
		document("reference/errors", "Errors", "Text.\n"),
	)
	return f
}

func TestPage(t *testing.T) {
	f := handbook(t)
	page := f.html("guides/install")

	if diff := cmp.Diff([]string{"Install recto"}, texts(page, "h1")); diff != "" {
		t.Errorf("h1 (-want +got):\n%s", diff)
	}
	if got := page.Find("h1 code").Text(); got != "recto" {
		t.Errorf("code in the title is %q", got)
	}
	if got := page.Find("title").Text(); got != "Install recto · Handbook" {
		t.Errorf("title is %q", got)
	}
	wantTree := []string{"👋Welcome", "Installing", "Configure", "Advanced", "Reference", "API", "Errors"}
	if diff := cmp.Diff(wantTree, texts(page, "#navigation .tree-link")); diff != "" {
		t.Errorf("navigation (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"Guides & more"}, texts(page, ".tree-group-title")); diff != "" {
		t.Errorf("groups (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"Installing"}, texts(page, `#navigation [aria-current="page"]`)); diff != "" {
		t.Errorf("current page (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"Guides & more"}, texts(page, ".crumbs li")); diff != "" {
		t.Errorf("breadcrumbs (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"One", "Two"}, texts(page, ".outline-aside .outline-list a")); diff != "" {
		t.Errorf("outline (-want +got):\n%s", diff)
	}
	if got := attribute(page, ".pager-previous", "href"); got != f.home() {
		t.Errorf("previous page is at %q", got)
	}
	if got := attribute(page, ".pager-next", "href"); got != f.home()+"guides/configure" {
		t.Errorf("next page is at %q", got)
	}
	if got := attribute(page, ".prose a.link", "href"); got != f.home()+"guides/configure#ports" {
		t.Errorf("the link in the text leads to %q", got)
	}
	for selector, want := range map[string]string{
		`link[rel="canonical"]`:               testBase + f.home() + "guides/install",
		`link[rel="alternate"][type*="atom"]`: f.home() + "feed.xml",
		`link[type="text/markdown"]`:          f.home() + "guides/install.md",
	} {
		if got := attribute(page, selector, "href"); got != want {
			t.Errorf("%s leads to %q, want %q", selector, got, want)
		}
	}
	for selector, want := range map[string]string{
		`meta[property="og:title"]`:     "Install recto",
		`meta[property="og:site_name"]`: "Handbook",
		`meta[property="og:url"]`:       testBase + f.home() + "guides/install",
		`meta[name="description"]`:      "Text.",
		`meta[name="twitter:card"]`:     "summary_large_image",
	} {
		if got := attribute(page, selector, "content"); got != want {
			t.Errorf("%s is %q, want %q", selector, got, want)
		}
	}
	if attribute(page, "html", "lang") != "en" {
		t.Error("the page has no language")
	}
	for _, landmark := range []string{"header.top", "nav#navigation", "main#content", "footer",
		"a.skip[href='#content']"} {
		if page.Find(landmark).Length() != 1 {
			t.Errorf("there are %d of %s", page.Find(landmark).Length(), landmark)
		}
	}
}

func TestNavigationOpensTheWayToThePage(t *testing.T) {
	f := handbook(t)
	page := f.html("guides/configure/advanced")
	open := page.Find(`.tree-toggle[aria-expanded="true"]`)
	if open.Length() != 1 || attribute(page, `.tree-toggle[aria-expanded="true"]`,
		"aria-label") != "Pages in Configure" {
		t.Errorf("%d branches are open", open.Length())
	}
	page.Find(".tree-toggle").Each(func(_ int, toggle *goquery.Selection) {
		controls, _ := toggle.Attr("aria-controls")
		list := page.Find("#" + controls)
		_, hidden := list.Attr("hidden")
		expanded, _ := toggle.Attr("aria-expanded")
		if list.Length() != 1 || hidden == (expanded == "true") {
			t.Errorf("the button for %s says expanded=%s, and hidden is %v", controls, expanded, hidden)
		}
	})
	if diff := cmp.Diff([]string{"Guides & more", "Configure"}, texts(page, ".crumbs li")); diff != "" {
		t.Errorf("breadcrumbs (-want +got):\n%s", diff)
	}
	var data struct {
		Items []struct{ Name, Item string } `json:"itemListElement"`
	}
	if err := json.Unmarshal([]byte(page.Find(`script[type="application/ld+json"]`).Text()), &data); err != nil {
		t.Fatal(err)
	}
	if len(data.Items) != 2 || data.Items[1].Item != testBase+f.home()+"guides/configure/advanced" {
		t.Errorf("structured breadcrumbs are %+v", data.Items)
	}
}

func TestLanding(t *testing.T) {
	f := handbook(t)
	for _, at := range []string{"", "welcome"} {
		page := f.html(at)
		if got := page.Find("h1 > span:last-child").Text(); got != "Welcome" {
			t.Errorf("%q shows %q", at, got)
		}
		if got := attribute(page, `link[rel="canonical"]`, "href"); got != testBase+f.home() {
			t.Errorf("the canonical address of %q is %q", at, got)
		}
		if got := page.Find("title").Text(); got != "Handbook" {
			t.Errorf("the title of %q is %q", at, got)
		}
		if page.Find(".page-description").Text() != "What a team needs to know." {
			t.Errorf("%q lacks its description", at)
		}
	}
}

func TestRedirects(t *testing.T) {
	f := handbook(t)
	installID := f.page("guides/install")
	f.commit(store.CommitRequest{Space: f.space.ID, Put: []store.Put{
		{Entry: &entity.Entry{ID: entity.RedirectID("", "old/start"), Kind: entity.KindRedirect, Path: "old/start",
			Target: &doc.Ref{Kind: "page", Page: installID}}},
		{Entry: &entity.Entry{ID: entity.RedirectID("", "chat"), Kind: entity.KindRedirect, Path: "chat",
			Target: &doc.Ref{Kind: "url", URL: "https://chat.example.org/room"}}},
		{Entry: &entity.Entry{ID: entity.RedirectID("", "ports"), Kind: entity.KindRedirect, Path: "ports",
			Target: &doc.Ref{Kind: "anchor", Page: f.page("guides/configure"), Anchor: "ports"}}},
	}})
	// A rename leaves a redirect, also for what is below.
	head, err := f.content.Head(t.Context(), f.space.ID)
	if err != nil {
		t.Fatal(err)
	}
	configure, err := head.Entry(t.Context(), f.page("guides/configure"))
	if err != nil {
		t.Fatal(err)
	}
	renamed := *configure
	renamed.Slug = "set-up"
	f.commit(store.CommitRequest{Space: f.space.ID, Put: []store.Put{{Entry: &renamed}}})

	home := f.home()
	tests := []struct{ ask, want string }{
		{strings.TrimSuffix(home, "/"), home},
		{home + "guides/install/", home + "guides/install"},
		{home + "guides//install", home + "guides/install"},
		{home + "guides/install/?a=b", home + "guides/install?a=b"},
		{home + "Guides/Install", home + "guides/install"},
		{home + "guides/install.html", home + "guides/install"},
		{home + "guides", home + "guides/install"},
		{home + "old/start", home + "guides/install"},
		{home + "chat", "https://chat.example.org/room"},
		{home + "ports", home + "guides/set-up#ports"},
		{home + "guides/configure", home + "guides/set-up"},
		{home + "guides/configure/advanced", home + "guides/set-up/advanced"},
		{home + "/guides/install", home + "guides/install"},
	}
	for _, tt := range tests {
		w := ask(f.server, http.MethodGet, tt.ask)
		if w.Code != http.StatusPermanentRedirect || w.Header().Get("Location") != tt.want {
			t.Errorf("GET %s: %d to %q, want 308 to %q", tt.ask, w.Code, w.Header().Get("Location"), tt.want)
		}
		if got := w.Header().Get("Cache-Control"); got != "no-cache" {
			t.Errorf("GET %s: Cache-Control is %q: a path may be used again", tt.ask, got)
		}
	}
}

func TestMissing(t *testing.T) {
	f := handbook(t)
	paths := []string{
		"nowhere", "guides/instal", "guides/../welcome", "guides/./install", "guides%2Finstall", "%2e%2e/x", "a%00b",
		"%ff", "%25zz", `a%5Cb`,
		"~/nothing", "~/files/", "~/files/file_x/y.png", "~/pages/x", "sitemap-2.xml", "sitemap-x.xml", "welcome.md.md",
		"welcome.txt", strings.Repeat("a/", 300) + "a", "\u202e", ".git/config", "index.php",
	}
	for _, path := range paths {
		w := f.get(path)
		if w.Code != http.StatusNotFound {
			t.Errorf("GET %q: status %d", path, w.Code)
			continue
		}
		page := parse(t, w)
		if got := page.Find("h1").Text(); got != "This page does not exist" {
			t.Errorf("GET %q: the heading is %q", path, got)
		}
		if page.Find(`meta[name="robots"][content="noindex"]`).Length() != 1 {
			t.Errorf("GET %q: search engines may keep it", path)
		}
		if w.Header().Get("ETag") != "" {
			t.Errorf("GET %q: a missing page has an entity tag", path)
		}
	}
	if w := f.get(strings.Repeat("long/", 2000)); w.Code != http.StatusNotFound {
		t.Errorf("a path of 10,000 bytes: status %d", w.Code)
	}
}

func TestSuggestions(t *testing.T) {
	f := handbook(t)
	tests := []struct{ ask, want string }{
		{"guides/instal", "guides/install"},
		{"docs/v1/configure", "guides/configure"},
		{"erors", "reference/errors"},
		{"installation-of-recto", "guides/install"},
	}
	for _, tt := range tests {
		page := parse(t, f.get(tt.ask))
		if got := attribute(page, ".listing a", "href"); got != f.home()+tt.want {
			t.Errorf("for %s the first suggestion is %q, want %q", tt.ask, got, tt.want)
		}
	}
	if n := parse(t, f.get("xyzzy-plugh")).Find(".listing a").Length(); n != 0 {
		t.Errorf("%d suggestions for words that no page has", n)
	}
}

func TestEmptyDocumentListsItsPages(t *testing.T) {
	page := handbook(t).html("reference")
	if diff := cmp.Diff([]string{"APIAll operations.", "Errors"}, texts(page, ".prose .listing a")); diff != "" {
		t.Errorf("listing (-want +got):\n%s", diff)
	}
}

func TestHiddenPages(t *testing.T) {
	f := handbook(t)
	f.put(
		with(document("secret", "Hidden page", "Quiet words.\n"), func(e *entity.Entry) { e.Hidden = true }),
		document("secret/below", "Below the hidden page", "Text.\n"),
		with(document("quiet", "Not for machines", "Text.\n"), func(e *entity.Entry) { e.NoRobotsIndex = true }),
		document("quiet/below", "Below it", "Text.\n"),
	)
	for _, at := range []string{"secret", "secret/below"} {
		page := f.html(at)
		if page.Find(".pager").Length() != 0 {
			t.Errorf("%s has neighbours", at)
		}
	}
	home := f.html("")
	if tree := strings.Join(texts(home, ".tree-link"), " "); strings.Contains(tree, "hidden") || strings.Contains(tree,
		"Hidden") {
		t.Errorf("the navigation has %q", tree)
	}
	if got := attribute(f.html("reference/errors"), ".pager-next", "href"); got != f.home()+"quiet" {
		t.Errorf("the page before the hidden one leads on to %q", got)
	}
	for _, list := range []string{"sitemap.xml", "feed.xml", "llms.txt", "llms-full.txt"} {
		body := f.get(list).Body.String()
		for _, unwanted := range []string{"secret", "quiet"} {
			if strings.Contains(body, unwanted) {
				t.Errorf("%s mentions %s", list, unwanted)
			}
		}
	}
	for _, at := range []string{"quiet", "quiet/below"} {
		w := f.get(at)
		if w.Header().Get("X-Robots-Tag") != "noindex" || parse(t, w).Find(`meta[name="robots"]`).Length() != 1 {
			t.Errorf("search engines may keep %s", at)
		}
	}
	if w := f.get("guides/install"); w.Header().Get("X-Robots-Tag") != "" {
		t.Error("search engines may not keep an ordinary page")
	}
}

func TestConditions(t *testing.T) {
	f := handbook(t)
	f.put(
		with(document("members", "For members", "Text.\n"), func(e *entity.Entry) {
			e.Condition = "visitor.claims.unsigned.member === true"
		}),
		document("members/below", "Below it", "Text.\n"),
		with(document("everybody", "For everybody",
			"Before.\n\n{% if visitor.claims.unsigned.member %}\nSecret words.\n{% endif %}\n\nAfter.\n"),
			func(e *entity.Entry) { e.Condition = "1 < 2" }),
	)
	for _, at := range []string{"members", "members/below", "members.md"} {
		if w := f.get(at); w.Code != http.StatusNotFound {
			t.Errorf("GET %s: status %d", at, w.Code)
		}
	}
	if body := f.get("everybody").Body.String(); strings.Contains(body, "Secret words") || strings.Contains(body,
		"For members") || !strings.Contains(body, "After.") {
		t.Error("the page for everybody shows what is not for everybody")
	}
	for _, list := range []string{"sitemap.xml", "feed.xml", "llms.txt", "llms-full.txt", "~/pages", "everybody.md"} {
		body := f.get(list).Body.String()
		if strings.Contains(body, "members") || strings.Contains(body, "Secret words") {
			t.Errorf("%s shows what is not for everybody", list)
		}
	}
}

func TestPagesThatAreNoDocuments(t *testing.T) {
	f := handbook(t)
	position := func() string { f.position = entity.Between(f.position, ""); return f.position }
	page := func(kind entity.PageType, slug, title string, change func(*entity.Entry)) store.Put {
		e := &entity.Entry{ID: id.New("page"), Kind: entity.KindPage, Type: kind, Slug: slug, Title: title,
			Position: position()}
		change(e)
		return store.Put{Entry: e}
	}
	f.commit(store.CommitRequest{Space: f.space.ID, Put: []store.Put{
		page(entity.PageLink, "code", "Source code", func(e *entity.Entry) {
			e.Target = &doc.Ref{Kind: "url", URL: "https://example.org/code"}
		}),
		page(entity.PageLink, "ports", "Ports", func(e *entity.Entry) {
			e.Target = &doc.Ref{Kind: "anchor", Page: f.page("guides/configure"), Anchor: "ports"}
		}),
		page(entity.PageLink, "lost", "Lost", func(e *entity.Entry) {
			e.Target = &doc.Ref{Kind: "page", Page: "page_gone"}
		}),
		page(entity.PageComputed, "generated", "Generated", func(e *entity.Entry) {
			e.Computed = &entity.Computed{Type: "builtin:openapi"}
		}),
		page(entity.PageGroup, "empty", "Empty group", func(*entity.Entry) {}),
	}})
	home := f.html("")
	if got := attribute(home, `.tree-link[href^="https://example.org"]`, "href"); got != "https://example.org/code" {
		t.Errorf("the link page leads to %q", got)
	}
	if home.Find(`.tree-link[href="`+f.home()+`guides/configure#ports"]`).Length() != 1 {
		t.Error("the link to a part of a page is not there")
	}
	if got := home.Find(`.tree-link:contains("Lost")`).AttrOr("href", ""); got != f.home() {
		t.Errorf("a link to a page that is gone leads to %q", got)
	}
	if tree := strings.Join(texts(home, "#navigation"), ""); strings.Contains(tree, "Generated") ||
		strings.Contains(tree, "Empty group") {
		t.Errorf("the navigation has what there is no page for: %s", tree)
	}
	for _, at := range []string{"code", "generated", "empty"} {
		if w := f.get(at); w.Code != http.StatusNotFound {
			t.Errorf("GET %s: status %d", at, w.Code)
		}
	}
}

func TestLayout(t *testing.T) {
	f := handbook(t)
	picture := f.file("sunrise.png", []byte("not a picture"))
	f.put(with(document("bare", "Bare", "## A\n\nText.\n\n## B\n\nText.\n"), func(e *entity.Entry) {
		e.Description = "Not shown."
		e.Cover = &entity.Cover{Ref: &doc.Ref{Kind: "file", File: picture.ID}, Height: 500, YPos: 160}
		e.Layout = &entity.Layout{
			Width: "wide", CoverSize: "hero", CoverMask: "radial",
			Title: new(false), Description: new(false), TableOfContents: new(false),
			Outline: new(false), Pagination: new(false), Metadata: new(false), Actions: new(false),
		}
	}))
	page := f.html("bare")
	for selector, want := range map[string]int{
		"h1.visually-hidden": 1, ".page-description": 0, "#navigation": 0, ".menu-button": 0, ".outline": 0,
		".pager": 0, ".page-meta": 0, ".actions": 0, ".main.is-wide": 1,
		".cover.cover-hero.cover-radial.cover-tall.cover-at-0 img": 1,
	} {
		if got := page.Find(selector).Length(); got != want {
			t.Errorf("there are %d of %s, want %d", got, selector, want)
		}
	}
	if got := attribute(page, `meta[property="og:image"]`, "content"); !strings.HasPrefix(got,
		testBase+f.home()+"~/files/"+picture.ID+"/sunrise.png") {
		t.Errorf("the picture for previews is %q", got)
	}
}

// TestTagsOfPages holds that readers see the tags of a page, the primary one first, unless its layout hides them.
func TestTagsOfPages(t *testing.T) {
	f := handbook(t)
	tagged := func(e *entity.Entry) {
		e.Tags = []entity.Tag{{Tag: "beta"}, {Tag: "<b>new</b>", Primary: true}}
	}
	f.put(with(document("tagged", "Tagged", "Text.\n"), tagged))
	f.put(with(document("untagged", "Untagged", "Text.\n"), func(e *entity.Entry) {
		tagged(e)
		e.Layout = &entity.Layout{Tags: new(false)}
	}))
	tags := f.html("tagged").Find(".page-tags > .tag")
	if tags.Length() != 2 || tags.First().Text() != "<b>new</b>" || tags.Last().Text() != "beta" {
		t.Errorf("the tags are %q", tags.Text())
	}
	if got := f.html("untagged").Find(".page-tags").Length(); got != 0 {
		t.Error("a layout that hides tags shows them")
	}
}

func TestUnreadableBody(t *testing.T) {
	f := handbook(t)
	f.put(document("deep", "Deep", strings.Repeat("> ", 4000)+"bottom\n"))
	w := f.get("deep")
	if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "bottom") {
		t.Errorf("a body that the parser refuses: status %d", w.Code)
	}
}

func TestVisibility(t *testing.T) {
	f := handbook(t)
	update := func(v site.Visibility) {
		if _, err := f.sites.Update(t.Context(), f.caller, f.org.ID, f.site.ID,
			site.Change{Visibility: optional.Of(v)}); err != nil {
			t.Fatal(err)
		}
	}
	all := []string{"", "guides/install", "guides/install.md", "~/search?q=x", "feed.xml", "sitemap.xml", "llms.txt",
		"robots.txt", "~/pages"}
	update(site.VisibilityUnlisted)
	for _, at := range all {
		w := f.get(at)
		if at == "sitemap.xml" {
			if w.Code != http.StatusNotFound {
				t.Errorf("an unlisted site has a sitemap")
			}
			continue
		}
		if w.Code != http.StatusOK || w.Header().Get("X-Robots-Tag") != "noindex" {
			t.Errorf("unlisted %q: status %d, X-Robots-Tag %q", at, w.Code, w.Header().Get("X-Robots-Tag"))
		}
	}
	if body := f.get("robots.txt").Body.String(); !strings.Contains(body, "Disallow: "+f.home()+"\n") {
		t.Errorf("robots.txt of an unlisted site: %s", body)
	}
	update(site.VisibilityShareLink)
	for _, at := range all {
		if w := f.get(at); w.Code != http.StatusNotFound {
			t.Errorf("%q of a site with share links: status %d", at, w.Code)
		}
	}
	update(site.VisibilityPublic)
	if _, err := f.sites.Unpublish(t.Context(), f.caller, f.org.ID, f.site.ID); err != nil {
		t.Fatal(err)
	}
	for _, at := range all {
		if w := f.get(at); w.Code != http.StatusNotFound || strings.Contains(w.Body.String(), "Handbook") {
			t.Errorf("%q of an unpublished site: status %d", at, w.Code)
		}
	}
}

func TestMethods(t *testing.T) {
	f := handbook(t)
	for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodDelete, http.MethodPatch,
		http.MethodOptions, "PROPFIND"} {
		w := ask(f.server, method, f.home())
		if w.Code != http.StatusMethodNotAllowed || w.Header().Get("Allow") != "GET, HEAD" {
			t.Errorf("%s: status %d, Allow %q", method, w.Code, w.Header().Get("Allow"))
		}
	}
	for _, at := range []string{"", "feed.xml", "~/search?q=install", "welcome.md", "nowhere"} {
		get, head := f.get(at), ask(f.server, http.MethodHead, f.home()+at)
		if head.Body.Len() != 0 || head.Code != get.Code || head.Header().Get("Content-Length") != get.Header().
			Get("Content-Length") {
			t.Errorf("HEAD %q: status %d, %d bytes, length %s", at, head.Code, head.Body.Len(),
				head.Header().Get("Content-Length"))
		}
	}
}

func TestNoSuchSite(t *testing.T) {
	f := handbook(t)
	for _, at := range []string{"/sites/", "/sites/acme", "/sites/acme/", "/sites/acme/none/", "/sites/none/handbook/",
		"/elsewhere", "/", "/sites/%00/x/", "/sites/acme/%ff/"} {
		if w := ask(f.server, http.MethodGet, at); w.Code != http.StatusNotFound || strings.Contains(w.Body.String(),
			"<html") {
			t.Errorf("GET %s: status %d", at, w.Code)
		}
	}
}

func TestSecondSpace(t *testing.T) {
	f := handbook(t)
	api := f.addSpace("API manual")
	f.putIn(api.ID, document("start", "API start", "See [calls](calls.md).\n"),
		document("calls", "Calls", "Text about frobnication.\n"))
	if _, err := f.sites.AddSpace(t.Context(), f.caller, f.org.ID, f.site.ID, api.ID, ""); err != nil {
		t.Fatal(err)
	}
	below := f.home() + "api-manual/"
	if w := f.get("api-manual"); w.Code != http.StatusPermanentRedirect || w.Header().Get("Location") != below {
		t.Errorf("the space without its slash: %d to %q", w.Code, w.Header().Get("Location"))
	}
	page := f.html("api-manual/")
	if got := attribute(page, ".prose a.link", "href"); got != below+"calls" {
		t.Errorf("the link in the text leads to %q", got)
	}
	if got := attribute(page, `link[rel="canonical"]`, "href"); got != testBase+below {
		t.Errorf("the canonical address is %q", got)
	}
	if body := f.get("sitemap.xml").Body.String(); !strings.Contains(body, "<sitemapindex") || !strings.Contains(body,
		testBase+below+"sitemap.xml") {
		t.Errorf("the sitemap of the site: %s", body)
	}
	var answer readAnswer
	if err := json.Unmarshal(f.get("~/search?q=frobnication").Body.Bytes(), &answer); err != nil {
		t.Fatal(err)
	}
	if len(answer.Items) != 1 || answer.Items[0].URL != below+"calls" {
		t.Errorf("search from the default space finds %+v", answer.Items)
	}
}

func TestSiteAtAHost(t *testing.T) {
	f := handbook(t)
	sites := requiredtest.Wire(site.New(requiredtest.Fill(site.Deps{DB: f.database, Spaces: f.spaces,
		BaseURL: testBase, SitesDomain: testDomain})), site.Hooks{})
	server := f.newServer(sites, testDomain)
	host := f.org.Hostname + "." + testDomain
	if !server.ServesHost(t.Context(), host) || !server.ServesHost(t.Context(), strings.ToUpper(host)+":8080") ||
		server.ServesHost(t.Context(), "docs.example.com") || server.ServesHost(t.Context(), testDomain) ||
		server.ServesHost(t.Context(), "a.b."+testDomain) {
		t.Error("ServesHost knows the wrong hosts")
	}
	w := ask(server, http.MethodGet, "/handbook/guides/install", "Host", host)
	if w.Code != http.StatusOK {
		t.Fatalf("status %d: %s", w.Code, w.Body)
	}
	page := parse(t, w)
	if got := attribute(page, ".pager-next", "href"); got != "/handbook/guides/configure" {
		t.Errorf("the next page is at %q", got)
	}
	if got := attribute(page, `link[rel="canonical"]`, "href"); got != "https://"+host+"/handbook/guides/install" {
		t.Errorf("the canonical address is %q", got)
	}
	if got := attribute(page, `link[rel="stylesheet"]`, "href"); ask(server, http.MethodGet, got, "Host",
		host).Code != http.StatusOK {
		t.Errorf("the style sheet at %q is not there", got)
	}
	if w := ask(server, http.MethodGet, "/robots.txt", "Host", host); w.Code != http.StatusOK ||
		!strings.Contains(w.Body.String(), "User-agent: *") {
		t.Errorf("robots.txt of the host: status %d", w.Code)
	}
	if w := ask(server, http.MethodGet, "/handbook", "Host", host); w.Header().Get("Location") != "/handbook/" {
		t.Errorf("without its slash the site leads to %q", w.Header().Get("Location"))
	}
	if w := ask(server, http.MethodGet, f.home(), "Host", "docs.example.com"); w.Code != http.StatusOK {
		t.Errorf("below the server's own address: status %d", w.Code)
	}
}
