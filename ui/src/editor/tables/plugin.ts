// What keeps tables whole while they are edited: prosemirror-tables for rows and merged cells, and that each cell is of
// its column, since a cell that came from elsewhere or was made empty is not.
import type { Node } from "@tiptap/pm/model";
import { Plugin, type EditorState, type Transaction } from "@tiptap/pm/state";
import { tableEditing } from "@tiptap/pm/tables";
import { same } from "../document";
import { blankCell, columnOf, walkCells, type View } from "../nodes/tables";
import { labels } from "../views/table";
import { titlesOf } from "./grid";
import { changedCell, listOf } from "./values";

// fitting makes every cell of the changed tables one of its column.
function fitting(): Plugin {
  return new Plugin({
    appendTransaction(transactions, before, state) {
      if (!transactions.some((tr) => tr.docChanged)) return null;
      const known = new Set(before.doc.children);
      const tr = state.tr;
      state.doc.forEach((block, pos) => {
        if (known.has(block)) return;
        if (block.type.name === "table") fit(tr, state, block, pos);
        else block.descendants((node, offset) => void (node.type.name === "table" && fit(tr, state, node, pos + 1 + offset)));
      });
      return tr.docChanged ? tr : null;
    },
  });
}

function fit(tr: Transaction, state: EditorState, table: Node, pos: number): void {
  const titles = titlesOf(table);
  walkCells(table, (cell, _row, index, offset) => {
    const title = titles[index];
    if (!title) return;
    const column = columnOf(title);
    const typed = column.type !== "text";
    if (columnOf(cell) === column && (typed ? cell.childCount === 0 : cell.childCount > 0 && cell.attrs["value"] === null)) return;
    const at = tr.mapping.map(pos + 1 + offset);
    if (!typed && columnOf(cell).type === "text" && cell.childCount > 0) {
      tr.setNodeMarkup(at, undefined, { ...cell.attrs, column, value: null });
      return;
    }
    if (typed && cell.childCount === 0 && columnOf(cell).type === column.type && same({ ...columnOf(cell), options: 0 }, { ...column, options: 0 })) {
      // Its column alone was changed, such as the name of an option. An option that went leaves the cells.
      const gone = (columnOf(cell).options ?? []).map((option) => option.value).filter((each) => !column.options?.some((option) => option.value === each));
      const left = gone.length > 0 ? listOf(cell.attrs["value"]).filter((each) => !gone.includes(each)) : null;
      tr.setNodeMarkup(at, undefined, { ...cell.attrs, column, ...(left ? { value: left.length > 0 ? left : null } : {}) });
      return;
    }
    const fits = changedCell(state.schema, cell, column) ?? cell.type.create({ ...cell.attrs, column, value: null }, blankCell(state.schema, column).content);
    tr.replaceWith(at, at + cell.nodeSize, fits);
  });
}

// labelling writes onto the cells of cards what their columns are for, once they are drawn.
function labelling(): Plugin {
  return new Plugin({
    view(view) {
      const draw = (before: Node | null) => {
        if (view.state.doc === before) return;
        const known = new Set(before?.children);
        view.state.doc.descendants((node, pos, parent) => {
          if (parent === view.state.doc && known.has(node)) return false;
          if (node.type.name !== "table") return !node.isTextblock;
          const dom = view.nodeDOM(pos);
          if ((node.attrs["view"] as View).type === "cards" && dom instanceof HTMLElement) labels(dom, node);
          return false;
        });
      };
      draw(null);
      return { update: (_view, before) => draw(before.doc) };
    },
  });
}

export const tables = (): Plugin[] => [fitting(), labelling(), tableEditing({ allowTableNodeSelection: true })];
