package change_test

import (
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// TestListsUseIndexes holds that pages of lists come in the order of an index: no list sorts what it has found.
func TestListsUseIndexes(t *testing.T) {
	d := dbtest.SQLite(t)
	for name, condition := range map[string]string{
		"space":             `c.space_id = 's' AND c.number < 9 ORDER BY c.number DESC`,
		"space and status":  `c.space_id = 's' AND c.status = 'merged' AND c.number < 9 ORDER BY c.number DESC`,
		"space and creator": `c.space_id = 's' AND c.created_by = 'u' AND c.number < 9 ORDER BY c.number DESC`,
		"organization": `c.organization_id = 'o' AND c.status = 'open' AND (c.updated_at, c.id) < (9, 'z')
			ORDER BY c.updated_at DESC, c.id DESC`,
		"organization created": `c.organization_id = 'o' AND c.status = 'open' AND (c.created_at, c.id) < (9, 'z')
			ORDER BY c.created_at DESC, c.id DESC`,
	} {
		rows, err := d.Read().QueryContext(t.Context(), `EXPLAIN QUERY PLAN SELECT c.id FROM change_request c
			JOIN content_branch b ON b.id = c.branch_id JOIN content_branch m ON m.space_id = c.space_id
			AND m.kind = 'main'
			JOIN space s ON s.id = c.space_id WHERE `+condition+` LIMIT 51`)
		if err != nil {
			t.Fatal(err)
		}
		var plan strings.Builder
		for rows.Next() {
			var id, parent, unused int
			var detail string
			if err := rows.Scan(&id, &parent, &unused, &detail); err != nil {
				t.Fatal(err)
			}
			plan.WriteString(detail + "\n")
		}
		if err := rows.Err(); err != nil {
			t.Fatal(err)
		}
		if err := rows.Close(); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(plan.String(), "TEMP B-TREE") || !strings.Contains(plan.String(), "SEARCH c USING") {
			t.Errorf("%s:\n%s", name, plan.String())
		}
	}
}
