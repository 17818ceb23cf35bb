package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// Scanner is a row whose columns can be copied into targets.
type Scanner interface {
	Scan(targets ...any) error
}

// All runs a statement and returns what scan makes of its rows, in their order; nil when there are none. doing says
// what the statement is for, in words such as "list teams", and stands in front of errors; it is empty where the caller
// puts them there.
func All[T any](ctx context.Context, q Querier, doing string, scan func(Scanner) (T, error), query string,
	args ...any) ([]T, error) {
	var all []T
	err := Each(ctx, q, doing, func(row Scanner) error {
		one, err := scan(row)
		if err == nil {
			all = append(all, one)
		}
		return err
	}, query, args...)
	if err != nil {
		return nil, err
	}
	return all, nil
}

// Each is All for rows that do not become a list: it passes each of them to a function, whose error ends it. The
// function must not run statements on q: the connection is in use.
func Each(ctx context.Context, q Querier, doing string, row func(Scanner) error, query string, args ...any) error {
	return wrap(doing, each(ctx, q, row, query, args))
}

func wrap(doing string, err error) error {
	if err == nil || doing == "" {
		return err
	}
	return fmt.Errorf("%s: %w", doing, err)
}

func each(ctx context.Context, q Querier, row func(Scanner) error, query string, args []any) error {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := row(rows); err != nil {
			return err
		}
	}
	if err := translate(ctx, rows.Err()); err != nil {
		if t, ok := q.(*transaction); ok {
			t.fail(err)
		}
		return err
	}
	return nil
}

// One runs a statement and returns what scan makes of its only row. Without a row, scan gets ErrNoRows, and errors.Is
// finds it in the error of One.
func One[T any](ctx context.Context, q Querier, doing string, scan func(Scanner) (T, error), query string,
	args ...any) (T, error) {
	one, err := scan(q.QueryRowContext(ctx, query, args...))
	if err != nil {
		return *new(T), wrap(doing, err)
	}
	return one, nil
}

// Find is One for a row that may be missing: found tells whether it is there.
func Find[T any](ctx context.Context, q Querier, doing string, scan func(Scanner) (T, error), query string,
	args ...any) (one T, found bool, err error) {
	one, err = One(ctx, q, doing, scan, query, args...)
	if errors.Is(err, ErrNoRows) {
		return one, false, nil
	}
	return one, err == nil, err
}

// Column scans a row of one column, for All and One.
func Column[T any](row Scanner) (T, error) {
	var value T
	err := row.Scan(&value)
	return value, err
}

// NullText returns a text as a column that is NULL for the empty one.
func NullText[T ~string](text T) sql.Null[string] {
	return sql.Null[string]{V: string(text), Valid: text != ""}
}

// NullMicros returns a time as Micros does, for a column that is NULL for the zero time.
func NullMicros(t time.Time) sql.Null[int64] {
	if t.IsZero() {
		return sql.Null[int64]{}
	}
	return sql.Null[int64]{V: Micros(t), Valid: true}
}

// NullTime returns the time that NullMicros wrote: the zero time for NULL.
func NullTime(micros sql.Null[int64]) time.Time {
	if !micros.Valid {
		return time.Time{}
	}
	return Time(micros.V)
}
