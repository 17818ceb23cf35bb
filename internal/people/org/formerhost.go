package org

import (
	"context"
	"fmt"

	"github.com/rectodocs/recto/internal/platform/db"
)

// MaxFormerHostnames is how many of its former hostnames an organization keeps: addresses below those lead on. An older
// one falls free.
const MaxFormerHostnames = 10

// formerTaken reports whether a hostname is kept for another organization, which had it before.
func formerTaken(ctx context.Context, q db.Querier, hostname, organizationID string) (bool, error) {
	var taken bool
	err := q.QueryRowContext(ctx, `
		SELECT EXISTS (SELECT 1 FROM organization_former_hostname WHERE hostname = $1 AND organization_id <> $2)`,
		hostname, organizationID).Scan(&taken)
	if err != nil {
		return false, fmt.Errorf("look for a former hostname: %w", err)
	}
	return taken, nil
}

// keepHostname notes that an organization leaves a hostname for another one, which may be one that it had before.
func keepHostname(ctx context.Context, q db.Querier, before, after Organization) error {
	for _, hostname := range []string{before.Hostname, after.Hostname} {
		if _, err := q.ExecContext(ctx, `DELETE FROM organization_former_hostname WHERE hostname = $1`,
			hostname); err != nil {
			return fmt.Errorf("forget a former hostname: %w", err)
		}
	}
	_, err := q.ExecContext(ctx,
		`INSERT INTO organization_former_hostname (hostname, organization_id, left_at) VALUES ($1, $2, $3)`,
		before.Hostname, after.ID, after.UpdatedAt.UnixMicro())
	if err != nil {
		return fmt.Errorf("keep a former hostname: %w", err)
	}
	_, err = q.ExecContext(ctx, `
		DELETE FROM organization_former_hostname WHERE organization_id = $1 AND hostname NOT IN (
			SELECT hostname FROM organization_former_hostname WHERE organization_id = $1 ORDER BY left_at DESC,
			hostname LIMIT $2)`,
		after.ID, MaxFormerHostnames)
	if err != nil {
		return fmt.Errorf("forget old hostnames: %w", err)
	}
	return nil
}
