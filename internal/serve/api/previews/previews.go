// Package previews owns how a change request is looked at on the sites that show its space: as its author sees it, and
// as a visitor of whom something is known.
//
// An address that it gives shows nothing that the caller may not read: the tickets in it are the caller's, one for the
// space and one for the site, and each request asks again what the caller may read.
package previews

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/engine/expr"
	"github.com/rectodocs/recto/internal/publish/audience"
	"github.com/rectodocs/recto/internal/publish/preview"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// Handlers answers the operations on previews. Every field is required.
type Handlers struct {
	Changes   *change.Service
	Content   *store.Service
	Sites     *site.Service
	Audiences *audience.Service
	Previews  *preview.Service
}

// Operations are those on previews.
func (h *Handlers) Operations() []operation.Operation {
	const (
		tag  = "Change requests"
		path = "/v1/spaces/{spaceId}/change-requests/{changeRequestId}/previews"
	)
	scope := operation.Scoped("change-requests")
	return []operation.Operation{
		operation.New("listChangeRequestPreviews", http.MethodGet, path, tag,
			"List where a change request can be looked at", h.list, scope,
			operation.Describe("The published sites that show its space, the oldest first. Of those whose content "+
				"adapts to their visitors, the claims are there that one can look with, and values that conditions "+
				"compare them with. Each address works for twelve hours, for whoever has it, while you may read "+
				"the space and the session or token counts with which you ask.")),
		operation.New("previewChangeRequestAsVisitor", http.MethodPost, path, tag,
			"Look at a change request as a visitor", h.asVisitor, scope,
			operation.Describe("The address at which a site shows the change request as it would to a visitor with "+
				"some claims. It shows no space that you may not read, and changes nothing for anybody else. You have "+
				"to be a member of the organization.")),
	}
}

// ChangeRequestPreviews are the places at which a change request can be looked at.
type ChangeRequestPreviews struct {
	Items []ChangeRequestPreview `json:"items"`
}

// ChangeRequestPreview is a place on a site at which a change request can be looked at.
type ChangeRequestPreview struct {
	Object    string         `json:"object" enum:"change-request-preview"`
	SiteSpace id.SiteSpace   `json:"siteSpace" doc:"The place of the space on the site."`
	Site      id.Site        `json:"site"`
	Title     string         `json:"title" doc:"What the site is called, with the variant where it has several."`
	URL       string         `json:"url" format:"uri" doc:"Shows the change request to you."`
	Adaptive  bool           `json:"adaptive" doc:"What the site shows may depend on the visitor, and you may look as one."`
	Claims    []OfferedClaim `json:"claims" doc:"What may be known of a visitor, signed claims first."`
}

// OfferedClaim is a claim that one can look at a site with.
type OfferedClaim struct {
	Path        []string `json:"path" doc:"The names that lead to it; the first of one that nobody signs is unsigned."`
	Kind        string   `json:"kind" enum:"boolean,string,enum,number,array"`
	Description string   `json:"description,omitempty"`
	Choices     []string `json:"choices,omitempty" doc:"All values that it may have, or of a list those in it."`
	Values      []string `json:"values,omitempty" doc:"What conditions compare it with."`
	Used        bool     `json:"used" doc:"A condition on the site or in the change request reads it."`
}

func (h *Handlers) list(ctx context.Context,
	in *struct{ wire.ChangeRequestPath }) (*operation.Body[ChangeRequestPreviews], error) {
	caller := operation.Caller(ctx)
	request, err := h.Changes.Get(ctx, caller, in.Space, in.ChangeRequest)
	if err != nil {
		return nil, err
	}
	showing, err := h.Sites.Showing(ctx, request.Space)
	if err != nil {
		return nil, err
	}
	answer := ChangeRequestPreviews{Items: []ChangeRequestPreview{}}
	if len(showing) == 0 {
		return &operation.Body[ChangeRequestPreviews]{Body: answer}, nil
	}
	inContent, err := h.conditions(ctx, request)
	if err != nil {
		return nil, err
	}
	ticket := h.Previews.Ticket(caller, string(request.Space))
	for _, served := range showing {
		schema, title, err := h.known(ctx, &served)
		if err != nil {
			return nil, err
		}
		read := newReading(inContent)
		if schema != nil {
			for _, section := range served.Sections {
				read.add(section.Condition)
			}
			for _, space := range served.Spaces {
				read.add(space.Condition)
			}
		}
		for _, space := range served.Spaces {
			if space.Space != request.Space {
				continue
			}
			one := ChangeRequestPreview{Object: "change-request-preview", SiteSpace: space.ID, Site: served.Site.ID,
				Title: title, URL: space.URL + below(request) + "?ticket=" + ticket, Adaptive: schema != nil,
				Claims: []OfferedClaim{}}
			if title != "" && len(served.Variants(space.Section)) > 1 {
				one.Title += ": " + space.Title
			}
			if schema != nil {
				one.Claims = read.offer(schema)
			}
			answer.Items = append(answer.Items, one)
		}
	}
	return &operation.Body[ChangeRequestPreviews]{Body: answer}, nil
}

// below is where a change request is below the address of its space.
func below(request change.Request) string {
	return "~/" + string(audience.PreviewChange) + "/" + strconv.Itoa(request.Number) + "/"
}

// known returns what a site may know of its visitors, nil when its content does not adapt or the caller may not see the
// site, and what it is called for those who may.
func (h *Handlers) known(ctx context.Context, served *site.Served) (schema *audience.Schema, title string, err error) {
	seen, err := h.Sites.Get(ctx, operation.Caller(ctx), served.Organization, served.Site.ID)
	if errs.Is(err, errs.NotFound) || errs.Is(err, errs.Forbidden) {
		return nil, "", nil
	}
	if err != nil || !served.Site.AdaptiveContent {
		return nil, seen.Title, err
	}
	rules, err := h.Audiences.Rules(ctx, served.Site)
	if err != nil {
		return nil, "", err
	}
	return rules.Schema, seen.Title, nil
}

type asVisitorInput struct {
	wire.ChangeRequestPath
	Body struct {
		SiteSpace id.SiteSpace   `json:"siteSpace" maxLength:"100" doc:"One of the places that the list of previews names."`
		Claims    map[string]any `json:"claims,omitempty" doc:"What is known of the visitor, as the site's schema has it; those that nobody has signed are in the member unsigned."`
	}
}

// VisitorPreview is a look at a change request as a visitor.
type VisitorPreview struct {
	Object    string `json:"object" enum:"visitor-preview"`
	URL       string `json:"url" format:"uri" doc:"It works until it expires, for whoever has it, while you may read the space and see the site, and the session or token counts with which you ask."`
	Shown     bool   `json:"shown" doc:"Whether the site has the space for such a visitor. Where it has not, neither has the preview."`
	ExpiresAt string `json:"expiresAt" format:"date-time"`
}

func (h *Handlers) asVisitor(ctx context.Context, in *asVisitorInput) (*operation.Body[VisitorPreview], error) {
	caller := operation.Caller(ctx)
	request, err := h.Changes.Get(ctx, caller, in.Space, in.ChangeRequest)
	if err != nil {
		return nil, err
	}
	served, space, err := h.place(ctx, request, in.Body.SiteSpace)
	if err != nil {
		return nil, err
	}
	schema, _, err := h.known(ctx, served)
	if err != nil {
		return nil, err
	}
	if schema == nil {
		return nil, errs.Invalidf("body.siteSpace",
			"is on a site that shows the same to all its visitors, or that you may not see")
	}
	claims := in.Body.Claims
	if claims == nil {
		claims = map[string]any{}
	}
	assumed, err := schema.Assume(claims)
	if err != nil {
		return nil, err
	}
	encoded, err := audience.WriteAssumed(claims)
	if err != nil {
		return nil, err
	}
	left, _ := audience.Assume(served, assumed)
	shown := slices.ContainsFunc(left.Spaces, func(each site.ServedSpace) bool { return each.ID == space.ID })
	address := served.Site.PublishedURL + audience.InspectionPath + encoded + "/" + space.Address + below(request) +
		"?ticket=" + h.Previews.Ticket(caller, string(served.Site.ID)) +
		"&ticket=" + h.Previews.Ticket(caller, string(request.Space))
	return &operation.Body[VisitorPreview]{Body: VisitorPreview{Object: "visitor-preview", URL: address, Shown: shown,
		ExpiresAt: wire.Timestamp(h.Previews.Ends(caller))}}, nil
}

// place finds the site on which a change request's space has a place.
func (h *Handlers) place(ctx context.Context, request change.Request,
	named id.SiteSpace) (*site.Served, site.ServedSpace, error) {
	showing, err := h.Sites.Showing(ctx, request.Space)
	if err != nil {
		return nil, site.ServedSpace{}, err
	}
	for i := range showing {
		for _, space := range showing[i].Spaces {
			if space.ID == named && space.Space == request.Space {
				return &showing[i], space, nil
			}
		}
	}
	return nil, site.ServedSpace{}, errs.Invalidf("body.siteSpace",
		"is not a place of the space on a published site; list the previews to see which there are")
}

// Limits of what is looked through for conditions.
const (
	maxConditions = 1000
	maxBodies     = 200
)

// written finds the conditions of blocks in Markdown.
var written = regexp.MustCompile(`\{%\s*if\s+(.{1,1000}?)\s*%\}`)

// conditions are those of the pages of a change request, and those in the bodies that it changes.
func (h *Handlers) conditions(ctx context.Context, request change.Request) ([]string, error) {
	view, err := h.Content.View(ctx, request.Head)
	if err != nil {
		return nil, err
	}
	tree, err := view.Pages(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the pages: %w", err)
	}
	var found []string
	for _, node := range tree.Ordered {
		if node.Entry.Condition != "" && len(found) < maxConditions {
			found = append(found, node.Entry.Condition)
		}
	}
	older, err := h.Content.View(ctx, request.Base)
	if err != nil {
		return nil, err
	}
	bodies := 0
	for changed, err := range older.Diff(ctx, view) {
		if err != nil {
			return nil, fmt.Errorf("compare with the main content: %w", err)
		}
		if changed.After == nil || changed.After.Body == "" || bodies >= maxBodies {
			continue
		}
		if kind := changed.After.Kind; kind != entity.KindPage && kind != entity.KindReusable {
			continue
		}
		bodies++
		text, err := view.Body(ctx, changed.After)
		if err != nil {
			return nil, fmt.Errorf("read a body: %w", err)
		}
		for _, match := range written.FindAllSubmatch(text, maxConditions) {
			found = append(found, string(match[1]))
		}
	}
	return found, nil
}

// reading is what conditions read of a visitor: the values that they compare each path with.
type reading map[string][]string

func newReading(conditions []string) reading {
	read := reading{}
	for _, condition := range conditions {
		read.add(condition)
	}
	return read
}

// claimsPath is what a condition reads claims below.
const claimsPath = "visitor.claims."

// add reads a condition; one that cannot be read says nothing.
func (r reading) add(condition string) {
	if condition == "" {
		return
	}
	program, err := expr.Parse(condition)
	if err != nil {
		return
	}
	for _, path := range program.Variables() {
		// What is called on a claim stands behind its path.
		name, _ := strings.CutPrefix(path, claimsPath)
		for ; name != path && name != ""; name = name[:max(strings.LastIndexByte(name, '.'), 0)] {
			if r[name] == nil {
				r[name] = []string{}
			}
		}
	}
	for path, values := range program.Compared() {
		name, ok := strings.CutPrefix(path, claimsPath)
		if !ok {
			continue
		}
		for _, value := range values {
			if text := textOf(value); !slices.Contains(r[name], text) {
				r[name] = append(r[name], text)
			}
		}
	}
}

func textOf(value any) string {
	if text, ok := value.(string); ok {
		return text
	}
	text, err := json.Marshal(value)
	if err != nil {
		return "" // a text, number or boolean
	}
	return string(text)
}

// offer lists the claims of a schema, with what conditions compare them with.
func (r reading) offer(schema *audience.Schema) []OfferedClaim {
	offered := []OfferedClaim{}
	var walk func(claims []audience.Claim, path []string)
	walk = func(claims []audience.Claim, path []string) {
		for _, claim := range claims {
			at := append(slices.Clone(path), claim.Name)
			if claim.Kind == audience.KindObject {
				walk(claim.Claims, at)
				continue
			}
			one := OfferedClaim{Path: at, Kind: string(claim.Kind), Description: claim.Description,
				Choices: claim.Choices}
			if claim.Kind == audience.KindList {
				one.Choices = claim.Element.Choices
			}
			one.Values, one.Used = r[strings.Join(at, ".")], r[strings.Join(at, ".")] != nil
			slices.Sort(one.Values)
			offered = append(offered, one)
		}
	}
	walk(schema.Signed.Claims, nil)
	walk(schema.Unsigned.Claims, []string{"unsigned"})
	return offered
}
