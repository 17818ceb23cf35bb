// The list of changes as the API gives it has an item for each thing that happened; people look at one row for each
// page.
import { t } from "../words/words";
import type { SemanticChange } from "./queries";

export type Kind = "added" | "edited" | "deleted" | "moved" | "reordered" | "renamed";
export const groups = ["page", "file", "reusable", "variables"] as const;
export type Group = (typeof groups)[number];
export type Entity = {
  id: string;
  kind: Kind;
  group: Group;
  title: string;
  path: string;
  // Whether it is a page with a text of its own.
  page: boolean;
  // How many of the pages above it are in the list, too.
  depth: number;
  changes: SemanticChange[];
};

// hasText says whether there is a text to compare: that of a page or of a reusable content.
export const hasText = (entity: Entity): boolean => entity.page || entity.group === "reusable";

// byEntity puts what happened to one page, file, reusable content or the variables into one row: pages first, in the
// order given, each below the pages above it.
export function byEntity(changes: readonly SemanticChange[]): Entity[] {
  const rows = new Map<string, Entity>();
  for (const change of changes) {
    const of = entityOf(change);
    const known = rows.get(of.id);
    if (!known) rows.set(of.id, of);
    else {
      known.changes.push(change);
      // What was moved and edited is called edited: that is what is to be read.
      if (known.kind === "moved" || known.kind === "reordered") known.kind = of.kind;
    }
  }
  const all = [...rows.values()];
  const paths = new Set(all.filter((each) => each.group === "page").map((each) => each.path));
  for (const each of all)
    if (each.group === "page") each.depth = above(each.path).filter((path) => paths.has(path)).length;
  return groups.flatMap((group) => all.filter((each) => each.group === group));
}

// above lists the paths of the pages above a path.
function above(path: string): string[] {
  const parts = path.split("/").slice(1, -1);
  return parts.map((_, index) => `/${parts.slice(0, index + 1).join("/")}`);
}

function entityOf(change: SemanticChange): Entity {
  const of = { kind: kindOf(change), depth: 0, changes: [change], page: false };
  if (change.page)
    return {
      ...of,
      group: "page",
      id: change.page.id,
      title: change.page.title,
      path: `/${change.page.path}`,
      page: change.page.type === "document",
    };
  if (change.file) return { ...of, group: "file", id: change.file.id, title: change.file.name, path: t("change.file") };
  if (change.reusableContent)
    return {
      ...of,
      group: "reusable",
      id: change.reusableContent.id,
      title: change.reusableContent.title,
      path: t("change.reusable"),
    };
  return { ...of, group: "variables", id: "variables", title: t("change.variables"), path: "" };
}

function kindOf(change: SemanticChange): Kind {
  if (change.type.endsWith("_created")) return "added";
  if (change.type.endsWith("_deleted")) return "deleted";
  if (change.type === "page_moved")
    return change.parent?.before?.id === change.parent?.after?.id ? "reordered" : "moved";
  const names = Object.keys(change.attributes ?? {});
  return names.length > 0 && names.every((name) => name === "title" || name === "slug") ? "renamed" : "edited";
}
