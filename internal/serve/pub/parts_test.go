package pub

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"path"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/content/store/storetest"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
)

func TestColours(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 4000 {
		c := colour{random.Float64(), random.Float64(), random.Float64()}
		if i < 8 { // the corners of the cube
			c = colour{float64(i & 1), float64(i >> 1 & 1), float64(i >> 2 & 1)}
		}
		for paper, soft := range map[colour]float64{paperLight: softLight, paperDark: softDark} {
			got, ok := parseColour(readable(c, paper).String())
			if !ok {
				t.Fatalf("%v makes no colour", c)
			}
			if ratio := contrast(got, paper); ratio < 4.5 {
				t.Errorf("%s on %s becomes %s: contrast %.2f", c, paper, got, ratio)
			}
			if ratio := contrast(got, mix(got, paper, soft)); ratio < 4.5 {
				t.Errorf("%s on the soft background of %s: contrast %.2f", got, paper, ratio)
			}
		}
		background, text := fill(c)
		rounded, _ := parseColour(background.String())
		if ratio := contrast(rounded, text); ratio < 4.5 {
			t.Errorf("%s filled is %s with %s: contrast %.2f", c, background, text, ratio)
		}
	}
	if got := readable(defaultPrimary, paperLight); got != defaultPrimary.oklab().colour() {
		t.Errorf("a colour that is readable is changed to %s", got)
	}
}

func TestParseColour(t *testing.T) {
	for s, want := range map[string]string{"#fff": "#ffffff", "#1a2B3c": "#1a2b3c", "#000000": "#000000", "": "",
		"fff": "", "#ff": "", "#gggggg": "", "#12345": "", "#1234567": "", "red": "", "#+12345": ""} {
		c, ok := parseColour(s)
		if ok != (want != "") || ok && c.String() != want {
			t.Errorf("parseColour(%q) = %s, %v", s, c, ok)
		}
	}
}

func TestIcons(t *testing.T) {
	icons, err := loadIcons()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"link", "circle-info", "circle-check", "triangle-exclamation", "circle-exclamation",
		"file", "file-arrow-down", "play", "arrow-right", "arrow-up-right", "chevron-right", "sparkles", "plug", "code",
		"user", "tag", "page", "check", "github", "books", "fa-rocket", "fa-solid fa-gear"} {
		if svg := icons.svg(name); !strings.HasPrefix(svg, "<svg ") || !strings.HasSuffix(svg, "</svg>") {
			t.Errorf("the icon %q is %q", name, svg)
		}
	}
	for _, name := range []string{"", "no-such-icon", "../x", "brand:github\n", "fa-"} {
		if svg := icons.svg(name); svg != "" {
			t.Errorf("the icon %q is %q", name, svg)
		}
	}
	for name, drawing := range icons.drawings {
		if strings.Contains(drawing, "<script") || strings.Contains(drawing, " on") || strings.Contains(drawing,
			"href") {
			t.Errorf("the icon %q does more than draw: %s", name, drawing)
		}
	}
}

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

func TestRelative(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	place := func() string {
		segments := make([]string, 1+random.IntN(4))
		for i := range segments {
			segments[i] = string(rune('a' + random.IntN(3)))
		}
		return strings.Join(segments, "/") + ".md"
	}
	for range 5000 {
		from, to := place(), place()
		if got := path.Join(path.Dir(from), relative(from, to)); got != to {
			t.Fatalf("from %s the way to %s is %s, which leads to %s", from, to, relative(from, to), got)
		}
	}
	if got := relative("a.md", "b:c.md"); got != "./b:c.md" {
		t.Errorf("a name with a colon is %q, which is a scheme", got)
	}
}

// scope is the site's space as everybody sees it.
func (f *fixture) scope() *scope {
	f.t.Helper()
	served, err := f.sites.Resolve(f.t.Context(), f.org.Hostname, f.site.Basename)
	if err != nil {
		f.t.Fatal(err)
	}
	sc, _, err := f.server.scope(request{found: &resolved{site: &served, root: f.home()}}, sight{visitor: nobody})
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
		from := sc.edition.tree.ByID[link.From]
		want := link.Want
		if ref := doc.ParseDestination(want); ref.Kind == doc.RefFile {
			file, err := sc.edition.view.Entry(t.Context(), ref.File)
			if err != nil {
				t.Fatal(err)
			}
			want = sc.fileURL(file)
		} else if to := sc.edition.tree.ByID[ref.Page]; to != nil {
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

func TestDistance(t *testing.T) {
	tests := []struct {
		a, b  string
		limit int
		want  bool
	}{
		{"install", "instal", 1, true}, {"install", "isntall", 1, false}, {"install", "isntall", 2, true},
		{"", "", 0, true}, {"a", "", 1, true}, {"abc", "xyz", 2, false},
		{"konfigurieren", "konfiguriren", 1, true}, {"naïve", "naive", 1, true},
	}
	for _, tt := range tests {
		for _, pair := range [][2]string{{tt.a, tt.b}, {tt.b, tt.a}} {
			if got := distanceWithin([]rune(pair[0]), []rune(pair[1]), tt.limit); got != tt.want {
				t.Errorf("distanceWithin(%q, %q, %d) = %v", pair[0], pair[1], tt.limit, got)
			}
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
	if got := emojiText("1f468-200d-1f469"); got != "👨\u200d👩" {
		t.Errorf("emojiText joins to %q", got)
	}
	if got := emojiText("🚀"); got != "🚀" {
		t.Errorf("emojiText of characters is %q", got)
	}
}

func TestAccepted(t *testing.T) {
	for header, want := range map[string]encodings{
		"": {}, "gzip": {gzip: true}, "gzip, zstd": {gzip: true, zstd: true}, "GZIP;q=0.5": {gzip: true},
		"gzip;q=0, zstd;q=1": {zstd: true}, "gzip; q=0.0": {}, "gzip;q=x": {}, "br": {}, "gzipped": {},
	} {
		r, err := http.NewRequest(http.MethodGet, "/", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Accept-Encoding", header)
		if got := accepted(r); got != want {
			t.Errorf("%q accepts %+v, want %+v", header, got, want)
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
				f.server.pages.Clear()
				if w := f.get("section-3/page-2"); w.Code != http.StatusOK {
					b.Fatal(w.Code)
				}
			}
		})
	}
}
