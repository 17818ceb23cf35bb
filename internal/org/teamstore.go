package org

import (
	"context"
	"fmt"
	"time"

	"github.com/rectodocs/recto/internal/db"
	"github.com/rectodocs/recto/internal/errs"
	"github.com/rectodocs/recto/internal/paging"
)

const teamColumns = `t.id, t.organization_id, t.title, t.created_at, t.updated_at,
	(SELECT count(*) FROM org_team_member tm WHERE tm.team_id = t.id)`

func insertTeam(ctx context.Context, q db.Querier, t Team) error {
	_, err := q.ExecContext(ctx, `
		INSERT INTO org_team (id, organization_id, title, created_at, updated_at) VALUES ($1, $2, $3, $4, $5)`,
		t.ID, t.Organization, t.Title, t.CreatedAt.UnixMicro(), t.UpdatedAt.UnixMicro())
	if err != nil {
		return fmt.Errorf("insert team: %w", err)
	}
	return nil
}

func teamByID(ctx context.Context, q db.Querier, organizationID, teamID string) (Team, error) {
	var row teamRow
	err := q.QueryRowContext(ctx, `SELECT `+teamColumns+` FROM org_team t WHERE t.organization_id = $1 AND t.id = $2`,
		organizationID, teamID).Scan(row.fields()...)
	if err != nil {
		return Team{}, fmt.Errorf("select team: %w", err)
	}
	return row.team(), nil
}

// listTeams returns up to one more than a page of teams, and how many there are in all.
func listTeams(ctx context.Context, q db.Querier, organizationID string, page paging.Request) ([]Team, int, error) {
	after := ""
	if page.After != nil {
		if len(page.After) != 1 {
			return nil, 0, errs.Invalidf("query.page", "is not a cursor of this list; leave it out to start from the beginning")
		}
		after = page.After[0]
	}
	var count int
	if err := q.QueryRowContext(ctx, `SELECT count(*) FROM org_team WHERE organization_id = $1`, organizationID).Scan(&count); err != nil {
		return nil, 0, fmt.Errorf("count teams: %w", err)
	}
	rows, err := q.QueryContext(ctx, `
		SELECT `+teamColumns+` FROM org_team t WHERE t.organization_id = $1 AND t.id > $2 ORDER BY t.id LIMIT $3`,
		organizationID, after, page.Size()+1)
	if err != nil {
		return nil, 0, fmt.Errorf("list teams: %w", err)
	}
	defer rows.Close()
	var teams []Team
	for rows.Next() {
		var row teamRow
		if err := rows.Scan(row.fields()...); err != nil {
			return nil, 0, fmt.Errorf("scan team: %w", err)
		}
		teams = append(teams, row.team())
	}
	if err := rows.Err(); err != nil {
		return nil, 0, fmt.Errorf("list teams: %w", err)
	}
	return teams, count, nil
}

// replaceTeamMembers puts the users into the team in place of those it has.
func replaceTeamMembers(ctx context.Context, q db.Querier, team Team, userIDs []string) error {
	if _, err := q.ExecContext(ctx, `DELETE FROM org_team_member WHERE team_id = $1`, team.ID); err != nil {
		return fmt.Errorf("clear members of team: %w", err)
	}
	for _, userID := range userIDs {
		_, err := q.ExecContext(ctx, `INSERT INTO org_team_member (team_id, organization_id, user_id) VALUES ($1, $2, $3)`,
			team.ID, team.Organization, userID)
		if err != nil {
			return fmt.Errorf("insert member of team: %w", err)
		}
	}
	if _, err := q.ExecContext(ctx, `UPDATE org_team SET updated_at = $2 WHERE id = $1`, team.ID, team.UpdatedAt.UnixMicro()); err != nil {
		return fmt.Errorf("update team: %w", err)
	}
	return nil
}

type teamRow struct {
	id, organization, title string
	createdAt, updatedAt    int64
	members                 int
}

func (r *teamRow) fields() []any {
	return []any{&r.id, &r.organization, &r.title, &r.createdAt, &r.updatedAt, &r.members}
}

func (r *teamRow) team() Team {
	return Team{
		ID: r.id, Organization: r.organization, Title: r.title, Members: r.members,
		CreatedAt: time.UnixMicro(r.createdAt).UTC(), UpdatedAt: time.UnixMicro(r.updatedAt).UTC(),
	}
}
