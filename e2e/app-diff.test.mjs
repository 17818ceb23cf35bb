// What a change request changes, drawn as readers will see it: every kind of block, new, as it was, and with what was
// changed in it marked. On a desktop, side by side, on a phone, and dark.
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { desktop, look, phone, startApp } from "./app.mjs";

const text = (page) =>
  `Words with \`code\`, a page [other](/pages/${page} "mention"), $$a^2$$, <i class="fa-rocket">:rocket:</i> and \
a note[^1].

[^1]: What it says.

{% hint style="warning" %}
Mind the gap.
{% endhint %}

\`\`\`javascript
const a = 1; // one
function two() {}
\`\`\`

$$
\\int_0^1 x\\,dx
$$

{% tabs %}
{% tab title="Linux" %}
Type it.
{% endtab %}
{% tab title="macOS" %}
Click it.
{% endtab %}
{% endtabs %}

{% stepper %}
{% step %}
## First
Do this.
{% endstep %}
{% step %}
## Second
Do that.
{% endstep %}
{% endstepper %}

<details>

<summary>More to see</summary>

Folded words.

</details>

- [ ] open
- [x] closed

<table data-view="cards"><thead><tr><th></th><th data-type="select">Kind</th>\
<th data-hidden data-card-target data-type="content-ref"></th></tr></thead><tbody><tr>\
<td><strong>First card</strong></td><td></td><td><a href="/pages/${page}">x</a></td></tr></tbody></table>

<table><thead><tr><th>Name</th><th data-type="checkbox">Free</th><th data-type="rating" data-max="5">Stars</th>\
<th data-type="content-ref">Where</th></tr></thead><tbody><tr>\
<td>Tea</td><td>true</td><td>3</td><td><a href="/pages/${page}">x</a></td></tr></tbody></table>

{% content-ref url="/pages/${page}" %}
[other](/pages/${page})
{% endcontent-ref %}

<a href="https://example.org" class="button primary">Begin</a>

{% updates format="full" %}
{% update date="2026-01-02" tags="new" %}
## Version 2
It is better.
{% endupdate %}
{% endupdates %}
`;

describe("a change request drawn as readers will see it", () => {
  let app, server, space, page, other, number;

  before(async () => {
    app = await startApp();
    server = app.server;
    space = await server.space("Guide", { Start: "Nothing yet.\n", Elsewhere: "Words.\n" });
    const { pages } = await server.api("GET", `/v1/spaces/${space}/content/pages`);
    [page, other] = pages.map(({ id }) => id);
  });
  after(() => app.stop());

  const request = async (subject, markdown) => {
    const { number: made } = await server.api("POST", `/v1/spaces/${space}/change-requests`, { subject });
    await server.api("POST", `/v1/spaces/${space}/change-requests/${made}/content`, {
      changes: [{ operation: "update_page", page, document: { markdown } }],
    });
    return made;
  };
  const open = async (options = {}) => {
    const opened = await app.open(`/app/spaces/${space}/changes/${number}/diff`, options);
    const shown = opened.page.locator("section[aria-labelledby=diff-title]");
    await shown.locator(".mention", { hasText: "Elsewhere" }).first().waitFor();
    return { ...opened, shown };
  };

  test("what is new looks as on the page", async () => {
    number = await request("All blocks", text(other));
    const { page: tab, shown, problems, context } = await open();
    await shown.locator(".math .katex").first().waitFor();
    assert.equal(await shown.locator(".math .katex").count(), 2);
    await shown.locator(".block-code .k", { hasText: "const" }).waitFor();
    await shown.locator(".block-code .c", { hasText: "// one" }).waitFor();
    await shown.locator(".hint-warning .hint-icon svg").waitFor();
    assert.deepEqual(await shown.locator(".tab-title").allInnerTexts(), ["Linux", "macOS"]);
    assert.equal(await shown.locator(".step .step-marker").count(), 2);
    await shown.getByText("Folded words.").waitFor();
    assert.deepEqual(await shown.locator(".task-box").evaluateAll((boxes) => boxes.map(({ checked }) => checked)), [
      false,
      true,
    ]);
    assert.match(await shown.locator(".card").innerText(), /First card\s+→\s*Elsewhere/);
    assert.deepEqual(await shown.locator("td").allInnerTexts(), ["Tea", "☑", "★★★", "Elsewhere"]);
    assert.equal(await shown.locator(".content-ref-title").innerText(), "Elsewhere");
    assert.equal(await shown.locator(".button-primary").innerText(), "Begin");
    assert.match(await shown.innerText(), /a note\s+What it says\./);
    assert.match(await shown.innerText(), /January 2, 2026\s+new/);
    // Ids are for programs.
    assert.ok(!(await shown.innerText()).includes("page_"), await shown.innerText());
    await look(tab, "diff-blocks-new");
    assert.deepEqual(problems, []);
    await server.api("POST", `/v1/spaces/${space}/change-requests/${number}/merge`, {});
    await context.close();
  });

  test("what was changed is marked in it", async () => {
    number = await request(
      "Other words",
      text(other)
        .replace("a^2", "a^3")
        .replace("Mind the", "Please mind the")
        .replace("const a = 1", "const a = 2")
        .replace("Type it", "Type this")
        .replace("Do this", "Do this now")
        .replace("Folded", "Hidden")
        .replace("[ ] open", "[x] open")
        .replace("<td>true</td><td>3</td>", "<td>false</td><td>4</td>")
        .replace("It is better", "It is much better")
        .replace(`content-ref url="/pages/${other}"`, `content-ref url="/pages/${page}"`)
        .replace(">Begin<", ">Start now<"),
    );
    for (const [name, options] of [
      ["desktop", {}],
      ["phone", phone],
      ["dark", { ...desktop, colorScheme: "dark" }],
    ]) {
      const { page: tab, shown, problems, context } = await open(options);
      assert.equal(await shown.locator("del .math").count(), 1);
      assert.equal(await shown.locator(".hint-body ins", { hasText: "Please mind" }).count(), 1);
      assert.equal(await shown.locator(".block-code .line ins", { hasText: "2" }).count(), 1);
      assert.match(await shown.locator(".tab-panel").first().innerText(), /Type ?itthis/);
      assert.equal(await shown.locator(".step ins", { hasText: "now" }).count(), 1);
      assert.equal(await shown.locator(".expandable-body ins", { hasText: "Hidden" }).count(), 1);
      assert.match(await shown.innerText(), /Done: no to yes/);
      assert.deepEqual(await shown.locator("td:has(del)").allInnerTexts(), ["☑ ☐", "★★★ ★★★★"]);
      assert.match(await shown.innerText(), /Target:\s*Elsewhere\s*to\s*Start/);
      assert.deepEqual(await shown.locator(":is(ins, del) .button").allInnerTexts(), ["Begin", "Start now"]);
      assert.equal(await shown.locator(".update-body ins", { hasText: "much" }).count(), 1);
      assert.ok(!(await shown.innerText()).includes("page_"));
      await look(tab, `diff-blocks-${name}`);
      if (name === "desktop") {
        await tab.getByRole("button", { name: "Side by side" }).click();
        await tab.waitForURL(/mode=split/);
        await look(tab, "diff-blocks-split");
      }
      assert.deepEqual(problems, []);
      await context.close();
    }
  });
});
