package invite

import (
	"context"
	"errors"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/people/secrets"
	"github.com/rectodocs/recto/internal/platform/db"
)

func unknownInvite() error {
	return errs.NotFoundf("There is no such invite to this organization, or it is over. Ask for a new one.")
}

// Accept lets the caller into an organization by the secret of an invite or of an invite link, or by the id of an
// invite that waits for their verified address (see Waiting). An invite by e-mail is for the address that it was
// sent to: whoever has its secret and that address has shown that mail to the address reaches them, unless the secret
// was handed over. It returns what a link was to; the zero Target for the organization.
func (s *Service) Accept(ctx context.Context, caller account.Caller, organizationID id.Organization,
	secret string) (Target, error) {
	var target Target
	err := s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		target = Target{}
		found, err := s.inviteFor(ctx, q, caller, organizationID, secret)
		if errs.Is(err, errs.NotFound) && inviteSecrets.WellFormed(secret) && id.Valid("org", organizationID) {
			link, err := linkBySecret(ctx, q, organizationID, secrets.Hash(secret))
			if errors.Is(err, db.ErrNoRows) {
				return unknownInvite()
			}
			if err != nil {
				return err
			}
			target = link.Target
			return s.followLink(ctx, q, caller, link)
		}
		if err != nil {
			return err
		}
		accepting := caller
		if inviteSecrets.WellFormed(secret) && !found.handedOver {
			if accepting, err = s.proveByMail(ctx, q, caller); err != nil {
				return err
			}
		}
		return s.accept(ctx, q, accepting, found)
	})
	return target, err
}

// Decline turns down an invite by e-mail, as Accept finds it; admins see that. Nothing else changes.
func (s *Service) Decline(ctx context.Context, caller account.Caller, organizationID id.Organization,
	secret string) error {
	return s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		found, err := s.inviteFor(ctx, q, caller, organizationID, secret)
		if err != nil {
			return err
		}
		return s.decline(ctx, q, found)
	})
}

// DeclineOffer is Decline for whoever has the secret of an invite by e-mail, signed in or not.
func (s *Service) DeclineOffer(ctx context.Context, organizationID id.Organization, secret string) error {
	if !inviteSecrets.WellFormed(secret) || !id.Valid("org", organizationID) {
		return noOffer()
	}
	return s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		found, err := s.openInvite(ctx, q, organizationID, secret)
		if err != nil {
			return err
		}
		return s.decline(ctx, q, found)
	})
}

func (s *Service) decline(ctx context.Context, q db.Querier, in Invite) error {
	if err := markDeclined(ctx, q, in.ID, s.clock()); err != nil {
		return err
	}
	// The log of the organization says nothing of an account that its admins did not know of.
	return record(ctx, q, account.Caller{}, in.Organization, "invite.decline", inviteTarget(in), nil)
}

// inviteFor returns the open invite by e-mail with a secret or an id, when it is for the caller.
func (s *Service) inviteFor(ctx context.Context, q db.Querier, caller account.Caller, organizationID id.Organization,
	name string) (Invite, error) {
	var found Invite
	var err error
	own := id.Valid("invite", name)
	switch {
	case !id.Valid("org", organizationID):
		return Invite{}, unknownInvite()
	case own:
		found, err = inviteByID(ctx, q, name)
	case inviteSecrets.WellFormed(name):
		found, err = inviteBySecret(ctx, q, secrets.Hash(name))
	default:
		return Invite{}, unknownInvite()
	}
	if errors.Is(err, db.ErrNoRows) ||
		err == nil && (found.Organization != organizationID || !found.open(s.deps.Now())) {
		return Invite{}, unknownInvite()
	}
	if err != nil {
		return Invite{}, err
	}
	fits := account.EmailKey(found.Email) == account.EmailKey(caller.User.Email)
	switch {
	case own && (!fits || !caller.HasProvenEmail()):
		// An id is no secret: it works for its person alone, and tells others nothing.
		return Invite{}, unknownInvite()
	case !fits:
		return Invite{}, errs.Forbiddenf("The invite is for another address than yours. Sign in with the account of " +
			"that address, or ask for an invite to yours.")
	}
	return found, nil
}

// proveByMail returns the caller as one whose address is proven, because they have what was mailed there. For somebody
// who came in by another organization's word alone that is the proof (see account.Service.Prove), and their session
// goes on as a proven one; a token of such a session is refused, since it may be anybody's.
func (s *Service) proveByMail(ctx context.Context, q db.Querier, caller account.Caller) (account.Caller, error) {
	if caller.HasProvenEmail() {
		return caller, nil
	}
	if caller.Session.ID == "" {
		if err := account.RequireProven(caller); err != nil {
			return account.Caller{}, err
		}
	}
	user, err := s.deps.Accounts.Prove(ctx, q, caller.User.ID, caller.Session.ID)
	caller.User, caller.Token.VouchedBy, caller.Session.VouchedBy = user, "", ""
	return caller, err
}

// Waiting returns a page of the invites that wait for the caller's address, the oldest first, with the number of all
// and the keys of the next page (nil on the last). There are none for an address that was not proven, nor for who came
// in by an organization's word alone.
func (s *Service) Waiting(ctx context.Context, caller account.Caller,
	page paging.Request) (invites paging.Page[WaitingInvite], err error) {
	after, err := page.OneKey()
	if err != nil || !caller.HasProvenEmail() {
		return paging.Page[WaitingInvite]{}, err
	}
	key, now := account.EmailKey(caller.User.Email), s.deps.Now()
	err = s.deps.DB.Snapshot(ctx, func(ctx context.Context, q db.Querier) error {
		if invites.Count, err = countWaiting(ctx, q, key, now); err != nil {
			return err
		}
		invites.Items, err = listWaiting(ctx, q, key, now, after, page.Size()+1)
		return err
	})
	if err != nil {
		return paging.Page[WaitingInvite]{}, err
	}
	invites.Cut(page.Size(), func(i WaitingInvite) []string { return []string{i.ID} })
	return invites, nil
}

// accept lets in whom an invite is for. Its teams are read before Join takes the invite away.
func (s *Service) accept(ctx context.Context, q db.Querier, caller account.Caller, in Invite) error {
	teams, err := inviteTeamsOf(ctx, q, in.Organization, account.EmailKey(in.Email))
	if err != nil {
		return err
	}
	member, _, err := s.deps.Organizations.Join(ctx, q, org.JoinRequest{
		Organization: in.Organization, User: caller.User.ID, Way: org.ByInvite, Role: optional.Of(in.Role),
		Teams: teams, Actor: caller,
	})
	if err != nil {
		return err
	}
	organization, err := org.OrganizationIn(ctx, q, in.Organization)
	if err != nil {
		return err
	}
	if organization.SSO {
		// The page of the invite says so.
		if err := s.deps.Organizations.AcceptSSOIn(ctx, q, caller, in.Organization); err != nil {
			return err
		}
	}
	if in.SSO && !member.SSO {
		if _, err := s.deps.Organizations.MarkSSO(ctx, q, caller, member, caller.User); err != nil {
			return err
		}
	}
	return Drop(ctx, q, in.Organization, in.Email)
}
