// The rules that a merge may need, as a person sets them.
import type { Schemas } from "../api/client";

export type Rules = Schemas["MergeRules"];
export type Rule = Schemas["MergeRule"];

// simple are the rules that are on or off.
export const simple = [
  "require_at_least_one_review",
  "require_at_least_one_approved_review",
  "require_all_reviews_approved",
  "require_up_to_date_change_request",
  "require_change_request_subject",
  "require_change_request_description",
  "require_author_to_merge",
] as const;

// named are the rules about certain people.
export const named = ["require_specific_reviewers", "require_one_of_specific_reviewers", "allow_bypass"] as const;

// has says whether a rule of a kind is set.
export const has = (rules: Rule[], kind: Rule["rule"]) => rules.some(({ rule }) => rule === kind);

// toggled sets or takes away a rule that is on or off.
export const toggled = (rules: Rule[], kind: Rule["rule"], on: boolean): Rule[] =>
  on ? [...rules.filter(({ rule }) => rule !== kind), { rule: kind }] : rules.filter(({ rule }) => rule !== kind);

// forPeople sets whom a rule is about; nobody takes it away.
export function forPeople(rules: Rule[], kind: Rule["rule"], users: string[]): Rule[] {
  const rule: Rule = { rule: kind, users };
  const at = rules.findIndex((each) => each.rule === kind);
  if (users.length === 0) return rules.filter((each) => each.rule !== kind);
  return at < 0 ? [...rules, rule] : rules.with(at, rule);
}
