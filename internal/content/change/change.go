// Package change owns change requests: proposals to change a space's content that are discussed, kept up to date with
// the main content, and merged.
//
// What a change request contains is a branch of package content; this package knows how far it has come and who may do
// what with it.
//
// # Promises
//
//   - The numbers of a space's change requests are 1, 2, 3 and so on in the order in which they were made, without gaps
//     or doubles.
//   - A status moves only as Status says; a merged change request stays as it is, and so do its content and that of an
//     archived one: whoever tries to write there is refused in the transaction that would move the branch.
//   - A merge happens once, whole, or not at all: with a conflict, an unsettled one of an update included, nothing
//     changes, and whoever comes too late learns why. A merge meets the merge rules at the moment in which it happens.
//   - An update takes what can be merged and keeps the change request's version of the rest, which waits to be settled.
//     Settling touches nothing but the place of the conflict. A settled conflict stays settled.
//   - Undoing a merge takes back what it changed, and no later edit.
//   - Who may read a space may read its change requests. A change request of a space that the caller may not see is not
//     there.
//
// # Tables
//
// change_request, change_request_count (the numbers and counters of a space), change_request_contributor,
// change_request_update and change_request_conflict (conflicts that updates have met), change_request_review,
// change_request_reviewer, merge_rules_organization and merge_rules_space. It reads content_branch for the heads of
// branches, as package site does.
package change

import (
	"context"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/required"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Status says how far a change request has come.
type Status string

// Statuses of a change request. It begins as a draft or open; between Draft, Open and Archived it may move freely, and
// from Draft and Open to Merged, from where it never moves.
const (
	// Draft is being written; nobody is asked to look at it yet.
	Draft Status = "draft"
	// Open is ready to be reviewed and merged.
	Open Status = "open"
	// Archived is put aside without being merged. Its content does not change until it is opened again.
	Archived Status = "archived"
	// Merged is part of the main content.
	Merged Status = "merged"
)

// MaxSubject is the greatest length of a subject, in characters.
const MaxSubject = 100

// MaxDescription is the greatest length of a description, in bytes of Markdown.
const MaxDescription = 64 << 10

// Request is a change request.
type Request struct {
	// ID is "change_…".
	ID           id.ChangeRequest
	Organization id.Organization
	Space        id.Space
	// Number is 1 for the first of the space.
	Number int
	Status Status
	// Subject has up to MaxSubject characters and may be empty.
	Subject string
	// Description is Markdown, "" for none.
	Description string
	// CreatedBy is a user's id; "" when they are gone.
	CreatedBy id.User
	CreatedAt time.Time
	// UpdatedAt is when it last changed, its content included.
	UpdatedAt time.Time
	// Branch is the id of its branch in package content, Head the revision that the branch stands at.
	Branch id.Branch
	Head   id.Revision
	// Base is the newest revision that its branch and main have in common: its own changes are those from Base to Head.
	// Of a merged one it is Head.
	Base id.Revision
	// Initial is the revision of main that it began from.
	Initial id.Revision
	// MergedAncestor is the revision of main that was last brought in; "" when none was.
	MergedAncestor id.Revision
	// Merged is the revision of main that the merge made, "" before that. MergedBy is a user's id.
	Merged   id.Revision
	MergedBy id.User
	MergedAt time.Time
	// Outdated says that main has moved on since the last update, or that a conflict of that is still to be settled. A
	// merged one never is.
	Outdated bool
	// Conflicts is the number of conflicts that wait to be settled.
	Conflicts int
	// Unwritten says that live sessions hold text that the branch does not have yet.
	Unwritten bool

	// main is the head of main at the time of reading.
	main id.Revision
	// heldUntil is when the hold of the change request ends by itself; zero when nobody holds it.
	heldUntil time.Time
}

// New is the input of Create. Every field may be left at its zero value.
type New struct {
	// Subject has up to MaxSubject characters.
	Subject string
	// Description is Markdown.
	Description string
	// Status is Draft when empty, or Open.
	Status Status
	// From is the revision of main to begin from; "" is its head.
	From id.Revision
}

// Counts are the counters of a space.
type Counts struct {
	// All is the number of change requests in every status, merged and archived ones too.
	All   int
	Open  int
	Draft int
}

// Deps is what the service stands on.
type Deps struct {
	DB      *db.DB
	Content *store.Service
	// Now is the clock; nil means time.Now.
	Now func() time.Time `optional:"time.Now"`
}

// Hooks is what the service asks of packages that come after it.
type Hooks struct {
	// Facts adds properties of changeRequest that custom merge rules may read, such as what it does to links. It is
	// asked once for each attempt to merge under such rules, outside a transaction.
	Facts func(ctx context.Context, r Request) (map[string]any, error)
	// PostReview keeps what a reviewer says as a comment, in the transaction that makes the review.
	PostReview func(ctx context.Context, q db.Querier, caller account.Caller, r Request,
		reviewID, markdown string) error
	// Flush writes what live sessions of the change request hold into its branch. It is called before the content is
	// read, outside a transaction, when Request.Unwritten says that there is something.
	Flush func(ctx context.Context, r Request) error
	// Closed runs in the transaction in which a change request becomes merged or archived.
	Closed func(ctx context.Context, q db.Querier, r Request) error
}

// Service keeps change requests. It is safe for use by many goroutines.
type Service struct {
	deps  Deps
	hooks required.Hooks[Hooks]
}

// NewService returns a Service, which needs its Hooks before it is used. Its OnHead has to be among
// store.Hooks.OnHead.
func NewService(deps Deps) *Service {
	required.Must(deps)
	if deps.Now == nil {
		deps.Now = time.Now
	}
	return &Service{deps: deps}
}

// SetHooks gives the service what it asks of others, once, see package required.
func (s *Service) SetHooks(hooks Hooks) { s.hooks.Set(hooks) }

// after returns the time of a change of a request: now, and later than its last change.
func (s *Service) after(r Request) time.Time {
	now := s.clock()
	if !now.After(r.UpdatedAt) {
		now = r.UpdatedAt.Add(time.Microsecond)
	}
	return now
}

func (s *Service) clock() time.Time { return s.deps.Now().UTC().Truncate(time.Microsecond) }
