package integration

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/platform/db"
)

// SiteScript is a script that an integration puts on the pages of a site.
type SiteScript struct {
	// Integration is the name of the integration.
	Integration string
	// Script is its address. It changes with the version of the integration and with what is configured.
	Script string
	// Policy is the Content-Security-Policy that the script needs, "" for none.
	Policy string
	// Cookies says that the script may set cookies, so visitors have to agree first.
	Cookies bool
	// Asks says that the script is what asks visitors whether they agree.
	Asks bool
}

// EndpointURL is the address at which an integration answers requests from outside.
func (s *Service) EndpointURL(name string) string {
	return s.deps.BaseURL + "/integrations/" + url.PathEscape(name)
}

// InstallationEndpointURL is the address at which an integration answers for one installation.
func (s *Service) InstallationEndpointURL(name, installationID string) string {
	return s.EndpointURL(name) + "/installations/" + installationID
}

// ContentURL is where an integration answers with the content of blocks, given one of its endpoint URLs: the same path
// on the host that the operator has set aside for that.
func (s *Service) ContentURL(endpoint string) string {
	return s.deps.ContentBaseURL + strings.TrimPrefix(endpoint, s.deps.BaseURL)
}

// onSite is an installation that takes a site in, or spaces of it alone.
type onSite struct {
	root   root
	below  row
	policy string
	asks   bool
	scopes []Scope
	// spacesAlone says that it does not take the site in.
	spacesAlone bool
}

// Which installations n, with rows c on a site, have to do with the site.
const (
	takesSiteIn  = `(n.site_selection = 'all' OR c.id IS NOT NULL)`
	takesSpaceIn = `(i.target IN ('all', 'space') AND (n.space_selection = 'all'
		AND EXISTS (SELECT 1 FROM site_space p WHERE p.site_id = $1)
		OR EXISTS (SELECT 1 FROM integration_installation d JOIN site_space p ON p.space_id = d.space_id
			WHERE d.parent_id = n.id AND p.site_id = $1)))`
)

// installedOnSite returns the installations that take a site in and whose manifests have a scope, by the name of the
// integration. installationID leaves one alone, "" leaves all. With shown, it returns those as well that have the scope
// of the views of pages, and take the site in or spaces of it. It is one read by an index: pages wait for it.
func installedOnSite(ctx context.Context, q db.Querier, siteID id.Site, installationID string, scope Scope,
	shown bool) ([]onSite, error) {
	args := db.Args{siteID, string(scope)}
	condition := has("$2") + ` AND ` + takesSiteIn
	if shown {
		condition = `(` + condition + ` OR ` + has(args.Add(string(ScopeViews))) + ` AND (` + takesSiteIn + ` OR ` +
			takesSpaceIn + `))`
	}
	if installationID != "" {
		condition += ` AND n.id = ` + args.Add(installationID)
	}
	return db.All(ctx, q, "list integrations of site", func(row db.Scanner) (onSite, error) {
		var one onSite
		var scopes, configurations string
		r := &one.root
		err := row.Scan(&r.id, &r.organization, &r.sealed, &r.integrationID, &r.integration, &r.version, &r.owner,
			&r.visibility, &r.target, &configurations, &one.policy, &one.asks, &scopes, orEmpty(&one.below.id),
			orEmpty(&one.below.sealed), &one.spacesAlone)
		if err != nil {
			return onSite{}, err
		}
		if err := json.Unmarshal([]byte(scopes), &one.scopes); err != nil {
			return onSite{}, fmt.Errorf("decode scopes of %s: %w", r.integrationID, err)
		}
		if err := json.Unmarshal([]byte(configurations), &r.configurations); err != nil {
			return onSite{}, fmt.Errorf("decode configurations of %s: %w", r.integrationID, err)
		}
		return one, nil
	}, `
		SELECT n.id, n.organization_id, n.configuration, i.id, i.name, i.version, i.organization_id, i.visibility,
			i.target, i.configurations, i.policy, i.asks_consent, i.scopes, c.id, c.configuration,
			NOT `+takesSiteIn+`
		FROM integration_installation n JOIN integration i ON i.id = n.integration_id
			LEFT JOIN integration_installation c ON c.parent_id = n.id AND c.site_id = $1
		WHERE n.organization_id = (SELECT t.organization_id FROM site t WHERE t.id = $1) AND n.parent_id IS NULL
			AND i.published AND (i.visibility <> 'private' OR i.organization_id = n.organization_id)
			AND `+condition+`
		ORDER BY i.name_key`, args...)
}

// has is the condition that the manifest of integration i has a scope, which a parameter names.
func has(parameter string) string {
	return `EXISTS (SELECT 1 FROM integration_label l WHERE l.integration_id = i.id AND l.kind = 'scope'
		AND l.value = ` + parameter + `)`
}

// state identifies what a script on a site depends on: the version of the integration and what is configured, which is
// sealed anew with each change.
func (o onSite) state() string {
	sum := sha256.Sum256([]byte(o.root.sealed + " " + o.below.sealed))
	return hex.EncodeToString(sum[:6])
}

// works reports whether an installation works on the site that it was found for. It is kept: to open what is configured
// takes longer than to read it.
func (s *Service) works(found onSite) (bool, error) {
	key := fmt.Sprintf("%s %d %s %s", found.root.id, found.root.version, found.root.visibility, found.state())
	if kept, ok := s.statuses.Get(key); ok {
		return kept == Active, nil
	}
	values, err := s.values(found.below)
	if err != nil {
		return false, err
	}
	status, err := s.contentStatus(found.root, OnSites, values)
	if err != nil {
		return false, fmt.Errorf("read installation %s: %w", found.root.id, err)
	}
	s.statuses.Set(key, status)
	return status == Active, nil
}

// SiteScripts returns the scripts of the integrations that work on a site and may put scripts on its pages, by the name
// of the integration, and whether any integration on the site or on one of its spaces is told of the views of pages. It
// checks no access: it is for showing the site.
func (s *Service) SiteScripts(ctx context.Context, siteID id.Site) (scripts []SiteScript, watched bool, err error) {
	found, err := installedOnSite(ctx, s.deps.DB.Read(), siteID, "", ScopeScript, true)
	if err != nil {
		return nil, false, err
	}
	for _, each := range found {
		if each.spacesAlone {
			// Whether it works there is looked at when it is told.
			watched = true
			continue
		}
		works, err := s.works(each)
		if err != nil {
			return nil, false, err
		}
		if !works {
			continue
		}
		watched = watched || slices.Contains(each.scopes, ScopeViews)
		if !slices.Contains(each.scopes, ScopeScript) {
			continue
		}
		scripts = append(scripts, SiteScript{
			Integration: each.root.integration,
			Script: fmt.Sprintf("%s/sites/%s/script.js?version=%d.%s",
				s.InstallationEndpointURL(each.root.integration, each.root.id), siteID, each.root.version,
				each.state()),
			Policy: each.policy, Cookies: slices.Contains(each.scopes, ScopeCookies), Asks: each.asks,
		})
	}
	return scripts, watched, nil
}

// ScriptState identifies what the script of an installation on a site depends on. It is an errs.NotFound when there is
// no such script: the integration does not work there or may put none on pages.
func (s *Service) ScriptState(ctx context.Context, name, installationID string, siteID id.Site) (string, error) {
	found, err := installedOnSite(ctx, s.deps.DB.Read(), siteID, installationID, ScopeScript, false)
	if err != nil {
		return "", err
	}
	for _, each := range found {
		if !strings.EqualFold(each.root.integration, name) || !slices.Contains(each.scopes, ScopeScript) {
			continue
		}
		works, err := s.works(each)
		if err != nil {
			return "", err
		}
		if works {
			return fmt.Sprintf("%d %s", each.root.version, each.state()), nil
		}
	}
	return "", noInstallation()
}

// Backend is an integration that works on a site and may let visitors in.
type Backend struct {
	Integration id.Integration
	Name        string
	// Installation is that of the organization.
	Installation string
}

// Backends returns the integrations that work on a site and may let visitors in, by their names.
func (s *Service) Backends(ctx context.Context, siteID id.Site) ([]Backend, error) {
	found, err := installedOnSite(ctx, s.deps.DB.Read(), siteID, "", ScopeVisitors, false)
	if err != nil {
		return nil, err
	}
	var list []Backend
	for _, each := range found {
		works, err := s.works(each)
		if err != nil {
			return nil, err
		}
		if works {
			list = append(list, Backend{each.root.integrationID, each.root.integration, each.root.id})
		}
	}
	return list, nil
}
