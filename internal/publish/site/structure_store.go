package site

import (
	"context"
	"fmt"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/platform/db"
)

// loadLayout reads the structure of a site in three statements.
func loadLayout(ctx context.Context, q db.Querier, siteID id.Site) (*layout, error) {
	l := &layout{}
	var err error
	l.groups, err = db.All(ctx, q, "list groups of site", func(row db.Scanner) (*groupRow, error) {
		var g groupRow
		return &g, row.Scan(&g.id, &g.parent, &g.title, &g.icon, &g.position)
	}, `SELECT id, COALESCE(parent_id, ''), title, icon, position FROM site_section_group WHERE site_id = $1`, siteID)
	if err != nil {
		return nil, err
	}
	l.sections, err = db.All(ctx, q, "list sections of site", func(row db.Scanner) (*sectionRow, error) {
		var r sectionRow
		return &r, row.Scan(&r.id, &r.group, &r.title, &r.description, &r.icon, &r.path, &r.condition, &r.position,
			&r.marked)
	}, `
		SELECT id, COALESCE(group_id, ''), title, description, icon, path, condition, position, is_default
		FROM site_section WHERE site_id = $1`, siteID)
	if err != nil {
		return nil, err
	}
	l.spaces, err = db.All(ctx, q, "list spaces of site", func(row db.Scanner) (*placedRow, error) {
		var r placedRow
		return &r, row.Scan(&r.id, &r.space, &r.section, &r.path, &r.condition, &r.position, &r.marked, &r.trashed)
	}, `
		SELECT ss.id, ss.space_id, COALESCE(ss.section_id, ''), ss.path, ss.condition, ss.position, ss.is_default,
		s.deleted_at IS NOT NULL
		FROM site_space ss JOIN space s ON s.id = ss.space_id WHERE ss.site_id = $1`, siteID)
	if err != nil {
		return nil, err
	}
	l.sort()
	return l, nil
}

// saveLayout writes what differs between two layouts of a site, in an order in which no unique index is hurt on the
// way, and keeps the addresses that spaces have left.
func saveLayout(ctx context.Context, q db.Querier, siteID id.Site, before, after *layout, now time.Time) error {
	s := saver{ctx: ctx, q: q, site: siteID, now: now.UnixMicro()}
	for _, old := range before.spaces {
		if after.space(old.id) == nil {
			s.run(`DELETE FROM site_space WHERE id = $1`, old.id)
		}
	}
	s.clearMarks(before, after)
	for _, group := range after.groups { // the outer before the inner
		s.group(before.group(group.id), group)
	}
	for _, section := range after.sections {
		s.section(before.section(section.id), section)
	}
	for _, space := range after.spaces {
		s.space(before.space(space.id), space)
	}
	for _, old := range before.sections {
		if after.section(old.id) == nil {
			s.run(`DELETE FROM site_section WHERE id = $1`, old.id)
		}
	}
	for _, old := range before.groups {
		if after.group(old.id) == nil {
			s.run(`DELETE FROM site_section_group WHERE id = $1`, old.id)
		}
	}
	current := after.addresses()
	for id, address := range before.addresses() {
		if now, there := current[id]; there && now != address {
			s.run(`
				INSERT INTO site_former_address (site_id, address, site_space_id, created_at) VALUES ($1, $2, $3, $4)
				ON CONFLICT (site_id, address) DO UPDATE SET site_space_id = excluded.site_space_id,
				created_at = excluded.created_at`,
				siteID, address, id, s.now)
		}
	}
	if s.err != nil {
		return fmt.Errorf("save structure of site: %w", s.err)
	}
	return nil
}

// saver runs statements until one fails.
type saver struct {
	ctx  context.Context
	q    db.Querier
	site id.Site
	now  int64
	err  error
}

func (s *saver) run(query string, args ...any) {
	if s.err == nil {
		_, s.err = s.q.ExecContext(s.ctx, query, args...)
	}
}

// clearMarks takes away the marks that go, and those that change their siblings, before others are set.
func (s *saver) clearMarks(before, after *layout) {
	for _, old := range before.sections {
		if now := after.section(old.id); old.marked && (now == nil || !now.marked) {
			s.run(`UPDATE site_section SET is_default = FALSE WHERE id = $1`, old.id)
		}
	}
	for _, old := range before.spaces {
		if now := after.space(old.id); old.marked && now != nil && (!now.marked || now.section != old.section) {
			s.run(`UPDATE site_space SET is_default = FALSE WHERE id = $1`, old.id)
		}
	}
}

func (s *saver) group(before, after *groupRow) {
	switch {
	case before == nil:
		s.run(
			`INSERT INTO site_section_group (id, site_id, parent_id, title, icon, position, created_at)
				VALUES ($1, $2, $3, $4, $5, $6, $7)`,
			after.id, s.site, db.NullText(after.parent), after.title, after.icon, after.position, s.now)
	case *before != *after:
		s.run(`UPDATE site_section_group SET parent_id = $2, title = $3, icon = $4, position = $5 WHERE id = $1`,
			after.id, db.NullText(after.parent), after.title, after.icon, after.position)
	}
}

func (s *saver) section(before, after *sectionRow) {
	switch {
	case before == nil:
		s.run(`
			INSERT INTO site_section (id, site_id, group_id, title, description, icon, path, condition, position,
			is_default, created_at)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
			after.id, s.site, db.NullText(after.group), after.title, after.description, after.icon, after.path,
			after.condition,
			after.position, after.marked, s.now)
	case *before != *after:
		s.run(`
			UPDATE site_section SET group_id = $2, title = $3, description = $4, icon = $5, path = $6, condition = $7,
			position = $8, is_default = $9
			WHERE id = $1`,
			after.id, db.NullText(after.group), after.title, after.description, after.icon, after.path, after.condition,
			after.position, after.marked)
	}
}

func (s *saver) space(before, after *placedRow) {
	switch {
	case before == nil:
		s.run(`
			INSERT INTO site_space (id, site_id, space_id, section_id, path, condition, position, is_default,
			created_at)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
			after.id, s.site, after.space, db.NullText(after.section), after.path, after.condition, after.position,
			after.marked, s.now)
	case *before != *after:
		s.run(`
			UPDATE site_space SET space_id = $2, section_id = $3, path = $4, condition = $5, position = $6,
			is_default = $7 WHERE id = $1`,
			after.id, after.space, db.NullText(after.section), after.path, after.condition, after.position,
			after.marked)
	}
}

// touchSite notes that a site has changed. It comes first in a change of its structure, so that of two at the same time
// one waits for the other or is tried again. The time always moves forwards, whatever the clocks say: what is kept for
// a site's visitors is kept under it.
func touchSite(ctx context.Context, q db.Querier, siteID id.Site, now time.Time) error {
	_, err := q.ExecContext(ctx, `
		UPDATE site SET updated_at = CASE WHEN updated_at >= $2 THEN updated_at + 1 ELSE $2 END WHERE id = $1`, siteID,
		now.UnixMicro())
	if err != nil {
		return fmt.Errorf("touch site: %w", err)
	}
	return nil
}
