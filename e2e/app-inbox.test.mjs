// The inbox, in a real browser: one person asks, names and answers, the other one is told of it and goes there.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { look, phone, startApp } from "./app.mjs";

describe("the inbox", () => {
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
    await server.api("POST", `${draft.request}/comments`, { body: { markdown: `Is this right, [Grace](/users/${grace} "mention")?` } });
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

  for (const [name, options] of [["phone", phone], ["german-dark", { ...phone, locale: "de-DE", colorScheme: "dark" }]]) {
    test(`is right, ${name}`, async () => {
      const { page, context, problems } = await app.open("/app/inbox?show=all", { email: "grace@example.org", ...options });
      await page.getByText("Is this right, @Grace?").waitFor();
      await look(page, `inbox-${name}`);
      assert.deepEqual(problems, []);
      await context.close();
    });
  }
});
