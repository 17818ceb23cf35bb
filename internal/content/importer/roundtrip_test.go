package importer_test

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/importer"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// generator makes random content: pages of all types with the names that trouble file systems and parsers.
type generator struct {
	t      *testing.T
	random *rand.Rand
	h      *fixture
	puts   []store.Put
	// pages are documents with their anchors, files and reusables the others' ids.
	pages, files, reusables []string
	bodies                  []func()
}

func (g *generator) pick(from ...string) string { return from[g.random.IntN(len(from))] }

func (g *generator) chance(percent int) bool { return g.random.IntN(100) < percent }

func (g *generator) title() string {
	words := []string{"Guide", "API", "*star*", "`code`", "[x]", "<b>bold</b>", "&amp;", "C&C", "#1", ":smile:",
		"{% hint %}", "$5 $6", "Zürich", "日本語", "1.", "- dash", "a_b_c", "\"quote\"", "it's", "\\back", "!", "~~s~~",
		"(paren)", "http://x.org", "|pipe|", "README", "end #", "{{ x }}"}
	var parts []string
	for range 1 + g.random.IntN(3) {
		parts = append(parts, g.pick(words...))
	}
	return strings.Join(parts, " ")
}

// slugs returns distinct slugs for siblings.
func (g *generator) slug(taken map[string]bool) string {
	for {
		slug := g.pick("a", "A", "b", "readme", "README", "Readme", "SUMMARY", "summary", ".net", "..x", "index",
			"v1.2", "a.md", "x.html", "node_modules", "日本", "über", "ÜBER", "con", "guide", "Guide", ".gitbook",
			"pages", "01-a", "a-1", "__MACOSX", "x.", strings.Repeat("long", 25), "_", "-", "+")
		if g.chance(40) {
			slug += fmt.Sprint(g.random.IntN(50))
		}
		if !taken[slug] && entity.ValidSlug(slug) {
			taken[slug] = true
			return slug
		}
	}
}

func (g *generator) fill(e *entity.Entry) {
	if g.chance(30) {
		e.LinkTitle = g.title()
	}
	if g.chance(30) {
		e.Description = g.pick("Short.", "Two\nlines: \"x\"", strings.Repeat("long text ", 25), "- list", "'",
			"#no comment")
	}
	if g.chance(20) {
		e.Icon = g.pick("rocket", "book-open")
	}
	if g.chance(20) {
		e.Emoji = "1f600"
	}
	e.Hidden, e.NoIndex, e.NoRobotsIndex = g.chance(10), g.chance(10), g.chance(10)
	if g.chance(10) {
		e.Condition = `visitor.claims.unsigned.a === "x" && 1 > 0`
	}
	if g.chance(20) {
		e.Tags = []entity.Tag{{Tag: "alpha"}, {Tag: "beta", Primary: true}}
	}
	if g.chance(20) {
		yes, no := true, false
		e.Layout = &entity.Layout{Width: g.pick("", "default", "wide"), CoverSize: g.pick("", "hero"), Title: &no,
			Outline: &yes}
	}
	if g.chance(20) {
		e.Variables = map[string]any{"a": "1", "b": 2.5, "c": true, "d_1": "x: y"}
	}
	if g.chance(20) {
		e.Extra = map[string]any{"custom": g.pick("x", "true", "1", "null", ""), "list": []any{"a", 1.0, false},
			"map": map[string]any{"k": "v"}}
	}
	if g.chance(20) && len(g.files) > 0 {
		e.Cover = &entity.Cover{Ref: &doc.Ref{Kind: "file", File: g.pick(g.files...)},
			YPos: float64(g.random.IntN(50)), Height: 100}
	}
}

// body writes text with links to what there is.
func (g *generator) body() []byte {
	var out strings.Builder
	for range g.random.IntN(6) {
		page, anchor := g.pick(g.pages...), g.pick("", "#part", "#none")
		switch g.random.IntN(12) {
		case 0:
			fmt.Fprintf(&out, "See [a *b*](/pages/%s%s \"t\") and [c][d].\n\n[d]: /pages/%s\n\n", page, anchor, page)
		case 1:
			fmt.Fprintf(&out, "## Part\n\n")
		case 2:
			out.WriteString("```md\n[no](guide.md)\n# no\n---\n```\n\n")
		case 3:
			if len(g.files) > 0 {
				fmt.Fprintf(&out,
					"![x](/files/%s) <img src=\"/files/%s\" alt=\"\">\n\n{%% file src=\"/files/%s\" %%}\n\n",
					g.pick(g.files...), g.pick(g.files...), g.pick(g.files...))
			}
		case 4:
			if len(g.reusables) > 0 {
				fmt.Fprintf(&out, "{%% include \"/reusable-content/%s\" %%}\n\n", g.pick(g.reusables...))
			}
		case 5:
			fmt.Fprintf(&out, "{%% hint style=\"info\" %%}\n[x](/pages/%s)\n{%% endhint %%}\n\n", page)
		case 6:
			out.WriteString("[ext](https://example.org/a?b#c) <a@b.org> [here](#part) [mail](mailto:x@y.org) " +
				"[broken](/broken/pages/x)\n\n")
		case 7:
			fmt.Fprintf(&out, "<a href=\"/pages/%s\" class=\"button primary\">B</a>  \r\ntext\\\nmore\n\n", page)
		case 8:
			out.WriteString("    indented [x](/broken/pages/y)\n\n* a\n  * b\n\n---\n\ntitle: x\n---\n\n")
		case 9:
			fmt.Fprintf(&out, "| a | b |\n| --- | --- |\n| [x](/pages/%s) | `y` |\n\n", page)
		case 10:
			out.WriteString("# A heading of the first level\n\n\n\n")
		case 11:
			fmt.Fprintf(&out, "{%% content-ref url=\"/pages/%s\" %%}\n[x](/pages/%s)\n{%% endcontent-ref %%}\n\n", page,
				page)
		}
	}
	return []byte(strings.TrimLeft(out.String(), " \n"))
}

// importerTakes reports whether a file is taken from a place of its own although nothing names it.
func importerTakes(name string) bool {
	return strings.HasSuffix(name, ".png") || strings.HasSuffix(name, ".svg")
}

func (g *generator) addFiles() {
	places := map[string]bool{}
	for range g.random.IntN(6) {
		name := g.pick("a.png", "A b (1).png", "ü #1?.pdf", "50%25.txt", "x.md", "no-extension", "README.md",
			"it's & \"q\".svg")
		e := &entity.Entry{ID: id.New("file"), Kind: entity.KindFile, Name: name, ContentType: "image/png"}
		if g.chance(50) && importerTakes(name) {
			e.Path = g.pick("img/", "guide/", "a/b/", ".gitbook/assets/sub/") + name
		}
		// Names that file systems refuse are changed on the way out, names that differ in case too: not here.
		place := strings.ToLower(e.Path + "|" + e.Name)
		if places[place] || strings.ContainsAny(name, `?"`) || strings.HasSuffix(name, ".md") &&
			!strings.HasPrefix(e.Path, ".gitbook/") && e.Path != "" {
			continue
		}
		places[place] = true
		var err error
		if e.Blob, e.Size, err = g.h.content.PutFile(g.t.Context(), strings.NewReader(name+e.Path)); err != nil {
			g.t.Fatal(err)
		}
		e.ContentType = map[string]string{".png": "image/png", ".pdf": "application/pdf", ".txt": "text/plain",
			".svg": "image/svg+xml", ".md": "text/markdown"}[filepath.Ext(name)]
		if e.ContentType == "" {
			e.ContentType = "text/plain"
		}
		g.files = append(g.files, e.ID)
		g.puts = append(g.puts, store.Put{Entry: e})
	}
}

func (g *generator) addPages(parent string, depth int) {
	taken := map[string]bool{}
	count := 1 + g.random.IntN(5)
	positions := entity.Positions(count)
	type later struct {
		entry *entity.Entry
		rank  int
	}
	var titled []later
	for i := range count {
		e := &entity.Entry{ID: id.New("page"), Kind: entity.KindPage, Type: entity.PageDocument, Parent: parent,
			Position: positions[i], Title: g.title()}
		kind := g.random.IntN(10)
		switch {
		case kind == 0 && parent == "" && i > 0:
			e.Type, e.Slug = entity.PageGroup, g.slug(taken)
		case kind == 1 && i > 0:
			e.Type = entity.PageLink
			titled = append(titled, later{e, 1})
		case kind == 2 && i > 0:
			e.Type = entity.PageComputed
			e.Computed = &entity.Computed{Type: "builtin:openapi", Props: map[string]any{"models": true, "n": 1.0},
				Dependencies: map[string]any{"spec": map[string]any{"ref": map[string]any{"kind": "openapi",
					"spec": "x"}}}}
			titled = append(titled, later{e, 0})
		default:
			e.Slug = g.slug(taken)
			g.fill(e)
			g.pages = append(g.pages, e.ID)
		}
		at := len(g.puts)
		g.puts = append(g.puts, store.Put{Entry: e})
		g.bodies = append(g.bodies, func() {
			switch e.Type {
			case entity.PageDocument:
				g.puts[at].Body = g.body()
			case entity.PageLink:
				e.Target = &doc.Ref{Kind: "page", Page: g.pick(g.pages...)}
				switch g.random.IntN(4) {
				case 0:
					e.Target = &doc.Ref{Kind: "url", URL: "https://example.org/a_b?c=(d)"}
				case 1:
					e.Target.Kind, e.Target.Anchor = "anchor", "part"
				case 2:
					if len(g.files) > 0 {
						e.Target = &doc.Ref{Kind: "file", File: g.pick(g.files...)}
					}
				}
			}
		})
		if (e.Type == entity.PageDocument || e.Type == entity.PageGroup) && depth < 4 && g.chance(40) {
			g.addPages(e.ID, depth+1)
		}
	}
	// Slugs of links and computed pages are not in the files: they follow from the titles.
	for rank := range 2 {
		for _, each := range titled {
			if each.rank == rank {
				each.entry.Slug = entity.UniqueSlug(each.entry.Title, func(s string) bool { return taken[s] })
				taken[each.entry.Slug] = true
			}
		}
	}
}

// TestExportAndImportGiveTheSameContent is the law of this package on random content.
func TestExportAndImportGiveTheSameContent(t *testing.T) {
	h := newFixture(t, dbtest.SQLite(t))
	for seed := range uint64(60) {
		g := &generator{t: t, random: rand.New(rand.NewPCG(seed, 7)), h: h}
		g.addFiles()
		for i := range g.random.IntN(3) {
			e := &entity.Entry{ID: id.New("content"), Kind: entity.KindReusable, Title: g.title() + fmt.Sprint(" ", i)}
			if g.chance(30) {
				e.Name = g.pick("other", "Name") + fmt.Sprint(i)
			}
			g.reusables = append(g.reusables, e.ID)
			at := len(g.puts)
			g.puts = append(g.puts, store.Put{Entry: e})
			g.bodies = append(g.bodies, func() { g.puts[at].Body = g.body() })
		}
		g.addPages("", 0)
		for _, write := range g.bodies {
			write()
		}
		if g.chance(50) {
			g.puts = append(g.puts, store.Put{Entry: &entity.Entry{ID: entity.VariablesID, Kind: entity.KindVariables,
				Variables: map[string]any{"product": "Recto", "n": 3.0, "yes": true, "odd": "a: b #c"}}})
			g.puts = append(g.puts, store.Put{Entry: &entity.Entry{Kind: entity.KindRedirect, Path: "old/some/path",
				Target: &doc.Ref{Kind: "page", Page: g.pages[0]}}})
		}
		first := h.newSpace(t)
		if _, err := h.content.Commit(t.Context(), store.CommitRequest{Space: first, Author: h.admin.User.ID,
			Put: g.puts}); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		exported := h.export(t, first)
		second := h.newSpace(t)
		result := h.importFiles(t, second, exported)
		if diff := cmp.Diff(described(t, h.head(t, first)), described(t, h.head(t, second))); diff != "" {
			t.Errorf("seed %d: other content:\n%s\nexport: %q", seed, diff, slices.Sorted(maps.Keys(exported)))
		}
		if diff := cmp.Diff(exported, h.export(t, second)); diff != "" {
			t.Errorf("seed %d: another export:\n%s", seed, diff)
		}
		if result.Report.Skipped.Total > 0 {
			t.Errorf("seed %d: skipped %v", seed, result.Report.Skipped)
		}
		if t.Failed() {
			return
		}
	}
}

func TestExportIntoADirectory(t *testing.T) {
	h := newFixture(t, dbtest.SQLite(t))
	spaceID := h.newSpace(t)
	h.importFiles(t, spaceID, dialectTree)
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	count, err := h.Export(t.Context(), h.head(t, spaceID), importer.NewDirectorySink(root))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range h.export(t, spaceID) {
		got, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil || !bytes.Equal(got, []byte(want)) {
			t.Errorf("%s: %v", name, err)
		}
		count--
	}
	if count != 0 {
		t.Errorf("the count is off by %d", count)
	}
	if _, err := h.Export(t.Context(), h.head(t, spaceID), importer.NewDirectorySink(root)); err == nil {
		t.Error("an export replaced files that were there")
	}
	tree, err := importer.ReadDirectory(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	if tree.Count() != 10 {
		t.Errorf("%d pages are read back", tree.Count())
	}
}

// TestRedirectsOfMovesAreExported holds that what a move leaves behind works for the pages below, too.
func TestRedirectsOfMovesAreExported(t *testing.T) {
	h := newFixture(t, dbtest.SQLite(t))
	spaceID := h.newSpace(t)
	h.importFiles(t, spaceID, map[string]string{".gitbook.yaml": "",
		"SUMMARY.md": "* [A](a/README.md)\n  * [B](a/b/README.md)\n    * [C](a/b/c.md)\n", "a/README.md": "# A\n",
		"a/b/README.md": "# B\n", "a/b/c.md": "# C\n"})
	view := h.head(t, spaceID)
	resolved, err := view.ByPath(t.Context(), "a/b")
	if err != nil {
		t.Fatal(err)
	}
	moved := resolved.Entry.Clone()
	moved.Slug = "new"
	if _, err := h.content.Commit(t.Context(), store.CommitRequest{Space: spaceID, Author: h.admin.User.ID,
		Put: []store.Put{{Entry: moved}}}); err != nil {
		t.Fatal(err)
	}
	want := "structure:\n  readme: a/README.md\nredirects:\n  a/b: a/new/README.md\n  a/b/c: a/new/c.md\n"
	if diff := cmp.Diff(want, h.export(t, spaceID)[".gitbook.yaml"]); diff != "" {
		t.Error(diff)
	}
}
