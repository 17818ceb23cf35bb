// The people of an organization: members, teams and invitations, in a real browser.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { look, phone, shoot, startApp } from "./app.mjs";

describe("people", () => {
  let app, organization, path;
  before(async () => {
    app = await startApp();
    organization = app.server.organization;
    path = `/app/orgs/${organization}/people`;
    await app.addPerson("grace@example.org", "Grace Hopper", "read");
    await app.addPerson("joan@example.org", "Joan Clarke", "edit");
  });
  after(() => app?.stop());

  const members = async () => (await app.server.api("GET", `/v1/orgs/${organization}/members`)).items;
  const member = async (email) => (await members()).find(({ user }) => user.email === email);

  test("a row says where somebody may do what, and why; roles change, and the last admin stays", async () => {
    const { api } = app.server;
    const grace = (await member("grace@example.org")).user.id;
    const team = await api("PUT", `/v1/orgs/${organization}/teams`, { title: "Writers", members: [grace] });
    const box = await api("POST", `/v1/orgs/${organization}/collections`, { title: "Product" });
    const space = await app.server.space("Guide", { Start: "Hello." });
    await api("POST", `/v1/spaces/${space}/move`, { parent: box.id });
    await api("POST", `/v1/collections/${box.id}/permissions`, { teams: [team.id], role: "edit" });

    const { page, context, problems } = await app.open("/app");
    await page.getByRole("link", { name: "People" }).click();
    const row = (name) => page.getByRole("row").filter({ hasText: name });
    await row("Grace Hopper").waitFor();
    await look(page, "people");
    const last = page.getByLabel("Role of Ada", { exact: true });
    assert.equal(await last.isDisabled(), true);
    await page.getByText("The last admin stays one.").waitFor();
    assert.equal(await page.getByRole("button", { name: "Leave the organization" }).count(), 0);
    assert.ok((await member("ada@example.org")).lastSeenAt, "the app does not say that somebody is there");

    await page.getByRole("button", { name: "Where Grace Hopper may do what" }).click();
    const place = page.getByRole("listitem").filter({ hasText: "Guide" });
    await place.getByText("Edit", { exact: true }).waitFor();
    await place.getByText("Through Writers, from Product").waitFor();
    await look(page, "people-places");

    await page.getByLabel("Role of Joan Clarke").selectOption("admin");
    await page.waitForFunction(() => !document.querySelector("select[aria-label='Role of Ada']")?.disabled);
    assert.equal((await member("joan@example.org")).role, "admin");
    // Who would take rights from themselves is told so first.
    await page.getByLabel("Role of Ada", { exact: true }).selectOption("edit");
    await page
      .getByRole("dialog", { name: "You would take rights from yourself" })
      .getByRole("button", { name: "Cancel" })
      .click();
    assert.equal((await member("ada@example.org")).role, "admin");
    await page.getByLabel("Role of Joan Clarke").selectOption("");
    await page.waitForFunction(() => document.querySelector("select[aria-label='Role of Ada']")?.disabled);
    assert.equal((await member("joan@example.org")).role, null);

    await page.getByRole("searchbox", { name: "Search by name" }).fill("joan");
    await row("Grace Hopper").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Remove Joan Clarke" }).click();
    const question = page.getByRole("dialog", { name: "Remove Joan Clarke?" });
    await question.getByText("Pages, change requests and comments stay").waitFor();
    await look(page, "people-remove", { within: "[role=dialog]" });
    await question.getByRole("button", { name: "Remove" }).click();
    await question.waitFor({ state: "detached" });
    await page.getByText("Nobody has that name.").waitFor();
    assert.equal(await member("joan@example.org"), undefined);
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("several people are invited at once, each address with its own answer", async () => {
    const { api } = app.server;
    const { page, context, problems } = await app.open(path, { expected: /status of 4/ });
    await page.getByRole("button", { name: "Invite people" }).click();
    const dialog = page.getByRole("dialog", { name: "Invite people" });
    await dialog
      .getByLabel("E-mail addresses")
      .fill("Mary <mary@example.org>, not an address\nhedy@example.org; hedy@example.org\ngrace@example.org");
    await dialog.getByText("This is no e-mail address.").waitFor();
    await dialog.getByText("Is there twice.").waitFor();
    await dialog.getByText("Is a member already.").waitFor();
    await look(page, "invite", { within: "[role=dialog]" });
    await page.route("**/invites", (route) =>
      route.request().postData()?.includes("hedy")
        ? route.fulfill({ status: 400, json: { error: { code: 400, message: "That address cannot be invited." } } })
        : route.continue(),
    );
    await dialog.getByRole("button", { name: "Send 2 invitations" }).click();
    await dialog.getByText("That address cannot be invited.").waitFor();
    await dialog.getByText("This server sends no mail").waitFor();
    assert.equal(await dialog.getByLabel("E-mail addresses").inputValue(), "not an address\nhedy@example.org");
    await shoot(page, "invited");
    await page.unroute("**/invites");
    await dialog.getByRole("button", { name: "Close" }).last().click();
    const invites = async () => (await api("GET", `/v1/orgs/${organization}/invites`)).items;
    assert.deepEqual((await invites()).map(({ email, role }) => [email, role]), [["mary@example.org", "edit"]]);

    await page.getByRole("link", { name: "Invitations" }).click();
    await page.getByRole("button", { name: "Send again: mary@example.org" }).click();
    await page.getByRole("status").filter({ hasText: "hand over the link" }).waitFor();
    await look(page, "invitations");
    await page.getByRole("button", { name: "Withdraw: mary@example.org" }).click();
    await page.getByText("Nobody is invited").waitFor();
    assert.deepEqual(await invites(), []);
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("teams are made, filled and deleted; who is no admin sees people alone", async () => {
    const { api } = app.server;
    const { page, context, problems } = await app.open(`${path}?show=teams`, { ...phone, colorScheme: "dark" });
    await page.getByRole("button", { name: "New team" }).click();
    const made = page.getByRole("dialog", { name: "New team" });
    await made.getByLabel("Name of the team").fill("Editors");
    await made.getByRole("combobox", { name: "People to add" }).fill("grace");
    await page.getByRole("option", { name: /Grace/ }).click();
    await made.getByRole("button", { name: "Create team" }).click();
    await made.waitFor({ state: "detached" });
    const teams = async () => (await api("GET", `/v1/orgs/${organization}/teams`)).items;
    const one = (await teams()).find(({ title }) => title === "Editors");
    assert.equal(one.members, 1);
    await look(page, "teams-phone");
    await page.getByRole("button", { name: "Edit: Editors" }).click();
    const edited = page.getByRole("dialog", { name: "Editors" });
    await edited.getByLabel("Owner").check();
    await edited.getByLabel("Name of the team").fill("Redaction");
    await look(page, "team-phone", { within: "[role=dialog]" });
    await edited.getByRole("button", { name: "Save" }).click();
    await page.getByRole("listitem").filter({ hasText: "Redaction" }).waitFor();
    const [{ team }] = (await api("GET", `/v1/orgs/${organization}/teams/${one.id}/members`)).items;
    assert.equal(team.role, "owner");
    await page.getByRole("button", { name: "Edit: Redaction" }).click();
    await page.getByRole("button", { name: "Delete team" }).click();
    await page.getByRole("button", { name: "Yes, delete it" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("listitem").filter({ hasText: "Redaction" }).waitFor({ state: "detached" });
    assert.equal((await teams()).some(({ id }) => id === one.id), false);
    await page.getByRole("link", { name: "Members" }).click();
    await page.getByRole("button", { name: "Where Grace Hopper may do what" }).waitFor();
    await look(page, "people-phone");
    assert.deepEqual(problems, []);
    await context.close();

    const reader = await app.open(path, { email: "grace@example.org" });
    await reader.page.getByText("Ada", { exact: true }).waitFor();
    assert.equal(await reader.page.getByRole("button", { name: "Invite people" }).count(), 0);
    assert.equal(await reader.page.getByRole("combobox", { name: /^Role of/ }).count(), 0);
    assert.equal(await reader.page.getByRole("link", { name: "Invitations" }).count(), 0);
    await reader.context.close();
  });
});
