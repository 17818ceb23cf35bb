package oas

import (
	"cmp"
	"strings"
)

// Document is a description that can be read. It is safe for use by many goroutines.
type Document struct {
	files      []File
	format     Format
	operations []*Operation
	webhooks   []*Operation
	byPlace    map[place]*Operation
	schemas    []string
}

type place struct{ method, path string }

// Operation is one operation of an API, or one call of a webhook.
type Operation struct {
	// Method is in lower case. Path is the path template; of a webhook its name.
	Method, Path string
	// ID is the operationId, "" when there is none.
	ID string
	// Summary is a short title, made from the method and path when there is none. Description is Markdown.
	Summary, Description string
	Tags                 []string
	Deprecated           bool
	Webhook              bool

	// named reports whether the summary was given.
	named bool

	document   *Document
	item, node *Node
}

// Tag is a group of operations.
type Tag struct {
	Name string
	// Title is what to call it, Description is Markdown, Icon the name of an icon; they come from the extensions
	// x-page-title (x-displayName), x-page-description and x-page-icon too. Parent is the name of the tag above.
	Title, Description, Icon, Parent string
}

// Server is an address of an API.
type Server struct {
	// URL is the address with the defaults of its variables in it, Template the one with their names in braces.
	URL, Template, Description string
	Variables                  []Variable
}

// Variable is a part of a server's address that callers choose.
type Variable struct {
	Name, Default, Description string
	Enum                       []string
}

// Format returns the language of the source.
func (d *Document) Format() Format { return d.format }

func (d *Document) root() *Node { return d.files[0].Root }

// Weight is about the memory that the document takes, in bytes.
func (d *Document) Weight() int {
	count := 0
	seen := map[*Node]bool{}
	var walk func(n *Node)
	walk = func(n *Node) {
		if n == nil || len(n.Items) > 0 && seen[n] {
			count++
			return
		}
		if len(n.Items) > 0 {
			seen[n] = true
		}
		count += 130 + len(n.Text) + 32*len(n.Keys)
		for _, item := range n.Items {
			walk(item)
		}
	}
	for _, file := range d.files {
		walk(file.Root)
	}
	return count
}

// Title returns the title of the API.
func (d *Document) Title() string { return strings.TrimSpace(d.root().object("info").text("title")) }

// Version returns the version of the API as its author counts.
func (d *Document) Version() string {
	if v := d.root().object("info").Get("version"); v != nil && v.scalar() {
		return v.Text
	}
	return ""
}

// Description returns the description of the API, Markdown.
func (d *Document) Description() string { return d.root().object("info").text("description") }

// Servers returns the addresses of the API.
func (d *Document) Servers() []Server { return serversOf(d.root()) }

func serversOf(n *Node) []Server {
	var servers []Server
	for _, server := range n.list("servers") {
		address := server.text("url")
		made := Server{Template: address, Description: server.text("description")}
		if variables := server.object("variables"); variables != nil {
			for i, variable := range variables.Items {
				v := Variable{Name: variables.Keys[i].Text, Description: variable.text("description"),
					Enum: variable.texts("enum")}
				if value := variable.Get("default"); value != nil && value.scalar() {
					v.Default = value.Text
					address = strings.ReplaceAll(address, "{"+v.Name+"}", value.Text)
				}
				if len(made.Variables) < maxParts {
					made.Variables = append(made.Variables, v)
				}
			}
		}
		if made.URL = address; address != "" {
			servers = append(servers, made)
		}
	}
	return servers
}

// Operations returns all operations in the order of the description, without those that are internal.
func (d *Document) Operations() []*Operation { return d.operations }

// Webhooks returns the webhooks likewise.
func (d *Document) Webhooks() []*Operation { return d.webhooks }

// Schemas returns the names of the models in the order of the description.
func (d *Document) Schemas() []string { return d.schemas }

// Operation returns the operation at a path; nil when there is none. The method may be in any case.
func (d *Document) Operation(method, path string) *Operation {
	return d.byPlace[place{strings.ToLower(method), path}]
}

// Webhook returns a webhook by its name and method; nil when there is none.
func (d *Document) Webhook(method, name string) *Operation {
	return d.byPlace[place{"hook " + strings.ToLower(method), name}]
}

// Tags returns the tags that operations have: first those that the description lists, in its order, then the others.
func (d *Document) Tags() []Tag {
	used := map[string]bool{}
	var order []string
	for _, operation := range d.operations {
		for _, tag := range operation.Tags {
			if !used[tag] {
				used[tag] = true
				order = append(order, tag)
			}
		}
	}
	var tags []Tag
	listed := map[string]bool{}
	for _, n := range d.root().list("tags") {
		name := n.text("name")
		if name == "" || listed[name] {
			continue
		}
		listed[name] = true
		if internal(n) {
			continue
		}
		tags = append(tags, Tag{
			Name: name, Title: cmp.Or(n.text("x-page-title"), n.text("x-displayName"), n.text("summary"), name),
			Description: cmp.Or(n.text("x-page-description"), n.text("description")),
			Icon:        n.text("x-page-icon"), Parent: cmp.Or(n.text("x-parent"), n.text("parent")),
		})
	}
	for _, name := range order {
		if !listed[name] {
			tags = append(tags, Tag{Name: name, Title: name})
		}
	}
	return tags
}

// internal reports whether the author keeps a part out of what readers see.
func internal(n *Node) bool { return n.flag("x-internal") || n.flag("x-gitbook-ignore") }

// prepare lists the operations.
func (d *Document) prepare() {
	d.byPlace = map[place]*Operation{}
	root := d.root()
	d.operations = d.list(root.object("paths"), false)
	d.webhooks = d.list(root.object("webhooks"), true)
	if schemas := root.object("components").object("schemas"); schemas != nil {
		for i, key := range schemas.Keys {
			if !strings.HasPrefix(key.Text, "x-") && !internal(schemas.Items[i]) {
				d.schemas = append(d.schemas, key.Text)
			}
		}
	}
}

func (d *Document) list(paths *Node, webhook bool) []*Operation {
	operations := d.operationsOf(paths, webhook)
	for _, operation := range operations {
		at := place{operation.Method, operation.Path}
		if webhook {
			at.method = "hook " + operation.Method
		}
		d.byPlace[at] = operation
	}
	return operations
}

// operationsOf reads the operations of an object of paths.
func (d *Document) operationsOf(paths *Node, webhook bool) []*Operation {
	if paths == nil || paths.Kind != Object {
		return nil
	}
	var operations []*Operation
	for i, key := range paths.Keys {
		item := paths.Items[i].follow()
		if item == nil || item.Kind != Object || internal(item) || strings.HasPrefix(key.Text, "x-") {
			continue
		}
		for _, method := range methods {
			n := item.object(method)
			if n == nil || internal(n) {
				continue
			}
			operation := &Operation{
				Method: method, Path: key.Text, ID: n.text("operationId"),
				Summary:     cmp.Or(strings.TrimSpace(n.text("summary")), item.text("summary")),
				Description: n.text("description"), Tags: n.texts("tags"), Deprecated: n.flag("deprecated"),
				Webhook:  webhook,
				document: d, item: item, node: n,
			}
			operation.named = operation.Summary != ""
			if !operation.named {
				operation.Summary = cmp.Or(operation.ID, strings.ToUpper(method)+" "+key.Text)
			}
			operations = append(operations, operation)
		}
	}
	return operations
}
