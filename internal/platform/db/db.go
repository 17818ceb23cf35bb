// Package db owns the handle to the one relational database, which is SQLite (embedded, the default) or PostgreSQL
// (shared by any number of processes), and the migrations of all tables.
//
// Both databases take the same SQL text and behave alike where it matters:
//
//   - Placeholders are $1, $2, …; times are BIGINT microseconds UTC set by the caller; JSON is TEXT; no arrays and no
//     vendor functions.
//   - Tx runs a serializable write transaction: one writer at a time on SQLite, SERIALIZABLE on PostgreSQL. It is run
//     again when the database asks for that, so its function must be repeatable.
//   - After a statement has failed, its transaction has failed: later statements and the commit are refused.
//   - SQLite syncs every commit (synchronous=FULL): an acknowledged write survives a power cut. PostgreSQL does so
//     unless its operator has turned that off.
//   - Foreign keys hold, on every connection.
//
// No table belongs to this package but instance_secret, instance_probe, instance_scrub and the bookkeeping of
// migrations; each domain package owns the SQL of its tables.
package db

import (
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"strings"
	"time"
)

// Dialect tells the two databases apart, for the few statements that need it.
type Dialect int

// The databases that the package speaks to.
const (
	SQLite Dialect = iota + 1
	Postgres
)

// String returns "sqlite" or "postgres".
func (d Dialect) String() string {
	switch d {
	case SQLite:
		return "sqlite"
	case Postgres:
		return "postgres"
	default:
		return "unknown"
	}
}

// Config says which database to open, and how much of it one process may use.
type Config struct {
	// URL is "sqlite:PATH" or "postgres://user:password@host/name?…" (libpq's parameters).
	URL string
	// MaxConnections limits the pool; 0 means 8 readers beside the one writer on SQLite and 20 connections on
	// PostgreSQL.
	MaxConnections int
	// Log receives retries and rollbacks that failed; nil discards them.
	Log *slog.Logger
}

// DB is a handle to the database. It is safe for use by many goroutines.
type DB struct {
	dialect Dialect
	// writer has a single connection on SQLite and is the same pool as reader on PostgreSQL.
	writer, reader *sql.DB
	log            *slog.Logger
	// versions is nil on PostgreSQL.
	versions *versions
}

// Open connects to the database, which on SQLite makes the file and its folder when they are not there. It changes
// nothing in the database; Migrate does.
func Open(ctx context.Context, config Config) (*DB, error) {
	opened := &DB{log: config.Log}
	if opened.log == nil {
		opened.log = slog.New(slog.DiscardHandler)
	}
	var err error
	scheme, rest, _ := strings.Cut(config.URL, ":")
	switch scheme {
	case "sqlite":
		opened.dialect = SQLite
		opened.writer, opened.reader, err = openSQLite(rest, config.MaxConnections)
		opened.versions = &versions{path: rest}
	case "postgres", "postgresql":
		opened.dialect = Postgres
		opened.writer, err = openPostgres(config.URL, config.MaxConnections)
		opened.reader = opened.writer
	default:
		// The URL is not repeated: it may hold a password.
		err = fmt.Errorf(`the database URL starts with %q; it must be "sqlite:PATH" or "postgres://…"`, scheme)
	}
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	if err := opened.Check(ctx); err != nil {
		_ = opened.Close()
		return nil, fmt.Errorf("connect to the %s database: %w", opened.dialect, err)
	}
	return opened, nil
}

// Close waits for statements under way and closes all connections.
func (d *DB) Close() error {
	err := d.versions.done()
	if writerErr := d.writer.Close(); err == nil {
		err = writerErr
	}
	if d.reader != d.writer {
		if readerErr := d.reader.Close(); err == nil {
			err = readerErr
		}
	}
	return err
}

// Dialect returns which database this is.
func (d *DB) Dialect() Dialect { return d.dialect }

// Check reports whether the database answers, on the write side and the read side.
func (d *DB) Check(ctx context.Context) error {
	for _, pool := range []*sql.DB{d.writer, d.reader} {
		if err := pool.PingContext(ctx); err != nil {
			return translate(ctx, err)
		}
	}
	return nil
}

// CheckWrite reports whether the database takes writes, by writing one row.
func (d *DB) CheckWrite(ctx context.Context) error {
	_, err := d.Write().ExecContext(ctx, `INSERT INTO instance_probe (id, written_at) VALUES (1, $1)
		ON CONFLICT (id) DO UPDATE SET written_at = excluded.written_at`, Micros(time.Now()))
	if err != nil {
		return fmt.Errorf("write to the database: %w", err)
	}
	return nil
}

// Read returns a Querier on the pool of readers: every statement sees what was committed when it started. On SQLite it
// refuses writes.
func (d *DB) Read() Querier { return pool{d.reader, d.dialect} }

// Write returns a Querier on the writing side without a transaction: each statement commits by itself, at READ
// COMMITTED on PostgreSQL. It is for single statements that carry their own condition (a claim, a counter); everything
// else belongs in Tx.
func (d *DB) Write() Querier { return pool{d.writer, d.dialect} }

// Writer returns the pool that writes go through, for libraries that take a *sql.DB (migrations, job queues). On
// SQLite it has one connection: hold it for milliseconds. Placeholders are not rewritten.
func (d *DB) Writer() *sql.DB { return d.writer }

// Reader returns the pool that reads go through, for libraries that take a *sql.DB. Placeholders are not rewritten.
func (d *DB) Reader() *sql.DB { return d.reader }

// Micros returns t as the database stores times: microseconds since 1970, UTC.
func Micros(t time.Time) int64 { return t.UnixMicro() }

// Time returns the time that Micros wrote, in UTC.
func Time(micros int64) time.Time { return time.UnixMicro(micros).UTC() }
