// What is on a site as the rows of one list: sections, groups of sections, and the spaces in them, which are variants
// of each other.
import type { Schemas } from "../../api/client";

export type Kind = "site-space" | "site-section" | "site-section-group";

type Own =
  | { kind: "site-space"; of: Schemas["SiteSpace"] }
  | { kind: "site-section"; of: Schemas["SiteSection"] }
  | { kind: "site-section-group"; of: Schemas["SiteSectionGroup"] };

// Row is something on a site: how deep it stands, in what, and among which siblings.
export type Row = Own & { id: string; title: string; level: number; parent: string; index: number; siblings: number };

type Any = Schemas["SiteSpace"] | Schemas["SiteSection"] | Schemas["SiteSectionGroup"];

// rowsOf lists what is on a site from top to bottom, each with what is in it below it.
export function rowsOf(structure: readonly unknown[] | null): Row[] {
  const rows: Row[] = [];
  const walk = (list: readonly Any[], level: number, parent: string) =>
    list.forEach((of, index) => {
      const place = { id: of.id, level, parent, index, siblings: list.length };
      if (of.object === "site-space")
        return rows.push({ ...place, kind: of.object, of, title: of.space.title || of.title });
      if (of.object === "site-section") {
        rows.push({ ...place, kind: of.object, of, title: of.title });
        return walk(of.siteSpaces ?? [], level + 1, of.id);
      }
      rows.push({ ...place, kind: of.object, of, title: of.title });
      return walk((of.children ?? []) as Any[], level + 1, of.id);
    });
  walk((structure ?? []) as Any[], 1, "");
  return rows;
}

export type Where = "before" | "after" | "inside";

// Move says what becomes of a row: it stands beside another one, goes into a group, or leaves it.
export type Move =
  | { kind: "beside"; way: "before" | "after"; row: Row }
  | { kind: "into"; group: string }
  | { kind: "out"; group: string };

const depth = (rows: Row[], id: string): number => {
  const row = rows.find((each) => each.id === id);
  return row ? 1 + depth(rows, row.parent) : 0;
};

// dropped says what it means to let go of a row on another one, undefined when it may not be there.
export function dropped(rows: Row[], moved: Row, on: Row, where: Where): Move | undefined {
  if (moved.id === on.id) return undefined;
  if (where === "inside") {
    if (moved.parent === on.id) return undefined;
    if (moved.kind === "site-section" && on.kind === "site-section-group") return { kind: "into", group: on.id };
    const last =
      moved.kind === "site-space" && on.kind === "site-section"
        ? rows.filter((each) => each.parent === on.id).at(-1)
        : undefined;
    return last && { kind: "beside", way: "after", row: last };
  }
  if ((moved.kind === "site-space") !== (on.kind === "site-space")) return undefined;
  // Groups stand at most two deep, and none in itself.
  if (moved.kind === "site-section-group") {
    const within = (id: string): boolean =>
      id === moved.id || (id !== "" && within(rows.find((each) => each.id === id)?.parent ?? ""));
    const holdsGroups = rows.some((each) => each.parent === moved.id && each.kind === "site-section-group");
    if (within(on.parent) || depth(rows, on.parent) + (holdsGroups ? 2 : 1) > 2) return undefined;
  }
  return { kind: "beside", way: where, row: on };
}

// stepped is a row one place further among its siblings.
export function stepped(rows: Row[], moved: Row, way: "up" | "down"): Move | undefined {
  const beside = rows.filter((each) => each.parent === moved.parent)[moved.index + (way === "up" ? -1 : 1)];
  return beside && { kind: "beside", way: way === "up" ? "before" : "after", row: beside };
}

// destinations are the groups that a section may go into, or the sections that a space may.
export const destinations = (rows: Row[], moved: Row): Row[] =>
  rows.filter((each) => each.id !== moved.parent && dropped(rows, moved, each, "inside"));
