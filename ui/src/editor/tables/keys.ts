// The keys of tables. In front of the keys of text, since Tab and Enter mean something else here.
import { sinkListItem } from "@tiptap/pm/schema-list";
import { keymap } from "@tiptap/pm/keymap";
import { TextSelection, type Command, type EditorState, type Plugin } from "@tiptap/pm/state";
import { CellSelection, TableMap } from "@tiptap/pm/tables";
import type { EditorView } from "@tiptap/pm/view";
import { ancestor, type } from "../commands";
import { blankRow } from "../nodes/tables";
import { clear, deleteColumns, deleteRows, moveRows } from "./commands";
import { cellAt, currentCell, goTo, isValue, rectOf, titlesOf } from "./grid";

// focusCell gives the focus to the control of the selected cell, or to the text.
export function focusCell(view: EditorView): void {
  const at = view.state.selection instanceof CellSelection ? currentCell(view.state) : null;
  const dom = at !== null && isValue(view.state.doc.nodeAt(at)) ? view.nodeDOM(at) : null;
  const control = dom instanceof HTMLElement ? dom.querySelector<HTMLElement>("[data-control]") : null;
  if (control) control.focus();
  else view.focus();
}

const going =
  (
    go: (state: EditorState, row: number, column: number, tablePos: number) => ReturnType<typeof goTo> | null,
  ): Command =>
  (state, dispatch, view) => {
    const rect = rectOf(state);
    const at = currentCell(state);
    if (!rect || at === null) return false;
    const { top, left } = rect.map.findCell(at - rect.tableStart);
    const tr = go(state, top, left, rect.tableStart - 1);
    if (!tr) return false;
    if (dispatch) {
      dispatch(tr);
      if (view) focusCell(view);
    }
    return true;
  };

// step goes to the next cell or the one before, in reading order; past the last one there is a new row.
export const step = (by: 1 | -1): Command =>
  going((state, row, column, pos) => {
    const table = state.doc.nodeAt(pos)!;
    const map = TableMap.get(table);
    const here = map.map[row * map.width + column];
    let index = row * map.width + column;
    while (map.map[index] === here) index += by;
    if (index < 0) return state.tr;
    if (index >= map.map.length) return added(state, pos, 0);
    return goTo(state.tr, pos + 1 + map.map[index]!);
  });

// down goes to the cell below; below the last one there is a new row.
const down: Command = going((state, row, column, pos) => {
  const { map, height, width } = TableMap.get(state.doc.nodeAt(pos)!);
  const here = map[row * width + column];
  let next = row;
  while (next < height && map[next * width + column] === here) next++;
  return next < height ? goTo(state.tr, cellAt(state.doc, pos, next, column)) : added(state, pos, column);
});

function added(state: EditorState, pos: number, column: number) {
  const table = state.doc.nodeAt(pos)!;
  const tr = state.tr.insert(pos + table.nodeSize - 1, blankRow(state.schema, titlesOf(table)));
  return goTo(tr, cellAt(tr.doc, pos, table.childCount, column));
}

// Enter in a cell of one line goes down; in one of several blocks it makes another.
const enter: Command = (state, dispatch, view) => {
  const { selection } = state;
  if (selection instanceof CellSelection) {
    const at = currentCell(state)!;
    if (isValue(state.doc.nodeAt(at))) {
      if (view) focusCell(view);
    } else dispatch?.(goTo(state.tr, at));
    return true;
  }
  const around = selection.$head.parent;
  if (around.type.name !== "tableTitle") {
    const cell = selection.$head.depth > 1 ? selection.$head.node(-1) : null;
    if (cell?.type.name !== "tableCell" || cell.childCount > 1 || around.type.name !== "paragraph") return false;
  }
  return down(state, dispatch, view);
};

const inCode = (state: EditorState) => state.selection.$head.parent.type.spec.code === true;
const sinks = (state: EditorState) => sinkListItem(type("listItem"))(state) || sinkListItem(type("taskItem"))(state);

// toward goes to the cell that an arrow leads to, where the library would skip it: a cell without text.
export const toward =
  (axis: "row" | "column", by: 1 | -1, always = false): Command =>
  (state, dispatch, view) => {
    const { selection } = state;
    const at = currentCell(state);
    if (at === null) return false;
    if (selection instanceof CellSelection) {
      if (selection.$anchorCell.pos !== selection.$headCell.pos) return false;
    } else if (!always) {
      if (!selection.empty || !view) return false;
      const cell = state.doc.nodeAt(at)!;
      const edge =
        by > 0
          ? TextSelection.near(state.doc.resolve(at + cell.nodeSize - 1), -1)
          : TextSelection.near(state.doc.resolve(at + 1), 1);
      const side = axis === "row" ? (by > 0 ? "down" : "up") : by > 0 ? "forward" : "backward";
      if (!view.endOfTextblock(side)) return false;
      if (axis === "column" ? selection.head !== edge.head : !selection.$head.sameParent(edge.$head)) return false;
    }
    return going((current, row, column, pos) => {
      const table = current.doc.nodeAt(pos)!;
      const { map, width, height } = TableMap.get(table);
      const here = map[row * width + column];
      let [r, c] = [row, column];
      while (map[r * width + c] === here && r >= 0 && r < height && c >= 0 && c < width) {
        if (axis === "row") r += by;
        else c += by;
      }
      if (c < 0 || c >= width) {
        r += by;
        c = by > 0 ? 0 : width - 1;
      }
      if (r < 0 || r >= height) {
        const side = by < 0 ? pos : pos + table.nodeSize;
        const outside = TextSelection.near(current.doc.resolve(side), by);
        return outside.from > pos && outside.from < pos + table.nodeSize
          ? null
          : current.tr.setSelection(outside).scrollIntoView();
      }
      return goTo(current.tr, cellAt(current.doc, pos, r, c), axis === "column" && by > 0);
    })(state, dispatch, view);
  };

// sideways goes to the left or the right, which is back or on as the text runs.
const sideways = (by: 1 | -1): Command => (state, dispatch, view) => {
  const rtl = view !== undefined && getComputedStyle(view.dom).direction === "rtl";
  return toward("column", rtl ? (by === 1 ? -1 : 1) : by)(state, dispatch, view);
};

// toggle ticks a selected cell with a box.
const toggle: Command = (state, dispatch, view) => {
  const at = state.selection instanceof CellSelection ? currentCell(state) : null;
  const cell = at === null ? null : state.doc.nodeAt(at);
  if (at === null || !isValue(cell)) return false;
  if (cell!.attrs["column"].type === "checkbox")
    dispatch?.(state.tr.setNodeMarkup(at, undefined, { ...cell!.attrs, value: cell!.attrs["value"] !== true }));
  else if (view) focusCell(view);
  return true;
};

// leave goes on below the table.
export const leaveTable: Command = (state, dispatch, view) => {
  const around = ancestor(state, (node) => node.type.isInGroup("block") && !node.isTextblock);
  if (around?.node.type.name !== "table") return false;
  const after = around.pos + around.node.nodeSize;
  if (dispatch) {
    const tr = state.tr.insert(after, type("paragraph").create());
    dispatch(tr.setSelection(TextSelection.create(tr.doc, after + 1)).scrollIntoView());
    view?.focus();
  }
  return true;
};

const wholly = (state: EditorState): "rows" | "columns" | null => {
  const { selection } = state;
  if (!(selection instanceof CellSelection)) return null;
  return selection.isRowSelection() ? "rows" : selection.isColSelection() ? "columns" : null;
};

const clearCells: Command = (state, dispatch) =>
  state.selection instanceof CellSelection ? clear(state, dispatch) || true : false;
const deleteWhole: Command = (state, dispatch) => {
  const whole = wholly(state);
  return whole === "rows" ? deleteRows(state, dispatch) : whole === "columns" ? deleteColumns(state, dispatch) : false;
};

export const tableKeys = (): Plugin =>
  keymap({
    Tab: (state, dispatch, view) => !inCode(state) && !sinks(state) && step(1)(state, dispatch, view),
    "Shift-Tab": (state, dispatch, view) =>
      !ancestor(state, (node) => node.type.isInGroup("list")) && step(-1)(state, dispatch, view),
    Enter: enter,
    "Mod-Enter": leaveTable,
    "Alt-ArrowUp": (state, dispatch, view) => rectOf(state) !== null && (moveRows(-1)(state, dispatch, view) || true),
    "Alt-ArrowDown": (state, dispatch, view) => rectOf(state) !== null && (moveRows(1)(state, dispatch, view) || true),
    ArrowUp: toward("row", -1),
    ArrowDown: toward("row", 1),
    ArrowLeft: sideways(-1),
    ArrowRight: sideways(1),
    " ": toggle,
    Backspace: clearCells,
    Delete: clearCells,
    "Mod-Backspace": deleteWhole,
    "Mod-Delete": deleteWhole,
  });
