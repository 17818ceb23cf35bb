package render

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/engine/doc"
)

// TestContentsThatIncludeOneAnotherAreCut holds that reusable contents that multiply are loaded once each, that their
// sum is bounded, that the page says so once and in place, and that what stands around them is shown.
func TestContentsThatIncludeOneAnotherAreCut(t *testing.T) {
	names := strings.Split("abcdefgh", "")
	everyOther := map[string][]*doc.Node{}
	for _, name := range names {
		everyOther[name] = []*doc.Node{para("In " + name + ".")}
		for _, other := range names {
			if other != name {
				everyOther[name] = append(everyOther[name], reuse(other))
			}
		}
	}
	long := map[string][]*doc.Node{"long": repeat(para("Long."), 20_000)}
	for name, test := range map[string]struct {
		contents map[string][]*doc.Node
		first    string
		times    int
		most     int // nodes
		note     bool
	}{
		"every one includes every other": {everyOther, "a", 1, 20_000, true},
		"one that is long, often":        {long, "long", 10, 60_000, true},
		"one that is short, often": {map[string][]*doc.Node{"short": {para("Short.")}}, "short", 900, 3000,
			false},
		"one that is short, too often": {map[string][]*doc.Node{"short": {para("Short.")}}, "short", 5000, 10_000,
			true},
	} {
		loads := map[doc.Ref]int{}
		load := library(test.contents)
		options := Options{Reusable: func(ctx context.Context, ref doc.Ref) (*doc.Document, error) {
			loads[ref]++
			return load(ctx, ref)
		}}
		page := &doc.Document{Nodes: append([]*doc.Node{para("Before.")}, append(repeat(reuse(test.first), test.times),
			para("After."))...)}
		got, err := Evaluate(t.Context(), page, options)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		nodes := 0
		for range got.All() {
			nodes++
		}
		if nodes > test.most {
			t.Errorf("%s: %d nodes", name, nodes)
		}
		for ref, times := range loads {
			if times > 1 {
				t.Errorf("%s: %s was loaded %d times", name, ref.Destination(), times)
			}
		}
		var out bytes.Buffer
		if err := HTML(t.Context(), &out, got, Options{}); err != nil {
			t.Fatal(err)
		}
		if count := strings.Count(out.String(), "More content is included here than can be shown"); count > 1 ||
			(count == 1) != test.note {
			t.Errorf("%s: %d notes", name, count)
		}
		for _, around := range []string{"Before.", "After."} {
			if !strings.Contains(out.String(), around) {
				t.Errorf("%s: the page lost %q", name, around)
			}
		}
	}
}
