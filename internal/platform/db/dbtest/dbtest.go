// Package dbtest gives tests databases of their own, of both kinds.
//
// Each runs a test on SQLite and on PostgreSQL, each time with a database of its own that has all tables and no rows.
// PostgreSQL is found through the environment variable RECTO_TEST_POSTGRES, which `make test` sets to a private server
// that it starts. Without it a test fails, because a test that did not run has shown nothing.
package dbtest

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/platform/db"
)

// Variable is the environment variable with the URL of a PostgreSQL server on which tests may create databases.
const Variable = "RECTO_TEST_POSTGRES"

// setupLimit bounds making or dropping one database.
const setupLimit = time.Minute

// Each runs test as the subtests "sqlite" and "postgres", each with its own migrated, empty database.
func Each(t *testing.T, test func(t *testing.T, d *db.DB)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) { test(t, SQLite(t)) })
	t.Run("postgres", func(t *testing.T) { test(t, Postgres(t)) })
}

// SQLite returns a migrated, empty SQLite database in a temporary folder. It is closed when the test ends.
func SQLite(t testing.TB) *db.DB {
	t.Helper()
	return open(t, SQLiteURL(t))
}

// Postgres returns a migrated, empty PostgreSQL database. It is closed when the test ends, and another test's then.
func Postgres(t testing.TB) *db.DB {
	t.Helper()
	return open(t, PostgresURL(t))
}

// SQLiteURL makes a migrated, empty SQLite database and returns its URL, for tests that open it themselves.
func SQLiteURL(t testing.TB) string {
	t.Helper()
	content, err := sqliteTemplate()
	if err != nil {
		t.Fatalf("make the SQLite template: %v", err)
	}
	path := filepath.Join(t.TempDir(), "recto.db")
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return "sqlite:" + path
}

// PostgresURL returns the URL of a migrated, empty PostgreSQL database, for tests that open it themselves. It is the
// test's until it ends.
func PostgresURL(t testing.TB) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), setupLimit)
	defer cancel()
	databases, err := postgresPool()
	if err != nil {
		t.Fatalf(
			"PostgreSQL for tests: %v\nRun `make test`, which starts a server for them, or set %s to the URL of one.",
			err, Variable)
	}
	number, err := databases.take(ctx)
	if err != nil {
		t.Fatalf("take a PostgreSQL database: %v", err)
	}
	t.Cleanup(func() { databases.give(number) })
	address, err := databaseURL(databases.name(number))
	if err != nil {
		t.Fatal(err)
	}
	return address
}

// EmptyPostgresURL makes a PostgreSQL database without tables and returns its URL, for tests of migrations. It is
// dropped when the test ends.
func EmptyPostgresURL(t testing.TB) string {
	t.Helper()
	name := "recto_test_" + strings.ToLower(rand.Text()[:16])
	if err := administer(`CREATE DATABASE ` + name + ` TEMPLATE template0 STRATEGY wal_log`); err != nil {
		t.Fatalf("create a PostgreSQL database: %v\nRun `make test`, which starts a server for tests, or set %s to "+
			"the URL of one.", err, Variable)
	}
	t.Cleanup(func() {
		if err := administer(`DROP DATABASE IF EXISTS ` + name + ` WITH (FORCE)`); err != nil {
			t.Errorf("drop database: %v", err)
		}
	})
	address, err := databaseURL(name)
	if err != nil {
		t.Fatal(err)
	}
	return address
}

func open(t testing.TB, address string) *db.DB {
	t.Helper()
	opened, err := db.Open(t.Context(), db.Config{URL: address, MaxConnections: 10})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := opened.Close(); err != nil {
			t.Errorf("close database: %v", err)
		}
	})
	return opened
}

// The templates are made once per process, because migrating takes longer than most tests. They are package variables
// because tests have no other place that outlives them.
var (
	sqliteTemplate = sync.OnceValues(makeSQLiteTemplate)
	postgresPool   = sync.OnceValues(makePostgresPool)
)

// makeSQLiteTemplate returns the bytes of a migrated database file.
func makeSQLiteTemplate() ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), setupLimit)
	defer cancel()
	directory, err := os.MkdirTemp("", "recto-dbtest-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(directory)
	path := filepath.Join(directory, "template.db")
	if err := migrate(ctx, "sqlite:"+path); err != nil {
		return nil, err
	}
	// Closing the last connection has moved the log into the file.
	return os.ReadFile(path)
}

// makePostgresPool makes the template, and the pool of its copies.
func makePostgresPool() (*pool, error) {
	template, err := makePostgresTemplate()
	if err != nil {
		return nil, err
	}
	return openPool(template)
}

// makePostgresTemplate makes a migrated database to copy and returns its name, which is a hash of the migrations: all
// test processes on one server share it.
func makePostgresTemplate() (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), setupLimit)
	defer cancel()
	hash := sha256.New()
	files := db.Migrations(db.Postgres)
	names, err := fs.Glob(files, "*.sql")
	if err != nil {
		return "", err
	}
	for _, name := range names {
		content, err := fs.ReadFile(files, name)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(hash, "%s %d\n%s", name, len(content), content)
	}
	template := "recto_template_" + hex.EncodeToString(hash.Sum(nil))[:24]

	server, err := openServer(ctx)
	if err != nil {
		return "", err
	}
	defer server.Close()
	// One process makes the template while the others wait. The lock belongs to a connection, and the transaction keeps
	// that connection.
	return template, server.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		if _, err := q.ExecContext(ctx, `SELECT pg_advisory_xact_lock(724510)`); err != nil {
			return err
		}
		var ready bool
		if err := server.Read().QueryRowContext(ctx,
			`SELECT EXISTS (SELECT 1 FROM pg_database WHERE datname = $1 AND datistemplate)`, template).
			Scan(&ready); err != nil || ready {
			return err
		}
		// What is there under that name and is no template was left half made.
		for _, statement := range []string{`DROP DATABASE IF EXISTS ` + template + ` WITH (FORCE)`,
			`CREATE DATABASE ` + template} {
			if _, err := server.Read().ExecContext(ctx, statement); err != nil {
				return err
			}
		}
		address, err := databaseURL(template)
		if err != nil {
			return err
		}
		if err := migrate(ctx, address); err != nil {
			return err
		}
		_, err = server.Read().ExecContext(ctx, `ALTER DATABASE `+template+
			` WITH IS_TEMPLATE true ALLOW_CONNECTIONS false`)
		return err
	})
}

func migrate(ctx context.Context, address string) error {
	opened, err := db.Open(ctx, db.Config{URL: address})
	if err != nil {
		return err
	}
	if err := db.Migrate(ctx, opened); err != nil {
		_ = opened.Close()
		return err
	}
	return opened.Close()
}

// administer runs one statement on the server, outside a transaction.
func administer(statement string) error {
	ctx, cancel := context.WithTimeout(context.Background(), setupLimit)
	defer cancel()
	server, err := openServer(ctx)
	if err != nil {
		return err
	}
	defer server.Close()
	_, err = server.Read().ExecContext(ctx, statement)
	return err
}

func openServer(ctx context.Context) (*db.DB, error) {
	address := os.Getenv(Variable)
	if address == "" {
		return nil, fmt.Errorf("the environment variable %s is not set", Variable)
	}
	return db.Open(ctx, db.Config{URL: address, MaxConnections: 2})
}

// databaseURL returns the server's URL with another database name.
func databaseURL(name string) (string, error) {
	address, err := url.Parse(os.Getenv(Variable))
	if err != nil {
		return "", fmt.Errorf("%s is not a URL: %w", Variable, err)
	}
	address.Path = "/" + name
	return address.String(), nil
}
