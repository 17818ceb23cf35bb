package api

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/content/comment"
	"github.com/rectodocs/recto/internal/engine/doc"
	"github.com/rectodocs/recto/internal/engine/markdown"
	"github.com/rectodocs/recto/internal/people/account"
)

// Comment begins a thread on a space or a change request.
type Comment struct {
	Object    string          `json:"object" enum:"comment"`
	ID        string          `json:"id"`
	PostedBy  User            `json:"postedBy"`
	PostedAt  string          `json:"postedAt" format:"date-time"`
	EditedAt  string          `json:"editedAt,omitempty" format:"date-time"`
	Reactions []EmojiReaction `json:"reactions"`
	Replies   int             `json:"replies" doc:"Number of replies."`
	Repliers  []Replier       `json:"repliers" doc:"Who has replied, the last one first."`
	Body      CommentBody     `json:"body"`
	Target    CommentTarget   `json:"target"`
	URLs      CommentURLs     `json:"urls"`
	// Permissions say what the caller may do.
	Permissions CommentPermissions `json:"permissions"`
	Status      string             `json:"status" enum:"open,resolved"`
	ResolvedAt  string             `json:"resolvedAt,omitempty" format:"date-time" doc:"Only of resolved comments."`
	ResolvedBy  *User              `json:"resolvedBy,omitempty" doc:"Only of resolved comments."`
}

// CommentReply is an answer in a thread.
type CommentReply struct {
	Object      string             `json:"object" enum:"comment-reply"`
	ID          string             `json:"id"`
	PostedBy    User               `json:"postedBy"`
	PostedAt    string             `json:"postedAt" format:"date-time"`
	EditedAt    string             `json:"editedAt,omitempty" format:"date-time"`
	Reactions   []EmojiReaction    `json:"reactions"`
	Body        CommentBody        `json:"body"`
	URLs        CommentURLs        `json:"urls"`
	Permissions CommentPermissions `json:"permissions"`
}

// CommentBody is the text of a comment or reply in the form that was asked for.
type CommentBody struct {
	Markdown *string         `json:"markdown,omitempty" doc:"When format is markdown."`
	Document json.RawMessage `json:"document,omitempty" doc:"Document JSON, when format is document."`
}

// CommentTarget says what a comment is about: a node or a cell of a page, a page, or the space or change request.
type CommentTarget struct {
	Node          *CommentNode `json:"node,omitempty"`
	TableCell     *TableCell   `json:"tableCell,omitempty"`
	ChangeRequest string       `json:"changeRequest,omitempty"`
	Review        string       `json:"review,omitempty"`
	Page          *CommentPage `json:"page,omitempty"`
	Space         string       `json:"space"`
	Revision      string       `json:"revision" doc:"The revision that was current when the comment was posted."`
}

// CommentNode is the block of a page that a comment is about.
type CommentNode struct {
	ID      string `json:"id" doc:"Key of the block in the page's current document."`
	Preview string `json:"preview,omitempty" doc:"Text of the block when the comment was posted, 256 characters at most."`
}

// CommentPage is the page that a comment is about, as it is now.
type CommentPage struct {
	ID        string `json:"id"`
	Title     string `json:"title"`
	Emoji     string `json:"emoji,omitempty"`
	Icon      string `json:"icon,omitempty"`
	CreatedAt string `json:"createdAt,omitempty" format:"date-time"`
	UpdatedAt string `json:"updatedAt,omitempty" format:"date-time"`
	Path      string `json:"path"`
	Outdated  bool   `json:"outdated" doc:"The page, or the text in it that the comment is about, is gone or changed."`
}

// TableCell names a cell of a table by its record and definition in the document JSON.
type TableCell struct {
	Record     string `json:"record" maxLength:"100"`
	Definition string `json:"definition" maxLength:"100"`
}

// CommentURLs are the addresses of a comment or reply.
type CommentURLs struct {
	Location string `json:"location" format:"uri"`
}

// CommentPermissions say what the caller may do with a comment or reply.
type CommentPermissions struct {
	View   bool `json:"view"`
	Edit   bool `json:"edit" doc:"Change the text."`
	Reply  bool `json:"reply" doc:"Reply in the thread, and react."`
	Delete bool `json:"delete"`
	// Resolve is left out of replies, which are neither open nor resolved.
	Resolve *bool `json:"resolve,omitempty" doc:"Resolve and reopen the thread."`
}

// EmojiReaction is an emoji with the people who put it.
type EmojiReaction struct {
	Emoji string    `json:"emoji"`
	Count int       `json:"count"`
	Users []Reacted `json:"users"`
}

// Reacted is one person's reaction.
type Reacted struct {
	User      User   `json:"user"`
	ReactedAt string `json:"reactedAt" format:"date-time"`
}

// Replier is a person with replies in a thread.
type Replier struct {
	User      User   `json:"user"`
	Count     int    `json:"count" doc:"Number of their replies."`
	UpdatedAt string `json:"updatedAt" format:"date-time" doc:"When the last of them was posted."`
}

// OrganizationMember is a person in an organization.
type OrganizationMember struct {
	Object string `json:"object" enum:"member"`
	ID     string `json:"id"`
	// Role is null for guests.
	Role     RoleOrNull `json:"role"`
	User     User       `json:"user"`
	Disabled bool       `json:"disabled" doc:"Always false: who is not to come in any more is removed."`
	JoinedAt string     `json:"joinedAt" format:"date-time"`
	// LastSeenAt is absent for somebody who never was.
	LastSeenAt string `json:"lastSeenAt,omitempty" format:"date-time"`
	SSO        bool   `json:"sso"`
	Spaces     int    `json:"spaces" doc:"Number of spaces that the member may read."`
	Teams      int    `json:"teams"`
}

// CommentBodyInput is the text of a comment as it is sent: {"markdown"}, {"document"}, or nothing.
type CommentBodyInput struct {
	Markdown *string         `json:"markdown,omitempty" doc:"At most 64 KiB."`
	Document json.RawMessage `json:"document,omitempty" doc:"Document JSON; at most 64 KiB as Markdown."`
}

// text returns the body as Markdown; nil when the body says nothing.
func (in CommentBodyInput) text() (*string, error) {
	switch {
	case in.Markdown != nil && in.Document != nil:
		return nil, errs.Invalidf("body.body", "has both markdown and document; send one of them")
	case in.Document == nil:
		return in.Markdown, nil
	}
	document := new(doc.Document)
	if err := json.Unmarshal(in.Document, document); err != nil {
		return nil, at("body.body.document", err)
	}
	return new(string(markdown.Write(document))), nil
}

// wireBody puts a Markdown text into a form.
func wireBody(text, format string) (CommentBody, error) {
	if format != "document" {
		return CommentBody{Markdown: &text}, nil
	}
	document, err := markdown.Parse([]byte(text))
	if err != nil {
		return CommentBody{}, fmt.Errorf("parse a comment: %w", err)
	}
	document.ReadDestinations()
	encoded, err := json.Marshal(document)
	if err != nil {
		return CommentBody{}, fmt.Errorf("encode a comment: %w", err)
	}
	return CommentBody{Document: encoded}, nil
}

// wireComment turns a comment into its wire form; format is that of the body.
func (a *API) wireComment(c comment.Comment, format string) (Comment, error) {
	text, err := wireBody(c.Body, format)
	if err != nil {
		return Comment{}, err
	}
	wire := Comment{
		Object: "comment", ID: c.ID, PostedBy: a.wireAuthor(c.PostedBy), PostedAt: timestamp(c.PostedAt),
		EditedAt:  optionalTime(c.EditedAt),
		Reactions: a.wireReactions(c.Reactions), Replies: c.Replies, Repliers: make([]Replier, 0, len(c.Repliers)),
		Body:   text,
		Target: wireTarget(c), URLs: CommentURLs{Location: a.commentURL(c.Space, c.ChangeRequest, c.ID)},
		Permissions: wirePermissions(c.Permissions), Status: string(c.Status),
	}
	wire.Permissions.Resolve = &c.Permissions.Resolve
	for _, replier := range c.Repliers {
		wire.Repliers = append(wire.Repliers, Replier{User: a.wireAuthor(replier.User), Count: replier.Count,
			UpdatedAt: timestamp(replier.LastAt)})
	}
	if c.Status == comment.Resolved {
		wire.ResolvedAt, wire.ResolvedBy = timestamp(c.ResolvedAt), new(a.wireAuthor(c.ResolvedBy))
	}
	return wire, nil
}

// wireReply turns a reply into its wire form; format is that of the body.
func (a *API) wireReply(r comment.Reply, format string) (CommentReply, error) {
	text, err := wireBody(r.Body, format)
	if err != nil {
		return CommentReply{}, err
	}
	return CommentReply{
		Object: "comment-reply", ID: r.ID, PostedBy: a.wireAuthor(r.PostedBy), PostedAt: timestamp(r.PostedAt),
		EditedAt:  optionalTime(r.EditedAt),
		Reactions: a.wireReactions(r.Reactions), Body: text,
		URLs:        CommentURLs{Location: a.commentURL(r.Space, r.ChangeRequest, r.Comment) + "/replies/" + r.ID},
		Permissions: wirePermissions(r.Permissions),
	}, nil
}

// commentURL is the address of a comment; changeRequest is "" for one on the space itself.
func (a *API) commentURL(space, changeRequest, commentID string) string {
	address := a.BaseURL + "/v1/spaces/" + space
	if changeRequest != "" {
		address += "/change-requests/" + changeRequest
	}
	return address + "/comments/" + commentID
}

func wireTarget(c comment.Comment) CommentTarget {
	target := CommentTarget{Space: c.Space, ChangeRequest: c.ChangeRequest, Review: c.Target.Review,
		Revision: c.Target.Revision}
	if page := c.Target.Page; page != nil {
		target.Page = &CommentPage{
			ID: page.ID, Title: page.Title, Emoji: page.Emoji, Icon: page.Icon, Path: page.Path,
			Outdated:  page.Outdated,
			CreatedAt: optionalTime(page.CreatedAt), UpdatedAt: optionalTime(page.UpdatedAt),
		}
	}
	if node := c.Target.Node; node != nil {
		target.Node = &CommentNode{ID: node.ID, Preview: node.Preview}
	}
	if cell := c.Target.Cell; cell != nil {
		target.TableCell = &TableCell{Record: cell.Record, Definition: cell.Definition}
	}
	return target
}

// wirePermissions are those of a reply; a comment has Resolve besides.
func wirePermissions(p comment.Permissions) CommentPermissions {
	return CommentPermissions{View: p.View, Edit: p.Edit, Reply: p.Reply, Delete: p.Delete}
}

func (a *API) wireReactions(reactions []comment.Reaction) []EmojiReaction {
	wire := make([]EmojiReaction, 0, len(reactions))
	for _, reaction := range reactions {
		users := make([]Reacted, 0, len(reaction.Users))
		for _, reacted := range reaction.Users {
			users = append(users, Reacted{User: a.wireAuthor(reacted.User), ReactedAt: timestamp(reacted.At)})
		}
		wire = append(wire, EmojiReaction{Emoji: reaction.Emoji, Count: len(users), Users: users})
	}
	return wire
}

// wireAuthor is wireUser for somebody whose account may be gone.
func (a *API) wireAuthor(user account.User) User {
	if user.ID == "" {
		user = account.User{ID: "deleted", DisplayName: "Deleted user"}
	}
	return a.wireUser(user)
}

// openComments counts the open comments on change requests, by their ids.
func (a *API) openComments(ctx context.Context, requests []change.Request) (map[string]int, error) {
	bySpace := map[string][]string{}
	for _, r := range requests {
		bySpace[r.Space] = append(bySpace[r.Space], r.ID)
	}
	counts := make(map[string]int, len(requests))
	for space, ids := range bySpace {
		found, err := a.Comments.OpenOnChangeRequests(ctx, space, ids)
		if err != nil {
			return nil, err
		}
		maps.Copy(counts, found)
	}
	return counts, nil
}

// wireMember turns a commenter into a member. The spaces that they may read are counted by the code that lists them.
func (a *API) wireMember(ctx context.Context, c comment.Commenter) (OrganizationMember, error) {
	list, err := a.Spaces.List(ctx, account.Caller{User: c.Person}, c.Organization, paging.Request{Limit: 1})
	if errs.Is(err, errs.NotFound) {
		err = nil // they left the organization just now
	}
	if err != nil {
		return OrganizationMember{}, fmt.Errorf("count the spaces of %s: %w", c.User, err)
	}
	return OrganizationMember{
		Object: "member", ID: c.User, Role: RoleOrNull(c.Role), User: a.wireUser(c.Person),
		JoinedAt: timestamp(c.JoinedAt), Spaces: list.Count,
	}, nil
}

// optionalTime is timestamp for a time that may be missing: "" then.
func optionalTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return timestamp(t)
}
