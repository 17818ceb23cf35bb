package site_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/required/requiredtest"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/publish/site/customization"
)

func TestResolve(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		ctx := t.Context()
		guide, reference, old := h.addSpace(t, "Guide"), h.addSpace(t, "Reference"), h.addSpace(t, "Old")
		if _, err := h.spaces.Update(ctx, h.Admin(), guide.ID, space.Change{Emoji: optional.Of("📘"),
			Language: optional.Of("en")}); err != nil {
			t.Fatal(err)
		}
		// Who may read a space as a member is no matter for the visitors of a site that it was put on.
		h.setLevel(t, reference.ID, optional.Null[access.Level]())
		made := h.addSite(t, site.NewSite{Title: "Docs", Spaces: []id.Space{old.ID, guide.ID, reference.ID}})
		if err := h.spaces.Delete(ctx, h.Admin(), old.ID); err != nil {
			t.Fatal(err)
		}
		_, err := h.Resolve(ctx, "acme", "docs")
		wantKind(t, err, errs.NotFound, "no such site")
		if made, err = h.Publish(ctx, h.Admin(), h.Organization, made.ID); err != nil {
			t.Fatal(err)
		}
		served, err := h.Resolve(ctx, "ACME", "docs")
		if err != nil {
			t.Fatal(err)
		}
		base := "http://localhost:8080/sites/acme/docs/"
		want := site.Served{
			Organization: h.Organization, OrganizationTitle: "Acme", Hostname: "acme", Site: made,
			Customization: customization.Default(),
			Spaces: []site.ServedSpace{
				{Space: guide.ID, Path: "guide", Default: true, Title: "Guide", Emoji: "📘", Language: "en",
					Head: headOf(guide.ID), URL: base},
				{Space: reference.ID, Path: "reference", Title: "Reference", Head: headOf(reference.ID),
					Address: "reference/", URL: base + "reference/"},
			},
		}
		want.Site.Permissions = access.SitePermissions{}
		// Nobody has chosen a theme: readers get what their system has.
		want.Customization.Themes.Default = "system"
		for i := range served.Spaces {
			want.Spaces[i].ID, want.Spaces[i].Customization = served.Spaces[i].ID, &want.Customization
		}
		if diff := cmp.Diff(want, served); diff != "" {
			t.Error(diff)
		}
		if first, ok := served.Default(); !ok || first.Space != guide.ID {
			t.Error(first, ok)
		}
	})
}

func TestResolveFindsOnlyWhatIsPublished(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		ctx := t.Context()
		for _, visibility := range []site.Visibility{site.VisibilityPublic, site.VisibilityUnlisted,
			site.VisibilityShareLink, site.VisibilityVisitorAuth} {
			made := h.addSite(t, site.NewSite{Title: string(visibility), Visibility: visibility})
			if _, err := h.Resolve(ctx, "acme", made.Basename); !errs.Is(err, errs.NotFound) {
				t.Errorf("%s is served before it is published: %v", visibility, err)
			}
			if _, err := h.Publish(ctx, h.Admin(), h.Organization, made.ID); err != nil {
				t.Fatal(err)
			}
			served, err := h.Resolve(ctx, "acme", made.Basename)
			if err != nil || served.Site.Visibility != visibility {
				t.Errorf("%s: %v", visibility, err)
			}
			if _, ok := served.Default(); ok || len(served.Spaces) != 0 {
				t.Errorf("%s has spaces from nowhere", visibility)
			}
		}
		for _, unknown := range [][2]string{{"acme", "nothing"}, {"nobody", "public"}, {"other", "public"}, {"", ""},
			{"a\x00", "public"}, {"acme", "\xff"}} {
			_, err := h.Resolve(ctx, unknown[0], unknown[1])
			wantKind(t, err, errs.NotFound, "no such site")
		}
	})
}

func BenchmarkResolve(b *testing.B) {
	d := dbtest.SQLite(b)
	ctx := b.Context()
	statements := []string{
		`INSERT INTO organization (id, title, hostname, type, plan, email_domains, invite_links, created_at, updated_at)
		 VALUES ('org_1', 'Acme', 'acme', 'business', 'enterprise_2024', '[]', TRUE, 1, 1)`,
		`INSERT INTO space (id, organization_id, position, title, emoji, icon, visibility, edit_mode, language,
			default_level, created_at, updated_at)
		 VALUES ('space_1', 'org_1', 'a0', 'Guide', '', '', 'private', 'live', '', 'inherit', 1, 1)`,
		`INSERT INTO site (id, organization_id, type, title, title_key, basename, visibility, published,
			adaptive_content, agents_context, created_at, updated_at)
		 VALUES ('site_1', 'org_1', 'basic', 'Docs', 'docs', 'docs', 'public', TRUE, FALSE, 'included', 1, 1)`,
		`INSERT INTO site_space (id, site_id, space_id, path, position, is_default, created_at)
		 VALUES ('sitespace_1', 'site_1', 'space_1', 'guide', 'a0', TRUE, 1)`,
	}
	err := d.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		for _, statement := range statements {
			if _, err := q.ExecContext(ctx, statement); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	service := requiredtest.Wire(site.New(requiredtest.Fill(site.Deps{DB: d, BaseURL: "http://localhost:8080"})),
		site.Hooks{})
	for b.Loop() {
		if _, err := service.Resolve(ctx, "acme", "docs"); err != nil {
			b.Fatal(err)
		}
	}
}
