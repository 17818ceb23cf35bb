// The settings of a space, in a real browser: its name, its merge rules, who has access, what goes out, and the trash.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { look, phone, startApp } from "./app.mjs";

describe("the settings of a space", () => {
  let app, server, space, ada;
  const now = () => server.api("GET", `/v1/spaces/${space}`);
  const until = async (holds) => {
    for (let i = 0; i < 100; i++) {
      if (holds(await now())) return;
      await new Promise((done) => setTimeout(done, 100));
    }
    assert.fail(JSON.stringify(await now()));
  };
  before(async () => {
    ({ server } = app = await startApp());
    await app.addPerson("grace@example.org", "Grace", "review");
    space = await server.space("Handbook", { Start: "Hello.\n" });
    ada = await app.open(`/app/spaces/${space}`);
  });
  after(() => app?.stop());

  test("name it, say its language, lock main, and what a merge needs", async () => {
    const { page } = ada;
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Settings" }).click();
    await page.getByRole("textbox", { name: "Title" }).fill("Manual");
    await page.getByRole("combobox", { name: "Language" }).selectOption({ label: "German" });
    await page.getByRole("switch", { name: "Lock main" }).click();
    await until(({ title, language, editMode }) => title === "Manual" && language === "de" && editMode === "locked");
    await page.getByRole("radio", { name: "Rules of its own" }).click();
    await page.getByRole("switch", { name: "It has a subject" }).click();
    await page.getByRole("switch", { name: "It has a subject", checked: true }).waitFor();
    await page.getByRole("combobox", { name: "All of these have approved" }).fill("Gra");
    await page.getByRole("option", { name: "Grace" }).click();
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await until(({ mergeRules }) =>
      mergeRules.rules?.some(({ rule, users }) => rule === "require_specific_reviewers" && users.length === 1),
    );
    // A rule that cannot be read says so and is not set.
    await page.getByRole("textbox", { name: "A rule of your own" }).fill("changeRequest.(");
    await page.getByRole("button", { name: "Add a rule" }).click();
    await page.getByRole("alert").or(page.getByText(/expression/)).first().waitFor();
    assert.equal((await now()).mergeRules.rules.length, 2);
    await look(page, "settings");
    await page.getByRole("radio", { name: "Nothing" }).click();
    await until(({ mergeRules }) => mergeRules.type === "none");
    assert.deepEqual(ada.problems.filter((problem) => !/status of 400/.test(problem)), []);
  });

  test("what is chosen while a choice is on its way takes none back", async () => {
    const { page } = ada;
    await server.api("PATCH", `/v1/spaces/${space}`, { mergeRules: { type: "rules", rules: [] } });
    await page.reload();
    let late = 1500;
    await page.route(`**/v1/spaces/${space}`, async (route) => {
      // The first takes the longest.
      if (route.request().method() === "PATCH") await new Promise((done) => setTimeout(done, (late -= 400)));
      await route.continue();
    });
    const on = (name) => page.getByRole("switch", { name }).click();
    await on("It has a subject");
    await page.getByRole("combobox", { name: "Language" }).selectOption({ label: "French" });
    await on("It has taken in all of main");
    await on("Its author merges it");
    assert.equal(await page.getByRole("switch", { name: "It has a subject" }).getAttribute("aria-checked"), "true");
    await until(({ language, mergeRules }) => language === "fr" && mergeRules.rules?.length === 3);
    await page.unroute(`**/v1/spaces/${space}`);
    await page.getByRole("radio", { name: "Nothing" }).click();
    await until(({ mergeRules }) => mergeRules.type === "none");
  });

  test("take in docs from a file, with a report", async () => {
    await server.api("PATCH", `/v1/spaces/${space}`, { editMode: "live" });
    const { page } = ada;
    await page.reload();
    await page
      .locator('input[type="file"]')
      .first()
      .setInputFiles({
        name: "news.md",
        mimeType: "text/markdown",
        buffer: Buffer.from("# News\n\n[Nowhere](gone.md)\n"),
      });
    await page.getByRole("link", { name: "Go to the pages" }).waitFor();
    await page.getByText("gone.md").first().waitFor({ state: "attached" });
    assert.ok(
      (await server.api("GET", `/v1/spaces/${space}/content/pages`)).pages.some(({ title }) => title === "News"),
    );
    await look(page, "settings-import");
    assert.deepEqual(ada.problems.filter((problem) => !/status of 400/.test(problem)), []);
  });

  test("give it out as Markdown, and put it into the trash", async () => {
    const { page } = ada;
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name: "Markdown as ZIP" }).click();
    assert.match((await download).suggestedFilename(), /\.zip$/);
    await page.getByRole("button", { name: "Move to the trash" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Move to the trash" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Move to the trash" }).click();
    await page.getByRole("heading", { name: "Home" }).waitFor();
    assert.ok((await now()).deletedAt);
  });

  test("who does not manage it reads them; on a phone, in the dark", async () => {
    await server.api("POST", `/v1/spaces/${space}/restore`);
    const { page, context, problems } = await app.open(`/app/spaces/${space}/settings`, {
      email: "grace@example.org",
      ...phone,
      colorScheme: "dark",
    });
    await page.getByText("Who manages the space can change these.").waitFor();
    assert.ok(await page.getByRole("textbox", { name: "Title" }).isDisabled());
    assert.equal(await page.getByRole("button", { name: "Move to the trash" }).count(), 0);
    await look(page, "settings-phone");
    assert.deepEqual(problems, []);
    await context.close();
  });
});
