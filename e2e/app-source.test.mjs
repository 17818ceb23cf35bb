// Code, Markdown and search while a page is written in the app, in a real browser.
import { after, before, beforeEach, describe, test } from "node:test";
import assert from "node:assert/strict";
import { look, password, says, shoot, startApp } from "./app.mjs";

const mod = process.platform === "darwin" ? "Meta" : "Control";

let app, server;
before(async () => ({ server } = app = await startApp()));
after(() => app?.stop());

describe("code in a page", () => {
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
    assert.match(
      await draft.markdown(),
      /```go\nfunc main\(\) \{\n\tif \(a\[0\]\) \{\n\t+b\(\)\n\t\}\n\tx := "1"\n\}\n```/,
    );
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
  const body =
    "Setext\n------\n\n*  One\n*  Two\n\nMiddle   of `it`.\n\n|a|b|\n|-|-|\n|1|2|\n\n<x-note>Kept</x-note>\n\nLast.\n";
  let draft;
  beforeEach(async () => (draft = await app.draft(body)));

  /** Opens the Markdown of the draft's page. */
  async function openSource(options) {
    const opened = await app.open(`${draft.path}?mode=source`, options);
    const source = opened.page.getByRole("textbox", { name: "Markdown of the page" });
    await source.waitFor();
    return { ...opened, source };
  }
  const whole = (source) =>
    source.evaluate(
      (element) => element.cmTile?.view?.state.doc.toString() ?? element.cmView.view.state.doc.toString(),
    );
  const file = async () =>
    (await server.api("GET", `${draft.request}/content/page/${draft.id}?format=markdown`)).markdown;

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
  test("keeps the place where one is", async () => {
    const long = await app.draft(
      Array.from({ length: 80 }, (_, i) => `Paragraph ${i} of many, with _some_ words.\n`).join("\n"),
    );
    const { page, context, text, problems } = await long.open();
    await text.getByText("Paragraph 42 ").scrollIntoViewIfNeeded();
    await text.getByText("Paragraph 42 ").click();
    const high = async (words) => (await words.boundingBox()).y;
    // What is on top of the screen in one form is there in the other.
    const first = await text
      .locator(":scope > p")
      .evaluateAll((all) => all.findIndex((each) => each.getBoundingClientRect().bottom > 48));
    const before = await high(text.getByText(`Paragraph ${first} `));
    await page.keyboard.press(`${mod}+Alt+s`);
    const source = page.getByRole("textbox", { name: "Markdown of the page" });
    await source.getByText(`Paragraph ${first} `).waitFor();
    const off = async (words) => Math.abs((await high(words)) - before);
    for (let i = 0; i < 20 && (await off(source.getByText(`Paragraph ${first} `))) > 24; i++)
      await page.evaluate(() => new Promise(requestAnimationFrame));
    assert.ok((await off(source.getByText(`Paragraph ${first} `))) <= 24, "the text has moved");
    await page.keyboard.type("Here. ");
    await source.getByText("Here. Paragraph 42 ").waitFor();
    await page.keyboard.press(`${mod}+Alt+s`);
    await text.getByText(`Paragraph ${first} `).waitFor();
    assert.ok((await off(text.getByText(`Paragraph ${first} `))) <= 40, "the text has moved");
    await page.keyboard.type("And here. ");
    await text.getByText("And here. Here. Paragraph 42 ").waitFor();
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("loses nothing when tab and server go away in the middle", async () => {
    const { page, context, source } = await openSource();
    await source.getByText("Last.").click();
    await page.keyboard.press("End");
    await server.kill();
    await page.keyboard.type(" typed and lost?");
    await says(page, "Offline: kept on this device");
    // What is not saved cannot be shown in the other form, and says so.
    await page.keyboard.press(`${mod}+Alt+s`);
    await page.getByText("Text and Markdown can be exchanged once").waitFor();
    await page.keyboard.type(" Never.");
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
      return rows.some((row) => row.markdown?.endsWith("Never.\n"));
    });
    const session = await context.newCDPSession(page);
    const crashed = page.waitForEvent("crash");
    session.send("Page.crash").catch(() => undefined);
    await crashed;
    await server.again();
    // The page opens in the form in which it was typed, whatever the address says.
    const again = await app.open(draft.path, { context });
    const restored = again.page.getByRole("textbox", { name: "Markdown of the page" });
    await restored.getByText("typed and lost? Never.").waitFor();
    assert.match(again.page.url(), /mode=source/);
    await says(again.page, "Saved");
    assert.match(await draft.markdown(), /Last\. typed and lost\? Never\.\n$/);
    assert.deepEqual(again.problems, []);
    await context.close();
  });

  test("goes on sending when the screen is left, and waits for that when somebody comes back", async () => {
    const { page, context, source, problems } = await openSource({ expected: /ERR_FAILED/ });
    await page.route("**/content?compat=false", (route) => route.abort());
    await source.getByText("Last.").click();
    await page.keyboard.press("End");
    await page.keyboard.type(" On the way.");
    await says(page, "Offline: kept on this device");
    await page.getByRole("link", { name: "View changes" }).click();
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.goBack();
    await source.getByText("Last. On the way.").waitFor();
    await page.getByText("What you typed before was not saved yet.").waitFor();
    await page.getByRole("link", { name: "View changes" }).click();
    await page.unroute("**/content?compat=false");
    for (let tries = 0; tries < 200 && !/On the way/.test(await draft.markdown()); tries++)
      await page.evaluate(() => new Promise(requestAnimationFrame));
    await page.goBack();
    await source.getByText("Last. On the way.").waitFor();
    await says(page, /^Saved/);
    assert.match(await draft.markdown(), /Last\. On the way\.\n$/);
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("takes in what rich text saves elsewhere, and asks where both changed the same", async () => {
    const one = await openSource();
    const other = await draft.open({ context: one.context });
    await other.text.getByText("Last.").click();
    await other.page.keyboard.press("End");
    await other.page.keyboard.type(" Rich.");
    await says(other.page, "Saved");
    await one.source.getByText("Two").click();
    await one.page.keyboard.press("End");
    await one.page.keyboard.type(" of source");
    await one.source.getByText("Last. Rich.").waitFor();
    await says(one.page, "Saved");
    assert.match(await draft.markdown(), /Two of source[\s\S]*Last\. Rich\.\n$/);
    // Both type before either has what the other typed: what one sends is held back.
    let release;
    const held = new Promise((resolve) => (release = resolve));
    await one.page.route("**/content?compat=false", (route) => held.then(() => route.continue()));
    const sent = one.page.waitForRequest("**/content?compat=false");
    await one.source.getByText("Middle").click();
    await one.page.keyboard.press("End");
    await one.page.keyboard.type(" Mine.");
    await sent;
    await other.text.getByText("Middle").click();
    await other.page.keyboard.press("End");
    await other.page.keyboard.type(" Theirs.");
    await says(other.page, "Saved");
    release();
    await one.page.getByText("Somebody else has changed the same part of this page.").last().waitFor();
    assert.match(await draft.markdown(), /Theirs\./, "the other's text was overwritten");
    await one.page.getByRole("button", { name: "Take theirs" }).click();
    await one.source.getByText("Theirs.").waitFor();
    await says(one.page, "Saved");
    assert.deepEqual([...one.problems, ...other.problems], []);
    await one.context.close();
  });

  test("is sent after somebody has signed in again on top of it", async () => {
    // A session of its own, which the server ends.
    const context = await app.browser.newContext({ locale: "en", viewport: { width: 1440, height: 900 } });
    const door = await context.newPage();
    await app.session();
    await door.goto(`${server.base}/signin?next=%2Fapp%2F`);
    await door.fill("#email", "ada@example.org");
    await door.fill("#password", password);
    await door.click("button.primary");
    await door.waitForURL("**/app/");
    await door.close();
    const { page, source, problems } = await openSource({ context, expected: /status of 401/ });
    const cookie = (await context.cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
    const ended = await fetch(`${server.base}/signout`, {
      method: "POST",
      redirect: "manual",
      headers: { cookie, origin: server.base, "sec-fetch-site": "same-origin" },
    });
    assert.ok(ended.status < 400, `signing out answers ${ended.status}`);
    await source.getByText("Last.").click();
    await page.keyboard.press("End");
    await page.keyboard.type(" While away.");
    await says(page, "Not saved: your session has ended");
    await look(page, "source-signed-out", { within: "header" });
    const [popup] = await Promise.all([
      page.waitForEvent("popup"),
      page.getByRole("status").getByRole("link", { name: "Sign in" }).last().click(),
    ]);
    await popup.fill("#email", "ada@example.org");
    await popup.fill("#password", password);
    await Promise.all([popup.waitForEvent("close"), popup.click("button.primary")]);
    await says(page, /^Saved/);
    assert.match(await draft.markdown(), /Last\. While away\.\n$/);
    // Mod+S says so.
    await source.click();
    await page.keyboard.press(`${mod}+s`);
    await page.getByText("What you type is saved by itself").waitFor();
    await shoot(page, "source-saved");
    assert.deepEqual(problems, []);
    await context.close();
  });

  for (const [size, viewport, colorScheme] of [
    ["phone", { width: 390, height: 844 }, "light"],
    ["desktop", { width: 1440, height: 900 }, "dark"],
  ]) {
    test(`is accessible and fits, ${size}, ${colorScheme}`, async () => {
      const { page, context, problems } = await openSource({ viewport, colorScheme, hasTouch: size === "phone" });
      await says(page, "Saved");
      await look(page, `source-${size}-${colorScheme}`, { within: "main" });
      assert.deepEqual(problems, []);
      await context.close();
    });
  }
});

describe("finding", () => {
  test("finds and replaces in a page, as text and as Markdown", async () => {
    const draft = await app.draft(
      "One cat, two cats.\n\n<details>\n\n<summary>Cat</summary>\n\nA hidden cat.\n\n</details>\n\n```go\ncat := 1\n```\n\nL" +
        "o".repeat(60) +
        "ng.\n",
    );
    const { page, context, text, problems } = await draft.open();
    await text.getByText("One cat").click();
    await page.keyboard.press("Home");
    await page.keyboard.press(`${mod}+f`);
    const bar = page.getByRole("search", { name: "Find in the page" });
    await bar.getByRole("textbox", { name: "Find", exact: true }).fill("cat");
    await bar.getByText("1 of 5").waitFor();
    assert.equal(await text.locator(".found").count(), 5);
    await page.keyboard.press("Enter");
    await bar.getByText("2 of 5").waitFor();
    await look(page, "find", { within: "main" });
    await bar.getByRole("button", { name: "Whole words" }).click();
    await bar.getByText("of 4").waitFor();
    await bar.getByRole("button", { name: "Match case" }).click();
    await bar.getByText("of 3").waitFor();
    await bar.getByRole("button", { name: "Regular expression" }).click();
    await bar.getByRole("textbox", { name: "Find", exact: true }).fill("(c)(at)");
    await bar.getByText("of 3").waitFor();
    await bar.getByRole("button", { name: "Whole words" }).click();
    await bar.getByRole("textbox", { name: "Find", exact: true }).fill("(");
    await bar.getByText("Not an expression").waitFor();
    // An expression that never ends is stopped, and typing goes on.
    await bar.getByRole("textbox", { name: "Find", exact: true }).fill("(o+)+x");
    await bar.getByText("Takes too long").waitFor();
    await bar.getByRole("textbox", { name: "Find", exact: true }).fill("(c)(at)");
    await bar.getByText("of 4").waitFor();
    await bar.getByRole("button", { name: "Replace", exact: true }).click();
    await bar.getByRole("textbox", { name: "Replace with" }).fill("$2$1");
    await bar.getByRole("button", { name: "All" }).click();
    await bar.getByText("Nothing found").waitFor();
    await text.getByText("One atc, two atcs.").waitFor();
    await page.keyboard.press("Escape");
    await bar.waitFor({ state: "detached" });
    // One undo takes all of it back.
    await page.keyboard.press(`${mod}+z`);
    await text.getByText("One cat, two cats.").waitFor();
    await text.getByText("A hidden cat.").waitFor();
    await says(page, "Saved");
    await page.keyboard.press(`${mod}+Alt+s`);
    const source = page.getByRole("textbox", { name: "Markdown of the page" });
    await source.waitFor();
    await page.keyboard.press(`${mod}+f`);
    await bar.getByRole("textbox", { name: "Find", exact: true }).fill("two");
    await bar.getByText("1 of 1").waitFor();
    assert.equal(await source.locator(".found-current").innerText(), "two");
    await bar.getByRole("button", { name: "Replace", exact: true }).click();
    await bar.getByRole("textbox", { name: "Replace with" }).fill("three");
    await page.keyboard.press("Enter");
    await source.getByText("One cat, three cats.").waitFor();
    await page.keyboard.press("Escape");
    await says(page, "Saved");
    assert.match(await draft.markdown(), /One cat, three cats\./);
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("finds words in all pages of the space", async () => {
    const space = await app.server.space("Handbook", {
      Start: "Welcome.\n",
      Engines: "## Steam\n\nThe governor keeps the speed.\n",
    });
    const { page, context, problems } = await app.open(`/app/spaces/${space}`);
    await page.getByRole("heading", { name: "Start" }).waitFor();
    await page.keyboard.press(`${mod}+Shift+f`);
    const dialog = page.getByRole("dialog", { name: "Find in this space" });
    await dialog.getByRole("combobox").fill("govern");
    await dialog.getByRole("option", { name: /The governor keeps/ }).waitFor();
    await look(page, "search-space");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Engines" }).waitFor();
    await dialog.waitFor({ state: "detached" });
    assert.deepEqual(problems, []);
    await context.close();
  });
});
