import { expect, test } from "vitest";
import type { JsonDocument } from "../editor/document";
import { packed, type Row, unpacked } from "./drafts";

const block = (text: string) => ({ object: "block", type: "paragraph", data: {}, nodes: [{ object: "text", text }] });
const document = (texts: string[]) =>
  ({ object: "document", data: { schemaVersion: 2 }, nodes: texts.map(block) }) as unknown as JsonDocument;
const where = { owner: "[]", tab: "1", at: 1 };

test("returns a draft as it was stored", () => {
  for (const texts of [[], ["One"], ['Two, "three"', "]", "\ud83d"]]) {
    const draft = { base: "revision_1", title: "Page", document: document(texts) };
    expect(unpacked({ ...packed(draft), ...where } as Row)).toEqual(draft);
  }
  const source = { base: "revision_1", markdown: "# Page\n" };
  expect(unpacked({ ...packed(source), ...where } as Row)).toEqual(source);
});

test("returns a draft whose blocks were texts of their own", () => {
  const now = document(["One", "Two"]);
  const nodes = now.nodes.map((each) => JSON.stringify(each));
  const row = { base: "revision_1", title: "Page", document: { ...now, nodes } };
  expect(unpacked({ ...row, ...where } as Row)).toEqual({ base: "revision_1", title: "Page", document: now });
});
