package db

import (
	"database/sql"
	"path/filepath"
	"testing"

	"github.com/ncruces/go-sqlite3"
	sqlitedriver "github.com/ncruces/go-sqlite3/driver"
)

// TestStatementsKeepTheirPlans holds that a statement that is run again with other values is not prepared anew, be it
// for its LIMIT or for a pattern. A connection without the setting shows that the check can fail.
func TestStatementsKeepTheirPlans(t *testing.T) {
	writer, reader, err := openSQLite(filepath.Join(t.TempDir(), "plans.db"), 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, pool := range []*sql.DB{reader, writer} {
		t.Cleanup(func() {
			if err := pool.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	const table = `CREATE TABLE item (id TEXT PRIMARY KEY COLLATE NOCASE)`
	if _, err := writer.ExecContext(t.Context(), table); err != nil {
		t.Fatal(err)
	}
	const limited, alike = `SELECT id FROM item ORDER BY id LIMIT ?1`, `SELECT id FROM item WHERE id LIKE ?1`
	for name, pool := range map[string]*sql.DB{"reader": reader, "writer": writer} {
		onConnection(t, pool, func(c *sqlite3.Conn) {
			if count := preparedAnew(t, c, limited) + preparedAnew(t, c, alike); count != 0 {
				t.Errorf("%s: statements were prepared anew %d times", name, count)
			}
		})
	}
	plain, err := sqlitedriver.Open("file:" + filepath.Join(t.TempDir(), "plain.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Close()
	if _, err := plain.ExecContext(t.Context(), table); err != nil {
		t.Fatal(err)
	}
	onConnection(t, plain, func(c *sqlite3.Conn) {
		if count := preparedAnew(t, c, limited); count == 0 {
			t.Error("SQLite keeps plans by itself: the setting can go")
		}
	})
}

// onConnection calls use with a connection of a pool.
func onConnection(t *testing.T, pool *sql.DB, use func(c *sqlite3.Conn)) {
	t.Helper()
	connection, err := pool.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	err = connection.Raw(func(of any) error {
		if kept, ok := of.(*cachingConn); ok {
			of = kept.contextConn
		}
		use(of.(sqlitedriver.Conn).Raw())
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// preparedAnew runs a statement with several values, and returns how often SQLite has prepared it again for that.
func preparedAnew(t *testing.T, c *sqlite3.Conn, query string) int {
	t.Helper()
	statement, _, err := c.Prepare(query)
	if err != nil {
		t.Fatal(err)
	}
	defer statement.Close()
	for _, value := range []string{"1", "20", "3"} {
		if err := statement.BindText(1, value); err != nil {
			t.Fatal(err)
		}
		for statement.Step() {
		}
		if err := statement.Reset(); err != nil {
			t.Fatal(err)
		}
	}
	return statement.Status(sqlite3.STMTSTATUS_REPREPARE, false)
}
