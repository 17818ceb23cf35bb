package app_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
)

// reader is a program that shows a site elsewhere, for one audience, and looks at every byte that it gets.
type reader struct {
	*apptest.Server
	who       who
	token     string
	forbidden []string
	wanted    map[string]bool
	files     []string // addresses of files that it was given
	asked     int
}

// lookUp finds an address for the audience, and takes the token of the answer.
func (r *reader) lookUp(address string, visitor map[string]any) (found struct {
	APIToken, Organization, Site, Space, Redirect string
}) {
	r.T.Helper()
	got := r.Raw(http.MethodPost, "/v1/urls/published", "", map[string]any{"url": address, "visitor": visitor})
	if got.Status != http.StatusOK {
		r.T.Fatalf("%s: %d %s", address, got.Status, got.Body)
	}
	if err := json.Unmarshal(got.Body, &found); err != nil {
		r.T.Fatal(err)
	}
	return found
}

// get asks with the token and looks for what is not for the audience.
func (r *reader) get(method, path string, body any) apptest.Answer {
	r.T.Helper()
	r.asked++
	got := r.Raw(method, path, r.token, body)
	if strings.HasPrefix(path, "/v1/") {
		r.Check(method, path, got)
	}
	said := fmt.Sprint(strings.ToLower(path), body)
	for _, name := range r.forbidden {
		if word := canary(name); strings.Contains(string(got.Body), word) && !strings.Contains(said, word) {
			at := strings.Index(string(got.Body), word)
			r.T.Errorf("%s learns %q at %s: …%s…", r.who.name, name, path,
				got.Body[max(0, at-200):min(len(got.Body), at+60)])
		}
	}
	for name := range r.wanted {
		if strings.Contains(string(got.Body), canary(name)) && !strings.Contains(said, canary(name)) {
			delete(r.wanted, name)
		}
	}
	return got
}

// readSpace asks for everything of a space that a reader's server asks for, of every page that there is.
func (r *reader) readSpace(space, revision string, pages []apptest.PageNode) {
	r.T.Helper()
	r.get(http.MethodGet, "/v1/spaces/"+space, nil)
	at := "/v1/spaces/" + space + "/revisions/" + revision
	var whole struct {
		Files []struct{ ID, DownloadURL string }
	}
	if got := r.get(http.MethodGet, at+"?metadata=true", nil); got.Status == http.StatusOK {
		if err := json.Unmarshal(got.Body, &whole); err != nil {
			r.T.Fatal(err)
		}
	}
	for _, file := range whole.Files {
		r.files = append(r.files, strings.TrimPrefix(file.DownloadURL, r.Base))
		r.get(http.MethodGet, at+"/files/"+file.ID, nil)
	}
	r.get(http.MethodGet, at+"/pages", nil)
	r.get(http.MethodGet, "/v1/spaces/"+space+"/embed?url=https://example.org/", nil)
	for _, page := range pages {
		below := at + "/page/" + page.ID
		r.get(http.MethodGet, below+"/document?evaluated=deterministic-only&dereferenced=reusable-contents", nil)
		r.get(http.MethodGet, below+"?format=markdown&format.markdown.refs=stable", nil)
		r.get(http.MethodGet, below+"/meta-links", nil)
		r.get(http.MethodGet, at+"/path/"+url.PathEscape(page.Path), nil)
	}
}

// below are pages with all that are below them.
func below(pages []apptest.PageNode) (all []apptest.PageNode) {
	for _, page := range pages {
		all = append(append(all, page), below(page.Pages)...)
	}
	return all
}

// TestAReaderLearnsWhatTheSiteShows asks for each page of a site of 300 pages what a program asks that shows the site
// elsewhere, as everybody for whom the site is. What it may learn is the model that the walk of the site itself is held
// against, see TestNobodySeesWhatIsNotForThem.
func TestAReaderLearnsWhatTheSiteShows(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		s.Hurry()
		site := crawlSite(s, "public")
		elsewhere := described(s, site.Space)
		var more []string
		for i := range 290 {
			condition := ""
			if i%10 == 3 {
				condition = `"condition":"visitor.claims.plan == \"pro\"",`
			}
			more = append(more, fmt.Sprintf(`{"operation":"insert_page","title":"Page %d",%s"document":{"markdown":`+
				`"Words.\n\n{%% if visitor.claims.plan == \"pro\" %%}\n\n%s\n\n{%% endif %%}\n"}}`, i, condition,
				canary("pro block")))
		}
		for batch := range slices.Chunk(more, 50) {
			s.Call(http.MethodPost, "/v1/spaces/"+site.Space+"/content", `{"changes":[`+strings.Join(batch, ",")+`]}`,
				http.StatusOK, nil)
		}
		key := site.Key()
		proposeUnseen(&site, key)
		spaces := map[string][]apptest.PageNode{}
		heads := map[string]string{}
		var placed struct {
			Items []struct{ Space struct{ ID, Revision string } }
		}
		s.Call(http.MethodGet, site.Path+"/site-spaces", nil, http.StatusOK, &placed)
		for _, each := range placed.Items {
			var tree struct{ Pages []apptest.PageNode }
			s.Call(http.MethodGet, "/v1/spaces/"+each.Space.ID+"/content/pages", nil, http.StatusOK, &tree)
			spaces[each.Space.ID], heads[each.Space.ID] = below(tree.Pages), each.Space.Revision
		}
		if count := len(spaces[site.Space]); count < 295 {
			t.Fatalf("the site has %d pages", count)
		}
		var history struct{ Items []apptest.Identified }
		s.Call(http.MethodGet, "/v1/spaces/"+site.Space+"/revisions", nil, http.StatusOK, &history)
		old := history.Items[1].ID

		read := func(w who, address string, token bool, whole bool) *reader {
			t.Helper()
			visitor := map[string]any{"type": "human"}
			if token {
				visitor["jwtToken"] = apptest.SignClaims(t, key, w.signed)
			}
			if w.unsigned != nil {
				visitor["unsignedClaims"] = w.unsigned
			}
			r := &reader{Server: s, who: w, wanted: map[string]bool{}}
			for name, sees := range seen() {
				switch {
				case !sees(w):
					r.forbidden = append(r.forbidden, name)
				case !strings.HasSuffix(name, "slug") && name != "loose file":
					r.wanted[name] = true
				}
			}
			found := r.lookUp(address, visitor)
			if again := r.lookUp(address, visitor); again.APIToken != found.APIToken || found.APIToken == "" {
				t.Fatalf("%s: the tokens are %q and %q", w.name, found.APIToken, again.APIToken)
			}
			r.token = found.APIToken
			published := site.Path + "/published"
			if got := r.get(http.MethodGet, published, nil); got.Status != http.StatusOK {
				t.Fatalf("%s: the profile answers %d %s", w.name, got.Status, got.Body)
			}
			for space, pages := range spaces {
				if !whole {
					pages = pages[:min(len(pages), 20)]
				}
				r.readSpace(space, heads[space], pages)
			}
			r.readSpecs(elsewhere, spaces)
			for _, source := range []string{"/old-pro", "/old-public", "/none"} {
				r.get(http.MethodGet, site.Path+"/redirect?source="+source, nil)
			}
			for _, name := range append(slices.Clone(r.forbidden), "public") {
				r.get(http.MethodPost, site.Path+"/search",
					map[string]any{"query": canary(name), "scope": map[string]any{"mode": "all"}})
			}
			// What others read is not shown to who may not see it, and no misspelt word leads to it.
			r.get(http.MethodPost, site.Path+"/search",
				map[string]any{"query": "", "scope": map[string]any{"mode": "all"}})
			for _, name := range r.forbidden {
				word := canary(name)
				end := len(word) - 2
				r.get(http.MethodPost, site.Path+"/search", map[string]any{
					"query": word[:end] + word[end+1:] + word[end:end+1], "scope": map[string]any{"mode": "all"}})
			}
			for _, file := range r.files {
				if got := s.Raw(http.MethodGet, file, "", nil); got.Status != http.StatusOK {
					t.Errorf("%s: the file at %s answers %d", w.name, file, got.Status)
				} else {
					for _, name := range r.forbidden {
						if strings.Contains(string(got.Body), canary(name)) {
							t.Errorf("%s gets the file of %q", w.name, name)
						}
					}
					for name := range r.wanted {
						if strings.Contains(string(got.Body), canary(name)) {
							delete(r.wanted, name)
						}
					}
				}
			}
			if len(r.wanted) > 0 {
				t.Errorf("%s at %s does not learn %v", w.name, address, r.wanted)
			}
			// What is not published is nobody's, and what is no reader's is refused.
			in := "/v1/spaces/" + site.Space
			for _, path := range []string{in + "/revisions/" + old, in + "/revisions", in + "/content",
				in + "/content/pages", in + "/change-requests", in + "/change-requests/1", in + "/documents/" +
					spaces[site.Space][0].ID, in + "/change-requests/1/content", in + "/content/files",
				in + "/search?query=x",
				site.Path, site.Path + "/share-links", site.Path + "/publishing/auth", site.Path + "/structure",
				"/v1/user", "/v1/orgs", "/v1/orgs/" + s.Organization, "/v1/orgs/" + s.Organization + "/spaces",
				"/v1/orgs/" + s.Organization + "/members"} {
				if got := r.get(http.MethodGet, path, nil); got.Status != http.StatusForbidden &&
					got.Status != http.StatusNotFound {
					t.Errorf("%s gets %d at %s: %.300s", w.name, got.Status, path, got.Body)
				}
			}
			if got := r.get(http.MethodPost, in+"/content", `{"changes":[]}`); got.Status != http.StatusForbidden {
				t.Errorf("%s writes: %d", w.name, got.Status)
			}
			return r
		}
		for i, w := range audiences {
			read(w, site.Home, w.signed != nil && w.name != "liar", i == 0 || w.name == "all")
		}
		before := read(audiences[0], site.Home, false, false).token

		// Another token when the site changes, and none of an old one that lets somebody in who is not let in any more.
		s.Call(http.MethodPost, "/v1/spaces/"+site.Space+"/content",
			`{"changes":[{"operation":"insert_page","title":"Last","document":{"markdown":"Last.\n"}}]}`, http.StatusOK,
			nil)
		first := &reader{Server: s}
		if after := first.lookUp(site.Home, map[string]any{}).APIToken; after == before || after == "" {
			t.Errorf("the token after a change is the one before: %.40s", after)
		}
		s.Call(http.MethodPatch, site.Path, `{"visibility":"share-link"}`, http.StatusOK, nil)
		if got := s.Raw(http.MethodGet, site.Path+"/published", before, nil); got.Status != http.StatusUnauthorized {
			t.Errorf("an old token of a site that was closed gets %d", got.Status)
		}
		for space := range heads {
			var now struct{ Revision string }
			s.Call(http.MethodGet, "/v1/spaces/"+space, nil, http.StatusOK, &now)
			heads[space] = now.Revision
		}
		linkID, link := site.Link("Readers")
		shared := read(audiences[0], link, false, false)
		s.Call(http.MethodPatch, site.Path+"/share-links/"+linkID, `{"active":false}`, http.StatusOK, nil)
		published := site.Path + "/published"
		if got := s.Raw(http.MethodGet, published, shared.token, nil); got.Status != http.StatusUnauthorized {
			t.Errorf("the token of a link that is closed gets %d", got.Status)
		}
		s.Call(http.MethodPatch, site.Path, `{"visibility":"visitor-auth"}`, http.StatusOK, nil)
		signed := read(audiences[1], site.Home, true, false)
		for range 2 { // the key before the last one counts for a day
			s.Call(http.MethodPost, site.Path+"/publishing/auth/regenerate", nil, http.StatusOK, nil)
		}
		if got := s.Raw(http.MethodGet, published, signed.token, nil); got.Status != http.StatusUnauthorized {
			t.Errorf("a token with a key that was taken away gets %d", got.Status)
		}
		for _, forged := range []string{signed.token[:len(signed.token)-4] + "AAAA",
			strings.Replace(signed.token, "eyJ", "eyK", 1),
			"eyJhbGciOiJub25lIn0.eyJpc3MiOiJyZWN0by92aXNpdCJ9.", "eyJ.eyJ.x", apptest.SignClaims(t, key, nil)} {
			if got := s.Raw(http.MethodGet, published, forged, nil); got.Status != http.StatusUnauthorized {
				t.Errorf("a forged token gets %d", got.Status)
			}
		}
	})
}
