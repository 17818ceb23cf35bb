package change

import (
	"context"
	"fmt"
	"slices"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/merge"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
)

// ConflictInFull is a conflict with what people need to see to settle it.
type ConflictInFull struct {
	Conflict
	// BaseAt, MainAt and OwnAt are the revisions that the values come from.
	BaseAt, MainAt, OwnAt id.Revision
	// Body is the body in parts; nil of other conflicts.
	Body *merge.PartedBody
}

// PartChoice says what a part of a body becomes: a side, or a text.
type PartChoice struct {
	// Keep is "" when Text counts.
	Keep Keep
	// Text is Markdown.
	Text string
}

// Conflict returns one conflict of a change request, open or settled.
func (s *Service) Conflict(ctx context.Context, caller account.Caller, spaceID id.Space, idOrNumber id.ChangeRequest,
	conflictID string) (ConflictInFull, Request, error) {
	_, r, err := s.current(ctx, caller, spaceID, idOrNumber, access.ViewSpace)
	if err != nil {
		return ConflictInFull{}, Request{}, err
	}
	found, err := s.oneConflict(ctx, r, conflictID)
	return found, r, err
}

// oneConflict returns a conflict that the next update would meet, or that one has met.
func (s *Service) oneConflict(ctx context.Context, r Request, conflictID string) (ConflictInFull, error) {
	q := s.deps.DB.Read()
	var full ConflictInFull
	met, missing := conflictByID(ctx, q, r.ID, conflictID)
	if missing != nil && !errs.Is(missing, errs.NotFound) {
		return full, missing
	}
	open := missing == nil && met.Settled == nil
	if !open && r.Status.requireWritable() == nil && r.Base != r.main {
		ahead, err := s.ahead(ctx, r)
		if err != nil {
			return full, err
		}
		if at := slices.IndexFunc(ahead, func(c Conflict) bool { return c.ID == conflictID }); at >= 0 {
			full = ConflictInFull{Conflict: ahead[at], BaseAt: r.Base, MainAt: r.main, OwnAt: r.Head}
			return full, s.complete(ctx, r.Space, &full)
		}
	}
	if missing != nil {
		return full, missing
	}
	u, err := updateByID(ctx, q, met.update)
	if err != nil {
		return full, err
	}
	full = ConflictInFull{Conflict: met, BaseAt: u.base, MainAt: u.main, OwnAt: u.own}
	return full, s.complete(ctx, r.Space, &full)
}

// complete reads the texts of a body and cuts it into parts.
func (s *Service) complete(ctx context.Context, spaceID id.Space, full *ConflictInFull) error {
	one := []Conflict{full.Conflict}
	if err := s.fill(ctx, spaceID, one); err != nil {
		return err
	}
	full.Conflict = one[0]
	if full.Kind != merge.BodyConflicts {
		return nil
	}
	base, _ := full.Base.(string)
	main, _ := full.Main.(string)
	own, _ := full.Own.(string)
	full.Body = new(merge.BodyParts([]byte(base), []byte(own), []byte(main)))
	return nil
}

// valued returns a settlement by a value, with parts put together, when the caller may have what it shows.
func (s *Service) valued(ctx context.Context, caller account.Caller, r Request, conflictID string,
	how Settlement) (Settlement, error) {
	full, err := s.oneConflict(ctx, r, conflictID)
	if err != nil {
		return how, err
	}
	if how.Parts != nil {
		text, err := full.joined(how.Parts)
		if err != nil {
			return how, err
		}
		how = Settlement{Value: text}
	}
	return how, s.checkSpecs(ctx, caller, r, full.Conflict, how)
}

// joined returns the text that choices make of a body in conflict.
func (full ConflictInFull) joined(choices []PartChoice) (string, error) {
	if full.Body == nil {
		return "", errs.Invalidf("parts", "are for the conflict of a body; use keep or content")
	}
	if count := full.Body.Conflicts(); count != len(choices) {
		return "", errs.Invalidf("parts", "has %d choices; the body has %d parts in conflict, and each needs one",
			len(choices), count)
	}
	texts := make([]string, 0, len(choices))
	for _, part := range full.Body.Parts {
		if !part.Conflict {
			continue
		}
		switch choice := choices[len(texts)]; choice.Keep {
		case "":
			texts = append(texts, choice.Text)
		default:
			texts = append(texts, part.Text(Settlement{Keep: choice.Keep}.choice().Take))
		}
	}
	joined, err := full.Body.Join(texts)
	return string(joined), err
}

// Subject is a page, a file or another entry that a conflict is about.
type Subject struct {
	ID    string
	Kind  entity.Kind
	Title string
}

// Subjects returns what conflicts of a change request are about, by id: as the change request has it, or else main. It
// checks no access.
func (s *Service) Subjects(ctx context.Context, r Request, conflicts []Conflict) (map[string]Subject, error) {
	subjects := map[string]Subject{}
	if len(conflicts) == 0 {
		return subjects, nil
	}
	var views []*store.View
	for _, revision := range []id.Revision{r.Head, r.main, r.Base} {
		view, err := s.deps.Content.View(ctx, revision)
		if err != nil {
			return nil, fmt.Errorf("read what is in conflict: %w", err)
		}
		views = append(views, view)
	}
	for _, c := range conflicts {
		for _, entryID := range c.Entries {
			for _, view := range views {
				e, err := entryOf(ctx, view, entryID)
				if err != nil {
					return nil, err
				}
				if e == nil {
					continue
				}
				subject := Subject{ID: entryID, Kind: e.Kind, Title: e.Title}
				if e.Kind == entity.KindFile {
					subject.Title = e.Name
				}
				subjects[entryID] = subject
				break
			}
		}
	}
	return subjects, nil
}
