package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
)

// How Tx retries: with pauses that double from firstPause to maxPause, each shortened at random. It gives up after
// maxAttempts runs, but not before patience: where many change one row, each commit sends all the others back, and on a
// slow machine a row of short transactions uses up any number of attempts.
const (
	maxAttempts = 12
	patience    = 15 * time.Second
	firstPause  = 4 * time.Millisecond
	maxPause    = 500 * time.Millisecond
)

// Limits on ending a transaction, which goes on after the caller's context has ended. They only matter when the
// database has gone away without closing the connection.
const (
	rollbackLimit = 10 * time.Second
	commitLimit   = 60 * time.Second
)

// transactionKey marks the context inside a transaction on one database.
type transactionKey struct{ database *DB }

// Tx runs fn in a write transaction and commits it when fn returns nil. Everything fn does is undone when it returns an
// error or panics, when a statement of it has failed, and when ctx has ended.
//
// fn runs again, from the start, when the database reports that it collided with another transaction: it must not
// change anything but through q, and must set the variables it fills, not add to them. When it collides for too long,
// Tx returns an errs.Unavailable error. fn must not wait for anything but the database: on SQLite it keeps every other
// writer out.
//
// fn passes its own ctx on: a Tx or Snapshot with that context is ErrNested.
func (d *DB) Tx(ctx context.Context, fn func(ctx context.Context, q Querier) error) error {
	options := &sql.TxOptions{}
	if d.dialect == Postgres {
		options.Isolation = sql.LevelSerializable
	}
	return d.retry(ctx, func() error { return d.once(ctx, d.writer, options, fn) })
}

// InTx reports whether ctx belongs to a transaction on this database.
func (d *DB) InTx(ctx context.Context) bool { return ctx.Value(transactionKey{d}) != nil }

// Snapshot runs fn in a read-only transaction: all its statements see the database as it was at one moment. It is for
// several reads that have to agree; a single one needs only Read. fn may run again, as with Tx.
func (d *DB) Snapshot(ctx context.Context, fn func(ctx context.Context, q Querier) error) error {
	options := &sql.TxOptions{ReadOnly: true}
	if d.dialect == Postgres {
		options.Isolation = sql.LevelRepeatableRead
	}
	return d.retry(ctx, func() error { return d.once(ctx, d.reader, options, fn) })
}

// retry runs attempt until it succeeds, fails for good or has been tried often and long enough.
func (d *DB) retry(ctx context.Context, attempt func() error) error {
	if d.InTx(ctx) {
		return ErrNested
	}
	pause, began := firstPause, time.Now()
	for number := 1; ; number++ {
		err := attempt()
		if err == nil || !IsRetryable(err) {
			return err
		}
		if number >= maxAttempts && time.Since(began) >= patience {
			return errs.Wrap(err, errs.Unavailable, "The database is busy with other changes; try again in a moment.")
		}
		d.log.LogAttrs(ctx, slog.LevelDebug, "transaction runs again", slog.Int("attempt", number),
			slog.Any("error", err))
		// The random part keeps transactions that collided from colliding again.
		timer := time.NewTimer(pause/2 + rand.N(pause/2+1))
		select {
		case <-ctx.Done():
			timer.Stop()
			return translate(ctx, err)
		case <-timer.C:
		}
		pause = min(2*pause, maxPause)
	}
}

// once runs fn in one transaction.
func (d *DB) once(ctx context.Context, handle *sql.DB, options *sql.TxOptions,
	fn func(context.Context, Querier) error) (err error) {
	tx, release, err := begin(ctx, handle, options)
	if err != nil {
		return fmt.Errorf("begin transaction: %w", translate(ctx, err))
	}
	defer release()

	q := &transaction{tx: tx, dialect: d.dialect}
	finished := false
	defer func() {
		if finished {
			return
		}
		// fn panicked or called runtime.Goexit: undo its work and let it go on its way.
		d.rollback(ctx, tx, release)
	}()
	err = fn(context.WithValue(ctx, transactionKey{d}, true), q)
	finished = true

	if failure := q.failed(); failure != nil {
		switch {
		case err == nil:
			err = fmt.Errorf("transaction cannot commit, a statement in it failed: %w", failure)
		case IsRetryable(failure) && !IsRetryable(err):
			// fn has put another error in the place of the one that asks for a retry.
			err = fmt.Errorf("%w: %w", err, failure)
		}
	}
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		d.rollback(ctx, tx, release)
		return err
	}
	limit := time.AfterFunc(commitLimit, release)
	defer limit.Stop()
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("commit transaction: %w", away(err))
	}
	for _, follow := range q.after {
		follow()
	}
	return nil
}

// begin starts a transaction that the end of ctx does not end by itself: database/sql would roll it back behind the
// back of a caller that is still using it and return before that is done. Waiting for a connection and for the
// database's lock does stop with ctx. Release frees what the transaction holds, by force if it has not ended.
func begin(ctx context.Context, handle *sql.DB,
	options *sql.TxOptions) (tx *sql.Tx, release context.CancelFunc, err error) {
	own, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, cancel)
	tx, err = handle.BeginTx(own, options)
	if err != nil {
		stop()
		cancel()
		return nil, nil, err
	}
	if !stop() {
		// ctx ended while the transaction began, so cancel has run or is about to.
		_ = tx.Rollback()
		cancel()
		return nil, nil, context.Cause(ctx)
	}
	return tx, cancel, nil
}

// rollback undoes a transaction within rollbackLimit.
func (d *DB) rollback(ctx context.Context, tx *sql.Tx, release context.CancelFunc) {
	limit := time.AfterFunc(rollbackLimit, release)
	defer limit.Stop()
	if err := tx.Rollback(); err != nil && !errors.Is(err, sql.ErrTxDone) {
		// The connection is broken, and the database undoes what it began on it.
		d.log.LogAttrs(ctx, slog.LevelWarn, "roll back transaction", slog.Any("error", err))
	}
}
