import { test } from "node:test";
import assert from "node:assert/strict";

const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Change requests. */
export function drive(world) {
  let space, change, page;

  test("open one and find it", async () => {
    const { api, organization, server } = world;
    space = (await api.orgs.createSpace(organization, { title: "Proposals" })).data;
    const live = await server.api("POST", `/v1/spaces/${space.id}/content`, {
      changes: [{ operation: "insert_page", title: "Plan", document: { markdown: "The plan.\n" } }],
    });
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
        {
          operation: "update_page",
          page,
          title: "The plan",
          document: { markdown: "The better plan.\n\n![A dot](/files/dot)\n" },
        },
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

  test("change, review, update and merge it", async () => {
    const { api, server } = world;
    const { data: opened } = await api.spaces.updateChangeRequestById(space.id, "1", {
      status: "open",
      subject: "Say much more",
    });
    assert.equal(opened.status, "open");
    const { data: review } = await api.spaces.submitChangeRequestReview(space.id, "1", {
      status: "approved",
      comment: { markdown: "Good." },
    });
    assert.equal(review.status, "approved");
    const { data: reviews } = await api.spaces.getReviewsByChangeRequestId(space.id, "1");
    assert.equal(reviews.items.length, 1);
    await api.spaces.requestReviewersForChangeRequest(space.id, "1", { users: [server.user] });
    const { data: reviewers } = await api.spaces.getRequestedReviewersByChangeRequestId(space.id, "1");
    assert.equal(reviewers.count, 1);
    await api.spaces.removeRequestedReviewerFromChangeRequest?.(space.id, "1", server.user);
    const { data: everywhere } = await api.orgs.listChangeRequestsForOrganization(world.organization, {
      space: space.id,
    });
    assert.equal(everywhere.count, 1);
    const { data: contributors } = await api.spaces.getContributorsByChangeRequestId(space.id, "1");
    assert.equal(contributors.items.length, 1);

    // The same line changes on both sides: the update says so, and the merge leaves everything as it is.
    const live = await server.api("POST", `/v1/spaces/${space.id}/content`, {
      changes: [{ operation: "update_page", page, document: { markdown: "The other plan.\n" } }],
    });
    const { data: refused } = await api.spaces.mergeChangeRequest(space.id, "1");
    assert.deepEqual(refused, { ...refused, result: "conflicts" });
    assert.equal((await api.spaces.getCurrentRevision(space.id)).data.id, live.revision);
    const { data: updated } = await api.spaces.updateChangeRequest(space.id, "1");
    assert.equal(updated.result, "conflicts");
    const conflicts = await server.api("GET", `/v1/spaces/${space.id}/change-requests/1/conflicts`);
    for (const conflict of conflicts.items) {
      await server.api("POST", `/v1/spaces/${space.id}/change-requests/1/conflicts/${conflict.id}`, { keep: "mine" });
    }
    const { data: merged } = await api.spaces.mergeChangeRequest(space.id, "1");
    assert.equal(merged.result, "merge");
    const { data: after } = await api.spaces.getPageById(space.id, page, { format: "markdown" });
    assert.match(after.markdown, /better/);
  });

  test("print", async () => {
    const { api } = world;
    await api.spaces.createChangeRequest(space.id, { subject: "Print me" });
    for (const { data } of [
      await api.spaces.getSpacePdf(space.id),
      await api.spaces.getChangeRequestPdf(space.id, "2", { page, only: true }),
    ]) {
      const answer = await fetch(data.url);
      assert.equal(answer.headers.get("content-type"), "application/pdf");
      assert.match(Buffer.from(await answer.arrayBuffer()).toString("latin1", 0, 8), /^%PDF-1\./);
    }
  });

  test("import into one and into a page", async () => {
    const { api, source, pages } = world;
    pages["/more.md"] = { type: "text/markdown", body: "# More\n\nImported.\n" };
    await api.spaces.createChangeRequest(space.id, { subject: "Import" });
    const { data: inside } = await api.spaces.importContentInChangeRequest(space.id, "2", {
      url: `${source}/more.md`,
      source: "markdown",
    });
    assert.equal(inside.importedResources, 1);
    const { data: below } = await api.spaces.importContentInPageById(space.id, page, {
      url: `${source}/more.md`,
      source: "markdown",
    });
    assert.equal(below.importedResources, 1);
  });
}
