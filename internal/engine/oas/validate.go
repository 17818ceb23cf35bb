package oas

import (
	"slices"
	"strings"
)

// validate holds a description against the rules of OpenAPI 3: what has another type than it must, or lacks what it
// cannot do without, is an error; what readers can do without is a warning. Every part is checked where it is written.
func (r *reader) validate(root *Node) {
	v := validator{reader: r, operations: map[string]Key{}, seen: map[*Node]bool{}}
	v.info(root)
	for _, name := range []string{"servers", "tags"} {
		v.objects(root, name)
	}
	for _, server := range root.list("servers") {
		v.requireText(server, "url", "a server")
	}
	for _, tag := range root.list("tags") {
		v.requireText(tag, "name", "a tag")
	}
	if root.Get("paths") == nil && root.Get("webhooks") == nil && root.Get("components") == nil {
		r.fail(root, "the description has no paths; add \"paths\", which may be empty")
	}
	if paths := v.objectAt(root, "paths"); paths != nil {
		for i, key := range paths.Keys {
			if strings.HasPrefix(key.Text, "x-") {
				continue
			}
			if len(key.Text) > maxPath {
				v.failAt(key, "the path has more than %d bytes", maxPath)
			}
			if !strings.HasPrefix(key.Text, "/") {
				v.failAt(key, "the path %.100q has to begin with a slash", key.Text)
			}
			v.pathItem(key, paths.Items[i])
		}
	}
	if webhooks := v.objectAt(root, "webhooks"); webhooks != nil {
		for i, key := range webhooks.Keys {
			v.pathItem(key, webhooks.Items[i])
		}
	}
	v.components(root)
}

// maxPath is the longest path, in bytes.
const maxPath = 2048

type validator struct {
	*reader
	operations map[string]Key // by operationId
	seen       map[*Node]bool
}

func (v *validator) failAt(key Key, format string, args ...any) {
	v.fail(&Node{Line: key.Line, Column: key.Column}, format, args...)
}

// objectAt returns a member that has to be an object when it is there.
func (v *validator) objectAt(n *Node, name string) *Node {
	member := n.Get(name)
	if member == nil {
		return nil
	}
	if member.Kind != Object {
		v.fail(member, "%q has to be an object, not %s", name, member.Kind)
		return nil
	}
	return member
}

// listAt returns the entries of a member that has to be a list when it is there.
func (v *validator) listAt(n *Node, name string) []*Node {
	member := n.Get(name)
	if member == nil {
		return nil
	}
	if member.Kind != List {
		v.fail(member, "%q has to be a list, not %s", name, member.Kind)
		return nil
	}
	return member.Items
}

// objects checks a member that is a list of objects.
func (v *validator) objects(n *Node, name string) {
	for _, entry := range v.listAt(n, name) {
		if entry.Kind != Object {
			v.fail(entry, "an entry of %q has to be an object, not %s", name, entry.Kind)
		}
	}
}

func (v *validator) requireText(n *Node, name, of string) bool {
	if n.Kind != Object || n.Get("$ref") != nil {
		return false
	}
	if member := n.Get(name); member == nil {
		v.fail(n, "%s needs %q", of, name)
		return false
	} else if !member.scalar() {
		v.fail(member, "%q has to be a text, not %s", name, member.Kind)
		return false
	}
	return true
}

func (v *validator) info(root *Node) {
	info := root.Get("info")
	if info == nil {
		v.fail(root, "the description has no \"info\" with its title and version")
		return
	}
	if info = v.objectAt(root, "info"); info == nil {
		return
	}
	v.requireText(info, "title", "info")
	if info.Get("version") == nil {
		v.warn(info, "info has no version")
	}
}

func (v *validator) pathItem(path Key, item *Node) {
	if item.Kind != Object {
		v.fail(item, "the path %.100q has to be an object, not %s", path.Text, item.Kind)
		return
	}
	if v.seen[item] {
		return
	}
	v.seen[item] = true
	v.parameters(item)
	for _, method := range methods {
		if operation := v.objectAt(item, method); operation != nil {
			v.operation(path, item, operation)
		}
	}
}

func (v *validator) operation(path Key, item, n *Node) {
	if v.ctx.Err() != nil {
		return
	}
	v.parameters(n)
	if id := n.Get("operationId"); id != nil {
		if first, twice := v.operations[id.Text]; twice {
			v.warn(id, "the operationId %.100q is taken by line %d already", id.Text, first.Line)
		} else {
			v.operations[id.Text] = Key{Line: id.Line, Column: id.Column}
		}
	}
	for _, tag := range v.listAt(n, "tags") {
		if tag.Kind != String {
			v.fail(tag, "a tag has to be a text, not %s", tag.Kind)
		}
	}
	v.body(v.objectAt(n, "requestBody"))
	if responses := v.objectAt(n, "responses"); responses != nil {
		for i, key := range responses.Keys {
			if !strings.HasPrefix(key.Text, "x-") {
				v.response(key, responses.Items[i])
			}
		}
	}
	v.pathParameters(path, item, n)
}

// pathParameters warns of parts of a path that no parameter describes.
func (v *validator) pathParameters(path Key, item, operation *Node) {
	declared := map[string]bool{}
	for _, list := range [][]*Node{item.list("parameters"), operation.list("parameters")} {
		for _, parameter := range list {
			if p := parameter.follow(); p.text("in") == "path" {
				declared[p.text("name")] = true
			}
		}
	}
	for rest := path.Text; ; {
		_, after, found := strings.Cut(rest, "{")
		name, end, closed := strings.Cut(after, "}")
		if !found || !closed {
			return
		}
		if !declared[name] {
			v.warn(operation, "no parameter describes {%.100s} of the path %.100q", name, path.Text)
		}
		rest = end
	}
}

func (v *validator) parameters(n *Node) {
	for _, parameter := range v.listAt(n, "parameters") {
		v.parameter(parameter)
	}
}

func (v *validator) parameter(n *Node) {
	if n.Kind != Object {
		v.fail(n, "a parameter has to be an object, not %s", n.Kind)
		return
	}
	if n.Get("$ref") != nil || v.seen[n] {
		return
	}
	v.seen[n] = true
	v.requireText(n, "name", "a parameter")
	if in := n.Get("in"); v.requireText(n, "in", "a parameter") && !slices.Contains([]string{"query", "header", "path",
		"cookie", "querystring"}, in.Text) {
		v.fail(in, "a parameter is in the query, a header, the path or a cookie, not in %.40q", in.Text)
	}
	v.schema(n.Get("schema"), 0)
	v.content(n)
}

func (v *validator) body(n *Node) {
	if n != nil && n.Get("$ref") == nil {
		v.content(n)
	}
}

func (v *validator) content(n *Node) {
	content := v.objectAt(n, "content")
	if content == nil {
		return
	}
	for i, media := range content.Items {
		if media.Kind != Object {
			v.fail(media, "the media type %.60q has to be an object, not %s", content.Keys[i].Text, media.Kind)
			continue
		}
		v.schema(media.Get("schema"), 0)
	}
}

func (v *validator) response(status Key, n *Node) {
	if code := status.Text; code != "default" && (len(code) != 3 || code[0] < '1' || code[0] > '5') {
		v.failAt(status, "%.40q is no status of a response; use a number such as 200, a range such as 4XX, or default",
			code)
	}
	if n.Kind != Object {
		v.fail(n, "a response has to be an object, not %s", n.Kind)
		return
	}
	if n.Get("$ref") != nil || v.seen[n] {
		return
	}
	v.seen[n] = true
	v.content(n)
	if headers := v.objectAt(n, "headers"); headers != nil {
		for _, header := range headers.Items {
			v.schema(header.Get("schema"), 0)
		}
	}
}

// sections are the parts of components; all are objects of objects.
var sections = []string{"schemas", "responses", "parameters", "examples", "requestBodies", "headers", "securitySchemes",
	"links", "callbacks", "pathItems"}

func (v *validator) components(root *Node) {
	components := v.objectAt(root, "components")
	if components == nil {
		return
	}
	for _, name := range sections {
		section := v.objectAt(components, name)
		if section == nil {
			continue
		}
		for i, item := range section.Items {
			key := section.Keys[i]
			if strings.HasPrefix(key.Text, "x-") {
				continue
			}
			if item.Kind != Object && !(name == "schemas" && item.Kind == Bool) {
				v.fail(item, "%.100q in %s has to be an object, not %s", key.Text, name, item.Kind)
				continue
			}
			switch name {
			case "schemas":
				v.schema(item, 0)
			case "parameters":
				v.parameter(item)
			case "requestBodies":
				v.body(item)
			case "responses":
				v.response(Key{Text: "default"}, item)
			case "securitySchemes":
				v.requireText(item, "type", "a security scheme")
			}
		}
	}
}

// types are the types that a schema can name.
var types = []string{"null", "boolean", "object", "array", "number", "string", "integer", "file"}

func (v *validator) schema(n *Node, depth int) {
	if n == nil || n.Kind == Bool || v.seen[n] || depth > maxDepth {
		return
	}
	v.seen[n] = true
	if n.Kind != Object {
		v.fail(n, "a schema has to be an object or a boolean, not %s", n.Kind)
		return
	}
	v.schemaType(n.Get("type"))
	for _, required := range v.schemaRequired(n) {
		if required.Kind != String {
			v.fail(required, "\"required\" lists the names of properties; this is %s", required.Kind)
		}
	}
	v.listAt(n, "enum")
	for _, name := range []string{"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"} {
		if members := v.objectAt(n, name); members != nil {
			for _, member := range members.Items {
				v.schema(member, depth+1)
			}
		}
	}
	for _, name := range []string{"allOf", "anyOf", "oneOf", "prefixItems"} {
		for _, member := range v.listAt(n, name) {
			v.schema(member, depth+1)
		}
	}
	for _, name := range []string{"additionalProperties", "not", "if", "then", "else", "contains", "propertyNames"} {
		v.schema(n.Get(name), depth+1)
	}
	if items := n.Get("items"); items != nil && items.Kind != List {
		v.schema(items, depth+1)
	}
}

// schemaRequired returns the list "required"; in parameters of 2.0 it is a flag, which some tools leave in schemas.
func (v *validator) schemaRequired(n *Node) []*Node {
	if required := n.Get("required"); required != nil && required.Kind == Bool {
		v.warn(required, "in a schema \"required\" is a list of properties")
		return nil
	}
	return v.listAt(n, "required")
}

func (v *validator) schemaType(n *Node) {
	if n == nil {
		return
	}
	list := []*Node{n}
	if n.Kind == List {
		list = n.Items
	}
	for _, entry := range list {
		switch {
		case entry.Kind != String && entry.Kind != Null:
			v.fail(entry, "the type of a schema is a text, not %s", entry.Kind)
		case entry.Kind == String && !slices.Contains(types, entry.Text):
			v.warn(entry, "%.40q is no type of a schema; use one of %s", entry.Text, strings.Join(types[:7], ", "))
		}
	}
}
