import { test } from "node:test";
import assert from "node:assert/strict";

const description = (title) => JSON.stringify({
  openapi: "3.1.0",
  info: { title, version: "1.0.0" },
  paths: { "/things": { get: { operationId: "listThings", summary: "List things", responses: { 200: { description: "All of them" } } } } },
});

/** OpenAPI specifications and their versions. */
export function drive(world) {
  /** The specification once it is no longer worked on. */
  async function settled(slug) {
    for (let tries = 0; tries < 200; tries++) {
      const { data } = await world.api.orgs.getOpenApiSpecBySlug(world.organization, slug);
      if (!["pending", "progress"].includes(data.processingState)) return data;
      await new Promise((done) => setTimeout(done, 50));
    }
    assert.fail(`${slug} is still worked on`);
  }

  test("create, version, read", async () => {
    const { api, organization, pages, source } = world;
    pages["/things.json"] = { type: "application/json", body: description("Things") };
    const { data: created } = await api.orgs.createOpenApiSpec(organization, { slug: "things", source: { url: `${source}/things.json` } });
    assert.equal(created.slug, "things");
    const first = await settled("things");
    assert.equal(first.processingState, "complete");
    assert.equal(first.lastProcessErrorCode, undefined);

    pages["/things.json"].body = description("More things");
    await api.orgs.createOrUpdateOpenApiSpecBySlug(organization, "things", { source: { url: `${source}/things.json` } });
    const second = await settled("things");
    assert.notEqual(second.lastVersion, first.lastVersion);
    const { data: versions } = await api.orgs.listOpenApiSpecVersions(organization, "things");
    assert.equal(versions.count, 2);
    const { data: latest } = await api.orgs.getLatestOpenApiSpecVersion(organization, "things");
    assert.equal(latest.id, second.lastVersion);
    const { data: byID } = await api.orgs.getOpenApiSpecVersionById(organization, "things", first.lastVersion);
    assert.equal(byID.id, first.lastVersion);
    const { data: content } = await api.orgs.getLatestOpenApiSpecVersionContent(organization, "things");
    assert.equal(typeof content.filesystem, "object");
    assert.match(await (await fetch(content.url)).text(), /More things/);
    const { data: older } = await api.orgs.getOpenApiSpecVersionContentById(organization, "things", first.lastVersion);
    assert.match(await (await fetch(older.url)).text(), /"Things"/);
  });

  test("list and delete", async () => {
    const { api, organization } = world;
    const { data: list } = await api.orgs.listOpenApiSpecs(organization);
    assert.deepEqual(list.items.map((each) => each.slug), ["things"]);
    await api.orgs.deleteOpenApiSpecBySlug(organization, "things");
    const { data: empty } = await api.orgs.listOpenApiSpecs(organization);
    assert.equal(empty.count, 0);
  });
}
