// A site in two languages in a real browser: readers are told which pages are behind their original.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { startRecto } from "./recto.mjs";
import { launch, seriousFindings } from "./browser.mjs";

/** Where screenshots go when somebody wants to look at them. */
const shots = process.env.RECTO_SCREENSHOTS;

const start = `Welcome to the guide. It shows how to begin, what to read first, and where to go on.

## First steps

Install the program with \`make install\` and read [the manual](https://example.com/).

* Open a space
* Write a page
* Publish a site
`;

describe("a site in two languages", () => {
  let server, browser, language, source, pages;

  before(async () => {
    server = await startRecto({ flags: ["--rate-limit", "0"] });
    const organization = `/v1/orgs/${server.organization}`;
    source = await server.api("POST", `${organization}/spaces`, { title: "Guide", language: "en" });
    const written = await server.api("POST", `/v1/spaces/${source.id}/content`, {
      changes: [
        { operation: "insert_page", title: "Start", document: { markdown: start } },
        { operation: "insert_page", title: "Publish", document: { markdown: "How to publish.\n" } },
      ],
    });
    pages = written.changes.map((each) => each.page.id);
    const site = await server.api("POST", `${organization}/sites`, {
      title: "Guide",
      visibility: "public",
      spaces: [source.id],
    });
    const made = await server.api("POST", `${organization}/translations`, {
      title: "Guide",
      source: { space: source.id, language: "en" },
      languages: ["de"],
    });
    language = `${organization}/translations/${made.id}/languages/de`;
    source.url = (await server.api("POST", `${organization}/sites/${site.id}/publish`)).urls.published;
    const spaces = await server.api("GET", `${organization}/sites/${site.id}/site-spaces`);
    assert.deepEqual(spaces.items.map((each) => each.space.language), ["en", "de"]);
    browser = await launch();
    if (shots) await mkdir(shots, { recursive: true });
  });

  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  /** The language once its variant has followed the source. */
  async function settled() {
    for (let tries = 0; tries < 400; tries++) {
      const now = await server.api("GET", language);
      assert.notEqual(now.status, "failed", now.error);
      if (now.status === "completed") return now;
      await new Promise((done) => setTimeout(done, 50));
    }
    assert.fail("the variant does not follow");
  }

  /** Where the German pages are. */
  const german = (path = "") => new URL(`guide-german/${path}`, source.url).href;

  async function open(url, options = {}) {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
    const page = await context.newPage();
    const problems = [];
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    page.on(
      "response",
      (response) => response.status() >= 400 && problems.push(`${response.status()} ${response.url()}`),
    );
    await page.goto(url);
    assert.deepEqual(problems, []);
    return { page, close: () => context.close() };
  }

  /** Translates what is missing, then merges. */
  async function translate(words) {
    const { items } = await server.api("GET", `${language}/segments?state=missing&limit=1000`);
    let done;
    for (const each of items) {
      const target = words[each.source.replace(/<[^>]*>/g, "")];
      if (target) done = await server.api("PUT", `${language}/segments/${each.id}`, { target });
    }
    await settled();
    const { space } = await server.api("GET", language);
    await server.api("POST", `/v1/spaces/${space}/change-requests/${done.changeRequest}/merge`);
    return settled();
  }

  test("a page without a translation says so, in its language, with the way to the original", async () => {
    await settled();
    const { page, close } = await open(german("publish"));
    const note = page.locator(".translation-note");
    assert.match(await note.innerText(), /Diese Seite ist noch nicht übersetzt\./);
    assert.equal(await page.locator("html").getAttribute("lang"), "de");
    await note.getByRole("link", { name: "Zum Original" }).click();
    assert.equal(page.url(), new URL("publish", source.url).href);
    assert.equal(await page.locator(".translation-note").count(), 0);
    await close();
  });

  test("a translated page has no note, and keeps anchors and code", async () => {
    const now = await translate({
      Start: "Anfang",
      "Welcome to the guide. It shows how to begin, what to read first, and where to go on.":
        "Willkommen beim Leitfaden. Er zeigt den Einstieg, was zuerst zu lesen ist und wie es weitergeht.",
      "First steps": "Erste Schritte",
      "Install the program with  and read the manual.":
        "Installieren Sie das Programm mit <1/> und lesen Sie <2>das Handbuch</2>.",
      "Open a space": "Einen Bereich öffnen",
      "Write a page": "Eine Seite schreiben",
      "Publish a site": "Eine Website veröffentlichen",
    });
    assert.equal(now.counts.translated, 7);
    const { page, close } = await open(german());
    assert.equal(await page.locator("h1").innerText(), "Anfang");
    assert.equal(await page.locator(".translation-note").count(), 0);
    assert.equal(await page.locator("#first-steps").count(), 1);
    assert.equal(await page.locator(".prose code").first().innerText(), "make install");
    await close();
  });

  test("the switch leads to the same page, and search engines learn of both", async () => {
    // A translator gives a page a path of its own: it is the same page all the same.
    const { space } = await server.api("GET", language);
    await server.api("POST", `/v1/spaces/${space}/content`, {
      changes: [{ operation: "update_page", page: pages[1], slug: "veroeffentlichen" }],
    });
    await settled();
    const { page, close } = await open(new URL("publish", source.url).href);
    const alternates = () =>
      page
        .locator("link[rel=alternate][hreflang]")
        .evaluateAll((all) => Object.fromEntries(all.map((each) => [each.hreflang, each.href])));
    const both = {
      en: new URL("publish", source.url).href,
      de: german("veroeffentlichen"),
      "x-default": new URL("publish", source.url).href,
    };
    assert.deepEqual(await alternates(), both);
    await page.locator(".variants summary").click();
    if (shots) await page.screenshot({ path: join(shots, "translation-switch.png") });
    await page.locator(".variants a[hreflang=de]").click();
    assert.equal(page.url(), german("veroeffentlichen"));
    assert.deepEqual(await alternates(), both);
    await page.locator(".variants summary").click();
    await page.locator(".variants a[hreflang=en]").click();
    assert.equal(page.url(), new URL("publish", source.url).href);
    await close();
  });

  test("a page whose original goes on is marked as older", async () => {
    await server.api("POST", `/v1/spaces/${source.id}/content`, {
      changes: [
        {
          operation: "update_page",
          page: pages[0],
          document: { markdown: start.replace("what to read first", "what to read next") },
        },
      ],
    });
    await settled();
    for (const [name, options] of [
      ["desktop", {}],
      ["phone", { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }],
      ["dark", { colorScheme: "dark" }],
    ]) {
      const { page, close } = await open(german(), options);
      const note = page.locator(".translation-note");
      assert.match(await note.innerText(), /Diese Übersetzung ist älter als das Original\./);
      assert.equal(await note.getByRole("link").getAttribute("hreflang"), "en");
      assert.equal(
        await page.evaluate(() => document.documentElement.scrollWidth > innerWidth),
        false,
        "nothing is wider than the window",
      );
      assert.deepEqual(await seriousFindings(page), []);
      if (shots) await page.screenshot({ path: join(shots, `translation-${name}.png`) });
      await close();
    }
    const { page, close } = await open(german());
    await page.locator(".translation-note").getByRole("link").click();
    assert.equal(page.url(), source.url);
    await close();
  });
});
