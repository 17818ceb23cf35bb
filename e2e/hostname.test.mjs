// A site at a host of its own, from the first setting to the page in a browser: which record is wanted, what happens
// until it is there, and what shows at the host then.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { startRecto } from "./recto.mjs";
import { launch, seriousFindings } from "./browser.mjs";
import { startFront } from "./front.mjs";
import { startNameServer } from "./name-server.mjs";

/** Where screenshots go when somebody wants to look at them. */
const shots = process.env.RECTO_SCREENSHOTS;
const sizes = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };

describe("a site at a host of its own", () => {
  let server, names, front, browser, organization, at, other, below;

  before(async () => {
    names = await startNameServer();
    server = await startRecto({
      flags: ["--sites-domain", "docs.test", "--trusted-proxies", "127.0.0.1/32", "--dns-server", names.address],
    });
    organization = `/v1/orgs/${server.organization}`;
    const site = async (title, text) =>
      server.site(title, [await server.space(title, { Welcome: text, Install: "Get the program.\n" })]);
    at = await site("Acme Help", "How can we help? [Install](/install)\n");
    other = await site("Beta Help", "Something else.\n");
    below = new URL(at.url).host;
    front = await startFront(server.base, [below, "help.acme.test", "docs.acme.test"], {
      host: "www.acme.test",
      path: "/help/",
      to: () => at.url,
    });
    browser = await launch({ hosts: front.rules });
    if (shots) await mkdir(shots, { recursive: true });
  });

  after(async () => {
    await browser?.close();
    await front?.stop();
    await server?.stop();
    await names?.stop();
  });

  async function open(address, size = "desktop") {
    const context = await browser.newContext({ viewport: sizes[size], ignoreHTTPSErrors: true });
    const page = await context.newPage();
    const response = await page.goto(address);
    return { page, response, close: () => context.close() };
  }

  /** Holds that the server has nothing of the sites at a host: neither their pages nor a way to them. */
  async function nothingAt(host) {
    const { hostname, port } = new URL(server.base);
    for (const path of ["/", "/install", "/sitemap.xml", "/llms.txt", "/~/search?q=help"]) {
      const answer = await new Promise((done, failed) =>
        request({ hostname, port, path, headers: { host, accept: "text/html" } }, done)
          .on("error", failed)
          .end(),
      );
      let all = JSON.stringify(answer.headers);
      for await (const chunk of answer) all += chunk;
      assert.doesNotMatch(all, /help|Something else|Get the program/i, `${host}${path}: ${answer.statusCode}`);
    }
  }

  test("is nowhere until its owner has published the record, and then there", async () => {
    const set = await server.api("PATCH", at.path, { hostname: "help.acme.test" });
    const { record, status } = set.hostnameProof;
    assert.deepEqual([status, record.type, record.name], ["pending", "TXT", "_recto.help.acme.test"]);
    assert.match(record.value, /^recto-site=\w{16,}$/);
    assert.ok(names.asked.includes("TXT _recto.help.acme.test"), `the name server was asked ${names.asked}`);
    assert.equal(set.urls.published, at.url, "until then the site is where it was");
    await nothingAt("help.acme.test");

    // Somebody else's record proves nothing, nor does one at the host itself.
    names.records.set("_recto.help.acme.test", [{ type: "TXT", data: "recto-site=somebody-else" }]);
    names.records.set("help.acme.test", [{ type: "TXT", data: record.value }]);
    assert.equal((await server.api("PATCH", at.path, { hostname: "help.acme.test" })).hostnameProof.status, "pending");
    await nothingAt("help.acme.test");

    names.records.set("_recto.help.acme.test", [
      { type: "TXT", data: "v=spf1 -all" },
      { type: record.type, data: record.value },
    ]);
    const now = await server.api("PATCH", at.path, { hostname: "help.acme.test" });
    assert.deepEqual([now.hostnameProof.status, now.urls.published], ["proven", "https://help.acme.test/"]);
    for (const size of Object.keys(sizes)) {
      const { page, response, close } = await open("https://help.acme.test/", size);
      assert.equal(response.status(), 200);
      assert.equal(await page.locator("h1").innerText(), "Welcome");
      assert.equal(await page.locator("link[rel=canonical]").getAttribute("href"), "https://help.acme.test/");
      if (shots) await page.screenshot({ path: join(shots, `hostname-${size}.png`) });
      assert.deepEqual(await seriousFindings(page), []);
      await page.locator("main").getByRole("link", { name: "Install" }).first().click();
      await page.waitForURL("https://help.acme.test/install");
      await page.locator(".search-button").first().click();
      await page.getByRole("combobox").fill("how can we");
      await page.locator(".hit:has(mark)").first().click();
      await page.waitForURL(/^https:\/\/help\.acme\.test\/(#.*)?$/);
      await close();
    }
    // Where it was before it still is, and says where it is now.
    const before = await open(`${at.url}install`);
    assert.equal(
      await before.page.locator("link[rel=canonical]").getAttribute("href"),
      "https://help.acme.test/install",
    );
    await before.close();
  });

  test("belongs to one site alone", async () => {
    // Another one may ask, and gets nothing by that.
    const asked = await server.api("PATCH", other.path, { hostname: "help.acme.test" });
    assert.equal(asked.hostnameProof.status, "pending");
    const { page, close } = await open("https://help.acme.test/");
    assert.match(await page.locator("main").innerText(), /How can we help/);
    await close();
    const published = names.records.get("_recto.help.acme.test");
    names.records.set("_recto.help.acme.test", [...published, { type: "TXT", data: asked.hostnameProof.record.value }]);
    await assert.rejects(server.api("PATCH", other.path, { hostname: "help.acme.test" }), /409/);
    names.records.set("_recto.help.acme.test", published);
  });

  test("is proven by a name that stands for the organization's host too", async () => {
    names.records.set("docs.acme.test", [{ type: "CNAME", data: `stranger.docs.test` }]);
    assert.equal(
      (await server.api("PATCH", other.path, { hostname: "docs.acme.test" })).hostnameProof.status,
      "pending",
    );
    await nothingAt("docs.acme.test");
    names.records.set("docs.acme.test", [{ type: "CNAME", data: below }]);
    assert.equal(
      (await server.api("PATCH", other.path, { hostname: "docs.acme.test" })).hostnameProof.status,
      "proven",
    );
    const { page, close } = await open("https://docs.acme.test/");
    assert.match(await page.locator("main").innerText(), /Something else/);
    await close();
  });

  test("is given up again", async () => {
    const left = await server.api("PATCH", at.path, { hostname: null });
    assert.equal(left.urls.published, at.url);
    await nothingAt("help.acme.test");
    const { page, close } = await open(at.url);
    assert.equal(await page.locator("h1").innerText(), "Welcome");
    await close();
  });

  test("an e-mail domain is proven by its record in the same way", async () => {
    const domain = `${organization}/email-domains/acme.test`;
    const { record, verified } = await server.api("GET", domain);
    assert.equal(verified, false);
    await assert.rejects(server.api("PATCH", organization, { emailDomains: ["acme.test"] }), /40[09]/);
    names.records.set(record.name, [{ type: record.type, data: record.value }]);
    assert.equal((await server.api("GET", domain)).verified, true);
    assert.deepEqual((await server.api("PATCH", organization, { emailDomains: ["acme.test"] })).emailDomains, [
      "acme.test",
    ]);
  });
});
