package feedback_test

import (
	"testing"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/base/required/requiredtest"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/people/org/orgtest"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
	"github.com/rectodocs/recto/internal/publish/feedback"
	"github.com/rectodocs/recto/internal/publish/site"
)

func wantKind(t *testing.T, err error, kind errs.Kind) {
	t.Helper()
	if !errs.Is(err, kind) {
		t.Errorf("got error %v, want one of kind %d", err, kind)
	}
}

func TestFeedback(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		h, ctx := orgtest.New(t, d), t.Context()
		spaces := requiredtest.Wire(space.New(space.Deps{DB: d}), space.Hooks{})
		guide, err := spaces.Create(ctx, h.Admin(), h.Organization, space.NewSpace{Title: "Guide"})
		if err != nil {
			t.Fatal(err)
		}
		sites := requiredtest.Wire(site.New(requiredtest.Fill(site.Deps{DB: d, Spaces: spaces,
			BaseURL: "http://localhost:8080"})), site.Hooks{})
		answers := feedback.New(feedback.Deps{DB: d, Sites: sites})
		made, err := sites.Create(ctx, h.Admin(), h.Organization, site.NewSite{Title: "Docs",
			Spaces: []id.Space{guide.ID}})
		if err != nil {
			t.Fatal(err)
		}
		answer := func(page string, helpful bool) string {
			t.Helper()
			id, err := answers.Add(ctx, feedback.Answer{Site: made.ID, Space: guide.ID, Page: page,
				PageTitle: "Page " + page, Helpful: helpful}, nil)
			if err != nil {
				t.Fatal(err)
			}
			return id
		}
		answer("a", true)
		answer("b", false)
		answer("b", false)
		last := answer("b", true)
		if err := answers.Comment(ctx, made.ID, last, "  Thanks!\r\nReally. ", nil); err != nil {
			t.Fatal(err)
		}
		wantKind(t, answers.Comment(ctx, made.ID, last, "again", nil), errs.NotFound)
		wantKind(t, answers.Comment(ctx, "site_other", answer("c", true), "x", nil), errs.NotFound)
		wantKind(t, answers.Comment(ctx, made.ID, last, " ", nil), errs.Invalid)

		reader := h.Members[org.RoleRead]
		found, err := answers.List(ctx, reader, h.Organization, made.ID, feedback.Filter{Page: "b"},
			paging.Request{Limit: 2})
		if err != nil || found.Count != 3 || len(found.Items) != 2 || found.Next == nil || found.Items[0].ID != last ||
			found.Items[0].Comment != "Thanks!\nReally." || !found.Items[0].Helpful {
			t.Fatal(found.Items, found.Count, found.Next, err)
		}
		if found, err = answers.List(ctx, reader, h.Organization, made.ID, feedback.Filter{Page: "b"},
			paging.Request{Limit: 2, After: found.Next}); err != nil || len(found.Items) != 1 || found.Next != nil {
			t.Error(found.Items, found.Next, err)
		}
		if found, err = answers.List(ctx, reader, h.Organization, made.ID, feedback.Filter{Commented: true},
			paging.Request{Limit: 2}); err != nil || len(found.Items) != 1 {
			t.Error(found.Items, err)
		}
		pages, err := answers.ListPages(ctx, reader, h.Organization, made.ID, paging.Request{Limit: 1})
		if err != nil || pages.Count != 3 || len(pages.Items) != 1 || pages.Items[0].Page != "b" ||
			pages.Items[0].NotHelpful != 2 ||
			pages.Items[0].Helpful != 1 || pages.Items[0].PageTitle != "Page b" {
			t.Fatal(pages.Items, pages.Count, err)
		}
		if pages, err = answers.ListPages(ctx, reader, h.Organization, made.ID,
			paging.Request{Limit: 5, After: pages.Next}); err != nil || len(pages.Items) != 2 || pages.Next != nil {
			t.Error(pages.Items, pages.Next, err)
		}
		_, err = answers.List(ctx, h.Members[org.RoleGuest], h.Organization, made.ID, feedback.Filter{},
			paging.Request{Limit: 2})
		wantKind(t, err, errs.NotFound)
		_, err = answers.ListPages(ctx, h.Stranger, h.Organization, made.ID, paging.Request{Limit: 2})
		wantKind(t, err, errs.NotFound)
	})
}
