package account

import (
	"context"
	"errors"
	"time"

	"github.com/rectodocs/recto/internal/audit"
	"github.com/rectodocs/recto/internal/db"
	"github.com/rectodocs/recto/internal/errs"
	"github.com/rectodocs/recto/internal/field"
)

// linkPrefix marks the secret of a one-time link.
const linkPrefix = "rcl_"

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
func (s *Service) createLink(ctx context.Context, q db.Querier, user User, lifetime time.Duration, mailed bool) (PasswordLink, error) {
	now := s.moment()
	link := PasswordLink{User: user, Secret: newSecret(linkPrefix), ExpiresAt: now.Add(lifetime)}
	if err := insertLink(ctx, q, hashSecret(link.Secret), user.ID, mailed, now, link.ExpiresAt); err != nil {
		return PasswordLink{}, err
	}
	details := map[string]any{"expiresAt": link.ExpiresAt.Format(time.RFC3339), "mailed": mailed}
	return link, s.recordOf(ctx, q, user, audit.Entry{Action: "password.link", Details: details})
}

// CountReset counts a request for a link by mail, for the address that it goes to and for where it comes from; too many are
// an errs.TooMany. Whether the address is somebody's does not matter.
func (s *Service) CountReset(ctx context.Context, email, address string) error {
	attempts := []attempt{byRecipient.of(emailKey(email))}
	if address != "" {
		attempts = append(attempts, byRequester.of(address))
	}
	_, err := s.count(ctx, attempts...)
	return err
}

// MailResetLink makes a link for whoever has an address and hands it to send, which puts it into a mail within the same
// transaction. Nothing happens when nobody has the address, or its owner signs in elsewhere.
func (s *Service) MailResetLink(ctx context.Context, email string, send func(ctx context.Context, q db.Querier, link PasswordLink) error) error {
	if !field.Storable(email) {
		return nil
	}
	user, err := s.UserByEmail(ctx, email)
	if err == nil {
		err = s.CheckSignIn(ctx, user.ID)
	}
	if errs.Is(err, errs.NotFound) || errs.Is(err, errs.Forbidden) {
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
	return errs.NotFoundf("This link was used already, has expired, or was replaced by a newer password. Ask for another one.")
}

// LinkUser returns whom a one-time link is for, and leaves the link as it is: programs that look at mails follow links.
func (s *Service) LinkUser(ctx context.Context, secret string) (User, error) {
	if !wellFormed(linkPrefix, secret) {
		return User{}, noLink()
	}
	user, err := linkUser(ctx, s.db.Read(), hashSecret(secret), s.moment())
	if errors.Is(err, db.ErrNoRows) {
		return User{}, noLink()
	}
	return user, err
}

// UsePasswordLink sets the password of a link's user. The link is used up, all others of the user and all sessions end. A
// link that was mailed shows that the user's address is theirs.
func (s *Service) UsePasswordLink(ctx context.Context, secret, password string) (User, error) {
	user, err := s.LinkUser(ctx, secret)
	if err != nil {
		return User{}, err
	}
	if err := checkPassword("password", password, user); err != nil {
		return User{}, err
	}
	if err := s.CheckSignIn(ctx, user.ID); err != nil {
		return User{}, err
	}
	hash, err := s.hasher.hash(ctx, normalPassword(password))
	if err != nil {
		return User{}, err
	}
	err = s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		mailed, err := useLink(ctx, q, hashSecret(secret), s.moment())
		if errors.Is(err, db.ErrNoRows) {
			return noLink() // somebody was faster
		}
		if err != nil {
			return err
		}
		if mailed {
			if user, err = s.MarkEmailVerified(ctx, q, user.ID); err != nil {
				return err
			}
		}
		return s.storePassword(ctx, q, user, "", hash, "password.set")
	})
	if err != nil {
		return User{}, err
	}
	return user, nil
}
