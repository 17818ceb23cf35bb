package merge_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/base/propertytest"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/git"
	"github.com/rectodocs/recto/internal/engine/merge"
)

func cases(t *testing.T) int {
	t.Helper()
	return propertytest.Cases(t, 2000, 1)
}

// space is a whole content: entries by id. It is a merge.Lookup.
type space map[string]*entity.Entry

func (s space) Entry(_ context.Context, id string) (*entity.Entry, error) { return s[id], nil }

func (s space) Child(_ context.Context, parent, slug string) (string, error) {
	for id, e := range s {
		if e.Kind == entity.KindPage && e.Parent == parent && e.Slug == slug {
			return id, nil
		}
	}
	return "", nil
}

// clone copies the map; entries are never changed in place.
func (s space) clone() space { return maps.Clone(s) }

// ids returns the sorted ids of the entries of a kind.
func (s space) ids(kind entity.Kind) []string {
	var ids []string
	for id, e := range s {
		if e.Kind == kind {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// children returns the children of a page in order.
func (s space) children(parent string) []*entity.Entry {
	var children []*entity.Entry
	for _, e := range s {
		if e.Kind == entity.KindPage && e.Parent == parent {
			children = append(children, e)
		}
	}
	slices.SortFunc(children, entity.Compare)
	return children
}

// below reports whether a page is an ancestor of another, or the same.
func (s space) below(id, ancestor string) bool {
	for id != "" {
		if id == ancestor {
			return true
		}
		id = s[id].Parent
	}
	return false
}

// changesTo lists what leads from s to another space.
func (s space) changesTo(to space) []merge.Change {
	var changes []merge.Change
	for id, e := range s {
		if !same(e, to[id]) {
			changes = append(changes, merge.Change{ID: id, Before: e, After: to[id]})
		}
	}
	for id, e := range to {
		if s[id] == nil {
			changes = append(changes, merge.Change{ID: id, After: e})
		}
	}
	return changes
}

// apply returns the space with the changes of a merge.
func (s space) apply(r merge.Result) space {
	merged := s.clone()
	for id, e := range r.Changes {
		if e == nil {
			delete(merged, id)
		} else {
			merged[id] = e
		}
	}
	return merged
}

// wrong says what is wrong with the page tree of a space, "" when nothing is.
func (s space) wrong() string {
	addresses := map[string]string{}
	for _, id := range s.ids(entity.KindPage) {
		e := s[id]
		seen := map[string]bool{id: true}
		for parent := e.Parent; parent != ""; parent = s[parent].Parent {
			if seen[parent] {
				return id + " is below itself"
			}
			seen[parent] = true
			if s[parent] == nil {
				return id + " is below " + parent + ", which is not there"
			}
		}
		if e.Slug == "" {
			continue
		}
		address := e.Parent + "/" + e.Slug
		if other := addresses[address]; other != "" {
			return fmt.Sprintf("%s and %s have one slug %s", id, other, address)
		}
		addresses[address] = id
	}
	return ""
}

// world holds the bodies of a case and makes spaces.
type world struct {
	r      *rand.Rand
	bodies map[string][]byte
	lines  int // numbers the lines, so that each is made once
}

func (w *world) read(_ context.Context, hash string) ([]byte, error) {
	text, found := w.bodies[hash]
	if !found {
		return nil, fmt.Errorf("no body %s", hash)
	}
	return text, nil
}

func (w *world) store(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	text := strings.Join(lines, "\n") + "\n"
	sum := sha256.Sum256([]byte(text))
	hash := hex.EncodeToString(sum[:])
	w.bodies[hash] = []byte(text)
	return hash
}

func (w *world) line() string {
	w.lines++
	if w.lines%3 == 0 {
		return ""
	}
	return "line " + strconv.Itoa(w.lines)
}

func pick[T any](r *rand.Rand, values ...T) T { return values[r.IntN(len(values))] }

// base makes a space of a few pages, a file, variables and a redirect.
func (w *world) base() space {
	s := space{
		entity.VariablesID: {ID: entity.VariablesID, Kind: entity.KindVariables, Variables: map[string]any{"a": "1",
			"b": true}},
		"file_1": {ID: "file_1", Kind: entity.KindFile, Name: "a.png", Blob: strings.Repeat("a", 64), Size: 1,
			Width: 1},
	}
	for range 2 + w.r.IntN(7) {
		w.add(s, "base")
	}
	return s
}

// add adds a page at a random place.
func (w *world) add(s space, from string) {
	w.lines++
	e := &entity.Entry{
		ID: "page_" + from + strconv.Itoa(w.lines), Kind: entity.KindPage, Type: entity.PageDocument,
		Title: pick(w.r, "A", "B"), CreatedAt: int64(w.lines), UpdatedAt: int64(w.lines),
	}
	if from != "base" && w.r.IntN(8) == 0 {
		e.ID = "page_same"
		if s[e.ID] != nil {
			return
		}
	}
	var lines []string
	for range w.r.IntN(8) {
		lines = append(lines, w.line())
	}
	e.Body = w.store(lines)
	w.place(s, e, pick(w.r, append(s.ids(entity.KindPage), "", "")...))
}

// place puts a page below a parent, at a random position, with a slug that is free there.
func (w *world) place(s space, e *entity.Entry, parent string) {
	e.Parent = ""
	delete(s, e.ID)
	siblings := s.children(parent)
	at := w.r.IntN(len(siblings) + 1)
	before, after := "", ""
	if at > 0 {
		before = siblings[at-1].Position
	}
	if at < len(siblings) {
		after = siblings[at].Position
	}
	e.Parent, e.Position = parent, entity.Between(before, after)
	if e.Slug == "" && w.r.IntN(10) > 0 {
		e.Slug = pick(w.r, "s1", "s2", "s3")
	}
	if e.Slug != "" {
		e.Slug = entity.UniqueSlug(e.Slug, func(slug string) bool {
			return slices.ContainsFunc(siblings, func(other *entity.Entry) bool { return other.Slug == slug })
		})
	}
	s[e.ID] = e
}

// edit makes a random change that keeps a space in form.
func (w *world) edit(s space, from string) {
	pages := s.ids(entity.KindPage)
	if len(pages) == 0 {
		w.add(s, from)
		return
	}
	id := pick(w.r, pages...)
	e := s[id].Clone()
	switch w.r.IntN(18) {
	case 0, 1:
		w.add(s, from)
		return
	case 2:
		w.remove(s, id, e.Parent)
		return
	case 3, 4, 5:
		for range 4 {
			if parent := pick(w.r, append(pages, "")...); parent == "" || !s.below(parent, id) {
				w.place(s, e, parent)
				return
			}
		}
		return
	case 6:
		e.Slug = pick(w.r, "s1", "s2", "s3", "s4")
		w.place(s, e, e.Parent)
		return
	case 7, 8, 9:
		if e.Type == entity.PageDocument {
			e.Body = w.editBody(e.Body)
		}
	case 10:
		e.Type, e.Body, e.Target = entity.PageGroup, "", nil
		if w.r.IntN(2) == 0 {
			e.Type, e.Target = entity.PageLink, &doc.Ref{Kind: "url", URL: pick(w.r, "https://a", "https://b")}
		}
	case 11:
		w.editOther(s)
		return
	default:
		w.editField(e)
	}
	e.UpdatedAt += int64(w.r.IntN(3))
	s[id] = e
}

// remove deletes a page, and each page below it unless that moves up.
func (w *world) remove(s space, id, up string) {
	for _, child := range s.children(id) {
		if w.r.IntN(3) == 0 {
			w.place(s, child.Clone(), up)
		} else {
			w.remove(s, child.ID, up)
		}
	}
	delete(s, id)
}

func (w *world) editField(e *entity.Entry) {
	word := pick(w.r, "", "x", "y", "z")
	switch w.r.IntN(11) {
	case 0:
		e.Title = "title " + word
	case 1:
		e.Description = word
	case 2:
		e.Hidden = !e.Hidden
	case 3:
		e.Layout = &entity.Layout{Width: pick(w.r, "", "wide", "default"), Title: pick(w.r, nil, new(true), new(false))}
	case 4:
		e.Cover = &entity.Cover{Ref: &doc.Ref{Kind: "file", File: "file_1"}, YPos: float64(w.r.IntN(3))}
		if w.r.IntN(3) == 0 {
			e.Cover = nil
		}
	case 5:
		e.Tags = nil
		for _, name := range []string{"c", "a", "b"} {
			if w.r.IntN(2) == 0 {
				e.Tags = append(e.Tags, entity.Tag{Tag: name, Primary: w.r.IntN(3) == 0})
			}
		}
	case 6:
		e.Variables = w.editMap(e.Variables)
	case 7:
		e.Extra = w.editMap(e.Extra)
	case 8:
		e.Icon = word
	case 9, 10:
		e.Git = imported(pick(w.r, "", "a", "b", "c"))
	}
}

// imported is a file that an entry may have come from; "" is none.
func imported(name string) *git.File {
	if name == "" {
		return nil
	}
	return &git.File{Repository: "https://github.com/acme/docs", Path: name + ".md", OID: git.OID([]byte(name))}
}

func (w *world) editMap(m map[string]any) map[string]any {
	m = maps.Clone(m)
	if m == nil {
		m = map[string]any{}
	}
	key := pick(w.r, "a", "b", "c", "d")
	if w.r.IntN(3) == 0 {
		delete(m, key)
	} else {
		m[key] = pick[any](w.r, "x", "y", 1.0, true)
	}
	return m
}

// editOther changes variables, files and redirects.
func (w *world) editOther(s space) {
	switch w.r.IntN(4) {
	case 0:
		e := s[entity.VariablesID].Clone()
		e.Variables = w.editMap(e.Variables)
		s[e.ID] = e
	case 1:
		if s["file_1"] == nil {
			return
		}
		e := s["file_1"].Clone()
		e.Blob, e.Width = strings.Repeat(pick(w.r, "b", "c"), 64), w.r.IntN(3)
		s[e.ID] = e
	case 2:
		delete(s, "file_1")
	case 3:
		path := pick(w.r, "old", "older")
		id := entity.RedirectID("", path)
		s[id] = &entity.Entry{
			ID: id, Kind: entity.KindRedirect, Path: path,
			Target: &doc.Ref{Kind: "page", Page: pick(w.r, s.ids(entity.KindPage)...)},
		}
	}
}

// editBody inserts, deletes or replaces a few lines.
func (w *world) editBody(hash string) string {
	var lines []string
	if hash != "" {
		lines = strings.Split(strings.TrimSuffix(string(w.bodies[hash]), "\n"), "\n")
	}
	for range 1 + w.r.IntN(2) {
		at := w.r.IntN(len(lines) + 1)
		end := min(len(lines), at+w.r.IntN(3))
		var fresh []string
		for range w.r.IntN(3) {
			fresh = append(fresh, w.line())
		}
		lines = slices.Concat(lines[:at], fresh, lines[end:])
	}
	return w.store(lines)
}

// side makes a changed version of a space.
func (w *world) side(s space, from string) space {
	s = s.clone()
	for range w.r.IntN(7) {
		w.edit(s, from)
	}
	return s
}
