package comments

import (
	"net/http"

	"github.com/rectodocs/recto/internal/serve/api/operation"
)

// Operations are the operations on comments, of spaces and of change requests.
func (h *Handlers) Operations() []operation.Operation {
	const (
		tag     = "Comments"
		space   = "/v1/spaces/{spaceId}"
		request = space + "/change-requests/{changeRequestId}"
		one     = "/comments/{commentId}"
		reply   = one + "/replies/{commentReplyId}"

		posting = "It needs the role comment. The body is {\"markdown\": \"…\"} or {\"document\": …}, of at most 64 " +
			"KiB as Markdown; an empty object is an empty text."
		ranging    = " With range it is about words of one block, which it follows while what is around them changes."
		suggesting = " On such a range it may suggest another text."
		applying   = "The words are exchanged with a new revision, their marks stay where they can, and the " +
			"comment is resolved. It needs the role edit. It is refused when the words are not there any more, " +
			"when the comment suggests nothing, or was applied or resolved."
		updating = "The author may change the text; the author and everybody from the role edit on may resolve and " +
			"reopen; with the role comment one may react. All of it happens or nothing."
		deleting = "Its replies go with it. The author may, and everybody from the role review on."
		replying = "The author may change the text; with the role comment one may react. All of it happens or nothing."
		removing = "The author may, and everybody from the role review on."
	)
	tooLarge := operation.May(http.StatusRequestEntityTooLarge)
	crowded := operation.May(http.StatusConflict, http.StatusRequestEntityTooLarge)
	return []operation.Operation{
		operation.New("listCommentsInSpace", http.MethodGet, space+"/comments", tag, "List the comments on a space",
			h.listSpaceComments),
		operation.New("postCommentInSpace", http.MethodPost, space+"/comments", tag, "Comment on a space",
			h.postSpaceComment, tooLarge,
			operation.Describe(posting+ranging)),
		operation.New("getCommentInSpace", http.MethodGet, space+one, tag, "Get a comment on a space",
			h.getSpaceComment),
		operation.New("updateCommentInSpace", http.MethodPut, space+one, tag,
			"Change, resolve or react to a comment on a space",
			h.updateSpaceComment, crowded, operation.Describe(updating)),
		operation.New("deleteCommentInSpace", http.MethodDelete, space+one, tag, "Delete a comment on a space",
			h.deleteSpaceComment,
			operation.Status(http.StatusNoContent), operation.Describe(deleting)),
		operation.New("listCommentRepliesInSpace", http.MethodGet, space+one+"/replies", tag,
			"List the replies to a comment on a space",
			h.listSpaceReplies, operation.Describe("The oldest first.")),
		operation.New("postCommentReplyInSpace", http.MethodPost, space+one+"/replies", tag,
			"Reply to a comment on a space",
			h.postSpaceReply, tooLarge, operation.Describe(posting)),
		operation.New("getCommentReplyInSpace", http.MethodGet, space+reply, tag, "Get a reply to a comment on a space",
			h.getSpaceReply),
		operation.New("updateCommentReplyInSpace", http.MethodPut, space+reply, tag,
			"Change or react to a reply to a comment on a space",
			h.updateSpaceReply, crowded, operation.Describe(replying)),
		operation.New("deleteCommentReplyInSpace", http.MethodDelete, space+reply, tag,
			"Delete a reply to a comment on a space",
			h.deleteSpaceReply, operation.Status(http.StatusNoContent), operation.Describe(removing)),
		operation.New("listCommentersInSpace", http.MethodGet, space+"/commenters", tag, "List who comments on a space",
			h.listSpaceCommenters, operation.Describe("Members who have comments or replies there.")),

		operation.New("listCommentsInChangeRequest", http.MethodGet, request+"/comments", tag,
			"List the comments on a change request",
			h.listChangeRequestComments),
		operation.New("postCommentInChangeRequest", http.MethodPost, request+"/comments", tag,
			"Comment on a change request",
			h.postChangeRequestComment, tooLarge, operation.Describe(posting+ranging+suggesting)),
		operation.New("getCommentInChangeRequest", http.MethodGet, request+one, tag,
			"Get a comment on a change request",
			h.getChangeRequestComment),
		operation.New("updateCommentInChangeRequest", http.MethodPut, request+one, tag,
			"Change, resolve or react to a comment on a change request", h.updateChangeRequestComment, crowded,
			operation.Describe(updating)),
		operation.New("applyCommentInChangeRequest", http.MethodPost, request+one+"/apply", tag,
			"Apply what a comment on a change request suggests", h.applyChangeRequestComment, crowded,
			operation.Describe(applying)),
		operation.New("deleteCommentInChangeRequest", http.MethodDelete, request+one, tag,
			"Delete a comment on a change request",
			h.deleteChangeRequestComment, operation.Status(http.StatusResetContent), operation.Describe(deleting)),
		operation.New("listCommentRepliesInChangeRequest", http.MethodGet, request+one+"/replies", tag,
			"List the replies to a comment on a change request", h.listChangeRequestReplies,
			operation.Describe("The oldest first.")),
		operation.New("postCommentReplyInChangeRequest", http.MethodPost, request+one+"/replies", tag,
			"Reply to a comment on a change request", h.postChangeRequestReply, tooLarge, operation.Describe(posting)),
		operation.New("getCommentReplyInChangeRequest", http.MethodGet, request+reply, tag,
			"Get a reply to a comment on a change request",
			h.getChangeRequestReply),
		operation.New("updateCommentReplyInChangeRequest", http.MethodPut, request+reply, tag,
			"Change or react to a reply to a comment on a change request", h.updateChangeRequestReply, crowded,
			operation.Describe(replying)),
		operation.New("deleteCommentReplyInChangeRequest", http.MethodDelete, request+reply, tag,
			"Delete a reply to a comment on a change request", h.deleteChangeRequestReply,
			operation.Status(http.StatusNoContent),
			operation.Describe(removing)),
		operation.New("listCommentersInChangeRequest", http.MethodGet, request+"/commenters", tag,
			"List who comments on a change request",
			h.listChangeRequestCommenters, operation.Describe("Members who have comments or replies there.")),
	}
}
