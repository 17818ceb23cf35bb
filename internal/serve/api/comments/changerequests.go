package comments

import (
	"context"

	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

type listChangeRequestCommentsInput struct {
	ChangeRequestScope
	CommentsQuery
}

// listChangeRequestComments lists the comments on a change request.
func (h *Handlers) listChangeRequestComments(ctx context.Context,
	in *listChangeRequestCommentsInput) (*operation.Body[wire.List[wire.Comment]], error) {
	return h.commentList(ctx, in.scope(), in.CommentsQuery)
}

type postChangeRequestCommentInput struct {
	ChangeRequestScope
	PostCommentInput
}

// postChangeRequestComment posts a comment on a change request.
func (h *Handlers) postChangeRequestComment(ctx context.Context,
	in *postChangeRequestCommentInput) (*operation.Body[wire.Comment], error) {
	return h.commentPost(ctx, in.scope(), in.PostCommentInput)
}

type getChangeRequestCommentInput struct {
	ChangeRequestScope
	CommentPath
	CommentFormat
}

// getChangeRequestComment answers one comment on a change request.
func (h *Handlers) getChangeRequestComment(ctx context.Context,
	in *getChangeRequestCommentInput) (*operation.Body[wire.Comment], error) {
	found, err := h.Comments.Get(ctx, operation.Caller(ctx), in.scope(), in.Comment)
	return h.commentBody(found, err, in.CommentFormat)
}

type updateChangeRequestCommentInput struct {
	ChangeRequestScope
	CommentPath
	UpdateCommentInput
}

// updateChangeRequestComment changes a comment on a change request.
func (h *Handlers) updateChangeRequestComment(ctx context.Context,
	in *updateChangeRequestCommentInput) (*operation.Body[wire.Comment], error) {
	return h.commentUpdate(ctx, in.scope(), in.CommentPath, in.UpdateCommentInput)
}

type applyChangeRequestCommentInput struct {
	ChangeRequestScope
	CommentPath
	CommentFormat
}

// applyChangeRequestComment puts what a comment suggests into the page of the change request.
func (h *Handlers) applyChangeRequestComment(ctx context.Context,
	in *applyChangeRequestCommentInput) (*operation.Body[wire.Comment], error) {
	applied, err := h.Comments.Apply(ctx, operation.Caller(ctx), in.scope(), in.Comment)
	return h.commentBody(applied, err, in.CommentFormat)
}

type deleteChangeRequestCommentInput struct {
	ChangeRequestScope
	CommentPath
}

// deleteChangeRequestComment deletes a comment on a change request with its replies.
func (h *Handlers) deleteChangeRequestComment(ctx context.Context,
	in *deleteChangeRequestCommentInput) (*operation.Nothing, error) {
	return &operation.Nothing{}, h.Comments.Delete(ctx, operation.Caller(ctx), in.scope(), in.Comment)
}

type listChangeRequestRepliesInput struct {
	ChangeRequestScope
	CommentPath
	RepliesQuery
}

// listChangeRequestReplies lists the replies to a comment on a change request.
func (h *Handlers) listChangeRequestReplies(ctx context.Context,
	in *listChangeRequestRepliesInput) (*operation.Body[wire.List[wire.CommentReply]], error) {
	return h.replyList(ctx, in.scope(), in.CommentPath, in.RepliesQuery)
}

type postChangeRequestReplyInput struct {
	ChangeRequestScope
	CommentPath
	PostReplyInput
}

// postChangeRequestReply replies to a comment on a change request.
func (h *Handlers) postChangeRequestReply(ctx context.Context,
	in *postChangeRequestReplyInput) (*operation.Body[wire.CommentReply], error) {
	return h.replyPost(ctx, in.scope(), in.CommentPath, in.PostReplyInput)
}

type getChangeRequestReplyInput struct {
	ChangeRequestScope
	ReplyPath
	CommentFormat
}

// getChangeRequestReply answers one reply to a comment on a change request.
func (h *Handlers) getChangeRequestReply(ctx context.Context,
	in *getChangeRequestReplyInput) (*operation.Body[wire.CommentReply], error) {
	found, err := h.Comments.Reply(ctx, operation.Caller(ctx), in.scope(), in.Comment, in.Reply)
	return h.replyBody(found, err, in.CommentFormat)
}

type updateChangeRequestReplyInput struct {
	ChangeRequestScope
	ReplyPath
	UpdateCommentInput
}

// updateChangeRequestReply changes a reply to a comment on a change request.
func (h *Handlers) updateChangeRequestReply(ctx context.Context,
	in *updateChangeRequestReplyInput) (*operation.Body[wire.CommentReply], error) {
	return h.replyUpdate(ctx, in.scope(), in.ReplyPath, in.UpdateCommentInput)
}

type deleteChangeRequestReplyInput struct {
	ChangeRequestScope
	ReplyPath
}

// deleteChangeRequestReply deletes a reply to a comment on a change request.
func (h *Handlers) deleteChangeRequestReply(ctx context.Context,
	in *deleteChangeRequestReplyInput) (*operation.Nothing, error) {
	return &operation.Nothing{}, h.Comments.DeleteReply(ctx, operation.Caller(ctx), in.scope(), in.Comment, in.Reply)
}

type listChangeRequestCommentersInput struct {
	ChangeRequestScope
	wire.PageParams
}

// listChangeRequestCommenters lists the members who comment on a change request.
func (h *Handlers) listChangeRequestCommenters(ctx context.Context,
	in *listChangeRequestCommentersInput) (*operation.Body[wire.List[wire.OrganizationMember]], error) {
	return h.commenterList(ctx, in.scope(), in.PageParams)
}
