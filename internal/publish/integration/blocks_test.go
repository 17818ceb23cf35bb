package integration

import (
	"encoding/json"
	"testing"

	"github.com/rectodocs/recto/internal/base/optional"
)

func TestBlocksInASpace(t *testing.T) {
	each(t, func(f *fixture) {
		space := f.addSpace(f.Admin(), f.Organization)
		blocks := []Block{{ID: "drawing", Title: "Drawing",
			Markdown: &BlockMarkdown{Codeblock: "draw", Body: "content"}}}
		var described *Configuration
		if err := json.Unmarshal([]byte(`{"properties":{"key":{"type":"string","title":"Key"}},"required":["key"]}`),
			&described); err != nil {
			f.Fatal(err)
		}
		f.publish("drawer", func(in *Publication) { in.Blocks = blocks })
		f.publish("plain", nil)
		f.install("plain")
		state := func() string {
			f.Helper()
			text, err := f.BlocksState(f.Context(), f.Organization)
			if err != nil {
				f.Fatal(err)
			}
			if of, err := f.BlocksStateOfSpace(f.Context(), space); err != nil || of != text {
				f.Errorf("the state of the space's organization is %q, %v, want %q", of, err, text)
			}
			return text
		}
		if got := state(); got != "" {
			f.Errorf("the state without blocks is %q", got)
		}
		// there says what is in the space after a step; each step has to change the state, so that pages are made anew.
		last := state()
		there := func(step string, want int) WithBlocks {
			f.Helper()
			list, err := f.BlocksIn(f.Context(), space)
			if err != nil || len(list) != want {
				f.Fatalf("%s: %+v, %v; want %d", step, list, err, want)
			}
			if now := state(); now == last {
				f.Errorf("%s: the state stays %q", step, now)
			} else {
				last = now
			}
			if want == 0 {
				return WithBlocks{}
			}
			return list[0]
		}
		installed := f.install("drawer")
		there("installed, on no space", 0)
		f.change("drawer", installed, Change{SpaceSelection: optional.Of(SelectAll)})
		first := there("on all spaces", 1)
		if first.Name != "drawer" || first.Installation != installed || len(first.Blocks) != 1 ||
			first.Blocks[0].Markdown.Codeblock != "draw" {
			f.Errorf("the blocks: %+v", first)
		}
		f.publish("drawer", func(in *Publication) { in.Blocks = blocks })
		if second := there("a new version", 1); second.State == first.State {
			f.Error("the state of the integration stays with a new version")
		}
		f.publish("drawer", func(in *Publication) {
			in.Blocks = blocks
			in.Configurations.Account = described
		})
		there("pending, since a key is missing", 0)
		f.change("drawer", installed, Change{Configuration: optional.Of(json.RawMessage(`{"key":"a"}`))})
		third := there("configured", 1)
		f.change("drawer", installed, Change{Configuration: optional.Of(json.RawMessage(`{"key":"b"}`))})
		if fourth := there("configured anew", 1); fourth.State == third.State {
			f.Error("the state of the integration stays with another configuration")
		}
		if err := f.Unpublish(f.Context(), f.Admin(), "drawer"); err != nil {
			f.Fatal(err)
		}
		there("unpublished", 0)
	})
}
