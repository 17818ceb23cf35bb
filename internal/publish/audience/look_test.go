package audience_test

import (
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
	"github.com/rectodocs/recto/internal/publish/audience"
	"github.com/rectodocs/recto/internal/publish/site"
)

// TestTokensOfPreviewsEnd holds that they end with the ticket, and with whom it is for.
func TestTokensOfPreviewsEnd(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		f := newFixture(t, d)
		ctx := t.Context()
		made, err := f.sites.Create(ctx, f.caller, f.organization,
			site.NewSite{Title: "Guide", Visibility: site.VisibilityPublic, CreateSpace: true})
		if err == nil {
			_, err = f.sites.Publish(ctx, f.caller, f.organization, made.ID)
		}
		if err != nil {
			t.Fatal(err)
		}
		served, err := f.sites.ResolveID(ctx, made.ID)
		if err != nil || len(served.Spaces) != 1 {
			t.Fatal(served.Spaces, err)
		}
		verdict, err := f.service.Admit(ctx, &served, audience.Visitor{})
		if err != nil {
			t.Fatal(err)
		}
		sign := func(change func(*audience.Look)) string {
			look := audience.Look{Space: served.Spaces[0].ID, Kind: audience.PreviewChange, Name: "change_1",
				Reader: f.caller.TicketName(), Until: f.now.Add(time.Hour)}
			change(&look)
			token, err := f.service.PreviewToken(&verdict, look, "", false, "")
			if err != nil || token == "" {
				t.Fatal(token, err)
			}
			return token
		}
		token := sign(func(*audience.Look) {})
		visit, err := f.service.Visit(ctx, token)
		if err != nil || visit.Preview == nil || !visit.Ends.Equal(f.now.Add(time.Hour)) ||
			visit.Looker.User.ID != f.caller.User.ID {
			t.Fatalf("%+v, %v", visit, err)
		}
		for name, refused := range map[string]string{
			"nobody":        sign(func(l *audience.Look) { l.Reader = "user_01k00000000000000000000000" }),
			"another space": sign(func(l *audience.Look) { l.Space = "sitespace_01k00000000000000000000000" }),
		} {
			if _, err := f.service.Visit(ctx, refused); !errs.Is(err, errs.Unauthorized) {
				t.Errorf("%s: %v", name, err)
			}
		}
		f.now = f.now.Add(time.Hour - time.Second)
		if _, err := f.service.Visit(ctx, token); err != nil {
			t.Error(err)
		}
		f.now = f.now.Add(time.Second)
		if _, err := f.service.Visit(ctx, token); !errs.Is(err, errs.Unauthorized) {
			t.Errorf("after its end: %v", err)
		}
	})
}
