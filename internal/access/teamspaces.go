package access

import (
	"context"
	"fmt"

	"github.com/rectodocs/recto/internal/db"
)

// CountSpacesOfTeams returns how many spaces each of the teams was given access to; a team without any is not in the map.
// It checks no access.
func (s *Service) CountSpacesOfTeams(ctx context.Context, teamIDs []string) (map[string]int, error) {
	counts := map[string]int{}
	if len(teamIDs) == 0 {
		return counts, nil
	}
	args := make([]any, len(teamIDs))
	for i, teamID := range teamIDs {
		args[i] = teamID
	}
	rows, err := s.db.Read().QueryContext(ctx, `
		SELECT g.team_id, count(*) FROM access_grant g JOIN space s ON s.id = g.space_id
		WHERE g.team_id IN (`+db.Placeholders(1, len(args))+`) AND g.role IS NOT NULL AND s.deleted_at IS NULL GROUP BY g.team_id`, args...)
	if err != nil {
		return nil, fmt.Errorf("count spaces of teams: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var teamID string
		var count int
		if err := rows.Scan(&teamID, &count); err != nil {
			return nil, fmt.Errorf("count spaces of teams: %w", err)
		}
		counts[teamID] = count
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("count spaces of teams: %w", err)
	}
	return counts, nil
}
