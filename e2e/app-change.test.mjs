// Change requests in the app, in a real browser: one person writes and asks for a review, another one looks at the diff
// and merges, and readers see it. On a desktop, on a phone, and dark.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { recto, startRecto } from "./recto.mjs";
import { launch, seriousFindings } from "./browser.mjs";

/** Where screenshots go when somebody wants to look at them. */
const shots = process.env.RECTO_SCREENSHOTS;
const password = "difference engine";
const desktop = { viewport: { width: 1440, height: 900 } };
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

const before_ = `The quick brown fox jumps over the lazy dog and goes home.

First among many.

Second among many.

Third among many.

Another one among many.

Yet another one.

Fourth among many.

{% hint style="info" %}
Mind the gap.
{% endhint %}

\`\`\`js
one();
two();
\`\`\`

| Name | Price |
| ---- | ----- |
| Tea  | 2     |
| Cake | 4     |
`;
const after_ = `First among many.

Second among many.

Third among many.

Another one among many.

Yet another one.

Fourth among many indeed.

{% hint style="warning" %}
Mind the gap.
{% endhint %}

\`\`\`js
one();
two(2);
three();
\`\`\`

| Name | Price |
| ---- | ----- |
| Tea  | 3     |
| Cake | 4     |

The quick brown fox jumps over the lazy dog and goes home.
`;

describe("change requests in the app", () => {
  let server, browser, space, page, site, ada, grace;

  before(async () => {
    server = await startRecto({ flags: ["--rate-limit", "0"] });
    space = await server.space("Handbook", { Start: before_, Gone: "Bye.\n" });
    ({ url: site } = await server.site("Handbook", [space]));
    const { pages } = await server.api("GET", `/v1/spaces/${space}/content/pages`);
    page = pages[0].id;
    await recto(["user", "add", "--data", server.data, "--email", "grace@example.org", "--name", "Grace", "--org", server.organization, "--role", "review"]);
    await setPassword("ada@example.org");
    await setPassword("grace@example.org");
    browser = await launch();
    if (shots) await mkdir(shots, { recursive: true });
    ada = await signedIn("ada@example.org", desktop);
    grace = await signedIn("grace@example.org", desktop);
  });

  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  function setPassword(email) {
    return new Promise((done, failed) => {
      const child = execFile(process.env.RECTO_BINARY ?? new URL("../bin/recto", import.meta.url).pathname,
        ["user", "password", "--data", server.data, "--email", email, "--stdin"], (error) => (error ? failed(error) : done()));
      child.stdin.end(`${password}\n`);
    });
  }

  /** Opens a browser of somebody who is signed in. */
  async function signedIn(email, options) {
    const context = await browser.newContext(options);
    const tab = await context.newPage();
    const problems = [];
    tab.on("pageerror", (error) => problems.push(String(error)));
    // A merge that may not be is 409, which the browser notes.
    tab.on("console", (message) => message.type() === "error" && !/status of 40(4|9)/.test(message.text()) && problems.push(message.text()));
    await tab.goto(`${server.base}/signin?next=%2Fapp%2F`);
    await tab.fill("#email", email);
    await tab.fill("#password", password);
    await tab.click("button.primary");
    await tab.waitForURL("**/app/");
    return { tab, context, problems };
  }

  const at = (rest) => `${server.base}/app/spaces/${space}/changes${rest}`;

  async function look(tab, name) {
    if (shots) await tab.screenshot({ path: join(shots, `change-${name}.png`) });
    assert.deepEqual(await seriousFindings(tab), [], name);
    const [wide, seen] = await tab.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(wide <= seen, `${name} is ${wide} wide in ${seen}`);
  }

  test("a list without change requests says what one is", async () => {
    await ada.tab.goto(at(""));
    await ada.tab.getByRole("heading", { name: "No change request is open" }).waitFor();
    await look(ada.tab, "empty");
  });

  test("who wrote names the draft, looks at the diff and asks for a review", async () => {
    const request = `/v1/spaces/${space}/change-requests`;
    await server.api("POST", request, {});
    await server.api("POST", `${request}/1/content`, { changes: [
      { operation: "update_page", page, title: "Begin", document: { markdown: after_ } },
      { operation: "insert_page", title: "News", document: { markdown: "Fresh words." } },
    ] });
    const { tab } = ada;
    await tab.goto(at("/1"));
    await tab.getByRole("button", { name: "Edit the subject" }).click();
    await tab.getByLabel("Subject").fill("Say how to begin");
    await tab.keyboard.press("Enter");
    await tab.getByRole("heading", { name: /Say how to begin/ }).waitFor();
    await look(tab, "draft");

    await tab.getByRole("link", { name: "Begin", exact: true }).click();
    await tab.getByText("Moved from here").first().waitFor();
    const shown = tab.locator("section[aria-labelledby=diff-title]");
    assert.equal(await shown.locator("ins", { hasText: "indeed" }).count(), 1);
    assert.match(await shown.innerText(), /Style: info to warning/);
    assert.match(await shown.innerText(), /unchanged blocks/);
    assert.equal(await shown.locator("td ins", { hasText: "3" }).count(), 1);
    await look(tab, "diff");
    await tab.keyboard.press("j");
    await tab.keyboard.press("j");
    assert.equal(await tab.evaluate(() => document.activeElement?.getAttribute("data-change")), "moved-away");
    await tab.getByRole("button", { name: "Side by side" }).click();
    await tab.waitForURL(/mode=split/);
    await look(tab, "diff-split");
    await tab.getByRole("button", { name: "Markdown", exact: true }).click();
    await tab.getByText("Fourth among many indeed.").waitFor();
    await look(tab, "diff-markdown");

    await tab.goto(at("/1"));
    await tab.getByRole("button", { name: "Request review" }).click();
    await tab.getByText("In review").waitFor();
    assert.deepEqual(ada.problems, []);
  });

  for (const [name, options] of [["phone", phone], ["dark", { ...desktop, colorScheme: "dark" }], ["german", { ...phone, locale: "de-DE" }]]) {
    test(`every screen is right, ${name}`, async () => {
      const { tab, context, problems } = await signedIn("grace@example.org", options);
      await tab.goto(at(""));
      await tab.getByText("Say how to begin").waitFor();
      await look(tab, `list-${name}`);
      await tab.goto(at("/1"));
      await tab.getByRole("link", { name: "Begin", exact: true }).waitFor();
      await look(tab, `open-${name}`);
      await tab.goto(`${at("/1/diff")}?page=${page}`);
      await tab.locator("ins", { hasText: "indeed" }).waitFor();
      await look(tab, `diff-${name}`);
      assert.deepEqual(problems, []);
      await context.close();
    });
  }

  test("a merge rule that is not met says so, and how to meet it", async () => {
    await server.api("PATCH", `/v1/spaces/${space}`, { mergeRules: { type: "rules", rules: [{ rule: "require_at_least_one_approved_review" }] } });
    const { tab } = grace;
    await tab.goto(at("/1"));
    const merge = tab.getByRole("button", { name: "Merge", exact: true });
    await merge.waitFor();
    await tab.getByText(/approv/i).first().waitFor();
    assert.ok(await merge.isDisabled());
    await look(tab, "blocked");
    await tab.getByRole("button", { name: "Approve" }).click();
    await tab.getByText("Nothing stands in the way of a merge.").waitFor();
    await tab.getByText("Grace approved").waitFor();
  });

  test("the other one merges, and the site shows it; the merge can be undone", async () => {
    const { tab } = grace;
    await tab.getByRole("button", { name: "Merge", exact: true }).click();
    await tab.getByRole("heading", { name: "This has been merged" }).waitFor();
    await look(tab, "merged");
    const address = await tab.getByRole("link", { name: "See it on the site" }).getAttribute("href");
    assert.equal(address, site);
    assert.match(await (await fetch(site)).text(), /Fourth among many indeed/);
    await tab.goto(`${at("/1/diff")}?page=${page}`);
    await tab.locator("ins", { hasText: "indeed" }).waitFor();
    await tab.goto(at("/1"));
    await tab.getByRole("button", { name: "Undo merge" }).click();
    await tab.waitForURL("**/changes/2");
    assert.deepEqual(grace.problems, []);
  });

  test("a conflict is counted and named", async () => {
    const request = `/v1/spaces/${space}/change-requests`;
    const { number } = await server.api("POST", request, { subject: "Late" });
    await server.api("POST", `${request}/${number}/content`, { changes: [{ operation: "update_page", page, title: "Mine" }] });
    await server.api("POST", `/v1/spaces/${space}/content`, { changes: [{ operation: "update_page", page, title: "Theirs" }] });
    await server.api("PATCH", `/v1/spaces/${space}`, { mergeRules: { type: "none" } });
    await ada.tab.goto(at(`/${number}`));
    await ada.tab.getByText("1 conflict with main has to be settled first.").waitFor();
    await ada.tab.getByText("Mine: both sides changed an attribute").waitFor();
    await look(ada.tab, "conflict");
  });
});
