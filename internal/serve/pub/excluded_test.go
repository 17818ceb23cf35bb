package pub

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
	"github.com/rectodocs/recto/internal/publish/site"
)

const (
	gptBot  = "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)"
	browser = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
)

// TestExcludedAgentsAreRefused: on a site that excludes agents they get nothing but robots.txt, whatever is kept in
// caches, and people get what they got.
func TestExcludedAgentsAreRefused(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		p := newParts(t, d)
		paths := []string{"", "install", "reference/install", "install.md", "llms.txt", "llms-full.txt", "feed.xml",
			"sitemap.xml", "~/search?q=install", "~/pages", "~/pdf", "nothing", "~/assets/site.css"}
		for _, path := range paths {
			if w := p.get(path, "User-Agent", gptBot); w.Code == http.StatusForbidden ||
				strings.Contains(w.Header().Get("Vary"), "User-Agent") {
				t.Errorf("%s of a site that is for agents too: %d %v", path, w.Code, w.Header())
			}
		}
		exclude := func(change site.Change) {
			t.Helper()
			if _, err := p.sites.Update(t.Context(), p.caller, p.org.ID, p.site.ID, change); err != nil {
				t.Fatal(err)
			}
		}
		exclude(site.Change{AgentsContext: optional.Of(site.AgentsExcluded)})
		refused := func(path string, headers ...string) {
			t.Helper()
			w := p.get(path, append([]string{"User-Agent", gptBot}, headers...)...)
			if w.Code != http.StatusForbidden || w.Header().Get("Cache-Control") != "no-store" ||
				strings.Contains(w.Body.String(), "install") || w.Header().Get("Etag") != "" ||
				w.Header().Get("Location") != "" {
				t.Errorf("%s answers an agent %d with %v\n%.200s", path, w.Code, w.Header(), w.Body)
			}
		}
		for _, path := range paths {
			refused(path) // before anybody has asked for the page, and after it
			person := p.get(path, "User-Agent", browser)
			if person.Code == http.StatusForbidden {
				t.Errorf("%s answers a person %d", path, person.Code)
			}
			if got := person.Header().Get("Vary"); !strings.HasPrefix(path, "~/assets/") &&
				!strings.Contains(strings.Join(person.Header().Values("Vary"), ","), "User-Agent") {
				t.Errorf("%s may be shown to an agent from a cache: Vary is %q", path, got)
			}
			refused(path, "If-None-Match", person.Header().Get("Etag"))
			refused(path, "Cookie", "recto_visitor_public=%7B%7D")
			if again := p.get(path, "User-Agent", browser); again.Code != person.Code ||
				again.Body.Len() != person.Body.Len() {
				t.Errorf("%s answers a person %d, and after an agent %d", path, person.Code, again.Code)
			}
		}
		refused("install", "Signature-Agent", `"https://chatgpt.com"`)
		if w := ask(p.server, http.MethodHead, p.home()+"install", "User-Agent",
			gptBot); w.Code != http.StatusForbidden || w.Body.Len() > 0 {
			t.Errorf("HEAD: %d with %d bytes", w.Code, w.Body.Len())
		}
		robots := p.get("robots.txt", "User-Agent", gptBot)
		if body := robots.Body.String(); robots.Code != http.StatusOK || !strings.Contains(body,
			"User-agent: GPTBot\n") || !strings.Contains(body, "User-agent: Google-Extended\n") ||
			!strings.Contains(body, "\nDisallow: "+p.home()+"\n") {
			t.Errorf("robots.txt: %d\n%s", robots.Code, body)
		}

		// A site that is not for everybody tells an agent no more than a stranger.
		exclude(site.Change{Visibility: optional.Of(site.VisibilityShareLink)})
		stranger, agent := p.get("install", "User-Agent", browser), p.get("install", "User-Agent", gptBot)
		if stranger.Code != http.StatusNotFound || agent.Code != stranger.Code ||
			agent.Body.String() != stranger.Body.String() {
			t.Errorf("a closed site answers a stranger %d and an agent %d", stranger.Code, agent.Code)
		}
	})
}

// TestHostRobots: crawlers read robots.txt at the root of a host alone, so that of an organization's host names the
// sites that are not for agents.
func TestHostRobots(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		p := newParts(t, d)
		p.restart(func(deps *Deps) { deps.SitesDomain = testDomain })
		robots := func() string {
			t.Helper()
			return ask(p.server, http.MethodGet, "/robots.txt", "Host", p.org.Hostname+"."+testDomain).Body.String()
		}
		if got := robots(); got != "User-agent: *\nDisallow: /*/~/search\nAllow: /\n" {
			t.Errorf("without such a site:\n%s", got)
		}
		if _, err := p.sites.Update(t.Context(), p.caller, p.org.ID, p.site.ID,
			site.Change{AgentsContext: optional.Of(site.AgentsExcluded)}); err != nil {
			t.Fatal(err)
		}
		rule := "Disallow: /" + url.PathEscape(p.site.Basename) + "/\n"
		if got := robots(); !strings.Contains(got, "User-agent: GPTBot\n") || !strings.Contains(got, rule) ||
			!strings.HasSuffix(got, "\n\nUser-agent: *\nDisallow: /*/~/search\nAllow: /\n") {
			t.Errorf("with one:\n%s", got)
		}
		// What is not for everybody is not told.
		if _, err := p.sites.Update(t.Context(), p.caller, p.org.ID, p.site.ID,
			site.Change{Visibility: optional.Of(site.VisibilityUnlisted)}); err != nil {
			t.Fatal(err)
		}
		if got := robots(); strings.Contains(got, rule) {
			t.Errorf("an unlisted site is told:\n%s", got)
		}
	})
}
