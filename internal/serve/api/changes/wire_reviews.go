package changes

import (
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// ChangeRequestReview is what somebody has said about the content of a change request.
type ChangeRequestReview struct {
	Object      string        `json:"object" enum:"change-request-review"`
	ID          string        `json:"id"`
	Revision    id.Revision   `json:"revision" doc:"The revision of the change request that was reviewed."`
	Reviewer    wire.User     `json:"reviewer"`
	RequestedBy *wire.User    `json:"requestedBy,omitempty"`
	Status      string        `json:"status" enum:"changes-requested,approved"`
	Outdated    bool          `json:"outdated" doc:"The content has moved on since."`
	Comment     *wire.Comment `json:"comment,omitempty"`
	CreatedAt   string        `json:"createdAt" format:"date-time"`
	UpdatedAt   string        `json:"updatedAt" format:"date-time"`
	URLs        ReviewURLs    `json:"urls"`
}

// ReviewURLs are a review's addresses.
type ReviewURLs struct {
	Location string `json:"location" format:"uri"`
}

// RequestedReviewer is somebody who was asked for a review.
type RequestedReviewer struct {
	Object      string      `json:"object" enum:"change-request-requested-reviewer"`
	Kind        string      `json:"kind" enum:"user"`
	User        wire.User   `json:"user"`
	Revision    id.Revision `json:"revision" doc:"The revision of the change request when they were asked."`
	RequestedBy wire.User   `json:"requestedBy"`
	CreatedAt   string      `json:"createdAt" format:"date-time"`
}

// RequestedReviewers are those who were asked at once.
type RequestedReviewers struct {
	Users []RequestedReviewer `json:"users"`
}

// ChangeRequestContributor is somebody who has written in a change request.
type ChangeRequestContributor struct {
	User       wire.User `json:"user"`
	ActionType string    `json:"actionType" enum:"edit,comment"`
	Count      int       `json:"count" doc:"Number of revisions that they have made."`
	UpdatedAt  string    `json:"updatedAt" format:"date-time"`
}

func (h *Handlers) wireReview(r change.Request, users map[id.User]account.User,
	review change.Review) ChangeRequestReview {
	answer := ChangeRequestReview{
		Object: "change-request-review", ID: review.ID, Revision: review.Revision, Reviewer: h.Wire.KnownUser(users,
			review.Reviewer),
		Status: string(review.Status), Outdated: review.Outdated, CreatedAt: wire.Timestamp(review.CreatedAt),
		UpdatedAt: wire.Timestamp(review.CreatedAt),
		URLs:      ReviewURLs{Location: h.Wire.ChangeRequestURL(r) + "/reviews/" + review.ID},
	}
	if review.RequestedBy != "" {
		answer.RequestedBy = new(h.Wire.KnownUser(users, review.RequestedBy))
	}
	return answer
}

func (h *Handlers) wireReviewer(users map[id.User]account.User, reviewer change.Reviewer) RequestedReviewer {
	return RequestedReviewer{
		Object: "change-request-requested-reviewer", Kind: "user", User: h.Wire.KnownUser(users, reviewer.User),
		Revision:    reviewer.Revision,
		RequestedBy: h.Wire.KnownUser(users, reviewer.RequestedBy), CreatedAt: wire.Timestamp(reviewer.CreatedAt),
	}
}
