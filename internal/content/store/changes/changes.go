// Package changes owns saying in the words of people what differs between two revisions of a space: which pages, files,
// reusable contents and variables were created, edited, deleted or moved, and which of their attributes.
//
// It promises that every difference that people can make is named once, in an order that depends on the two revisions
// alone, and that finding them costs O(changes × (depth + log n)), whatever the size of the space. What the server
// keeps for itself (automatic redirects, times, the file that an import read something from) is not named.
package changes

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
)

// Kind says what happened.
type Kind string

// Kinds of changes.
const (
	PageCreated     Kind = "page_created"
	PageEdited      Kind = "page_edited"
	PageDeleted     Kind = "page_deleted"
	PageMoved       Kind = "page_moved" // it has another parent, or another place among its siblings
	FileCreated     Kind = "file_created"
	FileEdited      Kind = "file_edited"
	FileDeleted     Kind = "file_deleted"
	VariablesEdited Kind = "variables_edited"
	ReusableCreated Kind = "reusable_content_created"
	ReusableEdited  Kind = "reusable_content_edited"
	ReusableDeleted Kind = "reusable_content_deleted"
)

// Change is one thing that happened to one entity. A page that was moved and edited has two.
type Change struct {
	Kind Kind
	// Entry is the entity as the newer revision has it; the older one for what was deleted. It is shared.
	Entry *entity.Entry
	// Path is the path of a page in that revision.
	Path string
	// Before and After are the parents of a page that was moved, nil at the root.
	Before, After *Parent
	// Attributes are what was edited, in the order of entity.Fields; for VariablesEdited the variables, by name.
	// The addresses that people have made lead to a page are its attribute "redirects", with values of type []string.
	Attributes []Attribute
}

// Parent is a page that another one is or was below.
type Parent struct {
	Entry *entity.Entry
	Path  string
}

// Attribute is one edited attribute. Before and After are values as entity.Field.Get returns them, nil for none. The
// body is the attribute "document", with the hashes of the two bodies; the bytes of a file are "blob"; its size in
// pixels is "dimensions", with values of type Dimensions.
type Attribute struct {
	Name          string
	Before, After any
}

// Dimensions is the size of an image in pixels.
type Dimensions struct{ Width, Height int }

// List is what differs between two revisions.
type List struct {
	Changes []Change
	// Total is the number of all changes, also of those that a limit has left out.
	Total int
}

// Between returns what differs from one revision to another of the same space, at most limit changes: pages by path,
// then files by name, reusable contents by title, and variables. limit below 0 means all.
func Between(ctx context.Context, from, to *store.View, limit int) (List, error) {
	older, newer := newPlaces(from), newPlaces(to)
	var found []Change
	leads := newAddresses(older, newer)
	for difference, err := range from.Diff(ctx, to) {
		if err != nil {
			return List{}, fmt.Errorf("compare revisions: %w", err)
		}
		if err := leads.note(ctx, difference, ""); err != nil {
			return List{}, err
		}
		named, err := name(ctx, difference, older, newer)
		if err != nil {
			return List{}, err
		}
		found = append(found, named...)
	}
	found, err := leads.into(ctx, found)
	if err != nil {
		return List{}, err
	}
	slices.SortStableFunc(found, compare)
	list := List{Changes: found, Total: len(found)}
	if limit >= 0 && limit < len(found) {
		list.Changes = found[:limit]
	}
	return list, nil
}

// name says what a difference of entries means.
func name(ctx context.Context, d store.Change, older, newer *places) ([]Change, error) {
	switch entry := cmp.Or(d.After, d.Before); entry.Kind {
	case entity.KindPage:
		return namePage(ctx, d, older, newer)
	case entity.KindFile:
		return nameEntry(d, FileCreated, FileEdited, FileDeleted, fileAttributes), nil
	case entity.KindReusable:
		return nameEntry(d, ReusableCreated, ReusableEdited, ReusableDeleted, attributes), nil
	case entity.KindVariables:
		if edited := variables(d.Before, d.After); len(edited) > 0 {
			return []Change{{Kind: VariablesEdited, Entry: entry, Attributes: edited}}, nil
		}
	}
	return nil, nil
}

func namePage(ctx context.Context, d store.Change, older, newer *places) ([]Change, error) {
	if d.After == nil {
		path, err := older.path(ctx, d.Before)
		return []Change{{Kind: PageDeleted, Entry: d.Before, Path: path}}, err
	}
	path, err := newer.path(ctx, d.After)
	if err != nil {
		return nil, err
	}
	if d.Before == nil {
		return []Change{{Kind: PageCreated, Entry: d.After, Path: path}}, nil
	}
	var named []Change
	if d.Before.Parent != d.After.Parent || d.Before.Position != d.After.Position {
		moved := Change{Kind: PageMoved, Entry: d.After, Path: path}
		if moved.Before, err = older.parent(ctx, d.Before); err != nil {
			return nil, err
		}
		if moved.After, err = newer.parent(ctx, d.After); err != nil {
			return nil, err
		}
		named = append(named, moved)
	}
	if edited := attributes(d.Before, d.After); len(edited) > 0 {
		named = append(named, Change{Kind: PageEdited, Entry: d.After, Path: path, Attributes: edited})
	}
	return named, nil
}

// nameEntry names what happened to an entity that has no place.
func nameEntry(d store.Change, created, edited, deleted Kind,
	differing func(before, after *entity.Entry) []Attribute) []Change {
	switch {
	case d.After == nil:
		return []Change{{Kind: deleted, Entry: d.Before}}
	case d.Before == nil:
		return []Change{{Kind: created, Entry: d.After}}
	}
	if differing := differing(d.Before, d.After); len(differing) > 0 {
		return []Change{{Kind: edited, Entry: d.After, Attributes: differing}}
	}
	return nil
}

// silent are the fields whose changes are not named as attributes: what the server keeps for itself, and what is named
// otherwise.
var silent = []string{"kind", "parent", "position", "path", "createdAt", "updatedAt", "width", "height", "git",
	"frontMatter"}

// attributes lists the fields in which two entries differ.
func attributes(before, after *entity.Entry) []Attribute {
	var differing []Attribute
	for _, field := range entity.Fields() {
		if slices.Contains(silent, field.Name) || field.Equal(before, after) {
			continue
		}
		attribute := Attribute{Name: field.Name, Before: field.Get(before), After: field.Get(after)}
		if field.Name == "body" {
			attribute.Name = "document"
		}
		differing = append(differing, attribute)
	}
	return differing
}

func fileAttributes(before, after *entity.Entry) []Attribute {
	differing := attributes(before, after)
	if before.Width == after.Width && before.Height == after.Height {
		return differing
	}
	return append(differing, Attribute{Name: "dimensions", Before: dimensions(before), After: dimensions(after)})
}

func dimensions(e *entity.Entry) any {
	if e.Width == 0 || e.Height == 0 {
		return nil
	}
	return Dimensions{Width: e.Width, Height: e.Height}
}

// variables lists the variables of a space that differ. A nil entry has none.
func variables(before, after *entity.Entry) []Attribute {
	values := func(e *entity.Entry) map[string]any {
		if e == nil {
			return nil
		}
		return e.Variables
	}
	older, newer := values(before), values(after)
	var differing []Attribute
	for name, value := range newer {
		if was, there := older[name]; !there || !entity.EqualValues(was, value) {
			differing = append(differing, Attribute{Name: name, Before: was, After: value})
		}
	}
	for name, was := range older {
		if _, there := newer[name]; !there {
			differing = append(differing, Attribute{Name: name, Before: was})
		}
	}
	slices.SortFunc(differing, func(a, b Attribute) int { return cmp.Compare(a.Name, b.Name) })
	return differing
}

// compare orders changes: pages by path, files by name, reusable contents by title, variables; what happened to one
// entity stays in the order in which it was named.
func compare(a, b Change) int {
	return cmp.Or(
		cmp.Compare(rank(a.Entry.Kind), rank(b.Entry.Kind)),
		cmp.Compare(a.Path, b.Path),
		cmp.Compare(a.Entry.Name, b.Entry.Name),
		cmp.Compare(a.Entry.Title, b.Entry.Title),
		cmp.Compare(a.Entry.ID, b.Entry.ID),
	)
}

func rank(kind entity.Kind) int {
	return slices.Index([]entity.Kind{entity.KindPage, entity.KindFile, entity.KindReusable, entity.KindVariables},
		kind)
}

// places finds the paths of pages in one revision, each ancestor read once.
type places struct {
	view  *store.View
	known map[string]*Parent
}

func newPlaces(view *store.View) *places {
	return &places{view: view, known: map[string]*Parent{}}
}

// path returns the path of a page of the revision.
func (p *places) path(ctx context.Context, e *entity.Entry) (string, error) {
	parent, err := p.parent(ctx, e)
	if err != nil {
		return "", err
	}
	if parent == nil {
		return e.Slug, nil
	}
	return parent.Path + "/" + e.Slug, nil
}

// parent returns the page that another page is below, nil at the root.
func (p *places) parent(ctx context.Context, e *entity.Entry) (*Parent, error) {
	if e.Parent == "" {
		return nil, nil
	}
	if known, ok := p.known[e.Parent]; ok {
		return known, nil
	}
	above, err := p.view.Entry(ctx, e.Parent)
	if err != nil {
		return nil, fmt.Errorf("read the page above %s: %w", e.ID, err)
	}
	path, err := p.path(ctx, above)
	if err != nil {
		return nil, err
	}
	p.known[above.ID] = &Parent{Entry: above, Path: path}
	return p.known[above.ID], nil
}

// Page returns what differs in one page: nothing when it is in neither of the revisions, or the same in both.
func Page(ctx context.Context, from, to *store.View, pageID string) ([]Change, error) {
	var d store.Change
	for _, side := range []struct {
		view  *store.View
		entry **entity.Entry
	}{{from, &d.Before}, {to, &d.After}} {
		found, err := side.view.Entry(ctx, pageID)
		if err != nil && !errs.Is(err, errs.NotFound) {
			return nil, fmt.Errorf("read page %s: %w", pageID, err)
		}
		if err == nil && found.Kind == entity.KindPage {
			*side.entry = found
		}
	}
	if d.Before == nil && d.After == nil {
		return nil, nil
	}
	older, newer := newPlaces(from), newPlaces(to)
	named, err := namePage(ctx, d, older, newer)
	if err != nil || d.Before == nil || d.After == nil {
		return named, err
	}
	leads := newAddresses(older, newer)
	for difference, err := range from.Diff(ctx, to) {
		if err != nil {
			return nil, fmt.Errorf("compare revisions: %w", err)
		}
		if err := leads.note(ctx, difference, pageID); err != nil {
			return nil, err
		}
	}
	return leads.into(ctx, named)
}
