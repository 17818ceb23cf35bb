package contents_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/people/org"
)

// comparison is the part of an answer that the test looks at.
type comparison struct {
	Change        string
	Base, Head    string
	Before, After *struct{ Title, Path, Type string }
	Changes       []struct {
		Type       string
		Attributes map[string]struct{ Before, After any }
	}
	Blocks []struct {
		Change     string
		Before     map[string]any
		After      map[string]any
		Attributes map[string]struct{ Before, After any }
		Runs       []struct{ Change string }
		Blocks     []struct{ Change string }
	}
	Markdown []struct {
		Change string
		Lines  []string
	}
	Partial bool
}

func (c comparison) changes() (list []string) {
	for _, block := range c.Blocks {
		list = append(list, block.Change)
	}
	return list
}

func TestComparePage(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		space := s.Space("Guide")
		s.Upload(space, "guide.zip", apptest.Zipped(t, map[string]string{
			"README.md": "# Start\n\nThe quick brown fox.\n\n{% hint style=\"info\" %}\nMind the gap.\n{% endhint %}\n",
			"gone.md":   "# Gone\n\nBye.\n",
		}))
		base := "/v1/spaces/" + space
		var tree struct{ Pages []apptest.Page }
		s.Call(http.MethodGet, base+"/content/pages", nil, 200, &tree)
		start, gone := tree.Pages[0].ID, tree.Pages[1].ID
		s.Call(http.MethodPost, base+"/change-requests", `{}`, http.StatusCreated, nil)
		request := base + "/change-requests/1"
		var first struct{ Revision string }
		s.Call(http.MethodGet, request, nil, 200, &first)
		markdown := `# Begin\n\nThe slow brown fox.\n\n{% hint style=\"warning\" %}\nMind the gap.\n{% endhint %}\n`
		s.Call(http.MethodPost, request+"/content", `{"changes":[
			{"operation":"update_page","page":"`+start+`","title":"Begin","document":{"markdown":"`+
			strings.TrimPrefix(markdown, `# Begin\n\n`)+`"}},
			{"operation":"delete_page","page":"`+gone+`"},
			{"operation":"insert_page","title":"New","document":{"markdown":"Hello."}}]}`, 200, nil)
		s.Call(http.MethodGet, request+"/content/pages", nil, 200, &tree)
		added := tree.Pages[1].ID

		var changed comparison
		s.Call(http.MethodGet, request+"/changes/pages/"+start, nil, 200, &changed)
		if changed.Change != "changed" || changed.Before.Title != "Start" || changed.After.Title != "Begin" ||
			changed.Partial {
			t.Errorf("%+v", changed)
		}
		if title := changed.Changes[0].Attributes["title"]; title.Before != "Start" || title.After != "Begin" {
			t.Errorf("attributes = %+v", changed.Changes)
		}
		if diff := cmp.Diff([]string{"changed", "changed"}, changed.changes()); diff != "" {
			t.Fatal(diff)
		}
		if got := changed.Blocks[0].Runs; len(got) != 4 || got[1].Change != "deleted" || got[2].Change != "added" {
			t.Errorf("runs = %+v", got)
		}
		hint := changed.Blocks[1]
		if style := hint.Attributes["style"]; style.Before != "info" || style.After != "warning" ||
			hint.Blocks[0].Change != "same" || hint.After["type"] != "hint" {
			t.Errorf("hint = %+v", hint)
		}
		if lines := changed.Markdown[0]; lines.Change != "deleted" || lines.Lines[0] != "The quick brown fox." {
			t.Errorf("markdown = %+v", changed.Markdown)
		}

		t.Run("any two versions", func(t *testing.T) {
			compared := func(base, head, page string) (c comparison) {
				t.Helper()
				s.Call(http.MethodGet, "/v1/spaces/"+space+"/compare/pages/"+page+"?base="+base+"&head="+head, nil, 200,
					&c)
				return c
			}
			there, back := compared("main", "1", start), compared("1", "main", start)
			if there.Base != back.Head || there.Head != back.Base || back.After.Title != "Start" {
				t.Errorf("%+v\n%+v", there, back)
			}
			if got := compared(first.Revision, changed.Head, start); got.Change != "changed" {
				t.Errorf("between revisions: %+v", got)
			}
			if got := compared("main", "main", start); got.Change != "same" || len(got.Changes) > 0 ||
				got.changes()[0] != "same" {
				t.Errorf("with itself: %+v", got)
			}
			if got := compared("main", "1", added); got.Change != "added" || got.Before != nil ||
				got.changes()[0] != "added" {
				t.Errorf("added: %+v", got)
			}
			if got := compared("main", "1", gone); got.Change != "deleted" || got.After != nil ||
				got.changes()[0] != "deleted" {
				t.Errorf("deleted: %+v", got)
			}
		})

		t.Run("who may not", func(t *testing.T) {
			secret, other := s.Space("Secret"), s.Space("Other")
			s.Call(http.MethodPatch, "/v1/spaces/"+secret, `{"defaultLevel":null}`, http.StatusOK, nil)
			var foreign struct{ ID string }
			s.Call(http.MethodGet, "/v1/spaces/"+secret+"/content", nil, 200, &foreign)
			s.Call(http.MethodPost, "/v1/spaces/"+secret+"/change-requests", `{}`, http.StatusCreated, nil)
			var foreignRequest struct{ ID string }
			s.Call(http.MethodGet, "/v1/spaces/"+secret+"/change-requests/1", nil, 200, &foreignRequest)
			reader := s.Member(org.RoleRead, "reader@example.org")
			at := base + "/compare/pages/" + start
			for _, path := range []string{
				at + "?base=" + foreign.ID + "&head=main",
				at + "?base=main&head=" + foreign.ID,
				at + "?base=main&head=" + foreignRequest.ID,
				at + "?base=main&head=2",
				at + "?base=main&head=nothing",
				at + "?base=main&head=revision_",
				base + "/compare/pages/page_none?base=main&head=1",
				request + "/changes/pages/page_none",
				"/v1/spaces/" + secret + "/compare/pages/" + start + "?base=main&head=main",
				"/v1/spaces/" + secret + "/change-requests/1/changes/pages/" + start,
				"/v1/spaces/" + other + "/change-requests/" + foreignRequest.ID + "/changes/pages/" + start,
			} {
				s.CallAs(reader, http.MethodGet, path, nil, http.StatusNotFound, nil)
			}
			s.Call(http.MethodGet, at+"?base="+strings.Repeat("1", 101), nil, http.StatusBadRequest, nil)
			s.CallAs(reader, http.MethodGet, at+"?base=main&head=1", nil, 200, nil)
		})

		t.Run("a reusable content", func(t *testing.T) {
			kept := s.Space("Kept")
			at := "/v1/spaces/" + kept
			s.Call(http.MethodPost, at+"/content",
				`{"changes":[{"operation":"insert_reusable_content","title":"Note","document":{"markdown":"One.\n\nTwo.\n"}}]}`,
				200, nil)
			var now struct{ ReusableContents []struct{ ID string } }
			s.Call(http.MethodGet, at+"/content", nil, 200, &now)
			note := now.ReusableContents[0].ID
			s.Call(http.MethodPost, at+"/change-requests", `{}`, http.StatusCreated, nil)
			s.Call(http.MethodPost, at+"/change-requests/1/content", `{"changes":[
				{"operation":"update_reusable_content","reusableContent":"`+note+`","title":"Notice","document":{"markdown":"One.\n\nThree.\n"}}]}`,
				200, nil)
			type reusable struct {
				Change        string
				Before, After *struct{ ID, Title string }
				Blocks        []struct{ Change string }
				Markdown      []struct{ Change string }
			}
			var changed, back, same reusable
			s.Call(http.MethodGet, at+"/change-requests/1/changes/reusable-contents/"+note, nil, 200, &changed)
			if changed.Change != "changed" || changed.Before.Title != "Note" || changed.After.Title != "Notice" ||
				len(changed.Blocks) < 2 || changed.Blocks[0].Change != "same" || len(changed.Markdown) < 3 {
				t.Errorf("%+v", changed)
			}
			s.Call(http.MethodGet, at+"/compare/reusable-contents/"+note+"?base=1&head=main", nil, 200, &back)
			if back.Before.Title != "Notice" || back.After.Title != "Note" {
				t.Errorf("%+v", back)
			}
			s.Call(http.MethodGet, at+"/compare/reusable-contents/"+note, nil, 200, &same)
			if same.Change != "same" || len(same.Blocks) != 2 {
				t.Errorf("with itself: %+v", same)
			}
			for _, path := range []string{at + "/compare/reusable-contents/reusable_none",
				at + "/compare/reusable-contents/" + note + "?head=2",
				base + "/compare/reusable-contents/" + note,
				request + "/changes/reusable-contents/" + note} {
				s.Call(http.MethodGet, path, nil, http.StatusNotFound, nil)
			}
		})

		t.Run("after the merge", func(t *testing.T) {
			s.Call(http.MethodPost, request+"/merge", nil, 200, nil)
			var merged comparison
			s.Call(http.MethodGet, request+"/changes/pages/"+start, nil, 200, &merged)
			if merged.Change != "changed" || merged.After.Title != "Begin" {
				t.Errorf("%+v", merged)
			}
		})
	})
}
