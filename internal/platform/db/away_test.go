package db_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// TestDatabaseAway holds that every way to use a database that cannot be reached says so, with an error that asks to
// come back, and that all of them work again once it is there.
func TestDatabaseAway(t *testing.T) {
	gate, address := dbtest.PostgresGate(t)
	d, err := db.Open(t.Context(), db.Config{URL: address, MaxConnections: 4})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	ways := map[string]func() error{
		"read": func() error {
			var one int
			return d.Read().QueryRowContext(t.Context(), `SELECT 1`).Scan(&one)
		},
		"rows": func() error {
			rows, err := d.Read().QueryContext(t.Context(), `SELECT name FROM instance_secret`)
			if err != nil {
				return err
			}
			defer rows.Close()
			for rows.Next() {
			}
			return rows.Err()
		},
		"write": func() error {
			_, err := d.Write().ExecContext(t.Context(), `DELETE FROM instance_secret WHERE name = $1`, "none")
			return err
		},
		"transaction": func() error {
			return d.Tx(t.Context(), func(ctx context.Context, q db.Querier) error {
				_, err := q.ExecContext(ctx, `DELETE FROM instance_secret WHERE name = $1`, "none")
				return err
			})
		},
		"snapshot": func() error {
			return d.Snapshot(t.Context(), func(ctx context.Context, q db.Querier) error {
				var one int
				return q.QueryRowContext(ctx, `SELECT 1`).Scan(&one)
			})
		},
		"cut in a transaction": func() error {
			return d.Tx(t.Context(), func(ctx context.Context, q db.Querier) error {
				if _, err := q.ExecContext(ctx, `DELETE FROM instance_secret WHERE name = $1`, "none"); err != nil {
					return err
				}
				gate.Shut()
				_, err := q.ExecContext(ctx, `DELETE FROM instance_secret WHERE name = $1`, "none")
				return err
			})
		},
		"cut before the commit": func() error {
			return d.Tx(t.Context(), func(ctx context.Context, q db.Querier) error {
				_, err := q.ExecContext(ctx, `DELETE FROM instance_secret WHERE name = $1`, "none")
				gate.Shut()
				return err
			})
		},
		"check": func() error { return d.Check(t.Context()) },
	}
	for name, way := range ways {
		cuts := name == "cut in a transaction" || name == "cut before the commit"
		if !cuts {
			if err := way(); err != nil {
				t.Errorf("%s, there: %v", name, err)
			}
			gate.Shut()
		}
		if err := way(); !errs.Is(err, errs.Unavailable) {
			t.Errorf("%s, away: %v", name, err)
		}
		gate.Open()
		deadline := time.Now().Add(30 * time.Second)
		for d.Check(t.Context()) != nil && time.Now().Before(deadline) {
			time.Sleep(10 * time.Millisecond)
		}
	}

	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := d.Tx(ended, func(context.Context, db.Querier) error { return nil }); !errors.Is(err, context.Canceled) ||
		errs.Is(err, errs.Unavailable) {
		t.Errorf("a caller who has gone: %v", err)
	}
	if err := d.Read().QueryRowContext(t.Context(), `SELECT 1 / 0`).Scan(new(int)); err == nil ||
		errs.Is(err, errs.Unavailable) {
		t.Errorf("a statement that is wrong: %v", err)
	}
}

// TestNoRoom holds that a database that cannot grow says so and goes on reading.
func TestNoRoom(t *testing.T) {
	d := dbtest.SQLite(t)
	if _, err := d.Write().ExecContext(t.Context(), `PRAGMA max_page_count = 1`); err != nil {
		t.Fatal(err)
	}
	err := d.Tx(t.Context(), func(ctx context.Context, q db.Querier) error {
		_, err := q.ExecContext(ctx, `INSERT INTO instance_secret (name, value) VALUES ('large', zeroblob(10000000))`)
		return err
	})
	if !errs.Is(err, errs.Unavailable) {
		t.Errorf("no room: %v", err)
	}
	var count int
	if err := d.Read().QueryRowContext(t.Context(), `SELECT COUNT(*) FROM instance_secret WHERE name = 'large'`).
		Scan(&count); err != nil || count != 0 {
		t.Errorf("%d rows, %v", count, err)
	}
}
