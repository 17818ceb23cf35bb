package oas

import (
	"context"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/engine/doc"
)

// guarded is a description of which a part is shown: what is not has "secret" in it.
const guarded = `{"openapi":"3.1.0","x-root":"secret","info":{"title":"Guarded","version":"1","description":"secret about"},
"servers":[{"url":"https://api.example.com","x-inner":"secret"}],"security":[{"key":[]}],
"tags":[{"name":"secret"},{"name":"open","description":"In the open."}],
"paths":{
 "/secret":{"get":{"operationId":"secret","responses":{"200":{"description":"secret","content":{"a/b":{"schema":{"type":"string","title":"Lent"}}}}}}},
 "/open":{"summary":"Both","parameters":[{"$ref":"#/components/parameters/Page"}],
  "get":{"tags":["open"],"x-gateway":"secret","operationId":"open","responses":{"200":{"description":"Fine",
   "links":{"next":{"operationId":"secret"}},"headers":{"x-rate":{"schema":{"type":"integer"}}},
   "content":{"application/json":{"example":{"x-data":"kept","$ref":"kept"},"schema":{"$ref":"#/components/schemas/Open"}}}}},
   "callbacks":{"done":{"{$url}":{"post":{"responses":{"200":{"description":"Called"}}}}}}},
  "post":{"summary":"secret","responses":{}}},
 "/shared":{"$ref":"more.json#/items/shared"}},
"components":{"parameters":{"Page":{"name":"page","in":"query","schema":{"type":"integer"}},"Secret":{"name":"secret","in":"query"}},
 "securitySchemes":{"key":{"type":"apiKey","in":"header","name":"X-Key"},"secret":{"type":"http","scheme":"basic"}},
 "schemas":{"Open":{"type":"object","properties":{"x-name":{"type":"string"},"links":{"$ref":"#/components/schemas/Below"},
   "again":{"$ref":"#/components/schemas/Open"},"lent":{"$ref":"#/paths/~1secret/get/responses/200/content/a~1b/schema"},
   "all":{"$ref":"#/components/schemas"}}},
  "Below":{"type":"string","description":"Reached"},"Model":{"type":"string","description":"A model"},
  "Hidden":{"x-internal":true,"type":"string","title":"secret"},"Secret":{"type":"string","title":"secret"}}}}`

const guardedMore = `{"items":{"secret":{"get":{"summary":"secret"}},"shared":{"get":{"summary":"Shared","responses":{"200":{"description":"Fine"}}},
"delete":{"summary":"secret","responses":{}}}}}`

// TestAnExcerptHoldsWhatIsShown holds that an excerpt has what is shown, can be read, and shows the same.
func TestAnExcerptHoldsWhatIsShown(t *testing.T) {
	d, problems, err := Read(t.Context(), []byte(guarded), Options{Address: "https://example.com/openapi.json",
		Load: func(context.Context, string) ([]byte, error) { return []byte(guardedMore), nil }})
	if err != nil || d == nil {
		t.Fatal(problems, err)
	}
	operation := func(method, path string) *doc.OpenAPIData { return &doc.OpenAPIData{Method: method, Path: path} }
	for _, c := range []struct {
		name        string
		show        func(*Shown)
		wants, nots []string
		named       int // how often the path /secret is named: in a reference, and to lead to what that names
	}{
		{"an operation", func(s *Shown) { s.Add(doc.OpenAPIOperation, operation("GET", "/open")) },
			[]string{"Fine", "Reached", `"x-data":"kept"`, `"x-rate"`, `"x-name"`, "X-Key", `{"name":"open"}`, "Called",
				"Lent", `"page"`, "https://api.example.com", "Both"}, []string{"A model", "Shared"}, 2},
		{"one of another file", func(s *Shown) { s.Add(doc.Swagger, operation("get", "/shared")) },
			[]string{"Shared", "more.json#/items/shared"}, []string{"Reached", "A model", "/open"}, 0},
		{"models", func(s *Shown) {
			s.Add(doc.OpenAPISchemas, &doc.OpenAPIData{Schemas: []string{"Model", "Hidden", "None"}})
		}, []string{"A model", `"paths":{}`}, []string{"Reached", "X-Key"}, 0},
	} {
		var shown Shown
		c.show(&shown)
		text, err := d.Excerpt(&shown)
		if err != nil {
			t.Fatal(c.name, err)
		}
		for _, want := range c.wants {
			if !strings.Contains(string(text), want) {
				t.Errorf("%s lacks %q: %s", c.name, want, text)
			}
		}
		rest := strings.ToLower(string(text))
		if found := strings.Count(rest, "secret"); found != c.named {
			t.Errorf("%s has %d secrets: %s", c.name, found, text)
		}
		for _, not := range c.nots {
			if strings.Contains(string(text), not) {
				t.Errorf("%s has %q: %s", c.name, not, text)
			}
		}
		again, err := Open(text, "https://example.com/openapi.json")
		if err != nil {
			t.Fatal(c.name, err)
		}
		for _, o := range again.Operations() {
			if o.Path == "/secret" {
				continue // leads to what is lent
			}
			data := operation(o.Method, o.Path)
			was := written(d.Expand(doc.OpenAPIOperation, data, NewBudget()))
			if is := written(again.Expand(doc.OpenAPIOperation, data, NewBudget())); is != was || is == "" {
				t.Errorf("%s: %s was\n%s\nand is\n%s", c.name, o.Path, was, is)
			}
		}
	}
	var all, none Shown
	none.Add(doc.OpenAPIOperation, operation("GET", "/none"))
	none.Add(doc.OpenAPISchemas, &doc.OpenAPIData{Schemas: []string{"Hidden"}})
	if text, err := d.Excerpt(&none); text != nil || err != nil {
		t.Errorf("of nothing it is %s, %v", text, err)
	}
	all.About = true
	all.Add(doc.OpenAPIWebhook, operation("GET", "/open"))
	if text, err := d.Excerpt(&all); err != nil || !strings.Contains(string(text), "secret about") ||
		strings.Count(string(text), "secret") != 1 {
		t.Errorf("of what it says of itself it is %s, %v", text, err)
	}
}
