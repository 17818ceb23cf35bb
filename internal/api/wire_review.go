package api

import (
	"encoding/json"
	"fmt"

	"github.com/rectodocs/recto/internal/account"
	"github.com/rectodocs/recto/internal/change"
)

// ChangeRequestReview is what somebody has said about the content of a change request.
type ChangeRequestReview struct {
	Object      string         `json:"object" enum:"change-request-review"`
	ID          string         `json:"id"`
	Revision    string         `json:"revision" doc:"The revision of the change request that was reviewed."`
	Reviewer    User           `json:"reviewer"`
	RequestedBy *User          `json:"requestedBy,omitempty"`
	Status      string         `json:"status" enum:"changes-requested,approved"`
	Outdated    bool           `json:"outdated" doc:"The content has moved on since."`
	Comment     *ReviewComment `json:"comment,omitempty"`
	CreatedAt   string         `json:"createdAt" format:"date-time"`
	UpdatedAt   string         `json:"updatedAt" format:"date-time"`
	URLs        ReviewURLs     `json:"urls"`
}

// ReviewComment is what a reviewer says, in the shape of a comment.
type ReviewComment struct {
	Object      string                   `json:"object" enum:"comment"`
	ID          string                   `json:"id"`
	PostedBy    User                     `json:"postedBy"`
	PostedAt    string                   `json:"postedAt" format:"date-time"`
	Reactions   []string                 `json:"reactions"`
	Replies     int                      `json:"replies"`
	Repliers    []string                 `json:"repliers"`
	Body        ReviewBody               `json:"body"`
	Target      ReviewCommentTarget      `json:"target"`
	Status      string                   `json:"status" enum:"open"`
	URLs        ReviewURLs               `json:"urls"`
	Permissions ReviewCommentPermissions `json:"permissions"`
}

// ReviewBody is a text as Markdown or as document JSON.
type ReviewBody struct {
	Markdown *string         `json:"markdown,omitempty"`
	Document json.RawMessage `json:"document,omitempty"`
}

// ReviewCommentTarget says what a reviewer's text is about.
type ReviewCommentTarget struct {
	Space         string `json:"space"`
	Revision      string `json:"revision"`
	ChangeRequest string `json:"changeRequest"`
	Review        string `json:"review"`
}

// ReviewCommentPermissions say what the caller may do with a reviewer's text: it stays as it was given.
type ReviewCommentPermissions struct {
	View   bool `json:"view"`
	Edit   bool `json:"edit"`
	Reply  bool `json:"reply"`
	Delete bool `json:"delete"`
}

// ReviewURLs are a review's addresses.
type ReviewURLs struct {
	Location string `json:"location" format:"uri"`
}

// RequestedReviewer is somebody who was asked for a review.
type RequestedReviewer struct {
	Object      string `json:"object" enum:"change-request-requested-reviewer"`
	Kind        string `json:"kind" enum:"user"`
	User        User   `json:"user"`
	Revision    string `json:"revision" doc:"The revision of the change request when they were asked."`
	RequestedBy User   `json:"requestedBy"`
	CreatedAt   string `json:"createdAt" format:"date-time"`
}

// RequestedReviewers are those who were asked at once.
type RequestedReviewers struct {
	Users []RequestedReviewer `json:"users"`
}

// ChangeRequestContributor is somebody who has written in a change request.
type ChangeRequestContributor struct {
	User       User   `json:"user"`
	ActionType string `json:"actionType" enum:"edit,comment"`
	Count      int    `json:"count" doc:"Number of revisions that they have made."`
	UpdatedAt  string `json:"updatedAt" format:"date-time"`
}

func (a *API) wireReview(r change.Request, users map[string]account.User, review change.Review, format string) (ChangeRequestReview, error) {
	wire := ChangeRequestReview{
		Object: "change-request-review", ID: review.ID, Revision: review.Revision, Reviewer: a.wireKnownUser(users, review.Reviewer),
		Status: string(review.Status), Outdated: review.Outdated, CreatedAt: timestamp(review.CreatedAt), UpdatedAt: timestamp(review.CreatedAt),
		URLs: ReviewURLs{Location: a.changeRequestURL(r) + "/reviews/" + review.ID},
	}
	if review.RequestedBy != "" {
		wire.RequestedBy = new(a.wireKnownUser(users, review.RequestedBy))
	}
	if review.Comment == "" {
		return wire, nil
	}
	wire.Comment = &ReviewComment{
		Object: "comment", ID: review.ID, PostedBy: wire.Reviewer, PostedAt: wire.CreatedAt, Reactions: []string{}, Repliers: []string{},
		Body: ReviewBody{Markdown: &review.Comment}, Status: "open", URLs: wire.URLs,
		Target:      ReviewCommentTarget{Space: r.Space, Revision: review.Revision, ChangeRequest: r.ID, Review: review.ID},
		Permissions: ReviewCommentPermissions{View: true},
	}
	if format == "document" {
		document, err := wireDocument(review.Comment)
		if err != nil {
			return wire, fmt.Errorf("write the comment of %s: %w", review.ID, err)
		}
		wire.Comment.Body = ReviewBody{Document: document}
	}
	return wire, nil
}

func (a *API) wireReviewer(users map[string]account.User, reviewer change.Reviewer) RequestedReviewer {
	return RequestedReviewer{
		Object: "change-request-requested-reviewer", Kind: "user", User: a.wireKnownUser(users, reviewer.User), Revision: reviewer.Revision,
		RequestedBy: a.wireKnownUser(users, reviewer.RequestedBy), CreatedAt: timestamp(reviewer.CreatedAt),
	}
}
