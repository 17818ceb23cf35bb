// Inlines that stand for something without text of their own, and line breaks. Texts with marks are in marks.ts.
import type { NodeSpec } from "@tiptap/pm/model";

// atoms are the inlines that the editor shows and moves as they are, by their type in the JSON, with their names in the
// schema. Their data is kept as it is.
export const atoms: Record<string, string> = {
  emoji: "emoji",
  icon: "icon",
  expression: "expression",
  "inline-math": "inlineMath",
  "inline-image": "inlineImage",
  mention: "mention",
  button: "button",
};

export const atomSpec: NodeSpec = {
  group: "inline",
  inline: true,
  atom: true,
  attrs: { data: { default: {} } },
  toDOM: () => ["span"],
};

// A line break is a character of a leaf in the JSON.
export const hardBreak: NodeSpec = {
  group: "inline",
  inline: true,
  selectable: false,
  linebreakReplacement: true,
  leafText: () => "\n",
  parseDOM: [{ tag: "br" }],
  toDOM: () => ["br"],
};

// What the editor does not know, or could not give back as it was, stays as JSON.
export const rawInline: NodeSpec = {
  group: "inline",
  inline: true,
  atom: true,
  attrs: { json: {} },
  toDOM: () => ["span"],
};

export const rawBlock: NodeSpec = {
  group: "block",
  atom: true,
  attrs: { json: {} },
  toDOM: () => ["div"],
};
