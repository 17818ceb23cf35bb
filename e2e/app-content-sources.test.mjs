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
      organization: server.organization, title: "Press", description: "Prints sheets.", scopes: ["space:content:read"], visibility: "private", runtime: "v2", script,
      contentSources: [{ id: "sheet", title: "Sheets", configuration: { componentId: "c" } }], configurations: { space: { properties: { mood: { type: "string", default: "calm" } } } },
    });
    const { id } = await server.api("POST", "/v1/integrations/press/installations", { organization: server.organization });
    at = `/v1/integrations/press/installations/${id}/spaces`;
    await server.api("POST", at, { space });
    at += `/${space}`;
    await server.api("POST", `/v1/spaces/${space}/content`, { changes: [{ operation: "insert_page", type: "computed", title: "Sheets", computed: { type: "integration:press:sheet", props: { n: 1 }, dependencies: {} } }] });
  });
  after(() => app?.stop());

  test("writers see why it could not be made, readers do not", async () => {
    const alpha = (await until(pages, (list) => flat(list).some(({ title }) => title === "Alpha")).then(flat)).find(({ title }) => title === "Alpha").id;
    const path = `/app/spaces/${space}/pages/${alpha}`;
    const well = await app.open(path);
    await well.page.getByText("A sheet that is calm").waitFor();
    assert.equal(await well.page.getByText("out of ink").count(), 0);
    await well.context.close();
    await server.api("PATCH", at, { configuration: { mood: "broken" } });
    await until(async () => (await pages(), server.api("GET", `/v1/spaces/${space}/content-sources`)), (list) => list[0]?.results?.some(({ props, problem }) => props.n === 1 && problem?.includes("out of ink")));
    const ada = await app.open(path);
    await ada.page.getByRole("status").filter({ hasText: "It could not be made anew from “Sheets”" }).filter({ hasText: "out of ink" }).waitFor();
    await ada.page.getByText("A sheet that is calm").waitFor();
    await look(ada.page, "content-source-fault");
    assert.deepEqual(ada.problems, []);
    await ada.context.close();
    const german = await app.open(path, { ...phone, colorScheme: "dark", locale: "de" });
    await german.page.getByRole("status").filter({ hasText: "Es konnte aus „Sheets“ nicht neu erstellt werden" }).waitFor();
    await look(german.page, "content-source-fault-phone");
    await german.context.close();

    const grace = await app.open(path, { email: "grace@example.org" });
    await grace.page.getByText("A sheet that is calm").waitFor();
    assert.equal(await grace.page.getByText("out of ink").count(), 0);
    assert.deepEqual(grace.problems, []);
    await grace.context.close();

    // One that was never made says so where its text would be.
    await server.api("POST", `/v1/spaces/${space}/content`, { changes: [{ operation: "insert_page", type: "computed", title: "Second", computed: { type: "integration:press:sheet", props: { n: 2 }, dependencies: {} } }] });
    const second = (await until(pages, (list) => flat(list).some(({ title, type }) => title === "Second" && type === "document")).then(flat)).find(({ title }) => title === "Second").id;
    const again = await app.open(`/app/spaces/${space}/pages/${second}`);
    await again.page.getByRole("status").filter({ hasText: "Nothing could be made from “Sheets” yet." }).filter({ hasText: "out of ink" }).waitFor();
    assert.deepEqual(again.problems, []);
    await again.context.close();
  });
});
