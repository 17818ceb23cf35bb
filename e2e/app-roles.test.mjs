// What people may do who may not edit: they read a draft and comment on it, and nothing that they type is lost or
// pretended to be saved, also when their role changes while they write.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { look, phone, says, selectWords, startApp } from "./app.mjs";

const mod = process.platform === "darwin" ? "Meta" : "Control";
const source = `Some words to read.

- [ ] A task

{% tabs %}
{% tab title="First" %}
Inside.
{% endtab %}
{% endtabs %}

| Name | Done |
| ---- | ---- |
| One  | yes  |

\`\`\`js
let code;
\`\`\`
`;

describe("people who may not edit", () => {
  let app, server, members;
  before(async () => {
    ({ server } = app = await startApp());
    await app.addPerson("grace@example.org", "Grace", "comment");
    await app.addPerson("ben@example.org", "Ben", "edit");
    members = (await server.api("GET", `/v1/orgs/${server.organization}/members`)).items;
    await app.session("grace@example.org");
    await app.session("ben@example.org");
  });
  after(() => app?.stop());
  const panel = (page) => page.getByRole("complementary", { name: "Comments" });
  const become = (name, role) => {
    const { id } = members.find(({ user }) => user.displayName === name);
    return server.api("PATCH", `/v1/orgs/${server.organization}/members/${id}`, { role });
  };

  test("read a draft, cannot type in it, and comment", async () => {
    const draft = await app.draft(source);
    const revisions = await draft.revisions();
    const { page, text, context, problems } = await draft.open({ email: "grace@example.org", reads: true });
    await page.getByText("You can read this page and comment on it.").waitFor();
    // Nothing in it takes a key or a press.
    await text.getByText("Some words to read.").click();
    await page.keyboard.type("Mine. ");
    await text.getByRole("checkbox").first().click({ force: true });
    await text.getByText("Inside.").click();
    await page.keyboard.press("Backspace");
    assert.equal(await text.locator("[contenteditable=true]").count(), 0);
    assert.equal(await text.getByRole("checkbox").first().isChecked(), false);
    assert.equal(await page.getByRole("textbox", { name: "Title" }).getAttribute("readonly"), "");
    assert.equal(await page.getByRole("status").filter({ hasText: /^(Saved|Saving)/ }).count(), 0);
    assert.equal(await text.getByText("Mine.").count(), 0);
    await look(page, "roles-commenter");
    // A comment on words, and one on a block.
    await selectWords(text, "words");
    await page.getByRole("button", { name: /^Comment/ }).first().waitFor();
    await page.keyboard.press(`${mod}+Alt+m`);
    await panel(page).getByRole("combobox", { name: "Write a comment" }).fill("Which ones?");
    await page.keyboard.press(`${mod}+Enter`);
    await panel(page).getByText("Which ones?").waitFor();
    assert.equal(await text.locator(".comment-words").textContent(), "words");
    // As Markdown it is the same.
    await page.getByRole("button", { name: /Markdown/ }).first().click();
    const markdown = page.getByRole("textbox", { name: "Markdown of the page" });
    await markdown.click();
    await page.keyboard.type("Mine. ");
    assert.equal(await page.getByText("Mine.").count(), 0);
    await page.getByText("You can read this page and comment on it.").waitFor();
    await look(page, "roles-commenter-markdown");
    assert.equal(await draft.revisions(), revisions);
    assert.deepEqual(problems, []);
    await context.close();
    const small = await draft.open({ email: "grace@example.org", reads: true, ...phone, colorScheme: "dark" });
    await look(small.page, "roles-commenter-phone");
    await small.context.close();
    // On a phone in German all of the header is in reach.
    const narrow = await app.open(draft.path, { ...phone, locale: "de" });
    const changes = narrow.page.getByRole("link", { name: "Änderungen ansehen" });
    await narrow.page.getByRole("status").filter({ hasText: "Gespeichert" }).first().waitFor();
    const { x, width } = await changes.boundingBox();
    assert.ok(x + width <= 390, `the button ends at ${x + width}`);
    await look(narrow.page, "roles-writer-phone-german");
    await narrow.context.close();
  });

  for (const [mode, query] of [["rich text", ""], ["Markdown", "?mode=source"]]) {
    test(`lose their role while they write ${mode}: their words are kept and can be copied`, async () => {
      await become("Ben", "edit");
      const draft = await app.draft("Some words to read.\n");
      const { page, context, problems } = await app.open(draft.path + query, {
        email: "ben@example.org",
        permissions: ["clipboard-read", "clipboard-write"],
        expected: /status of 403/,
      });
      const text = page.getByRole("textbox", { name: query ? "Markdown of the page" : "Text of the page" });
      await text.getByText("Some words to read.").click();
      await page.keyboard.press("End");
      await page.keyboard.type(" Early.");
      await says(page, "Saved");
      await become("Ben", "comment");
      // At once: what is typed after the server has said it goes nowhere.
      await page.keyboard.insertText(" Late.");
      await page
        .getByText("You may not edit this change request any more. What you typed last was not saved.")
        .waitFor();
      await page.getByText("Late.").waitFor();
      await page.keyboard.type(" Later.");
      assert.equal(await page.getByText("Later.").count(), 0);
      await page.getByRole("button", { name: "Copy mine" }).click();
      await page.getByRole("button", { name: "Copied" }).waitFor();
      assert.match(await page.evaluate(() => navigator.clipboard.readText()), /Early\. Late\./);
      await look(page, `roles-lost${query ? "-markdown" : ""}`);
      // It is there after a reload, too, beside what the server has.
      await page.goto(server.base + draft.path);
      await page.getByText("What you typed last was not saved.").waitFor();
      assert.equal(await page.getByText("Late.").count(), 0);
      await page.getByRole("button", { name: "Copy mine" }).click();
      assert.match(await page.evaluate(() => navigator.clipboard.readText()), /Early\. Late\./);
      await look(page, `roles-kept${query ? "-markdown" : ""}`);
      // Whoever may edit again goes on with it.
      await become("Ben", "edit");
      await page.reload();
      await page.getByText("Late.").first().waitFor();
      await says(page, /^Saved$/);
      assert.match(await draft.markdown(), /Early\. Late\./);
      assert.deepEqual(problems, []);
      await context.close();
    });
  }
});
