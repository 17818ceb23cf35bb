package db

import (
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"net"

	"github.com/jackc/pgx/v5/pgconn"
)

// awayConnector makes connections whose errors say when the server could not be reached. It stands below database/sql,
// so that every statement, row and commit passes through it.
type awayConnector struct{ driver.Connector }

// Connect implements driver.Connector.
func (c awayConnector) Connect(ctx context.Context) (driver.Conn, error) {
	connection, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, reached(ctx, err)
	}
	full, ok := connection.(postgresConn)
	if !ok {
		_ = connection.Close()
		return nil, errors.New("the PostgreSQL driver lacks an interface that is needed")
	}
	return awayConn{full}, nil
}

// postgresConn is what database/sql looks for in a connection and the driver has.
type postgresConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.QueryerContext
	driver.NamedValueChecker
	driver.Pinger
	driver.SessionResetter
}

type awayConn struct{ postgresConn }

// BeginTx implements driver.ConnBeginTx.
func (c awayConn) BeginTx(ctx context.Context, options driver.TxOptions) (driver.Tx, error) {
	tx, err := c.postgresConn.BeginTx(ctx, options)
	if err != nil {
		return nil, reached(ctx, err)
	}
	return awayTx{ctx, tx}, nil
}

// ExecContext implements driver.ExecerContext.
func (c awayConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	result, err := c.postgresConn.ExecContext(ctx, query, args)
	return result, reached(ctx, err)
}

// QueryContext implements driver.QueryerContext.
func (c awayConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	rows, err := c.postgresConn.QueryContext(ctx, query, args)
	if err != nil {
		return nil, reached(ctx, err)
	}
	return awayRows{ctx, rows}, nil
}

// Ping implements driver.Pinger.
func (c awayConn) Ping(ctx context.Context) error { return reached(ctx, c.postgresConn.Ping(ctx)) }

type awayTx struct {
	ctx context.Context // of the one call that began it
	tx  driver.Tx
}

// Commit implements driver.Tx.
func (t awayTx) Commit() error { return reached(t.ctx, t.tx.Commit()) }

// Rollback implements driver.Tx.
func (t awayTx) Rollback() error { return t.tx.Rollback() }

type awayRows struct {
	ctx context.Context // of the one call that made them
	driver.Rows
}

// Next implements driver.Rows.
func (r awayRows) Next(values []driver.Value) error {
	err := r.Rows.Next(values)
	if err == io.EOF {
		return err // the end of the rows
	}
	return reached(r.ctx, err)
}

// reached is away for an error of a call with a context: one whose context has ended says nothing about the server.
func reached(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		return err
	}
	return away(err)
}

// isUnreachable reports whether an error that is none of the server's says that it could not be reached.
func isUnreachable(err error) bool {
	if errors.Is(err, context.Canceled) {
		return false
	}
	if _, ok := errors.AsType[*pgconn.ConnectError](err); ok {
		return true
	}
	// Not net.Error, whose methods errors of SQLite have as well.
	if _, ok := errors.AsType[*net.OpError](err); ok {
		return true
	}
	return errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) || errors.Is(err, driver.ErrBadConn) ||
		pgconn.SafeToRetry(err)
}
