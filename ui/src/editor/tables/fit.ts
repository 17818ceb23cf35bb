// Cells that are of their columns. One that came from elsewhere, or that was made empty, is not yet.
import type { Node } from "@tiptap/pm/model";
import type { Transaction } from "@tiptap/pm/state";
import { same } from "../document";
import { blankCell, columnOf, walkCells } from "../nodes/tables";
import { titlesOf } from "./grid";
import { changedCell, listOf } from "./values";

// fit makes every cell of a table one of its column: pos is where the table is now.
export function fit(tr: Transaction, table: Node, pos: number): void {
  const { schema } = table.type;
  const begun = tr.steps.length;
  const titles = titlesOf(table);
  walkCells(table, (cell, _row, index, offset) => {
    const title = titles[index];
    if (!title) return;
    const column = columnOf(title);
    const typed = column.type !== "text";
    if (
      columnOf(cell) === column &&
      (typed ? cell.childCount === 0 : cell.childCount > 0 && cell.attrs["value"] === null)
    )
      return;
    const at = tr.mapping.slice(begun).map(pos + 1 + offset);
    if (!typed && columnOf(cell).type === "text" && cell.childCount > 0) {
      tr.setNodeMarkup(at, undefined, { ...cell.attrs, column, value: null });
      return;
    }
    if (
      typed &&
      cell.childCount === 0 &&
      columnOf(cell).type === column.type &&
      same({ ...columnOf(cell), options: 0 }, { ...column, options: 0 })
    ) {
      // Its column alone was changed, such as the name of an option. An option that went leaves the cells.
      const gone = (columnOf(cell).options ?? [])
        .map((option) => option.value)
        .filter((each) => !column.options?.some((option) => option.value === each));
      const left = gone.length > 0 ? listOf(cell.attrs["value"]).filter((each) => !gone.includes(each)) : null;
      tr.setNodeMarkup(at, undefined, {
        ...cell.attrs,
        column,
        ...(left ? { value: left.length > 0 ? left : null } : {}),
      });
      return;
    }
    const fits =
      changedCell(schema, cell, column) ??
      cell.type.create({ ...cell.attrs, column, value: null }, blankCell(schema, column).content);
    tr.replaceWith(at, at + cell.nodeSize, fits);
  });
}
