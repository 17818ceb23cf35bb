// Integrations in the app, in a real browser: found, installed, set up by what they describe, put on spaces and sites,
// removed.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { look, phone, startApp } from "./app.mjs";

describe("integrations in the app", () => {
  let app, server, ada, space, site;
  const base = "/v1/integrations/ticket-tracker";
  const installation = async () => (await server.api("GET", `${base}/installations`)).items[0];
  const until = async (holds) => {
    for (let i = 0; i < 100; i++) {
      if (await holds()) return;
      await new Promise((done) => setTimeout(done, 100));
    }
    assert.fail("it does not come to be");
  };

  before(async () => {
    ({ server } = app = await startApp());
    await app.addPerson("grace@example.org", "Grace", "read");
    space = await server.space("Guide", { Start: "Hello.\n" });
    await server.space("Notes", { Start: "Hello.\n" });
    site = (await server.site("Docs", [space])).path.split("/").pop();
    await server.api("POST", base, {
      organization: server.organization,
      title: "Ticket tracker",
      description: "Shows tickets on pages.",
      scopes: ["space:content:read"],
      visibility: "private",
      runtime: "v2",
      script: "export default {};",
      blocks: [{ id: "ticket", title: "Ticket" }],
      configurations: {
        account: {
          properties: {
            key: { type: "string", title: "API key" },
            zone: { type: "string", enum: ["eu", "us"], default: "eu" },
            loud: { type: "boolean", title: "Tell everybody" },
            connect: { type: "button", button_text: "Connect", callback_url: "/connect" },
          },
          required: ["key"],
        },
        space: { properties: { project: { type: "string", title: "Project" } } },
      },
    });
    ada = await app.open(`/app/orgs/${server.organization}/integrations`, { expected: /status of 40[04]/ });
  });
  after(() => app?.stop());

  test("one is found, installed and set up", async () => {
    const { page } = ada;
    await page.getByRole("heading", { name: "Integrations" }).waitFor();
    await page.getByRole("searchbox", { name: "Search integrations" }).fill("nothing");
    await page.getByText("No integration is called so").waitFor();
    await page.getByRole("searchbox", { name: "Search integrations" }).fill("ticket");
    await look(page, "integrations-list");
    await page.getByRole("link", { name: "Ticket tracker" }).click();
    await page.getByText("space:content:read").waitFor();
    await page.getByRole("button", { name: "Install" }).click();
    await page.getByText("Needs settings").waitFor();
    await page.getByRole("textbox", { name: "API key" }).fill("secret-1");
    await page.getByRole("combobox", { name: "zone" }).selectOption("us");
    await page.getByRole("checkbox", { name: "Tell everybody" }).check();
    await look(page, "integrations-one");
    await page.getByRole("button", { name: "Save the settings" }).click();
    await page.getByText("Installed", { exact: true }).waitFor();
    assert.deepEqual((await installation()).configuration, { key: "secret-1", zone: "us", loud: true });
    assert.deepEqual(ada.problems, []);
  });

  test("it is put on spaces and sites, with settings of theirs, and taken off", async () => {
    const { page } = ada;
    const spaces = page.getByRole("region", { name: "Spaces that it is on" });
    await spaces.getByRole("combobox", { name: "Choose a space" }).selectOption({ label: "Guide" });
    await spaces.getByRole("button", { name: "Put it there" }).click();
    await spaces.getByRole("link", { name: "Guide" }).waitFor();
    await spaces.getByRole("button", { name: "Settings" }).click();
    await spaces.getByRole("textbox", { name: "Project" }).fill("DOCS");
    await spaces.getByRole("button", { name: "Save the settings" }).click();
    const on = async () => (await server.api("GET", `${base}/installations/${(await installation()).id}/spaces`)).items;
    await until(async () => (await on())[0]?.configuration.project === "DOCS");
    const sites = page.getByRole("region", { name: "Sites that it is on" });
    await sites.getByRole("combobox", { name: "Choose a site" }).selectOption({ label: "Docs" });
    await sites.getByRole("button", { name: "Put it there" }).click();
    await sites.getByRole("link", { name: "Docs" }).waitFor();
    await look(page, "integrations-places");
    const other = await app.open(`/app/spaces/${space}/integrations`);
    await other.page.getByRole("link", { name: "Ticket tracker" }).waitFor();
    await look(other.page, "integrations-space");
    await other.context.close();
    await sites.getByRole("button", { name: "Take it away" }).click();
    await sites.getByText("It is on no site yet.").waitFor();
    await spaces.getByRole("radio", { name: "All spaces, later ones too" }).click();
    await spaces.getByRole("link", { name: "Notes" }).waitFor();
    assert.equal((await installation()).space_selection, "all");
    assert.ok(site);
    assert.deepEqual(ada.problems, []);
  });

  test("who may not install it sees that; on a phone, in the dark, in German; then it goes", async () => {
    const { page, context, problems } = await app.open(`/app/orgs/${server.organization}/integrations/ticket-tracker`, {
      email: "grace@example.org",
      ...phone,
      colorScheme: "dark",
      locale: "de",
      expected: /status of 40[34]/,
    });
    await page.getByRole("heading", { name: "Ticket tracker" }).waitFor();
    assert.equal(await page.getByRole("button", { name: /nstallieren/ }).count(), 0);
    await look(page, "integrations-phone-de");
    assert.deepEqual(problems, []);
    await context.close();
    await ada.page.getByRole("button", { name: "Uninstall" }).click();
    await ada.page.getByRole("dialog").getByRole("button", { name: "Uninstall" }).click();
    await ada.page.getByRole("button", { name: "Install", exact: true }).waitFor();
    assert.equal(await installation(), undefined);
    assert.deepEqual(ada.problems, []);
  });
});
