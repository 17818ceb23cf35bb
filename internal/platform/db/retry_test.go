package db

import (
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/rectodocs/recto/internal/base/errs"
)

// TestCollisionsEnd holds that a transaction that collides runs again until the others are through, also when these are
// many and slow, and that it gives up when that takes too long.
func TestCollisionsEnd(t *testing.T) {
	collision := &pgconn.PgError{Code: "40001", Message: "could not serialize access due to concurrent update"}
	for name, each := range map[string]struct {
		takes time.Duration // of one attempt
		fails int           // attempts that collide; 0 for all
		most  time.Duration
	}{
		"few others":            {takes: time.Millisecond, fails: 3, most: time.Second},
		"many others":           {takes: time.Millisecond, fails: 25, most: patience},
		"long transactions":     {takes: 10 * time.Second, fails: maxAttempts - 1, most: 3 * time.Minute},
		"others without end":    {takes: time.Millisecond, most: patience + time.Second},
		"long ones without end": {takes: 10 * time.Second, most: 3 * time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d, runs, began := &DB{log: slog.New(slog.DiscardHandler)}, 0, time.Now()
				err := d.retry(t.Context(), func() error {
					time.Sleep(each.takes)
					if runs++; runs > each.fails && each.fails > 0 {
						return nil
					}
					return collision
				})
				if each.fails > 0 && (err != nil || runs != each.fails+1) {
					t.Errorf("after %d runs: %v", runs, err)
				}
				if each.fails == 0 && (!errs.Is(err, errs.Unavailable) || !errors.Is(err, collision) ||
					runs < maxAttempts) {
					t.Errorf("after %d runs: got %v, want an errs.Unavailable error", runs, err)
				}
				if took := time.Since(began); took > each.most {
					t.Errorf("it took %v, want at most %v", took, each.most)
				}
			})
		})
	}
}
