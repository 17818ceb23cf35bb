package change_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/db"
)

// TestNumbers holds that the numbers of a space have no gaps and no doubles when many make change requests at once,
// some of which fail.
func TestNumbers(t *testing.T) {
	each(t, func(h *fixture) {
		const writers, each = 32, 3
		var group sync.WaitGroup
		numbers := make(chan int, writers*each)
		for i := range writers {
			group.Go(func() {
				for range each {
					made, err := h.Create(h.Context(), h.Editor(), h.space, change.New{Subject: "Change"})
					if err != nil {
						h.Error(err)
						return
					}
					numbers <- made.Number
				}
				if i%4 == 0 {
					_,
						err := h.Create(h.Context(), h.Editor(), h.space,
						change.New{From: id.Revision(id.New("revision"))})
					wantKind(h.T, err, errs.NotFound, "")
				}
			})
		}
		group.Wait()
		close(numbers)
		var got []int
		for number := range numbers {
			got = append(got, number)
		}
		slices.Sort(got)
		for i, number := range got {
			if number != i+1 {
				h.Fatalf("the numbers are %v", got)
			}
		}
		if len(got) != writers*each {
			h.Errorf("%d change requests were made", len(got))
		}
		other := h.addSpace()
		made, err := h.Create(h.Context(), h.Editor(), other, change.New{})
		if err != nil || made.Number != 1 {
			h.Errorf("the first of another space: %d, %v", made.Number, err)
		}
		counts, err := h.Counts(h.Context(), []id.Space{h.space, other, "space_0"})
		if err != nil || counts[h.space] != (change.Counts{All: 96, Draft: 96}) ||
			counts[other] != (change.Counts{All: 1, Draft: 1}) || len(counts) != 2 {
			h.Errorf("counts %v, %v", counts, err)
		}
	})
}

func TestCreateAndGet(t *testing.T) {
	each(t, func(h *fixture) {
		head := h.write("", "a", "A")
		made, err := h.Create(h.Context(), h.Editor(), h.space, change.New{Subject: "  A better start ",
			Description: "Says *more*.", Status: change.Open})
		if err != nil {
			h.Fatal(err)
		}
		for _, name := range []id.ChangeRequest{made.ID, "1"} {
			got, err := h.Get(h.Context(), h.Members[org.RoleRead], h.space, name)
			if err != nil || got != made {
				h.Errorf("%s: got %+v, want %+v, %v", name, got, made, err)
			}
		}
		if made.Initial != head.ID || made.Head != head.ID || made.Base != head.ID || made.Outdated ||
			made.Status != change.Open ||
			made.Subject != "A better start" || made.CreatedBy != h.Editor().User.ID || !id.Valid("change", made.ID) {
			h.Errorf("made %+v", made)
		}
		edited := h.write(made.Branch, "a", "B")
		got := h.get("1")
		if got.Head != edited.ID || got.Outdated || !got.UpdatedAt.After(made.UpdatedAt) {
			h.Errorf("after an edit: %+v", got)
		}
		h.write("", "c", "C")
		if !h.get("1").Outdated {
			h.Error("not outdated although main has moved on")
		}
		behind, err := h.Create(h.Context(), h.Editor(), h.space, change.New{From: head.ID})
		if err != nil || !behind.Outdated || behind.Head != head.ID || h.get("2") != behind {
			h.Errorf("from an older revision: %+v, %v", behind, err)
		}
		elsewhere := h.addSpace()
		for _, name := range []string{"0", "3", "-1", "+1", "01", "1 ", "1e0", "99999999999999999999", "", "x",
			"change_0", id.New("change"), "a\x00b"} {
			_, err := h.Get(h.Context(), h.Admin(), h.space, id.ChangeRequest(name))
			wantKind(h.T, err, errs.NotFound, "change request")
		}
		_, err = h.Get(h.Context(), h.Admin(), elsewhere, made.ID)
		wantKind(h.T, err, errs.NotFound, "change request")
	})
}

func TestCreateRefuses(t *testing.T) {
	each(t, func(h *fixture) {
		proposal := h.propose("A")
		inside := h.write(proposal.Branch, "a", "A")
		tests := []struct {
			name string
			in   change.New
			kind errs.Kind
			says string
		}{
			{"subject too long", change.New{Subject: strings.Repeat("é", 101)}, errs.Invalid, "subject"},
			{"subject with a zero byte", change.New{Subject: "a\x00"}, errs.Invalid, "subject"},
			{"description too long", change.New{Description: strings.Repeat("a", change.MaxDescription+1)},
				errs.Invalid, "description"},
			{"description not UTF-8", change.New{Description: "\xff"}, errs.Invalid, "description"},
			{"merged from the start", change.New{Status: change.Merged}, errs.Invalid, "status"},
			{"unknown status", change.New{Status: "done"}, errs.Invalid, "status"},
			{"unknown revision", change.New{From: "revision_0"}, errs.NotFound, "revision"},
			{"revision of a change request", change.New{From: inside.ID}, errs.Invalid, "change request"},
		}
		for _, test := range tests {
			_, err := h.Create(h.Context(), h.Editor(), h.space, test.in)
			if !errs.Is(err, test.kind) || !strings.Contains(err.Error()+detail(err), test.says) {
				h.Errorf("%s: %v", test.name, err)
			}
		}
		_, err := h.Create(h.Context(), h.Members[org.RoleComment], h.space, change.New{})
		wantKind(h.T, err, errs.Forbidden, "edit")
		for _, caller := range []org.Role{org.RoleGuest} {
			_, err := h.Create(h.Context(), h.Members[caller], h.space, change.New{})
			wantKind(h.T, err, errs.NotFound, "space")
		}
		_, err = h.Create(h.Context(), h.Stranger, h.space, change.New{})
		wantKind(h.T, err, errs.NotFound, "space")
		if counts, err := h.Counts(h.Context(), []id.Space{h.space}); err != nil || counts[h.space].All != 1 {
			h.Errorf("a refused one was counted: %v, %v", counts, err)
		}
	})
}

func TestList(t *testing.T) {
	each(t, func(h *fixture) {
		for i := range 7 {
			caller := h.Editor()
			if i%3 == 0 {
				caller = h.Reviewer()
			}
			status := change.Draft
			if i >= 4 {
				status = change.Open
			}
			made, err := h.Create(h.Context(), caller, h.space, change.New{Status: status})
			if err != nil {
				h.Fatal(err)
			}
			if i == 2 || i == 5 {
				if _, err := h.try(made.Branch, h.Admin(), put("a", "A")...); err != nil {
					h.Fatal(err)
				}
			}
		}
		tests := []struct {
			name   string
			filter change.Filter
			want   []int
		}{
			{"all", change.Filter{}, []int{7, 6, 5, 4, 3, 2, 1}},
			{"open", change.Filter{Status: change.Open}, []int{7, 6, 5}},
			{"drafts", change.Filter{Status: change.Draft}, []int{4, 3, 2, 1}},
			{"merged", change.Filter{Status: change.Merged}, nil},
			{"creator", change.Filter{Creator: h.Reviewer().User.ID}, []int{7, 4, 1}},
			{"creator and status", change.Filter{Creator: h.Reviewer().User.ID, Status: change.Open}, []int{7}},
			{"contributor", change.Filter{Contributor: h.Admin().User.ID}, []int{6, 3}},
			{"contributor and status", change.Filter{Contributor: h.Admin().User.ID, Status: change.Draft}, []int{3}},
			{"nobody", change.Filter{Creator: "user_0"}, nil},
		}
		for _, test := range tests {
			for _, limit := range []int{1, 2, 3, 1000} {
				var got []int
				request := paging.Request{Limit: limit}
				for {
					items, err := h.List(h.Context(), h.Members[org.RoleRead], h.space, test.filter,
						request)
					if err != nil || items.Count != len(test.want) || len(items.Items) > limit {
						h.Fatalf("%s: %d items, count %d, %v", test.name, len(items.Items), items.Count, err)
					}
					for _, item := range items.Items {
						got = append(got, item.Number)
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
		for _, after := range [][]string{{}, {"x"}, {"1", "2"}} {
			_, err := h.List(h.Context(), h.Editor(), h.space, change.Filter{}, paging.Request{After: after})
			wantKind(h.T, err, errs.Invalid, "")
		}
		_, err := h.List(h.Context(), h.Stranger, h.space, change.Filter{}, paging.Request{})
		wantKind(h.T, err, errs.NotFound, "space")
	})
}

// TestSpaceGoes holds that the change requests of a space go with it.
func TestSpaceGoes(t *testing.T) {
	each(t, func(h *fixture) {
		h.propose("A")
		h.drop(h.space)
		if counts, err := h.Counts(h.Context(), []id.Space{h.space}); err != nil || len(counts) != 0 {
			h.Errorf("counts %v, %v", counts, err)
		}
		_, err := h.Get(h.Context(), h.Admin(), h.space, "1")
		wantKind(h.T, err, errs.NotFound, "")
	})
}

// TestSpaceMoves holds that change requests follow their space into another organization.
func TestSpaceMoves(t *testing.T) {
	each(t, func(h *fixture) {
		h.propose("A")
		err := h.db.Tx(h.Context(), func(ctx context.Context, q db.Querier) error {
			_, err := q.ExecContext(ctx,
				`UPDATE space SET organization_id = (SELECT id FROM organization WHERE id <> $1) WHERE id = $2`,
				h.Organization, h.space)
			return err
		})
		if err != nil {
			h.Fatal(err)
		}
		requests, err := h.List(h.Context(), h.Stranger, h.space, change.Filter{}, paging.Request{})
		if err != nil || requests.Count != 1 || requests.Items[0].Organization == h.Organization {
			h.Errorf("after the move: %+v, %v", requests.Items, err)
		}
		requests, err = h.ListOrganization(h.Context(), h.Admin(), h.Organization, change.OrganizationFilter{},
			paging.Request{})
		if err != nil || requests.Count != 0 {
			h.Errorf("the old organization still lists %d, %v", requests.Count, err)
		}
	})
}
