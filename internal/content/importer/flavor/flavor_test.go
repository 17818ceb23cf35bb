package flavor

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/content/importer/generator"
)

func TestRewrite(t *testing.T) {
	for _, test := range []struct{ name, in, want string }{
		{"container of VitePress", "::: tip\nRead *this*.\n:::\n",
			"{% hint style=\"success\" %}\nRead *this*.\n{% endhint %}\n"},
		{"container with a title", ":::danger[Mind the gap]{#id}\n\nx\n\n:::\n",
			"{% hint style=\"danger\" %}\n**Mind the gap**\n\nx\n{% endhint %}\n"},
		{"container in a list", "- a\n\n  :::note Note\n  x\n\n      y\n  :::\n- b\n",
			"- a\n\n  {% hint style=\"info\" %}\n  x\n\n      y\n  {% endhint %}\n- b\n"},
		{"containers inside each other", ":::: warning\nx\n::: details More\ny\n:::\n::::\n",
			"{% hint style=\"warning\" %}\nx\n<details>\n\n<summary>More</summary>\n\ny\n\n</details>\n{% " +
				"endhint %}\n"},
		{"call-out in a call-out", "::: tip A\n::: info B\nx\n:::\n:::\n",
			"{% hint style=\"success\" %}\n**A**\n\n**B**\n\nx\n{% endhint %}\n"},
		{"container without an end or of an unknown name", "::: tip\nx\n\n:::hero\ny\n:::\n",
			"::: tip\nx\n\n:::hero\ny\n:::\n"},
		{"no container in code", "```md\n::: tip\nx\n:::\nimport a from 'b'\n```\n",
			"```md\n::: tip\nx\n:::\nimport a from 'b'\n```\n"},
		{"group of code", "::: code-group\n```sh [npm]\nnpm i\n```\n\n```js{1,3}\nx\n```\n:::\n",
			"{% tabs %}\n{% tab title=\"npm\" %}\n```sh\nnpm i\n```\n{% endtab %}\n\n{% tab title=\"js\" %}\n<pre " +
				"class=\"language-js\"><code class=\"lang-js\"><strong>x\n</strong></code></pre>\n{% endtab %}\n{% " +
				"endtabs %}\n"},
		{"what stands behind a fence", "```js title=\"a.js\" {1,3} showLineNumbers\nx\n```\n```python " +
			"hl_lines=\"2\"\ny\n```\n``` {.rust linenums=\"1\"}\nz\n```\n```c++\nw\n```\n",
			"<pre class=\"language-js\" data-title=\"a.js\" data-line-numbers=\"true\"><code class=\"lang-js\">" +
				"<strong>x\n</strong></code></pre>\n```python\ny\n```\n" +
				"{% code lineNumbers=\"true\" %}\n```rust\nz\n```\n{% endcode %}\n```c++\nw\n```\n"},
		{"admonitions of MkDocs", "!!! warning \"Really\"\n    Look *out*.\n\n        code\n\nAfter.\n\n??? note\n   " +
			" Hidden.\n\n!!! note \"\"\n    Bare.\n",
			"{% hint style=\"warning\" %}\n**Really**\n\nLook *out*.\n\n    code\n{% endhint %}\n\nAfter.\n\n" +
				"<details>\n\n<summary>Note</summary>\n\nHidden.\n\n</details>\n\n{% hint style=\"info\" %}\nBare.\n" +
				"{% endhint %}\n"},
		{"tabs of MkDocs", "=== \"C\"\n\n    ```c\n    x\n    ```\n\n=== \"C++\"\n\n    !!! tip\n        y\n\nAfter.\n",
			"{% tabs %}\n{% tab title=\"C\" %}\n```c\nx\n```\n{% endtab %}\n{% tab title=\"C++\" %}\n{% hint " +
				"style=\"success\" %}\ny\n{% endhint %}\n{% endtab %}\n{% endtabs %}\n\nAfter.\n"},
		{"alerts", "> [!NOTE]\n> One.\n>\n> - two\n\n> [!custom]\n> x\n",
			"{% hint style=\"info\" %}\nOne.\n\n- two\n{% endhint %}\n\n> [!custom]\n> x\n"},
		{"paragraphs of docsify", "!> Careful\nhere.\n\nx\n",
			"{% hint style=\"warning\" %}\nCareful\nhere.\n{% endhint %}\n\nx\n"},
		{"tabs of Docusaurus", "import Tabs from '@theme/Tabs';\nimport {\n  A,\n} from './a';\n\n<Tabs\n  " +
			"groupId=\"os\"\n  values={[{label: 'Mac OS', value: 'mac'}]}>\n  <TabItem value=\"mac\">\n    ```sh\n   " +
			" brew\n    ```\n  </TabItem>\n  <TabItem value=\"win\" label=\"Windows\" default>\n\n  Text.\n\n  " +
			"</TabItem>\n</Tabs>\n",
			"\n\n\n\n\n{% tabs %}\n{% tab title=\"Mac OS\" %}\n```sh\nbrew\n```\n{% endtab %}\n{% tab " +
				"title=\"Windows\" %}\nText.\n{% endtab %}\n{% endtabs %}\n"},
		{"components", "<Admonition type=\"tip\" title=\"So\">\n\nx {/* hidden */}\n\n</Admonition>\n<Warning>\ny\n" +
			"</Warning>\n<Unknown>\nz\n</Unknown>\n",
			"{% hint style=\"success\" %}\n**So**\n\nx \n{% endhint %}\n{% hint style=\"warning\" %}\ny\n{% endhint " +
				"%}\n<Unknown>\n\nz\n\n</Unknown>\n"},
		{"shortcodes", "{{< note >}}\nx [y]({{< ref \"a/b.md\" >}})\n{{< /note >}}\n{{% alert title=\"Look\" " +
			"color=\"warning\" %}}\nz\n{{% /alert %}}\n{{< tabs >}}\n{{% tab name=\"A\" %}}\na\n{{% /tab %}}\n{{< " +
			"/tabs >}}\n{{< highlight go \"linenos=table\" >}}\nx := 1\n{{< /highlight >}}\n{{< figure src=\"a.png\" " +
			"title=\"A & b\" >}}\n{{< youtube abc_1 >}}\n",
			"{% hint style=\"info\" %}\nx [y](a/b.md)\n{% endhint %}\n{% hint style=\"warning\" %}\n**Look**\n\nz\n" +
				"{% endhint %}\n{% tabs %}\n{% tab title=\"A\" %}\na\n{% endtab %}\n{% endtabs %}\n{% code " +
				"lineNumbers=\"true\" %}\n```go\nx := 1\n```\n{% endcode %}\n" +
				"<figure><img src=\"a.png\" alt=\"\"><figcaption><p>A &amp; b</p></figcaption></figure>\n{% embed " +
				"url=\"https://www.youtube.com/watch?v=abc_1\" %}\n"},
		{"tags of Jekyll", "{% highlight ruby %}\nputs 1\n{% endhighlight %}\n\n{% raw %}\n{{ x }}\n{% endraw %}\n" +
			"[a]({{ site.baseurl }}/b) [c]({% link d.md %})\n\n{: .warning }\n> Hot.\n\n* TOC\n{:toc}\n\nx\n{: .fs-6 " +
			"}\n",
			"```ruby\nputs 1\n```\n\n{{ x }}\n[a](/b) [c](/d.md)\n\n{% hint style=\"warning\" %}\nHot.\n{% endhint " +
				"%}\n\n\n\n\nx\n\n"},
		{"what stands behind headings and links", "## One {#first}\n### Two { .no-toc data-x=\"1\" } \n## Three {x}\n" +
			"[b](c){ .md-button } `[d](e){ .f }` :octicons-heart-16: x <span v-pre>`{{.A}}`</span>\n",
			"## One <a href=\"#first\" id=\"first\"></a>\n### Two\n## Three {x}\n[b](c) `[d](e){ .f }` x `{{.A}}`\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			result := Rewrite(test.in, "")
			if diff := cmp.Diff(test.want, result.Text); diff != "" {
				t.Error(diff)
			}
			if same := strings.Count(test.in, "\n") == strings.Count(result.Text, "\n"); same != result.Lines {
				t.Errorf("lines: %v, but the count is the same: %v", result.Lines, same)
			}
		})
	}
}

func TestUnknownShortcodesAreNamed(t *testing.T) {
	result := Rewrite("# A {#top}\n\n{{< chart >}}\n{{< chart >}}\n{{< box >}}\nx\n{{< /box >}}\n", "")
	if diff := cmp.Diff([]string{"chart", "box"}, result.Unknown); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"top"}, result.Top); diff != "" {
		t.Error(diff)
	}
}

func TestTitlesAreText(t *testing.T) {
	for _, source := range []string{"::: details Map<K, V> & more\nx\n:::\n", "??? note \"Map<K, V> & more\"\n    x\n",
		"{{< details title=\"Map<K, V> & more\" >}}\nx\n{{< /details >}}\n"} {
		if got := Rewrite(source, "").Text; !strings.Contains(got, "<summary>Map&lt;K, V&gt; &amp; more</summary>") {
			t.Errorf("%q becomes %q", source, got)
		}
	}
}

// TestHostileTexts holds that no text takes long: each of these is a megabyte.
func TestHostileTexts(t *testing.T) {
	for _, line := range []string{"::: tip\n", ":::\n", "<Tabs\n", "<Tabs>\n", "{{< note >}}\n", "!!! note\n",
		"> [!NOTE]\n", "`\n", "``` `` ` ", "<!--\n", "import {\n", "export const a\n", "=== \"a\"\n", "{: .note }\n",
		"## a {#b} ", "{{< ref ", "* TOC\n", "<Card>", "<Card\n", "<A>b</A>\n",
		"<Steps>\n", "++a+", "{++a ", "==a ", "$a ", "H~2 ", "^", "<figure markdown>\n", "<details markdown>",
		"*[A]: b\n", "## *a\n", "<script>\n", "// [!code hl]\n"} {
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			start := time.Now()
			Rewrite(strings.Repeat(line, 1<<19/len(line)), "mkdocs", "extra", Formulas, insertions, critique,
				inlineLanguage, markings, smartSymbols, lowered)
			if took := time.Since(start); took > 15*time.Second { // quadratic time would be more
				t.Errorf("%q takes %v", line, took)
			}
		})
	}
	for _, line := range []string{":::{note}\n", "::::{note}\n:::\n", "```{note}\n", "(a)=\n", "{doc}`a` ",
		":::{tab-set}\n", "| a |\n|-|\n| `b|` |\n", "<Tip>a</Tip><Tip>"} {
		for _, of := range []generator.Name{generator.Sphinx, generator.MkDocs, generator.Hugo} {
			start := time.Now()
			Rewrite(strings.Repeat(line, 1<<18/len(line)), of)
			if took := time.Since(start); took > 15*time.Second {
				t.Errorf("%q of %s takes %v", line, of, took)
			}
		}
	}
	var nested strings.Builder
	for i := range 2000 {
		nested.WriteString(strings.Repeat("    ", i%500) + "!!! note\n")
	}
	for name, text := range map[string]string{
		"divisions": strings.Repeat("<div markdown>\n", 1<<14), "terms": strings.Repeat("a\n: b\n", 1<<14),
		"terms of nothing": strings.Repeat("a\n", 1<<15), "classes of nothing": strings.Repeat("{: .a }\n", 1<<17),
		"a block of marks": "{% highlight a %}\nx" + strings.Repeat("`", 1<<20) + "\n{% endhighlight %}\n",
	} {
		start := time.Now()
		Rewrite(text, generator.MkDocs)
		if took := time.Since(start); took > 30*time.Second { // quadratic time would be minutes
			t.Errorf("%s takes %v", name, took)
		}
	}
	start := time.Now()
	Rewrite(nested.String(), "")
	Rewrite(strings.Repeat("::: tip\n", 60)+"x\n"+strings.Repeat(":::\n", 60), "")
	if took := time.Since(start); took > 30*time.Second { // quadratic time would be minutes
		t.Errorf("containers inside each other take %v", took)
	}
}

func FuzzRewrite(f *testing.F) {
	f.Add("==a== {++b++} $c$ ^d^ ~e~\n\n*[a]: b\n")
	f.Add("::: tip\n> [!NOTE]\n!!! a \"b\"\n    c\n:::\n")
	f.Add("<Tabs>\n<TabItem value=\"a\">\n{{< x >}}\n</TabItem>\n</Tabs>\n{: .note }\n")
	f.Fuzz(func(t *testing.T, text string) {
		Rewrite(text, "mkdocs", "extra", critique, Formulas, markings, lowered)
	})
}

func TestDefinitionsAndDivisions(t *testing.T) {
	for _, test := range []struct{ name, in, want string }{
		{"a definition", "Term\n: What it **means**.\n", "\n**Term**\n\nWhat it **means**.\n\n"},
		{"two terms, two meanings", "One\nTwo\n:   first\n    still first\n\n    more\n:   second\n\nAfter.\n",
			"\n**One**\n\n**Two**\n\nfirst\nstill first\n\nmore\n\nsecond\n\n\nAfter.\n"},
		{"no definition", "Text\n\nother: text\n", "Text\n\nother: text\n"},
		{"time in text", "At\n:30 it ends\n", "At\n:30 it ends\n"},
		{"a division", "<div class=\"grid\" markdown>\n\n- **one**\n\n<div>\nraw\n</div>\n</div>\n",
			"\n- **one**\n\n<div>\nraw\n</div>\n\n"},
		{"a division without Markdown", "<div>\n*a*\n</div>\n", "<div>\n*a*\n</div>\n"},
		{"a division without an end", "<div markdown>\n*a*\n", "<div markdown>\n*a*\n"},
	} {
		if diff := cmp.Diff(test.want, Rewrite(test.in, generator.MkDocs).Text); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
	if got := Rewrite("Term\n: meaning\n", generator.VitePress).Text; got != "Term\n: meaning\n" {
		t.Errorf("VitePress has no definitions: %q", got)
	}
}

func TestExtensionsOfPythonMarkdown(t *testing.T) {
	all := []string{"pymdownx.extra", Formulas, insertions, critique, inlineLanguage, markings, smartSymbols, lowered}
	for _, test := range []struct{ name, in, want string }{
		{"signs within text", "H~2~O, 2^10^, ==so *it* is==, ^^new^^, ~~old~~\n",
			"H<sub>2</sub>O, 2<sup>10</sup>, <mark>so *it* is</mark>, <ins>new</ins>, ~~old~~\n"},
		{"signs in code and in addresses", "`a^2^` [b](https://example.org/~c~/d?e==f==g) <https://example.org/^h^>\n",
			"`a^2^` [b](https://example.org/~c~/d?e==f==g) <https://example.org/^h^>\n"},
		{"signs with a backslash", "\\==a== and 3 \\^ 4\n", "\\==a== and 3 \\^ 4\n"},
		{"symbols", "(c) (tm) +/- --> <-- 1/2 11/24 1st <!-- a --> b\n",
			"© ™ ± → ← ½ 11/24 1<sup>st</sup> <!-- a --> b\n"},
		{"critique", "{--a--} {++b++} {~~c~>d~~} {==e==}{>>f<<}\n\n{==\n\nBlock\n\n==}\n",
			"<del>a</del> <ins>b</ins> <del>c</del><ins>d</ins> <mark>e</mark> <em>f</em>\n\n\n\nBlock\n\n\n"},
		{"formulas", "$a^2^$ costs $5 and $6, \\(b\\)\n\n$$\nc\n$$\n", "$$a^2^$$ costs $5 and $6, " +
			"$$b$$\n\n$$\nc\n$$\n"},
		{"languages of code", "`#!py f()` and ``#!py g`` and `:::js h()`\n", "`f()` and ``#!py g`` and `h()`\n"},
		{"abbreviations", "# HTML\n\nHTML, XHTML and `HTML` by the W3C.\n\n*[HTML]: A \"language\"\n*[W3C]: Them\n",
			"# HTML\n\n<abbr title=\"A &#34;language&#34;\">HTML</abbr>, XHTML and `HTML` by the " +
				"<abbr title=\"Them\">W3C</abbr>.\n\n\n\n"},
		{"keys", "++ctrl+arrow-up++ ++\"Any key\"++ ++tilde++\n",
			"<kbd>Ctrl</kbd>+<kbd>Up</kbd> <kbd>Any key</kbd> <kbd>\\~</kbd>\n"},
		{"attributes", "![a](b.png){ align=left width=\"4\" } **c**{ .d } `e`{ .f } [](#){ #g } {h}\n",
			"<img src=\"b.png\" alt=\"a\" width=\"4\"> **c** `e` [](#)<a id=\"g\"></a> {h}\n"},
	} {
		if diff := cmp.Diff(test.want, Rewrite(test.in, generator.MkDocs, all...).Text); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
	for _, plain := range []string{"a ==b== c^d^ (c) 1/2 {--e--} $f$\n", "*[HTML]: HTML\n"} {
		if got := Rewrite(plain, generator.MkDocs).Text; got != plain {
			t.Errorf("without extensions %q becomes %q", plain, got)
		}
	}
}

func TestKindsOfAdmonitions(t *testing.T) {
	for in, want := range map[string]string{
		"!!! bug\n    x\n":            "{% hint style=\"danger\" %}\n**Bug**\n\nx\n{% endhint %}\n",
		"!!! quote \"\"\n    x\n":     "{% hint style=\"info\" %}\nx\n{% endhint %}\n",
		"!!! tip inline end\n    x\n": "{% hint style=\"success\" %}\nx\n{% endhint %}\n",
	} {
		if diff := cmp.Diff(want, Rewrite(in, generator.MkDocs).Text); diff != "" {
			t.Error(diff)
		}
	}
}

func TestElementsWithMarkdown(t *testing.T) {
	for in, want := range map[string]string{
		"<figure markdown>\n  ![A](b.png){ width=\"3\" }\n  <figcaption markdown>*C*</figcaption>\n</figure>\n": "\n" +
			"<figure><img src=\"b.png\" alt=\"A\" width=\"3\"><figcaption><p><em>C</em></p></figcaption></figure>\n\n",
		"<figure markdown=\"span\">\n![A](b.png)\n<figcaption>*C*</figcaption>\n</figure>\n": "\n<figure><img " +
			"src=\"b.png\" alt=\"A\"><figcaption><p>*C*</p></figcaption></figure>\n\n",
		"<details open markdown>\n<summary>A <b>b</b></summary>\n*c*\n</details>\n": "<details open>\n\n<summary>A " +
			"b</summary>\n\n*c*\n\n</details>\n",
		"<p markdown>A *b*</p>\n": "\nA *b*\n\n",
	} {
		if diff := cmp.Diff(want, Rewrite(in, generator.MkDocs).Text); diff != "" {
			t.Error(diff)
		}
	}
}

func TestNextra(t *testing.T) {
	in := "## What it is [#purpose]\n\n`const x{:js}` `f{:.fn}` `{:a` [#b]\n\n$a^2$\n"
	want := "## What it is <a href=\"#purpose\" id=\"purpose\"></a>\n\n`const x` `f` `{:a` [#b]\n\n$$a^2$$\n"
	if diff := cmp.Diff(want, Rewrite(in, generator.Nextra, Formulas).Text); diff != "" {
		t.Error(diff)
	}
	if got := Rewrite(in, generator.VitePress).Text; got != in {
		t.Errorf("%q", got)
	}
}
