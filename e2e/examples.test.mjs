// The example integrations of this repository: built and published by the family's command line, and used.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { runInNewContext } from "node:vm";
import { startApp, desktop } from "./app.mjs";
import { seriousFindings } from "./browser.mjs";
import { recto, root } from "./recto.mjs";

const run = promisify(execFile);
const shots = process.env.RECTO_SCREENSHOTS;

describe("example integrations", () => {
  let app, server, home, heard, receiver;

  before(async () => {
    app = await startApp({ flags: ["--fetch-allow", "127.0.0.1/32"] });
    ({ server } = app);
    home = await mkdtemp(join(tmpdir(), "recto-home-"));
    heard = [];
    receiver = createServer(async (request, response) => {
      let body = "";
      for await (const chunk of request) body += chunk;
      heard.push({ headers: request.headers, body });
      response.end();
    });
    await new Promise((done) => receiver.listen(0, "127.0.0.1", done));
    await gitbook("auth", "--token", server.token, "--endpoint", server.base);
  });

  after(async () => {
    receiver?.close();
    receiver?.closeAllConnections();
    await app?.browser.close();
    await server?.stop();
    if (home) await rm(home, { recursive: true });
  });

  async function gitbook(...args) {
    const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: home };
    return (await run(process.execPath, [join(root, "e2e/node_modules/@gitbook/cli/cli.js"), ...args], { env })).stdout;
  }

  /** Publishes an example with the family's command line and installs it. */
  async function install(example, configuration) {
    const said = await gitbook(
      "publish",
      join(root, "examples/integrations", example, "integration.yaml"),
      "--organization",
      server.organization,
    );
    assert.match(said, /published/);
    const name = `example-${example}`;
    const { id } = await server.api("POST", `/v1/integrations/${name}/installations`, {
      organization: server.organization,
    });
    const changed = await server.api("PATCH", `/v1/integrations/${name}/installations/${id}`, {
      space_selection: "all",
      site_selection: "selected",
      ...(configuration ? { configuration } : {}),
    });
    assert.equal(changed.status, "active");
    return `/integrations/${name}/installations/${id}`;
  }

  test("diagram: a fence is drawn on the server", async () => {
    await install("diagram");
    const space = await server.space("Flows", {
      Flow: "The way of a page:\n\n```flow\nDraft -> Review: ask <now>\nReview -> Live\nReview -> Draft: no\n```\n\nAnd one that is wrong:\n\n```flow\nno arrow\n```\n",
    });
    const { url } = await server.site("Flows", [space]);
    const context = await app.browser.newContext(desktop);
    const page = await context.newPage();
    await page.goto(url);
    const picture = page.locator('main img[src^="data:image/svg+xml"]');
    await picture.waitFor();
    await page.waitForFunction((image) => image.complete && image.naturalWidth > 0, await picture.elementHandle());
    assert.ok((await picture.boundingBox()).height > 100);
    await page.getByText("Line 1 is no arrow").waitFor();
    assert.deepEqual(await seriousFindings(page), []);
    if (shots) await page.screenshot({ path: join(shots, "example-diagram.png") });
    await context.close();
    // What was drawn is kept, so it is there without a script, too.
    const plain = await app.browser.newContext({ ...desktop, javaScriptEnabled: false });
    const read = await plain.newPage();
    await read.goto(url);
    assert.match(
      await read.textContent("main"),
      /Draft leads to Review \(ask <now>\), Review leads to Live, Review leads to Draft \(no\)\./,
    );
    assert.equal(await read.locator('main img[src^="data:image/svg+xml"]').count(), 1);
    await plain.close();
  });

  test("web hook: a message arrives, signed", async () => {
    const secret = Buffer.from("a secret of 24 bytes ...").toString("base64");
    const to = `http://127.0.0.1:${receiver.address().port}/hook`;
    const at = await install("webhook", { url: to, secret: `whsec_${secret}` });
    assert.equal((await fetch(`${server.base}${at}/test`, { method: "POST" })).status, 200);
    assert.equal((await fetch(`${server.base}${at}/test`)).status, 404);
    assert.equal(heard.length, 1);
    const [{ headers, body }] = heard.splice(0);
    assert.equal(JSON.parse(body).type, "test");
    const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
    assert.equal(
      headers["webhook-signature"],
      `v1,${createHmac("sha256", Buffer.from(secret, "base64")).update(signed).digest("base64")}`,
    );
    assert.ok(Math.abs(Date.now() / 1000 - Number(headers["webhook-timestamp"])) < 60);
  });

  test("analytics: the script counts a view, and nobody's who refuses", async () => {
    const at = await install("analytics");
    const space = await server.space("Counted", { Start: "Text." });
    const { path } = await server.site("Counted", [space]);
    const site = path.split("/").at(-1);
    await server.api("POST", `/v1${at}/sites`, { siteId: site });
    const script = async () => (await fetch(`${server.base}${at}/sites/${site}/script.js`)).text();
    // What waits for its settings puts nothing on pages.
    assert.match(await script(), /no such installation/);
    await server.api("PATCH", `/v1${at}/sites/${site}`, {
      configuration: { endpoint: "https://views.example.org/count" },
    });
    const code = await script();
    for (const refuses of [false, true]) {
      const sent = [];
      runInNewContext(code, {
        GitBook: {
          addEventListener: (name, then) => name === "load" && then(),
          isGlobalPrivacyControlEnabled: () => refuses,
        },
        navigator: { sendBeacon: (...args) => sent.push(args) },
        location: { pathname: "/start" },
        document: { referrer: "" },
      });
      assert.deepEqual(sent, refuses ? [] : [["https://views.example.org/count", '{"path":"/start","referrer":""}']]);
    }
  });

  test("recto publishes them, too", async () => {
    const said = await recto(
      ["integration", "publish", join(root, "examples/integrations/diagram"), "--org", server.organization],
      server.client,
    );
    assert.match(said, /version 2/);
  });
});
