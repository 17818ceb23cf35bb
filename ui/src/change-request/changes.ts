// The list of changes as the API gives it has an item for each thing that happened; people look at one row for each page.
import { t } from "../words/words";
import type { SemanticChange } from "./queries";

export type Kind = "added" | "edited" | "deleted" | "moved" | "renamed";
export type Entity = { id: string; kind: Kind; title: string; path: string; page: boolean };

// byEntity puts what happened to one page, file, reusable content or the variables into one row, in the order given.
export function byEntity(changes: readonly SemanticChange[]): Entity[] {
  const rows = new Map<string, Entity>();
  for (const change of changes) {
    const of = entityOf(change);
    const known = rows.get(of.id);
    // What was moved and edited is called edited: that is what is to be read.
    if (!known || known.kind === "moved") rows.set(of.id, of);
  }
  return [...rows.values()];
}

function entityOf(change: SemanticChange): Entity {
  const kind = kindOf(change);
  if (change.page) return { id: change.page.id, kind, title: change.page.title, path: `/${change.page.path}`, page: change.page.type === "document" };
  if (change.file) return { id: change.file.id, kind, title: change.file.name, path: t("change.file"), page: false };
  if (change.reusableContent) return { id: change.reusableContent.id, kind, title: change.reusableContent.title, path: t("change.reusable"), page: false };
  return { id: "variables", kind, title: t("change.variables"), path: "", page: false };
}

function kindOf(change: SemanticChange): Kind {
  if (change.type.endsWith("_created")) return "added";
  if (change.type.endsWith("_deleted")) return "deleted";
  if (change.type === "page_moved") return "moved";
  const names = Object.keys(change.attributes ?? {});
  return names.length > 0 && names.every((name) => name === "title" || name === "slug") ? "renamed" : "edited";
}
