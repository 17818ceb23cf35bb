package oas

import (
	"slices"
	"strings"
)

// upgrader brings older descriptions up to OpenAPI 3.1, in place. Nodes that several parents share are changed once.
type upgrader struct{ done map[*Node]bool }

// below reports whether a member of an object is part of the description rather than data of the described API, and
// whether the names of its own members are the author's. named says so of the object itself.
func (n *Node) below(i int, named bool) (part, authors bool) {
	if n.Kind == List {
		return true, false
	}
	if named {
		return true, false
	}
	name := n.Keys[i].Text
	switch name {
	case "example", "default", "enum", "const", "value":
		return false, false
	case "examples":
		return n.Items[i].Kind == Object, true
	}
	return !strings.HasPrefix(name, "x-"), isNamed(name)
}

// schemas brings the schemas below a node from 3.0 to 3.1: nullable becomes a type, the flags exclusiveMinimum and
// exclusiveMaximum become numbers. What is in a free-form object (named, such as properties) is told by its parent.
func (u upgrader) schemas(n *Node, named bool) {
	if n == nil || n.scalar() || u.done[n] {
		return
	}
	u.done[n] = true
	if n.Kind == Object && !named {
		nullable(n)
		exclusive(n, "exclusiveMinimum", "minimum")
		exclusive(n, "exclusiveMaximum", "maximum")
	}
	for i, item := range n.Items {
		if part, authors := n.below(i, named); part {
			u.schemas(item, authors)
		}
	}
}

// isNamed reports whether the members of an object under this name are named by the author.
func isNamed(name string) bool {
	switch name {
	case "properties", "patternProperties", "definitions", "$defs", "schemas", "responses", "parameters", "examples",
		"requestBodies", "headers", "securitySchemes", "links", "callbacks", "pathItems", "paths", "webhooks",
		"content",
		"variables", "mapping", "encoding", "scopes", "dependentSchemas":
		return true
	}
	return false
}

func nullable(n *Node) {
	if n.Get("nullable") == nil {
		return
	}
	yes := n.flag("nullable")
	kind := n.Get("type")
	if n.Get("nullable").Kind != Bool || yes && kind == nil && n.Get("enum") == nil {
		return // without a type it has no form in 3.1, though what it says is plain
	}
	n.remove("nullable")
	if !yes {
		return
	}
	if kind != nil && kind.Kind == String {
		list := n.make(List, "")
		list.Items = []*Node{kind, kind.make(String, "null")}
		n.set("type", list)
	}
	if enum := n.Get("enum"); enum != nil && enum.Kind == List && !slices.ContainsFunc(enum.Items, func(e *Node) bool {
		return e.Kind == Null
	}) {
		extended := *enum
		extended.Items = append(slices.Clone(enum.Items), enum.make(Null, ""))
		n.set("enum", &extended)
	}
}

func exclusive(n *Node, flag, limit string) {
	v := n.Get(flag)
	if v == nil || v.Kind != Bool {
		return
	}
	bound := n.Get(limit)
	n.remove(flag)
	if v.Text == "true" && bound != nil && bound.Kind == Number {
		n.remove(limit)
		n.set(flag, bound)
	}
}

// swagger brings a description from 2.0 to the form of 3.0.
func (u upgrader) swagger(root *Node) {
	c := swaggerUpgrade{root: root, done: map[*Node]bool{}}
	c.references(root)
	c.document()
}

type swaggerUpgrade struct {
	root               *Node
	done               map[*Node]bool
	consumes, produces []string
	parameters         map[string]*Node // shared ones
}

// moved maps the places of shared parts of 2.0 to those of 3.
var moved = [...][2]string{
	{"#/definitions/", "#/components/schemas/"},
	{"#/responses/", "#/components/responses/"},
	{"#/parameters/", "#/components/parameters/"},
}

// references renames what references within the file point to.
func (c *swaggerUpgrade) references(n *Node) {
	if n == nil || n.scalar() || c.done[n] {
		return
	}
	c.done[n] = true
	for i, item := range n.Items {
		if n.Kind == Object && n.Keys[i].Text == "$ref" && item.Kind == String {
			for _, move := range moved {
				if rest, ok := strings.CutPrefix(item.Text, move[0]); ok {
					n.Items[i] = item.make(String, move[1]+rest)
					break
				}
			}
			continue
		}
		c.references(item)
	}
}

func (c *swaggerUpgrade) document() {
	root := c.root
	c.consumes, c.produces = root.texts("consumes"), root.texts("produces")
	c.done = map[*Node]bool{}
	components := root.objectOf()
	if definitions := root.object("definitions"); definitions != nil {
		components.set("schemas", definitions)
	}
	c.parameters = map[string]*Node{}
	if shared := root.object("parameters"); shared != nil {
		plain := shared.objectOf()
		for i, parameter := range shared.Items {
			c.parameters["#/components/parameters/"+escapePointer(shared.Keys[i].Text)] = parameter
			if in := parameter.text("in"); in != "body" && in != "formData" {
				c.parameter(parameter)
				plain.add(shared.Keys[i], parameter)
			}
		}
		components.set("parameters", plain)
	}
	if responses := root.object("responses"); responses != nil {
		for _, response := range responses.Items {
			c.response(response, c.produces)
		}
		components.set("responses", responses)
	}
	if schemes := root.object("securityDefinitions"); schemes != nil {
		for _, scheme := range schemes.Items {
			securityScheme(scheme)
		}
		components.set("securitySchemes", schemes)
	}
	c.servers()
	if paths := root.object("paths"); paths != nil {
		for i, item := range paths.Items {
			if !strings.HasPrefix(paths.Keys[i].Text, "x-") {
				c.pathItem(item)
			}
		}
	}
	version := root.Get("swagger").make(String, "3.0.0")
	root.remove("swagger", "definitions", "parameters", "responses", "securityDefinitions", "host", "basePath",
		"schemes", "consumes", "produces")
	root.set("openapi", version)
	root.set("components", components)
}

func (c *swaggerUpgrade) servers() {
	host, base := c.root.text("host"), c.root.text("basePath")
	if host == "" && base == "" {
		return
	}
	schemes := c.root.texts("schemes")
	if len(schemes) == 0 {
		schemes = []string{"https"}
	}
	list := c.root.make(List, "")
	for _, scheme := range schemes {
		address := base
		if host != "" {
			address = scheme + "://" + host + base
		}
		server := c.root.objectOf()
		server.set("url", c.root.make(String, address))
		list.Items = append(list.Items, server)
		if host == "" {
			break
		}
	}
	c.root.set("servers", list)
}

func (c *swaggerUpgrade) pathItem(item *Node) {
	if item == nil || item.Kind != Object || c.done[item] {
		return
	}
	c.done[item] = true
	shared := c.takeParameters(item)
	for _, method := range methods {
		operation := item.object(method)
		if operation == nil || c.done[operation] {
			continue
		}
		c.done[operation] = true
		consumes, produces := c.consumes, c.produces
		if operation.Get("consumes") != nil {
			consumes = operation.texts("consumes")
		}
		if operation.Get("produces") != nil {
			produces = operation.texts("produces")
		}
		c.body(operation, append(slices.Clone(shared), c.takeParameters(operation)...), consumes)
		if responses := operation.object("responses"); responses != nil {
			for _, response := range responses.Items {
				c.response(response, produces)
			}
		}
		operation.remove("consumes", "produces", "schemes")
	}
}

// takeParameters splits the parameters of 2.0: those that stay are upgraded, those of the body are returned.
func (c *swaggerUpgrade) takeParameters(n *Node) []*Node {
	all := n.Get("parameters")
	if all == nil || all.Kind != List {
		return nil
	}
	stay := all.make(List, "")
	var body []*Node
	for _, parameter := range all.Items {
		named := parameter
		if shared := c.parameters[parameter.text("$ref")]; shared != nil {
			named = shared
		}
		if in := named.text("in"); in == "body" || in == "formData" {
			body = append(body, named)
			continue
		}
		if named == parameter {
			c.parameter(parameter)
		}
		stay.Items = append(stay.Items, parameter)
	}
	n.set("parameters", stay)
	return body
}

// typed are the members of a parameter of 2.0 that belong to its schema in 3.0.
var typed = []string{
	"type", "format", "items", "default", "enum", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
	"minLength",
	"maxLength", "pattern", "minItems", "maxItems", "uniqueItems", "multipleOf",
}

// schemaOf moves the members that say what a value is into a schema.
func schemaOf(n *Node) *Node {
	schema := n.objectOf()
	for _, name := range typed {
		if v := n.Get(name); v != nil {
			schema.set(name, v)
		}
	}
	n.remove(typed...)
	if schema.text("type") == "file" {
		schema.set("type", n.make(String, "string"))
		schema.set("format", n.make(String, "binary"))
	}
	return schema
}

func (c *swaggerUpgrade) parameter(n *Node) {
	if n.Kind != Object || n.Get("$ref") != nil || n.Get("schema") != nil || c.done[n] {
		return
	}
	c.done[n] = true
	style, explode := collection(n.text("collectionFormat"))
	n.remove("collectionFormat")
	n.set("schema", schemaOf(n))
	if style != "" && n.text("in") == "query" {
		n.set("style", n.make(String, style))
		n.set("explode", n.make(Bool, explode))
	}
}

func collection(format string) (style, explode string) {
	switch format {
	case "multi":
		return "form", "true"
	case "ssv":
		return "spaceDelimited", "false"
	case "pipes":
		return "pipeDelimited", "false"
	case "csv":
		return "form", "false"
	}
	return "", ""
}

// body makes the request body of an operation from its body and form parameters.
func (c *swaggerUpgrade) body(operation *Node, parameters []*Node, consumes []string) {
	if len(parameters) == 0 {
		return
	}
	body, schema := operation.objectOf(), operation.objectOf()
	files, required := false, operation.make(List, "")
	properties := operation.objectOf()
	for _, parameter := range parameters {
		if parameter.text("in") == "body" {
			if d := parameter.Get("description"); d != nil {
				body.set("description", d)
			}
			if parameter.flag("required") {
				body.set("required", parameter.Get("required"))
			}
			if s := parameter.Get("schema"); s != nil {
				schema = s
			}
			break
		}
		copied := *parameter
		copied.Keys, copied.Items, copied.index = slices.Clone(parameter.Keys), slices.Clone(parameter.Items), nil
		if copied.flag("required") {
			required.Items = append(required.Items, parameter.make(String, parameter.text("name")))
		}
		files = files || copied.text("type") == "file"
		property := schemaOf(&copied)
		if d := copied.Get("description"); d != nil {
			property.set("description", d)
		}
		properties.set(parameter.text("name"), property)
	}
	types := consumes
	if len(properties.Keys) > 0 {
		schema = operation.objectOf()
		schema.set("type", operation.make(String, "object"))
		schema.set("properties", properties)
		if len(required.Items) > 0 {
			schema.set("required", required)
			body.set("required", operation.make(Bool, "true"))
		}
		if len(types) == 0 {
			types = []string{"application/x-www-form-urlencoded"}
			if files {
				types = []string{"multipart/form-data"}
			}
		}
	}
	body.set("content", contentOf(operation, types, schema, nil))
	operation.set("requestBody", body)
}

// contentOf makes the content of a body: one schema under several media types.
func contentOf(at *Node, types []string, schema, examples *Node) *Node {
	if len(types) == 0 {
		types = []string{"application/json"}
	}
	content := at.objectOf()
	for _, name := range types {
		media := at.objectOf()
		if schema != nil {
			media.set("schema", schema)
		}
		if example := examples.Get(name); example != nil {
			media.set("example", example)
		}
		content.set(name, media)
	}
	return content
}

func (c *swaggerUpgrade) response(n *Node, produces []string) {
	if n.Kind != Object || c.done[n] {
		return
	}
	c.done[n] = true
	schema, examples := n.Get("schema"), n.object("examples")
	if schema != nil || examples != nil {
		n.set("content", contentOf(n, produces, schema, examples))
		n.remove("schema", "examples")
	}
	if headers := n.object("headers"); headers != nil {
		for _, header := range headers.Items {
			c.parameter(header)
		}
	}
}

// securityScheme brings a way to sign in from 2.0 to 3.0.
func securityScheme(n *Node) {
	if n.Kind != Object {
		return
	}
	switch n.text("type") {
	case "basic":
		n.set("type", n.make(String, "http"))
		n.set("scheme", n.make(String, "basic"))
	case "oauth2":
		name := map[string]string{"implicit": "implicit", "password": "password", "application": "clientCredentials",
			"accessCode": "authorizationCode"}[n.text("flow")]
		if name == "" {
			return
		}
		flow, flows := n.objectOf(), n.objectOf()
		for _, member := range []string{"authorizationUrl", "tokenUrl", "scopes"} {
			if v := n.Get(member); v != nil {
				flow.set(member, v)
			}
		}
		flows.set(name, flow)
		n.remove("flow", "authorizationUrl", "tokenUrl", "scopes")
		n.set("flows", flows)
	}
}

// methods are the methods that a path can have, in the order that they are listed in.
var methods = []string{"get", "post", "put", "patch", "delete", "head", "options", "trace", "query"}
