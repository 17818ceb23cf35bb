package api

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/content/comment"
)

type listReviewsInput struct {
	ChangeRequestPath
	PageParams
	Format   string `query:"format" enum:"document,markdown" default:"markdown" doc:"The form of comments."`
	Outdated string `query:"outdated" enum:"true,false" doc:"Only those that are outdated, or only those that are not."`
}

// listReviews lists the reviews of a change request.
func (a *API) listReviews(ctx context.Context, in *listReviewsInput) (*body[List[ChangeRequestReview]], error) {
	caller := callerOf(ctx)
	found, err := a.Changes.Get(ctx, caller, in.Space, in.ChangeRequest)
	if err != nil {
		return nil, err
	}
	name := fmt.Sprintf("reviews/%s/%s", found.ID, in.Outdated)
	request, err := a.request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	reviews, err := a.Changes.Reviews(ctx, caller, in.Space, found.ID, boolean(in.Outdated), request)
	if err != nil {
		return nil, err
	}
	wire, err := a.wireReviews(ctx, found, reviews.Items, in.Format)
	if err != nil {
		return nil, err
	}
	return &body[List[ChangeRequestReview]]{Body: *listed(a, name, paging.WithItems(reviews, wire),
		func(r ChangeRequestReview) ChangeRequestReview { return r })}, nil
}

// wireReviews turns reviews into their wire form, reading their users and comments at once.
func (a *API) wireReviews(ctx context.Context, r change.Request, reviews []change.Review,
	format string) ([]ChangeRequestReview, error) {
	var ids []string
	for _, review := range reviews {
		ids = append(ids, review.Reviewer, review.RequestedBy)
	}
	users, err := a.usersByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	reviewIDs := make([]string, len(reviews))
	for i, review := range reviews {
		reviewIDs[i] = review.ID
	}
	comments, err := a.Comments.OfReviews(ctx, callerOf(ctx), comment.Scope{Space: r.Space, ChangeRequest: r.ID},
		reviewIDs)
	if err != nil {
		return nil, err
	}
	wire := make([]ChangeRequestReview, 0, len(reviews))
	for _, review := range reviews {
		one := a.wireReview(r, users, review)
		if said, ok := comments[review.ID]; ok {
			text, err := a.wireComment(said, format)
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
	ChangeRequestPath
	Body struct {
		Status  string          `json:"status" enum:"changes-requested,approved"`
		Comment json.RawMessage `json:"comment,omitempty" doc:"{\"markdown\": \"…\"} or {\"document\": …}."`
	}
}

// submitReview reviews the present content of a change request.
func (a *API) submitReview(ctx context.Context, in *submitReviewInput) (*created[ChangeRequestReview], error) {
	said, err := documentInput("body.comment", in.Body.Comment)
	if err != nil {
		return nil, err
	}
	caller := callerOf(ctx)
	review, err := a.Changes.Submit(ctx, caller, in.Space, in.ChangeRequest,
		change.NewReview{Status: change.ReviewStatus(in.Body.Status), Comment: said})
	if err != nil {
		return nil, err
	}
	wire, err := a.oneReview(ctx, in.ChangeRequestPath, review, "markdown")
	if err != nil {
		return nil, err
	}
	return &created[ChangeRequestReview]{Location: wire.URLs.Location, Body: wire}, nil
}

func (a *API) oneReview(ctx context.Context, path ChangeRequestPath, review change.Review,
	format string) (ChangeRequestReview, error) {
	found, err := a.Changes.Get(ctx, callerOf(ctx), path.Space, path.ChangeRequest)
	if err != nil {
		return ChangeRequestReview{}, err
	}
	wire, err := a.wireReviews(ctx, found, []change.Review{review}, format)
	if err != nil {
		return ChangeRequestReview{}, err
	}
	return wire[0], nil
}

type reviewInput struct {
	ChangeRequestPath
	Review string `path:"reviewId"`
	Format string `query:"format" enum:"document,markdown" default:"markdown" doc:"The form of the comment."`
}

// getReview answers one review.
func (a *API) getReview(ctx context.Context, in *reviewInput) (*body[ChangeRequestReview], error) {
	review, err := a.Changes.Review(ctx, callerOf(ctx), in.Space, in.ChangeRequest, in.Review)
	if err != nil {
		return nil, err
	}
	wire, err := a.oneReview(ctx, in.ChangeRequestPath, review, in.Format)
	if err != nil {
		return nil, err
	}
	return &body[ChangeRequestReview]{Body: wire}, nil
}

type listPeopleInput struct {
	ChangeRequestPath
	PageParams
}

// listRequestedReviewers lists who was asked for a review.
func (a *API) listRequestedReviewers(ctx context.Context, in *listPeopleInput) (*body[List[RequestedReviewer]], error) {
	caller := callerOf(ctx)
	found, err := a.Changes.Get(ctx, caller, in.Space, in.ChangeRequest)
	if err != nil {
		return nil, err
	}
	name := "requested-reviewers/" + found.ID
	request, err := a.request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	reviewers, err := a.Changes.Reviewers(ctx, caller, in.Space, found.ID, request)
	if err != nil {
		return nil, err
	}
	wire, err := a.wireReviewers(ctx, reviewers.Items)
	if err != nil {
		return nil, err
	}
	return &body[List[RequestedReviewer]]{Body: *listed(a, name, paging.WithItems(reviewers, wire),
		func(r RequestedReviewer) RequestedReviewer { return r })}, nil
}

func (a *API) wireReviewers(ctx context.Context, reviewers []change.Reviewer) ([]RequestedReviewer, error) {
	var ids []string
	for _, reviewer := range reviewers {
		ids = append(ids, reviewer.User, reviewer.RequestedBy)
	}
	users, err := a.usersByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	wire := make([]RequestedReviewer, 0, len(reviewers))
	for _, reviewer := range reviewers {
		wire = append(wire, a.wireReviewer(users, reviewer))
	}
	return wire, nil
}

type requestReviewersInput struct {
	ChangeRequestPath
	Body struct {
		Users       []string               `json:"users" maxItems:"100" nullable:"false" doc:"Ids of people with the role review or higher in the space."`
		Subject     Patch[string]          `json:"subject,omitzero" required:"false"`
		Description Patch[json.RawMessage] `json:"description,omitzero" required:"false" doc:"Document JSON, or {\"markdown\": \"…\"}."`
	}
}

// requestReviewers asks people for a review.
func (a *API) requestReviewers(ctx context.Context, in *requestReviewersInput) (*body[RequestedReviewers], error) {
	edit := change.Edit{Subject: in.Body.Subject.Value}
	var err error
	if edit.Description, err = descriptionEdit(in.Body.Description.Value); err != nil {
		return nil, err
	}
	asked, err := a.Changes.RequestReviews(ctx, callerOf(ctx), in.Space, in.ChangeRequest, in.Body.Users, edit)
	if err != nil {
		return nil, err
	}
	wire, err := a.wireReviewers(ctx, asked)
	if err != nil {
		return nil, err
	}
	return &body[RequestedReviewers]{Body: RequestedReviewers{Users: wire}}, nil
}

type removeReviewerInput struct {
	ChangeRequestPath
	User string `path:"userId"`
}

// removeReviewer takes back that somebody was asked for a review.
func (a *API) removeReviewer(ctx context.Context, in *removeReviewerInput) (*nothing, error) {
	if err := a.Changes.RemoveReviewer(ctx, callerOf(ctx), in.Space, in.ChangeRequest, in.User); err != nil {
		return nil, err
	}
	return &nothing{}, nil
}

// listContributors lists who has written in a change request.
func (a *API) listContributors(ctx context.Context,
	in *listPeopleInput) (*body[List[ChangeRequestContributor]], error) {
	caller := callerOf(ctx)
	found, err := a.Changes.Get(ctx, caller, in.Space, in.ChangeRequest)
	if err != nil {
		return nil, err
	}
	name := "contributors/" + found.ID
	request, err := a.request(name, in.PageParams)
	if err != nil {
		return nil, err
	}
	contributors, err := a.Changes.Contributors(ctx, caller, in.Space, found.ID, request)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(contributors.Items))
	for i, c := range contributors.Items {
		ids[i] = c.User
	}
	users, err := a.usersByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	return &body[List[ChangeRequestContributor]]{Body: *listed(a, name, contributors,
		func(c change.Contributor) ChangeRequestContributor {
			return ChangeRequestContributor{User: a.wireKnownUser(users, c.User), ActionType: "edit",
				Count:     c.Revisions,
				UpdatedAt: timestamp(c.UpdatedAt)}
		})}, nil
}

// reviewOperations are those on reviews and reviewers.
func (a *API) reviewOperations() []operation {
	const (
		tag = "Change requests"
		one = "/v1/spaces/{spaceId}/change-requests/{changeRequestId}"
	)
	scope := scoped("change-requests")
	return []operation{
		row("getReviewsByChangeRequestId", get, one+"/reviews", tag, "List the reviews of a change request",
			a.listReviews, scope, describe("The newest first.")),
		row("submitChangeRequestReview", post, one+"/reviews", tag, "Review a change request", a.submitReview, scope,
			status(http.StatusCreated), may(http.StatusConflict),
			describe(
				"It is about the present content and outdated as soon as that changes. It needs the role review.")),
		row("getChangeRequestReviewById", get, one+"/reviews/{reviewId}", tag, "Get a review", a.getReview, scope),
		row("getRequestedReviewersByChangeRequestId", get, one+"/requested-reviewers", tag, "List requested reviewers",
			a.listRequestedReviewers, scope),
		row("requestReviewersForChangeRequest", post, one+"/requested-reviewers", tag, "Ask for reviews",
			a.requestReviewers, scope, may(http.StatusConflict),
			describe("Opens the change request if it is a draft. Who was asked before is asked again, for the "+
				"present content.")),
		row("removeRequestedReviewerFromChangeRequest", remove, one+"/requested-reviewers/{userId}", tag,
			"Take back a request for a review", a.removeReviewer, scope,
			status(http.StatusNoContent), may(http.StatusConflict)),
		row("getContributorsByChangeRequestId", get, one+"/contributors", tag,
			"List who has written in a change request", a.listContributors, scope),
	}
}
