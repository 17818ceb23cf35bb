package specs

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/spec"
	"github.com/rectodocs/recto/internal/platform/httpx"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

type listSpecsInput struct {
	wire.PageParams
	Organization id.Organization `path:"organizationId"`
}

// listSpecs lists the specifications of an organization by slug.
func (h *Handlers) listSpecs(ctx context.Context,
	in *listSpecsInput) (*operation.Body[wire.List[wire.OpenAPISpec]], error) {
	name := "openapi/" + string(in.Organization)
	request, err := h.Lists.Request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	specs, err := h.Specs.List(ctx, operation.Caller(ctx), in.Organization, request)
	if err != nil {
		return nil, err
	}
	return &operation.Body[wire.List[wire.OpenAPISpec]]{Body: *wire.Listed(h.Lists, name, specs, h.Wire.Spec)}, nil
}

// OpenAPISpecSource says where a specification comes from.
type OpenAPISpecSource struct {
	URL  *string `json:"url,omitempty" doc:"Address that the description is fetched from, again every six hours. Either url or text."`
	Text *string `json:"text,omitempty" doc:"The description itself, JSON or YAML, at most 10 MB."`
}

type createSpecInput struct {
	Organization id.Organization `path:"organizationId"`
	Body         struct {
		Slug   string            `json:"slug" minLength:"1" maxLength:"100" pattern:"^[a-z0-9]+(?:-[a-z0-9]+)*$" patternDescription:"words of a-z and 0-9 with single hyphens between them"`
		Source OpenAPISpecSource `json:"source"`
	}
}

// createSpec adds a specification; processing it goes on in the background.
func (h *Handlers) createSpec(ctx context.Context, in *createSpecInput) (*operation.Created[wire.OpenAPISpec], error) {
	created, err := h.Specs.Create(ctx, operation.Caller(ctx), in.Organization, in.Body.Slug,
		spec.Source(in.Body.Source))
	if err != nil {
		return nil, err
	}
	answer := h.Wire.Spec(created)
	return &operation.Created[wire.OpenAPISpec]{Location: answer.URLs.Location, Body: answer}, nil
}

// SpecParams name a specification.
type SpecParams struct {
	Organization id.Organization `path:"organizationId"`
	Slug         string          `path:"specSlug"`
}

// getSpec answers one specification.
func (h *Handlers) getSpec(ctx context.Context, in *SpecParams) (*operation.Body[wire.OpenAPISpec], error) {
	found, err := h.Specs.Get(ctx, operation.Caller(ctx), in.Organization, in.Slug)
	if err != nil {
		return nil, err
	}
	return &operation.Body[wire.OpenAPISpec]{Body: h.Wire.Spec(found)}, nil
}

type putSpecInput struct {
	SpecParams
	Body struct {
		Source OpenAPISpecSource `json:"source"`
	}
}

type putSpecOutput struct {
	Status   int
	Location string `header:"Location"`
	Body     wire.OpenAPISpec
}

// putSpec adds a specification or gives the one that is there a source.
func (h *Handlers) putSpec(ctx context.Context, in *putSpecInput) (*putSpecOutput, error) {
	put, created, err := h.Specs.Upsert(ctx, operation.Caller(ctx), in.Organization, in.Slug,
		spec.Source(in.Body.Source))
	if err != nil {
		return nil, err
	}
	out := &putSpecOutput{Status: http.StatusOK, Body: h.Wire.Spec(put)}
	if created {
		out.Status, out.Location = http.StatusCreated, out.Body.URLs.Location
	}
	return out, nil
}

// deleteSpec removes a specification with its versions.
func (h *Handlers) deleteSpec(ctx context.Context, in *SpecParams) (*operation.Nothing, error) {
	if err := h.Specs.Delete(ctx, operation.Caller(ctx), in.Organization, in.Slug); err != nil {
		return nil, err
	}
	return &operation.Nothing{}, nil
}

type listSpecVersionsInput struct {
	SpecParams
	wire.PageParams
}

// listSpecVersions lists the versions of a specification, the newest first.
func (h *Handlers) listSpecVersions(ctx context.Context,
	in *listSpecVersionsInput) (*operation.Body[wire.List[OpenAPISpecVersion]], error) {
	name := "openapi-versions/" + string(in.Organization) + "/" + in.Slug
	request, err := h.Lists.Request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	versions, err := h.Specs.Versions(ctx, operation.Caller(ctx), in.Organization, in.Slug, request)
	if err != nil {
		return nil, err
	}
	return &operation.Body[wire.List[OpenAPISpecVersion]]{Body: *wire.Listed(h.Lists, name, versions,
		h.wireSpecVersion(in.Organization))}, nil
}

// getLatestSpecVersion answers the latest version.
func (h *Handlers) getLatestSpecVersion(ctx context.Context,
	in *SpecParams) (*operation.Body[OpenAPISpecVersion], error) {
	latest, err := h.Specs.Latest(ctx, operation.Caller(ctx), in.Organization, in.Slug)
	if err != nil {
		return nil, err
	}
	return &operation.Body[OpenAPISpecVersion]{Body: h.wireSpecVersion(in.Organization)(latest)}, nil
}

// SpecVersionParams name a version of a specification.
type SpecVersionParams struct {
	SpecParams
	Version string `path:"versionId"`
}

// getSpecVersion answers one version.
func (h *Handlers) getSpecVersion(ctx context.Context,
	in *SpecVersionParams) (*operation.Body[OpenAPISpecVersion], error) {
	found, err := h.Specs.Version(ctx, operation.Caller(ctx), in.Organization, in.Slug, in.Version)
	if err != nil {
		return nil, err
	}
	return &operation.Body[OpenAPISpecVersion]{Body: h.wireSpecVersion(in.Organization)(found)}, nil
}

// ConditionalParams are the parameters of a read whose answer rarely changes.
type ConditionalParams struct {
	IfNoneMatch string `header:"If-None-Match" doc:"The ETag of an answer that you have; 304 says it is still good."`
}

type latestSpecContentInput struct {
	SpecParams
	ConditionalParams
}

// getLatestSpecContent answers the document of the latest version.
func (h *Handlers) getLatestSpecContent(ctx context.Context, in *latestSpecContentInput) (*operation.Encoded, error) {
	latest, err := h.Specs.Latest(ctx, operation.Caller(ctx), in.Organization, in.Slug)
	if err != nil {
		return nil, err
	}
	return h.specContent(ctx, latest, in.IfNoneMatch)
}

type specContentInput struct {
	SpecVersionParams
	ConditionalParams
}

// getSpecContent answers the document of a version.
func (h *Handlers) getSpecContent(ctx context.Context, in *specContentInput) (*operation.Encoded, error) {
	found, err := h.Specs.Version(ctx, operation.Caller(ctx), in.Organization, in.Slug, in.Version)
	if err != nil {
		return nil, err
	}
	return h.specContent(ctx, found, in.IfNoneMatch)
}

// specContent puts the stored bundle into an answer as it is: decoding ten megabytes to encode them again would cost
// many times their size.
func (h *Handlers) specContent(ctx context.Context, v spec.Version, known string) (*operation.Encoded, error) {
	out := &operation.Encoded{ETag: httpx.ETag("openapi/" + v.ID + "/" + h.Wire.Downloads.Day()),
		CacheControl: "private, no-cache",
		ContentType:  "application/json"}
	if httpx.Matches([]string{known}, out.ETag) {
		out.Status = http.StatusNotModified
		return out, nil
	}
	bundle, err := h.Specs.Bundle(ctx, v)
	if err != nil {
		return nil, err
	}
	address, err := json.Marshal(h.rawURL(v))
	if err != nil {
		return nil, err
	}
	out.Status = http.StatusOK
	out.Body = bytes.Join([][]byte{[]byte(`{"filesystem":`), bundle, []byte(`,"url":`), address,
		[]byte(`,"urls":{"source":`), address, []byte(`,"public":null}}`)}, nil)
	return out, nil
}

// getLatestSpecRaw answers the document of the latest version as it was written.
func (h *Handlers) getLatestSpecRaw(ctx context.Context,
	in *SpecParams) (*operation.Body[OpenAPISpecRawContent], error) {
	latest, err := h.Specs.Latest(ctx, operation.Caller(ctx), in.Organization, in.Slug)
	if err != nil {
		return nil, err
	}
	raw, err := h.Specs.Raw(ctx, latest)
	if err != nil {
		return nil, err
	}
	return &operation.Body[OpenAPISpecRawContent]{Body: OpenAPISpecRawContent{Text: string(raw),
			Format: string(latest.Format)}},
		nil
}
