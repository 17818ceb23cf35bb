package account

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/field"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/audit"
	"github.com/rectodocs/recto/internal/people/secrets"
	"github.com/rectodocs/recto/internal/platform/db"
)

// NewSession is what is noted of a sign-in.
type NewSession struct {
	// Method is how the person proved who they are.
	Method Method
	// Address is where the request came from; may be empty.
	Address string
	// Agent is what the browser calls itself; it is cut to 400 characters.
	Agent string
	// Until ends the session sooner than others end; zero for no such bound.
	Until time.Time
	// VouchedBy is the id of the organization that alone vouches for the sign-in; "" when it is proven.
	VouchedBy id.Organization
	// Through is the id of the organization through whose identity provider the person came, "" for another way.
	Through string
}

// StartSession makes a session for a user who has proved who they are, and returns its secret, which is not kept and
// cannot be shown again. It is an errs.NotFound when there is no such user.
func (s *Service) StartSession(ctx context.Context, userID id.User,
	in NewSession) (secret string, session Session, err error) {
	err = s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		secret, session, err = s.StartSessionIn(ctx, q, userID, in)
		return err
	})
	if err != nil {
		return "", Session{}, err
	}
	return secret, session, nil
}

// StartSessionIn is StartSession in the caller's transaction.
func (s *Service) StartSessionIn(ctx context.Context, q db.Querier, userID id.User,
	in NewSession) (secret string, session Session, err error) {
	if !id.Valid("user", userID) {
		return "", Session{}, noUser()
	}
	now := s.moment()
	session = Session{
		ID: id.New("session"), User: userID, Method: in.Method, Address: in.Address, Agent: storableAgent(in.Agent),
		CreatedAt: now, SignedInAt: now, SeenAt: now, ExpiresAt: now.Add(sessionLife), SecretAt: now,
		VouchedBy: in.VouchedBy, Through: in.Through,
	}
	if !in.Until.IsZero() && in.Until.Before(session.ExpiresAt) {
		session.ExpiresAt = in.Until.Truncate(time.Microsecond).UTC()
	}
	secret = sessionSecrets.New()
	err = insertSession(ctx, q, session, secrets.Hash(secret))
	if db.IsForeignKey(err) {
		return "", Session{}, noUser()
	}
	if err != nil {
		return "", Session{}, err
	}
	err = s.record(ctx, q, userID, session.ID, audit.Entry{
		Action: "session.start", Target: audit.Target{Kind: "session", ID: session.ID, Title: string(in.Method)},
		Details: map[string]any{"method": string(in.Method)},
	})
	return secret, session, err
}

// storableAgent cuts what a browser calls itself to what is kept of it.
func storableAgent(agent string) string {
	const most = 400
	if agent = strings.ToValidUTF8(agent, ""); !field.Storable(agent) {
		return ""
	}
	if runes := []rune(agent); len(runes) > most {
		return string(runes[:most])
	}
	return agent
}

func signedOut() error {
	return errs.New(errs.Unauthorized, "You are signed out; sign in again.")
}

// AuthenticateSession returns who a session's secret belongs to, in one indexed read. A secret that is unknown or of a
// session that has ended is errs.Unauthorized. The last use is noted at most once a minute. Caller.Token has the id of
// the session and no limits.
//
// A secret that was replaced and comes again after the overlap ends the session: somebody else may have a copy of it.
func (s *Service) AuthenticateSession(ctx context.Context, secret string) (Caller, error) {
	if !sessionSecrets.WellFormed(secret) {
		return Caller{}, signedOut()
	}
	hash, now := secrets.Hash(secret), s.moment()
	found, err := sessionBySecret(ctx, s.db.Read(), s.hooks.Get().Enforcement.Concerns, hash)
	if errors.Is(err, db.ErrNoRows) {
		return Caller{}, signedOut()
	}
	if err != nil {
		return Caller{}, err
	}
	switch session := found.caller.Session; {
	case session.ended(now):
		return Caller{}, signedOut()
	case found.isPrevious && !now.Before(found.previousUntil):
		s.log.WarnContext(ctx, "ended a session whose replaced secret was used", slog.String("session", session.ID))
		return Caller{}, errors.Join(signedOut(), s.EndSession(ctx, session.User, session.ID))
	case found.isNext:
		if err := s.takeUp(ctx, session.ID, hash, now); err != nil {
			return Caller{}, err
		}
		found.caller.Session.SecretAt, found.caller.Session.OfferedAt = now, time.Time{}
	case now.Sub(session.SeenAt) >= lastUseStep:
		s.noteSeen(ctx, session.ID, now)
	}
	return s.mind(ctx, found.caller, found.concerned)
}

// takeUp puts the offered secret in the place of the one in use. When another request was faster there is nothing to
// do.
func (s *Service) takeUp(ctx context.Context, sessionID string, hash []byte, now time.Time) error {
	return s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		return promoteSecret(ctx, q, sessionID, hash, now, now.Add(secretOverlap))
	})
}

// noteSeen writes a session's last use; like that of a token it may fail.
func (s *Service) noteSeen(ctx context.Context, sessionID string, now time.Time) {
	err := s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		return updateSeen(ctx, q, sessionID, now, now.Add(-lastUseStep))
	})
	if err != nil && ctx.Err() == nil {
		s.log.WarnContext(ctx, "note last use of session", slog.String("session", sessionID), slog.Any("error", err))
	}
}

// RenewSession returns a new secret for a session that AuthenticateSession gave, or "" when it is not time for one. The
// caller hands it to the browser. The secret in use works on until the browser sends the new one, and for a moment
// after, so that neither requests side by side nor an answer that is lost on its way sign anybody out.
func (s *Service) RenewSession(ctx context.Context, session Session) (secret string, err error) {
	now := s.moment()
	if now.Sub(session.SecretAt) < secretLife || now.Sub(session.OfferedAt) < offerStep {
		return "", nil
	}
	secret = sessionSecrets.New()
	offered := false
	err = s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		offered, err = offerSecret(ctx, q, session.ID, secrets.Hash(secret), now, now.Add(-secretLife),
			now.Add(-offerStep))
		return err
	})
	if err != nil || !offered {
		return "", err
	}
	return secret, nil
}

// ListSessions returns a page of the caller's sessions that have not ended, oldest first, with the number of all and
// the keys of the next page (nil on the last). Who came in by an organization's word alone sees no others when the
// account is in other organizations, too.
func (s *Service) ListSessions(ctx context.Context, caller Caller,
	page paging.Request) (sessions paging.Page[Session], err error) {
	if !id.Valid("user", caller.User.ID) {
		return paging.Page[Session]{}, noUser()
	}
	mark, err := s.reachOf(ctx, s.db.Read(), caller)
	if err != nil {
		return paging.Page[Session]{}, err
	}
	now := s.moment()
	return listSessions(ctx, s.db.Read(), caller.User.ID, mark, now, now.Add(-sessionIdle), page)
}

// EndSession signs a user out of one session. It is an errs.NotFound when the user has no such session.
func (s *Service) EndSession(ctx context.Context, userID id.User, sessionID string) error {
	return s.EndSessionAs(ctx, Caller{User: User{ID: userID}}, sessionID)
}

// EndSessionAs is EndSession for a session of the caller's own, among those that ListSessions shows.
func (s *Service) EndSessionAs(ctx context.Context, caller Caller, sessionID string) error {
	return s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		mark, err := s.reachOf(ctx, q, caller)
		if err != nil {
			return err
		}
		found, err := deleteSessions(ctx, q, `user_id = $1 AND id = $2 AND ($3 = '' OR vouched_by = $3)`,
			caller.User.ID, sessionID, mark)
		if err != nil {
			return err
		}
		if found == 0 {
			return errs.NotFoundf("There is no such session, or it has ended.")
		}
		return s.record(ctx, q, caller.User.ID, caller.Token.ID, audit.Entry{Action: "session.end",
			Target: audit.Target{Kind: "session", ID: sessionID}})
	})
}

// EndOtherSessions signs a user out everywhere but in one session ("" for everywhere) and returns out of how many. It
// runs in the caller's transaction.
func (s *Service) EndOtherSessions(ctx context.Context, q db.Querier, userID id.User, but string) (int, error) {
	return s.endOthers(ctx, q, userID, but, "")
}

// endOthers is EndOtherSessions for the sessions with a mark, "" for all.
func (s *Service) endOthers(ctx context.Context, q db.Querier, userID id.User, but string,
	mark id.Organization) (int, error) {
	ended, err := deleteSessions(ctx, q, `user_id = $1 AND id <> $2 AND ($3 = '' OR vouched_by = $3)`, userID, but,
		mark)
	if err != nil || ended == 0 {
		return 0, err
	}
	return ended, s.record(ctx, q, userID, but, audit.Entry{
		Action: "session.end-others", Target: audit.Target{Kind: "user", ID: string(userID)},
		Details: map[string]any{"sessions": ended},
	})
}

// EndSessionsBut signs the caller out everywhere but in the session in hand, as far as ListSessions shows, and returns
// out of how many.
func (s *Service) EndSessionsBut(ctx context.Context, caller Caller) (ended int, err error) {
	err = s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		mark, err := s.reachOf(ctx, q, caller)
		if err != nil {
			return err
		}
		ended, err = s.endOthers(ctx, q, caller.User.ID, caller.Session.ID, mark)
		return err
	})
	return ended, err
}

// Sweep removes what has ended and lets nobody in any more.
func (s *Service) Sweep(ctx context.Context) error {
	now := s.moment()
	return s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		if _, err := deleteSessions(ctx, q, `expires_at <= $1 OR seen_at <= $2`, now.UnixMicro(),
			now.Add(-sessionIdle).UnixMicro()); err != nil {
			return err
		}
		if _, err := q.ExecContext(ctx, `DELETE FROM account_link WHERE expires_at <= $1`,
			now.UnixMicro()); err != nil {
			return fmt.Errorf("delete old links: %w", err)
		}
		if _, err := q.ExecContext(ctx, `DELETE FROM account_challenge WHERE expires_at <= $1`,
			now.UnixMicro()); err != nil {
			return fmt.Errorf("delete old challenges: %w", err)
		}
		// All failures are forgotten by then.
		if _, err := q.ExecContext(ctx, `DELETE FROM account_attempt WHERE counted_at <= $1`,
			now.Add(-7*24*time.Hour).UnixMicro()); err != nil {
			return fmt.Errorf("delete old attempts: %w", err)
		}
		return sweepAuthorized(ctx, q, now)
	})
}

// NotFresh is the errs.Precondition of what needs a sign-in of late.
func NotFresh() error {
	return errs.New(errs.Precondition, "You signed in some time ago. Sign in again to do this.")
}
