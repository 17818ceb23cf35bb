// What a reader runs into besides the usual: text from right to left, words that are longer than a phone is wide, and
// pages that the browser keeps while another is read.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { join } from "node:path";
import { startRecto } from "./recto.mjs";
import { launch, seriousFindings } from "./browser.mjs";

const shots = process.env.RECTO_SCREENSHOTS;
const phone = { viewport: { width: 390, height: 844 } };
const longWord = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft";

const arabic = `هذا نص تجريبي مكتوب باللغة العربية مع كلمة \`code\` في وسطه.

* واحد
* اثنان

> اقتباس قصير.

{% tabs %}
{% tab title="لينكس" %}
نص
{% endtab %}
{% tab title="ويندوز" %}
نص آخر
{% endtab %}
{% endtabs %}

\`\`\`bash
recto serve
\`\`\`

## عنوان

نص.

## ثان

نص.
`;
const wide = `$$
${Array.from({ length: 12 }, (_, i) => `\\sum_{n=1}^{\\infty}\\frac{1}{n^${i + 2}}`).join(" + ")}
$$
`;

const columns = Array.from({ length: 14 }, (_, i) => `Column ${i}`);
const table = [columns, columns.map(() => "---"), columns.map((name) => `value of ${name}`)]
  .map((row) => `| ${row.join(" | ")} |\n`)
  .join("");

// Code in cells that is narrow, and code that has nowhere to break.
const codes = `| Option | Meaning | Default |
| --- | --- | --- |
| \`--no-verify\` | Skips \`pre-commit\` and \`commit-msg\`, see \`core.hooksPath\` | \`false\` |
| \`RECTO_VERY_LONG_NAME_OF_A_VARIABLE_THAT_NOBODY_CAN_BREAK\` | \`${"x".repeat(160)}\` | \`a b\` |

Text with \`${"y".repeat(160)}\` in it.
`;
const updates = `{% updates format="full" %}
{% update date="2026-11-03" tags="new,a-label-with-a-rather-long-name,search,fixed,security,deprecated" %}
## A release

What is new.
{% endupdate %}
{% update date="2026-10-01" tags="fixed" %}
## Before

Text.
{% endupdate %}
{% endupdates %}
`;

const diagrams = [
  "flowchart LR\n  A[Write] --> B[Review] --> C[Publish]",
  "sequenceDiagram\n  Ada->>Ben: Review?\n  Ben-->>Ada: Yes",
  'pie title Pages\n  "Guides" : 42\n  "References" : 30\n  "Notes" : 8',
  "gantt\n  dateFormat YYYY-MM-DD\n  title Plan\n  section Work\n  Draft :a1, 2026-01-01, 10d\n  Check :after a1, 5d",
  "classDiagram\n  Space <|-- Page\n  Page : +title",
  "stateDiagram-v2\n  [*] --> Draft\n  Draft --> Merged",
  "erDiagram\n  SPACE ||--o{ PAGE : has",
  "flowchart TD\n  X[One] --> Y[Two]",
];
const plans = `${diagrams.map((source) => `\`\`\`mermaid\n${source}\n\`\`\``).join("\n\nText.\n\n")}\n`;
const drawings = `$$\n\\vec{E} = \\overbrace{\\sqrt{x}}^{n}\n$$\n\n${plans}`;

describe("reading", () => {
  let server, browser, home, arabicHome, pictures;

  before(async () => {
    server = await startRecto();
    pictures = createServer((_, answer) =>
      answer
        .writeHead(200, { "content-type": "image/svg+xml" })
        .end(
          '<svg xmlns="http://www.w3.org/2000/svg" width="3000" height="900"><rect width="3000" height="900" fill="teal"/></svg>',
        ),
    );
    await new Promise((done) => pictures.listen(0, "127.0.0.1", done));
    const image = `![A wide picture](http://127.0.0.1:${pictures.address().port}/wide.svg)\n\nText with a note.[^1]\n\n[^1]: What it says.\n`;
    const space = await server.space("Guide", {
      Welcome: "Hello.",
      [longWord]: "A page.",
      Formulas: wide,
      Tables: table,
      Drawings: drawings,
      Plans: plans,
      Pictures: image,
      Codes: codes,
      Updates: updates,
      بالعربية: arabic,
    });
    await server.api("POST", `/v1/spaces/${space}/content`, {
      changes: [
        {
          operation: "insert_page",
          title: "Covered",
          cover: { ref: { kind: "url", url: `http://127.0.0.1:${pictures.address().port}/cover.svg` }, height: 500 },
          layout: { coverMask: "radial" },
          document: {
            markdown: `## First\n\nText.\n\n## Second with \`${"z".repeat(80)}\`\n\n${"Text.\n\n".repeat(40)}## Third\n\nText.\n`,
          },
        },
      ],
    });
    ({ url: home } = await server.site("Guide", [space]));
    const translated = await server.api("POST", `/v1/orgs/${server.organization}/spaces`, {
      title: "دليل",
      language: "ar",
    });
    await server.api("POST", `/v1/spaces/${translated.id}/content`, {
      changes: [{ operation: "insert_page", title: "البداية", document: { markdown: arabic } }],
    });
    ({ url: arabicHome } = await server.site("Arabic", [translated.id]));
    browser = await launch();
  });

  after(async () => {
    await browser?.close();
    await server?.stop();
    pictures?.close();
  });

  async function open(url, options = {}) {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
    const page = await context.newPage();
    await page.goto(url);
    return { page, close: () => context.close() };
  }
  const fits = (page) => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
  const box = (page, selector) => page.locator(selector).first().boundingBox();

  test("accents of formulas show, and nothing breaks the page's policy", async () => {
    const { page, close } = await open(`${home}/drawings`);
    const problems = [];
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    await page.reload();
    await page.locator(".katex .accent-body svg").first().waitFor();
    const widths = await page
      .locator(".katex .accent-body svg, .katex .sqrt svg")
      .evaluateAll((nodes) => nodes.map((node) => node.getBoundingClientRect().width));
    assert.ok(widths.length >= 2 && widths.every((width) => width > 3), `accents are ${widths} px wide`);
    assert.deepEqual(problems, []);
    await close();
  });

  test("eight diagrams come out of one frame, each as large as before", async () => {
    const { page, close } = await open(`${home}/drawings`, { viewport: { width: 1440, height: 9000 } });
    await page.waitForFunction(() => document.querySelectorAll(".block-diagram > img").length === 8, null, {
      timeout: 30_000,
    });
    assert.equal(await page.locator("iframe").count(), 1);
    const sizes = () =>
      page
        .locator(".block-diagram")
        .evaluateAll((blocks) => blocks.map((block) => Math.round(block.getBoundingClientRect().height)));
    const gantt = page.locator(".block-diagram > img").nth(3);
    await gantt.evaluate((image) => image.decode());
    assert.ok(
      (await gantt.boundingBox()).height > 100 && (await gantt.boundingBox()).width > 300,
      "the chart of tasks is empty",
    );
    assert.match(await gantt.getAttribute("alt"), /Draft/);
    assert.ok(
      await page
        .locator(".block-diagram > img")
        .evaluateAll((images) =>
          Promise.all(images.map((image) => image.decode())).then(() =>
            images.every((image) => image.naturalWidth > 0),
          ),
        ),
      "a diagram is no picture",
    );
    if (shots) await page.screenshot({ path: join(shots, "diagrams.png"), fullPage: true });
    const before = await sizes();
    await page.reload();
    const again = await sizes();
    assert.ok(
      again.every((height, i) => Math.abs(height - before[i]) <= 1),
      `the page moves when it is read again: ${before} and ${again}`,
    );
    assert.deepEqual(await seriousFindings(page), []);
    await close();
  });

  test("on phones a diagram has the room that it fills, and a chart of tasks can be read", async () => {
    const { page, close } = await open(`${home}/drawings`, { viewport: { width: 390, height: 9000 } });
    await page.waitForFunction(() => document.querySelectorAll(".block-diagram > img").length === 8, null, {
      timeout: 30_000,
    });
    for (const nth of [2, 3]) {
      const image = page.locator(".block-diagram > img").nth(nth);
      await image.evaluate((shown) => shown.decode());
      const block = await page.locator(".block-diagram").nth(nth).boundingBox();
      const { height, width } = await image.boundingBox();
      assert.ok(block.height - height < 60, `a drawing of ${height} px has ${block.height} px`);
      // Letters of 14 px in the drawing are at least 6 here.
      const natural = await image.evaluate((shown) => shown.naturalWidth);
      if (nth === 3) assert.ok((14 * width) / natural > 6, `${natural} px wide, shown in ${width}`);
    }
    await close();
  });

  // What is told of a shift is the part of the screen that moved, times how far; below 0.1 is called good.
  test("diagrams move nothing that is seen, neither when a page is read first nor again", async () => {
    for (const [height, from] of [
      [900, 0],
      [900, 700],
      [9000, 0],
    ]) {
      const context = await browser.newContext({ viewport: { width: 1440, height } });
      await context.addInitScript(() => {
        window.shifted = 0;
        const add = (list) => list.getEntries().forEach((entry) => (window.shifted += entry.value));
        new PerformanceObserver(add).observe({ type: "layout-shift", buffered: true });
      });
      for (const reading of ["first", "again"]) {
        const page = await context.newPage();
        const began = Date.now();
        await page.goto(`${home}/plans`);
        await page.evaluate((y) => scrollTo(0, y), from);
        const seen = height === 900 ? 4 : 8;
        await page.waitForFunction((n) => document.querySelectorAll(".block-diagram > img").length >= n, seen, {
          timeout: 30_000,
        });
        const took = Date.now() - began;
        await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100))));
        const shifted = await page.evaluate(() => window.shifted);
        console.log(`${height} high, from ${from}, ${reading}: ${seen} diagrams after ${took} ms, shifted ${shifted}`);
        assert.ok(shifted < 0.01, `what is seen moved: ${shifted}, ${height} high from ${from}, read ${reading}`);
        await page.close();
      }
      await context.close();
    }
  });

  test("diagrams that are not drawn are read as they were written, in print and when nothing draws them", async () => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    await page.clock.install();
    // The frame that draws never comes.
    await page.route("**/*", (route) => route.request().frame() === page.mainFrame() ? route.continue() : undefined);
    await page.goto(`${home}/plans`, { waitUntil: "domcontentloaded" });
    const sources = page.locator(".block-diagram > pre");
    await page.locator(".block-diagram.is-drawn").first().waitFor();
    assert.equal(await sources.first().isVisible(), false);
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    assert.equal(await sources.first().isVisible(), true, "in print");
    await page.reload({ waitUntil: "domcontentloaded" });
    await page.locator(".block-diagram.is-drawn").first().waitFor();
    await page.locator(".drawing-frame").waitFor({ state: "attached" });
    assert.equal(await sources.last().isVisible(), false);
    await page.clock.fastForward(11_000);
    assert.equal(await page.locator(".block-diagram.is-drawn").count(), 0);
    assert.equal(await sources.last().isVisible(), true);
    await context.close();
  });

  test("words of code in tables are whole where they fit, and push nothing out of the page elsewhere", async () => {
    for (const options of [{}, phone]) {
      const { page, close } = await open(`${home}/codes`, options);
      await page.locator("td code").first().waitFor();
      assert.ok(await fits(page), "the page is wider than the screen");
      const short = await page
        .locator("td code")
        .evaluateAll((codes) =>
          codes
            .filter((code) => /^[\w.]{1,15}$/.test(code.textContent))
            .map((code) => [code.textContent, code.getClientRects().length]),
        );
      assert.ok(
        short.length >= 2 && short.every(([, lines]) => lines === 1),
        `short code is broken: ${JSON.stringify(short)}`,
      );
      // Each piece of code is within its cell, and what is wider than the page is scrolled in the table.
      const outside = await page
        .locator("td")
        .evaluateAll((cells) =>
          cells
            .filter((cell) =>
              [...cell.querySelectorAll("code")].some(
                (code) => code.getBoundingClientRect().right > cell.getBoundingClientRect().right + 1,
              ),
            )
            .map((cell) => cell.textContent.slice(0, 40)),
        );
      assert.deepEqual(outside, []);
      if (shots) await page.screenshot({ path: join(shots, `codes-${options.viewport ? "phone" : "desktop"}.png`) });
      assert.deepEqual(await seriousFindings(page), []);
      await close();
    }
  });

  test("labels of updates stand beside their date, on as many lines as they need", async () => {
    for (const options of [{}, phone, { ...phone, colorScheme: "dark" }]) {
      const { page, close } = await open(`${home}/updates`, options);
      const tags = page.locator(".update").first().locator(".update-tags > *");
      await tags.first().waitFor();
      assert.equal(await tags.count(), 6);
      assert.ok(await fits(page), "the page is wider than the screen");
      const [meta, body] = [await box(page, ".update-meta"), await box(page, ".update-body")];
      for (const tag of await tags.all()) {
        const at = await tag.boundingBox();
        assert.ok(
          at.x >= meta.x - 1 && at.x + at.width <= meta.x + meta.width + 1,
          `a label stands at ${at.x} to ${at.x + at.width}, the place for labels is ${meta.x} to ${meta.x + meta.width}`,
        );
      }
      if (options.viewport) assert.ok(body.y >= meta.y + meta.height, "on phones the text is below");
      else assert.ok(body.x >= meta.x + meta.width, "on large screens the text is beside");
      if (shots)
        await page.screenshot({
          path: join(shots, `updates-${options.viewport ? "phone" : "desktop"}-${options.colorScheme ?? "light"}.png`),
        });
      assert.deepEqual(await seriousFindings(page), []);
      await close();
    }
  });

  test("on phones the cover leaves room for the title, and the outline unfolds above the text", async () => {
    const { page, close } = await open(`${home}/covered`, phone);
    const cover = page.locator(".cover img");
    await cover.evaluate((image) => image.decode());
    const shown = await cover.boundingBox();
    assert.ok(
      shown.width <= 390 && shown.height > 80 && shown.height <= 300,
      `the cover is ${shown.width}×${shown.height}`,
    );
    assert.match(await cover.evaluate((image) => getComputedStyle(image).maskImage), /radial/);
    const outline = page.locator(".outline-fold");
    assert.ok((await outline.boundingBox()).height < 60, "the outline is folded");
    await outline.locator("summary").focus();
    await page.keyboard.press("Enter");
    await outline.getByRole("link", { name: "Third" }).waitFor();
    assert.ok(await fits(page), "the page is wider than the screen");
    for (const link of await outline.getByRole("link").all())
      assert.ok((await link.boundingBox()).height >= 24, "a link is too small to be touched");
    const apart = await outline
      .getByRole("link", { name: "Third" })
      .evaluate((link) => parseFloat(getComputedStyle(link).paddingInlineStart));
    assert.ok(apart >= 8, "the text of the outline stands on its line");
    if (shots) await page.screenshot({ path: join(shots, "covered-phone.png") });
    assert.deepEqual(await seriousFindings(page), []);
    await outline.getByRole("link", { name: "Third" }).click();
    await page.waitForFunction(() => scrollY > 200);
    const [heading, header] = [
      await page.getByRole("heading", { name: "Third" }).boundingBox(),
      await box(page, "header.top"),
    ];
    assert.ok(heading.y >= header.y + header.height - 1, "the header covers the heading");
    await close();
  });

  test("a wide picture is enlarged, and a footnote shows where it is", async () => {
    const { page, close } = await open(`${home}/pictures`);
    // It is an image for whoever listens, with a button to enlarge it behind it.
    const picture = page.getByRole("img", { name: "A wide picture" });
    await picture.waitFor();
    const image = page.getByRole("button", { name: "Enlarge the image: A wide picture" });
    assert.ok(await picture.evaluate((node) => node.nextElementSibling?.matches("button.zoom-open")));
    await image.focus();
    assert.ok((await image.boundingBox()).width > 40, "the button shows while it has the focus");
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "A wide picture" });
    assert.ok((await dialog.locator("img").boundingBox()).width > 1000);
    assert.deepEqual(await seriousFindings(page), []);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    assert.ok(await image.evaluate((node) => node === document.activeElement), "the focus is back");
    // A press on the image does the same.
    await picture.click();
    await dialog.waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.locator("a.annotation-ref").click();
    assert.match(await page.locator(".note-popover").innerText(), /What it says/);
    await page.keyboard.press("Escape");
    assert.equal(await page.locator(".note-popover").count(), 0);
    await close();
  });

  test("the theme goes from the system's to the other one, and back to the system's", async () => {
    const { page, close } = await open(home, { colorScheme: "light" });
    const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
    const button = page.getByRole("button", { name: /^Theme:/ });
    assert.equal(await button.getAttribute("aria-label"), "Theme: as the system");
    await button.click();
    assert.equal(await theme(), "dark");
    await page.reload();
    assert.equal(await theme(), "dark", "the choice stays");
    await button.click();
    assert.equal(await theme(), "light");
    await button.click();
    await page.emulateMedia({ colorScheme: "dark" });
    await page.waitForFunction(() => document.documentElement.dataset.theme === "dark");
    await close();
  });

  test("a site in Arabic runs from right to left", async () => {
    const { page, close } = await open(arabicHome);
    const [side, article, outline] = await Promise.all(
      [".side", "article", ".outline-aside"].map((part) => box(page, part)),
    );
    assert.ok(side.x > article.x && article.x > outline.x, "the navigation is at the right, the outline at the left");
    const style = (selector, property) =>
      page
        .locator(selector)
        .first()
        .evaluate((node, name) => getComputedStyle(node)[name], property);
    assert.equal(await style(".block-quote", "borderRightWidth"), "3px");
    assert.equal(await style(".block-code", "direction"), "ltr");
    assert.deepEqual(await seriousFindings(page), []);
    // The arrow keys go where they point.
    await page.locator(".tab-button").first().focus();
    await page.keyboard.press("ArrowLeft");
    assert.equal(await page.locator('.tab-button[aria-selected="true"]').innerText(), "ويندوز");
    await close();

    const small = await open(arabicHome, phone);
    assert.ok(await fits(small.page), "nothing is wider than the screen");
    await small.page.locator(".menu-button").click();
    await small.page.waitForFunction(
      () => Math.abs(document.querySelector(".side").getBoundingClientRect().right - innerWidth) < 1,
    );
    await small.close();
  });

  test("an article in Arabic runs so on a site that does not", async () => {
    const { page, close } = await open(new URL(encodeURI("بالعربية"), home).href);
    assert.equal(await page.locator("article").evaluate((node) => getComputedStyle(node).direction), "rtl");
    const [side, article] = await Promise.all([".side", "article"].map((part) => box(page, part)));
    assert.ok(side.x < article.x, "the navigation stays where it is");
    await close();
  });

  test("the header's search stands in the middle, whatever a site is called", async () => {
    for (const address of [home, arabicHome]) {
      for (const width of [800, 1440, 1920]) {
        const { page, close } = await open(address, { viewport: { width, height: 900 } });
        const [search, brand, theme] = await Promise.all(
          [".search-button", ".brand", ".theme-switch"].map((part) => box(page, part)),
        );
        const middle = await page.evaluate(() => document.documentElement.clientWidth / 2);
        assert.ok(Math.abs(search.x + search.width / 2 - middle) < 1, `it is at ${search.x} of ${width}`);
        const meets = (a, b) => a.x < b.x + b.width && b.x < a.x + a.width;
        assert.ok(!meets(search, brand) && !meets(search, theme), "it covers what is beside it");
        await close();
      }
    }
  });

  test("long words break on phones", async () => {
    for (const path of [
      "donaudampf",
      longWord.toLowerCase().replaceAll("ä", "a"),
      "~/search?q=Donaudampf",
      "~/pages",
    ]) {
      const { page, close } = await open(new URL(path, home).href, phone);
      assert.ok(await page.getByText(longWord).first().count(), `${path} shows the word`);
      assert.ok(await fits(page), `${path} scrolls sideways`);
      await close();
    }
  });

  test("a formula that is wider than the page scrolls by keyboard", async () => {
    const { page, close } = await open(new URL("formulas", home).href, phone);
    await page.locator(".katex-display").waitFor();
    assert.ok(await fits(page), "the page does not scroll sideways");
    assert.deepEqual(await seriousFindings(page), []);
    await close();
  });

  test("all columns of a table are on paper", async () => {
    const { page, close } = await open(new URL("tables", home).href, { viewport: { width: 680, height: 900 } });
    const hidden = () => page.locator(".table-scroll").evaluate((node) => node.scrollWidth - node.clientWidth);
    assert.ok(await hidden() > 0, "on a screen it scrolls");
    await page.emulateMedia({ media: "print" });
    assert.ok(await hidden() <= 1, `${await hidden()} pixels are cut off`);
    await close();
  });

  test("the list of all pages fills the screen", async () => {
    const { page, close } = await open(new URL("~/pages", home).href);
    const lefts = await page
      .locator(".page-index a")
      .evaluateAll((links) => [...new Set(links.map((link) => link.getBoundingClientRect().left))]);
    assert.ok(lefts.length > 1, "it has columns");
    await close();
  });

  test("search shows what is popular, what was meant and what comes closest", async () => {
    for (const size of [undefined, phone]) {
      const { page, close } = await open(home, size);
      await page.keyboard.press("/");
      await page.locator(".search-head", { hasText: "Popular" }).waitFor();
      assert.ok((await page.locator(".hit").count()) > 0);
      assert.deepEqual(await seriousFindings(page), []);
      if (shots) await page.screenshot({ path: join(shots, `search-popular-${size ? "phone" : "wide"}.png`) });
      await page.getByRole("combobox").fill("Welcmoe");
      const meant = page.locator(".search-head").getByRole("button", { name: "welcome" });
      await meant.waitFor();
      assert.deepEqual(await seriousFindings(page), []);
      if (shots) await page.screenshot({ path: join(shots, `search-meant-${size ? "phone" : "wide"}.png`) });
      await meant.click();
      await page.locator(".hit mark", { hasText: "Welcome" }).first().waitFor();
      assert.equal(await page.getByRole("combobox").inputValue(), "welcome");
      await page.getByRole("combobox").fill("hello zeppelins");
      await page.locator(".search-head", { hasText: "Closest matches" }).waitFor();
      assert.match(await page.locator(".search-dialog [role=status]").innerText(), /^Closest matches: 1 result$/);
      await page.keyboard.press("Enter");
      await page.waitForFunction(() => !document.querySelector(".search-dialog[open]"));
      await close();
    }
  });

  test("one Escape closes search, also with words in it", async () => {
    const { page, close } = await open(home);
    await page.locator(".search-button").focus();
    await page.keyboard.press("Enter");
    await page.keyboard.type("page");
    await page.locator(".hit").first().waitFor();
    await page.keyboard.press("Escape");
    assert.equal(await page.locator(".search-dialog[open]").count(), 0);
    assert.ok(
      await page.locator(".search-button").evaluate((node) => node === document.activeElement),
      "the focus goes back",
    );
    await close();
  });

  test("who comes back to a page finds neither search nor the menu open", async () => {
    const left = (page) => page.evaluate(() => dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true })));
    const { page, close } = await open(home);
    await page.keyboard.press("/");
    await left(page);
    assert.equal(await page.locator(".search-dialog[open]").count(), 0);
    assert.equal(await page.evaluate(() => document.documentElement.style.overflow), "");
    await close();
    const small = await open(home, phone);
    await small.page.locator(".menu-button").click();
    await left(small.page);
    assert.equal(await small.page.locator(".side.is-open").count(), 0);
    await small.close();
  });
});
