package store_test

import (
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/entity"
)

func TestWhoLivesAtAPath(t *testing.T) {
	each(t, func(f *fixture) {
		link := page("link", "")
		link.Type, link.Target = entity.PageLink, &doc.Ref{Kind: "url", URL: "https://example.org"}
		f.commit(store.CommitRequest{Put: put(page("a", ""), page("b", "a"), page("lone", ""), link)})
		moved := f.head()
		f.commit(store.CommitRequest{Put: put(f.edit("b", func(e *entity.Entry) { e.Parent = "" }))})
		for _, test := range []struct {
			view *store.View
			path string
			want string
		}{
			{moved, "a", pageID("a")}, {moved, "a/b", pageID("b")}, {moved, "b", ""}, {moved, "link", ""},
			{moved, "", ""},
			{moved, "a//b", ""}, {moved, "a/b/c", ""}, {moved, strings.Repeat("a/", 300), ""},
			{f.head(), "b", pageID("b")}, {f.head(), "a/b", ""},
		} {
			if got, err := test.view.At(t.Context(), test.path); got != test.want || err != nil {
				t.Errorf("at %.40q: %q, want %q, %v", test.path, got, test.want, err)
			}
		}
		// A redirect that is left below a page is no child.
		for _, test := range []struct {
			view *store.View
			id   string
			want bool
		}{{moved, pageID("a"), true}, {moved, pageID("lone"), false}, {moved, "", true}, {moved, "page_none", false},
			{f.head(), pageID("a"), false}} {
			if got, err := test.view.HasChildren(t.Context(), test.id); got != test.want || err != nil {
				t.Errorf("children of %q: %t, want %t, %v", test.id, got, test.want, err)
			}
		}
	})
}
