package site

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/field"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/publish/site/hostname"
	"github.com/rectodocs/recto/internal/publish/site/redirect"
)

// Location is what a percent-encoded path below a site's root names.
type Location struct {
	Space ServedSpace
	// Rest is what is left of the path in the space, percent-encoded.
	Rest string
	// Bare says that the path ends with the name of a section or variant, without the slash that its home has.
	Bare bool
	// Complete says that no section or variant could follow in the path.
	Complete bool
}

// Locate finds which space of a site a path is in: a section answers below its path, and in it a variant below its own.
// What is default takes no segment. Ok is false when the default that the path needs is not on the site; the location
// is then the first of what could have been meant.
func (s *Served) Locate(path string) (at Location, ok bool) {
	if len(s.Spaces) == 0 {
		return Location{Rest: path}, false
	}
	section, bare, named := id.Section(""), false, true
	if len(s.Sections) > 0 {
		var found ServedSection
		found, path, bare, named = leading(path, s.Sections, func(s ServedSection) (string, bool) {
			return s.Path, s.Default
		})
		if !named {
			i := slices.IndexFunc(s.Sections, func(s ServedSection) bool { return s.Default })
			if i < 0 {
				return Location{Space: s.Spaces[0], Rest: path}, false
			}
			found = s.Sections[i]
		}
		section = found.ID
	}
	variants := s.Variants(section)
	found, path, bareVariant, ok := leading(path, variants, func(s ServedSpace) (string, bool) {
		return s.Path, s.Default
	})
	if ok {
		return Location{Space: found, Rest: path, Bare: bareVariant, Complete: true}, true
	}
	complete := path != "" || len(variants) == 1 && (named || len(s.Sections) == 1)
	if i := slices.IndexFunc(variants, func(s ServedSpace) bool { return s.Default }); i >= 0 {
		return Location{Space: variants[i], Rest: path, Bare: bare, Complete: complete}, true
	}
	return Location{Space: variants[0], Rest: path, Bare: bare}, false
}

// leading finds what the first segment of a path names among things of which the default one has no segment, and
// returns what comes after it; bare is true when that is not even a slash.
func leading[T any](path string, things []T, describe func(T) (path string, isDefault bool)) (found T, after string,
	bare, ok bool) {
	first, after, slash := strings.Cut(path, "/")
	segment, err := url.PathUnescape(first)
	if err != nil || segment == "" {
		return found, path, false, false
	}
	for _, thing := range things {
		if name, isDefault := describe(thing); name == segment && !isDefault {
			return thing, after, !slash, true
		}
	}
	return found, path, false, false
}

// Located is a published site at an address.
type Located struct {
	Served
	// Root is the path of the site's root in the address, with a slash at its end.
	Root string
	// Rest is what is left of the address's path, percent-encoded.
	Rest string
	// Former says that the address is one that the site had before its basename or the hostname of its organization
	// changed: the live site leads from there to where it is.
	Former bool
}

// Member reports whether a site is one of an organization whose sites the caller may see in the application.
func (s *Service) Member(ctx context.Context, caller account.Caller, of Site) (bool, error) {
	organization, err := access.LoadOrganization(ctx, s.db.Read(), caller, of.Organization)
	if kind := errs.KindOf(err); err != nil && (kind == errs.Internal || kind == errs.Unavailable) {
		return false, err
	}
	return err == nil && organization.Require(access.ViewSites) == nil, nil
}

// Locate finds the published site that an address is on: below the server's own address, at a host of its organization
// or of its own, or behind a proxy; errs.NotFound for addresses of no site. For whom the site is there is for the
// caller to check, before anything of it is told.
func (s *Service) Locate(ctx context.Context, address string) (Located, error) {
	parsed, err := url.Parse(address)
	if err != nil || parsed.Host == "" || len(address) > field.MaxURL || !field.Storable(parsed.Path) {
		return Located{}, errs.Invalidf("url",
			"is not an address; one that starts with https:// or http:// is accepted")
	}
	rows, root, err := s.rowsAt(ctx, parsed)
	if err != nil {
		return Located{}, err
	}
	if len(rows) == 0 || !rows[0].site.published {
		return Located{}, noSite()
	}
	rest, _ := strings.CutPrefix(parsed.EscapedPath(), strings.TrimSuffix(root, "/"))
	served := s.serve(rows)
	if err := s.loadCustomization(ctx, &served); err != nil {
		return Located{}, err
	}
	return Located{Served: served, Root: root, Rest: strings.TrimPrefix(rest, "/"), Former: s.isFormer(parsed, served)},
		nil
}

// isFormer reports whether an address names a site by a basename or a hostname that are not its own any more.
func (s *Service) isFormer(at *url.URL, served Served) bool {
	hostname, basename, ok := s.names(at)
	return ok && (!strings.EqualFold(hostname, served.Hostname) || basename != served.Site.Basename)
}

// names returns the organization's hostname and the basename in an address; ok is false for one at a host of a site's
// own, or behind a proxy.
func (s *Service) names(at *url.URL) (hostname, basename string, ok bool) {
	below := strings.TrimPrefix(at.EscapedPath(), "/")
	hostname, ok = strings.CutSuffix(strings.ToLower(at.Hostname()), "."+s.sitesDomain)
	if s.sitesDomain == "" || !ok {
		base, err := url.Parse(s.baseURL)
		if err != nil || !strings.EqualFold(at.Host, base.Host) {
			return "", "", false
		}
		if below, ok = strings.CutPrefix(below, "sites/"); !ok {
			return "", "", false
		}
		hostname, below, _ = strings.Cut(below, "/")
	}
	first, _, _ := strings.Cut(below, "/")
	basename, err := url.PathUnescape(first)
	return hostname, basename, err == nil
}

// rowsAt reads the rows of the site at an address, and the path of its root there.
func (s *Service) rowsAt(ctx context.Context, at *url.URL) ([]resolveRow, string, error) {
	host := strings.ToLower(at.Hostname())
	q := s.db.Read()
	path := strings.TrimPrefix(at.EscapedPath(), "/")
	segments := strings.SplitN(path, "/", 4)
	base, err := url.Parse(s.baseURL)
	if err != nil {
		return nil, "", err
	}
	prefix, organization := "/", ""
	switch hostname, below := strings.CutSuffix(host, "."+s.sitesDomain); {
	case s.sitesDomain != "" && below:
		organization = hostname
	case strings.EqualFold(at.Host, base.Host) && segments[0] == "sites" && len(segments) >= 3:
		organization, prefix, segments = segments[1], "/sites/"+segments[1]+"/", segments[2:]
	}
	if organization != "" {
		basename, err := url.PathUnescape(segments[0])
		if err != nil || basename == "" {
			return nil, "", noSite()
		}
		rows, err := s.rowsByName(ctx, strings.ToLower(organization), basename)
		return rows, prefix + segments[0] + "/", err
	}
	if hostname.Valid(host) {
		rows, err := resolveRows(ctx, q, `site.custom_hostname = $1 AND site.hostname_proven`, host)
		if len(rows) > 0 || err != nil {
			return rows, "/", err
		}
	}
	for end := len(path); end > 0; end = strings.LastIndexByte(path[:end], '/') {
		proxy := host + "/" + path[:end]
		if !hostname.ValidProxy(proxy) {
			continue
		}
		rows, err := resolveRows(ctx, q, `site.id = (SELECT MIN(p.id) FROM site p WHERE p.proxy = $1 AND p.published)`,
			proxy)
		if len(rows) > 0 || err != nil {
			return rows, "/" + path[:end] + "/", err
		}
	}
	return nil, "", noSite()
}

// RedirectAt returns the address that a redirect of a site leads to from a path below its root, decoded; errs.NotFound
// when there is none.
func (s *Service) RedirectAt(ctx context.Context, located Located, path string) (redirect.Redirect, string, error) {
	found, captured, err := s.RedirectFor(ctx, located.Site.ID, "/"+path)
	if err != nil {
		return redirect.Redirect{}, "", err
	}
	l, err := loadLayout(ctx, s.db.Read(), located.Site.ID)
	if err != nil {
		return redirect.Redirect{}, "", err
	}
	target, err := s.target(ctx, located.Site, l, found, captured)
	return found, target, err
}

// WithoutAgents returns the basenames of the published public sites of an organization, by its hostname, that exclude
// AI agents, in order.
func (s *Service) WithoutAgents(ctx context.Context, hostname string) ([]string, error) {
	return db.All(ctx, s.db.Read(), "list sites without agents", db.Column[string], `
		SELECT site.basename FROM site JOIN organization o ON o.id = site.organization_id
		WHERE o.hostname = $1 AND site.published AND site.visibility = $2 AND site.agents_context = $3
		ORDER BY site.basename`, strings.ToLower(hostname), string(VisibilityPublic), string(AgentsExcluded))
}

// DefaultOf returns the published site that an organization shows first, by its hostname or one that it had before;
// errs.NotFound when it shows none. Whom the site's visibility lets in is for the caller to check.
func (s *Service) DefaultOf(ctx context.Context, hostname string) (Served, error) {
	if !field.Storable(hostname) {
		return Served{}, noSite()
	}
	rows, err := resolveRows(ctx, s.db.Read(), `site.id = (
		SELECT n.default_site_id FROM organization n WHERE n.hostname = $1 OR n.id = (
			SELECT f.organization_id FROM organization_former_hostname f WHERE f.hostname = $1)
		ORDER BY CASE WHEN n.hostname = $1 THEN 0 ELSE 1 END LIMIT 1)`, strings.ToLower(hostname))
	if err != nil {
		return Served{}, err
	}
	return s.open(ctx, rows)
}
