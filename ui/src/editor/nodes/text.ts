// Paragraphs, headings, quotes and dividers.
import { container, datum, stored, textBlock, written, type Block } from "./kind";

const aligned = (align: string) => (align ? { class: `align-${align}` } : {});

// A filler stands where there is no block, so that one can be typed there. It is written once it holds something.
export const paragraph = textBlock("paragraph", "paragraph", {
  attrs: { filler: { default: false } },
  parseDOM: [{ tag: "p" }],
  toDOM: (node) => ["p", aligned(datum(node, "align")), 0],
});

const heading = (level: 1 | 2 | 3, from: string[]): Block =>
  textBlock(`heading-${level}`, `heading${level}`, {
    defining: true,
    parseDOM: from.map((tag) => ({ tag })),
    toDOM: (node) => {
      const align = datum(node, "align");
      return [
        "div",
        { class: `block-heading heading-${level}${align ? ` align-${align}` : ""}` },
        [`h${level + 1}`, 0],
      ];
    },
  });

// The title of the page is the heading of the first level.
export const headings = [heading(1, ["h1", "h2"]), heading(2, ["h3"]), heading(3, ["h4", "h5", "h6"])];

export const quote = container("blockquote", "blockquote", {
  content: "block+",
  group: "block",
  parseDOM: [{ tag: "blockquote" }],
  toDOM: () => ["blockquote", { class: "block-quote" }, 0],
});

export const divider: Block = {
  type: "divider",
  name: "divider",
  spec: { group: "block", attrs: stored, parseDOM: [{ tag: "hr" }], toDOM: () => ["hr", { class: "block-divider" }] },
  read: (json, { schema }) => schema.nodes["divider"]!.create({ data: json.data ?? {}, meta: json.meta ?? null }),
  write: (node) => written("divider", node, { isVoid: true }),
};
