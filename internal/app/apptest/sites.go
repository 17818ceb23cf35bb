package apptest

import (
	"maps"
	"net/http"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// Ping returns the token with the claims of whoever has an API token.
func (s *Server) Ping(token string) string {
	s.T.Helper()
	var seen struct{ ServiceVisitorClaims, GitBookVisitorClaims string }
	s.CallAs(token, http.MethodPost, "/v1/orgs/"+s.Organization+"/ping", nil, http.StatusOK, &seen)
	if seen.ServiceVisitorClaims != seen.GitBookVisitorClaims {
		s.T.Errorf("two tokens: %q and %q", seen.ServiceVisitorClaims, seen.GitBookVisitorClaims)
	}
	return seen.ServiceVisitorClaims
}

// Site is a published site with the addresses of its operations.
type Site struct {
	S          *Server
	Path, Home string
	Space      string
	Files      []string // addresses below Home, on the site that is crawled
	Proposal   Proposal // on the site that is crawled
}

// NewSite makes a published site with one space that holds the pages of a body of updateContent.
func (s *Server) NewSite(title, visibility, changes string) Site {
	s.T.Helper()
	space := s.Space(title)
	s.Call(http.MethodPost, "/v1/spaces/"+space+"/content", `{"changes":[`+changes+`]}`, http.StatusOK, nil)
	var site struct {
		ID   string
		URLs struct{ Published string }
	}
	sites := "/v1/orgs/" + s.Organization + "/sites"
	s.Call(http.MethodPost, sites, map[string]any{"title": title, "visibility": visibility, "spaces": []string{space}},
		http.StatusCreated, &site)
	s.Call(http.MethodPost, sites+"/"+site.ID+"/publish", nil, http.StatusOK, &site)
	return Site{S: s, Path: sites + "/" + site.ID, Home: site.URLs.Published, Space: space}
}

// Link makes a share link and returns its id and address.
func (a Site) Link(name string) (id, address string) {
	a.S.T.Helper()
	var made struct {
		ID   string
		URLs struct{ Published string }
	}
	a.S.Call(http.MethodPost, a.Path+"/share-links", map[string]any{"name": name}, http.StatusCreated, &made)
	return made.ID, made.URLs.Published
}

// Key returns the key that visitors' tokens are signed with.
func (a Site) Key() string {
	a.S.T.Helper()
	var auth struct{ PrivateKey string }
	a.S.Call(http.MethodGet, a.Path+"/publishing/auth", nil, http.StatusOK, &auth)
	return auth.PrivateKey
}

// Adapt turns adaptive content on with a schema.
func (a Site) Adapt(schema string) {
	a.S.T.Helper()
	a.S.Call(http.MethodPut, a.Path+"/adaptive-schema", `{"jsonSchema":`+schema+`}`, http.StatusOK, nil)
	a.S.Call(http.MethodPatch, a.Path, `{"adaptiveContent":{"enabled":true}}`, http.StatusOK, nil)
}

// SignClaims makes a visitor's token that holds for an hour.
func SignClaims(t testing.TB, key string, claims map[string]any) string {
	t.Helper()
	all := jwt.MapClaims{"exp": time.Now().Add(time.Hour).Unix()}
	maps.Copy(all, claims)
	text, err := jwt.NewWithClaims(jwt.SigningMethodHS256, all).SignedString([]byte(key))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// OnePage is a change that inserts a page.
const OnePage = `{"operation":"insert_page","title":"Start","document":{"markdown":"The whole text.\n"}}`

// OwnHost is the custom hostname of a site, ProxyHost that of a server before it, and SitesDomain that of all sites.
const OwnHost, ProxyHost, SitesDomain = "docs.customer.test", "www.customer.test", "sites.test"

// PublishedSite makes a public site with one space, publishes it, and returns it with the space and the site space.
func (s *Server) PublishedSite(title, space string) (site, siteSpace string) {
	s.T.Helper()
	organization := "/v1/orgs/" + s.Organization
	var made Identified
	s.Call(http.MethodPost, organization+"/sites", `{"title":"`+title+`","visibility":"public","spaces":["`+space+`"]}`,
		http.StatusCreated, &made)
	s.Call(http.MethodPost, organization+"/sites/"+made.ID+"/publish", nil, http.StatusOK, nil)
	var siteSpaces struct{ Items []Identified }
	s.Call(http.MethodGet, organization+"/sites/"+made.ID+"/site-spaces", nil, http.StatusOK, &siteSpaces)
	return made.ID, siteSpaces.Items[0].ID
}

// SiteParts is a site with two sections, a group and a redirect.
type SiteParts struct {
	Site                                                       string
	Space, Section, Other, siteSpace, Variant, Group, Redirect string
}

// SiteParts makes such a site.
func (s *Server) SiteParts() SiteParts {
	s.T.Helper()
	made := func(path string, body any) string {
		var one Identified
		s.Call(http.MethodPost, path, body, http.StatusCreated, &one)
		return one.ID
	}
	var p SiteParts
	p.Space = s.Space("Guide")
	p.Site = "/v1/orgs/" + s.Organization + "/sites/" + made("/v1/orgs/"+s.Organization+"/sites",
		map[string]any{"title": "Docs", "spaces": []string{p.Space}})
	p.Section = made(p.Site+"/sections", map[string]any{"spaceId": p.Space})
	p.Other = made(p.Site+"/sections", map[string]any{"spaceId": p.Space, "title": "Other"})
	p.Group = made(p.Site+"/section-groups", map[string]any{"title": "Group"})
	p.Variant = made(p.Site+"/site-spaces", map[string]any{"spaceId": p.Space})
	p.Redirect = made(p.Site+"/redirects", map[string]any{"source": "/old",
		"destination": map[string]any{"kind": "site-section", "siteSectionId": p.Section}})
	var spaces struct{ Items []Identified }
	s.Call(http.MethodGet, p.Site+"/site-spaces", nil, http.StatusOK, &spaces)
	p.siteSpace = spaces.Items[0].ID
	return p
}
