// Sites in the app, in a real browser: made, published and taken away, who may read them, what is on them, redirects.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { look, phone, startApp } from "./app.mjs";

describe("sites in the app", () => {
  let app, server, guide, ada, id;
  const site = () => server.api("GET", `/v1/orgs/${server.organization}/sites/${id}`);
  const until = async (holds) => {
    for (let i = 0; i < 100; i++) {
      if (await holds(await site())) return;
      await new Promise((done) => setTimeout(done, 100));
    }
    assert.fail(JSON.stringify(await site()));
  };
  before(async () => {
    ({ server } = app = await startApp());
    await app.addPerson("grace@example.org", "Grace", "read");
    guide = await server.space("Guide", { Start: "Hello, reader.\n" });
    await server.space("Reference", { Terms: "Words.\n" });
    ada = await app.open("/app");
  });
  after(() => app?.stop());

  test("a site is made of a space and published, and readers read it", async () => {
    const { page } = ada;
    await page.getByRole("link", { name: "Sites" }).click();
    await page.getByText("There are no sites yet").waitFor();
    await look(page, "sites-none");
    await page.getByRole("button", { name: "New site" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Title" }).fill("Docs");
    await dialog.getByRole("combobox", { name: "Choose a space" }).fill("Gui");
    await page.getByRole("option", { name: "Guide" }).click();
    await page.keyboard.press("Tab");
    await dialog.getByRole("button", { name: "Create" }).click();
    await page.waitForURL(/sites\/site_/);
    id = /sites\/([^/?#]+)/.exec(page.url())[1];
    await page.getByRole("button", { name: "Publish" }).click();
    const open = page.getByRole("link", { name: "Open the site" });
    await open.waitFor();
    assert.match(await (await fetch(await open.getAttribute("href"))).text(), /Hello, reader/);
    await page.getByRole("textbox", { name: "Address", exact: true }).fill("handbook");
    await until(({ basename }) => basename === "handbook");
    await look(page, "sites-one");
    assert.deepEqual(ada.problems, []);
  });

  test("spaces are put on it, moved, and taken off; old addresses lead on", async () => {
    const { page } = ada;
    const structure = async () => (await server.api("GET", `/v1/orgs/${server.organization}/sites/${id}/structure`)).structure.map((each) => each.space.title);
    await page.getByRole("combobox", { name: "Choose a space" }).selectOption({ label: "Reference" });
    await page.getByRole("button", { name: "Put it on the site" }).click();
    await page.getByRole("button", { name: "Reference: what to do" }).click();
    await page.getByRole("menuitem", { name: "Move up" }).click();
    await until(async () => (await structure()).join() === "Reference,Guide");
    await page.getByRole("button", { name: "Reference: what to do" }).click();
    await page.getByRole("menuitem", { name: "Take it off the site" }).click();
    await until(async () => (await structure()).join() === "Guide");
    await page.getByRole("textbox", { name: "From a path" }).fill("/old");
    await page.getByRole("textbox", { name: "To a path" }).fill("https://example.org/new");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByText("https://example.org/new").waitFor();
    const { urls } = await site();
    const answer = await fetch(`${urls.published.replace(/\/$/, "")}/old`, { redirect: "manual" });
    assert.equal(answer.headers.get("location"), "https://example.org/new");
    await page.getByRole("button", { name: "Delete the redirect of /old" }).click();
    await page.getByText("https://example.org/new").waitFor({ state: "detached" });
    assert.deepEqual(ada.problems, []);
  });

  test("who may read it is chosen, and links are made and stopped", async () => {
    const { page } = ada;
    await page.getByRole("radio", { name: /^Share links/ }).click();
    await page.getByRole("textbox", { name: "For whom it is" }).fill("Partners");
    await page.getByRole("button", { name: "Make a link" }).click();
    await page.getByText("Partners").waitFor();
    await look(page, "sites-links");
    const { urls } = await site();
    assert.doesNotMatch(await (await fetch(urls.published)).text(), /Hello, reader/);
    const { items: [link] } = await server.api("GET", `/v1/orgs/${server.organization}/sites/${id}/share-links`);
    await page.getByRole("button", { name: "Stop it" }).click();
    await page.getByRole("button", { name: "Let it work" }).waitFor();
    assert.equal((await server.api("GET", `/v1/orgs/${server.organization}/sites/${id}/share-links`)).items[0].active, false);
    assert.ok(link.active);
    await page.getByRole("radio", { name: /^Public/ }).click();
    await until(({ visibility }) => visibility === "public");
    assert.deepEqual(ada.problems, []);
  });

  test("its look is chosen beside the real page", async () => {
    const { page } = ada;
    await page.getByRole("link", { name: "Look" }).click();
    const shown = page.frameLocator("iframe");
    await shown.getByText("Hello, reader.").waitFor();
    await page.getByRole("radio", { name: "Bold" }).click();
    await page.getByRole("radio", { name: "Straight" }).click();
    await page.getByRole("combobox", { name: "Font" }).selectOption({ label: "Merriweather" });
    await page.getByLabel("Colour, light").fill("#ffd400");
    await page.getByText("links get a stronger tone").waitFor();
    await page.getByRole("radio", { name: "What their system says" }).click();
    const path = `/v1/orgs/${server.organization}/sites/${id}/customization`;
    await until(async () => (await server.api("GET", path)).themes.default === "system");
    const { styling } = await server.api("GET", path);
    assert.deepEqual([styling.theme, styling.corners, styling.font, styling.primaryColor.light], ["bold", "straight", "Merriweather", "#ffd400"]);
    await page.waitForFunction(() => getComputedStyle(document.querySelector("iframe").contentDocument.body).fontFamily.includes("Merriweather"));
    await look(page, "sites-look", { within: "main > div" });
    await page.goBack();
    assert.deepEqual(ada.problems, []);
  });

  test("who may not change it sees it; on a phone, in the dark", async () => {
    const { page, context, problems } = await app.open(`/app/orgs/${server.organization}/sites/${id}`, { email: "grace@example.org", ...phone, colorScheme: "dark" });
    await page.getByRole("heading", { name: "Docs" }).waitFor();
    assert.equal(await page.getByRole("button", { name: /Delete site|Unpublish|Publish/ }).count(), 0);
    assert.ok(await page.getByRole("textbox", { name: "Address", exact: true }).isDisabled());
    await look(page, "sites-phone");
    await page.goto(`${server.base}/app/orgs/${server.organization}/sites`);
    await page.getByRole("link", { name: "Docs", exact: true }).waitFor();
    await look(page, "sites-list-phone");
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("it goes off the air, and is deleted", async () => {
    const { page } = ada;
    const { urls } = await site();
    await page.getByRole("button", { name: "Unpublish" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Unpublish" }).click();
    await page.getByRole("button", { name: "Publish", exact: true }).waitFor();
    assert.equal((await fetch(urls.published)).status, 404);
    await page.getByRole("button", { name: "Delete site" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete site" }).click();
    await page.getByText("There are no sites yet").waitFor();
    assert.deepEqual(ada.problems, []);
  });
});
