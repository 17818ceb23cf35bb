package importer

import (
	"bytes"
	"context"
	"crypto/sha256"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/importer/source"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/pagefile/links"
)

// mirrors reports whether what a source leaves out can be told from what it has lost: a crawl may miss pages, and a
// single document says nothing of others.
func (s Source) mirrors() bool {
	return s == SourceAuto || s == SourceZIP || s == SourceWiki || s == SourceConfluence || s == SourceNotion
}

// similar is the least part of their lines that two bodies share when the pages with them are taken for one that was
// renamed, as Git has it.
const similar = 0.5

// mirroring is what an import knows that makes a space, or what is below a page of it, the same as its source.
type mirroring struct {
	// renamed are pages that are there under another path.
	renamed map[*source.Page]*entity.Entry
	// taken are the entries that a page of the source stands for.
	taken map[string]bool
}

// follow finds out which pages of the source are there under another path: those with the same text, and those with the
// same title and much of the text. Pages that are where they were are left alone.
func (a *assembly) follow(ctx context.Context, there []*store.TreeNode) error {
	made, gone := a.unmatched(there)
	if len(made) == 0 || len(gone) == 0 {
		return nil
	}
	old := make([]body, 0, len(gone))
	for _, node := range gone {
		text, err := a.view.Body(ctx, node.Entry)
		if err != nil {
			return err
		}
		old = append(old, newBody(node.Entry.Title, text))
	}
	young := make([]body, 0, len(made))
	for _, page := range made {
		text, err := page.Body.Bytes()
		if err != nil {
			return err
		}
		young = append(young, newBody(page.Entry.Title, text))
	}
	for _, same := range []func(a, b body) bool{
		func(a, b body) bool { return a.title == b.title && a.sum == b.sum },
		func(a, b body) bool { return a.lines != nil && a.sum == b.sum },
		func(a, b body) bool { return a.title == b.title && a.shares(b) >= similar },
	} {
		pair(young, old, same, func(i, j int) { a.mirror.renamed[made[i]] = gone[j].Entry })
	}
	return nil
}

// unmatched returns documents of the source at paths where nothing is, and documents that are there at paths that the
// source does not have.
func (a *assembly) unmatched(there []*store.TreeNode) (made []*source.Page, gone []*store.TreeNode) {
	var visit func(pages []*source.Page, nodes []*store.TreeNode)
	visit = func(pages []*source.Page, nodes []*store.TreeNode) {
		bySlug := make(map[string]*store.TreeNode, len(nodes))
		for _, node := range nodes {
			bySlug[node.Entry.Slug] = node
		}
		slugs := siblingSlugs(pages)
		for i, page := range pages {
			node := bySlug[slugs[i]]
			delete(bySlug, slugs[i])
			if node == nil {
				if page.Entry.Type == entity.PageDocument {
					made = append(made, page)
				}
				visit(page.Children, nil)
				continue
			}
			visit(page.Children, node.Children)
		}
		for _, node := range nodes {
			if bySlug[node.Entry.Slug] != node {
				continue
			}
			if node.Entry.Type == entity.PageDocument {
				gone = append(gone, node)
			}
			visit(nil, node.Children)
		}
	}
	visit(a.tree.Pages, there)
	return made, gone
}

// body is a text as pages that were renamed are known by: without what links are written as, which differs here.
type body struct {
	title string
	sum   [sha256.Size]byte
	lines map[string]bool // nil for an empty text
	pair  bool
}

func newBody(title string, text []byte) body {
	bare := links.Rewrite(text, func(links.Use) (string, bool) { return "x", true })
	b := body{title: title, sum: sha256.Sum256(bytes.TrimSpace(bare))}
	for line := range strings.Lines(string(bare)) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if b.lines == nil {
			b.lines = map[string]bool{}
		}
		b.lines[line] = true
	}
	return b
}

// shares returns which part of the lines of both another body has, too.
func (b body) shares(other body) float64 {
	if len(b.lines) == 0 && len(other.lines) == 0 {
		return 1
	}
	both := 0
	for line := range b.lines {
		if other.lines[line] {
			both++
		}
	}
	return float64(both) / float64(max(len(b.lines), len(other.lines)))
}

// pair tells of each of the young that has one partner among the old, and is its only one: what could be either stays
// alone.
func pair(young, old []body, same func(a, b body) bool, found func(young, old int)) {
	byOld := make(map[int][]int)
	partners := make([][]int, len(young))
	bySum, byTitle := map[[sha256.Size]byte][]int{}, map[string][]int{}
	for j := range old {
		if !old[j].pair {
			bySum[old[j].sum] = append(bySum[old[j].sum], j)
			byTitle[old[j].title] = append(byTitle[old[j].title], j)
		}
	}
	for i := range young {
		if young[i].pair {
			continue
		}
		seen := map[int]bool{}
		for _, candidates := range [][]int{bySum[young[i].sum], byTitle[young[i].title]} {
			for _, j := range candidates {
				if !seen[j] && same(young[i], old[j]) {
					partners[i] = append(partners[i], j)
					byOld[j] = append(byOld[j], i)
				}
				seen[j] = true
			}
		}
	}
	for i, those := range partners {
		if len(those) == 1 && len(byOld[those[0]]) == 1 {
			young[i].pair, old[those[0]].pair = true, true
			found(i, those[0])
		}
	}
}

// taking returns the entry that a page stands for: the one at its path, or the one that it was before it was renamed.
func (a *assembly) taking(page *source.Page, atPath *entity.Entry) *entity.Entry {
	if a.mirror == nil {
		return atPath
	}
	if atPath == nil || a.mirror.taken[atPath.ID] {
		atPath = a.mirror.renamed[page]
	}
	if atPath == nil || a.mirror.taken[atPath.ID] {
		return nil
	}
	a.mirror.taken[atPath.ID] = true
	return atPath
}

// sweep takes out what the source does not have any more. What is below a page goes with it, unless it moves away.
func (a *assembly) sweep(there []*store.TreeNode) {
	var visit func(nodes []*store.TreeNode, above bool)
	visit = func(nodes []*store.TreeNode, above bool) {
		for _, node := range nodes {
			gone := !a.mirror.taken[node.Entry.ID]
			if gone {
				a.changes.Removed.Add(source.Note{Place: node.Path, Message: node.Entry.Title})
			}
			if gone && !above {
				a.deletes = append(a.deletes, node.Entry.ID)
			}
			visit(node.Children, gone)
		}
	}
	visit(there, false)
}

// notePaths keeps where pages are, to say it of those that move.
func (a *assembly) notePaths(nodes []*store.TreeNode) {
	for _, node := range nodes {
		a.pathsBefore[node.Entry.ID] = node.Path
		a.notePaths(node.Children)
	}
}

// count says which pages an import adds, changes, moves and removes.
func (a *assembly) count() {
	put := make(map[string]bool, len(a.puts))
	for _, each := range a.puts {
		put[each.Entry.ID] = true
	}
	for _, page := range a.ordered {
		note := source.Note{Place: page.source.Place, Message: page.entry.Title}
		switch {
		case page.before == nil:
			a.changes.Added.Add(note)
		case page.before.Parent != page.entry.Parent || page.before.Slug != page.entry.Slug:
			note.Target = a.pathsBefore[page.before.ID]
			a.changes.Moved.Add(note)
		case put[page.entry.ID]:
			a.changes.Updated.Add(note)
		}
	}
	a.report.Changes = &a.changes
}

// errAlone refuses to make a space the same as one document.
func errAlone() error {
	return errs.Invalidf("mirror",
		"is for folders and archives of pages; a single document says nothing of other pages")
}
