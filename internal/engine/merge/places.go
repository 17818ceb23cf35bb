package merge

import (
	"context"
	"slices"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/engine/entity"
)

// mergePlaces checks the page tree that the merged entries make: every page below one that is there, none below
// itself. Choices change the tree, which can make further conflicts, so it looks again until nothing changes; each
// choice is used once, so that ends.
func (m *merger) mergePlaces(ctx context.Context) error {
	used := map[string]bool{}
	for {
		if err := m.restoreParents(ctx); err != nil {
			return err
		}
		open := len(m.conflicts)
		changed, err := m.settleOrphans(used)
		if err != nil {
			return err
		}
		if !changed {
			if changed, err = m.settleCycles(ctx, used); err != nil {
				return err
			}
		}
		if !changed {
			return m.checkChosenParents(ctx)
		}
		// What was found before the change is looked for again.
		m.conflicts = m.conflicts[:open]
		for _, id := range m.ids {
			m.entries[id].placeOpen = m.entries[id].parentOpen
		}
	}
}

// restoreParents brings back deleted pages above the pages that somebody chose to keep, from the side that has them.
func (m *merger) restoreParents(ctx context.Context) error {
	for _, id := range m.ids {
		e := m.entries[id]
		if !e.keep || !page(e.merged) {
			continue
		}
		seen := map[string]bool{}
		for parent := e.merged.Parent; parent != "" && !seen[parent]; {
			seen[parent] = true
			version, above, err := m.at(ctx, parent)
			if err != nil {
				return err
			}
			if version == nil && above != nil && !above.lifeOpen {
				for _, side := range []Side{Ours, Theirs, Base} {
					if above.merged == nil {
						above.merged = above.on(side)
					}
				}
				version = above.merged
			}
			if version == nil {
				break
			}
			parent = version.Parent
		}
	}
	return nil
}

// settleOrphans finds pages below a page that the merge deletes. It reports whether a choice changed the tree.
func (m *merger) settleOrphans(used map[string]bool) (changed bool, err error) {
	for _, id := range m.ids {
		e := m.entries[id]
		if !page(e.merged) || e.lifeOpen || e.placeOpen || e.merged.Parent == "" {
			continue
		}
		above := m.entries[e.merged.Parent]
		if above != nil && above.lifeOpen {
			// Whether the parent stays is a conflict already; this page is looked at when that is settled.
			e.placeOpen = true
			continue
		}
		if above == nil || above.merged != nil {
			continue
		}
		if above.dropped != "" {
			m.fallBack(e, above.dropped)
			changed = true
			continue
		}
		c := Conflict{Type: ParentDeleted, Entries: []string{id}, Parent: above.id}
		c.Base, c.Ours, c.Theirs = entryValue(e.base), entryValue(e.ours), entryValue(e.theirs)
		choice, settled := m.conflictOnce(c, used)
		switch {
		case !settled:
			e.placeOpen = true
			continue
		case choice.Take != Ours && choice.Take != Theirs:
			return false, wrongChoice(c, "ours or theirs")
		case above.on(choice.Take) != nil:
			e.keep = true
		default:
			m.fallBack(e, choice.Take)
		}
		changed = true
	}
	return changed, nil
}

// fallBack puts a page where a side has it, or deletes it with what is below when that side does not have it.
func (m *merger) fallBack(e *entry, side Side) {
	version := e.on(side)
	if !page(version) {
		e.merged = nil
		e.dropped = side
		return
	}
	e.merged = moved(e.merged, version)
}

// moved returns a page at the place of another version of it.
func moved(e, to *entity.Entry) *entity.Entry {
	e = e.Clone()
	e.Parent, e.Position = to.Parent, to.Position
	return e
}

// settleCycles finds pages that are below themselves. It reports whether a choice changed the tree.
func (m *merger) settleCycles(ctx context.Context, used map[string]bool) (changed bool, err error) {
	cycles, err := m.cycles(ctx)
	if err != nil {
		return false, err
	}
	for _, cycle := range cycles {
		c := Conflict{Type: MoveCycle}
		base, ours, theirs := map[string]string{}, map[string]string{}, map[string]string{}
		for _, id := range cycle {
			e := m.entries[id]
			if e == nil {
				continue
			}
			c.Entries = append(c.Entries, id)
			for _, version := range []struct {
				parents map[string]string
				entry   *entity.Entry
			}{{base, e.base}, {ours, e.ours}, {theirs, e.theirs}} {
				if version.entry != nil {
					version.parents[id] = version.entry.Parent
				}
			}
		}
		slices.Sort(c.Entries)
		c.Base, c.Ours, c.Theirs = base, ours, theirs
		choice, settled := m.conflictOnce(c, used)
		if !settled {
			for _, id := range c.Entries {
				m.entries[id].placeOpen = true
			}
			continue
		}
		if choice.Take != Ours && choice.Take != Theirs {
			return false, wrongChoice(c, "ours or theirs")
		}
		for _, id := range c.Entries {
			if e := m.entries[id]; page(e.on(choice.Take)) {
				e.merged = moved(e.merged, e.on(choice.Take))
			}
		}
		changed = true
	}
	return changed, nil
}

// cycles returns the cycles among the merged parents. Pages whose place or life is open end a walk: a cycle through
// them may not come about. A page has one parent, so cycles do not meet, and which there are does not depend on
// where the walks begin.
func (m *merger) cycles(ctx context.Context) ([][]string, error) {
	var cycles [][]string
	const (
		walking = 1
		done    = 2
	)
	state := map[string]int{}
	for _, id := range m.ids {
		// A cycle goes through a page that was moved or added.
		e := m.entries[id]
		if !page(e.merged) || e.base != nil && e.base.Parent == e.merged.Parent {
			continue
		}
		var path []string
		for at := id; at != ""; {
			if state[at] == walking {
				cycles = append(cycles, slices.Clone(path[slices.Index(path, at):]))
			}
			if state[at] != 0 {
				break
			}
			version, changed, err := m.at(ctx, at)
			if err != nil {
				return nil, err
			}
			if !page(version) || changed != nil && (changed.lifeOpen || changed.placeOpen) {
				break
			}
			state[at] = walking
			path = append(path, at)
			at = version.Parent
		}
		for _, at := range path {
			state[at] = done
		}
	}
	return cycles, nil
}

// checkChosenParents refuses a chosen value for a parent that is no page.
func (m *merger) checkChosenParents(ctx context.Context) error {
	for _, id := range m.ids {
		e := m.entries[id]
		if !e.parentChosen || !page(e.merged) || e.merged.Parent == "" {
			continue
		}
		version, above, err := m.at(ctx, e.merged.Parent)
		if err != nil {
			return err
		}
		if !page(version) && (above == nil || !above.lifeOpen && !e.placeOpen) {
			return errs.Invalidf("choices", "the parent %.80q that was chosen for %s is not a page here",
				e.merged.Parent, id)
		}
	}
	return nil
}

// previewPlaces makes a tree of the merged entries of a merge with conflicts: a page that has no place goes where
// ours has it, with the pages above it, and one that ours does not have goes away.
func (m *merger) previewPlaces(ctx context.Context) error {
	placed := map[string]bool{}
	for changed := true; changed; {
		changed = false
		for _, id := range m.ids {
			e := m.entries[id]
			if !page(e.merged) || placed[id] {
				continue
			}
			lost, err := m.lost(ctx, e)
			if err != nil {
				return err
			}
			if !lost {
				continue
			}
			changed = true
			if !page(e.ours) {
				e.merged = nil
			}
			for above := e; above != nil && page(above.ours) && !placed[above.id]; {
				placed[above.id] = true
				if above.merged == nil {
					above.merged = above.ours
				}
				above.merged = moved(above.merged, above.ours)
				above = m.entries[above.ours.Parent]
			}
		}
	}
	return nil
}

// lost reports whether a changed page is below a page that is not there, or below itself.
func (m *merger) lost(ctx context.Context, e *entry) (bool, error) {
	seen := map[string]bool{e.id: true}
	for parent := e.merged.Parent; parent != ""; {
		version, _, err := m.at(ctx, parent)
		if err != nil {
			return false, err
		}
		if version == nil || seen[parent] {
			return true, nil
		}
		seen[parent] = true
		parent = version.Parent
	}
	return false, nil
}
