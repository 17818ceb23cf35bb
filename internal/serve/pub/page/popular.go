package page

import (
	"cmp"
	"slices"

	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/serve/pub/edition"
	"github.com/rectodocs/recto/internal/serve/pub/scope"
)

// maxWeighed bounds how many pages are compared.
const maxWeighed = 2000

// mostRead are the pages of a space that were read most on this site, of those that this reader finds; then the first
// ones.
func (p *Pages) mostRead(s *scope.Scope, most int) []*store.TreeNode {
	type weighed struct {
		node  *store.TreeNode
		count int
	}
	var pages []weighed
	for _, node := range s.Edition.Reading[:min(len(s.Edition.Reading), maxWeighed)] {
		if s.Edition.Searchable(node) {
			pages = append(pages, weighed{node, p.deps.Search.Readings(node.Entry.ID, string(s.Space.ID))})
		}
	}
	slices.SortStableFunc(pages, func(a, b weighed) int { return -cmp.Compare(a.count, b.count) })
	var nodes []*store.TreeNode
	for _, each := range pages[:min(len(pages), most)] {
		nodes = append(nodes, each.node)
	}
	return nodes
}

// popularHits are what the dialog shows before there is a word.
func (p *Pages) popularHits(s *scope.Scope) []searchHit {
	hits := []searchHit{}
	for _, node := range p.mostRead(s, popularShown) {
		hits = append(hits, searchHit{Title: []string{edition.PlainTitle(edition.Title(node.Entry))},
			URL: s.PageURL(node), Crumb: joinCrumbs(s.PartTitle(), crumbText(node)), Sections: []searchSection{}})
	}
	return hits
}

// popularShown is how many popular pages are shown.
const popularShown = 5
