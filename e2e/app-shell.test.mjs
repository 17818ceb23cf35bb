// The frame of the app, home, the tree of pages and reading, in a real browser: on a desktop and on a phone, light and
// dark, with the keyboard.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { password, shoot, startApp } from "./app.mjs";
import { seriousFindings } from "./browser.mjs";

const sizes = {
  desktop: { width: 1440, height: 900 },
  tablet: { width: 900, height: 1100 },
  phone: { width: 390, height: 844 },
};

describe("the app", () => {
  let app, server, guide, large;

  before(async () => {
    ({ server } = app = await startApp());
    guide = await server.space("Guide", {
      Welcome:
        'Begin with **bees**.\n\n## In spring\n\nOpen the hive.\n\n{% hint style="info" %}\nBees are kind.\n{% endhint %}\n',
      Hives: "Hives are warm.",
    });
    const tree = await server.api("GET", `/v1/spaces/${guide}/content/pages`);
    const [welcome, hives] = tree.pages;
    await server.api("POST", `/v1/spaces/${guide}/content`, {
      changes: [
        {
          operation: "insert_page",
          title: "Éclair",
          into: hives.id,
          document: { markdown: `Back to [the start](/spaces/${guide}/pages/${welcome.id}).` },
        },
      ],
    });
  });

  after(() => app?.stop());

  /** Opens an address of the app as Ada; whatever the browser complains of is a problem. */
  const open = (path, options) => app.open(path, { expected: /^$/, ...options });

  for (const [size, viewport] of Object.entries(sizes)) {
    for (const colorScheme of ["light", "dark"]) {
      test(`shows home and a page, on a ${size}, ${colorScheme}`, async () => {
        const { context, page, problems } = await open("/app", { viewport, colorScheme });
        await page.getByRole("heading", { name: "Home" }).waitFor();
        await page.getByText("Nothing waits for you.").waitFor();
        await shoot(page, `app-home-${size}-${colorScheme}`);
        assert.deepEqual(await seriousFindings(page), []);
        await page.getByRole("link", { name: "Guide" }).first().click();
        await page.getByRole("heading", { name: "Welcome", level: 1 }).waitFor();
        await page.getByText("Bees are kind.").waitFor();
        assert.match(await page.title(), /^Welcome/);
        if (size !== "desktop") {
          await page.getByRole("button", { name: "Pages" }).click();
          await page.getByRole("treeitem", { name: "Hives" }).waitFor();
        }
        await shoot(page, `app-page-${size}-${colorScheme}`);
        assert.deepEqual(await seriousFindings(page), []);
        await page.getByRole("treeitem", { name: "Hives" }).click();
        await page.getByText("Hives are warm.").waitFor();
        assert.equal(
          await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
          true,
          "the page scrolls sideways",
        );
        assert.deepEqual(problems, []);
        await context.close();
      });
    }
  }

  test("speaks German", async () => {
    const { context, page } = await open("/app", { locale: "de-AT" });
    await page.getByRole("heading", { name: "Start" }).waitFor();
    await page.getByText("Nichts wartet auf dich.").waitFor();
    assert.equal(await page.getAttribute("html", "lang"), "de");
    await context.close();
  });

  test("walks the tree with the keyboard", async () => {
    const { context, page } = await open(`/app/spaces/${guide}`);
    const item = (name) => page.getByRole("treeitem", { name });
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    const at = (name) => page.waitForFunction((want) => document.activeElement?.textContent === want, name);
    await item("Welcome").focus();
    await page.keyboard.press("ArrowDown");
    await at("Hives");
    await page.keyboard.press("ArrowLeft");
    await item("Éclair").waitFor({ state: "detached" });
    assert.equal(await item("Hives").getAttribute("aria-expanded"), "false");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await at("Éclair");
    await page.keyboard.press("Home");
    await at("Welcome");
    await page.keyboard.press("e");
    await at("Éclair");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Éclair", level: 1 }).waitFor();
    assert.equal(await focused(), "Éclair", "opening a page leaves the focus in the tree");
    // A link in the page opens in the app, and Back comes back.
    await page.evaluate(() => (window.stayed = true));
    await page.getByRole("link", { name: "the start" }).click();
    await page.getByRole("heading", { name: "Welcome", level: 1 }).waitFor();
    await page.goBack();
    await page.getByRole("heading", { name: "Éclair", level: 1 }).waitFor();
    assert.equal(await page.evaluate(() => window.stayed), true, "the app was loaded anew");
    // The filter finds without accents, and leads into the tree.
    await page.getByRole("searchbox").fill("ecl");
    await item("Welcome").waitFor({ state: "detached" });
    await page.keyboard.press("ArrowDown");
    await at("Éclair");
    await context.close();
  });

  test("keys lead everywhere, also where there is no space", async () => {
    const { context, page } = await open("/app/");
    await page.getByRole("heading", { name: "Home", level: 1 }).waitFor();
    await page.getByRole("button", { name: "Search", disabled: false }).waitFor();
    await page.keyboard.press("/");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("g");
    await page.keyboard.press("i");
    await page.getByRole("heading", { name: "Inbox", level: 1 }).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("h");
    await page.getByRole("heading", { name: "Home", level: 1 }).waitFor();
    await context.close();
  });

  test("scrolls ten thousand pages", async () => {
    large = await server.api("POST", `/v1/orgs/${server.organization}/spaces`, { title: "Large" });
    const rows = Array.from({ length: 10_000 }, (_, index) => ({
      id: `page_${index}`,
      title: `Page ${index}`,
      type: "document",
      path: `page-${index}`,
      pages: [],
    }));
    const { context, page } = await open("/app");
    await page.route(`**/v1/spaces/${large.id}/content/pages*`, (route) => route.fulfill({ json: { pages: rows } }));
    await page.route(`**/v1/spaces/${large.id}/content/page/*`, (route) =>
      route.fulfill({ json: { ...rows[0], html: "<p>Here.</p>" } }),
    );
    await page.goto(`${server.base}/app/spaces/${large.id}`);
    await page.getByRole("treeitem", { name: "Page 0", exact: true }).focus();
    assert.ok((await page.getByRole("treeitem").count()) < 100, "rows that nobody sees are drawn");
    await page.keyboard.press("End");
    await page.waitForFunction(() => document.activeElement?.textContent === "Page 9999");
    assert.equal(await page.getByRole("treeitem", { name: "Page 9999" }).getAttribute("aria-posinset"), "10000");
    await page.keyboard.press("Home");
    await page.waitForFunction(() => document.activeElement?.textContent === "Page 0");
    await context.close();
  });

  test("makes a space, and a page in a draft", async () => {
    const { context, page, problems } = await open("/app");
    await page.getByRole("button", { name: "New space" }).click();
    await page.getByLabel("Title").fill("Handbook");
    await shoot(page, "app-new-space");
    assert.deepEqual(await seriousFindings(page), []);
    // Other beginnings may be below the dialog already.
    const dialog = page.getByRole("dialog", { name: "New space" });
    const others = dialog.getByRole("link", { name: "Import or take a template" });
    await others.click();
    await page.getByRole("button", { name: /^Begin blank/ }).click();
    await dialog.waitFor();
    await others.click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: /^Begin blank/ }).click();
    await page.getByLabel("Title").fill("Handbook");
    await page.getByRole("button", { name: "Create space" }).click();
    await page.getByRole("heading", { name: "This space has no pages yet" }).waitFor();
    await page.getByRole("button", { name: "Write the first page" }).click();
    await page.waitForURL("**/changes/1/pages/*");
    await page.goto(`${server.base}/app`);
    await page.getByText("Continue draft").waitFor();
    await shoot(page, "app-home-draft");
    assert.deepEqual(await seriousFindings(page), []);
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("says when the server is away, and goes on when it is back", async () => {
    const { context, page } = await open(`/app/spaces/${guide}`);
    await page.getByText("Bees are kind.").waitFor();
    await context.setOffline(true);
    await page.getByText("The server cannot be reached.").waitFor();
    assert.equal(await page.getByText("Bees are kind.").isVisible(), true);
    await context.setOffline(false);
    await page.getByText("The server cannot be reached.").waitFor({ state: "detached" });
    await context.close();
  });

  test("leads through signing in to the address, and says what is not there", async () => {
    const { context, page } = await open(`/app/spaces/${guide}`, { storageState: undefined });
    await page.waitForURL("**/signin?next=*");
    await page.fill("#email", "ada@example.org");
    await page.fill("#password", password);
    await page.click("button.primary");
    await page.getByText("Bees are kind.").waitFor();
    // A session that ends while nothing is shown leads there again.
    await context.clearCookies();
    await page.getByRole("link", { name: "Home" }).click();
    await page.waitForURL("**/signin?next=*");
    await context.close();
    const other = await open("/app/nowhere");
    await other.page.getByRole("heading", { name: "There is nothing here" }).waitFor();
    assert.deepEqual(await seriousFindings(other.page), []);
    await other.page.goto(`${server.base}/app/spaces/space_none`);
    await other.page.getByRole("heading", { name: "There is nothing here" }).waitFor();
    await other.context.close();
  });

  test("opens a page by the address of its space with the path of the page behind it", async () => {
    const { urls } = await server.api("GET", `/v1/spaces/${guide}`);
    const { pages: [, hives] } = await server.api("GET", `/v1/spaces/${guide}/content/pages`);
    const below = hives.pages[0];
    const { context, page, problems } = await open(new URL(urls.app + below.path).pathname);
    await page.waitForURL(`**/app/spaces/${guide}/pages/${below.id}`);
    await page.getByRole("heading", { name: "Éclair", level: 1 }).waitFor();
    await page.goto(urls.app);
    await page.waitForURL(`**/app/spaces/${guide}/pages/*`);
    assert.deepEqual(problems, []);
    assert.equal((await server.api("GET", `/v1/urls/content?url=${encodeURIComponent(urls.app)}`)).space.id, guide);
    await context.close();
    const nowhere = await app.open(`/app/spaces/${guide}/no/such/page`, { expected: /status of 404/ });
    await nowhere.page.getByRole("heading", { name: "There is nothing here" }).waitFor();
    await nowhere.context.close();
  });

  test("leads past the rail, and out", async () => {
    const { context, page } = await open("/app");
    await page.getByRole("heading", { name: "Home" }).waitFor();
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Skip to content");
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement?.id), "main");
    await page.getByRole("button", { name: "You: Ada" }).click();
    await page.getByRole("menuitem", { name: "Account" }).waitFor();
    // Base UI's guards at both ends of a menu have to take the focus, and hand it on at once.
    const findings = await seriousFindings(page);
    assert.deepEqual(findings.filter((each) => !each.includes("data-base-ui-focus-guard")), []);
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.waitForURL("**/signin");
    await context.close();
  });
});
