package account

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/field"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/audit"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/httpx"
)

// knownBrowser is how long a browser is known as one in which a person signed in.
const knownBrowser = 365 * 24 * time.Hour

// PasswordAttempt is somebody at the sign-in page.
type PasswordAttempt struct {
	Email, Password string
	// Address groups the requests of one network, see httpx.AddressKey; may be empty.
	Address string
	// Browser is what a browser got in BrowserTicket when somebody signed in in it; may be empty.
	Browser string
}

// SignInWithPassword returns the user of an address and a password. When they do not belong together it is an
// errs.Unauthorized that does not say what is wrong, and takes as long whether the address is somebody's or not; after
// too many failures it is an errs.TooMany whose cause is a WaitError.
func (s *Service) SignInWithPassword(ctx context.Context, in PasswordAttempt) (Identified, error) {
	key := emailKey(in.Email)
	var user User
	if field.Storable(in.Email) && len(in.Email) <= maxEmail {
		found, err := userByEmail(ctx, s.db.Read(), key)
		if err != nil && !errors.Is(err, db.ErrNoRows) {
			return Identified{}, err
		}
		user = found
	}
	attempts := []attempt{byAccount.of(key)}
	if in.Address != "" {
		attempts = append(attempts, byAddress.of(in.Address))
	}
	if s.knows(in.Browser, user.ID) {
		attempts = []attempt{byBrowser.of(in.Browser)}
	}
	states, err := s.count(ctx, attempts...)
	if err != nil {
		return Identified{}, err
	}
	kept, err := passwordOf(ctx, s.db.Read(), user.ID)
	if err != nil {
		return Identified{}, err
	}
	ok, err := s.hasher.matches(ctx, kept.hash, normalPassword(in.Password))
	if err != nil {
		return Identified{}, err
	}
	if !ok {
		return Identified{}, errors.Join(errs.New(errs.Unauthorized,
			"The e-mail address or the password is not right."), s.noteLockout(ctx, user, attempts[0].kind, states[0]))
	}
	if err := s.takeBack(ctx, attempts...); err != nil {
		return Identified{}, err
	}
	if s.hasher.outdated(kept.hash) {
		s.rehash(ctx, user, kept.hash, in.Password)
	}
	return Identified{User: user, VouchedBy: kept.vouchedBy}, nil
}

// noteLockout records that attempts on an account have to wait for long now.
func (s *Service) noteLockout(ctx context.Context, user User, kind attemptKind, state counted) error {
	if user.ID == "" || !state.locks(kind) {
		return nil
	}
	return s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		return s.recordOf(ctx, q, user, audit.Entry{Action: "signin.lock",
			Details: map[string]any{"until": state.blockedUntil.UTC().Format(time.RFC3339)}})
	})
}

// rehash keeps a password with the parameters of today, unless it was changed meanwhile. It may fail: the old hash
// works.
func (s *Service) rehash(ctx context.Context, user User, before, password string) {
	hash, err := s.hasher.hash(ctx, normalPassword(password))
	if err == nil {
		err = s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
			return replaceHash(ctx, q, user.ID, before, hash)
		})
	}
	if err != nil && ctx.Err() == nil {
		s.log.WarnContext(ctx, "renew the hash of a password", slog.String("user", string(user.ID)),
			slog.Any("error", err))
	}
}

// BrowserTicket returns what a browser is known by afterwards as one in which a user signed in, and for how long.
func (s *Service) BrowserTicket(userID id.User) (ticket string, lifetime time.Duration) {
	return s.tickets().Issue(string(userID), "browser", knownBrowser), knownBrowser
}

// knows reports whether a browser's ticket is one of a user's.
func (s *Service) knows(ticket string, userID id.User) bool {
	if ticket == "" || userID == "" {
		return false
	}
	user, _, ok := s.tickets().User(ticket, "browser")
	return ok && user == string(userID)
}

func (s *Service) tickets() httpx.Tickets { return httpx.Tickets{Key: s.key, Now: s.now} }

// Methods are the ways in which a user can sign in that are kept here.
type Methods struct {
	// PasswordChangedAt is when the password was set; zero when there is none.
	PasswordChangedAt time.Time
	// Passkeys is how many there are.
	Passkeys int
}

// MethodsOf returns how the caller can sign in. Who came in by an organization's word alone sees nothing else when the
// account is in other organizations, too.
func (s *Service) MethodsOf(ctx context.Context, caller Caller) (Methods, error) {
	mark, err := s.reachOf(ctx, s.db.Read(), caller)
	if err != nil {
		return Methods{}, err
	}
	return methodsOf(ctx, s.db.Read(), caller.User.ID, mark)
}

// SetPassword sets the password of whoever is signed in. They give the current one, or have signed in lately; who has
// no password yet has signed in lately. All other sessions and all one-time links end. Who came in by an organization's
// word alone sets one that opens that organization, and only in the place of such a one.
func (s *Service) SetPassword(ctx context.Context, caller Caller, current, password string) error {
	if err := checkPassword("password", password, caller.User); err != nil {
		return err
	}
	if err := s.mayReplacePassword(ctx, s.db.Read(), caller); err != nil {
		return err
	}
	if !caller.Session.Fresh(s.now()) {
		if err := s.confirm(ctx, caller, current); err != nil {
			return err
		}
	}
	hash, err := s.hasher.hash(ctx, normalPassword(password))
	if err != nil {
		return err
	}
	return s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		if err := s.mayReplacePassword(ctx, q, caller); err != nil {
			return err
		}
		return s.storePassword(ctx, q, caller, keptPassword{hash, caller.VouchedBy()}, "password.set")
	})
}

// mayReplacePassword refuses to replace a password that opens more than the caller came in with.
func (s *Service) mayReplacePassword(ctx context.Context, q db.Querier, caller Caller) error {
	if caller.VouchedBy() == "" {
		return nil
	}
	kept, err := passwordOf(ctx, q, caller.User.ID)
	if err == nil && kept.hash != "" && kept.vouchedBy != caller.VouchedBy() {
		err = onlyVouched()
	}
	return err
}

// confirm checks the current password of whoever is signed in.
func (s *Service) confirm(ctx context.Context, caller Caller, current string) error {
	counting := bySession.of(string(caller.User.ID))
	if _, err := s.count(ctx, counting); err != nil {
		return err
	}
	kept, err := passwordOf(ctx, s.db.Read(), caller.User.ID)
	if err != nil {
		return err
	}
	if kept.hash == "" {
		return NotFresh()
	}
	ok, err := s.hasher.matches(ctx, kept.hash, normalPassword(current))
	if err != nil {
		return err
	}
	if !ok {
		return errs.Invalidf("current", "is not your current password")
	}
	return s.takeBack(ctx, counting)
}

// GivePassword sets the password of a user in the name of the operator, who vouches for them (see Prove), and signs the
// user out everywhere.
func (s *Service) GivePassword(ctx context.Context, user User, password string) error {
	hash, err := s.HashPassword(ctx, password, user)
	if err != nil {
		return err
	}
	return s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		return s.GivePasswordIn(ctx, q, user, hash)
	})
}

// PasswordHash is what is kept of a password.
type PasswordHash struct{ hash string }

// HashPassword returns what is kept of a password that somebody is about to have, who may not be a user yet. One that
// is too weak, or too like their name or address, is an errs.Invalid about "password". It takes long, so it is not for
// a transaction.
func (s *Service) HashPassword(ctx context.Context, password string, user User) (PasswordHash, error) {
	if err := checkPassword("password", password, user); err != nil {
		return PasswordHash{}, err
	}
	hash, err := s.hasher.hash(ctx, normalPassword(password))
	return PasswordHash{hash}, err
}

// GivePasswordIn is GivePassword within a transaction, with what HashPassword returned.
func (s *Service) GivePasswordIn(ctx context.Context, q db.Querier, user User, hash PasswordHash) error {
	user, err := s.Prove(ctx, q, user.ID, "")
	if err != nil {
		return err
	}
	return s.storePassword(ctx, q, Caller{User: user}, keptPassword{hash: hash.hash}, "password.give")
}

// storePassword stores a password and ends what an earlier one may have let in.
func (s *Service) storePassword(ctx context.Context, q db.Querier, caller Caller, kept keptPassword,
	action string) error {
	user, session := caller.User, caller.Session.ID
	mark, err := s.reachOf(ctx, q, caller)
	if err != nil {
		return err
	}
	if err := putPassword(ctx, q, user.ID, kept, s.moment()); err != nil {
		return err
	}
	// Links go to the person themselves: an organization's word must not take them away.
	if caller.VouchedBy() == "" {
		if err := deleteLinks(ctx, q, user.ID); err != nil {
			return err
		}
	}
	if err := deleteAttempt(ctx, q, byAccount.of(emailKey(user.Email)).name); err != nil {
		return err
	}
	if _, err := s.endOthers(ctx, q, user.ID, session, mark); err != nil {
		return err
	}
	entry := audit.Entry{Action: action,
		Target: audit.Target{Kind: "user", ID: string(user.ID), Title: user.DisplayName}}
	if action == "password.give" {
		return s.recordOf(ctx, q, user, entry)
	}
	return s.record(ctx, q, user.ID, session, entry)
}
