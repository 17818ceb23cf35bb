// Code: one text here, a node for each line in the JSON. Lines that stand out are marked over the whole of their text,
// and notes over the words that they are on.
import { Fragment, type Mark, type Node } from "@tiptap/pm/model";
import type { JsonNode } from "../document";
import { writeInlines } from "../inline";
import { attributes, stored, written, type Block } from "./kind";

export const code: Block = {
  type: "code",
  name: "codeBlock",
  spec: {
    content: "text*",
    marks: "highlighted annotation",
    group: "block",
    code: true,
    defining: true,
    attrs: { ...stored, lines: { default: 1 } },
    parseDOM: [
      {
        tag: "pre",
        preserveWhitespace: "full",
        getAttrs: (dom) => {
          const syntax = /\blang(?:uage)?-([\w+#.-]+)/.exec(
            `${dom.className} ${dom.querySelector("code")?.className ?? ""}`,
          )?.[1];
          return { data: syntax ? { syntax } : {} };
        },
        // The last line ends there without being followed by an empty one.
        getContent: (dom, schema) => {
          const text = (dom.textContent ?? "").replace(/\n$/, "");
          return text ? Fragment.from(schema.text(text)) : Fragment.empty;
        },
      },
    ],
    toDOM: () => ["figure", { class: "block-code" }, ["pre", { class: "chroma" }, ["code", 0]]],
  },
  read: (json, { schema, inlines }) => {
    const parts: Node[] = [];
    const lines = json.nodes ?? [];
    const highlighted = schema.marks["highlighted"]!.create();
    lines.forEach((line, i) => {
      const words = inlines(line.nodes);
      parts.push(
        ...(line.data?.["highlighted"] === true
          ? words.map((part) => part.mark(highlighted.addToSet(part.marks)))
          : words),
      );
      if (i < lines.length - 1) parts.push(schema.text("\n"));
    });
    // A block without any line and one with an empty line have the same text.
    return schema.nodes["codeBlock"]!.createChecked({ ...attributes(json), lines: Math.min(lines.length, 1) }, parts);
  },
  write: (node) => written("code", node, { nodes: linesOf(node) }),
};

const isHighlighted = (mark: Mark) => mark.type.name === "highlighted";

function linesOf(node: Node): JsonNode[] {
  if (node.content.size === 0 && node.attrs["lines"] === 0) return [];
  const lines: { parts: Node[]; highlighted: boolean }[] = [{ parts: [], highlighted: false }];
  node.forEach((part) => {
    const highlighted = part.marks.some(isHighlighted);
    const notes = part.marks.filter((mark) => !isHighlighted(mark));
    (part.text ?? "").split("\n").forEach((text, i) => {
      if (i > 0) lines.push({ parts: [], highlighted: false });
      if (!text) return;
      const line = lines[lines.length - 1]!;
      line.parts.push(node.type.schema.text(text, notes));
      line.highlighted ||= highlighted;
    });
  });
  return lines.map(({ parts, highlighted }) => ({
    object: "block",
    type: "code-line",
    isVoid: false,
    data: highlighted ? { highlighted: true } : {},
    nodes: writeInlines(parts),
  }));
}
