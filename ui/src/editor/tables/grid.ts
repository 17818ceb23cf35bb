// Where things are in a table, and tables made anew from rows of cells.
import { Fragment, type Node } from "@tiptap/pm/model";
import { Selection, type EditorState, type Transaction } from "@tiptap/pm/state";
import { cellAround, CellSelection, isInTable, selectedRect, TableMap, type TableRect } from "@tiptap/pm/tables";
import { columnOf } from "../nodes/tables";

export type Rect = TableRect;

// rectOf returns the selected part of the table around the selection. Row 0 are the titles.
export function rectOf(state: EditorState): Rect | null {
  return isInTable(state) ? selectedRect(state) : null;
}

export const titlesOf = (table: Node): readonly Node[] => table.child(0).children;

// isValue reports whether a cell has a value and no text.
export const isValue = (cell: Node | null | undefined): boolean =>
  cell?.type.name === "tableCell" && columnOf(cell).type !== "text";

// hasSpans reports whether a table has merged cells.
export function hasSpans(table: Node): boolean {
  return table.children.some((row) =>
    row.children.some((cell) => cell.attrs["colspan"] > 1 || cell.attrs["rowspan"] > 1),
  );
}

// cellAt returns the position of a cell in the document.
export function cellAt(doc: Node, tablePos: number, row: number, column: number): number {
  const table = doc.nodeAt(tablePos)!;
  const map = TableMap.get(table);
  return tablePos + 1 + map.map[Math.min(row, map.height - 1) * map.width + Math.min(column, map.width - 1)]!;
}

// goTo puts the cursor at the end of a cell, or selects the cell when nothing can be typed into it.
export function goTo(tr: Transaction, pos: number, atStart = false): Transaction {
  const cell = tr.doc.nodeAt(pos)!;
  if (isValue(cell)) return tr.setSelection(CellSelection.create(tr.doc, pos)).scrollIntoView();
  const inside = atStart
    ? Selection.near(tr.doc.resolve(pos + 1), 1)
    : Selection.near(tr.doc.resolve(pos + cell.nodeSize - 1), -1);
  return tr.setSelection(inside).scrollIntoView();
}

// currentCell returns the position of the cell that the selection is in or begins with.
export function currentCell(state: EditorState): number | null {
  const { selection } = state;
  if (selection instanceof CellSelection) return selection.$headCell.pos;
  return cellAround(selection.$head)?.pos ?? null;
}

// selectPart selects the cells of a part of a table.
export function selectPart(
  tr: Transaction,
  tablePos: number,
  top: number,
  left: number,
  bottom: number,
  right: number,
): Transaction {
  return tr.setSelection(
    CellSelection.create(tr.doc, cellAt(tr.doc, tablePos, top, left), cellAt(tr.doc, tablePos, bottom - 1, right - 1)),
  );
}

// rebuilt puts other rows of cells in the place of those of a table without merged cells. Row 0 are the titles.
export function rebuilt(tr: Transaction, rect: Rect, rows: readonly (readonly Node[])[]): Transaction {
  const { table, tableStart } = rect;
  const { tableRow } = table.type.schema.nodes;
  const made = rows.map((cells, r) =>
    r === 0 ? table.child(0).copy(Fragment.from(cells)) : tableRow!.create(null, cells),
  );
  return tr.replaceWith(tableStart, tableStart + table.content.size, made);
}

export const cellsOf = (table: Node): (readonly Node[])[] => table.children.map((row) => row.children);
