package apptest

import (
	"archive/zip"
	"bytes"
	"net/http"
	"testing"
	"time"
)

// ComputedBook is a space whose API reference is computed.
func ComputedBook(t *testing.T, title, props string) []byte {
	t.Helper()
	var packed bytes.Buffer
	archive := zip.NewWriter(&packed)
	for name, text := range map[string]string{
		".gitbook.yaml": "root: ./\n",
		"README.md": "# Welcome\n\nHello.\n\n{% openapi-operation spec=\"pets\" path=\"/pets\" method=\"get\" " +
			"%}\n[pets](/openapi/pets)\n{% endopenapi-operation %}\n",
		"SUMMARY.md": "# Table of contents\n\n* [Welcome](README.md)\n\n## API\n\n* ```yaml\n" + title +
			"  type: builtin:openapi\n  props:\n" + props +
			"  dependencies:\n    spec:\n      ref:\n        kind: openapi\n        spec: pets\n  ```\n",
	} {
		file, err := archive.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := file.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	return packed.Bytes()
}

// PageNode is what the tests look at of a page.
type PageNode struct {
	ID, Title, Type, Path, DocumentID, ComputedSeed, Markdown string
	Computed                                                  struct {
		Type  string
		Props map[string]any
	}
	Pages    []PageNode
	Document map[string]any
}

// PetsSpec is a small OpenAPI description.
const PetsSpec = `openapi: 3.0.3
info: {title: Pets, version: "1"}
servers: [{url: https://pets.example.com/v1}]
tags: [{name: pets, description: All about pets.}]
paths:
  /pets:
    get:
      summary: List pets
      operationId: listPets
      tags: [pets]
      parameters:
        - {name: limit, in: query, description: How many., schema: {type: integer, maximum: 100}}
      responses:
        "200":
          description: All of them
          content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Pet"}}}}
    post:
      summary: Add a pet
      tags: [pets]
      requestBody:
        content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}}}
      responses: {"201": {description: Added}}
components:
  schemas:
    Pet:
      type: object
      required: [name]
      properties:
        name: {type: string, description: What it is called., example: Rex}
        parent: {$ref: "#/components/schemas/Pet"}
`

// Spec is what the tests look at of a specification.
type Spec struct {
	ID                   string
	Slug                 string
	SourceURL            string
	ProcessingState      string
	LastVersion          string
	LastProcessErrorCode string
	LastProcessedErrors  []struct{ Message, Code string }
	Permissions          struct{ View, Edit bool }
	URLs                 struct{ Location string }
}

// Processed waits for a specification to be processed.
func (s *Server) Processed(slug string) Spec {
	s.T.Helper()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		var found Spec
		s.Call(http.MethodGet, "/v1/orgs/"+s.Organization+"/openapi/"+slug, nil, http.StatusOK, &found)
		if found.ProcessingState == "complete" {
			return found
		}
		if time.Now().After(deadline) {
			s.T.Fatalf("%s stays %s", slug, found.ProcessingState)
		}
	}
}

// PutSpec puts a text and waits for it to be processed.
func (s *Server) PutSpec(slug, text string, want int) Spec {
	s.T.Helper()
	s.Call(http.MethodPut, "/v1/orgs/"+s.Organization+"/openapi/"+slug,
		map[string]any{"source": map[string]any{"text": text}}, want, nil)
	return s.Processed(slug)
}
