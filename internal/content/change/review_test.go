package change_test

import (
	"context"
	"slices"
	"testing"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/base/required/requiredtest"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/db"
)

func TestReviews(t *testing.T) {
	each(t, func(h *fixture) {
		r := h.propose("Change")
		h.write(r.Branch, "a", "A")
		first := h.review(r, h.Reviewer(), change.ChangesRequested)
		second := h.review(r, h.Admin(), change.Approved)
		if first.Outdated || first.Revision != h.get(r.ID).Head || first.RequestedBy != "" {
			h.Errorf("first %+v", first)
		}
		h.write(r.Branch, "a", "A2")
		third := h.review(r, h.Reviewer(), change.Approved)
		tests := []struct {
			outdated optional.Value[bool]
			want     []string
		}{
			{optional.Value[bool]{}, []string{third.ID, second.ID, first.ID}},
			{optional.Of(true), []string{second.ID, first.ID}},
			{optional.Of(false), []string{third.ID}},
		}
		for _, test := range tests {
			for _, limit := range []int{1, 2, 10} {
				var got []string
				request := paging.Request{Limit: limit}
				for {
					reviews, err := h.Reviews(h.Context(), h.Members[org.RoleRead], h.space, r.ID,
						test.outdated, request)
					if err != nil || reviews.Count != len(test.want) {
						h.Fatal(reviews.Count, err)
					}
					for _, review := range reviews.Items {
						got = append(got, review.ID)
					}
					if reviews.Next == nil {
						break
					}
					request.After = reviews.Next
				}
				if !slices.Equal(got, test.want) {
					h.Errorf("%v by %d: got %v, want %v", test.outdated, limit, got, test.want)
				}
			}
		}
		one, err := h.Review(h.Context(), h.Members[org.RoleRead], h.space, r.ID, first.ID)
		if err != nil || !one.Outdated || one.Status != change.ChangesRequested {
			h.Errorf("one: %+v, %v", one, err)
		}
		other := h.propose("Other")
		for _, name := range []string{"x", id.New("review"), "review_\x00"} {
			_, err = h.Review(h.Context(), h.Admin(), h.space, r.ID, name)
			wantKind(h.T, err, errs.NotFound, "review")
		}
		_, err = h.Review(h.Context(), h.Admin(), h.space, other.ID, first.ID)
		wantKind(h.T, err, errs.NotFound, "review")
		_, err = h.Submit(h.Context(), h.Editor(), h.space, r.ID, change.NewReview{Status: change.Approved})
		wantKind(h.T, err, errs.Forbidden, "review")
		for _, in := range []change.NewReview{{Status: "fine"}, {Status: change.Approved, Comment: "\xff"}} {
			_, err = h.Submit(h.Context(), h.Reviewer(), h.space, r.ID, in)
			wantKind(h.T, err, errs.Invalid, "")
		}
		h.mustMerge(r)
		_, err = h.Submit(h.Context(), h.Reviewer(), h.space, r.ID, change.NewReview{Status: change.Approved})
		wantKind(h.T, err, errs.Conflict, "merged")
	})
}

// TestPostReview holds that what a reviewer says goes where Deps.PostReview puts it, and that a review stands and falls
// with it.
func TestPostReview(t *testing.T) {
	each(t, func(h *fixture) {
		var posted []string
		refuse := false
		service := requiredtest.Wire(change.NewService(change.Deps{DB: h.db, Content: h.content}),
			change.Hooks{PostReview: func(_ context.Context,
				_ db.Querier, caller account.Caller, r change.Request, reviewID, markdown string) error {
				if refuse {
					return errs.Forbiddenf("no comments here")
				}
				posted = []string{string(caller.User.ID), string(r.ID), reviewID, markdown}
				return nil
			}})

		r := h.propose("Change")
		made, err := service.Submit(h.Context(), h.Reviewer(), h.space, r.ID, change.NewReview{Status: change.Approved,
			Comment: "Good."})
		if err != nil || made.Comment != "" ||
			!slices.Equal(posted, []string{string(h.Reviewer().User.ID), string(r.ID),
				made.ID, "Good."}) {
			h.Errorf("made %+v, posted %v, %v", made, posted, err)
		}
		refuse = true
		_, err = service.Submit(h.Context(), h.Reviewer(), h.space, r.ID, change.NewReview{Status: change.Approved,
			Comment: "Bad."})
		wantKind(h.T, err, errs.Forbidden, "comments")
		if list, err := h.Reviews(h.Context(), h.Admin(), h.space, r.ID, optional.Value[bool]{},
			paging.Request{}); err != nil || list.Count != 1 {
			h.Errorf("%d reviews, %v", list.Count, err)
		}
	})
}

func TestRequestedReviewers(t *testing.T) {
	each(t, func(h *fixture) {
		r := h.propose("Change")
		reviewer, admin := h.Reviewer().User.ID, h.Admin().User.ID
		for _, users := range [][]id.User{{reviewer, h.Members[org.RoleEdit].User.ID},
			{h.Members[org.RoleGuest].User.ID}, {h.Stranger.User.ID}, {"user_0"}, {"a\x00"}} {
			_, err := h.RequestReviews(h.Context(), h.Editor(), h.space, r.ID, users,
				change.Edit{Subject: optional.Of("No")})
			wantKind(h.T, err, errs.Invalid, "")
		}
		if got := h.get(r.ID); got.Status != change.Draft || got.Subject != "Change" {
			h.Errorf("a refused request has changed something: %+v", got)
		}
		asked, err := h.RequestReviews(h.Context(), h.Editor(), h.space, r.ID, []id.User{reviewer, admin, reviewer},
			change.Edit{Subject: optional.Of("Look")})
		if err != nil || len(asked) != 2 || h.get(r.ID).Status != change.Open || h.get(r.ID).Subject != "Look" ||
			h.counts().Open != 1 {
			h.Errorf("asked %+v, %v", asked, err)
		}
		first, err := h.Reviewers(h.Context(), h.Members[org.RoleRead], h.space, r.ID,
			paging.Request{Limit: 1})
		if err != nil || first.Count != 2 || first.Items[0] != asked[0] {
			h.Fatal(first.Items, first.Count, err)
		}
		rest, err := h.Reviewers(h.Context(), h.Admin(), h.space, r.ID, paging.Request{Limit: 1, After: first.Next})
		if err != nil || len(rest.Items) != 1 || rest.Items[0] != asked[1] || rest.Next != nil {
			h.Errorf("rest %+v, %v", rest.Items, err)
		}
		if made := h.review(r, h.Reviewer(), change.Approved); made.RequestedBy != h.Editor().User.ID {
			h.Errorf("made %+v", made)
		}
		wantKind(h.T, h.RemoveReviewer(h.Context(), h.Members[org.RoleComment], h.space, r.ID, admin), errs.Forbidden,
			"edit")
		if err := h.RemoveReviewer(h.Context(), h.Editor(), h.space, r.ID, admin); err != nil {
			h.Error(err)
		}
		for _, user := range []id.User{admin, "x", "user_\x00"} {
			wantKind(h.T, h.RemoveReviewer(h.Context(), h.Editor(), h.space, r.ID, user), errs.NotFound, "asked")
		}
	})
}

func TestContributors(t *testing.T) {
	each(t, func(h *fixture) {
		r := h.propose("Change")
		for _, caller := range []account.Caller{h.Editor(), h.Admin(), h.Editor()} {
			if _, err := h.try(r.Branch, caller, put("a", string(caller.User.ID)+id.New("x"))...); err != nil {
				h.Fatal(err)
			}
		}
		got, err := h.Contributors(h.Context(), h.Members[org.RoleRead], h.space, r.ID, paging.Request{})
		if err != nil || got.Count != 2 || got.Items[0].User != h.Editor().User.ID || got.Items[0].Revisions != 2 ||
			got.Items[1].User != h.Admin().User.ID || got.Items[1].Revisions != 1 {
			h.Errorf("got %+v, %v", got.Items, err)
		}
	})
}

func TestListOrganization(t *testing.T) {
	each(t, func(h *fixture) {
		second := h.addSpace()
		var ids []id.ChangeRequest
		for i := range 6 {
			spaceID, status := h.space, change.Draft
			if i%2 == 1 {
				spaceID = second
			}
			if i%3 == 0 {
				status = change.Open
			}
			made, err := h.Create(h.Context(), h.Editor(), spaceID, change.New{Status: status})
			if err != nil {
				h.Fatal(err)
			}
			ids = append(ids, made.ID)
		}
		// The oldest becomes the one that was changed last.
		if _, err := h.Update(h.Context(), h.Editor(), h.space, ids[0],
			change.Edit{Subject: optional.Of("New")}); err != nil {
			h.Fatal(err)
		}
		if _, err := h.RequestReviews(h.Context(), h.Editor(), second, ids[1], []id.User{h.Reviewer().User.ID},
			change.Edit{}); err != nil {
			h.Fatal(err)
		}
		tests := []struct {
			name   string
			caller account.Caller
			filter change.OrganizationFilter
			want   []int
		}{
			{"all", h.Admin(), change.OrganizationFilter{}, []int{1, 0, 5, 4, 3, 2}},
			{"by creation", h.Admin(), change.OrganizationFilter{Order: change.ByCreation}, []int{5, 4, 3, 2, 1, 0}},
			{"open", h.Members[org.RoleRead], change.OrganizationFilter{Statuses: []change.Status{change.Open,
				change.Open}}, []int{1, 0, 3}},
			{"a space", h.Admin(), change.OrganizationFilter{Spaces: []id.Space{second}, Order: change.ByCreation},
				[]int{5, 3, 1}},
			{"no space", h.Admin(), change.OrganizationFilter{Spaces: []id.Space{}}, nil},
			{"reviewer", h.Admin(), change.OrganizationFilter{RequestedReviewer: h.Reviewer().User.ID}, []int{1}},
			{"creator", h.Admin(), change.OrganizationFilter{Creator: h.Admin().User.ID}, nil},
			{"contributor", h.Admin(), change.OrganizationFilter{Contributor: h.Admin().User.ID}, nil},
			{"a guest", h.Members[org.RoleGuest], change.OrganizationFilter{}, nil},
		}
		for _, test := range tests {
			for _, limit := range []int{1, 2, 4, 100} {
				var got []int
				request := paging.Request{Limit: limit}
				for {
					items, err := h.ListOrganization(h.Context(), test.caller, h.Organization, test.filter,
						request)
					if err != nil || items.Count != len(test.want) {
						h.Fatalf("%s: count %d, %v", test.name, items.Count, err)
					}
					for _, item := range items.Items {
						got = append(got, slices.Index(ids, item.ID))
					}
					if items.Next == nil {
						break
					}
					request.After = items.Next
				}
				if !slices.Equal(got, test.want) {
					h.Errorf("%s by %d: got %v, want %v", test.name, limit, got, test.want)
				}
			}
		}
		_, err := h.ListOrganization(h.Context(), h.Stranger, h.Organization, change.OrganizationFilter{},
			paging.Request{})
		wantKind(h.T, err, errs.NotFound, "organization")
	})
}
