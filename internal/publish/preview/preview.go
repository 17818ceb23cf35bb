// Package preview owns previews of spaces: what a change request or a revision shows in the place of what is live, to
// whom, and the tickets by which it is seen where neither a token nor the cookie of a session comes.
//
// It promises that nobody sees more by a ticket than whoever it came from may read at that moment, and nothing once the
// session or token that it came from has ended (see account.Caller.TicketName).
package preview

import (
	"context"
	"fmt"
	"net/url"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/required"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/httpx"
	"github.com/rectodocs/recto/internal/publish/audience"
)

// Lifetime is how long a ticket is good at most.
const Lifetime = 12 * time.Hour

// Deps is what a Service stands on.
type Deps struct {
	Accounts *account.Service
	Access   *access.Service
	Changes  *change.Service
	Content  *store.Service
	// Key signs tickets; at least 16 secret bytes that every process shares.
	Key []byte
	// Now is the clock; nil means time.Now.
	Now func() time.Time `optional:"time.Now"`
}

// Service finds previews. It is safe for use by many goroutines.
type Service struct {
	deps    Deps
	tickets httpx.Tickets
}

// New returns a Service. It panics without what it needs.
func New(deps Deps) *Service {
	required.Must(deps)
	if deps.Now == nil {
		deps.Now = time.Now
	}
	return &Service{deps, httpx.Tickets{Key: deps.Key, Now: deps.Now}}
}

// Found is what a preview shows.
type Found struct {
	Space    id.Space
	Revision id.Revision
	// Change is the change request that is shown; the zero one when it is a revision.
	Change change.Request
	// Label tells a reader what they see, such as "Change request #3: Say more".
	Label string
}

// Find returns what a preview of a space shows to somebody; errs.NotFound when there is none, or they may not read the
// space.
func (s *Service) Find(ctx context.Context, caller account.Caller, spaceID id.Space,
	asked audience.Preview) (Found, error) {
	name, err := url.PathUnescape(asked.Name)
	if err != nil {
		return Found{}, errs.NotFoundf("There is no such preview.")
	}
	if asked.Kind == audience.PreviewChange {
		found, err := s.deps.Changes.Get(ctx, caller, spaceID, id.ChangeRequest(name))
		return Found{Space: spaceID, Revision: found.Head, Change: found, Label: label(found)}, err
	}
	if _, err := s.deps.Access.RequireSpace(ctx, caller, spaceID, access.ViewSpace); err != nil {
		return Found{}, err
	}
	revision, err := s.deps.Content.Revision(ctx, id.Revision(name))
	if err == nil && revision.Space != spaceID {
		err = errs.NotFoundf("There is no such revision.")
	}
	return Found{Space: spaceID, Revision: revision.ID, Label: "Revision of " +
		revision.CreatedAt.UTC().Format("2 January 2006, 15:04 UTC")}, err
}

func label(of change.Request) string {
	if of.Subject == "" {
		return fmt.Sprintf("Change request #%d", of.Number)
	}
	return fmt.Sprintf("Change request #%d: %s", of.Number, of.Subject)
}

// Look is Find for those to whom all reasons are one: ok is false when the preview is not there for them.
func (s *Service) Look(ctx context.Context, caller account.Caller, spaceID id.Space,
	asked audience.Preview) (found Found, ok bool, err error) {
	found, err = s.Find(ctx, caller, spaceID, asked)
	if kind := errs.KindOf(err); err != nil && kind != errs.Internal && kind != errs.Unavailable {
		return Found{}, false, nil
	}
	return found, err == nil, err
}

// Elsewhere is Find for programs that show sites in other places, which have no part in what is archived. name is the
// id of the change request or the revision.
func (s *Service) Elsewhere(ctx context.Context, caller account.Caller, spaceID id.Space, kind audience.PreviewKind,
	name string) (audience.Previewed, error) {
	found, err := s.Find(ctx, caller, spaceID, audience.Preview{Kind: kind, Name: url.PathEscape(name)})
	if err == nil && found.Change.Status == change.Archived {
		err = errs.NotFoundf("The change request is archived.")
	}
	return audience.Previewed{Revision: found.Revision, ChangeRequest: found.Change.ID}, err
}

// Ticket returns a ticket for a subject: the id of a space whose previews are shown by it, or of a site at which its
// holder looks as a visitor. It consists of characters that need no escaping in URLs and cookies.
func (s *Service) Ticket(caller account.Caller, subject string) string {
	return s.tickets.Issue(caller.TicketName(), purpose(subject), s.Ends(caller).Sub(s.deps.Now()))
}

// Ends is when a ticket that a caller gets now ends at the latest.
func (s *Service) Ends(caller account.Caller) time.Time {
	return caller.Until(s.deps.Now().Add(Lifetime))
}

// Holder is whom a ticket came from.
type Holder struct {
	// Caller is them as they are now.
	Caller account.Caller
	// Name is what the ticket names them by, see account.Caller.TicketName.
	Name string
	// Until is when the ticket ends.
	Until time.Time
}

// Holder returns whom a ticket for a subject came from; ok is false when it is none, is for something else, or does not
// count any more.
func (s *Service) Holder(ctx context.Context, ticket, subject string) (holder Holder, ok bool, err error) {
	name, until, ok := s.tickets.User(ticket, purpose(subject))
	if !ok {
		return Holder{}, false, nil
	}
	caller, err := s.deps.Accounts.CallerByTicket(ctx, name)
	if errs.Is(err, errs.NotFound) {
		return Holder{}, false, nil
	}
	return Holder{caller, name, until}, err == nil, err
}

func purpose(subject string) string { return "preview " + subject }
