// What other programs put into the clipboard comes in as what it says, in a browser with the policy of the app, which
// refuses style attributes: the clipboards have the shapes that Google Docs, Word, spreadsheets, editors of code,
// GitHub and Notion give them.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { look, says, startApp } from "./app.mjs";

let app;
before(async () => (app = await startApp()));
after(() => app?.stop());

const gdocs = `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-1"><h1 dir="ltr" style="line-height:1.38;"><span style="font-size:20pt;font-weight:400;">Release plan</span></h1>
<p dir="ltr"><span style="font-weight:700">Bold</span><span style="font-size:11pt;"> and </span><span style="font-style:italic;">italic</span><span> and </span><a href="https://www.google.com/url?q=https://example.org/x&amp;sa=D" style="text-decoration:none;"><span style="color:#1155cc">a link</span></a><span style="text-decoration:line-through">gone</span></p><br>
<ul><li dir="ltr" aria-level="1"><p role="presentation"><span>one</span></p></li><ul><li aria-level="2"><p><span>nested</span></p></li></ul><li role="checkbox" aria-checked="true"><p><span>two</span></p></li></ul>
<div align="left"><table><colgroup><col width="100"/><col/></colgroup><tbody><tr><td><p><span style="font-weight:700">Name</span></p></td><td style="text-align:right"><p><span style="font-weight:700">Age</span></p></td></tr><tr><td><p><span>Ada</span></p></td><td><p><span>36</span></p></td></tr></tbody></table></div></b><br class="Apple-interchange-newline">`;
const word = (sign, level, list, words) =>
  `<p class=MsoListParagraph style='text-indent:-18.0pt;mso-list:${list} level${level} lfo1'><![if !supportLists]><span style='mso-list:Ignore'>${sign}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span><![endif]>${words}<o:p></o:p></p>`;
const code = `<meta charset='utf-8'><div style="color: #ccc;font-family: 'Droid Sans Mono', 'monospace', monospace;white-space: pre;"><div><span style="color: #569cd6;">func</span><span> main() {</span></div><div><span>    x := 1</span></div><div><span>}</span></div></div>`;

const dialect = `## Head

{% hint style="warning" %}
Mind the **gap**.
{% endhint %}

{% tabs %}
{% tab title="One" %}
First
{% endtab %}

{% tab title="Two" %}
Second
{% endtab %}
{% endtabs %}

<details>

<summary>More</summary>

Hidden

</details>

The plan is <mark style="color:red;">red</mark>.
`;

const clipboards = [
  {
    of: "Google Docs",
    html: gdocs,
    becomes:
      "## Release plan\n\n**Bold** and _italic_ and [a link](https://example.org/x)~~gone~~\n\n* one\n  * nested\n\n- [x] two\n\n| Name | Age |\n| ---- | --: |\n| Ada  | 36  |",
  },
  {
    of: "Word",
    html: `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style><!-- p.MsoNormal {margin:0cm;} --></style></head><body><!--StartFragment--><h1>Overview<o:p></o:p></h1><p class=MsoNormal><b>Bold</b> <span style='font-family:Consolas'>x.y</span> text<o:p></o:p></p>${word("·", 1, "l0", "First")}${word("o", 2, "l0", "Below")}${word("1.", 1, "l1", "Numbered")}<!--EndFragment--></body></html>`,
    becomes: "## Overview\n\n**Bold** `x.y` text\n\n* First\n  * Below\n\n1. Numbered",
  },
  {
    of: "a spreadsheet",
    html: `<meta charset='utf-8'><style><!--td {border: 1px solid #ccc;}--></style><table><tbody><tr><td style="font-weight:bold;">Port</td><td style="font-weight:bold">Use</td></tr><tr><td style="text-align:right;">443</td><td style="color: red; font-weight: bold">https<br/>secure</td></tr></tbody></table>`,
    text: "Port\tUse\n443\thttps",
    becomes: "| Port | Use                 |\n| ---- | ------------------- |\n| 443  | **https<br>secure** |",
  },
  {
    of: "an editor of code",
    html: code,
    more: { "vscode-editor-data": '{"version":1,"mode":"go"}' },
    text: "func main() {\n    x := 1\n}\n",
    becomes: "```go\nfunc main() {\n    x := 1\n}\n```",
  },
  {
    of: "an editor of code that names no language",
    html: code,
    text: "func",
    becomes: "```\nfunc main() {\n    x := 1\n}\n```",
  },
  {
    of: "GitHub",
    html: `<h2>Install</h2><div class="highlight highlight-source-shell"><pre>make <span class="pl-k">&amp;&amp;</span> make test</pre></div><div class="markdown-alert markdown-alert-warning"><p class="markdown-alert-title">Warning</p><p>Careful, <code>&lt;b style="x"&gt;</code>.</p></div><ul class="contains-task-list"><li class="task-list-item"><input type="checkbox" class="task-list-item-checkbox" disabled checked> done</li></ul>`,
    becomes:
      '## Install\n\n```shell\nmake && make test\n```\n\n{% hint style="warning" %}\nCareful, `<b style="x">`.\n{% endhint %}\n\n* [x] done',
  },
  {
    of: "Notion",
    html: `<h1>Plan</h1><ul><li>[x]  done</li><li>[ ]  open</li></ul><aside>💡 Know <em>this</em></aside>`,
    becomes: '## Plan\n\n* [x] done\n* [ ] open\n\n{% hint style="info" %}\nKnow _this_\n{% endhint %}',
  },
  {
    of: "a text in Markdown",
    text: "# Title\n\nSome *text* with `code`\n\n- [ ] a\n- [x] b\n\n> [!CAUTION]\n> Hot\n\n> only said\n",
    becomes:
      '## Title\n\nSome _text_ with `code`\n\n* [ ] a\n* [x] b\n\n{% hint style="danger" %}\nHot\n{% endhint %}\n\n> only said',
  },
  { of: "a text with tags of the dialect", text: dialect, becomes: dialect.trimEnd() },
  {
    of: "Markdown in an editor of code",
    html: code,
    more: { "vscode-editor-data": '{"version":1,"mode":"markdown"}' },
    text: "## Head\r\n\r\nSome *text*\r\n",
    becomes: "## Head\n\nSome _text_",
  },
];

for (const { of, html, text: plain = "words", more = {}, becomes } of clipboards) {
  test(`what comes from ${of} keeps what it says and loses its looks`, async () => {
    const draft = await app.draft("Before.\n", of);
    const { page, text, context, problems } = await draft.open();
    await text.click();
    await page.keyboard.press("Control+End");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() =>
      getSelection()
        .anchorNode?.parentElement?.closest("[data-editor]")
        ?.querySelector("p:last-child")
        ?.contains(getSelection().anchorNode),
    );
    await page.evaluate(
      ([html, plain, more]) => {
        const clipboardData = new DataTransfer();
        if (html) clipboardData.setData("text/html", html);
        clipboardData.setData("text/plain", plain);
        for (const [type, data] of Object.entries(more)) clipboardData.setData(type, data);
        document
          .querySelector("[data-editor]")
          .dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
      },
      [html, plain, more],
    );
    const wanted = `Before.\n\n${becomes}`;
    let now;
    for (let i = 0; i < 60; i++) {
      now = (await draft.markdown()).trimEnd();
      if (now === wanted) break;
      await page.waitForTimeout(100);
    }
    assert.equal(now, wanted);
    await says(page, "Saved");
    await look(page, `paste-${of.replaceAll(" ", "-")}`);
    assert.deepEqual(problems, []);
    // One undo takes all of it back.
    await text.click();
    await page.keyboard.press("Control+z");
    await page.getByText("Before.").waitFor();
    await context.close();
  });
}

test("code goes behind the words that the cursor is in, not between them", async () => {
  const draft = await app.draft("* item\n\nAfter.\n", "Code in a list");
  const { page, text, context, problems } = await draft.open();
  await text.getByText("item").click();
  await page.keyboard.press("End");
  await page.evaluate(
    ([html]) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/html", html);
      clipboardData.setData("text/plain", "a := 1\nb := 2\n");
      clipboardData.setData("vscode-editor-data", '{"mode":"go"}');
      document
        .querySelector("[data-editor]")
        .dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    },
    [code],
  );
  await text.locator("pre").waitFor();
  await says(page, "Saved");
  assert.equal((await draft.markdown()).trimEnd(), "*   item\n\n    ```go\n    a := 1\n    b := 2\n    ```\n\nAfter.");
  assert.deepEqual(problems, []);
  await context.close();
});

test("what is typed while the server reads a text comes after it, and without the server the text stays", async () => {
  const draft = await app.draft("Before.\n\nLast.\n", "Slow reading");
  const { page, text, context } = await draft.open();
  const paste = (plain) =>
    page.evaluate((plain) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", plain);
      document
        .querySelector("[data-editor]")
        .dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    }, plain);
  let answer;
  const held = new Promise((resolve) => (answer = resolve));
  await page.route("**/content/markdown", async (route) => {
    await held;
    await route.continue();
  });
  await text.getByText("Before.").click();
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await page.keyboard.type("x");
  await paste("{% hint style=\"info\" %}\nRead\n{% endhint %}\n");
  await page.keyboard.type("typed meanwhile");
  answer();
  await text.locator("[class*=hint]").first().waitFor();
  await says(page, "Saved");
  const now = (await draft.markdown()).trimEnd();
  assert.equal(now, 'Before.\n\nx\n\n{% hint style="info" %}\nRead\n{% endhint %}\n\ntyped meanwhile\n\nLast.');
  await page.unroute("**/content/markdown");
  await page.route("**/content/markdown", (route) => route.abort());
  await text.getByText("Last.").click();
  await page.keyboard.press("End");
  await paste("{% unknown %} **bold**");
  await text.getByText("{% unknown %}").waitFor();
  await text.locator("strong", { hasText: "bold" }).waitFor();
  await context.close();
});
