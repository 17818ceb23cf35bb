// The keys of selected blocks. Escape selects the block that the cursor is in, and again the one around it; arrows go
// to the next, with Shift they take it in; Enter goes on in the text.
import { chainCommands } from "@tiptap/pm/commands";
import { NodeSelection, Plugin, Selection, TextSelection, type Command, type EditorState } from "@tiptap/pm/state";
import { heldAltGraph } from "../altGraph";
import { editSelected } from "../forms/openNode";
import { duplicate, move, removeBlocks } from "./change";
import { BlockSelection } from "./selection";
import { unitAt, unitsAround, type Unit } from "./units";

// select selects the block that the cursor is in, or the one around those selected.
export const select: Command = (state, dispatch) => {
  const { selection, doc } = state;
  let unit: Unit | null | undefined;
  if (selection instanceof BlockSelection) unit = unitsAround(doc, selection.from)[0];
  else if (selection instanceof NodeSelection && !selection.node.isInline)
    unit = { node: selection.node, pos: selection.from };
  else unit = unitAt(selection.$from);
  if (!unit) return false;
  dispatch?.(state.tr.setSelection(BlockSelection.between(doc, unit.pos)).scrollIntoView());
  return true;
};

// neighbour returns the place before the next sibling of the unit at a place; past the last one it is that of what is
// around them.
function neighbour(state: EditorState, pos: number, by: -1 | 1): number | null {
  for (let at = pos; ; ) {
    const $at = state.doc.resolve(at);
    const next = by < 0 ? $at.nodeBefore : $at.parent.maybeChild($at.index() + 1);
    if (next) return by < 0 ? at - next.nodeSize : at + $at.nodeAfter!.nodeSize;
    if ($at.depth === 0) return null;
    at = $at.before();
  }
}

// into is the first or last unit of what stands at a place: lists are no units, but their items.
function into(state: EditorState, pos: number, by: -1 | 1): number {
  let at = pos;
  for (let node = state.doc.nodeAt(at); node?.type.isInGroup("list"); node = state.doc.nodeAt(at)) {
    at = by > 0 ? at + 1 : at + node.nodeSize - 1 - node.lastChild!.nodeSize;
  }
  return at;
}

const step =
  (by: -1 | 1): Command =>
  (state, dispatch) => {
    const selection = state.selection as BlockSelection;
    const next = neighbour(
      state,
      by < 0 ? Math.min(selection.first, selection.last) : Math.max(selection.first, selection.last),
      by,
    );
    if (next === null) return true;
    dispatch?.(state.tr.setSelection(BlockSelection.between(state.doc, into(state, next, by))).scrollIntoView());
    return true;
  };

// extend takes the next block in, or gives the last one back. Past the end of what is around them all of that is taken.
const extend =
  (by: -1 | 1): Command =>
  (state, dispatch) => {
    const { first, last } = state.selection as BlockSelection;
    const $last = state.doc.resolve(last);
    const next = by < 0 ? $last.nodeBefore : $last.parent.maybeChild($last.index() + 1);
    let to = BlockSelection.between(
      state.doc,
      first,
      next ? (by < 0 ? last - next.nodeSize : last + $last.nodeAfter!.nodeSize) : last,
    );
    if (!next) {
      const around = unitsAround(state.doc, last)[0];
      if (!around) return true;
      to = BlockSelection.between(state.doc, around.pos);
    }
    dispatch?.(state.tr.setSelection(to).scrollIntoView());
    return true;
  };

// enter goes into the text of the first selected block, or to a new line below one without any.
const enter: Command = (state, dispatch) => {
  const { from, to } = state.selection;
  const found = Selection.findFrom(state.doc.resolve(to), -1, true);
  if (found && found.from > from) {
    dispatch?.(state.tr.setSelection(found).scrollIntoView());
    return true;
  }
  if (dispatch) {
    const tr = state.tr.insert(to, state.schema.nodes["paragraph"]!.create());
    dispatch(tr.setSelection(TextSelection.create(tr.doc, to + 1)).scrollIntoView());
  }
  return true;
};

const selected: Record<string, Command> = {
  ArrowUp: step(-1),
  ArrowDown: step(1),
  "Shift+ArrowUp": extend(-1),
  "Shift+ArrowDown": extend(1),
  // What has a form is changed there.
  Enter: chainCommands(editSelected, enter),
  Backspace: removeBlocks,
  Delete: removeBlocks,
  Escape: select,
};

const anywhere: Record<string, Command> = {
  Escape: select,
  "Mod+D": duplicate,
  "Alt+ArrowUp": move(-1),
  "Alt+ArrowDown": move(1),
};

// named is how a key is called in the tables above.
export function named(event: KeyboardEvent): string {
  const key = event.key.length === 1 ? event.key.toUpperCase() : event.key;
  return [(event.ctrlKey || event.metaKey) && "Mod", event.altKey && "Alt", event.shiftKey && "Shift", key]
    .filter(Boolean)
    .join("+");
}

// blockKeys returns the plugin of these keys. onMenu opens the menu of the block.
export function blockKeys(onMenu: () => boolean): Plugin {
  return new Plugin({
    props: {
      handleKeyDown(view, event) {
        if (event.isComposing || heldAltGraph(event)) return false;
        const key = named(event);
        if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key === "/") return onMenu();
        const command = (view.state.selection instanceof BlockSelection && selected[key]) || anywhere[key];
        return command ? command(view.state, view.dispatch, view) : false;
      },
    },
  });
}
