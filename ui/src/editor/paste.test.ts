import type { Node } from "@tiptap/pm/model";
import { expect, test } from "vitest";
import { randomDocument, seeded } from "../../test/random";
import { readDocument, writeDocument } from "./convert";
import { plainText } from "./document";
import { render } from "./markdown";
import { clipboardParser, clipboardSerializer } from "./paste";

const page = (html: string) => new window.DOMParser().parseFromString(html, "text/html").body;

function copied(doc: Node): string {
  const body = page("");
  body.append(clipboardSerializer.serializeFragment(doc.content));
  return body.innerHTML;
}

// blocks names the blocks of a document with their words.
const blocks = (doc: Node) => writeDocument(doc).nodes.map((node) => `${node.type}: ${plainText(node)}`);
const pasted = (html: string) => blocks(clipboardParser.parse(page(html)));

test("what was copied here comes back as it was", { timeout: 60_000 }, () => {
  const random = seeded(7);
  for (let i = 0; i < 60; i++) {
    const doc = readDocument(randomDocument(random));
    const back = clipboardParser.parse(page(copied(doc)));
    expect(writeDocument(back), `document ${i}`).toEqual(writeDocument(doc));
  }
});

test("HTML of others keeps its words and structure and loses its looks", () => {
  const html = `<h2 style="color:red">Head</h2><p class="x" onclick="y()">a <b>b</b> <a href="javascript:z()">c</a></p>
    <ul><li>one<ul><li>two</li></ul></li></ul><script>bad()</script><pre><code class="language-go">x := 1</code></pre>`;
  expect(pasted(html)).toEqual(["heading-1: Head", "paragraph: a b c", "list-unordered: one\ntwo", "code: x := 1"]);
  expect(JSON.stringify(writeDocument(clipboardParser.parse(page(html))))).not.toMatch(/color|javascript|onclick|bad/);
  // Google Docs puts all in a bold element that is not bold.
  const docs = clipboardParser.parse(
    page('<b style="font-weight:normal"><p><span style="font-weight:700">b</span> c</p></b>'),
  );
  expect(docs.textContent).toBe("b c");
  expect(docs.firstChild!.firstChild!.marks.map((mark) => mark.type.name)).toEqual(["bold"]);
  expect(docs.firstChild!.lastChild!.marks).toEqual([]);
});

test("Markdown that is pasted means what it says", () => {
  const source =
    "## Head\n\nSome **bold** and `code`.\n\n- [x] done\n- [ ] open\n\n1. one\n2. two\n\n> quote\n\n---\n\n```go\nx := 1\n```\n\n<b>not HTML</b>\n";
  expect(pasted(render(source))).toEqual([
    "heading-1: Head",
    "paragraph: Some bold and code.",
    "list-tasks: done\nopen",
    "list-ordered: one\ntwo",
    "blockquote: quote",
    "divider: ",
    "code: x := 1",
    "paragraph: <b>not HTML</b>",
  ]);
});
