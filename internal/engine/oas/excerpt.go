package oas

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/engine/doc"
)

// Shown is what of a description somebody gets to see.
type Shown struct {
	// About says that they read what the description says of itself.
	About   bool
	places  map[place]bool
	schemas map[string]bool
}

// Add adds what a block shows.
func (s *Shown) Add(block doc.Type, data *doc.OpenAPIData) {
	if s.places == nil {
		s.places, s.schemas = map[place]bool{}, map[string]bool{}
	}
	method := strings.ToLower(data.Method)
	switch block {
	case doc.OpenAPIOperation, doc.Swagger:
		s.places[place{method, data.Path}] = true
	case doc.OpenAPIWebhook:
		s.places[place{"hook " + method, data.Name}] = true
	case doc.OpenAPISchemas:
		for _, name := range data.Schemas {
			s.schemas[name] = true
		}
	}
}

// Merge adds what other has.
func (s *Shown) Merge(other *Shown) {
	if other == nil {
		return
	}
	if s.places == nil {
		s.places, s.schemas = map[place]bool{}, map[string]bool{}
	}
	s.About = s.About || other.About
	for at := range other.places {
		s.places[at] = true
	}
	for name := range other.schemas {
		s.schemas[name] = true
	}
}

// Excerpt writes a bundle, as Bundle does, of what is shown and of what that refers to; all else is not there, nor are
// extensions and links, which no reference shows. It is nil when nothing of the description is shown.
func (d *Document) Excerpt(shown *Shown) ([]byte, error) {
	e := &excerpt{document: d, whole: map[part]bool{}, bare: map[*Node]bool{}, made: map[part]*Node{},
		closed: map[*Node]bool{}}
	if !e.mark(shown) {
		return nil, nil
	}
	var files []File
	for i, file := range d.files {
		root := e.cut(file.Root, false)
		if i > 0 && root == nil {
			continue
		}
		if i == 0 && root.Get("paths") == nil {
			root.set("paths", root.objectOf())
		}
		files = append(files, File{Address: file.Address, Root: root})
	}
	return (&Document{files: files}).Bundle()
}

// part is a node as one whose members the author has named, or not.
type part struct {
	node  *Node
	named bool
}

// excerpt makes one.
type excerpt struct {
	document *Document
	// whole is what is kept with all below it; of bare nodes only the own reference is kept.
	whole map[part]bool
	bare  map[*Node]bool
	// closed are nodes that hold everything, which no reference brings in as a whole.
	closed map[*Node]bool
	made   map[part]*Node
}

// mark finds what is kept. It reports whether anything is shown.
func (e *excerpt) mark(shown *Shown) bool {
	root := e.document.root()
	components := root.object("components")
	for _, holder := range []*Node{root, root.object("paths"), root.object("webhooks"), components} {
		e.closed[holder] = true
	}
	if components != nil {
		for _, section := range components.Items {
			e.closed[section] = true
		}
	}
	any, tags := shown.About, map[string]bool{}
	for at := range shown.places {
		operation := e.document.byPlace[at]
		if operation == nil {
			continue
		}
		any = true
		e.operation(operation, root)
		for _, tag := range operation.Tags {
			tags[tag] = true
		}
		for _, together := range operation.Security() {
			for _, credential := range together {
				e.keep(components.object("securitySchemes").Get(credential.Name), false)
			}
		}
	}
	for _, name := range e.document.schemas {
		if shown.schemas[name] {
			any = true
			e.keep(components.object("schemas").Get(name), false)
		}
	}
	for _, tag := range root.list("tags") {
		switch {
		case !tags[tag.text("name")]:
		case shown.About:
			e.keep(tag, false)
		default:
			e.keep(tag.Get("name"), false)
		}
	}
	for _, name := range []string{"openapi", "jsonSchemaDialect", "servers", "security"} {
		e.keep(root.Get(name), false)
	}
	info := root.object("info")
	for _, name := range []string{"title", "version"} {
		e.keep(info.Get(name), false)
	}
	if shown.About {
		e.keep(info, false)
	}
	return any
}

// operation keeps an operation with what its path says of all of them.
func (e *excerpt) operation(o *Operation, root *Node) {
	holder := root.object("paths")
	if o.Webhook {
		holder = root.object("webhooks")
	}
	for at := holder.Get(o.Path); at != nil && at.target != nil && !e.bare[at]; at = at.target {
		e.bare[at] = true
	}
	for i, item := range o.item.Items {
		if name := o.item.Keys[i].Text; !slices.Contains(methods, name) && !dropped(o.item, i, false) {
			_, authors := o.item.below(i, false)
			e.keep(item, authors && item.Kind == Object)
		}
	}
	e.keep(o.node, false)
}

// keep keeps a node with all below it and all that this refers to.
func (e *excerpt) keep(n *Node, named bool) {
	if n == nil || e.whole[part{n, named}] || e.closed[n] {
		return
	}
	e.whole[part{n, named}] = true
	if n.target != nil {
		e.keep(n.target, false)
	}
	for i, item := range n.Items {
		if dropped(n, i, named) {
			continue
		}
		if below, authors := n.below(i, named); below {
			e.keep(item, authors)
		}
	}
}

// dropped reports whether a member of an object is in no excerpt.
func dropped(n *Node, i int, named bool) bool {
	if n.Kind != Object || named {
		return false
	}
	name, item := n.Keys[i].Text, n.Items[i]
	return strings.HasPrefix(name, "x-") || name == "links" ||
		slices.Contains(methods, name) && item.Kind == Object && internal(item)
}

// cut returns what is kept of a node, nil for nothing.
func (e *excerpt) cut(n *Node, named bool) *Node {
	if n == nil {
		return nil
	}
	at := part{n, named}
	if made, known := e.made[at]; known {
		return made
	}
	e.made[at] = nil
	whole := e.whole[at]
	if n.scalar() {
		if !whole {
			return nil
		}
		e.made[at] = n
		return n
	}
	made, tags := n.make(n.Kind, ""), n == e.document.root().Get("tags")
	for i, item := range n.Items {
		if dropped(n, i, named) {
			continue
		}
		below, authors := n.below(i, named)
		kept := item
		switch {
		case e.bare[n] && n.Keys[i].Text == "$ref", whole && !below:
		default:
			kept = e.cut(item, authors)
		}
		switch {
		case kept == nil && n.Kind == List && !tags:
			made.Items = append(made.Items, n.make(Null, "")) // references count the entries
		case kept == nil:
		case n.Kind == List:
			made.Items = append(made.Items, kept)
		default:
			made.set(n.Keys[i].Text, kept)
		}
	}
	empty := !slices.ContainsFunc(made.Items, func(item *Node) bool { return item.Kind != Null })
	if empty && !whole {
		return nil
	}
	e.made[at] = made
	return made
}

// String says what is shown, the same for the same.
func (s *Shown) String() string {
	var parts []string
	for at := range s.places {
		parts = append(parts, fmt.Sprintf("%q %q", at.method, at.path))
	}
	for name := range s.schemas {
		parts = append(parts, fmt.Sprintf("%q", name))
	}
	slices.Sort(parts)
	return fmt.Sprint(s.About, parts)
}
