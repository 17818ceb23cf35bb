package edit_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/content/edit"
	"github.com/rectodocs/recto/internal/content/space"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/people/org"
)

// pixel is a GIF of one pixel, in base64.
const pixel = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"

// TestBatch holds that the changes of a batch see each other, and that it makes one revision.
func TestBatch(t *testing.T) {
	each(t, func(f *fixture) {
		group := edit.Change{Operation: edit.InsertPage, Type: entity.PageGroup, Ref: "g",
			Fields: edit.Fields{Title: optional.Of("Guides")}}
		first := insert("First", "g", "See [second](/pages/b#how) and ![p](/files/picture).\n")
		first.Ref = "a"
		first.Fields.Cover = optional.Of(entity.Cover{Ref: &doc.Ref{Kind: "file", File: "picture"}})
		second := insert("Second", "a", "Back to [first](/pages/a).\n\n## How\n")
		second.Ref = "b"
		files := edit.Change{Operation: edit.InsertFiles,
			Files: []edit.NewFile{{Ref: "picture", Name: "p.gif", Base64: new(pixel)}}}
		link := edit.Change{Operation: edit.InsertPage, Type: entity.PageLink, Fields: edit.Fields{
			Title: optional.Of("Elsewhere"), Target: optional.Of(doc.Ref{Kind: "page", Page: "a"})}, At: new(0)}
		rename := edit.Change{Operation: edit.UpdatePage, Page: "b", Fields: edit.Fields{Title: optional.Of("Renamed"),
			Emoji: optional.Of("📖"), Flags: map[string]bool{"hidden": true}}}
		gone := insert("Gone", "", "x")
		gone.Ref = "gone"
		remove := edit.Change{Operation: edit.DeletePage, Page: "gone"}
		before := f.head().Revision()
		result := f.apply(group, first, second, files, link, rename, gone, remove)
		if got := result.Revision.Parents; len(got) != 1 || got[0] != before.ID {
			t.Errorf("the revision's parents are %v, want %s", got, before.ID)
		}
		if diff := cmp.Diff("elsewhere\nguides\nguides/first\nguides/first/renamed\n", f.outline()); diff != "" {
			t.Errorf("pages (-want +got):\n%s", diff)
		}
		ids := map[string]string{}
		var done []string
		for _, outcome := range result.Outcomes {
			done = append(done, string(outcome.Operation))
			if outcome.Ref != "" {
				ids[outcome.Ref] = outcome.ID
			}
		}
		if diff := cmp.Diff([]string{"insert_page", "insert_page", "insert_page", "insert_page", "update_page",
			"insert_page", "delete_page"}, done); diff != "" {
			t.Errorf("outcomes:\n%s", diff)
		}
		file := result.Files[0]
		if file.ContentType != "image/gif" || file.Width != 1 || file.Height != 1 || file.Size != 42 {
			t.Errorf("the file is %+v", file)
		}
		want := fmt.Sprintf("See [second](/pages/%s#how) and ![p](/files/%s).\n", ids["b"], file.ID)
		if got := f.body(ids["a"]); got != want {
			t.Errorf("body %q, want %q", got, want)
		}
		if got := f.body(ids["b"]); !strings.Contains(got, "(/pages/"+ids["a"]+")") {
			t.Errorf("body %q does not link back", got)
		}
		if e := f.entry(ids["a"]); e.Cover == nil || e.Cover.Ref.File != file.ID {
			t.Errorf("cover = %+v", e.Cover)
		}
		if e := f.entry(ids["b"]); e.Title != "Renamed" || e.Slug != "renamed" || e.Emoji != "1f4d6" || !e.Hidden {
			t.Errorf("the renamed page is %+v", e)
		}
		tree, err := f.head().Pages(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if target := tree.Roots[0].Entry.Target; target == nil || target.Page != ids["a"] {
			t.Errorf("the link leads to %+v", target)
		}
	})
}

// TestFields holds what each field does when it is given, null or absent.
func TestFields(t *testing.T) {
	each(t, func(f *fixture) {
		id := f.page("Page", "", "Text.\n")
		update := func(fields edit.Fields) *entity.Entry {
			t.Helper()
			f.apply(edit.Change{Operation: edit.UpdatePage, Page: id, Fields: fields})
			return f.entry(id)
		}
		e := update(edit.Fields{
			Slug: optional.Of("start"), LinkTitle: optional.Of("Short"), Icon: optional.Of("book"),
			Description: optional.Of("What\nit is"),
			Condition:   optional.Of("visitor.claims.x"), Flags: map[string]bool{"noIndex": true,
				"noRobotsIndex": true},
			Layout:    optional.Of(entity.Layout{Width: "wide", Outline: new(false)}),
			Tags:      optional.Of([]entity.Tag{{Tag: "new", Primary: true}}),
			Variables: optional.Of(map[string]any{"level": 2.0, "on": true}),
			Cover: optional.Of(entity.Cover{Ref: &doc.Ref{Kind: "url", URL: "https://example.com/a.png"}, YPos: 3,
				Height: 100}),
		})
		if e.Slug != "start" || e.LinkTitle != "Short" || e.Icon != "book" || e.Description != "What\nit is" ||
			e.Condition == "" || !e.NoIndex ||
			!e.NoRobotsIndex || e.Layout.Width != "wide" || *e.Layout.Outline || len(e.Tags) != 1 ||
			e.Variables["level"] != 2.0 || e.Cover.Height != 100 {
			t.Errorf("fields that were set: %+v", e)
		}
		e = update(edit.Fields{Layout: optional.Of(entity.Layout{Pagination: new(false)}),
			Icon: optional.Null[string]()})
		if e.Layout.Width != "wide" || *e.Layout.Outline || *e.Layout.Pagination || e.Icon != "" || e.Slug != "start" ||
			e.LinkTitle != "Short" {
			t.Errorf("fields that were left alone: %+v", e)
		}
		e = update(edit.Fields{
			Title: optional.Of("Über uns"), Slug: optional.Of(""), Layout: optional.Null[entity.Layout](),
			Cover: optional.Null[entity.Cover](),
			Tags:  optional.Null[[]entity.Tag](), Variables: optional.Null[map[string]any](),
			Description: optional.Of(""), Flags: map[string]bool{"noIndex": false},
		})
		if e.Slug != "uber-uns" || e.Layout != nil || e.Cover != nil || e.Tags != nil || e.Variables != nil ||
			e.Description != "" || e.NoIndex || !e.NoRobotsIndex {
			t.Errorf("fields that were emptied: %+v", e)
		}
		if got := f.body(id); got != "Text.\n" {
			t.Errorf("the body became %q", got)
		}
	})
}

// TestAllOrNone holds that a batch with anything wrong in it changes nothing and says where that is.
func TestAllOrNone(t *testing.T) {
	each(t, func(f *fixture) {
		parent := f.page("Parent", "", "")
		child := f.page("Child", parent, "")
		group := f.apply(edit.Change{Operation: edit.InsertPage, Type: entity.PageGroup,
			Fields: edit.Fields{Title: optional.Of("Group")}}).Outcomes[0].ID
		foreign := &fixture{T: t, edits: f.edits, content: f.content, admin: f.admin, space: f.newSpace()}
		other := foreign.page("Foreign", "", "")
		good := insert("Good", "", "Text.\n")
		set := func(fields edit.Fields) edit.Change {
			return edit.Change{Operation: edit.UpdatePage, Page: child, Fields: fields}
		}
		files := func(files ...edit.NewFile) edit.Change {
			return edit.Change{Operation: edit.InsertFiles, Files: files}
		}
		named := func(c edit.Change, ref string) edit.Change { c.Ref = ref; return c }
		at := func(c edit.Change, at int) edit.Change { c.At = &at; return c }
		document := &doc.Document{Nodes: []*doc.Node{doc.NewParagraph(doc.NewText("x"))}}
		for name, test := range map[string]struct {
			kind   errs.Kind
			words  string
			change edit.Change
		}{
			"unknown operation": {errs.Invalid, "changes[1].operation", edit.Change{Operation: "burn_page",
				Page: child}},
			"unknown page": {errs.NotFound, "changes[1]", edit.Change{Operation: edit.DeletePage,
				Page: "page_0"}},
			"no page":                {errs.Invalid, "changes[1].page", edit.Change{Operation: edit.DeletePage}},
			"page of another space":  {errs.NotFound, "changes[1]", rewrite(other, "Mine.\n")},
			"into a page of another": {errs.NotFound, "changes[1]", insert("A", other, "")},
			"into a later page":      {errs.NotFound, "into", insert("A", "later", "")},
			"into itself": {errs.Invalid, "changes[1].into", edit.Change{Operation: edit.UpdatePage,
				Page: parent, Into: optional.Of(parent)}},
			"into its own child": {errs.Invalid, "changes[1].into", edit.Change{Operation: edit.UpdatePage,
				Page: parent, Into: optional.Of(child)}},
			"group below a page": {errs.Invalid, "changes[1].into", edit.Change{Operation: edit.UpdatePage,
				Page: group, Into: optional.Of(parent)}},
			"place below zero": {errs.Invalid, "changes[1].at", at(insert("A", "", ""), -1)},
			"title empty": {errs.Invalid, "changes[1].title",
				set(edit.Fields{Title: optional.Of("  ")})},
			"title null": {errs.Invalid, "changes[1].title",
				set(edit.Fields{Title: optional.Null[string]()})},
			"title too long": {errs.Invalid, "changes[1].title",
				set(edit.Fields{Title: optional.Of(strings.Repeat("x", 251))})},
			"slug with a slash": {errs.Invalid, "changes[1].slug", set(edit.Fields{Slug: optional.Of("a/b")})},
			"slug too long": {errs.Invalid, "changes[1].slug",
				set(edit.Fields{Slug: optional.Of(strings.Repeat("x", 101))})},
			"slug of a sibling": {errs.Conflict, "slug", edit.Change{Operation: edit.InsertPage,
				Fields: edit.Fields{Title: optional.Of("A"), Slug: optional.Of("parent")}}},
			"emoji of letters": {errs.Invalid, "changes[1].emoji",
				set(edit.Fields{Emoji: optional.Of("hello")})},
			"description too long": {errs.Invalid, "changes[1].description",
				set(edit.Fields{Description: optional.Of(strings.Repeat("x", 301))})},
			"layout of an unknown width": {errs.Invalid, "changes[1].layout.width",
				set(edit.Fields{Layout: optional.Of(entity.Layout{Width: "huge"})})},
			"cover that is not there": {errs.Invalid, "changes[1].cover.ref.file",
				set(edit.Fields{Cover: optional.Of(entity.Cover{Ref: &doc.Ref{Kind: "file", File: "file_0"}})})},
			"cover that is a page": {errs.Invalid, "changes[1].cover.ref.kind",
				set(edit.Fields{Cover: optional.Of(entity.Cover{Ref: &doc.Ref{Kind: "page", Page: parent}})})},
			"cover without image": {errs.Invalid, "changes[1].cover.ref",
				set(edit.Fields{Cover: optional.Of(entity.Cover{YPos: 1})})},
			"cover too high": {errs.Invalid, "changes[1].cover.height",
				set(edit.Fields{Cover: optional.Of(
					entity.Cover{Ref: &doc.Ref{Kind: "url", URL: "https://e.com/a"}, Height: 900})})},
			"variable that is a list": {errs.Invalid, "changes[1].variables",
				set(edit.Fields{Variables: optional.Of(map[string]any{"a": []any{1}})})},
			"link to a script": {errs.Invalid, "changes[1].target", edit.Change{Operation: edit.InsertPage,
				Type: entity.PageLink, Fields: edit.Fields{Target: optional.Of(doc.Ref{Kind: "url",
					URL: "javascript:alert(1)"})}}},
			"link without target": {errs.Invalid, "changes[1].target", edit.Change{Operation: edit.InsertPage,
				Type: entity.PageLink}},
			"computed page of nothing": {errs.Invalid, "changes[1].computed", edit.Change{Operation: edit.InsertPage,
				Type: entity.PageComputed}},
			"body of a group": {errs.Invalid, "changes[1].document", rewrite(group, "x")},
			"two bodies": {errs.Invalid, "changes[1].document", edit.Change{Operation: edit.UpdatePage,
				Page: child, Body: edit.Body{Markdown: new("x"), Document: document}}},
			"body too large": {errs.TooLarge, "changes[1]",
				rewrite(child, strings.Repeat("text ", 210_000))},
			"front matter not YAML": {errs.Invalid, "changes[1].document",
				rewrite(child, "---\na: [\n---\n\nText.\n")},
			"front matter of bad values": {errs.Invalid, "changes[1].document",
				rewrite(child, "---\nicon: "+strings.Repeat("x", 60)+"\n---\n\nText.\n")},
			"reference twice":        {errs.Invalid, "changes[1].ref", named(insert("A", "", ""), "dup")},
			"reference like an id":   {errs.Invalid, "changes[1].ref", named(insert("A", "", ""), "page_1")},
			"reference with a slash": {errs.Invalid, "changes[1].ref", named(insert("A", "", ""), "a/b")},
			"no files":               {errs.Invalid, "changes[1].files", files()},
			"21 files":               {errs.Invalid, "changes[1].files", files(make([]edit.NewFile, 21)...)},
			"file without name": {errs.Invalid, "changes[1].files[0].name",
				files(edit.NewFile{Base64: new(pixel)})},
			"file of a huge name": {errs.Invalid, "changes[1].files[0].name",
				files(edit.NewFile{Name: strings.Repeat("x", 257), Base64: new(pixel)})},
			"file in a folder": {errs.Invalid, "changes[1].files[0].name",
				files(edit.NewFile{Name: "../../x.gif", Base64: new(pixel)})},
			"file without bytes": {errs.Invalid, "changes[1].files[0]", files(edit.NewFile{Name: "x.gif"})},
			"file of two sources": {errs.Invalid, "changes[1].files[0]",
				files(edit.NewFile{Name: "x.gif", Base64: new(pixel), URL: "https://example.com/x"})},
			"base64 that is none": {errs.Invalid, "changes[1].files[0].base64",
				files(edit.NewFile{Name: "x.gif", Base64: new("####")})},
			"base64 that is cut off": {errs.Invalid, "changes[1].files[0].base64",
				files(edit.NewFile{Name: "x.gif", Base64: new(pixel[:13])})},
			"second file bad": {errs.Invalid, "changes[1].files[1].base64",
				files(edit.NewFile{Name: "x.gif", Base64: new(pixel)}, edit.NewFile{Name: "y.gif", Base64: new("é")})},
			"file from a file": {errs.Invalid, "changes[1].files[0].url",
				files(edit.NewFile{Name: "x", URL: "file:///etc/passwd"})},
			"file from inside": {errs.Invalid, "changes[1].files[0].url",
				files(edit.NewFile{Name: "x", URL: "http://169.254.169.254/latest"})},
			"back to no revision": {errs.Invalid, "changes[1].revision", edit.Change{Operation: edit.RevertPage,
				Page: child}},
			"back to an unknown one": {errs.NotFound, "changes[1]", edit.Change{Operation: edit.RevertPage,
				Page: child, Revision: "revision_0"}},
			"back to another space's": {errs.NotFound, "changes[1]", edit.Change{Operation: edit.RevertPage,
				Page: child, Revision: foreign.head().Revision().ID}},
		} {
			f.Run(name, func(t *testing.T) {
				f.with(t).refused(test.kind, test.words, named(good, "dup"), test.change)
			})
		}
		f.refused(errs.Invalid, "changes", nil...)
		f.refused(errs.Invalid, "changes", make([]edit.Change, 51)...)
		many := make([]edit.Change, 50)
		for i := range many {
			many[i] = files(make([]edit.NewFile, 20)...)
		}
		f.refused(errs.Invalid, "more than 100 files", many...)
		twice := rewrite(child, "One.\n")
		f.apply(twice, rewrite(child, "Two.\n"), set(edit.Fields{Title: optional.Of("Both")}))
		if e := f.entry(child); e.Title != "Both" || f.body(child) != "Two.\n" {
			t.Errorf("changes of one page in a row: %q, %q", e.Title, f.body(child))
		}
		f.refused(errs.NotFound, "changes[1]", edit.Change{Operation: edit.DeletePage, Page: parent},
			set(edit.Fields{Title: optional.Of("Late")}))
		full := make([]edit.Change, 50)
		for i := range full {
			full[i] = insert("Same", "", "")
		}
		if got := len(f.apply(full...).Outcomes); got != 50 {
			t.Errorf("%d outcomes of 50 changes", got)
		}
	})
}

// TestStaleBase holds that changes of an older revision are merged with what has happened since, or refused.
func TestStaleBase(t *testing.T) {
	each(t, func(f *fixture) {
		page := f.page("Page", "", "One.\n\nTwo.\n\nThree.\n")
		base := f.head().Revision().ID
		f.apply(rewrite(page, "One!\n\nTwo.\n\nThree.\n"))
		with := func(revision id.Revision, change edit.Change) error {
			_, err := f.edits.UpdateSpace(t.Context(), f.admin, edit.Batch{Space: f.space, Base: revision,
				Changes: []edit.Change{change}})
			return err
		}
		if err := with(base, rewrite(page, "One.\n\nTwo.\n\nThree!\n")); err != nil {
			t.Fatal(err)
		}
		if got, want := f.body(page), "One!\n\nTwo.\n\nThree!\n"; got != want {
			t.Errorf("merged body %q, want %q", got, want)
		}
		before := f.head().Revision().ID
		err := with(base, rewrite(page, "One?\n\nTwo.\n\nThree.\n"))
		if !errs.Is(err, errs.Conflict) || conflicts(err) != 1 {
			t.Errorf("overlapping edits: %v", err)
		}
		if f.head().Revision().ID != before {
			t.Error("a conflict made a revision")
		}
		f.apply(edit.Change{Operation: edit.DeletePage, Page: page})
		if err := with(base, rewrite(page, "Anew.\n")); !errs.Is(err, errs.Conflict) {
			t.Errorf("edit of a page that is gone: %v", err)
		}
		if err := with("revision_0", rewrite(page, "x")); !errs.Is(err, errs.NotFound) {
			t.Errorf("unknown base: %v", err)
		}
	})
}

// TestManyAtOnce holds that batches without a base are all made, whoever else writes.
func TestManyAtOnce(t *testing.T) {
	each(t, func(f *fixture) {
		id := f.page("Page", "", "")
		const writers = 12
		var group sync.WaitGroup
		failures := make(chan error, writers)
		for i := range writers {
			group.Go(func() {
				_, err := f.try(edit.Change{Operation: edit.UpdatePage, Page: id,
					Fields: edit.Fields{Title: optional.Of(fmt.Sprintf("Title %d", i))}},
					insert(fmt.Sprintf("Page %d", i), "", "x"))
				failures <- err
			})
		}
		group.Wait()
		for range writers {
			if err := <-failures; err != nil {
				t.Error(err)
			}
		}
		if got := strings.Count(f.outline(), "\n"); got != writers+1 {
			t.Errorf("%d pages, want %d", got, writers+1)
		}
		main, err := f.content.Branch(t.Context(), f.space, "")
		if err != nil {
			t.Fatal(err)
		}
		if list, err := f.content.History(t.Context(), main.ID, paging.Request{}); err != nil ||
			list.Count != writers+2 {
			t.Errorf("%d revisions (%v), want %d", list.Count, err, writers+2)
		}
	})
}

func TestAccessAndLock(t *testing.T) {
	each(t, func(f *fixture) {
		first := f.head().Revision().ID
		f.page("Page", "", "x")
		head := f.head().Revision().ID
		for _, role := range []org.Role{org.RoleRead, org.RoleComment} {
			caller := f.people[role]
			if _, err := f.edits.UpdateSpace(t.Context(), caller,
				edit.Batch{Space: f.space, Changes: []edit.Change{insert("A", "", "")}}); !errs.Is(err,
				errs.Forbidden) {
				t.Errorf("%s writes: %v", role, err)
			}
			read := false
			_, err := f.edits.UploadToSpace(t.Context(), caller, f.space, func() (edit.Upload, error) {
				read = true
				return edit.Upload{}, nil
			})
			if !errs.Is(err, errs.Forbidden) || read {
				t.Errorf("%s uploads: %v, read %t", role, err, read)
			}
		}
		if _, _, err := f.edits.Rollback(t.Context(), f.people[org.RoleEdit], f.space, first, ""); !errs.Is(err,
			errs.Forbidden) {
			t.Errorf("an editor rolls back: %v", err)
		}
		if _, err := f.spaces.Update(t.Context(), f.admin, f.space,
			space.Change{EditMode: optional.Of(space.EditMode("locked"))}); err != nil {
			t.Fatal(err)
		}
		f.refused(errs.Conflict, "locked", insert("A", "", ""))
		if _, _, err := f.edits.Rollback(t.Context(), f.admin, f.space, first, ""); !errs.Is(err, errs.Conflict) {
			t.Errorf("rollback of a locked space: %v", err)
		}
		if got := f.head().Revision().ID; got != head {
			t.Errorf("the head has moved to %s", got)
		}
		if _, err := f.spaces.Update(t.Context(), f.admin, f.space,
			space.Change{EditMode: optional.Of(space.EditMode("live"))}); err != nil {
			t.Fatal(err)
		}
		made, changed, err := f.edits.Rollback(t.Context(), f.people[org.RoleReview], f.space, first, "Too early")
		if err != nil || !changed || f.outline() != "" || made.Message != "Too early" {
			t.Errorf("rollback: %+v, %t, %v", made, changed, err)
		}
		if again, changed, err := f.edits.Rollback(t.Context(), f.admin, f.space, first, ""); err != nil || changed ||
			again.ID != made.ID {
			t.Errorf("rollback to where it is: %s, %t, %v", again.ID, changed, err)
		}
		if _, _, err := f.edits.Rollback(t.Context(), f.admin, f.newSpace(), first, ""); !errs.Is(err, errs.NotFound) {
			t.Errorf("rollback to another space's revision: %v", err)
		}
	})
}
