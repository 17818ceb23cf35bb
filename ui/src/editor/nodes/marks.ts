// Marks, in the order in which a leaf of the JSON lists them. Links and annotations are inlines there and stand around
// texts with marks, so they come first.
import type { MarkSpec } from "@tiptap/pm/model";

const safe = /^(https?:|mailto:|tel:|#|\/(?!\/))/i;

const weight = (style: string) => /^(bold(er)?|[6-9]\d\d)$/.test(style) && null;

export const marks: Record<string, MarkSpec> = {
  // run tells a link from an equal one right before it.
  link: {
    attrs: { data: {}, run: { default: 0 } },
    inclusive: false,
    excludes: "link",
    parseDOM: [
      {
        tag: "a[href]",
        getAttrs: (dom) => {
          const url = dom.getAttribute("href") ?? "";
          return safe.test(url) ? { data: { ref: { kind: "url", url } } } : false;
        },
      },
    ],
    toDOM: (mark) => {
      const url = (mark.attrs["data"] as { ref?: { url?: string } }).ref?.url ?? "";
      return ["a", safe.test(url) ? { class: "link", href: url, rel: "noopener noreferrer" } : { class: "link" }, 0];
    },
  },
  annotation: {
    attrs: { fragments: { default: [] }, run: { default: 0 } },
    inclusive: false,
    excludes: "annotation",
    toDOM: () => ["span", { class: "annotation" }, 0],
  },
  bold: {
    excludes: "bold",
    parseDOM: [
      { tag: "strong" },
      { tag: "b", getAttrs: (dom) => dom.style.fontWeight !== "normal" && null },
      { style: "font-weight=400", clearMark: (mark) => mark.type.name === "bold" },
      { style: "font-weight", getAttrs: weight },
    ],
    toDOM: () => ["strong", 0],
  },
  italic: {
    parseDOM: [
      { tag: "em" },
      { tag: "i", getAttrs: (dom) => dom.style.fontStyle !== "normal" && null },
      { style: "font-style=italic" },
    ],
    toDOM: () => ["em", 0],
  },
  code: { parseDOM: [{ tag: "code" }, { tag: "tt" }], toDOM: () => ["code", 0] },
  keyboard: { parseDOM: [{ tag: "kbd" }], toDOM: () => ["kbd", 0] },
  strikethrough: { parseDOM: [{ tag: "s" }, { tag: "del" }, { tag: "strike" }], toDOM: () => ["s", 0] },
  superscript: { parseDOM: [{ tag: "sup" }], toDOM: () => ["sup", 0] },
  subscript: { parseDOM: [{ tag: "sub" }], toDOM: () => ["sub", 0] },
  color: {
    attrs: { data: {} },
    toDOM: (mark) => {
      const { text, background } = mark.attrs["data"] as { text?: string; background?: string };
      const named = (kind: string, value?: string) =>
        value && value !== "default" ? `${kind}-${value.replace(/^\$/, "")}` : "";
      return ["span", { class: `${named("color", text)} ${named("background", background)}`.trim() }, 0];
    },
  },
  // highlighted is of lines of code alone.
  highlighted: { inclusive: true, toDOM: () => ["span", { class: "line is-highlighted" }, 0] },
};
