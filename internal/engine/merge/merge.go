// Package merge owns the three-way merge of a space's content: two sets of changes since a common base, reconciled
// entry by entry and field by field, and Markdown bodies by blocks and lines.
//
// # Promises
//
// A merge without conflicts is the only one that may be applied. It then has every change of both sides, is the same
// whichever side is called ours, and has the form of a space: no page below a page that is not there, no page below
// itself, no two siblings with one slug (given that both sides have that form). Where the sides cannot be
// reconciled there is a typed conflict; a merge never decides between two edits by itself, but for the
// harmless cases listed below. Cost is O(changes of both sides × log n), whatever the size of the space.
//
// # Rules
//
//   - A field that one side changed has that side's value; one that both changed to the same has that. Else it is a
//     conflict of the field.
//   - Layout, cover, variables and extra are merged by key, tags as a set.
//   - Parent and position are one: who moved a page has said where it is. Two moves to different parents conflict.
//     Two positions below one parent do not: the one that sorts first is taken. A new position below a parent that
//     the other side moved the page away from means nothing.
//   - Who replaced the bytes of a file has also said what their type and dimensions are.
//   - The creation is the earlier one, the update the later one. The file of a Git repository that an entry came from
//     is that of the side that has imported it; when both have, that of the later update. A change of nothing but these
//     is no edit.
//   - Bodies are merged by Body; overlapping changes are a conflict of the body.
//   - An entry deleted on one side and edited on the other is a conflict; so is a page that one side puts below a
//     page that the other deleted, and moves of both sides that put pages below each other.
//   - Variables and redirects that both sides added under one id are merged like changes of an empty entry; other
//     entries of one id with different content conflict.
//
// # Settling
//
// A conflict has an id that depends on what is in conflict. To settle, merge the same input again with Input.Choices;
// a choice can bring up a further conflict, which has its own id. Choices for ids that do not come up are ignored, so
// a choice that was made before one of the sides changed cannot be applied to what it did not see. Choices about the
// places of several pages can contradict each other; then a conflict stays although there is a choice for it. Choices
// that all take one side never do.
package merge

import (
	"context"

	"github.com/rectodocs/recto/internal/engine/entity"
)

// Side names one of the three versions, or a way to combine them, in a Choice.
type Side string

// Sides. Which of them a conflict can be settled with is said at each ConflictType.
const (
	Base   Side = "base"
	Ours   Side = "ours"
	Theirs Side = "theirs"
	Both   Side = "both"  // bodies: ours, then theirs
	Value  Side = "value" // the value in Choice.Value
)

// Lookup reads the base. Merge asks it only about what the changes touch.
type Lookup interface {
	// Entry returns the entry of an id, nil when there is none. Merge does not change it.
	Entry(ctx context.Context, id string) (*entity.Entry, error)
	// Child returns the id of the page with a slug below a parent ("" is the root), "" when there is none.
	Child(ctx context.Context, parent, slug string) (string, error)
}

// Change is an entry that differs between the base and a side. Before is nil for one that was added, After for one
// that was deleted. Merge does not change the entries.
type Change struct {
	ID            string
	Before, After *entity.Entry
}

// Input is what a merge is made of. Base is read through a Lookup, the sides are given by their changes since
// then, in any order, each id at most once. Whoever deletes a page deletes or moves what is below it.
type Input struct {
	Base         Lookup
	Ours, Theirs []Change
	// Bodies returns a body by its hash. Merge asks for those of pages that both sides changed, never for "".
	Bodies func(ctx context.Context, hash string) ([]byte, error)
	// Choices settle conflicts, by Conflict.ID.
	Choices map[string]Choice
}

// Result is the outcome of a merge.
type Result struct {
	// Changes lead from ours to the merged content: entries by id, nil for one that is deleted. They are the
	// caller's. With conflicts they are a preview and must not be applied: what is in conflict is as ours has it.
	Changes map[string]*entity.Entry
	// NewBodies are the merged bodies that neither side has, by hash.
	NewBodies map[string][]byte
	// Conflicts are in a fixed order. None means that the merge may be applied.
	Conflicts []Conflict
}

// ConflictType says what is in conflict.
type ConflictType string

// Types of conflicts.
const (
	// FieldConflict: both sides changed a field, or a key of a field ("variables.name"), differently. The values are
	// those of the field; for "parent" ids of pages, for "blob" hashes of files. The field "entry" stands for the
	// whole entry: the changes make no valid entry together, as a body does in a page that became a group.
	// Settled with base, ours, theirs, or with a value unless it is blob or entry.
	FieldConflict ConflictType = "field"
	// BodyConflicts: both sides changed the body at the places in Hunks. The values are hashes of bodies. Settled
	// with base, ours, theirs or both for all places, with Choice.Hunks for each, or with the text as a string value.
	BodyConflicts ConflictType = "body"
	// EditDelete: one side deleted what the other edited. The values are entries, or nil. Settled with base, ours or
	// theirs; an entry that stays brings back the pages above it.
	EditDelete ConflictType = "edit-delete"
	// DuplicateID: both sides added different entries under one id. The values are entries. Settled with ours or
	// theirs.
	DuplicateID ConflictType = "duplicate-id"
	// ParentDeleted: one side added or moved a page below Parent, which the other deleted. The values are the
	// entries of the page. Settled with ours or theirs: the side that has the parent brings it back, with the pages
	// above it; with the other the page is where that side has it, or is not.
	ParentDeleted ConflictType = "parent-deleted"
	// MoveCycle: the sides moved pages below each other. The values are the parents of the moved pages, by id.
	// Settled with ours or theirs: all of them are where that side has them.
	MoveCycle ConflictType = "move-cycle"
	// SlugConflict: the pages in Entries, all below Parent, have one Slug. The values are the id of the page that
	// has it on each side, or "". Settled with ours or theirs, whose page keeps the slug; the others get a number
	// behind it. With a value, the page of theirs keeps it and that of ours gets the value.
	SlugConflict ConflictType = "slug"
)

// Conflict is something that the sides disagree about.
type Conflict struct {
	// ID depends on everything below. Exchanging the sides gives other ids.
	ID   string       `json:"id"`
	Type ConflictType `json:"type"`
	// Entries are the ids of the entries in conflict, sorted.
	Entries []string `json:"entries"`
	Field   string   `json:"field,omitempty"`
	Parent  string   `json:"parent,omitempty"`
	Slug    string   `json:"slug,omitempty"`
	// Base, Ours and Theirs are the three values; what they are depends on Type. Nil is no value.
	Base   any `json:"base"`
	Ours   any `json:"ours"`
	Theirs any `json:"theirs"`
	// Hunks are the places in conflict of a body.
	Hunks []BodyConflict `json:"hunks,omitempty"`
}

// Choice settles a conflict.
type Choice struct {
	Take Side `json:"take"`
	// Value is the value when Take says so, in the form of entity.Field.Set.
	Value any `json:"value,omitempty"`
	// Hunks choose for each place of a body; Take is ignored then.
	Hunks []Side `json:"hunks,omitempty"`
}

// Merge merges two sides. Exchanging them gives the same content when there is no conflict, and the conflicts with
// their sides exchanged when there are. An error is either of Lookup or Bodies, or errs.Invalid for a choice that
// does not fit its conflict.
func Merge(ctx context.Context, in Input) (Result, error) {
	m := newMerger(in)
	for _, id := range m.ids {
		if err := m.mergeEntry(ctx, m.entries[id]); err != nil {
			return Result{}, err
		}
	}
	if err := m.mergePlaces(ctx); err != nil {
		return Result{}, err
	}
	if err := m.mergeSlugs(ctx); err != nil {
		return Result{}, err
	}
	return m.result(ctx)
}
