package api

import (
	"context"

	"github.com/rectodocs/recto/internal/org"
)

type noInput struct{}

// getUser answers who the token stands for.
func (a *API) getUser(ctx context.Context, _ *noInput) (*body[User], error) {
	return &body[User]{Body: a.wireUser(callerOf(ctx).User)}, nil
}

type listInput struct{ PageParams }

// listOrganizations lists the organizations of the caller.
func (a *API) listOrganizations(ctx context.Context, in *listInput) (*body[List[Organization]], error) {
	caller := callerOf(ctx)
	name := "orgs/" + caller.User.ID
	request, err := a.request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	items, count, next, err := a.Organizations.ListForUser(ctx, caller, request)
	if err != nil {
		return nil, err
	}
	list := listed(a, name, items, count, next, a.wireOrganization)
	organizations := make([]*Organization, len(list.Items))
	for i := range list.Items {
		organizations[i] = &list.Items[i]
	}
	if err := a.addOrganizationRules(ctx, organizations...); err != nil {
		return nil, err
	}
	return &body[List[Organization]]{Body: *list}, nil
}

type createOrganizationInput struct {
	Body struct {
		Title        string   `json:"title" minLength:"2" maxLength:"255" doc:"The name people see."`
		Hostname     string   `json:"hostname,omitempty" minLength:"3" maxLength:"32" doc:"Label under which sites are published; made from the title when absent."`
		EmailDomains []string `json:"emailDomains,omitempty" maxItems:"50"`
	}
}

// createOrganization makes an organization with the caller as its admin.
func (a *API) createOrganization(ctx context.Context, in *createOrganizationInput) (*created[Organization], error) {
	made, err := a.Organizations.Create(ctx, callerOf(ctx), org.NewOrganization{
		Title: in.Body.Title, Hostname: in.Body.Hostname, EmailDomains: in.Body.EmailDomains,
	})
	if err != nil {
		return nil, err
	}
	wire := a.wireOrganization(made)
	return &created[Organization]{Location: wire.URLs.Location, Body: wire}, nil
}

type organizationInput struct {
	Organization string `path:"organizationId"`
}

// getOrganization answers one organization of the caller.
func (a *API) getOrganization(ctx context.Context, in *organizationInput) (*body[Organization], error) {
	membership, err := a.Organizations.Get(ctx, callerOf(ctx), in.Organization)
	if err != nil {
		return nil, err
	}
	wire := a.wireOrganization(membership)
	if err := a.addOrganizationRules(ctx, &wire); err != nil {
		return nil, err
	}
	return &body[Organization]{Body: wire}, nil
}
