package site

import (
	"context"
	"fmt"
	"strings"
)

// WithoutAgents returns the basenames of the published public sites of an organization, by its hostname, that exclude
// AI agents, in order.
func (s *Service) WithoutAgents(ctx context.Context, hostname string) ([]string, error) {
	rows, err := s.db.Read().QueryContext(ctx, `
		SELECT site.basename FROM site JOIN organization o ON o.id = site.organization_id
		WHERE o.hostname = $1 AND site.published AND site.visibility = $2 AND site.agents_context = $3
		ORDER BY site.basename`, strings.ToLower(hostname), string(VisibilityPublic), string(AgentsExcluded))
	if err != nil {
		return nil, fmt.Errorf("list sites without agents: %w", err)
	}
	defer rows.Close()
	var names []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, fmt.Errorf("read a site without agents: %w", err)
		}
		names = append(names, name)
	}
	return names, rows.Err()
}
