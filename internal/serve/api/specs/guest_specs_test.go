package specs_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/people/org"
)

// TestGuestsPutNoSpecificationsIntoContent holds that a guest who may edit a space does not read a specification of the
// organization by naming it there: in a page, a reusable content, a computed page, a file that is imported, or a
// settled conflict. What a member has put there stays theirs to edit around.
func TestGuestsPutNoSpecificationsIntoContent(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		s.PutSpec("secret", apptest.PetsSpec, http.StatusCreated)
		s.PutSpec("shown", apptest.PetsSpec, http.StatusCreated)
		guest, guestID := s.Person(org.RoleGuest, "guest@example.org")
		space := s.Space("Guide")
		s.Call(http.MethodPost, "/v1/spaces/"+space+"/permissions", map[string]any{"users": []string{guestID},
			"role": "edit"}, http.StatusNoContent, nil)
		s.CallAs(guest, http.MethodGet, "/v1/orgs/"+s.Organization+"/openapi/secret", nil, http.StatusForbidden, nil)

		block := func(spec string) string {
			return fmt.Sprintf(`{%% openapi-operation spec=%q path="/pets" method="get" %%}`+"\n", spec)
		}
		contentOf := "/v1/spaces/" + space + "/content"
		change := func(operation string, more map[string]any) map[string]any {
			more["operation"] = operation
			return map[string]any{"changes": []any{more}}
		}
		var written struct {
			Changes []struct{ Page apptest.Identified }
		}
		s.Call(http.MethodPost, contentOf,
			change("insert_page", map[string]any{"title": "Shown",
				"document": map[string]any{"markdown": "Text.\n\n" + block("shown")}}), http.StatusOK, &written)
		page := written.Changes[0].Page.ID

		computed := map[string]any{"type": "builtin:openapi",
			"dependencies": map[string]any{"spec": map[string]any{"ref": map[string]any{"kind": "openapi",
				"spec": "secret"}}}}
		attempts := []map[string]any{
			change("insert_page", map[string]any{"title": "Mine",
				"document": map[string]any{"markdown": block("secret")}}),
			change("update_page", map[string]any{"page": page, "document": map[string]any{"markdown": block("shown") +
				"\n" + block("secret")}}),
			change("insert_reusable_content", map[string]any{"title": "Mine",
				"document": map[string]any{"markdown": block("secret")}}),
			change("insert_page", map[string]any{"title": "Mine", "type": "computed", "computed": computed}),
		}
		var request struct{ ID string }
		s.CallAs(guest, http.MethodPost, "/v1/spaces/"+space+"/change-requests", `{"subject":"Mine"}`,
			http.StatusCreated, &request)
		inRequest := "/v1/spaces/" + space + "/change-requests/" + request.ID + "/content"
		for _, where := range []string{contentOf, inRequest} {
			for _, attempt := range attempts {
				got := s.Raw(http.MethodPost, where, guest, attempt)
				if got.Status != http.StatusForbidden || !strings.Contains(string(got.Body), "secret") ||
					!strings.Contains(string(got.Body), "may not read") {
					t.Errorf("%v: %d %s", attempt, got.Status, got.Body)
				}
			}
		}
		upload := "/v1/spaces/" + space + "/content/upload?name="
		for name, file := range map[string][]byte{
			"mine.md": []byte("# Mine\n\n" + block("secret")),
			"mine.zip": apptest.Zipped(t, map[string]string{"README.md": "# Mine\n",
				".gitbook/includes/mine.md": "# Part\n\n" +
					block("secret")}),
		} {
			if got := s.Raw(http.MethodPost, upload+name, guest, file); got.Status != http.StatusForbidden ||
				!strings.Contains(string(got.Body), "secret") {
				t.Errorf("%s: %d %s", name, got.Status, got.Body)
			}
		}
		if now := s.Call(http.MethodGet, contentOf+"/page/"+page+"?format=markdown", nil, http.StatusOK,
			nil); strings.Contains(string(now.Body), "secret") {
			t.Errorf("a refused change is there: %s", now.Body)
		}

		// What a member has put there, and links, which show nothing of what they lead to.
		s.CallAs(guest, http.MethodPost, contentOf,
			change("update_page", map[string]any{"page": page,
				"document": map[string]any{"markdown": "Other text.\n\n" + block("shown")}}), http.StatusOK, nil)
		s.CallAs(guest, http.MethodPost, contentOf,
			change("insert_page", map[string]any{"title": "Link",
				"document": map[string]any{"markdown": "[API](/openapi/secret)\n"}}), http.StatusOK, nil)
		s.CallAs(guest, http.MethodPost, upload+"shown.md", []byte("# Shown\n\nNewer.\n\n"+block("shown")),
			http.StatusCreated, nil)
		// Members read them and may.
		editor, _ := s.Person(org.RoleEdit, "editor@example.org")
		s.CallAs(editor, http.MethodPost, contentOf, attempts[0], http.StatusOK, nil)

		guestSettles(s, t, guest, space, block)
	})
}

// guestSettles has a guest settle a conflict with a text that shows a specification.
func guestSettles(s *apptest.Server, t *testing.T, guest, space string, block func(string) string) {
	t.Helper()
	base := "/v1/spaces/" + space
	put := func(token, where, text string, page string) string {
		body := map[string]any{"operation": "insert_page", "title": "Disputed",
			"document": map[string]any{"markdown": text}}
		if page != "" {
			body = map[string]any{"operation": "update_page", "page": page,
				"document": map[string]any{"markdown": text}}
		}
		var written struct {
			Changes []struct{ Page apptest.Identified }
		}
		s.CallAs(token, http.MethodPost, where, map[string]any{"changes": []any{body}}, http.StatusOK, &written)
		if page == "" {
			page = written.Changes[0].Page.ID
		}
		return page
	}
	page := put(s.Token, base+"/content", "One.\n", "")
	var request struct{ ID string }
	s.CallAs(guest, http.MethodPost, base+"/change-requests", `{"subject":"Settled"}`, http.StatusCreated, &request)
	at := base + "/change-requests/" + request.ID
	put(guest, at+"/content", "Two.\n", page)
	put(s.Token, base+"/content", "Three.\n", page)
	var conflicts struct {
		Items []struct{ URLs struct{ Location string } }
	}
	s.CallAs(guest, http.MethodGet, at+"/conflicts", nil, http.StatusOK, &conflicts)
	if len(conflicts.Items) != 1 {
		t.Fatalf("conflicts: %+v", conflicts)
	}
	settle := conflicts.Items[0].URLs.Location
	if got := s.Raw(http.MethodPost, settle, guest,
		map[string]any{"content": block("secret")}); got.Status != http.StatusForbidden ||
		!strings.Contains(string(got.Body), "secret") {
		t.Errorf("settled with a specification: %d %s", got.Status, got.Body)
	}
	if got := s.Raw(http.MethodPost, settle, guest, map[string]any{"content": "Four.\n"}); got.Status != http.StatusOK {
		t.Errorf("settled with a text: %d %s", got.Status, got.Body)
	}
}
