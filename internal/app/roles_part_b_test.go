package app_test

import (
	"net/http"

	"github.com/rectodocs/recto/internal/org"
)

// partB are the trials of the operations for organizations, people and sites.
var partB = map[string]trial{
	// Organizations and people.
	"getAuthenticatedUser":                  {least: guest},
	"listOrganizationsForAuthenticatedUser": {least: guest},
	"createOrganization":                    {least: guest, body: `{"title":"Mine"}`, status: http.StatusCreated},
	"getOrganizationById":                   {least: guest},

	// Sites.
	"listSites":               {least: guest},
	"createSite":              {least: org.RoleCreate, body: `{"title":"New"}`, status: http.StatusCreated},
	"getSiteById":             {least: org.RoleRead},
	"updateSiteById":          {least: org.RoleCreate, body: `{"title":"New"}`},
	"publishSite":             {least: org.RoleCreate},
	"getPublishedContentSite": {least: org.RoleRead},
	"listSiteSpaces":          {least: org.RoleRead},
	"addSpaceToSite":          {least: org.RoleCreate, body: `{"spaceId":"{freeSpace}"}`, status: http.StatusCreated, prepare: withFreeSpace},
}

// withFreeSpace makes a space that is on no site.
func withFreeSpace(s *server, samples map[string]string) { samples["freeSpace"] = s.space("Free") }
