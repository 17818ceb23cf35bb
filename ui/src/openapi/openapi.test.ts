import { expect, test } from "vitest";
import { operationsOf, slugOf } from "./operations";
import { specsOfLinks } from "./queries";

test("lists operations in their order, without what is hidden", () => {
  const found = operationsOf({
    paths: {
      "/pets": {
        get: { summary: "List", tags: ["Pets"] },
        post: { operationId: "make", deprecated: true },
        parameters: [],
      },
      "/secret": { "x-internal": true, get: {} },
      "/half": { get: { "x-internal": true }, delete: {} },
      "/odd": null,
    },
  });
  expect(found.map(({ method, path, summary, tag }) => [method, path, summary, tag])).toEqual([
    ["GET", "/pets", "List", "Pets"],
    ["POST", "/pets", "make", ""],
    ["DELETE", "/half", "", ""],
  ]);
  expect(found[1]?.deprecated).toBe(true);
  expect(operationsOf(null)).toEqual([]);
  expect(operationsOf({ paths: [] })).toEqual([]);
});

test("makes names for addresses", () => {
  expect(["Pet Store.yaml", "öffentliche API", "a".repeat(200)].map(slugOf).map((slug) => slug.slice(0, 12))).toEqual([
    "pet-store",
    "ffentliche-a",
    "aaaaaaaaaaaa",
  ]);
});

test("gathers which pages name which description", () => {
  const page = (id: string) => ({
    kind: "page" as const,
    page: { id, title: id, type: "document" as const, path: id },
  });
  const found = specsOfLinks([
    { written: "/openapi/pets", locationReferences: [page("p1"), page("p2")] },
    { written: "/openapi/pets", locationReferences: [page("p1")] },
    { written: "/openapi/a/b", locationReferences: [] },
    { written: "https://example.org/openapi/pets", locationReferences: [] },
  ]);
  expect(found.map(({ slug, places }) => [slug, ...places.map(({ id }) => id)])).toEqual([["pets", "p1", "p2"]]);
});
