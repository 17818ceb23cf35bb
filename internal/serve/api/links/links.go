package links

import (
	"context"
	"fmt"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/content/link"
	"github.com/rectodocs/recto/internal/engine/entity"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
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
func (h *Handlers) mainLinks(ctx context.Context, spaceID id.Space) (*linkSubject, error) {
	allowed, err := h.Access.RequireSpace(ctx, operation.Caller(ctx), spaceID, access.ViewSpace)
	if err != nil {
		return nil, err
	}
	view, err := h.Content.View(ctx, allowed.Head)
	if err != nil {
		return nil, err
	}
	scope := link.Scope{Organization: allowed.Organization, View: view}
	return &linkSubject{Scope: scope, locations: h.newLocations(scope)}, nil
}

// changedLinks is mainLinks for a change request.
func (h *Handlers) changedLinks(ctx context.Context, path wire.ChangeRequestPath) (*linkSubject, error) {
	allowed, err := h.Access.RequireSpace(ctx, operation.Caller(ctx), path.Space, access.ViewSpace)
	if err != nil {
		return nil, err
	}
	request, err := h.Changes.Get(ctx, operation.Caller(ctx), path.Space, path.ChangeRequest)
	if err != nil {
		return nil, err
	}
	view, err := h.Content.View(ctx, request.Head)
	if err != nil {
		return nil, err
	}
	answer, err := h.ChangeRequestWriter.WriteOne(ctx, request)
	if err != nil {
		return nil, err
	}
	scope := link.Scope{Organization: allowed.Organization, View: view}
	subject := &linkSubject{Scope: scope, locations: h.newLocations(scope), request: &request}
	subject.locations.context = &VersionContext{Type: "changeRequest", ChangeRequest: &answer}
	return subject, nil
}

// linkList makes the answer of a list of links.
func (h *Handlers) linkList(ctx context.Context, subject *linkSubject, name string, list link.List,
	page string) (*operation.Body[LinkList], error) {
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
	wire.Next = h.Lists.NextPage(name, list.Next)
	if subject.request != nil {
		added, err := h.Links.BrokenAdded(ctx, subject.Organization, subject.request.Space, subject.request.Branch)
		if err != nil {
			return nil, fmt.Errorf("find the links that a change request breaks: %w", err)
		}
		count := added.Count
		if page != "" {
			count = added.BySource[page]
		}
		wire.Stats.Broken.ChangeRequest = &count
	}
	return &operation.Body[LinkList]{Body: wire}, nil
}

type listSpaceLinksInput struct {
	wire.PageParams
	LinkFilter
	Space id.Space `path:"spaceId"`
}

// listSpaceLinks lists the links of the live content.
func (h *Handlers) listSpaceLinks(ctx context.Context, in *listSpaceLinksInput) (*operation.Body[LinkList], error) {
	subject, err := h.mainLinks(ctx, in.Space)
	if err != nil {
		return nil, err
	}
	return h.allLinks(ctx, subject, "links/"+string(in.Space)+"/"+in.Status, in.Status, in.PageParams)
}

func (h *Handlers) allLinks(ctx context.Context, subject *linkSubject, name, status string,
	params wire.PageParams) (*operation.Body[LinkList], error) {
	request, err := h.Lists.Request(name, params)
	if err != nil {
		return nil, err
	}
	list, err := h.Links.Space(ctx, subject.Scope, link.Status(status), request)
	if err != nil {
		return nil, err
	}
	return h.linkList(ctx, subject, name, list, "")
}

type listChangeRequestLinksInput struct {
	wire.PageParams
	LinkFilter
	wire.ChangeRequestPath
	Added bool `query:"added" doc:"Only the links that the change request breaks, the first thousand of them; status must be left out or broken."`
}

// listChangeRequestLinks lists the links of a change request's content.
func (h *Handlers) listChangeRequestLinks(ctx context.Context,
	in *listChangeRequestLinksInput) (*operation.Body[LinkList], error) {
	subject, err := h.changedLinks(ctx, in.ChangeRequestPath)
	if err != nil {
		return nil, err
	}
	if in.Added {
		return h.addedLinks(ctx, subject, in)
	}
	return h.allLinks(ctx, subject, "links/"+string(subject.request.ID)+"/"+in.Status, in.Status, in.PageParams)
}

// addedLinks lists the links that a change request breaks. Those of pages that only the main content has are located
// there.
func (h *Handlers) addedLinks(ctx context.Context, subject *linkSubject,
	in *listChangeRequestLinksInput) (*operation.Body[LinkList], error) {
	if in.Status != "" && in.Status != string(link.Broken) {
		return nil, errs.Invalidf("query.status",
			"is %s, but the links that a change request adds to the broken ones are broken; leave it out", in.Status)
	}
	name := "links/" + string(subject.request.ID) + "/added"
	request, err := h.Lists.Request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	added, err := h.Links.BrokenAdded(ctx, subject.Organization, subject.request.Space, subject.request.Branch)
	if err != nil {
		return nil, fmt.Errorf("find the links that a change request breaks: %w", err)
	}
	links, next, err := added.Page(request)
	if err != nil {
		return nil, err
	}
	whole, err := h.Links.Space(ctx, subject.Scope, "", paging.Request{Limit: 1})
	if err != nil {
		return nil, err
	}
	return h.linkList(ctx, subject, name, link.List{Items: links, Count: len(added.Links), Next: next,
		Stats: whole.Stats}, "")
}

type listPageLinksInput struct {
	wire.PageParams
	LinkFilter
	Space id.Space `path:"spaceId"`
	Page  string   `path:"pageId"`
}

// listPageLinks lists the links of a page of the live content.
func (h *Handlers) listPageLinks(ctx context.Context, in *listPageLinksInput) (*operation.Body[LinkList], error) {
	subject, err := h.mainLinks(ctx, in.Space)
	if err != nil {
		return nil, err
	}
	return h.pageLinks(ctx, subject, "links/"+string(in.Space)+"/page/"+in.Page+"/"+in.Status, in.Page, in.Status,
		in.PageParams)
}

func (h *Handlers) pageLinks(ctx context.Context, subject *linkSubject, name, page, status string,
	params wire.PageParams) (*operation.Body[LinkList], error) {
	request, err := h.Lists.Request(name, params)
	if err != nil {
		return nil, err
	}
	if err := subject.require(ctx, page, entity.KindPage); err != nil {
		return nil, err
	}
	list, err := h.Links.Page(ctx, subject.Scope, page, link.Status(status), request)
	if err != nil {
		return nil, err
	}
	return h.linkList(ctx, subject, name, list, page)
}

type listChangeRequestPageLinksInput struct {
	wire.PageParams
	LinkFilter
	wire.ChangeRequestPath
	Page string `path:"pageId"`
}

// listChangeRequestPageLinks lists the links of a page of a change request.
func (h *Handlers) listChangeRequestPageLinks(ctx context.Context,
	in *listChangeRequestPageLinksInput) (*operation.Body[LinkList], error) {
	subject, err := h.changedLinks(ctx, in.ChangeRequestPath)
	if err != nil {
		return nil, err
	}
	return h.pageLinks(ctx, subject, "links/"+string(subject.request.ID)+"/page/"+in.Page+"/"+in.Status, in.Page,
		in.Status,
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
			if computed, err := s.locations.computedPage(ctx, own, id); err != nil || computed != nil {
				return err
			}
		}
	}
	noun := strings.ReplaceAll(string(kind), "-", " ")
	return errs.NotFoundf("There is no %s %q in this version of the space. List its %ss to see their ids.", noun, id,
		noun)
}

type listPageBacklinksInput struct {
	wire.PageParams
	Space id.Space `path:"spaceId"`
	Page  string   `path:"pageId"`
}

// listPageBacklinks lists what links to a page of the live content.
func (h *Handlers) listPageBacklinks(ctx context.Context,
	in *listPageBacklinksInput) (*operation.Body[wire.List[ContentLocation]], error) {
	subject, err := h.mainLinks(ctx, in.Space)
	if err != nil {
		return nil, err
	}
	return h.backlinks(ctx, subject, "backlinks/"+string(in.Space), in.Page, entity.KindPage, in.PageParams)
}

type listFileBacklinksInput struct {
	wire.PageParams
	Space id.Space `path:"spaceId"`
	File  string   `path:"fileId"`
}

// listFileBacklinks lists what uses a file of the live content.
func (h *Handlers) listFileBacklinks(ctx context.Context,
	in *listFileBacklinksInput) (*operation.Body[wire.List[ContentLocation]], error) {
	subject, err := h.mainLinks(ctx, in.Space)
	if err != nil {
		return nil, err
	}
	return h.backlinks(ctx, subject, "backlinks/"+string(in.Space), in.File, entity.KindFile, in.PageParams)
}

type listChangeRequestPageBacklinksInput struct {
	wire.PageParams
	wire.ChangeRequestPath
	Page string `path:"pageId"`
}

// listChangeRequestPageBacklinks lists what links to a page of a change request.
func (h *Handlers) listChangeRequestPageBacklinks(ctx context.Context,
	in *listChangeRequestPageBacklinksInput) (*operation.Body[wire.List[ContentLocation]], error) {
	subject, err := h.changedLinks(ctx, in.ChangeRequestPath)
	if err != nil {
		return nil, err
	}
	return h.backlinks(ctx, subject, "backlinks/"+string(subject.request.ID), in.Page, entity.KindPage, in.PageParams)
}

type listChangeRequestFileBacklinksInput struct {
	wire.PageParams
	wire.ChangeRequestPath
	File string `path:"fileId"`
}

// listChangeRequestFileBacklinks lists what uses a file of a change request.
func (h *Handlers) listChangeRequestFileBacklinks(ctx context.Context,
	in *listChangeRequestFileBacklinksInput) (*operation.Body[wire.List[ContentLocation]], error) {
	subject, err := h.changedLinks(ctx, in.ChangeRequestPath)
	if err != nil {
		return nil, err
	}
	return h.backlinks(ctx, subject, "backlinks/"+string(subject.request.ID), in.File, entity.KindFile, in.PageParams)
}

type listReusableBacklinksInput struct {
	wire.PageParams
	Space    id.Space `path:"spaceId"`
	Reusable string   `path:"reusableContentId"`
}

// listReusableBacklinks lists what includes a reusable content of the live content.
func (h *Handlers) listReusableBacklinks(ctx context.Context,
	in *listReusableBacklinksInput) (*operation.Body[wire.List[ContentLocation]], error) {
	subject, err := h.mainLinks(ctx, in.Space)
	if err != nil {
		return nil, err
	}
	return h.backlinks(ctx, subject, "backlinks/"+string(in.Space), in.Reusable, entity.KindReusable, in.PageParams)
}

type listChangeRequestReusableBacklinksInput struct {
	wire.PageParams
	wire.ChangeRequestPath
	Reusable string `path:"reusableContentId"`
}

// listChangeRequestReusableBacklinks lists what includes a reusable content of a change request.
func (h *Handlers) listChangeRequestReusableBacklinks(ctx context.Context,
	in *listChangeRequestReusableBacklinksInput) (*operation.Body[wire.List[ContentLocation]], error) {
	subject, err := h.changedLinks(ctx, in.ChangeRequestPath)
	if err != nil {
		return nil, err
	}
	return h.backlinks(ctx, subject, "backlinks/"+string(subject.request.ID), in.Reusable, entity.KindReusable,
		in.PageParams)
}

func (h *Handlers) backlinks(ctx context.Context, subject *linkSubject, list, entryID string, kind entity.Kind,
	params wire.PageParams) (*operation.Body[wire.List[ContentLocation]], error) {
	name := fmt.Sprintf("%s/%s/%s", list, kind, entryID)
	request, err := h.Lists.Request(name, params)
	if err != nil {
		return nil, err
	}
	if err := subject.require(ctx, entryID, kind); err != nil {
		return nil, err
	}
	others, err := h.Spaces.Readable(ctx, operation.Caller(ctx), subject.Organization)
	if err != nil {
		return nil, err
	}
	ids := make([]id.Space, len(others))
	for i, other := range others {
		ids[i] = other.ID
	}
	found, err := h.Links.Backlinks(ctx, subject.Scope, entryID, ids, request)
	if err != nil {
		return nil, err
	}
	answer := wire.List[ContentLocation]{Items: make([]ContentLocation, 0, len(found.Items)), Count: found.Count,
		Next: h.Lists.NextPage(name, found.Next)}
	for _, each := range found.Items {
		location, err := subject.locations.backlink(ctx, each)
		if err != nil {
			return nil, err
		}
		answer.Items = append(answer.Items, location)
	}
	return &operation.Body[wire.List[ContentLocation]]{Body: answer}, nil
}
