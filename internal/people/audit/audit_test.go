package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// addOrganization makes the row that entries belong to.
func addOrganization(t *testing.T, d *db.DB, id string) {
	t.Helper()
	err := d.Tx(t.Context(), func(ctx context.Context, q db.Querier) error {
		_, err := q.ExecContext(ctx, `
			INSERT INTO organization (id, title, hostname, type, plan, email_domains, invite_links, created_at,
			updated_at)
			VALUES ($1, 'T', $1, 'business', 'p', '[]', TRUE, 0, 0)`, id)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestListAndExport(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		ctx := t.Context()
		addOrganization(t, d, "org_a")
		addOrganization(t, d, "org_b")
		const each = exportBatch + 7
		err := d.Tx(ctx, func(ctx context.Context, q db.Querier) error {
			for i := range each {
				entry := Entry{Organization: "org_a", Actor: id.User(fmt.Sprint("user_", i%2)),
					Action: fmt.Sprint("thing.", i%3), Target: Target{Kind: "team", ID: fmt.Sprint("team_", i%5)}}
				if err := Record(ctx, q, entry); err != nil {
					return err
				}
			}
			return Record(ctx, q, Entry{Organization: "org_b", Action: "thing.0", Details: map[string]any{"n": 1}})
		})
		if err != nil {
			t.Fatal(err)
		}
		reader := NewReader(d)
		var walked []string
		request := paging.Request{Limit: 200}
		for {
			entries, err := reader.List(ctx, "org_a", Filter{}, request)
			if err != nil || entries.Count != each {
				t.Fatal(entries.Count, err)
			}
			for _, entry := range entries.Items {
				walked = append(walked, entry.ID)
			}
			if entries.Next == nil {
				break
			}
			request.After = entries.Next
		}
		var exported []string
		var last Entry
		err = reader.Export(ctx, "org_a", Filter{}, func(entry Entry) error {
			if last.ID != "" && entry.CreatedAt.After(last.CreatedAt) {
				t.Error("the export is not in order")
			}
			last = entry
			exported = append(exported, entry.ID)
			return nil
		})
		if err != nil || len(walked) != each || !slices.Equal(walked, exported) {
			t.Errorf("%d walked, %d exported, %v", len(walked), len(exported), err)
		}
		for name, test := range map[string]struct {
			filter Filter
			want   int
		}{
			"actor":      {Filter{Actor: "user_1"}, each / 2},
			"action":     {Filter{Action: "thing.2"}, each / 3},
			"target":     {Filter{Target: "team_4"}, each / 5},
			"together":   {Filter{Actor: "user_0", Action: "thing.1", Target: "team_0"}, (each + 29 - 10) / 30},
			"from then":  {Filter{From: time.Now().Add(time.Hour)}, 0},
			"until then": {Filter{To: time.Now().Add(time.Hour)}, each},
		} {
			if list, err := reader.List(ctx, "org_a", test.filter, paging.Request{Limit: 1}); err != nil ||
				list.Count != test.want {
				t.Errorf("%s: %d, want %d, %v", name, list.Count, test.want, err)
			}
		}
		if _, err := reader.List(ctx, "org_a", Filter{}, paging.Request{After: []string{"x"}}); !errs.Is(err,
			errs.Invalid) {
			t.Error(err)
		}
		if err := reader.Check(Filter{Actor: strings.Repeat("a", 201)}); !errs.Is(err, errs.Invalid) {
			t.Error(err)
		}
		if entries, err := reader.List(ctx, "org_b", Filter{}, paging.Request{}); err != nil ||
			len(entries.Items) != 1 || entries.Items[0].Details["n"] != float64(1) {
			t.Error(entries.Items, err)
		}
	})
}

// TestListUsesIndexes holds that pages come in the order of an index.
func TestListUsesIndexes(t *testing.T) {
	d := dbtest.SQLite(t)
	now := time.Now()
	for name, filter := range map[string]Filter{
		"all": {}, "actor": {Actor: "u"}, "action": {Action: "a"}, "target": {Target: "t"},
		"time": {From: now, To: now}, "actor and time": {Actor: "u", From: now},
	} {
		query, args := statement("o", filter, 9, "z", 51)
		rows, err := d.Read().QueryContext(t.Context(), `EXPLAIN QUERY PLAN `+query, args...)
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
		if err := rows.Close(); err != nil {
			t.Fatal(err)
		}
		if text := plan.String(); strings.Contains(text, "TEMP B-TREE") || !strings.Contains(text,
			"SEARCH a USING INDEX") {
			t.Errorf("%s:\n%s", name, text)
		}
	}
}
