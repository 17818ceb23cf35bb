package pub

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/content/store/storetest"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/serve/pub/edition"
)

func TestReadPath(t *testing.T) {
	tests := []struct {
		escaped, path string
		tidy, ok      bool
	}{
		{"", "", true, true},
		{"a/b", "a/b", true, true},
		{"a%20b", "a b", true, true},
		{"%E4%BD%A0", "你", true, true},
		{"a/", "a", false, true},
		{"/a", "a", false, true},
		{"a//b", "a/b", false, true},
		{"/", "", false, true},
		{"a/../b", "", false, false},
		{"a/%2E%2e/b", "", false, false},
		{"./a", "", false, false},
		{"a%2Fb", "", false, false},
		{"a%5Cb", "", false, false},
		{"a%00", "", false, false},
		{"%ff", "", false, false},
		{"%", "", false, false},
		{"%zz", "", false, false},
	}
	for _, tt := range tests {
		got, tidy, ok := readPath(tt.escaped)
		if got != tt.path || tidy != tt.tidy || ok != tt.ok {
			t.Errorf("readPath(%q) = %q, %v, %v; want %q, %v, %v", tt.escaped, got, tidy, ok, tt.path, tt.tidy, tt.ok)
		}
	}
}

func FuzzReadPath(f *testing.F) {
	for _, seed := range []string{"", "a/b", "a%20b", "..", "%2e%2e/x", "a//b/", "%ff%00", "~/x"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, escaped string) {
		decoded, _, ok := readPath(escaped)
		if !ok {
			return
		}
		again, tidy, ok := readPath(escapePath(decoded))
		if !ok || !tidy || again != decoded {
			t.Errorf("readPath(%q) = %q, which read again is %q, %v, %v", escaped, decoded, again, tidy, ok)
		}
		for segment := range strings.SplitSeq(decoded, "/") {
			if segment == ".." || segment == "." {
				t.Errorf("readPath(%q) = %q", escaped, decoded)
			}
		}
	})
}

// scope is the site's space as everybody sees it.
func (f *fixture) scope() *scope {
	f.t.Helper()
	served, err := f.sites.Resolve(f.t.Context(), f.org.Hostname, f.site.Basename)
	if err != nil {
		f.t.Fatal(err)
	}
	sc, _, err := f.server.scope(request{found: &resolved{site: &served, root: f.home()}},
		viewer{visitor: edition.Nobody})
	if err != nil {
		f.t.Fatal(err)
	}
	if err := sc.prepare(f.t.Context()); err != nil {
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
	fileAddress := sc.fileURL(asset)
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
		{"guides/install", "../docs/plan.pdf", sc.fileURL(placed)},
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
		got := sc.resolver(sc.find(tt.from)).Resolve(doc.URL(tt.written))
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
		from := sc.edition.Tree.ByID[link.From]
		want := link.Want
		if ref := doc.ParseDestination(want); ref.Kind == doc.RefFile {
			file, err := sc.edition.View.Entry(t.Context(), ref.File)
			if err != nil {
				t.Fatal(err)
			}
			want = sc.fileURL(file)
		} else if to := sc.edition.Tree.ByID[ref.Page]; to != nil {
			if want = sc.pageURL(to); to == from && ref.Anchor != "" {
				want = ""
			}
			if ref.Anchor != "" {
				want += "#" + ref.Anchor
			}
		}
		got := sc.resolver(from).Resolve(doc.URL(link.Written))
		if got.URL != want || got.Broken != (want == "") {
			t.Errorf("%q on %s leads to %q (broken %v), want %q", link.Written, link.From, got.URL, got.Broken, want)
		}
	}
}

func TestMarked(t *testing.T) {
	tests := []struct {
		text  string
		marks [][2]int
		want  []string
	}{
		{"abc", nil, []string{"abc"}},
		{"abcdef", [][2]int{{1, 2}, {4, 6}}, []string{"a", "b", "cd", "ef", ""}},
		{"abc", [][2]int{{2, 9}, {-1, 1}, {2, 1}}, []string{"abc"}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, marked(tt.text, tt.marks)); diff != "" {
			t.Errorf("marked(%q, %v) (-want +got):\n%s", tt.text, tt.marks, diff)
		}
	}
	if diff := cmp.Diff([]string{"", "Own", "ership and ", "own", "ers"}, highlight("Ownership and owners",
		"own")); diff != "" {
		t.Errorf("highlight (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"The type ", "Vec", "<", "T", "> and others"}, highlight("The type Vec<T> and others",
		"Vec<T>")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"İstanbul"}, highlight("İstanbul", "i")); diff != "" {
		t.Errorf("highlight (-want +got):\n%s", diff)
	}
}

func TestTitles(t *testing.T) {
	for written, want := range map[string]string{
		"Plain": "Plain", "The `match` form": "The <code>match</code> form", "Odd ` quote": "Odd ` quote",
		"a < b & `c<d>`": "a &lt; b &amp; <code>c&lt;d&gt;</code>",
	} {
		if got := string(inlineTitle(written)); got != want {
			t.Errorf("inlineTitle(%q) = %q, want %q", written, got, want)
		}
	}
	if got := edition.EmojiText("1f468-200d-1f469"); got != "👨\u200d👩" {
		t.Errorf("emojiText joins to %q", got)
	}
	if got := edition.EmojiText("🚀"); got != "🚀" {
		t.Errorf("emojiText of characters is %q", got)
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
				f.server.pages.Clear()
				if w := f.get("section-3/page-2"); w.Code != http.StatusOK {
					b.Fatal(w.Code)
				}
			}
		})
	}
}
