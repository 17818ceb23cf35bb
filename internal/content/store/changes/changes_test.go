package changes_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/content/store/changes"
	"github.com/rectodocs/recto/internal/content/store/storetest"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/db/dbtest"
)

const (
	space = "space_test"
)

func page(name, parent string) *entity.Entry {
	e := &entity.Entry{ID: "page_" + name, Kind: entity.KindPage, Type: entity.PageDocument,
		Title: strings.ToUpper(name), Slug: name}
	if parent != "" {
		e.Parent = "page_" + parent
	}
	return e
}

// write lists changes, a line for each.
func write(list changes.List) []string {
	var lines []string
	for _, c := range list.Changes {
		var line strings.Builder
		line.WriteString(string(c.Kind) + " " + c.Entry.ID)
		if c.Path != "" {
			line.WriteString(" " + c.Path)
		}
		if c.Kind == changes.PageMoved {
			for _, parent := range []*changes.Parent{c.Before, c.After} {
				if parent == nil {
					line.WriteString(" root")
				} else {
					line.WriteString(" " + parent.Path)
				}
			}
		}
		for _, a := range c.Attributes {
			line.WriteString(fmt.Sprintf(" %s:%v>%v", a.Name, short(a.Before), short(a.After)))
		}
		lines = append(lines, line.String())
	}
	return lines
}

// short writes a value; hashes and structures are only said to be there.
func short(value any) any {
	switch v := value.(type) {
	case string:
		if len(v) == 64 {
			return "#"
		}
		return v
	case nil:
		return "-"
	case bool, float64, int64, changes.Dimensions:
		return v
	}
	return "…"
}

// TestBetween changes a space in one way at a time.
func TestBetween(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		s := storetest.NewService(t, d, store.Deps{})
		storetest.NewSpace(t.Context(), t, s, d, space)
		blob, _, err := s.PutFile(t.Context(), strings.NewReader("bytes"))
		if err != nil {
			t.Fatal(err)
		}
		other, _, err := s.PutFile(t.Context(), strings.NewReader("other bytes"))
		if err != nil {
			t.Fatal(err)
		}
		file := &entity.Entry{ID: "file_a", Kind: entity.KindFile, Name: "a.png", ContentType: "image/png", Size: 5,
			Width: 2, Height: 1, Blob: blob}
		reusable := &entity.Entry{ID: "content_r", Kind: entity.KindReusable, Title: "Reused"}
		vars := &entity.Entry{ID: entity.VariablesID, Kind: entity.KindVariables, Variables: map[string]any{"a": "1",
			"gone": true}}
		link := page("link", "")
		link.Type, link.Target = entity.PageLink, &doc.Ref{Kind: "url", URL: "https://a.example"}
		commit := func(request store.CommitRequest) *store.View {
			t.Helper()
			request.Space, request.Author = space, "user_test"
			r, err := s.Commit(t.Context(), request)
			if err != nil {
				t.Fatal(err)
			}
			v, err := s.View(t.Context(), r.ID)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		put := func(entries ...*entity.Entry) store.CommitRequest {
			var request store.CommitRequest
			for _, e := range entries {
				p := store.Put{Entry: e}
				if e.Kind == entity.KindReusable || e.Type == entity.PageDocument {
					p.Body = []byte("Body of " + e.Title + ".\n")
				}
				request.Put = append(request.Put, p)
			}
			return request
		}
		start := commit(put(page("a", ""), page("b", "a"), page("c", "b"), page("d", "c"), page("z", ""), link, file,
			reusable, vars))
		edited := func(id string, change func(e *entity.Entry)) store.Put {
			t.Helper()
			e, err := start.Entry(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			e = e.Clone()
			change(e)
			return store.Put{Entry: e}
		}
		one := func(p ...store.Put) store.CommitRequest { return store.CommitRequest{Put: p} }

		first := changesOf(t, start.Empty(), start, -1)
		want := []string{
			"page_created page_a a", "page_created page_b a/b", "page_created page_c a/b/c",
			"page_created page_d a/b/c/d", "page_created page_link link",
			"page_created page_z z", "file_created file_a", "reusable_content_created content_r",
			"variables_edited variables a:->1 gone:->true",
		}
		if diff := cmp.Diff(want, write(first)); diff != "" {
			t.Errorf("everything at once (-want +got):\n%s", diff)
		}
		for _, test := range []struct {
			name    string
			request store.CommitRequest
			want    []string
		}{
			{"nothing", store.CommitRequest{}, nil},
			{"a subtree moves", one(edited("page_b", func(e *entity.Entry) { e.Parent, e.Position = "page_z", "" })),
				[]string{"page_moved page_b z/b a z"}},
			{"a page moves to the root and is renamed", one(edited("page_c", func(e *entity.Entry) {
				e.Parent, e.Position, e.Slug, e.Title = "", "", "see", "See"
			})),
				[]string{"page_moved page_c see a/b root", "page_edited page_c see slug:c>see title:C>See"}},
			{"a page moves among its siblings", one(edited("page_z", func(e *entity.Entry) {
				e.Position = entity.Between("", "a0")
			})), []string{"page_moved page_z z root root"}},
			{"a subtree is deleted", store.CommitRequest{Delete: []string{"page_b"}},
				[]string{"page_deleted page_b a/b", "page_deleted page_c a/b/c", "page_deleted page_d a/b/c/d"}},
			{"a subtree is deleted but for a page", store.CommitRequest{Delete: []string{"page_b"},
				Put: []store.Put{edited("page_d", func(e *entity.Entry) { e.Parent, e.Position = "page_a", "" })}},
				[]string{"page_deleted page_b a/b", "page_deleted page_c a/b/c", "page_moved page_d a/d a/b/c a"}},
			{"a body", one(store.Put{Entry: mustEntry(t, start, "page_a"), Body: []byte("New.\n")}),
				[]string{"page_edited page_a a document:#>#"}},
			{"every field of a page", one(edited("page_a", func(e *entity.Entry) {
				e.LinkTitle, e.Emoji, e.Icon, e.Description, e.Condition = "L", "1f600", "i", "d", "c"
				e.Hidden, e.NoIndex, e.NoRobotsIndex = true, true, true
				e.Layout, e.Cover, e.Tags = &entity.Layout{Width: "wide"},
					&entity.Cover{Ref: &doc.Ref{Kind: "url", URL: "https://e.com/a"}}, []entity.Tag{{Tag: "t"}}
				e.Variables, e.Extra = map[string]any{"v": 1.0}, map[string]any{"x": 1.0}
			})), []string{"page_edited page_a a linkTitle:->L emoji:->1f600 icon:->i description:->d layout:->… " +
				"cover:->… tags:->… condition:->c hidden:->true noIndex:->true noRobotsIndex:->true extra:->… " +
				"variables:->…"}},
			{"the target of a link", one(edited("page_link", func(e *entity.Entry) {
				e.Target = &doc.Ref{Kind: "page", Page: "page_a"}
			})), []string{"page_edited page_link link target:…>…"}},
			{"the type of a page", one(edited("page_z", func(e *entity.Entry) {
				e.Type, e.Body = entity.PageGroup, ""
			})), []string{"page_edited page_z z type:document>group document:#>-"}},
			{"a file", one(edited("file_a", func(e *entity.Entry) {
				e.Name, e.Blob, e.Size, e.Width, e.Height = "b.png", other, 11, 0, 0
			})),
				[]string{"file_edited file_a name:a.png>b.png size:5>11 blob:#># dimensions:{2 1}>-"}},
			{"a file goes", store.CommitRequest{Delete: []string{"file_a"}}, []string{"file_deleted file_a"}},
			{"a reusable content", one(edited("content_r", func(e *entity.Entry) { e.Title = "Again" })),
				[]string{"reusable_content_edited content_r title:Reused>Again"}},
			{"a reusable content goes", store.CommitRequest{Delete: []string{"content_r"}},
				[]string{"reusable_content_deleted content_r"}},
			{"variables", one(edited(entity.VariablesID, func(e *entity.Entry) {
				e.Variables = map[string]any{"a": 2.0, "new": "x"}
			})), []string{"variables_edited variables a:1>2 gone:true>- new:->x"}},
			{"all variables go", store.CommitRequest{Delete: []string{entity.VariablesID}},
				[]string{"variables_edited variables a:1>- gone:true>-"}},
		} {
			t.Run(test.name, func(t *testing.T) {
				after := start
				if len(test.request.Put)+len(test.request.Delete) > 0 {
					after = commit(test.request)
				}
				if diff := cmp.Diff(test.want, write(changesOf(t, start, after, -1))); diff != "" {
					t.Errorf("changes (-want +got):\n%s", diff)
				}
				if got := changesOf(t, start, after, 1); len(got.Changes) != min(1, len(test.want)) ||
					got.Total != len(test.want) {
					t.Errorf("with a limit of 1: %d of %d", len(got.Changes), got.Total)
				}
				if _, err := s.Rollback(t.Context(), store.RollbackRequest{Space: space, To: start.Revision().ID,
					Author: "user_test"}); err != nil {
					t.Fatal(err)
				}
			})
		}
	})
}

func mustEntry(t *testing.T, v *store.View, id string) *entity.Entry {
	t.Helper()
	e, err := v.Entry(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func changesOf(t *testing.T, from, to *store.View, limit int) changes.List {
	t.Helper()
	list, err := changes.Between(t.Context(), from, to, limit)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestCost holds that comparing two revisions reads what differs, whatever the size of the space.
func TestCost(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		reads := func(n int) int64 {
			t.Helper()
			name := fmt.Sprintf("space_%d", n)
			s := storetest.NewService(t, d, store.Deps{})
			storetest.NewSpace(t.Context(), t, s, d, id.Space(name))
			commit := func(puts ...store.Put) store.Revision {
				t.Helper()
				r,
					err := s.Commit(t.Context(),
					store.CommitRequest{Space: id.Space(name), Author: "user_test", Put: puts})
				if err != nil {
					t.Fatal(err)
				}
				return r
			}
			before := commit(storetest.Pages(n)...)
			e := storetest.Pages(n)[n/2].Entry.Clone()
			e.Title = "Another title"
			after := commit(store.Put{Entry: e, Body: []byte("New.\n")})
			fresh := storetest.NewService(t, d, store.Deps{}) // nothing of it is in a cache
			older, err := fresh.View(t.Context(), before.ID)
			if err != nil {
				t.Fatal(err)
			}
			newer, err := fresh.View(t.Context(), after.ID)
			if err != nil {
				t.Fatal(err)
			}
			if got := changesOf(t, older, newer, 10); got.Total != 1 {
				t.Fatalf("%d changes", got.Total)
			}
			return fresh.Reads().Nodes
		}
		small, large := reads(200), reads(5000)
		if large > small+12 || large > 40 {
			t.Errorf("comparing 200 pages reads %d nodes, comparing 5,000 pages %d", small, large)
		}
	})
}
