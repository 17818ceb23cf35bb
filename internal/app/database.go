package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/platform/blob"
	"github.com/rectodocs/recto/internal/platform/config"
	"github.com/rectodocs/recto/internal/platform/db"
)

// beginning says what to do about a database that is not there.
type beginning bool

const (
	// orphansRefused makes a database unless files of an earlier one are there: without it they would be garbage, and
	// collected as such.
	orphansRefused beginning = false
	// anew makes a database in any case.
	anew beginning = true
)

// openDatabase opens and migrates the database of the settings, making the data folder when it is not there.
func openDatabase(ctx context.Context, storage config.Storage, begin beginning) (*db.DB, error) {
	if err := os.MkdirAll(storage.Data, 0o700); err != nil {
		return nil, fmt.Errorf("make the data folder: %w", err)
	}
	path, isFile := strings.CutPrefix(storage.Database(), "sqlite:")
	if isFile && begin != anew {
		// Before it is opened, which would make it.
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			if err := refuseOrphans(ctx, storage, "There is no database at "+path); err != nil {
				return nil, err
			}
		}
	}
	database, err := db.Open(ctx, db.Config{URL: storage.Database()})
	if err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	version, err := db.SchemaVersion(ctx, database)
	if err == nil && version == 0 && begin != anew {
		err = refuseOrphans(ctx, storage, "The database has no tables")
	}
	if err == nil {
		err = db.Migrate(ctx, database)
	}
	if err != nil {
		return nil, errors.Join(err, database.Close())
	}
	return database, nil
}

// refuseOrphans returns an error when there are files or search indexes of a database; missing says what is wrong with
// it.
func refuseOrphans(ctx context.Context, storage config.Storage, missing string) error {
	place, err := orphans(ctx, storage)
	if err != nil || place == "" {
		return err
	}
	return errs.New(errs.Precondition, "%s, but %s holds what an earlier one refers to. Restore the database from a "+
		"backup (recto.db of the data folder, "+
		"or the PostgreSQL database that --database-url names), or check --data and --database-url. "+
		"To begin anew and lose what is there, move it away, or run recto init --force.", missing, place)
}

// orphans returns where files or search indexes are, "" when there are none.
func orphans(ctx context.Context, storage config.Storage) (string, error) {
	blobs, err := blob.OpenStore(storage.Blobs())
	if err != nil {
		return "", fmt.Errorf("open the store of files: %w", err)
	}
	for _, err := range blobs.List(ctx) {
		if err != nil {
			return "", fmt.Errorf("look into the store of files: %w", err)
		}
		if dir, ok := strings.CutPrefix(storage.Blobs(), "dir:"); ok {
			return "the folder " + dir, nil
		}
		return "the bucket of files", nil // its address may hold a password
	}
	indexes, err := filepath.Glob(filepath.Join(storage.Search(), "v*", "*"))
	if err != nil || len(indexes) == 0 {
		return "", err
	}
	return "the folder " + storage.Search(), nil
}
