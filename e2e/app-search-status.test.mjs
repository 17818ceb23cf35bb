// How far search has come: the words of spaces, their passages at an endpoint of embeddings, what that fails by, and
// starting it again, in a real browser.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { look, phone, startApp } from "./app.mjs";

/** An endpoint of embeddings in OpenAI's form on loopback, which asks for the key sesame. */
async function startEndpoint() {
  let refusal = 0;
  let held = Promise.resolve();
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const { input } = JSON.parse(body);
    await held;
    const status = request.headers.authorization === "Bearer sesame" ? refusal || 200 : 401;
    const vectors = input.map((text) => [0.1, text.length, (text.match(/e/g) ?? []).length]);
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify({ data: vectors.map((embedding, index) => ({ index, embedding })) }));
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${server.address().port}/v1/embeddings`,
    /** Answers with a status from now on; 0 to answer with vectors. */
    refuse: (status) => (refusal = status),
    /** Answers nothing until what it returns is called. */
    hold() {
      let release;
      held = new Promise((done) => (release = done));
      return release;
    },
    stop: () => new Promise((done) => (server.close(done), server.closeAllConnections())),
  };
}

describe("how far search has come", () => {
  let app, endpoint, space, path, status;
  before(async () => {
    endpoint = await startEndpoint();
    const flags = ["--embeddings-url", endpoint.url, "--embeddings-model", "small-model", "--embeddings-key", "sesame"];
    app = await startApp({ flags: [...flags, "--embeddings-content", "all"] });
    const { organization } = app.server;
    path = `/app/orgs/${organization}/settings?show=search`;
    status = () => app.server.api("GET", `/v1/orgs/${organization}/search/status`);
    space = await app.server.space("Handbook", { Engines: "The engine weaves.", Cards: "Cards hold the pattern." });
    await app.addPerson("grace@example.org", "Grace Hopper", "create");
  });
  after(async () => {
    await app?.stop();
    await endpoint?.stop();
  });

  test("words and passages are counted, and what has failed is told and started again", async () => {
    const release = endpoint.hold();
    const { page, context, problems } = await app.open(`/app/orgs/${app.server.organization}/settings`);
    await page.getByRole("link", { name: "Search", exact: true }).click();
    await page.getByText("0 of 1 space up to date, with 0 pages").waitFor();
    await page.getByText("small-model").waitFor();
    await page.getByText("Passages are counted when somebody searches a space").waitFor();
    await page.getByRole("button", { name: "Bring up to date now" }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("1 of 1 space up to date, with 2 pages").waitFor();
    await page.getByText("0 of 2 passages embedded").waitFor();
    release();
    await page.getByText("2 of 2 passages embedded").waitFor();
    await page.getByText("All that was counted is embedded.").waitFor();
    assert.equal(await page.getByRole("progressbar").evaluate((bar) => bar.value / bar.max), 1);
    await look(page, "search-status-done");

    endpoint.refuse(401);
    await app.server.api("POST", `/v1/spaces/${space}/content`, {
      changes: [{ operation: "insert_page", title: "Mill", document: { markdown: "The mill computes." } }],
    });
    await page.getByRole("button", { name: "Bring up to date now" }).click();
    const failure = page.getByRole("status").filter({ hasText: "The endpoint refuses the key." });
    await failure.waitFor();
    await failure.getByText(/^Since \w+, \w+ \d+, 20\d\d/).waitFor();
    await page.getByText("2 of 3 passages embedded").waitFor();
    await page.getByText("Not all is embedded.").waitFor();
    await look(page, "search-status-failed");
    const told = await status();
    assert.equal(told.embeddings.failure.reason, "key");
    const { port } = new URL(endpoint.url);
    for (const text of [JSON.stringify(told), await page.content()]) {
      assert.doesNotMatch(text, /sesame/);
      assert.equal(text.includes(port), false, "the address is told");
    }

    const small = await app.open(path, { ...phone, colorScheme: "dark", locale: "de" });
    await small.page.getByText("Der Endpunkt lehnt den Schlüssel ab.").waitFor();
    await small.page.getByText("2 von 3 Abschnitten eingebettet").waitFor();
    await look(small.page, "search-status-phone");
    assert.deepEqual(small.problems, []);
    await small.context.close();

    endpoint.refuse(0);
    await page.getByRole("button", { name: "Try again now" }).focus();
    await page.keyboard.press("Enter");
    await failure.waitFor({ state: "detached" });
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Meaning");
    await page.getByText("3 of 3 passages embedded").waitFor();
    assert.equal((await status()).embeddings.failure, undefined);
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("it is for admins alone", async () => {
    const { page, context } = await app.open(path, { email: "grace@example.org", expected: /status of 4/ });
    await page.getByText("The settings of an organization are for its admins.").waitFor();
    const { organization } = app.server;
    const answers = await page.evaluate(async (at) => {
      const read = await fetch(`${at}/status`);
      const started = await fetch(`${at}/refresh`, { method: "POST" });
      return [read.status, started.status];
    }, `/v1/orgs/${organization}/search`);
    assert.deepEqual(answers, [403, 403]);
    await context.close();
  });
});
