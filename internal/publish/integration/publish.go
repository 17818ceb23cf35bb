package integration

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/engine/script"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/audit"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Publication is the input of Publish.
type Publication struct {
	// Organization is the id or hostname of the publishing organization.
	Organization id.Organization
	// Runtime may be "": v1.
	Runtime Runtime
	// Icon and Previews are base64; "" and none for none.
	Icon     string
	Previews []string
	// Title has 2 to 30 characters, Description up to 100; Summary is up to 2048 characters of Markdown.
	Title, Description, Summary string
	// Visibility may be "": private. Target may be "": all.
	Visibility     Visibility
	Target         Target
	Scopes         []Scope
	Categories     []Category
	Blocks         []Block
	ContentSources []ContentSource
	ExternalLinks  []ExternalLink
	Configurations Configurations
	// Script is the program, up to 5 MB.
	Script string
	// Secrets replace those that are kept; nil leaves them.
	Secrets map[string]string
	Policy  Policy
}

// Bounds of what is published.
const (
	maxScript  = 5 << 20
	maxSummary = 2048
	maxBlocks  = 50
	maxUnfurls = 50
	maxUnfurl  = 512
	maxLinks   = 5
	maxSecrets = 20
	maxSecret  = 16 << 10
	// maxSmallIcon bounds the picture of a block or content source, maxInlinePic the address that holds it.
	maxSmallIcon = 64 << 10
	maxInlinePic = 96 << 10
	// maxVersions is how many versions of an integration are kept.
	maxVersions = 50
	// maxIntegrations is how many integrations an organization can publish.
	maxIntegrations = 500
)

// bannerCall is what a script calls that asks readers of sites about cookies. Nothing else tells it from one that waits
// for their answer: the scopes of both are the same. The script of a page is a text within that of the integration.
const bannerCall = "registerCookieBanner"

// prepared is a publication that was checked, with its files stored.
type prepared struct {
	Publication
	policy     string
	secrets    string // JSON, "" to leave those that are kept
	domains    []string
	scriptBlob string
	program    *script.Program
	images     []Image
}

// Publish makes an integration under a name, or a new version of the one that the organization has there. It is for
// admins of the organization; a name of another organization is an errs.Conflict.
func (s *Service) Publish(ctx context.Context, caller account.Caller, name string,
	in Publication) (Integration, error) {
	if err := checkName(name); err != nil {
		return Integration{}, err
	}
	organization, err := s.named(ctx, in.Organization)
	if err != nil {
		return Integration{}, err
	}
	// Before anything is stored, so that nobody stores what they may not.
	if _, err := access.RequireOrganization(ctx, s.deps.DB.Read(), caller, organization,
		access.AdministerOrganization); err != nil {
		return Integration{}, err
	}
	ready, err := s.prepare(ctx, in)
	if err != nil {
		return Integration{}, err
	}
	var published Integration
	err = s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		if _, err := access.RequireOrganization(ctx, q, caller, organization,
			access.AdministerOrganization); err != nil {
			return err
		}
		if err := s.store(ctx, q, caller, organization, name, ready); err != nil {
			return err
		}
		if published, err = byName(ctx, q, caller, name); err != nil {
			return err
		}
		return s.record(ctx, q, entry(caller, organization, "integration.publish", published, map[string]any{
			"version": published.Version, "visibility": string(published.Visibility),
		}))
	})
	if err == nil {
		s.hooks.Get().Compiled(ready.scriptBlob, published.Runtime, ready.program)
	}
	return published, err
}

// named returns the id of the organization with an id or hostname.
func (s *Service) named(ctx context.Context, organization id.Organization) (id.Organization, error) {
	if id.Valid("org", organization) {
		return organization, nil
	}
	found, err := s.deps.Organizations.ByHostname(ctx, string(organization))
	return found.ID, err
}

// record writes an entry of the audit log about an integration, and tells that it has changed.
func (s *Service) record(ctx context.Context, q db.Querier, e audit.Entry) error {
	if tell := s.hooks.Get().Changed; tell != nil {
		if err := tell(ctx, q, e.Target.ID); err != nil {
			return err
		}
	}
	return audit.Record(ctx, q, e)
}

// entry is the record of a change of an integration in the log of an organization.
func entry(caller account.Caller, organization id.Organization, action string, i Integration,
	details map[string]any) audit.Entry {
	return audit.Entry{
		Organization: organization, Actor: caller.User.ID, Token: caller.Token.ID, Action: action,
		Target: audit.Target{Kind: "integration", ID: i.Name, Title: i.Title}, Details: details,
	}
}

// store writes an integration as it was published.
func (s *Service) store(ctx context.Context, q db.Querier, caller account.Caller, organization id.Organization,
	name string, p prepared) error {
	now := s.clock()
	before, owner, found, err := keptName(ctx, q, name)
	switch {
	case err != nil:
		return err
	case found && owner != organization:
		return errs.Conflictf("The name %s belongs to another organization; choose another one.", name)
	case !found:
		count, err := countOwned(ctx, q, organization)
		if err != nil {
			return err
		}
		if count >= maxIntegrations {
			return errs.Conflictf("The organization has %d integrations, which is the most that one can have.", count)
		}
		before.ID, before.Name, before.CreatedAt = id.Integration(id.New("integration")), name, now
	}
	next := Integration{
		ID: before.ID, Name: before.Name, Version: before.Version + 1, Runtime: p.Runtime, Title: p.Title,
		Description: p.Description,
		Summary:     p.Summary, Visibility: p.Visibility, Target: p.Target, Scopes: p.Scopes, Categories: p.Categories,
		Blocks:         p.Blocks,
		ContentSources: p.ContentSources, Configurations: p.Configurations, ExternalLinks: p.ExternalLinks,
		Policy:    p.policy,
		CreatedAt: before.CreatedAt, UpdatedAt: now, sealedSecrets: before.sealedSecrets,
		asksConsent: strings.Contains(p.Script, bannerCall),
	}
	if p.secrets != "" {
		if next.sealedSecrets, err = s.deps.Secrets.Seal(p.secrets, secretsPurpose(next.ID)); err != nil {
			return fmt.Errorf("seal secrets of integration: %w", err)
		}
	}
	if err := put(ctx, q, organization, next, !found); err != nil {
		return err
	}
	if err := putLabels(ctx, q, next, p.domains); err != nil {
		return err
	}
	if err := putImages(ctx, q, next.ID, p.images); err != nil {
		return err
	}
	return addVersion(ctx, q, next, p.scriptBlob, int64(len(p.Script)), caller.User.ID)
}

// secretsPurpose is what the secrets of an integration are sealed for.
func secretsPurpose(integrationID id.Integration) string {
	return "integration.secrets/" + string(integrationID)
}

// Unpublish takes an integration away with all its versions, secrets and installations. Its name stays the
// organization's. It is for admins of the organization.
func (s *Service) Unpublish(ctx context.Context, caller account.Caller, name string) error {
	return s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		found, err := byName(ctx, q, caller, name)
		if err != nil {
			return err
		}
		if !found.Permissions.Admin {
			return errs.Forbiddenf(
				"Only admins of the organization that has published an integration can unpublish it.")
		}
		installed, err := organizationsOf(ctx, q, found.ID)
		if err != nil {
			return err
		}
		for _, organization := range installed {
			if err := s.record(ctx, q, entry(caller, organization, "integration.uninstall", found,
				map[string]any{"unpublished": true})); err != nil {
				return err
			}
		}
		if err := unpublish(ctx, q, found.ID, s.clock()); err != nil {
			return err
		}
		return s.record(ctx, q, entry(caller, found.Owner.ID, "integration.unpublish", found, nil))
	})
}

// compile refuses a script that does not parse, with the place where it does not. One is compiled at a time.
func (s *Service) compile(ctx context.Context, source string, runtime Runtime) (*script.Program, error) {
	select {
	case s.compiling <- struct{}{}:
		defer func() { <-s.compiling }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	program, err := script.Compile(source, script.Runtime(runtime))
	if err != nil && !errs.Is(err, errs.Invalid) {
		// Out of memory or time: the script is at fault, and nobody else.
		err = errs.Wrap(err, errs.Invalid, "script: cannot be compiled: %.300s.", err.Error())
	}
	return program, err
}

func checkName(name string) error {
	if len(name) > maxName || !namePattern.MatchString(name) || strings.Trim(name, ".") == "" {
		return errs.Invalidf("integrationName",
			"%.60q is no name; 1 to %d characters of a-z, A-Z, 0-9, hyphen, dot and underscore are, and not dots alone",
			name, maxName)
	}
	return nil
}

// nameKey is what names are compared by: two that differ in letter case alone are the same, so that nobody passes for
// another.
func nameKey(name string) string { return strings.ToLower(name) }

// prepare checks a publication and stores its files.
func (s *Service) prepare(ctx context.Context, in Publication) (prepared, error) {
	p := prepared{Publication: in}
	for _, check := range []func() error{p.checkTexts, p.checkLists, p.checkBlocks, p.checkSources, p.checkLinks,
		p.checkSecrets, p.checkScript} {
		if err := check(); err != nil {
			return p, err
		}
	}
	var err error
	if p.program, err = s.compile(ctx, in.Script, p.Runtime); err != nil {
		return p, err
	}
	if p.Configurations, err = in.Configurations.check(); err != nil {
		return p, err
	}
	if p.policy, err = in.Policy.normalize(); err != nil {
		return p, err
	}
	if err := s.inlineIcons(ctx, &p); err != nil {
		return p, err
	}
	pictures, err := s.decodeImages(ctx, in)
	if err != nil {
		return p, err
	}
	for _, each := range pictures {
		if each.Blob, _, err = s.deps.Content.PutFile(ctx, bytes.NewReader(each.data)); err != nil {
			return p, err
		}
		p.images = append(p.images, each.Image)
	}
	p.scriptBlob, _, err = s.deps.Content.PutFile(ctx, strings.NewReader(in.Script))
	return p, err
}
