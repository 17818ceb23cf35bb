package sites_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/app/apptest"
	"github.com/rectodocs/recto/internal/people/org"
)

// siteRights is an organization in which an admin shows a closed space, together with an open one, on a site that
// somebody with the role create may only edit.
type siteRights struct {
	*apptest.Server
	creator, creatorID     string
	closed, open           string
	closedPage             string
	site, at               string
	closedPlace, openPlace string
}

func newSiteRights(s *apptest.Server) siteRights {
	s.T.Helper()
	h := siteRights{Server: s, closed: s.Space("Closed"), open: s.Space("Open")}
	h.creator, h.creatorID = s.Person(org.RoleCreate, "creator@example.org")
	s.Call(http.MethodPatch, "/v1/spaces/"+h.closed, `{"defaultLevel":null}`, http.StatusOK, nil)
	var written struct {
		Changes []struct{ Page apptest.Identified }
	}
	s.Call(http.MethodPost, "/v1/spaces/"+h.closed+"/content",
		`{"changes":[{"operation":"insert_page","title":"Plan","document":{"markdown":"Secret."}}]}`, http.StatusOK,
		&written)
	h.closedPage = written.Changes[0].Page.ID
	var made apptest.Identified
	s.Call(http.MethodPost, "/v1/orgs/"+s.Organization+"/sites",
		fmt.Sprintf(`{"title":"Both","visibility":"share-link","spaces":[%q,%q]}`, h.open, h.closed),
		http.StatusCreated, &made)
	h.site, h.at = made.ID, "/v1/orgs/"+s.Organization+"/sites/"+made.ID
	var places struct {
		Items []struct {
			ID    string
			Space apptest.Identified
		}
	}
	s.Call(http.MethodGet, h.at+"/site-spaces", nil, http.StatusOK, &places)
	for _, place := range places.Items {
		if place.Space.ID == h.closed {
			h.closedPlace = place.ID
		} else {
			h.openPlace = place.ID
		}
	}
	return h
}

// TestReadersOfSitesNeedTheRightOnEverySpace walks the ways in which somebody with the role create could let others, or
// themselves, read a space that is closed to them, through a site that shows it. Each is refused and changes nothing;
// all of them go for who has the role create in the space, and what says nothing of readers goes for both.
func TestReadersOfSitesNeedTheRightOnEverySpace(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, s *apptest.Server) {
		h := newSiteRights(s)
		var link, elsewhere apptest.Identified
		s.Call(http.MethodPost, h.at+"/share-links", `{"name":"Off"}`, http.StatusCreated, &link)
		s.Call(http.MethodPatch, h.at+"/share-links/"+link.ID, `{"active":false}`, http.StatusOK, nil)
		s.CallAs(h.creator, http.MethodPost, "/v1/orgs/"+s.Organization+"/sites", `{"title":"Own"}`, http.StatusCreated,
			&elsewhere)
		own := "/v1/orgs/" + s.Organization + "/sites/" + elsewhere.ID
		type way struct {
			method, path, body string
			fine               int
		}
		ways := []way{
			{http.MethodPatch, h.at, `{"visibility":"public"}`, 200},
			{http.MethodPatch, h.at, `{"visibility":"visitor-auth"}`, 200},
			{http.MethodPatch, h.at, `{"hostname":"docs.example.com"}`, 200},
			{http.MethodPatch, h.at, `{"proxy":"example.com/docs"}`, 200},
			{http.MethodPatch, h.at, `{"agentsContext":"excluded"}`, 200},
			{http.MethodPatch, h.at, `{"adaptiveContent":{"enabled":true}}`, 200},
			{http.MethodPost, h.at + "/publish", ``, 200},
			{http.MethodPost, h.at + "/unpublish", ``, 200},
			{http.MethodGet, h.at + "/share-links", ``, 200},
			{http.MethodPost, h.at + "/share-links", `{"name":"Mine"}`, 201},
			{http.MethodPatch, h.at + "/share-links/" + link.ID, `{"active":true}`, 200},
			{http.MethodDelete, h.at + "/share-links/" + link.ID, ``, 205},
			{http.MethodGet, h.at + "/publishing/auth", ``, 200},
			{http.MethodPatch, h.at + "/publishing/auth", `{"backend":"custom","fallbackURL":"https://example.com/"}`,
				200},
			{http.MethodPost, h.at + "/publishing/auth/regenerate", ``, 200},
			{http.MethodPut, h.at + "/adaptive-schema",
				`{"jsonSchema":{"type":"object","properties":{},"additionalProperties":false}}`, 200},
			{http.MethodPatch, h.at + "/site-spaces/" + h.openPlace, `{"condition":"visitor.claims.a === 1"}`, 200},
		}
		other := s.Space("Other")
		s.Call(http.MethodPatch, "/v1/spaces/"+other, `{"defaultLevel":"edit"}`, http.StatusOK, nil)
		notTheirs := []way{ // what would show the closed space elsewhere, or one that they may only edit
			{http.MethodPost, own + "/site-spaces", fmt.Sprintf(`{"spaceId":%q}`, h.closed), 404},
			{http.MethodPost, own + "/sections", fmt.Sprintf(`{"spaceId":%q,"title":"Mine"}`, h.closed), 404},
			{http.MethodPost, own + "/site-spaces", fmt.Sprintf(`{"spaceId":%q}`, other), 403},
			{http.MethodPatch, h.at + "/site-spaces/" + h.openPlace, fmt.Sprintf(`{"spaceId":%q}`, h.closed), 404},
			{http.MethodPost, "/v1/orgs/" + s.Organization + "/sites", fmt.Sprintf(`{"title":"Mine","spaces":[%q]}`,
				h.closed), 404},
			{http.MethodPost, "/v1/orgs/" + s.Organization + "/translations",
				fmt.Sprintf(`{"source":{"space":%q,"language":"en"},"languages":["de"]}`, h.closed), 404},
			{http.MethodPost, "/v1/orgs/" + s.Organization + "/translations",
				fmt.Sprintf(`{"source":{"space":%q,"language":"en"},"languages":["de"]}`, other), 403},
			{http.MethodPost, "/v1/spaces/" + h.closed + "/duplicate", ``, 404},
			{http.MethodPost, "/v1/spaces/" + other + "/duplicate", ``, 403},
			{http.MethodPost, h.at + "/redirects",
				fmt.Sprintf(`{"source":"/a","destination":{"kind":"site-page","siteSpaceId":%q,"pageId":%q}}`,
					h.closedPlace, h.closedPage), 400},
			{http.MethodPost, h.at + "/redirects",
				fmt.Sprintf(`{"source":"/b","destination":{"kind":"site-page","siteSpaceId":%q,"pageId":"page_none"}}`,
					h.closedPlace), 400},
		}
		before := siteAsSeen(s, h.at)
		for _, each := range append(ways, notTheirs...) {
			want := 403
			if each.fine >= 400 {
				want = each.fine
			}
			if got := s.Try(each.method, each.path, h.creator, each.body); got.Status != want {
				t.Errorf("%s %s %s: %d, want %d: %.300s", each.method, each.path, each.body, got.Status, want, got.Body)
			}
		}
		s.CallAs(h.creator, http.MethodDelete, h.at, nil, http.StatusForbidden, nil)
		if after := siteAsSeen(s, h.at); after != before {
			t.Errorf("refusals changed the site:\n%s\n%s", before, after)
		}
		probes := [2]apptest.Answer{s.Try(http.MethodPost, h.at+"/redirects", h.creator, notTheirs[9].body),
			s.Try(http.MethodPost, h.at+"/redirects", h.creator, notTheirs[10].body)}
		if string(probes[0].Body) != string(probes[1].Body) {
			t.Errorf("a redirect tells which pages a closed space has: %s %s", probes[0].Body, probes[1].Body)
		}
		// What says nothing of readers is theirs, and their own site is.
		s.CallAs(h.creator, http.MethodPatch, h.at, `{"title":"Both of them"}`, http.StatusOK, nil)
		s.CallAs(h.creator, http.MethodPatch, h.at, `{"visibility":"share-link"}`, http.StatusOK, nil)
		s.CallAs(h.creator, http.MethodPost, own+"/publish", nil, http.StatusOK, nil)
		s.CallAs(h.creator, http.MethodDelete, own, nil, http.StatusNoContent, nil)
		// A closed space in the trash may come back.
		s.Call(http.MethodDelete, "/v1/spaces/"+h.closed, nil, http.StatusNoContent, nil)
		s.CallAs(h.creator, http.MethodPost, h.at+"/publish", nil, http.StatusForbidden, nil)
		s.Call(http.MethodPost, "/v1/spaces/"+h.closed+"/restore", nil, http.StatusOK, nil)
		// With the role create in the space all of it goes.
		s.Call(http.MethodPost, "/v1/spaces/"+h.closed+"/permissions", fmt.Sprintf(`{"users":[%q],"role":"review"}`,
			h.creatorID), http.StatusNoContent, nil)
		s.CallAs(h.creator, http.MethodPost, h.at+"/publish", nil, http.StatusForbidden, nil)
		s.Call(http.MethodPost, "/v1/spaces/"+h.closed+"/permissions", fmt.Sprintf(`{"users":[%q],"role":"create"}`,
			h.creatorID), http.StatusNoContent, nil)
		for _, each := range ways {
			if got := s.Try(each.method, each.path, h.creator, each.body); got.Status != each.fine {
				t.Errorf("with the right: %s %s %s: %d, want %d: %.300s", each.method, each.path, each.body, got.Status,
					each.fine, got.Body)
			}
		}
		s.CallAs(h.creator, http.MethodDelete, h.at, nil, http.StatusNoContent, nil)
	})
}

// siteAsSeen is all that the operations of the test could change.
func siteAsSeen(s *apptest.Server, at string) string {
	s.T.Helper()
	var all strings.Builder
	for _, path := range []string{"", "/site-spaces", "/share-links", "/publishing/auth", "/redirects"} {
		all.WriteString(string(s.Raw(http.MethodGet, at+path, s.Token, nil).Body) + "\n")
	}
	return all.String()
}
