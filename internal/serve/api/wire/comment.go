package wire

import (
	"encoding/json"
	"fmt"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/comment"
	"github.com/rectodocs/recto/internal/engine/markdown"
)

// Comment begins a thread on a space or a change request.
type Comment struct {
	Object    string          `json:"object" enum:"comment"`
	ID        id.Comment      `json:"id"`
	PostedBy  User            `json:"postedBy"`
	PostedAt  string          `json:"postedAt" format:"date-time"`
	EditedAt  string          `json:"editedAt,omitempty" format:"date-time"`
	Reactions []EmojiReaction `json:"reactions"`
	Replies   int             `json:"replies" doc:"Number of replies."`
	Repliers  []Replier       `json:"repliers" doc:"Who has replied, the last one first."`
	Body      CommentBody     `json:"body"`
	Target    CommentTarget   `json:"target"`
	// Suggestion is only of comments that suggest another text for their range.
	Suggestion *CommentSuggestion `json:"suggestion,omitempty"`

	URLs CommentURLs `json:"urls"`
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
	Node          *CommentNode     `json:"node,omitempty"`
	TableCell     *TableCell       `json:"tableCell,omitempty"`
	Range         *CommentRange    `json:"range,omitempty"`
	ChangeRequest id.ChangeRequest `json:"changeRequest,omitempty"`
	Review        string           `json:"review,omitempty"`
	Page          *CommentPage     `json:"page,omitempty"`
	Space         id.Space         `json:"space"`
	Revision      id.Revision      `json:"revision" doc:"The revision that was current when the comment was posted."`
}

// CommentNode is the block of a page that a comment is about.
type CommentNode struct {
	ID      string `json:"id" doc:"Key of the block in the page's current document."`
	Preview string `json:"preview,omitempty" doc:"Text of the block when the comment was posted, 256 characters at most."`
}

// CommentRange is the range of a block's text that a comment is about. White space is one space each.
type CommentRange struct {
	Quote  string `json:"quote" doc:"The words that the comment is about."`
	Before string `json:"before" doc:"What is before them in the block, 64 characters at most: now, or when the comment was posted while it is outdated."`
	After  string `json:"after" doc:"What is behind them, in the same way."`
}

// CommentSuggestion is a text that could stand in the place of the range of a comment.
type CommentSuggestion struct {
	Text    string `json:"text"`
	Applied bool   `json:"applied" doc:"Somebody has put it there."`
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
	// Apply is only of comments that suggest something.
	Apply *bool `json:"apply,omitempty" doc:"Apply what the comment suggests."`
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

// commentBody puts a Markdown text into a form.
func commentBody(text, format string) (CommentBody, error) {
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

// Comment turns a comment into its wire form; format is that of the body.
func (w Writer) Comment(c comment.Comment, format string) (Comment, error) {
	text, err := commentBody(c.Body, format)
	if err != nil {
		return Comment{}, err
	}
	wire := Comment{
		Object: "comment", ID: c.ID, PostedBy: w.Author(c.PostedBy), PostedAt: Timestamp(c.PostedAt),
		EditedAt:  OptionalTimestamp(c.EditedAt),
		Reactions: w.reactions(c.Reactions), Replies: c.Replies, Repliers: make([]Replier, 0, len(c.Repliers)),
		Body:   text,
		Target: commentTarget(c), URLs: CommentURLs{Location: w.commentURL(c.Space, c.ChangeRequest, c.ID)},
		Permissions: commentPermissions(c.Permissions), Status: string(c.Status),
	}
	wire.Permissions.Resolve = &c.Permissions.Resolve
	if c.Suggestion != nil {
		wire.Suggestion = &CommentSuggestion{Text: c.Suggestion.Text, Applied: c.Suggestion.Applied}
		wire.Permissions.Apply = &c.Permissions.Apply
	}
	for _, replier := range c.Repliers {
		wire.Repliers = append(wire.Repliers, Replier{User: w.Author(replier.User), Count: replier.Count,
			UpdatedAt: Timestamp(replier.LastAt)})
	}
	if c.Status == comment.Resolved {
		wire.ResolvedAt, wire.ResolvedBy = Timestamp(c.ResolvedAt), new(w.Author(c.ResolvedBy))
	}
	return wire, nil
}

// Reply turns a reply into its wire form; format is that of the body.
func (w Writer) Reply(r comment.Reply, format string) (CommentReply, error) {
	text, err := commentBody(r.Body, format)
	if err != nil {
		return CommentReply{}, err
	}
	return CommentReply{
		Object: "comment-reply", ID: r.ID, PostedBy: w.Author(r.PostedBy), PostedAt: Timestamp(r.PostedAt),
		EditedAt:  OptionalTimestamp(r.EditedAt),
		Reactions: w.reactions(r.Reactions), Body: text,
		URLs:        CommentURLs{Location: w.commentURL(r.Space, r.ChangeRequest, r.Comment) + "/replies/" + r.ID},
		Permissions: commentPermissions(r.Permissions),
	}, nil
}

// commentURL is the address of a comment; changeRequest is "" for one on the space itself.
func (w Writer) commentURL(space id.Space, changeRequest id.ChangeRequest, commentID id.Comment) string {
	address := w.BaseURL + "/v1/spaces/" + string(space)
	if changeRequest != "" {
		address += "/change-requests/" + string(changeRequest)
	}
	return address + "/comments/" + string(commentID)
}

func commentTarget(c comment.Comment) CommentTarget {
	target := CommentTarget{Space: c.Space, ChangeRequest: c.ChangeRequest, Review: c.Target.Review,
		Revision: c.Target.Revision}
	if page := c.Target.Page; page != nil {
		target.Page = &CommentPage{
			ID: page.ID, Title: page.Title, Emoji: page.Emoji, Icon: page.Icon, Path: page.Path,
			Outdated:  page.Outdated,
			CreatedAt: OptionalTimestamp(page.CreatedAt), UpdatedAt: OptionalTimestamp(page.UpdatedAt),
		}
	}
	if node := c.Target.Node; node != nil {
		target.Node = &CommentNode{ID: node.ID, Preview: node.Preview}
	}
	if cell := c.Target.Cell; cell != nil {
		target.TableCell = &TableCell{Record: cell.Record, Definition: cell.Definition}
	}
	if part := c.Target.Range; part != nil {
		target.Range = &CommentRange{Quote: part.Quote, Before: part.Before, After: part.After}
	}
	return target
}

// commentPermissions are those of a reply; a comment has Resolve and Apply besides.
func commentPermissions(p comment.Permissions) CommentPermissions {
	return CommentPermissions{View: p.View, Edit: p.Edit, Reply: p.Reply, Delete: p.Delete}
}

func (w Writer) reactions(reactions []comment.Reaction) []EmojiReaction {
	wire := make([]EmojiReaction, 0, len(reactions))
	for _, reaction := range reactions {
		users := make([]Reacted, 0, len(reaction.Users))
		for _, reacted := range reaction.Users {
			users = append(users, Reacted{User: w.Author(reacted.User), ReactedAt: Timestamp(reacted.At)})
		}
		wire = append(wire, EmojiReaction{Emoji: reaction.Emoji, Count: len(users), Users: users})
	}
	return wire
}
