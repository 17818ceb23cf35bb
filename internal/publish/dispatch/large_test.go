package dispatch_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/publish/integration"
)

// TestALargeOrganization holds what an integration on all spaces of an organization with very many costs: one event for
// each when all are chosen, which is soon done, and one, however many there are, for what happens on one of them.
func TestALargeOrganization(t *testing.T) {
	const spaces = 1000
	each(t, func(f *fixture) {
		to := f.installed("probe", `export default { fetch() { return new Response("heard"); } };`)
		_, err := f.integrations.Publish(f.Context(), f.Admin(), "probe", integration.Publication{
			Organization: f.Organization, Title: "Ear", Runtime: integration.RuntimeV2,
			Script: `export default { fetch() { return new Response("heard"); } };`,
			Scopes: []integration.Scope{integration.ScopeContent}, Visibility: integration.Public})
		if err != nil {
			f.Fatal(err)
		}
		spaceID := func(n int) id.Space { return id.Space(fmt.Sprintf("space_%026d", n)) }
		err = f.db.Tx(f.Context(), func(ctx context.Context, q db.Querier) error {
			for n := range spaces {
				_, err := q.ExecContext(ctx, `INSERT INTO space (id, organization_id, position, title, emoji, icon,
						visibility, edit_mode, language, created_at, updated_at)
					VALUES ($1, $2, $3, 'Guide', '', '', 'private', 'live', '', 1, 1)`, spaceID(n), f.Organization,
					fmt.Sprintf("a%08d", n))
				if err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			f.Fatal(err)
		}
		told := func(kind string, want int) {
			f.Helper()
			var events, of int
			err := f.db.Read().QueryRowContext(f.Context(), `SELECT count(*), count(DISTINCT space_id)
				FROM integration_event WHERE kind = $1`, kind).Scan(&events, &of)
			if err != nil || events != want || of != want {
				f.Errorf("%d events %s of %d spaces, %v; want %d", events, kind, of, err, want)
			}
		}
		began := time.Now()
		_, err = f.integrations.UpdateInstallation(f.Context(), f.Admin(), "probe", to.Queue,
			integration.Change{SpaceSelection: optional.Of(integration.SelectAll)})
		if took := time.Since(began); err != nil || took > 15*time.Second {
			f.Errorf("all spaces are chosen in %v, %v", took, err)
		}
		told("space_installation_setup", spaces)
		for n := range 3 {
			err := f.db.Tx(f.Context(), func(ctx context.Context, q db.Querier) error {
				return f.integrations.TellSpace(ctx, q, spaceID(n), integration.ScopeContent,
					func() (map[string]any, error) {
						return map[string]any{"type": "space_content_updated"}, nil
					})
			})
			if err != nil {
				f.Fatal(err)
			}
		}
		told("space_content_updated", 3)
		// What changes nothing for the spaces is told to none of them.
		_, err = f.integrations.UpdateInstallation(f.Context(), f.Admin(), "probe", to.Queue,
			integration.Change{ExternalIDs: optional.Of([]string{"x"})})
		if err != nil {
			f.Fatal(err)
		}
		told("space_installation_setup", spaces)
	})
}
