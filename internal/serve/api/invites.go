package api

import (
	"context"
	"fmt"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/org"
)

type inviteUsersInput struct {
	OrganizationPath
	Body struct {
		Emails []InvitedEmail `json:"emails" minItems:"1" maxItems:"100" doc:"Addresses, each alone or as an object with its role."`
		Role   Patch[string]  `json:"role,omitzero" required:"false" doc:"Role of those for whom none is named; that of the organization when absent, null for guests."`
		SSO    bool           `json:"sso,omitempty" doc:"Lets them sign in by single sign-on."`
	}
}

// InvitedUsers says what became of invited people.
type InvitedUsers struct {
	Users           []string      `json:"users" doc:"Empty: nobody becomes a member before they accept."`
	Invited         int           `json:"invited" doc:"Number of invites that were made; people who are members already get none."`
	FailedSSOEmails []string      `json:"failedSSOEmails,omitempty" doc:"Addresses of members who do not get single sign-on, because they belong to another organization."`
	Invites         []EmailInvite `json:"invites" doc:"The invites that were made, in the order of the addresses."`
}

// inviteUsers asks people into an organization.
func (a *API) inviteUsers(ctx context.Context, in *inviteUsersInput) (*body[InvitedUsers], error) {
	role, err := roleOf(in.Body.Role.Value, "role")
	if err != nil {
		return nil, err
	}
	invitation := org.Invitation{Role: role, SSO: in.Body.SSO}
	for i, each := range in.Body.Emails {
		own, err := roleOf(each.Role, fmt.Sprintf("emails[%d].role", i))
		if err != nil {
			return nil, err
		}
		invitation.People = append(invitation.People, org.InvitedPerson{Email: each.Email, Role: own})
	}
	invited, err := a.Organizations.Invite(ctx, callerOf(ctx), in.Organization, invitation)
	if err != nil {
		return nil, err
	}
	out := InvitedUsers{Users: []string{}, Invited: len(invited.Invites), FailedSSOEmails: invited.WithoutSSO,
		Invites: []EmailInvite{}}
	for _, each := range invited.Invites {
		out.Invites = append(out.Invites, a.wireInvite(each))
	}
	return &body[InvitedUsers]{Body: out}, nil
}

// InvitePath is the path of an operation on an invite or an invite link.
type InvitePath struct {
	OrganizationPath
	Invite string `path:"inviteId" maxLength:"100"`
}

// AcceptedInvite is the answer to accepting an invite; it says nothing more than that it was.
type AcceptedInvite struct{}

// acceptInvite lets the caller into an organization.
func (a *API) acceptInvite(ctx context.Context, in *InvitePath) (*body[AcceptedInvite], error) {
	if _, err := a.Organizations.AcceptInvite(ctx, callerOf(ctx), in.Organization, in.Invite); err != nil {
		return nil, err
	}
	return &body[AcceptedInvite]{}, nil
}

// joinByDomain lets the caller into an organization whose e-mail domain their address is on.
func (a *API) joinByDomain(ctx context.Context, in *OrganizationPath) (*nothing, error) {
	return done(a.Organizations.JoinByDomain(ctx, callerOf(ctx), in.Organization))
}

type listLinksInput struct {
	OrganizationPath
	PageParams
}

// listLinks lists the invite links of an organization.
func (a *API) listLinks(ctx context.Context, in *listLinksInput) (*body[List[InviteLink]], error) {
	name := "link-invites/" + in.Organization
	request, err := a.request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	links, err := a.Organizations.ListLinks(ctx, callerOf(ctx), in.Organization, request)
	if err != nil {
		return nil, err
	}
	wire, err := a.wireLinks(ctx, links.Items)
	if err != nil {
		return nil, err
	}
	return &body[List[InviteLink]]{Body: *listed(a, name, paging.WithItems(links, wire), same)}, nil
}

type createLinkInput struct {
	OrganizationPath
	Body struct {
		Role       Patch[string] `json:"role,omitzero" required:"false" doc:"Of a link to the organization; null lets guests in."`
		Level      Patch[string] `json:"level,omitzero" required:"false" doc:"Of a link to a space or collection."`
		Space      string        `json:"space,omitempty" maxLength:"100" doc:"Id of a space."`
		Collection string        `json:"collection,omitempty" maxLength:"100" doc:"Id of a collection."`
	}
}

// createLink makes an invite link.
func (a *API) createLink(ctx context.Context, in *createLinkInput) (*body[InviteLink], error) {
	const forms = "a link to the organization has a role, one to a space or collection a level"
	said, path, other, beside := in.Body.Role.Value, "role", in.Body.Level.Value, "level"
	target := org.Target{Space: in.Body.Space, Collection: in.Body.Collection}
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
	made, err := a.Organizations.CreateLink(ctx, callerOf(ctx), in.Organization,
		org.NewLink{Target: target, Role: role.Or(org.RoleGuest)})
	if err != nil {
		return nil, err
	}
	wire, err := a.oneLink(ctx, made)
	if err != nil {
		return nil, err
	}
	return &body[InviteLink]{Body: wire}, nil
}

// getLink answers one invite link.
func (a *API) getLink(ctx context.Context, in *InvitePath) (*body[InviteLink], error) {
	link, err := a.Organizations.Link(ctx, callerOf(ctx), in.Organization, in.Invite)
	if err != nil {
		return nil, err
	}
	wire, err := a.oneLink(ctx, link)
	if err != nil {
		return nil, err
	}
	return &body[InviteLink]{Body: wire}, nil
}

type updateLinkInput struct {
	InvitePath
	Body struct {
		Role  Patch[string] `json:"role,omitzero" required:"false" doc:"Of a link to the organization."`
		Level Patch[string] `json:"level,omitzero" required:"false" doc:"Of a link to a space or collection."`
	}
}

// updateLink changes what an invite link gives.
func (a *API) updateLink(ctx context.Context, in *updateLinkInput) (*body[InviteLink], error) {
	role, err := roleOf(in.Body.Role.Value, "role")
	if err != nil {
		return nil, err
	}
	level, err := roleOf(in.Body.Level.Value, "level")
	if err != nil {
		return nil, err
	}
	link, err := a.Organizations.UpdateLink(ctx, callerOf(ctx), in.Organization, in.Invite,
		org.LinkChange{Role: role, Level: level})
	if err != nil {
		return nil, err
	}
	wire, err := a.oneLink(ctx, link)
	if err != nil {
		return nil, err
	}
	return &body[InviteLink]{Body: wire}, nil
}

// deleteLink revokes an invite link.
func (a *API) deleteLink(ctx context.Context, in *InvitePath) (*nothing, error) {
	return done(a.Organizations.DeleteLink(ctx, callerOf(ctx), in.Organization, in.Invite))
}
