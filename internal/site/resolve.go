package site

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/db"
	"github.com/rectodocs/recto/internal/field"
)

// Served is a live site as the server needs it to answer a visitor.
type Served struct {
	// Organization is the id of the organization, OrganizationTitle and Hostname are its own.
	Organization      string
	OrganizationTitle string
	Hostname          string
	// Site has no Permissions: there is no caller.
	Site Site
	// Spaces are those on the site in their order, without the trash. Exactly one is the default, unless there is none.
	Spaces []ServedSpace
	// Customization is how the site looks, and CustomizationVersion what changes with it and with that of any of its spaces.
	Customization        Customization
	CustomizationVersion int64
	// Scripts are those that integrations put on the site.
	Scripts []Script
}

// ServedSpace is a space on a live site.
type ServedSpace struct {
	// ID is the SiteSpace's, Space the space's.
	ID       string
	Space    string
	Path     string
	Default  bool
	Title    string
	Emoji    string
	Icon     string
	Language string
	// Head is the id of the revision that is live; "" when the space has no content yet.
	Head string
	// URL is the address of the space, with a slash at its end.
	URL string
	// Customization is how the space looks on the site. It is shared and never changed.
	Customization *Customization
}

// Default returns the default space of the site, and false when it has none.
func (s Served) Default() (ServedSpace, bool) {
	i := slices.IndexFunc(s.Spaces, func(space ServedSpace) bool { return space.Default })
	if i < 0 {
		return ServedSpace{}, false
	}
	return s.Spaces[i], true
}

// ByPath returns the space with a path, and false when there is none.
func (s Served) ByPath(path string) (ServedSpace, bool) {
	i := slices.IndexFunc(s.Spaces, func(space ServedSpace) bool { return space.Path == path })
	if i < 0 {
		return ServedSpace{}, false
	}
	return s.Spaces[i], true
}

// Resolve returns the site that answers at an organization's hostname and a basename, with its spaces and their live
// revisions, in one statement. A site is served to anonymous visitors only when it is published and its visibility is
// public or unlisted; anything else is an errs.NotFound.
func (s *Service) Resolve(ctx context.Context, hostname, basename string) (Served, error) {
	if !field.Storable(hostname) || !field.Storable(basename) {
		return Served{}, noSite()
	}
	hostname = strings.ToLower(hostname)
	rows, err := resolveRows(ctx, s.db.Read(), hostname, basename)
	if err != nil {
		return Served{}, err
	}
	if len(rows) == 0 || !anonymous(rows[0].site.site()) {
		return Served{}, noSite()
	}
	site := rows[0].site.site()
	site.PublishedURL = s.SiteURL(hostname, site.Basename)
	served := Served{
		Organization: site.Organization, OrganizationTitle: rows[0].organizationTitle, Hostname: hostname,
		Site: site, CustomizationVersion: rows[0].customization.V,
	}
	look, err := s.lookOf(ctx, site.ID, served.CustomizationVersion)
	if err != nil {
		return Served{}, err
	}
	served.Customization = look.site
	if served.Scripts, err = s.scriptsOf(ctx, site.ID); err != nil {
		return Served{}, err
	}
	current := -1
	for _, row := range rows {
		if !row.space.Valid {
			// A site without spaces, or a space in the trash.
			continue
		}
		if current < 0 || (row.isDefault.V && row.isDefault.Valid) {
			current = len(served.Spaces)
		}
		served.Spaces = append(served.Spaces, ServedSpace{
			ID: row.id.V, Space: row.space.V, Path: row.path.V, Title: row.title.V, Emoji: row.emoji.V, Icon: row.icon.V,
			Language: row.language.V, Head: row.head.V, Customization: look.of(row.id.V),
		})
	}
	for i := range served.Spaces {
		space := &served.Spaces[i]
		space.Default = i == current
		space.URL = spaceURL(site.PublishedURL, space.Path, space.Default)
	}
	return served, nil
}

// anonymous reports whether a site is there for people of whom nothing is known.
func anonymous(site Site) bool {
	return site.Published && (site.Visibility == VisibilityPublic || site.Visibility == VisibilityUnlisted)
}

type resolveRow struct {
	site                                      siteRow
	organizationTitle                         string
	id, path, space, title, emoji, icon, head sql.Null[string]
	language                                  sql.Null[string]
	isDefault                                 sql.Null[bool]
	customization                             sql.Null[int64] // its version
}

func resolveRows(ctx context.Context, q db.Querier, hostname, basename string) ([]resolveRow, error) {
	rows, err := q.QueryContext(ctx, `
		SELECT `+siteColumns+`, o.title, ss.id, ss.path, ss.is_default, s.id, s.title, s.emoji, s.icon, s.language, b.head_revision_id, sc.version
		FROM organization o
		JOIN site ON site.organization_id = o.id
		LEFT JOIN site_space ss ON ss.site_id = site.id
		LEFT JOIN space s ON s.id = ss.space_id AND s.deleted_at IS NULL
		LEFT JOIN content_branch b ON b.space_id = s.id AND b.kind = 'main'
		LEFT JOIN site_customization sc ON sc.site_id = site.id
		WHERE o.hostname = $1 AND site.basename = $2
		ORDER BY ss.position, ss.id`, hostname, basename)
	if err != nil {
		return nil, fmt.Errorf("resolve site: %w", err)
	}
	defer rows.Close()
	var found []resolveRow
	for rows.Next() {
		var r resolveRow
		into := append(r.site.fields(), &r.organizationTitle, &r.id, &r.path, &r.isDefault, &r.space, &r.title, &r.emoji, &r.icon, &r.language, &r.head, &r.customization)
		if err := rows.Scan(into...); err != nil {
			return nil, fmt.Errorf("scan resolved site: %w", err)
		}
		found = append(found, r)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("resolve site: %w", err)
	}
	return found, nil
}
