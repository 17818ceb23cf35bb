// A preview of a change request in a real browser: it is searched in its own content, and the live site in its own.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { startRecto } from "./recto.mjs";
import { launch, seriousFindings } from "./browser.mjs";

/** Where screenshots go when somebody wants to look at them. */
const shots = process.env.RECTO_SCREENSHOTS;
const sizes = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };

describe("the preview of a change request", () => {
  let server, browser, home, preview;

  before(async () => {
    server = await startRecto();
    const guide = await server.space("Guide", {
      Start: "Welcome to the harbour.\n",
      Lighthouse: "The lighthouse stands on the pier.\n\n## Opening hours\n\nFrom nine to five.\n",
      Ferries: "Ferries leave every hour.\n",
    });
    const reference = await server.space("Reference", { Tides: "A table of tides, kept by an observatory.\n" });
    const site = await server.site("Harbour", [guide]);
    await server.api("POST", `${site.path}/site-spaces`, { spaceId: reference });
    home = site.url;
    const tree = await server.api("GET", `/v1/spaces/${guide}/content/pages`);
    const changes = `/v1/spaces/${guide}/change-requests`;
    await server.api("POST", changes, { subject: "An observatory instead" });
    await server.api("POST", `${changes}/1/content`, {
      changes: [
        { operation: "delete_page", page: tree.pages[1].id },
        {
          operation: "insert_page",
          title: "Observatory",
          document: {
            markdown: "The observatory stands on the hill.\n\n## How to visit\n\nAsk at the gate for a telescope.\n",
          },
        },
      ],
    });
    preview = (await server.api("GET", `${changes}/1`)).urls.preview;
    browser = await launch();
    if (shots) await mkdir(shots, { recursive: true });
  });

  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  /** A browser of its own at an address; what goes wrong on its pages fails the test when it is closed. */
  async function person(address, size) {
    const context = await browser.newContext({ viewport: sizes[size] });
    const page = await context.newPage();
    const problems = [];
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    await page.goto(address);
    return {
      page,
      /** Searches in the dialog and returns what is found once the answer is there. */
      async search(text) {
        if (!(await page.getByRole("combobox").isVisible())) await page.locator(".search-button").first().click();
        const answered = page.waitForResponse(
          async (response) => response.url().endsWith(`~/search?q=${text}`) && !(await response.json()).incomplete,
        );
        await page.getByRole("combobox").fill(text);
        await answered;
        await page.waitForFunction(() => !document.querySelector(".search-dialog").classList.contains("is-busy"));
        return page
          .locator(".hit")
          .evaluateAll((hits) =>
            hits.map((hit) => [
              hit.querySelector(".hit-title").textContent,
              new URL(hit.href).pathname + new URL(hit.href).hash,
            ]),
          );
      },
      async look(name) {
        if (shots) await page.screenshot({ path: join(shots, `preview-${name}.png`) });
        assert.deepEqual(await seriousFindings(page), [], name);
      },
      async close() {
        await context.close();
        assert.deepEqual(problems, []);
      },
    };
  }

  for (const size of Object.keys(sizes)) {
    test(`finds what the change has and not what it takes away, ${size}`, async () => {
      const root = new URL(home).pathname;
      const member = await person(preview, size);
      assert.equal(member.page.url(), `${home}~/changes/1/`);
      await member.look(`start-${size}`);
      assert.deepEqual(await member.search("lighthouse"), []);
      await member.look(`nothing-${size}`);
      // A word with a typo, and another space of the site, which is as it is live.
      assert.deepEqual(await member.search("observatry"), [
        ["Observatory", `${root}~/changes/1/observatory`],
        ["Tides", `${root}reference/`],
      ]);
      assert.deepEqual(await member.search("telescope"), [
        ["Observatory", `${root}~/changes/1/observatory`],
        ["How to visit", `${root}~/changes/1/observatory#how-to-visit`],
      ]);
      await member.look(`found-${size}`);
      await member.page.keyboard.press("ArrowDown");
      await member.page.keyboard.press("Enter");
      await member.page.waitForURL(`${home}~/changes/1/observatory#how-to-visit`);
      assert.match(await member.page.locator(".preview-note").innerText(), /An observatory instead/);
      await member.close();

      const reader = await person(home, size);
      assert.deepEqual(await reader.search("lighthouse"), [["Lighthouse", `${root}lighthouse`]]);
      assert.deepEqual(await reader.search("telescope"), []);
      await reader.close();
    });
  }

  test("says that pages are still being read, and looks again", async () => {
    const member = await person(preview, "desktop");
    let asked = 0;
    await member.page.route("**/~/search?q=telescope", (route) => {
      if (++asked > 2) return route.continue();
      return route.fulfill({
        json: { total: 0, items: [], incomplete: true, note: "The pages are still being read." },
      });
    });
    await member.page.locator(".search-button").click();
    await member.page.getByRole("combobox").fill("telescope");
    await member.page.getByText("The pages are still being read.").first().waitFor();
    assert.equal(await member.page.locator(".search-dialog.is-busy").count(), 1);
    await member.look("reading");
    await member.page.locator(".hit mark").first().waitFor();
    assert.deepEqual([asked, await member.page.locator(".search-dialog.is-busy").count()], [3, 0]);
    await member.close();
  });

  test("is searched without a script, and by nobody without a ticket", async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(preview);
    await page.goto(`${home}~/changes/1/~/search?q=telescope`);
    assert.match(
      await page.locator("main").innerText(),
      /1 page matches[^]*Observatory[^]*Ask at the gate for a telescope/,
    );
    await context.close();
    const stranger = await fetch(`${home}~/changes/1/~/search?q=telescope`, {
      headers: { accept: "application/json" },
    });
    assert.equal(stranger.status, 404);
    assert.doesNotMatch(await stranger.text(), /Observatory/);
  });
});
