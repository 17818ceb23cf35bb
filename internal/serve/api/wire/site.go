package wire

import (
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/publish/site/customization"
)

// Site shows spaces to readers at an address.
type Site struct {
	Object string  `json:"object" enum:"site"`
	ID     id.Site `json:"id"`
	Type   string  `json:"type" enum:"basic,premium,ultimate,sponsored,legacy-basic,legacy-premium"`
	// AppliedType is the type whose features the site has.
	AppliedType string `json:"appliedType" enum:"basic,premium,ultimate,sponsored,legacy-basic,legacy-premium"`
	Title       string `json:"title"`
	// Icon is the picture in a browser's tab: an icon in both themes, or an emoji.
	Icon *customization.Favicon `json:"icon,omitempty"`
	// Hostname is a host of the site's own; HostnameProof says whether it serves the site.
	Hostname      string         `json:"hostname,omitempty"`
	HostnameProof *HostnameProof `json:"hostnameProof,omitempty"`
	Basename      string         `json:"basename,omitempty"`
	Proxy         *SiteProxy     `json:"proxy,omitempty"`
	Visibility    string         `json:"visibility" enum:"public,unlisted,share-link,visitor-auth"`
	// DefaultLevel is what members may do with it: what their roles say.
	DefaultLevel string `json:"defaultLevel" enum:"inherit"`
	// PermissionsModel says that rights in the organization and in spaces count, and none are given on a site.
	PermissionsModel string `json:"permissionsModel" enum:"legacy"`
	Published        bool   `json:"published"`
	// SiteSpaces is the number of spaces on the site.
	SiteSpaces      int             `json:"siteSpaces"`
	CreatedAt       string          `json:"createdAt" format:"date-time"`
	AdaptiveContent AdaptiveContent `json:"adaptiveContent"`
	AgentsContext   string          `json:"agentsContext" enum:"included,excluded"`
	Ads             SiteAds         `json:"ads"`
	Features        []SiteFeature   `json:"features"`
	Permissions     SitePermissions `json:"permissions"`
	URLs            SiteURLs        `json:"urls"`
}

// HostnameProof says whether a hostname is known to be its owner's, and what would prove it.
type HostnameProof struct {
	Status string         `json:"status" enum:"pending,proven"`
	Record HostnameRecord `json:"record"`
}

// HostnameRecord is a record of the domain name system.
type HostnameRecord struct {
	Type  string `json:"type" enum:"TXT"`
	Name  string `json:"name"`
	Value string `json:"value"`
}

// SiteProxy says where another server shows the site, and what it has to pass requests on to.
type SiteProxy struct {
	Origin string `json:"origin"`
	Target string `json:"target" format:"uri"`
}

// SiteAds says whether a site shows advertisements; none does. Topic and zone are what clients expect beside that.
type SiteAds struct {
	Status string `json:"status" enum:"disabled"`
	Topic  string `json:"topic" enum:"webdev"`
	Zone   string `json:"zoneId"`
}

// SitePermissions say what the caller may do with a site.
type SitePermissions struct {
	View               bool `json:"view" doc:"Read it, and of its spaces those that the caller may read."`
	Access             bool `json:"access" doc:"The same as view."`
	Edit               bool `json:"edit" doc:"Change its title, address, order, redirects and look."`
	Create             bool `json:"create" doc:"Put spaces, sections and groups on it; a space needs manage there as well."`
	Admin              bool `json:"admin" doc:"Publish and delete it, and say who may read it and at which hosts. It needs manage in every space on the site."`
	InstallIntegration bool `json:"installIntegration" doc:"Put integrations that the organization has installed on it; needs the same as admin."`
	ViewAdaptiveSchema bool `json:"viewAdaptiveSchema"`
	EditAdaptiveSchema bool `json:"editAdaptiveSchema" doc:"Needs the same as admin."`
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
	// Preview is where the caller sees the site as its visitors do. In getSiteById of a published site it holds a
	// ticket and is where they choose a visitor; elsewhere it is the site's screen in the app.
	Preview string `json:"preview" format:"uri"`
	// Login and Logout are there on published sites whose visitors sign in.
	Login  string `json:"login,omitempty" format:"uri"`
	Logout string `json:"logout,omitempty" format:"uri"`
}

// Site turns a site into its wire form.
func (w Writer) Site(s site.Site) Site {
	wire := Site{
		Object: "site", ID: s.ID, Type: string(s.Type), AppliedType: string(s.Type), Hostname: s.Hostname,
		Title: s.Title, Basename: s.Basename,
		Visibility: string(s.Visibility), Published: s.Published, SiteSpaces: s.SiteSpaces,
		CreatedAt: Timestamp(s.CreatedAt), AdaptiveContent: AdaptiveContent{Enabled: s.AdaptiveContent},
		AgentsContext: string(s.AgentsContext), Ads: SiteAds{Status: "disabled", Topic: "webdev"},
		Features:     []SiteFeature{},
		DefaultLevel: "inherit", PermissionsModel: "legacy",
		Permissions: SitePermissions(s.Permissions),
		URLs: SiteURLs{
			Location:  w.BaseURL + "/v1/orgs/" + string(s.Organization) + "/sites/" + string(s.ID),
			App:       w.BaseURL + "/app/orgs/" + string(s.Organization) + "/sites/" + string(s.ID),
			Published: s.PublishedURL,
		},
	}
	wire.URLs.Preview = wire.URLs.App
	if s.Icon != (customization.Favicon{}) {
		wire.Icon = &s.Icon
	}
	if s.Hostname != "" {
		wire.HostnameProof = &HostnameProof{Status: "pending", Record: HostnameRecord(s.HostnameRecord())}
		if s.HostnameProven {
			wire.HostnameProof.Status = "proven"
		}
	}
	if s.Proxy != "" {
		wire.Proxy = &SiteProxy{Origin: s.Proxy, Target: s.DirectURL}
	}
	if s.Visibility == site.VisibilityVisitorAuth && s.PublishedURL != "" {
		wire.URLs.Login, wire.URLs.Logout = s.PublishedURL+"~/auth/login", s.PublishedURL+"~/auth/logout"
	}
	return wire
}
