// Change requests in the app, in a real browser: one person writes and asks for a review, another one looks at the diff
// and merges, and readers see it. On a desktop, on a phone, and dark.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { desktop, look, phone, shoot, startApp } from "./app.mjs";

const before_ = `The quick brown fox jumps over the lazy dog and goes home.

First among many.

Second among many.

Third among many.

Another one among many.

Yet another one.

Fourth among many.

{% hint style="info" %}
Mind the gap.
{% endhint %}

\`\`\`js
one();
two();
\`\`\`

| Name | Price |
| ---- | ----- |
| Tea  | 2     |
| Cake | 4     |
`;
const after_ = `First among many.

Second among many.

Third among many.

Another one among many.

Yet another one.

Fourth among many indeed.

{% hint style="warning" %}
Mind the gap.
{% endhint %}

\`\`\`js
one();
two(2);
three();
\`\`\`

| Name | Price |
| ---- | ----- |
| Tea  | 3     |
| Cake | 4     |

The quick brown fox jumps over the lazy dog and goes home.
`;

describe("change requests in the app", () => {
  let app, server, space, page, site, ada, grace;

  before(async () => {
    ({ server } = app = await startApp());
    space = await server.space("Handbook", { Start: before_, Gone: "Bye.\n" });
    ({ url: site } = await server.site("Handbook", [space]));
    const { pages } = await server.api("GET", `/v1/spaces/${space}/content/pages`);
    page = pages[0].id;
    await app.addPerson("grace@example.org", "Grace", "review");
    [ada, grace] = await Promise.all([app.open("/app"), app.open("/app", { email: "grace@example.org" })]);
  });

  after(() => app?.stop());

  const at = (rest) => `/app/spaces/${space}/changes${rest}`;
  const show = (who, path) => who.page.goto(server.base + path);

  test("a list without change requests says what one is", async () => {
    await show(ada, at(""));
    await ada.page.getByRole("heading", { name: "No change request is open" }).waitFor();
    await look(ada.page, "change-empty");
  });

  test("who wrote names the draft, looks at the diff and asks for a review", async () => {
    const request = `/v1/spaces/${space}/change-requests`;
    await server.api("POST", request, {});
    await server.api("POST", `${request}/1/content`, { changes: [
      { operation: "update_page", page, title: "Begin", document: { markdown: after_ } },
      { operation: "insert_page", title: "News", document: { markdown: "Fresh words." } },
    ] });
    const { page: tab } = ada;
    await tab.goto(server.base + at("/1"));
    await tab.getByRole("button", { name: "Edit the subject" }).click();
    await tab.getByLabel("Subject").fill("Say how to begin");
    await tab.keyboard.press("Enter");
    await tab.getByRole("heading", { name: /Say how to begin/ }).waitFor();
    await look(tab, "change-draft");

    await tab.getByRole("link", { name: "Begin", exact: true }).click();
    await tab.getByText("Moved from here").first().waitFor();
    await tab.getByText("0 of 2 viewed").waitFor();
    const shown = tab.locator("section[aria-labelledby=diff-title]");
    assert.equal(await shown.locator("ins", { hasText: "indeed" }).count(), 1);
    assert.match(await shown.innerText(), /Style: info to warning/);
    assert.match(await shown.innerText(), /unchanged blocks/);
    assert.equal(await shown.locator("td ins", { hasText: "3" }).count(), 1);
    await look(tab, "change-diff");
    await tab.keyboard.press("j");
    await tab.keyboard.press("j");
    assert.equal(await tab.evaluate(() => document.activeElement?.getAttribute("data-change")), "moved-away");
    await tab.getByRole("button", { name: "Side by side" }).click();
    await tab.waitForURL(/mode=split/);
    await look(tab, "change-diff-split");
    await tab.getByRole("button", { name: "Markdown", exact: true }).click();
    await tab.getByText("Fourth among many indeed.").waitFor();
    await look(tab, "change-diff-markdown");

    // Who has switched single keys off marks nothing by chance.
    await tab.evaluate(() => localStorage.setItem("recto.keys.single", "off"));
    await tab.keyboard.press("v");
    await tab.evaluate(() => localStorage.removeItem("recto.keys.single"));
    assert.equal(await tab.getByRole("checkbox", { name: "Viewed" }).isChecked(), false);
    await tab.keyboard.press("v");
    await tab.getByText("1 of 2 viewed").waitFor();
    await tab.reload();
    await tab.getByText("1 of 2 viewed").waitFor();
    // The review opens on top of the changes, and leaves who closes it where they were: nowhere is at the row.
    const changes = tab.url();
    const row = tab.getByRole("navigation", { name: "Changed pages" }).getByRole("button", { name: /Begin/ });
    const hasFocus = (locator) => locator.evaluate((each) => each === document.activeElement);
    const review = tab.getByRole("dialog");
    await tab.keyboard.press("r");
    await review.getByRole("textbox", { name: "What you have to say" }).waitFor();
    await look(tab, "change-review-at-diff");
    await tab.keyboard.press("Escape");
    await review.waitFor({ state: "detached" });
    assert.equal(tab.url(), changes);
    assert.equal(await hasFocus(row), true);
    await tab.keyboard.press("j");
    await tab.keyboard.press("r");
    await review.getByRole("textbox", { name: "What you have to say" }).waitFor();
    await tab.keyboard.press("Escape");
    await review.waitFor({ state: "detached" });
    assert.equal(await hasFocus(shown.locator("[data-stop]").first()), true);

    await tab.getByRole("link", { name: "Overview" }).click();
    await tab.getByRole("button", { name: "Edit the description" }).click();
    await tab.getByRole("textbox", { name: "Description" }).click();
    await tab.keyboard.type("So that **nobody** asks.");
    await tab.getByRole("button", { name: "Save" }).click();
    await tab.locator("strong", { hasText: "nobody" }).waitFor();
    await tab.getByRole("button", { name: "Request review" }).click();
    await tab.getByText("In review").waitFor();
    assert.deepEqual(ada.problems, []);
  });

  for (const [name, options] of [
    ["phone", phone],
    ["dark", { ...desktop, colorScheme: "dark" }],
    ["german", { ...phone, locale: "de-DE" }],
  ]) {
    test(`every screen is right, ${name}`, async () => {
      const { page: tab, context, problems } = await app.open(at(""), { email: "grace@example.org", ...options });
      await tab.getByText("Say how to begin").waitFor();
      await look(tab, `change-list-${name}`);
      await tab.goto(server.base + at("/1"));
      await tab.getByRole("link", { name: "Begin", exact: true }).waitFor();
      await look(tab, `change-open-${name}`);
      await tab.goto(`${server.base}${at("/1/diff")}?page=${page}`);
      await tab.locator("ins", { hasText: "indeed" }).waitFor();
      await look(tab, `change-diff-${name}`);
      assert.deepEqual(problems, []);
      await context.close();
    });
  }

  test("a merge rule that is not met says so, and how to meet it", async () => {
    await server.api("PATCH", `/v1/spaces/${space}`, {
      mergeRules: { type: "rules", rules: [{ rule: "require_at_least_one_approved_review" }] },
    });
    const { page: tab } = grace;
    await tab.goto(server.base + at("/1"));
    const merge = tab.getByRole("button", { name: "Merge", exact: true });
    await merge.waitFor();
    await tab.getByText("Needs an approval of what it is now").waitFor();
    assert.ok(await merge.isDisabled());
    await look(tab, "change-blocked");
    await tab.getByRole("button", { name: "Review", exact: true }).click();
    await tab.getByLabel("What you have to say").fill("Well said.");
    await look(tab, "change-review");
    await tab.getByRole("button", { name: "Send" }).click();
    await tab.getByText("Nothing stands in the way of a merge.").waitFor();
    await tab.getByText("Somebody has approved it").waitFor();
    await tab.getByText("Well said.").first().waitFor();
  });

  test("a review of an earlier state is grey, and leads to what changed since", async () => {
    await server.api("POST", `/v1/spaces/${space}/change-requests/1/content`, {
      changes: [{ operation: "insert_page", title: "Later", document: { markdown: "Later words." } }],
    });
    const { page: tab } = ada;
    await tab.goto(server.base + at("/1"));
    await tab.getByText("Approved an earlier state").waitFor();
    await look(tab, "change-outdated");
    await tab.getByRole("link", { name: "What changed since" }).click();
    await tab.getByText("Later words.").waitFor();
    assert.equal(await tab.getByRole("navigation", { name: "Changed pages" }).getByRole("listitem").count(), 1);
    await tab.goto(server.base + at("/1"));
    await tab.getByRole("button", { name: "Ask Grace again" }).click();
    await tab.getByRole("button", { name: "Do not ask Grace any more" }).waitFor();
    await tab.goto(server.base + at("/1/commits"));
    await tab.getByRole("link", { name: "What it changed" }).first().waitFor();
    await look(tab, "change-commits");
    await tab.getByRole("checkbox").first().check();
    await tab.getByRole("checkbox").last().check();
    await tab.getByRole("link", { name: "Compare the two" }).click();
    await tab.getByText("These are the changes between two states.").waitFor();
    assert.deepEqual(ada.problems, []);
    // One that is sent from the changes is shown in the conversation.
    await grace.page.goto(server.base + at("/1/diff"));
    await grace.page.locator("[data-stop]").first().waitFor();
    await grace.page.keyboard.press("r");
    await grace.page.getByRole("button", { name: "Send" }).click();
    await grace.page.waitForURL((to) => to.pathname.endsWith("/1/conversation"));
    await grace.page.getByText("Nothing stands in the way of a merge.").waitFor();
  });

  test("the other one merges, and the site shows it; the merge can be undone", async () => {
    const { page: tab } = grace;
    await tab.getByRole("button", { name: "Merge", exact: true }).click();
    await tab.getByRole("heading", { name: "This has been merged" }).waitFor();
    await look(tab, "change-merged");
    const address = await tab.getByRole("link", { name: "See it on the site" }).getAttribute("href");
    assert.equal(address, site);
    assert.match(await (await fetch(site)).text(), /Fourth among many indeed/);
    await tab.goto(`${server.base}${at("/1/diff")}?page=${page}`);
    await tab.locator("ins", { hasText: "indeed" }).waitFor();
    await tab.goto(server.base + at("/1"));
    await tab.getByRole("button", { name: "Undo merge" }).click();
    await tab.waitForURL("**/changes/2");
    assert.deepEqual(grace.problems, []);
  });

  test("files, reusable contents, variables, and pages moved or deleted are shown as what they are", async () => {
    const dot = (colour) =>
      Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="80"><rect width="120" height="80" fill="${colour}"/></svg>`,
      ).toString("base64");
    const content = (path, changes) => server.api("POST", `/v1/spaces/${space}${path}/content`, { changes });
    await content("", [
      { operation: "insert_files", files: [{ name: "sign.svg", base64: dot("red") }] },
      { operation: "insert_reusable_content", ref: "greeting", title: "Greeting", document: { markdown: "Hello." } },
    ]);
    const { number } = await server.api("POST", `/v1/spaces/${space}/change-requests`, { subject: "All kinds" });
    const { pages } = await server.api("GET", `/v1/spaces/${space}/content/pages`);
    const revision = await server.api("GET", `/v1/spaces/${space}/content`);
    const file = revision.files.find((each) => each.name === "sign.svg");
    const reusable = revision.reusableContents.find((each) => each.title === "Greeting");
    const named = (title) => pages.find((each) => each.title === title).id;
    await content(`/change-requests/${number}`, [
      { operation: "delete_page", page: named("Gone") },
      { operation: "insert_page", ref: "parent", title: "Parent", document: { markdown: "Above." } },
      { operation: "update_page", page, into: "parent" },
      { operation: "update_page", page: named("Later"), at: 0 },
      { operation: "update_file", file: file.id, replacement: { base64: dot("green") } },
      { operation: "update_reusable_content", reusableContent: reusable.id, document: { markdown: "Good morning." } },
      { operation: "update_variables", variables: { edition: "second" } },
    ]);
    const { page: tab } = ada;
    await tab.goto(server.base + at(`/${number}/diff`));
    const list = tab.getByRole("navigation", { name: "Changed pages" });
    const see = async (name, text) => {
      await list.getByRole("button", { name }).click();
      await tab.getByText(text).first().waitFor();
    };
    await see(/Gone Deleted/, "This page is deleted");
    await see(/Begin Moved/, /Moved from .* to Parent/);
    await see(/Later Reordered/, "It has another place among its neighbours.");
    await see(/Greeting/, "Good morning.");
    await tab.locator("del", { hasText: "Hello" }).first().waitFor();
    await see(/Variables/, "second");
    await list.getByRole("button", { name: /sign.svg/ }).click();
    await tab.waitForFunction(
      () => [...document.querySelectorAll("figure img")].filter((each) => each.naturalWidth === 120).length === 2,
    );
    await look(tab, "change-kinds");
    await tab.goto(`${server.base}${at(`/${number}/diff`)}?page=${named("Gone")}`);
    await tab.getByText("This page is deleted").waitFor();
    await tab.keyboard.press("v");
    await tab.getByText(/^1 of \d+ viewed/).waitFor();
    await content(`/change-requests/${number}`, [
      { operation: "insert_page", title: "One more", document: { markdown: "More." } },
    ]);
    await tab.reload();
    await tab.getByText(/^1 of \d+ viewed/).waitFor();
  });

  test("edits go to my draft, a new change request or one under way; the tree marks what it changes", async () => {
    const { page: tab } = ada;
    await tab.goto(`${server.base}/app/spaces/${space}/pages/${page}`);
    await tab.getByRole("button", { name: "Where to edit" }).click();
    await tab.getByRole("menuitem", { name: /All kinds/ }).waitFor();
    await shoot(tab, "change-edit-menu");
    await tab.getByRole("menuitem", { name: /All kinds/ }).click();
    await tab.waitForURL(/changes\/\d+\/pages/);
    await tab.getByRole("treeitem", { name: /Parent/ }).getByRole("img", { name: "Changed" }).waitFor();
    assert.equal(await tab.getByRole("treeitem", { name: /News/ }).getByRole("img", { name: "Changed" }).count(), 0);
    await tab.goto(server.base + at("?filter=mine"));
    await tab.getByText("All kinds").waitFor();
    await tab.getByRole("searchbox", { name: "Search by words" }).fill("no such words");
    await tab.getByText("Nothing has “no such words”").waitFor();
    await tab.getByRole("searchbox", { name: "Search by words" }).fill("kinds ada");
    await tab.getByText("All kinds").waitFor();
    assert.match(tab.url(), /q=kinds/);
    await look(tab, "change-list-search");
  });

  test("the list can be of one author, which the address keeps", async () => {
    const { page: tab } = ada;
    await app.addPerson("mary@example.org", "Mary", "edit");
    const mary = await app.open("/app", { email: "mary@example.org" });
    const made = await mary.page.evaluate(async (path) => {
      const headers = { "Content-Type": "application/json" };
      return (await fetch(path, { method: "POST", headers, body: JSON.stringify({ subject: "Of Mary" }) })).status;
    }, `/v1/spaces/${space}/change-requests`);
    assert.equal(made, 201);
    await mary.page.close();
    await server.api("POST", `/v1/spaces/${space}/change-requests`, { subject: "Of Ada" });
    await tab.goto(server.base + at("?filter=drafts"));
    await tab.getByRole("link", { name: /Of Mary/ }).waitFor();
    await tab.getByRole("link", { name: /Of Ada/ }).waitFor();
    await tab.getByRole("button", { name: "All authors" }).click();
    await tab.getByRole("menuitemradio", { name: "Mary (1)" }).waitFor();
    await shoot(tab, "change-list-authors");
    await tab.getByRole("menuitemradio", { name: "Mary (1)" }).click();
    await tab.getByRole("link", { name: /Of Ada/ }).waitFor({ state: "hidden" });
    assert.match(tab.url(), /author=/);
    await tab.reload();
    await tab.getByRole("button", { name: "Mary", exact: true }).waitFor();
    await tab.getByRole("link", { name: /Of Mary/ }).waitFor();
    assert.equal(await tab.getByRole("link", { name: /Of Ada/ }).count(), 0);
    await tab.getByRole("link", { name: "Archived" }).click();
    await tab.getByRole("heading", { name: "Nothing of this author is here" }).waitFor();
    await tab.getByRole("button", { name: "All authors" }).last().click();
    await tab.getByRole("heading", { name: "Nothing is archived" }).waitFor();
    await look(tab, "change-list-author");
  });

  test("where none is open, the list leads to what is still being written", async () => {
    const fresh = await server.space("Fresh", { First: "One." });
    await server.api("POST", `/v1/spaces/${fresh}/change-requests`, { subject: "Half a thought" });
    const { page: tab } = ada;
    await tab.goto(`${server.base}/app/spaces/${fresh}/changes`);
    await tab.getByRole("heading", { name: "No change request is open" }).waitFor();
    await tab.getByRole("link", { name: "Look at drafts" }).click();
    await tab.getByRole("link", { name: /Half a thought/ }).waitFor();
    assert.equal(await tab.getByRole("link", { name: "Drafts" }).getAttribute("aria-current"), "page");
    await look(tab, "change-list-drafts");
  });

  test("of 200 changed pages the first shows at once", async () => {
    const many = await server.space("Many", { First: "One." });
    for (let from = 0; from < 200; from += 50) {
      const changes = Array.from({ length: 50 }, (_, i) => ({
        operation: "insert_page",
        title: `Page ${from + i}`,
        document: { markdown: before_ },
      }));
      await server.api("POST", `/v1/spaces/${many}/content`, { changes });
    }
    const { pages } = await server.api("GET", `/v1/spaces/${many}/content/pages`);
    await server.api("POST", `/v1/spaces/${many}/change-requests`, { subject: "All of them" });
    for (let from = 0; from < 200; from += 50) {
      const changes = pages
        .slice(from, from + 50)
        .map(({ id }) => ({ operation: "update_page", page: id, document: { markdown: after_ } }));
      await server.api("POST", `/v1/spaces/${many}/change-requests/1/content`, { changes });
    }
    const { page: tab } = ada;
    await tab.goto(`${server.base}/app/spaces/${many}/changes/1`);
    await tab.getByText("200 changes").waitFor();
    // Each page is asked for when it comes near, so the first waits for few others.
    const asked = [];
    tab.on("request", (request) => request.url().includes("/changes/pages/") && asked.push(request.url()));
    const took = await tab.evaluate(async () => {
      const begun = performance.now();
      [...document.querySelectorAll("nav a")].find((each) => each.textContent === "Changes").click();
      while (!document.querySelector("section[aria-labelledby=diff-title] ins"))
        await new Promise(requestAnimationFrame);
      return performance.now() - begun;
    });
    await tab.getByText("0 of 200 viewed").waitFor();
    console.log(`diff of 200 changed pages: the first after ${Math.round(took)} ms, ${asked.length} asked for`);
    assert.ok(asked.length > 0 && asked.length < 20, asked.join("\n"));
  });

  test("readers and commenters get no button that they may not press", async () => {
    await app.addPerson("reader@example.org", "Rea", "read");
    await app.addPerson("commenter@example.org", "Com", "comment");
    const { items } = await server.api("GET", `/v1/spaces/${space}/change-requests?status=draft`);
    for (const [email, buttons] of [["reader@example.org", []], ["commenter@example.org", ["Comment"]]]) {
      const { page: tab, context, problems } = await app.open(at(`/${items[0].number}`), { email, expected: /^$/ });
      await tab.getByText("Who may merge in this space takes it from here.").waitFor();
      await tab.getByText("No conflicts with main").waitFor();
      const box = tab.getByRole("region", { name: "This is a draft" });
      assert.deepEqual(await box.getByRole("button").allInnerTexts(), buttons, email);
      assert.deepEqual(problems, [], email);
      await context.close();
    }
  });

  test("a conflict is counted and named", async () => {
    const request = `/v1/spaces/${space}/change-requests`;
    const { number } = await server.api("POST", request, { subject: "Late" });
    await server.api("POST", `${request}/${number}/content`, {
      changes: [{ operation: "update_page", page, title: "Mine" }],
    });
    await server.api("POST", `/v1/spaces/${space}/content`, {
      changes: [{ operation: "update_page", page, title: "Theirs" }],
    });
    await server.api("PATCH", `/v1/spaces/${space}`, { mergeRules: { type: "none" } });
    await show(ada, at(`/${number}`));
    await ada.page.getByText("1 conflict with main has to be settled first.").waitFor();
    await ada.page.getByText("Mine: both sides changed an attribute").waitFor();
    await ada.page.getByText("Cannot be merged yet: settle the conflicts first.").waitFor();
    await look(ada.page, "change-conflict");
  });
});
