// Views of hints and tasks, and what other views of blocks are made of.
import type { Node } from "@tiptap/pm/model";
import { NodeSelection } from "@tiptap/pm/state";
import type { EditorView, NodeView, NodeViewConstructor } from "@tiptap/pm/view";
import { t } from "../../words/words";
import type { Data } from "../document";
import { datum } from "../nodes/kind";
import { drawing, element } from "./dom";
import { iconInto } from "./icon";

// within reports whether an event or a change is in a part that the view keeps for itself.
const within = (part: HTMLElement, target: EventTarget | null) =>
  target instanceof globalThis.Node && part.contains(target);

// setData changes one value in the data of the node that a view shows; an empty one goes.
export function setData(view: EditorView, getPos: () => number | undefined, name: string, value: unknown): void {
  const pos = getPos();
  const node = pos === undefined ? null : view.state.doc.nodeAt(pos);
  if (pos === undefined || !node) return;
  const { [name]: _, ...data } = node.attrs["data"] as Data;
  if (value !== "" && value !== undefined) data[name] = value;
  view.dispatch(view.state.tr.setNodeMarkup(pos, undefined, { ...node.attrs, data }));
}

// patch changes values in the data of the node that a view shows; those that are undefined go.
export function patch(view: EditorView, getPos: () => number | undefined, changes: Data): void {
  const pos = getPos();
  const node = pos === undefined ? null : view.state.doc.nodeAt(pos);
  if (pos === undefined || !node) return;
  const data = Object.fromEntries(
    Object.entries({ ...(node.attrs["data"] as Data), ...changes }).filter(([, value]) => value !== undefined),
  );
  const selected = view.state.selection instanceof NodeSelection && view.state.selection.from === pos;
  const tr = view.state.tr.setNodeMarkup(pos, undefined, { ...node.attrs, data });
  view.dispatch(selected ? tr.setSelection(NodeSelection.create(tr.doc, pos)) : tr);
}

const hintIcons: Record<string, string[]> = {
  info: ["M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20Z", "M12 16v-4", "M12 8h.01"],
  success: ["M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20Z", "m9 12 2 2 4-4"],
  warning: ["m21.73 18-8-14a2 2 0 0 0-3.48 0l-8 14A2 2 0 0 0 4 21h16a2 2 0 0 0 1.73-3Z", "M12 9v4", "M12 17h.01"],
  danger: ["M7.86 2h8.28L22 7.86v8.28L16.14 22H7.86L2 16.14V7.86L7.86 2Z", "M12 8v4", "M12 16h.01"],
};

// The icon of a hint is a list to choose its style from.
export const hint: NodeViewConstructor = (first, view, getPos) => {
  const icon = element("span", { class: "icon hint-icon", "aria-hidden": "true" });
  const styles = ["info", "success", "warning", "danger"] as const;
  const select = element(
    "select",
    { "aria-label": t("editor.hint.style"), class: "hint-select" },
    ...styles.map((style) => element("option", { value: style }, t(`editor.hint.${style}`))),
  );
  const choice = element("span", { class: "hint-choice", contenteditable: "false" }, icon, select);
  const body = element("div", { class: "hint-body" });
  const dom = element("div", {}, choice, body);
  select.addEventListener("change", () => setData(view, getPos, "style", select.value));
  const draw = (node: Node) => {
    const style = datum(node, "style") || "info";
    dom.className = `block-hint hint-${style}`;
    select.value = style;
    const named = datum(node, "icon");
    const usual = () => icon.replaceChildren(drawing(...(hintIcons[style] ?? hintIcons["info"]!)));
    // The one of its style until its own is there.
    if (!named || icon.dataset["icon"] !== named) usual();
    if (named) iconInto(icon, named, usual);
    else delete icon.dataset["icon"];
  };
  draw(first);
  return kept({ dom, contentDOM: body }, "hint", draw, choice);
};

// The marker of a step has its icon, or the number that the style sheet counts.
export const step: NodeViewConstructor = (first) => {
  const marker = element("div", { class: "step-marker", "aria-hidden": "true", contenteditable: "false" });
  const body = element("div", { class: "step-body" });
  const draw = (node: Node) => {
    const icon = datum(node, "icon");
    if (icon === (marker.dataset["icon"] ?? "")) return;
    marker.replaceChildren();
    if (icon) iconInto(marker, icon, () => marker.replaceChildren());
    else delete marker.dataset["icon"];
  };
  draw(first);
  return kept({ dom: element("li", { class: "step" }, marker, body), contentDOM: body }, "step", draw, marker);
};

export const taskItem: NodeViewConstructor = (first, view, getPos) => {
  const box = element("input", { type: "checkbox", class: "task-box", contenteditable: "false" });
  const body = element("div", { class: "task-body" });
  const dom = element("li", {}, box, body);
  box.addEventListener("change", () => setData(view, getPos, "checked", box.checked));
  const draw = (node: Node) => {
    box.checked = (node.attrs["data"] as { checked?: boolean }).checked === true;
    box.setAttribute("aria-label", box.checked ? t("editor.task.done") : t("editor.task.open"));
    dom.className = box.checked ? "task is-done" : "task";
  };
  draw(first);
  return kept({ dom, contentDOM: body }, "taskItem", draw, box);
};

// kept is a view that draws itself again for every node of its kind, and keeps a part of it from the editor.
export function kept(view: NodeView, name: string, draw: (node: Node) => void, part: HTMLElement): NodeView {
  return {
    ...view,
    update(node) {
      if (node.type.name !== name) return false;
      draw(node);
      return true;
    },
    stopEvent: (event) => within(part, event.target),
    ignoreMutation: (change) => change.type !== "selection" && !(view.contentDOM?.contains(change.target) ?? false),
  };
}
