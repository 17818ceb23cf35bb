package api

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/content/change"
)

// ChangeRequestPath names a change request in a path.
type ChangeRequestPath struct {
	Space         string `path:"spaceId"`
	ChangeRequest string `path:"changeRequestId" doc:"The id, or the number in the space."`
}

type listChangeRequestsInput struct {
	PageParams
	Space       string `path:"spaceId"`
	Status      string `query:"status" enum:"draft,open,archived,merged" default:"open"`
	Creator     string `query:"creator" maxLength:"100" doc:"Id of the user who made it."`
	Contributor string `query:"contributor" maxLength:"100" doc:"Id of a user who has written in it."`
}

// listChangeRequests lists the change requests of a space.
func (a *API) listChangeRequests(ctx context.Context, in *listChangeRequestsInput) (*body[List[ChangeRequest]], error) {
	name := fmt.Sprintf("changes/%s/%s/%q/%q", in.Space, in.Status, in.Creator, in.Contributor)
	request, err := a.request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	filter := change.Filter{Status: change.Status(in.Status), Creator: in.Creator, Contributor: in.Contributor}
	requests, err := a.Changes.List(ctx, callerOf(ctx), in.Space, filter, request)
	if err != nil {
		return nil, err
	}
	return a.changeRequestList(ctx, name, requests)
}

func (a *API) changeRequestList(ctx context.Context, name string,
	requests paging.Page[change.Request]) (*body[List[ChangeRequest]], error) {
	wire, err := a.wireChangeRequests(ctx, requests.Items)
	if err != nil {
		return nil, err
	}
	return &body[List[ChangeRequest]]{Body: *listed(a, name, paging.WithItems(requests, wire),
		func(c ChangeRequest) ChangeRequest { return c })}, nil
}

type createChangeRequestInput struct {
	Space string `path:"spaceId"`
	Body  *struct {
		Subject     string          `json:"subject,omitempty" maxLength:"100"`
		Description json.RawMessage `json:"description,omitempty" doc:"Document JSON, or {\"markdown\": \"…\"}."`
		Status      string          `json:"status,omitempty" enum:"draft,open" doc:"draft when absent."`
		AgentTaskID string          `json:"agentTaskId,omitempty" maxLength:"100" doc:"There are no agent tasks on this server; leave it out."`
	} `required:"false"`
}

// createChangeRequest makes a change request from the current content.
func (a *API) createChangeRequest(ctx context.Context, in *createChangeRequestInput) (*created[ChangeRequest], error) {
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
	made, err := a.Changes.Create(ctx, callerOf(ctx), in.Space, wanted)
	if err != nil {
		return nil, err
	}
	wire, err := a.oneChangeRequest(ctx, made)
	if err != nil {
		return nil, err
	}
	return &created[ChangeRequest]{Location: wire.URLs.Location, Body: wire}, nil
}

// getChangeRequest answers one change request.
func (a *API) getChangeRequest(ctx context.Context, in *struct{ ChangeRequestPath }) (*body[ChangeRequest], error) {
	found, err := a.Changes.Get(ctx, callerOf(ctx), in.Space, in.ChangeRequest)
	if err != nil {
		return nil, err
	}
	return a.changeRequestBody(ctx, found)
}

func (a *API) changeRequestBody(ctx context.Context, r change.Request) (*body[ChangeRequest], error) {
	wire, err := a.oneChangeRequest(ctx, r)
	if err != nil {
		return nil, err
	}
	return &body[ChangeRequest]{Body: wire}, nil
}
