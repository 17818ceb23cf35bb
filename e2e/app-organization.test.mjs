// The settings of an organization: its name, how people sign in, and the log of what was done, in a real browser.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { look, phone, startApp } from "./app.mjs";

describe("settings of an organization", () => {
  let app, organization, path;
  before(async () => {
    app = await startApp();
    organization = app.server.organization;
    path = `/app/orgs/${organization}/settings`;
    await app.addPerson("grace@example.org", "Grace Hopper", "create");
  });
  after(() => app?.stop());

  const about = () => app.server.api("GET", `/v1/orgs/${organization}`);

  test("an organization gets another name, and says what people get who come in", async () => {
    const { page, context, problems } = await app.open("/app", { expected: /status of 4/ });
    await page.getByRole("button", { name: /^Organization:/ }).click();
    await page.getByRole("menuitem", { name: "Settings" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Acme Docs");
    await page.getByLabel("Role for those who come by themselves").selectOption("comment");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("status").filter({ hasText: "Saved" }).waitFor();
    const { title, defaultRole } = await about();
    assert.deepEqual([title, defaultRole], ["Acme Docs", "comment"]);
    await look(page, "organization");
    await page.getByRole("switch", { name: "Links that let people in" }).click();
    await page.waitForFunction(() => document.querySelector("[role=switch]")?.getAttribute("aria-checked") === "false");
    assert.equal((await about()).inviteLinks, false);
    // What the server refuses is said, and what was typed stays.
    await page.getByLabel("Logo", { exact: true }).fill("https://127.0.0.1/logo.png");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").waitFor();
    assert.equal(await page.getByLabel("Logo", { exact: true }).inputValue(), "https://127.0.0.1/logo.png");
    // A picture of the device is made small enough, and shown; another file is not one.
    const picture = await page.screenshot({ clip: { x: 0, y: 0, width: 900, height: 600 } });
    const choose = page.getByLabel("Picture for the logo");
    await choose.setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: Buffer.from("no picture") });
    await page.getByText("This file is not a picture that your browser can read.").waitFor();
    await choose.setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: picture });
    const shown = page.getByRole("img", { name: "The logo" });
    await shown.waitFor();
    assert.deepEqual(
      await shown.evaluate(async (image) => (await image.decode(), [image.naturalWidth, image.naturalHeight])),
      [512, 341],
    );
    await look(page, "organization-logo");
    await page.getByRole("button", { name: "Remove" }).click();
    await shown.waitFor({ state: "detached" });
    assert.equal((await about()).urls.logo, undefined);
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("domains are proven, providers are made, and single sign-on is not forced by mistake", async () => {
    const { api } = app.server;
    const { page, context, problems } = await app.open(`${path}?show=sign-in`, { expected: /status of 4/ });
    await page.getByRole("textbox", { name: "Domain" }).fill("acme.example");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByText("_recto-challenge.acme.example").waitFor();
    assert.deepEqual((await about()).emailDomains, []);
    await page.getByRole("switch", { name: "Single sign-on is required" }).click();
    await page.getByRole("alert").waitFor();
    assert.equal((await about()).sso, false);

    await page.getByRole("button", { name: "Add a provider" }).click();
    await page.getByRole("menuitem", { name: "OpenID Connect" }).click();
    const dialog = page.getByRole("dialog", { name: "OpenID Connect" });
    await dialog.getByLabel("Name on the sign-in page").fill("Acme Login");
    await dialog.getByRole("button", { name: "Next" }).click();
    await dialog.getByText("Redirect address").waitFor();
    await dialog.getByLabel("Client ID").fill("recto");
    await look(page, "organization-provider", { within: "[role=dialog]" });
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText("OpenID Connect · Something is missing").waitFor();
    await look(page, "organization-sign-in");
    const [provider] = (await api("GET", `/v1/orgs/${organization}/oidc`)).items;
    assert.deepEqual([provider.label, provider.clientID], ["Acme Login", "recto"]);
    await page.getByRole("button", { name: "Edit: Acme Login" }).click();
    await dialog.getByRole("button", { name: "Delete" }).click();
    await dialog.getByRole("button", { name: "Yes, delete it" }).click();
    await dialog.waitFor({ state: "detached" });
    assert.deepEqual((await api("GET", `/v1/orgs/${organization}/oidc`)).items, []);
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("search says that no model is connected, and reads what was not read", async () => {
    await app.server.space("Handbook", { Engines: "The engine weaves." });
    const { page, context, problems } = await app.open(`${path}?show=search`);
    await page.getByText("No model of embeddings is connected").waitFor();
    await page.getByText("0 of 1 space up to date, with 0 pages").waitFor();
    await page.getByRole("button", { name: "Bring up to date now" }).click();
    await page.getByText("1 of 1 space up to date, with 1 page").waitFor();
    await look(page, "organization-search");
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("the log is filtered and taken along, and is for admins alone", async () => {
    const { api } = app.server;
    await api("POST", `/v1/orgs/${organization}/invites`, { emails: ["joan@example.org"], role: "read" });
    const { page, context, problems } = await app.open(`${path}?show=audit`, { ...phone, colorScheme: "dark" });
    const entries = page.getByRole("listitem").filter({ has: page.locator("time") });
    await entries.first().waitFor();
    await look(page, "organization-audit-phone");
    await page.getByLabel("Action").fill("invite.create");
    await page.waitForFunction(() => [...document.querySelectorAll("li time")].length === 1);
    assert.match(await entries.textContent(), /joan@example\.org/);
    const file = page.waitForEvent("download");
    await page.getByRole("link", { name: "CSV" }).click();
    assert.equal((await file).suggestedFilename().endsWith(".csv"), true);
    await page.getByLabel("To", { exact: true }).fill("2020-01-01");
    await page.getByText("Nothing was noted").waitFor();
    assert.match(page.url(), /action=invite\.create&to=2020-01-01/);
    assert.deepEqual(problems, []);
    await context.close();
    const other = await app.open(path, { email: "grace@example.org" });
    await other.page.getByText("The settings of an organization are for its admins.").waitFor();
    await other.context.close();
  });
});
