package spaces_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/people/org"
)

// TestAggregateSaysWhy holds that the list of everybody with access names what gives it to each: the organization's
// role or administration, a grant to them or a team, a default level; in the space or a collection around it.
func TestAggregateSaysWhy(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		ids := map[string]string{}
		for _, name := range []string{"granted", "teamed", "defaulted", "outer"} {
			_, ids[name] = s.Person(org.RoleRead, name+"@example.org")
		}
		_, ids["guest"] = s.Person(org.RoleGuest, "guest@example.org")
		box := s.Collection("Box", "")
		space := spaceIn(s, "Inside", box)
		team := s.Team("Friends", ids["teamed"])
		share := func(at, body string) {
			t.Helper()
			s.Call(http.MethodPost, "/v1/"+at+"/permissions", body, http.StatusNoContent, nil)
		}
		why := func(at string) map[string]string {
			t.Helper()
			type reason struct {
				Type, Level, Space, Collection string
				Team                           *apptest.Identified
				LimitedBy                      *struct{ Space, Collection string }
			}
			var list struct {
				Items []struct {
					Permission string
					User       struct{ ID, Email string }
					Reason     reason
				}
			}
			s.Call(http.MethodGet, "/v1/"+at+"/permissions/aggregate", nil, http.StatusOK, &list)
			found := map[string]string{}
			for _, item := range list.Items {
				// The list of the person's spaces gives the same reason.
				var theirs struct {
					Items []struct {
						Permission string
						Reason     reason
						Space      apptest.Identified
					}
				}
				s.Call(http.MethodGet, "/v1/orgs/"+s.Organization+"/members/"+item.User.ID+"/spaces", nil,
					http.StatusOK, &theirs)
				for _, each := range theirs.Items {
					if diff := cmp.Diff([]any{item.Permission, item.Reason},
						[]any{each.Permission, each.Reason}); "spaces/"+each.Space.ID == at && diff != "" {
						t.Errorf("%s: %s", item.User.Email, diff)
					}
				}
				if at == "spaces/"+space && len(theirs.Items) == 0 {
					t.Errorf("%s has no spaces", item.User.Email)
				}
				var text strings.Builder
				text.WriteString(fmt.Sprintf("%s by %s of %s", item.Permission, item.Reason.Type, item.Reason.Level))
				for name, id := range map[string]string{" in space": item.Reason.Space,
					" in collection": item.Reason.Collection} {
					if id == space && name == " in space" || id == box && name == " in collection" {
						text.WriteString(name)
					} else if id != "" {
						t.Errorf("said in %s", id)
					}
				}
				if item.Reason.Team != nil {
					text.WriteString(" through " + strings.ReplaceAll(item.Reason.Team.ID, team, "the team"))
				}
				if item.Reason.LimitedBy != nil {
					text.WriteString(" limited by " + strings.ReplaceAll(item.Reason.LimitedBy.Space, space, "space"))
				}
				name, _, _ := strings.Cut(item.User.Email, "@")
				found[name] = text.String()
			}
			return found
		}
		role := "read by organization-role of read"
		if diff := cmp.Diff(map[string]string{
			"ada": "admin by organization-admin of admin", "granted": role, "teamed": role, "defaulted": role,
			"outer": role,
		}, why("spaces/"+space)); diff != "" {
			t.Error(diff)
		}
		share("spaces/"+space, `{"users":["`+ids["granted"]+`"],"role":"edit"}`)
		share("spaces/"+space, `{"teams":["`+team+`"],"role":"review"}`)
		share("collections/"+box, `{"users":["`+ids["outer"]+`","`+ids["guest"]+`"],"role":"create"}`)
		if got := why("spaces/" + space)["outer"]; got != "create by user-grant of create in collection" {
			t.Error(got)
		}
		s.Call(http.MethodPatch, "/v1/spaces/"+space, `{"defaultLevel":"comment"}`, http.StatusOK, nil)
		def := "comment by default-level of comment in space"
		if diff := cmp.Diff(map[string]string{
			"ada": "admin by organization-admin of admin", "granted": "edit by user-grant of edit in space",
			"teamed": "review by team-grant of review in space through the team", "defaulted": def, "outer": def,
			"guest": "comment by user-grant of create in collection limited by space",
		}, why("spaces/"+space)); diff != "" {
			t.Error(diff)
		}
		if got := why("collections/" + box)["guest"]; got != "create by user-grant of create in collection" {
			t.Error(got)
		}
	})
}

// TestLoweredDefaultLevelsSayWhoLoses holds that a default level which takes rights from members says so in its answer:
// how many, who, from what to what; and that one which takes none says nothing.
func TestLoweredDefaultLevelsSayWhoLoses(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		_, editor := s.Person(org.RoleEdit, "editor@example.org")
		s.Person(org.RoleCreate, "creator@example.org")
		s.Person(org.RoleRead, "reader@example.org")
		_, guest := s.Person(org.RoleGuest, "guest@example.org")
		box := s.Collection("Box", "")
		for _, at := range []string{"/v1/collections/" + box, "/v1/spaces/" + s.Space("Alone")} {
			s.Call(http.MethodPost, at+"/permissions", `{"users":["`+guest+`"],"role":"edit"}`, http.StatusNoContent,
				nil)
			change := func(level string) map[string]string {
				t.Helper()
				var after struct {
					Affected *struct {
						Count   int
						Members []struct {
							User     struct{ Email string }
							From, To *string
						}
					}
				}
				s.Call(http.MethodPatch, at, `{"defaultLevel":`+level+`}`, http.StatusOK, &after)
				if after.Affected == nil {
					return nil
				}
				found := map[string]string{}
				for _, member := range after.Affected.Members {
					to := "nothing"
					if member.To != nil {
						to = *member.To
					}
					found[member.User.Email] = *member.From + " to " + to
				}
				if len(found) != after.Affected.Count {
					t.Errorf("%d are counted, %d named", after.Affected.Count, len(found))
				}
				return found
			}
			for _, step := range []struct {
				level string
				want  map[string]string
			}{
				{`"create"`, nil},
				{`"read"`, map[string]string{"editor@example.org": "create to read",
					"creator@example.org": "create to read", "reader@example.org": "create to read"}},
				{`"read"`, nil},
				{`"inherit"`, nil},
				{`"comment"`, map[string]string{"editor@example.org": "edit to comment",
					"creator@example.org": "create to comment"}},
				{`null`, map[string]string{"editor@example.org": "comment to nothing",
					"creator@example.org": "comment to nothing", "reader@example.org": "comment to nothing"}},
				{`"inherit"`, nil},
			} {
				if diff := cmp.Diff(step.want, change(step.level)); diff != "" {
					t.Errorf("%s to %s: %s", at, step.level, diff)
				}
			}
			s.Call(http.MethodPost, at+"/permissions", `{"users":["`+editor+`"],"role":"edit"}`, http.StatusNoContent,
				nil)
			if got := change(`"read"`); got["editor@example.org"] != "" ||
				got["creator@example.org"] != "create to read" {
				t.Errorf("with a grant: %v", got)
			}
			var seen map[string]any
			s.Call(http.MethodGet, at, nil, http.StatusOK, &seen)
			if seen["affected"] != nil {
				t.Error("reading tells of a change")
			}
			s.Call(http.MethodDelete, at+"/permissions/users/"+editor, nil, http.StatusNoContent, nil)
			s.Call(http.MethodPatch, at, `{"defaultLevel":"inherit"}`, http.StatusOK, nil)
		}
		var made struct{ Description string }
		s.Call(http.MethodPost, "/v1/orgs/"+s.Organization+"/collections",
			`{"title":"Told","description":"What it is for."}`, http.StatusCreated, &made)
		if made.Description != "What it is for." {
			t.Errorf("the description of a new collection: %q", made.Description)
		}
		s.Call(http.MethodPost, "/v1/orgs/"+s.Organization+"/collections", `{"description":"`+strings.Repeat("x", 101)+
			`"}`, http.StatusBadRequest, nil)
	})
}
