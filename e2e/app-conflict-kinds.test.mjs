// Every kind of conflict with main, from its making to its settling, in the app: what each side has is shown, a side or
// another value is chosen, nothing is merged before all are settled, and what was chosen is what is merged.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { desktop, look, phone, startApp } from "./app.mjs";

const dot = (colour) => Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="120" height="80"><rect width="120" height="80" fill="${colour}"/></svg>`).toString("base64");
const update = (page, more) => ({ operation: "update_page", page, ...more });
const text = (markdown) => ({ document: { markdown } });

// What is made, what each side does to it, what stands on the screen, and how it is settled. at is the part of the list
// that it is chosen in, seen what the two sides show, choose what is done, and then what must be so after the merge.
const kinds = {
  title: {
    first: [{ operation: "insert_page", ref: "a", title: "Alpha", ...text("Words.\n") }],
    mine: ({ Alpha }) => [update(Alpha, { title: "Mine" })],
    main: ({ Alpha }) => [update(Alpha, { title: "Theirs" })],
    at: /Attributes$/, seen: [/Theirs/, /Mine/],
    choose: async (place) => place("Title").getByPlaceholder("Another value").fill("Agreed"),
    then: async (now) => assert.deepEqual(now.titles, ["Agreed"]),
  },
  slug: {
    first: [{ operation: "insert_page", title: "Alpha", ...text("Words.\n") }, { operation: "insert_page", title: "Beta", ...text("Words.\n") }],
    mine: ({ Alpha }) => [update(Alpha, { slug: "same" })],
    main: ({ Beta }) => [update(Beta, { slug: "same" })],
    at: /One address$/, seen: [/“Beta” has the address “same”/, /“Alpha” has the address “same”/],
    choose: async (place) => place("One address").getByPlaceholder("Another address for my page").fill("mine"),
    then: async (now) => assert.deepEqual([now.page("Alpha").slug, now.page("Beta").slug], ["mine", "same"]),
  },
  "slug kept by main": {
    first: [{ operation: "insert_page", title: "Alpha", ...text("Words.\n") }, { operation: "insert_page", title: "Beta", ...text("Words.\n") }],
    mine: ({ Alpha }) => [update(Alpha, { slug: "same" })],
    main: ({ Beta }) => [update(Beta, { slug: "same" })],
    at: /One address$/, seen: [/“Beta” has/, /“Alpha” has/],
    choose: async (place) => place("One address").getByRole("button", { name: /^Main/ }).click(),
    then: async (now) => {
      assert.equal(now.page("Beta").slug, "same");
      assert.notEqual(now.page("Alpha").slug, "same");
    },
  },
  "move cycle": {
    first: [{ operation: "insert_page", title: "Alpha", ...text("Words.\n") }, { operation: "insert_page", title: "Beta", ...text("Words.\n") }],
    mine: ({ Alpha, Beta }) => [update(Alpha, { into: Beta })],
    main: ({ Alpha, Beta }) => [update(Beta, { into: Alpha })],
    at: /Moved below each other$/, seen: [/Beta below Alpha/, /Alpha below Beta/],
    choose: async (place) => place("Moved below each other").getByRole("button", { name: /^Mine/ }).click(),
    then: async (now) => assert.equal(now.page("Alpha").path, "beta/alpha"),
  },
  "delete here against edit on main": {
    first: [{ operation: "insert_page", title: "Alpha", ...text("Words.\n") }, { operation: "insert_page", title: "Beta", ...text("More.\n") }],
    mine: ({ Alpha }) => [{ operation: "delete_page", page: Alpha }],
    main: ({ Alpha }) => [update(Alpha, text("Words of main.\n"))],
    at: /Edited and deleted$/, seen: [/Words of main\./, /Deleted/],
    choose: async (place) => place("Edited and deleted").getByRole("button", { name: /^Mine/ }).click(),
    then: async (now) => assert.deepEqual(now.titles, ["Beta"]),
  },
  "edit here against delete on main": {
    first: [{ operation: "insert_page", title: "Alpha", ...text("Words.\n") }, { operation: "insert_page", title: "Beta", ...text("More.\n") }],
    mine: ({ Alpha }) => [update(Alpha, text("Words of mine.\n"))],
    main: ({ Alpha }) => [{ operation: "delete_page", page: Alpha }],
    at: /Edited and deleted$/, seen: [/Deleted/, /Words of mine\./],
    choose: async (place) => place("Edited and deleted").getByRole("button", { name: /^Mine/ }).click(),
    then: async (now) => assert.match(await now.markdown("Alpha"), /Words of mine\./),
  },
  "page above deleted": {
    first: [{ operation: "insert_page", title: "Alpha", ...text("Words.\n") }, { operation: "insert_page", title: "Beta", ...text("More.\n") }],
    mine: ({ Alpha }) => [{ operation: "insert_page", title: "Child", into: Alpha, ...text("New words.\n") }],
    main: ({ Alpha }) => [{ operation: "delete_page", page: Alpha }],
    at: /Page above deleted$/, seen: [/New words\./],
    choose: async (place) => place("Page above deleted").getByRole("button", { name: /^Mine/ }).click(),
    then: async (now) => assert.equal(now.page("Child").path, "alpha/child"),
  },
  "page above": {
    first: ["Alpha", "Beta", "Gamma"].map((title) => ({ operation: "insert_page", title, ...text("Words.\n") })),
    mine: ({ Gamma, Alpha }) => [update(Gamma, { into: Alpha })],
    main: ({ Gamma, Beta }) => [update(Gamma, { into: Beta })],
    at: /Attributes$/, seen: [/Beta/, /Alpha/],
    choose: async (place) => place("Page above").getByRole("button", { name: /^Main/ }).click(),
    then: async (now) => assert.equal(now.page("Gamma").path, "beta/gamma"),
  },
  order: {
    first: ["Alpha", "Beta", "Gamma"].map((title) => ({ operation: "insert_page", title, ...text("Words.\n") })),
    mine: ({ Gamma }) => [update(Gamma, { at: 0 })],
    main: ({ Gamma }) => [update(Gamma, { at: 1 })],
    at: /Attributes$/, seen: [/Where main has it/, /Where this change request has it/],
    choose: async (place) => place("Place in the list").getByRole("button", { name: /^Mine/ }).click(),
    then: async (now) => assert.deepEqual(now.titles, ["Gamma", "Alpha", "Beta"]),
  },
  file: {
    first: [{ operation: "insert_page", title: "Alpha", ...text("Words.\n") }, { operation: "insert_files", files: [{ name: "sign.svg", base64: dot("red") }] }],
    mine: ({ "sign.svg": file }) => [{ operation: "update_file", file, replacement: { base64: dot("green") } }],
    main: ({ "sign.svg": file }) => [{ operation: "update_file", file, replacement: { base64: dot("blue") } }],
    at: /Attributes$/, seen: [],
    shown: (tab) => tab.waitForFunction(() => [...document.querySelectorAll("[data-place] img")].filter((each) => each.naturalWidth === 120).length === 3),
    choose: async (place) => place("Content of the file").getByRole("button", { name: /^Mine/ }).click(),
    then: async (now) => assert.match(await now.file("sign.svg"), /green/),
  },
  "name of a file": {
    first: [{ operation: "insert_page", title: "Alpha", ...text("Words.\n") }, { operation: "insert_files", files: [{ name: "sign.svg", base64: dot("red") }] }],
    mine: ({ "sign.svg": file }) => [{ operation: "update_file", file, name: "mine.svg" }],
    main: ({ "sign.svg": file }) => [{ operation: "update_file", file, name: "theirs.svg" }],
    at: /Attributes$/, seen: [/theirs\.svg/, /mine\.svg/],
    choose: async (place) => place("Name").getByPlaceholder("Another value").fill("agreed.svg"),
    then: async (now) => assert.deepEqual(now.files, ["agreed.svg"]),
  },
  "file deleted": {
    first: [{ operation: "insert_page", title: "Alpha", ...text("Words.\n") }, { operation: "insert_files", files: [{ name: "sign.svg", base64: dot("red") }] }],
    mine: ({ "sign.svg": file }) => [{ operation: "update_file", file, replacement: { base64: dot("green") } }],
    main: ({ "sign.svg": file }) => [{ operation: "delete_file", file }],
    at: /Edited and deleted$/, seen: [/Deleted/],
    choose: async (place) => place("Edited and deleted").getByRole("button", { name: /^Main/ }).click(),
    then: async (now) => assert.deepEqual(now.files, []),
  },
  "reusable content": {
    first: [{ operation: "insert_page", title: "Alpha", ...text("Words.\n") }, { operation: "insert_reusable_content", ref: "n", title: "Note", ...text("The first words.\n") }],
    mine: ({ Note }) => [{ operation: "update_reusable_content", reusableContent: Note, ...text("The words of mine.\n") }],
    main: ({ Note }) => [{ operation: "update_reusable_content", reusableContent: Note, ...text("The words of main.\n") }],
    at: /Text$/, seen: [/The words of main\.[\s\S]*The words of mine\./],
    choose: async (place) => place("Place 1 of 1").getByRole("button", { name: /^Both/ }).click(),
    then: async (now) => assert.match(await now.reusable("Note"), /The words of mine\.\s+The words of main\./),
  },
  "title of a reusable content": {
    first: [{ operation: "insert_page", title: "Alpha", ...text("Words.\n") }, { operation: "insert_reusable_content", ref: "n", title: "Note", ...text("Words.\n") }],
    mine: ({ Note }) => [{ operation: "update_reusable_content", reusableContent: Note, title: "Mine" }],
    main: ({ Note }) => [{ operation: "update_reusable_content", reusableContent: Note, title: "Theirs" }],
    at: /Attributes$/, seen: [/Theirs/, /Mine/],
    choose: async (place) => place("Title").getByRole("button", { name: /^Main/ }).click(),
    then: async (now) => assert.deepEqual(now.reusables, ["Theirs"]),
  },
  "reusable content deleted": {
    first: [{ operation: "insert_page", title: "Alpha", ...text("Words.\n") }, { operation: "insert_reusable_content", ref: "n", title: "Note", ...text("Words.\n") }],
    mine: ({ Note }) => [{ operation: "delete_reusable_content", reusableContent: Note }],
    main: ({ Note }) => [{ operation: "update_reusable_content", reusableContent: Note, ...text("Words of main.\n") }],
    at: /Edited and deleted$/, seen: [/Words of main\./, /Deleted/],
    choose: async (place) => place("Edited and deleted").getByRole("button", { name: /^Main/ }).click(),
    then: async (now) => assert.deepEqual(now.reusables, ["Note"]),
  },
  variables: {
    first: [{ operation: "insert_page", title: "Alpha", ...text("Words.\n") }, { operation: "update_variables", variables: { edition: "first" } }],
    mine: () => [{ operation: "update_variables", variables: { edition: "mine" } }],
    main: () => [{ operation: "update_variables", variables: { edition: "theirs" } }],
    at: /Attributes$/, seen: [/theirs/, /mine/],
    choose: async (place) => place("Variable “edition”").getByPlaceholder("Another value").fill("agreed"),
    then: async (now) => assert.deepEqual(now.variables, { edition: "agreed" }),
  },
};

describe("every kind of conflict in the app", () => {
  let app, server, ada;
  before(async () => {
    ({ server } = app = await startApp());
    ada = await app.open("/app");
  });
  after(() => app?.stop());

  const empty = async (title) => (await server.api("POST", `/v1/orgs/${server.organization}/spaces`, { title })).id;

  // What a space has now, by names.
  async function state(space) {
    const revision = await server.api("GET", `/v1/spaces/${space}/content`);
    const { pages } = await server.api("GET", `/v1/spaces/${space}/content/pages`);
    const all = [];
    const walk = (list) => list.forEach((each) => (all.push(each), walk(each.pages ?? [])));
    walk(pages);
    const files = revision.files ?? [];
    const reusables = revision.reusableContents ?? [];
    const page = (title) => all.find((each) => each.title === title);
    return {
      ids: Object.fromEntries([...all.map((each) => [each.title, each.id]), ...files.map((each) => [each.name, each.id]), ...reusables.map((each) => [each.title, each.id])]),
      titles: all.map((each) => each.title), files: files.map((each) => each.name), reusables: reusables.map((each) => each.title), variables: revision.variables, page,
      markdown: async (title) => (await server.api("GET", `/v1/spaces/${space}/content/page/${page(title).id}?format=markdown`)).markdown,
      file: async (name) => (await fetch(files.find((each) => each.name === name).downloadURL)).text(),
      reusable: async (title) => {
        const { id } = reusables.find((each) => each.title === title);
        const { nodes } = await server.api("GET", `/v1/spaces/${space}/revisions/${revision.id}/reusable-contents/${id}/document`);
        const words = (node) => (node.leaves ?? []).map((leaf) => leaf.text).join("") + (node.nodes ?? []).map(words).join("");
        return nodes.map(words).join("\n");
      },
    };
  }

  for (const [name, kind] of Object.entries(kinds)) {
    test(`${name}: from its making to its settling`, async () => {
      const space = await empty(`About ${name}`);
      const write = (path, changes) => server.api("POST", `/v1/spaces/${space}${path}/content`, { changes });
      await write("", kind.first);
      const { ids } = await state(space);
      await server.api("POST", `/v1/spaces/${space}/change-requests`, { subject: name });
      await write("/change-requests/1", kind.mine(ids));
      await write("", kind.main(ids));

      const { page: tab } = ada;
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
      await kind.then(await state(space));
      assert.deepEqual(ada.problems.splice(0), []);
    });
  }

  test("nothing is merged until all are settled", async () => {
    const space = await empty("Several");
    const write = (path, changes) => server.api("POST", `/v1/spaces/${space}${path}/content`, { changes });
    await write("", ["Alpha", "Beta"].map((title) => ({ operation: "insert_page", title, ...text("Words.\n") })));
    const { ids } = await state(space);
    await server.api("POST", `/v1/spaces/${space}/change-requests`, {});
    await write("/change-requests/1", [update(ids.Alpha, { title: "Alpha mine" }), update(ids.Beta, { title: "Beta mine" })]);
    await write("", [update(ids.Alpha, { title: "Alpha main" }), update(ids.Beta, { title: "Beta main" })]);
    const { page: tab } = ada;
    await tab.goto(`${server.base}/app/spaces/${space}/changes/1/conflicts`);
    await tab.getByText("2 left to choose").waitFor();
    await tab.locator("[data-place]").first().waitFor();
    await tab.keyboard.press("3");
    await tab.getByText("1 left to choose").waitFor();
    await tab.getByRole("button", { name: "Apply (1)" }).click();
    await tab.getByText(/^1 of 1/).waitFor();
    const { result } = await server.api("POST", `/v1/spaces/${space}/change-requests/1/merge`, {});
    assert.equal(result, "conflicts");
    assert.deepEqual((await state(space)).titles, ["Alpha main", "Beta main"]);
    await tab.goto(`${server.base}/app/spaces/${space}/changes/1`);
    await tab.getByText("1 conflict with main has to be settled first.").waitFor();
    assert.ok(await tab.getByRole("button", { name: "Merge", exact: true }).isDisabled());
    assert.deepEqual(ada.problems.splice(0), []);
  });

  for (const [name, options] of [["phone", { ...phone, locale: "de-DE" }], ["dark", { ...desktop, colorScheme: "dark" }]]) {
    test(`the screens of conflicts are right, ${name}`, async () => {
      const space = await empty(`Looked at ${name}`);
      const write = (path, changes) => server.api("POST", `/v1/spaces/${space}${path}/content`, { changes });
      await write("", kinds["move cycle"].first);
      const { ids } = await state(space);
      await server.api("POST", `/v1/spaces/${space}/change-requests`, {});
      await write("/change-requests/1", kinds["move cycle"].mine(ids));
      await write("", kinds["move cycle"].main(ids));
      const { page: tab, context, problems } = await app.open(`/app/spaces/${space}/changes/1/conflicts`, options);
      await tab.locator("[data-place]").first().waitFor();
      await look(tab, `conflict-cycle-${name}`);
      assert.deepEqual(problems, []);
      await context.close();
    });
  }
});
