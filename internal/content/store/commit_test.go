package store_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
)

func TestCommitFillsInWhatIsLeftOut(t *testing.T) {
	each(t, func(f *fixture) {
		first, second := page("a", ""), page("b", "")
		second.Slug = ""
		second.Title = "Hello, World & more"
		r := f.commit(store.CommitRequest{Put: []store.Put{{Entry: first, Body: []byte("one")}, {Entry: second}}})
		if r.Type != store.TypeEdits || len(r.Parents) != 1 || r.Generation != 2 {
			t.Errorf("revision is %+v", r)
		}
		a, b := f.entry("a"), f.entry("b")
		if b.Slug != "hello-world-and-more" || a.Position == "" || a.Position >= b.Position {
			t.Errorf("slug %q, positions %q and %q", b.Slug, a.Position, b.Position)
		}
		if first.Position != "" || first.CreatedAt != 0 {
			t.Error("the caller's entry was changed")
		}
		if a.CreatedAt == 0 || a.CreatedAt != a.UpdatedAt {
			t.Errorf("created %d, updated %d", a.CreatedAt, a.UpdatedAt)
		}
		if body, err := f.head().Body(t.Context(), a); err != nil || string(body) != "one" {
			t.Errorf("body %q, %v", body, err)
		}

		f.clock.ahead = time.Hour
		f.commit(store.CommitRequest{Put: put(f.edit("a", func(e *entity.Entry) {
			e.Position = entity.Between(b.Position, "")
			e.Slug = ""
		}))})
		again := f.entry("a")
		if again.UpdatedAt != a.UpdatedAt || again.Slug != "a" || again.Body != a.Body {
			t.Errorf("a new position changed more than that: %s", cmp.Diff(a, again))
		}
		f.commit(store.CommitRequest{Put: put(f.edit("a", func(e *entity.Entry) { e.Title = "New"; e.CreatedAt = 5 }))})
		if last := f.entry("a"); last.CreatedAt != a.CreatedAt || last.UpdatedAt <= a.UpdatedAt {
			t.Errorf("created %d, updated %d", last.CreatedAt, last.UpdatedAt)
		}
		check(t, f.head())
	})
}

func TestCommitOfNothingMakesNoRevision(t *testing.T) {
	each(t, func(f *fixture) {
		before := f.headID()
		if r := f.commit(store.CommitRequest{}); r.ID != before {
			t.Errorf("an empty commit made revision %s", r.ID)
		}
		made := f.commit(store.CommitRequest{Put: []store.Put{{Entry: page("a", ""), Body: []byte("text")}}})
		f.clock.ahead = time.Hour
		again := f.commit(store.CommitRequest{Put: []store.Put{{Entry: f.entry("a"), Body: []byte("text")}}})
		if again.ID != made.ID || f.headID() != made.ID {
			t.Errorf("the same content made revision %s after %s", again.ID, made.ID)
		}
	})
}

func TestCommitKeepsTheRulesOfTheTree(t *testing.T) {
	each(t, func(f *fixture) {
		link := page("link", "")
		link.Type, link.Target = entity.PageLink, &doc.Ref{Kind: "url", URL: "https://example.org"}
		f.commit(store.CommitRequest{Put: put(page("a", ""), page("b", "a"), page("c", "b"), page("d", ""), link)})
		file := &entity.Entry{ID: "file_x", Kind: entity.KindFile, Name: "x.png", ContentType: "image/png",
			Blob: strings.Repeat("0", 64)}

		refused := func(kind errs.Kind, text string, r store.CommitRequest) {
			t.Helper()
			f.refused(r, kind, text)
		}
		move := func(name, parent string) store.CommitRequest {
			return store.CommitRequest{Put: put(f.edit(name, func(e *entity.Entry) { e.Parent = pageID(parent) }))}
		}
		refused(errs.Conflict, "ancestor", move("a", "c"))
		refused(errs.Conflict, "ancestor", move("a", "b"))
		refused(errs.Conflict, "ancestor", move("a", "a"))
		refused(errs.Invalid, "no page", move("a", "nowhere"))
		refused(errs.Invalid, "cannot have pages below it", move("a", "link"))
		refused(errs.Invalid, "pages below it", store.CommitRequest{Put: put(f.edit("a", func(e *entity.Entry) {
			e.Type, e.Target = entity.PageLink, link.Target
		}))})
		refused(errs.Conflict, "both have the slug", store.CommitRequest{Put: put(f.edit("d", func(e *entity.Entry) {
			e.Slug = "a"
		}))})
		refused(errs.Conflict, "both have the slug", store.CommitRequest{Put: put(page("e", "a"), func() *entity.Entry {
			e := page("e2", "a")
			e.Slug = "e"
			return e
		}())})
		refused(errs.Invalid, "cannot be part of a path",
			store.CommitRequest{Put: put(f.edit("d", func(e *entity.Entry) { e.Slug = "a/b" }))})
		refused(errs.Invalid, "changed twice", store.CommitRequest{Put: put(page("e", ""), page("e", "a"))})
		refused(errs.Invalid, "same request", store.CommitRequest{Put: put(f.entry("d")),
			Delete: []string{pageID("d")}})
		refused(errs.Invalid, "an ancestor of it is deleted", store.CommitRequest{Put: put(f.entry("c")),
			Delete: []string{pageID("a")}})
		refused(errs.NotFound, "nothing with the id", store.CommitRequest{Delete: []string{pageID("zz")}})
		refused(errs.Invalid, "cannot become",
			store.CommitRequest{Put: put(&entity.Entry{ID: pageID("a"), Kind: entity.KindFile, Name: "x"})})
		refused(errs.Invalid, "without id",
			store.CommitRequest{Put: put(&entity.Entry{Kind: entity.KindFile, Name: "x"})})
		refused(errs.Invalid, "entry is missing", store.CommitRequest{Put: []store.Put{{}}})
		refused(errs.Invalid, "upload it first", store.CommitRequest{Put: put(file)})
		refused(errs.Invalid, "send the body itself", store.CommitRequest{Put: put(f.edit("d", func(e *entity.Entry) {
			e.Body = strings.Repeat("ab", 32)
		}))})
		refused(errs.Invalid, "not UTF-8",
			store.CommitRequest{Put: []store.Put{{Entry: f.entry("d"), Body: []byte("a\xff")}}})
		refused(errs.TooLarge, "at most",
			store.CommitRequest{Put: []store.Put{{Entry: f.entry("d"), Body: bytes.Repeat([]byte("a"),
				store.MaxBodySize+1)}}})
		refused(errs.Invalid, "has no body",
			store.CommitRequest{Put: []store.Put{{Entry: f.entry("link"), Body: []byte("a")}}})
		refused(errs.TooLarge, "message", store.CommitRequest{Message: strings.Repeat("m", store.MaxMessageSize+1),
			Put: put(page("e", ""))})
		refused(errs.Invalid, "type edits or computed", store.CommitRequest{Type: store.TypeMerge,
			Put: put(page("e", ""))})
		refused(errs.NotFound, "no revision", store.CommitRequest{Base: "revision_none", Put: put(page("e", ""))})
		refused(errs.NotFound, "no branch", store.CommitRequest{Branch: "branch_none", Put: put(page("e", ""))})
		refused(errs.NotFound, "no content", store.CommitRequest{Space: "space_none", Put: put(page("e", ""))})
		check(t, f.head())
	})
}

func TestCommitRefusesTooDeepTrees(t *testing.T) {
	each(t, func(f *fixture) {
		f.refused(store.CommitRequest{Put: deep(store.MaxDepth + 2)}, errs.Invalid, "above it")
		f.commit(store.CommitRequest{Put: deep(store.MaxDepth + 1)})
		check(t, f.head())
	})
}

// deep makes a chain of n pages.
func deep(n int) []store.Put {
	var puts []store.Put
	parent := ""
	for i := range n {
		e := page("deep"+string(rune('a'+i/26))+string(rune('a'+i%26)), "")
		e.Parent = parent
		parent = e.ID
		puts = append(puts, store.Put{Entry: e})
	}
	return puts
}

func TestCommitFixesSlugsWhenAsked(t *testing.T) {
	each(t, func(f *fixture) {
		f.commit(store.CommitRequest{Put: put(page("a", ""))})
		var puts []store.Put
		for _, name := range []string{"x", "y", "z"} {
			e := page(name, "")
			e.Slug = "a"
			puts = append(puts, store.Put{Entry: e})
		}
		f.commit(store.CommitRequest{Put: puts, FixSlugs: true})
		f.leads(map[string]string{"a": "a", "a-1": "x", "a-2": "y", "a-3": "z"})

		// Two writers from one base want the same slug: the later one gets a number, or a conflict.
		base := f.headID()
		one, two, three := page("one", ""), page("two", ""), page("three", "")
		one.Slug, two.Slug, three.Slug = "same", "same", "same"
		f.commit(store.CommitRequest{Base: base, Put: put(one)})
		f.commit(store.CommitRequest{Base: base, Put: put(two), FixSlugs: true})
		f.refused(store.CommitRequest{Base: base, Put: put(three)}, errs.Conflict, "slug")
		f.leads(map[string]string{"same": "one", "same-1": "two"})
		check(t, f.head())
	})
}

func TestCommitSwapsSlugs(t *testing.T) {
	each(t, func(f *fixture) {
		f.commit(store.CommitRequest{Put: put(page("a", ""), page("b", ""), page("c", "a"))})
		f.commit(store.CommitRequest{Put: put(
			f.edit("a", func(e *entity.Entry) { e.Slug = "b" }),
			f.edit("b", func(e *entity.Entry) { e.Slug = "a" }),
		)})
		f.leads(map[string]string{"a": "b", "b": "a", "b/c": "c", "a/c": ">c"})
		check(t, f.head())
	})
}

func TestDeleteTakesWhatIsBelow(t *testing.T) {
	each(t, func(f *fixture) {
		f.commit(store.CommitRequest{Put: put(page("a", ""), page("b", "a"), page("c", "b"), page("d", "c"),
			page("e", ""))})
		f.commit(store.CommitRequest{
			Put:    put(f.edit("c", func(e *entity.Entry) { e.Parent = pageID("e"); e.Position = "" })),
			Delete: []string{pageID("a")},
		})
		f.leads(map[string]string{"a": "-", "a/b": "-", "e": "e", "e/c": "c", "e/c/d": "d", "a/b/c": ">c",
			"a/b/c/d": ">d"})
		check(t, f.head())
	})
}

func TestConflictNamesWhatCollides(t *testing.T) {
	each(t, func(f *fixture) {
		base := f.commit(store.CommitRequest{
			Put: []store.Put{{Entry: page("a", ""), Body: []byte("one\n\ntwo\n\nthree\n")}}})
		a := f.entry("a")
		f.commit(store.CommitRequest{Base: base.ID,
			Put: []store.Put{{Entry: a, Body: []byte("ONE\n\ntwo\n\nthree\n")}}})
		// Another paragraph merges, the same one does not.
		f.commit(store.CommitRequest{Base: base.ID,
			Put: []store.Put{{Entry: a, Body: []byte("one\n\ntwo\n\nTHREE\n")}}})
		body, err := f.head().Body(t.Context(), f.entry("a"))
		if err != nil || string(body) != "ONE\n\ntwo\n\nTHREE\n" {
			t.Errorf("merged body is %q, %v", body, err)
		}
		_, err = f.try(store.CommitRequest{Base: base.ID,
			Put: []store.Put{{Entry: a, Body: []byte("1\n\ntwo\n\nthree\n")}}})
		conflict := asConflict(err)
		if conflict == nil || len(conflict.Conflicts) != 1 || conflict.Conflicts[0].Entries[0] != a.ID ||
			conflict.Head != f.headID() {
			t.Errorf("error is %v", err)
		}
		if !errs.Is(err, errs.Conflict) {
			t.Errorf("a conflict has kind %d", errs.KindOf(err))
		}
		f.refused(store.CommitRequest{Base: base.ID, Delete: []string{a.ID}}, errs.Conflict, "somebody else")
		check(t, f.head())
	})
}

func TestCommitOnAnOldBaseBelowADeletedPage(t *testing.T) {
	each(t, func(f *fixture) {
		base := f.commit(store.CommitRequest{Put: put(page("a", ""), page("b", "a"))})
		f.commit(store.CommitRequest{Delete: []string{pageID("a")}})
		f.refused(store.CommitRequest{Base: base.ID, Put: put(page("new", "b"))}, errs.Conflict, "somebody else")
		f.commit(store.CommitRequest{Base: base.ID, Put: put(page("other", ""))})
		// And the other way round: somebody adds below what we delete.
		now := f.commit(store.CommitRequest{Put: put(page("p", ""))})
		f.commit(store.CommitRequest{Put: put(page("q", "p"))})
		f.refused(store.CommitRequest{Base: now.ID, Delete: []string{pageID("p")}}, errs.Conflict, "somebody else")
		check(t, f.head())
	})
}

func TestFilesReusableContentsAndVariables(t *testing.T) {
	each(t, func(f *fixture) {
		hash, size, err := f.s.PutFile(t.Context(), strings.NewReader("picture"))
		if err != nil || size != 7 {
			t.Fatal(size, err)
		}
		f.commit(store.CommitRequest{Put: []store.Put{
			{Entry: &entity.Entry{ID: "file_b", Kind: entity.KindFile, Name: "b.png", ContentType: "image/png",
				Size: size, Blob: hash}},
			{Entry: &entity.Entry{ID: "file_a", Kind: entity.KindFile, Name: "a.png", ContentType: "image/png",
				Size: size, Blob: hash}},
			{Entry: &entity.Entry{ID: "content_r", Kind: entity.KindReusable, Title: "R"}, Body: []byte("reused")},
			{Entry: &entity.Entry{ID: entity.VariablesID, Kind: entity.KindVariables,
				Variables: map[string]any{"name": "Recto"}}},
		}})
		v := f.head()
		files, err := v.Files(t.Context())
		if err != nil || len(files) != 2 || files[0].ID != "file_a" {
			t.Errorf("files %v, %v", files, err)
		}
		reusables, err := v.ReusableContents(t.Context())
		if err != nil || len(reusables) != 1 {
			t.Fatalf("reusable contents %v, %v", reusables, err)
		}
		if body, err := v.Body(t.Context(), reusables[0]); err != nil || string(body) != "reused" {
			t.Errorf("body %q, %v", body, err)
		}
		if variables, err := v.Variables(t.Context()); err != nil || variables["name"] != "Recto" {
			t.Errorf("variables %v, %v", variables, err)
		}
		opened, size, err := f.s.OpenFile(t.Context(), hash)
		if err != nil || size != 7 {
			t.Fatal(size, err)
		}
		defer opened.Close()
		if _, _, err := f.s.OpenFile(t.Context(), strings.Repeat("0", 64)); !errs.Is(err, errs.NotFound) {
			t.Errorf("a file that is not there: %v", err)
		}
		check(t, v)
	})
}
