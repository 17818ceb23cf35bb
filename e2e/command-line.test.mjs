// The command line of the API family, as it comes from npm, against a server: every command that talks to one, and
// every address that it prints.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startApp, desktop } from "./app.mjs";
import { root } from "./recto.mjs";

const program = join(root, "e2e", "node_modules", "@gitbook", "cli");

/** Stands in for the tunnel, a program that the command line downloads and that would call home. */
const tunnel = `#!/usr/bin/env node
console.error("INF |  https://stand-in.trycloudflare.com  |");
for (let i = 0; i < 4; i++) console.error("INF Registered tunnel connection connIndex=" + i + " connection=00000000-0000-0000-0000-00000000000" + i + " ip=127.0.0.1 location=abc");
setInterval(() => {}, 1000);
`;

describe("the family's command line", () => {
  let app, base, organization, home, folder, env;

  before(async () => {
    app = await startApp();
    ({ base, organization } = app.server);
    home = await mkdtemp(join(tmpdir(), "recto-home-"));
    folder = join(home, "project");
    await mkdir(folder);
    env = { ...process.env, HOME: home, XDG_CONFIG_HOME: home, NO_COLOR: "1", CLOUDFLARE_CF_FETCH_ENABLED: "false" };
    await writeFile(join(folder, "gitbook-manifest.yaml"), `name: family-example
title: Family example
organization: ${organization}
description: Says hello.
summary: |
  # Hello
  It says hello.
visibility: unlisted
script: ./index.ts
scopes: []
`);
    await writeFile(join(folder, "hello.ts"), "export const hello = (name: string): string => `hello ${name}`;\n");
    await writeFile(join(folder, "index.ts"), `import { hello } from "./hello";
export default { async fetch(): Promise<Response> { console.log(hello("log")); return new Response(hello("world")); } };
`,
    );
    await writeFile(
      join(folder, "pets.yaml"),
      'openapi: 3.1.0\ninfo: {title: Pets, version: "1"}\npaths: {/pets: {get: {responses: {"200": {description: All}}}}}\n',
    );
    await writeFile(join(program, "dist", "cloudflared"), tunnel);
    await chmod(join(program, "dist", "cloudflared"), 0o755);
  });

  after(async () => {
    await app?.browser.close();
    await app?.server.stop();
    await rm(join(program, "dist", "cloudflared"), { force: true });
    if (home) await rm(home, { recursive: true });
  });

  /** Starts a command. said() is what it has printed, until() waits for a text in that. */
  function start(...args) {
    const child = spawn(process.execPath, [join(program, "cli.js"), ...args], {
      cwd: folder,
      env,
      stdio: ["pipe", "pipe", "pipe"],
    });
    let text = "";
    const listeners = new Set();
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => {
      text += chunk;
      for (const each of listeners) each();
    });
    const ended = new Promise((done) => child.once("close", (code) => done(code)));
    const until = (wanted) => new Promise((done, failed) => {
      const look = () => wanted.test(text) && (listeners.delete(look), done(text));
      listeners.add(look);
      look();
      ended.then(() => (wanted.test(text) ? done(text) : failed(new Error(`ended without ${wanted}:\n${text}`))));
    });
    return { child, ended, until, said: () => text };
  }

  /** Runs a command to its end and returns what it printed. */
  async function gitbook(...args) {
    const command = start(...args);
    command.child.stdin.end();
    assert.equal(await command.ended, 0, command.said());
    return command.said();
  }

  /** Opens an address that was printed as somebody who is signed in, and returns what the app shows there. */
  async function shown(text, wanted) {
    const address = text.match(/https?:\/\/\S+/)?.[0];
    assert.ok(address?.startsWith(`${base}/`), text);
    const context = await app.browser.newContext({ ...desktop, storageState: await app.session() });
    const page = await context.newPage();
    const answer = await page.goto(address);
    assert.equal(answer.status(), 200);
    await page.getByRole("main").getByText(wanted).first().waitFor();
    await context.close();
  }

  const status = async (path) =>
    (await fetch(base + path, { headers: { authorization: `Bearer ${app.server.token}` } })).status;

  test("auth and whoami", async () => {
    const refused = start("auth", "--token", `rct_${"a".repeat(40)}`, "--endpoint", base);
    refused.child.stdin.end();
    await refused.ended;
    assert.doesNotMatch(refused.said(), /now authenticated/);
    assert.match(await gitbook("auth", "--token", app.server.token, "--endpoint", base), /now authenticated as Ada/);
    assert.match(await gitbook("whoami"), /Email: ada@example.org/);
  });

  test("check and publish", async () => {
    await gitbook("check");
    const said = await gitbook("publish");
    assert.match(said, /"family-example" published/);
    await shown(said, "Family example");
    const answer = await fetch(`${base}/integrations/family-example/anything`);
    assert.equal(await answer.text(), "hello world");
    await gitbook("publish");
    assert.equal((await app.server.api("GET", "/v1/integrations/family-example")).version, 2);
  });

  test("publish says what is wrong", async () => {
    const manifest = join(folder, "wrong.yaml");
    await writeFile(
      manifest,
      `name: family-wrong\ntitle: ${"x".repeat(31)}\norganization: ${organization}\ndescription: d\nvisibility: unlisted\nscript: ./index.ts\nscopes: []\n`,
    );
    const refused = start("publish", manifest);
    refused.child.stdin.end();
    assert.notEqual(await refused.ended, 0);
    assert.match(refused.said(), /title/);
    assert.equal(await status("/v1/integrations/family-wrong"), 404);
  });

  test("tail shows what the script said", async () => {
    const command = start("tail");
    try {
      await command.until(/hello log/);
      assert.match(command.said(), /\[success\]/);
    } finally {
      command.child.kill("SIGKILL");
      await command.ended;
    }
  });

  test("dev begins and ends", async () => {
    const command = start("dev");
    try {
      await command.until(/Development mode enabled/);
      // Calls go to the tunnel now, which leads nowhere here, and no more to the script.
      assert.notEqual((await fetch(`${base}/integrations/family-example/x`)).status, 200);
    } finally {
      command.child.kill("SIGINT");
      await command.ended;
    }
    // This command line does not end the mode by itself when it is interrupted without a terminal.
    await app.server.api("DELETE", "/v1/integrations/family-example/dev");
    assert.equal((await fetch(`${base}/integrations/family-example/x`)).status, 200);
  });

  test("openapi publish", async () => {
    const said = await gitbook(
      "openapi",
      "publish",
      "pets.yaml",
      "--spec",
      "family-pets",
      "--organization",
      organization,
    );
    await shown(said, "family-pets");
  });

  test("unpublish", async () => {
    const command = start("unpublish", "family-example");
    await command.until(/Are you sure/);
    command.child.stdin.write("y");
    command.child.stdin.end("\n");
    assert.equal(await command.ended, 0, command.said());
    assert.equal(await status("/v1/integrations/family-example"), 404);
  });
});
