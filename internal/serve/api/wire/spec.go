package wire

import (
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/spec"
)

// OpenAPISpec is an OpenAPI specification of an organization.
type OpenAPISpec struct {
	Object              string             `json:"object" enum:"openapi-spec"`
	ID                  string             `json:"id"`
	CreatedAt           string             `json:"createdAt" format:"date-time"`
	UpdatedAt           string             `json:"updatedAt" format:"date-time"`
	Slug                string             `json:"slug" minLength:"1" maxLength:"100" pattern:"^[a-z0-9]+(?:-[a-z0-9]+)*$"`
	SourceURL           string             `json:"sourceURL,omitempty" format:"uri" doc:"Where it is fetched from; absent for a text."`
	ProcessingState     string             `json:"processingState" enum:"pending,progress,complete"`
	Visibility          string             `json:"visibility" enum:"private,public"`
	LastVersion         string             `json:"lastVersion,omitempty" doc:"Id of the latest version."`
	LastProcessedAt     string             `json:"lastProcessedAt,omitempty" format:"date-time"`
	LastProcessErrCode  string             `json:"lastProcessErrorCode,omitempty" enum:"FETCH_TIMEOUT,FETCH_ERROR,PARSE_ERROR" doc:"Why it could not be processed; the versions stay as they were."`
	LastProcessedErrors []OpenAPIError     `json:"lastProcessedErrors,omitempty"`
	LastProcessedCount  int                `json:"lastProcessedErrorCount" doc:"How many lastProcessedErrors are."`
	Permissions         OpenAPIPermissions `json:"permissions"`
	URLs                OpenAPISpecURLs    `json:"urls"`
}

// OpenAPIError is something that is wrong with a specification.
type OpenAPIError struct {
	Message string `json:"message" doc:"What is wrong, with the line and column where that is known."`
	Code    string `json:"code,omitempty" enum:"error,warning" doc:"A warning does not keep the specification from being used."`
}

// OpenAPIPermissions say what the caller may do with a specification.
type OpenAPIPermissions struct {
	View bool `json:"view"`
	Edit bool `json:"edit"`
}

// OpenAPISpecURLs are a specification's addresses.
type OpenAPISpecURLs struct {
	Location string `json:"location" format:"uri"`
	App      string `json:"app" format:"uri"`
}

// SpecURL is the address of a specification.
func (w Writer) SpecURL(organization id.Organization, slug string) string {
	return w.BaseURL + "/v1/orgs/" + string(organization) + "/openapi/" + slug
}

// Spec turns a specification into its wire form.
func (w Writer) Spec(s spec.Spec) OpenAPISpec {
	wire := OpenAPISpec{
		Object: "openapi-spec", ID: s.ID, Slug: s.Slug, CreatedAt: Timestamp(s.CreatedAt),
		UpdatedAt: Timestamp(s.UpdatedAt),
		SourceURL: s.SourceURL, ProcessingState: string(s.State), Visibility: "private", LastVersion: s.LastVersion,
		LastProcessErrCode: string(s.Error), Permissions: OpenAPIPermissions(s.Permissions),
		URLs: OpenAPISpecURLs{Location: w.SpecURL(s.Organization, s.Slug), App: w.BaseURL + "/app/orgs/" +
			string(s.Organization) + "/openapi/" + s.Slug},
	}
	if !s.ProcessedAt.IsZero() {
		wire.LastProcessedAt = Timestamp(s.ProcessedAt)
	}
	for _, problem := range s.Problems {
		wire.LastProcessedErrors = append(wire.LastProcessedErrors, OpenAPIError(problem))
	}
	wire.LastProcessedCount = len(wire.LastProcessedErrors)
	return wire
}
