package org

import (
	"context"
	"errors"
	"strconv"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
)

// ListMembers returns a page of the members of an organization, with the number of all under the same filter and the
// keys of the next page (nil on the last). It needs the role read.
func (s *Service) ListMembers(ctx context.Context, caller account.Caller, organizationID id.Organization,
	filter MemberFilter, page paging.Request) (people paging.Page[Person], err error) {
	if filter, err = filter.check(); err != nil {
		return paging.Page[Person]{}, err
	}
	err = s.db.Snapshot(ctx, func(ctx context.Context, q db.Querier) error {
		if err := RequireRole(ctx, q, caller, organizationID, RoleRead); err != nil {
			return err
		}
		people.Items, people.Count, err = listMembers(ctx, q, organizationID, filter, page)
		return err
	})
	if err != nil {
		return paging.Page[Person]{}, err
	}
	people.Cut(page.Size(), func(p Person) []string {
		at := p.JoinedAt
		if filter.Sort == SortSeen {
			at = p.LastSeenAt
		}
		return []string{strconv.FormatInt(at.UnixMicro(), 10), string(p.User)}
	})
	return people, nil
}

// GetMember returns a member. It needs the role read, but everybody may see themselves.
func (s *Service) GetMember(ctx context.Context, caller account.Caller, organizationID id.Organization,
	userID id.User) (Person, error) {
	q := s.db.Read()
	least := RoleRead
	if userID == caller.User.ID {
		least = RoleGuest
	}
	if err := RequireRole(ctx, q, caller, organizationID, least); err != nil {
		return Person{}, err
	}
	return personOf(ctx, q, organizationID, userID)
}

func personOf(ctx context.Context, q db.Querier, organizationID id.Organization, userID id.User) (Person, error) {
	if !id.Valid("user", userID) {
		return Person{}, noMember()
	}
	person, err := personByID(ctx, q, organizationID, userID)
	if errors.Is(err, db.ErrNoRows) {
		return Person{}, noMember()
	}
	return person, err
}

// Raise gives the caller, who is a member, a role unless they have as much. It is for what lets people in, which has
// checked that they get it, and runs in its transaction.
func (s *Service) Raise(ctx context.Context, q db.Querier, caller account.Caller, member Member, role Role) error {
	if member.Role.Rank() >= role.Rank() {
		return nil
	}
	_, err := s.changeRole(ctx, q, caller, member, userTarget(caller.User), role)
	return err
}

// UpdateMember gives a member another role, null for a guest's place, and returns them; nothing changes when it is
// absent. It needs the role admin. Taking the role from the only admin is an errs.Conflict.
func (s *Service) UpdateMember(ctx context.Context, caller account.Caller, organizationID id.Organization,
	userID id.User, role optional.Value[Role]) (Person, error) {
	return s.changeMember(ctx, caller, organizationID, userID, func(ctx context.Context, q db.Querier,
		person Person) error {
		if !role.IsSet() {
			return nil
		}
		wanted := role.Or(RoleGuest)
		if wanted.Rank() < 0 {
			_, err := ParseRole("role", string(wanted))
			return err
		}
		_, err := s.changeRole(ctx, q, caller, person.Member, userTarget(person.Account), wanted)
		return err
	})
}

// SetSSO makes a member one who signs in through the identity provider, and returns them. It needs the role admin.
// Somebody who belongs to another organization too is an errs.Conflict: the provider of one could open the other.
func (s *Service) SetSSO(ctx context.Context, caller account.Caller, organizationID id.Organization,
	userID id.User) (Person, error) {
	return s.changeMember(ctx, caller, organizationID, userID, func(ctx context.Context, q db.Querier,
		person Person) error {
		if person.SSO {
			return nil
		}
		refused, err := s.MarkSSO(ctx, q, caller, person.Member, person.Account)
		if refused {
			return errs.Conflictf("The member belongs to another organization too, which your identity provider must " +
				"not open. They have to leave it first.")
		}
		return err
	})
}

// changeMember runs a change of a member for an admin, and returns the member as they are then.
func (s *Service) changeMember(ctx context.Context, caller account.Caller, organizationID id.Organization,
	userID id.User, change func(context.Context, db.Querier, Person) error) (Person, error) {
	var after Person
	err := s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		if err := RequireRole(ctx, q, caller, organizationID, RoleAdmin); err != nil {
			return err
		}
		person, err := personOf(ctx, q, organizationID, userID)
		if err != nil {
			return err
		}
		if err := change(ctx, q, person); err != nil {
			return err
		}
		after, err = personOf(ctx, q, organizationID, userID)
		return err
	})
	if err != nil {
		return Person{}, err
	}
	return after, nil
}

// RemoveMember takes a member out of an organization, with their places in teams, what they were given in spaces and
// collections, the invite links that they made, and invites that wait for their address. Admins remove people, and
// everybody may leave. Who was removed does not come back by a link or a domain; and when they belong to no
// organization any more, their tokens and sessions end. Removing the only admin is an errs.Conflict.
//
// A token stands for a person in all their organizations. It opens this one no more from the same moment on, since what
// a caller may do is asked with each request.
func (s *Service) RemoveMember(ctx context.Context, caller account.Caller, organizationID id.Organization,
	userID id.User) error {
	leaves := userID == caller.User.ID
	least := RoleAdmin
	if leaves {
		least, caller = RoleGuest, caller.Leaving()
	}
	return s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		if err := RequireRole(ctx, q, caller, organizationID, least); err != nil {
			return err
		}
		person, err := personOf(ctx, q, organizationID, userID)
		if err != nil {
			return err
		}
		if err := keepsAdmin(ctx, q, person.Member); err != nil {
			return err
		}
		if err := deleteMember(ctx, q, person.Member); err != nil {
			return err
		}
		links, err := s.hooks.Get().Invites.DropLinksBy(ctx, q, organizationID, userID)
		if err != nil {
			return err
		}
		if err := s.hooks.Get().Invites.Drop(ctx, q, organizationID, person.Account.Email); err != nil {
			return err
		}
		if err := s.hooks.Get().Gone(ctx, q, organizationID, userID, leaves); err != nil {
			return err
		}
		details := map[string]any{"role": person.Role.ForLog(), "teams": person.Teams, "inviteLinks": links}
		if err := noteGone(ctx, q, person.Member, leaves, s.clock()); err != nil {
			return err
		}
		if !leaves {
			elsewhere, err := belongsElsewhere(ctx, q, person.Member)
			if err != nil {
				return err
			}
			if !elsewhere {
				if details["tokens"], err = s.accounts.RevokeAllIn(ctx, q, userID); err != nil {
					return err
				}
				if details["sessions"], err = s.accounts.EndOtherSessions(ctx, q, userID, ""); err != nil {
					return err
				}
			}
		}
		return s.record(ctx, q, caller, organizationID, "member.remove", userTarget(person.Account), details)
	})
}

// Ping notes that the caller is there now.
func (s *Service) Ping(ctx context.Context, caller account.Caller, organizationID id.Organization) error {
	if !id.Valid("org", organizationID) {
		return noOrganization()
	}
	if !caller.Reaches(organizationID) {
		return caller.Unreached(organizationID, noOrganization())
	}
	return s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		found, err := updateLastSeen(ctx, q, organizationID, caller.User.ID, s.clock())
		if err == nil && !found {
			err = noOrganization()
		}
		return err
	})
}

// Visible reports whether two people belong to one organization, as far as what the caller came in with opens it.
func (s *Service) Visible(ctx context.Context, caller account.Caller, userID id.User) (bool, error) {
	if caller.User.ID == userID {
		return true, nil
	}
	if !id.Valid("user", userID) {
		return false, nil
	}
	return shareOrganization(ctx, s.db.Read(), caller, userID)
}
