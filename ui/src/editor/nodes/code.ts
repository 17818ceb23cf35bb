// Code: one text here, a node for each line in the JSON. Lines that stand out are marked over the whole of their text.
import { Fragment, type Node } from "@tiptap/pm/model";
import type { JsonNode } from "../document";
import { attributes, stored, written, type Block } from "./kind";

export const code: Block = {
  type: "code",
  name: "codeBlock",
  spec: {
    content: "text*",
    marks: "highlighted",
    group: "block",
    code: true,
    defining: true,
    attrs: { ...stored, lines: { default: 1 } },
    parseDOM: [
      {
        tag: "pre",
        preserveWhitespace: "full",
        getAttrs: (dom) => {
          const syntax = /\blang(?:uage)?-([\w+#.-]+)/.exec(`${dom.className} ${dom.querySelector("code")?.className ?? ""}`)?.[1];
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
  read: (json, { schema }) => {
    const parts: Node[] = [];
    const lines = json.nodes ?? [];
    lines.forEach((line, i) => {
      const text = (line.nodes ?? []).flatMap((node) => node.leaves ?? []).map((leaf) => leaf.text).join("");
      const marks = line.data?.["highlighted"] === true ? [schema.marks["highlighted"]!.create()] : [];
      if (text) parts.push(schema.text(text, marks));
      if (i < lines.length - 1) parts.push(schema.text("\n"));
    });
    // A block without any line and one with an empty line have the same text.
    return schema.nodes["codeBlock"]!.createChecked({ ...attributes(json), lines: Math.min(lines.length, 1) }, parts);
  },
  write: (node) => written("code", node, { nodes: linesOf(node) }),
};

function linesOf(node: Node): JsonNode[] {
  if (node.content.size === 0 && node.attrs["lines"] === 0) return [];
  const lines: { text: string; highlighted: boolean }[] = [{ text: "", highlighted: false }];
  node.forEach((part) => {
    const highlighted = part.marks.length > 0;
    (part.text ?? "").split("\n").forEach((text, i) => {
      if (i > 0) lines.push({ text: "", highlighted: false });
      const line = lines[lines.length - 1]!;
      line.text += text;
      line.highlighted ||= highlighted && text !== "";
    });
  });
  return lines.map(({ text, highlighted }) => ({
    object: "block",
    type: "code-line",
    isVoid: false,
    data: highlighted ? { highlighted: true } : {},
    nodes: text ? [{ object: "text", leaves: [{ object: "leaf", text, marks: [] }] }] : [],
  }));
}
