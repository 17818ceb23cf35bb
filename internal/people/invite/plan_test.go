package invite

import (
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// TestLinksUseAnIndex holds that pages of invite links come in the order of an index: the list does not sort what it
// has found.
func TestLinksUseAnIndex(t *testing.T) {
	steps, err := db.All(t.Context(), dbtest.SQLite(t).Read(), "explain", func(row db.Scanner) (string, error) {
		var id, parent, unused int
		var detail string
		err := row.Scan(&id, &parent, &unused, &detail)
		return detail, err
	}, `EXPLAIN QUERY PLAN SELECT `+linkColumns+
		` FROM org_invite_link l WHERE l.organization_id = $1 AND l.id > $2 ORDER BY l.id LIMIT 51`, "o", "")
	if err != nil {
		t.Fatal(err)
	}
	if plan := strings.Join(steps, "\n"); strings.Contains(plan, "TEMP B-TREE") ||
		!strings.Contains(plan, "SEARCH l USING") || strings.Contains(plan, "SCAN") {
		t.Error(plan)
	}
}
