package urls_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
)

// TestLookUpFollowsTheSite: what the live site answers with another address, the look-up answers with that address; and
// what is there, the look-up finds there.
func TestLookUpFollowsTheSite(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		pages := func(title string) string {
			return apptest.OnePage + `,{"operation":"insert_page","title":"Install","document":{"markdown":"Install ` +
				title +
				`.\n"}}` +
				`,{"operation":"insert_page","title":"Topics","type":"group","ref":"topics"},{"operation":"insert_page","title":"First","into":"topics","document":{"markdown":"First.\n"}}`
		}
		site := s.NewSite("Handbook", "public", pages("v2"))
		filled := func(title string) string {
			space := s.Space(title)
			s.Call(http.MethodPost, "/v1/spaces/"+space+"/content", `{"changes":[`+pages(title)+`]}`, http.StatusOK,
				nil)
			return space
		}
		type place struct {
			ID, Path   string
			Default    bool
			SiteSpaces []struct {
				ID, Path string
				Default  bool
			}
		}
		old, reference := filled("v1"), filled("Reference")
		s.Call(http.MethodPost, site.Path+"/sections", map[string]any{"spaceId": reference, "title": "Reference"},
			http.StatusCreated, nil)
		var sections struct{ Items []place }
		s.Call(http.MethodGet, site.Path+"/sections", nil, http.StatusOK, &sections)
		var guide, other place
		for _, each := range sections.Items {
			if each.Default {
				guide = each
			} else {
				other = each
			}
		}
		s.Call(http.MethodPost, site.Path+"/site-spaces", map[string]any{"spaceId": old, "sectionId": guide.ID},
			http.StatusCreated, nil)
		s.Call(http.MethodGet, site.Path+"/sections", nil, http.StatusOK, &sections)
		variant, usual := "", ""
		for _, each := range sections.Items {
			for _, space := range each.SiteSpaces {
				switch {
				case each.ID == guide.ID && space.Default:
					usual = space.Path
				case each.ID == guide.ID:
					variant = space.Path
				}
			}
		}
		if variant == "" || usual == "" || other.Path == "" || guide.Path == "" {
			t.Fatalf("the sections are %+v", sections)
		}
		// A page that has moved, redirects that people made, and a section that has another path now.
		s.Call(http.MethodPost, "/v1/spaces/"+site.Space+"/content",
			`{"changes":[{"operation":"insert_page","title":"Gone","document":{"markdown":"Moved.\n"}}]}`,
			http.StatusOK, nil)
		var tree struct{ Pages []struct{ ID, Title string } }
		s.Call(http.MethodGet, "/v1/spaces/"+site.Space+"/content/pages", nil, http.StatusOK, &tree)
		for _, page := range tree.Pages {
			if page.Title == "Gone" {
				s.Call(http.MethodPost, "/v1/spaces/"+site.Space+"/content",
					`{"changes":[{"operation":"update_page","page":"`+page.ID+`","slug":"arrived"}]}`, http.StatusOK,
					nil)
			}
		}
		for source, destination := range map[string]string{
			"/old":  `{"kind":"site-section","siteSectionId":"` + other.ID + `"}`,
			"/out":  `{"kind":"external","url":"https://example.com/there"}`,
			"/back": `{"kind":"site-section","siteSectionId":"` + guide.ID + `"}`,
			"/deep": `{"kind":"path","spaceId":"` + reference + `","path":"/install"}`,
		} {
			s.Call(http.MethodPost, site.Path+"/redirects", `{"source":"`+source+`","destination":`+destination+`}`,
				http.StatusCreated, nil)
		}
		s.Call(http.MethodPatch, site.Path+"/sections/"+other.ID, `{"path":"api"}`, http.StatusOK, nil)

		moved := 0
		for _, path := range []string{
			"", "install", "api/install", variant + "/install",
			guide.Path + "/install", guide.Path + "/", guide.Path + "/" + usual + "/install",
			guide.Path + "/" + variant + "/install", usual + "/install", usual + "/",
			other.Path + "/install", other.Path + "/", "api/" + usual, "gone", "arrived", "old", "out", "back", "deep",
			"topics", "api/topics", "topics/first",
			"Install", "install.html", "install/index.html", "INSTALL", guide.Path + "/gone", guide.Path + "/nothing",
			"nothing", "api/nothing",
		} {
			live := s.Raw(http.MethodGet, site.Home+path, "", nil)
			var found struct {
				Target, Redirect, Space string
				Pathname                *string
			}
			s.Call(http.MethodPost, "/v1/urls/published", map[string]any{"url": site.Home + path}, http.StatusOK,
				&found)
			want := ""
			// The site takes a slash away first; the look-up answers at once with where that ends.
			for hops := 0; live.Header.Get("Location") != "" && hops < 4; hops++ {
				want = live.Header.Get("Location")
				if !strings.HasPrefix(want, "/") {
					break
				}
				want = s.Base + want
				live = s.Raw(http.MethodGet, want, "", nil)
			}
			if want != "" {
				moved++
			}
			if found.Redirect != want || want == "" && (found.Space == "" || found.Pathname == nil) {
				t.Errorf("%q: the site answers %d and leads to %q, the look-up to %q in %q", path, live.Status, want,
					found.Redirect, found.Space)
			}
			var content struct {
				Space *apptest.Identified
				Page  *struct{ Path string }
			}
			s.Call(http.MethodGet, "/v1/urls/content?url="+site.Home+path, nil, http.StatusOK, &content)
			if install := strings.HasSuffix(path, "/install"); install &&
				(content.Page == nil || content.Page.Path != "install") {
				t.Errorf("%q: the content at it is %+v", path, content.Page)
			}
		}
		if moved < 15 {
			t.Errorf("%d addresses lead elsewhere: the test shows little", moved)
		}
	})
}
