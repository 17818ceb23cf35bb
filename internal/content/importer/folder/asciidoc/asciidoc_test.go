package asciidoc

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// files reads from a map.
func files(all map[string]string) Read {
	return func(file string, around []string) (string, string, bool) {
		text, ok := all[file]
		return text, file, ok && !slices.Contains(around, file) && len(around) < 10
	}
}

func TestIncludes(t *testing.T) {
	read := files(map[string]string{
		"parts/a.adoc": "= A\n\ninclude::b.txt[]\n", "parts/b.txt": "one\ntwo\nthree\nfour\n",
		"code.py":    "import x\n# tag::f[]\n  def f():\n    # tag::g[]\n    pass\n    # end::g[]\n# end::f[]\nend\n",
		"self.adoc":  "include::self.adoc[]\nx\n",
		"parts/c.md": "include::b.txt[]\n",
	})
	for _, test := range []struct{ name, in, want string }{
		{"a page of another level", "include::../parts/a.adoc[leveloffset=+1]\nz\n",
			":leveloffset: +1\n\n= A\n\none\ntwo\nthree\nfour\n\n:leveloffset: -1\nz\n"},
		{"lines", "include::../parts/b.txt[lines=1;3..-1]\n", "one\nthree\nfour\n"},
		{"lines in quotes", "include::../parts/b.txt[lines=\"1,2\", indent=2]\n", "  one\n  two\n"},
		{"a tag", "include::../code.py[tag=f,indent=0]\n", "def f():\n  pass\n"},
		{"a tag without what is in it", "include::../code.py[tags=f;!g]\n", "  def f():\n"},
		{"all but a tag", "include::../code.py[tag=!f]\n", "import x\nend\n"},
		{"all tags", "include::../code.py[tags=*]\n", "  def f():\n    pass\n"},
		{"no tag", "include::../code.py[]\n", "import x\n  def f():\n    pass\nend\n"},
		{"an attribute", ":where: ../parts\n\ninclude::{where}/b.txt[lines=2]\n", ":where: ../parts\n\ntwo\n"},
		{"what is no AsciiDoc", "include::../parts/c.md[]\n", "include::b.txt[]\n"},
		{"a directive to be shown", "\\include::../parts/b.txt[]\n", "\\include::../parts/b.txt[]\n"},
		{"itself", "include::../self.adoc[]\n", "x\n"},
		{"one that need not be there", "a\ninclude::none.adoc[opts=optional]\nb\n", "a\nb\n"},
	} {
		got, _ := Includes("guide/page.adoc", test.in, read)
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
	_, missing := Includes("p.adoc", "include::none.adoc[]\ninclude::https://example.org/a[]\ninclude::/etc/passwd[]\n"+
		"include::../../etc/passwd[]\ninclude::{nothing}/a[]\ninclude::gone.adoc[opts=optional]\n", read)
	if diff := cmp.Diff([]string{"include::none.adoc[]", "include::https://example.org/a[]",
		"include::/etc/passwd[]", "include::../../etc/passwd[]", "include::{nothing}/a[]"}, missing); diff != "" {
		t.Error(diff)
	}
}

// TestHostileTexts holds that no text takes long: each is a megabyte.
func TestHostileTexts(t *testing.T) {
	read := files(map[string]string{"a.txt": strings.Repeat("# tag::a[]\n", 1<<16)})
	for _, line := range []string{":a: {a}{a}\n", "include::{a}[]\n", "include::a[", "include::a.txt[tag=b\n"} {
		start := time.Now()
		Includes("p.adoc", strings.Repeat(line, 1<<20/len(line)), read)
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("%q takes %v", line, took)
		}
	}
}
