// What the tests of conflicts share: a table of kinds, each walked from its making to its settling and its merge.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { look, startApp } from "./app.mjs";

export const dot = (colour) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="80"><rect width="120" height="80" fill="${colour}"/></svg>`,
  ).toString("base64");
export const update = (page, more) => ({ operation: "update_page", page, ...more });
export const text = (markdown) => ({ document: { markdown } });

/** Returns a new space with nothing in it. */
export const empty = async (server, title) =>
  (await server.api("POST", `/v1/orgs/${server.organization}/spaces`, { title })).id;

/** Returns what a space has now, by names. */
export async function stateOf(server, space) {
  const revision = await server.api("GET", `/v1/spaces/${space}/content`);
  const { pages } = await server.api("GET", `/v1/spaces/${space}/content/pages`);
  const all = [];
  const walk = (list) => list.forEach((each) => (all.push(each), walk(each.pages ?? [])));
  walk(pages);
  const files = revision.files ?? [];
  const reusables = revision.reusableContents ?? [];
  const page = (title) => all.find((each) => each.title === title);
  return {
    ids: Object.fromEntries([
      ...all.map((each) => [each.title, each.id]),
      ...files.map((each) => [each.name, each.id]),
      ...reusables.map((each) => [each.title, each.id]),
    ]),
    titles: all.map((each) => each.title),
    files: files.map((each) => each.name),
    reusables: reusables.map((each) => each.title),
    variables: revision.variables,
    page,
    markdown: async (title) =>
      (await server.api("GET", `/v1/spaces/${space}/content/page/${page(title).id}?format=markdown`)).markdown,
    file: async (name) => (await fetch(files.find((each) => each.name === name).downloadURL)).text(),
    reusable: async (title) => {
      const { id } = reusables.find((each) => each.title === title);
      const { nodes } = await server.api(
        "GET",
        `/v1/spaces/${space}/revisions/${revision.id}/reusable-contents/${id}/document`,
      );
      const words = (node) =>
        (node.leaves ?? []).map((leaf) => leaf.text).join("") + (node.nodes ?? []).map(words).join("");
      return nodes.map(words).join("\n");
    },
  };
}

// A kind says what is made first, what each side does to it, and how it is settled: at is the item of the list, seen
// what the sides show, choose what is done, and then what must be so after the merge.
/** Walks kinds of conflicts, and what further adds to the tests. */
export function walkKinds(about, kinds, further) {
  describe(about, () => {
    const here = {};
    before(async () => {
      here.app = await startApp();
      here.server = here.app.server;
      here.ada = await here.app.open("/app");
    });
    after(() => here.app?.stop());

    for (const [name, kind] of Object.entries(kinds)) {
      test(`${name}: from its making to its settling`, async () => {
        const { server } = here;
        const space = await empty(server, `About ${name}`);
        const write = (path, changes) => server.api("POST", `/v1/spaces/${space}${path}/content`, { changes });
        await write("", kind.first);
        const { ids } = await stateOf(server, space);
        await server.api("POST", `/v1/spaces/${space}/change-requests`, { subject: name });
        await write("/change-requests/1", kind.mine(ids));
        await write("", kind.main(ids));

        const { page: tab } = here.ada;
        await tab.goto(`${server.base}/app/spaces/${space}/changes/1`);
        await tab.getByText("Cannot be merged yet: settle the conflicts first.").waitFor();
        assert.ok(await tab.getByRole("button", { name: "Merge", exact: true }).isDisabled());
        await tab.getByRole("link", { name: "Settle conflicts" }).click();
        await tab.getByRole("button", { name: kind.at }).first().click();
        const sides = tab.locator("[data-place]").first();
        await sides.waitFor();
        for (const words of kind.seen) await tab.locator("[data-place]", { hasText: words }).first().waitFor();
        await kind.shown?.(tab);
        await look(tab, `conflict-${name.replaceAll(" ", "-")}`);
        await kind.choose((label) => tab.getByRole("region", { name: label, exact: true }));
        await tab.getByText("nothing left to choose").waitFor();

        // What is chosen and not applied merges nothing.
        const { result } = await server.api("POST", `/v1/spaces/${space}/change-requests/1/merge`, {});
        assert.equal(result, "conflicts");
        await tab.getByRole("button", { name: "Apply all" }).click();
        await tab.getByRole("heading", { name: "All settled" }).waitFor();
        await tab.getByRole("link", { name: "Go on to merge" }).click();
        await tab.getByRole("button", { name: "Merge", exact: true }).click();
        await tab.getByRole("heading", { name: "This has been merged" }).waitFor();
        await kind.then(await stateOf(server, space));
        assert.deepEqual(here.ada.problems.splice(0), []);
      });
    }
    further?.(here);
  });
}
