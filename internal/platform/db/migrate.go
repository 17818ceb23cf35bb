package db

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing/fstest"
	"time"

	"github.com/pressly/goose/v3"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
)

// One text serves both databases, in PostgreSQL's words. Where they need different statements there are two files with
// the name of the dialect before the ending.
//
//go:embed migrations/*.sql
var migrations embed.FS

// inSQLite are SQLite's words for those of the migrations: it knows neither the type nor the collation, and compares
// text byte by byte without being told.
var inSQLite = strings.NewReplacer(" BYTEA", " BLOB", ` COLLATE "C"`, "")

// versionTable is where goose keeps which migrations have run.
const versionTable = "schema_migration"

// The lock is a row with a holder and a time, which works on both databases and on others that speak PostgreSQL's
// protocol without its advisory locks. A holder that lives renews it; the row of one that died is free after lockLease.
const (
	lockLease = time.Minute
	lockRenew = 10 * time.Second
	lockPoll  = 50 * time.Millisecond
)

// Migrations returns the migrations of a dialect, as files named by their numbers.
func Migrations(dialect Dialect) fs.FS {
	files, err := migrationsOf(dialect)
	if err != nil {
		// The files are part of the program.
		panic(err)
	}
	return files
}

func migrationsOf(dialect Dialect) (fs.FS, error) {
	entries, err := migrations.ReadDir("migrations")
	if err != nil {
		return nil, err
	}
	files := fstest.MapFS{}
	for _, entry := range entries {
		name, only, limited := strings.Cut(strings.TrimSuffix(entry.Name(), ".sql"), ".")
		if limited && only != dialect.String() {
			continue
		}
		text, err := migrations.ReadFile("migrations/" + entry.Name())
		if err != nil {
			return nil, err
		}
		if dialect == SQLite {
			text = []byte(inSQLite.Replace(string(text)))
		}
		files[name+".sql"] = &fstest.MapFile{Data: text, Mode: 0o444}
	}
	return files, nil
}

// Migrate brings the tables up to this program's version. Any number of processes may call it at once: one works, the
// others wait. It refuses a database that a newer program has migrated, and changes nothing in it then.
func Migrate(ctx context.Context, d *DB) error {
	return migrate(ctx, d, Migrations(d.dialect))
}

func migrate(ctx context.Context, d *DB, files fs.FS) error {
	dialect := goose.DialectSQLite3
	if d.dialect == Postgres {
		dialect = goose.DialectPostgres
	}
	provider, err := goose.NewProvider(dialect, d.writer, files, goose.WithTableName(versionTable),
		goose.WithDisableGlobalRegistry(true), goose.WithLogger(goose.NopLogger()))
	if err != nil {
		return fmt.Errorf("read migrations: %w", err)
	}
	sources := provider.ListSources()
	newest := sources[len(sources)-1].Version
	current, err := SchemaVersion(ctx, d)
	if err != nil {
		return err
	}
	if current > newest {
		return newerError(current, newest)
	}
	if current == newest {
		return nil
	}
	return d.locked(ctx, func(ctx context.Context) error {
		// Another process may have migrated, and further, while this one waited.
		current, err := SchemaVersion(ctx, d)
		if err != nil {
			return err
		}
		if current > newest {
			return newerError(current, newest)
		}
		if _, err := provider.Up(ctx); err != nil {
			return fmt.Errorf("migrate the database from version %d to %d: %w", current, newest, err)
		}
		return nil
	})
}

func newerError(current, newest int64) error {
	return errs.New(errs.Precondition,
		"The database has schema version %d, and this program knows only up to %d: start the newer version of recto "+
			"that migrated it, or restore a backup from before.",
		current, newest)
}

// SchemaVersion returns the number of the newest migration that the database has; 0 when it is empty.
func SchemaVersion(ctx context.Context, d *DB) (int64, error) {
	catalogue := `SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = $1`
	if d.dialect == Postgres {
		catalogue = `SELECT count(*) FROM pg_catalog.pg_class WHERE oid = to_regclass($1)`
	}
	var tables, version int64
	if err := d.Read().QueryRowContext(ctx, catalogue, versionTable).Scan(&tables); err != nil {
		return 0, fmt.Errorf("look for the table of migrations: %w", err)
	}
	if tables == 0 {
		return 0, nil
	}
	if err := d.Read().QueryRowContext(ctx, `SELECT COALESCE(MAX(version_id), 0) FROM `+versionTable).
		Scan(&version); err != nil {
		return 0, fmt.Errorf("read the schema version: %w", err)
	}
	return version, nil
}

// locked runs fn while this process holds the migration lock. fn's context ends when the lock is lost.
func (d *DB) locked(ctx context.Context, fn func(context.Context) error) error {
	if err := d.makeLock(ctx); err != nil {
		return fmt.Errorf("make the migration lock: %w", err)
	}
	holder := id.New("migration")
	for waited := false; ; waited = true {
		taken, err := d.takeLock(ctx, holder)
		if err != nil && waited && ctx.Err() != nil {
			// Time was over while the lock was looked at once more.
			return fmt.Errorf("wait for another process to migrate the database: %w", err)
		}
		if err != nil {
			return fmt.Errorf("take the migration lock: %w", err)
		}
		if taken {
			break
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for another process to migrate the database: %w", ctx.Err())
		case <-time.After(lockPoll):
		}
	}
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	done := make(chan struct{})
	go func() {
		defer close(done)
		ticker := time.NewTicker(lockRenew)
		defer ticker.Stop()
		for {
			select {
			case <-inner.Done():
				return
			case <-ticker.C:
				if taken, err := d.takeLock(inner, holder); err != nil || !taken {
					cancel(errors.New("lost the migration lock"))
					return
				}
			}
		}
	}()
	err := fn(inner)
	if cause := context.Cause(inner); err != nil && cause != nil {
		err = fmt.Errorf("%w: %w", cause, err)
	}
	cancel(nil)
	<-done
	release, stop := context.WithTimeout(context.WithoutCancel(ctx), rollbackLimit)
	defer stop()
	if releaseErr := d.Tx(release, func(ctx context.Context, q Querier) error {
		_, err := q.ExecContext(ctx,
			`UPDATE migration_lock SET holder = '', expires_at = 0 WHERE id = 1 AND holder = $1`, holder)
		return err
	}); releaseErr != nil && err == nil {
		err = fmt.Errorf("release the migration lock: %w", releaseErr)
	}
	return err
}

// makeLock makes the lock's table and row. On PostgreSQL two processes that do so at once can collide in spite of the
// IF NOT EXISTS; then the table is there at the next try.
func (d *DB) makeLock(ctx context.Context) error {
	var err error
	for range 5 {
		err = d.Tx(ctx, func(ctx context.Context, q Querier) error {
			if _, err := q.ExecContext(ctx,
				`CREATE TABLE IF NOT EXISTS migration_lock (id INTEGER PRIMARY KEY, holder TEXT NOT NULL, expires_at BIGINT NOT NULL)`); err != nil {
				return err
			}
			_, err := q.ExecContext(ctx,
				`INSERT INTO migration_lock (id, holder, expires_at) VALUES (1, '', 0) ON CONFLICT DO NOTHING`)
			return err
		})
		if err == nil || ctx.Err() != nil {
			return err
		}
		time.Sleep(lockPoll)
	}
	return err
}

// takeLock takes the lock when it is free, or renews it when holder has it.
func (d *DB) takeLock(ctx context.Context, holder string) (taken bool, err error) {
	now := time.Now()
	err = d.Tx(ctx, func(ctx context.Context, q Querier) error {
		result, err := q.ExecContext(ctx,
			`UPDATE migration_lock SET holder = $1, expires_at = $2 WHERE id = 1 AND (holder = $1 OR expires_at < $3)`,
			holder, Micros(now.Add(lockLease)), Micros(now))
		if err != nil {
			return err
		}
		changed, err := result.RowsAffected()
		taken = changed == 1
		return err
	})
	return taken, err
}
