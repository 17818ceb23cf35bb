// Sites in the app, in a real browser: made, published and taken away, who may read them, what is on them, redirects.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { look, phone, startApp } from "./app.mjs";

describe("sites in the app", () => {
  let app, server, guide, reference, ada, id;
  const site = () => server.api("GET", `/v1/orgs/${server.organization}/sites/${id}`);
  const until = async (holds) => {
    for (let i = 0; i < 100; i++) {
      if (await holds(await site())) return;
      await new Promise((done) => setTimeout(done, 100));
    }
    assert.fail(JSON.stringify(await site()));
  };
  before(async () => {
    ({ server } = app = await startApp());
    await app.addPerson("grace@example.org", "Grace", "read");
    guide = await server.space("Guide", { Start: "Hello, reader.\n" });
    reference = await server.space("Reference", { Terms: "Words.\n" });
    // What the server refuses is said in place; pictures of other hosts do not load here.
    ada = await app.open("/app", { expected: /status of 40[04]|ERR_NAME_NOT_RESOLVED/ });
  });
  after(() => app?.stop());

  test("a site is made of a space and published, and readers read it", async () => {
    const { page } = ada;
    await page.getByRole("link", { name: "Sites" }).click();
    await page.getByText("There are no sites yet").waitFor();
    await look(page, "sites-none");
    await page.getByRole("button", { name: "New site" }).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Title" }).fill("Docs");
    await dialog.getByRole("combobox", { name: "Choose a space" }).fill("Gui");
    await page.getByRole("option", { name: "Guide" }).click();
    await page.keyboard.press("Tab");
    await dialog.getByRole("button", { name: "Create" }).click();
    await page.waitForURL(/sites\/site_/);
    id = /sites\/([^/?#]+)/.exec(page.url())[1];
    await page.getByRole("button", { name: "Publish" }).click();
    const open = page.getByRole("link", { name: "Open the site" });
    await open.waitFor();
    assert.match(await (await fetch(await open.getAttribute("href"))).text(), /Hello, reader/);
    await page.getByRole("textbox", { name: "Address", exact: true }).fill("handbook");
    await until(({ basename }) => basename === "handbook");
    await look(page, "sites-one");
    assert.deepEqual(ada.problems, []);
  });

  const part = (name) =>
    ada.page.getByRole("navigation", { name: "Parts of the site" }).getByRole("link", { name }).click();
  const names = (list) =>
    list
      .map((each) =>
        each.object === "site-space"
          ? each.space.title
          : `${each.title}(${names(each.siteSpaces ?? each.children ?? [])})`,
      )
      .join();
  const structure = async () =>
    names((await server.api("GET", `/v1/orgs/${server.organization}/sites/${id}/structure`)).structure);
  const menu = async (name, ...items) => {
    await ada.page.getByRole("button", { name: `${name}: what to do` }).click();
    for (const item of items) await ada.page.getByRole("menuitem", { name: item }).click();
    // A menu that closes gives the focus back to its button.
    await ada.page.getByRole("menu").first().waitFor({ state: "detached" });
  };
  const add = async (button, fill) => {
    await ada.page.getByRole("button", { name: button }).click();
    const dialog = ada.page.getByRole("dialog");
    await fill(dialog);
    await dialog.getByRole("button", { name: "Add" }).click();
    await dialog.waitFor({ state: "detached" });
  };

  test("spaces are put on it, moved, and taken off", async () => {
    const { page } = ada;
    await part("What is on it");
    await page.frameLocator("iframe").getByText("Hello, reader.").waitFor();
    await add("Add a variant", (dialog) =>
      dialog.getByRole("combobox", { name: "Space" }).selectOption({ label: "Reference" }),
    );
    await menu("Reference", "Move up");
    await until(async () => (await structure()) === "Reference,Guide");
    await page.getByRole("button", { name: "Space Reference", exact: true }).focus();
    await page.keyboard.press("Alt+ArrowDown");
    await until(async () => (await structure()) === "Guide,Reference");
    await page.getByRole("status").filter({ hasText: "Reference is 2 of 2" }).waitFor({ state: "attached" });
    await menu("Reference", "Show it first");
    await until(
      async () =>
        (await server.api("GET", `/v1/orgs/${server.organization}/sites/${id}/site-spaces?default=true`)).items[0].space
          .title === "Reference",
    );
    await menu("Reference", "Take it off the site");
    await until(async () => (await structure()) === "Guide");
    assert.deepEqual(ada.problems, []);
  });

  test("sections and groups are made, filled, renamed, dragged and dissolved", async () => {
    const { page } = ada;
    await add("Add a section", async (dialog) => {
      await dialog.getByRole("combobox", { name: "Space" }).selectOption({ label: "Reference" });
      await dialog.getByRole("textbox", { name: "Title" }).fill("API");
    });
    await until(async () => (await structure()) === "Guide(Guide),API(Reference)");
    await add("Add a group", (dialog) => dialog.getByRole("textbox", { name: "Title" }).fill("Developers"));
    await menu("API", "Move into", "Developers");
    await until(async () => (await structure()) === "Guide(Guide),Developers(API(Reference))");
    await look(page, "sites-structure", { within: "main section" });
    // What is called otherwise, and has another address and an icon.
    await page.getByRole("button", { name: "Section API", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Title" }).fill("Endpoints");
    await dialog.getByRole("textbox", { name: "Address" }).fill("rest");
    await dialog.getByRole("textbox", { name: "Description" }).fill("Every endpoint");
    await dialog.getByRole("button", { name: "Choose an icon" }).click();
    await dialog.getByRole("combobox", { name: "Search icons" }).fill("book-open");
    await page.getByRole("option", { name: "book-open", exact: true }).click();
    await look(page, "sites-section", { within: "[role=dialog]" });
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    const sections = (await server.api("GET", `/v1/orgs/${server.organization}/sites/${id}/sections`)).items;
    const { path, description, icon } = sections.find(({ title }) => title === "Endpoints");
    assert.deepEqual([path, description, icon], ["rest", "Every endpoint", "book-open"]);
    await page.frameLocator("iframe").getByText("Developers").first().waitFor({ state: "attached" });
    // By dragging: the section goes out of the group, before the first one.
    const rows = page.getByRole("listitem");
    const grip = (text) => rows.filter({ has: page.getByRole("button", { name: text, exact: true }) });
    await grip("Section Endpoints").dragTo(grip("Section Guide"), { targetPosition: { x: 30, y: 4 } });
    await until(async () => (await structure()) === "Endpoints(Reference),Guide(Guide),Developers()");
    await menu("Developers", "Dissolve the group");
    await page.getByRole("dialog").getByRole("button", { name: "Dissolve the group" }).click();
    await until(async () => (await structure()) === "Endpoints(Reference),Guide(Guide)");
    await menu("Endpoints", "Take it off the site");
    await page.getByRole("dialog").getByRole("button", { name: "Take it off the site" }).click();
    await until(async () => (await structure()) === "Guide(Guide)");
    assert.deepEqual(ada.problems, []);
  });

  test("old addresses lead on", async () => {
    const { page } = ada;
    await part("Site");
    await page.getByRole("textbox", { name: "From a path" }).fill("/old");
    await page.getByRole("textbox", { name: "To a path" }).fill("https://example.org/new");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByText("https://example.org/new").waitFor();
    const { urls } = await site();
    const answer = await fetch(`${urls.published.replace(/\/$/, "")}/old`, { redirect: "manual" });
    assert.equal(answer.headers.get("location"), "https://example.org/new");
    await page.getByRole("button", { name: "Delete the redirect of /old" }).click();
    await page.getByText("https://example.org/new").waitFor({ state: "detached" });
    await page.getByRole("switch", { name: "Programs of language models may read it" }).click();
    await until(({ agentsContext }) => agentsContext === "excluded");
    assert.deepEqual(ada.problems, []);
  });

  test("who may read it is chosen, and links are made and stopped", async () => {
    const { page } = ada;
    await part("Who may read it");
    await page.getByRole("radio", { name: /^Share links/ }).click();
    await page.getByRole("textbox", { name: "For whom it is" }).fill("Partners");
    await page.getByRole("button", { name: "Make a link" }).click();
    await page.getByText("Partners").waitFor();
    await look(page, "sites-links");
    const { urls } = await site();
    assert.doesNotMatch(await (await fetch(urls.published)).text(), /Hello, reader/);
    const {
      items: [link],
    } = await server.api("GET", `/v1/orgs/${server.organization}/sites/${id}/share-links`);
    await page.getByRole("button", { name: "Stop it" }).click();
    await page.getByRole("button", { name: "Let it work" }).waitFor();
    assert.equal(
      (await server.api("GET", `/v1/orgs/${server.organization}/sites/${id}/share-links`)).items[0].active,
      false,
    );
    assert.ok(link.active);
    await page.getByRole("radio", { name: /^Public/ }).click();
    await until(({ visibility }) => visibility === "public");
    assert.deepEqual(ada.problems, []);
  });

  test("visitors who sign in elsewhere, and what may be known of them", async () => {
    const { page } = ada;
    const path = `/v1/orgs/${server.organization}/sites/${id}`;
    await page.getByRole("radio", { name: /^Visitors who sign in/ }).click();
    await page.getByText("Without an address to sign in at").waitFor();
    await page.getByRole("textbox", { name: "Where visitors sign in" }).fill("https://example.org/docs-login");
    await page.getByText("Without an address to sign in at").waitFor({ state: "detached" });
    const auth = await server.api("GET", `${path}/publishing/auth`);
    assert.equal(auth.fallbackURL, "https://example.org/docs-login");
    assert.equal(await page.getByText(auth.privateKey).count(), 0, "the key shows before it is asked for");
    await page.getByRole("button", { name: "Show", exact: true }).click();
    await page.getByText(auth.privateKey).waitFor();
    await page.getByRole("button", { name: "New key" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "New key" }).click();
    await page.getByText("The key is new.").waitFor();
    assert.equal(await page.getByText(auth.privateKey).count(), 0);
    await page.getByRole("switch", { name: "Adapt to visitors" }).click();
    await until(({ adaptiveContent }) => adaptiveContent.enabled);
    await page.getByRole("button", { name: "Add a claim" }).click();
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("plan");
    await page.getByRole("combobox", { name: "What it is" }).selectOption({ label: "One of a few words" });
    await page.getByRole("textbox", { name: "One of" }).fill("free, pro");
    await look(page, "sites-readers");
    await page.getByRole("button", { name: "Save the claims" }).click();
    await page.getByText("Saved.").waitFor();
    assert.deepEqual((await server.api("GET", `${path}/adaptive-schema`)).jsonSchema.properties, {
      plan: { type: "string", enum: ["free", "pro"], description: "plan" },
    });
    // What is changed while they are saved stays.
    await page.route("**/adaptive-schema", async (route) => {
      if (route.request().method() === "PUT") await new Promise((done) => setTimeout(done, 700));
      await route.continue();
    });
    const name = page.getByRole("textbox", { name: "Name", exact: true });
    await name.fill("tier");
    const answered = page.waitForResponse((answer) => answer.request().method() === "PUT");
    await page.getByRole("button", { name: "Save the claims" }).click();
    await name.fill("plan");
    await answered;
    await page.getByRole("button", { name: "Save the claims", disabled: false }).click();
    await page.getByText("Saved.").waitFor();
    await page.unroute("**/adaptive-schema");
    const { jsonSchema } = await server.api("GET", `${path}/adaptive-schema`);
    assert.deepEqual(Object.keys(jsonSchema.properties), ["plan"]);
    // As text; what the server refuses stays, with its reason.
    await page.getByRole("button", { name: "Edit as JSON" }).click();
    const text = page.getByRole("textbox", { name: "Schema of the claims" });
    await text.fill('{"type":"object","properties":{"plan":{"type":"null"}}}');
    await page.getByRole("button", { name: "Save the claims" }).click();
    await page.getByRole("alert").waitFor();
    assert.match(await text.inputValue(), /null/);
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Back to the list" }).click();
    // As a visitor with a plan.
    const preview = await page.getByRole("link", { name: "See it as a visitor" }).getAttribute("href");
    const seen = await app.open(new URL(preview).pathname + new URL(preview).search);
    await seen.page.getByText("plan").first().waitFor();
    await seen.context.close();
    await page.getByRole("radio", { name: /^Public/ }).click();
    await until(({ visibility }) => visibility === "public");
    assert.deepEqual(ada.problems, []);
  });

  test("an integration on the site signs visitors in", async () => {
    const path = `/v1/orgs/${server.organization}/sites/${id}`;
    const auth = () => server.api("GET", `${path}/publishing/auth`);
    // What cannot let anybody in is not offered.
    const install = async (name, title, scopes) => {
      await server.api("POST", `/v1/integrations/${name}`, {
        organization: server.organization,
        title,
        description: "Knows everybody.",
        scopes,
        visibility: "private",
        runtime: "v2",
        script: "export default {};",
      });
      const installed = await server.api("POST", `/v1/integrations/${name}/installations`, {
        organization: server.organization,
      });
      await server.api("POST", `/v1/integrations/${name}/installations/${installed.id}/sites`, { siteId: id });
      return `/v1/integrations/${name}/installations/${installed.id}/sites/${id}`;
    };
    await install("tickets", "Tickets", ["space:content:read"]);
    // By the address that integrations know.
    const { page, context, problems } = await app.open(
      `/app/orgs/${server.organization}/sites/${id}/settings/audience`,
      { expected: /ERR_NAME_NOT_RESOLVED/ },
    );
    await page.waitForURL(`**/sites/${id}/readers`);
    await page.getByRole("radio", { name: /^Visitors who sign in/ }).click();
    const signIn = page.getByRole("group", { name: "Who signs visitors in?" });
    await signIn.getByText("An integration can do it as well").waitFor();
    assert.equal(await signIn.getByRole("radio").count(), 1);
    assert.match(
      await signIn.getByRole("link", { name: "See the integrations" }).getAttribute("href"),
      /\/integrations$/,
    );
    const onSite = await install("door", "Front door", ["site:visitor:auth"]);
    await install("gate", "Garden gate", ["site:visitor:auth"]);
    await page.reload();
    await signIn.getByRole("radio", { name: /^Front door/ }).click();
    await page.getByRole("textbox", { name: "Where visitors sign in" }).waitFor({ state: "detached" });
    await until(async () => (await auth()).integration === "door");
    assert.ok(await signIn.getByRole("radio", { name: /^Front door/ }).isChecked());
    assert.equal(await page.getByText("Key that tokens are signed with").count(), 0);
    await look(page, "sites-readers-integration");

    // One that is taken off the site lets nobody in, which is said.
    await server.api("DELETE", onSite);
    const other = await app.open(`/app/orgs/${server.organization}/sites/${id}/readers`, {
      ...phone,
      colorScheme: "dark",
      locale: "de",
      expected: /ERR_NAME_NOT_RESOLVED/,
    });
    await other.page.getByText(/meldet auf dieser Website niemanden mehr an/).waitFor();
    await look(other.page, "sites-readers-integration-phone");
    await other.page.getByRole("radio", { name: /^Garden gate/ }).click();
    await until(async () => (await auth()).integration === "gate");
    await other.page.getByText(/meldet auf dieser Website niemanden mehr an/).waitFor({ state: "detached" });
    await other.page.getByRole("radio", { name: /^Ein eigenes Programm/ }).click();
    await other.page.getByRole("textbox", { name: "Wo sich Besucher anmelden" }).waitFor();
    assert.deepEqual(
      [(await auth()).backend, (await auth()).fallbackURL],
      ["custom", "https://example.org/docs-login"],
    );
    assert.deepEqual(other.problems, []);
    await other.context.close();
    await page.getByRole("radio", { name: /^Public/ }).click();
    await until(({ visibility }) => visibility === "public");
    assert.deepEqual(problems, []);
    await context.close();
  });

  const path = () => `/v1/orgs/${server.organization}/sites/${id}/customization`;
  const customized = async (holds) => until(async () => holds(await server.api("GET", path())));

  test("its look is chosen beside the real page, and undone", async () => {
    const { page } = ada;
    await part("Look");
    const shown = page.frameLocator("iframe");
    await shown.getByText("Hello, reader.").waitFor();
    await page.getByRole("radio", { name: "Bold" }).click();
    await page.getByRole("radio", { name: "Straight" }).click();
    await page.getByRole("combobox", { name: "Font", exact: true }).selectOption({ label: "Merriweather" });
    // A colour is saved while its field still has the focus.
    await page.getByLabel("Colour, light").fill("#ffd400");
    await page.getByText("links get a stronger tone").waitFor();
    await customized(({ styling }) => styling.primaryColor.light === "#ffd400");
    await page.getByRole("radio", { name: "What their system says" }).click();
    await customized(({ themes }) => themes.default === "system");
    const { styling } = await server.api("GET", path());
    assert.deepEqual([styling.theme, styling.corners, styling.font], ["bold", "straight", "Merriweather"]);
    // While the page beside it loads there is no body.
    await page.waitForFunction(() => {
      const body = document.querySelector("iframe")?.contentDocument?.body;
      return body && getComputedStyle(body).fontFamily.includes("Merriweather");
    });
    await look(page, "sites-look", { within: "main > div > div:first-child" });
    // What another administrator has set meanwhile stays, also when a step is undone.
    const there = await server.api("GET", path());
    await server.api("PUT", path(), { ...there, privacyPolicy: { url: "https://example.org/privacy" } });
    await page.getByRole("button", { name: "Undo" }).click();
    await customized(({ themes }) => themes.default !== "system");
    assert.equal((await server.api("GET", path())).privacyPolicy.url, "https://example.org/privacy");
    await page.getByRole("button", { name: "Undo" }).click();
    await customized((now) => now.styling.primaryColor.light !== "#ffd400" && now.styling.font === "Merriweather");
    assert.deepEqual(ada.problems, []);
  });

  test("header, footer, announcement and what pages offer", async () => {
    const { page } = ada;
    const shown = page.frameLocator("iframe");
    await page.getByRole("button", { name: "Header, logo and icon" }).click();
    await page.getByRole("textbox", { name: "Name in the header" }).fill("Acme Handbook");
    await customized(({ title }) => title === "Acme Handbook");
    // What the server refuses stays in the field with its reason.
    const logo = page.getByRole("textbox", { name: "Logo", exact: true });
    await logo.fill("not an address");
    await page.getByRole("alert").first().waitFor();
    assert.equal(await logo.inputValue(), "not an address");
    await logo.fill("https://example.org/logo.svg");
    await customized(({ header }) => header.logo?.dark === "https://example.org/logo.svg");
    // One that is sent is among the files of the first space, and shows on the site.
    await page
      .getByLabel("Upload: Logo", { exact: true })
      .setInputFiles({
        name: "our logo.svg",
        mimeType: "image/svg+xml",
        buffer: Buffer.from(
          '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 80 20"><rect width="80" height="20" fill="#c2255c"/></svg>',
        ),
      });
    await customized(({ header }) => header.logo?.light.includes("/~/files/"));
    const { light } = (await server.api("GET", path())).header.logo;
    assert.equal((await fetch(light)).headers.get("content-type"), "image/svg+xml");
    await page.waitForFunction(() =>
      [...document.querySelector("iframe").contentDocument.images].some(
        (image) => image.naturalWidth > 0 && image.src.includes("our%20logo"),
      ),
    );
    await logo.fill("");
    await customized(({ header }) => !header.logo);
    await page.getByRole("button", { name: "Add a link", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox", { name: "Title" }).fill("Start here");
    await dialog.getByRole("combobox", { name: "Looks like" }).selectOption({ label: "A button in your colour" });
    await dialog.getByRole("combobox", { name: "Leads to" }).selectOption({ label: "Guide" });
    await dialog.getByRole("combobox", { name: "Page" }).selectOption({ label: "Start" });
    await dialog.getByRole("textbox", { name: "In other languages" }).fill("de: Hier beginnen");
    await look(page, "sites-link", { within: "[role=dialog]" });
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    await shown.getByText("Start here").first().waitFor({ state: "attached" });
    const { header } = await server.api("GET", path());
    assert.deepEqual(
      [header.links[0].to.kind, header.links[0].style, header.links[0].localizedTitle],
      ["page", "button-primary", { de: "Hier beginnen" }],
    );
    await look(page, "sites-look-header", { within: "main > div > div:first-child" });

    await page.getByRole("button", { name: "Footer and social accounts" }).click();
    await page.getByRole("button", { name: "Add a column" }).click();
    await dialog.getByRole("textbox", { name: "Title" }).fill("Company");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Company: what to do" }).click();
    await page.getByRole("menuitem", { name: "Add a link below it" }).click();
    await dialog.getByRole("textbox", { name: "Title" }).fill("Imprint");
    await dialog.getByRole("textbox", { name: "Address" }).fill("https://example.org/imprint");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    await shown.getByText("Imprint").waitFor();
    await page.getByRole("textbox", { name: "Line at the very end" }).fill("© Acme");
    await page.getByRole("combobox", { name: "Where" }).selectOption({ label: "Mastodon" });
    await page.getByRole("textbox", { name: "Name of the account" }).fill("@acme@example.org");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await customized(
      ({ footer, socialAccounts }) => footer.copyright === "© Acme" && socialAccounts[0]?.platform === "mastodon",
    );
    await look(page, "sites-look-footer", { within: "main > div > div:first-child" });

    await page.getByRole("button", { name: "Announcement" }).click();
    await page.getByRole("textbox", { name: "Message" }).fill("Version 2 is out.");
    await page.getByRole("button", { name: "Show to readers" }).click();
    await shown.getByText("Version 2 is out.").waitFor();
    await page.getByRole("radio", { name: "Danger" }).click();
    await customized(
      ({ announcement }) => announcement?.style === "danger" && announcement.message === "Version 2 is out.",
    );
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("button", { name: "Undo" }).click();
    await customized(({ announcement }) => !announcement);

    await page.getByRole("button", { name: "What pages offer" }).click();
    await page.getByRole("switch", { name: "Ask whether the page helped" }).click();
    await customized(({ feedback }) => feedback.enabled);
    await page.getByRole("button", { name: "Details" }).click();
    await page.getByRole("switch", { name: "Shadows" }).click();
    await customized(({ styling }) => styling.depth === "flat");
    assert.deepEqual(ada.problems, []);
  });

  test("choices of its look that are made while others are on their way take none back", async () => {
    const { page } = ada;
    await server.api("PUT", path(), {
      ...(await server.api("GET", path())),
      socialAccounts: [
        { platform: "github", handle: "acme", display: { footer: false, header: false } },
        { platform: "mastodon", handle: "@acme@example.org", display: { footer: false, header: false } },
      ],
      themes: { default: "light", toggeable: true },
    });
    await page.reload();
    await page.getByRole("button", { name: "Footer and social accounts" }).click();
    await page.route("**/customization", async (route) => {
      if (route.request().method() === "PUT") await new Promise((done) => setTimeout(done, 700));
      await route.continue();
    });
    const boxes = page.getByRole("checkbox", { name: "In the footer" });
    await boxes.first().click();
    await page.getByRole("button", { name: "Theme, colours and fonts" }).click();
    await page.getByRole("radio", { name: "What their system says" }).click();
    await page.getByRole("button", { name: "Footer and social accounts" }).click();
    await boxes.nth(1).click();
    assert.equal(await boxes.first().isChecked(), true);
    const displayed = ({ socialAccounts }) => socialAccounts.map(({ display }) => display.footer).join();
    await customized((now) => now.themes.default === "system" && displayed(now) === "true,true");
    // Steps back are as many as were asked for.
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("button", { name: "Undo" }).click();
    await customized((now) => now.themes.default === "light" && displayed(now) === "true,false");
    await page.unroute("**/customization");
    assert.deepEqual(ada.problems, []);
  });

  test("a space on it has a look of its own, and gives it back", async () => {
    const { page } = ada;
    const { id: added } = await server.api("POST", `/v1/orgs/${server.organization}/sites/${id}/site-spaces`, {
      spaceId: reference,
      sectionId: (await server.api("GET", `/v1/orgs/${server.organization}/sites/${id}/sections`)).items[0].id,
    });
    await page.reload();
    await page.getByRole("combobox", { name: "Look of" }).selectOption({ label: "Reference" });
    await page.getByRole("button", { name: "Theme, colours and fonts" }).click();
    await page.getByRole("radio", { name: "Muted" }).click();
    const own = path().replace("/customization", `/site-spaces/${added}/customization`);
    await until(async () => (await server.api("GET", own)).styling.theme === "muted");
    assert.equal((await server.api("GET", path())).styling.theme, "bold");
    await page.getByRole("combobox", { name: "Look of" }).selectOption({ index: 0 });
    await page.getByRole("radio", { name: "Bold", checked: true }).waitFor();
    // The steps of the space are not those of the site.
    assert.equal(await page.getByRole("button", { name: "Undo" }).isDisabled(), true);
    await page.getByRole("combobox", { name: "Look of" }).selectOption({ label: "Reference" });
    await page.getByRole("button", { name: "As the site again" }).click();
    await until(async () => (await server.api("GET", own)).hasOverrides === false);
    await page.getByRole("radio", { name: "Bold", checked: true }).waitFor();
    assert.deepEqual(ada.problems, []);
  });

  test("what readers answered is there by page", async () => {
    const { page } = ada;
    await part("Insights");
    await page.getByText("No answers yet").waitFor();
    await page.getByText("No link of this site leads nowhere.").waitFor();
    await look(page, "sites-feedback-none");
    const reader = await app.browser.newContext();
    const tab = await reader.newPage();
    await tab.goto((await site()).urls.published);
    await tab.getByRole("button", { name: "No", exact: true }).click();
    await tab.getByLabel(/What could be better/).fill("What is a term?");
    await tab.getByRole("button", { name: "Send" }).click();
    await tab.getByText("It was sent.").waitFor();
    await reader.close();
    await until(async () =>
      (await server.api("GET", `/v1/orgs/${server.organization}/sites/${id}/feedback`)).items.some(
        ({ comment }) => comment,
      ),
    );
    await page.reload();
    await page.getByText("What is a term?").waitFor();
    await page.getByText("1 answer, 0% say that the page helped.").waitFor();
    await page.getByRole("button", { name: "Start", exact: true }).click();
    await page.getByRole("heading", { name: "What readers answered on “Start”" }).waitFor();
    await look(page, "sites-feedback");
    assert.deepEqual(ada.problems, []);
  });

  test("who may not change it sees it; on a phone, in the dark", async () => {
    const { page, context, problems } = await app.open(`/app/orgs/${server.organization}/sites/${id}`, {
      email: "grace@example.org",
      ...phone,
      colorScheme: "dark",
    });
    await page.getByRole("heading", { name: "Docs" }).waitFor();
    assert.equal(await page.getByRole("button", { name: /Delete site|Unpublish|Publish/ }).count(), 0);
    assert.ok(await page.getByRole("textbox", { name: "Address", exact: true }).isDisabled());
    await look(page, "sites-phone");
    for (const [name, shown] of [
      ["What is on it", "Section Guide"],
      ["Who may read it", "Public"],
    ]) {
      await page.getByRole("navigation", { name: "Parts of the site" }).getByRole("link", { name }).click();
      await page.getByText(shown).first().waitFor({ state: "attached" });
      await look(page, `sites-phone-${name}`, { within: "main" });
    }
    assert.equal(
      await page.getByRole("navigation", { name: "Parts of the site" }).getByRole("link", { name: "Look" }).count(),
      0,
    );
    await page.goto(`${server.base}/app`);
    await page.getByRole("main").getByRole("link", { name: "Sites" }).click();
    await page.getByRole("link", { name: "Docs", exact: true }).waitFor();
    await look(page, "sites-list-phone");
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("its parts are in German, in the dark, on a phone", async () => {
    const { page, context, problems } = await app.open(`/app/orgs/${server.organization}/sites/${id}/look`, {
      ...phone,
      colorScheme: "dark",
      locale: "de",
      expected: /status of 40[04]|ERR_NAME_NOT_RESOLVED/,
    });
    await page.getByRole("combobox", { name: "Schrift", exact: true }).waitFor();
    await look(page, "sites-look-phone-de", { within: "main > div > div:first-child" });
    for (const [name, shown] of [
      ["Wer sie lesen darf", "Wie sich Besucher anmelden"],
      ["Einblicke", "Kaputte Links"],
      ["Was darauf ist", "Variante hinzufügen"],
    ]) {
      await page.getByRole("navigation", { name: "Teile der Website" }).getByRole("link", { name }).click();
      await page.getByText(shown).first().waitFor();
      await look(page, `sites-phone-de-${name}`, { within: "main" });
    }
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("it goes off the air, and is deleted", async () => {
    const { page } = ada;
    const { urls } = await site();
    await part("Site");
    await page.getByRole("button", { name: "Unpublish" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Unpublish" }).click();
    await page.getByRole("button", { name: "Publish", exact: true }).waitFor();
    assert.equal((await fetch(urls.published)).status, 404);
    await page.getByRole("button", { name: "Delete site" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete site" }).click();
    await page.getByText("There are no sites yet").waitFor();
    assert.deepEqual(ada.problems, []);
  });
});
