import { test } from "node:test";
import assert from "node:assert/strict";

const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Change requests. */
export function drive(world) {
  let space, change, page;

  test("open one and find it", async () => {
    const { api, organization, server } = world;
    space = (await api.orgs.createSpace(organization, { title: "Proposals" })).data;
    const live = await server.api("POST", `/v1/spaces/${space.id}/content`, { changes: [{ operation: "insert_page", title: "Plan", document: { markdown: "The plan.\n" } }] });
    page = live.changes[0].page.id;
    change = (await api.spaces.createChangeRequest(space.id, { subject: "Say more" })).data;
    assert.equal(change.number, 1);
    assert.equal(change.status, "draft");
    const { data: byID } = await api.spaces.getChangeRequestById(space.id, change.id);
    const { data: byNumber } = await api.spaces.getChangeRequestById(space.id, "1");
    assert.deepEqual(byID, byNumber);
    const { data: drafts } = await api.spaces.listChangeRequestsForSpace(space.id, { status: "draft" });
    assert.deepEqual(drafts.items.map((each) => each.id), [change.id]);
  });

  test("write in it and read it", async () => {
    const { api, server } = world;
    await server.api("POST", `/v1/spaces/${space.id}/change-requests/1/content`, {
      changes: [
        { operation: "update_page", page, title: "The plan", document: { markdown: "The better plan.\n\n![A dot](/files/dot)\n" } },
        { operation: "insert_files", files: [{ ref: "dot", name: "dot.png", base64: dot }] },
      ],
    });
    const { data: revision } = await api.spaces.getRevisionOfChangeRequestById(space.id, "1");
    assert.equal(revision.pages[0].title, "The plan");
    const { data: changes } = await api.spaces.getChangeRequestChanges(space.id, "1");
    assert.deepEqual(changes.changes.map((each) => each.type).sort(), ["file_created", "page_edited"]);
    const { data: tree } = await api.spaces.listPagesInChangeRequest(space.id, "1");
    assert.equal(tree.pages[0].id, page);
    const { data: read } = await api.spaces.getPageInChangeRequestById(space.id, "1", page, { format: "markdown" });
    assert.match(read.markdown, /better/);
    await api.spaces.getPageInChangeRequestByPath(space.id, "1", encodeURIComponent(read.path), { format: "document" });
    const { data: files } = await api.spaces.listFilesInChangeRequestById(space.id, "1");
    const { data: file } = await api.spaces.getFileInChangeRequestById(space.id, "1", files.items[0].id);
    assert.deepEqual(file.dimensions, { width: 1, height: 1 });
    const { data: untouched } = await api.spaces.getPageById(space.id, page, { format: "markdown" });
    assert.match(untouched.markdown, /The plan\./);
  });

  test("read a reusable content in it", async () => {
    const { api, reusable } = world;
    await api.spaces.createChangeRequest(reusable.space, { subject: "Look only" });
    const { data } = await api.spaces.getReusableContentInChangeRequestById(reusable.space, "1", reusable.id);
    assert.equal(data.title, "Note");
  });
}
