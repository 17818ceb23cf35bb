package site

import (
	"context"
	"strings"

	"github.com/rectodocs/recto/internal/base/field"
)

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
