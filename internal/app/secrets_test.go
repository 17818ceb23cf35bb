package app_test

import (
	"encoding/base64"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app"
	"github.com/rectodocs/recto/internal/platform/config"
)

func TestTheKeyForSecretsStays(t *testing.T) {
	data := t.TempDir()
	start := func(settings config.Serve) error {
		a, err := app.New(t.Context(), settings, "test", slog.New(slog.DiscardHandler))
		if err != nil {
			return err
		}
		return a.Close()
	}
	if err := start(config.Defaults(data)); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(data, "secret.key")
	first, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("others may read the key: %v %v", info.Mode(), err)
	}
	if err := start(config.Defaults(data)); err != nil {
		t.Errorf("a second start: %v", err)
	}
	given := config.Defaults(data)
	given.SecretKey = strings.TrimSpace(string(first))
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := start(given); err != nil {
		t.Errorf("the same key from the settings: %v", err)
	}
	given.SecretKey = base64.StdEncoding.EncodeToString(make([]byte, 32))
	if err := start(given); err == nil || !strings.Contains(err.Error(), "another key") {
		t.Errorf("another key: %v", err)
	}
}
