package site

import (
	"context"
	"fmt"
	"strings"

	"github.com/rectodocs/recto/internal/db"
	"github.com/rectodocs/recto/internal/field"
)

// Former is a space that was at the beginning of a path before its site changed.
type Former struct {
	// SiteSpace is the id of the site space, Rest what is left of the path in it.
	SiteSpace, Rest string
}

// FormerAt returns the spaces that once were at the beginning of a path below a site's root, decoded, the nearest match first.
// It checks no access.
func (s *Service) FormerAt(ctx context.Context, siteID, path string) ([]Former, error) {
	if len(path) > maxSource || !field.Storable(path) {
		return nil, nil
	}
	// A section and a variant make up to two segments.
	prefixes := []any{siteID, ""}
	at := 0
	for range 2 {
		i := strings.IndexByte(path[at:], '/')
		if i < 0 {
			if at < len(path) {
				prefixes = append(prefixes, path+"/")
			}
			break
		}
		at += i + 1
		prefixes = append(prefixes, path[:at])
	}
	rows, err := s.db.Read().QueryContext(ctx, `
		SELECT address, site_space_id FROM site_former_address
		WHERE site_id = $1 AND address IN (`+db.Placeholders(2, len(prefixes)-1)+`) ORDER BY length(address) DESC`, prefixes...)
	if err != nil {
		return nil, fmt.Errorf("look for former addresses: %w", err)
	}
	defer rows.Close()
	var found []Former
	for rows.Next() {
		var address, siteSpace string
		if err := rows.Scan(&address, &siteSpace); err != nil {
			return nil, fmt.Errorf("scan former address: %w", err)
		}
		rest := strings.TrimSuffix(strings.TrimPrefix(path+"/", address), "/")
		found = append(found, Former{SiteSpace: siteSpace, Rest: rest})
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("look for former addresses: %w", err)
	}
	return found, nil
}
