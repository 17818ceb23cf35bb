package edit_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/content/edit"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/content/store/changes"
	"github.com/rectodocs/recto/internal/engine/entity"
)

// model is what a space should look like: pages by id, and the order of those below each.
type model struct {
	pages map[string]modelPage
	below map[string][]string
}

type modelPage struct {
	parent, title, body string
	hidden              bool
}

func (m model) clone() model {
	c := model{pages: maps.Clone(m.pages), below: map[string][]string{}}
	for id, children := range m.below {
		c.below[id] = slices.Clone(children)
	}
	return c
}

// put places a page below a parent, behind at siblings; at below 0 is the end.
func (m model) put(id, parent string, at int) {
	was := m.pages[id].parent
	m.below[was] = slices.DeleteFunc(m.below[was], func(other string) bool { return other == id })
	if at < 0 || at > len(m.below[parent]) {
		at = len(m.below[parent])
	}
	m.below[parent] = slices.Insert(m.below[parent], at, id)
	page := m.pages[id]
	page.parent = parent
	m.pages[id] = page
}

func (m model) remove(id string) {
	for _, child := range slices.Clone(m.below[id]) {
		m.remove(child)
	}
	parent := m.pages[id].parent
	m.below[parent] = slices.DeleteFunc(m.below[parent], func(other string) bool { return other == id })
	delete(m.pages, id)
	delete(m.below, id)
}

func (m model) isBelow(id, ancestor string) bool {
	for ; id != ""; id = m.pages[id].parent {
		if id == ancestor {
			return true
		}
	}
	return false
}

// write lists the tree, a line for each page.
func (m model) write(out *strings.Builder, parent, indent string) {
	for _, id := range m.below[parent] {
		page := m.pages[id]
		fmt.Fprintf(out, "%s%s %q %q %t\n", indent, id, page.title, page.body, page.hidden)
		m.write(out, id, indent+" ")
	}
}

// TestRandomBatches holds that random batches do to a space what they do to a plain model of it, and that comparing the
// revisions before and after names what differs between the models and nothing else.
func TestRandomBatches(t *testing.T) {
	each(t, func(f *fixture) {
		random := rand.New(rand.NewPCG(7, 11))
		truth := model{pages: map[string]modelPage{}, below: map[string][]string{}}
		for round := range 60 {
			before, older := truth.clone(), f.head()
			placed := f.randomBatch(random, truth)
			newer := f.head()
			if got, want := f.listing(newer), truth.String(); got != want {
				f.Fatalf("round %d: the space differs from the model:\n%s", round, cmp.Diff(want, got))
			}
			f.checkChanges(round, older, newer, before, truth, placed)
		}
	})
}

func (m model) String() string {
	var out strings.Builder
	m.write(&out, "", "")
	return out.String()
}

// randomBatch applies a batch to the space and to the model. It returns the pages that were put somewhere.
func (f *fixture) randomBatch(random *rand.Rand, truth model) map[string]bool {
	f.Helper()
	var batch []edit.Change
	var steps []func(ids map[string]string)
	placed := map[string]bool{}
	scratch := truth.clone() // what the batch sees; inserted pages have their references as ids
	pick := func() string {
		ids := slices.Sorted(maps.Keys(scratch.pages))
		if len(ids) == 0 {
			return ""
		}
		return ids[random.IntN(len(ids))]
	}
	id := func(ids map[string]string, reference string) string {
		if made, ok := ids[reference]; ok {
			return made
		}
		return reference
	}
	for n := range 1 + random.IntN(8) {
		page := pick()
		switch kind := random.IntN(6); {
		case kind < 2 || page == "":
			reference, parent, title, at := fmt.Sprintf("r%d", n), "", fmt.Sprintf("T%d", random.IntN(1000)),
				random.IntN(6)-1
			if random.IntN(2) == 0 {
				parent = page
			}
			c := insert(title, parent, title+"\n")
			c.Ref = reference
			if at >= 0 {
				c.At = &at
			}
			batch = append(batch, c)
			scratch.pages[reference] = modelPage{}
			scratch.put(reference, parent, at)
			steps = append(steps, func(ids map[string]string) {
				truth.pages[id(ids, reference)] = modelPage{title: title, body: title + "\n"}
				truth.put(id(ids, reference), id(ids, parent), at)
			})
		case kind == 2:
			title, hidden := fmt.Sprintf("T%d", random.IntN(1000)), random.IntN(2) == 0
			batch = append(batch, edit.Change{Operation: edit.UpdatePage, Page: page,
				Fields: edit.Fields{Title: optional.Of(title), Flags: map[string]bool{"hidden": hidden}}})
			steps = append(steps, func(ids map[string]string) {
				p := truth.pages[id(ids, page)]
				p.title, p.hidden = title, hidden
				truth.pages[id(ids, page)] = p
			})
		case kind == 3:
			body := fmt.Sprintf("Text %d.\n", random.IntN(5))
			batch = append(batch, rewrite(page, body))
			steps = append(steps, func(ids map[string]string) {
				p := truth.pages[id(ids, page)]
				p.body = body
				truth.pages[id(ids, page)] = p
			})
		case kind == 4:
			parent, at := pick(), random.IntN(6)
			if scratch.isBelow(parent, page) {
				parent = ""
			}
			into := optional.Of(parent)
			if parent == "" {
				into = optional.Null[string]()
			}
			batch = append(batch, edit.Change{Operation: edit.UpdatePage, Page: page, Into: into, At: &at,
				Fields: edit.Fields{Slug: optional.Of("")}})
			scratch.put(page, parent, at)
			steps = append(steps, func(ids map[string]string) {
				truth.put(id(ids, page), id(ids, parent), at)
				placed[id(ids, page)] = true
			})
		default:
			batch = append(batch, edit.Change{Operation: edit.DeletePage, Page: page})
			scratch.remove(page)
			steps = append(steps, func(ids map[string]string) { truth.remove(id(ids, page)) })
		}
	}
	result := f.apply(batch...)
	ids := map[string]string{}
	for _, outcome := range result.Outcomes {
		if outcome.Ref != "" {
			ids[outcome.Ref] = outcome.ID
		}
	}
	for _, step := range steps {
		step(ids)
	}
	return placed
}

// listing writes a revision as model.String writes a model.
func (f *fixture) listing(view *store.View) string {
	f.Helper()
	tree, err := view.Pages(f.Context())
	if err != nil {
		f.Fatal(err)
	}
	var out strings.Builder
	for _, node := range tree.Ordered {
		body, err := view.Body(f.Context(), node.Entry)
		if err != nil {
			f.Fatal(err)
		}
		e := node.Entry
		fmt.Fprintf(&out, "%s%s %q %q %t\n", strings.Repeat(" ", strings.Count(node.Path, "/")), e.ID, e.Title, body,
			e.Hidden)
	}
	return out.String()
}

// checkChanges compares what changes.Between names with what differs between two models.
func (f *fixture) checkChanges(round int, older, newer *store.View, before, after model, placed map[string]bool) {
	f.Helper()
	list, err := changes.Between(f.Context(), older, newer, -1)
	if err != nil {
		f.Fatal(err)
	}
	got := map[string]bool{}
	for _, c := range list.Changes {
		switch c.Kind {
		case changes.PageEdited:
			for _, attribute := range c.Attributes {
				if attribute.Name != "slug" { // the model has none
					got[c.Entry.ID+" "+attribute.Name] = true
				}
			}
		case changes.PageMoved:
			parentOf := func(p *changes.Parent) string {
				if p == nil {
					return ""
				}
				return p.Entry.ID
			}
			if parentOf(c.Before) != before.pages[c.Entry.ID].parent || parentOf(c.After) != after.pages[c.Entry.ID].
				parent {
				f.Errorf("round %d: %s moved from %q to %q", round, c.Entry.ID, parentOf(c.Before), parentOf(c.After))
			}
			if parentOf(c.Before) != parentOf(c.After) {
				got[c.Entry.ID+" moved"] = true
			} else if !placed[c.Entry.ID] {
				f.Errorf("round %d: %s is said to have moved among its siblings", round, c.Entry.ID)
			}
		default:
			got[c.Entry.ID+" "+string(c.Kind)] = true
		}
	}
	want := map[string]bool{}
	for id, was := range before.pages {
		is, there := after.pages[id]
		if !there {
			want[id+" page_deleted"] = true
			continue
		}
		for name, differs := range map[string]bool{
			" moved": was.parent != is.parent, " title": was.title != is.title, " document": was.body != is.body,
			" hidden": was.hidden != is.hidden,
		} {
			if differs {
				want[id+name] = true
			}
		}
	}
	for id := range after.pages {
		if _, there := before.pages[id]; !there {
			want[id+" page_created"] = true
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		f.Errorf("round %d: named changes (-want +got):\n%s", round, diff)
	}
	limited, err := changes.Between(f.Context(), older, newer, 2)
	if err != nil || limited.Total != list.Total || len(limited.Changes) != min(2, list.Total) {
		f.Errorf("round %d: at most 2 of %d changes: %d of %d (%v)", round, list.Total, len(limited.Changes),
			limited.Total, err)
	}
	for i, c := range limited.Changes {
		if c.Kind != list.Changes[i].Kind || !entity.Equal(c.Entry, list.Changes[i].Entry) {
			f.Errorf("round %d: change %d depends on the limit", round, i)
		}
	}
	back, err := changes.Between(f.Context(), newer, older, -1)
	if err != nil || back.Total != list.Total {
		f.Errorf("round %d: %d changes forth, %d back (%v)", round, list.Total, back.Total, err)
	}
}

// TestPlacesBetween holds that pages can be put between the same two as often as one likes.
func TestPlacesBetween(t *testing.T) {
	each(t, func(f *fixture) {
		f.page("First", "", "")
		f.page("Last", "", "")
		var want []string
		for range 8 {
			batch := make([]edit.Change, 50)
			for i := range batch {
				batch[i] = insert("Page", "", "")
				batch[i].At = new(1)
			}
			for _, outcome := range f.apply(batch...).Outcomes {
				want = slices.Insert(want, 0, outcome.ID)
			}
		}
		tree, err := f.head().Pages(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		longest := 0
		for _, node := range tree.Roots {
			got = append(got, node.Entry.ID)
			longest = max(longest, len(node.Entry.Position))
		}
		if !slices.Equal(got[1:len(got)-1], want) {
			t.Error("the pages are in another order")
		}
		if longest > 250 {
			t.Errorf("a position has %d characters", longest)
		}
	})
}
