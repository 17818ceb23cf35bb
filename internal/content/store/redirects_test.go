package store_test

import (
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
)

// change commits one page, changed.
func (f *fixture) change(name string, change func(e *entity.Entry)) {
	f.Helper()
	f.commit(store.CommitRequest{Put: put(f.edit(name, change))})
	check(f.T, f.head())
}

func rename(slug string) func(*entity.Entry) { return func(e *entity.Entry) { e.Slug = slug } }

func moveTo(parent string) func(*entity.Entry) {
	return func(e *entity.Entry) { e.Parent, e.Position = pageID(parent), "" }
}

// redirects counts the redirects of the head.
func (f *fixture) redirects() int {
	f.Helper()
	all, err := f.head().Redirects(f.Context())
	if err != nil {
		f.Fatal(err)
	}
	return len(all)
}

func TestRenamesAndMovesLeaveOneRedirect(t *testing.T) {
	each(t, func(f *fixture) {
		f.commit(store.CommitRequest{Put: put(page("a", ""), page("b", "a"), page("c", "b"), page("d", "c"),
			page("z", ""))})
		f.change("b", rename("bb"))
		f.leads(map[string]string{"a/bb/c/d": "d", "a/b/c/d": ">d", "a/b": ">b", "/a/b/": ">b", "a/b/x": "-",
			"a//b": "-"})
		f.change("b", moveTo("z"))
		f.leads(map[string]string{"z/bb/c": "c", "a/bb/c": ">c", "a/b/c": ">c", "z/b/c": "-"})
		f.change("a", rename("aa"))
		f.leads(map[string]string{"aa": "a", "a/b/c/d": ">d", "aa/bb/c/d": ">d", "aa/b": ">b", "a": ">a"})
		if n := f.redirects(); n != 3 {
			t.Errorf("three moves left %d redirects", n)
		}
		// Coming back takes away what would lead to where it is.
		f.change("b", func(e *entity.Entry) { e.Parent, e.Slug = pageID("a"), "b" })
		f.leads(map[string]string{"aa/b/c": "c", "a/b/c": ">c", "z/bb/c": ">c", "aa/bb/c": ">c"})
		if n := f.redirects(); n != 3 {
			t.Errorf("coming back left %d redirects", n)
		}
	})
}

func TestALivingPageBeatsARedirect(t *testing.T) {
	each(t, func(f *fixture) {
		f.commit(store.CommitRequest{Put: put(page("a", ""), page("c", "a"))})
		f.change("a", rename("b"))
		newcomer := page("n", "")
		newcomer.Slug = "a"
		f.commit(store.CommitRequest{Put: put(newcomer)})
		// What the newcomer does not have is still found below the page that was there before.
		f.leads(map[string]string{"a": "n", "b": "a", "a/c": ">c", "b/c": "c"})
		f.commit(store.CommitRequest{Put: put(func() *entity.Entry { e := page("m", "n"); e.Slug = "c"; return e }())})
		f.leads(map[string]string{"a/c": "m"})
		f.commit(store.CommitRequest{Delete: []string{newcomer.ID}})
		f.leads(map[string]string{"a": ">a", "a/c": ">c"})
		check(t, f.head())
	})
}

func TestWhatMovedOutOfADeletedPageIsFound(t *testing.T) {
	each(t, func(f *fixture) {
		f.commit(store.CommitRequest{Put: put(page("a", ""), page("b", "a"), page("c", "b"), page("x", ""),
			page("y", "x"))})
		f.change("c", moveTo(""))
		f.commit(store.CommitRequest{Delete: []string{pageID("a")}})
		f.leads(map[string]string{"a/b/c": ">c", "a/b": "-", "a": "-"})
		// A deleted page that nothing alive was below leaves nothing.
		before := f.redirects()
		f.commit(store.CommitRequest{Delete: []string{pageID("x")}})
		if n := f.redirects(); n != before {
			t.Errorf("deleting left %d redirects, before there were %d", n, before)
		}
		check(t, f.head())
		// And when the last thing alive goes, the trail leads nowhere.
		f.commit(store.CommitRequest{Delete: []string{pageID("c")}})
		f.leads(map[string]string{"a/b/c": "-"})
		check(t, f.head())
	})
}

func TestExplicitRedirects(t *testing.T) {
	each(t, func(f *fixture) {
		to := func(path string, target doc.Ref) *entity.Entry {
			return &entity.Entry{Kind: entity.KindRedirect, Path: path, Target: &target}
		}
		link := page("link", "")
		link.Type, link.Target = entity.PageLink, &doc.Ref{Kind: "url", URL: "https://example.org/link"}
		f.commit(store.CommitRequest{Put: put(page("a", ""), page("b", "a"), link,
			to("old/place", doc.Ref{Kind: "page", Page: pageID("b")}),
			to("out", doc.Ref{Kind: "url", URL: "https://example.org/"}),
			to("anchored", doc.Ref{Kind: "anchor", Page: pageID("b"), Anchor: "part"}),
			to("dangling", doc.Ref{Kind: "page", Page: "page_gone"}),
			to("a/b", doc.Ref{Kind: "url", URL: "https://example.org/hidden"}),
			to("link", doc.Ref{Kind: "page", Page: pageID("a")}),
		)})
		f.leads(map[string]string{
			"old/place": ">b", "out": ">https://example.org/", "anchored": ">b", "dangling": "-", "a/b": "b",
			"old": "-", "out/more": "-", "link": ">a", "link/x": "-",
		})
		resolved, err := f.head().ByPath(t.Context(), "anchored")
		if err != nil || resolved.Target.Anchor != "part" {
			t.Errorf("target %+v, %v", resolved.Target, err)
		}
		check(t, f.head())
		// A redirect to where the page lives is none.
		before := f.headID()
		f.commit(store.CommitRequest{Put: put(to("a", doc.Ref{Kind: "page", Page: pageID("a")}))})
		if f.headID() != before {
			t.Error("a redirect from a page's path to itself was kept")
		}
	})
}

func TestLandingPage(t *testing.T) {
	each(t, func(f *fixture) {
		if _, err := f.head().ByPath(t.Context(), ""); !errs.Is(err, errs.NotFound) {
			t.Errorf("an empty space has a landing page: %v", err)
		}
		group, link := page("group", ""), page("link", "")
		group.Type = entity.PageGroup
		link.Type, link.Target = entity.PageLink, &doc.Ref{Kind: "url", URL: "https://example.org"}
		hidden := page("first", "group")
		hidden.Hidden = true
		f.commit(store.CommitRequest{Put: put(link, group, page("last", ""), hidden)})
		f.leads(map[string]string{"": "first", "/": "first", "group/first": "first", "group": "group"})
		tree, err := f.head().Pages(t.Context())
		if err != nil || tree.Landing == nil || tree.Landing.Path != "group/first" {
			t.Errorf("landing page of the tree: %v", err)
		}
		f.change("last", func(e *entity.Entry) { e.Position = entity.Between("", f.entry("link").Position) })
		f.leads(map[string]string{"": "last"})
	})
}

func TestHostilePaths(t *testing.T) {
	each(t, func(f *fixture) {
		var puts []store.Put
		// Two pages trade names again and again, so that every segment can mean two things.
		puts = append(puts, put(page("a", ""), page("b", ""))...)
		f.commit(store.CommitRequest{Put: puts})
		f.commit(store.CommitRequest{Put: put(f.edit("a", rename("x")), f.edit("b", func(e *entity.Entry) {
			e.Slug, e.Parent = "a", pageID("a")
		}))})
		f.commit(store.CommitRequest{Put: put(f.edit("b", func(e *entity.Entry) { e.Slug, e.Parent = "y", "" }),
			f.edit("a", func(e *entity.Entry) {
				e.Slug, e.Parent = "a", pageID("b")
			}))})
		for _, path := range []string{
			strings.Repeat("a/", 200) + "z", strings.Repeat("x/a/", 60) + "q", strings.Repeat("a/", 1000),
			strings.Repeat("a", 100_000),
			"a\x00b", "\x00", "a/\x00", "y/a\x00", "..", "../a", "a/../a", "\xff", "%2F", "y/\u202e",
		} {
			if _, err := f.head().ByPath(t.Context(), path); !errs.Is(err, errs.NotFound) {
				t.Errorf("path %.40q: %v", path, err)
			}
		}
	})
}
