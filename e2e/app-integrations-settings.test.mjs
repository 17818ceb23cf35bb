// Settings of integrations in the app: by properties with buttons and lists of the integration's own, and by a
// component.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { look, phone, startApp } from "./app.mjs";
import { installKit } from "./kit.mjs";

describe("settings of integrations", () => {
  let app, server, schema, component, linked, space;
  before(async () => {
    ({ server } = app = await startApp());
    space = await server.space("Guide", { Start: "Hello.\n" });
    schema = await installKit(server, null, {
      name: "tracker",
      title: "Tracker",
      summary:
        "# What it tracks\n\n**Everything**, see [its page](https://example.org/tracker). ![A picture](https://example.org/seen.png)\n",
      configurations: {
        account: {
          properties: {
            key: { type: "string", title: "API key", description: "From your account" },
            connect: { type: "button", title: "Account", button_text: "Connect", callback_url: "/oauth" },
            credentials: { type: "button", title: "Keys", button_text: "Get keys", callback_url: "/oauth" },
            zone: { type: "string", title: "Zone", completion_url: "/zones" },
            shelf: { type: "string", title: "Shelf", completion_url: "/shelves" },
            channel: { type: "string", title: "Channel", completion_url: "/channels" },
          },
          required: ["key", "credentials"],
        },
      },
    });
    component = await installKit(server, null, {
      name: "setup",
      title: "Setup",
      configurations: { account: { componentId: "setup" }, space: { componentId: "setup" } },
    });
    linked = await installKit(server, null, {
      name: "linked",
      title: "Linked",
      configurations: { account: { componentId: "linked" } },
    });
    await installKit(server, null, {
      name: "account",
      title: "Account",
      configurations: { account: { componentId: "account" } },
    });
    await installKit(server, null, {
      name: "placed",
      title: "Placed",
      configurations: { space: { properties: { color: { type: "string", title: "Colour" } } } },
    });
  });
  after(() => app?.stop());
  const installed = async (path) => server.api("GET", path);
  const until = async (holds) => {
    for (let i = 0; i < 100; i++) {
      if (await holds()) return;
      await new Promise((done) => setTimeout(done, 100));
    }
    assert.fail("it does not come to be");
  };

  test("what is required leaves it pending, and a part is kept", async () => {
    const { page, context, problems } = await app.open(`/app/orgs/${server.organization}/integrations/tracker`, {
      expected: /status of 500/,
    });
    await page.getByText("It does not work before this is set: API key, Keys").waitFor();
    await page.getByText("Needs settings").first().waitFor();
    await page.getByRole("textbox", { name: "API key" }).fill("secret-1");
    await page.getByRole("combobox", { name: "Zone" }).selectOption({ label: "America" });
    await page.getByRole("button", { name: "Save the settings" }).click();
    await page.getByText("It does not work before this is set: Keys").waitFor();
    const now = await installed(schema.installation);
    assert.deepEqual([now.status, now.configuration], ["pending", { key: "secret-1", zone: "us" }]);
    // A list that needs the key is asked once more.
    await page.getByRole("combobox", { name: "Shelf" }).selectOption({ label: "First of secret-1" });
    await look(page, "settings-pending");
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("a button opens a window of the integration, and what comes of it shows", async () => {
    const { page, context, problems } = await app.open(`/app/orgs/${server.organization}/integrations/tracker`);
    await page.getByRole("textbox", { name: "API key" }).fill("typed and not saved");
    const opened = context.waitForEvent("page");
    await page.getByRole("button", { name: "Get keys" }).click();
    const popup = await opened;
    assert.equal(await popup.evaluate(() => window.opener).catch(() => null), null);
    await page.getByText("Installed", { exact: true }).first().waitFor();
    assert.match(popup.url(), /\/integrations\/tracker\/installations\/[^/]+\/oauth$/);
    const now = await installed(schema.installation);
    assert.deepEqual([now.status, now.configuration.credentials], ["active", { access_token: "abc" }]);
    await page.getByText("It does not work before").waitFor({ state: "detached" });
    // A list that is there for those alone who have connected is asked for again, and some call what is kept value.
    await page.getByRole("combobox", { name: "Channel" }).selectOption({ label: "general" });
    assert.equal(await page.getByRole("combobox", { name: "Channel" }).inputValue(), "C1");
    assert.equal(await page.getByRole("textbox", { name: "API key" }).inputValue(), "typed and not saved");
    await page.getByRole("button", { name: "Save the settings" }).click();
    await until(async () => (await installed(schema.installation)).configuration.key === "typed and not saved");
    assert.deepEqual((await installed(schema.installation)).configuration.credentials, { access_token: "abc" });
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("its summary is Markdown, and settings that are for spaces alone are asked for there", async () => {
    const { page, context, problems } = await app.open(`/app/orgs/${server.organization}/integrations/tracker`);
    await page.getByRole("heading", { name: "What it tracks", level: 2 }).waitFor();
    assert.equal(await page.locator("strong").innerText(), "Everything");
    assert.equal(
      await page.getByRole("link", { name: "its page" }).getAttribute("rel"),
      "noopener noreferrer nofollow",
    );
    assert.equal(await page.locator("img[src*=example]").count(), 0);
    await look(page, "settings-summary");
    await page.goto(`${server.base}/app/orgs/${server.organization}/integrations/placed`);
    await page.getByRole("region", { name: "Spaces that it is on" }).waitFor();
    assert.equal(await page.getByRole("heading", { name: "Settings" }).count(), 0);
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("a component asks in steps, with a list of the integration's own, and keeps what it is told", async () => {
    const { page, context, problems } = await app.open(`/app/orgs/${server.organization}/integrations/setup`);
    await page.getByRole("textbox", { name: "API key" }).fill("from the component");
    await page.getByText("configuration_account").waitFor();
    await look(page, "settings-component");
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByRole("combobox", { name: "Zone" }).selectOption({ label: "America" });
    await page.getByRole("button", { name: "Back" }).click();
    assert.equal(await page.getByRole("textbox", { name: "API key" }).inputValue(), "from the component");
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByRole("button", { name: "Finish" }).click();
    await page.getByText("Saved", { exact: false }).first().waitFor();
    assert.deepEqual((await installed(component.installation)).configuration, {
      key: "from the component",
      zone: "us",
    });
    await page.reload();
    await page.getByRole("textbox", { name: "API key" }).waitFor();
    assert.equal(await page.getByRole("textbox", { name: "API key" }).inputValue(), "from the component");
    const spaces = page.getByRole("region", { name: "Spaces that it is on" });
    await spaces.getByRole("button", { name: "Settings" }).click();
    await spaces.getByText("configuration_space").waitFor();
    assert.ok(space);
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("a component follows the account that it is linked to, and what it keeps", async () => {
    const { page, context, problems } = await app.open(`/app/orgs/${server.organization}/integrations/linked`);
    await page.getByText("Is not signed in").waitFor();
    await page.getByRole("textbox", { name: "Note" }).fill("not saved");
    const opened = context.waitForEvent("page");
    await page.getByRole("link", { name: "Connect" }).click();
    await opened;
    await page.getByRole("link", { name: "Connected" }).waitFor();
    // The script keeps where it is in its state, which begins anew; what was filled in stays.
    await page.getByText("Is signed in").waitFor();
    assert.equal(await page.getByRole("textbox", { name: "Note" }).inputValue(), "not saved");
    await page.getByRole("combobox", { name: "Zone" }).selectOption({ label: "America" });
    await page.getByRole("button", { name: "Finish" }).click();
    await page.getByText("Kept us").waitFor();
    await page.getByText("Saved.").waitFor();
    assert.deepEqual((await installed(linked.installation)).configuration, {
      credentials: { access_token: "abc" },
      zone: "us",
    });
    await look(page, "settings-linked");
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("what a component keeps meanwhile shows, and what is filled in stays", async () => {
    const { page, context, problems } = await app.open(`/app/orgs/${server.organization}/integrations/account`);
    await page.getByRole("textbox", { name: "Note" }).fill("not saved");
    await page.getByRole("button", { name: "Link it" }).click();
    await page.getByRole("button", { name: "Linked" }).waitFor();
    assert.equal(await page.getByRole("textbox", { name: "Note" }).inputValue(), "not saved");
    // What may be typed counts as soon as it is one of the list, or with the return key, and not again when it is left.
    const branch = page.getByRole("combobox", { name: "Branch" });
    await branch.fill("next");
    await page.getByText("Picked: next").waitFor();
    await branch.fill("mine");
    await branch.press("Enter");
    await page.getByText("Picked: mine").waitFor();
    const drawn = [];
    page.on("request", (request) => /\/render$/.test(request.url()) && drawn.push(request.url()));
    await page.getByRole("textbox", { name: "Note" }).click();
    await page.waitForTimeout(300);
    assert.deepEqual(drawn, []);
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("on a phone, in the dark, in German", async () => {
    for (const name of ["tracker", "setup"]) {
      const { page, context, problems } = await app.open(`/app/orgs/${server.organization}/integrations/${name}`, {
        ...phone,
        colorScheme: "dark",
        locale: "de",
      });
      await page.getByRole("textbox", { name: "API key" }).waitFor();
      await look(page, `settings-${name}-phone`);
      assert.deepEqual(problems, []);
      await context.close();
    }
  });
});
