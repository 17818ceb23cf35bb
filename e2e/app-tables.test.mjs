// Tables and cards in the editor, in a real browser: what typing, keys, menus and the clipboard make of them.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { desktop, look, phone, says, shoot, startApp } from "./app.mjs";

const grid = "Before.\n\n|Name|Price|\n|-|-:|\n|Pear|2|\n|Apple|10|\n\nAfter.\n";
const typed = `<table><thead><tr><th>Task</th><th data-type="checkbox">Done</th><th data-type="rating" data-max="5">Stars</th><th data-type="number">Hours</th><th>Status<select><option value="a" label="Ready" color="green"></option></select></th><th data-type="content-ref">Link</th></tr></thead><tbody><tr><td>Write</td><td>false</td><td>3</td><td>1.5</td><td><span data-option="a">Ready</span></td><td></td></tr></tbody></table>\n\nAfter.\n`;
const cards = `<table data-view="cards"><thead><tr><th></th><th></th><th data-hidden data-card-target data-type="content-ref"></th><th data-hidden data-card-cover data-type="image"></th></tr></thead><tbody><tr><td><strong>Install</strong></td><td>In five minutes</td><td><a href="https://example.org/install">install</a></td><td></td></tr><tr><td><strong>Upgrade</strong></td><td>Without a pause</td><td></td><td></td></tr></tbody></table>\n\nAfter.\n`;

const dot = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAIAAAACUFjqAAAAEklEQVR4nGP8z4APMOGVHbHSAEEsAROxCnMTAAAAAElFTkSuQmCC",
  "base64",
);

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
    const want =
      "| Name         | Price |\n| ------------ | ----: |\n| Pears        |  2.50 |\n| Apple        |    10 |\n| Plum<br>ripe |     7 |\n\nBelow.";
    const markdown = (await draft.markdown()).replace(/^Before.\n\n/, "").replace(/\n\nAfter.\n$/, "");
    assert.deepEqual(
      markdown.split("\n").map((line) => line.replace(/ +/g, " ")),
      want.split("\n").map((line) => line.replace(/ +/g, " ")),
    );
    await shoot(page, "tables-grid");
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("columns of other kinds have controls of their own", async () => {
    const draft = await app.draft(typed);
    const { page, context, text, problems } = await draft.open();
    const table = text.getByRole("table");
    await table.getByRole("cell", { name: "Write" }).click();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Space");
    assert.equal(await table.getByRole("checkbox", { name: "Done" }).isChecked(), true);
    await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowRight");
    assert.equal(await table.getByRole("slider", { name: "Stars" }).getAttribute("aria-valuetext"), "4 of 5");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Control+a");
    await page.keyboard.type("2.25");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    const field = page.getByRole("combobox", { name: "Find or add an option" });
    await field.fill("Blocked");
    await page.keyboard.press("Enter");
    await field.waitFor({ state: "detached" });
    assert.equal(await table.locator(".option").innerText(), "Blocked");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("combobox", { name: "Find a page, or paste an address" }).fill("https://example.org/x");
    await page.getByRole("option", { name: /example.org/ }).waitFor();
    await shoot(page, "tables-reference");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await page.keyboard.type("Next");
    await says(page, "Saved");
    const markdown = await draft.markdown();
    for (const part of [
      "<td>true</td><td>4</td><td>2.25</td>",
      'label="Blocked"',
      '<a href="https://example.org/x">',
      "<td>Next</td>",
    ])
      assert.ok(markdown.includes(part), `${part} in ${markdown}`);
    await look(page, "tables-typed");
    // A number is saved while one is still in its cell, also when it may go on.
    const hours = table.getByRole("textbox", { name: "Hours" }).last();
    await hours.pressSequentially("8.");
    await says(page, "Saved");
    assert.ok((await draft.markdown()).includes("<td>8</td>"), await draft.markdown());
    await hours.pressSequentially("5x");
    await page.keyboard.press("Shift+Tab");
    assert.deepEqual([await hours.inputValue(), await hours.getAttribute("aria-invalid")], ["8.5x", "true"]);
    // Undo works out of a control.
    await table.getByRole("checkbox").first().click();
    await page.keyboard.press("Control+z");
    assert.equal(await table.getByRole("checkbox").first().isChecked(), true);
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("menus insert, sort, retype, move and delete, and a pasted grid fills cells", async () => {
    const draft = await app.draft(grid);
    const { page, context, text, problems } = await draft.open();
    const table = text.getByRole("table");
    const cells = () =>
      table
        .getByRole("row")
        .evaluateAll((rows) =>
          rows
            .map((row) =>
              [...row.children]
                .map((cell) =>
                  (cell.querySelector("input")?.value ?? (cell.querySelector(".title-text") ?? cell).innerText).trim(),
                )
                .join("|"),
            )
            .join(" / "),
        );
    const pick = async (handle, ...items) => {
      await page
        .getByRole("toolbar", { name: "Table tools" })
        .getByRole("button", { name: handle, exact: true })
        .click();
      for (const item of items)
        await page
          .getByRole("menuitem", { name: item })
          .or(page.getByRole("menuitemradio", { name: item }))
          .or(page.getByRole("menuitemcheckbox", { name: item }))
          .click();
    };
    // A row and a column are added where the table ends, and are gone with two steps back.
    const tools = page.getByRole("toolbar", { name: "Table tools" });
    await table.getByRole("cell").last().hover();
    await tools.getByRole("button", { name: "Add a row" }).click();
    await page.keyboard.type("Fig");
    await tools.getByRole("button", { name: "Add a column" }).click();
    assert.match(await cells(), /^Name\|Price\|.* \/ Fig\|\|$/);
    await shoot(page, "tables-added");
    for (let n = 0; n < 3; n++) await page.keyboard.press("Control+z");
    await table.getByRole("cell", { name: "10" }).click();
    await pick("Column", "Sort rows ascending");
    assert.equal(await cells(), "Name|Price / Pear|2 / Apple|10");
    await pick("Column", "Sort rows descending");
    assert.equal(await cells(), "Name|Price / Apple|10 / Pear|2");
    await table.getByRole("cell", { name: "10" }).click();
    await pick("Column", "Type", "Number");
    assert.equal(await table.locator("td[data-type=number] input").first().inputValue(), "10");
    await shoot(page, "tables-number");
    await table.getByRole("cell", { name: "Pear" }).click();
    await pick("Row", /Move up/);
    assert.equal(await cells(), "Name|Price / Pear|2 / Apple|10");
    await table.getByRole("cell", { name: "Pear" }).click();
    // A grid of a spreadsheet fills cells from here on; a word is no number.
    await page.evaluate(() => {
      const data = new DataTransfer();
      data.setData("text/plain", "Quince\t4\nMedlar\tmany\nSloe\t3");
      document
        .querySelector("[data-editor]")
        .dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
    });
    assert.equal(await cells(), "Name|Price / Quince|4 / Medlar|10 / Sloe|3");
    await page.getByRole("status").filter({ hasText: "1 cell stayed as it was" }).waitFor();
    await look(page, "tables-pasted");
    assert.ok(
      (await page.getByRole("status").filter({ hasText: "1 cell stayed as it was" }).boundingBox()).width > 200,
    );
    await page.keyboard.press("Control+z");
    assert.equal(await cells(), "Name|Price / Pear|2 / Apple|10");
    await table.getByRole("cell", { name: "Pear" }).click();
    await pick("Column", "Insert column after");
    await page.keyboard.type("Where");
    await pick("Column", "Move column on");
    assert.equal(await cells(), "Name|Price|Where / Pear|2| / Apple|10|");
    await pick("Table", "Titles stay while scrolling");
    await table.getByRole("cell", { name: "Apple" }).click();
    await pick("Row", /^Delete/);
    assert.equal(await cells(), "Name|Price|Where / Pear|2|");
    await says(page, "Saved");
    const markdown = await draft.markdown();
    assert.ok(
      markdown.includes('data-sticky-header="true"') &&
        markdown.includes('<th data-type="number">Price</th><th>Where</th>'),
      markdown,
    );
    // The edge of a title sets the width.
    const edge = await table.getByRole("columnheader", { name: "Name" }).locator(".resize-zone").boundingBox();
    await page.mouse.move(edge.x + 4, edge.y + 10);
    await page.mouse.down();
    await page.mouse.move(edge.x - 96, edge.y + 10);
    await page.mouse.up();
    await says(page, "Saved");
    assert.match(await draft.markdown(), /<th width="\d+">Name/);
    await table.getByRole("cell", { name: "Pear" }).click();
    await pick("Column");
    await shoot(page, "tables-column-menu");
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("cards are written as cards, and a table begins with a slash", async () => {
    const draft = await app.draft(cards);
    const { page, context, text, problems } = await draft.open();
    await text.getByText("In five minutes").click();
    await page.keyboard.press("End");
    await page.keyboard.type(" flat");
    await text.getByRole("button", { name: "Cover" }).first().click();
    await page.locator("input[type=file]").setInputFiles({ name: "dot.png", mimeType: "image/png", buffer: dot });
    await text.locator("td .cell-image").waitFor();
    await look(page, "tables-cards");
    // What draws a cell anew without a change, such as an extension of the browser, takes no label from it.
    const labels = () => text.locator("td").evaluateAll((cells) => cells.map((each) => each.dataset.label).join("|"));
    const before = await labels();
    await text.getByText("In five minutes").evaluate((words) => {
      const cell = words.closest("td");
      cell.replaceWith(cell.cloneNode(true));
    });
    await page.evaluate(() => new Promise((done) => setTimeout(done, 100)));
    assert.equal(await labels(), before);
    await text.getByRole("button", { name: "Edit as grid" }).click();
    await text.getByRole("columnheader").first().waitFor();
    await look(page, "tables-cards-grid");
    await text.getByText("After.").click();
    // The cursor has left the table once its handles are gone.
    await page.getByRole("toolbar", { name: "Table tools" }).waitFor({ state: "detached" });
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await page.keyboard.type("/table");
    await page.keyboard.press("Enter");
    await page.keyboard.type("Key");
    await page.keyboard.press("Tab");
    await page.keyboard.type("Value");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.type("a");
    await says(page, "Saved");
    const markdown = await draft.markdown();
    assert.ok(
      markdown.includes("<td>In five minutes flat</td>") &&
        markdown.includes('data-view="cards"') &&
        markdown.includes('<a href=".gitbook/assets/dot.png">'),
      markdown,
    );
    assert.match(markdown, /\| Key +\| Value +\| +\|\n/);
    await shoot(page, "tables-new");
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("on a phone and in the dark the menus stand at the foot", async () => {
    const draft = await app.draft(typed);
    const { page, context, text, problems } = await draft.open({ ...phone, colorScheme: "dark" });
    await text.getByRole("cell", { name: "Write" }).click();
    await page.getByRole("toolbar", { name: "Table tools" }).getByRole("button", { name: "Row" }).waitFor();
    await look(page, "tables-phone");
    await page.getByRole("toolbar", { name: "Table tools" }).getByRole("button", { name: "Column" }).click();
    await page.getByRole("menuitem", { name: "Type" }).click();
    await page.getByRole("menuitemradio", { name: "Number" }).waitFor();
    await shoot(page, "tables-phone-menu");
    assert.deepEqual(problems, []);
    await context.close();
  });
});
