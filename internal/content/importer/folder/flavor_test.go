package folder

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/content/importer/source"
)

func TestTreesOfOtherTools(t *testing.T) {
	tree := read(t, map[string]string{
		"docusaurus.config.js": "",
		"docs/index.mdx": "---\ntitle: Start\n---\nimport X from './x';\n\n:::tip\nSee " +
			"[setup](./guide/setup#more).\n:::\n",
		"docs/guide/setup.mdx": "---\nsidebar_position: 1\n---\n# Set up {#setup}\n\n{{< chart >}}\n\n## More " +
			"{#more}\n\nx\n",
		"docs/guide/_index.md":  "# Guide\n",
		"docs/guide/2-other.md": "> [!WARNING]\n> Hot.\n",
	})
	if diff := cmp.Diff("d readme: Start\nd guide: Guide\n  d setup: Set up\n  d other: Other\n",
		outline(tree)); diff != "" {
		t.Error(diff)
	}
	start, setup := tree.Pages[0], tree.Pages[1].Children[0]
	if diff := cmp.Diff("{% hint style=\"success\" %}\nSee [setup](./guide/setup#more).\n{% endhint %}\n",
		start.Body.String()); diff != "" {
		t.Error(diff)
	}
	if found := tree.Resolve(start.Base, "./guide/setup#more"); found.Kind != source.ToPage || found.Page != setup {
		t.Errorf("the link leads to %+v", found)
	}
	if top, known := setup.Anchors["setup"]; !known || top != "" {
		t.Errorf("anchors: %v", setup.Anchors)
	}
	if items := tree.Report.NotUnderstood.Items; len(items) != 1 || items[0].Place != "docs/guide/setup.mdx" {
		t.Errorf("not understood: %v", items)
	}
}

// TestTablesOfContentsKeepTheirDialect holds that a tree in the dialect is not taken for one of another tool.
func TestTablesOfContentsKeepTheirDialect(t *testing.T) {
	body := "> [!NOTE]\n> x\n\n::: tip\ny\n:::\n"
	for _, config := range []string{".gitbook.yaml", ".gitbook/assets/x.txt"} {
		tree := read(t, map[string]string{"SUMMARY.md": "* [A](a.md)\n", "a.md": "# A\n\n" + body, config: ""})
		if diff := cmp.Diff(body, tree.Pages[0].Body.String()); diff != "" {
			t.Errorf("%s: %s", config, diff)
		}
	}
}

func TestNavigationOfMkDocs(t *testing.T) {
	tree := read(t, map[string]string{
		"mkdocs.yml": "site_name: X\ntheme: !!python/name:a.b\ndocs_dir: content\nnav:\n  - Home: index.md\n  - " +
			"Guide:\n      - guide/z.md\n      - The A: guide/a.md\n" +
			"      - More:\n          - guide/deep.md\n  - Forum: https://forum.example/\n  - gone.md\n",
		"content/index.md": "# Welcome\n\n!!! tip\n    x\n", "content/guide/a.md": "# A\n",
		"content/guide/z.md": "# Z\n", "content/guide/deep.md": "# Deep\n",
		"content/extra.md": "# Extra\n\n[a](guide/a.md)\n", "README.md": "# Not this\n",
	})
	want := "d readme: Welcome (Home)\ng : Guide\n  d z: Z\n  d a: A (The A)\n  d : More\n    d deep: Deep\nl : " +
		"Forum -> https://forum.example/\nd extra: Extra\n"
	if diff := cmp.Diff(want, outline(tree)); diff != "" {
		t.Error(diff)
	}
	if last := tree.Pages[len(tree.Pages)-1]; !last.Entry.Hidden || tree.Pages[0].Entry.Hidden {
		t.Error("the page that the navigation does not name is not hidden")
	}
	if broken := tree.Report.Broken.Items; len(broken) != 1 || broken[0].Place != "mkdocs.yml:12" ||
		broken[0].Target != "gone.md" {
		t.Errorf("broken: %v", broken)
	}
	if body := tree.Pages[0].Body.String(); body != "{% hint style=\"success\" %}\nx\n{% endhint %}\n" {
		t.Errorf("the body is %q", body)
	}
}

func TestLinksByTheAddressesOfASite(t *testing.T) {
	tree := read(t, map[string]string{
		"intro.md": "# Intro\n", "content/commands/install.md": "# Install\n", "content/api/index.md": "# API\n",
		"content/v1/notes/a.md": "# A\n", "content/v2/notes/a.md": "# A\n",
		"output/commands/install.html": "<h1>Install</h1>",
	})
	for destination, want := range map[string]string{
		"/docs/intro": "intro.md", "/docs/next/intro/": "intro.md", "/commands/install": "content/commands/install.md",
		"/commands/install.html#x": "content/commands/install.md",
		"/site/content/api/":       "content/api/index.md", "/notes/a": "", "/install": "", "/docs/none": "",
		"../docs/intro": "",
	} {
		got := ""
		if found := tree.Resolve("intro.md", destination); found.Kind == source.ToPage {
			got = found.Page.Place
		}
		if got != want {
			t.Errorf("%s leads to %q, want %q", destination, got, want)
		}
	}
}
