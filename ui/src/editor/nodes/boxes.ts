// Blocks that hold other blocks in a form of their own: hints, steps, columns, tabs and expandable sections.
import { attributes, container, datum, fragment, stored, written, type Block } from "./kind";

export const hint = container("hint", "hint", {
  content: "block+",
  group: "block",
  attrs: { data: { default: { style: "info" } } },
  parseDOM: [
    {
      tag: ".block-hint, div[data-tag=hint]",
      getAttrs: (dom) => ({ data: { style: /hint-(success|warning|danger)/.exec(dom.className)?.[1] ?? "info" } }),
      contentElement: (dom) => (dom as HTMLElement).querySelector<HTMLElement>(".hint-body") ?? (dom as HTMLElement),
    },
  ],
  toDOM: (node) => [
    "div",
    { class: `block-hint hint-${datum(node, "style")}` },
    ["span", { class: "icon hint-icon" }],
    ["div", { class: "hint-body" }, 0],
  ],
});

export const stepper = container("stepper", "stepper", {
  content: "step+",
  group: "block",
  toDOM: () => ["ol", { class: "block-stepper" }, 0],
});

// The marker of a step shows its number, which the site's look counts.
export const step = container("stepper-step", "step", {
  content: "block+",
  isolating: true,
  toDOM: () => [
    "li",
    { class: "step" },
    ["div", { class: "step-marker", "aria-hidden": "true" }],
    ["div", { class: "step-body" }, 0],
  ],
});

export const columns = container("columns", "columns", {
  content: "column+",
  group: "block",
  toDOM: () => ["div", { class: "block-columns" }, 0],
});

export const column = container("column", "column", {
  content: "block+",
  isolating: true,
  toDOM: (node) => {
    const { width, verticalAlignment } = node.attrs["data"] as {
      width?: { unit?: string; value?: number };
      verticalAlignment?: string;
    };
    const percent = width?.unit === "%" && width.value ? ` column-width-${Math.round(width.value)}` : "";
    return ["div", { class: `column${percent}${verticalAlignment ? ` valign-${verticalAlignment}` : ""}` }, 0];
  },
});

export const tabs = container("tabs", "tabs", {
  content: "tab+",
  group: "block",
  toDOM: () => ["div", { class: "block-tabs" }, 0],
});

export const tab = container("tabs-item", "tab", {
  content: "block+",
  isolating: true,
  toDOM: (node) => [
    "div",
    { class: "tab" },
    ["div", { class: "tab-title" }, datum(node, "title")],
    ["div", { class: "tab-panel" }, 0],
  ],
});

// Title and body are fragments in the JSON; the title is one paragraph.
export const expandable: Block = {
  type: "expandable",
  name: "expandable",
  spec: {
    content: "expandableTitle expandableBody",
    group: "block",
    defining: true,
    isolating: true,
    attrs: stored,
    parseDOM: [{ tag: "details" }],
    toDOM: () => ["div", { class: "block-expandable" }, 0],
  },
  read: (json, reader) => {
    const [title, body] = json.fragments ?? [];
    const { expandable, expandableTitle, expandableBody } = reader.schema.nodes;
    return expandable!.createChecked(attributes(json), [
      expandableTitle!.createChecked(null, reader.inlines(title?.nodes?.[0]?.nodes)),
      expandableBody!.createChecked(null, reader.blocks(body?.nodes)),
    ]);
  },
  write: (node, writer) => {
    const title = {
      object: "block" as const,
      type: "paragraph",
      isVoid: false,
      data: {},
      nodes: writer.inlines(node.child(0)),
    };
    return written("expandable", node, {
      isVoid: true,
      fragments: [
        fragment("expandable-title", [title], true),
        fragment("expandable-body", writer.blocks(node.child(1)), true),
      ],
    });
  },
};

// The parts of an expandable section are nodes here and none of their own in the JSON.
export const expandableParts = {
  expandableTitle: {
    content: "inline*",
    isolating: true,
    parseDOM: [{ tag: "summary" }],
    toDOM: () => ["div", { class: "expandable-title" }, 0] as const,
  },
  expandableBody: {
    content: "block+",
    isolating: true,
    parseDOM: [{ tag: ".expandable-body" }],
    toDOM: () => ["div", { class: "expandable-body" }, 0] as const,
  },
};
