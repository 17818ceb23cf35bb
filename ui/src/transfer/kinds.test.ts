import { expect, it } from "vitest";
import { asked, kindNames } from "./kinds";

it("asks for what a source can have", () => {
  expect(asked("zip", { same: false }, false)).toEqual({});
  expect(asked("folder", { kind: "hugo", same: false }, false)).toEqual({ from: "hugo" });
  expect(asked("github-wiki", { kind: "hugo", same: true }, true)).toEqual({ mirror: true });
  // A crawl may miss pages, and a document says nothing of others: neither takes pages away.
  expect(asked("website", { same: true }, true)).toEqual({});
  expect(asked("docx", { kind: "hugo", same: true }, true)).toEqual({});
});

it("changes nothing before a person is sure", () => {
  expect(asked("zip", { kind: "mkdocs", same: true }, false)).toEqual({ from: "mkdocs", mirror: true, dryRun: true });
  expect(asked("zip", { kind: "mkdocs", same: true }, true)).toEqual({ from: "mkdocs", mirror: true });
});

it("has plain folders first", () => {
  expect(kindNames[0]).toBe("folders");
  expect(new Set(kindNames).size).toBe(13);
});
