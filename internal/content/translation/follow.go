package translation

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/job"
)

type followArgs struct {
	Language id.Language `json:"language"`
}

// errMoved says that somebody else was faster: the attempt is made again.
var errMoved = errors.New("the variant has moved meanwhile")

// attempts is how often something is tried that others get in the way of.
const attempts = 8

// OnHead asks the variants of a space, or the variant that it is, to catch up; it is for store.Hooks.OnHead.
func (s *Service) OnHead(ctx context.Context, q db.Querier, moved store.HeadMoved) error {
	if moved.Before == nil {
		return nil
	}
	concerned, err := following(ctx, q, moved.Branch.Space, moved.Branch.Kind == store.MainBranch)
	if err != nil {
		return err
	}
	for _, language := range concerned {
		if err := s.askFor(ctx, q, language); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) askFor(ctx context.Context, q db.Querier, l Language) error {
	if err := ask(ctx, q, l.ID); err != nil {
		return err
	}
	if l.State == Pending || l.State == Running {
		return nil // a job is on its way, or looks again when it is done
	}
	_, err := s.deps.Jobs.Enqueue(ctx, q, followKind, followArgs{Language: l.ID})
	return err
}

// Follow asks a variant to catch up with its source, as it does by itself whenever that changes. It needs the role edit
// in the variant.
func (s *Service) Follow(ctx context.Context, caller account.Caller, organizationID id.Organization,
	translationID id.Translation, code string) (Language, error) {
	err := s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		_, language, err := s.editable(ctx, q, caller, organizationID, translationID, code)
		if err != nil {
			return err
		}
		return s.askFor(ctx, q, language)
	})
	if err != nil {
		return Language{}, err
	}
	return s.Language(ctx, caller, organizationID, translationID, code)
}

// follow is the job that lets a variant catch up with its source.
func (s *Service) follow(ctx context.Context, raw json.RawMessage) error {
	var args followArgs
	if err := json.Unmarshal(raw, &args); err != nil {
		return errs.Wrap(err, errs.Invalid, "The arguments of the job are damaged.")
	}
	err := s.followAll(ctx, args.Language)
	if err == nil || errs.Is(err, errs.NotFound) && s.gone(ctx, args.Language) {
		return nil
	}
	if own, ok := errors.AsType[*errs.Error](err); ok && own.Kind != errs.Internal && own.Kind != errs.Unavailable {
		return job.Permanent(err)
	}
	return err
}

// followEnded notes in the transaction that ends a job why a variant could not catch up.
func (s *Service) followEnded(ctx context.Context, q db.Querier, raw json.RawMessage, end job.End) error {
	var args followArgs
	if end.State == job.Done || json.Unmarshal(raw, &args) != nil {
		return nil
	}
	return setFailed(ctx, q, args.Language, reason(end.Err))
}

// reason is what people may know of a failure.
func reason(failure error) string {
	if own, ok := errors.AsType[*errs.Error](failure); ok && own.Kind != errs.Internal {
		return own.Message
	}
	return "Something went wrong in the server; its log has the details."
}

func (s *Service) gone(ctx context.Context, languageID id.Language) bool {
	_, err := languageByID(ctx, s.deps.DB.Read(), languageID)
	return errs.Is(err, errs.NotFound)
}

// followAll catches up until nobody asks for more.
func (s *Service) followAll(ctx context.Context, languageID id.Language) error {
	for {
		l, err := languageByID(ctx, s.deps.DB.Read(), languageID)
		if err != nil {
			return err
		}
		if err := s.again(func() error { return s.catchUp(ctx, languageID) }); err != nil {
			return err
		}
		done := false
		err = s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
			if err := setMet(ctx, q, languageID, l.generation); err != nil {
				return err
			}
			now, err := languageByID(ctx, q, languageID)
			done = now.State == Completed
			return err
		})
		if err != nil || done {
			return err
		}
	}
}

func (s *Service) again(attempt func() error) error {
	var err error
	for range attempts {
		if err = attempt(); !errors.Is(err, errMoved) {
			return err
		}
	}
	return errs.New(errs.Unavailable, "The variant changes too fast; try again in a moment.")
}

// snapshot is what there is of a variant at one moment: its place, and the contents to compare.
type snapshot struct {
	translation Translation
	language    Language
	caller      account.Caller
	// branch is that of the open change request; "" when the main content is worked on.
	branch id.Branch
	// before is what the variant has followed, source what there is now, target what is worked on, main what is live.
	before, source, target, main *store.View
}

// load reads a variant in the name of a user. Its change request, if it is still open, is brought up to date; one
// that is merged or put aside is let go.
func (s *Service) load(ctx context.Context, caller account.Caller, languageID id.Language) (*snapshot, error) {
	q := s.deps.DB.Read()
	l, err := languageByID(ctx, q, languageID)
	if err != nil {
		return nil, err
	}
	t, err := byID(ctx, q, l.Translation)
	if err != nil {
		return nil, err
	}
	if t.SourceSpace == "" {
		return nil, errs.Conflictf("The source of the translation is gone for good.")
	}
	if caller.User.ID == "" {
		if caller, err = s.actor(ctx, t); err != nil {
			return nil, err
		}
	}
	d := &snapshot{translation: t, caller: caller}
	if d.main, err = s.deps.Content.Head(ctx, l.Space); err != nil {
		return nil, err
	}
	place := l
	if l.ChangeRequest != "" {
		r, err := s.deps.Changes.Get(ctx, caller, l.Space, l.ChangeRequest)
		switch {
		case err != nil && !errs.Is(err, errs.NotFound):
			return nil, err
		case err == nil && (r.Status == change.Open || r.Status == change.Draft):
			if r.Base != d.main.Revision().ID {
				outcome, err := s.deps.Changes.Pull(ctx, caller, l.Space, r.ID)
				if err != nil {
					return nil, err
				}
				r = outcome.Request
			}
			d.branch = r.Branch
		case err == nil && r.Status == change.Merged:
			place.ChangeRequest, place.mainSource = "", l.Source
		default:
			place.ChangeRequest, place.Source = "", l.mainSource
		}
	}
	if place.ChangeRequest != l.ChangeRequest {
		if err := s.move(ctx, l, place); err != nil {
			return nil, err
		}
	}
	d.language = place
	if d.source, err = s.deps.Content.Head(ctx, t.SourceSpace); err != nil {
		return nil, err
	}
	if d.before, err = s.deps.Content.View(ctx, place.Source); err != nil {
		return nil, err
	}
	d.target = d.main
	if d.branch != "" {
		d.target, err = s.deps.Content.BranchHead(ctx, l.Space, d.branch)
	}
	return d, err
}

// actor is the user in whose name variants follow.
func (s *Service) actor(ctx context.Context, t Translation) (account.Caller, error) {
	user, err := s.deps.Accounts.UserByID(ctx, t.updatedBy)
	if errs.Is(err, errs.NotFound) {
		return account.Caller{}, errs.Forbiddenf("The user who saved the settings of this translation is gone; save " +
			"them again to have the variants follow in your name.")
	}
	return account.WorkIn(user, t.Organization), err
}

// move changes the place of a variant, or fails with errMoved.
func (s *Service) move(ctx context.Context, before, after Language) error {
	return s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error { return s.moveIn(ctx, q, before, after) })
}

func (s *Service) moveIn(ctx context.Context, q db.Querier, before, after Language) error {
	moved, err := setPlace(ctx, q, before, after, s.clock())
	if err == nil && !moved {
		err = errMoved
	}
	return err
}

// proposal is what is to become of a variant.
type proposal struct {
	puts    []store.Put
	deletes []string
	memory  []remembered
	// pages are the rows that change, gone those of pages that went.
	pages []Page
	gone  []string
	// shown says that readers of the main content may see something else.
	shown bool
	// subject is that of the change request, if one has to be opened; message that of the revision.
	subject, message string
}

// commitProposal makes a proposal real: in the open change request, or in one that is opened for it. source is the
// revision of the source that the variant has followed then.
func (s *Service) commitProposal(ctx context.Context, d *snapshot, p *proposal, source id.Revision) error {
	if err := remember(ctx, s.deps.DB, d.language.ID, p.memory, s.clock()); err != nil {
		return err
	}
	after := d.language
	after.Source, after.Target = source, d.target.Revision().ID
	if len(p.puts)+len(p.deletes) == 0 {
		if d.branch == "" {
			after.mainSource = source
		}
		if after != d.language {
			if err := s.move(ctx, d.language, after); err != nil {
				return err
			}
			d.language = after
		}
		return s.saveStates(ctx, d, p)
	}
	if d.branch == "" {
		if err := s.openRequest(ctx, d, p.subject); err != nil {
			return err
		}
		after.ChangeRequest = d.language.ChangeRequest
	}
	_, err := s.deps.Content.Commit(ctx, store.CommitRequest{
		Space: d.language.Space, Branch: d.branch, Base: d.target.Revision().ID, Author: d.caller.User.ID,
		Message: p.message,
		Put:     p.puts, Delete: p.deletes, FixSlugs: true,
		Also: func(ctx context.Context, q db.Querier, made store.Revision) error {
			after.Target = made.ID
			return s.moveIn(ctx, q, d.language, after)
		},
	})
	if _, conflict := errors.AsType[*store.ConflictError](err); conflict {
		return errMoved
	}
	if err != nil {
		return err
	}
	d.language = after
	return s.saveStates(ctx, d, p)
}

// openRequest opens a change request for what is to be brought in.
func (s *Service) openRequest(ctx context.Context, d *snapshot, subject string) error {
	var made change.Request
	after := d.language
	err := s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		var err error
		made, err = s.deps.Changes.CreateIn(ctx, q, d.caller, d.language.Space, change.New{
			Subject: subject, Status: change.Open, From: d.target.Revision().ID,
		})
		if err != nil {
			return err
		}
		after.ChangeRequest = made.ID
		return s.moveIn(ctx, q, d.language, after)
	})
	if err != nil {
		return err
	}
	d.language, d.branch = after, made.Branch
	return nil
}

// saveStates writes the states of the pages.
func (s *Service) saveStates(ctx context.Context, d *snapshot, p *proposal) error {
	if err := putPages(ctx, s.deps.DB, d.language.ID, p.pages); err != nil {
		return err
	}
	if err := deletePages(ctx, s.deps.DB, d.language.ID, p.gone); err != nil {
		return err
	}
	if !p.shown {
		return nil
	}
	return s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error { return addShown(ctx, q, d.language.ID) })
}

// catchUp makes one attempt to follow the source.
func (s *Service) catchUp(ctx context.Context, languageID id.Language) error {
	d, err := s.load(ctx, account.Caller{}, languageID)
	if err != nil {
		return err
	}
	p, err := s.compare(ctx, d)
	if err != nil {
		return err
	}
	p.subject = "Follow the source"
	p.message = fmt.Sprintf("Follow the source, revision %s", d.source.Revision().ID)
	return s.commitProposal(ctx, d, p, d.source.Revision().ID)
}

// progressInterval is the least time between two writes of progress.
const progressInterval = 500 * time.Millisecond

// meter writes how far a job is, now and then.
type meter struct {
	service  *Service
	language id.Language
	last     time.Time
}

func (m *meter) step(ctx context.Context, done, total int) error {
	if now := time.Now(); now.Sub(m.last) >= progressInterval {
		m.last = now
		if err := job.Report(ctx, map[string]int{"done": done, "total": total}); err != nil {
			return err
		}
		return m.service.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
			return setRunning(ctx, q, m.language, done, total)
		})
	}
	return nil
}
