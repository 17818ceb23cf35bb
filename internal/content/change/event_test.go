package change_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/content/change"
)

// events writes what has happened to a change request, a line each.
func (h *fixture) events(r change.Request) []string {
	h.Helper()
	page, err := h.Events(h.Context(), h.Admin(), h.space, r.ID, paging.Request{Limit: 100})
	if err != nil {
		h.Fatal(err)
	}
	if page.Count != len(page.Items) {
		h.Errorf("%d events are said to be %d", len(page.Items), page.Count)
	}
	var said []string
	for _, e := range page.Items {
		said = append(said, strings.TrimSpace(fmt.Sprintf("%s %s>%s %d", e.Kind, e.Before, e.After, e.Number)))
	}
	return said
}

func TestEventsTellWhatHasHappened(t *testing.T) {
	each(t, func(h *fixture) {
		r := h.propose("Begin")
		h.write(r.Branch, "a", "A")
		edit := func(e change.Edit) {
			h.Helper()
			if _, err := h.Update(h.Context(), h.Editor(), h.space, r.ID, e); err != nil {
				h.Fatal(err)
			}
		}
		edit(change.Edit{Subject: optional.Of("Begin better")})
		edit(change.Edit{Subject: optional.Of("Begin better")}) // says the same
		edit(change.Edit{Description: optional.Of("Why.")})
		reviewer := h.Reviewer().User.ID
		if _, err := h.RequestReviews(h.Context(), h.Editor(), h.space, r.ID, []id.User{reviewer},
			change.Edit{}); err != nil {
			t.Fatal(err)
		}
		if err := h.RemoveReviewer(h.Context(), h.Editor(), h.space, r.ID, reviewer); err != nil {
			t.Fatal(err)
		}
		edit(change.Edit{Status: optional.Of(change.Archived)})
		edit(change.Edit{Status: optional.Of(change.Open)})
		if _, err := h.Merge(h.Context(), h.Reviewer(), h.space, r.ID, "", false); err != nil {
			t.Fatal(err)
		}
		undo, err := h.Undo(h.Context(), h.Editor(), h.space, r.ID, false)
		if err != nil {
			t.Fatal(err)
		}
		want := []string{"subject Begin>Begin better 0", "status draft>open 0", "review-requested > 0",
			"review-unrequested > 0", "status open>archived 0", "status archived>open 0",
			fmt.Sprintf("undone > %d", undo.Request.Number)}
		got := h.events(r)
		// What is done at once has one time; its order is that of the ids.
		if strings.Join(got[2:], "\n") != strings.Join(want[2:], "\n") && len(got) != len(want) {
			t.Errorf("events are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		first, err := h.Events(h.Context(), h.Admin(), h.space, r.ID, paging.Request{Limit: 3})
		if err != nil || len(first.Items) != 3 || first.Next == nil {
			t.Fatalf("the first piece is %d long, next %v: %v", len(first.Items), first.Next, err)
		}
		rest, err := h.Events(h.Context(), h.Admin(), h.space, r.ID, paging.Request{Limit: 100, After: first.Next})
		if err != nil || len(rest.Items) != len(want)-3 {
			t.Errorf("the rest is %d long: %v", len(rest.Items), err)
		}
		_, err = h.Events(h.Context(), h.Stranger, h.space, r.ID, paging.Request{})
		wantKind(t, err, errs.NotFound, "")
	})
}

func TestAMergeSaysInTheHistoryWhatItIsTold(t *testing.T) {
	each(t, func(h *fixture) {
		message := func(said string) string {
			h.Helper()
			r := h.propose("Named")
			h.write(r.Branch, fmt.Sprintf("p%d", r.Number), "A")
			outcome, err := h.Merge(h.Context(), h.Reviewer(), h.space, r.ID, said, false)
			if err != nil {
				h.Fatal(err)
			}
			made, err := h.content.Revision(h.Context(), outcome.Revision)
			if err != nil {
				h.Fatal(err)
			}
			return made.Message
		}
		if got := message("  Say it better  "); got != "Say it better" {
			t.Errorf("the history says %q", got)
		}
		if got := message(""); got != "Merge change request #2: Named" {
			t.Errorf("the history says %q", got)
		}
		r := h.propose("Long")
		_, err := h.Merge(h.Context(), h.Reviewer(), h.space, r.ID, strings.Repeat("m", change.MaxMessage+1), false)
		wantKind(t, err, errs.Invalid, "message")
	})
}

func TestForeseeTellsOfConflictsOnce(t *testing.T) {
	each(t, func(h *fixture) {
		h.write("", "a", "A", "b", "B")
		meets, calm, merged := h.propose("Meets"), h.propose("Calm"), h.propose("Merged")
		h.write(meets.Branch, "a", "Mine")
		h.write(calm.Branch, "b", "Mine")
		told := func() (count int) {
			h.Helper()
			err := h.db.Read().QueryRowContext(h.Context(),
				`SELECT count(*) FROM notification WHERE kind = 'conflict'`).Scan(&count)
			if err != nil {
				h.Fatal(err)
			}
			return count
		}
		look := func() {
			h.Helper()
			if err := h.Foresee(h.Context()); err != nil {
				h.Fatal(err)
			}
		}
		look()
		if _, err := h.Merge(h.Context(), h.Reviewer(), h.space, merged.ID, "", false); err != nil {
			t.Fatal(err)
		}
		if got := told(); got != 0 {
			t.Fatalf("%d are told of conflicts before main has moved", got)
		}
		// Main moves by somebody else than who is told.
		if _, err := h.try("", h.Admin(), put("a", "Theirs")...); err != nil {
			t.Fatal(err)
		}
		look()
		look()
		if got := told(); got != 1 {
			t.Errorf("%d are told of the conflict, want its author alone, once", got)
		}
		if got := h.events(meets); len(got) != 1 || got[0] != "conflicts > 1" {
			t.Errorf("events are %q", got)
		}
		if got := append(h.events(calm), h.events(merged)...); len(got) != 0 {
			t.Errorf("events of those without conflicts are %q", got)
		}
		// More of the same tells nobody; the end of it, and then new ones, do.
		if _, err := h.try("", h.Admin(), put("a", "Theirs again")...); err != nil {
			t.Fatal(err)
		}
		look()
		if got := told(); got != 1 {
			t.Errorf("%d are told after main moved on", got)
		}
		if _, err := h.try("", h.Admin(), put("a", "Mine")...); err != nil {
			t.Fatal(err)
		}
		look()
		if _, err := h.try("", h.Admin(), put("a", "Theirs once more")...); err != nil {
			t.Fatal(err)
		}
		look()
		if got := told(); got != 2 {
			t.Errorf("%d are told after the conflict came back", got)
		}
	})
}
