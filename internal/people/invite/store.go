package invite

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/db"
	"github.com/rectodocs/recto/internal/platform/mail"
)

// putInvite keeps an invite. An address has one to an organization, which takes the place of the one before.
func putInvite(ctx context.Context, q db.Querier, in Invite, hash []byte) error {
	_, err := q.ExecContext(ctx, `
		INSERT INTO org_invite (id, organization_id, email, email_key, secret_hash, role, sso, created_by, created_at,
		sent_at, expires_at,
			handed_over, mail_id, delivery)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
		ON CONFLICT (organization_id, email_key) DO UPDATE SET
			email = excluded.email, secret_hash = excluded.secret_hash, role = excluded.role, sso = excluded.sso,
			created_by = excluded.created_by,
			created_at = excluded.created_at, sent_at = excluded.sent_at, expires_at = excluded.expires_at,
			declined_at = NULL,
			handed_over = excluded.handed_over, mail_id = excluded.mail_id, delivery = excluded.delivery`,
		in.ID, in.Organization, in.Email, account.EmailKey(in.Email), hash, db.NullText(in.Role), in.SSO,
		db.NullText(in.CreatedBy),
		in.CreatedAt.UnixMicro(), in.SentAt.UnixMicro(), in.ExpiresAt.UnixMicro(), in.handedOver, in.mailID,
		string(in.Delivery))
	if err != nil {
		return fmt.Errorf("put invite: %w", err)
	}
	return nil
}

// putInviteTeam adds a team to an invite; of two roles in one team the higher counts.
func putInviteTeam(ctx context.Context, q db.Querier, inviteID string, place org.TeamPlace) error {
	_, err := q.ExecContext(ctx, `
		INSERT INTO org_invite_team (invite_id, team_id, role) VALUES ($1, $2, $3)
		ON CONFLICT (invite_id, team_id) DO UPDATE SET role = CASE WHEN excluded.role = 'owner' THEN 'owner'
		ELSE org_invite_team.role END`,
		inviteID, place.Team, string(place.Role))
	if err != nil {
		return fmt.Errorf("insert team of invite: %w", err)
	}
	return nil
}

// inviteTeamsOf returns the teams of the invite that an address has to an organization.
func inviteTeamsOf(ctx context.Context, q db.Querier, organizationID id.Organization,
	emailKey string) ([]org.TeamPlace, error) {
	return db.All(ctx, q, "list teams of invite", func(row db.Scanner) (org.TeamPlace, error) {
		var place org.TeamPlace
		err := row.Scan(&place.Team, &place.Role)
		return place, err
	}, `
		SELECT t.team_id, t.role FROM org_invite i JOIN org_invite_team t ON t.invite_id = i.id
		WHERE i.organization_id = $1 AND i.email_key = $2 ORDER BY t.team_id`, organizationID, emailKey)
}

// DropTeam takes a team out of the invite that an address has to its organization, if there is one. It runs in the
// transaction of whoever changes the team, who has checked access.
func DropTeam(ctx context.Context, q db.Querier, team org.Team, email string) error {
	_, err := q.ExecContext(ctx, `
		DELETE FROM org_invite_team WHERE team_id = $1
		AND invite_id IN (SELECT i.id FROM org_invite i WHERE i.organization_id = $2 AND i.email_key = $3)`, team.ID,
		team.Organization, account.EmailKey(email))
	if err != nil {
		return fmt.Errorf("take a team out of an invite: %w", err)
	}
	return nil
}

// Drop takes back what invites to an organization wait for an address. It runs in the transaction of whoever has made
// them pointless: somebody with the address has become a member, or is none any more.
func Drop(ctx context.Context, q db.Querier, organizationID id.Organization, email string) error {
	_, err := q.ExecContext(ctx, `DELETE FROM org_invite WHERE organization_id = $1 AND email_key = $2`, organizationID,
		account.EmailKey(email))
	if err != nil {
		return fmt.Errorf("delete invites: %w", err)
	}
	return nil
}

const inviteColumns = `i.id, i.organization_id, i.email, i.role, i.sso, i.created_by, i.created_at, i.sent_at, i.expires_at, i.declined_at,
	i.handed_over, i.mail_id, i.delivery`

func inviteBySecret(ctx context.Context, q db.Querier, hash []byte) (Invite, error) {
	return inviteWhere(ctx, q, `i.secret_hash = $1`, hash)
}

func inviteByID(ctx context.Context, q db.Querier, inviteID string) (Invite, error) {
	return inviteWhere(ctx, q, `i.id = $1`, inviteID)
}

// inviteTo returns the invite that an address has to an organization.
func inviteTo(ctx context.Context, q db.Querier, organizationID id.Organization, emailKey string) (Invite, error) {
	return inviteWhere(ctx, q, `i.organization_id = $1 AND i.email_key = $2`, organizationID, emailKey)
}

func inviteWhere(ctx context.Context, q db.Querier, condition string, args ...any) (Invite, error) {
	var row inviteRow
	err := q.QueryRowContext(ctx, `SELECT `+inviteColumns+` FROM org_invite i WHERE `+condition,
		args...).Scan(row.fields()...)
	if err != nil {
		return Invite{}, fmt.Errorf("select invite: %w", err)
	}
	return row.invite(), nil
}

func countInvites(ctx context.Context, q db.Querier, organizationID id.Organization) (int, error) {
	var count int
	if err := q.QueryRowContext(ctx, `SELECT count(*) FROM org_invite WHERE organization_id = $1`, organizationID).
		Scan(&count); err != nil {
		return 0, fmt.Errorf("count invites: %w", err)
	}
	return count, nil
}

func listInvites(ctx context.Context, q db.Querier, organizationID id.Organization, after string,
	limit int) ([]Invite, error) {
	return invitesWhere(ctx, q, `i.organization_id = $1 AND i.id > $2 ORDER BY i.id LIMIT $3`, organizationID, after,
		limit)
}

// undeliveredInvites returns invites whose messages were on their way when that was last noted.
func undeliveredInvites(ctx context.Context, q db.Querier, after string, limit int) ([]Invite, error) {
	return invitesWhere(ctx, q, `i.delivery IN ('queued', 'failing') AND i.id > $1 ORDER BY i.id LIMIT $2`, after,
		limit)
}

func invitesWhere(ctx context.Context, q db.Querier, condition string, args ...any) ([]Invite, error) {
	return db.All(ctx, q, "list invites", func(r db.Scanner) (Invite, error) {
		var row inviteRow
		err := r.Scan(row.fields()...)
		return row.invite(), err
	}, `SELECT `+inviteColumns+` FROM org_invite i WHERE `+condition, args...)
}

// waiting is the condition for invites that an address can accept.
const waiting = `i.email_key = $1 AND i.declined_at IS NULL AND i.expires_at > $2`

func countWaiting(ctx context.Context, q db.Querier, emailKey string, now time.Time) (int, error) {
	var count int
	err := q.QueryRowContext(ctx, `SELECT count(*) FROM org_invite i WHERE `+waiting, emailKey, now.UnixMicro()).
		Scan(&count)
	if err != nil {
		return 0, fmt.Errorf("count invites of an address: %w", err)
	}
	return count, nil
}

func listWaiting(ctx context.Context, q db.Querier, emailKey string, now time.Time, after string,
	limit int) ([]WaitingInvite, error) {
	return db.All(ctx, q, "list invites of an address", func(r db.Scanner) (WaitingInvite, error) {
		var (
			row  inviteRow
			each WaitingInvite
			name sql.Null[string]
		)
		err := r.Scan(append(row.fields(), &each.Title, &each.EnforcesSSO, &name)...)
		each.Invite, each.InvitedBy = row.invite(), name.V
		return each, err
	}, `
		SELECT `+inviteColumns+`, o.title, o.sso, u.display_name
		FROM org_invite i JOIN organization o ON o.id = i.organization_id LEFT
		JOIN account_user u ON u.id = i.created_by
		WHERE `+waiting+` AND i.id > $3 ORDER BY i.id LIMIT $4`, emailKey, now.UnixMicro(), after, limit)
}

func markDeclined(ctx context.Context, q db.Querier, inviteID string, now time.Time) error {
	if _, err := q.ExecContext(ctx, `UPDATE org_invite SET declined_at = $2 WHERE id = $1`, inviteID,
		now.UnixMicro()); err != nil {
		return fmt.Errorf("decline invite: %w", err)
	}
	return nil
}

func noteDelivery(ctx context.Context, q db.Querier, in Invite) error {
	if _, err := q.ExecContext(ctx, `UPDATE org_invite SET delivery = $2 WHERE id = $1`, in.ID,
		string(in.Delivery)); err != nil {
		return fmt.Errorf("note a delivery: %w", err)
	}
	return nil
}

func deleteExpiredInvites(ctx context.Context, q db.Querier, before time.Time) (int64, error) {
	result, err := q.ExecContext(ctx, `DELETE FROM org_invite WHERE expires_at <= $1`, before.UnixMicro())
	if err != nil {
		return 0, fmt.Errorf("delete expired invites: %w", err)
	}
	n, err := result.RowsAffected()
	if err != nil {
		return 0, fmt.Errorf("delete expired invites: %w", err)
	}
	return n, nil
}

type inviteRow struct {
	id                           string
	organization                 id.Organization
	email                        string
	role                         sql.Null[string]
	createdBy                    sql.Null[id.User]
	sso, handedOver              bool
	createdAt, sentAt, expiresAt int64
	declinedAt                   sql.Null[int64]
	mailID, delivery             string
}

func (r *inviteRow) fields() []any {
	return []any{
		&r.id, &r.organization, &r.email, &r.role, &r.sso, &r.createdBy, &r.createdAt, &r.sentAt, &r.expiresAt,
		&r.declinedAt,
		&r.handedOver, &r.mailID, &r.delivery,
	}
}

func (r *inviteRow) invite() Invite {
	in := Invite{
		ID: r.id, Organization: r.organization, Email: r.email, Role: org.Role(r.role.V), SSO: r.sso,
		CreatedBy: r.createdBy.V,
		CreatedAt: time.UnixMicro(r.createdAt).UTC(), SentAt: time.UnixMicro(r.sentAt).UTC(),
		ExpiresAt: time.UnixMicro(r.expiresAt).UTC(),
		Delivery:  mail.Delivery(r.delivery), handedOver: r.handedOver, mailID: r.mailID,
	}
	if r.declinedAt.Valid {
		in.DeclinedAt = time.UnixMicro(r.declinedAt.V).UTC()
	}
	return in
}
