package db

import (
	"cmp"
	"database/sql"
	"errors"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgconn/ctxwatch"
	"github.com/jackc/pgx/v5/stdlib"
)

// openPostgres opens a pool of up to connections (0: twenty) connections.
func openPostgres(address string, connections int) (*sql.DB, error) {
	config, err := pgx.ParseConfig(address)
	if err != nil {
		// The error of the parser repeats the URL, with the password masked only where it could be parsed.
		return nil,
			errors.New(
				`the PostgreSQL URL is malformed; write postgres://user:password@host:5432/name, with special characters of the password percent-encoded`)
	}
	config.RuntimeParams["application_name"] = cmp.Or(config.RuntimeParams["application_name"], "recto")
	// Statements that hold a transaction open and do nothing keep rows locked; none of ours pauses for a minute.
	config.RuntimeParams["idle_in_transaction_session_timeout"] = cmp.Or(
		config.RuntimeParams["idle_in_transaction_session_timeout"], "60000")
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = 5 * time.Second
	}
	// The driver's default on a cancelled context is to drop the connection, while the server goes on with the
	// statement and its locks. Ask the server to stop it, and drop the connection only when that does not help.
	config.BuildContextWatcherHandler = func(connection *pgconn.PgConn) ctxwatch.Handler {
		return &pgconn.CancelRequestContextWatcherHandler{
			Conn:               connection,
			CancelRequestDelay: 0,
			DeadlineDelay:      5 * time.Second,
		}
	}
	pool := sql.OpenDB(awayConnector{stdlib.GetConnector(*config)})
	connections = cmp.Or(max(connections, 0), 20)
	pool.SetMaxOpenConns(connections)
	pool.SetMaxIdleConns(connections)
	pool.SetConnMaxIdleTime(5 * time.Minute)
	pool.SetConnMaxLifetime(time.Hour)
	return pool, nil
}

// postgresError returns what an error of the server means; ok is false for errors that are not from one.
func postgresError(err error) (c condition, ok bool) {
	failure, ok := errors.AsType[*pgconn.PgError](err)
	if !ok && isUnreachable(err) {
		return awayCondition, true
	}
	if !ok {
		return otherCondition, false
	}
	if _, connecting := errors.AsType[*pgconn.ConnectError](err); connecting {
		return awayCondition, true // whatever the server has against us
	}
	return postgresCondition(failure.Code), true
}

// postgresCondition maps SQLSTATE codes (PostgreSQL manual, appendix A).
func postgresCondition(code string) condition {
	switch code {
	case "23505":
		return uniqueViolation
	case "23503", "23001":
		return foreignKeyViolation
	case "40001", "40P01", "55P03":
		return retryCondition
	case "57014":
		return cancelCondition
	case "57P01", "57P02", "57P03", "53300": // stopping, crashed, starting, too many connections
		return awayCondition
	case "53100": // disk full
		return fullCondition
	}
	if strings.HasPrefix(code, "08") { // connection exceptions
		return awayCondition
	}
	return otherCondition
}
