package db

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/stdlib"
)

// Notify tells every process that listens on a channel of the database something, this one too. A message has less
// than 8000 bytes. On SQLite, which one process has for itself, it does nothing. Messages may be lost: what they tell
// must be in the database, or not matter.
func (d *DB) Notify(ctx context.Context, channel, message string) error {
	if d.dialect != Postgres {
		return nil
	}
	if _, err := d.Write().ExecContext(ctx, `SELECT pg_notify($1, $2)`, channel, message); err != nil {
		return fmt.Errorf("notify %s: %w", channel, err)
	}
	return nil
}

// Listen passes what Notify tells on a channel to heard, until ctx ends or the connection breaks, which it returns.
// ready is called when it has begun to hear: whatever was told before may have been missed. It keeps one connection of
// the pool. On SQLite it waits for the end of ctx.
func (d *DB) Listen(ctx context.Context, channel string, ready func(), heard func(message string)) error {
	if d.dialect != Postgres {
		<-ctx.Done()
		return ctx.Err()
	}
	connection, err := d.writer.Conn(ctx)
	if err != nil {
		return fmt.Errorf("listen on %s: %w", channel, translate(ctx, err))
	}
	err = connection.Raw(func(driver any) error {
		away, ok := driver.(awayConn)
		if !ok {
			return errors.New("the connection is none of PostgreSQL")
		}
		raw, ok := away.postgresConn.(*stdlib.Conn)
		if !ok {
			return errors.New("the driver of PostgreSQL has changed")
		}
		if _, err := raw.Conn().Exec(ctx, `LISTEN `+channel); err != nil {
			return err
		}
		ready()
		// A request to cancel, which is how ctx ends other statements, means nothing to a connection that runs none.
		wire := raw.Conn().PgConn().Conn()
		stop := context.AfterFunc(ctx, func() { _ = wire.SetReadDeadline(time.Now()) })
		defer stop()
		for {
			told, err := raw.Conn().WaitForNotification(context.WithoutCancel(ctx))
			if err != nil {
				// A connection that listens is of no use to others.
				return errors.Join(ctx.Err(), err, raw.Conn().Close(context.WithoutCancel(ctx)))
			}
			heard(told.Payload)
		}
	})
	return errors.Join(fmt.Errorf("listen on %s: %w", channel, err), connection.Close())
}
