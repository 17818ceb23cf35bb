package markdown

import (
	"os"
	"path/filepath"
	"testing"
)

// FuzzRoundTrip holds the laws of checkLaws for any body.
func FuzzRoundTrip(f *testing.F) {
	for _, path := range mustGlob(f, "testdata/*/*.md") {
		body, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(body))
	}
	for _, seed := range seeds() {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		if len(body) > 4096 {
			return
		}
		checkLaws(t, []byte(body))
	})
}

func mustGlob(tb testing.TB, pattern string) []string {
	tb.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil {
		tb.Fatal(err)
	}
	return paths
}

// seeds are short bodies that bring constructs close together.
func seeds() []string {
	return []string{
		"a *b* **c** _d_ ~~e~~ `f` <kbd>g</kbd>",
		"* a\n* b\n  1. c\n  2. d\n\n- e\n- f",
		"> a\n> > b\n\nc\n===\n\n## d ##\n",
		"```js x=1\na\n\tb\n```\n\n~~~\n`\n~~~\n\n    code",
		"| a | b |\n|:-:|--:|\n| `\\|` | **x** |\n",
		"| [a](b) | `c` | ![d](e) |\n|-|-|:-:|\n| f |\n",
		"{% hint style=\"info\" %}\n* a\n{% endhint %}\n{% unknown %}\n",
		"{% tabs %}\n{% tab title=\"a\" %}\n> q\n{% endtab %}\n{% endtabs %}",
		"<details open>\n<summary>a <b>b</b></summary>\n\nc\n</details>",
		"<figure><img src=\"a b.png\" alt=\"\"><figcaption><p>c</p></figcaption></figure>",
		"<table><thead><tr><th width=\"10\">a</th></tr></thead><tbody><tr><td>b<br>c</td></tr></tbody></table>",
		"word[^1] [two words](#user-content-fn-2)[^2]\n\n[^1]: a\n\n    b\n[^2]: c",
		"a\\\nb<br>\n&#x20;c&nbsp;d &amp;amp; \\& :tada: $$x_1$$ 10:30:00",
		"$$\na\n\nb\n$$\n\n<pre class=\"language-x\"><code>a &lt;\n<strong>b\n</strong></code></pre>",
		"[a](b \"c\") ![d](e) <img src=\"f\"> [g](h \"mention\") <a href=\"i\" class=\"button primary\">j</a>",
		"## a <a href=\"#b\" id=\"b\"></a>\n\n<h2 align=\"center\">c</h2>\n<p align=\"center\">d</p>",
		"<mark style=\"color:red;\">a</mark> <i class=\"fa-x\">:x:</i> <code class=\"expression\">a*b*c</code>",
		"{% @x/y a=\"b \"c\" d\n\ne\" f={\"g\":1} %}\n\n{% code title=\"t\" %}\n```\nx\n```\n{% endcode %}",
		"{% swagger method=\"get\" path=\"/a\" baseUrl=\"https://b\" summary=\"c\" %}\n{% swagger-description %}\nd\n" +
			"{% endswagger-description %}\n\n" +
			"{% swagger-parameter in=\"path\" name=\"e\" type=\"f\" required=\"true\" %}\n* g\n{% " +
			"endswagger-parameter %}\n\n" +
			"{% swagger-response status=\"200: OK\" description=\"h\" %}\n```json\n{}\n```\n{% endswagger-response " +
			"%}\n{% endswagger %}",
		"[a]: /b \"c\"\n\n[a] [d][a]\n\n<!-- x -->\n\n<u>y</u>",
		"a https://b.c/d_(e), *www.f.gh* (i@j.kl) https\\://m.no",
		"1. a\n\n   ```\n   b\n   ```\n2. c\n* [ ] d\n* [x] e\n\n- [X] \n\n  f\n- [ ]\n\n  > g",
		"{% include \" a\"b \" %}\n\n{% include \"%}\n\n{% include 'c d' %}\n\n{% if \"e\" %}\nf\n{% endif %}",
		"{% @1/2 %}\n\n{% @a/b/c %}\n\n{%@-./_ d=\"e\" %}",
	}
}
