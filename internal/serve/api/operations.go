package api

import "net/http"

const (
	get    = http.MethodGet
	post   = http.MethodPost
	patch  = http.MethodPatch
	remove = http.MethodDelete
	put    = http.MethodPut
)

// operations is the whole surface of the API, in the order of the page for people.
func (a *API) operations() []operation {
	operations := []operation{
		row("getAuthenticatedUser", get, "/v1/user", "Users", "Get the user of the token", a.getUser),

		row("listOrganizationsForAuthenticatedUser", get, "/v1/orgs", "Organizations", "List your organizations",
			a.listOrganizations),
		row("createOrganization", post, "/v1/orgs", "Organizations", "Create an organization", a.createOrganization,
			status(http.StatusCreated), describe("You become its admin. Who may is the operator's to say "+
				"(--create-organizations): by default the administrators whom they chose.")),
		row("getOrganizationById", get, "/v1/orgs/{organizationId}", "Organizations", "Get an organization",
			a.getOrganization),

		row("listSpacesInOrganizationById", get, "/v1/orgs/{organizationId}/spaces", "Spaces", "List spaces",
			a.listSpaces,
			describe("Only those that you may read, in the order of the organization.")),
		row("createSpace", post, "/v1/orgs/{organizationId}/spaces", "Spaces", "Create a space", a.createSpace,
			status(http.StatusCreated)),
		row("getSpaceById", get, "/v1/spaces/{spaceId}", "Spaces", "Get a space", a.getSpace),
		row("updateSpaceById", patch, "/v1/spaces/{spaceId}", "Spaces", "Change a space", a.updateSpace,
			describe("Fields that the body leaves out stay as they are; null takes away what may be missing."),
			may(http.StatusConflict)),
		row("deleteSpaceById", remove, "/v1/spaces/{spaceId}", "Spaces", "Delete a space", a.deleteSpace,
			status(http.StatusNoContent), describe("It can be restored for seven days.")),
		row("listTrash", get, "/v1/orgs/{organizationId}/trash", "Spaces", "List deleted spaces", a.listTrash,
			describe("The spaces that you may restore, the last deleted first. They are there for seven days.")),
		row("restoreSpace", post, "/v1/spaces/{spaceId}/restore", "Spaces", "Restore a deleted space", a.restoreSpace,
			may(http.StatusConflict)),

		row("getCurrentRevision", get, "/v1/spaces/{spaceId}/content", "Content", "Get the current revision",
			a.getRevision, answers[Revision]()),
		row("listPages", get, "/v1/spaces/{spaceId}/content/pages", "Content", "List pages", a.listPages,
			answers[PageTree](),
			describe("The whole tree, without bodies.")),
		row("getPageById", get, "/v1/spaces/{spaceId}/content/page/{pageId}", "Content", "Get a page", a.getPageByID,
			answers[Page]()),
		row("getPageByPath", get, "/v1/spaces/{spaceId}/content/path/{pagePath}", "Content", "Get a page by its path",
			a.getPageByPath, answers[Page](),
			describe("Old paths of pages that were renamed or moved lead to them too.")),
		row("listFiles", get, "/v1/spaces/{spaceId}/content/files", "Content", "List files", a.listFiles),
		row("getFileById", get, "/v1/spaces/{spaceId}/content/files/{fileId}", "Content", "Get a file", a.getFile,
			answers[File]()),
		row("downloadFile", get, "/v1/downloads/{spaceId}/{blob}/{name}", "Content", "Download a file", a.download,
			anyone(), may(http.StatusForbidden, http.StatusNotFound, http.StatusTooManyRequests),
			describe("The address comes from a file's downloadURL, which is signed and works for a day or two.")),
		row("importContent", post, "/v1/spaces/{spaceId}/content/import", "Content", "Import from an address",
			a.importContent,
			status(http.StatusCreated), background[Import](), may(http.StatusConflict, http.StatusRequestEntityTooLarge,
				http.StatusUnsupportedMediaType),
			describe("The import becomes one revision, or none when it fails. With the header Prefer: respond-async "+
				"the answer is 202 and the import goes on in the background.")),
		row("uploadContent", post, "/v1/spaces/{spaceId}/content/upload", "Content", "Import an uploaded file",
			a.uploadContent, uploads(),
			status(http.StatusCreated), background[Import](), may(http.StatusConflict, http.StatusRequestEntityTooLarge,
				http.StatusUnsupportedMediaType),
			describe("The request's body is a ZIP of pages, an export of Confluence or Notion, or one Word, Markdown "+
				"or HTML file; or a form with one of them. Prefer: respond-async works as for an import from an "+
				"address.")),
		row("exportContent", get, "/v1/spaces/{spaceId}/content/export", "Content", "Export as Markdown",
			a.exportContent,
			describe("A ZIP of Markdown files with SUMMARY.md and all files; importing it gives the same content.")),

		row("listImports", get, "/v1/org/{organizationId}/imports", "Imports", "List imports", a.listImports,
			describe("The newest first.")),
		row("getImport", get, "/v1/org/{organizationId}/imports/{importId}", "Imports", "Get an import", a.getImport,
			describe("Its progress while it runs, and its report when it is done.")),
		row("cancelImport", remove, "/v1/org/{organizationId}/imports/{importId}", "Imports", "Cancel an import",
			a.cancelImport,
			status(http.StatusNoContent), may(http.StatusConflict), describe("Nothing of it is kept.")),

		row("searchSpaceContent", get, "/v1/spaces/{spaceId}/search", "Search", "Search a space", a.searchSpace),
		row("searchOrganizationContent", get, "/v1/orgs/{organizationId}/search", "Search", "Search an organization",
			a.searchOrganization,
			describe("Everything that you may read, ranked together and grouped by space.")),

		row("listSites", get, "/v1/orgs/{organizationId}/sites", "Sites", "List sites", a.listSites),
		row("createSite", post, "/v1/orgs/{organizationId}/sites", "Sites", "Create a site", a.createSite,
			status(http.StatusCreated)),
		row("getSiteById", get, "/v1/orgs/{organizationId}/sites/{siteId}", "Sites", "Get a site", a.getSite),
		row("updateSiteById", patch, "/v1/orgs/{organizationId}/sites/{siteId}", "Sites", "Change a site", a.updateSite,
			may(http.StatusConflict)),
		row("publishSite", post, "/v1/orgs/{organizationId}/sites/{siteId}/publish", "Sites", "Publish a site",
			a.publishSite,
			describe("From now on it follows its spaces.")),
		row("getPublishedContentSite", get, "/v1/orgs/{organizationId}/sites/{siteId}/published", "Sites",
			"Get a site's profile", a.getPublishedSite,
			describe("Its structure and looks, complete with defaults. A site that is not published has none: 404.")),
		row("listSiteSpaces", get, "/v1/orgs/{organizationId}/sites/{siteId}/site-spaces", "Sites",
			"List the spaces of a site", a.listSiteSpaces),
		row("addSpaceToSite", post, "/v1/orgs/{organizationId}/sites/{siteId}/site-spaces", "Sites",
			"Put a space on a site", a.addSiteSpace,
			status(http.StatusCreated), may(http.StatusConflict)),
	}
	operations = append(operations, a.structureOperations()...)
	operations = append(operations, a.changeOperations()...)
	operations = append(operations, a.specOperations()...)
	operations = append(operations, a.identityOperations()...)
	operations = append(operations, a.tokenOperations()...)
	operations = append(operations, a.translationOperations()...)
	operations = append(operations, a.writingOperations()...)
	operations = append(operations, a.commentOperations()...)
	operations = append(operations, a.spacesOperations()...)
	operations = append(operations, a.importsOperations()...)
	operations = append(operations, a.linkOperations()...)
	operations = append(operations, a.integrationOperations()...)
	operations = append(operations, a.pdfOperations()...)
	operations = append(operations, a.peopleOperations()...)
	operations = append(operations, a.audienceOperations()...)
	operations = append(operations, a.lookOperations()...)
	return operations
}
