// Tables and cards in the editor, in a real browser: what typing, keys, menus and the clipboard make of them.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { desktop, look, phone, says, shoot, startApp } from "./app.mjs";

const grid = "Before.\n\n|Name|Price|\n|-|-:|\n|Pear|2|\n|Apple|10|\n\nAfter.\n";
const typed = `<table><thead><tr><th>Task</th><th data-type="checkbox">Done</th><th data-type="rating" data-max="5">Stars</th><th data-type="number">Hours</th><th>Status<select><option value="a" label="Ready" color="green"></option></select></th><th data-type="content-ref">Link</th></tr></thead><tbody><tr><td>Write</td><td>false</td><td>3</td><td>1.5</td><td><span data-option="a">Ready</span></td><td></td></tr></tbody></table>\n\nAfter.\n`;
const cards = `<table data-view="cards"><thead><tr><th></th><th></th><th data-hidden data-card-target data-type="content-ref"></th><th data-hidden data-card-cover data-type="image"></th></tr></thead><tbody><tr><td><strong>Install</strong></td><td>In five minutes</td><td><a href="https://example.org/install">install</a></td><td></td></tr><tr><td><strong>Upgrade</strong></td><td>Without a pause</td><td></td><td></td></tr></tbody></table>\n\nAfter.\n`;

describe("tables in the editor", () => {
  let app;
  before(async () => (app = await startApp()));
  after(() => app?.stop());

  test("a table of pipes is written in place and stays one", async () => {
    const draft = await app.draft(grid);
    const { page, context, text, problems } = await draft.open();
    await page.setViewportSize(desktop.viewport);
    const table = text.getByRole("table");
    assert.deepEqual(await table.getByRole("columnheader").allInnerTexts(), ["Name", "Price"]);
    await table.getByRole("cell", { name: "Pear" }).click();
    await page.keyboard.press("End");
    await page.keyboard.type("s");
    await page.keyboard.press("Tab");
    await page.keyboard.type(".50");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await page.keyboard.type("Plum");
    await page.keyboard.press("Tab");
    await page.keyboard.type("7");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Shift+Enter");
    await page.keyboard.type("ripe");
    await page.keyboard.press("Control+Enter");
    await page.keyboard.type("Below.");
    await says(page, "Saved");
    const want = "| Name         | Price |\n| ------------ | ----: |\n| Pears        |  2.50 |\n| Apple        |    10 |\n| Plum<br>ripe |     7 |\n\nBelow.";
    const markdown = (await draft.markdown()).replace(/^Before.\n\n/, "").replace(/\n\nAfter.\n$/, "");
    assert.deepEqual(markdown.split("\n").map((line) => line.replace(/ +/g, " ")), want.split("\n").map((line) => line.replace(/ +/g, " ")));
    await shoot(page, "tables-grid");
    assert.deepEqual(problems, []);
    await context.close();
  });
});
