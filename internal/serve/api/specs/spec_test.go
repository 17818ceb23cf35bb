package specs_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/people/org"
)

func TestOpenAPISpecs(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		all := "/v1/orgs/" + s.Organization + "/openapi"
		var made apptest.Spec
		created := s.Call(http.MethodPost, all, map[string]any{"slug": "pets",
			"source": map[string]any{"text": apptest.PetsSpec}}, http.StatusCreated, &made)
		if made.Slug != "pets" || made.URLs.Location != s.Base+all+"/pets" ||
			created.Header.Get("Location") != made.URLs.Location || !made.Permissions.Edit {
			t.Errorf("made: %+v", made)
		}
		s.Call(http.MethodPost, all, map[string]any{"slug": "pets", "source": map[string]any{"text": apptest.PetsSpec}},
			http.StatusConflict, nil)
		done := s.Processed("pets")
		if done.LastVersion == "" || done.LastProcessErrorCode != "" {
			t.Fatalf("done: %+v", done)
		}

		var version struct{ ID, URL string }
		s.Call(http.MethodGet, all+"/pets/versions/latest", nil, http.StatusOK, &version)
		if version.ID != done.LastVersion {
			t.Errorf("latest is %s, not %s", version.ID, done.LastVersion)
		}
		download := s.Raw(http.MethodGet, version.URL, "", nil)
		if download.Status != http.StatusOK || string(download.Body) != apptest.PetsSpec {
			t.Errorf("download: %d %.100s", download.Status, download.Body)
		}
		if forged := s.Raw(http.MethodGet, strings.Replace(version.URL, "signature=", "signature=x", 1), "",
			nil); forged.Status != http.StatusForbidden {
			t.Errorf("a forged address: %d", forged.Status)
		}
		var content struct {
			Filesystem map[string]struct {
				IsEntrypoint  bool
				Specification struct{ OpenAPI string }
			}
			URL string
		}
		answer := s.Call(http.MethodGet, all+"/pets/versions/latest/content", nil, http.StatusOK, &content)
		if entry := content.Filesystem["openapi.json"]; !entry.IsEntrypoint || content.URL != version.URL {
			t.Errorf("content: %s", answer.Body)
		}
		again, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.Base+all+"/pets/versions/"+version.ID+
			"/content", nil)
		if err != nil {
			t.Fatal(err)
		}
		again.Header.Set("Authorization", "Bearer "+s.Token)
		again.Header.Set("If-None-Match", answer.Header.Get("ETag"))
		if got := s.Send(again); got.Status != http.StatusNotModified {
			t.Errorf("conditional: %d", got.Status)
		}
		var raw struct{ Text, Format string }
		s.Call(http.MethodGet, all+"/pets/versions/latest/content/raw", nil, http.StatusOK, &raw)
		if raw.Text != apptest.PetsSpec || raw.Format != "yaml" {
			t.Errorf("raw: %+v", raw)
		}

		s.PutSpec("pets", apptest.PetsSpec, http.StatusOK)
		changed := s.PutSpec("pets", strings.ReplaceAll(apptest.PetsSpec, "List pets", "List all pets"), http.StatusOK)
		if changed.LastVersion == done.LastVersion {
			t.Error("a change made no version")
		}
		var versions struct {
			Items []struct{ ID string }
			Count int
			Next  *struct{ Page string }
		}
		s.Call(http.MethodGet, all+"/pets/versions?limit=1", nil, http.StatusOK, &versions)
		if versions.Count != 2 || len(versions.Items) != 1 || versions.Items[0].ID != changed.LastVersion ||
			versions.Next == nil {
			t.Fatalf("versions: %+v", versions)
		}
		s.Call(http.MethodGet, all+"/pets/versions?limit=1&page="+versions.Next.Page, nil, http.StatusOK, &versions)
		if versions.Items[0].ID != done.LastVersion {
			t.Errorf("second page: %+v", versions)
		}
		s.Call(http.MethodGet, all+"/pets/versions/"+done.LastVersion, nil, http.StatusOK, nil)

		broken := s.PutSpec("pets", "openapi: 3.0.0\ninfo: {title: A, version: '1'}\npaths: {pets: {}}\n",
			http.StatusOK)
		if broken.LastProcessErrorCode != "PARSE_ERROR" || broken.LastVersion != changed.LastVersion ||
			len(broken.LastProcessedErrors) != 1 ||
			!strings.HasPrefix(broken.LastProcessedErrors[0].Message, "line 3, column 9: ") {
			t.Errorf("broken: %+v", broken)
		}
		s.PutSpec("another", apptest.PetsSpec, http.StatusCreated)
		var list struct {
			Items []apptest.Spec
			Count int
		}
		s.Call(http.MethodGet, all, nil, http.StatusOK, &list)
		if list.Count != 2 || list.Items[0].Slug != "another" || list.Items[1].Slug != "pets" {
			t.Errorf("list: %+v", list)
		}
		s.Call(http.MethodDelete, all+"/pets", nil, http.StatusResetContent, nil)
		s.Call(http.MethodGet, all+"/pets", nil, http.StatusNotFound, nil)
		s.Call(http.MethodGet, all+"/pets/versions/latest", nil, http.StatusNotFound, nil)
	})
}

// TestOpenAPISpecFromAnAddress holds that addresses are fetched under the rules of all fetching, files that a
// description refers to as well.
func TestOpenAPISpecFromAnAddress(t *testing.T) {
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/pets.yaml":
			_, _ = w.Write([]byte(strings.ReplaceAll(apptest.PetsSpec, "#/components/schemas/Pet",
				"models/pet.yaml#/Pet")))
		case "/models/pet.yaml":
			_, _ = w.Write([]byte("Pet: {type: object, properties: {parent: {$ref: '#/Pet'}}}\n"))
		case "/private.yaml":
			_, _ = w.Write([]byte(strings.ReplaceAll(apptest.PetsSpec, "#/components/schemas/Pet",
				"http://127.0.0.2/pet.yaml#/Pet")))
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(web.Close)
	s := apptest.OnSQLite(t, apptest.Fetching)
	put := func(slug, address string) apptest.Spec {
		t.Helper()
		s.Call(http.MethodPut, "/v1/orgs/"+s.Organization+"/openapi/"+slug,
			map[string]any{"source": map[string]any{"url": address}}, http.StatusCreated, nil)
		return s.Processed(slug)
	}
	if good := put("good", web.URL+"/pets.yaml"); good.LastProcessErrorCode != "" || good.SourceURL != web.URL+
		"/pets.yaml" || good.LastVersion == "" {
		t.Fatalf("good: %+v", good)
	}
	var content struct {
		Filesystem map[string]struct{ References []string }
	}
	s.Call(http.MethodGet, "/v1/orgs/"+s.Organization+"/openapi/good/versions/latest/content", nil, http.StatusOK,
		&content)
	if len(content.Filesystem) != 2 || len(content.Filesystem["openapi.json"].References) != 1 {
		t.Errorf("the other file is not in the bundle: %+v", content)
	}
	if missing := put("missing", web.URL+"/none.yaml"); missing.LastProcessErrorCode != "FETCH_ERROR" ||
		!strings.Contains(missing.LastProcessedErrors[0].Message, "404") {
		t.Errorf("missing: %+v", missing)
	}
	if private := put("private",
		"http://169.254.169.254/latest/meta-data"); private.LastProcessErrorCode != "FETCH_ERROR" ||
		!strings.Contains(private.LastProcessedErrors[0].Message, "169.254.169.254") {
		t.Errorf("a private address: %+v", private)
	}
	if inside := put("inside", web.URL+"/private.yaml"); inside.LastProcessErrorCode != "PARSE_ERROR" ||
		!strings.Contains(inside.LastProcessedErrors[0].Message, "127.0.0.2") || inside.LastVersion != "" {
		t.Errorf("a reference into a private network: %+v", inside)
	}
}

func TestOpenAPISpecAccess(t *testing.T) {
	apptest.OnBothWith(t, apptest.EveryoneCreates, func(t *testing.T, s *apptest.Server) {
		s.PutSpec("pets", apptest.PetsSpec, http.StatusCreated)
		all := "/v1/orgs/" + s.Organization + "/openapi"
		source := `{"source":{"text":"openapi: 3.1.0\ninfo: {title: A, version: '1'}\npaths: {}\n"}}`
		stranger := s.Member(org.RoleGuest, "stranger@example.net")
		var other apptest.Identified
		s.CallAs(stranger, http.MethodPost, "/v1/orgs", `{"title":"Elsewhere"}`, http.StatusCreated, &other)
		tests := []struct {
			name, method, path, body string
			least                    org.Role
			ok                       int
		}{
			{"list", http.MethodGet, all, "", org.RoleRead, 200},
			{"read", http.MethodGet, all + "/pets", "", org.RoleRead, 200},
			{"versions", http.MethodGet, all + "/pets/versions", "", org.RoleRead, 200},
			{"latest", http.MethodGet, all + "/pets/versions/latest", "", org.RoleRead, 200},
			{"content", http.MethodGet, all + "/pets/versions/latest/content", "", org.RoleRead, 200},
			{"raw", http.MethodGet, all + "/pets/versions/latest/content/raw", "", org.RoleRead, 200},
			{"create", http.MethodPost, all, `{"slug":"%s",` + source[1:], org.RoleCreate, 201},
			{"put", http.MethodPut, all + "/other", source, org.RoleCreate, 0},
			{"delete", http.MethodDelete, all + "/pets", "", org.RoleAdmin, 205},
		}
		roles := []org.Role{org.RoleGuest, org.RoleRead, org.RoleComment, org.RoleEdit, org.RoleReview, org.RoleCreate,
			org.RoleAdmin}
		tokens := map[org.Role]string{}
		for _, role := range roles {
			tokens[role] = s.Member(role, "role-"+string(role)+"@example.org")
		}
		send := func(method, path, token, slug, body string) apptest.Answer {
			if body == "" {
				return s.Raw(method, path, token, nil)
			}
			return s.Raw(method, path, token, strings.Replace(body, "%s", slug, 1))
		}
		for _, test := range tests {
			may := false
			for _, role := range roles {
				if role == org.RoleCreate && test.name == "delete" {
					continue // would take away what the admin is to delete
				}
				may = may || role == test.least
				want := http.StatusForbidden
				if may {
					want = test.ok
				}
				got := send(test.method, test.path, tokens[role], "by"+string(role), test.body)
				if want == 0 && got.Status != 200 && got.Status != 201 || want != 0 && got.Status != want {
					t.Errorf("%s as %q: %d, want %d: %.300s", test.name, role, got.Status, want, got.Body)
				}
				s.Check(test.method, test.path, got)
			}
			if got := send(test.method, test.path, "", "x", test.body); got.Status != http.StatusUnauthorized {
				t.Errorf("%s without a token: %d", test.name, got.Status)
			}
			foreign := strings.Replace(test.path, s.Organization, other.ID, 1)
			if got := send(test.method, foreign, s.Token, "x", test.body); got.Status != http.StatusNotFound {
				t.Errorf("%s in another organization: %d", test.name, got.Status)
			}
			if got := send(test.method, strings.Replace(test.path, "/pets", "/none", 1), s.Token, "pets",
				test.body); strings.Contains(test.path, "/pets") && got.Status != http.StatusNotFound {
				t.Errorf("%s of one that is not there: %d", test.name, got.Status)
			}
		}
	})
}

func TestOpenAPISpecInvalidInput(t *testing.T) {
	s := apptest.OnSQLite(t, nil)
	s.PutSpec("pets", apptest.PetsSpec, http.StatusCreated)
	s.PutSpec("toys", strings.ReplaceAll(apptest.PetsSpec, "pets", "toys"), http.StatusCreated)
	all := "/v1/orgs/" + s.Organization + "/openapi"
	var list struct{ Next struct{ Page string } }
	s.Call(http.MethodGet, all+"?limit=1", nil, http.StatusOK, &list)
	tests := []struct {
		name, method, path string
		body               any
		want               int
		says               string
	}{
		{"no body", http.MethodPost, all, nil, 400, ""},
		{"not JSON", http.MethodPost, all, `{`, 400, ""},
		{"no slug", http.MethodPost, all, `{"source":{"text":"a"}}`, 400, "slug"},
		{"slug of another type", http.MethodPost, all, `{"slug":5,"source":{"text":"a"}}`, 400, "slug"},
		{"slug with spaces", http.MethodPost, all, `{"slug":"a b","source":{"text":"a"}}`, 400, "slug"},
		{"long slug", http.MethodPost, all, `{"slug":"` + strings.Repeat("a", 101) + `","source":{"text":"a"}}`, 400,
			"slug"},
		{"no source", http.MethodPost, all, `{"slug":"a"}`, 400, "source"},
		{"empty source", http.MethodPost, all, `{"slug":"a","source":{}}`, 400, "source"},
		{"source of another type", http.MethodPost, all, `{"slug":"a","source":"https://example.com/"}`, 400, "source"},
		{"two sources", http.MethodPost, all, `{"slug":"a","source":{"text":"a","url":"https://example.com/"}}`, 400,
			"source"},
		{"empty text", http.MethodPost, all, `{"slug":"a","source":{"text":""}}`, 400, "text"},
		{"text of another type", http.MethodPost, all, `{"slug":"a","source":{"text":{}}}`, 400, "text"},
		{"relative address", http.MethodPut, all + "/a", `{"source":{"url":"/openapi.json"}}`, 400, "url"},
		{"file address", http.MethodPut, all + "/a", `{"source":{"url":"file:///etc/passwd"}}`, 400, "url"},
		{"address with password", http.MethodPut, all + "/a", `{"source":{"url":"https://a:b@example.com/"}}`, 400,
			"url"},
		{"put to a bad slug", http.MethodPut, all + "/A_B", `{"source":{"text":"a"}}`, 400, "slug"},
		{"large text", http.MethodPut, all + "/a", `{"source":{"text":"` + strings.Repeat("a", 10<<20+1) + `"}}`, 413,
			"10 MB"},
		{"read a bad slug", http.MethodGet, all + "/A_B", nil, 404, ""},
		{"unknown version", http.MethodGet, all + "/pets/versions/specversion_00000000000000000000000000", nil, 404,
			"version"},
		{"content of an unknown version", http.MethodGet, all + "/pets/versions/x/content", nil, 404, "version"},
		{"limit too large", http.MethodGet, all + "?limit=1001", nil, 400, "limit"},
		{"limit of another type", http.MethodGet, all + "/pets/versions?limit=x", nil, 400, "limit"},
		{"cursor of another list", http.MethodGet, all + "/pets/versions?page=" + list.Next.Page, nil, 400, ""},
		{"made up cursor", http.MethodGet, all + "?page=abc", nil, 400, ""},
		{"delete one that is not there", http.MethodDelete, all + "/none", nil, 404, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s.In(t).Refused(test.method, test.path, test.body, test.want, test.says)
		})
	}
	var after struct{ Count int }
	s.Call(http.MethodGet, all, nil, http.StatusOK, &after)
	if after.Count != 2 {
		t.Errorf("%d specifications after invalid input", after.Count)
	}
}
