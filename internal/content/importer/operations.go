package importer

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"strings"

	"github.com/rectodocs/recto/internal/content/importer/source"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/oas"
)

// maxDescriptions is how many descriptions of APIs are kept at hand: pages of one API stand beside each other.
const maxDescriptions = 4

// description is one of an API's, as a file of the source has it.
type description struct {
	document *oas.Document
	// problem says why it cannot be read.
	problem string
}

// operationUse is a block with operations of an API in a body: what it says, and its line, 0 when lines mean nothing.
type operationUse struct {
	data *doc.OpenAPIData
	line int
}

// operationsIn returns the blocks of a document that take operations from a description.
func operationsIn(document *doc.Document, body []byte, firstLine int) (uses []operationUse) {
	if !bytes.Contains(body, []byte("{% openapi")) && !bytes.Contains(body, []byte("{% swagger")) {
		return nil
	}
	for _, block := range document.Nodes {
		line := 0
		if firstLine > 0 {
			line = firstLine + bytes.Count(body[:min(max(block.Source.Start, 0), len(body))], []byte{'\n'})
		}
		block.Walk(func(n *doc.Node) bool {
			if data, ok := n.Data.(*doc.OpenAPIData); ok && n.Type == doc.Swagger && !data.IsInline() {
				uses = append(uses, operationUse{data, line})
			}
			return true
		})
	}
	return uses
}

// checkOperations reports operations that a body takes from a description among the files and that it does not have.
func (a *assembly) checkOperations(ctx context.Context, uses []operationUse, base, place string) error {
	for _, use := range uses {
		if err := a.checkOperation(ctx, use.data, base, placeOf(place, use.line)); err != nil {
			return err
		}
	}
	return nil
}

func (a *assembly) checkOperation(ctx context.Context, data *doc.OpenAPIData, base, at string) error {
	destination := data.Ref.Destination()
	resolution := a.tree.Resolve(base, destination)
	if resolution.Kind != source.ToFile {
		return nil
	}
	known, err := a.describe(ctx, resolution.File)
	if err != nil {
		return err
	}
	switch target := strings.ToUpper(data.Method) + " " + data.Path; {
	case known.problem != "":
		a.broken(source.Note{Place: at, Target: truncate(destination, 500), Message: known.problem})
	case data.Path != "" && known.document.Operation(cmp.Or(strings.ToLower(data.Method), "get"), data.Path) == nil:
		a.broken(source.Note{Place: at, Target: truncate(target, 500),
			Message: "the description has no such operation"})
	}
	return nil
}

// describe reads the description of an API that a file has.
func (a *assembly) describe(ctx context.Context, file *source.File) (description, error) {
	if known, ok := a.descriptions[file]; ok {
		return known, nil
	}
	content, err := contentOf(file)
	if err != nil {
		return description{}, err
	}
	made := description{}
	document, problems, err := oas.Read(ctx, content, oas.Options{})
	if err != nil {
		return description{}, err
	}
	if document == nil {
		made.problem = "it is no description of an API that can be read"
		for _, each := range problems {
			if !each.Warning {
				made.problem += ": " + truncate(each.String(), 300)
				break
			}
		}
	}
	made.document = document
	if len(a.descriptions) >= maxDescriptions {
		clear(a.descriptions)
	}
	a.descriptions[file] = made
	return made, nil
}

// contentOf reads a file; one that is larger than a description may be is cut, and is none then.
func contentOf(file *source.File) ([]byte, error) {
	opened, err := file.Open()
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	return io.ReadAll(io.LimitReader(opened, oas.MaxBytes+1))
}
