package change

import (
	"context"
	"fmt"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/field"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/notification"
	"github.com/rectodocs/recto/internal/platform/db"
)

// ReviewStatus is what a reviewer says.
type ReviewStatus string

// Statuses of a review.
const (
	Approved         ReviewStatus = "approved"
	ChangesRequested ReviewStatus = "changes-requested"
)

// MaxReviewers is the most reviewers that may be asked at once.
const MaxReviewers = 100

// Review is what somebody has said about the content of a change request at one revision.
type Review struct {
	// ID is "review_…".
	ID      string
	Request id.ChangeRequest
	// Revision is the revision of the change request that was reviewed.
	Revision id.Revision
	// Reviewer and RequestedBy are ids of users; RequestedBy is "" when nobody had asked.
	Reviewer    id.User
	RequestedBy id.User
	Status      ReviewStatus
	// Comment is Markdown; "" for none, and where Deps.PostReview keeps it.
	Comment   string
	CreatedAt time.Time
	// Outdated says that the content has moved on since.
	Outdated bool
}

// NewReview is the input of Submit.
type NewReview struct {
	Status ReviewStatus
	// Comment is Markdown and may be "".
	Comment string
}

// Submit makes a review of the present content of a change request that is a draft or open. It needs the role review.
func (s *Service) Submit(ctx context.Context, caller account.Caller, spaceID id.Space, idOrNumber id.ChangeRequest,
	in NewReview) (Review, error) {
	if err := field.OneOf("status", in.Status, Approved, ChangesRequested); err != nil {
		return Review{}, err
	}
	if len(in.Comment) > MaxDescription || !field.Storable(in.Comment) {
		return Review{}, errs.Invalidf("comment",
			"is over %d bytes of Markdown, or contains a zero byte or bytes that are not UTF-8", MaxDescription)
	}
	var made Review
	err := s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		_, r, err := load(ctx, q, caller, spaceID, idOrNumber, access.ReviewSpace)
		if err != nil {
			return err
		}
		if err := r.Status.requireWritable(); err != nil {
			return err
		}
		made = Review{
			ID: id.New("review"), Request: r.ID, Revision: r.Head, Reviewer: caller.User.ID, Status: in.Status,
			Comment: in.Comment, CreatedAt: s.clock(),
		}
		if made.RequestedBy, err = requesterOf(ctx, q, r.ID, caller.User.ID); err != nil {
			return err
		}
		if made.Comment != "" {
			made.Comment = ""
			if err := s.hooks.Get().PostReview(ctx, q, caller, r, made.ID, in.Comment); err != nil {
				return err
			}
		}
		if err := insertReview(ctx, q, made); err != nil {
			return err
		}
		if err := s.tell(ctx, q, r, notification.Review, caller.User.ID, made.CreatedAt, false); err != nil {
			return err
		}
		return touch(ctx, q, r.ID, made.CreatedAt)
	})
	return made, err
}

// Reviews returns a page of the reviews of a change request, the newest first, with the number of all of them and the
// keys of the next page. outdated, when it has a value, asks for those that are outdated or those that are not.
func (s *Service) Reviews(ctx context.Context, caller account.Caller, spaceID id.Space, idOrNumber id.ChangeRequest,
	outdated optional.Value[bool], page paging.Request) (reviews paging.Page[Review], err error) {
	q := s.deps.DB.Read()
	_, r, err := load(ctx, q, caller, spaceID, idOrNumber, access.ViewSpace)
	if err != nil {
		return paging.Page[Review]{}, err
	}
	if reviews.Items, reviews.Count, err = listReviews(ctx, q, r, outdated, page); err != nil {
		return paging.Page[Review]{}, err
	}
	reviews.Cut(page.Size(), func(v Review) []string {
		return []string{microText(v.CreatedAt), v.ID}
	})
	return reviews, nil
}

// Review returns a review of a change request.
func (s *Service) Review(ctx context.Context, caller account.Caller, spaceID id.Space, idOrNumber id.ChangeRequest,
	reviewID string) (Review, error) {
	q := s.deps.DB.Read()
	_, r, err := load(ctx, q, caller, spaceID, idOrNumber, access.ViewSpace)
	if err != nil {
		return Review{}, err
	}
	if !id.Valid("review", reviewID) {
		return Review{}, noReview()
	}
	return reviewByID(ctx, q, r, reviewID)
}

func noReview() error { return errs.NotFoundf("There is no such review of this change request.") }

// Reviewer is somebody who was asked for a review.
type Reviewer struct {
	User id.User
	// Revision is the revision of the change request when they were asked.
	Revision    id.Revision
	RequestedBy id.User
	CreatedAt   time.Time
}

// Reviewers returns a page of those who were asked for a review, in the order in which they were.
func (s *Service) Reviewers(ctx context.Context, caller account.Caller, spaceID id.Space, idOrNumber id.ChangeRequest,
	page paging.Request) (reviewers paging.Page[Reviewer], err error) {
	q := s.deps.DB.Read()
	_, r, err := load(ctx, q, caller, spaceID, idOrNumber, access.ViewSpace)
	if err != nil {
		return paging.Page[Reviewer]{}, err
	}
	if reviewers.Items, reviewers.Count, err = listReviewers(ctx, q, r.ID, page); err != nil {
		return paging.Page[Reviewer]{}, err
	}
	reviewers.Cut(page.Size(), func(v Reviewer) []string {
		return []string{microText(v.CreatedAt), string(v.User)}
	})
	return reviewers, nil
}

// RequestReviews asks people for a review and opens the change request if it is a draft. Who was asked already is asked
// again, for the present content. subject and description change those of the change request when they are set. It
// needs the role edit; the reviewers need the role review in the space. It returns those who were asked by this call.
func (s *Service) RequestReviews(ctx context.Context, caller account.Caller, spaceID id.Space,
	idOrNumber id.ChangeRequest, users []id.User, edit Edit) ([]Reviewer, error) {
	if len(users) > MaxReviewers {
		return nil, errs.Invalidf("users", "names %d people; up to %d are accepted", len(users), MaxReviewers)
	}
	var asked []Reviewer
	err := s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		asked = nil
		_, r, err := load(ctx, q, caller, spaceID, idOrNumber, access.EditSpace)
		if err != nil {
			return err
		}
		if err := r.Status.requireWritable(); err != nil {
			return err
		}
		if len(users) > 0 {
			edit.Status = optional.Of(Open)
		}
		if r, err = s.apply(ctx, q, caller, r, edit); err != nil {
			return err
		}
		now := s.clock()
		seen := map[id.User]bool{}
		for i, user := range users {
			if seen[user] {
				continue
			}
			seen[user] = true
			if err := requireReviewer(ctx, q, spaceID, fmt.Sprintf("users[%d]", i), user); err != nil {
				return err
			}
			// One after the other, so that the list has the order of the request.
			one := Reviewer{User: user, Revision: r.Head, RequestedBy: caller.User.ID,
				CreatedAt: now.Add(time.Duration(len(asked)) * time.Microsecond)}
			if err := putReviewer(ctx, q, r.ID, one); err != nil {
				return err
			}
			asked = append(asked, one)
			if err := note(ctx, q, r.ID, Event{Kind: EventReviewRequested, Actor: caller.User.ID, Person: user,
				CreatedAt: one.CreatedAt}); err != nil {
				return err
			}
			notice := r.notice(notification.ReviewRequest, caller.User.ID, now)
			if err := notification.Add(ctx, q, notice, user); err != nil {
				return err
			}
		}
		return touch(ctx, q, r.ID, now)
	})
	return asked, err
}

// requireReviewer refuses to ask somebody who may not review in the space.
func requireReviewer(ctx context.Context, q db.Querier, spaceID id.Space, path string, userID id.User) error {
	if !id.Valid("user", userID) {
		return errs.Invalidf(path, "%.60q is not the id of a user", userID)
	}
	_, err := access.RequireSpace(ctx, q, account.Caller{User: account.User{ID: userID}}, spaceID, access.ReviewSpace)
	if errs.Is(err, errs.NotFound) || errs.Is(err, errs.Forbidden) {
		return errs.Invalidf(path, "%s may not review in this space; ask somebody with the role review or higher",
			userID)
	}
	return err
}

// RemoveReviewer takes back that somebody was asked for a review. It needs the role edit.
func (s *Service) RemoveReviewer(ctx context.Context, caller account.Caller, spaceID id.Space,
	idOrNumber id.ChangeRequest, userID id.User) error {
	return s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		_, r, err := load(ctx, q, caller, spaceID, idOrNumber, access.EditSpace)
		if err != nil {
			return err
		}
		if r.Status == Merged {
			return errs.Conflictf("The change request is merged and stays as it is.")
		}
		if !id.Valid("user", userID) {
			return noReviewer()
		}
		removed, err := deleteReviewer(ctx, q, r.ID, userID)
		if err == nil && !removed {
			err = noReviewer()
		}
		if err != nil {
			return err
		}
		return note(ctx, q, r.ID, Event{Kind: EventReviewUnrequested, Actor: caller.User.ID, Person: userID,
			CreatedAt: s.clock()})
	})
}

func noReviewer() error {
	return errs.NotFoundf("This person was not asked to review the change request.")
}

// Contributor is somebody who has written in a change request.
type Contributor struct {
	User id.User
	// Revisions is the number of revisions that they have made.
	Revisions int
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Contributors returns a page of those who have written in a change request, in the order in which they came.
func (s *Service) Contributors(ctx context.Context, caller account.Caller, spaceID id.Space,
	idOrNumber id.ChangeRequest, page paging.Request) (contributors paging.Page[Contributor], err error) {
	q := s.deps.DB.Read()
	_, r, err := load(ctx, q, caller, spaceID, idOrNumber, access.ViewSpace)
	if err != nil {
		return paging.Page[Contributor]{}, err
	}
	if contributors.Items, contributors.Count, err = listContributors(ctx, q, r.ID, page); err != nil {
		return paging.Page[Contributor]{}, err
	}
	contributors.Cut(page.Size(), func(c Contributor) []string {
		return []string{microText(c.CreatedAt), string(c.User)}
	})
	return contributors, nil
}
