package spaces_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/people/org"
)

// TestVisibilityFollowsTheSites holds that a space says for whom it is readable: by the most open of the published
// sites that show it, and without one by whether it is in a collection; in itself and in lists, for whoever asks.
func TestVisibilityFollowsTheSites(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		reader := s.Member(org.RoleRead, "reader@example.org")
		box := s.Collection("Box", "")
		space := spaceIn(s, "Inside", box)
		site := func(visibility string) string {
			var made apptest.Identified
			s.Call(http.MethodPost, "/v1/orgs/"+s.Organization+"/sites",
				fmt.Sprintf(`{"title":%q,"visibility":%q,"spaces":[%q]}`, "A "+visibility, visibility, space),
				http.StatusCreated, &made)
			return "/v1/orgs/" + s.Organization + "/sites/" + made.ID
		}
		want := func(when, visibility string) {
			t.Helper()
			for _, token := range []string{s.Token, reader} {
				var one wireSpace
				s.CallAs(token, http.MethodGet, "/v1/spaces/"+space, nil, http.StatusOK, &one)
				if one.Visibility != visibility {
					t.Errorf("%s: %s, want %s", when, one.Visibility, visibility)
				}
				for _, list := range []string{"/v1/orgs/" + s.Organization + "/spaces", "/v1/collections/" + box +
					"/spaces"} {
					var all struct{ Items []wireSpace }
					s.CallAs(token, http.MethodGet, list, nil, http.StatusOK, &all)
					for _, item := range all.Items {
						if item.ID == space && item.Visibility != visibility {
							t.Errorf("%s: in %s it is %s, want %s", when, list, item.Visibility, visibility)
						}
					}
				}
			}
		}
		want("on no site", "in-collection")
		auth, link, unlisted, public := site("visitor-auth"), site("share-link"), site("unlisted"), site("public")
		want("on sites that are not published", "in-collection")
		for _, step := range []struct{ path, visibility string }{
			{auth + "/publish", "visitor-auth"}, {link + "/publish", "share-link"}, {unlisted + "/publish", "unlisted"},
			{public + "/publish", "public"},
			{unlisted + "/unpublish", "public"}, {public + "/unpublish", "share-link"},
			{link + "/unpublish", "visitor-auth"},
		} {
			s.Call(http.MethodPost, step.path, nil, http.StatusOK, nil)
			want(step.path, step.visibility)
		}
		s.Call(http.MethodPatch, auth, `{"visibility":"public"}`, http.StatusOK, nil)
		want("made public", "public")
		s.Call(http.MethodPost, "/v1/spaces/"+space+"/move", `{"parent":null}`, http.StatusOK, nil)
		want("moved out of the collection", "public")
		s.Call(http.MethodDelete, auth, nil, http.StatusNoContent, nil)
		want("without the site", "private")
		s.Call(http.MethodPost, public+"/publish", nil, http.StatusOK, nil)
		s.Call(http.MethodDelete, "/v1/spaces/"+space, nil, http.StatusNoContent, nil)
		var trashed wireSpace
		s.Call(http.MethodGet, "/v1/spaces/"+space, nil, http.StatusOK, &trashed)
		if trashed.Visibility != "private" {
			t.Errorf("in the trash it is %s", trashed.Visibility)
		}
	})
}
