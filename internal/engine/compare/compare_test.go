package compare

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/doc/doctest"
	"github.com/rectodocs/recto/internal/engine/markdown"
)

func parse(t testing.TB, body string) *doc.Document {
	t.Helper()
	document, err := markdown.Parse([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	return document
}

// write writes a comparison, a line for each block.
func write(blocks []Block) string {
	var b strings.Builder
	writeBlocks(&b, blocks, "")
	return b.String()
}

func writeBlocks(b *strings.Builder, blocks []Block, indent string) {
	for _, block := range blocks {
		n := block.After
		if n == nil {
			n = block.Before
		}
		fmt.Fprintf(b, "%s%s %s%s", indent, block.Change, n.Type, n.Fragment)
		for _, a := range block.Attributes {
			fmt.Fprintf(b, " %s:%v>%v", a.Name, a.Before, a.After)
		}
		for i, run := range block.Runs {
			var text strings.Builder
			for _, n := range run.Nodes {
				text.WriteString(n.PlainText())
			}
			sign := map[Change]string{Same: "", Added: "+", Deleted: "-"}[run.Change]
			fmt.Fprintf(b, "%s%s[%s]", strings.Repeat(" ", 1-min(i, 1)), sign, text.String())
		}
		b.WriteByte('\n')
		writeBlocks(b, block.Blocks, indent+"  ")
		writeBlocks(b, block.Parts, indent+"  ")
		if block.Table == nil {
			continue
		}
		for _, row := range block.Table.Rows {
			fmt.Fprintf(b, "%s  row %s", indent, row.Change)
			for _, cell := range row.Cells {
				fmt.Fprintf(b, " %s", cell.Change)
			}
			b.WriteByte('\n')
		}
	}
}

const words = "The quick brown fox jumps over the lazy dog and goes home to sleep."

func TestDocuments(t *testing.T) {
	tests := []struct{ name, before, after, want string }{
		{"equal", "a\n\nb\n", "a\n\nb\n", "same paragraph\nsame paragraph\n"},
		{"a word", "The quick fox jumps.\n", "The slow fox jumps.\n",
			"changed paragraph [The ]-[quick]+[slow][ fox jumps.]\n"},
		{"words in a row are one change", "one two three four five six\n", "one 2 3 four five six\n",
			"changed paragraph [one ]-[two three]+[2 3][ four five six]\n"},
		{"another text", "Nothing is the same here.\n", "Something else altogether now, unlike that.\n",
			"deleted paragraph\nadded paragraph\n"},
		{"added and deleted", "one\n\ntwo\n", "one\n\nnew words\n\ntwo\n",
			"same paragraph\nadded paragraph\nsame paragraph\n"},
		{"moved", words + "\n\nalpha beta gamma\n\ndelta epsilon zeta\n",
			"alpha beta gamma\n\ndelta epsilon zeta\n\n" + words + "\n",
			"moved-away paragraph\nsame paragraph\nsame paragraph\nmoved-here paragraph\n"},
		{"moved and changed", words + "\n\nalpha beta gamma\n\ndelta epsilon zeta\n",
			"alpha beta gamma\n\ndelta epsilon zeta\n\n" + strings.Replace(words, "lazy", "old", 1) + "\n",
			"moved-away paragraph\nsame paragraph\nsame paragraph\n" +
				"moved-here paragraph [The quick brown fox jumps over the ]-[lazy]+[old]" +
				"[ dog and goes home to sleep.]\n"},
		{"moved into a hint", words + "\n\n{% hint style=\"info\" %}\nThis is said here.\n{% endhint %}\n",
			"{% hint style=\"info\" %}\nThis is said here.\n\n" + words + "\n{% endhint %}\n",
			"moved-away paragraph\nchanged hint\n  same paragraph\n  moved-here paragraph\n"},
		{"attribute", "{% hint style=\"info\" %}\nHear this.\n{% endhint %}\n",
			"{% hint style=\"warning\" %}\nHear this.\n{% endhint %}\n",
			"changed hint style:info>warning\n  same paragraph\n"},
		{"another level", "## How to begin\n", "### How to begin\n",
			"changed heading-2 type:heading-1>heading-2 [How to begin]\n"},
		{"code by line", "```js\none();\ntwo();\nthree();\n```\n", "```ts\none();\ntwo(2);\nthree();\nfour();\n```\n",
			"changed code syntax:js>ts\n  same code-line\n  changed code-line [two(]+[2][);]\n  same code-line\n" +
				"  added code-line\n"},
		{"table by cell", "| A | B |\n|---|---|\n| one | two |\n| three | four |\n",
			"| A | B |\n|---|---|\n| one | 2 |\n| new | row |\n| three | four |\n",
			"changed table\n  row changed same changed\n  row added added added\n  row same same same\n"},
		{"column", "| A | B |\n|---|---|\n| one | two |\n", "| A | New | B |\n|---|---|---|\n| one | x | two |\n",
			"changed table\n  row changed same added same\n"},
		{"link", "See [the long guide](https://a.example) now.\n", "See [the short guide](https://a.example) now.\n",
			"changed paragraph [See the ]-[long]+[short][ guide now.]\n"},
		{"item", "* one thing\n* two things\n", "* one thing\n* two more things\n* three\n",
			"changed list-unordered\n  same list-item\n  changed list-item\n" +
				"    changed paragraph [two ]+[more ][things]\n  added list-item\n"},
		{"image", "![](https://a.example/1.png)\n", "![](https://a.example/2.png)\n",
			"changed images\n  changed image ref:map[kind:url url:https://a.example/1.png]>" +
				"map[kind:url url:https://a.example/2.png]\n"},
		{"nothing", "", "new\n", "added paragraph\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			before, after := parse(t, test.before), parse(t, test.after)
			before.ReadDestinations()
			after.ReadDestinations()
			got := Documents(before, after)
			if diff := cmp.Diff(test.want, write(got.Blocks)); diff != "" {
				t.Error(diff)
			}
			if failure := lawFailure(before, after); failure != "" {
				t.Error(failure)
			}
		})
	}
}

// lawFailure says which of the package's promises a comparison of two documents breaks; "" for none.
func lawFailure(before, after *doc.Document) string {
	there, back := Documents(before, after), Documents(after, before)
	for _, side := range []struct {
		name    string
		want    *doc.Document
		rebuilt []*doc.Node
	}{
		{"before", before, sideOf(there.Blocks, true)}, {"after", after, sideOf(there.Blocks, false)},
		{"before, the other way round", before, sideOf(back.Blocks, false)},
	} {
		if diff := cmp.Diff(flat(side.want.Nodes), flat(side.rebuilt)); diff != "" {
			return side.name + ":\n" + diff
		}
	}
	// Mirroring turns what moved into the form that it has from the other side.
	if !there.Partial {
		if diff := cmp.Diff(shape(there.Blocks, false), shape(back.Blocks, true)); diff != "" {
			return "not symmetric:\n" + diff
		}
	}
	if doc.Equal(before, after) && strings.Contains(write(there.Blocks), "ed ") {
		return "a change of nothing: " + write(there.Blocks)
	}
	return ""
}

// sideOf puts one side of a comparison together from its smallest parts.
func sideOf(blocks []Block, before bool) []*doc.Node {
	var nodes []*doc.Node
	for _, b := range blocks {
		if n := nodeOf(b, before); n != nil {
			nodes = append(nodes, n)
		}
	}
	return nodes
}

func nodeOf(b Block, before bool) *doc.Node {
	whole := b.After
	if before {
		whole = b.Before
	}
	if whole == nil || before && b.Change == MovedHere {
		return nil
	}
	if b.Change != Changed && !(b.Change == MovedHere && b.Detailed()) {
		return whole
	}
	n := *whole
	n.Nodes, n.Fragments = sideOf(b.Blocks, before), sideOf(b.Parts, before)
	for _, run := range b.Runs {
		if run.Change == Same || (run.Change == Deleted) == before {
			n.Nodes = append(n.Nodes, run.Nodes...)
		}
	}
	if b.Table != nil {
		data, texts := tableOf(b.Table, whole, before)
		n.Data, n.Fragments = data, append(n.Fragments, texts...)
	}
	return &n
}

// tableOf puts the records of a table together from its cells.
func tableOf(t *Table, whole *doc.Node, before bool) (*doc.TableData, []*doc.Node) {
	was := whole.Data.(*doc.TableData)
	data := *was
	data.Definition, data.Records = map[string]*doc.TableDefinition{}, map[string]doc.TableRecord{}
	var fragments []*doc.Node
	for _, column := range t.Columns {
		definition := column.After
		if before {
			definition = column.Before
		}
		if definition != nil {
			data.Definition[definition.ID] = definition
		}
	}
	for _, row := range t.Rows {
		id := row.After
		if before {
			id = row.Before
		}
		if id == "" {
			continue
		}
		record := doc.TableRecord{OrderIndex: was.Records[id].OrderIndex, Values: map[string]any{}}
		for i, cell := range row.Cells {
			definition, value := t.Columns[i].After, cell.After
			if before {
				definition, value = t.Columns[i].Before, cell.Before
			}
			if definition == nil {
				continue
			}
			if cell.Text != nil {
				if text := nodeOf(*cell.Text, before); text != nil {
					fragments = append(fragments, text)
					value = text.Fragment
				}
			}
			if value != nil {
				record.Values[definition.ID] = value
			}
		}
		data.Records[id] = record
	}
	return &data, fragments
}

// flat writes nodes without what does not count: keys, and how texts and inlines are cut.
func flat(nodes []*doc.Node) []string {
	var lines []string
	text := ""
	end := func() {
		if text != "" {
			lines = append(lines, fmt.Sprintf("%q", text))
		}
		text = ""
	}
	for _, n := range nodes {
		if n.Object == doc.ObjectText {
			for _, leaf := range n.Leaves {
				for _, r := range leaf.Text {
					text += string(r) + strings.ReplaceAll(marks(leaf), "\x00", "")
				}
			}
			continue
		}
		children := flat(n.Nodes)
		start := fmt.Sprintf("<%s %s %s %s", n.Object, n.Type, n.Fragment, source(n))
		if _, ok := n.Data.(*doc.TableData); ok {
			slices.SortFunc(n.Fragments, func(a, b *doc.Node) int { return strings.Compare(a.Fragment, b.Fragment) })
		}
		end()
		// Neighbours that are cut out of one inline are one again.
		if last := len(lines) - 1; n.Object == doc.ObjectInline && !doc.IsVoid(n.Type) && last >= 0 &&
			lines[last] == ">"+start {
			lines = lines[:last]
		} else {
			lines = append(lines, start)
		}
		lines = append(lines, children...)
		lines = append(lines, flat(n.Fragments)...)
		lines = append(lines, ">"+start)
	}
	end()
	return joinTexts(lines)
}

func joinTexts(lines []string) []string {
	var joined []string
	for _, line := range lines {
		if last := len(joined) - 1; last >= 0 && strings.HasPrefix(line, `"`) && strings.HasPrefix(joined[last], `"`) {
			joined[last] = strings.TrimSuffix(joined[last], `"`) + line[1:]
			continue
		}
		joined = append(joined, line)
	}
	return joined
}

// shape lists what a comparison says of each block, in an order that does not depend on the direction. turned says
// everything from the other side.
func shape(blocks []Block, turned bool) []string {
	names := map[Change]string{Same: "same", Added: "added", Deleted: "deleted", Changed: "changed"}
	if turned {
		names[Added], names[Deleted] = names[Deleted], names[Added]
	}
	var lines []string
	var add func(prefix string, blocks []Block)
	add = func(prefix string, blocks []Block) {
		for _, b := range blocks {
			if b.Change == MovedAway {
				continue
			}
			if b.Change == MovedHere {
				lines = append(lines, "moved "+runsOf(b.Runs, names))
				continue
			}
			n := b.After
			if n == nil {
				n = b.Before
			}
			var line strings.Builder
			line.WriteString(prefix + names[b.Change] + " " + runsOf(b.Runs, names))
			if b.Change != Changed {
				line.WriteString(n.PlainText())
			}
			if b.Table != nil {
				for _, row := range b.Table.Rows {
					line.WriteString(" " + names[row.Change])
				}
			}
			lines = append(lines, line.String())
			add(prefix+" ", b.Blocks)
			add(prefix+" ", b.Parts)
		}
	}
	add("", blocks)
	slices.Sort(lines)
	return lines
}

func runsOf(runs []Run, names map[Change]string) string {
	texts := map[string]string{}
	for _, run := range runs {
		for _, n := range run.Nodes {
			texts[names[run.Change]] += n.PlainText() + "|"
		}
	}
	var line strings.Builder
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		line.WriteString(name + "[" + texts[name] + "]")
	}
	return line.String()
}

func TestLawsRandom(t *testing.T) {
	for seed := range uint64(1500) {
		r := rand.New(rand.NewPCG(seed, 31))
		before := doctest.Random(r, 12)
		after := edited(r, before)
		if seed%5 == 0 {
			after = doctest.Random(r, 12)
		}
		if failure := lawFailure(before, after); failure != "" {
			t.Fatalf("seed %d: %s", seed, failure)
		}
	}
}

// edited returns a document with a few changes: blocks moved, repeated, left out, and words changed.
func edited(r *rand.Rand, d *doc.Document) *doc.Document {
	after := d.Clone()
	for range 1 + r.IntN(4) {
		if len(after.Nodes) == 0 {
			break
		}
		i, j := r.IntN(len(after.Nodes)), r.IntN(len(after.Nodes))
		switch r.IntN(4) {
		case 0:
			after.Nodes[i], after.Nodes[j] = after.Nodes[j], after.Nodes[i]
		case 1:
			after.Nodes = slices.Insert(after.Nodes, i, after.Nodes[j].Clone())
		case 2:
			after.Nodes = slices.Delete(after.Nodes, i, i+1)
		default:
			after.Nodes[i].Walk(func(n *doc.Node) bool {
				for k := range n.Leaves {
					if r.IntN(3) == 0 {
						n.Leaves[k].Text += " more words"
					}
				}
				return true
			})
		}
	}
	return after
}

func FuzzDocuments(f *testing.F) {
	f.Add("# a\n\nb c\n", "# a\n\nb d\n")
	f.Add("| a |\n|---|\n| b |\n", "| a | c |\n|---|---|\n| b | d |\n")
	f.Fuzz(func(t *testing.T, before, after string) {
		older, err := markdown.Parse([]byte(before))
		if err != nil {
			return
		}
		newer, err := markdown.Parse([]byte(after))
		if err != nil {
			return
		}
		if failure := lawFailure(older, newer); failure != "" {
			t.Error(failure)
		}
	})
}

// TestBounded compares bodies that are as large as they may be, and nowhere alike.
func TestBounded(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	hostile := func(block string, words int) *doc.Document {
		var b strings.Builder
		for b.Len() < 900_000 {
			b.WriteString(block)
			for range words {
				b.WriteByte(byte('a' + r.IntN(8)))
				b.WriteByte(' ')
			}
			b.WriteString("\n")
		}
		return parse(t, b.String())
	}
	for _, test := range []struct {
		name, block string
		words       int
	}{{"short blocks", "\n", 20}, {"one block", "", 20}, {"items", "* ", 20}} {
		before, after := hostile(test.block, test.words), hostile(test.block, test.words)
		start := time.Now()
		got := Documents(before, after)
		if !got.Partial {
			t.Errorf("%s: not partial", test.name)
		}
		// A quiet machine needs about a second; no search that is not bounded ends in this time.
		if took := time.Since(start); took > time.Minute {
			t.Errorf("%s: took %s", test.name, took)
		}
		t.Logf("%s: %s", test.name, time.Since(start))
	}
}
