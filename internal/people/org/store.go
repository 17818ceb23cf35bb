package org

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/paging"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
)

// membershipColumns are those of an organization and of the place that a member m has in it.
const membershipColumns = organizationColumns + `, m.role, m.joined_at,
	EXISTS (SELECT 1 FROM org_team_member tm WHERE tm.organization_id = m.organization_id AND tm.user_id = m.user_id
	AND tm.role = 'owner')`

const memberColumns = `m.user_id, m.role, m.joined_at, m.last_seen_at, m.sso, m.sso_accepted_at`

const organizationColumns = `o.id, o.title, o.hostname, o.type, o.plan, o.email_domains, o.default_role, o.invite_links,
	o.sso, o.ai, o.use_case, o.default_site_id, o.logo_blob, o.logo_name, o.created_at, o.updated_at`

// insertOrganization adds an organization, and reports false when its hostname is taken.
func insertOrganization(ctx context.Context, q db.Querier, o Organization) (bool, error) {
	domains, err := json.Marshal(o.EmailDomains)
	if err != nil {
		return false, fmt.Errorf("encode e-mail domains: %w", err)
	}
	if taken, err := formerTaken(ctx, q, o.Hostname, o.ID); taken || err != nil {
		return false, err
	}
	result, err := q.ExecContext(ctx, `
		INSERT INTO organization (id, title, hostname, type, plan, email_domains, default_role, invite_links, sso, ai,
		use_case, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
		ON CONFLICT (hostname) DO NOTHING`,
		o.ID, o.Title, o.Hostname, string(o.Type), o.Plan, string(domains), db.NullText(o.DefaultRole), o.InviteLinks,
		o.SSO, o.AI, string(o.UseCase), o.CreatedAt.UnixMicro(), o.UpdatedAt.UnixMicro())
	return inserted("organization", result, err)
}

// insertMember adds a member, and reports false when the user is one already.
func insertMember(ctx context.Context, q db.Querier, m Member) (bool, error) {
	result, err := q.ExecContext(ctx, `
		INSERT INTO organization_member (organization_id, user_id, role, joined_at, sso)
		VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (organization_id, user_id) DO NOTHING`,
		m.Organization, m.User, db.NullText(m.Role), m.JoinedAt.UnixMicro(), m.SSO)
	return inserted("member", result, err)
}

// insertInstallation notes that the database is being set up, and reports false when it was already.
func insertInstallation(ctx context.Context, q db.Querier, now time.Time) (bool, error) {
	result, err := q.ExecContext(ctx, `
		INSERT INTO installation (id, created_at) VALUES (1, $1) ON CONFLICT (id) DO NOTHING`, now.UnixMicro())
	return inserted("installation", result, err)
}

// hasInstallation reports whether the database has been set up.
func hasInstallation(ctx context.Context, q db.Querier) (bool, error) {
	var is bool
	if err := q.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM installation)`).Scan(&is); err != nil {
		return false, fmt.Errorf("look for an installation: %w", err)
	}
	return is, nil
}

func inserted(what string, result sql.Result, err error) (bool, error) {
	if err != nil {
		return false, fmt.Errorf("insert %s: %w", what, err)
	}
	n, err := result.RowsAffected()
	if err != nil {
		return false, fmt.Errorf("insert %s: %w", what, err)
	}
	return n == 1, nil
}

func updateInstallation(ctx context.Context, q db.Querier, organizationID id.Organization) error {
	if _, err := q.ExecContext(ctx, `UPDATE installation SET organization_id = $1 WHERE id = 1`,
		organizationID); err != nil {
		return fmt.Errorf("update installation: %w", err)
	}
	return nil
}

func countAdmins(ctx context.Context, q db.Querier, organizationID id.Organization) (int, error) {
	var count int
	err := q.QueryRowContext(ctx, `
		SELECT count(*) FROM organization_member WHERE organization_id = $1 AND role = 'admin'`, organizationID).
		Scan(&count)
	if err != nil {
		return 0, fmt.Errorf("count admins: %w", err)
	}
	return count, nil
}

// organizationNamed finds an organization by its id or its hostname.
func organizationNamed(ctx context.Context, q db.Querier, name string) (Organization, error) {
	var row organizationRow
	err := q.QueryRowContext(ctx, `
		SELECT `+organizationColumns+` FROM organization o WHERE o.id = $1 OR o.hostname = $1`,
		name).Scan(row.fields()...)
	if err != nil {
		return Organization{}, fmt.Errorf("select organization: %w", err)
	}
	return row.organization()
}

func memberOf(ctx context.Context, q db.Querier, organizationID id.Organization, userID id.User) (Member, error) {
	row := memberRow{organization: organizationID}
	err := q.QueryRowContext(ctx, `
		SELECT `+memberColumns+` FROM organization_member m WHERE m.organization_id = $1 AND m.user_id = $2`,
		organizationID, userID).Scan(row.fields()...)
	if err != nil {
		return Member{}, fmt.Errorf("select member: %w", err)
	}
	return row.member(), nil
}

// ownMemberOf is memberOf for the caller; db.ErrNoRows as well when what the caller came in with does not open the
// organization.
func ownMemberOf(ctx context.Context, q db.Querier, caller account.Caller,
	organizationID id.Organization) (Member, error) {
	if !caller.Reaches(organizationID) {
		return Member{}, caller.Unreached(organizationID, db.ErrNoRows)
	}
	return memberOf(ctx, q, organizationID, caller.User.ID)
}

// membershipOf returns the caller's place in an organization; db.ErrNoRows when there is none, or what the caller came
// in with does not open the organization.
func membershipOf(ctx context.Context, q db.Querier, caller account.Caller,
	organizationID id.Organization) (Membership, error) {
	if !caller.Reaches(organizationID) {
		return Membership{}, caller.Unreached(organizationID, db.ErrNoRows)
	}
	var row membershipRow
	err := q.QueryRowContext(ctx, `
		SELECT `+membershipColumns+`
		FROM organization_member m JOIN organization o ON o.id = m.organization_id
		WHERE m.organization_id = $1 AND m.user_id = $2`, organizationID, caller.User.ID).Scan(row.fields()...)
	if err != nil {
		return Membership{}, fmt.Errorf("select membership: %w", err)
	}
	return row.membership()
}

// listMemberships returns the organizations that the caller belongs to and that what they came in with opens.
func listMemberships(ctx context.Context, q db.Querier, caller account.Caller,
	page paging.Request) (paging.Page[Membership], error) {
	var count int
	err := q.QueryRowContext(ctx,
		`SELECT count(*) FROM organization_member WHERE user_id = $1 AND ($2 = '' OR organization_id = $2)`,
		caller.User.ID, caller.VouchedBy()).Scan(&count)
	if err != nil {
		return paging.Page[Membership]{}, fmt.Errorf("count memberships: %w", err)
	}
	afterJoined, afterID, err := membershipKeys(page)
	if err != nil {
		return paging.Page[Membership]{}, err
	}
	memberships, err := db.All(ctx, q, "list memberships", func(r db.Scanner) (Membership, error) {
		var row membershipRow
		if err := r.Scan(row.fields()...); err != nil {
			return Membership{}, err
		}
		return row.membership()
	}, `
		SELECT `+membershipColumns+`
		FROM organization_member m JOIN organization o ON o.id = m.organization_id
		WHERE m.user_id = $1 AND (m.joined_at, m.organization_id) > ($2, $3) AND ($5 = '' OR m.organization_id = $5)
		ORDER BY m.joined_at, m.organization_id LIMIT $4`, caller.User.ID, afterJoined, afterID, page.Size()+1,
		caller.VouchedBy())
	if err != nil {
		return paging.Page[Membership]{}, err
	}
	list := paging.Page[Membership]{Items: memberships, Count: count}
	list.Cut(page.Size(), func(m Membership) []string {
		return []string{strconv.FormatInt(m.JoinedAt.UnixMicro(), 10), string(m.Organization.ID)}
	})
	return list, nil
}

// membershipKeys reads the keys that listMemberships gave out; the first page starts before everything.
func membershipKeys(page paging.Request) (joined int64, organizationID id.Organization, err error) {
	if page.After == nil {
		return -1, "", nil
	}
	if len(page.After) == 2 {
		joined, err = strconv.ParseInt(page.After[0], 10, 64)
		if err == nil {
			return joined, id.Organization(page.After[1]), nil
		}
	}
	return 0, "", errs.Invalidf("query.page", "is not a cursor of this list; leave it out to start from the beginning")
}

type organizationRow struct {
	id                                        id.Organization
	title, hostname, kind, plan, emailDomains string
	defaultRole                               sql.Null[string]
	inviteLinks, sso, ai                      bool
	useCase, logoBlob, logoName               string
	defaultSite                               sql.Null[id.Site]
	createdAt, updatedAt                      int64
}

func (r *organizationRow) fields() []any {
	return []any{
		&r.id, &r.title, &r.hostname, &r.kind, &r.plan, &r.emailDomains, &r.defaultRole, &r.inviteLinks,
		&r.sso, &r.ai, &r.useCase, &r.defaultSite, &r.logoBlob, &r.logoName, &r.createdAt, &r.updatedAt,
	}
}

func (r *organizationRow) organization() (Organization, error) {
	o := Organization{
		ID: r.id, Title: r.title, Hostname: r.hostname, Type: Type(r.kind), Plan: r.plan,
		DefaultRole: Role(r.defaultRole.V),
		InviteLinks: r.inviteLinks, SSO: r.sso, AI: r.ai, UseCase: UseCase(r.useCase), DefaultSite: r.defaultSite.V,
		Logo: Logo{Blob: r.logoBlob, Name: r.logoName}, CreatedAt: time.UnixMicro(r.createdAt).UTC(),
		UpdatedAt: time.UnixMicro(r.updatedAt).UTC(),
	}
	if err := json.Unmarshal([]byte(r.emailDomains), &o.EmailDomains); err != nil {
		return Organization{}, fmt.Errorf("decode e-mail domains of %s: %w", r.id, err)
	}
	return o, nil
}

type membershipRow struct {
	organizationRow
	role     sql.Null[string]
	joinedAt int64
	ownsTeam bool
}

func (r *membershipRow) fields() []any {
	return append(r.organizationRow.fields(), &r.role, &r.joinedAt, &r.ownsTeam)
}

func (r *membershipRow) membership() (Membership, error) {
	o, err := r.organization()
	if err != nil {
		return Membership{}, err
	}
	return Membership{Organization: o, Role: Role(r.role.V), JoinedAt: time.UnixMicro(r.joinedAt).UTC(),
		OwnsTeam: r.ownsTeam}, nil
}

type memberRow struct {
	organization  id.Organization
	user          id.User
	role          sql.Null[string]
	joinedAt      int64
	lastSeenAt    sql.Null[int64]
	sso           bool
	ssoAcceptedAt sql.Null[int64]
}

func (r *memberRow) fields() []any {
	return []any{&r.user, &r.role, &r.joinedAt, &r.lastSeenAt, &r.sso, &r.ssoAcceptedAt}
}

func (r *memberRow) member() Member {
	m := Member{Organization: r.organization, User: r.user, Role: Role(r.role.V),
		JoinedAt: time.UnixMicro(r.joinedAt).UTC(), SSO: r.sso}
	m.LastSeenAt, m.SSOAcceptedAt = db.NullTime(r.lastSeenAt), db.NullTime(r.ssoAcceptedAt)
	return m
}
