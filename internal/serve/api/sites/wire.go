package sites

import (
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/publish/site/customization"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// SiteSpace is a space on a site.
type SiteSpace struct {
	Object                          string       `json:"object" enum:"site-space"`
	ID                              id.SiteSpace `json:"id"`
	Path                            string       `json:"path"`
	Section                         id.Section   `json:"section,omitempty"`
	Space                           wire.Space   `json:"space"`
	Title                           string       `json:"title"`
	Default                         bool         `json:"default"`
	Condition                       string       `json:"condition,omitempty"`
	Draft                           bool         `json:"draft"`
	HasAdvancedCustomizationFeature bool         `json:"hasAdvancedCustomizationFeature"`
	URLs                            SpacePlace   `json:"urls"`
}

// PublishedSite is the complete profile of a site: its structure and its looks.
type PublishedSite struct {
	Object         string             `json:"object" enum:"published-content-site"`
	Site           wire.Site          `json:"site"`
	Structure      SiteStructure      `json:"structure"`
	Customizations SiteCustomizations `json:"customizations"`
	Scripts        []SiteScript       `json:"scripts"`
}

// SiteCustomizations are the looks of a site and of each space on it, by the id of the site space.
type SiteCustomizations struct {
	Site       customization.Customization                  `json:"site"`
	SiteSpaces map[id.SiteSpace]customization.Customization `json:"siteSpaces"`
}

// SiteScript is a script that an integration puts on the site.
type SiteScript struct {
	Script                string `json:"script" format:"uri"`
	ContentSecurityPolicy string `json:"contentSecurityPolicy,omitempty"`
	Cookies               bool   `json:"cookies"`
}
