package comment_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/base/propertytest"
	"github.com/rectodocs/recto/internal/content/comment"
	"github.com/rectodocs/recto/internal/engine/markdown"
	"github.com/rectodocs/recto/internal/platform/db"
)

// line is a block of a page in the model: what it says, and which one it is. Many say the same.
type line struct {
	id   int
	text string
}

// pageModel is a page whose blocks have an identity that their text does not tell.
type pageModel struct {
	lines []line
	next  int
}

func (p *pageModel) fresh() line {
	p.next++
	return line{p.next, fmt.Sprintf("Block number %d.", p.next)}
}

// equal makes a block that says what others say.
func (p *pageModel) equal(r *rand.Rand) line {
	p.next++
	return line{p.next, []string{"Same.", "* Same item", "## Same", "> Same quote."}[r.IntN(4)]}
}

func (p *pageModel) body() string {
	texts := make([]string, len(p.lines))
	for i, l := range p.lines {
		texts[i] = l.text
	}
	return strings.Join(texts, "\n\n<!-- -->\n\n") + "\n" // a comment between, so that lists do not run together
}

// at is the index of the block with an id.
func (p *pageModel) at(id int) int {
	return slices.IndexFunc(p.lines, func(l line) bool { return l.id == id })
}

// edit changes something but the block in question and one neighbour of it, which no other block equals: they may move,
// together.
func (p *pageModel) edit(r *rand.Rand, kept ...int) {
	untouched := func(i int) bool { return slices.Contains(kept, p.lines[i].id) }
	first, last := len(p.lines), -1
	for i := range p.lines {
		if untouched(i) {
			first, last = min(first, i), max(last, i)
		}
	}
	// Nothing comes between the two.
	place := func() int {
		for {
			if at := r.IntN(len(p.lines) + 1); at <= first || at > last {
				return at
			}
		}
	}
	switch i := r.IntN(len(p.lines)); r.IntN(5) {
	case 0: // something new, alone or with one in its middle that says what others say
		added := []line{p.fresh()}
		if r.IntN(2) == 0 {
			added = append(added, p.equal(r), p.fresh())
		}
		p.lines = slices.Insert(p.lines, place(), added...)
	case 1:
		if !untouched(i) && len(p.lines) > 4 {
			p.lines = slices.Delete(p.lines, i, i+1)
		}
	case 2:
		if !untouched(i) {
			p.lines[i] = p.fresh()
		}
	case 3: // another one moves
		if !untouched(i) {
			moved := p.lines[i]
			p.lines = slices.Delete(p.lines, i, i+1)
			p.edit0(r, moved, kept)
		}
	case 4: // the block moves with its neighbour
		pair := slices.Clone(p.lines[first : last+1])
		p.lines = slices.Delete(p.lines, first, last+1)
		p.lines = slices.Insert(p.lines, r.IntN(len(p.lines)+1), pair...)
	}
}

// edit0 puts a block somewhere but between those that are kept together.
func (p *pageModel) edit0(r *rand.Rand, moved line, kept []int) {
	for {
		at := r.IntN(len(p.lines) + 1)
		inside := at > 0 && at < len(p.lines) && slices.Contains(kept, p.lines[at-1].id) && slices.Contains(kept,
			p.lines[at].id)
		if !inside {
			p.lines = slices.Insert(p.lines, at, moved)
			return
		}
	}
}

// newPage makes a page of blocks many of which are equal, also next to each other, and returns the ids of one of those
// and of a neighbour that is like no other.
func newPage(r *rand.Rand) (p *pageModel, target, neighbour int) {
	p = &pageModel{}
	for range 3 + r.IntN(4) {
		p.lines = append(p.lines, p.fresh())
		for range r.IntN(4) {
			p.lines = append(p.lines, p.equal(r))
		}
	}
	p.lines = append(p.lines, p.fresh(), p.equal(r), p.equal(r), p.fresh())
	var choices [][2]int
	for i := 1; i < len(p.lines); i++ {
		a, b := p.lines[i-1], p.lines[i]
		if strings.HasPrefix(a.text, "Block") != strings.HasPrefix(b.text, "Block") {
			if strings.HasPrefix(a.text, "Block") {
				a, b = b, a
			}
			choices = append(choices, [2]int{a.id, b.id})
		}
	}
	chosen := choices[r.IntN(len(choices))]
	return p, chosen[0], chosen[1]
}

// key is the key of a block in the page's document.
func (p *pageModel) key(t *testing.T, id int) string {
	t.Helper()
	d, err := markdown.Parse([]byte(p.body()))
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Nodes) != 2*len(p.lines)-1 {
		t.Fatalf("%d blocks of %d lines: %q", len(d.Nodes), len(p.lines), p.body())
	}
	return d.Nodes[2*p.at(id)].Key
}

// TestAnchorsStayOnTheirBlock holds that a comment stays on the very block that it is about, whatever is edited around
// it and however many blocks say the same, and wherever the block moves with a neighbour.
func TestAnchorsStayOnTheirBlock(t *testing.T) {
	cases := propertytest.Cases(t, 40, 250) // a case is a dozen of transactions
	eachScope(t, func(h *fixture, scope comment.Scope) {
		// Where a comment is has nothing to do with the database: a tenth on PostgreSQL, with pages of their own.
		cases, first := cases, 0
		if h.db.Dialect() == db.Postgres {
			cases, first = max(10, cases/10), 1_000_000
		}
		duplicates := 0
		for seed := first; seed < first+cases; seed++ {
			r := rand.New(rand.NewPCG(uint64(seed), 60))
			p, target, neighbour := newPage(r)
			h.write(h.branch(scope), "page_one", p.body())
			before, firstLines := p.body(), slices.Clone(p.lines)
			made := h.post(h.author(), scope, comment.NewComment{Body: "?", Page: "page_one", Node: p.key(h.T, target)})
			for range 1 + r.IntN(6) {
				p.edit(r, target, neighbour)
				h.write(h.branch(scope), "page_one", p.body())
			}
			got := h.get(h.author(), scope, made.ID).Target
			want := p.key(h.T, target)
			if !got.Page.Outdated && got.Node.ID != want && p.looksLike(h.T, got.Node.ID, firstLines, target) {
				duplicates++
				continue
			}
			if got.Page.Outdated || got.Node.ID != want {
				h.Errorf("seed %d: outdated %t, on %s, want %s\nbefore %q\nafter  %q", seed, got.Page.Outdated,
					got.Node.ID, want, before, p.body())
				return
			}
		}
		if duplicates > cases/10 {
			h.Errorf(
				"%d of %d cases have another block that looks like the one in question: the generator proves too "+
					"little", duplicates, cases)
		}
	})
}

// looksLike reports whether nobody can tell by the page which of two equal blocks the one in question is: the block
// with a key stands beside a block that the one in question stood beside at first, or that one stands beside a block
// that another equal one stood beside.
func (p *pageModel) looksLike(t *testing.T, key string, first []line, target int) bool {
	t.Helper()
	text := p.lines[p.at(target)].text
	beside := func(lines []line, i, side int) int {
		if i+side < 0 || i+side >= len(lines) {
			return 0
		}
		return lines[i+side].id
	}
	for i, l := range p.lines {
		if l.text != text || l.id != target && p.key(t, l.id) != key {
			continue
		}
		for j, was := range first {
			// The found one like the one in question, or the one in question like another.
			if was.text != text || (l.id == target) == (was.id == target) {
				continue
			}
			for _, side := range []int{-1, 1} {
				if id := beside(first, j, side); id != 0 && id == beside(p.lines, i, side) {
					return true
				}
			}
		}
	}
	return false
}

// TestAnchorOfTheSecondOfTwo holds the plain cases by themselves.
func TestAnchorOfTheSecondOfTwo(t *testing.T) {
	for name, test := range map[string]struct{ before, node, after, want string }{
		"something above":        {"Same.\n\nSame.\n", "n3", "New.\n\nSame.\n\nSame.\n", "n5"},
		"much above":             {"Same.\n\nSame.\n", "n3", "A.\n\nB.\n\nC.\n\nSame.\n\nSame.\n", "n9"},
		"the first one":          {"Same.\n\nSame.\n", "n1", "A.\n\nB.\n\nSame.\n\nSame.\n", "n5"},
		"something above gone":   {"A.\n\nB.\n\nSame.\n\nSame.\n", "n7", "Same.\n\nSame.\n", "n3"},
		"sections change places": {"## A\n\nSame.\n\n## B\n\nSame.\n", "n7", "## B\n\nSame.\n\n## A\n\nSame.\n", "n3"},
		"the other's heading": {"## A\n\nSame.\n\nX.\n\n## B\n\nSame.\n\nX.\n", "n9",
			"## A2\n\nSame.\n\nX.\n\n## B\n\nSame.\n\nX.\n", "n9"},
		"both its neighbours": {"H.\n\nSame.\n\nT.\n\nH.\n\nSame.\n\nT.\n", "n9",
			"H.\n\nSame.\n\nT.\n\nU.\n\nSame.\n\nV.\n", "n9"},
		"items of lists": {"* x\n* y\n* x\n", "n8", "* w\n* x\n* y\n* x\n", "nb"},
		"a row above equal rows": {"| a |\n| --- |\n| x |\n| x |\n", "n1", "| a |\n| --- |\n| w |\n| x |\n| x |\n",
			"n1"},
	} {
		t.Run(name, func(t *testing.T) {
			eachScope(t, func(h *fixture, scope comment.Scope) {
				h.write(h.branch(scope), "page_one", test.before)
				in := comment.NewComment{Body: "?", Page: "page_one", Node: test.node}
				row := strings.HasPrefix(test.before, "|")
				if row {
					in.Cell = &comment.Cell{Record: "r2", Definition: "c1"}
				}
				made := h.post(h.author(), scope, in)
				h.write(h.branch(scope), "page_one", test.after)
				got := h.get(h.author(), scope, made.ID).Target
				if got.Page.Outdated || got.Node.ID != test.want || row && got.Cell.Record != "r3" {
					h.Errorf("on %+v %+v, want %s", got.Node, got.Cell, test.want)
				}
			})
		})
	}
}
