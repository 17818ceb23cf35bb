package org

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/platform/db"
)

func updateOrganization(ctx context.Context, q db.Querier, o Organization) error {
	domains, err := json.Marshal(o.EmailDomains)
	if err != nil {
		return fmt.Errorf("encode e-mail domains: %w", err)
	}
	_, err = q.ExecContext(ctx, `
		UPDATE organization SET title = $2, hostname = $3, email_domains = $4, default_role = $5, invite_links = $6,
		sso = $7, ai = $8,
			default_site_id = $9, logo_blob = $10, logo_name = $11, updated_at = $12
		WHERE id = $1`,
		o.ID, o.Title, o.Hostname, string(domains), db.NullText(o.DefaultRole), o.InviteLinks, o.SSO, o.AI,
		db.NullText(o.DefaultSite), o.Logo.Blob, o.Logo.Name,
		o.UpdatedAt.UnixMicro())
	if err != nil {
		return fmt.Errorf("update organization: %w", err)
	}
	return nil
}

// replaceEmailDomains keeps the domains of an organization where they are found by domain.
func replaceEmailDomains(ctx context.Context, q db.Querier, organizationID id.Organization, domains []string) error {
	if _, err := q.ExecContext(ctx, `DELETE FROM org_email_domain WHERE organization_id = $1`,
		organizationID); err != nil {
		return fmt.Errorf("clear e-mail domains: %w", err)
	}
	for _, domain := range domains {
		if _, err := q.ExecContext(ctx, `INSERT INTO org_email_domain (domain, organization_id) VALUES ($1, $2)`,
			domain, organizationID); err != nil {
			return fmt.Errorf("insert e-mail domain: %w", err)
		}
	}
	return nil
}

// mostOfDomain is how many organizations of a domain are told.
const mostOfDomain = 100

// organizationsOfDomain returns the organizations with a domain, with the user's place in them where there is one.
func organizationsOfDomain(ctx context.Context, q db.Querier, domain string, userID id.User) ([]Membership, error) {
	return db.All(ctx, q, "list organizations of domain", func(r db.Scanner) (Membership, error) {
		var (
			row      organizationRow
			role     sql.Null[string]
			joinedAt sql.Null[int64]
		)
		if err := r.Scan(append(row.fields(), &role, &joinedAt)...); err != nil {
			return Membership{}, err
		}
		o, err := row.organization()
		if err != nil {
			return Membership{}, err
		}
		m := Membership{Organization: o, Role: Role(role.V)}
		if joinedAt.Valid {
			m.JoinedAt = time.UnixMicro(joinedAt.V).UTC()
		}
		return m, nil
	}, `
		SELECT `+organizationColumns+`, m.role, m.joined_at
		FROM org_email_domain d JOIN organization o ON o.id = d.organization_id
		LEFT JOIN organization_member m ON m.organization_id = o.id AND m.user_id = $2
		WHERE d.domain = $1 ORDER BY d.organization_id LIMIT $3`, domain, userID, mostOfDomain)
}

// MaxFormerHostnames is how many of its former hostnames an organization keeps: addresses below those lead on. An older
// one falls free.
const MaxFormerHostnames = 10

// formerTaken reports whether a hostname is kept for another organization, which had it before.
func formerTaken(ctx context.Context, q db.Querier, hostname string, organizationID id.Organization) (bool, error) {
	var taken bool
	err := q.QueryRowContext(ctx, `
		SELECT EXISTS (SELECT 1 FROM organization_former_hostname WHERE hostname = $1 AND organization_id <> $2)`,
		hostname, organizationID).Scan(&taken)
	if err != nil {
		return false, fmt.Errorf("look for a former hostname: %w", err)
	}
	return taken, nil
}

// keepHostname notes that an organization leaves a hostname for another one, which may be one that it had before.
func keepHostname(ctx context.Context, q db.Querier, before, after Organization) error {
	for _, hostname := range []string{before.Hostname, after.Hostname} {
		if _, err := q.ExecContext(ctx, `DELETE FROM organization_former_hostname WHERE hostname = $1`,
			hostname); err != nil {
			return fmt.Errorf("forget a former hostname: %w", err)
		}
	}
	_, err := q.ExecContext(ctx,
		`INSERT INTO organization_former_hostname (hostname, organization_id, left_at) VALUES ($1, $2, $3)`,
		before.Hostname, after.ID, after.UpdatedAt.UnixMicro())
	if err != nil {
		return fmt.Errorf("keep a former hostname: %w", err)
	}
	_, err = q.ExecContext(ctx, `
		DELETE FROM organization_former_hostname WHERE organization_id = $1 AND hostname NOT IN (
			SELECT hostname FROM organization_former_hostname WHERE organization_id = $1 ORDER BY left_at DESC,
			hostname LIMIT $2)`,
		after.ID, MaxFormerHostnames)
	if err != nil {
		return fmt.Errorf("forget old hostnames: %w", err)
	}
	return nil
}
