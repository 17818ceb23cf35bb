package db_test

import (
	"os"
	"testing"

	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

func TestMain(m *testing.M) {
	db.SetEmptyDatabase(func(t *testing.T, dialect db.Dialect) string {
		if dialect == db.SQLite {
			return db.EmptySQLiteURL(t)
		}
		return dbtest.EmptyPostgresURL(t)
	})
	os.Exit(m.Run())
}
