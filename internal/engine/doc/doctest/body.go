package doctest

import (
	"math/rand/v2"
	"strings"
)

// lineAtoms and inlineAtoms are what random bodies are made of.
var lineAtoms = []string{
	"", "", "", "text", "# T", "## H", "### H ##", "a\n===", "b\n---", "***", "---", "* a", "- b", "+ c", "1. d",
	"2) e", "7. x",
	"  * n", "    code", "\tcode", "> q", "> > r", ">", "*", "-", "1.", "* [ ] t", "- [x] u", "```", "```js a=b", "~~~",
	"````",
	"| a | b |", "|---|:-:|", "| 1 | 2 |", "|-|", "| `x\\|y` | **z** |", "[a]: /u \"t\"", "[^1]: note", "    more note",
	"[^2]:",
	"{% hint style=\"info\" %}", "{% endhint %}", "{% tabs %}", "{% endtabs %}", "{% tab title=\"A & b\" icon=\"x\" %}",
	"{% endtab %}",
	"{% stepper %}", "{% step %}", "{% endstep %}", "{% endstepper %}", "{% code title=\"x\" overflow=\"wrap\" %}",
	"{% endcode %}",
	"{% embed url=\"https://x\" %}", "{% endembed %}", "{% file src=\"a b\" %}", "{% endfile %}",
	"{% content-ref url=\"x.md\" %}",
	"{% endcontent-ref %}", "{% columns %}", "{% column width=\"50%\" valign=\"top\" %}", "{% endcolumn %}",
	"{% endcolumns %}",
	"{% if a > b && c %}", "{% endif %}", "{% include \"x.md\" %}", "{% updates format=\"full\" %}",
	"{% update date=\"2024-01-02\" tags=\"a,b\" %}",
	"{% endupdate %}", "{% endupdates %}", "{% prompt description=\"d\" %}", "{% endprompt %}",
	"{% openapi src=\"a\" path=\"/p/{id}\" method=\"get\" %}",
	"{% endopenapi %}", "{% openapi-schemas spec=\"a\" schemas=\"A,B\" grouped %}", "{% @m/d content=\"a",
	"b \"q\" c\" %}", "{% @m/d x={\"y\":[1,null]} url=\"u\" %}",
	"{% weird", "{% x %}", "{% endx %}", "<details>", "<details open>", "<summary>S <b>t</b></summary>", "</details>",
	"<details><summary>i</summary>",
	"<details><summary>a</summary>b</details>",
	"<figure><img src=\"a.png\" alt=\"b\"><figcaption></figcaption></figure>",
	"<div align=\"left\"><figure><img src=\"a\" width=\"50%\"><figcaption>c</figcaption></figure></div>",
	"<p align=\"center\">x <i>y</i></p>", "<p></p>",
	"<h3 align=\"center\">t</h3>", "<hr>", "<pre><code>a", "<strong>b", "</strong></code></pre>",
	"<pre class=\"language-x\">&lt;</pre>",
	"<table><thead><tr><th>a</th></tr></thead><tbody><tr><td><p>b</p><p>c</p></td></tr></tbody></table>", "<table>",
	"</table>",
	"<table data-view=\"cards\"><thead><tr><th>a</th><th data-hidden data-type=\"rating\" data-max=\"3\"></th><th " +
		"data-type=\"checkbox\"></th></tr></thead><tbody><tr><td><ul><li>x</li></ul></td><td>2</td><td>true</td></tr>" +
		"</tbody></table>",
	"<div data-gb-custom-block data-tag=\"hint\" data-style=\"danger\"><p>x</p></div>", "<div>", "</div>", "<foo>",
	"<!-- c", "-->", "<?x", "?>",
	"$$", "x^2 \\\\ y", "<img src=\"d.svg\" alt=\"\" class=\"gitbook-drawing\">", "![i](j \"k\")", "<br>", "\\", "<u>",
	"::", "&#x20;",
}

var inlineAtoms = []string{
	"a", "b", "word", " ", " ", "  ", "*", "**", "_", "__", "***", "~~", "~", "`", "``", "[", "]", "](u)",
	"](<u v> \"t\")", "(", ")", "!", "![", "<kbd>", "</kbd>",
	"<sub>", "</sub>", "<b>", "</b>", "<i>", "</i>", "<em>", "<mark style=\"color:red;\">", "</mark>", "<code>",
	"</code>", "<u>", "</u>", "<br>", "\\\n", "\n", "  \n",
	"<a href=\"x\">", "</a>", "<a href=\"#k\" id=\"k\"></a>", "<a class=\"button primary\">B",
	"<span data-gb-custom-inline data-tag=\"emoji\" data-code=\"274c\">x</span>",
	"<i class=\"fa-x\">:x:</i>", "<code class=\"expression\">a*b</code>",
	"<picture><source srcset=\"d\" media=\"(prefers-color-scheme: dark)\"><img src=\"l\"></picture>",
	"<img src=\"i\">", ":tada:", ":", "$$", "$", "$$x$$", "[^1]", "[^2]", "(#user-content-fn-1)", "[m](n \"mention\")",
	"&#x20;", "&amp;", "&", ";", "\\", "\\*", "#", "|", "<", ">", "{%", "%}",
	"\"", "é", "日本", "\u00a0", "\u200b", "1.", "-", "+", "=", "http://x", "<http://x>", "<!-- c -->", ".", "\t", "x:",
	"[a]", "[ ]", "\u2028",
}

// RandomBody returns a body of random lines, some nested in quotes and lists.
func RandomBody(r *rand.Rand) string {
	var b strings.Builder
	for range 1 + r.IntN(8) {
		line := ""
		switch r.IntN(4) {
		case 0, 1:
			line = lineAtoms[r.IntN(len(lineAtoms))]
		default:
			for range 1 + r.IntN(8) {
				line += inlineAtoms[r.IntN(len(inlineAtoms))]
			}
		}
		switch r.IntN(12) {
		case 0:
			line = "> " + strings.ReplaceAll(line, "\n", "\n> ")
		case 1:
			line = "* " + line
		case 2:
			line = "  " + strings.ReplaceAll(line, "\n", "\n  ")
		case 3:
			line = "    " + strings.ReplaceAll(line, "\n", "\n    ")
		case 4:
			line += "\n"
		case 5:
			line = "## " + line
		case 6:
			line = "| " + line + " | y |\n| --- | --- |\n| z | " + line + " |"
		case 7:
			line = "<table><thead><tr><th>" + line + "</th></tr></thead><tbody><tr><td>" + line +
				"</td></tr></tbody></table>"
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}
