package postings

import (
	"fmt"
	"testing"
)

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
