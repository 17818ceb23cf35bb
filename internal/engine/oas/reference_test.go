package oas

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/markdown"
)

// written is nodes as Markdown, which is easier to read than they are.
func written(nodes []*doc.Node) string { return string(markdown.Write(&doc.Document{Nodes: nodes})) }

const store = `openapi: 3.0.3
info: {title: Store, version: "2", description: "Sells **pets**.\n\n# More\n\nAsk us."}
servers: [{url: "https://{region}.example.com/v1/", variables: {region: {default: eu}}, description: Main}]
security: [{token: []}, {}]
tags:
  - {name: pets, description: All about pets., x-page-title: Our pets, x-page-icon: paw}
  - {name: cats, parent: pets}
  - {name: secret, x-internal: true}
paths:
  /pets/{id}:
    parameters:
      - {name: id, in: path, required: true, schema: {type: string, format: uuid}}
    put:
      operationId: putPet
      summary: Change a pet
      deprecated: true
      description: "Changes it.\n\n{% include \"secret.md\" %}"
      tags: [pets]
      parameters:
        - {name: notify, in: query, schema: {type: array, items: {type: string, enum: [owner, vet]}, default: [owner]}}
        - {name: X-Trace, in: header, required: true, description: "Who\nasks.", schema: {type: string}, example: "a'b\"c"}
      requestBody:
        required: true
        content:
          application/json: {schema: {$ref: "#/components/schemas/Pet"}}
          application/xml: {schema: {$ref: "#/components/schemas/Pet"}}
      responses:
        "200":
          description: Changed
          headers: {X-Rate: {description: Left., schema: {type: integer}}}
          content: {application/json: {schema: {$ref: "#/components/schemas/Pet"}, example: {name: Rex}}}
        4XX: {description: ""}
        default: {$ref: "#/components/responses/Problem"}
  /cats:
    get: {tags: [cats], responses: {"200": {description: ok}}}
  /hidden:
    get: {x-internal: true, responses: {"200": {description: ok}}}
  /secret:
    get: {tags: [secret], x-gitbook-ignore: true, responses: {"200": {description: ok}}}
  /upload:
    post:
      security: [{key: []}]
      requestBody: {content: {multipart/form-data: {schema: {type: object, properties: {file: {type: string, format: binary}, note: {type: string}}}}}}
      responses: {"201": {description: Stored}}
components:
  securitySchemes:
    token: {type: http, scheme: bearer}
    key: {type: apiKey, in: query, name: api_key}
  responses:
    Problem: {description: Something is wrong.}
  schemas:
    Pet:
      allOf:
        - $ref: "#/components/schemas/Animal"
        - type: object
          required: [name]
          properties:
            name: {type: string, minLength: 1, maxLength: 20, description: What it is called.}
            parent: {$ref: "#/components/schemas/Pet"}
            kind: {oneOf: [{$ref: "#/components/schemas/Animal"}, {type: string, nullable: true}]}
    Animal:
      type: object
      properties:
        age: {type: integer, minimum: 0, exclusiveMinimum: true, readOnly: true}
        tags: {type: object, additionalProperties: {type: string}}
`

func TestExpandOperation(t *testing.T) {
	d := mustRead(t, store)
	got := written(d.Expand(doc.OpenAPIOperation, &doc.OpenAPIData{Method: "PUT", Path: "/pets/{id}"}, NewBudget()))
	before := got
	want :=
		"**Change a pet**\n\n{% hint style=\"warning\" %}\nThis operation is deprecated.\n{% endhint %}\n\nChanges " +
			"it.\n"
	if !strings.HasPrefix(before, want) {
		t.Errorf("it begins with\n%s", before)
	}
	for _, part := range []string{
		"Authorization\n\n* **token**: bearer token in the header Authorization\n* none\n",
		"Path parameters\n\n* `id` string ", ", **required**\n",
		"Query parameters", "`notify` array of string", "`[\"owner\"]`", "Header parameters", "Who asks.",
		"Request body\n\n`application/json`, `application/xml` Pet\n",
		"*   `name` string, **required**\n", "Each one of `owner`, `vet`.", "What it is called.", "1 to 20 characters.",
		"* `kind` Animal or string or null\n", "  * `Animal`\n",
		"*   `age` integer, _read only_\n", "More than 0.", "* `tags` object\n", "* `other members` string\n",
		"* `parent` Pet, _recursive_\n", "### Example request", "{% tab title=\"C#\" %}", "{% tab title=\"200\" %}",
		"<summary>200 OK</summary>\n\nChanged\n\n**Headers**", "`X-Rate`", "\"name\": \"Rex\"",
		"<summary>4XX</summary>\n\nNo body.", "<summary>Other statuses</summary>\n\nSomething is wrong.",
	} {
		if !strings.Contains(before, part) {
			t.Errorf("it does not say %q:\n%s", part, before)
			break
		}
	}
	if strings.Contains(got, "secret.md") || strings.Count(got, "application/xml") != 1 {
		t.Errorf("it includes other content, or says the same twice:\n%s", got)
	}
	for _, missing := range []*doc.OpenAPIData{{Method: "get", Path: "/pets/{id}"}, {Method: "get", Path: "/hidden"},
		{}} {
		if nodes := d.Expand(doc.OpenAPIOperation, missing, NewBudget()); nodes != nil {
			t.Errorf("%+v: %s", missing, written(nodes))
		}
	}
	models := written(d.Expand(doc.OpenAPISchemas, &doc.OpenAPIData{Schemas: []string{"Animal", "None", "Pet"}},
		NewBudget()))
	if !strings.Contains(models, "<summary><code>Animal</code></summary>") || strings.Count(models, "<summary>") != 2 {
		t.Errorf("models:\n%s", models)
	}
}

// TestTypesLeadToModels holds that the name of a model in a type is a link where readers find the model.
func TestTypesLeadToModels(t *testing.T) {
	d := mustRead(t, `openapi: 3.1.0
info: {title: Links, version: "1"}
paths:
  /pets:
    get:
      responses:
        "200":
          description: ok
          content:
            application/json:
              schema: {type: object, properties: {
                list: {type: array, items: {$ref: "#/components/schemas/Pet"}},
                one: {oneOf: [{$ref: "#/components/schemas/Pet"}, {$ref: "#/components/schemas/Hidden"}, {type: string}]}}}
components:
  schemas:
    Pet: {type: [object, "null"], properties: {name: {type: string}}}
    Hidden: {type: object}
`)
	budget := NewBudget()
	budget.Model = func(name string) (doc.Ref, bool) {
		return doc.Ref{Kind: doc.RefAnchor, Page: "page_1", Anchor: ModelAnchor(name)}, name == "Pet"
	}
	text, links := "", 0
	var walk func(nodes []*doc.Node)
	walk = func(nodes []*doc.Node) {
		for _, n := range nodes {
			if data, ok := n.Data.(*doc.ContentRefData); ok && n.Type == doc.Link {
				links++
				text += "[" + data.Ref.Page + "#" + data.Ref.Anchor + "]"
			}
			if len(n.Nodes)+len(n.Fragments) == 0 {
				text += n.PlainText()
			}
			walk(n.Nodes)
			for _, fragment := range n.Fragments {
				walk(fragment.Nodes)
			}
		}
	}
	walk(d.Operation("get", "/pets").blocks(budget))
	if links != 2 || !strings.Contains(text, "list array of [page_1#model-Pet]Pet or null") ||
		!strings.Contains(text, "one [page_1#model-Pet]Pet or null or Hidden or string") {
		t.Errorf("%d links in %s", links, text)
	}
	if text, links = "", 0; true {
		walk(d.Operation("get", "/pets").blocks(NewBudget()))
	}
	if links != 0 || !strings.Contains(text, "list array of Pet or null") {
		t.Errorf("without pages of models, %d links in %s", links, text)
	}
}

// wordsOf is the text of nodes and of all that is below them.
func wordsOf(nodes []*doc.Node) string {
	var text strings.Builder
	for _, n := range nodes {
		if len(n.Nodes)+len(n.Fragments) == 0 {
			text.WriteString(n.PlainText())
		}
		text.WriteString(wordsOf(n.Nodes) + wordsOf(n.Fragments))
	}
	return text.String()
}

// TestDefaultsStandOnce holds that a short default stands beside the type where there is a line for it, and below it
// else.
func TestDefaultsStandOnce(t *testing.T) {
	d := mustRead(t, `openapi: 3.1.0
info: {title: Defaults, version: "1"}
paths: {}
components:
  schemas:
    Size: {type: string, default: small, enum: [small, large]}
    Pet:
      type: object
      properties:
        size: {type: string, default: small}
        note: {type: string, default: A text that is longer than the line of a member has room for}
`)
	for name, want := range map[string]string{
		"Size": "One of small, large. Default: small.",
		"Pet": "size string, default smallnote stringDefault: A text that is longer than the line of a member has " +
			"room for.",
	} {
		text := wordsOf(d.Expand(doc.OpenAPISchemas, &doc.OpenAPIData{Schemas: []string{name}}, NewBudget()))
		if !strings.Contains(text, want) {
			t.Errorf("%s is described by %q", name, text)
		}
	}
}

func TestSamples(t *testing.T) {
	d := mustRead(t, store)
	samples := map[string]string{}
	for _, sample := range d.Operation("put", "/pets/{id}").Samples(NewBudget()) {
		samples[sample.Syntax] = sample.Code
	}
	want := `curl -X PUT 'https://eu.example.com/v1/pets/123e4567-e89b-12d3-a456-426614174000' \
  -H 'X-Trace: a'\''b"c' \
  -H 'Authorization: Bearer YOUR_TOKEN' \
  -H 'Content-Type: application/json' \
  -d '{
    "tags": {
      "key": "text"
    },
    "name": "text",
    "kind": {
      "tags": {
        "key": "text"
      }
    }
  }'`
	if diff := cmp.Diff(want, samples["bash"]); diff != "" {
		t.Errorf("curl (-want +got):\n%s", diff)
	}
	for syntax, part := range map[string]string{
		"javascript": "\"X-Trace\": \"a'b\\\"c\",\n", "python": "\"X-Trace\": \"a'b\\\"c\",\n",
		"go": "request.Header.Set(\"X-Trace\", \"a'b\\\"c\")\n",
	} {
		if !strings.Contains(samples[syntax], part) {
			t.Errorf("%s:\n%s", syntax, samples[syntax])
		}
	}
	upload := d.Operation("post", "/upload").Samples(NewBudget())
	for i, part := range []string{"-F 'file=@file'", "form.append(\"file\", file);",
		"\"file\": open(\"file\", \"rb\"),", "form.CreateFormFile(\"file\", \"file\")"} {
		if !strings.Contains(upload[i].Code, part) || !strings.Contains(upload[i].Code, "?api_key=YOUR_API_KEY") {
			t.Errorf("%s:\n%s", upload[i].Title, upload[i].Code)
		}
	}
}

// lines lists pages by seed, slug and title.
func lines(pages []*Page, indent string) []string {
	var list []string
	for _, page := range pages {
		list = append(list, indent+page.Seed+" "+page.Slug+" "+page.Title)
		list = append(list, lines(page.Pages, indent+"  ")...)
	}
	return list
}

func TestPages(t *testing.T) {
	d := mustRead(t, store)
	site := d.Pages(Layout{Spec: "store", Models: true})
	want := []string{"tag/pets pets Our pets", "  tag/cats cats cats", "untagged other-operations Other operations",
		"models models Models"}
	if diff := cmp.Diff(want, lines(site.Info.Pages, "")); diff != "" || site.Len() != 5 {
		t.Errorf("pages (-want +got):\n%s", diff)
	}
	info := written(site.Info.Nodes)
	for _, part := range []string{"Sells **pets**.", "**More**", "**Version** `2`",
		"`https://eu.example.com/v1/` Main"} {
		if !strings.Contains(info, part) {
			t.Errorf("the first page lacks %q:\n%s", part, info)
		}
	}
	pets := site.Info.Pages[0]
	if got := written(pets.Nodes); !strings.Contains(got, `id="putpet"`) || !strings.Contains(got,
		`{% openapi-operation spec="store" path="/pets/{id}" method="put" headless="true" %}`) || pets.Icon != "paw" ||
		pets.Description != "All about pets." {
		t.Errorf("a tag: %+v\n%s", pets, got)
	}
	byOperation := d.Pages(Layout{Spec: "store", ByOperation: true})
	want = []string{
		"tag/pets pets Our pets", "  operation/put /pets/{id} putpet Change a pet", "  tag/cats cats cats",
		"    operation/get /cats get-cats GET /cats",
		"untagged other-operations Other operations", "  operation/post /upload post-upload POST /upload",
	}
	if diff := cmp.Diff(want, lines(byOperation.Info.Pages, "")); diff != "" {
		t.Errorf("by operation (-want +got):\n%s", diff)
	}
}

// TestPagesOfPublicDescriptions holds what every layout promises: slugs that pages of a space may have, unique among
// siblings, seeds that are unique, and blocks that name what is there.
func TestPagesOfPublicDescriptions(t *testing.T) {
	for _, name := range []string{"github.json", "docker.yaml", "figma.yaml"} {
		d := mustRead(t, string(unpack(t, name)))
		for _, layout := range []Layout{{Models: true}, {ByOperation: true}} {
			site := d.Pages(layout)
			seeds := map[string]bool{}
			blocks := 0
			var check func(pages []*Page)
			check = func(pages []*Page) {
				slugs := map[string]bool{}
				for _, page := range pages {
					if slugs[page.Slug] || !entity.ValidSlug(page.Slug) || page.Title == "" || seeds[page.Seed] {
						t.Errorf("%s: page %q %q %q", name, page.Seed, page.Slug, page.Title)
					}
					slugs[page.Slug], seeds[page.Seed] = true, true
					for _, n := range page.Nodes {
						if n.Type == doc.OpenAPIOperation {
							blocks++
							data := n.Data.(*doc.OpenAPIData)
							if d.Operation(data.Method, data.Path) == nil {
								t.Errorf("%s: the block of %s %s names nothing", name, data.Method, data.Path)
							}
						}
					}
					check(page.Pages)
				}
			}
			check(site.Info.Pages)
			if blocks != len(d.Operations()) {
				t.Errorf("%s: %d blocks for %d operations", name, blocks, len(d.Operations()))
			}
		}
	}
}

// TestLargePages holds that what a description makes is bounded, however large it is.
func TestLargePages(t *testing.T) {
	var b strings.Builder
	for i := range 50_000 {
		fmt.Fprintf(&b, `%s"/p%d":{"get":{"tags":["t%d"],"responses":{"200":{"description":"ok"}}}}`,
			strings.Repeat(",", min(i, 1)), i, i)
	}
	d := mustRead(t, `{"openapi":"3.0.0","info":{"title":"t","version":"1"},"paths":{`+b.String()+"}}")
	start := time.Now()
	for _, layout := range []Layout{{}, {ByOperation: true}} {
		if site := d.Pages(layout); site.Len() > maxPages+1 || time.Since(start) > 20*time.Second {
			t.Errorf("%d pages after %s", site.Len(), time.Since(start))
		}
	}
	// Schemas that refer to each other in all ways unfold to more than memory holds.
	var wide strings.Builder
	for i := range 40 {
		fmt.Fprintf(&wide, "    S%d: {type: object, properties: {", i)
		for j := range 40 {
			fmt.Fprintf(&wide, "p%d: {$ref: '#/components/schemas/S%d'}, ", j, j)
		}
		wide.WriteString("}}\n")
	}
	d = mustRead(t, head+"paths: {/a: {get: {responses: {'200': {description: a, content: {application/json: "+
		"{schema: {$ref: '#/components/schemas/S0'}}}}}}}}\ncomponents:\n  schemas:\n"+wide.String())
	start = time.Now()
	nodes := d.Expand(doc.OpenAPIOperation, &doc.OpenAPIData{Method: "get", Path: "/a"}, NewBudget())
	count := 0
	for range (&doc.Document{Nodes: nodes}).All() {
		count++
	}
	if count > 150_000 || time.Since(start) > 20*time.Second {
		t.Errorf("%d nodes after %s", count, time.Since(start))
	}
}

// TestSwagger holds that a description of version 2.0 says the same in the form of 3.
func TestSwagger(t *testing.T) {
	d := mustRead(t, `swagger: "2.0"
info: {title: Old, version: "1"}
host: old.example.com
basePath: /v1
schemes: [https, http]
consumes: [application/json]
produces: [application/json]
securityDefinitions:
  basic: {type: basic}
  oauth: {type: oauth2, flow: accessCode, authorizationUrl: "https://a/", tokenUrl: "https://t/", scopes: {read: Reads}}
security: [{oauth: [read]}]
parameters:
  Body: {name: body, in: body, required: true, description: A pet., schema: {$ref: "#/definitions/Pet"}}
  Limit: {name: limit, in: query, type: integer, format: int32, maximum: 10}
responses:
  Error: {description: Wrong, schema: {$ref: "#/definitions/Error"}}
paths:
  /pets:
    post:
      parameters: [{$ref: "#/parameters/Body"}, {$ref: "#/parameters/Limit"}, {name: ids, in: query, type: array, items: {type: string}, collectionFormat: multi}]
      responses: {"200": {description: Made, schema: {type: array, items: {$ref: "#/definitions/Pet"}}, examples: {application/json: [{name: Rex}]}}, default: {$ref: "#/responses/Error"}}
  /upload:
    post:
      security: [{basic: []}]
      consumes: [multipart/form-data]
      parameters: [{name: file, in: formData, type: file, required: true}, {name: note, in: formData, type: string, description: A note.}]
      responses: {"204": {description: Done}}
definitions:
  Pet: {type: object, required: [name], properties: {name: {type: string}}}
  Error: {type: object, properties: {message: {type: string, x-nullable: true}}}
`)
	b := NewBudget()
	o := d.Operation("post", "/pets")
	parameters := o.Parameters(b)
	if len(parameters) != 2 || parameters[0].Name != "limit" || parameters[0].Schema.TypeName() != "integer <int32>" ||
		parameters[1].Schema.TypeName() != "array of string" {
		t.Errorf("parameters: %+v", parameters)
	}
	if body := o.Body(b); body == nil || !body.Required || body.Description != "A pet." || len(body.Content) != 1 ||
		body.Content[0].Type != "application/json" || body.Content[0].Schema.Name != "Pet" {
		t.Errorf("body: %+v", body)
	}
	responses := o.Responses(b)
	if len(responses) != 2 || responses[0].Content[0].Schema.TypeName() != "array of Pet" ||
		len(responses[0].Content[0].Examples) != 1 || responses[1].Content[0].Schema.Name != "Error" {
		t.Errorf("responses: %+v", responses)
	}
	if o.Server() != "https://old.example.com/v1" || len(d.Servers()) != 2 {
		t.Errorf("servers: %+v", d.Servers())
	}
	if ways := o.Security(); len(ways) != 1 || ways[0][0].Kind != "oauth2" || len(ways[0][0].Scopes) != 1 {
		t.Errorf("security: %+v", ways)
	}
	upload := d.Operation("post", "/upload")
	form := upload.Body(b)
	if form == nil || form.Content[0].Type != "multipart/form-data" || len(form.Content[0].Schema.Properties) != 2 ||
		!form.Content[0].Schema.Properties[0].Required ||
		form.Content[0].Schema.Properties[0].Schema.TypeName() != "string <binary>" {
		t.Errorf("form: %+v", form)
	}
	if ways := upload.Security(); ways[0][0].Kind != "http" || ways[0][0].Scheme != "basic" {
		t.Errorf("security: %+v", ways)
	}
	if len(d.Schemas()) != 2 {
		t.Errorf("schemas: %v", d.Schemas())
	}
}

// TestProse holds that a text of a description cannot do more than be read.
func TestProse(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"Plain *text* with [a link](https://example.com/).", "Plain _text_ with [a link](https://example.com/).\n"},
		{"# Title\n\nText", "**Title**\n\nText\n"},
		{"{% include \"/files/x\" %}", ""},
		{"{% openapi-operation spec=\"a\" path=\"/\" method=\"get\" %}\n[a](/a)\n{% endopenapi-operation %}\n\nText",
			"Text\n"},
		{"{% if visitor.claims.x %}\nShown\n{% endif %}", "Shown\n"},
		{"{% embed url=\"https://example.com/\" %}", ""},
		{"a <code class=\"expression\">space.vars.secret</code> b", "a  b\n"},
		{"", ""},
	} {
		if got := written(prose(test.text, NewBudget())); strings.TrimSpace(got) != strings.TrimSpace(test.want) &&
			strings.Join(strings.Fields(got), " ") != strings.Join(strings.Fields(test.want), " ") {
			t.Errorf("%q: %q, want %q", test.text, got, test.want)
		}
	}
}

// An operation on a page of somebody's own says what it is called; one below a heading that does so leaves it out.
func TestTitlesOfOperations(t *testing.T) {
	d := mustRead(t, store)
	for _, c := range []struct {
		data  doc.OpenAPIData
		title bool
	}{
		{doc.OpenAPIData{Method: "put", Path: "/pets/{id}"}, true},
		{doc.OpenAPIData{Method: "put", Path: "/pets/{id}", Headless: new(false)}, true},
		{doc.OpenAPIData{Method: "put", Path: "/pets/{id}", Headless: new(true)}, false},
		{doc.OpenAPIData{Method: "get", Path: "/cats"}, false},
	} {
		got := written(d.Expand(doc.OpenAPIOperation, &c.data, NewBudget()))
		if strings.HasPrefix(got, "**Change a pet**\n") != c.title || strings.Contains(got, "GET /cats") {
			t.Errorf("%+v begins with %.60q", c.data, got)
		}
	}
}

// TestWrappedSchemas holds that what wraps a model, to say that it may be null or to describe it, shows as that model,
// and that a model knows its own value of what tells it from others of its base.
func TestWrappedSchemas(t *testing.T) {
	const head = "{info: {title: T, version: '1'}, paths: {/p: {put: {requestBody: {content: {application/json: " +
		"{schema: {$ref: '#/components/schemas/P'}}}}, responses: {'200': {description: ok}}}}}, " +
		"components: {schemas: {A: {type: object, properties: {x: {type: string}}}, " +
		"Pet: {type: object, properties: {kind: {type: string, enum: [dog, c, Owl]}, name: {type: string}}, " +
		"discriminator: {propertyName: kind, mapping: {dog: '#/components/schemas/Dog', c: Cat}}}, " +
		"Dog: {allOf: [{$ref: '#/components/schemas/Pet'}, {properties: {barks: {type: boolean}}}]}, " +
		"Puppy: {allOf: [{$ref: '#/components/schemas/Dog'}, {properties: {age: {type: integer}}}]}, P: "
	for name, test := range map[string]struct{ version, schema, want, example string }{
		"null as a choice": {"3.1.0", "{properties: {m: {anyOf: [{$ref: '#/components/schemas/A'}, {type: 'null'}]}}}",
			"* `m` A or null\n  * `x` string\n", `{"m":{"x":"text"}}`},
		"a plain type or null": {"3.1.0", "{properties: {m: {anyOf: [{type: integer}, {type: ['null']}]}}}",
			"* `m` integer or null\n", `{"m":1}`},
		"several and null": {"3.1.0", "{properties: {m: {oneOf: [{type: integer}, {type: string}, {enum: [null]}]}}}",
			"* `m` integer or string or null\n", `{"m":1}`},
		"wrapped": {"3.0.3", "{properties: {m: {nullable: true, description: D, " +
			"allOf: [{$ref: '#/components/schemas/A'}]}}}",
			"*   `m` A or null\n\n    D\n\n    * `x` string\n", `{"m":{"x":"text"}}`},
		"choices in one choice": {"3.1.0", "{properties: {m: {anyOf: [{oneOf: [{type: integer}, {type: string}]}]}}}",
			"* `m` integer or string\n", `{"m":1}`},
		"a model of a base": {"3.1.0", "{properties: {m: {$ref: '#/components/schemas/Dog'}}}",
			"  *   `kind` string\n\n      Always `dog`.\n\n  * `name` string\n\n  * `barks` boolean\n",
			`{"m":{"kind":"dog","name":"text","barks":true}}`},
		"a model of such a model": {"3.1.0", "{properties: {m: {$ref: '#/components/schemas/Puppy'}}}",
			"  *   `kind` string\n\n      Always `Puppy`.\n\n  * `name` string\n\n  * `barks` boolean\n",
			`{"m":{"kind":"Puppy","name":"text","barks":true,"age":1}}`},
		"a base without values": {"3.1.0", "{properties: {m: {properties: {k: {type: string}}, " +
			"discriminator: {propertyName: k, mapping: {a: A}}}}}",
			"`k` says which one it is: `a`.", `{"m":{"k":"a"}}`},
		"the base": {"3.1.0", "{properties: {m: {$ref: '#/components/schemas/Pet'}}}",
			"`kind` says which one it is: `dog`, `c`.",
			`{"m":{"kind":"dog","name":"text"}}`},
	} {
		d := mustRead(t, strings.Replace(head, "{", "{openapi: "+test.version+", ", 1)+test.schema+"}}}")
		text := written(d.Expand(doc.OpenAPIOperation, &doc.OpenAPIData{Method: "put", Path: "/p"}, NewBudget()))
		if !strings.Contains(text, test.want) {
			t.Errorf("%s: it does not say %q:\n%s", name, test.want, text)
		}
		schema := schemaFrom(d.root().object("components").object("schemas").Get("P"), inRequest, NewBudget())
		if got := compact(ExampleOf(schema)); got != test.example {
			t.Errorf("%s: the example is %s, want %s", name, got, test.example)
		}
	}
	models := mustRead(t, strings.Replace(head, "{", "{openapi: 3.1.0, ", 1)+"{type: string}}}}")
	if text := written(models.Expand(doc.OpenAPISchemas, &doc.OpenAPIData{Schemas: []string{"Dog"}},
		NewBudget())); !strings.Contains(text, "Always `dog`.") {
		t.Errorf("the model by itself:\n%s", text)
	}
}
