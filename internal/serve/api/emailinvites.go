package api

import (
	"context"

	"github.com/rectodocs/recto/internal/people/org"
)

// EmailInvite is an invite by e-mail that nobody has accepted.
type EmailInvite struct {
	Object string `json:"object" enum:"email-invite"`
	// ID is no secret.
	ID    string     `json:"id"`
	Email string     `json:"email"`
	Role  RoleOrNull `json:"role"`
	SSO   bool       `json:"sso"`
	// State is where the invite stands.
	State string `json:"state" enum:"pending,undelivered,declined,expired" doc:"undelivered: the mail server does not take the message."`
	// Delivery is how far the message has come.
	Delivery  string          `json:"delivery,omitempty" enum:"none,queued,sent,failing,failed" doc:"none: the server has no mail server, so no mail was sent. failing is tried again, failed is not."`
	CreatedAt string          `json:"createdAt" format:"date-time"`
	SentAt    string          `json:"sentAt" format:"date-time" doc:"When it was sent last."`
	ExpiresAt string          `json:"expiresAt" format:"date-time"`
	URLs      EmailInviteURLs `json:"urls"`
}

// EmailInviteURLs are the addresses of an invite by e-mail.
type EmailInviteURLs struct {
	Location string `json:"location" format:"uri"`
	// Accept is the link for the invited person.
	Accept string `json:"accept,omitempty" format:"uri" doc:"The link for the invited person, to hand over, when there is no mail server. It is shown once and holds a secret."`
}

func (a *API) wireInvite(in org.Invite) EmailInvite {
	wire := EmailInvite{
		Object: "email-invite", ID: in.ID, Email: in.Email, Role: RoleOrNull(in.Role), SSO: in.SSO,
		State:    string(in.State(a.Now())),
		Delivery: string(in.Delivery), CreatedAt: timestamp(in.CreatedAt), SentAt: timestamp(in.SentAt),
		ExpiresAt: timestamp(in.ExpiresAt),
		URLs:      EmailInviteURLs{Location: a.BaseURL + "/v1/orgs/" + in.Organization + "/invites/" + in.ID},
	}
	if in.Secret != "" {
		wire.URLs.Accept = org.InviteAddress(a.BaseURL, in.Organization, in.Secret)
	}
	return wire
}

type listInvitesInput struct {
	OrganizationPath
	PageParams
}

// listInvites lists the invites by e-mail of an organization.
func (a *API) listInvites(ctx context.Context, in *listInvitesInput) (*body[List[EmailInvite]], error) {
	name := "invites/" + in.Organization
	request, err := a.request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	invites, err := a.Organizations.ListInvites(ctx, callerOf(ctx), in.Organization, request)
	if err != nil {
		return nil, err
	}
	return &body[List[EmailInvite]]{Body: *listed(a, name, invites, a.wireInvite)}, nil
}

// getInvite answers one invite by e-mail.
func (a *API) getInvite(ctx context.Context, in *InvitePath) (*body[EmailInvite], error) {
	found, err := a.Organizations.FindInvite(ctx, callerOf(ctx), in.Organization, in.Invite)
	if err != nil {
		return nil, err
	}
	return &body[EmailInvite]{Body: a.wireInvite(found)}, nil
}

// resendInvite sends an invite by e-mail once more.
func (a *API) resendInvite(ctx context.Context, in *InvitePath) (*body[EmailInvite], error) {
	sent, err := a.Organizations.ResendInvite(ctx, callerOf(ctx), in.Organization, in.Invite)
	if err != nil {
		return nil, err
	}
	return &body[EmailInvite]{Body: a.wireInvite(sent)}, nil
}

// withdrawInvite takes an invite by e-mail back.
func (a *API) withdrawInvite(ctx context.Context, in *InvitePath) (*nothing, error) {
	return done(a.Organizations.WithdrawInvite(ctx, callerOf(ctx), in.Organization, in.Invite))
}

// declineInvite turns an invite by e-mail down.
func (a *API) declineInvite(ctx context.Context, in *InvitePath) (*nothing, error) {
	return done(a.Organizations.DeclineInvite(ctx, callerOf(ctx), in.Organization, in.Invite))
}

// OwnInvite is an invite that waits for the caller.
type OwnInvite struct {
	Object       string               `json:"object" enum:"own-invite"`
	ID           string               `json:"id"`
	Organization InvitingOrganization `json:"organization"`
	Role         RoleOrNull           `json:"role"`
	InvitedBy    string               `json:"invitedBy,omitempty" doc:"Name of the admin."`
	CreatedAt    string               `json:"createdAt" format:"date-time"`
	ExpiresAt    string               `json:"expiresAt" format:"date-time"`
}

// InvitingOrganization is what an invited person sees of an organization.
type InvitingOrganization struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	SSO   bool   `json:"sso" doc:"The organization opens to its single sign-on alone; accepting the invite accepts that."`
}

// listOwnInvites lists the invites that wait for the caller.
func (a *API) listOwnInvites(ctx context.Context, in *listInput) (*body[List[OwnInvite]], error) {
	caller := callerOf(ctx)
	name := "user/invites/" + caller.User.ID
	request, err := a.request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	invites, err := a.Organizations.InvitesFor(ctx, caller, request)
	if err != nil {
		return nil, err
	}
	return &body[List[OwnInvite]]{Body: *listed(a, name, invites, func(i org.WaitingInvite) OwnInvite {
		return OwnInvite{
			Object: "own-invite", ID: i.ID, Organization: InvitingOrganization{ID: i.Organization, Title: i.Title,
				SSO: i.EnforcesSSO},
			Role: RoleOrNull(i.Role), InvitedBy: i.InvitedBy, CreatedAt: timestamp(i.CreatedAt),
			ExpiresAt: timestamp(i.ExpiresAt),
		}
	})}, nil
}
