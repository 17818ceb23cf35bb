package invite

import (
	"context"
	"errors"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/people/secrets"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Offer is what somebody sees of an organization who was invited to it.
type Offer struct {
	// Organization is the title of the organization, Hostname its label.
	Organization string
	Hostname     string
	// Email is the address that was invited; "" for an invite link, which is for anybody.
	Email string
	// Known says that somebody has an account with the address. It is false for an invite that was handed over, because
	// an admin who has its secret learns nothing of accounts by it.
	Known bool
	// SSO says that the organization enforces single sign-on.
	SSO bool
}

func noOffer() error {
	return errs.NotFoundf("This invitation is over, or there never was one. Ask for a new one.")
}

// Offer returns what an invite or an invite link offers to whoever has its secret; errs.NotFound when there is none or
// it works no more.
func (s *Service) Offer(ctx context.Context, organizationID id.Organization, secret string) (Offer, error) {
	if !inviteSecrets.WellFormed(secret) || !id.Valid("org", organizationID) {
		return Offer{}, noOffer()
	}
	var offer Offer
	err := s.deps.DB.Snapshot(ctx, func(ctx context.Context, q db.Querier) error {
		found, err := s.openInvite(ctx, q, organizationID, secret)
		if errs.Is(err, errs.NotFound) {
			if _, err = linkBySecret(ctx, q, organizationID, secrets.Hash(secret)); errors.Is(err, db.ErrNoRows) {
				return noOffer()
			}
		}
		if err != nil {
			return err
		}
		organization, err := org.OrganizationIn(ctx, q, organizationID)
		if err != nil {
			return err
		}
		if found.ID == "" && !organization.InviteLinks {
			return noOffer()
		}
		offer = Offer{Organization: organization.Title, Hostname: organization.Hostname, Email: found.Email,
			SSO: organization.SSO}
		if found.Email != "" && !found.handedOver {
			_, err = s.deps.Accounts.UserByEmailIn(ctx, q, found.Email)
			if offer.Known = err == nil; errs.Is(err, errs.NotFound) {
				err = nil
			}
		}
		return err
	})
	return offer, err
}

// openInvite returns the invite by e-mail with a secret that still works; errs.NotFound otherwise.
func (s *Service) openInvite(ctx context.Context, q db.Querier, organizationID id.Organization,
	secret string) (Invite, error) {
	found, err := inviteBySecret(ctx, q, secrets.Hash(secret))
	if errors.Is(err, db.ErrNoRows) ||
		err == nil && (found.Organization != organizationID || !found.open(s.deps.Now())) {
		return Invite{}, noOffer()
	}
	return found, err
}

// Registration is what somebody says who makes an account by an invite.
type Registration struct {
	// Name is the display name.
	Name     string
	Password string
}

// Register makes the account of somebody who was invited by e-mail and has none, lets them in, and returns them. A
// secret that was mailed shows that mail to the address reaches them. One that was handed over does not: then the
// organization alone vouches for the account, its password and the way in. It is an errs.Conflict when somebody has an
// account with the address, and errs.Forbidden when members sign in through the organization's identity provider, which
// makes accounts then.
func (s *Service) Register(ctx context.Context, organizationID id.Organization, secret string,
	in Registration) (account.Identified, error) {
	if !inviteSecrets.WellFormed(secret) || !id.Valid("org", organizationID) {
		return account.Identified{}, noOffer()
	}
	// Working out what is kept of a password takes too long for a transaction.
	found, err := s.openInvite(ctx, s.deps.DB.Read(), organizationID, secret)
	if err != nil {
		return account.Identified{}, err
	}
	password, err := s.deps.Accounts.PreparePassword(ctx, account.User{DisplayName: in.Name, Email: found.Email},
		in.Password)
	if err != nil {
		return account.Identified{}, err
	}
	var made account.Identified
	err = s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		made = account.Identified{}
		found, err := s.openInvite(ctx, q, organizationID, secret)
		if err != nil {
			return err
		}
		organization, err := org.OrganizationIn(ctx, q, organizationID)
		if err != nil {
			return err
		}
		if organization.SSO {
			return errs.Forbiddenf("Members of this organization sign in through its single sign-on.")
		}
		if found.handedOver {
			made.VouchedBy = organizationID
		}
		user, created, err := s.deps.Accounts.EnsureUser(ctx, q, account.NewUser{DisplayName: in.Name,
			Email: found.Email, EmailVerified: !found.handedOver})
		if err != nil {
			return err
		}
		if !created {
			return errs.Conflictf("There is an account with the address of this invitation. Sign in with it to accept.")
		}
		made.User = user
		if err := s.deps.Accounts.KeepPrepared(ctx, q, made, password); err != nil {
			return err
		}
		return s.accept(ctx, q, made.Caller(), found)
	})
	if err != nil {
		return account.Identified{}, err
	}
	return made, nil
}
