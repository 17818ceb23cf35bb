// Pages that an integration makes, in a real browser: who writes in the space sees why one could not be made.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { look, phone, startApp } from "./app.mjs";

const script = `
const text = (words) => ({ object: "document", nodes: [{ object: "block", type: "paragraph", nodes: [{ object: "text", leaves: [{ object: "leaf", text: words, marks: [] }] }] }] });
export default { async fetch(request) {
  const form = await request.formData();
  const event = JSON.parse(form.get("event")), { mood } = JSON.parse(form.get("environment")).spaceInstallation.configuration;
  if (mood === "broken") throw new Error("out of ink");
  if (event.type === "content_compute_document") return new Response(JSON.stringify({ document: text("A sheet that is " + mood) }));
  return new Response(JSON.stringify({ pages: [{ type: "document", id: "a", title: "Alpha", computed: { type: "integration:press:sheet", props: { name: "alpha" } } }] }));
} };`;

// A source with settings, and one whose settings its script does not draw.
const shelves = `
const text = (words) => ({ object: "document", nodes: [{ object: "block", type: "paragraph", nodes: [{ object: "text", leaves: [{ object: "leaf", text: words, marks: [] }] }] }] });
const input = (label, state, initialValue) => ({ type: "input", label, element: { type: "textinput", state, initialValue } });
export default { async fetch(request) {
  const form = await request.formData(), event = JSON.parse(form.get("event"));
  if (event.type === "content_compute_revision") return Response.json({ pages: [{ type: "document", id: "a", title: "On " + (event.props.letter ?? "every letter"), document: text("Books of " + JSON.stringify(event.props)) }] });
  if (event.type !== "ui_render" || event.componentId !== "choose") return new Response("none", { status: 404 });
  const { letter } = event.state ?? {};
  if (event.action?.action === "use" && letter) return Response.json({ type: "complete", returnValue: { props: { letter } } });
  return Response.json({ type: "element", state: event.state ?? { letter: event.props.letter ?? "" }, props: event.props, element: { type: "configuration", children: [
    input("Letter", "letter", event.props.letter ?? ""),
    { type: "hint", children: [{ type: "text", children: [event.action ? "A letter is needed." : "For " + event.context.type] }] },
    { type: "button", label: "Use it", style: "primary", onPress: { action: "use" } },
  ] } });
} };`;

describe("pages that an integration makes", () => {
  let app, server, space, at;
  const until = async (read, holds) => {
    for (let i = 0; i < 150; i++) {
      const got = await read();
      if (holds(got)) return got;
      await new Promise((done) => setTimeout(done, 100));
    }
    assert.fail(JSON.stringify(await read()));
  };
  const pages = async () => (await server.api("GET", `/v1/spaces/${space}/content/pages`)).pages;
  const flat = (list) => list.flatMap((each) => [each, ...flat(each.pages ?? [])]);
  before(async () => {
    ({ server } = app = await startApp());
    await app.addPerson("grace@example.org", "Grace", "read");
    space = await server.space("Guide", { Start: "Hello.\n" });
    await server.api("POST", "/v1/integrations/press", {
      organization: server.organization,
      title: "Press",
      description: "Prints sheets.",
      scopes: ["space:content:read"],
      visibility: "private",
      runtime: "v2",
      script,
      contentSources: [{ id: "sheet", title: "Sheets", configuration: { componentId: "c" } }],
      configurations: { space: { properties: { mood: { type: "string", default: "calm" } } } },
    });
    const { id } = await server.api("POST", "/v1/integrations/press/installations", {
      organization: server.organization,
    });
    at = `/v1/integrations/press/installations/${id}/spaces`;
    await server.api("POST", at, { space });
    at += `/${space}`;
    await server.api("POST", `/v1/spaces/${space}/content`, {
      changes: [
        {
          operation: "insert_page",
          type: "computed",
          title: "Sheets",
          computed: { type: "integration:press:sheet", props: { n: 1 }, dependencies: {} },
        },
      ],
    });
  });
  after(() => app?.stop());

  test("writers see why it could not be made, readers do not", async () => {
    const alpha = (await until(pages, (list) => flat(list).some(({ title }) => title === "Alpha")).then(flat)).find(
      ({ title }) => title === "Alpha",
    ).id;
    const path = `/app/spaces/${space}/pages/${alpha}`;
    const well = await app.open(path);
    await well.page.getByText("A sheet that is calm").waitFor();
    assert.equal(await well.page.getByText("out of ink").count(), 0);
    await well.context.close();
    await server.api("PATCH", at, { configuration: { mood: "broken" } });
    await until(
      async () => (await pages(), server.api("GET", `/v1/spaces/${space}/content-sources`)),
      (list) => list[0]?.results?.some(({ props, problem }) => props.n === 1 && problem?.includes("out of ink")),
    );
    const ada = await app.open(path);
    await ada.page
      .getByRole("status")
      .filter({ hasText: "It could not be made anew from “Sheets”" })
      .filter({ hasText: "out of ink" })
      .waitFor();
    await ada.page.getByText("A sheet that is calm").waitFor();
    await look(ada.page, "content-source-fault");
    assert.deepEqual(ada.problems, []);
    await ada.context.close();
    const german = await app.open(path, { ...phone, colorScheme: "dark", locale: "de" });
    await german.page
      .getByRole("status")
      .filter({ hasText: "Es konnte aus „Sheets“ nicht neu erstellt werden" })
      .waitFor();
    await look(german.page, "content-source-fault-phone");
    await german.context.close();

    const grace = await app.open(path, { email: "grace@example.org" });
    await grace.page.getByText("A sheet that is calm").waitFor();
    assert.equal(await grace.page.getByText("out of ink").count(), 0);
    assert.deepEqual(grace.problems, []);
    await grace.context.close();

    // One that was never made says so where its text would be.
    await server.api("POST", `/v1/spaces/${space}/content`, {
      changes: [
        {
          operation: "insert_page",
          type: "computed",
          title: "Second",
          computed: { type: "integration:press:sheet", props: { n: 2 }, dependencies: {} },
        },
      ],
    });
    const second = (
      await until(pages, (list) =>
        flat(list).some(({ title, type }) => title === "Second" && type === "document"),
      ).then(flat)
    ).find(({ title }) => title === "Second").id;
    const again = await app.open(`/app/spaces/${space}/pages/${second}`);
    await again.page
      .getByRole("status")
      .filter({ hasText: "Nothing could be made from “Sheets” yet." })
      .filter({ hasText: "out of ink" })
      .waitFor();
    assert.deepEqual(again.problems, []);
    await again.context.close();
  });

  test("writers choose a source, its settings and what the pages are called, and change them later", async () => {
    const other = await server.space("Reading", { Start: "Hello.\n" });
    await server.api("POST", "/v1/integrations/shelf", {
      organization: server.organization,
      title: "Shelf",
      description: "Lists books.",
      scopes: ["space:content:read"],
      visibility: "private",
      runtime: "v2",
      script: shelves,
      contentSources: [
        { id: "books", title: "Books", description: "Books by a letter.", configuration: { componentId: "choose" } },
        { id: "all", title: "All books", configuration: { componentId: "none" } },
      ],
    });
    const { id } = await server.api("POST", "/v1/integrations/shelf/installations", {
      organization: server.organization,
    });
    await server.api("POST", `/v1/integrations/shelf/installations/${id}/spaces`, { space: other });
    const { page, context, problems } = await app.open(`/app/spaces/${other}`);
    const kept = async () => {
      const number = page.url().match(/\/changes\/(\d+)/)?.[1];
      if (!number) return [];
      return (
        await server.api("GET", `/v1/spaces/${other}/change-requests/${number}/content/pages?computed=false`)
      ).pages
        .filter(({ type }) => type === "computed")
        .map(({ title, computed }) => ({ title, type: computed.type, props: computed.props }));
    };
    await page.getByRole("button", { name: "Group, link or source" }).click();
    await look(page, "content-source-menu", { within: "[role=menu]" });
    await page.getByRole("menuitem", { name: "Books from Shelf", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "New pages from “Books”" });
    await dialog.getByText("Books by a letter.").waitFor();
    await dialog.getByText("For configuration_contentsource").waitFor();
    await look(page, "content-source-new", { within: "[role=dialog]" });
    // What its script refuses stays open, and makes nothing.
    await dialog.getByRole("button", { name: "Use it" }).click();
    await dialog.getByText("A letter is needed.").waitFor();
    assert.deepEqual(await kept(), []);
    await dialog.getByRole("textbox", { name: "Title" }).fill("Library");
    await dialog.getByRole("textbox", { name: "Letter" }).fill("A");
    await dialog.getByRole("button", { name: "Use it" }).click();
    await page.waitForURL(/\/changes\/\d+/);
    await dialog.waitFor({ state: "detached" });
    assert.deepEqual(await kept(), [{ title: "Library", type: "integration:shelf:books", props: { letter: "A" } }]);
    const library = page.getByRole("treeitem", { name: "Library" });
    await library.waitFor();
    await library.click({ button: "right" });
    await page.getByRole("menuitem", { name: "Settings of the source…" }).click();
    const settings = page.getByRole("dialog", { name: "What “Library” is made from" });
    const letter = settings.getByRole("textbox", { name: "Letter" });
    await letter.waitFor();
    assert.equal(await letter.inputValue(), "A");
    await letter.fill("B");
    await settings.getByRole("button", { name: "Use it" }).click();
    await settings.waitFor({ state: "detached" });
    assert.deepEqual(await kept(), [{ title: "Library", type: "integration:shelf:books", props: { letter: "B" } }]);
    // One that people write has no such settings.
    await page.getByRole("treeitem", { name: "Start" }).click({ button: "right" });
    await page.getByRole("menuitem", { name: "Rename" }).waitFor();
    assert.equal(await page.getByRole("menuitem", { name: "Settings of the source…" }).count(), 0);
    await page.keyboard.press("Escape");

    await page.getByRole("button", { name: "Group, link or source" }).click();
    await page.getByRole("menuitem", { name: "All books from Shelf" }).click();
    const plain = page.getByRole("dialog", { name: "New pages from “All books”" });
    await plain.getByText("There is nothing to set here.").waitFor();
    await plain.getByRole("button", { name: "Create" }).click();
    await plain.waitFor({ state: "detached" });
    assert.deepEqual((await kept()).at(-1), { title: "All books", type: "integration:shelf:all", props: {} });
    assert.deepEqual(problems, []);
    await context.close();

    const grace = await app.open(`/app/spaces/${other}`, { email: "grace@example.org" });
    await grace.page.getByRole("treeitem", { name: "Start" }).waitFor();
    assert.equal(await grace.page.getByRole("button", { name: "Group, link or source" }).count(), 0);
    await grace.context.close();
  });
});
