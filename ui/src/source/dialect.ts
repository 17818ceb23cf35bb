// What the dialect adds to Markdown, for CodeMirror's parser: block tags, front matter and formulas.
import type { BlockContext, Line, MarkdownConfig } from "@lezer/markdown";
import { tags as t } from "@lezer/highlight";

// A tag goes on over several lines as far as its values do; text that never ends it is none.
const longestTag = 500;

// partsOf returns the name, the attributes and the values of a tag, from the start of its text.
export function partsOf(
  text: string,
): { kind: "TagMark" | "TagName" | "TagAttribute" | "TagValue"; from: number; to: number }[] {
  const parts: ReturnType<typeof partsOf> = [{ kind: "TagMark", from: 0, to: 2 }];
  const name = /^\{%\s*(@?[\w/-]+)/.exec(text);
  let at = 2;
  if (name) {
    at = name[0].length;
    parts.push({ kind: "TagName", from: at - name[1]!.length, to: at });
  }
  const rest = /([\w-]+)(?==)|"(?:[^"\\]|\\.)*"|'[^']*'/g;
  rest.lastIndex = at;
  for (let found = rest.exec(text); found; found = rest.exec(text)) {
    parts.push({ kind: found[1] ? "TagAttribute" : "TagValue", from: found.index, to: found.index + found[0].length });
  }
  if (text.endsWith("%}")) parts.push({ kind: "TagMark", from: text.length - 2, to: text.length });
  return parts;
}

const begins = (line: Line) => line.text.startsWith("{%", line.pos);

function blockTag(cx: BlockContext, line: Line): boolean {
  if (!begins(line)) return false;
  const start = cx.lineStart + line.pos;
  let text = line.text.slice(line.pos).trimEnd();
  for (let count = 0; !text.endsWith("%}"); count++) {
    if (count === longestTag || !cx.nextLine()) break;
    // A blank line ends what is no tag of an integration.
    if (!text.startsWith("{% @") && line.text.trim() === "") break;
    text += "\n" + line.text.trimEnd();
  }
  const closed = text.endsWith("%}");
  const children = closed ? partsOf(text).map(({ kind, from, to }) => cx.elt(kind, start + from, start + to)) : [];
  cx.addElement(cx.elt("BlockTag", start, Math.min(start + text.length, cx.lineStart + line.text.length), children));
  if (closed) cx.nextLine();
  return true;
}

// Front matter stands at the very start, between lines of three dashes.
function frontMatter(cx: BlockContext, line: Line): boolean {
  if (cx.lineStart !== 0 || line.text.trimEnd() !== "---") return false;
  const marks = [cx.elt("FrontMatterMark", 0, 3)];
  const keys = [];
  while (cx.nextLine()) {
    if (line.text.trimEnd() === "---") {
      marks.push(cx.elt("FrontMatterMark", cx.lineStart, cx.lineStart + 3));
      cx.nextLine();
      break;
    }
    const key = /^(\s*(?:- )?)([\w-]+):/.exec(line.text);
    if (key)
      keys.push(
        cx.elt("FrontMatterKey", cx.lineStart + key[1]!.length, cx.lineStart + key[1]!.length + key[2]!.length),
      );
  }
  const [first, ...last] = marks;
  cx.addElement(cx.elt("FrontMatter", 0, cx.prevLineEnd(), [first!, ...keys, ...last]));
  return true;
}

export const dialect: MarkdownConfig = {
  defineNodes: [
    { name: "FrontMatter", block: true, style: t.meta },
    { name: "FrontMatterMark", style: t.processingInstruction },
    { name: "FrontMatterKey", style: t.propertyName },
    { name: "BlockTag", block: true },
    { name: "TagMark", style: t.processingInstruction },
    { name: "TagName", style: t.tagName },
    { name: "TagAttribute", style: t.attributeName },
    { name: "TagValue", style: t.string },
    { name: "Formula", style: t.special(t.string) },
  ],
  parseBlock: [
    { name: "FrontMatter", parse: frontMatter, before: "HorizontalRule" },
    { name: "BlockTag", parse: blockTag, before: "LinkReference", endLeaf: (_cx, line) => begins(line) },
  ],
  parseInline: [
    {
      name: "Formula",
      before: "Emphasis",
      parse(cx, next, pos) {
        if (next !== 36 || cx.char(pos + 1) !== 36) return -1;
        const end = cx.slice(pos + 2, cx.end).indexOf("$$");
        return end <= 0 ? -1 : cx.addElement(cx.elt("Formula", pos, pos + end + 4));
      },
    },
  ],
};
