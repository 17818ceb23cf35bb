package org

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/audit"
	"github.com/rectodocs/recto/internal/people/org/names"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Create makes an organization whose first admin is the caller. It is an errs.Forbidden for who came in by the word of
// another organization alone, which would not open the new one, and for who is none of the Creators.
func (s *Service) Create(ctx context.Context, caller account.Caller, in NewOrganization) (Membership, error) {
	var made Membership
	err := s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		err := s.mayCreate(ctx, q, caller)
		if err != nil {
			return err
		}
		if made, err = s.create(ctx, q, caller, in); err != nil || !in.WithSite {
			return err
		}
		if made.Organization.DefaultSite,
			err = s.hooks.Get().NewSite(ctx, q, caller, made.Organization.ID); err != nil {
			return err
		}
		return updateOrganization(ctx, q, made.Organization)
	})
	if err != nil {
		return Membership{}, err
	}
	return made, nil
}

func (s *Operator) create(ctx context.Context, q db.Querier, caller account.Caller,
	in NewOrganization) (Membership, error) {
	if err := account.RequireProven(caller); err != nil {
		return Membership{}, err
	}
	in, err := in.check()
	if err != nil {
		return Membership{}, err
	}
	for _, domain := range in.EmailDomains {
		if names.IsFreeMail(domain) || !ownDomain(caller, domain) {
			return Membership{}, errs.Invalidf("emailDomains",
				"%s is not known to be yours; leave it out, and add it to the organization once it is there", domain)
		}
	}
	now := s.clock()
	o := Organization{
		ID: id.Organization(id.New("org")), Title: in.Title, Hostname: in.Hostname, Type: in.Type, UseCase: in.UseCase,
		Plan:         plan,
		EmailDomains: in.EmailDomains,
		DefaultRole:  RoleRead, InviteLinks: true, CreatedAt: now, UpdatedAt: now,
	}
	if o, err = insertWithHostname(ctx, q, o); err != nil {
		return Membership{}, err
	}
	if err := replaceEmailDomains(ctx, q, o.ID, o.EmailDomains); err != nil {
		return Membership{}, err
	}
	m := Member{Organization: o.ID, User: caller.User.ID, Role: RoleAdmin, JoinedAt: now}
	if _, err := insertMember(ctx, q, m); err != nil {
		return Membership{}, err
	}
	if err := s.record(ctx, q, caller, o.ID, "organization.create", organizationTarget(o), nil); err != nil {
		return Membership{}, err
	}
	return Membership{Organization: o, Role: m.Role, JoinedAt: now}, nil
}

// insertWithHostname adds the organization. Without a hostname it takes the first free one of those that its title
// gives: the plain one, numbered ones, then one with a random ending.
func insertWithHostname(ctx context.Context, q db.Querier, o Organization) (Organization, error) {
	if o.Hostname != "" {
		added, err := insertOrganization(ctx, q, o)
		if err == nil && !added {
			err = errs.Conflictf("The hostname %s belongs to another organization; choose another one.", o.Hostname)
		}
		return o, err
	}
	const numbered = 20
	wanted := names.HostnameFrom(o.Title)
	for n := 1; ; n++ {
		switch {
		case n == 1:
			o.Hostname = wanted
		case n <= numbered:
			o.Hostname = names.WithSuffix(wanted, strconv.Itoa(n))
		default:
			o.Hostname = names.WithSuffix(wanted, strings.ToLower(rand.Text()[:10]))
		}
		if added, err := insertOrganization(ctx, q, o); err != nil || added {
			return o, err
		}
	}
}

// Get returns an organization and the caller's place in it; errs.NotFound when there is none or the caller is not a
// member.
func (s *Service) Get(ctx context.Context, caller account.Caller, organizationID id.Organization) (Membership, error) {
	return MembershipIn(ctx, s.db.Read(), caller, organizationID)
}

// ByHostname returns the organization with a hostname, whoever asks; errs.NotFound when there is none.
func (s *Service) ByHostname(ctx context.Context, hostname string) (Organization, error) {
	if !names.IsHostname(hostname) {
		return Organization{}, noOrganization()
	}
	return find(ctx, s.db.Read(), hostname)
}

// ByID returns an organization, whoever asks; errs.NotFound when there is none. It is for work without a caller; use
// Get where there is one.
func (s *Service) ByID(ctx context.Context, organizationID id.Organization) (Organization, error) {
	if !id.Valid("org", organizationID) {
		return Organization{}, noOrganization()
	}
	return find(ctx, s.db.Read(), organizationID)
}

// OrganizationIn returns an organization in the caller's transaction, whoever asks; errs.NotFound when there is none.
func OrganizationIn(ctx context.Context, q db.Querier, organizationID id.Organization) (Organization, error) {
	return find(ctx, q, organizationID)
}

// find returns the organization with an id or hostname; the two cannot be taken for each other, since a hostname has no
// underscore.
func find[T ~string](ctx context.Context, q db.Querier, name T) (Organization, error) {
	o, err := organizationNamed(ctx, q, string(name))
	if errors.Is(err, db.ErrNoRows) {
		return Organization{}, noOrganization()
	}
	return o, err
}

// ListForUser returns a page of the organizations that the caller belongs to, in the order of joining, with the number
// of all and the keys of the next page (nil on the last).
func (s *Service) ListForUser(ctx context.Context, caller account.Caller,
	page paging.Request) (memberships paging.Page[Membership], err error) {
	return listMemberships(ctx, s.db.Read(), caller, page)
}

// Membership returns a user's place in an organization; errs.NotFound when they have none.
func (s *Service) Membership(ctx context.Context, organizationID id.Organization, userID id.User) (Member, error) {
	if !id.Valid("org", organizationID) || !id.Valid("user", userID) {
		return Member{}, noMember()
	}
	m, err := memberOf(ctx, s.db.Read(), organizationID, userID)
	if errors.Is(err, db.ErrNoRows) {
		return Member{}, noMember()
	}
	return m, err
}

// AddMember makes a user a member with a role, or gives a member that role. It checks no access: it is an act of the
// operator or of a caller who was checked. Taking the role from the only admin is an errs.Conflict.
func (s *Service) AddMember(ctx context.Context, organizationID id.Organization, userID id.User,
	role Role) (Member, error) {
	if !id.Valid("org", organizationID) {
		return Member{}, noOrganization()
	}
	var member Member
	err := s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		var err error
		member, err = s.putMember(ctx, q, Member{Organization: organizationID, User: userID, Role: role,
			JoinedAt: s.clock()})
		return err
	})
	if err != nil {
		return Member{}, err
	}
	return member, nil
}

func (s *Operator) putMember(ctx context.Context, q db.Querier, m Member) (Member, error) {
	if m.Role.Rank() < 0 {
		_, err := ParseRole("role", string(m.Role))
		return Member{}, err
	}
	added, err := insertMember(ctx, q, m)
	switch {
	case db.IsForeignKey(err):
		return Member{}, errs.NotFoundf("There is no such user or organization.")
	case err != nil:
		return Member{}, err
	case added:
		if err := forgetRemoved(ctx, q, m.Organization, m.User); err != nil {
			return Member{}, err
		}
		return m, s.record(ctx, q, account.Caller{}, m.Organization, "member.add",
			audit.Target{Kind: "user", ID: string(m.User)}, map[string]any{"role": m.Role.ForLog()})
	}
	before, err := memberOf(ctx, q, m.Organization, m.User)
	if err != nil {
		return before, err
	}
	return s.changeRole(ctx, q, account.Caller{}, before, audit.Target{Kind: "user", ID: string(m.User)}, m.Role)
}

// changeRole gives a member another role, unless they are the only admin.
func (s *Operator) changeRole(ctx context.Context, q db.Querier, actor account.Caller, member Member,
	target audit.Target, role Role) (Member, error) {
	if member.Role == role {
		return member, nil
	}
	if err := keepsAdmin(ctx, q, member); err != nil {
		return Member{}, err
	}
	before := member.Role
	member.Role = role
	if err := updateMember(ctx, q, member); err != nil {
		return Member{}, err
	}
	return member, s.record(ctx, q, actor, member.Organization, "member.update", target,
		map[string]any{"role": map[string]any{"from": before.ForLog(), "to": role.ForLog()}})
}

// keepsAdmin is an errs.Conflict when a member is the only admin, so that they can be neither removed nor given less.
func keepsAdmin(ctx context.Context, q db.Querier, member Member) error {
	if member.Role != RoleAdmin {
		return nil
	}
	admins, err := countAdmins(ctx, q, member.Organization)
	if err != nil {
		return err
	}
	if admins <= 1 {
		return errs.Conflictf("The user is the only admin of the organization; make somebody else an admin first.")
	}
	return nil
}

// nameOf gives a person a display name when none was given.
func nameOf(name, email string) string {
	if strings.TrimSpace(name) != "" {
		return name
	}
	local, _, _ := strings.Cut(strings.TrimSpace(email), "@")
	return fmt.Sprintf("%.64s", local)
}

// OrganizationsOf returns the ids of the organizations that a user belongs to, in the order in which they joined. It
// runs in the caller's transaction.
func OrganizationsOf(ctx context.Context, q db.Querier, userID id.User) ([]id.Organization, error) {
	return db.All(ctx, q, "list organizations of user", db.Column[id.Organization], `
		SELECT organization_id FROM organization_member WHERE user_id = $1 ORDER BY joined_at, organization_id`, userID)
}
