package integrations_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"image"
	"image/png"
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/people/org"
)

// names are the names of a list of integrations.
func names(s *apptest.Server, token, path string) string {
	s.T.Helper()
	var list struct {
		Items []apptest.Integration
		Count int
	}
	s.CallAs(token, http.MethodGet, path, nil, http.StatusOK, &list)
	if list.Count != len(list.Items) {
		s.T.Errorf("%s: count %d of %d", path, list.Count, len(list.Items))
	}
	found := make([]string, len(list.Items))
	for i, each := range list.Items {
		found[i] = each.Name
	}
	return strings.Join(found, " ")
}

func onePixel(t *testing.T) string {
	t.Helper()
	var out bytes.Buffer
	if err := png.Encode(&out, image.NewGray(image.Rect(0, 0, 1, 1))); err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(out.Bytes())
}

func TestIntegrations(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		svg := `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`
		first := s.Publish("Tracker", map[string]any{
			"icon": base64.StdEncoding.EncodeToString([]byte(svg)), "previewImages": []string{onePixel(t)},
			"summary":    "# Tracker\n\nLinks.",
			"categories": []string{"collaboration"}, "secrets": map[string]string{"API_KEY": "very secret"},
			"contentSecurityPolicy": map[string]string{"default-src": "'none';",
				"script-src": "'self'\n https://cdn.example;"},
			"blocks": []any{map[string]any{"id": "ticket", "title": "Ticket",
				"urlUnfurl": []string{"https://*.tracker.example/t/**"},
				"markdown":  map[string]string{"codeblock": "ticket", "body": "id"}}},
			"configurations": json.RawMessage(
				`{"account":{"properties":{"zeta":{"type":"string"},"alpha":{"type":"boolean","default":true}},"required":["zeta"]}}`),
			"externalLinks": []any{map[string]string{"url": "https://tracker.example/help", "label": "Help"}},
		})
		if first.Version != 1 || !first.Verified || first.Target != "all" ||
			first.ContentSecurityPolicy != "default-src 'none'; script-src 'self' https://cdn.example" ||
			first.Owner.ID != s.Organization || !first.Permissions.Admin || !first.Permissions.Install ||
			len(first.PreviewImages) != 1 {
			t.Errorf("first: %+v", first)
		}
		if !strings.Contains(string(first.Configurations), `{"zeta":{"type":"string"},"alpha"`) {
			t.Errorf("the order of properties is lost: %s", first.Configurations)
		}
		icon := s.Raw(http.MethodGet, first.URLs.Icon, "", nil)
		if icon.Status != http.StatusOK || string(icon.Body) != svg ||
			icon.Header.Get("Content-Type") != "image/svg+xml" ||
			!strings.Contains(icon.Header.Get("Content-Security-Policy"), "sandbox") ||
			icon.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("icon: %d %v", icon.Status, icon.Header)
		}
		if preview := s.Raw(http.MethodGet, first.PreviewImages[0], "", nil); preview.Status != http.StatusOK ||
			preview.Header.Get("Content-Type") != "image/png" {
			t.Errorf("preview: %d", preview.Status)
		}
		for name, want := range map[string]int{strings.Repeat("0", 32) + ".png": http.StatusNotFound,
			"icon.svg": http.StatusBadRequest} {
			if got := s.Raw(http.MethodGet, first.URLs.Assets+"/"+name, "", nil); got.Status != want {
				t.Errorf("%s: %d", name, got.Status)
			}
		}
		endpoint := s.Raw(http.MethodPost, first.URLs.PublicEndpoint+"/webhook", "", `{}`)
		if endpoint.Status != http.StatusInternalServerError || !strings.Contains(string(endpoint.Body), "Tracker") {
			t.Errorf("endpoint: %d %s", endpoint.Status, endpoint.Body)
		}

		// A newer version is whole: what it leaves out is gone, but secrets stay.
		second := s.Publish("tracker", map[string]any{"organization": "example", "title": "Tracker 2"})
		if second.Version != 2 || second.Name != "Tracker" || second.Title != "Tracker 2" || second.URLs.Icon != "" ||
			second.ContentSecurityPolicy != "" {
			t.Errorf("second: %+v", second)
		}
		if got := s.Raw(http.MethodGet, first.URLs.Icon, "", nil); got.Status != http.StatusNotFound {
			t.Errorf("the old icon: %d", got.Status)
		}
		var read apptest.Integration
		answer := s.Call(http.MethodGet, "/v1/integrations/TRACKER", nil, http.StatusOK, &read)
		if read.Version != 2 || strings.Contains(string(answer.Body), "secret") {
			t.Errorf("read: %s", answer.Body)
		}

		organization, token := s.Elsewhere()
		if got := s.Raw(http.MethodPost, "/v1/integrations/tracker", token,
			s.Publication(map[string]any{"organization": organization})); got.Status != http.StatusConflict {
			t.Errorf("a name of others: %d %s", got.Status, got.Body)
		}
		if got := s.Raw(http.MethodPost, "/v1/integrations/mine", token,
			s.Publication(nil)); got.Status != http.StatusNotFound {
			t.Errorf("in the name of others: %d %s", got.Status, got.Body)
		}
		s.CallAs(token, http.MethodGet, "/v1/integrations/tracker", nil, http.StatusOK, &read)
		if read.Permissions.Admin || !read.Permissions.Install || read.Owner.Permissions.View ||
			len(read.Owner.EmailDomains) != 0 {
			t.Errorf("as a stranger: %+v", read)
		}
		if got := s.Raw(http.MethodDelete, "/v1/integrations/tracker", token, nil); got.Status != http.StatusForbidden {
			t.Errorf("unpublishing for others: %d", got.Status)
		}

		s.Call(http.MethodDelete, "/v1/integrations/tracker", nil, http.StatusNoContent, nil)
		s.Call(http.MethodDelete, "/v1/integrations/tracker", nil, http.StatusNotFound, nil)
		s.Call(http.MethodGet, "/v1/integrations/tracker", nil, http.StatusNotFound, nil)
		if got := names(s, s.Token, "/v1/integrations"); got != "" {
			t.Errorf("left: %s", got)
		}
		if got := s.Raw(http.MethodPost, "/v1/integrations/tracker", token,
			s.Publication(map[string]any{"organization": organization})); got.Status != http.StatusConflict {
			t.Errorf("a name that was unpublished: %d %s", got.Status, got.Body)
		}
		if again := s.Publish("tracker", nil); again.Version != 3 {
			t.Errorf("published again: %+v", again)
		}
	})
}

func TestIntegrationLists(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		organization, token := s.Elsewhere()
		reader := s.Member(org.RoleRead, "reader@example.org")
		s.Publish("analytics", map[string]any{"categories": []string{"analytics"}, "target": "site",
			"title": "Page Numbers", "scopes": []string{"site:script:inject"}})
		s.Publish("board", map[string]any{"title": "Board_100%", "scopes": []string{"space:content:read",
			"space:views:read"}, "blocks": []any{map[string]any{"id": "b", "title": "Board",
			"urlUnfurl": []string{"https://www.board.example/**"}}}})
		s.Publish("feed", map[string]any{"contentSources": []any{map[string]any{"id": "f", "title": "Feed",
			"configuration": map[string]string{"componentId": "c"}}}})
		s.Publish("hidden", map[string]any{"visibility": "unlisted"})
		s.Publish("own", map[string]any{"visibility": "private"})
		s.CallAs(token, http.MethodPost, "/v1/integrations/theirs",
			s.Publication(map[string]any{"organization": organization}), http.StatusOK, nil)

		const all = "/v1/integrations"
		for path, want := range map[string]string{
			all:                                                        "analytics board feed theirs",
			all + "?search=BOARD":                                      "board",
			all + "?search=page%20num":                                 "analytics",
			all + "?search=100%25":                                     "board",
			all + "?search=_100":                                       "board",
			all + "?search=%25":                                        "board",
			all + "?search=none":                                       "",
			all + "?category=analytics":                                "analytics",
			all + "?category=gitsync":                                  "",
			all + "?blockDomain=board.example":                         "board",
			all + "?blockDomain=WWW.board.example":                     "board",
			all + "?blockDomain=other.example":                         "",
			all + "?blocks=true":                                       "board",
			all + "?blocks=false":                                      "analytics feed theirs",
			all + "?contentSources=true":                               "feed",
			all + "?contentSources=false":                              "analytics board theirs",
			all + "?scope=space:content:read":                          "board feed theirs",
			all + "?scope=space:views:read":                            "board",
			all + "?scope=site:script:inject&category=analytics":       "analytics",
			all + "?target=site":                                       "analytics",
			all + "?target=all":                                        "board feed theirs",
			all + "?target=organization":                               "",
			all + "?owner=" + organization:                             "theirs",
			all + "?owner=" + s.Organization:                           "analytics board feed hidden own",
			all + "?owner=nobody":                                      "",
			"/v1/orgs/" + s.Organization + "/integrations":             "analytics board feed hidden own theirs",
			"/v1/orgs/" + s.Organization + "/integrations?blocks=true": "board",
		} {
			if got := names(s, reader, path); got != want {
				t.Errorf("%s: %q, want %q", path, got, want)
			}
		}
		var page struct {
			Items []apptest.Integration
			Count int
			Next  *struct{ Page string }
		}
		found, next := "", ""
		for range 5 {
			s.Call(http.MethodGet, all+"?limit=1"+next, nil, http.StatusOK, &page)
			found += page.Items[0].Name + " "
			if page.Next == nil || page.Count != 4 {
				break
			}
			next, page.Next = "&page="+page.Next.Page, nil
		}
		if found != "analytics board feed theirs " {
			t.Errorf("page by page: %q", found)
		}
		for _, bad := range []string{"?category=none", "?scope=none", "?target=none", "?blocks=maybe",
			"?blockDomain=a/b", "?blockDomain=" + strings.Repeat("a", 101), "?limit=1001", "?page=x",
			"?search=a" + next} {
			if got := s.Raw(http.MethodGet, all+bad, s.Token, nil); got.Status != http.StatusBadRequest {
				t.Errorf("%s: %d", bad, got.Status)
			}
		}
	})
}

// TestIntegrationHostileInput holds that the fields of a publication reach what checks them, and that those of other
// types are refused; package integration tests the rules.
func TestIntegrationHostileInput(t *testing.T) {
	s := apptest.OnSQLite(t, nil)
	block := func(fields map[string]any) []any {
		one := map[string]any{"id": "b", "title": "Block"}
		maps.Copy(one, fields)
		return []any{one}
	}
	tests := []struct {
		name   string
		fields map[string]any
		want   int
		says   string
	}{
		{"script of 5 MB", map[string]any{"script": strings.Repeat("\n", 5<<20-1) + ";"}, 200, ""},
		{"script of 5 MB and 1", map[string]any{"script": strings.Repeat("a", 5<<20+1)}, 413, "5 MB"},
		{"body of 25 MB", map[string]any{"script": strings.Repeat("a", 25<<20)}, 413, ""},
		{"script that does not parse", map[string]any{"script": "let a = 1;\nlet b = ;"}, 400, "line 2"},
		{"module in the older runtime", map[string]any{"script": "export default {};"}, 400, "line 1"},
		{"module that does not parse", map[string]any{"runtime": "v2", "script": "export default {\n fetch( };"}, 400,
			"line 2"},
		{"module", map[string]any{"runtime": "v2", "script": "export default { fetch() {} };"}, 200, ""},
		{"no script", map[string]any{"script": ""}, 400, "script"},
		{"script of another type", map[string]any{"script": 5}, 400, "script"},
		{"runtime", map[string]any{"runtime": "v3"}, 400, "runtime"},
		{"visibility", map[string]any{"visibility": "secret"}, 400, "visibility"},
		{"target", map[string]any{"target": "page"}, 400, "target"},
		{"scope", map[string]any{"scopes": []string{"space:content:read", "space:views:write"}}, 400, "scopes[1]"},
		{"category", map[string]any{"categories": []string{"games"}}, 400, "categories[0]"},
		{"second preview", map[string]any{"previewImages": []string{onePixel(t), "aGVsbG8="}}, 400, "previewImages[1]"},
		{"policy with a header", map[string]any{"contentSecurityPolicy": "default-src 'none';\r\nX-Evil: 1"}, 400,
			"contentSecurityPolicy"},
		{"policy key with a line break",
			map[string]any{"contentSecurityPolicy": map[string]string{"img-src\r\nX-Evil": "1"}}, 400,
			"contentSecurityPolicy"},
		{"policy of numbers", map[string]any{"contentSecurityPolicy": 5}, 400,
			"contentSecurityPolicy: has none of the forms"},
		{"policy value of numbers", map[string]any{"contentSecurityPolicy": map[string]any{"img-src": 5}}, 400,
			"contentSecurityPolicy"},
		{"block without id", map[string]any{"blocks": []any{map[string]any{"title": "Block"}}}, 400, "blocks[0]"},
		{"block markdown", map[string]any{
			"blocks": block(map[string]any{"markdown": map[string]any{"codeblock": "a"}})}, 400, "blocks[0].markdown"},
		{"source without component", map[string]any{"contentSources": []any{map[string]any{"id": "a", "title": "Ab"}}},
			400, "contentSources[0]"},
		{"link", map[string]any{"externalLinks": []any{map[string]any{"url": "javascript:alert(1)", "label": "x"}}},
			400, "externalLinks[0].url"},
		{"configuration type", map[string]any{"configurations": json.RawMessage(
			`{"account":{"properties":{"a":{"type":"date"}}}}`)}, 400, "configurations.account.properties.a.type"},
		{"configuration of another type", map[string]any{"configurations": json.RawMessage(`{"site":[]}`)}, 400,
			"configurations.site"},
		{"deep configuration", map[string]any{"configurations": json.RawMessage(
			`{"site":{"properties":{"a":{"type":"string","default":` + strings.Repeat("[", 5000) + strings.Repeat("]",
				5000) + `}}}}`)}, 400, "default"},
		{"secret of another type", map[string]any{"secrets": map[string]any{"a": 1}}, 400, "secrets"},
		{"large secret", map[string]any{"secrets": map[string]string{"a": strings.Repeat("x", 16<<10+1)}}, 400,
			"secrets.a"},
	}
	for _, test := range tests {
		got := s.Raw(http.MethodPost, "/v1/integrations/hostile", s.Token, s.Publication(test.fields))
		if got.Status != test.want || !strings.Contains(string(got.Body), test.says) {
			t.Errorf("%s: %d %.300s", test.name, got.Status, got.Body)
		}
		if got.Status != http.StatusRequestEntityTooLarge || test.says != "" {
			s.Check(http.MethodPost, "/v1/integrations/hostile", got)
		}
	}
	for _, name := range []string{"a%20b", strings.Repeat("a", 101), "%2e%2e", "..."} {
		if got := s.Raw(http.MethodPost, "/v1/integrations/"+name, s.Token,
			s.Publication(nil)); got.Status == http.StatusOK {
			t.Errorf("the name %q is taken", name)
		}
	}
}
