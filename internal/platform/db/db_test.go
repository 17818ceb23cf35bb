package db_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// exec runs statements in one transaction.
func exec(t *testing.T, d *db.DB, statements ...string) {
	t.Helper()
	err := d.Tx(t.Context(), func(ctx context.Context, q db.Querier) error {
		for _, statement := range statements {
			if _, err := q.ExecContext(ctx, statement); err != nil {
				return fmt.Errorf("%s: %w", statement, err)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func number(t *testing.T, d *db.DB, query string, args ...any) int {
	t.Helper()
	var value int
	if err := d.Read().QueryRowContext(t.Context(), query, args...).Scan(&value); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return value
}

func TestOpenRefusesBadURLs(t *testing.T) {
	tests := map[string]string{
		"":                               `"sqlite:PATH"`,
		"mysql://user:hidden@host/name":  `"sqlite:PATH"`,
		"sqlite:":                        "needs the path",
		"sqlite::memory:":                "needs the path",
		"sqlite://data/recto.db":         "has a host",
		"postgres://user:hidden@host:x/": "malformed",
	}
	for address, want := range tests {
		_, err := db.Open(t.Context(), db.Config{URL: address})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Open(%q): got error %v, want one with %q", address, err, want)
		}
		if err != nil && strings.Contains(err.Error(), "hidden") {
			t.Errorf("Open(%q): the error shows the password: %v", address, err)
		}
	}
}

func TestOpenMakesFolderAndTakesOddPaths(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a b", "50% #1?", "recto.db")
	d, err := db.Open(t.Context(), db.Config{URL: "sqlite:" + path})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	var file string
	if err := d.Read().QueryRowContext(t.Context(), `SELECT file FROM pragma_database_list WHERE name = 'main'`).
		Scan(&file); err != nil {
		t.Fatal(err)
	}
	if filepath.Base(file) != "recto.db" || filepath.Base(filepath.Dir(file)) != "50% #1?" {
		t.Errorf("opened the file %q, want %q", file, path)
	}
}

// TestPragmasHoldOnEveryConnection holds eight connections at once, so that each is one the pool opened by itself.
func TestPragmasHoldOnEveryConnection(t *testing.T) {
	d := dbtest.SQLite(t)
	check := func(connection *sql.Conn, name string, queryOnly string) {
		want := map[string]string{
			"busy_timeout": "5000", "journal_mode": "wal", "synchronous": "2", "foreign_keys": "1",
			"trusted_schema": "0", "query_only": queryOnly,
		}
		got := map[string]string{}
		for pragma := range want {
			var value string
			if err := connection.QueryRowContext(t.Context(), "PRAGMA "+pragma).Scan(&value); err != nil {
				t.Fatalf("%s: %v", pragma, err)
			}
			got[pragma] = value
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	for i := range 8 {
		connection, err := d.Reader().Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer connection.Close()
		check(connection, fmt.Sprintf("reader %d", i), "1")
	}
	writer, err := d.Writer().Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Close()
	check(writer, "writer", "0")
}

func TestForeignKeysHoldOnManyConnections(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		exec(t, d,
			`CREATE TABLE parent (id TEXT PRIMARY KEY)`,
			`CREATE TABLE child (id TEXT PRIMARY KEY, parent TEXT NOT NULL REFERENCES parent (id) ON DELETE CASCADE)`)
		var group sync.WaitGroup
		for i := range 8 {
			group.Go(func() {
				err := d.Tx(t.Context(), func(ctx context.Context, q db.Querier) error {
					_, err := q.ExecContext(ctx, `INSERT INTO child (id, parent) VALUES ($1, $2)`,
						fmt.Sprint("child", i), "nobody")
					return err
				})
				if !db.IsForeignKey(err) {
					t.Errorf("a child without a parent: got error %v, want a foreign key violation", err)
				}
			})
		}
		group.Wait()
	})
}

func TestReadRefusesWritesOnSQLite(t *testing.T) {
	d := dbtest.SQLite(t)
	if _, err := d.Read().ExecContext(t.Context(), `CREATE TABLE x (id TEXT)`); err == nil {
		t.Error("a reader could write")
	}
}

func TestValuesKeepTheirTypes(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		bytesType := "BLOB"
		if d.Dialect() == db.Postgres {
			bytesType = "BYTEA"
		}
		exec(t, d, `CREATE TABLE value (id TEXT PRIMARY KEY, flag BOOLEAN NOT NULL, at BIGINT NOT NULL, raw `+bytesType+
			`, note TEXT)`)
		now := time.Date(2026, 11, 21, 1, 2, 3, 456_789_000, time.UTC)
		err := d.Tx(t.Context(), func(ctx context.Context, q db.Querier) error {
			// The order in which placeholders appear is not that of the arguments, and one appears twice.
			_, err := q.ExecContext(ctx, `INSERT INTO value (note, raw, at, flag, id) VALUES ($2, $5, $4, $3, $1)`,
				"a", nil, true, db.Micros(now), []byte{0, 255, '\'', '$', '1'})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		var (
			flag bool
			at   int64
			raw  []byte
			note sql.NullString
		)
		err = d.Read().QueryRowContext(t.Context(),
			`SELECT flag, at, raw, note FROM value WHERE id = $1 AND (flag = $2 OR id <> $1) -- not a $3`, "a",
			true).Scan(&flag, &at, &raw, &note)
		if err != nil {
			t.Fatal(err)
		}
		if !flag || !db.Time(at).Equal(now) || string(raw) != "\x00\xff'$1" || note.Valid {
			t.Errorf("got %v %v %q %v", flag, db.Time(at), raw, note)
		}
	})
}

func TestQueryInList(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		exec(t, d, `CREATE TABLE item (id TEXT PRIMARY KEY, size BIGINT NOT NULL)`,
			`INSERT INTO item (id, size) VALUES ('a', 1), ('b', 2), ('c', 3), ('d', 4)`)
		rows, err := d.Read().QueryContext(t.Context(), `SELECT id FROM item WHERE size > $1 AND id IN (`+
			db.Placeholders(2, 3)+`) ORDER BY id`, 1, "a", "b", "d")
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		var got []string
		for rows.Next() {
			var name string
			if err := rows.Scan(&name); err != nil {
				t.Fatal(err)
			}
			got = append(got, name)
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{"b", "d"}, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

func TestConstraintErrorsAreTranslated(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		exec(t, d,
			`CREATE TABLE parent (id TEXT PRIMARY KEY, name TEXT UNIQUE, size BIGINT NOT NULL CHECK (size > 0))`,
			`CREATE TABLE child (id TEXT PRIMARY KEY, parent TEXT NOT NULL REFERENCES parent (id) ON DELETE RESTRICT)`,
			`INSERT INTO parent (id, name, size) VALUES ('p1', 'first', 1)`,
			`INSERT INTO child (id, parent) VALUES ('c1', 'p1')`)
		type answer struct{ Unique, ForeignKey bool }
		tests := []struct {
			name, statement string
			want            answer
		}{
			{"primary key", `INSERT INTO parent (id, name, size) VALUES ('p1', 'other', 1)`, answer{Unique: true}},
			{"unique column", `INSERT INTO parent (id, name, size) VALUES ('p2', 'first', 1)`, answer{Unique: true}},
			{"foreign key without a parent", `INSERT INTO child (id, parent) VALUES ('c2', 'p9')`,
				answer{ForeignKey: true}},
			{"foreign key with a child", `DELETE FROM parent WHERE id = 'p1'`, answer{ForeignKey: true}},
			{"check", `INSERT INTO parent (id, name, size) VALUES ('p2', 'x', 0)`, answer{}},
			{"not null", `INSERT INTO parent (id, name, size) VALUES ('p2', 'x', NULL)`, answer{}},
			{"no such table", `DELETE FROM nothing`, answer{}},
		}
		for _, test := range tests {
			err := d.Tx(t.Context(), func(ctx context.Context, q db.Querier) error {
				_, err := q.ExecContext(ctx, test.statement)
				return err
			})
			if err == nil {
				t.Errorf("%s: no error", test.name)
			}
			wrapped := fmt.Errorf("wrapped: %w", err)
			got := answer{db.IsUnique(wrapped), db.IsForeignKey(wrapped)}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("%s, error %v (-want +got):\n%s", test.name, err, diff)
			}
		}
		if db.IsUnique(nil) || db.IsUnique(errors.New("UNIQUE constraint failed")) {
			t.Error("IsUnique goes by something else than the code")
		}
	})
}

func TestNoRows(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		exec(t, d, `CREATE TABLE item (id TEXT PRIMARY KEY)`)
		var name string
		if err := d.Read().QueryRowContext(t.Context(), `SELECT id FROM item WHERE id = $1`,
			"x").Scan(&name); err != db.ErrNoRows {
			t.Errorf("outside a transaction: got %v, want ErrNoRows", err)
		}
		err := d.Tx(t.Context(), func(ctx context.Context, q db.Querier) error {
			if err := q.QueryRowContext(ctx, `SELECT id FROM item WHERE id = $1`,
				"x").Scan(&name); err != db.ErrNoRows {
				t.Errorf("in a transaction: got %v, want ErrNoRows", err)
			}
			_, err := q.ExecContext(ctx, `INSERT INTO item (id) VALUES ('x')`)
			return err
		})
		if err != nil {
			t.Errorf("a transaction that found no row cannot go on: %v", err)
		}
	})
}

func TestSecretIsMadeOnce(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		got := make([]string, 6)
		var group sync.WaitGroup
		for i := range got {
			group.Go(func() {
				secret, err := db.Secret(t.Context(), d, "cursor")
				if err != nil {
					t.Error(err)
				}
				got[i] = string(secret)
			})
		}
		group.Wait()
		for _, secret := range got {
			if len(secret) != 32 || secret != got[0] {
				t.Fatalf("secrets differ or have the wrong length: %x", got)
			}
		}
		other, err := db.Secret(t.Context(), d, "another")
		if err != nil || string(other) == got[0] {
			t.Errorf("the secret of another name is %x, error %v", other, err)
		}
	})
}
