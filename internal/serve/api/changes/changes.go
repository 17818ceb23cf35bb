package changes

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

type listChangeRequestsInput struct {
	wire.PageParams
	Space       id.Space `path:"spaceId"`
	Status      string   `query:"status" enum:"draft,open,archived,merged" default:"open"`
	Creator     id.User  `query:"creator" maxLength:"100" doc:"Id of the user who made it."`
	Contributor id.User  `query:"contributor" maxLength:"100" doc:"Id of a user who has written in it."`
}

// listChangeRequests lists the change requests of a space.
func (h *Handlers) listChangeRequests(ctx context.Context,
	in *listChangeRequestsInput) (*operation.Body[wire.List[wire.ChangeRequest]], error) {
	name := fmt.Sprintf("changes/%s/%s/%q/%q", in.Space, in.Status, in.Creator, in.Contributor)
	request, err := h.Lists.Request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	filter := change.Filter{Status: change.Status(in.Status), Creator: in.Creator, Contributor: in.Contributor}
	requests, err := h.Changes.List(ctx, operation.Caller(ctx), in.Space, filter, request)
	if err != nil {
		return nil, err
	}
	return h.changeRequestList(ctx, name, requests)
}

func (h *Handlers) changeRequestList(ctx context.Context, name string,
	requests paging.Page[change.Request]) (*operation.Body[wire.List[wire.ChangeRequest]], error) {
	answer, err := h.ChangeRequestWriter.Write(ctx, requests.Items)
	if err != nil {
		return nil, err
	}
	return &operation.Body[wire.List[wire.ChangeRequest]]{Body: *wire.Listed(h.Lists, name,
		paging.WithItems(requests, answer),
		func(c wire.ChangeRequest) wire.ChangeRequest { return c })}, nil
}

type createChangeRequestInput struct {
	Space id.Space `path:"spaceId"`
	Body  *struct {
		Subject     string          `json:"subject,omitempty" maxLength:"100"`
		Description json.RawMessage `json:"description,omitempty" doc:"Document JSON, or {\"markdown\": \"…\"}."`
		Status      string          `json:"status,omitempty" enum:"draft,open" doc:"draft when absent."`
		AgentTaskID string          `json:"agentTaskId,omitempty" maxLength:"100" doc:"There are no agent tasks on this server; leave it out."`
	} `required:"false"`
}

// createChangeRequest makes a change request from the current content.
func (h *Handlers) createChangeRequest(ctx context.Context,
	in *createChangeRequestInput) (*operation.Created[wire.ChangeRequest], error) {
	var wanted change.New
	if in.Body != nil {
		if in.Body.AgentTaskID != "" {
			return nil, errs.Invalidf("body.agentTaskId",
				"names no agent task: there are none on this server; leave it out")
		}
		description, err := documentInput("body.description", in.Body.Description)
		if err != nil {
			return nil, err
		}
		wanted = change.New{Subject: in.Body.Subject, Description: description, Status: change.Status(in.Body.Status)}
	}
	created, err := h.Changes.Create(ctx, operation.Caller(ctx), in.Space, wanted)
	if err != nil {
		return nil, err
	}
	answer, err := h.ChangeRequestWriter.WriteOne(ctx, created)
	if err != nil {
		return nil, err
	}
	return &operation.Created[wire.ChangeRequest]{Location: answer.URLs.Location, Body: answer}, nil
}

// getChangeRequest answers one change request.
func (h *Handlers) getChangeRequest(ctx context.Context,
	in *struct{ wire.ChangeRequestPath }) (*operation.Body[wire.ChangeRequest], error) {
	found, err := h.Changes.Get(ctx, operation.Caller(ctx), in.Space, in.ChangeRequest)
	if err != nil {
		return nil, err
	}
	return h.changeRequestBody(ctx, found)
}

// visitChangeRequest answers the change request that a visit is a preview of, with what a preview shows of it.
func (h *Handlers) visitChangeRequest(ctx context.Context,
	in *struct{ wire.ChangeRequestPath }) (*operation.Body[wire.ChangeRequest], error) {
	visit := operation.Visit(ctx)
	if visit.Preview == nil {
		return nil, operation.NotOfVisit()
	}
	another := errs.NotFoundf("This token is for another change request.")
	if _, ok := visit.Space(in.Space); !ok {
		return nil, another
	}
	found, err := h.Changes.Get(ctx, visit.Looker, in.Space, in.ChangeRequest)
	if err == nil && found.ID != visit.Preview.ChangeRequest {
		err = another
	}
	if err != nil {
		return nil, err
	}
	return &operation.Body[wire.ChangeRequest]{Body: h.Wire.VisitChangeRequest(found)}, nil
}

func (h *Handlers) changeRequestBody(ctx context.Context,
	r change.Request) (*operation.Body[wire.ChangeRequest], error) {
	answer, err := h.ChangeRequestWriter.WriteOne(ctx, r)
	if err != nil {
		return nil, err
	}
	return &operation.Body[wire.ChangeRequest]{Body: answer}, nil
}
