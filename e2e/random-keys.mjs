// Two people press keys at random in one page, and everything that is there stays what it is: both see the same,
// whoever opens the page again sees it, too, and nothing goes wrong in a browser. It runs on demand: make random-keys,
// with SEED and ROUNDS for another run. What a failed run has pressed is in its message; the times of a run are never
// the same.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { startApp } from "./app.mjs";

const seed = Number(process.env.SEED ?? 1);
const rounds = Number(process.env.ROUNDS ?? 3);
const steps = 60;

const page_ = `Intro text with **bold** and [link](https://example.org).

## Part one

- item a
- item b
  - nested

1. one
2. two

{% hint style="info" %}
Mind this.
{% endhint %}

{% tabs %}
{% tab title="A" %}
In A.
{% endtab %}
{% tab title="B" %}
In B.
{% endtab %}
{% endtabs %}

| Name | Price |
| ---- | ----- |
| Tea  | 2     |

\`\`\`js
const x = 1;
\`\`\`

> quote

- [ ] task
- [x] done

Last paragraph.
`;
const words = [
  "bee ",
  "honey ",
  "# ",
  "## ",
  "- ",
  "1. ",
  "> ",
  "[] ",
  "\`\`\`",
  "---",
  "**x** ",
  "_y_ ",
  "`c` ",
  ":tada: ",
  "a|b ",
  "Ünï ",
  "日本 ",
  "x^2 ",
  "$$a$$ ",
  "http://a.example ",
];
const keys = [
  "Enter",
  "Enter",
  "Backspace",
  "Backspace",
  "Delete",
  "Tab",
  "Shift+Tab",
  "ArrowUp",
  "ArrowDown",
  "ArrowLeft",
  "ArrowRight",
  "Home",
  "End",
  "Shift+ArrowDown",
  "Shift+ArrowRight",
  "Shift+ArrowUp",
  "Control+b",
  "Control+i",
  "Control+e",
  "Control+Shift+s",
  "Control+z",
  "Control+z",
  "Control+Shift+z",
  "Alt+ArrowUp",
  "Alt+ArrowDown",
  "Control+Alt+1",
  "Control+Alt+2",
  "Control+Alt+0",
  "Control+Shift+7",
  "Control+Shift+8",
  "Control+Shift+9",
  "Control+Enter",
  "Shift+Enter",
  "Escape",
  "Control+c",
  "Control+x",
  "Control+v",
  "Control+Home",
  "Control+End",
];
const blocks = [
  "",
  "tab",
  "table",
  "hint",
  "code",
  "step",
  "col",
  "exp",
  "card",
  "quote",
  "list",
  "task",
  "head",
  "div",
  "math",
  "mer",
  "but",
  "upd",
  "prompt",
  "cond",
  "embed",
  "img",
  "reusable",
  "endpoint",
  "file",
];

/** A generator of numbers below n that are the same for the same seed. */
function numbers(seed) {
  let state = Math.imul(seed, 2654435761) >>> 0;
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 4294967296) * n);
  };
}

/**
 * What a text says: all parts of it, those that are hidden too, and nothing of what is there to be pressed. Cards say
 * what they lead to as it was when they were drawn, so they are left out. */
const said = (text) =>
  text.evaluate((root) => {
    const copy = root.cloneNode(true);
    const tools =
      "button, svg, .ProseMirror-gapcursor, .ProseMirror-trailingBreak, .visually-hidden, .math, .diagram, .fault, .node-card";
    for (const each of copy.querySelectorAll(tools)) each.remove();
    for (const each of copy.querySelectorAll("p, h1, h2, h3, h4, li, td, th, pre, div, br")) each.append(" ");
    return copy.textContent.replace(/[\s\u200b\u2060\ufeff]+/g, " ").trim();
  });

describe("keys at random", () => {
  let app, draft, people;
  const random = numbers(seed);
  const pick = (list) => list[random(list.length)];
  const pressed = [];

  before(async () => {
    app = await startApp();
    await app.addPerson("grace@example.org", "Grace", "edit");
    draft = await app.draft(page_);
    // When Chromium joins blocks it writes styles into them, which the policy refuses.
    const expected = /ERR_CONNECTION|status of (404|409|50\d)|Applying inline style/;
    people = await Promise.all([draft.open({ expected }), draft.open({ expected, email: "grace@example.org" })]);
  });

  after(() => app?.stop());

  const down = async (page, times) => {
    for (let i = 0; i < times; i++) await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForTimeout(50);
  };
  const deeds = {
    async type({ page }) {
      const text = pick(words);
      await page.keyboard.type(text);
      return text;
    },
    async press({ page }) {
      const key = pick(keys);
      await page.keyboard.press(key);
      return key;
    },
    async click({ page, text }) {
      const { x, y, width, height } = await text.boundingBox();
      const at = [x + 20 + random(width - 60), Math.max(120, Math.min(860, y + random(Math.min(height, 800))))].map(
        Math.round,
      );
      await page.mouse.click(...at);
      return at.join(",");
    },
    async insert({ page }) {
      const block = pick(blocks);
      await page.keyboard.press("Enter");
      await page.keyboard.type(`/${block}`);
      await page.waitForTimeout(80);
      await down(page, random(4));
      return block;
    },
    async choose({ page }) {
      await page.keyboard.press("Control+/");
      await page.waitForTimeout(80);
      await down(page, random(9));
      return "";
    },
  };
  const often = [
    "type",
    "type",
    "type",
    "type",
    "press",
    "press",
    "press",
    "press",
    "click",
    "insert",
    "insert",
    "choose",
  ];

  for (let round = 1; round <= rounds; round++) {
    test(`seed ${seed}, round ${round}`, async () => {
      for (let step = 0; step < steps; step++) {
        const who = random(3) === 0 ? 1 : 0;
        const deed = pick(often);
        pressed.push(`${who} ${deed} ${await deeds[deed](people[who])}`);
        // A link or a menu may lead elsewhere, and a dialog hides the text.
        for (const { page, text } of people) {
          if (page.url().includes(`/pages/${draft.id}`)) {
            if ((await text.count()) === 0) await page.keyboard.press("Escape");
            continue;
          }
          await page.goto(app.server.base + draft.path);
          await text.waitFor();
        }
      }
      for (const { page } of people) {
        for (let i = 0; i < 3; i++) await page.keyboard.press("Escape");
        await page.evaluate(() => document.activeElement?.blur?.());
      }
      const [ada, grace] = people;
      const last = () => pressed.slice(-2 * steps).join("\n");
      for (const { page } of people) {
        const stands = page.getByRole("status").filter({ hasText: /^(Saved$|Not saved)/ }).first();
        assert.equal(await stands.innerText(), "Saved", last());
      }
      await ada.page.waitForTimeout(3000);
      const [mine, theirs] = await Promise.all(people.map(({ text }) => said(text)));
      assert.equal(theirs, mine, `both see the same after\n${last()}`);
      await ada.page.reload();
      await ada.text.waitFor();
      await ada.page.waitForTimeout(1500);
      assert.equal(await said(ada.text), mine, `it is the same when it is opened again after\n${last()}`);
      for (const { problems } of people) assert.deepEqual(problems, [], last());
      await ada.text.click({ position: { x: 50, y: 10 } });
    });
  }
});
