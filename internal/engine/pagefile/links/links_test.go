package links

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func destinations(body string) []string {
	var all []string
	for _, use := range All([]byte(body)) {
		all = append(all, use.Destination)
	}
	return all
}

func TestFindsDestinations(t *testing.T) {
	tests := []struct {
		name, body string
		want       []string
	}{
		{"link", "see [a](b.md) and [c](d.md#e \"title\")", []string{"b.md", "d.md#e"}},
		{"image", "![alt [x]](img/a.png 'title')", []string{"img/a.png"}},
		{"image in a link", "[![a](b.png)](c.md)", []string{"b.png", "c.md"}},
		{"angle brackets", "[a](<b c (1).md> \"t\") [b](<>)", []string{"b c (1).md", ""}},
		{"parentheses", "[a](b(c)d.md) [x](y(z)", []string{"b(c)d.md"}},
		{"escapes and references", `[a](b\_c\).md) [b](x&amp;y&#x20;z.md)`, []string{"b_c).md", "x&y z.md"}},
		{"line ends", "[a](\n  b.md\n  'title\nmore'\n)", []string{"b.md"}},
		{"text over lines", "[several\nwords](b.md)", []string{"b.md"}},
		{"text over paragraphs", "[several\n\nwords](b.md)", nil},
		{"definition", "[a]: b.md\n[b]:\n  <c d.md> 'title'\n> [q]: e.md\n   [r s]: f.md",
			[]string{"b.md", "c d.md", "e.md", "f.md"}},
		{"footnote is no definition", "[^1]: b.md", nil},
		{"with a comment behind", "[t](ch01.html#x)<!-- ignore --> [u][v]<!--\nignore -->", []string{"ch01.html#x"}},
		{"code span", "`[a](b.md)` ``x ` [c](d.md)`` [e](f.md)", []string{"f.md"}},
		{"code span that does not close", "` [a](b.md)\n\n` [c](d.md)", []string{"b.md", "d.md"}},
		{"escaped backtick", "\\`[a](b.md)\\`", []string{"b.md"}},
		{"escaped bracket", `\[a](b.md) [a\](c.md) [x](d.md)`, []string{"d.md"}},
		{"fence", "```\n[a](b.md)\n```\n[c](d.md)\n~~~~ md\n[e](f.md)\n~~~\n[g](h.md)\n~~~~\n[i](j.md)",
			[]string{"d.md", "j.md"}},
		{"fence in a list", "- x\n  ```\n  [a](b.md)\n  ```\n- ```\n  [a](b.md)\n  ```\n- [c](d.md)", []string{"d.md"}},
		{"fence in a quote", "> ```\n> [a](b.md)\n> ```\n> [c](d.md)", []string{"d.md"}},
		{"fence with four", "````\n```\n[a](b.md)\n```\n````\n[c](d.md)", []string{"d.md"}},
		{"not a fence", "``` a `b`\n[c](d.md)", []string{"d.md"}},
		{"indented code", "text\n\n    [a](b.md)\n\n    [a](b.md)\n\n[c](d.md)", []string{"d.md"}},
		{"indented code at the start", "    [a](b.md)\n[c](d.md)", []string{"d.md"}},
		{"continuation is not code", "text\n    [a](b.md)", []string{"b.md"}},
		{"deep list is not code", "* a\n  * b\n\n    [a](b.md)\n    * c\n\n      [d](e.md)", []string{"b.md", "e.md"}},
		{"code in a list", "* a\n\n      [a](b.md)\n\n  [c](d.md)", []string{"d.md"}},
		{"ordered list", "1. a\n\n   [a](b.md)\n\n10) x\n\n    [c](d.md)", []string{"b.md", "d.md"}},
		{"code after a list", "* a\n\ntext\n\n    [a](b.md)", nil},
		{"formula", "$$\n[a](b.md)\n$$\n[c](d.md)", []string{"d.md"}},
		{"comment", "<!-- [a](b.md) --> [c](d.md) <!-- open [e](f.md)", []string{"d.md", "f.md"}},
		{"autolink", "<https://example.org/[a](b.md)> [c](d.md)", []string{"b.md", "d.md"}},
		{"HTML", `<a href="b.md">x</a> <img alt='>' src='i (1).png'> <source srcset="d.png" media=x><a href=bare.md>`,
			[]string{"b.md", "i (1).png", "d.png", "bare.md"}},
		{"HTML over lines", "<img alt=\"Three\ntables\"\n  src=\"img/t.svg\" class=\"center\" />",
			[]string{"img/t.svg"}},
		{"HTML references", `<img src="a&#x26;b&quot;.png">`, []string{`a&b".png`}},
		{"generics are no HTML", "Vec<T> and a < b [x](y.md) HashMap<K, V>", []string{"y.md"}},
		{"raw elements", "<pre>[a](b.md) <a href=\"c.md\"></pre><script src=\"x.js\">[a](b.md)</script>[c](d.md)",
			[]string{"d.md"}},
		{"tags", "{% file src=\"a b.pdf\" %}\n{% content-ref url=\"c.md\" %}\n[c](c.md)\n{% endcontent-ref %}\n{% " +
			"include \"../x.md\" %}\n{% embed url=\"https://e.org\" %}\n{% openapi src=\"s.yaml\" path=\"/x\" " +
			"method=\"get\" %}", []string{"a b.pdf", "c.md", "c.md", "../x.md", "https://e.org", "s.yaml"}},
		{"other tags", "{% hint style=\"info\" %}\n[a](b.md)\n{% endhint %}\n{% code title=\"src\" %}",
			[]string{"b.md"}},
		{"integration", "{% @mermaid/diagram content=\"a\n\n[a](b.md)\" %}\n[c](d.md)", []string{"d.md"}},
		{"tag that does not end", "{% file src=\"a\n[c](d.md)", []string{"d.md"}},
		{"no destination", "[a]() [b] (c.md) [d][e] [f]", []string{""}},
		{"carriage returns", "[a](b.md)\r\n\r\n```\r\n[x](y.md)\r\n```\r\n[c]: d.md\r\n", []string{"b.md", "d.md"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, destinations(test.body)); diff != "" {
				t.Errorf("%s\n%s", test.body, diff)
			}
		})
	}
}

func TestPlaces(t *testing.T) {
	uses := All([]byte("# T\n\n![i](a.png)\n<a href='b'>\n{% file src=\"c\" %}\n\n[d]: e\n{% include \"f\" %}"))
	var got []string
	for _, use := range uses {
		got = append(got, fmt.Sprint(use.Line, " ", use.Kind, " ", use.Element, " ", use.Attribute, " ",
			use.Destination))
	}
	want := []string{"3 1   a.png", "4 3 a href b", "5 4 file src c", "7 2   e", "8 5 include  f"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestRewriteChangesDestinationsOnly(t *testing.T) {
	body := "A [b](c.md \"t\"), <d e>.  \n\n[x]: <y z.md>  'u'\n<a  href='c.md'>\n`[b](c.md)`\n<a href=c.md>\n{% " +
		"include \"c.md\" %}\n[u](v)"
	got := Rewrite([]byte(body), func(use Use) (string, bool) {
		return "/pages/" + strings.ToUpper(use.Destination), use.Destination != "v"
	})
	want := "A [b](/pages/C.MD \"t\"), <d e>.  \n\n[x]: </pages/Y Z.MD>  'u'\n<a  href='/pages/C.MD'>\n`[b](c.md)`\n" +
		"<a href=\"/pages/C.MD\">\n{% include \"/pages/C.MD\" %}\n[u](v)"
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
	same := Rewrite([]byte(body), func(use Use) (string, bool) { return use.Destination, true })
	if string(same) != body {
		t.Error("replacing by the same changed the body")
	}
}

// TestEveryDestinationCanBeWritten holds that what Rewrite writes is read back as the same destination.
func TestEveryDestinationCanBeWritten(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	templates := []string{"[a](X)", "![a](X 't')", "[a]: X", "<a href=\"X\">", "<img src='X'>", "<a href=X>",
		"{% file src=\"X\" %}", "{% include \"X\" %}"}
	alphabet := []string{"a", "/", ".", "..", " ", "(", ")", "<", ">", "&", "&amp;", "#", "\\", "\"", "'", "%20", "é",
		"_", "*", "`", "[", "]", "!", "?", "=", "&lt", ";"}
	for range 20_000 {
		var destination strings.Builder
		for range 1 + random.IntN(8) {
			destination.WriteString(alphabet[random.IntN(len(alphabet))])
		}
		want := destination.String()
		body := templates[random.IntN(len(templates))]
		got := Rewrite([]byte(body), func(Use) (string, bool) { return want, true })
		uses := All(got)
		if len(uses) != 1 || uses[0].Destination != want {
			t.Fatalf("%q written into %s is %s, read back as %+v", want, body, got, uses)
		}
	}
}

func checkRewrite(t *testing.T, body []byte) {
	t.Helper()
	uses := All(body)
	last := 0
	for _, use := range uses {
		if use.Start < last || use.End < use.Start || use.End > len(body) {
			t.Fatalf("ranges out of order: %+v in %q", uses, body)
		}
		last = use.End
	}
	if got := Rewrite(body, func(Use) (string, bool) { return "", false }); string(got) != string(body) {
		t.Fatalf("%q became %q", body, got)
	}
	// Destinations of plain characters take part in no other construct, so replacing them changes no other use.
	const target = "/pages/page_01"
	plain := func(use Use) bool { return strings.Trim(use.Destination, "abmd./") == "" && use.Destination != "" }
	again := All(Rewrite(body, func(use Use) (string, bool) { return target, plain(use) }))
	if len(again) != len(uses) {
		t.Fatalf("%d destinations became %d in %q", len(uses), len(again), body)
	}
	for i, use := range again {
		want := uses[i].Destination
		if plain(uses[i]) {
			want = target
		}
		if use.Destination != want || use.Kind != uses[i].Kind || use.Line != uses[i].Line {
			t.Fatalf("use %d is %+v, was %+v in %q", i, use, uses[i], body)
		}
	}
}

func TestRewriteOfRandomText(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	pieces := []string{"[", "]", "(", ")", "](", "]: ", "a", "b.md", " ", "\n", "\n\n", "`", "```", "~~~", "    ",
		"<a href=\"", "<img src='", "\"", "'", ">", "{% ", "%}", "include \"", "file src=\"", "\\", "<!--", "-->", "* ",
		"1. ", "> ", "$$", "<pre>", "</pre>", "!", "^", "&amp;", "=", "\t", "\r\n"}
	for range 30_000 {
		var body strings.Builder
		for range random.IntN(30) {
			body.WriteString(pieces[random.IntN(len(pieces))])
		}
		checkRewrite(t, []byte(body.String()))
	}
}

func FuzzRewrite(f *testing.F) {
	f.Add([]byte("[a](b.md) ![c](<d e> 't')\n\n[f]: g\n<a href=h>\n{% include \"i\" %}"))
	f.Add([]byte("* a\n\n      code\n```\n`"))
	f.Fuzz(func(t *testing.T, body []byte) { checkRewrite(t, body) })
}

// TestHostileText holds that the running time grows with the length, not with its square.
func TestHostileText(t *testing.T) {
	for _, piece := range []string{"[", "]", "](", "[a](", "[a](b", "[a](b \"", "`", "` ``", "``` `", "<", "<a ",
		"<a b=\"", "<a b='<a b=\"", "<pre>", "<!--", "{% ", "{% file src=\"", "{% %}", "\\", "> ", "* ", "[a]: ",
		"[a]:\n", "\n[", "$$\n", "~~~\n", "(", "&", "a b ", "1. "} {
		body := []byte(strings.Repeat(piece, 1<<20/len(piece)))
		start := time.Now()
		All(body)
		if took := time.Since(start); took > 2*time.Second {
			t.Errorf("%q repeated to 1 MB takes %s", piece, took)
		}
	}
	var runs strings.Builder
	for n := 1; runs.Len() < 1<<20; n++ {
		runs.WriteString(strings.Repeat("`", n) + " ")
	}
	start := time.Now()
	All([]byte(runs.String()))
	if took := time.Since(start); took > 2*time.Second {
		t.Errorf("runs of different lengths take %s", took)
	}
}
