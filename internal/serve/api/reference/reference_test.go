package reference_test

import (
	"html"
	"slices"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/serve/api/reference"
)

const description = `{
	"openapi": "3.1.0", "info": {"title": "Recto API", "version": "1", "description": "What it is."},
	"paths": {
		"/v1/pets": {
			"get": {"operationId": "listPets", "summary": "List pets", "tags": ["Pets"], "security": [],
				"responses": {"200": {"description": "ok", "content": {"application/json": {"schema":
					{"type": "array", "items": {"$ref": "#/components/schemas/Pet"}}}}}}},
			"post": {"operationId": "createPet", "summary": "Create a <b>pet</b>", "tags": ["Pets"],
				"responses": {"201": {"description": "made"}}}
		},
		"/v1/pets/{id}": {"delete": {"operationId": "deletePet", "summary": "Delete a pet", "tags": ["Pets"],
			"deprecated": true, "responses": {"204": {"description": "gone"}}}}
	},
	"components": {"schemas": {"Pet": {"type": "object", "properties": {"name": {"type": "string"}}}}}
}`

func open() *reference.Reference {
	return reference.New(reference.Source{
		Description: func() ([]byte, error) { return []byte(description), nil },
		Operation: func(id string) reference.Operation {
			if id == "listPets" {
				return reference.Operation{}
			}
			return reference.Operation{Scope: "pets"}
		},
		Icon: func(string) string { return "" }, Home: "https://example.com/v1/docs", Version: "7",
	})
}

func TestPages(t *testing.T) {
	r := open()
	for path, wants := range map[string][]string{
		"": {"What it is.", `<li id="listPets">`, `<code>/v1/pets/{id}</code>`,
			"https://example.com/v1/docs/pets/createpet"},
		"pets": {"List pets", `aria-current="page"`, `<del>Delete a pet</del>`},
		"pets/listpets": {"No token is needed.", "/v1/docs/models#model-Pet", "requests",
			"https://example.com/v1/docs/pets/createpet"},
		"pets/createpet": {"the scope <code>pets</code>", "Create a &lt;b&gt;pet&lt;/b&gt;"},
		"models":         {`id="model-Pet"`, `id="model-Pet.name"`},
	} {
		page, err := r.Page(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range wants {
			if !strings.Contains(string(page), want) {
				t.Errorf("%q does not have %s", path, want)
			}
		}
		if strings.Contains(string(page), "<b>pet") {
			t.Errorf("%q has markup of the description", path)
		}
	}
	for _, path := range []string{"nothing", "pets/", "../pets", "Pets", strings.Repeat("a/", 5000)} {
		if _, err := r.Page(t.Context(), path); !errs.Is(err, errs.NotFound) {
			t.Errorf("%.20q: %v", path, err)
		}
	}
}

func TestSearch(t *testing.T) {
	r := open()
	for query, want := range map[string]string{
		"GET /v1/pets": "List pets", "DELETE /v1/pets/7": "Delete a pet", "/pets/{id}": "Delete a pet",
		"createPet": "Create a <b>pet</b>", "list": "List pets", "pets delete": "Delete a pet", "zebra": "", "": "",
		strings.Repeat("\x00é", 5000): "",
	} {
		found, err := r.Search(t.Context(), query)
		if err != nil {
			t.Fatal(err)
		}
		titles := []string{""}
		for i, hit := range found.Items {
			if i == 0 {
				titles = nil
			}
			titles = append(titles, strings.Join(hit.Title, ""))
		}
		if titles[0] != want {
			t.Errorf("%.40q finds %q, want %q first", query, titles, want)
		}
	}
	found, err := r.Search(t.Context(), "list pets")
	if err != nil || len(found.Items) == 0 ||
		!slices.Equal(found.Items[0].Title, []string{"", "List", " ", "pets", ""}) {
		t.Errorf("what was found is not marked: %v, %v", found, err)
	}
	hostile := `"><script>alert(1)</script>`
	page, err := r.Results(t.Context(), hostile)
	if err != nil || strings.Contains(string(page), "<script>alert") ||
		!strings.Contains(string(page), html.EscapeString(hostile)) {
		t.Errorf("a query is not escaped: %v", err)
	}
	if page, err = r.Results(t.Context(), "delete pets"); err != nil ||
		!strings.Contains(string(page), "https://example.com/v1/docs/pets/deletepet") {
		t.Errorf("without a script nothing is found: %v", err)
	}
}
