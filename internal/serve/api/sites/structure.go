package sites

import (
	"context"
	"net/http"
	"strings"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

type structureInput struct {
	wire.SiteParams
	ShareKey string `query:"shareKey" maxLength:"100" doc:"Key of a share link; addresses of share-link sites need it."`
}

// shared checks the key of a share link and returns how an address of the site is with it. errs.NotFound for a key that
// opens nothing there.
func (h *Handlers) shared(ctx context.Context, at wire.SiteParams, key string) (func(address string) string, error) {
	of := site.Site{}
	if key != "" {
		var err error
		if of, err = h.Sites.Get(ctx, operation.Caller(ctx), at.Organization, at.Site); err != nil {
			return nil, err
		}
	}
	return h.Audiences.ShareKey(ctx, of, key)
}

// share puts the key of a share link into the addresses of a structure.
func (h *Handlers) share(ctx context.Context, at wire.SiteParams, key string, structure site.Structure) error {
	address, err := h.shared(ctx, at, key)
	if err == nil {
		structure.Readdress(address)
	}
	return err
}

// getSiteStructure answers all that is on a site.
func (h *Handlers) getSiteStructure(ctx context.Context, in *structureInput) (*operation.Body[SiteStructure], error) {
	found, err := h.Sites.Structure(ctx, operation.Caller(ctx), in.Organization, in.Site)
	if err != nil {
		return nil, err
	}
	if err := h.share(ctx, in.SiteParams, in.ShareKey, found); err != nil {
		return nil, err
	}
	wire, err := h.wireStructure(ctx, found)
	if err != nil {
		return nil, err
	}
	return &operation.Body[SiteStructure]{Body: wire}, nil
}

// StructurePointer names a thing in a site's structure.
type StructurePointer struct {
	Type string `json:"type" enum:"site-space,site-section,site-section-group"`
	ID   string `json:"id" minLength:"1"`
}

func (p *StructurePointer) domain() *site.Pointer {
	if p == nil {
		return nil
	}
	return &site.Pointer{Kind: site.ItemKind(p.Type), ID: p.ID}
}

// structurePosition is a place beside an item of a site's structure.
type structurePosition struct {
	Before *StructurePointer `json:"before,omitempty"`
	After  *StructurePointer `json:"after,omitempty"`
}

type sortStructureInput struct {
	wire.SiteParams
	Prefer string `header:"Prefer" doc:"return=minimal answers without a body."`
	Body   struct {
		Item     StructurePointer  `json:"item"`
		Position structurePosition `json:"position" doc:"Right before or after a neighbour, into whose section or group the item goes; empty for the end."`
	}
}

// sortOutput is 200 with what was moved, or 204 for return=minimal.
type sortOutput struct {
	Status  int
	Applied string `header:"Preference-Applied"`
	Body    *StructureItem
}

// sortSiteStructure moves a space, section or group.
func (h *Handlers) sortSiteStructure(ctx context.Context, in *sortStructureInput) (*sortOutput, error) {
	place := site.Place{Before: in.Body.Position.Before.domain(), After: in.Body.Position.After.domain()}
	item, err := h.sort(ctx, in.SiteParams, *in.Body.Item.domain(), place)
	if err != nil {
		return nil, err
	}
	for preference := range strings.SplitSeq(in.Prefer, ",") {
		switch strings.ToLower(strings.ReplaceAll(strings.TrimSpace(preference), `"`, "")) {
		case "return=minimal":
			return &sortOutput{Status: http.StatusNoContent, Applied: "return=minimal"}, nil
		case "return=representation":
			return &sortOutput{Status: http.StatusOK, Applied: "return=representation", Body: &item}, nil
		}
	}
	return &sortOutput{Status: http.StatusOK, Body: &item}, nil
}

func (h *Handlers) sort(ctx context.Context, at wire.SiteParams, moved site.Pointer,
	place site.Place) (StructureItem, error) {
	node, err := h.Sites.Sort(ctx, operation.Caller(ctx), at.Organization, at.Site, moved, place)
	if err != nil {
		return StructureItem{}, err
	}
	w, err := h.structureWriter(ctx, node)
	if err != nil {
		return StructureItem{}, err
	}
	return w.item(node), nil
}

type listSiteSpacesInput struct {
	wire.SiteParams
	wire.PageParams
	Default  string `query:"default" enum:"true,false" doc:"Only the default space, or only the others."`
	ShareKey string `query:"shareKey" maxLength:"100" doc:"Key of a share link; addresses of share-link sites need it."`
}

// listSiteSpaces lists the spaces of a site in their order.
func (h *Handlers) listSiteSpaces(ctx context.Context,
	in *listSiteSpacesInput) (*operation.Body[wire.List[SiteSpace]], error) {
	name := "site-spaces/" + string(in.Site) + "/" + in.Default
	request, err := h.Lists.Request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	siteSpaces, err := h.Sites.ListSpaces(ctx, operation.Caller(ctx), in.Organization, in.Site,
		wire.Boolean(in.Default), request)
	if err != nil {
		return nil, err
	}
	nodes := make([]site.Node, len(siteSpaces.Items))
	for i := range siteSpaces.Items {
		nodes[i].Space = &siteSpaces.Items[i]
	}
	if err := h.share(ctx, in.SiteParams, in.ShareKey, site.Structure{Nodes: nodes}); err != nil {
		return nil, err
	}
	answer, err := h.wireSiteSpaces(ctx, siteSpaces.Items)
	if err != nil {
		return nil, err
	}
	return &operation.Body[wire.List[SiteSpace]]{Body: *wire.Listed(h.Lists, name, paging.WithItems(siteSpaces, answer),
			func(s SiteSpace) SiteSpace { return s })},
		nil
}

type addSiteSpaceInput struct {
	wire.SiteParams
	Body struct {
		Space   id.Space   `json:"spaceId" minLength:"1"`
		Section id.Section `json:"sectionId,omitempty" doc:"Id of a section; the default one when absent, or the root of a site without sections."`
	}
}

// location is the address of something in a site's structure.
func (h *Handlers) location(at wire.SiteParams, below string) string {
	return h.Wire.BaseURL + "/v1/orgs/" + string(at.Organization) + "/sites/" + string(at.Site) + "/" + below
}

// addSiteSpace puts a space on a site.
func (h *Handlers) addSiteSpace(ctx context.Context, in *addSiteSpaceInput) (*operation.Created[SiteSpace], error) {
	added, err := h.Sites.AddSpace(ctx, operation.Caller(ctx), in.Organization, in.Site, in.Body.Space, in.Body.Section)
	if err != nil {
		return nil, err
	}
	wire, err := h.wireSiteSpaces(ctx, []site.SiteSpace{added})
	if err != nil {
		return nil, err
	}
	return &operation.Created[SiteSpace]{Location: h.location(in.SiteParams, "site-spaces/"+string(added.ID)),
			Body: wire[0]},
		nil
}

// SiteSpaceParams name a space on a site.
type SiteSpaceParams struct {
	wire.SiteParams
	SiteSpace id.SiteSpace `path:"siteSpaceId"`
}

type updateSiteSpaceInput struct {
	SiteSpaceParams
	Body struct {
		Path      wire.Patch[string]   `json:"path,omitzero" required:"false" doc:"1 to 100 lower-case letters, digits, hyphens and dots, unique among its siblings."`
		Condition wire.Patch[string]   `json:"condition,omitzero" required:"false" doc:"Expression over the visitor, 1 to 1024 characters; null shows the space to all."`
		Space     wire.Patch[id.Space] `json:"spaceId,omitzero" required:"false" doc:"Id of the space to show instead."`
	}
}

// updateSiteSpace changes a space on a site.
func (h *Handlers) updateSiteSpace(ctx context.Context, in *updateSiteSpaceInput) (*operation.Body[SiteSpace], error) {
	changed, err := h.Sites.UpdateSpace(ctx, operation.Caller(ctx), in.Organization, in.Site, in.SiteSpace,
		site.SpaceChange{
			Path: in.Body.Path.Value, Condition: in.Body.Condition.Value, Space: in.Body.Space.Value,
		})
	if err != nil {
		return nil, err
	}
	wire, err := h.wireSiteSpaces(ctx, []site.SiteSpace{changed})
	if err != nil {
		return nil, err
	}
	return &operation.Body[SiteSpace]{Body: wire[0]}, nil
}

// deleteSiteSpace takes a space off a site.
func (h *Handlers) deleteSiteSpace(ctx context.Context, in *SiteSpaceParams) (*operation.Nothing, error) {
	return nil, h.Sites.RemoveSpace(ctx, operation.Caller(ctx), in.Organization, in.Site, in.SiteSpace)
}

// siteSpacePosition is a place beside a site space.
type siteSpacePosition struct {
	Before *siteSpacePointer `json:"before,omitempty"`
	After  *siteSpacePointer `json:"after,omitempty"`
}

type moveSiteSpaceInput struct {
	SiteSpaceParams
	Body *struct {
		Position *siteSpacePosition `json:"position,omitempty" doc:"The end of its section when absent."`
	} `required:"false"`
}

type siteSpacePointer struct {
	Type      string       `json:"type" enum:"site-space"`
	SiteSpace id.SiteSpace `json:"siteSpace" minLength:"1"`
}

func (p *siteSpacePointer) domain() *site.Pointer {
	if p == nil {
		return nil
	}
	return &site.Pointer{Kind: site.ItemSpace, ID: string(p.SiteSpace)}
}

// moveSiteSpace is the deprecated form of sortSiteStructure for spaces.
func (h *Handlers) moveSiteSpace(ctx context.Context, in *moveSiteSpaceInput) (*operation.Body[StructureItem], error) {
	var place site.Place
	if in.Body != nil && in.Body.Position != nil {
		place = site.Place{Before: in.Body.Position.Before.domain(), After: in.Body.Position.After.domain()}
	}
	item, err := h.sort(ctx, in.SiteParams, site.Pointer{Kind: site.ItemSpace, ID: string(in.SiteSpace)}, place)
	if err != nil {
		return nil, err
	}
	return &operation.Body[StructureItem]{Body: item}, nil
}

type listSectionsInput struct {
	wire.SiteParams
	wire.PageParams
	ShareKey string `query:"shareKey" maxLength:"100" doc:"Key of a share link; addresses of share-link sites need it."`
}

// listSiteSections lists the sections of a site in their order.
func (h *Handlers) listSiteSections(ctx context.Context,
	in *listSectionsInput) (*operation.Body[wire.List[SiteSection]], error) {
	name := "site-sections/" + string(in.Site)
	request, err := h.Lists.Request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	sections, err := h.Sites.ListSections(ctx, operation.Caller(ctx), in.Organization, in.Site, request)
	if err != nil {
		return nil, err
	}
	nodes := make([]site.Node, len(sections.Items))
	for i := range sections.Items {
		nodes[i].Section = &sections.Items[i]
	}
	if err := h.share(ctx, in.SiteParams, in.ShareKey, site.Structure{Sections: true, Nodes: nodes}); err != nil {
		return nil, err
	}
	w, err := h.structureWriter(ctx, nodes...)
	if err != nil {
		return nil, err
	}
	return &operation.Body[wire.List[SiteSection]]{Body: *wire.Listed(h.Lists, name, sections, w.section)}, nil
}

func (h *Handlers) wireSection(ctx context.Context, s site.Section) (SiteSection, error) {
	w, err := h.structureWriter(ctx, site.Node{Section: &s})
	if err != nil {
		return SiteSection{}, err
	}
	return w.section(s), nil
}

type addSectionInput struct {
	wire.SiteParams
	Body struct {
		Space id.Space           `json:"spaceId" minLength:"1" doc:"Id of its first space."`
		Title wire.Patch[string] `json:"title,omitzero" required:"false" doc:"2 to 128 characters; that of the space when absent or null."`
		Icon  wire.Patch[string] `json:"icon,omitzero" required:"false" doc:"Name of an icon."`
	}
}

// AddedSection is a section that was just added, with what has moved for it.
type AddedSection struct {
	SiteSection
	// Moved is there when the site had spaces at its root: the section that they are in now, at the same addresses.
	Moved *MovedSpaces `json:"moved,omitempty"`
}

// MovedSpaces are site spaces that are in a section now. SiteSpaces are their ids.
type MovedSpaces struct {
	SiteSection id.Section     `json:"siteSection"`
	SiteSpaces  []id.SiteSpace `json:"siteSpaces"`
}

// addSiteSection adds a section to a site.
func (h *Handlers) addSiteSection(ctx context.Context, in *addSectionInput) (*operation.Created[AddedSection], error) {
	if title, ok := in.Body.Title.Get(); ok && title == "" {
		return nil, emptyTitle()
	}
	added, err := h.Sites.AddSection(ctx, operation.Caller(ctx), in.Organization, in.Site, site.NewSection{
		Space: in.Body.Space, Title: in.Body.Title.Or(""), Icon: in.Body.Icon.Or(""),
	})
	if err != nil {
		return nil, err
	}
	wire, err := h.wireSection(ctx, added.Section)
	if err != nil {
		return nil, err
	}
	answer := AddedSection{SiteSection: wire}
	if added.Moved != nil {
		answer.Moved = &MovedSpaces{SiteSection: added.Moved.ID, SiteSpaces: []id.SiteSpace{}}
		for _, space := range added.Moved.Spaces {
			answer.Moved.SiteSpaces = append(answer.Moved.SiteSpaces, space.ID)
		}
	}
	return &operation.Created[AddedSection]{Location: h.location(in.SiteParams, "sections/"+string(added.ID)),
			Body: answer},
		nil
}

// SectionParams name a section of a site.
type SectionParams struct {
	wire.SiteParams
	Section id.Section `path:"siteSectionId"`
}

type updateSectionInput struct {
	SectionParams
	Body struct {
		Title        wire.Patch[string] `json:"title,omitzero" required:"false" doc:"2 to 128 characters."`
		Path         wire.Patch[string] `json:"path,omitzero" required:"false" doc:"1 to 100 lower-case letters, digits, hyphens and dots, unique on the site."`
		DefaultSpace wire.Patch[string] `json:"defaultSiteSpace,omitzero" required:"false" doc:"Id of the site space that answers at the section's address."`
		Condition    wire.Patch[string] `json:"condition,omitzero" required:"false" doc:"Expression over the visitor, up to 1024 characters; null shows the section to all."`
		Icon         wire.Patch[string] `json:"icon,omitzero" required:"false" doc:"Name of an icon, or null for none."`
		Description  wire.Patch[string] `json:"description,omitzero" required:"false" doc:"Up to 256 characters, or null for none."`
	}
}

// updateSiteSection changes a section.
func (h *Handlers) updateSiteSection(ctx context.Context,
	in *updateSectionInput) (*operation.Body[SiteSection], error) {
	changed, err := h.Sites.UpdateSection(ctx, operation.Caller(ctx), in.Organization, in.Site, in.Section,
		site.SectionChange{
			Title: in.Body.Title.Value, Path: in.Body.Path.Value, DefaultSpace: in.Body.DefaultSpace.Value,
			Condition: in.Body.Condition.Value, Icon: in.Body.Icon.Value, Description: in.Body.Description.Value,
		})
	if err != nil {
		return nil, err
	}
	wire, err := h.wireSection(ctx, changed)
	if err != nil {
		return nil, err
	}
	return &operation.Body[SiteSection]{Body: wire}, nil
}

type deleteSectionInput struct {
	SectionParams
	Prefer string `header:"Prefer" doc:"return=representation answers 200 with the spaces that leave the site (RFC 7240)."`
}

// RemovedSection says which spaces a site does not show any more: as they were there.
type RemovedSection struct {
	Object string     `json:"object" enum:"removed-site-section"`
	ID     id.Section `json:"id"`
	// SiteSpaces are those that left the site. Spaces that are in another section, or have gone back to the root, are
	// none of them.
	SiteSpaces []SiteSpace `json:"siteSpaces"`
}

// removedOutput has no body unless it is asked for, as clients of the API family have it.
type removedOutput struct {
	Status  int
	Removed string `header:"Removed-Site-Spaces" doc:"Ids of the site spaces that left the site, with commas between."`
	Applied string `header:"Preference-Applied"`
	Body    *RemovedSection
}

// deleteSiteSection deletes a section, and says which spaces leave the site with it.
func (h *Handlers) deleteSiteSection(ctx context.Context, in *deleteSectionInput) (*removedOutput, error) {
	left, err := h.Sites.RemoveSection(ctx, operation.Caller(ctx), in.Organization, in.Site, in.Section)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(left))
	for i, space := range left {
		ids[i] = string(space.ID)
	}
	out := &removedOutput{Status: http.StatusNoContent, Removed: strings.Join(ids, ",")}
	if !strings.Contains(in.Prefer, "return=representation") {
		return out, nil
	}
	spaces, err := h.wireSiteSpaces(ctx, left)
	if err != nil {
		return nil, err
	}
	out.Status, out.Applied = http.StatusOK, "return=representation"
	out.Body = &RemovedSection{Object: "removed-site-section", ID: in.Section, SiteSpaces: spaces}
	return out, nil
}

// sectionPosition is a place beside a section.
type sectionPosition struct {
	Before *sectionPointer `json:"before,omitempty"`
	After  *sectionPointer `json:"after,omitempty"`
}

type moveSectionInput struct {
	SectionParams
	Body *struct {
		Position *sectionPosition `json:"position,omitempty" doc:"The end of the site when absent."`
	} `required:"false"`
}

type sectionPointer struct {
	Type    string `json:"type" enum:"site-section"`
	Section string `json:"siteSection" minLength:"1"`
}

func (p *sectionPointer) domain() *site.Pointer {
	if p == nil {
		return nil
	}
	return &site.Pointer{Kind: site.ItemSection, ID: p.Section}
}

// moveSiteSection is the deprecated form of sortSiteStructure for sections.
func (h *Handlers) moveSiteSection(ctx context.Context, in *moveSectionInput) (*operation.Body[StructureItem], error) {
	var place site.Place
	if in.Body != nil && in.Body.Position != nil {
		place = site.Place{Before: in.Body.Position.Before.domain(), After: in.Body.Position.After.domain()}
	}
	item, err := h.sort(ctx, in.SiteParams, site.Pointer{Kind: site.ItemSection, ID: string(in.Section)}, place)
	if err != nil {
		return nil, err
	}
	return &operation.Body[StructureItem]{Body: item}, nil
}
