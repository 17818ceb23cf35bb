import { test } from "node:test";
import assert from "node:assert/strict";

const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Links and backlinks. */
export function drive(world) {
  test("of a space and of a change request", async () => {
    const { api, organization, server } = world;
    const { data: space } = await api.orgs.createSpace(organization, { title: "Linked", emoji: "🔗" });
    const path = `/v1/spaces/${space.id}`;
    const made = await server.api("POST", `${path}/content`, {
      changes: [
        { operation: "insert_files", files: [{ ref: "dot", name: "dot.png", base64: dot }] },
        { operation: "insert_page", title: "Target", ref: "target" },
        {
          operation: "insert_page",
          title: "Source",
          document: { markdown: "See [it](/pages/target), [nothing](gone.md) and ![a dot](/files/dot).\n" },
        },
      ],
    });
    const [target, source] = made.changes.map((each) => each.page.id);
    const { data: all } = await api.spaces.listSpaceLinks(space.id);
    assert.equal(all.stats.total, 3);
    assert.equal(all.stats.broken.total, 1);
    const { data: broken } = await api.spaces.listSpaceLinks(space.id, { status: "broken" });
    assert.equal(broken.items.length, 1);
    const { data: ofPage } = await api.spaces.listPageLinksInSpace(space.id, source);
    assert.equal(ofPage.items.length, 3);
    const { data: back } = await api.spaces.listSpacePageBacklinks(space.id, target);
    assert.equal(back.items.length, 1);
    const file = made.insertedFiles[0].id;
    const { data: ofFile } = await api.spaces.listSpaceFileBacklinks(space.id, file);
    assert.equal(ofFile.items.length, 1);

    await api.spaces.createChangeRequest(space.id, { subject: "Remove the target" });
    await server.api("POST", `${path}/change-requests/1/content`, {
      changes: [{ operation: "delete_page", page: target }],
    });
    const { data: proposed } = await api.spaces.listPageLinksInChangeRequest(space.id, "1", source);
    assert.equal(proposed.stats.broken.changeRequest, 1);
    const { data: everything } = await api.spaces.listChangeRequestLinks(space.id, "1");
    assert.equal(everything.stats.broken.total, 2);
    await api.spaces.listChangeRequestPageBacklinks(space.id, "1", source);
    const { data: ofFileThere } = await api.spaces.listChangeRequestFileBacklinks(space.id, "1", file);
    assert.equal(ofFileThere.items.length, 1);
  });
}
