package changes_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
)

// TestConflictInParts reads a conflict of a body in parts and settles each of them in another way.
func TestConflictInParts(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		space := s.Space("Guide")
		content := "/v1/spaces/" + space + "/content"
		text := func(first, second, third string) map[string]any {
			return map[string]any{"markdown": "# Page\n\n" + first + "\n\n*  quiet*  line\n\n" + second +
				"\n\nMore quiet.\n\n" + third + "\n"}
		}
		edit := func(at, operation, page string, document map[string]any) []string {
			change := map[string]any{"operation": operation, "title": "Page", "document": document}
			if page != "" {
				change["page"] = page
			}
			var done apptest.Updated
			s.Call(http.MethodPost, at, map[string]any{"changes": []any{change}}, http.StatusOK, &done)
			ids, _ := done.Pages(t)
			return ids
		}
		page := edit(content, "insert_page", "", text("one", "two", "three"))[0]
		var request apptest.Identified
		s.Call(http.MethodPost, "/v1/spaces/"+space+"/change-requests", `{"subject":"Mine"}`, http.StatusCreated,
			&request)
		one := "/v1/spaces/" + space + "/change-requests/" + request.ID
		edit(one+"/content?compat=false", "update_page", page, text("one mine", "two mine", "three mine"))
		edit(content, "update_page", page, text("one main", "two main", "three main"))

		type side struct {
			Markdown string
			Nodes    []struct{ Type string }
		}
		type found struct {
			ID        string
			Subjects  []struct{ ID, Kind, Title string }
			Parts     []struct{ Merged, Base, Main, ChangeRequest, Both *side }
			Revisions struct{ Base, Main, ChangeRequest string }
		}
		var list struct{ Items []found }
		s.Call(http.MethodGet, one+"/conflicts", nil, http.StatusOK, &list)
		if len(list.Items) != 1 || len(list.Items[0].Subjects) != 1 || list.Items[0].Subjects[0].Title != "Page" ||
			list.Items[0].Subjects[0].Kind != "page" || list.Items[0].Parts != nil {
			t.Fatalf("list: %+v", list)
		}
		at := one + "/conflicts/" + list.Items[0].ID
		see := func(when string) {
			t.Helper()
			var full found
			s.Call(http.MethodGet, at, nil, http.StatusOK, &full)
			var shape []string
			for _, part := range full.Parts {
				if part.Merged != nil {
					shape = append(shape, part.Merged.Markdown)
					continue
				}
				shape = append(shape, part.Base.Markdown+part.ChangeRequest.Markdown+part.Main.Markdown)
				if len(part.Both.Nodes) != 2 || len(part.Main.Nodes) != 1 || part.Base.Nodes[0].Type != "paragraph" {
					t.Errorf("%s: blocks %+v", when, part)
				}
			}
			want := "one\n\none mine\n\none main\n\n|*  quiet*  line\n\n|" +
				"two\n\ntwo mine\n\ntwo main\n\n|More quiet.\n\n|" +
				"three\nthree mine\nthree main\n"
			if got := strings.Join(shape, "|"); got != want {
				t.Errorf("%s: parts %q, want %q", when, got, want)
			}
			var read struct{ Pages []struct{ ID string } }
			for _, revision := range []string{full.Revisions.Base, full.Revisions.Main, full.Revisions.ChangeRequest} {
				s.Call(http.MethodGet, "/v1/spaces/"+space+"/revisions/"+revision+"/pages", nil, http.StatusOK, &read)
				if len(read.Pages) != 1 || read.Pages[0].ID != page {
					t.Errorf("%s: pages of %s: %+v", when, revision, read)
				}
			}
		}
		see("before the update")
		s.Call(http.MethodPost, one+"/update", nil, http.StatusOK, nil)
		see("after the update")

		s.Call(http.MethodGet, one+"/conflicts/x", nil, http.StatusNotFound, nil)
		for name, body := range map[string]string{
			"too few parts":     `{"parts":[{"keep":"main"}]}`,
			"parts and a side":  `{"parts":[{"keep":"main"},{"keep":"main"},{"keep":"main"}],"keep":"main"}`,
			"an empty part":     `{"parts":[{},{"keep":"main"},{"keep":"main"}]}`,
			"no text in a part": `{"parts":[{"content":7},{"keep":"main"},{"keep":"main"}]}`,
			"an unknown side":   `{"parts":[{"keep":"ours"},{"keep":"main"},{"keep":"main"}]}`,
		} {
			t.Run(name, func(t *testing.T) { s.Call(http.MethodPost, at, body, http.StatusBadRequest, nil) })
		}
		s.Call(http.MethodPost, at, `{"parts":[{"keep":"both"},{"keep":"main"},{"content":{"object":"document","data":{},`+
			`"nodes":[{"object":"block","type":"heading-2","nodes":[{"object":"text","leaves":[{"object":"leaf","text":`+
			`"New","marks":[]}]}]}]}}]}`, http.StatusOK, nil)
		var read struct{ Markdown string }
		s.Call(http.MethodGet, one+"/content/page/"+page+"?format=markdown", nil, http.StatusOK, &read)
		want := "one mine\n\none main\n\n*  quiet*  line\n\ntwo main\n\nMore quiet.\n\n### New\n"
		if !strings.HasSuffix(read.Markdown, want) {
			t.Errorf("settled to %q, want %q", read.Markdown, want)
		}
	})
}
