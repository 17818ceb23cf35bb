package org

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// TestListsUseIndexes holds that pages of lists come in the order of an index: no list sorts what it has found.
func TestListsUseIndexes(t *testing.T) {
	d := dbtest.SQLite(t)
	plans := func(name, alias, query string, args ...any) {
		t.Helper()
		rows, err := d.Read().QueryContext(t.Context(), `EXPLAIN QUERY PLAN `+query, args...)
		if err != nil {
			t.Fatal(name, err)
		}
		defer rows.Close()
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
		if text := plan.String(); strings.Contains(text, "TEMP B-TREE") || !strings.Contains(text,
			"SEARCH "+alias+" USING") || strings.Contains(text, "SCAN") {
			t.Errorf("%s:\n%s", name, text)
		}
	}
	for _, sort := range []MemberSort{SortJoined, SortSeen} {
		for _, ascending := range []bool{false, true} {
			for kind, role := range map[string]optional.Value[Role]{"all": {}, "readers": optional.Of(RoleRead),
				"guests": optional.Of(RoleGuest)} {
				for _, search := range []string{"", "ada"} {
					filter := MemberFilter{Sort: sort, Ascending: ascending, Role: role, Search: search}
					built := filter.query("org")
					beyond := map[bool]string{false: "<", true: ">"}[ascending]
					n := len(built.args)
					plans(fmt.Sprintf("members %s %s %v %q", kind, sort, ascending, search), "m", fmt.Sprintf(`
						SELECT %s FROM organization_member m JOIN account_user u ON u.id = m.user_id
						WHERE %s AND (%s, m.user_id) %s ($%d, $%d) ORDER BY %s LIMIT 51`,
						personColumns, built.condition, filter.column(), beyond, n+1, n+2, built.order),
						append(built.args, 9, "z")...)
				}
			}
		}
	}
	plans("teams", "t", `SELECT `+teamColumns+
		` FROM org_team t WHERE t.organization_id = $1 AND t.id > $2 ORDER BY t.id LIMIT 51`, "o", "")
	plans("members of a team", "t",
		`SELECT t.user_id FROM org_team_member t WHERE t.team_id = $1 AND t.user_id > $2 ORDER BY t.user_id LIMIT 51`,
		"t", "")
	plans("teams of a member", "k",
		`SELECT k.team_id FROM org_team_member k JOIN org_team t ON t.organization_id = k.organization_id
			AND t.id = k.team_id
		WHERE k.organization_id = $1 AND k.user_id = $2 AND k.team_id > $3 ORDER BY k.team_id LIMIT 51`, "o", "u", "")
}
