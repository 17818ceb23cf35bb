// Scripts of integrations on a published site, in a real browser: published, installed, loaded, and for those that set
// cookies only after the reader has agreed.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { recto, startRecto } from "./recto.mjs";
import { launch, seriousFindings } from "./browser.mjs";
import { content } from "./look-content.mjs";

const shots = process.env.RECTO_SCREENSHOTS;

/** A script that answers what stands on pages; it says what it finds. more is a part of what stands there. */
const counter = (name, more = "") => `export default { async fetch(request) {
  const form = await request.formData();
  const event = JSON.parse(form.get("event"));
  if (event.type !== "fetch_published_script") return new Response("not mine", { status: 406 });
  return new Response(\`(() => {
    const seen = document.documentElement.dataset;
    seen.${name} = JSON.stringify({ disabled: GitBook.isCookiesTrackingDisabled() ?? null, global: GitBook.isGlobalPrivacyControlEnabled() });
    GitBook.addEventListener("load", () => { seen.${name}Loaded = String(Number(seen.${name}Loaded ?? 0) + 1); });
    if ("${name}" === "free" && new URLSearchParams(location.search).has("assistant"))
      GitBook.registerAssistant({ label: "Ask Acme", open: () => { seen.opened = "yes"; } });
    ${more}
  })();\`, { headers: { "content-type": "application/javascript", "cache-control": "public, max-age=60" } });
} };`;

/**
 * Parts of scripts: a banner where the address says so, one that comes when the page has loaded, what many widgets do.
 */
const banner = `if (new URLSearchParams(location.search).has("banner"))
      GitBook.registerCookieBanner(({ onApprove }) => { seen.banner = "own"; window.approve = onApprove; });`;
const manager = `addEventListener("load", () => {
      const recorded = GitBook.isCookiesTrackingDisabled() !== undefined;
      GitBook.registerCookieBanner(({ onApprove }) => {
        seen.manager = recorded ? "settings" : "asks";
        document.body.append(Object.assign(document.createElement("button"), { textContent: "All cookies", onclick: onApprove }));
      });
    });`;
const widget = `addEventListener("load", () => {
      const script = Object.assign(document.createElement("script"), { src: "https://cdn.example.net/widget.js", async: true });
      const first = document.getElementsByTagName("script")[0];
      first.parentNode.insertBefore(script, first);
    });`;

describe("scripts of integrations on sites", () => {
  let server, browser, home, site, space;

  before(async () => {
    server = await startRecto({ flags: ["--rate-limit", "0"] });
    space = await content(server, recto);
    ({ path: site, url: home } = await server.site("Acme Docs", [space]));
    browser = await launch();
    if (shots) await mkdir(shots, { recursive: true });
  });

  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  async function install(name, scopes, more) {
    await server.api("POST", `/v1/integrations/${name}`, {
      organization: server.organization,
      title: `The ${name} one`,
      description: "Counts.",
      summary: "",
      scopes,
      categories: [],
      visibility: "private",
      target: "all",
      runtime: "v2",
      script: counter(name, more),
    });
    const { id } = await server.api("POST", `/v1/integrations/${name}/installations`, {
      organization: server.organization,
    });
    await server.api("POST", `/v1/integrations/${name}/installations/${id}/sites`, { siteId: site.split("/").at(-1) });
  }

  async function open(query = "", options = {}) {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
    const page = await context.newPage();
    const problems = [];
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    await page.goto(new URL(`guide/deploy${query}`, home).href);
    return { page, context, problems };
  }
  const seen = (page, name) =>
    page.waitForFunction((key) => document.documentElement.dataset[key], name).then((handle) => handle.jsonValue());
  const shoot = (page, name) => shots && page.screenshot({ path: join(shots, `scripts-${name}.png`) });

  test("a page without integrations has nothing of them", async () => {
    const { page, context } = await open();
    assert.equal(await page.evaluate(() => typeof GitBook), "undefined");
    assert.equal(await page.locator("script[src*=gitbook], script[src*=integrations]").count(), 0);
    await context.close();
  });

  test("a script that sets no cookies is loaded at once, and those that do after the reader has agreed", async () => {
    await install("free", ["site:script:inject"], banner);
    await install("asked", ["site:script:inject", "site:script:cookies"]);
    const listed = await server.api("GET", `${site}/integration-scripts`);
    assert.deepEqual(
      listed.map(({ cookies }) => cookies),
      [true, false],
    );
    assert.match(
      listed[0].script,
      /\/integrations\/asked\/installations\/installation_\w+\/sites\/site_\w+\/script\.js\?version=1\.[0-9a-f]+$/,
    );
    assert.deepEqual((await server.api("GET", `${site}/published`)).scripts, listed);

    const { page, context, problems } = await open();
    assert.deepEqual(JSON.parse(await seen(page, "free")), { disabled: null, global: false });
    assert.equal(await seen(page, "freeLoaded"), "1");
    await page.locator(".consent").waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.dataset.asked ?? null), null);
    await shoot(page, "consent");
    assert.deepEqual(await seriousFindings(page), []);
    await page.getByRole("button", { name: "Do not allow" }).click();
    await page.locator(".consent").waitFor({ state: "detached" });
    await page.reload();
    assert.deepEqual(JSON.parse(await seen(page, "free")), { disabled: true, global: false });
    assert.deepEqual(
      [
        await page.locator(".consent").count(),
        await page.evaluate(() => document.documentElement.dataset.asked ?? null),
      ],
      [0, null],
    );
    assert.equal((await context.cookies()).find(({ name }) => name === "__gitbook_cookie_granted").value, "no");

    // Who changes their mind finds the question at the bottom.
    await page.getByRole("contentinfo").getByRole("button", { name: "Cookies" }).click();
    await page.getByRole("button", { name: "Allow", exact: true }).click();
    assert.deepEqual(JSON.parse(await seen(page, "asked")), { disabled: false, global: false });
    const granted = (await context.cookies()).find(({ name }) => name === "__gitbook_cookie_granted");
    assert.deepEqual([granted.value, granted.path], ["yes", new URL(home).pathname]);
    await page.reload();
    await seen(page, "asked");
    assert.equal(await page.locator(".consent").count(), 0);
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("the question fits a phone, dark, and a reader with Global Privacy Control is not asked", async () => {
    const { page, context } = await open("", { viewport: { width: 390, height: 844 }, colorScheme: "dark" });
    await page.locator(".consent").waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true);
    await shoot(page, "consent-phone-dark");
    assert.deepEqual(await seriousFindings(page), []);
    await context.close();

    const guarded = await browser.newContext();
    await guarded.addInitScript(() =>
      Object.defineProperty(Navigator.prototype, "globalPrivacyControl", { get: () => true }),
    );
    const other = await guarded.newPage();
    await other.goto(new URL("guide/deploy", home).href);
    assert.deepEqual(JSON.parse(await seen(other, "free")), { disabled: true, global: true });
    assert.equal(await other.locator(".consent").count(), 0);
    await guarded.close();
  });

  test("a script brings a banner and an assistant of its own", async () => {
    const { page, context, problems } = await open("?banner&assistant");
    assert.equal(await seen(page, "banner"), "own");
    await page.locator(".consent").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Ask Acme" }).click();
    assert.equal(await seen(page, "opened"), "yes");
    await shoot(page, "assistant");
    assert.deepEqual(await seriousFindings(page), []);
    await page.evaluate(() => window.approve());
    await seen(page, "asked");
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("a script that asks about cookies itself comes in place of ours, and a widget begins after a yes", async () => {
    await install("manager", ["site:script:inject", "site:script:cookies"], manager);
    await install("widget", ["site:script:inject", "site:script:cookies"], widget);
    const { page, context, problems } = await open("?manager");
    assert.equal(
      (await seen(page, "manager")) && (await page.evaluate(() => document.documentElement.dataset.manager)),
      "asks",
    );
    // Ours would have come by now, where it had not been taken for granted that the other one comes.
    await page.waitForTimeout(3500);
    assert.equal(await page.locator(".consent").count(), 0);
    assert.equal(await page.evaluate(() => document.documentElement.dataset.widget ?? null), null);
    // The widget loads from a server that no manifest names, brings a style and calls home.
    const called = [];
    await context.route("https://*.example.net/**", (route) => {
      called.push(route.request().url());
      return route.fulfill({ contentType: "text/javascript", headers: { "access-control-allow-origin": "*" }, body: `
        document.head.append(Object.assign(document.createElement("style"), { textContent: "#widget { width: 77px }" }));
        document.body.append(Object.assign(document.createElement("div"), { id: "widget" }));
        fetch("https://home.example.net/called").then(() => { document.documentElement.dataset.called = "yes"; });` });
    });
    await page.getByRole("button", { name: "All cookies" }).click();
    assert.equal(await seen(page, "called"), "yes");
    assert.equal(await page.locator("#widget").evaluate((each) => each.offsetWidth), 77);
    assert.deepEqual(called, ["https://cdn.example.net/widget.js", "https://home.example.net/called"]);
    // It is called on later pages, too, to let readers change their minds.
    assert.equal(await page.evaluate(() => document.documentElement.dataset.manager), "settings");
    assert.deepEqual(problems, []);

    // Nothing that stands in a page runs, whatever scripts are on it.
    await page.evaluate(() =>
      document.body.insertAdjacentHTML(
        "beforeend",
        '<img src="data:," onerror="document.documentElement.dataset.inline = 1"><a href="javascript:document.documentElement.dataset.inline = 1">go</a>',
      ),
    );
    await page.getByRole("link", { name: "go", exact: true }).click();
    await page.evaluate(() =>
      document.body.append(
        Object.assign(document.createElement("script"), { textContent: "document.documentElement.dataset.inline = 1" }),
      ),
    );
    assert.equal(await page.evaluate(() => document.documentElement.dataset.inline ?? null), null);
    assert.ok(
      problems.length >= 2 && problems.every((each) => /Content Security Policy/.test(each)),
      problems.join("\n"),
    );
    await context.close();
  });

  test("ours asks when the one of a script does not come", async () => {
    const context = await browser.newContext();
    await context.route("**/integrations/manager/**", (route) => route.abort());
    const page = await context.newPage();
    await page.goto(new URL("guide/deploy", home).href);
    await page.locator(".consent").waitFor();
    await page.getByRole("button", { name: "Do not allow" }).click();
    await page.locator(".consent").waitFor({ state: "detached" });
    await context.close();
  });
});
