package invite

import (
	"context"
	"errors"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/people/secrets"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/mail"
)

func noInvite() error {
	return errs.NotFoundf("The organization has no such invite; it may have been accepted or withdrawn.")
}

// List returns a page of the invites by e-mail of an organization that nobody has accepted, the oldest first,
// with the number of all and the keys of the next page (nil on the last). Those that were declined or have expired are
// listed for some weeks more. It needs the role admin.
func (s *Service) List(ctx context.Context, caller account.Caller, organizationID id.Organization,
	page paging.Request) (invites paging.Page[Invite], err error) {
	after, err := page.OneKey()
	if err != nil {
		return paging.Page[Invite]{}, err
	}
	err = s.deps.DB.Snapshot(ctx, func(ctx context.Context, q db.Querier) error {
		if err := org.RequireRole(ctx, q, caller, organizationID, org.RoleAdmin); err != nil {
			return err
		}
		if invites.Count, err = countInvites(ctx, q, organizationID); err != nil {
			return err
		}
		if invites.Items, err = listInvites(ctx, q, organizationID, after, page.Size()+1); err != nil {
			return err
		}
		invites.Cut(page.Size(), func(i Invite) []string { return []string{i.ID} })
		return followDeliveries(ctx, q, invites.Items)
	})
	if err != nil {
		return paging.Page[Invite]{}, err
	}
	return invites, nil
}

// Get returns an invite by e-mail by its id. It needs the role admin.
func (s *Service) Get(ctx context.Context, caller account.Caller, organizationID id.Organization,
	inviteID string) (Invite, error) {
	var found Invite
	err := s.deps.DB.Snapshot(ctx, func(ctx context.Context, q db.Querier) error {
		var err error
		if found, err = managedInvite(ctx, q, caller, organizationID, inviteID); err != nil {
			return err
		}
		one := []Invite{found}
		err = followDeliveries(ctx, q, one)
		found = one[0]
		return err
	})
	return found, err
}

// Resend makes another secret for an invite and sends it; the one before works no more, and the two weeks begin
// anew. On a server without a mail server the secret is in the answer. It needs the role admin. One that was declined
// is an errs.Conflict.
func (s *Service) Resend(ctx context.Context, caller account.Caller, organizationID id.Organization,
	inviteID string) (Invite, error) {
	var sent Invite
	err := s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		var err error
		if sent, err = managedInvite(ctx, q, caller, organizationID, inviteID); err != nil {
			return err
		}
		if !sent.DeclinedAt.IsZero() {
			return errs.Conflictf("%s has declined this invite. Invite them once more if they asked for it.",
				sent.Email)
		}
		organization, err := org.OrganizationIn(ctx, q, organizationID)
		if err != nil {
			return err
		}
		secret, err := s.post(ctx, q, caller, organization, &sent)
		if err != nil {
			return err
		}
		if err := putInvite(ctx, q, sent, secrets.Hash(secret)); err != nil {
			return err
		}
		return record(ctx, q, caller, organizationID, "invite.resend", inviteTarget(sent), nil)
	})
	if err != nil {
		return Invite{}, err
	}
	return sent, nil
}

// Withdraw takes an invite back: its secret works no more. It needs the role admin.
func (s *Service) Withdraw(ctx context.Context, caller account.Caller, organizationID id.Organization,
	inviteID string) error {
	return s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		found, err := managedInvite(ctx, q, caller, organizationID, inviteID)
		if err != nil {
			return err
		}
		if err := Drop(ctx, q, organizationID, found.Email); err != nil {
			return err
		}
		return record(ctx, q, caller, organizationID, "invite.withdraw", inviteTarget(found), nil)
	})
}

// managedInvite loads an invite for an admin of its organization.
func managedInvite(ctx context.Context, q db.Querier, caller account.Caller, organizationID id.Organization,
	inviteID string) (Invite, error) {
	if err := org.RequireRole(ctx, q, caller, organizationID, org.RoleAdmin); err != nil {
		return Invite{}, err
	}
	if !id.Valid("invite", inviteID) {
		return Invite{}, noInvite()
	}
	found, err := inviteByID(ctx, q, inviteID)
	if errors.Is(err, db.ErrNoRows) || err == nil && found.Organization != organizationID {
		return Invite{}, noInvite()
	}
	return found, err
}

// followDeliveries brings invites up to date with what the outbox knows of their messages.
func followDeliveries(ctx context.Context, q db.Querier, invites []Invite) error {
	var ids []string
	for _, each := range invites {
		if each.mailID != "" && (each.Delivery == mail.Queued || each.Delivery == mail.Failing) {
			ids = append(ids, each.mailID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	known, err := mail.Deliveries(ctx, q, ids)
	if err != nil {
		return err
	}
	for i := range invites {
		if delivery, ok := known[invites[i].mailID]; ok {
			invites[i].Delivery = delivery
		}
	}
	return nil
}

// noteBatch is how many invites are noted at once.
const noteBatch = 500

// Tend notes how far the messages of invites have come, because the outbox forgets them, and deletes invites
// that ended weeks ago. It returns how many it deleted.
func (s *Service) Tend(ctx context.Context) (deleted int64, err error) {
	for after := ""; ; {
		var last string
		err := s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
			under, err := undeliveredInvites(ctx, q, after, noteBatch)
			if err != nil || len(under) == 0 {
				return err
			}
			before := map[string]mail.Delivery{}
			for _, each := range under {
				before[each.ID] = each.Delivery
			}
			if err := followDeliveries(ctx, q, under); err != nil {
				return err
			}
			for _, each := range under {
				if each.Delivery != before[each.ID] {
					if err := noteDelivery(ctx, q, each); err != nil {
						return err
					}
				}
			}
			last = under[len(under)-1].ID
			return nil
		})
		if err != nil {
			return 0, err
		}
		if last == "" {
			break
		}
		after = last
	}
	err = s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		deleted, err = deleteExpiredInvites(ctx, q, s.deps.Now().Add(-inviteKept))
		return err
	})
	return deleted, err
}
