// Signing in to the product, and the pages of one's account, in a real browser.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { GitBookAPI } from "@gitbook/api";
import { recto, startRecto } from "./recto.mjs";
import { launch, seriousFindings } from "./browser.mjs";

/** Where screenshots go when somebody wants to look at them. */
const shots = process.env.RECTO_SCREENSHOTS;
const password = "analytical engine";

describe("signing in", () => {
  let server, browser;

  before(async () => {
    // Browsers keep passkeys for names, not for IP addresses.
    server = await startRecto({ host: "localhost" });
    await setPassword("ada@example.org", password);
    browser = await launch();
    if (shots) await mkdir(shots, { recursive: true });
  });

  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  /** Sets somebody's password as the operator does. */
  function setPassword(email, value) {
    return new Promise((done, failed) => {
      const child = execFile(
        process.env.RECTO_BINARY ?? new URL("../bin/recto", import.meta.url).pathname,
        ["user", "password", "--data", server.data, "--email", email, "--stdin"],
        (error, stdout) => (error ? failed(error) : done(JSON.parse(stdout))),
      );
      child.stdin.end(`${value}\n`);
    });
  }

  /** Makes a person with a password. */
  async function person(email) {
    await recto([
      "user",
      "add",
      "--data",
      server.data,
      "--email",
      email,
      "--name",
      email.split("@")[0],
      "--org",
      server.organization,
      "--role",
      "read",
    ]);
    await setPassword(email, password);
  }

  async function open(path, options = {}) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...options });
    const page = await context.newPage();
    const problems = [];
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on(
      "console",
      (message) =>
        message.type() === "error" && !/status of 4(00|01|03|29)/.test(message.text()) && problems.push(message.text()),
    );
    await page.goto(server.base + path);
    return { page, context, problems };
  }

  async function signIn(page, email, value = password) {
    await page.fill("#email", email);
    await page.fill("#password", value);
    await Promise.all([page.waitForEvent("domcontentloaded"), page.click("button.primary")]);
  }

  /** Gives the browser an authenticator that says yes to everything, as a laptop with a fingerprint would. */
  async function authenticator(page) {
    const client = await page.context().newCDPSession(page);
    await client.send("WebAuthn.enable");
    const { authenticatorId } = await client.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    return { client, authenticatorId };
  }

  const path = (page) => page.url().slice(server.base.length);

  test("a page that needs a person leads to signing in and back", async () => {
    const { page, context, problems } = await open("/account/sessions");
    assert.equal(path(page), "/signin?next=%2Faccount%2Fsessions");
    await signIn(page, "Ada@Example.org");
    await page.waitForURL("**/account/sessions");
    assert.match(await page.textContent("main"), /This browser/);
    const [cookie] = (await context.cookies()).filter((each) => each.name === "recto_session");
    assert.ok(cookie.httpOnly && cookie.sameSite === "Lax" && cookie.path === "/");
    await page.click("text=Sign out >> nth=0");
    await page.waitForURL("**/signin");
    await page.goto(`${server.base}/account`);
    assert.equal(path(page), "/signin?next=%2Faccount");
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("it works without JavaScript, and never leads to another site", async () => {
    const { page, context } = await open("/signin?next=%2F%2Fevil.example%2F", { javaScriptEnabled: false });
    assert.equal(await page.isVisible("[data-passkey-sign-in]"), false);
    await signIn(page, "ada@example.org");
    assert.equal(path(page), "/app");
    await page.goto(`${server.base}/account`);
    await page.fill("#name", "Ada Lovelace");
    await page.click("main button.primary");
    assert.equal(path(page), "/account?done=profile");
    assert.match(await page.textContent(".who"), /Ada Lovelace/);
    await context.close();
  });

  test("what is wrong does not tell whether an address exists, and guessing has to wait", async () => {
    await person("grace@example.org");
    const { page, context, problems } = await open("/signin");
    const said = [];
    for (const email of ["nobody@example.org", "grace@example.org"]) {
      await signIn(page, email, "not the password");
      said.push(await page.textContent("[role=alert]"));
      assert.equal(await page.inputValue("#email"), email);
      assert.equal(await page.inputValue("#password"), "");
    }
    assert.equal(said[0], said[1]);
    if (shots) await page.screenshot({ path: join(shots, "signin-wrong.png") });
    // Each failure doubles the wait, so on a slow machine it only takes some more of them to run into it.
    let guesses = 0;
    do await signIn(page, "grace@example.org", `guess number ${guesses++}`);
    while (!/Too many attempts failed/.test(await page.textContent("[role=alert]")) && guesses < 15);
    assert.ok(guesses < 15, "guesses go on and on");
    assert.deepEqual(await seriousFindings(page), []);
    // It is a matter of moments, not of somebody's help.
    while (path(page) === "/signin") {
      await page.waitForTimeout(500);
      await signIn(page, "grace@example.org");
    }
    assert.equal(path(page), "/app");
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("a passkey is added, signs in by itself, is renamed and removed", async () => {
    await person("katherine@example.org");
    const { page, context, problems } = await open("/signin?next=%2Faccount%2Fsecurity");
    const { client, authenticatorId } = await authenticator(page);
    await signIn(page, "katherine@example.org");
    await page.waitForURL("**/account/security");
    await page.fill("[data-passkey-add] input", "Laptop");
    await page.click("[data-passkey-add] button");
    await page.waitForURL("**/account/security?done=passkey");
    assert.match(await page.textContent(".rows"), /Laptop/);
    const { credentials } = await client.send("WebAuthn.getCredentials", { authenticatorId });
    assert.equal(credentials.length, 1);
    assert.ok(credentials[0].isResidentCredential);

    // The same device twice.
    await page.click("[data-passkey-add] button");
    await page.waitForSelector("[data-passkey-problem]:visible");
    assert.match(await page.textContent("[data-passkey-problem]"), /already/);

    // The browser suggests it where the address is typed; this one takes the suggestion at once.
    assert.equal(await page.evaluate(() => PublicKeyCredential.isConditionalMediationAvailable()), true);
    await page.click("header button");
    await page.waitForURL("**/app");
    await page.goto(`${server.base}/account`);
    assert.match(await page.textContent(".who"), /katherine/);
    // Others do not suggest any: there, it takes the button.
    await page.addInitScript(() => { PublicKeyCredential.isConditionalMediationAvailable = undefined; });
    await page.click("header button");
    await page.waitForURL("**/signin");
    assert.equal(await page.getAttribute("#email", "autocomplete"), "username webauthn");
    await page.click("[data-passkey-sign-in]");
    await page.waitForURL("**/app");
    await page.goto(`${server.base}/account/sessions`);
    assert.match(await page.textContent(".rows"), /signed in with passkey/);

    await page.goto(`${server.base}/account/security`);
    await page.click("summary");
    await page.fill("details input", "Work laptop");
    await page.click("details button");
    await page.waitForURL("**/account/security?done=renamed");
    assert.match(await page.textContent(".rows"), /Work laptop/);
    if (shots) await page.screenshot({ path: join(shots, "security.png"), fullPage: true });
    await page.click("[aria-label='Remove Work laptop']");
    await page.waitForURL("**/account/security?done=removed");

    // The device still has it; the server does not know it any more.
    await page.click("header button");
    await page.waitForURL("**/signin");
    await page.click("[data-passkey-sign-in]");
    await page.waitForSelector("[data-passkey-problem]:visible");
    assert.match(await page.textContent("[data-passkey-problem]"), /not known here/);
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("a session is ended from another browser", async () => {
    const one = await open("/signin");
    await signIn(one.page, "ada@example.org");
    const two = await open("/signin?next=%2Faccount%2Fsessions");
    await signIn(two.page, "ada@example.org");
    await two.page.waitForURL("**/account/sessions");
    await two.page.click(".rows li:nth-child(2) button");
    await two.page.waitForURL("**/account/sessions?done=session");
    await one.page.reload();
    assert.equal(path(one.page), "/signin");
    assert.equal(await two.page.evaluate(() => fetch("/v1/user").then((answer) => answer.status)), 200);
    assert.equal(await one.page.evaluate(() => fetch("/v1/user").then((answer) => answer.status)), 401);
    await one.context.close();
    await two.context.close();
  });

  test("changing the password signs out elsewhere", async () => {
    await person("mary@example.org");
    const one = await open("/signin");
    await signIn(one.page, "mary@example.org");
    const two = await open("/signin?next=%2Faccount%2Fsecurity");
    await signIn(two.page, "mary@example.org");
    await two.page.waitForURL("**/account/security");
    await two.page.fill("#password", "password1");
    await two.page.click("main button.primary >> nth=0");
    assert.match(await two.page.textContent("[role=alert]"), /many people/);
    await two.page.fill("#password", "frankenstein 1818");
    await two.page.click("main button.primary >> nth=0");
    await two.page.waitForURL("**/account/security?done=password");
    await one.page.reload();
    assert.equal(path(one.page), "/signin");
    await signIn(one.page, "mary@example.org", "frankenstein 1818");
    await one.page.waitForURL("**/app");
    await one.context.close();
    await two.context.close();
  });

  test("a one-time link sets a password, once", async () => {
    await recto([
      "user",
      "add",
      "--data",
      server.data,
      "--email",
      "emmy@example.org",
      "--name",
      "Emmy",
      "--org",
      server.organization,
      "--role",
      "read",
    ]);
    const made = JSON.parse(
      await recto([
        "user",
        "password",
        "--data",
        server.data,
        "--email",
        "emmy@example.org",
        "--base-url",
        server.base,
      ]),
    );
    const { page, context, problems } = await open(made.link.slice(server.base.length));
    assert.match(await page.textContent("main"), /Hello Emmy/);
    assert.deepEqual(await seriousFindings(page), []);
    if (shots) await page.screenshot({ path: join(shots, "link.png") });
    await page.fill("#password", "noether's theorem");
    await page.click("button.primary");
    await page.waitForURL("**/app");
    await page.goto(made.link);
    assert.match(await page.textContent("main"), /used already/);
    await page.goto(`${server.base}/signin/forgot`);
    assert.match(await page.textContent("main"), /sends no mail/);
    assert.deepEqual(problems, ["Failed to load resource: the server responded with a status of 404 (Not Found)"]);
    await context.close();
  });

  test("a token that is made here works with the API until it is revoked", async () => {
    const { page, context, problems } = await open("/signin?next=%2Faccount%2Ftokens");
    await signIn(page, "ada@example.org");
    await page.waitForURL("**/account/tokens");
    await page.fill("#name", "Deploy script");
    await page.check("input[value='users:read']");
    await page.selectOption("#days", "30");
    await page.click("text=Make the token");
    await page.waitForSelector("#secret");
    const secret = await page.inputValue("#secret");
    assert.deepEqual(await seriousFindings(page), []);
    if (shots) await page.screenshot({ path: join(shots, "tokens.png"), fullPage: true });

    const client = new GitBookAPI({ endpoint: server.base, authToken: secret });
    const { data } = await client.user.getAuthenticatedUser();
    assert.equal(data.email, "ada@example.org");
    await assert.rejects(client.orgs.listOrganizationsForAuthenticatedUser(), /does not cover organizations:read/);

    await page.goto(`${server.base}/account/tokens`);
    assert.equal((await page.content()).includes(secret), false);
    await page.click("[aria-label='Revoke Deploy script']");
    await page.waitForURL("**/account/tokens?done=token");
    await assert.rejects(client.user.getAuthenticatedUser(), /revoked/);
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("pages of other sites cannot use a session", async () => {
    const { page, context } = await open("/signin");
    await signIn(page, "ada@example.org");
    await page.waitForURL("**/app");
    const status = (init) =>
      page.evaluate((init) => fetch("/v1/user/tokens", init).then((answer) => answer.status), init);
    assert.equal(
      await status({
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ name: "by the page itself" }),
      }),
      201,
    );
    // The same machine by another name is another site.
    const elsewhere = await context.newPage();
    await elsewhere.goto(server.base.replace("localhost", "127.0.0.1") + "/signin");
    await elsewhere.evaluate((base) => {
      const form = document.createElement("form");
      form.method = "post";
      form.action = `${base}/account`;
      form.innerHTML = `<input name="name" value="Taken over">`;
      document.body.append(form);
    }, server.base);
    const tokens = async () =>
      (await page.evaluate(() => fetch("/v1/user/tokens").then((answer) => answer.json()))).count;
    const before = await tokens();
    await elsewhere.evaluate(
      (base) =>
        fetch(`${base}/v1/user/tokens`, { method: "POST", mode: "no-cors", credentials: "include", body: "{}" }).catch(
          () => {},
        ),
      server.base,
    );
    assert.equal(await tokens(), before);
    await page.goto(`${server.base}/account`);
    assert.doesNotMatch(await page.textContent(".who"), /Taken over/);
    await context.close();
  });

  for (const [name, options] of Object.entries({
    desktop: {},
    "desktop-dark": { colorScheme: "dark" },
    phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 },
    "phone-dark": {
      viewport: { width: 390, height: 844 },
      isMobile: true,
      hasTouch: true,
      deviceScaleFactor: 2,
      colorScheme: "dark",
    },
  })) {
    test(`every page is usable by everybody: ${name}`, async () => {
      const { page, context, problems } = await open("/signin", options);
      const look = async (shot) => {
        assert.deepEqual(await seriousFindings(page), [], shot);
        const sideways = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        assert.equal(sideways, 0, `${shot} scrolls sideways`);
        if (shots) await page.screenshot({ path: join(shots, `${shot}-${name}.png`), fullPage: true });
      };
      await look("signin");
      await page.goto(server.base);
      await look("start");
      await page.goto(`${server.base}/signin/forgot`);
      await look("forgot");
      await page.goto(`${server.base}/signin`);
      await signIn(page, "ada@example.org");
      await page.waitForURL("**/app");
      for (const tab of ["", "/security", "/sessions", "/tokens"]) {
        await page.goto(`${server.base}/account${tab}`);
        await look(`account${tab.replace("/", "-")}`);
      }
      await page.goto(`${server.base}/signin?next=%2Faccount%2Ftokens`);
      await look("again");
      await page.goto(`${server.base}/signout`);
      await look("signout");
      assert.deepEqual(problems, []);
      await context.close();
    });
  }
});
