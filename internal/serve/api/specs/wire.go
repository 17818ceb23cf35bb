package specs

import (
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/spec"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

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
	URLs       OpenAPIContentURLs     `json:"urls"`
}

// OpenAPIContentURLs are the addresses of a document.
type OpenAPIContentURLs struct {
	Source string  `json:"source" format:"uri" doc:"The same as url."`
	Public *string `json:"public" format:"uri" doc:"Always null: a specification is not public by itself."`
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

// rawURL signs the address of the document of a version as it was written; see download.Signer.
func (h *Handlers) rawURL(v spec.Version) string {
	return h.Wire.Downloads.URL(v.Spec, &entity.Entry{Blob: v.RawBlob, Name: v.Slug + "." + string(v.Format)})
}

// wireSpecVersion makes the wire form of the versions of an organization's specifications.
func (h *Handlers) wireSpecVersion(organization id.Organization) func(spec.Version) OpenAPISpecVersion {
	return func(v spec.Version) OpenAPISpecVersion {
		return OpenAPISpecVersion{
			Object: "openapi-spec-version", ID: v.ID, CreatedAt: wire.Timestamp(v.CreatedAt), URL: h.rawURL(v),
			URLs: OpenAPISpecVersionURL{Location: h.Wire.SpecURL(organization, v.Slug) + "/versions/" + v.ID},
		}
	}
}
