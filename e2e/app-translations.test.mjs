// Translations in the app, in a real browser: languages are begun, texts translated by hand and by file, and what is
// behind is said.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { look, phone, startApp } from "./app.mjs";

describe("translations in the app", () => {
  let app, server, space, ada;
  before(async () => {
    ({ server } = app = await startApp());
    space = await server.space("Guide", { Start: "Welcome to the guide.\n", Publish: "How to publish.\n" });
    ada = await app.open(`/app/spaces/${space}/translations`, {
      expected: /status of 4(0[0469]|12)/,
      acceptDownloads: true,
    });
  });
  after(() => app?.stop());

  test("a language is begun, and follows", async () => {
    const { page } = ada;
    await page.getByText("This space has one language").waitFor();
    await look(page, "translations-none");
    await page.getByRole("button", { name: "Translate this space" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("combobox", { name: "It is written in" }).selectOption({ label: "English" });
    await dialog.getByRole("combobox", { name: "Choose languages" }).fill("Germ");
    await page.getByRole("option", { name: "German" }).click();
    await look(page, "translations-begin", { within: "[role=dialog]" });
    await page.keyboard.press("Tab");
    await dialog.getByRole("button", { name: "Begin" }).click();
    await page.getByText("4 missing, 0 stale").waitFor();
    await look(page, "translations-list");
    await page.getByRole("textbox", { name: "Terms" }).fill("guide: de=Anleitung\nRecto");
    await page.getByRole("button", { name: "Save the glossary" }).click();
    await page.getByRole("button", { name: "Save the glossary" }).waitFor({ state: "detached" });
    const { items: [made] } = await server.api("GET", `/v1/orgs/${server.organization}/translations`);
    assert.deepEqual(made.glossary, [{ term: "guide", translations: { de: "Anleitung" } }, { term: "Recto" }]);
    assert.deepEqual(ada.problems, []);
  });

  test("a text is translated in place, and what has no machine says so", async () => {
    const { page } = ada;
    await page.getByRole("main").getByRole("link", { name: "German" }).click();
    await page.getByRole("button", { name: "Translate 4 texts" }).click();
    await page.getByText("No machine is connected to this server").waitFor();
    await page.getByRole("button", { name: "Start", exact: true }).click();
    const text = page.getByRole("listitem").filter({ hasText: "Welcome to the guide." }).last();
    await text.getByRole("textbox", { name: "Translation" }).fill("Willkommen in der Anleitung.");
    await look(page, "translations-language");
    await text.getByRole("button", { name: "Save" }).click();
    await page.getByText("1 texts translated, 0 stale, 3 missing").waitFor();
    await page.getByRole("link", { name: "Review what was translated" }).waitFor();
    assert.deepEqual(ada.problems, []);
  });

  test("files go out and come back, with what is wrong by line", async () => {
    const { page } = ada;
    await page.getByRole("combobox", { name: "Which texts" }).selectOption({ label: "Missing ones" });
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "PO (gettext)" }).click();
    const po = await readFile(await (await download).path(), "utf8");
    assert.match(po, /How to publish\./);
    const translated = po.replace(/(msgid "How to publish\."\nmsgstr )""/, '$1"Wie man veröffentlicht."');
    assert.notEqual(translated, po);
    await page
      .getByLabel("Bring a file in")
      .setInputFiles({ name: "guide-de.po", mimeType: "text/plain", buffer: Buffer.from(translated) });
    await page.getByText("1 translations were taken on 1 pages").waitFor();
    await page.getByText("2 texts translated").waitFor();
    await page
      .getByLabel("Bring a file in")
      .setInputFiles({ name: "guide-de.xlf", mimeType: "application/xml", buffer: Buffer.from("not XML") });
    await page.getByRole("alert").waitFor();
    await page.getByRole("link", { name: "Review what was translated" }).click();
    await page.waitForURL(/changes\//);
    assert.deepEqual(ada.problems, []);
  });

  test("the language says what it is of; on a phone, in the dark, in German; and it is ended", async () => {
    const {
      items: [{ space: variant }],
    } = await server.api(
      "GET",
      `/v1/orgs/${server.organization}/translations/${(await server.api("GET", `/v1/orgs/${server.organization}/translations`)).items[0].id}/languages`,
    );
    const { page, context, problems } = await app.open(`/app/spaces/${variant}/translations`, {
      ...phone,
      colorScheme: "dark",
      locale: "de",
    });
    await page.getByText("Dieser Bereich ist die Übersetzung eines anderen").waitFor();
    await look(page, "translations-variant-phone-de");
    await page.getByRole("link", { name: "Deutsch" }).click();
    await page.getByRole("heading", { name: "Dateien für Übersetzer" }).waitFor();
    await look(page, "translations-phone-de");
    await context.close();
    assert.deepEqual(problems, []);
    await ada.page.goto(`${server.base}/app/spaces/${space}/translations`);
    await ada.page.getByRole("button", { name: "Stop translating" }).click();
    await ada.page.getByRole("dialog").getByRole("button", { name: "Stop translating" }).click();
    await ada.page.getByText("This space has one language").waitFor();
    assert.equal((await server.api("GET", `/v1/spaces/${variant}`)).title.length > 0, true);
    assert.deepEqual(ada.problems, []);
  });
});
