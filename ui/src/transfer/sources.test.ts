import { expect, it } from "vitest";
import { titleFrom } from "./sources";

it("makes titles of what docs come from", () => {
  const titles = [
    "my-handbook_2026.zip",
    "plan.docx",
    "https://docs.example.org/guide/",
    "https://github.com/acme/owl-docs/wiki",
    "https://github.com/acme/owl.git",
  ].map(titleFrom);
  expect(titles).toEqual(["my handbook 2026", "plan", "example.org", "owl docs", "owl"]);
  expect(titleFrom(`${"long ".repeat(20)}.zip`).length).toBeLessThanOrEqual(50);
});
