package folder

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFormsOfEarlierExporters(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"escapes in a title": {
			"{% tabs %}\n{% tab title=\"A \\\"quoted\\\" \\\\ one\" %}\nx\n{% endtab %}\n{% endtabs %}\n",
			"{% tabs %}\n{% tab title=\"A &quot;quoted&quot; \\ one\" %}\nx\n{% endtab %}\n{% endtabs %}\n"},
		"a path in a title": {"{% code title=\"C:\\dir\\\\x\" %}\n", "{% code title=\"C:\\dir\\\\x\" %}\n"},
		"an indented end":   {"{% hint %}\nx\n    {% endhint %}\n", "{% hint %}\nx\n{% endhint %}\n"},
		"an end in a list": {"* a\n\n  {% hint %}\n  x\n  {% endhint %}\n",
			"* a\n\n  {% hint %}\n  x\n  {% endhint %}\n"},
		"text before an end": {"{% hint %}\nSome text {% endhint %}\n", "{% hint %}\nSome text\n{% endhint %}\n"},
		"an item before an end": {"  {% hint %}\n  * One {% endhint %}\n",
			"  {% hint %}\n  * One\n  {% endhint %}\n"},
		"an end of nothing": {"Text {% endhint %}\n", "Text {% endhint %}\n"},
		"an end that is text": {"{% hint %}\nText \\{% endhint %}\n{% endhint %}\n",
			"{% hint %}\nText \\{% endhint %}\n{% endhint %}\n"},
		"an end in code": {"{% hint %}\n```\nx {% endhint %}\n```\n{% endhint %}\n",
			"{% hint %}\n```\nx {% endhint %}\n```\n{% endhint %}\n"},
		"bold beside punctuation": {"**重要：**请看。\n", "<strong>重要：</strong>请看。\n"},
		"bold in quotes":          {"这是**“引号”**文字。\n", "这是<strong>“引号”</strong>文字。\n"},
		"bold as ever":            {"**重要** 请看 **x：** y **z**的\n", "**重要** 请看 **x：** y **z**的\n"},
		"bold in code": {"```\n**重要：**请看\n```\n`**重要：**请看`\n",
			"```\n**重要：**请看\n```\n`**重要：**请看`\n"},
		"a table of text": {"| A |\n| - |\n| One<br>Two |\n", "| A |\n| - |\n| One<br>Two |\n"},
		"a table of blocks": {"Before.\n\n| A | B |\n| - | - |\n| <p>One</p><p>Two</p> | " +
			"<ul><li>x <b>y</b></li><li>z</li></ul> |\n\nAfter.\n",
			"Before.\n\n<table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td><p>One</p><p>Two</p></td>" +
				"<td><ul><li>x <strong>y</strong></li><li>z</li></ul></td></tr></tbody></table>\n\nAfter.\n"},
		"lists out of order": {"| A |\n| - |\n| <ul>x<ul></li> |\n", "| A |\n| - |\n| <ul>x<ul></li> |\n"},
	} {
		got, lines := mend(test.text)
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
		if lines && strings.Count(got, "\n") != strings.Count(test.text, "\n") {
			t.Errorf("%s: the lines are said to be where they were", name)
		}
		if again, _ := mend(got); again != got {
			t.Errorf("%s: mended twice it is\n%s", name, again)
		}
	}
}

// TestFormsOfTodayKeepTheirBytes mends the manual.
func TestFormsOfTodayKeepTheirBytes(t *testing.T) {
	for _, name := range []string{"writing/dialect.md", "writing/pages.md", "publish/site.md", "start/import.md"} {
		text, err := os.ReadFile("../../../../docs/manual/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if got, lines := mend(string(text)); got != string(text) || !lines {
			t.Errorf("%s: %s", name, cmp.Diff(string(text), got))
		}
	}
}
