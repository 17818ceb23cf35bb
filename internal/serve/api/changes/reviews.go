package changes

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/content/comment"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

type listReviewsInput struct {
	wire.ChangeRequestPath
	wire.PageParams
	Format   string `query:"format" enum:"document,markdown" default:"markdown" doc:"The form of comments."`
	Outdated string `query:"outdated" enum:"true,false" doc:"Only those that are outdated, or only those that are not."`
}

// listReviews lists the reviews of a change request.
func (h *Handlers) listReviews(ctx context.Context,
	in *listReviewsInput) (*operation.Body[wire.List[ChangeRequestReview]], error) {
	caller := operation.Caller(ctx)
	found, err := h.Changes.Get(ctx, caller, in.Space, in.ChangeRequest)
	if err != nil {
		return nil, err
	}
	name := fmt.Sprintf("reviews/%s/%s", found.ID, in.Outdated)
	request, err := h.Lists.Request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	reviews, err := h.Changes.Reviews(ctx, caller, in.Space, found.ID, wire.Boolean(in.Outdated), request)
	if err != nil {
		return nil, err
	}
	answer, err := h.wireReviews(ctx, found, reviews.Items, in.Format)
	if err != nil {
		return nil, err
	}
	return &operation.Body[wire.List[ChangeRequestReview]]{Body: *wire.Listed(h.Lists, name,
		paging.WithItems(reviews, answer),
		func(r ChangeRequestReview) ChangeRequestReview { return r })}, nil
}

// wireReviews turns reviews into their wire form, reading their users and comments at once.
func (h *Handlers) wireReviews(ctx context.Context, r change.Request, reviews []change.Review,
	format string) ([]ChangeRequestReview, error) {
	var ids []id.User
	for _, review := range reviews {
		ids = append(ids, review.Reviewer, review.RequestedBy)
	}
	users, err := h.UserReader.ByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	reviewIDs := make([]string, len(reviews))
	for i, review := range reviews {
		reviewIDs[i] = review.ID
	}
	comments, err := h.Comments.OfReviews(ctx, operation.Caller(ctx),
		comment.Scope{Space: r.Space, ChangeRequest: r.ID},
		reviewIDs)
	if err != nil {
		return nil, err
	}
	wire := make([]ChangeRequestReview, 0, len(reviews))
	for _, review := range reviews {
		one := h.wireReview(r, users, review)
		if said, ok := comments[review.ID]; ok {
			text, err := h.Wire.Comment(said, format)
			if err != nil {
				return nil, err
			}
			one.Comment = &text
		}
		wire = append(wire, one)
	}
	return wire, nil
}

type submitReviewInput struct {
	wire.ChangeRequestPath
	Body struct {
		Status  string          `json:"status" enum:"changes-requested,approved"`
		Comment json.RawMessage `json:"comment,omitempty" doc:"{\"markdown\": \"…\"} or {\"document\": …}."`
	}
}

// submitReview reviews the present content of a change request.
func (h *Handlers) submitReview(ctx context.Context,
	in *submitReviewInput) (*operation.Created[ChangeRequestReview], error) {
	said, err := documentInput("body.comment", in.Body.Comment)
	if err != nil {
		return nil, err
	}
	caller := operation.Caller(ctx)
	review, err := h.Changes.Submit(ctx, caller, in.Space, in.ChangeRequest,
		change.NewReview{Status: change.ReviewStatus(in.Body.Status), Comment: said})
	if err != nil {
		return nil, err
	}
	wire, err := h.oneReview(ctx, in.ChangeRequestPath, review, "markdown")
	if err != nil {
		return nil, err
	}
	return &operation.Created[ChangeRequestReview]{Location: wire.URLs.Location, Body: wire}, nil
}

func (h *Handlers) oneReview(ctx context.Context, path wire.ChangeRequestPath, review change.Review,
	format string) (ChangeRequestReview, error) {
	found, err := h.Changes.Get(ctx, operation.Caller(ctx), path.Space, path.ChangeRequest)
	if err != nil {
		return ChangeRequestReview{}, err
	}
	answer, err := h.wireReviews(ctx, found, []change.Review{review}, format)
	if err != nil {
		return ChangeRequestReview{}, err
	}
	return answer[0], nil
}

type reviewInput struct {
	wire.ChangeRequestPath
	Review string `path:"reviewId"`
	Format string `query:"format" enum:"document,markdown" default:"markdown" doc:"The form of the comment."`
}

// getReview answers one review.
func (h *Handlers) getReview(ctx context.Context, in *reviewInput) (*operation.Body[ChangeRequestReview], error) {
	review, err := h.Changes.Review(ctx, operation.Caller(ctx), in.Space, in.ChangeRequest, in.Review)
	if err != nil {
		return nil, err
	}
	wire, err := h.oneReview(ctx, in.ChangeRequestPath, review, in.Format)
	if err != nil {
		return nil, err
	}
	return &operation.Body[ChangeRequestReview]{Body: wire}, nil
}

type listPeopleInput struct {
	wire.ChangeRequestPath
	wire.PageParams
}

// listRequestedReviewers lists who was asked for a review.
func (h *Handlers) listRequestedReviewers(ctx context.Context,
	in *listPeopleInput) (*operation.Body[wire.List[RequestedReviewer]], error) {
	caller := operation.Caller(ctx)
	found, err := h.Changes.Get(ctx, caller, in.Space, in.ChangeRequest)
	if err != nil {
		return nil, err
	}
	name := "requested-reviewers/" + string(found.ID)
	request, err := h.Lists.Request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	reviewers, err := h.Changes.Reviewers(ctx, caller, in.Space, found.ID, request)
	if err != nil {
		return nil, err
	}
	answer, err := h.wireReviewers(ctx, reviewers.Items)
	if err != nil {
		return nil, err
	}
	return &operation.Body[wire.List[RequestedReviewer]]{Body: *wire.Listed(h.Lists, name,
		paging.WithItems(reviewers, answer),
		func(r RequestedReviewer) RequestedReviewer { return r })}, nil
}

func (h *Handlers) wireReviewers(ctx context.Context, reviewers []change.Reviewer) ([]RequestedReviewer, error) {
	var ids []id.User
	for _, reviewer := range reviewers {
		ids = append(ids, reviewer.User, reviewer.RequestedBy)
	}
	users, err := h.UserReader.ByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	wire := make([]RequestedReviewer, 0, len(reviewers))
	for _, reviewer := range reviewers {
		wire = append(wire, h.wireReviewer(users, reviewer))
	}
	return wire, nil
}

type requestReviewersInput struct {
	wire.ChangeRequestPath
	Body struct {
		Users       []id.User                   `json:"users" maxItems:"100" nullable:"false" doc:"Ids of people with the role review or higher in the space."`
		Subject     wire.Patch[string]          `json:"subject,omitzero" required:"false"`
		Description wire.Patch[json.RawMessage] `json:"description,omitzero" required:"false" doc:"Document JSON, or {\"markdown\": \"…\"}."`
	}
}

// requestReviewers asks people for a review.
func (h *Handlers) requestReviewers(ctx context.Context,
	in *requestReviewersInput) (*operation.Body[RequestedReviewers], error) {
	edit := change.Edit{Subject: in.Body.Subject.Value}
	var err error
	if edit.Description, err = descriptionEdit(in.Body.Description.Value); err != nil {
		return nil, err
	}
	asked, err := h.Changes.RequestReviews(ctx, operation.Caller(ctx), in.Space, in.ChangeRequest, in.Body.Users, edit)
	if err != nil {
		return nil, err
	}
	wire, err := h.wireReviewers(ctx, asked)
	if err != nil {
		return nil, err
	}
	return &operation.Body[RequestedReviewers]{Body: RequestedReviewers{Users: wire}}, nil
}

type removeReviewerInput struct {
	wire.ChangeRequestPath
	User id.User `path:"userId"`
}

// removeReviewer takes back that somebody was asked for a review.
func (h *Handlers) removeReviewer(ctx context.Context, in *removeReviewerInput) (*operation.Nothing, error) {
	if err := h.Changes.RemoveReviewer(ctx, operation.Caller(ctx), in.Space, in.ChangeRequest, in.User); err != nil {
		return nil, err
	}
	return &operation.Nothing{}, nil
}

// listContributors lists who has written in a change request.
func (h *Handlers) listContributors(ctx context.Context,
	in *listPeopleInput) (*operation.Body[wire.List[ChangeRequestContributor]], error) {
	caller := operation.Caller(ctx)
	found, err := h.Changes.Get(ctx, caller, in.Space, in.ChangeRequest)
	if err != nil {
		return nil, err
	}
	name := "contributors/" + string(found.ID)
	request, err := h.Lists.Request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	contributors, err := h.Changes.Contributors(ctx, caller, in.Space, found.ID, request)
	if err != nil {
		return nil, err
	}
	ids := make([]id.User, len(contributors.Items))
	for i, c := range contributors.Items {
		ids[i] = c.User
	}
	users, err := h.UserReader.ByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	return &operation.Body[wire.List[ChangeRequestContributor]]{Body: *wire.Listed(h.Lists, name, contributors,
		func(c change.Contributor) ChangeRequestContributor {
			return ChangeRequestContributor{User: h.Wire.KnownUser(users, c.User), ActionType: "edit",
				Count:     c.Revisions,
				UpdatedAt: wire.Timestamp(c.UpdatedAt)}
		})}, nil
}

// reviewOperations are those on reviews and reviewers.
func (h *Handlers) reviewOperations() []operation.Operation {
	const (
		tag = "Change requests"
		one = "/v1/spaces/{spaceId}/change-requests/{changeRequestId}"
	)
	scope := operation.Scoped("change-requests")
	return []operation.Operation{
		operation.New("getReviewsByChangeRequestId", http.MethodGet, one+"/reviews", tag,
			"List the reviews of a change request",
			h.listReviews, scope, operation.Describe("The newest first.")),
		operation.New("submitChangeRequestReview", http.MethodPost, one+"/reviews", tag, "Review a change request",
			h.submitReview, scope,
			operation.Status(http.StatusCreated), operation.May(http.StatusConflict),
			operation.Describe(
				"It is about the present content and outdated as soon as that changes. It needs the role review.")),
		operation.New("getChangeRequestReviewById", http.MethodGet, one+"/reviews/{reviewId}", tag, "Get a review",
			h.getReview, scope),
		operation.New("getRequestedReviewersByChangeRequestId", http.MethodGet, one+"/requested-reviewers", tag,
			"List requested reviewers",
			h.listRequestedReviewers, scope),
		operation.New("requestReviewersForChangeRequest", http.MethodPost, one+"/requested-reviewers", tag,
			"Ask for reviews",
			h.requestReviewers, scope, operation.May(http.StatusConflict),
			operation.Describe(
				"Opens the change request if it is a draft. Who was asked before is asked again, for the "+
					"present content.")),
		operation.New("removeRequestedReviewerFromChangeRequest", http.MethodDelete,
			one+"/requested-reviewers/{userId}", tag,
			"Take back a request for a review", h.removeReviewer, scope,
			operation.Status(http.StatusNoContent), operation.May(http.StatusConflict)),
		operation.New("getContributorsByChangeRequestId", http.MethodGet, one+"/contributors", tag,
			"List who has written in a change request", h.listContributors, scope),
	}
}
