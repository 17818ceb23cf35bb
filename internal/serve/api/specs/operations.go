package specs

import (
	"net/http"

	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// maxSpecBody bounds a request with a specification of 10 MB in it: as a JSON text it takes up to twice as much, and
// some more where it is not ASCII.
const maxSpecBody = 24 << 20

// Operations are those of OpenAPI specifications.
func (h *Handlers) Operations() []operation.Operation {
	const (
		list     = "/v1/orgs/{organizationId}/openapi"
		one      = list + "/{specSlug}"
		versions = one + "/versions"
	)
	return []operation.Operation{
		operation.New("listOpenAPISpecs", http.MethodGet, list, "OpenAPI", "List OpenAPI specifications", h.listSpecs,
			operation.Describe("By slug."),
			operation.Agents("openapi:read", "openapi:write")),
		operation.New("createOpenAPISpec", http.MethodPost, list, "OpenAPI", "Create an OpenAPI specification",
			h.createSpec,
			operation.Status(http.StatusCreated),
			operation.Takes(maxSpecBody), operation.May(http.StatusConflict, http.StatusRequestEntityTooLarge),
			operation.Describe(
				"From an address or a text: OpenAPI 2.0, 3.0 or 3.1 in JSON or YAML. It is processed in the "+
					"background; processingState, lastProcessErrorCode and lastProcessedErrors say how that goes.")),
		operation.New("getOpenAPISpecBySlug", http.MethodGet, one, "OpenAPI", "Get an OpenAPI specification",
			h.getSpec,
			operation.Agents("openapi:read", "openapi:write")),
		operation.New("createOrUpdateOpenAPISpecBySlug", http.MethodPut, one, "OpenAPI",
			"Create or change an OpenAPI specification", h.putSpec,
			operation.Creates[wire.OpenAPISpec](), operation.Takes(maxSpecBody),
			operation.May(http.StatusRequestEntityTooLarge),
			operation.Describe(
				"With the source that it has already, it is fetched and processed again. A new version is made "+
					"only when the content has changed.")),
		operation.New("deleteOpenAPISpecBySlug", http.MethodDelete, one, "OpenAPI", "Delete an OpenAPI specification",
			h.deleteSpec,
			operation.Status(http.StatusResetContent), operation.Describe("With all its versions.")),
		operation.New("listOpenAPISpecVersions", http.MethodGet, versions, "OpenAPI",
			"List the versions of an OpenAPI specification",
			h.listSpecVersions, operation.Describe("The newest first.")),
		operation.New("getLatestOpenAPISpecVersion", http.MethodGet, versions+"/latest", "OpenAPI",
			"Get the latest version",
			h.getLatestSpecVersion,
			operation.Agents("openapi:read", "openapi:write")),
		operation.New("getLatestOpenAPISpecVersionContent", http.MethodGet, versions+"/latest/content", "OpenAPI",
			"Get the content of the latest version", h.getLatestSpecContent,
			operation.Answers[OpenAPISpecContent](), operation.Visited(h.visitLatestSpecContent), operation.Previewed(),
			operation.Describe("With the token of a visit: what the pages that the visitor gets show of it, with all "+
				"that this refers to, and url is the address of this operation."),
			operation.Agents("openapi:read", "openapi:write")),
		operation.New("getLatestOpenAPISpecVersionContentRaw", http.MethodGet, versions+"/latest/content/raw",
			"OpenAPI",
			"Get the text of the latest version", h.getLatestSpecRaw,
			operation.Describe("As it was written.")),
		operation.New("getOpenAPISpecVersionById", http.MethodGet, versions+"/{versionId}", "OpenAPI", "Get a version",
			h.getSpecVersion),
		operation.New("getOpenAPISpecVersionContentById", http.MethodGet, versions+"/{versionId}/content", "OpenAPI",
			"Get the content of a version", h.getSpecContent,
			operation.Answers[OpenAPISpecContent]()),
	}
}
