package merge

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/engine/entity"
)

// address is what siblings must not share.
type address struct{ parent, slug string }

// addressOf returns the address of a page, and whether it has one.
func addressOf(e *entity.Entry) (address, bool) {
	if !page(e) || e.Slug == "" {
		return address{}, false
	}
	return address{e.Parent, e.Slug}, true
}

// mergeSlugs finds siblings with one slug. At least one of them has come to its address by a change, so it looks at
// the changed pages and at who was there before.
func (m *merger) mergeSlugs(ctx context.Context) error {
	groups, fresh := map[address][]string{}, map[address]bool{}
	for _, id := range m.ids {
		e := m.entries[id]
		at, has := addressOf(e.merged)
		if !has || e.lifeOpen || e.placeOpen || e.slugOpen {
			continue
		}
		groups[at] = append(groups[at], id)
		if before, had := addressOf(e.base); !had || before != at {
			fresh[at] = true
		}
	}
	for _, at := range slices.SortedFunc(maps.Keys(fresh), compareAddresses) {
		id, err := m.in.Base.Child(ctx, at.parent, at.slug)
		if err != nil {
			return err
		}
		if id != "" && m.entries[id] == nil {
			groups[at] = append(groups[at], id)
		}
		if len(groups[at]) > 1 {
			slices.Sort(groups[at])
			if err := m.settleSlug(ctx, at, groups); err != nil {
				return err
			}
		}
	}
	return nil
}

func compareAddresses(a, b address) int {
	if c := strings.Compare(a.parent, b.parent); c != 0 {
		return c
	}
	return strings.Compare(a.slug, b.slug)
}

// holders returns which of the pages have an address on a side.
func (m *merger) holders(ids []string, at address, side Side) []string {
	var holders []string
	for _, id := range ids {
		e := m.entries[id]
		if e == nil {
			holders = append(holders, id) // unchanged, so everywhere
		} else if there, has := addressOf(e.on(side)); has && there == at {
			holders = append(holders, id)
		}
	}
	return holders
}

// settleSlug decides about the pages at one address.
func (m *merger) settleSlug(ctx context.Context, at address, groups map[address][]string) error {
	ids := groups[at]
	ours, theirs := m.holders(ids, at, Ours), m.holders(ids, at, Theirs)
	if len(ours) == len(ids) || len(theirs) == len(ids) {
		// A side has it like this already: the merge did not make it.
		return nil
	}
	firstOf := func(ids []string) any {
		if len(ids) == 0 {
			return nil
		}
		return ids[0]
	}
	c := Conflict{
		Type: SlugConflict, Entries: ids, Field: "slug", Parent: at.parent, Slug: at.slug,
		Base: firstOf(m.holders(ids, at, Base)), Ours: firstOf(ours), Theirs: firstOf(theirs),
	}
	choice, settled := m.conflict(c)
	if !settled {
		return nil
	}
	winners := ours
	switch choice.Take {
	case Ours:
	case Theirs, Value:
		winners = theirs
	default:
		return wrongChoice(c, "ours, theirs or a value")
	}
	winner := ids[0]
	if len(winners) > 0 {
		winner = winners[0]
	}
	for _, id := range ids {
		e := m.entries[id]
		if id == winner || e == nil {
			continue
		}
		slug, err := m.otherSlug(ctx, at, groups, choice)
		if err != nil {
			return err
		}
		choice.Take = Ours // a value serves one page
		e.merged = e.merged.Clone()
		e.merged.Slug = slug
		moved := address{at.parent, slug}
		groups[moved] = append(groups[moved], id)
	}
	groups[at] = []string{winner}
	return nil
}

// otherSlug returns the chosen slug, or the next free one with a number behind it.
func (m *merger) otherSlug(
	ctx context.Context, at address, groups map[address][]string, choice Choice,
) (string, error) {
	taken := func(slug string) (bool, error) {
		if len(groups[address{at.parent, slug}]) > 0 {
			return true, nil
		}
		id, err := m.in.Base.Child(ctx, at.parent, slug)
		return id != "" && m.entries[id] == nil, err
	}
	if choice.Take == Value {
		slug, ok := choice.Value.(string)
		if !ok || !entity.ValidSlug(slug) {
			return "", errs.Invalidf("choices", "the value chosen for the slug %s is no slug", at.slug)
		}
		used, err := taken(slug)
		if err == nil && used {
			err = errs.Invalidf("choices", "the slug %s that was chosen in place of %s is in use, too", slug, at.slug)
		}
		return slug, err
	}
	for n := 1; ; n++ {
		suffix := "-" + strconv.Itoa(n)
		slug := at.slug
		if runes := []rune(slug); len(runes)+len(suffix) > entity.MaxSlugLength {
			slug = strings.TrimRight(string(runes[:entity.MaxSlugLength-len(suffix)]), "-")
		}
		slug += suffix
		used, err := taken(slug)
		if err != nil || !used {
			return slug, err
		}
	}
}
