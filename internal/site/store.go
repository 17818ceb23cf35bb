package site

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/rectodocs/recto/internal/access"
	"github.com/rectodocs/recto/internal/db"
	"github.com/rectodocs/recto/internal/errs"
	"github.com/rectodocs/recto/internal/field"
	"github.com/rectodocs/recto/internal/id"
	"github.com/rectodocs/recto/internal/optional"
	"github.com/rectodocs/recto/internal/paging"
)

// siteColumns need the tables site and organization, the latter under the alias o.
const siteColumns = `site.id, site.organization_id, site.type, site.title, site.basename, site.visibility, site.published,
	site.adaptive_content, site.agents_context, site.created_at, site.updated_at, o.hostname,
	(SELECT count(*) FROM site_space n JOIN space ns ON ns.id = n.space_id WHERE n.site_id = site.id AND ns.deleted_at IS NULL)`

// insertSite adds a site, and reports false when its basename is taken.
func insertSite(ctx context.Context, q db.Querier, s Site) (bool, error) {
	result, err := q.ExecContext(ctx, `
		INSERT INTO site (id, organization_id, type, title, title_key, basename, visibility, published, adaptive_content,
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
		UPDATE site SET title = $2, title_key = $3, basename = $4, visibility = $5, published = $6, adaptive_content = $7,
			agents_context = $8, updated_at = $9
		WHERE id = $1`,
		s.ID, s.Title, titleKey(s.Title), s.Basename, string(s.Visibility), s.Published, s.AdaptiveContent,
		string(s.AgentsContext), s.UpdatedAt.UnixMicro())
	if err != nil {
		return fmt.Errorf("update site: %w", err)
	}
	return nil
}

func deleteSite(ctx context.Context, q db.Querier, siteID string) error {
	if _, err := q.ExecContext(ctx, `DELETE FROM site WHERE id = $1`, siteID); err != nil {
		return fmt.Errorf("delete site: %w", err)
	}
	return nil
}

func siteByID(ctx context.Context, q db.Querier, organizationID, siteID string) (siteRow, error) {
	var row siteRow
	err := q.QueryRowContext(ctx, `
		SELECT `+siteColumns+` FROM site JOIN organization o ON o.id = site.organization_id
		WHERE site.id = $1 AND site.organization_id = $2`, siteID, organizationID).Scan(row.fields()...)
	if err != nil {
		return siteRow{}, fmt.Errorf("select site: %w", err)
	}
	return row, nil
}

func basenameTaken(ctx context.Context, q db.Querier, organizationID, basename string) (bool, error) {
	return exists(ctx, q, `SELECT EXISTS (SELECT 1 FROM site WHERE organization_id = $1 AND basename = $2)`, organizationID, basename)
}

func pathTaken(ctx context.Context, q db.Querier, siteID, path string) (bool, error) {
	return exists(ctx, q, `SELECT EXISTS (SELECT 1 FROM site_space WHERE site_id = $1 AND path = $2)`, siteID, path)
}

// markFirst marks the first space of a site as its default, for a site whose default space was removed for good.
func markFirst(ctx context.Context, q db.Querier, siteID string) error {
	_, err := q.ExecContext(ctx, `
		UPDATE site_space SET is_default = TRUE
		WHERE id = (SELECT f.id FROM site_space f WHERE f.site_id = $1 ORDER BY f.position, f.id LIMIT 1)`, siteID)
	if err != nil {
		return fmt.Errorf("mark first space of site as default: %w", err)
	}
	return nil
}

func hasDefault(ctx context.Context, q db.Querier, siteID string) (bool, error) {
	return exists(ctx, q, `SELECT EXISTS (SELECT 1 FROM site_space WHERE site_id = $1 AND is_default)`, siteID)
}

func exists(ctx context.Context, q db.Querier, query string, args ...any) (bool, error) {
	var is bool
	if err := q.QueryRowContext(ctx, query, args...).Scan(&is); err != nil {
		return false, fmt.Errorf("look for a row: %w", err)
	}
	return is, nil
}

func organizationTitle(ctx context.Context, q db.Querier, organizationID string) (string, error) {
	var title string
	err := q.QueryRowContext(ctx, `SELECT title FROM organization WHERE id = $1`, organizationID).Scan(&title)
	if err != nil {
		return "", fmt.Errorf("select title of organization: %w", err)
	}
	return title, nil
}

// listSites returns up to one more than a page of sites, and how many there are in all under the filter.
func listSites(ctx context.Context, q db.Querier, organizationID string, filter Filter, page paging.Request) ([]siteRow, int, error) {
	if utf8.RuneCountInString(filter.Title) > maxTitle || !field.Storable(filter.Title) {
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
	args = append(args, after, page.Size()+1)
	rows, err := q.QueryContext(ctx, `
		SELECT `+siteColumns+` FROM site JOIN organization o ON o.id = site.organization_id
		WHERE `+condition+` AND site.id > `+placeholder(len(args)-1)+`
		ORDER BY site.id LIMIT `+placeholder(len(args)), args...)
	if err != nil {
		return nil, 0, fmt.Errorf("list sites: %w", err)
	}
	defer rows.Close()
	var sites []siteRow
	for rows.Next() {
		var row siteRow
		if err := rows.Scan(row.fields()...); err != nil {
			return nil, 0, fmt.Errorf("scan site: %w", err)
		}
		sites = append(sites, row)
	}
	if err := rows.Err(); err != nil {
		return nil, 0, fmt.Errorf("list sites: %w", err)
	}
	return sites, count, nil
}

// condition returns the SQL condition of a filter on the sites of an organization, with its arguments.
func (f Filter) condition(organizationID string) (string, []any) {
	conditions, args := []string{`site.organization_id = $1`}, []any{organizationID}
	arg := func(value any) string {
		args = append(args, value)
		return placeholder(len(args))
	}
	if f.Space != "" {
		conditions = append(conditions, `EXISTS (SELECT 1 FROM site_space f WHERE f.site_id = site.id AND f.space_id = `+arg(f.Space)+`)`)
	}
	if f.Title != "" {
		conditions = append(conditions, `site.title_key LIKE `+arg(likePattern(titleKey(f.Title)))+` ESCAPE '!'`)
	}
	if published, ok := f.Published.Get(); ok {
		conditions = append(conditions, `site.published = `+arg(published))
	}
	if len(f.Types) > 0 {
		marks := make([]string, len(f.Types))
		for i, kind := range f.Types {
			marks[i] = arg(string(kind))
		}
		conditions = append(conditions, `site.type IN (`+strings.Join(marks, ", ")+`)`)
	}
	return strings.Join(conditions, " AND "), args
}

func placeholder(n int) string { return "$" + strconv.Itoa(n) }

// insertSiteSpace adds a space to a site, and reports false when its path is taken.
func insertSiteSpace(ctx context.Context, q db.Querier, s SiteSpace, now time.Time) (bool, error) {
	result, err := q.ExecContext(ctx, `
		INSERT INTO site_space (id, site_id, space_id, path, position, is_default, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7)
		ON CONFLICT (site_id, path) DO NOTHING`,
		s.ID, s.Site, s.Space.ID, s.Path, s.position, s.Default, now.UnixMicro())
	return inserted("site space", result, err)
}

// lastPosition returns the position of the last space of a site, "" when it has none.
func lastPosition(ctx context.Context, q db.Querier, siteID string) (string, error) {
	var position string
	err := q.QueryRowContext(ctx, `
		SELECT position FROM site_space WHERE site_id = $1 ORDER BY position DESC LIMIT 1`, siteID).Scan(&position)
	if errors.Is(err, db.ErrNoRows) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("select last position: %w", err)
	}
	return position, nil
}

// defaultOf returns the id of the space that answers at the site's own address: the one that is marked, or the first one
// while that one is in the trash. It is "" for a site without spaces.
func defaultOf(ctx context.Context, q db.Querier, siteID string) (string, error) {
	var current string
	err := q.QueryRowContext(ctx, `
		SELECT ss.id FROM site_space ss JOIN space s ON s.id = ss.space_id
		WHERE ss.site_id = $1 AND s.deleted_at IS NULL
		ORDER BY ss.is_default DESC, ss.position, ss.id LIMIT 1`, siteID).Scan(&current)
	if errors.Is(err, db.ErrNoRows) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("select default space of site: %w", err)
	}
	return current, nil
}

// setDefault marks a space of a site as its default, and takes the mark off the one that had it.
func setDefault(ctx context.Context, q db.Querier, siteID, siteSpaceID string) error {
	gone := errs.NotFoundf("There is no such space on this site; give the id of one of its site spaces.")
	if !id.Valid("sitespace", siteSpaceID) {
		return gone
	}
	// In two steps: a statement that swaps the mark would have two of them for a moment, which the index refuses.
	_, err := q.ExecContext(ctx, `UPDATE site_space SET is_default = FALSE WHERE site_id = $1 AND is_default`, siteID)
	if err != nil {
		return fmt.Errorf("clear default space of site: %w", err)
	}
	result, err := q.ExecContext(ctx, `
		UPDATE site_space SET is_default = TRUE
		WHERE site_id = $1 AND id = $2 AND space_id IN (SELECT s.id FROM space s WHERE s.deleted_at IS NULL)`, siteID, siteSpaceID)
	if err != nil {
		return fmt.Errorf("set default space of site: %w", err)
	}
	n, err := result.RowsAffected()
	if err != nil {
		return fmt.Errorf("set default space of site: %w", err)
	}
	if n != 1 {
		return gone
	}
	return nil
}

// siteSpaceQuery says which spaces of a site are wanted.
type siteSpaceQuery struct {
	site string
	// current is the id of the default one.
	current     string
	onlyDefault optional.Value[bool]
}

func (w siteSpaceQuery) condition(organization access.Organization) (string, []any) {
	readable, args := access.ReadableSpaces(organization, []any{w.site})
	condition := `ss.site_id = $1 AND s.deleted_at IS NULL AND ` + readable
	if wanted, ok := w.onlyDefault.Get(); ok {
		operator := `<>`
		if wanted {
			operator = `=`
		}
		args = append(args, w.current)
		condition += ` AND ss.id ` + operator + ` ` + placeholder(len(args))
	}
	return condition, args
}

// listSiteSpaces returns up to one more than a page of spaces of a site, and how many there are in all.
func listSiteSpaces(ctx context.Context, q db.Querier, organization access.Organization, wanted siteSpaceQuery, page paging.Request) ([]siteSpaceRow, int, error) {
	condition, args := wanted.condition(organization)
	var count int
	err := q.QueryRowContext(ctx, `
		SELECT count(*) FROM site_space ss JOIN space s ON s.id = ss.space_id WHERE `+condition, args...).Scan(&count)
	if err != nil {
		return nil, 0, fmt.Errorf("count site spaces: %w", err)
	}
	afterPosition, afterID := "", ""
	if page.After != nil {
		if len(page.After) != 2 {
			return nil, 0, errs.Invalidf("query.page", "is not a cursor of this list; leave it out to start from the beginning")
		}
		afterPosition, afterID = page.After[0], page.After[1]
	}
	n := len(args)
	args = append(args, afterPosition, afterID, page.Size()+1)
	rows, err := querySiteSpaces(ctx, q, `
		SELECT ss.id, ss.space_id, ss.path, ss.position FROM site_space ss JOIN space s ON s.id = ss.space_id
		WHERE `+condition+` AND (ss.position, ss.id) > (`+placeholder(n+1)+`, `+placeholder(n+2)+`)
		ORDER BY ss.position, ss.id LIMIT `+placeholder(n+3), args...)
	return rows, count, err
}

func allSiteSpaces(ctx context.Context, q db.Querier, organization access.Organization, siteID string) ([]siteSpaceRow, error) {
	condition, args := siteSpaceQuery{site: siteID}.condition(organization)
	return querySiteSpaces(ctx, q, `
		SELECT ss.id, ss.space_id, ss.path, ss.position FROM site_space ss JOIN space s ON s.id = ss.space_id
		WHERE `+condition+` ORDER BY ss.position, ss.id`, args...)
}

func querySiteSpaces(ctx context.Context, q db.Querier, query string, args ...any) ([]siteSpaceRow, error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("list site spaces: %w", err)
	}
	defer rows.Close()
	var found []siteSpaceRow
	for rows.Next() {
		var r siteSpaceRow
		if err := rows.Scan(&r.id, &r.space, &r.path, &r.position); err != nil {
			return nil, fmt.Errorf("scan site space: %w", err)
		}
		found = append(found, r)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("list site spaces: %w", err)
	}
	return found, nil
}

type siteSpaceRow struct{ id, space, path, position string }

type siteRow struct {
	id, organization, kind, title, basename, visibility string
	published, adaptiveContent                          bool
	agentsContext                                       string
	createdAt, updatedAt                                int64
	hostname                                            string
	siteSpaces                                          int
}

func (r *siteRow) fields() []any {
	return []any{
		&r.id, &r.organization, &r.kind, &r.title, &r.basename, &r.visibility, &r.published, &r.adaptiveContent, &r.agentsContext,
		&r.createdAt, &r.updatedAt, &r.hostname, &r.siteSpaces,
	}
}

func (r *siteRow) site() Site {
	return Site{
		ID: r.id, Organization: r.organization, Type: Type(r.kind), Title: r.title, Basename: r.basename,
		Visibility: Visibility(r.visibility), Published: r.published, SiteSpaces: r.siteSpaces, AdaptiveContent: r.adaptiveContent,
		AgentsContext: AgentsContext(r.agentsContext), CreatedAt: time.UnixMicro(r.createdAt).UTC(), UpdatedAt: time.UnixMicro(r.updatedAt).UTC(),
	}
}
