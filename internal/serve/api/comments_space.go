package api

import "context"

type listSpaceCommentsInput struct {
	SpaceScope
	CommentsQuery
}

// listSpaceComments lists the comments on a space.
func (a *API) listSpaceComments(ctx context.Context, in *listSpaceCommentsInput) (*body[List[Comment]], error) {
	return a.commentList(ctx, in.scope(), in.CommentsQuery)
}

type postSpaceCommentInput struct {
	SpaceScope
	PostCommentInput
}

// postSpaceComment posts a comment on a space.
func (a *API) postSpaceComment(ctx context.Context, in *postSpaceCommentInput) (*body[Comment], error) {
	return a.commentPost(ctx, in.scope(), in.PostCommentInput)
}

type getSpaceCommentInput struct {
	SpaceScope
	CommentPath
	CommentFormat
}

// getSpaceComment answers one comment on a space.
func (a *API) getSpaceComment(ctx context.Context, in *getSpaceCommentInput) (*body[Comment], error) {
	found, err := a.Comments.Get(ctx, callerOf(ctx), in.scope(), in.Comment)
	return a.commentBody(found, err, in.CommentFormat)
}

type updateSpaceCommentInput struct {
	SpaceScope
	CommentPath
	UpdateCommentInput
}

// updateSpaceComment changes a comment on a space.
func (a *API) updateSpaceComment(ctx context.Context, in *updateSpaceCommentInput) (*body[Comment], error) {
	return a.commentUpdate(ctx, in.scope(), in.CommentPath, in.UpdateCommentInput)
}

type deleteSpaceCommentInput struct {
	SpaceScope
	CommentPath
}

// deleteSpaceComment deletes a comment on a space with its replies.
func (a *API) deleteSpaceComment(ctx context.Context, in *deleteSpaceCommentInput) (*nothing, error) {
	return &nothing{}, a.Comments.Delete(ctx, callerOf(ctx), in.scope(), in.Comment)
}

type listSpaceRepliesInput struct {
	SpaceScope
	CommentPath
	RepliesQuery
}

// listSpaceReplies lists the replies to a comment on a space.
func (a *API) listSpaceReplies(ctx context.Context, in *listSpaceRepliesInput) (*body[List[CommentReply]], error) {
	return a.replyList(ctx, in.scope(), in.CommentPath, in.RepliesQuery)
}

type postSpaceReplyInput struct {
	SpaceScope
	CommentPath
	PostReplyInput
}

// postSpaceReply replies to a comment on a space.
func (a *API) postSpaceReply(ctx context.Context, in *postSpaceReplyInput) (*body[CommentReply], error) {
	return a.replyPost(ctx, in.scope(), in.CommentPath, in.PostReplyInput)
}

type getSpaceReplyInput struct {
	SpaceScope
	ReplyPath
	CommentFormat
}

// getSpaceReply answers one reply to a comment on a space.
func (a *API) getSpaceReply(ctx context.Context, in *getSpaceReplyInput) (*body[CommentReply], error) {
	found, err := a.Comments.Reply(ctx, callerOf(ctx), in.scope(), in.Comment, in.Reply)
	return a.replyBody(found, err, in.CommentFormat)
}

type updateSpaceReplyInput struct {
	SpaceScope
	ReplyPath
	UpdateCommentInput
}

// updateSpaceReply changes a reply to a comment on a space.
func (a *API) updateSpaceReply(ctx context.Context, in *updateSpaceReplyInput) (*body[CommentReply], error) {
	return a.replyUpdate(ctx, in.scope(), in.ReplyPath, in.UpdateCommentInput)
}

type deleteSpaceReplyInput struct {
	SpaceScope
	ReplyPath
}

// deleteSpaceReply deletes a reply to a comment on a space.
func (a *API) deleteSpaceReply(ctx context.Context, in *deleteSpaceReplyInput) (*nothing, error) {
	return &nothing{}, a.Comments.DeleteReply(ctx, callerOf(ctx), in.scope(), in.Comment, in.Reply)
}

type listSpaceCommentersInput struct {
	SpaceScope
	PageParams
}

// listSpaceCommenters lists the members who comment on a space.
func (a *API) listSpaceCommenters(ctx context.Context,
	in *listSpaceCommentersInput) (*body[List[OrganizationMember]], error) {
	return a.commenterList(ctx, in.scope(), in.PageParams)
}
