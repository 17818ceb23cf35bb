package pdf_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/pdf"
	"github.com/rectodocs/recto/internal/engine/pdf/pdftest"
)

// described is a source whose pages describe an operation.
type described struct{ shelf }

func (described) Document(context.Context, string) (*doc.Document, error) {
	sample := func(language, text string) *doc.Node {
		return doc.NewBlock(doc.TabsItem, &doc.TabsItemData{Title: language}, doc.NewCode(&doc.CodeData{}, text))
	}
	return &doc.Document{Nodes: []*doc.Node{
		doc.NewBlock(doc.OpenAPIOperation, &doc.OpenAPIData{Ref: doc.Ref{Kind: doc.RefOpenAPI, Spec: "pets"},
			Path: "/pets", Method: "get"},
			doc.NewParagraph(doc.NewText("Lists all pets.")),
			doc.NewBlock(doc.Tabs, nil, sample("curl", "curl pets"), sample("Go", "http.Get"))),
		doc.NewBlock(doc.OpenAPIOperation, &doc.OpenAPIData{Ref: doc.Ref{Kind: doc.RefOpenAPI, Spec: "toys"},
			Path: "/toys", Method: "post"}),
	}}, nil
}

// TestOpenAPI holds that what describes an operation is printed, with the first of its samples, and that an operation
// that nobody describes is named.
func TestOpenAPI(t *testing.T) {
	var out bytes.Buffer
	book := pdf.Book{Title: "API", Pages: []pdf.Page{{ID: "a", Title: "Pets"}}}
	if _, err := pdf.Write(t.Context(), &out, book, described{}); err != nil {
		t.Fatal(err)
	}
	f := pdftest.Read(t, out.Bytes())
	text := f.Text(len(f.Kids))
	for _, want := range []string{"GET /pets", "Lists all pets.", "curl pets", "POST /toys", "/openapi/toys"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in %q", want, text)
		}
	}
	for _, unwanted := range []string{"http.Get", "/openapi/pets"} {
		if strings.Contains(text, unwanted) {
			t.Errorf("%q is in %q", unwanted, text)
		}
	}
}
