// The pages of the API's operations, /v1/docs, in a real browser.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { startRecto } from "./recto.mjs";
import { launch, seriousFindings } from "./browser.mjs";

const shots = process.env.RECTO_SCREENSHOTS;
const sizes = {
  desktop: { viewport: { width: 1440, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, colorScheme: "dark" },
};

describe("the pages of operations", () => {
  let server, browser;

  before(async () => {
    server = await startRecto();
    browser = await launch();
  });

  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  async function open(size, path = "") {
    const context = await browser.newContext(sizes[size]);
    const page = await context.newPage();
    const problems = [];
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    await page.goto(`${server.base}/v1/docs${path}`);
    return { page, context, problems };
  }

  for (const size of Object.keys(sizes)) {
    test(`an operation is found by words, path and id, and reads as published references do: ${size}`, async () => {
      const { page, context, problems } = await open(size);
      for (const text of ["revoke token", "DELETE /v1/user/tokens/{tokenId}", "revokeToken"]) {
        await page.locator(".search-button").click();
        await page.getByRole("combobox").fill(text);
        await page.locator(".hit").first().getByText("Revoke a token").waitFor();
        await page.keyboard.press("Escape");
        await page.locator(".search-dialog[open]").waitFor({ state: "detached" });
      }
      await page.locator(".search-button").click();
      await page.getByRole("combobox").fill("/v1/spaces/{spaceId}/content");
      await page.locator(".hit").first().getByText("/v1/spaces/{spaceId}/content").waitFor();
      await page.goto(`${server.base}/v1/docs/content/updatespacecontent`);
      assert.equal(await page.locator("h1").textContent(), "Change content");
      await page.getByRole("tab", { name: "Python", exact: true }).click();
      assert.match(await page.locator(".openapi-examples .tab:not([hidden])").first().innerText(), /requests\.post\(/);
      const box = await page.locator(".openapi-examples").boundingBox();
      assert.ok(size === "phone" || box.x > 800, `the examples are at ${box.x}`);
      assert.ok(
        await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth),
        "the page is wider than its window",
      );
      assert.deepEqual(await seriousFindings(page), []);
      if (shots) await page.screenshot({ path: join(shots, `operations-${size}.png`) });
      assert.deepEqual(problems, []);
      await context.close();
    });

    test(`its lists and models are usable by everybody: ${size}`, async () => {
      for (const path of ["/users", "/models", "/search?q=token"]) {
        const { page, context, problems } = await open(size, path);
        assert.ok(
          await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth),
          `${path} is wider than its window`,
        );
        assert.deepEqual(await seriousFindings(page), [], path);
        assert.deepEqual(problems, []);
        await context.close();
      }
    });
  }

  test("the first page lists every operation, and pages are light", async () => {
    const { page, context, problems } = await open("desktop", "#revokeToken");
    assert.match(await page.locator("#revokeToken").innerText(), /Revoke a token/);
    const { paths } = await (await fetch(`${server.base}/v1/openapi.json`)).json();
    const operations = Object.values(paths).flatMap((item) =>
      Object.values(item).filter((operation) => operation.operationId),
    );
    assert.equal(await page.locator(".reference-list > li").count(), operations.length);
    const sources = await page.evaluate(() => [...document.scripts].map((script) => script.src).filter(Boolean));
    let size = 0;
    for (const source of sources) size += gzipSync(Buffer.from(await (await fetch(source)).arrayBuffer())).length;
    assert.ok(size > 1000 && size < 15 << 10, `the scripts of a page have ${size} bytes`);
    assert.deepEqual(problems, []);
    await context.close();
  });
});
