package render

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/engine/doc"
)

// TestOpenAPI holds that what describes an API block comes below it, once, with anchors of its own, and is left out
// where it does not fit.
func TestOpenAPI(t *testing.T) {
	block := func(path string) *doc.Node {
		return doc.NewBlock(doc.OpenAPIOperation, &doc.OpenAPIData{Ref: doc.Ref{Kind: doc.RefOpenAPI, Spec: "pets"},
			Path: path, Method: "get"})
	}
	document := &doc.Document{Nodes: []*doc.Node{doc.NewBlock(doc.Heading1, nil, doc.NewText("Responses")),
		block("/pets"), block("/none"), block("/large")}}
	asked := 0
	options := Options{OpenAPI: func(_ context.Context, kind doc.Type, data *doc.OpenAPIData) ([]*doc.Node, error) {
		asked++
		nodes := []*doc.Node{doc.NewBlock(doc.Heading3, nil, doc.NewText("Responses")),
			doc.NewParagraph(doc.NewText("All <pets>."))}
		switch data.Path {
		case "/none":
			return nil, nil
		case "/large":
			for range 100 {
				nodes = append(nodes, doc.NewParagraph(doc.NewText("More.")))
			}
		}
		return nodes, nil
	}, Limits: Limits{Nodes: 100}}
	evaluated, err := Evaluate(t.Context(), document, options)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := HTML(t.Context(), &out, evaluated, options); err != nil {
		t.Fatal(err)
	}
	page := out.String()
	for _, part := range []string{`is-described`, `<h4 id="responses-1">`, `All &lt;pets&gt;.`,
		`<code class="openapi-path">/none</code>`} {
		if !strings.Contains(page, part) {
			t.Errorf("the page lacks %q:\n%s", part, page)
		}
	}
	if strings.Contains(page, "More.") || strings.Count(page, "is-described") != 1 || asked != 3 {
		t.Errorf("asked %d times:\n%s", asked, page)
	}
	if len(document.Nodes[1].Nodes) != 0 {
		t.Error("the given document was changed")
	}
	if text := Text(evaluated); !strings.Contains(text, "GET /pets") || !strings.Contains(text, "All <pets>.") {
		t.Errorf("as text: %s", text)
	}
	broken := errors.New("broken")
	options.OpenAPI = func(context.Context, doc.Type, *doc.OpenAPIData) ([]*doc.Node, error) { return nil, broken }
	if _, err := Evaluate(t.Context(), document, options); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

// TestModelsHaveNoEmptyHead holds that a bar with a method and a path is only where there is one of them.
func TestModelsHaveNoEmptyHead(t *testing.T) {
	document := &doc.Document{Nodes: []*doc.Node{doc.NewBlock(doc.OpenAPISchemas,
		&doc.OpenAPIData{Ref: doc.Ref{Kind: doc.RefOpenAPI, Spec: "pets"}, Schemas: []string{"Pet"}})}}
	var out bytes.Buffer
	if err := HTML(t.Context(), &out, document, Options{}); err != nil {
		t.Fatal(err)
	}
	if page := out.String(); strings.Contains(page, "openapi-head") || !strings.Contains(page, "Pet") {
		t.Errorf("models show as %s", page)
	}
}
