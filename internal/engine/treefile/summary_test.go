package treefile

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/rectodocs/recto/internal/base/errs"
)

const summaryFile = `# Table of contents

* [Product *updates*](README.md "2026")
* [Guide \[new\]](guide/README.md)
  * [With spaces](<guide/a b.md>)
    * [Deep](guide/a/deep.md#part)
  * [External](https://example.com/x "Short")

## Get Started <a href="#getting-started" id="getting-started"></a>

* [Install](start/install.md)
* ` + "```yaml" + `
  type: builtin:openapi
  props:
    models: true
  dependencies:
    spec:
      ref:
        kind: openapi
        spec: pets
  ` + "```" + `

## More

* [About](about.md)

***

* [Changelog](changelog.md)
`

func summaryWant() *Summary {
	return &Summary{Title: "Table of contents", Items: []*SummaryItem{
		{Title: "Product updates", Target: "README.md", LinkTitle: "2026", Line: 3},
		{Title: "Guide [new]", Target: "guide/README.md", Line: 4, Items: []*SummaryItem{
			{Title: "With spaces", Target: "guide/a b.md", Line: 5, Items: []*SummaryItem{
				{Title: "Deep", Target: "guide/a/deep.md#part", Line: 6},
			}},
			{Title: "External", Target: "https://example.com/x", LinkTitle: "Short", Line: 7},
		}},
		{Kind: SummaryGroup, Title: "Get Started", Slug: "getting-started", Line: 9, Items: []*SummaryItem{
			{Title: "Install", Target: "start/install.md", Line: 11},
			{Kind: SummaryComputed, Line: 12, Computed: map[string]any{
				"type": "builtin:openapi", "props": map[string]any{"models": true},
				"dependencies": map[string]any{"spec": map[string]any{"ref": map[string]any{"kind": "openapi",
					"spec": "pets"}}},
			}},
		}},
		{Kind: SummaryGroup, Title: "More", Line: 23,
			Items: []*SummaryItem{{Title: "About", Target: "about.md", Line: 25}}},
		{Title: "Changelog", Target: "changelog.md", Divided: true, Line: 29},
	}}
}

func TestSummary(t *testing.T) {
	got, err := ParseSummary([]byte(summaryFile))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(summaryWant(), got); diff != "" {
		t.Error(diff)
	}
	written := WriteSummary(got)
	again, err := ParseSummary(written)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(got, again, cmpopts.IgnoreFields(SummaryItem{}, "Line")); diff != "" {
		t.Errorf("written it reads differently\n%s\n%s", written, diff)
	}
	if twice := WriteSummary(again); string(twice) != string(written) {
		t.Error(cmp.Diff(string(written), string(twice)))
	}
}

func TestSummaryVariants(t *testing.T) {
	tests := []struct{ name, file, want string }{
		{"four spaces", "* [A](a.md)\n    * [B](b.md)\n        * [C](c.md)\n    * [D](d.md)\n", "A(B(C) D)"},
		{"tabs", "- [A](a.md)\n\t- [B](b.md)\n- [C](c.md)", "A(B) C"},
		{"plus and text between", "Words.\n\n+ [A](a.md)\n\nmore\n+ [B](b.md)", "A B"},
		{"comments", "<!-- * [X](x.md)\n* [Y](y.md) -->\n* [A](a.md)", "A"},
		{"items without a link", "* A\n* [B](b.md)", "B"},
		{"windows", "* [A](a.md)\r\n  * [B](b.md)\r\n", "A(B)"},
		{"emphasis in titles", "* [**A** `b`](a.md)", "A b"},
		{"empty", "", ""},
	}
	var sketch func(items []*SummaryItem) string
	sketch = func(items []*SummaryItem) string {
		var parts []string
		for _, item := range items {
			part := item.Title
			if len(item.Items) > 0 {
				part += "(" + sketch(item.Items) + ")"
			}
			parts = append(parts, part)
		}
		return strings.Join(parts, " ")
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := ParseSummary([]byte(test.file))
			if err != nil {
				t.Fatal(err)
			}
			if s := sketch(got.Items); s != test.want {
				t.Errorf("got %s, want %s", s, test.want)
			}
		})
	}
}

func TestSummaryOfTheBook(t *testing.T) {
	file, err := os.ReadFile("../markdown/testdata/book/SUMMARY.md")
	if err != nil {
		t.Fatal(err)
	}
	got, err := ParseSummary(file)
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	var visit func(items []*SummaryItem)
	visit = func(items []*SummaryItem) {
		for _, item := range items {
			if item.Target != "" {
				count++
			}
			visit(item.Items)
		}
	}
	visit(got.Items)
	if count < 100 {
		t.Errorf("%d chapters", count)
	}
}

func TestSummaryRefuses(t *testing.T) {
	var deep strings.Builder
	for i := range 60 {
		deep.WriteString(strings.Repeat("  ", i) + "* [a](a.md)\n")
	}
	tests := []struct {
		name, file, want string
		kind             errs.Kind
	}{
		{"depth", deep.String(), "line 51", errs.TooLarge},
		{"YAML", "* ```yaml\n  a: [\n  ```\n", "line 1", errs.Invalid},
		{"no mapping", "* ```yaml\n  a\n  ```\n", "line 1", errs.Invalid},
		{"bytes", "* [\xff](a.md)", "line 1, column 4", errs.Invalid},
		{"size", strings.Repeat(" ", MaxSummary+1), "bytes", errs.TooLarge},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := ParseSummary([]byte(test.file))
			if err == nil || errs.KindOf(err) != test.kind || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error is %v", err)
			}
		})
	}
}

// TestGroupsWithoutNameEndTheOneBefore reads headings that say nothing as dividers.
func TestGroupsWithoutNameEndTheOneBefore(t *testing.T) {
	for _, heading := range []string{"##", "## <a>", "## &#x20;"} {
		summary, err := ParseSummary([]byte("## A\n\n* [b](b.md)\n\n" + heading + "\n\n* [c](c.md)\n"))
		if err != nil {
			t.Fatal(err)
		}
		if len(summary.Items) != 2 || summary.Items[1].Title != "c" || !summary.Items[1].Divided {
			t.Errorf("%s: %d entries, the last is %+v", heading, len(summary.Items),
				summary.Items[len(summary.Items)-1])
		}
	}
}

func FuzzParseSummary(f *testing.F) {
	f.Add(summaryFile)
	f.Add("* [a](b)\n## <A>\n* [c](d)")
	f.Add("- [a](b \"c\")\n***\n## d\n\t- [e](<f g>)\n")
	f.Fuzz(func(t *testing.T, file string) {
		if len(file) > 4096 {
			return
		}
		first, err := ParseSummary([]byte(file))
		if err != nil {
			return
		}
		written := WriteSummary(first)
		second, err := ParseSummary(written)
		if err != nil {
			t.Fatalf("%v\n%q", err, written)
		}
		if first.Title == "" {
			first.Title = second.Title // a missing one is written as the usual one
		}
		if diff := cmp.Diff(first, second, cmpopts.IgnoreFields(SummaryItem{}, "Line"),
			cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("%q\nwritten %q\n%s", file, written, diff)
		}
	})
}
