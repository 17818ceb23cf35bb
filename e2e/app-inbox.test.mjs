// The inbox and the palette, in a real browser: one person asks, names and answers, the other one is told of it and
// goes there.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { look, phone, startApp } from "./app.mjs";

describe("the inbox and the palette", () => {
  let app, server, draft, grace;

  before(async () => {
    ({ server } = app = await startApp());
    draft = await app.draft("First words.\n");
    await app.addPerson("grace@example.org", "Grace", "review");
    const { items } = await server.api("GET", `/v1/orgs/${server.organization}/members`);
    grace = items.find((member) => member.user.email === "grace@example.org").id;
  });

  after(() => app?.stop());

  test("nothing waits at first", async () => {
    const { page, context, problems } = await app.open("/app/inbox", { email: "grace@example.org" });
    await page.getByRole("heading", { name: "Nothing waits" }).waitFor();
    await look(page, "inbox-empty");
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("tells of what others did, and leads there", async () => {
    await server.api("PATCH", draft.request, { subject: "Say it better" });
    await server.api("POST", `${draft.request}/requested-reviewers`, { users: [grace] });
    await server.api("POST", `${draft.request}/comments`, {
      body: { markdown: `Is this right, [Grace](/users/${grace} "mention")?` },
    });
    const { page, context, problems } = await app.open("/app", { email: "grace@example.org" });
    await page.getByText("Is this right, @Grace?").waitFor();
    await page.getByRole("link", { name: /Inbox.*2 not read/ }).click();
    await page.getByText("Ada asks you for a review").waitFor();
    await look(page, "inbox");
    await page.getByRole("link", { name: /Ada asks you for a review/ }).click();
    await page.getByRole("heading", { name: /Say it better/ }).waitFor();
    await page.getByRole("link", { name: /Inbox.*1 not read/ }).click();
    await page.getByText("Ada mentioned you").waitFor();
    assert.equal(await page.getByText("Ada asks you for a review").count(), 0);
    await page.getByRole("link", { name: "All", exact: true }).click();
    await page.getByText("Ada asks you for a review").waitFor();
    await page.getByRole("button", { name: "Mark as not read" }).click();
    await page.getByRole("link", { name: /Inbox.*2 not read/ }).waitFor();
    await page.getByRole("button", { name: "Mark all as read" }).click();
    await page.getByRole("button", { name: "Mark all as read" }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Mail once a day" }).click();
    await page.getByRole("menuitemradio", { name: "Mail at once" }).click();
    await page.getByRole("button", { name: "Mail at once" }).waitFor();
    await page.reload();
    await page.getByRole("button", { name: "Mail at once" }).waitFor();
    assert.deepEqual(problems, []);
    await context.close();
  });

  test("one field finds pages, spaces, change requests, people and commands", async () => {
    const { page, context, problems } = await app.open("/app", { email: "grace@example.org" });
    await page.getByRole("heading", { name: "Home", level: 1 }).waitFor();
    await page.keyboard.press(process.platform === "darwin" ? "Meta+k" : "Control+k");
    const field = page.getByRole("combobox", { name: /Find pages/ });
    await field.waitFor();
    await page.getByRole("option", { name: /^Inbox/ }).waitFor();
    await field.fill("first words");
    await page.getByRole("option", { name: /^Page.*Handbook/ }).waitFor();
    await look(page, "palette");
    await page.keyboard.press("Enter");
    await page.getByText("First words.").waitFor();
    assert.match(page.url(), new RegExp(`/app/spaces/${draft.space}/pages/${draft.id}`));
    const search = page.getByRole("button", { name: "Search", exact: true });
    await search.click();
    // What was chosen last comes first.
    assert.match(await page.getByRole("option").first().innerText(), /^Page/);
    await field.fill("say it");
    await page.getByRole("option", { name: /#1 Say it better/ }).waitFor();
    await field.fill("grace");
    await page.getByRole("option", { name: /^Grace/ }).waitFor();
    await field.fill("qqqq");
    await page.getByText("Nothing answers that").waitFor();
    await page.keyboard.press("Escape");
    await field.waitFor({ state: "detached" });
    assert.equal(
      await search.evaluate((element) => element === document.activeElement),
      true,
      "the focus did not come back",
    );
    assert.deepEqual(problems, []);
    await context.close();
  });

  for (const [name, options] of [
    ["phone", phone],
    ["german-dark", { ...phone, locale: "de-DE", colorScheme: "dark" }],
  ]) {
    test(`is right, ${name}`, async () => {
      const { page, context, problems } = await app.open("/app/inbox?show=all", {
        email: "grace@example.org",
        ...options,
      });
      await page.getByText("Is this right, @Grace?").waitFor();
      await look(page, `inbox-${name}`);
      await page.getByRole("button", { name: /^(Search|Suche)$/ }).click();
      await page.getByRole("option").first().waitFor();
      await look(page, `palette-${name}`);
      assert.deepEqual(problems, []);
      await context.close();
    });
  }
});
