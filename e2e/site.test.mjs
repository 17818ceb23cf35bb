// The main job in a real browser: a real book goes in, a searchable site comes out.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { recto, root, startRecto } from "./recto.mjs";
import { launch, seriousFindings } from "./browser.mjs";

const book = join(root, "internal", "content", "importer", "testdata", "rust-book.zip");
/** Its 112 Markdown files are SUMMARY.md and this many chapters. */
const chapters = 111;

/** Where screenshots go when somebody wants to look at them. */
const shots = process.env.RECTO_SCREENSHOTS;

describe("the published Rust book", () => {
  let server, browser, site;

  before(async () => {
    server = await startRecto();
    const space = await server.api("POST", `/v1/orgs/${server.organization}/spaces`, { title: "The Rust Book" });
    await recto(["import", book, "--space", space.id], server.client);
    const made = await server.api("POST", `/v1/orgs/${server.organization}/sites`, {
      title: "The Rust Book",
      visibility: "public",
      spaces: [space.id],
    });
    const published = await server.api("POST", `/v1/orgs/${server.organization}/sites/${made.id}/publish`);
    site = { space: space.id, url: published.urls.published };
    browser = await launch();
    if (shots) await mkdir(shots, { recursive: true });
  });

  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  /** The address of the page with a slug. */
  async function address(slug) {
    const { pages } = await server.api("GET", `/v1/spaces/${site.space}/content/pages`);
    const flat = [];
    const walk = (list) => list.forEach((page) => (flat.push(page), walk(page.pages ?? [])));
    walk(pages);
    const found = flat.find((page) => page.slug === slug);
    assert.ok(found, `the book has ${slug}`);
    return new URL(found.path, site.url).href;
  }

  /** Opens a page and fails the test on script errors and on anything the page could not load. */
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
    return { page, problems, close: () => context.close() };
  }

  async function shoot(page, name) {
    if (shots) await page.screenshot({ path: join(shots, `${name}.png`) });
  }

  test("every page answers 200 and shows its title", async () => {
    const { pages: tree } = await server.api("GET", `/v1/spaces/${site.space}/content/pages`);
    const flat = [];
    const walk = (list) => list.forEach((page) => (flat.push(page), walk(page.pages ?? [])));
    walk(tree);
    const documents = flat.filter((page) => page.type === "document");
    assert.equal(documents.length, chapters);
    for (const document of documents) {
      const response = await fetch(new URL(document.path, site.url));
      const html = await response.text();
      assert.equal(response.status, 200, document.path);
      const heading = /<h1[^>]*>([\s\S]*?)<\/h1>/
        .exec(html)?.[1]
        .replace(/<[^>]+>/g, "")
        .trim();
      const plain = heading
        ?.replaceAll("&amp;", "&")
        .replaceAll("&lt;", "<")
        .replaceAll("&gt;", ">")
        .replaceAll("&#39;", "'")
        .replaceAll("&#34;", '"')
        .replaceAll("&quot;", '"');
      assert.equal(plain, document.title, document.path);
    }
  });

  test("a reader moves through the sidebar and by next and previous", async () => {
    const { page, problems, close } = await open(site.url);
    const first = await page.locator("h1").innerText();
    const sidebar = page.getByRole("navigation", { name: /contents|pages|site/i }).first();
    await sidebar.getByRole("link", { name: "Foreword" }).click();
    await page.waitForURL(/foreword/);
    assert.equal(await page.locator("h1").innerText(), "Foreword");
    assert.equal(await sidebar.locator('[aria-current="page"]').innerText(), "Foreword");
    await shoot(page, "desktop-light");
    await page.locator('a[rel="next"]').last().click();
    await page.waitForURL(/introduction|ch00/);
    assert.notEqual(await page.locator("h1").innerText(), first);
    await page.locator('a[rel="prev"]').last().click();
    await page.waitForURL(/foreword/);
    assert.deepEqual(problems, []);
    await close();
  });

  test("the keyboard alone finds ownership", async () => {
    const { page, problems, close } = await open(site.url);
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").waitFor();
    await page.keyboard.type("ownership");
    // Popular pages stand there until hits come, which are marked.
    await page.locator('[role="listbox"] mark').first().waitFor();
    assert.match(await page.getByRole("listbox").innerText(), /ownership/i);
    await shoot(page, "search");
    assert.deepEqual(await seriousFindings(page), []);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.href !== site.url);
    assert.match(await page.locator("main").innerText(), /ownership/i);
    assert.deepEqual(problems, []);
    await close();
  });

  test("the theme switches and is remembered", async () => {
    const { page, problems, close } = await open(site.url);
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await background();
    await page.getByRole("button", { name: /theme|dark|light/i }).first().click();
    const dark = await background();
    assert.notEqual(dark, light);
    await page.reload();
    assert.equal(await background(), dark);
    await shoot(page, "desktop-dark");
    assert.deepEqual(await seriousFindings(page), []);
    assert.deepEqual(problems, []);
    await close();
  });

  test("a phone shows one column and opens the tree from the header", async () => {
    const { page, problems, close } = await open(site.url, {
      viewport: { width: 390, height: 844 },
      isMobile: true,
      hasTouch: true,
    });
    const overflow = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    assert.equal(await overflow(), 0, "nothing sticks out sideways");
    await shoot(page, "phone");
    assert.deepEqual(await seriousFindings(page), []);
    await page.locator("header").getByRole("button", { name: /menu|navigation|contents/i }).first().click();
    const link = page.getByRole("link", { name: "Foreword" }).first();
    await link.waitFor({ state: "visible" });
    await shoot(page, "phone-menu");
    await link.click();
    await page.waitForURL(/foreword/);
    assert.equal(await overflow(), 0);
    assert.deepEqual(problems, []);
    await close();
  });

  test("axe-core has no serious finding on pages with code, tables and images", async () => {
    for (const slug of ["foreword", "ch01-01-installation", "appendix-02-operators"]) {
      const { page, problems, close } = await open(await address(slug));
      assert.deepEqual(await seriousFindings(page), [], slug);
      assert.deepEqual(problems, []);
      await close();
    }
  });

  test("the site reads without JavaScript", async () => {
    const { page, close } = await open(site.url, { javaScriptEnabled: false });
    await page.getByRole("link", { name: "Foreword" }).first().click();
    await page.waitForURL(/foreword/);
    assert.equal(await page.locator("h1").innerText(), "Foreword");
    await close();
  });

  test("a missing page says so and suggests others", async () => {
    const response = await fetch(new URL("forward", site.url));
    assert.equal(response.status, 404);
    assert.match(await response.text(), /Foreword/);
  });

  test("all images of the book load", async () => {
    const response = await fetch(await address("ch04-01-what-is-ownership"));
    const html = await response.text();
    const images = [...html.matchAll(/<img[^>]+src="([^"]+)"/g)].map((match) => match[1]);
    assert.ok(images.length >= 4, `${images.length} images`);
    for (const image of images) {
      const file = await fetch(new URL(image, response.url));
      assert.equal(file.status, 200, image);
      assert.match(file.headers.get("content-type"), /^image\//);
    }
  });
});
