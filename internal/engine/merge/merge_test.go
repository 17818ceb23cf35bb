package merge_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/merge"
)

// page returns a page below a parent; change may change it.
func page(id, parent string, change ...func(*entity.Entry)) *entity.Entry {
	e := &entity.Entry{
		ID: "page_" + id, Kind: entity.KindPage, Type: entity.PageDocument, Position: "a0", Slug: id,
		Title:     "Title of " + id,
		CreatedAt: 10, UpdatedAt: 10,
	}
	if parent != "" {
		e.Parent = "page_" + parent
	}
	for _, c := range change {
		c(e)
	}
	return e
}

func spaceOf(entries ...*entity.Entry) space {
	s := space{}
	for _, e := range entries {
		s[e.ID] = e
	}
	return s
}

// with returns the space with entries put in place of those of their ids.
func (s space) with(entries ...*entity.Entry) space {
	s = s.clone()
	for _, e := range entries {
		s[e.ID] = e
	}
	return s
}

// without returns the space without some pages.
func (s space) without(ids ...string) space {
	s = s.clone()
	for _, id := range ids {
		delete(s, "page_"+id)
	}
	return s
}

func newWorld() *world {
	return &world{r: rand.New(rand.NewPCG(1, 1)), bodies: map[string][]byte{}}
}

// TestMergeClean has an example of each rule that reconciles two sides.
func TestMergeClean(t *testing.T) {
	w := newWorld()
	body := func(lines ...string) func(*entity.Entry) {
		return func(e *entity.Entry) { e.Body = w.store(lines) }
	}
	title := func(s string) func(*entity.Entry) { return func(e *entity.Entry) { e.Title = s } }
	from := func(name string) func(*entity.Entry) { return func(e *entity.Entry) { e.Git = imported(name) } }
	at := func(position string) func(*entity.Entry) { return func(e *entity.Entry) { e.Position = position } }
	vars := func(pairs ...any) func(*entity.Entry) {
		return func(e *entity.Entry) {
			e.Variables = map[string]any{}
			for i := 0; i < len(pairs); i += 2 {
				e.Variables[pairs[i].(string)] = pairs[i+1]
			}
		}
	}
	tags := func(names ...string) func(*entity.Entry) {
		return func(e *entity.Entry) {
			for _, name := range names {
				name, primary := strings.CutPrefix(name, "!")
				e.Tags = append(e.Tags, entity.Tag{Tag: name, Primary: primary})
			}
		}
	}
	base := spaceOf(page("a", ""), page("b", ""), page("c", "b"), page("d", ""))
	for name, test := range map[string]struct{ base, ours, theirs, want space }{
		"different pages": {
			base, base.with(page("a", "", title("A"))), base.with(page("b", "", title("B"))),
			base.with(page("a", "", title("A")), page("b", "", title("B"))),
		},
		"different fields": {
			base, base.with(page("a", "", title("A"))), base.with(page("a", "", func(e *entity.Entry) {
				e.Icon = "book"
			})),
			base.with(page("a", "", title("A"), func(e *entity.Entry) { e.Icon = "book" })),
		},
		"times": {
			base, base.with(page("a", "", title("A"), func(e *entity.Entry) { e.UpdatedAt, e.CreatedAt = 30, 20 })),
			base.with(page("a", "", func(e *entity.Entry) { e.UpdatedAt = 20 })),
			base.with(page("a", "", title("A"), func(e *entity.Entry) { e.UpdatedAt = 30 })),
		},
		"move and edit": {
			base, base.with(page("c", "a")), base.with(page("c", "b", title("C"))),
			base.with(page("c", "a", title("C"))),
		},
		"move and new position": {base, base.with(page("c", "a", at("a5"))), base.with(page("c", "b", at("a7"))),
			base.with(page("c", "a", at("a5")))},
		"two positions": {base, base.with(page("a", "", at("a5"))), base.with(page("a", "", at("a3"))),
			base.with(page("a", "", at("a3")))},
		"same move": {base, base.with(page("c", "a", at("a5"))), base.with(page("c", "a", at("a3"))),
			base.with(page("c", "a", at("a3")))},
		"rename and title": {
			base, base.with(page("a", "", func(e *entity.Entry) { e.Slug = "new" })),
			base.with(page("a", "", title("A"))),
			base.with(page("a", "", title("A"), func(e *entity.Entry) { e.Slug = "new" })),
		},
		"both delete":        {base, base.without("b", "c"), base.without("b", "c"), base.without("b", "c")},
		"delete and nothing": {base, base.without("a"), base, base.without("a")},
		"delete and touch": {base, base.without("a"), base.with(page("a", "", func(e *entity.Entry) {
			e.UpdatedAt = 99
		})), base.without("a")},
		"delete and import": {base, base.without("a"), base.with(page("a", "", from("x"))), base.without("a")},
		"edit and import": {
			base, base.with(page("a", "", title("A"))), base.with(page("a", "", from("x"))),
			base.with(page("a", "", title("A"), from("x"))),
		},
		"imports on both sides, the later counts": {
			base, base.with(page("a", "", from("x"), func(e *entity.Entry) { e.UpdatedAt = 30 })),
			base.with(page("a", "", from("y"), func(e *entity.Entry) { e.UpdatedAt = 20 })),
			base.with(page("a", "", from("x"), func(e *entity.Entry) { e.UpdatedAt = 30 })),
		},
		"spelled on both sides, the later counts": {
			base, base.with(page("a", "", spelled("---\na: 1\n---\n", 5))),
			base.with(page("a", "", spelled("---\na:  1\n---\n", 6))),
			base.with(page("a", "", spelled("---\na:  1\n---\n", 6))),
		},
		"imports on both sides at one moment": {base, base.with(page("a", "", from("x"))),
			base.with(page("a", "", from("y"))), base.with(page("a", "", from("y")))},
		"a source is given up": {
			base.with(page("a", "", from("x"))), base.with(page("a", "")),
			base.with(page("a", "", from("x"), title("A"))), base.with(page("a", "", title("A"))),
		},
		"both add one page from different files": {base, base.with(page("x", "a", from("x"))),
			base.with(page("x", "a", from("y"))), base.with(page("x", "a", from("y")))},
		"delete around a move": {base, base.without("b").with(page("c", "")),
			base.with(page("c", "b", title("C"))), base.without("b").with(page("c", "", title("C")))},
		"both add other pages": {base, base.with(page("x", "a")), base.with(page("y", "a")),
			base.with(page("x", "a"), page("y", "a"))},
		"both add the same page": {base, base.with(page("x", "a")),
			base.with(page("x", "a", func(e *entity.Entry) { e.UpdatedAt = 99 })),
			base.with(page("x", "a", func(e *entity.Entry) { e.UpdatedAt = 99 }))},
		"swap of slugs is free": {
			base, base.with(page("a", "", func(e *entity.Entry) { e.Slug = "free" })),
			base.with(page("d", "", title("D"))),
			base.with(page("a", "", func(e *entity.Entry) { e.Slug = "free" }), page("d", "", title("D"))),
		},
		"slug that was left": {
			base, base.with(page("a", "", func(e *entity.Entry) { e.Slug = "other" })),
			base.with(page("x", "", title("X"))),
			base.with(page("a", "", func(e *entity.Entry) { e.Slug = "other" }), page("x", "", title("X"))),
		},
		"bodies": {
			spaceOf(page("a", "", body("one", "", "two"))), spaceOf(page("a", "", body("ONE", "", "two"))),
			spaceOf(page("a", "", body("one", "", "TWO"))), spaceOf(page("a", "", body("ONE", "", "TWO"))),
		},
		"variables by name": {
			spaceOf(page("a", "", vars("x", "1", "y", "1", "z", "1"))),
			spaceOf(page("a", "", vars("x", "2", "y", "1", "z", "1", "n", true))),
			spaceOf(page("a", "", vars("x", "1", "z", 2.0))),
			spaceOf(page("a", "", vars("x", "2", "z", 2.0, "n", true))),
		},
		"tags as a set": {
			spaceOf(page("a", "", tags("z", "b", "a"))), spaceOf(page("a", "", tags("z", "a", "y", "x"))),
			spaceOf(page("a", "", tags("z", "b", "!a", "!x"))), spaceOf(page("a", "", tags("z", "!a", "!x", "y"))),
		},
		"layout by key": {
			base, base.with(page("a", "", func(e *entity.Entry) { e.Layout = &entity.Layout{Width: "wide"} })),
			base.with(page("a", "", func(e *entity.Entry) { e.Layout = &entity.Layout{Outline: new(false)} })),
			base.with(page("a", "", func(e *entity.Entry) {
				e.Layout = &entity.Layout{Width: "wide", Outline: new(false)}
			})),
		},
		"space variables added by both": {
			space{}, spaceOf(&entity.Entry{ID: "variables", Kind: entity.KindVariables,
				Variables: map[string]any{"a": "1"}}),
			spaceOf(&entity.Entry{ID: "variables", Kind: entity.KindVariables, Variables: map[string]any{"b": "2"}}),
			spaceOf(&entity.Entry{ID: "variables", Kind: entity.KindVariables, Variables: map[string]any{"a": "1",
				"b": "2"}}),
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, sides := range [][2]space{{test.ours, test.theirs}, {test.theirs, test.ours}} {
				r := w.run(t, test.base, sides[0], sides[1], nil)
				if len(r.Conflicts) > 0 {
					t.Fatalf("conflicts: %+v", r.Conflicts)
				}
				if got := sides[0].apply(r); !equalSpaces(got, test.want) {
					t.Errorf("merged (-want +got):\n%s", diffSpaces(test.want, got))
				}
			}
		})
	}
}

// TestMergeConflicts has an example of each conflict, and what becomes of it with each choice.
func TestMergeConflicts(t *testing.T) {
	w := newWorld()
	base := spaceOf(page("a", ""), page("b", ""), page("c", "b"))
	titled := func(id, parent, title string) *entity.Entry {
		return page(id, parent, func(e *entity.Entry) { e.Title = title })
	}
	slugged := func(id, parent, slug string) *entity.Entry {
		return page(id, parent, func(e *entity.Entry) { e.Slug = slug })
	}
	withBody := func(lines ...string) space {
		return spaceOf(page("a", "", func(e *entity.Entry) { e.Body = w.store(lines) }))
	}
	file := func(blob string, width int) space {
		return spaceOf(&entity.Entry{ID: "file_1", Kind: entity.KindFile, Name: "f", Blob: strings.Repeat(blob, 64),
			Width: width})
	}
	redirect := func(target string) space {
		return spaceOf(&entity.Entry{
			ID: entity.RedirectID("", "old"), Kind: entity.KindRedirect, Path: "old",
			Target: &doc.Ref{Kind: "page", Page: target},
		})
	}
	group := page("a", "", func(e *entity.Entry) { e.Type = entity.PageGroup })
	for name, test := range map[string]struct {
		base, ours, theirs space
		kind               merge.ConflictType
		field              string
		entries            []string
		settled            map[string]space // by choice; "value=…" is a value
	}{
		"title": {
			base, base.with(titled("a", "", "O")), base.with(titled("a", "", "T")), merge.FieldConflict, "title",
			[]string{"page_a"},
			map[string]space{
				"base": base, "ours": base.with(titled("a", "", "O")), "theirs": base.with(titled("a", "", "T")),
				"value=N": base.with(titled("a", "", "N")),
			},
		},
		"parent": {
			base, base.with(page("c", "a")), base.with(page("c", "")), merge.FieldConflict, "parent",
			[]string{"page_c"},
			map[string]space{"ours": base.with(page("c", "a")), "theirs": base.with(page("c", "")), "base": base,
				"value=page_b": base},
		},
		"variable": {
			base,
			base.with(page("a", "", func(e *entity.Entry) { e.Variables = map[string]any{"v": "o", "w": "1"} })),
			base.with(page("a", "", func(e *entity.Entry) { e.Variables = map[string]any{"v": "t"} })),
			merge.FieldConflict, "variables.v", []string{"page_a"},
			map[string]space{
				"base": base.with(page("a", "", func(e *entity.Entry) { e.Variables = map[string]any{"w": "1"} })),
				"theirs": base.with(page("a", "", func(e *entity.Entry) {
					e.Variables = map[string]any{"v": "t", "w": "1"}
				})),
			},
		},
		"bytes of a file": {
			file("a", 1), file("b", 2), file("c", 3), merge.FieldConflict, "blob", []string{"file_1"},
			map[string]space{"base": file("a", 1), "ours": file("b", 2), "theirs": file("c", 3)},
		},
		"redirect": {
			space{}, redirect("page_x"), redirect("page_y"), merge.FieldConflict, "target",
			[]string{entity.RedirectID("", "old")},
			map[string]space{"ours": redirect("page_x"), "theirs": redirect("page_y")},
		},
		"no valid entry": {
			base, base.with(group), base.with(withBody("text")["page_a"]), merge.FieldConflict, "entry",
			[]string{"page_a"},
			map[string]space{"base": base, "ours": base.with(group), "theirs": base.with(withBody("text")["page_a"])},
		},
		"body": {
			withBody("one", "", "two"), withBody("1", "", "two", "", "o"), withBody("eins", "", "two"),
			merge.BodyConflicts, "body", []string{"page_a"},
			map[string]space{
				"base": withBody("one", "", "two", "", "o"), "ours": withBody("1", "", "two", "", "o"),
				"theirs": withBody("eins", "", "two", "", "o"),
				"both":   withBody("1", "", "eins", "", "two", "", "o"), "value=new\n": withBody("new"),
				"value=": spaceOf(page("a", "")),
			},
		},
		"edit against deletion": {
			base, base.without("b", "c"), base.with(titled("c", "b", "T")), merge.EditDelete, "", []string{"page_c"},
			map[string]space{"ours": base.without("b", "c"), "theirs": base.with(titled("c", "b", "T")), "base": base},
		},
		"one id": {
			base, base.with(titled("x", "", "O")), base.with(titled("x", "", "T")), merge.DuplicateID, "",
			[]string{"page_x"},
			map[string]space{"ours": base.with(titled("x", "", "O")), "theirs": base.with(titled("x", "", "T"))},
		},
		"page below a deleted page": {
			base, base.without("b", "c"), base.with(page("x", "b"), page("y", "x")), merge.ParentDeleted, "",
			[]string{"page_x"},
			map[string]space{"ours": base.without("b", "c"), "theirs": base.without("c").with(page("x", "b"),
				page("y", "x"))},
		},
		"move below a deleted page": {
			base, base.without("b", "c"), base.with(page("a", "b")), merge.ParentDeleted, "", []string{"page_a"},
			map[string]space{"ours": base.without("b", "c"), "theirs": base.without("c").with(page("a", "b"))},
		},
		"cycle": {
			base, base.with(page("a", "c")), base.with(page("b", "a")), merge.MoveCycle, "",
			[]string{"page_a", "page_b"},
			map[string]space{"ours": base.with(page("a", "c")), "theirs": base.with(page("b", "a"))},
		},
		"slug of two new pages": {
			base, base.with(slugged("x", "a", "same")), base.with(slugged("y", "a", "same")), merge.SlugConflict,
			"slug", []string{"page_x", "page_y"},
			map[string]space{
				"ours":          base.with(slugged("x", "a", "same"), slugged("y", "a", "same-1")),
				"theirs":        base.with(slugged("x", "a", "same-1"), slugged("y", "a", "same")),
				"value=another": base.with(slugged("x", "a", "another"), slugged("y", "a", "same")),
			},
		},
		"slug of a page that nobody touched": {
			base.with(slugged("d", "b", "taken")), base.with(slugged("d", "b", "taken"), slugged("a", "", "taken")),
			base.with(slugged("d", "b", "taken"), page("a", "b")), merge.SlugConflict, "slug",
			[]string{"page_a", "page_d"},
			map[string]space{
				"ours":   base.with(slugged("d", "b", "taken"), slugged("a", "b", "taken-1")),
				"theirs": base.with(slugged("d", "b", "taken"), slugged("a", "b", "taken-1")),
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := w.run(t, test.base, test.ours, test.theirs, nil)
			if len(r.Conflicts) != 1 {
				t.Fatalf("conflicts: %+v, want one", r.Conflicts)
			}
			c := r.Conflicts[0]
			if c.Type != test.kind || c.Field != test.field || !slices.Equal(c.Entries, test.entries) {
				t.Errorf("conflict %s of field %q and entries %v, want %s, %q, %v", c.Type, c.Field, c.Entries,
					test.kind, test.field, test.entries)
			}
			for take, want := range test.settled {
				choice := merge.Choice{Take: merge.Side(take)}
				if value, isValue := strings.CutPrefix(take, "value="); isValue {
					choice = merge.Choice{Take: merge.Value, Value: value}
				}
				settled := w.run(t, test.base, test.ours, test.theirs, map[string]merge.Choice{c.ID: choice})
				if got := test.ours.apply(settled); len(settled.Conflicts) > 0 || !equalSpaces(got, want) {
					t.Errorf("settled with %s: conflicts %+v (-want +got):\n%s", take, settled.Conflicts,
						diffSpaces(want, got))
				}
			}
			for _, wrong := range []merge.Choice{{}, {Take: "other"}, {Take: merge.Value, Value: 1.5},
				{Take: merge.Value, Value: "a/\x00"}, {Hunks: []merge.Side{"x"}}} {
				if wrong.Take == merge.Value && (c.Type == merge.BodyConflicts && wrong.Value != 1.5 ||
					c.Field == "variables.v") {
					continue // any text is a body, and any text or number a variable
				}
				_, err := merge.Merge(t.Context(), merge.Input{
					Base: test.base, Ours: test.base.changesTo(test.ours), Theirs: test.base.changesTo(test.theirs),
					Bodies:  w.read,
					Choices: map[string]merge.Choice{c.ID: wrong},
				})
				if !errs.Is(err, errs.Invalid) {
					t.Errorf("the choice %+v returns %v, want that it is invalid", wrong, err)
				}
			}
		})
	}
}

// spelled gives an entry the front matter of a file.
func spelled(frontMatter string, at int64) func(*entity.Entry) {
	return func(e *entity.Entry) { e.FrontMatter, e.UpdatedAt = frontMatter, at }
}

// TestStaleChoice holds that a choice is good only for what it was made for.
func TestStaleChoice(t *testing.T) {
	w := newWorld()
	titled := func(title string) space {
		return spaceOf(page("a", "", func(e *entity.Entry) { e.Title = title }))
	}
	first := w.run(t, titled("B"), titled("O"), titled("T"), nil)
	choices := map[string]merge.Choice{first.Conflicts[0].ID: {Take: merge.Theirs}}
	if r := w.run(t, titled("B"), titled("O"), titled("T"), choices); len(r.Conflicts) > 0 {
		t.Errorf("the choice does not settle its conflict: %+v", r.Conflicts)
	}
	if r := w.run(t, titled("B"), titled("O"), titled("T2"), choices); len(r.Conflicts) != 1 {
		t.Errorf("the choice settles a conflict that it was not made for")
	}
	if r := w.run(t, titled("B"), titled("T"), titled("O"), choices); len(r.Conflicts) != 1 {
		t.Errorf("the choice settles the mirrored conflict")
	}
}

// TestHunkChoices settles each place of a body by itself.
func TestHunkChoices(t *testing.T) {
	w := newWorld()
	withBody := func(lines ...string) space {
		return spaceOf(page("a", "", func(e *entity.Entry) { e.Body = w.store(lines) }))
	}
	base, ours, theirs := withBody("1", "", "x", "", "2"), withBody("1o", "", "x", "", "2o"),
		withBody("1t", "", "x", "", "2t")
	c := w.run(t, base, ours, theirs, nil).Conflicts[0]
	if len(c.Hunks) != 2 {
		t.Fatalf("conflict %+v, want two places", c)
	}
	r := w.run(t, base, ours, theirs, map[string]merge.Choice{c.ID: {Hunks: []merge.Side{merge.Theirs, merge.Both}}})
	want := withBody("1t", "", "x", "", "2o", "", "2t")
	if got := ours.apply(r); len(r.Conflicts) > 0 || !equalSpaces(got, want) {
		t.Errorf("settled (-want +got):\n%s", diffSpaces(want, got))
	}
	if len(r.NewBodies) != 1 {
		t.Errorf("there are %d new bodies, want 1", len(r.NewBodies))
	}
}

// TestChosenParent holds that a chosen parent has to be a page, below which the page can be.
func TestChosenParent(t *testing.T) {
	w := newWorld()
	base := spaceOf(page("a", ""), page("b", ""), page("c", ""), page("d", "c"))
	ours, theirs := base.with(page("c", "a")), base.with(page("c", "b"))
	c := w.run(t, base, ours, theirs, nil).Conflicts[0]
	_, err := merge.Merge(t.Context(), merge.Input{
		Base: base, Ours: base.changesTo(ours), Theirs: base.changesTo(theirs), Bodies: w.read,
		Choices: map[string]merge.Choice{c.ID: {Take: merge.Value, Value: "page_nowhere"}},
	})
	if !errs.Is(err, errs.Invalid) {
		t.Errorf("a parent that is not there returns %v, want that it is invalid", err)
	}
	r := w.run(t, base, ours, theirs, map[string]merge.Choice{c.ID: {Take: merge.Value, Value: "page_d"}})
	if len(r.Conflicts) != 1 || r.Conflicts[0].Type != merge.MoveCycle {
		t.Errorf("a parent below the page itself gives %+v, want a cycle", r.Conflicts)
	}
}

// TestInputIsKept holds that Merge changes none of the entries that it is given, nor returns them.
func TestInputIsKept(t *testing.T) {
	for i := range 200 {
		w := &world{r: rand.New(rand.NewPCG(11, uint64(i))), bodies: map[string][]byte{}}
		base := w.base()
		ours, theirs := w.side(base, "o"), w.side(base, "t")
		copies := make([]space, 3)
		for j, s := range []space{base, ours, theirs} {
			copies[j] = space{}
			for id, e := range s {
				copies[j][id] = e.Clone()
			}
		}
		r := w.run(t, base, ours, theirs, nil)
		for id, e := range r.Changes {
			if e != nil && (e == base[id] || e == ours[id] || e == theirs[id]) {
				t.Fatalf("case %d: the result shares %s with the input", i, id)
			}
			if e != nil {
				e.Title = "changed by the caller"
				for _, m := range []map[string]any{e.Variables, e.Extra} {
					if m != nil {
						m["caller"] = "changed"
					}
				}
			}
		}
		for j, s := range []space{base, ours, theirs} {
			if diff := cmp.Diff(copies[j], s, cmpopts.EquateEmpty()); diff != "" {
				t.Fatalf("case %d: the merge changed its input:\n%s", i, diff)
			}
		}
	}
}

// countingLookup counts what a merge asks about the base.
type countingLookup struct {
	space
	asked int
}

func (c *countingLookup) Entry(ctx context.Context, id string) (*entity.Entry, error) {
	c.asked++
	return c.space.Entry(ctx, id)
}

func (c *countingLookup) Child(context.Context, string, string) (string, error) {
	c.asked++
	return "", nil
}

// flat returns n pages at the root.
func flat(n int) space {
	s := make(space, n)
	for i, position := range entity.Positions(n) {
		p := page(fmt.Sprint(i), "", func(e *entity.Entry) { e.Position = position })
		s[p.ID] = p
	}
	return s
}

// TestCost holds that a merge asks about what changed and what is above it, however large the space is.
func TestCost(t *testing.T) {
	base := &countingLookup{space: flat(10_000)}
	moved := page("7", "8")
	edited := page("9", "")
	edited.Title = "new"
	_, err := merge.Merge(t.Context(), merge.Input{
		Base: base, Ours: []merge.Change{{ID: moved.ID, Before: base.space[moved.ID], After: moved}},
		Theirs: []merge.Change{{ID: edited.ID, Before: base.space[edited.ID], After: edited}},
	})
	if err != nil || base.asked > 5 {
		t.Errorf("the merge of two changes asked %d times about the base, %v", base.asked, err)
	}
}

// failing is a lookup that fails.
type failing struct{}

var errBroken = errors.New("broken")

func (failing) Entry(context.Context, string) (*entity.Entry, error) { return nil, errBroken }
func (failing) Child(context.Context, string, string) (string, error) {
	return "", errBroken
}

// TestErrors holds that errors of the input come through.
func TestErrors(t *testing.T) {
	base := spaceOf(page("a", ""), page("b", ""))
	moved := base.changesTo(base.with(page("a", "b")))
	if _, err := merge.Merge(t.Context(), merge.Input{Base: failing{}, Ours: moved}); !errors.Is(err, errBroken) {
		t.Errorf("a lookup that fails gives %v", err)
	}
	renamed := base.changesTo(base.with(page("a", "", func(e *entity.Entry) { e.Slug = "new" })))
	if _, err := merge.Merge(t.Context(), merge.Input{Base: failing{}, Ours: renamed}); !errors.Is(err, errBroken) {
		t.Errorf("a lookup of a slug that fails gives %v", err)
	}
	w := newWorld()
	withBody := func(lines ...string) space {
		return spaceOf(page("a", "", func(e *entity.Entry) { e.Body = w.store(lines) }))
	}
	one := withBody("1")
	_, err := merge.Merge(t.Context(), merge.Input{
		Base: one, Ours: one.changesTo(withBody("2")), Theirs: one.changesTo(withBody("3")),
		Bodies: func(context.Context, string) ([]byte, error) { return nil, errBroken },
	})
	if !errors.Is(err, errBroken) {
		t.Errorf("a body that cannot be read gives %v", err)
	}
}

func BenchmarkMerge(b *testing.B) {
	for _, n := range []int{100, 1000, 10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			base := &countingLookup{space: flat(n)}
			change := func(id string) []merge.Change {
				before := base.space["page_"+id]
				after := before.Clone()
				after.Title = "new"
				return []merge.Change{{ID: before.ID, Before: before, After: after}}
			}
			in := merge.Input{Base: base, Ours: change("7"), Theirs: change("9")}
			for b.Loop() {
				if r, err := merge.Merge(b.Context(), in); err != nil || len(r.Conflicts) > 0 {
					b.Fatal(r.Conflicts, err)
				}
			}
		})
	}
}
