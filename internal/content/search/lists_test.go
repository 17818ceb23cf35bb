package search

import (
	"fmt"
	"testing"
)

// TestListsAreForgotten holds that what is kept of lists has a bound, and that what is asked for again stays.
func TestListsAreForgotten(t *testing.T) {
	var kept listCache
	key := func(number int) listKey { return listKey{1, 1, fieldText, fmt.Sprint(number)} }
	list := make([]entry, keptLists/8/entryBytes)
	kept.set(key(0), list)
	for number := range 40 {
		kept.set(key(number), list)
		if _, ok := kept.get(key(0)); !ok {
			t.Fatalf("what was asked for after each of %d others is forgotten", number)
		}
		if _, ok := kept.get(key(number)); !ok {
			t.Fatalf("list %d is not kept", number)
		}
	}
	bytes := 0
	for _, lists := range []map[listKey][]entry{kept.young, kept.old} {
		for _, list := range lists {
			bytes += len(list) * entryBytes
		}
	}
	if bytes > keptLists {
		t.Errorf("%d bytes are kept, the bound is %d", bytes, keptLists)
	}
	if _, ok := kept.get(key(1)); ok {
		t.Error("what nobody asked for again is kept")
	}
}
