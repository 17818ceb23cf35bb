// The views of a table and of its titles. Cards are the same cells in another layout, so they are written in place.
import type { Node } from "@tiptap/pm/model";
import type { NodeView, NodeViewConstructor } from "@tiptap/pm/view";
import { TableMap } from "@tiptap/pm/tables";
import { t } from "../../words/words";
import { columnOf, type View } from "../nodes/tables";
import { element } from "./dom";

// The narrowest and the widest that a column can be drawn.
const [narrowest, widest] = [48, 2000];

export const tableView: NodeViewConstructor = (first) => {
  const columns = element("colgroup");
  const body = element("tbody", { role: "rowgroup" });
  const grid = element("table", { role: "table" }, columns, body);
  const scroll = element("div", { class: "table-scroll" }, grid);
  const asGrid = element("button", { type: "button", class: "table-as-grid", "aria-pressed": "false" }, t("editor.table.asGrid"));
  const bar = element("div", { class: "table-bar", contenteditable: "false" }, asGrid);
  const dom = element("div", {}, bar, scroll);
  let shown = first;
  asGrid.addEventListener("click", () => {
    asGrid.setAttribute("aria-pressed", String(asGrid.getAttribute("aria-pressed") !== "true"));
    draw(shown);
  });
  const draw = (node: Node) => {
    const view = node.attrs["view"] as View;
    const cards = view.type === "cards" && asGrid.getAttribute("aria-pressed") !== "true";
    bar.hidden = view.type !== "cards";
    const set = (name: string, on: boolean | undefined) => (on ? [name] : []);
    dom.className = [
      "block-table",
      ...set("is-cards", cards),
      ...set("is-large", cards && view.cardSize === "large"),
      ...set("is-row", cards && view.wrap === false),
      ...set("is-labelled", cards && view.hideColumnTitle === false),
      ...set("is-headless", view.hideHeader),
      ...set("table-sticky-header", view.stickyHeader),
      ...set("table-sticky-column", view.stickyFirstColumn),
      ...set("is-full", (node.attrs["data"] as { fullWidth?: boolean }).fullWidth),
    ].join(" ");
    if (node.child(0) !== shown.child(0) || columns.childElementCount === 0) {
      columns.replaceChildren(...node.child(0).children.map(({ attrs }) => element("col", attrs["width"] === null ? {} : { width: String(Math.round(attrs["width"] as number)) })));
    }
    shown = node;
  };
  draw(first);
  return {
    dom,
    contentDOM: body,
    update(node) {
      if (node.type.name !== "table") return false;
      draw(node);
      return true;
    },
    stopEvent: (event) => bar.contains(event.target as globalThis.Node),
    ignoreMutation: (change) => change.type !== "selection" && !body.contains(change.target),
  };
};

// The title of a column, with what else the column is for and the zone that sets its width.
export const tableTitle: NodeViewConstructor = (first, view, getPos) => {
  const text = element("div", { class: "title-text", "data-placeholder": t("editor.table.title") });
  const notes = element("span", { class: "title-notes", contenteditable: "false" });
  const zone = element("span", { class: "resize-zone", contenteditable: "false", "aria-hidden": "true" });
  const dom = element("th", { scope: "col", role: "columnheader" }, text, notes, zone);
  const setWidth = (width: number) => {
    const pos = getPos();
    const node = pos === undefined ? null : view.state.doc.nodeAt(pos);
    if (pos !== undefined && node) view.dispatch(view.state.tr.setNodeMarkup(pos, undefined, { ...node.attrs, width }));
  };
  zone.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !view.editable) return;
    event.preventDefault();
    const start = dom.offsetWidth;
    const away = getComputedStyle(dom).direction === "rtl" ? -1 : 1;
    const column = dom.closest("table")?.querySelectorAll("col")[[...(dom.parentElement?.children ?? [])].indexOf(dom)];
    let width = start;
    zone.setPointerCapture(event.pointerId);
    zone.classList.add("is-dragged");
    const move = (to: PointerEvent) => {
      width = Math.round(Math.min(Math.max(start + away * (to.clientX - event.clientX), narrowest), widest));
      column?.setAttribute("width", String(width));
    };
    const end = () => {
      zone.classList.remove("is-dragged");
      zone.removeEventListener("pointermove", move);
      if (width !== start) setWidth(width);
    };
    zone.addEventListener("pointermove", move);
    zone.addEventListener("lostpointercapture", end, { once: true });
  });
  const draw = (node: Node) => {
    const { attrs } = node;
    const column = columnOf(node);
    const said = [
      ...(attrs["hidden"] ? [t("editor.table.hidden")] : []),
      ...(attrs["target"] ? [t("editor.table.target")] : []),
      ...(attrs["cover"] ? [t("editor.table.cover")] : []),
      ...(attrs["coverDark"] ? [t("editor.table.coverDark")] : []),
    ];
    if (notes.textContent !== said.join(" · ")) notes.textContent = said.join(" · ");
    text.classList.toggle("is-empty", node.content.size === 0);
    dom.className = cellClass(column.textAlignment, column.verticalAlignment, attrs["hidden"] ? "is-hidden" : "");
  };
  draw(first);
  return {
    dom,
    contentDOM: text,
    update(node) {
      if (node.type.name !== "tableTitle") return false;
      draw(node);
      return true;
    },
    stopEvent: (event) => event.target === zone,
    ignoreMutation: (change) => change.type !== "selection" && (change.target === text ? change.type === "attributes" : !text.contains(change.target)),
  };
};

export const cellClass = (align?: string, valign?: string, ...further: string[]): string =>
  [align === "center" || align === "right" ? `align-${align}` : "", valign ? `valign-${valign}` : "", ...further].filter(Boolean).join(" ");

// labels writes onto the cells of cards what their columns are for: which is the cover, which does not show, and what
// each is called. Cells do not know their place.
export function labels(table: HTMLElement, node: Node): void {
  const titles = node.child(0).children;
  const map = TableMap.get(node);
  const rows = table.querySelectorAll<HTMLElement>(":scope > .table-scroll > table > tbody > tr");
  rows.forEach((row, r) => {
    if (r === 0) return;
    [...row.children].forEach((cell, index) => {
      // Cards have no merged cells.
      const title = map.width === row.childElementCount ? titles[index] : undefined;
      const { attrs } = title ?? {};
      const role = attrs?.["cover"] ? "cover" : attrs?.["coverDark"] ? "dark" : attrs?.["target"] ? "target" : attrs?.["hidden"] ? "hidden" : "";
      const { dataset } = cell as HTMLElement;
      if (dataset["role"] !== role) dataset["role"] = role;
      const label = title?.textContent ?? "";
      if (dataset["label"] !== label) dataset["label"] = label;
    });
  });
}

export const noView = (dom: HTMLElement): NodeView => ({ dom, contentDOM: dom, ignoreMutation: (change) => change.type === "attributes" && change.target === dom });

export const tableRow: NodeViewConstructor = () => noView(element("tr", { role: "row" }));
