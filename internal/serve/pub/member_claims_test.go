package pub_test

import (
	"encoding/base64"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
)

// doorsSchema asks for the role of members. The flag of its own claims is what visitors say of themselves.
const doorsSchema = `{"type":"object","additionalProperties":false,"properties":{"plan":{"type":"string","description":""},` +
	`"member":{"type":"object","description":"","additionalProperties":false,"properties":{"role":{"type":"string","description":""}}},` +
	`"unsigned":{"type":"object","additionalProperties":false,"properties":{"plan":{"type":"string","description":""}}}}}`

// TestMembersClaimsComeFromTheServer tries every door through which a visitor brings claims: none but the server's own
// token makes somebody a member.
func TestMembersClaimsComeFromTheServer(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		const forAdmins = `visitor.claims.member.role === \"admin\"`
		site := s.NewSite("Handbook", "public", apptest.OnePage+
			`,{"operation":"insert_page","title":"Writers","condition":"`+forAdmins+
			`","document":{"markdown":"For admins only.\n"}}`+
			`,{"operation":"insert_page","title":"Block","document":{"markdown":"{% if visitor.claims.member.role === \"admin\" %}\nHidden block.\n{% endif %}\n\nShown {{visitor.claims.member.role}}.\n"}}`+
			`,{"operation":"insert_page","title":"Plans","condition":"visitor.claims.plan === \"pro\"","document":{"markdown":"For buyers.\n"}}`)
		inner := s.Space("Inner")
		s.Call(http.MethodPost, "/v1/spaces/"+inner+"/content", `{"changes":[`+apptest.OnePage+`]}`, http.StatusOK, nil)
		var variant apptest.Identified
		s.Call(http.MethodPost, site.Path+"/site-spaces", map[string]any{"spaceId": inner}, http.StatusCreated,
			&variant)
		s.Call(http.MethodPatch, site.Path+"/site-spaces/"+variant.ID, `{"path":"inner","condition":"`+forAdmins+`"}`,
			http.StatusOK, nil)
		site.Adapt(doorsSchema)
		admin := map[string]any{"role": "admin"}
		former := apptest.SignClaims(t, site.Key(), map[string]any{"plan": "pro", "member": admin})
		s.Call(http.MethodPost, site.Path+"/publishing/auth/regenerate", nil, http.StatusOK, nil)
		claimed := apptest.SignClaims(t, site.Key(), map[string]any{"plan": "pro", "member": admin,
			"unsigned": map[string]any{"member": admin}})
		cookie := func(name, value string) http.Header { return http.Header{"Cookie": {name + "=" + value}} }
		said := url.PathEscape(`{"member":{"role":"admin"},"plan":"pro"}`)

		// see asks for an address as a visitor with headers, and says whether what is for members shows.
		see := func(query string, header http.Header, path string) (int, string) {
			t.Helper()
			v := apptest.NewVisitor(t)
			if query != "" {
				v.Open(site.Home + "?" + query)
			}
			request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, site.Home+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			maps.Copy(request.Header, header)
			answer, err := v.Client.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			defer answer.Body.Close()
			return answer.StatusCode, textOf(t, answer)
		}
		for name, door := range map[string]struct {
			query  string
			header http.Header
			signed bool // their plan is known
		}{
			"token in the address":           {"jwt_token=" + claimed, nil, true},
			"token of the former key":        {"jwt_token=" + former, nil, true},
			"token in the cookie":            {"", cookie("recto_visitor", claimed), true},
			"token in both":                  {"jwt_token=" + claimed, cookie("recto_visitor", claimed), true},
			"claims in the cookie":           {"", cookie("recto_visitor_public", said), false},
			"claims in the address":          {"visitor.member.role=admin", nil, false},
			"claims in the address, by path": {"visitor.claims.member.role=admin", nil, false},
			"unsigned claims in the address": {"visitor.unsigned.member.role=admin", nil, false},
			"unsigned claims, by path":       {"visitor.claims.unsigned.member.role=admin", nil, false},
			"the cookie of previews":         {"", cookie("recto_inspection", claimed), false},
			"the cookie of share links":      {"", cookie("recto_share", claimed), false},
			"the word for a token elsewhere": {"visitor_token=" + claimed, nil, false},
			"an Authorization header":        {"", http.Header{"Authorization": {"Bearer " + claimed}}, false},
			"everything at once with a token": {"jwt_token=" + claimed + "&visitor.member.role=admin",
				cookie("recto_visitor_public", said), true},
		} {
			for path, want := range map[string]int{"writers": 404, "writers.md": 404, "inner/": 404,
				"~/visitor/" + base64.RawURLEncoding.EncodeToString([]byte(`{"member":{"role":"admin"}}`)) +
					"/writers": 404, "block": 200, "llms-full.txt": 200, "~/search?q=admins": 200} {
				status, body := see(door.query, door.header, path)
				if status != want || strings.Contains(body, "For admins only") || strings.Contains(body,
					"Hidden block") || strings.Contains(body, "Shown admin") {
					t.Errorf("%s: %s answers %d, want %d\n%.300s", name, path, status, want, body)
				}
			}
			if status, _ := see(door.query, door.header, "plans"); (status == 200) != door.signed {
				t.Errorf("%s: what the site's own program says: %d", name, status)
			}
		}
		// The server's own token opens all of it.
		if status, body := see("jwt_token="+s.Ping(s.Token), nil, "writers"); status != 200 || !strings.Contains(body,
			"For admins only") {
			t.Errorf("a member: %d", status)
		}
		if status, _ := see("jwt_token="+s.Ping(s.Token), nil, "inner/"); status != 200 {
			t.Errorf("a member in the variant: %d", status)
		}

		// finds reports whether a look-up knows of the variant that is for members: to others its address is one of the
		// default.
		finds := func(visitor map[string]any, query string) bool {
			t.Helper()
			var found struct{ SiteSpace string }
			s.Call(http.MethodPost, "/v1/urls/published", map[string]any{"url": site.Home + "inner/" + query,
				"visitor": visitor}, http.StatusOK, &found)
			return found.SiteSpace == variant.ID
		}
		for name, found := range map[string]bool{
			"token": finds(map[string]any{"jwtToken": claimed}, ""), "token in the address": finds(map[string]any{},
				"?jwt_token="+claimed),
			"claims":                finds(map[string]any{"unsignedClaims": map[string]any{"member": admin}}, ""),
			"claims in the address": finds(map[string]any{}, "?visitor.member.role=admin"),
		} {
			if found {
				t.Errorf("a look-up by %s finds what is for members", name)
			}
		}
		if !finds(map[string]any{"jwtToken": s.Ping(s.Token)}, "") {
			t.Error("a look-up for a member finds nothing")
		}

		// Who may read all of it looks at the site as whomever they like, and is told so.
		var shown struct{ URLs struct{ Preview string } }
		s.Call(http.MethodGet, site.Path, nil, http.StatusOK, &shown)
		looker := apptest.NewVisitor(t)
		looker.Open(shown.URLs.Preview)
		status, body, _ := looker.Open(site.Home + "~/visitor/" + base64.RawURLEncoding.EncodeToString(
			[]byte(`{"member":{"role":"admin"}}`)) + "/writers")
		if status != 200 || !strings.Contains(body, "For admins only") || !strings.Contains(body,
			"member.role = &#34;admin&#34;") {
			t.Errorf("a look as a member: %d\n%s", status, body)
		}

		for _, schema := range []string{`"member":{"type":"boolean"}`,
			`"unsigned":{"type":"object","additionalProperties":false,"properties":{"member":{"type":"string"}}}`} {
			s.Call(http.MethodPut, site.Path+"/adaptive-schema",
				`{"jsonSchema":{"type":"object","additionalProperties":false,"properties":{`+schema+`}}}`,
				http.StatusBadRequest, nil)
		}
	})
}

// textOf reads an answer.
func textOf(t *testing.T, answer *http.Response) string {
	t.Helper()
	raw, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}
