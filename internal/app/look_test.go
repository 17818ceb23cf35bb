package app_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/people/org"
)

// foundPreview is what a look-up of a preview answers.
type foundPreview struct {
	APIToken, ChangeRequest, Revision, Space, Site, Organization string
	Preview                                                      bool
}

// TestTokensOfPreviews reads a change request with the token that a ticket for its preview gives, and tries all that
// the token could open besides.
func TestTokensOfPreviews(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		site := s.NewSite("Guide", "public", apptest.OnePage)
		site.Adapt(`{"type":"object","properties":{"plan":{"type":"string","description":""}},` +
			`"additionalProperties":false}`)
		site.Propose(`{"operation":"insert_page","title":"New","document":{"markdown":"Proposed words.\n"}},` +
			`{"operation":"insert_page","title":"Pro","condition":"visitor.claims.plan == \"pro\"",` +
			`"document":{"markdown":"Words of the rich.\n"}}`)
		requests := "/v1/spaces/" + site.Space + "/change-requests"
		s.Call(http.MethodPost, requests, `{"subject":"Another"}`, http.StatusCreated, nil)
		other := s.Space("Other")
		s.Call(http.MethodPost, site.Path+"/site-spaces", map[string]any{"spaceId": other}, http.StatusCreated, nil)
		member := s.Member(org.RoleRead, "bea@example.net")
		var me apptest.Identified
		s.CallAs(member, http.MethodGet, "/v1/user", nil, http.StatusOK, &me)
		var change struct {
			ID, Revision string
			URLs         struct{ Preview string }
		}
		s.CallAs(member, http.MethodGet, requests+"/1", nil, http.StatusOK, &change)
		ticket := change.URLs.Preview
		bare, _, _ := strings.Cut(ticket, "?")

		lookUp := func(as, address string, visitor map[string]any, want int) (found foundPreview) {
			t.Helper()
			s.CallAs(as, http.MethodPost, "/v1/urls/published", map[string]any{"url": address, "visitor": visitor},
				want, &found)
			return found
		}
		nobody := map[string]any{"type": "human"}
		// A program asks with a token of its own for everybody who comes: that opens nothing for them.
		lookUp("", bare, nobody, http.StatusNotFound)
		if found := lookUp(s.Token, bare, nobody, http.StatusOK); found.APIToken != "" || !found.Preview {
			t.Errorf("a look-up without a ticket gives %+v", found)
		}
		// People who may not read the space find nothing by tokens of theirs.
		organizationElsewhere, eve := s.Elsewhere()
		guest := s.Member(apptest.Guest, "guest@example.net")
		for _, stranger := range []string{eve, guest} {
			lookUp(stranger, bare, nobody, http.StatusNotFound)
			lookUp(stranger, bare, nil, http.StatusNotFound)
			s.CallAs(stranger, http.MethodGet, requests+"/1", nil, http.StatusNotFound, nil)
		}
		// Neither does a ticket that is none, or one for another space.
		lookUp("", bare+"?ticket=user_1.9999999999.x", nobody, http.StatusNotFound)
		s.Call(http.MethodPost, "/v1/spaces/"+other+"/change-requests", `{"subject":"Else"}`, http.StatusCreated, nil)
		var elsewhere struct{ URLs struct{ Preview string } }
		s.CallAs(member, http.MethodGet, "/v1/spaces/"+other+"/change-requests/1", nil, http.StatusOK, &elsewhere)
		_, foreign, _ := strings.Cut(elsewhere.URLs.Preview, "?")
		lookUp("", bare+"?"+foreign, nobody, http.StatusNotFound)

		found := lookUp("", ticket, nobody, http.StatusOK)
		if again := lookUp("", ticket, nobody, http.StatusOK); again.APIToken != found.APIToken ||
			found.APIToken == "" || found.ChangeRequest != change.ID || !found.Preview {
			t.Fatalf("found %+v, and again %+v", found, again)
		}
		space, organization := "/v1/spaces/"+site.Space, "/v1/orgs/"+s.Organization
		revision := space + "/revisions/" + change.Revision
		get := func(path string, want int) string {
			t.Helper()
			return string(s.CallAs(found.APIToken, http.MethodGet, path, nil, want, nil).Body)
		}
		var whole struct{ Pages []apptest.PageNode }
		if err := json.Unmarshal([]byte(get(revision+"?metadata=true", 200)), &whole); err != nil ||
			len(whole.Pages) != 2 {
			t.Fatalf("the revision has the pages %+v, %v", whole.Pages, err)
		}
		for path, says := range map[string]string{
			space: change.Revision, requests + "/1": change.Revision, requests + "/" + change.ID: change.ID,
			revision + "/path/new?format=markdown":                "Proposed words.",
			revision + "/page/" + whole.Pages[1].ID + "/document": "Proposed words.",
			site.Path + "/published":                              change.Revision,
		} {
			if got := get(path, 200); !strings.Contains(got, says) || strings.Contains(got, "ticket=") ||
				strings.Contains(got, "Someone") || strings.Contains(got, "rich") {
				t.Errorf("%s: %s", path, got)
			}
		}
		var live struct{ Revision string }
		s.Call(http.MethodGet, space, nil, http.StatusOK, &live)
		for path, want := range map[string]int{
			requests + "/2": 404, requests: 403, requests + "/1/changes": 403, requests + "/1/comments": 403,
			space + "/revisions/" + live.Revision: 404, space + "/content": 403, space + "/revisions": 403,
			"/v1/spaces/" + other: 404, "/v1/spaces/" + other + "/change-requests/1": 404, organization: 403,
			"/v1/orgs/" + organizationElsewhere: 403,
			revision + "/path/pro":              404, site.Path: 403, "/v1/user": 403,
		} {
			get(path, want)
		}
		s.CallAs(found.APIToken, http.MethodPost, requests+"/1/merge", nil, http.StatusForbidden, nil)
		s.CallAs(found.APIToken, http.MethodPost, site.Path+"/search", `{"query":"x","scope":{"mode":"all"}}`,
			http.StatusForbidden, nil)
		s.CallAs(found.APIToken, http.MethodPost, requests+"/1/content", `{"changes":[]}`, http.StatusForbidden, nil)
		// What the visitor has brought says which conditions hold, in a preview as well.
		paying := map[string]any{"type": "human", "jwtToken": apptest.SignClaims(t, site.Key(),
			map[string]any{"plan": "pro"})}
		rich := lookUp("", ticket, paying, http.StatusOK).APIToken
		s.CallAs(rich, http.MethodGet, revision+"/path/pro", nil, http.StatusOK, nil)
		// A token of what is live opens no change request.
		plain := lookUp("", site.Home, nobody, http.StatusOK).APIToken
		s.CallAs(plain, http.MethodGet, requests+"/1", nil, http.StatusForbidden, nil)
		s.CallAs(plain, http.MethodGet, revision, nil, http.StatusNotFound, nil)
		// A changed token is none.
		parts := strings.Split(found.APIToken, ".")
		s.CallAs(parts[0]+"."+strings.Split(rich, ".")[1]+"."+parts[2], http.MethodGet, space, nil,
			http.StatusUnauthorized, nil)
		// A revision of main has tokens, too.
		older := strings.Replace(ticket, "~/changes/1/", "~/revisions/"+live.Revision+"/", 1)
		s.CallAs(lookUp("", older, nobody, http.StatusOK).APIToken, http.MethodGet, space+"/revisions/"+live.Revision,
			nil, http.StatusOK, nil)

		// A site that is for others shows a preview to whom the ticket is for, and to nobody else.
		s.Call(http.MethodPatch, site.Path, `{"visibility":"share-link"}`, http.StatusOK, nil)
		lookUp("", site.Home, nobody, http.StatusNotFound)
		lookUp("", bare, nobody, http.StatusNotFound)
		closed := lookUp("", ticket, nobody, http.StatusOK).APIToken
		got := s.CallAs(closed, http.MethodGet, site.Path+"/published", nil, http.StatusOK, nil).Body
		if !strings.Contains(string(got), change.Revision) || strings.Contains(string(got), other) {
			t.Errorf("the profile is %s", got)
		}
		s.Call(http.MethodPatch, site.Path, `{"visibility":"public"}`, http.StatusOK, nil)

		// Another state of the change request is another token; the one before shows it, too.
		s.Call(http.MethodPost, requests+"/1/content", `{"changes":[`+strings.ReplaceAll(apptest.OnePage, "Start",
			"More")+`]}`, http.StatusOK, nil)
		if lookUp("", ticket, nobody, http.StatusOK).APIToken == found.APIToken {
			t.Error("the token stays the same")
		}
		get(revision, 404)
		// What ends the right ends the token at once.
		for _, each := range []struct{ method, path, body, undo string }{
			{http.MethodPatch, requests + "/1", `{"status":"archived"}`, `{"status":"open"}`},
			{http.MethodPost, site.Path + "/unpublish", "", "publish"},
			{http.MethodDelete, space, "", "restore"},
			{http.MethodDelete, organization + "/members/" + me.ID, "", ""},
		} {
			get(space, 200)
			var body any
			if each.body != "" {
				body = each.body
			}
			if got := s.Raw(each.method, each.path, s.Token, body); got.Status >= 300 {
				t.Fatalf("%s %s: %d %s", each.method, each.path, got.Status, got.Body)
			}
			get(space, 401)
			if each.method == http.MethodPatch && lookUp("", ticket, nobody, http.StatusOK).APIToken != "" {
				t.Error("an archived change request has a token")
			}
			switch each.undo {
			case "":
			case "publish":
				s.Call(http.MethodPost, site.Path+"/publish", nil, http.StatusOK, nil)
			case "restore":
				s.Call(http.MethodPost, space+"/restore", nil, http.StatusOK, nil)
			default:
				s.Call(each.method, each.path, each.undo, http.StatusOK, nil)
			}
		}
		lookUp("", ticket, nobody, http.StatusNotFound)
	})
}
