// Code, Markdown and search while a page is written in the app, in a real browser.
import { after, before, beforeEach, describe, test } from "node:test";
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

describe("the Markdown of a page", () => {
  const body = "Setext\n------\n\n*  One\n*  Two\n\nMiddle   of `it`.\n\n|a|b|\n|-|-|\n|1|2|\n\n<x-note>Kept</x-note>\n\nLast.\n";
  let app, server, draft;
  before(async () => ({ server } = app = await startApp()));
  after(() => app?.stop());
  beforeEach(async () => (draft = await app.draft(body)));

  /** Opens the Markdown of the draft's page. */
  async function openSource(options) {
    const opened = await app.open(`${draft.path}?mode=source`, options);
    const source = opened.page.getByRole("textbox", { name: "Markdown of the page" });
    await source.waitFor();
    return { ...opened, source };
  }
  const whole = (source) => source.evaluate((element) => element.cmTile?.view?.state.doc.toString() ?? element.cmView.view.state.doc.toString());
  const file = async () => (await server.api("GET", `${draft.request}/content/page/${draft.id}?format=markdown`)).markdown;

  test("has every byte, says what is wrong in it, and loses nothing on the way there and back", async () => {
    const { page, context, text, problems } = await draft.open();
    await text.getByText("Middle").click();
    await page.keyboard.press("End");
    await page.keyboard.type(" Typed.");
    // What was typed a moment ago is there as well.
    await page.keyboard.press(`${mod}+Alt+s`);
    const source = page.getByRole("textbox", { name: "Markdown of the page" });
    await source.waitFor();
    assert.match(page.url(), /[?&]mode=source/);
    const there = `# Page\n\n${body.replace("`it`.", "`it`. Typed.")}`;
    assert.equal(await whole(source), there);
    assert.equal(await file(), there);
    const revisions = await draft.revisions();
    // The cursor is in the block that it was in.
    await page.keyboard.press("End");
    await page.keyboard.type(" More.");
    await says(page, "Saved");
    assert.equal(await file(), there.replace("Typed.", "Typed. More."));
    await page.reload();
    await source.waitFor();
    assert.equal(await whole(source), there.replace("Typed.", "Typed. More."));
    // Faults are marked where they are, and stay.
    await source.getByText("Last.").click();
    await page.keyboard.press("End");
    await page.keyboard.type("\n\n{% hint style=\"info\" %}\nOpen");
    await page.locator(".cm-lintRange-warning").waitFor();
    assert.match(await page.locator(".cm-lintRange-warning").first().innerText(), /hint/);
    await page.getByRole("button", { name: /remark/ }).click();
    await page.locator(".cm-tooltip-lint").waitFor();
    await look(page, "source-fault", { within: "main" });
    await says(page, "Saved");
    // Front matter that is taken away is gone from the page.
    await page.keyboard.press(`${mod}+Home`);
    await page.keyboard.type("---\nicon: rocket\n---\n\n");
    await says(page, "Saving…");
    await says(page, "Saved");
    assert.equal((await server.api("GET", `${draft.request}/content/page/${draft.id}?metadata=false`)).icon, "rocket");
    for (let i = 0; i < 4; i++) await page.keyboard.press("Shift+ArrowUp");
    await page.keyboard.press("Delete");
    await says(page, "Saving…");
    await says(page, "Saved");
    assert.equal((await server.api("GET", `${draft.request}/content/page/${draft.id}?metadata=false`)).icon, undefined);
    // Back to rich text with the button.
    const before = await file();
    await page.getByRole("button", { name: "Edit as text" }).click();
    await text.getByText("Typed. More.").waitFor();
    assert.doesNotMatch(page.url(), /mode=/);
    assert.equal(await file(), before);
    assert.ok(await draft.revisions() > revisions);
    assert.deepEqual(problems, []);
    await context.close();
  });
});
