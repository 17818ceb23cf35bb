package db_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

var errStop = errors.New("stop")

func counterTable(t *testing.T, d *db.DB) {
	t.Helper()
	exec(t, d, `CREATE TABLE counter (id TEXT PRIMARY KEY, value BIGINT NOT NULL)`,
		`INSERT INTO counter (id, value) VALUES ('a', 0), ('b', 0)`)
}

func set(ctx context.Context, q db.Querier, name string, value int) error {
	_, err := q.ExecContext(ctx, `UPDATE counter SET value = $2 WHERE id = $1`, name, value)
	return err
}

func get(ctx context.Context, q db.Querier, name string) (value int, err error) {
	err = q.QueryRowContext(ctx, `SELECT value FROM counter WHERE id = $1`, name).Scan(&value)
	return value, err
}

func TestTxCommitsAndRollsBack(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		counterTable(t, d)
		if err := d.Tx(t.Context(), func(ctx context.Context, q db.Querier) error {
			return set(ctx, q, "a", 1)
		}); err != nil {
			t.Fatal(err)
		}
		err := d.Tx(t.Context(), func(ctx context.Context, q db.Querier) error {
			if err := set(ctx, q, "a", 2); err != nil {
				return err
			}
			return errStop
		})
		if !errors.Is(err, errStop) {
			t.Errorf("Tx returned %v, want the function's error", err)
		}
		func() {
			defer func() {
				if recover() != "boom" {
					t.Error("the panic did not come through")
				}
			}()
			_ = d.Tx(t.Context(), func(ctx context.Context, q db.Querier) error {
				if err := set(ctx, q, "a", 3); err != nil {
					return err
				}
				panic("boom")
			})
		}()
		if got := number(t, d, `SELECT value FROM counter WHERE id = 'a'`); got != 1 {
			t.Errorf("the value is %d, want 1", got)
		}
		// The writer is free again.
		if err := d.Tx(t.Context(), func(ctx context.Context, q db.Querier) error {
			return set(ctx, q, "a", 4)
		}); err != nil {
			t.Error(err)
		}
	})
}

func TestTxRefusesNesting(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		err := d.Tx(t.Context(), func(ctx context.Context, q db.Querier) error {
			if err := d.Snapshot(ctx, func(context.Context, db.Querier) error { return nil }); !errors.Is(err,
				db.ErrNested) {
				t.Errorf("Snapshot in Tx: got %v, want ErrNested", err)
			}
			return d.Tx(ctx, func(context.Context, db.Querier) error {
				t.Error("the inner function ran")
				return nil
			})
		})
		if !errors.Is(err, db.ErrNested) {
			t.Errorf("got %v, want ErrNested", err)
		}
	})
}

func TestTxFailsAfterAFailedStatement(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		counterTable(t, d)
		err := d.Tx(t.Context(), func(ctx context.Context, q db.Querier) error {
			if err := set(ctx, q, "a", 7); err != nil {
				return err
			}
			if _, err := q.ExecContext(ctx, `INSERT INTO counter (id, value) VALUES ('a', 1)`); !db.IsUnique(err) {
				t.Errorf("got %v, want a unique violation", err)
			}
			if err := set(ctx, q, "b", 7); err == nil {
				t.Error("a statement after a failed one was taken")
			}
			if _, err := get(ctx, q, "b"); err == nil {
				t.Error("a query after a failed statement was taken")
			}
			return nil // swallows the error
		})
		if !db.IsUnique(err) {
			t.Errorf("Tx returned %v, want the swallowed error", err)
		}
		if got := number(t, d, `SELECT SUM(value) FROM counter`); got != 0 {
			t.Errorf("something was committed: the sum is %d", got)
		}
	})
}

// openTransactions returns the number of transactions that hold locks, as seen from outside.
func openTransactions(t *testing.T, d *db.DB) int {
	t.Helper()
	if d.Dialect() == db.Postgres {
		return number(t, d,
			`SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
				AND state <> 'idle' AND backend_type = 'client backend'`)
	}
	// Whoever can begin an immediate transaction is alone; another handle has connections of its own.
	var file string
	if err := d.Read().QueryRowContext(t.Context(), `SELECT file FROM pragma_database_list WHERE name = 'main'`).
		Scan(&file); err != nil {
		t.Fatal(err)
	}
	other, err := db.Open(t.Context(), db.Config{URL: "sqlite:" + file})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if _, err := other.Writer().ExecContext(t.Context(), `PRAGMA busy_timeout = 0`); err != nil {
		t.Fatal(err)
	}
	tx, err := other.Writer().BeginTx(t.Context(), nil)
	if err != nil {
		return 1
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	return 0
}

func TestCancelledRequestLeavesNoTransactionOpen(t *testing.T) {
	slow := map[db.Dialect]string{
		db.SQLite: `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000000000)
			SELECT count(*) FROM n`,
		db.Postgres: `SELECT count(*) FROM (SELECT pg_sleep(60)) AS nap`,
	}
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		counterTable(t, d)
		// end is where the request is when its client goes away.
		for name, end := range map[string]func(ctx context.Context, cancel func(), q db.Querier) error{
			"between statements": func(ctx context.Context, cancel func(), q db.Querier) error {
				cancel()
				return ctx.Err()
			},
			"between statements, unnoticed": func(ctx context.Context, cancel func(), q db.Querier) error {
				cancel()
				return nil
			},
			"in a statement": func(ctx context.Context, cancel func(), q db.Querier) error {
				time.AfterFunc(50*time.Millisecond, cancel)
				var count int
				return q.QueryRowContext(ctx, slow[d.Dialect()]).Scan(&count)
			},
			"with rows open": func(ctx context.Context, cancel func(), q db.Querier) error {
				rows, err := q.QueryContext(ctx, `SELECT id FROM counter`)
				if err != nil {
					return err
				}
				rows.Next()
				cancel()
				return ctx.Err() // forgets to close the rows
			},
		} {
			ctx, cancel := context.WithCancel(t.Context())
			start := time.Now()
			err := d.Tx(ctx, func(ctx context.Context, q db.Querier) error {
				if err := set(ctx, q, "a", 9); err != nil {
					return err
				}
				return end(ctx, cancel, q)
			})
			cancel()
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%s: Tx returned %v, want the context's error", name, err)
			}
			if taken := time.Since(start); taken > 20*time.Second {
				t.Errorf("%s: Tx took %v to notice", name, taken)
			}
			if open := openTransactions(t, d); open != 0 {
				t.Errorf("%s: %d transactions are open after Tx returned", name, open)
			}
			if got := number(t, d, `SELECT value FROM counter WHERE id = 'a'`); got != 0 {
				t.Errorf("%s: the cancelled transaction was committed", name)
			}
		}
		if err := d.Tx(t.Context(), func(ctx context.Context, q db.Querier) error {
			return set(ctx, q, "a", 1)
		}); err != nil {
			t.Errorf("no transaction is possible afterwards: %v", err)
		}
	})
}

func TestCancelledWhileWaitingForTheWriter(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		counterTable(t, d)
		held, release := make(chan struct{}), make(chan struct{})
		var group sync.WaitGroup
		group.Go(func() {
			err := d.Tx(t.Context(), func(ctx context.Context, q db.Querier) error {
				if err := set(ctx, q, "a", 1); err != nil {
					return err
				}
				close(held)
				<-release
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		})
		<-held
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		err := d.Tx(ctx, func(ctx context.Context, q db.Querier) error { return set(ctx, q, "a", 2) })
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want the context's error", err)
		}
		close(release)
		group.Wait()
		if got := number(t, d, `SELECT value FROM counter WHERE id = 'a'`); got != 1 {
			t.Errorf("the value is %d, want 1", got)
		}
		if open := openTransactions(t, d); open != 0 {
			t.Errorf("%d transactions are open", open)
		}
	})
}

// TestCompareAndSwapLosesNoUpdate lets two writers race on one row many times: for each step one swaps and the other
// sees that it has lost and tries again.
func TestCompareAndSwapLosesNoUpdate(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		counterTable(t, d)
		const steps = 40
		var lost atomic.Int64
		var group sync.WaitGroup
		for range 2 {
			group.Go(func() {
				for done := 0; done < steps; {
					seen, err := get(t.Context(), d.Read(), "a")
					if err != nil {
						t.Error(err)
						return
					}
					var changed int64
					err = d.Tx(t.Context(), func(ctx context.Context, q db.Querier) error {
						result, err := q.ExecContext(ctx, `UPDATE counter SET value = $3 WHERE id = $1 AND value = $2`,
							"a", seen, seen+1)
						if err != nil {
							return err
						}
						changed, err = result.RowsAffected()
						return err
					})
					if err != nil {
						t.Error(err)
						return
					}
					if changed == 1 {
						done++
					} else {
						lost.Add(1)
					}
				}
			})
		}
		group.Wait()
		if got := number(t, d, `SELECT value FROM counter WHERE id = 'a'`); got != 2*steps {
			t.Errorf("after %d swaps the value is %d: updates were lost", 2*steps, got)
		}
		t.Logf("%d of %d races were lost and tried again", lost.Load(), 2*steps)
	})
}

// TestReadModifyWriteIsSerializable needs the retry: the function reads, and writes what it made of that.
func TestReadModifyWriteIsSerializable(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		counterTable(t, d)
		const workers, steps = 4, 15
		var runs atomic.Int64
		var group sync.WaitGroup
		for range workers {
			group.Go(func() {
				for range steps {
					err := d.Tx(t.Context(), func(ctx context.Context, q db.Querier) error {
						runs.Add(1)
						value, err := get(ctx, q, "a")
						if err != nil {
							return err
						}
						return set(ctx, q, "a", value+1)
					})
					if err != nil {
						t.Error(err)
					}
				}
			})
		}
		group.Wait()
		if got := number(t, d, `SELECT value FROM counter WHERE id = 'a'`); got != workers*steps {
			t.Errorf("the value is %d, want %d", got, workers*steps)
		}
		t.Logf("%d transactions took %d runs", workers*steps, runs.Load())
	})
}

// TestWriteSkewIsRefused: each transaction reads the other's row and writes its own, so that together they break the
// rule that at most one of the two is 1. Snapshot isolation would let both through.
func TestWriteSkewIsRefused(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		counterTable(t, d)
		for range 10 {
			exec(t, d, `UPDATE counter SET value = 0`)
			var group sync.WaitGroup
			for _, pair := range [][2]string{{"a", "b"}, {"b", "a"}} {
				group.Go(func() {
					err := d.Tx(t.Context(), func(ctx context.Context, q db.Querier) error {
						value, err := get(ctx, q, pair[0])
						if err != nil || value == 1 {
							return err
						}
						return set(ctx, q, pair[1], 1)
					})
					if err != nil {
						t.Error(err)
					}
				})
			}
			group.Wait()
			if got := number(t, d, `SELECT SUM(value) FROM counter`); got != 1 {
				t.Fatalf("the sum is %d, want 1", got)
			}
		}
	})
}

func TestDeadlockIsRetried(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		counterTable(t, d)
		var group sync.WaitGroup
		for _, order := range [][2]string{{"a", "b"}, {"b", "a"}} {
			group.Go(func() {
				for range 5 {
					err := d.Tx(t.Context(), func(ctx context.Context, q db.Querier) error {
						for _, name := range order {
							if _, err := q.ExecContext(ctx, `UPDATE counter SET value = value + 1 WHERE id = $1`,
								name); err != nil {
								// Hides the cause, as careless code may: Tx has to see it all the same.
								return errors.New("update failed")
							}
							time.Sleep(time.Millisecond)
						}
						return nil
					})
					if err != nil {
						t.Error(err)
					}
				}
			})
		}
		group.Wait()
		if got := number(t, d, `SELECT SUM(value) FROM counter`); got != 20 {
			t.Errorf("the sum is %d, want 20", got)
		}
	})
}

// TestTwoHandlesOnOneFile is what `recto user add` beside a running server does.
func TestTwoHandlesOnOneFile(t *testing.T) {
	address := dbtest.SQLiteURL(t)
	var handles []*db.DB
	for range 2 {
		handle, err := db.Open(t.Context(), db.Config{URL: address})
		if err != nil {
			t.Fatal(err)
		}
		defer handle.Close()
		handles = append(handles, handle)
	}
	counterTable(t, handles[0])
	var group sync.WaitGroup
	for _, handle := range handles {
		for range 2 {
			group.Go(func() {
				for range 25 {
					err := handle.Tx(t.Context(), func(ctx context.Context, q db.Querier) error {
						value, err := get(ctx, q, "a")
						if err != nil {
							return err
						}
						return set(ctx, q, "a", value+1)
					})
					if err != nil {
						t.Error(err)
					}
				}
			})
		}
	}
	group.Wait()
	if got := number(t, handles[1], `SELECT value FROM counter WHERE id = 'a'`); got != 100 {
		t.Errorf("the value is %d, want 100", got)
	}
}

func TestSnapshotSeesOneMoment(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		counterTable(t, d)
		err := d.Snapshot(t.Context(), func(ctx context.Context, q db.Querier) error {
			before, err := get(ctx, q, "a")
			if err != nil {
				return err
			}
			if err := d.Tx(t.Context(), func(ctx context.Context, q db.Querier) error {
				return set(ctx, q, "a", before+1)
			}); err != nil {
				return fmt.Errorf("write beside the snapshot: %w", err)
			}
			after, err := get(ctx, q, "a")
			if err != nil {
				return err
			}
			if after != before {
				t.Errorf("the value went from %d to %d inside a snapshot", before, after)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		err = d.Snapshot(t.Context(), func(ctx context.Context, q db.Querier) error { return set(ctx, q, "a", 5) })
		if err == nil || strings.Contains(err.Error(), "busy") {
			t.Errorf("a write in a snapshot: got error %v, want a refusal", err)
		}
	})
}

func TestAfterCommit(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		var calls []string
		for _, outcome := range []error{nil, errStop} {
			_ = d.Tx(t.Context(), func(ctx context.Context, q db.Querier) error {
				db.AfterCommit(q, func() { calls = append(calls, fmt.Sprint(outcome)) })
				if len(calls) > 0 && outcome == nil {
					t.Error("it ran before the commit")
				}
				return outcome
			})
		}
		db.AfterCommit(d.Read(), func() { calls = append(calls, "outside") })
		if diff := cmp.Diff([]string{"<nil>", "outside"}, calls); diff != "" {
			t.Errorf("calls (-want +got):\n%s", diff)
		}
	})
}
