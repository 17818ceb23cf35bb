package endpoints_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/people/org"
)

// TestAMadePageIsReadAlone holds that the first read of what an integration makes may be of any page in any form: of an
// organization that has no specification, before anybody has read the tree.
func TestAMadePageIsReadAlone(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		space, _ := s.Documented("Guide", map[string]string{"Start": "Hello."})
		presses(s, space)
		insertSource(s, space, "Press", `{}`, `{}`)
		content := "/v1/spaces/" + space + "/content"
		var tree struct{ Pages []apptest.PageNode }
		s.Call(http.MethodGet, content+"/pages?computed=false", nil, http.StatusOK, &tree)
		press := tree.Pages[len(tree.Pages)-1]
		var alone apptest.PageNode
		s.Call(http.MethodGet, content+"/page/"+press.ID, nil, http.StatusOK, &alone)
		if press.Type != "computed" || alone.Type == "computed" || alone.Title != "Press" {
			t.Fatalf("stored is a %s; alone it is %+v", press.Type, alone)
		}
		eventually(t, reads(s, s.Token, content+"/page/"+press.ID), `"title":"Alpha"`)
		s.Call(http.MethodGet, content+"/pages", nil, http.StatusOK, &tree)
		alpha := tree.Pages[len(tree.Pages)-1].Pages[0].ID
		html := reads(s, s.Token, content+"/page/"+alpha+"?format=html")()
		if !strings.Contains(html, "Sheet alpha calm") || !strings.Contains(html, `"html":`) {
			t.Errorf("as HTML it is %s", html)
		}
		for _, which := range []string{"", "?only=true&page=" + alpha} {
			file := s.FetchPDF(s.Order("/v1/spaces/" + space + "/pdf" + which))
			if words := apptest.WordsOfPDF(t, file); !strings.Contains(words, "sheetalphacalm") {
				t.Errorf("the PDF%s says %s", which, words)
			}
		}
	})
}

// settings is a script that draws the settings of its source and says for what level.
const settings = `export default { async fetch(request) {
	const form = await request.formData();
	const event = JSON.parse(form.get("event")), environment = JSON.parse(form.get("environment"));
	return Response.json({ type: "element", element: { type: "text", children: [event.context.type] },
		props: { space: environment.spaceInstallation?.space ?? "none" } });
} };`

// TestSettingsOfASourceAreDrawn draws them for who writes in the space, and for nobody else.
func TestSettingsOfASourceAreDrawn(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		space, _ := s.Documented("Guide", map[string]string{"Start": "Hello."})
		s.Publish("settings", map[string]any{"script": settings, "runtime": "v2"})
		at := "/v1/integrations/settings/installations/" + s.Install("settings").ID + "/spaces"
		s.Call(http.MethodPost, at, map[string]any{"space": space}, http.StatusCreated, nil)
		draw := func(token, organization, inSpace string) apptest.Answer {
			of := `{"type":"configuration_contentsource","theme":"light","organizationId":"` + organization + `"`
			if inSpace != "" {
				of += `,"spaceId":"` + inSpace + `"`
			}
			return s.Try(http.MethodPost, "/v1/integrations/settings/render", token,
				`{"componentId":"c","props":{},"context":`+of+`}}`)
		}
		_, eve := s.Elsewhere()
		for _, c := range []struct {
			who, token, space string
			status            int
			says              string
		}{
			{"an admin in a space", s.Token, space, http.StatusOK, `"space":"` + space},
			{"an admin in none", s.Token, "", http.StatusOK, `"space":"none"`},
			{"an author", s.Member(org.RoleEdit, "author@example.org"), space, http.StatusOK, `"space":"` + space},
			{"a reader", s.Member(org.RoleRead, "reader@example.org"), space, http.StatusForbidden, ""},
			{"a reader in none", s.Member(org.RoleRead, "other@example.org"), "", http.StatusForbidden, ""},
			{"another organization", eve, space, http.StatusNotFound, ""},
			{"another organization in none", eve, "", http.StatusNotFound, ""},
			{"an admin in a space that is none", s.Token, "space_x", http.StatusNotFound, ""},
		} {
			got := draw(c.token, s.Organization, c.space)
			if got.Status != c.status || !strings.Contains(string(got.Body), c.says) {
				t.Errorf("%s gets %d %s", c.who, got.Status, got.Body)
			}
		}
	})
}
