// Package invite owns the ways into an organization that somebody of it opens for others: invites by e-mail and invite
// links, the tables org_invite, org_invite_team and org_invite_link.
//
// It promises that an invite makes nobody a member before its person accepts it, that its secret works for the address
// that it was sent to alone, that who invites does not learn which addresses have accounts, that a secret which was
// handed over proves nothing of an address, and that a link gives what its maker may give, to nobody less than they
// have. Who is let in at all is decided by Join of package org, which every way in goes through.
package invite

import (
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/audit"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/people/secrets"
	"github.com/rectodocs/recto/internal/platform/mail"
)

// inviteSecrets are the secrets of invites and invite links, with 160 random bits each. No id of an invite is one.
var inviteSecrets = secrets.Kind{Prefix: "invite_", Bytes: 20}

// State is where an invite by e-mail stands.
type State string

// The states of an invite that nobody has accepted.
const (
	// Pending waits for its person.
	Pending State = "pending"
	// Undelivered waits, too, but the mail server does not take its message.
	Undelivered State = "undelivered"
	// Declined was turned down by its person.
	Declined State = "declined"
	// Expired was not accepted in time.
	Expired State = "expired"
)

// NotMailed is the delivery of an invite on a server without a mail server. The others are those of package mail; an
// invite from before deliveries were noted has none.
const NotMailed mail.Delivery = "none"

// Invite is an invite by e-mail that nobody has accepted.
type Invite struct {
	// ID is "invite_…". It is no secret.
	ID           string
	Organization id.Organization
	Email        string
	// Role is what the person gets; a guest's for a place without one.
	Role org.Role
	// SSO says that the person is to sign in through the identity provider.
	SSO bool
	// CreatedBy is the id of the admin; "" when their account is gone.
	CreatedBy id.User
	CreatedAt time.Time
	// SentAt is when its secret was made.
	SentAt    time.Time
	ExpiresAt time.Time
	// DeclinedAt is zero for one that was not declined.
	DeclinedAt time.Time
	Delivery   mail.Delivery
	// Secret is that of an invite which was made or sent anew just now on a server without a mail server, for the admin
	// to hand over; "" otherwise.
	Secret string

	// handedOver says that the secret was given to an admin and therefore does not show whose the address is.
	handedOver bool
	mailID     string
}

// State returns where the invite stands at a time.
func (i Invite) State(now time.Time) State {
	switch {
	case !i.DeclinedAt.IsZero():
		return Declined
	case !now.Before(i.ExpiresAt):
		return Expired
	case i.Delivery == mail.Failing || i.Delivery == mail.Failed:
		return Undelivered
	}
	return Pending
}

// open reports whether the invite can be accepted.
func (i Invite) open(now time.Time) bool { return i.DeclinedAt.IsZero() && now.Before(i.ExpiresAt) }

func inviteTarget(in Invite) audit.Target {
	return audit.Target{Kind: "invite", ID: in.ID, Title: in.Email}
}

const (
	// inviteLife is how long an invite by e-mail waits to be accepted.
	inviteLife = 14 * 24 * time.Hour
	// inviteKept is how long one is listed after that.
	inviteKept = 30 * 24 * time.Hour
	// maxInvited is how many people one call invites.
	maxInvited = 100
)

// WaitingInvite is an invite as its person sees it.
type WaitingInvite struct {
	Invite
	// Title is that of the organization.
	Title string
	// EnforcesSSO says that the organization opens to its single sign-on alone, which accepting the invite accepts.
	EnforcesSSO bool
	// InvitedBy is the name of the admin; "" when their account is gone.
	InvitedBy string
}
