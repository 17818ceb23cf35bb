package space

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/platform/db"
)

// LanguageOf returns in which language a space is written, "" when nobody has said and when there is no such space. It
// checks no access.
func LanguageOf(ctx context.Context, q db.Querier, spaceID id.Space) (string, error) {
	var language string
	err := q.QueryRowContext(ctx, `SELECT language FROM space WHERE id = $1`, spaceID).Scan(&language)
	if err != nil && !errors.Is(err, db.ErrNoRows) {
		return "", fmt.Errorf("read the language of a space: %w", err)
	}
	return language, nil
}

// SetLanguage says in which language a space is written, in the caller's transaction: settings of translations know it.
// It checks no access, and changes nothing when the space says so already. The language has passed CheckLanguage.
func SetLanguage(ctx context.Context, q db.Querier, spaceID id.Space, language string, now time.Time) error {
	_, err := q.ExecContext(ctx, `UPDATE space SET language = $2, updated_at = $3 WHERE id = $1 AND language <> $2`,
		spaceID, language, now.UnixMicro())
	if err != nil {
		return fmt.Errorf("set the language of a space: %w", err)
	}
	return nil
}
