// Everything that the slash menu offers is made, changed and taken away, without Markdown: here, or in the test that is
// named.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { startApp } from "./app.mjs";

// Blocks that are there at once: what a page is when a word was typed where the cursor stands then.
const part = (name, word, attributes = ["", ""]) =>
  `{% ${name}${attributes[0]} %}\n${word}\n{% end${name} %}\n\n{% ${name}${attributes[1]} %}\n{% end${name} %}`;
const plain = {
  text: (word) => `${word}\n`,
  "heading-1": (word) => `## ${word}\n`,
  "heading-2": (word) => `### ${word}\n`,
  "heading-3": (word) => `#### ${word}\n`,
  bullets: (word) => `* ${word}\n`,
  numbers: (word) => `1. ${word}\n`,
  tasks: (word) => `* [ ] ${word}\n`,
  quote: (word) => `> ${word}\n`,
  hint: (word) => `{% hint style="info" %}\n${word}\n{% endhint %}\n`,
  code: (word) => `\`\`\`\n${word}\n\`\`\`\n`,
  expandable: (word) => `<details>\n\n<summary>${word}</summary>\n\n</details>\n`,
  steps: (word) => `{% stepper %}\n${part("step", word)}\n{% endstepper %}\n`,
  tabs: (word) => `{% tabs %}\n${part("tab", word, [' title="Tab 1"', ' title="Tab 2"'])}\n{% endtabs %}\n`,
  columns: (word) => `{% columns %}\n${part("column", word)}\n{% endcolumns %}\n`,
  table: (word) => `| ${word} | | |\n| - | - | - |\n| | | |\n| | | |\n`,
  cards: (word) =>
    `<table data-view="cards"><thead><tr><th></th><th></th><th data-card-target data-hidden data-type="content-ref"></th><th data-card-cover data-hidden data-type="image"></th></tr></thead><tbody><tr><td>${word}</td><td></td><td></td><td></td></tr>${"<tr><td></td><td></td><td></td><td></td></tr>".repeat(2)}</tbody></table>\n`,
  math: (word) => `$$\n${word}\n$$\n`,
  updates: (word) =>
    `{% updates %}\n{% update date="${new Date().toLocaleDateString("sv")}" %}\n${word}\n{% endupdate %}\n{% endupdates %}\n`,
  prompt: (word) => `{% prompt %}\n\`\`\`\n${word}\n\`\`\`\n{% endprompt %}\n`,
};

// The others ask for something first, or stand in a line.
const elsewhere = {
  divider: "app-editor",
  "page-card": "app-media",
  image: "app-media",
  file: "app-media",
  embed: "app-media",
  mention: "app-media",
  emoji: "app-media",
  icon: "app-media",
  button: "app-media",
  "inline-image": "app-media",
  "inline-math": "app-special",
  mermaid: "app-special",
  condition: "app-special",
  expression: "app-special",
  reusable: "app-special",
  "api-operation": "app-special",
  "api-described": "app-special",
  "api-schemas": "app-special",
  "api-webhook": "app-special",
};

describe("every block", () => {
  let app;
  before(async () => (app = await startApp()));
  after(() => app?.stop());

  test("is one that a test knows", async () => {
    const draft = await app.draft("");
    const { page, context, text } = await draft.open();
    await text.click();
    await page.keyboard.type("/");
    const offered = await page
      .getByRole("listbox", { name: "Blocks" })
      .getByRole("option")
      .evaluateAll((options) => options.map(({ id }) => id.replace("slash-", "")));
    assert.deepEqual(offered.toSorted(), [...Object.keys(plain), ...Object.keys(elsewhere)].toSorted());
    await context.close();
  });

  // The widths of columns of pipes are not what this is about.
  const narrowed = (markdown) => markdown.replace(/ +(?=\|)/g, " ").replace(/-{2,}(?= \|)/g, "-");

  for (const [id, wanted] of Object.entries(plain)) {
    test(`${id} is made, changed and taken away`, async () => {
      const draft = await app.draft("");
      const { page, context, text, problems } = await draft.open();
      const reads = async (expected) => {
        let found;
        for (const end = Date.now() + 8_000; Date.now() < end; await new Promise((done) => setTimeout(done, 100))) {
          found = narrowed(await draft.markdown());
          if (found === expected) return;
        }
        assert.equal(found, expected);
      };
      await text.click();
      await page.keyboard.type("/");
      await page.locator(`#slash-${id}`).click();
      await page.keyboard.type("alpha");
      await reads(wanted("alpha"));
      await page.keyboard.type("bet");
      await page.keyboard.press("Backspace");
      await reads(wanted("alphabe"));
      // Escape chooses the block, then what it stands in; in code the first lets Tab go on.
      for (let depth = 0; depth < 5; depth++) await page.keyboard.press("Escape");
      await page.keyboard.press("Delete");
      await reads("");
      await page.keyboard.press("Control+z");
      await reads(wanted("alphabe"));
      assert.deepEqual(problems, []);
      await context.close();
    });
  }
});
