package redirect

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/field"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/platform/db"
	"golang.org/x/text/unicode/norm"
)

const columns = `id, site_id, source, wildcard, capture, draft, permanent, destination_kind, section_id, site_space_id, page_id, url, created_at, updated_at`

func scan(row db.Scanner) (Redirect, error) {
	var r Redirect
	var createdAt, updatedAt int64
	d := &r.Destination
	err := row.Scan(&r.ID, &r.Site, &r.Path, &r.Wildcard, &r.Capture, &r.Draft, &r.Permanent, &d.Kind, &d.Section,
		&d.SiteSpace, &d.Page, &d.URL, &createdAt, &updatedAt)
	r.Source = writeSource(r.Path, r.Wildcard)
	r.CreatedAt, r.UpdatedAt = time.UnixMicro(createdAt).UTC(), time.UnixMicro(updatedAt).UTC()
	return r, err
}

// Insert adds a redirect.
func Insert(ctx context.Context, q db.Querier, r Redirect) error {
	d := r.Destination
	_, err := q.ExecContext(ctx, `INSERT INTO site_redirect (`+columns+
		`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
		r.ID, r.Site, r.Path, r.Wildcard, r.Capture, r.Draft, r.Permanent, string(d.Kind), d.Section, d.SiteSpace,
		d.Page, d.URL,
		r.CreatedAt.UnixMicro(), r.UpdatedAt.UnixMicro())
	if err != nil {
		return fmt.Errorf("insert redirect: %w", err)
	}
	return nil
}

// Update keeps a redirect that has changed.
func Update(ctx context.Context, q db.Querier, r Redirect) error {
	d := r.Destination
	_, err := q.ExecContext(ctx, `
		UPDATE site_redirect SET source = $2, wildcard = $3, capture = $4, draft = $5, permanent = $6,
		destination_kind = $7,
			section_id = $8, site_space_id = $9, page_id = $10, url = $11, updated_at = $12
		WHERE id = $1`,
		r.ID, r.Path, r.Wildcard, r.Capture, r.Draft, r.Permanent, string(d.Kind), d.Section, d.SiteSpace, d.Page,
		d.URL, r.UpdatedAt.UnixMicro())
	if err != nil {
		return fmt.Errorf("update redirect: %w", err)
	}
	return nil
}

// Delete removes a redirect.
func Delete(ctx context.Context, q db.Querier, redirectID string) error {
	if _, err := q.ExecContext(ctx, `DELETE FROM site_redirect WHERE id = $1`, redirectID); err != nil {
		return fmt.Errorf("delete redirect: %w", err)
	}
	return nil
}

// Count returns how many redirects a site has, drafts included.
func Count(ctx context.Context, q db.Querier, siteID id.Site) (int, error) {
	var count int
	if err := q.QueryRowContext(ctx, `SELECT count(*) FROM site_redirect WHERE site_id = $1`,
		siteID).Scan(&count); err != nil {
		return 0, fmt.Errorf("count redirects: %w", err)
	}
	return count, nil
}

// ByID returns a redirect of a site; errs.NotFound when there is none.
func ByID(ctx context.Context, q db.Querier, siteID id.Site, redirectID string) (Redirect, error) {
	if !field.Storable(redirectID) {
		return Redirect{}, NotFound()
	}
	found, err := db.One(ctx, q, "select redirect", scan, `SELECT `+columns+
		` FROM site_redirect WHERE id = $1 AND site_id = $2`, redirectID, siteID)
	if errors.Is(err, db.ErrNoRows) {
		return Redirect{}, NotFound()
	}
	return found, err
}

// For returns the redirect that works for a path of a site, decoded and with a slash in front, and what its star
// stands for when it captures that. An exact source comes before a wildcard, and of these the longest.
func For(ctx context.Context, q db.Querier, siteID id.Site, path string) (found Redirect, captured string, err error) {
	if len(path) > MaxSource*utf8.UTFMax || !field.Storable(path) {
		return Redirect{}, "", NotFound()
	}
	found, err = bySource(ctx, q, siteID, path)
	if composed := norm.NFC.String(path); errs.Is(err, errs.NotFound) && composed != path {
		path = composed
		found, err = bySource(ctx, q, siteID, path)
	}
	if err == nil && found.Wildcard && found.Capture {
		captured = strings.TrimSuffix(strings.TrimPrefix(path+"/", found.Path), "/")
	}
	return found, captured, err
}

// bySource returns the redirect that works for a path in this very spelling.
func bySource(ctx context.Context, q db.Querier, siteID id.Site, path string) (Redirect, error) {
	for _, condition := range []string{
		`source = $2 AND NOT wildcard`,
		`wildcard AND substr($2 || '/', 1, length(source)) = source`,
	} {
		one, found, err := db.Find(ctx, q, "select redirect by source", scan, `
			SELECT `+columns+` FROM site_redirect WHERE site_id = $1 AND NOT draft AND `+condition+`
			ORDER BY length(source) DESC LIMIT 1`, siteID, path)
		if err != nil || found {
			return one, err
		}
	}
	return Redirect{}, NotFound()
}

// Filter narrows List.
type Filter struct {
	// Search is a part of the source; "" for any.
	Search string
	// Draft asks for drafts in place of those that work.
	Draft bool
	// OrderBy is createdAt, updatedAt or source; "" is createdAt.
	OrderBy string
}

func (f Filter) column() string {
	switch f.OrderBy {
	case "updatedAt":
		return "updated_at"
	case "source":
		return "source"
	}
	return "created_at"
}

// Keys returns the keys of a redirect in the order of the filter, for the cursor behind it.
func (f Filter) Keys(r Redirect) []string {
	switch f.column() {
	case "updated_at":
		return []string{strconv.FormatInt(r.UpdatedAt.UnixMicro(), 10), r.ID}
	case "source":
		return []string{r.Path, r.ID}
	}
	return []string{strconv.FormatInt(r.CreatedAt.UnixMicro(), 10), r.ID}
}

// List returns up to one more than a page of redirects, and how many there are in all under the filter.
func List(ctx context.Context, q db.Querier, siteID id.Site, filter Filter,
	page paging.Request) ([]Redirect, int, error) {
	if !field.Storable(filter.Search) {
		return nil, 0, nil
	}
	condition, args := `site_id = $1 AND draft = $2`, []any{siteID, filter.Draft}
	if filter.Search != "" {
		args = append(args, db.LikePattern(filter.Search))
		condition += ` AND source LIKE ` + db.Placeholders(len(args), 1) + ` ESCAPE '!'`
	}
	var count int
	if err := q.QueryRowContext(ctx, `SELECT count(*) FROM site_redirect WHERE `+condition,
		args...).Scan(&count); err != nil {
		return nil, 0, fmt.Errorf("count redirects: %w", err)
	}
	column := filter.column()
	if page.After != nil {
		if len(page.After) != 2 {
			return nil, 0, errs.Invalidf("query.page",
				"is not a cursor of this list; leave it out to start from the beginning")
		}
		var key any = page.After[0]
		if column != "source" {
			micros, err := strconv.ParseInt(page.After[0], 10, 64)
			if err != nil {
				return nil, 0, errs.Invalidf("query.page",
					"is not a cursor of this list; leave it out to start from the beginning")
			}
			key = micros
		}
		args = append(args, key, page.After[1])
		condition += ` AND (` + column + `, id) > (` + db.Placeholders(len(args)-1, 1) + `, ` +
			db.Placeholders(len(args), 1) + `)`
	}
	args = append(args, page.Size()+1)
	found, err := db.All(ctx, q, "list redirects", scan, `
		SELECT `+columns+` FROM site_redirect WHERE `+condition+` ORDER BY `+column+`, id LIMIT `+
		db.Placeholders(len(args), 1), args...)
	return found, count, err
}
