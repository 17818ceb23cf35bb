package comment

import (
	"context"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
)

// PostReview adds what a reviewer says with a review of a change request as an open comment on it, in the transaction
// that makes the review, and returns the comment's id. It needs the role comment in the space; whether the caller may
// review is for the review's package to know. body is Markdown.
func (s *Service) PostReview(ctx context.Context, q db.Querier, caller account.Caller, scope Scope, reviewID,
	body string) (id.Comment, error) {
	r, err := s.take(ctx, q, caller, scope)
	if err != nil {
		return "", err
	}
	if r.changeRequest == "" {
		return "", errs.Invalidf("body.comment", "belongs to the review of a change request; a space has none")
	}
	mentions, err := checkBody(body)
	if err != nil {
		return "", err
	}
	c := Comment{
		ID: id.Comment(id.New("comment")), Space: r.ID, ChangeRequest: r.changeRequest, Body: body, Status: Open,
		PostedAt: s.clock(),
		Target:   Target{Review: reviewID, Revision: r.head}, author: caller.User.ID,
	}
	if err := insertComment(ctx, q, c); err != nil {
		return "", err
	}
	if err := s.mention(ctx, q, r, post{comment: c.ID}, "", c.author, c.Body, mentions, c.PostedAt); err != nil {
		return "", err
	}
	return c.ID, countPost(ctx, q, r, c.author, c.PostedAt)
}

// OfReviews returns the comments that reviews of a change request came with, by the ids of the reviews. A review
// without one, or whose comment was deleted, is absent.
func (s *Service) OfReviews(ctx context.Context, caller account.Caller, scope Scope,
	reviewIDs []string) (map[string]Comment, error) {
	found := map[string]Comment{}
	if len(reviewIDs) == 0 {
		return found, nil
	}
	var r room
	var comments []Comment
	err := s.db.Snapshot(ctx, func(ctx context.Context, q db.Querier) error {
		var err error
		if r, err = s.enter(ctx, q, caller, scope); err != nil {
			return err
		}
		args := []any{r.ID, r.changeRequest}
		for _, reviewID := range reviewIDs {
			args = append(args, reviewID)
		}
		comments, err = queryComments(ctx, q, `
			SELECT `+commentColumns+` FROM comment c
			WHERE c.space_id = $1 AND c.change_request_id = $2 AND c.review_id <> ''
				AND c.review_id IN (`+db.Placeholders(3, len(reviewIDs))+`)`, args...)
		if err != nil {
			return err
		}
		return s.complete(ctx, q, r, caller, comments)
	})
	if err != nil {
		return nil, err
	}
	for _, c := range comments {
		found[c.Target.Review] = c
	}
	return found, nil
}
