package space

import (
	"context"
	"errors"
	"fmt"

	"github.com/rectodocs/recto/internal/db"
)

// Exists reports whether an organization has a space that is not in the trash. It asks nobody's access: it is for what
// only needs to know whether a reference leads somewhere.
func (s *Service) Exists(ctx context.Context, organizationID, spaceID string) (bool, error) {
	var one int
	err := s.db.Read().QueryRowContext(ctx, `SELECT 1 FROM space WHERE id = $1 AND organization_id = $2 AND deleted_at IS NULL`,
		spaceID, organizationID).Scan(&one)
	if errors.Is(err, db.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("look for space: %w", err)
	}
	return true, nil
}
