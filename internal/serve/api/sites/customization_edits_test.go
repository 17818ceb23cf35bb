package sites_test

import (
	"encoding/json"
	"net/http"
	"reflect"
	"slices"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
)

// switchesOf are the paths of all switches of a customization.
func switchesOf(value map[string]any, path ...string) [][]string {
	var found [][]string
	for name, each := range value {
		at := append(slices.Clone(path), name)
		switch each := each.(type) {
		case bool:
			found = append(found, at)
		case map[string]any:
			found = append(found, switchesOf(each, at...)...)
		}
	}
	return found
}

// TestCustomizationEditsChangeNothingElse: what was read of a customization and sent back changes nothing, and one edit
// on the way changes that alone.
func TestCustomizationEditsChangeNothingElse(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		site := s.NewSite("Handbook", "public", apptest.OnePage)
		path := site.Path + "/customization"
		read := func() (is map[string]any) {
			t.Helper()
			if err := json.Unmarshal(s.Call(http.MethodGet, path, nil, http.StatusOK, nil).Body, &is); err != nil {
				t.Fatal(err)
			}
			return is
		}
		put := func(whole map[string]any) { s.Call(http.MethodPut, path, whole, http.StatusOK, nil) }
		// The menu of a page is said twice, and when it was changed is the server's.
		plain := func(whole map[string]any) map[string]any {
			delete(whole, "updatedAt")
			if actions, ok := whole["pageActions"].(map[string]any); ok {
				delete(actions, "items")
			}
			return whole
		}
		put(read())
		before := read()
		put(read())
		if after := read(); !reflect.DeepEqual(before, after) {
			t.Errorf("sending back what was read changes\n%v to\n%v", before, after)
		}
		paths := switchesOf(read())
		if len(paths) < 10 {
			t.Fatalf("the switches are %v", paths)
		}
		for _, at := range paths {
			whole := read()
			in := whole
			for _, name := range at[:len(at)-1] {
				in = in[name].(map[string]any)
			}
			in[at[len(at)-1]] = !in[at[len(at)-1]].(bool)
			put(whole)
			got, want := plain(read()), plain(whole)
			if !reflect.DeepEqual(got, want) {
				t.Errorf("the switch %v: \n%v, want\n%v", at, got, want)
			}
		}
		// Sent twice, what turns a switch alone means the same.
		whole := read()
		whole["pdf"] = map[string]any{"enabled": !whole["pdf"].(map[string]any)["enabled"].(bool)}
		put(whole)
		once := plain(read())
		put(whole)
		if twice := plain(read()); !reflect.DeepEqual(once, twice) {
			t.Errorf("sent twice, a document changes\n%v to\n%v", once, twice)
		}
		for word, holder := range map[string][2]string{"markdown": {"pageActions", "markdown"},
			"mcp": {"pageActions", "mcp"}, "external-ai": {"pageActions", "externalAI"}, "pdf": {"pdf", "enabled"},
			"git": {"git", "showEditLink"}} {
			for range 2 { // in and out
				whole := read()
				items := whole["pageActions"].(map[string]any)["items"].([]any)
				if at := slices.Index(items, any(word)); at >= 0 {
					items = slices.Delete(items, at, at+1)
				} else {
					items = append(items, word)
				}
				whole["pageActions"].(map[string]any)["items"] = items
				put(whole)
				after := read()
				there := slices.Contains(after["pageActions"].(map[string]any)["items"].([]any), any(word))
				if on := after[holder[0]].(map[string]any)[holder[1]]; there != slices.Contains(items, any(word)) ||
					on != there {
					t.Errorf("%s in the list %v: the switch is %v, the list %v", word, items, on, after["pageActions"])
				}
				whole[holder[0]].(map[string]any)[holder[1]] = there
				if got, want := plain(after), plain(whole); !reflect.DeepEqual(got, want) {
					t.Errorf("%s in the list changes\n%v to\n%v", word, want, got)
				}
			}
		}
	})
}
