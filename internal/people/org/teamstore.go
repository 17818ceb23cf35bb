package org

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
)

const teamColumns = `t.id, t.organization_id, t.title, t.created_at, t.updated_at,
	(SELECT count(*) FROM org_team_member tm WHERE tm.team_id = t.id)`

func insertTeam(ctx context.Context, q db.Querier, t Team) error {
	_, err := q.ExecContext(ctx, `
		INSERT INTO org_team (id, organization_id, title, title_key, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6)`,
		t.ID, t.Organization, t.Title, account.FoldSearch(t.Title), t.CreatedAt.UnixMicro(), t.UpdatedAt.UnixMicro())
	if err != nil {
		return fmt.Errorf("insert team: %w", err)
	}
	return nil
}

func updateTeam(ctx context.Context, q db.Querier, t Team) error {
	_, err := q.ExecContext(ctx, `UPDATE org_team SET title = $2, title_key = $3, updated_at = $4 WHERE id = $1`,
		t.ID, t.Title, account.FoldSearch(t.Title), t.UpdatedAt.UnixMicro())
	if err != nil {
		return fmt.Errorf("update team: %w", err)
	}
	return nil
}

func deleteTeam(ctx context.Context, q db.Querier, teamID id.Team) error {
	if _, err := q.ExecContext(ctx, `DELETE FROM org_team WHERE id = $1`, teamID); err != nil {
		return fmt.Errorf("delete team: %w", err)
	}
	return nil
}

func teamByID(ctx context.Context, q db.Querier, organizationID id.Organization, teamID id.Team) (Team, error) {
	var row teamRow
	err := q.QueryRowContext(ctx, `SELECT `+teamColumns+` FROM org_team t WHERE t.organization_id = $1 AND t.id = $2`,
		organizationID, teamID).Scan(row.fields()...)
	if err != nil {
		return Team{}, fmt.Errorf("select team: %w", err)
	}
	return row.team(), nil
}

// TeamIn returns a team in the caller's transaction, whoever asks; errs.NotFound when the organization has none such.
func TeamIn(ctx context.Context, q db.Querier, organizationID id.Organization, teamID id.Team) (Team, error) {
	if !id.Valid("team", teamID) {
		return Team{}, noTeam()
	}
	team, err := teamByID(ctx, q, organizationID, teamID)
	if errors.Is(err, db.ErrNoRows) {
		return Team{}, noTeam()
	}
	return team, err
}

// condition is the SQL of a filter on org_team t, with its arguments.
func (f TeamFilter) condition(organizationID id.Organization) (string, db.Args) {
	condition, args := `t.organization_id = $1`, db.Args{organizationID}
	if f.Owner != "" {
		condition += ` AND t.id IN (SELECT tm.team_id FROM org_team_member tm
			WHERE tm.organization_id = $1 AND tm.user_id = ` + args.Add(f.Owner) + ` AND tm.role = 'owner')`
	}
	if f.Title != "" {
		condition += ` AND t.title_key LIKE ` + args.Add(db.LikePattern(f.Title)) + ` ESCAPE '!'`
	}
	return condition, args
}

func countTeams(ctx context.Context, q db.Querier, organizationID id.Organization, filter TeamFilter) (int, error) {
	condition, args := filter.condition(organizationID)
	var count int
	if err := q.QueryRowContext(ctx, `SELECT count(*) FROM org_team t WHERE `+condition,
		args...).Scan(&count); err != nil {
		return 0, fmt.Errorf("count teams: %w", err)
	}
	return count, nil
}

func listTeams(ctx context.Context, q db.Querier, organizationID id.Organization, filter TeamFilter, after string,
	limit int) ([]Team, error) {
	condition, args := filter.condition(organizationID)
	n := len(args)
	return db.All(ctx, q, "list teams", func(r db.Scanner) (Team, error) {
		var row teamRow
		err := r.Scan(row.fields()...)
		return row.team(), err
	}, fmt.Sprintf(`SELECT `+teamColumns+` FROM org_team t WHERE %s AND t.id > $%d ORDER BY t.id LIMIT $%d`,
		condition, n+1, n+2), append(args, after, limit)...)
}

func ownedTeams(ctx context.Context, q db.Querier, organizationID id.Organization,
	userID id.User) (map[id.Team]bool, error) {
	owned := map[id.Team]bool{}
	err := db.Each(ctx, q, "list owned teams", func(row db.Scanner) error {
		var teamID id.Team
		if err := row.Scan(&teamID); err != nil {
			return err
		}
		owned[teamID] = true
		return nil
	}, `
		SELECT tm.team_id FROM org_team_member tm WHERE tm.organization_id = $1 AND tm.user_id = $2
		AND tm.role = 'owner'`, organizationID, userID)
	return owned, err
}

type teamRow struct {
	id                   id.Team
	organization         id.Organization
	title                string
	createdAt, updatedAt int64
	members              int
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
