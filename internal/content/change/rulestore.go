package change

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/platform/db"
)

// OrganizationRules returns the merge rules of organizations by their ids; an organization without a setting is absent,
// and has none. It checks no access.
func (s *Service) OrganizationRules(ctx context.Context,
	organizationIDs []id.Organization) (map[id.Organization]Rules, error) {
	return readRules(ctx, s.deps.DB.Read(), "merge_rules_organization", "organization_id", organizationIDs)
}

// SpaceRules returns the merge rules of spaces by their ids; a space without a setting is absent, and inherits. It
// checks no access.
func (s *Service) SpaceRules(ctx context.Context, spaceIDs []id.Space) (map[id.Space]Rules, error) {
	return readRules(ctx, s.deps.DB.Read(), "merge_rules_space", "space_id", spaceIDs)
}

// SetOrganizationRules sets the merge rules of an organization. It needs the role admin. An organization has nobody to
// inherit from.
func (s *Service) SetOrganizationRules(ctx context.Context, caller account.Caller, organizationID id.Organization,
	rules Rules) error {
	return s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		if _, err := access.RequireOrganization(ctx, q, caller, organizationID,
			access.AdministerOrganization); err != nil {
			return err
		}
		if rules.Type == InheritRules {
			return errs.Invalidf("mergeRules.type",
				"may not be %s: an organization has nobody to inherit from; %s and %s are accepted", InheritRules,
				NoRules, OwnRules)
		}
		if err := checkRules(ctx, q, organizationID, rules); err != nil {
			return err
		}
		return s.writeRules(ctx, q, "merge_rules_organization", "organization_id", string(organizationID), rules)
	})
}

// CheckSpaceRules refuses what SetSpaceRules would refuse, and changes nothing.
func (s *Service) CheckSpaceRules(ctx context.Context, caller account.Caller, spaceID id.Space, rules Rules) error {
	allowed, err := access.RequireSpace(ctx, s.deps.DB.Read(), caller, spaceID, access.ManageSpace)
	if err != nil {
		return err
	}
	return checkRules(ctx, s.deps.DB.Read(), allowed.Organization, rules)
}

// SetSpaceRules sets the merge rules of a space. It needs the role create in the space.
func (s *Service) SetSpaceRules(ctx context.Context, caller account.Caller, spaceID id.Space, rules Rules) error {
	return s.deps.DB.Tx(ctx, func(ctx context.Context, q db.Querier) error {
		allowed, err := access.RequireSpace(ctx, q, caller, spaceID, access.ManageSpace)
		if err != nil {
			return err
		}
		if err := checkRules(ctx, q, allowed.Organization, rules); err != nil {
			return err
		}
		return s.writeRules(ctx, q, "merge_rules_space", "space_id", string(spaceID), rules)
	})
}

// checkRules refuses rules that are not well formed or name people who are no members of the organization.
func checkRules(ctx context.Context, q db.Querier, organizationID id.Organization, rules Rules) error {
	if err := rules.check("mergeRules"); err != nil {
		return err
	}
	people := rules.people("mergeRules")
	if len(people) == 0 {
		return nil
	}
	members, err := membersAmong(ctx, q, organizationID, slices.Collect(maps.Keys(people)))
	if err != nil {
		return err
	}
	for user, path := range people {
		if !members[user] {
			return errs.Invalidf(path, "%.60q is no member of the organization", user)
		}
	}
	return nil
}

// membersAmong returns those of the users who are members of an organization.
func membersAmong(ctx context.Context, q db.Querier, organizationID id.Organization,
	users []id.User) (map[id.User]bool, error) {
	members := map[id.User]bool{}
	for ids := range slices.Chunk(users, batch) {
		args := []any{organizationID}
		for _, user := range ids {
			if strings.ContainsRune(string(user), 0) {
				continue // nobody's id, and PostgreSQL refuses it
			}
			args = append(args, user)
		}
		if len(args) == 1 {
			continue
		}
		found, err := texts(ctx, q,
			`SELECT user_id FROM organization_member WHERE organization_id = $1 AND user_id IN (`+
				db.Placeholders(2, len(args)-1)+`)`, args...)
		if err != nil {
			return nil, fmt.Errorf("select members: %w", err)
		}
		for _, user := range found {
			members[user] = true
		}
	}
	return members, nil
}

// texts reads a column of text.
func texts(ctx context.Context, q db.Querier, query string, args ...any) ([]id.User, error) {
	return db.All(ctx, q, "", db.Column[id.User], query, args...)
}

// writeRules stores a setting; table and column are words of this file.
func (s *Service) writeRules(ctx context.Context, q db.Querier, table, column, id string, rules Rules) error {
	encoded, err := json.Marshal(rules)
	if err != nil {
		return fmt.Errorf("encode merge rules: %w", err)
	}
	_, err = q.ExecContext(ctx, `INSERT INTO `+table+` (`+column+`, rules, updated_at) VALUES ($1, $2, $3)
		ON CONFLICT (`+column+`) DO UPDATE SET rules = excluded.rules, updated_at = excluded.updated_at`,
		id, string(encoded), s.clock().UnixMicro())
	if err != nil {
		return fmt.Errorf("store merge rules: %w", err)
	}
	return nil
}

func readRules[T ~string](ctx context.Context, q db.Querier, table, column string, ids []T) (map[T]Rules, error) {
	found := make(map[T]Rules, len(ids))
	for chunk := range slices.Chunk(ids, batch) {
		args := make([]any, len(chunk))
		for i, id := range chunk {
			args[i] = id
		}
		if err := addRules(ctx, q, found, table, column, args); err != nil {
			return nil, fmt.Errorf("read merge rules: %w", err)
		}
	}
	return found, nil
}

func addRules[T ~string](ctx context.Context, q db.Querier, found map[T]Rules, table, column string,
	ids []any) error {
	return db.Each(ctx, q, "", func(row db.Scanner) error {
		var id T
		var encoded string
		if err := row.Scan(&id, &encoded); err != nil {
			return err
		}
		var rules Rules
		if err := json.Unmarshal([]byte(encoded), &rules); err != nil {
			return err
		}
		found[id] = rules
		return nil
	}, `SELECT `+column+`, rules FROM `+table+` WHERE `+column+` IN (`+db.Placeholders(1,
		len(ids))+`)`, ids...)
}

// rulesFor returns the rules that a change request has to meet: those of its space, or of its organization.
func rulesFor(ctx context.Context, q db.Querier, r Request) (Rules, error) {
	var space, organization sql.NullString
	err := q.QueryRowContext(ctx, `SELECT (SELECT rules FROM merge_rules_space WHERE space_id = $1),
		(SELECT rules FROM merge_rules_organization WHERE organization_id = $2)`, r.Space, r.Organization).
		Scan(&space, &organization)
	if err != nil {
		return Rules{}, fmt.Errorf("read merge rules: %w", err)
	}
	for _, encoded := range []sql.NullString{space, organization} {
		var rules Rules
		if !encoded.Valid {
			continue
		}
		if err := json.Unmarshal([]byte(encoded.String), &rules); err != nil {
			return Rules{}, fmt.Errorf("decode merge rules: %w", err)
		}
		if rules.Type != InheritRules {
			return rules, nil
		}
	}
	return Rules{}, nil
}

// moreFacts returns what Hooks.Facts says of a change request, if there are rules that may ask.
func (s *Service) moreFacts(ctx context.Context, rules Rules, r Request) (map[string]any, error) {
	if !slices.ContainsFunc(rules.Rules, func(rule Rule) bool { return rule.Kind == Custom }) {
		return nil, nil
	}
	more, err := s.hooks.Get().Facts(ctx, r)
	if err != nil {
		return nil, fmt.Errorf("gather facts for merge rules: %w", err)
	}
	return more, nil
}

// require returns an errs.Conflict error that names each of the rules which stands in the way of a merge. more is what
// moreFacts has returned.
func (r Rules) require(ctx context.Context, q db.Querier, request Request, merger id.User,
	more map[string]any) error {
	if len(r.Rules) == 0 {
		return nil
	}
	facts, err := factsOf(ctx, q, request, merger, more)
	if err != nil {
		return err
	}
	if unmet := r.evaluate(ctx, facts); len(unmet) > 0 {
		return refusal(unmet)
	}
	return nil
}

// Checks returns every merge rule of a change request that is a draft or open, met or not, as they are for the caller;
// of others none.
func (s *Service) Checks(ctx context.Context, caller account.Caller, spaceID id.Space,
	idOrNumber id.ChangeRequest) (Checks, error) {
	q := s.deps.DB.Read()
	_, r, err := s.current(ctx, caller, spaceID, idOrNumber, access.ViewSpace)
	if err != nil || r.Status.requireWritable() != nil {
		return Checks{}, err
	}
	rules, err := rulesFor(ctx, q, r)
	if err != nil || len(rules.Rules) == 0 {
		return Checks{}, err
	}
	more, err := s.moreFacts(ctx, rules, r)
	if err != nil {
		return Checks{}, err
	}
	facts, err := factsOf(ctx, q, r, caller.User.ID, more)
	if err != nil {
		return Checks{}, err
	}
	return rules.checks(ctx, facts), nil
}

// factsOf gathers what merge rules look at.
func factsOf(ctx context.Context, q db.Querier, r Request, merger id.User, more map[string]any) (Facts, error) {
	var err error
	facts := Facts{Request: r, Merger: merger, More: more}
	if facts.Verdicts, err = verdicts(ctx, q, r); err != nil {
		return facts, err
	}
	if facts.Requested, err = texts(ctx, q,
		`SELECT user_id FROM change_request_reviewer WHERE change_request_id = $1 ORDER BY user_id`, r.ID); err != nil {
		return facts, fmt.Errorf("list requested reviewers: %w", err)
	}
	if facts.Contributors, err = texts(ctx, q,
		`SELECT user_id FROM change_request_contributor WHERE change_request_id = $1 ORDER BY user_id`,
		r.ID); err != nil {
		return facts, fmt.Errorf("list contributors: %w", err)
	}
	return facts, nil
}
