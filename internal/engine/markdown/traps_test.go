package markdown

import (
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/engine/doc"
)

// sketch writes a document on one line: types, texts in quotes with the first letters of their marks, children in
// parentheses.
func sketch(d *doc.Document) string {
	var b strings.Builder
	sketchNodes(&b, d.Nodes)
	return b.String()
}

func sketchNodes(b *strings.Builder, nodes []*doc.Node) {
	for i, n := range nodes {
		if i > 0 {
			b.WriteByte(' ')
		}
		switch n.Object {
		case doc.ObjectText:
			for _, leaf := range n.Leaves {
				b.WriteString(strings.ReplaceAll("'"+leaf.Text+"'", "\n", "⏎"))
				for _, m := range leaf.Marks {
					b.WriteString(string(m.Type)[:1])
				}
			}
			continue
		case doc.ObjectFragment:
			b.WriteString(n.Fragment)
		default:
			b.WriteString(string(n.Type) + sketchData(n))
		}
		if len(n.Nodes)+len(n.Fragments) > 0 {
			b.WriteByte('(')
			sketchNodes(b, n.Nodes)
			sketchNodes(b, n.Fragments)
			b.WriteByte(')')
		}
	}
}

// sketchData writes the attribute that matters most.
func sketchData(n *doc.Node) string {
	switch d := n.Data.(type) {
	case *doc.RawData:
		return "[" + strings.ReplaceAll(d.Source, "\n", "⏎") + "]"
	case *doc.ContentRefData:
		return "[" + d.Ref.URL + "]"
	case *doc.EmbedData:
		return "[" + d.URL + "]"
	case *doc.FileData:
		return "[" + d.Ref.URL + "]"
	case *doc.ExpressionData:
		return "[" + d.Expression + "]"
	case *doc.FormulaData:
		return "[" + strings.ReplaceAll(d.Formula, "\n", "⏎") + "]"
	case *doc.EmojiData:
		return "[" + d.Code + "]"
	case *doc.HeadingData:
		return "#" + n.ID
	case *doc.InlineImageData:
		return "[" + d.Ref.URL + "]"
	case *doc.ImageData:
		return "[" + d.Ref.URL + "]"
	case *doc.IntegrationData:
		content, _ := d.Props["content"].(string)
		return "[" + strings.ReplaceAll(content, "\n", "⏎") + "]"
	case *doc.OpenAPIData:
		return "[" + d.Method + " " + d.Target() + "]"
	case *doc.CodeData:
		return "[" + d.Syntax + " " + d.Title + "]"
	case *doc.CodeLineData:
		if d.Highlighted {
			return "!"
		}
	case *doc.ListData:
		if d.Start != nil {
			return "[" + string(rune('0'+*d.Start)) + "]"
		}
	case *doc.ListItemData:
		if d.Checked != nil {
			return map[bool]string{true: "[x]", false: "[ ]"}[*d.Checked]
		}
	}
	return ""
}

// TestTraps holds what is easily got wrong, one case or more for each entry of the list that we keep of such things.
func TestTraps(t *testing.T) {
	tests := []struct{ name, body, want string }{
		{"end tag after a list item", "{% hint %}\n* a\n* b\n{% endhint %}\nc",
			"hint(list-unordered(list-item(paragraph('a')) list-item(paragraph('b')))) paragraph('c')"},
		{"end tag after an HTML block",
			"{% columns %}\n{% column %}\n<figure><img src=\"a\"></figure>\n{% endcolumn %}\n{% endcolumns %}",
			"columns(column(images(image[a])))"},
		{"end tag after a quote", "{% hint %}\n> a\n{% endhint %}", "hint(blockquote(paragraph('a')))"},
		{"end tag after table rows", "{% hint %}\n| a |\n| - |\n| b |\n{% endhint %}",
			"hint(table(r1c1(paragraph('b'))))"},
		{"tags around text", "{% hint %}\na\n{% endhint %}", "hint(paragraph('a'))"},
		{"embed without and with end",
			"{% embed url=\"1\" %}\n\na\n\n{% embed url=\"2\" %}\nb\n{% endembed %}\n\n{% embed url=\"3\" %}",
			"embed[1] paragraph('a') embed[2](caption(paragraph('b'))) embed[3]"},
		{"file without and with end", "{% file src=\"1\" %}\n{% file src=\"2\" %}\nb\n{% endfile %}",
			"file[1] file[2](caption(paragraph('b')))"},
		{"tag in a fence", "{% hint %}\n```\n{% endhint %}\n```\n{% endhint %}",
			"hint(code[ ](code-line('{% endhint %}')))"},
		{"tag in a fence of four", "````\n```\n{% hint %}\n```\n````",
			"code[ ](code-line('```') code-line('{% hint %}') code-line('```'))"},
		{"tag in a code span", "a `{% hint %}` b", "paragraph('a ''{% hint %}'c' b')"},
		{"tag in an indented block", "    {% hint %}", "code[ ](code-line('{% hint %}'))"},
		{"tag in YAML", "```yaml\na: \"{% x %}\"\n```", "code[yaml ](code-line('a: \"{% x %}\"'))"},
		{"code wrapper", "{% code title=\"t\" %}\n```js\na\n```\n{% endcode %}", "code[js t](code-line('a'))"},
		{"code wrapper around text", "{% code title=\"t\" %}\na\n{% endcode %}",
			"raw[{% code title=\"t\" %}] paragraph('a') raw[{% endcode %}]"},
		{"figure in a list item",
			"1.  a<br>\n\n    <figure><img src=\"b\" alt=\"\"><figcaption></figcaption></figure>\n2.  c",
			"list-ordered(list-item(paragraph('a⏎') images(image[b])) list-item(paragraph('c')))"},
		{"hint in a list item", "* <div data-gb-custom-block data-tag=\"hint\" data-style=\"success\" class=\"hint " +
			"hint-success\"><p>a</p></div>", "list-unordered(list-item(hint(paragraph('a'))))"},
		{"tag in a list item", "* a\n\n  {% hint %}\n  b\n  {% endhint %}\n* c",
			"list-unordered(list-item(paragraph('a') hint(paragraph('b'))) list-item(paragraph('c')))"},
		{"pre", "<pre class=\"language-x\"><code class=\"lang-x\">a &#x3C;\n<strong>b\n</strong>\n# c\n{% d %}\n" +
			"</code></pre>",
			"code[x ](code-line('a <') code-line!('b') code-line code-line('# c') code-line('{% d %}'))"},
		{"details between blank lines", "<details>\n\n<summary>a <b>b</b></summary>\n\nc\n\n* d\n\n</details>\n\ne",
			"expandable(expandable-title(paragraph('a ''b'b)) expandable-body(paragraph('c') " +
				"list-unordered(list-item(paragraph('d'))))) paragraph('e')"},
		{"details that nest",
			"<details>\n<summary>a</summary>\n\n<details>\n<summary>b</summary>\n\nc\n</details>\n\n</details>",
			"expandable(expandable-title(paragraph('a')) expandable-body(expandable(expandable-title(paragraph('b')) " +
				"expandable-body(paragraph('c')))))"},
		{"table on one line", "<table><thead><tr><th>A<select><option value=\"1\" " +
			"label=\"One\"></option></select></th></tr></thead><tbody><tr><td><span " +
			"data-option=\"1\">One</span></td></tr></tbody></table>", "table"},
		{"Markdown in a cell is text", "<table><tr><th>h</th></tr><tr><td>*a* [b](c) `d`</td></tr></table>",
			"table(r1c1(paragraph('*a* [b](c) `d`')))"},
		{"expression is no Markdown", "a <code class=\"expression\">x * y * _z_ &#x3C; `1`</code>",
			"paragraph('a ' expression[x * y * _z_ < `1`])"},
		{"formula is no Markdown", "$$a_1 * b_2 \\\\ c$$ costs $5 or $6",
			"paragraph(inline-math[a_1 * b_2 \\\\ c] ' costs $5 or $6')"},
		{"inline elements at the start of a line",
			"<img src=\"a\"> b\n\n<a href=\"c\" class=\"button primary\">d</a>\n\n<button class=\"button\">e</button>",
			"paragraph(inline-image[a] ' b') paragraph(button) paragraph(button)"},
		{"picture at the start of a line",
			"<picture><source srcset=\"d\" media=\"(prefers-color-scheme: dark)\"><img src=\"l\"></picture>",
			"paragraph(inline-image[l])"},
		{"destination with spaces", "[a](<b c (1).md>) <img src=\"d e.png\">",
			"paragraph(link[b c (1).md]('a') ' ' inline-image[d e.png])"},
		{"bare destination with spaces is text", "[a](b c.md)", "paragraph('[a](b c.md)')"},
		{"space as a reference", "&#x20;a&#x20;", "paragraph(' a ')"},
		{"break at the end", "a<br>", "paragraph('a⏎')"},
		{"list goes on at a number", "3. a\n4. b",
			"list-ordered[3](list-item(paragraph('a')) list-item(paragraph('b')))"},
		{"heading levels", "## a\n\n### b\n\n#### c\n\n{% hint %}\n## d\n{% endhint %}",
			"heading-1#a('a') heading-2#b('b') heading-3#c('c') hint(heading-1#d('d'))"},
		{"anchor is no text", "## a <a href=\"#b\" id=\"b\"></a>\n\n## <mark style=\"color:red;\">\\*</mark> c",
			"heading-1#b('a') heading-1#c('*'c' c')"},
		{"if with operators", "{% if a > 1 && b === \"x\" %}\nc\n{% endif %}",
			"if[a > 1 && b === \"x\"](paragraph('c'))"},
		{"path with braces", "{% openapi src=\"s\" path=\"/pets/{id}\" method=\"get\" %}\n[s](s)\n{% endopenapi %}",
			"swagger[get /pets/{id}]"},
		{"operation in the page",
			"{% swagger baseUrl=\"https://x/\" path=\"/p\" method=\"post\" summary=\"S\" %}\n{% swagger-description " +
				"%}\na\n{% endswagger-description %}\n\n" +
				"{% swagger-parameter in=\"body\" name=\"n\" type=\"t\" required=\"true\" %}\n\n{% " +
				"endswagger-parameter %}\n\n" +
				"{% swagger-response status=\"200: OK\" description=\"d\" %}\n```\nc\n```\n{% endswagger-response " +
				"%}\n{% endswagger %}\n\nb",
			"swagger[post https://x/p](paragraph('a') heading-3#request-body('Request body') " +
				"table(r1c1(paragraph('n'c' ''required'i)) r1c2(paragraph('t'c))) heading-3#responses('Responses') " +
				"expandable(expandable-title(paragraph('200 OK')) expandable-body(paragraph('d') code[ " +
				"](code-line('c'))))) paragraph('b')"},
		{"operation in an operation",
			"{% swagger path=\"/a\" %}\n{% swagger path=\"/b\" %}\nc\n{% endswagger %}\n{% endswagger %}",
			"swagger[ /a](swagger[ /b](paragraph('c')))"},
		{"parts outside an operation", "{% swagger-description %}\na\n{% endswagger-description %}",
			"raw[{% swagger-description %}] paragraph('a') raw[{% endswagger-description %}]"},
		{"tag over lines with quotes", "{% @mermaid/diagram content=\"graph TD\nA[\"x\"]-->B\n\n# C\" %}\n\nd",
			"integration[graph TD⏎A[\"x\"]-->B⏎⏎# C] paragraph('d')"},
		{"single tilde", "~a~ and \\~150", "paragraph('a's' and ~150')"},
		{"emoji", ":triangular\\_flag: 10:30:00 <i class=\"fa-x\">:code:</i> a:tada:",
			"paragraph(emoji[1f6a9] ' 10:30:00 ' icon ' a:tada:')"},
		{"emoji side by side and names with colons", ":tada::tada: v8::Date::New ::date::",
			"paragraph(emoji[1f389] emoji[1f389] ' v8::Date::New ::date::')"},
		{"invisible characters", "## \u200ba\u00a0b\ufeff", "heading-1#a-b('\u200ba\u00a0b\ufeff')"},
		{"invisible first line of code", "```\n\u200b\na\n```", "code[ ](code-line('\u200b') code-line('a'))"},
		{"elements without a space between", "<a class=\"button\" href=\"x\">a</a><a class=\"button\" href=\"y\">b</a>",
			"paragraph(button button)"},
		{"tight details", "<details>\n<summary>a</summary>\nb\n</details>",
			"expandable(expandable-title(paragraph('a')) expandable-body(paragraph('b')))"},
		{"details right after text", "a\n</details>", "paragraph('a') raw[</details>]"},
		{"indented caption", "{% file src=\"a\" %}\n    b\n{% endfile %}", "file[a](caption(paragraph('b')))"},
		{"broken destinations", "[a](/broken/pages/x) [b](hhttps://c)",
			"paragraph(link[/broken/pages/x]('a') ' ' link[hhttps://c]('b'))"},
		{"tag that never ends", "{% hint style=\"a\"\n\nb", "paragraph('{% hint style=\"a\"')  paragraph('b')"},
		{"tab without tabs", "{% tab title=\"a\" %}\nb\n{% endtab %}",
			"raw[{% tab title=\"a\" %}] paragraph('b') raw[{% endtab %}]"},
		{"tabs with text between", "{% tabs %}\na\n{% tab %}\nb\n{% endtab %}\n{% endtabs %}",
			"raw[{% tabs %}] paragraph('a') raw[{% tab %}] paragraph('b') raw[{% endtab %}] raw[{% endtabs %}]"},
		{"comments between tabs", "{% tabs %}\n<!-- a -->\n{% tab title=\"b\" %}\nc\n{% endtab %}\n<!--\n{% tab %}\n" +
			"-->\n{% tab title=\"d\" %}\n{% endtab %}\n<!-- e -->\n{% endtabs %}",
			"tabs(tabs-item(raw[<!-- a -->] paragraph('c') raw[<!--⏎{% tab %}⏎-->]) tabs-item(raw[<!-- e -->]))"},
		{"text behind a comment between tabs", "{% tabs %}\n<!-- a --> b\n{% tab %}\nc\n{% endtab %}\n{% endtabs %}",
			"raw[{% tabs %}] raw[<!-- a --> b] raw[{% tab %}] paragraph('c') raw[{% endtab %}] raw[{% endtabs %}]"},
		{"quotes in an attribute", "{% code title=\"a \\\"b\\\" c\" lineNumbers=\"true\" %}\n```js\nd\n```\n{% " +
			"endcode %}\n{% code title=\"say \"hi\" now\" overflow=\"wrap\" %}\n```\ne\n```\n{% endcode %}",
			"code[js a \"b\" c](code-line('d')) code[ say \"hi\" now](code-line('e'))"},
		{"backslash at the end of an attribute",
			"{% code title=\"C:\\\" lineNumbers=\"true\" x %}\n```js\nd\n```\n{% endcode %}",
			"code[js C:\\](code-line('d'))"},
		{"crossed tags", "{% hint %}\n{% if a %}\n{% endhint %}\n{% endif %}",
			"hint(raw[{% if a %}]) raw[{% endif %}]"},
		{"text after a tag", "{% hint %} a {% endhint %}", "paragraph('{% hint %} a {% endhint %}')"},
		{"link that looks like a task", "* [x](y)", "list-unordered(list-item(paragraph(link[y]('x'))))"},
		{"box without words above a paragraph", "* [X] \n\n  a\n* [ ]\n\n  ```\n  b\n  ```",
			"list-tasks(list-item[x](paragraph('a')) list-item[ ](paragraph code[ ](code-line('b'))))"},
		{"footnote of a word and of words", "a b[^1] [c d](#user-content-fn-2)[^2]\n\n[^1]: e\n[^2]: f",
			"paragraph('a ' annotation('b'annotation-body(paragraph('e'))) ' ' annotation('c " +
				"d'annotation-body(paragraph('f'))))"},
		{"footnote without a definition", "a[^1]", "paragraph('a[^1]')"},
		{"footnote in a footnote", "a[^1]\n\n[^1]: b[^2]\n[^2]: c",
			"paragraph(annotation('a'annotation-body(paragraph('b[^2]'))))"},
		{"line ends of Windows", "a\r\n\r\n```\r\nb\r\n```\r\n", "paragraph('a') code[ ](code-line('b'))"},
		{"control characters", "a\x00b\fc", "paragraph('a\uFFFDb c')"},
		{"bare addresses", "See https://a.org/b_(c). (http://a.org/d) **https://a.org** www.a.org, a@b.org!",
			"paragraph('See ' link[https://a.org/b_(c)]('https://a.org/b_(c)') '. (' " +
				"link[http://a.org/d]('http://a.org/d') ') ' link[https://a.org]('https://a.org'b) ' ' " +
				"link[http://www.a.org]('www.a.org') ', ' link[mailto:a@b.org]('a@b.org') '!')"},
		{"bare addresses of other scripts", "https://a.org/Köln 見 https://a.org/b。c",
			"paragraph(link[https://a.org/Köln]('https://a.org/Köln') ' 見 ' link[https://a.org/b]('https://a.org/b') " +
				"'。c')"},
		{"escapes in a bare address", "https://a.org/b\\_c?d&amp;e\\&copy=1 (https://a.org/f\\)",
			"paragraph(link[https://a.org/b_c?d&e&copy=1]('https://a.org/b_c?d&e&copy=1') ' (' " +
				"link[https://a.org/f]('https://a.org/f') ')')"},
		{"addresses that are no links",
			"https\\://a.org www\\.a.org a\\@b.org http://localhost xhttp://a.org `http://a.org`",
			"paragraph('https://a.org www.a.org a@b.org http://localhost xhttp://a.org ''http://a.org'c)"},
		{"addresses in links", "[https://a.org](b) <a href=\"c\">https://a.org</a>",
			"paragraph(link[b]('https://a.org') ' ' link[c]('https://a.org'))"},
		{"address in a table and a footnote", "| a |\n|---|\n| https://a.org/\\| b[^1] |\n\n[^1]: http://b.org",
			"table(r1c1(paragraph(link[https://a.org/]('https://a.org/') '| ' " +
				"annotation('b'annotation-body(paragraph(link[http://b.org]('http://b.org')))))))"},
		{"links and images in a header", "| ![a](b.png) | [c](d) `e` | f[^1] | g |\n|---|---|---|---|\n\n[^1]: h",
			"table(title-c1(paragraph(inline-image[b.png])) title-c2(paragraph(link[d]('c') ' ''e'c)) " +
				"title-c3(paragraph(annotation('f'annotation-body(paragraph('h'))))))"},
		{"links in a header of HTML", "<table data-full-width=\"true\"><thead><tr><th><a href=\"a\">b</a> " +
			"<code>c</code></th><th>d</th></tr></thead><tbody></tbody></table>",
			"table(title-c1(paragraph(link[a]('b') ' ''c'c)))"},
		{"pipes in code in a table", "| a |\n|---|\n| `b\\|c` `\\\\|` d\\|e[^1] |\n\n`f\\|g`\n\n[^1]: `h\\|i`",
			"table(r1c1(paragraph('b|c'c' ''\\|'c' ' annotation('d|e'annotation-body(paragraph('h\\|i'c)))))) " +
				"paragraph('f\\|g'c)"},
		{"raw HTML stays", "a <u>b</u> <!-- c -->\n\n<section>\nd\n</section>",
			"paragraph('a ' raw-inline[<u>] 'b' raw-inline[</u>] ' ' raw-inline[<!-- c -->]) " +
				"raw[<section>⏎d⏎</section>]"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d, err := Parse([]byte(test.body))
			if err != nil {
				t.Fatal(err)
			}
			want := strings.ReplaceAll(test.want, "  ", " ")
			if got := sketch(d); got != want {
				t.Errorf("\ngot  %s\nwant %s", got, want)
			}
			checkLaws(t, []byte(test.body))
		})
	}
}
