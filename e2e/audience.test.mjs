// Who may read a site, in a real browser: share links, visitors who sign in, content that adapts, and members who look
// at a site as a visitor.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { startRecto } from "./recto.mjs";
import { launch, seriousFindings } from "./browser.mjs";
import { visitorToken } from "./client/audience.mjs";

/** Where screenshots go when somebody wants to look at them. */
const shots = process.env.RECTO_SCREENSHOTS;

const desktop = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };

describe("who may read a site", () => {
  let server, browser, organization;

  before(async () => {
    server = await startRecto({ flags: ["--rate-limit", "0"] });
    organization = `/v1/orgs/${server.organization}`;
    browser = await launch();
    if (shots) await mkdir(shots, { recursive: true });
  });

  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  /** A published site with pages of the given titles and texts. */
  async function site(title, visibility, pages) {
    const space = await server.space(title, pages);
    return { space, ...await server.site(title, [space], visibility) };
  }

  async function person(viewport = desktop) {
    const context = await browser.newContext({ viewport });
    return { page: await context.newPage(), close: () => context.close() };
  }

  async function look(page, name) {
    assert.deepEqual(await seriousFindings(page), [], `axe-core on ${name}`);
    if (shots) await page.screenshot({ path: join(shots, `audience-${name}.png`) });
  }

  test("who has the address of an unlisted site reads it, and no search engine lists it", async () => {
    const unlisted = await site("Beta notes", "unlisted", { Start: "What is new.\n", Next: "What comes next.\n" });
    const reader = await person();
    assert.equal((await reader.page.goto(unlisted.url)).headers()["x-robots-tag"], "noindex");
    assert.equal(await reader.page.getAttribute("meta[name=robots]", "content"), "noindex");
    await look(reader.page, "unlisted");
    await reader.page.keyboard.press("/");
    await reader.page.keyboard.type("comes next");
    await reader.page.waitForSelector("dialog mark, [role=dialog] mark");
    assert.equal((await reader.page.goto(`${unlisted.url}sitemap.xml`)).status(), 404);
    await reader.close();
  });

  test("a share link lets in until it is closed", async () => {
    const shared = await site("Launch plan", "share-link", {
      Start: "The plan in short. [The rest](/next)\n",
      Next: "The plan in long.\n",
    });
    const link = await server.api("POST", `${shared.path}/share-links`, { name: "Press" });
    const stranger = await person();
    assert.equal((await stranger.page.goto(shared.url)).status(), 404);
    await stranger.close();
    const reader = await person();
    await reader.page.goto(link.urls.published);
    assert.equal(reader.page.url(), shared.url, "the address has no secret any more");
    assert.match(await reader.page.textContent("main"), /The plan in short/);
    assert.equal(await reader.page.getAttribute("meta[name=robots]", "content"), "noindex");
    await look(reader.page, "share-link");
    await reader.page.click("a[href$='/next']");
    assert.match(await reader.page.textContent("main"), /The plan in long/);
    await server.api("PATCH", `${shared.path}/share-links/${link.id}`, { active: false });
    assert.equal((await reader.page.reload()).status(), 404);
    await reader.close();
  });

  test("visitors sign in at the organization's own page, and out", async () => {
    const members = await site("Members' handbook", "visitor-auth", { Start: "For members.\n", Rules: "The rules.\n" });
    const { privateKey } = await server.api("GET", `${members.path}/publishing/auth`);
    // The organization's own sign-in page: it knows everybody at once.
    const login = createServer((request, response) => {
      const asked = new URL(request.url, "http://login.invalid");
      if (asked.pathname !== "/login") return response.end("Bye.");
      const back = new URL(asked.searchParams.get("location").slice(1), members.url);
      back.searchParams.set("jwt_token", visitorToken(privateKey, {}));
      response.writeHead(302, { location: back.href }).end();
    });
    await new Promise((done) => login.listen(0, "127.0.0.1", done));
    const own = `http://127.0.0.1:${login.address().port}`;
    try {
      await server.api("PATCH", `${members.path}/publishing/auth`, {
        backend: "custom",
        fallbackURL: `${own}/login`,
        logoutURL: `${own}/bye`,
      });
      const member = await person();
      await member.page.goto(`${members.url}rules`);
      assert.equal(member.page.url(), `${members.url}rules`, "back where they wanted to go, without the token");
      assert.match(await member.page.textContent("main"), /The rules/);
      await look(member.page, "visitor-auth");
      await member.page.goto(`${members.url}~/auth/logout`);
      assert.equal(member.page.url(), `${own}/bye`);
      assert.deepEqual(await member.page.context().cookies(members.url), []);
      await member.close();
      const customization = await server.api("GET", `${members.path}/customization`);
      await server.api("PUT", `${members.path}/customization`, {
        ...customization,
        internationalization: { locale: "de" },
      });
      for (const [name, viewport] of [
        ["desktop", desktop],
        ["phone", phone],
      ]) {
        const lost = await person(viewport);
        const answer = await lost.page.goto(`${members.url}?jwt_token=${visitorToken(privateKey, { exp: 1 })}`);
        assert.equal(answer.status(), 401);
        assert.match(
          await lost.page.textContent("main"),
          /Zum Lesen anmelden[^]*has expired/,
          "in the site's language",
        );
        await look(lost.page, `refused-${name}`);
        await lost.close();
      }
    } finally {
      login.close();
    }
  });

  test("content adapts, and members see as whom they want", async () => {
    const adaptive = await site("Product docs", "public", {
      Start:
        'Welcome.\n\n{% if visitor.claims.plan == "pro" %}\n{% hint style="success" %}\nYour plan has priority support.\n{% endhint %}\n{% endif %}\n\n{% if visitor.claims.unsigned.language == "de" %}\nWillkommen.\n{% endif %}\n',
      Guide: "For everybody.\n",
    });
    await server.api("PUT", `${adaptive.path}/adaptive-schema`, {
      jsonSchema: {
        type: "object",
        properties: {
          plan: { type: "string", enum: ["free", "pro"], description: "What they pay for" },
          isBeta: { type: "boolean", description: "Takes part in the beta" },
          roles: {
            type: "array",
            description: "What they do",
            items: { type: "string", enum: ["admin", "author"], description: "" },
          },
          seats: { type: "number", description: "How many people they are" },
          unsigned: {
            type: "object",
            description: "Unsigned claims of the site visitor.",
            properties: { language: { type: "string", enum: ["en", "de"], description: "Language" } },
            additionalProperties: false,
          },
        },
        additionalProperties: false,
      },
    });
    await server.api("PATCH", adaptive.path, { adaptiveContent: { enabled: true } });
    const partners = await server.api("POST", `${organization}/spaces`, { title: "Partners" });
    await server.api("POST", `/v1/spaces/${partners.id}/content`, {
      changes: [{ operation: "insert_page", title: "Partners", document: { markdown: "For partners.\n" } }],
    });
    const variant = await server.api("POST", `${adaptive.path}/site-spaces`, { spaceId: partners.id });
    await server.api("PATCH", `${adaptive.path}/site-spaces/${variant.id}`, {
      condition: "visitor.claims.isBeta === true",
    });

    const { privateKey } = await server.api("GET", `${adaptive.path}/publishing/auth`);
    const reader = await person();
    await reader.page.goto(adaptive.url);
    assert.doesNotMatch(await reader.page.textContent("main"), /priority support/);
    await reader.page.goto(`${adaptive.url}?jwt_token=${visitorToken(privateKey, { plan: "pro" })}`);
    assert.equal(reader.page.url(), adaptive.url);
    assert.match(await reader.page.textContent("main"), /priority support/);
    await reader.page.goto(`${adaptive.url}?visitor.language=de`);
    await reader.page.goto(adaptive.url);
    assert.match(
      await reader.page.textContent("main"),
      /Willkommen/,
      "what visitors say of themselves stays for the session",
    );
    await look(reader.page, "adaptive");
    await reader.page.keyboard.press("/");
    await reader.page.keyboard.type("priority");
    await reader.page.waitForSelector("dialog mark, [role=dialog] mark", { timeout: 10_000 });
    await reader.close();

    const stranger = await person();
    assert.equal(
      (await stranger.page.goto(`${adaptive.url}~/visitor/`)).status(),
      404,
      "only members look as a visitor",
    );
    await stranger.close();

    const { urls } = await server.api("GET", adaptive.path);
    const customization = await server.api("GET", `${adaptive.path}/customization`);
    for (const [name, viewport, locale, said] of [
      ["desktop", desktop, "en", ["Look at the site", "What is hidden", "not there", "Change"]],
      ["phone", phone, "de", ["Website ansehen", "Was verborgen ist", "nicht da", "Ändern"]],
    ]) {
      await server.api("PUT", `${adaptive.path}/customization`, { ...customization, internationalization: { locale } });
      const member = await person(viewport);
      await member.page.goto(urls.preview);
      assert.doesNotMatch(member.page.url(), /ticket/);
      await look(member.page, `choice-${name}`);
      await member.page.selectOption("select[name='claim/plan']", "pro");
      await member.page.check("input[value=author]");
      await member.page.click(`text=${said[0]}`);
      assert.match(await member.page.textContent(".preview-note"), /plan = "pro", roles = \["author"\]/);
      assert.match(await member.page.textContent("main"), /priority support/);
      await look(member.page, `as-visitor-${name}`);
      await member.page.click(`text=${said[1]}`);
      assert.match(
        await member.page.textContent("main"),
        new RegExp(`${said[1]}[^]*Partners[^]*visitor\\.claims\\.isBeta === true[^]*${said[2]}`),
      );
      await look(member.page, `reasons-${name}`);
      await member.page.click(`text=${said[3]}`);
      assert.equal(await member.page.inputValue("select[name='claim/plan']"), "pro");
      await member.close();
    }
  });

  test("pages, sections, versions and header links are there for those they are for, and for nobody else", async () => {
    const docs = await site("Adaptive docs", "public", { Start: "Welcome.\n", Guide: "For everybody.\n" });
    await server.api("POST", `/v1/spaces/${docs.space}/content`, {
      changes: [
        {
          operation: "insert_page",
          title: "Priority support",
          condition: 'visitor.claims.plan === "pro"',
          document: { markdown: "Call the hotline.\n" },
        },
      ],
    });
    const add = async (path, title, page, more) => {
      const space = await server.api("POST", `${organization}/spaces`, { title });
      await server.api("POST", `/v1/spaces/${space.id}/content`, {
        changes: [{ operation: "insert_page", title: page, document: { markdown: `${page} of ${title}.\n` } }],
      });
      return server.api("POST", `${docs.path}/${path}`, { spaceId: space.id, ...more });
    };
    const first = await server.api("POST", `${docs.path}/sections`, { spaceId: docs.space, title: "Guides" });
    const section = await add("sections", "Partner programme", "Margins", { title: "Partners" });
    const variant = await add("site-spaces", "Beta", "Start", { sectionId: first.id });
    await server.api("PUT", `${docs.path}/adaptive-schema`, {
      jsonSchema: {
        type: "object",
        properties: { plan: { type: "string", enum: ["free", "pro"], description: "What they pay for" } },
        additionalProperties: false,
      },
    });
    await server.api("PATCH", docs.path, { adaptiveContent: { enabled: true } });
    const condition = 'visitor.claims.plan === "pro"';
    await server.api("PATCH", `${docs.path}/sections/${section.id}`, { condition });
    await server.api("PATCH", `${docs.path}/site-spaces/${variant.id}`, { condition });
    const customization = await server.api("GET", `${docs.path}/customization`);
    await server.api("PUT", `${docs.path}/customization`, {
      ...customization,
      header: {
        ...customization.header,
        links: [{ title: "Hotline", to: { kind: "url", url: "https://example.org/hotline" }, links: [], condition }],
      },
    });
    const { privateKey } = await server.api("GET", `${docs.path}/publishing/auth`);
    for (const [plan, sees] of [["pro", true], ["free", false], [null, false]]) {
      for (const [name, viewport] of [["desktop", desktop], ["phone", phone]]) {
        const reader = await person(viewport);
        await reader.page.goto(plan ? `${docs.url}?jwt_token=${visitorToken(privateKey, { plan })}` : docs.url);
        const whole = await reader.page.locator("body").innerHTML();
        for (const word of ["Priority support", "Partners", "Hotline", "Beta"])
          assert.equal(whole.includes(word), sees, `${plan}, ${name}: ${word}`);
        await look(reader.page, `adaptive-${plan}-${name}`);
        if (name === "phone") {
          await reader.page.locator(".menu-button").click();
          assert.equal(
            await reader.page.locator("#navigation").getByRole("link", { name: "Priority support" }).isVisible(),
            sees,
          );
          if (sees) await look(reader.page, `adaptive-${plan}-menu`);
        } else if (sees) {
          await reader.page.getByRole("link", { name: "Hotline" }).first().waitFor();
          await reader.page.getByRole("navigation", { name: "Version" }).locator("summary").click();
          await reader.page.getByRole("link", { name: "Beta" }).click();
          assert.match(await reader.page.textContent("main"), /Start of Beta/);
          await reader.page
            .getByRole("navigation", { name: "Sections" })
            .getByRole("link", { name: "Partners" })
            .click();
          assert.match(await reader.page.textContent("main"), /Margins of Partner programme/);
        }
        for (const path of ["priority-support", "beta/", "partners/"])
          assert.equal((await reader.page.goto(docs.url + path)).status(), sees ? 200 : 404, `${plan}: ${path}`);
        for (const list of ["sitemap.xml", "llms.txt", "feed.xml", "~/search?q=hotline", "~/search?q=margins"]) {
          const answer = await reader.page.request.get(docs.url + list, { headers: { accept: "application/json" } });
          const text = await answer.text();
          if (!sees) assert.doesNotMatch(text, /hotline"|priority-support|margins|partners|beta/i, `${plan}: ${list}`);
          else if (list.startsWith("~/search")) assert.match(text, /"total":1/, list);
        }
        await reader.close();
      }
    }
  });
});
