// A site of several parts in a real browser: sections as tabs, groups as menus, versions as a switch. It is at a host
// of its organization, and in a folder of another domain.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { startRecto } from "./recto.mjs";
import { launch, seriousFindings } from "./browser.mjs";
import { startFront } from "./front.mjs";

/** Where screenshots go when somebody wants to look at them. */
const shots = process.env.RECTO_SCREENSHOTS;

const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };

describe("a site of several parts", () => {
  let server, front, browser, at, home;
  const parts = {};

  before(async () => {
    server = await startRecto({ flags: ["--sites-domain", "docs.test", "--trusted-proxies", "127.0.0.1/32"] });
    const organization = `/v1/orgs/${server.organization}`;
    const space = async (title, names, emoji) => {
      const made = await server.api("POST", `${organization}/spaces`, { title, emoji });
      await server.api("POST", `/v1/spaces/${made.id}/content`, {
        changes: names.map((name) => ({
          operation: "insert_page",
          title: name,
          document: {
            markdown: `${name} of ${title}.\n\n## Before you begin\n\nRead this first.\n\n## Next steps\n\nThen go on.`,
          },
        })),
      });
      return made.id;
    };
    const common = ["Welcome", "Install", "First steps", "Configuration", "Upgrade"];
    const current = await space("Version 3", common, "1f680");
    const site = await server.api("POST", `${organization}/sites`, {
      title: "Acme Docs",
      visibility: "public",
      spaces: [current],
    });
    at = `${organization}/sites/${site.id}`;
    const section = async (spaceID, title, icon, description) => {
      const made = await server.api("POST", `${at}/sections`, { spaceId: spaceID, title, icon });
      if (description) await server.api("PATCH", `${at}/sections/${made.id}`, { description });
      return made.id;
    };
    const guide = await section(current, "Guides", "book-open");
    for (const [title, names] of [["Version 2", common.slice(0, 4)], ["Version 1", common.slice(0, 2)]]) {
      await server.api("POST", `${at}/site-spaces`, { spaceId: await space(title, names), sectionId: guide });
    }
    const api = (parts.api = await section(
      await space("API", ["Overview", "Endpoints", "Errors"]),
      "API reference",
      "code",
      "Every endpoint with examples",
    ));
    const sdk = await section(
      await space("SDK", ["Overview", "Python", "Go"]),
      "Client libraries",
      "package",
      "For Python, Go and more",
    );
    const cli = await section(await space("CLI", ["Overview", "Commands"]), "Command line", "terminal");
    await section(await space("Changelog", ["2026", "2025"]), "Changelog", "history");
    const tools = await server.api("POST", `${at}/section-groups`, {
      title: "Developers",
      icon: "wrench",
      sections: [api, sdk],
    });
    await server.api("POST", `${at}/section-groups`, { title: "Tools", parent: tools.id, sections: [cli] });
    home = (await server.api("POST", `${at}/publish`)).urls.published;
    front = await startFront(server.base, [new URL(home).host], {
      host: "www.acme.test",
      path: "/help/docs/",
      to: () => home,
    });
    browser = await launch({ hosts: front.rules });
    if (shots) await mkdir(shots, { recursive: true });
  });

  after(async () => {
    await browser?.close();
    await front?.stop();
    await server?.stop();
  });

  async function open(path, options = {}) {
    const context = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      ignoreHTTPSErrors: true,
      ...options,
    });
    const page = await context.newPage();
    const problems = [];
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    await page.goto(new URL(path, home).href);
    return { page, problems, close: () => context.close() };
  }

  const shoot = async (page, name) => shots && page.screenshot({ path: join(shots, `structure-${name}.png`) });

  test("a reader goes from section to section and from version to version", async () => {
    const { page, problems, close } = await open("install");
    const sections = page.getByRole("navigation", { name: "Sections" });
    assert.equal(await sections.locator(".section-tab.is-current").innerText(), "Guides");
    await page.getByRole("navigation", { name: "Version" }).locator("summary").click();
    await shoot(page, "versions");
    await page.getByRole("link", { name: "Version 2" }).click();
    await page.waitForURL(/version-2\/install$/);
    assert.equal(await page.locator("h1").innerText(), "Install");
    await page.locator(".pager-next").click();
    await page.waitForURL(/version-2\/first-steps$/);
    await sections.locator("summary", { hasText: "Developers" }).click();
    await shoot(page, "menu");
    const [icon, title] = await Promise.all(
      [".icon", ".menu-text"].map((part) =>
        sections.locator(`.menu-link[href$="api-reference/"] ${part}`).first().boundingBox(),
      ),
    );
    assert.ok(icon.x + icon.width <= title.x && icon.y < title.y + title.height, "icons stand before titles");
    await sections.getByRole("link", { name: "Command line" }).click();
    await page.waitForURL(/command-line\/$/);
    assert.equal(await sections.locator("summary.is-current").innerText(), "Developers");
    assert.deepEqual(problems, []);
    await close();
  });

  test("by keyboard alone", async () => {
    const { page, close } = await open("");
    const menu = page.locator(".section-tabs summary", { hasText: "Developers" });
    await menu.focus();
    await page.keyboard.press("Enter");
    assert.ok(await page.getByRole("link", { name: /^API reference/ }).isVisible());
    await page.keyboard.press("Escape");
    assert.ok(!(await page.getByRole("link", { name: /^API reference/ }).isVisible()));
    assert.ok(await menu.evaluate((node) => node === document.activeElement));
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForURL(/api-reference\/$/);
    await close();
  });

  test("without a script", async () => {
    const { page, close } = await open("install", { javaScriptEnabled: false });
    await page.locator(".variants summary").click();
    await page.getByRole("link", { name: "Version 1" }).click();
    await page.waitForURL(/version-1\/install$/);
    await page.locator(".section-tabs summary", { hasText: "Developers" }).click();
    await page.getByRole("link", { name: /^Client libraries/ }).click();
    await page.waitForURL(/client-libraries\/$/);
    await close();
  });

  test("on a phone", async () => {
    const { page, problems, close } = await open("version-2/install", phone);
    assert.ok(!(await page.locator(".section-tabs").isVisible()));
    await shoot(page, "phone");
    await page.locator(".section-fold summary").click();
    await shoot(page, "phone-menu");
    await page.locator(".section-fold").getByRole("link", { name: "Changelog" }).click();
    await page.waitForURL(/changelog\/$/);
    assert.equal(
      await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
      true,
      "nothing is wider than the screen",
    );
    assert.deepEqual(problems, []);
    await close();
  });

  for (const colorScheme of ["light", "dark"]) {
    for (const [kind, size] of [["desktop", {}], ["phone", phone]]) {
      test(`axe-core has no serious finding, ${kind}, ${colorScheme}`, async () => {
        const { page, close } = await open("version-2/install", { colorScheme, ...size });
        assert.deepEqual(await seriousFindings(page), []);
        await page.locator(kind === "phone" ? ".section-fold summary" : ".section-tabs summary").first().click();
        assert.deepEqual(await seriousFindings(page), []);
        await shoot(page, `${kind}-${colorScheme}-open`);
        await page.locator(".variants summary").click();
        // On wide screens the open list covers tabs, which axe-core takes for tabs that are too small.
        if (kind === "phone") assert.deepEqual(await seriousFindings(page), []);
        await shoot(page, `${kind}-${colorScheme}-variants`);
        await close();
      });
    }
  }

  test("search names the section of what it finds", async () => {
    const { page, close } = await open("");
    await page.locator(".search-button").click();
    await page.getByRole("combobox").fill("endpoints");
    await page.locator(".hit mark").first().waitFor();
    assert.match(await page.locator(".hit").first().innerText(), /API reference/);
    await shoot(page, "search");
    await close();
  });

  test("old addresses lead on", async () => {
    const redirect = (body) => server.api("POST", `${at}/redirects`, body);
    await redirect({
      source: "/v0/*",
      captureWildcard: true,
      permanent: true,
      destination: { kind: "site-section", siteSectionId: parts.api },
    });
    await redirect({ source: "/reference", destination: { kind: "site-section", siteSectionId: parts.api } });
    const { page, close } = await open("reference");
    assert.deepEqual([page.url(), await page.locator("h1").innerText()], [`${home}api-reference/`, "Overview"]);
    await page.goto(`${home}v0/errors`);
    assert.deepEqual([page.url(), await page.locator("h1").innerText()], [`${home}api-reference/errors`, "Errors"]);
    await page.goto(`${home}guides/upgrade`);
    assert.equal(page.url(), `${home}upgrade`, "the default section has the site's own addresses");
    await close();
  });

  test("another basename takes readers along", async () => {
    const before = home;
    const { basename } = await server.api("GET", at);
    home = (await server.api("PATCH", at, { basename: "handbook" })).urls.published;
    assert.equal(new URL(home).pathname, "/handbook/");
    const { page, problems, close } = await open(`${before}version-2/install`);
    assert.equal(page.url(), `${home}version-2/install`);
    assert.equal(await page.locator("link[rel=canonical]").getAttribute("href"), `${home}version-2/install`);
    await page.locator(".pager-next").click();
    await page.waitForURL(`${home}version-2/first-steps`);
    assert.deepEqual(problems, []);
    await close();
    home = (await server.api("PATCH", at, { basename })).urls.published;
    assert.equal(home, before);
  });

  test("in a folder of another domain", async () => {
    assert.match(home, /^https:\/\/example\.docs\.test\//);
    await server.api("PATCH", at, { proxy: "www.acme.test/help/docs" });
    const folder = "https://www.acme.test/help/docs/";
    assert.equal((await server.api("GET", at)).urls.published, folder);
    const { page, problems, close } = await open(`${folder}install`);
    const sections = page.getByRole("navigation", { name: "Sections" });
    assert.equal(await page.locator("link[rel=canonical]").getAttribute("href"), `${folder}install`);
    assert.notEqual(
      await sections.evaluate((node) => getComputedStyle(node).borderBottomWidth),
      "0px",
      "the style sheet is there",
    );
    await page.getByRole("navigation", { name: "Version" }).locator("summary").click();
    await page.getByRole("link", { name: "Version 2" }).click();
    await page.waitForURL(`${folder}version-2/install`);
    await page.locator(".search-button").click();
    await page.getByRole("combobox").fill("endpoints");
    await page.locator(".hit:has(mark)").first().click();
    await page.waitForURL(`${folder}api-reference/**`);
    await page.goto(`${folder}v0/errors`);
    assert.equal(page.url(), `${folder}api-reference/errors`, "redirects stay in the folder");
    await page.locator(".brand").click();
    await page.waitForURL(folder);
    assert.deepEqual(problems, []);
    assert.deepEqual(front.strays, [], "nothing is asked of the rest of the domain");
    await shoot(page, "proxied");

    await server.api("PATCH", at, { visibility: "share-link" });
    const link = await server.api("POST", `${at}/share-links`, { name: "Partners" });
    assert.ok(link.urls.published.startsWith(folder), link.urls.published);
    assert.equal((await page.reload()).status(), 404);
    await page.goto(link.urls.published);
    assert.equal(page.url(), folder);
    const [cookie] = await page.context().cookies();
    assert.deepEqual([cookie.domain, cookie.path, cookie.secure], ["www.acme.test", "/help/docs/", true]);
    await close();
  });
});
