package db_test

import (
	"context"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rectodocs/recto/internal/platform/coalesce"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// write commits something.
func write(t *testing.T, d *db.DB, name, value string) {
	t.Helper()
	err := d.Tx(t.Context(), func(ctx context.Context, q db.Querier) error {
		_, err := q.ExecContext(ctx,
			`INSERT INTO instance_secret (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE
				SET value = excluded.value`, name, []byte(value))
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func read(ctx context.Context, d *db.DB, name string) (string, error) {
	var value []byte
	err := d.Read().QueryRowContext(ctx, `SELECT value FROM instance_secret WHERE name = $1`, name).Scan(&value)
	return string(value), err
}

// TestDataVersion holds that reads leave the version of SQLite alone and that every commit changes it, through
// whichever handle; PostgreSQL has none.
func TestDataVersion(t *testing.T) {
	if _, ok := dbtest.Postgres(t).DataVersion(); ok {
		t.Error("PostgreSQL has a version")
	}
	address := dbtest.SQLiteURL(t)
	var handles [2]*db.DB
	for i := range handles {
		var err error
		if handles[i], err = db.Open(t.Context(), db.Config{URL: address}); err != nil {
			t.Fatal(err)
		}
	}
	defer func() {
		if err := handles[1].Close(); err != nil {
			t.Error(err)
		}
	}()
	write(t, handles[0], "a", "0")
	before, ok := handles[1].DataVersion()
	if !ok {
		t.Fatalf("SQLite has no version on %s", runtime.GOOS)
	}
	if _, err := read(t.Context(), handles[0], "a"); err != nil {
		t.Fatal(err)
	}
	if after, ok := handles[1].DataVersion(); !ok || after != before {
		t.Error("a read changes the version")
	}
	seen := map[db.DataVersion]bool{before: true}
	for i := range 100 {
		write(t, handles[i%2], "a", strconv.Itoa(i+1))
		after, ok := handles[1].DataVersion()
		if !ok || seen[after] {
			t.Fatalf("commit %d does not change the version", i)
		}
		seen[after] = true
	}
	// The other process goes, and the log with it as far as it can.
	if err := handles[0].Close(); err != nil {
		t.Fatal(err)
	}
	before, _ = handles[1].DataVersion()
	write(t, handles[1], "a", "last")
	if after, ok := handles[1].DataVersion(); !ok || after == before {
		t.Error("a commit after the other handle was closed does not change the version")
	}
}

// TestKeptAnswersAreCurrent holds that answers which are kept while the version is the same are never older than what
// was acknowledged before they were asked for, with writers on another handle.
func TestKeptAnswersAreCurrent(t *testing.T) {
	address := dbtest.SQLiteURL(t)
	writer, err := db.Open(t.Context(), db.Config{URL: address})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = writer.Close() }()
	reader, err := db.Open(t.Context(), db.Config{URL: address})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = reader.Close() }()
	write(t, writer, "n", "0")
	group := coalesce.Group[string, int]{Version: reader.DataVersion}
	var acknowledged, asked, done atomic.Int64
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for done.Load() == 0 {
				known := acknowledged.Load()
				got, err := group.Do(t.Context(), "n", func(ctx context.Context, name string) (int, error) {
					asked.Add(1)
					text, err := read(ctx, reader, name)
					if err != nil {
						return 0, err
					}
					return strconv.Atoi(text)
				})
				if err != nil || int64(got) < known {
					t.Errorf("answer %d, but %d was written before: %v", got, known, err)
					return
				}
			}
		})
	}
	for i := range 300 {
		write(t, writer, "n", strconv.Itoa(i+1))
		acknowledged.Store(int64(i + 1))
	}
	done.Store(1)
	wait.Wait()
	if asked.Load() == 0 {
		t.Error("nobody asked")
	}
}
