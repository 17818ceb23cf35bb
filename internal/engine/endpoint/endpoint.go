// Package endpoint reads how people and programs name the operations of HTTP APIs: by a path, with a method or without.
// It says which operations a document describes and how well one is what was asked for.
package endpoint

import (
	"strings"

	"github.com/rectodocs/recto/internal/engine/doc"
)

// maxListed bounds the operations of one page that are found by their address.
const maxListed = 1000

// In lists the operations that a document describes, each as "method /path" with its variables left open,
// as Address.Match reads them.
func In(document *doc.Document) []string {
	var found []string
	var walk func(nodes []*doc.Node)
	walk = func(nodes []*doc.Node) {
		for _, n := range nodes {
			data, ok := n.Data.(*doc.OpenAPIData)
			if ok && (n.Type == doc.OpenAPIOperation || n.Type == doc.Swagger) {
				if data.Method != "" && strings.HasPrefix(data.Path, "/") && len(found) < maxListed {
					found = append(found, Of(data.Method, data.Path))
				}
				continue
			}
			walk(n.Nodes)
			for _, fragment := range n.Fragments {
				walk(fragment.Nodes)
			}
		}
	}
	walk(document.Nodes)
	return found
}

// Of writes an operation as Address.Match reads it.
func Of(method, path string) string { return strings.ToLower(method) + " " + openPath(path) }

// openPath is a path with its variables left open: /pets/{id} is /pets/{}.
func openPath(path string) string {
	segments := strings.Split(strings.ToLower(strings.TrimRight(path, "/")), "/")
	for i, segment := range segments {
		if isVariable(segment) {
			segments[i] = "{}"
		}
	}
	return strings.Join(segments, "/")
}

// isVariable reports whether a segment of a path stands for something, as people write that: {id}, :id, <id>.
func isVariable(segment string) bool {
	if segment == "" {
		return false
	}
	last := segment[len(segment)-1]
	return segment[0] == '{' && last == '}' || segment[0] == ':' && len(segment) > 1 || segment[0] == '<' && last == '>'
}

// Address is how people and programs name an operation: by its path, with a method or without.
type Address struct {
	method string // "" for any
	path   string // with its variables left open
}

// methods are those that operations have.
var methods = map[string]bool{
	"get": true, "post": true, "put": true, "patch": true, "delete": true, "head": true, "options": true,
	"trace": true, "query": true,
}

// Parse reads a text as the address of an operation: a path, maybe behind a method or a host. It reports whether
// it is one.
func Parse(text string) (Address, bool) {
	fields := strings.Fields(strings.ToLower(text))
	var asked Address
	if len(fields) == 2 && methods[fields[0]] {
		asked.method, fields = fields[0], fields[1:]
	}
	if len(fields) != 1 {
		return asked, false
	}
	path, _, _ := strings.Cut(fields[0], "?")
	if _, behind, ok := strings.Cut(path, "://"); ok {
		_, path, ok = strings.Cut(behind, "/")
		if !ok {
			return asked, false
		}
		path = "/" + path
	}
	if !strings.HasPrefix(path, "/") {
		if !strings.Contains(path, "/") && asked.method == "" {
			return asked, false // a word
		}
		path = "/" + path
	}
	if path = openPath(path); path == "" {
		return asked, false
	}
	asked.path = path
	return asked, true
}

// How well the address of an operation is what was asked for.
const (
	exactAddress  float32 = 4
	filledAddress float32 = 3 // with values in the place of its variables
	behindBase    float32 = 2 // with more in front, such as the base path of a server
	begunAddress  float32 = 1 // not finished
)

// Match says how well an operation of a page is the one that was asked for; 0 when it is not.
func (a Address) Match(operation string) float32 {
	method, path, _ := strings.Cut(operation, " ")
	if a.method != "" && a.method != method {
		return 0
	}
	if path == a.path {
		return exactAddress
	}
	asked, segments := strings.Split(a.path, "/")[1:], strings.Split(path, "/")[1:]
	over := len(asked) - len(segments)
	switch {
	case over >= 0 && fills(asked[over:], segments):
		if over > 0 {
			return behindBase
		}
		return filledAddress
	case over <= 0 && begins(asked, segments):
		// The shorter one comes first.
		return begunAddress - float32(min(len(path), 500))/1000
	}
	return 0
}

// fills reports whether segments of an address are those of a path, with anything where it has a variable; at least one
// segment is in both.
func fills(asked, path []string) bool {
	same := false
	for i, segment := range path {
		switch {
		case segment == asked[i]:
			same = same || segment != "{}"
		case segment != "{}" || asked[i] == "":
			return false
		}
	}
	return same
}

// begins reports whether a path begins with segments, the last of which may be unfinished.
func begins(asked, path []string) bool {
	last := len(asked) - 1
	for i := range last {
		if path[i] != asked[i] && path[i] != "{}" {
			return false
		}
	}
	return asked[last] != "" && strings.HasPrefix(path[last], asked[last])
}
