package folder

import "testing"

// Marks of each kind are counted where they count, and not where they only look alike.
func TestCountMarks(t *testing.T) {
	for _, each := range []struct {
		name  string
		page  string
		marks []mark
		want  int
	}{
		{"tags of the dialect", "{% hint style=\"info\" %}\n{%tab title=\"A\"%}\n{% endhint %}", dialectMarks,
			2},
		{"a tag that does not end", "{% hint\n", dialectMarks, 0},
		{"a tag of Jekyll", "{% liquid x %}", dialectMarks, 0},
		{"files and looks of the dialect", "![](../.gitbook/assets/a.png) <table data-view=\"cards\">",
			dialectMarks, 2},
		{"includes of mdBook", "{{#include a.rs}} {{ #rustdoc_include b.rs:2 }} {{#rest}} {{ x }}", bookMarks, 2},
		{"listings", "<Listing number=\"1\">\n<Listing>\n<Listings>", bookMarks, 2},
		{"fences of Rust", "```rust,ignore\n```\n ```rust,no_run\n```rust\n", bookMarks, 1},
		{"admonitions", "!!! note\ntext !!! note\n???+ tip\n::: warning\n:::warning\n::: else\n", otherMarks, 4},
		{"imports and parts", "import Tabs from '@theme/Tabs'\nimport 'x'\n<Tabs>\n  <Tabs>\n<CardGroup>",
			otherMarks, 3},
		{"short codes of Hugo", "{{< note >}}\n{{% note %}}\n{{ x }}", otherMarks, 2},
		{"nothing", "", otherMarks, 0},
	} {
		if got := countMarks([]byte(each.page), each.marks); got != each.want {
			t.Errorf("%s: %d marks, want %d", each.name, got, each.want)
		}
	}
}
