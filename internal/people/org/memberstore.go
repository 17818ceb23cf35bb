package org

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
)

// personColumns are those of a member m who is the user u.
const personColumns = memberColumns + `, u.display_name, u.email, u.photo_url,
	(SELECT count(*) FROM org_team_member tm WHERE tm.organization_id = m.organization_id AND tm.user_id = m.user_id)`

type personRow struct {
	memberRow
	displayName, email, photoURL string
	teams                        int
}

func (r *personRow) fields() []any {
	return append(r.memberRow.fields(), &r.displayName, &r.email, &r.photoURL, &r.teams)
}

func (r *personRow) person() Person {
	return Person{
		Member: r.member(), Teams: r.teams,
		Account: account.User{ID: r.user, DisplayName: r.displayName, Email: r.email, PhotoURL: r.photoURL},
	}
}

func personByID(ctx context.Context, q db.Querier, organizationID id.Organization, userID id.User) (Person, error) {
	row := personRow{memberRow: memberRow{organization: organizationID}}
	err := q.QueryRowContext(ctx, `
		SELECT `+personColumns+` FROM organization_member m JOIN account_user u ON u.id = m.user_id
		WHERE m.organization_id = $1 AND m.user_id = $2`, organizationID, userID).Scan(row.fields()...)
	if err != nil {
		return Person{}, fmt.Errorf("select person: %w", err)
	}
	return row.person(), nil
}

func personByEmail(ctx context.Context, q db.Querier, organizationID id.Organization,
	emailKey string) (Person, error) {
	row := personRow{memberRow: memberRow{organization: organizationID}}
	err := q.QueryRowContext(ctx, `
		SELECT `+personColumns+` FROM organization_member m JOIN account_user u ON u.id = m.user_id
		WHERE m.organization_id = $1 AND u.email_key = $2`, organizationID, emailKey).Scan(row.fields()...)
	if err != nil {
		return Person{}, fmt.Errorf("select member by address: %w", err)
	}
	return row.person(), nil
}

// memberQuery is the condition and the order of a list of members m who are the users u.
type memberQuery struct {
	condition, order string
	args             db.Args
}

func (f MemberFilter) query(organizationID id.Organization) memberQuery {
	built := memberQuery{condition: `m.organization_id = $1`, args: db.Args{organizationID}}
	if role, ok := f.Role.Get(); ok {
		if role == RoleGuest {
			built.condition += ` AND m.role IS NULL`
		} else {
			built.condition += ` AND m.role = ` + built.args.Add(string(role))
		}
	}
	if f.Search != "" {
		built.condition += ` AND u.search_key LIKE ` + built.args.Add(db.LikePattern(f.Search)) + ` ESCAPE '!'`
	}
	if f.Sort == SortSeen {
		built.condition += ` AND m.last_seen_at IS NOT NULL`
	}
	built.order = f.column() + ` DESC, m.user_id DESC`
	if f.Ascending {
		built.order = f.column() + `, m.user_id`
	}
	return built
}

func (f MemberFilter) column() string {
	if f.Sort == SortSeen {
		return "m.last_seen_at"
	}
	return "m.joined_at"
}

// listMembers returns up to one more than a page of members, and how many there are in all.
func listMembers(ctx context.Context, q db.Querier, organizationID id.Organization, filter MemberFilter,
	page paging.Request) ([]Person, int, error) {
	built := filter.query(organizationID)
	const from = ` FROM organization_member m JOIN account_user u ON u.id = m.user_id WHERE `
	counted := from
	if filter.Search == "" {
		counted = ` FROM organization_member m WHERE `
	}
	var count int
	if err := q.QueryRowContext(ctx, `SELECT count(*)`+counted+built.condition, built.args...).
		Scan(&count); err != nil {
		return nil, 0, fmt.Errorf("count members: %w", err)
	}
	at, last, err := memberKeys(page, filter.Ascending)
	if err != nil {
		return nil, 0, err
	}
	n := len(built.args)
	beyond := "<"
	if filter.Ascending {
		beyond = ">"
	}
	people, err := db.All(ctx, q, "list members", func(r db.Scanner) (Person, error) {
		row := personRow{memberRow: memberRow{organization: organizationID}}
		err := r.Scan(row.fields()...)
		return row.person(), err
	}, fmt.Sprintf(`SELECT %s%s%s AND (%s, m.user_id) %s ($%d, $%d) ORDER BY %s LIMIT $%d`,
		personColumns, from, built.condition, filter.column(), beyond, n+1, n+2, built.order, n+3),
		append(built.args, at, last, page.Size()+1)...)
	if err != nil {
		return nil, 0, err
	}
	return people, count, nil
}

// memberKeys reads the keys that ListMembers gave out; the first page starts before everything.
func memberKeys(page paging.Request, ascending bool) (at int64, userID id.User, err error) {
	if page.After == nil {
		if ascending {
			return math.MinInt64, "", nil
		}
		return math.MaxInt64, "", nil
	}
	if len(page.After) == 2 {
		if at, err = strconv.ParseInt(page.After[0], 10, 64); err == nil {
			return at, id.User(page.After[1]), nil
		}
	}
	return 0, "", errs.Invalidf("query.page", "is not a cursor of this list; leave it out to start from the beginning")
}

func deleteMember(ctx context.Context, q db.Querier, m Member) error {
	_, err := q.ExecContext(ctx, `DELETE FROM organization_member WHERE organization_id = $1 AND user_id = $2`,
		m.Organization, m.User)
	if err != nil {
		return fmt.Errorf("delete member: %w", err)
	}
	return nil
}

// noteGone notes that somebody is a member no more; left says that they have left by themselves.
func noteGone(ctx context.Context, q db.Querier, m Member, left bool, now time.Time) error {
	_, err := q.ExecContext(ctx, `
		INSERT INTO org_removed_member (organization_id, user_id, removed_at, left_by_self) VALUES ($1, $2, $3, $4)
		ON CONFLICT (organization_id, user_id) DO UPDATE SET removed_at = excluded.removed_at,
		left_by_self = excluded.left_by_self`,
		m.Organization, m.User, now.UnixMicro(), left)
	if err != nil {
		return fmt.Errorf("note a removal: %w", err)
	}
	return nil
}

// updateLastSeen notes when a member was there, and reports whether there is such a member.
func updateLastSeen(ctx context.Context, q db.Querier, organizationID id.Organization, userID id.User,
	now time.Time) (bool, error) {
	result, err := q.ExecContext(ctx, `
		UPDATE organization_member SET last_seen_at = $3 WHERE organization_id = $1 AND user_id = $2`, organizationID,
		userID, now.UnixMicro())
	return inserted("last seen", result, err)
}

func shareOrganization(ctx context.Context, q db.Querier, caller account.Caller, other id.User) (bool, error) {
	var share bool
	err := q.QueryRowContext(ctx, `
		SELECT EXISTS (SELECT 1 FROM organization_member a
		JOIN organization_member b ON b.organization_id = a.organization_id
			WHERE a.user_id = $1 AND b.user_id = $2 AND `+account.ReachCondition("a.organization_id", "$3")+`)`,
		caller.User.ID, other, caller.Reach()).Scan(&share)
	if err != nil {
		return false, fmt.Errorf("look for a common organization: %w", err)
	}
	return share, nil
}

// updateMember writes what can change of a member besides when they were last seen.
func updateMember(ctx context.Context, q db.Querier, m Member) error {
	_, err := q.ExecContext(ctx, `
		UPDATE organization_member SET role = $3, sso = $4, admin_by_operator = CASE WHEN $5 THEN admin_by_operator
		ELSE FALSE END WHERE organization_id = $1 AND user_id = $2`,
		m.Organization, m.User, db.NullText(m.Role), m.SSO, m.Role == RoleAdmin)
	if err != nil {
		return fmt.Errorf("update member: %w", err)
	}
	return nil
}

// wasRemoved reports whether an admin removed the user from the organization and nobody let them in again.
func wasRemoved(ctx context.Context, q db.Querier, organizationID id.Organization, userID id.User) (bool, error) {
	var removed bool
	err := q.QueryRowContext(ctx, `
		SELECT EXISTS (SELECT 1 FROM org_removed_member WHERE organization_id = $1 AND user_id = $2
		AND NOT left_by_self)`, organizationID, userID).Scan(&removed)
	if err != nil {
		return false, fmt.Errorf("look for a removal: %w", err)
	}
	return removed, nil
}

// wasMember reports whether a user was a member of the organization and is none any more.
func wasMember(ctx context.Context, q db.Querier, organizationID id.Organization, userID id.User) (bool, error) {
	var was bool
	err := q.QueryRowContext(ctx, `
		SELECT EXISTS (SELECT 1 FROM org_removed_member WHERE organization_id = $1 AND user_id = $2)`, organizationID,
		userID).Scan(&was)
	if err != nil {
		return false, fmt.Errorf("look for a former member: %w", err)
	}
	return was, nil
}

func forgetRemoved(ctx context.Context, q db.Querier, organizationID id.Organization, userID id.User) error {
	_, err := q.ExecContext(ctx, `DELETE FROM org_removed_member WHERE organization_id = $1 AND user_id = $2`,
		organizationID, userID)
	if err != nil {
		return fmt.Errorf("forget a removal: %w", err)
	}
	return nil
}

// belongsElsewhere reports whether a member is one of another organization too.
func belongsElsewhere(ctx context.Context, q db.Querier, m Member) (bool, error) {
	var elsewhere bool
	err := q.QueryRowContext(ctx, `
		SELECT EXISTS (SELECT 1 FROM organization_member WHERE user_id = $1 AND organization_id <> $2)`, m.User,
		m.Organization).Scan(&elsewhere)
	if err != nil {
		return false, fmt.Errorf("look for other organizations: %w", err)
	}
	return elsewhere, nil
}
