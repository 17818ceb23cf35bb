// Package edition owns which pages of a revision a visitor gets: which there are, which are listed and in what order
// they are read, which search and machines find, and which may have been meant by an address that has no page.
//
// An edition is a revision prepared for those for whom all conditions on its pages come out alike. It knows nothing of
// sites and addresses, never changes, and is kept for all who share it.
package edition

import (
	"crypto/sha256"
	"slices"
	"sync"

	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/oas"
	"github.com/rectodocs/recto/internal/engine/render"
)

// Edition is a revision as an audience sees it: which pages there are, which of them are listed, and in what order
// they are read. Visitors for whom all conditions on pages come out alike share one. It does not change.
type Edition struct {
	*material
	// Outcomes are those of the conditions, "" when there are none.
	Outcomes string
	// Landing is the page at the root; nil when there is no document to see.
	Landing *store.TreeNode
	// Reading is every document of the navigation in order, place the index of each in it.
	Reading []*store.TreeNode
	place   map[*store.TreeNode]int
	// Listed is how many pages the navigation has.
	Listed int
	// flags are those of a page and its ancestors together; pages without any are not in it.
	flags map[*store.TreeNode]pageFlags

	words func() wordIndex
}

// pageFlags says what a page is kept out of.
type pageFlags uint8

const (
	flagAbsent   pageFlags = 1 << iota // does not exist for this audience
	flagHidden                         // not in the navigation, nor before or after another page
	flagNoIndex                        // not in search
	flagNoRobots                       // not in sitemaps and other lists for machines
)

// ShortKey is a text of outcomes for the key of a cache.
func ShortKey(outcomes string) string {
	if len(outcomes) <= sha256.Size {
		return outcomes
	}
	sum := sha256.Sum256([]byte(outcomes))
	return string(sum[:])
}

// newEdition makes the edition for those whose conditions come out in one way.
func newEdition(m *material, outcomes string) *Edition {
	e := &Edition{material: m, Outcomes: outcomes, place: map[*store.TreeNode]int{},
		flags: map[*store.TreeNode]pageFlags{}}
	for _, node := range m.Tree.Ordered {
		flags := m.fixed[node]
		if at, ok := m.on[node]; ok && outcomes[at:at+1] != render.Holds {
			flags |= flagAbsent
		}
		if node.Parent != nil {
			flags |= e.flags[node.Parent]
		}
		if flags != 0 {
			e.flags[node] = flags
		}
		e.add(node, flags)
	}
	e.words = sync.OnceValue(func() wordIndex { return indexWords(e) })
	return e
}

// add puts a page where it belongs. Pages come in the order of reading.
func (e *Edition) add(node *store.TreeNode, flags pageFlags) {
	document := node.Entry.Type == entity.PageDocument
	if document && e.Landing == nil && flags&flagAbsent == 0 {
		e.Landing = node // also when it is hidden
	}
	if flags&(flagAbsent|flagHidden) != 0 {
		return
	}
	e.Listed++
	if document {
		e.place[node] = len(e.Reading)
		e.Reading = append(e.Reading, node)
	}
}

// Exists reports whether the audience may see a page at all.
func (e *Edition) Exists(node *store.TreeNode) bool {
	return node != nil && e.flags[node]&flagAbsent == 0
}

// Downloadable reports whether a page that this audience sees offers the description of a specification.
func (e *Edition) Downloadable(slug string) bool {
	return slices.ContainsFunc(e.downloads[slug], e.Exists)
}

// Model says where this audience finds a model of a specification.
func (e *Edition) Model(slug, name string) (doc.Ref, bool) {
	page, ok := e.models[slug][name]
	if !ok || !e.Exists(e.Tree.ByID[page]) {
		return doc.Ref{}, false
	}
	return doc.Ref{Kind: doc.RefAnchor, Page: page, Anchor: oas.ModelAnchor(name)}, true
}

// Method is the method of the operation that a page describes, "hook" for a webhook, "" for other pages.
func (e *Edition) Method(node *store.TreeNode) string {
	method, _ := e.Computed[node.Entry.ID].Source.Props["method"].(string)
	return method
}

// Deprecated reports whether a page describes an operation that is deprecated.
func (e *Edition) Deprecated(node *store.TreeNode) bool {
	deprecated, _ := e.Computed[node.Entry.ID].Source.Props["deprecated"].(bool)
	return deprecated
}

// inNavigation reports whether a page is listed.
func (e *Edition) inNavigation(node *store.TreeNode) bool {
	return e.flags[node]&(flagAbsent|flagHidden) == 0
}

// Conditional reports whether some pages are there for some visitors alone.
func (e *Edition) Conditional() bool { return len(e.conditions) > 0 }

// AbsentPages returns the ids of the pages that are not there for this audience.
func (e *Edition) AbsentPages() []string {
	var ids []string
	for node, flags := range e.flags {
		if flags&flagAbsent != 0 {
			ids = append(ids, node.Entry.ID)
		}
	}
	return ids
}

// Similar returns the pages that may have been meant by a path, the best first.
func (e *Edition) Similar(path string) []*store.TreeNode { return e.words().similar(path) }

// ForMachines yields the documents that lists for machines have: sitemaps, feeds, llms.txt.
func (e *Edition) ForMachines(yield func(*store.TreeNode) bool) {
	for _, node := range e.Reading {
		if e.flags[node]&flagNoRobots == 0 && !yield(node) {
			return
		}
	}
}

// Indexable reports whether search engines may keep a page.
func (e *Edition) Indexable(node *store.TreeNode) bool { return e.flags[node]&flagNoRobots == 0 }

// Searchable reports whether the site's own search finds a page.
func (e *Edition) Searchable(node *store.TreeNode) bool {
	return node != nil && e.flags[node]&(flagAbsent|flagHidden|flagNoIndex) == 0
}

// Children returns the listed pages directly below a page, or the roots for nil.
func (e *Edition) Children(node *store.TreeNode) []*store.TreeNode {
	all := e.Tree.Roots
	if node != nil {
		all = node.Children
	}
	for i, child := range all {
		if e.inNavigation(child) {
			continue
		}
		// Only now a copy is worth its price: most levels are listed whole.
		listed := append([]*store.TreeNode(nil), all[:i]...)
		for _, other := range all[i+1:] {
			if e.inNavigation(other) {
				listed = append(listed, other)
			}
		}
		return listed
	}
	return all
}

// FirstDocument returns the first document below a page that is not hidden; nil when there is none.
func (e *Edition) FirstDocument(node *store.TreeNode) *store.TreeNode {
	for _, child := range node.Children {
		if !e.Exists(child) || e.flags[child]&flagHidden > e.flags[node]&flagHidden {
			continue
		}
		if child.Entry.Type == entity.PageDocument {
			return child
		}
		if found := e.FirstDocument(child); found != nil {
			return found
		}
	}
	return nil
}

// Neighbours returns the documents before and after a page; both are nil for a page outside of the navigation.
func (e *Edition) Neighbours(node *store.TreeNode) (previous, next *store.TreeNode) {
	at, ok := e.place[node]
	if !ok {
		return nil, nil
	}
	if at > 0 {
		previous = e.Reading[at-1]
	}
	if at < len(e.Reading)-1 {
		next = e.Reading[at+1]
	}
	return previous, next
}
