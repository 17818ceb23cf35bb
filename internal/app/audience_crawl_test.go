package app_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/app/apptest"
)

// canary is a word that stands for one text of one thing, and for nothing else: twelve letters that no typo makes of
// another.
func canary(of string) string {
	sum := sha256.Sum256([]byte(of))
	word := []byte("q")
	for _, b := range sum[:11] {
		word = append(word, 'a'+b%26)
	}
	return string(word)
}

// who is an audience: what is known of it.
type who struct {
	name     string
	signed   map[string]any
	unsigned map[string]string
}

func (w who) is(name string) bool { on, _ := w.signed[name].(bool); return on }

func (w who) pro() bool { return w.signed["plan"] == "pro" }

var audiences = []who{
	{name: "nobody"},
	{name: "pro", signed: map[string]any{"plan": "pro"}},
	{name: "free", signed: map[string]any{"plan": "free", "isBeta": false, "org": map[string]any{"isPartner": false}}},
	{name: "beta", signed: map[string]any{"isBeta": true}, unsigned: map[string]string{"language": "fr"}},
	{name: "partner", signed: map[string]any{"org": map[string]any{"isPartner": true}}},
	{name: "german", unsigned: map[string]string{"language": "de"}},
	{name: "liar", signed: map[string]any{"unsigned": map[string]any{"language": "de"}, "isBeta": "true",
		"plan": []any{"pro"}}, unsigned: map[string]string{"plan": "pro", "isBeta": "true", "claims.isBeta": "true",
		"language": "deutsch"}},
	{name: "all", signed: map[string]any{"plan": "pro", "isBeta": true, "org": map[string]any{"isPartner": true}},
		unsigned: map[string]string{"language": "de"}},
}

const crawlSchema = `{"type":"object","properties":{"plan":{"type":"string","enum":["free","pro"],"description":""},"isBeta":{"type":"boolean","description":""},
	"org":{"type":"object","description":"","properties":{"isPartner":{"type":"boolean","description":""}},"additionalProperties":false},
	"unsigned":{"type":"object","description":"Unsigned claims of the site visitor.","properties":{"language":{"type":"string","enum":["de","fr"],"description":""}},"additionalProperties":false}},
	"additionalProperties":false}`

// forWhom says who may see each canary. It is a model of its own: nothing here asks an expression.
var forWhom = map[string]func(who) bool{
	"start": everybody, "public": everybody, "public title": everybody, "hidden": everybody, "plain": everybody,
	"pro": who.pro, "pro title": who.pro, "pro description": who.pro, "pro slug": who.pro, "pro child": who.pro,
	"pro child title": who.pro, "pro heading": who.pro,
	"pro block": who.pro, "pro reusable": who.pro, "pro cell": who.pro,
	"no beta":      func(w who) bool { return !w.is("isBeta") },
	"beta":         func(w who) bool { return w.is("isBeta") },
	"beta title":   func(w who) bool { return w.is("isBeta") },
	"beta and pro": func(w who) bool { return w.is("isBeta") && w.pro() },
	"german":       func(w who) bool { return w.unsigned["language"] == "de" },
	"german title": func(w who) bool { return w.unsigned["language"] == "de" },
	"typo":         nobodyAtAll, "missing": nobodyAtAll, "broken": nobodyAtAll,
	"pro file": who.pro, "pro block file": who.pro, "pro reusable file": who.pro, "typo file": nobodyAtAll,
	"cover file":  who.pro,
	"shared file": everybody, "loose file": everybody, "partners file": func(w who) bool {
		return partner(w) && w.pro()
	},
	"partners":         func(w who) bool { return partner(w) },
	"partners title":   func(w who) bool { return partner(w) },
	"partners section": func(w who) bool { return partner(w) },
	"partners pro":     func(w who) bool { return partner(w) && w.pro() },
	"proposed":         nobodyAtAll, "proposed title": nobodyAtAll, "proposed pro": nobodyAtAll,
	"proposed beta":      nobodyAtAll,
	"next version":       func(w who) bool { return w.is("isBeta") },
	"next version title": func(w who) bool { return w.is("isBeta") },
	"next version space": func(w who) bool { return w.is("isBeta") },
}

func everybody(who) bool { return true }

func nobodyAtAll(who) bool { return false }

func partner(w who) bool {
	org, _ := w.signed["org"].(map[string]any)
	return org["isPartner"] == true
}

func markdownPage(front, title, body string) string {
	return "---\n" + front + "---\n\n# " + title + "\n\n" + body + "\n"
}

// crawled is what is on the site that is walked.
func crawled() (guide, partners, next map[string]string) {
	c := canary
	guide = map[string]string{
		"README.md": "# Start\n\nAbout " + c("start") + ". [Pro](" + c("pro slug") + "/README.md), [](" +
			c("pro slug") + "/README.md), [Beta](beta.md).\n\n" +
			"{% content-ref url=\"" + c("pro slug") + "/README.md\" %}\n[README.md](" + c("pro slug") +
			"/README.md)\n{% endcontent-ref %}\n\n" +
			"{% if visitor.claims.plan == \"pro\" %}\n## Part " + c("pro heading") + "\n\nText " + c("pro block") +
			".\n\n{% file src=\".gitbook/assets/block.txt\" %}\n\n{% if visitor.claims.isBeta %}\nDeep " +
			c("beta and pro") + ".\n{% endif %}\n{% endif %}\n\n" +
			"{% if !visitor.claims.isBeta %}\nNot " + c("no beta") + ".\n{% endif %}\n\n" +
			"{% if visitor.claims.org.isOwner.really %}\nMissing " + c("missing") + ".\n{% endif %}\n\n" +
			"{% if visitor.claims.( %}\nBroken " + c("broken") + ".\n{% endif %}\n\n" +
			"{% include \".gitbook/includes/shared.md\" %}\n\nAnd " + c("plain") + ".\n",
		".gitbook/includes/shared.md": "---\ntitle: Shared\n---\n\n{% if visitor.claims.plan === 'pro' %}\nShared " +
			c("pro reusable") + ".\n\n{% file src=\"../assets/reusable.txt\" %}\n{% endif %}\n",
		"public.md": markdownPage("", "Public "+c("public title"), "Words "+c("public")+"."),
		"hidden.md": markdownPage("hidden: true\n", "Hidden", "Out of the way "+c("hidden")+
			".\n\n{% file src=\".gitbook/assets/shared.txt\" %}"),
		c("pro slug") + "/README.md": markdownPage("if: visitor.claims.plan == \"pro\"\ndescription: Says "+
			c("pro description")+"\n", "For "+c("pro title"),
			"Words "+c("pro")+
				".\n\n![](../.gitbook/assets/pro.svg)\n\n{% file src=\"../.gitbook/assets/shared.txt\" %}"),
		c("pro slug") + "/below.md": markdownPage("cover: ../.gitbook/assets/cover.svg\n",
			"Below "+c("pro child title"), "More "+c("pro child")+"."),
		"beta.md": markdownPage("if: visitor.claims.isBeta === true\n", "Beta "+c("beta title"),
			"Words "+c("beta")+"."),
		"german.md": markdownPage("if: visitor.claims.unsigned.language == \"de\"\n",
			"German "+c("german title"), "Words "+c("german")+"."),
		"typo.md": markdownPage("if: visitor.claims.organisation.isPartner\n", "Typo",
			"Words "+c("typo")+".\n\n{% file src=\".gitbook/assets/typo.txt\" %}"),
		"table.md": markdownPage("", "Table",
			"<table><thead><tr><th>A</th></tr></thead><tbody><tr><td>Cell</td></tr></tbody></table>\n\n{% if "+
				"visitor.claims.plan == \"pro\" %}\n| A | B |\n| - | - |\n| x | "+c("pro cell")+" |\n{% endif %}"),
		".gitbook/assets/pro.svg": "<svg xmlns=\"http://www.w3.org/2000/svg\"><!-- " + c("pro file") +
			" --></svg>",
		".gitbook/assets/block.txt":    c("pro block file"),
		".gitbook/assets/reusable.txt": c("pro reusable file"),
		".gitbook/assets/typo.txt":     c("typo file"),
		".gitbook/assets/shared.txt":   c("shared file"),
		".gitbook/assets/loose.txt":    c("loose file"),
		".gitbook/assets/cover.svg": "<svg xmlns=\"http://www.w3.org/2000/svg\"><!-- " + c("cover file") +
			" --></svg>",
		".gitbook.yaml": "root: ./\nredirects:\n  old-pro: " + c("pro slug") +
			"/README.md\n  old-public: public.md\n",
		"SUMMARY.md": "# Table of contents\n\n* [Start](README.md)\n* [Public](public.md)\n* " +
			"[Hidden](hidden.md)\n* [Pro](" + c("pro slug") + "/README.md)\n  * [Below](" + c("pro slug") +
			"/below.md)\n* [Beta](beta.md)\n* [German](german.md)\n* [Typo](typo.md)\n* [Table](table.md)\n",
	}
	partners = map[string]string{
		"README.md": markdownPage("", "Partners "+c("partners title"), "Words "+c("partners")+"."),
		"deals.md": markdownPage("if: visitor.claims.plan == \"pro\"\n", "Deals",
			"Words "+c("partners pro")+".\n\n{% file src=\".gitbook/assets/deal.txt\" %}"),
		".gitbook/assets/deal.txt": c("partners file"),
		"SUMMARY.md":               "# Table of contents\n\n* [Partners](README.md)\n* [Deals](deals.md)\n",
	}
	next = map[string]string{
		"README.md":  markdownPage("", "Start "+c("next version title"), "Words "+c("next version")+"."),
		"SUMMARY.md": "# Table of contents\n\n* [Start](README.md)\n",
	}
	return guide, partners, next
}

// crawlSite makes the site that is walked, with a visibility.
func crawlSite(s *apptest.Server, visibility string) apptest.Site {
	s.T.Helper()
	guide, partners, next := crawled()
	fill := func(title string, files map[string]string) string {
		space := s.Space(title)
		s.Upload(space, "book.zip", apptest.Zipped(s.T, files))
		return space
	}
	first := fill("Guide "+visibility, guide)
	var site struct {
		ID   string
		URLs struct{ Published string }
	}
	sites := "/v1/orgs/" + s.Organization + "/sites"
	s.Call(http.MethodPost, sites, map[string]any{"title": "Crawled " + visibility, "visibility": visibility,
		"spaces": []string{first}}, http.StatusCreated, &site)
	path := sites + "/" + site.ID
	s.Call(http.MethodPost, path+"/publish", nil, http.StatusOK, &site)
	a := apptest.Site{S: s, Path: path, Home: site.URLs.Published, Space: first}
	// The first section takes in what is there.
	version := fill("Next "+canary("next version space"), next)
	s.Call(http.MethodPost, path+"/sections", map[string]any{"spaceId": version, "title": "Docs"}, http.StatusCreated,
		nil)
	var variants struct {
		Items []struct {
			ID    string
			Space apptest.Identified
		}
	}
	s.Call(http.MethodGet, path+"/site-spaces", nil, http.StatusOK, &variants)
	for _, variant := range variants.Items {
		if variant.Space.ID == version {
			s.Call(http.MethodPatch, path+"/site-spaces/"+variant.ID,
				map[string]any{"condition": "visitor.claims.isBeta", "path": "next"}, http.StatusOK, nil)
		} else {
			s.Call(http.MethodPatch, path, map[string]any{"defaultSiteSpace": variant.ID}, http.StatusOK, nil)
		}
	}
	var one apptest.Identified
	section := fill("Partners", partners)
	s.Call(http.MethodPost, path+"/sections", map[string]any{"spaceId": section,
		"title": "Part " + canary("partners section")}, http.StatusCreated, &one)
	s.Call(http.MethodPatch, path+"/sections/"+one.ID,
		map[string]any{"condition": "visitor.claims.org.isPartner === true", "path": "partners"}, http.StatusOK, nil)
	a.Adapt(crawlSchema)
	a.Files = append(fileAddresses(s, first, ""), fileAddresses(s, section, "partners/")...)
	return a
}

// fileAddresses are where the files of a space are, below the root of a site.
func fileAddresses(s *apptest.Server, space, below string) []string {
	s.T.Helper()
	var files struct {
		Items []struct{ ID, Name string }
	}
	s.Call(http.MethodGet, "/v1/spaces/"+space+"/content/files", nil, http.StatusOK, &files)
	var addresses []string
	for _, file := range files.Items {
		addresses = append(addresses, below+"~/files/"+file.ID+"/"+url.PathEscape(file.Name), below+"~/files/"+file.ID+
			"/x")
	}
	return addresses
}

// crawler is one audience that walks a site and looks at every byte.
type crawler struct {
	*apptest.Visitor
	who       who
	home      string
	allowed   bool // in at all
	forbidden []string
	wanted    map[string]bool // canaries that have to be found somewhere
	queue     []string
	seen      map[string]bool
	status    map[string]int
}

var inMarkdown = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// Expressions that begin with a text take a fifth of the time of one that has all of this in it.
var (
	quoted   = regexp.MustCompile(`="([^"]+)"`)
	absolute = regexp.MustCompile(`https?://[^\s<>"')]+`)
	linking  = regexp.MustCompile(`(?:href|src|action|data-[a-z-]+)$`)
)

// addressesIn are those in attributes that hold addresses, and absolute ones wherever they are.
func addressesIn(body string) []string {
	found := absolute.FindAllString(body, -1)
	for _, at := range quoted.FindAllStringSubmatchIndex(body, -1) {
		before := body[:at[0]]
		if linking.MatchString(before[strings.LastIndexAny(before, " \t\n<>\"'")+1:]) {
			found = append(found, body[at[2]:at[3]])
		}
	}
	return found
}

// ask gets one address, without following redirects, and looks at what comes.
func (c *crawler) ask(address, accept string) (int, string) {
	c.T.Helper()
	request, err := http.NewRequestWithContext(c.T.Context(), http.MethodGet, address, nil)
	if err != nil {
		return 0, ""
	}
	request.Header.Set("Accept", accept)
	client := *c.Client
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	answer, err := client.Do(request)
	if err != nil {
		c.T.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		c.T.Fatal(err)
	}
	all := fmt.Sprint(answer.Status, answer.Header, " ") + string(body)
	// What the asker has said themselves tells them nothing.
	said := strings.ToLower(address)
	for _, name := range c.forbidden {
		if word := canary(name); strings.Contains(all, word) && !strings.Contains(said, word) {
			at := strings.Index(all, word)
			c.T.Errorf("%s sees %q at %s: …%s…", c.who.name, name, address, all[max(0, at-200):min(len(all), at+80)])
		}
	}
	for name := range c.wanted {
		if strings.Contains(string(body), canary(name)) && !strings.Contains(said, canary(name)) {
			delete(c.wanted, name)
		}
	}
	if !c.allowed && answer.StatusCode < 300 {
		c.T.Errorf("%s gets %d at %s", c.who.name, answer.StatusCode, address)
	}
	if location := answer.Header.Get("Location"); location != "" {
		c.found(address, location)
	}
	return answer.StatusCode, string(body)
}

// found queues an address of the site.
func (c *crawler) found(from, to string) {
	base, err := url.Parse(from)
	if err != nil {
		return
	}
	there, err := base.Parse(strings.ReplaceAll(to, "&amp;", "&"))
	if err != nil {
		return
	}
	there.Fragment = ""
	address := there.String()
	if strings.HasPrefix(address, c.home) && !strings.Contains(address, "~/auth/") && !c.seen[address] {
		c.seen[address] = true
		c.queue = append(c.queue, address)
	}
}

func (c *crawler) walk() {
	c.T.Helper()
	for len(c.queue) > 0 {
		address := c.queue[0]
		c.queue = c.queue[1:]
		status, body := c.ask(address, "text/html")
		c.status[address] = status
		for _, found := range addressesIn(body) {
			c.found(address, found)
		}
		for _, link := range inMarkdown.FindAllStringSubmatch(body, -1) {
			c.found(address, link[1])
		}
		if len(c.seen) > 2000 {
			c.T.Fatal("the site has no end")
		}
	}
}

// search asks for the beginnings of a word, as somebody types it, and returns how many pages the last one finds.
func (c *crawler) search(word string, lengths ...int) int {
	c.T.Helper()
	total := 0
	for _, end := range lengths {
		_, body := c.ask(c.home+"~/search?q="+word[:end], "application/json")
		var answer struct {
			Total int
			Items []struct{ URL string }
		}
		if c.allowed {
			if err := json.Unmarshal([]byte(body), &answer); err != nil {
				c.T.Fatalf("search for %s: %v\n%s", word[:end], err, body)
			}
			if answer.Total < len(answer.Items) || answer.Total > len(answer.Items) && len(answer.Items) < 8 {
				c.T.Errorf("%s: a search for %s counts %d pages and shows %d", c.who.name, word[:end], answer.Total,
					len(answer.Items))
			}
		}
		total = answer.Total
		for _, item := range answer.Items {
			c.found(c.home, item.URL)
		}
	}
	return total
}

func newCrawler(t *testing.T, home string, w who, allowed bool) *crawler {
	c := &crawler{Visitor: apptest.NewVisitor(t), who: w, home: home, allowed: allowed, wanted: map[string]bool{},
		seen: map[string]bool{}, status: map[string]int{}}
	for name, may := range forWhom {
		if allowed && may(w) {
			c.wanted[name] = true
		} else {
			c.forbidden = append(c.forbidden, name)
		}
	}
	slices.Sort(c.forbidden)
	return c
}

// guesses are addresses that somebody may try who has heard of them.
func (c *crawler) guesses(site apptest.Site, revision string) []string {
	pro := canary("pro slug")
	all := []string{
		"", "sitemap.xml", "sitemap-1.xml", "sitemap-2.xml", "robots.txt", "feed.xml", "llms.txt", "llms-full.txt",
		"index.md", "README.md", "~/pages", "~/pages?part=1",
		"~/search", "~/search?q=words", "~/search?q=page", "~/hidden", "~/visitor/", "~/visitor", "~/visitor/e30/",
		"~/visitor/eyJwbGFuIjoicHJvIn0/", "~/visitor/e30/~/hidden",
		"~/changes/1/", "~/changes/1/~/search?q=words", "~/changes/1/~/search?q=proposal", "~/changes/1/~/pages",
		site.Proposal.Revision, site.Proposal.Revision + "~/search?q=proposal",
		"~/revisions/" + revision + "/~/search?q=words", "~/revisions/" + revision + "/", "~/revisions/" + revision +
			"/beta", "~/auth/logout", "~/files/", "~/pdf", "~/", "favicon.ico",
	}
	for _, page := range []string{"public", "hidden", "beta", "german", "typo", "table", pro, pro + "/below", "old-pro",
		"old-public", "next", "partners", "partners/deals", "next/README", "typpo", "betaa", "germann"} {
		all = append(all, page, page+"/", page+".md", page+"/README.md", page+".html", strings.ToUpper(page),
			page+"/index.html", "x/"+page, page+"?visitor.plan=pro&visitor.claims.plan=pro")
	}
	for _, below := range []string{"next/", "partners/", "docs/"} {
		for _, list := range []string{"sitemap.xml", "feed.xml", "llms.txt", "llms-full.txt", "robots.txt", "~/pages",
			"~/search?q=words", "deals", "index.md", "~/revisions/" + revision + "/"} {
			all = append(all, below+list)
		}
	}
	return append(all, site.Files...)
}

// TestNobodySeesWhatIsNotForThem walks sites of every visibility as every audience, by every way there is, the public
// one twice: the second time everything is in the caches of the others.
func TestNobodySeesWhatIsNotForThem(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		s.Hurry()
		for _, visibility := range []string{"public", "unlisted", "share-link", "visitor-auth"} {
			t.Run(visibility, func(t *testing.T) {
				outer := s.T
				s.T = t
				defer func() { s.T = outer }()
				crawl(s, visibility)
			})
		}
	})
}

// proposeUnseen makes a change request on the site that is walked, and has members look for its words: as somebody of
// whom nothing is known and as everything at once, so that what they find is in all caches.
func proposeUnseen(a *apptest.Site, key string) {
	t := a.S.T
	t.Helper()
	c := canary
	a.Proposal = a.Propose(`{"operation":"insert_page","title":"Proposal ` + c("proposed title") +
		`","document":{"markdown":"Proposal words ` + c("proposed") +
		`.\n\n{% if visitor.claims.plan == \"pro\" %}\nProposal words ` + c("proposed pro") + `.\n{% endif %}\n"}},` +
		`{"operation":"insert_page","title":"Proposal too","condition":"visitor.claims.isBeta","document":{"markdown":"Proposal words ` + c("proposed beta") + `.\n"}}`)
	all := apptest.NewVisitor(t)
	all.Open(a.Home + "?jwt_token=" + apptest.SignClaims(t, key, map[string]any{"plan": "pro", "isBeta": true}))
	for name, member := range map[string]*apptest.Visitor{"nobody": apptest.NewVisitor(t), "all": all} {
		member.Open(a.Proposal.Preview)
		for _, below := range []string{a.Proposal.Below, a.Proposal.Revision} {
			for _, word := range []string{"proposed", "proposed title", "proposed pro", "proposed beta"} {
				want := name == "all" || word == "proposed" || word == "proposed title"
				if found := member.Search(a.Home+below, c(word)); found.Status != http.StatusOK ||
					(found.Total == 1) != want {
					t.Errorf("%s in %s finds %d times %q: %s", name, below, found.Total, word, found.Text)
				}
			}
		}
	}
}

func crawl(s *apptest.Server, visibility string) {
	t := s.T
	site := crawlSite(s, visibility)
	key := site.Key()
	_, link := site.Link("Readers")
	closedID, closed := site.Link("Closed")
	s.Call(http.MethodPatch, site.Path+"/share-links/"+closedID, `{"active":false}`, http.StatusOK, nil)
	var space struct{ Revision string }
	s.Call(http.MethodGet, "/v1/spaces/"+site.Space, nil, http.StatusOK, &space)
	proposeUnseen(&site, key)

	run := func(w who, enter string, allowed bool, lengths ...int) {
		t.Helper()
		c := newCrawler(t, site.Home, w, allowed)
		c.Client.Transport = s.Transport
		if enter != "" {
			c.ask(enter, "text/html")
		}
		query := url.Values{}
		if w.signed != nil {
			query.Set("jwt_token", apptest.SignClaims(t, key, w.signed))
		}
		if len(query) > 0 {
			c.ask(site.Home+"?"+query.Encode(), "text/html")
		}
		said := url.Values{}
		for name, value := range w.unsigned {
			said.Set("visitor."+name, value)
		}
		if len(said) > 0 {
			c.ask(site.Home+"?"+said.Encode(), "text/html")
		}
		for _, guess := range c.guesses(site, space.Revision) {
			c.found(site.Home, site.Home+guess)
		}
		c.walk()
		for name := range forWhom {
			total := c.search(canary(name), lengths...)
			if slices.Contains(c.forbidden, name) && total != 0 {
				t.Errorf("%s: %d pages are found for %q", w.name, total, name)
			}
		}
		c.walk()
		for name := range c.wanted {
			if !strings.HasSuffix(name, " section") && !strings.HasSuffix(name, " space") {
				t.Errorf("%s on a %s site has not found %q", w.name, visibility, name)
			}
		}
	}
	public := visibility == "public" || visibility == "unlisted"
	walkers, typed, rounds := audiences, []int{3, 12}, 2
	// The conditions are the same everywhere, and what shows is decided outside of the database: elsewhere those who
	// differ most are enough, and on PostgreSQL somebody of whom something is known and somebody of whom nothing is.
	few := []string{"nobody", "pro", "liar", "all"}
	if s.OnPostgres() {
		few = few[:2]
	}
	if visibility != "public" || s.OnPostgres() {
		rounds = 1
		walkers = slices.DeleteFunc(slices.Clone(audiences), func(w who) bool { return !slices.Contains(few, w.name) })
	}
	for range rounds {
		for _, w := range walkers {
			enter := ""
			if visibility == "share-link" {
				enter = link
			}
			if visibility == "visitor-auth" && w.signed == nil {
				w.signed = map[string]any{}
			}
			run(w, enter, true, typed...)
		}
		typed = []int{12}
		run(who{name: "stranger"}, "", public, 12)
	}
	run(who{name: "with a closed link"}, closed, public, 12)
	run(who{name: "with an expired token"}, site.Home+"?jwt_token="+apptest.SignClaims(t, key,
		map[string]any{"exp": time.Now().Add(-time.Minute).Unix(), "plan": "pro"}), public, 12)
	run(who{name: "with a token of their own"}, site.Home+"?jwt_token="+apptest.SignClaims(t, "x",
		map[string]any{"plan": "pro", "isBeta": true}), public, 12)
	// What everybody may see of an unlisted site, search engines may not keep.
	robots := s.Raw(http.MethodGet, site.Home, "", nil).Header.Get("X-Robots-Tag")
	if visibility == "unlisted" && robots != "noindex" || visibility == "public" && robots != "" {
		t.Errorf("a %s site says %q to robots", visibility, robots)
	}
}
