//go:build embedded

package db

import (
	"database/sql"
	"errors"
)

// This build has SQLite alone, see CONTRIBUTING.md.

func openPostgres(string, int) (*sql.DB, error) {
	return nil, errors.New("this build of Recto has no PostgreSQL; build it without the tag embedded (make build), or a URL that begins with sqlite: and a path")
}

func postgresError(error) (condition, bool) { return otherCondition, false }
