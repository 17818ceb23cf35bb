// Finding and replacing in all pages of a space, in a real browser.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { look, phone, says, startApp } from "./app.mjs";

describe("find and replace in a space", () => {
  let app;
  before(async () => (app = await startApp()));
  after(() => app?.stop());

  test("shows what becomes of each page, and writes it into the draft", async () => {
    const { api } = app.server;
    const space = await app.server.space("Words", {
      Start: "The quick fox and a **fox**, [the fox](https://fox.example/fox).\n\n* No foxes.",
      Code: "```js\nfox();\n```",
      Stay: "A fox that stays.",
      None: "Nothing here.",
    });
    const [start, , stay] = (await api("GET", `/v1/spaces/${space}/content/pages`)).pages;
    const { page, context, problems } = await app.open(`/app/spaces/${space}/pages/${start.id}`);
    await page.getByText("The quick fox").waitFor();
    await page.keyboard.press("Control+Shift+F");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("combobox").fill("fox");
    await dialog.getByRole("button", { name: "Find and replace" }).click();
    await dialog.getByRole("textbox", { name: "Replace with" }).fill("dog");
    assert.equal(await dialog.getByRole("textbox", { name: "Find" }).inputValue(), "fox");
    await dialog.getByRole("checkbox", { name: "Whole words" }).check();
    await dialog.getByRole("button", { name: "Find", exact: true }).click();
    await dialog.getByText("5 places on 3 pages").waitFor();
    const list = dialog.getByRole("list", { name: "Pages" });
    assert.deepEqual(await list.locator("li").first().locator("del").allTextContents(), ["fox", "fox", "fox"]);
    await look(page, "replace-found", { within: "[role=dialog]" });
    await list.getByRole("checkbox", { name: /^Stay/ }).uncheck();
    await dialog.getByRole("button", { name: "Replace on 2 pages" }).click();
    await dialog.getByText("4 places on 2 pages were replaced, in draft #1.").waitFor();
    await dialog.getByRole("link", { name: "See the changes" }).click();
    await page.waitForURL(/changes\/1\/diff/);
    const read = async (title, of = "change-requests/1/content") => {
      const found = (await api("GET", `/v1/spaces/${space}/${of}/pages`)).pages.find((each) => each.title === title);
      return (await api("GET", `/v1/spaces/${space}/${of}/page/${found.id}?format=markdown`)).markdown;
    };
    assert.match(
      await read("Start"),
      /The quick dog and a \*\*dog\*\*, \[the dog\]\(https:\/\/fox\.example\/fox\)\.\n\n\* No foxes\./,
    );
    assert.match(await read("Code"), /dog\(\);/);
    assert.match(await read("Stay"), /A fox that stays/);
    assert.match(await read("Start", "content"), /The quick fox/);

    // A page that is open to be written shows it, and what was typed there stays.
    await page.goto(`${app.server.base}/app/spaces/${space}/changes/1/pages/${stay.id}`);
    const text = page.getByRole("textbox", { name: "Text of the page" });
    await text.getByText("A fox that stays.").click();
    await page.keyboard.press("End");
    await page.keyboard.type(" Typed.");
    await says(page, "Saved");
    await page.keyboard.press("Control+Shift+F");
    await dialog.getByRole("button", { name: "Find and replace" }).click();
    await dialog.getByRole("textbox", { name: "Find" }).fill("f(o)x");
    await dialog.getByRole("textbox", { name: "Replace with" }).fill("c$1w");
    await dialog.getByRole("checkbox", { name: "Regular expression" }).check();
    await dialog.getByRole("checkbox", { name: "Whole words" }).check();
    await dialog.getByRole("button", { name: "Find", exact: true }).click();
    await dialog.getByRole("button", { name: "Replace on 1 page" }).click();
    await dialog.getByText("1 place on 1 page was replaced, in draft #1.").waitFor();
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await text.getByText("A cow that stays. Typed.").waitFor();

    // What is no expression is said in place.
    await page.keyboard.press("Control+Shift+F");
    await dialog.getByRole("button", { name: "Find and replace" }).click();
    await dialog.getByRole("textbox", { name: "Find" }).fill("(");
    await dialog.getByRole("checkbox", { name: "Regular expression" }).check();
    await dialog.getByRole("button", { name: "Find", exact: true }).click();
    await dialog.getByText("Not an expression").waitFor();
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("can be stopped; who may only read finds and replaces nothing", async () => {
    const space = await app.server.space(
      "Stopped",
      Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`Page ${i}`, "A word."])),
    );
    const [start] = (await app.server.api("GET", `/v1/spaces/${space}/content/pages`)).pages;
    const { page, context, problems } = await app.open(`/app/spaces/${space}/pages/${start.id}`, {
      ...phone,
      colorScheme: "dark",
      expected: /./,
    });
    await page.getByText("A word.").waitFor();
    await page.keyboard.press("Control+Shift+F");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Find and replace" }).click();
    await dialog.getByRole("textbox", { name: "Find" }).fill("word");
    // The pages are held back until it is stopped.
    let release;
    const held = new Promise((done) => (release = done));
    await page.route("**/page/**", async (route) => {
      await held;
      await route.continue().catch(() => undefined);
    });
    await dialog.getByRole("button", { name: "Find", exact: true }).click();
    await dialog.getByRole("progressbar").waitFor();
    await look(page, "replace-phone", { within: "[role=dialog]" });
    await dialog.getByRole("button", { name: "Stop" }).click();
    await dialog.getByRole("button", { name: "Find", exact: true }).waitFor();
    release();
    await page.unroute("**/page/**");
    await dialog.getByRole("button", { name: "Find", exact: true }).click();
    await dialog.getByText("30 places on 30 pages").waitFor();
    assert.deepEqual(problems, []);
    await context.close();

    await app.addPerson("rolf@example.org", "Rolf", "read");
    const reader = await app.open(`/app/spaces/${space}/pages/${start.id}`, { email: "rolf@example.org" });
    await reader.page.getByText("A word.").waitFor();
    await reader.page.getByRole("button", { name: "Find in this space" }).click();
    await reader.page.getByRole("dialog").getByRole("combobox").fill("word");
    await reader.page.getByRole("option").first().waitFor();
    assert.equal(await reader.page.getByRole("button", { name: "Find and replace" }).count(), 0);
    await reader.context.close();
  });
});
