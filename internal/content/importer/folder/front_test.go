package folder

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/content/importer/source"
)

// TestLinesBehindFrontMatter holds that the report names lines of the file, not of what was made of it.
func TestLinesBehindFrontMatter(t *testing.T) {
	tree := read(t, map[string]string{"hugo.toml": "",
		"content/a.md": "+++\ntitle = 'A'\n\n# remark\n[x]\n\ny = 1\n+++\nOne\n"})
	if page := tree.Pages[0]; page.Entry.Title != "A" || page.FirstLine != 9 {
		t.Errorf("%q from line %d", page.Entry.Title, page.FirstLine)
	}
}

// TestAddressesOfTheSite holds that links which a browser follows from the page's address lead on.
func TestAddressesOfTheSite(t *testing.T) {
	tree := read(t, map[string]string{"hugo.toml": "", "content/docs/a.md": "---\nslug: first\n---\n[b](../b/)\n",
		"content/docs/b.md": "[a](/docs/first/) [c](../../c)\n"})
	for from, to := range map[string]string{"../b/": "docs/b.md", "/docs/first/": "docs/a.md"} {
		found := tree.Resolve("docs/a.md", from)
		if found.Kind != source.ToPage || found.Page.Base != to {
			t.Errorf("%s leads to %+v", from, found)
		}
	}
	if found := tree.Resolve("docs/b.md", "../../c"); found.Kind != source.Broken {
		t.Errorf("a page that is not there: %+v", found)
	}
}

// TestPartials holds that a page that another one shows as a component is part of that one, and that circles end.
func TestPartials(t *testing.T) {
	tree := read(t, map[string]string{"docusaurus.config.js": "", "docs/a.mdx": "import B from './_b.mdx';\n" +
		"import C from './_c.mdx'\nimport D from '@site/d.md'\n\n# A\n\n<B />\n\n<C/>\n\n<D></D>\n\n```\n<B />\n```\n",
		"docs/_b.mdx": "---\nx: 1\n---\nimport B from './_b.mdx'\n\nof b\n\n<B />\n", "d.md": "of d\n"})
	body, err := tree.Pages[0].Body.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	text := string(body)
	if strings.Count(text, "of b") != 1 || strings.Count(text, "of d") != 1 || !strings.Contains(text, "```\n<B />") {
		t.Error(text)
	}
	if noted := tree.Report.NotUnderstood; noted.Total < 2 {
		t.Errorf("what is not there, and what includes itself: %+v", noted.Items)
	}
}

// TestHomePages holds that what the front matter of a home page shows becomes text.
func TestHomePages(t *testing.T) {
	tree := read(t, map[string]string{".vitepress/config.js": "export default {}", "index.md": "---\nhero:\n" +
		"  name: Owl\n" +
		"  text: Hoots\n  image: {src: /a.png, alt: An owl}\n  actions:\n  - {text: Go, link: /b}\n  - 3\n" +
		"features:\n- {title: T, link: /b, details: D}\n" +
		"- x\n---\n\nrest\n", "b.md": "# B\n"})
	body, err := tree.Pages[0].Body.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	want := "Hoots\n\n![An owl](</a.png>)\n\n[Go](/b)\n\n## [T](/b)\n\nD\n\nrest\n"
	if diff := cmp.Diff(want, string(body)); diff != "" ||
		tree.Pages[0].Entry.Title != "Owl" {
		t.Error(tree.Pages[0].Entry.Title, diff)
	}
}

// TestSphinx holds the roles and inclusions of Sphinx.
func TestSphinx(t *testing.T) {
	r := &reader{files: open(t, map[string]string{
		"a/x.rst": ".. _My Label:\n\nHead ``code``\n====\n\ntext\n", "b.rst": "B\n===\n"}),
		tree: &source.Tree{}}
	r.layout.outer = r.files
	got := r.roles("a/x.rst", ":doc:`/b` :doc:`x` :ref:`my label` :ref:`t <My Label>` "+
		":ref:`none` :doc:`t <../b>` :kbd:`k`")
	want := "`B </b.rst>`__ `Head code </a/x.rst>`__ `Head code </a/x.rst#my-label>`__ `t </a/x.rst#my-label>`__ " +
		"`none <#none>`__ `t </b.rst>`__ ``k``"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	r.files = open(t, map[string]string{"code.py": "one\n# start\ntwo\nthree\n# end\nfour\n",
		"in.txt": ".. include:: in.txt\nmore"})
	r.layout.outer = r.files
	got = r.sphinxIncludes("b.rst", ".. literalinclude:: code.py\n   :language: python\n   :start-after: start\n"+
		"   :end-before: end\n\n.. literalinclude:: code.py\n   :lines: 1,6-\n"+
		".. include:: in.txt\n.. include:: ../out.txt\n")
	want = ".. code-block:: python\n\n   two\n   three\n\n\n.. code-block:: \n\n   one\n   four\n\nmore\n\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if noted := r.tree.Report.NotUnderstood; noted.Total != 2 {
		t.Errorf("what is not there, and what includes itself: %+v", noted.Items)
	}
}

// TestDrafts holds that pages which the tree's generator does not publish stay out and are named, once, and that those
// which its navigation does not show are not shown.
func TestDrafts(t *testing.T) {
	for name, test := range map[string]struct {
		files  map[string]string
		want   string
		left   []string
		hidden bool
	}{
		"Hugo": {map[string]string{"hugo.toml": "", "content/a.md": "+++\ntitle = 'A'\ndraft = false\n+++\n",
			"content/b/_index.md": "---\ntitle: B\ndraft: true\n---\n", "content/b/c.md": "# C\n"},
			"d a: A\ng b: B\n  d c: C\n", []string{"content/b/_index.md"}, false},
		"Docusaurus": {map[string]string{"docusaurus.config.js": "", "docs/a.md": "---\nunlisted: true\n---\n# A\n",
			"sidebars.js": "module.exports = {x: ['a', 'b']}", "docs/b.md": "---\ndraft: true\n---\n# B\n"},
			"d a: A\n", []string{"docs/b.md"}, true},
		"Starlight": {map[string]string{"astro.config.mjs": "",
			"src/content/docs/b.md": "---\ntitle: B\ndraft: true\n---\n",
			"src/content/docs/a.md": "---\ntitle: A\nsidebar:\n  hidden: true\n---\n"},
			"d a: A\n", []string{"src/content/docs/b.md"}, true},
		"Jekyll": {map[string]string{"_config.yml": "title: x", "a.md": "---\ntitle: A\nnav_exclude: true\n---\n",
			"b.md": "---\ntitle: B\npublished: false\n---\n"}, "d a: A\n", []string{"b.md"}, true},
		"Folders": {map[string]string{"a.md": "---\ndraft: true\n---\n# A\n"}, "d a: A\n", nil, false},
		"Sphinx": {map[string]string{"conf.py": "", "index.rst": ".. toctree::\n\n   a\n", "a.md": "# A\n"},
			"d a: A\n", []string{"index.rst"}, false},
	} {
		tree := read(t, test.files)
		if diff := cmp.Diff(test.want, outline(tree)); diff != "" {
			t.Errorf("%s: %s\n%+v", name, diff, tree.Report)
			continue
		}
		var left []string
		for _, note := range tree.Report.Skipped.Items {
			left = append(left, note.Place)
		}
		if diff := cmp.Diff(test.left, left); diff != "" || tree.Pages[0].Entry.Hidden != test.hidden {
			t.Errorf("%s: hidden is %v, left out: %s", name, tree.Pages[0].Entry.Hidden, diff)
		}
	}
}
