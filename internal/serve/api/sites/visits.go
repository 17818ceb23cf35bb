package sites

import (
	"context"
	"net/url"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/page"
	"github.com/rectodocs/recto/internal/publish/audience"
	"github.com/rectodocs/recto/internal/publish/site"
	"github.com/rectodocs/recto/internal/publish/site/customization"
	"github.com/rectodocs/recto/internal/publish/site/redirect"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// ofVisit refuses any site but that of the visit.
func ofVisit(ctx context.Context, in wire.SiteParams) (*audience.Visit, error) {
	visit := operation.Visit(ctx)
	if in.Site != visit.Served.Site.ID || in.Organization != visit.Served.Organization {
		return nil, errs.NotFoundf("This token is for another site.")
	}
	return visit, nil
}

// visitPublished answers the profile of a site with the sections and spaces that a visitor gets.
func (h *Handlers) visitPublished(ctx context.Context,
	in *publishedSiteInput) (*operation.Body[PublishedSite], error) {
	visit, err := ofVisit(ctx, in.SiteParams)
	if err != nil {
		return nil, err
	}
	served := visit.Served
	of := served.Site
	of.PublishedURL, of.DirectURL = visit.Address(of.PublishedURL), ""
	of.Proxy, of.SiteSpaces = "", len(served.Spaces)
	answer := PublishedSite{Object: "published-content-site", Site: h.Wire.Site(of),
		Scripts: wireScripts(served.Scripts), Structure: h.visitStructure(visit)}
	answer.Site.HostnameProof = nil
	answer.Site.Permissions.View, answer.Site.Permissions.Access = true, true
	answer.Customizations.Site = served.Customization
	answer.Customizations.Site.Trademark.Enabled = false
	if answer.Customizations.Site.Title == "" {
		answer.Customizations.Site.Title = of.Title
	}
	answer.Customizations.SiteSpaces = map[id.SiteSpace]customization.Customization{}
	for _, space := range served.Spaces {
		if space.Customization != nil {
			own := *space.Customization
			own.Trademark.Enabled = false
			answer.Customizations.SiteSpaces[space.ID] = own
		}
	}
	return &operation.Body[PublishedSite]{Body: answer}, nil
}

// visitStructure is what a visitor gets of a site's structure, in its order.
func (h *Handlers) visitStructure(visit *audience.Visit) SiteStructure {
	served := visit.Served
	spaces := func(section id.Section) []SiteSpace {
		all := []SiteSpace{}
		for _, each := range served.Variants(section) {
			all = append(all, SiteSpace{Object: "site-space", ID: each.ID, Path: each.Path, Section: each.Section,
				Space: h.Wire.VisitSpace(visit, each), Title: each.Title, Default: each.Default,
				HasAdvancedCustomizationFeature: true, URLs: SpacePlace{visit.Address(each.URL)}})
		}
		return all
	}
	if len(served.Sections) == 0 {
		structure := SiteStructure{Type: "siteSpaces", Structure: []StructureItem{}}
		for _, each := range spaces("") {
			structure.Structure = append(structure.Structure, StructureItem{each})
		}
		return structure
	}
	section := func(each site.ServedSection) SiteSection {
		return SiteSection{Object: "site-section", ID: each.ID, Title: each.Title, Description: each.Description,
			Default: each.Default, Path: each.Path, SectionGroup: each.Group, SiteSpaces: spaces(each.ID),
			URLs: SpacePlace{visit.Address(each.URL)}, Icon: each.Icon}
	}
	var in func(group id.SectionGroup) []StructureItem
	in = func(group id.SectionGroup) []StructureItem {
		items, placed := []StructureItem{}, map[id.SectionGroup]bool{}
		for _, each := range served.Sections {
			if each.Group == group {
				items = append(items, StructureItem{section(each)})
				continue
			}
			// A group stands where the first of its sections is.
			for at, ok := served.Group(each.Group); ok; at, ok = served.Group(at.Parent) {
				if at.Parent != group || placed[at.ID] {
					continue
				}
				placed[at.ID] = true
				menu := SiteSectionGroup{Object: "site-section-group", ID: at.ID, Title: at.Title,
					SectionGroup: at.Parent, Sections: []SiteSection{}, Children: in(at.ID), Icon: at.Icon}
				for _, inside := range served.Sections {
					if inside.Group == at.ID {
						menu.Sections = append(menu.Sections, section(inside))
					}
				}
				items = append(items, StructureItem{menu})
			}
		}
		return items
	}
	return SiteStructure{Type: "sections", Structure: in("")}
}

// visitRedirect answers where a path of a site leads, if the visitor gets what is there.
func (h *Handlers) visitRedirect(ctx context.Context,
	in *redirectBySourceInput) (*operation.Body[FoundRedirect], error) {
	visit, err := ofVisit(ctx, in.SiteParams)
	if err != nil {
		return nil, err
	}
	source, err := url.PathUnescape(strings.TrimPrefix(in.Source, "/"))
	if err != nil {
		source = strings.TrimPrefix(in.Source, "/")
	}
	found, target, err := h.Sites.RedirectAt(ctx, site.Located{Served: *visit.Served}, source)
	if err != nil {
		return nil, err
	}
	if found.Destination.Kind != redirect.DestinationExternal {
		there, err := h.visitGets(ctx, visit, target)
		if err != nil {
			return nil, err
		}
		if !there {
			return nil, errs.NotFoundf("There is no redirect from this path.")
		}
		target = visit.Address(target)
	}
	return &operation.Body[FoundRedirect]{Body: FoundRedirect{Redirect: wireRedirect(found), Target: target}}, nil
}

// visitGets reports whether a visitor gets what is at an address of the site.
func (h *Handlers) visitGets(ctx context.Context, visit *audience.Visit, address string) (bool, error) {
	below, ok := strings.CutPrefix(address, visit.Served.Site.PublishedURL)
	if !ok {
		return false, nil
	}
	below, _, _ = strings.Cut(below, "#")
	below, _, _ = strings.Cut(below, "?")
	all, _ := visit.Whole.Locate(below)
	shown, ok := visit.Served.Locate(below)
	path, err := url.PathUnescape(shown.Rest)
	if !ok || all.Space.ID != shown.Space.ID || shown.Space.Head == "" || err != nil {
		return false, nil
	}
	view, err := h.Content.View(ctx, shown.Space.Head)
	if err != nil {
		return false, err
	}
	resolved, err := view.ByPath(ctx, path)
	if errs.Is(err, errs.NotFound) || err == nil && resolved.Entry == nil {
		return true, nil // where nothing is, nothing is told
	}
	if err != nil {
		return false, err
	}
	pages, err := page.Open(ctx, view)
	if err != nil {
		return false, err
	}
	absent, err := pages.Absent(ctx, page.Visitor(visit.Claims))
	return !absent[resolved.Entry.ID], err
}

// visitAsk is ask for a visitor.
func (h *Handlers) visitAsk(ctx context.Context, in *askSiteInput) (*operation.Encoded, error) {
	if _, err := ofVisit(ctx, in.SiteParams); err != nil {
		return nil, err
	}
	return wire.Stream(wire.AskStream{Type: "answer", Answer: wire.NotSetUp(in.Format)})
}

// visitAskQuestions is askQuestions for a visitor.
func (h *Handlers) visitAskQuestions(ctx context.Context, in *askQuestionsInput) (*operation.Encoded, error) {
	if _, err := ofVisit(ctx, in.SiteParams); err != nil {
		return nil, err
	}
	return wire.Stream()
}
