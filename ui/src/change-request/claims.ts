// The claims that one looks at a preview with: what the form has, and what is sent.
import type { Schemas } from "../api/client";

export type Claim = Schemas["OfferedClaim"];
// Chosen is what was put into the form, by the name of the claim: texts as they are typed, lists as they are ticked.
export type Chosen = Record<string, string | string[]>;

export const nameOf = (claim: Claim): string => (claim.path ?? []).join(".");

// listed are the values that a claim is offered with: all that it may have, or what conditions compare it with.
export const listed = (claim: Claim): string[] => (claim.choices?.length ? claim.choices : (claim.values ?? []));

// valueOf reads what was put in, undefined when nothing was or it is none of its kind.
function valueOf(claim: Claim, given: string | string[] | undefined): unknown {
  if (given === undefined || given.length === 0) return undefined;
  if (claim.kind === "array") {
    const list = typeof given === "string" ? given.split(",") : given;
    const kept = list.map((each) => each.trim()).filter(Boolean);
    return kept.length > 0 ? kept : undefined;
  }
  const text = String(given);
  if (claim.kind === "boolean") return text === "true";
  if (claim.kind !== "number") return text;
  const number = Number(text);
  return text.trim() === "" || !Number.isFinite(number) ? undefined : number;
}

// claimsOf are the claims as the API takes them: one in another stands in it.
export function claimsOf(claims: readonly Claim[], chosen: Chosen): Record<string, unknown> {
  const made: Record<string, unknown> = {};
  for (const claim of claims) {
    const value = valueOf(claim, chosen[nameOf(claim)]);
    const path = claim.path ?? [];
    const last = path.at(-1);
    if (value === undefined || last === undefined) continue;
    let at = made;
    for (const name of path.slice(0, -1)) at = (at[name] ??= {}) as Record<string, unknown>;
    at[last] = value;
  }
  return made;
}
