package merge_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/merge"
)

// run merges two sides of a base.
func (w *world) run(t testing.TB, base, ours, theirs space, choices map[string]merge.Choice) merge.Result {
	t.Helper()
	r, err := merge.Merge(t.Context(), merge.Input{
		Base: base, Ours: base.changesTo(ours), Theirs: base.changesTo(theirs), Bodies: w.read, Choices: choices,
	})
	if err != nil {
		t.Fatal(err)
	}
	maps.Copy(w.bodies, r.NewBodies)
	return r
}

func diffSpaces(want, got space) string {
	return cmp.Diff(map[string]*entity.Entry(want), map[string]*entity.Entry(got), cmpopts.EquateEmpty())
}

func equalSpaces(a, b space) bool {
	if len(a) != len(b) {
		return false
	}
	for id := range a {
		if !same(a[id], b[id]) {
			return false
		}
	}
	return true
}

// same is entity.Equal, which most entries need not be asked for: no edit has touched them.
func same(a, b *entity.Entry) bool { return a == b || entity.Equal(a, b) }

// TestMergeProperties makes random spaces with two random versions, and holds everything that package merge promises.
func TestMergeProperties(t *testing.T) {
	clean, conflicts := 0, map[merge.ConflictType]int{}
	for i := range cases(t) {
		result := checkCase(t, i, rand.New(rand.NewPCG(7, uint64(i))))
		if len(result.Conflicts) == 0 {
			clean++
		}
		for _, c := range result.Conflicts {
			conflicts[c.Type]++
		}
	}
	t.Logf("%d clean merges; conflicts: %v", clean, conflicts)
	if clean < cases(t)/4 {
		t.Errorf("only %d merges of %d are clean: the generator is too wild to prove anything", clean, cases(t))
	}
	for _, kind := range []merge.ConflictType{
		merge.FieldConflict, merge.BodyConflicts, merge.EditDelete, merge.DuplicateID, merge.ParentDeleted,
		merge.MoveCycle, merge.SlugConflict,
	} {
		if conflicts[kind] == 0 {
			t.Errorf("no case had a conflict of type %s: the generator is too tame to prove anything", kind)
		}
	}
}

// checkCase makes one random case and holds all properties of its merge.
func checkCase(t *testing.T, i int, r *rand.Rand) merge.Result {
	t.Helper()
	w := &world{r: r, bodies: map[string][]byte{}}
	base := w.base()
	ours, theirs := w.side(base, "o"), w.side(base, "t")
	for name, s := range map[string]space{"base": base, "ours": ours, "theirs": theirs} {
		if wrong := s.wrong(); wrong != "" {
			t.Fatalf("case %d: the generator made %s wrong: %s", i, name, wrong)
		}
	}
	result := w.run(t, base, ours, theirs, nil)
	w.checkIdentities(t, i, base, ours, theirs)
	w.checkSymmetry(t, i, base, ours, theirs, result)
	merged := ours.apply(result)
	if wrong := merged.wrong(); wrong != "" && !onlySlugs(wrong, result) {
		t.Fatalf("case %d: merged, %s; conflicts: %+v", i, wrong, result.Conflicts)
	}
	for _, c := range result.Conflicts {
		checkReal(t, i, c, base, ours, theirs)
	}
	if len(result.Conflicts) > 0 {
		w.checkSettling(t, i, base, ours, theirs, result)
		return result
	}
	w.checkNothingLost(t, i, base, ours, theirs, merged)
	checkOrder(t, i, base, ours, theirs, merged)
	return result
}

// FuzzMerge lets the fuzzer choose what the generator does.
func FuzzMerge(f *testing.F) {
	for i := range 20 {
		r := rand.New(rand.NewPCG(8, uint64(i)))
		seed := make([]byte, 400)
		for j := range seed {
			seed[j] = byte(r.Uint32())
		}
		f.Add(seed)
	}
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, choices []byte) {
		checkCase(t, 0, rand.New(&chooser{choices: choices, rest: rand.NewPCG(1, uint64(len(choices)))}))
	})
}

// chooser is a source of random numbers that takes a byte for each from the fuzzer, and goes on by itself after those.
type chooser struct {
	choices []byte
	rest    rand.Source
}

func (c *chooser) Uint64() uint64 {
	if len(c.choices) == 0 {
		return c.rest.Uint64()
	}
	b := c.choices[0]
	c.choices = c.choices[1:]
	// A number in [0, n) is taken from the high bits.
	return uint64(b)<<56 | 0x00ff_ffff_ffff_ffff
}

// onlySlugs reports whether what is wrong with a preview are the slugs that are in conflict.
func onlySlugs(wrong string, r merge.Result) bool {
	return strings.Contains(wrong, "have one slug") && len(r.Conflicts) > 0
}

// checkIdentities holds merge(b,x,b)=x, merge(b,b,y)=y and merge(b,x,x)=x.
func (w *world) checkIdentities(t *testing.T, i int, base, ours, theirs space) {
	t.Helper()
	for name, merged := range map[string]struct{ ours, theirs, want space }{
		"merge(b,x,b)": {ours, base, ours},
		"merge(b,b,y)": {base, theirs, theirs},
		"merge(b,x,x)": {ours, ours, ours},
	} {
		r := w.run(t, base, merged.ours, merged.theirs, nil)
		if got := merged.ours.apply(r); len(r.Conflicts) > 0 || len(r.NewBodies) > 0 || !equalSpaces(got, merged.want) {
			t.Fatalf("case %d: %s has conflicts %v and differs:\n%s", i, name, r.Conflicts,
				diffSpaces(merged.want, got))
		}
	}
}

// checkSymmetry holds that exchanging the sides gives the same content, or the mirrored conflicts.
func (w *world) checkSymmetry(t *testing.T, i int, base, ours, theirs space, result merge.Result) {
	t.Helper()
	mirrored := w.run(t, base, theirs, ours, nil)
	if len(result.Conflicts) == 0 && len(mirrored.Conflicts) == 0 {
		if a, b := ours.apply(result), theirs.apply(mirrored); !equalSpaces(a, b) {
			t.Fatalf("case %d: merge(b,x,y) and merge(b,y,x) differ:\n%s", i, diffSpaces(a, b))
		}
		return
	}
	var back []merge.Conflict
	for _, c := range mirrored.Conflicts {
		c.Ours, c.Theirs = c.Theirs, c.Ours
		c.Hunks = slices.Clone(c.Hunks)
		for j, h := range c.Hunks {
			h.Ours, h.Theirs, h.OursLines, h.TheirsLines = h.Theirs, h.Ours, h.TheirsLines, h.OursLines
			c.Hunks[j] = h
		}
		back = append(back, c)
	}
	// Most are equal as they are, and cmp takes longer than the merge.
	if reflect.DeepEqual(withoutIDs(result.Conflicts), withoutIDs(back)) {
		return
	}
	ignored := cmp.FilterPath(func(p cmp.Path) bool {
		name := p.Last().String()
		return name == ".ID" && len(p) < 4 || name == ".MergedLines"
	}, cmp.Ignore())
	if diff := cmp.Diff(result.Conflicts, back, ignored, cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("case %d: the mirrored merge has other conflicts:\n%s", i, diff)
	}
}

// withoutIDs returns conflicts without what exchanging the sides changes in them.
func withoutIDs(conflicts []merge.Conflict) []merge.Conflict {
	conflicts = slices.Clone(conflicts)
	for i := range conflicts {
		c := &conflicts[i]
		c.ID, c.Hunks = "", slices.Clone(c.Hunks)
		for j := range c.Hunks {
			c.Hunks[j].MergedLines = merge.Lines{}
		}
	}
	return conflicts
}

// fieldsOfCells are those that cells looks at.
var fieldsOfCells = slices.DeleteFunc(entity.Fields(), func(f entity.Field) bool {
	return slices.Contains([]string{
		"parent", "position", "body", "blob", "contentType", "size", "width", "height", "createdAt", "updatedAt", "git",
	}, f.Name)
})

// cells takes an entry apart into the values that are merged by themselves, but for place, body, file and times.
func cells(e *entity.Entry) map[string]string {
	flat := map[string]string{}
	put := func(name string, value any) {
		if value != nil {
			flat[name] = fmt.Sprintf("%#v", flattened(value))
		}
	}
	for _, f := range fieldsOfCells {
		switch {
		case f.Shape == entity.ShapeKeyed:
			for key, value := range f.Keyed(e) {
				put(f.Name+"."+key, value)
			}
		case f.Shape == entity.ShapeTags:
			for _, tag := range e.Tags {
				put("tags."+tag.Tag, tag.Primary)
			}
		default:
			put(f.Name, f.Get(e))
		}
	}
	return flat
}

func flattened(value any) any {
	if target, ok := value.(*doc.Ref); ok {
		return *target
	}
	return value
}

// checkNothingLost compares a clean merge with the rules, cell by cell.
func (w *world) checkNothingLost(t *testing.T, i int, base, ours, theirs, merged space) {
	t.Helper()
	ids := map[string]bool{}
	for _, s := range []space{base, ours, theirs, merged} {
		for id := range s {
			ids[id] = true
		}
	}
	for id := range ids {
		b, o, th, m := base[id], ours[id], theirs[id], merged[id]
		wantGone := o == nil && th == nil || b != nil && (o == nil || th == nil)
		if wantGone != (m == nil) {
			t.Fatalf("case %d: %s is %v after base %v, ours %v, theirs %v", i, id, m, b, o, th)
		}
		if m == nil {
			if o != th && b != nil && !sameButTimes(b, orElse(o, th)) {
				t.Fatalf("case %d: the edit of %s is lost in its deletion", i, id)
			}
			continue
		}
		if b == nil && (o == nil || th == nil) {
			if want := orElse(o, th); !entity.Equal(m, want) {
				t.Fatalf("case %d: the added %s differs:\n%s", i, id, cmp.Diff(want, m))
			}
			continue
		}
		if b != nil && (o == b || th == b) {
			// A side has not touched it: it is all as on the other.
			want := o
			if o == b {
				want = th
			}
			if !same(m, want) {
				t.Fatalf("case %d: one side changed %s, and it differs:\n%s", i, id, cmp.Diff(want, m))
			}
			continue
		}
		if b == nil {
			b = &entity.Entry{}
		}
		w.checkCells(t, i, b, o, th, m)
		checkPlace(t, i, b, o, th, m)
		checkFile(t, i, b, o, th, m)
		checkGit(t, i, b, o, th, m)
		w.checkBody(t, i, b, o, th, m)
	}
}

func orElse(a, b *entity.Entry) *entity.Entry {
	if a != nil {
		return a
	}
	return b
}

func sameButTimes(a, b *entity.Entry) bool {
	a, b = a.Clone(), b.Clone()
	a.CreatedAt, a.UpdatedAt, b.CreatedAt, b.UpdatedAt = 0, 0, 0, 0
	a.Git, b.Git = nil, nil
	return entity.Equal(a, b)
}

// three applies the three-way rule; it fails when both changed a value differently.
func three(base, ours, theirs string) (string, bool) {
	switch {
	case ours == theirs, theirs == base:
		return ours, true
	case ours == base:
		return theirs, true
	}
	return "", false
}

func (w *world) checkCells(t *testing.T, i int, b, o, th, m *entity.Entry) {
	t.Helper()
	base, ours, theirs, merged := cells(b), cells(o), cells(th), cells(m)
	names := map[string]bool{}
	for _, flat := range []map[string]string{base, ours, theirs, merged} {
		for name := range flat {
			names[name] = true
		}
	}
	for name := range names {
		want, clear := three(base[name], ours[name], theirs[name])
		if strings.HasPrefix(name, "tags.") && !clear {
			// Both added the tag, and one made it primary; or one took it away and the other changed that.
			want = "true"
			if ours[name] == "" || theirs[name] == "" {
				want = ""
			}
			clear = true
		}
		if !clear || merged[name] != want {
			t.Fatalf("case %d: %s of %s is %q after base %q, ours %q, theirs %q; want %q",
				i, name, m.ID, merged[name], base[name], ours[name], theirs[name], want)
		}
	}
	if want := max(o.UpdatedAt, th.UpdatedAt); m.UpdatedAt != want {
		t.Fatalf("case %d: %s was updated at %d, want %d", i, m.ID, m.UpdatedAt, want)
	}
}

func checkPlace(t *testing.T, i int, b, o, th, m *entity.Entry) {
	t.Helper()
	place := func(e *entity.Entry) string { return e.Parent + " " + e.Position }
	want, clear := three(place(b), place(o), place(th))
	switch {
	case clear:
	case o.Parent == th.Parent:
		want = o.Parent + " " + min(o.Position, th.Position)
	case o.Parent == b.Parent:
		want = place(th)
	case th.Parent == b.Parent:
		want = place(o)
	default:
		want = "a conflict"
	}
	if place(m) != want {
		t.Fatalf("case %d: %s is at %q after base %q, ours %q, theirs %q; want %q",
			i, m.ID, place(m), place(b), place(o), place(th), want)
	}
}

// checkGit holds that where an entry came from is never in conflict, and that of two imports the later one counts.
func checkGit(t *testing.T, i int, b, o, th, m *entity.Entry) {
	t.Helper()
	file := func(e *entity.Entry) string {
		if e.Git == nil {
			return ""
		}
		return e.Git.Path
	}
	want, clear := three(file(b), file(o), file(th))
	switch {
	case clear:
	case o.UpdatedAt != th.UpdatedAt:
		if want = file(o); th.UpdatedAt > o.UpdatedAt {
			want = file(th)
		}
	default:
		want = max(file(o), file(th))
	}
	if file(m) != want {
		t.Fatalf("case %d: %s is from %q after base %q, ours %q, theirs %q; want %q", i, m.ID, file(m), file(b),
			file(o), file(th), want)
	}
}

// checkFile holds that the bytes of a file come with what describes them.
func checkFile(t *testing.T, i int, b, o, th, m *entity.Entry) {
	t.Helper()
	text := func(blob, contentType string, size int64, width, height int) string {
		return fmt.Sprint(blob, contentType, " ", size, width, height)
	}
	describe := func(e *entity.Entry) string { return text(e.Blob, e.ContentType, e.Size, e.Width, e.Height) }
	var want string
	if o.Blob == th.Blob {
		// Only the width changes here without the bytes.
		switch {
		case o.Width == th.Width, th.Width == b.Width:
			want = text(o.Blob, o.ContentType, o.Size, o.Width, o.Height)
		case o.Width == b.Width:
			want = text(o.Blob, o.ContentType, o.Size, th.Width, o.Height)
		}
	} else if o.Blob == b.Blob {
		want = describe(th)
	} else if th.Blob == b.Blob {
		want = describe(o)
	}
	if describe(m) != want {
		t.Fatalf("case %d: file %s is %q after base %q, ours %q, theirs %q; want %q",
			i, m.ID, describe(m), describe(b), describe(o), describe(th), want)
	}
}

// checkBody holds that every line that a side added or deleted is there or gone, and in the order of that side.
func (w *world) checkBody(t *testing.T, i int, b, o, th, m *entity.Entry) {
	t.Helper()
	if want, clear := three(b.Body, o.Body, th.Body); clear {
		if m.Body != want {
			t.Fatalf("case %d: the body of %s is not the changed one", i, m.ID)
		}
		return
	}
	checkLines(t, fmt.Sprintf("case %d: %s", i, m.ID), w.bodies[b.Body], w.bodies[o.Body], w.bodies[th.Body],
		w.bodies[m.Body])
}

func checkLines(t *testing.T, name string, base, ours, theirs, merged []byte) {
	t.Helper()
	split := func(text []byte) []string {
		return slices.DeleteFunc(strings.Split(string(text), "\n"), func(line string) bool { return line == "" })
	}
	set := func(lines []string) map[string]bool {
		s := map[string]bool{}
		for _, line := range lines {
			s[line] = true
		}
		return s
	}
	inBase, inOurs, inTheirs, inMerged := set(split(base)), set(split(ours)), set(split(theirs)), set(split(merged))
	for line := range inMerged {
		if !inOurs[line] && !inTheirs[line] {
			t.Fatalf("%s: merged, there is %q, which neither side has", name, line)
		}
		if !inBase[line] || inOurs[line] && inTheirs[line] {
			continue
		}
		// A side deleted it. It may be there only if the other rewrote what is around it, and so can have moved it.
		other := ours
		if inTheirs[line] {
			other = theirs
		}
		if around(base, line) == around(other, line) {
			t.Fatalf("%s: merged, there is %q, which a side deleted", name, line)
		}
	}
	for _, side := range []map[string]bool{inOurs, inTheirs} {
		for line := range side {
			if !inBase[line] && !inMerged[line] {
				t.Fatalf("%s: the added line %q is lost", name, line)
			}
			if inBase[line] && inOurs[line] && inTheirs[line] && !inMerged[line] {
				t.Fatalf("%s: the line %q that nobody deleted is lost", name, line)
			}
		}
	}
	for _, side := range [][]string{split(ours), split(theirs)} {
		kept := slices.DeleteFunc(slices.Clone(side), func(line string) bool { return !inMerged[line] })
		has := set(side)
		got := slices.DeleteFunc(split(merged), func(line string) bool { return !has[line] })
		if !slices.Equal(kept, got) {
			t.Fatalf("%s: merged, the lines of a side are in the order %q, want %q", name, got, kept)
		}
	}
}

// around returns the lines before and after a line.
func around(text []byte, line string) string {
	lines := strings.Split("\n"+string(text)+"\n", "\n")
	at := slices.Index(lines, line)
	return lines[at-1] + "\n" + lines[at+1]
}

// checkOrder holds that two siblings that one side did not place keep the order that the other side gave them.
func checkOrder(t *testing.T, i int, base, ours, theirs, merged space) {
	t.Helper()
	placed := func(side space, id string) bool {
		b, e := base[id], side[id]
		return b == nil || e == nil || b.Parent != e.Parent || b.Position != e.Position
	}
	for _, sides := range [][2]space{{ours, theirs}, {theirs, ours}} {
		side, other := sides[0], sides[1]
		for _, p := range merged.ids(entity.KindPage) {
			for _, q := range merged.ids(entity.KindPage) {
				if merged[p].Parent != merged[q].Parent || side[p] == nil || side[q] == nil {
					continue
				}
				if base[p] != nil && placed(other, p) || base[q] != nil && placed(other, q) {
					continue
				}
				if (entity.Compare(merged[p], merged[q]) < 0) != (entity.Compare(side[p], side[q]) < 0) {
					t.Fatalf("case %d: %s and %s have changed their order", i, p, q)
				}
			}
		}
	}
}

// checkReal holds that a conflict is one: both sides did something to what it is about.
func checkReal(t *testing.T, i int, c merge.Conflict, base, ours, theirs space) {
	t.Helper()
	real := true
	touched := func(side space) bool {
		return slices.ContainsFunc(c.Entries, func(id string) bool { return !entity.Equal(base[id], side[id]) })
	}
	first := c.Entries[0]
	switch c.Type {
	case merge.FieldConflict, merge.BodyConflicts:
		real = len(c.Entries) == 1 && !entity.EqualValues(c.Ours, c.Theirs) &&
			!entity.EqualValues(c.Base, c.Ours) && !entity.EqualValues(c.Base, c.Theirs)
	case merge.EditDelete:
		real = base[first] != nil && (ours[first] == nil) != (theirs[first] == nil)
	case merge.DuplicateID:
		real = base[first] == nil && ours[first] != nil && theirs[first] != nil
	case merge.ParentDeleted:
		real = (ours[c.Parent] == nil) != (theirs[c.Parent] == nil)
	case merge.MoveCycle:
		real = len(c.Entries) > 1 && touched(ours) && touched(theirs)
	case merge.SlugConflict:
		real = len(c.Entries) > 1 && (touched(ours) && touched(theirs))
	}
	if !real {
		t.Fatalf("case %d: no reason for the conflict %+v", i, c)
	}
}

// checkSettling settles all conflicts with one side, round by round, and holds that it ends, that the tree is in
// form, and that taking theirs is taking ours of the mirrored merge.
func (w *world) checkSettling(t *testing.T, i int, base, ours, theirs space, first merge.Result) {
	t.Helper()
	all := w.settleAll(t, i, base, ours, theirs, merge.Theirs)
	mirrored := w.settleAll(t, i, base, theirs, ours, merge.Ours)
	if a, b := ours.apply(all), theirs.apply(mirrored); !equalSpaces(a, b) {
		t.Fatalf("case %d: settled with theirs, and mirrored with ours, differ:\n%s\n%+v", i, diffSpaces(a, b),
			first.Conflicts)
	}
	w.settleAll(t, i, base, ours, theirs, "")
}

// settleAll settles with one side, or with random sides for "". Random choices can contradict each other: then one of
// their conflicts comes up again, and everything is settled with ours.
func (w *world) settleAll(t *testing.T, i int, base, ours, theirs space, take merge.Side) merge.Result {
	t.Helper()
	choices := map[string]merge.Choice{}
	for range 20 {
		r := w.run(t, base, ours, theirs, choices)
		if len(r.Conflicts) == 0 {
			if wrong := ours.apply(r).wrong(); wrong != "" {
				t.Fatalf("case %d: settled with %v, %s", i, choices, wrong)
			}
			return r
		}
		for _, c := range r.Conflicts {
			if _, again := choices[c.ID]; again {
				if take != "" || c.Type != merge.MoveCycle && c.Type != merge.ParentDeleted {
					t.Fatalf("case %d: the choice for %+v did not settle it", i, c)
				}
				return w.settleAll(t, i, base, ours, theirs, merge.Ours)
			}
			choice := merge.Choice{Take: take}
			if take == "" {
				choice.Take = pick(w.r, merge.Ours, merge.Theirs)
				if c.Type == merge.BodyConflicts {
					choice.Take = pick(w.r, merge.Base, merge.Ours, merge.Theirs, merge.Both)
				}
			}
			choices[c.ID] = choice
		}
	}
	t.Fatalf("case %d: conflicts go on after 20 rounds of choices", i)
	return merge.Result{}
}
