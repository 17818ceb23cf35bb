package db_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// TestStatementsAreReusedSafely runs the same text again while its rows are open, after a change of the tables, after
// an error and after a cancelled context.
func TestStatementsAreReusedSafely(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		exec(t, d, `CREATE TABLE item (id TEXT PRIMARY KEY, size BIGINT NOT NULL)`,
			`INSERT INTO item (id, size) VALUES ('a', 1), ('b', 2), ('c', 3)`)
		const query = `SELECT id FROM item WHERE size >= $1 ORDER BY id`
		names := func(ctx context.Context, q db.Querier, least int) (found string, err error) {
			rows, err := q.QueryContext(ctx, query, least)
			if err != nil {
				return "", err
			}
			defer rows.Close()
			for rows.Next() {
				var name string
				if err := rows.Scan(&name); err != nil {
					return "", err
				}
				found += name
			}
			return found, rows.Err()
		}
		check := func(what string, want string) {
			t.Helper()
			got, err := names(t.Context(), d.Read(), 2)
			if err != nil || got != want {
				t.Errorf("%s: got %q, error %v, want %q", what, got, err, want)
			}
		}
		check("first", "bc")
		check("again", "bc")

		cancelled, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := names(cancelled, d.Read(), 1); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled: got %v", err)
		}
		check("after a cancelled one", "bc")

		exec(t, d, `ALTER TABLE item ADD COLUMN note TEXT`, `INSERT INTO item (id, size, note) VALUES ('d', 4, 'x')`)
		check("after a new column", "bcd")

		for range 3 {
			err := d.Tx(t.Context(), func(ctx context.Context, q db.Querier) error {
				_, err := q.ExecContext(ctx, `INSERT INTO item (id, size) VALUES ($1, $2)`, "a", 1)
				return err
			})
			if !db.IsUnique(err) {
				t.Errorf("an insert that fails each time: got %v", err)
			}
		}
		// More texts than a connection keeps.
		for i := range 600 {
			var size int
			if err := d.Read().QueryRowContext(t.Context(), fmt.Sprintf(`SELECT size + %d FROM item WHERE id = $1`, i),
				"a").Scan(&size); err != nil || size != i+1 {
				t.Fatalf("statement %d: got %d, error %v", i, size, err)
			}
		}
		check("after many others", "bcd")
	})
}

// TestSameStatementTwiceAtOnce is for SQLite alone: PostgreSQL's protocol has one result at a time on a connection.
func TestSameStatementTwiceAtOnce(t *testing.T) {
	d := dbtest.SQLite(t)
	exec(t, d, `CREATE TABLE item (id BIGINT PRIMARY KEY)`, `INSERT INTO item (id) VALUES (1), (2), (3)`)
	pairs := 0
	err := d.Snapshot(t.Context(), func(ctx context.Context, q db.Querier) error {
		pairs = 0
		const query = `SELECT id FROM item WHERE id > $1`
		outer, err := q.QueryContext(ctx, query, 0)
		if err != nil {
			return err
		}
		defer outer.Close()
		for outer.Next() {
			inner, err := q.QueryContext(ctx, query, 1)
			if err != nil {
				return err
			}
			for inner.Next() {
				pairs++
			}
			if err := errors.Join(inner.Err(), inner.Close()); err != nil {
				return err
			}
		}
		return outer.Err()
	})
	if err != nil || pairs != 6 {
		t.Errorf("got %d pairs, error %v, want 6", pairs, err)
	}
}
