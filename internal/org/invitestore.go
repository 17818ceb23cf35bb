package org

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/rectodocs/recto/internal/account"
	"github.com/rectodocs/recto/internal/db"
)

func insertInvite(ctx context.Context, q db.Querier, in invite, hash []byte) error {
	_, err := q.ExecContext(ctx, `
		INSERT INTO org_invite (id, organization_id, email, email_key, secret_hash, role, sso, created_by, created_at, expires_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
		in.id, in.organization, in.email, account.EmailKey(in.email), hash, nullRole(in.role), in.sso, in.createdBy,
		in.createdAt.UnixMicro(), in.expiresAt.UnixMicro())
	if err != nil {
		return fmt.Errorf("insert invite: %w", err)
	}
	return nil
}

// putInviteTeam adds a team to an invite; of two roles in one team the higher counts.
func putInviteTeam(ctx context.Context, q db.Querier, inviteID string, place TeamPlace) error {
	_, err := q.ExecContext(ctx, `
		INSERT INTO org_invite_team (invite_id, team_id, role) VALUES ($1, $2, $3)
		ON CONFLICT (invite_id, team_id) DO UPDATE SET role = CASE WHEN excluded.role = 'owner' THEN 'owner' ELSE org_invite_team.role END`,
		inviteID, place.Team, string(place.Role))
	if err != nil {
		return fmt.Errorf("insert team of invite: %w", err)
	}
	return nil
}

// inviteTeamsOf returns the teams of the invite that an address has to an organization.
func inviteTeamsOf(ctx context.Context, q db.Querier, organizationID, emailKey string) ([]TeamPlace, error) {
	rows, err := q.QueryContext(ctx, `
		SELECT t.team_id, t.role FROM org_invite i JOIN org_invite_team t ON t.invite_id = i.id
		WHERE i.organization_id = $1 AND i.email_key = $2 ORDER BY t.team_id`, organizationID, emailKey)
	if err != nil {
		return nil, fmt.Errorf("list teams of invite: %w", err)
	}
	defer rows.Close()
	var places []TeamPlace
	for rows.Next() {
		var place TeamPlace
		if err := rows.Scan(&place.Team, &place.Role); err != nil {
			return nil, fmt.Errorf("scan team of invite: %w", err)
		}
		places = append(places, place)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("list teams of invite: %w", err)
	}
	return places, nil
}

// deleteInviteTeam takes a team out of the invite that an address has, and reports whether it was in it.
func deleteInviteTeam(ctx context.Context, q db.Querier, teamID, organizationID, emailKey string) (bool, error) {
	result, err := q.ExecContext(ctx, `
		DELETE FROM org_invite_team WHERE team_id = $1
		AND invite_id IN (SELECT i.id FROM org_invite i WHERE i.organization_id = $2 AND i.email_key = $3)`, teamID, organizationID, emailKey)
	return inserted("removal of team of invite", result, err)
}

const inviteColumns = `i.id, i.organization_id, i.email, i.role, i.sso, i.created_by, i.created_at, i.expires_at`

func inviteBySecret(ctx context.Context, q db.Querier, hash []byte) (invite, error) {
	var row inviteRow
	err := q.QueryRowContext(ctx, `SELECT `+inviteColumns+` FROM org_invite i WHERE i.secret_hash = $1`, hash).Scan(row.fields()...)
	if err != nil {
		return invite{}, fmt.Errorf("select invite: %w", err)
	}
	return row.invite(), nil
}

// invitesOf returns the invites of an address that are not over.
func invitesOf(ctx context.Context, q db.Querier, emailKey string, now time.Time) ([]invite, error) {
	rows, err := q.QueryContext(ctx, `
		SELECT `+inviteColumns+` FROM org_invite i WHERE i.email_key = $1 AND i.expires_at > $2 ORDER BY i.id`, emailKey, now.UnixMicro())
	if err != nil {
		return nil, fmt.Errorf("list invites: %w", err)
	}
	defer rows.Close()
	var found []invite
	for rows.Next() {
		var row inviteRow
		if err := rows.Scan(row.fields()...); err != nil {
			return nil, fmt.Errorf("scan invite: %w", err)
		}
		found = append(found, row.invite())
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("list invites: %w", err)
	}
	return found, nil
}

func deleteExpiredInvites(ctx context.Context, q db.Querier, now time.Time) (int64, error) {
	result, err := q.ExecContext(ctx, `DELETE FROM org_invite WHERE expires_at <= $1`, now.UnixMicro())
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
	id, organization, email string
	role, createdBy         sql.Null[string]
	sso                     bool
	createdAt, expiresAt    int64
}

func (r *inviteRow) fields() []any {
	return []any{&r.id, &r.organization, &r.email, &r.role, &r.sso, &r.createdBy, &r.createdAt, &r.expiresAt}
}

func (r *inviteRow) invite() invite {
	return invite{
		id: r.id, organization: r.organization, email: r.email, role: Role(r.role.V), sso: r.sso, createdBy: r.createdBy.V,
		createdAt: time.UnixMicro(r.createdAt).UTC(), expiresAt: time.UnixMicro(r.expiresAt).UTC(),
	}
}

// belongsElsewhere reports whether a member is one of another organization too.
func belongsElsewhere(ctx context.Context, q db.Querier, m Member) (bool, error) {
	var elsewhere bool
	err := q.QueryRowContext(ctx, `
		SELECT EXISTS (SELECT 1 FROM organization_member WHERE user_id = $1 AND organization_id <> $2)`, m.User, m.Organization).Scan(&elsewhere)
	if err != nil {
		return false, fmt.Errorf("look for other organizations: %w", err)
	}
	return elsewhere, nil
}
