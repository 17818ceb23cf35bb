// The views of pictures that stand as blocks: images with what can be done with them, and drawings.
import type { Node } from "@tiptap/pm/model";
import { NodeSelection } from "@tiptap/pm/state";
import type { EditorView, NodeView, NodeViewConstructor } from "@tiptap/pm/view";
import { t } from "../../words/words";
import type { Data } from "../document";
import { openForm, stands } from "../forms/openNode";
import { datum } from "../nodes/kind";
import type { Ref, Services } from "../services";
import { kept, setData } from "./boxes";
import { drawing as glyph, element } from "./dom";
import { picture } from "./picture";

const refOf = (node: Node, name = "ref") => (node.attrs["data"] as Data)[name] as Ref | undefined;

// widthOf is the width of an image as CSS has it, "" for its own.
export function widthOf(node: Node): string {
  const { width } = node.attrs["data"] as { width?: number | { unit?: string; value?: number } };
  const value = typeof width === "number" ? width : width?.value;
  if (value === undefined || !(value > 0)) return "";
  return typeof width === "object" && width.unit === "%" ? `${Math.min(value, 100)}%` : `${Math.min(value, 10_000)}px`;
}

const select = (view: EditorView, pos: number | undefined) => {
  if (pos === undefined) return;
  view.dispatch(view.state.tr.setSelection(NodeSelection.create(view.state.doc, pos)));
  view.focus();
};

const sliders = [
  "M21 4h-7",
  "M10 4H3",
  "M21 12h-9",
  "M8 12H3",
  "M21 20h-5",
  "M12 20H3",
  "M14 2v4",
  "M8 10v4",
  "M16 18v4",
];

export function optionsButton(run: () => void): HTMLButtonElement {
  const button = element(
    "button",
    { type: "button", class: "node-options", "aria-label": t("editor.options"), title: t("editor.options") },
    glyph(...sliders),
  );
  button.addEventListener("click", run);
  return button;
}

export const image =
  (services: Services): NodeViewConstructor =>
  (first, view, getPos) => {
    const shown = picture(services);
    const alt = element("input", {
      class: "image-alt",
      "aria-label": t("editor.image.alt"),
      placeholder: t("editor.image.alt.ask"),
    });
    const grip = element("span", { class: "image-grip", "aria-hidden": "true" });
    const frame = element(
      "div",
      { class: "image-frame", contenteditable: "false", "data-anchor": "" },
      ...shown.parts,
      grip,
      alt,
    );
    const caption = element("figcaption", { "data-placeholder": t("editor.image.caption") });
    const dom = element("figure", { class: "image" }, frame, caption);
    frame.prepend(optionsButton(() => openForm(view, getPos, dom)));
    alt.addEventListener("input", () => setData(view, getPos, "alt", alt.value));
    alt.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === "Escape") view.focus();
    });
    frame.addEventListener("mousedown", (event) => {
      if (event.target instanceof HTMLInputElement || (event.target as Element).closest("button")) return;
      event.preventDefault();
      select(view, getPos());
    });
    resizes(grip, frame, dom, shown.size, (width) => setData(view, getPos, "width", width));
    const draw = (node: Node) => {
      caption.classList.toggle("is-empty", node.childCount === 0);
      if (alt.value !== datum(node, "alt")) alt.value = datum(node, "alt");
      frame.classList.toggle("has-alt", alt.value !== "");
      shown.show(refOf(node), refOf(node, "refDark"), alt.value);
      shown.size(widthOf(node));
    };
    stands(dom, getPos);
    draw(first);
    return kept({ dom, contentDOM: caption }, "image", draw, frame);
  };

// resizes lets a pointer drag the width of a picture; the field for it is in the form.
function resizes(
  grip: HTMLElement,
  frame: HTMLElement,
  figure: HTMLElement,
  size: (width: string) => void,
  done: (width: number) => void,
): void {
  grip.addEventListener("pointerdown", (down) => {
    const shown = frame.querySelector<HTMLImageElement>("img:not([hidden])");
    if (!shown || down.button > 0) return;
    down.preventDefault();
    grip.setPointerCapture(down.pointerId);
    const room = (figure.parentElement ?? figure).getBoundingClientRect().width;
    const before = shown.getBoundingClientRect().width;
    const back = getComputedStyle(frame).direction === "rtl" ? -1 : 1;
    let width = before;
    const move = (event: PointerEvent) => {
      width = Math.round(Math.max(32, Math.min(room, before + (event.clientX - down.clientX) * back)));
      size(`${width}px`);
    };
    const up = () => {
      grip.removeEventListener("pointermove", move);
      grip.removeEventListener("pointerup", up);
      grip.removeEventListener("pointercancel", up);
      if (width !== before) done(width);
    };
    grip.addEventListener("pointermove", move);
    grip.addEventListener("pointerup", up);
    grip.addEventListener("pointercancel", up);
  });
}

// A drawing is shown as the picture that it is.
export const drawing =
  (services: Services): NodeViewConstructor =>
  (first, view, getPos): NodeView => {
    const shown = picture(services);
    const frame = element(
      "div",
      { class: "image-frame has-alt", contenteditable: "false", "data-anchor": "" },
      ...shown.parts,
    );
    const caption = element("figcaption", { "data-placeholder": t("editor.image.caption") });
    const figure = element("figure", { class: "image" }, frame, caption);
    const dom = element("div", { class: "block-images block-drawing" }, figure);
    frame.prepend(optionsButton(() => openForm(view, getPos, dom)));
    frame.addEventListener("mousedown", (event) => {
      if ((event.target as Element).closest("button")) return;
      event.preventDefault();
      select(view, getPos());
    });
    const draw = (node: Node) => {
      caption.classList.toggle("is-empty", node.childCount === 0);
      shown.show(refOf(node), undefined, node.textContent || t("editor.raw.drawing"));
    };
    stands(dom, getPos);
    draw(first);
    return kept({ dom, contentDOM: caption }, "drawing", draw, frame);
  };
