package importer_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// keptFrontMatter are spellings that an export would not choose itself.
var keptFrontMatter = map[string]string{
	"folded":           "---\ndescription: >-\n  A description that somebody\n  has folded by hand.\n---\n",
	"literal":          "---\ndescription: |\n  One\n\n  Two\n---\n",
	"long on one line": "---\ndescription: " + strings.Repeat("long text ", 12) + "end\n---\n",
	"quoted":           "---\nicon: \"book\"\ndescription: 'Plain'\n---\n",
	"another order":    "---\nhidden: true\ntags: [new, {tag: big, primary: true}]\ndescription: x\n---\n",
	"comments":         "---\n# why\ndescription: x # here\n\n# of the icon\nicon: book\n# the end\n---\n",
	"says nothing":     "---\nhidden: false\ndescription: \"\"\n---\n",
	"empty":            "---\n---\n",
	"line ends":        "---\r\ndescription: 'x'\r\nicon: book\r\n---\r\n",
	"dots":             "---\ndescription: 'x'\n...\n",
	"spaces":           "---  \ndescription:   x\n---\t\n",
	"foreign": "---\nlayout: page\nweight: 010\ndate: 2024-01-02\nnested: {b: 1, a: [x, \"y\"]}\nyes: yes\n" +
		"---\n",
	"a layout":          "---\nlayout:\n  outline: {visible: false}\n  title:\n    visible: true\n---\n",
	"variables":         "---\nvars: {b: 2, a: 'x'}\nif: 'visitor.claims.x'\n---\n",
	"names":             "---\ntitle: A title\nsidebar_label: \"Short\"\n---\n",
	"a link title":      "---\nlinkTitle: 'Short'\n---\n",
	"a slug":            "---\nslug: 'other'\nicon: book\n---\n",
	"anchors":           "---\nfirst: &a [x]\nsecond: *a\ndescription: 'x'\n---\n",
	"an odd cover":      "---\ncoverY: 10\ncover: \".gitbook/assets/a b.png\"\n---\n",
	"all on one line":   "---\n{description: x, icon: book}\n---\n",
	"too long for here": "---\ndescription: '" + strings.Repeat("word ", 100) + "'\n---\n",
	"an emoji":          "---\nemoji: \"1f680\"\n---\n",
}

// head is the front matter that a file starts with.
func head(t *testing.T, file string) string {
	t.Helper()
	end := 0
	for i, line := range strings.SplitAfter(file, "\n") {
		end += len(line)
		if trimmed := strings.TrimSpace(line); i > 0 && (trimmed == "---" || trimmed == "...") {
			return file[:end]
		}
		if i == 0 && strings.TrimSpace(line) != "---" {
			return ""
		}
	}
	t.Errorf("no end of the front matter in %q", file)
	return file
}

// treeOf is a tree with a page for each front matter.
func treeOf(frontMatter map[string]string) map[string]string {
	tree := map[string]string{".gitbook.yaml": "", ".gitbook/assets/a b.png": "x", "README.md": "# Start\n"}
	var summary strings.Builder
	summary.WriteString("# Table of contents\n\n* [Start](README.md)\n")
	for name, front := range frontMatter {
		file := entity.Slugify(name) + ".md"
		tree[file] = front + "\n# " + name + "\n\nText.\n"
		tree[".gitbook/includes/"+file] = strings.Replace(front, "---", "---\ntitle: 'About "+name+"'", 1) + "\nText.\n"
		summary.WriteString(fmt.Sprintf("* [%s](%s)\n", name, file))
	}
	tree["SUMMARY.md"] = summary.String()
	return tree
}

// TestFrontMatterKeepsItsBytes holds that front matter which nobody has changed comes out of an export as it went into
// the import.
func TestFrontMatterKeepsItsBytes(t *testing.T) {
	h := newFixture(t, dbtest.SQLite(t))
	spaceID := h.newSpace(t)
	frontMatter := map[string]string{}
	for name, front := range keptFrontMatter {
		if name != "all on one line" && name != "line ends" && name != "spaces" {
			frontMatter[name] = front // with the title of a reusable content they are another front matter
		}
	}
	tree := treeOf(frontMatter)
	for name, front := range keptFrontMatter {
		tree[entity.Slugify(name)+".md"] = front + "\n# " + name + "\n\nText.\n"
	}
	tree["SUMMARY.md"] = treeOf(keptFrontMatter)["SUMMARY.md"]
	// Reusable contents are taken because pages include them.
	for name := range frontMatter {
		tree["README.md"] += "\n{% include \".gitbook/includes/" + entity.Slugify(name) + ".md\" %}\n"
	}
	h.importFiles(t, spaceID, tree)
	exported := h.export(t, spaceID)
	for file, source := range tree {
		if !strings.HasSuffix(file, ".md") || file == "SUMMARY.md" {
			continue
		}
		if file == "a-slug.md" {
			file = "other.md" // its slug
		}
		got, there := exported[file]
		if !there {
			t.Errorf("%s is not exported: %q", file, slices.Sorted(func(yield func(string) bool) {
				for name := range exported {
					if !yield(name) {
						return
					}
				}
			}))
			continue
		}
		if diff := cmp.Diff(head(t, source), head(t, got)); diff != "" {
			t.Errorf("%s:\n%s", file, diff)
		}
	}
	// The same once more: what an export gives is imported as it was.
	again := h.newSpace(t)
	h.importFiles(t, again, exported)
	if diff := cmp.Diff(exported, h.export(t, again)); diff != "" {
		t.Errorf("exported again:\n%s", diff)
	}
}

// TestFrontMatterChangesAtOneKey holds that a field that changes is written anew in front matter, and nothing else is.
func TestFrontMatterChangesAtOneKey(t *testing.T) {
	h := newFixture(t, dbtest.SQLite(t))
	const front = "---\n# first\nhidden: true\nfoo: [a,   b]\ndescription: >-\n  Folded\n  text.\n# of the icon\n" +
		"icon: 'book'\nvars: {x:   1}\ntags:   [new]\ncover: \".gitbook/assets/a b.png\"\ncoverY:   3\ntitle: \"A " +
		"page\"\n---\n"
	for name, test := range map[string]struct {
		change func(e *entity.Entry)
		old    string // of the front matter
		now    string
	}{
		"description": {func(e *entity.Entry) { e.Description = "New." }, "description: >-\n  Folded\n  text.\n",
			"description: New.\n"},
		"icon":    {func(e *entity.Entry) { e.Icon = "gear" }, "icon: 'book'\n", "icon: gear\n"},
		"no icon": {func(e *entity.Entry) { e.Icon = "" }, "# of the icon\nicon: 'book'\n", ""},
		"hidden":  {func(e *entity.Entry) { e.Hidden = false }, "# first\nhidden: true\n", ""},
		"variables": {func(e *entity.Entry) { e.Variables = map[string]any{"y": 2.0} }, "vars: {x:   1}\n",
			"vars:\n  y: 2\n"},
		"tags": {func(e *entity.Entry) { e.Tags = []entity.Tag{{Tag: "old"}} }, "tags:   [new]\n",
			"tags:\n- old\n"},
		"foreign":   {func(e *entity.Entry) { e.Extra = map[string]any{"foo": "c"} }, "foo: [a,   b]\n", "foo: c\n"},
		"the cover": {func(e *entity.Entry) { e.Cover.YPos = 4 }, "coverY:   3\n", "coverY: 4\n"},
		"no cover": {func(e *entity.Entry) { e.Cover = nil }, "cover: \".gitbook/assets/a b.png\"\ncoverY:   3\n",
			""},
		"a new key": {func(e *entity.Entry) { e.NoIndex = true }, "title: \"A page\"\n",
			"title: \"A page\"\nnoIndex: true\n"},
		"title":        {func(e *entity.Entry) { e.Title = "Other" }, "title: \"A page\"\n", "title: Other\n"},
		"nothing else": {func(e *entity.Entry) { e.Slug = "elsewhere" }, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			spaceID := h.newSpace(t)
			h.importFiles(t, spaceID, map[string]string{
				".gitbook.yaml": "", ".gitbook/assets/a b.png": "x", "README.md": "# Start\n",
				"a.md":       front + "\n# A page\n\nText.\n",
				"SUMMARY.md": "* [Start](README.md)\n* [A page](a.md)\n",
			})
			found, err := h.head(t, spaceID).ByPath(t.Context(), "a")
			if err != nil {
				t.Fatal(err)
			}
			changed := found.Entry.Clone()
			test.change(changed)
			if _, err := h.content.Commit(t.Context(), store.CommitRequest{Space: spaceID, Author: h.admin.User.ID,
				Put: []store.Put{{Entry: changed}}}); err != nil {
				t.Fatal(err)
			}
			want := strings.Replace(front, test.old, test.now, 1)
			exported := h.export(t, spaceID)
			if diff := cmp.Diff(want, head(t, exported[changed.Slug+".md"])); diff != "" {
				t.Error(diff)
			}
			// An import of that has what the space has.
			again := h.newSpace(t)
			h.importFiles(t, again, exported)
			read, err := h.head(t, again).ByPath(t.Context(), changed.Slug)
			if err != nil {
				t.Fatal(err)
			}
			for _, field := range []string{"title", "linkTitle", "description", "icon", "hidden", "noIndex",
				"variables", "tags", "extra", "slug"} {
				if f, _ := entity.FieldNamed(field); !f.Equal(read.Entry, changed) {
					t.Errorf("imported again %s is %v, want %v", field, f.Get(read.Entry), f.Get(changed))
				}
			}
		})
	}
}

// randomFrontMatter spells random keys in random ways.
func randomFrontMatter(r *rand.Rand) string {
	value := func(text string) string {
		return []string{text, "'" + text + "'", "\"" + text + "\"", "  " + text, ">-\n  " + strings.ReplaceAll(text,
			" ", "\n  "), "|-\n  " + text}[r.IntN(6)]
	}
	texts := []string{"plain", "two words", "ünï", "a b c d e f g"}
	keys := map[string]func() string{
		"description": func() string { return value(texts[r.IntN(4)]) }, "icon": func() string {
			return value("book")
		}, "emoji": func() string { return "\"1f680\"" },
		"hidden": func() string { return []string{"true", "false", "True"}[r.IntN(3)] }, "noIndex": func() string {
			return "true"
		},
		"if": func() string { return value("visitor.x") }, "tags": func() string {
			return []string{"[a, b]", "\n- a\n-   b", "\n  - tag: a\n    primary: true"}[r.IntN(3)]
		},
		"layout": func() string {
			return []string{"{title: {visible: false}}", "\n    width:   wide", "page"}[r.IntN(3)]
		},
		"vars":      func() string { return []string{"{a: 1}", "\n  a:   'x'\n  b: true"}[r.IntN(2)] },
		"foo":       func() string { return value(texts[r.IntN(4)]) },
		"bar":       func() string { return []string{"~", "[]", "{}", "0x1F", "1.50", "2024-01-02", "yes"}[r.IntN(7)] },
		"title":     func() string { return value("Title") },
		"linkTitle": func() string { return value("Short") }, "sidebar_label": func() string { return value("Label") },
	}
	names := make([]string, 0, len(keys))
	for name := range keys {
		names = append(names, name)
	}
	slices.Sort(names)
	r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	var out strings.Builder
	out.WriteString("---\n")
	for _, name := range names[:r.IntN(7)] {
		out.WriteString([]string{"", "", "# a comment\n", "\n"}[r.IntN(4)] + name + ": " + keys[name]() + "\n")
	}
	return out.String() + "---\n"
}

// TestRandomFrontMatterKeepsItsBytes holds the same for random front matter, and that a change of the description
// leaves all other lines alone.
func TestRandomFrontMatterKeepsItsBytes(t *testing.T) {
	h := newFixture(t, dbtest.SQLite(t))
	r := rand.New(rand.NewPCG(9, 9))
	for range 6 {
		frontMatter := map[string]string{}
		for i := range 40 {
			frontMatter[fmt.Sprintf("page %d", i)] = randomFrontMatter(r)
		}
		tree := treeOf(frontMatter)
		spaceID := h.newSpace(t)
		h.importFiles(t, spaceID, tree)
		exported := h.export(t, spaceID)
		var put []store.Put
		view := h.head(t, spaceID)
		for name, front := range frontMatter {
			if got := head(t, exported[entity.Slugify(name)+".md"]); got != front {
				t.Errorf("%q became %q", front, got)
			}
			found, err := view.ByPath(t.Context(), entity.Slugify(name))
			if err != nil {
				t.Fatal(err)
			}
			changed := found.Entry.Clone()
			changed.Description = "Changed."
			put = append(put, store.Put{Entry: changed})
		}
		if _, err := h.content.Commit(t.Context(), store.CommitRequest{Space: spaceID, Author: h.admin.User.ID,
			Put: put}); err != nil {
			t.Fatal(err)
		}
		exported = h.export(t, spaceID)
		for name, front := range frontMatter {
			got := head(t, exported[entity.Slugify(name)+".md"])
			rest, added := strings.CutSuffix(strings.ReplaceAll(got, "description: Changed.\n", ""), "---\n")
			if !added || strings.Count(got, "description: Changed.\n") != 1 {
				t.Errorf("%q with another description is %q", front, got)
			}
			for line := range strings.Lines(rest) {
				if !strings.Contains(front, line) {
					t.Errorf("%q with another description has the line %q", front, line)
				}
			}
			if want := len(strings.Split(front, "\n")) - strings.Count(descriptionOf(front),
				"\n"); len(strings.Split(rest+"---\n", "\n")) < want {
				t.Errorf("%q with another description lost lines: %q", front, got)
			}
		}
		if t.Failed() {
			return
		}
	}
}

// descriptionOf is the lines of the description in front matter.
func descriptionOf(front string) string {
	var lines strings.Builder
	in := false
	for line := range strings.Lines(front) {
		in = strings.HasPrefix(line, "description:") || in && strings.HasPrefix(line, " ")
		if in {
			lines.WriteString(line)
		}
	}
	return lines.String()
}
