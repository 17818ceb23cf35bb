package site_test

import (
	"encoding/json"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
	"github.com/rectodocs/recto/internal/publish/site"
)

// TestRandomCustomizationsComeBack: whatever a customization is, what is read of it and sent back changes nothing, not
// even its time, and an edit on the way changes that alone.
func TestRandomCustomizationsComeBack(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		made := h.addSite(t, site.NewSite{Title: "Docs", Spaces: []string{h.addSpace(t, "Guide").ID}})
		random := rand.New(rand.NewPCG(9, 10))
		set := func(object map[string]any) site.Customized {
			t.Helper()
			after, err := h.SetCustomization(t.Context(), h.Admin(), h.Organization, made.ID, object)
			if err != nil {
				t.Fatal(err)
			}
			read, err := h.Customization(t.Context(), h.Admin(), h.Organization, made.ID)
			if diff := cmp.Diff(after, read); diff != "" || err != nil {
				t.Fatalf("what was put is not what is read: %v\n%s", err, diff)
			}
			return read
		}
		plain := func(c site.Customization) (object map[string]any) {
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
			first := set(site.RandomCustomization(random))
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
