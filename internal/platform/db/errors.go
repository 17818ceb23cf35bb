package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// ErrNoRows is returned by Row.Scan when the statement found nothing. It is sql.ErrNoRows.
var ErrNoRows = sql.ErrNoRows

// ErrNested is returned by Tx and Snapshot inside another one on the same database: pass the Querier on instead.
var ErrNested = errors.New("transaction inside a transaction")

// condition is what a database's error code means to us.
type condition int

const (
	otherCondition condition = iota
	uniqueViolation
	foreignKeyViolation
	retryCondition  // serialization failure, deadlock, lock held too long
	cancelCondition // the statement was interrupted
	awayCondition   // the server cannot be reached, or is starting or stopping
	fullCondition   // there is no room to write
)

// IsUnique reports whether err says that a row with the same key is already there.
func IsUnique(err error) bool { return conditionOf(err) == uniqueViolation }

// IsForeignKey reports whether err says that a row refers to one that is not there, or is still referred to.
func IsForeignKey(err error) bool { return conditionOf(err) == foreignKeyViolation }

// IsRetryable reports whether err says that the same transaction may succeed when it runs again. Tx has already tried
// that when it returns such an error.
func IsRetryable(err error) bool { return conditionOf(err) == retryCondition }

// conditionOf maps the codes of both databases; texts of errors are never looked at.
func conditionOf(err error) condition {
	if err == nil {
		return otherCondition
	}
	if condition, ok := postgresError(err); ok {
		return condition
	}
	return sqliteCondition(err)
}

// translate makes an error of a statement say that its context has ended when it has: the drivers report an interrupted
// statement or a closed connection instead. One that the database's absence or lack of room has caused becomes an
// errs.Unavailable error.
func translate(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	if cause := ctx.Err(); cause != nil {
		if !errors.Is(err, cause) {
			return fmt.Errorf("%w: %w", cause, err)
		}
		return err
	}
	return away(err)
}
