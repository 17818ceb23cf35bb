package site_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/publish/site/customization"
)

// object is the default customization with some members in other values.
func object(t *testing.T, change string) map[string]any {
	t.Helper()
	encoded, err := json.Marshal(customization.Default())
	if err != nil {
		t.Fatal(err)
	}
	var whole map[string]any
	if err := json.Unmarshal(encoded, &whole); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(change), &whole); err != nil {
		t.Fatal(err)
	}
	return whole
}

func parse(t *testing.T, text string) (value map[string]any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatal(err)
	}
	return value
}

func TestCustomization(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h, ctx := newFixture(t, d), t.Context()
		creator, reader := h.Members[org.RoleCreate], h.Members[org.RoleRead]
		guide, reference := h.addSpace(t, "Guide"), h.addSpace(t, "Reference")
		made, err := h.Create(ctx, h.Admin(), h.Organization,
			site.NewSite{Title: "Docs", Spaces: []id.Space{guide.ID, reference.ID}})
		if err != nil {
			t.Fatal(err)
		}
		if made, err = h.Publish(ctx, h.Admin(), h.Organization, made.ID); err != nil {
			t.Fatal(err)
		}
		listed, err := h.ListSpaces(ctx, h.Admin(), h.Organization, made.ID, optional.Value[bool]{},
			paging.Request{Limit: 10})
		if err != nil || len(listed.Items) != 2 {
			t.Fatal(listed.Items, err)
		}
		second := listed.Items[1].ID

		plain, err := h.Customization(ctx, reader, h.Organization, made.ID)
		if err != nil || !plain.UpdatedAt.IsZero() {
			t.Fatal(plain.UpdatedAt, err)
		}
		if diff := cmp.Diff(customization.Default(), plain.Customization); diff != "" {
			t.Error(diff)
		}

		set, err := h.SetCustomization(ctx, creator, h.Organization, made.ID,
			object(t, `{"title":"Handbook","themes":{"default":"light","toggeable":false}}`))
		if err != nil || set.Title != "Handbook" || set.UpdatedAt.IsZero() {
			t.Fatal(set, err)
		}
		got, err := h.Customization(ctx, reader, h.Organization, made.ID)
		if diff := cmp.Diff(set, got); diff != "" || err != nil {
			t.Error(err, diff)
		}
		first := served(t, h, made)
		if first.Customization.Title != "Handbook" || first.Customization.Themes.Default != "light" ||
			first.Spaces[1].Customization.Title != "Handbook" {
			t.Errorf("visitors get %+v", first.Customization)
		}

		own, err := h.OverrideCustomization(ctx, creator, h.Organization, made.ID, second,
			parse(t, `{"styling":{"theme":"bold"},"title":"API"}`))
		if err != nil || !own.Overridden || own.Styling.Theme != "bold" || own.Title != "API" || own.Themes.Toggleable {
			t.Fatal(own, err)
		}
		got, err = h.SpaceCustomization(ctx, reader, h.Organization, made.ID, second)
		if diff := cmp.Diff(own, got); diff != "" || err != nil {
			t.Error(err, diff)
		}
		then := served(t, h, made)
		if then.Spaces[1].Customization.Styling.Theme != "bold" ||
			then.Spaces[0].Customization.Styling.Theme != "clean" {
			t.Error("the override is not shown to visitors, or on the wrong space")
		}
		if then.CustomizationVersion <= first.CustomizationVersion {
			t.Errorf("the version went from %d to %d", first.CustomizationVersion, then.CustomizationVersion)
		}
		profile, err := h.Published(ctx, reader, h.Organization, made.ID)
		if err != nil || profile.SpaceCustomizations[second].Title != "API" ||
			profile.Customization.Title != "Handbook" {
			t.Error(err, profile.SpaceCustomizations[second].Title, profile.Customization.Title)
		}

		if own, err = h.OverrideCustomization(ctx, creator, h.Organization, made.ID, second,
			parse(t, `{"title":null}`)); err != nil || own.Title != "Handbook" || !own.Overridden {
			t.Error(own, err)
		}
		for _, want := range []bool{true, false} {
			if had, err := h.ClearOverrides(ctx, creator, h.Organization, made.ID, second); err != nil || had != want {
				t.Error(had, err)
			}
		}
		if last := served(t, h, made); last.Spaces[1].Customization.Styling.Theme != "clean" {
			t.Error("the override is still there")
		}

		var entries int
		if err := d.Read().QueryRowContext(ctx,
			`SELECT count(*) FROM audit_entry WHERE action = 'site.customize' AND target_id = $1 AND actor_id = $2`,
			made.ID, creator.User.ID).Scan(&entries); err != nil || entries != 4 {
			t.Errorf("%d entries in the audit log (%v)", entries, err)
		}
	})
}

func served(t *testing.T, h *fixture, made site.Site) site.Served {
	t.Helper()
	found, err := h.Resolve(t.Context(), "acme", made.Basename)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestOverridesAloneLeaveTheThemeToReaders: a space may be changed on a site whose own look nobody has chosen.
func TestOverridesAloneLeaveTheThemeToReaders(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h, ctx := newFixture(t, d), t.Context()
		guide := h.addSpace(t, "Guide")
		made, err := h.Create(ctx, h.Admin(), h.Organization, site.NewSite{Title: "Docs", Spaces: []id.Space{guide.ID}})
		if err != nil {
			t.Fatal(err)
		}
		if made, err = h.Publish(ctx, h.Admin(), h.Organization, made.ID); err != nil {
			t.Fatal(err)
		}
		if _, err := h.OverrideCustomization(ctx, h.Admin(), h.Organization, made.ID, served(t, h, made).Spaces[0].ID,
			parse(t, `{"styling":{"corners":"circular"}}`)); err != nil {
			t.Fatal(err)
		}
		got := served(t, h, made).Spaces[0].Customization
		if got.Themes.Default != "system" || got.Styling.Corners != "circular" {
			t.Errorf("%+v", got)
		}
	})
}

func TestCustomizationRefuses(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h, ctx := newFixture(t, d), t.Context()
		guide := h.addSpace(t, "Guide")
		made, err := h.Create(ctx, h.Admin(), h.Organization, site.NewSite{Title: "Docs", Spaces: []id.Space{guide.ID}})
		if err != nil {
			t.Fatal(err)
		}
		other, err := h.Create(ctx, h.Admin(), h.Organization, site.NewSite{Title: "Other"})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := h.Publish(ctx, h.Admin(), h.Organization, made.ID); err != nil {
			t.Fatal(err)
		}
		profile, err := h.Published(ctx, h.Admin(), h.Organization, made.ID)
		if err != nil {
			t.Fatal(err)
		}
		first := profile.Structure.Nodes[0].Space.ID
		whole := object(t, `{}`)
		editor, guest := h.Members[org.RoleEdit], h.Members[org.RoleGuest]
		_, err = h.SetCustomization(ctx, editor, h.Organization, made.ID, whole)
		wantKind(t, err, errs.Forbidden, "")
		_, err = h.OverrideCustomization(ctx, editor, h.Organization, made.ID, first, nil)
		wantKind(t, err, errs.Forbidden, "")
		_, err = h.ClearOverrides(ctx, editor, h.Organization, made.ID, first)
		wantKind(t, err, errs.Forbidden, "")
		_, err = h.Customization(ctx, guest, h.Organization, made.ID)
		wantKind(t, err, errs.NotFound, "")
		_, err = h.SpaceCustomization(ctx, h.Stranger, h.Organization, made.ID, first)
		wantKind(t, err, errs.NotFound, "")
		_, err = h.SpaceCustomization(ctx, h.Admin(), h.Organization, other.ID, first)
		wantKind(t, err, errs.NotFound, "no such space on this site")
		_, err = h.SpaceCustomization(ctx, h.Admin(), h.Organization, made.ID, "sitespace_x")
		wantKind(t, err, errs.NotFound, "no such space on this site")
		_, err = h.SetCustomization(ctx, h.Admin(), h.Organization, made.ID, map[string]any{})
		wantKind(t, err, errs.Invalid, "styling: is missing")
		if scripts, err := h.Scripts(ctx, editor, h.Organization, made.ID); err != nil || len(scripts) != 0 {
			t.Error(scripts, err)
		}
	})
}
