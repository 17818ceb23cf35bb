package integration

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/rectodocs/recto/internal/base/id"
)

// SiteScript is a script that an integration puts on the pages of a site.
type SiteScript struct {
	// Integration is the name of the integration.
	Integration string
	// Script is its address. It answers 404 until integrations are run.
	Script string
	// Policy is the Content-Security-Policy that the script needs, "" for none.
	Policy string
	// Cookies says that the script may set cookies, so visitors have to agree first.
	Cookies bool
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

// SiteScripts returns the scripts of the integrations that work on a site and may put scripts on its pages, by the name
// of the integration. It checks no access: it is for showing the site.
func (s *Service) SiteScripts(ctx context.Context, organizationID id.Organization,
	siteID id.Site) ([]SiteScript, error) {
	roots, err := rootsOnSite(ctx, s.deps.DB.Read(), organizationID, siteID)
	if err != nil {
		return nil, err
	}
	scripts := make([]SiteScript, 0, len(roots))
	for _, each := range roots {
		status, err := s.siteStatus(each)
		if err != nil {
			return nil, fmt.Errorf("read installation %s: %w", each.root.id, err)
		}
		if status != Active || !slices.Contains(each.scopes, ScopeScript) {
			continue
		}
		scripts = append(scripts, SiteScript{
			Integration: each.root.integration,
			Script: s.InstallationEndpointURL(each.root.integration, each.root.id) + "/sites/" + string(siteID) +
				"/script.js?version=" +
				strconv.FormatInt(each.version, 10),
			Policy: each.policy, Cookies: slices.Contains(each.scopes, ScopeCookies),
		})
	}
	return scripts, nil
}
