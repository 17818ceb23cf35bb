package response

import (
	"maps"
	"net/http"
	"reflect"
	"testing"
)

// TestReplacing sets headers over others: those of a kept response, which many share, stay as they are.
func TestReplacing(t *testing.T) {
	kept := http.Header{"Cache-Control": {"no-cache"}, "Vary": make([]string, 1, 2)}
	kept["Vary"][0] = "Accept-Encoding"
	header := maps.Clone(kept)
	Replace(header, "Cache-Control", "private, no-cache")
	VaryBy(header, "Cookie")
	want := http.Header{"Cache-Control": {"private, no-cache"}, "Vary": {"Accept-Encoding", "Cookie"}}
	if !reflect.DeepEqual(header, want) {
		t.Errorf("the header is %v, want %v", header, want)
	}
	if kept.Get("Cache-Control") != "no-cache" || len(kept["Vary"]) != 1 || kept["Vary"][:2][1] != "" {
		t.Errorf("what is kept became %v", kept)
	}
	none := http.Header{}
	VaryBy(none, "Cookie")
	if got := none.Values("Vary"); len(got) != 1 || got[0] != "Cookie" {
		t.Errorf("without one before there is Vary: %q", got)
	}
}

// TestReplacingTakesNoRoom sets a header of an answer that has eight already, as those of pages do: the map does not
// grow.
func TestReplacingTakesNoRoom(t *testing.T) {
	full := http.Header{}
	for _, name := range []string{"A", "B", "C", "D", "E", "F", "G", "Cache-Control"} {
		full[name] = []string{"x"}
	}
	values := []string{"private, no-cache"}
	if allocated := testing.AllocsPerRun(100, func() { Replace(full, "Cache-Control", values...) }); allocated != 0 {
		t.Errorf("it takes %v allocations", allocated)
	}
}
