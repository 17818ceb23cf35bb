package sites

import (
	"context"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

type listGroupsInput struct {
	wire.SiteParams
	wire.PageParams
}

// listSectionGroups lists the groups of a site in their order.
func (h *Handlers) listSectionGroups(ctx context.Context,
	in *listGroupsInput) (*operation.Body[wire.List[SiteSectionGroup]], error) {
	name := "site-section-groups/" + string(in.Site)
	request, err := h.Lists.Request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	groups, err := h.Sites.ListGroups(ctx, operation.Caller(ctx), in.Organization, in.Site, request)
	if err != nil {
		return nil, err
	}
	nodes := make([]site.Node, len(groups.Items))
	for i := range groups.Items {
		nodes[i].Group = &groups.Items[i]
	}
	w, err := h.structureWriter(ctx, nodes...)
	if err != nil {
		return nil, err
	}
	return &operation.Body[wire.List[SiteSectionGroup]]{Body: *wire.Listed(h.Lists, name, groups, w.group)}, nil
}

func (h *Handlers) wireGroup(ctx context.Context, g site.Group) (SiteSectionGroup, error) {
	w, err := h.structureWriter(ctx, site.Node{Group: &g})
	if err != nil {
		return SiteSectionGroup{}, err
	}
	return w.group(g), nil
}

type addGroupInput struct {
	wire.SiteParams
	Body struct {
		Title    string             `json:"title" minLength:"1" maxLength:"100"`
		Icon     wire.Patch[string] `json:"icon,omitzero" required:"false" doc:"Name of an icon, or null for none."`
		Sections []id.Section       `json:"sections,omitempty" maxItems:"500" doc:"Ids of sections that move into it, in this order."`
		Parent   id.SectionGroup    `json:"parent,omitempty" doc:"Id of the group that it is in."`
	}
}

// addSectionGroup adds a group to a site.
func (h *Handlers) addSectionGroup(ctx context.Context,
	in *addGroupInput) (*operation.Created[SiteSectionGroup], error) {
	added, err := h.Sites.AddGroup(ctx, operation.Caller(ctx), in.Organization, in.Site, site.NewGroup{
		Title: in.Body.Title, Icon: in.Body.Icon.Or(""), Sections: in.Body.Sections, Parent: in.Body.Parent,
	})
	if err != nil {
		return nil, err
	}
	return h.createdGroup(ctx, in.SiteParams, added)
}

func (h *Handlers) createdGroup(ctx context.Context, at wire.SiteParams,
	g site.Group) (*operation.Created[SiteSectionGroup], error) {
	answer, err := h.wireGroup(ctx, g)
	if err != nil {
		return nil, err
	}
	return &operation.Created[SiteSectionGroup]{Location: h.location(at, "section-groups/"+string(g.ID)),
		Body: answer}, nil
}

// GroupParams name a section group of a site.
type GroupParams struct {
	wire.SiteParams
	Group id.SectionGroup `path:"siteSectionGroupId"`
}

type updateGroupInput struct {
	GroupParams
	Body struct {
		Title wire.Patch[string] `json:"title,omitzero" required:"false" doc:"1 to 100 characters."`
		Icon  wire.Patch[string] `json:"icon,omitzero" required:"false" doc:"Name of an icon, or null for none."`
	}
}

// updateSectionGroup changes a group.
func (h *Handlers) updateSectionGroup(ctx context.Context,
	in *updateGroupInput) (*operation.Body[SiteSectionGroup], error) {
	changed, err := h.Sites.UpdateGroup(ctx, operation.Caller(ctx), in.Organization, in.Site, in.Group,
		site.GroupChange{
			Title: in.Body.Title.Value, Icon: in.Body.Icon.Value,
		})
	if err != nil {
		return nil, err
	}
	wire, err := h.wireGroup(ctx, changed)
	if err != nil {
		return nil, err
	}
	return &operation.Body[SiteSectionGroup]{Body: wire}, nil
}

// deleteSectionGroup deletes a group and leaves its sections.
func (h *Handlers) deleteSectionGroup(ctx context.Context, in *GroupParams) (*operation.Nothing, error) {
	return nil, h.Sites.RemoveGroup(ctx, operation.Caller(ctx), in.Organization, in.Site, in.Group)
}

type addToGroupInput struct {
	GroupParams
	Body struct {
		Section id.Section `json:"sectionId" minLength:"1"`
	}
}

// addSectionToGroup moves a section into a group.
func (h *Handlers) addSectionToGroup(ctx context.Context,
	in *addToGroupInput) (*operation.Created[SiteSectionGroup], error) {
	changed, err := h.Sites.AddToGroup(ctx, operation.Caller(ctx), in.Organization, in.Site, in.Group, in.Body.Section)
	if err != nil {
		return nil, err
	}
	return h.createdGroup(ctx, in.SiteParams, changed)
}

type removeFromGroupInput struct {
	GroupParams
	Section id.Section `path:"siteSectionId"`
}

// removeSectionFromGroup moves a section out of a group.
func (h *Handlers) removeSectionFromGroup(ctx context.Context, in *removeFromGroupInput) (*operation.Nothing, error) {
	return nil, h.Sites.RemoveFromGroup(ctx, operation.Caller(ctx), in.Organization, in.Site, in.Group, in.Section)
}

// groupPosition is a place beside a section or a group.
type groupPosition struct {
	Before *groupPointer `json:"before,omitempty"`
	After  *groupPointer `json:"after,omitempty"`
}

type moveGroupInput struct {
	GroupParams
	Body *struct {
		Position *groupPosition `json:"position,omitempty" doc:"The end of the site when absent."`
	} `required:"false"`
}

type groupPointer struct {
	Type string `json:"type" enum:"site-section,site-section-group"`
	ID   string `json:"id" minLength:"1"`
}

func (p *groupPointer) domain() *site.Pointer {
	if p == nil {
		return nil
	}
	return &site.Pointer{Kind: site.ItemKind(p.Type), ID: p.ID}
}

// moveSectionGroup is the deprecated form of sortSiteStructure for groups.
func (h *Handlers) moveSectionGroup(ctx context.Context, in *moveGroupInput) (*operation.Body[StructureItem], error) {
	var place site.Place
	if in.Body != nil && in.Body.Position != nil {
		place = site.Place{Before: in.Body.Position.Before.domain(), After: in.Body.Position.After.domain()}
	}
	item, err := h.sort(ctx, in.SiteParams, site.Pointer{Kind: site.ItemGroup, ID: string(in.Group)}, place)
	if err != nil {
		return nil, err
	}
	return &operation.Body[StructureItem]{Body: item}, nil
}

func emptyTitle() error {
	return errs.Invalidf("title", "has 0 characters; from 2 to 128 are accepted, and null for the title of the space")
}
