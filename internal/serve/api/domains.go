package api

import (
	"context"

	"github.com/rectodocs/recto/internal/base/errs"
)

type emailDomainInput struct {
	OrganizationPath
	EmailDomain string `path:"emailDomain" maxLength:"253"`
}

// EmailDomain is a domain with the TXT record that proves whose it is.
type EmailDomain struct {
	Object   string          `json:"object" enum:"email-domain"`
	Domain   string          `json:"domain"`
	Verified bool            `json:"verified" doc:"Whether the organization has the domain, or can take it now."`
	Record   EmailDomainText `json:"record"`
}

// EmailDomainText is a record of the name service.
type EmailDomainText struct {
	Type  string `json:"type" enum:"TXT"`
	Name  string `json:"name"`
	Value string `json:"value"`
}

// getEmailDomain answers how a domain is proven.
func (a *API) getEmailDomain(ctx context.Context, in *emailDomainInput) (*body[EmailDomain], error) {
	challenge, err := a.Organizations.Challenge(ctx, callerOf(ctx), in.Organization, in.EmailDomain)
	if err != nil {
		return nil, err
	}
	return &body[EmailDomain]{Body: EmailDomain{
		Object: "email-domain", Domain: challenge.Domain, Verified: challenge.Verified,
		Record: EmailDomainText{Type: "TXT", Name: challenge.Name, Value: challenge.Value},
	}}, nil
}

type byEmailDomainInput struct {
	EmailDomain string `path:"emailDomain" maxLength:"253"`
}

// OrganizationsOfDomain are organizations that people may join by their address.
type OrganizationsOfDomain struct {
	Organizations []Organization `json:"organizations"`
}

// listByEmailDomain lists the organizations that the caller may join by their address.
func (a *API) listByEmailDomain(ctx context.Context, in *byEmailDomainInput) (*body[OrganizationsOfDomain], error) {
	found, err := a.Organizations.ByEmailDomain(ctx, callerOf(ctx), in.EmailDomain)
	if err != nil {
		return nil, err
	}
	out := OrganizationsOfDomain{Organizations: make([]Organization, 0, len(found))}
	for _, each := range found {
		out.Organizations = append(out.Organizations, a.wireOrganization(each))
	}
	return &body[OrganizationsOfDomain]{Body: out}, nil
}

type subdomainInput struct {
	Subdomain string `path:"subdomain" maxLength:"63"`
}

// getSubdomain answers which organization of the caller has a label.
func (a *API) getSubdomain(ctx context.Context, in *subdomainInput) (*body[Subdomain], error) {
	gone := errs.NotFoundf("No organization of yours has this subdomain.")
	organization, err := a.Organizations.ByHostname(ctx, in.Subdomain)
	if errs.Is(err, errs.NotFound) {
		return nil, gone
	}
	if err != nil {
		return nil, err
	}
	if _, err := a.Organizations.Role(ctx, callerOf(ctx), organization.ID); errs.Is(err, errs.NotFound) {
		return nil, gone
	} else if err != nil {
		return nil, err
	}
	return &body[Subdomain]{Body: Subdomain{
		Object: "subdomain", Subdomain: organization.Hostname, IsActive: true,
		Target: SubdomainTarget{Type: "organization", Organization: organization.ID},
	}}, nil
}
