package check_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/engine/doc/doctest"
	"github.com/rectodocs/recto/internal/engine/markdown"
	"github.com/rectodocs/recto/internal/engine/pagefile/check"
)

// said writes a fault as "severity from-to: words".
func said(faults []check.Fault) (list []string) {
	for _, f := range faults {
		list = append(list, fmt.Sprintf("%s %d:%d-%d:%d %s", f.Severity, f.From.Line, f.From.Column, f.To.Line,
			f.To.Column, f.Message))
	}
	return list
}

func TestFaults(t *testing.T) {
	for _, test := range []struct{ name, file, want string }{
		{"none", "---\nicon: rocket\n---\n\n# Title\n\n{% hint style=\"info\" %}\nText\n{% endhint %}\n", ""},
		{"a tag without an end", "# T\n\nÄ\n\n{% hint style=\"info\" %}\nText\n",
			"warning 5:1-5:24 {% hint %} cannot be read: {% endhint %} may be missing."},
		{"an end without a tag", "Text\n\n{% endtabs %}\n",
			"warning 3:1-3:14 Nothing that {% endtabs %} could end has begun here."},
		{"a part alone", "{% tab title=\"a\" %}\n",
			"warning 1:1-1:20 {% tab %} stands inside {% tabs %} and ends with {% endtab %}."},
		{"a tag in a list", "* Üben\n\n  {% foo a=\"b\" %}\n",
			"warning 3:3-3:18 {% foo %} is not a tag of the dialect"},
		{"the second of two", "{% foo %}\n\n{% foo %}\n\nText {% foo %}\n",
			"warning 1:1-1:10 {% foo %} is not|warning 3:1-3:10 {% foo %} is not"},
		{"HTML", "# T\n<div class=\"a\">x</div>\n", "info 2:1-2:23 This HTML"},
		{"front matter", "---\nicon: a\nlayout: [\n---\n",
			"error 4:1-4:4 the front matter between the --- lines is not valid YAML"},
		{"a field", "---\nlinkTitle: " + strings.Repeat("x", 999) + "\n---\n",
			"error 1:1-1:4 The front matter cannot be used: "},
		{"the condition of a page", "---\nicon: a\nif: '1 +'\n---\n", "error 3:1-3:10 the condition"},
		{"the condition of a block", "{% if 1 + %}\nText\n{% endif %}\n",
			"error 1:7-1:10 The expression cannot be read"},
		{"an expression", "A <code class=\"expression\">space.</code>.\n",
			"warning 1:28-1:34 The expression cannot be read"},
		{"no UTF-8", "# T\n\na\n\xff\n", "error 4:1-4:2 the text is not UTF-8"},
		{"depth", "# T\n\n" + strings.Repeat("> ", 200) + "x\n", "error 3:"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := said(check.Read([]byte(test.file)).Faults)
			var want []string
			if test.want != "" {
				want = strings.Split(test.want, "|")
			}
			same := len(got) == len(want)
			for i := range want {
				same = same && strings.HasPrefix(got[i], want[i])
			}
			if !same {
				t.Errorf("%q", got)
			}
		})
	}
}

func TestLines(t *testing.T) {
	page := check.Read([]byte("---\nicon: a\n---\n\n# Title\n\nOne\n\n* Two\n* more\n\nThree\n"))
	if diff := cmp.Diff([]int{7, 9, 12}, page.Lines); diff != "" || page.Title != "Title" {
		t.Error(diff, page.Title)
	}
}

// Every file is read, and faults are in it, from their beginning to their end.
func TestPlaces(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		file := doctest.RandomBody(r)
		if r.IntN(2) == 0 {
			file = string(markdown.Write(doctest.Random(r, 5)))
		}
		page := check.Read([]byte(file))
		lines := strings.Split(file, "\n")
		if page.Document != nil && len(page.Lines) != len(page.Document.Nodes) {
			t.Fatalf("%q has %d lines of blocks", file, len(page.Lines))
		}
		for _, f := range page.Faults {
			if f.From.Line < 1 || f.To.Line > len(lines) || f.From.Line > f.To.Line ||
				f.From.Line == f.To.Line && f.From.Column > f.To.Column {
				t.Fatalf("%q: %+v", file, f)
			}
		}
	}
}
