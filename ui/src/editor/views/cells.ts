// The views of cells. One of texts is a cell and nothing more; one with a value has a control of its own, which takes
// the focus, and leads the arrows and Tab on to other cells.
import { redo, undo } from "@tiptap/pm/history";
import type { Node } from "@tiptap/pm/model";
import type { Command } from "@tiptap/pm/state";
import { CellSelection } from "@tiptap/pm/tables";
import type { EditorView, NodeView, NodeViewConstructor } from "@tiptap/pm/view";
import { t } from "../../words/words";
import { columnOf } from "../nodes/tables";
import type { Ref, Services } from "../services";
import { openCell } from "../tables/cellPanel";
import { leaveTable, step, toward } from "../tables/keys";
import { entryName, refName } from "../tables/names";
import { labelOf, listOf, refOf, refText, valueOf } from "../tables/values";
import { drawing, element } from "./dom";
import { cellClass, drawnCell, noView } from "./table";

type Set = (value: unknown) => void;
interface Control {
  dom: HTMLElement;
  draw(node: Node): void;
  // holds reports whether a key is the control's own.
  holds?(event: KeyboardEvent): boolean;
}

export const tableCell =
  (services: Services): NodeViewConstructor =>
  (first, view, getPos) => {
    const cell = columnOf(first).type === "text" ? textCell(first) : valueCell(services, first, view, getPos);
    drawnCell(view, cell.dom as Element);
    return cell;
  };

function drawCell(dom: HTMLElement, node: Node): void {
  const column = columnOf(node);
  dom.className = cellClass(column.textAlignment, column.verticalAlignment);
  for (const name of ["colspan", "rowspan"]) {
    const span = node.attrs[name] as number;
    if (span > 1) dom.setAttribute(name, String(span));
    else dom.removeAttribute(name);
  }
}

function textCell(first: Node): NodeView {
  const dom = element("td", { role: "cell" });
  drawCell(dom, first);
  return {
    ...noView(dom),
    update(node) {
      if (node.type.name !== "tableCell" || columnOf(node).type !== "text") return false;
      drawCell(dom, node);
      return true;
    },
  };
}

function valueCell(services: Services, first: Node, view: EditorView, getPos: () => number | undefined): NodeView {
  const { type } = columnOf(first);
  const set: Set = (value) => {
    const pos = getPos();
    const node = pos === undefined ? null : view.state.doc.nodeAt(pos);
    if (view.editable && pos !== undefined && node && node.attrs["value"] !== value)
      view.dispatch(view.state.tr.setNodeMarkup(pos, undefined, { ...node.attrs, value }));
  };
  const control =
    type === "checkbox"
      ? checkbox(set)
      : type === "number"
        ? number(set)
        : type === "rating"
          ? rating(set)
          : opened(services, type, view, getPos);
  control.dom.dataset["control"] = "";
  if (control.dom instanceof HTMLInputElement || control.dom instanceof HTMLButtonElement)
    control.dom.disabled = !view.editable;
  else control.dom.setAttribute("aria-readonly", String(!view.editable));
  const dom = element("td", { role: "cell", contenteditable: "false", "data-type": type }, control.dom);
  const draw = (node: Node) => {
    drawCell(dom, node);
    control.draw(node);
  };
  dom.addEventListener("focusin", () => {
    const pos = getPos();
    if (pos === undefined) return;
    const { selection } = view.state;
    if (selection instanceof CellSelection && selection.$anchorCell.pos === pos && selection.$headCell.pos === pos)
      return;
    view.dispatch(view.state.tr.setSelection(CellSelection.create(view.state.doc, pos)));
  });
  const run = (command: Command) => command(view.state, view.dispatch, view);
  dom.addEventListener("keydown", (event) => {
    if (event.isComposing || control.holds?.(event)) return;
    const command = commandOf(event);
    if (!command || !run(command)) return;
    event.preventDefault();
    if (event.key === "Escape") view.focus();
  });
  draw(first);
  return {
    dom,
    update(node) {
      if (node.type.name !== "tableCell" || columnOf(node).type !== type) return false;
      draw(node);
      return true;
    },
    // Around the control a cell is selected like any other.
    stopEvent: (event) => event.target !== dom,
    ignoreMutation: (change) => change.type !== "selection",
  };
}

// commandOf returns what a key does in a cell with a value.
function commandOf(event: KeyboardEvent): Command | null {
  const mod = event.ctrlKey || event.metaKey;
  if (mod && event.key.toLowerCase() === "z") return event.shiftKey ? redo : undo;
  if (mod && event.key === "Enter") return leaveTable;
  if (mod || event.altKey) return null;
  const rtl = getComputedStyle(event.currentTarget as HTMLElement).direction === "rtl" ? -1 : 1;
  switch (event.key) {
    case "Tab":
      return step(event.shiftKey ? -1 : 1);
    case "ArrowUp":
      return toward("row", -1, true);
    case "ArrowDown":
      return toward("row", 1, true);
    case "ArrowLeft":
      return toward("column", rtl > 0 ? -1 : 1, true);
    case "ArrowRight":
      return toward("column", rtl > 0 ? 1 : -1, true);
    case "Escape":
      return () => true;
  }
  return null;
}

function checkbox(set: Set): Control {
  const dom = element("input", { type: "checkbox", class: "task-box" });
  dom.addEventListener("change", () => set(dom.checked));
  return { dom, draw: (node) => void (dom.checked = node.attrs["value"] === true) };
}

function number(set: Set): Control {
  const dom = element("input", { class: "cell-number", inputmode: "decimal", autocomplete: "off" });
  let column = { type: "number" };
  const read = () => valueOf(dom.value, column);
  // A number is kept while it is typed; what is none yet may become one.
  dom.addEventListener("input", () => {
    const value = read();
    if (value !== undefined) set(value);
  });
  dom.addEventListener("change", () => {
    const wrong = read() === undefined;
    dom.setAttribute("aria-invalid", String(wrong));
    dom.title = wrong ? t("editor.table.number.wrong") : "";
  });
  return {
    dom,
    draw(node) {
      const value = node.attrs["value"] as unknown;
      column = columnOf(node);
      // What is typed may be written in another way than the number is.
      if (read() === value || (dom === document.activeElement && read() === undefined)) return;
      dom.value = value === null ? "" : String(value);
      dom.removeAttribute("aria-invalid");
    },
    holds: (event) => {
      if (event.key === "ArrowLeft") return dom.selectionEnd !== 0;
      return event.key === "ArrowRight" && dom.selectionStart !== dom.value.length;
    },
  };
}

function rating(set: Set): Control {
  const dom = element("span", { class: "cell-rating cell-stars", role: "slider", tabindex: "0", "aria-valuemin": "0" });
  let [now, most] = [0, 5];
  dom.addEventListener("click", (event) => {
    const star = (event.target as HTMLElement).dataset["star"];
    if (star) set(Number(star) === now ? null : Number(star));
    dom.focus();
  });
  dom.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const to = by
      ? now + by
      : event.key === "Home" || event.key === "Delete" || event.key === "Backspace"
        ? 0
        : event.key === "End"
          ? most
          : /^\d$/.test(event.key)
            ? Number(event.key)
            : null;
    if (to === null || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    set(Math.min(Math.max(to, 0), most) || null);
  });
  return {
    dom,
    draw(node) {
      most = Math.min(Math.max(columnOf(node).max ?? 5, 1), 20);
      const value = node.attrs["value"] as unknown;
      now = typeof value === "number" ? Math.min(Math.max(Math.floor(value), 0), most) : 0;
      dom.setAttribute("aria-valuemax", String(most));
      dom.setAttribute("aria-valuenow", String(now));
      dom.setAttribute("aria-valuetext", t("editor.table.rating.of", { n: now, max: most }));
      dom.replaceChildren(
        ...Array.from({ length: most }, (_, i) =>
          element("span", { "data-star": String(i + 1), "aria-hidden": "true" }, i < now ? "★" : "☆"),
        ),
      );
    },
    holds: (event) => event.key === "ArrowLeft" || event.key === "ArrowRight",
  };
}

// opened is the control of a cell whose value is chosen in a popover: a button that shows it.
function opened(services: Services, type: string, view: EditorView, getPos: () => number | undefined): Control {
  const dom = element("button", {
    type: "button",
    class: "cell-button",
    "aria-haspopup": type === "select" ? "listbox" : "dialog",
  });
  const body = element("span", { class: "cell-body" });
  dom.append(element("span", { class: "visually-hidden" }), body);
  dom.addEventListener("click", () => openCell(view, getPos, dom));
  let drawn = "";
  const draw = (node: Node) => {
    const column = columnOf(node);
    const value = node.attrs["value"] as unknown;
    const now = JSON.stringify([value, column.options]);
    if (now === drawn) return;
    drawn = now;
    const ref = refOf(value);
    if (type === "select") {
      body.replaceChildren(
        ...listOf(value).map((each) => {
          const color = column.options?.find((option) => option.value === each)?.color.replace(/^\$/, "");
          return element(
            "span",
            { class: `option${color && /^[a-z]+$/.test(color) ? ` color-${color}` : ""}` },
            labelOf(column.options, each),
          );
        }),
      );
    } else if (ref && type === "image") picture(services, ref, value, body, () => drawn === now);
    else if (ref) body.replaceChildren(element("span", { class: "link" }, refName(services, ref)));
    else {
      const names = listOf(value).map((each) =>
        element("span", { class: type === "files" ? "cell-file" : "mention" }, each.split("/").pop() ?? each),
      );
      body.replaceChildren(...names);
      listOf(value).forEach(
        (each, i) => void entryName(services, type, each).then((name) => void (name && (names[i]!.textContent = name))),
      );
    }
    if (body.childElementCount === 0)
      body.append(element("span", { class: "cell-empty" }, drawing("M12 5v14", "M5 12h14")));
  };
  return { dom, draw };
}

function picture(services: Services, ref: Ref, value: unknown, place: HTMLElement, current: () => boolean): void {
  place.replaceChildren(element("span", { class: "chip" }, refText(ref)));
  void services.fileAddress(ref).then((address) => {
    if (!address || !current()) return;
    const { alt = "", objectFit = "" } = value as { alt?: string; objectFit?: string };
    place.replaceChildren(
      element("img", {
        class: `cell-image${/^(contain|cover|fill)$/.test(objectFit) ? ` fit-${objectFit}` : ""}`,
        src: address,
        alt,
      }),
    );
  });
}
