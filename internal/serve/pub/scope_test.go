package pub

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/content/store/storetest"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/render"
	"github.com/rectodocs/recto/internal/serve/pub/edition"
	"github.com/rectodocs/recto/internal/serve/pub/scope"
)

// scope is the site's space as everybody sees it.
func (f *fixture) scope() *scope.Scope {
	f.t.Helper()
	served, err := f.sites.Resolve(f.t.Context(), f.org.Hostname, f.site.Basename)
	if err != nil {
		f.t.Fatal(err)
	}
	sc, _, err := scope.New(f.server.services, scope.Request{Site: &scope.Site{Served: &served, Root: f.home()}},
		scope.Viewer{Visitor: edition.Nobody})
	if err != nil {
		f.t.Fatal(err)
	}
	if err := sc.Prepare(f.t.Context()); err != nil {
		f.t.Fatal(err)
	}
	return sc
}

func TestResolver(t *testing.T) {
	f := handbook(t)
	asset := f.file("a picture (1).png", []byte("x"))
	placed := &entity.Entry{ID: id.New("file"), Kind: entity.KindFile, Name: "plan.pdf", Path: "docs/plan.pdf",
		Blob: asset.Blob, Size: asset.Size}
	imported := *document("x", "Imported", "").Entry
	imported.ID, imported.Slug, imported.Position, imported.Path = id.New("page"), "imported",
		entity.Between(f.position, ""), "src/ch01-00.md"
	f.commit(store.CommitRequest{Space: f.space.ID, Put: []store.Put{{Entry: placed}, {Entry: &imported}}})
	sc, home := f.scope(), f.home()
	fileAddress := sc.FileURL(asset)
	tests := []struct{ from, written, want string }{
		{"guides/install", "configure.md", home + "guides/configure"},
		{"guides/install", "./configure.md#ports", home + "guides/configure#ports"},
		{"guides/install", "../reference/README.md", home + "reference"},
		{"guides/install", "../reference/", home + "reference"},
		{"guides/install", "/reference/api.md", home + "reference/api"},
		{"guides/install", "../welcome.md", home},
		{"guides/install", "../README.md", home},
		{"guides/install", "install.md#one", "#one"},
		{"guides/configure", "./#ports", "#ports"},
		{"guides/configure", "advanced.md", home + "guides/configure/advanced"},
		{"guides/install", "#two", "#two"},
		{"guides/install", "../.gitbook/assets/a picture (1).png", fileAddress},
		{"guides/install", "../.gitbook/assets/a%20picture%20(1).png", fileAddress},
		{"guides/install", "/files/" + asset.ID, fileAddress},
		{"guides/install", "../docs/plan.pdf", sc.FileURL(placed)},
		{"guides/install", "/pages/" + f.page("reference/api") + "#x", home + "reference/api#x"},
		{"guides/install", "../src/ch01-00.md", home + "imported"},
		{"imported", "ch01-00.md#a", "#a"},
		{"guides/install", "https://example.org/a?b#c", "https://example.org/a?b#c"},
		{"guides/install", "//example.org/x", "https://example.org/x"},
		{"guides/install", "mailto:ada@example.org", "mailto:ada@example.org"},
		{"guides/install", "/broken/pages/x", ""},
		{"guides/install", "gone.md", ""},
		{"guides/install", "../../../../etc/passwd", ""},
		{"guides/install", "/pages/page_gone", ""},
		{"guides/install", "/spaces/space_other/pages/x", ""},
		{"guides/install", "", ""},
		{"guides/install", "%zz", ""},
	}
	for _, tt := range tests {
		got := sc.Resolver(sc.Find(tt.from)).Resolve(doc.URL(tt.written))
		if got.URL != tt.want || got.Broken != (tt.want == "") {
			t.Errorf("on %s, %q leads to %q (broken %v), want %q", tt.from, tt.written, got.URL, got.Broken, tt.want)
		}
	}
}

// TestLinksAsElsewhere holds that links on a site lead where the index of links and PDFs have them.
func TestLinksAsElsewhere(t *testing.T) {
	f := sqliteFixture(t)
	storetest.LinkedPages(t.Context(), t, f.content, f.space.ID)
	sc := f.scope()
	for _, link := range storetest.Links {
		from := sc.Edition.Tree.ByID[link.From]
		want := link.Want
		if ref := doc.ParseDestination(want); ref.Kind == doc.RefFile {
			file, err := sc.Edition.View.Entry(t.Context(), ref.File)
			if err != nil {
				t.Fatal(err)
			}
			want = sc.FileURL(file)
		} else if to := sc.Edition.Tree.ByID[ref.Page]; to != nil {
			if want = sc.PageURL(to); to == from && ref.Anchor != "" {
				want = ""
			}
			if ref.Anchor != "" {
				want += "#" + ref.Anchor
			}
		}
		got := sc.Resolver(from).Resolve(doc.URL(link.Written))
		if got.URL != want || got.Broken != (want == "") {
			t.Errorf("%q on %s leads to %q (broken %v), want %q", link.Written, link.From, got.URL, got.Broken, want)
		}
	}
}

func BenchmarkWarmPage(b *testing.B) {
	f := handbook(b)
	f.get("guides/install")
	b.ReportAllocs()
	for b.Loop() {
		if w := f.get("guides/install", "Accept-Encoding", "gzip"); w.Code != http.StatusOK {
			b.Fatal(w.Code)
		}
	}
}

func BenchmarkColdPage(b *testing.B) {
	for _, size := range []int{10, 1000} {
		b.Run(fmt.Sprintf("%d pages", 10*size), func(b *testing.B) {
			f := wide(b, size, 9)
			f.get("section-3/page-2")
			for b.Loop() {
				f.server.services.Pages.Clear()
				if w := f.get("section-3/page-2"); w.Code != http.StatusOK {
					b.Fatal(w.Code)
				}
			}
		})
	}
}

// TestReadings holds that a site says what a page says elsewhere.
func TestReadings(t *testing.T) {
	f := sqliteFixture(t)
	storetest.ReadPages(t.Context(), t, f.content, f.space.ID)
	sc := f.scope()
	storetest.CheckReadings(t, false, func(page string) (string, error) {
		node := sc.Edition.Tree.ByID[page]
		document, err := sc.Load(t.Context(), node, sc.Options(t.Context(), node))
		if err != nil {
			return "", err
		}
		return render.Text(document), nil
	})
}
