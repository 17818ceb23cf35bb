// The pages of a space in the tree: how they are named, moved, hidden, copied and deleted, in a real browser.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { desktop, look, phone, shoot, startApp } from "./app.mjs";

describe("tree", () => {
  let app;
  before(async () => (app = await startApp()));
  after(() => app?.stop());

  /** Returns the titles of pages as a tree, "A (B)" where B is below A. */
  const outline = (pages) =>
    pages.map(({ title, pages }) => (pages?.length ? `${title} (${outline(pages)})` : title)).join(", ");

  test("pages are arranged in a draft, and main stays as it is", async () => {
    const { api } = app.server;
    const space = await app.server.space("Handbook", {
      Start: "See [the setup](Setup).",
      Install: "Run it.",
      Setup: "Set up.",
    });
    const main = async () => (await api("GET", `/v1/spaces/${space}/content/pages`)).pages;
    const [start, , setup] = await main();
    await api("POST", `/v1/spaces/${space}/content`, {
      changes: [
        { operation: "update_page", page: start.id, document: { markdown: `See [the setup](/pages/${setup.id}).` } },
      ],
    });
    const { page, context, problems } = await app.open(`/app/spaces/${space}/pages/${start.id}`);
    const tree = page.getByRole("tree", { name: "Pages" });
    const row = (name) => tree.getByRole("treeitem", { name: new RegExp(`^${name}`) });
    const menu = async (name, item) => {
      await row(name).hover();
      await row(name).locator("button").click();
      await page.getByRole("menuitem", { name: item }).click();
    };
    const number = () => /changes\/(\d+)\//.exec(page.url())?.[1];
    const draft = async () => (await api("GET", `/v1/spaces/${space}/change-requests/${number()}/content/pages`)).pages;
    const said = (words) => page.getByRole("status").filter({ hasText: words }).waitFor({ state: "attached" });

    const focused = (name) =>
      page.waitForFunction(
        (name) =>
          document.activeElement?.matches("[role=treeitem]") && document.activeElement.textContent.startsWith(name),
        name,
      );

    // The first change makes the draft, and leads there with the focus kept.
    await row("Setup").focus();
    await page.keyboard.press("Alt+ArrowUp");
    await said("Setup, 2 of 3 at the top level");
    await page.waitForURL(/\/changes\/\d+\/pages\//);
    await focused("Setup");
    assert.equal(outline(await draft()), "Start, Setup, Install");
    await page.keyboard.press("Alt+Shift+ArrowRight");
    await said("Setup, 1 of 1 in Start");
    assert.equal(outline(await draft()), "Start (Setup), Install");
    await page.keyboard.press("Alt+Shift+ArrowLeft");
    await said("Setup, 2 of 3 at the top level");
    await focused("Setup");

    await page.keyboard.press("F2");
    const field = page.getByRole("textbox", { name: "Name of the page" });
    await field.fill("Nothing");
    await page.keyboard.press("Escape");
    await focused("Setup");
    await page.keyboard.press("F2");
    await field.fill("Set up");
    await shoot(page, "tree-rename");
    await page.keyboard.press("Enter");
    await focused("Set up");
    await row("Set up").waitFor();

    await page.keyboard.press("Shift+F10");
    await page.getByRole("menuitem", { name: "Duplicate" }).waitFor();
    await shoot(page, "tree-menu");
    await page.getByRole("menuitem", { name: "Duplicate" }).click();
    await row("Copy of Set up").waitFor();
    await menu("Copy of Set up Changed", "Hide from the navigation");
    await row("Copy of Set up Not in the navigation").waitFor();
    assert.deepEqual(
      (await draft()).map((each) => [each.title, each.hidden === true]),
      [
        ["Start", false],
        ["Set up", false],
        ["Copy of Set up", true],
        ["Install", false],
      ],
    );

    // What links there is named before anything is deleted.
    await row("Set up").focus();
    await page.keyboard.press("Delete");
    const question = page.getByRole("dialog", { name: "Delete “Set up”?" });
    await question.getByRole("listitem").filter({ hasText: "Start" }).waitFor();
    await look(page, "tree-delete", { within: "[role=dialog]" });
    await question.getByRole("button", { name: "Delete" }).click();
    await row("Set up").waitFor({ state: "detached" });

    // A failure says why, and the row stays.
    await page.route("**/content?compat=false", (route) =>
      route.fulfill({ status: 409, json: { error: { code: 409, message: "Somebody else was faster." } } }),
    );
    await menu("Install", "Move up");
    await page.getByRole("alert").filter({ hasText: "Somebody else was faster." }).waitFor();
    await page.unroute("**/content?compat=false");
    assert.equal(outline(await draft()), "Start, Copy of Set up, Install");

    await row("Install").click({ button: "right" });
    await page.getByRole("menuitem", { name: "New page inside" }).click();
    await row("Untitled").waitFor();
    assert.equal(outline(await draft()), "Start, Copy of Set up, Install (Untitled)");
    await look(page, "tree-rows", { within: "nav" });
    assert.equal(outline(await main()), "Start, Install, Setup");
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("pages are dragged before, into and out of others, and what was done is taken back", async () => {
    const { api } = app.server;
    const space = await app.server.space("Drags", {
      Start: "One.",
      Install: "Two.",
      Setup: "Three.",
      Linux: "Four.",
      Stay: "Five.",
    });
    const { number } = await api("POST", `/v1/spaces/${space}/change-requests`, {});
    const content = `/v1/spaces/${space}/change-requests/${number}/content`;
    const pages = async () => (await api("GET", `${content}/pages`)).pages;
    const [start, install, , linux] = await pages();
    await api("POST", content, { changes: [{ operation: "update_page", page: linux.id, into: install.id }] });
    const { page, context, problems } = await app.open(`/app/spaces/${space}/changes/${number}/pages/${start.id}`);
    const tree = page.getByRole("tree", { name: "Pages" });
    const row = (name) => tree.getByRole("treeitem", { name: new RegExp(`^${name}`) });
    const becomes = async (wanted) => {
      for (let i = 0; i < 100 && outline(await pages()) !== wanted; i++)
        await new Promise((done) => setTimeout(done, 50));
      assert.equal(outline(await pages()), wanted);
    };
    /** Drags a row to a part of another one's height, and shows the tree before it is let go. */
    const drag = async (from, to, part, { wait, then } = {}) => {
      const [a, b] = [await row(from).boundingBox(), await row(to).boundingBox()];
      await page.mouse.move(a.x + 60, a.y + a.height / 2);
      await page.mouse.down();
      await page.mouse.move(b.x + 64, b.y + b.height / 2, { steps: 4 });
      await page.mouse.move(b.x + 60, b.y + b.height * part, { steps: 2 });
      if (wait) await row(wait).waitFor();
      await then?.();
      await page.mouse.up();
    };
    await row("Setup").waitFor();
    await drag("Setup", "Start", 0.1, { then: () => look(page, "tree-drag") });
    await becomes("Setup, Start, Install (Linux), Stay");
    await page.getByRole("group", { name: "Undo" }).getByText("Setup, 1 of 4 at the top level").waitFor();
    await look(page, "tree-undo");
    await page.getByRole("button", { name: "Undo" }).click();
    await becomes("Start, Install (Linux), Setup, Stay");
    // Over a closed row the pages in it come up; Escape leaves all as it is.
    await drag("Setup", "Install", 0.5, { wait: "Linux", then: () => page.keyboard.press("Escape") });
    await drag("Setup", "Linux", 0.1);
    await becomes("Start, Install (Setup, Linux), Stay");
    await drag("Start", "Install", 0.5);
    await becomes("Install (Setup, Linux, Start), Stay");
    // What is deleted comes back with all below it.
    await row("Install").focus();
    await page.keyboard.press("Delete");
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await becomes("Stay");
    await page.getByText("“Install” is deleted").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await becomes("Install (Setup, Linux, Start), Stay");
    await row("Install").waitFor();
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("groups and links are made in the tree", async () => {
    const { api } = app.server;
    const space = await app.server.space("Kinds", { Start: "One." });
    const { page, context, problems } = await app.open(`/app/spaces/${space}`);
    const make = async (kind) => {
      await page.getByRole("button", { name: "Group or link" }).click();
      await page.getByRole("menuitem", { name: kind }).click();
    };
    await page.getByRole("treeitem", { name: "Start" }).waitFor();
    await make("New group");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Title" }).fill("Guides");
    await page.keyboard.press("Enter");
    await page.waitForURL(/changes\/1\/pages\//);
    await page.getByRole("treeitem", { name: "Guides" }).waitFor();
    await make("New link");
    await dialog.getByRole("textbox", { name: "Title" }).fill("Forum");
    await dialog.getByRole("textbox", { name: "Address" }).fill("javascript:alert(1)");
    await page.keyboard.press("Enter");
    await dialog.getByText("Write an address, such as").waitFor();
    await look(page, "tree-link");
    await dialog.getByRole("textbox", { name: "Address" }).fill("forum.example.org");
    await page.keyboard.press("Enter");
    await page.getByRole("treeitem", { name: "Forum" }).waitFor();
    const made = (await api("GET", `/v1/spaces/${space}/change-requests/1/content/pages`)).pages.map(
      ({ type, title, target }) => [type, title, target?.url],
    );
    assert.deepEqual(made, [
      ["document", "Start", undefined],
      ["group", "Guides", undefined],
      ["link", "Forum", "https://forum.example.org"],
    ]);
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("on a phone the menu is always there; who may only read has none", async () => {
    const space = await app.server.space("Guide", { Start: "One.", Next: "Two." });
    const [start] = (await app.server.api("GET", `/v1/spaces/${space}/content/pages`)).pages;
    const path = `/app/spaces/${space}/pages/${start.id}`;
    const { page, context } = await app.open(path, { ...phone, colorScheme: "dark" });
    await page.getByRole("button", { name: "Pages", exact: true }).click();
    await page.getByRole("treeitem", { name: /^Next/ }).getByRole("button", { name: "Options of the page" }).click();
    await page.getByRole("menuitem", { name: "Rename" }).waitFor();
    await look(page, "tree-phone");
    await page.getByRole("menuitem", { name: "Move up" }).click();
    await page.waitForURL(/\/changes\/\d+\//);
    await context.close();

    await app.addPerson("grace@example.org", "Grace", "read");
    const reader = await app.open(path, { email: "grace@example.org", ...desktop });
    const row = reader.page.getByRole("treeitem", { name: "Next" });
    await row.focus();
    await reader.page.keyboard.press("F2");
    await reader.page.keyboard.press("Delete");
    assert.equal(await row.locator("button").count(), 0);
    assert.equal(await reader.page.getByRole("dialog").count(), 0);
    assert.equal(await reader.page.getByRole("textbox", { name: "Name of the page" }).count(), 0);
    await reader.context.close();
  });

  test("several pages are selected, moved, hidden, copied, deleted and brought back", async () => {
    const { api } = app.server;
    const space = await app.server.space("Many", {
      Start: "One.",
      Alpha: "Two.",
      Beta: "Three.",
      Gamma: "Four.",
      Delta: "Five.",
    });
    const { number } = await api("POST", `/v1/spaces/${space}/change-requests`, {});
    const content = `/v1/spaces/${space}/change-requests/${number}/content`;
    const pages = async () => (await api("GET", `${content}/pages`)).pages;
    const [start, alpha, beta] = await pages();
    await api("POST", content, {
      changes: [
        {
          operation: "update_page",
          page: start.id,
          document: { markdown: `See [a](/pages/${alpha.id}) and [b](/pages/${beta.id}).` },
        },
      ],
    });
    const { page, context, problems } = await app.open(`/app/spaces/${space}/changes/${number}/pages/${start.id}`);
    const tree = page.getByRole("tree", { name: "Pages" });
    const row = (name) => tree.getByRole("treeitem", { name: new RegExp(`^${name}`) });
    const selected = () => tree.locator("[aria-selected=true]").allTextContents();
    const said = (words) => page.getByRole("status").filter({ hasText: words }).first().waitFor({ state: "attached" });
    const becomes = async (wanted) => {
      for (let i = 0; i < 100 && outline(await pages()) !== wanted; i++)
        await new Promise((done) => setTimeout(done, 50));
      assert.equal(outline(await pages()), wanted);
    };
    assert.equal(await tree.getAttribute("aria-multiselectable"), "true");

    // With keys: Space, then Shift with arrows; all of them go where one goes.
    await row("Alpha").focus();
    await page.keyboard.press("Space");
    await said("1 page selected");
    await page.keyboard.press("Shift+ArrowDown");
    await said("2 pages selected");
    assert.deepEqual(await selected(), ["Alpha", "Beta"]);
    await page.keyboard.press("Alt+ArrowDown");
    await becomes("Start, Gamma, Alpha, Beta, Delta");
    await said("2 pages, now at the top level");
    await page.keyboard.press("Alt+Shift+ArrowRight");
    await becomes("Start, Gamma (Alpha, Beta), Delta");
    await said("2 pages, now in Gamma");
    await look(page, "tree-several", { within: "nav" });
    await page.getByRole("button", { name: "Undo" }).click();
    await becomes("Start, Gamma, Alpha, Beta, Delta");
    await row("Alpha").focus();
    await page.keyboard.press("Escape");
    assert.deepEqual(await selected(), []);

    // With a mouse: Ctrl adds one, Shift all up to there; a drag takes all along.
    await row("Alpha").click({ modifiers: ["Control"] });
    await row("Delta").click({ modifiers: ["Control"] });
    assert.deepEqual(await selected(), ["Alpha", "Delta"]);
    const [a, b] = [await row("Delta").boundingBox(), await row("Start").boundingBox()];
    await page.mouse.move(a.x + 60, a.y + a.height / 2);
    await page.mouse.down();
    await page.mouse.move(b.x + 64, b.y + b.height / 2, { steps: 4 });
    await page.mouse.move(b.x + 60, b.y + b.height * 0.9, { steps: 2 });
    await page.getByText("2 pages", { exact: true }).waitFor();
    await shoot(page, "tree-drag-several");
    await page.mouse.up();
    await becomes("Start, Alpha, Delta, Gamma, Beta");
    await page.getByRole("button", { name: "Undo" }).click();
    await becomes("Start, Gamma, Alpha, Beta, Delta");

    // What links to them is named once for all, and all come back together.
    await page.getByRole("button", { name: "Clear the selection" }).click();
    await row("Alpha").click({ modifiers: ["Control"] });
    await row("Beta").click({ modifiers: ["Shift"] });
    assert.deepEqual(await selected(), ["Alpha", "Beta"]);
    await row("Alpha").focus();
    await page.keyboard.press("Delete");
    const question = page.getByRole("dialog", { name: "Delete 2 pages?" });
    await question.getByRole("listitem").waitFor();
    assert.deepEqual(await question.getByRole("listitem").allTextContents(), ["Start"]);
    await look(page, "tree-delete-several", { within: "[role=dialog]" });
    await question.getByRole("button", { name: "Delete" }).click();
    await becomes("Start, Gamma, Delta");
    await page.getByText("2 pages are deleted").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await becomes("Start, Gamma, Alpha, Beta, Delta");

    // The bar has their menu, too.
    await row("Alpha").click({ modifiers: ["Control"] });
    await row("Beta").click({ modifiers: ["Control"] });
    await page
      .getByRole("group", { name: "Selected pages" })
      .getByRole("button", { name: "Options of 2 pages" })
      .click();
    await shoot(page, "tree-menu-several");
    await page.getByRole("menuitem", { name: "Hide from the navigation" }).click();
    await page.getByText("2 pages are hidden").waitFor();
    assert.deepEqual((await pages()).filter((each) => each.hidden).map((each) => each.title), ["Alpha", "Beta"]);
    await page.getByRole("button", { name: "Undo" }).click();
    for (let i = 0; i < 100 && (await pages()).some((each) => each.hidden); i++)
      await new Promise((done) => setTimeout(done, 50));
    await page
      .getByRole("group", { name: "Selected pages" })
      .getByRole("button", { name: "Options of 2 pages" })
      .click();
    await page.getByRole("menuitem", { name: "Duplicate" }).click();
    await becomes("Start, Gamma, Alpha, Copy of Alpha, Beta, Copy of Beta, Delta");
    assert.deepEqual((await pages()).filter((each) => each.hidden), []);
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("the last page of a space comes back, too", async () => {
    const draft = await app.draft("Alone.", "Only");
    const { page, context, problems } = await app.open(draft.path);
    const tree = page.getByRole("tree", { name: "Pages" });
    await tree.getByRole("treeitem", { name: "Only" }).focus();
    await page.keyboard.press("Delete");
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("No pages yet.").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await tree.getByRole("treeitem", { name: "Only" }).waitFor();
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("a finger that rests drags, one that goes on scrolls, one that is lifted gets the menu", async () => {
    const { api } = app.server;
    const names = ["Start", ...Array.from({ length: 39 }, (_, i) => `Page ${String(i + 1).padStart(2, "0")}`)];
    const space = await app.server.space("Touched", Object.fromEntries(names.map((name) => [name, "Text."])));
    const { number } = await api("POST", `/v1/spaces/${space}/change-requests`, {});
    const content = `/v1/spaces/${space}/change-requests/${number}/content`;
    const pages = async () => (await api("GET", `${content}/pages`)).pages;
    const [start] = await pages();
    const { page, context, problems } = await app.open(
      `/app/spaces/${space}/changes/${number}/pages/${start.id}`,
      phone,
    );
    await page.getByRole("button", { name: "Pages" }).click();
    const tree = page.getByRole("tree", { name: "Pages" });
    const row = (name) => tree.getByRole("treeitem", { name: new RegExp(`^${name}`) });
    const ghost = page.locator("[class*=ghost]");
    const box = page.locator("[class*=box]:has(> [role=tree])");
    const scrolled = () => box.evaluate((element) => element.scrollTop);
    // A finger touches what stands still: the sheet comes in, and a tree that was pushed runs on for a while.
    const still = () =>
      box.evaluate(async (element) => {
        await Promise.allSettled(document.getAnimations().map((each) => each.finished));
        const frame = () => new Promise((done) => requestAnimationFrame(done));
        for (let same = 0, last = -1; same < 5; last = element.scrollTop) {
          await frame();
          same = element.scrollTop === last ? same + 1 : 0;
        }
      });
    const session = await context.newCDPSession(page);
    const fingers = (type, ...touchPoints) => session.send("Input.dispatchTouchEvent", { type, touchPoints });
    const place = async (name, part = 0.5) => {
      const { x, y, height } = await row(name).boundingBox();
      return { x: Math.round(x + 80), y: Math.round(y + height * part) };
    };
    /** Rests on a row until it is taken. */
    const take = async (name) => {
      await still();
      const at = await place(name);
      await fingers("touchStart", at);
      await ghost.waitFor();
      return at;
    };
    const glide = async (from, to) => {
      for (let i = 1; i <= 5; i++)
        await fingers("touchMove", { x: from.x + ((to.x - from.x) * i) / 5, y: from.y + ((to.y - from.y) * i) / 5 });
    };
    const order = async () => (await pages()).map(({ title }) => title);
    const becomes = async (...wanted) => {
      for (let i = 0; i < 100 && (await order()).slice(0, wanted.length).join() !== wanted.join(); i++)
        await new Promise((done) => setTimeout(done, 50));
      assert.deepEqual((await order()).slice(0, wanted.length), wanted);
    };
    await row("Page 05").waitFor();

    // Nothing is dragged before the finger has rested: it scrolls.
    await still();
    const low = await place("Page 09");
    await fingers("touchStart", low);
    await glide(low, { x: low.x, y: low.y - 200 });
    assert.equal(await ghost.count(), 0);
    await fingers("touchEnd");
    await box.evaluate(
      (element) =>
        new Promise((done) =>
          element.scrollTop > 0 ? done() : element.addEventListener("scroll", done, { once: true }),
        ),
    );
    await still();
    await box.evaluate((element) => (element.scrollTop = 0));
    await row("Start").waitFor();

    // One that has rested drags, and the tree does not scroll with it.
    let from = await take("Page 04");
    assert.equal(await ghost.textContent(), "Page 04");
    await glide(from, await place("Page 02", 0.1));
    await shoot(page, "tree-touch-drag");
    await fingers("touchEnd");
    await becomes("Start", "Page 01", "Page 04", "Page 02");
    assert.equal(await scrolled(), 0);
    await page.getByRole("button", { name: "Undo" }).click();
    await becomes("Start", "Page 01", "Page 02", "Page 03", "Page 04");

    // Escape, a second finger, and letting go beside the tree leave all as it is, and the sheet stays.
    from = await take("Page 04");
    await glide(from, await place("Page 02", 0.1));
    await page.keyboard.press("Escape");
    await ghost.waitFor({ state: "detached" });
    await fingers("touchEnd");
    from = await take("Page 05");
    const over = await place("Page 02", 0.1);
    await glide(from, over);
    await fingers("touchStart", over, { x: over.x + 40, y: over.y + 200 });
    await ghost.waitFor({ state: "detached" });
    await fingers("touchEnd");
    from = await take("Page 06");
    await glide(from, { x: 385, y: from.y - 90 });
    await fingers("touchEnd");
    await ghost.waitFor({ state: "detached" });
    await row("Page 06").waitFor();
    await becomes(...names);

    // At the edge the tree scrolls, far beyond the row that is held, and what is let go there moves there.
    from = await take("Page 03");
    const { y, height } = await box.boundingBox();
    await glide(from, { x: from.x, y: y + height - 8 });
    await still();
    assert.ok((await scrolled()) > 800);
    await glide({ x: from.x, y: y + height - 8 }, { x: from.x, y: y + height / 2 });
    await fingers("touchMove", await place("Page 35", 0.9));
    await fingers("touchEnd");
    await becomes("Start", "Page 01", "Page 02", "Page 04");
    const after = await order();
    assert.equal(after[after.indexOf("Page 35") + 1], "Page 03");

    // Lifted where it was: the menu, which selects; then taps select, too.
    await row("Page 03").waitFor();
    await take("Page 35");
    await fingers("touchEnd");
    await page.getByRole("menuitem", { name: "Select" }).click();
    await page.getByText("1 page selected").waitFor();
    await row("Page 34").tap();
    await page.getByText("2 pages selected").waitFor();
    await look(page, "tree-touch-selected", { within: "[role=dialog]" });
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("pages are moved to another space, and links and old addresses follow", async () => {
    const { api } = app.server;
    const from = await app.server.space("Product", { Start: "One.", Guide: "The guide." });
    const to = await app.server.space("Archive", { Old: "Old." });
    const [start, guide] = (await api("GET", `/v1/spaces/${from}/content/pages`)).pages;
    await api("POST", `/v1/spaces/${from}/content`, {
      changes: [{ operation: "update_page", page: start.id, document: { markdown: `See [it](/pages/${guide.id}).` } }],
    });
    const site = await app.server.site("Both", [from, to]);
    const { page, context, problems } = await app.open(`/app/spaces/${from}/pages/${guide.id}`);
    const tree = page.getByRole("tree", { name: "Pages" });
    await tree.getByRole("treeitem", { name: "Guide" }).focus();
    await page.keyboard.press("Shift+F10");
    await page.getByRole("menuitem", { name: "Move to another space" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("radio", { name: "Archive" }).check();
    await look(page, "tree-transfer", { within: "[role=dialog]" });
    await dialog.getByRole("button", { name: "Move", exact: true }).click();
    await dialog.getByText("1 page is in your draft #1 of “Archive” now.").waitFor();
    await shoot(page, "tree-transferred");
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await tree.getByRole("treeitem", { name: "Guide" }).waitFor({ state: "detached" });
    assert.match(page.url(), /changes\/1$/);
    assert.deepEqual(
      (await api("GET", `/v1/spaces/${to}/change-requests/1/content/pages`)).pages.map((each) => each.title),
      ["Old", "Guide"],
    );
    for (const space of [to, from]) await api("POST", `/v1/spaces/${space}/change-requests/1/merge`);
    const first = await (await fetch(site.url)).text();
    const [, followed] = /href="([^"]*guide)"[^>]*>it</.exec(first) ?? [];
    assert.ok(followed, "the link is gone");
    const there = await fetch(new URL(followed, site.url));
    assert.match(await there.text(), /The guide\./);
    const old = await fetch(`${site.url.replace(/\/$/, "")}/guide`);
    assert.equal(new URL(old.url).pathname, new URL(there.url).pathname);
    assert.deepEqual(problems, []);
    await context.close();
  });
});
