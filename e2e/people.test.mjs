// Invitations in a real browser: from the message to a signed-in member.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { recto, startRecto } from "./recto.mjs";
import { launch, seriousFindings } from "./browser.mjs";
import { startMailServer } from "./smtp.mjs";

/** Where screenshots go when somebody wants to look at them. */
const shots = process.env.RECTO_SCREENSHOTS;
const desktop = { viewport: { width: 1280, height: 860 } };
const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };

describe("invitations", () => {
  let server, browser, mail;

  before(async () => {
    mail = await startMailServer();
    server = await startRecto({ flags: ["--smtp-url", mail.url, "--mail-from", "Recto <docs@example.org>"] });
    browser = await launch();
    if (shots) await mkdir(shots, { recursive: true });
  });

  after(async () => {
    await browser?.close();
    await server?.stop();
    await mail?.stop();
  });

  async function open(path, options) {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const problems = [];
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    await page.goto(server.base + path);
    return { page, context, problems };
  }

  async function look(page, name) {
    if (shots) await page.screenshot({ path: join(shots, `${name}.png`) });
    assert.deepEqual(await seriousFindings(page), []);
    const [wide, seen] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(wide <= seen, `${name} is ${wide} wide in ${seen}`);
  }

  /** Invites an address and returns the path in its message. */
  async function invited(email) {
    await server.api("POST", `/v1/orgs/${server.organization}/invites`, { emails: [email], role: "edit" });
    return (await mail.to(email)).text.match(/\/invites\/org_\w+\/invite_[a-z2-7]+/)[0];
  }

  const member = async (email) =>
    (await server.api("GET", `/v1/orgs/${server.organization}/members?search=${encodeURIComponent(email)}`)).items[0];

  for (const [name, options] of [
    ["desktop", desktop],
    ["phone", phone],
    ["dark", { ...desktop, colorScheme: "dark" }],
  ]) {
    test(`a new person comes in by the message, ${name}`, async () => {
      const email = `${name}@people.example`;
      const { page, context, problems } = await open(await invited(email), options);
      assert.match(await page.textContent("main"), new RegExp(email));
      await look(page, `invite-${name}`);
      await page.fill("#name", "Joan Clarke");
      await page.fill("#password", "difference engine");
      await page.click("button.primary");
      await page.waitForURL("**/account/organizations?done=entered");
      await look(page, `organizations-${name}`);
      assert.match(await page.textContent("body"), /Joan Clarke/);
      assert.equal((await member(email)).role, "edit");
      assert.deepEqual(problems, []);
      await context.close();
    });
  }

  test("somebody with an account is asked to sign in, and to use the right one", async () => {
    const first = await open(await invited("first@people.example"), desktop);
    await first.page.fill("#name", "First");
    await first.page.fill("#password", "difference engine");
    await first.page.click("button.primary");
    await first.page.waitForURL("**/account/organizations?done=entered");
    // The invitation of another address, in the same browser.
    await first.page.goto(server.base + (await invited("second@people.example")));
    assert.match(await first.page.textContent("main"), /is for second@people\.example/);
    await look(first.page, "invite-other");

    // A link, for somebody who is signed in and for somebody who is not.
    const link = await server.api("POST", `/v1/orgs/${server.organization}/link-invites`, { role: "review" });
    const path = `/invites/${server.organization}/${link.id}`;
    await first.page.goto(server.base + path);
    await look(first.page, "invite-link");
    await first.page.click("button.primary");
    await first.page.waitForURL("**/account/organizations?done=entered");
    assert.equal((await member("first@people.example")).role, "review");
    const nobody = await open(path, phone);
    await look(nobody.page, "invite-sign-in");
    await nobody.page.click("main a.primary");
    assert.match(nobody.page.url(), /\/signin\?next=/);

    await server.api("DELETE", `/v1/orgs/${server.organization}/link-invites/${link.id}`);
    const gone = await first.page.goto(server.base + path);
    assert.equal(gone.status(), 404);
    await look(first.page, "invite-gone");
    await first.context.close();
    await nobody.context.close();
  });

  test("who has an account finds the invitation, declines it, and accepts another", async () => {
    const elsewhere = await server.api("POST", "/v1/orgs", {
      title: "Elsewhere",
      emailDomains: [],
      type: "business",
      useCase: "docsSite",
    });
    const { page, context, problems } = await open(await invited("known2@people.example"), phone);
    await page.fill("#name", "Known Too");
    await page.fill("#password", "difference engine");
    await page.click("button.primary");
    await page.waitForURL("**/account/organizations?done=entered");
    const invite = () => server.api("POST", `/v1/orgs/${elsewhere.id}/invites`, { emails: ["known2@people.example"] });
    await invite();
    await page.goto(`${server.base}/account/organizations`);
    await look(page, "invitations-phone");
    await page.click("text=Decline");
    await page.waitForURL("**/account/organizations?done=declined");
    await invite();
    await page.goto(`${server.base}/account/organizations`);
    await page.click("button:text('Accept')");
    await page.waitForURL("**/account/organizations?done=entered");
    assert.match(await page.textContent("main"), /Elsewhere/);
    await look(page, "organizations-two");
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("nobody is let in who was removed", async () => {
    const made = JSON.parse(
      await recto([
        "user",
        "add",
        "--data",
        server.data,
        "--email",
        "gone@people.example",
        "--name",
        "Gone",
        "--org",
        server.organization,
        "--role",
        "read",
      ]),
    );
    await server.api("DELETE", `/v1/orgs/${server.organization}/members/${made.user}`);
    const response = await fetch(`${server.base}/v1/user`, { headers: { authorization: `Bearer ${made.token}` } });
    assert.equal(response.status, 401);
  });
});
