package api

import (
	"github.com/rectodocs/recto/internal/content/spec"
	"github.com/rectodocs/recto/internal/engine/entity"
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

// OpenAPISpecVersion is what a specification was at one time.
type OpenAPISpecVersion struct {
	Object    string                `json:"object" enum:"openapi-spec-version"`
	ID        string                `json:"id"`
	CreatedAt string                `json:"createdAt" format:"date-time"`
	URL       string                `json:"url" format:"uri" maxLength:"2048" doc:"The document as it was written; needs no token and works for a day or two."`
	URLs      OpenAPISpecVersionURL `json:"urls"`
}

// OpenAPISpecVersionURL is the address of a version.
type OpenAPISpecVersionURL struct {
	Location string `json:"location" format:"uri"`
}

// OpenAPISpecContent is the document of a version.
type OpenAPISpecContent struct {
	Filesystem map[string]OpenAPIFile `json:"filesystem" doc:"The document as OpenAPI 3.1 under openapi.json, and all files that it refers to under their addresses."`
	URL        string                 `json:"url" format:"uri" maxLength:"2048" doc:"The document as it was written; needs no token and works for a day or two."`
}

// OpenAPIFile is one file of a specification.
type OpenAPIFile struct {
	Filename      string   `json:"filename"`
	IsEntrypoint  bool     `json:"isEntrypoint"`
	References    []string `json:"references" doc:"Names of the other files."`
	Specification any      `json:"specification"`
}

// OpenAPISpecRawContent is the document of a version as it was written.
type OpenAPISpecRawContent struct {
	Text   string `json:"text"`
	Format string `json:"format" enum:"json,yaml"`
}

func (a *API) specURL(organization, slug string) string {
	return a.BaseURL + "/v1/orgs/" + organization + "/openapi/" + slug
}

func (a *API) wireSpec(s spec.Spec) OpenAPISpec {
	wire := OpenAPISpec{
		Object: "openapi-spec", ID: s.ID, Slug: s.Slug, CreatedAt: timestamp(s.CreatedAt),
		UpdatedAt: timestamp(s.UpdatedAt),
		SourceURL: s.SourceURL, ProcessingState: string(s.State), Visibility: "private", LastVersion: s.LastVersion,
		LastProcessErrCode: string(s.Error), Permissions: OpenAPIPermissions(s.Permissions),
		URLs: OpenAPISpecURLs{Location: a.specURL(s.Organization, s.Slug), App: a.BaseURL + "/app/orgs/" +
			s.Organization + "/openapi/" + s.Slug},
	}
	if !s.ProcessedAt.IsZero() {
		wire.LastProcessedAt = timestamp(s.ProcessedAt)
	}
	for _, problem := range s.Problems {
		wire.LastProcessedErrors = append(wire.LastProcessedErrors, OpenAPIError(problem))
	}
	return wire
}

// rawURL signs the address of the document of a version as it was written; see downloads.go.
func (a *API) rawURL(v spec.Version) string {
	return a.downloadURL(v.Spec, &entity.Entry{Blob: v.RawBlob, Name: v.Slug + "." + string(v.Format)})
}

// wireSpecVersion makes the wire form of the versions of an organization's specifications.
func (a *API) wireSpecVersion(organization string) func(spec.Version) OpenAPISpecVersion {
	return func(v spec.Version) OpenAPISpecVersion {
		return OpenAPISpecVersion{
			Object: "openapi-spec-version", ID: v.ID, CreatedAt: timestamp(v.CreatedAt), URL: a.rawURL(v),
			URLs: OpenAPISpecVersionURL{Location: a.specURL(organization, v.Slug) + "/versions/" + v.ID},
		}
	}
}
