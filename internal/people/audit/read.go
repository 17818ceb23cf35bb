package audit

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/rectodocs/recto/internal/base/field"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Filter narrows a list of entries; its zero value lists all of an organization.
type Filter struct {
	// Actor is the id of a user.
	Actor string
	// Action is what was done, such as "member.remove".
	Action string
	// Target is the id of what it was done to.
	Target string
	// From and To bound when it was done: at From or later, before To. Zero means no bound.
	From, To time.Time
}

func (f Filter) check() error {
	for path, text := range map[string]string{"query.actor": f.Actor, "query.action": f.Action,
		"query.target": f.Target} {
		if _, err := field.Text(path, text, 0, 200); err != nil {
			return err
		}
	}
	return nil
}

// Reader reads the logs. It checks no access: its callers ask for admins only.
type Reader struct{ db *db.DB }

// NewReader returns a Reader.
func NewReader(d *db.DB) *Reader { return &Reader{db: d} }

// List returns a page of the entries of an organization, the latest first, with the number of all under the same filter
// and the keys of the next page (nil on the last).
func (r *Reader) List(ctx context.Context, organizationID id.Organization, filter Filter,
	page paging.Request) (entries paging.Page[Entry], err error) {
	if err := filter.check(); err != nil {
		return paging.Page[Entry]{}, err
	}
	at, last, err := page.Time(math.MaxInt64, "")
	if err != nil {
		return paging.Page[Entry]{}, err
	}
	err = r.db.Snapshot(ctx, func(ctx context.Context, q db.Querier) error {
		condition, args := filter.condition(organizationID)
		if err := q.QueryRowContext(ctx, `SELECT count(*) FROM audit_entry a WHERE `+condition,
			args...).Scan(&entries.Count); err != nil {
			return fmt.Errorf("count audit entries: %w", err)
		}
		entries.Items, err = list(ctx, q, organizationID, filter, at, last, page.Size()+1)
		return err
	})
	if err != nil {
		return paging.Page[Entry]{}, err
	}
	entries.Cut(page.Size(), func(e Entry) []string {
		return []string{strconv.FormatInt(e.CreatedAt.UnixMicro(), 10), e.ID}
	})
	return entries, nil
}

// exportBatch is how many entries an export reads at once.
const exportBatch = 500

// Check returns what is wrong with a filter, before an export begins.
func (r *Reader) Check(filter Filter) error { return filter.check() }

// Export gives all entries of an organization under a filter to each, the latest first, and ends with its first error.
// It reads in small parts, so that a slow reader holds nothing up; entries that are written meanwhile are not in it.
func (r *Reader) Export(ctx context.Context, organizationID id.Organization, filter Filter,
	each func(Entry) error) error {
	if err := filter.check(); err != nil {
		return err
	}
	at, last := int64(math.MaxInt64), ""
	for {
		entries, err := list(ctx, r.db.Read(), organizationID, filter, at, last, exportBatch)
		if err != nil {
			return err
		}
		for _, entry := range entries {
			if err := each(entry); err != nil {
				return err
			}
		}
		if len(entries) < exportBatch {
			return nil
		}
		end := entries[len(entries)-1]
		at, last = end.CreatedAt.UnixMicro(), end.ID
	}
}

// condition is the SQL of a filter on audit_entry a, with its arguments.
func (f Filter) condition(organizationID id.Organization) (string, db.Args) {
	condition, args := `a.organization_id = $1`, db.Args{organizationID}
	for _, term := range []struct{ column, value string }{{"actor_id", f.Actor}, {"action", f.Action},
		{"target_id", f.Target}} {
		if term.value != "" {
			condition += ` AND a.` + term.column + ` = ` + args.Add(term.value)
		}
	}
	if !f.From.IsZero() {
		condition += ` AND a.created_at >= ` + args.Add(f.From.UnixMicro())
	}
	if !f.To.IsZero() {
		condition += ` AND a.created_at < ` + args.Add(f.To.UnixMicro())
	}
	return condition, args
}

// statement is the list of a filter's entries before a place, the latest first.
func statement(organizationID id.Organization, filter Filter, at int64, last string, limit int) (string, []any) {
	condition, args := filter.condition(organizationID)
	query := `
		SELECT a.id, a.actor_id, a.token_id, a.action, a.target_kind, a.target_id, a.target_title, a.details, a.address,
		a.created_at
		FROM audit_entry a
		WHERE ` + condition + ` AND (a.created_at, a.id) < (` + args.Add(at) + `, ` + args.Add(last) + `)
		ORDER BY a.created_at DESC, a.id DESC LIMIT ` + args.Add(limit)
	return query, args
}

func list(ctx context.Context, q db.Querier, organizationID id.Organization, filter Filter, at int64, last string,
	limit int) ([]Entry, error) {
	query, args := statement(organizationID, filter, at, last, limit)
	return db.All(ctx, q, "list audit entries", func(row db.Scanner) (Entry, error) {
		return scan(row, organizationID)
	}, query, args...)
}

func scan(row db.Scanner, organizationID id.Organization) (Entry, error) {
	var (
		e         = Entry{Organization: organizationID}
		details   string
		createdAt int64
	)
	err := row.Scan(&e.ID, &e.Actor, &e.Token, &e.Action, &e.Target.Kind, &e.Target.ID, &e.Target.Title, &details,
		&e.Address, &createdAt)
	if err != nil {
		return Entry{}, fmt.Errorf("scan audit entry: %w", err)
	}
	if err := json.Unmarshal([]byte(details), &e.Details); err != nil {
		return Entry{}, fmt.Errorf("decode the details of %s: %w", e.ID, err)
	}
	e.CreatedAt = time.UnixMicro(createdAt).UTC()
	return e, nil
}
