// Package comment owns discussions: comments on spaces and on change requests, their replies, reactions and mentions,
// in the tables comment, comment_reply, comment_reaction, comment_mention and comment_commenter.
//
// # Scopes
//
// A comment belongs to one scope: a space itself, or one change request of it. The same rules hold in both. A comment
// of one scope is not there in another. Change requests take comments whatever their status; the comments of a space in
// the trash are out of reach until it is restored, and are removed with it for good.
//
// # Who may do what
//
// Who may read the space may read its comments. Posting, replying and reacting need the role comment. Only the author
// edits a body. The author and everybody from the role review on may delete; the author and everybody from the role
// edit on may resolve and reopen, since it is editors who settle what a comment asks for. An author needs the role
// comment for all of it: who has lost it only reads. Permissions is what both the answers and the guards are made of.
//
// Authors stay authors when they leave the organization.
//
// # Anchors
//
// A comment may be about a page, and in it about a node. The node is named by its key in the document of the page (as
// package doc assigns keys: by place, so that they shift when something is put in before), or by its anchor; the
// comment is then about the block that the node is or lies in, and keeps that block's text at posting. From then on the
// anchor follows that text: it is the block of the current page with the same text that has the same type and lies
// nearest to the old place. The comment is outdated when the page is gone from the scope's current revision, or when no
// block of it has that text any more. Marks and line breaks are no part of the text, so making a word bold outdates
// nothing; a block without any text (an image, a formula) is compared as Markdown. A comment on a page as a whole is
// outdated only when the page is gone.
//
// A comment may be about a range of text in a block. It keeps the words and those around them, and is outdated only
// when the words are no longer there: in the block whose text has not changed, wherever it is, or else where enough of
// what was around them still is. On a change request it may suggest another text for the range, which who may edit
// applies: one revision of the change request, in which the words are exchanged and nothing else, and the comment is
// resolved.
//
// # Promises
//
// Counts are exact under the same filter as the items. Deleting a comment deletes its replies, and with each its
// reactions and mentions. A refused call changes nothing.
package comment

import (
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/required"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/cache"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Limits of a discussion.
const (
	// MaxBodySize is the largest body of a comment or reply, in bytes of Markdown.
	MaxBodySize = 64 << 10
	// MaxMentions is the most people that one body may mention.
	MaxMentions = 100
	// MaxEmoji is the most different emoji that one comment or reply can carry, and that one call may name.
	MaxEmoji = 20
	// MaxAuthors is the most authors that a list can be filtered by.
	MaxAuthors = 100
)

// Status says whether a comment waits for something.
type Status string

// Statuses of a comment.
const (
	Open     Status = "open"
	Resolved Status = "resolved"
)

// Scope is where a discussion takes place.
type Scope struct {
	// Space is the id of a space.
	Space id.Space
	// ChangeRequest is the id or the number of a change request of the space; "" is the space itself.
	ChangeRequest id.ChangeRequest
}

// Comment begins a thread, seen by one caller.
type Comment struct {
	// ID is "comment_…".
	ID    id.Comment
	Space id.Space
	// ChangeRequest is the id of the change request that the comment is on; "" for the space itself.
	ChangeRequest id.ChangeRequest
	// PostedBy is the zero User when the account is gone.
	PostedBy account.User
	PostedAt time.Time
	// EditedAt is when the body was changed last; zero when it never was.
	EditedAt time.Time
	// Body is Markdown.
	Body   string
	Status Status
	// ResolvedAt and ResolvedBy are set on a resolved comment. ResolvedBy is the zero User when the account is gone.
	ResolvedAt time.Time
	ResolvedBy account.User
	// Reactions are in the order of the first of each.
	Reactions []Reaction
	// Replies is the number of replies, Repliers who wrote them, in the order of their last reply, newest first.
	Replies  int
	Repliers []Replier
	Target   Target
	// Suggestion is nil unless the comment suggests another text for its range.
	Suggestion  *Suggestion
	Permissions Permissions

	author, resolver id.User
	anchor           anchor
}

// Reply is an answer in a thread, seen by one caller.
type Reply struct {
	// ID is "reply_…".
	ID string
	// Comment is the id of the comment that it answers, Space and ChangeRequest are those of the comment.
	Comment       id.Comment
	Space         id.Space
	ChangeRequest id.ChangeRequest
	PostedBy      account.User
	PostedAt      time.Time
	EditedAt      time.Time
	Body          string
	Reactions     []Reaction
	Permissions   Permissions

	author id.User
}

// Reaction is an emoji that people have put to a comment or reply.
type Reaction struct {
	// Emoji is the character itself.
	Emoji string
	// Users are in the order of reacting; there is one at least.
	Users []Reacted
}

// Reacted is one person's reaction.
type Reacted struct {
	User account.User
	At   time.Time
}

// Replier is a person with replies in a thread.
type Replier struct {
	User account.User
	// Count is the number of the replies, LastAt when the last of them was posted.
	Count  int
	LastAt time.Time
}

// Target is what a comment is about.
type Target struct {
	// Page is nil for a comment on the whole scope.
	Page *PageTarget
	// Node is nil for a comment on a whole page.
	Node *NodeTarget
	// Cell is nil unless the comment is about one cell of a table.
	Cell *Cell
	// Range is nil unless the comment is about a range of text in the node.
	Range *Range
	// Review is the id of the review that the comment belongs to; "" for none.
	Review string
	// Revision is the id of the scope's revision at posting.
	Revision id.Revision
}

// PageTarget is the page that a comment is about: as it is in the scope's current revision, and as it was at posting
// when it is gone.
type PageTarget struct {
	ID, Title, Emoji, Icon, Path string
	CreatedAt, UpdatedAt         time.Time
	// Outdated says that the page, or the text in it that the comment is about, is gone or changed.
	Outdated bool
}

// NodeTarget is the block that a comment is about.
type NodeTarget struct {
	// ID is the block's key in the page's current document; that at posting when the comment is outdated.
	ID string
	// Preview is the beginning of the block's text at posting; "" for a block without text.
	Preview string
}

// Range is a range of the text of a block: its words with up to 64 characters on either side. White space is one space
// each.
type Range struct {
	Quote, Before, After string
}

// Suggestion is a text that could stand in the place of a range.
type Suggestion struct {
	Text string
	// Applied says that somebody has put it there.
	Applied bool
}

// Cell names a cell of a table by the record and definition (row and column) of the document.
type Cell struct {
	Record, Definition string
}

// NewComment is the input of Post.
type NewComment struct {
	// Body is Markdown; it may be empty.
	Body string
	// Page is the id of a page of the scope's current revision; "" for a comment on the whole.
	Page string
	// Node is the key or the anchor of a node of that page; "" for a comment on the page as a whole.
	Node string
	// Cell narrows a comment on a table to one cell; nil for none.
	Cell *Cell
	// Range narrows it to a range of text: in the node, or wherever in the page Before and After fit best when Node is
	// "". nil for none.
	Range *Range
	// Suggestion is a text for the range of a comment on a change request; nil for none.
	Suggestion *string
}

// Change is the input of Update and UpdateReply: what is nil or empty stays as it is.
type Change struct {
	// Body is the new Markdown.
	Body *string
	// Resolved resolves or reopens a comment. A reply cannot be resolved: true is refused there, false is true already.
	Resolved *bool
	// Add and Remove are emoji that the caller puts and takes back. One that is in both is taken back.
	Add, Remove []string
}

// Order is the order of a list.
type Order string

// Orders of a list of comments.
const (
	NewestFirst Order = "desc"
	OldestFirst Order = "asc"
)

// Filter narrows a list of comments. The zero Filter is all, newest first.
type Filter struct {
	Order Order
	// Status is "" for all.
	Status Status
	// Page is the id of a page that comments are about; "" for all.
	Page string
	// Authors are ids of users; none for all.
	Authors []id.User
}

// Deps is what the service stands on.
type Deps struct {
	DB       *db.DB
	Accounts *account.Service
	Content  *store.Service
	Changes  *change.Service
	// Now is the clock; nil means time.Now.
	Now func() time.Time `optional:"time.Now"`
}

// Hooks is what the service asks of packages that come after it.
type Hooks struct {
	// Made says which pages the computed pages of a revision stand for: they take comments, too.
	Made store.MadePages
}

// Service keeps discussions. It is safe for use by many goroutines.
type Service struct {
	db       *db.DB
	accounts *account.Service
	content  *store.Service
	changes  *change.Service
	hooks    required.Hooks[Hooks]
	now      func() time.Time
	outlines cache.Cache[[]block]
}

// New returns a Service, which needs its Hooks before it is used.
func New(deps Deps) *Service {
	required.Must(deps)
	s := &Service{
		db: deps.DB, accounts: deps.Accounts, content: deps.Content, changes: deps.Changes,
		now:      deps.Now,
		outlines: cache.Weighted(outlineCache, weighOutline),
	}
	if s.now == nil {
		s.now = time.Now
	}
	return s
}

// SetHooks gives the service what it asks of others, once, see package required.
func (s *Service) SetHooks(hooks Hooks) { s.hooks.Set(hooks) }

func (s *Service) clock() time.Time { return s.now().Truncate(time.Microsecond).UTC() }
