// Blocks in the editor of the app: the handle and its menu, the options of each kind, keys, what is pasted, and the panel
// at the right with the outline, in a real browser.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { look, phone, says, shoot, startApp } from "./app.mjs";

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

  const mixed = "Alpha\n\nBeta\n\n{% hint style=\"info\" %}\nInside\n{% endhint %}\n\n* one\n* two\n\n{% columns %}\n{% column %}\nLeft\n{% endcolumn %}\n\n{% column %}\nRight\n{% endcolumn %}\n{% endcolumns %}\n\nOmega\n";

  test("a block has a handle with a menu, and is dragged anywhere", async () => {
    const draft = await app.draft(mixed);
    const { page, context, text, problems } = await draft.open();
    const grip = page.getByRole("button", { name: "Block menu" });
    const menu = page.getByRole("menu", { name: "Block menu" });
    await text.getByText("Beta").hover();
    await grip.waitFor();
    await shoot(page, "blocks-handle");
    await grip.click();
    await look(page, "blocks-menu", { within: "[role=menu]" });
    await menu.getByRole("menuitem", { name: "Turn into" }).click();
    await page.getByRole("menuitem", { name: "Heading 2" }).click();
    await text.getByRole("heading", { name: "Beta" }).waitFor();
    await menu.waitFor({ state: "detached" });

    /** Drags the block with some words to the upper or lower half of another one. */
    async function drag(words, target, half = 0.8) {
      await text.getByText(words, { exact: true }).hover();
      const from = await grip.boundingBox();
      const to = await text.getByText(target, { exact: true }).boundingBox();
      await page.mouse.move(from.x + 8, from.y + 12);
      await page.mouse.down();
      await page.mouse.move(from.x + 30, from.y + 30);
      await page.mouse.move(to.x + 12, to.y + to.height * half, { steps: 3 });
      await page.locator(".block-line").waitFor();
      await page.evaluate(() => new Promise(requestAnimationFrame));
      await shoot(page, `blocks-drag-${target}`);
      await page.mouse.up();
    }
    await drag("Alpha", "Inside");
    await text.locator(".block-hint").getByText("Alpha").waitFor();
    await drag("Omega", "Right");
    await text.locator(".column").nth(1).getByText("Omega").waitFor();
    await drag("Beta", "one");
    await text.locator("li h3").getByText("Beta").waitFor();
    await drag("Right", "Beta", 0.2);
    await says(page, "Saved");
    const want = "{% hint style=\"info\" %}\nInside\n\nAlpha\n{% endhint %}\n\n* one\n\n* Right\n\n*   ### Beta\n\n* two\n\n{% columns %}\n{% column %}\nLeft\n{% endcolumn %}\n\n{% column %}\nOmega\n{% endcolumn %}\n{% endcolumns %}";
    assert.equal((await draft.markdown()).trim(), want);
    // The plus begins a line below with the menu of blocks.
    await text.getByText("Inside").hover();
    await page.getByRole("button", { name: "Add a block below" }).click();
    await page.getByRole("listbox", { name: "Blocks" }).waitFor();
    await page.keyboard.type("quote");
    await page.keyboard.press("Enter");
    await page.keyboard.type("Said");
    await text.locator(".block-hint blockquote").getByText("Said").waitFor();
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("blocks are selected and handled with keys", async () => {
    const draft = await app.draft("One\n\nTwo\n\nThree\n\n{% hint style=\"info\" %}\nInside\n{% endhint %}\n");
    const { page, context, text, problems } = await draft.open();
    const saved = async () => (await says(page, "Saved"), (await draft.markdown()).trim());
    await text.getByText("One").click();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Shift+ArrowDown");
    assert.deepEqual(await text.locator(".is-chosen").allInnerTexts(), ["One", "Two"]);
    await shoot(page, "blocks-chosen");
    await page.keyboard.press("Alt+ArrowDown");
    await page.keyboard.press("Control+d");
    assert.match(await saved(), /^Three\n\nOne\n\nTwo\n\nOne\n\nTwo\n\n\{% hint/);
    await page.keyboard.press("Delete");
    await page.keyboard.press("Control+z");
    await page.keyboard.press("Control+z");
    assert.match(await saved(), /^Three\n\nOne\n\nTwo\n\n\{% hint/);
    // The menu opens with keys, at the block that the cursor is in, and then at what is around it.
    await text.getByText("Inside").click();
    await page.keyboard.press("End");
    await page.keyboard.press("Control+/");
    const menu = page.getByRole("menu", { name: "Block menu" });
    await menu.getByRole("menuitem", { name: "Select around: Hint" }).click();
    await menu.getByRole("menuitem", { name: "Hint: options" }).click();
    const form = page.getByRole("dialog", { name: "Hint: options" });
    await form.getByRole("radio", { name: "Warning" }).click();
    await form.getByRole("textbox", { name: "Icon" }).fill("rocket");
    await look(page, "blocks-hint-options");
    await page.keyboard.press("Enter");
    await form.waitFor({ state: "detached" });
    assert.match(await saved(), /\{% hint style="warning" icon="rocket" %\}/);
    assert.deepEqual(problems, []);
    await context.close();
  });
});
