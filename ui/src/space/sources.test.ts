import { expect, it } from "vitest";
import type { Page } from "./queries";
import { computedOf, faultOf, made } from "./sources";

const page = (id: string, more: object = {}) => ({ id, title: id, path: id, type: "document", ...more }) as Page;
const sheet = (props: Record<string, unknown>) => ({ type: "integration:press:sheet" as const, props });
// What is kept is a computed page; what is shown of it is a group or a document with pages below it.
const beta = page("beta", { computed: sheet({ name: "beta" }) });
const roots = [
  page("start"),
  page("press", { type: "group", pages: [page("more", { type: "group", pages: [beta] })] }),
  page("api", { computed: { type: "builtin:openapi" } }),
];
const kept = [page("start"), page("press", { type: "computed", computed: sheet({ n: 1, kind: "x" }) })];
const source = {
  type: "integration:press:sheet",
  integration: "press",
  title: "Sheets",
  integrationTitle: "Press",
  configuration: { componentId: "c" },
};

it("finds the pages that integrations make above a page", () => {
  expect(made(roots, kept, "beta").map(({ id }) => id)).toEqual(["beta", "press"]);
  expect(made(roots, kept, "start")).toEqual([]);
  expect(made(roots, kept, "api")).toEqual([]);
  expect(made(roots, kept, "gone")).toEqual([]);
});

it("says why the last attempt failed, whatever the order of properties is", () => {
  const results = [
    { props: { n: 2 }, pages: false, problem: "other" },
    { props: { kind: "x", n: 1 }, pages: true, problem: "out of ink", madeAt: "2026-01-01T00:00:00Z" },
  ];
  expect(faultOf(made(roots, kept, "beta"), [{ ...source, results }])).toEqual({
    title: "Sheets",
    problem: "out of ink",
    kept: true,
  });
  expect(
    faultOf(made(roots, kept, "beta"), [{ ...source, results: [{ props: { kind: "x", n: 1 }, pages: true }] }]),
  ).toBeUndefined();
  // Readers hear of no results.
  expect(faultOf(made(roots, kept, "beta"), [source])).toBeUndefined();
});

it("makes pages of what settings give back", () => {
  const { type } = source;
  expect(computedOf({ type: "integration:press:sheet" }, null)).toEqual({ type, props: {} });
  expect(computedOf({ type: "integration:press:sheet" }, { n: 1 })).toEqual({ type, props: { n: 1 } });
  expect(
    computedOf({ type: "integration:press:sheet" }, { props: { n: 1 }, dependencies: { api: { ref: {} } } }),
  ).toEqual({ type, props: { n: 1 }, dependencies: { api: { ref: {} } } });
  // A property that is called so, and dependencies that are none.
  expect(computedOf({ type: "integration:press:sheet" }, { props: "x" })).toEqual({ type, props: { props: "x" } });
  expect(computedOf({ type: "integration:press:sheet" }, { props: {}, dependencies: ["x"] })).toEqual({
    type,
    props: {},
  });
});
