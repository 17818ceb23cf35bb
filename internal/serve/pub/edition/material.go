package edition

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/rectodocs/recto/internal/content/page"
	"github.com/rectodocs/recto/internal/content/spec"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/expr"
	"github.com/rectodocs/recto/internal/engine/render"
)

// material is what the editions of a revision share. It is made once per revision and does not change.
type material struct {
	View *store.View
	Tree *store.Tree
	// fixed are the flags that a page has by itself for everybody; pages without any are not in it.
	fixed map[*store.TreeNode]pageFlags
	// conditions are what decides for each visitor whether pages are there, each once; on says which one a page has.
	conditions []pageCondition
	on         map[*store.TreeNode]int
	// Pages reads the pages of the revision.
	Pages *page.Revision
	// Computed are the pages made from API specifications, by id. The edition depends on these as soon as it has a page
	// that stands for one, also when there is none yet.
	Computed map[string]spec.Computed
	depends  bool
	// downloads are the pages that offer an API description to download, by the slug of its specification.
	downloads map[string][]*store.TreeNode
	// models are the ids of the pages with the models of specifications, by slug and name.
	models map[string]map[string]string

	// What is only needed now and then is made when it is.
	Paths   func() map[string]*store.TreeNode
	Sources func() *store.Places
}

// pageCondition is a condition on pages that depends on the visitor.
type pageCondition struct {
	program *expr.Program
	// page is the page whose variables it reads; empty when it reads none, and the pages with its text share it.
	page *entity.Entry
}

func newMaterial(ctx context.Context, v *store.View, specs *spec.Service) (*material, error) {
	tree, err := v.Pages(ctx)
	if err != nil {
		return nil, err
	}
	depends := slices.ContainsFunc(tree.Ordered, func(node *store.TreeNode) bool { return spec.IsComputed(node.Entry) })
	var computed map[string]spec.Computed
	var models map[string]map[string]string
	downloads := map[string][]*store.TreeNode{}
	if depends {
		expansion, err := specs.Expand(ctx, v.Revision().Space, tree)
		if err != nil {
			return nil, err
		}
		tree, computed, models = expansion.Tree, expansion.Pages, expansion.Models
		for slug, offering := range expansion.Downloads {
			for _, id := range offering {
				downloads[slug] = append(downloads[slug], expansion.Places[id]...)
			}
		}
	}
	pages, err := page.Open(ctx, v)
	if err != nil {
		return nil, err
	}
	files, err := v.Files(ctx)
	if err != nil {
		return nil, err
	}
	m := &material{
		View: v, Tree: tree, Computed: computed, depends: depends, downloads: downloads, Pages: pages,
		models: models,
		fixed:  map[*store.TreeNode]pageFlags{}, on: map[*store.TreeNode]int{},
	}
	m.readConditions(ctx)
	m.Paths = sync.OnceValue(func() map[string]*store.TreeNode { return indexPaths(tree) })
	m.Sources = sync.OnceValue(func() *store.Places { return store.NewPlaces(tree, files) })
	return m, nil
}

// indexPaths finds pages by their paths. Links answer at none.
func indexPaths(tree *store.Tree) map[string]*store.TreeNode {
	paths := make(map[string]*store.TreeNode, len(tree.Ordered))
	for _, node := range tree.Ordered {
		if node.Entry.Type != entity.PageLink {
			paths[node.Path] = node
		}
	}
	return paths
}

// readConditions sets what the pages' own fields say. Conditions that are the same for everybody are decided here.
func (m *material) readConditions(ctx context.Context) {
	known := map[string]int{}
	for _, node := range m.Tree.Ordered {
		flags := flagsOf(node.Entry)
		if source := node.Entry.Condition; strings.TrimSpace(source) != "" {
			program, err := expr.Parse(source)
			switch {
			case err != nil:
				flags |= flagAbsent
			case !program.UsesVisitor():
				if render.Outcome(ctx, program, true, m.Variables(Nobody, node.Entry)) != render.Holds {
					flags |= flagAbsent
				}
			default:
				m.on[node] = m.condition(known, program, node.Entry)
			}
		}
		if flags != 0 {
			m.fixed[node] = flags
		}
	}
}

// condition returns the place of a condition among those of all pages.
func (m *material) condition(known map[string]int, program *expr.Program, page *entity.Entry) int {
	key, made := program.Source(), pageCondition{program: program, page: &entity.Entry{}}
	if slices.ContainsFunc(program.Variables(), func(path string) bool {
		root, _, _ := strings.Cut(path, ".")
		return root == "page"
	}) {
		key += "\x00" + page.ID
		made.page = page
	}
	at, ok := known[key]
	if !ok {
		at = len(m.conditions)
		known[key] = at
		m.conditions = append(m.conditions, made)
	}
	return at
}

// flagsOf returns what a page's own fields say, without its condition.
func flagsOf(entry *entity.Entry) (flags pageFlags) {
	if entry.Type == entity.PageComputed {
		flags |= flagAbsent
	}
	if entry.Hidden {
		flags |= flagHidden
	}
	if entry.NoIndex {
		flags |= flagNoIndex | flagNoRobots
	}
	if entry.NoRobotsIndex {
		flags |= flagNoRobots
	}
	return flags
}

// decide returns what comes of the conditions on pages for a visitor, a byte each.
func (m *material) decide(visitor *Visitor) string {
	if len(m.conditions) == 0 {
		return ""
	}
	if last := visitor.last.Load(); last != nil && last.material == m {
		return last.outcomes
	}
	outcomes := make([]byte, len(m.conditions))
	for i, condition := range m.conditions {
		outcomes[i] = render.Outcome(context.Background(), condition.program, true,
			m.Variables(visitor, condition.page))[0]
	}
	visitor.last.Store(&decision{m, string(outcomes)})
	return string(outcomes)
}

// Variables is the context that the expressions of a page are evaluated in.
func (m *material) Variables(visitor *Visitor, e *entity.Entry) map[string]any {
	return m.Pages.Variables(e, visitor.variables)
}
