// Comments in the app, in a real browser: on words while they are written and read, and suggestions that are applied.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { look, phone, says, selectWords, shoot, startApp } from "./app.mjs";

const source =
  "The quick brown fox jumps over the lazy dog.\n\nAnother **paragraph** of words.\n\n- One thing\n- Another thing\n";
const mod = process.platform === "darwin" ? "Meta" : "Control";

describe("comments", () => {
  let app, server;
  before(async () => {
    ({ server } = app = await startApp());
    await app.addPerson("grace@example.org", "Grace", "comment");
  });
  after(() => app?.stop());
  const panel = (page) => page.getByRole("complementary", { name: "Comments" });

  test("are made on words that are written, and follow them", async () => {
    const draft = await app.draft(source);
    const { page, context, text, problems } = await draft.open();
    await selectWords(text, "brown fox");
    await page.getByRole("toolbar").getByRole("button", { name: "Comment" }).waitFor();
    await page.keyboard.press(`${mod}+Alt+m`);
    const field = panel(page).getByRole("combobox", { name: "Write a comment" });
    await field.fill("Is it *brown*? @gra");
    await page.keyboard.press("End");
    await page.getByRole("option", { name: "Grace" }).waitFor();
    await page.keyboard.press("Enter");
    // What is typed is there after a reload, and what it is about.
    await page.reload();
    await panel(page).getByText("brown fox").waitFor();
    assert.equal(await field.inputValue(), "Is it *brown*? @Grace ");
    await field.press(`${mod}+Enter`);
    const thread = panel(page).getByRole("region", { name: "Thread begun by Ada" });
    await thread.getByText("brown", { exact: true }).waitFor();
    await thread.locator(".mention", { hasText: "Grace" }).waitFor();
    const marked = text.locator(".comment-words");
    assert.equal(await marked.textContent(), "brown fox");
    const [posted] = (await server.api("GET", `${draft.request}/comments`)).items;
    assert.equal(posted.target.range.before, "The quick ");
    // Level with its words.
    const tops = async () => [(await thread.boundingBox()).y, (await marked.boundingBox()).y];
    await look(page, "comments-editor");
    const [card, words] = await tops();
    assert.ok(Math.abs(card - words) < 24, `the card is at ${card}, its words at ${words}`);
    // Typing beside the words moves the mark along, and the comment is not outdated.
    await text.getByText("The quick").click();
    await page.keyboard.press("Home");
    await page.keyboard.type("Now. ");
    await says(page, "Saved");
    assert.equal(await marked.textContent(), "brown fox");
    assert.ok((await draft.markdown()).startsWith("Now. The quick brown fox"));
    const now = (await server.api("GET", `${draft.request}/comments`)).items[0];
    assert.deepEqual([now.target.page.outdated, now.target.range.before], [false, "Now. The quick "]);
    // Reply, react, resolve, and back.
    await thread.getByRole("combobox", { name: "Reply" }).fill("It is.");
    await page.keyboard.press(`${mod}+Enter`);
    await thread.getByText("It is.").waitFor();
    await thread.getByRole("button", { name: "React" }).first().click();
    await page.getByRole("menuitem", { name: "🎉" }).click();
    await thread.getByRole("button", { name: "🎉 from Ada" }).waitFor();
    await thread.getByRole("button", { name: "Resolve" }).click();
    await thread.getByRole("button", { name: "Reopen" }).click();
    await thread.getByRole("button", { name: "Resolve" }).waitFor();
    // What others write comes by itself.
    await server.api("POST", `${draft.request}/comments`, {
      page: draft.id,
      range: { quote: "of words" },
      body: { markdown: "Hello." },
    });
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
    await panel(page).getByText("Hello.").waitFor();
    await marked.filter({ hasText: "of words" }).click();
    await page.waitForURL(/comment=/);
    // The words of one go: it is on top, and says what it was about.
    await selectWords(text, "brown fox");
    await page.keyboard.press("Backspace");
    await says(page, "Saved");
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
    await panel(page).getByText("Outdated: it was about").waitFor();
    await shoot(page, "comments-outdated");
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("suggest other words, which one click applies", async () => {
    const draft = await app.draft(source);
    const grace = await draft.open({ email: "grace@example.org", reads: true });
    await selectWords(grace.text, "lazy dog");
    await grace.page.getByRole("button", { name: /^Comment/ }).first().waitFor();
    await grace.page.keyboard.press(`${mod}+Alt+m`);
    await panel(grace.page).getByRole("button", { name: "Suggest a change" }).click();
    await panel(grace.page).getByRole("textbox", { name: "New words" }).fill("sleepy <b>dog</b>");
    await shoot(grace.page, "comments-suggest");
    await panel(grace.page).getByRole("button", { name: "Suggest", exact: true }).click();
    const theirs = panel(grace.page).getByRole("region", { name: "Thread begun by Grace" });
    await theirs.getByText("Suggested change").waitFor();
    assert.equal(await theirs.getByRole("button", { name: "Apply" }).count(), 0);
    const { page, context, text, problems } = await draft.open();
    await page.getByRole("button", { name: "Comments" }).click();
    await look(page, "comments-suggestion");
    await panel(page).getByRole("button", { name: "Apply" }).click();
    await text.getByText("over the sleepy <b>dog</b>.").waitFor();
    await says(page, "Saved");
    assert.match(await draft.markdown(), /over the sleepy &#x3C;b>dog&#x3C;\/b>\.\n/);
    assert.equal((await server.api("GET", `${draft.request}/comments`)).items[0].status, "resolved");
    assert.deepEqual([problems, grace.problems], [[], []]);
    await grace.context.close();
    await context.close();
  });

  test("are made beside the diff, and stand in the conversation", async () => {
    const draft = await app.draft(source);
    await server.api("POST", `${draft.request}/content`, {
      changes: [{ operation: "update_page", page: draft.id, document: { markdown: source.replace("lazy", "sleepy") } }],
    });
    const { page, context, problems } = await app.open(`/app/spaces/${draft.space}/changes/${draft.number}/diff`, {
      email: "grace@example.org",
    });
    await page.locator("ins", { hasText: "sleepy" }).waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("c");
    await panel(page).getByRole("combobox", { name: "Write a comment" }).fill("Is it?");
    await page.keyboard.press(`${mod}+Enter`);
    await panel(page).getByText("Is it?").waitFor();
    await look(page, "comments-diff");
    const [{ target }] = (await server.api("GET", `${draft.request}/comments`)).items;
    assert.equal(target.node.preview, "The quick brown fox jumps over the sleepy dog.");
    await page.goto(`${server.base}/app/spaces/${draft.space}/changes/${draft.number}`);
    await page
      .getByRole("navigation", { name: "Parts of the change request" })
      .getByRole("link", { name: "Conversation 1 open" })
      .click();
    await page.waitForURL("**/conversation");
    const talk = page.getByRole("region", { name: "Conversation" });
    await talk.getByText("1 open").waitFor();
    await talk.getByText("Is it?").waitFor();
    await shoot(page, "comments-conversation", { fullPage: true });
    // An address of the overview that names a comment leads to it here.
    const [{ id }] = (await server.api("GET", `${draft.request}/comments`)).items;
    await page.goto(`${server.base}/app/spaces/${draft.space}/changes/${draft.number}?comment=${id}`);
    await page.waitForURL(`**/conversation?comment=${id}`);
    await talk.getByText("Is it?").waitFor();
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("are made on blocks without words, while they are written and beside the diff", async () => {
    const draft = await app.draft("One.\n\n***\n\nTwo.\n");
    const { page, text, context, problems } = await draft.open();
    const say = async (tab, words) => {
      await panel(tab).getByText("A block without words").first().waitFor();
      await panel(tab).getByRole("combobox", { name: "Write a comment" }).fill(words);
      const posted = tab.waitForResponse(
        (answer) => answer.request().method() === "POST" && answer.url().endsWith("/comments"),
      );
      await tab.keyboard.press(`${mod}+Enter`);
      assert.ok((await posted).ok());
      await panel(tab).getByRole("paragraph").filter({ hasText: words }).waitFor();
      await panel(tab).getByRole("combobox", { name: "Reply" }).first().waitFor();
    };
    await text.locator("hr").hover();
    await page.getByRole("button", { name: "Comment on: A block without words" }).click();
    await say(page, "Why a line?");
    const { items } = await server.api("GET", `${draft.request}/comments`);
    assert.ok(items[0].target.node.id);
    assert.ok(!items[0].target.node.preview);
    await text.locator(".comment-block").waitFor();
    await look(page, "comments-wordless");
    // The mark is the line's own, also when something comes before it.
    await text.getByText("One.").click();
    await page.keyboard.press("Home");
    await page.keyboard.type("Zero.");
    await page.keyboard.press("Enter");
    for (let tries = 0; tries < 100 && !(await draft.markdown()).startsWith("Zero.\n\nOne."); tries++)
      await new Promise((done) => setTimeout(done, 50));
    assert.match(await draft.markdown(), /^Zero\.\n\nOne\./);
    assert.equal(await text.locator(".comment-block").evaluate((element) => element.matches("hr, :has(hr)")), true);

    await page.goto(`${server.base}/app/spaces/${draft.space}/changes/${draft.number}/diff`);
    const row = page.locator("[data-node]:has(hr)");
    await row.hover();
    await page.getByRole("button", { name: "Comment on: A block without words" }).click();
    await page.locator("[data-commented=active]:has(hr)").waitFor();
    await say(page, "And is it straight?");
    await look(page, "comments-wordless-diff");
    const made = (await server.api("GET", `${draft.request}/comments`)).items;
    assert.deepEqual(new Set(made.map(({ target }) => target.node?.id)).size, 1);
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("are made on blocks without words of main, as it is read", async () => {
    const space = await server.space("Guide", {
      Start: 'One.\n\n***\n\n{% embed url="https://vimeo.com/1234" %}\n\nTwo.\n',
    });
    const {
      pages: [{ id }],
    } = await server.api("GET", `/v1/spaces/${space}/content/pages`);
    const { page, context, problems } = await app.open(`/app/spaces/${space}/pages/${id}`, {
      email: "grace@example.org",
    });
    const prose = page.locator(".prose");
    // The embed is the card of the site; nothing is loaded from elsewhere, and its link opens beside the app.
    const card = prose.locator(".embed-link");
    assert.deepEqual(
      [await card.getAttribute("href"), await card.getAttribute("target")],
      ["https://vimeo.com/1234", "_blank"],
    );
    assert.equal(await card.locator(".embed-title").innerText(), "Vimeo video");
    assert.equal(await page.locator("iframe").count(), 0);
    for (const [block, name, words] of [
      ["hr", "Comment on: A block without words", "Why a line?"],
      [".block-embed", /^Comment on: Vimeo video/, "Is it the right film?"],
    ]) {
      await prose.locator(block).hover();
      await page.getByRole("button", { name }).click();
      await panel(page).getByRole("combobox", { name: "Write a comment" }).fill(words);
      const posted = page.waitForResponse(
        (answer) => answer.request().method() === "POST" && answer.url().endsWith("/comments"),
      );
      await page.keyboard.press(`${mod}+Enter`);
      assert.ok((await posted).ok());
      await panel(page).getByText(words).waitFor();
      await prose.locator(`${block}[data-commented]`).waitFor();
    }
    const { items } = await server.api("GET", `/v1/spaces/${space}/comments`);
    assert.deepEqual(new Set(items.map(({ target }) => target.node.id)).size, 2);
    await look(page, "comments-wordless-reading");
    // By keyboard the button goes through them in their order.
    await page.goto(`${server.base}/app/spaces/${space}/pages/${id}`);
    await prose.locator("hr").waitFor();
    await page.mouse.move(0, 0);
    await page.getByRole("button", { name: "Comment on a block: arrows choose it" }).focus();
    await page.getByRole("button", { name: "Comment on: One.", exact: true }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.getByRole("button", { name: "Comment on: A block without words" }).waitFor();
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("are made on words that are read, and a link opens their thread", async () => {
    const space = await server.space("Guide", { Start: source });
    const {
      pages: [{ id }],
    } = await server.api("GET", `/v1/spaces/${space}/content/pages`);
    const { page, context, problems } = await app.open(`/app/spaces/${space}/pages/${id}`, {
      email: "grace@example.org",
    });
    const prose = page.locator(".prose");
    await selectWords(prose, "Another thing");
    await page.getByRole("button", { name: "Comment", exact: false }).filter({ hasText: "Alt" }).click();
    await panel(page).getByRole("combobox", { name: "Write a comment" }).fill("Which?");
    await panel(page).getByRole("button", { name: "Send" }).click();
    await panel(page).getByText("Which?").waitFor();
    await page.waitForURL(/comment=comment_/);
    await page.waitForFunction(() => CSS.highlights.get("comment-active")?.size === 1);
    assert.equal(await page.evaluate(() => [...CSS.highlights.get("comment-active")][0].toString()), "Another thing");
    await look(page, "comments-reading");
    const [{ id: comment }] = (await server.api("GET", `/v1/spaces/${space}/comments`)).items;
    const small = await app.open(`/app/spaces/${space}/pages/${id}?comment=${comment}`, {
      ...phone,
      colorScheme: "dark",
    });
    const sheet = small.page.getByRole("dialog", { name: "Comments" });
    await sheet.getByText("Which?").waitFor();
    await look(small.page, "comments-phone");
    await small.page.reload();
    await sheet.getByRole("combobox", { name: "Reply" }).waitFor();
    await sheet.getByRole("button", { name: "Show in the text" }).click();
    await sheet.waitFor({ state: "hidden" });
    assert.deepEqual([problems, small.problems], [[], []]);
    await small.context.close();
    await context.close();
  });
});
