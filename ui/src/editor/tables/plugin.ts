// What keeps tables whole while they are edited: prosemirror-tables for rows and merged cells, and that each cell is of
// its column, since a cell that came from elsewhere or was made empty is not.
import type { Node } from "@tiptap/pm/model";
import { Plugin } from "@tiptap/pm/state";
import { tableEditing } from "@tiptap/pm/tables";
import { drawn, labels } from "../views/table";
import { fit } from "./fit";

// fitting makes every cell of the changed tables one of its column. Tables that others have changed are fitted by them.
function fitting(): Plugin {
  return new Plugin({
    appendTransaction(transactions, before, state) {
      if (!transactions.some((tr) => tr.docChanged && !tr.getMeta("received"))) return null;
      const known = new Set(before.doc.children);
      const tr = state.tr;
      state.doc.forEach((block, pos) => {
        if (known.has(block)) return;
        const found: [Node, number][] = block.type.name === "table" ? [[block, pos]] : [];
        if (found.length === 0)
          block.descendants(
            (node, offset) => void (node.type.name === "table" && found.push([node, pos + 1 + offset])),
          );
        for (const [table, at] of found) fit(tr, table, tr.mapping.map(at));
      });
      return tr.docChanged ? tr : null;
    },
  });
}

// labelling writes onto cells what their columns are called and for, once they are drawn.
function labelling(): Plugin {
  return new Plugin({
    view(view) {
      let seen = 0;
      const draw = (before: Node | null) => {
        // Cells are drawn anew without a change of the document, too, as when a text is no longer written.
        const cells = drawn.get(view) ?? 0;
        const redrawn = cells !== seen;
        seen = cells;
        if (!redrawn && view.state.doc === before) return;
        const known = new Set(redrawn ? [] : before?.children);
        view.state.doc.descendants((node, pos, parent) => {
          if (parent === view.state.doc && known.has(node)) return false;
          if (node.type.name !== "table") return !node.isTextblock;
          const dom = view.nodeDOM(pos);
          if (dom instanceof HTMLElement) labels(dom, node);
          return false;
        });
      };
      draw(null);
      return { update: (_view, before) => draw(before.doc) };
    },
  });
}

export const tables = (): Plugin[] => [fitting(), labelling(), tableEditing({ allowTableNodeSelection: true })];
