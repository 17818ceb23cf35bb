import { test } from "node:test";
import assert from "node:assert/strict";
import { clientFor } from "./validated.mjs";

const script = `export default { async fetch(request) {
  const form = await request.formData();
  const event = JSON.parse(form.get("event"));
  const { apiTokens } = JSON.parse(form.get("environment"));
  if (event.type === "fetch") return Response.json(apiTokens);
  if (event.type === "ui_render") return Response.json({ type: "element", props: event.props, state: {}, element: { type: "block", children: [{ type: "text", children: ["Runs"] }] } });
  return new Response(null, { status: event.type === "task" ? 200 : 406 });
} };`;

/** A text as lz-string writes it for an address, without making it shorter: each character stands for itself. */
function compressed(text) {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-$";
  const bits = [];
  const put = (number, size) => {
    for (let i = 0; i < size; i++) bits.push((number >> i) & 1);
  };
  let [width, left] = [2, 2];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    put(unit < 256 ? 0 : 1, width);
    put(unit, unit < 256 ? 8 : 16);
    for (let entry = 0; entry < 2; entry++) {
      if (--left === 0) left = 1 << width++;
    }
  }
  put(2, width);
  while (bits.length % 6 !== 0) bits.push(0);
  let written = "";
  for (let i = 0; i < bits.length; i += 6)
    written += alphabet[bits.slice(i, i + 6).reduce((value, bit) => value * 2 + bit, 0)];
  return written;
}

/** Integrations that run, questions, embeds, and what readers elsewhere did. */
export function drive(world) {
  const name = "client-runner";
  let installation;
  let space;

  test("a script draws", async () => {
    const { api, organization } = world;
    await api.integrations.publishIntegration(name, {
      organization,
      runtime: "v2",
      title: "Client runner",
      description: "Runs.",
      summary: "Runs.",
      visibility: "private",
      scopes: ["space:content:read"],
      blocks: [{ id: "run", title: "Run" }],
      script,
    });
    installation = (await api.integrations.installIntegration(name, { organization })).data;
    space = (await api.orgs.createSpace(organization, { title: "Running" })).data;
    await api.integrations.installIntegrationOnSpace(name, installation.id, { space: space.id });
    const asked = {
      componentId: "run",
      props: {},
      context: { type: "document", spaceId: space.id, editable: false, theme: "light" },
    };
    const { data: drawn } = await api.integrations.renderIntegrationUiWithPost(name, asked);
    assert.equal(drawn.element.children[0].children[0], "Runs");
    const { data: again } = await api.integrations.renderIntegrationUiWithGet(name, {
      request: compressed(JSON.stringify(asked)),
    });
    assert.deepEqual(again, drawn);
  });

  test("its events are listed, and go elsewhere in development", async () => {
    const { api, record, server } = world;
    // Calls are written down behind the answer.
    let events = { items: [] };
    for (let tries = 0; events.items.length < 2 && tries < 100; tries++) {
      events = (await api.integrations.listIntegrationEvents(name)).data;
      await new Promise((then) => setTimeout(then, 100));
    }
    const { data: event } = await api.integrations.getIntegrationEvent(name, events.items[0].id);
    assert.equal(event.event.id, events.items[0].id);
    // What only the integration itself may do, with the token that its script gets.
    const { integration: token } = await (await fetch(installation.urls.publicEndpoint)).json();
    const own = clientFor({ base: server.base, token, record });
    const { data: made } = await own.integrations.createIntegrationInstallationToken(name, installation.id);
    assert.ok(made.token);
    await own.integrations.queueIntegrationTask(name, { task: { kind: "sweep" } });
    await api.integrations.setIntegrationDevelopmentMode(name, { tunnelUrl: "https://tunnel.example.org/" });
    await api.integrations.disableIntegrationDevelopmentMode(name);
    await api.integrations.uninstallIntegration(name, installation.id);
    await api.integrations.unpublishIntegration(name);
  });

  test("questions are not set up, and what readers elsewhere did is taken", async () => {
    const { api, organization } = world;
    const { data: site } = await api.orgs.createSite(organization, { title: "Running", spaces: [space.id] });
    const { data: asked } = await api.orgs.askInOrganization(organization, { query: "How?" });
    assert.ok(asked.answer);
    await api.orgs.getRecommendedQuestionsInOrganization(organization);
    const all = async (stream) => {
      const got = [];
      for await (const each of stream) got.push(each);
      return got;
    };
    assert.equal((await all(api.orgs.streamAskInOrganization(organization, { query: "How?" }))).length, 1);
    await all(api.orgs.streamRecommendedQuestionsInOrganization(organization));
    assert.equal(
      (await all(api.orgs.streamAskInSite(organization, site.id, { question: "How?", scope: { mode: "all" } }))).length,
      1,
    );
    await all(api.orgs.streamRecommendedQuestionsInSite(organization, site.id));
    const session = {
      url: "https://docs.example.org/",
      visitor: { anonymousId: "reader", userAgent: "a browser" },
      language: "en",
      cookies: {},
      referrer: null,
    };
    await api.orgs.trackEventsInSiteById(organization, site.id, {
      events: [{ type: "page_view", session, location: { url: "https://docs.example.org/", space: space.id } }],
    });
    const { data: link } = await api.urls.getEmbedByUrl({ url: "https://example.org/a" });
    assert.equal(link.type, "link");
    const { data: there } = await api.spaces.getEmbedByUrlInSpace(space.id, { url: "https://example.org/a" });
    assert.equal(there.type, "link");
  });
}
