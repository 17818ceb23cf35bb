package change

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/field"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
)

// Order is what a list over an organization is sorted by, the latest first.
type Order string

// Orders.
const (
	ByUpdate   Order = "updatedAt"
	ByCreation Order = "createdAt"
)

// OrganizationFilter narrows the list of an organization.
type OrganizationFilter struct {
	// Statuses are those to list; none means all.
	Statuses []Status
	// Creator, Contributor and RequestedReviewer are ids of users.
	Creator, Contributor, RequestedReviewer id.User
	// Spaces are ids of spaces; nil means all, and an empty list none.
	Spaces []id.Space
	// Order is ByUpdate when empty.
	Order Order
}

// ListOrganization returns a page of the change requests of all spaces of an organization that the caller may read,
// without those in the trash, with the number of all of them and the keys of the next page. The first of them have what
// live sessions hold, as in List.
func (s *Service) ListOrganization(ctx context.Context, caller account.Caller, organizationID id.Organization,
	filter OrganizationFilter, page paging.Request) (paging.Page[Request], error) {
	requests, err := s.listOrganization(ctx, caller, organizationID, filter, page)
	if err == nil && s.flushSome(ctx, requests.Items) {
		return s.listOrganization(ctx, caller, organizationID, filter, page)
	}
	return requests, err
}

func (s *Service) listOrganization(ctx context.Context, caller account.Caller, organizationID id.Organization,
	filter OrganizationFilter, page paging.Request) (requests paging.Page[Request], err error) {
	q := s.deps.DB.Read()
	organization, err := access.LoadOrganization(ctx, q, caller, organizationID)
	if err != nil {
		return paging.Page[Request]{}, err
	}
	if filter, err = filter.check(); err != nil || filter.Spaces != nil && len(filter.Spaces) == 0 {
		return paging.Page[Request]{}, err
	}
	at, last, err := page.Time(1<<62, "")
	if err != nil {
		return paging.Page[Request]{}, err
	}
	column := "c.updated_at"
	if filter.Order == ByCreation {
		column = "c.created_at"
	}
	condition, args := filter.condition(organization)
	// One query a status, each served by an index of that status, however many there are of the others.
	for _, status := range filter.Statuses {
		found, n, err := listOfStatus(ctx, q, condition, append(slices.Clip(args), string(status)), column, at, last,
			page.Size()+1)
		if err != nil {
			return paging.Page[Request]{}, err
		}
		requests.Items, requests.Count = append(requests.Items, found...), requests.Count+n
	}
	key := func(r Request) int64 {
		if filter.Order == ByCreation {
			return r.CreatedAt.UnixMicro()
		}
		return r.UpdatedAt.UnixMicro()
	}
	slices.SortFunc(requests.Items, func(a, b Request) int {
		return cmp.Or(cmp.Compare(key(b), key(a)), cmp.Compare(b.ID, a.ID))
	})
	requests.Items = requests.Items[:min(len(requests.Items), page.Size()+1)]
	requests.Cut(page.Size(), func(r Request) []string {
		return []string{strconv.FormatInt(key(r), 10), string(r.ID)}
	})
	return requests, nil
}

func (f OrganizationFilter) check() (OrganizationFilter, error) {
	if len(f.Statuses) == 0 {
		f.Statuses = []Status{Draft, Open, Archived, Merged}
	}
	for _, status := range f.Statuses {
		if err := field.OneOf("query.status", status, Draft, Open, Archived, Merged); err != nil {
			return f, err
		}
	}
	f.Statuses = slices.Compact(slices.Sorted(slices.Values(f.Statuses)))
	if f.Order == "" {
		f.Order = ByUpdate
	}
	if len(f.Spaces) > batch {
		return f, errs.Invalidf("query.space", "names %d spaces; at most %d are accepted", len(f.Spaces), batch)
	}
	return f, field.OneOf("query.orderBy", f.Order, ByUpdate, ByCreation)
}

// condition returns the SQL condition of a filter on change_request c and space s, without the status, and its
// arguments.
func (f OrganizationFilter) condition(organization access.Organization) (string, db.Args) {
	args := db.Args{organization.ID}
	readable := access.ReadableSpaces(organization, &args)
	conditions := []string{`c.organization_id = $1`, `s.deleted_at IS NULL`, readable}
	add := func(condition string) { conditions = append(conditions, condition) }
	if f.Creator != "" {
		add(`c.created_by = ` + args.Add(f.Creator))
	}
	if f.Contributor != "" {
		add(`EXISTS (SELECT 1 FROM change_request_contributor k WHERE k.change_request_id = c.id AND k.user_id = ` +
			args.Add(f.Contributor) + `)`)
	}
	if f.RequestedReviewer != "" {
		add(`EXISTS (SELECT 1 FROM change_request_reviewer k WHERE k.change_request_id = c.id AND k.user_id = ` +
			args.Add(f.RequestedReviewer) + `)`)
	}
	if len(f.Spaces) > 0 {
		add(`c.space_id IN (` + db.Placeholders(len(args)+1, len(f.Spaces)) + `)`)
		for _, spaceID := range f.Spaces {
			args = append(args, spaceID)
		}
	}
	return strings.Join(conditions, " AND "), args
}

// listOfStatus returns the change requests of one status, the last of args, before a place, and how many there are in
// all.
func listOfStatus(ctx context.Context, q db.Querier, condition string, args []any, column string, at int64, last string,
	limit int) ([]Request, int, error) {
	condition += fmt.Sprintf(" AND c.status = $%d", len(args))
	var count int
	err := q.QueryRowContext(ctx, `SELECT count(*) FROM change_request c JOIN space s ON s.id = c.space_id WHERE `+
		condition, args...).Scan(&count)
	if err != nil || count == 0 {
		if err != nil {
			err = fmt.Errorf("count change requests: %w", err)
		}
		return nil, 0, err
	}
	n := len(args)
	found, err := queryRequests(ctx, q, fmt.Sprintf(`
		SELECT `+requestColumns+` FROM `+requestTables+` JOIN space s ON s.id = c.space_id
		WHERE %s AND (%s, c.id) < ($%d, $%d) ORDER BY %s DESC, c.id DESC LIMIT $%d`, condition, column, n+1, n+2,
		column, n+3),
		append(slices.Clip(args), at, last, limit)...)
	return found, count, err
}
