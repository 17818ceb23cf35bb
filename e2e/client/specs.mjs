import { test } from "node:test";
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { recto } from "../recto.mjs";

const description = (title) =>
  JSON.stringify({
    openapi: "3.1.0",
    info: { title, version: "1.0.0" },
    paths: {
      "/things": {
        get: { operationId: "listThings", summary: "List things", responses: { 200: { description: "All of them" } } },
      },
    },
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
    const { data: created } = await api.orgs.createOpenApiSpec(organization, {
      slug: "things",
      source: { url: `${source}/things.json` },
    });
    assert.equal(created.slug, "things");
    const first = await settled("things");
    assert.equal(first.processingState, "complete");
    assert.equal(first.lastProcessErrorCode, undefined);

    pages["/things.json"].body = description("More things");
    await api.orgs.createOrUpdateOpenApiSpecBySlug(organization, "things", {
      source: { url: `${source}/things.json` },
    });
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

  test("computed pages", async () => {
    const { api, organization, server } = world;
    const space = (await api.orgs.createSpace(organization, { title: "Reference" })).data;
    const folder = await mkdtemp(join(tmpdir(), "recto-client-"));
    await writeFile(join(folder, ".gitbook.yaml"), "root: ./\n");
    await writeFile(join(folder, "README.md"), "# Start\n\nHello.\n");
    await writeFile(join(folder, "SUMMARY.md"), `# Table of contents

* [Start](README.md)
* \`\`\`yaml
  title: Things
  type: builtin:openapi
  props:
    models: true
  dependencies:
    spec:
      ref:
        kind: openapi
        spec: things
  \`\`\`
`);
    await recto(["import", folder, "--space", space.id], server.client);
    await rm(folder, { recursive: true });

    const { data: revision } = await api.spaces.getCurrentRevision(space.id);
    const reference = revision.pages.find((each) => each.title === "Things");
    assert.equal(reference.type, "document");
    assert.equal(reference.pages.length, 1);
    const { data: page } = await api.spaces.getPageById(space.id, reference.pages[0].id, { format: "document" });
    assert.equal(page.computedSeed, reference.pages[0].computedSeed);
    assert.ok(page.document.nodes.some((node) => node.type === "openapi-operation" && node.data.path === "/things"));
    const { data: stored } = await api.spaces.listPages(space.id, { computed: false });
    assert.equal(stored.pages.find((each) => each.title === "Things").type, "computed");
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
