package segment

import (
	"bytes"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/markdown"
	"github.com/rectodocs/recto/internal/engine/merge"
)

// Body is a Markdown body with its units.
type Body struct {
	Markdown []byte
	Document *doc.Document
	// All are the units of the document, Units those that there is something to translate in.
	All, Units []*Unit
}

// ReadBody parses a body. It fails as markdown.Parse does.
func ReadBody(text []byte) (*Body, error) {
	d, err := markdown.Parse(text)
	if err != nil {
		return nil, err
	}
	b := &Body{Markdown: text, Document: d, All: Units(d)}
	for _, unit := range b.All {
		if unit.Speaks() {
			b.Units = append(b.Units, unit)
		}
	}
	return b, nil
}

// Align is Align for two bodies. All units of the target count: a translation may need no letters.
func (b *Body) Align(target *Body, m *Memory) Alignment { return Align(b.Units, target.All, m) }

// Absorb notes in the memory what a target has for each unit of its source: texts that nobody has seen are translations
// of the origin that is given for their source unit, by a person's hand by default.
func (b *Body) Absorb(target *Body, m *Memory, origins map[int]Origin) Alignment {
	a := b.Align(target, m)
	for i, unit := range b.Units {
		m.Add(unit.Hash(), unit.Content, Shown)
		j := a.Target[i]
		if j < 0 {
			continue
		}
		if origin, given := origins[i]; given {
			a.State[i], a.Origin[i] = Translated, origin
		}
		if a.Origin[i] != Shown {
			m.Add(unit.Hash(), target.All[j].Content, a.Origin[i])
		}
	}
	return a
}

// filled returns a copy of the document with other texts for some of the units.
func (b *Body) filled(contents map[*Unit]Content) *doc.Document {
	copied := b.Document.Clone()
	units := Units(copied)
	anchors := b.anchors()
	for k, unit := range b.All {
		content, ok := contents[unit]
		if !ok || content.Hash() == unit.Hash() {
			continue
		}
		units[k].put(content)
		if anchor, ok := anchors[unit]; ok {
			units[k].anchor(anchor)
		}
	}
	return copied
}

// anchors are those of the headings and tabs of the source: links lead to them in every language.
func (b *Body) anchors() map[*Unit]string {
	byText := map[*doc.Node]*Unit{}
	for _, unit := range b.All {
		if unit.node != nil {
			byText[unit.node] = unit
		}
	}
	anchors := map[*Unit]string{}
	b.Document.Walk(func(n *doc.Node) bool {
		if unit := byText[n]; unit != nil && n.ID != "" {
			anchors[unit] = n.ID
		}
		return true
	})
	return anchors
}

// anchor keeps the anchor of a heading whose words change.
func (u *Unit) anchor(id string) {
	if u.node == nil {
		return
	}
	if data, ok := u.node.Data.(*doc.HeadingData); ok && data.ID == "" {
		data.ID = id
	}
}

// Weave returns what becomes of a target whose source has gone from one form to another. Blocks of the source that stay
// keep what the target has for them; those that changed keep it too, and the memory notes that it is carried; new ones
// have their translation from the memory, or the source text; what went is gone. What a translator has added or
// arranged in another way stays, except where the source has changed at that very place in a way that leaves no room
// for both: there the target stays as it is.
func Weave(before, after, target *Body, m *Memory) []byte {
	was := before.Absorb(target, m, nil)
	old, fresh := map[*Unit]Content{}, map[*Unit]Content{}
	for i, unit := range before.Units {
		if j := was.Target[i]; j >= 0 {
			old[unit] = target.All[j].Content
		}
	}
	from := Follow(before.Units, after.Units)
	for k, unit := range after.Units {
		m.Add(unit.Hash(), unit.Content, Shown)
		i, kept := from[k], Missing
		if i >= 0 {
			kept = was.State[i]
		}
		if i >= 0 && was.Target[i] >= 0 && before.Units[i].Hash() == unit.Hash() {
			// Whatever the target has stays, be it the source text.
			fresh[unit] = old[before.Units[i]]
			continue
		}
		if content, _, ok := m.Best(unit.Hash()); ok {
			fresh[unit] = content
			continue
		}
		if kept == Missing {
			continue
		}
		fresh[unit] = old[before.Units[i]]
		if moved, ok := redirected(before.Units[i].Content, unit.Content, fresh[unit]); ok && kept == Translated {
			fresh[unit] = moved
			m.Add(unit.Hash(), moved, was.Origin[i])
			continue
		}
		m.Add(unit.Hash(), fresh[unit], Carried)
	}
	mine, theirs := before.filled(old), after.filled(fresh)
	written := markdown.Rewrite(target.Markdown, theirs)
	if doc.Equal(markdown.Normalize(mine), target.Document) {
		return written
	}
	merged, _ := merge.Body(markdown.Rewrite(target.Markdown, mine), target.Markdown, written)
	if _, err := markdown.Parse(merged); err != nil {
		return target.Markdown
	}
	return merged
}

// redirected returns a translation for a source of which only the placeholders stand for something else now, such as a
// link to a page that has moved.
func redirected(before, after, target Content) (Content, bool) {
	if before.Text != after.Text {
		return Content{}, false
	}
	text := Express(before, target)
	return after.Translated(text), after.Check(text) == nil
}

// Translate returns the target with other texts for some units of its source, and which of them it has no place for.
func Translate(source, target *Body, a Alignment, translations map[int]Content) (text []byte, homeless []int) {
	contents, anchors, kept := map[*Unit]Content{}, source.anchors(), map[*Unit]string{}
	for i, content := range translations {
		j := a.Target[i]
		if j < 0 {
			homeless = append(homeless, i)
			continue
		}
		contents[target.All[j]] = content
		if anchor, ok := anchors[source.Units[i]]; ok {
			kept[target.All[j]] = anchor
		}
	}
	copied := target.Document.Clone()
	for k, unit := range Units(copied) {
		if content, ok := contents[target.All[k]]; ok && content.Hash() != target.All[k].Hash() {
			unit.put(content)
			if anchor, ok := kept[target.All[k]]; ok {
				unit.anchor(anchor)
			}
		}
	}
	written := markdown.Rewrite(target.Markdown, copied)
	if bytes.Equal(written, target.Markdown) {
		return target.Markdown, homeless
	}
	return written, homeless
}
