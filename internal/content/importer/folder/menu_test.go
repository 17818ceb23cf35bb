package folder

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestMenus holds the order and the titles of pages that sites say beside them.
func TestMenus(t *testing.T) {
	for _, test := range []struct {
		name, want string
		files      map[string]string
		notes      []string
	}{
		{"Nextra", "d readme: Home (Start)\nd set-up: Set up (Install it)\nd guides: Guides, all (Guides)\n" +
			"  d b: B\n  d a: A\nl : Forum -> https://forum.example/\ng api: Reference\n  d z: Z\nd about: About\n",
			map[string]string{
				"next.config.mjs": "export default {}",
				"content/_meta.js": "export default {\n  index: 'Start',\n  'set-up': {title: 'Install it', " +
					"theme: {toc: " +
					"false}},\n  '-- more': {type: 'separator', title: 'More'},\n  '---': {type: 'separator'},\n  " +
					"guides: 'Guides',\n  forum: {title: 'Forum', href: 'https://forum.example/'},\n  api: " +
					"'Reference'," +
					"\n  gone: 'Gone',\n  '*': {display: 'children'}\n}\n",
				"content/guides/_meta.json": `{"b": "B", "a": {"display": "hidden"}}`,
				"content/index.mdx":         "# Home\n", "content/set-up.mdx": "# Set up\n",
				"content/about.mdx":        "# About\n",
				"content/guides/index.mdx": "# Guides, all\n", "content/guides/a.mdx": "# A\n",
				"content/guides/b.mdx": "# B\n", "content/api/z.mdx": "# Z\n",
			}, []string{`the separator "More" is left out`}},
		{"a file of Nextra that is no program", "d a: A\nd b: B\n", map[string]string{
			"next.config.mjs": "", "content/_meta.js": "export default {b: <b>B</b>, a: 'A'}",
			"content/a.mdx": "# A\n", "content/b.mdx": "# B\n",
		}, []string{"it cannot be read, so names give the order of the pages"}},
		{"a file of Nextra that never ends", "d a: A\nd b: B\n", map[string]string{
			"next.config.mjs": "", "content/_meta.js": "for (;;) {}", "content/a.mdx": "# " +
				"A\n", "content/b.mdx": "# B\n",
		}, []string{"it cannot be read, so names give the order of the pages"}},
		{"files of Nextra of other forms", "d a: A\ng x: X\n  d b: B\n", map[string]string{
			"next.config.mjs": "", "content/_meta.json": `["b", "a"]`, "content/x/_meta.json": `{"b": 7, "c": null}`,
			"content/a.mdx": "# A\n", "content/x/b.mdx": "# B\n",
		}, []string{"it cannot be read, so names give the order of the pages"}},
		{"Hugo", "d c: C (See)\nd b: B\ng docs: Docs\n  d y: Y\n  d x: X\nd a: A\nd d: D\n", map[string]string{
			"hugo.toml": "[[menus.main]]\nname = 'Docs'\npageRef = '/docs'\nweight = 30\n[[menus.main]]\nname = " +
				"'Elsewhere'\nurl = 'https://example.org/a'\nweight = 1\n[[menus.footer]]\npageRef = " +
				"'/docs'\nweight = 1\n",
			"content/a.md": "---\ntitle: A\nweight: 40\nmenu:\n  main:\n    weight: 1\n---\n",
			"content/b.md": "+++\ntitle = 'B'\n[menus.main]\nweight = 20\n+++\n",
			"content/c.md": "---\ntitle: C\nmenu: {footer: {weight: 90}, main: {weight: 10, name: See}}\n---\n",
			"content/d.md": "---\ntitle: D\nmenu: main\n---\n", "content/docs/x.md": "---\ntitle: X\n---\n",
			"content/docs/y.md":          "---\ntitle: Y\n---\n",
			"config/_default/menus.toml": "[[main]]\npageRef = 'docs/y/'\nweight = 1\n[[main]]\nidentifier = 'x'\n",
		}, nil},
		{"menus of Hugo of other forms", "d a: A\n", map[string]string{
			"hugo.yaml":    "menu: [1, {main: 2}]\nmenus: {main: {pageRef: a}, docs: [x, {pageRef: 7, weight: y}]}\n",
			"content/a.md": "---\ntitle: A\nmenu: [main, 7]\nmenus: {main: [1], docs: x}\n---\n",
		}, nil},
	} {
		tree := read(t, test.files)
		if diff := cmp.Diff(test.want, outline(tree)); diff != "" {
			t.Errorf("%s: %s\n%+v", test.name, diff, tree.Report)
		}
		var notes []string
		for _, note := range tree.Report.NotUnderstood.Items {
			notes = append(notes, note.Message)
		}
		for i, want := range test.notes {
			if len(notes) != len(test.notes) || !strings.HasPrefix(notes[i], want) {
				t.Errorf("%s: the report says %q, want %q", test.name, notes, test.notes)
				break
			}
		}
	}
	tree := read(t, map[string]string{"next.config.mjs": "", "content/_meta.json": `{"a": {"display": "hidden"}}`,
		"content/a.mdx": "# A\n", "content/b.mdx": "# B\n"})
	if !tree.Pages[0].Entry.Hidden || tree.Pages[1].Entry.Hidden {
		t.Error("the page that navigation does not show is not hidden")
	}
}

// TestTagsFile holds that pages and updates have the labels of their tags, that what tags here do not have is reported,
// and that no such file keeps pages out.
func TestTagsFile(t *testing.T) {
	for text, want := range map[string][3]string{
		"- tag: beta\n  label: In \"beta\", now\n- tag: new\n  color: red\n- tag: old\n  label: In \"beta\", now\n": {
			"colours and icons of 1 tags are left out", `In "beta" now, old, other`, "In &quot;beta&quot; now,new"},
		"- tag: beta\n": {"", "beta, old, other", "beta,new"}, "": {"", "beta, old, other", "beta,new"},
		"x: [":   {"it is no list of tags", "beta, old, other", "beta,new"},
		"a: b\n": {"it is no list of tags", "beta, old, other", "beta,new"},
	} {
		tree := read(t, map[string]string{".gitbook/tags.yaml": text,
			"README.md": "---\ntags: [beta, old, other]\n---\n# A\n\n{% updates format=\"full\" %}\n" +
				"{% update date=\"2026-01-02\" tags=\"beta, new\" %}\nx\n{% endupdate %}\n{% endupdates %}\n",
			"SUMMARY.md": "# Table of contents\n\n* [A](README.md)\n"})
		var notes, tags []string
		for _, note := range tree.Report.NotUnderstood.Items {
			notes = append(notes, note.Message)
		}
		for _, tag := range tree.Pages[0].Entry.Tags {
			tags = append(tags, tag.Tag)
		}
		got := [3]string{strings.Join(notes, "; "), strings.Join(tags, ", ")}
		_, got[2], _ = strings.Cut(tree.Pages[0].Body.String(), `tags="`)
		got[2], _, _ = strings.Cut(strings.ReplaceAll(got[2], ", ", ","), `" %}`)
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestReferencesOfMintlify holds that the operations that the navigation and the pages of Mintlify name are shown.
func TestReferencesOfMintlify(t *testing.T) {
	tree := read(t, map[string]string{
		"docs.json": `{"navigation": {"tabs": [{"tab": "Docs", "pages": ["index"]},
			{"tab": "API", "openapi": "/api/pets.json",
				"groups": [{"group": "Some", "pages": ["GET /pets", "api/new"]}]},
			{"tab": "All", "openapi": {"source": "api/pets.json", "directory": "x"}},
			{"tab": "Else", "openapi": "https://x.test/a.json", "pages": ["GET /x"]},
			{"tab": "None", "openapi": "https://x.test/a.json"}]}}`,
		"index.mdx":   "---\ntitle: Home\n---\n",
		"api/new.mdx": "---\nopenapi: post /pets\n---\nMore of it.\n",
		"api/old.mdx": "---\ntitle: Old\napi: GET /old\n---\nText.\n",
		"api/bad.mdx": "---\ntitle: Bad\nopenapi: api/pets.json GET /none/{id}\n---\n",
		"api/pets.json": `{"openapi": "3.0.0", "info": {"title": "P", "version": "1"}, "paths": {"/pets": {` +
			`"get": {"summary": "List pets", "tags": ["Pets"], "responses": {}}, ` +
			`"post": {"summary": "New pet", "responses": {}}}}}`,
	})
	want := "g : Docs\n  d readme: Home\ng : API\n  d : Some\n    d : List pets\n    d new: New pet\ng : All\n" +
		"  d : Pets\n    d : List pets\n  d : New pet\ng : Else\n  d : GET /x\nd bad: Bad\nd old: Old\n"
	if diff := cmp.Diff(want, outline(tree)); diff != "" {
		t.Fatal(diff)
	}
	block := "{% openapi src=\"/api/pets.json\" path=\"/pets\" method=\"post\" headless=\"true\" %}\n" +
		"[pets.json](</api/pets.json>)\n{% endopenapi %}\n"
	if got := tree.Pages[1].Children[0].Children[1].Body.String(); got != "More of it.\n\n"+block {
		t.Errorf("the page of an operation: %s", got)
	}
	if got := tree.Pages[5].Body.String(); got != "`GET /old`\n\nText.\n\n" {
		t.Errorf("a page that says its operation itself: %q", got)
	}
	if len(tree.Files) != 1 || tree.Files[0].Name != "pets.json" {
		t.Errorf("files: %v", tree.Files)
	}
	var notes []string
	for _, note := range tree.Report.NotUnderstood.Items {
		notes = append(notes, note.Message)
	}
	if diff := cmp.Diff([]string{"the pages of the operations of https://x.test/a.json are left out: it is no " +
		"description among the files", "openapi: no description among the files has api/pets.json GET /none/{id}"},
		notes); diff != "" {
		t.Error(diff)
	}
}
