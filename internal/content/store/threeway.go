package store

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/merge"
)

// ConflictError says that a change cannot be merged with what others have changed. Its kind is errs.Conflict.
type ConflictError struct {
	// Head is the revision that the change would have come onto.
	Head id.Revision
	// Conflicts is what both sides changed: Ours is the head, Theirs the change.
	Conflicts []merge.Conflict
}

// Error names the first conflict and counts the others.
func (e *ConflictError) Error() string { return e.refusal().Error() }

// Unwrap makes the error one of the kind errs.Conflict, with the conflicts as details.
func (e *ConflictError) Unwrap() error { return e.refusal() }

// maxConflictDetails bounds the details of an error message.
const maxConflictDetails = 20

func (e *ConflictError) refusal() *errs.Error {
	var summary strings.Builder
	summary.WriteString("somebody else has changed the same content meanwhile")
	for _, c := range e.Conflicts[:min(len(e.Conflicts), 1)] {
		summary.WriteString(fmt.Sprintf(": %s (%s)", describeConflict(c), strings.Join(c.Entries, ", ")))
	}
	if more := len(e.Conflicts) - 1; more > 0 {
		summary.WriteString(fmt.Sprintf(", and %d more", more))
	}
	refusal := errs.Conflictf("%s; read revision %s and make the change again.", summary.String(), e.Head)
	for _, c := range e.Conflicts[:min(len(e.Conflicts), maxConflictDetails)] {
		refusal.Details = append(refusal.Details, errs.Detail{Path: strings.Join(c.Entries, ","),
			Message: describeConflict(c)})
	}
	return refusal
}

func describeConflict(c merge.Conflict) string {
	switch c.Type {
	case merge.FieldConflict:
		return fmt.Sprintf("both sides changed %s", c.Field)
	case merge.BodyConflicts:
		return fmt.Sprintf("both sides changed the text at %d places", len(c.Hunks))
	case merge.EditDelete:
		return "one side deleted what the other edited"
	case merge.DuplicateID:
		return "both sides added something else under this id"
	case merge.ParentDeleted:
		return fmt.Sprintf("the page that it is below, %s, was deleted", c.Parent)
	case merge.MoveCycle:
		return "both sides moved pages below each other"
	case merge.SlugConflict:
		return fmt.Sprintf("both would have the slug %q", c.Slug)
	}
	return string(c.Type)
}

// threeWay is a merge of two sets of changes since a base.
type threeWay struct {
	base         *View
	ours, theirs []merge.Change
	// bodies are known beside those in the database.
	bodies map[string][]byte
	// fixSlugs lets ours keep a slug that both want, and gives theirs a number behind it.
	fixSlugs bool
	// keepOurs settles every conflict with ours; they are reported all the same.
	keepOurs bool
	choices  map[string]merge.Choice
}

// maxSettling is how often a merge is run again because a choice has brought up further conflicts.
const maxSettling = 32

// merge merges. Conflicts that need nobody's decision are settled: between automatic redirects, and those that the
// fields above say. settled, if not nil, receives what keepOurs has decided.
func (t threeWay) merge(ctx context.Context, settled func(merge.Conflict)) (merge.Result, error) {
	in := merge.Input{Base: baseLookup{t.base}, Ours: t.ours, Theirs: t.theirs, Bodies: t.body,
		Choices: maps.Clone(t.choices)}
	if in.Choices == nil {
		in.Choices = map[string]merge.Choice{}
	}
	for range maxSettling {
		result, err := merge.Merge(ctx, in)
		if err != nil {
			return merge.Result{}, fmt.Errorf("merge: %w", err)
		}
		decided := false
		for _, c := range result.Conflicts {
			choice, ok := t.decide(c)
			if !ok {
				continue
			}
			if settled != nil && !onRedirect(c) {
				settled(c)
			}
			in.Choices[c.ID] = choice
			decided = true
		}
		if !decided {
			return result, nil
		}
	}
	return merge.Result{}, fmt.Errorf("merge: %d rounds of choices have not settled it", maxSettling)
}

// decide settles a conflict that is not worth a person's time.
func (t threeWay) decide(c merge.Conflict) (merge.Choice, bool) {
	switch {
	case onRedirect(c):
		return decideRedirect(c)
	case t.keepOurs, t.fixSlugs && c.Type == merge.SlugConflict:
		return merge.Choice{Take: merge.Ours}, true
	}
	return merge.Choice{}, false
}

// onRedirect reports whether a conflict is about a redirect.
func onRedirect(c merge.Conflict) bool {
	return len(c.Entries) == 1 && strings.HasPrefix(c.Entries[0], "redirect:")
}

// decideRedirect settles conflicts between redirects as moves leave them: one that exists wins over none, else ours.
// What somebody has written by hand (a target that is no plain page, a path of several segments) is left to people.
func decideRedirect(c merge.Conflict) (merge.Choice, bool) {
	for _, value := range []any{c.Ours, c.Theirs} {
		switch v := value.(type) {
		case nil:
		case *doc.Ref:
			if !plainPage(v) {
				return merge.Choice{}, false
			}
		case *entity.Entry:
			if strings.Contains(v.Path, "/") || !plainPage(v.Target) {
				return merge.Choice{}, false
			}
		default:
			return merge.Choice{}, false
		}
	}
	if c.Ours == nil {
		return merge.Choice{Take: merge.Theirs}, true
	}
	return merge.Choice{Take: merge.Ours}, true
}

func plainPage(t *doc.Ref) bool {
	return t != nil && *t == doc.Ref{Kind: doc.RefPage, Page: t.Page}
}

func (t threeWay) body(ctx context.Context, hash string) ([]byte, error) {
	if body, known := t.bodies[hash]; known {
		return body, nil
	}
	return t.base.service.body(ctx, t.base.q, hash)
}

// baseLookup reads a revision as package merge wants it.
type baseLookup struct{ view *View }

// Entry returns an entry, nil when there is none.
func (b baseLookup) Entry(ctx context.Context, id string) (*entity.Entry, error) {
	return b.view.find(ctx, id)
}

// Child returns the id of a page by its place, "" when there is none.
func (b baseLookup) Child(ctx context.Context, parent, slug string) (string, error) {
	c, _, err := b.view.lookup(ctx, parent, slug)
	return c.ID, err
}

// changesBetween lists what differs between two revisions.
func changesBetween(ctx context.Context, from, to *View) ([]merge.Change, error) {
	var changes []merge.Change
	for c, err := range from.Diff(ctx, to) {
		if err != nil {
			return nil, err
		}
		changes = append(changes, merge.Change(c))
	}
	return changes, nil
}

// mergeChanges lists what a draft changes.
func mergeChanges(d *draft) []merge.Change {
	var changes []merge.Change
	for id, e := range d.changes() {
		changes = append(changes, merge.Change{ID: id, Before: d.before[id], After: e})
	}
	return changes
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
