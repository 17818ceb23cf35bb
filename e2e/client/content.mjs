import { test } from "node:test";
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { recto } from "../recto.mjs";

const guide = "# Guide\n\nRead [what is next](#next) first.\n\n## Next\n\nThe word is *marmalade*.\n";
const website =
  "<!doctype html><title>Manual</title><main><h1>Manual</h1><p>With a picture.</p><img src=dot.png alt='A dot'></main>";
const dot = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** Content and its history: imports, reads, search. */
export function drive(world) {
  let space, page, file;

  test("import", async () => {
    const { api, organization, pages, source } = world;
    pages["/guide.md"] = { type: "text/markdown", body: guide };
    pages["/manual/"] = { type: "text/html", body: website };
    pages["/manual/dot.png"] = { type: "image/png", body: dot };
    space = (await api.orgs.createSpace(organization, { title: "Content" })).data;
    const { data: imported } = await api.spaces.importContent(space.id, {
      url: `${source}/guide.md`,
      source: "markdown",
    });
    assert.ok(imported.revision);
    assert.ok(imported.importedResources >= 1 && imported.importedResources <= imported.totalResources);
    const { data: crawled } = await api.spaces.importContent(space.id, { url: `${source}/manual/`, source: "website" });
    assert.equal(crawled.importedResources, 2);
  });

  test("read", async () => {
    const { api } = world;
    const { data: revision } = await api.spaces.getCurrentRevision(space.id);
    assert.equal(revision.object, "revision");
    const { data: tree } = await api.spaces.listPages(space.id);
    page = tree.pages.find((each) => each.title === "Guide");
    assert.ok(page);
    const { data: markdown } = await api.spaces.getPageById(space.id, page.id, { format: "markdown" });
    assert.match(markdown.markdown, /\*marmalade\*/);
    const { data: document } = await api.spaces.getPageById(space.id, page.id, { format: "document" });
    assert.equal(document.document.object, "document");
    const { data: byPath } = await api.spaces.getPageByPath(space.id, encodeURIComponent(page.path));
    assert.equal(byPath.id, page.id);
    const { data: files } = await api.spaces.listFiles(space.id);
    assert.equal(files.count, 1);
    file = (await api.spaces.getFileById(space.id, files.items[0].id)).data;
    assert.equal(file.contentType, "image/png");
    const download = await fetch(file.downloadURL);
    assert.deepEqual(Buffer.from(await download.arrayBuffer()), dot);
  });

  test("content of a repository", async () => {
    const { api, organization, server } = world;
    const { data: made } = await api.orgs.createSpace(organization, { title: "From Git" });
    assert.equal(made.gitSync, undefined);
    const folder = await mkdtemp(join(tmpdir(), "recto-client-"));
    const commit = "0123456789".repeat(4);
    const files = {
      ".git/HEAD": "ref: refs/heads/main\n",
      ".git/refs/heads/main": `${commit}\n`,
      ".git/config": '[remote "origin"]\n\turl = git@gitlab.com:acme/docs.git\n',
      "docs/README.md": "# Start\n\n![A dot](dot.png)\n",
      "docs/dot.png": dot,
      "docs/.gitbook/includes/note.md": "---\ntitle: Note\n---\n\nSaid once.\n",
    };
    for (const [name, content] of Object.entries(files)) {
      await mkdir(join(folder, name, ".."), { recursive: true });
      await writeFile(join(folder, name), content);
    }
    await recto(["import", join(folder, "docs"), "--space", made.id], server.client);
    await rm(folder, { recursive: true });
    const blob = (name) => ({
      oid: createHash("sha1")
        .update(`blob ${Buffer.byteLength(files[name])}\0`)
        .update(files[name])
        .digest("hex"),
      path: name,
    });
    const { data: from } = await api.spaces.getSpaceById(made.id);
    assert.equal(from.gitSync.repoName, "acme/docs");
    assert.equal(from.gitSync.installationProvider, "gitlab");
    assert.equal(from.gitSync.url, "https://gitlab.com/acme/docs");
    assert.ok(Date.parse(from.gitSync.updatedAt) > 0);
    const { data: revision } = await api.spaces.getCurrentRevision(made.id);
    assert.equal(revision.git.oid, commit);
    assert.equal(revision.git.ref, "main");
    assert.equal(revision.git.url, `https://gitlab.com/acme/docs/-/commit/${commit}`);
    assert.equal(revision.git.createdByGitBook, false);
    assert.equal(revision.git.createdByService, false);
    assert.deepEqual(revision.pages[0].git, blob("docs/README.md"));
    assert.deepEqual(revision.files[0].git, blob("docs/dot.png"));
    assert.deepEqual(revision.reusableContents[0].git, blob("docs/.gitbook/includes/note.md"));
    const { data: without } = await api.spaces.getCurrentRevision(made.id, { metadata: false });
    for (const each of [without, without.pages[0], without.files[0], without.reusableContents[0]])
      assert.equal(each.git, undefined);
    const { data: page } = await api.spaces.getPageById(made.id, revision.pages[0].id);
    assert.deepEqual(page.git, blob("docs/README.md"));
    const { data: listed } = await api.spaces.listFiles(made.id, { metadata: false });
    assert.equal(listed.items[0].git, undefined);
  });

  test("search", async () => {
    const { api, organization } = world;
    const { data: inSpace } = await api.spaces.searchSpaceContent(space.id, { query: "marmalade" });
    assert.equal(inSpace.items[0]?.id, page.id);
    const { data: everywhere } = await api.orgs.searchOrganizationContent(organization, { query: "marmalade" });
    assert.equal(everywhere.items.length, 1);
  });

  test("revisions and what they changed", async () => {
    const { api, server } = world;
    const folder = await mkdtemp(join(tmpdir(), "recto-client-"));
    await mkdir(join(folder, ".gitbook", "includes"), { recursive: true });
    await writeFile(join(folder, "README.md"), "# Start\n\n{% include \".gitbook/includes/note.md\" %}\n");
    await writeFile(join(folder, ".gitbook", "includes", "note.md"), "---\ntitle: Note\n---\n\nSaid once.\n");
    await recto(["import", folder, "--space", space.id], server.client);
    await rm(folder, { recursive: true });

    const { data: head } = await api.spaces.getCurrentRevision(space.id);
    const { data: byID } = await api.spaces.getRevisionById(space.id, head.id);
    assert.equal(byID.id, head.id);
    const { data: changes } = await api.spaces.getRevisionSemanticChanges(space.id, head.id);
    assert.ok(changes.changes.some((each) => each.type === "page_created" && each.page.title === "Start"));
    const { data: tree } = await api.spaces.listPagesInRevisionById(space.id, head.id);
    const start = tree.pages.find((each) => each.title === "Start");
    const { data: read } = await api.spaces.getPageInRevisionById(space.id, head.id, start.id, { format: "markdown" });
    assert.match(read.markdown, /include/);
    await api.spaces.getPageInRevisionByPath(space.id, head.id, encodeURIComponent(start.path));
    const { data: document } = await api.spaces.getPageDocumentInRevisionById(space.id, head.id, start.id);
    assert.equal(document.object, "document");
    const { data: files } = await api.spaces.listFilesInRevisionById(space.id, head.id);
    await api.spaces.getFileInRevisionById(space.id, head.id, files.items[0].id);

    const [reusable] = head.reusableContents;
    assert.equal(reusable.title, "Note");
    world.reusable = { space: space.id, id: reusable.id };
    await api.spaces.getReusableContentById(space.id, reusable.id);
    await api.spaces.getReusableContentInRevisionById(space.id, head.id, reusable.id);
    const { data: inside } = await api.spaces.getReusableContentDocumentInRevisionById(space.id, head.id, reusable.id);
    const { data: same } = await api.spaces.getDocumentById(space.id, reusable.document);
    assert.deepEqual(same.nodes, inside.nodes);
  });
}
