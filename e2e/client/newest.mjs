import { test } from "node:test";
import assert from "node:assert/strict";
import { GitBookAPI } from "api-0.202.0";
import { clientFor } from "./validated.mjs";

/**
 * What the newest version of the client calls and older ones do not, and documents that newer versions are strict
 * about.
 */
export function drive(world) {
  let api;
  let space, page;

  const pageOf = async (markdown) => {
    const changes = [{ operation: "insert_page", title: "Page", document: { markdown } }];
    const { changes: [change] } = await world.server.api("POST", `/v1/spaces/${space}/content`, { changes });
    return change.page.id;
  };

  test("a space and a page", async () => {
    api = clientFor({ base: world.server.base, token: world.server.token, record: world.record, Client: GitBookAPI });
    space = (await api.orgs.createSpace(world.organization, { title: "Newest" })).data.id;
    page = await pageOf("Text.\n");
  });

  test("links to a page that search engines want", async () => {
    const { data: { revision } } = await api.spaces.getSpaceById(space);
    assert.deepEqual((await api.spaces.listSpacePageMetaLinks(space, page)).data.alternates, []);
    await api.spaces.listRevisionPageMetaLinks(space, revision, page);
    const { data: change } = await api.spaces.createChangeRequest(space, { subject: "Newer" });
    await api.spaces.listChangeRequestPageMetaLinks(space, change.id, page);
  });

  test("a change request, written in and reviewed", async () => {
    await api.spaces.updateChangeRequestContent(space, "1", {
      changes: [{ operation: "update_page", page, title: "Newer page" }],
    });
    const { data: shown } = await api.spaces.getPageInChangeRequestById(space, "1", page);
    assert.equal(shown.title, "Newer page");
    await api.spaces.updateChangeRequestById(space, "1", { status: "open" });
    const { data: review } = await api.spaces.submitChangeRequestReview(space, "1", { status: "approved" });
    assert.equal((await api.spaces.getChangeRequestReviewById(space, "1", review.id)).data.id, review.id);
  });

  test("a specification as it was sent", async () => {
    await api.orgs.createOrUpdateOpenApiSpecBySlug(world.organization, "newest", {
      source: { text: JSON.stringify({ openapi: "3.1.0", info: { title: "Newest", version: "1" }, paths: {} }) },
    });
    for (let tries = 0; tries < 200; tries++) {
      const { data } = await api.orgs.getOpenApiSpecBySlug(world.organization, "newest");
      if (data.processingState === "complete") break;
      await new Promise((done) => setTimeout(done, 50));
    }
    await api.orgs.getLatestOpenApiSpecVersionContentRaw(world.organization, "newest");
  });

  test("pages as documents and as Markdown", async () => {
    const text = `{% updates %}
{% update date="2026-01-02" %}
## First

New.
{% endupdate %}
{% endupdates %}

<table><thead><tr><th>Name</th><th>State<select></select></th></tr></thead><tbody><tr><td>One</td><td></td></tr></tbody></table>
`;
    const id = await pageOf(text);
    const { data } = await api.spaces.getPageById(space, id, { format: "document" });
    const nodes = (node) => [node, ...(node.nodes ?? []).flatMap(nodes)];
    const all = nodes(data.document);
    const update = all.find((each) => each.type === "update");
    assert.match(update.data.date, /^2026-01-02T/);
    const table = all.find((each) => each.type === "table");
    assert.deepEqual(Object.values(table.data.definition).find((each) => each.type === "select").options, []);
    assert.ok(all.find((each) => each.type === "updates").data.format);
    const { data: written } = await api.spaces.getPageById(space, id, { format: "markdown" });
    assert.match(written.markdown, /2026-01-02/);
    const {
      data: { revision },
    } = await api.spaces.getSpaceById(space);
    await api.spaces.getPageDocumentInRevisionById(space, revision, id, {
      evaluated: "deterministic-only",
      dereferenced: "reusable-contents",
    });
  });
}
