package pagefile

import (
	"math/rand/v2"
	"path"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/engine/entity"
)

// node is a page with those below it.
type node struct {
	page  *entity.Entry
	below []*node
}

func read(n *node) (*entity.Entry, []*node) { return n.page, n.below }

func page(id, slug, file string, below ...*node) *node {
	return &node{&entity.Entry{ID: id, Kind: entity.KindPage, Type: entity.PageDocument, Slug: slug, Path: file}, below}
}

func group(id, slug string, below ...*node) *node {
	n := page(id, slug, "", below...)
	n.page.Type = entity.PageGroup
	return n
}

func link(id, slug string) *node {
	n := page(id, slug, "")
	n.page.Type = entity.PageLink
	return n
}

// TestPathsOfPages holds the three paths of a page side by side, and where they differ.
func TestPathsOfPages(t *testing.T) {
	long := strings.Repeat("long", 20)
	tree := []*node{
		page("install", "install", ""),
		page("same", "Install", ""),
		page("readme", "readme", ""),
		page("summary", "SUMMARY", ""),
		page("guides", "guides", "", page("first", "first", "01-First Steps.md"), page("nested", "readme", "")),
		page("odd", "a.b+c", ""),
		page("dot", "dot.", ""),
		page("imported", "imported", "docs/Old Name.md", page("child", "child", "")),
		group("group", "group", page("member", "member", ""), group("inner", "inner")),
		link("link", "link"),
		page("long", long, "", page("longer", long, "")),
	}
	wants := []struct {
		id, path, ofPage, allocated string
		lost                        bool
	}{
		{"install", "install.md", "install.md", "install.md", false},
		// Two files whose names differ in case alone are one on some file systems.
		{"same", "Install.md", "Install.md", "Install-1.md", true},
		// The root has a README.md of its own.
		{"readme", "readme.md", "readme.md", "README.md", false},
		{"summary", "SUMMARY.md", "SUMMARY.md", "SUMMARY-1.md", true},
		{"guides", "guides/README.md", "guides/README.md", "guides/README.md", false},
		{"first", "guides/first.md", "01-First Steps.md", "guides/first.md", false},
		{"nested", "guides/readme.md", "guides/readme.md", "guides/readme/README.md", false},
		{"odd", "a.b+c.md", "a.b+c.md", "a.b+c.md", false},
		{"dot", "dot..md", "dot..md", "dot.md", true},
		{"imported", "imported/README.md", "docs/Old Name.md", "imported/README.md", false},
		{"child", "imported/child.md", "imported/child.md", "imported/child.md", false},
		// A group at the root is a heading of the table of contents, and has no file in an export.
		{"group", "group/README.md", "group/README.md", "", false},
		{"member", "group/member.md", "group/member.md", "group/member.md", false},
		{"inner", "group/inner.md", "group/inner.md", "group/inner.md", false},
		{"link", "link.md", "link.md", "", false},
		{"long", long + "/README.md", long + "/README.md", long + "/README.md", false},
		{"longer", long + "/" + long + ".md", long + "/" + long + ".md", long + "/" + long + ".md", false},
	}
	allocated := Pages(NewAllocator(), tree, read)
	nodes, addresses := map[string]*node{}, map[string]string{}
	var walk func(nodes []*node, above string)
	walk = func(below []*node, above string) {
		for _, n := range below {
			nodes[n.page.ID], addresses[n.page.ID] = n, path.Join(above, n.page.Slug)
			walk(n.below, addresses[n.page.ID])
		}
	}
	walk(tree, "")
	if len(wants) != len(nodes) {
		t.Errorf("%d of %d pages are looked at", len(wants), len(nodes))
	}
	for _, want := range wants {
		n, address := nodes[want.id], addresses[want.id]
		parent := len(n.below) > 0
		if got := Path(address, parent); got != want.path {
			t.Errorf("Path of %s is %q, want %q", want.id, got, want.path)
		}
		if got := Address(want.path); got != address {
			t.Errorf("Address of %s is %q, want %q", want.path, got, address)
		}
		if got := OfPage(n.page, address, parent); got != want.ofPage {
			t.Errorf("OfPage of %s is %q, want %q", want.id, got, want.ofPage)
		}
		if got := allocated[want.id]; got.File != want.allocated || got.SlugLost != want.lost {
			t.Errorf("%s is allocated %+v, want %q and %t", want.id, got, want.allocated, want.lost)
		}
		for _, name := range Paths(address) {
			found := false
			for _, leads := range Addresses(name) {
				found = found || leads == address
			}
			if !found {
				t.Errorf("%s does not lead to %s", name, address)
			}
		}
	}
	if got := allocated["group"].Folder; got != "group" {
		t.Errorf("the pages of the group are in %q", got)
	}
}

// TestDeepPages holds that an export puts at the root what would be too deep.
func TestDeepPages(t *testing.T) {
	bottom := page("bottom", "x", "")
	top := bottom
	for range maxDepth + 3 {
		top = page(strings.Repeat("p", 3), "x", "", top)
	}
	got := Pages(NewAllocator(), []*node{top}, read)["bottom"]
	if depth := strings.Count(got.File, "/"); depth > 3 || got.File == "" {
		t.Errorf("the page at the bottom is at %q", got.File)
	}
}

func TestAddress(t *testing.T) {
	for file, want := range map[string]string{
		"guides/install.md": "guides/install", "guides/README.md": "guides", "guides/": "guides",
		"README.md": "README", // the page with that slug: an export has the landing page there, which moves
		"guides":    "", "logo.png": "", "": "",
	} {
		if got := Address(file); got != want {
			t.Errorf("Address(%q) = %q, want %q", file, got, want)
		}
	}
}

func TestOf(t *testing.T) {
	for want, e := range map[string]*entity.Entry{
		".gitbook/assets/logo one.png":    {Kind: entity.KindFile, Name: "logo one.png"},
		"img/b.png":                       {Kind: entity.KindFile, Name: "c.png", Path: "img/b.png"},
		".gitbook/includes/the-answer.md": {Kind: entity.KindReusable, Title: "The Answer"},
		".gitbook/includes/ANSWER.md":     {Kind: entity.KindReusable, Title: "The Answer", Name: "ANSWER"},
		".gitbook/includes/sub/answer.md": {Kind: entity.KindReusable, Path: ".gitbook/includes/sub/answer.md"},
		"docs/a.md":                       {Kind: entity.KindPage, Path: "docs/a.md", Slug: "b"},
		"":                                {Kind: entity.KindPage, Slug: "b"},
	} {
		if got := Of(e); got != want {
			t.Errorf("Of(%+v) = %q, want %q", e, got, want)
		}
	}
}

func TestJoin(t *testing.T) {
	for _, test := range []struct {
		from, written, want string
		inside              bool
	}{
		{"a.md", "b.md", "b.md", true},
		{"guides/a.md", "b.md", "guides/b.md", true},
		{"guides/a.md", "../b.md", "b.md", true},
		{"guides/a.md", "/b.md", "b.md", true},
		{"guides/a.md", "./x/../b/", "guides/b", true},
		{"guides/a.md", "../../b.md", "b.md", false},
		{"a.md", "..", "", false},
		{"guides/a.md", "..", "", true},
		{"guides/a.md", "/../b.md", "b.md", false},
		{"", "b.md", "b.md", true},
	} {
		if got, inside := Join(test.from, test.written); got != test.want || inside != test.inside {
			t.Errorf("Join(%q, %q) = %q, %t", test.from, test.written, got, inside)
		}
	}
}

func TestLinks(t *testing.T) {
	for _, test := range []struct{ from, to, link, folder string }{
		{"a.md", "b.md", "b.md", "b.md/"},
		{"guides/a.md", "b.md", "../b.md", "../b.md/"},
		{"guides/a.md", "guides", "../guides", "./"},
		{"guides/a.md", ".", "../.", "../"},
		{"a.md", "", "", "./"},
		{"a.md", "100% #1?.md", "100%25 %231%3F.md", "100%25 %231%3F.md/"},
		{"a.md", "b:c.md", "./b:c.md", "./b:c.md/"},
		{"x/a.md", "x/y/b:c", "y/b:c", "y/b:c/"},
	} {
		if got := Link(test.from, test.to); got != test.link {
			t.Errorf("Link(%q, %q) = %q, want %q", test.from, test.to, got, test.link)
		}
		if got := LinkFolder(test.from, test.to); got != test.folder {
			t.Errorf("LinkFolder(%q, %q) = %q, want %q", test.from, test.to, got, test.folder)
		}
	}
}

// TestRelative holds that the way from one file to another leads there.
func TestRelative(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	file := func() string {
		segments := make([]string, 1+random.IntN(4))
		for i := range segments {
			segments[i] = string(rune('a' + random.IntN(3)))
		}
		return strings.Join(segments, "/") + ".md"
	}
	for range 5000 {
		from, to := file(), file()
		if got, inside := Join(from, Relative(from, to)); got != to || !inside {
			t.Fatalf("from %s the way to %s is %s, which leads to %s", from, to, Relative(from, to), got)
		}
	}
}
