// Conflicts with main in the app: places of a text, fields, and a page that one side deleted, chosen with the keyboard,
// written anew, kept while the network is away and over a reload, applied and merged.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { desktop, look, phone, startApp } from "./app.mjs";

const body = (word, last) => `The ${word} paragraph begins here.

Quiet words one.

Quiet words two.

Quiet words three.

- apples
- ${word} pears

Quiet words four.

${last}
`;

describe("conflicts in the app", () => {
  let app, server, space, start, gone, ada;
  const at = (rest) => `/app/spaces/${space}/changes/1${rest}`;
  const request = () => `/v1/spaces/${space}/change-requests/1`;

  before(async () => {
    ({ server } = app = await startApp());
    space = await server.space("Handbook", { Start: body("first", "The end."), Gone: "Bye for now.\n" });
    const { pages } = await server.api("GET", `/v1/spaces/${space}/content/pages`);
    [start, gone] = pages.map((each) => each.id);
    await app.addPerson("grace@example.org", "Grace", "read");
    await server.api("POST", `/v1/spaces/${space}/change-requests`, { subject: "Say it better" });
    const write = (path, changes) => server.api("POST", path, { changes });
    await write(`${request()}/content`, [
      {
        operation: "update_page",
        page: start,
        title: "Mine",
        slug: "mine",
        document: { markdown: body("better", "The end, of mine.") },
      },
      { operation: "update_page", page: gone, document: { markdown: "Bye, and thanks.\n" } },
    ]);
    await write(`/v1/spaces/${space}/content`, [
      {
        operation: "update_page",
        page: start,
        title: "Theirs",
        slug: "theirs",
        document: { markdown: body("other", "The end, of main.") },
      },
      { operation: "delete_page", page: gone },
    ]);
    ada = await app.open("/app", { expected: /ERR_INTERNET_DISCONNECTED|status of 409/ });
  });
  after(() => app?.stop());

  const place = (name) => ada.page.getByRole("region", { name, exact: true });

  test("a change request leads to its conflicts", async () => {
    await ada.page.goto(server.base + at(""));
    await ada.page.getByRole("link", { name: "Settle conflicts" }).click();
    await ada.page.getByText(/^1 of 3/).waitFor();
    await ada.page.getByText("4 left to choose").waitFor();
  });

  test("places of a text are chosen with the keyboard, and one is written anew", async () => {
    const { page: tab } = ada;
    await tab.getByRole("button", { name: /Text$/ }).first().click();
    await place("Place 1 of 3").waitFor();
    await look(tab, "conflicts-text");
    assert.match(
      await place("Place 1 of 3").innerText(),
      /first paragraph[\s\S]*other paragraph[\s\S]*better paragraph/,
    );
    await tab.keyboard.press("3");
    await tab.keyboard.press("1");
    assert.equal(
      await place("Place 2 of 3").getByRole("button", { name: /^Main/ }).getAttribute("aria-pressed"),
      "true",
    );
    assert.match(
      await place("Place 1 of 3").innerText(),
      /Result\s+The better paragraph begins here\.\s+The other paragraph/,
    );
    await place("Place 3 of 3").getByRole("button", { name: "Edit the result" }).click();
    const text = place("Place 3 of 3").getByRole("textbox", { name: "Result" });
    await text.click();
    await tab.keyboard.press("Control+End");
    await tab.keyboard.type(" Both agree.");
    await place("Place 3 of 3").getByRole("button", { name: "Done" }).click();
    await place("Place 3 of 3").getByText("The end, of mine. Both agree.").waitFor();
    await tab.getByText("3 left to choose").waitFor();
  });

  test("fields are a row each, and a deleted page is shown whole", async () => {
    const { page: tab } = ada;
    await tab.getByRole("button", { name: /Attributes$/ }).click();
    await place("Title").getByRole("button", { name: /^Mine/ }).click();
    await place("Address").getByPlaceholder("Another value").fill("agreed");
    await look(tab, "conflicts-fields");
    await tab.getByRole("button", { name: /Edited and deleted$/ }).click();
    await tab.getByText("Bye, and thanks.").waitFor();
    await tab.getByText("Deleted", { exact: true }).waitFor();
    await look(tab, "conflicts-deleted");
  });

  test("choices are kept while the network is away, and over a reload", async () => {
    const { page: tab, context } = ada;
    await context.setOffline(true);
    await tab.keyboard.press("2");
    await tab.getByText("nothing left to choose").waitFor();
    await tab.getByRole("button", { name: "Apply all" }).click();
    await tab.getByRole("alert").first().waitFor();
    await context.setOffline(false);
    await tab.reload();
    await tab.getByText("nothing left to choose").waitFor();
    const { count } = await server.api("GET", `${request()}/conflicts`);
    assert.equal(count, 4, "choosing alone settles nothing");
  });

  for (const [name, options] of [
    ["phone", { ...phone, locale: "de-DE" }],
    ["dark", { ...desktop, colorScheme: "dark" }],
  ]) {
    test(`the screen is right, ${name}`, async () => {
      const { page: tab, context, problems } = await app.open(at("/conflicts"), options);
      await tab.getByRole("heading", { level: 1 }).waitFor();
      await tab.getByRole("button", { name: /Text$/ }).first().click();
      await tab.locator("[data-place]").first().waitFor();
      await look(tab, `conflicts-${name}`);
      assert.deepEqual(problems, []);
      await context.close();
    });
  }

  test("who may only read sees them and cannot choose", async () => {
    const { page: tab, context } = await app.open(at("/conflicts"), { email: "grace@example.org" });
    await tab.getByText("Who may edit this space can settle conflicts.").waitFor();
    assert.equal(await tab.getByRole("button", { name: /Apply/ }).count(), 0);
    assert.equal(await tab.getByRole("group", { name: "What to keep" }).count(), 0);
    await context.close();
  });

  test("applying settles each whole, and leads to the merge", async () => {
    const { page: tab } = ada;
    await tab.getByRole("button", { name: "Apply all" }).click();
    await tab.getByRole("heading", { name: "All settled" }).waitFor();
    await look(tab, "conflicts-none");
    const { markdown, title, slug } = await server.api("GET", `${request()}/content/page/${start}?format=markdown`);
    assert.ok(markdown.endsWith(`The better paragraph begins here.

The other paragraph begins here.

Quiet words one.

Quiet words two.

Quiet words three.

- apples
- other pears

Quiet words four.

The end, of mine. Both agree.
`), markdown);
    assert.deepEqual([title, slug], ["Mine", "agreed"]);
    await tab.getByRole("link", { name: "Go on to merge" }).click();
    await tab.getByRole("button", { name: "Merge", exact: true }).click();
    await tab.getByRole("heading", { name: "This has been merged" }).waitFor();
    assert.deepEqual(ada.problems, []);
  });
});
