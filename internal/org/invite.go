package org

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/rectodocs/recto/internal/account"
	"github.com/rectodocs/recto/internal/audit"
	"github.com/rectodocs/recto/internal/db"
	"github.com/rectodocs/recto/internal/errs"
	"github.com/rectodocs/recto/internal/field"
	"github.com/rectodocs/recto/internal/id"
	"github.com/rectodocs/recto/internal/optional"
)

const (
	// inviteLife is how long an invite by e-mail waits to be accepted.
	inviteLife = 14 * 24 * time.Hour
	// maxInvited is how many people one call invites.
	maxInvited = 100
	// secretBytes is how many random bytes the secret of an invite has: 160 bits.
	secretBytes = 20
)

// secretPrefix marks the secret of an invite or an invite link.
const secretPrefix = "invite_"

var secretEncoding = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

func newSecret() string {
	var random [secretBytes]byte
	_, _ = rand.Read(random[:]) // never fails, see crypto/rand
	return secretPrefix + secretEncoding.EncodeToString(random[:])
}

// hashSecret is what is stored of a secret; a plain hash is enough for one that cannot be guessed.
func hashSecret(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}

// wellFormed reports whether a text can be a secret, so that nonsense costs no database read.
func wellFormed(secret string) bool {
	rest, ok := strings.CutPrefix(secret, secretPrefix)
	return ok && len(rest) == secretEncoding.EncodedLen(secretBytes) && strings.Trim(rest, "abcdefghijklmnopqrstuvwxyz234567") == ""
}

// invite is an invite by e-mail that nobody has accepted yet.
type invite struct {
	id, organization, email string
	role                    Role
	sso                     bool
	createdBy               string
	createdAt, expiresAt    time.Time
}

// Invitation is the input of Invite.
type Invitation struct {
	People []InvitedPerson
	// Role is what people get for whom none is named; absent means the organization's default role.
	Role optional.Value[Role]
	// SSO makes them members who sign in through the identity provider.
	SSO bool
}

// InvitedPerson is somebody to invite.
type InvitedPerson struct {
	Email string
	// Role is what this person gets; absent means that of the invitation.
	Role optional.Value[Role]
}

// Invited is what Invite did.
type Invited struct {
	// Users are the ids of those who have an account here and became members at once.
	Users []string
	// Count is how many were added or were sent a message; people who are members already are not counted.
	Count int
	// WithoutSSO are the addresses of people who do not get to sign in through the identity provider although that was
	// asked for, because they belong to another organization too.
	WithoutSSO []string
}

// Invite asks people into an organization. Who has an account with a verified address becomes a member at once; everybody
// else gets a message with a secret, which works for two weeks or until another invite to the same address. It needs the
// role admin.
func (s *Service) Invite(ctx context.Context, caller account.Caller, organizationID string, in Invitation) (Invited, error) {
	if n := len(in.People); n == 0 || n > maxInvited {
		return Invited{}, errs.Invalidf("emails", "has %d addresses; from 1 to %d are accepted", n, maxInvited)
	}
	var done Invited
	err := s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		done = Invited{Users: []string{}}
		if err := requireRole(ctx, q, caller, organizationID, RoleAdmin); err != nil {
			return err
		}
		organization, err := find(ctx, q, organizationID)
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
			for _, said := range []optional.Value[Role]{in.Role, person.Role} {
				if said.IsSet() {
					role = said.Or(RoleGuest)
				}
			}
			if role.Rank() < 0 {
				_, err := ParseRole("role", string(role))
				return err
			}
			result, err := s.inviteOne(ctx, q, caller, organization, invite{email: email, role: role, sso: in.SSO || organization.SSO}, nil)
			if err != nil {
				return err
			}
			done.add(email, result)
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
	user       account.User // the zero User when nobody has the address
	added      bool         // they became a member
	sent       bool         // they were sent an invite
	withoutSSO bool
}

func (i *Invited) add(email string, one invitedOne) {
	if one.added {
		i.Users = append(i.Users, one.user.ID)
	}
	if one.added || one.sent {
		i.Count++
	}
	if one.withoutSSO {
		i.WithoutSSO = append(i.WithoutSSO, email)
	}
}

// inviteOne invites one person to the organization and teams of it.
func (s *Service) inviteOne(ctx context.Context, q db.Querier, caller account.Caller, organization Organization, in invite, teams []TeamPlace) (invitedOne, error) {
	user, err := s.accounts.UserByEmailIn(ctx, q, in.email)
	known := err == nil && !user.EmailVerifiedAt.IsZero()
	if err != nil && !errs.Is(err, errs.NotFound) {
		return invitedOne{}, err
	}
	if !known && err == nil {
		// An account whose address nobody has shown to be its own: the one who is meant gets the message. A member is one all
		// the same.
		_, err := memberOf(ctx, q, organization.ID, user.ID)
		if known = err == nil; err != nil && !errors.Is(err, db.ErrNoRows) {
			return invitedOne{}, err
		}
	}
	if !known {
		return invitedOne{sent: true}, s.sendInvite(ctx, q, caller, organization, in, teams)
	}
	member, joined, err := s.Join(ctx, q, JoinRequest{
		Organization: organization.ID, User: user.ID, Way: ByInvite, Role: optional.Of(in.role), Teams: teams, Actor: caller,
	})
	if err != nil {
		return invitedOne{}, err
	}
	one := invitedOne{user: user, added: joined}
	if in.sso && !member.SSO {
		if one.withoutSSO, err = s.markSSO(ctx, q, caller, member, user); err != nil {
			return invitedOne{}, err
		}
	}
	if joined {
		err = s.send(ctx, q, user.Email, addedMessage(organization, caller.User, s.baseURL))
	}
	return one, err
}

// markSSO lets a member sign in through the identity provider, unless they belong to another organization: the provider
// could open that one, too. refused says so.
func (s *Service) markSSO(ctx context.Context, q db.Querier, actor account.Caller, member Member, user account.User) (refused bool, err error) {
	elsewhere, err := belongsElsewhere(ctx, q, member)
	if err != nil || elsewhere {
		return elsewhere, err
	}
	member.SSO = true
	if err := updateMember(ctx, q, member); err != nil {
		return false, err
	}
	return false, s.record(ctx, q, actor, member.Organization, "member.sso", userTarget(user), nil)
}

// sendInvite keeps an invite and sends its secret, in place of one that the address had before. The teams of both count.
func (s *Service) sendInvite(ctx context.Context, q db.Querier, caller account.Caller, organization Organization, in invite, teams []TeamPlace) error {
	key := account.EmailKey(in.email)
	earlier, err := inviteTeamsOf(ctx, q, organization.ID, key)
	if err != nil {
		return err
	}
	if err := deleteInvitesOf(ctx, q, organization.ID, key); err != nil {
		return err
	}
	in.id, in.organization, in.createdBy = id.New("invite"), organization.ID, caller.User.ID
	in.createdAt = s.clock()
	in.expiresAt = in.createdAt.Add(inviteLife)
	secret := newSecret()
	if err := insertInvite(ctx, q, in, hashSecret(secret)); err != nil {
		return err
	}
	for _, place := range append(earlier, teams...) {
		if err := putInviteTeam(ctx, q, in.id, place); err != nil {
			return err
		}
	}
	err = s.record(ctx, q, caller, organization.ID, "invite.create", audit.Target{Kind: "invite", ID: in.id, Title: in.email}, map[string]any{"role": roleWord(in.role)})
	if err != nil {
		return err
	}
	return s.send(ctx, q, in.email, inviteMessage(organization, caller.User, s.baseURL, secret))
}

// AcceptInvite lets the caller into an organization by the secret of an invite or of an invite link. An invite by e-mail is
// for the address that it was sent to: whoever has it and that address has shown that mail to the address reaches them. For somebody
// who came in by another organization's word alone that is the proof (see account.Service.Prove), and their session goes on as a proven one;
// a token of such a session is refused, since it may be anybody's.
func (s *Service) AcceptInvite(ctx context.Context, caller account.Caller, organizationID, secret string) error {
	unknown := errs.NotFoundf("There is no such invite to this organization, or it is over. Ask for a new one.")
	if !wellFormed(secret) || !id.Valid("org", organizationID) {
		return unknown
	}
	hash := hashSecret(secret)
	return s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		found, err := inviteBySecret(ctx, q, hash)
		switch {
		case errors.Is(err, db.ErrNoRows):
			link, err := linkBySecret(ctx, q, organizationID, hash)
			if errors.Is(err, db.ErrNoRows) {
				return unknown
			}
			if err != nil {
				return err
			}
			return s.followLink(ctx, q, caller, link)
		case err != nil:
			return err
		case found.organization != organizationID || !s.now().Before(found.expiresAt):
			return unknown
		case account.EmailKey(found.email) != account.EmailKey(caller.User.Email):
			return errs.Forbiddenf("The invite is for another address than yours. Sign in with the account of that address, or ask for an invite to yours.")
		}
		proven, err := s.proveByMail(ctx, q, caller)
		if err != nil {
			return err
		}
		return s.accept(ctx, q, proven, found)
	})
}

// proveByMail returns the caller as one whose address is proven, because they have what was mailed there.
func (s *Service) proveByMail(ctx context.Context, q db.Querier, caller account.Caller) (account.Caller, error) {
	if caller.HasProvenEmail() {
		return caller, nil
	}
	if caller.Session.ID == "" {
		if err := account.RequireProven(caller); err != nil {
			return account.Caller{}, err
		}
	}
	user, err := s.accounts.Prove(ctx, q, caller.User.ID, caller.Session.ID)
	caller.User, caller.Token.VouchedBy, caller.Session.VouchedBy = user, "", ""
	return caller, err
}

// SignedIn accepts all invites that wait for the address of somebody who has just signed in. Only a verified address
// counts.
func (s *Service) SignedIn(ctx context.Context, q db.Querier, user account.User) error {
	if user.EmailVerifiedAt.IsZero() {
		return nil
	}
	waiting, err := invitesOf(ctx, q, account.EmailKey(user.Email), s.now())
	if err != nil {
		return err
	}
	for _, each := range waiting {
		if err := s.accept(ctx, q, account.Caller{User: user}, each); err != nil {
			return err
		}
	}
	return nil
}

// accept lets in whom an invite is for. Its teams are read before Join takes the invite away.
func (s *Service) accept(ctx context.Context, q db.Querier, caller account.Caller, in invite) error {
	teams, err := inviteTeamsOf(ctx, q, in.organization, account.EmailKey(in.email))
	if err != nil {
		return err
	}
	member, _, err := s.Join(ctx, q, JoinRequest{
		Organization: in.organization, User: caller.User.ID, Way: ByInvite, Role: optional.Of(in.role), Teams: teams, Actor: caller,
	})
	if err != nil {
		return err
	}
	if in.sso && !member.SSO {
		if _, err := s.markSSO(ctx, q, caller, member, caller.User); err != nil {
			return err
		}
	}
	return deleteInvitesOf(ctx, q, in.organization, account.EmailKey(in.email))
}

// JoinByDomain lets the caller into an organization whose e-mail domain their own address is on.
func (s *Service) JoinByDomain(ctx context.Context, caller account.Caller, organizationID string) error {
	return s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		_, _, err := s.Join(ctx, q, JoinRequest{Organization: organizationID, User: caller.User.ID, Way: ByDomain, Actor: caller})
		return err
	})
}

// PurgeInvites deletes invites that are over, and returns how many it was.
func (s *Service) PurgeInvites(ctx context.Context) (count int64, err error) {
	err = s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		count, err = deleteExpiredInvites(ctx, q, s.now())
		return err
	})
	return count, err
}

// wellNamed checks a user's id or address; exactly one of both comes back.
func wellNamed(path, name string) (userID, email string, err error) {
	if strings.Contains(name, "@") {
		email, err = account.CheckEmail(path, name)
		return "", email, err
	}
	if !id.Valid("user", name) || !field.Storable(name) {
		return "", "", errs.Invalidf(path, "%.80q is no id of a member of the organization", name)
	}
	return name, "", nil
}
