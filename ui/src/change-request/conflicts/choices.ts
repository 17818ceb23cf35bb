// What somebody has chosen for the conflicts of a change request and not sent yet. It waits in the browser, apart for
// each person and change request, so that neither a network that is away nor a tab that is closed takes it.
import type { JsonNode } from "../../editor/document";
import type { Conflict } from "../queries";

export type Keep = "main" | "mine" | "both";
export type PartChoice = { keep: Keep } | { nodes: JsonNode[] };
// Choice settles a conflict: by a side, by a value, or part by part, where null is a part that waits.
export type Choice = { keep: "main" | "mine" } | { value: unknown } | { parts: (PartChoice | null)[] };
export type Choices = Record<string, Choice>;

// settled reports whether a choice says all that there is to say.
export const settled = (choice: Choice | undefined): boolean =>
  choice !== undefined && (!("parts" in choice) || choice.parts.every((part) => part !== null));

// withPart returns a choice with one of its parts, of as many as there are, chosen.
export function withPart(choice: Choice | undefined, count: number, at: number, part: PartChoice): Choice {
  const known =
    choice && "parts" in choice && choice.parts.length === count
      ? choice.parts
      : Array<PartChoice | null>(count).fill(null);
  return { parts: known.map((each, index) => (index === at ? part : each)) };
}

// body is a choice as the API takes it.
export function body(choice: Choice) {
  if ("keep" in choice) return { keep: choice.keep };
  if ("value" in choice) return { content: choice.value };
  return {
    parts: choice.parts.map((part) =>
      part && "nodes" in part
        ? { content: { object: "document", data: {}, nodes: part.nodes } }
        : { keep: part?.keep ?? "mine" },
    ),
  };
}

// Step is what is settled on one screen: one conflict, or all that a page or file has about its fields.
export type Step = { id: string; conflicts: Conflict[] };

// steps puts conflicts about fields of one thing together, in the order given.
export function steps(conflicts: readonly Conflict[]): Step[] {
  const made = new Map<string, Step>();
  for (const conflict of conflicts) {
    const id = conflict.kind === "field" ? `field ${(conflict.entries ?? []).join(" ")}` : conflict.id;
    const known = made.get(id);
    if (known) known.conflicts.push(conflict);
    else made.set(id, { id, conflicts: [conflict] });
  }
  return [...made.values()];
}

const keyOf = (user: string, space: string, number: number) => `recto-conflicts ${user} ${space} ${number}`;

// kept returns what was chosen for those conflicts that are still open.
export function kept(user: string, space: string, number: number): Choices {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(keyOf(user, space, number)) ?? "{}");
    return typeof found === "object" && found !== null ? (found as Choices) : {};
  } catch {
    return {};
  }
}

// keep stores choices, and reports whether the browser took them.
export function keep(user: string, space: string, number: number, choices: Choices): boolean {
  const key = keyOf(user, space, number);
  try {
    if (Object.keys(choices).length > 0) localStorage.setItem(key, JSON.stringify(choices));
    else localStorage.removeItem(key);
    return true;
  } catch {
    return false;
  }
}
