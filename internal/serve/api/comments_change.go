package api

import "context"

type listChangeRequestCommentsInput struct {
	ChangeRequestScope
	CommentsQuery
}

// listChangeRequestComments lists the comments on a change request.
func (a *API) listChangeRequestComments(ctx context.Context,
	in *listChangeRequestCommentsInput) (*body[List[Comment]], error) {
	return a.commentList(ctx, in.scope(), in.CommentsQuery)
}

type postChangeRequestCommentInput struct {
	ChangeRequestScope
	PostCommentInput
}

// postChangeRequestComment posts a comment on a change request.
func (a *API) postChangeRequestComment(ctx context.Context, in *postChangeRequestCommentInput) (*body[Comment], error) {
	return a.commentPost(ctx, in.scope(), in.PostCommentInput)
}

type getChangeRequestCommentInput struct {
	ChangeRequestScope
	CommentPath
	CommentFormat
}

// getChangeRequestComment answers one comment on a change request.
func (a *API) getChangeRequestComment(ctx context.Context, in *getChangeRequestCommentInput) (*body[Comment], error) {
	found, err := a.Comments.Get(ctx, callerOf(ctx), in.scope(), in.Comment)
	return a.commentBody(found, err, in.CommentFormat)
}

type updateChangeRequestCommentInput struct {
	ChangeRequestScope
	CommentPath
	UpdateCommentInput
}

// updateChangeRequestComment changes a comment on a change request.
func (a *API) updateChangeRequestComment(ctx context.Context,
	in *updateChangeRequestCommentInput) (*body[Comment], error) {
	return a.commentUpdate(ctx, in.scope(), in.CommentPath, in.UpdateCommentInput)
}

type deleteChangeRequestCommentInput struct {
	ChangeRequestScope
	CommentPath
}

// deleteChangeRequestComment deletes a comment on a change request with its replies.
func (a *API) deleteChangeRequestComment(ctx context.Context, in *deleteChangeRequestCommentInput) (*nothing, error) {
	return &nothing{}, a.Comments.Delete(ctx, callerOf(ctx), in.scope(), in.Comment)
}

type listChangeRequestRepliesInput struct {
	ChangeRequestScope
	CommentPath
	RepliesQuery
}

// listChangeRequestReplies lists the replies to a comment on a change request.
func (a *API) listChangeRequestReplies(ctx context.Context,
	in *listChangeRequestRepliesInput) (*body[List[CommentReply]], error) {
	return a.replyList(ctx, in.scope(), in.CommentPath, in.RepliesQuery)
}

type postChangeRequestReplyInput struct {
	ChangeRequestScope
	CommentPath
	PostReplyInput
}

// postChangeRequestReply replies to a comment on a change request.
func (a *API) postChangeRequestReply(ctx context.Context,
	in *postChangeRequestReplyInput) (*body[CommentReply], error) {
	return a.replyPost(ctx, in.scope(), in.CommentPath, in.PostReplyInput)
}

type getChangeRequestReplyInput struct {
	ChangeRequestScope
	ReplyPath
	CommentFormat
}

// getChangeRequestReply answers one reply to a comment on a change request.
func (a *API) getChangeRequestReply(ctx context.Context, in *getChangeRequestReplyInput) (*body[CommentReply], error) {
	found, err := a.Comments.Reply(ctx, callerOf(ctx), in.scope(), in.Comment, in.Reply)
	return a.replyBody(found, err, in.CommentFormat)
}

type updateChangeRequestReplyInput struct {
	ChangeRequestScope
	ReplyPath
	UpdateCommentInput
}

// updateChangeRequestReply changes a reply to a comment on a change request.
func (a *API) updateChangeRequestReply(ctx context.Context,
	in *updateChangeRequestReplyInput) (*body[CommentReply], error) {
	return a.replyUpdate(ctx, in.scope(), in.ReplyPath, in.UpdateCommentInput)
}

type deleteChangeRequestReplyInput struct {
	ChangeRequestScope
	ReplyPath
}

// deleteChangeRequestReply deletes a reply to a comment on a change request.
func (a *API) deleteChangeRequestReply(ctx context.Context, in *deleteChangeRequestReplyInput) (*nothing, error) {
	return &nothing{}, a.Comments.DeleteReply(ctx, callerOf(ctx), in.scope(), in.Comment, in.Reply)
}

type listChangeRequestCommentersInput struct {
	ChangeRequestScope
	PageParams
}

// listChangeRequestCommenters lists the members who comment on a change request.
func (a *API) listChangeRequestCommenters(ctx context.Context,
	in *listChangeRequestCommentersInput) (*body[List[OrganizationMember]], error) {
	return a.commenterList(ctx, in.scope(), in.PageParams)
}
