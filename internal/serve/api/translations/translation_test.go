package translations_test

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/people/org"
)

// walk reads all pages of a list, and returns the ids of its items.
func walk(s *apptest.Server, path string) []string {
	s.T.Helper()
	var ids []string
	for next := ""; ; {
		var list struct {
			Items []struct{ ID, Page string }
			Next  *struct{ Page string }
		}
		s.Call(http.MethodGet, path+next, nil, http.StatusOK, &list)
		for _, item := range list.Items {
			ids = append(ids, cmp.Or(item.ID, item.Page))
		}
		if list.Next == nil {
			return ids
		}
		next = "&page=" + list.Next.Page
	}
}

func edit(s *apptest.Server, space, page, markdown string) {
	s.T.Helper()
	s.Call(http.MethodPost, "/v1/spaces/"+space+"/content", map[string]any{"changes": []any{map[string]any{
		"operation": "update_page", "page": page, "document": map[string]any{"markdown": markdown},
	}}}, http.StatusOK, nil)
}

func markdownOf(s *apptest.Server, path string) string {
	s.T.Helper()
	var page struct{ Markdown string }
	s.Call(http.MethodGet, path+"?format=markdown", nil, http.StatusOK, &page)
	return page.Markdown
}

func TestTranslation(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		space, ids := s.Documented("Guide",
			map[string]string{"Start": "Welcome to the guide.\n\nRun `make` and [read on](start.md).\n"})
		all := "/v1/orgs/" + s.Organization + "/translations"
		var made apptest.TranslationSettings
		created := s.Call(http.MethodPost, all, map[string]any{"title": "Guide",
			"source": map[string]any{"space": space, "language": "en"}, "languages": []string{"de"}},
			http.StatusCreated, &made)
		if made.Object != "translation-settings" || len(made.Languages) != 1 || made.Language != "de" ||
			!made.Permissions.Edit || created.Header.Get("Location") != made.URLs.Location {
			t.Errorf("made: %s", created.Body)
		}
		at := all + "/" + made.ID + "/languages/de"
		first := s.Followed(at)
		if first.Counts.Pages != 1 || first.Counts.Missing != 3 || first.Counts.Translated+first.Counts.Stale != 0 ||
			first.ChangeRequest != "" {
			t.Errorf("first: %+v", first)
		}
		var variant struct{ Title, Language string }
		s.Call(http.MethodGet, "/v1/spaces/"+first.Space, nil, http.StatusOK, &variant)
		if variant.Title != "Guide (German)" || variant.Language != "de" {
			t.Errorf("variant: %+v", variant)
		}

		segments := s.Segments(at, "")
		if len(segments) != 3 || segments[2].Source != "Run <1/> and <2>read on</2>." ||
			segments[2].State != "missing" {
			t.Fatalf("segments: %+v", segments)
		}
		if walked := walk(s, at+"/segments?limit=1"); !slices.Equal(walked, []string{segments[0].ID, segments[1].ID,
			segments[2].ID}) {
			t.Errorf("walked: %v", walked)
		}
		if got := s.Raw(http.MethodPost, at+"/import", s.Token, nil); got.Status != http.StatusBadRequest ||
			!strings.Contains(string(got.Body), "needs a body") {
			t.Errorf("an import of nothing: %d %s", got.Status, got.Body)
		}
		unknown := importTranslations(s, at, []byte("msgctxt \"a.b\"\nmsgid \"x\"\nmsgstr \"y\"\n"))
		if len(unknown.Problems) != 1 || unknown.Problems[0].Line != 1 || unknown.Problems[0].Segment != "a.b" ||
			unknown.Problems[0].Message == "" {
			t.Errorf("an import of an unknown text: %+v", unknown)
		}
		s.Call(http.MethodPut, at+"/segments/"+segments[2].ID, `{"target":"Rufe auf."}`, http.StatusBadRequest, nil)
		var done apptest.TranslatedSegment
		s.Call(http.MethodPut, at+"/segments/"+segments[2].ID, `{"target":"<2>Weiter</2> mit <1/>."}`, http.StatusOK,
			&done)
		if done.State != "translated" || done.Origin != "human" || done.Target != "<2>Weiter</2> mit <1/>." ||
			done.ChangeRequest == "" {
			t.Errorf("done: %+v", done)
		}
		s.Call(http.MethodPut, at+"/segments/"+segments[1].ID, `{"target":"Willkommen beim Leitfaden."}`, http.StatusOK,
			nil)
		s.Call(http.MethodPut, at+"/segments/"+segments[0].ID, `{"target":"Anfang"}`, http.StatusOK, nil)
		second := s.Followed(at)
		if second.Counts.Translated != 3 || second.ChangeRequest != done.ChangeRequest {
			t.Errorf("second: %+v", second)
		}
		page := "/v1/spaces/" + first.Space + "/content/page/" + ids["Start"]
		if live := markdownOf(s, page); !strings.Contains(live, "Welcome") {
			t.Errorf("the main content has changed without a merge:\n%s", live)
		}
		request := "/v1/spaces/" + first.Space + "/change-requests/" + second.ChangeRequest
		s.Call(http.MethodPost, request+"/merge", nil, http.StatusOK, nil)
		if live := markdownOf(s, page); !strings.Contains(live,
			"Willkommen beim Leitfaden.\n\n[Weiter](start.md) mit `make`.") {
			t.Errorf("merged:\n%s", live)
		}
		if merged := s.Followed(at); merged.ChangeRequest != "" || merged.Counts.Translated != 3 {
			t.Errorf("merged: %+v", merged)
		}

		// The source goes on: a block changes, one is new, a page is new.
		edit(s, space, ids["Start"],
			"Welcome to the good guide.\n\nRun `make` and [read on](start.md).\n\nAll new here.\n")
		s.Call(http.MethodPost, "/v1/spaces/"+space+"/content",
			`{"changes":[{"operation":"insert_page","title":"More","document":{"markdown":"Text."}}]}`, http.StatusOK,
			nil)
		third := s.Followed(at)
		if third.Counts.Pages != 2 || third.Counts.Translated != 2 || third.Counts.Stale != 1 ||
			third.Counts.Missing != 3 || third.ChangeRequest == "" || third.ChangeRequest == second.ChangeRequest {
			t.Errorf("third: %+v", third)
		}
		var pages struct {
			Items []struct {
				Page, Title string
				Stale       int
				Live        struct{ Translated, Stale, Missing int }
			}
			Count int
		}
		s.Call(http.MethodGet, at+"/pages?state=stale", nil, http.StatusOK, &pages)
		// The link of the block that stayed is as it was written, so its translation is current in the main content,
		// too.
		if pages.Count != 1 || pages.Items[0].Title != "Start" || pages.Items[0].Live.Translated != 2 ||
			pages.Items[0].Live.Stale != 1 || pages.Items[0].Live.Missing != 1 {
			t.Errorf("pages: %+v", pages)
		}
		if walked := walk(s, at+"/pages?limit=1"); len(walked) != 2 || walked[0] != ids["Start"] {
			t.Errorf("walked: %v", walked)
		}
		branch := "/v1/spaces/" + first.Space + "/change-requests/" + third.ChangeRequest + "/content/page/" +
			ids["Start"]
		if text := markdownOf(s, branch); !strings.Contains(text,
			"Willkommen beim Leitfaden.\n\n[Weiter](start.md) mit `make`.\n\nAll new here.") {
			t.Errorf("followed:\n%s", text)
		}
		stale := s.Segments(at, "?state=stale")
		if len(stale) != 1 || stale[0].Target != "Willkommen beim Leitfaden." {
			t.Fatalf("stale: %+v", stale)
		}
		// Confirmed as it is.
		s.Call(http.MethodPut, at+"/segments/"+stale[0].ID, map[string]any{"target": stale[0].Target}, http.StatusOK,
			&done)
		if confirmed := s.Followed(at); done.State != "translated" || confirmed.Counts.Stale != 0 ||
			confirmed.Counts.Translated != 3 {
			t.Errorf("confirmed: %+v %+v", done, confirmed)
		}

		// A change request that is put aside is let go, and the variant follows again from its main content.
		s.Call(http.MethodPatch, "/v1/spaces/"+first.Space+"/change-requests/"+third.ChangeRequest,
			`{"status":"archived"}`, http.StatusOK, nil)
		s.Call(http.MethodPost, at+"/follow", nil, http.StatusAccepted, nil)
		fourth := s.Followed(at)
		if fourth.ChangeRequest == "" || fourth.ChangeRequest == third.ChangeRequest || fourth.Counts.Translated != 3 ||
			fourth.Counts.Missing != 3 {
			t.Errorf("fourth: %+v", fourth)
		}

		// What a translator writes in the variant itself counts.
		s.Call(http.MethodPost, "/v1/spaces/"+first.Space+"/change-requests/"+fourth.ChangeRequest+"/content",
			map[string]any{"changes": []any{map[string]any{
				"operation": "update_page", "page": ids["Start"],
				"document": map[string]any{
					"markdown": "Willkommen beim Leitfaden.\n\n[Weiter](start.md) mit `make`.\n\nAlles ganz neu.\n"},
			}}}, http.StatusOK, nil)
		if fifth := s.Followed(at); fifth.Counts.Translated != 4 || fifth.Counts.Missing != 2 {
			t.Errorf("fifth: %+v", fifth)
		}

		// Languages come and go; the variant of one that goes stays.
		var changed apptest.TranslationSettings
		s.Call(http.MethodPut, all+"/"+made.ID,
			`{"languages":["fr"],"instructions":{"object":"document","data":{},"nodes":[]}}`, http.StatusOK, &changed)
		if len(changed.Languages) != 1 || changed.Languages[0] != "fr" {
			t.Errorf("changed: %+v", changed)
		}
		s.Call(http.MethodGet, at, nil, http.StatusNotFound, nil)
		s.Call(http.MethodGet, "/v1/spaces/"+first.Space, nil, http.StatusOK, nil)
		s.Followed(all + "/" + made.ID + "/languages/fr")
		s.Call(http.MethodDelete, all+"/"+made.ID, nil, http.StatusNoContent, nil)
		s.Call(http.MethodGet, all+"/"+made.ID, nil, http.StatusNotFound, nil)
	})
}

func TestTranslationRoles(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		space, _ := s.Documented("Roles", map[string]string{"Start": "Words.\n"})
		all := "/v1/orgs/" + s.Organization + "/translations"
		var made apptest.TranslationSettings
		s.Call(http.MethodPost, all, map[string]any{"source": map[string]any{"space": space, "language": "en"},
			"languages": []string{"de"}}, http.StatusCreated, &made)
		at := all + "/" + made.ID + "/languages/de"
		s.Followed(at)
		segment := s.Segments(at, "")[0]
		var other apptest.Identified
		s.Call(http.MethodPost, "/v1/orgs",
			`{"title":"Others","emailDomains":[],"type":"business","useCase":"docsSite"}`, http.StatusCreated, &other)
		tests := []struct {
			name, method, path, body string
			least                    org.Role
			ok                       int
		}{
			{"list", http.MethodGet, all, "", org.RoleRead, 200},
			{"create", http.MethodPost, all, `{"title":"New"}`, org.RoleCreate, 201},
			{"get", http.MethodGet, all + "/" + made.ID, "", org.RoleRead, 200},
			{"change", http.MethodPut, all + "/" + made.ID, `{"title":"Other"}`, org.RoleCreate, 200},
			{"languages", http.MethodGet, all + "/" + made.ID + "/languages", "", org.RoleRead, 200},
			{"language", http.MethodGet, at, "", org.RoleRead, 200},
			{"pages", http.MethodGet, at + "/pages", "", org.RoleRead, 200},
			{"segments", http.MethodGet, at + "/segments", "", org.RoleRead, 200},
			{"export", http.MethodGet, at + "/export", "", org.RoleRead, 200},
			{"import", http.MethodPost, at + "/import", `msgid ""`, org.RoleEdit, 400},
			{"machine", http.MethodPost, at + "/machine", `{}`, org.RoleEdit, 412},
			{"cancel", http.MethodDelete, at + "/machine", "", org.RoleEdit, 409},
			{"follow", http.MethodPost, at + "/follow", "", org.RoleEdit, 202},
			{"translate", http.MethodPut, at + "/segments/" + segment.ID, `{"target":"Wörter"}`, org.RoleEdit, 200},
			{"delete", http.MethodDelete, all + "/" + made.ID, "", org.RoleAdmin, 204},
		}
		roles := []org.Role{org.RoleGuest, org.RoleRead, org.RoleComment, org.RoleEdit, org.RoleReview, org.RoleCreate,
			org.RoleAdmin}
		tokens := map[org.Role]string{}
		for _, role := range roles {
			tokens[role] = s.Member(role, "role-"+string(role)+"@example.org")
		}
		send := func(method, path, token, body string) apptest.Answer {
			if body == "" {
				return s.Raw(method, path, token, nil)
			}
			return s.Raw(method, path, token, body)
		}
		for _, test := range tests {
			may := false
			foreign := strings.Replace(test.path, s.Organization, other.ID, 1)
			if got := send(test.method, foreign, s.Token, test.body); strings.Contains(test.path, made.ID) &&
				got.Status != http.StatusNotFound {
				t.Errorf("%s in another organization: %d", test.name, got.Status)
			}
			if got := send(test.method, test.path, "", test.body); got.Status != http.StatusUnauthorized {
				t.Errorf("%s without a token: %d", test.name, got.Status)
			}
			for _, role := range roles {
				if role == org.RoleCreate && test.name == "delete" {
					continue // would take away what the admin is to delete
				}
				may = may || role == test.least
				want := http.StatusForbidden
				if may {
					want = test.ok
				}
				got := send(test.method, test.path, tokens[role], test.body)
				if got.Status != want {
					t.Errorf("%s as %q: %d, want %d: %.300s", test.name, role, got.Status, want, got.Body)
				}
				s.Check(test.method, test.path, got)
			}
		}
	})
}
