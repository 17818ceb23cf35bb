package db

import (
	"container/list"
	"context"
	"database/sql/driver"
	"errors"
)

// statementLimit is how many prepared statements each connection keeps. Our SQL is literal text, so that is about all
// of it; what is built from lists comes and goes at the end of the order.
const statementLimit = 256

// cachingConnector makes connections that keep their prepared statements. database/sql prepares a statement each time
// it is run unless the driver keeps it, and for SQLite that takes longer than running it. It belongs in the driver's
// connection because a *sql.Stmt of the pool cannot be prepared while a transaction holds the only connection.
type cachingConnector struct{ driver.Connector }

// Connect implements driver.Connector.
func (c cachingConnector) Connect(ctx context.Context) (driver.Conn, error) {
	connection, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	full, ok := connection.(contextConn)
	if !ok {
		_ = connection.Close()
		return nil, errors.New("the SQLite driver lacks an interface that the statement cache needs")
	}
	return &cachingConn{contextConn: full, kept: map[string]*list.Element{}, order: list.New()}, nil
}

// contextConn is what database/sql looks for in a connection and the driver has.
type contextConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.NamedValueChecker
}

// contextStmt is the same for a statement.
type contextStmt interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
	driver.NamedValueChecker
}

// cachingConn is used by one goroutine at a time, like every driver.Conn.
type cachingConn struct {
	contextConn
	kept  map[string]*list.Element // of *cachedStmt, by their text; none of them is in use
	order *list.List               // the least recently used at the back
}

// cachedStmt goes back to its connection when it is closed.
type cachedStmt struct {
	contextStmt
	text  string
	owner *cachingConn
}

// Prepare implements driver.Conn.
func (c *cachingConn) Prepare(query string) (driver.Stmt, error) {
	return c.PrepareContext(context.Background(), query)
}

// PrepareContext implements driver.ConnPrepareContext.
func (c *cachingConn) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	if element, ok := c.kept[query]; ok {
		// Out of the cache while it is in use: the same text may be run again before its rows are closed.
		delete(c.kept, query)
		return c.order.Remove(element).(*cachedStmt), nil
	}
	statement, err := c.contextConn.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	full, ok := statement.(contextStmt)
	if !ok {
		return statement, nil
	}
	return &cachedStmt{contextStmt: full, text: query, owner: c}, nil
}

// Close implements driver.Conn.
func (c *cachingConn) Close() error {
	var failures []error
	for element := c.order.Front(); element != nil; element = element.Next() {
		failures = append(failures, element.Value.(*cachedStmt).contextStmt.Close())
	}
	c.order.Init()
	clear(c.kept)
	return errors.Join(append(failures, c.contextConn.Close())...)
}

// Close implements driver.Stmt.
func (s *cachedStmt) Close() error {
	c := s.owner
	if _, another := c.kept[s.text]; another {
		return s.contextStmt.Close()
	}
	c.kept[s.text] = c.order.PushFront(s)
	if c.order.Len() <= statementLimit {
		return nil
	}
	oldest := c.order.Remove(c.order.Back()).(*cachedStmt)
	delete(c.kept, oldest.text)
	return oldest.contextStmt.Close()
}
