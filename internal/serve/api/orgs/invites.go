package orgs

import (
	"context"
	"fmt"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/invite"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

type inviteUsersInput struct {
	wire.OrganizationPath
	Body struct {
		Emails []InvitedEmail     `json:"emails" minItems:"1" maxItems:"100" doc:"Addresses, each alone or as an object with its role."`
		Role   wire.Patch[string] `json:"role,omitzero" required:"false" doc:"Role of those for whom none is named; that of the organization when absent, null for guests."`
		SSO    bool               `json:"sso,omitempty" doc:"Lets them sign in by single sign-on."`
	}
}

// InvitedUsers says what became of invited people.
type InvitedUsers struct {
	Users           []id.User     `json:"users" doc:"Empty: nobody becomes a member before they accept."`
	Invited         int           `json:"invited" doc:"Number of invites that were made; people who are members already get none."`
	FailedSSOEmails []string      `json:"failedSSOEmails,omitempty" doc:"Addresses of members who do not get single sign-on, because they belong to another organization."`
	Invites         []EmailInvite `json:"invites" doc:"The invites that were made, in the order of the addresses."`
}

// inviteUsers asks people into an organization.
func (h *Handlers) inviteUsers(ctx context.Context, in *inviteUsersInput) (*operation.Body[InvitedUsers], error) {
	role, err := roleOf(in.Body.Role.Value, "role")
	if err != nil {
		return nil, err
	}
	invitation := invite.Invitation{Role: role, SSO: in.Body.SSO}
	for i, each := range in.Body.Emails {
		own, err := roleOf(each.Role, fmt.Sprintf("emails[%d].role", i))
		if err != nil {
			return nil, err
		}
		invitation.People = append(invitation.People, invite.InvitedPerson{Email: each.Email, Role: own})
	}
	invited, err := h.Invites.Send(ctx, operation.Caller(ctx), in.Organization, invitation)
	if err != nil {
		return nil, err
	}
	out := InvitedUsers{Users: []id.User{}, Invited: len(invited.Invites), FailedSSOEmails: invited.WithoutSSO,
		Invites: []EmailInvite{}}
	for _, each := range invited.Invites {
		out.Invites = append(out.Invites, h.wireInvite(each))
	}
	return &operation.Body[InvitedUsers]{Body: out}, nil
}

// InvitePath is the path of an operation on an invite or an invite link.
type InvitePath struct {
	wire.OrganizationPath
	Invite string `path:"inviteId" maxLength:"100"`
}

// AcceptedInvite is the answer to accepting an invite; it says nothing more than that it was.
type AcceptedInvite struct{}

// acceptInvite lets the caller into an organization.
func (h *Handlers) acceptInvite(ctx context.Context, in *InvitePath) (*operation.Body[AcceptedInvite], error) {
	if _, err := h.Invites.Accept(ctx, operation.Caller(ctx), in.Organization, in.Invite); err != nil {
		return nil, err
	}
	return &operation.Body[AcceptedInvite]{}, nil
}

// joinByDomain lets the caller into an organization whose e-mail domain their address is on.
func (h *Handlers) joinByDomain(ctx context.Context, in *wire.OrganizationPath) (*operation.Nothing, error) {
	return operation.Done(h.Organizations.JoinByDomain(ctx, operation.Caller(ctx), in.Organization))
}

type listLinksInput struct {
	wire.OrganizationPath
	wire.PageParams
}

// listLinks lists the invite links of an organization.
func (h *Handlers) listLinks(ctx context.Context, in *listLinksInput) (*operation.Body[wire.List[InviteLink]], error) {
	name := "link-invites/" + string(in.Organization)
	request, err := h.Lists.Request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	links, err := h.Invites.ListLinks(ctx, operation.Caller(ctx), in.Organization, request)
	if err != nil {
		return nil, err
	}
	answer, err := h.wireLinks(ctx, links.Items)
	if err != nil {
		return nil, err
	}
	return &operation.Body[wire.List[InviteLink]]{Body: *wire.Listed(h.Lists, name, paging.WithItems(links, answer),
		same)}, nil
}

type createLinkInput struct {
	wire.OrganizationPath
	Body struct {
		Role       wire.Patch[string] `json:"role,omitzero" required:"false" doc:"Of a link to the organization; null lets guests in."`
		Level      wire.Patch[string] `json:"level,omitzero" required:"false" doc:"Of a link to a space or collection."`
		Space      id.Space           `json:"space,omitempty" maxLength:"100" doc:"Id of a space."`
		Collection id.Collection      `json:"collection,omitempty" maxLength:"100" doc:"Id of a collection."`
	}
}

// createLink makes an invite link.
func (h *Handlers) createLink(ctx context.Context, in *createLinkInput) (*operation.Body[InviteLink], error) {
	const forms = "a link to the organization has a role, one to a space or collection a level"
	said, path, other, beside := in.Body.Role.Value, "role", in.Body.Level.Value, "level"
	target := invite.Target{Space: in.Body.Space, Collection: in.Body.Collection}
	if !target.IsZero() {
		said, path, other, beside = other, beside, said, path
	}
	if !said.IsSet() {
		return nil, errs.Invalidf(path, "is missing; "+forms)
	}
	if other.IsSet() {
		return nil, errs.Invalidf(beside, "is not of such a link; "+forms)
	}
	role, err := roleOf(said, path)
	if err != nil {
		return nil, err
	}
	created, err := h.Invites.CreateLink(ctx, operation.Caller(ctx), in.Organization,
		invite.NewLink{Target: target, Role: role.Or(org.RoleGuest)})
	if err != nil {
		return nil, err
	}
	wire, err := h.oneLink(ctx, created)
	if err != nil {
		return nil, err
	}
	return &operation.Body[InviteLink]{Body: wire}, nil
}

// getLink answers one invite link.
func (h *Handlers) getLink(ctx context.Context, in *InvitePath) (*operation.Body[InviteLink], error) {
	link, err := h.Invites.Link(ctx, operation.Caller(ctx), in.Organization, in.Invite)
	if err != nil {
		return nil, err
	}
	wire, err := h.oneLink(ctx, link)
	if err != nil {
		return nil, err
	}
	return &operation.Body[InviteLink]{Body: wire}, nil
}

type updateLinkInput struct {
	InvitePath
	Body struct {
		Role  wire.Patch[string] `json:"role,omitzero" required:"false" doc:"Of a link to the organization."`
		Level wire.Patch[string] `json:"level,omitzero" required:"false" doc:"Of a link to a space or collection."`
	}
}

// updateLink changes what an invite link gives.
func (h *Handlers) updateLink(ctx context.Context, in *updateLinkInput) (*operation.Body[InviteLink], error) {
	role, err := roleOf(in.Body.Role.Value, "role")
	if err != nil {
		return nil, err
	}
	level, err := roleOf(in.Body.Level.Value, "level")
	if err != nil {
		return nil, err
	}
	link, err := h.Invites.UpdateLink(ctx, operation.Caller(ctx), in.Organization, in.Invite,
		invite.LinkChange{Role: role, Level: level})
	if err != nil {
		return nil, err
	}
	wire, err := h.oneLink(ctx, link)
	if err != nil {
		return nil, err
	}
	return &operation.Body[InviteLink]{Body: wire}, nil
}

// deleteLink revokes an invite link.
func (h *Handlers) deleteLink(ctx context.Context, in *InvitePath) (*operation.Nothing, error) {
	return operation.Done(h.Invites.DeleteLink(ctx, operation.Caller(ctx), in.Organization, in.Invite))
}
