package identity

import (
	"context"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/field"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/audit"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/db"
)

// maxProviders is how many providers an organization may have of each kind.
const maxProviders = 50

// Create adds a provider. Like all that changes providers it needs the role admin in the organization.
func (s *Service) Create(ctx context.Context, caller account.Caller, organizationID id.Organization,
	in NewProvider) (Provider, error) {
	now := s.clock()
	p := Provider{
		ID: id.Provider(id.New(string(in.Kind))), Organization: organizationID, Kind: in.Kind, Label: in.Label,
		SSOURL: in.SSOURL, EntityID: in.EntityID, Certificate: in.Certificate, Issuer: in.Issuer, ClientID: in.ClientID,
		DefaultTeam: in.DefaultTeam, CreatedAt: now, UpdatedAt: now,
	}
	err := s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		made := p
		if err := org.RequireRole(ctx, q, caller, organizationID, org.RoleAdmin); err != nil {
			return err
		}
		if err := made.check(now, true); err != nil {
			return err
		}
		if err := s.sealSecret(&made, in.ClientSecret); err != nil {
			return err
		}
		count, err := countProviders(ctx, q, organizationID, made.Kind)
		if err != nil {
			return err
		}
		if count >= maxProviders {
			return errs.Conflictf(
				"The organization has %d identity providers of this kind, which is the most; delete one first.", count)
		}
		if err := s.setDefaultRole(ctx, &made, in.DefaultRole); err != nil {
			return err
		}
		if err := s.complete(ctx, q, &made); err != nil {
			return err
		}
		if err := insertProvider(ctx, q, made); err != nil {
			return err
		}
		p = made
		return record(ctx, q, caller, p, "create", nil)
	})
	if err != nil {
		return Provider{}, err
	}
	return p, nil
}

// setDefaultRole gives a new provider the role that was asked for, or the organization's.
func (s *Service) setDefaultRole(ctx context.Context, p *Provider, role optional.Value[org.Role]) error {
	if role.IsSet() {
		p.DefaultRole = role.Or(org.RoleGuest)
		return nil
	}
	organization, err := s.deps.Organizations.ByID(ctx, p.Organization)
	p.DefaultRole = organization.DefaultRole
	return err
}

// Update changes what is set in a change.
func (s *Service) Update(ctx context.Context, caller account.Caller, organizationID id.Organization, kind Kind,
	providerID id.Provider, change Change) (Provider, error) {
	var p Provider
	err := s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		var err error
		if p, err = s.provider(ctx, q, caller, organizationID, kind, providerID); err != nil {
			return err
		}
		before := p
		changed := apply(&p, change)
		p.UpdatedAt = s.clock()
		if err := p.check(p.UpdatedAt, change.Certificate.IsSet()); err != nil {
			return err
		}
		if change.ClientSecret.IsSet() {
			changed = append(changed, "clientSecret")
			if err := s.sealSecret(&p, change.ClientSecret.Or("")); err != nil {
				return err
			}
		}
		if err := s.complete(ctx, q, &p); err != nil {
			return err
		}
		if before.status(p.UpdatedAt) == Active && p.Status != Active {
			if err := s.keepOne(ctx, q, organizationID, providerID); err != nil {
				return err
			}
		}
		if before.Issuer != p.Issuer || before.EntityID != p.EntityID {
			// Subjects of another issuer are other people.
			if err := deleteLinks(ctx, q, providerID); err != nil {
				return err
			}
		}
		if err := updateProvider(ctx, q, p); err != nil {
			return err
		}
		return record(ctx, q, caller, p, "update", changed)
	})
	if err != nil {
		return Provider{}, err
	}
	return p, nil
}

// apply writes a change into a provider and returns the names of its fields.
func apply(p *Provider, change Change) []string {
	var changed []string
	for _, each := range []struct {
		name string
		to   *string
		from optional.Value[string]
	}{
		{"label", &p.Label, change.Label},
		{"ssoURL", &p.SSOURL, change.SSOURL},
		{"entityID", &p.EntityID, change.EntityID},
		{"certificate", &p.Certificate, change.Certificate},
		{"issuer", &p.Issuer, change.Issuer},
		{"clientID", &p.ClientID, change.ClientID},
		{"defaultTeam", &p.DefaultTeam, change.DefaultTeam},
	} {
		if each.from.IsSet() {
			*each.to = each.from.Or("")
			changed = append(changed, each.name)
		}
	}
	if change.DefaultRole.IsSet() {
		p.DefaultRole = change.DefaultRole.Or(org.RoleGuest)
		changed = append(changed, "defaultRole")
	}
	return changed
}

// Get returns a provider.
func (s *Service) Get(ctx context.Context, caller account.Caller, organizationID id.Organization, kind Kind,
	providerID id.Provider) (Provider, error) {
	return s.provider(ctx, s.deps.DB.Read(), caller, organizationID, kind, providerID)
}

// List returns a page of the providers of a kind, the oldest first, with their number.
func (s *Service) List(ctx context.Context, caller account.Caller, organizationID id.Organization, kind Kind,
	page paging.Request) (providers paging.Page[Provider], err error) {
	q := s.deps.DB.Read()
	if err := org.RequireRole(ctx, q, caller, organizationID, org.RoleAdmin); err != nil {
		return paging.Page[Provider]{}, err
	}
	if providers.Count, err = countProviders(ctx, q, organizationID, kind); err != nil {
		return paging.Page[Provider]{}, err
	}
	if providers.Items, err = listProviders(ctx, q, organizationID, kind, page); err != nil {
		return paging.Page[Provider]{}, err
	}
	providers.Cut(page.Size(), func(p Provider) []string { return []string{string(p.ID)} })
	for i := range providers.Items {
		if err := s.complete(ctx, q, &providers.Items[i]); err != nil {
			return paging.Page[Provider]{}, err
		}
	}
	return providers, nil
}

// Delete removes a provider; nobody comes in through it any more. Accounts stay.
func (s *Service) Delete(ctx context.Context, caller account.Caller, organizationID id.Organization, kind Kind,
	providerID id.Provider) error {
	return s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		p, err := s.provider(ctx, q, caller, organizationID, kind, providerID)
		if err != nil {
			return err
		}
		if err := s.keepOne(ctx, q, organizationID, providerID); err != nil {
			return err
		}
		if err := deleteProvider(ctx, q, providerID); err != nil {
			return err
		}
		return record(ctx, q, caller, p, "delete", nil)
	})
}

// Logins returns the providers of an organization that people can sign in with now, for its members.
func (s *Service) Logins(ctx context.Context, caller account.Caller, organizationID id.Organization) ([]Login, error) {
	q := s.deps.DB.Read()
	if err := org.RequireRole(ctx, q, caller, organizationID, org.RoleGuest); err != nil {
		return nil, err
	}
	return s.logins(ctx, q, organizationID)
}

// LoginsOf returns what Logins does for the organization with a hostname, for the sign-in page; none when there is no
// such organization.
func (s *Service) LoginsOf(ctx context.Context, hostname string) ([]Login, error) {
	organization, err := s.deps.Organizations.ByHostname(ctx, strings.ToLower(hostname))
	if errs.Is(err, errs.NotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return s.logins(ctx, s.deps.DB.Read(), organization.ID)
}

// OnlyLogins returns the providers that people can sign in with when all belong to one organization. With several
// organizations on the server their sign-in page must not list them all: it asks for the name. several says which it
// is.
func (s *Service) OnlyLogins(ctx context.Context) (logins []Login, several bool, err error) {
	q := s.deps.DB.Read()
	organizations, err := withProviders(ctx, q, 2)
	if err != nil || len(organizations) != 1 {
		return nil, len(organizations) > 1, err
	}
	logins, err = s.logins(ctx, q, organizations[0])
	return logins, false, err
}

func (s *Service) logins(ctx context.Context, q db.Querier, organizationID id.Organization) ([]Login, error) {
	providers, err := allProviders(ctx, q, organizationID)
	if err != nil {
		return nil, err
	}
	logins, now := []Login{}, s.clock()
	for _, p := range providers {
		if p.status(now) == Active {
			logins = append(logins, Login{
				ID: p.ID, Label: p.Label, Organization: organizationID, StartURL: p.endpoints(s.deps.BaseURL).Start,
				Path: p.endpoints("").Start,
			})
		}
	}
	return logins, nil
}

// provider returns a provider to an admin of its organization.
func (s *Service) provider(ctx context.Context, q db.Querier, caller account.Caller, organizationID id.Organization,
	kind Kind, providerID id.Provider) (Provider, error) {
	if err := org.RequireRole(ctx, q, caller, organizationID, org.RoleAdmin); err != nil {
		return Provider{}, err
	}
	p, err := providerByID(ctx, q, kind, providerID)
	if err != nil {
		return Provider{}, err
	}
	if p.Organization != organizationID {
		return Provider{}, noProvider(kind)
	}
	return p, s.complete(ctx, q, &p)
}

// complete works out what is not kept, and refuses a default team that the organization does not have.
func (s *Service) complete(ctx context.Context, q db.Querier, p *Provider) error {
	p.Status, p.Service, p.HasSecret, p.Team = p.status(s.clock()), p.endpoints(s.deps.BaseURL), p.clientSecret != "",
		nil
	if p.DefaultTeam == "" {
		return nil
	}
	team, err := org.TeamIn(ctx, q, p.Organization, id.Team(p.DefaultTeam))
	if errs.Is(err, errs.NotFound) {
		return errs.Invalidf("defaultTeam", "%.60q is not the id of a team of the organization", p.DefaultTeam)
	}
	p.Team = &team
	return err
}

// sealSecret keeps a client secret, or forgets it when it is "".
func (s *Service) sealSecret(p *Provider, secret string) error {
	if len(secret) > maxSecret {
		return errs.Invalidf("clientSecret", "has more than %d characters", maxSecret)
	}
	if !field.Storable(secret) {
		return errs.Invalidf("clientSecret", "must be text in UTF-8 without NUL")
	}
	p.clientSecret = ""
	if secret == "" {
		return nil
	}
	var err error
	p.clientSecret, err = s.deps.Secrets.Seal(secret, "identity.client-secret/"+string(p.ID))
	return err
}

func record(ctx context.Context, q db.Querier, caller account.Caller, p Provider, verb string, changed []string) error {
	details := map[string]any{}
	if len(changed) > 0 {
		details["changed"] = changed
	}
	return audit.Record(ctx, q, audit.Entry{
		Organization: p.Organization, Actor: caller.User.ID, Token: caller.Token.ID,
		Action: string(p.Kind) + "-provider." + verb,
		Target: audit.Target{Kind: string(p.Kind) + "-provider", ID: string(p.ID), Title: p.Label}, Details: details,
	})
}
