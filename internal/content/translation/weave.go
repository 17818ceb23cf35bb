package translation

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/segment"
)

// textField is a text of an entry beside its body.
type textField struct {
	kind string
	get  func(*entity.Entry) *string
}

// textFields are those of pages, in the order in which they are translated.
var textFields = []textField{
	{"title", func(e *entity.Entry) *string { return &e.Title }},
	{"linkTitle", func(e *entity.Entry) *string { return &e.LinkTitle }},
	{"description", func(e *entity.Entry) *string { return &e.Description }},
}

// fieldsOf returns the text fields of an entry: those of reusable contents show nowhere.
func fieldsOf(e *entity.Entry) []textField {
	if e.Kind == entity.KindPage {
		return textFields
	}
	return nil
}

// weaver makes the texts of one entry of a variant.
type weaver struct {
	snapshot             *snapshot
	memory               *segment.Memory
	source, before, mine *entity.Entry
}

// weave sets the texts of what is to be put, and counts their states.
func (w *weaver) weave(ctx context.Context, put *store.Put) (Page, error) {
	var counted Page
	for _, f := range fieldsOf(w.source) {
		var was, mine string
		if w.before != nil {
			was = *f.get(w.before)
		}
		if w.mine != nil {
			mine = *f.get(w.mine)
		}
		now := *f.get(w.source)
		target := w.field(was, now, mine)
		*f.get(put.Entry) = target
		counted.countField(now, target, w.memory)
	}
	source, err := readBody(ctx, w.snapshot.source, w.source)
	if source == nil {
		if err == nil {
			err = w.opaque(put)
		}
		return counted, err
	}
	text, err := w.body(ctx, source)
	if err != nil {
		return counted, err
	}
	w.put(put, source, text)
	target, err := segment.ReadBody(text)
	if err != nil {
		return counted, nil // too much for a translation to look at: nothing is counted
	}
	counted.count(source, source.Absorb(target, w.memory, nil))
	return counted, nil
}

// readBody reads the body of an entry; nil when it cannot be read as a document, which is then treated as a whole.
func readBody(ctx context.Context, v *store.View, e *entity.Entry) (*segment.Body, error) {
	if e == nil {
		return segment.ReadBody(nil)
	}
	text, err := v.Body(ctx, e)
	if err != nil {
		return nil, err
	}
	b, err := segment.ReadBody(text)
	if errs.Is(err, errs.TooLarge) || errs.Is(err, errs.Invalid) {
		return nil, nil
	}
	return b, err
}

// opaque lets a body that cannot be read follow as a whole.
func (w *weaver) opaque(put *store.Put) error {
	if w.mine == nil || w.before != nil && w.mine.Body == w.before.Body {
		put.Entry.Body = w.source.Body
	}
	return nil
}

// body returns the Markdown that the variant is to have.
func (w *weaver) body(ctx context.Context, source *segment.Body) ([]byte, error) {
	if w.mine == nil {
		// The page is new here: it begins with what is known of its texts.
		known := map[int]segment.Content{}
		for i, unit := range source.Units {
			if best, _, ok := w.memory.Best(unit.Hash()); ok {
				known[i] = best
			}
		}
		text, _ := segment.Translate(source, source, source.Absorb(source, w.memory, nil), known)
		return text, nil
	}
	target, err := readBody(ctx, w.snapshot.target, w.mine)
	if err != nil {
		return nil, err
	}
	if target == nil {
		return w.snapshot.target.Body(ctx, w.mine)
	}
	if w.before != nil && w.before.Body == w.source.Body {
		return target.Markdown, nil
	}
	before, err := readBody(ctx, w.snapshot.before, w.before)
	if err != nil || before == nil {
		return target.Markdown, err
	}
	return segment.Weave(before, source, target, w.memory), nil
}

// put sets the body, by its hash where the store has it.
func (w *weaver) put(put *store.Put, source *segment.Body, text []byte) {
	switch {
	case len(text) == 0:
		put.Entry.Body = ""
	case bytes.Equal(text, source.Markdown):
		put.Entry.Body = w.source.Body
	case w.mine != nil && hashBody(text) == w.mine.Body:
		put.Entry.Body = w.mine.Body
	default:
		put.Entry.Body, put.Body = hashBody(text), text
	}
}

// hashBody is the hash under which package content keeps a body.
func hashBody(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// field returns what the variant is to have for a text beside the body.
func (w *weaver) field(was, now, mine string) string {
	m := w.memory
	state := segment.Missing
	if was != "" {
		source := segment.Plain(was)
		m.Add(source.Hash(), source, segment.Shown)
		if mine != "" {
			var origin segment.Origin
			if state, origin = m.State(source, segment.Plain(mine)); origin != segment.Shown {
				m.Add(source.Hash(), segment.Plain(mine), origin)
			}
		}
	}
	if now == "" {
		return ""
	}
	source := segment.Plain(now)
	m.Add(source.Hash(), source, segment.Shown)
	if was == now && w.mine != nil {
		return mine
	}
	if best, _, ok := m.Best(source.Hash()); ok {
		return best.PlainText()
	}
	if state == segment.Missing || !source.Speaks() {
		return now
	}
	m.Add(source.Hash(), segment.Plain(mine), segment.Carried)
	return mine
}

// countField counts a text beside the body.
func (p *Page) countField(source, target string, m *segment.Memory) {
	if c := segment.Plain(source); c.Speaks() {
		state, origin := segment.Missing, segment.Shown
		if target != "" {
			state, origin = m.State(c, segment.Plain(target))
		}
		p.add(c.Words(), state, origin)
	}
}

// count counts the texts of a body.
func (p *Page) count(source *segment.Body, a segment.Alignment) {
	for i, unit := range source.Units {
		p.add(unit.Words(), a.State[i], a.Origin[i])
	}
}

func (p *Page) add(words int, state segment.State, origin segment.Origin) {
	p.Words += words
	switch state {
	case segment.Translated:
		p.Translated++
		p.WordsTranslated += words
		if origin == segment.Machine {
			p.Machine++
		}
	case segment.Stale:
		p.Stale++
	case segment.Missing:
		p.Missing++
	}
}

// judgeEntry counts the states of an entry's texts in some content of the variant.
func judgeEntry(ctx context.Context, from, to *store.View, source, target *entity.Entry,
	m *segment.Memory) (Page, error) {
	var counted Page
	for _, f := range fieldsOf(source) {
		text := ""
		if target != nil {
			text = *f.get(target)
		}
		counted.countField(*f.get(source), text, m)
	}
	b, err := readBody(ctx, from, source)
	if err != nil || b == nil {
		return counted, err
	}
	there, err := readBody(ctx, to, target)
	if err != nil || there == nil {
		return counted, err
	}
	counted.count(b, b.Align(there, m))
	return counted, nil
}
