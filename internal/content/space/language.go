package space

import (
	"context"
	"fmt"
	"time"

	"github.com/rectodocs/recto/internal/platform/db"
)

// SetLanguage says in which language a space is written, in the caller's transaction: settings of translations know it.
// It checks no access, and changes nothing when the space says so already. The language has passed CheckLanguage.
func SetLanguage(ctx context.Context, q db.Querier, spaceID, language string, now time.Time) error {
	_, err := q.ExecContext(ctx, `UPDATE space SET language = $2, updated_at = $3 WHERE id = $1 AND language <> $2`,
		spaceID, language, now.UnixMicro())
	if err != nil {
		return fmt.Errorf("set the language of a space: %w", err)
	}
	return nil
}
