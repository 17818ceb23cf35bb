// Conflicts about files, reusable contents and variables, from their making to their settling, in the app; and that
// nothing is merged until all are settled.
import { test } from "node:test";
import assert from "node:assert/strict";
import { desktop, look, phone } from "./app.mjs";
import { dot, empty, stateOf, text, update, walkKinds } from "./conflicts.mjs";

const kinds = {
  file: {
    first: [
      { operation: "insert_page", title: "Alpha", ...text("Words.\n") },
      { operation: "insert_files", files: [{ name: "sign.svg", base64: dot("red") }] },
    ],
    mine: ({ "sign.svg": file }) => [{ operation: "update_file", file, replacement: { base64: dot("green") } }],
    main: ({ "sign.svg": file }) => [{ operation: "update_file", file, replacement: { base64: dot("blue") } }],
    at: /Attributes$/,
    seen: [],
    shown: (tab) =>
      tab.waitForFunction(
        () =>
          [...document.querySelectorAll("[data-place] img")].filter((each) => each.naturalWidth === 120).length === 3,
      ),
    choose: async (place) => place("Content of the file").getByRole("button", { name: /^Mine/ }).click(),
    then: async (now) => assert.match(await now.file("sign.svg"), /green/),
  },
  "name of a file": {
    first: [
      { operation: "insert_page", title: "Alpha", ...text("Words.\n") },
      { operation: "insert_files", files: [{ name: "sign.svg", base64: dot("red") }] },
    ],
    mine: ({ "sign.svg": file }) => [{ operation: "update_file", file, name: "mine.svg" }],
    main: ({ "sign.svg": file }) => [{ operation: "update_file", file, name: "theirs.svg" }],
    at: /Attributes$/, seen: [/theirs\.svg/, /mine\.svg/],
    choose: async (place) => place("Name").getByPlaceholder("Another value").fill("agreed.svg"),
    then: async (now) => assert.deepEqual(now.files, ["agreed.svg"]),
  },
  "file deleted": {
    first: [
      { operation: "insert_page", title: "Alpha", ...text("Words.\n") },
      { operation: "insert_files", files: [{ name: "sign.svg", base64: dot("red") }] },
    ],
    mine: ({ "sign.svg": file }) => [{ operation: "update_file", file, replacement: { base64: dot("green") } }],
    main: ({ "sign.svg": file }) => [{ operation: "delete_file", file }],
    at: /Edited and deleted$/, seen: [/Deleted/],
    choose: async (place) => place("Edited and deleted").getByRole("button", { name: /^Main/ }).click(),
    then: async (now) => assert.deepEqual(now.files, []),
  },
  "reusable content": {
    first: [
      { operation: "insert_page", title: "Alpha", ...text("Words.\n") },
      { operation: "insert_reusable_content", ref: "n", title: "Note", ...text("The first words.\n") },
    ],
    mine: ({ Note }) => [
      { operation: "update_reusable_content", reusableContent: Note, ...text("The words of mine.\n") },
    ],
    main: ({ Note }) => [
      { operation: "update_reusable_content", reusableContent: Note, ...text("The words of main.\n") },
    ],
    at: /Text$/,
    seen: [/The words of main\.[\s\S]*The words of mine\./],
    choose: async (place) => place("Place 1 of 1").getByRole("button", { name: /^Both/ }).click(),
    then: async (now) => assert.match(await now.reusable("Note"), /The words of mine\.\s+The words of main\./),
  },
  "title of a reusable content": {
    first: [
      { operation: "insert_page", title: "Alpha", ...text("Words.\n") },
      { operation: "insert_reusable_content", ref: "n", title: "Note", ...text("Words.\n") },
    ],
    mine: ({ Note }) => [{ operation: "update_reusable_content", reusableContent: Note, title: "Mine" }],
    main: ({ Note }) => [{ operation: "update_reusable_content", reusableContent: Note, title: "Theirs" }],
    at: /Attributes$/, seen: [/Theirs/, /Mine/],
    choose: async (place) => place("Title").getByRole("button", { name: /^Main/ }).click(),
    then: async (now) => assert.deepEqual(now.reusables, ["Theirs"]),
  },
  "reusable content deleted": {
    first: [
      { operation: "insert_page", title: "Alpha", ...text("Words.\n") },
      { operation: "insert_reusable_content", ref: "n", title: "Note", ...text("Words.\n") },
    ],
    mine: ({ Note }) => [{ operation: "delete_reusable_content", reusableContent: Note }],
    main: ({ Note }) => [{ operation: "update_reusable_content", reusableContent: Note, ...text("Words of main.\n") }],
    at: /Edited and deleted$/, seen: [/Words of main\./, /Deleted/],
    choose: async (place) => place("Edited and deleted").getByRole("button", { name: /^Main/ }).click(),
    then: async (now) => assert.deepEqual(now.reusables, ["Note"]),
  },
  variables: {
    first: [
      { operation: "insert_page", title: "Alpha", ...text("Words.\n") },
      { operation: "update_variables", variables: { edition: "first" } },
    ],
    mine: () => [{ operation: "update_variables", variables: { edition: "mine" } }],
    main: () => [{ operation: "update_variables", variables: { edition: "theirs" } }],
    at: /Attributes$/, seen: [/theirs/, /mine/],
    choose: async (place) => place("Variable “edition”").getByPlaceholder("Another value").fill("agreed"),
    then: async (now) => assert.deepEqual(now.variables, { edition: "agreed" }),
  },
};

const cycle = {
  first: [
    { operation: "insert_page", title: "Alpha", ...text("Words.\n") },
    { operation: "insert_page", title: "Beta", ...text("Words.\n") },
  ],
  mine: ({ Alpha, Beta }) => [update(Alpha, { into: Beta })],
  main: ({ Alpha, Beta }) => [update(Beta, { into: Alpha })],
};

walkKinds("conflicts about what is beside pages in the app", kinds, (here) => {
  test("nothing is merged until all are settled", async () => {
    const { server, ada } = here;
    const space = await empty(server, "Several");
    const write = (path, changes) => server.api("POST", `/v1/spaces/${space}${path}/content`, { changes });
    await write("", ["Alpha", "Beta"].map((title) => ({ operation: "insert_page", title, ...text("Words.\n") })));
    const { ids } = await stateOf(server, space);
    await server.api("POST", `/v1/spaces/${space}/change-requests`, {});
    await write("/change-requests/1", [
      update(ids.Alpha, { title: "Alpha mine" }),
      update(ids.Beta, { title: "Beta mine" }),
    ]);
    await write("", [update(ids.Alpha, { title: "Alpha main" }), update(ids.Beta, { title: "Beta main" })]);
    const { page: tab } = ada;
    await tab.goto(`${server.base}/app/spaces/${space}/changes/1/conflicts`);
    await tab.getByText("2 left to choose").waitFor();
    await tab.locator("[data-place]").first().waitFor();
    await tab.keyboard.press("2");
    await tab.getByText("1 left to choose").waitFor();
    await tab.getByRole("button", { name: "Apply (1)" }).click();
    await tab.getByText(/^1 of 1/).waitFor();
    const { result } = await server.api("POST", `/v1/spaces/${space}/change-requests/1/merge`, {});
    assert.equal(result, "conflicts");
    assert.deepEqual((await stateOf(server, space)).titles, ["Alpha main", "Beta main"]);
    await tab.goto(`${server.base}/app/spaces/${space}/changes/1`);
    await tab.getByText("1 conflict with main has to be settled first.").waitFor();
    assert.ok(await tab.getByRole("button", { name: "Merge", exact: true }).isDisabled());
    assert.deepEqual(ada.problems.splice(0), []);
  });

  for (const [name, options] of [
    ["phone", { ...phone, locale: "de-DE" }],
    ["dark", { ...desktop, colorScheme: "dark" }],
  ]) {
    test(`the screens of conflicts are right, ${name}`, async () => {
      const { app, server } = here;
      const space = await empty(server, `Looked at ${name}`);
      const write = (path, changes) => server.api("POST", `/v1/spaces/${space}${path}/content`, { changes });
      await write("", cycle.first);
      const { ids } = await stateOf(server, space);
      await server.api("POST", `/v1/spaces/${space}/change-requests`, {});
      await write("/change-requests/1", cycle.mine(ids));
      await write("", cycle.main(ids));
      const { page: tab, context, problems } = await app.open(`/app/spaces/${space}/changes/1/conflicts`, options);
      await tab.locator("[data-place]").first().waitFor();
      await look(tab, `conflict-cycle-${name}`);
      assert.deepEqual(problems, []);
      await context.close();
    });
  }
});
