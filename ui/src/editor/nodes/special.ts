// Formulas, news, prompts and text for some readers.
import { container, datum, voidBlock } from "./kind";
import { dayOf } from "../views/days";

export const math = voidBlock("math", "math", {
  attrs: { data: { default: { formula: "" } } },
  toDOM: (node) => ["div", { class: "block-math" }, ["code", { class: "math-source" }, datum(node, "formula")]],
});

export const updates = container("updates", "updates", {
  content: "update+",
  group: "block",
  toDOM: (node) => ["div", { class: `block-updates updates-${datum(node, "format") || "full"}` }, 0],
});

export const update = container("update", "update", {
  content: "block+",
  isolating: true,
  toDOM: (node) => [
    "article",
    { class: "update" },
    ["div", { class: "update-meta" }, ["time", { class: "update-date" }, dayOf(datum(node, "date"))]],
    ["div", { class: "update-body" }, 0],
  ],
});

// The text of a prompt is one block of code.
export const prompt = container("prompt", "prompt", {
  content: "codeBlock",
  group: "block",
  isolating: true,
  attrs: { data: { default: { description: "" } } },
  toDOM: (node) => [
    "div",
    { class: "block-prompt" },
    ["div", { class: "prompt-head" }, ["p", { class: "prompt-description" }, datum(node, "description")]],
    ["div", { class: "prompt-details" }, 0],
  ],
});

export const condition = container("if", "condition", {
  content: "block+",
  group: "block",
  isolating: true,
  attrs: { data: { default: { expression: "" } } },
  toDOM: (node) => [
    "div",
    { class: "block-condition" },
    ["code", { class: "condition-source" }, datum(node, "expression")],
    ["div", { class: "condition-body" }, 0],
  ],
});
