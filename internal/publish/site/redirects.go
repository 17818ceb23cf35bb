package site

import (
	"context"
	"net/url"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/field"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/audit"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/publish/site/redirect"
)

// maxRedirects is how many redirects a site may have.
const maxRedirects = 5000

// ListRedirects returns a page of a site's redirects, drafts or those that work, with the number of all under the same
// filter and the keys of the next page (nil on the last). search is a part of the source; orderBy is createdAt,
// updatedAt or source.
func (s *Service) ListRedirects(ctx context.Context, caller account.Caller, organizationID id.Organization,
	siteID id.Site, filter redirect.Filter, page paging.Request) (paging.Page[redirect.Redirect], error) {
	q := s.db.Read()
	organization, err := loadOrganization(ctx, q, caller, organizationID, access.ViewSites)
	if err != nil {
		return paging.Page[redirect.Redirect]{}, err
	}
	if _, err := s.load(ctx, q, organization, siteID); err != nil {
		return paging.Page[redirect.Redirect]{}, err
	}
	rows, count, err := redirect.List(ctx, q, siteID, filter, page)
	if err != nil {
		return paging.Page[redirect.Redirect]{}, err
	}
	list := paging.Page[redirect.Redirect]{Items: rows, Count: count}
	list.Cut(page.Size(), filter.Keys)
	return list, nil
}

// CreateRedirect adds a redirect. It needs the role create in the organization. A source that another one of the site
// has is an errs.Conflict.
func (s *Service) CreateRedirect(ctx context.Context, caller account.Caller, organizationID id.Organization,
	siteID id.Site, in redirect.Redirect) (redirect.Redirect, error) {
	var made redirect.Redirect
	err := s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		organization, site, err := s.manage(ctx, q, caller, organizationID, siteID, access.EditSite)
		if err != nil {
			return err
		}
		now := s.clock()
		made = in
		made.ID, made.Site, made.CreatedAt, made.UpdatedAt = id.New("siteredirect"), siteID, now, now
		if err := s.checkRedirect(ctx, q, organization, site, &made); err != nil {
			return err
		}
		count, err := redirect.Count(ctx, q, siteID)
		if err != nil {
			return err
		}
		if count >= maxRedirects {
			return errs.Conflictf("A site holds up to %d redirects; delete one first.", maxRedirects)
		}
		if err := redirect.Insert(ctx, q, made); err != nil {
			return redirectConflict(err, made)
		}
		return s.record(ctx, q, caller, site, "site-redirect.create", redirectTarget(made),
			map[string]any{"source": made.Source})
	})
	return made, err
}

// UpdateRedirect changes a redirect. It needs the role create in the organization.
func (s *Service) UpdateRedirect(ctx context.Context, caller account.Caller, organizationID id.Organization,
	siteID id.Site, redirectID string, change redirect.Change) (redirect.Redirect, error) {
	var after redirect.Redirect
	err := s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		organization, site, err := s.manage(ctx, q, caller, organizationID, siteID, access.EditSite)
		if err != nil {
			return err
		}
		if after, err = redirect.ByID(ctx, q, siteID, redirectID); err != nil {
			return err
		}
		after.Source, after.Capture = change.Source.Or(after.Source), change.Capture.Or(after.Capture)
		after.Draft, after.Permanent = change.Draft.Or(after.Draft), change.Permanent.Or(after.Permanent)
		after.Destination, after.UpdatedAt = change.Destination.Or(after.Destination), s.clock()
		if err := s.checkRedirect(ctx, q, organization, site, &after); err != nil {
			return err
		}
		if err := redirect.Update(ctx, q, after); err != nil {
			return redirectConflict(err, after)
		}
		return s.record(ctx, q, caller, site, "site-redirect.change", redirectTarget(after),
			map[string]any{"source": after.Source})
	})
	return after, err
}

func redirectConflict(err error, r redirect.Redirect) error {
	if db.IsUnique(err) {
		return errs.Conflictf("There is a redirect from %.60q already; change that one.", r.Source)
	}
	return err
}

func redirectTarget(r redirect.Redirect) audit.Target {
	return audit.Target{Kind: "site-redirect", ID: r.ID, Title: r.Source}
}

// DeleteRedirect removes a redirect. It needs the role create in the organization.
func (s *Service) DeleteRedirect(ctx context.Context, caller account.Caller, organizationID id.Organization,
	siteID id.Site, redirectID string) error {
	return s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		_, site, err := s.manage(ctx, q, caller, organizationID, siteID, access.EditSite)
		if err != nil {
			return err
		}
		found, err := redirect.ByID(ctx, q, siteID, redirectID)
		if err != nil {
			return err
		}
		if err := redirect.Delete(ctx, q, redirectID); err != nil {
			return err
		}
		return s.record(ctx, q, caller, site, "site-redirect.delete", redirectTarget(found),
			map[string]any{"source": found.Source})
	})
}

// RedirectBySource returns the redirect that works for a source, given as in Redirect.Source or as a path that a
// wildcard covers, and the whole address that it leads to.
func (s *Service) RedirectBySource(ctx context.Context, caller account.Caller, organizationID id.Organization,
	siteID id.Site, source string) (redirect.Redirect, string, error) {
	q := s.db.Read()
	organization, err := loadOrganization(ctx, q, caller, organizationID, access.ViewSites)
	if err != nil {
		return redirect.Redirect{}, "", err
	}
	site, err := s.load(ctx, q, organization, siteID)
	if err != nil {
		return redirect.Redirect{}, "", err
	}
	decoded, _, err := redirect.ReadSource(source)
	if err != nil {
		return redirect.Redirect{}, "", err
	}
	found, captured, err := s.RedirectFor(ctx, siteID, decoded)
	if err != nil {
		return redirect.Redirect{}, "", err
	}
	l, err := loadLayout(ctx, q, siteID)
	if err != nil {
		return redirect.Redirect{}, "", err
	}
	if site.PublishedURL == "" {
		site.PublishedURL = site.DirectURL
	}
	target, err := s.target(ctx, site, l, found, captured)
	return found, target, err
}

// RedirectFor returns the redirect that works for a path of a site, decoded and with a slash in front, and what its
// star stands for when it captures that. An exact source comes before a wildcard, and of these the longest. It checks
// no access.
func (s *Service) RedirectFor(ctx context.Context, siteID id.Site,
	path string) (found redirect.Redirect, captured string, err error) {
	return redirect.For(ctx, s.db.Read(), siteID, path)
}

// target is the whole address that a redirect leads to; errs.NotFound when what it names has gone.
func (s *Service) target(ctx context.Context, site Site, l *layout, r redirect.Redirect,
	captured string) (string, error) {
	d, a := r.Destination, l.answers()
	switch d.Kind {
	case redirect.DestinationExternal:
		return redirect.External(d.URL, captured), nil
	case redirect.DestinationSection:
		if l.section(d.Section) != nil {
			return redirect.WithCaptured(below(site.PublishedURL, a.sectionAddress(d.Section)), captured), nil
		}
	default:
		placed := l.space(d.SiteSpace)
		if placed == nil || placed.trashed {
			break
		}
		home := below(site.PublishedURL, a.address(placed))
		if d.Kind == redirect.DestinationSpace {
			return redirect.WithCaptured(home, captured), nil
		}
		path, ok, err := s.hooks.Get().PagePath(ctx, placed.space, d.Page)
		if err != nil {
			return "", err
		}
		if ok {
			return home + strings.TrimPrefix((&url.URL{Path: "/" + path}).EscapedPath(), "/"), nil
		}
	}
	return "", redirect.NotFound()
}

// checkRedirect settles the fields of a redirect that a caller wants.
func (s *Service) checkRedirect(ctx context.Context, q db.Querier, organization access.Organization, site Site,
	r *redirect.Redirect) error {
	if err := r.SettleSource(); err != nil {
		return err
	}
	if below := strings.TrimPrefix(r.Path, "/"); strings.HasPrefix(below, "~/") || files[below] && !r.Wildcard {
		return errs.Invalidf("source",
			"%.60q is an address that the site itself answers, so that the redirect would never work; choose another "+
				"one", r.Source)
	}
	if r.Capture && !r.Wildcard {
		return errs.Invalidf("captureWildcard", "needs a source with a star at its end")
	}
	l, err := loadLayout(ctx, q, site.ID)
	if err != nil {
		return err
	}
	seen, err := s.see(ctx, q, organization, site, l)
	if err != nil {
		return err
	}
	if r.Destination, err = s.checkDestination(ctx, seen, r.Destination); err != nil {
		return err
	}
	// One that leads to what it covers would go round in circles as soon as there is no page.
	site.PublishedURL = "/"
	if target, err := s.target(ctx, site, l, *r, ""); err == nil && r.Destination.Kind != redirect.DestinationExternal {
		decoded, err := url.PathUnescape(target)
		if err == nil && (strings.Trim(decoded, "/") == strings.Trim(r.Path, "/") || r.Wildcard && r.Capture &&
			strings.HasPrefix(decoded, r.Path)) {
			return errs.Invalidf("destination",
				"is what the source names already, so that the redirect would lead to itself")
		}
	}
	return nil
}

// checkDestination settles a destination. What the caller may not read is not there: else they could ask which pages it
// has.
func (s *Service) checkDestination(ctx context.Context, v *seen, d redirect.Destination) (redirect.Destination, error) {
	site, l := v.site, v.layout
	switch d.Kind {
	case redirect.DestinationExternal:
		address, err := field.URL("destination.url", d.URL)
		if err != nil {
			return d, err
		}
		if s.isOwn(site, address) {
			return d, errs.Invalidf("destination.url", "is an address of this site; name the section, space or page "+
				"there, so that the redirect cannot lead in circles")
		}
		return redirect.Destination{Kind: d.Kind, URL: address}, nil
	case redirect.DestinationSection:
		if l.section(d.Section) == nil {
			return d, errs.Invalidf("destination.siteSectionId", "names no section of this site")
		}
		return redirect.Destination{Kind: d.Kind, Section: d.Section}, nil
	case redirect.DestinationSpace, redirect.DestinationPage:
		placed := l.space(d.SiteSpace)
		if placed == nil || !v.reads(placed) {
			return d, errs.Invalidf("destination.siteSpaceId", "names no space of this site")
		}
		if d.Kind == redirect.DestinationSpace {
			return redirect.Destination{Kind: d.Kind, SiteSpace: d.SiteSpace}, nil
		}
		return redirect.Destination{Kind: d.Kind, SiteSpace: d.SiteSpace, Page: d.Page}, s.checkPage(ctx, placed.space,
			d.Page)
	case redirect.DestinationPath:
		for _, placed := range l.spaces {
			if placed.space != d.Space || !v.reads(placed) {
				continue
			}
			page, err := s.hooks.Get().PageByPath(ctx, placed.space, strings.Trim(d.Path, "/"))
			if err != nil {
				return d, err
			}
			if page == "" {
				return d, errs.Invalidf("destination.path", "is no page of the space")
			}
			return redirect.Destination{Kind: redirect.DestinationPage, SiteSpace: placed.id, Page: page}, nil
		}
		return d, errs.Invalidf("destination.spaceId", "names no space on this site")
	}
	return d, field.OneOf("destination.kind", d.Kind, redirect.DestinationSection, redirect.DestinationSpace,
		redirect.DestinationPage,
		redirect.DestinationExternal, redirect.DestinationPath)
}

func (s *Service) checkPage(ctx context.Context, spaceID id.Space, pageID string) error {
	found := false
	if field.Storable(pageID) {
		var err error
		if _, found, err = s.hooks.Get().PagePath(ctx, spaceID, pageID); err != nil {
			return err
		}
	}
	if !found {
		return errs.Invalidf("destination.pageId", "names no page of the space")
	}
	return nil
}

// isOwn reports whether an address is below one of a site's own.
func (s *Service) isOwn(site Site, address string) bool {
	parsed, err := url.Parse(address)
	if err != nil {
		return false
	}
	for _, own := range []string{site.DirectURL, site.PublishedURL, "https://" + site.Proxy + "/"} {
		base, err := url.Parse(own)
		if err != nil || base.Host == "" || !strings.EqualFold(base.Host, parsed.Host) {
			continue
		}
		if strings.HasPrefix(parsed.EscapedPath()+"/", base.EscapedPath()) {
			return true
		}
	}
	return false
}
