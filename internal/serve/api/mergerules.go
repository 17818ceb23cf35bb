package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/people/access"
)

// MergeRules say what a change request needs before it may be merged.
type MergeRules struct {
	Type  string      `json:"type" enum:"inherit,rules,none" doc:"inherit takes those of the organization and is for spaces."`
	Rules []MergeRule `json:"rules,omitempty" maxItems:"50" doc:"All are to be met; with the type rules only."`
}

// MergeRule is one thing that a change request needs. Rules that name people have users, custom ones an expression.
type MergeRule struct {
	Rule       string   `json:"rule" doc:"The kind of rule."`
	Users      []string `json:"users,omitempty" maxItems:"100" doc:"Ids of people."`
	Expression string   `json:"expression,omitempty" maxLength:"1024" doc:"An expression over changeRequest, space and user."`
	Message    string   `json:"message,omitempty" maxLength:"256" doc:"What is missing when the expression is not true."`
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

func wireRules(rules change.Rules) MergeRules {
	wire := MergeRules{Type: string(rules.Type)}
	for _, r := range rules.Rules {
		wire.Rules = append(wire.Rules, MergeRule{Rule: string(r.Kind), Users: r.Users, Expression: r.Expression,
			Message: r.Message})
	}
	return wire
}

func (m MergeRules) domain() change.Rules {
	rules := change.Rules{Type: change.RulesType(m.Type)}
	for _, r := range m.Rules {
		rules.Rules = append(rules.Rules, change.Rule{Kind: change.RuleKind(r.Rule), Users: r.Users,
			Expression: r.Expression, Message: r.Message})
	}
	return rules
}

// addOrganizationRules fills in the merge rules of organizations.
func (a *API) addOrganizationRules(ctx context.Context, organizations ...*Organization) error {
	ids := make([]string, len(organizations))
	for i, o := range organizations {
		ids[i] = o.ID
	}
	rules, err := a.Changes.OrganizationRules(ctx, ids)
	if err != nil {
		return err
	}
	for _, o := range organizations {
		if own, ok := rules[o.ID]; ok {
			o.MergeRules = wireRules(own)
		}
	}
	return nil
}

type organizationRulesInput struct {
	Organization string `path:"organizationId"`
	Body         MergeRules
}

// setMergeRules sets the merge rules of an organization.
func (a *API) setMergeRules(ctx context.Context, in *organizationRulesInput) (*body[MergeRules], error) {
	rules := in.Body.domain()
	if err := a.Changes.SetOrganizationRules(ctx, callerOf(ctx), in.Organization, rules); err != nil {
		return nil, err
	}
	return &body[MergeRules]{Body: wireRules(rules)}, nil
}

// getMergeRules answers the merge rules of an organization.
func (a *API) getMergeRules(ctx context.Context, in *organizationInput) (*body[MergeRules], error) {
	if _, err := a.Access.RequireOrganization(ctx, callerOf(ctx), in.Organization,
		access.ViewOrganization); err != nil {
		return nil, err
	}
	rules, err := a.Changes.OrganizationRules(ctx, []string{in.Organization})
	if err != nil {
		return nil, err
	}
	found, ok := rules[in.Organization]
	if !ok {
		found.Type = change.NoRules
	}
	return &body[MergeRules]{Body: wireRules(found)}, nil
}

// mergeRuleOperations are those on the merge rules of an organization; a space has its own as a field.
func (a *API) mergeRuleOperations() []operation {
	const address = "/v1/orgs/{organizationId}/merge-rules"
	return []operation{
		row("getMergeRulesOfOrganization", get, address, "Organizations", "Get merge rules", a.getMergeRules,
			describe("What change requests need before they may be merged, in all spaces that inherit.")),
		row("setMergeRulesOfOrganization", http.MethodPut, address, "Organizations", "Set merge rules", a.setMergeRules,
			describe("Takes the place of all rules that were there. It needs the role admin. A space sets its own "+
				"with the field mergeRules.")),
	}
}
