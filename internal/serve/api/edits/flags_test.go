package edits

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// TestFlagsRoundTrip holds that each row in the tables of package entity has its member in what changes a page and in
// what answers with one.
func TestFlagsRoundTrip(t *testing.T) {
	for _, flag := range entity.PageFlags() {
		for text, want := range map[string]bool{"true": true, "false": false, "null": false} {
			var change ContentChange
			if err := json.Unmarshal(fmt.Appendf(nil, `{"operation":"update_page",%q:%s}`, flag.Name, text),
				&change); err != nil {
				t.Fatal(err)
			}
			set := change.fields().Flags
			if got, there := set[flag.Name]; !there || got != want || len(set) != 1 {
				t.Errorf("%s: %s sets %v", flag.Name, text, set)
			}
		}
		e := &entity.Entry{Kind: entity.KindPage, Type: entity.PageDocument}
		*flag.At(&e.Flags) = true
		if answer := membersIn(t, wire.Writer{}.Page("space_1", e, "a")); answer[flag.Name] != true {
			t.Errorf("a page with %s is answered as %v", flag.Name, answer)
		}
	}
	for _, part := range entity.LayoutParts() {
		for _, shown := range []bool{true, false} {
			var change ContentChange
			if err := json.Unmarshal(fmt.Appendf(nil, `{"operation":"update_page","layout":{%q:%t}}`, part.Name, shown),
				&change); err != nil {
				t.Fatal(err)
			}
			layout, ok := change.fields().Layout.Get()
			if got := *part.At(&layout); !ok || got == nil || *got != shown {
				t.Fatalf("%s: %t is not set", part.Name, shown)
			}
			if answer := membersIn(t, wire.LayoutOf(&layout, false)); answer[part.Name] != shown {
				t.Errorf("a layout with %s %t is answered as %v", part.Name, shown, answer)
			}
		}
	}
}

func membersIn(t *testing.T, value any) map[string]any {
	t.Helper()
	encoded, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	var members map[string]any
	if err := json.Unmarshal(encoded, &members); err != nil {
		t.Fatal(err)
	}
	return members
}
