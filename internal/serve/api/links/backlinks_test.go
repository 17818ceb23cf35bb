package links_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/people/org"
)

// TestBacklinksComeFromAllReadableSpaces holds that who may read a space finds its links to a page, a file and a
// reusable content of another, and that neither lists nor numbers tell of spaces that somebody may not read.
func TestBacklinksComeFromAllReadableSpaces(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		reader := s.Member(org.RoleRead, "reader@example.org")
		guest, guestID := s.Person(org.RoleGuest, "guest@example.org")
		type made struct {
			Revision      string
			Changes       []struct{ Page struct{ ID string } }
			InsertedFiles []apptest.Identified
		}
		write := func(space, changes string) (done made) {
			t.Helper()
			s.Call(http.MethodPost, "/v1/spaces/"+space+"/content", `{"changes":[`+changes+`]}`, http.StatusOK, &done)
			return done
		}
		target := s.Space("Target")
		write(target,
			`{"operation":"insert_reusable_content","ref":"note","title":"Note","document":{"markdown":"Shared."}}`)
		first := write(target,
			`{"operation":"insert_files","files":[{"name":"a.txt","base64":"YQ=="}]},{"operation":"insert_page","title":"Page","document":{"markdown":"Here."}}`)
		page, file := first.Changes[0].Page.ID, first.InsertedFiles[0].ID
		write(target, `{"operation":"insert_page","title":"Own","document":{"markdown":"[it](/pages/`+page+`)"}}`)
		var revision struct{ ReusableContents []apptest.Identified }
		s.Call(http.MethodGet, "/v1/spaces/"+target+"/content", nil, http.StatusOK, &revision)
		note := revision.ReusableContents[0].ID
		closed := ""
		for i := range 4 {
			space := s.Space(fmt.Sprintf("Other %d", i))
			write(space, fmt.Sprintf(
				`{"operation":"insert_page","title":"Source %d","document":{"markdown":"[it](/spaces/%[2]s/pages/%[3]s) [anchor](/spaces/%[2]s/pages/%[3]s#x)\n\n![](/spaces/%[2]s/files/%[4]s)\n\n{%% include \"/spaces/%[2]s/reusable-content/%[5]s\" %%}\n"}}`, i, target, page, file, note))
			if i == 1 {
				closed = space
				s.Call(http.MethodPatch, "/v1/spaces/"+space, `{"defaultLevel":null}`, http.StatusOK, nil)
			}
			if i == 3 {
				s.Call(http.MethodDelete, "/v1/spaces/"+space, nil, http.StatusNoContent, nil)
			}
		}
		list := func(token, path string) (titles []string) {
			t.Helper()
			for next := ""; ; {
				var answer struct {
					Count int
					Items []struct {
						Page  struct{ Title string }
						Space struct{ ID string }
					}
					Next *struct{ Page string }
				}
				s.CallAs(token, http.MethodGet, "/v1/spaces/"+target+path+"/backlinks?limit=1&page="+
					url.QueryEscape(next), nil, http.StatusOK, &answer)
				for _, item := range answer.Items {
					titles = append(titles, item.Page.Title)
				}
				if answer.Next == nil {
					if answer.Count != len(titles) {
						t.Errorf("%s: %d are counted, %d listed", path, answer.Count, len(titles))
					}
					return titles
				}
				next = answer.Next.Page
			}
		}
		s.Call(http.MethodPost, "/v1/spaces/"+target+"/change-requests", `{}`, http.StatusCreated, nil)
		s.Call(http.MethodPost, "/v1/spaces/"+target+"/permissions", `{"users":["`+guestID+`"],"role":"read"}`,
			http.StatusNoContent, nil)
		for _, at := range []string{"/content", "/change-requests/1/content"} {
			for path, own := range map[string][]string{"/page/" + page: {"Own"}, "/files/" + file: nil,
				"/reusable-contents/" + note: nil} {
				for token, want := range map[string][]string{
					s.Token: append(slices.Clone(own), "Source 0", "Source 1", "Source 2"),
					reader:  append(slices.Clone(own), "Source 0", "Source 2"), guest: own,
				} {
					if diff := cmp.Diff(want, list(token, at+path)); diff != "" {
						t.Errorf("%s%s: %s", at, path, diff)
					}
				}
			}
		}
		s.Call(http.MethodPatch, "/v1/spaces/"+closed, `{"defaultLevel":"read"}`, http.StatusOK, nil)
		if got := list(reader, "/content/page/"+page); !slices.Contains(got, "Source 1") {
			t.Errorf("a space that has been opened is not there: %v", got)
		}
	})
}
