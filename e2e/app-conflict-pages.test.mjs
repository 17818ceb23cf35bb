// Conflicts about pages and their places, from their making to their settling, in the app: what each side has is shown,
// a side or another value is chosen, nothing is merged before, and what was chosen is what is merged.
import { test } from "node:test";
import assert from "node:assert/strict";
import { empty, stateOf, text, update, walkKinds } from "./conflicts.mjs";

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
    first: [
      { operation: "insert_page", title: "Alpha", ...text("Words.\n") },
      { operation: "insert_page", title: "Beta", ...text("Words.\n") },
    ],
    mine: ({ Alpha }) => [update(Alpha, { slug: "same" })],
    main: ({ Beta }) => [update(Beta, { slug: "same" })],
    at: /One address$/, seen: [/“Beta” has the address “same”/, /“Alpha” has the address “same”/],
    choose: async (place) => place("One address").getByPlaceholder("Another address for my page").fill("mine"),
    then: async (now) => assert.deepEqual([now.page("Alpha").slug, now.page("Beta").slug], ["mine", "same"]),
  },
  "slug kept by main": {
    first: [
      { operation: "insert_page", title: "Alpha", ...text("Words.\n") },
      { operation: "insert_page", title: "Beta", ...text("Words.\n") },
    ],
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
    first: [
      { operation: "insert_page", title: "Alpha", ...text("Words.\n") },
      { operation: "insert_page", title: "Beta", ...text("Words.\n") },
    ],
    mine: ({ Alpha, Beta }) => [update(Alpha, { into: Beta })],
    main: ({ Alpha, Beta }) => [update(Beta, { into: Alpha })],
    at: /Moved below each other$/, seen: [/Beta below Alpha/, /Alpha below Beta/],
    choose: async (place) => place("Moved below each other").getByRole("button", { name: /^Mine/ }).click(),
    then: async (now) => assert.equal(now.page("Alpha").path, "beta/alpha"),
  },
  "delete here against edit on main": {
    first: [
      { operation: "insert_page", title: "Alpha", ...text("Words.\n") },
      { operation: "insert_page", title: "Beta", ...text("More.\n") },
    ],
    mine: ({ Alpha }) => [{ operation: "delete_page", page: Alpha }],
    main: ({ Alpha }) => [update(Alpha, text("Words of main.\n"))],
    at: /Edited and deleted$/, seen: [/Words of main\./, /Deleted/],
    choose: async (place) => place("Edited and deleted").getByRole("button", { name: /^Mine/ }).click(),
    then: async (now) => assert.deepEqual(now.titles, ["Beta"]),
  },
  "edit here against delete on main": {
    first: [
      { operation: "insert_page", title: "Alpha", ...text("Words.\n") },
      { operation: "insert_page", title: "Beta", ...text("More.\n") },
    ],
    mine: ({ Alpha }) => [update(Alpha, text("Words of mine.\n"))],
    main: ({ Alpha }) => [{ operation: "delete_page", page: Alpha }],
    at: /Edited and deleted$/, seen: [/Deleted/, /Words of mine\./],
    choose: async (place) => place("Edited and deleted").getByRole("button", { name: /^Mine/ }).click(),
    then: async (now) => assert.match(await now.markdown("Alpha"), /Words of mine\./),
  },
  "page above deleted": {
    first: [
      { operation: "insert_page", title: "Alpha", ...text("Words.\n") },
      { operation: "insert_page", title: "Beta", ...text("More.\n") },
    ],
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
};

walkKinds("conflicts about pages in the app", kinds, (here) => {
  test("two orders are no conflict: the one that comes first is taken, and nobody is asked", async () => {
    const { server, ada: { page: tab } } = here;
    const space = await empty(server, "Ordered");
    const write = (path, changes) => server.api("POST", `/v1/spaces/${space}${path}/content`, { changes });
    await write(
      "",
      ["Alpha", "Beta", "Gamma"].map((title) => ({ operation: "insert_page", title, ...text("Words.\n") })),
    );
    const { ids } = await stateOf(server, space);
    await server.api("POST", `/v1/spaces/${space}/change-requests`, { subject: "Another order" });
    await write("/change-requests/1", [update(ids.Gamma, { at: 0 })]);
    await write("", [update(ids.Gamma, { at: 1 })]);
    await tab.goto(`${server.base}/app/spaces/${space}/changes/1`);
    await tab.getByText("No conflicts with main").waitFor();
    await tab.getByRole("button", { name: "Merge", exact: true }).click();
    await tab.getByRole("heading", { name: "This has been merged" }).waitFor();
    assert.deepEqual((await stateOf(server, space)).titles, ["Gamma", "Alpha", "Beta"]);
  });
});
