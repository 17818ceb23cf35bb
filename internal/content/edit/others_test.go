package edit_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/content/edit"
	"github.com/rectodocs/recto/internal/engine/entity"
)

// TestReusableContents holds that reusable contents are made, changed, deleted and set back with pages, as one
// revision.
func TestReusableContents(t *testing.T) {
	each(t, func(f *fixture) {
		before := f.head().Revision().ID
		made := f.apply(
			edit.Change{Operation: edit.InsertReusable, Ref: "note",
				Body: edit.Body{Markdown: new("---\ntitle: Note\n---\n\n# Mind this\n\nShared.\n")}},
			insert("Page", "", "{% include \"/reusable-content/note\" %}\n"),
		)
		if made.Revision.Parents[0] != before || len(made.Outcomes) != 2 {
			t.Errorf("%+v", made)
		}
		note, page := made.Outcomes[0].ID, made.Outcomes[1].ID
		if got, want := f.body(page), "{% include \"/reusable-content/"+note+"\" %}\n"; got != want {
			t.Errorf("body %q, want %q", got, want)
		}
		if e := f.entry(note); e.Kind != entity.KindReusable || e.Title != "Note" ||
			f.body(note) != "# Mind this\n\nShared.\n" {
			t.Errorf("%+v %q", e, f.body(note))
		}
		first := f.head().Revision().ID
		f.apply(edit.Change{Operation: edit.UpdateReusable, Reusable: note,
			Fields: edit.Fields{Title: optional.Of("Remark")}, Body: edit.Body{Markdown: new("New.\n")}})
		if e := f.entry(note); e.Title != "Remark" || f.body(note) != "New.\n" {
			t.Errorf("%+v %q", e, f.body(note))
		}
		if got := f.apply(edit.Change{Operation: edit.DeleteReusable, Reusable: note}).Outcomes[0].Deleted; !cmp.Equal(
			got, []string{note}) {
			t.Errorf("deleted %v", got)
		}
		f.apply(edit.Change{Operation: edit.RevertReusable, Reusable: note, Revision: first})
		if e := f.entry(note); e.Title != "Note" || f.body(note) != "# Mind this\n\nShared.\n" {
			t.Errorf("%+v %q", e, f.body(note))
		}
		f.refused(errs.NotFound, "reusableContent", edit.Change{Operation: edit.UpdateReusable, Reusable: page})
		f.refused(errs.Invalid, "slug", edit.Change{Operation: edit.UpdateReusable, Reusable: note,
			Fields: edit.Fields{Slug: optional.Of("a")}})
		f.refused(errs.Invalid, "title", edit.Change{Operation: edit.UpdateReusable, Reusable: note,
			Fields: edit.Fields{Title: optional.Of(" ")}})
	})
}

// TestSpaceVariables holds that variables are set and taken away by name, and merge by name.
func TestSpaceVariables(t *testing.T) {
	each(t, func(f *fixture) {
		variables := func() map[string]any {
			t.Helper()
			got, err := f.head().Variables(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			return got
		}
		set := func(values map[string]any) edit.Change {
			return edit.Change{Operation: edit.UpdateVariables, Variables: optional.Of(values)}
		}
		f.apply(set(map[string]any{"version": "1", "beta": true, "seats": 5.0}))
		base := f.head().Revision().ID
		f.apply(set(map[string]any{"version": "2", "beta": nil}))
		if diff := cmp.Diff(map[string]any{"version": "2", "seats": 5.0}, variables()); diff != "" {
			t.Error(diff)
		}
		stale := func(values map[string]any) error {
			_, err := f.edits.UpdateSpace(t.Context(), f.admin, edit.Batch{Space: f.space, Base: base,
				Changes: []edit.Change{set(values)}})
			return err
		}
		if err := stale(map[string]any{"seats": 6.0}); err != nil {
			t.Error(err)
		}
		if err := stale(map[string]any{"version": "3"}); conflicts(err) != 1 {
			t.Errorf("two values for one variable: %v", err)
		}
		if diff := cmp.Diff(map[string]any{"version": "2", "seats": 6.0}, variables()); diff != "" {
			t.Error(diff)
		}
		for _, bad := range []map[string]any{{"a": []any{}}, {"1a": "x"}, {"a": strings.Repeat("x", 257)}} {
			f.refused(errs.Invalid, "variables", set(bad))
		}
		f.refused(errs.Invalid, "variables", edit.Change{Operation: edit.UpdateVariables})
		f.apply(edit.Change{Operation: edit.UpdateVariables, Variables: optional.Null[map[string]any]()})
		if got := variables(); len(got) != 0 {
			t.Errorf("left: %v", got)
		}
	})
}

// TestFilesAreRenamedReplacedAndDeleted holds that a file keeps its id, whatever happens to it.
func TestFilesAreRenamedReplacedAndDeleted(t *testing.T) {
	each(t, func(f *fixture) {
		id := f.apply(edit.Change{Operation: edit.InsertFiles,
			Files: []edit.NewFile{{Name: "dot.gif", Base64: new(pixel)}}}).Files[0].ID
		first := f.entry(id)
		f.apply(edit.Change{Operation: edit.UpdateFile, File: id, Name: optional.Of("point.gif")})
		if e := f.entry(id); e.Name != "point.gif" || e.Blob != first.Blob || e.Width != 1 {
			t.Errorf("renamed: %+v", e)
		}
		base := f.head().Revision().ID
		f.apply(edit.Change{Operation: edit.UpdateFile, File: id, Replacement: &edit.NewFile{Base64: new("PHN2Zy8+")},
			Name: optional.Of("point.svg")})
		if e := f.entry(id); e.Blob == first.Blob || e.Size != 6 || e.ContentType != "image/svg+xml" || e.Width != 0 {
			t.Errorf("replaced: %+v", e)
		}
		_, err := f.edits.UpdateSpace(t.Context(), f.admin, edit.Batch{Space: f.space, Base: base,
			Changes: []edit.Change{
				{Operation: edit.UpdateFile, File: id, Replacement: &edit.NewFile{Base64: new("YQ==")}},
			}})
		if conflicts(err) == 0 {
			t.Errorf("two replacements of one file: %v", err)
		}
		replaced, err := f.edits.ReplaceInSpace(t.Context(), f.admin, f.space, id,
			uploads(edit.Upload{Name: "other.txt", Content: strings.NewReader("<svg></svg>")}))
		if err != nil || len(replaced.Files) != 1 || replaced.Files[0].Name != "point.svg" || f.entry(id).Size != 11 {
			t.Errorf("an upload in its place: %+v, %v", replaced, err)
		}
		for name, files := range map[string][]edit.Upload{"none": nil,
			"two": {{Name: "a", Content: strings.NewReader("a")}, {Name: "b", Content: strings.NewReader("b")}}} {
			if _, err := f.edits.ReplaceInSpace(t.Context(), f.admin, f.space, id, uploads(files...)); !errs.Is(err,
				errs.Invalid) {
				t.Errorf("%s: %v", name, err)
			}
		}
		f.refused(errs.Invalid, "name", edit.Change{Operation: edit.UpdateFile, File: id, Name: optional.Of("../x")})
		f.refused(errs.Invalid, "name", edit.Change{Operation: edit.UpdateFile, File: id,
			Name: optional.Null[string]()})
		f.refused(errs.Invalid, "changes[0].replacement.base64", edit.Change{Operation: edit.UpdateFile, File: id,
			Replacement: &edit.NewFile{Base64: new("#")}})
		f.refused(errs.NotFound, "file", edit.Change{Operation: edit.UpdateFile, File: "file_0",
			Name: optional.Of("x")})
		f.apply(edit.Change{Operation: edit.DeleteFile, File: id})
		if _, err := f.head().Entry(t.Context(), id); !errs.Is(err, errs.NotFound) {
			t.Errorf("the file is there: %v", err)
		}
		f.apply(edit.Change{Operation: edit.RevertFile, File: id, Revision: base})
		if e := f.entry(id); e.Blob != first.Blob || e.Name != "point.gif" {
			t.Errorf("set back: %+v", e)
		}
	})
}

// TestComputedPages holds that computed pages are made and changed, from what there is to compute them from.
func TestComputedPages(t *testing.T) {
	each(t, func(f *fixture) {
		from := func(slug string, props map[string]any) edit.Fields {
			return edit.Fields{Computed: optional.Of(entity.Computed{Type: "builtin:openapi", Props: props,
				Dependencies: map[string]any{
					"spec": map[string]any{"ref": map[string]any{"kind": "openapi", "spec": slug},
						"value": map[string]any{"object": "openapi-spec"}},
				}})}
		}
		id := f.apply(edit.Change{Operation: edit.InsertPage, Type: entity.PageComputed,
			Fields: from("pets", map[string]any{"models": true})}).Outcomes[0].ID
		if e := f.entry(id); e.Title != "" || e.Computed.Props["models"] != true {
			t.Errorf("%+v", e)
		}
		f.apply(edit.Change{Operation: edit.UpdatePage, Page: id, Fields: from("toys", nil)})
		want := map[string]any{"spec": map[string]any{"ref": map[string]any{"kind": "openapi", "spec": "toys"}}}
		if diff := cmp.Diff(want, f.entry(id).Computed.Dependencies); diff != "" {
			t.Error(diff)
		}
		page := f.page("Page", "", "")
		// A source of an integration keeps what was handed over, and nothing that answers add.
		f.apply(edit.Change{Operation: edit.UpdatePage, Page: id, Fields: edit.Fields{Computed: optional.Of(
			entity.Computed{Type: "integration:x:y", Props: map[string]any{"a": 1.0}, Dependencies: map[string]any{
				"s": map[string]any{"ref": map[string]any{"kind": "space", "space": "space_1", "more": true},
					"value": map[string]any{"revision": "r"}}}})}})
		kept := f.entry(id).Computed
		want = map[string]any{"s": map[string]any{"ref": map[string]any{"kind": "space", "space": "space_1"}}}
		if diff := cmp.Diff(want, kept.Dependencies); diff != "" || kept.Props["a"] != 1.0 {
			t.Errorf("%+v %s", kept, diff)
		}
		for words, fields := range map[string]edit.Fields{
			"computed.type":                  {Computed: optional.Of(entity.Computed{Type: "integration:x"})},
			"computed.props.models":          from("pets", map[string]any{"models": "yes"}),
			"computed.props.grouping":        from("pets", map[string]any{"grouping": "x"}),
			"computed.dependencies.spec.ref": from("", nil),
			"computed":                       {Computed: optional.Null[entity.Computed]()},
		} {
			f.refused(errs.Invalid, words, edit.Change{Operation: edit.UpdatePage, Page: id, Fields: fields})
		}
		f.refused(errs.Invalid, "not computed", edit.Change{Operation: edit.UpdatePage, Page: page,
			Fields: from("pets", nil)})
		f.apply(edit.Change{Operation: edit.DeletePage, Page: id})
	})
}

// TestDeletedPagesComeBackWithTheirChildren holds that setting a deleted page back brings what was below it, but for
// what is somewhere else now.
func TestDeletedPagesComeBackWithTheirChildren(t *testing.T) {
	each(t, func(f *fixture) {
		top := f.page("Top", "", "Top.\n")
		one := f.page("One", top, "One.\n")
		f.page("Deep", one, "Deep.\n")
		moved := f.page("Moved", top, "Moved.\n")
		f.page("Other", "", "")
		base := f.head().Revision().ID
		before := f.outline()
		f.apply(edit.Change{Operation: edit.UpdatePage, Page: moved, Into: optional.Null[string]()})
		deleted := f.apply(edit.Change{Operation: edit.DeletePage, Page: top}).Outcomes[0].Deleted
		if len(deleted) != 3 {
			t.Errorf("deleted %v", deleted)
		}
		f.apply(edit.Change{Operation: edit.RevertPage, Page: top, Revision: base})
		if diff := cmp.Diff("top\ntop/one\ntop/one/deep\nother\nmoved\n", f.outline()); diff != "" {
			t.Error(diff, before)
		}
		if f.body(one) != "One.\n" {
			t.Errorf("body %q", f.body(one))
		}
		// A page that is there is set back alone.
		f.apply(edit.Change{Operation: edit.DeletePage, Page: one})
		f.apply(rewrite(top, "New.\n"), edit.Change{Operation: edit.RevertPage, Page: top, Revision: base})
		if diff := cmp.Diff("top\nother\nmoved\n", f.outline()); diff != "" {
			t.Error(diff)
		}
	})
}

// TestTitlesInAnyFormOfHeading holds that a heading that a change overrules stays in the text, however it is written.
func TestTitlesInAnyFormOfHeading(t *testing.T) {
	each(t, func(f *fixture) {
		for _, heading := range []string{"# Old\n\n", "Old\n===\n\n", "  # Old\n\n"} {
			change := insert("New", "", heading+"Text.\n")
			id := f.apply(change).Outcomes[0].ID
			if got := f.body(id); !strings.HasSuffix(got, "Text.\n") || !strings.Contains(got, "Old") {
				t.Errorf("%q became %q", heading, got)
			}
		}
	})
}
