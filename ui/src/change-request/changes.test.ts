import { expect, it } from "vitest";
import { byEntity } from "./changes";
import type { SemanticChange } from "./queries";

const page = (type: string, id: string, path: string, more: object = {}) =>
  ({ type, page: { id, type: "document", title: id, path }, ...more }) as SemanticChange;

it("makes one row of all that happened to a page, below the pages above it", () => {
  const rows = byEntity([
    { type: "file_created", file: { id: "f", name: "logo.png" } } as SemanticChange,
    page("page_created", "guide", "guide"),
    page("page_moved", "deep", "guide/other/deep", { parent: { before: { id: "x" }, after: { id: "guide" } } }),
    page("page_edited", "deep", "guide/other/deep", { attributes: { document: {} } }),
    page("page_moved", "order", "order", { parent: {} }),
    page("page_edited", "name", "name", { attributes: { title: {}, slug: {} } }),
  ]);
  expect(rows.map((row) => [row.id, row.kind, row.depth, row.changes.length])).toEqual([
    ["guide", "added", 0, 1],
    ["deep", "edited", 1, 2],
    ["order", "reordered", 0, 1],
    ["name", "renamed", 0, 1],
    ["f", "added", 0, 1],
  ]);
});
