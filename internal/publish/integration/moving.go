package integration

import (
	"context"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/platform/db"
)

// This file tells scripts of spaces and sites that come to an organization or leave it, in the transaction in which
// they do.

// SpaceCame tells the installations that take in all spaces of an organization of one that has come to it.
func (s *Service) SpaceCame(ctx context.Context, q db.Querier, spaceID id.Space) error {
	return s.came(ctx, q, OnSpaces, string(spaceID))
}

// SiteCame is SpaceCame for a site.
func (s *Service) SiteCame(ctx context.Context, q db.Querier, siteID id.Site) error {
	return s.came(ctx, q, OnSites, string(siteID))
}

// SpaceLeaves takes a space that is about to leave its organization, for another one or for good, out of the
// installations there, and tells their scripts.
func (s *Service) SpaceLeaves(ctx context.Context, q db.Querier, spaceID id.Space) error {
	return s.leaves(ctx, q, OnSpaces, string(spaceID))
}

// SiteLeaves is SpaceLeaves for a site.
func (s *Service) SiteLeaves(ctx context.Context, q db.Querier, siteID id.Site) error {
	return s.leaves(ctx, q, OnSites, string(siteID))
}

func (s *Service) came(ctx context.Context, q db.Querier, kind Kind, contentID string) error {
	roots, err := takingAll(ctx, q, kind, contentID)
	if err != nil {
		return err
	}
	for _, r := range roots {
		is, err := s.onContent(r, kind, contentID, r.below(kind, contentID, s.clock()))
		if err != nil {
			return err
		}
		if err := s.tellSetup(ctx, q, r, &is, kind, nil, is.state()); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) leaves(ctx context.Context, q db.Querier, kind Kind, contentID string) error {
	type leaving struct {
		root  root
		below row
	}
	list, err := db.All(ctx, q, "look for installations", func(from db.Scanner) (leaving, error) {
		var one leaving
		err := one.root.scan(from, &one.below.id, &one.below.sealed)
		return one, err
	}, `SELECT `+rootColumns+`, c.id, c.configuration FROM `+rootTables+` JOIN integration_installation c
		ON c.parent_id = n.id WHERE c.`+string(kind)+`_id = $1 ORDER BY n.id`, contentID)
	if err != nil {
		return err
	}
	roots, err := takingAll(ctx, q, kind, contentID)
	if err != nil {
		return err
	}
	for _, each := range list {
		if err := s.tellRemovedFrom(ctx, q, each.root, kind, contentID, each.below, false); err != nil {
			return err
		}
		if err := removeInstallation(ctx, q, each.below.id); err != nil {
			return err
		}
	}
	for _, r := range roots {
		if err := s.tellRemovedFrom(ctx, q, r, kind, contentID, row{}, false); err != nil {
			return err
		}
	}
	return nil
}

// takingAll returns the installations that take in a space or site because they take in all of its organization, and
// keep nothing for it.
func takingAll(ctx context.Context, q db.Querier, kind Kind, contentID string) ([]root, error) {
	// The names of kinds are those of tables and columns.
	name := string(kind)
	return queryRoots(ctx, q, `SELECT `+rootColumns+` FROM `+rootTables+`
		WHERE n.organization_id = (SELECT w.organization_id FROM `+name+` w WHERE w.id = $1) AND n.parent_id IS NULL
			AND i.published AND n.`+name+`_selection = 'all' AND i.target IN ('all', '`+name+`')
			AND NOT EXISTS (SELECT 1 FROM integration_installation c WHERE c.parent_id = n.id AND c.`+name+`_id = $1)
		ORDER BY n.id`, contentID)
}

// keptNothing returns the spaces, without those in the trash, or the sites of an installation's organization for which
// the installation keeps nothing.
func keptNothing(ctx context.Context, q db.Querier, r root, kind Kind) ([]string, error) {
	name, condition := string(kind), ``
	if kind == OnSpaces {
		condition = ` AND w.deleted_at IS NULL`
	}
	return db.All(ctx, q, "list what an installation takes in", db.Column[string], `SELECT w.id FROM `+name+` w
		WHERE w.organization_id = $1`+condition+` AND NOT EXISTS (SELECT 1 FROM integration_installation c
			WHERE c.parent_id = $2 AND c.`+name+`_id = w.id) ORDER BY w.id`, r.organization, r.id)
}
