package urls

import (
	"context"
	"net/url"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/publish/audience"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// PublishedContent says what is at an address of a published site: the space and the path in it, or where the address
// leads.
type PublishedContent struct {
	// Target and Redirect are set when the address leads elsewhere. Nothing else is then but Site, when it is the site
	// that leads to another one.
	Target   string `json:"target,omitempty" enum:"application,content,external"`
	Redirect string `json:"redirect,omitempty" format:"uri"`

	Organization id.Organization `json:"organization,omitempty"`
	Site         id.Site         `json:"site,omitempty"`
	SiteSection  id.Section      `json:"siteSection,omitempty"`
	SiteSpace    id.SiteSpace    `json:"siteSpace,omitempty"`
	Space        id.Space        `json:"space,omitempty"`
	// ShareKey is the key of a share link in the address.
	ShareKey      string           `json:"shareKey,omitempty"`
	ChangeRequest id.ChangeRequest `json:"changeRequest,omitempty"`
	Revision      id.Revision      `json:"revision,omitempty"`
	// Pathname is the path in the space, BasePath that of the space in the address, SiteBasePath that of the site.
	Pathname     *string `json:"pathname,omitempty"`
	BasePath     string  `json:"basePath,omitempty"`
	SiteBasePath string  `json:"siteBasePath,omitempty"`
	// APIToken reads what the site publishes for this visitor, or the preview if a ticket for it is in the address; it
	// is empty for other previews, and for members who name no visitor, who read with a token of their own.
	APIToken     *string `json:"apiToken,omitempty"`
	Complete     *bool   `json:"complete,omitempty"`
	CanonicalURL string  `json:"canonicalUrl,omitempty" format:"uri"`
	// ContextID changes when something changes of a visitor with a token that the content may depend on.
	ContextID string `json:"contextId,omitempty"`
	Preview   bool   `json:"preview,omitempty"`
}

type publishedURLInput struct {
	URL              string `query:"url" required:"true" maxLength:"2048"`
	VisitorAuthToken string `query:"visitorAuthToken" maxLength:"8192" doc:"Token of a visitor; sites that everybody may read need none."`
	RedirectOnError  string `query:"redirectOnError" enum:"true,false" doc:"Leads to where visitors sign in when the token is no good."`
}

// getPublishedContentByURL is the deprecated form of resolvePublishedContentByURL.
func (h *Handlers) getPublishedContentByURL(ctx context.Context,
	in *publishedURLInput) (*operation.Body[PublishedContent], error) {
	return h.publishedAt(ctx, in.URL, lookupVisitor{named: in.VisitorAuthToken != "", token: in.VisitorAuthToken,
		signIn: in.RedirectOnError == "true"})
}

type resolveURLInput struct {
	Body struct {
		URL             string          `json:"url" minLength:"1" maxLength:"2048"`
		RedirectOnError bool            `json:"redirectOnError,omitempty" doc:"Leads to where visitors sign in when the token is no good."`
		Visitor         *VisitorPayload `json:"visitor,omitempty" doc:"Who asks; sites that everybody may read need nothing of it."`
	}
}

// VisitorPayload is what a caller knows of a visitor.
type VisitorPayload struct {
	Type           string         `json:"type,omitempty" enum:"human,agent"`
	JWTToken       string         `json:"jwtToken,omitempty" maxLength:"8192"`
	UnsignedClaims map[string]any `json:"unsignedClaims,omitempty"`
}

// resolvePublishedContentByURL says what is at an address of a published site.
func (h *Handlers) resolvePublishedContentByURL(ctx context.Context,
	in *resolveURLInput) (*operation.Body[PublishedContent], error) {
	visitor := lookupVisitor{signIn: in.Body.RedirectOnError}
	if brought := in.Body.Visitor; brought != nil {
		visitor.named, visitor.token, visitor.unsigned = true, brought.JWTToken, brought.UnsignedClaims
		visitor.agent = brought.Type == "agent"
	}
	return h.publishedAt(ctx, in.Body.URL, visitor)
}

func noContent() error {
	return errs.NotFoundf("There is no published content at this address, or you may not see it.")
}

// asNoContent says of an address without a site what is said of one without content: the caller has named no
// organization in which a site could be missing.
func asNoContent(err error) error {
	if errs.Is(err, errs.NotFound) {
		return noContent()
	}
	return err
}

// lookupVisitor is on whose behalf a caller looks an address up.
type lookupVisitor struct {
	// named says that the caller asks for a visitor: what they may see themselves does not count then.
	named    bool
	token    string
	unsigned map[string]any
	// agent says that it is a program that reads for somebody.
	agent bool
	// signIn says that a visitor whose token is no good is to sign in again.
	signIn bool
}

// lookup is what an address names, as a visitor gets it.
type lookup struct {
	// Located is without the sections and spaces that the visitor does not get.
	site.Located
	verdict audience.Verdict
}

// withShareKey puts the key of a share link, if the address has one, into another address of the site.
func (l *lookup) withShareKey(address string) string {
	if l.verdict.Key == "" || l.Site.Visibility != site.VisibilityShareLink {
		return address
	}
	return audience.WithToken(l.Site.PublishedURL, address, l.verdict.Key)
}

// redirectWithin answers with another address of published content.
func redirectWithin(address string) *operation.Body[PublishedContent] {
	return &operation.Body[PublishedContent]{Body: PublishedContent{Target: "content", Redirect: address}}
}

// redirectAway answers with an address that a site sends its readers to.
func redirectAway(from site.Site, address string) *operation.Body[PublishedContent] {
	return &operation.Body[PublishedContent]{Body: PublishedContent{Target: "external", Redirect: address,
		Site: from.ID}}
}

// admit finds the site at an address and asks whether it is there for the visitor, or where else they are sent.
func (h *Handlers) admit(ctx context.Context, address string,
	visitor lookupVisitor) (found lookup, to *operation.Body[PublishedContent], err error) {
	if found.Located, err = h.Sites.Locate(ctx, address); err != nil {
		return found, nil, asNoContent(err)
	}
	of := found.Site
	asks := audience.Visitor{Path: found.Rest, Query: queryOf(address), Token: visitor.token,
		Unsigned: visitor.unsigned, Agent: visitor.agent}
	tickets := ticketsIn(address)
	if !visitor.named {
		caller := operation.Caller(ctx)
		asks.Caller = &caller
	}
	if !visitor.named || len(tickets) > 0 {
		asks.MayPreview = func(ctx context.Context, space site.ServedSpace, asked audience.Preview) (bool, error) {
			return h.mayPreview(ctx, space, asked, tickets, visitor.named)
		}
	}
	whole := found.Served // which the verdict keeps
	if found.verdict, err = h.Audiences.Admit(ctx, &whole, asks); err != nil {
		return found, nil, err
	}
	verdict := &found.verdict
	switch {
	case verdict.Decision == audience.SignIn && (verdict.Problem == nil || visitor.signIn):
		return found, redirectAway(of, verdict.SignIn), nil
	case verdict.Site == nil:
		return found, nil, noContent()
	}
	if verdict.Key != "" {
		found.Root, found.Rest = found.Root+verdict.Key+"/", verdict.Path
	}
	found.Served = *verdict.Site
	return found, nil, nil
}

// tokenIn is the token of a visitor in an address, "" for none.
func tokenIn(address string) string {
	query, err := url.ParseQuery(queryOf(address))
	if err != nil {
		return ""
	}
	return query.Get(audience.TokenParameter)
}

// queryOf are the parameters of an address, encoded.
func queryOf(address string) string {
	parsed, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return parsed.RawQuery
}

func (h *Handlers) publishedAt(ctx context.Context, address string,
	visitor lookupVisitor) (*operation.Body[PublishedContent], error) {
	found, to, err := h.admit(ctx, address, visitor)
	if to != nil || err != nil {
		return to, err
	}
	if found.Former {
		to := found.withShareKey(found.Site.PublishedURL + found.Rest)
		if query := queryOf(address); query != "" {
			to += "?" + query // which may hold what lets the visitor in
		}
		return redirectWithin(to), nil
	}
	// No condition keeps those from a preview who may see the change.
	location, ok := found.verdict.Whole.Locate(found.Rest)
	if !ok || !strings.HasPrefix(location.Rest, "~/") {
		location, ok = found.Locate(found.Rest)
	}
	if !ok && location.Rest == "" && location.Space.URL != "" {
		return redirectWithin(found.withShareKey(location.Space.URL)), nil
	}
	if !ok {
		return nil, noContent()
	}
	by, err := h.looker(ctx, location.Space.Space, ticketsIn(address))
	if err != nil {
		return nil, err
	}
	pathname, preview, err := h.previewAt(ctx, location, by.Caller)
	if err != nil {
		return nil, err
	}
	if shown, there := found.Locate(found.Rest); preview == nil && (!there || shown.Space.ID != location.Space.ID) {
		return nil, noContent()
	}
	decoded, err := url.PathUnescape(pathname)
	if err != nil {
		return nil, noContent()
	}
	if preview == nil {
		to, err := h.elsewhere(ctx, found, location, decoded)
		if to != nil || err != nil {
			return to, err
		}
	}
	visit, err := found.verdict.Context()
	if err != nil {
		return nil, err
	}
	token, err := h.visitToken(ctx, found, location.Space, visitor, address, by, preview)
	if err != nil {
		return nil, err
	}
	revision, change := namesOf(preview)
	canonical := location.Space.URL + strings.TrimSuffix(pathname, "/")
	return &operation.Body[PublishedContent]{Body: PublishedContent{
		Organization: found.Organization, Site: found.Site.ID, SiteSection: location.Space.Section,
		SiteSpace: location.Space.ID, Space: location.Space.Space,
		ShareKey: found.verdict.Key, ChangeRequest: change, Revision: revision, Pathname: &decoded,
		BasePath: found.Root + location.Space.Address, SiteBasePath: found.Root,
		APIToken: &token, ContextID: visit, Complete: &location.Complete, CanonicalURL: canonical,
		Preview: preview != nil,
	}}, nil
}

// shows reports whether an address of the site may be told: not that of a section, a space or a page that the visitor
// may not get. Which conditions of pages hold is for whoever shows the site: a page with one counts as kept.
func (h *Handlers) shows(ctx context.Context, looked lookup, address string) (bool, error) {
	if looked.verdict.Trusted {
		return true, nil
	}
	below, ok := strings.CutPrefix(address, looked.Site.PublishedURL)
	if !ok {
		return false, nil
	}
	below, _, _ = strings.Cut(below, "#")
	below, _, _ = strings.Cut(below, "?")
	all, _ := looked.verdict.Whole.Locate(below)
	location, ok := looked.Locate(below)
	if !ok || all.Space.ID != location.Space.ID {
		return false, nil
	}
	path, err := url.PathUnescape(location.Rest)
	if err != nil {
		return false, nil
	}
	view, err := h.Content.Head(ctx, location.Space.Space)
	if err != nil {
		return false, err
	}
	found, err := view.ByPath(ctx, path)
	if errs.Is(err, errs.NotFound) || err == nil && found.Entry == nil {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	tree, err := view.Pages(ctx)
	if err != nil {
		return false, err
	}
	for node := tree.ByID[found.Entry.ID]; node != nil; node = node.Parent {
		if node.Entry.Condition != "" {
			return false, nil
		}
	}
	return true, nil
}

// ContentAt is what an address names: a collection, or a space with perhaps a change request and a page.
type ContentAt struct {
	Collection    *wire.Collection    `json:"collection,omitempty"`
	Space         *wire.Space         `json:"space,omitempty"`
	ChangeRequest *wire.ChangeRequest `json:"changeRequest,omitempty"`
	Page          *wire.Page          `json:"page,omitempty"`
}

// Schema describes the two forms.
func (ContentAt) Schema(r huma.Registry) *huma.Schema {
	collection := &huma.Schema{Type: huma.TypeObject, Required: []string{"collection"},
		Properties: map[string]*huma.Schema{"collection": r.Schema(reflect.TypeFor[wire.Collection](), true, "")}}
	space := &huma.Schema{Type: huma.TypeObject, Required: []string{"space"}, Properties: map[string]*huma.Schema{
		"space":         r.Schema(reflect.TypeFor[wire.Space](), true, ""),
		"changeRequest": r.Schema(reflect.TypeFor[wire.ChangeRequest](), true, ""),
		"page": r.Schema(reflect.TypeFor[wire.Page](),
			true, ""),
	}}
	return &huma.Schema{OneOf: []*huma.Schema{collection, space}}
}

type contentURLInput struct {
	URL string `query:"url" required:"true" maxLength:"2048" doc:"Address of a collection, space, change request or page: in the application, the API or on a published site."`
}

// getContentByURL says what content an address names.
func (h *Handlers) getContentByURL(ctx context.Context, in *contentURLInput) (*operation.Body[ContentAt], error) {
	for _, prefix := range []string{h.Wire.BaseURL + "/app/", h.Wire.BaseURL + "/v1/"} {
		if below, ok := strings.CutPrefix(in.URL, prefix); ok {
			below, _, _ = strings.Cut(below, "?")
			below, _, _ = strings.Cut(below, "#")
			return h.contentNamed(ctx, strings.Split(strings.Trim(below, "/"), "/"))
		}
	}
	located, err := h.Sites.Locate(ctx, in.URL)
	if err != nil {
		return nil, asNoContent(err)
	}
	// What is not open to everybody is there for members alone.
	caller := operation.Caller(ctx)
	verdict, err := h.Audiences.Admit(ctx, &located.Served, audience.Visitor{Caller: &caller})
	if err != nil {
		return nil, err
	}
	if verdict.Decision != audience.Admitted {
		return nil, noContent()
	}
	location, ok := located.Locate(located.Rest)
	if !ok {
		return nil, noContent()
	}
	path, preview, err := h.previewAt(ctx, location, caller)
	if err != nil {
		return nil, err
	}
	revision, change := namesOf(preview)
	decoded, err := url.PathUnescape(path)
	if err != nil || revision != "" {
		return nil, noContent()
	}
	named, err := h.named(ctx, located, location.Space, decoded, change != "")
	if err != nil {
		return nil, err
	}
	return h.contentIn(ctx, named.space.Space, change, computedAt{path: named.rest},
		func(ctx context.Context, view *store.View) (*entity.Entry, error) {
			found, err := view.ByPath(ctx, named.rest)
			return found.Entry, err
		})
}

// contentNamed finds what the segments of an address in the application or the API name.
func (h *Handlers) contentNamed(ctx context.Context, segments []string) (*operation.Body[ContentAt], error) {
	if len(segments) < 2 {
		return nil, noContent()
	}
	if segments[0] == "collections" {
		if operation.Caller(ctx).IsAgent() {
			return nil, noContent() // integrations are on spaces
		}
		found, err := h.Spaces.Collection(ctx, operation.Caller(ctx), id.Collection(segments[1]))
		if err != nil {
			return nil, err
		}
		answer := h.Wire.Collection(found)
		return &operation.Body[ContentAt]{Body: ContentAt{Collection: &answer}}, nil
	}
	if segments[0] != "spaces" {
		return nil, noContent()
	}
	change, page := id.ChangeRequest(""), ""
	for i := 2; i+1 < len(segments); i++ {
		switch segments[i] {
		case "changes", "change-requests":
			change = id.ChangeRequest(segments[i+1])
		case "pages", "page":
			page = segments[i+1]
		}
	}
	return h.contentIn(ctx, id.Space(segments[1]), change, computedAt{id: page},
		func(ctx context.Context, view *store.View) (*entity.Entry, error) {
			if page == "" {
				return nil, nil
			}
			return wire.PageEntry(ctx, view, page)
		})
}

// computedAt is the id or the path of a page that a computed page may stand for.
type computedAt struct{ id, path string }

// contentIn answers with a space, and with a change request and a page of it where they are asked for. The page is what
// find returns, or where there is none one that is made.
func (h *Handlers) contentIn(ctx context.Context, spaceID id.Space, change id.ChangeRequest, computed computedAt,
	find func(context.Context, *store.View) (*entity.Entry, error)) (*operation.Body[ContentAt], error) {
	found, err := h.Spaces.Get(ctx, operation.Caller(ctx), spaceID)
	if err != nil {
		return nil, err
	}
	wire, err := h.SpaceWriter.WriteOne(ctx, found)
	if err != nil {
		return nil, err
	}
	answer := ContentAt{Space: &wire}
	if change != "" && operation.Caller(ctx).IsAgent() {
		return nil, noContent() // what is not merged is for people
	}
	view, err := h.Content.Head(ctx, spaceID)
	if err != nil {
		return nil, err
	}
	if change != "" {
		request, err := h.Changes.Get(ctx, operation.Caller(ctx), spaceID, change)
		if err != nil {
			return nil, err
		}
		wire, err := h.ChangeRequestWriter.WriteOne(ctx, request)
		if err != nil {
			return nil, err
		}
		answer.ChangeRequest = &wire
		if view, err = h.Content.View(ctx, request.Head); err != nil {
			return nil, err
		}
	}
	entry, err := find(ctx, view)
	if err != nil && !errs.Is(err, errs.NotFound) {
		return nil, err
	}
	if err != nil || entry != nil && entry.Type == entity.PageComputed {
		if answer.Page, err = h.computedPage(ctx, view, computed); err != nil {
			return nil, err
		}
		return &operation.Body[ContentAt]{Body: answer}, nil
	}
	if entry != nil && (entry.Type == entity.PageDocument || entry.Type == entity.PageGroup) {
		tree, err := view.Pages(ctx)
		if err != nil {
			return nil, err
		}
		if node := tree.ByID[entry.ID]; node != nil {
			answer.Page = h.Wire.Page(spaceID, node.Entry, node.Path)
			answer.Page.Pages = h.Wire.Tree(spaceID, node.Children)
		}
	}
	return &operation.Body[ContentAt]{Body: answer}, nil
}

// computedPage returns a page that a computed page stands for, with the pages below it; nil when there is none.
func (h *Handlers) computedPage(ctx context.Context, view *store.View, at computedAt) (*wire.Page, error) {
	spaceID := view.Revision().Space
	state, err := h.ComputedPages.State(ctx, spaceID)
	if err != nil || state == "" {
		return nil, err
	}
	expansion, err := h.ComputedPages.Expand(ctx, view)
	if err != nil {
		return nil, err
	}
	for id := range expansion.Pages {
		node := expansion.Tree.ByID[id]
		if at.id != "" && id == at.id || at.path != "" && node.Path == strings.Trim(at.path, "/") {
			return h.Wire.Expanded(spaceID, node, expansion), nil
		}
	}
	return nil, nil
}
