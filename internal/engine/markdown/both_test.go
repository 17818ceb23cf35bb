package markdown

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/doc/doctest"
)

// bothOf joins two bodies that differ altogether between what is before and behind.
func bothOf(before, ours, theirs, behind string) string {
	place := Place{
		Ours:   doc.Span{Start: len(before), End: len(before) + len(ours)},
		Theirs: doc.Span{Start: len(before), End: len(before) + len(theirs)},
	}
	return string(Both([]byte(before+ours+behind), []byte(before+theirs+behind), []Place{place}))
}

func TestBoth(t *testing.T) {
	for name, test := range map[string]struct{ before, ours, theirs, behind, want string }{
		"paragraphs":     {"", "One\n", "Two\n", "", "One\n\nTwo\n"},
		"between others": {"A\n\n", "One\n", "Two\n", "\nB\n", "A\n\nOne\n\nTwo\n\nB\n"},
		"headings":       {"A\n\n", "## One\n", "## Two\n", "\nB\n", "A\n\n## One\n## Two\n\nB\n"},
		"a hint's style": {"A\n\n", "{% hint style=\"info\" %}\n", "{% hint style=\"danger\" %}\n",
			"Text\n{% endhint %}\n", "A\n\n{% hint style=\"info\" %}\nText\n{% endhint %}\n\n{% hint " +
				"style=\"danger\" %}\nText\n{% endhint %}\n"},
		"text of a hint": {"{% hint style=\"info\" %}\nA\n\n", "One\n", "Two\n", "{% endhint %}\n",
			"{% hint style=\"info\" %}\nA\n\nOne\n\nTwo\n{% endhint %}\n"},
		"a fence's word":    {"", "```go\n", "```js\n", "a\n```\n", "```go\na\n```\n\n```js\na\n```\n"},
		"lines of code":     {"```\na\n", "b\n", "c\n", "d\n```\n", "```\na\nb\nc\nd\n```\n"},
		"an unclosed fence": {"A\n\n", "```\nb\n", "c\n", "", "A\n\n```\nb\n```\n\nc\n"},
		"items of a list":   {"* a\n", "* b\n", "* c\n", "* d\n", "* a\n* b\n* c\n* d\n"},
		"two lists":         {"A\n\n", "* b\n", "* c\n", "\nD\n", "A\n\n* b\n\n- c\n\nD\n"},
		"an item's words":   {"* a\n", "* one b\n", "* two b\n", "* c\n", "* a\n* one b\n* two b\n* c\n"},
		"numbers":           {"", "1. a\n", "1. b\n", "", "1. a\n\n1) b\n"},
		"two tables": {"", "| a |\n|---|\n| b |\n", "| c |\n|---|\n| d |\n", "",
			"| a |\n|---|\n| b |\n\n| c |\n|---|\n| d |\n"},
		"rows of a table": {"| a |\n|---|\n", "| b |\n", "| c |\n", "",
			"| a |\n|---|\n| b |\n\n| a |\n|---|\n| c |\n"},
		"quotes":        {"", "> a\n", "> b\n", "", "> a\n\n> b\n"},
		"setext":        {"", "a\n", "===\n", "", "a\n\n===\n"},
		"indented code": {"", "    a\n", "    b\n", "", "    a\n\n```\nb\n```\n"},
		"definitions": {"[x]\n\n", "[x]: /a\n\n[x] one\n", "[x]: /b\n\n[x] two\n", "",
			"[x]\n\n[x]: /a\n\n[x] one\n\n[x](/b) two\n"},
		"an HTML block":   {"", "<div>\na\n", "b\n", "", "<div>\na\n\nb\n"},
		"deleted":         {"A\n\n", "", "B\n\n", "C\n", "A\n\nB\n\nC\n"},
		"an open comment": {"", "<!-- a\n", "b\n", "", "<!-- a\n-->\n\nb\n"},
		"half a tag each": {"", "{% hint %}\n", "{% endhint %}\n", "", "\\{% hint %}\n\n\\{% endhint %}\n"},
		"the end":         {"A\n\n", "One", "Two", "", "A\n\nOne\n\nTwo"},
		"two tabs": {"{% tabs %}\n{% tab title=\"A\" %}\na\n{% endtab %}\n",
			"{% tab title=\"B\" %}\nb\n{% endtab %}\n", "{% tab title=\"C\" %}\nc\n{% endtab %}\n", "{% endtabs %}\n",
			"{% tabs %}\n{% tab title=\"A\" %}\na\n{% endtab %}\n{% tab title=\"B\" %}\nb\n{% endtab %}\n{% tab " +
				"title=\"C\" %}\nc\n{% endtab %}\n{% endtabs %}\n"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := bothOf(test.before, test.ours, test.theirs, test.behind); got != test.want {
				t.Errorf("got %q\nwant %q", got, test.want)
			}
		})
	}
}

// bothFailure returns how the law of Both does not hold for two bodies that have nothing in common: the blocks of the
// result are those of ours, followed by those of theirs.
func bothFailure(ours, theirs string) string {
	one, err := Parse([]byte(ours))
	if err != nil {
		return ""
	}
	other, err := Parse([]byte(theirs))
	if err != nil {
		return ""
	}
	result := bothOf("", ours, theirs, "")
	got, err := Parse([]byte(result))
	if err != nil {
		return err.Error()
	}
	want := &doc.Document{Nodes: append(one.Clone().Nodes, other.Clone().Nodes...)}
	if len(want.Nodes) == len(got.Nodes) {
		for i, node := range want.Nodes {
			if forgiven(node, got.Nodes[i]) {
				want.Nodes[i] = got.Nodes[i]
			}
		}
	}
	if doc.Equal(want, got) {
		return ""
	}
	withoutPlaces(want)
	withoutPlaces(got)
	return fmt.Sprintf("the result %q is not the blocks of both\n%s", result, cmp.Diff(want, got))
}

// forgiven reports whether a block is one of the two kinds that cannot have another behind it: HTML without an end,
// which has one now, or a tag that would find its counterpart in the other body, which is text now.
func forgiven(was, is *doc.Node) bool {
	raw, ok := was.Data.(*doc.RawData)
	if !ok {
		return false
	}
	if raw.Syntax == "tag" {
		return is.Type == doc.Paragraph && is.PlainText() == raw.Source
	}
	now, ok := is.Data.(*doc.RawData)
	behind, err := Parse([]byte(raw.Source + "\n\nbehind\n"))
	return ok && strings.HasPrefix(now.Source, raw.Source) && err == nil && len(behind.Nodes) == 1
}

func withoutPlaces(d *doc.Document) {
	d.Walk(func(n *doc.Node) bool { n.Key, n.ID, n.Source = "", "", doc.Span{}; return true })
}

// TestBothIsTheBlocksOfBoth holds the law for random pairs of bodies, and for pairs of blocks of each kind.
func TestBothIsTheBlocksOfBoth(t *testing.T) {
	from, count := caseRange(1500)
	text := func(r *rand.Rand) string {
		if r.IntN(3) == 0 {
			return doctest.RandomBody(r)
		}
		return string(Write(doctest.Random(r, 4)))
	}
	for seed := from; seed < from+count; seed++ {
		r := rand.New(rand.NewPCG(uint64(seed), 23))
		ours, theirs := text(r), text(r)
		if bothFailure(ours, theirs) == "" {
			continue
		}
		ours = shrink(ours, func(s string) bool { return bothFailure(s, theirs) != "" })
		theirs = shrink(theirs, func(s string) bool { return bothFailure(ours, s) != "" })
		t.Fatalf("seed %d: %q and %q: %s", seed, ours, theirs, bothFailure(ours, theirs))
	}
}

// TestBothOfEachKind holds the law for each kind of block, inline and mark beside each other.
func TestBothOfEachKind(t *testing.T) {
	var texts []string
	for _, sample := range doctest.Samples(doctest.Targets{
		Links: []doc.Ref{doc.URL("a.md")}, Files: []doc.Ref{doc.URL("a.png")},
		Reusable: doc.Ref{Kind: doc.RefReusableContent, ReusableContent: "r"},
	}) {
		texts = append(texts, string(Write(&doc.Document{Nodes: sample.Document.Nodes[:1]})))
	}
	for _, ours := range texts {
		for _, theirs := range texts {
			if failure := bothFailure(ours, theirs); failure != "" {
				t.Errorf("%q and %q: %s", ours, theirs, failure)
			}
		}
	}
}

// TestBothKeepsWhatIsAround holds for random neighbours that they stay as they are, before and behind the blocks of
// both.
func TestBothKeepsWhatIsAround(t *testing.T) {
	from, count := caseRange(600)
	text := func(r *rand.Rand) string { return string(Write(doctest.Random(r, 3))) }
	held := 0
	for seed := from; seed < from+count; seed++ {
		r := rand.New(rand.NewPCG(uint64(seed), 24))
		before, ours, theirs, behind := text(r)+"\n", text(r)+"\n", text(r)+"\n", text(r)
		parts := make([][]*doc.Node, 4)
		apart := true
		for i, part := range []string{before, ours, theirs, behind} {
			d, err := Parse([]byte(part))
			if err != nil {
				t.Fatal(err)
			}
			parts[i] = d.Nodes
		}
		// Where neighbours run together already in one of the versions, such as two lists, the blocks are not those of
		// the parts.
		for _, version := range [][]int{{0, 1, 3}, {0, 2, 3}} {
			var whole strings.Builder
			var nodes []*doc.Node
			for _, i := range version {
				whole.WriteString([]string{before, ours, theirs, behind}[i])
				nodes = append(nodes, parts[i]...)
			}
			d, err := Parse([]byte(whole.String()))
			apart = apart && err == nil && doc.Equal(d, &doc.Document{Nodes: nodes})
		}
		result := bothOf(before, ours, theirs, behind)
		got, err := Parse([]byte(result))
		if err != nil {
			t.Fatal(err)
		}
		if !apart {
			if ours != "\n" && len(got.Nodes) == 0 {
				t.Fatalf("seed %d: nothing is left", seed)
			}
			continue
		}
		held++
		if want := (&doc.Document{Nodes: slices.Concat(parts...)}); !doc.Equal(want, got) {
			withoutPlaces(got)
			t.Fatalf("seed %d: %q | %q | %q | %q together %q\n%s", seed, before, ours, theirs, behind, result,
				cmp.Diff(want, got))
		}
	}
	if held < count/2 {
		t.Errorf("the law was looked at for %d of %d only", held, count)
	}
}
