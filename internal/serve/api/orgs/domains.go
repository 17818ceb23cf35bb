package orgs

import (
	"context"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

type emailDomainInput struct {
	wire.OrganizationPath
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
func (h *Handlers) getEmailDomain(ctx context.Context, in *emailDomainInput) (*operation.Body[EmailDomain], error) {
	challenge, err := h.Organizations.Challenge(ctx, operation.Caller(ctx), in.Organization, in.EmailDomain)
	if err != nil {
		return nil, err
	}
	return &operation.Body[EmailDomain]{Body: EmailDomain{
		Object: "email-domain", Domain: challenge.Domain, Verified: challenge.Verified,
		Record: EmailDomainText{Type: "TXT", Name: challenge.Name, Value: challenge.Value},
	}}, nil
}

type byEmailDomainInput struct {
	EmailDomain string `path:"emailDomain" maxLength:"253"`
}

// OrganizationsOfDomain are organizations that people may join by their address.
type OrganizationsOfDomain struct {
	Organizations []wire.Organization `json:"organizations"`
}

// listByEmailDomain lists the organizations that the caller may join by their address.
func (h *Handlers) listByEmailDomain(ctx context.Context,
	in *byEmailDomainInput) (*operation.Body[OrganizationsOfDomain], error) {
	found, err := h.Organizations.ByEmailDomain(ctx, operation.Caller(ctx), in.EmailDomain)
	if err != nil {
		return nil, err
	}
	out := OrganizationsOfDomain{Organizations: make([]wire.Organization, 0, len(found))}
	for _, each := range found {
		out.Organizations = append(out.Organizations, h.Wire.Organization(each))
	}
	return &operation.Body[OrganizationsOfDomain]{Body: out}, nil
}

type subdomainInput struct {
	Subdomain string `path:"subdomain" maxLength:"63"`
}

// getSubdomain answers which organization of the caller has a label.
func (h *Handlers) getSubdomain(ctx context.Context, in *subdomainInput) (*operation.Body[Subdomain], error) {
	gone := errs.NotFoundf("No organization of yours has this subdomain.")
	organization, err := h.Organizations.ByHostname(ctx, in.Subdomain)
	if errs.Is(err, errs.NotFound) {
		return nil, gone
	}
	if err != nil {
		return nil, err
	}
	if _, err := h.Organizations.Role(ctx, operation.Caller(ctx), organization.ID); errs.Is(err, errs.NotFound) {
		return nil, gone
	} else if err != nil {
		return nil, err
	}
	return &operation.Body[Subdomain]{Body: Subdomain{
		Object: "subdomain", Subdomain: organization.Hostname, IsActive: true,
		Target: SubdomainTarget{Type: "organization", Organization: organization.ID},
	}}, nil
}
