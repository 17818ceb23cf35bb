package access

import (
	"context"
	"fmt"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/org"
	"github.com/rectodocs/recto/internal/platform/db"
)

// SpaceCounts returns how many spaces, without those in the trash, each of some members of an organization may read.
func (s *Service) SpaceCounts(ctx context.Context, organizationID id.Organization,
	members []org.Member) (map[id.User]int, error) {
	counts := make(map[id.User]int, len(members))
	err := s.db.Snapshot(ctx, func(ctx context.Context, q db.Querier) error {
		granted, err := withGrants(ctx, q, organizationID)
		if err != nil {
			return err
		}
		// Who was given nothing is like everybody else of the same kind: one question for all of them.
		alike := map[string]int{}
		for _, member := range members {
			kind := "member"
			switch member.Role {
			case org.RoleAdmin:
				kind = "admin"
			case org.RoleGuest:
				kind = "guest"
			}
			if granted[member.User] && member.Role != org.RoleAdmin {
				kind = string(member.User)
			}
			count, known := alike[kind]
			if !known {
				if count, err = countReadable(ctx, q, Organization{ID: organizationID, User: member.User,
					Role: member.Role}); err != nil {
					return err
				}
				alike[kind] = count
			}
			counts[member.User] = count
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return counts, nil
}

// SiteCounts returns how many sites each of some members of an organization may read: all, or none for guests.
func (s *Service) SiteCounts(ctx context.Context, organizationID id.Organization,
	members []org.Member) (map[id.User]int, error) {
	var all int
	err := s.db.Read().QueryRowContext(ctx, `SELECT count(*) FROM site WHERE organization_id = $1`,
		organizationID).Scan(&all)
	if err != nil {
		return nil, fmt.Errorf("count sites: %w", err)
	}
	counts := make(map[id.User]int, len(members))
	for _, member := range members {
		if PermissionsInSite(member.Role, false).View {
			counts[member.User] = all
		}
	}
	return counts, nil
}

// withGrants returns the members who were given anything, by themselves or through a team.
func withGrants(ctx context.Context, q db.Querier, organizationID id.Organization) (map[id.User]bool, error) {
	found := map[id.User]bool{}
	err := db.Each(ctx, q, "list people with grants", func(row db.Scanner) error {
		var userID id.User
		if err := row.Scan(&userID); err != nil {
			return err
		}
		found[userID] = true
		return nil
	}, `
		SELECT g.user_id FROM access_grant g WHERE g.organization_id = $1 AND g.user_id IS NOT NULL
		UNION
		SELECT tm.user_id FROM access_grant g JOIN org_team_member tm ON tm.team_id = g.team_id
		WHERE g.organization_id = $1 AND g.team_id IS NOT NULL`,
		organizationID)
	return found, err
}

func countReadable(ctx context.Context, q db.Querier, organization Organization) (int, error) {
	args := db.Args{organization.ID}
	condition := ReadableSpaces(organization, &args)
	var count int
	err := q.QueryRowContext(ctx,
		`SELECT count(*) FROM space s WHERE s.organization_id = $1 AND s.deleted_at IS NULL AND `+condition,
		args...).Scan(&count)
	if err != nil {
		return 0, fmt.Errorf("count readable spaces: %w", err)
	}
	return count, nil
}

// GrantedTeams returns teams with how many spaces each was given access to, in the same order.
func (s *Service) GrantedTeams(ctx context.Context, organizationID id.Organization,
	teams []org.Team) ([]GrantedTeam, error) {
	counts := map[id.Team]int{}
	err := db.Each(ctx, s.db.Read(), "count spaces of teams", func(row db.Scanner) error {
		var (
			teamID id.Team
			count  int
		)
		if err := row.Scan(&teamID, &count); err != nil {
			return err
		}
		counts[teamID] = count
		return nil
	}, `
		SELECT g.team_id, count(*) FROM access_grant g JOIN space s ON s.id = g.space_id
		WHERE g.organization_id = $1 AND g.team_id IS NOT NULL AND g.role IS NOT NULL AND s.deleted_at IS NULL
		GROUP BY g.team_id`, organizationID)
	if err != nil {
		return nil, err
	}
	granted := make([]GrantedTeam, len(teams))
	for i, team := range teams {
		granted[i] = GrantedTeam{Team: team, Spaces: counts[team.ID]}
	}
	return granted, nil
}

// MemberOf returns what a member has in an organization, for lists of what they may read.
func MemberOf(ctx context.Context, q db.Querier, organizationID id.Organization, userID id.User) (Organization, error) {
	return LoadOrganization(ctx, q, account.Caller{User: account.User{ID: userID}}, organizationID)
}
