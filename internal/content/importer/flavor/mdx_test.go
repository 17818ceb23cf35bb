package flavor

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/content/importer/generator"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/markdown"
)

func TestComponents(t *testing.T) {
	for _, test := range []struct{ name, in, want string }{
		{"steps of Mintlify", "<Steps>\n  <Step title=\"Get it\">\n    Run `x`.\n\n    ```sh\n    y\n    ```\n  " +
			"</Step>\n" +
			"  <Step title=\"Use it\">Now.</Step>\n</Steps>\n", "{% stepper %}\n{% step %}\n### Get it\n\nRun " +
			"`x`.\n\n```sh" +
			"\ny\n```\n{% endstep %}\n{% step %}\n### Use it\n\nNow.\n{% endstep %}\n{% endstepper %}\n"},
		{"steps of Starlight", "<Steps>\n\n1. One\n2. Two\n\n</Steps>\n", "\n1. One\n2. Two\n\n"},
		{"cards", "<CardGroup cols={2}>\n  <Card title=\"A\" icon=\"x\" href=\"/a\">\n    Text *of* it.\n  " +
			"</Card>\n  " +
			"<Card title=\"B\" href=\"/b\" />\n</CardGroup>\n",
			"\n**[A](/a)**\n\nText *of* it.\n\n\n**[B](/b)**\n\n"},
		{"a picture in a frame", "<Frame caption=\"A & b\">\n  <img src=\"/a.png\" alt=\"x\" />\n</Frame>\n",
			"\n<figure><img src=\"/a.png\" alt=\"x\"><figcaption><p>A &amp; b</p></figcaption></figure>\n\n"},
		{"fields", "<ParamField body=\"id\" type=\"string\" required>\n  What it *is*.\n</ParamField>\n",
			"\n**`id`** `string` required\n\nWhat it *is*.\n\n"},
		{"accordions", "<AccordionGroup>\n<Accordion title=\"Why?\">\n  So.\n</Accordion>\n</AccordionGroup>\n",
			"\n<details>\n\n<summary>Why?</summary>\n\nSo.\n\n</details>\n\n"},
		{"tabs of Nextra", "<Tabs items={['npm', 'yarn']}>\n  <Tabs.Tab>a</Tabs.Tab>\n  <Tabs.Tab>\n    b\n  " +
			"</Tabs.Tab>\n" +
			"</Tabs>\n", "<Tabs items={['npm', 'yarn']}>"},
		{"a tree of files", "<FileTree>\n  <FileTree.Folder name=\"src\" open>\n    <FileTree.File name=\"a.ts\" " +
			"/>\n  " +
			"</FileTree.Folder>\n  <FileTree.File name=\"b\" />\n</FileTree>\n", "\n* src\n  * a.ts\n* b\n\n"},
		{"an unknown component with content further in", "<Hero size=\"l\">\n    Text, *not* code.\n</Hero>\n",
			"<Hero size=\"l\">\n\nText, *not* code.\n\n</Hero>\n"},
		{"scripts", "<script setup>\nimport x from 'y'\n</script>\n\n# A\n\n<style>\nb {}\n</style>\n",
			"\n\n\n\n# A\n\n\n\n\n"},
		{"inlines", "Press ++ctrl+alt+del++ <Badge text=\"New\" /> <Icon icon=\"a\" />in C++ and x++y++ `++a++`.\n",
			"Press <kbd>Ctrl</kbd>+<kbd>Alt</kbd>+<kbd>Del</kbd> New in C++ and x++y++ `++a++`.\n"},
		{"components on one line", "<Columns cols={2}><Card title=\"C\" href=\"/c\">col</Card></Columns>\n" +
			"<Tip>a</Tip><Info>b</Info> <Check>c</Check>\n",
			"\n**[C](/c)**\n\ncol\n\n{% hint style=\"success\" %}\na\n{% endhint %}\n{% hint style=\"info\" %}\nb\n" +
				"{% endhint %}\n{% hint style=\"success\" %}\nc\n{% endhint %}\n"},
		{"a tree of files on one line",
			"<Tree><Tree.Folder name=\"app\"><Tree.File name=\"a.ts\" /></Tree.Folder></Tree>\n",
			"\n* app\n  * a.ts\n\n"},
		{"tooltips", "An <Tooltip tip=\"Application *interface*\">API</Tooltip> and <Tooltip tip=\"T\">x</Tooltip>.\n",
			"An API[^tip-1] and x[^tip-2].\n\n[^tip-1]: Application *interface*\n\n[^tip-2]: T\n"},
		{"a button with a link", "<LinkButton href=\"/x/\" icon=\"y\">Go</LinkButton>\n", "[Go](/x/)\n"},
		{"code as a component", "<Code code={`let x`} lang=\"js\" title=\"x.js\" />\n",
			"{% code title=\"x.js\" %}\n```js\nlet x\n```\n{% endcode %}\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := Rewrite(test.in, "").Text
			if test.name == "tabs of Nextra" {
				test.want = "{% tabs %}\n{% tab title=\"npm\" %}\na\n{% endtab %}\n{% tab title=\"yarn\" " +
					"%}\nb\n{% endtab %}\n" +
					"{% endtabs %}\n"
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// marks returns the lines of the first block of code in a text, with a ">" before those that are marked.
func marks(t *testing.T, text string) string {
	t.Helper()
	parsed, err := markdown.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	parsed.Walk(func(n *doc.Node) bool {
		if n.Type == doc.CodeLine {
			if n.Data.(*doc.CodeLineData).Highlighted {
				out.WriteByte('>')
			}
			out.WriteString(n.PlainText() + "\n")
		}
		return true
	})
	return out.String()
}

func TestMarkedLines(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"```js {1,3-4} title=\"a.js\"\na\nb\nc < d\ne\n```\n", ">a\nb\n>c < d\n>e\n"},
		{"```py hl_lines=\"2\"\na\nb\n```\n", "a\n>b\n"},
		{"```go {hl_lines=[1,\"2-3\"]}\na\nb\nc\nd\n```\n", ">a\n>b\n>c\nd\n"},
		{"```js\na\n// highlight-next-line\nb\n  // highlight-start\nc\nd\n// highlight-end\ne\n```\n",
			"a\n>b\n>c\n>d\ne\n"},
		{"```py\na # [!code highlight]\nb # [!code focus:2]\nc\nd\n```\n", ">a\n>b\n>c\nd\n"},
		{"- x\n\n  ```js{2}\n  a\n\n    b\n  ```\n", "a\n>\n  b\n"},
		{"- x\n\n  ```js{3}\n  a\n\n    b\n  ```\n", "a\n\n>  b\n"},
		{"```js\na // [!code ++]\n```\n", "a // [!code ++]\n"},
	} {
		if diff := cmp.Diff(test.want, marks(t, Rewrite(test.in, "").Text)); diff != "" {
			t.Errorf("%q: %s", test.in, diff)
		}
	}
}

func TestAnchorsOfGenerators(t *testing.T) {
	text := "# T & u\n\n## ⏱️ Hang\n\n## The `x_y` *way*\n\n## The `x_y` *way*\n\n## Own {#mine}\n"
	result := Rewrite(text, generator.VitePress)
	want := "# T & u\n\n## ⏱️ Hang <a href=\"#⏱️-hang\" id=\"⏱️-hang\"></a>\n\n## The `x_y` *way* <a " +
		"href=\"#the-x-y-way\" id=\"the-x-y-way\"></a>\n\n## The `x_y` *way* <a href=\"#the-x-y-way-1\" " +
		"id=\"the-x-y-way-1\"></a>\n\n## Own <a href=\"#mine\" id=\"mine\"></a>\n"
	if diff := cmp.Diff(want, result.Text); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"t-u"}, result.Top); diff != "" {
		t.Error(diff)
	}
	if got := Rewrite("## ⏱️ Hang\n\n## Plain words\n", generator.MkDocs).Text; got != "## ⏱️ Hang\n\n## Plain "+
		"words\n" {
		t.Errorf("%q", got)
	}
}

func TestTitlesOfCodeInMintlify(t *testing.T) {
	in := "<CodeGroup>\n```bash npm\nx\n```\n```js My file.js {1} theme={null}\ny\n```\n</CodeGroup>\n\n" +
		"```py lines\nz\n```\n"
	want := "{% tabs %}\n{% tab title=\"npm\" %}\n```bash\nx\n```\n{% endtab %}\n{% tab title=\"My file.js\" %}\n" +
		"<pre class=\"language-js\" data-title=\"My file.js\"><code class=\"lang-js\"><strong>y\n</strong>" +
		"</code></pre>\n{% endtab %}\n{% endtabs %}\n\n```py\nz\n```\n"
	if diff := cmp.Diff(want, Rewrite(in, generator.Mintlify).Text); diff != "" {
		t.Error(diff)
	}
}

func TestAlerts(t *testing.T) {
	in := "> [!TIP]\n> A *tip*.\n\n!> kept\n\n```\n> [!NOTE]\n```\n::: tip\nx\n:::\n"
	want := "{% hint style=\"success\" %}\nA *tip*.\n{% endhint %}\n\n" +
		"!> kept\n\n```\n> [!NOTE]\n```\n::: tip\nx\n:::\n"
	if diff := cmp.Diff(want, Alerts(in)); diff != "" {
		t.Error(diff)
	}
}

// TestShortcodesOfHugo holds what becomes of shortcodes, and that those which stay are named wherever they stand.
func TestShortcodesOfHugo(t *testing.T) {
	got := Rewrite("{{% pageinfo color=\"info\" %}}\nP *q*\n{{% /pageinfo %}}\n\n"+
		"{{< details summary=\"Sum\" open=true >}}\nin\n{{< /details >}}\n\n"+
		"{{< cardpane >}}\n{{< card header=\"**H**\" >}}\nc\n{{< /card >}}\n{{< /cardpane >}}\n\n"+
		"a {{< param \"x\" >}} `{{< code >}}` {{</* shown */>}} [l]({{< ref \"b.md\" >}})\n\n{{< lone >}}\n",
		generator.Hugo)
	want := "{% hint style=\"info\" %}\nP *q*\n{% endhint %}\n\n<details open>\n\n<summary>Sum</summary>\n\nin\n\n" +
		"</details>\n\n\n**H**\n\nc\n\n\na {{< param \"x\" >}} `{{< code >}}` {{</* shown */>}} [l](b.md)\n\n" +
		"{{< lone >}}\n"
	if diff := cmp.Diff(want, got.Text); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"param", "lone"}, got.Unknown); diff != "" {
		t.Error(diff)
	}
}

// TestPipesInCode holds that pipes in code part no cells where the generator's tables have it so.
func TestPipesInCode(t *testing.T) {
	in := "| a | b |\n|---|:-:|\n| `x|y` ++ctrl++ | ``a \\| `b` || c`` |\n| `open | 2 |\n\n`x|y`\n"
	want := "| a | b |\n|---|:-:|\n| `x\\|y` <kbd>Ctrl</kbd> | ``a \\| `b` \\|\\| c`` |\n| `open | 2 |\n\n`x|y`\n"
	if diff := cmp.Diff(want, Rewrite(in, generator.MkDocs).Text); diff != "" {
		t.Error(diff)
	}
	if got := Rewrite("| a |\n|---|\n| `x|y` |\n", generator.Docusaurus).Text; got != "| a |\n|---|\n| `x|y` |\n" {
		t.Errorf("elsewhere: %q", got)
	}
}

// TestDirectivesOfSphinx holds what becomes of the directives and roles that Sphinx has in Markdown.
func TestDirectivesOfSphinx(t *testing.T) {
	for in, want := range map[string]string{
		"```{note}\nA *b*.\n```\n":        "{% hint style=\"info\" %}\nA *b*.\n{% endhint %}\n",
		":::{warning} First\nrest\n:::\n": "{% hint style=\"warning\" %}\nFirst\nrest\n{% endhint %}\n",
		"::::{admonition} T\n:class: x\n:::{tip}\ny\n:::\n::::\n": "{% hint style=\"info\" %}\n**T**\n\ny\n" +
			"{% endhint %}\n",
		"```{code-block} python\n:emphasize-lines: 2\n\na\nb\n```\n": "<pre class=\"language-python\">" +
			"<code class=\"lang-python\">a\n<strong>b\n</strong></code></pre>\n",
		"```{toctree}\n:maxdepth: 2\na\n```\nrest\n":      "\nrest\n",
		"```{figure} p.png\n:alt: A\n\nSays *so*.\n```\n": "\n![A](p.png)\n\nSays *so*.\n\n",
		"(place)=\n## H\n": "\n## H\n",
		"{doc}`b` {doc}`B <c/b.md>` {ref}`place` {kbd}`x` {class}`a.B` {term}`y`\n": "[b](b.md) [B](c/b.md) " +
			"[place](#place) <kbd>x</kbd> `a.B` y\n",
		"```{unheard}\nx\n```\n": "```\nx\n```\n",
	} {
		if diff := cmp.Diff(want, Rewrite(in, generator.Sphinx).Text); diff != "" {
			t.Errorf("%q: %s", in, diff)
		}
	}
	tabs := Rewrite("::::{tab-set}\n:::{tab-item} A\na\n:::\n:::{tab-item} B\nb\n:::\n::::\n", generator.Sphinx).Text
	if tabs != "{% tabs %}\n{% tab title=\"A\" %}\na\n{% endtab %}\n{% tab title=\"B\" %}\nb\n{% endtab %}\n"+
		"{% endtabs %}\n" {
		t.Error(tabs)
	}
	if got := Rewrite("```{unheard}\nx\n```\n", generator.Sphinx).Unknown; !cmp.Equal(got, []string{"{unheard}"}) {
		t.Errorf("named: %q", got)
	}
}

// TestWidthsOfPictures holds that the width that stands behind a picture is that of the picture here.
func TestWidthsOfPictures(t *testing.T) {
	for in, want := range map[string]string{
		"![A \"b\"](p.png){ width=\"300\" align=left }\n": "<figure>" +
			"<img src=\"p.png\" alt=\"A &#34;b&#34;\" width=\"300\"><figcaption></figcaption></figure>\n",
		"x ![](p.png){: .c width=50% } y\n": "x <img src=\"p.png\" alt=\"\" width=\"50%\"> y\n",
		"![](p.png){ style=\"width:40px\" }\n": "<figure><img src=\"p.png\" alt=\"\" width=\"40px\">" +
			"<figcaption></figcaption></figure>\n",
		"![](p.png){ .c data-width=\"3\" }\n":         "![](p.png)\n",
		"`![](p.png){ width=1 }` ![](p.png){ {x} }\n": "`![](p.png){ width=1 }` ![](p.png){ {x} }\n",
	} {
		if got := Rewrite(in, generator.MkDocs).Text; got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
