package spec_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

// TestLinked holds that an address which a page names is fetched once, kept out of sight, bounded in number, and
// forgotten when no page asks for it.
func TestLinked(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		const source = "https://a.example/pets.yaml"
		h.web.text(source, pets)
		describe := func(address string) int {
			t.Helper()
			nodes, err := h.Describe(h.organization, nil, nil)(t.Context(), doc.Swagger,
				&doc.OpenAPIData{Ref: doc.Ref{Kind: doc.RefURL, URL: address}, Path: "/pets", Method: "get"})
			if err != nil {
				t.Fatal(err)
			}
			return len(nodes)
		}
		count := func() (count int) {
			t.Helper()
			if err := d.Read().QueryRowContext(t.Context(), `SELECT count(*) FROM openapi_spec`).
				Scan(&count); err != nil {
				t.Fatal(err)
			}
			return count
		}
		before, err := h.State(t.Context(), h.organization)
		if err != nil {
			t.Fatal(err)
		}
		if first, again := describe(source), describe(source); first != 0 || again != 0 || count() != 1 {
			t.Fatal("an address that is new is kept twice or shown")
		}
		var specID, slug string
		if err := d.Read().QueryRowContext(t.Context(), `SELECT id, slug FROM openapi_spec`).Scan(&specID,
			&slug); err != nil {
			t.Fatal(err)
		}
		if err := h.Process(t.Context(), specID, 1); err != nil {
			t.Fatal(err)
		}
		if after, err := h.State(t.Context(), h.organization); err != nil || after == before {
			t.Errorf("the state stays %q, %v", after, err)
		}
		if describe(source) == 0 || h.web.count(source) != 1 {
			t.Errorf("nothing is shown, or it was fetched %d times", h.web.count(source))
		}
		if _, err := h.Get(t.Context(), h.admin, h.organization, slug); err == nil {
			t.Error("what is kept for an address can be read as a specification")
		}
		for _, refused := range []string{"javascript:alert(1)", "ftp://a.example/", "https://a:b@a.example/",
			"https://a.example/ x"} {
			if describe(refused) != 0 || count() != 1 {
				t.Errorf("%q is kept", refused)
			}
		}
		// Pages that are read keep it; it goes when none has asked for long.
		h.clock.advance(20 * 24 * time.Hour)
		describe(source)
		h.clock.advance(20 * 24 * time.Hour)
		if err := h.Refresh(t.Context()); err != nil || count() != 1 {
			t.Errorf("%d are left, %v", count(), err)
		}
		h.clock.advance(31 * 24 * time.Hour)
		if err := h.Refresh(t.Context()); err != nil || count() != 0 {
			t.Errorf("%d are left, %v", count(), err)
		}
		for i := range 205 {
			describe(fmt.Sprintf("https://a.example/%d.yaml", i))
		}
		if count() != 200 {
			t.Errorf("%d addresses are kept", count())
		}
	})
}
