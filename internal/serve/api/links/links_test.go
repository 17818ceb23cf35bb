package links_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/people/org"
)

// location is a place of content as the API answers it.
type location struct {
	Kind, URL       string
	Organization    *apptest.Identified
	Space           *apptest.Identified
	Page            *apptest.Page
	File            *struct{ ID, Name string }
	ReusableContent *apptest.Identified
	VersionContext  *struct {
		Type          string
		ChangeRequest apptest.Identified
	}
	InternalLocation *struct{ Type, Anchor, Node string }
}

type linkUsage struct {
	Status, Relation, Reason, Written string
	TargetReference                   *location
	LocationReferences                []location
}

type linkList struct {
	Items []linkUsage
	Count int
	Next  *struct{ Page string }
	Stats struct {
		Total  int
		Broken struct {
			Total         int
			ChangeRequest *int
		}
	}
}

// linked is a small tree whose links lead everywhere.
var linked = map[string]string{
	"SUMMARY.md": "# Table of contents\n\n* [Start](README.md)\n* [Install](install.md)\n* " +
		"[Elsewhere](https://go.dev/doc)\n",
	"README.md": "# Start\n\n## First\n\n[ok](install.md#windows) [again](install.md#windows) " +
		"[web](https://example.org/x) [gone](gone.md) [no anchor](install.md#mac)\n\n" +
		"[own](#first) [not own](#third) ![p](.gitbook/assets/pixel.png) [file](.gitbook/assets/none.png)\n",
	"install.md":                "# Install\n\n## Windows\n\n[home](README.md) ![p](.gitbook/assets/pixel.png)\n",
	".gitbook/assets/pixel.png": apptest.Pixel,
}

func TestLinks(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		space := s.Space("Guide")
		s.Upload(space, "guide.zip", apptest.Zipped(t, linked))
		base := "/v1/spaces/" + space
		var tree struct{ Pages []apptest.Page }
		s.Call(http.MethodGet, base+"/content/pages", nil, 200, &tree)
		ids := map[string]string{}
		for _, p := range tree.Pages {
			ids[p.Title] = p.ID
		}
		var files struct {
			Items []struct{ ID string }
		}
		s.Call(http.MethodGet, base+"/content/files", nil, 200, &files)

		var all linkList
		s.Call(http.MethodGet, base+"/links", nil, 200, &all)
		statuses := func(list linkList) []string {
			var lines []string
			for _, item := range list.Items {
				target := "-"
				if at := item.TargetReference; at != nil {
					switch target = at.Kind; {
					case at.Page != nil:
						target = at.Page.Title
						if at.InternalLocation != nil {
							target += "#" + at.InternalLocation.Anchor
						}
					case at.File != nil:
						target = at.File.Name
					}
				}
				lines = append(lines, item.LocationReferences[0].Page.Title+": "+item.Status+" "+target+" "+item.Reason)
			}
			slices.Sort(lines)
			return lines
		}
		want := []string{
			"Elsewhere: ok url ", "Install: ok Start ", "Install: ok pixel.png ",
			"Start: broken Install#mac no-anchor", "Start: broken Start#third no-anchor", "Start: broken url no-path",
			"Start: broken url no-path",
			"Start: ok Install#windows ", "Start: ok Start#first ", "Start: ok pixel.png ", "Start: ok url ",
		}
		if diff := cmp.Diff(want, statuses(all)); diff != "" {
			t.Errorf("links (-want +got):\n%s", diff)
		}
		if all.Count != len(want) || all.Stats.Total != len(want) || all.Stats.Broken.Total != 4 ||
			all.Stats.Broken.ChangeRequest != nil {
			t.Errorf("count %d, stats %+v", all.Count, all.Stats)
		}
		for _, item := range all.Items {
			for _, at := range item.LocationReferences {
				if at.Kind != "page" || at.Space.ID != space || at.Organization.ID != s.Organization {
					t.Errorf("location = %+v", at)
				}
			}
			if strings.HasSuffix(item.Written, "#windows") && len(item.LocationReferences) != 2 {
				t.Errorf("a destination that stands twice has %d places", len(item.LocationReferences))
			}
		}

		t.Run("pages of the list", func(t *testing.T) {
			var together linkList
			address := base + "/links?limit=3"
			for pages := 0; ; pages++ {
				var one linkList
				s.Call(http.MethodGet, address, nil, 200, &one)
				together.Items = append(together.Items, one.Items...)
				if one.Count != all.Count || len(one.Items) > 3 || pages > 10 {
					t.Fatalf("page of %d items, count %d", len(one.Items), one.Count)
				}
				if one.Next == nil {
					break
				}
				address = base + "/links?limit=3&page=" + one.Next.Page
			}
			if diff := cmp.Diff(all.Items, together.Items); diff != "" {
				t.Errorf("the pages together differ from the list:\n%s", diff)
			}
		})
		t.Run("status", func(t *testing.T) {
			for status, count := range map[string]int{"broken": 4, "ok": 7, "in-app": 0} {
				var some linkList
				s.Call(http.MethodGet, base+"/links?status="+status, nil, 200, &some)
				if some.Count != count || len(some.Items) != count || some.Stats.Total != all.Stats.Total {
					t.Errorf("%s: count %d, %d items, stats %+v", status, some.Count, len(some.Items), some.Stats)
				}
				var ofPage linkList
				s.Call(http.MethodGet, base+"/content/page/"+ids["Start"]+"/links?status="+status, nil, 200, &ofPage)
				if want := map[string]int{"broken": 4, "ok": 4, "in-app": 0}[status]; ofPage.Count != want ||
					ofPage.Stats.Total != 8 {
					t.Errorf("%s on the page: count %d, stats %+v", status, ofPage.Count, ofPage.Stats)
				}
			}
		})
		t.Run("page", func(t *testing.T) {
			var first, rest linkList
			links := base + "/content/page/" + ids["Start"] + "/links"
			s.Call(http.MethodGet, links+"?limit=5", nil, 200, &first)
			s.Call(http.MethodGet, links+"?limit=5&page="+first.Next.Page, nil, 200, &rest)
			got := make([]string, 0, 8)
			for _, item := range slices.Concat(first.Items, rest.Items) {
				got = append(got, item.Status)
			}
			want := []string{"ok", "ok", "broken", "broken", "ok", "broken", "ok", "broken"}
			if diff := cmp.Diff(want, got); diff != "" || rest.Next != nil {
				t.Errorf("in the order of the page (-want +got):\n%s", diff)
			}
		})
		t.Run("backlinks", func(t *testing.T) {
			var ofPage, ofFile, one struct {
				Items []location
				Count int
				Next  *struct{ Page string }
			}
			s.Call(http.MethodGet, base+"/content/page/"+ids["Install"]+"/backlinks", nil, 200, &ofPage)
			if ofPage.Count != 1 || ofPage.Items[0].Page.Title != "Start" ||
				ofPage.Items[0].InternalLocation.Type != "node" {
				t.Errorf("backlinks of the page = %+v", ofPage)
			}
			backlinks := base + "/content/files/" + files.Items[0].ID + "/backlinks"
			s.Call(http.MethodGet, backlinks, nil, 200, &ofFile)
			if ofFile.Count != 2 || len(ofFile.Items) != 2 {
				t.Errorf("backlinks of the file = %+v", ofFile)
			}
			s.Call(http.MethodGet, backlinks+"?limit=1", nil, 200, &one)
			if one.Count != 2 || len(one.Items) != 1 || one.Next == nil {
				t.Fatalf("one backlink = %+v", one)
			}
			s.Call(http.MethodGet, backlinks+"?limit=1&page="+one.Next.Page, nil, 200, &one)
			if one.Items[0].Page.ID != ofFile.Items[1].Page.ID {
				t.Errorf("second page = %+v", one)
			}
		})
		t.Run("change request", func(t *testing.T) {
			var request struct {
				ID     string
				Number int
			}
			s.Call(http.MethodPost, base+"/change-requests", nil, http.StatusCreated, &request)
			prefix := base + "/change-requests/1"
			var ofPage, ofAll linkList
			s.Call(http.MethodGet, prefix+"/content/page/"+ids["Start"]+"/links", nil, 200, &ofPage)
			if ofPage.Count != 8 || ofPage.Stats.Broken.ChangeRequest == nil ||
				*ofPage.Stats.Broken.ChangeRequest != 0 {
				t.Errorf("links in the change request: %d, %+v", ofPage.Count, ofPage.Stats)
			}
			if at := ofPage.Items[0].LocationReferences[0].VersionContext; at == nil || at.Type != "changeRequest" ||
				at.ChangeRequest.ID != request.ID {
				t.Errorf("version = %+v", at)
			}
			s.Call(http.MethodGet, prefix+"/links", nil, 200, &ofAll)
			if ofAll.Count != all.Count {
				t.Errorf("all links in the change request: %d", ofAll.Count)
			}
			s.Call(http.MethodGet, prefix+"/links?added=true", nil, 200, &ofAll)
			if ofAll.Count != 0 || len(ofAll.Items) != 0 || ofAll.Stats.Total != all.Stats.Total {
				t.Errorf("added by a change request without changes: %+v", ofAll)
			}
			s.Call(http.MethodGet, prefix+"/links?added=true&status=ok", nil, http.StatusBadRequest, nil)
			s.Call(http.MethodGet, prefix+"/links?added=perhaps", nil, http.StatusBadRequest, nil)
			var list struct{ Count int }
			s.Call(http.MethodGet, prefix+"/content/files/"+files.Items[0].ID+"/backlinks", nil, 200, &list)
			if list.Count != 2 {
				t.Errorf("backlinks of the file in the change request: %d", list.Count)
			}
			s.Call(http.MethodGet, prefix+"/content/page/"+ids["Install"]+"/backlinks", nil, 200, &list)
			if list.Count != 1 {
				t.Errorf("backlinks of the page in the change request: %d", list.Count)
			}
		})
	})
}

// TestLinksAreGuarded holds who gets which answer from the operations on links, and what they refuse.
func TestLinksAreGuarded(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		space := s.Space("Guide")
		s.Upload(space, "guide.zip", apptest.Zipped(t, linked))
		other := s.Space("Other")
		s.Upload(other, "guide.zip", apptest.Zipped(t, linked))
		s.Call(http.MethodPost, "/v1/spaces/"+space+"/change-requests", nil, http.StatusCreated, nil)
		var tree struct{ Pages []apptest.Page }
		s.Call(http.MethodGet, "/v1/spaces/"+space+"/content/pages", nil, 200, &tree)
		pageID := tree.Pages[0].ID
		var files struct {
			Items []struct{ ID string }
		}
		s.Call(http.MethodGet, "/v1/spaces/"+space+"/content/files", nil, 200, &files)
		fileID := files.Items[0].ID

		reader := s.Member(org.RoleRead, "reader@example.org")
		guest := s.Member(org.RoleGuest, "guest@example.org")
		var elsewhere struct{ ID string }
		s.Call(http.MethodPost, "/v1/orgs", map[string]any{"title": "Elsewhere"}, http.StatusCreated, &elsewhere)
		var foreign apptest.Identified
		s.Call(http.MethodPost, "/v1/orgs/"+elsewhere.ID+"/spaces", map[string]any{"title": "Foreign"},
			http.StatusCreated, &foreign)

		base := "/v1/spaces/{space}"
		var cursor linkList
		s.Call(http.MethodGet, "/v1/spaces/"+other+"/links?limit=1", nil, 200, &cursor)
		for _, operation := range []string{
			"/links", "/content/page/{page}/links", "/content/page/{page}/backlinks", "/content/files/{file}/backlinks",
			"/change-requests/1/links", "/change-requests/1/content/page/{page}/links",
			"/change-requests/1/content/page/{page}/backlinks",
			"/change-requests/1/content/files/{file}/backlinks",
		} {
			address := func(space, page, file string) string {
				return strings.NewReplacer("{space}", space, "{page}", page, "{file}", file).Replace(base + operation)
			}
			good := address(space, pageID, fileID)
			s.CallAs(reader, http.MethodGet, good, nil, http.StatusOK, nil)
			for name, test := range map[string]struct {
				token, address string
				want           int
			}{
				"no token":               {"", good, http.StatusUnauthorized},
				"guest":                  {guest, good, http.StatusNotFound},
				"another organization":   {reader, address(foreign.ID, pageID, fileID), http.StatusNotFound},
				"unknown space":          {s.Token, address("space_x", pageID, fileID), http.StatusNotFound},
				"limit too high":         {s.Token, good + "?limit=1001", http.StatusBadRequest},
				"limit negative":         {s.Token, good + "?limit=-1", http.StatusBadRequest},
				"limit no number":        {s.Token, good + "?limit=many", http.StatusBadRequest},
				"forged cursor":          {s.Token, good + "?page=abc", http.StatusBadRequest},
				"cursor too long":        {s.Token, good + "?page=" + strings.Repeat("a", 3000), http.StatusBadRequest},
				"cursor of another list": {s.Token, good + "?page=" + cursor.Next.Page, http.StatusBadRequest},
			} {
				got := s.Raw(http.MethodGet, test.address, test.token, nil)
				if got.Status != test.want {
					t.Errorf("%s, %s: %d, want %d: %s", operation, name, got.Status, test.want, got.Body)
					continue
				}
				s.Check(http.MethodGet, test.address, got)
			}
			if strings.Contains(operation, "{page}") || strings.Contains(operation, "{file}") {
				// Unknown ids, ids of another kind, ids of another space.
				for _, id := range []string{"page_x", "variables", strings.Repeat("x", 5000)} {
					s.Call(http.MethodGet, address(space, id, id), nil, http.StatusNotFound, nil)
				}
				s.Call(http.MethodGet, address(space, fileID, pageID), nil, http.StatusNotFound, nil)
				if !strings.Contains(operation, "change-requests") {
					s.Call(http.MethodGet, address(other, pageID, fileID), nil, http.StatusNotFound, nil)
				}
			}
			if strings.HasSuffix(operation, "/links") {
				s.Call(http.MethodGet, good+"?status=fine", nil, http.StatusBadRequest, nil)
			}
			if strings.Contains(operation, "change-requests") {
				s.Call(http.MethodGet, strings.Replace(good, "/change-requests/1", "/change-requests/99", 1), nil,
					http.StatusNotFound, nil)
				s.Call(http.MethodGet, address(other, pageID, fileID), nil, http.StatusNotFound, nil)
			}
		}
	})
}

// TestLinksToOtherSpaces holds what links between spaces say, and to whom.
func TestLinksToOtherSpaces(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		secret, docs := s.Space("Secret"), s.Space("Guide")
		s.Upload(secret, "guide.zip", apptest.Zipped(t, linked))
		var tree struct{ Pages []apptest.Page }
		s.Call(http.MethodGet, "/v1/spaces/"+secret+"/content/pages", nil, 200, &tree)
		target := "/spaces/" + secret + "/pages/" + tree.Pages[0].ID
		s.Upload(docs, "page.md", []byte("# Page\n\n[page]("+target+") [space](/spaces/"+secret+") [none]("+target+
			"x)\n\n[app]("+s.Base+"/app/spaces/"+docs+")\n"))
		s.Call(http.MethodPatch, "/v1/spaces/"+secret, `{"defaultLevel":null}`, 200, nil)
		reader := s.Member(org.RoleRead, "reader@example.org")
		s.CallAs(reader, http.MethodGet, "/v1/spaces/"+secret, nil, http.StatusNotFound, nil)

		expect := func(step, token string, want map[string]string) {
			t.Helper()
			var list linkList
			s.CallAs(token, http.MethodGet, "/v1/spaces/"+docs+"/links", nil, 200, &list)
			got := map[string]string{}
			for _, item := range list.Items {
				text := item.Status + " " + item.Reason
				if at := item.TargetReference; at != nil && at.Kind != "url" {
					text += at.Kind + " of " + at.Space.ID
				}
				got[item.Written] = text
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", step, diff)
			}
		}
		app := s.Base + "/app/spaces/" + docs
		expect("admin", s.Token, map[string]string{target: "ok page of " + secret, "/spaces/" + secret: "ok space of " +
			secret, target + "x": "broken no-page", app: "in-app "})
		expect("reader", reader, map[string]string{target: "ok ", "/spaces/" + secret: "ok ",
			target + "x": "broken no-page", app: "in-app "})
		s.Call(http.MethodDelete, "/v1/spaces/"+secret, nil, http.StatusNoContent, nil)
		gone := map[string]string{target: "broken no-space", "/spaces/" + secret: "broken no-space",
			target + "x": "broken no-space", app: "in-app "}
		expect("reader, in the trash", reader, gone)
		s.Call(http.MethodPost, "/v1/spaces/"+secret+"/restore", nil, 200, nil)
		expect("restored", s.Token, map[string]string{target: "ok page of " + secret,
			"/spaces/" + secret: "ok space of " + secret, target + "x": "broken no-page", app: "in-app "})
	})
}
