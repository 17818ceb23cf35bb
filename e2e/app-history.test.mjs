// The history of one page beside it, on main and in a change request, in a real browser.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { look, phone, says, startApp } from "./app.mjs";

describe("history of a page", () => {
  let app;
  before(async () => (app = await startApp()));
  after(() => app?.stop());

  test("tells what was changed, shows it, and puts the page back", async () => {
    const { api } = app.server;
    const space = await app.server.space("Handbook", { Start: "The fox.", Other: "Text." });
    const [start, other] = (await api("GET", `/v1/spaces/${space}/content/pages`)).pages;
    const write = (changes) => api("POST", `/v1/spaces/${space}/content`, { changes });
    await write([{ operation: "update_page", page: start.id, document: { markdown: "The dog." } }]);
    await write([{ operation: "update_page", page: other.id, title: "Elsewhere" }]);
    await write([{ operation: "update_page", page: start.id, title: "Begin", into: other.id }]);
    const { page, context, problems } = await app.open(`/app/spaces/${space}/pages/${start.id}?panel=history`);
    const panel = page.getByRole("complementary", { name: "History" });
    const rows = panel.getByRole("listitem");
    await rows.nth(2).waitFor();
    assert.deepEqual(await panel.getByRole("link").allTextContents(), ["Moved, Title", "Text", "Created"]);
    await look(page, "history-panel", { within: "aside" });

    // The diff of one to the one before.
    await panel.getByRole("link", { name: "Text" }).click();
    await page.waitForURL(/revisions\//);
    await page.locator("del", { hasText: "fox" }).first().waitFor();
    await page.locator("ins", { hasText: "dog" }).first().waitFor();
    await page.goBack();

    // As it was: in a draft, which leads to it.
    await rows.nth(2).getByRole("button", { name: /Put the page into my draft/ }).click();
    await page.waitForURL(/changes\/\d+\/pages\//);
    const text = page.getByRole("textbox", { name: "Text of the page" });
    await text.getByText("The fox.").waitFor();
    const here = panel.getByRole("region", { name: /In change request #\d+/ });
    await here.getByRole("listitem").first().waitFor();
    assert.equal((await here.getByRole("listitem").allTextContents()).length, 1);

    // What is written in the draft stands there, too, and goes back while it is open.
    await text.getByText("The fox.").click();
    await page.keyboard.press("End");
    await page.keyboard.type(" And more.");
    await says(page, "Saved");
    await here.getByRole("listitem").nth(1).waitFor();
    await here.getByRole("listitem").nth(1).getByRole("button", { name: /Put the page/ }).click();
    await page.getByText("The page is as it was.").waitFor();
    await text.getByText("The fox.", { exact: true }).waitFor();
    const [number] = /changes\/(\d+)/.exec(page.url()).slice(1);
    const { markdown } = await api(
      "GET",
      `/v1/spaces/${space}/change-requests/${number}/content/page/${start.id}?format=markdown`,
    );
    assert.match(markdown, /The fox\.\n?$/);
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("readers look at it on a phone and put nothing back", async () => {
    const space = await app.server.space("Read", { Start: "One." });
    const [start] = (await app.server.api("GET", `/v1/spaces/${space}/content/pages`)).pages;
    await app.addPerson("rita@example.org", "Rita", "read");
    const { page, context, problems } = await app.open(`/app/spaces/${space}/pages/${start.id}?panel=history`, {
      email: "rita@example.org",
      ...phone,
    });
    const panel = page.getByRole("dialog", { name: "History" });
    await panel.getByRole("link", { name: "Created" }).waitFor();
    assert.equal(await panel.getByRole("button", { name: /Put the page/ }).count(), 0);
    await look(page, "history-panel-phone", { within: "[role=dialog]" });
    assert.deepEqual(problems, []);
    await context.close();
  });
});
