package db

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/errs"
)

// emptyDatabase is set by the external tests, because dbtest imports this package.
var emptyDatabase func(t *testing.T, dialect Dialect) string

// SetEmptyDatabase is how the external tests hand over dbtest's databases.
func SetEmptyDatabase(empty func(t *testing.T, dialect Dialect) string) { emptyDatabase = empty }

func eachEmpty(t *testing.T, test func(t *testing.T, open func() *DB)) {
	for _, dialect := range []Dialect{SQLite, Postgres} {
		t.Run(dialect.String(), func(t *testing.T) {
			address := emptyDatabase(t, dialect)
			test(t, func() *DB {
				d, err := Open(t.Context(), Config{URL: address, MaxConnections: 4})
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { _ = d.Close() })
				return d
			})
		})
	}
}

func files(names ...string) fstest.MapFS {
	system := fstest.MapFS{}
	for i, statement := range names {
		system[fmt.Sprintf("%05d_step.sql", i+1)] = &fstest.MapFile{Data: []byte("-- +goose Up\n" + statement + "\n")}
	}
	return system
}

const (
	makeTable  = `CREATE TABLE thing (id TEXT PRIMARY KEY);`
	fillTable  = `INSERT INTO thing (id) VALUES ('a');`
	growTable  = `ALTER TABLE thing ADD COLUMN size BIGINT;`
	brokenStep = "CREATE TABLE other (id TEXT);\nINSERT INTO missing (id) VALUES ('a');"
)

func TestMigrateUpAndAgain(t *testing.T) {
	eachEmpty(t, func(t *testing.T, open func() *DB) {
		d := open()
		if version, err := SchemaVersion(t.Context(), d); err != nil || version != 0 {
			t.Fatalf("an empty database has version %d, error %v", version, err)
		}
		for i, steps := range []fs.FS{files(makeTable, fillTable), files(makeTable, fillTable),
			files(makeTable, fillTable, growTable)} {
			if err := migrate(t.Context(), d, steps); err != nil {
				t.Fatalf("migration %d: %v", i, err)
			}
		}
		version, err := SchemaVersion(t.Context(), d)
		if err != nil || version != 3 {
			t.Errorf("the version is %d, want 3 (error %v)", version, err)
		}
		var count int
		if err := d.Read().QueryRowContext(t.Context(), `SELECT count(*) FROM thing`).Scan(&count); err != nil ||
			count != 1 {
			t.Errorf("the table has %d rows, want 1 (error %v)", count, err)
		}
	})
}

func TestMigrateRefusesNewerDatabase(t *testing.T) {
	eachEmpty(t, func(t *testing.T, open func() *DB) {
		d := open()
		if err := migrate(t.Context(), d, files(makeTable, fillTable, growTable)); err != nil {
			t.Fatal(err)
		}
		err := migrate(t.Context(), d, files(makeTable, fillTable))
		if !errs.Is(err, errs.Precondition) || !strings.Contains(err.Error(), "version 3") ||
			!strings.Contains(err.Error(), "up to 2") {
			t.Errorf("got error %v, want a refusal that names both versions", err)
		}
		if version, err := SchemaVersion(t.Context(), d); err != nil || version != 3 {
			t.Errorf("the refusal changed the version to %d (error %v)", version, err)
		}
	})
}

func TestMigrateFailureKeepsTheStepOut(t *testing.T) {
	eachEmpty(t, func(t *testing.T, open func() *DB) {
		d := open()
		if err := migrate(t.Context(), d, files(makeTable, brokenStep)); err == nil {
			t.Fatal("a broken migration passed")
		}
		if version, err := SchemaVersion(t.Context(), d); err != nil || version != 1 {
			t.Errorf("the version is %d, want 1 (error %v)", version, err)
		}
		// The lock is free and the broken step has left nothing behind: the mended one can make its table.
		if err := migrate(t.Context(), d, files(makeTable, `CREATE TABLE other (id TEXT);`)); err != nil {
			t.Errorf("the mended migration: %v", err)
		}
	})
}

func TestMigrateFromManyProcesses(t *testing.T) {
	eachEmpty(t, func(t *testing.T, open func() *DB) {
		var group sync.WaitGroup
		for range 4 {
			d := open()
			group.Go(func() {
				if err := migrate(t.Context(), d, files(makeTable, fillTable, growTable)); err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
		var count int
		if err := open().Read().QueryRowContext(t.Context(), `SELECT count(*) FROM thing`).Scan(&count); err != nil ||
			count != 1 {
			t.Errorf("the table has %d rows, want 1 (error %v)", count, err)
		}
	})
}

func TestMigrateWaitsForTheLockAndTakesAnExpiredOne(t *testing.T) {
	eachEmpty(t, func(t *testing.T, open func() *DB) {
		d := open()
		if err := d.makeLock(t.Context()); err != nil {
			t.Fatal(err)
		}
		if taken, err := d.takeLock(t.Context(), "other"); err != nil || !taken {
			t.Fatalf("take the lock: %v, error %v", taken, err)
		}
		if taken, err := d.takeLock(t.Context(), "me"); err != nil || taken {
			t.Fatalf("took a lock that another holds: %v, error %v", taken, err)
		}
		// On a busy machine the first question alone takes a while.
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := migrate(ctx, d, files(makeTable)); err == nil || !strings.Contains(err.Error(), "another process") {
			t.Errorf("got error %v, want one that names the other process", err)
		}
		// Its holder has died.
		err := d.Tx(t.Context(), func(ctx context.Context, q Querier) error {
			_, err := q.ExecContext(ctx, `UPDATE migration_lock SET expires_at = 1`)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := migrate(t.Context(), d, files(makeTable)); err != nil {
			t.Errorf("an expired lock was not taken: %v", err)
		}
	})
}

// TestMigrationsMatch holds that both dialects have the same migrations and make the same tables and columns from them.
func TestMigrationsMatch(t *testing.T) {
	names := map[Dialect][]string{}
	for _, dialect := range []Dialect{SQLite, Postgres} {
		found, err := fs.Glob(Migrations(dialect), "*.sql")
		if err != nil {
			t.Fatal(err)
		}
		names[dialect] = found
	}
	if diff := cmp.Diff(names[SQLite], names[Postgres]); diff != "" {
		t.Errorf("migrations differ (-sqlite +postgres):\n%s", diff)
	}
	columns := map[Dialect][]string{}
	eachEmpty(t, func(t *testing.T, open func() *DB) {
		d := open()
		if err := Migrate(t.Context(), d); err != nil {
			t.Fatal(err)
		}
		query :=
			`SELECT m.name || '.' || c.name FROM sqlite_schema AS m, pragma_table_info(m.name) AS c
				WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%'`
		if d.Dialect() == Postgres {
			query =
				`SELECT table_name || '.' || column_name FROM information_schema.columns WHERE table_schema = 'public'`
		}
		columns[d.Dialect()] = texts(t, d, query)
	})
	if diff := cmp.Diff(columns[SQLite], columns[Postgres]); diff != "" {
		t.Errorf("columns differ (-sqlite +postgres):\n%s", diff)
	}
}

// TestForeignKeysSayWhatDeletingDoes holds that no migration leaves ON DELETE to the default.
func TestForeignKeysSayWhatDeletingDoes(t *testing.T) {
	references := regexp.MustCompile(`(?i)\bREFERENCES\s+\w+\s*(\([^)]*\))?(\s+ON\s+UPDATE\s+\w+)?\s*(\S+\s+\S+)`)
	for _, dialect := range []Dialect{SQLite, Postgres} {
		names, err := fs.Glob(Migrations(dialect), "*.sql")
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			content, err := fs.ReadFile(Migrations(dialect), name)
			if err != nil {
				t.Fatal(err)
			}
			for _, match := range references.FindAllStringSubmatch(string(content), -1) {
				if !strings.EqualFold(strings.Join(strings.Fields(match[3]), " "), "ON DELETE") {
					t.Errorf("%s/%s: %q has no ON DELETE", dialect, name, match[0])
				}
			}
		}
	}
}

func texts(t *testing.T, d *DB, query string) []string {
	t.Helper()
	rows, err := d.Read().QueryContext(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var found []string
	for rows.Next() {
		var text sql.NullString
		if err := rows.Scan(&text); err != nil {
			t.Fatal(err)
		}
		found = append(found, text.String)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	slices.Sort(found)
	return found
}

// EmptySQLiteURL returns the URL of a database file that is not there yet.
func EmptySQLiteURL(t *testing.T) string {
	return "sqlite:" + filepath.Join(t.TempDir(), "empty.db")
}
