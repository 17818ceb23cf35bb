package change

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/merge"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Pull brings main into a change request with a revision of store.TypeUpdate. It needs the role edit. What can be
// merged is taken. In each conflict the change request keeps its own version, and the conflict waits to be settled; a
// conflict that was settled before and comes up again just so stays settled. Outcome.Conflicts are all that are open
// afterwards.
func (s *Service) Pull(ctx context.Context, caller account.Caller, spaceID id.Space,
	idOrNumber id.ChangeRequest) (Outcome, error) {
	var outcome Outcome
	err := again(func() error {
		_, r, err := s.current(ctx, caller, spaceID, idOrNumber, access.EditSpace)
		if err != nil {
			return err
		}
		if err := r.Status.requireWritable(); err != nil {
			return err
		}
		outcome, err = s.pull(ctx, caller, r)
		return err
	})
	return outcome, err
}

func (s *Service) pull(ctx context.Context, caller account.Caller, r Request) (Outcome, error) {
	choices, err := choicesOf(ctx, s.deps.DB.Read(), r.ID)
	if err != nil {
		return Outcome{}, err
	}
	var found store.MergeResult
	result, err := s.deps.Content.UpdateBranch(ctx, store.MergeRequest{
		Space: r.Space, Branch: r.Branch, Author: caller.User.ID, Message: "Update from the main content",
		Choices: choices, KeepOurs: true, Found: &found,
		Also: func(ctx context.Context, q db.Querier, made store.Revision) error {
			if !found.Changed || len(found.Conflicts) == 0 {
				return nil
			}
			if made.Parents[0] != r.Head {
				return errMoved // then the base may be another, too
			}
			u := update{id: id.New("update"), base: r.Base, own: r.Head, main: made.Parents[1]}
			if err := insertUpdate(ctx, q, r.ID, u, made.CreatedAt); err != nil {
				return err
			}
			return record(ctx, q, r.ID, u, found.Conflicts, made)
		},
	})
	if err != nil {
		return Outcome{}, err
	}
	after, err := find(ctx, s.deps.DB.Read(), r.Space, r.ID)
	if err != nil {
		return Outcome{}, err
	}
	outcome := Outcome{Request: after, Revision: result.Revision.ID, Changed: result.Changed}
	if outcome.Conflicts, err = openConflicts(ctx, s.deps.DB.Read(), r.ID); err != nil {
		return Outcome{}, err
	}
	return outcome, s.fill(ctx, r.Space, outcome.Conflicts)
}

// record stores conflicts of an update that the revision was made with.
func record(ctx context.Context, q db.Querier, requestID id.ChangeRequest, u update, found []merge.Conflict,
	made store.Revision) error {
	for i, f := range found {
		c := newConflict(requestID, f)
		c.update, c.position, c.CreatedAt = u.id, i, made.CreatedAt
		if err := putConflict(ctx, q, c); err != nil {
			return err
		}
	}
	return nil
}

// ConflictFilter says which conflicts are listed.
type ConflictFilter string

// Conflicts to list.
const (
	OpenConflicts    ConflictFilter = "open"
	SettledConflicts ConflictFilter = "settled"
)

// Conflicts returns a page of the conflicts of a change request in the order in which updates met them, with the number
// of all of them and the keys of the next page. Open are also those that the next update would meet, which come last;
// one of them takes the place of what an earlier update met about the same.
func (s *Service) Conflicts(ctx context.Context, caller account.Caller, spaceID id.Space, idOrNumber id.ChangeRequest,
	which ConflictFilter, page paging.Request) (conflicts paging.Page[Conflict], err error) {
	q := s.deps.DB.Read()
	_, r, err := s.current(ctx, caller, spaceID, idOrNumber, access.ViewSpace)
	if err != nil {
		return paging.Page[Conflict]{}, err
	}
	var ahead []Conflict
	if which != SettledConflicts && r.Status.requireWritable() == nil && r.Base != r.main {
		if ahead, err = s.ahead(ctx, r); err != nil {
			return paging.Page[Conflict]{}, err
		}
	}
	if len(ahead) > 0 {
		conflicts.Items, conflicts.Count, err = withAhead(ctx, q, r.ID, ahead, page)
	} else {
		conflicts.Items, conflicts.Count, err = listConflicts(ctx, q, r.ID, which == SettledConflicts, page)
	}
	if err != nil {
		return paging.Page[Conflict]{}, err
	}
	conflicts.Cut(page.Size(), func(c Conflict) []string { return c.placeInList().keys() })
	return conflicts, s.fill(ctx, r.Space, conflicts.Items)
}

// withAhead is listConflicts for the open ones together with those that the next update would meet.
func withAhead(ctx context.Context, q db.Querier, requestID id.ChangeRequest, ahead []Conflict,
	page paging.Request) ([]Conflict, int, error) {
	after, err := conflictPlaceOf(page)
	if err != nil {
		return nil, 0, err
	}
	replaced := map[string]bool{}
	for _, c := range ahead {
		replaced[c.place()] = true
	}
	var all []Conflict
	for from := (paging.Request{Limit: paging.MaxLimit}); ; {
		open, _, err := listConflicts(ctx, q, requestID, false, from)
		if err != nil {
			return nil, 0, err
		}
		var next []string
		open, next = paging.Cut(open, from.Size(), func(c Conflict) []string { return c.placeInList().keys() })
		all = append(all, slices.DeleteFunc(open, func(c Conflict) bool { return replaced[c.place()] })...)
		if next == nil {
			break
		}
		from.After = next
	}
	all = append(all, ahead...)
	count := len(all)
	all = slices.DeleteFunc(all, func(c Conflict) bool { return c.placeInList().compare(after) <= 0 })
	return all[:min(len(all), page.Size()+1)], count, nil
}

// Settle settles an open conflict of a change request. It needs the role edit. What main or a value gives is put into
// the change request with one revision, which leaves alone what has been written there since but for the very place of
// the conflict. Settling may bring up another conflict and make others go away. It returns the settled conflict and the
// change request as it is then: once its last conflict is settled it is up to date, unless main has moved on again. A
// conflict that only the next update would meet is settled with that update: the change request is updated first.
func (s *Service) Settle(ctx context.Context, caller account.Caller, spaceID id.Space, idOrNumber id.ChangeRequest,
	conflictID string, how Settlement) (Conflict, Request, error) {
	var settled Conflict
	var after Request
	asked := how
	err := again(func() error {
		q := s.deps.DB.Read()
		_, r, err := s.current(ctx, caller, spaceID, idOrNumber, access.EditSpace)
		if err != nil {
			return err
		}
		if err := r.Status.requireWritable(); err != nil {
			return err
		}
		if how.Keep == "" {
			if how, err = s.valued(ctx, caller, r, conflictID, asked); err != nil {
				return err
			}
		}
		c, err := conflictByID(ctx, q, r.ID, conflictID)
		if errs.Is(err, errs.NotFound) || err == nil && c.Settled != nil {
			var updated bool
			if updated, err = s.pullFor(ctx, caller, r, conflictID, how.choice(), err); updated {
				return errMoved // it is there now, or main has moved on and nobody has
			}
		}
		if err != nil {
			return err
		}
		if c.Settled != nil {
			return errs.Conflictf("The conflict is settled already.")
		}
		if err := s.settle(ctx, caller, r, c, how.choice()); err != nil {
			return err
		}
		if settled, err = conflictByID(ctx, q, r.ID, conflictID); err != nil {
			return err
		}
		after, err = find(ctx, q, spaceID, r.ID)
		return err
	})
	if err != nil {
		return Conflict{}, Request{}, err
	}
	one := []Conflict{settled}
	err = s.fill(ctx, spaceID, one)
	return one[0], after, err
}

// pullFor updates a change request when the update is going to meet a conflict, and reports whether it did. Otherwise
// it returns the error that it is given.
func (s *Service) pullFor(ctx context.Context, caller account.Caller, r Request, conflictID string, choice merge.Choice,
	otherwise error) (bool, error) {
	if r.Base == r.main {
		return false, otherwise
	}
	ahead, err := s.ahead(ctx, r)
	if err != nil {
		return false, err
	}
	if !slices.ContainsFunc(ahead, func(c Conflict) bool { return c.ID == conflictID }) {
		return false, otherwise
	}
	choices, err := choicesOf(ctx, s.deps.DB.Read(), r.ID)
	if err != nil {
		return false, err
	}
	choices[conflictID] = choice
	// A settlement that cannot be is refused before anything has changed.
	if _, err := s.deps.Content.PreviewMerge(ctx, r.Space, r.Base, r.Head, r.main, choices); err != nil {
		return false, err
	}
	_, err = s.pull(ctx, caller, r)
	return err == nil, err
}

// settle makes one attempt with the change request and the conflict as they were read.
func (s *Service) settle(ctx context.Context, caller account.Caller, r Request, c Conflict, choice merge.Choice) error {
	q := s.deps.DB.Read()
	u, err := updateByID(ctx, q, c.update)
	if err != nil {
		return err
	}
	choices, err := choicesOf(ctx, q, r.ID)
	if err != nil {
		return err
	}
	before, err := s.deps.Content.PreviewMerge(ctx, r.Space, u.base, u.own, u.main, choices)
	if err != nil {
		return err
	}
	with := maps.Clone(choices)
	with[c.ID] = choice
	now, err := s.deps.Content.PreviewMerge(ctx, r.Space, u.base, u.own, u.main, with)
	if err != nil {
		return err
	}
	step := step{about: c, settled: len(choices), before: before, now: now}
	if step.own, err = s.deps.Content.View(ctx, u.own); err != nil {
		return err
	}
	if step.head, err = s.deps.Content.View(ctx, r.Head); err != nil {
		return err
	}
	request, err := step.commit(ctx)
	if err != nil {
		return err
	}
	request.Space, request.Branch, request.Base, request.Author = r.Space, r.Branch, r.Head, caller.User.ID
	request.Message = "Settle a conflict"
	request.Also = func(ctx context.Context, q db.Querier, made store.Revision) error {
		return s.noteSettled(ctx, q, caller, r, c, u, choice, step, made)
	}
	_, err = s.deps.Content.Commit(ctx, request)
	if _, conflict := errors.AsType[*store.ConflictError](err); conflict {
		return errMoved
	}
	return err
}

// noteSettled stores a settlement in the transaction in which the branch has moved, with the conflicts that it brings
// up and without those that it makes go away.
func (s *Service) noteSettled(ctx context.Context, q db.Querier, caller account.Caller, r Request, c Conflict, u update,
	choice merge.Choice, step step, made store.Revision) error {
	current, err := find(ctx, q, r.Space, r.ID)
	if err != nil {
		return err
	}
	if err := current.Status.requireWritable(); err != nil {
		return err
	}
	settled, err := choicesOf(ctx, q, r.ID)
	if err != nil {
		return err
	}
	if len(settled) != step.settled {
		return errMoved // another settlement has come first, and this one may have to look different after it
	}
	at := s.after(r)
	open, err := setSettled(ctx, q, r.ID, c.ID, choice, caller.User.ID, at)
	if err != nil {
		return err
	}
	if !open {
		return errMoved
	}
	was, is := conflictIDs(step.before.Conflicts), conflictIDs(step.now.Conflicts)
	arisen := slices.DeleteFunc(slices.Clone(step.now.Conflicts), func(n merge.Conflict) bool { return was[n.ID] })
	made.CreatedAt = at
	if err := record(ctx, q, r.ID, u, arisen, made); err != nil {
		return err
	}
	for gone := range was {
		if !is[gone] && gone != c.ID {
			if err := dropConflict(ctx, q, r.ID, gone, u); err != nil {
				return err
			}
		}
	}
	return touch(ctx, q, r.ID, at)
}

func conflictIDs(conflicts []merge.Conflict) map[string]bool {
	ids := make(map[string]bool, len(conflicts))
	for _, c := range conflicts {
		ids[c.ID] = true
	}
	return ids
}

// step is what one settlement changes: the difference of an update's outcome before and with it.
type step struct {
	about Conflict
	// settled is the number of settlements before this one.
	settled     int
	before, now store.Preview
	// own is the change request's side of the update, head what it is at present.
	own, head *store.View
}

// commit makes the request that puts the difference onto the head.
func (p step) commit(ctx context.Context) (store.CommitRequest, error) {
	request := store.CommitRequest{FixSlugs: true}
	ids := map[string]bool{}
	for _, changes := range []map[string]*entity.Entry{p.before.Changes, p.now.Changes} {
		for entryID := range changes {
			ids[entryID] = true
		}
	}
	for _, entryID := range slices.Sorted(maps.Keys(ids)) {
		was, err := p.entry(ctx, p.before, entryID)
		if err != nil {
			return request, err
		}
		is, err := p.entry(ctx, p.now, entryID)
		if err != nil {
			return request, err
		}
		if entity.Equal(was, is) || p.leaves(was, is, entryID) {
			continue
		}
		head, err := entryOf(ctx, p.head, entryID)
		if err != nil {
			return request, err
		}
		switch {
		case is == nil && head != nil:
			request.Delete = append(request.Delete, entryID)
		case is == nil:
		case was == nil, head == nil && slices.Contains(p.about.Entries, entryID):
			put := store.Put{Entry: is.Clone()}
			if text, fresh := p.now.Bodies[is.Body]; fresh {
				put.Body = text
			}
			request.Put = append(request.Put, put)
		case head != nil:
			put, err := p.applyDifference(ctx, was, is, head)
			if err != nil {
				return request, err
			}
			request.Put = append(request.Put, put)
		}
	}
	return request, nil
}

// leaves reports whether a difference is of redirects that the commit itself puts in order.
func (p step) leaves(was, is *entity.Entry, entryID string) bool {
	some := is
	if some == nil {
		some = was
	}
	return some.Kind == entity.KindRedirect && !slices.Contains(p.about.Entries, entryID)
}

// entry returns an entry of an update's outcome, nil when it has none.
func (p step) entry(ctx context.Context, outcome store.Preview, entryID string) (*entity.Entry, error) {
	if e, changed := outcome.Changes[entryID]; changed {
		return e, nil
	}
	return entryOf(ctx, p.own, entryID)
}

func entryOf(ctx context.Context, view *store.View, entryID string) (*entity.Entry, error) {
	e, err := view.Entry(ctx, entryID)
	if errs.Is(err, errs.NotFound) {
		return nil, nil
	}
	return e, err
}

// applyDifference puts the difference of two forms of an entry onto its present one: fields that differ get the new
// value, and of the body the places that differ.
func (p step) applyDifference(ctx context.Context, was, is, head *entity.Entry) (store.Put, error) {
	put := store.Put{Entry: head.Clone()}
	for _, f := range entity.Fields() {
		if f.Equal(was, is) || f.Name == "body" || f.Name == "createdAt" || f.Name == "updatedAt" {
			continue
		}
		if f.Shape != entity.ShapeKeyed {
			if err := f.Set(put.Entry, f.Get(is)); err != nil {
				return put, err
			}
			continue
		}
		values := f.Keyed(put.Entry)
		if values == nil {
			values = map[string]any{}
		}
		before, after := f.Keyed(was), f.Keyed(is)
		for key := range keysOf(before, after) {
			switch value, there := after[key]; {
			case !there:
				delete(values, key)
			case !entity.EqualValues(before[key], value):
				values[key] = value
			}
		}
		if err := f.SetKeyed(put.Entry, values); err != nil {
			return put, err
		}
	}
	if was.Body == is.Body {
		return put, nil
	}
	var err error
	put.Body, err = p.applyBodyDifference(ctx, was.Body, is.Body, head.Body)
	return put, err
}

func keysOf(maps ...map[string]any) map[string]bool {
	keys := map[string]bool{}
	for _, m := range maps {
		for key := range m {
			keys[key] = true
		}
	}
	return keys
}

// applyBodyDifference brings the change from one text to another into a third; where that has changed the same, the
// change wins.
func (p step) applyBodyDifference(ctx context.Context, was, is, head string) ([]byte, error) {
	var texts [3][]byte
	for i, hash := range []string{was, is, head} {
		var err error
		if texts[i], err = p.text(ctx, hash); err != nil {
			return nil, err
		}
	}
	merged, conflicts := merge.Body(texts[0], texts[2], texts[1])
	if len(conflicts) > 0 {
		var err error
		if merged, err = merge.SettleBody(texts[0], texts[2], texts[1], slices.Repeat([]merge.Side{merge.Theirs},
			len(conflicts))); err != nil {
			return nil, fmt.Errorf("settle body: %w", err)
		}
	}
	return append([]byte{}, merged...), nil
}

func (p step) text(ctx context.Context, hash string) ([]byte, error) {
	for _, outcome := range []store.Preview{p.now, p.before} {
		if text, fresh := outcome.Bodies[hash]; fresh {
			return text, nil
		}
	}
	return p.head.Body(ctx, &entity.Entry{Body: hash})
}
