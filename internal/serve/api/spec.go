package api

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"

	"github.com/rectodocs/recto/internal/content/spec"
	"github.com/rectodocs/recto/internal/platform/httpx"
)

type listSpecsInput struct {
	PageParams
	Organization string `path:"organizationId"`
}

// listSpecs lists the specifications of an organization by slug.
func (a *API) listSpecs(ctx context.Context, in *listSpecsInput) (*body[List[OpenAPISpec]], error) {
	name := "openapi/" + in.Organization
	request, err := a.request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	specs, err := a.Specs.List(ctx, callerOf(ctx), in.Organization, request)
	if err != nil {
		return nil, err
	}
	return &body[List[OpenAPISpec]]{Body: *listed(a, name, specs, a.wireSpec)}, nil
}

// OpenAPISpecSource says where a specification comes from.
type OpenAPISpecSource struct {
	URL  *string `json:"url,omitempty" doc:"Address that the description is fetched from, again every six hours. Either url or text."`
	Text *string `json:"text,omitempty" doc:"The description itself, JSON or YAML, at most 10 MB."`
}

type createSpecInput struct {
	Organization string `path:"organizationId"`
	Body         struct {
		Slug   string            `json:"slug" minLength:"1" maxLength:"100" pattern:"^[a-z0-9]+(?:-[a-z0-9]+)*$" patternDescription:"words of a-z and 0-9 with single hyphens between them"`
		Source OpenAPISpecSource `json:"source"`
	}
}

// createSpec adds a specification; processing it goes on in the background.
func (a *API) createSpec(ctx context.Context, in *createSpecInput) (*created[OpenAPISpec], error) {
	made, err := a.Specs.Create(ctx, callerOf(ctx), in.Organization, in.Body.Slug, spec.Source(in.Body.Source))
	if err != nil {
		return nil, err
	}
	wire := a.wireSpec(made)
	return &created[OpenAPISpec]{Location: wire.URLs.Location, Body: wire}, nil
}

// SpecParams name a specification.
type SpecParams struct {
	Organization string `path:"organizationId"`
	Slug         string `path:"specSlug"`
}

// getSpec answers one specification.
func (a *API) getSpec(ctx context.Context, in *SpecParams) (*body[OpenAPISpec], error) {
	found, err := a.Specs.Get(ctx, callerOf(ctx), in.Organization, in.Slug)
	if err != nil {
		return nil, err
	}
	return &body[OpenAPISpec]{Body: a.wireSpec(found)}, nil
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
	Body     OpenAPISpec
}

// putSpec adds a specification or gives the one that is there a source.
func (a *API) putSpec(ctx context.Context, in *putSpecInput) (*putSpecOutput, error) {
	put, created, err := a.Specs.Upsert(ctx, callerOf(ctx), in.Organization, in.Slug, spec.Source(in.Body.Source))
	if err != nil {
		return nil, err
	}
	out := &putSpecOutput{Status: http.StatusOK, Body: a.wireSpec(put)}
	if created {
		out.Status, out.Location = http.StatusCreated, out.Body.URLs.Location
	}
	return out, nil
}

// deleteSpec removes a specification with its versions.
func (a *API) deleteSpec(ctx context.Context, in *SpecParams) (*nothing, error) {
	if err := a.Specs.Delete(ctx, callerOf(ctx), in.Organization, in.Slug); err != nil {
		return nil, err
	}
	return &nothing{}, nil
}

type listSpecVersionsInput struct {
	SpecParams
	PageParams
}

// listSpecVersions lists the versions of a specification, the newest first.
func (a *API) listSpecVersions(ctx context.Context,
	in *listSpecVersionsInput) (*body[List[OpenAPISpecVersion]], error) {
	name := "openapi-versions/" + in.Organization + "/" + in.Slug
	request, err := a.request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	versions, err := a.Specs.Versions(ctx, callerOf(ctx), in.Organization, in.Slug, request)
	if err != nil {
		return nil, err
	}
	return &body[List[OpenAPISpecVersion]]{Body: *listed(a, name, versions,
		a.wireSpecVersion(in.Organization))}, nil
}

// getLatestSpecVersion answers the latest version.
func (a *API) getLatestSpecVersion(ctx context.Context, in *SpecParams) (*body[OpenAPISpecVersion], error) {
	latest, err := a.Specs.Latest(ctx, callerOf(ctx), in.Organization, in.Slug)
	if err != nil {
		return nil, err
	}
	return &body[OpenAPISpecVersion]{Body: a.wireSpecVersion(in.Organization)(latest)}, nil
}

// SpecVersionParams name a version of a specification.
type SpecVersionParams struct {
	SpecParams
	Version string `path:"versionId"`
}

// getSpecVersion answers one version.
func (a *API) getSpecVersion(ctx context.Context, in *SpecVersionParams) (*body[OpenAPISpecVersion], error) {
	found, err := a.Specs.Version(ctx, callerOf(ctx), in.Organization, in.Slug, in.Version)
	if err != nil {
		return nil, err
	}
	return &body[OpenAPISpecVersion]{Body: a.wireSpecVersion(in.Organization)(found)}, nil
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
func (a *API) getLatestSpecContent(ctx context.Context, in *latestSpecContentInput) (*encoded, error) {
	latest, err := a.Specs.Latest(ctx, callerOf(ctx), in.Organization, in.Slug)
	if err != nil {
		return nil, err
	}
	return a.specContent(ctx, latest, in.IfNoneMatch)
}

type specContentInput struct {
	SpecVersionParams
	ConditionalParams
}

// getSpecContent answers the document of a version.
func (a *API) getSpecContent(ctx context.Context, in *specContentInput) (*encoded, error) {
	found, err := a.Specs.Version(ctx, callerOf(ctx), in.Organization, in.Slug, in.Version)
	if err != nil {
		return nil, err
	}
	return a.specContent(ctx, found, in.IfNoneMatch)
}

// specContent puts the stored bundle into an answer as it is: decoding ten megabytes to encode them again would cost
// many times their size.
func (a *API) specContent(ctx context.Context, v spec.Version, known string) (*encoded, error) {
	out := &encoded{ETag: httpx.ETag("openapi/" + v.ID + "/" + a.downloadDay()), CacheControl: "private, no-cache",
		ContentType: "application/json"}
	if httpx.Matches([]string{known}, out.ETag) {
		out.Status = http.StatusNotModified
		return out, nil
	}
	bundle, err := a.Specs.Bundle(ctx, v)
	if err != nil {
		return nil, err
	}
	address, err := json.Marshal(a.rawURL(v))
	if err != nil {
		return nil, err
	}
	out.Status = http.StatusOK
	out.Body = bytes.Join([][]byte{[]byte(`{"filesystem":`), bundle, []byte(`,"url":`), address, []byte(`}`)}, nil)
	return out, nil
}

// getLatestSpecRaw answers the document of the latest version as it was written.
func (a *API) getLatestSpecRaw(ctx context.Context, in *SpecParams) (*body[OpenAPISpecRawContent], error) {
	latest, err := a.Specs.Latest(ctx, callerOf(ctx), in.Organization, in.Slug)
	if err != nil {
		return nil, err
	}
	raw, err := a.Specs.Raw(ctx, latest)
	if err != nil {
		return nil, err
	}
	return &body[OpenAPISpecRawContent]{Body: OpenAPISpecRawContent{Text: string(raw), Format: string(latest.Format)}},
		nil
}
