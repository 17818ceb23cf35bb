package pub

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/base/required/requiredtest"
	"github.com/rectodocs/recto/internal/publish/feedback"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/publish/site/customization"
)

// customize sets members of the site's customization, given as a JSON object; objects in it are put into those that are
// there.
func (f *fixture) customize(change string) {
	f.t.Helper()
	var whole, part map[string]any
	encoded, err := json.Marshal(customization.Default())
	if err != nil {
		f.t.Fatal(err)
	}
	if err := json.Unmarshal(encoded, &whole); err != nil {
		f.t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(change), &part); err != nil {
		f.t.Fatal(err)
	}
	var put func(into, from map[string]any)
	put = func(into, from map[string]any) {
		for name, value := range from {
			below, ok := value.(map[string]any)
			at, also := into[name].(map[string]any)
			if ok && also && name != "font" {
				put(at, below)
				continue
			}
			into[name] = value
		}
	}
	put(whole, part)
	if _, err := f.sites.SetCustomization(f.t.Context(), f.caller, f.org.ID, f.site.ID, whole); err != nil {
		f.t.Fatal(err)
	}
}

func TestLookIsInThePage(t *testing.T) {
	f := handbook(t)
	plain := f.html("")
	if class, _ := plain.Find("html").Attr("class"); class != "" {
		t.Errorf("a plain site has the classes %q", class)
	}
	if n := plain.Find(`link[rel=stylesheet]:not([href*="/site."])`).Length(); n != 0 {
		t.Error("a plain site loads style sheets of choices")
	}
	f.customize(
		`{"styling":{"theme":"bold","corners":"circular","depth":"flat","links":"accent","icons":"thin","sidebar":{"background":"filled","list":"line"},"search":"subtle",
		"font":"Lato","monospaceFont":"FiraCode","headingFont":"Merriweather","tint":{"color":{"light":"#ff0000","dark":"#ff0000"}}},"themes":{"default":"dark","toggeable":true}}`)
	page := f.html("")
	want := "theme-bold corners-circular depth-flat links-accent icons-thin sidebar-filled list-line search-subtle " +
		"top-filled heading-font"
	if class, _ := page.Find("html").Attr("class"); class != want {
		t.Errorf("classes are %q", class)
	}
	for _, sheet := range []string{"look.", "font-lato.", "font-fira-code.", "font-merriweather."} {
		if page.Find(`link[rel=stylesheet][href*="/`+sheet+`"]`).Length() != 1 {
			t.Errorf("%s is not loaded", sheet)
		}
	}
	if href, _ := page.Find("link[rel=preload]").Attr("href"); !strings.Contains(href, "/lato-latin-400-normal.") {
		t.Errorf("%s is loaded first", href)
	}
	style := page.Find("style").Text()
	for _, want := range []string{`--font:"Lato",`, `--mono:"Fira Code",`, `--heading-font:"Merriweather",`,
		"--top-bg:light-dark(#", "--bg:light-dark(#"} {
		if !strings.Contains(style, want) {
			t.Errorf("the style lacks %s: %s", want, style)
		}
	}
	if theme, _ := page.Find("html").Attr("data-default-theme"); theme != "dark" {
		t.Errorf("the theme is %q", theme)
	}
	f.customize(`{"themes":{"default":"light","toggeable":false}}`)
	page = f.html("")
	if theme, _ := page.Find("html").Attr("data-fixed-theme"); theme != "light" ||
		page.Find(".theme-switch").Length() != 0 {
		t.Errorf("the fixed theme is %q", theme)
	}
	f.customize(`{"themes":{"default":"system","toggeable":false}}`)
	if html := f.html("").Find("html"); html.Is("[data-fixed-theme], [data-default-theme]") ||
		f.html("").Find(".theme-switch").Length() != 0 {
		t.Error("a site that follows the system does not")
	}
}

func TestHeaderAndFooter(t *testing.T) {
	f := handbook(t)
	f.customize(`{"title":"The Handbook","externalLinks":{"target":"blank"},"header":{"preset":"default",
		"logo":{"light":"https://example.org/l.svg","dark":"https://example.org/d.svg"},"primaryLink":{"kind":"url","url":"https://example.org/"},"links":[
		{"title":"Install","to":{"kind":"page","page":"` + f.page("guides/install") + `"},"links":[]},
		{"title":"Menu","to":null,"links":[{"title":"Blog","to":{"kind":"url","url":"https://blog.example.org"}},{"title":"Gone","to":{"kind":"page","page":"page_none"}}]},
		{"title":"Empty","to":null,"links":[{"title":"Gone","to":{"kind":"page","page":"page_none"}}]},
		{"title":"Hidden","to":{"kind":"url","url":"https://example.org/x"},"links":[],"condition":"visitor.claims.beta"},
		{"title":"Start","style":"button-primary","to":{"kind":"url","url":"https://example.org/start"},"links":[]},
		{"title":"Log in","style":"button-secondary","to":{"kind":"url","url":"https://example.org/login"},"links":[]}]},
		"footer":{"logo":{"light":"https://example.org/f.svg","dark":"https://example.org/f.svg"},"copyright":"© Acme","groups":[{"title":"Company","links":[{"title":"About","to":{"kind":"url","url":"https://example.org/about"}}]},{"title":"None","links":[]}]},
		"favicon":{"icon":{"light":"https://example.org/i.png","dark":"https://example.org/j.png"}},
		"privacyPolicy":{"url":"https://example.org/privacy"},"socialPreview":{"url":"https://example.org/card.png"},"trademark":{"enabled":false},"pagination":{"enabled":false},
		"socialAccounts":[{"platform":"github","handle":"acme","display":{"footer":true,"header":false}},{"platform":"mastodon","handle":"@acme@social.example","display":{"footer":false,"header":true}}]}`)
	page := f.html("guides/install")
	if got := page.Find("title").Text(); !strings.HasSuffix(got, "· The Handbook") {
		t.Errorf("the title is %q", got)
	}
	links := page.Find(".top-links")
	for selector, want := range map[string]int{
		`> a[href="` + f.home() + `guides/install"]:not([target])`: 1,
		`details.menu`: 1, `.menu-list a[href="https://blog.example.org"][target=_blank][rel="noopener noreferrer"]`: 1,
		`.menu-list a`: 1,
		`> a.is-primary[href="https://example.org/start"]`: 1, `> a.is-secondary`: 1, `a[href*="/x"]`: 0,
	} {
		if got := links.ChildrenFiltered("*").End().Find(strings.TrimPrefix(selector, "> ")).Length(); got != want {
			t.Errorf("%s is there %d times: %s", selector, got, links.Text())
		}
	}
	if strings.Contains(links.Text(), "Empty") || strings.Contains(links.Text(), "Gone") ||
		strings.Contains(links.Text(), "Hidden") {
		t.Errorf("links that lead nowhere are there: %s", links.Text())
	}
	for selector, want := range map[string]int{
		`.brand[href="https://example.org/"] img.light-only[src="https://example.org/l.svg"]`: 1,
		`.brand img.dark-only`: 1,
		`.bottom-group`:        1, `.bottom-group[aria-label=Company] a[href="https://example.org/about"]`: 1,
		`.bottom-brand img`:     1,
		`link[rel=icon][media]`: 2, `.bottom a[href="https://example.org/privacy"]`: 1,
		`meta[property="og:image"][content="https://example.org/card.png"]`: 1,
		`.bottom a[href*="rectodocs"]`:                                      0, `.pager`: 0,
		`.bottom .accounts a[href="https://github.com/acme"]`:   1,
		`.top .accounts a[href="https://social.example/@acme"]`: 1,
	} {
		if got := page.Find(selector).Length(); got != want {
			t.Errorf("%s is there %d times", selector, got)
		}
	}
	if !strings.Contains(page.Find(".bottom").Text(), "© Acme") {
		t.Error("the copyright is not there")
	}
}

func TestAnnouncement(t *testing.T) {
	f := handbook(t)
	keys := map[string]bool{}
	for message, style := range map[string]string{"Version 2": "info", "Version 3": "danger"} {
		f.customize(`{"announcement":{"enabled":true,"message":"` + message + `","style":"` + style +
			`","link":{"title":"More","to":{"kind":"page","page":"` + f.page("reference") + `"}}}}`)
		page := f.html("guides/install")
		banner := page.Find("aside.announcement.is-" + style)
		if !strings.Contains(banner.Text(), message) || banner.Find(`a[href="`+f.home()+`reference"]`).Length() != 1 {
			t.Errorf("the banner says %q", banner.Text())
		}
		if dismissible := banner.Find("[data-dismiss]").Length() == 1; dismissible != (style == "info") {
			t.Errorf("%s can be dismissed: %t", style, dismissible)
		}
		key, _ := page.Find("html").Attr("data-announcement")
		keys[key] = true
	}
	if len(keys) != 2 {
		t.Error("two announcements are told apart by nothing")
	}
	f.customize(`{"announcement":{"enabled":false,"message":"Hidden","style":"info"}}`)
	if page := f.html(""); page.Find(".announcement").Length() != 0 || page.Find("html").Is("[data-announcement]") {
		t.Error("an announcement that is off is shown")
	}
}

func TestLocale(t *testing.T) {
	f := handbook(t)
	f.customize(`{"internationalization":{"locale":"de"},"feedback":{"enabled":true}}`)
	page := f.html("guides/install")
	text := page.Find("body").Text()
	for _, want := range []string{"Zum Inhalt springen", "Auf dieser Seite", "Zuletzt geändert", "Zurück", "Weiter",
		"Alle Seiten", "War diese Seite hilfreich?", "Seite kopieren"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not there", want)
		}
	}
	if lang, _ := page.Find("html").Attr("lang"); lang != "de" {
		t.Errorf("the language is %q", lang)
	}
	encoded, _ := page.Find("script[data-words]").Attr("data-words")
	var said map[string]string
	if err := json.Unmarshal([]byte(encoded), &said); err != nil || said["copy"] != "Code kopieren" {
		t.Errorf("the script says %s (%v)", encoded, err)
	}
	if got := parse(t, f.get("~/search?q=install", "Accept", "text/html")).Find("h1").Text(); got != "Suchen" {
		t.Errorf("the results are called %q", got)
	}
	if got := parse(t, f.get("nowhere")).Find("h1").Text(); got != "Diese Seite gibt es nicht" {
		t.Errorf("a page that is missing says %q", got)
	}
}

func TestASpaceLooksDifferent(t *testing.T) {
	f := handbook(t)
	second := f.addSpace("API")
	added, err := f.sites.AddSpace(t.Context(), f.caller, f.org.ID, f.site.ID, second.ID, "")
	if err != nil {
		t.Fatal(err)
	}
	f.putIn(second.ID, document("start", "Start", "Text.\n"))
	before := f.get("api/").Body.String()
	if _, err := f.sites.OverrideCustomization(t.Context(), f.caller, f.org.ID, f.site.ID, added.ID,
		map[string]any{"title": "The API", "styling": map[string]any{"theme": "muted"}}); err != nil {
		t.Fatal(err)
	}
	own := parse(t, f.get("api/"))
	if before == f.get("api/").Body.String() || !own.Find("html").HasClass("theme-muted") ||
		own.Find(".brand-title").Text() != "The API" {
		t.Error("the space looks as before")
	}
	if page := f.html("guides/install"); page.Find("html").HasClass("theme-muted") ||
		page.Find(".brand-title").Text() != "Handbook" {
		t.Error("the site looks as the space")
	}
}

// post sends a form to the fixture's site.
func (f *fixture) post(at string, form url.Values, headers ...string) *httptest.ResponseRecorder {
	f.t.Helper()
	r := httptest.NewRequest(http.MethodPost, testBase+f.home()+at, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	f.server.ServeHTTP(w, r)
	return w
}

func TestReadersSayWhetherAPageHelped(t *testing.T) {
	f := handbook(t)
	page := f.page("guides/install")
	answer := url.Values{"page": {page}, "helpful": {"no"}}
	if w := f.post("~/feedback", answer); w.Code != http.StatusNotFound {
		t.Errorf("where nobody is asked: %d", w.Code)
	}
	if f.html("guides/install").Find(".feedback").Length() != 0 {
		t.Error("readers are asked though nobody wants to know")
	}
	f.customize(`{"feedback":{"enabled":true}}`)
	if got, _ := f.html("guides/install").Find(".feedback input[name=page]").Attr("value"); got != page {
		t.Errorf("the form is about %q", got)
	}
	w := f.post("~/feedback", answer)
	if w.Code != http.StatusSeeOther || w.Header().Get("Location") != f.home()+"~/feedback" ||
		w.Header().Get("Set-Cookie") != "" {
		t.Errorf("without a script: %d %v", w.Code, w.Header())
	}
	if got := parse(t, f.get("~/feedback")).Find("h1").Text(); got != "Thank you for your answer." {
		t.Errorf("the page after it says %q", got)
	}
	answer.Set("helpful", "yes")
	w = f.post("~/feedback", answer, "Accept", "application/json")
	var given struct{ Answer string }
	if err := json.Unmarshal(w.Body.Bytes(), &given); err != nil || !strings.HasPrefix(given.Answer, "feedback_") {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	if w := f.post("~/feedback", url.Values{"answer": {given.Answer},
		"comment": {"Good."}}); w.Code != http.StatusNoContent {
		t.Errorf("a comment: %d %s", w.Code, w.Body)
	}
	for name, test := range map[string]struct {
		form    url.Values
		headers []string
		want    int
	}{
		"a second comment":   {url.Values{"answer": {given.Answer}, "comment": {"More."}}, nil, http.StatusBadRequest},
		"no such page":       {url.Values{"page": {"page_none"}, "helpful": {"yes"}}, nil, http.StatusBadRequest},
		"neither yes nor no": {url.Values{"page": {page}, "helpful": {"maybe"}}, nil, http.StatusBadRequest},
		"another site": {url.Values{"page": {page}, "helpful": {"yes"}}, []string{"Sec-Fetch-Site", "cross-site"},
			http.StatusForbidden},
		"too long": {url.Values{"answer": {given.Answer}, "comment": {strings.Repeat("x", 16<<10)}},
			nil, http.StatusBadRequest},
	} {
		if w := f.post("~/feedback", test.form, test.headers...); w.Code != test.want {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
	answers := feedback.New(feedback.Deps{DB: f.database, Sites: f.sites})
	found, err := answers.List(t.Context(), f.caller, f.org.ID, f.site.ID, feedback.Filter{}, paging.Request{Limit: 10})
	if err != nil || found.Count != 2 || found.Items[0].Comment != "Good." || found.Items[0].Page != page ||
		found.Items[0].PageTitle != "Install recto" {
		t.Error(found.Items, err)
	}
	refused := false
	for range 12 + 1 {
		w := f.post("~/feedback", answer)
		refused = refused || w.Code == http.StatusTooManyRequests && w.Header().Get("Retry-After") != ""
	}
	if !refused {
		t.Error("one address may answer without end")
	}
	if w := f.post("guides/install", answer); w.Code != http.StatusMethodNotAllowed {
		t.Errorf("a page takes a form: %d", w.Code)
	}
}

func TestScriptsOfIntegrations(t *testing.T) {
	f := handbook(t)
	scripts := []site.Script{
		{URL: "https://stats.example.org/s.js", ContentSecurityPolicy: "script-src https://cdn.example.org " +
			"'unsafe-inline' *; connect-src: https://*.example.org\nimg-src data: ; default-src 'none'; " +
			"frame-ancestors *"},
		{URL: "https://chat.example.org/c.js", Cookies: true},
		{URL: "http://inner.example.org/banner.js", Cookies: true, Asks: true},
		{URL: "javascript:alert(1)"},
	}
	sites := requiredtest.Wire(site.New(requiredtest.Fill(site.Deps{DB: f.database, Spaces: f.spaces,
		BaseURL: testBase})), site.Hooks{Scripts: func(context.Context,
		id.Site) ([]site.Script, bool, error) {
		return scripts, false, nil
	}})

	f.server = f.newServer(sites, "")
	w := f.get("")
	policy := w.Header().Get("Content-Security-Policy")
	for _, want := range []string{
		"script-src 'self' https://stats.example.org https://chat.example.org http://inner.example.org https:;",
		"connect-src 'self' https: wss:;", "style-src 'self' 'unsafe-inline' https:;", "worker-src 'self' blob:;",
		"default-src 'none';", "form-action 'self'; base-uri 'none'; frame-ancestors 'self'"} {
		if !strings.Contains(policy, want) {
			t.Errorf("the policy lacks %s: %s", want, policy)
		}
	}
	// What a manifest says changes nothing, and no script that stands in a page runs.
	if strings.Count(policy, "unsafe") != 1 || strings.Contains(policy, " *;") || strings.Contains(policy, " * ") ||
		strings.Contains(policy, "cdn.example.org") || strings.Contains(policy, "javascript") {
		t.Errorf("a script opens the policy: %s", policy)
	}
	page := parse(t, w)
	if page.Find(`script[src="https://stats.example.org/s.js"][async]`).Length() != 1 ||
		page.Find(`script[src*="chat"], script[src^="javascript"]`).Length() != 0 {
		t.Error("the wrong scripts are loaded")
	}
	if page.Find(`script[src="http://inner.example.org/banner.js"][async]`).Length() != 1 ||
		page.Find("script[data-script-asks]").Length() != 1 {
		t.Error("what asks readers about cookies waits for their answer")
	}
	if asked, _ := page.Find("script[data-asked]").Attr("data-asked"); asked != "https://chat.example.org/c.js" {
		t.Errorf("readers are asked about %q", asked)
	}
	scripts = scripts[:1]
	if parse(t, f.get("")).Find("[data-asked], [data-ask-cookies], [data-script-asks]").Length() != 0 {
		t.Error("readers are asked about nothing, or a page of before is sent")
	}
}

func TestPageActions(t *testing.T) {
	f := handbook(t)
	if got := f.html("guides/install").Find(".actions .menu").Length(); got != 0 {
		t.Error("a plain site has a menu")
	}
	f.customize(`{"pageActions":{"externalAI":true,"markdown":false,"mcp":false},"pdf":{"enabled":true}}`)
	page := f.html("guides/install")
	if page.Find("[data-copy-page]").Length() != 0 ||
		page.Find(`.actions .menu-list a[href^="https://chatgpt.com/"][target=_blank]`).Length() != 1 ||
		page.Find(`.menu-list a[href^="https://claude.ai/"]`).Length() != 1 {
		t.Error(page.Find(".actions").Html())
	}
	if page.Find(`.actions .menu-list a[href*="~/pdf"]`).Length() == 0 {
		t.Error("no PDF is offered")
	}
}

func TestThemesAreMadeOnce(t *testing.T) {
	f := handbook(t)
	served, err := f.sites.Resolve(t.Context(), f.org.Hostname, f.site.Basename)
	if err != nil {
		t.Fatal(err)
	}
	first := f.server.services.Themes.Of(&served, served.Spaces[0])
	if again := f.server.services.Themes.Of(&served, served.Spaces[0]); again != first {
		t.Error("a theme is made for every page")
	}
}

func TestFontsFromElsewhere(t *testing.T) {
	f := handbook(t)
	f.customize(
		`{"styling":{"font":{"id":"own","custom":true,"fontFamily":"Own Sans","fontFaces":[{"weight":400,"sources":[{"url":"https://fonts.example.org/own.woff2","format":"woff2"}]}]}}}`)
	w := f.get("")
	if policy := w.Header().Get("Content-Security-Policy"); !strings.Contains(policy,
		"font-src 'self' https://fonts.example.org;") {
		t.Error(policy)
	}
	style := parse(t, w).Find("style").Text()
	if !strings.Contains(style,
		`@font-face{font-family:"Own Sans";font-weight:400;font-display:swap;src:url("https://fonts.example.org/own.woff2") format("woff2")}`) || !strings.Contains(style, `--font:"Own Sans",`) {
		t.Error(style)
	}
}
