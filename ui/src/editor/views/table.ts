// The views of a table and of its titles. Cards are the same cells in another layout, so they are written in place.
import type { Node } from "@tiptap/pm/model";
import type { EditorView, NodeView, NodeViewConstructor } from "@tiptap/pm/view";
import { t } from "../../words/words";
import { columnOf, walkCells, type View } from "../nodes/tables";
import { element } from "./dom";

// The narrowest and the widest that a column can be drawn.
const [narrowest, widest] = [48, 2000];

export const tableView: NodeViewConstructor = (first, view) => {
  const columns = element("colgroup");
  const body = element("tbody", { role: "rowgroup" });
  const grid = element("table", { role: "table" }, columns, body);
  const scroll = element("div", { class: "table-scroll" }, grid);
  const asGrid = element(
    "button",
    { type: "button", class: "table-as-grid", "aria-pressed": "false" },
    t("editor.table.asGrid"),
  );
  const bar = element("div", { class: "table-bar", contenteditable: "false" }, asGrid);
  const dom = element("div", {}, bar, scroll);
  let shown = first;
  asGrid.addEventListener("click", () => {
    asGrid.setAttribute("aria-pressed", String(asGrid.getAttribute("aria-pressed") !== "true"));
    draw(shown);
    // The handles stand elsewhere now.
    view.dispatch(view.state.tr);
  });
  const draw = (node: Node) => {
    const look = node.attrs["view"] as View;
    const cards = look.type === "cards" && asGrid.getAttribute("aria-pressed") !== "true";
    bar.hidden = look.type !== "cards";
    const set = (name: string, on: boolean | undefined) => (on ? [name] : []);
    dom.className = [
      "block-table",
      ...set("is-cards", cards),
      ...set("is-large", cards && look.cardSize === "large"),
      ...set("is-row", cards && look.wrap === false),
      ...set("is-labelled", cards && look.hideColumnTitle === false),
      ...set("is-headless", look.hideHeader),
      ...set("table-sticky-header", look.stickyHeader),
      ...set("table-sticky-column", look.stickyFirstColumn),
      ...set("is-full", (node.attrs["data"] as { fullWidth?: boolean }).fullWidth),
    ].join(" ");
    if (node.child(0) !== shown.child(0) || columns.childElementCount === 0) {
      columns.replaceChildren(
        ...node
          .child(0)
          .children.map(({ attrs }) =>
            element("col", attrs["width"] === null ? {} : { width: String(Math.round(attrs["width"] as number)) }),
          ),
      );
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
    ignoreMutation: (change) =>
      change.type !== "selection" &&
      (change.target === text ? change.type === "attributes" : !text.contains(change.target)),
  };
};

export const cellClass = (align?: string, valign?: string, ...further: string[]): string =>
  [align === "center" || align === "right" ? `align-${align}` : "", valign ? `valign-${valign}` : "", ...further]
    .filter(Boolean)
    .join(" ");

const roles = ["cover", "coverDark", "target", "hidden"] as const;

// What was written onto a row: it need not be done again for the same cells below the same titles.
const done = new WeakMap<Element, { row: Node; head: Node }>();

// Cells that were drawn, also without a change of the document, and have no label yet.
const unlabelled = new WeakSet<Element>();

// drawn counts the cells of a text that were drawn.
export const drawn = new WeakMap<EditorView, number>();

export function drawnCell(view: EditorView, dom: Element): void {
  unlabelled.add(dom);
  drawn.set(view, (drawn.get(view) ?? 0) + 1);
}

// labels writes onto cells what their columns are called and for, which cells do not know: controls are named so, and
// cards show it.
export function labels(table: HTMLElement, node: Node): void {
  const head = node.child(0);
  const rows = [...table.querySelectorAll<HTMLElement>(":scope > .table-scroll > table > tbody > tr")].slice(1);
  const fresh = rows.map((row, r) => {
    const before = done.get(row);
    const now = { row: node.child(r + 1), head };
    done.set(row, now);
    return before?.row !== now.row || before.head !== head || [...row.children].some((each) => unlabelled.has(each));
  });
  const next: number[] = [];
  walkCells(node, (_cell, r, column) => {
    const index = next[r] ?? 0;
    next[r] = index + 1;
    const dom = fresh[r] ? rows[r]!.children[index] : undefined;
    const title = head.maybeChild(column);
    if (!(dom instanceof HTMLElement) || !title) return;
    unlabelled.delete(dom);
    const { attrs } = title;
    const role = roles.find((each) => attrs[each]) ?? "";
    const name = title.textContent.trim() || (role && t(`editor.table.${role}`));
    dom.dataset["role"] = role;
    dom.dataset["label"] = name;
    const control = dom.querySelector<HTMLElement>(":scope > [data-control]");
    const words = control?.querySelector(":scope > .visually-hidden");
    // What a button shows is part of its name.
    const called = name || t(`editor.table.type.${columnOf(title).type as "number"}`);
    if (words) words.textContent = called;
    else control?.setAttribute("aria-label", called);
  });
}

export const noView = (dom: HTMLElement): NodeView => ({
  dom,
  contentDOM: dom,
  ignoreMutation: (change) => change.type === "attributes" && change.target === dom,
});

export const tableRow: NodeViewConstructor = () => noView(element("tr", { role: "row" }));
