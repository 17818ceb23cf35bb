package reference

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/content/importer/filetree"
)

const pets = "openapi: 3.1.0\ninfo: {title: P, version: '1'}\ntags: [{name: pets, x-displayName: Pets}]\npaths:\n" +
	"  /pets/{id}:\n    get: {summary: Get a pet, tags: [pets], responses: {}}\n" +
	"    delete: {responses: {}}\n  /pets:\n    post: {summary: New pet, tags: [pets], responses: {}}\n"

// TestFind holds how texts name operations, and which description has them.
func TestFind(t *testing.T) {
	site, err := filetree.Single("pets.yaml", []byte(pets))
	if err != nil {
		t.Fatal(err)
	}
	s := NewSet(site)
	s.Add("none.yaml")
	s.Add("pets.yaml")
	for text, want := range map[string]Operation{
		"GET /pets/{id}":               {"/pets.yaml", "get", "/pets/{id}", "Get a pet"},
		"/pets.yaml post /pets":        {"/pets.yaml", "post", "/pets", "New pet"},
		"pets.yaml DELETE /pets/{id}":  {"/pets.yaml", "delete", "/pets/{id}", "DELETE /pets/{id}"},
		"https://x.test/a.json GET /x": {"https://x.test/a.json", "get", "/x", "GET /x"},
	} {
		if got, ok := s.Find(text); !ok || got != want {
			t.Errorf("%s: %+v, %v", text, got, ok)
		}
	}
	for _, text := range []string{"", "pets", "GET pets", "GET /owls", "other.yaml GET /pets/{id}", "get started"} {
		if got, ok := s.Find(text); ok {
			t.Errorf("%q: %+v", text, got)
		}
	}
	if got, ok := s.Find("GET /owls", "https://x.test/b.json"); !ok || got.File != "https://x.test/b.json" {
		t.Errorf("one at an address: %+v, %v", got, ok)
	}
	want := []Group{{"Pets", []Operation{{"/pets.yaml", "get", "/pets/{id}", "Get a pet"},
		{"/pets.yaml", "post", "/pets", "New pet"}}},
		{"", []Operation{{"/pets.yaml", "delete", "/pets/{id}", "DELETE /pets/{id}"}}}}
	if diff := cmp.Diff(want, s.All("pets.yaml")); diff != "" {
		t.Error(diff)
	}
	if groups := s.All("none.yaml"); groups != nil {
		t.Errorf("of nothing: %v", groups)
	}
}
