package links

import (
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// ContentLocation is a place that content can point at, or be in. Kind says which of the fields are there.
type ContentLocation struct {
	Kind         string             `json:"kind" enum:"file,url,page,user,collection,space,reusable-content,openapi"`
	URL          string             `json:"url,omitempty" doc:"The address, or the destination of a broken link as it is written."`
	Organization *wire.Organization `json:"organization,omitempty"`
	Space        *wire.Space        `json:"space,omitempty"`
	// VersionContext is there for what has versions: pages, files and reusable contents.
	VersionContext   *VersionContext       `json:"versionContext,omitempty"`
	Page             *wire.Page            `json:"page,omitempty" doc:"The page, without the pages below it."`
	File             *wire.File            `json:"file,omitempty"`
	ReusableContent  *wire.ReusableContent `json:"reusableContent,omitempty"`
	User             *wire.User            `json:"user,omitempty"`
	Collection       *wire.Collection      `json:"collection,omitempty"`
	OpenAPISpec      *wire.OpenAPISpec     `json:"openAPISpec,omitempty"`
	InternalLocation *InternalLocation     `json:"internalLocation,omitempty"`
}

// VersionContext says which version of the content a location is of: a revision of the main content, or a change
// request.
type VersionContext struct {
	Type          string              `json:"type" enum:"revision,changeRequest"`
	Revision      *wire.Revision      `json:"revision,omitempty" doc:"Without its content: the lists of pages, files and reusable contents are empty here."`
	ChangeRequest *wire.ChangeRequest `json:"changeRequest,omitempty"`
}

// InternalLocation is a place in a page.
type InternalLocation struct {
	Type   string `json:"type" enum:"anchor,node"`
	Anchor string `json:"anchor,omitempty"`
	Node   string `json:"node,omitempty" doc:"Key of the node in the page's document."`
}

// LinkUsage is a link: one destination in one page or reusable content.
type LinkUsage struct {
	Status   string `json:"status" enum:"ok,broken,in-app"`
	Relation string `json:"relation" enum:"reference,dependsOn"`
	// TargetReference is where the link leads, as far as the caller may see it.
	TargetReference    *ContentLocation  `json:"targetReference,omitempty"`
	LocationReferences []ContentLocation `json:"locationReferences"`
	Reason             string            `json:"reason,omitempty" enum:"empty,no-page,no-file,no-reusable-content,no-anchor,no-path,no-space,not-found,address-gone,no-answer" doc:"Why a link is broken."`
	Written            string            `json:"written" doc:"The destination as it is written."`
	Places             int               `json:"places" doc:"How often it stands there; locationReferences has the first hundred."`
}

// LinkStats count the links of a list, whatever its filter.
type LinkStats struct {
	Total  int             `json:"total"`
	Broken BrokenLinkStats `json:"broken"`
}

// BrokenLinkStats count broken links.
type BrokenLinkStats struct {
	Total int `json:"total"`
	// ChangeRequest is how many of them a change request adds.
	ChangeRequest *int `json:"changeRequest,omitempty"`
}

// LinkList is a list of links with their numbers.
type LinkList struct {
	Items []LinkUsage `json:"items"`
	Count int         `json:"count" doc:"Number of items on all pages together, under the same filter."`
	Next  *wire.Next  `json:"next,omitempty" doc:"Absent on the last page."`
	Stats LinkStats   `json:"stats"`
}
