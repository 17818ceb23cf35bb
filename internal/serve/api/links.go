package api

import (
	"context"
	"fmt"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/content/link"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/people/access"
)

// LinkFilter is the filter of lists of links.
type LinkFilter struct {
	Status string `query:"status" enum:"ok,broken,in-app" doc:"Only links with this status."`
}

// linkSubject is the version of a space's content that a question about links is about.
type linkSubject struct {
	link.Scope
	locations *locations
	request   *change.Request // nil for the main content
}

// mainLinks checks that the caller may read the space and takes its live revision.
func (a *API) mainLinks(ctx context.Context, spaceID string) (*linkSubject, error) {
	allowed, err := a.Access.RequireSpace(ctx, callerOf(ctx), spaceID, access.ViewSpace)
	if err != nil {
		return nil, err
	}
	view, err := a.Content.View(ctx, allowed.Head)
	if err != nil {
		return nil, err
	}
	scope := link.Scope{Organization: allowed.Organization, View: view}
	return &linkSubject{Scope: scope, locations: a.newLocations(scope)}, nil
}

// changedLinks is mainLinks for a change request.
func (a *API) changedLinks(ctx context.Context, path ChangeRequestPath) (*linkSubject, error) {
	allowed, err := a.Access.RequireSpace(ctx, callerOf(ctx), path.Space, access.ViewSpace)
	if err != nil {
		return nil, err
	}
	request, err := a.Changes.Get(ctx, callerOf(ctx), path.Space, path.ChangeRequest)
	if err != nil {
		return nil, err
	}
	view, err := a.Content.View(ctx, request.Head)
	if err != nil {
		return nil, err
	}
	wire, err := a.oneChangeRequest(ctx, request)
	if err != nil {
		return nil, err
	}
	scope := link.Scope{Organization: allowed.Organization, View: view}
	subject := &linkSubject{Scope: scope, locations: a.newLocations(scope), request: &request}
	subject.locations.context = &VersionContext{Type: "changeRequest", ChangeRequest: &wire}
	return subject, nil
}

// linkList makes the answer of a list of links.
func (a *API) linkList(ctx context.Context, subject *linkSubject, name string, list link.List,
	page string) (*body[LinkList], error) {
	wire := LinkList{
		Items: make([]LinkUsage, 0, len(list.Items)), Count: list.Count,
		Stats: LinkStats{Total: list.Stats.Total, Broken: BrokenLinkStats{Total: list.Stats.Broken}},
	}
	for _, item := range list.Items {
		usage, err := subject.locations.usage(ctx, item)
		if err != nil {
			return nil, err
		}
		wire.Items = append(wire.Items, usage)
	}
	wire.Next = a.nextPage(name, list.Next)
	if subject.request != nil {
		added, err := a.Links.BrokenAdded(ctx, subject.Organization, subject.request.Space, subject.request.Branch)
		if err != nil {
			return nil, fmt.Errorf("find the links that a change request breaks: %w", err)
		}
		count := added.Count
		if page != "" {
			count = added.BySource[page]
		}
		wire.Stats.Broken.ChangeRequest = &count
	}
	return &body[LinkList]{Body: wire}, nil
}

type listSpaceLinksInput struct {
	PageParams
	LinkFilter
	Space string `path:"spaceId"`
}

// listSpaceLinks lists the links of the live content.
func (a *API) listSpaceLinks(ctx context.Context, in *listSpaceLinksInput) (*body[LinkList], error) {
	subject, err := a.mainLinks(ctx, in.Space)
	if err != nil {
		return nil, err
	}
	return a.allLinks(ctx, subject, "links/"+in.Space+"/"+in.Status, in.Status, in.PageParams)
}

func (a *API) allLinks(ctx context.Context, subject *linkSubject, name, status string,
	params PageParams) (*body[LinkList], error) {
	request, err := a.request(name, params)
	if err != nil {
		return nil, err
	}
	list, err := a.Links.Space(ctx, subject.Scope, link.Status(status), request)
	if err != nil {
		return nil, err
	}
	return a.linkList(ctx, subject, name, list, "")
}

type listChangeRequestLinksInput struct {
	PageParams
	LinkFilter
	ChangeRequestPath
	Added bool `query:"added" doc:"Only the links that the change request breaks, the first thousand of them; status must be left out or broken."`
}

// listChangeRequestLinks lists the links of a change request's content.
func (a *API) listChangeRequestLinks(ctx context.Context, in *listChangeRequestLinksInput) (*body[LinkList], error) {
	subject, err := a.changedLinks(ctx, in.ChangeRequestPath)
	if err != nil {
		return nil, err
	}
	if in.Added {
		return a.addedLinks(ctx, subject, in)
	}
	return a.allLinks(ctx, subject, "links/"+subject.request.ID+"/"+in.Status, in.Status, in.PageParams)
}

// addedLinks lists the links that a change request breaks. Those of pages that only the main content has are located
// there.
func (a *API) addedLinks(ctx context.Context, subject *linkSubject,
	in *listChangeRequestLinksInput) (*body[LinkList], error) {
	if in.Status != "" && in.Status != string(link.Broken) {
		return nil, errs.Invalidf("query.status",
			"is %s, but the links that a change request adds to the broken ones are broken; leave it out", in.Status)
	}
	name := "links/" + subject.request.ID + "/added"
	request, err := a.request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	added, err := a.Links.BrokenAdded(ctx, subject.Organization, subject.request.Space, subject.request.Branch)
	if err != nil {
		return nil, fmt.Errorf("find the links that a change request breaks: %w", err)
	}
	links, next, err := added.Page(request)
	if err != nil {
		return nil, err
	}
	whole, err := a.Links.Space(ctx, subject.Scope, "", paging.Request{Limit: 1})
	if err != nil {
		return nil, err
	}
	return a.linkList(ctx, subject, name, link.List{Items: links, Count: len(added.Links), Next: next,
		Stats: whole.Stats}, "")
}

type listPageLinksInput struct {
	PageParams
	LinkFilter
	Space string `path:"spaceId"`
	Page  string `path:"pageId"`
}

// listPageLinks lists the links of a page of the live content.
func (a *API) listPageLinks(ctx context.Context, in *listPageLinksInput) (*body[LinkList], error) {
	subject, err := a.mainLinks(ctx, in.Space)
	if err != nil {
		return nil, err
	}
	return a.pageLinks(ctx, subject, "links/"+in.Space+"/page/"+in.Page+"/"+in.Status, in.Page, in.Status,
		in.PageParams)
}

func (a *API) pageLinks(ctx context.Context, subject *linkSubject, name, page, status string,
	params PageParams) (*body[LinkList], error) {
	request, err := a.request(name, params)
	if err != nil {
		return nil, err
	}
	if err := subject.require(ctx, page, entity.KindPage); err != nil {
		return nil, err
	}
	list, err := a.Links.Page(ctx, subject.Scope, page, link.Status(status), request)
	if err != nil {
		return nil, err
	}
	return a.linkList(ctx, subject, name, list, page)
}

type listChangeRequestPageLinksInput struct {
	PageParams
	LinkFilter
	ChangeRequestPath
	Page string `path:"pageId"`
}

// listChangeRequestPageLinks lists the links of a page of a change request.
func (a *API) listChangeRequestPageLinks(ctx context.Context,
	in *listChangeRequestPageLinksInput) (*body[LinkList], error) {
	subject, err := a.changedLinks(ctx, in.ChangeRequestPath)
	if err != nil {
		return nil, err
	}
	return a.pageLinks(ctx, subject, "links/"+subject.request.ID+"/page/"+in.Page+"/"+in.Status, in.Page, in.Status,
		in.PageParams)
}

// require answers 404 unless the revision has a page, file or reusable content with the id, or a computed page stands
// for it.
func (s *linkSubject) require(ctx context.Context, id string, kind entity.Kind) error {
	e, err := s.View.Entry(ctx, id)
	if !errs.Is(err, errs.NotFound) && (err != nil || e.Kind == kind) {
		return err
	}
	if kind == entity.KindPage {
		own, err := s.locations.space(ctx, s.View.Revision().Space)
		if err != nil {
			return err
		}
		if own != nil {
			if made, err := s.locations.made(ctx, own, id); err != nil || made != nil {
				return err
			}
		}
	}
	noun := strings.ReplaceAll(string(kind), "-", " ")
	return errs.NotFoundf("There is no %s %q in this version of the space. List its %ss to see their ids.", noun, id,
		noun)
}

type listPageBacklinksInput struct {
	PageParams
	Space string `path:"spaceId"`
	Page  string `path:"pageId"`
}

// listPageBacklinks lists what links to a page of the live content.
func (a *API) listPageBacklinks(ctx context.Context, in *listPageBacklinksInput) (*body[List[ContentLocation]], error) {
	subject, err := a.mainLinks(ctx, in.Space)
	if err != nil {
		return nil, err
	}
	return a.backlinks(ctx, subject, "backlinks/"+in.Space, in.Page, entity.KindPage, in.PageParams)
}

type listFileBacklinksInput struct {
	PageParams
	Space string `path:"spaceId"`
	File  string `path:"fileId"`
}

// listFileBacklinks lists what uses a file of the live content.
func (a *API) listFileBacklinks(ctx context.Context, in *listFileBacklinksInput) (*body[List[ContentLocation]], error) {
	subject, err := a.mainLinks(ctx, in.Space)
	if err != nil {
		return nil, err
	}
	return a.backlinks(ctx, subject, "backlinks/"+in.Space, in.File, entity.KindFile, in.PageParams)
}

type listChangeRequestPageBacklinksInput struct {
	PageParams
	ChangeRequestPath
	Page string `path:"pageId"`
}

// listChangeRequestPageBacklinks lists what links to a page of a change request.
func (a *API) listChangeRequestPageBacklinks(ctx context.Context,
	in *listChangeRequestPageBacklinksInput) (*body[List[ContentLocation]], error) {
	subject, err := a.changedLinks(ctx, in.ChangeRequestPath)
	if err != nil {
		return nil, err
	}
	return a.backlinks(ctx, subject, "backlinks/"+subject.request.ID, in.Page, entity.KindPage, in.PageParams)
}

type listChangeRequestFileBacklinksInput struct {
	PageParams
	ChangeRequestPath
	File string `path:"fileId"`
}

// listChangeRequestFileBacklinks lists what uses a file of a change request.
func (a *API) listChangeRequestFileBacklinks(ctx context.Context,
	in *listChangeRequestFileBacklinksInput) (*body[List[ContentLocation]], error) {
	subject, err := a.changedLinks(ctx, in.ChangeRequestPath)
	if err != nil {
		return nil, err
	}
	return a.backlinks(ctx, subject, "backlinks/"+subject.request.ID, in.File, entity.KindFile, in.PageParams)
}

type listReusableBacklinksInput struct {
	PageParams
	Space    string `path:"spaceId"`
	Reusable string `path:"reusableContentId"`
}

// listReusableBacklinks lists what includes a reusable content of the live content.
func (a *API) listReusableBacklinks(ctx context.Context,
	in *listReusableBacklinksInput) (*body[List[ContentLocation]], error) {
	subject, err := a.mainLinks(ctx, in.Space)
	if err != nil {
		return nil, err
	}
	return a.backlinks(ctx, subject, "backlinks/"+in.Space, in.Reusable, entity.KindReusable, in.PageParams)
}

type listChangeRequestReusableBacklinksInput struct {
	PageParams
	ChangeRequestPath
	Reusable string `path:"reusableContentId"`
}

// listChangeRequestReusableBacklinks lists what includes a reusable content of a change request.
func (a *API) listChangeRequestReusableBacklinks(ctx context.Context,
	in *listChangeRequestReusableBacklinksInput) (*body[List[ContentLocation]], error) {
	subject, err := a.changedLinks(ctx, in.ChangeRequestPath)
	if err != nil {
		return nil, err
	}
	return a.backlinks(ctx, subject, "backlinks/"+subject.request.ID, in.Reusable, entity.KindReusable, in.PageParams)
}

func (a *API) backlinks(ctx context.Context, subject *linkSubject, list, id string, kind entity.Kind,
	params PageParams) (*body[List[ContentLocation]], error) {
	name := fmt.Sprintf("%s/%s/%s", list, kind, id)
	request, err := a.request(name, params)
	if err != nil {
		return nil, err
	}
	if err := subject.require(ctx, id, kind); err != nil {
		return nil, err
	}
	others, err := a.Spaces.Readable(ctx, callerOf(ctx), subject.Organization)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(others))
	for i, other := range others {
		ids[i] = other.ID
	}
	found, err := a.Links.Backlinks(ctx, subject.Scope, id, ids, request)
	if err != nil {
		return nil, err
	}
	wire := List[ContentLocation]{Items: make([]ContentLocation, 0, len(found.Items)), Count: found.Count,
		Next: a.nextPage(name, found.Next)}
	for _, each := range found.Items {
		location, err := subject.locations.backlink(ctx, each)
		if err != nil {
			return nil, err
		}
		wire.Items = append(wire.Items, location)
	}
	return &body[List[ContentLocation]]{Body: wire}, nil
}
