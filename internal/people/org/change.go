package org

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/field"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/org/logo"
	"github.com/rectodocs/recto/internal/people/org/names"
	"github.com/rectodocs/recto/internal/platform/blob"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Change is what an admin changes of an organization; absent fields stay as they are.
type Change struct {
	Title optional.Value[string]
	// EmailDomains takes the place of all there are; each new one has to be proven (see Challenge).
	EmailDomains optional.Value[[]string]
	Hostname     optional.Value[string]
	// DefaultRole is null for a guest's place.
	DefaultRole optional.Value[Role]
	// DefaultSite is the id of a site of the organization, or null for none.
	DefaultSite optional.Value[id.Site]
	// Logo is the address of a picture, which is fetched and kept; null takes it away.
	Logo          optional.Value[string]
	SSO, AI       optional.Value[bool]
	InviteLinks   optional.Value[bool]
	fetched       Logo
	provenDomains []string
}

// Update changes an organization and returns it as it is then. It needs the role admin. A hostname that another
// organization has is an errs.Conflict; a domain that is not proven, and a picture that cannot be fetched or is none,
// are errs.Invalid.
func (s *Service) Update(ctx context.Context, caller account.Caller, organizationID id.Organization,
	change Change) (Membership, error) {
	// What leaves the process comes before the transaction, and not before the caller was let in.
	before, err := s.Get(ctx, caller, organizationID)
	if err != nil {
		return Membership{}, err
	}
	if err := before.Role.Require(RoleAdmin); err != nil {
		return Membership{}, err
	}
	if err := change.checkNulls(); err != nil {
		return Membership{}, err
	}
	if domains, ok := change.EmailDomains.Get(); ok {
		if change.provenDomains, err = s.prove(ctx, caller, before.Organization, domains); err != nil {
			return Membership{}, err
		}
	}
	if address, ok := change.Logo.Get(); ok {
		hash, kind, err := logo.Take(ctx, s.deps.Fetch, s.deps.Blobs, address)
		if err != nil {
			return Membership{}, err
		}
		change.fetched = Logo{Blob: hash, Name: "logo." + kind}
	}
	var after Membership
	err = s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		var err error
		after, err = s.update(ctx, q, caller, organizationID, change)
		return err
	})
	if err != nil {
		return Membership{}, err
	}
	return after, nil
}

func (s *Service) update(ctx context.Context, q db.Querier, caller account.Caller, organizationID id.Organization,
	change Change) (Membership, error) {
	membership, err := MembershipIn(ctx, q, caller, organizationID)
	if err != nil {
		return Membership{}, err
	}
	if err := membership.Role.Require(RoleAdmin); err != nil {
		return Membership{}, err
	}
	before := membership.Organization
	after, err := change.apply(before)
	if err != nil {
		return Membership{}, err
	}
	if after.DefaultSite != before.DefaultSite && after.DefaultSite != "" {
		found := false
		if id.Valid("site", after.DefaultSite) {
			if found, err = s.hooks.Get().SiteIn(ctx, q, organizationID, after.DefaultSite); err != nil {
				return Membership{}, err
			}
		}
		if !found {
			return Membership{}, errs.Invalidf("defaultContent.site", "%.40q is no site of this organization",
				after.DefaultSite)
		}
	}
	if after.SSO && !before.SSO {
		if err := s.hooks.Get().MayEnforceSSO(ctx, q, caller, organizationID); err != nil {
			return Membership{}, err
		}
	}
	differences := differences(before, after)
	if len(differences) == 0 {
		return membership, nil
	}
	after.UpdatedAt = s.clock()
	if after.Hostname != before.Hostname {
		taken, err := formerTaken(ctx, q, after.Hostname, after.ID)
		if err == nil && taken {
			err = errs.Conflictf("The hostname %s belongs to another organization; choose another one.", after.Hostname)
		}
		if err != nil {
			return Membership{}, err
		}
		if err := keepHostname(ctx, q, before, after); err != nil {
			return Membership{}, err
		}
	}
	if err := updateOrganization(ctx, q, after); db.IsUnique(err) {
		return Membership{}, errs.Conflictf("The hostname %s belongs to another organization; choose another one.",
			after.Hostname)
	} else if err != nil {
		return Membership{}, err
	}
	if !slices.Equal(before.EmailDomains, after.EmailDomains) {
		if err := replaceEmailDomains(ctx, q, after.ID, after.EmailDomains); err != nil {
			return Membership{}, err
		}
	}
	if after.SSO && !before.SSO {
		if err := s.AcceptSSOIn(ctx, q, caller, organizationID); err != nil {
			return Membership{}, err
		}
	}
	membership.Organization = after
	return membership, s.record(ctx, q, caller, after.ID, "organization.update", organizationTarget(after), differences)
}

// checkNulls refuses null where there always is a value.
func (c Change) checkNulls() error {
	for _, each := range []struct {
		path string
		null bool
	}{
		{"title", c.Title.IsNull()}, {"emailDomains", c.EmailDomains.IsNull()}, {"hostname", c.Hostname.IsNull()},
		{"sso", c.SSO.IsNull()}, {"ai", c.AI.IsNull()}, {"inviteLinks", c.InviteLinks.IsNull()},
	} {
		if each.null {
			return errs.Invalidf(each.path, "may not be null; leave it out to keep it as it is")
		}
	}
	return nil
}

// apply returns the organization with the change made.
func (c Change) apply(o Organization) (Organization, error) {
	var err error
	if c.Title.IsSet() {
		if o.Title, err = field.Text("title", c.Title.Or(""), minTitle, maxTitle); err != nil {
			return o, err
		}
	}
	// The hostname an organization has stays valid for it, also when the rules for new ones have changed since.
	if hostname := c.Hostname.Or(""); c.Hostname.IsSet() && hostname != o.Hostname {
		if err := names.CheckHostname("hostname", hostname); err != nil {
			return o, err
		}
		o.Hostname = hostname
	}
	if c.EmailDomains.IsSet() {
		o.EmailDomains = c.provenDomains
	}
	if c.DefaultRole.IsSet() {
		o.DefaultRole = c.DefaultRole.Or(RoleGuest)
		if o.DefaultRole.Rank() < 0 {
			_, err := ParseRole("defaultRole", string(o.DefaultRole))
			return o, err
		}
	}
	if c.DefaultSite.IsSet() {
		o.DefaultSite = c.DefaultSite.Or("")
	}
	if c.Logo.IsSet() {
		o.Logo = c.fetched
	}
	o.SSO, o.AI, o.InviteLinks = c.SSO.Or(o.SSO), c.AI.Or(o.AI), c.InviteLinks.Or(o.InviteLinks)
	return o, nil
}

// differences says what changed, for the audit log.
func differences(before, after Organization) map[string]any {
	changed := map[string]any{}
	add := func(name string, from, to any, differ bool) {
		if differ {
			changed[name] = map[string]any{"from": from, "to": to}
		}
	}
	add("title", before.Title, after.Title, before.Title != after.Title)
	add("hostname", before.Hostname, after.Hostname, before.Hostname != after.Hostname)
	add("emailDomains", before.EmailDomains, after.EmailDomains, !slices.Equal(before.EmailDomains, after.EmailDomains))
	add("defaultRole", before.DefaultRole.ForLog(), after.DefaultRole.ForLog(),
		before.DefaultRole != after.DefaultRole)
	add("defaultSite", before.DefaultSite, after.DefaultSite, before.DefaultSite != after.DefaultSite)
	add("logo", before.Logo.Blob, after.Logo.Blob, before.Logo != after.Logo)
	add("sso", before.SSO, after.SSO, before.SSO != after.SSO)
	add("ai", before.AI, after.AI, before.AI != after.AI)
	add("inviteLinks", before.InviteLinks, after.InviteLinks, before.InviteLinks != after.InviteLinks)
	return changed
}

// ByEmailDomain returns the organizations that people with an address on a domain may join by themselves, with the
// caller's place in those where they have one; Role is a guest's and JoinedAt zero in the others. It is for those whose
// own verified address is on the domain. Admins of an organization that has proven the domain get theirs; for everybody
// else it is an errs.NotFound.
func (s *Service) ByEmailDomain(ctx context.Context, caller account.Caller, domain string) ([]Membership, error) {
	checked, err := names.CheckEmailDomains("emailDomain", []string{domain})
	if err != nil {
		return nil, err
	}
	found, err := organizationsOfDomain(ctx, s.db.Read(), checked[0], caller.User.ID)
	if err != nil || ownDomain(caller, checked[0]) {
		return found, err
	}
	found = slices.DeleteFunc(found, func(m Membership) bool {
		return m.JoinedAt.IsZero() || m.Role != RoleAdmin || !caller.Reaches(m.Organization.ID)
	})
	if len(found) == 0 {
		return nil, errs.NotFoundf(
			"Your own address is not on the domain %s, nor are you an admin of an organization that has proven it.",
			checked[0])
	}
	return found, nil
}

// BlobInUse reports whether the bytes with a hash are an organization's logo.
func BlobInUse(ctx context.Context, q db.Querier, hash string) (bool, error) {
	var used bool
	err := q.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM organization WHERE logo_blob = $1 AND logo_blob <> '')`,
		hash).Scan(&used)
	if err != nil {
		return false, fmt.Errorf("look for a logo: %w", err)
	}
	return used, nil
}

// OpenLogo returns the bytes of an organization's logo and its file name, whoever asks; the caller closes it. The hash
// has to be the one of the logo that the organization has now: errs.NotFound otherwise.
func (s *Service) OpenLogo(ctx context.Context, organizationID id.Organization,
	hash string) (io.ReadSeekCloser, string, error) {
	gone := errs.NotFoundf("There is no such logo.")
	if !id.Valid("org", organizationID) || hash == "" {
		return nil, "", gone
	}
	o, err := find(ctx, s.db.Read(), organizationID)
	if err != nil || o.Logo.Blob != hash {
		return nil, "", gone
	}
	file, _, err := s.deps.Blobs.Open(ctx, hash)
	if errors.Is(err, blob.ErrNotFound) {
		return nil, "", gone
	}
	return file, o.Logo.Name, err
}
