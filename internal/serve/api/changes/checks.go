package changes

import (
	"context"
	"slices"

	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/serve/api/operation"
	"github.com/rectodocs/recto/internal/serve/api/wire"
)

// MergeChecks are the merge rules of a change request, met or not.
type MergeChecks struct {
	Object string       `json:"object" enum:"merge-checks"`
	Rules  []MergeCheck `json:"rules" doc:"All of them, in the order of the setting; none once it is merged or archived."`
	Bypass bool         `json:"bypass" doc:"You may merge whatever the rules say."`
}

// MergeCheck is a merge rule and how the change request stands by it.
type MergeCheck struct {
	Rule    string      `json:"rule" doc:"The kind of rule."`
	Met     bool        `json:"met"`
	Missing string      `json:"missing,omitempty" doc:"What is missing, when it is not met."`
	Users   []wire.User `json:"users,omitempty" doc:"The people whom the rule names."`
	Message string      `json:"message,omitempty" doc:"What a custom rule says of itself."`
}

// getMergeChecks answers every merge rule of a change request.
func (h *Handlers) getMergeChecks(ctx context.Context,
	in *struct{ wire.ChangeRequestPath }) (*operation.Body[MergeChecks], error) {
	checks, err := h.Changes.Checks(ctx, operation.Caller(ctx), in.Space, in.ChangeRequest)
	if err != nil {
		return nil, err
	}
	var named []id.User
	for _, check := range checks.Rules {
		named = append(named, check.Rule.Users...)
	}
	slices.Sort(named)
	users, err := h.UserReader.ByID(ctx, slices.Compact(named))
	if err != nil {
		return nil, err
	}
	answer := MergeChecks{Object: "merge-checks", Rules: []MergeCheck{}, Bypass: checks.Bypass}
	for _, check := range checks.Rules {
		one := MergeCheck{Rule: string(check.Rule.Kind), Met: check.Missing == "", Missing: check.Missing,
			Message: check.Rule.Message}
		for _, user := range check.Rule.Users {
			one.Users = append(one.Users, h.Wire.KnownUser(users, user))
		}
		answer.Rules = append(answer.Rules, one)
	}
	return &operation.Body[MergeChecks]{Body: answer}, nil
}
