package markdown

import (
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
)

// Bounds of one hostile input. The time is a generous deadline: the work takes well under a second on an idle machine.
const (
	hostileTime   = 6 * time.Second
	hostileMemory = 64 << 20
)

// TestHostile parses what is made to hurt: each input is read within the bounds or refused with an error that names the
// place.
func TestHostile(t *testing.T) {
	repeat := func(s string, n int) string { return strings.Repeat(s, n) }
	full := func(s string) string { return repeat(s, MaxBody/len(s)) }
	part := func(s string) string { return repeat(s, (MaxBody-32)/len(s)) } // something else stands beside it
	wideTable := func(columns, rows int) string {
		return "|" + repeat("a|", columns) + "\n|" + repeat("-|", columns) + "\n" + repeat("|b|\n", rows)
	}
	pipesInCode := "|" + repeat("a|", 90) + "\n|" + repeat("-|", 90) + "\n" + repeat("|"+repeat("`\\|`|", 90)+"\n", 80)
	tests := []struct {
		name, body string
		refused    bool // it must be; other inputs may be
	}{
		{"emphasis", repeat("*a_", 100_000), true},
		{"emphasis full", full("*a_"), true},
		{"strong", full("**a "), false},
		{"strikethrough run", "a " + part("~"), true},
		{"strikethrough", full("~a "), false},
		{"opening brackets", full("["), true},
		{"closing brackets", "[" + part("]"), true},
		{"nested brackets", repeat("[", 20_000) + repeat("]", 20_000), false},
		{"unfinished links", repeat("[a](", 20_000), true},
		{"unfinished links full", full("[a]("), true},
		{"unfinished destinations", full("[a](<"), true},
		{"unfinished titles", full("[a](b \""), true},
		{"nested images", full("!["), true},
		{"unfinished references", full("[a]["), true},
		{"link definitions", full("[a]: b\n"), false},
		{"fewer link definitions", repeat("[a]: b\n", 60_000), true},
		{"unfinished definitions", full("[a]: <b 'c\n"), false},
		{"quotes", repeat("> ", 100_000), true},
		{"quotes over lines", repeat(repeat("> ", 60)+"a\n", 8_000), true},
		{"numbers in a line", "a " + repeat("1. )", 75_000), false},
		{"bullets", repeat("- ", 100_000) + "a", true},
		{"divider", repeat("- ", 100_000), false},
		{"numbers", repeat("1. ", 100_000), true},
		{"quotes and bullets", repeat("> - ", 100_000), true},
		{"deep list", deepList(1_000), true},
		{"less-than signs", full("<"), false},
		{"comments", full("<!--"), false},
		{"comments in text", "a " + part("<!-- b "), false},
		{"instructions", "a " + part("<?"), false},
		{"character data", "a " + part("<![CDATA["), false},
		{"declarations", "a " + part("<!A "), false},
		{"unfinished attributes", full("<a b=\""), false},
		{"autolinks", full("<http://a"), false},
		{"bare addresses", full("http://a.b "), true},
		{"unfinished bare addresses", full("(http://a"), false},
		{"bare address of a megabyte", "http://a.b/" + part("c_("), false},
		{"bare address of dots", "http://a.b/" + part("."), false},
		{"mail addresses without a dot", full("a@b_"), false},
		{"mail addresses", full("_a@b.c"), false},
		{"open tags", full("<b>"), false},
		{"crossed elements", part("<a href=\"x\"><kbd></a>"), false},
		{"backticks", backticks(), false},
		{"backtick pairs", full("`a``b"), false},
		{"formulas", full("$$"), false},
		{"unfinished formulas", full("$$a"), false},
		{"colons", full(":a"), false},
		{"emoji", full(":tada:"), true},
		{"references", full("&#x20;"), false},
		{"entities", full("&amp"), false},
		{"backslashes", full("\\"), false},
		{"hard breaks", full("a\\\n"), true},
		{"lines", full("a\n"), true},
		{"empty lines", full("\n"), false},
		{"paragraphs", full("a\n\n"), true},
		{"items", full("* a\n"), true},
		{"fences", full("```\n"), true},
		{"code lines", "```\n" + part("\n"), true},
		{"fence of everything", "```\n" + part("x"), false},
		{"spaces", full(" "), false},
		{"tabs", full("\t"), false},
		{"one word", full("a"), false},
		{"headings", full("# a\n"), true},
		{"underlines", full("a\n=\n"), true},
		{"table of 1000 columns", wideTable(1_000, 1_000), true},
		{"table of 101 columns", wideTable(101, 1), true},
		{"table of 100 columns", wideTable(100, 90), false},
		{"table of 20000 rows", wideTable(2, 20_000), true},
		{"pipes", full("|"), false},
		{"pipes in code in tables", repeat(pipesInCode+"\n", 3), false},
		{"pipes in code in a table", pipesInCode + "|`" + repeat("\\|", 300_000) + "`|\n", false},
		{"code with pipes in a cell", "|a|\n|-|\n|" + repeat("`\\|` ", 40_000) + "|\n", true},
		{"delimiter rows", full("|-|\n"), true},
		{"HTML table of 1000 columns", "<table><tr>" + repeat("<td>a", 1_000) + "</table>", true},
		{"HTML table of 20000 rows", "<table>" + repeat("<tr><td>a<td>b", 20_000) + "</table>", true},
		{"HTML table of spans", "<table><tr>" + repeat("<td colspan=50 rowspan=50>a", 90) + "</tr>" +
			repeat("<tr><td>b", 99) + "</table>", false},
		{"open HTML", full("<div>"), false},
		{"deep HTML", "<div>" + repeat("<p><b>", 50_000) + "</div>", false},
		{"deep HTML list", repeat("<ul><li>", 5_000), false},
		{"HTML list", "<ul>" + repeat("<li>a", 200_000) + "</ul>", true},
		{"open tags of the dialect", full("{% hint %}\n"), true},
		{"nested tags", repeat("{% hint %}\n", 5_000) + repeat("{% endhint %}\n", 5_000), true},
		{"end tags", full("{% endhint %}\n"), true},
		{"crossed tags", repeat("{% hint %}\n{% if a %}\n{% endhint %}\n", 5_000), false},
		{"nested code tags", repeat("{% code %}\n", 60) + repeat("{% endcode %}\n", 60), false},
		{"nested captions", repeat("{% embed url=\"a\" %}\n", 60) + repeat("{% endembed %}\n", 60), false},
		{"nested details with attributes", repeat("<details x>\n<summary>a</summary>\n\n", 60) +
			repeat("</details>\n\n", 60), false},
		{"tags that never end", full("{% @a/b c=\"\n"), false},
		{"tag with a megabyte of quotes", "{% @a/b c=\"" + repeat("\" ", 500_000) + " %}", false},
		{"tag with deep JSON", "{% @a/b c=" + repeat("[", 500_000) + " %}", false},
		{"tags with a megabyte of attributes", "{% hint " + repeat("a=b ", 250_000) + "%}\n{% endhint %}", false},
		{"tag with a megabyte of quotes in attributes", "{% hint " + repeat("a=\"b\"c ", 125_000) + "%}\n{% endhint %}",
			false},
		{"braces", full("{%"), false},
		{"details", full("<details>\n"), true},
		{"nested details", repeat("<details>\n<summary>a</summary>\n\n", 5_000) + repeat("</details>\n\n", 5_000),
			true},
		{"footnotes", full("[^1]: a\n"), true},
		{"footnote references", "[^1]: " + repeat("a ", 5_000) + "\n\n" + repeat("[^1] ", 5_000), true},
		{"footnotes that refer to each other", footnoteBomb(), false},
		{"pre without end", "<pre>" + part("<strong>"), false},
		{"nested strong in pre", "<pre>" + repeat("<strong>", 50_000) + "</pre>", false},
		{"front of a list", full("- \n"), true},
		{"empty items", repeat("-\n\n", 30_000), false},
		{"mixed", full("> * [a](b) **c** <kbd>d</kbd> `e` :tada: $$f$$ &amp; \\* ![g](h)\n"), false},
	}
	if len(tests) < 30 {
		t.Fatalf("only %d inputs", len(tests))
	}
	place := regexp.MustCompile(`^line \d+, column \d+: .{20,}`)
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			body := []byte(test.body)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			started := time.Now()
			d, err := Parse(body)
			took := time.Since(started)
			runtime.ReadMemStats(&after)
			allocated := after.TotalAlloc - before.TotalAlloc
			if took > hostileTime {
				t.Errorf("%v for %d bytes", took, len(body))
			}
			if allocated > hostileMemory {
				t.Errorf("%d MB for %d bytes", allocated>>20, len(body))
			}
			if err == nil {
				if test.refused {
					t.Errorf("not refused (%v, %d MB)", took, allocated>>20)
				}
				started = time.Now()
				Write(d)
				if took := time.Since(started); took > 2*hostileTime {
					t.Errorf("writing took %v", took)
				}
				return
			}
			if errs.KindOf(err) != errs.TooLarge || !place.MatchString(err.Error()) {
				t.Errorf("the refusal %q names no place or no remedy", err)
			}
		})
	}
}

func deepList(depth int) string {
	var b strings.Builder
	for i := range depth {
		b.WriteString(strings.Repeat(" ", 2*i) + "* a\n")
	}
	return b.String()[:min(b.Len(), MaxBody)]
}

// backticks returns runs of all lengths, none of which has a partner.
func backticks() string {
	var b strings.Builder
	for n := 1; b.Len()+n+1 < MaxBody; n++ {
		b.WriteString(strings.Repeat("`", n) + "a")
	}
	return b.String()
}

// footnoteBomb returns footnotes of which each refers to the next one many times.
func footnoteBomb() string {
	var b strings.Builder
	b.WriteString("a[^a0]\n\n")
	for i := range 50 {
		name := "[^a" + string(rune('0'+(i+1)%10)) + "]"
		b.WriteString("[^a" + string(rune('0'+i%10)) + "]: " + strings.Repeat(name, 50) + "\n")
	}
	return b.String()
}

func TestRefusesWhatIsNoText(t *testing.T) {
	tests := []struct {
		name, body, want string
		kind             errs.Kind
	}{
		{"too large", strings.Repeat("a", MaxBody+1), "at most 1048576", errs.TooLarge},
		{"not UTF-8", "ab\ncé\xff", "line 2, column 3", errs.Invalid},
		{"UTF-16", "\xff\xfea\x00", "line 1, column 1", errs.Invalid},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := Parse([]byte(test.body))
			if errs.KindOf(err) != test.kind || err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error is %v, want kind %v with %q", err, test.kind, test.want)
			}
		})
	}
}

// TestLargeButHonest parses large pages as people write them.
func TestLargeButHonest(t *testing.T) {
	paragraph :=
		"The **quick** brown [fox](fox.md) jumps over the `lazy` dog; it _never_ stops, said the keeper of the zoo. " +
			"Some more words make this a line of the usual length, with a number 3.14 and a path like " +
			"/usr/local/bin.\n\n"
	row := "| name | A description of some words | `value` | yes |\n"
	tests := map[string]string{
		"paragraphs": strings.Repeat(paragraph, MaxBody/len(paragraph)),
		"code": "```go\n" + strings.Repeat("\tfmt.Println(\"a line of code\", value[i], *pointer)\n", 19_000) +
			"```\n",
		"table": "| a | b | c | d |\n|---|---|---|---|\n" + strings.Repeat(row, 2_400),
		"list":  strings.Repeat("* An item with some words and a [link](a.md)\n  * and a nested one\n", 10_000),
	}
	for name, body := range tests {
		t.Run(name, func(t *testing.T) {
			if _, err := Parse([]byte(body)); err != nil {
				t.Error(err)
			}
		})
	}
}
