package changes_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/markdown"
)

// inConflict are texts that main and a change request put into one place.
var inConflict = []string{
	"One paragraph.\n", "## A heading\n", "Set\next\n===\n", "* an item\n* another\n", "* loose\n\n* items\n",
	"1. first\n2. second\n", "- [x] done\n",
	"| a |\n|---|\n| b |\n", "> quoted\n", "```go\ncode()\n```\n", "```\nnever closed\n", "    indented\n",
	"{% hint style=\"info\" %}\nA hint.\n{% endhint %}\n",
	"{% hint style=\"danger\" %}\nA hint.\n{% endhint %}\n",
	"{% tabs %}\n{% tab title=\"A\" %}\nIn it.\n{% endtab %}\n{% endtabs %}\n",
	"<details>\n\n<summary>More</summary>\n\nIn it.\n\n</details>\n", "<div>raw\n", "<!-- open\n",
	"[x]: /a\n\n[x] here\n", "[x]: /b\n\n[x] there\n", "note[^1]\n\n[^1]: of one\n",
	"word[^1]\n\n[^1]: of another\n", "***\n", "$$\nx\n$$\n", "{% openapi-operation spec=\"pets\" path=\"/pets\" " +
		"method=\"get\" %}\n[openapi](/openapi/pets)\n{% endopenapi-operation %}\n",
}

// TestKeepBothGivesTheBlocksOfBoth holds that a conflict of bodies that is settled with both sides gives the blocks of
// the change request followed by those of the main content, whatever the blocks are.
func TestKeepBothGivesTheBlocksOfBoth(t *testing.T) {
	texts := inConflict
	blocks := func(t *testing.T, text string) *doc.Document {
		t.Helper()
		document, err := markdown.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return document
	}
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		space := s.Space("Guide")
		content := "/v1/spaces/" + space + "/content"
		title := func(i int) string { return fmt.Sprintf("Page %d", i) }
		type pair struct{ main, mine string }
		var pairs []pair
		for i := range texts {
			pairs = append(pairs, pair{texts[i], texts[(i+1)%len(texts)]})
		}
		const first, last = "The beginning.\n\n", "\nThe end.\n"
		write := func(at, operation string, ids []string, text func(i int) string) []string {
			t.Helper()
			var made []string
			for start := 0; start < len(pairs); start += 50 {
				var changes []any
				for i := start; i < min(start+50, len(pairs)); i++ {
					change := map[string]any{"operation": operation, "title": title(i),
						"document": map[string]any{"markdown": "# " + title(i) + "\n\n" + text(i)}}
					if ids != nil {
						change["page"] = ids[i]
					}
					changes = append(changes, change)
				}
				var done apptest.Updated
				s.Call(http.MethodPost, at, map[string]any{"changes": changes}, http.StatusOK, &done)
				ids, _ := done.Pages(t)
				made = append(made, ids...)
			}
			return made
		}
		ids := write(content, "insert_page", nil, func(int) string { return first + "Replace me.\n" + last })
		var request apptest.Identified
		s.Call(http.MethodPost, "/v1/spaces/"+space+"/change-requests", `{"subject":"Mine"}`, http.StatusCreated,
			&request)
		one := "/v1/spaces/" + space + "/change-requests/" + request.ID
		write(content, "update_page", ids, func(i int) string { return first + pairs[i].main + last })
		write(one+"/content?compat=false", "update_page", ids, func(i int) string {
			return first + pairs[i].mine + last
		})
		s.Call(http.MethodPost, one+"/update", nil, http.StatusOK, nil)
		type conflict struct {
			ID      string
			Entries []string
			Kind    string
		}
		open := map[string]string{}
		for next := one + "/conflicts?limit=1000&status=open"; next != ""; {
			var list struct {
				Items []conflict
				Next  *struct{ Page string }
			}
			s.Call(http.MethodGet, next, nil, http.StatusOK, &list)
			for _, each := range list.Items {
				open[each.Entries[0]] = each.ID
			}
			next = ""
		}
		settled := 0
		for i, id := range ids {
			if open[id] == "" {
				t.Errorf("%q and %q are no conflict", pairs[i].mine, pairs[i].main)
				continue
			}
			s.Call(http.MethodPost, one+"/conflicts/"+open[id], `{"keep":"both"}`, http.StatusOK, nil)
			settled++
			mine, main := blocks(t, first+pairs[i].mine+last), blocks(t, first+pairs[i].main+last)
			// What both have at the start and the end, and what each has between.
			var read struct{ Document json.RawMessage }
			s.Call(http.MethodGet, one+"/content/page/"+id, nil, http.StatusOK, &read)
			got := &doc.Document{}
			if err := json.Unmarshal(read.Document, got); err != nil {
				t.Fatal(err)
			}
			got.MapRefs(func(ref doc.Ref) doc.Ref { return doc.URL(ref.Destination()) })
			end := 0
			if kept := mine.Nodes[len(mine.Nodes)-1]; doc.EqualNodes(kept, main.Nodes[len(main.Nodes)-1]) {
				end = 1
			}
			want := append(mine.Nodes[:len(mine.Nodes)-end:len(mine.Nodes)-end], main.Nodes[1:]...)
			document := &doc.Document{Nodes: want}
			document.MapRefs(func(ref doc.Ref) doc.Ref { return doc.URL(ref.Destination()) })
			if len(want) == len(got.Nodes) {
				for i, node := range want {
					if raw, ok := node.Data.(*doc.RawData); ok && raw.Source == "<!-- open\n\nThe end." {
						want[i] = got.Nodes[i] // it is ended
					}
				}
			}
			if !doc.Equal(document, got) {
				t.Errorf("%q and %q together:\n%s", pairs[i].mine, pairs[i].main, cmp.Diff(document.Nodes, got.Nodes))
			}
		}
		if settled < len(texts) {
			t.Errorf("only %d conflicts", settled)
		}
	})
}
