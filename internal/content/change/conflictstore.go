package change

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/engine/merge"
	"github.com/rectodocs/recto/internal/platform/db"
)

// update is an update of a change request that met conflicts: the three revisions that were merged.
type update struct {
	id              string
	base, own, main id.Revision
}

func insertUpdate(ctx context.Context, q db.Querier, requestID id.ChangeRequest, u update, at time.Time) error {
	_, err := q.ExecContext(ctx, `
		INSERT INTO change_request_update (id, change_request_id, base_revision_id, own_revision_id, main_revision_id,
		created_at)
		VALUES ($1, $2, $3, $4, $5, $6)`, u.id, requestID, u.base, u.own, u.main, at.UnixMicro())
	if err != nil {
		return fmt.Errorf("insert update: %w", err)
	}
	return nil
}

func updateByID(ctx context.Context, q db.Querier, updateID string) (update, error) {
	u := update{id: updateID}
	err := q.QueryRowContext(ctx,
		`SELECT base_revision_id, own_revision_id, main_revision_id FROM change_request_update WHERE id = $1`,
		updateID).
		Scan(&u.base, &u.own, &u.main)
	if err != nil {
		return update{}, fmt.Errorf("select update: %w", err)
	}
	return u, nil
}

// conflictData is what the column data holds.
type conflictData struct {
	Kind    merge.ConflictType `json:"kind"`
	Entries []string           `json:"entries"`
	Field   string             `json:"field,omitempty"`
	Parent  string             `json:"parent,omitempty"`
	Slug    string             `json:"slug,omitempty"`
	Base    any                `json:"base"`
	Main    any                `json:"main"`
	Own     any                `json:"own"`
	Hunks   []Hunk             `json:"hunks,omitempty"`
}

// putConflict stores an open conflict of an update, in place of open ones about the same.
func putConflict(ctx context.Context, q db.Querier, c Conflict) error {
	_, err := q.ExecContext(ctx,
		`DELETE FROM change_request_conflict WHERE change_request_id = $1 AND place = $2 AND status = 'open'`,
		c.Request, c.place())
	if err != nil {
		return fmt.Errorf("replace conflict: %w", err)
	}
	data, err := json.Marshal(conflictData{
		Kind: c.Kind, Entries: c.Entries, Field: c.Field, Parent: c.Parent, Slug: c.Slug, Base: c.Base, Main: c.Main,
		Own: c.Own, Hunks: c.Hunks,
	})
	if err != nil {
		return fmt.Errorf("encode conflict: %w", err)
	}
	_, err = q.ExecContext(ctx, `
		INSERT INTO change_request_conflict (change_request_id, id, update_id, position, place, status, data,
		created_at)
		VALUES ($1, $2, $3, $4, $5, 'open', $6, $7)
		ON CONFLICT (change_request_id, id) DO UPDATE SET update_id = excluded.update_id, position = excluded.position,
			place = excluded.place, status = excluded.status, data = excluded.data, choice = NULL, settled_by = NULL,
			settled_at = NULL,
			created_at = excluded.created_at`,
		c.Request, c.ID, c.update, c.position, c.place(), string(data), c.CreatedAt.UnixMicro())
	if err != nil {
		return fmt.Errorf("insert conflict: %w", err)
	}
	return nil
}

// dropConflict forgets an open conflict of an update that does not arise any more.
func dropConflict(ctx context.Context, q db.Querier, requestID id.ChangeRequest, conflictID string, met update) error {
	_, err := q.ExecContext(ctx, `
		DELETE FROM change_request_conflict WHERE change_request_id = $1 AND id = $2 AND update_id = $3
		AND status = 'open'`, requestID, conflictID, met.id)
	if err != nil {
		return fmt.Errorf("delete conflict: %w", err)
	}
	return nil
}

// setSettled stores how an open conflict was settled, and reports whether it was open.
func setSettled(ctx context.Context, q db.Querier, requestID id.ChangeRequest, conflictID string, choice merge.Choice,
	userID id.User, at time.Time) (bool, error) {
	encoded, err := json.Marshal(choice)
	if err != nil {
		return false, fmt.Errorf("encode choice: %w", err)
	}
	result, err := q.ExecContext(ctx, `
		UPDATE change_request_conflict SET status = 'settled', choice = $3, settled_by = $4, settled_at = $5
		WHERE change_request_id = $1 AND id = $2 AND status = 'open'`, requestID, conflictID, string(encoded), userID,
		at.UnixMicro())
	if err != nil {
		return false, fmt.Errorf("settle conflict: %w", err)
	}
	n, err := result.RowsAffected()
	if err != nil {
		return false, fmt.Errorf("settle conflict: %w", err)
	}
	return n == 1, nil
}

const conflictColumns = `x.id, x.update_id, x.position, x.data, x.choice, x.settled_by, x.settled_at, x.created_at`

func conflictByID(ctx context.Context, q db.Querier, requestID id.ChangeRequest, conflictID string) (Conflict, error) {
	found, err := queryConflicts(ctx, q, requestID, `
		SELECT `+conflictColumns+` FROM change_request_conflict x WHERE x.change_request_id = $1 AND x.id = $2`,
		requestID, conflictID)
	if err == nil && len(found) == 0 {
		err = errs.NotFoundf(
			"The change request has no such conflict; a later update may have replaced it. List the conflicts again.")
	}
	if err != nil {
		return Conflict{}, err
	}
	return found[0], nil
}

// openConflicts returns the first page of the open conflicts of a change request.
func openConflicts(ctx context.Context, q db.Querier, requestID id.ChangeRequest) ([]Conflict, error) {
	conflicts, _, err := listConflicts(ctx, q, requestID, false, paging.Request{Limit: paging.MaxLimit})
	return conflicts, err
}

// listConflicts returns up to one more than a page of the open or settled conflicts, in the order in which updates met
// them, and how many there are in all.
func listConflicts(ctx context.Context, q db.Querier, requestID id.ChangeRequest, settled bool,
	page paging.Request) ([]Conflict, int, error) {
	status := "open"
	if settled {
		status = "settled"
	}
	after, err := conflictPlaceOf(page)
	if err != nil {
		return nil, 0, err
	}
	var count int
	err = q.QueryRowContext(ctx,
		`SELECT count(*) FROM change_request_conflict WHERE change_request_id = $1 AND status = $2`, requestID,
		status).Scan(&count)
	if err != nil {
		return nil, 0, fmt.Errorf("count conflicts: %w", err)
	}
	conflicts, err := queryConflicts(ctx, q, requestID, `
		SELECT `+conflictColumns+` FROM change_request_conflict x
		WHERE x.change_request_id = $1 AND x.status = $2 AND (x.created_at, x.position, x.id) > ($3, $4, $5)
		ORDER BY x.created_at, x.position, x.id LIMIT $6`, requestID, status, after.created, after.position, after.id,
		page.Size()+1)
	return conflicts, count, err
}

// conflictPlace is where a conflict is in the list of all: those that no update has met come last.
type conflictPlace struct {
	created, position int64
	id                string
}

func (c Conflict) placeInList() conflictPlace {
	at := conflictPlace{created: c.CreatedAt.UnixMicro(), position: int64(c.position), id: c.ID}
	if c.Ahead {
		at.created = math.MaxInt64
	}
	return at
}

func (p conflictPlace) keys() []string {
	return []string{strconv.FormatInt(p.created, 10), strconv.FormatInt(p.position, 10), p.id}
}

func (p conflictPlace) compare(other conflictPlace) int {
	return cmp.Or(cmp.Compare(p.created, other.created), cmp.Compare(p.position, other.position),
		cmp.Compare(p.id, other.id))
}

// conflictPlaceOf is where a page begins.
func conflictPlaceOf(page paging.Request) (conflictPlace, error) {
	if page.After == nil {
		return conflictPlace{}, nil
	}
	if len(page.After) != 3 {
		return conflictPlace{}, badCursor()
	}
	created, err := strconv.ParseInt(page.After[0], 10, 64)
	if err != nil {
		return conflictPlace{}, badCursor()
	}
	position, err := strconv.ParseInt(page.After[1], 10, 64)
	if err != nil {
		return conflictPlace{}, badCursor()
	}
	return conflictPlace{created: created, position: position, id: page.After[2]}, nil
}

func badCursor() error {
	return errs.Invalidf("query.page", "is not a cursor of this list; leave it out to start from the beginning")
}

func queryConflicts(ctx context.Context, q db.Querier, requestID id.ChangeRequest, query string,
	args ...any) ([]Conflict, error) {
	return db.All(ctx, q, "list conflicts", func(row db.Scanner) (Conflict, error) {
		var (
			c         Conflict
			data      string
			choice    sql.Null[string]
			settledBy sql.Null[id.User]
			settledAt sql.Null[int64]
			createdAt int64
		)
		if err := row.Scan(&c.ID, &c.update, &c.position, &data, &choice, &settledBy, &settledAt,
			&createdAt); err != nil {
			return Conflict{}, err
		}
		if err := c.decode(requestID, data, choice); err != nil {
			return Conflict{}, fmt.Errorf("decode conflict %s: %w", c.ID, err)
		}
		c.SettledBy, c.CreatedAt = settledBy.V, time.UnixMicro(createdAt).UTC()
		if settledAt.Valid {
			c.SettledAt = time.UnixMicro(settledAt.V).UTC()
		}
		return c, nil
	}, query, args...)
}

// decode fills in what is stored as JSON.
func (c *Conflict) decode(requestID id.ChangeRequest, data string, choice sql.Null[string]) error {
	var d conflictData
	if err := json.Unmarshal([]byte(data), &d); err != nil {
		return err
	}
	c.Request, c.Kind, c.Entries, c.Field, c.Parent, c.Slug = requestID, d.Kind, d.Entries, d.Field, d.Parent, d.Slug
	c.Base, c.Main, c.Own, c.Hunks = d.Base, d.Main, d.Own, d.Hunks
	if !choice.Valid {
		return nil
	}
	var taken merge.Choice
	if err := json.Unmarshal([]byte(choice.V), &taken); err != nil {
		return err
	}
	c.Settled = settlementOf(taken)
	return nil
}

// choicesOf returns how the conflicts of a change request were settled, by their ids.
func choicesOf(ctx context.Context, q db.Querier, requestID id.ChangeRequest) (map[string]merge.Choice, error) {
	choices := map[string]merge.Choice{}
	err := db.Each(ctx, q, "list settlements", func(row db.Scanner) error {
		var conflictID, encoded string
		if err := row.Scan(&conflictID, &encoded); err != nil {
			return err
		}
		var choice merge.Choice
		if err := json.Unmarshal([]byte(encoded), &choice); err != nil {
			return fmt.Errorf("decode settlement of %s: %w", conflictID, err)
		}
		choices[conflictID] = choice
		return nil
	}, `SELECT id, choice FROM change_request_conflict WHERE change_request_id = $1 AND status = 'settled'`, requestID)
	return choices, err
}
