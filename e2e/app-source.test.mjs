// Code, Markdown and search while a page is written in the app, in a real browser.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { look, says, shoot, startApp } from "./app.mjs";

const mod = process.platform === "darwin" ? "Meta" : "Control";

describe("code in a page", () => {
  let app;
  before(async () => (app = await startApp()));
  after(() => app?.stop());

  test("is written in an editor of its own, with one history and arrows that walk through it", async () => {
    const source = "Above.\n\n```go\nfunc main() {\n\tx := \"1\"\n}\n```\n\nBelow.\n\n" +
      '<pre class="language-go"><code class="lang-go">first\n<strong>second\n</strong>third\n</code></pre>\n\nLast.\n';
    const draft = await app.draft(source);
    const { page, context, text, problems } = await draft.open();
    // Readers' colours are there before anybody writes.
    await text.locator("pre.chroma .s").filter({ hasText: '"1"' }).waitFor();
    await shoot(page, "code-still");
    await text.getByText("Above.").click();
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowDown");
    const code = page.getByRole("textbox", { name: "Code in go" });
    await code.first().waitFor();
    assert.equal(await code.first().evaluate((element) => element === document.activeElement), true);
    await page.keyboard.press("Home");
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await page.keyboard.type("if (a[0]) {");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await page.keyboard.type("b()");
    await look(page, "code-written", { within: "main" });
    await says(page, "Saved");
    assert.match(await draft.markdown(), /```go\nfunc main\(\) \{\n\tif \(a\[0\]\) \{\n\t+b\(\)\n\t\}\n\tx := "1"\n\}\n```/);
    // One history: what was typed in the code goes with what was typed around it.
    for (let i = 0; i < 12 && (await text.getByText("b()").count()); i++) await page.keyboard.press(`${mod}+z`);
    await page.keyboard.press(`${mod}+Shift+z`);
    // Down on the last line leaves, Up comes back, Mod+Enter makes a line below.
    for (let i = 0; i < 9 && (await code.count()); i++) await page.keyboard.press("ArrowDown");
    await page.keyboard.press("End");
    await page.keyboard.type(" Left.");
    assert.equal(await text.getByText("Below. Left.").count(), 1);
    await page.keyboard.press("ArrowUp");
    await code.first().waitFor();
    await page.keyboard.press(`${mod}+Enter`);
    await page.keyboard.type("Between.");
    assert.equal(await text.locator(":scope > p").filter({ hasText: "Between." }).count(), 1);
    // Lines that stand out still do when something is typed into them.
    await text.getByText("second").click();
    await code.first().waitFor();
    await page.keyboard.press("End");
    await page.keyboard.type(" line");
    await page.keyboard.press("Enter");
    await page.keyboard.type("plain");
    // Escape and then Tab moves the focus on.
    await page.keyboard.press("Escape");
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement?.closest(".cm-editor")), null);
    await says(page, "Saved");
    assert.match(await draft.markdown(), /first\n<strong>second line\n<\/strong>plain\nthird\n/);
    assert.deepEqual(problems, []);
    await context.close();
  });
});
