package site_test

import (
	"context"
	"fmt"
	"maps"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
	"github.com/rectodocs/recto/internal/publish/site"
)

func TestCreateAndGet(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		ctx := t.Context()
		guide, reference := h.addSpace(t, "Guide"), h.addSpace(t, "Reference")
		made := h.addSite(t, site.NewSite{Title: "Acme Docs", Spaces: []id.Space{reference.ID, guide.ID},
			CreateSpace: true})
		want := site.Site{
			ID: made.ID, Organization: h.Organization, Type: site.TypeBasic, Title: "Acme Docs", Basename: "acme-docs",
			DirectURL:  "http://localhost:8080/sites/acme/acme-docs/",
			Visibility: site.VisibilityPublic, SiteSpaces: 3, AgentsContext: site.AgentsIncluded,
			CreatedAt: made.CreatedAt,
			UpdatedAt: made.CreatedAt, Permissions: access.PermissionsInSite(org.RoleAdmin, true),
		}
		if diff := cmp.Diff(want, made); diff != "" {
			t.Error(diff)
		}
		got, err := h.Get(ctx, h.Admin(), h.Organization, made.ID)
		if diff := cmp.Diff(made, got); err != nil || diff != "" {
			t.Error(err, diff)
		}
		mustEqual(t, "spaces", h.listed(t, h.Admin(), made.ID), "reference* guide acme-docs")

		mustEqual(t, "title of the first space", h.addSite(t, site.NewSite{Spaces: []id.Space{guide.ID}}).Title,
			"Guide")
		mustEqual(t, "title of the organization", h.addSite(t, site.NewSite{}).Title, "Acme")
		mustEqual(t, "short title", h.addSite(t, site.NewSite{Spaces: []id.Space{h.addSpace(t, "X").ID}}).Title,
			"X docs")
		mustEqual(t, "basename of no letters", h.addSite(t, site.NewSite{Title: "🚀🚀"}).Basename, "docs")
		mustEqual(t, "basename in use", h.addSite(t, site.NewSite{Title: "Acme docs!"}).Basename, "acme-docs-1")
		mustEqual(t, "reserved basename", h.addSite(t, site.NewSite{Title: "API"}).Basename, "api-1")
		mustEqual(t, "basename elsewhere", mustCreate(t, h, h.Stranger, h.Other).Basename, "acme-docs")
	})
}

func mustCreate(t *testing.T, h *fixture, caller account.Caller, organizationID id.Organization) site.Site {
	t.Helper()
	made, err := h.Create(t.Context(), caller, organizationID, site.NewSite{Title: "Acme Docs"})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func TestCreateRefusesWhole(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		ctx := t.Context()
		ours := h.addSpace(t, "Ours")
		trashed := h.addSpace(t, "Trashed")
		if err := h.spaces.Delete(ctx, h.Admin(), trashed.ID); err != nil {
			t.Fatal(err)
		}
		theirs, err := h.spaces.Create(ctx, h.Stranger, h.Other, space.NewSpace{Title: "Theirs"})
		if err != nil {
			t.Fatal(err)
		}
		for _, unknown := range []id.Space{theirs.ID, trashed.ID, id.Space(id.New("space")), "", "x\x00"} {
			_, err := h.Create(ctx, h.Admin(), h.Organization,
				site.NewSite{Title: "Docs", Spaces: []id.Space{ours.ID, unknown}})
			wantKind(t, err, errs.NotFound, "no space")
		}
		h.setLevel(t, ours.ID, optional.Of(access.Level("review")))
		_, err = h.Create(ctx, h.Members[org.RoleCreate], h.Organization,
			site.NewSite{Title: "Docs", Spaces: []id.Space{ours.ID}})
		wantKind(t, err, errs.Forbidden, "Your role in this space is review")
		h.setLevel(t, ours.ID, optional.Null[access.Level]())
		_, err = h.Create(ctx, h.Members[org.RoleCreate], h.Organization,
			site.NewSite{Title: "Docs", Spaces: []id.Space{ours.ID}})
		wantKind(t, err, errs.NotFound, "no space")
		sites, err := h.List(ctx, h.Admin(), h.Organization, site.Filter{}, paging.Request{})
		if err != nil || sites.Count != 0 || len(sites.Items) != 0 {
			t.Error("a refused call left a site", sites.Count, err)
		}
	})
}

// TestOperationsByRole holds which role may do what, for every operation and every member's role, and for the admin of
// another organization.
func TestOperationsByRole(t *testing.T) {
	const stranger = org.Role("stranger")
	// sees is what operations answer whom the site is not there for, or who may only look.
	sees := func(least org.Role) func(org.Role) errs.Kind {
		return func(role org.Role) errs.Kind {
			switch {
			case role == stranger || role == org.RoleGuest:
				return errs.NotFound
			case role.AtLeast(least):
				return errs.Internal
			}
			return errs.Forbidden
		}
	}
	operations := []struct {
		name string
		run  func(ctx context.Context, h *fixture, c account.Caller, siteID string, spaceID id.Space) error
		want func(org.Role) errs.Kind
	}{
		{"get", func(ctx context.Context, h *fixture, c account.Caller, s string, _ id.Space) error {
			_, err := h.Get(ctx, c, h.Organization, id.Site(s))
			return err
		}, sees(org.RoleRead)},
		{"published profile", func(ctx context.Context, h *fixture, c account.Caller, s string, _ id.Space) error {
			if _, err := h.Publish(ctx, h.Admin(), h.Organization, id.Site(s)); err != nil {
				return err
			}
			_, err := h.Published(ctx, c, h.Organization, id.Site(s))
			return err
		}, sees(org.RoleRead)},
		{"list spaces", func(ctx context.Context, h *fixture, c account.Caller, s string, _ id.Space) error {
			_, err := h.ListSpaces(ctx, c, h.Organization, id.Site(s), optional.Value[bool]{}, paging.Request{})
			return err
		}, sees(org.RoleRead)},
		{"update", func(ctx context.Context, h *fixture, c account.Caller, s string, _ id.Space) error {
			_, err := h.Update(ctx, c, h.Organization, id.Site(s), site.Change{Title: optional.Of("New")})
			return err
		}, sees(org.RoleCreate)},
		{"add space", func(ctx context.Context, h *fixture, c account.Caller, s string, sp id.Space) error {
			_, err := h.AddSpace(ctx, c, h.Organization, id.Site(s), sp, "")
			return err
		}, sees(org.RoleCreate)},
		{"publish", func(ctx context.Context, h *fixture, c account.Caller, s string, _ id.Space) error {
			_, err := h.Publish(ctx, c, h.Organization, id.Site(s))
			return err
		}, sees(org.RoleCreate)},
		{"unpublish", func(ctx context.Context, h *fixture, c account.Caller, s string, _ id.Space) error {
			_, err := h.Unpublish(ctx, c, h.Organization, id.Site(s))
			return err
		}, sees(org.RoleCreate)},
		{"delete", func(ctx context.Context, h *fixture, c account.Caller, s string, _ id.Space) error {
			return h.Delete(ctx, c, h.Organization, id.Site(s))
		}, sees(org.RoleCreate)},
		{"create", func(ctx context.Context, h *fixture, c account.Caller, _ string, _ id.Space) error {
			_, err := h.Create(ctx, c, h.Organization, site.NewSite{})
			return err
		}, func(role org.Role) errs.Kind {
			if role == org.RoleGuest {
				return errs.Forbidden
			}
			return sees(org.RoleCreate)(role)
		}},
		{"list", func(ctx context.Context, h *fixture, c account.Caller, _ string, _ id.Space) error {
			_, err := h.List(ctx, c, h.Organization, site.Filter{}, paging.Request{})
			return err
		}, func(role org.Role) errs.Kind {
			if role == stranger {
				return errs.NotFound
			}
			return errs.Internal
		}},
	}
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		callers := map[org.Role]account.Caller{stranger: h.Stranger}
		maps.Copy(callers, h.Members)
		shared := h.addSpace(t, "Shared")
		for _, operation := range operations {
			for role, caller := range callers {
				target := h.addSite(t, site.NewSite{Title: "Target"})
				err := operation.run(t.Context(), h, caller, string(target.ID), shared.ID)
				want := operation.want(role)
				if (err == nil) != (want == errs.Internal) || (err != nil && errs.KindOf(err) != want) {
					t.Errorf("%s as %q: got %v, want kind %d", operation.name, role, err, want)
				}
			}
		}
		sites, err := h.List(t.Context(), h.Members[org.RoleGuest], h.Organization, site.Filter{},
			paging.Request{})
		if err != nil || sites.Count != 0 || sites.Next != nil || len(sites.Items) != 0 {
			t.Error("a guest sees sites", sites.Count, err)
		}
	})
}

func TestForeignIDs(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		ctx := t.Context()
		theirs := mustCreate(t, h, h.Stranger, h.Other)
		shared := h.addSpace(t, "Shared")
		for _, siteID := range []id.Site{theirs.ID, id.Site(id.New("site")), "", "site_\x00", "1"} {
			_, err := h.Get(ctx, h.Admin(), h.Organization, siteID)
			wantKind(t, err, errs.NotFound, "no such site")
			_, err = h.Update(ctx, h.Admin(), h.Organization, siteID, site.Change{})
			wantKind(t, err, errs.NotFound, "no such site")
			_, err = h.Publish(ctx, h.Admin(), h.Organization, siteID)
			wantKind(t, err, errs.NotFound, "no such site")
			_, err = h.AddSpace(ctx, h.Admin(), h.Organization, siteID, shared.ID, "")
			wantKind(t, err, errs.NotFound, "no such site")
			_, err = h.Published(ctx, h.Admin(), h.Organization, siteID)
			wantKind(t, err, errs.NotFound, "no such site")
			_, err = h.ListSpaces(ctx, h.Admin(), h.Organization, siteID, optional.Value[bool]{},
				paging.Request{})
			wantKind(t, err, errs.NotFound, "no such site")
			wantKind(t, h.Delete(ctx, h.Admin(), h.Organization, siteID), errs.NotFound, "no such site")
		}
		_, err := h.Get(ctx, h.Admin(), h.Other, theirs.ID)
		wantKind(t, err, errs.NotFound, "no such organization")
		_, err = h.AddSpace(ctx, h.Stranger, h.Other, theirs.ID, shared.ID, "")
		wantKind(t, err, errs.NotFound, "no space")
		_, err = h.Create(ctx, h.Admin(), h.Other, site.NewSite{})
		wantKind(t, err, errs.NotFound, "no such organization")
	})
}

func TestUpdate(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		ctx := t.Context()
		made := h.addSite(t, site.NewSite{Title: "Docs"})
		h.addSite(t, site.NewSite{Title: "Guide"})
		after, err := h.Update(ctx, h.Admin(), h.Organization, made.ID, site.Change{
			Title: optional.Of("Handbook"), Basename: optional.Of("handbook"),
			Visibility:      optional.Of(site.VisibilityUnlisted),
			AdaptiveContent: optional.Of(true), AgentsContext: optional.Of(site.AgentsExcluded),
		})
		if err != nil {
			t.Fatal(err)
		}
		want := made
		want.Title, want.Basename, want.Visibility = "Handbook", "handbook", site.VisibilityUnlisted
		want.DirectURL = "http://localhost:8080/sites/acme/handbook/"
		want.AdaptiveContent, want.AgentsContext, want.UpdatedAt = true, site.AgentsExcluded, after.UpdatedAt
		if diff := cmp.Diff(want, after); diff != "" {
			t.Error(diff)
		}
		got, err := h.Get(ctx, h.Admin(), h.Organization, made.ID)
		if diff := cmp.Diff(after, got); err != nil || diff != "" {
			t.Error(err, diff)
		}
		for _, same := range []site.Change{{}, {Title: optional.Of("Handbook"), AdaptiveContent: optional.Of(true)}} {
			if _, err := h.Update(ctx, h.Admin(), h.Organization, made.ID, same); err != nil {
				t.Error(err)
			}
		}
		var entries int
		if err := d.Read().QueryRowContext(ctx,
			`SELECT count(*) FROM audit_entry WHERE action = 'site.update' AND target_id = $1`,
			made.ID).Scan(&entries); err != nil || entries != 1 {
			t.Errorf("%d entries in the audit log for one change (%v)", entries, err)
		}
		_, err = h.Update(ctx, h.Admin(), h.Organization, made.ID, site.Change{Basename: optional.Of("guide")})
		wantKind(t, err, errs.Conflict, "has the basename guide")
		_, err = h.Update(ctx, h.Admin(), h.Organization, made.ID, site.Change{Basename: optional.Of("Gu ide")})
		wantKind(t, err, errs.Invalid, "basename")
		for _, unknown := range []string{"", id.New("sitespace"), "x\x00"} {
			_, err = h.Update(ctx, h.Admin(), h.Organization, made.ID,
				site.Change{DefaultSiteSpace: optional.Of(id.SiteSpace(unknown))})
			wantKind(t, err, errs.NotFound, "no such space on this site")
		}
	})
}

func TestPublish(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		ctx := t.Context()
		guide := h.addSpace(t, "Guide")
		made := h.addSite(t, site.NewSite{Title: "Docs", Spaces: []id.Space{guide.ID}})
		mustEqual(t, "address before", made.PublishedURL, "")
		published, err := h.Publish(ctx, h.Admin(), h.Organization, made.ID)
		if err != nil || !published.Published || published.PublishedURL != "http://localhost:8080/sites/acme/docs/" {
			t.Fatal(published, err)
		}
		again, err := h.Publish(ctx, h.Admin(), h.Organization, made.ID)
		if diff := cmp.Diff(published, again); err != nil || diff != "" {
			t.Error(err, diff)
		}
		unpublished, err := h.Unpublish(ctx, h.Admin(), h.Organization, made.ID)
		if err != nil || unpublished.Published || unpublished.PublishedURL != "" {
			t.Error(unpublished, err)
		}
	})
}

func TestDeleteLeavesSpacesAlone(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		ctx := t.Context()
		guide := h.addSpace(t, "Guide")
		made := h.addSite(t, site.NewSite{Title: "Docs", Spaces: []id.Space{guide.ID}})
		kept := h.addSite(t, site.NewSite{Title: "Kept", Spaces: []id.Space{guide.ID}})
		if err := h.Delete(ctx, h.Admin(), h.Organization, made.ID); err != nil {
			t.Fatal(err)
		}
		_, err := h.Get(ctx, h.Admin(), h.Organization, made.ID)
		wantKind(t, err, errs.NotFound, "no such site")
		got, err := h.spaces.Get(ctx, h.Admin(), guide.ID)
		if err != nil || !got.DeletedAt.IsZero() || !got.UpdatedAt.Equal(guide.UpdatedAt) {
			t.Error(got, err)
		}
		mustEqual(t, "the other site", h.listed(t, h.Admin(), kept.ID), "guide*")
		var rows int
		if err := d.Read().QueryRowContext(ctx, `SELECT count(*) FROM site_space`).Scan(&rows); err != nil ||
			rows != 1 {
			t.Error(rows, err)
		}
	})
}

func TestBasenamesUnderRace(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		ctx := t.Context()
		made := make([]site.Site, 6)
		failures := make([]error, len(made))
		var wg sync.WaitGroup
		for i := range made {
			wg.Go(func() {
				made[i], failures[i] = h.Create(ctx, h.Admin(), h.Organization, site.NewSite{Title: "Docs"})
			})
		}
		wg.Wait()
		seen := map[string]bool{}
		for i := range made {
			if failures[i] != nil || seen[made[i].Basename] {
				t.Errorf("%q, %v", made[i].Basename, failures[i])
			}
			seen[made[i].Basename] = true
		}
		won := 0
		for i := range made {
			wg.Go(func() {
				_, failures[i] = h.Update(ctx, h.Admin(), h.Organization, made[i].ID,
					site.Change{Basename: optional.Of("wanted")})
			})
		}
		wg.Wait()
		for _, err := range failures {
			if err == nil {
				won++
			} else {
				wantKind(t, err, errs.Conflict, "has the basename wanted")
			}
		}
		if won != 1 {
			t.Errorf("%d sites got one basename", won)
		}
	})
}

func TestList(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		ctx := t.Context()
		guide, secret := h.addSpace(t, "Guide"), h.addSpace(t, "Secret")
		h.setLevel(t, secret.ID, optional.Null[access.Level]())
		for _, in := range []site.NewSite{
			{Title: "Alpha Docs", Spaces: []id.Space{guide.ID}},
			{Title: "Über 100% _Docs_", Type: site.TypePremium, Spaces: []id.Space{guide.ID, secret.ID}},
			{Title: "Gamma", Type: site.TypeUltimate, Spaces: []id.Space{secret.ID}},
		} {
			made := h.addSite(t, in)
			if in.Title == "Gamma" {
				if _, err := h.Publish(ctx, h.Admin(), h.Organization, made.ID); err != nil {
					t.Fatal(err)
				}
			}
		}
		mustCreate(t, h, h.Stranger, h.Other)
		tests := []struct {
			name   string
			caller account.Caller
			filter site.Filter
			want   []string
		}{
			{"all", h.Admin(), site.Filter{}, []string{"Alpha Docs", "Über 100% _Docs_", "Gamma"}},
			{"title in any case", h.Admin(), site.Filter{Title: "dOCS"}, []string{"Alpha Docs", "Über 100% _Docs_"}},
			{"title beyond ASCII", h.Admin(), site.Filter{Title: "ÜBER"}, []string{"Über 100% _Docs_"}},
			{"title with wildcards", h.Admin(), site.Filter{Title: "0% _"}, []string{"Über 100% _Docs_"}},
			{"title of wildcards", h.Admin(), site.Filter{Title: "%a%"}, nil},
			{"title that cannot be", h.Admin(), site.Filter{Title: "a\x00"}, nil},
			{"space", h.Admin(), site.Filter{Space: guide.ID}, []string{"Alpha Docs", "Über 100% _Docs_"}},
			{"space that is not seen", h.Members[org.RoleRead], site.Filter{Space: secret.ID}, nil},
			{"space that is not there", h.Admin(), site.Filter{Space: "x\x00"}, nil},
			{"published", h.Admin(), site.Filter{Published: optional.Of(true)}, []string{"Gamma"}},
			{"not published", h.Admin(), site.Filter{Published: optional.Of(false)},
				[]string{"Alpha Docs", "Über 100% _Docs_"}},
			{"types", h.Admin(), site.Filter{Types: []site.Type{site.TypePremium, site.TypeUltimate}},
				[]string{"Über 100% _Docs_", "Gamma"}},
			{"together", h.Admin(), site.Filter{Space: secret.ID, Title: "a", Published: optional.Of(true),
				Types: []site.Type{site.TypeUltimate}}, []string{"Gamma"}},
		}
		for _, test := range tests {
			t.Run(test.name, func(t *testing.T) {
				sites, err := h.List(ctx, test.caller, h.Organization, test.filter, paging.Request{})
				if err != nil || sites.Count != len(test.want) || sites.Next != nil {
					t.Fatal(sites.Count, sites.Next, err)
				}
				var got []string
				for _, s := range sites.Items {
					got = append(got, s.Title)
				}
				if diff := cmp.Diff(test.want, got); diff != "" {
					t.Error(diff)
				}
			})
		}
		_, err := h.List(ctx, h.Admin(), h.Organization, site.Filter{Types: []site.Type{"gold"}},
			paging.Request{})
		wantKind(t, err, errs.Invalid, "one of basic")
	})
}

func TestListPages(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		ctx := t.Context()
		const count = 1009
		err := d.Tx(ctx, func(ctx context.Context, q db.Querier) error {
			for i := range count {
				_, err := q.ExecContext(ctx, `
					INSERT INTO site (id, organization_id, type, title, title_key, basename, visibility, published,
					adaptive_content, agents_context, created_at, updated_at)
					VALUES ($1, $2, 'basic', $3, $3, $3, 'public', $4, FALSE, 'included', 1, 1)`,
					id.New("site"), h.Organization, fmt.Sprintf("site-%04d", i), i%2 == 0)
				if err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		page := paging.Request{Limit: 60}
		for {
			sites, err := h.List(ctx, h.Admin(), h.Organization, site.Filter{Published: optional.Of(true)},
				page)
			if err != nil || sites.Count != 505 || len(sites.Items) > 60 {
				t.Fatal(sites.Count, len(sites.Items), err)
			}
			for _, s := range sites.Items {
				if want := fmt.Sprintf("site-%04d", 2*n); s.Title != want {
					t.Fatalf("item %d is %s", n, s.Title)
				}
				n++
			}
			if sites.Next == nil {
				break
			}
			page.After = sites.Next
		}
		mustEqual(t, "items", n, 505)
	})
}
