package org

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Ways in.
const (
	// ByInvite is because an admin has asked the person in, by their address.
	ByInvite Way = "invite"
	// ByLink is through an invite link, which lets in whoever has it.
	ByLink Way = "link"
	// ByDomain is because their own verified address is on an e-mail domain of the organization.
	ByDomain Way = "domain"
	// BySSO is because the organization's identity provider knows them.
	BySSO Way = "sso"
)

// Join lets a person into an organization. It is the one place where people come in: it holds that links work only
// while the organization allows them, that with enforced single sign-on nobody comes in by a link or a domain, that a
// domain lets in only whose verified address is on it, and that people whom an admin removed do not come back by
// themselves. It checks nothing of who lets them in; that is the caller's to do before.
//
// Somebody who is a member keeps the role they have and joins the teams; joined is false then. People who come in
// through the identity provider are marked as such. It runs in the caller's transaction and records what it did.
func (s *Service) Join(ctx context.Context, q db.Querier, in JoinRequest) (member Member, joined bool, err error) {
	if !id.Valid("org", in.Organization) {
		return Member{}, false, noOrganization()
	}
	organization, err := find(ctx, q, in.Organization)
	if err != nil {
		return Member{}, false, err
	}
	users, err := s.accounts.UsersIn(ctx, q, []id.User{in.User})
	if err != nil {
		return Member{}, false, err
	}
	user, ok := users[in.User]
	if !ok {
		return Member{}, false, errs.NotFoundf("There is no such user.")
	}
	if in.Actor.User.ID == "" {
		in.Actor = account.Caller{User: user}
	}
	if !in.Actor.Reaches(in.Organization) {
		return Member{}, false, cmp.Or(account.RequireProven(in.Actor), in.Actor.Unreached(in.Organization,
			noOrganization()))
	}
	member, err = memberOf(ctx, q, in.Organization, in.User)
	switch {
	case errors.Is(err, db.ErrNoRows):
		if member, err = s.comeIn(ctx, q, organization, user, in); err != nil {
			return Member{}, false, err
		}
		joined = true
	case err != nil:
		return Member{}, false, err
	case in.Way == BySSO && !member.SSO:
		member.SSO = true
		if err := updateMember(ctx, q, member); err != nil {
			return Member{}, false, err
		}
	}
	if in.Way == BySSO {
		// Who comes through the provider knows that it is the way in.
		accepting := account.Caller{User: user, Token: in.Actor.Token}
		if err := s.AcceptSSOIn(ctx, q, accepting, in.Organization); err != nil {
			return Member{}, false, err
		}
	}
	for _, place := range in.Teams {
		if err := s.EnterTeam(ctx, q, in.Actor, member, user, place); err != nil {
			return Member{}, false, err
		}
	}
	return member, joined, nil
}

// JoinByDomain lets the caller into an organization whose e-mail domain their own address is on.
func (s *Service) JoinByDomain(ctx context.Context, caller account.Caller, organizationID id.Organization) error {
	return s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		_, _, err := s.Join(ctx, q, JoinRequest{Organization: organizationID, User: caller.User.ID, Way: ByDomain,
			Actor: caller})
		return err
	})
}

// comeIn makes somebody a member who is none.
func (s *Service) comeIn(ctx context.Context, q db.Querier, organization Organization, user account.User,
	in JoinRequest) (Member, error) {
	if err := mayComeIn(organization, user, in.Way); err != nil {
		return Member{}, err
	}
	if in.Way == ByLink || in.Way == ByDomain {
		removed, err := wasRemoved(ctx, q, organization.ID, user.ID)
		if err != nil {
			return Member{}, err
		}
		if removed {
			return Member{}, errs.Forbiddenf(
				"An admin has removed you from this organization. Ask an admin to invite you again.")
		}
	}
	member := Member{Organization: organization.ID, User: user.ID, Role: organization.DefaultRole, JoinedAt: s.clock(),
		SSO: in.Way == BySSO}
	if in.Role.IsSet() {
		member.Role = in.Role.Or(RoleGuest)
	}
	if member.Role.Rank() < 0 {
		_, err := ParseRole("role", string(member.Role))
		return Member{}, err
	}
	if _, err := insertMember(ctx, q, member); err != nil {
		return Member{}, err
	}
	if err := forgetRemoved(ctx, q, organization.ID, user.ID); err != nil {
		return Member{}, err
	}
	// An invite that waited for the address has done its work, whatever way the person took.
	if err := s.hooks.Get().Invites.Drop(ctx, q, organization.ID, user.Email); err != nil {
		return Member{}, err
	}
	return member, s.record(ctx, q, in.Actor, organization.ID, "member.join", userTarget(user),
		map[string]any{"way": string(in.Way), "role": member.Role.ForLog()})
}

// mayComeIn is the rule for each way in.
func mayComeIn(organization Organization, user account.User, way Way) error {
	switch way {
	case ByInvite, BySSO:
		return nil
	case ByLink:
		if !organization.InviteLinks {
			return errs.Forbiddenf(
				"This organization does not let people in by links. Ask an admin to invite you by e-mail.")
		}
	case ByDomain:
		if user.EmailVerifiedAt.IsZero() || !slices.Contains(organization.EmailDomains,
			account.EmailDomain(user.Email)) {
			return errs.Invalidf("email", "is not on a domain from which people come into this organization by "+
				"themselves; ask an admin to invite you")
		}
	default:
		return errs.Invalidf("way", "%q is no way into an organization", string(way))
	}
	if organization.SSO {
		return errs.Forbiddenf("This organization lets people in through its single sign-on only. Sign in there, or " +
			"ask an admin to invite you.")
	}
	return nil
}

// Way is how somebody comes into an organization.
type Way string

// JoinRequest is the input of Join.
type JoinRequest struct {
	// Organization is the id of the organization, User that of the person.
	Organization id.Organization
	User         id.User
	Way          Way
	// Role is what the person gets; absent means the organization's default role, null a guest's place.
	Role optional.Value[Role]
	// Teams are what teams of the organization they get into.
	Teams []TeamPlace
	// Actor is who lets the person in; the zero Caller means the person themselves.
	Actor account.Caller
}

// TeamPlace is a place in a team.
type TeamPlace struct {
	// Team is the id of the team.
	Team id.Team
	// Role is TeamMember when empty.
	Role TeamRole
}
