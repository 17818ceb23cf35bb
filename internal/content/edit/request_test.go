package edit_test

import (
	"context"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/content/edit"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/db"
)

// TestChangeRequest holds that a batch for a change request changes that one alone.
func TestChangeRequest(t *testing.T) {
	each(t, func(f *fixture) {
		page := f.page("Page", "", "Main.\n")
		if _, err := f.spaces.Update(t.Context(), f.admin, f.space,
			space.Change{EditMode: optional.Of(space.EditMode("locked"))}); err != nil {
			t.Fatal(err)
		}
		main := f.head().Revision().ID
		editor := f.people[org.RoleEdit]
		request, err := f.changes.Create(t.Context(), editor, f.space, change.New{Subject: "Better"})
		if err != nil {
			t.Fatal(err)
		}
		write := func(changes ...edit.Change) (edit.Result, change.Request, error) {
			return f.edits.UpdateChangeRequest(t.Context(), editor, "1", edit.Batch{Space: f.space, Changes: changes})
		}
		result, after, err := write(rewrite(page, "Better.\n"), insert("More", page, "x"))
		if err != nil {
			t.Fatal(err)
		}
		if after.Head != result.Revision.ID || after.Head == request.Head ||
			!after.UpdatedAt.After(request.UpdatedAt) || after.ID != request.ID {
			t.Errorf("the change request is %+v, was %+v", after, request)
		}
		if f.head().Revision().ID != main || f.body(page) != "Main.\n" {
			t.Error("main has changed")
		}
		if _, _, err := write(edit.Change{Operation: edit.RevertPage, Page: page}); err != nil {
			t.Fatal(err)
		}
		view, err := f.content.BranchHead(t.Context(), f.space, request.Branch)
		if err != nil {
			t.Fatal(err)
		}
		e, err := view.Entry(t.Context(), page)
		if err != nil {
			t.Fatal(err)
		}
		if body, err := view.Body(t.Context(), e); err != nil || string(body) != "Main.\n" {
			t.Errorf("a page set back to main: %q, %v", body, err)
		}
		uploaded, _, err := f.edits.UploadToChangeRequest(t.Context(), editor, f.space, request.ID,
			uploads(edit.Upload{Name: "a.txt", Content: strings.NewReader("a")}))
		if err != nil || len(uploaded.Files) != 1 {
			t.Errorf("upload: %v", err)
		}
		for _, role := range []org.Role{org.RoleRead, org.RoleComment} {
			_, _, err := f.edits.UpdateChangeRequest(t.Context(), f.people[role], request.ID,
				edit.Batch{Space: f.space, Changes: []edit.Change{rewrite(page, "x")}})
			if !errs.Is(err, errs.Forbidden) {
				t.Errorf("%s writes: %v", role, err)
			}
		}
		for _, name := range []id.ChangeRequest{"2", "0", "change_0", ""} {
			_, _, err := f.edits.UpdateChangeRequest(t.Context(), editor, name,
				edit.Batch{Space: f.space, Changes: []edit.Change{rewrite(page, "x")}})
			if !errs.Is(err, errs.NotFound) {
				t.Errorf("change request %q: %v", name, err)
			}
		}
		found, err := f.changes.OfBranch(t.Context(), f.space, request.Branch)
		if err != nil || found.ID != request.ID {
			t.Errorf("the change request of its branch: %+v, %v", found, err)
		}
		if _, err := f.changes.OfBranch(t.Context(), f.newSpace(), request.Branch); !errs.Is(err, errs.NotFound) {
			t.Errorf("the change request of another space's branch: %v", err)
		}
		archive := func(status change.Status) {
			t.Helper()
			err := f.db.Tx(t.Context(), func(ctx context.Context, q db.Querier) error {
				_, err := q.ExecContext(ctx, `UPDATE change_request SET status = $1 WHERE id = $2`, string(status),
					request.ID)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		archive(change.Archived)
		if _, _, err := write(rewrite(page, "Late.\n")); !errs.Is(err, errs.Conflict) {
			t.Errorf("a write to an archived change request: %v", err)
		}
		archive(change.Draft)
		if _, err := f.content.MergeBranch(t.Context(), store.MergeRequest{Space: f.space, Branch: request.Branch,
			Author: f.admin.User.ID}); err != nil {
			t.Fatal(err)
		}
		if _, _, err := f.edits.Rollback(t.Context(), f.admin, f.space, uploaded.Revision.ID, ""); !errs.Is(err,
			errs.Conflict) {
			t.Errorf("rollback of main to a revision of a change request: %v", err)
		}
	})
}
