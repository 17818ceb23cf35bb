package pub_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/people/org"
)

func expect(f apptest.FoundPages, t *testing.T, what string, addresses ...string) {
	t.Helper()
	slices.Sort(f.Addresses)
	slices.Sort(addresses)
	if f.Status != http.StatusOK || f.Total != len(addresses) || !slices.Equal(f.Addresses, addresses) {
		t.Errorf("%s: %d, %d found at %q, want %q", what, f.Status, f.Total, f.Addresses, addresses)
	}
}

func TestSearchInAPreview(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		site := s.NewSite("Guide", "public",
			`{"operation":"insert_page","title":"Start","document":{"markdown":"Apples for all.\n"}},{"operation":"insert_page","title":"Old","document":{"markdown":"Pears of the live pages.\n"}}`)
		// Another space of the site, which is searched as it is live.
		other := s.Space("Reference")
		s.Call(http.MethodPost, "/v1/spaces/"+other+"/content",
			`{"changes":[{"operation":"insert_page","title":"Words","document":{"markdown":"Apples and quinces.\n"}}]}`,
			http.StatusOK, nil)
		s.Call(http.MethodPost, site.Path+"/site-spaces", map[string]any{"spaceId": other}, http.StatusCreated, nil)
		var tree struct{ Pages []struct{ ID, Title string } }
		s.Call(http.MethodGet, "/v1/spaces/"+site.Space+"/content/pages", nil, http.StatusOK, &tree)
		change := site.Propose(`{"operation":"delete_page","page":"` + tree.Pages[1].ID + `"},` +
			`{"operation":"insert_page","title":"New","document":{"markdown":"Quinces of the change.\n\n## Proposed part\n\nConfiguration and 所有権.\n"}},` +
			`{"operation":"insert_page","title":"Paid","condition":"visitor.claims.plan === \"pro\"","document":{"markdown":"Medlars for buyers.\n"}},` +
			`{"operation":"insert_page","title":"Mixed","document":{"markdown":"{% if visitor.claims.plan === \"pro\" %}\nMulberries for buyers.\n{% endif %}\n\nFigs for all.\n"}}`)
		home := strings.TrimPrefix(site.Home, s.Base)

		stranger := apptest.NewVisitor(t)
		live := func(when string) {
			t.Helper()
			expect(stranger.Search(site.Home, "pears"), t, when+", live: pears", home+"old")
			for _, word := range []string{"figs", "medlars", "configuration", "所有権", "proposed"} {
				expect(stranger.Search(site.Home, word), t, when+", live: "+word)
			}
			expect(stranger.Search(site.Home, "quinces"), t, when+", live: quinces", home+"reference/")
			for _, below := range []string{change.Below, change.Revision} {
				if got := stranger.Search(site.Home+below, "figs"); got.Status != http.StatusNotFound ||
					strings.Contains(got.Text, "Figs") {
					t.Errorf("%s, a stranger in %s: %d\n%s", when, below, got.Status, got.Text)
				}
			}
		}
		live("before")
		reader := apptest.NewVisitor(t)
		if status, body, _ := reader.Open(change.Preview); status != http.StatusOK || !strings.Contains(body,
			home+change.Below+"~/search") {
			t.Fatalf("the preview: %d; it has to search in itself\n%s", status, body)
		}
		for _, below := range []string{change.Below, change.Revision} {
			for word, want := range map[string][]string{
				"pears": nil, "old": nil, "figs": {home + below + "mixed"}, "configuratoin": {home + below + "new"},
				"所有権":    {home + below + "new"},
				"apples": {home + below, home + "reference/"}, "quinces": {home + below + "new", home + "reference/"},
				"medlars": nil, "mulberries": nil,
			} {
				expect(reader.Search(site.Home+below, word), t, below+" "+word, want...)
			}
		}
		found := reader.Search(site.Home+change.Below, "proposed part")
		if !strings.Contains(found.Text, home+change.Below+"new#proposed-part") ||
			found.Header.Get("Cache-Control") != "private, no-cache" || found.Header.Get("X-Robots-Tag") != "noindex" {
			t.Errorf("the answer is %v\n%s", found.Header, found.Text)
		}
		// Without a script the results are a page.
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet,
			site.Home+change.Below+"~/search?q=figs", nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Accept", "text/html")
		page, err := reader.Client.Do(request)
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
		site.Adapt(
			`{"type":"object","properties":{"plan":{"type":"string","enum":["free","pro"],"description":""}},"additionalProperties":false}`)
		claims := func(v *apptest.Visitor, plan string) *apptest.Visitor {
			v.Open(site.Home + "?jwt_token=" + apptest.SignClaims(t, site.Key(), map[string]any{"plan": plan}))
			return v
		}
		buyer := apptest.NewVisitor(t)
		buyer.Open(change.Preview)
		claims(buyer, "pro")
		free := apptest.NewVisitor(t)
		free.Open(change.Preview)
		claims(free, "free")
		for range 2 { // the second time from the caches of the others
			expect(buyer.Search(site.Home+change.Below, "medlars"), t, "a buyer: medlars", home+change.Below+"paid")
			expect(buyer.Search(site.Home+change.Below, "mulberries"), t, "a buyer: mulberries",
				home+change.Below+"mixed")
			for _, v := range []*apptest.Visitor{free, reader} {
				expect(v.Search(site.Home+change.Below, "medlars"), t, "who has not paid: medlars")
				expect(v.Search(site.Home+change.Below, "mulberries"), t, "who has not paid: mulberries")
				expect(v.Search(site.Home+change.Below, "figs"), t, "who has not paid: figs", home+change.Below+"mixed")
			}
			expect(claims(apptest.NewVisitor(t), "pro").Search(site.Home, "mulberries"), t, "a buyer, live")
		}

		// Access is asked for each time.
		theirs := apptest.NewVisitor(t)
		var shown struct{ URLs struct{ Preview string } }
		s.CallAs(s.Member(org.Role("read"), "grace@example.org"), http.MethodGet, "/v1/spaces/"+site.Space+
			"/change-requests/1", nil, http.StatusOK, &shown)
		theirs.Open(shown.URLs.Preview)
		expect(theirs.Search(site.Home+change.Below, "figs"), t, "a member", home+change.Below+"mixed")
		s.Call(http.MethodPatch, "/v1/spaces/"+site.Space, `{"defaultLevel":null}`, http.StatusOK, nil)
		if got := theirs.Search(site.Home+change.Below, "figs"); got.Status != http.StatusNotFound ||
			strings.Contains(got.Text, "Figs") {
			t.Errorf("a member who lost access: %d\n%s", got.Status, got.Text)
		}
	})
}

// TestSearchInAPreviewOfAClosedSite holds that who may see a preview alone finds nothing in the rest of the site.
func TestSearchInAPreviewOfAClosedSite(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		site := s.NewSite("Guide", "share-link",
			`{"operation":"insert_page","title":"Start","document":{"markdown":"Apples.\n"}}`)
		other := s.Space("Other")
		s.Call(http.MethodPost, "/v1/spaces/"+other+"/content",
			`{"changes":[{"operation":"insert_page","title":"Words","document":{"markdown":"Apples and pears.\n"}}]}`,
			http.StatusOK, nil)
		s.Call(http.MethodPost, site.Path+"/site-spaces", map[string]any{"spaceId": other}, http.StatusCreated, nil)
		change := site.Propose(
			`{"operation":"insert_page","title":"New","document":{"markdown":"Apples and quinces.\n"}}`)
		home := strings.TrimPrefix(site.Home, s.Base)
		member := apptest.NewVisitor(t)
		member.Open(change.Preview)
		expect(member.Search(site.Home+change.Below, "apples"), t, "without a link: apples", home+change.Below,
			home+change.Below+"new")
		expect(member.Search(site.Home+change.Below, "pears"), t, "without a link: pears")
		if got := member.Search(site.Home, "apples"); got.Status != http.StatusNotFound {
			t.Errorf("the live site without a link: %d", got.Status)
		}
		_, link := site.Link("Readers")
		member.Open(link)
		expect(member.Search(site.Home+change.Below, "pears"), t, "with a link: pears", home+"other/")
		reader := apptest.NewVisitor(t)
		reader.Open(link)
		if got := reader.Search(site.Home+change.Below, "quinces"); got.Status != http.StatusNotFound ||
			strings.Contains(got.Text, "quinces") {
			t.Errorf("a reader with a link: %d\n%s", got.Status, got.Text)
		}
		expect(reader.Search(site.Home, "quinces"), t, "a reader with a link")
	})
}
