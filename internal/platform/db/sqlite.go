package db

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/ncruces/go-sqlite3"
	sqlitedriver "github.com/ncruces/go-sqlite3/driver"
)

// This file holds all that depends on the SQLite driver, so that another one behind database/sql is one file to change.

// openSQLite opens the database file at path for one writer and up to readers (0: eight) readers.
func openSQLite(path string, readers int) (writer, reader *sql.DB, err error) {
	path, err = sqlitePath(path)
	if err != nil {
		return nil, nil, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		return nil, nil, fmt.Errorf("make the folder of the database file: %w", err)
	}
	writer, err = openSQLitePool(sqliteName(path, "immediate", "query_only(off)"))
	if err != nil {
		return nil, nil, err
	}
	writer.SetMaxOpenConns(1)
	writer.SetMaxIdleConns(1)

	reader, err = openSQLitePool(sqliteName(path, "deferred", "query_only(on)"))
	if err != nil {
		_ = writer.Close()
		return nil, nil, err
	}
	readers = cmp.Or(max(readers, 0), 8)
	reader.SetMaxOpenConns(readers)
	reader.SetMaxIdleConns(readers)
	reader.SetConnMaxIdleTime(5 * time.Minute)
	return writer, reader, nil
}

func openSQLitePool(name string) (*sql.DB, error) {
	connector, err := new(sqlitedriver.SQLite).OpenConnector(name)
	if err != nil {
		return nil, err
	}
	return sql.OpenDB(cachingConnector{stableConnector{connector}}), nil
}

// stableConnector makes connections on which a statement keeps the plan that it was prepared with. Otherwise SQLite
// prepares a statement anew each time it is run when a value could matter to its plan: that of a LIMIT, or the pattern
// of a LIKE. That takes longer than running it, and what plans could gain from those values we do not use.
type stableConnector struct{ driver.Connector }

// Connect implements driver.Connector.
func (c stableConnector) Connect(ctx context.Context) (driver.Conn, error) {
	connection, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	full, ok := connection.(sqlitedriver.Conn)
	if !ok {
		_ = connection.Close()
		return nil, errors.New("the SQLite driver does not give its connection")
	}
	if _, err := full.Raw().Config(sqlite3.DBCONFIG_ENABLE_QPSG, true); err != nil {
		_ = connection.Close()
		return nil, fmt.Errorf("keep the plans of statements: %w", err)
	}
	return connection, nil
}

// sqlitePath returns what follows "sqlite:" as an absolute path.
func sqlitePath(path string) (string, error) {
	switch {
	case path == "" || strings.HasPrefix(path, ":memory:"):
		return "", errors.New(`the database URL "sqlite:" needs the path of a file: sqlite:data/recto.db`)
	case strings.HasPrefix(path, "//") && !strings.HasPrefix(path, "///"):
		return "",
			fmt.Errorf(
				"the database URL sqlite:%s has a host; write sqlite:PATH, for example sqlite:/var/lib/recto/recto.db",
				path)
	}
	return filepath.Abs(path)
}

// sqliteName returns the data source name. Pragmas belong in it because they hold per connection and the pool opens
// connections at any time; busy_timeout comes first because the others may have to wait for a lock.
func sqliteName(path, lock, mode string) string {
	pragmas := []string{
		"busy_timeout(5000)",
		"journal_mode(wal)",
		"synchronous(full)",
		"foreign_keys(on)",
		"trusted_schema(off)",
		"secure_delete(on)",            // what was deleted is overwritten, so that no word of it stays in the file
		"cache_size(-8000)",            // KiB
		"journal_size_limit(67108864)", // bytes that the log keeps after a checkpoint
		mode,
	}
	name := url.URL{Scheme: "file", OmitHost: true, Path: path}
	name.RawQuery = url.Values{"_txlock": {lock}, "_pragma": pragmas}.Encode()
	return name.String()
}

// TruncateLog moves what was committed from the write-ahead log into the database file and empties the log, which else
// keeps what was deleted until it is written over. It waits for readers for some seconds and leaves the log as it is
// when they stay. On PostgreSQL it does nothing: its own vacuum does the like.
func (d *DB) TruncateLog(ctx context.Context) error {
	if d.dialect != SQLite {
		return nil
	}
	var busy, pages, moved int
	err := d.Write().QueryRowContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &pages, &moved)
	if err != nil && !IsRetryable(err) {
		return fmt.Errorf("empty the write-ahead log: %w", err)
	}
	return nil
}

// sqliteCondition maps SQLite's result codes (sqlite.org/rescode.html).
func sqliteCondition(err error) condition {
	if errors.Is(err, sqlite3.FULL) { // with or without a text of its own
		return fullCondition
	}
	failure, ok := errors.AsType[*sqlite3.Error](err)
	if !ok {
		return otherCondition
	}
	switch failure.ExtendedCode() {
	case sqlite3.CONSTRAINT_UNIQUE, sqlite3.CONSTRAINT_PRIMARYKEY, sqlite3.CONSTRAINT_ROWID:
		return uniqueViolation
	case sqlite3.CONSTRAINT_FOREIGNKEY, sqlite3.CONSTRAINT_TRIGGER:
		// SQLite carries out ON DELETE RESTRICT as a trigger; we have no triggers of our own.
		return foreignKeyViolation
	}
	switch failure.Code() {
	case sqlite3.BUSY, sqlite3.LOCKED:
		return retryCondition
	case sqlite3.INTERRUPT:
		return cancelCondition
	}
	return otherCondition
}
