package customization_test

import (
	"encoding/json"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/required/requiredtest"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/people/org/orgtest"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/publish/site/customization"
)

// TestRandomCustomizationsComeBack: whatever a customization is, what is read of it and sent back changes nothing, not
// even its time, and an edit on the way changes that alone.
func TestRandomCustomizationsComeBack(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := orgtest.New(t, d)
		sites := requiredtest.Wire(site.New(requiredtest.Fill(site.Deps{DB: d,
			Spaces:  requiredtest.Wire(space.New(space.Deps{DB: d}), space.Hooks{}),
			BaseURL: "http://localhost:8080"})), site.Hooks{})
		made, err := sites.Create(t.Context(), h.Admin(), h.Organization, site.NewSite{Title: "Docs"})
		if err != nil {
			t.Fatal(err)
		}
		random := rand.New(rand.NewPCG(9, 10))
		set := func(object map[string]any) customization.Customized {
			t.Helper()
			after, err := sites.SetCustomization(t.Context(), h.Admin(), h.Organization, made.ID, object)
			if err != nil {
				t.Fatal(err)
			}
			read, err := sites.Customization(t.Context(), h.Admin(), h.Organization, made.ID)
			if diff := cmp.Diff(after, read); diff != "" || err != nil {
				t.Fatalf("what was put is not what is read: %v\n%s", err, diff)
			}
			return read
		}
		plain := func(c customization.Customization) (object map[string]any) {
			t.Helper()
			encoded, err := json.Marshal(c)
			if err == nil {
				err = json.Unmarshal(encoded, &object)
			}
			if err != nil {
				t.Fatal(err)
			}
			return object
		}
		for range 40 {
			first := set(customization.Random(random))
			if diff := cmp.Diff(first, set(plain(first.Customization))); diff != "" {
				t.Fatalf("sent back, it changes:\n%s", diff)
			}
			edited := plain(first.Customization)
			edited["pagination"] = map[string]any{"enabled": !first.Pagination.Enabled}
			want := first.Customization
			want.Pagination.Enabled = !want.Pagination.Enabled
			if diff := cmp.Diff(want, set(edited).Customization); diff != "" {
				t.Fatalf("one edit changes more:\n%s", diff)
			}
		}
	})
}
