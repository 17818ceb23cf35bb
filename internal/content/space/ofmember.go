package space

import (
	"context"
	"fmt"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
)

// MemberSpace is a space with the role that somebody has in it.
type MemberSpace struct {
	// Space is as the caller sees it.
	Space Space
	// Role is that of the member who was asked about.
	Role access.Role
	// Reason is why the member has it.
	Reason access.Reason
}

// OfMember returns a page of the spaces that a member of an organization may read, without those in the trash, the last
// in the organization's order first unless ascending, with the number of all and the keys of the next page (nil on the
// last). Admins ask about everybody, others about themselves.
func (s *Service) OfMember(ctx context.Context, caller account.Caller, organizationID id.Organization, userID id.User,
	ascending bool, page paging.Request) (spaces paging.Page[MemberSpace], err error) {
	err = s.deps.DB.Snapshot(ctx, func(ctx context.Context, q db.Querier) error {
		action := access.AdministerOrganization
		if userID == caller.User.ID {
			action = access.ViewOrganization
		}
		own, err := access.RequireOrganization(ctx, q, caller, organizationID, action)
		if err != nil {
			return err
		}
		theirs, err := access.MemberOf(ctx, q, organizationID, userID)
		if errs.Is(err, errs.NotFound) {
			return errs.NotFoundf("The organization has no such member.")
		}
		if err != nil {
			return err
		}
		found, n, err := listOfMember(ctx, q, theirs, ascending, page)
		if err != nil {
			return err
		}
		spaces.Count = n
		found, spaces.Next = paging.Cut(found, page.Size(), func(s Space) []string {
			return []string{s.position, string(s.ID)}
		})
		ids := make([]id.Space, len(found))
		for i, each := range found {
			ids[i] = each.ID
		}
		roles, err := access.RolesInSpaces(ctx, q, theirs, ids)
		if err != nil {
			return err
		}
		reasons, err := access.ReasonsInSpaces(ctx, q, theirs, ids)
		if err != nil {
			return err
		}
		if found, err = seen(ctx, q, own, found); err != nil {
			return err
		}
		spaces.Items = make([]MemberSpace, len(found))
		for i, each := range found {
			spaces.Items[i] = MemberSpace{Space: each, Role: roles[each.ID], Reason: reasons[each.ID]}
		}
		return nil
	})
	if err != nil {
		return paging.Page[MemberSpace]{}, err
	}
	return spaces, nil
}

func listOfMember(ctx context.Context, q db.Querier, organization access.Organization, ascending bool,
	page paging.Request) ([]Space, int, error) {
	args := db.Args{organization.ID}
	readable := access.ReadableSpaces(organization, &args)
	condition := `s.organization_id = $1 AND s.deleted_at IS NULL AND ` + readable
	var count int
	if err := q.QueryRowContext(ctx, `SELECT count(*) FROM space s WHERE `+condition,
		args...).Scan(&count); err != nil {
		return nil, 0, fmt.Errorf("count spaces of member: %w", err)
	}
	afterPosition, afterID, err := orderKeys(page)
	if err != nil {
		return nil, 0, err
	}
	beyond, order := "<", " DESC"
	if ascending {
		beyond, order = ">", ""
	} else if page.After == nil {
		afterPosition = "~" // behind every position, which are letters and digits
	}
	n := len(args)
	spaces, err := querySpaces(ctx, q, fmt.Sprintf(`
		SELECT `+spaceColumns+
		` FROM space s WHERE %s AND (s.position, s.id) %s ($%d, $%d) ORDER BY s.position%s, s.id%s LIMIT $%d`,
		condition, beyond, n+1, n+2, order, order, n+3), append(args, afterPosition, afterID, page.Size()+1)...)
	return spaces, count, err
}
