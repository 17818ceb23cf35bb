package endpoint_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/endpoint"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]bool{
		"/pets": true, "GET /pets": true, "post pets": true, "pets/{id}": true, "https://example.com/pets?size=1": true,
		"pets": false, "find pets": false, "GET": false, "/": false, "": false, "https://example.com": false,
		"get all pets": false, "GET /": false, "//": false,
	} {
		if _, ok := endpoint.Parse(text); ok != want {
			t.Errorf("%q is an address: %t", text, ok)
		}
	}
}

func TestMatch(t *testing.T) {
	for _, test := range []struct{ text, better, worse string }{
		{"/pets", "get /pets", "get /pets/{}"},
		{"/pets/{id}", "get /pets/{}", "get /pets/{}/photos"},
		{"/pets/mine", "get /pets/mine", "get /pets/{}"},
		{"/v1/pets", "get /v1/pets", "get /pets"},
		{"/pe", "get /pets", "get /pets/{}"},
		{"post /pets/1", "post /pets/{}", "get /pets/{}"},
		{"/a/b/c", "get /a/{}/c", "get /{}/{}"},
	} {
		asked, ok := endpoint.Parse(test.text)
		if !ok || asked.Match(test.better) <= asked.Match(test.worse) {
			t.Errorf("%q: %v for %s, %v for %s", test.text, asked.Match(test.better), test.better,
				asked.Match(test.worse), test.worse)
		}
	}
	asked, _ := endpoint.Parse("/pets/1")
	for _, other := range []string{"get /{}/{}", "get /owners/{}", "get /pets", "get /", "", "get"} {
		if score := asked.Match(other); score != 0 {
			t.Errorf("%q matches %q: %v", "/pets/1", other, score)
		}
	}
}

func TestIn(t *testing.T) {
	block := func(method, path string) *doc.Node {
		return doc.NewBlock(doc.OpenAPIOperation, &doc.OpenAPIData{Method: method, Path: path})
	}
	document := &doc.Document{Nodes: []*doc.Node{
		block("POST", "/Pets/{id}/"),
		doc.NewBlock(doc.Tabs, nil, doc.NewBlock(doc.TabsItem, nil, block("get", "/a/:b"))),
		block("", "/none"), block("get", ""),
	}}
	if diff := cmp.Diff([]string{"post /pets/{}", "get /a/{}"}, endpoint.In(document)); diff != "" {
		t.Errorf("operations (-want +got):\n%s", diff)
	}
}
