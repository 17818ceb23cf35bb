package site

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/rectodocs/recto/internal/base/field"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/publish/site/customization"
)

// siteFields and siteColumns need the tables site and organization, the latter under the alias o. The first leave out
// how many spaces there are and the icon, for statements that have a row for each of them.
const (
	siteFields = `site.id, site.organization_id, site.type, site.title, site.basename, site.visibility, site.published,
	site.adaptive_content, site.agents_context, site.created_at, site.updated_at, o.hostname,
	site.custom_hostname, site.hostname_token, site.hostname_proven, site.proxy`
	siteColumns = siteFields + `,
	(SELECT count(*) FROM site_space n JOIN space ns ON ns.id = n.space_id WHERE n.site_id = site.id
	AND ns.deleted_at IS NULL),
	COALESCE((SELECT sc.favicon FROM site_customization sc WHERE sc.site_id = site.id), '')`
)

// insertSite adds a site, and reports false when its basename is taken.
func insertSite(ctx context.Context, q db.Querier, s Site) (bool, error) {
	result, err := q.ExecContext(ctx, `
		INSERT INTO site (id, organization_id, type, title, title_key, basename, visibility, published,
		adaptive_content,
			agents_context, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
		ON CONFLICT (organization_id, basename) DO NOTHING`,
		s.ID, s.Organization, string(s.Type), s.Title, titleKey(s.Title), s.Basename, string(s.Visibility), s.Published,
		s.AdaptiveContent, string(s.AgentsContext), s.CreatedAt.UnixMicro(), s.UpdatedAt.UnixMicro())
	return inserted("site", result, err)
}

func inserted(what string, result sql.Result, err error) (bool, error) {
	if err != nil {
		return false, fmt.Errorf("insert %s: %w", what, err)
	}
	n, err := result.RowsAffected()
	if err != nil {
		return false, fmt.Errorf("insert %s: %w", what, err)
	}
	return n == 1, nil
}

func updateSite(ctx context.Context, q db.Querier, s Site) error {
	_, err := q.ExecContext(ctx, `
		UPDATE site SET title = $2, title_key = $3, basename = $4, visibility = $5, published = $6,
		adaptive_content = $7,
			agents_context = $8, updated_at = $9, custom_hostname = $10, hostname_token = $11, hostname_proven = $12,
			proxy = $13
		WHERE id = $1`,
		s.ID, s.Title, titleKey(s.Title), s.Basename, string(s.Visibility), s.Published, s.AdaptiveContent,
		string(s.AgentsContext), s.UpdatedAt.UnixMicro(), s.Hostname, s.HostnameToken, s.HostnameProven, s.Proxy)
	if err != nil {
		return fmt.Errorf("update site: %w", err)
	}
	return nil
}

// nameOfSite returns the names that a site answers under.
func nameOfSite(ctx context.Context, q db.Querier, siteID id.Site) (hostname, basename string, err error) {
	err = q.QueryRowContext(ctx, `
		SELECT o.hostname, site.basename FROM site JOIN organization o ON o.id = site.organization_id
		WHERE site.id = $1`, siteID).Scan(&hostname, &basename)
	if err != nil {
		return "", "", fmt.Errorf("select name of site: %w", err)
	}
	return hostname, basename, nil
}

func deleteSite(ctx context.Context, q db.Querier, siteID id.Site) error {
	if _, err := q.ExecContext(ctx, `DELETE FROM site WHERE id = $1`, siteID); err != nil {
		return fmt.Errorf("delete site: %w", err)
	}
	return nil
}

func siteByID(ctx context.Context, q db.Querier, organizationID id.Organization, siteID id.Site) (siteRow, error) {
	var row siteRow
	err := q.QueryRowContext(ctx, `
		SELECT `+siteColumns+` FROM site JOIN organization o ON o.id = site.organization_id
		WHERE site.id = $1 AND site.organization_id = $2`, siteID, organizationID).Scan(row.fields()...)
	if err != nil {
		return siteRow{}, fmt.Errorf("select site: %w", err)
	}
	return row, nil
}

func basenameTaken(ctx context.Context, q db.Querier, organizationID id.Organization, basename string) (bool, error) {
	return exists(ctx, q, `SELECT EXISTS (SELECT 1 FROM site WHERE organization_id = $1 AND basename = $2)`,
		organizationID, basename)
}

func exists(ctx context.Context, q db.Querier, query string, args ...any) (bool, error) {
	var is bool
	if err := q.QueryRowContext(ctx, query, args...).Scan(&is); err != nil {
		return false, fmt.Errorf("look for a row: %w", err)
	}
	return is, nil
}

func organizationTitle(ctx context.Context, q db.Querier, organizationID id.Organization) (string, error) {
	var title string
	err := q.QueryRowContext(ctx, `SELECT title FROM organization WHERE id = $1`, organizationID).Scan(&title)
	if err != nil {
		return "", fmt.Errorf("select title of organization: %w", err)
	}
	return title, nil
}

// listSites returns up to one more than a page of sites, and how many there are in all under the filter.
func listSites(ctx context.Context, q db.Querier, organizationID id.Organization, filter Filter,
	page paging.Request) ([]siteRow, int, error) {
	if utf8.RuneCountInString(filter.Title) > customization.MaxTitle || !field.Storable(filter.Title) {
		return nil, 0, nil
	}
	condition, args := filter.condition(organizationID)
	var count int
	if err := q.QueryRowContext(ctx, `SELECT count(*) FROM site WHERE `+condition, args...).Scan(&count); err != nil {
		return nil, 0, fmt.Errorf("count sites: %w", err)
	}
	after := ""
	if len(page.After) > 0 {
		after = page.After[0]
	}
	query := `SELECT ` + siteColumns + ` FROM site JOIN organization o ON o.id = site.organization_id
		WHERE ` + condition + ` AND site.id > ` + args.Add(after) + ` ORDER BY site.id LIMIT ` + args.Add(page.Size()+1)
	sites, err := db.All(ctx, q, "list sites", func(r db.Scanner) (siteRow, error) {
		var row siteRow
		err := r.Scan(row.fields()...)
		return row, err
	}, query, args...)
	if err != nil {
		return nil, 0, err
	}
	return sites, count, nil
}

// publicSites returns published sites that everybody may read and search engines may list, the oldest first, with the
// titles of their organizations.
func publicSites(ctx context.Context, q db.Querier, limit int) ([]Listed, []siteRow, error) {
	var titles []Listed
	rows, err := db.All(ctx, q, "list public sites", func(r db.Scanner) (siteRow, error) {
		var row siteRow
		var listed Listed
		err := r.Scan(append(row.fields(), &listed.OrganizationTitle)...)
		titles = append(titles, listed)
		return row, err
	}, `SELECT `+siteColumns+`, o.title FROM site JOIN organization o ON o.id = site.organization_id
		WHERE site.published AND site.visibility = $1 ORDER BY site.id LIMIT $2`, string(VisibilityPublic), limit)
	return titles, rows, err
}

// condition returns the SQL condition of a filter on the sites of an organization, with its arguments.
func (f Filter) condition(organizationID id.Organization) (string, db.Args) {
	conditions, args := []string{`site.organization_id = $1`}, db.Args{organizationID}
	if f.Space != "" {
		conditions = append(conditions,
			`EXISTS (SELECT 1 FROM site_space f WHERE f.site_id = site.id AND f.space_id = `+args.Add(f.Space)+`)`)
	}
	if f.Title != "" {
		conditions = append(conditions,
			`site.title_key LIKE `+args.Add(db.LikePattern(titleKey(f.Title)))+` ESCAPE '!'`)
	}
	if published, ok := f.Published.Get(); ok {
		conditions = append(conditions, `site.published = `+args.Add(published))
	}
	if len(f.Types) > 0 {
		marks := make([]string, len(f.Types))
		for i, kind := range f.Types {
			marks[i] = args.Add(string(kind))
		}
		conditions = append(conditions, `site.type IN (`+strings.Join(marks, ", ")+`)`)
	}
	return strings.Join(conditions, " AND "), args
}

type siteRow struct {
	id                                id.Site
	organization                      id.Organization
	kind, title, basename, visibility string
	published, adaptiveContent        bool
	agentsContext                     string
	createdAt, updatedAt              int64
	hostname                          string
	customHostname, token             string
	proven                            bool
	proxy                             string
	siteSpaces                        int
	favicon                           string
}

func (r *siteRow) fields() []any {
	return append(r.own(), &r.siteSpaces, &r.favicon)
}

// own are the fields of siteFields.
func (r *siteRow) own() []any {
	return []any{
		&r.id, &r.organization, &r.kind, &r.title, &r.basename, &r.visibility, &r.published, &r.adaptiveContent,
		&r.agentsContext,
		&r.createdAt, &r.updatedAt, &r.hostname, &r.customHostname, &r.token, &r.proven, &r.proxy,
	}
}

func (r *siteRow) site() Site {
	var icon customization.Favicon
	if r.favicon != "" && json.Unmarshal([]byte(r.favicon), &icon) != nil {
		icon = customization.Favicon{} // it is a part of what was checked when it was stored
	}
	return Site{
		Icon: icon,
		ID:   r.id, Organization: r.organization, Type: Type(r.kind), Title: r.title, Basename: r.basename,
		Visibility: Visibility(r.visibility), Published: r.published, SiteSpaces: r.siteSpaces,
		AdaptiveContent: r.adaptiveContent,
		Hostname:        r.customHostname, HostnameToken: r.token, HostnameProven: r.proven, Proxy: r.proxy,
		AgentsContext: AgentsContext(r.agentsContext), CreatedAt: time.UnixMicro(r.createdAt).UTC(),
		UpdatedAt: time.UnixMicro(r.updatedAt).UTC(),
	}
}

// In reports whether an organization has a site.
func In(ctx context.Context, q db.Querier, organizationID id.Organization, siteID id.Site) (bool, error) {
	var found bool
	err := q.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM site WHERE organization_id = $1 AND id = $2)`,
		organizationID, siteID).Scan(&found)
	return found, err
}
