package space

import (
	"context"
	"errors"
	"fmt"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/platform/db"
)

// CollectionExists is Exists for a collection.
func (s *Service) CollectionExists(ctx context.Context, organizationID id.Organization,
	collectionID id.Collection) (bool, error) {
	return s.exists(ctx, `SELECT 1 FROM collection WHERE id = $1 AND organization_id = $2`, string(collectionID),
		organizationID)
}

// Exists reports whether an organization has a space that is not in the trash. It asks nobody's access: it is for what
// only needs to know whether a reference leads somewhere.
func (s *Service) Exists(ctx context.Context, organizationID id.Organization, spaceID id.Space) (bool, error) {
	return s.exists(ctx, `SELECT 1 FROM space WHERE id = $1 AND organization_id = $2 AND deleted_at IS NULL`,
		string(spaceID),
		organizationID)
}

func (s *Service) exists(ctx context.Context, query, id string, organizationID id.Organization) (bool, error) {
	var one int
	err := s.db.Read().QueryRowContext(ctx, query, id, organizationID).Scan(&one)
	if errors.Is(err, db.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("look for %s: %w", id, err)
	}
	return true, nil
}
