package edits_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
)

// TestConditionsHaveToBeExpressions: a condition that nobody can read would hide what it stands at from everybody, so
// it is refused wherever one is taken, with what is wrong with it, and nothing changes.
func TestConditionsHaveToBeExpressions(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		site := s.NewSite("Handbook", "public", apptest.OnePage)
		content := "/v1/spaces/" + site.Space
		var tree struct{ Pages []apptest.Page }
		s.Call(http.MethodGet, content+"/content/pages", nil, http.StatusOK, &tree)
		start := tree.Pages[0].ID
		s.Call(http.MethodPost, content+"/change-requests", `{"subject":"Change"}`, http.StatusCreated, nil)
		var spaces struct{ Items []apptest.Identified }
		s.Call(http.MethodGet, site.Path+"/site-spaces", nil, http.StatusOK, &spaces)
		var section apptest.Identified
		other := s.Space("Other")
		s.Call(http.MethodPost, site.Path+"/sections", map[string]any{"spaceId": other, "title": "Other"},
			http.StatusCreated, &section)
		var customization string
		{
			raw := string(s.Call(http.MethodGet, site.Path+"/customization", nil, http.StatusOK, nil).Body)
			links :=
				`"links":[{"title":"Link","to":{"kind":"url","url":"https://example.com"},"links":[],"condition":"CONDITION"}]`
			if !strings.Contains(raw, `"links":[]`) {
				t.Fatal(raw)
			}
			customization = strings.Replace(raw, `"links":[]`, links, 1)
		}
		insert := func(fields string) string {
			return `{"changes":[{"operation":"insert_page","title":"New",` + fields + `}]}`
		}
		update := func(fields string) string {
			return `{"changes":[{"operation":"update_page","page":"` + start + `",` + fields + `}]}`
		}
		zip := func(front string) []byte {
			return apptest.Zipped(t, map[string]string{"README.md": "# Start\n\nThe whole text.\n",
				"secret.md": "---\n" + front + "\n---\n\n# Secret\n\nText.\n"})
		}
		const bad = "visitor.claims.plan =="
		for name, door := range map[string]struct {
			method, path string
			body         func(condition string) any
		}{
			"a new page": {http.MethodPost, content + "/content", func(c string) any {
				return insert(`"condition":"` + c + `"`)
			}},
			"a page": {http.MethodPost, content + "/content", func(c string) any {
				return update(`"condition":"` + c + `"`)
			}},
			"front matter": {http.MethodPost, content + "/content", func(c string) any {
				return update(`"document":{"markdown":"---\nif: ` + c + `\n---\n\n# Start\n"}`)
			}},
			"a block": {http.MethodPost, content + "/content", func(c string) any {
				return insert(`"document":{"markdown":"{% if ` + c + ` %}\nText.\n{% endif %}\n"}`)
			}},
			"a block in a document": {http.MethodPost, content + "/content", func(c string) any {
				return insert(
					`"document":{"document":{"object":"document","data":{},"nodes":[{"object":"block","type":"if","data":{"expression":"` + c + `"},"nodes":[{"object":"block","type":"paragraph","data":{},"nodes":[{"object":"text","leaves":[{"object":"leaf","text":"Text","marks":[]}]}]}]}]}}`)
			}},
			"a page of a change": {http.MethodPost, content + "/change-requests/1/content", func(c string) any {
				return update(`"condition":"` + c + `"`)
			}},
			"a block of a change": {http.MethodPost, content + "/change-requests/1/content", func(c string) any {
				return update(`"document":{"markdown":"{% if ` + c + ` %}\nText.\n{% endif %}\n"}`)
			}},
			"a space on a site": {http.MethodPatch, site.Path + "/site-spaces/" + spaces.Items[0].ID,
				func(c string) any { return map[string]any{"condition": c} }},
			"a section of a site": {http.MethodPatch, site.Path + "/sections/" + section.ID, func(c string) any {
				return map[string]any{"condition": c}
			}},
			"a link in a header": {http.MethodPut, site.Path + "/customization", func(c string) any {
				return strings.Replace(customization, "CONDITION", c, 1)
			}},
			"a rule for merging": {http.MethodPatch, content, func(c string) any {
				return `{"mergeRules":{"type":"rules","rules":[{"rule":"custom","expression":"` + c +
					`","message":"No."}]}}`
			}},
		} {
			before := s.Raw(http.MethodGet, content, s.Token, nil).Body
			got := s.Raw(door.method, door.path, s.Token, door.body(bad))
			if got.Status != http.StatusBadRequest || !strings.Contains(string(got.Body), "expression") {
				t.Errorf("%s: %d %s", name, got.Status, got.Body)
			}
			if after := s.Raw(http.MethodGet, content, s.Token, nil).Body; string(after) != string(before) {
				t.Errorf("%s: it is refused, and the space has changed", name)
			}
			if got := s.Raw(door.method, door.path, s.Token,
				door.body("visitor.claims.isPro === true")); got.Status >= 300 {
				t.Errorf("%s with an expression: %d %s", name, got.Status, got.Body)
			}
		}
		// An import leaves a page out of which it cannot tell who may read it, and says so.
		for _, path := range []string{"/content/upload?name=docs.zip",
			"/content/upload?name=docs.zip&changeRequest=1"} {
			got := s.Raw(http.MethodPost, content+path, s.Token, zip("if: "+bad))
			if got.Status != http.StatusCreated || !strings.Contains(string(got.Body), "this is not an expression") {
				t.Errorf("%s: %d %s", path, got.Status, got.Body)
			}
			at := "/content/path/secret"
			if strings.Contains(path, "changeRequest") {
				at = "/change-requests/1/content/path/secret"
			}
			s.Call(http.MethodGet, content+at, nil, http.StatusNotFound, nil)
			if got := s.Raw(http.MethodPost, content+path, s.Token,
				zip("if: visitor.claims.isPro === true")); got.Status != http.StatusCreated {
				t.Errorf("%s with an expression: %d %s", path, got.Status, got.Body)
			}
			s.Call(http.MethodGet, content+at, nil, http.StatusOK, nil)
		}
		// What somebody writes to settle a conflict is taken like any other.
		s.Call(http.MethodPost, content+"/change-requests", `{"subject":"Conflict"}`, http.StatusCreated, nil)
		s.Call(http.MethodPost, content+"/change-requests/2/content", update(`"condition":"1 === 2"`), http.StatusOK,
			nil)
		s.Call(http.MethodPost, content+"/content", update(`"condition":"1 === 3"`), http.StatusOK, nil)
		s.Call(http.MethodPost, content+"/change-requests/2/update", nil, http.StatusOK, nil)
		var conflicts struct{ Items []apptest.Identified }
		s.Call(http.MethodGet, content+"/change-requests/2/conflicts", nil, http.StatusOK, &conflicts)
		if len(conflicts.Items) != 1 {
			t.Fatalf("the conflicts: %+v", conflicts)
		}
		settle := content + "/change-requests/2/conflicts/" + conflicts.Items[0].ID
		if got := s.Raw(http.MethodPost, settle, s.Token,
			`{"content":"`+bad+`"}`); got.Status != http.StatusBadRequest || !strings.Contains(string(got.Body),
			"expression") {
			t.Errorf("settling a conflict: %d %s", got.Status, got.Body)
		}
		if got := s.Raw(http.MethodPost, settle, s.Token, `{"content":"1 === 4"}`); got.Status != http.StatusOK {
			t.Errorf("settling a conflict with an expression: %d %s", got.Status, got.Body)
		}
	})
}
