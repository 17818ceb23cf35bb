// How sites look, in a real browser: each theme in both colour schemes on two sizes of screen, and each thing that a
// customization turns on.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { mkdir } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { recto, startRecto } from "./recto.mjs";
import { launch, seriousFindings } from "./browser.mjs";
import { content } from "./look-content.mjs";

/** Where screenshots go when somebody wants to look at them. */
const shots = process.env.RECTO_SCREENSHOTS;
const sizes = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };
const url = (address) => ({ kind: "url", url: address });

describe("how published sites look", () => {
  let server, browser, site, home, plain;

  before(async () => {
    server = await startRecto({ flags: ["--rate-limit", "0"] });
    const space = await content(server, recto);
    ({ path: site, url: home } = await server.site("Acme Docs", [space]));
    plain = await server.api("GET", `${site}/customization`);
    browser = await launch();
    if (shots) await mkdir(shots, { recursive: true });
  });

  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  /** Sets the customization: the plain one with other values. */
  const customize = ({ styling, ...rest }) =>
    server.api("PUT", `${site}/customization`, { ...plain, ...rest, styling: { ...plain.styling, ...styling } });

  /** Opens a page; what goes wrong on it fails the test when it is closed. */
  async function open(path = "", { scheme = "light", size = "desktop", ...options } = {}) {
    const context = await browser.newContext({ viewport: sizes[size], colorScheme: scheme, ...options });
    const page = await context.newPage();
    const problems = [];
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    await page.goto(new URL(path, home).href);
    return {
      page, context,
      shoot: async (name) => { if (shots) await page.screenshot({ path: join(shots, `look-${name}.png`) }); },
      close: async () => {
        await context.close();
        assert.deepEqual(problems, []);
      },
    };
  }
  const style = (page, selector, property) =>
    page
      .locator(selector)
      .first()
      .evaluate((node, name) => getComputedStyle(node)[name], property);

  const dressed = {
    announcement: {
      enabled: true,
      message: "Version 2 is out.",
      style: "warning",
      link: { title: "Read more", to: url("https://example.org/2") },
    },
    header: {
      preset: "default",
      links: [
        { title: "Status", to: url("https://status.example.org"), links: [] },
        {
          title: "Product",
          to: null,
          links: [
            { title: "Changelog", to: url("https://example.org/changes") },
            { title: "Pricing", to: url("https://example.org/pricing") },
          ],
        },
        { title: "Log in", style: "button-secondary", to: url("https://example.org/login"), links: [] },
        { title: "Start", style: "button-primary", to: url("https://example.org/start"), links: [] },
      ],
    },
    footer: {
      groups: [{ title: "Company", links: [{ title: "About", to: url("https://example.org/about") }] }],
      copyright: "© Acme",
    },
    feedback: { enabled: true },
    pdf: { enabled: true },
    socialAccounts: [{ platform: "github", handle: "acme", display: { footer: true, header: true } }],
  };

  for (const theme of ["clean", "muted", "bold", "gradient"]) {
    test(`the theme ${theme}, light and dark, on desktop and phone`, async () => {
      for (const [name, more] of Object.entries({
        plain: {},
        dressed: {
          ...dressed,
          styling: {
            tint: { color: { light: "#c2255c", dark: "#c2255c" } },
            primaryColor: { light: "#f783ac", dark: "#a61e4d" },
            sidebar: { background: "filled", list: "pill" },
            corners: "circular",
            icons: "duotone",
          },
        },
      })) {
        await customize({
          ...more,
          themes: { default: "system", toggeable: true },
          styling: { ...more.styling, theme },
        });
        // One window for all four, as a new one costs more than a new page: each is loaded as it is looked at.
        const { page, shoot, close } = await open("guide/blocks");
        for (const scheme of ["light", "dark"]) {
          for (const size of Object.keys(sizes)) {
            await page.setViewportSize(sizes[size]);
            await page.emulateMedia({ colorScheme: scheme });
            await page.reload();
            assert.equal(
              await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
              true,
              `${theme} ${name} ${scheme} ${size} scrolls sideways`,
            );
            await shoot(`${theme}-${name}-${scheme}-${size}`);
            assert.deepEqual(await seriousFindings(page), [], `${theme} ${name} ${scheme} ${size}`);
          }
        }
        await close();
      }
    });
  }

  test("themes differ in what a reader sees", async () => {
    const seen = new Set();
    for (const theme of ["clean", "muted", "bold", "gradient"]) {
      await customize({ styling: { theme } });
      const { page, close } = await open("guide/blocks");
      seen.add(
        [
          await style(page, "body", "background"),
          await style(page, ".top", "backgroundColor"),
          await style(page, ".tree-link[aria-current]", "background"),
        ].join(),
      );
      await close();
    }
    assert.equal(seen.size, 4);
  });

  test("corners, depth, links, lists, icons and search", async () => {
    await customize({
      styling: {
        corners: "straight",
        depth: "flat",
        links: "accent",
        icons: "thin",
        sidebar: { background: "filled", list: "line" },
        search: "subtle",
      },
    });
    const first = await open("guide/blocks");
    assert.equal(await style(first.page, ".block-hint", "borderRadius"), "0px");
    assert.equal(await style(first.page, ".actions", "boxShadow"), "none");
    assert.equal(await style(first.page, ".prose .link", "textDecorationThickness"), "2px");
    assert.equal(await style(first.page, ".tree-link .icon svg", "strokeWidth"), "1px");
    await first.shoot("straight");
    await first.close();
    await customize({});
    const second = await open("guide/blocks");
    assert.notEqual(await style(second.page, ".block-hint", "borderRadius"), "0px");
    await second.close();
  });

  test("text stays readable whatever colours are chosen", async () => {
    const contrast = (page, selector) =>
      page
        .locator(selector)
        .first()
        .evaluate((node) => {
          const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
          const luminance = (colour) => {
            // A canvas makes sRGB of whatever way a colour is written.
            canvas.fillStyle = colour;
            canvas.fillRect(0, 0, 1, 1);
            const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((value) =>
              value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
            );
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
          };
          const paper = (element) => {
            const colour = getComputedStyle(element).backgroundColor;
            return colour === "rgba(0, 0, 0, 0)" ? paper(element.parentElement) : colour;
          };
          const [darker, lighter] = [luminance(getComputedStyle(node).color), luminance(paper(node))].sort(
            (a, b) => a - b,
          );
          return (lighter + 0.05) / (darker + 0.05);
        });
    for (const [name, theme, light, dark] of [
      ["yellow", "clean", "#ffee00", "#ffee00"],
      ["white", "bold", "#ffffff", "#ffffff"],
      ["black", "clean", "#000000", "#000000"],
      ["mint", "bold", "#98ffcc", "#002211"],
    ]) {
      await customize({
        ...dressed,
        themes: { default: "system", toggeable: true },
        styling: { theme, primaryColor: { light, dark }, tint: { color: { light, dark } }, links: "accent" },
      });
      for (const scheme of ["light", "dark"]) {
        const { page, shoot, close } = await open("guide/blocks", { scheme });
        for (const selector of [
          ".prose .link",
          ".tree-link[aria-current]",
          ".brand-title",
          "h1",
          ".announcement",
          ".top-links a",
          ".top-links .is-primary",
        ]) {
          const found = await contrast(page, selector);
          assert.ok(found >= 4.5, `${name} ${theme} ${scheme}: ${selector} has a contrast of ${found.toFixed(2)}`);
        }
        await shoot(`colour-${name}-${theme}-${scheme}`);
        assert.deepEqual(await seriousFindings(page), [], `${name} ${theme} ${scheme}`);
        await close();
      }
    }
  });

  test("fonts are loaded where they are chosen, and only there", async () => {
    for (const [font, family] of [
      ["Inter", "Inter"],
      ["Merriweather", "Merriweather"],
      ["Poppins", "Poppins"],
      ["Ubuntu", "Open Sans"],
    ]) {
      await customize({ styling: { font, monospaceFont: font === "Inter" ? "JetBrainsMono" : "FiraCode" } });
      const context = await browser.newContext({ viewport: sizes.desktop });
      const page = await context.newPage();
      const loaded = [];
      page.on("request", (request) => request.url().endsWith(".woff2") && loaded.push(request.url()));
      await page.goto(new URL("guide/blocks", home).href);
      await page.evaluate(() => document.fonts.ready);
      const faces = await page.evaluate(() => [
        ...new Set(
          [...document.fonts].filter((face) => face.status === "loaded").map((face) => face.family.replaceAll('"', "")),
        ),
      ]);
      assert.ok(faces.includes(family), `${font}: ${faces}`);
      assert.equal(loaded.some((address) => address.includes("/inter-")), font === "Inter", `${font}: ${loaded}`);
      assert.ok(loaded.length <= 6, `${font}: ${loaded}`);
      await context.close();
    }
  });

  test("code has colours of its own", async () => {
    await customize({
      styling: {
        codeTheme: {
          default: { light: "dracula", dark: "solarized-light" },
          openapi: { light: "default-light", dark: "default-dark" },
        },
      },
    });
    const { page, shoot, close } = await open("guide/blocks");
    assert.equal(await style(page, ".block-code", "backgroundColor"), "rgb(40, 42, 54)");
    assert.deepEqual(await seriousFindings(page), []);
    await shoot("code");
    await close();
  });

  test("header menus open with the pointer and with keys", async () => {
    await customize({ ...dressed, externalLinks: { target: "blank" } });
    const { page, shoot, close } = await open("guide/blocks");
    const menu = page.locator(".top-links details.menu");
    await menu.locator("summary").click();
    await page.getByRole("link", { name: "Changelog" }).first().waitFor();
    assert.equal(await page.getByRole("link", { name: "Changelog" }).first().getAttribute("target"), "_blank");
    await shoot("menu");
    assert.deepEqual(await seriousFindings(page), []);
    await page.locator("h1").click();
    assert.equal(await menu.getAttribute("open"), null);
    await menu.locator("summary").focus();
    await page.keyboard.press("Enter");
    assert.notEqual(await menu.getAttribute("open"), null);
    await page.keyboard.press("Escape");
    assert.equal(await menu.getAttribute("open"), null);
    await close();
    const phone = await open("guide/blocks", { size: "phone" });
    await phone.page.locator(".menu-button").click();
    await phone.page.locator(".side-links").getByRole("link", { name: "Changelog" }).scrollIntoViewIfNeeded();
    await phone.shoot("menu-phone");
    await phone.close();
  });

  test("an announcement that was dismissed stays away until there is another", async () => {
    await customize(dressed);
    const { page, context, close } = await open();
    await page.getByRole("button", { name: "Dismiss" }).click();
    assert.equal(await page.locator(".announcement").isVisible(), false);
    await page.reload();
    assert.equal(await page.locator(".announcement").isVisible(), false);
    await customize({ announcement: { ...dressed.announcement, message: "Version 3 is out." } });
    await page.reload();
    assert.equal(await page.locator(".announcement").isVisible(), true);
    assert.deepEqual(await context.cookies(), []);
    await close();
  });

  test("a reader says that a page did not help, and why", async () => {
    await customize({ feedback: { enabled: true } });
    const { page, context, shoot, close } = await open("guide/deploy");
    await page.locator(".feedback").getByRole("button", { name: "No" }).click();
    await page.getByLabel(/What could be better/).fill("It says nothing about roll-backs.");
    await shoot("feedback");
    assert.deepEqual(await seriousFindings(page), []);
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("It was sent.").waitFor();
    assert.deepEqual(await context.cookies(), []);
    await close();
    const answers = await server.api("GET", `${site}/feedback?commented=true`);
    assert.deepEqual(
      [answers.count, answers.items[0].helpful, answers.items[0].comment, answers.items[0].page.title],
      [1, false, "It says nothing about roll-backs.", "Deploy"],
    );
    const pages = await server.api("GET", `${site}/feedback/pages`);
    assert.deepEqual([pages.items[0].page.title, pages.items[0].helpful, pages.items[0].notHelpful], ["Deploy", 0, 1]);

    const without = await open("guide/deploy", { javaScriptEnabled: false });
    await without.page.locator(".feedback").getByRole("button", { name: "Yes" }).click();
    await without.page.getByRole("heading", { name: "Thank you for your answer." }).waitFor();
    await without.close();
  });

  test("pages and the whole site as PDF", async () => {
    await customize({ pdf: { enabled: true }, pageActions: { externalAI: true, markdown: true, mcp: false } });
    const { page, shoot, close } = await open("guide/quickstart");
    await page.locator(".actions summary").click();
    await shoot("actions");
    assert.deepEqual(await seriousFindings(page), []);
    for (const name of ["This page as PDF", "All pages as PDF"]) {
      const address = new URL(await page.getByRole("link", { name }).getAttribute("href"), home).href;
      let response;
      for (let tries = 0; tries < 60; tries++) {
        response = await fetch(address);
        if (response.status !== 202) break;
        assert.match(await response.text(), /Your PDF is being made/);
      }
      assert.equal(response.status, 200);
      assert.equal(Buffer.from(await response.arrayBuffer()).subarray(0, 5).toString(), "%PDF-");
    }
    await close();
  });

  test("the site speaks the language that it is set to", async () => {
    await customize({ internationalization: { locale: "ja" }, feedback: { enabled: true } });
    const { page, shoot, close } = await open("guide/blocks");
    await page.getByRole("link", { name: /検索/ }).or(page.getByRole("button", { name: /検索/ })).first().click();
    await page.getByRole("combobox").waitFor();
    assert.match(await page.locator(".search-foot").innerText(), /移動/);
    await page.locator(".search-head", { hasText: "人気のページ" }).waitFor();
    await page.getByRole("combobox").fill("zzzzzz");
    assert.match(await page.locator(".search-note strong").innerText(), /zzzzzz/);
    await page.keyboard.press("Escape");
    await shoot("japanese");
    assert.deepEqual(await seriousFindings(page), []);
    await close();
  });

  test("the colour scheme is the one that is set", async () => {
    const paper = (page) => page.evaluate(() => document.documentElement.dataset.theme);
    for (const [themes, scheme, want] of [
      [{ default: "dark", toggeable: true }, "light", "dark"],
      [{ default: "light", toggeable: true }, "dark", "light"],
      [{ default: "system", toggeable: true }, "dark", "dark"],
      [{ default: "light", toggeable: false }, "dark", "light"],
      [{ default: "system", toggeable: false }, "light", "light"],
    ]) {
      await customize({ themes });
      const { page, close } = await open("", { scheme });
      assert.equal(await paper(page), want, JSON.stringify(themes));
      assert.equal(await page.locator(".theme-switch").count(), themes.toggeable ? 1 : 0);
      await close();
    }
  });

  test("logos and icons follow the colour scheme", async () => {
    const picture = createServer((request, response) => {
      response.writeHead(200, { "content-type": "image/svg+xml" });
      response.end(
        '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="32"><rect width="120" height="32" rx="6" fill="#7048e8"/></svg>',
      );
    });
    await new Promise((done) => picture.listen(0, "127.0.0.1", done));
    const address = `http://127.0.0.1:${picture.address().port}`;
    const both = { light: `${address}/light.svg`, dark: `${address}/dark.svg` };
    await customize({
      themes: { default: "system", toggeable: true },
      header: { preset: "default", logo: both, links: [] },
      favicon: { icon: both },
      footer: { logo: both, groups: [] },
    });
    for (const scheme of ["light", "dark"]) {
      const { page, close } = await open("", { scheme });
      for (const part of [".brand", ".bottom"]) {
        const visible = await page
          .locator(`${part} img`)
          .evaluateAll((images) => images.filter((image) => image.offsetWidth > 0).map((image) => image.src));
        assert.deepEqual(visible, [both[scheme]], part);
      }
      const icons = await page
        .locator("link[rel=icon]")
        .evaluateAll((links) =>
          links.filter((link) => matchMedia(link.media || "all").matches).map((link) => link.href),
        );
      assert.deepEqual(icons, [both[scheme]]);
      assert.deepEqual(await seriousFindings(page), []);
      await close();
    }
    await new Promise((done) => picture.close(done));
  });

  test("what is around a page and said of it is what is chosen", async () => {
    await customize({
      ...dressed,
      pagination: { enabled: false },
      privacyPolicy: { url: "https://example.org/privacy" },
      socialPreview: { url: "https://example.org/preview.png" },
      favicon: { emoji: "1f680" },
    });
    for (const size of Object.keys(sizes)) {
      const { page, shoot, close } = await open("guide/quickstart", { size });
      const bottom = page.getByRole("contentinfo");
      for (const [name, to] of [
        ["About", "https://example.org/about"],
        ["Privacy", "https://example.org/privacy"],
        ["GitHub", "https://github.com/acme"],
      ]) {
        assert.equal(await bottom.getByRole("link", { name }).getAttribute("href"), to);
      }
      assert.match(await bottom.innerText(), /© Acme/);
      assert.equal(await page.locator(".pager").count(), 0);
      assert.equal(
        await page.locator(".consent, [data-ask-cookies]").count(),
        0,
        "nobody asks about cookies where no script wants any",
      );
      assert.equal(
        await page.locator("meta[property='og:image']").getAttribute("content"),
        "https://example.org/preview.png",
      );
      assert.match(decodeURIComponent(await page.locator("link[rel=icon]").getAttribute("href")), /🚀/u);
      await bottom.scrollIntoViewIfNeeded();
      await shoot(`bottom-${size}`);
      assert.deepEqual(await seriousFindings(page), []);
      await close();
    }
  });

  test("a site without agents offers them nothing", async () => {
    await customize({ pageActions: { externalAI: true, markdown: true, mcp: true } });
    await server.api("PATCH", site, { agentsContext: "excluded" });
    const { page, close } = await open("guide/quickstart");
    for (const name of [/copy page/i, /markdown/i, /chatgpt/i, "llms.txt"]) {
      assert.equal(
        await page.getByRole("link", { name }).or(page.getByRole("button", { name })).count(),
        0,
        String(name),
      );
    }
    await close();
    const answer = await fetch(new URL("guide/quickstart", home));
    assert.match(answer.headers.get("x-robots-tag"), /noai/);
    assert.deepEqual(
      await Promise.all(
        ["llms.txt", "guide/quickstart.md"].map(async (path) => (await fetch(new URL(path, home))).status),
      ),
      [404, 404],
    );
    await server.api("PATCH", site, { agentsContext: "included" });
  });

  test("a space on the site looks different", async () => {
    const space = await content(server, recto, "Second");
    const added = await server.api("POST", `${site}/site-spaces`, { spaceId: space });
    await customize({ title: "Acme" });
    await server.api("PATCH", `${site}/site-spaces/${added.id}/customization`, {
      title: "Acme API",
      styling: { theme: "bold", primaryColor: { light: "#087f5b", dark: "#63e6be" } },
    });
    const { page, shoot, close } = await open("second/guide/blocks");
    assert.equal(await page.locator(".brand-title").innerText(), "Acme API");
    assert.equal(await style(page, ".top", "backgroundColor"), "rgb(8, 127, 91)");
    await shoot("second");
    await page.goto(home);
    assert.equal(await page.locator(".brand-title").innerText(), "Acme");
    await close();
    await server.api("DELETE", `${site}/site-spaces/${added.id}/customization`);
  });

  test("a page prints without what is around it", async () => {
    await customize({ ...dressed, styling: { theme: "gradient" } });
    const { page, close } = await open("guide/blocks");
    await page.emulateMedia({ media: "print" });
    for (const selector of [".top", ".side", ".announcement", ".feedback", ".bottom", ".actions"]) {
      assert.equal(await page.locator(selector).first().isVisible(), false, selector);
    }
    assert.equal(await page.locator("h1").isVisible(), true);
    await close();
  });
});
