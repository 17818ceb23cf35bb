// Single sign-on in a real browser, at identity providers that others have made: SimpleSAMLphp and oidc-provider.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { startRecto } from "./recto.mjs";
import { launch, seriousFindings } from "./browser.mjs";
import { startIdentityProvider } from "./identity-provider.mjs";
import { startOpenIDProvider } from "./openid-provider.mjs";

/** Where screenshots go when somebody wants to look at them. */
const shots = process.env.RECTO_SCREENSHOTS;

const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 };

const people = {
  grace: { password: "compiler", mail: "grace@example.org", displayName: "Grace Hopper" },
  mallory: { password: "malice", mail: "mallory@elsewhere.example", displayName: "Mallory" },
  linus: { password: "kernel", mail: "linus@example.org", displayName: "Linus" },
};

describe("single sign-on", () => {
  let server, browser, idp, plain, encrypted, orgs;

  before(async () => {
    [server, idp, browser] = await Promise.all([
      startRecto({ flags: ["--fetch-allow", "127.0.0.0/8", "--rate-limit", "0"] }),
      startIdentityProvider(people),
      launch(),
    ]);
    const organization = await server.api("POST", "/v1/orgs", {
      title: "Example Works",
      emailDomains: ["example.org"],
      type: "business",
      useCase: "docsSite",
    });
    orgs = `/v1/orgs/${organization.id}`;
    if (shots) await mkdir(shots, { recursive: true });
    const provider = async (label, more) => {
      const made = await server.api("POST", `${orgs}/saml`, { label });
      assert.equal(made.status, "pending");
      const active = await server.api("PATCH", `${orgs}/saml/${made.id}`, {
        ssoURL: idp.ssoURL,
        entityID: idp.entityID,
        certificate: idp.certificate,
        ...more,
      });
      assert.equal(active.status, "active");
      return { ...active, metadata: await (await fetch(active.service.entityID)).text() };
    };
    plain = await provider("Example Login", { defaultRole: "edit" });
    encrypted = await provider("Sealed Login", { defaultRole: "read" });
    await idp.register([
      { metadata: plain.metadata, options: { "validate.authnrequest": true } },
      { metadata: encrypted.metadata, options: { "assertion.encryption": true } },
    ]);
  });

  after(async () => {
    await browser?.close();
    await Promise.all([server?.stop(), idp?.stop()]);
  });

  async function open(options = {}) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    context.setDefaultTimeout(15_000);
    return { context, page: await context.newPage(), close: () => context.close() };
  }

  /** The address of whoever is signed in. */
  async function whoIsIn(page) {
    await page.goto(`${server.base}/account`);
    return page.locator("#email").inputValue();
  }

  async function shoot(page, name) {
    if (shots) await page.screenshot({ path: join(shots, `sso-${name}.png`) });
  }

  /** Types a name and password on the page of the SAML provider. */
  async function signInThere(page, name) {
    await page.waitForURL((url) => url.href.startsWith(idp.base));
    await page.fill("input[name=username]", name);
    await page.fill("input[name=password]", people[name].password);
    await page.keyboard.press("Enter");
  }

  test("from the sign-in page to the provider and back", async () => {
    const { page, close } = await open();
    await page.goto(`${server.base}/signin?next=${encodeURIComponent("/account/sessions")}`);
    assert.deepEqual(await seriousFindings(page), []);
    await shoot(page, "signin");
    await page.click("text=Continue with Example Login");
    await signInThere(page, "grace");
    await page.waitForURL(`${server.base}/account/sessions`);
    await page.getByText("single sign-on").first().waitFor();
    await shoot(page, "signed-in");
    assert.equal(await whoIsIn(page), "grace@example.org");
    // It says that its sessions last for eight hours, and so does this one, with a minute for clocks that differ.
    const { items: sessions } = await page.evaluate(async () => (await fetch("/v1/user/sessions")).json());
    const { createdAt, expiresAt } = sessions.find((session) => session.current);
    const hours = (new Date(expiresAt) - new Date(createdAt)) / 3_600_000;
    assert.ok(hours > 7.9 && hours < 8.1, `the session lasts for ${hours} hours`);
    // The provider's own session goes on, which the page says.
    await page.goto(`${server.base}/signout`);
    await page.click("main button");
    await page.getByRole("status").getByText("sign out there as well").waitFor();
    assert.deepEqual(await seriousFindings(page), []);
    await shoot(page, "signed-out");
    await page.click("text=Continue with Example Login");
    await page.waitForURL(`${server.base}/app`);
    await close();
  });

  test("an answer works once, and in the browser that asked", async () => {
    const { context, page, close } = await open();
    await page.goto(plain.service.startURL);
    const answered = page.waitForRequest((request) => request.url() === plain.service.acsURL);
    await signInThere(page, "grace");
    const form = new URLSearchParams((await answered).postData());
    await page.waitForURL(`${server.base}/app`);
    assert.ok((await context.cookies()).every((cookie) => !cookie.name.includes("recto_sso")), "no attempt is left");
    const again = await fetch(plain.service.acsURL, { method: "POST", body: form, redirect: "manual" });
    assert.equal(again.status, 403);
    assert.match(await again.text(), /used before/);
    await close();

    const thief = await open();
    await thief.page.goto(plain.service.startURL);
    const stolen = thief.page.waitForRequest((request) => request.url() === plain.service.acsURL);
    await thief.page.route(plain.service.acsURL, (route) => route.abort());
    await signInThere(thief.page, "grace");
    const answer = new URLSearchParams((await stolen).postData());
    await thief.close();
    const sent = await fetch(plain.service.acsURL, { method: "POST", body: answer, redirect: "manual" });
    assert.equal(sent.status, 303);
    const elsewhere = await fetch(new URL(sent.headers.get("location"), server.base), { redirect: "manual" });
    assert.equal(elsewhere.status, 403);
    assert.match(await elsewhere.text(), /not begun in this browser/);
    assert.equal(elsewhere.headers.get("set-cookie"), null);
  });

  test("an encrypted assertion", async () => {
    const { page, close } = await open();
    await page.goto(encrypted.service.startURL);
    const answered = page.waitForRequest((request) => request.url() === encrypted.service.acsURL);
    await signInThere(page, "linus");
    const answer = Buffer.from(
      new URLSearchParams((await answered).postData()).get("SAMLResponse"),
      "base64",
    ).toString();
    assert.match(answer, /EncryptedAssertion/);
    assert.doesNotMatch(answer, /linus@example.org/);
    await page.waitForURL(`${server.base}/app`);
    assert.equal(await whoIsIn(page), "linus@example.org");
    await close();
  });

  for (const [name, options] of [["desktop", {}], ["phone", phone]]) {
    test(`the provider begins, on a ${name}`, async () => {
      const { page, close } = await open(options);
      await page.goto(
        `${idp.ssoURL}?spentityid=${encodeURIComponent(plain.service.entityID)}&RelayState=${encodeURIComponent("/account/sessions")}`,
      );
      await signInThere(page, "grace");
      await page.getByRole("heading", { name: "Continue to Example Works?" }).waitFor();
      assert.deepEqual(await seriousFindings(page), []);
      await shoot(page, `continue-${name}`);
      await page.click("button.primary");
      await page.waitForURL(`${server.base}/account/sessions`);
      await close();
    });
  }

  test("who is not of the organization stays outside", async () => {
    const { context, page, close } = await open();
    await page.goto(plain.service.startURL);
    await signInThere(page, "mallory");
    await page.getByText("mallory@elsewhere.example is on no verified e-mail domain").waitFor();
    assert.deepEqual(await seriousFindings(page), []);
    await shoot(page, "refused");
    assert.ok(
      (await context.cookies()).every((cookie) => !cookie.name.includes("recto_session")),
      "nobody is signed in",
    );
    await close();
  });

  test("the pages around it, on desktop and phone", async () => {
    for (const [name, options] of [["desktop", {}], ["phone", { ...phone, colorScheme: "dark" }]]) {
      const { page, close } = await open(options);
      await page.goto(`${server.base}/signin/sso`);
      assert.deepEqual(await seriousFindings(page), []);
      await shoot(page, `organization-${name}`);
      await page.fill("#organization", "nobody-here");
      await page.click("button.primary");
      await page.getByRole("alert").waitFor();
      await shoot(page, `no-organization-${name}`);
      const { hostname } = await server.api("GET", orgs);
      await page.fill("#organization", hostname);
      await page.click("button.primary");
      await page.getByText("Continue with Sealed Login").waitFor();
      assert.deepEqual(await seriousFindings(page), []);
      await shoot(page, `choices-${name}`);
      await close();
    }
  });

  test("the emergency code lets its admin in once", async () => {
    const { code } = await server.api("POST", `${orgs}/sso/emergency-code`);
    const { page, close } = await open(phone);
    await page.goto(`${server.base}/signin/sso/emergency`);
    assert.deepEqual(await seriousFindings(page), []);
    await page.fill("#code", "AAAAA-BBBBB-CCCCC-DDDDD-EEEEE");
    await page.click("button.primary");
    await page.getByRole("alert").waitFor();
    await shoot(page, "emergency");
    await page.fill("#code", code.toLowerCase());
    await page.click("button.primary");
    await page.waitForURL(`${server.base}/app`);
    assert.equal(await whoIsIn(page), "ada@example.org");
    await page.goto(`${server.base}/signin/sso/emergency`);
    await page.fill("#code", code);
    await page.click("button.primary");
    await page.getByRole("alert").waitFor();
    await close();
  });

  describe("with OpenID Connect", () => {
    let made, op;

    before(async () => {
      made = await server.api("POST", `${orgs}/oidc`, {
        label: "Open Login",
        clientID: "recto",
        clientSecret: "a secret of the tests",
        defaultRole: "comment",
      });
      op = await startOpenIDProvider({
        client: { id: "recto", secret: "a secret of the tests" }, redirect: made.service.redirectURL,
        people: {
          alan: { email: "alan@example.org", email_verified: true, name: "Alan Turing" },
          anybody: { email: "ada@example.org", email_verified: false, name: "Ada" },
        },
      });
      const active = await server.api("PATCH", `${orgs}/oidc/${made.id}`, { issuer: op.issuer });
      assert.equal(active.status, "active");
      assert.equal(active.hasClientSecret, true);
      assert.equal(active.clientSecret, undefined);
    });

    after(async () => {
      await op?.stop();
    });

    /** Signs in on the provider's own pages, and agrees that it tells who it is. */
    async function signInThere(page, name) {
      await page.waitForURL((url) => url.href.startsWith(op.issuer));
      await page.fill("input[name=login]", name);
      await page.fill("input[name=password]", "any");
      await page.click("button[type=submit]");
      await page.getByRole("button", { name: "Continue" }).click();
    }

    test("from the sign-in page to the provider and back", async () => {
      const { page, close } = await open();
      await page.goto(`${server.base}/signin?next=${encodeURIComponent("/account/sessions")}`);
      await page.click("text=Continue with Open Login");
      await signInThere(page, "alan");
      await page.waitForURL(`${server.base}/account/sessions`);
      assert.equal(await whoIsIn(page), "alan@example.org");
      await page.getByText("Alan Turing").first().waitFor();
      await close();
      assert.deepEqual(op.problems, []);
    });

    test("an address that is not verified opens nothing", async () => {
      const { context, page, close } = await open();
      await page.goto(made.service.startURL);
      await signInThere(page, "anybody");
      await page.getByText("email_verified").waitFor();
      assert.ok(
        (await context.cookies()).every((cookie) => !cookie.name.includes("recto_session")),
        "nobody is signed in",
      );
      await close();
    });

    test("a code works in the browser that asked", async () => {
      const { context, page, close } = await open();
      await page.goto(made.service.startURL);
      await page.waitForURL((url) => url.href.startsWith(op.issuer));
      await context.clearCookies({ name: /recto_sso/ });
      await signInThere(page, "alan");
      await page.getByText("not begun in this browser").waitFor();
      assert.ok(
        (await context.cookies()).every((cookie) => !cookie.name.includes("recto_session")),
        "nobody is signed in",
      );
      await close();
    });
  });
});
