// The first minutes in an empty organization: from a template or from docs that are there already to a published page,
// in a real browser.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { look, phone, shoot, startApp } from "./app.mjs";

describe("the first minutes", () => {
  let app, organization;
  before(async () => {
    app = await startApp();
    organization = app.server.organization;
  });
  after(() => app?.stop());

  test("from nothing to a published page, with a template", async () => {
    const { api } = app.server;
    const { page, context, problems } = await app.open("/app");
    await page.getByRole("heading", { name: "Begin your docs" }).waitFor();
    await look(page, "home-begin");
    await page.getByRole("link", { name: /^Take a template/ }).click();
    await page.getByRole("radio", { name: /Handbook/ }).check();
    await page.getByRole("listitem").filter({ hasText: "Your first week" }).waitFor();
    await look(page, "home-template");
    await page.getByLabel("Name of the space").fill("Team book");
    await page.getByRole("button", { name: "Create space" }).click();
    await page.getByRole("status").filter({ hasText: "Your pages are there" }).waitFor();
    const [space] = (await api("GET", `/v1/orgs/${organization}/spaces`)).items;
    assert.equal(space.title, "Team book");
    const { pages } = await api("GET", `/v1/spaces/${space.id}/content/pages`);
    assert.deepEqual(pages.map(({ title }) => title).slice(0, 2), ["How we work", "Your first week"]);
    assert.equal((await api("GET", `/v1/spaces/${space.id}/links?status=broken`)).items?.length ?? 0, 0);

    await page.getByRole("link", { name: "Publish it" }).click();
    await page.getByRole("radio", { name: /^Everybody Search/ }).waitFor();
    const where = page.getByLabel("Where is it?");
    assert.equal(await where.inputValue(), "team-book");
    await look(page, "home-publish");
    // An address that another site has: the reason stays in sight, and no second site is left behind.
    await api("POST", `/v1/orgs/${organization}/sites`, { title: "Taken" });
    await where.fill("taken");
    await page.getByRole("button", { name: "Publish it" }).click();
    await page.getByRole("alert").waitFor();
    await where.fill("book");
    await page.getByRole("button", { name: "Publish it" }).click();
    await page.getByRole("status").filter({ hasText: "It is published" }).waitFor();
    await look(page, "home-published");
    const sites = (await api("GET", `/v1/orgs/${organization}/sites`)).items;
    assert.deepEqual(sites.map(({ title, published }) => [title, published]).sort(), [
      ["Taken", false],
      ["Team book", true],
    ]);
    const address = await page.getByRole("link", { name: "Open the site" }).getAttribute("href");
    assert.match(address, /\/sites\/example\/book\/$/);
    const answer = await fetch(address);
    assert.equal(answer.status, 200);
    assert.match(await answer.text(), /What everybody who joins should know/);
    // A second time there is nothing to ask.
    await page.reload();
    await page.getByRole("status").filter({ hasText: "It has an address already" }).waitFor();
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("only who gets the link reads what is published for them", async () => {
    const { api } = app.server;
    const id = await app.server.space("Plans", { Start: "Not for everybody." });
    const { page, context, problems } = await app.open("/app");
    await page.getByRole("link", { name: "Plans", exact: true }).click({ button: "right" });
    await page.getByRole("menuitem", { name: "Publish it" }).click();
    await page.getByRole("radio", { name: /^Whoever gets a link/ }).check();
    await page.getByRole("button", { name: "Publish it" }).click();
    await page.getByRole("status").filter({ hasText: "It is published" }).waitFor();
    const address = await page.getByRole("link", { name: "Open the site" }).getAttribute("href");
    assert.equal((await api("GET", `/v1/spaces/${id}`)).visibility, "share-link");
    const reader = await app.browser.newContext();
    const read = await reader.newPage();
    await read.goto(address);
    await read.getByText("Not for everybody.").waitFor();
    await reader.close();
    assert.notEqual(
      (await fetch((await api("GET", `/v1/spaces/${id}`)).urls.published ?? `${app.server.base}/sites/example/plans/`))
        .status,
      200,
    );
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("every template makes pages without faults, in German as well", async () => {
    const { api } = app.server;
    const { page, context, problems } = await app.open(`/app/orgs/${organization}/start?with=template`, {
      locale: "de",
    });
    for (const name of ["Produktdokumentation", "API-Dokumentation", "Neuerungen"]) {
      await page.goto(`${app.server.base}/app/orgs/${organization}/start?with=template`);
      await page.getByRole("radio", { name: new RegExp(name) }).check();
      await page.getByRole("button", { name: "Bereich anlegen" }).click();
      await page.getByRole("status").filter({ hasText: "Deine Seiten sind da" }).waitFor();
      const space = (await api("GET", `/v1/orgs/${organization}/spaces`)).items.find(({ title }) => title === name);
      const walk = (list) => list.flatMap((each) => [each, ...walk(each.pages ?? [])]);
      for (const { id, type, title } of walk((await api("GET", `/v1/spaces/${space.id}/content/pages`)).pages)) {
        if (type !== "document") continue;
        const { markdown } = await api("GET", `/v1/spaces/${space.id}/content/page/${id}?format=markdown`);
        const read = await api("POST", `/v1/spaces/${space.id}/content/markdown`, { markdown });
        assert.deepEqual(read.faults, [], `${name}: ${title}`);
      }
    }
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("docs that are there come in with progress and a report, on a phone in the dark", async () => {
    const { api } = app.server;
    const { page, context, problems } = await app.open(`/app/orgs/${organization}/start?with=import`, {
      ...phone,
      colorScheme: "dark",
    });
    await page.getByRole("radio", { name: "Markdown, HTML" }).check();
    await look(page, "home-import-phone");
    const markdown = "# Old docs\n\nHello. See [nothing](gone.md).\n\n{% unknown %}\n";
    await page
      .locator("input[type=file]")
      .setInputFiles({ name: "old-docs.md", mimeType: "text/markdown", buffer: Buffer.from(markdown) });
    await page.getByRole("status").filter({ hasText: "1 page is there now." }).waitFor();
    await page.getByText("Links that lead nowhere").click();
    await page.getByText("gone.md").waitFor();
    await look(page, "home-imported-phone");
    const space = (await api("GET", `/v1/orgs/${organization}/spaces`)).items.find(({ title }) => title === "old docs");
    assert.equal((await api("GET", `/v1/spaces/${space.id}/content/pages`)).pages[0].title, "Old docs");
    assert.deepEqual(problems, []);

    // What fails says why, and is tried again in the same space.
    await page.getByRole("button", { name: "Import more" }).click();
    await page.getByRole("radio", { name: "ZIP of a folder" }).check();
    await page
      .locator("input[type=file]")
      .setInputFiles({ name: "broken.zip", mimeType: "application/zip", buffer: Buffer.from("no archive") });
    await page.getByRole("alert").waitFor();
    await shoot(page, "home-import-failed");
    assert.equal(
      (await api("GET", `/v1/orgs/${organization}/spaces`)).items.some(({ title }) => title === "broken"),
      false,
    );
    await context.close();
  });

  test("a folder is packed in the browser and comes in, without what is hidden", async () => {
    const { api } = app.server;
    const folder = join(await mkdtemp(join(tmpdir(), "recto-e2e-")), "night-birds");
    const files = {
      "README.md": "# Owls\n\nSee [the barn](barn/owl.md).\n\n![Owl](.gitbook/assets/owl.svg)\n",
      "barn/owl.md": "# Barn owl\n\nSee [nothing](gone.md).\n",
      ".gitbook/assets/owl.svg": '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>',
      ".git/config": "[core]\n",
      "barn/node_modules/left/index.md": "# Not this\n",
      "barn/.DS_Store": "x",
    };
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    const before = (await api("GET", `/v1/org/${organization}/imports`)).items.filter(
      ({ state }) => state !== "done",
    ).length;
    const { page, context, problems } = await app.open(`/app/orgs/${organization}/start?with=import`);
    await page.getByRole("radio", { name: "Folder", exact: true }).check();
    await look(page, "home-import-folder");
    await page.locator("input[type=file]").setInputFiles(folder);
    await page.getByRole("status").filter({ hasText: "3 pages and 1 file are there now." }).waitFor();
    await page.getByText("Left out of the folder").click();
    assert.deepEqual(await page.locator("details[open] li").allTextContents(), [
      ".git",
      "barn/.DS_Store",
      "barn/node_modules",
    ]);
    await page.getByText("Links that lead nowhere").click();
    await page.getByText("gone.md").waitFor();
    await look(page, "home-imported-folder");
    const space = (await api("GET", `/v1/orgs/${organization}/spaces`)).items.find(
      ({ title }) => title === "night birds",
    );
    const { pages } = await api("GET", `/v1/spaces/${space.id}/content/pages`);
    assert.deepEqual(
      pages.map(({ title, pages }) => [title, ...pages.map((each) => each.title)]),
      [["Owls"], ["Barn", "Barn owl"]],
    );

    // One without docs is refused before anything is made.
    const empty = join(dirname(folder), "empty");
    await mkdir(empty);
    await writeFile(join(empty, ".env"), "SECRET=1\n");
    await page.getByRole("button", { name: "Import more" }).click();
    await page.getByRole("radio", { name: "Folder", exact: true }).check();
    await page.locator("input[type=file]").setInputFiles(empty);
    await page.getByRole("alert").filter({ hasText: "The folder has no files to import." }).waitFor();
    await shoot(page, "home-import-folder-empty");

    // One that is dropped where a file is expected comes in as a folder, too.
    await page.getByRole("radio", { name: "ZIP of a folder" }).check();
    const { x, y, width, height } = await page.getByText("Drop it here").boundingBox();
    const session = await context.newCDPSession(page);
    for (const type of ["dragEnter", "dragOver", "drop"]) {
      await session.send("Input.dispatchDragEvent", {
        type,
        x: x + width / 2,
        y: y + height / 2,
        data: { items: [], files: [folder], dragOperationsMask: 1 },
      });
    }
    await page.getByRole("status").filter({ hasText: "are there now." }).waitFor();
    await page.getByText("Left out of the folder").waitFor();
    await page.getByRole("button", { name: "Import more" }).click();

    // While it is sent it is cancelled, and nothing is kept.
    await page.route("**/content/upload?*", () => undefined);
    await page.getByRole("radio", { name: "Folder", exact: true }).check();
    await page.locator("input[type=file]").setInputFiles(folder);
    await page.getByRole("progressbar", { name: "Progress of the import" }).waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page
      .getByRole("button", { name: "Choose a folder" })
      .or(page.getByRole("radio", { name: "Folder", exact: true }))
      .first()
      .waitFor();
    assert.equal(
      (await api("GET", `/v1/org/${organization}/imports`)).items.filter(({ state }) => state !== "done").length,
      before,
    );
    assert.deepEqual(problems, []);
    await context.close();
    await rm(dirname(folder), { recursive: true });
  });
});
