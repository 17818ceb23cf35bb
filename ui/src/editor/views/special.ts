// Views of news, prompts and text for some readers: their heads lead to forms, their bodies are typed into.
import type { Node } from "@tiptap/pm/model";
import type { NodeView, NodeViewConstructor } from "@tiptap/pm/view";
import { t } from "../../words/words";
import { type } from "../commands";
import type { Data } from "../document";
import { openForm } from "../forms/open";
import { meaning } from "../meaning";
import { datum } from "../nodes/kind";
import { day, today } from "./days";
import { kept, patch } from "./boxes";
import { drawing, element } from "./dom";
import { enter, lines, moveBlock, removeBlock, tool } from "./parts";

const formats = ["full", "short", "numeric"] as const;

export const updates: NodeViewConstructor = (first, view, getPos) => {
  const select = element(
    "select",
    { "aria-label": t("editor.updates.format") },
    ...formats.map((format) => element("option", { value: format }, t(`editor.updates.${format}`))),
  );
  const add = element(
    "button",
    { type: "button", class: "box-button" },
    drawing(...lines.plus),
    t("editor.updates.add"),
  );
  const bar = element(
    "div",
    { class: "box-bar", contenteditable: "false" },
    element("span", { class: "box-name" }, t("editor.updates")),
    select,
    add,
  );
  const list = element("div", { class: "block-updates" });
  const dom = element("div", { class: "updates-box" }, bar, list);
  select.addEventListener("change", () => patch(view, getPos, { format: select.value }));
  // What is new comes first.
  add.addEventListener("click", () =>
    enter(view, getPos()! + 1, type("update").create({ data: { date: today() } }, type("paragraph").create())),
  );
  const draw = (node: Node) => {
    select.value = datum(node, "format") || "full";
    list.className = `block-updates updates-${select.value}`;
  };
  draw(first);
  return kept({ dom, contentDOM: list }, "updates", draw, bar);
};

export const update: NodeViewConstructor = (first, view, getPos) => {
  const date = element("time", { class: "update-date" });
  const tags = element("span", { class: "update-tags" });
  const open = element(
    "button",
    { type: "button", class: "update-open", title: t("editor.updates.change") },
    date,
    tags,
    element("span", { class: "visually-hidden" }, t("editor.updates.change")),
  );
  const tools = element(
    "span",
    { class: "box-tools" },
    tool(t("editor.updates.up"), lines.up, () => moveBlock(view, getPos, -1)),
    tool(t("editor.updates.down"), lines.down, () => moveBlock(view, getPos, 1)),
    tool(t("editor.updates.remove"), lines.trash, () => removeBlock(view, getPos)),
  );
  const meta = element("div", { class: "update-meta", contenteditable: "false" }, open, tools);
  const body = element("div", { class: "update-body" });
  const dom = element("article", { class: "update" }, meta, body);
  open.addEventListener("click", () => openForm(view, getPos, "update"));
  const draw = (node: Node) => {
    // The list says which of them shows; it is not drawn anew with what is in it.
    for (const format of formats)
      date.dataset[format] = day(datum(node, "date"), format) || t("editor.updates.undated");
    const named = ((node.attrs["data"] as { tags?: { tag?: string }[] }).tags ?? []).map((ref) =>
      element("span", { class: "tag" }, ref.tag ?? ""),
    );
    tags.replaceChildren(...named);
    tags.hidden = named.length === 0;
  };
  draw(first);
  return kept({ dom, contentDOM: body }, "update", draw, meta);
};

export const prompt: NodeViewConstructor = (first, view, getPos) => {
  const description = element("input", {
    class: "prompt-description box-input",
    "aria-label": t("editor.prompt.description"),
    placeholder: t("editor.prompt.description"),
  });
  description.readOnly = !view.editable;
  const options = tool(t("editor.prompt.options"), lines.pencil, () => openForm(view, getPos, "prompt"));
  const icon = element("span", { class: "icon" }, drawing(...lines.sparkles));
  const head = element("div", { class: "prompt-head", contenteditable: "false" }, icon, description, options);
  const body = element("div", { class: "prompt-details" });
  const dom = element("div", { class: "block-prompt" }, head, body);
  description.addEventListener("input", () => patch(view, getPos, { description: description.value }));
  description.addEventListener("keydown", (event) => (event.key === "Enter" || event.key === "Escape") && view.focus());
  const draw = (node: Node) => {
    if (description.value !== datum(node, "description")) description.value = datum(node, "description");
  };
  draw(first);
  return kept({ dom, contentDOM: body }, "prompt", draw, head);
};

export const condition: NodeViewConstructor = (first, view, getPos) => {
  const words = element("span", { class: "condition-words" });
  const source = element("code", { class: "condition-source", dir: "ltr" });
  const open = element("button", { type: "button", class: "condition-open" }, drawing(...lines.split), words, source);
  const head = element("div", { class: "condition-head", contenteditable: "false" }, open);
  const body = element("div", { class: "condition-body" });
  const dom = element("div", { class: "block-condition" }, head, body);
  open.addEventListener("click", () => openForm(view, getPos, "condition"));
  const draw = (node: Node) => {
    const expression = datum(node, "expression");
    const said = meaning(expression);
    words.textContent =
      expression.trim() === ""
        ? t("editor.condition.empty")
        : said
          ? t("editor.condition.only", { meaning: said })
          : t("editor.condition.holds");
    source.textContent = said ? "" : expression;
    source.hidden = said !== null || expression.trim() === "";
    open.title = expression;
    dom.classList.toggle("is-empty", expression.trim() === "");
  };
  draw(first);
  return opened(kept({ dom, contentDOM: body }, "condition", draw, head), () => openForm(view, getPos, "condition"));
};

// opened is a view that does something when it is asked to open: with Enter, or right after it was made.
export function opened(view: NodeView, open: () => void): NodeView {
  (view.dom as HTMLElement).addEventListener("editor-open", (event) => {
    if (event.target !== view.dom) return;
    event.preventDefault();
    open();
  });
  return view;
}

// dataOf returns the data of the node that a view shows.
export const dataOf = (node: Node): Data => node.attrs["data"] as Data;
