// Blocks in the editor of the app: the handle and its menu, the options of each kind, keys, what is pasted, and the panel
// at the right with the outline, in a real browser.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { look, phone, says, startApp } from "./app.mjs";

const parts = Array.from({ length: 6 }, (_, i) => `## Part ${i + 1}\n\n${"Some words of it. ".repeat(60)}\n`).join("\n");

describe("blocks", () => {
  let app;
  before(async () => (app = await startApp()));
  after(() => app?.stop());

  test("the outline of a page stands at the right, reading and writing", async () => {
    const draft = await app.draft(`${parts}\n### Below\n\nEnd.\n`);
    const { page, context, problems } = await app.open(`/app/spaces/${draft.space}/pages/${draft.id}`);
    await page.getByRole("heading", { name: "Part 1" }).waitFor();
    const panel = page.getByRole("complementary", { name: "Outline" });
    assert.equal(await panel.count(), 0, "it is open at first");
    await page.keyboard.press("]");
    await panel.getByRole("button", { name: "Below" }).waitFor();
    assert.match(page.url(), /panel=outline/);
    assert.equal(await panel.locator("[aria-current]").innerText(), "Part 1");
    await look(page, "outline-reading");
    await panel.getByRole("button", { name: "Part 4" }).click();
    await panel.locator("[aria-current]", { hasText: "Part 4" }).waitFor();
    // It stays from page to page, and while writing.
    await page.getByRole("button", { name: "Edit" }).click();
    const text = page.getByRole("textbox", { name: "Text of the page" });
    await text.getByText("End.").click();
    await page.keyboard.press("End");
    await page.keyboard.type("\n## Typed");
    await panel.getByRole("button", { name: "Typed" }).waitFor();
    const [words] = await panel.locator("dd").allInnerTexts();
    assert.equal(words, "1,455");
    await panel.getByRole("button", { name: "Part 2" }).focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.keyboard.type("New ");
    await panel.getByRole("button", { name: "New Part 3" }).waitFor();
    await look(page, "outline-writing");
    await page.getByRole("button", { name: "Outline" }).click();
    await panel.waitFor({ state: "detached" });
    assert.doesNotMatch(page.url(), /panel=/);
    await says(page, "Saved");
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("the outline lies on top of the page on a phone", async () => {
    const draft = await app.draft(parts);
    const { page, context, problems } = await app.open(`/app/spaces/${draft.space}/pages/${draft.id}`, { ...phone, colorScheme: "dark" });
    await page.getByRole("button", { name: "Panels" }).tap();
    await page.getByRole("menuitem", { name: "Outline" }).tap();
    const sheet = page.getByRole("dialog", { name: "Outline" });
    await sheet.getByRole("button", { name: "Part 5" }).waitFor();
    await look(page, "outline-phone-dark");
    await sheet.getByRole("button", { name: "Part 5" }).tap();
    await sheet.waitFor({ state: "detached" });
    await page.getByRole("heading", { name: "Part 5" }).waitFor();
    assert.ok((await page.getByRole("heading", { name: "Part 5" }).boundingBox()).y < 200);
    assert.deepEqual(problems, []);
    await context.close();
  });
});
