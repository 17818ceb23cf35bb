package org

import (
	"context"
	"errors"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/field"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Init sets an empty database up: the first organization, its admin and a token for them, in one transaction. On a
// database that has been set up or has any user it is an errs.Conflict and changes nothing, also when two calls race.
func (s *Operator) Init(ctx context.Context, in Setup) (Access, error) {
	var made Access
	err := s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		var err error
		if made, err = s.begin(ctx, q, in); err != nil {
			return err
		}
		made.Secret, made.Token, err = s.accounts.CreateTokenIn(ctx, q, account.NewToken{User: made.User.ID,
			Name: "recto init"})
		return err
	})
	if err != nil {
		return Access{}, err
	}
	return made, nil
}

// SetUp is Init for an admin who has a password instead of a token. A password that is too weak is an errs.Invalid
// about "password".
func (s *Operator) SetUp(ctx context.Context, in Setup, password string) (Access, error) {
	hash, err := s.accounts.HashPassword(ctx, password, account.User{DisplayName: in.Name, Email: in.Email})
	if err != nil {
		return Access{}, err
	}
	var made Access
	err = s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		var err error
		if made, err = s.begin(ctx, q, in); err != nil {
			return err
		}
		return s.accounts.GivePasswordIn(ctx, q, made.User, hash)
	})
	if err != nil {
		return Access{}, err
	}
	return made, nil
}

// IsSetUp reports whether the database has an organization or anybody. It stays true once it is.
func (s *Operator) IsSetUp(ctx context.Context) (bool, error) {
	begun, err := hasInstallation(ctx, s.db.Read())
	if err != nil || begun {
		return begun, err
	}
	return s.accounts.AnyUser(ctx, s.db.Read())
}

// begin makes the first organization and its admin.
func (s *Operator) begin(ctx context.Context, q db.Querier, in Setup) (Access, error) {
	first, err := insertInstallation(ctx, q, s.clock())
	if err != nil {
		return Access{}, err
	}
	used, err := s.accounts.AnyUser(ctx, q)
	if err != nil {
		return Access{}, err
	}
	if !first || used {
		return Access{}, errs.Conflictf("This database is set up already; recto user add lets more people in.")
	}
	user, _, err := s.accounts.EnsureUser(ctx, q, account.NewUser{DisplayName: nameOf(in.Name, in.Email),
		Email: in.Email, EmailVerified: true})
	if err != nil {
		return Access{}, err
	}
	membership, err := s.create(ctx, q, account.Caller{User: user}, NewOrganization{Title: in.Title})
	if err != nil {
		return Access{}, err
	}
	if err := updateInstallation(ctx, q, membership.Organization.ID); err != nil {
		return Access{}, err
	}
	return Access{Organization: membership.Organization, User: user, Role: membership.Role}, nil
}

// AddUser lets a person into an organization: it makes the user when nobody has the e-mail address, gives them the
// role, and makes a token. It is an act of the operator and checks no access. It is an errs.NotFound when there is no
// such organization, and an errs.Conflict when it would take the role from the only admin.
func (s *Operator) AddUser(ctx context.Context, in NewMember) (Access, error) {
	var made Access
	err := s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		if !field.Storable(string(in.Organization)) {
			return noSuchOrganization(string(in.Organization))
		}
		organization, err := organizationNamed(ctx, q, string(in.Organization))
		if errors.Is(err, db.ErrNoRows) {
			return noSuchOrganization(string(in.Organization))
		}
		if err != nil {
			return err
		}
		user, _, err := s.accounts.EnsureUser(ctx, q, account.NewUser{DisplayName: nameOf(in.Name, in.Email),
			Email: in.Email, EmailVerified: true})
		if err != nil {
			return err
		}
		if user, err = s.vouchFor(ctx, q, organization, user); err != nil {
			return err
		}
		member, err := s.putMember(ctx, q, Member{Organization: organization.ID, User: user.ID, Role: in.Role,
			JoinedAt: s.clock()})
		if err != nil {
			return err
		}
		if err := markChosen(ctx, q, member); err != nil {
			return err
		}
		made = Access{Organization: organization, User: user, Role: member.Role}
		made.Secret, made.Token, err = s.accounts.CreateTokenIn(ctx, q, account.NewToken{User: user.ID,
			Name: "recto user add"})
		return err
	})
	if err != nil {
		return Access{}, err
	}
	return made, nil
}

// vouchFor has the operator vouch for a user who is added to an organization: what only other organizations vouch for
// ends. For a member whose address is proven nothing is new.
func (s *Operator) vouchFor(ctx context.Context, q db.Querier, organization Organization,
	user account.User) (account.User, error) {
	_, member, err := MemberIn(ctx, q, organization.ID, user.ID)
	if err != nil || member && !user.EmailVerifiedAt.IsZero() {
		return user, err
	}
	return s.accounts.Prove(ctx, q, user.ID, "")
}

func noSuchOrganization(name string) error {
	if id.Valid("org", name) {
		return errs.NotFoundf("There is no organization with the id %s.", name)
	}
	return errs.NotFoundf("There is no organization with the hostname %.40q; give its id or its hostname.", name)
}
