package link

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/trie"
)

// derivation makes the index of one revision from that of another, or from nothing.
type derivation struct {
	service *Service
	// before is nil when the index is made from nothing; from is empty then.
	before, after *store.View
	from          *index

	changes []store.Change
	claims  map[string]map[string]bool // claim -> id -> whether it is laid or given up
	// links are the links of the sources that were looked at, as they are to be; gone are those to take away.
	pending map[dependent]pendingLink
	counts  counts
	values  map[string][]byte
}

// pendingLink is a link that is to be resolved, or to be taken away.
type pendingLink struct {
	old *stored // nil for a new one
	now *reference
	// keep says that where it leads is as before; only its places have changed.
	keep bool
}

// derive returns the new index and the nodes that it has beyond the old one's.
func (s *Service) derive(ctx context.Context, before, after *store.View,
	from *index) (*index, map[trie.Hash][]byte, error) {
	d := &derivation{
		service: s, before: before, after: after, from: from, claims: map[string]map[string]bool{},
		pending: map[dependent]pendingLink{}, counts: from.counts, values: map[string][]byte{},
	}
	for _, step := range []func(context.Context) error{d.collect, d.sources, d.affected, d.resolve} {
		if err := step(ctx); err != nil {
			return nil, nil, fmt.Errorf("index the links of revision %s: %w", after.Revision().ID, err)
		}
	}
	root, nodes, err := s.trie().Apply(ctx, from.root, d.values)
	if err != nil {
		return nil, nil, fmt.Errorf("write the link index of revision %s: %w", after.Revision().ID, err)
	}
	return &index{root: root, counts: d.counts}, nodes, nil
}

// collect finds the entries that differ, and the claims that they lay.
func (d *derivation) collect(ctx context.Context) error {
	if d.before == nil {
		if err := d.everything(ctx); err != nil {
			return err
		}
	} else {
		for change, err := range d.before.Diff(ctx, d.after) {
			if err != nil {
				return err
			}
			d.changes = append(d.changes, change)
		}
	}
	for _, c := range d.changes {
		old, now := claimKey(c.Before), claimKey(c.After)
		if old == now {
			continue
		}
		if old != "" {
			d.claim(old, c.ID, false)
		}
		if now != "" {
			d.claim(now, c.ID, true)
		}
	}
	return nil
}

// everything makes every entry of the revision an added one.
func (d *derivation) everything(ctx context.Context) error {
	tree, err := d.after.Pages(ctx)
	if err != nil {
		return err
	}
	files, err := d.after.Files(ctx)
	if err != nil {
		return err
	}
	reusables, err := d.after.ReusableContents(ctx)
	if err != nil {
		return err
	}
	for _, node := range tree.Ordered {
		d.changes = append(d.changes, store.Change{ID: node.Entry.ID, After: node.Entry})
	}
	for _, e := range slices.Concat(files, reusables) {
		d.changes = append(d.changes, store.Change{ID: e.ID, After: e})
	}
	return nil
}

func (d *derivation) claim(claim, id string, laid bool) {
	if d.claims[claim] == nil {
		d.claims[claim] = map[string]bool{}
	}
	d.claims[claim][id] = laid
	if laid {
		d.values[key(claimed, claim, id)] = []byte{}
	} else {
		d.values[key(claimed, claim, id)] = nil
	}
}

// claimants returns the ids that lay a claim in the new revision, sorted.
func (d *derivation) claimants(ctx context.Context, claim string) ([]string, error) {
	found := map[string]struct{}{}
	for item, err := range d.service.group(ctx, d.from.root, claimed, claim) {
		if err != nil {
			return nil, fmt.Errorf("read the claims to %q: %w", claim, err)
		}
		found[item.Key] = struct{}{}
	}
	for id, laid := range d.claims[claim] {
		if laid {
			found[id] = struct{}{}
		} else {
			delete(found, id)
		}
	}
	return slices.Sorted(maps.Keys(found)), nil
}

// sources compares the references of every changed source with the links that it had.
func (d *derivation) sources(ctx context.Context) error {
	for _, c := range d.changes {
		if !refersDifferently(c.Before, c.After) {
			continue
		}
		old := map[string]stored{}
		if c.Before != nil {
			var err error
			if old, err = d.service.linksOf(ctx, d.from.root, c.ID); err != nil {
				return err
			}
		}
		references, err := d.service.referencesOf(ctx, d.after, c.After)
		if err != nil {
			return err
		}
		for i := range references {
			now := &references[i]
			name := now.name()
			link, known := old[name]
			if !known {
				d.pending[dependent{source: c.ID, name: name}] = pendingLink{now: now}
				continue
			}
			delete(old, name)
			if link.Order != now.order || link.Places != now.places || !slices.Equal(link.Keys, now.keys) {
				d.pending[dependent{source: c.ID, name: name}] = pendingLink{old: &link, now: now, keep: true}
			}
		}
		for name, link := range old {
			d.pending[dependent{source: c.ID, name: name}] = pendingLink{old: &link}
		}
	}
	return nil
}

// refersDifferently reports whether what an entry refers to can have changed.
func refersDifferently(before, after *entity.Entry) bool {
	if before == nil || after == nil || kindOf(before) != kindOf(after) || before.Body != after.Body {
		return true
	}
	for _, name := range []string{"cover", "target", "computed"} {
		if field, ok := entity.FieldNamed(name); ok && !field.Equal(before, after) {
			return true
		}
	}
	return false
}

// affected adds the links that have looked at something that is different now.
func (d *derivation) affected(ctx context.Context) error {
	if d.before == nil {
		return nil
	}
	t := newTouched(d.service, d.before, d.after, d.from.counts.Written > 0)
	for _, c := range d.changes {
		if err := t.entry(ctx, c); err != nil {
			return err
		}
	}
	if err := t.finish(ctx); err != nil {
		return err
	}
	for what := range t.what {
		dependents, err := d.service.dependents(ctx, d.from.root, shortHash(what))
		if err != nil {
			return err
		}
		for _, link := range dependents {
			if err := d.again(ctx, link); err != nil {
				return err
			}
		}
	}
	return nil
}

// again makes a link that was there before be resolved.
func (d *derivation) again(ctx context.Context, link dependent) error {
	at := dependent{source: link.source, name: link.name}
	pending, known := d.pending[at]
	if known {
		pending.keep = false
		d.pending[at] = pending
		return nil
	}
	old, err := d.service.get(ctx, d.from.root, link)
	if err != nil {
		return err
	}
	d.pending[at] = pendingLink{old: &old, now: old.reference()}
	return nil
}

// reference is the reference that a link was made of. Links that are too long to be kept whole have looked at nothing,
// so they never come here.
func (s stored) reference() *reference {
	r := newReference(s.Role, doc.URL(s.Written))
	r.relation, r.include, r.keys, r.places, r.order = s.Relation, s.Include, s.Keys, s.Places, s.Order
	return &r
}

// resolve says where every pending link leads now, and collects what changes in the trie.
func (d *derivation) resolve(ctx context.Context) error {
	entries := map[string]*entity.Entry{}
	for at, pending := range d.pending {
		if pending.old != nil {
			d.take(at, *pending.old)
		}
		if pending.now == nil {
			continue
		}
		if _, known := entries[at.source]; !known {
			e, err := d.after.Entry(ctx, at.source)
			if err != nil {
				return err
			}
			entries[at.source] = e
		}
		link, err := d.link(ctx, entries[at.source], pending)
		if err != nil {
			return err
		}
		if err := d.put(at, link); err != nil {
			return err
		}
	}
	return nil
}

func (d *derivation) link(ctx context.Context, source *entity.Entry, pending pendingLink) (stored, error) {
	now := pending.now
	made := stored{
		Role: now.role, Relation: now.relation, Include: now.include, Written: shorten(now.written),
		Order: now.order, Places: now.places, Keys: now.keys,
	}
	if pending.keep {
		made.class, made.Target, made.Reason = pending.old.class, pending.old.Target, pending.old.Reason
		made.Path, made.Looked = pending.old.Path, pending.old.Looked
		return made, nil
	}
	r := resolver{service: d.service, view: d.after, claims: d.claimants, looked: map[string]struct{}{}}
	found, err := r.resolve(ctx, source, *now)
	if err != nil {
		return stored{}, fmt.Errorf("resolve %q: %w", shorten(now.written), err)
	}
	made.class, made.Target, made.Reason, made.Path = found.class, found.target, found.reason, found.path
	made.Looked = slices.Sorted(maps.Keys(r.looked))
	return made, nil
}

// take takes a link out of the trie, put puts one in. A link is first taken, then put, so what it keeps stays.
func (d *derivation) take(at dependent, link stored) {
	d.counts.add(link.class, link.Path, -1)
	d.values[key(link.class, at.source, at.name)] = nil
	for _, looked := range link.Looked {
		d.values[key(reversed, looked, at.source+"\x00"+at.name)] = nil
	}
}

func (d *derivation) put(at dependent, link stored) error {
	encoded, err := link.encode()
	if err != nil {
		return err
	}
	d.counts.add(link.class, link.Path, 1)
	d.values[key(link.class, at.source, at.name)] = encoded
	for _, looked := range link.Looked {
		d.values[key(reversed, looked, at.source+"\x00"+at.name)] = []byte{byte(link.class)}
	}
	return nil
}
