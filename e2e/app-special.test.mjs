// Blocks and inlines that show as something else than they are written as, in a real browser: how they are made,
// changed and saved.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { look, shoot, startApp } from "./app.mjs";

describe("special blocks", () => {
  let app;
  before(async () => (app = await startApp()));
  after(() => app?.stop());

  /** Waits until the text has heard where the browser has put the cursor. */
  const settled = (page) =>
    page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))),
    );

  /** Puts a block at the end of the text with the slash menu. */
  async function insert(page, text, query) {
    const last = text.locator(":scope > p").last();
    await last.click();
    await page.keyboard.press("Control+End");
    await settled(page);
    if ((await last.innerText()).trim()) await page.keyboard.press("Enter");
    await page.keyboard.type(`/${query}`);
    await page.getByRole("listbox", { name: "Blocks" }).waitFor();
    await page.keyboard.press("Enter");
  }

  /** Waits until the page is saved as Markdown that is, or matches, what is wanted. */
  async function reads(draft, wanted) {
    let found;
    for (const end = Date.now() + 8_000; Date.now() < end; await new Promise((done) => setTimeout(done, 100))) {
      found = await draft.markdown();
      if (typeof wanted === "string" ? found === wanted : wanted.test(found)) return;
    }
    if (typeof wanted === "string") assert.equal(found, wanted);
    assert.match(found, wanted);
  }

  test("formulas and diagrams draw while one types", async () => {
    const draft = await app.draft(
      "$$\na^2\n$$\n\nA line with $$x^2$$ in it.\n\n```mermaid\ngraph LR\n  A --> B\n```\n\nLast.\n",
    );
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
    await reads(
      draft,
      "$$\n\\frac{1}{2}\n$$\n\nA line with $$x^{10}$$ in it.\n\n```mermaid\ngraph LR\n  A --> B\n```\n\nLast.\n\n$$\ne = mc^2\n$$\n",
    );
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
    assert.equal(
      await text.locator(".updates-short .update-date").evaluate((date) => getComputedStyle(date, "::before").content),
      '"Nov 3, 2026"',
    );
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
    await text.locator(".condition-open").click();
    await page.getByRole("textbox", { name: "Condition" }).fill("visitor.claims. ===");
    await page.getByText("The block keeps the condition that it had.").waitFor();
    await page.keyboard.press("Escape");
    await text.getByText("Shown when the reader’s plan is “team”").waitFor();
    await text.locator(".condition-body").click();
    await settled(page);
    await page.keyboard.type("For teams.");
    await reads(
      draft,
      [
        "First.\n",
        '{% updates format="short" %}',
        '{% update date="2026-11-03" tags="new,search" %}',
        "It is faster.",
        "{% endupdate %}",
        "{% endupdates %}\n",
        '{% prompt description="Review my page" openInAIProviders="true" defaultExpanded="partial" %}',
        "```",
        "Read this page.",
        "```",
        "{% endprompt %}\n",
        '{% if visitor.claims.unsigned.plan === "team" %}',
        "For teams.",
        "{% endif %}\n",
      ].join("\n"),
    );
    await look(page, "special-boxes", { within: "main" });
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("notes are put on words and written in place", async () => {
    const draft = await app.draft("Ships carry words.\n");
    const { page, context, text, problems } = await draft.open();
    await text.getByText("Ships").dblclick({ position: { x: 8, y: 12 } });
    await page.getByRole("toolbar", { name: "Selected text" }).getByRole("button", { name: "Add a note" }).click();
    const note = page.getByRole("textbox", { name: "Note" });
    await note.waitFor();
    await page.keyboard.type("Of **every** size.");
    await look(page, "special-note", { within: "main" });
    await page.keyboard.press("Control+Enter");
    await note.waitFor({ state: "detached" });
    await text.locator(".annotation").hover();
    const card = page.getByRole("group", { name: "Note" });
    await card.getByText("Of every size.").waitFor();
    await look(page, "special-note-card", { within: "main" });
    await reads(draft, /^Ships\[\^(\d)\] carry words\.\n\n\[\^\1\]: Of \*\*every\*\* size\.\n$/);
    await card.getByRole("button", { name: "Remove note" }).click();
    await reads(draft, "Ships carry words.\n");
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("blocks become reusable, change everywhere, and come back into the page", async () => {
    const draft = await app.draft("First.\n\nMind the gap.\n\nLast.\n");
    const { page, context, text, problems } = await draft.open();
    await text.getByText("Mind the gap.").click();
    await settled(page);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+/");
    await page.getByRole("menuitem", { name: "Make reusable content" }).click();
    await page.getByRole("dialog").getByRole("textbox", { name: "Title" }).fill("Warning");
    await page.keyboard.press("Enter");
    const block = text.locator(".block-reusable");
    await block.getByText("Warning").waitFor();
    await block.getByText("Mind the gap.").waitFor();
    await look(page, "special-reusable", { within: "main" });
    await block.getByRole("button", { name: "Edit it" }).click();
    const inside = page.getByRole("textbox", { name: "Text of Warning" });
    await inside.click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type(" And the doors.");
    await shoot(page, "special-reusable-edit");
    await page.getByRole("button", { name: "Save everywhere" }).click();
    await block.getByText("Mind the gap. And the doors.").waitFor();
    await reads(draft, /^First\.\n\n\{% include "[^"]+" %\}\n\nLast\.\n$/);
    await insert(page, text, "reusable");
    await page.getByRole("combobox", { name: "Find a reusable content" }).fill("war");
    await page.getByRole("option", { name: "Warning" }).click();
    await text.locator(".block-reusable").nth(1).getByText("And the doors.").waitFor();
    await block.first().getByRole("button", { name: "Detach into page" }).click();
    await reads(draft, /^First\.\n\nMind the gap\. And the doors\.\n\nLast\.\n\n\{% include "[^"]+" %\}\n$/);
    // Whoever opens the page finds it there, too.
    await page.reload();
    await text.locator(".block-reusable").getByText("Mind the gap. And the doors.").waitFor();
    await text.locator(".block-reusable").getByText("Warning").waitFor();
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("parts of an API are chosen, and blocks of integrations and values changed", async () => {
    const document = {
      openapi: "3.1.0",
      info: { title: "Pets", version: "1" },
      paths: { "/pets": { get: { summary: "List pets", responses: {} } } },
      webhooks: { newPet: { post: { summary: "A pet", responses: {} } } },
      components: { schemas: { Pet: { type: "object" } } },
    };
    await app.server.api("PUT", `/v1/orgs/${app.server.organization}/openapi/pets`, {
      source: { text: JSON.stringify(document) },
    });
    const draft = await app.draft(
      '{% @chart/bar title="Sales" values=[1,2] stacked=true %}\n\nLast <code class="expression">1 + 1</code> is <code class="expression">visitor.claims.unsigned.name</code>.\n',
    );
    const { page, context, text, problems } = await draft.open();
    await text.locator('.expression-chip[data-kind="value"]').getByText("2", { exact: true }).waitFor();
    await text.locator('.expression-chip[data-kind="visitor"]').waitFor();
    await text.getByText("chart / bar").hover();
    await text.getByRole("button", { name: "Change the properties" }).click();
    await page.getByRole("dialog").getByRole("textbox", { name: "title" }).fill("Sales of the year");
    await page.getByRole("textbox", { name: "values" }).fill("[1,2,3");
    await page.getByText("This is no JSON yet.").waitFor();
    await page.getByRole("textbox", { name: "values" }).fill("[1,2,3]");
    const another = page.getByRole("group", { name: "Another property" });
    await another.getByRole("textbox", { name: "Name" }).fill("2nd");
    await another.getByText("A name begins with a letter").waitFor();
    await another.getByRole("textbox", { name: "Name" }).fill("height");
    await another.getByRole("textbox", { name: "Value" }).fill("320");
    await page.keyboard.press("Enter");
    await page.getByRole("textbox", { name: "height" }).waitFor();
    await page.getByRole("button", { name: "Remove stacked" }).click();
    await look(page, "special-integration", { within: "main" });
    await page.keyboard.press("Escape");
    await text.locator('.expression-chip[data-kind="value"]').click();
    await page.getByRole("textbox", { name: "Expression" }).fill("1 +");
    await page.getByRole("alert").waitFor();
    await page.getByRole("textbox", { name: "Expression" }).fill("40 + 2");
    await page.getByText("Readers see: 42").waitFor();
    await look(page, "special-expression", { within: "main" });
    await page.keyboard.press("Enter");
    await insert(page, text, "endpoint");
    await page.getByRole("combobox", { name: "Specification" }).selectOption("pets");
    await page.getByRole("combobox", { name: "API operation" }).selectOption("get /pets");
    await text.getByText("List pets").waitFor();
    await look(page, "special-api", { within: "main" });
    await page.keyboard.press("Escape");
    await reads(
      draft,
      '{% @chart/bar height=320 title="Sales of the year" values=[1,2,3] %}\n\nLast <code class="expression">40 + 2</code> is <code class="expression">visitor.claims.unsigned.name</code>.\n\n{% openapi-operation spec="pets" path="/pets" method="get" %}\n[pets](/openapi/pets)\n{% endopenapi-operation %}\n',
    );
    await page.reload();
    await text.getByText("List pets").waitFor();
    await text.locator('.expression-chip[data-kind="value"]').getByText("42", { exact: true }).waitFor();
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("an operation is described on the page itself", async () => {
    const inline =
      '{% swagger method="post" path="/pets" baseUrl="https://api.example.org/v1" summary="Add a pet" %}\n{% swagger-description %}\nAdds it at once.\n{% endswagger-description %}\n{% endswagger %}\n\nLast.\n';
    const draft = await app.draft(inline);
    const { page, context, text, problems } = await draft.open();
    const block = text.locator(".block-openapi.is-described");
    await block.getByText("https://api.example.org/v1/pets").waitFor();
    await block.getByText("Adds it at once.").click();
    await page.keyboard.press("End");
    await page.keyboard.type(" Twice.");
    await block.getByRole("button", { name: "Change the operation" }).click();
    await page.getByRole("textbox", { name: "Summary" }).fill("Add one pet");
    await page.getByRole("combobox", { name: "Method" }).selectOption("put");
    await page.getByRole("textbox", { name: "Path" }).fill("/pets/{id}");
    await look(page, "special-described", { within: "main" });
    await page.keyboard.press("Escape");
    await reads(
      draft,
      /method="put" path="\/pets\/\{id\}"[\s\S]*summary="Add one pet"[\s\S]*Adds it at once\. Twice\./,
    );
    // Another one is made, and the first deleted.
    await insert(page, text, "described here");
    await page.getByRole("textbox", { name: "Path" }).fill("/cats");
    await page.keyboard.press("Escape");
    await block.nth(1).getByText("/cats").waitFor();
    await block.nth(1).locator("p").click();
    await page.keyboard.type("Lists cats.");
    await reads(draft, /path="\/cats"[\s\S]*Lists cats\./);
    await block.first().getByText("Adds it at once.").click();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Delete");
    await block.nth(1).waitFor({ state: "detached" });
    await reads(draft, /^(?![\s\S]*pets)[\s\S]*Lists cats\./);
    await look(page, "special-described-made");
    // Readers see the same.
    await page.goto(`${app.server.base}/app/spaces/${draft.space}/changes/${draft.number}/diff`);
    await page.getByText("Lists cats.").first().waitFor();
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("code has notes, and lines that stand out", async () => {
    const draft = await app.draft("```js\nlet first;\nlet second;\n```\n");
    const { page, context, text, problems } = await draft.open();
    // Words of a line are selected with the keyboard.
    const select = async (line, before, words) => {
      // The tools go with what was selected before.
      if (await text.locator(".cm-line").count()) await page.keyboard.press("ArrowLeft");
      else await text.locator(".block-code").getByText("let").first().click();
      await text.locator(".cm-line", { hasText: line }).click();
      await page.keyboard.press("Home");
      for (let i = 0; i < before; i++) await page.keyboard.press("ArrowRight");
      for (let i = 0; i < words; i++) await page.keyboard.press("Shift+ArrowRight");
    };
    await select("let first;", 4, 5);
    const bar = page.getByRole("toolbar", { name: "Selected text" });
    await bar.getByRole("button", { name: "Add a note" }).click();
    await page.getByRole("textbox", { name: "Note" }).waitFor();
    await page.keyboard.type("The **first** one.");
    await look(page, "special-code-note", { within: "main" });
    await page.keyboard.press("Control+Enter");
    await text.locator(".annotation", { hasText: "first" }).waitFor();
    await reads(draft, /first[\s\S]*The (\*\*|<strong>)first/);
    await select("let second;", 4, 6);
    await bar.getByRole("button", { name: "Highlight lines" }).click();
    await text.locator(".is-highlighted", { hasText: "let second" }).waitFor();
    // What is typed inside of the words has the note, too; what is typed elsewhere keeps it.
    await select("let first;", 6, 0);
    await page.keyboard.type("XY");
    await text.locator(".annotation", { hasText: "fiXYrst" }).waitFor();
    const card = page.getByRole("group", { name: "Note" });
    await card.getByText("The first one.").waitFor();
    await look(page, "special-code-notes");
    await page.reload();
    await text.locator(".annotation", { hasText: "fiXYrst" }).waitFor();
    const { document } = await app.server.api("GET", `${draft.request}/content/page/${draft.id}?format=document`);
    const lines = document.nodes[0].nodes;
    assert.deepEqual(
      lines.map(({ nodes }) => nodes.map((each) => each.type ?? "text")),
      [["text", "annotation", "text"], ["text"]],
    );
    assert.equal(lines[1].data.highlighted, true);
    await text.locator(".annotation").hover();
    await card.getByRole("button", { name: "Remove note" }).click();
    await text.locator(".annotation").waitFor({ state: "detached" });
    await reads(draft, /fiXYrst/);
    assert.deepEqual(problems, []);
    await context.close();
  });
});
