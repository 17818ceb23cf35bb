package entity_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/engine/entity"
)

// TestBetween inserts at random places, and holds that every position is new, valid and where it was wanted.
func TestBetween(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for done := 0; done < cases(t); {
		var list []string
		for range 1 + r.IntN(200) {
			at := r.IntN(len(list) + 1)
			switch r.IntN(4) {
			case 0:
				at = 0
			case 1:
				at = len(list)
			case 2:
				at = len(list) / 2
			}
			a, b := "", ""
			if at > 0 {
				a = list[at-1]
			}
			if at < len(list) {
				b = list[at]
			}
			got := entity.Between(a, b)
			if !entity.ValidPosition(got) || a != "" && got <= a || b != "" && got >= b {
				t.Fatalf("Between(%q, %q) is %q", a, b, got)
			}
			list = slices.Insert(list, at, got)
			done++
		}
	}
}

// TestPositionGrowth holds how long positions get: logarithmically at the ends, linearly in one place.
func TestPositionGrowth(t *testing.T) {
	const n = 20_000
	last, front, middle := "", "", entity.Between("a0", "a1")
	for range n {
		last = entity.Between(last, "")
		front = entity.Between("", front)
	}
	if len(last) > 4 || len(front) > 4 {
		t.Errorf("after %d insertions at the ends, positions are %q and %q", n, front, last)
	}
	for range n / 10 {
		middle = entity.Between("a0", middle)
	}
	if len(middle) > n/10/5+5 {
		t.Errorf("after %d insertions at one place, a position has %d characters", n/10, len(middle))
	}
}

// TestPositionEnds holds that the ends of the integer part are no ends of the positions.
func TestPositionEnds(t *testing.T) {
	low, high := "A"+strings.Repeat("0", 25)+"1", "z"+strings.Repeat("z", 26)
	for range 100 {
		below, above := entity.Between("", low), entity.Between(high, "")
		if below >= low || above <= high || !entity.ValidPosition(below) || !entity.ValidPosition(above) {
			t.Fatalf("Between at the ends: %q below %q, %q above %q", below, low, above, high)
		}
		low, high = below, above
	}
}

func TestSpread(t *testing.T) {
	for _, n := range []int{-1, 0, 1, 2, 61, 62, 63, 4000, 100_000} {
		positions := entity.Positions(n)
		if len(positions) != max(n, 0) || !slices.IsSorted(positions) ||
			len(slices.Compact(slices.Clone(positions))) != max(n, 0) {
			t.Errorf("Positions(%d) are %d, or not in order", n, len(positions))
		}
		for _, p := range positions {
			if !entity.ValidPosition(p) || len(p) > 4 {
				t.Fatalf("Positions(%d) has %q", n, p)
			}
		}
	}
	for _, ends := range [][2]string{{"a0", "a1"}, {"", "a0"}, {"a0", ""}, {"Zz", "b00"}, {"a0V", "a0V1"}} {
		all := entity.Spread(ends[0], ends[1], 500)
		list := all
		if ends[0] != "" {
			list = append([]string{ends[0]}, list...)
		}
		if ends[1] != "" {
			list = append(list, ends[1])
		}
		for i := 1; i < len(list); i++ {
			if list[i-1] >= list[i] || !entity.ValidPosition(list[i]) {
				t.Fatalf("Spread(%q, %q) has %q before %q", ends[0], ends[1], list[i-1], list[i])
			}
		}
	}
}

// TestBetweenWrongInput holds what becomes of input that is not in order or no position.
func TestBetweenWrongInput(t *testing.T) {
	for _, test := range []struct{ a, b, above, below string }{
		{"a5", "a5", "a5", ""},
		{"a5", "a3", "a5", ""},
		{"nonsense!", "a3", "", "a3"},
		{"a3", "a30", "a3", ""}, // ends in the lowest digit
		{"", "A00000000000000000000000000", "", ""},
	} {
		got := entity.Between(test.a, test.b)
		if !entity.ValidPosition(got) || got <= test.above || test.below != "" && got >= test.below {
			t.Errorf("Between(%q, %q) is %q, want it after %q and before %q", test.a, test.b, got, test.above,
				test.below)
		}
	}
	for _, bad := range []string{"", "0", "a", "a!", "a00", "b0", "é", "A" + strings.Repeat("0", 26), "a0V0"} {
		if entity.ValidPosition(bad) {
			t.Errorf("ValidPosition(%q) is true", bad)
		}
	}
}

func TestCompare(t *testing.T) {
	a, b, c := &entity.Entry{ID: "2", Position: "a0"}, &entity.Entry{ID: "1", Position: "a1"},
		&entity.Entry{ID: "3", Position: "a1"}
	list := []*entity.Entry{c, b, a}
	slices.SortFunc(list, entity.Compare)
	if list[0] != a || list[1] != b || list[2] != c {
		t.Errorf("sorted to %v %v %v", list[0].ID, list[1].ID, list[2].ID)
	}
}

// FuzzBetween holds that Between accepts anything and keeps the order that it can keep.
func FuzzBetween(f *testing.F) {
	f.Add("a0", "a1")
	f.Add("", "A00000000000000000000000001")
	f.Add("zzzzzzzzzzzzzzzzzzzzzzzzzzz", "")
	f.Add("Zz", "a0")
	f.Fuzz(func(t *testing.T, a, b string) {
		got := entity.Between(a, b)
		if !entity.ValidPosition(got) {
			t.Fatalf("Between(%q, %q) is %q", a, b, got)
		}
		if entity.ValidPosition(a) && got <= a {
			t.Errorf("Between(%q, %q) is %q", a, b, got)
		}
		if entity.ValidPosition(b) && (a < b || !entity.ValidPosition(a)) && got >= b {
			t.Errorf("Between(%q, %q) is %q", a, b, got)
		}
	})
}
