package store

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/store/pathindex"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/git"
	"github.com/rectodocs/recto/internal/engine/trie"
)

// CommitRequest is a change of a space's content, all or nothing.
type CommitRequest struct {
	Space id.Space
	// Branch is the id of a branch; "" is main.
	Branch id.Branch
	// Base is the id of the revision of the space that the change was made on; "" is the head. When the head has moved
	// on since, the two are merged.
	Base id.Revision
	// Author is a user id, Message may be "". Type is "" for TypeEdits.
	Author        id.User
	Message, Type string
	// Put adds and replaces entries. Delete names entries by id; what is below a deleted page is deleted too, except
	// what the request moves away. Both together must not name an entry twice.
	Put    []Put
	Delete []string
	// FixSlugs gives a page of Put a number behind its slug when a sibling has that slug; otherwise the request is
	// refused. A slug that is left out is made of the title and always fixed.
	FixSlugs bool
	// Own says that the entries of Put are the request's: they may be completed in place. It spares a large change a
	// copy of each.
	Own bool
	// Origin is the state of a Git repository that the change was made of, nil for none.
	Origin *git.Source
	// Also runs in the transaction that moves the head.
	Also Also
	// Stayed is set to whether the change made no revision, unless it is nil: the revision that Commit returns may be
	// one that somebody else has just made.
	Stayed *bool
}

// A change of at most so many entries and body bytes is prepared in milliseconds.
const (
	smallEntries = 64
	smallBytes   = 512 << 10
)

func (r CommitRequest) small() bool {
	size := 0
	for _, put := range r.Put {
		size += len(put.Body)
	}
	return len(r.Put)+len(r.Delete) <= smallEntries && size <= smallBytes
}

// Commit makes a revision of a change and moves the head of the branch to it. It returns the new revision, or the head
// when the change turns out to change nothing.
//
// A *ConflictError says that others have changed the same things since Base; an errs.Conflict error, that the change
// breaks a rule of the tree (two siblings with one slug, a cycle, a parent that is gone); errs.NotFound, that there is
// no such space, branch, or entry to delete; errs.Invalid and errs.TooLarge, that an entry is not well formed. Nothing
// has changed then. An error of the context or the database leaves open whether the change was made only when it broke
// off during the commit of the last transaction.
func (s *Service) Commit(ctx context.Context, request CommitRequest) (Revision, error) {
	kind := request.Type
	switch kind {
	case "":
		kind = TypeEdits
	case TypeEdits, TypeComputed:
	default:
		return Revision{}, errs.Invalidf("type", "a commit makes a revision of type edits or computed, not %q", kind)
	}
	c := &commit{service: s, request: request, kind: kind, bodies: map[string][]byte{}}
	return advance{
		service: s, space: request.Space, branch: request.Branch, author: request.Author, message: request.Message,
		origin: request.Origin, also: request.Also, alone: request.small(), propose: c.propose,
	}.run(ctx)
}

// commit carries a request through its attempts.
type commit struct {
	service *Service
	request CommitRequest
	kind    string
	bodies  map[string][]byte

	base    *View // what the change was made on, fixed at the first attempt
	planned *draft
	puts    map[string]struct{}
}

func (c *commit) propose(ctx context.Context, b Branch, head Revision) (*proposal, error) {
	s := c.service
	if c.base == nil {
		if err := c.prepare(ctx, head); err != nil {
			return nil, err
		}
	}
	// The plan itself stays as it is: it may have to be merged with another head.
	final := c.planned.clone()
	if head.Root != c.base.revision.Root {
		var err error
		if final, err = c.merge(ctx, head); err != nil {
			return nil, err
		}
	}
	if err := final.settleRedirects(ctx, s.micros()); err != nil {
		return nil, err
	}
	p, err := s.proposeChanges(ctx, head, final.before, final.changes())
	if err == nil && c.request.Stayed != nil {
		*c.request.Stayed = p.same
	}
	if err != nil || p.same {
		return p, err
	}
	p.kind, p.parents, p.generation = c.kind, []id.Revision{head.ID}, nextGeneration(head)
	maps.Copy(p.load.bodies, c.bodies)
	c.use(p)
	return p, nil
}

// prepare plans the request on its base and checks the result.
func (c *commit) prepare(ctx context.Context, head Revision) error {
	s := c.service
	base := s.viewOf(s.deps.DB.Read(), head)
	if c.request.Base != "" && c.request.Base != head.ID {
		r, err := s.Revision(ctx, c.request.Base)
		if err != nil {
			return err
		}
		if r.Space != c.request.Space {
			return errs.NotFoundf("Space %q has no revision %q.", c.request.Space, c.request.Base)
		}
		base = s.viewOf(base.q, r)
	}
	planned, err := plan(ctx, base, c.request, s.micros(), c.bodies)
	if err != nil {
		return err
	}
	c.puts = make(map[string]struct{}, len(planned.after))
	for id := range planned.after {
		c.puts[id] = struct{}{}
	}
	if err := planned.settle(ctx, c.fixable()); err != nil {
		return err
	}
	c.base, c.planned = base, planned
	return nil
}

// fixable says which slugs may be changed: those of the request, when it says so.
func (c *commit) fixable() func(id string) bool {
	if !c.request.FixSlugs {
		return nil
	}
	return func(id string) bool { _, put := c.puts[id]; return put }
}

// merge brings the planned change onto a head that has moved on.
func (c *commit) merge(ctx context.Context, head Revision) (*draft, error) {
	s := c.service
	onto := s.viewOf(c.base.q, head)
	ours, err := changesBetween(ctx, c.base, onto)
	if err != nil {
		return nil, err
	}
	join := threeWay{base: c.base, ours: ours, theirs: mergeChanges(c.planned), bodies: c.bodies,
		fixSlugs: c.request.FixSlugs}
	result, err := join.merge(ctx, nil)
	if err != nil {
		return nil, err
	}
	if len(result.Conflicts) > 0 {
		return nil, &ConflictError{Head: head.ID, Conflicts: result.Conflicts}
	}
	maps.Copy(c.bodies, result.NewBodies)
	return settleOn(ctx, onto, result.Changes, c.planned.order, c.fixable())
}

// settleOn makes a draft of changes on a revision and checks it. The changes in order come first.
func settleOn(ctx context.Context, onto *View, changes map[string]*entity.Entry, order []string,
	fixable func(string) bool) (*draft, error) {
	d := newDraft(onto)
	rest := make(map[string]struct{}, len(changes))
	for id := range changes {
		rest[id] = struct{}{}
	}
	for _, id := range append(slices.Clone(order), sortedKeys(changes)...) {
		if _, left := rest[id]; !left {
			continue
		}
		delete(rest, id)
		if err := d.set(ctx, id, changes[id]); err != nil {
			return nil, err
		}
	}
	return d, d.settle(ctx, fixable)
}

// use notes which bodies and files the request names without giving their bytes.
func (c *commit) use(p *proposal) {
	for id, e := range c.planned.after {
		before := c.planned.before[id]
		if e == nil {
			continue
		}
		if _, given := p.load.bodies[e.Body]; e.Body != "" && !given && (before == nil || before.Body != e.Body) {
			p.load.usedBodies[e.Body] = struct{}{}
		}
		if e.Blob != "" && (before == nil || before.Blob != e.Blob) {
			p.load.usedBlobs[e.Blob] = struct{}{}
		}
	}
}

// proposeChanges makes the tries of a head with changes.
func (s *Service) proposeChanges(ctx context.Context, head Revision,
	before, changes map[string]*entity.Entry) (*proposal, error) {
	v := s.viewOf(s.deps.DB.Read(), head)
	values := make(map[string][]byte, len(changes))
	index := make(map[string][]byte)
	arrived := make(map[string][]byte)
	for id, e := range changes {
		if e == nil {
			values[id] = nil
		} else {
			encoded, err := entity.Encode(e)
			if err != nil {
				return nil, err
			}
			values[id] = encoded
		}
		// A place that one page leaves can be taken by another: what arrives counts.
		if key, _, ok := pathindex.Of(before[id]); ok {
			index[key] = nil
		}
		if key, value, ok := pathindex.Of(e); ok {
			if _, twice := arrived[key]; twice {
				return nil, fmt.Errorf("derive path index: two entries at %q", key)
			}
			arrived[key] = value
		}
	}
	maps.Copy(index, arrived)
	p := &proposal{load: load{
		nodes: map[trie.Hash][]byte{}, bodies: map[string][]byte{},
		usedBodies: map[string]struct{}{}, usedBlobs: map[string]struct{}{},
	}}
	var err error
	if p.root, err = applyTo(ctx, v.entries(), head.Root, values, p.load.nodes); err != nil {
		return nil, fmt.Errorf("write entries: %w", err)
	}
	if p.root == head.Root {
		return &proposal{same: true}, nil
	}
	if p.paths, err = applyTo(ctx, v.paths(), head.Paths, index, p.load.nodes); err != nil {
		return nil, fmt.Errorf("write path index: %w", err)
	}
	return p, nil
}

// applyTo applies changes to a trie and collects its new nodes.
func applyTo(ctx context.Context, t trie.Trie, root trie.Hash, changes map[string][]byte,
	nodes map[trie.Hash][]byte) (trie.Hash, error) {
	after, made, err := t.Apply(ctx, root, changes)
	if err != nil {
		return trie.Hash{}, err
	}
	maps.Copy(nodes, made)
	return after, nil
}
