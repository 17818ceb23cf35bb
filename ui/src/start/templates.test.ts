import { expect, it } from "vitest";
import { languages } from "../words/words";
import { changesOf, pagesOf, templates, textOf } from "./templates";

it("reads pages, groups, and what is within them", () => {
  const pages = pagesOf("=== One {#a}\nText.\n\n=== group: More {#b}\n=== > Two {#c}\n## Part\n=== Three {#d}\n");
  expect(pages.map(({ ref, title, type, into, markdown }) => [ref, title, type, into, markdown])).toEqual([
    ["a", "One", "document", undefined, "Text."],
    ["b", "More", "group", undefined, ""],
    ["c", "Two", "document", "b", "## Part"],
    ["d", "Three", "document", undefined, ""],
  ]);
  expect(changesOf(pages)[2]).toEqual({
    operation: "insert_page",
    ref: "c",
    title: "Two",
    type: "document",
    into: "b",
    document: { markdown: "## Part\n" },
  });
});

it.each(templates)("%s is the same in every language, and its links lead somewhere", async (template) => {
  const all = await Promise.all(languages.map(async (language) => pagesOf(await textOf(template, language))));
  for (const pages of all) {
    expect(pages.length).toBeGreaterThanOrEqual(3);
    expect(pages.map(({ ref, type, into }) => [ref, type, into])).toEqual(
      all[0]!.map(({ ref, type, into }) => [ref, type, into]),
    );
    const refs = pages.map(({ ref }) => ref);
    for (const { markdown } of pages) {
      expect(markdown).not.toMatch(/^===/m);
      for (const [, ref] of markdown.matchAll(/\(\/pages\/([\w-]+)\)/g)) expect(refs).toContain(ref);
    }
  }
});
