// What other programs put into the clipboard, in the shapes that they give it, comes in as what it says.
import type { Node } from "@tiptap/pm/model";
import { expect, test } from "vitest";
import { writeDocument } from "../convert";
import { clipboardParser } from "../paste";
import { clean } from "./clean";
import { putAside } from "./looks";

const parse = (html: string) =>
  clipboardParser.parse(new window.DOMParser().parseFromString(clean(html), "text/html").body);

// said writes a document as names with their words.
const said = (node: Node): string => {
  const name =
    node.type.name +
    (node.type.name === "taskItem"
      ? (node.attrs["data"] as { checked: boolean }).checked
        ? "*"
        : ""
      : node.type.name === "hint"
        ? `:${(node.attrs["data"] as { style: string }).style}`
        : "");
  if (node.type.name === "doc") return node.children.map(said).join(" ");
  return node.isTextblock
    ? name === "paragraph"
      ? node.textContent
      : `${name}(${node.textContent})`
    : `${name}[${node.children.map(said).join(" ")}]`;
};
const pasted = (html: string) => {
  const doc = parse(html);
  doc.check();
  expect(JSON.stringify(writeDocument(doc))).not.toMatch(/mso|javascript:|onclick|font-family/i);
  return said(doc);
};
const item = (level: number, sign: string, words: string, list = "l0") =>
  `<p class=MsoListParagraphCxSpMiddle style='margin-left:${level * 36}pt;text-indent:-18.0pt;mso-list:${list} level${level} lfo1'><![if !supportLists]><span style='font-family:Symbol'><span style='mso-list:Ignore'>${sign}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp; </span></span></span><![endif]>${words}<o:p></o:p></p>`;

test("Word: lists by their style, titles, no looks", () => {
  const html = `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>p.MsoNormal{color:red}</style></head><body lang=EN><!--StartFragment-->
    <p class=MsoTitle>Report<o:p></o:p></p><h2 style='mso-list:none'>Part<o:p></o:p></h2><p class=MsoNormal><b>Bold</b> and <span style='color:red'>red</span><o:p></o:p></p>
    ${item(1, "·", "one")}${item(2, "o", "deep")}${item(1, "·", "two")}${item(1, "3.", "third", "l1")}${item(1, "4.", "fourth", "l1")}
    <p class=MsoQuote>said</p><!--EndFragment--></body></html>`;
  expect(pasted(html)).toBe(
    "heading1(Report) heading1(Part) Bold and red listUnordered[listItem[one listUnordered[listItem[deep]]] listItem[two]] listOrdered[listItem[third] listItem[fourth]] blockquote[said]",
  );
  expect(JSON.stringify(writeDocument(parse(html)))).toContain('"start":3');
  expect(pasted(item(1, "☐", "open") + item(1, "☒", "done"))).toBe("listTasks[taskItem[open] taskItem*[done]]");
});

test("Google Docs: nested lists, boxes, marks in styles, detours of links", () => {
  const html = `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-1"><h1 dir="ltr"><span style="font-size:20pt">Head</span></h1>
    <p dir="ltr"><span style="font-weight:700">b</span><span style="text-decoration:line-through">s</span><span style="font-size:0.6em;vertical-align:super">2</span> <a href="https://www.google.com/url?q=https://example.org/x&sa=D"><span style="text-decoration:underline">link</span></a></p>
    <ul><li dir="ltr" aria-level="1"><p role="presentation"><span>one</span></p></li><ul><li aria-level="2"><p><span>deep</span></p></li></ul><li><p><span>two</span></p></li></ul>
    <ul><li role="checkbox" aria-checked="true"><p>done</p></li><li role="checkbox" aria-checked="false"><p>open</p></li></ul>
    <p><span style="font-family:'Courier New',monospace">x := 1</span></p><p><span style="font-family:'Courier New',monospace">y := 2</span></p></b>`;
  expect(pasted(html)).toBe(
    "heading1(Head) bs2 link listUnordered[listItem[one listUnordered[listItem[deep]]] listItem[two]] listTasks[taskItem*[done] taskItem[open]] codeBlock(x := 1\ny := 2)",
  );
  const json = JSON.stringify(writeDocument(parse(html)));
  for (const part of ['"bold"', '"strikethrough"', '"superscript"', '"https://example.org/x"'])
    expect(json).toContain(part);
});

test("Notion: to-dos, callouts, toggles, code", () => {
  const html = `<h2 id="a">Plan</h2><ul id="b" class="to-do-list"><li><div class="checkbox checkbox-on"></div> <span class="to-do-children-checked">done</span></li></ul>
    <figure class="block-color-gray_background callout" style="white-space:pre-wrap;display:flex"><div style="font-size:1.5em"><span class="icon">⚠️</span></div><div style="width:100%"><p>Mind it</p></div></figure>
    <ul id="c" class="toggle"><li><details open=""><summary>More</summary><p>inside</p></details></li></ul>
    <pre id="d" class="code"><code class="language-Go">x := 1</code></pre>`;
  expect(pasted(html)).toBe(
    "heading1(Plan) listTasks[taskItem*[done]] hint:warning[Mind it] expandable[expandableTitle(More) expandableBody[inside]] codeBlock(x := 1)",
  );
});

test("Confluence: macros, tasks, code, what expands", () => {
  const html = `<div class="confluence-information-macro confluence-information-macro-warning"><span class="aui-icon confluence-information-macro-icon"></span><div class="confluence-information-macro-body"><p>Careful</p></div></div>
    <div data-panel-type="info" class="ak-editor-panel"><div class="ak-editor-panel__icon"><svg></svg></div><div class="ak-editor-panel__content"><p>Know</p></div></div>
    <ul class="inline-task-list"><li class="checked" data-inline-task-id="1"><span>done</span></li><li data-inline-task-id="2"><span>open</span></li></ul>
    <div data-node-type="actionList"><div data-task-local-id="1" data-task-state="DONE">new</div></div>
    <div class="code panel"><div class="codeContent"><pre class="syntaxhighlighter-pre" data-syntaxhighlighter-params="brush: java; gutter: false">int x;</pre></div></div>
    <div class="expand-container"><div class="expand-control"><span class="expand-control-text">More</span></div><div class="expand-content"><p>inside</p></div></div>`;
  expect(pasted(html)).toBe(
    "hint:danger[Careful] hint:info[Know] listTasks[taskItem*[done] taskItem[open]] listTasks[taskItem*[new]] codeBlock(int x;) expandable[expandableTitle(More) expandableBody[inside]]",
  );
});

test("pages of the web: alerts, code with numbers and buttons, tasks, no anchors", () => {
  const html = `<nav>Menu</nav><h2>Use<a class="anchor" aria-hidden="true" href="#use"><svg></svg></a></h2>
    <div class="markdown-alert markdown-alert-note"><p class="markdown-alert-title">Note</p><p>Read</p></div>
    <div class="admonition warning"><p class="admonition-title">Warning</p><p>Hot</p></div>
    <div class="highlight highlight-source-go"><pre>x := 1</pre><button>Copy</button></div>
    <ul class="contains-task-list"><li class="task-list-item"><input type="checkbox" checked> did</li></ul>
    <p onclick="x()">see <a href="javascript:y()">this</a></p>`;
  expect(pasted(html)).toBe(
    "heading1(Use) hint:info[Read] hint:warning[Hot] codeBlock(x := 1) listTasks[taskItem*[did]] see this",
  );
  expect(JSON.stringify(writeDocument(parse(html)))).toContain('"syntax":"go"');
});

test("what was copied here is left alone", () => {
  const own = '<p data-recto-node="paragraph" style="color:red">x</p>';
  expect(clean(own)).toBe(own);
});

test("lines that break stay apart, blank lines between blocks go", () => {
  expect(pasted("<p>a</p><br><ul><li>b</li></ul><br>\n<br><p>c</p>")).toBe("a listUnordered[listItem[b]] c");
  expect(JSON.stringify(writeDocument(parse("<div>one<br>two<ul><li>b</li></ul></div>")))).not.toContain("onetwo");
});

test("what is not closed is looked through once, and styles in words stay words", () => {
  // Looked through once for each of them, these would take minutes.
  const many = (part: string) => putAside(part.repeat(200_000));
  expect(many("<a ")).toBe("<a ".repeat(200_000));
  expect(many("<style")).toBe("");
  expect(many("<b style='x' ")).toBe("<b data-looks='x' ".repeat(200_000));
  expect(many('<p style="')).toHaveLength(
    200_000 * '<p style="'.length + 100_000 * "data-looks".length - 100_000 * "style".length,
  );
  expect(putAside(`<p style="a" title=' style="b"'>x style="c"</p>`)).toBe(
    `<p data-looks="a" title=' style="b"'>x style="c"</p>`,
  );
});
