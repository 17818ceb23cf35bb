package db

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// Querier runs statements, in a transaction (given to the function of DB.Tx) or outside one (from DB.Read). Its SQL
// uses the placeholders $1, $2, … on both databases. Errors are translated: IsUnique and IsForeignKey work on them, and
// they are the context's error when the context has ended.
type Querier interface {
	// ExecContext runs a statement that returns no rows.
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	// QueryContext runs a statement that returns rows; the caller closes them and checks rows.Err.
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	// QueryRowContext runs a statement that returns at most one row; errors wait for Scan.
	QueryRowContext(ctx context.Context, query string, args ...any) *Row
}

// Row is the result of QueryRowContext.
type Row struct {
	ctx    context.Context // of the one call that made this Row, to translate its errors
	row    *sql.Row
	err    error
	failed func(error)
}

// Scan copies the columns of the row into the targets. It returns ErrNoRows when there is none.
func (r *Row) Scan(targets ...any) error {
	if r.err != nil {
		return r.err
	}
	err := r.row.Scan(targets...)
	if err == nil || err == sql.ErrNoRows {
		return err
	}
	err = translate(r.ctx, err)
	// A value that does not fit its target is the caller's error, not the statement's.
	if r.failed != nil && r.row.Err() != nil {
		r.failed(err)
	}
	return err
}

// Args are the arguments of a statement that is put together of parts.
type Args []any

// Add takes one more value and returns the placeholder that stands for it in the statement.
func (a *Args) Add(value any) string {
	*a = append(*a, value)
	return "$" + strconv.Itoa(len(*a))
}

// Placeholders returns count placeholders that start at $first, for an IN list: Placeholders(2, 3) is "$2, $3, $4".
// An empty IN list is no valid SQL: the caller handles a count of 0.
func Placeholders(first, count int) string {
	var text strings.Builder
	for i := range count {
		if i > 0 {
			text.WriteString(", ")
		}
		text.WriteByte('$')
		text.WriteString(strconv.Itoa(first + i))
	}
	return text.String()
}

// LikePattern is the LIKE pattern, with "!" as its escape, of all texts that contain a text.
func LikePattern(text string) string {
	return "%" + strings.NewReplacer("!", "!!", "%", "!%", "_", "!_").Replace(text) + "%"
}

// pool is a Querier outside any transaction.
type pool struct {
	handle  *sql.DB
	dialect Dialect
}

func (p pool) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	result, err := p.handle.ExecContext(ctx, rewrite(p.dialect, query), args...)
	return result, translate(ctx, err)
}

func (p pool) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	rows, err := p.handle.QueryContext(ctx, rewrite(p.dialect, query), args...)
	return rows, translate(ctx, err)
}

func (p pool) QueryRowContext(ctx context.Context, query string, args ...any) *Row {
	return &Row{ctx: ctx, row: p.handle.QueryRowContext(ctx, rewrite(p.dialect, query), args...)}
}

// transaction is a Querier inside one. It remembers that a statement failed: PostgreSQL refuses the rest of such a
// transaction by itself, and SQLite has to behave alike or code that swallows an error works on one of them only.
type transaction struct {
	tx      *sql.Tx
	dialect Dialect

	mutex   sync.Mutex
	failure error
	after   []func()
}

func (t *transaction) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	if err := t.refused(); err != nil {
		return nil, err
	}
	result, err := t.tx.ExecContext(ctx, rewrite(t.dialect, query), args...)
	if err != nil {
		err = translate(ctx, err)
		t.fail(err)
	}
	return result, err
}

func (t *transaction) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if err := t.refused(); err != nil {
		return nil, err
	}
	rows, err := t.tx.QueryContext(ctx, rewrite(t.dialect, query), args...)
	if err != nil {
		err = translate(ctx, err)
		t.fail(err)
	}
	return rows, err
}

func (t *transaction) QueryRowContext(ctx context.Context, query string, args ...any) *Row {
	if err := t.refused(); err != nil {
		return &Row{err: err}
	}
	return &Row{ctx: ctx, row: t.tx.QueryRowContext(ctx, rewrite(t.dialect, query), args...), failed: t.fail}
}

func (t *transaction) fail(err error) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if t.failure == nil {
		t.failure = err
	}
}

// failed returns the error of the first statement that failed, nil when none has.
func (t *transaction) failed() error {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return t.failure
}

func (t *transaction) refused() error {
	if err := t.failed(); err != nil {
		return fmt.Errorf("statement refused, one before it in the transaction failed: %w", err)
	}
	return nil
}

// AfterCommit runs fn when the transaction behind q has been committed, and never when it has not; for a Querier
// outside a transaction it runs fn at once. It is for what follows from a change inside this process, such as waking a
// worker: a crash in between loses it, so fn must not be needed for anything to be right. fn must not block.
func AfterCommit(q Querier, fn func()) {
	t, ok := q.(*transaction)
	if !ok {
		fn()
		return
	}
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.after = append(t.after, fn)
}
