package pub

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/publish/site"
)

// What readers of lists understand of them.
type (
	readFeed struct {
		XMLName xml.Name `xml:"http://www.w3.org/2005/Atom feed"`
		ID      string   `xml:"id"`
		Title   string   `xml:"title"`
		Updated string   `xml:"updated"`
		Author  struct {
			Name string `xml:"name"`
		} `xml:"author"`
		Entries []struct {
			ID      string `xml:"id"`
			Title   string `xml:"title"`
			Updated string `xml:"updated"`
			Links   []struct {
				Href string `xml:"href,attr"`
			} `xml:"link"`
		} `xml:"entry"`
	}
	readSitemap struct {
		XMLName xml.Name `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
		URLs    []struct {
			Address string `xml:"loc"`
		} `xml:"url"`
	}
	readAnswer struct {
		Total int
		Items []struct {
			Title    []string
			URL      string
			Crumb    string
			Sections []struct {
				Title []string
				URL   string
				Text  []string
			}
		}
	}
)

func TestFeed(t *testing.T) {
	f := handbook(t)
	w := f.get("feed.xml")
	if got := w.Header().Get("Content-Type"); got != "application/atom+xml; charset=utf-8" {
		t.Errorf("Content-Type is %q", got)
	}
	var feed readFeed
	if err := xml.Unmarshal(w.Body.Bytes(), &feed); err != nil {
		t.Fatal(err)
	}
	if feed.Title != "Handbook" || feed.ID != testBase+f.home() || feed.Updated == "" || feed.Author.Name == "" {
		t.Errorf("the feed is %+v", feed)
	}
	if len(feed.Entries) != 7 {
		t.Fatalf("the feed has %d entries", len(feed.Entries))
	}
	ids := map[string]bool{}
	for i, entry := range feed.Entries {
		ids[entry.ID] = true
		if len(entry.Links) != 1 || !strings.HasPrefix(entry.Links[0].Href, testBase+f.home()) || entry.Title == "" ||
			entry.Updated == "" {
			t.Errorf("entry %+v", entry)
		}
		if i > 0 && entry.Updated > feed.Entries[i-1].Updated {
			t.Errorf("%s comes after %s", entry.Updated, feed.Entries[i-1].Updated)
		}
	}
	if len(ids) != 7 {
		t.Errorf("entries share ids: %v", ids)
	}
}

func TestSitemap(t *testing.T) {
	f := handbook(t)
	var got readSitemap
	if err := xml.Unmarshal(f.get("sitemap.xml").Body.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	var addresses []string
	for _, entry := range got.URLs {
		addresses = append(addresses, strings.TrimPrefix(entry.Address, testBase+f.home()))
		if w := ask(f.server, http.MethodGet, strings.TrimPrefix(entry.Address, testBase)); w.Code != http.StatusOK {
			t.Errorf("%s of the sitemap: status %d", entry.Address, w.Code)
		}
	}
	want := []string{"", "guides/install", "guides/configure", "guides/configure/advanced", "reference",
		"reference/api", "reference/errors"}
	if diff := cmp.Diff(slices.Sorted(slices.Values(want)), slices.Sorted(slices.Values(addresses))); diff != "" {
		t.Errorf("addresses (-want +got):\n%s", diff)
	}
	if robots := f.get("robots.txt").Body.String(); !strings.Contains(robots, "Sitemap: "+testBase+f.home()+
		"sitemap.xml") {
		t.Errorf("robots.txt does not say where the sitemap is: %s", robots)
	}
}

func TestMarkdownOfAPage(t *testing.T) {
	f := handbook(t)
	picture := f.file("sunrise.png", []byte("x"))
	f.put(
		with(document("guides/deep", "Deep", "See [install](install.md), [ports](configure.md#ports), [start](/pages/"+
			f.page("welcome")+"), ![sun](/files/"+picture.ID+
			") and [elsewhere](https://example.org/).\n\n* one\n* two\n"), func(e *entity.Entry) {
			e.Description = "How deep: very"
		}),
	)
	w := f.get("guides/deep.md")
	if w.Code != http.StatusOK || w.Header().Get("Content-Type") != "text/markdown; charset=utf-8" {
		t.Fatalf("status %d, %s", w.Code, w.Header().Get("Content-Type"))
	}
	body := w.Body.String()
	for _, want := range []string{
		"description:", "How deep: very", "# Deep\n", "[install](install.md)", "[ports](configure.md#ports)",
		"[start](../welcome.md)", "../~/files/" + picture.ID + "/sunrise.png", "https://example.org/", "* one\n* two",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("the page's Markdown lacks %q:\n%s", want, body)
		}
	}
	if got := w.Header().Get("Link"); got != "<"+testBase+f.home()+`guides/deep>; rel="canonical"` {
		t.Errorf("Link is %q", got)
	}
	for _, at := range []string{"welcome.md", "index.md", "README.md"} {
		if body := f.get(at).Body.String(); !strings.Contains(body, "# Welcome") {
			t.Errorf("%s is not the landing page: %s", at, body)
		}
	}
	if w := f.get("guides.md"); w.Code != http.StatusNotFound {
		t.Errorf("the Markdown of a group: status %d", w.Code)
	}
}

// TestMarkdownCallsMentions holds that mentions are called what the reader may know, whatever their author was told.
func TestMarkdownCallsMentions(t *testing.T) {
	f := handbook(t)
	f.put(with(document("secret", "Now", "Text.\n"), func(e *entity.Entry) {
		e.Condition = "visitor.claims.unsigned.member === true"
	}))
	f.put(document("mentions", "Mentions", "A [Private Person](/users/"+id.New("user")+" \"mention\") and a [Secret]("+
		"/pages/"+f.page("secret")+" \"mention\").\n\nThe [Former](/pages/"+f.page("welcome")+" \"mention\").\n"))
	body := f.get("mentions.md").Body.String()
	want := "A [Not available](# \"mention\") and a [Not available](# \"mention\").\n\n" +
		"The [Welcome](welcome.md \"mention\").\n"
	if !strings.HasSuffix(body, want) {
		t.Errorf("%q, want at its end %q", body, want)
	}
	page := f.html("mentions").Find(".prose").Text()
	if strings.Contains(page, "Private") || strings.Contains(page, "Secret") {
		t.Errorf("the page says %q", page)
	}
}

func TestListsForAgents(t *testing.T) {
	f := handbook(t)
	index := f.get("llms.txt").Body.String()
	home := testBase + f.home()
	want := "# Handbook\n\n> What a team needs to know.\n\n## Pages\n\n- [Welcome](" + home +
		"welcome.md): What a team needs to know.\n\n## Guides & more\n\n- [Install recto](" + home +
		"guides/install.md)\n"
	if !strings.HasPrefix(index, want) {
		t.Errorf("llms.txt begins otherwise (-want +got):\n%s", cmp.Diff(want, index[:min(len(index), len(want))]))
	}
	full := f.get("llms-full.txt").Body.String()
	for _, want := range []string{"# Install recto\n", "Source: " + home + "guides/install\n", "All operations",
		"## Ports"} {
		if want != "All operations" && !strings.Contains(full, want) {
			t.Errorf("llms-full.txt lacks %q", want)
		}
	}
	if _, err := f.sites.Update(t.Context(), f.caller, f.org.ID, f.site.ID,
		site.Change{AgentsContext: optional.Of(site.AgentsExcluded)}); err != nil {
		t.Fatal(err)
	}
	for _, at := range []string{"llms.txt", "llms-full.txt"} {
		if w := f.get(at); w.Code != http.StatusNotFound {
			t.Errorf("%s of a site that agents are kept out of: status %d", at, w.Code)
		}
	}
}

func TestSearch(t *testing.T) {
	f := handbook(t)
	f.put(with(document("concealed", "Concealed", "Ports of the concealed kind.\n"), func(e *entity.Entry) {
		e.Hidden = true
	}),
		with(document("claims", "Claims", "Ports for members.\n"), func(e *entity.Entry) {
			e.Condition = "visitor.claims.unsigned.member"
		}))
	w := f.get("~/search?q=ports")
	if got := w.Header().Get("Content-Type"); got != "application/json; charset=utf-8" {
		t.Errorf("Content-Type is %q", got)
	}
	var answer readAnswer
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
		t.Fatal(err)
	}
	if len(answer.Items) == 0 || answer.Items[0].URL != f.home()+"guides/configure" {
		t.Fatalf("search finds %+v", answer)
	}
	hit := answer.Items[0]
	if hit.Crumb != "Guides & more" || len(hit.Sections) == 0 || hit.Sections[0].URL != f.home()+
		"guides/configure#ports" {
		t.Errorf("the hit is %+v", hit)
	}
	if diff := cmp.Diff([]string{"", "Ports", ""}, hit.Sections[0].Title); diff != "" {
		t.Errorf("the section's title (-want +got):\n%s", diff)
	}
	for _, item := range answer.Items {
		if strings.Contains(item.URL, "concealed") || strings.Contains(item.URL, "claims") {
			t.Errorf("search finds %s, which is not to be found", item.URL)
		}
	}
	for _, query := range []string{"", "q=", "q=%ff%fe", "q=" + strings.Repeat("x", 5000), "q=%00", "q=%22%27%5C*%3A(",
		"q=a&q=b"} {
		if w := f.get("~/search?" + query); w.Code != http.StatusOK || !json.Valid(w.Body.Bytes()) {
			t.Errorf("search with %.20q: status %d", query, w.Code)
		}
	}
	page := parse(t, f.get("~/search?q=ports", "Accept", "text/html,*/*;q=0.8"))
	if got := page.Find(".listing a").First().AttrOr("href", ""); got != f.home()+"guides/configure" {
		t.Errorf("the page of results leads to %q", got)
	}
	if got := page.Find(".search-form input").AttrOr("value", ""); got != "ports" {
		t.Errorf("the field has %q", got)
	}
	if got := page.Find(".hit-sections mark").First().Text(); got != "Ports" {
		t.Errorf("the highlighted word is %q", got)
	}
}

// wide makes a space of many pages: so many sections with so many pages each.
func wide(t testing.TB, sections, pages int) *fixture {
	f := sqliteFixture(t)
	var puts []store.Put
	positions := entity.Positions(max(sections, pages))
	for i := range sections {
		section := &entity.Entry{ID: id.New("page"), Kind: entity.KindPage, Type: entity.PageDocument,
			Slug: fmt.Sprintf("section-%d", i), Title: fmt.Sprintf("Section %d", i), Position: positions[i]}
		puts = append(puts, store.Put{Entry: section, Body: []byte("Text.\n")})
		for j := range pages {
			puts = append(puts, store.Put{Entry: &entity.Entry{
				ID: id.New("page"), Kind: entity.KindPage, Type: entity.PageDocument, Parent: section.ID,
				Slug: fmt.Sprintf("page-%d", j), Title: fmt.Sprintf("Page %d of %d", j, i), Position: positions[j],
			}, Body: []byte("Text.\n")})
		}
	}
	f.commit(store.CommitRequest{Space: f.space.ID, Put: puts})
	return f
}

func TestNavigationOfALargeSpaceIsBounded(t *testing.T) {
	f := wide(t, 8, 400)
	page := f.html("section-3/page-200")
	links := page.Find("#navigation .tree-link").Length()
	if links > 8+120 {
		t.Errorf("the navigation has %d links", links)
	}
	if diff := cmp.Diff([]string{"Page 200 of 3"}, texts(page, `#navigation [aria-current="page"]`)); diff != "" {
		t.Errorf("current page (-want +got):\n%s", diff)
	}
	if page.Find(".tree-toggle").Length() != 0 {
		t.Error("there are buttons for branches that are not in the page")
	}
	if diff := cmp.Diff([]string{"140 more before", "140 more after"}, texts(page, ".tree-rest")); diff != "" {
		t.Errorf("what is left out (-want +got):\n%s", diff)
	}
	if size := f.get("section-3/page-200").Body.Len(); size > 60<<10 {
		t.Errorf("the page has %d bytes", size)
	}
	for part, want := range map[string]int{"~/pages": 1000, "~/pages?part=2": 1000, "~/pages?part=4": 8*401 - 3000} {
		if got := f.html(part).Find(".page-index a").Length(); got != want {
			t.Errorf("%s lists %d pages, want %d", part, got, want)
		}
	}
	if w := f.get("~/pages?part=5"); w.Code != http.StatusNotFound {
		t.Errorf("a part that is not there: status %d", w.Code)
	}
	previous, next := attribute(page, ".pager-previous", "href"), attribute(page, ".pager-next", "href")
	if previous != f.home()+"section-3/page-199" || next != f.home()+"section-3/page-201" {
		t.Errorf("neighbours are %q and %q", previous, next)
	}
}
