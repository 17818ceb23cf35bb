package site

import (
	"context"
	"net/url"

	"github.com/rectodocs/recto/internal/db"
)

// SiteURL returns the address of a site with a slash at its end: below the organization's host when there is a sites
// domain, and below the server's own address otherwise.
func (s *Service) SiteURL(hostname, basename string) string {
	if s.sitesDomain != "" {
		return "https://" + hostname + "." + s.sitesDomain + "/" + url.PathEscape(basename) + "/"
	}
	return s.baseURL + "/sites/" + hostname + "/" + url.PathEscape(basename) + "/"
}

// direct returns the address of a site without what passes requests on to it: its own host if that is proven, or that below
// its organization's.
func (s *Service) direct(row siteRow) string {
	if row.customHostname != "" && row.proven {
		return "https://" + row.customHostname + "/"
	}
	return s.SiteURL(row.hostname, row.basename)
}

// address returns where readers find a site.
func (s *Service) address(row siteRow) string {
	if row.proxy != "" {
		return "https://" + row.proxy + "/"
	}
	return s.direct(row)
}

// PublishedURLs returns where the spaces with the given ids are live, with a slash at the end of each address. A space on
// several published sites is at its oldest one; one on no published site is not in the map. It checks no access.
func (s *Service) PublishedURLs(ctx context.Context, spaceIDs []string) (map[string]string, error) {
	return s.urls(ctx, spaceIDs, "")
}

// PublicURLs is PublishedURLs for those sites only that everybody may read without an account.
func (s *Service) PublicURLs(ctx context.Context, spaceIDs []string) (map[string]string, error) {
	return s.urls(ctx, spaceIDs, ` AND site.visibility IN ('public', 'unlisted')`)
}

// urls are those of sites that meet a condition.
func (s *Service) urls(ctx context.Context, spaceIDs []string, condition string) (map[string]string, error) {
	const batch = 1000
	urls := make(map[string]string, len(spaceIDs))
	for len(spaceIDs) > 0 {
		n := min(len(spaceIDs), batch)
		if err := s.addURLs(ctx, spaceIDs[:n], condition, urls); err != nil {
			return nil, err
		}
		spaceIDs = spaceIDs[n:]
	}
	return urls, nil
}

func (s *Service) addURLs(ctx context.Context, spaceIDs []string, condition string, urls map[string]string) error {
	args := make([]any, len(spaceIDs))
	wanted := make(map[string]bool, len(spaceIDs))
	for i, spaceID := range spaceIDs {
		args[i], wanted[spaceID] = spaceID, true
	}
	// All spaces of those sites, since where one of them is depends on which is the default one.
	rows, err := resolveRows(ctx, s.db.Read(), `site.published`+condition+`
		AND site.id IN (SELECT w.site_id FROM site_space w WHERE w.space_id IN (`+db.Placeholders(1, len(args))+`))
		ORDER BY site.id`, args...)
	if err != nil {
		return err
	}
	for len(rows) > 0 {
		n := 1
		for n < len(rows) && rows[n].site.id == rows[0].site.id {
			n++
		}
		row := rows[0].site
		l, _ := layoutOf(rows[:n])
		a := l.answers()
		for _, placed := range l.spaces {
			if _, known := urls[placed.space]; !known && wanted[placed.space] {
				urls[placed.space] = below(s.address(row), a.address(placed))
			}
		}
		rows = rows[n:]
	}
	return nil
}
