package store

import (
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/pagefile"
)

// Place is where the page's Markdown is, or would be.
func (n *TreeNode) Place() string {
	return pagefile.OfPage(n.Entry, n.Path, len(n.Children) > 0)
}

// Places finds what a revision holds by where it is in the Markdown tree: the form in which content that came from
// files mentions it.
type Places struct {
	pages map[string]*TreeNode
	files map[string]*entity.Entry
}

// NewPlaces makes the index of a tree with its files. Of several in one place the first counts.
func NewPlaces(tree *Tree, files []*entity.Entry) *Places {
	p := &Places{
		pages: make(map[string]*TreeNode, 2*len(tree.Ordered)), files: make(map[string]*entity.Entry, len(files)),
	}
	for _, node := range tree.Ordered {
		if node.Entry.Path != "" {
			setOnce(p.pages, node.Entry.Path, node)
		}
	}
	// What pages would be called, for those that no file has that name.
	for _, node := range tree.Ordered {
		if node.Entry.Type != entity.PageLink {
			for _, name := range pagefile.Paths(node.Path) {
				setOnce(p.pages, name, node)
			}
		}
	}
	if tree.Landing != nil {
		setOnce(p.pages, pagefile.Readme, tree.Landing)
	}
	for _, file := range files {
		setOnce(p.files, pagefile.Of(file), file)
	}
	return p
}

func setOnce[V any](m map[string]V, key string, value V) {
	if _, taken := m[key]; !taken {
		m[key] = value
	}
}

// Find returns the page or the file that a place means on a page, which may be nil for the root; both are nil when
// nothing is there.
func (p *Places) Find(from *TreeNode, place string) (*TreeNode, *entity.Entry) {
	for _, meaning := range pagefile.Meanings(placeOf(from), place) {
		if node := p.pages[meaning.Path]; node != nil && meaning.Kind == entity.KindPage {
			return node, nil
		}
		if file := p.files[meaning.Path]; file != nil && meaning.Kind == entity.KindFile {
			return nil, file
		}
	}
	return nil, nil
}

func placeOf(from *TreeNode) string {
	if from == nil {
		return ""
	}
	return from.Place()
}
