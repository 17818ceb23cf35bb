// Blocks and inlines that show as something else than they are written as, in a real browser: how they are made, changed
// and saved.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { look, says, startApp } from "./app.mjs";

describe("special blocks", () => {
  let app;
  before(async () => (app = await startApp()));
  after(() => app?.stop());

  /** Puts a block at the end of the text with the slash menu. */
  async function insert(page, text, query) {
    const last = text.locator(":scope > p").last();
    await last.click();
    await page.keyboard.press("Control+End");
    if ((await last.innerText()).trim()) await page.keyboard.press("Enter");
    await page.keyboard.type(`/${query}`);
    await page.getByRole("listbox", { name: "Blocks" }).waitFor();
    await page.keyboard.press("Enter");
  }

  /** Waits until what was typed last is saved. */
  async function saved(page) {
    await says(page, "Saving…");
    await says(page, "Saved");
  }

  test("formulas and diagrams draw while one types", async () => {
    const draft = await app.draft("$$\na^2\n$$\n\nA line with $$x^2$$ in it.\n\n```mermaid\ngraph LR\n  A --> B\n```\n\nLast.\n");
    const { page, context, text, problems } = await draft.open();
    let frames = 0;
    page.on("framenavigated", () => frames++);
    await text.locator(".math-box .katex").waitFor();
    await text.locator(".math-inline .katex").waitFor();
    await text.locator(".diagram.is-drawn iframe").waitFor();
    await text.locator(".math-drawing").click();
    const source = text.getByRole("textbox", { name: "Formula in TeX" });
    await source.fill("\\frac{1}{2");
    await text.getByText("This formula cannot be shown").waitFor();
    await source.fill("\\frac{1}{2}");
    await text.getByText("This formula cannot be shown").waitFor({ state: "hidden" });
    assert.equal(await text.locator(".math-box .katex .mfrac").count(), 1);
    await look(page, "special-formula", { within: "main" });
    await page.keyboard.press("Escape");
    await text.locator(".math-inline").click();
    const field = page.getByRole("textbox", { name: "Formula in TeX" }).last();
    await field.fill("x^{10}");
    await look(page, "special-formula-inline", { within: "main" });
    await page.keyboard.press("Enter");
    await field.waitFor({ state: "detached" });
    await text.locator(".diagram").click();
    await text.locator(".has-cursor").waitFor();
    await page.keyboard.press("Control+End");
    await page.keyboard.press("ArrowUp");
    await look(page, "special-diagram", { within: "main" });
    await insert(page, text, "equation");
    await page.keyboard.type("e = mc^2");
    await saved(page);
    assert.equal(await draft.markdown(), "$$\n\\frac{1}{2}\n$$\n\nA line with $$x^{10}$$ in it.\n\n```mermaid\ngraph LR\n  A --> B\n```\n\nLast.\n\n$$\ne = mc^2\n$$\n");
    assert.ok(frames <= 1, "the diagram was loaded again while one typed elsewhere");
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("updates, prompts and conditions are made without Markdown", async () => {
    const draft = await app.draft("First.\n");
    const { page, context, text, problems } = await draft.open();
    await insert(page, text, "news");
    await page.keyboard.type("It is faster.");
    await text.getByRole("button", { name: /Change date and tags/ }).click();
    await page.getByLabel("Date", { exact: true }).fill("2026-11-03");
    await page.getByRole("textbox", { name: "Tags" }).fill("new, search");
    await page.keyboard.press("Enter");
    await text.getByRole("combobox", { name: "How dates look" }).selectOption("short");
    assert.equal(await text.locator(".updates-short .update-date").evaluate((date) => getComputedStyle(date, "::before").content), '"Nov 3, 2026"');
    await text.getByRole("button", { name: "Add update" }).click();
    await page.keyboard.type("It is newer.");
    assert.deepEqual(await text.locator(".update-body").allInnerTexts(), ["It is newer.", "It is faster."]);
    await text.locator(".update").first().getByRole("button", { name: "Move update down" }).click();
    assert.deepEqual(await text.locator(".update-body").allInnerTexts(), ["It is faster.", "It is newer."]);
    await text.locator(".update").last().getByRole("button", { name: "Remove update" }).click();
    await insert(page, text, "assistant");
    await page.keyboard.type("Read this page.");
    await text.getByRole("textbox", { name: "What the prompt is for" }).fill("Review my page");
    await text.getByRole("button", { name: "How the prompt is shown" }).click();
    await page.getByLabel("Text", { exact: true }).selectOption("partial");
    await page.getByRole("checkbox").check();
    await page.keyboard.press("Escape");
    await insert(page, text, "condition");
    await page.getByRole("textbox", { name: "Condition" }).fill('visitor.claims.unsigned.plan === "team"');
    await page.keyboard.press("Escape");
    await text.getByText("Shown when the reader’s plan is “team”").waitFor();
    await text.locator(".condition-body").click();
    await page.keyboard.type("For teams.");
    await saved(page);
    assert.equal(
      await draft.markdown(),
      [
        "First.\n", '{% updates format="short" %}', '{% update date="2026-11-03" tags="new,search" %}', "It is faster.", "{% endupdate %}", "{% endupdates %}\n",
        '{% prompt description="Review my page" openInAIProviders="true" defaultExpanded="partial" %}', "```", "Read this page.", "```", "{% endprompt %}\n",
        '{% if visitor.claims.unsigned.plan === "team" %}', "For teams.", "{% endif %}\n",
      ].join("\n"),
    );
    await look(page, "special-boxes", { within: "main" });
    assert.deepEqual(problems, []);
    await context.close();
  });
});
