package app

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/rectodocs/recto/internal/platform/config"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/seal"
)

// openSecrets returns the box that keeps secrets in the database unreadable without the key of the settings. It refuses
// a key other than the one that this database was used with: what is sealed would be lost to this process, and what it
// seals to the others.
func openSecrets(ctx context.Context, d *db.DB, settings config.Serve) (*seal.Box, error) {
	text := settings.SecretKey
	if text == "" {
		var err error
		if text, err = keyFile(filepath.Join(settings.Data, "secret.key")); err != nil {
			return nil, err
		}
	}
	key, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, errors.New("the key for secrets is not base64; openssl rand -base64 32 makes one")
	}
	box, err := seal.NewBox(key)
	if err != nil {
		return nil, err
	}
	return box, checkKey(ctx, d, box)
}

// keyFile returns what a file has, and makes it with a new key when it is not there.
func keyFile(path string) (string, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err := makeKeyFile(path); err != nil {
			return "", fmt.Errorf("make the key for secrets: %w", err)
		}
		text, err = os.ReadFile(path)
	}
	if err != nil {
		return "", fmt.Errorf("read the key for secrets: %w", err)
	}
	return strings.TrimSpace(string(text)), nil
}

// makeKeyFile writes the file whole or not at all. When another process was faster, its key is the one.
func makeKeyFile(path string) error {
	key := make([]byte, seal.KeySize)
	_, _ = rand.Read(key) // never fails, see crypto/rand
	fresh, err := os.CreateTemp(filepath.Dir(path), ".secret-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(fresh.Name()) }()
	_, err = fresh.WriteString(base64.StdEncoding.EncodeToString(key) + "\n")
	if err := errors.Join(err, fresh.Sync(), fresh.Close()); err != nil {
		return err
	}
	if err := os.Link(fresh.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// checkKey compares the key with the first one that was used on the database.
func checkKey(ctx context.Context, d *db.DB, box *seal.Box) error {
	const name, purpose = "seal", "instance/check"
	sealed, err := box.Seal("recto", purpose)
	if err != nil {
		return err
	}
	kept, err := db.KeepSecret(ctx, d, name, []byte(sealed))
	if err != nil {
		return err
	}
	if _, err := box.Open(string(kept), purpose); err != nil {
		return errors.New("the secrets in this database were encrypted with another key: give the first one as " +
			"--secret-key, or as the file secret.key in the data folder; every process needs the same")
	}
	return nil
}
