package api

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/content/comment"
)

// CommentFormat is the form in which the bodies of comments are answered.
type CommentFormat struct {
	Format string `query:"format" enum:"document,markdown" default:"markdown" doc:"Form of the bodies."`
}

// CommentFilter narrows a list of comments.
type CommentFilter struct {
	Order      string   `query:"order" enum:"asc,desc" default:"desc" doc:"By the time of posting: asc is the oldest first, desc the newest."`
	Status     string   `query:"status" enum:"all,open,resolved" default:"all"`
	TargetPage string   `query:"targetPage" maxLength:"256" doc:"Id of a page: only comments about it."`
	Authors    []string `query:"authors,explode" maxItems:"100" doc:"Ids of users: only comments that they have posted. Repeat the parameter, or separate ids by commas."`
}

// filter returns the filter of the domain.
func (f CommentFilter) filter() comment.Filter {
	filter := comment.Filter{Order: comment.Order(f.Order), Page: f.TargetPage}
	if f.Status != "all" {
		filter.Status = comment.Status(f.Status)
	}
	for _, each := range f.Authors {
		for id := range strings.SplitSeq(each, ",") {
			if id = strings.TrimSpace(id); id != "" {
				filter.Authors = append(filter.Authors, id)
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
	Space string `path:"spaceId"`
}

func (s SpaceScope) scope() comment.Scope { return comment.Scope{Space: s.Space} }

// ChangeRequestScope names a change request whose discussion an operation is about.
type ChangeRequestScope struct {
	Space         string `path:"spaceId"`
	ChangeRequest string `path:"changeRequestId" doc:"Id of the change request, or its number in the space."`
}

func (s ChangeRequestScope) scope() comment.Scope {
	return comment.Scope{Space: s.Space, ChangeRequest: s.ChangeRequest}
}

// CommentPath names a comment of a scope.
type CommentPath struct {
	Comment string `path:"commentId"`
}

// ReplyPath names a reply to a comment of a scope.
type ReplyPath struct {
	CommentPath
	Reply string `path:"commentReplyId"`
}

// CommentsQuery is what a list of comments is asked with.
type CommentsQuery struct {
	PageParams
	CommentFormat
	CommentFilter
}

// RepliesQuery is what a list of replies is asked with.
type RepliesQuery struct {
	PageParams
	CommentFormat
}

// PostCommentInput is a new comment.
type PostCommentInput struct {
	CommentFormat
	Body struct {
		Node      string           `json:"node,omitempty" maxLength:"256" doc:"Key or anchor of a node of the page."`
		Page      string           `json:"page,omitempty" maxLength:"256" doc:"Id of a page of the current revision."`
		TableCell *TableCell       `json:"tableCell,omitempty" doc:"One cell of the table that node is."`
		Body      CommentBodyInput `json:"body"`
	}
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
func (a *API) commentList(ctx context.Context, scope comment.Scope, query CommentsQuery) (*body[List[Comment]], error) {
	name := "comments/" + scope.Space + "/" + scope.ChangeRequest + "/" + query.CommentFilter.name()
	request, err := a.request(name, query.PageParams)
	if err != nil {
		return nil, err
	}
	comments, err := a.Comments.List(ctx, callerOf(ctx), scope, query.filter(), request)
	if err != nil {
		return nil, err
	}
	wire := make([]Comment, 0, len(comments.Items))
	for _, c := range comments.Items {
		one, err := a.wireComment(c, query.Format)
		if err != nil {
			return nil, err
		}
		wire = append(wire, one)
	}
	return &body[List[Comment]]{Body: *listed(a, name, paging.WithItems(comments, wire), func(c Comment) Comment {
		return c
	})}, nil
}

// commentBody answers one comment.
func (a *API) commentBody(c comment.Comment, err error, format CommentFormat) (*body[Comment], error) {
	if err != nil {
		return nil, err
	}
	wire, err := a.wireComment(c, format.Format)
	if err != nil {
		return nil, err
	}
	return &body[Comment]{Body: wire}, nil
}

func (a *API) commentPost(ctx context.Context, scope comment.Scope, in PostCommentInput) (*body[Comment], error) {
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
	posted, err := a.Comments.Post(ctx, callerOf(ctx), scope, wanted)
	return a.commentBody(posted, err, in.CommentFormat)
}

func (a *API) commentUpdate(ctx context.Context, scope comment.Scope, path CommentPath,
	in UpdateCommentInput) (*body[Comment], error) {
	change, err := in.change()
	if err != nil {
		return nil, err
	}
	updated, err := a.Comments.Update(ctx, callerOf(ctx), scope, path.Comment, change)
	return a.commentBody(updated, err, in.CommentFormat)
}

// replyList answers a list of replies.
func (a *API) replyList(ctx context.Context, scope comment.Scope, path CommentPath,
	query RepliesQuery) (*body[List[CommentReply]], error) {
	name := "replies/" + scope.Space + "/" + scope.ChangeRequest + "/" + path.Comment
	request, err := a.request(name, query.PageParams)
	if err != nil {
		return nil, err
	}
	replies, err := a.Comments.Replies(ctx, callerOf(ctx), scope, path.Comment, request)
	if err != nil {
		return nil, err
	}
	wire := make([]CommentReply, 0, len(replies.Items))
	for _, r := range replies.Items {
		one, err := a.wireReply(r, query.Format)
		if err != nil {
			return nil, err
		}
		wire = append(wire, one)
	}
	return &body[List[CommentReply]]{Body: *listed(a, name, paging.WithItems(replies, wire),
		func(r CommentReply) CommentReply {
			return r
		})}, nil
}

// replyBody answers one reply.
func (a *API) replyBody(r comment.Reply, err error, format CommentFormat) (*body[CommentReply], error) {
	if err != nil {
		return nil, err
	}
	wire, err := a.wireReply(r, format.Format)
	if err != nil {
		return nil, err
	}
	return &body[CommentReply]{Body: wire}, nil
}

func (a *API) replyPost(ctx context.Context, scope comment.Scope, path CommentPath,
	in PostReplyInput) (*body[CommentReply], error) {
	text, err := in.Body.Body.text()
	if err != nil {
		return nil, err
	}
	if text == nil {
		text = new("")
	}
	posted, err := a.Comments.PostReply(ctx, callerOf(ctx), scope, path.Comment, *text)
	return a.replyBody(posted, err, in.CommentFormat)
}

func (a *API) replyUpdate(ctx context.Context, scope comment.Scope, path ReplyPath,
	in UpdateCommentInput) (*body[CommentReply], error) {
	change, err := in.change()
	if err != nil {
		return nil, err
	}
	updated, err := a.Comments.UpdateReply(ctx, callerOf(ctx), scope, path.Comment, path.Reply, change)
	return a.replyBody(updated, err, in.CommentFormat)
}

// commenterList answers the members who take part in a discussion.
func (a *API) commenterList(ctx context.Context, scope comment.Scope,
	params PageParams) (*body[List[OrganizationMember]], error) {
	name := "commenters/" + scope.Space + "/" + scope.ChangeRequest
	request, err := a.request(name, params)
	if err != nil {
		return nil, err
	}
	commenters, err := a.Comments.Commenters(ctx, callerOf(ctx), scope, request)
	if err != nil {
		return nil, err
	}
	wire := make([]OrganizationMember, 0, len(commenters.Items))
	for _, c := range commenters.Items {
		member, err := a.wireMember(ctx, c)
		if err != nil {
			return nil, err
		}
		wire = append(wire, member)
	}
	return &body[List[OrganizationMember]]{Body: *listed(a, name, paging.WithItems(commenters, wire),
		func(m OrganizationMember) OrganizationMember { return m })}, nil
}
