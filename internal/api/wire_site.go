package api

import "github.com/rectodocs/recto/internal/site"

// Site shows spaces to readers at an address.
type Site struct {
	Object     string `json:"object" enum:"site"`
	ID         string `json:"id"`
	Type       string `json:"type" enum:"basic,premium,ultimate,sponsored,legacy-basic,legacy-premium"`
	Title      string `json:"title"`
	Basename   string `json:"basename,omitempty"`
	Visibility string `json:"visibility" enum:"public,unlisted,share-link,visitor-auth"`
	Published  bool   `json:"published"`
	// SiteSpaces is the number of spaces on the site.
	SiteSpaces      int             `json:"siteSpaces"`
	CreatedAt       string          `json:"createdAt" format:"date-time"`
	AdaptiveContent AdaptiveContent `json:"adaptiveContent"`
	AgentsContext   string          `json:"agentsContext" enum:"included,excluded"`
	Features        []SiteFeature   `json:"features"`
	URLs            SiteURLs        `json:"urls"`
}

// AdaptiveContent says whether pages may depend on the visitor.
type AdaptiveContent struct {
	Enabled bool `json:"enabled"`
}

// SiteFeature is a feature that is sold elsewhere; every site has all of them, so lists are empty.
type SiteFeature struct {
	ID     string `json:"id"`
	Plan   string `json:"plan"`
	Frozen bool   `json:"frozen"`
}

// SiteURLs are a site's addresses.
type SiteURLs struct {
	Location string `json:"location" format:"uri"`
	App      string `json:"app" format:"uri"`
	// Published is there while the site is.
	Published string `json:"published,omitempty" format:"uri"`
}

// SiteSpace is a space on a site.
type SiteSpace struct {
	Object                          string     `json:"object" enum:"site-space"`
	ID                              string     `json:"id"`
	Path                            string     `json:"path"`
	Section                         string     `json:"section,omitempty"`
	Space                           Space      `json:"space"`
	Title                           string     `json:"title"`
	Default                         bool       `json:"default"`
	Condition                       string     `json:"condition,omitempty"`
	Draft                           bool       `json:"draft"`
	HasAdvancedCustomizationFeature bool       `json:"hasAdvancedCustomizationFeature"`
	URLs                            SpacePlace `json:"urls"`
}

// PublishedSite is the complete profile of a site: its structure and its looks.
type PublishedSite struct {
	Object         string             `json:"object" enum:"published-content-site"`
	Site           Site               `json:"site"`
	Structure      SiteStructure      `json:"structure"`
	Customizations SiteCustomizations `json:"customizations"`
	Scripts        []SiteScript       `json:"scripts"`
}

// SiteCustomizations are the looks of a site and of each space on it, by the id of the site space.
type SiteCustomizations struct {
	Site       site.Customization            `json:"site"`
	SiteSpaces map[string]site.Customization `json:"siteSpaces"`
}

// SiteScript is a script that an integration puts on the site.
type SiteScript struct {
	Script                string `json:"script" format:"uri"`
	ContentSecurityPolicy string `json:"contentSecurityPolicy,omitempty"`
	Cookies               bool   `json:"cookies"`
}

func (a *API) wireSite(s site.Site) Site {
	return Site{
		Object: "site", ID: s.ID, Type: string(s.Type), Title: s.Title, Basename: s.Basename,
		Visibility: string(s.Visibility), Published: s.Published, SiteSpaces: s.SiteSpaces,
		CreatedAt: timestamp(s.CreatedAt), AdaptiveContent: AdaptiveContent{Enabled: s.AdaptiveContent},
		AgentsContext: string(s.AgentsContext), Features: []SiteFeature{},
		URLs: SiteURLs{
			Location:  a.BaseURL + "/v1/orgs/" + s.Organization + "/sites/" + s.ID,
			App:       a.BaseURL + "/app/orgs/" + s.Organization + "/sites/" + s.ID,
			Published: s.PublishedURL,
		},
	}
}
