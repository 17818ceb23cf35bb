package app_test

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app"
	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/platform/blob"
	"github.com/rectodocs/recto/internal/platform/config"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
	"github.com/rectodocs/recto/internal/platform/folder"
)

// TestOneServerForADataFolder holds that a second server on a data folder does not start and says which folder and
// process are in the way, that the first one goes on, and that commands work beside it.
func TestOneServerForADataFolder(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		settings := config.Defaults(s.Storage.Data)
		settings.Storage = s.Storage
		_, err := app.New(t.Context(), settings, "test", slog.New(slog.DiscardHandler))
		if inUse, ok := errors.AsType[*folder.InUseError](err); !ok || inUse.Folder != s.Storage.Data ||
			inUse.Process == "" {
			t.Errorf("a second server: %v", err)
		}
		s.CallAs(s.Member("read", "grace@example.org"), http.MethodGet, "/v1/user", nil, http.StatusOK, nil)
		if err := app.Migrate(t.Context(), s.Storage); err != nil {
			t.Errorf("migrate beside the server: %v", err)
		}
	})
}

// TestMissingDatabaseBesideFiles holds that nobody makes an empty database where files of another one are, because
// these would be collected as garbage; and that this can be wanted.
func TestMissingDatabaseBesideFiles(t *testing.T) {
	t.Parallel() // it waits most of the time
	log := slog.New(slog.DiscardHandler)
	empty := map[string]func(t *testing.T, data string) string{
		"sqlite":   func(_ *testing.T, data string) string { return "sqlite:" + filepath.Join(data, "recto.db") },
		"postgres": func(t *testing.T, _ string) string { return dbtest.EmptyPostgresURL(t) },
	}
	leave := map[string]func(t *testing.T, data string) (left string){
		"a file": func(t *testing.T, data string) string {
			blobs, err := blob.OpenStore("dir:" + filepath.Join(data, "blobs"))
			if err != nil {
				t.Fatal(err)
			}
			hash, _, err := blobs.Put(t.Context(), strings.NewReader("a picture"))
			if err != nil {
				t.Fatal(err)
			}
			return filepath.Join(data, "blobs", hash[:2], hash)
		},
		"an index": func(t *testing.T, data string) string {
			index := filepath.Join(data, "search", "v5", "space_01")
			if err := os.MkdirAll(index, 0o700); err != nil {
				t.Fatal(err)
			}
			return index
		},
	}
	for database, address := range empty {
		for what, leave := range leave {
			t.Run(database+", "+what, func(t *testing.T) {
				storage := config.Storage{Data: t.TempDir()}
				storage.DatabaseURL = address(t, storage.Data)
				left := leave(t, storage.Data)
				settings := config.Defaults(storage.Data)
				settings.Storage = storage
				setup := app.Setup{Title: "Example", Email: "ada@example.org", Name: "Ada"}
				attempts := map[string]func() error{
					"serve":   func() error { _, err := app.New(t.Context(), settings, "test", log); return err },
					"migrate": func() error { return app.Migrate(t.Context(), storage) },
					"init":    func() error { _, err := app.Init(t.Context(), storage, setup, log); return err },
					"demo": func() error {
						return app.Demo(t.Context(), settings, "test", nil, true, new(strings.Builder), log)
					},
				}
				for name, attempt := range attempts {
					err := attempt()
					if !errs.Is(err, errs.Precondition) || !strings.Contains(err.Error(), storage.Data) ||
						!strings.Contains(err.Error(), "Restore the database") {
						t.Errorf("%s: %v", name, err)
					}
				}
				if _, err := os.Stat(left); err != nil {
					t.Error(err)
				}
				if _, err := os.Stat(filepath.Join(storage.Data, "recto.db")); !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("a database was made all the same: %v", err)
				}
				if _, err := app.InitAnew(t.Context(), storage, setup, log); err != nil {
					t.Errorf("with force: %v", err)
				}
				a, err := app.New(context.WithoutCancel(t.Context()), settings, "test", log)
				if err != nil {
					t.Fatalf("serve after that: %v", err)
				}
				if err := a.Close(); err != nil {
					t.Error(err)
				}
			})
		}
	}
}
