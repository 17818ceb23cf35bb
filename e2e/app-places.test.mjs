// Spaces and collections at home: made, named, moved and shared, in a real browser.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { look, phone, shoot, startApp } from "./app.mjs";

describe("places", () => {
  let app, organization;
  before(async () => {
    app = await startApp();
    organization = app.server.organization;
  });
  after(() => app?.stop());

  const spaces = async () => (await app.server.api("GET", `/v1/orgs/${organization}/spaces`)).items;
  const collections = async () => (await app.server.api("GET", `/v1/orgs/${organization}/collections`)).items;
  const member = async (email) =>
    (await app.server.api("GET", `/v1/orgs/${organization}/members?search=${email}`)).items[0].user.id;

  test("spaces and collections are made, named, moved and deleted at home", async () => {
    const { api } = app.server;
    for (const title of ["Guide", "Reference", "Notes"]) await app.server.space(title, { Start: "Hello." });
    const { page, context, problems } = await app.open("/app");
    const row = (name) => page.getByRole("link", { name: new RegExp(`^${name}`) }).last();
    const menu = async (name, item) => {
      await row(name).hover();
      await page.getByRole("button", { name: `Options of ${name}`, exact: true }).click();
      await page.getByRole("menuitem", { name: item }).click();
    };
    await page.getByRole("button", { name: "New collection" }).click();
    await page.getByLabel("Title").fill("Product");
    await page.getByLabel("Description").fill("What we sell");
    await page.keyboard.press("Enter");
    await row("Product").waitFor();
    const [product] = await collections();
    assert.equal(product.description, "What we sell");

    // By the menu, by keys, and dragged.
    await menu("Guide", "Move to…");
    const move = page.getByRole("dialog", { name: "Move “Guide”" });
    await move.getByRole("radio", { name: "Product" }).check();
    await look(page, "places-move", { within: "[role=dialog]" });
    await move.getByRole("button", { name: "Move" }).click();
    await move.waitFor({ state: "detached" });
    assert.equal((await spaces()).find(({ title }) => title === "Guide").parent, product.id);
    await row("Notes").focus();
    await page.keyboard.press("Alt+ArrowUp");
    await page.getByRole("status").filter({ hasText: "Notes has been moved." }).waitFor({ state: "attached" });
    const order = async () => (await spaces()).filter(({ parent }) => !parent).map(({ title }) => title);
    assert.deepEqual(await order(), ["Notes", "Reference"]);
    await row("Reference").dragTo(row("Product"));
    await page.getByRole("status").filter({ hasText: "Reference has been moved." }).waitFor({ state: "attached" });
    assert.deepEqual(await order(), ["Notes"]);

    await row("Notes").focus();
    await page.keyboard.press("F2");
    const rename = page.getByRole("dialog", { name: "Rename “Notes”" });
    await rename.getByLabel("Title").fill("Journal");
    await rename.getByRole("searchbox").fill("rocket");
    await rename.getByRole("button", { name: "rocket" }).click();
    await look(page, "places-rename", { within: "[role=dialog]" });
    await rename.getByRole("button", { name: "Save" }).click();
    await row("Journal").waitFor();
    assert.equal((await spaces()).find(({ title }) => title === "Journal").emoji, "🚀");

    await look(page, "places");
    await row("Journal").click({ button: "right" });
    await page.getByRole("menuitem", { name: "Duplicate" }).waitFor();
    await shoot(page, "places-menu");
    await page.getByRole("menuitem", { name: "Move to the trash" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Move to the trash" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await row("Journal").waitFor({ state: "detached" });
    assert.equal((await api("GET", `/v1/orgs/${organization}/trash`)).items[0].title, "Journal");

    // What a failed move says stays in sight.
    await page.route("**/move", (route) =>
      route.fulfill({ status: 409, json: { error: { code: 409, message: "It is being moved already." } } }),
    );
    await row("Reference").focus();
    await page.keyboard.press("Alt+ArrowUp");
    await page.getByRole("alert").filter({ hasText: "It is being moved already." }).waitFor();
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("deleted spaces come back from the trash, or go for good", async () => {
    const { api } = app.server;
    for (const title of ["Back", "Gone"])
      await api("DELETE", `/v1/spaces/${await app.server.space(title, { Start: "Hello." })}`);
    const trash = async () => (await api("GET", `/v1/orgs/${organization}/trash`)).items.map(({ title }) => title);
    const { page, context, problems } = await app.open("/app");
    await page.getByRole("link", { name: "Trash" }).click();
    const row = (name) => page.getByRole("listitem").filter({ hasText: name });
    await row("Back").getByText(/Deleted by Ada now · 7 days left/).waitFor();
    await look(page, "trash");
    await row("Back").getByRole("button", { name: "Restore" }).click();
    await page.getByRole("status").filter({ hasText: "Back is where it was." }).waitFor();
    await row("Back").waitFor({ state: "detached" });
    assert.ok((await spaces()).some(({ title }) => title === "Back"));

    await page.getByRole("button", { name: "Delete for ever: Gone" }).click();
    const question = page.getByRole("dialog", { name: "Delete “Gone” for ever?" });
    const go = question.getByRole("button", { name: "Delete for ever" });
    await question.getByLabel("Type Gone to confirm").fill("gone");
    assert.equal(await go.isDisabled(), true);
    await question.getByLabel("Type Gone to confirm").fill("Gone");
    await look(page, "trash-for-good", { within: "[role=dialog]" });
    await go.click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await row("Gone").waitFor({ state: "detached" });
    assert.equal((await trash()).includes("Gone"), false);
    assert.deepEqual(problems, []);
    await context.close();
    const small = await app.open(`/app/orgs/${organization}/trash`, { ...phone, colorScheme: "dark" });
    await small.page.getByRole("heading", { name: "Trash" }).waitFor();
    await look(small.page, "trash-phone");
    await small.context.close();
  });

  test("people, teams and guests get access, and nobody locks themselves out unawares", async () => {
    const { api } = app.server;
    await app.addPerson("grace@example.org", "Grace Hopper", "create");
    await app.addPerson("joan@example.org", "Joan Clarke", "read");
    const grace = await member("grace@example.org");
    const team = await api("PUT", `/v1/orgs/${organization}/teams`, { title: "Writers", members: [grace] });
    const box = await api("POST", `/v1/orgs/${organization}/collections`, { title: "Shared" });
    const space = await app.server.space("Manual", { Start: "Hello." });
    await api("POST", `/v1/spaces/${space}/move`, { parent: box.id });

    const { page, context, problems } = await app.open(`/app/collections/${box.id}`, { email: "grace@example.org" });
    await page.getByRole("button", { name: "Access" }).click();
    const dialog = page.getByRole("dialog", { name: "Access to “Shared”" });
    const person = (name) => dialog.getByRole("listitem").filter({ hasText: name });
    await person("Joan Clarke").filter({ hasText: "Role in the organization" }).waitFor();
    await dialog.getByRole("combobox", { name: "People and teams" }).fill("joa");
    await page.getByRole("option", { name: /Joan Clarke/ }).click();
    await dialog.getByLabel("Role for those who are added").selectOption("edit");
    await dialog.getByRole("button", { name: "Add" }).click();
    await person("Joan Clarke").filter({ hasText: "Given here" }).waitFor();
    assert.equal(
      await dialog.getByRole("button", { name: "Take out Joan Clarke" }).count(),
      0,
      "who was added is still chosen",
    );
    await look(page, "access");

    // She has her rights from her role; a lower one for her team would take them.
    await dialog.getByRole("combobox", { name: "People and teams" }).fill("writ");
    await page.getByRole("option", { name: /Writers/ }).click();
    await dialog.getByLabel("Role for those who are added").selectOption("read");
    await dialog.getByRole("button", { name: "Add" }).click();
    const loss = page.getByRole("dialog", { name: "You would take rights from yourself" });
    await loss.getByText("no more than this here: Read").waitFor();
    await shoot(page, "access-loss");
    await loss.getByRole("button", { name: "Cancel" }).click();
    const given = async () =>
      (await api("GET", `/v1/collections/${box.id}/permissions/teams`)).items.map(({ team, permission }) => [
        team.title,
        permission,
      ]);
    assert.deepEqual(await given(), []);
    await dialog.getByLabel("Role for those who are added").selectOption("create");
    await dialog.getByRole("button", { name: "Add" }).click();
    await person("Grace Hopper").filter({ hasText: "Through Writers" }).waitFor();
    assert.deepEqual(await given(), [["Writers", "create"]]);
    assert.equal(team.title, "Writers");

    await dialog.getByRole("button", { name: "Make a link" }).click();
    const link = await dialog.getByLabel("Link for guests").inputValue();
    assert.match(link, new RegExp(`/invites/${organization}/`));
    // Also where a page without a certificate has no clipboard of the browser.
    await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { value: undefined, configurable: true }));
    await page.evaluate(() =>
      document.addEventListener(
        "copy",
        () => (window.copied = String(getSelection()) || document.activeElement.value),
        { once: true },
      ),
    );
    await dialog.getByRole("button", { name: "Copy link" }).click();
    await dialog.getByRole("button", { name: "Copied" }).waitFor();
    assert.equal(await page.evaluate(() => window.copied), link);
    await dialog.getByRole("button", { name: "Revoke" }).click();
    await dialog.getByRole("button", { name: "Make a link" }).waitFor();
    assert.deepEqual((await api("GET", `/v1/orgs/${organization}/link-invites`)).items, []);

    await dialog.getByRole("button", { name: "Take back what Joan Clarke was given here" }).click();
    await person("Joan Clarke").filter({ hasText: "Role in the organization" }).waitFor();
    assert.deepEqual((await api("GET", `/v1/collections/${box.id}/permissions/users`)).items, []);
    assert.deepEqual(problems, []);
    await context.close();

    // The space within says where it comes from, on a phone and in the dark.
    const small = await app.open("/app", { ...phone, colorScheme: "dark" });
    await small.page.getByRole("button", { name: "Options of Manual" }).click();
    await small.page.getByRole("menuitem", { name: "Who has access" }).click();
    await small.page.getByText("Through Writers, from Shared").waitFor();
    await look(small.page, "access-phone");
    const level = small.page.getByRole("combobox", { name: "Members", exact: true });
    await level.selectOption("none");
    await small.page.getByText("2 people may do less now:").waitFor();
    assert.equal((await api("GET", `/v1/spaces/${space}`)).defaultLevel, null);
    await small.context.close();
  });
});
