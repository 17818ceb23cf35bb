// Images. A figure holds one or several beside each other; the text of an image is its caption.
import type { JsonNode } from "../document";
import { attributes, container, datum, fragment, stored, written, type Block } from "./kind";

export const images = container("images", "images", {
  content: "image+",
  group: "block",
  toDOM: (node) => {
    const { align, withFrame, fullWidth } = node.attrs["data"] as {
      align?: string;
      withFrame?: boolean;
      fullWidth?: boolean;
    };
    const aligned = /^(left|center|right)$/.test(align ?? "") ? ` align-${align}` : "";
    return [
      "div",
      {
        class: `block-images${aligned}${withFrame ? " images-framed" : ""}${fullWidth ? " is-full" : ""}${node.childCount > 1 ? " images-many" : ""}`,
      },
      0,
    ];
  },
});

export const image: Block = {
  type: "image",
  name: "image",
  spec: {
    content: "inline*",
    isolating: true,
    attrs: stored,
    parseDOM: [
      {
        tag: "img[src]",
        getAttrs: (dom) => {
          const { src, alt } = dom as HTMLImageElement;
          return /^https?:/.test(src) ? { data: { ref: { kind: "url", url: src }, ...(alt ? { alt } : {}) } } : false;
        },
      },
    ],
    toDOM: (node) => ["figure", { class: "image" }, ["img", { alt: datum(node, "alt") }], ["figcaption", 0]],
  },
  read: (json, reader) =>
    reader.schema.nodes["image"]!.createChecked(
      attributes(json),
      reader.inlines(json.fragments?.[0]?.nodes?.[0]?.nodes),
    ),
  write: (node, writer) => {
    const caption: JsonNode = {
      object: "block",
      type: "paragraph",
      isVoid: false,
      data: {},
      nodes: writer.inlines(node),
    };
    return written("image", node, {
      isVoid: true,
      fragments: node.childCount > 0 ? [fragment("caption", [caption])] : [],
    });
  },
};
