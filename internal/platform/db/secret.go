package db

import (
	"context"
	"crypto/rand"
	"fmt"
)

// secretSize is the length of a secret in bytes.
const secretSize = 32

// Secret returns 32 random bytes that belong to a name: made when they are first asked for, and the same ever after in
// every process on this database.
func Secret(ctx context.Context, d *DB, name string) ([]byte, error) {
	fresh := make([]byte, secretSize)
	_, _ = rand.Read(fresh) // never fails, see crypto/rand
	return KeepSecret(ctx, d, name, fresh)
}

// KeepSecret keeps a value under a name unless one is kept there already, and returns the one that is.
func KeepSecret(ctx context.Context, d *DB, name string, fresh []byte) ([]byte, error) {
	var value []byte
	err := d.Tx(ctx, func(ctx context.Context, q Querier) error {
		if _, err := q.ExecContext(ctx,
			`INSERT INTO instance_secret (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING`, name,
			fresh); err != nil {
			return err
		}
		return q.QueryRowContext(ctx, `SELECT value FROM instance_secret WHERE name = $1`, name).Scan(&value)
	})
	if err != nil {
		return nil, fmt.Errorf("keep secret %q: %w", name, err)
	}
	return value, nil
}

// FindSecret returns the value that is kept under a name; ErrNoRows when there is none. It spares making a value that
// is expensive to make.
func FindSecret(ctx context.Context, d *DB, name string) ([]byte, error) {
	var value []byte
	err := d.Read().QueryRowContext(ctx, `SELECT value FROM instance_secret WHERE name = $1`, name).Scan(&value)
	if err != nil {
		return nil, fmt.Errorf("find secret %q: %w", name, err)
	}
	return value, nil
}
