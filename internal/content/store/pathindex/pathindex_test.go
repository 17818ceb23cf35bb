package pathindex_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/content/store/pathindex"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
)

// TestWhatIsWrittenIsRead holds that keys and values say again what the entry has said.
func TestWhatIsWrittenIsRead(t *testing.T) {
	page := &entity.Entry{ID: "page_1", Kind: entity.KindPage, Parent: "page_0", Slug: "install",
		Type: entity.PageDocument, Position: "a0"}
	key, value, ok := pathindex.Of(page)
	slug, redirect, mine := pathindex.Cut(key, "page_0")
	if !ok || !mine || redirect || slug != "install" || key != pathindex.PageKey("page_0", "install") {
		t.Fatalf("the key %q is of %q, a redirect: %t, below its parent: %t", key, slug, redirect, mine)
	}
	want := pathindex.Page{ID: "page_1", Slug: "install", Type: entity.PageDocument, Position: "a0"}
	if read, err := pathindex.ParsePage(slug, value); err != nil || read != want {
		t.Errorf("read %+v, %v", read, err)
	}

	left := &entity.Entry{ID: "redirect_1", Kind: entity.KindRedirect, Parent: "page_0", Path: "setup", CreatedAt: 7,
		Target: &doc.Ref{Kind: doc.RefPage, Page: "page_1"}}
	key, value, ok = pathindex.Of(left)
	slug, redirect, mine = pathindex.Cut(key, "page_0")
	if !ok || !mine || !redirect || slug != "setup" || key != pathindex.RedirectKey("page_0", "setup") {
		t.Fatalf("the key %q is of %q, a redirect: %t, below its parent: %t", key, slug, redirect, mine)
	}
	read, err := pathindex.ParseRedirect(slug, value)
	if err != nil || read != (pathindex.Redirect{Slug: "setup", Target: "page_1", Since: 7}) {
		t.Errorf("read %+v, %v", read, err)
	}
}

// TestWhatHasNoPlaceInTheIndex holds what entries derive nothing, and that damaged values are told.
func TestWhatHasNoPlaceInTheIndex(t *testing.T) {
	for _, e := range []*entity.Entry{nil, {ID: "file_1", Kind: entity.KindFile},
		{ID: "redirect_1", Kind: entity.KindRedirect, Path: "old/setup"}} {
		if key, _, ok := pathindex.Of(e); ok {
			t.Errorf("%+v derives %q", e, key)
		}
	}
	if _, _, ok := pathindex.Cut(pathindex.PageKey("page_0", "install"), "page_1"); ok {
		t.Error("the key of another parent was taken")
	}
	for _, slug := range []string{"", "a\x00b", strings.Repeat("a", 1025)} {
		if pathindex.IsSegment(slug) {
			t.Errorf("%.10q was taken for a segment", slug)
		}
	}
	if page, err := pathindex.ParsePage("install", []byte("page_1\x00document")); err == nil {
		t.Errorf("read %+v", page)
	}
	if left, err := pathindex.ParseRedirect("setup", []byte("page_1\x00soon")); err == nil {
		t.Errorf("read %+v", left)
	}
	elsewhere := &doc.Ref{Kind: doc.RefPage, Page: "page_1", Space: "space_1"}
	if page := pathindex.TargetPage(elsewhere); page != "" {
		t.Errorf("another space's page %s was taken", page)
	}
}

// TestSiblingsHaveOneOrder holds that positions decide, and the id where two are the same.
func TestSiblingsHaveOneOrder(t *testing.T) {
	pages := []pathindex.Page{{ID: "c", Position: "a1"}, {ID: "b", Position: "a1"}, {ID: "d", Position: "a0"}}
	slices.SortFunc(pages, pathindex.Page.Compare)
	if pages[0].ID != "d" || pages[1].ID != "b" || pages[2].ID != "c" {
		t.Errorf("the order is %v", pages)
	}
}
