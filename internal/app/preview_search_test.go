package app_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/people/org"
)

// proposal is a change request on the space of a site: preview is the address that opens its preview, with a ticket;
// below and revision are where it is below the site's home.
type proposal struct{ preview, below, revision string }

// propose makes a change request of changes of updateContent.
func (a audienceSite) propose(changes string) proposal {
	a.s.t.Helper()
	path := "/v1/spaces/" + a.space + "/change-requests"
	a.s.call(http.MethodPost, path, `{"subject":"More"}`, http.StatusCreated, nil)
	a.s.call(http.MethodPost, path+"/1/content", `{"changes":[`+changes+`]}`, http.StatusOK, nil)
	var change struct {
		Revision string
		URLs     struct{ Preview string }
	}
	a.s.call(http.MethodGet, path+"/1", nil, http.StatusOK, &change)
	return proposal{preview: change.URLs.Preview, below: "~/changes/1/", revision: "~/revisions/" + change.Revision +
		"/"}
}

// foundPages are the pages that a search finds, by their addresses, and the whole answer as text.
type foundPages struct {
	status    int
	total     int
	addresses []string
	text      string
	header    http.Header
}

// search searches below an address of a site as the dialog does: it asks again while pages are still being read.
func (v *visitor) search(below, text string) foundPages {
	v.t.Helper()
	for range 100 {
		status, body, answer := v.open(below + "~/search?q=" + url.QueryEscape(text))
		found := foundPages{status: status, text: body, header: answer.Header}
		var said struct {
			Total      int
			Incomplete bool
			Note       string
			Items      []struct{ URL string }
		}
		if status == http.StatusOK {
			if err := json.Unmarshal([]byte(body), &said); err != nil {
				v.t.Fatalf("search for %q: %v\n%s", text, err, body)
			}
			if said.Incomplete != (said.Note != "") {
				v.t.Errorf("incomplete is %t and the note %q", said.Incomplete, said.Note)
			}
		}
		found.total = said.Total
		for _, item := range said.Items {
			found.addresses = append(found.addresses, item.URL)
		}
		if !said.Incomplete {
			return found
		}
		time.Sleep(100 * time.Millisecond)
	}
	v.t.Fatalf("the search for %q never ends", text)
	return foundPages{}
}

func (f foundPages) expect(t *testing.T, what string, addresses ...string) {
	t.Helper()
	slices.Sort(f.addresses)
	slices.Sort(addresses)
	if f.status != http.StatusOK || f.total != len(addresses) || !slices.Equal(f.addresses, addresses) {
		t.Errorf("%s: %d, %d found at %q, want %q", what, f.status, f.total, f.addresses, addresses)
	}
}

func TestSearchInAPreview(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		site := s.audienceSite("Guide", "public",
			`{"operation":"insert_page","title":"Start","document":{"markdown":"Apples for all.\n"}},{"operation":"insert_page","title":"Old","document":{"markdown":"Pears of the live pages.\n"}}`)
		// Another space of the site, which is searched as it is live.
		other := s.space("Reference")
		s.call(http.MethodPost, "/v1/spaces/"+other+"/content",
			`{"changes":[{"operation":"insert_page","title":"Words","document":{"markdown":"Apples and quinces.\n"}}]}`,
			http.StatusOK, nil)
		s.call(http.MethodPost, site.path+"/site-spaces", map[string]any{"spaceId": other}, http.StatusCreated, nil)
		var tree struct{ Pages []struct{ ID, Title string } }
		s.call(http.MethodGet, "/v1/spaces/"+site.space+"/content/pages", nil, http.StatusOK, &tree)
		change := site.propose(`{"operation":"delete_page","page":"` + tree.Pages[1].ID + `"},` +
			`{"operation":"insert_page","title":"New","document":{"markdown":"Quinces of the change.\n\n## Proposed part\n\nConfiguration and 所有権.\n"}},` +
			`{"operation":"insert_page","title":"Paid","condition":"visitor.claims.plan === \"pro\"","document":{"markdown":"Medlars for buyers.\n"}},` +
			`{"operation":"insert_page","title":"Mixed","document":{"markdown":"{% if visitor.claims.plan === \"pro\" %}\nMulberries for buyers.\n{% endif %}\n\nFigs for all.\n"}}`)
		home := strings.TrimPrefix(site.home, s.base)

		stranger := newVisitor(t)
		live := func(when string) {
			t.Helper()
			stranger.search(site.home, "pears").expect(t, when+", live: pears", home+"old")
			for _, word := range []string{"figs", "medlars", "configuration", "所有権", "proposed"} {
				stranger.search(site.home, word).expect(t, when+", live: "+word)
			}
			stranger.search(site.home, "quinces").expect(t, when+", live: quinces", home+"reference/")
			for _, below := range []string{change.below, change.revision} {
				if got := stranger.search(site.home+below, "figs"); got.status != http.StatusNotFound ||
					strings.Contains(got.text, "Figs") {
					t.Errorf("%s, a stranger in %s: %d\n%s", when, below, got.status, got.text)
				}
			}
		}
		live("before")
		reader := newVisitor(t)
		if status, body, _ := reader.open(change.preview); status != http.StatusOK || !strings.Contains(body,
			home+change.below+"~/search") {
			t.Fatalf("the preview: %d; it has to search in itself\n%s", status, body)
		}
		for _, below := range []string{change.below, change.revision} {
			for word, want := range map[string][]string{
				"pears": nil, "old": nil, "figs": {home + below + "mixed"}, "configuratoin": {home + below + "new"},
				"所有権":    {home + below + "new"},
				"apples": {home + below, home + "reference/"}, "quinces": {home + below + "new", home + "reference/"},
				"medlars": nil, "mulberries": nil,
			} {
				reader.search(site.home+below, word).expect(t, below+" "+word, want...)
			}
		}
		found := reader.search(site.home+change.below, "proposed part")
		if !strings.Contains(found.text, home+change.below+"new#proposed-part") ||
			found.header.Get("Cache-Control") != "private, no-cache" || found.header.Get("X-Robots-Tag") != "noindex" {
			t.Errorf("the answer is %v\n%s", found.header, found.text)
		}
		// Without a script the results are a page.
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet,
			site.home+change.below+"~/search?q=figs", nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Accept", "text/html")
		page, err := reader.client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		page.Body.Close()
		if page.StatusCode != http.StatusOK || !strings.HasPrefix(page.Header.Get("Content-Type"), "text/html") ||
			page.Header.Get("Cache-Control") != "private, no-cache" {
			t.Errorf("the page of results: %d %v", page.StatusCode, page.Header)
		}
		live("after")

		// Conditions hold in it as they do in its pages.
		site.adapt(
			`{"type":"object","properties":{"plan":{"type":"string","enum":["free","pro"],"description":""}},"additionalProperties":false}`)
		claims := func(v *visitor, plan string) *visitor {
			v.open(site.home + "?jwt_token=" + sign(t, site.key(), map[string]any{"plan": plan}))
			return v
		}
		buyer := newVisitor(t)
		buyer.open(change.preview)
		claims(buyer, "pro")
		free := newVisitor(t)
		free.open(change.preview)
		claims(free, "free")
		for range 2 { // the second time from the caches of the others
			buyer.search(site.home+change.below, "medlars").expect(t, "a buyer: medlars", home+change.below+"paid")
			buyer.search(site.home+change.below, "mulberries").expect(t, "a buyer: mulberries",
				home+change.below+"mixed")
			for _, v := range []*visitor{free, reader} {
				v.search(site.home+change.below, "medlars").expect(t, "who has not paid: medlars")
				v.search(site.home+change.below, "mulberries").expect(t, "who has not paid: mulberries")
				v.search(site.home+change.below, "figs").expect(t, "who has not paid: figs", home+change.below+"mixed")
			}
			claims(newVisitor(t), "pro").search(site.home, "mulberries").expect(t, "a buyer, live")
		}

		// Access is asked for each time.
		theirs := newVisitor(t)
		var shown struct{ URLs struct{ Preview string } }
		s.callAs(s.member(org.Role("read"), "grace@example.org"), http.MethodGet, "/v1/spaces/"+site.space+
			"/change-requests/1", nil, http.StatusOK, &shown)
		theirs.open(shown.URLs.Preview)
		theirs.search(site.home+change.below, "figs").expect(t, "a member", home+change.below+"mixed")
		s.call(http.MethodPatch, "/v1/spaces/"+site.space, `{"defaultLevel":null}`, http.StatusOK, nil)
		if got := theirs.search(site.home+change.below, "figs"); got.status != http.StatusNotFound ||
			strings.Contains(got.text, "Figs") {
			t.Errorf("a member who lost access: %d\n%s", got.status, got.text)
		}
	})
}

// TestSearchInAPreviewOfAClosedSite holds that who may see a preview alone finds nothing in the rest of the site.
func TestSearchInAPreviewOfAClosedSite(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		site := s.audienceSite("Guide", "share-link",
			`{"operation":"insert_page","title":"Start","document":{"markdown":"Apples.\n"}}`)
		other := s.space("Other")
		s.call(http.MethodPost, "/v1/spaces/"+other+"/content",
			`{"changes":[{"operation":"insert_page","title":"Words","document":{"markdown":"Apples and pears.\n"}}]}`,
			http.StatusOK, nil)
		s.call(http.MethodPost, site.path+"/site-spaces", map[string]any{"spaceId": other}, http.StatusCreated, nil)
		change := site.propose(
			`{"operation":"insert_page","title":"New","document":{"markdown":"Apples and quinces.\n"}}`)
		home := strings.TrimPrefix(site.home, s.base)
		member := newVisitor(t)
		member.open(change.preview)
		member.search(site.home+change.below, "apples").expect(t, "without a link: apples", home+change.below,
			home+change.below+"new")
		member.search(site.home+change.below, "pears").expect(t, "without a link: pears")
		if got := member.search(site.home, "apples"); got.status != http.StatusNotFound {
			t.Errorf("the live site without a link: %d", got.status)
		}
		_, link := site.link("Readers")
		member.open(link)
		member.search(site.home+change.below, "pears").expect(t, "with a link: pears", home+"other/")
		reader := newVisitor(t)
		reader.open(link)
		if got := reader.search(site.home+change.below, "quinces"); got.status != http.StatusNotFound ||
			strings.Contains(got.text, "quinces") {
			t.Errorf("a reader with a link: %d\n%s", got.status, got.text)
		}
		reader.search(site.home, "quinces").expect(t, "a reader with a link")
	})
}
