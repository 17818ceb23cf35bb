package pub

import (
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/git"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// imported says of a page which file it came from.
func imported(repository, ref, path string) func(*entity.Entry) {
	return func(e *entity.Entry) {
		e.Git = &git.File{Repository: repository, Ref: ref, Path: path, OID: git.OID(nil)}
	}
}

func TestEditLinks(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		f := newFixture(t, d)
		f.put(
			with(document("start", "Start", "Text.\n"), imported("https://github.com/acme/docs", "main",
				"docs/a \"b\"<i>&#?é.md")),
			with(document("lab", "Lab", "Text.\n"), imported("https://gitlab.example.org/acme/docs", "release/2",
				"x.md")),
			with(document("own", "Own", "Text.\n"), imported("http://code.example.org:3000/acme/docs", "main", "x.md")),
			with(document("wiki", "Wiki", "Text.\n"), imported("https://github.com/acme/owls.wiki", "master",
				"Set-up.md")),
			with(document("loose", "Loose", "Text.\n"), imported("https://github.com/acme/docs", "", "x.md")),
			document("here", "Made here", "Text.\n"),
			with(document("bare", "Bare", "Text.\n"), func(e *entity.Entry) {
				imported("https://github.com/acme/docs", "main", "bare.md")(e)
				e.Layout = &entity.Layout{Actions: new(false), Metadata: new(false)}
			}),
		)
		if page := f.html("lab"); page.Find(`.page-edit, a[href*="gitlab.example.org"]`).Length() != 0 {
			t.Error("a site that does not want them has links to edit pages")
		}
		f.customize(`{"git":{"showEditLink":true}}`)
		for at, want := range map[string]struct{ address, text string }{
			"start": {"https://github.com/acme/docs/edit/main/docs/a%20%22b%22%3Ci%3E&%23%3F%C3%A9.md",
				"Edit on GitHub"},
			"lab":   {"https://gitlab.example.org/acme/docs/-/edit/release/2/x.md", "Edit on GitLab"},
			"own":   {"http://code.example.org:3000/acme/docs/edit/main/x.md", "Edit this page"},
			"wiki":  {"https://github.com/acme/owls/wiki/Set-up/_edit", "Edit on GitHub"},
			"loose": {}, "here": {},
		} {
			page := f.html(at)
			foot, menu := page.Find(".page-meta .page-edit"), page.Find(".actions .menu-list a")
			if want.address == "" {
				if foot.Length()+menu.Length() != 0 {
					t.Errorf("%s has a link to edit it", at)
				}
				continue
			}
			for place, link := range map[string]interface {
				Attr(string) (string, bool)
				Text() string
				Length() int
			}{"foot": foot, "menu": menu} {
				address, _ := link.Attr("href")
				rel, _ := link.Attr("rel")
				if address != want.address || strings.TrimSpace(link.Text()) != want.text || link.Length() != 1 ||
					rel != "noopener noreferrer nofollow" {
					t.Errorf("%s, %s: %q %q (%d), rel %q", at, place, address, link.Text(), link.Length(), rel)
				}
			}
		}
		if bare := f.html("bare"); bare.Find(".actions").Length() != 0 || bare.Find(".page-meta .page-edit").
			Length() != 1 || bare.Find(".page-meta time").Length() != 0 {
			t.Error("a page without actions has its link at its foot, and nothing else")
		}
		if again := f.html("start"); again.Find("article i").Length() != 0 {
			t.Error("the path of a file is markup")
		}
		f.customize(
			`{"internationalization":{"locale":"de"},"git":{"showEditLink":true},"externalLinks":{"target":"blank"}}`)
		page := f.html("start")
		if link := page.Find(".page-edit"); strings.TrimSpace(link.Text()) != "Auf GitHub bearbeiten" ||
			link.AttrOr("target", "") != "_blank" {
			t.Errorf("in German it is %q", link.Text())
		}
		f.customize(`{"git":{"showEditLink":false}}`)
		if f.html("start").Find(".page-edit").Length() != 0 {
			t.Error("a link that was turned off is shown")
		}
	})
}
