package api

import "net/http"

// commentOperations are the operations on comments, of spaces and of change requests.
func (a *API) commentOperations() []operation {
	const (
		tag     = "Comments"
		space   = "/v1/spaces/{spaceId}"
		request = space + "/change-requests/{changeRequestId}"
		one     = "/comments/{commentId}"
		reply   = one + "/replies/{commentReplyId}"

		posting = "It needs the role comment. The body is {\"markdown\": \"…\"} or {\"document\": …}, of at most 64 " +
			"KiB as Markdown; an empty object is an empty text."
		updating = "The author may change the text; the author and everybody from the role edit on may resolve and " +
			"reopen; with the role comment one may react. All of it happens or nothing."
		deleting = "Its replies go with it. The author may, and everybody from the role review on."
		replying = "The author may change the text; with the role comment one may react. All of it happens or nothing."
		removing = "The author may, and everybody from the role review on."
	)
	tooLarge := may(http.StatusRequestEntityTooLarge)
	crowded := may(http.StatusConflict, http.StatusRequestEntityTooLarge)
	return []operation{
		row("listCommentsInSpace", get, space+"/comments", tag, "List the comments on a space", a.listSpaceComments),
		row("postCommentInSpace", post, space+"/comments", tag, "Comment on a space", a.postSpaceComment, tooLarge,
			describe(posting)),
		row("getCommentInSpace", get, space+one, tag, "Get a comment on a space", a.getSpaceComment),
		row("updateCommentInSpace", put, space+one, tag, "Change, resolve or react to a comment on a space",
			a.updateSpaceComment, crowded, describe(updating)),
		row("deleteCommentInSpace", remove, space+one, tag, "Delete a comment on a space", a.deleteSpaceComment,
			status(http.StatusNoContent), describe(deleting)),
		row("listCommentRepliesInSpace", get, space+one+"/replies", tag, "List the replies to a comment on a space",
			a.listSpaceReplies, describe("The oldest first.")),
		row("postCommentReplyInSpace", post, space+one+"/replies", tag, "Reply to a comment on a space",
			a.postSpaceReply, tooLarge, describe(posting)),
		row("getCommentReplyInSpace", get, space+reply, tag, "Get a reply to a comment on a space", a.getSpaceReply),
		row("updateCommentReplyInSpace", put, space+reply, tag, "Change or react to a reply to a comment on a space",
			a.updateSpaceReply, crowded, describe(replying)),
		row("deleteCommentReplyInSpace", remove, space+reply, tag, "Delete a reply to a comment on a space",
			a.deleteSpaceReply, status(http.StatusNoContent), describe(removing)),
		row("listCommentersInSpace", get, space+"/commenters", tag, "List who comments on a space",
			a.listSpaceCommenters, describe("Members who have comments or replies there.")),

		row("listCommentsInChangeRequest", get, request+"/comments", tag, "List the comments on a change request",
			a.listChangeRequestComments),
		row("postCommentInChangeRequest", post, request+"/comments", tag, "Comment on a change request",
			a.postChangeRequestComment, tooLarge, describe(posting)),
		row("getCommentInChangeRequest", get, request+one, tag, "Get a comment on a change request",
			a.getChangeRequestComment),
		row("updateCommentInChangeRequest", put, request+one, tag,
			"Change, resolve or react to a comment on a change request", a.updateChangeRequestComment, crowded,
			describe(updating)),
		row("deleteCommentInChangeRequest", remove, request+one, tag, "Delete a comment on a change request",
			a.deleteChangeRequestComment, status(http.StatusResetContent), describe(deleting)),
		row("listCommentRepliesInChangeRequest", get, request+one+"/replies", tag,
			"List the replies to a comment on a change request", a.listChangeRequestReplies,
			describe("The oldest first.")),
		row("postCommentReplyInChangeRequest", post, request+one+"/replies", tag,
			"Reply to a comment on a change request", a.postChangeRequestReply, tooLarge, describe(posting)),
		row("getCommentReplyInChangeRequest", get, request+reply, tag, "Get a reply to a comment on a change request",
			a.getChangeRequestReply),
		row("updateCommentReplyInChangeRequest", put, request+reply, tag,
			"Change or react to a reply to a comment on a change request", a.updateChangeRequestReply, crowded,
			describe(replying)),
		row("deleteCommentReplyInChangeRequest", remove, request+reply, tag,
			"Delete a reply to a comment on a change request", a.deleteChangeRequestReply, status(http.StatusNoContent),
			describe(removing)),
		row("listCommentersInChangeRequest", get, request+"/commenters", tag, "List who comments on a change request",
			a.listChangeRequestCommenters, describe("Members who have comments or replies there.")),
	}
}
