import { expect, test } from "vitest";
import { rowsOf } from "../structure/rows";
import { addressOnSite, homeOf } from "./uploads";

const space = (id: string, published?: string) => ({
  object: "site-space",
  id,
  title: id,
  path: id,
  space: { id: `space-${id}`, title: id },
  urls: published ? { published } : {},
});

test("finds the space that a site begins with", () => {
  const rows = rowsOf([
    {
      object: "site-section",
      id: "s",
      title: "s",
      siteSpaces: [space("v1", "https://a.example/docs/v1/"), space("v2", "https://a.example/docs/")],
    },
  ]);
  expect(homeOf(rows)).toEqual({ space: "space-v2", address: "https://a.example/docs/" });
  expect(homeOf(rowsOf([space("draft")]))).toBeUndefined();
});

test("spells the address of a file on the site", () => {
  expect(addressOnSite("https://a.example/docs/", { id: "file_1", name: "our logo.svg" })).toBe(
    "https://a.example/docs/~/files/file_1/our%20logo.svg",
  );
});
