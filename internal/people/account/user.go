package account

import (
	"context"
	"errors"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/field"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/platform/db"
)

// CreateUser makes a user. It is an errs.Conflict when somebody has the e-mail address.
func (s *Service) CreateUser(ctx context.Context, in NewUser) (User, error) {
	var user User
	err := s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		var created bool
		var err error
		user, created, err = s.EnsureUser(ctx, q, in)
		if err == nil && !created {
			err = errs.Conflictf(
				"A user with the e-mail address %s is here already; use that one or give another address.", user.Email)
		}
		return err
	})
	if err != nil {
		return User{}, err
	}
	return user, nil
}

// EnsureUser returns the user with the e-mail address of in as they are, whether the address is verified included, and
// makes one when there is none; created says which. It runs in the caller's transaction.
func (s *Service) EnsureUser(ctx context.Context, q db.Querier, in NewUser) (user User, created bool, err error) {
	if in, err = in.check(); err != nil {
		return User{}, false, err
	}
	now := s.now().Truncate(time.Microsecond).UTC()
	user = User{
		ID: id.User(id.New("user")), DisplayName: in.DisplayName, Email: in.Email, PhotoURL: in.PhotoURL,
		CreatedAt: now, UpdatedAt: now,
	}
	if in.EmailVerified {
		user.EmailVerifiedAt = now
	}
	created, err = insertUser(ctx, q, user)
	if err != nil || created {
		return user, created, err
	}
	user, err = userByEmail(ctx, q, emailKey(in.Email))
	return user, false, err
}

// UserByID returns a user; errs.NotFound when there is none.
func (s *Service) UserByID(ctx context.Context, userID id.User) (User, error) {
	if !id.Valid("user", userID) {
		return User{}, noUser()
	}
	user, err := userByID(ctx, s.db.Read(), userID)
	if errors.Is(err, db.ErrNoRows) {
		return User{}, noUser()
	}
	return user, err
}

// UserByEmail returns the user with an e-mail address in any letter case; errs.NotFound when there is none.
func (s *Service) UserByEmail(ctx context.Context, email string) (User, error) {
	if !field.Storable(email) {
		return User{}, noUser()
	}
	user, err := userByEmail(ctx, s.db.Read(), emailKey(email))
	if errors.Is(err, db.ErrNoRows) {
		return User{}, noUser()
	}
	return user, err
}

// AnyUser reports whether there is any user at all. It runs in the caller's transaction.
func (s *Service) AnyUser(ctx context.Context, q db.Querier) (bool, error) {
	return anyUser(ctx, q)
}
