package site

import (
	"context"
	"strings"

	"github.com/rectodocs/recto/internal/platform/db"
)

// WithoutAgents returns the basenames of the published public sites of an organization, by its hostname, that exclude
// AI agents, in order.
func (s *Service) WithoutAgents(ctx context.Context, hostname string) ([]string, error) {
	return db.All(ctx, s.db.Read(), "list sites without agents", db.Column[string], `
		SELECT site.basename FROM site JOIN organization o ON o.id = site.organization_id
		WHERE o.hostname = $1 AND site.published AND site.visibility = $2 AND site.agents_context = $3
		ORDER BY site.basename`, strings.ToLower(hostname), string(VisibilityPublic), string(AgentsExcluded))
}
