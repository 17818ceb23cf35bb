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

// linkPurpose is what secrets of links are sealed for.
const linkPurpose = "org.invite-link"

// maxLinks is how many invite links an organization has.
const maxLinks = 1000

// NewLink is the input of CreateLink.
type NewLink struct {
	Target Target
	Role   org.Role
}

// CreateLink makes an invite link. One to the organization needs the role admin, one to a space or collection what
// giving the role there needs. It is an errs.Conflict while the organization has invite links turned off.
func (s *Service) CreateLink(ctx context.Context, caller account.Caller, organizationID id.Organization,
	in NewLink) (Link, error) {
	var made Link
	err := s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		membership, err := s.mayLink(ctx, q, caller, organizationID, in.Target, in.Role)
		if err != nil {
			return err
		}
		if !membership.Organization.InviteLinks {
			return errs.Conflictf("Invite links are turned off in this organization; an admin can turn them on.")
		}
		if count, err := countLinks(ctx, q, organizationID); err != nil {
			return err
		} else if count >= maxLinks {
			return errs.Conflictf("The organization has %d invite links, which is the most; delete some first.", count)
		}
		now := s.clock()
		made = Link{
			ID: id.New("link"), Organization: organizationID, Secret: inviteSecrets.New(), Target: in.Target,
			Role:      in.Role,
			CreatedBy: caller.User.ID, CreatedAt: now, UpdatedAt: now,
		}
		if made.sealed, err = s.deps.Secrets.Seal(made.Secret, linkPurpose); err != nil {
			return err
		}
		if err := insertLink(ctx, q, made, secrets.Hash(made.Secret)); err != nil {
			return err
		}
		if err := record(ctx, q, caller, organizationID, "invite-link.create", linkTarget(made),
			linkDetails(made)); err != nil {
			return err
		}
		made.Redundant, err = s.redundant(ctx, q, caller, membership.Role, made)
		return err
	})
	if err != nil {
		return Link{}, err
	}
	return made, nil
}

// mayLink returns the organization when the caller may make and change links to a target that give a role there.
func (s *Service) mayLink(ctx context.Context, q db.Querier, caller account.Caller, organizationID id.Organization,
	target Target, role org.Role) (org.Membership, error) {
	membership, err := org.MembershipIn(ctx, q, caller, organizationID)
	if err != nil {
		return org.Membership{}, err
	}
	if role.Rank() < 0 {
		_, err := org.ParseRole("role", string(role))
		return org.Membership{}, err
	}
	if target.IsZero() {
		return membership, membership.Role.Require(org.RoleAdmin)
	}
	if target.Space != "" && target.Collection != "" {
		return org.Membership{}, errs.Invalidf("space", "and collection are both there; a link is to one of them")
	}
	owner, err := s.hooks.Get().MayGive(ctx, q, caller, target, role)
	if err == nil && owner != organizationID {
		err = errs.NotFoundf("There is no such space or collection in this organization, or you may not see it.")
	}
	return membership, err
}

// ListLinks returns a page of the invite links of an organization, the oldest first, with the number of all and the
// keys of the next page (nil on the last). It needs the role admin.
func (s *Service) ListLinks(ctx context.Context, caller account.Caller, organizationID id.Organization,
	page paging.Request) (links paging.Page[Link], err error) {
	after, err := page.OneKey()
	if err != nil {
		return paging.Page[Link]{}, err
	}
	err = s.deps.DB.Snapshot(ctx, func(ctx context.Context, q db.Querier) error {
		if err := org.RequireRole(ctx, q, caller, organizationID, org.RoleAdmin); err != nil {
			return err
		}
		if links.Count, err = countLinks(ctx, q, organizationID); err != nil {
			return err
		}
		if links.Items, err = listLinks(ctx, q, organizationID, after, page.Size()+1); err != nil {
			return err
		}
		links.Cut(page.Size(), func(l Link) []string { return []string{l.ID} })
		for i := range links.Items {
			if err := s.complete(ctx, q, caller, org.RoleAdmin, &links.Items[i]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return paging.Page[Link]{}, err
	}
	return links, nil
}

// complete reads the secret of a link and works out what it means for the caller.
func (s *Service) complete(ctx context.Context, q db.Querier, caller account.Caller, role org.Role,
	link *Link) error {
	var err error
	if link.Secret, err = s.deps.Secrets.Open(link.sealed, linkPurpose); err != nil {
		return err
	}
	link.Redundant, err = s.redundant(ctx, q, caller, role, *link)
	return err
}

// redundant reports whether the caller, a member with a role, has what the link gives.
func (s *Service) redundant(ctx context.Context, q db.Querier, caller account.Caller, role org.Role,
	link Link) (bool, error) {
	if !link.Target.IsZero() {
		var err error
		if role, err = s.hooks.Get().RoleIn(ctx, q, caller, link.Target); err != nil {
			return false, err
		}
	}
	return role.Rank() >= link.Role.Rank(), nil
}

// Link returns an invite link by its secret. It needs what making such a link needs.
func (s *Service) Link(ctx context.Context, caller account.Caller, organizationID id.Organization,
	secret string) (Link, error) {
	var found Link
	err := s.deps.DB.Snapshot(ctx, func(ctx context.Context, q db.Querier) error {
		var err error
		found, err = s.managedLink(ctx, q, caller, organizationID, secret)
		return err
	})
	return found, err
}

// managedLink loads a link that the caller may manage.
func (s *Service) managedLink(ctx context.Context, q db.Querier, caller account.Caller, organizationID id.Organization,
	secret string) (Link, error) {
	unknown := errs.NotFoundf("The organization has no such invite link.")
	role, err := org.RoleIn(ctx, q, caller, organizationID)
	if err != nil {
		return Link{}, err
	}
	if !inviteSecrets.WellFormed(secret) {
		return Link{}, unknown
	}
	link, err := linkBySecret(ctx, q, organizationID, secrets.Hash(secret))
	if errors.Is(err, db.ErrNoRows) {
		return Link{}, unknown
	}
	if err != nil {
		return Link{}, err
	}
	if role != org.RoleAdmin {
		if _, err := s.mayLink(ctx, q, caller, organizationID, link.Target, link.Role); err != nil {
			return Link{}, err
		}
	}
	return link, s.complete(ctx, q, caller, role, &link)
}

// LinkChange is what is changed of a link: Role of one to the organization, Level of one to a space or collection. Null
// is a guest's place, or no access.
type LinkChange struct{ Role, Level optional.Value[org.Role] }

// UpdateLink changes what a link gives and returns it as it is then. It needs what making such a link needs.
func (s *Service) UpdateLink(ctx context.Context, caller account.Caller, organizationID id.Organization, secret string,
	change LinkChange) (Link, error) {
	var after Link
	err := s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		before, err := s.managedLink(ctx, q, caller, organizationID, secret)
		if err != nil {
			return err
		}
		wanted, other, path := change.Role, change.Level, "role"
		if !before.Target.IsZero() {
			wanted, other, path = change.Level, change.Role, "level"
		}
		if !wanted.IsSet() || other.IsSet() {
			return errs.Invalidf(path,
				"is missing; links to the organization have a role, links to a space or collection a level")
		}
		after = before
		after.Role, after.UpdatedAt = wanted.Or(org.RoleGuest), s.clock()
		membership, err := s.mayLink(ctx, q, caller, organizationID, after.Target, after.Role)
		if err != nil {
			return err
		}
		if err := updateLink(ctx, q, after); err != nil {
			return err
		}
		details := linkDetails(after)
		details["before"] = before.Role.ForLog()
		if err := record(ctx, q, caller, organizationID, "invite-link.update", linkTarget(after),
			details); err != nil {
			return err
		}
		after.Redundant, err = s.redundant(ctx, q, caller, membership.Role, after)
		return err
	})
	if err != nil {
		return Link{}, err
	}
	return after, nil
}

// DeleteLink revokes a link: it lets nobody in any more. It needs what making such a link needs.
func (s *Service) DeleteLink(ctx context.Context, caller account.Caller, organizationID id.Organization,
	secret string) error {
	return s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		link, err := s.managedLink(ctx, q, caller, organizationID, secret)
		if err != nil {
			return err
		}
		if err := deleteLink(ctx, q, link.ID); err != nil {
			return err
		}
		return record(ctx, q, caller, organizationID, "invite-link.delete", linkTarget(link), linkDetails(link))
	})
}

// followLink gives the caller what a link gives, and never less than they have. Who is no member becomes one: with the
// role of a link to the organization, as a guest by one to a space or collection.
func (s *Service) followLink(ctx context.Context, q db.Querier, caller account.Caller, link Link) error {
	organization, err := org.OrganizationIn(ctx, q, link.Organization)
	if err != nil {
		return err
	}
	if !organization.InviteLinks {
		return errs.Forbiddenf(
			"This organization does not let people in by links. Ask an admin to invite you by e-mail.")
	}
	role := link.Role
	if !link.Target.IsZero() {
		role = org.RoleGuest
	}
	member, _, err := s.deps.Organizations.Join(ctx, q, org.JoinRequest{
		Organization: link.Organization, User: caller.User.ID, Way: org.ByLink, Role: optional.Of(role), Actor: caller,
	})
	if err != nil {
		return err
	}
	if !link.Target.IsZero() {
		if link.Role == org.RoleGuest {
			return nil
		}
		return s.hooks.Get().Give(ctx, q, caller, link.Target, link.Role)
	}
	return s.deps.Organizations.Raise(ctx, q, caller, member, role)
}

func linkDetails(l Link) map[string]any {
	details := map[string]any{"role": l.Role.ForLog()}
	if l.Target.Space != "" {
		details["space"] = l.Target.Space
	}
	if l.Target.Collection != "" {
		details["collection"] = l.Target.Collection
	}
	return details
}
