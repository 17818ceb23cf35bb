// What the menus and keys of tables do. All act on the selected part of a table; row 0 are its titles.
import { closeHistory } from "@tiptap/pm/history";
import type { Node } from "@tiptap/pm/model";
import { TextSelection, type Command, type Transaction } from "@tiptap/pm/state";
import { addColumn, addRow, mergeCells, removeColumn, removeRow, splitCellWithType, TableMap } from "@tiptap/pm/tables";
import type { Data } from "../document";
import { mostCells, mostColumns } from "../nodes/tablehtml";
import { blankCell, blankRow, columnOf, walkCells, type Column, type View } from "../nodes/tables";
import { cellAt, cellsOf, goTo, hasSpans, isValue, rebuilt, rectOf, selectPart, titlesOf, type Rect } from "./grid";
import { fit } from "./fit";
import { cellText, changedCell, colors, columnOfType, type ColumnType } from "./values";

const tablePos = (rect: Rect) => rect.tableStart - 1;

// inTable makes a command of what is done to the selected part of a table; it returns null when it cannot be done.
const inTable =
  (act: (rect: Rect, tr: Transaction) => Transaction | null): Command =>
  (state, dispatch) => {
    const rect = rectOf(state);
    const tr = rect && act(rect, state.tr);
    if (!tr) return false;
    // Each is undone by itself.
    dispatch?.(closeHistory(tr).scrollIntoView());
    return true;
  };

const again = (tr: Transaction, rect: Rect): Rect => {
  const table = tr.doc.nodeAt(tablePos(rect))!;
  return { ...rect, table, map: TableMap.get(table) };
};

// made is where a table goes on after its rows or columns have changed: a new cell has a line to type in before the
// cursor goes there.
function made(tr: Transaction, rect: Rect, row: number, column: number): Transaction {
  fit(tr, tr.doc.nodeAt(tablePos(rect))!, tablePos(rect));
  return goTo(tr, cellAt(tr.doc, tablePos(rect), row, column));
}

export const insertRow = (side: "before" | "after"): Command =>
  inTable((rect, tr) => {
    if (rect.map.height * rect.map.width > mostCells) return null;
    const at = Math.max(side === "before" ? rect.top : rect.bottom, 1);
    if (side === "before" && rect.top === 0) return null;
    // The library makes it, unless there is no row that it could be like.
    if (rect.map.height === 1)
      tr.insert(rect.tableStart + rect.table.content.size, blankRow(tr.doc.type.schema, titlesOf(rect.table)));
    else addRow(tr, rect, at);
    return made(tr, rect, at, rect.left);
  });

export const insertColumn = (side: "before" | "after"): Command =>
  inTable((rect, tr) => {
    if (rect.map.width >= mostColumns || rect.map.height * (rect.map.width + 1) > mostCells) return null;
    const at = side === "before" ? rect.left : rect.right;
    if (rect.map.height === 1)
      tr.insert(
        rect.tableStart +
          1 +
          titlesOf(rect.table)
            .slice(0, at)
            .reduce((sum, title) => sum + title.nodeSize, 0),
        tr.doc.type.schema.nodes["tableTitle"]!.create(),
      );
    else addColumn(tr, rect, at);
    return made(tr, rect, 0, at);
  });

// below puts the cursor where the table was.
function below(tr: Transaction, pos: number): Transaction {
  return tr.setSelection(TextSelection.near(tr.doc.resolve(Math.min(pos, tr.doc.content.size))));
}

export const deleteTable: Command = inTable((rect, tr) => {
  const paragraph = tr.doc.type.schema.nodes["paragraph"]!.create();
  const $pos = tr.doc.resolve(tablePos(rect));
  // What is around it may need a block.
  if ($pos.parent.childCount === 1) tr.replaceWith(tablePos(rect), tablePos(rect) + rect.table.nodeSize, paragraph);
  else tr.delete(tablePos(rect), tablePos(rect) + rect.table.nodeSize);
  return below(tr, tablePos(rect));
});

export const deleteRows: Command = inTable((rect, tr) => {
  const top = Math.max(rect.top, 1);
  if (rect.bottom <= top) return null;
  for (let row = rect.bottom - 1; row >= top; row--) removeRow(tr, again(tr, rect), row);
  return made(tr, rect, top, rect.left);
});

export const deleteColumns: Command = (state, dispatch) => {
  const rect = rectOf(state);
  if (rect && rect.left === 0 && rect.right === rect.map.width) return deleteTable(state, dispatch);
  return inTable((whole, tr) => {
    for (let column = whole.right - 1; column >= whole.left; column--) removeColumn(tr, again(tr, whole), column);
    return made(tr, whole, whole.top, whole.left);
  })(state, dispatch);
};

// spread returns a list with what stands at from..to moved by one place.
const spread = <T>(list: readonly T[], from: number, to: number, by: -1 | 1): T[] => {
  const rest = [...list];
  const moved = rest.splice(from, to - from);
  rest.splice(from + by, 0, ...moved);
  return rest;
};

export const moveRows = (by: -1 | 1): Command =>
  inTable((rect, tr) => {
    const { top, bottom, left, right, map, table } = rect;
    if (top < 1 || (by < 0 ? top <= 1 : bottom >= map.height) || hasSpans(table)) return null;
    rebuilt(tr, rect, spread(cellsOf(table), top, bottom, by));
    return selectPart(tr, tablePos(rect), top + by, left, bottom + by, right);
  });

export const moveColumns = (by: -1 | 1): Command =>
  inTable((rect, tr) => {
    const { top, bottom, left, right, map, table } = rect;
    if ((by < 0 ? left === 0 : right === map.width) || hasSpans(table)) return null;
    rebuilt(tr, rect, cellsOf(table).map((cells) => spread(cells, left, right, by)));
    return selectPart(tr, tablePos(rect), top, left + by, bottom, right + by);
  });

export const duplicateRows: Command = inTable((rect, tr) => {
  const { top, bottom, map, table } = rect;
  if (top < 1 || hasSpans(table) || (map.height + bottom - top) * map.width > mostCells) return null;
  const rows = cellsOf(table);
  rebuilt(tr, rect, [...rows.slice(0, bottom), ...rows.slice(top, bottom), ...rows.slice(bottom)]);
  return selectPart(tr, tablePos(rect), bottom, 0, bottom + bottom - top, map.width);
});

export const duplicateColumns: Command = inTable((rect, tr) => {
  const { left, right, map, table } = rect;
  if (hasSpans(table) || map.width + right - left > mostColumns || map.height * (map.width + right - left) > mostCells)
    return null;
  rebuilt(
    tr,
    rect,
    cellsOf(table).map((cells, row) => {
      // A card has one target and one cover.
      const copies = cells
        .slice(left, right)
        .map((cell) =>
          row === 0
            ? cell.type.create({ ...cell.attrs, target: false, cover: false, coverDark: false }, cell.content)
            : cell,
        );
      return [...cells.slice(0, right), ...copies, ...cells.slice(right)];
    }),
  );
  return selectPart(tr, tablePos(rect), 0, right, map.height, right + right - left);
});

// sortRows sorts the rows by the first selected column; empty cells stay last.
export const sortRows = (direction: 1 | -1): Command =>
  inTable((rect, tr) => {
    const { table, left } = rect;
    if (hasSpans(table) || table.childCount < 3) return null;
    const [head, ...rows] = cellsOf(table);
    const compare = new Intl.Collator(undefined, { numeric: true }).compare;
    const key = (cells: readonly Node[]) => {
      const value = cells[left]!.attrs["value"] as unknown;
      return typeof value === "number" || typeof value === "boolean" ? Number(value) : cellText(cells[left]!).trim();
    };
    const sorted = rows
      .map((cells) => ({ cells, by: key(cells) }))
      .sort((a, b) => {
        if (a.by === "" || b.by === "") return Number(a.by === "") - Number(b.by === "");
        return (
          direction *
          (typeof a.by === "number" && typeof b.by === "number" ? a.by - b.by : compare(String(a.by), String(b.by)))
        );
      });
    rebuilt(tr, rect, [head!, ...sorted.map(({ cells }) => cells)]);
    return goTo(tr, cellAt(tr.doc, tablePos(rect), 0, left));
  });

// onTitles changes the titles of the selected columns.
const onTitles = (change: (title: Node, index: number) => Data | null): Command =>
  inTable((rect, tr) => {
    let at = rect.tableStart + 1;
    titlesOf(rect.table).forEach((title, index) => {
      const attrs = change(title, index);
      if (attrs) tr.setNodeMarkup(at, undefined, { ...title.attrs, ...attrs });
      at += title.nodeSize;
    });
    return tr.docChanged ? tr : null;
  });

const onColumns =
  (attrs: (title: Node) => Data): Command =>
  (state, dispatch) => {
    const rect = rectOf(state);
    return rect
      ? onTitles((title, index) => (index >= rect.left && index < rect.right ? attrs(title) : null))(state, dispatch)
      : false;
  };

export const setWidth = (width: number | null): Command => onColumns(() => ({ width }));
export const setHidden = (hidden: boolean): Command => onColumns(() => ({ hidden }));
export const setColumn = (patch: Partial<Column>): Command =>
  onColumns((title) => ({ column: { ...columnOf(title), ...patch } }));

// setRole gives a role to the first selected column alone, or takes it away.
export const setRole = (role: "target" | "cover" | "coverDark", on: boolean): Command => (state, dispatch) => {
  const rect = rectOf(state);
  if (!rect) return false;
  return onTitles((title, index) => {
    const wanted = on && index === rect.left;
    return title.attrs[role] === wanted || (!on && index !== rect.left) ? null : { [role]: wanted };
  })(state, dispatch);
};

// align aligns the texts of the selected columns.
export const align = (textAlignment: string): Command =>
  onColumns((title) => (columnOf(title).type === "text" ? { column: { ...columnOf(title), textAlignment } } : {}));

// setType makes the first selected column one of another kind, and returns how many cells it could not hold. A column
// of choices begins with what its cells say.
export const setType =
  (type: ColumnType, onLost: (count: number) => void): Command =>
  (state, dispatch) => {
    const rect = rectOf(state);
    const title = rect && titlesOf(rect.table)[rect.left];
    if (!rect || !title || columnOf(title).type === type) return false;
    const found: { cell: Node; at: number }[] = [];
    walkCells(
      rect.table,
      (cell, _row, index, offset) => void (index === rect.left && found.push({ cell, at: rect.tableStart + offset })),
    );
    const column = columnOfType(type);
    if (type === "select") {
      const words = [...new Set(found.map(({ cell }) => cellText(cell).trim()).filter(Boolean))].slice(0, 50);
      column.options = words.map((label, i) => ({ value: `o${i + 1}`, label, color: colors[i % colors.length]! }));
    }
    if (!dispatch) return true;
    const tr = state.tr;
    let lost = 0;
    for (const { cell, at } of found) {
      const fits = changedCell(state.schema, cell, column);
      if (!fits) lost++;
      const next =
        fits ?? cell.type.create({ ...cell.attrs, column, value: null }, blankCell(state.schema, column).content);
      tr.replaceWith(tr.mapping.map(at), tr.mapping.map(at + cell.nodeSize), next);
    }
    const titlePos = cellAt(state.doc, tablePos(rect), 0, rect.left);
    tr.setNodeMarkup(titlePos, undefined, { ...title.attrs, column });
    const row = Math.min(rect.top, rect.map.height - 1);
    dispatch(closeHistory(goTo(tr, cellAt(tr.doc, tablePos(rect), row, rect.left))));
    if (lost > 0) onLost(lost);
    return true;
  };

// setView changes how a table shows; what is undefined goes.
export const setView = (patch: { [name in keyof View]?: View[name] | undefined }): Command =>
  inTable((rect, tr) =>
    tr.setNodeMarkup(tablePos(rect), undefined, {
      ...rect.table.attrs,
      view: merged(rect.table.attrs["view"] as Data, patch),
    }),
  );

export const setTableData = (patch: Data): Command =>
  inTable((rect, tr) =>
    tr.setNodeMarkup(tablePos(rect), undefined, {
      ...rect.table.attrs,
      data: merged(rect.table.attrs["data"] as Data, patch),
    }),
  );

const merged = (data: Data, patch: Data): Data =>
  Object.fromEntries(Object.entries({ ...data, ...patch }).filter(([, value]) => value !== undefined));

// show makes a table a grid or cards, which have no merged cells.
export const show = (type: "grid" | "cards"): Command =>
  inTable((rect, tr) => {
    const { hideHeader } = rect.table.attrs["view"] as View;
    const view: View = type === "cards" ? { type, hideHeader, cardSize: "medium" } : { type, hideHeader };
    if (type === "cards" && hasSpans(rect.table)) return null;
    return tr.setNodeMarkup(tablePos(rect), undefined, { ...rect.table.attrs, view });
  });

// merge joins the selected cells, all of texts.
export const merge: Command = (state, dispatch) => {
  const rect = rectOf(state);
  if (
    !rect ||
    rect.top === 0 ||
    rect.bottom - rect.top > 50 ||
    rect.right - rect.left > 50 ||
    (rect.table.attrs["view"] as View).type === "cards"
  )
    return false;
  if (
    titlesOf(rect.table)
      .slice(rect.left, rect.right)
      .some((title) => columnOf(title).type !== "text")
  )
    return false;
  return mergeCells(state, dispatch);
};

export const split: Command = splitCellWithType(({ node }) => node.type);

// clear empties the selected cells.
export const clear: Command = inTable((rect, tr) => {
  const { schema } = tr.doc.type;
  for (const offset of rect.map.cellsInRect(rect).sort((a, b) => b - a)) {
    const at = rect.tableStart + offset;
    const cell = rect.table.nodeAt(offset)!;
    if (isValue(cell)) tr.setNodeMarkup(at, undefined, { ...cell.attrs, value: null });
    else if (cell.type.name === "tableTitle") tr.delete(at + 1, at + cell.nodeSize - 1);
    else tr.replaceWith(at + 1, at + cell.nodeSize - 1, blankCell(schema, columnOf(cell)).content);
  }
  return tr.docChanged ? selectPart(tr, tablePos(rect), rect.top, rect.left, rect.bottom, rect.right) : null;
});

// newTable returns an empty table to begin with.
export function newTable(schema: Node["type"]["schema"], view: View, columns: readonly Data[], rows: number): Node {
  const { table, tableHead, tableTitle } = schema.nodes;
  const titles = columns.map((attrs) => tableTitle!.create(attrs));
  return table!.create({ view }, [
    tableHead!.create(null, titles),
    ...Array.from({ length: rows }, () => blankRow(schema, titles)),
  ]);
}
