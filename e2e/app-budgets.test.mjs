// What the app may cost, as a browser loads it: printed, and held below its limits.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { says, startApp } from "./app.mjs";

describe("the weight of the app", () => {
  let app, draft;

  before(async () => {
    app = await startApp();
    draft = await app.draft("# Part\n\nWords.\n");
  });

  after(() => app?.stop());

  /** Opens addresses one after the other in a new browser, and returns how many kilobytes of script each has loaded. */
  async function weigh(steps) {
    const context = await app.browser.newContext({ storageState: await app.session(), locale: "en" });
    const page = await context.newPage();
    const scripts = new Map();
    page.on("requestfinished", async (request) => {
      if (request.resourceType() === "script" && !scripts.has(request.url())) scripts.set(request.url(), (await request.sizes()).responseBodySize);
    });
    const total = () => [...scripts.values()].reduce((sum, bytes) => sum + bytes, 0) / 1000;
    const weights = [];
    for (const { path, ready } of steps) {
      const before = total();
      await page.goto(app.server.base + path);
      await ready(page);
      await page.waitForLoadState("networkidle");
      weights.push(total() - before);
    }
    const names = [...scripts.keys()].map((url) => url.split("/").pop());
    await context.close();
    return { weights, names };
  }

  const home = { path: "/app", ready: (page) => page.getByRole("heading", { name: "Home", level: 1 }).waitFor() };

  test("home and reading are light", async () => {
    const reading = { path: `/app/spaces/${draft.space}/pages/${draft.id}`, ready: (page) => page.getByText("Words.").waitFor() };
    const { weights, names } = await weigh([home, reading]);
    console.log(`home ${weights[0].toFixed(0)} kB, reading ${weights[1].toFixed(0)} kB more`);
    assert.ok(weights[0] > 50 && weights[0] <= 200, `home loads ${weights[0]} kB of script`);
    assert.deepEqual(names.filter((name) => /^(Editor|markdown|Writing)-/.test(name)), [], "readers load the editor");
  });

  test("the editor is within its budget", async () => {
    const writing = { path: draft.path, ready: (page) => says(page, "Saved") };
    const { weights } = await weigh([home, writing]);
    console.log(`home ${weights[0].toFixed(0)} kB, the editor ${weights[1].toFixed(0)} kB more`);
    assert.ok(weights[1] > 50 && weights[1] <= 450, `the editor loads ${weights[1]} kB of script`);
  });
});
