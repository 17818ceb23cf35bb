package sites

import (
	"context"
	"strconv"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/publish/site/redirect"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// SiteRedirect leads from a path of a site to something else.
type SiteRedirect struct {
	Object          string              `json:"object" enum:"site-redirect"`
	ID              string              `json:"id"`
	Source          string              `json:"source"`
	Draft           bool                `json:"draft"`
	CaptureWildcard bool                `json:"captureWildcard"`
	Permanent       bool                `json:"permanent"`
	Destination     RedirectDestination `json:"destination"`
	CreatedAt       string              `json:"createdAt" format:"date-time"`
	UpdatedAt       string              `json:"updatedAt" format:"date-time"`
}

// RedirectDestination is what a redirect leads to; which fields count depends on the kind. A path becomes the page
// there.
type RedirectDestination struct {
	Kind      string       `json:"kind" enum:"site-section,site-space,site-page,external,path"`
	Section   id.Section   `json:"siteSectionId,omitempty" maxLength:"100"`
	SiteSpace id.SiteSpace `json:"siteSpaceId,omitempty" maxLength:"100"`
	Page      string       `json:"pageId,omitempty" maxLength:"100"`
	URL       string       `json:"url,omitempty" maxLength:"2048"`
	Space     id.Space     `json:"spaceId,omitempty" maxLength:"100"`
	Path      string       `json:"path,omitempty" maxLength:"2048"`
}

func (d RedirectDestination) domain() redirect.Destination {
	return redirect.Destination{
		Kind: redirect.DestinationKind(d.Kind), Section: d.Section, SiteSpace: d.SiteSpace, Page: d.Page, URL: d.URL,
		Space: d.Space, Path: d.Path,
	}
}

func wireRedirect(r redirect.Redirect) SiteRedirect {
	d := r.Destination
	return SiteRedirect{
		Object: "site-redirect", ID: r.ID, Source: r.Source, Draft: r.Draft, CaptureWildcard: r.Capture,
		Permanent: r.Permanent,
		Destination: RedirectDestination{Kind: string(d.Kind), Section: d.Section, SiteSpace: d.SiteSpace, Page: d.Page,
			URL: d.URL},
		CreatedAt: wire.Timestamp(r.CreatedAt), UpdatedAt: wire.Timestamp(r.UpdatedAt),
	}
}

type listRedirectsInput struct {
	wire.SiteParams
	wire.PageParams
	Search  string `query:"search" maxLength:"512" doc:"A part of the source."`
	Draft   string `query:"draft" enum:"true,false" doc:"true lists the drafts, otherwise those that work are listed."`
	OrderBy string `query:"orderBy" enum:"createdAt,updatedAt,source" doc:"createdAt when absent."`
}

// listSiteRedirects lists the redirects of a site.
func (h *Handlers) listSiteRedirects(ctx context.Context,
	in *listRedirectsInput) (*operation.Body[wire.List[SiteRedirect]], error) {
	filter := redirect.Filter{Search: in.Search, Draft: in.Draft == "true", OrderBy: in.OrderBy}
	name := "site-redirects/" + string(in.Site) + "\x00" + in.Search + "\x00" + strconv.FormatBool(
		filter.Draft) + "\x00" +
		in.OrderBy
	request, err := h.Lists.Request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	redirects, err := h.Sites.ListRedirects(ctx, operation.Caller(ctx), in.Organization, in.Site, filter, request)
	if err != nil {
		return nil, err
	}
	return &operation.Body[wire.List[SiteRedirect]]{Body: *wire.Listed(h.Lists, name, redirects, wireRedirect)}, nil
}

type createRedirectInput struct {
	wire.SiteParams
	Body struct {
		Source          string              `json:"source" minLength:"2" maxLength:"4608" doc:"Path below the site's root with a slash in front, up to 512 characters of any script, as they are or percent-encoded; a star at its end covers all that begins like it."`
		CaptureWildcard bool                `json:"captureWildcard,omitempty" doc:"Appends what the star stands for to the destination."`
		Draft           bool                `json:"draft,omitempty" doc:"It does not work yet."`
		Permanent       bool                `json:"permanent,omitempty" doc:"Readers may remember it."`
		Destination     RedirectDestination `json:"destination"`
	}
}

// createSiteRedirect adds a redirect to a site.
func (h *Handlers) createSiteRedirect(ctx context.Context,
	in *createRedirectInput) (*operation.Created[SiteRedirect], error) {
	created, err := h.Sites.CreateRedirect(ctx, operation.Caller(ctx), in.Organization, in.Site, redirect.Redirect{
		Source: in.Body.Source, Capture: in.Body.CaptureWildcard, Draft: in.Body.Draft, Permanent: in.Body.Permanent,
		Destination: in.Body.Destination.domain(),
	})
	if err != nil {
		return nil, err
	}
	return &operation.Created[SiteRedirect]{Location: h.location(in.SiteParams, "redirects/"+created.ID),
			Body: wireRedirect(created)},
		nil
}

// RedirectParams name a redirect of a site.
type RedirectParams struct {
	wire.SiteParams
	Redirect string `path:"siteRedirectId"`
}

type updateRedirectInput struct {
	RedirectParams
	Body struct {
		Source          *string              `json:"source,omitempty" minLength:"2" maxLength:"4608"`
		CaptureWildcard *bool                `json:"captureWildcard,omitempty"`
		Draft           *bool                `json:"draft,omitempty"`
		Permanent       *bool                `json:"permanent,omitempty"`
		Destination     *RedirectDestination `json:"destination,omitempty"`
	}
}

// updateSiteRedirect changes a redirect of a site.
func (h *Handlers) updateSiteRedirect(ctx context.Context,
	in *updateRedirectInput) (*operation.Body[SiteRedirect], error) {
	change := redirect.Change{
		Source: present(in.Body.Source), Capture: present(in.Body.CaptureWildcard), Draft: present(in.Body.Draft),
		Permanent: present(in.Body.Permanent),
	}
	if in.Body.Destination != nil {
		change.Destination = optional.Of(in.Body.Destination.domain())
	}
	changed, err := h.Sites.UpdateRedirect(ctx, operation.Caller(ctx), in.Organization, in.Site, in.Redirect, change)
	if err != nil {
		return nil, err
	}
	return &operation.Body[SiteRedirect]{Body: wireRedirect(changed)}, nil
}

// present is a field that may be absent.
func present[T any](field *T) optional.Value[T] {
	if field == nil {
		return optional.Value[T]{}
	}
	return optional.Of(*field)
}

// deleteSiteRedirect removes a redirect of a site.
func (h *Handlers) deleteSiteRedirect(ctx context.Context, in *RedirectParams) (*operation.Nothing, error) {
	return nil, h.Sites.DeleteRedirect(ctx, operation.Caller(ctx), in.Organization, in.Site, in.Redirect)
}

type redirectBySourceInput struct {
	wire.SiteParams
	Source   string `query:"source" required:"true" maxLength:"4608" doc:"Path below the site's root with a slash in front."`
	ShareKey string `query:"shareKey" maxLength:"100" doc:"Key of a share link; addresses of share-link sites need it."`
}

// FoundRedirect is a redirect with the address that it leads to.
type FoundRedirect struct {
	Redirect SiteRedirect `json:"redirect"`
	Target   string       `json:"target" format:"uri"`
}

// getSiteRedirectBySource answers the redirect that works for a path.
func (h *Handlers) getSiteRedirectBySource(ctx context.Context,
	in *redirectBySourceInput) (*operation.Body[FoundRedirect], error) {
	found, target, err := h.Sites.RedirectBySource(ctx, operation.Caller(ctx), in.Organization, in.Site, in.Source)
	if err != nil {
		return nil, err
	}
	address, err := h.shared(ctx, in.SiteParams, in.ShareKey)
	if err != nil {
		return nil, err
	}
	return &operation.Body[FoundRedirect]{Body: FoundRedirect{Redirect: wireRedirect(found), Target: address(target)}},
		nil
}
