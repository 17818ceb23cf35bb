package change

import (
	"context"
	"strconv"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/field"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/content/store"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Create makes a change request from the head of main, or from the revision of main that in names. It needs the role
// edit in the space.
func (s *Service) Create(ctx context.Context, caller account.Caller, spaceID id.Space, in New) (Request, error) {
	var made Request
	err := s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		var err error
		made, err = s.CreateIn(ctx, q, caller, spaceID, in)
		return err
	})
	if err != nil {
		return Request{}, err
	}
	return made, nil
}

// CreateIn is Create in the caller's transaction.
func (s *Service) CreateIn(ctx context.Context, q db.Querier, caller account.Caller, spaceID id.Space,
	in New) (Request, error) {
	allowed, err := access.RequireSpace(ctx, q, caller, spaceID, access.EditSpace)
	if err != nil {
		return Request{}, err
	}
	if in, err = in.check(); err != nil {
		return Request{}, err
	}
	if in.From == "" {
		in.From = allowed.Head
	}
	now := s.clock()
	// The number comes first: its row keeps others who make change requests of this space waiting, so that they do not
	// do the rest in vain.
	number, err := nextNumber(ctx, q, spaceID, in.Status)
	if err != nil {
		return Request{}, err
	}
	branch, err := s.deps.Content.CreateBranch(ctx, q, spaceID, in.From, now.UnixMicro())
	if err != nil {
		return Request{}, err
	}
	made := Request{
		ID: id.ChangeRequest(id.New("change")), Organization: allowed.Organization, Space: spaceID, Number: number,
		Status:  in.Status,
		Subject: in.Subject, Description: in.Description, CreatedBy: caller.User.ID, CreatedAt: now, UpdatedAt: now,
		Branch: branch.ID, Head: branch.Head, Base: branch.Base, Initial: branch.Initial,
		Outdated: branch.Base != allowed.Head, main: allowed.Head,
	}
	return made, insertRequest(ctx, q, made)
}

func (n New) check() (New, error) {
	var err error
	if n.Subject, err = field.Text("subject", n.Subject, 0, MaxSubject); err != nil {
		return n, err
	}
	if err = checkDescription(n.Description); err != nil {
		return n, err
	}
	if n.Status == "" {
		n.Status = Draft
	}
	return n, field.OneOf("status", n.Status, Draft, Open)
}

func checkDescription(markdown string) error {
	if len(markdown) > MaxDescription {
		return errs.Invalidf("description", "has %d bytes of Markdown; at most %d are accepted", len(markdown),
			MaxDescription)
	}
	if !field.Storable(markdown) {
		return errs.Invalidf("description", "contains a zero byte or bytes that are not UTF-8")
	}
	return nil
}

// Get returns a change request by its id or by its decimal number in the space; errs.NotFound when there is none or the
// caller may not see the space.
func (s *Service) Get(ctx context.Context, caller account.Caller, spaceID id.Space,
	idOrNumber id.ChangeRequest) (Request, error) {
	_, found, err := s.current(ctx, caller, spaceID, idOrNumber, access.ViewSpace)
	return found, err
}

// Require is Get for a caller who wants to do something with the change request: errs.Forbidden when the role in its
// space is too low for the action. It runs in the caller's transaction, or outside one.
func (s *Service) Require(ctx context.Context, q db.Querier, caller account.Caller, spaceID id.Space,
	idOrNumber id.ChangeRequest, action access.SpaceAction) (Request, error) {
	if s.deps.DB.InTx(ctx) {
		_, found, err := load(ctx, q, caller, spaceID, idOrNumber, action)
		return found, err
	}
	_, found, err := s.current(ctx, caller, spaceID, idOrNumber, action)
	return found, err
}

// current is load outside a transaction, with what live sessions hold written into the branch. When that cannot be
// written, the content is what it was before; a merge does not take it.
func (s *Service) current(ctx context.Context, caller account.Caller, spaceID id.Space, idOrNumber id.ChangeRequest,
	action access.SpaceAction) (access.Space, Request, error) {
	allowed, found, err := load(ctx, s.deps.DB.Read(), caller, spaceID, idOrNumber, action)
	if err != nil || !found.Unwritten || found.Status.requireWritable() != nil {
		return allowed, found, err
	}
	if err := s.hooks.Get().Flush(ctx, found); err != nil {
		return allowed, found, ctx.Err()
	}
	return load(ctx, s.deps.DB.Read(), caller, spaceID, idOrNumber, action)
}

// load reads a change request after a check of access to its space.
func load(ctx context.Context, q db.Querier, caller account.Caller, spaceID id.Space, idOrNumber id.ChangeRequest,
	action access.SpaceAction) (access.Space, Request, error) {
	allowed, err := access.RequireSpace(ctx, q, caller, spaceID, action)
	if err != nil {
		return access.Space{}, Request{}, err
	}
	found, err := find(ctx, q, spaceID, idOrNumber)
	return allowed, found, err
}

// find reads a change request of a space.
func find(ctx context.Context, q db.Querier, spaceID id.Space, idOrNumber id.ChangeRequest) (Request, error) {
	if id.Valid("change", idOrNumber) {
		return requestWhere(ctx, q, `c.space_id = $1 AND c.id = $2`, spaceID, idOrNumber)
	}
	number, err := strconv.ParseInt(string(idOrNumber), 10, 64)
	if err != nil || strconv.FormatInt(number, 10) != string(idOrNumber) {
		return Request{}, noRequest()
	}
	return requestWhere(ctx, q, `c.space_id = $1 AND c.number = $2`, spaceID, number)
}

// Filter narrows a space's list. Its zero value lets everything through.
type Filter struct {
	Status Status
	// Creator and Contributor are ids of users: who made the change request, who has written in it.
	Creator     id.User
	Contributor id.User
}

// maxFlushed is for how many change requests of a list what live sessions hold is written first: each is a revision.
const maxFlushed = 8

// List returns a page of a space's change requests, the newest number first, with the number of all of them under the
// filter and the keys of the next page (nil on the last). The first of them that are being written have what live
// sessions hold; others have it a few seconds later.
func (s *Service) List(ctx context.Context, caller account.Caller, spaceID id.Space, filter Filter,
	page paging.Request) (requests paging.Page[Request], err error) {
	q := s.deps.DB.Read()
	if _, err := access.RequireSpace(ctx, q, caller, spaceID, access.ViewSpace); err != nil {
		return paging.Page[Request]{}, err
	}
	if requests.Items, requests.Count, err = listRequests(ctx, q, spaceID, filter, page); err != nil {
		return paging.Page[Request]{}, err
	}
	if s.flushSome(ctx, requests.Items) {
		if requests.Items, requests.Count, err = listRequests(ctx, q, spaceID, filter, page); err != nil {
			return paging.Page[Request]{}, err
		}
	}
	requests.Cut(page.Size(), func(r Request) []string {
		return []string{strconv.Itoa(r.Number)}
	})
	return requests, nil
}

// flushSome writes what live sessions of some change requests hold, and reports whether there was any. What cannot be
// written is as it was before.
func (s *Service) flushSome(ctx context.Context, requests []Request) bool {
	flushed := 0
	for _, r := range requests {
		if !r.Unwritten || r.Status.requireWritable() != nil {
			continue
		}
		if flushed++; flushed > maxFlushed {
			break
		}
		if s.hooks.Get().Flush(ctx, r) != nil && ctx.Err() != nil {
			break
		}
	}
	return flushed > 0
}

// Counts returns the counters of spaces by their ids. A space without change requests is absent. It checks no access.
func (s *Service) Counts(ctx context.Context, spaceIDs []id.Space) (map[id.Space]Counts, error) {
	return readCounts(ctx, s.deps.DB.Read(), spaceIDs)
}

// OnHead keeps change requests true to their branches; it is for store.Hooks.OnHead. It refuses a move of a branch
// whose change request is merged or archived.
func (s *Service) OnHead(ctx context.Context, q db.Querier, moved store.HeadMoved) error {
	if moved.Branch.Kind != store.ChangeRequest || moved.Before == nil {
		return nil
	}
	requestID, status, err := statusOfBranch(ctx, q, moved.Branch.ID)
	if err != nil {
		return err
	}
	if err := status.requireWritable(); err != nil {
		return err
	}
	made := moved.After.Revision()
	if made.Type == store.TypeUpdate {
		if err := setMergedAncestor(ctx, q, requestID, moved.Branch.Base); err != nil {
			return err
		}
	} else if err := addContribution(ctx, q, requestID, made.Author, made.CreatedAt); err != nil {
		return err
	}
	return touch(ctx, q, requestID, made.CreatedAt)
}

// requireWritable returns an error unless the content may change.
func (s Status) requireWritable() error {
	switch s {
	case Merged:
		return errs.Conflictf("The change request is merged; make a new one for further changes.")
	case Archived:
		return errs.Conflictf("The change request is archived; set its status to open to go on with it.")
	}
	return nil
}

func noRequest() error {
	return errs.NotFoundf("There is no such change request in this space.")
}
