package folder

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/importer/source"
)

func TestTreesOfOtherTools(t *testing.T) {
	tree := read(t, map[string]string{
		"docusaurus.config.js":  "",
		"docs/index.mdx":        "---\ntitle: Start\n---\nimport X from './x';\n\n:::tip\nSee [setup](./guide/setup#more).\n:::\n",
		"docs/guide/setup.mdx":  "---\nsidebar_position: 1\n---\n# Set up {#setup}\n\n{{< chart >}}\n\n## More {#more}\n\nx\n",
		"docs/guide/_index.md":  "# Guide\n",
		"docs/guide/2-other.md": "> [!WARNING]\n> Hot.\n",
	})
	if diff := cmp.Diff("d readme: Start\nd guide: Guide\n  d setup: Set up\n  d 2-other: Other\n", outline(tree)); diff != "" {
		t.Error(diff)
	}
	start, setup := tree.Pages[0], tree.Pages[1].Children[0]
	if diff := cmp.Diff("{% hint style=\"success\" %}\nSee [setup](./guide/setup#more).\n{% endhint %}\n", string(start.Body)); diff != "" {
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
		if diff := cmp.Diff(body, string(tree.Pages[0].Body)); diff != "" {
			t.Errorf("%s: %s", config, diff)
		}
	}
}
