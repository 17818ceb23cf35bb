package site

import (
	"context"
	"fmt"
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

// spaceURL returns the address of a space on a site: the site's own for the default one.
func spaceURL(siteURL, path string, isDefault bool) string {
	if siteURL == "" || isDefault {
		return siteURL
	}
	return siteURL + url.PathEscape(path) + "/"
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
	// All spaces of those sites, since the default one of a site is known only among all of them; it comes first.
	rows, err := s.db.Read().QueryContext(ctx, `
		SELECT ss.site_id, ss.space_id, ss.path, site.basename, o.hostname
		FROM site_space ss
		JOIN site ON site.id = ss.site_id
		JOIN organization o ON o.id = site.organization_id
		JOIN space s ON s.id = ss.space_id
		WHERE site.published AND s.deleted_at IS NULL`+condition+`
			AND ss.site_id IN (SELECT w.site_id FROM site_space w WHERE w.space_id IN (`+db.Placeholders(1, len(args))+`))
		ORDER BY ss.site_id, ss.is_default DESC, ss.position, ss.id`, args...)
	if err != nil {
		return fmt.Errorf("list published spaces: %w", err)
	}
	defer rows.Close()
	previous := ""
	for rows.Next() {
		var siteID, spaceID, path, basename, hostname string
		if err := rows.Scan(&siteID, &spaceID, &path, &basename, &hostname); err != nil {
			return fmt.Errorf("scan published space: %w", err)
		}
		isDefault := siteID != previous
		previous = siteID
		if _, known := urls[spaceID]; !known && wanted[spaceID] {
			urls[spaceID] = spaceURL(s.SiteURL(hostname, basename), path, isDefault)
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("list published spaces: %w", err)
	}
	return nil
}
