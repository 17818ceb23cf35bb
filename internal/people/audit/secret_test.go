package audit

import (
	"context"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

func TestEntriesKeepNoSecrets(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		addOrganization(t, d, "org_a")
		secret := "invite_" + strings.Repeat("a", 32)
		var kept string
		err := d.Tx(t.Context(), func(ctx context.Context, q db.Querier) error {
			entry := Entry{Organization: "org_a", Action: "invite.send", Target: Target{Kind: "invite", ID: "i"},
				Details: map[string]any{"link": "/invites/org_a/" + secret, "role": "read"}}
			if err := Record(ctx, q, entry); err != nil {
				return err
			}
			return q.QueryRowContext(ctx, `SELECT details FROM audit_entry`).Scan(&kept)
		})
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(kept, secret) || !strings.Contains(kept, "/invites/org_a/invite_…") ||
			!strings.Contains(kept, "read") {
			t.Errorf("kept: %s", kept)
		}
	})
}
