// Grids that are pasted: rows of a table of here, a table of HTML, or the lines of a spreadsheet with tabs between.
// In a table they fill its cells, elsewhere they become one.
import { closeHistory } from "@tiptap/pm/history";
import { Fragment, type Node, type Schema, type Slice } from "@tiptap/pm/model";
import { Plugin, type EditorState, type Transaction } from "@tiptap/pm/state";
import { CellSelection, TableMap } from "@tiptap/pm/tables";
import { mostCells, mostColumns } from "../nodes/tablehtml";
import { blankCell, blankRow, columnOf } from "../nodes/tables";
import { cellAt, cellsOf, currentCell, goTo, rebuilt, rectOf, selectPart } from "./grid";
import { t } from "../../words/words";
import { say } from "./note";
import { changedCell } from "./values";

// Filled says what became of a grid: cells that could not hold what was meant for them, and cells for which there was
// no room.
export interface Filled {
  tr: Transaction;
  refused: number;
  left: number;
}

// gridOf returns the cells of a slice that is rows of a table and nothing else.
export function gridOf(slice: Slice): Node[][] | null {
  const { content } = slice;
  // Words out of one cell come in the same parts, cut open further in.
  if (slice.openStart > 1 || slice.openEnd > 1) return null;
  const only = content.childCount === 1 ? content.firstChild! : null;
  const rows: readonly Node[] = only?.type.name === "table" ? only.children : content.content;
  if (rows.length === 0 || !rows.every((row) => row.type.spec["tableRole"] === "row")) return null;
  return rows.map((row) => [...row.children]);
}

// linesOf reads what a spreadsheet copies as text: a line for each row, tabs between its cells, quotes around line
// breaks. Null for anything else.
export function linesOf(text: string): string[][] | null {
  const source = text.replace(/\r\n?/g, "\n").replace(/\n+$/, "");
  if (!source.includes("\t")) return null;
  const rows: string[][] = [[]];
  let at = 0;
  while (at <= source.length) {
    let cell = "";
    const quoted = source[at] === '"' ? /^"((?:[^"]|"")*)"(?=[\t\n]|$)/.exec(source.slice(at)) : null;
    if (quoted) {
      cell = quoted[1]!.replaceAll('""', '"');
      at += quoted[0].length;
    } else {
      const end = source.slice(at).search(/[\t\n]/);
      cell = source.slice(at, end < 0 ? undefined : at + end);
      at += cell.length;
    }
    rows[rows.length - 1]!.push(cell);
    if (source[at] === "\n") rows.push([]);
    at++;
  }
  // Every line of a grid has as many cells; text with a tab somewhere has not.
  return rows.every((row) => row.length === rows[0]!.length) ? rows : null;
}

function textCell(schema: Schema, text: string): Node {
  const { tableCell, paragraph, hardBreak } = schema.nodes;
  const parts = text
    .split("\n")
    .flatMap((line, i) => [...(i > 0 ? [hardBreak!.create()] : []), ...(line ? [schema.text(line)] : [])]);
  return tableCell!.create(null, paragraph!.create(parts.length > 0 ? null : { filler: true }, parts));
}

export const cellsOfLines = (schema: Schema, lines: string[][]): Node[][] =>
  lines.map((line) => line.map((text) => textCell(schema, text)));

// asTitle returns a cell as a title: its words on one line.
function asTitle(title: Node, cell: Node): Node {
  const inlines: Node[] = [];
  cell.descendants((node) => {
    if (!node.isInline) return true;
    inlines.push(node.type.name === "hardBreak" ? node.type.schema.text(" ") : node);
    return false;
  });
  const content = Fragment.from(inlines);
  return title.type.validContent(content) ? title.type.create(title.attrs, content) : title;
}

const lone = (cell: Node) =>
  cell.attrs["colspan"] > 1 || cell.attrs["rowspan"] > 1
    ? cell.type.create({ ...cell.attrs, colspan: 1, rowspan: 1 }, cell.content)
    : cell;

// fill puts a grid into the cells of the table from the selection on, which grows as far as it must. A single cell
// fills all the selected ones.
export function fill(state: EditorState, grid: Node[][]): Filled | null {
  const rect = rectOf(state);
  if (!rect) return null;
  const { table, map, top, left } = rect;
  const { schema } = state;
  const single = grid.length === 1 && grid[0]!.length === 1 && state.selection instanceof CellSelection;
  const height = single ? rect.bottom - top : grid.length;
  const width = single ? rect.right - left : Math.max(...grid.map((row) => row.length));
  const columns = Math.min(Math.max(map.width, left + width), mostColumns);
  const rows = Math.min(Math.max(map.height, top + height), Math.max(Math.floor(mostCells / columns) + 1, map.height));
  const made = cellsOf(table).map((cells) => [...cells]);
  const { tableTitle } = schema.nodes;
  for (let column = map.width; column < columns; column++)
    made.forEach((cells, row) =>
      cells.push(row === 0 ? tableTitle!.create() : blankCell(schema, columnOf(tableTitle!.create()))),
    );
  const titles = made[0]!;
  while (made.length < rows) made.push([...blankRow(schema, titles).children]);
  let [refused, beyond] = [0, 0];
  for (let r = 0; r < height; r++) {
    for (let c = 0; c < width; c++) {
      const cell = single ? grid[0]![0]! : grid[r]![c];
      if (!cell) continue;
      const [row, column] = [top + r, left + c];
      if (row >= made.length || column >= columns) {
        beyond++;
        continue;
      }
      const at = indexOf(table, map, row, column);
      const before = at === null ? undefined : made[row]![at];
      if (!before) {
        beyond++;
        continue;
      }
      if (row === 0) {
        made[0]![at!] = titles[at!] = asTitle(before, cell);
        continue;
      }
      const source =
        cell.type.name === "tableCell"
          ? lone(cell)
          : schema.nodes["tableCell"]!.create(null, schema.nodes["paragraph"]!.create(null, cell.content));
      const fits = changedCell(schema, source, columnOf(titles[column]!));
      if (!fits) refused++;
      else
        made[row]![at!] = fits.type.create(
          { ...before.attrs, column: fits.attrs["column"], value: fits.attrs["value"] },
          fits.content,
        );
    }
  }
  const tr = rebuilt(state.tr, rect, made);
  const pos = rect.tableStart - 1;
  if (height * width === 1) goTo(tr, cellAt(tr.doc, pos, top, left));
  else selectPart(tr, pos, top, left, Math.min(top + height, rows), Math.min(left + width, columns));
  return { tr: closeHistory(tr).setMeta("paste", true).scrollIntoView(), refused, left: beyond };
}

// indexOf returns which child of its row a place is; null when a cell of elsewhere covers it.
function indexOf(table: Node, map: TableMap, row: number, column: number): number | null {
  if (row >= map.height) return column;
  if (column >= map.width) return table.child(row).childCount + column - map.width;
  const pos = map.map[row * map.width + column]!;
  const rect = map.findCell(pos);
  if (rect.top !== row || rect.left !== column) return null;
  let offset = pos - 1;
  for (let r = 0; r < row; r++) offset -= table.child(r).nodeSize;
  let index = 0;
  for (let at = 0; at < offset; index++) at += table.child(row).child(index).nodeSize;
  return index;
}

// tableOf makes a table of a grid, whose first row names the columns.
function tableOf(schema: Schema, grid: Node[][]): { table: Node; left: number } {
  const { table, tableHead, tableTitle, tableRow } = schema.nodes;
  const width = Math.min(grid[0]!.length, mostColumns);
  const fits = grid.slice(0, Math.floor(mostCells / width) + 1);
  const titles = fits[0]!.slice(0, width).map((cell) => asTitle(tableTitle!.create(), cell));
  const rows = fits.slice(1).map((cells) => tableRow!.create(null, cells.slice(0, width)));
  return {
    table: table!.create(null, [tableHead!.create(null, titles), ...rows]),
    left: grid.length * grid[0]!.length - fits.length * width,
  };
}

// pastingTables takes grids before anything else that is pasted, and says what could not be taken.
export function pastingTables(): Plugin {
  return new Plugin({
    props: {
      handlePaste(view, event, slice) {
        const { state } = view;
        if (state.selection.$from.parent.type.spec.code) return false;
        const data = event.clipboardData;
        const lines = data && !data.getData("text/html") ? linesOf(data.getData("text/plain")) : null;
        const grid = lines ? cellsOfLines(state.schema, lines) : gridOf(slice);
        if (currentCell(state) !== null) {
          // Text that goes into selected cells fills each of them.
          const cells =
            grid ??
            (state.selection instanceof CellSelection
              ? [[textCell(state.schema, data?.getData("text/plain") ?? "")]]
              : null);
          const filled = cells && fill(state, cells);
          if (!filled) return false;
          view.dispatch(filled.tr);
          const said = [
            filled.refused > 0 ? t("editor.table.refused", { count: filled.refused }) : "",
            filled.left > 0 ? t("editor.table.left", { count: filled.left }) : "",
          ];
          if (filled.refused + filled.left > 0) say(view, said.filter(Boolean).join(" "));
          return true;
        }
        if (!grid || grid.length < 2 || slice.content.firstChild?.type.name === "table") return false;
        const { table, left } = tableOf(state.schema, grid);
        view.dispatch(state.tr.replaceSelectionWith(table).scrollIntoView().setMeta("paste", true));
        if (left > 0) say(view, t("editor.table.left", { count: left }));
        return true;
      },
    },
  });
}
