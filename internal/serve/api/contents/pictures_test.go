package contents_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/people/org"
)

// undescribedPictures is the part of an answer that the test looks at.
type undescribedPictures struct {
	Items []struct {
		Page, ReusableContent struct{ Title string }
		Ref                   struct{ Kind, File, URL string }
		Count                 int
	}
	Next *struct{ Page string }
}

// TestUndescribedPictures lists the pictures of a space that have no alternative text, in pieces.
func TestUndescribedPictures(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		space := s.Space("Guide")
		at := "/v1/spaces/" + space
		files := map[string]string{
			"README.md": "# Start\n\n![](.gitbook/assets/a.png)\n\nIn a line ![](.gitbook/assets/a.png) of text.\n\n" +
				"![An owl](.gitbook/assets/a.png)\n\n![](https://example.org/b.png)\n\n" +
				"{% include \".gitbook/includes/note.md\" %}\n",
			"described.md":              "# Described\n\n![An owl](.gitbook/assets/a.png)\n",
			".gitbook/assets/a.png":     "bytes",
			".gitbook/includes/note.md": "![](../assets/a.png)\n",
		}
		for i := range 320 {
			files[fmt.Sprintf("many/p%03d.md", i)] = "# P\n\nNo picture.\n"
		}
		files["many/z.md"] = "# Last\n\n![](../.gitbook/assets/a.png)\n"
		s.Upload(space, "guide.zip", apptest.Zipped(t, files))
		reader := s.Member(org.RoleRead, "reader@example.org")
		list := func(in string, limit int) (found []string, pieces int) {
			t.Helper()
			for page := ""; ; pieces++ {
				var answer undescribedPictures
				s.CallAs(reader, http.MethodGet, fmt.Sprintf("%s/content/pictures/undescribed?limit=%d&page=%s", in,
					limit, url.QueryEscape(page)), nil, 200, &answer)
				for _, item := range answer.Items {
					ref := item.Ref.URL
					if item.Ref.Kind == "file" && strings.HasPrefix(item.Ref.File, "file_") {
						ref = "file"
					}
					found = append(found, fmt.Sprintf("%s%s: %s %d", item.Page.Title, item.ReusableContent.Title, ref,
						item.Count))
				}
				if answer.Next == nil {
					return found, pieces + 1
				}
				page = answer.Next.Page
			}
		}
		want := []string{"Start: file 2", "Start: https://example.org/b.png 1", "Last: file 1", "Note: file 1"}
		for _, limit := range []int{1, 50} {
			found, pieces := list(at, limit)
			if diff := cmp.Diff(want, found); diff != "" {
				t.Errorf("pictures by %d (-want +got):\n%s", limit, diff)
			}
			if pieces < 2 {
				t.Errorf("one answer looked at all texts")
			}
		}
		// What a change request describes is missing there alone.
		var tree struct{ Pages []apptest.Page }
		s.Call(http.MethodGet, at+"/content/pages", nil, 200, &tree)
		s.Call(http.MethodPost, at+"/change-requests", `{}`, http.StatusCreated, nil)
		request := at + "/change-requests/1"
		for _, page := range tree.Pages {
			if page.Title == "Start" {
				s.Call(http.MethodPost, request+"/content?compat=false", `{"changes":[{"operation":"update_page","page":"`+
					page.ID+`","document":{"markdown":"Nothing to see.\n"}}]}`, 200, nil)
			}
		}
		if found, _ := list(request, 50); !cmp.Equal(found, want[2:]) {
			t.Errorf("the change request has %v", found)
		}
		if found, _ := list(at, 50); !cmp.Equal(found, want) {
			t.Errorf("main has %v", found)
		}
		s.Refused(http.MethodGet, at+"/content/pictures/undescribed?page=made-up", nil, 400, "cursor")
		stranger := s.Member(org.RoleGuest, "stranger@example.org")
		s.CallAs(stranger, http.MethodGet, at+"/content/pictures/undescribed", nil, http.StatusNotFound, nil)
	})
}
