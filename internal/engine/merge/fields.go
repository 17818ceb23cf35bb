package merge

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/git"
)

// mergeEntry decides about one entry by itself.
func (m *merger) mergeEntry(ctx context.Context, e *entry) error {
	switch {
	case !e.changedTheirs:
		e.merged = e.ours
		return nil
	case !e.changedOurs:
		e.merged = e.theirs
		return nil
	case entity.Equal(e.ours, e.theirs):
		e.merged = e.ours
		return nil
	case e.base == nil && e.ours != nil && e.theirs != nil:
		return m.mergeAdded(ctx, e)
	case e.ours == nil || e.theirs == nil:
		return m.mergeDeleted(e)
	}
	return m.mergeFields(ctx, e, e.base)
}

// mergeAdded merges two entries that were added under one id.
func (m *merger) mergeAdded(ctx context.Context, e *entry) error {
	shared := e.ours.Kind == entity.KindVariables || e.ours.Kind == entity.KindRedirect
	if e.ours.Kind == e.theirs.Kind && (shared || sameContent(e.ours, e.theirs)) {
		empty := &entity.Entry{ID: e.id, Kind: e.ours.Kind, Parent: e.ours.Parent, Path: e.ours.Path}
		return m.mergeFields(ctx, e, empty)
	}
	e.merged = e.ours
	c := Conflict{Type: DuplicateID, Entries: []string{e.id}, Ours: e.ours, Theirs: e.theirs}
	choice, settled := m.conflict(c)
	if !settled {
		e.lifeOpen = true
		return nil
	}
	if choice.Take != Ours && choice.Take != Theirs {
		return wrongChoice(c, "ours or theirs")
	}
	e.merged = e.on(choice.Take)
	return nil
}

// mergeDeleted merges a deletion with an edit.
func (m *merger) mergeDeleted(e *entry) error {
	living := e.ours
	if living == nil {
		living = e.theirs
	}
	if living == nil || e.base != nil && sameContent(living, e.base) {
		e.merged = nil
		return nil
	}
	e.merged = e.ours
	c := Conflict{Type: EditDelete, Entries: []string{e.id}}
	c.Base, c.Ours, c.Theirs = entryValue(e.base), entryValue(e.ours), entryValue(e.theirs)
	choice, settled := m.conflict(c)
	if !settled {
		e.lifeOpen = true
		return nil
	}
	if choice.Take != Base && choice.Take != Ours && choice.Take != Theirs {
		return wrongChoice(c, "base, ours or theirs")
	}
	e.merged = e.on(choice.Take)
	e.keep = e.merged != nil
	return nil
}

// entryValue makes a missing entry a nil value and not a nil pointer in one.
func entryValue(e *entity.Entry) any {
	if e == nil {
		return nil
	}
	return e
}

// sameContent reports whether two entries differ in nothing but their times and the file that they were imported from,
// with its spelling.
func sameContent(a, b *entity.Entry) bool {
	x, y := *a, *b
	x.CreatedAt, x.UpdatedAt, y.CreatedAt, y.UpdatedAt = 0, 0, 0, 0
	x.Git, y.Git = nil, nil
	x.FrontMatter, y.FrontMatter = "", ""
	return entity.Equal(&x, &y)
}

// mergeFields merges the fields of an entry that both sides changed.
func (m *merger) mergeFields(ctx context.Context, e *entry, base *entity.Entry) error {
	f := fieldMerge{merger: m, entry: e, base: base, merged: e.ours.Clone(), open: len(m.conflicts)}
	for _, field := range entity.Fields() {
		var err error
		switch {
		case field.Name == "parent":
			err = f.place()
		case field.Name == "position", slices.Contains(blobFields, field.Name):
			// Merged with parent and blob.
		case field.Name == "blob":
			err = f.blob()
		case field.Name == "body":
			err = f.body(ctx)
		case field.Name == "createdAt":
			f.merged.CreatedAt = earlier(e.ours.CreatedAt, e.theirs.CreatedAt)
		case field.Name == "updatedAt":
			f.merged.UpdatedAt = max(e.ours.UpdatedAt, e.theirs.UpdatedAt)
		case field.Name == "git":
			f.git()
		case field.Name == "frontMatter":
			f.frontMatter()
		case field.Shape == entity.ShapeKeyed:
			err = f.keyed(field)
		case field.Shape == entity.ShapeTags:
			f.tags()
		default:
			err = f.value(field)
		}
		if err != nil {
			return err
		}
	}
	e.merged = f.merged
	if len(m.conflicts) > f.open {
		return nil
	}
	return f.validate()
}

// blobFields are what describes the bytes of a file beside their hash.
var blobFields = []string{"contentType", "size", "width", "height"}

// earlier returns the smaller of two times, of which 0 is none.
func earlier(a, b int64) int64 {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
}

// fieldMerge carries the merge of one entry's fields.
type fieldMerge struct {
	*merger
	entry  *entry
	base   *entity.Entry
	merged *entity.Entry // begins as ours
	open   int           // number of conflicts before this entry
	chosen bool          // a choice put a value in
}

// decide is the three-way rule for two values and their base.
func decide(base, ours, theirs any) (side Side, clear bool) {
	switch {
	case entity.EqualValues(ours, theirs), entity.EqualValues(base, theirs):
		return Ours, true
	case entity.EqualValues(base, ours):
		return Theirs, true
	}
	return "", false
}

// settle decides about one value. It returns the value to take; with an open conflict that is ours, and open is true.
func (f *fieldMerge) settle(name string, base, ours, theirs any) (value any, open bool, err error) {
	side, clear := decide(base, ours, theirs)
	if clear {
		if side == Theirs {
			return theirs, false, nil
		}
		return ours, false, nil
	}
	c := Conflict{
		Type: FieldConflict, Entries: []string{f.entry.id}, Field: name, Base: base, Ours: ours, Theirs: theirs,
	}
	choice, settled := f.conflict(c)
	if !settled {
		return ours, true, nil
	}
	switch choice.Take {
	case Base:
		return base, false, nil
	case Ours:
		return ours, false, nil
	case Theirs:
		return theirs, false, nil
	case Value:
		f.chosen = true
		return choice.Value, false, nil
	}
	return nil, false, wrongChoice(c, "base, ours, theirs or a value")
}

func (f *fieldMerge) value(field entity.Field) error {
	value, open, err := f.settle(field.Name, field.Get(f.base), field.Get(f.entry.ours), field.Get(f.entry.theirs))
	if err != nil {
		return err
	}
	if open && field.Name == "slug" {
		f.entry.slugOpen = true
	}
	return f.set(field, value)
}

// set sets a field; only a chosen value can be of a wrong type.
func (f *fieldMerge) set(field entity.Field, value any) error {
	if err := field.Set(f.merged, value); err != nil {
		return errs.Wrap(err, errs.Invalid, "the value chosen for %s of %s is of a wrong type", field.Name, f.entry.id)
	}
	return nil
}

// keyed merges a field key by key.
func (f *fieldMerge) keyed(field entity.Field) error {
	base, ours, theirs := field.Keyed(f.base), field.Keyed(f.entry.ours), field.Keyed(f.entry.theirs)
	keys := map[string]bool{}
	for _, values := range []map[string]any{base, ours, theirs} {
		for key := range values {
			keys[key] = true
		}
	}
	merged := map[string]any{}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		value, _, err := f.settle(field.Name+"."+key, base[key], ours[key], theirs[key])
		if err != nil {
			return err
		}
		if value != nil {
			merged[key] = value
		}
	}
	if err := field.SetKeyed(f.merged, merged); err != nil {
		return errs.Wrap(err, errs.Invalid, "a value chosen for %s of %s is of a wrong type", field.Name, f.entry.id)
	}
	return nil
}

// tags merges the tags as a set. When both sides changed them, those of the base come first in its order, then the
// added ones in the order of their names. A tag that either side made primary is primary.
func (f *fieldMerge) tags() {
	ours, theirs := f.entry.ours.Tags, f.entry.theirs.Tags
	side, clear := decide(tagsValue(f.base.Tags), tagsValue(ours), tagsValue(theirs))
	if clear {
		if side == Theirs {
			f.merged.Tags = slices.Clone(theirs)
		}
		return
	}
	before, left, right := tagSet(f.base.Tags), tagSet(ours), tagSet(theirs)
	var merged, added []entity.Tag
	for _, tag := range f.base.Tags {
		inOurs, hasOurs := left[tag.Tag]
		inTheirs, hasTheirs := right[tag.Tag]
		if !hasOurs || !hasTheirs {
			continue
		}
		primary := inOurs
		if inOurs == tag.Primary {
			primary = inTheirs
		}
		merged = append(merged, entity.Tag{Tag: tag.Tag, Primary: primary})
	}
	for _, tag := range slices.Concat(ours, theirs) {
		if _, old := before[tag.Tag]; old || slices.ContainsFunc(added, func(t entity.Tag) bool {
			return t.Tag == tag.Tag
		}) {
			continue
		}
		added = append(added, entity.Tag{Tag: tag.Tag, Primary: left[tag.Tag] || right[tag.Tag]})
	}
	slices.SortFunc(added, func(a, b entity.Tag) int { return strings.Compare(a.Tag, b.Tag) })
	f.merged.Tags = append(merged, added...)
}

func tagsValue(tags []entity.Tag) any {
	if len(tags) == 0 {
		return nil
	}
	return tags
}

// tagSet returns the tags, and whether each is primary.
func tagSet(tags []entity.Tag) map[string]bool {
	set := make(map[string]bool, len(tags))
	for _, tag := range tags {
		set[tag.Tag] = tag.Primary
	}
	return set
}

// place merges parent and position.
func (f *fieldMerge) place() error {
	base, ours, theirs := f.base, f.entry.ours, f.entry.theirs
	position := func(e *entity.Entry) { f.merged.Parent, f.merged.Position = e.Parent, e.Position }
	switch {
	case ours.Parent == theirs.Parent && ours.Parent == base.Parent:
		switch {
		case ours.Position == base.Position:
			position(theirs)
		case theirs.Position == base.Position:
		case theirs.Position < ours.Position:
			position(theirs)
		}
		return nil
	case ours.Parent == theirs.Parent:
		if theirs.Position < ours.Position {
			position(theirs)
		}
		return nil
	case ours.Parent == base.Parent:
		position(theirs)
		return nil
	case theirs.Parent == base.Parent:
		return nil
	}
	value, open, err := f.settle("parent", base.Parent, ours.Parent, theirs.Parent)
	if err != nil {
		return err
	}
	f.entry.placeOpen, f.entry.parentOpen = open, open
	for _, version := range []*entity.Entry{theirs, base, ours} {
		if version.Parent == value {
			position(version)
		}
	}
	parent, ok := value.(string)
	if !ok {
		return errs.Invalidf("choices", "the value chosen for parent of %s is not the id of a page", f.entry.id)
	}
	f.entry.parentChosen = parent != ours.Parent && parent != theirs.Parent && parent != base.Parent
	f.merged.Parent = parent
	return nil
}

// blob merges the bytes of a file with what describes them: who replaced the bytes has described the new ones.
func (f *fieldMerge) blob() error {
	base, ours, theirs := f.base, f.entry.ours, f.entry.theirs
	if ours.Blob == theirs.Blob {
		for _, name := range blobFields {
			field, _ := entity.FieldNamed(name)
			if err := f.value(field); err != nil {
				return err
			}
		}
		return nil
	}
	from := ours
	if side, clear := decide(base.Blob, ours.Blob, theirs.Blob); !clear {
		c := Conflict{
			Type: FieldConflict, Entries: []string{f.entry.id}, Field: "blob",
			Base: base.Blob, Ours: ours.Blob, Theirs: theirs.Blob,
		}
		choice, settled := f.conflict(c)
		switch {
		case !settled, choice.Take == Ours:
		case choice.Take == Theirs:
			from = theirs
		case choice.Take == Base:
			from = base
		default:
			return wrongChoice(c, "base, ours or theirs")
		}
	} else if side == Theirs {
		from = theirs
	}
	f.merged.Blob, f.merged.ContentType, f.merged.Size = from.Blob, from.ContentType, from.Size
	f.merged.Width, f.merged.Height = from.Width, from.Height
	return nil
}

// git merges the files that an entry was imported from. Where both sides have imported it, the one of the later change
// counts, and of changes at one moment the one that comes last in order: nobody has to decide about where something
// came from.
func (f *fieldMerge) git() {
	ours, theirs := f.entry.ours, f.entry.theirs
	side, clear := decide(fileValue(f.base.Git), fileValue(ours.Git), fileValue(theirs.Git))
	if !clear {
		side = Ours
		if cmp.Or(cmp.Compare(theirs.UpdatedAt, ours.UpdatedAt), cmp.Compare(inOrder(theirs.Git),
			inOrder(ours.Git))) > 0 {
			side = Theirs
		}
	}
	f.merged.Git = nil
	if from := f.entry.on(side).Git; from != nil {
		f.merged.Git = new(*from)
	}
}

// frontMatter merges how the file of an entry spelled its front matter. Where both sides have imported it, the one of
// the later change counts, as for git: it says nothing that the fields do not say.
func (f *fieldMerge) frontMatter() {
	ours, theirs := f.entry.ours, f.entry.theirs
	side, clear := decide(f.base.FrontMatter, ours.FrontMatter, theirs.FrontMatter)
	if !clear {
		side = Ours
		if cmp.Or(cmp.Compare(theirs.UpdatedAt, ours.UpdatedAt), cmp.Compare(theirs.FrontMatter,
			ours.FrontMatter)) > 0 {
			side = Theirs
		}
	}
	f.merged.FrontMatter = f.entry.on(side).FrontMatter
}

// fileValue makes a missing file a nil value and not a nil pointer in one.
func fileValue(file *git.File) any {
	if file == nil {
		return nil
	}
	return file
}

// inOrder is a text that orders files; none comes first.
func inOrder(file *git.File) string {
	if file == nil {
		return ""
	}
	return strings.Join([]string{file.Repository, file.Ref, file.Path, file.OID}, "\x00")
}

// body merges the bodies, which it reads only when both sides changed them.
func (f *fieldMerge) body(ctx context.Context) error {
	versions := [3]string{f.base.Body, f.entry.ours.Body, f.entry.theirs.Body}
	if side, clear := decide(versions[0], versions[1], versions[2]); clear {
		f.merged.Body = f.entry.on(side).Body
		return nil
	}
	var texts [3][]byte
	for i, hash := range versions {
		if hash == "" {
			continue
		}
		var err error
		if texts[i], err = f.in.Bodies(ctx, hash); err != nil {
			return fmt.Errorf("merge body of %s: %w", f.entry.id, err)
		}
	}
	merged, hunks := Body(texts[0], texts[1], texts[2])
	if len(hunks) == 0 {
		f.setBody(merged, versions)
		return nil
	}
	c := Conflict{
		Type: BodyConflicts, Entries: []string{f.entry.id}, Field: "body",
		Base: versions[0], Ours: versions[1], Theirs: versions[2], Hunks: hunks,
	}
	choice, settled := f.conflict(c)
	switch {
	case !settled:
		// The preview has what could be merged, with ours at the places in conflict.
	case choice.Take == Value && len(choice.Hunks) == 0:
		text, ok := choice.Value.(string)
		if !ok {
			return wrongChoice(c, "a text when it is settled with a value")
		}
		merged = []byte(text)
	default:
		sides := choice.Hunks
		if len(sides) == 0 {
			sides = slices.Repeat([]Side{choice.Take}, len(hunks))
		}
		var err error
		if merged, err = SettleBody(texts[0], texts[1], texts[2], sides); err != nil {
			return err
		}
	}
	f.setBody(merged, versions)
	return nil
}

// setBody makes a text the body, and a new one unless a version has it.
func (f *fieldMerge) setBody(text []byte, versions [3]string) {
	f.merged.Body = ""
	if len(text) == 0 {
		return
	}
	sum := sha256.Sum256(text)
	f.merged.Body = hex.EncodeToString(sum[:])
	if !slices.Contains(versions[:], f.merged.Body) {
		f.bodies[f.merged.Body] = text
	}
}

// validate checks that what was merged field by field is an entry as a whole.
func (f *fieldMerge) validate() error {
	invalid := f.merged.Validate()
	if invalid == nil || f.entry.ours.Validate() != nil || f.entry.theirs.Validate() != nil {
		return nil
	}
	if f.chosen {
		return fmt.Errorf("settle %s: %w", f.entry.id, invalid)
	}
	c := Conflict{
		Type: FieldConflict, Entries: []string{f.entry.id}, Field: "entry",
		Base: entryValue(f.entry.base), Ours: f.entry.ours, Theirs: f.entry.theirs,
	}
	e := f.entry
	e.merged = e.ours
	choice, settled := f.conflict(c)
	if !settled {
		e.lifeOpen = true
		return nil
	}
	if choice.Take != Ours && choice.Take != Theirs && (choice.Take != Base || e.base == nil) {
		return wrongChoice(c, "base, ours or theirs")
	}
	e.merged = e.on(choice.Take)
	return nil
}
