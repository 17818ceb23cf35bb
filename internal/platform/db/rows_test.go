package db_test

import (
	"context"
	"database/sql"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

const counterNames = `SELECT id FROM counter WHERE id <> $1 ORDER BY id`

func TestAll(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		counterTable(t, d)
		all, err := db.All(t.Context(), d.Read(), "list counters", db.Column[string], counterNames, "c")
		if err != nil || !slices.Equal(all, []string{"a", "b"}) {
			t.Error(all, err)
		}
		none, err := db.All(t.Context(), d.Read(), "list counters", db.Column[string],
			`SELECT id FROM counter WHERE id = $1`, "c")
		if err != nil || none != nil {
			t.Error(none, err)
		}
		rows := 0
		all, err = db.All(t.Context(), d.Read(), "list counters", func(row db.Scanner) (string, error) {
			rows++
			return "", errStop
		}, counterNames, "c")
		if !errors.Is(err, errStop) || err.Error() != "list counters: stop" || all != nil || rows != 1 {
			t.Error(all, rows, err)
		}
		_, err = db.All(t.Context(), d.Read(), "", db.Column[string], `SELECT id FROM no_table`)
		if err == nil || strings.HasPrefix(err.Error(), ":") {
			t.Error(err)
		}
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err = db.All(ended, d.Read(), "list counters", db.Column[string], counterNames, "c"); !errors.Is(err,
			context.Canceled) {
			t.Error(err)
		}
	})
}

// TestRowsThatFailTheirTransaction holds that a statement which fails while its rows are read has failed, and that what
// a caller makes of a row has not.
func TestRowsThatFailTheirTransaction(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		counterTable(t, d)
		if _, err := d.Write().ExecContext(t.Context(), `UPDATE counter SET value = $1 WHERE id = 'b'`,
			int64(math.MinInt64)); err != nil {
			t.Fatal(err)
		}
		err := d.Tx(t.Context(), func(ctx context.Context, q db.Querier) error {
			_, err := db.All(ctx, q, "list counters", db.Column[int64], `SELECT abs(value) FROM counter ORDER BY id`)
			if err == nil {
				t.Error("the smallest number has an absolute value")
			}
			return nil
		})
		if err == nil {
			t.Error("a transaction commits though a statement in it failed")
		}
		err = d.Tx(t.Context(), func(ctx context.Context, q db.Querier) error {
			err := db.Each(ctx, q, "list counters", func(db.Scanner) error { return errStop }, counterNames, "c")
			if !errors.Is(err, errStop) {
				t.Error(err)
			}
			return set(ctx, q, "a", 1)
		})
		if err != nil {
			t.Error(err)
		}
	})
}

func TestOneAndFind(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		counterTable(t, d)
		const byName = `SELECT id FROM counter WHERE id = $1`
		name, err := db.One(t.Context(), d.Read(), "read counter", db.Column[string], byName, "a")
		if err != nil || name != "a" {
			t.Error(name, err)
		}
		_, err = db.One(t.Context(), d.Read(), "read counter", db.Column[string], byName, "c")
		if !errors.Is(err, db.ErrNoRows) || !strings.HasPrefix(err.Error(), "read counter: ") {
			t.Error(err)
		}
		name, found, err := db.Find(t.Context(), d.Read(), "look for counter", db.Column[string], byName, "b")
		if err != nil || !found || name != "b" {
			t.Error(name, found, err)
		}
		name, found, err = db.Find(t.Context(), d.Read(), "look for counter", db.Column[string], byName, "c")
		if err != nil || found || name != "" {
			t.Error(name, found, err)
		}
		if _, found, err = db.Find(t.Context(), d.Read(), "look for counter", db.Column[string],
			`SELECT id FROM no_table`); err == nil || found {
			t.Error(found, err)
		}
	})
}

func TestNullColumns(t *testing.T) {
	if db.NullText("").Valid || db.NullText("a") != (sql.Null[string]{V: "a", Valid: true}) {
		t.Error(db.NullText(""), db.NullText("a"))
	}
	at := time.UnixMicro(1_700_000_000_000_001).UTC()
	if db.NullMicros(time.Time{}).Valid || !db.NullTime(db.NullMicros(time.Time{})).IsZero() ||
		db.NullTime(db.NullMicros(at)) != at {
		t.Error(db.NullMicros(time.Time{}), db.NullTime(db.NullMicros(at)))
	}
}

// TestTypedIDs holds that types over text are bound and read as the texts that they are, in lists and columns that may
// be NULL, too.
func TestTypedIDs(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		exec(t, d, `CREATE TABLE named (id TEXT PRIMARY KEY, parent TEXT)`)
		for _, row := range [][2]id.Space{{"space_a", ""}, {"space_b", "space_a"}, {"space_c", "space_b"}} {
			if _, err := d.Write().ExecContext(t.Context(), `INSERT INTO named (id, parent) VALUES ($1, $2)`, row[0],
				db.NullText(row[1])); err != nil {
				t.Fatal(err)
			}
		}
		found, err := db.All(t.Context(), d.Read(), "list", db.Column[id.Space],
			`SELECT id FROM named WHERE parent = $1 OR id IN (`+db.Placeholders(2, 2)+`) ORDER BY id`,
			id.Space("space_a"), id.Space("space_c"), sql.Null[id.Space]{})
		if err != nil || !slices.Equal(found, []id.Space{"space_b", "space_c"}) {
			t.Errorf("listed %q, %v", found, err)
		}
		parents, err := db.All(t.Context(), d.Read(), "list", db.Column[sql.Null[id.Space]],
			`SELECT parent FROM named WHERE id <> $1 ORDER BY id`, sql.Null[id.Space]{V: "space_c", Valid: true})
		if err != nil || !slices.Equal(parents, []sql.Null[id.Space]{{}, {V: "space_a", Valid: true}}) {
			t.Errorf("parents are %v, %v", parents, err)
		}
	})
}
