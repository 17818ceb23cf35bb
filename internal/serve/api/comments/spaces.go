package comments

import (
	"context"

	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

type listSpaceCommentsInput struct {
	SpaceScope
	CommentsQuery
}

// listSpaceComments lists the comments on a space.
func (h *Handlers) listSpaceComments(ctx context.Context,
	in *listSpaceCommentsInput) (*operation.Body[wire.List[wire.Comment]], error) {
	return h.commentList(ctx, in.scope(), in.CommentsQuery)
}

type postSpaceCommentInput struct {
	SpaceScope
	PostCommentInput
}

// postSpaceComment posts a comment on a space.
func (h *Handlers) postSpaceComment(ctx context.Context,
	in *postSpaceCommentInput) (*operation.Body[wire.Comment], error) {
	return h.commentPost(ctx, in.scope(), in.PostCommentInput)
}

type getSpaceCommentInput struct {
	SpaceScope
	CommentPath
	CommentFormat
}

// getSpaceComment answers one comment on a space.
func (h *Handlers) getSpaceComment(ctx context.Context,
	in *getSpaceCommentInput) (*operation.Body[wire.Comment], error) {
	found, err := h.Comments.Get(ctx, operation.Caller(ctx), in.scope(), in.Comment)
	return h.commentBody(found, err, in.CommentFormat)
}

type updateSpaceCommentInput struct {
	SpaceScope
	CommentPath
	UpdateCommentInput
}

// updateSpaceComment changes a comment on a space.
func (h *Handlers) updateSpaceComment(ctx context.Context,
	in *updateSpaceCommentInput) (*operation.Body[wire.Comment], error) {
	return h.commentUpdate(ctx, in.scope(), in.CommentPath, in.UpdateCommentInput)
}

type deleteSpaceCommentInput struct {
	SpaceScope
	CommentPath
}

// deleteSpaceComment deletes a comment on a space with its replies.
func (h *Handlers) deleteSpaceComment(ctx context.Context, in *deleteSpaceCommentInput) (*operation.Nothing, error) {
	return &operation.Nothing{}, h.Comments.Delete(ctx, operation.Caller(ctx), in.scope(), in.Comment)
}

type listSpaceRepliesInput struct {
	SpaceScope
	CommentPath
	RepliesQuery
}

// listSpaceReplies lists the replies to a comment on a space.
func (h *Handlers) listSpaceReplies(ctx context.Context,
	in *listSpaceRepliesInput) (*operation.Body[wire.List[wire.CommentReply]], error) {
	return h.replyList(ctx, in.scope(), in.CommentPath, in.RepliesQuery)
}

type postSpaceReplyInput struct {
	SpaceScope
	CommentPath
	PostReplyInput
}

// postSpaceReply replies to a comment on a space.
func (h *Handlers) postSpaceReply(ctx context.Context,
	in *postSpaceReplyInput) (*operation.Body[wire.CommentReply], error) {
	return h.replyPost(ctx, in.scope(), in.CommentPath, in.PostReplyInput)
}

type getSpaceReplyInput struct {
	SpaceScope
	ReplyPath
	CommentFormat
}

// getSpaceReply answers one reply to a comment on a space.
func (h *Handlers) getSpaceReply(ctx context.Context,
	in *getSpaceReplyInput) (*operation.Body[wire.CommentReply], error) {
	found, err := h.Comments.Reply(ctx, operation.Caller(ctx), in.scope(), in.Comment, in.Reply)
	return h.replyBody(found, err, in.CommentFormat)
}

type updateSpaceReplyInput struct {
	SpaceScope
	ReplyPath
	UpdateCommentInput
}

// updateSpaceReply changes a reply to a comment on a space.
func (h *Handlers) updateSpaceReply(ctx context.Context,
	in *updateSpaceReplyInput) (*operation.Body[wire.CommentReply], error) {
	return h.replyUpdate(ctx, in.scope(), in.ReplyPath, in.UpdateCommentInput)
}

type deleteSpaceReplyInput struct {
	SpaceScope
	ReplyPath
}

// deleteSpaceReply deletes a reply to a comment on a space.
func (h *Handlers) deleteSpaceReply(ctx context.Context, in *deleteSpaceReplyInput) (*operation.Nothing, error) {
	return &operation.Nothing{}, h.Comments.DeleteReply(ctx, operation.Caller(ctx), in.scope(), in.Comment, in.Reply)
}

type listSpaceCommentersInput struct {
	SpaceScope
	wire.PageParams
}

// listSpaceCommenters lists the members who comment on a space.
func (h *Handlers) listSpaceCommenters(ctx context.Context,
	in *listSpaceCommentersInput) (*operation.Body[wire.List[wire.OrganizationMember]], error) {
	return h.commenterList(ctx, in.scope(), in.PageParams)
}
