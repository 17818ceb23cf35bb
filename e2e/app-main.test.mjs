// Writing on main without a change request, for those who may: it says that it is public at once, keeps what is typed
// as drafts do, and is there for nobody else.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { look, phone, startApp } from "./app.mjs";

// How the text stands, in the header: the notice has words of its own about saving.
const says = (page, words) =>
  page.getByRole("banner").or(page.locator("header")).getByRole("status").filter({ hasText: words }).first().waitFor();

describe("main is written directly in the app", () => {
  let app, server, space, page, site, ada;
  const read = () => `/app/spaces/${space}/pages/${page}`;
  const markdown = async () =>
    (await server.api("GET", `/v1/spaces/${space}/content/page/${page}?format=markdown`)).markdown;

  before(async () => {
    ({ server } = app = await startApp());
    space = await server.space("Handbook", { Start: "The first words.\n" });
    ({ url: site } = await server.site("Handbook", [space]));
    page = (await server.api("GET", `/v1/spaces/${space}/content/pages`)).pages[0].id;
    await app.addPerson("rose@example.org", "Rose", "read");
    ada = await app.open(read(), { expected: /ERR_INTERNET_DISCONNECTED|ERR_CONNECTION|status of 409/ });
  });
  after(() => app?.stop());

  test("it is chosen beside Edit, says that it is public at once, and is", async () => {
    const { page: tab } = ada;
    await tab.getByRole("button", { name: "Where to edit" }).click();
    await tab.getByRole("menuitem", { name: "On main directly: public at once" }).click();
    await tab.waitForURL("**/edit");
    const notice = tab.getByRole("status").filter({ hasText: "public at once, without a review" });
    await notice.getByRole("link").waitFor();
    const text = tab.getByRole("textbox", { name: "Text of the page" });
    await text.click();
    await tab.keyboard.press("Control+End");
    await tab.keyboard.type(" And more of main.");
    await says(tab, "Saved");
    await look(tab, "main-writing");
    assert.match(await markdown(), /The first words\. And more of main\./);
    assert.match(await (await fetch(site)).text(), /And more of main/);
    assert.equal((await server.api("GET", `/v1/spaces/${space}/change-requests?status=draft`)).count, 0);
    await tab.getByRole("link", { name: "Done" }).click();
    await tab.waitForURL((url) => !url.pathname.endsWith("/edit"));
    await tab.getByText("And more of main.").waitFor();
  });

  test("an expression shows its value, as in a draft", async () => {
    const other = await server.space("Values", { Start: 'It is <code class="expression">1 + 1</code> here.\n' });
    const { pages: [{ id }] } = await server.api("GET", `/v1/spaces/${other}/content/pages`);
    const { page: tab, context, problems } = await app.open(`/app/spaces/${other}/pages/${id}/edit`);
    const text = tab.getByRole("textbox", { name: "Text of the page" });
    await text.locator('.expression-chip[data-kind="value"]').getByText("2", { exact: true }).waitFor();
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("the title and the Markdown are written, too", async () => {
    const { page: tab } = ada;
    await tab.goto(`${server.base}${read()}/edit`);
    await tab.getByRole("textbox", { name: "Text of the page" }).waitFor();
    await tab.getByRole("textbox", { name: "Title" }).fill("Beginning");
    await says(tab, "Saved");
    await tab.getByRole("navigation", { name: "Pages" }).getByText("Beginning").waitFor();
    await tab.keyboard.press("Control+Alt+s");
    await tab.waitForURL(/mode=source/);
    await tab.locator(".cm-content").click();
    await tab.keyboard.press("Control+End");
    await tab.keyboard.type("\nAs **Markdown**.\n");
    await says(tab, "Saved");
    assert.match(await markdown(), /As \*\*Markdown\*\*\./);
    assert.deepEqual(ada.problems, []);
  });

  test("what is typed without a network is kept, and saved later", async () => {
    const { page: tab, context } = ada;
    await tab.goto(`${server.base}${read()}/edit`);
    const text = tab.getByRole("textbox", { name: "Text of the page" });
    await text.waitFor();
    await context.setOffline(true);
    await text.click();
    await tab.keyboard.press("Control+End");
    await tab.keyboard.type(" Typed on a train.");
    await says(tab, "Offline: kept on this device");
    await context.setOffline(false);
    await says(tab, "Saved");
    assert.match(await markdown(), /Typed on a train\./);

    await context.setOffline(true);
    await text.click();
    await tab.keyboard.press("Control+End");
    await tab.keyboard.type(" And in a tunnel.");
    await says(tab, "Offline: kept on this device");
    await tab.close();
    await context.setOffline(false);
    assert.doesNotMatch(await markdown(), /tunnel/);
    ada.page = await context.newPage();
    await ada.page.goto(`${server.base}${read()}/edit`);
    await ada.page.getByText("What you typed before was not saved yet. It is here again.").waitFor();
    await says(ada.page, "Saved");
    assert.match(await markdown(), /And in a tunnel\./);
  });

  test("who changed the same meanwhile is not overwritten without a word", async () => {
    const { page: tab } = ada;
    const text = tab.getByRole("textbox", { name: "Text of the page" });
    await server.api("POST", `/v1/spaces/${space}/content`, {
      changes: [{ operation: "update_page", page, document: { markdown: "Other words by somebody else.\n" } }],
    });
    await text.click();
    await tab.keyboard.press("Control+Home");
    await tab.keyboard.type("Mine: ");
    await tab.getByText("Somebody else has changed the same part of this page.", { exact: true }).waitFor();
    await tab.getByRole("button", { name: "Take theirs" }).click();
    await text.getByText("Other words by somebody else.").waitFor();
    assert.match(await markdown(), /Other words by somebody else\./);
  });

  test("who may not has neither the choice nor the screen", async () => {
    const reader = await app.open(read(), { email: "rose@example.org" });
    await reader.page.getByText("Other words by somebody else.").waitFor();
    assert.equal(await reader.page.getByRole("button", { name: "Where to edit" }).count(), 0);
    await reader.page.goto(`${server.base}${read()}/edit`);
    await reader.page.getByText("The main content of this space is not written directly").waitFor();
    await reader.page.getByText("Other words by somebody else.").waitFor();
    assert.equal(await reader.page.locator("[contenteditable=true]").count(), 0);
    await reader.context.close();
  });

  test("a locked space offers change requests alone", async () => {
    await server.api("PATCH", `/v1/spaces/${space}`, { editMode: "locked" });
    const { page: tab } = ada;
    await tab.goto(server.base + read());
    await tab.getByRole("button", { name: "Where to edit" }).click();
    await tab.getByRole("menuitem", { name: "In my draft" }).waitFor();
    assert.equal(await tab.getByRole("menuitem", { name: /On main directly/ }).count(), 0);
    await tab.goto(`${server.base}${read()}/edit`);
    await tab.getByText("The main content of this space is not written directly").waitFor();
    await look(tab, "main-locked");
    await server.api("PATCH", `/v1/spaces/${space}`, { editMode: "live" });
  });

  test("the screen is right on a phone, in German", async () => {
    const { page: tab, context, problems } = await app.open(`${read()}/edit`, { ...phone, locale: "de-DE" });
    await tab.getByText(/sofort öffentlich/).waitFor();
    await tab.locator("[contenteditable=true]").waitFor();
    await look(tab, "main-phone");
    assert.deepEqual(problems, []);
    await context.close();
  });
});
