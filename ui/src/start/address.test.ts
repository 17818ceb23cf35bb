import { expect, it } from "vitest";
import { addressFrom, addressPattern } from "./address";

it("makes addresses of titles", () => {
  const titles = ["My Docs", "Größe & Maß", "日本語", " -- ", "a".repeat(99)];
  const made = titles.map(addressFrom);
  expect(made.slice(0, 4)).toEqual(["my-docs", "grosse-mass", "docs", "docs"]);
  for (const each of made) expect(each).toMatch(new RegExp(`^${addressPattern}$`));
});
