package api

import "net/http"

// maxSpecBody bounds a request with a specification of 10 MB in it: as a JSON text it takes up to twice as much, and
// some more where it is not ASCII.
const maxSpecBody = 24 << 20

// specOperations are those of OpenAPI specifications.
func (a *API) specOperations() []operation {
	const (
		list     = "/v1/orgs/{organizationId}/openapi"
		one      = list + "/{specSlug}"
		versions = one + "/versions"
	)
	return []operation{
		row("listOpenAPISpecs", get, list, "OpenAPI", "List OpenAPI specifications", a.listSpecs, describe("By slug.")),
		row("createOpenAPISpec", post, list, "OpenAPI", "Create an OpenAPI specification", a.createSpec,
			status(http.StatusCreated),
			takes(maxSpecBody), may(http.StatusConflict, http.StatusRequestEntityTooLarge),
			describe("From an address or a text: OpenAPI 2.0, 3.0 or 3.1 in JSON or YAML. It is processed in the "+
				"background; processingState, lastProcessErrorCode and lastProcessedErrors say how that goes.")),
		row("getOpenAPISpecBySlug", get, one, "OpenAPI", "Get an OpenAPI specification", a.getSpec),
		row("createOrUpdateOpenAPISpecBySlug", http.MethodPut, one, "OpenAPI",
			"Create or change an OpenAPI specification", a.putSpec,
			creates[OpenAPISpec](), takes(maxSpecBody), may(http.StatusRequestEntityTooLarge),
			describe("With the source that it has already, it is fetched and processed again. A new version is made "+
				"only when the content has changed.")),
		row("deleteOpenAPISpecBySlug", remove, one, "OpenAPI", "Delete an OpenAPI specification", a.deleteSpec,
			status(http.StatusResetContent), describe("With all its versions.")),
		row("listOpenAPISpecVersions", get, versions, "OpenAPI", "List the versions of an OpenAPI specification",
			a.listSpecVersions, describe("The newest first.")),
		row("getLatestOpenAPISpecVersion", get, versions+"/latest", "OpenAPI", "Get the latest version",
			a.getLatestSpecVersion),
		row("getLatestOpenAPISpecVersionContent", get, versions+"/latest/content", "OpenAPI",
			"Get the content of the latest version", a.getLatestSpecContent,
			answers[OpenAPISpecContent]()),
		row("getLatestOpenAPISpecVersionContentRaw", get, versions+"/latest/content/raw", "OpenAPI",
			"Get the text of the latest version", a.getLatestSpecRaw,
			describe("As it was written.")),
		row("getOpenAPISpecVersionById", get, versions+"/{versionId}", "OpenAPI", "Get a version", a.getSpecVersion),
		row("getOpenAPISpecVersionContentById", get, versions+"/{versionId}/content", "OpenAPI",
			"Get the content of a version", a.getSpecContent,
			answers[OpenAPISpecContent]()),
	}
}
