package changes

import (
	"context"
	"net/http"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/people/access"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

type organizationRulesInput struct {
	Organization id.Organization `path:"organizationId"`
	Body         wire.MergeRules
}

// setMergeRules sets the merge rules of an organization.
func (h *Handlers) setMergeRules(ctx context.Context,
	in *organizationRulesInput) (*operation.Body[wire.MergeRules], error) {
	rules := in.Body.Domain()
	if err := h.Changes.SetOrganizationRules(ctx, operation.Caller(ctx), in.Organization, rules); err != nil {
		return nil, err
	}
	return &operation.Body[wire.MergeRules]{Body: wire.MergeRulesOf(rules)}, nil
}

// getMergeRules answers the merge rules of an organization.
func (h *Handlers) getMergeRules(ctx context.Context,
	in *wire.OrganizationPath) (*operation.Body[wire.MergeRules], error) {
	if _, err := h.Access.RequireOrganization(ctx, operation.Caller(ctx), in.Organization,
		access.ViewOrganization); err != nil {
		return nil, err
	}
	rules, err := h.Changes.OrganizationRules(ctx, []id.Organization{in.Organization})
	if err != nil {
		return nil, err
	}
	found, ok := rules[in.Organization]
	if !ok {
		found.Type = change.NoRules
	}
	return &operation.Body[wire.MergeRules]{Body: wire.MergeRulesOf(found)}, nil
}

// mergeRuleOperations are those on the merge rules of an organization; a space has its own as a field.
func (h *Handlers) mergeRuleOperations() []operation.Operation {
	const address = "/v1/orgs/{organizationId}/merge-rules"
	return []operation.Operation{
		operation.New("getMergeRulesOfOrganization", http.MethodGet, address, "Organizations", "Get merge rules",
			h.getMergeRules,
			operation.Describe("What change requests need before they may be merged, in all spaces that inherit.")),
		operation.New("setMergeRulesOfOrganization", http.MethodPut, address, "Organizations", "Set merge rules",
			h.setMergeRules,
			operation.Describe(
				"Takes the place of all rules that were there. It needs the role admin. A space sets its own "+
					"with the field mergeRules.")),
	}
}
