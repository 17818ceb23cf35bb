package invite

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/invite/letter"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/people/secrets"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/mail"
)

// Invitation is the input of Send.
type Invitation struct {
	People []InvitedPerson
	// Role is what people get for whom none is named; absent means the organization's default role.
	Role optional.Value[org.Role]
	// SSO makes them members who sign in through the identity provider.
	SSO bool
}

// InvitedPerson is somebody to invite.
type InvitedPerson struct {
	Email string
	// Role is what this person gets; absent means that of the invitation.
	Role optional.Value[org.Role]
}

// Invited is what Send did. It is the same whether an address has an account or not.
type Invited struct {
	// Invites are those that were made, in the order of the addresses; people who are members already get none.
	Invites []Invite
	// WithoutSSO are the addresses of members who do not get to sign in through the identity provider although that was
	// asked for, because they belong to another organization too.
	WithoutSSO []string
}

// Send asks people into an organization. Nobody becomes a member by that: each address gets a message with a secret,
// which works for two weeks or until another invite to the same address, and its person accepts or declines. On a
// server without a mail server the secrets are in the answer instead. It needs the role admin.
func (s *Service) Send(ctx context.Context, caller account.Caller, organizationID id.Organization,
	in Invitation) (Invited, error) {
	if n := len(in.People); n == 0 || n > maxInvited {
		return Invited{}, errs.Invalidf("emails", "has %d addresses; from 1 to %d are accepted", n, maxInvited)
	}
	var done Invited
	err := s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		done = Invited{Invites: []Invite{}}
		if err := org.RequireRole(ctx, q, caller, organizationID, org.RoleAdmin); err != nil {
			return err
		}
		organization, err := org.OrganizationIn(ctx, q, organizationID)
		if err != nil {
			return err
		}
		seen := map[string]bool{}
		for i, person := range in.People {
			email, err := account.CheckEmail(fmt.Sprintf("emails[%d]", i), person.Email)
			if err != nil {
				return err
			}
			if key := account.EmailKey(email); seen[key] {
				continue
			} else {
				seen[key] = true
			}
			role := organization.DefaultRole
			for _, said := range []optional.Value[org.Role]{in.Role, person.Role} {
				if said.IsSet() {
					role = said.Or(org.RoleGuest)
				}
			}
			if role.Rank() < 0 {
				_, err := org.ParseRole("role", string(role))
				return err
			}
			result, err := s.inviteOne(ctx, q, caller, organization, Invite{Email: email, Role: role, SSO: in.SSO ||
				organization.SSO}, nil)
			if err != nil {
				return err
			}
			if result.made != nil {
				done.Invites = append(done.Invites, *result.made)
			}
			if result.withoutSSO {
				done.WithoutSSO = append(done.WithoutSSO, email)
			}
		}
		return nil
	})
	if err != nil {
		return Invited{}, err
	}
	return done, nil
}

// invitedOne is what became of one invited person.
type invitedOne struct {
	// made is the invite; nil for somebody who is a member already.
	made       *Invite
	withoutSSO bool
}

// inviteOne invites one person to the organization and teams of it. It asks whether the address is a member's and
// nothing else, so that neither the answer nor the time tells whether it has an account.
func (s *Service) inviteOne(ctx context.Context, q db.Querier, caller account.Caller, organization org.Organization,
	in Invite, teams []org.TeamPlace) (invitedOne, error) {
	member, found, err := org.MemberByEmailIn(ctx, q, organization.ID, in.Email)
	if err != nil {
		return invitedOne{}, err
	}
	if !found {
		made, err := s.sendInvite(ctx, q, caller, organization, in, teams)
		return invitedOne{made: &made}, err
	}
	var one invitedOne
	for _, place := range teams {
		if err := s.deps.Organizations.EnterTeam(ctx, q, caller, member.Member, member.Account, place); err != nil {
			return invitedOne{}, err
		}
	}
	if in.SSO && !member.SSO {
		one.withoutSSO, err = s.deps.Organizations.MarkSSO(ctx, q, caller, member.Member, member.Account)
	}
	return one, err
}

// ToTeam invites an address that no member has to an organization, as its settings say, and to a team of it. It runs in
// the transaction of whoever changes the team, who has checked access.
func (s *Service) ToTeam(ctx context.Context, q db.Querier, caller account.Caller, organization org.Organization,
	teamID id.Team, email string) error {
	in := Invite{Email: email, Role: organization.DefaultRole, SSO: organization.SSO}
	_, err := s.inviteOne(ctx, q, caller, organization, in, []org.TeamPlace{{Team: teamID, Role: org.TeamMember}})
	return err
}

// sendInvite keeps an invite and sends its secret, in place of one that the address had before. The teams of both
// count.
func (s *Service) sendInvite(ctx context.Context, q db.Querier, caller account.Caller, organization org.Organization,
	in Invite, teams []org.TeamPlace) (Invite, error) {
	in.Organization, in.CreatedBy, in.CreatedAt = organization.ID, caller.User.ID, s.clock()
	before, err := inviteTo(ctx, q, organization.ID, account.EmailKey(in.Email))
	switch {
	case errors.Is(err, db.ErrNoRows):
		in.ID = id.New("invite")
	case err != nil:
		return Invite{}, err
	default:
		in.ID = before.ID
		if teams != nil && before.open(s.deps.Now()) {
			// It is about the teams; what an admin has decided for the person stays.
			in.Role, in.SSO = before.Role, before.SSO
		}
	}
	secret, err := s.post(ctx, q, caller, organization, &in)
	if err != nil {
		return Invite{}, err
	}
	if err := putInvite(ctx, q, in, secrets.Hash(secret)); err != nil {
		return Invite{}, err
	}
	for _, place := range teams {
		if err := putInviteTeam(ctx, q, in.ID, place); err != nil {
			return Invite{}, err
		}
	}
	return in, record(ctx, q, caller, organization.ID, "invite.create", inviteTarget(in),
		map[string]any{"role": in.Role.ForLog()})
}

// post makes a new secret for an invite and sends it to its person, or without a mail server gives it to whoever asks.
func (s *Service) post(ctx context.Context, q db.Querier, caller account.Caller, organization org.Organization,
	in *Invite) (secret string, err error) {
	secret = inviteSecrets.New()
	in.SentAt = s.clock()
	in.ExpiresAt, in.DeclinedAt = in.SentAt.Add(inviteLife), time.Time{}
	if in.handedOver = s.deps.Mail == nil; in.handedOver {
		in.Delivery, in.mailID, in.Secret = NotMailed, "", secret
		return secret, nil
	}
	in.Delivery, in.Secret = mail.Queued, ""
	message := inviteMessage(organization, caller.User, s.deps.BaseURL, secret)
	message.To = in.Email
	in.mailID, err = s.deps.Mail(ctx, q, message)
	return secret, err
}

// Address is where a browser accepts an invite or an invite link with a secret.
func Address(baseURL string, organizationID id.Organization, secret string) string {
	return baseURL + "/invites/" + string(organizationID) + "/" + secret
}

func inviteMessage(o org.Organization, by account.User, baseURL, secret string) mail.Message {
	return letter.Letter{
		Subject: "Join " + o.Title + " on Recto",
		Lines: []string{by.DisplayName + " has invited you to " + o.Title +
			", where its documentation is written and read."},
		Button:  "Accept the invitation",
		Address: Address(baseURL, o.ID, secret),
		Last: "The link is for you alone and works for 14 days. If you did not expect it, leave it be: nothing " +
			"happens unless you accept.",
	}.Message()
}
