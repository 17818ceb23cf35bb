// The page of operations, /v1/docs, in a real browser.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { startRecto } from "./recto.mjs";
import { launch, seriousFindings } from "./browser.mjs";

const sizes = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };

describe("the page of operations", () => {
  let server, browser;

  before(async () => {
    server = await startRecto();
    browser = await launch();
  });

  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  async function open(size) {
    const context = await browser.newContext({ viewport: sizes[size] });
    const page = await context.newPage();
    const problems = [];
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    await page.goto(`${server.base}/v1/docs`);
    return { page, context, problems };
  }

  /**
   * Leaves of the operations, and of the entries of the list, those in which some kind of element comes first: an
   * element is of the kind of another when both and all around them have the same names and classes.
   */
  const condense = (page) => page.evaluate(() => {
    const kind = (element) => (element ? `${kind(element.parentElement)}>${element.tagName}.${element.className}` : "");
    const seen = new Set();
    const parts = [...document.querySelectorAll("article, nav li")];
    for (const part of parts) {
      const kinds = [part, ...part.querySelectorAll("*")].map(kind);
      if (kinds.every((each) => seen.has(each))) part.remove();
      for (const each of kinds) seen.add(each);
    }
    return parts.filter((part) => part.isConnected).length;
  });

  for (const size of Object.keys(sizes)) {
    test(`it finds an operation as you type: ${size}`, async () => {
      const { page, context, problems } = await open(size);
      await page.keyboard.press("/");
      await page.keyboard.type("revoke token");
      assert.equal(await page.locator("nav li:visible").count(), 1);
      await page.keyboard.press("Enter");
      await page.waitForURL(/#revokeToken$/);
      assert.ok(await page.locator("#revokeToken h3").isVisible());
      await page.fill("#find", "no such thing");
      assert.match(await page.locator("nav [role=status]").textContent(), /No operation/);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth), "the page is wider than its window");
      assert.deepEqual(problems, []);
      await context.close();
    });

    // The page has over 10 000 elements of few kinds, and axe-core takes half of its time for the contrast of each. Contrast
    // is a matter of style sheets, so each kind is enough for it. Of the other rules, two depend on the size of the window.
    test(`it is usable by everybody: ${size}`, async () => {
      const { page, context, problems } = await open(size);
      const rules = size === "phone" ? { without: ["color-contrast"] } : { only: ["scrollable-region-focusable", "target-size"] };
      assert.deepEqual(await seriousFindings(page, rules), [], "the whole page");
      const left = await condense(page);
      assert.ok(left > 4 && left < 40, `${left} parts are left: nothing was taken away, or nearly all`);
      assert.deepEqual(await seriousFindings(page), [], "one of each kind");
      assert.deepEqual(problems, []);
      await context.close();
    });
  }
});
