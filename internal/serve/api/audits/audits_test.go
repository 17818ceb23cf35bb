package audits_test

import (
	"encoding/csv"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/people/org"
)

type entry struct {
	Object, ID, CreatedAt, Action string
	Actor                         struct{ ID string }
	Target                        struct{ Kind, ID, Title string }
}

type log struct {
	Items []entry
	Count int
	Next  *struct{ Page string }
}

// TestAuditLog holds that the log says who did what, the latest first, that each filter narrows it, and that it is for
// admins alone.
func TestAuditLog(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		ada, at := s.UserOf(s.Token), "/v1/orgs/"+s.Organization+"/audit"
		before := time.Now().UTC().Add(-time.Hour).Format(time.RFC3339)
		first, second := s.Team("First"), s.Team("Second")
		list := func(query string) log {
			t.Helper()
			var got log
			s.Call(http.MethodGet, at+"?"+query, nil, http.StatusOK, &got)
			return got
		}
		got := list("action=team.create")
		if got.Count != 2 || len(got.Items) != 2 || got.Items[0].Target.ID != second ||
			got.Items[1].Target.ID != first {
			t.Fatalf("the teams are %+v", got)
		}
		if one := got.Items[1]; one.Object != "audit-entry" || one.Actor.ID != ada || one.Target.Title != "First" {
			t.Errorf("the first team is %+v", one)
		}
		for query, want := range map[string]int{
			"target=" + first: 1, "action=team.create&actor=" + ada: 2, "actor=" + first: 0, "action=nothing": 0,
			"action=team.create&from=" + before: 2, "action=team.create&to=" + before: 0,
		} {
			if got := list(query); got.Count != want || len(got.Items) != want {
				t.Errorf("%s: %+v, want %d", query, got, want)
			}
		}
		page := list("action=team.create&limit=1")
		if page.Next == nil || page.Items[0].Target.ID != second {
			t.Fatalf("the first page is %+v", page)
		}
		if next := list("action=team.create&limit=1&page=" + page.Next.Page); len(next.Items) != 1 ||
			next.Items[0].Target.ID != first || next.Next != nil {
			t.Errorf("the second page is %+v", next)
		}
		// A cursor is of one filter.
		s.Call(http.MethodGet, at+"?page="+page.Next.Page, nil, http.StatusBadRequest, nil)
		for _, role := range []org.Role{apptest.Guest, org.RoleRead, org.RoleCreate} {
			token := s.Member(role, string(role)+"@example.org")
			s.CallAs(token, http.MethodGet, at, nil, http.StatusForbidden, nil)
			s.CallAs(token, http.MethodGet, at+"/export", nil, http.StatusForbidden, nil)
		}
		s.CallAs("", http.MethodGet, at, nil, http.StatusUnauthorized, nil)
	})
}

// TestAuditExport holds that both forms of the export have what the list has, and that a title which a spreadsheet
// would compute is text in CSV.
func TestAuditExport(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		at := "/v1/orgs/" + s.Organization + "/audit"
		team := s.Team("=1+1")
		var listed log
		s.Call(http.MethodGet, at+"?target="+team, nil, http.StatusOK, &listed)
		lines := s.Raw(http.MethodGet, at+"/export?target="+team, s.Token, nil)
		var exported entry
		if err := json.Unmarshal(lines.Body, &exported); err != nil || len(listed.Items) != 1 ||
			exported != listed.Items[0] {
			t.Errorf("exported %s (%v), listed %+v", lines.Body, err, listed)
		}
		table := s.Raw(http.MethodGet, at+"/export?format=csv&target="+team, s.Token, nil)
		rows, err := csv.NewReader(strings.NewReader(string(table.Body))).ReadAll()
		if err != nil || len(rows) != 2 || rows[0][7] != "targetTitle" || rows[1][7] != "'=1+1" || rows[1][6] != team {
			t.Errorf("the table is %s (%v)", table.Body, err)
		}
		for name, got := range map[string]apptest.Answer{"audit.ndjson": lines, "audit.csv": table} {
			if disposition := got.Header.Get("Content-Disposition"); !strings.Contains(disposition, name) ||
				got.Header.Get("Cache-Control") != "private, no-store" {
				t.Errorf("%s: %v", name, got.Header)
			}
		}
		s.Call(http.MethodGet, at+"/export?format=xml", nil, http.StatusBadRequest, nil)
	})
}
