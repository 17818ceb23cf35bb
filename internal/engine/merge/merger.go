package merge

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/engine/entity"
)

// entry is an id that a side changed, in its three versions and the merged one. Nil is no entry.
type entry struct {
	id                 string
	base, ours, theirs *entity.Entry
	merged             *entity.Entry

	changedOurs, changedTheirs bool

	// What is open takes no part in the checks of the page tree: those would depend on which side is called ours.
	lifeOpen  bool // whether it exists, and as what
	placeOpen bool // below which page it is
	// parentOpen is a placeOpen that the entry's own fields are the reason of; parentChosen a parent that was chosen
	// as a value.
	parentOpen, parentChosen bool
	slugOpen                 bool

	// keep brings back the pages above: somebody chose that this one stays.
	keep bool
	// dropped is the side whose deletion of the page above was chosen; it goes for the pages below, too.
	dropped Side
}

// on returns the version of a side.
func (e *entry) on(side Side) *entity.Entry {
	switch side {
	case Ours:
		return e.ours
	case Theirs:
		return e.theirs
	}
	return e.base
}

// page reports whether a version is a page that exists.
func page(e *entity.Entry) bool { return e != nil && e.Kind == entity.KindPage }

// merger carries a merge.
type merger struct {
	in        Input
	ids       []string // sorted
	entries   map[string]*entry
	bodies    map[string][]byte
	conflicts []Conflict
}

func newMerger(in Input) *merger {
	m := &merger{in: in, entries: make(map[string]*entry, len(in.Ours)+len(in.Theirs)), bodies: map[string][]byte{}}
	for _, c := range in.Ours {
		m.entries[c.ID] = &entry{id: c.ID, base: c.Before, ours: c.After, theirs: c.Before, changedOurs: true}
	}
	for _, c := range in.Theirs {
		e := m.entries[c.ID]
		if e == nil {
			e = &entry{id: c.ID, base: c.Before, ours: c.Before}
			m.entries[c.ID] = e
		}
		e.theirs, e.changedTheirs = c.After, true
	}
	m.ids = slices.Sorted(maps.Keys(m.entries))
	return m
}

// conflict gives a conflict its id and returns the choice that settles it, or records it.
func (m *merger) conflict(c Conflict) (Choice, bool) {
	c.ID = conflictID(c)
	choice, settled := m.in.Choices[c.ID]
	if !settled {
		m.conflicts = append(m.conflicts, c)
	}
	return choice, settled
}

// conflictOnce is conflict for what is looked at more than once: the choice is returned the first time only, so that
// one that does not help cannot be used for ever.
func (m *merger) conflictOnce(c Conflict, used map[string]bool) (Choice, bool) {
	c.ID = conflictID(c)
	choice, settled := m.in.Choices[c.ID]
	if !settled || used[c.ID] {
		m.conflicts = append(m.conflicts, c)
		return Choice{}, false
	}
	used[c.ID] = true
	return choice, true
}

// conflictID hashes what is in conflict. Values that do not encode cannot occur: entries have been encoded before.
func conflictID(c Conflict) string {
	encoded, err := json.Marshal(c)
	if err != nil {
		encoded = []byte(string(c.Type) + "\x00" + c.Entries[0] + "\x00" + c.Field)
	}
	sum := sha256.Sum256(encoded)
	return hex.EncodeToString(sum[:12])
}

// wrongChoice is the error for a choice that does not fit.
func wrongChoice(c Conflict, want string) error {
	return errs.Invalidf("choices."+conflictID(c), "a conflict of type %s is settled with %s", c.Type, want)
}

// at returns the merged version of an id, and the entry behind it when a side changed it.
func (m *merger) at(ctx context.Context, id string) (*entity.Entry, *entry, error) {
	if e, changed := m.entries[id]; changed {
		return e.merged, e, nil
	}
	found, err := m.in.Base.Entry(ctx, id)
	return found, nil, err
}

// result collects the outcome.
func (m *merger) result(ctx context.Context) (Result, error) {
	if len(m.conflicts) > 0 {
		if err := m.previewPlaces(ctx); err != nil {
			return Result{}, err
		}
	}
	r := Result{Changes: map[string]*entity.Entry{}, NewBodies: map[string][]byte{}, Conflicts: m.conflicts}
	for _, id := range m.ids {
		e := m.entries[id]
		if entity.Equal(e.merged, e.ours) {
			continue
		}
		r.Changes[id] = e.merged.Clone()
		if e.merged != nil {
			if body, made := m.bodies[e.merged.Body]; made {
				r.NewBodies[e.merged.Body] = body
			}
		}
	}
	slices.SortFunc(r.Conflicts, func(a, b Conflict) int {
		return cmp.Or(slices.Compare(a.Entries, b.Entries), cmp.Compare(a.Type, b.Type), cmp.Compare(a.Field, b.Field))
	})
	return r, nil
}
