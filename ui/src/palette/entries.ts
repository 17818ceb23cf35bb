// What the palette offers, and which of it answers what was typed. Nothing here asks the server.
import { fits } from "../editor/fuzzy";

export type EntryKind = "command" | "space" | "change" | "person" | "site" | "page" | "section";

export interface Entry {
  // id is unique among all entries, and the same the next time.
  id: string;
  kind: EntryKind;
  title: string;
  // about says where it is.
  about?: string;
  // words are what else it is called.
  words?: string;
  // to is a path of the app, href an address elsewhere; a command without both has run.
  to?: string;
  href?: string;
  run?: () => void;
}

// The most entries of one kind.
const most = 5;

// order is how kinds stand when they fit equally well.
const order: EntryKind[] = ["command", "space", "change", "page", "section", "site", "person"];

// matching returns the entries that answer what was typed, the best of each kind, in the order of kinds: rows that are
// there do not jump when answers of the server come below them.
export function matching(entries: Entry[], query: string): Entry[] {
  const scored = entries
    .map((entry) => ({
      entry,
      score: Math.max(fits(query, entry.title) * 2, entry.words ? fits(query, entry.words) * 2 - 1 : 0),
    }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
  return order
    .flatMap((kind) => scored.filter(({ entry }) => entry.kind === kind).slice(0, most))
    .map(({ entry }) => entry);
}

const key = "recto.palette.recent";
const kept = 8;

type Kept = Pick<Entry, "id" | "kind" | "title" | "about" | "to">;

// recents returns what was chosen last in an organization.
export function recents(organization: string): Entry[] {
  try {
    const list: unknown = JSON.parse(localStorage.getItem(`${key}.${organization}`) ?? "[]");
    return Array.isArray(list)
      ? (list as Kept[]).filter((each) => typeof each.to === "string" && typeof each.title === "string")
      : [];
  } catch {
    return [];
  }
}

// remember puts a place first in the list of what was chosen last.
export function remember(organization: string, { id, kind, title, about, to }: Entry): void {
  if (!to) return;
  const made: Kept = { id, kind, title, to, ...(about ? { about } : {}) };
  try {
    localStorage.setItem(
      `${key}.${organization}`,
      JSON.stringify([made, ...recents(organization).filter((each) => each.id !== id)].slice(0, kept)),
    );
  } catch {
    // A browser that keeps nothing loses the list alone.
  }
}
