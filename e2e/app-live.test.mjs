// Several people write one page at once, each in a browser of their own.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { look, phone, picture, says, shoot, startApp } from "./app.mjs";

const mod = process.platform === "darwin" ? "Meta" : "Control";

describe("writing together", () => {
  let app, server;
  before(async () => {
    ({ server } = app = await startApp());
    await app.addPerson("ben@example.org", "Ben Okri", "edit");
    await app.session("ben@example.org");
    await app.session();
  });
  after(() => app?.stop());

  const others = (page) => page.getByRole("list", { name: "Others on this page" });

  /** Waits until a text has words, as whoever looks at it sees them. */
  const reads = (text, words) => text.getByText(words, { exact: false }).first().waitFor();

  /** Returns the words of a text, block by block. */
  const blocks = (text) =>
    text.evaluate((element) => {
      const copy = element.cloneNode(true);
      // Carets, titles of tabs and what else stands beside the text is not of it.
      for (const each of copy.querySelectorAll("[contenteditable=false], .live-caret"))
        if (!each.querySelector("[contenteditable=true]")) each.remove();
      return [...copy.children].map((each) => each.textContent.trim()).filter(Boolean);
    });

  /** Opens a page for two people, and waits until they see each other. */
  async function both(markdown, { ada: forAda = {}, ben: forBen = {} } = {}) {
    const draft = await app.draft(markdown);
    const [ada, ben] = [await draft.open(forAda), await draft.open({ email: "ben@example.org", ...forBen })];
    await others(ada.page).getByRole("button", { name: /^Ben Okri/ }).waitFor();
    await others(ben.page).getByRole("button", { name: /^Ada/ }).waitFor();
    return { draft, ada, ben };
  }

  const close = async (...people) => {
    for (const { context, problems } of people) {
      assert.deepEqual(problems, []);
      await context.close();
    }
  };

  /** Puts the cursor behind words. */
  async function behind({ page, text }, words) {
    await text.getByText(words).first().click();
    await page.keyboard.press("End");
  }

  /** Waits until two have the same text, and the server has it. */
  async function same(draft, ...people) {
    for (const { page } of people) await says(page, /^Saved/);
    const markdown = await draft.markdown();
    let texts;
    for (let tries = 0; tries < 100; tries++) {
      texts = await Promise.all(people.map(({ text }) => blocks(text)));
      if (texts.every((each) => JSON.stringify(each) === JSON.stringify(texts[0])))
        return { markdown, blocks: texts[0] };
      await new Promise((done) => setTimeout(done, 50));
    }
    assert.deepEqual(texts[1], texts[0]);
  }

  test("each sees what the other types, and where", async () => {
    const { draft, ada, ben } = await both("First line.\n\nSecond line.\n\n| A | B |\n|---|---|\n| one | two |\n");
    await behind(ben, "Second line.");
    await ben.page.keyboard.type(" Ben was here.");
    await reads(ada.text, "Second line. Ben was here.");
    const caret = ada.text.locator(".live-caret");
    await caret.waitFor();
    assert.equal(await caret.getAttribute("data-name"), "Ben Okri");
    // It stands behind what Ben has typed last.
    await ada.page.waitForFunction(() =>
      document.querySelector(".live-caret")?.previousSibling?.textContent?.endsWith("here."),
    );
    await caret.and(ada.page.locator(".is-new")).waitFor();
    await shoot(ada.page, "live-caret");
    await look(ada.page, "live-two", { within: "main" });
    await picture(ada.page, "together");
    // The name goes after a while, the caret stays.
    await caret.and(ada.page.locator(":not(.is-new)")).waitFor();
    assert.equal(await caret.count(), 1);
    // A selection is tinted.
    await ben.page.keyboard.press("Shift+Home");
    await ada.text.locator(".live-selection").first().waitFor();
    await shoot(ada.page, "live-selection");
    await behind(ada, "First line.");
    await ada.page.keyboard.type(" And Ada.");
    await reads(ben.text, "First line. And Ada.");
    const { markdown } = await same(draft, ada, ben);
    assert.match(markdown, /^First line\. And Ada\.\n\nSecond line\. Ben was here\.\n\n\|/);
    // Whoever goes is gone from the text and the header, and that is said.
    await close(ben);
    await caret.waitFor({ state: "detached" });
    await others(ada.page).waitFor({ state: "detached" });
    assert.equal(await ada.page.locator("[aria-live=polite]").filter({ hasText: "Ben Okri has left." }).count(), 1);
    await close(ada);
  });

  test("both type into one paragraph at once, and undo takes back one's own alone", async () => {
    const { draft, ada, ben } = await both("Start.\n\nOther.\n");
    await behind(ada, "Start.");
    await behind(ben, "Start.");
    await Promise.all([
      ada.page.keyboard.type(" alpha beta gamma", { delay: 15 }),
      ben.page.keyboard.type(" one two three", { delay: 20 }),
    ]);
    const first = await same(draft, ada, ben);
    const letters = (text) => [...text.replace(/[^a-z]/g, "")].sort().join("");
    assert.equal(letters(first.blocks[0]), letters("tart" + "alphabetagamma" + "onetwothree"));
    assert.equal(first.markdown.trim(), first.blocks.join("\n\n"));
    for (let i = 0; i < 5; i++) await ada.page.keyboard.press(`${mod}+z`);
    const second = await same(draft, ada, ben);
    assert.equal(letters(second.blocks[0]), letters("tart" + "onetwothree"), "undo left what the other has typed");
    await ada.page.keyboard.press(`${mod}+Shift+z`);
    await behind(ben, "Other.");
    await ben.page.keyboard.type(" More.");
    await same(draft, ada, ben);
    await close(ada, ben);
  });

  test("blocks, tables, code and tabs stay in use while another writes around them", async () => {
    const { draft, ada, ben } = await both(
      'Top.\n\n```go\nx := 1\n```\n\n{% tabs %}\n{% tab title="One" %}\nFirst.\n{% endtab %}\n\n{% tab title="Two" %}\nSecond.\n{% endtab %}\n{% endtabs %}\n\n| A | B |\n|---|---|\n| left | right |\n\nEnd.\n',
    );
    // Ada writes code, on the second tab, in a cell, while Ben writes above.
    await behind(ben, "Top.");
    const meanwhile = async (words) => {
      await ben.page.keyboard.type(words);
      await reads(ada.text, words.trim());
    };
    await ada.text.getByText("x := 1").click();
    const code = ada.page.getByRole("textbox", { name: "Code in go" });
    await code.waitFor();
    await ada.page.keyboard.press("End");
    await ada.page.keyboard.type("2");
    await meanwhile(" a1");
    await ada.page.keyboard.type("3");
    assert.match(await code.innerText(), /x := 123/);
    assert.ok(await code.evaluate((element) => element.contains(document.activeElement)));
    await ada.text.getByRole("button", { name: "Two" }).click();
    await ada.text.getByText("Second.").click();
    await ada.page.keyboard.press("End");
    await meanwhile(" b1");
    await ada.page.keyboard.type(" Typed.");
    assert.ok(await ada.text.getByText("Second. Typed.").isVisible());
    await ada.text.getByText("right").click();
    await ada.page.keyboard.press("End");
    await meanwhile(" c1");
    await ada.page.keyboard.type(" cell");
    // A block that is selected as a whole stays selected.
    await behind(ada, "End.");
    await ada.page.waitForFunction(() => getSelection().anchorNode?.textContent === "End.");
    const chosen = ada.text.locator(".is-chosen").filter({ hasText: "End." });
    await ada.page.keyboard.press("Escape");
    await chosen.waitFor();
    await meanwhile(" d1");
    assert.equal(await ada.text.locator(".is-chosen").innerText(), "End.");
    await ada.page.keyboard.press("Backspace");
    const { markdown } = await same(draft, ada, ben);
    assert.match(markdown, /^Top\. a1 b1 c1 d1\n/);
    assert.match(markdown, /x := 123\n/);
    assert.match(markdown, /Second\. Typed\./);
    assert.match(markdown, /right cell/);
    assert.doesNotMatch(markdown, /End\./);
    await close(ada, ben);
  });

  test("one is offline, types on, and comes back", async () => {
    const { draft, ada, ben } = await both("One.\n\nTwo.\n", { ada: { expected: /ERR_|status of/ } });
    await ada.context.setOffline(true);
    await behind(ada, "One.");
    await ada.page.keyboard.type(" Offline.");
    await says(ada.page, "Offline: kept on this device");
    await shoot(ada.page, "live-offline");
    await behind(ben, "Two.");
    await ben.page.keyboard.type(" Online.");
    await says(ben.page, "Saved");
    assert.doesNotMatch(await draft.markdown(), /Offline/);
    await ada.context.setOffline(false);
    await reads(ada.text, "Two. Online.");
    await reads(ben.text, "One. Offline.");
    const { markdown } = await same(draft, ada, ben);
    assert.equal(markdown.trim(), "One. Offline.\n\nTwo. Online.");
    await close(ada, ben);
  });

  test("a tab is killed while the server is down, and the next one has it all", async () => {
    const { draft, ada, ben } = await both("One.\n\nTwo.\n", { ada: { expected: /./ }, ben: { expected: /./ } });
    await behind(ada, "One.");
    await ada.page.keyboard.type(" Before.");
    await says(ada.page, "Saved");
    await reads(ben.text, "One. Before.");
    await server.kill();
    await ada.page.keyboard.type(" During.");
    await behind(ben, "Two.");
    await ben.page.keyboard.type(" Ben, too.");
    await says(ada.page, "Offline: kept on this device");
    await ada.page.close({ runBeforeUnload: false });
    await server.again();
    // Ben's tab has lived on.
    await says(ben.page, "Saved");
    const again = await draft.open({ context: ada.context, expected: /./ });
    await again.page.getByText("What you typed before was not saved yet").waitFor();
    await reads(ben.text, "One. Before. During.");
    await reads(again.text, "Two. Ben, too.");
    const { markdown } = await same(draft, again, ben);
    assert.equal(markdown.trim(), "One. Before. During.\n\nTwo. Ben, too.");
    await close(again, ben);
  });

  test("the server goes and comes while both type", async () => {
    const { draft, ada, ben } = await both("One.\n\nTwo.\n", { ada: { expected: /./ }, ben: { expected: /./ } });
    await behind(ada, "One.");
    await behind(ben, "Two.");
    const typing = Promise.all([
      ada.page.keyboard.type(" alpha beta gamma delta", { delay: 40 }),
      ben.page.keyboard.type(" one two three four five", { delay: 40 }),
    ]);
    await reads(ben.text, "alpha");
    await server.kill();
    await server.again();
    await typing;
    await reads(ben.text, "One. alpha beta gamma delta");
    await reads(ada.text, "Two. one two three four five");
    const { markdown } = await same(draft, ada, ben);
    assert.equal(markdown.trim(), "One. alpha beta gamma delta\n\nTwo. one two three four five");
    await close(ada, ben);
  });

  test("where WebSockets do not pass it goes over HTTP, and that is said", async () => {
    const draft = await app.draft("One.\n\nTwo.\n");
    const ben = await draft.open({ email: "ben@example.org" });
    const context = await app.browser.newContext({
      viewport: { width: 1280, height: 800 },
      locale: "en",
      storageState: await app.session(),
    });
    await context.addInitScript(() => {
      window.WebSocket = class {
        constructor() {
          setTimeout(() => this.onclose?.(), 20);
        }
        close() {}
        send() {}
      };
    });
    const ada = await draft.open({ context });
    await others(ada.page).getByRole("button", { name: /^Ben Okri/ }).waitFor();
    await behind(ada, "One.");
    await ada.page.keyboard.type(" By HTTP.");
    await reads(ben.text, "One. By HTTP.");
    await behind(ben, "Two.");
    await ben.page.keyboard.type(" By socket.");
    await reads(ada.text, "Two. By socket.");
    await ada.text.locator(".live-caret").waitFor();
    await ada.page.keyboard.press(`${mod}+s`);
    await ada.page.getByText("This network lets no WebSockets through").waitFor();
    await shoot(ada.page, "live-http");
    await same(draft, ada, ben);
    await close(ada, ben);
  });

  test("what a program changes comes into the text, and titles follow", async () => {
    const { draft, ada, ben } = await both("One.\n\nTwo.\n");
    await behind(ada, "One.");
    await ada.page.keyboard.type(" Mine.");
    await says(ada.page, "Saved");
    const markdown = (await draft.markdown()).replace("Two.", "Two, by a program.");
    assert.match(markdown, /One\. Mine\./);
    await server.api("POST", `${draft.request}/content`, {
      changes: [{ operation: "update_page", page: draft.id, document: { markdown } }],
    });
    await reads(ada.text, "Two, by a program.");
    await reads(ben.text, "Two, by a program.");
    await ben.page.getByRole("textbox", { name: "Title" }).fill("Another title");
    await ada.page.waitForFunction(
      () => document.querySelector("textarea[aria-label=Title]")?.value === "Another title",
    );
    await same(draft, ada, ben);
    await close(ada, ben);
  });

  test("one writes Markdown while the other writes the text", async () => {
    const { draft, ada, ben } = await both("One.\n\nTwo.\n\nThree.\n");
    await behind(ben, "One.");
    await ben.page.keyboard.type(" Ben.");
    await reads(ada.text, "One. Ben.");
    await ada.page.getByRole("button", { name: "Edit as Markdown" }).click();
    const source = ada.page.getByRole("textbox", { name: "Markdown of the page" });
    await source.getByText("One. Ben.").waitFor();
    // Each sees that the other is there, and what Ben types comes without a word of Ada's.
    await others(ada.page).getByRole("button", { name: /^Ben Okri/ }).waitFor();
    await others(ben.page).getByRole("button", { name: /^Ada/ }).waitFor();
    await ben.page.keyboard.type(" More.");
    await source.getByText("One. Ben. More.").waitFor();
    await look(ada.page, "live-markdown", { within: "main" });
    await source.getByText("Three.").click();
    await ada.page.keyboard.press("End");
    await ada.page.keyboard.type(" Ada.");
    await reads(ben.text, "Three. Ada.");
    // The cursor stays where it is when more comes.
    await behind(ben, "Two.");
    await ben.page.keyboard.type(" Again.");
    await source.getByText("Two. Again.").waitFor();
    await ada.page.keyboard.type(" On.");
    await reads(ben.text, "Three. Ada. On.");
    await says(ada.page, "Saved");
    await ada.page.getByRole("button", { name: "Edit as text" }).click();
    await ada.text.waitFor();
    const { markdown } = await same(draft, ada, ben);
    assert.equal(markdown.trim(), "One. Ben. More.\n\nTwo. Again.\n\nThree. Ada. On.");
    await close(ada, ben);
  });

  test("what is pasted is more than a session takes at once, and comes to the other all the same", async () => {
    const { draft, ada, ben } = await both("One.\n\nTwo.\n");
    await behind(ada, "One.");
    const lines = Array.from({ length: 9 }, (_, i) => `Part ${i}. ${"word ".repeat(21_000)}end.`);
    await ada.text.evaluate((element, text) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", text);
      element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    }, lines.join("\n\n"));
    await ben.text.getByText("Part 8.").waitFor({ state: "attached" });
    await says(ada.page, /^Saved/);
    await others(ada.page).getByRole("button", { name: /^Ben Okri/ }).waitFor();
    await behind(ben, "Two.");
    await ben.page.keyboard.type(" Ben goes on.");
    await reads(ada.text, "Two. Ben goes on.");
    const { markdown } = await same(draft, ada, ben);
    assert.equal(markdown.match(/Part \d\./g)?.length, 9);
    assert.ok(markdown.length > 940_000);
    await close(ada, ben);
  });

  test("the tree says who is where, in the dark and on a phone, too", async () => {
    const draft = await app.draft("One.\n\nTwo.\n");
    await server.api("POST", `${draft.request}/content`, {
      changes: [{ operation: "insert_page", title: "Elsewhere", document: { markdown: "Here." } }],
    });
    const { pages } = await server.api("GET", `${draft.request}/content/pages`);
    const elsewhere = pages.find(({ title }) => title === "Elsewhere").id;
    const ben = await app.open(draft.path.replace(draft.id, elsewhere), { email: "ben@example.org" });
    await ben.page.getByRole("textbox", { name: "Text of the page" }).getByText("Here.").click();
    const ada = await draft.open({ colorScheme: "dark" });
    const row = ada.page.getByRole("treeitem", { name: /Elsewhere/ });
    await row.getByRole("img", { name: "Ben Okri here" }).waitFor();
    await look(ada.page, "live-tree-dark");
    await ben.page.getByRole("treeitem", { name: /^Page/ }).click();
    const text = ben.page.getByRole("textbox", { name: "Text of the page" });
    await text.getByText("Two.").click();
    await ada.text.locator(".live-caret").waitFor();
    await look(ada.page, "live-dark");
    await close(ada);
    const small = await draft.open({ ...phone });
    await others(small.page).getByRole("button", { name: /^Ben Okri/ }).waitFor();
    await text.getByText("Two.").click();
    await ben.page.keyboard.press("Shift+Home");
    await small.text.locator(".live-selection").first().waitFor();
    await look(small.page, "live-phone");
    await close(small, { ...ben });
  });

  test("a merge ends it for both, in clear words", async () => {
    const { draft, ada, ben } = await both("One.\n\nTwo.\n", {
      ada: { expected: /status of 4/ },
      ben: { expected: /status of 4/ },
    });
    await behind(ada, "One.");
    await ada.page.keyboard.type(" Last words.");
    await says(ada.page, "Saved");
    await server.api("POST", `${draft.request}/merge`);
    for (const { page, text } of [ada, ben]) {
      await page.getByText("This change request is merged. Its pages cannot be changed any more.").waitFor();
      assert.equal(await text.count(), 0, "the text can still be written");
    }
    await look(ada.page, "live-merged");
    const { markdown } = await server.api("GET", `/v1/spaces/${draft.space}/content/page/${draft.id}?format=markdown`);
    assert.match(markdown, /One\. Last words\./);
    await close(ada, ben);
  });
});
