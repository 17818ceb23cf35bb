// Programs that people let in: recto login with a real browser, and an OAuth client that knows the standard alone.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import * as oauth from "oauth4webapi";
import { startApp, desktop, phone } from "./app.mjs";
import { seriousFindings } from "./browser.mjs";
import { root } from "./recto.mjs";

const run = promisify(execFile);
const binary = process.env.RECTO_BINARY ?? join(root, "bin", "recto");
const shots = process.env.RECTO_SCREENSHOTS;

describe("programs that people let in", () => {
  let app, base, home, env;

  before(async () => {
    app = await startApp();
    ({ base } = app.server);
    home = await mkdtemp(join(tmpdir(), "recto-home-"));
    env = { ...process.env, HOME: home, XDG_CONFIG_HOME: home, RECTO_SERVER: base, RECTO_TOKEN: "" };
  });

  after(async () => {
    await app?.browser.close();
    await app?.server.stop();
    if (home) await rm(home, { recursive: true });
  });

  /** Runs a command of recto as somebody with a home of their own. */
  const recto = async (...args) => (await run(binary, args, { env })).stdout;
  const kept = async () => Object.values(JSON.parse(await readFile(join(home, "recto", "logins.json"), "utf8")))[0];

  /** Opens the page that asks, in a browser in which somebody is signed in. */
  async function asked(address, options = desktop) {
    const context = await app.browser.newContext({ ...options, storageState: await app.session() });
    const page = await context.newPage();
    await page.goto(address);
    return { page, context };
  }

  /** Starts recto login and returns the address that it wants opened, and what it says at its end. */
  async function login() {
    const child = spawn(binary, ["login", "--browser"], { env, stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    child.stdout.on("data", (chunk) => (said += chunk));
    const ended = new Promise((done) => child.once("exit", (code) => done({ code, said })));
    const address = await new Promise((done, failed) => {
      let text = "";
      child.stderr.on("data", (chunk) => {
        text += chunk;
        said += chunk;
        const found = text.match(/^http:\S+$/m);
        if (found) done(found[0]);
      });
      child.once("exit", () => failed(new Error(text)));
    });
    return { address, ended };
  }

  test("recto login, a call, a renewal, recto logout", async () => {
    const { address, ended } = await login();
    const { page, context } = await asked(address);
    await page.getByRole("heading", { name: "Let recto in?" }).waitFor();
    assert.match(await page.textContent("main"), /Everything that you may do here/);
    assert.deepEqual(await seriousFindings(page), []);
    if (shots) await page.screenshot({ path: join(shots, "program-desktop.png") });
    await page.getByRole("button", { name: "Let it in" }).click();
    await page.getByText("You are signed in.").waitFor();
    await context.close();
    const end = await ended;
    assert.equal(end.code, 0, end.said);
    assert.match(end.said, /Logged in to http\S+ as Ada <ada@example.org>/);
    assert.match(await recto("whoami"), /^Ada <ada@example.org> on /);

    // The token ends: several commands at once renew it, once.
    const before = await kept();
    const file = join(home, "recto", "logins.json");
    const all = JSON.parse(await readFile(file, "utf8"));
    all[Object.keys(all)[0]].expiresAt = new Date(0).toISOString();
    await writeFile(file, JSON.stringify(all));
    const answers = await Promise.all([recto("whoami"), recto("whoami"), recto("whoami")]);
    for (const answer of answers) assert.match(answer, /^Ada/);
    const after = await kept();
    assert.notEqual(after.token, before.token);
    assert.equal((await fetch(`${base}/v1/user`, { headers: { authorization: `Bearer ${after.token}` } })).status, 200);

    assert.match(await recto("logout"), /^Logged out of /);
    assert.equal((await fetch(`${base}/v1/user`, { headers: { authorization: `Bearer ${after.token}` } })).status, 401);
    await assert.rejects(recto("whoami"), /recto login/);
  });

  test("who says no lets nobody in; on a phone and in the dark", async () => {
    const { address, ended } = await login();
    const { page, context } = await asked(address, { ...phone, colorScheme: "dark" });
    assert.deepEqual(await seriousFindings(page), []);
    const [wide, seen] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(wide <= seen, `${wide} wide in ${seen}`);
    if (shots) await page.screenshot({ path: join(shots, "program-phone-dark.png") });
    await page.getByRole("button", { name: "Cancel" }).press("Enter");
    await page.getByText("Nobody was let in.").waitFor();
    await context.close();
    const end = await ended;
    assert.notEqual(end.code, 0);
    assert.match(end.said, /access_denied/);
  });

  test("a client that knows the standard alone", async () => {
    const issuer = new URL(base);
    const insecure = { [oauth.allowInsecureRequests]: true };
    const server = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...insecure }),
    );
    const heard = await new Promise((ready) => {
      const listener = createServer((request, response) => {
        response.end("Thank you.");
        listener.resolve(new URL(request.url, "http://localhost"));
      });
      const answer = new Promise((resolve) => (listener.resolve = resolve));
      listener.listen(0, "127.0.0.1", () => ready({ listener, answer, port: listener.address().port }));
    });
    try {
      const client = await oauth.processDynamicClientRegistrationResponse(
        await oauth.dynamicClientRegistrationRequest(
          server,
          {
            client_name: "Standard tool",
            redirect_uris: ["http://localhost/"],
            token_endpoint_auth_method: "none",
            grant_types: ["authorization_code", "refresh_token"],
            response_types: ["code"],
          },
          insecure,
        ),
      );
      const verifier = oauth.generateRandomCodeVerifier();
      const state = oauth.generateRandomState();
      const redirect = `http://localhost:${heard.port}/`;
      const address = new URL(server.authorization_endpoint);
      address.search = new URLSearchParams({
        client_id: client.client_id,
        redirect_uri: redirect,
        response_type: "code",
        state,
        scope: "openid spaces:read users:read offline_access",
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
      });
      const { page, context } = await asked(address.href);
      await page.getByText("Read spaces").waitFor();
      await page.getByRole("button", { name: "Let it in" }).click();
      await page.getByText("Thank you.").waitFor();
      const parameters = oauth.validateAuthResponse(server, client, await heard.answer, state);
      const none = oauth.None();
      const tokens = await oauth.processAuthorizationCodeResponse(server, client,
        await oauth.authorizationCodeGrantRequest(server, client, none, parameters, redirect, verifier, insecure));
      assert.equal(tokens.scope, "spaces:read users:read");
      const next = await oauth.processRefreshTokenResponse(
        server,
        client,
        await oauth.refreshTokenGrantRequest(server, client, none, tokens.refresh_token, insecure),
      );
      const me = await oauth.protectedResourceRequest(
        next.access_token,
        "GET",
        new URL(`${base}/v1/user`),
        undefined,
        undefined,
        insecure,
      );
      assert.equal((await me.json()).email, "ada@example.org");

      // The account lists it, beside tokens, and ends it.
      await page.goto(`${base}/account/tokens`);
      assert.deepEqual(await seriousFindings(page), []);
      if (shots) await page.screenshot({ path: join(shots, "programs.png"), fullPage: true });
      await page.getByRole("button", { name: "Sign out Standard tool" }).click();
      await page.getByText("The program is signed out.").waitFor();
      await context.close();
      assert.equal(
        (await fetch(`${base}/v1/user`, { headers: { authorization: `Bearer ${next.access_token}` } })).status,
        401,
      );
      await oauth.processRevocationResponse(
        await oauth.revocationRequest(server, client, none, next.refresh_token, insecure),
      );
    } finally {
      heard.listener.close();
      heard.listener.closeAllConnections();
    }
  });
});
