// Package reference owns what a site's navigation and pages say of operations of APIs: which description among the
// files of the site has one, what it is called, and the block of a page that shows it.
package reference

import (
	"cmp"
	"context"
	"path"
	"regexp"
	"strings"

	"github.com/rectodocs/recto/internal/content/importer/filetree"
	"github.com/rectodocs/recto/internal/engine/oas"
	"github.com/rectodocs/recto/internal/engine/pagefile/links"
)

// Operation is one operation of a description.
type Operation struct {
	// File is the path of the description from the root of the site with a slash before it, or its address.
	File string
	// Method is in lower case, Path as the description writes it.
	Method, Path string
	// Title is what to call it.
	Title string
}

// Block returns the Markdown that shows an operation on a page of its own.
func (o Operation) Block() string {
	return `{% openapi src="` + links.EncodeAttribute(o.File) + `" path="` + links.EncodeAttribute(o.Path) +
		`" method="` + o.Method + "\" headless=\"true\" %}\n[" + path.Base(o.File) + "](<" + o.File +
		">)\n{% endopenapi %}\n"
}

// Group is the operations of a tag.
type Group struct {
	// Title is that of the tag, "" for operations without one.
	Title      string
	Operations []Operation
}

// maxFiles is how many descriptions of a site are looked at.
const maxFiles = 20

// Set is the descriptions of a site.
type Set struct {
	site  *filetree.Tree
	names []string
	read  map[string]*oas.Document
}

// NewSet returns the set of descriptions of a site, which has none yet.
func NewSet(site *filetree.Tree) *Set { return &Set{site: site, read: map[string]*oas.Document{}} }

// Add adds a description by what the configuration calls it: a path from the root of the site, or an address.
func (s *Set) Add(name string) {
	if name = clean(name); name != "" && len(s.names) < maxFiles {
		s.names = append(s.names, name)
	}
}

// clean returns an address as it is, and a path with a slash before it.
func clean(name string) string {
	if name = strings.TrimSpace(name); name == "" || strings.Contains(name, "://") {
		return name
	}
	return path.Clean("/" + name)
}

// document returns what a file describes, nil for one that is not there or cannot be read.
func (s *Set) document(name string) *oas.Document {
	if found, known := s.read[name]; known {
		return found
	}
	var found *oas.Document
	if data, err := s.site.Read(strings.TrimPrefix(name, "/"), oas.MaxBytes); err == nil && len(s.read) < maxFiles {
		if document, _, err := oas.Read(context.Background(), data, oas.Options{}); err == nil {
			found = document
		}
	}
	s.read[name] = found
	return found
}

var written = regexp.MustCompile(
	`^(?:(\S+)[ \t]+)?(?i:(get|put|post|delete|options|head|patch|trace))[ \t]+(/\S*)[ \t]*$`)

// Find returns the operation that a text names: "POST /pets", or the file that describes it before that. Without the
// file it is one of the first description that has it: of those that are preferred, then of all. One at an address is
// believed to have it.
func (s *Set) Find(text string, preferred ...string) (Operation, bool) {
	m := written.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil {
		return Operation{}, false
	}
	method, at := strings.ToLower(m[2]), m[3]
	names := []string{clean(m[1])}
	if m[1] == "" {
		names = nil
		for _, each := range preferred {
			names = append(names, clean(each))
		}
		names = append(names, s.names...)
	}
	remote := ""
	for _, name := range names {
		if strings.Contains(name, "://") {
			remote = cmp.Or(remote, name)
			continue
		}
		if document := s.document(name); document != nil {
			if found := document.Operation(method, at); found != nil {
				return Operation{File: name, Method: method, Path: at, Title: found.Summary}, true
			}
		}
	}
	return Operation{File: remote, Method: method, Path: at, Title: strings.ToUpper(method) + " " + at}, remote != ""
}

// All returns the operations of a description by their first tags, in the order of the description.
func (s *Set) All(name string) []Group {
	document := s.document(clean(name))
	if document == nil {
		return nil
	}
	titles := map[string]string{}
	for _, tag := range document.Tags() {
		titles[tag.Name] = tag.Title
	}
	var groups []Group
	places := map[string]int{}
	for _, each := range document.Operations() {
		tag := ""
		if len(each.Tags) > 0 {
			tag = each.Tags[0]
		}
		at, known := places[tag]
		if !known {
			at = len(groups)
			places[tag] = at
			groups = append(groups, Group{Title: cmp.Or(titles[tag], tag)})
		}
		groups[at].Operations = append(groups[at].Operations, Operation{File: clean(name), Method: each.Method,
			Path: each.Path, Title: each.Summary})
	}
	return groups
}
