// Writing a page in the app, in a real browser: what typing makes, how it is saved, and that nothing typed is lost.
import { after, before, beforeEach, describe, test } from "node:test";
import assert from "node:assert/strict";
import { says, shoot, startApp } from "./app.mjs";
import { seriousFindings } from "./browser.mjs";

const source =
  "Setext\n------\n\n*  One\n*  Two\n\nMiddle   of `it`.\n\n|a|b|\n|-|-|\n|1|2|\n\n<x-note>Kept</x-note>\n\nLast.\n";
const select = process.platform === "darwin" ? "Meta" : "Control";

describe("writing a page", () => {
  let app, server, draft;
  before(async () => ({ server } = app = await startApp()));
  after(() => app?.stop());
  beforeEach(async () => (draft = await app.draft(source)));

  /** Puts the cursor at the end of the text. */
  async function atEnd(page, text) {
    await text.getByText("Last.").click();
    await page.keyboard.press("End");
  }

  test("opens as it is, and leaves blocks that nobody touched as they are", async () => {
    const { page, context, text, problems } = await draft.open();
    assert.equal(await page.getByRole("textbox", { name: "Title" }).inputValue(), "Page");
    await says(page, "Saved");
    assert.equal(await draft.revisions(), 0);
    await atEnd(page, text);
    await page.keyboard.type(" The end.");
    await says(page, "Saved");
    assert.ok((await draft.markdown()).endsWith(source.replace("Last.", "Last. The end.")), await draft.markdown());
    assert.equal(await draft.revisions(), 1);
    await page.reload();
    await text.getByText("The end.").waitFor();
    await says(page, "Saved");
    assert.equal(await draft.revisions(), 1, "reading made a revision");
    // What is typed and taken back is no change.
    await atEnd(page, text);
    await page.keyboard.type("!");
    await page.keyboard.press("Backspace");
    await says(page, "Saved");
    assert.equal(await draft.revisions(), 1);
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("turns Markdown into what it means, and takes it back", async () => {
    const { page, context, text, problems } = await draft.open();
    await atEnd(page, text);
    for (const line of [
      "## A part",
      "Some **bold**, *italic*, `code` and ~~struck~~ words, [a link](https://example.org) too.",
      "- first",
      "second",
    ]) {
      await page.keyboard.press("Enter");
      await page.keyboard.type(line);
    }
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await page.keyboard.type("nested");
    for (let i = 0; i < 3; i++) await page.keyboard.press("Enter");
    await page.keyboard.type("1. one");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await page.keyboard.type("[ ] to do");
    await page.keyboard.press("Control+Enter");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await page.keyboard.type("> quoted");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await page.keyboard.type("---");
    await page.keyboard.type("```go");
    await page.keyboard.press("Enter");
    await page.keyboard.type("x := 1");
    await page.keyboard.press("Enter");
    await page.keyboard.type("y := 2");
    await page.keyboard.press("Control+Enter");
    await page.keyboard.type("After.");
    await says(page, "Saved");
    const want = [
      "Last.",
      "## A part",
      "Some **bold**, _italic_, `code` and ~~struck~~ words, [a link](https://example.org) too.",
      "* first\n* second\n  * nested",
      "1. one",
      "* [x] to do",
      "> quoted",
      "***",
      "```go\nx := 1\ny := 2\n```",
      "After.",
    ].join("\n\n");
    assert.equal((await draft.markdown()).slice((await draft.markdown()).indexOf("Last.")).trim(), want);
    assert.equal(await text.locator("h2").last().innerText(), "A part");
    await shoot(page, "editor-markdown", { fullPage: true });
    // The first undo takes back what typing was turned into alone.
    await page.keyboard.press("Enter");
    await page.keyboard.type("- ");
    assert.equal(await text.locator("ul").count(), 5);
    await page.keyboard.press("Control+z");
    assert.equal(await text.locator("ul").count(), 4);
    assert.equal(await text.locator(":scope > p").filter({ hasText: /^- $/ }).count(), 1);
    assert.deepEqual(problems, []);
    await context.close();
  });

  // Keyboards of phones, panels of emoji and dictation write without keys; input methods compose.
  for (const [how, words, put] of [
    ["comes without a key", "Übung", (page) => page.keyboard.insertText("Ü")],
    ["is composed", "日本bung", async (page) => {
      const session = await page.context().newCDPSession(page);
      await session.send("Input.imeSetComposition", { text: "に", selectionStart: 1, selectionEnd: 1 });
      await session.send("Input.imeSetComposition", { text: "日本", selectionStart: 2, selectionEnd: 2 });
      await session.send("Input.insertText", { text: "日本" });
    }],
  ]) {
    test(`what ${how} takes the place of chosen blocks, as what is typed does`, async () => {
      const draft = await app.draft("First.\n\n| Name | Price |\n| ---- | ----- |\n| Tea  | 2     |\n\nLast.\n");
      const { page, context, text, problems } = await draft.open();
      await text.getByText("Name").click();
      await page.waitForFunction(() => document.activeElement?.closest("[data-editor]"));
      await page.evaluate(() => new Promise((done) => setTimeout(done, 300)));
      await page.keyboard.press("Escape");
      await text.locator(".is-chosen").waitFor();
      await put(page);
      await page.keyboard.type("bung");
      await says(page, "Saved");
      await text.getByText(words).waitFor();
      for (const end = Date.now() + 10_000; ; await new Promise((done) => setTimeout(done, 200))) {
        const now = await draft.markdown();
        if (now === `First.\n\n${words}\n\nLast.\n`) break;
        assert.ok(Date.now() < end, now);
      }
      assert.deepEqual(problems, []);
      await context.close();
    });
  }

  for (const [block, markdown, within, chosen, becomes] of [
    ["hint", '{% hint style="info" %}\nInside.\n{% endhint %}', "Inside", ".block-hint.is-chosen", "日本語"],
    [
      "tabs",
      '{% tabs %}\n{% tab title="One" %}\nInside.\n{% endtab %}\n{% endtabs %}',
      "Inside",
      ".block-tabs.is-chosen",
      "日本語",
    ],
    ["code", "```js\nlet x = 1;\n```", "let x", ".block-code.is-chosen", "日本語"],
    ["item", "* Inside.\n* Other.", "Inside", "li.is-chosen", "* 日本語\n* Other."],
  ]) {
    test(`what is composed takes the place of a chosen ${block} once`, async () => {
      const draft = await app.draft(`First.\n\n${markdown}\n\nLast.\n`);
      const { page, context, text, problems } = await draft.open();
      await text.getByText(within).click();
      await page.waitForFunction(() => document.activeElement?.closest("[data-editor]"));
      for (let presses = 0; (await text.locator(chosen).count()) === 0; presses++) {
        assert.ok(presses < 5, `Escape chooses no ${block}`);
        await page.keyboard.press("Escape");
        await page.evaluate(() => new Promise((done) => setTimeout(done, 100)));
      }
      const session = await page.context().newCDPSession(page);
      await session.send("Input.imeSetComposition", { text: "に", selectionStart: 1, selectionEnd: 1 });
      await session.send("Input.imeSetComposition", { text: "日本", selectionStart: 2, selectionEnd: 2 });
      await session.send("Input.insertText", { text: "日本" });
      await page.keyboard.insertText("語");
      for (const end = Date.now() + 10_000; ; await new Promise((done) => setTimeout(done, 200))) {
        const now = await draft.markdown();
        if (now === `First.\n\n${becomes}\n\nLast.\n`) break;
        assert.ok(Date.now() < end, now);
      }
      assert.deepEqual(problems, []);
      await context.close();
    });
  }

  test("an arrow leaves inline code where the line ends or begins, also while somebody else writes", async () => {
    const draft = await app.draft("Run `make`\n\n`ls` lists.\n\nLast.\n");
    const { page, context, text, problems } = await draft.open();
    const other = await draft.open();
    await atEnd(other.page, other.text);
    await text.getByText("Run").click();
    await page.keyboard.press("End");
    await page.keyboard.type("file");
    await page.keyboard.press("ArrowRight");
    await other.page.keyboard.type("More.");
    await text.getByText("More.").waitFor();
    await page.keyboard.type(" now, and `test`");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.type("s");
    await text.getByText("lists.").click();
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.type("Then ");
    for (const end = Date.now() + 10_000; ; await new Promise((done) => setTimeout(done, 200))) {
      const now = await draft.markdown();
      if (now.startsWith("Run `makefile` now, and `tests`\n\nThen `ls` lists.\n\nLast.")) break;
      assert.ok(Date.now() < end, now);
    }
    assert.deepEqual([...problems, ...other.problems], []);
    await other.context.close();
    await context.close();
  });

  for (const [name, options] of [
    ["light", {}],
    ["dark", { colorScheme: "dark" }],
    ["without motion", { reducedMotion: "reduce" }],
  ]) {
    test(`inline code shows whether what is typed goes into it, ${name}`, async () => {
      const draft = await app.draft("Run `make` **`all`** or `test`\n\nLast.\n");
      const { page, context, text, problems } = await draft.open(options);
      // Which codes have an outline, at once: nothing moves.
      const entered = () =>
        text.locator("code").evaluateAll((all) => {
          const luminance = (color) => {
            const canvas = new OffscreenCanvas(1, 1).getContext("2d");
            canvas.fillStyle = color;
            canvas.fillRect(0, 0, 1, 1);
            const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((each) =>
              each <= 10 ? each / 255 / 12.92 : ((each / 255 + 0.055) / 1.055) ** 2.4,
            );
            return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
          };
          const ratio = (a, b) => Math.max(a / b, b / a);
          return all
            .filter((each) => getComputedStyle(each).outlineStyle === "solid")
            .map((each) => {
              const { outlineColor, transitionDuration } = getComputedStyle(each);
              const contrast = ratio(
                luminance(outlineColor),
                luminance(getComputedStyle(document.body).backgroundColor),
              );
              return `${each.textContent} ${contrast >= 3 && transitionDuration === "0s" ? "plain to see" : contrast}`;
            });
        });
      await text.getByText("Last.").click();
      assert.deepEqual(await entered(), []);
      await text.getByText("Run").click();
      await page.keyboard.press("End");
      assert.deepEqual(await entered(), ["test plain to see"]);
      await shoot(page, `editor-in-code-${name.replace(" ", "-")}`);
      await page.keyboard.press("ArrowRight");
      assert.deepEqual(await entered(), []);
      await shoot(page, `editor-beyond-code-${name.replace(" ", "-")}`);
      await page.keyboard.press("ArrowLeft");
      assert.deepEqual(await entered(), ["test plain to see"]);
      await page.keyboard.type("s");
      assert.deepEqual(await entered(), ["tests plain to see"]);
      await page.keyboard.press("ArrowRight");
      await page.keyboard.type(" x");
      assert.deepEqual(await entered(), []);
      // In the middle, and of code that is bold in part, the whole of it.
      await text.locator("code", { hasText: "make" }).dblclick();
      assert.deepEqual(await entered(), [], "a selection is replaced as a whole");
      await page.keyboard.press("ArrowLeft");
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("ArrowRight");
      assert.deepEqual(await entered(), ["make plain to see"]);
      await page.keyboard.press(`${select}+e`);
      assert.deepEqual(await entered(), [], "what is typed next is no code");
      await page.keyboard.press(`${select}+e`);
      assert.deepEqual(await entered(), ["make plain to see"]);
      await page.getByRole("textbox", { name: "Title" }).click();
      assert.deepEqual(await entered(), [], "who is elsewhere");
      assert.deepEqual(problems, []);
      await context.close();
    });
  }

  test("offers blocks after a slash and marks on a selection", async () => {
    const { page, context, text, problems } = await draft.open();
    await atEnd(page, text);
    await page.keyboard.press("Enter");
    await page.keyboard.type("/");
    const menu = page.getByRole("listbox", { name: "Blocks" });
    await menu.waitFor();
    assert.deepEqual(await seriousFindings(page), [], "with the menu");
    await shoot(page, "editor-slash");
    await page.keyboard.press("ArrowDown");
    assert.equal(
      await text.getAttribute("aria-activedescendant"),
      await menu.getByRole("option", { selected: true }).getAttribute("id"),
    );
    await page.keyboard.type("callo");
    assert.deepEqual(await menu.getByRole("option").allInnerTexts(), ["Hint"]);
    await page.keyboard.press("Enter");
    await menu.waitFor({ state: "detached" });
    await page.keyboard.type("Mind the gap");
    assert.equal(await text.locator(".block-hint.hint-info .hint-body").innerText(), "Mind the gap");
    await text.getByLabel("Style of the hint").selectOption("warning");
    await text.locator(".block-hint.hint-warning").waitFor();
    // Escape leaves what was typed.
    await text.getByText("Last.").click();
    await page.keyboard.press("End");
    await page.keyboard.type(" /zzzz and/or");
    assert.equal(await menu.count(), 0);

    await text.getByText("Mind the gap").dblclick({ position: { x: 8, y: 12 } });
    const bar = page.getByRole("toolbar", { name: "Selected text" });
    await bar.waitFor();
    assert.deepEqual(await seriousFindings(page), [], "with the toolbar");
    await shoot(page, "editor-toolbar");
    await bar.getByRole("button", { name: "Bold" }).click();
    assert.equal(await bar.getByRole("button", { name: "Bold" }).getAttribute("aria-pressed"), "true");
    await page.keyboard.press(`${select}+k`);
    await page.getByRole("combobox", { name: "Address of the link" }).fill("example.org/gap");
    await page.keyboard.press("Enter");
    await text.locator('a[href="https://example.org/gap"] strong').waitFor();
    await says(page, "Saved");
    const saved = await draft.markdown();
    assert.match(saved, /\{% hint style="warning" %\}\n.*\*\*.*\]\(https:\/\/example\.org\/gap\)/s);
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("types on below the title while the editor is on its way, and the address follows the title", async () => {
    const { page, context, problems } = await app.open(`/app/spaces/${draft.space}/changes/${draft.number}`);
    let letIt;
    const held = new Promise((done) => (letIt = done));
    await page.route(/\/Editor-[^/]*\.js$/, async (route) => { await held; await route.continue(); });
    await page.getByRole("button", { name: "New page", exact: true }).click();
    const title = page.getByRole("textbox", { name: "Title" });
    // A page that was just made is called something at once.
    await page.waitForFunction(() => document.activeElement?.matches("textarea[aria-label=Title]"));
    assert.equal(await title.inputValue(), "Untitled");
    await page.keyboard.type("Ports and doors");
    await page.keyboard.press("Enter");
    await page.keyboard.type("Early words");
    await page.keyboard.press("Enter");
    await page.keyboard.type("and more");
    letIt();
    const text = page.getByRole("textbox", { name: "Text of the page", exact: true });
    await text.getByText("and more").waitFor();
    await page.keyboard.type(" here.");
    await says(page, "Saved");
    const made = (await server.api("GET", `${draft.request}/content/pages`)).pages.find(
      (each) => each.title === "Ports and doors",
    );
    assert.equal(made.path, "ports-and-doors");
    const { markdown } = await server.api("GET", `${draft.request}/content/page/${made.id}?format=markdown`);
    assert.ok(markdown.endsWith("\nEarly words\n\nand more here.\n"), markdown);
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("loses nothing when the server goes away in the middle", async () => {
    const { page, context, text, problems } = await draft.open();
    await atEnd(page, text);
    await page.keyboard.type(" before");
    await says(page, "Saved");
    await server.kill();
    await page.keyboard.type(" during");
    await says(page, "Offline: kept on this device");
    await page.keyboard.type(" and on");
    await shoot(page, "editor-offline");
    await server.again();
    await says(page, "Saved");
    assert.ok((await draft.markdown()).endsWith("Last. before during and on\n"), await draft.markdown());
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("loses nothing when tab and server go away in the middle", async () => {
    const { page, context, text } = await draft.open();
    await atEnd(page, text);
    await server.kill();
    await page.keyboard.type(" typed and lost?");
    await says(page, "Offline: kept on this device");
    await page.getByRole("textbox", { name: "Title" }).fill("Page, renamed");
    // The last key is in the store before the tab is gone.
    await page.waitForFunction(async () => {
      const database = await new Promise((done) => {
        const request = indexedDB.open("recto", 1);
        request.onsuccess = () => done(request.result);
      });
      const rows = await new Promise((done) => {
        const request = database.transaction("drafts").objectStore("drafts").getAll();
        request.onsuccess = () => done(request.result);
      });
      database.close();
      return rows.some((row) => row.title === "Page, renamed");
    });
    const session = await context.newCDPSession(page);
    const crashed = page.waitForEvent("crash");
    session.send("Page.crash").catch(() => undefined);
    await crashed;
    await server.again();
    const again = await draft.open({ context });
    await again.text.getByText("typed and lost?").waitFor();
    assert.equal(await again.page.getByRole("textbox", { name: "Title" }).inputValue(), "Page, renamed");
    // The banner over the page says "saved", too.
    await says(again.page, /^Saved/);
    assert.match(await draft.markdown(), /Last\. typed and lost\?\n$/);
    assert.deepEqual(again.problems, []);
    await context.close();
  });

  test("keeps what somebody typed from the next person", async () => {
    const { page, context, text } = await draft.open();
    await atEnd(page, text);
    await context.setOffline(true);
    await page.keyboard.type(" secret");
    await says(page, "Offline: kept on this device");
    const rows = await page.evaluate(async () => {
      const database = await new Promise((done) => {
        const request = indexedDB.open("recto", 1);
        request.onsuccess = () => done(request.result);
      });
      return new Promise((done) => {
        const request = database.transaction("drafts").objectStore("drafts").getAll();
        request.onsuccess = () => done(request.result);
      });
    });
    const { id: me } = await server.api("GET", "/v1/user");
    assert.deepEqual(JSON.parse(rows[0].owner), [me, draft.space, String(draft.number), draft.id]);
    await context.close();
  });

  test("takes in what another tab saves, and asks where both changed the same", async () => {
    const one = await draft.open();
    const other = await draft.open({ context: one.context });
    await atEnd(one.page, one.text);
    await one.page.keyboard.type(" One.");
    await says(one.page, "Saved");
    await other.text.getByText("Two").click();
    await other.page.keyboard.press("End");
    await other.page.keyboard.type(" of other");
    await says(other.page, "Saved");
    await other.text.getByText("Last. One.").waitFor();
    assert.match(await draft.markdown(), /Two of other[\s\S]*Last\. One\.\n$/);
    assert.deepEqual(one.problems, []);
    await one.page.close();

    // Both write in the same block, one without a live session, and knowing nothing of the other.
    const context = await app.browser.newContext({ locale: "en", storageState: await app.session() });
    await context.addInitScript(() => (window.WebSocket = undefined));
    await context.route("**/live", (route) =>
      route.request().method() === "POST" ? route.fulfill({ status: 404, json: {} }) : route.continue(),
    );
    const apart = await draft.open({ context });
    await other.text.getByText("Middle").click();
    await other.page.keyboard.press("End");
    await other.page.keyboard.type(" Theirs.");
    await says(other.page, "Saved");
    await apart.text.getByText("Middle").click();
    await apart.page.keyboard.press("End");
    await apart.page.keyboard.type(" Mine.");
    const banner = apart.page.getByText("Somebody else has changed the same part of this page.").last();
    await banner.waitFor();
    assert.match(await draft.markdown(), /Theirs\./, "the other's text was overwritten");
    assert.deepEqual(await seriousFindings(apart.page), []);
    await shoot(apart.page, "editor-conflict");
    await apart.page.getByRole("button", { name: "Take theirs" }).click();
    await apart.text.getByText("Theirs.").waitFor();
    await says(apart.page, "Saved");
    // What is written without a session comes into it.
    await atEnd(apart.page, apart.text);
    await apart.page.keyboard.type(" Apart.");
    await other.text.getByText("Last. One. Apart.").waitFor();
    assert.deepEqual([...apart.problems, ...other.problems], []);
    await context.close();
    await other.context.close();
  });

  test("a page in a language that runs from right to left is written and read that way", async () => {
    const hebrew = await app.draft(
      'פסקה ראשונה עם `קוד`.\n\n* אחת\n* שתיים\n\n{% hint style="info" %}\nשימו לב.\n{% endhint %}\n',
      "התחלה מהירה",
    );
    const { page, context, text, problems } = await hebrew.open();
    const direction = (locator) => locator.evaluate((element) => getComputedStyle(element).direction);
    assert.equal(await direction(text), "rtl");
    assert.equal(await direction(page.getByRole("textbox", { name: "Title" })), "rtl");
    // The marks of lists and the handles of blocks stand at the right.
    await text.getByText("פסקה ראשונה").hover();
    const grip = page.getByRole("button", { name: "Block menu" });
    await grip.waitFor();
    const [handle, area] = [await grip.boundingBox(), await text.boundingBox()];
    assert.ok(handle.x > area.x + area.width / 2, `the handle is at ${handle.x}`);
    await text.getByText("שימו לב.").click();
    await page.keyboard.press("End");
    await page.keyboard.type(" נא לקרוא.");
    await says(page, "Saved");
    assert.match(await hebrew.markdown(), /שימו לב\. נא לקרוא\./);
    assert.deepEqual(await seriousFindings(page, { within: "main" }), []);
    await shoot(page, "editor-right-to-left");
    await page.goto(page.url().replace(/\/changes\/.*$/, `/pages/${hebrew.id}`));
    await page.getByRole("heading", { name: "התחלה מהירה" }).waitFor();
    assert.equal(await direction(page.locator("article li").first()), "rtl");
    await shoot(page, "reading-right-to-left");
    assert.deepEqual(problems, []);
    await context.close();
  });

  for (const colorScheme of ["light", "dark"]) {
    test(`is accessible and fits, ${colorScheme}`, async () => {
      for (const [size, viewport] of Object.entries({
        desktop: { width: 1440, height: 900 },
        phone: { width: 390, height: 844 },
      })) {
        const { page, context, text, problems } = await draft.open({
          viewport,
          colorScheme,
          hasTouch: size === "phone",
        });
        await says(page, "Saved");
        assert.deepEqual(await seriousFindings(page, { within: "main" }), [], size);
        assert.equal(
          await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
          true,
          "the page scrolls sideways",
        );
        await shoot(page, `editor-${size}-${colorScheme}`);
        await text.getByText("Last.").dblclick({ position: { x: 8, y: 12 } });
        const bar = page.getByRole("toolbar", { name: "Selected text" });
        await bar.waitFor();
        const box = await bar.boundingBox();
        assert.ok(
          box.x >= 0 && box.x + box.width <= viewport.width && box.y + box.height <= viewport.height,
          `the toolbar leaves the screen: ${JSON.stringify(box)}`,
        );
        await shoot(page, `editor-selected-${size}-${colorScheme}`);
        assert.deepEqual(problems, []);
        await context.close();
      }
    });
  }
});
