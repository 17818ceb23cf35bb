package api

import (
	"context"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/publish/site"
)

type listGroupsInput struct {
	SiteParams
	PageParams
}

// listSectionGroups lists the groups of a site in their order.
func (a *API) listSectionGroups(ctx context.Context, in *listGroupsInput) (*body[List[SiteSectionGroup]], error) {
	name := "site-section-groups/" + in.Site
	request, err := a.request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	groups, err := a.Sites.ListGroups(ctx, callerOf(ctx), in.Organization, in.Site, request)
	if err != nil {
		return nil, err
	}
	nodes := make([]site.Node, len(groups.Items))
	for i := range groups.Items {
		nodes[i].Group = &groups.Items[i]
	}
	w, err := a.structureWriter(ctx, nodes...)
	if err != nil {
		return nil, err
	}
	return &body[List[SiteSectionGroup]]{Body: *listed(a, name, groups, w.group)}, nil
}

func (a *API) wireGroup(ctx context.Context, g site.Group) (SiteSectionGroup, error) {
	w, err := a.structureWriter(ctx, site.Node{Group: &g})
	if err != nil {
		return SiteSectionGroup{}, err
	}
	return w.group(g), nil
}

type addGroupInput struct {
	SiteParams
	Body struct {
		Title    string        `json:"title" minLength:"1" maxLength:"100"`
		Icon     Patch[string] `json:"icon,omitzero" required:"false" doc:"Name of an icon, or null for none."`
		Sections []string      `json:"sections,omitempty" maxItems:"500" doc:"Ids of sections that move into it, in this order."`
		Parent   string        `json:"parent,omitempty" doc:"Id of the group that it is in."`
	}
}

// addSectionGroup adds a group to a site.
func (a *API) addSectionGroup(ctx context.Context, in *addGroupInput) (*created[SiteSectionGroup], error) {
	added, err := a.Sites.AddGroup(ctx, callerOf(ctx), in.Organization, in.Site, site.NewGroup{
		Title: in.Body.Title, Icon: in.Body.Icon.Or(""), Sections: in.Body.Sections, Parent: in.Body.Parent,
	})
	if err != nil {
		return nil, err
	}
	return a.createdGroup(ctx, in.SiteParams, added)
}

func (a *API) createdGroup(ctx context.Context, at SiteParams, g site.Group) (*created[SiteSectionGroup], error) {
	wire, err := a.wireGroup(ctx, g)
	if err != nil {
		return nil, err
	}
	return &created[SiteSectionGroup]{Location: a.location(at, "section-groups/"+g.ID), Body: wire}, nil
}

// GroupParams name a section group of a site.
type GroupParams struct {
	SiteParams
	Group string `path:"siteSectionGroupId"`
}

type updateGroupInput struct {
	GroupParams
	Body struct {
		Title Patch[string] `json:"title,omitzero" required:"false" doc:"1 to 100 characters."`
		Icon  Patch[string] `json:"icon,omitzero" required:"false" doc:"Name of an icon, or null for none."`
	}
}

// updateSectionGroup changes a group.
func (a *API) updateSectionGroup(ctx context.Context, in *updateGroupInput) (*body[SiteSectionGroup], error) {
	changed, err := a.Sites.UpdateGroup(ctx, callerOf(ctx), in.Organization, in.Site, in.Group, site.GroupChange{
		Title: in.Body.Title.Value, Icon: in.Body.Icon.Value,
	})
	if err != nil {
		return nil, err
	}
	wire, err := a.wireGroup(ctx, changed)
	if err != nil {
		return nil, err
	}
	return &body[SiteSectionGroup]{Body: wire}, nil
}

// deleteSectionGroup deletes a group and leaves its sections.
func (a *API) deleteSectionGroup(ctx context.Context, in *GroupParams) (*nothing, error) {
	return nil, a.Sites.RemoveGroup(ctx, callerOf(ctx), in.Organization, in.Site, in.Group)
}

type addToGroupInput struct {
	GroupParams
	Body struct {
		Section string `json:"sectionId" minLength:"1"`
	}
}

// addSectionToGroup moves a section into a group.
func (a *API) addSectionToGroup(ctx context.Context, in *addToGroupInput) (*created[SiteSectionGroup], error) {
	changed, err := a.Sites.AddToGroup(ctx, callerOf(ctx), in.Organization, in.Site, in.Group, in.Body.Section)
	if err != nil {
		return nil, err
	}
	return a.createdGroup(ctx, in.SiteParams, changed)
}

type removeFromGroupInput struct {
	GroupParams
	Section string `path:"siteSectionId"`
}

// removeSectionFromGroup moves a section out of a group.
func (a *API) removeSectionFromGroup(ctx context.Context, in *removeFromGroupInput) (*nothing, error) {
	return nil, a.Sites.RemoveFromGroup(ctx, callerOf(ctx), in.Organization, in.Site, in.Group, in.Section)
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
func (a *API) moveSectionGroup(ctx context.Context, in *moveGroupInput) (*body[StructureItem], error) {
	var place site.Place
	if in.Body != nil && in.Body.Position != nil {
		place = site.Place{Before: in.Body.Position.Before.domain(), After: in.Body.Position.After.domain()}
	}
	item, err := a.sort(ctx, in.SiteParams, site.Pointer{Kind: site.ItemGroup, ID: in.Group}, place)
	if err != nil {
		return nil, err
	}
	return &body[StructureItem]{Body: item}, nil
}

func emptyTitle() error {
	return errs.Invalidf("title", "has 0 characters; from 2 to 128 are accepted, and null for the title of the space")
}
