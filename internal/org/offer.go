package org

import (
	"context"
	"errors"

	"github.com/rectodocs/recto/internal/account"
	"github.com/rectodocs/recto/internal/db"
	"github.com/rectodocs/recto/internal/errs"
	"github.com/rectodocs/recto/internal/id"
)

// Offer is what somebody sees of an organization who was invited to it.
type Offer struct {
	// Organization is the title of the organization.
	Organization string
	// Email is the address that was invited; "" for an invite link, which is for anybody.
	Email string
	// Known says that somebody has an account with the address.
	Known bool
	// SSO says that members sign in through the organization's identity provider.
	SSO bool
}

func noOffer() error {
	return errs.NotFoundf("This invitation is over, or there never was one. Ask for a new one.")
}

// Offer returns what an invite or an invite link offers to whoever has its secret; errs.NotFound when there is none or it
// works no more.
func (s *Service) Offer(ctx context.Context, organizationID, secret string) (Offer, error) {
	if !wellFormed(secret) || !id.Valid("org", organizationID) {
		return Offer{}, noOffer()
	}
	var offer Offer
	err := s.db.Snapshot(ctx, func(ctx context.Context, q db.Querier) error {
		found, err := s.openInvite(ctx, q, organizationID, secret)
		if errs.Is(err, errs.NotFound) {
			if _, err = linkBySecret(ctx, q, organizationID, hashSecret(secret)); errors.Is(err, db.ErrNoRows) {
				return noOffer()
			}
		}
		if err != nil {
			return err
		}
		organization, err := find(ctx, q, organizationID)
		if err != nil {
			return err
		}
		if found.id == "" && !organization.InviteLinks {
			return noOffer()
		}
		offer = Offer{Organization: organization.Title, Email: found.email, SSO: organization.SSO}
		if found.email != "" {
			_, err = s.accounts.UserByEmailIn(ctx, q, found.email)
			if offer.Known = err == nil; errs.Is(err, errs.NotFound) {
				err = nil
			}
		}
		return err
	})
	return offer, err
}

// openInvite returns the invite by e-mail with a secret that still works; errs.NotFound otherwise.
func (s *Service) openInvite(ctx context.Context, q db.Querier, organizationID, secret string) (invite, error) {
	found, err := inviteBySecret(ctx, q, hashSecret(secret))
	if errors.Is(err, db.ErrNoRows) || err == nil && (found.organization != organizationID || !s.now().Before(found.expiresAt)) {
		return invite{}, noOffer()
	}
	return found, err
}

// Register makes the account of somebody who was invited by e-mail and has none, lets them in, and returns them. Having the
// secret shows that mail to the address reaches them. It is an errs.Conflict when somebody has an account with the
// address, and errs.Forbidden when members sign in through the organization's identity provider, which makes accounts then.
func (s *Service) Register(ctx context.Context, organizationID, secret, name string) (account.User, error) {
	if !wellFormed(secret) || !id.Valid("org", organizationID) {
		return account.User{}, noOffer()
	}
	var user account.User
	err := s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		found, err := s.openInvite(ctx, q, organizationID, secret)
		if err != nil {
			return err
		}
		organization, err := find(ctx, q, organizationID)
		if err != nil {
			return err
		}
		if organization.SSO {
			return errs.Forbiddenf("Members of this organization sign in through its single sign-on.")
		}
		var created bool
		user, created, err = s.accounts.EnsureUser(ctx, q, account.NewUser{DisplayName: name, Email: found.email, EmailVerified: true})
		if err != nil {
			return err
		}
		if !created {
			return errs.Conflictf("There is an account with the address of this invitation. Sign in with it to accept.")
		}
		return s.accept(ctx, q, account.Caller{User: user}, found)
	})
	if err != nil {
		return account.User{}, err
	}
	return user, nil
}
