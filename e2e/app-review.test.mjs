// What goes with a review: the preview as a visitor, the conversation in one timeline, comments on blocks, what the
// history says of a merge, its undo, reusable contents in the changes, and the notice of conflicts.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { desktop, look, phone, says, startApp } from "./app.mjs";

const schema = { type: "object", additionalProperties: false, properties: {
  plan: { type: "string", enum: ["free", "pro"], description: "What they pay for." },
  team: { type: "string" },
  seats: { type: "number" },
  unsigned: { type: "object", additionalProperties: false, properties: { beta: { type: "boolean" } } },
} };
const plans = `Everybody reads this paragraph.

{% if visitor.claims.plan === "pro" %}
Only pros read this.
{% endif %}

{% if visitor.claims.team === "blue" %}
Only the blue team reads this.
{% endif %}
`;

// The words of a comment are shown before the server has it.
const posted = (tab) =>
  tab.waitForResponse((answer) => answer.request().method() === "POST" && answer.url().endsWith("/comments"));

describe("reviews in the app", () => {
  let app, server, space, other, site, start, request, ada, grace;
  const at = (rest = "") => `/app/spaces/${space}/changes/1${rest}`;

  before(async () => {
    ({ server } = app = await startApp());
    space = await server.space("Handbook", {
      Start: "The first paragraph.\n\nThe second paragraph.\n\n- one\n- two\n",
    });
    other = await server.space("Elsewhere", { Secret: "Words of another space.\n" });
    site = await server.site("Guide", [space, other], "visitor-auth");
    await server.api("PUT", `${site.path}/adaptive-schema`, { jsonSchema: schema });
    await server.api("PATCH", site.path, { adaptiveContent: { enabled: true } });
    const { pages } = await server.api("GET", `/v1/spaces/${space}/content/pages`);
    start = pages[0].id;
    request = `/v1/spaces/${space}/change-requests`;
    await server.api("POST", request, {});
    request += "/1";
    await server.api("POST", `${request}/content`, {
      changes: [
        { operation: "insert_page", title: "Plans", document: { markdown: plans } },
        {
          operation: "update_page",
          page: start,
          document: {
            markdown:
              "The first paragraph, better.\n\nThe second paragraph.\n\n- one\n- two\n\n[Nowhere](/pages/page_nothing)\n",
          },
        },
      ],
    });
    await app.addPerson("grace@example.org", "Grace", "review");
    await app.addPerson("rose@example.org", "Rose", "read");
    [ada, grace] = await Promise.all([app.open("/app"), app.open("/app", { email: "grace@example.org" })]);
  });
  after(() => app?.stop());

  test("a change request is looked at as a visitor with chosen claims", async () => {
    const { page: tab } = ada;
    await tab.goto(server.base + at());
    await tab.getByRole("button", { name: "Preview as a visitor" }).click();
    const dialog = tab.getByRole("dialog", { name: "Preview as a visitor" });
    await dialog.getByLabel("plan", { exact: true }).selectOption("pro");
    await look(tab, "review-preview-as");
    const opened = tab.context().waitForEvent("page");
    await dialog.getByRole("link", { name: "Open the preview" }).click();
    const shown = await opened;
    await shown.getByRole("heading", { level: 1 }).waitFor();
    assert.doesNotMatch(shown.url(), /ticket/);
    await shown.getByText(/Change request #1/).first().waitFor();
    await shown.goto(`${shown.url()}plans`);
    await shown.getByText("Only pros read this.").waitFor();
    assert.equal(await shown.getByText("Only the blue team").count(), 0);
    const address = shown.url();
    await shown.close();

    // The value that a condition asks for is offered for a claim that is free text.
    const team = dialog.getByRole("combobox", { name: "team" });
    assert.equal(await dialog.locator("datalist option").first().getAttribute("value"), "blue");
    await dialog.getByLabel("plan", { exact: true }).selectOption("");
    await team.fill("blue");
    const again = tab.context().waitForEvent("page");
    await dialog.getByRole("link", { name: "Open the preview" }).click();
    const second = await again;
    await second.goto(`${second.url()}plans`);
    await second.getByText("Only the blue team reads this.").waitFor();
    assert.equal(await second.getByText("Only pros read this.").count(), 0);
    await second.close();

    // Whom nothing lets in has nothing of it, and nobody gets it from a cache.
    const stranger = await app.browser.newContext();
    const theirs = await stranger.newPage();
    for (const each of [address, site.url, `${site.url}plans`]) {
      const answer = await theirs.goto(each);
      assert.equal(answer.status(), 404, each);
      assert.equal(await theirs.getByText("Only pros").count(), 0);
    }
    await stranger.close();
    await tab.keyboard.press("Escape");
    assert.deepEqual(ada.problems, []);
  });

  test("the checks name the links that would break, with their page", async () => {
    const { page: tab } = ada;
    await tab.getByText("1 link would break.").waitFor();
    const check = tab.getByRole("listitem").filter({ hasText: "1 link would break." });
    await check.getByText("page_nothing").waitFor();
    await check.getByRole("link", { name: "Start" }).waitFor();
  });

  test("a block of the diff and of a page is commented on with the pointer, the keyboard and a finger", async () => {
    const { page: tab } = grace;
    await tab.goto(`${server.base}${at("/diff")}?page=${start}`);
    const row = tab.locator("[data-node]", { hasText: "The second paragraph." });
    await row.hover();
    const button = tab.getByRole("button", { name: "Comment on: The second paragraph." });
    await button.click();
    await tab.getByRole("combobox", { name: "Write a comment" }).first().fill("Is this one still right?");
    await Promise.all([posted(tab), tab.getByRole("button", { name: "Send", exact: true }).click()]);
    await tab.getByText("Is this one still right?").first().waitFor();
    const { items } = await server.api("GET", `${request}/comments`);
    assert.equal(items[0].target.node.preview, "The second paragraph.");

    // Reading main: one stop of the keyboard, the arrows choose the block.
    await tab.goto(`${server.base}/app/spaces/${space}/pages/${start}`);
    await tab.getByText("The first paragraph.").waitFor();
    await tab.getByRole("button", { name: /^Comment on a block/ }).focus();
    await tab.getByRole("button", { name: "Comment on: The first paragraph." }).waitFor();
    await tab.keyboard.press("ArrowDown");
    await tab.getByRole("button", { name: "Comment on: The second paragraph." }).waitFor();
    await look(tab, "review-block");
    await tab.keyboard.press("Enter");
    await tab.getByRole("combobox", { name: "Write a comment" }).first().fill("Read on main.");
    await Promise.all([posted(tab), tab.getByRole("button", { name: "Send", exact: true }).click()]);
    await tab.getByText("Read on main.").first().waitFor();
    const main = await server.api("GET", `/v1/spaces/${space}/comments`);
    assert.equal(main.items[0].target.range.quote, "The second paragraph.");
    assert.deepEqual(grace.problems, []);

    const {
      page: small,
      context,
      problems,
    } = await app.open(`/app/spaces/${space}/pages/${start}`, { email: "grace@example.org", ...phone });
    await small.getByText("The first paragraph.").tap();
    await small.getByRole("button", { name: "Comment on: The first paragraph." }).tap();
    await small.getByRole("combobox", { name: "Write a comment" }).first().waitFor();
    await look(small, "review-block-phone");
    assert.deepEqual(problems, []);
    await context.close();

    // Who may not comment is offered nothing.
    const reader = await app.open(`/app/spaces/${space}/pages/${start}`, { email: "rose@example.org" });
    await reader.page.getByText("The first paragraph.").hover();
    assert.equal(await reader.page.getByRole("button", { name: /^Comment on/ }).count(), 0);
    await reader.context.close();
  });

  test("a block is commented on while it is written", async () => {
    const { page: tab } = ada;
    await tab.goto(server.base + at(`/pages/${start}`));
    const text = tab.getByRole("textbox", { name: "Text of the page" });
    await text.getByText("The second paragraph.").hover();
    await tab.getByRole("button", { name: "Comment on: The second paragraph." }).click();
    await tab.getByRole("combobox", { name: "Write a comment" }).first().fill("I shall look.");
    await tab.getByRole("button", { name: "Send", exact: true }).click();
    await tab.getByText("I shall look.").first().waitFor();
    await look(tab, "review-block-writing");
    const { items } = await server.api("GET", `${request}/comments`);
    assert.equal(
      items.find((each) => each.body.markdown.includes("I shall look.")).target.node.preview,
      "The second paragraph.",
    );

    // It is in nobody's way who types.
    const { page: small, context, problems } = await app.open(at(`/pages/${start}`), phone);
    await small.getByRole("textbox", { name: "Text of the page" }).getByText("The first paragraph, better.").tap();
    const button = small.getByRole("button", { name: "Comment on: The first paragraph, better." });
    await button.waitFor();
    await look(small, "review-block-writing-phone");
    await small.keyboard.type("x");
    await button.waitFor({ state: "detached" });
    await small.keyboard.press("Backspace");
    await says(small, "Saved");
    await small.getByRole("textbox", { name: "Text of the page" }).getByText("one").tap();
    await small.getByRole("button", { name: "Comment on: onetwo" }).tap();
    await small.getByRole("combobox", { name: "Write a comment" }).first().waitFor();
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("everything that happens has its sentence in the conversation, and its address", async () => {
    const { page: tab } = ada;
    await tab.goto(server.base + at("/conversation"));
    await tab.getByRole("button", { name: "Edit the subject" }).click();
    await tab.getByLabel("Subject").fill("Say it better");
    await tab.keyboard.press("Enter");
    await tab.getByRole("heading", { name: /Say it better/ }).waitFor();
    await tab.getByRole("button", { name: "Ask for a review" }).click();
    await tab.getByRole("menuitem", { name: "Grace" }).click();
    const talk = tab.getByRole("region", { name: "Conversation" });
    await talk.getByText("asked Grace for a review").waitFor();
    await tab.getByRole("button", { name: "Archive" }).click();
    await talk.getByText("archived it").waitFor();
    await tab.getByRole("button", { name: "Back to draft" }).click();
    await talk.getByText("took it out of the archive").waitFor();
    await tab.getByRole("button", { name: "Request review" }).click();
    await grace.page.goto(server.base + at("/conversation"));
    await grace.page.getByRole("button", { name: "Review", exact: true }).click();
    await grace.page.getByLabel("What you have to say").fill("Well said.");
    await grace.page.getByRole("button", { name: "Send" }).click();
    await grace.page.getByText("Grace approved it").waitFor();
    await tab.reload();
    for (const sentence of [
      /began it/,
      /wrote \d+ revision/,
      /renamed it from “.*” to “Say it better”/,
      /opened it for review/,
      /Grace approved it/,
    ]) {
      await talk.getByText(sentence).first().waitFor();
    }
    const order = await talk.getByRole("listitem").allInnerTexts();
    const place = (words) => order.findIndex((each) => each.includes(words));
    const told = [
      place("began it"),
      place("renamed it"),
      place("asked Grace"),
      place("archived it"),
      place("out of the archive"),
      place("Grace approved it"),
    ];
    assert.deepEqual(
      told,
      [...told].sort((a, b) => a - b),
      order.join("\n"),
    );
    await look(tab, "review-timeline");

    // The time of each leads to it, also for a colleague.
    const line = talk.getByRole("listitem").filter({ hasText: "Grace approved it" });
    await line.getByTitle("Address of this moment").click();
    const address = tab.url();
    assert.match(address, /#review_/);
    await grace.page.goto(address);
    await grace.page.locator("li:target", { hasText: "Grace approved it" }).waitFor();
    assert.deepEqual([...ada.problems, ...grace.problems], []);
  });

  for (const [name, options] of [
    ["phone", phone],
    ["dark", { ...desktop, colorScheme: "dark" }],
    ["german", { ...phone, locale: "de-DE" }],
    ["rtl", desktop],
  ]) {
    test(`the conversation and the preview are right, ${name}`, async () => {
      const { page: tab, context, problems } = await app.open(at("/conversation"), options);
      if (name === "rtl") await tab.evaluate(() => (document.documentElement.dir = "rtl"));
      await tab.locator("#created").waitFor();
      await look(tab, `review-conversation-${name}`);
      await tab.goto(server.base + at());
      if (name === "rtl") await tab.evaluate(() => (document.documentElement.dir = "rtl"));
      await tab.getByRole("link", { name: "Start", exact: true }).first().waitFor();
      await look(tab, `review-overview-${name}`);
      await tab
        .getByRole("button", { name: name === "german" ? "Vorschau als Besucher" : "Preview as a visitor" })
        .click();
      await tab.getByLabel("plan", { exact: true }).waitFor();
      await look(tab, `review-preview-${name}`);
      await tab.keyboard.press("Escape");
      await tab.goto(`${server.base}${at("/diff")}?page=${start}`);
      if (name === "rtl") await tab.evaluate(() => (document.documentElement.dir = "rtl"));
      await tab.locator("ins").first().waitFor();
      await look(tab, `review-diff-${name}`);
      assert.deepEqual(problems, []);
      await context.close();
    });
  }

  test("main moves: a banner says that there are conflicts, and the inbox tells whom it concerns", async () => {
    const { page: tab } = ada;
    await tab.goto(server.base + at("/commits"));
    await tab.getByRole("link", { name: "What it changed" }).first().waitFor();
    assert.equal(await tab.getByText(/To settle/).count(), 0);
    // Grace writes on main, so that Ada is told.
    await grace.page.goto(`${server.base}/app/spaces/${space}/pages/${start}`);
    const moved = await grace.page.evaluate(
      async ([space, page]) => {
        const body = JSON.stringify({
          changes: [
            {
              operation: "update_page",
              page,
              document: { markdown: "The first paragraph, of main.\n\nThe second paragraph.\n\n- one\n- two\n" },
            },
          ],
        });
        const answer = await fetch(`/v1/spaces/${space}/content`, {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body,
        });
        return answer.status;
      },
      [space, start],
    );
    assert.equal(moved, 200);
    await tab.reload();
    await tab.getByText("To settle: 1 conflict.").waitFor();
    await look(tab, "review-notice");
    await tab.getByRole("link", { name: "See the conflicts" }).click();
    await tab.getByText("1 left to choose").waitFor();
    // The server looks every 20 seconds.
    await tab.goto(`${server.base}/app/inbox`);
    const told = tab.getByRole("link", { name: /has conflicts now: Grace/ });
    for (let tries = 0; tries < 20 && (await told.count()) === 0; tries++) {
      await tab.reload();
      await told.first().waitFor({ timeout: 4000 }).catch(() => undefined);
    }
    await look(tab, "review-inbox");
    await told.first().click();
    await tab.getByRole("link", { name: /^Conversation/ }).click();
    await tab
      .getByRole("region", { name: "Conversation" })
      .getByText("Grace changed main. To settle now: 1 conflict")
      .waitFor();

    // Nothing is merged until all are settled.
    assert.ok(await tab.getByRole("button", { name: "Merge", exact: true }).isDisabled());
    const { result } = await server.api("POST", `${request}/merge`, {});
    assert.equal(result, "conflicts");
    await tab.getByRole("link", { name: "Settle conflicts" }).click();
    await tab.getByText("1 left to choose").waitFor();
    await tab.locator("[data-place]").first().waitFor();
    await tab.keyboard.press("3");
    await tab.getByRole("button", { name: /^Apply/ }).first().click();
    await tab.getByRole("link", { name: "Go on to merge" }).click();
    await tab.getByText("No conflicts with main").waitFor();
    assert.equal(await tab.getByRole("link", { name: "See the conflicts" }).count(), 0);
  });

  test("the history of main says what the merge is told to, and the merge is undone", async () => {
    const { page: tab } = ada;
    await tab.goto(server.base + at());
    await tab.getByRole("button", { name: "Write what the history says" }).click();
    await tab.getByLabel("What the history of main says").fill("Plans, and a better beginning");
    await look(tab, "review-message");
    await tab.getByRole("button", { name: "Merge", exact: true }).click();
    await tab.getByRole("heading", { name: "This has been merged" }).waitFor();
    await tab.getByRole("link", { name: /^Conversation/ }).click();
    await tab.getByRole("region", { name: "Conversation" }).getByText(/merged it/).waitFor();
    await tab.goto(`${server.base}/app/spaces/${space}/history`);
    await tab.getByText("Plans, and a better beginning").first().waitFor();
    await look(tab, "review-history");
    // On a phone it still says who did it.
    await tab.setViewportSize(phone.viewport);
    const merged = tab.getByRole("listitem").filter({ hasText: "Plans, and a better beginning" });
    await merged.getByText("Ada", { exact: true }).waitFor();
    await look(tab, "review-history-phone");
    await tab.setViewportSize(desktop.viewport);

    await tab.goto(server.base + at());
    await tab.getByRole("button", { name: "Undo merge" }).click();
    await tab.waitForURL("**/changes/2");
    await tab.getByRole("link", { name: "Plans", exact: true }).waitFor();
    await tab.getByRole("button", { name: "Merge", exact: true }).click();
    await tab.getByRole("heading", { name: "This has been merged" }).waitFor();
    const { pages } = await server.api("GET", `/v1/spaces/${space}/content/pages`);
    assert.deepEqual(pages.map((each) => each.title), ["Start"]);
    const { markdown } = await server.api("GET", `/v1/spaces/${space}/content/page/${start}?format=markdown`);
    assert.match(markdown, /The first paragraph, of main\./);
    await tab.goto(server.base + at("/conversation"));
    const talk = tab.getByRole("region", { name: "Conversation" });
    await talk.getByText(/undid the merge with/).waitFor();
    await talk.getByRole("link", { name: "#2" }).waitFor();
    assert.deepEqual(ada.problems, []);
  });

  test("a reusable content is compared block by block, also as Markdown, and pictures before and after", async () => {
    const dot = (colour) =>
      Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="80"><rect width="120" height="80" fill="${colour}"/></svg>`,
      ).toString("base64");
    const content = (path, changes) => server.api("POST", `/v1/spaces/${space}${path}/content`, { changes });
    await content("", [
      {
        operation: "insert_files",
        files: [
          { name: "red.svg", base64: dot("red") },
          { name: "green.svg", base64: dot("green") },
        ],
      },
      {
        operation: "insert_reusable_content",
        ref: "note",
        title: "Note",
        document: { markdown: "Quiet words.\n\nThe old words.\n\nMore quiet words.\n" },
      },
    ]);
    const now = await server.api("GET", `/v1/spaces/${space}/content`);
    const file = (name) => now.files.find((each) => each.name === name).id;
    await content("", [
      {
        operation: "insert_page",
        ref: "p",
        title: "Pictured",
        document: { markdown: `![A dot](/files/${file("red.svg")})\n` },
      },
    ]);
    const { pages } = await server.api("GET", `/v1/spaces/${space}/content/pages`);
    const pictured = pages.find((each) => each.title === "Pictured").id;
    const { number } = await server.api("POST", `/v1/spaces/${space}/change-requests`, { subject: "Reuse" });
    await content(`/change-requests/${number}`, [
      {
        operation: "update_reusable_content",
        reusableContent: now.reusableContents[0].id,
        title: "Notice",
        document: { markdown: "Quiet words.\n\nThe new words.\n\nMore quiet words.\n" },
      },
      { operation: "update_page", page: pictured, document: { markdown: `![A dot](/files/${file("green.svg")})\n` } },
    ]);
    const { page: tab } = ada;
    await tab.goto(`${server.base}/app/spaces/${space}/changes/${number}/diff`);
    const list = tab.getByRole("navigation", { name: "Changed pages" });
    await list.getByRole("button", { name: /Notice/ }).click();
    const shown = tab.locator("section[aria-labelledby=diff-title]");
    await shown.locator("ins", { hasText: "new" }).waitFor();
    await shown.locator("del", { hasText: "old" }).waitFor();
    assert.match(await shown.innerText(), /Note[\s\S]*Notice/);
    await look(tab, "review-reusable");
    await tab.getByRole("button", { name: "Markdown", exact: true }).click();
    await shown.getByText("The new words.").waitFor();
    await tab.getByRole("button", { name: "Unified" }).click();
    await list.getByRole("button", { name: /Pictured/ }).click();
    await tab.waitForFunction(
      () => [...document.querySelectorAll("figure img")].filter((each) => each.naturalWidth === 120).length === 2,
    );
    await look(tab, "review-pictures");
    assert.deepEqual(ada.problems, []);
  });
});
