package dbtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// pool hands out migrated, empty databases of one server, and takes them back.
//
// Making and dropping a database costs the server several times what emptying it costs, and more while others write, so
// databases are used again, by later processes too. They are numbered; a process that uses one holds an advisory lock
// with its number, on one connection that stays as long as the process, so that a killed process gives its databases
// free. A database is emptied when it is taken, not when it is given back. Tables that it did not have are dropped
// then, and it is made anew when it does not have those that it had. The process keeps its connection to each, because
// the server takes ten times as long to look through the tables on a new one.
type pool struct {
	template string
	locks    *pgx.Conn

	mutex sync.Mutex
	// free are the numbers that this process holds and does not use; next is the least that it has not asked for.
	free []int
	next int
	// kept are the connections to databases by their numbers. Each is used by whoever takes or has the number.
	kept map[int]*pgx.Conn
}

// lockClass is the first key of the advisory locks: the second is the number of a database.
const lockClass = 724511

// mostDatabases bounds the numbers that a process tries.
const mostDatabases = 10_000

// describe is a text that differs for databases with other tables, columns, triggers, settings or migrations. What
// there is many of is added up rather than put in order, which the server does several times as fast.
const describe = `SELECT md5(concat_ws('|',
	(SELECT count(*) || ' ' || sum(hashtext(relname::text || relkind::text)::bigint + oid::bigint) FROM pg_class
		WHERE relnamespace = 'public'::regnamespace),
	(SELECT count(*) || ' ' || sum(hashtext(attname::text)::bigint * attnum + atttypid::bigint * attrelid::bigint * 2
		+ attnotnull::int) FROM pg_attribute
		WHERE attrelid >= 16384 AND attnum > 0 AND NOT attisdropped),
	(SELECT count(*) || ' ' || sum(hashtext(conname::text)::bigint + conrelid::bigint) FROM pg_constraint
		WHERE connamespace = 'public'::regnamespace),
	(SELECT string_agg(tgname, ',' ORDER BY tgname) FROM pg_trigger WHERE NOT tgisinternal),
	(SELECT string_agg(proname, ',' ORDER BY proname) FROM pg_proc WHERE pronamespace = 'public'::regnamespace),
	(SELECT count(*) FROM pg_db_role_setting s JOIN pg_database d ON d.oid = s.setdatabase
		WHERE d.datname = current_database()),
	(SELECT string_agg(m::text, ',' ORDER BY m.version_id) FROM schema_migration m)))`

// inspect is what a database was made with, what it has now, and the tables that were made since, with commas.
const inspect = `SELECT split_part(note, ' ', 1), (` + describe + `), coalesce((
	SELECT string_agg(oid::regclass::text, ', ') FROM pg_class WHERE relkind = 'r'
		AND relnamespace = 'public'::regnamespace AND oid > split_part(note, ' ', 2)::oid), '')
	FROM (SELECT shobj_description(oid, 'pg_database') AS note FROM pg_database WHERE datname = current_database()) n`

// empty removes all rows but those that migrations wrote. A table that never had a row has no size; one that has grown
// is truncated, since deleting leaves its size.
const empty = `DO $$
DECLARE
	t record;
BEGIN
	SET LOCAL session_replication_role = replica;
	FOR t IN SELECT oid::regclass AS name, pg_relation_size(oid) AS size FROM pg_class
		WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND pg_relation_size(oid) > 0
		AND relname NOT IN ('schema_migration', 'migration_lock')
	LOOP
		IF t.size > 131072 THEN
			EXECUTE 'TRUNCATE ' || t.name || ' CASCADE';
		ELSE
			EXECUTE 'DELETE FROM ' || t.name;
		END IF;
	END LOOP;
END $$`

// openPool connects to the server of tests.
func openPool(template string) (*pool, error) {
	ctx, cancel := context.WithTimeout(context.Background(), setupLimit)
	defer cancel()
	locks, err := pgx.Connect(ctx, os.Getenv(Variable))
	if err != nil {
		return nil, err
	}
	return &pool{template: template, locks: locks, kept: map[int]*pgx.Conn{}}, nil
}

// take returns the number of a database that is this process's until it gives it back.
func (p *pool) take(ctx context.Context) (int, error) {
	number, err := p.number(ctx)
	if err != nil {
		return 0, err
	}
	if p.renew(ctx, number) == nil {
		return number, nil
	}
	// It is not there, or not as it was.
	p.forget(ctx, number)
	if err := administer(`DROP DATABASE IF EXISTS ` + p.name(number) + ` WITH (FORCE)`); err != nil {
		return 0, err
	}
	if err := administer(`CREATE DATABASE ` + p.name(number) + ` TEMPLATE ` + p.template +
		` STRATEGY wal_log`); err != nil {
		return 0, err
	}
	return number, p.note(ctx, number)
}

// give takes back a database.
func (p *pool) give(number int) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.free = append(p.free, number)
}

// name is that of the database with a number.
func (p *pool) name(number int) string { return p.template + "_" + strconv.Itoa(number) }

// number returns one that no process uses.
func (p *pool) number(ctx context.Context) (int, error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if last := len(p.free) - 1; last >= 0 {
		number := p.free[last]
		p.free = p.free[:last]
		return number, nil
	}
	// A process takes a lock that it has once more, so it asks only for numbers that it has not asked for yet.
	for ; p.next < mostDatabases; p.next++ {
		var locked bool
		if err := p.locks.QueryRow(ctx, `SELECT pg_try_advisory_lock($1, $2)`, lockClass, p.next).
			Scan(&locked); err != nil {
			return 0, err
		}
		if locked {
			p.next++
			return p.next - 1, nil
		}
	}
	return 0, errors.New("all databases for tests are in use")
}

// renew empties a database, or returns an error when it is not there or not as it was made. Tables that a test has made
// are dropped.
func (p *pool) renew(ctx context.Context, number int) error {
	return p.connected(ctx, number, func(c *pgx.Conn) error {
		var made, now, strangers string
		if err := c.QueryRow(ctx, inspect).Scan(&made, &now, &strangers); err != nil {
			return err
		}
		// What a test left open must not write into the next one's database.
		for {
			var left int
			if err := c.QueryRow(ctx, `SELECT count(*) FROM (SELECT pg_terminate_backend(pid) FROM pg_stat_activity
				WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend') t`).
				Scan(&left); err != nil {
				return err
			}
			if left == 0 {
				break
			}
			time.Sleep(time.Millisecond)
		}
		if strangers != "" {
			if _, err := c.Exec(ctx, `DROP TABLE `+strangers+` CASCADE`); err != nil {
				return err
			}
			if err := c.QueryRow(ctx, inspect).Scan(&made, &now, &strangers); err != nil {
				return err
			}
		}
		if now != made {
			return fmt.Errorf("database %s has other tables than it was made with", p.name(number))
		}
		_, err := c.Exec(ctx, empty)
		return err
	})
}

// note writes down, with the database, what it was made with, and the highest number of a table that it has.
func (p *pool) note(ctx context.Context, number int) error {
	return p.connected(ctx, number, func(c *pgx.Conn) error {
		var description, last string
		if err := c.QueryRow(ctx, `SELECT (`+describe+`), (SELECT max(oid)::text FROM pg_class)`).
			Scan(&description, &last); err != nil {
			return err
		}
		_, err := c.Exec(ctx, `COMMENT ON DATABASE `+p.name(number)+` IS '`+description+` `+last+`'`)
		return err
	})
}

// connected calls work with this process's connection to a database. A connection that was cut is made once more.
func (p *pool) connected(ctx context.Context, number int, work func(*pgx.Conn) error) error {
	c, err := p.connect(ctx, number)
	if err != nil {
		return err
	}
	err = work(c)
	if err == nil || !c.IsClosed() {
		return err
	}
	p.forget(ctx, number)
	if c, err = p.connect(ctx, number); err != nil {
		return err
	}
	return work(c)
}

// connect returns the connection to a database that is kept, or makes one.
func (p *pool) connect(ctx context.Context, number int) (*pgx.Conn, error) {
	p.mutex.Lock()
	c := p.kept[number]
	p.mutex.Unlock()
	if c != nil {
		return c, nil
	}
	address, err := databaseURL(p.name(number))
	if err != nil {
		return nil, err
	}
	if c, err = pgx.Connect(ctx, address); err != nil {
		return nil, err
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.kept[number] = c
	return c, nil
}

// forget closes the connection to a database, if one is kept.
func (p *pool) forget(ctx context.Context, number int) {
	p.mutex.Lock()
	c := p.kept[number]
	delete(p.kept, number)
	p.mutex.Unlock()
	if c != nil {
		_ = c.Close(ctx)
	}
}
