package links_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/app/apptest"
)

// linkAnswer is a list of links or backlinks, as far as the tests look at it.
type linkAnswer struct {
	Count int
	Items []struct {
		Status, Written, Reason string
		Page                    *apptest.PageNode
		TargetReference         *struct{ Page *apptest.PageNode }
		LocationReferences      []struct{ Page *apptest.PageNode }
		InternalLocation        *struct{ Type, Anchor, Node string }
	}
	Next  *struct{ Page string }
	Stats struct {
		Total  int
		Broken struct{ Total, ChangeRequest int }
	}
}

// lines writes links as destination, status and reason.
func (l linkAnswer) lines() []string {
	var lines []string
	for _, item := range l.Items {
		lines = append(lines, strings.TrimSpace(item.Written+" "+item.Status+" "+item.Reason))
	}
	return lines
}

// TestComputedPagesHaveLinks holds that the pages of a specification can be linked to, say what they link to and who
// links to them, and that merge rules know; all of it as the specification is now.
func TestComputedPagesHaveLinks(t *testing.T) {
	for _, title := range []string{"  title: Reference\n", ""} {
		apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
			space := s.Space("Guide")
			s.Upload(space, "book.zip", apptest.ComputedBook(t, title, "    models: true\n"))
			s.PutSpec("pets", strings.Replace(apptest.PetsSpec, "All about pets.",
				"'See [more](https://example.com/more) and [home](/pages/HOME).'", 1), http.StatusCreated)
			at := "/v1/spaces/" + space
			var tree struct{ Pages []apptest.PageNode }
			s.Call(http.MethodGet, at+"/content/pages", nil, http.StatusOK, &tree)
			home := tree.Pages[0].ID
			s.PutSpec("pets", strings.Replace(apptest.PetsSpec, "All about pets.",
				"'See [more](https://example.com/more) and [home](/pages/"+home+").'", 1), http.StatusOK)
			group := tree.Pages[1]
			stands := group
			if title != "" {
				stands = group.Pages[0]
			}
			pets := stands.Pages[0]
			read := func(path string) (list linkAnswer) {
				t.Helper()
				s.Call(http.MethodGet, at+path, nil, http.StatusOK, &list)
				return list
			}
			links, backlinks := "/content/page/"+pets.ID+"/links", "/content/page/"+pets.ID+"/backlinks"
			want := []string{"https://example.com/more ok", "/pages/" + home + " ok", "/openapi/pets ok"}
			if diff := cmp.Diff(want, read(links).lines()); diff != "" {
				t.Errorf("the links of %s: %s", pets.Title, diff)
			}
			if got := read(backlinks); got.Count != 0 {
				t.Errorf("backlinks at first: %+v", got)
			}
			if got := read("/content/page/" + home + "/backlinks"); got.Count != 1 || got.Items[0].Page.ID != pets.ID ||
				got.Items[0].InternalLocation.Node == "" {
				t.Errorf("who links to the first page: %+v", got)
			}
			var made struct {
				Changes []struct{ Page struct{ ID string } }
			}
			write := func(to, text string) {
				t.Helper()
				s.Call(http.MethodPost, to+"/content",
					map[string]any{"changes": []any{map[string]any{"operation": "insert_page", "title": "Source",
						"document": map[string]string{"markdown": text}}}}, http.StatusOK, &made)
			}
			write(at, fmt.Sprintf("[by id](/pages/%[1]s) [to an operation](/pages/%[1]s#listpets) [nowhere in "+
				"it](/pages/%[1]s#nowhere) [by path](%[2]s.md) [gone](/pages/page_0) [other](nothing.md)\n", pets.ID,
				pets.Path))
			want = []string{
				"/pages/" + pets.ID + " ok", "/pages/" + pets.ID + "#listpets ok",
				"/pages/" + pets.ID + "#nowhere broken no-anchor", pets.Path + ".md ok",
				"/pages/page_0 broken no-page", "nothing.md broken no-path",
			}
			if len(made.Changes) != 1 {
				t.Fatal("no page was made")
			}
			source := made.Changes[0].Page.ID
			of := read("/content/page/" + source + "/links")
			if diff := cmp.Diff(want, of.lines()); diff != "" {
				t.Error(diff)
			}
			if of.Stats.Total != 6 || of.Stats.Broken.Total != 3 || of.Items[0].TargetReference.Page == nil ||
				of.Items[0].TargetReference.Page.ID != pets.ID {
				t.Errorf("%+v", of)
			}
			if got := read(backlinks); got.Count != 1 || got.Items[0].Page.ID != source {
				t.Errorf("backlinks: %+v", got)
			}
			all, broken, fine := read("/links?limit=1000"), read("/links?status=broken"),
				read("/links?status=ok&limit=1000")
			if broken.Count != 3 || len(broken.Items) != 3 || all.Count != len(all.Items) ||
				all.Stats.Total != all.Count || all.Stats.Broken.Total != 3 || fine.Count != len(fine.Items) ||
				fine.Count != all.Count-3 {
				t.Errorf("of the space: all %d of %d, broken %d, fine %d of %d", len(all.Items), all.Count,
					broken.Count, len(fine.Items), fine.Count)
			}
			var paged []string
			for next := ""; ; {
				part := read("/links?limit=2&page=" + url.QueryEscape(next))
				paged = append(paged, part.lines()...)
				if part.Next == nil {
					break
				}
				next = part.Next.Page
			}
			if diff := cmp.Diff(all.lines(), paged); diff != "" {
				t.Errorf("page by page: %s", diff)
			}

			// A change request that takes the pages away breaks the link, and one that links to them does not.
			s.Call(http.MethodPatch, at,
				`{"mergeRules":{"type":"rules","rules":[{"rule":"custom","expression":"changeRequest.links.broken === 0","message":"Mend the links first."}]}}`, http.StatusOK, nil)
			s.Call(http.MethodPost, at+"/change-requests", `{"subject":"Link"}`, http.StatusCreated, nil)
			linking := at + "/change-requests/1"
			write(linking, "[it](/pages/"+pets.ID+")\n")
			s.Call(http.MethodPost, at+"/change-requests", `{"subject":"Remove"}`, http.StatusCreated, nil)
			removing := at + "/change-requests/2"
			stored := pageOfType(s, at, "computed")
			var deleted struct{ Changes []apptest.ContentChange }
			s.Call(http.MethodPost, removing+"/content?compat=false", `{"changes":[{"operation":"delete_page","page":"`+
				stored+`"}]}`, http.StatusOK, &deleted)
			if uses := deleted.Changes[0].UsedBy; uses == nil || uses.Count != 1 || uses.Items[0] != source {
				t.Errorf("what led to the pages: %+v", uses)
			}
			var added linkAnswer
			s.Call(http.MethodGet, removing+"/links?added=true", nil, http.StatusOK, &added)
			if added.Count != 3 {
				t.Errorf("what deleting the pages breaks: %v", added.lines())
			}
			refused := s.Call(http.MethodPost, removing+"/merge", nil, http.StatusConflict, nil)
			if !strings.Contains(string(refused.Body), "Mend the links first.") {
				t.Errorf("refused with %s", refused.Body)
			}
			s.Call(http.MethodGet, linking+"/content/page/"+pets.ID+"/backlinks", nil, http.StatusOK, &added)
			if added.Count != 2 {
				t.Errorf("backlinks in the change request: %+v", added)
			}
			s.Call(http.MethodPost, linking+"/merge", nil, http.StatusOK, nil)
			s.Call(http.MethodGet, removing+"/links?added=true", nil, http.StatusOK, &added)
			if added.Count != 4 {
				t.Errorf("what deleting the pages breaks on main now: %v", added.lines())
			}

			// Links follow the specification without a revision.
			s.Call(http.MethodDelete, "/v1/orgs/"+s.Organization+"/openapi/pets", nil, http.StatusResetContent, nil)
			if got := read("/content/page/" + source + "/links").lines(); got[0] != "/pages/"+pets.ID+
				" broken no-page" {
				t.Errorf("without the specification: %v", got)
			}
			s.Call(http.MethodGet, at+links, nil, http.StatusNotFound, nil)
		})
	}
}

// pageOfType is the id of the first stored page of a type.
func pageOfType(s *apptest.Server, at, kind string) string {
	s.T.Helper()
	var tree struct{ Pages []apptest.PageNode }
	s.Call(http.MethodGet, at+"/content/pages?computed=false", nil, http.StatusOK, &tree)
	var find func(pages []apptest.PageNode) string
	find = func(pages []apptest.PageNode) string {
		for _, page := range pages {
			if page.Type == kind {
				return page.ID
			}
			if found := find(page.Pages); found != "" {
				return found
			}
		}
		return ""
	}
	return find(tree.Pages)
}
