package pub

import (
	"context"
	"crypto/sha256"
	"slices"
	"strings"
	"sync"

	"github.com/rectodocs/recto/internal/content/spec"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/expr"
	"github.com/rectodocs/recto/internal/engine/render"
)

// material is what the editions of a revision share. It is made once per revision and does not change.
type material struct {
	view *store.View
	tree *store.Tree
	// fixed are the flags that a page has by itself for everybody; pages without any are not in it.
	fixed map[*store.TreeNode]pageFlags
	// conditions are what decides for each visitor whether pages are there, each once; on says which one a page has.
	conditions []pageCondition
	on         map[*store.TreeNode]int
	// space is the variables of the space, for expressions.
	space map[string]any
	// computed are the pages made from API specifications, by id. The edition depends on these as soon as it has a page
	// that stands for one, also when there is none yet.
	computed map[string]spec.Computed
	depends  bool
	// downloads are the pages that offer an API description to download, by the slug of its specification.
	downloads map[string][]*store.TreeNode

	// What is only needed now and then is made when it is.
	paths   func() map[string]*store.TreeNode
	sources func() *store.Places
}

// pageCondition is a condition on pages that depends on the visitor.
type pageCondition struct {
	program *expr.Program
	// page is the page whose variables it reads; empty when it reads none, and the pages with its text share it.
	page *entity.Entry
}

// edition is a revision as an audience sees it: which pages there are, which of them are listed, and in what order
// they are read. Visitors for whom all conditions on pages come out alike share one. It does not change.
type edition struct {
	*material
	// outcomes are those of the conditions, "" when there are none.
	outcomes string
	// landing is the page at the root; nil when there is no document to see.
	landing *store.TreeNode
	// reading is every document of the navigation in order, place the index of each in it.
	reading []*store.TreeNode
	place   map[*store.TreeNode]int
	// listed is how many pages the navigation has.
	listed int
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

func newMaterial(ctx context.Context, v *store.View, specs *spec.Service) (*material, error) {
	tree, err := v.Pages(ctx)
	if err != nil {
		return nil, err
	}
	depends := slices.ContainsFunc(tree.Ordered, func(node *store.TreeNode) bool { return spec.IsComputed(node.Entry) })
	var computed map[string]spec.Computed
	downloads := map[string][]*store.TreeNode{}
	if depends && specs != nil {
		expansion, err := specs.Expand(ctx, v.Revision().Space, tree)
		if err != nil {
			return nil, err
		}
		tree, computed = expansion.Tree, expansion.Pages
		for slug, offering := range expansion.Downloads {
			for _, id := range offering {
				downloads[slug] = append(downloads[slug], expansion.Places[id]...)
			}
		}
	}
	variables, err := v.Variables(ctx)
	if err != nil {
		return nil, err
	}
	files, err := v.Files(ctx)
	if err != nil {
		return nil, err
	}
	reusables, err := v.ReusableContents(ctx)
	if err != nil {
		return nil, err
	}
	m := &material{
		view: v, tree: tree, computed: computed, depends: depends, downloads: downloads, space: variables,
		fixed: map[*store.TreeNode]pageFlags{}, on: map[*store.TreeNode]int{},
	}
	m.readConditions(ctx)
	m.paths = sync.OnceValue(func() map[string]*store.TreeNode { return indexPaths(tree) })
	m.sources = sync.OnceValue(func() *store.Places { return store.NewPlaces(tree, files, reusables) })
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
	for _, node := range m.tree.Ordered {
		flags := flagsOf(node.Entry)
		if source := node.Entry.Condition; strings.TrimSpace(source) != "" {
			program, err := expr.Parse(source)
			switch {
			case err != nil:
				flags |= flagAbsent
			case !program.UsesVisitor():
				if render.Outcome(ctx, program, true, m.variables(nobody, node.Entry)) != render.Holds {
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
			m.variables(visitor, condition.page))[0]
	}
	visitor.last.Store(&decision{m, string(outcomes)})
	return string(outcomes)
}

// short is a text of outcomes for the key of a cache.
func short(outcomes string) string {
	if len(outcomes) <= sha256.Size {
		return outcomes
	}
	sum := sha256.Sum256([]byte(outcomes))
	return string(sum[:])
}

// newEdition makes the edition for those whose conditions come out in one way.
func newEdition(m *material, outcomes string) *edition {
	e := &edition{material: m, outcomes: outcomes, place: map[*store.TreeNode]int{},
		flags: map[*store.TreeNode]pageFlags{}}
	for _, node := range m.tree.Ordered {
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
		e.take(node, flags)
	}
	e.words = sync.OnceValue(func() wordIndex { return indexWords(e) })
	return e
}

// take puts a page where it belongs. Pages come in the order of reading.
func (e *edition) take(node *store.TreeNode, flags pageFlags) {
	document := node.Entry.Type == entity.PageDocument
	if document && e.landing == nil && flags&flagAbsent == 0 {
		e.landing = node // also when it is hidden
	}
	if flags&(flagAbsent|flagHidden) != 0 {
		return
	}
	e.listed++
	if document {
		e.place[node] = len(e.reading)
		e.reading = append(e.reading, node)
	}
}

// variables is the context that the expressions of a page are evaluated in.
func (m *material) variables(visitor *Visitor, page *entity.Entry) map[string]any {
	return map[string]any{
		"visitor": visitor.variables,
		"space":   map[string]any{"vars": orEmpty(m.space)},
		"page":    map[string]any{"vars": orEmpty(page.Variables)},
	}
}

func orEmpty(m map[string]any) map[string]any {
	if m == nil {
		return map[string]any{}
	}
	return m
}

// exists reports whether the audience may see a page at all.
func (e *edition) exists(node *store.TreeNode) bool {
	return node != nil && e.flags[node]&flagAbsent == 0
}

// downloadable reports whether a page that this audience sees offers the description of a specification.
func (e *edition) downloadable(slug string) bool {
	return slices.ContainsFunc(e.downloads[slug], e.exists)
}

// inNavigation reports whether a page is listed.
func (e *edition) inNavigation(node *store.TreeNode) bool {
	return e.flags[node]&(flagAbsent|flagHidden) == 0
}

// machines yields the documents that lists for machines have: sitemaps, feeds, llms.txt.
func (e *edition) machines(yield func(*store.TreeNode) bool) {
	for _, node := range e.reading {
		if e.flags[node]&flagNoRobots == 0 && !yield(node) {
			return
		}
	}
}

// indexable reports whether search engines may keep a page.
func (e *edition) indexable(node *store.TreeNode) bool { return e.flags[node]&flagNoRobots == 0 }

// searchable reports whether the site's own search finds a page.
func (e *edition) searchable(node *store.TreeNode) bool {
	return node != nil && e.flags[node]&(flagAbsent|flagHidden|flagNoIndex) == 0
}

// children returns the listed pages directly below a page, or the roots for nil.
func (e *edition) children(node *store.TreeNode) []*store.TreeNode {
	all := e.tree.Roots
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

// firstDocument returns the first document below a page that is not hidden; nil when there is none.
func (e *edition) firstDocument(node *store.TreeNode) *store.TreeNode {
	for _, child := range node.Children {
		if !e.exists(child) || e.flags[child]&flagHidden > e.flags[node]&flagHidden {
			continue
		}
		if child.Entry.Type == entity.PageDocument {
			return child
		}
		if found := e.firstDocument(child); found != nil {
			return found
		}
	}
	return nil
}

// neighbours returns the documents before and after a page; both are nil for a page outside of the navigation.
func (e *edition) neighbours(node *store.TreeNode) (previous, next *store.TreeNode) {
	at, ok := e.place[node]
	if !ok {
		return nil, nil
	}
	if at > 0 {
		previous = e.reading[at-1]
	}
	if at < len(e.reading)-1 {
		next = e.reading[at+1]
	}
	return previous, next
}

// ancestors returns the pages above a page, the highest first.
func ancestors(node *store.TreeNode) []*store.TreeNode {
	var above []*store.TreeNode
	for n := node.Parent; n != nil; n = n.Parent {
		above = append(above, n)
	}
	for i, j := 0, len(above)-1; i < j; i, j = i+1, j-1 {
		above[i], above[j] = above[j], above[i]
	}
	return above
}

// label is what navigation calls a page.
func label(e *entity.Entry) string {
	if title := strings.TrimSpace(e.LinkTitle); title != "" {
		return title
	}
	return title(e)
}

// title is what a page calls itself.
func title(e *entity.Entry) string {
	if t := strings.TrimSpace(e.Title); t != "" {
		return t
	}
	return "Untitled"
}
