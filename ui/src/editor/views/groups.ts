// Views of steps and columns: another step below the last one, and edges between columns that can be dragged.
import type { Node } from "@tiptap/pm/model";
import type { EditorView, NodeViewConstructor } from "@tiptap/pm/view";
import { t } from "../../words/words";
import { addPart } from "../blocks/parts";
import { track } from "../blocks/track";
import type { Data } from "../document";
import { kept } from "./boxes";
import { element } from "./dom";
import { plus } from "./tabs";

export const stepper: NodeViewConstructor = (first, view, getPos) => {
  let node = first;
  const steps = element("ol", { class: "block-stepper" });
  const add = element(
    "button",
    { type: "button", class: "step-add", contenteditable: "false" },
    plus(),
    t("blocks.step.add"),
  );
  const dom = element("div", { class: "stepper" }, steps, ...(view.editable ? [add] : []));
  add.addEventListener("click", () => {
    const pos = getPos();
    if (pos === undefined) return;
    addPart(view, track(view, pos + node.nodeSize - 1 - node.lastChild!.nodeSize));
    view.focus();
  });
  return kept({ dom, contentDOM: steps }, "stepper", (next) => (node = next), add);
};

// Widths are whole parts of this, in percent, and no column is narrower.
const grain = 5;
const narrowest = 15;

export const columns: NodeViewConstructor = (first, view, getPos) => {
  let node = first;
  const content = element("div", { class: "block-columns" });
  const edges = element("div", { class: "column-edges", contenteditable: "false" });
  const dom = element("div", { class: "columns" }, content, edges);
  const draw = (next: Node) => {
    node = next;
    const count = view.editable ? node.childCount - 1 : 0;
    while (edges.childElementCount > count) edges.lastElementChild!.remove();
    while (edges.childElementCount < count) edges.append(edge(edges.childElementCount));
  };

  // place puts each edge between its columns.
  const place = () => {
    const around = dom.getBoundingClientRect();
    [...edges.children].forEach((each, i) => {
      const [left, right] = [content.children[i], content.children[i + 1]].map((child) =>
        child?.getBoundingClientRect(),
      );
      if (!left || !right) return;
      const middle = left.left < right.left ? (left.right + right.left) / 2 : (left.left + right.right) / 2;
      (each as HTMLElement).style.left = `${middle - around.left - 4}px`;
    });
  };
  dom.addEventListener("pointerenter", place);

  const edge = (index: number) => {
    const made = element("div", { class: "column-edge" });
    let drag: { x: number; widths: [number, number]; whole: number } | null = null;
    made.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      const measured = [...content.children].map((child) => child.getBoundingClientRect().width);
      const whole = measured.reduce((sum, each) => sum + each, 0);
      drag = { x: event.clientX, widths: [measured[index]!, measured[index + 1]!], whole };
      made.setPointerCapture(event.pointerId);
    });
    made.addEventListener("pointermove", (event) => {
      if (!drag) return;
      const by = (event.clientX - drag.x) * (getComputedStyle(dom).direction === "rtl" ? -1 : 1);
      const both = Math.round(((drag.widths[0] + drag.widths[1]) / drag.whole) * 100);
      const left = Math.max(
        narrowest,
        Math.min(both - narrowest, Math.round((((drag.widths[0] + by) / drag.whole) * 100) / grain) * grain),
      );
      set(view, getPos, index, [left, both - left]);
      requestAnimationFrame(place);
    });
    const end = () => (drag = null);
    made.addEventListener("pointerup", end);
    made.addEventListener("pointercancel", end);
    return made;
  };
  draw(first);
  return kept({ dom, contentDOM: content }, "columns", draw, edges);
};

// set gives two columns beside each other widths in percent.
function set(view: EditorView, getPos: () => number | undefined, index: number, widths: [number, number]): void {
  const pos = getPos();
  const node = pos === undefined ? null : view.state.doc.nodeAt(pos);
  if (pos === undefined || !node) return;
  const tr = view.state.tr;
  node.forEach((child, offset, i) => {
    const value = widths[i - index];
    if (value === undefined) return;
    const data = child.attrs["data"] as Data & { width?: { value?: number } };
    if (data.width?.value !== value)
      tr.setNodeMarkup(pos + 1 + offset, undefined, { ...child.attrs, data: { ...data, width: { unit: "%", value } } });
  });
  if (tr.docChanged) view.dispatch(tr);
}
