package integration

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
)

// row is an installation as it is kept: that of an organization, or of a space or site below it.
type row struct {
	id                        string
	organization              id.Organization
	parent                    string
	space                     id.Space
	site                      id.Site // "" for none
	spaceSelection            Selection
	siteSelection             Selection
	sealed                    string // the configuration, "" for an empty one
	externalIDs               []string
	created, updated          time.Time
	external                  string // external_ids as it was read
	createdMicro, updateMicro int64
}

// root is the installation of an organization, with what it needs to know of its integration.
type root struct {
	row
	integrationID             id.Integration
	version                   int64
	integration, title        string
	owner                     id.Organization
	visibility                Visibility
	target                    Target
	configurations            Configurations
	selectedSpaces, allSpaces int
}

// below is a new row for a space or site.
func (r root) below(kind Kind, contentID string, now time.Time) row {
	made := row{
		id: newID(), organization: r.organization, parent: r.id, spaceSelection: SelectSelected,
		siteSelection: SelectSelected,
		externalIDs:   []string{}, created: now, updated: now,
	}
	if kind == OnSpaces {
		made.space = id.Space(contentID)
	} else {
		made.site = id.Site(contentID)
	}
	return made
}

// insertInstallation adds an installation, and reports false when there is one at the same place.
func insertInstallation(ctx context.Context, q db.Querier, integrationID id.Integration, r row) (bool, error) {
	result, err := q.ExecContext(ctx, `
		INSERT INTO integration_installation (id, integration_id, organization_id, parent_id, space_id, site_id,
		space_selection,
			site_selection, configuration, external_ids, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, '', '[]', $9, $9)
		ON CONFLICT DO NOTHING`,
		r.id, integrationID, r.organization, db.NullText(r.parent), db.NullText(r.space), db.NullText(r.site),
		string(r.spaceSelection), string(r.siteSelection), r.created.UnixMicro())
	if err != nil {
		return false, fmt.Errorf("insert installation: %w", err)
	}
	count, err := result.RowsAffected()
	return count == 1, err
}

func updateInstallation(ctx context.Context, q db.Querier, r row) error {
	external, err := json.Marshal(emptyFor(r.externalIDs))
	if err != nil {
		return fmt.Errorf("encode external ids: %w", err)
	}
	_, err = q.ExecContext(ctx, `
		UPDATE integration_installation SET space_selection = $2, site_selection = $3, configuration = $4,
		external_ids = $5, updated_at = $6
		WHERE id = $1`,
		r.id, string(r.spaceSelection), string(r.siteSelection), r.sealed, string(external), r.updated.UnixMicro())
	if err != nil {
		return fmt.Errorf("update installation: %w", err)
	}
	if _, err := q.ExecContext(ctx, `DELETE FROM integration_external_id WHERE installation_id = $1`,
		r.id); err != nil {
		return fmt.Errorf("clear external ids: %w", err)
	}
	for _, each := range r.externalIDs {
		_, err := q.ExecContext(ctx,
			`INSERT INTO integration_external_id (external_id, installation_id) VALUES ($1, $2)`, each, r.id)
		if err != nil {
			return fmt.Errorf("write external id: %w", err)
		}
	}
	return nil
}

func removeInstallation(ctx context.Context, q db.Querier, installationID string) error {
	if _, err := q.ExecContext(ctx, `DELETE FROM integration_installation WHERE id = $1`, installationID); err != nil {
		return fmt.Errorf("remove installation: %w", err)
	}
	return nil
}

func countInstalled(ctx context.Context, q db.Querier, organization id.Organization) (int, error) {
	var count int
	err := q.QueryRowContext(ctx,
		`SELECT count(*) FROM integration_installation WHERE organization_id = $1 AND parent_id IS NULL`, organization).
		Scan(&count)
	if err != nil {
		return 0, fmt.Errorf("count installations: %w", err)
	}
	return count, nil
}

// rowColumns need the table integration_installation under the alias n.
const rowColumns = `n.id, n.organization_id, n.parent_id, n.space_id, n.site_id, n.space_selection, n.site_selection, n.configuration,
	n.external_ids, n.created_at, n.updated_at`

// fields are where rowColumns are scanned to; read turns them into what they mean.
func (r *row) fields() []any {
	return []any{
		&r.id, &r.organization, orEmpty(&r.parent), orEmpty(&r.space), orEmpty(&r.site), &r.spaceSelection,
		&r.siteSelection, &r.sealed,
		&r.external, &r.createdMicro, &r.updateMicro,
	}
}

func (r *row) read() error {
	r.created, r.updated = time.UnixMicro(r.createdMicro).UTC(), time.UnixMicro(r.updateMicro).UTC()
	if err := json.Unmarshal([]byte(r.external), &r.externalIDs); err != nil {
		return fmt.Errorf("decode external ids of %s: %w", r.id, err)
	}
	return nil
}

// nullable scans NULL as an empty text.
type nullable[T ~string] struct{ into *T }

// Scan implements sql.Scanner.
func (n nullable[T]) Scan(value any) error {
	var text sql.Null[string]
	if err := text.Scan(value); err != nil {
		return err
	}
	*n.into = T(text.V)
	return nil
}

func orEmpty[T ~string](into *T) nullable[T] { return nullable[T]{into} }

// rootColumns need integration as i as well.
const rootColumns = rowColumns + `, i.id, i.version, i.name, i.title, i.organization_id, i.visibility, i.target, i.configurations,
	(SELECT count(*) FROM integration_installation c JOIN space cs ON cs.id = c.space_id WHERE c.parent_id = n.id
	AND cs.deleted_at IS NULL),
	(SELECT count(*) FROM space os WHERE os.organization_id = n.organization_id AND os.deleted_at IS NULL)`

const rootTables = `integration_installation n JOIN integration i ON i.id = n.integration_id`

func (r *root) scan(from db.Scanner, more ...any) error {
	var configurations string
	into := append(r.fields(), &r.integrationID, &r.version, &r.integration, &r.title, &r.owner, &r.visibility,
		&r.target, &configurations,
		&r.selectedSpaces, &r.allSpaces)
	if err := from.Scan(append(into, more...)...); err != nil {
		return err
	}
	if err := json.Unmarshal([]byte(configurations), &r.configurations); err != nil {
		return fmt.Errorf("decode configurations of %s: %w", r.integrationID, err)
	}
	return r.read()
}

// rootByID returns an organization's installation of an integration, whoever asks.
func rootByID(ctx context.Context, q db.Querier, name, installationID string) (root, error) {
	if checkName(name) != nil || !id.Valid("installation", installationID) {
		return root{}, noInstallation()
	}
	var r root
	err := r.scan(q.QueryRowContext(ctx, `
		SELECT `+rootColumns+` FROM `+rootTables+` WHERE n.id = $1 AND n.parent_id IS NULL AND i.name_key = $2`,
		installationID, nameKey(name)))
	if errors.Is(err, db.ErrNoRows) {
		return root{}, noInstallation()
	}
	if err != nil {
		return root{}, fmt.Errorf("read installation: %w", err)
	}
	return r, nil
}

// rootsOf returns the installations of an integration in organizations where the caller may list them, by their id. An
// organization has one, so there are no more than the caller has organizations.
func rootsOf(ctx context.Context, q db.Querier, caller account.Caller, integrationID id.Integration,
	externalID string) ([]root, error) {
	if caller.IsAgent() {
		return rootsOfAgent(ctx, q, caller.Agent, integrationID, externalID)
	}
	condition, args := ``, []any{caller.User.ID, integrationID, caller.Reach()}
	if externalID != "" {
		condition =
			` AND EXISTS (SELECT 1 FROM integration_external_id e WHERE e.external_id = $4
				AND e.installation_id = n.id)`
		args = append(args, externalID)
	}
	return queryRoots(ctx, q, `
		SELECT `+rootColumns+` FROM `+rootTables+` JOIN organization_member m ON m.organization_id = n.organization_id
		WHERE m.user_id = $1 AND `+account.ReachCondition("m.organization_id", "$3")+
		` AND m.role IN ('create', 'admin') AND n.integration_id = $2 AND n.parent_id IS NULL`+condition+
		` ORDER BY n.id`, args...)
}

// rootsOfAgent is rootsOf for the integration itself: all of its installations, or the one that it calls for.
func rootsOfAgent(ctx context.Context, q db.Querier, agent account.Agent, integrationID id.Integration,
	externalID string) ([]root, error) {
	if agent.Integration != integrationID {
		return nil, nil
	}
	args := db.Args{integrationID}
	condition := ``
	if agent.Installation != "" {
		condition += ` AND n.id = ` + args.Add(agent.Installation)
	}
	if externalID != "" {
		condition += ` AND EXISTS (SELECT 1 FROM integration_external_id e WHERE e.external_id = ` +
			args.Add(externalID) + ` AND e.installation_id = n.id)`
	}
	return queryRoots(ctx, q, `SELECT `+rootColumns+` FROM `+rootTables+
		` WHERE n.integration_id = $1 AND n.parent_id IS NULL`+condition+` ORDER BY n.id`, args...)
}

// rootsIn returns the installations of an organization by the id of their integration; there are maxInstalled at most.
func rootsIn(ctx context.Context, q db.Querier, organization id.Organization) (map[id.Integration]root, error) {
	roots, err := queryRoots(ctx, q, `SELECT `+rootColumns+` FROM `+rootTables+
		` WHERE n.organization_id = $1 AND n.parent_id IS NULL`, organization)
	by := make(map[id.Integration]root, len(roots))
	for _, r := range roots {
		by[r.integrationID] = r
	}
	return by, err
}

func queryRoots(ctx context.Context, q db.Querier, query string, args ...any) ([]root, error) {
	return db.All(ctx, q, "list installations", func(row db.Scanner) (root, error) {
		var r root
		if err := r.scan(row); err != nil {
			return root{}, err
		}
		return r, nil
	}, query, args...)
}

func siteIn(ctx context.Context, q db.Querier, organization id.Organization, siteID id.Site) (bool, error) {
	if !id.Valid("site", siteID) {
		return false, nil
	}
	var there bool
	err := q.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM site WHERE id = $1 AND organization_id = $2)`, siteID,
		organization).Scan(&there)
	if err != nil {
		return false, fmt.Errorf("look for site: %w", err)
	}
	return there, nil
}

// contentIn reports whether a space, which is not in the trash, or a site is an organization's.
func contentIn(ctx context.Context, q db.Querier, organization id.Organization, kind Kind,
	contentID string) (bool, error) {
	if kind == OnSites {
		return siteIn(ctx, q, organization, id.Site(contentID))
	}
	if !id.Valid("space", contentID) {
		return false, nil
	}
	var there bool
	err := q.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM space WHERE id = $1 AND organization_id = $2 AND
		deleted_at IS NULL)`, contentID, organization).Scan(&there)
	if err != nil {
		return false, fmt.Errorf("look for space: %w", err)
	}
	return there, nil
}

// contentRow returns what is kept for a space or site below an organization's installation.
func contentRow(ctx context.Context, q db.Querier, parent string, kind Kind, contentID string) (row, bool, error) {
	var r row
	err := q.QueryRowContext(ctx, `
		SELECT `+rowColumns+` FROM integration_installation n WHERE n.parent_id = $1 AND n.`+string(kind)+`_id = $2`,
		parent, contentID).Scan(r.fields()...)
	if errors.Is(err, db.ErrNoRows) {
		return row{}, false, nil
	}
	if err == nil {
		err = r.read()
	}
	if err != nil {
		return row{}, false, fmt.Errorf("read installation on %s: %w", kind, err)
	}
	return r, true, nil
}

// contentQuery asks for the spaces or sites that an installation takes in.
type contentQuery struct {
	root         root
	kind         Kind
	organization access.Organization
	agent        bool // the integration itself asks, which sees all that it is installed on
	externalID   string
}

// from returns the tables and the condition, with the arguments: content is s, what is kept for it n.
func (w contentQuery) from() (string, db.Args) {
	table, column := string(w.kind), `n.`+string(w.kind)+`_id`
	args := db.Args{w.root.id, w.root.organization}
	condition := ` WHERE s.organization_id = $2`
	tables := `integration_installation n JOIN ` + table + ` s ON s.id = ` + column
	if w.root.selection(w.kind) == SelectAll && w.root.fits(w.kind) {
		tables = table + ` s LEFT JOIN integration_installation n ON n.parent_id = $1 AND ` + column + ` = s.id`
	} else {
		condition += ` AND n.parent_id = $1`
	}
	if w.kind == OnSpaces {
		condition += ` AND s.deleted_at IS NULL`
		if !w.agent {
			condition += ` AND ` + access.ReadableSpaces(w.organization, &args)
		}
	}
	if w.externalID != "" {
		condition += ` AND EXISTS (SELECT 1 FROM integration_external_id e WHERE e.external_id = ` +
			args.Add(w.externalID) + ` AND e.installation_id = n.id)`
	}
	return tables + condition, args
}

func (w contentQuery) count(ctx context.Context, q db.Querier) (int, error) {
	from, args := w.from()
	var count int
	if err := q.QueryRowContext(ctx, `SELECT count(*) FROM `+from, args...).Scan(&count); err != nil {
		return 0, fmt.Errorf("count what an installation takes in: %w", err)
	}
	return count, nil
}

// listedRow is a space or site with what is kept for it.
type listedRow struct {
	content string
	row     row
}

func (w contentQuery) rows(ctx context.Context, q db.Querier, after string, limit int) ([]listedRow, error) {
	from, args := w.from()
	query := `SELECT s.id, n.id, n.configuration, n.external_ids FROM ` + from + ` AND s.id > ` + args.Add(after) +
		` ORDER BY s.id LIMIT ` + args.Add(limit)
	return db.All(ctx, q, "list what an installation takes in", func(r db.Scanner) (listedRow, error) {
		one := listedRow{row: row{externalIDs: []string{}}}
		var external string
		if err := r.Scan(&one.content, orEmpty(&one.row.id), orEmpty(&one.row.sealed),
			orEmpty(&external)); err != nil {
			return listedRow{}, err
		}
		if external != "" {
			if err := json.Unmarshal([]byte(external), &one.row.externalIDs); err != nil {
				return listedRow{}, fmt.Errorf("decode external ids: %w", err)
			}
		}
		return one, nil
	}, query, args...)
}
