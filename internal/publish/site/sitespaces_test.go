package site_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/base/required/requiredtest"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/publish/site/customization"
)

func TestAddSpace(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		ctx := t.Context()
		made := h.addSite(t, site.NewSite{Title: "Docs"})
		guide := h.addSpace(t, "Guide")
		first := h.put(t, made.ID, guide.ID)
		if !first.Default || first.Path != "guide" || first.Title != "Guide" || first.Space.ID != guide.ID ||
			first.PublishedURL != "" {
			t.Errorf("%+v", first)
		}
		if _, err := h.Publish(ctx, h.Admin(), h.Organization, made.ID); err != nil {
			t.Fatal(err)
		}
		second := h.put(t, made.ID, h.addSpace(t, "Guide").ID)
		if second.Default || second.Path != "guide-1" ||
			second.PublishedURL != "http://localhost:8080/sites/acme/docs/guide-1/" {
			t.Errorf("%+v", second)
		}
		h.put(t, made.ID, guide.ID)
		h.put(t, made.ID, h.addSpace(t, "日本語 ガイド").ID)
		h.put(t, made.ID, h.addSpace(t, "🚀").ID)
		mustEqual(t, "paths", h.listed(t, h.Admin(), made.ID), "guide* guide-1 guide-2 日本語-ガイド docs")
	})
}

func TestAddSpaceNeedsTheRightToShareIt(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		ctx := t.Context()
		made := h.addSite(t, site.NewSite{Title: "Docs"})
		guarded := h.addSpace(t, "Guarded")
		for _, test := range []struct {
			level optional.Value[access.Level]
			want  errs.Kind
		}{
			{optional.Null[access.Level](), errs.NotFound},
			{optional.Of(access.Level("read")), errs.Forbidden},
			{optional.Of(access.Level("review")), errs.Forbidden},
		} {
			h.setLevel(t, guarded.ID, test.level)
			_, err := h.AddSpace(ctx, h.Members[org.RoleCreate], h.Organization, made.ID, guarded.ID, "")
			wantKind(t, err, test.want, "")
		}
		h.setLevel(t, guarded.ID, optional.Of(access.Inherit))
		if _, err := h.AddSpace(ctx, h.Members[org.RoleCreate], h.Organization, made.ID, guarded.ID, ""); err != nil {
			t.Error(err)
		}
	})
}

func TestPathsAndDefaultUnderRace(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		ctx := t.Context()
		made := h.addSite(t, site.NewSite{Title: "Docs"})
		guide := h.addSpace(t, "Guide")
		added := make([]site.SiteSpace, 8)
		failures := make([]error, len(added))
		var wg sync.WaitGroup
		for i := range added {
			wg.Go(func() { added[i], failures[i] = h.AddSpace(ctx, h.Admin(), h.Organization, made.ID, guide.ID, "") })
		}
		wg.Wait()
		seen, defaults := map[string]bool{}, 0
		for i := range added {
			if failures[i] != nil || seen[added[i].Path] {
				t.Errorf("%q, %v", added[i].Path, failures[i])
			}
			seen[added[i].Path] = true
			if added[i].Default {
				defaults++
			}
		}
		mustEqual(t, "defaults among the answers", defaults, 1)

		for i := range added {
			wg.Go(func() {
				_, failures[i] = h.Update(ctx, h.Admin(), h.Organization, made.ID,
					site.Change{DefaultSiteSpace: optional.Of(added[i].ID)})
			})
		}
		wg.Wait()
		for _, err := range failures {
			if err != nil {
				t.Error(err)
			}
		}
		var marked, positions int
		err := d.Read().QueryRowContext(ctx, `
			SELECT count(CASE WHEN is_default THEN 1 END), count(DISTINCT position) FROM site_space WHERE site_id = $1`,
			made.ID).Scan(&marked, &positions)
		if err != nil || marked != 1 || positions != len(added) {
			t.Errorf("%d marked as default, %d positions, %v", marked, positions, err)
		}
	})
}

func TestDefaultFollowsTheTrash(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		ctx := t.Context()
		now := time.Now()
		spaces := requiredtest.Wire(space.New(space.Deps{DB: d,
			Now: func() time.Time { return now }}), space.Hooks{InitContent: initContent, DropContent: dropContent})
		a, b, c := h.addSpace(t, "a"), h.addSpace(t, "b"), h.addSpace(t, "c")
		made := h.addSite(t, site.NewSite{Title: "Docs", Spaces: []id.Space{a.ID, b.ID, c.ID}})
		siteSpaces, err := h.ListSpaces(ctx, h.Admin(), h.Organization, made.ID, optional.Value[bool]{},
			paging.Request{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := h.Update(ctx, h.Admin(), h.Organization, made.ID,
			site.Change{DefaultSiteSpace: optional.Of(siteSpaces.Items[1].ID)}); err != nil {
			t.Fatal(err)
		}
		mustEqual(t, "chosen", h.listed(t, h.Admin(), made.ID), "a b* c")
		if err := spaces.Delete(ctx, h.Admin(), b.ID); err != nil {
			t.Fatal(err)
		}
		mustEqual(t, "default in the trash", h.listed(t, h.Admin(), made.ID), "a* c")
		got, err := h.Get(ctx, h.Admin(), h.Organization, made.ID)
		if err != nil || got.SiteSpaces != 2 {
			t.Error(got.SiteSpaces, err)
		}
		_, err = h.Update(ctx, h.Admin(), h.Organization, made.ID,
			site.Change{DefaultSiteSpace: optional.Of(siteSpaces.Items[1].ID)})
		wantKind(t, err, errs.NotFound, "no such space on this site")
		h.put(t, made.ID, h.addSpace(t, "d").ID)
		mustEqual(t, "added meanwhile", h.listed(t, h.Admin(), made.ID), "a* c d")
		if _, err := spaces.Restore(ctx, h.Admin(), b.ID); err != nil {
			t.Fatal(err)
		}
		mustEqual(t, "restored", h.listed(t, h.Admin(), made.ID), "a b* c d")
		if err := spaces.Delete(ctx, h.Admin(), b.ID); err != nil {
			t.Fatal(err)
		}
		if n, err := spaces.Purge(ctx, now.Add(space.Retention+time.Second)); n != 1 || err != nil {
			t.Fatal(n, err)
		}
		mustEqual(t, "purged", h.listed(t, h.Admin(), made.ID), "a* c d")
		h.put(t, made.ID, h.addSpace(t, "e").ID)
		mustEqual(t, "added after", h.listed(t, h.Admin(), made.ID), "a* c d e")
	})
}

func TestListSpaces(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		ctx := t.Context()
		a, secret, c := h.addSpace(t, "a"), h.addSpace(t, "secret"), h.addSpace(t, "c")
		h.setLevel(t, secret.ID, optional.Null[access.Level]())
		made := h.addSite(t, site.NewSite{Title: "Docs", Spaces: []id.Space{a.ID, secret.ID, c.ID}})
		mustEqual(t, "as admin", h.listed(t, h.Admin(), made.ID), "a* secret c")
		mustEqual(t, "as reader", h.listed(t, h.Members[org.RoleRead], made.ID), "a* c")
		for _, test := range []struct {
			onlyDefault optional.Value[bool]
			want        string
		}{
			{optional.Of(true), "a*"}, {optional.Of(false), "c"}, {optional.Null[bool](), "a* c"},
		} {
			got, err := h.ListSpaces(ctx, h.Members[org.RoleRead], h.Organization, made.ID,
				test.onlyDefault, paging.Request{})
			if err != nil || paths(got.Items) != test.want || got.Count != len(got.Items) || got.Next != nil {
				t.Errorf("default %+v: %s, %d, %v", test.onlyDefault, paths(got.Items), got.Count, err)
			}
		}
		got, err := h.ListSpaces(ctx, h.Members[org.RoleRead], h.Organization, made.ID, optional.Value[bool]{},
			paging.Request{})
		if err != nil || got.Items[0].Space.Role != org.RoleRead || got.Items[0].Space.Title != "a" {
			t.Error(got.Items, err)
		}
		_, err = h.ListSpaces(ctx, h.Admin(), h.Organization, made.ID, optional.Value[bool]{},
			paging.Request{After: []string{"x"}})
		wantKind(t, err, errs.Invalid, "cursor")
	})
}

func TestListSpacesPages(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		ctx := t.Context()
		guide := h.addSpace(t, "Guide")
		made := h.addSite(t, site.NewSite{Title: "Docs"})
		const count = 901
		err := d.Tx(ctx, func(ctx context.Context, q db.Querier) error {
			for i := range count {
				// Every position occurs twice, so that the tiebreak has to hold.
				_, err := q.ExecContext(ctx, `
					INSERT INTO site_space (id, site_id, space_id, path, position, is_default, created_at)
					VALUES ($1, $2, $3, $4, $5, $6, 1)`,
					id.New("sitespace"), made.ID, guide.ID, fmt.Sprintf("p%04d", i), fmt.Sprintf("d%04d", i/2),
					i == 700)
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
		page := paging.Request{Limit: 99}
		for {
			siteSpaces, err := h.ListSpaces(ctx, h.Admin(), h.Organization, made.ID,
				optional.Value[bool]{}, page)
			if err != nil || siteSpaces.Count != count {
				t.Fatal(siteSpaces.Count, err)
			}
			for _, s := range siteSpaces.Items {
				if s.Path != fmt.Sprintf("p%04d", n) || s.Default != (n == 700) {
					t.Fatalf("item %d is %s, default %v", n, s.Path, s.Default)
				}
				n++
			}
			if siteSpaces.Next == nil {
				break
			}
			page.After = siteSpaces.Next
		}
		mustEqual(t, "items", n, count)
		added := h.put(t, made.ID, guide.ID)
		if added.Default || added.Path != "guide" {
			t.Errorf("%+v", added)
		}
	})
}

func TestPublishedProfile(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		ctx := t.Context()
		a, secret := h.addSpace(t, "a"), h.addSpace(t, "secret")
		h.setLevel(t, secret.ID, optional.Null[access.Level]())
		made := h.addSite(t, site.NewSite{Title: "Docs", Spaces: []id.Space{secret.ID, a.ID}})
		made, err := h.Publish(ctx, h.Admin(), h.Organization, made.ID)
		if err != nil {
			t.Fatal(err)
		}
		profile, err := h.Published(ctx, h.Admin(), h.Organization, made.ID)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(made, profile.Site); diff != "" {
			t.Error(diff)
		}
		mustEqual(t, "structure", paths(flat(profile.Structure)), "secret* a")
		want := customization.Default()
		want.Title = "Docs"
		if diff := cmp.Diff(want, profile.Customization); diff != "" {
			t.Error(diff)
		}
		wantSpaces := map[id.SiteSpace]customization.Customization{profile.Structure.Nodes[0].Space.ID: want,
			profile.Structure.Nodes[1].Space.ID: want}
		if diff := cmp.Diff(wantSpaces, profile.SpaceCustomizations); diff != "" {
			t.Error(diff)
		}
		seen, err := h.Published(ctx, h.Members[org.RoleRead], h.Organization, made.ID)
		if err != nil || paths(flat(seen.Structure)) != "a" || len(seen.SpaceCustomizations) != 1 {
			t.Error(paths(flat(seen.Structure)), err)
		}
	})
}

func TestPublishedURLs(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h := newFixture(t, d)
		ctx := t.Context()
		a, b, c, alone := h.addSpace(t, "a"), h.addSpace(t, "b"), h.addSpace(t, "c"), h.addSpace(t, "alone")
		h.addSite(t, site.NewSite{Title: "Draft", Spaces: []id.Space{c.ID, a.ID}})
		for _, in := range []site.NewSite{{Title: "One", Spaces: []id.Space{a.ID, b.ID}},
			{Title: "Two", Spaces: []id.Space{b.ID, c.ID}}} {
			if _, err := h.Publish(ctx, h.Admin(), h.Organization, h.addSite(t, in).ID); err != nil {
				t.Fatal(err)
			}
		}
		base := "http://localhost:8080/sites/acme/"
		for _, test := range []struct {
			ids  []id.Space
			want map[id.Space]string
		}{
			{nil, map[id.Space]string{}},
			{[]id.Space{alone.ID, "x"}, map[id.Space]string{}},
			{[]id.Space{b.ID}, map[id.Space]string{b.ID: base + "one/b/"}},
			{[]id.Space{a.ID, c.ID, alone.ID}, map[id.Space]string{a.ID: base + "one/", c.ID: base + "two/c/"}},
		} {
			got, err := h.PublishedURLs(ctx, test.ids)
			if diff := cmp.Diff(test.want, got); err != nil || diff != "" {
				t.Error(err, diff)
			}
		}
		if err := h.spaces.Delete(ctx, h.Admin(), a.ID); err != nil {
			t.Fatal(err)
		}
		got, err := h.PublishedURLs(ctx, []id.Space{a.ID, b.ID})
		if diff := cmp.Diff(map[id.Space]string{b.ID: base + "one/"}, got); err != nil || diff != "" {
			t.Error(err, diff)
		}
	})
}
