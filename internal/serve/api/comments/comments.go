package comments

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/content/comment"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// CommentFormat is the form in which the bodies of comments are answered.
type CommentFormat struct {
	Format string `query:"format" enum:"document,markdown" default:"markdown" doc:"Form of the bodies."`
}

// CommentFilter narrows a list of comments.
type CommentFilter struct {
	Order      string    `query:"order" enum:"asc,desc" default:"desc" doc:"By the time of posting: asc is the oldest first, desc the newest."`
	Status     string    `query:"status" enum:"all,open,resolved" default:"all"`
	TargetPage string    `query:"targetPage" maxLength:"256" doc:"Id of a page: only comments about it."`
	Authors    []id.User `query:"authors,explode" maxItems:"100" doc:"Ids of users: only comments that they have posted. Repeat the parameter, or separate ids by commas."`
}

// filter returns the filter of the domain.
func (f CommentFilter) filter() comment.Filter {
	filter := comment.Filter{Order: comment.Order(f.Order), Page: f.TargetPage}
	if f.Status != "all" {
		filter.Status = comment.Status(f.Status)
	}
	for _, each := range f.Authors {
		for author := range strings.SplitSeq(string(each), ",") {
			if author = strings.TrimSpace(author); author != "" {
				filter.Authors = append(filter.Authors, id.User(author))
			}
		}
	}
	slices.Sort(filter.Authors)
	filter.Authors = slices.Compact(filter.Authors)
	return filter
}

// name names the list under the filter, for its cursors.
func (f CommentFilter) name() string {
	filter := f.filter()
	return fmt.Sprintf("%s/%s/%q/%q", filter.Order, filter.Status, filter.Page, filter.Authors)
}

// SpaceScope names a space whose discussion an operation is about.
type SpaceScope struct {
	Space id.Space `path:"spaceId"`
}

func (s SpaceScope) scope() comment.Scope { return comment.Scope{Space: s.Space} }

// ChangeRequestScope names a change request whose discussion an operation is about.
type ChangeRequestScope struct {
	Space         id.Space         `path:"spaceId"`
	ChangeRequest id.ChangeRequest `path:"changeRequestId" doc:"Id of the change request, or its number in the space."`
}

func (s ChangeRequestScope) scope() comment.Scope {
	return comment.Scope{Space: s.Space, ChangeRequest: s.ChangeRequest}
}

// CommentPath names a comment of a scope.
type CommentPath struct {
	Comment id.Comment `path:"commentId"`
}

// ReplyPath names a reply to a comment of a scope.
type ReplyPath struct {
	CommentPath
	Reply string `path:"commentReplyId"`
}

// CommentsQuery is what a list of comments is asked with.
type CommentsQuery struct {
	wire.PageParams
	CommentFormat
	CommentFilter
}

// RepliesQuery is what a list of replies is asked with.
type RepliesQuery struct {
	wire.PageParams
	CommentFormat
}

// PostCommentInput is a new comment.
type PostCommentInput struct {
	CommentFormat
	Body struct {
		Node      string           `json:"node,omitempty" maxLength:"256" doc:"Key or anchor of a node of the page."`
		Page      string           `json:"page,omitempty" maxLength:"256" doc:"Id of a page of the current revision."`
		TableCell *wire.TableCell  `json:"tableCell,omitempty" doc:"One cell of the table that node is."`
		Range     *RangeInput      `json:"range,omitempty" doc:"A range of text in one block: in node, or anywhere in page."`
		Body      CommentBodyInput `json:"body"`

		Suggestion *SuggestionInput `json:"suggestion,omitempty" doc:"A text for the range of a comment on a change request."`
	}
}

// RangeInput names a range of text by its words. White space counts as one space.
type RangeInput struct {
	Quote  string `json:"quote" minLength:"1" maxLength:"1000" doc:"Words of one block, without marks."`
	Before string `json:"before,omitempty" maxLength:"200" doc:"What is before them in the block, to tell equal words apart."`
	After  string `json:"after,omitempty" maxLength:"200" doc:"What is behind them."`
}

// SuggestionInput is a text that could stand in the place of a range.
type SuggestionInput struct {
	Text string `json:"text" maxLength:"2000" doc:"Plain text of one line: what looks like Markdown stays as it is. Empty takes the words away."`
}

// UpdateCommentInput is a change of a comment.
type UpdateCommentInput struct {
	CommentFormat
	Body struct {
		Resolved         *bool             `json:"resolved,omitempty" doc:"true resolves the comment, false reopens it."`
		Body             *CommentBodyInput `json:"body,omitempty" doc:"An empty object leaves the text as it is."`
		AddedReactions   []string          `json:"addedReactions,omitempty" maxItems:"20" doc:"Emoji, as characters or as code points in hexadecimal."`
		RemovedReactions []string          `json:"removedReactions,omitempty" maxItems:"20" doc:"What is in both lists is removed."`
	}
}

// change returns the change of the domain.
func (in UpdateCommentInput) change() (comment.Change, error) {
	change := comment.Change{Resolved: in.Body.Resolved, Add: in.Body.AddedReactions, Remove: in.Body.RemovedReactions}
	if in.Body.Body == nil {
		return change, nil
	}
	var err error
	change.Body, err = in.Body.Body.text()
	return change, err
}

// PostReplyInput is a new reply.
type PostReplyInput struct {
	CommentFormat
	Body struct {
		Body CommentBodyInput `json:"body"`
	}
}

// commentList answers a list of comments.
func (h *Handlers) commentList(ctx context.Context, scope comment.Scope,
	query CommentsQuery) (*operation.Body[wire.List[wire.Comment]], error) {
	name := "comments/" + string(scope.Space) + "/" + string(scope.ChangeRequest) + "/" + query.CommentFilter.name()
	request, err := h.Lists.Request(name, query.PageParams)
	if err != nil {
		return nil, err
	}
	comments, err := h.Comments.List(ctx, operation.Caller(ctx), scope, query.filter(), request)
	if err != nil {
		return nil, err
	}
	answer := make([]wire.Comment, 0, len(comments.Items))
	for _, c := range comments.Items {
		one, err := h.Wire.Comment(c, query.Format)
		if err != nil {
			return nil, err
		}
		answer = append(answer, one)
	}
	return &operation.Body[wire.List[wire.Comment]]{Body: *wire.Listed(h.Lists, name,
		paging.WithItems(comments, answer), func(c wire.Comment) wire.Comment {
			return c
		})}, nil
}

// commentBody answers one comment.
func (h *Handlers) commentBody(c comment.Comment, err error,
	format CommentFormat) (*operation.Body[wire.Comment], error) {
	if err != nil {
		return nil, err
	}
	answer, err := h.Wire.Comment(c, format.Format)
	if err != nil {
		return nil, err
	}
	return &operation.Body[wire.Comment]{Body: answer}, nil
}

func (h *Handlers) commentPost(ctx context.Context, scope comment.Scope,
	in PostCommentInput) (*operation.Body[wire.Comment], error) {
	text, err := in.Body.Body.text()
	if err != nil {
		return nil, err
	}
	wanted := comment.NewComment{Page: in.Body.Page, Node: in.Body.Node}
	if text != nil {
		wanted.Body = *text
	}
	if cell := in.Body.TableCell; cell != nil {
		wanted.Cell = &comment.Cell{Record: cell.Record, Definition: cell.Definition}
	}
	if part := in.Body.Range; part != nil {
		wanted.Range = &comment.Range{Quote: part.Quote, Before: part.Before, After: part.After}
	}
	if in.Body.Suggestion != nil {
		wanted.Suggestion = &in.Body.Suggestion.Text
	}
	posted, err := h.Comments.Post(ctx, operation.Caller(ctx), scope, wanted)
	return h.commentBody(posted, err, in.CommentFormat)
}

func (h *Handlers) commentUpdate(ctx context.Context, scope comment.Scope, path CommentPath,
	in UpdateCommentInput) (*operation.Body[wire.Comment], error) {
	change, err := in.change()
	if err != nil {
		return nil, err
	}
	updated, err := h.Comments.Update(ctx, operation.Caller(ctx), scope, path.Comment, change)
	return h.commentBody(updated, err, in.CommentFormat)
}

// replyList answers a list of replies.
func (h *Handlers) replyList(ctx context.Context, scope comment.Scope, path CommentPath,
	query RepliesQuery) (*operation.Body[wire.List[wire.CommentReply]], error) {
	name := "replies/" + string(scope.Space) + "/" + string(scope.ChangeRequest) + "/" + string(path.Comment)
	request, err := h.Lists.Request(name, query.PageParams)
	if err != nil {
		return nil, err
	}
	replies, err := h.Comments.Replies(ctx, operation.Caller(ctx), scope, path.Comment, request)
	if err != nil {
		return nil, err
	}
	answer := make([]wire.CommentReply, 0, len(replies.Items))
	for _, r := range replies.Items {
		one, err := h.Wire.Reply(r, query.Format)
		if err != nil {
			return nil, err
		}
		answer = append(answer, one)
	}
	return &operation.Body[wire.List[wire.CommentReply]]{Body: *wire.Listed(h.Lists, name,
		paging.WithItems(replies, answer),
		func(r wire.CommentReply) wire.CommentReply {
			return r
		})}, nil
}

// replyBody answers one reply.
func (h *Handlers) replyBody(r comment.Reply, err error,
	format CommentFormat) (*operation.Body[wire.CommentReply], error) {
	if err != nil {
		return nil, err
	}
	answer, err := h.Wire.Reply(r, format.Format)
	if err != nil {
		return nil, err
	}
	return &operation.Body[wire.CommentReply]{Body: answer}, nil
}

func (h *Handlers) replyPost(ctx context.Context, scope comment.Scope, path CommentPath,
	in PostReplyInput) (*operation.Body[wire.CommentReply], error) {
	text, err := in.Body.Body.text()
	if err != nil {
		return nil, err
	}
	if text == nil {
		text = new("")
	}
	posted, err := h.Comments.PostReply(ctx, operation.Caller(ctx), scope, path.Comment, *text)
	return h.replyBody(posted, err, in.CommentFormat)
}

func (h *Handlers) replyUpdate(ctx context.Context, scope comment.Scope, path ReplyPath,
	in UpdateCommentInput) (*operation.Body[wire.CommentReply], error) {
	change, err := in.change()
	if err != nil {
		return nil, err
	}
	updated, err := h.Comments.UpdateReply(ctx, operation.Caller(ctx), scope, path.Comment, path.Reply, change)
	return h.replyBody(updated, err, in.CommentFormat)
}

// commenterList answers the members who take part in a discussion.
func (h *Handlers) commenterList(ctx context.Context, scope comment.Scope,
	params wire.PageParams) (*operation.Body[wire.List[wire.OrganizationMember]], error) {
	name := "commenters/" + string(scope.Space) + "/" + string(scope.ChangeRequest)
	request, err := h.Lists.Request(name, params)
	if err != nil {
		return nil, err
	}
	commenters, err := h.Comments.Commenters(ctx, operation.Caller(ctx), scope, request)
	if err != nil {
		return nil, err
	}
	answer := make([]wire.OrganizationMember, 0, len(commenters.Items))
	for _, c := range commenters.Items {
		member, err := h.wireMember(ctx, c)
		if err != nil {
			return nil, err
		}
		answer = append(answer, member)
	}
	return &operation.Body[wire.List[wire.OrganizationMember]]{Body: *wire.Listed(h.Lists, name,
		paging.WithItems(commenters, answer),
		func(m wire.OrganizationMember) wire.OrganizationMember { return m })}, nil
}
