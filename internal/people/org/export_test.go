package org

import (
	"context"
	"fmt"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
)

// CreateMany makes count organizations in one transaction and returns their ids in the order of joining.
func CreateMany(ctx context.Context, s *Service, caller account.Caller, count int) ([]id.Organization, error) {
	var ids []id.Organization
	err := s.db.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		ids = nil
		for i := range count {
			made, err := s.create(ctx, q, caller, NewOrganization{Title: fmt.Sprint("Organization ", i)})
			if err != nil {
				return err
			}
			ids = append(ids, made.Organization.ID)
		}
		return nil
	})
	return ids, err
}
