package wire

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/change"
)

// MergeRules say what a change request needs before it may be merged.
type MergeRules struct {
	Type  string      `json:"type" enum:"inherit,rules,none" doc:"inherit takes those of the organization and is for spaces."`
	Rules []MergeRule `json:"rules,omitempty" maxItems:"50" doc:"All are to be met; with the type rules only."`
}

// MergeRule is one thing that a change request needs. Rules that name people have users, custom ones an expression.
type MergeRule struct {
	Rule       string    `json:"rule" doc:"The kind of rule."`
	Users      []id.User `json:"users,omitempty" maxItems:"100" doc:"Ids of people."`
	Expression string    `json:"expression,omitempty" maxLength:"1024" doc:"An expression over changeRequest, space and user."`
	Message    string    `json:"message,omitempty" maxLength:"256" doc:"What is missing when the expression is not true."`
}

// TransformSchema lists the kinds of rules.
func (MergeRule) TransformSchema(_ huma.Registry, schema *huma.Schema) *huma.Schema {
	if rule := schema.Properties["rule"]; rule != nil && rule.Enum == nil {
		for _, kind := range []change.RuleKind{
			change.SpecificReviewers, change.OneOfSpecificReviewers, change.AllowBypass, change.OneReview,
			change.OneApproval, change.AllApproved,
			change.AgentReview, change.UpToDate, change.HasSubject, change.HasDescription, change.AuthorMerges,
			change.Custom,
		} {
			rule.Enum = append(rule.Enum, string(kind))
		}
		rule.PrecomputeMessages()
	}
	return schema
}

// MergeRulesOf turns merge rules into their wire form.
func MergeRulesOf(rules change.Rules) MergeRules {
	wire := MergeRules{Type: string(rules.Type)}
	for _, r := range rules.Rules {
		wire.Rules = append(wire.Rules, MergeRule{Rule: string(r.Kind), Users: r.Users, Expression: r.Expression,
			Message: r.Message})
	}
	return wire
}

// Domain turns merge rules of a request into those of the domain.
func (m MergeRules) Domain() change.Rules {
	rules := change.Rules{Type: change.RulesType(m.Type)}
	for _, r := range m.Rules {
		rules.Rules = append(rules.Rules, change.Rule{Kind: change.RuleKind(r.Rule), Users: r.Users,
			Expression: r.Expression, Message: r.Message})
	}
	return rules
}

// AddTo fills in the merge rules of organizations.
func (r RuleReader) AddTo(ctx context.Context, organizations ...*Organization) error {
	ids := make([]id.Organization, len(organizations))
	for i, o := range organizations {
		ids[i] = o.ID
	}
	rules, err := r.Changes.OrganizationRules(ctx, ids)
	if err != nil {
		return err
	}
	for _, o := range organizations {
		if own, ok := rules[o.ID]; ok {
			o.MergeRules = MergeRulesOf(own)
		}
	}
	return nil
}
