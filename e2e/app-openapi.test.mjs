// API descriptions in the app, in a real browser: added from a file and an address, read, refused, versions, where they
// are used, and pages made from them.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { look, phone, startApp } from "./app.mjs";

const pets = (title, more = {}) =>
  JSON.stringify({
    openapi: "3.1.0",
    info: { title, version: "1" },
    paths: {
      "/pets": {
        get: { tags: ["Pets"], summary: "List pets", responses: { 200: { description: "Pets" } } },
        post: { tags: ["Pets"], summary: "Add a pet", responses: { 201: { description: "Added" } } },
      },
      "/owners/{id}": {
        get: {
          tags: ["Owners"],
          summary: "Get an owner",
          deprecated: true,
          parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
          responses: { 200: { description: "Owner" } },
        },
      },
      ...more,
    },
  });

describe("API descriptions in the app", () => {
  let app, server, ada, space, host, address, served;
  const file = (name, text) => ({ name, mimeType: "application/json", buffer: Buffer.from(text) });

  before(async () => {
    served = pets("Served");
    host = createServer((_, response) => response.setHeader("content-type", "application/json").end(served)).listen(
      0,
      "127.0.0.1",
    );
    await new Promise((done) => host.once("listening", done));
    address = `http://127.0.0.1:${host.address().port}/openapi.json`;
    ({ server } = app = await startApp({ flags: ["--fetch-allow", "127.0.0.0/8"] }));
    space = await server.space("Guide", { Start: "Hello.\n" });
    ada = await app.open("/app", { expected: /status of 40[0469]/ });
  });

  after(async () => {
    await app?.stop();
    host?.close();
  });

  test("one is added from a file and read", async () => {
    const { page } = ada;
    await page.getByRole("button", { name: /^Organization/ }).click();
    await page.getByRole("menuitem", { name: "API descriptions" }).click();
    await page.getByText("There are no API descriptions yet").waitFor();
    await look(page, "openapi-none");
    await page.getByRole("button", { name: "Add a description" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("radio", { name: "A file" }).click();
    await dialog.getByLabel("File", { exact: true }).setInputFiles(file("Pet Store.json", pets("Pets")));
    assert.equal(await dialog.getByRole("textbox", { name: "Name" }).inputValue(), "pet-store");
    await look(page, "openapi-add", { within: "[role=dialog]" });
    await dialog.getByRole("button", { name: "Add" }).click();
    await page.waitForURL(/openapi\/pet-store$/);
    await page.getByText("Ready").waitFor();
    await page.getByRole("heading", { name: "3 operations" }).waitFor();
    await page.getByText("Pets", { exact: false }).first().waitFor();
    await page.locator("summary", { hasText: "Pets" }).click();
    await page.getByText("List pets").waitFor();
    await look(page, "openapi-one");
    assert.deepEqual(ada.problems, []);
  });

  test("what cannot be read says why, and what was there stays", async () => {
    const { page } = ada;
    await page.getByRole("button", { name: "Change the source" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("File", { exact: true }).setInputFiles(file("x.json", "{ not: [ json"));
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByText("What came is no description that can be read").waitFor();
    await page.getByText("The version that was there is still used.").waitFor();
    await page.getByRole("heading", { name: "3 operations" }).waitFor();
    await look(page, "openapi-broken");
    await page.getByRole("button", { name: "Change the source" }).click();
    await dialog
      .getByLabel("File", { exact: true })
      .setInputFiles(
        file(
          "x.json",
          pets("Pets", { "/more": { get: { summary: "More", responses: { 200: { description: "More" } } } } }),
        ),
      );
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "4 operations" }).waitFor();
    assert.equal(
      (await server.api("GET", `/v1/orgs/${server.organization}/openapi/pet-store/versions`)).items.length,
      2,
    );
    assert.equal(await page.getByRole("link", { name: "Download" }).count(), 2);
    assert.deepEqual(ada.problems, []);
  });

  test("one is added from an address, and fetched again", async () => {
    const { page } = ada;
    await page.getByRole("navigation", { name: "Path" }).getByRole("link", { name: "API descriptions" }).click();
    await page.getByRole("button", { name: "Add a description" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Address" }).fill(address);
    await dialog.getByRole("textbox", { name: "Name" }).fill("served");
    await dialog.getByRole("button", { name: "Add" }).click();
    await page.getByRole("heading", { name: "3 operations" }).waitFor();
    served = pets("Served", { "/more": { get: { responses: { 200: { description: "More" } } } } });
    await page.getByRole("button", { name: "Fetch again" }).click();
    await page.getByRole("heading", { name: "4 operations" }).waitFor();
    // A name that is taken is refused in the dialog.
    await page.getByRole("navigation", { name: "Path" }).getByRole("link", { name: "API descriptions" }).click();
    await page.getByRole("button", { name: "Add a description" }).click();
    await dialog.getByRole("textbox", { name: "Address" }).fill(address);
    await dialog.getByRole("textbox", { name: "Name" }).fill("served");
    await dialog.getByRole("button", { name: "Add" }).click();
    await dialog.getByRole("alert").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await look(page, "openapi-list");
    assert.deepEqual(ada.problems, []);
  });

  test("pages are made from one in a draft, and it is said where it is used", async () => {
    const { page } = ada;
    await page.goto(`${server.base}/app/spaces/${space}/openapi`);
    await page.getByText("No page shows an API yet").waitFor();
    await page.getByRole("combobox", { name: "Description" }).selectOption({ label: "pet-store" });
    await page.getByRole("checkbox", { name: "With a page of all models" }).check();
    await look(page, "openapi-space-none");
    await page.getByRole("button", { name: "Add to the draft" }).click();
    await page.waitForURL(/changes\/\d+\/openapi/);
    await page.getByRole("main").getByRole("link", { name: "pet-store" }).waitFor();
    await page.getByRole("treeitem", { name: "API" }).waitFor();
    await page.getByRole("main").getByRole("link", { name: "Owners" }).waitFor();
    await look(page, "openapi-space");
    const number = /changes\/(\d+)/.exec(page.url())[1];
    await server.api("POST", `/v1/spaces/${space}/change-requests/${number}/merge`, {});
    await page.goto(`${server.base}/app/orgs/${server.organization}/openapi/pet-store`);
    await page.getByRole("button", { name: "Look through the spaces" }).click();
    await page.getByRole("link", { name: "Guide" }).waitFor();
    await page.getByText("4 pages", { exact: true }).waitFor();
    assert.deepEqual(ada.problems, []);
  });

  test("one is deleted; on a phone, in the dark, in German", async () => {
    const { page, context, problems } = await app.open(`/app/orgs/${server.organization}/openapi/pet-store`, {
      ...phone,
      colorScheme: "dark",
      locale: "de",
    });
    await page.getByRole("heading", { name: "4 Operationen" }).waitFor();
    await look(page, "openapi-phone-de");
    await page.getByRole("button", { name: "Löschen" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Löschen" }).click();
    await page.waitForURL(/openapi$/);
    await page.getByRole("link", { name: "served" }).waitFor();
    assert.equal(await page.getByRole("link", { name: "pet-store" }).count(), 0);
    await look(page, "openapi-list-phone-de");
    assert.deepEqual(problems, []);
    await context.close();
  });
});
