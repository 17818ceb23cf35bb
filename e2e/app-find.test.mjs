// Finding pages in the app, in a real browser: what may have been meant, what comes closest, what is read most, and
// what is said while pages are still being indexed.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { look, phone, startApp } from "./app.mjs";

describe("finding", () => {
  let app, space, site, published;
  before(async () => {
    app = await startApp();
    const { api, organization } = app.server;
    ({ id: space } = await api("POST", `/v1/orgs/${organization}/spaces`, { title: "Harbours" }));
    const page = (title, markdown) => ({ operation: "insert_page", title, document: { markdown } });
    await api("POST", `/v1/spaces/${space}/content`, {
      changes: [page("Harbour", "Ships wait for a pilot."), page("Tides", "They rise."), page("Piers", "A pier.")],
    });
    site = await api("POST", `/v1/orgs/${organization}/sites`, { title: "Harbours", spaces: [space] });
    const { urls } = await api("POST", `/v1/orgs/${organization}/sites/${site.id}/publish`);
    published = urls.published;
    for (let i = 0; i < 2; i++) assert.equal((await fetch(`${urls.published}piers`)).status, 200);
  });
  after(() => app?.stop());

  for (const [name, options, said] of [
    [
      "desktop",
      {},
      {
        read: /Piers.*Read most/,
        meant: "harbour pilot",
        closest: "No page has all of these words",
        still: "Pages are still being indexed",
      },
    ],
    [
      "phone-german-dark",
      { ...phone, locale: "de-DE", colorScheme: "dark" },
      {
        read: /Piers.*Viel gelesen/,
        meant: "harbour pilot",
        closest: "Keine Seite enthält alle Wörter",
        still: "Die Seiten werden noch gelesen",
      },
    ],
  ]) {
    test(`everything, ${name}`, async () => {
      const { page, context, problems } = await app.open("/app", options);
      await page.getByRole("heading", { level: 1 }).first().waitFor();
      await page.getByRole("button", { name: /^(Search|Suche)$/ }).first().click();
      await page.getByRole("option", { name: said.read }).waitFor();
      await look(page, `find-popular-${name}`);
      const field = page.getByRole("combobox");
      await field.fill("harbour zeppelins");
      await page.getByRole("status").filter({ hasText: said.closest }).waitFor();
      await look(page, `find-closest-${name}`);
      await field.fill("harbuor pilot");
      await page.getByRole("button", { name: said.meant }).click();
      assert.equal(await field.inputValue(), said.meant);
      assert.equal(
        await field.evaluate((element) => element === document.activeElement),
        true,
        "the field has lost the focus",
      );
      await page
        .getByRole("option", { name: /Harbour/ })
        .first()
        .waitFor();
      await page.getByRole("button", { name: said.meant }).waitFor({ state: "detached" });

      // While pages are being indexed it says so, shows what there is, and asks again by itself.
      let asked = 0;
      await page.route("**/search?query=tides*", async (route) => {
        const answer = await route.fetch();
        const body = await answer.json();
        await route.fulfill({ response: answer, json: { ...body, incomplete: asked++ === 0 } });
      });
      await field.fill("tides");
      await page.getByRole("status").filter({ hasText: said.still }).waitFor();
      await page.getByRole("option", { name: /Tides/ }).first().waitFor();
      await look(page, `find-incomplete-${name}`);
      await page.getByRole("status").filter({ hasText: said.still }).waitFor({ state: "detached" });
      assert.deepEqual(problems, []);
      await context.close();
    });
  }

  test("in a space", async () => {
    const { page, context, problems } = await app.open(`/app/spaces/${space}`);
    await page.getByRole("button", { name: "Find in this space" }).click();
    const dialog = page.getByRole("dialog", { name: "Find in this space" });
    await dialog.getByText("Read most").waitFor();
    assert.match(await dialog.getByRole("option").first().innerText(), /^Piers/);
    const field = dialog.getByRole("combobox");
    await field.fill("harbuor");
    await dialog.getByRole("button", { name: "harbour", exact: true }).click();
    await dialog.getByRole("option", { name: /Harbour/ }).first().waitFor();
    await field.fill("harbour zeppelins");
    await dialog.getByRole("status").filter({ hasText: "These come closest" }).waitFor();
    await look(page, "find-space");
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("words that mean the same on a site", async () => {
    const { organization, api } = app.server;
    const { page, context, problems } = await app.open(`/app/orgs/${organization}/sites/${site.id}/look?part=pages`);
    const field = page.getByRole("textbox", { name: "Words that mean the same to the search" });
    await field.fill("quay, pier\n\n  ebb, tide ");
    await field.blur();
    for (let tries = 0; ; tries++) {
      const { synonyms } = await api("GET", `/v1/orgs/${organization}/sites/${site.id}/customization`);
      if (synonyms.length === 2) {
        assert.deepEqual(synonyms, ["quay, pier", "ebb, tide"]);
        break;
      }
      assert.ok(tries < 40, "the words are not saved");
      await new Promise((done) => setTimeout(done, 100));
    }
    await look(page, "find-synonyms", { within: "main > div > div:first-child" });
    const { items } = await (await fetch(`${published}~/search?q=quay`)).json();
    assert.deepEqual(items.map(({ title }) => title.join("")), ["Piers"]);
    assert.deepEqual(problems, []);
    await context.close();
  });
});
