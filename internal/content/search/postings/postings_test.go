package postings

import (
	"fmt"
	"math"
	"testing"

	segment "github.com/blevesearch/scorch_segment_api/v2"
)

// posting is one of a list, as the library says it.
type posting struct {
	doc, times uint64
	length     float64
}

func (p posting) Number() uint64                { return p.doc }
func (p posting) Frequency() uint64             { return p.times }
func (p posting) Norm() float64                 { return 1 / math.Sqrt(p.length) }
func (p posting) NormUint64() uint64            { return uint64(p.length) }
func (p posting) Locations() []segment.Location { return nil }
func (p posting) Size() int                     { return 0 }

// list is a list of a term.
type list struct {
	segment.PostingsIterator

	left []posting
}

// Next returns the next one of the list.
func (l *list) Next() (segment.Posting, error) {
	if len(l.left) == 0 {
		return nil, nil
	}
	next := l.left[0]
	l.left = l.left[1:]
	return next, nil
}

// TestEntriesAreExact holds that what is read of a list is what the list says, up to the bounds of an entry.
func TestEntriesAreExact(t *testing.T) {
	tests := []struct{ said, want posting }{
		{posting{7, 1, 1}, posting{7, 1, 1}},
		{posting{8, 3, 250}, posting{8, 3, 250}},
		{posting{9, 400, 65_537}, posting{9, 400, 65_537}},
		{posting{10, 4095, 1_048_575}, posting{10, 4095, 1_048_575}},
		{posting{4_294_967_295, 5000, 2_000_000}, posting{4_294_967_295, 4095, 1_048_575}},
	}
	var all []posting
	for _, test := range tests {
		all = append(all, test.said)
	}
	read, err := Append(nil, &list{left: all})
	if err != nil || len(read) != len(tests) {
		t.Fatalf("%d entries of %d were read, %v", len(read), len(tests), err)
	}
	for i, test := range tests {
		got := posting{uint64(read[i].Doc), uint64(read[i].Times()), float64(read[i].Length())}
		if got != test.want {
			t.Errorf("%v is read as %v, not %v", test.said, got, test.want)
		}
	}
}

// TestListsAreForgotten holds that what is kept of lists has a bound, and that what is asked for again stays.
func TestListsAreForgotten(t *testing.T) {
	var kept Cache
	key := func(number int) Key { return Key{1, 1, "text", fmt.Sprint(number)} }
	list := make([]Entry, keptBytes/8/entryBytes)
	kept.Set(key(0), list)
	for number := range 40 {
		kept.Set(key(number), list)
		if _, ok := kept.Get(key(0)); !ok {
			t.Fatalf("what was asked for after each of %d others is forgotten", number)
		}
		if _, ok := kept.Get(key(number)); !ok {
			t.Fatalf("list %d is not kept", number)
		}
	}
	bytes := 0
	for _, lists := range []map[Key][]Entry{kept.young, kept.old} {
		for _, list := range lists {
			bytes += len(list) * entryBytes
		}
	}
	if bytes > keptBytes {
		t.Errorf("%d bytes are kept, the bound is %d", bytes, keptBytes)
	}
	if _, ok := kept.Get(key(1)); ok {
		t.Error("what nobody asked for again is kept")
	}
}
