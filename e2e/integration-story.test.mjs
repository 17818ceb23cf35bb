// The whole way of an integration with one author, one visitor and one receiver of messages: published by the family's
// command line, installed on a site and a space, its block on a page, its script after the visitor has agreed, its
// signed message of what has changed, and its sign-in, without which nobody sees the site.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { startApp, desktop } from "./app.mjs";
import { seriousFindings } from "./browser.mjs";
import { root } from "./recto.mjs";

const run = promisify(execFile);
const shots = process.env.RECTO_SCREENSHOTS;
const secret = Buffer.from("a secret of 24 bytes ...").toString("base64");

const manifest = (organization) => `name: story
title: Story
organization: ${organization}
description: Does all that an integration can.
visibility: private
script: ./index.ts
scopes:
  - space:content:read
  - site:script:inject
  - site:script:cookies
  - site:visitor:auth
blocks:
  - id: counter
    title: Counter
configurations:
  account:
    properties:
      hook: { type: string, title: Address of the receiver }
    required: [hook]
  site:
    properties:
      home: { type: string, title: Address of the site }
    required: [home]
`;

const source = `import { sign } from "./sign";

const json = (body: unknown) => new Response(JSON.stringify(body), { headers: { "content-type": "application/json" } });
const encode = (text: string) => btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

async function token(claims: object, key: string): Promise<string> {
  const head = encode(JSON.stringify({ alg: "HS256", typ: "JWT" })) + "." + encode(JSON.stringify(claims));
  const bytes = new TextEncoder().encode(key);
  const imported = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const signature = new Uint8Array(await crypto.subtle.sign("HMAC", imported, new TextEncoder().encode(head)));
  return head + "." + encode(String.fromCharCode(...signature));
}

export default {
  async fetch(request: Request): Promise<Response> {
    const form = await request.formData();
    const event = JSON.parse(String(form.get("event")));
    const environment = JSON.parse(String(form.get("environment")));
    switch (event.type) {
      case "ui_render": {
        if (event.componentId !== "counter") return new Response(null, { status: 404 });
        const count = (event.state?.count ?? event.props.start) + (event.action?.action === "add" ? 1 : 0);
        const children = [
          { type: "text", children: ["Count is " + count] },
          { type: "button", label: "Add one", onPress: { action: "add" } },
        ];
        return json({ type: "element", state: { count }, props: event.props, element: { type: "block", children } });
      }
      case "fetch_published_script":
        return new Response(
          'GitBook.addEventListener("load", () => { document.documentElement.dataset.story = "told"; });',
          { headers: { "content-type": "application/javascript" } },
        );
      case "fetch_visitor_authentication": {
        const claims = { name: "Ada", exp: Math.floor(Date.now() / 1000) + 3600 };
        const signed = await token(claims, environment.signingSecrets.siteInstallation);
        const { home } = environment.siteInstallation.configuration;
        return Response.redirect(home + event.location + "?jwt_token=" + signed, 302);
      }
      case "space_content_updated": {
        const body = JSON.stringify({ type: "content.updated", space: event.spaceId });
        const headers = await sign("${secret}", event.eventId, new Date(), body);
        const answer = await fetch(environment.installation.configuration.hook, { method: "POST", headers, body });
        return new Response(null, { status: answer.ok ? 200 : 500 });
      }
      default:
        return new Response(null, { status: 406 });
    }
  },
};
`;

describe("an integration, from its source to a reader", () => {
  let app, server, folder, receiver, received;

  before(async () => {
    app = await startApp({ flags: ["--fetch-allow", "127.0.0.1/32"] });
    ({ server } = app);
    folder = await mkdtemp(join(tmpdir(), "recto-story-"));
    await writeFile(join(folder, "gitbook-manifest.yaml"), manifest(server.organization));
    await writeFile(join(folder, "index.ts"), source);
    await copyFile(join(root, "examples/integrations/webhook/sign.ts"), join(folder, "sign.ts"));
    receiver = createServer();
    received = new Promise((done) => {
      receiver.on("request", async (request, response) => {
        let body = "";
        for await (const chunk of request) body += chunk;
        done({ headers: request.headers, body });
        response.end();
      });
    });
    await new Promise((done) => receiver.listen(0, "127.0.0.1", done));
  });

  after(async () => {
    receiver?.close();
    receiver?.closeAllConnections();
    await app?.stop();
    if (folder) await rm(folder, { recursive: true });
  });

  async function commandLine(...args) {
    const env = { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder };
    const program = join(root, "e2e/node_modules/@gitbook/cli/cli.js");
    return (await run(process.execPath, [program, ...args], { env, cwd: folder })).stdout;
  }

  test("published, installed, signed in through, shown, pressed, agreed to, and told of a change", async () => {
    await commandLine("auth", "--token", server.token, "--endpoint", server.base);
    assert.match(await commandLine("publish", ".", "--organization", server.organization), /published/);

    const space = await server.space("Story", { Start: "Before.\n\n{% @story/counter start=3 %}\n\nAfter.\n" });
    const { path, url } = await server.site("Story", [space], "visitor-auth");
    const site = path.split("/").at(-1);
    const { id } = await server.api("POST", "/v1/integrations/story/installations", {
      organization: server.organization,
    });
    const at = `/v1/integrations/story/installations/${id}`;
    const hook = `http://127.0.0.1:${receiver.address().port}/`;
    await server.api("PATCH", at, { configuration: { hook } });
    await server.api("POST", `${at}/spaces`, { space });
    await server.api("POST", `${at}/sites`, { siteId: site });
    await server.api("PATCH", `${at}/sites/${site}`, { configuration: { home: url.replace(/\/$/, "") } });

    const context = await app.browser.newContext(desktop);
    const page = await context.newPage();
    // Until an admin says who signs visitors in, nobody is.
    assert.equal((await page.goto(url)).status(), 404);
    await server.api("PATCH", `${path}/publishing/auth`, { backend: "integration", integration: "story" });

    const problems = [];
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    assert.equal((await page.goto(`${url.replace(/\/$/, "")}/start`)).status(), 200);
    assert.doesNotMatch(page.url(), /jwt_token/);

    await page.getByText("Count is 3").waitFor();
    const story = () => page.evaluate(() => document.documentElement.dataset.story ?? null);
    assert.equal(await story(), null, "a script that sets cookies waits for the visitor");
    await page.locator(".consent").getByRole("button", { name: "Allow", exact: true }).click();
    await page.waitForFunction(() => document.documentElement.dataset.story === "told");
    await page.getByRole("button", { name: "Add one" }).click();
    await page.getByText("Count is 4").waitFor();
    assert.deepEqual(await seriousFindings(page), []);
    assert.deepEqual(problems, []);
    if (shots) await page.screenshot({ path: join(shots, "integration-story.png") });
    await context.close();

    await server.api("POST", `/v1/spaces/${space}/content`, {
      changes: [{ operation: "insert_page", title: "Next", document: { markdown: "More." } }],
    });
    const { headers, body } = await received;
    assert.deepEqual(JSON.parse(body), { type: "content.updated", space });
    const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
    const signature = createHmac("sha256", Buffer.from(secret, "base64")).update(signed).digest("base64");
    assert.equal(headers["webhook-signature"], `v1,${signature}`);
  });
});
