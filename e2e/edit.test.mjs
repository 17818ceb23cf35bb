// Links to edit pages where they come from, in a real browser: on a desktop and on a phone, with the mouse and with
// keys.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { recto, startRecto } from "./recto.mjs";
import { launch, seriousFindings } from "./browser.mjs";

/** Where screenshots go when somebody wants to look at them. */
const shots = process.env.RECTO_SCREENSHOTS;
const sizes = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };
const edit = "https://github.com/acme/docs/edit/main/handbook/keep%20bees.md";

describe("links to edit pages", () => {
  let server, browser, home, site, plain;

  before(async () => {
    server = await startRecto({ flags: ["--rate-limit", "0"] });
    const organization = `/v1/orgs/${server.organization}`;
    const space = await server.api("POST", `${organization}/spaces`, { title: "Handbook" });
    const checkout = await mkdtemp(join(tmpdir(), "recto-e2e-"));
    for (const [name, content] of Object.entries({
      ".git/HEAD": "ref: refs/heads/main\n",
      ".git/refs/heads/main": `${"0123456789".repeat(4)}\n`,
      ".git/config": '[remote "origin"]\n\turl = git@github.com:acme/docs.git\n',
      "handbook/keep bees.md": "# Keep bees\n\nBees live in hives.\n\n## In spring\n\nOpen the hive on a warm day.\n",
      "handbook/more.md": "# More\n\nText.\n",
    })) {
      await mkdir(join(checkout, name, ".."), { recursive: true });
      await writeFile(join(checkout, name), content);
    }
    const said = await recto(["import", join(checkout, "handbook"), "--space", space.id], server.client);
    assert.match(
      said,
      /Noted as from https:\/\/github\.com\/acme\/docs, branch main, folder handbook, commit 0123456789: 2 pages, 0 files\./,
    );
    await rm(checkout, { recursive: true });
    ({ path: site, url: home } = await server.site("Handbook", [space.id]));
    plain = await server.api("GET", `${site}/customization`);
    browser = await launch();
    if (shots) await mkdir(shots, { recursive: true });
  });

  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  const customize = (change) =>
    server.api("PUT", `${site}/customization`, { ...plain, themes: { default: "system", toggeable: true }, ...change });

  for (const [size, viewport] of Object.entries(sizes)) {
    test(`lead to the file, on a ${size}`, async () => {
      await customize({ git: { showEditLink: true } });
      for (const colorScheme of ["light", "dark"]) {
        const context = await browser.newContext({ viewport, colorScheme });
        const page = await context.newPage();
        const problems = [];
        page.on("pageerror", (error) => problems.push(String(error)));
        page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
        await page.goto(home);
        // The menu of the page opens with a key, and has the link.
        await page.locator(".actions .menu > summary").focus();
        await page.keyboard.press("Enter");
        const offered = page.locator(".actions .menu-list").getByRole("link", { name: "Edit on GitHub" });
        assert.equal(await offered.isVisible(), true);
        assert.equal(await offered.getAttribute("href"), edit);
        const box = await offered.boundingBox();
        assert.ok(
          box.x >= 0 && box.x + box.width <= viewport.width,
          `the menu leaves the screen: ${JSON.stringify(box)}`,
        );
        assert.deepEqual(await seriousFindings(page), [], `${size} ${colorScheme}, the menu open`);
        if (shots) await page.screenshot({ path: join(shots, `edit-menu-${size}-${colorScheme}.png`) });
        await page.keyboard.press("Enter");
        // At its foot it is there, too.
        const foot = page.locator(".page-end").getByRole("link", { name: "Edit on GitHub" });
        await foot.scrollIntoViewIfNeeded();
        assert.equal(await foot.getAttribute("href"), edit);
        assert.ok((await foot.boundingBox()).height >= 24, "the link is too small for a finger");
        assert.equal(
          await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
          true,
          "the page scrolls sideways",
        );
        assert.deepEqual(await seriousFindings(page), [], `${size} ${colorScheme}`);
        if (shots) await page.screenshot({ path: join(shots, `edit-foot-${size}-${colorScheme}.png`), fullPage: true });
        // A click leaves for the host; nobody but the reader goes there.
        const asked = [];
        await context.route("https://github.com/**", (route) => {
          asked.push(route.request().url());
          return route.fulfill({ contentType: "text/html", body: "<h1>Editing</h1>" });
        });
        assert.deepEqual(problems, []);
        await foot.click();
        await page.waitForURL(edit);
        assert.deepEqual(asked, [edit]);
        await context.close();
      }
    });
  }

  test("are left out where the site does not want them", async () => {
    await customize({ git: { showEditLink: false } });
    const page = await browser.newPage();
    await page.goto(home);
    assert.equal(await page.locator('.page-edit, a[href*="github.com/acme"]').count(), 0);
    await page.close();
  });
});
