package app_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/people/org"
)

// siteRights is an organization in which an admin shows a closed space, together with an open one, on a site that
// somebody with the role create may only edit.
type siteRights struct {
	*server
	creator, creatorID     string
	closed, open           string
	closedPage             string
	site, at               string
	closedPlace, openPlace string
}

func newSiteRights(s *server) siteRights {
	s.t.Helper()
	h := siteRights{server: s, closed: s.space("Closed"), open: s.space("Open")}
	h.creator, h.creatorID = s.person(org.RoleCreate, "creator@example.org")
	s.call(http.MethodPatch, "/v1/spaces/"+h.closed, `{"defaultLevel":null}`, http.StatusOK, nil)
	var written struct {
		Changes []struct{ Page identified }
	}
	s.call(http.MethodPost, "/v1/spaces/"+h.closed+"/content",
		`{"changes":[{"operation":"insert_page","title":"Plan","document":{"markdown":"Secret."}}]}`, http.StatusOK,
		&written)
	h.closedPage = written.Changes[0].Page.ID
	var made identified
	s.call(http.MethodPost, "/v1/orgs/"+s.organization+"/sites",
		fmt.Sprintf(`{"title":"Both","visibility":"share-link","spaces":[%q,%q]}`, h.open, h.closed),
		http.StatusCreated, &made)
	h.site, h.at = made.ID, "/v1/orgs/"+s.organization+"/sites/"+made.ID
	var places struct {
		Items []struct {
			ID    string
			Space identified
		}
	}
	s.call(http.MethodGet, h.at+"/site-spaces", nil, http.StatusOK, &places)
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
	onBoth(t, func(t *testing.T, s *server) {
		h := newSiteRights(s)
		var link, elsewhere identified
		s.call(http.MethodPost, h.at+"/share-links", `{"name":"Off"}`, http.StatusCreated, &link)
		s.call(http.MethodPatch, h.at+"/share-links/"+link.ID, `{"active":false}`, http.StatusOK, nil)
		s.callAs(h.creator, http.MethodPost, "/v1/orgs/"+s.organization+"/sites", `{"title":"Own"}`, http.StatusCreated,
			&elsewhere)
		own := "/v1/orgs/" + s.organization + "/sites/" + elsewhere.ID
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
		other := s.space("Other")
		s.call(http.MethodPatch, "/v1/spaces/"+other, `{"defaultLevel":"edit"}`, http.StatusOK, nil)
		notTheirs := []way{ // what would show the closed space elsewhere, or one that they may only edit
			{http.MethodPost, own + "/site-spaces", fmt.Sprintf(`{"spaceId":%q}`, h.closed), 404},
			{http.MethodPost, own + "/sections", fmt.Sprintf(`{"spaceId":%q,"title":"Mine"}`, h.closed), 404},
			{http.MethodPost, own + "/site-spaces", fmt.Sprintf(`{"spaceId":%q}`, other), 403},
			{http.MethodPatch, h.at + "/site-spaces/" + h.openPlace, fmt.Sprintf(`{"spaceId":%q}`, h.closed), 404},
			{http.MethodPost, "/v1/orgs/" + s.organization + "/sites", fmt.Sprintf(`{"title":"Mine","spaces":[%q]}`,
				h.closed), 404},
			{http.MethodPost, "/v1/orgs/" + s.organization + "/translations",
				fmt.Sprintf(`{"source":{"space":%q,"language":"en"},"languages":["de"]}`, h.closed), 404},
			{http.MethodPost, "/v1/orgs/" + s.organization + "/translations",
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
		before := s.siteAsSeen(h.at)
		for _, each := range append(ways, notTheirs...) {
			want := 403
			if each.fine >= 400 {
				want = each.fine
			}
			if got := s.try(each.method, each.path, h.creator, each.body); got.status != want {
				t.Errorf("%s %s %s: %d, want %d: %.300s", each.method, each.path, each.body, got.status, want, got.body)
			}
		}
		s.callAs(h.creator, http.MethodDelete, h.at, nil, http.StatusForbidden, nil)
		if after := s.siteAsSeen(h.at); after != before {
			t.Errorf("refusals changed the site:\n%s\n%s", before, after)
		}
		probes := [2]answer{s.try(http.MethodPost, h.at+"/redirects", h.creator, notTheirs[9].body),
			s.try(http.MethodPost, h.at+"/redirects", h.creator, notTheirs[10].body)}
		if string(probes[0].body) != string(probes[1].body) {
			t.Errorf("a redirect tells which pages a closed space has: %s %s", probes[0].body, probes[1].body)
		}
		// What says nothing of readers is theirs, and their own site is.
		s.callAs(h.creator, http.MethodPatch, h.at, `{"title":"Both of them"}`, http.StatusOK, nil)
		s.callAs(h.creator, http.MethodPatch, h.at, `{"visibility":"share-link"}`, http.StatusOK, nil)
		s.callAs(h.creator, http.MethodPost, own+"/publish", nil, http.StatusOK, nil)
		s.callAs(h.creator, http.MethodDelete, own, nil, http.StatusNoContent, nil)
		// A closed space in the trash may come back.
		s.call(http.MethodDelete, "/v1/spaces/"+h.closed, nil, http.StatusNoContent, nil)
		s.callAs(h.creator, http.MethodPost, h.at+"/publish", nil, http.StatusForbidden, nil)
		s.call(http.MethodPost, "/v1/spaces/"+h.closed+"/restore", nil, http.StatusOK, nil)
		// With the role create in the space all of it goes.
		s.call(http.MethodPost, "/v1/spaces/"+h.closed+"/permissions", fmt.Sprintf(`{"users":[%q],"role":"review"}`,
			h.creatorID), http.StatusNoContent, nil)
		s.callAs(h.creator, http.MethodPost, h.at+"/publish", nil, http.StatusForbidden, nil)
		s.call(http.MethodPost, "/v1/spaces/"+h.closed+"/permissions", fmt.Sprintf(`{"users":[%q],"role":"create"}`,
			h.creatorID), http.StatusNoContent, nil)
		for _, each := range ways {
			if got := s.try(each.method, each.path, h.creator, each.body); got.status != each.fine {
				t.Errorf("with the right: %s %s %s: %d, want %d: %.300s", each.method, each.path, each.body, got.status,
					each.fine, got.body)
			}
		}
		s.callAs(h.creator, http.MethodDelete, h.at, nil, http.StatusNoContent, nil)
	})
}

// siteAsSeen is all that the operations of the test could change.
func (s *server) siteAsSeen(at string) string {
	s.t.Helper()
	var all strings.Builder
	for _, path := range []string{"", "/site-spaces", "/share-links", "/publishing/auth", "/redirects"} {
		all.WriteString(string(s.raw(http.MethodGet, at+path, s.token, nil).body) + "\n")
	}
	return all.String()
}
