package translation

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/segment"
)

// entriesOf returns everything that a view has, by id.
func entriesOf(ctx context.Context, v *store.View) (map[string]*entity.Entry, error) {
	entries := map[string]*entity.Entry{}
	for change, err := range v.Empty().Diff(ctx, v) {
		if err != nil {
			return nil, err
		}
		entries[change.ID] = change.After
	}
	return entries, nil
}

// comparison is the work of finding what becomes of a variant.
type comparison struct {
	service  *Service
	snapshot *snapshot
	// source, target and main are all entries of these contents; was holds those of the source that have changed since,
	// as they were (nil for what is new).
	source, target, main, was map[string]*entity.Entry
	rows                      map[string]Page
	made                      *proposal
}

// compare finds what becomes of a variant so that it follows its source.
func (s *Service) compare(ctx context.Context, d *snapshot) (*proposal, error) {
	c := &comparison{service: s, snapshot: d, was: map[string]*entity.Entry{}, made: &proposal{}}
	var err error
	if c.source, err = entriesOf(ctx, d.source); err != nil {
		return nil, err
	}
	if c.target, err = entriesOf(ctx, d.target); err != nil {
		return nil, err
	}
	c.main = c.target
	if d.branch != "" {
		if c.main, err = entriesOf(ctx, d.main); err != nil {
			return nil, err
		}
	}
	for change, err := range d.before.Diff(ctx, d.source) {
		if err != nil {
			return nil, err
		}
		c.was[change.ID] = change.Before
	}
	if c.rows, err = allPages(ctx, s.deps.DB.Read(), d.language.ID); err != nil {
		return nil, err
	}
	if err := c.follow(ctx); err != nil {
		return nil, err
	}
	c.drop()
	return c.made, nil
}

// follow goes through the source in the order of reading.
func (c *comparison) follow(ctx context.Context) error {
	order, err := c.order(ctx)
	if err != nil {
		return err
	}
	m := &meter{service: c.service, language: c.snapshot.language.ID}
	for position, entryID := range order {
		if err := m.step(ctx, position, len(order)); err != nil {
			return err
		}
		if err := c.entry(ctx, entryID, int64(position)); err != nil {
			return err
		}
	}
	return nil
}

// order lists the entries of the source: pages as they are read, then all else.
func (c *comparison) order(ctx context.Context) ([]string, error) {
	tree, err := c.snapshot.source.Pages(ctx)
	if err != nil {
		return nil, err
	}
	order := make([]string, 0, len(c.source))
	for _, node := range tree.Ordered {
		order = append(order, node.Entry.ID)
	}
	for _, entryID := range slices.Sorted(maps.Keys(c.source)) {
		if kind := c.source[entryID].Kind; kind != entity.KindPage && kind != entity.KindRedirect {
			order = append(order, entryID)
		}
	}
	return order, nil
}

// before returns an entry as the variant has followed it last; nil when it is new.
func (c *comparison) before(entryID string) *entity.Entry {
	if e, changed := c.was[entryID]; changed {
		return e
	}
	return c.source[entryID]
}

// textual reports whether an entry has texts to translate.
func textual(e *entity.Entry) bool {
	return e != nil && (e.Kind == entity.KindPage || e.Kind == entity.KindReusable)
}

// textKey identifies the texts of an entry.
func textKey(e *entity.Entry) string {
	if e == nil {
		return ""
	}
	sum := sha256.Sum256([]byte(strings.Join([]string{e.Title, e.LinkTitle, e.Description, e.Body}, "\x00")))
	return hex.EncodeToString(sum[:12])
}

func (c *comparison) entry(ctx context.Context, entryID string, position int64) error {
	source, before, mine := c.source[entryID], c.before(entryID), c.target[entryID]
	next := followFields(source, before, mine)
	put := store.Put{Entry: next}
	if textual(source) {
		row, err := c.texts(ctx, source, before, mine, &put)
		if err != nil {
			return err
		}
		row.Entry, row.Kind, row.Title, row.position = entryID, kindOf(source), source.Title, position
		if row != c.rows[entryID] {
			c.made.pages = append(c.made.pages, row)
		}
		if old := c.rows[entryID]; old.MainTranslated != row.MainTranslated || old.MainStale != row.MainStale ||
			old.MainMissing != row.MainMissing {
			c.made.shown = true
		}
	}
	if mine == nil || put.Body != nil || !entity.Equal(next, mine) {
		c.made.puts = append(c.made.puts, put)
	}
	return nil
}

func kindOf(e *entity.Entry) string {
	if e.Kind == entity.KindPage {
		return string(e.Type)
	}
	return string(e.Kind)
}

// texts fills in the texts of an entry and returns its row.
func (c *comparison) texts(ctx context.Context, source, before, mine *entity.Entry, put *store.Put) (Page, error) {
	row := c.rows[source.ID]
	sourceKey, live := textKey(source), c.main[source.ID]
	if mine != nil && row.Entry != "" && row.sourceKey == sourceKey && row.targetKey == textKey(mine) &&
		textKey(before) == sourceKey {
		return c.liveCounts(ctx, row, source, live, nil)
	}
	memory, err := memoryOf(ctx, c.service.deps.DB.Read(), c.snapshot.language.ID, source.ID)
	if err != nil {
		return Page{}, err
	}
	w := &weaver{snapshot: c.snapshot, memory: memory, source: source, before: before, mine: mine}
	counted, err := w.weave(ctx, put)
	if err != nil {
		return Page{}, err
	}
	for _, added := range memory.Added() {
		c.made.memory = append(c.made.memory, remembered{source.ID, added})
	}
	counted.sourceKey, counted.targetKey = sourceKey, textKey(put.Entry)
	counted.mainKey, counted.MainTranslated, counted.MainStale, counted.MainMissing = row.mainKey, row.MainTranslated,
		row.MainStale, row.MainMissing
	return c.liveCounts(ctx, counted, source, live, memory)
}

// liveCounts counts the states of the variant's main content where it is not what is worked on.
func (c *comparison) liveCounts(ctx context.Context, row Page, source, live *entity.Entry,
	memory *segment.Memory) (Page, error) {
	key := row.sourceKey + ":" + textKey(live)
	// What a change request is about to be opened for is not live yet.
	if textKey(live) == row.targetKey {
		row.mainKey, row.MainTranslated, row.MainStale, row.MainMissing = key, row.Translated, row.Stale, row.Missing
		return row, nil
	}
	if row.mainKey == key {
		return row, nil
	}
	if memory == nil {
		var err error
		if memory, err = memoryOf(ctx, c.service.deps.DB.Read(), c.snapshot.language.ID, source.ID); err != nil {
			return Page{}, err
		}
	}
	counts, err := judgeEntry(ctx, c.snapshot.source, c.snapshot.main, source, live, memory)
	row.mainKey, row.MainTranslated, row.MainStale, row.MainMissing = key, counts.Translated, counts.Stale,
		counts.Missing
	return row, err
}

// drop removes what the source has no longer, and keeps what translators have put below it.
func (c *comparison) drop() {
	doomed := map[string]bool{}
	for entryID, before := range c.was {
		if before == nil || c.source[entryID] != nil || before.Kind == entity.KindRedirect {
			continue
		}
		if c.target[entryID] != nil {
			doomed[entryID] = true
			c.made.deletes = append(c.made.deletes, entryID)
		}
	}
	for entryID := range c.rows {
		if c.source[entryID] == nil {
			c.made.gone = append(c.made.gone, entryID)
			c.made.shown = true
		}
	}
	slices.Sort(c.made.deletes)
	for _, entryID := range slices.Sorted(maps.Keys(c.target)) {
		e := c.target[entryID]
		if c.source[entryID] != nil || doomed[entryID] || e.Kind != entity.KindPage || !doomed[e.Parent] {
			continue
		}
		moved := e.Clone()
		for doomed[moved.Parent] {
			moved.Parent = c.target[moved.Parent].Parent
		}
		moved.Position = ""
		c.made.puts = append(c.made.puts, store.Put{Entry: moved})
	}
}

// followFields returns an entry of the variant with what the source decides: its place and type, and each other field,
// texts apart, that has changed there.
func followFields(source, before, mine *entity.Entry) *entity.Entry {
	if mine == nil || mine.Kind != source.Kind {
		made := source.Clone()
		made.Git = nil // the translation of a file is not the file
		return made
	}
	next := mine.Clone()
	if before == nil {
		before = source
	}
	for _, f := range entity.Fields() {
		switch f.Name {
		case "createdAt", "updatedAt", "git":
			continue
		case "title", "linkTitle", "description", "body":
			if source.Kind == entity.KindPage || source.Kind == entity.KindReusable && f.Name == "body" {
				continue
			}
			if f.Equal(before, source) {
				continue
			}
		case "parent", "position", "type", "kind":
		default:
			if f.Equal(before, source) {
				continue
			}
		}
		if f.Shape == entity.ShapeKeyed {
			followKeyed(f, source, before, next)
			continue
		}
		if err := f.Set(next, f.Get(source)); err != nil {
			panic(err) // what one entry has another can have
		}
	}
	return next
}

func followKeyed(f entity.Field, source, before, next *entity.Entry) {
	values, was, is := maps.Clone(f.Keyed(next)), f.Keyed(before), f.Keyed(source)
	if values == nil {
		values = map[string]any{}
	}
	for key := range was {
		if _, stays := is[key]; !stays {
			delete(values, key)
		}
	}
	for key, value := range is {
		if old, known := was[key]; !known || !entity.EqualValues(old, value) {
			values[key] = value
		}
	}
	if err := f.SetKeyed(next, values); err != nil {
		panic(err) // the values are those of other entries
	}
}
