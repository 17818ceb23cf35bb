package spec_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/required/requiredtest"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/content/spec"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// growTree makes the tree of entries, which come parents first.
func growTree(entries ...*entity.Entry) *store.Tree {
	tree := &store.Tree{ByID: map[string]*store.TreeNode{}}
	for _, e := range entries {
		node := &store.TreeNode{Entry: e, Path: e.Slug, Parent: tree.ByID[e.Parent]}
		if node.Parent != nil {
			node.Path = node.Parent.Path + "/" + e.Slug
			node.Parent.Children = append(node.Parent.Children, node)
		} else {
			tree.Roots = append(tree.Roots, node)
		}
		tree.ByID[e.ID] = node
		tree.Ordered = append(tree.Ordered, node)
		if tree.Landing == nil && e.Type == entity.PageDocument {
			tree.Landing = node
		}
	}
	return tree
}

func computed(id, parent, slug, title, name string) *entity.Entry {
	return &entity.Entry{
		ID: id, Kind: entity.KindPage, Type: entity.PageComputed, Parent: parent, Slug: slug, Title: title,
		Computed: &entity.Computed{
			Type: spec.ComputedType, Props: map[string]any{"models": true},
			Dependencies: map[string]any{"spec": map[string]any{"ref": map[string]any{"kind": "openapi",
				"spec": name}}},
		},
	}
}

func page(id, parent, slug string) *entity.Entry {
	return &entity.Entry{ID: id, Kind: entity.KindPage, Type: entity.PageDocument, Parent: parent, Slug: slug,
		Title: slug}
}

// shape lists a tree by type, path and title, and holds that it hangs together.
func shape(t *testing.T, tree *store.Tree) []string {
	t.Helper()
	var lines []string
	var walk func(nodes []*store.TreeNode, parent *store.TreeNode)
	walk = func(nodes []*store.TreeNode, parent *store.TreeNode) {
		for _, node := range nodes {
			if node.Parent != parent || tree.ByID[node.Entry.ID] != node || tree.Ordered[len(lines)] != node {
				t.Errorf("%s does not hang together", node.Path)
			}
			lines = append(lines, string(node.Entry.Type)+" "+node.Path+" "+node.Entry.Title)
			walk(node.Children, node)
		}
	}
	walk(tree.Roots, nil)
	if len(lines) != len(tree.Ordered) || len(lines) != len(tree.ByID) {
		t.Errorf("%d pages, %d in order, %d by id", len(lines), len(tree.Ordered), len(tree.ByID))
	}
	return lines
}

const shop = pets + `  /orders:
    get: {summary: List orders, tags: [orders], responses: {"200": {description: All}}}
components: {schemas: {Pet: {type: object}}}
`

func TestExpand(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		spaces := requiredtest.Wire(space.New(space.Deps{DB: d}),
			space.Hooks{InitContent: h.content.Init, DropContent: func(context.Context,
				db.Querier, id.Space) error {
				return nil
			}})

		made, err := spaces.Create(t.Context(), h.admin, h.organization, space.NewSpace{Title: "Docs"})
		if err != nil {
			t.Fatal(err)
		}
		expand := func(tree *store.Tree) *spec.Expansion {
			t.Helper()
			expansion, err := h.Expand(t.Context(), made.ID, tree)
			if err != nil {
				t.Fatal(err)
			}
			return expansion
		}
		if state, err := h.StateOfSpace(t.Context(), made.ID); err != nil || state != "" {
			t.Errorf("without specifications: %q, %v", state, err)
		}
		named := growTree(page("page_1", "", "start"), computed("page_2", "", "api", "API", "shop"),
			page("page_3", "page_2", "pets"), page("page_4", "page_2", "own"))
		before := shape(t, named)
		if diff := cmp.Diff(before, shape(t, expand(named).Tree)); diff != "" {
			t.Errorf("without the specification (-want +got):\n%s", diff)
		}
		h.put(t, "shop", text(shop))
		waiting, err := h.StateOfSpace(t.Context(), made.ID)
		if err != nil || waiting == "" {
			t.Errorf("with a specification that waits: %q, %v", waiting, err)
		}
		if expansion := expand(named); len(expansion.Pages) != 0 {
			t.Error("a specification without a version has pages")
		}
		current := h.run(t, "shop")
		if state, err := h.StateOfSpace(t.Context(), made.ID); err != nil || state == waiting {
			t.Errorf("with a version: %q, %v", state, err)
		}

		want := []string{
			"document start start", "document api API", "document api/pets pets", "document api/orders orders",
			"document api/models Models", "document api/own own",
		}
		expansion := expand(named)
		if diff := cmp.Diff(want, shape(t, expansion.Tree)); diff != "" {
			t.Errorf("below a page (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(before, shape(t, named)); diff != "" {
			t.Errorf("the given tree changed:\n%s", diff)
		}
		if root := expansion.Pages["page_2"]; root.Seed != "info" || len(root.Document.Nodes) == 0 ||
			len(expansion.Pages) != 4 {
			t.Errorf("the first page: %+v", root)
		}
		for id := range expansion.Pages {
			if e := expansion.Tree.ByID[id].Entry; e.Validate() != nil && !strings.Contains(e.Validate().Error(),
				"position") {
				t.Errorf("%s: %v", id, e.Validate())
			}
		}

		// Without a title its pages stand in its place; by id is as good as by slug, and slugs stay unique.
		spliced := growTree(page("page_1", "", "start"), page("page_5", "page_1", "pets"),
			computed("page_2", "page_1", "page", "", current.ID),
			computed("page_6", "page_1", "page-2", "", "shop"), computed("page_7", "page_1", "other", "", "none"))
		want = []string{
			"document start start", "document start/pets pets", "document start/pets-1 pets",
			"document start/orders orders", "document start/models Models",
			"document start/pets-2 pets", "document start/orders-1 orders", "document start/models-1 Models",
			"computed start/other ",
		}
		expansion = expand(spliced)
		if diff := cmp.Diff(want, shape(t, expansion.Tree)); diff != "" {
			t.Errorf("in its place (-want +got):\n%s", diff)
		}
		if len(expansion.Places["page_2"]) != 3 || len(expansion.Places["page_7"]) != 0 {
			t.Errorf("places: %v", expansion.Places)
		}

		// Titles may change, ids and paths stay.
		ids := func(e *spec.Expansion) []string {
			var list []string
			for id := range e.Pages {
				list = append(list, id+" "+e.Tree.ByID[id].Path)
			}
			slices.Sort(list)
			return list
		}
		earlier := ids(expansion)
		h.put(t, "shop", text(strings.ReplaceAll(shop, "List", "See all")))
		h.run(t, "shop")
		if diff := cmp.Diff(earlier, ids(expand(spliced))); diff != "" {
			t.Errorf("another version has other ids (-want +got):\n%s", diff)
		}
		if document, err := h.Document(t.Context(), "org_00000000000000000000000000", current.ID); err != nil ||
			document != nil {
			t.Errorf("from another organization: %v, %v", document, err)
		}
	})
}
