package dbtest_test

import (
	"fmt"
	"testing"

	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// TestDatabasesComeBackEmpty leaves all kinds of things in a database; the next one that is taken has none of them.
func TestDatabasesComeBackEmpty(t *testing.T) {
	const (
		rows   = `INSERT INTO instance_secret (name, value) VALUES ('a', 'b')`
		many   = `INSERT INTO instance_secret (name, value) SELECT repeat('x', 100) || n, 'b' FROM generate_series(1, 5000) n`
		tables = `CREATE TABLE stranger (id TEXT PRIMARY KEY)`
		column = `ALTER TABLE instance_secret ADD COLUMN stranger TEXT`
		gone   = `DROP TABLE schema_migration`
	)
	empty := func(t *testing.T, d *db.DB) {
		t.Helper()
		for question, want := range map[string]int{
			`SELECT count(*) FROM instance_secret`:                                      0,
			`SELECT count(*) FROM pg_class WHERE relname = 'stranger'`:                  0,
			`SELECT count(*) FROM pg_attribute WHERE attname = 'stranger'`:              0,
			`SELECT count(*) FROM pg_stat_activity WHERE application_name = 'stranger'`: 0,
			`SELECT CASE WHEN count(*) > 10 THEN 1 ELSE 0 END FROM schema_migration`:    1,
			`SELECT count(*) FROM pg_class WHERE relname = 'schema_migration'`:          1,
		} {
			var got int
			if err := d.Read().QueryRowContext(t.Context(), question).Scan(&got); err != nil || got != want {
				t.Errorf("%s: %d (%v), want %d", question, got, err, want)
			}
		}
	}
	for i, statement := range []string{rows, many, tables, rows, column, gone, rows} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			d := dbtest.Postgres(t)
			empty(t, d)
			if _, err := d.Read().ExecContext(t.Context(), statement); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// TestConnectionsThatStayAreEnded takes a database whose last user did not close it.
func TestConnectionsThatStayAreEnded(t *testing.T) {
	var (
		left *db.DB
		pid  int
	)
	t.Run("leaves", func(t *testing.T) {
		var err error
		if left, err = db.Open(t.Context(), db.Config{URL: dbtest.PostgresURL(t)}); err != nil {
			t.Fatal(err)
		}
		if err := left.Read().QueryRowContext(t.Context(), `SELECT pg_backend_pid()`).Scan(&pid); err != nil {
			t.Fatal(err)
		}
	})
	defer left.Close()
	t.Run("takes", func(t *testing.T) {
		var there bool
		if err := dbtest.Postgres(t).Read().QueryRowContext(t.Context(),
			`SELECT EXISTS (SELECT 1 FROM pg_stat_activity WHERE pid = $1)`, pid).Scan(&there); err != nil || there {
			t.Errorf("the connection is there: %t (%v)", there, err)
		}
	})
}

// TestDatabasesAreOneTestsEach holds two at the same time.
func TestDatabasesAreOneTestsEach(t *testing.T) {
	if first, second := dbtest.PostgresURL(t), dbtest.PostgresURL(t); first == second {
		t.Errorf("both are %s", first)
	}
}
