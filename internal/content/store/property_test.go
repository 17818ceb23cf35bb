package store_test

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/propertytest"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// sequences is how many random sequences of operations to run: a share of RECTO_PROPERTY_CASES, because each of their
// steps writes to a real database.
func sequences(t *testing.T) int {
	t.Helper()
	return propertytest.Cases(t, 25, 1000)
}

// TestRandomHistories runs random edits, moves, renames, deletions, branches, merges, updates and rollbacks beside a
// model that keeps plain maps.
func TestRandomHistories(t *testing.T) {
	t.Run("sqlite", func(t *testing.T) {
		f := newFixture(t, dbtest.SQLite(t), store.Deps{})
		for seed := range sequences(t) {
			f.randomHistory(uint64(seed))
		}
	})
	t.Run("postgres", func(t *testing.T) {
		f := newFixture(t, dbtest.Postgres(t), store.Deps{})
		for seed := range max(5, sequences(t)/10) {
			f.randomHistory(uint64(1_000_000 + seed))
		}
	})
}

// place is where a page is or was.
type place struct{ parent, slug string }

// model is what one branch should be: its pages, and who was last at a place and left.
type model struct {
	pages map[string]*entity.Entry
	body  map[string]string
	left  map[place]leftBy
	now   int64 // when the revision that this is a model of was made
}

// leftBy says who has left a place, and when.
type leftBy struct {
	id    string
	since int64
}

func newModel() *model {
	return &model{pages: map[string]*entity.Entry{}, body: map[string]string{}, left: map[place]leftBy{}}
}

// path returns the path of a page.
func (m *model) path(id string) string {
	path := ""
	for id != "" {
		path = "/" + m.pages[id].Slug + path
		id = m.pages[id].Parent
	}
	return strings.TrimPrefix(path, "/")
}

func (m *model) at(p place) string {
	for id, e := range m.pages {
		if e.Parent == p.parent && e.Slug == p.slug {
			return id
		}
	}
	return ""
}

// find resolves a path: of all the ways to read it, that which was whole most lately. It returns the page, and when the
// way was whole last.
func (m *model) find(parent string, segments []string) (id string, whole int64) {
	here := place{parent, segments[0]}
	follow := func(id string) (string, int64) {
		switch {
		case id == "":
			return "", 0
		case len(segments) > 1:
			return m.find(id, segments[1:])
		case m.pages[id] != nil:
			return id, math.MaxInt64
		}
		return "", 0
	}
	before, since := follow(m.left[here].id)
	since = min(since, m.left[here].since)
	if living, whole := follow(m.at(here)); whole > since {
		return living, whole
	}
	return before, since
}

// put changes or adds a page.
func (m *model) put(e *entity.Entry) {
	if before := m.pages[e.ID]; before != nil && (before.Parent != e.Parent || before.Slug != e.Slug) {
		m.left[place{before.Parent, before.Slug}] = leftBy{e.ID, m.now}
	}
	if m.left[place{e.Parent, e.Slug}].id == e.ID {
		delete(m.left, place{e.Parent, e.Slug})
	}
	m.pages[e.ID] = e
}

// remove deletes a page and what is below it.
func (m *model) remove(id string) {
	gone := map[string]*entity.Entry{}
	var take func(id string)
	take = func(id string) {
		gone[id] = m.pages[id]
		delete(m.pages, id)
		for child, e := range m.pages {
			if e.Parent == id {
				take(child)
			}
		}
	}
	take(id)
	var needed func(id string, seen map[string]bool) bool
	needed = func(id string, seen map[string]bool) bool {
		if seen[id] {
			return false
		}
		seen[id] = true
		for p, target := range m.left {
			if p.parent == id && (m.pages[target.id] != nil || needed(target.id, seen)) {
				return true
			}
		}
		for child, e := range gone {
			if e.Parent == id && needed(child, seen) {
				return true
			}
		}
		return false
	}
	trail := map[place]leftBy{}
	for id, e := range gone {
		if needed(id, map[string]bool{}) {
			trail[place{e.Parent, e.Slug}] = leftBy{id, m.now}
		}
	}
	maps.Copy(m.left, trail)
}

// timeline is a branch and its model.
type timeline struct {
	branch store.Branch
	model  *model
}

// randomHistory runs one sequence in a space of its own.
func (f *fixture) randomHistory(seed uint64) {
	f.Helper()
	h := &history{fixture: f, random: rand.New(rand.NewPCG(seed, 4)), seed: seed, paths: map[string]struct{}{},
		listings: map[id.Revision]string{}}
	h.start()
	for range 30 {
		h.step()
		if f.Failed() {
			f.Fatalf("seed %d", seed)
		}
	}
	h.unchanged()
}

// history is one running sequence.
type history struct {
	*fixture
	random   *rand.Rand
	seed     uint64
	space    id.Space
	main     *timeline
	branches []*timeline
	made     int
	paths    map[string]struct{}    // every path that ever was
	listings map[id.Revision]string // by revision, what was in it
	order    []id.Revision
	rolled   bool // somebody went back to old content, where pages are elsewhere without having left a redirect
}

func (h *history) start() {
	h.space = id.Space(fmt.Sprintf("space_seed%d", h.seed))
	h.fixture = &fixture{T: h.T, db: h.db, s: h.s, space: h.space, clock: h.clock}
	if err := initSpace(h.Context(), h.fixture); err != nil {
		h.Fatal(err)
	}
	main, err := h.s.Branch(h.Context(), h.space, "")
	if err != nil {
		h.Fatal(err)
	}
	h.main = &timeline{branch: main, model: newModel()}
}

func (h *history) step() {
	h.Helper()
	on := h.main
	if len(h.branches) > 0 && h.random.IntN(3) > 0 {
		on = h.branches[h.random.IntN(len(h.branches))]
	}
	switch n := h.random.IntN(20); {
	case n < 13:
		h.edit(on)
	case n < 15 && len(h.branches) < 3:
		b := h.branch()
		h.branches = append(h.branches, &timeline{branch: b, model: h.read(h.tip(b))})
	case n < 17 && on != h.main:
		h.join(h.main, on, func() (store.MergeResult, error) {
			return h.s.MergeBranch(h.Context(), h.request(on.branch))
		})
	case n < 19 && on != h.main:
		h.join(on, h.main, func() (store.MergeResult, error) {
			return h.s.UpdateBranch(h.Context(), h.request(on.branch))
		})
	case h.seed%2 == 0:
		h.rollback(on)
	}
}

// edit commits one to three random changes.
func (h *history) edit(on *timeline) {
	h.Helper()
	m := on.model
	request := store.CommitRequest{Space: h.space, Branch: on.branch.ID}
	ids := slices.Sorted(maps.Keys(m.pages))
	pick := func() string { return ids[h.random.IntN(len(ids))] }
	changed := map[string]*entity.Entry{}
	bodies := map[string]string{}
	deleted := ""
	for range 1 + h.random.IntN(3) {
		if len(ids) == 0 || h.random.IntN(4) == 0 {
			h.made++
			e := page(fmt.Sprintf("n%dx%d", h.seed, h.made), "")
			e.Slug = fmt.Sprintf("s%d", h.random.IntN(5))
			if len(ids) > 0 {
				e.Parent = []string{"", pick()}[h.random.IntN(2)]
			}
			changed[e.ID] = e
			continue
		}
		id := pick()
		if changed[id] != nil {
			continue
		}
		e := m.pages[id].Clone()
		switch h.random.IntN(4) {
		case 0:
			e.Slug = fmt.Sprintf("s%d", h.random.IntN(5))
		case 1:
			e.Parent, e.Position = []string{"", pick()}[h.random.IntN(2)], ""
		case 2:
			e.Title = fmt.Sprintf("title %d", h.random.IntN(1000))
			bodies[id] = fmt.Sprintf("body %d\n", h.random.IntN(1000))
		case 3:
			if deleted == "" && h.random.IntN(3) == 0 {
				deleted = id
				continue
			}
		}
		changed[id] = e
	}
	for _, id := range slices.Sorted(maps.Keys(changed)) {
		p := store.Put{Entry: changed[id]}
		if body, ok := bodies[id]; ok {
			p.Body = []byte(body)
		}
		request.Put = append(request.Put, p)
	}
	if deleted != "" {
		request.Delete = []string{deleted}
	}
	next, allowed := m.after(changed, bodies, deleted)
	_, err := h.try(request)
	if allowed != (err == nil) || err != nil && !errs.Is(err, errs.Conflict) && !errs.Is(err, errs.Invalid) {
		h.Errorf("the model allows the change: %v; commit says %v", allowed, err)
		return
	}
	if err == nil {
		on.model = next
	}
	h.compare(on, m)
}

// after returns the model after some changes, and whether the rules allow them.
func (m *model) after(changed map[string]*entity.Entry, bodies map[string]string, deleted string) (*model, bool) {
	next := &model{pages: maps.Clone(m.pages), body: maps.Clone(m.body), left: maps.Clone(m.left)}
	if deleted != "" && changed[deleted] != nil {
		return nil, false
	}
	// The tree as it would be, then its rules.
	for id, e := range changed {
		next.pages[id] = e.Clone()
	}
	seen := map[place]bool{}
	for id := range next.pages {
		steps := 0
		for at := id; at != ""; at = next.pages[at].Parent {
			if steps++; next.pages[at] == nil || steps > len(next.pages) {
				return nil, false
			}
			if at == deleted && changed[id] != nil {
				return nil, false
			}
		}
	}
	final := &model{pages: maps.Clone(m.pages), body: maps.Clone(m.body), left: maps.Clone(m.left), now: m.now + 1}
	for id, e := range changed {
		final.put(e.Clone())
		if body, ok := bodies[id]; ok {
			final.body[id] = body
		}
	}
	// Redirects to where a page has come in the same step, whatever the order of the puts.
	for p, left := range final.left {
		if e := final.pages[left.id]; e != nil && e.Parent == p.parent && e.Slug == p.slug {
			delete(final.left, p)
		}
	}
	if deleted != "" {
		final.remove(deleted)
	}
	for _, e := range final.pages {
		p := place{e.Parent, e.Slug}
		if seen[p] {
			return nil, false
		}
		seen[p] = true
	}
	return final, true
}

// livePaths returns all paths of a model with their pages.
func (m *model) livePaths() map[string]string {
	paths := make(map[string]string, len(m.pages))
	for id := range m.pages {
		paths[m.path(id)] = id
	}
	return paths
}

// resettled reports whether another page now lives at one of the places that the path of a page had before.
func (m *model) resettled(before *model, id string) bool {
	for ; id != ""; id = before.pages[id].Parent {
		e := before.pages[id]
		if tenant := m.at(place{e.Parent, e.Slug}); tenant != "" && tenant != id {
			return true
		}
	}
	return false
}

// compare checks that the head of a branch is as the model says, and that paths from before still lead where they led.
func (h *history) compare(on *timeline, before *model) {
	h.Helper()
	v := h.tip(on.branch)
	check(h.T, v)
	stored := h.read(v)
	if diff := cmp.Diff(list(on.model), list(stored)); diff != "" {
		h.Errorf("the branch is not as the model (-model +branch):\n%s", diff)
		return
	}
	on.model = stored // the same, with the fields that the model does not care about
	now := on.model.livePaths()
	for path := range now {
		h.paths[path] = struct{}{}
	}
	was := map[string]string{}
	if before != nil {
		was = before.livePaths()
	}
	for _, path := range slices.Sorted(maps.Keys(h.paths)) {
		want, _ := on.model.find("", strings.Split(path, "/"))
		got := ""
		resolved, err := v.ByPath(h.Context(), path)
		switch {
		case err == nil:
			got = resolved.Entry.ID
			if resolved.Redirected != (now[path] == "") {
				h.Errorf("path %q: redirected is %v", path, resolved.Redirected)
			}
		case !errs.Is(err, errs.NotFound):
			h.Fatal(err)
		}
		if got != want {
			h.Errorf("path %q leads to %q, the model says %q", path, got, want)
		}
		if id := was[path]; id != "" && on.model.pages[id] != nil && got != id && !on.model.resettled(before, id) {
			h.Errorf("path %q led to %q, which is alive, and now to %q", path, id, got)
		}
	}
	h.remember(v)
}

// join merges or updates, and checks that the result has what either side changed alone.
func (h *history) join(into, from *timeline, run func() (store.MergeResult, error)) {
	h.Helper()
	ours, theirs := h.tip(into.branch), h.tip(from.branch)
	state := into.branch
	if into == h.main {
		state = from.branch
	}
	base, err := h.s.View(h.Context(), h.state(state).Base)
	if err != nil {
		h.Fatal(err)
	}
	before := into.model
	result, err := run()
	if err != nil {
		h.Errorf("merge: %v", err)
		return
	}
	after := h.tip(into.branch)
	if len(result.Conflicts) > 0 {
		if result.Changed || after.Revision().ID != ours.Revision().ID {
			h.Errorf("a merge with conflicts changed something: %+v", result)
		}
		return
	}
	was, left, right := h.read(base), h.read(ours), h.read(theirs)
	merged := h.read(after)
	kept := func(id string, field func(*model, string) string) {
		b, l, r, m := field(was, id), field(left, id), field(right, id), field(merged, id)
		if l != b && r == b && m != l || r != b && l == b && m != r || l == r && m != l {
			h.Errorf("%s: base %q, ours %q, theirs %q, merged %q", id, b, l, r, m)
		}
	}
	for id := range maps.Keys(merged.pages) {
		kept(id, func(m *model, id string) string {
			return text(m, id, func(e *entity.Entry) string { return e.Title })
		})
		kept(id, func(m *model, id string) string {
			return text(m, id, func(e *entity.Entry) string { return e.Slug })
		})
		kept(id, func(m *model, id string) string {
			return text(m, id, func(e *entity.Entry) string { return e.Parent })
		})
		kept(id, func(m *model, id string) string { return m.body[id] })
	}
	for _, side := range []*model{left, right} {
		for id := range side.pages {
			if merged.pages[id] == nil && left.pages[id] != nil && right.pages[id] != nil {
				h.Errorf("%s is on both sides and not in the merge", id)
			}
		}
	}
	into.model = merged
	if h.rolled || after.Revision().Root == theirs.Revision().Root {
		before = nil // content that is taken over as it is has its own redirects
	}
	h.compare(into, before)
}

func text(m *model, id string, field func(*entity.Entry) string) string {
	if e := m.pages[id]; e != nil {
		return field(e)
	}
	return "-"
}

// rollback goes back to a random revision of the sequence.
func (h *history) rollback(on *timeline) {
	h.Helper()
	if len(h.order) == 0 {
		return
	}
	to := h.order[h.random.IntN(len(h.order))]
	if _, err := h.s.Rollback(h.Context(), store.RollbackRequest{Space: h.space, Branch: on.branch.ID,
		To: to}); err != nil {
		h.Error(err)
		return
	}
	h.rolled = true
	on.model = h.read(h.tip(on.branch))
	h.compare(on, nil)
}

// read makes a model of a revision.
func (h *history) read(v *store.View) *model {
	h.Helper()
	m := newModel()
	m.now = v.Revision().CreatedAt.UnixMicro()
	tree, err := v.Pages(h.Context())
	if err != nil {
		h.Fatal(err)
	}
	for _, node := range tree.Ordered {
		m.pages[node.Entry.ID] = node.Entry
		body, err := v.Body(h.Context(), node.Entry)
		if err != nil {
			h.Fatal(err)
		}
		if body != nil {
			m.body[node.Entry.ID] = string(body)
		}
	}
	redirects, err := v.Redirects(h.Context())
	if err != nil {
		h.Fatal(err)
	}
	for _, e := range redirects {
		m.left[place{e.Parent, e.Path}] = leftBy{e.Target.Page, e.CreatedAt}
	}
	return m
}

// list prints a model: pages with what the sequences change, and who has left which place.
func list(m *model) []string {
	var lines []string
	for id, e := range m.pages {
		lines = append(lines, fmt.Sprintf("%s below %q at %q: %q %q", id, e.Parent, e.Slug, e.Title, m.body[id]))
	}
	for p, left := range m.left {
		lines = append(lines, fmt.Sprintf("left %q %q: %s", p.parent, p.slug, left.id))
	}
	slices.Sort(lines)
	return lines
}

// remember keeps what is in a revision, for unchanged.
func (h *history) remember(v *store.View) {
	r := v.Revision()
	if _, known := h.listings[r.ID]; !known {
		h.order = append(h.order, r.ID)
		h.listings[r.ID] = strings.Join(list(h.read(v)), "\n")
	}
}

// unchanged checks that every revision of the sequence still has what it had.
func (h *history) unchanged() {
	h.Helper()
	for id, listing := range h.listings {
		v, err := h.s.View(h.Context(), id)
		if err != nil {
			h.Fatal(err)
		}
		if got := strings.Join(list(h.read(v)), "\n"); got != listing {
			h.Errorf("revision %s has changed:\n%s", id, cmp.Diff(listing, got))
		}
	}
}
