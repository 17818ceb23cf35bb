package account

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/field"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/audit"
	"github.com/rectodocs/recto/internal/people/secrets"
	"github.com/rectodocs/recto/internal/platform/db"
)

// How long one-time links work.
const (
	// setUpLinkLife is that of a link that the operator hands over.
	setUpLinkLife = 3 * 24 * time.Hour
	// resetLinkLife is that of a link that was asked for by mail.
	resetLinkLife = time.Hour
)

// PasswordLink is a one-time link with which a person sets a password and is signed in.
type PasswordLink struct {
	User User
	// Secret is shown once and not kept.
	Secret    string
	ExpiresAt time.Time
}

// CreatePasswordLink makes a one-time link for a user, which the operator hands over.
func (s *Service) CreatePasswordLink(ctx context.Context, user User) (link PasswordLink, err error) {
	err = s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		link, err = s.createLink(ctx, q, user, setUpLinkLife, false)
		return err
	})
	return link, err
}

// createLink makes a link in the caller's transaction; mailed says that it goes to the user's address alone.
func (s *Service) createLink(ctx context.Context, q db.Querier, user User, lifetime time.Duration,
	mailed bool) (PasswordLink, error) {
	now := s.moment()
	link := PasswordLink{User: user, Secret: linkSecrets.New(), ExpiresAt: now.Add(lifetime)}
	if err := insertLink(ctx, q, secrets.Hash(link.Secret), user.ID, mailed, now, link.ExpiresAt); err != nil {
		return PasswordLink{}, err
	}
	details := map[string]any{"expiresAt": link.ExpiresAt.Format(time.RFC3339), "mailed": mailed}
	return link, s.recordOf(ctx, q, user, audit.Entry{Action: "password.link", Details: details})
}

// CountReset counts a request for a link by mail, for the address that it goes to and for where it comes from; too many
// are an errs.TooMany. Whether the address is somebody's does not matter.
func (s *Service) CountReset(ctx context.Context, email, address string) error {
	attempts := []attempt{byRecipient.of(emailKey(email))}
	if address != "" {
		attempts = append(attempts, byRequester.of(address))
	}
	_, err := s.count(ctx, attempts...)
	return err
}

// MailResetLink makes a link for whoever has an address and hands it to send, which puts it into a mail within the same
// transaction. Nothing happens when nobody has the address.
func (s *Service) MailResetLink(ctx context.Context, email string, send func(ctx context.Context, q db.Querier,
	link PasswordLink) error) error {
	if !field.Storable(email) {
		return nil
	}
	user, err := s.UserByEmail(ctx, email)
	if errs.Is(err, errs.NotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	return s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		link, err := s.createLink(ctx, q, user, resetLinkLife, true)
		if err != nil {
			return err
		}
		return send(ctx, q, link)
	})
}

// noLink is what people see of a link that does not work, whyever.
func noLink() error {
	return errs.NotFoundf(
		"This link was used already, has expired, or was replaced by a newer password. Ask for another one.")
}

// LinkUser returns whom a one-time link is for, and leaves the link as it is: programs that look at mails follow links.
func (s *Service) LinkUser(ctx context.Context, secret string) (User, error) {
	if !linkSecrets.WellFormed(secret) {
		return User{}, noLink()
	}
	user, err := linkUser(ctx, s.db.Read(), secrets.Hash(secret), s.moment())
	if errors.Is(err, db.ErrNoRows) {
		return User{}, noLink()
	}
	return user, err
}

// UsePasswordLink sets the password of a link's user. The link is used up, all others of the user and all sessions end.
// It shows that the user's address is theirs, as the link was mailed there or handed over by the operator (see Prove).
// endRest ends the tokens and passkeys that are left, too.
func (s *Service) UsePasswordLink(ctx context.Context, secret, password string, endRest bool) (User, error) {
	user, err := s.LinkUser(ctx, secret)
	if err != nil {
		return User{}, err
	}
	if err := checkPassword("password", password, user); err != nil {
		return User{}, err
	}
	hash, err := s.hasher.hash(ctx, normalPassword(password))
	if err != nil {
		return User{}, err
	}
	err = s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		err := useLink(ctx, q, secrets.Hash(secret), s.moment())
		if errors.Is(err, db.ErrNoRows) {
			return noLink() // somebody was faster
		}
		if err != nil {
			return err
		}
		if user, err = s.Prove(ctx, q, user.ID, ""); err != nil {
			return err
		}
		if endRest {
			if err := s.endRest(ctx, q, user); err != nil {
				return err
			}
		}
		return s.storePassword(ctx, q, Caller{User: user}, keptPassword{hash: hash}, "password.set")
	})
	if err != nil {
		return User{}, err
	}
	return user, nil
}

// Rest is what lets somebody into an account beside a password, and what a new password leaves as it is.
type Rest struct {
	Tokens   []Token
	Passkeys []Passkey
}

// RestOf returns what a link's user may want to end with a new password: tokens that work, the newest first, and
// passkeys. What came by an organization's word alone is not in it, since it ends in any case.
func (s *Service) RestOf(ctx context.Context, user User) (Rest, error) {
	var rest Rest
	q, now := s.db.Read(), s.moment()
	tokens, err := listTokens(ctx, q, user.ID, "", paging.Request{Limit: paging.MaxLimit})
	if err != nil {
		return Rest{}, err
	}
	for _, each := range slices.Backward(tokens.Items) {
		if each.VouchedBy == "" && each.RevokedAt.IsZero() && (each.ExpiresAt.IsZero() || now.Before(each.ExpiresAt)) {
			rest.Tokens = append(rest.Tokens, each)
		}
	}
	passkeys, _, err := listPasskeys(ctx, q, user.ID, "")
	if err != nil {
		return Rest{}, err
	}
	for _, each := range passkeys {
		if each.VouchedBy == "" {
			rest.Passkeys = append(rest.Passkeys, each)
		}
	}
	return rest, nil
}

// endRest ends all tokens and passkeys of a user.
func (s *Service) endRest(ctx context.Context, q db.Querier, user User) error {
	tokens, err := s.RevokeAllIn(ctx, q, user.ID)
	if err != nil {
		return err
	}
	passkeys, err := deletePasskeys(ctx, q, user.ID)
	if err != nil || tokens == 0 && passkeys == 0 {
		return err
	}
	return s.record(ctx, q, user.ID, "", audit.Entry{
		Action: "user.end-access", Target: audit.Target{Kind: "user", ID: string(user.ID), Title: user.DisplayName},
		Details: map[string]any{"tokens": tokens, "passkeys": passkeys},
	})
}
