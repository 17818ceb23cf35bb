package change

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rectodocs/recto/internal/base/errs"
	"github.com/rectodocs/recto/internal/base/field"
	"github.com/rectodocs/recto/internal/base/id"
	"github.com/rectodocs/recto/internal/engine/expr"
)

// RuleKind names something that a change request needs before it may be merged.
type RuleKind string

// Kinds of merge rules. A review counts while it is not outdated, that is for the content that it was made of; of
// several by one person the last one counts.
const (
	// SpecificReviewers: everybody in Users has approved.
	SpecificReviewers RuleKind = "require_specific_reviewers"
	// OneOfSpecificReviewers: somebody in Users has approved.
	OneOfSpecificReviewers RuleKind = "require_one_of_specific_reviewers"
	// AllowBypass: people in Users may merge whatever the other rules say.
	AllowBypass RuleKind = "allow_bypass"
	// OneReview: there is a review, of either status.
	OneReview RuleKind = "require_at_least_one_review"
	// OneApproval: somebody has approved.
	OneApproval RuleKind = "require_at_least_one_approved_review"
	// AllApproved: nobody's last review asks for changes, outdated or not, and everybody who was asked for a review has
	// approved.
	AllApproved RuleKind = "require_all_reviews_approved"
	// AgentReview: an agent has reviewed. There are no agents on this server, so only who may bypass merges then.
	AgentReview RuleKind = "require_agent_review"
	// UpToDate: the change request is not outdated.
	UpToDate RuleKind = "require_up_to_date_change_request"
	// HasSubject and HasDescription: it has one.
	HasSubject     RuleKind = "require_change_request_subject"
	HasDescription RuleKind = "require_change_request_description"
	// AuthorMerges: who made it merges it.
	AuthorMerges RuleKind = "require_author_to_merge"
	// Custom: Expression is true.
	Custom RuleKind = "custom"
)

// Limits of merge rules.
const (
	// MaxRules is the most rules of an organization or a space.
	MaxRules = 50
	// MaxRuleUsers is the most people that a rule names.
	MaxRuleUsers = 100
	// MaxRuleMessage is the greatest length of the message of a custom rule, in characters.
	MaxRuleMessage = 256
)

// Rule is one thing that a change request needs before it may be merged.
type Rule struct {
	Kind RuleKind `json:"rule"`
	// Users are the ids of people, where the kind names people.
	Users []id.User `json:"users,omitempty"`
	// Expression is that of a custom rule; see package expr. It reads changeRequest, space and user as Facts describes.
	Expression string `json:"expression,omitempty"`
	// Message says what is missing when a custom rule is not met; "" for a message that quotes the expression.
	Message string `json:"message,omitempty"`
}

// RulesType says where the merge rules of a space come from.
type RulesType string

// Types of settings.
const (
	// InheritRules are those of the organization; only spaces inherit.
	InheritRules RulesType = "inherit"
	// NoRules let everybody with the role review merge.
	NoRules RulesType = "none"
	// OwnRules are those of the setting itself.
	OwnRules RulesType = "rules"
)

// Rules is the setting of an organization or a space.
type Rules struct {
	Type RulesType `json:"type"`
	// Rules are all to be met; only with OwnRules.
	Rules []Rule `json:"rules,omitempty"`
}

// check refuses a setting that is not well formed. Whether its people are there is for the caller to find out.
func (r Rules) check(path string) error {
	if err := field.OneOf(path+".type", r.Type, InheritRules, NoRules, OwnRules); err != nil {
		return err
	}
	if r.Type != OwnRules && len(r.Rules) > 0 {
		return errs.Invalidf(path+".rules", "is for the type %s; leave it out", OwnRules)
	}
	if len(r.Rules) > MaxRules {
		return errs.Invalidf(path+".rules", "has %d rules; up to %d are accepted", len(r.Rules), MaxRules)
	}
	for i, rule := range r.Rules {
		if err := rule.check(fmt.Sprintf("%s.rules[%d]", path, i)); err != nil {
			return err
		}
	}
	return nil
}

func (r Rule) check(path string) error {
	err := field.OneOf(path+".rule", r.Kind, SpecificReviewers, OneOfSpecificReviewers, AllowBypass, OneReview,
		OneApproval,
		AllApproved, AgentReview, UpToDate, HasSubject, HasDescription, AuthorMerges, Custom)
	if err != nil {
		return err
	}
	if named := r.namesPeople(); named && (len(r.Users) == 0 || len(r.Users) > MaxRuleUsers) {
		return errs.Invalidf(path+".users", "names %d people; 1 to %d are accepted", len(r.Users), MaxRuleUsers)
	} else if !named && len(r.Users) > 0 {
		return errs.Invalidf(path+".users", "is not for this rule; leave it out")
	}
	if r.Kind != Custom {
		if r.Expression != "" || r.Message != "" {
			return errs.Invalidf(path, "has an expression or a message; only custom rules have them")
		}
		return nil
	}
	if strings.TrimSpace(r.Expression) == "" {
		return errs.Invalidf(path+".expression",
			"is missing; a custom rule needs one, such as changeRequest.subject.length > 10")
	}
	if _, err := expr.ParseCondition(r.Expression); err != nil {
		return errs.Invalidf(path+".expression", "%s", err.Error())
	}
	_, err = field.Text(path+".message", r.Message, 0, MaxRuleMessage)
	return err
}

func (r Rule) namesPeople() bool {
	return r.Kind == SpecificReviewers || r.Kind == OneOfSpecificReviewers || r.Kind == AllowBypass
}

// people returns the ids of all people that the rules name, with the path of each.
func (r Rules) people(path string) map[id.User]string {
	found := map[id.User]string{}
	for i, rule := range r.Rules {
		for j, user := range rule.Users {
			found[user] = fmt.Sprintf("%s.rules[%d].users[%d]", path, i, j)
		}
	}
	return found
}

// Verdict is the last review of a person.
type Verdict struct {
	Reviewer id.User
	Status   ReviewStatus
	Outdated bool
}

// Facts are what merge rules look at. A custom rule reads them as changeRequest.id, number, subject, description,
// status, createdBy, outdated, reviews (each with reviewer, status and outdated), requestedReviewers and contributors,
// as space.id, and as user.id, who merges. People are ids. What Deps.Facts adds is part of changeRequest.
type Facts struct {
	Request Request
	// Merger is the id of the user who merges.
	Merger       id.User
	Verdicts     []Verdict
	Requested    []id.User
	Contributors []id.User
	// More are further properties of changeRequest.
	More map[string]any
}

// Unmet is a rule that a change request does not meet.
type Unmet struct {
	Rule RuleKind
	// Message says what is missing.
	Message string
}

// Check is a merge rule with how a change request stands by it.
type Check struct {
	Rule Rule
	// Missing says what is missing; "" when the rule is met.
	Missing string
}

// Checks are all merge rules of a change request, as they are for one who would merge it.
type Checks struct {
	Rules []Check
	// Bypass says that they may merge whatever the rules say.
	Bypass bool
}

// checks looks at every rule.
func (r Rules) checks(ctx context.Context, facts Facts) Checks {
	var checks Checks
	for _, rule := range r.Rules {
		if rule.Kind == AllowBypass {
			checks.Bypass = checks.Bypass || slices.Contains(rule.Users, facts.Merger)
			continue
		}
		checks.Rules = append(checks.Rules, Check{Rule: rule, Missing: rule.missing(ctx, facts)})
	}
	return checks
}

// evaluate returns the rules that are not met; none for somebody who may bypass them.
func (r Rules) evaluate(ctx context.Context, facts Facts) []Unmet {
	checks := r.checks(ctx, facts)
	if checks.Bypass {
		return nil
	}
	var unmet []Unmet
	for _, check := range checks.Rules {
		if check.Missing != "" {
			unmet = append(unmet, Unmet{Rule: check.Rule.Kind, Message: check.Missing})
		}
	}
	return unmet
}

// missing says what a rule misses, "" when it is met.
func (r Rule) missing(ctx context.Context, facts Facts) string {
	unless := func(met bool, message string) string {
		if met {
			return ""
		}
		return message
	}
	approved := func(user id.User) bool { return facts.approvedBy(user) }
	switch r.Kind {
	case AllowBypass:
		return ""
	case SpecificReviewers:
		var open []string
		for _, user := range r.Users {
			if !approved(user) {
				open = append(open, string(user))
			}
		}
		return unless(len(open) == 0, "an approval by "+strings.Join(open, " and by "))
	case OneOfSpecificReviewers:
		return unless(slices.ContainsFunc(r.Users, approved), "an approval by "+strings.Join(id.Texts(r.Users), " or "))
	case OneReview:
		return unless(slices.ContainsFunc(facts.Verdicts, func(v Verdict) bool { return !v.Outdated }),
			"a review of its present content")
	case OneApproval:
		return unless(slices.ContainsFunc(facts.Verdicts, Verdict.approves), "an approval of its present content")
	case AllApproved:
		refused := slices.ContainsFunc(facts.Verdicts, func(v Verdict) bool { return v.Status == ChangesRequested })
		asked := slices.ContainsFunc(facts.Requested, func(user id.User) bool { return !approved(user) })
		return unless(!refused && !asked, "the approval of everybody who has reviewed it or was asked to")
	case AgentReview:
		return "a review by an agent, and there are none on this server: take the rule away, or let somebody merge " +
			"who may bypass it"
	case UpToDate:
		return unless(!facts.Request.Outdated, "to be up to date with the main content: update it first")
	case HasSubject:
		return unless(strings.TrimSpace(facts.Request.Subject) != "", "a subject")
	case HasDescription:
		return unless(strings.TrimSpace(facts.Request.Description) != "", "a description")
	case AuthorMerges:
		return unless(facts.Request.CreatedBy == facts.Merger, "to be merged by who made it")
	case Custom:
		return r.missingCustom(ctx, facts)
	}
	return "a rule that this server does not know: " + string(r.Kind)
}

// missingCustom says what a custom rule misses. One that cannot be computed, or whose value is not there, is not met.
func (r Rule) missingCustom(ctx context.Context, facts Facts) string {
	message := r.Message
	if message == "" {
		message = "that " + r.Expression
	}
	program, err := expr.ParseCondition(r.Expression)
	if err != nil {
		return message + " (" + err.Error() + ")"
	}
	value, err := program.Eval(ctx, facts.context(), expr.Limits{})
	if err != nil {
		return message + " (" + err.Error() + ")"
	}
	if _, missing := value.(expr.Missing); missing || !expr.Truthy(value) {
		return message
	}
	return ""
}

func (v Verdict) approves() bool { return v.Status == Approved && !v.Outdated }

func (f Facts) approvedBy(user id.User) bool {
	return slices.ContainsFunc(f.Verdicts, func(v Verdict) bool { return v.Reviewer == user && v.approves() })
}

// context is what a custom rule reads.
func (f Facts) context() map[string]any {
	reviews := make([]any, 0, len(f.Verdicts))
	for _, v := range f.Verdicts {
		reviews = append(reviews, map[string]any{"reviewer": string(v.Reviewer), "status": string(v.Status),
			"outdated": v.Outdated})
	}
	request := map[string]any{}
	maps.Copy(request, f.More)
	maps.Copy(request, map[string]any{
		"id": string(f.Request.ID), "number": f.Request.Number, "subject": f.Request.Subject,
		"description": f.Request.Description,
		"status":      string(f.Request.Status), "createdBy": string(f.Request.CreatedBy),
		"outdated": f.Request.Outdated,
		"reviews":  reviews, "requestedReviewers": list(id.Texts(f.Requested)),
		"contributors": list(id.Texts(f.Contributors)),
	})
	return map[string]any{
		"changeRequest": request,
		"space":         map[string]any{"id": string(f.Request.Space)},
		"user":          map[string]any{"id": string(f.Merger)},
	}
}

func list(words []string) []any {
	out := make([]any, len(words))
	for i, word := range words {
		out[i] = word
	}
	return out
}

// refusal is the error of a change request that does not meet its rules.
func refusal(unmet []Unmet) error {
	parts := make([]string, len(unmet))
	err := errs.Conflictf("")
	for i, u := range unmet {
		parts[i] = u.Message
		err.Details = append(err.Details, errs.Detail{Path: string(u.Rule), Message: "It needs " + u.Message + "."})
	}
	err.Message = "The merge rules do not let this change request through. It needs " + strings.Join(parts, "; ") + "."
	return err
}
