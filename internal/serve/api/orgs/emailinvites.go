package orgs

import (
	"context"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/invite"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// EmailInvite is an invite by e-mail that nobody has accepted.
type EmailInvite struct {
	Object string `json:"object" enum:"email-invite"`
	// ID is no secret.
	ID    string          `json:"id"`
	Email string          `json:"email"`
	Role  wire.RoleOrNull `json:"role"`
	SSO   bool            `json:"sso"`
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

func (h *Handlers) wireInvite(in invite.Invite) EmailInvite {
	answer := EmailInvite{
		Object: "email-invite", ID: in.ID, Email: in.Email, Role: wire.RoleOrNull(in.Role), SSO: in.SSO,
		State:    string(in.State(h.Now())),
		Delivery: string(in.Delivery), CreatedAt: wire.Timestamp(in.CreatedAt), SentAt: wire.Timestamp(in.SentAt),
		ExpiresAt: wire.Timestamp(in.ExpiresAt),
		URLs: EmailInviteURLs{
			Location: h.Wire.BaseURL + "/v1/orgs/" + string(in.Organization) + "/invites/" + in.ID,
		},
	}
	if in.Secret != "" {
		answer.URLs.Accept = invite.Address(h.Wire.BaseURL, in.Organization, in.Secret)
	}
	return answer
}

type listInvitesInput struct {
	wire.OrganizationPath
	wire.PageParams
}

// listInvites lists the invites by e-mail of an organization.
func (h *Handlers) listInvites(ctx context.Context,
	in *listInvitesInput) (*operation.Body[wire.List[EmailInvite]], error) {
	name := "invites/" + string(in.Organization)
	request, err := h.Lists.Request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	invites, err := h.Invites.List(ctx, operation.Caller(ctx), in.Organization, request)
	if err != nil {
		return nil, err
	}
	return &operation.Body[wire.List[EmailInvite]]{Body: *wire.Listed(h.Lists, name, invites, h.wireInvite)}, nil
}

// getInvite answers one invite by e-mail.
func (h *Handlers) getInvite(ctx context.Context, in *InvitePath) (*operation.Body[EmailInvite], error) {
	found, err := h.Invites.Get(ctx, operation.Caller(ctx), in.Organization, in.Invite)
	if err != nil {
		return nil, err
	}
	return &operation.Body[EmailInvite]{Body: h.wireInvite(found)}, nil
}

// resendInvite sends an invite by e-mail once more.
func (h *Handlers) resendInvite(ctx context.Context, in *InvitePath) (*operation.Body[EmailInvite], error) {
	sent, err := h.Invites.Resend(ctx, operation.Caller(ctx), in.Organization, in.Invite)
	if err != nil {
		return nil, err
	}
	return &operation.Body[EmailInvite]{Body: h.wireInvite(sent)}, nil
}

// withdrawInvite takes an invite by e-mail back.
func (h *Handlers) withdrawInvite(ctx context.Context, in *InvitePath) (*operation.Nothing, error) {
	return operation.Done(h.Invites.Withdraw(ctx, operation.Caller(ctx), in.Organization, in.Invite))
}

// declineInvite turns an invite by e-mail down.
func (h *Handlers) declineInvite(ctx context.Context, in *InvitePath) (*operation.Nothing, error) {
	return operation.Done(h.Invites.Decline(ctx, operation.Caller(ctx), in.Organization, in.Invite))
}

// OwnInvite is an invite that waits for the caller.
type OwnInvite struct {
	Object       string               `json:"object" enum:"own-invite"`
	ID           string               `json:"id"`
	Organization InvitingOrganization `json:"organization"`
	Role         wire.RoleOrNull      `json:"role"`
	InvitedBy    string               `json:"invitedBy,omitempty" doc:"Name of the admin."`
	CreatedAt    string               `json:"createdAt" format:"date-time"`
	ExpiresAt    string               `json:"expiresAt" format:"date-time"`
}

// InvitingOrganization is what an invited person sees of an organization.
type InvitingOrganization struct {
	ID    id.Organization `json:"id"`
	Title string          `json:"title"`
	SSO   bool            `json:"sso" doc:"The organization opens to its single sign-on alone; accepting the invite accepts that."`
}

// listOwnInvites lists the invites that wait for the caller.
func (h *Handlers) listOwnInvites(ctx context.Context,
	in *wire.ListInput) (*operation.Body[wire.List[OwnInvite]], error) {
	caller := operation.Caller(ctx)
	name := "user/invites/" + string(caller.User.ID)
	request, err := h.Lists.Request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	invites, err := h.Invites.Waiting(ctx, caller, request)
	if err != nil {
		return nil, err
	}
	return &operation.Body[wire.List[OwnInvite]]{Body: *wire.Listed(h.Lists, name, invites,
		func(i invite.WaitingInvite) OwnInvite {
			return OwnInvite{
				Object: "own-invite", ID: i.ID, Organization: InvitingOrganization{ID: i.Organization, Title: i.Title,
					SSO: i.EnforcesSSO},
				Role: wire.RoleOrNull(i.Role), InvitedBy: i.InvitedBy, CreatedAt: wire.Timestamp(i.CreatedAt),
				ExpiresAt: wire.Timestamp(i.ExpiresAt),
			}
		})}, nil
}
