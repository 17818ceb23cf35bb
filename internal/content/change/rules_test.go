package change_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/base/optional"
	"github.com/rectodocs/recto/internal/base/required/requiredtest"
	"github.com/rectodocs/recto/internal/content/change"
	"github.com/rectodocs/recto/internal/people/account"
	"github.com/rectodocs/recto/internal/people/org"
)

func (h *fixture) setRules(rules ...change.Rule) {
	h.Helper()
	if err := h.SetSpaceRules(h.Context(), h.Admin(), h.space, change.Rules{Type: change.OwnRules,
		Rules: rules}); err != nil {
		h.Fatal(err)
	}
}

func (h *fixture) review(r change.Request, caller account.Caller, status change.ReviewStatus) change.Review {
	h.Helper()
	made, err := h.Submit(h.Context(), caller, h.space, r.ID, change.NewReview{Status: status})
	if err != nil {
		h.Fatal(err)
	}
	return made
}

// TestMergeRules holds every kind of rule, met and not met. Each case begins with a change request of the editor that
// has content and neither subject nor description.
func TestMergeRules(t *testing.T) {
	each(t, func(h *fixture) {
		admin, reviewer, creator := h.Admin(), h.Reviewer(), h.Members[org.RoleCreate]
		both := []id.User{admin.User.ID, reviewer.User.ID}
		nothing := func(change.Request) {}
		approve := func(callers ...account.Caller) func(change.Request) {
			return func(r change.Request) {
				for _, caller := range callers {
					h.review(r, caller, change.Approved)
				}
			}
		}
		reject := func(r change.Request) { h.review(r, reviewer, change.ChangesRequested) }
		then := func(steps ...func(change.Request)) func(change.Request) {
			return func(r change.Request) {
				for _, step := range steps {
					step(r)
				}
			}
		}
		edit := func(r change.Request) { h.write(r.Branch, fmt.Sprintf("p%d", r.Number), "Edited") }
		ask := func(r change.Request) {
			if _, err := h.RequestReviews(h.Context(), h.Editor(), h.space, r.ID, []id.User{reviewer.User.ID},
				change.Edit{}); err != nil {
				h.Fatal(err)
			}
		}
		behind := func(r change.Request) { h.write("", fmt.Sprintf("main%d", r.Number), "Moved") }
		set := func(e change.Edit) func(change.Request) {
			return func(r change.Request) {
				if _, err := h.Update(h.Context(), h.Editor(), h.space, r.ID, e); err != nil {
					h.Fatal(err)
				}
			}
		}
		custom := func(expression string) change.Rule {
			return change.Rule{Kind: change.Custom, Expression: expression}
		}
		tests := []struct {
			name  string
			rule  change.Rule
			setup func(change.Request)
			met   bool
		}{
			{"specific: none", change.Rule{Kind: change.SpecificReviewers, Users: both}, nothing, false},
			{"specific: one of two", change.Rule{Kind: change.SpecificReviewers, Users: both}, approve(admin), false},
			{"specific: both", change.Rule{Kind: change.SpecificReviewers, Users: both}, approve(admin, reviewer),
				true},
			{"specific: both, then an edit", change.Rule{Kind: change.SpecificReviewers, Users: both},
				then(approve(admin, reviewer), edit), false},
			{"one of: somebody else", change.Rule{Kind: change.OneOfSpecificReviewers, Users: both}, approve(creator),
				false},
			{"one of: one", change.Rule{Kind: change.OneOfSpecificReviewers, Users: both}, approve(reviewer), true},
			{"one of: refused", change.Rule{Kind: change.OneOfSpecificReviewers, Users: both}, reject, false},
			{"bypass alone", change.Rule{Kind: change.AllowBypass, Users: both}, nothing, true},
			{"a review: none", change.Rule{Kind: change.OneReview}, nothing, false},
			{"a review: one that refuses", change.Rule{Kind: change.OneReview}, reject, true},
			{"a review: outdated", change.Rule{Kind: change.OneReview}, then(reject, edit), false},
			{"an approval: none", change.Rule{Kind: change.OneApproval}, nothing, false},
			{"an approval: refused", change.Rule{Kind: change.OneApproval}, reject, false},
			{"an approval: one", change.Rule{Kind: change.OneApproval}, approve(creator), true},
			{"an approval: taken back", change.Rule{Kind: change.OneApproval}, then(approve(reviewer), reject), false},
			{"all: nobody asked", change.Rule{Kind: change.AllApproved}, nothing, true},
			{"all: one refuses", change.Rule{Kind: change.AllApproved}, then(approve(admin), reject), false},
			{"all: refused long ago", change.Rule{Kind: change.AllApproved}, then(reject, edit), false},
			{"all: asked and silent", change.Rule{Kind: change.AllApproved}, ask, false},
			{"all: asked and approved", change.Rule{Kind: change.AllApproved}, then(ask, approve(reviewer)), true},
			{"agent", change.Rule{Kind: change.AgentReview}, approve(admin), false},
			{"up to date: yes", change.Rule{Kind: change.UpToDate}, nothing, true},
			{"up to date: no", change.Rule{Kind: change.UpToDate}, behind, false},
			{"up to date: again", change.Rule{Kind: change.UpToDate}, then(behind, func(r change.Request) {
				h.pull(r)
			}), true},
			{"subject: none", change.Rule{Kind: change.HasSubject}, nothing, false},
			{"subject: one", change.Rule{Kind: change.HasSubject}, set(change.Edit{Subject: optional.Of("Why")}), true},
			{"description: none", change.Rule{Kind: change.HasDescription},
				set(change.Edit{Subject: optional.Of("Why")}), false},
			{"description: blank", change.Rule{Kind: change.HasDescription},
				set(change.Edit{Description: optional.Of(" \n")}), false},
			{"description: one", change.Rule{Kind: change.HasDescription},
				set(change.Edit{Description: optional.Of("Why.")}), true},
			{"author", change.Rule{Kind: change.AuthorMerges}, nothing, false},
			{"custom: true", custom(
				`changeRequest.number > 0 && changeRequest.status === "draft" && !changeRequest.outdated`), nothing,
				true},
			{"custom: false", custom(`changeRequest.subject.length > 3`), nothing, false},
			{"custom: reviews", custom(
				`changeRequest.reviews.filter(r => r.status === "approved" && !r.outdated).length > 1`),
				approve(admin, reviewer), true},
			{"custom: people", custom(
				"changeRequest.contributors.length === 1 && user.id !== changeRequest.createdBy && " +
					"space.id.length > 0"),
				nothing, true},
			{"custom: nothing there", custom(`changeRequest.nothing.deep`), nothing, false},
			{"custom: cannot be computed", custom(`changeRequest.number.toFixed(-1)`), nothing, false},
		}
		for _, test := range tests {
			h.setRules()
			r := h.propose("")
			h.write(r.Branch, fmt.Sprintf("p%d", r.Number), "New")
			test.setup(r)
			h.setRules(test.rule)
			before := h.history()[0].ID
			for _, dry := range []bool{true, false} {
				_, err := h.Merge(h.Context(), reviewer, h.space, r.ID, "", dry)
				if test.met != (err == nil) {
					h.Errorf("%s, dry %v: %v", test.name, dry, err)
				}
				if err != nil && (!errs.Is(err, errs.Conflict) || detail(err) != " "+string(test.rule.Kind)) {
					h.Errorf("%s, dry %v: %v names %q", test.name, dry, err, detail(err))
				}
			}
			if merged := h.history()[0].ID != before; merged != test.met ||
				(h.get(r.ID).Status == change.Merged) != test.met {
				h.Errorf("%s: merged %v", test.name, merged)
			}
		}
	})
}

func TestMergeRulesTogether(t *testing.T) {
	each(t, func(h *fixture) {
		h.setRules(
			change.Rule{Kind: change.HasSubject},
			change.Rule{Kind: change.Custom, Expression: "false", Message: "a better day"},
			change.Rule{Kind: change.AllowBypass, Users: []id.User{h.Admin().User.ID}},
		)
		r := h.propose("")
		h.write(r.Branch, "a", "A")
		_, err := h.merge(r)
		wantKind(h.T, err, errs.Conflict, "It needs a subject; a better day.")
		if detail(err) != " require_change_request_subject custom" {
			h.Errorf("details %q", detail(err))
		}
		if _, err := h.Merge(h.Context(), h.Admin(), h.space, r.ID, "", false); err != nil {
			h.Errorf("who may bypass: %v", err)
		}

		// The author may review and merge when the role allows it.
		h.setRules(change.Rule{Kind: change.AuthorMerges})
		own, err := h.Create(h.Context(), h.Reviewer(), h.space, change.New{})
		if err != nil {
			h.Fatal(err)
		}
		if _, err := h.merge(own); err != nil {
			h.Errorf("the author: %v", err)
		}
	})
}

// TestRulesOfOrganization holds where the rules of a space come from, and who may set them.
func TestRulesOfOrganization(t *testing.T) {
	each(t, func(h *fixture) {
		rules := change.Rules{Type: change.OwnRules, Rules: []change.Rule{{Kind: change.HasSubject}}}
		for _, role := range []org.Role{org.RoleGuest, org.RoleRead, org.RoleReview, org.RoleCreate} {
			if err := h.SetOrganizationRules(h.Context(), h.Members[role], h.Organization, rules); !errs.Is(err,
				errs.Forbidden) {
				h.Errorf("set as %q: %v", role, err)
			}
		}
		if err := h.SetSpaceRules(h.Context(), h.Reviewer(), h.space, rules); !errs.Is(err, errs.Forbidden) {
			h.Errorf("set of the space by a reviewer: %v", err)
		}
		if err := h.SetOrganizationRules(h.Context(), h.Admin(), h.Organization, rules); err != nil {
			h.Fatal(err)
		}
		tests := []struct {
			space change.RulesType
			met   bool
		}{{"", false}, {change.NoRules, true}, {change.OwnRules, true}, {change.InheritRules, false}}
		for _, test := range tests {
			if test.space != "" {
				if err := h.SetSpaceRules(h.Context(), h.Members[org.RoleCreate], h.space,
					change.Rules{Type: test.space}); err != nil {
					h.Fatal(err)
				}
			}
			_, err := h.Merge(h.Context(), h.Reviewer(), h.space, h.propose("").ID, "", true)
			if test.met != (err == nil) {
				h.Errorf("%q: %v", test.space, err)
			}
		}
		kept, err := h.OrganizationRules(h.Context(), []id.Organization{h.Organization, "org_0"})
		if err != nil || len(kept) != 1 || kept[h.Organization].Rules[0].Kind != change.HasSubject {
			h.Errorf("kept %+v, %v", kept, err)
		}
		refused := map[string]change.Rules{
			"type":          {Type: "some"},
			"rules":         {Type: change.OwnRules, Rules: make([]change.Rule, change.MaxRules+1)},
			"rules[0].rule": {Type: change.OwnRules, Rules: []change.Rule{{Kind: "x"}}},
			"rules[0].users": {Type: change.OwnRules,
				Rules: []change.Rule{{Kind: change.AllowBypass, Users: make([]id.User, change.MaxRuleUsers+1)}}},
			"users[0]": {Type: change.OwnRules,
				Rules: []change.Rule{{Kind: change.AllowBypass, Users: []id.User{"a\x00b"}}}},
			"expression": {Type: change.OwnRules,
				Rules: []change.Rule{{Kind: change.Custom, Expression: strings.Repeat("1+", 600) + "1"}}},
			"rules[0].message": {Type: change.OwnRules,
				Rules: []change.Rule{{Kind: change.Custom, Expression: "1", Message: strings.Repeat("x", 257)}}},
		}
		for path, rules := range refused {
			if err := h.SetOrganizationRules(h.Context(), h.Admin(), h.Organization, rules); !errs.Is(err,
				errs.Invalid) || !strings.Contains(detail(err), path) {
				h.Errorf("%s: %v (%s)", path, err, detail(err))
			}
		}
	})
}

// TestFacts holds that custom rules read what Deps.Facts adds, and that nobody else makes it work.
func TestFacts(t *testing.T) {
	each(t, func(h *fixture) {
		asked, broken := 0, 1
		service := requiredtest.Wire(change.NewService(change.Deps{DB: h.db, Content: h.content}),
			change.Hooks{Facts: func(_ context.Context,
				r change.Request) (map[string]any, error) {
				asked++
				return map[string]any{"links": map[string]any{"broken": broken}, "number": 99}, nil
			}})

		r := h.propose("")
		h.write(r.Branch, "a", "A")
		if _, err := service.Merge(h.Context(), h.Reviewer(), h.space, r.ID, "", true); err != nil || asked != 0 {
			h.Errorf("without rules: asked %d times, %v", asked, err)
		}
		h.setRules(change.Rule{Kind: change.Custom,
			Expression: `changeRequest.links.broken === 0 && changeRequest.number === 1`,
			Message:    "links that lead somewhere"})
		_, err := service.Merge(h.Context(), h.Reviewer(), h.space, r.ID, "", false)
		wantKind(h.T, err, errs.Conflict, "links that lead somewhere")
		_, err = h.merge(r) // this service has no facts
		wantKind(h.T, err, errs.Conflict, "links that lead somewhere")
		broken = 0
		if _, err := service.Merge(h.Context(), h.Reviewer(), h.space, r.ID, "", false); err != nil {
			h.Error(err)
		}
	})
}
