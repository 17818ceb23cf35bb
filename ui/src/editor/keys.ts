// The keys of the editor, those of the table in the design first. What no key here takes, ProseMirror's own do.
import {
  baseKeymap,
  chainCommands,
  createParagraphNear,
  exitCode,
  liftEmptyBlock,
  newlineInCode,
  setBlockType,
  splitBlockAs,
} from "@tiptap/pm/commands";
import { redo, undo } from "@tiptap/pm/history";
import { undoInputRule } from "@tiptap/pm/inputrules";
import { keydownHandler } from "@tiptap/pm/keymap";
import { sinkListItem, splitListItem } from "@tiptap/pm/schema-list";
import { bound } from "../look/shortcuts";
import { BlockSelection } from "./blocks/selection";
import { openSelected } from "./opening";
import { NodeSelection, Selection, TextSelection, Plugin, type Command } from "@tiptap/pm/state";
import { heldAltGraph } from "./altGraph";
import { ancestor, code, leave, liftItem, linkRef, list, mark, text, tick, type } from "./commands";
import { overEdge } from "./codeEdge";
import { editSelected } from "./forms/openNode";

// A second paragraph or heading does not have the anchor of the first, and is no filler.
const split: Command = splitBlockAs((node, atEnd) => {
  if (atEnd) return { type: type("paragraph") };
  const { id: _, ...data } = (node.attrs["data"] ?? {}) as Record<string, unknown>;
  return { type: node.type, attrs: { data, meta: null } };
});

const splitItem: Command = chainCommands(
  splitListItem(type("listItem")),
  splitListItem(type("taskItem"), { data: { checked: false } }),
);

// Three backticks and Enter begin code.
const fence: Command = (state, dispatch) => {
  const { $from, empty } = state.selection;
  const found =
    empty &&
    $from.parent.type.name === "paragraph" &&
    $from.parentOffset === $from.parent.content.size &&
    /^```([\w+#.-]*)$/.exec($from.parent.textContent);
  if (!found) return false;
  if (dispatch) {
    const tr = state.tr.delete($from.start(), $from.end());
    dispatch(
      tr.setBlockType($from.start(), $from.start(), type("codeBlock"), { data: found[1] ? { syntax: found[1] } : {} }),
    );
  }
  return true;
};

// Enter in a title goes on in the body, and below an image in the case of its caption.
const pastTitle: Command = (state, dispatch) => {
  const { $from } = state.selection;
  if ($from.parent.type.name === "expandableTitle") {
    dispatch?.(state.tr.setSelection(Selection.near(state.doc.resolve($from.after() + 1))).scrollIntoView());
    return true;
  }
  if (!/^(image|file|embed|drawing)$/.test($from.parent.type.name)) return false;
  const after = $from.parent.type.name === "image" ? $from.after(-1) : $from.after();
  if (dispatch) {
    const tr = state.tr.insert(after, type("paragraph").create());
    dispatch(tr.setSelection(TextSelection.create(tr.doc, after + 1)).scrollIntoView());
  }
  return true;
};

// At the start of an empty caption Backspace selects what it belongs to, so that the next one takes it away.
const captionStart: Command = (state, dispatch) => {
  const { $from, empty } = state.selection;
  if (!empty || $from.parentOffset > 0 || !/^(image|file|embed|drawing)$/.test($from.parent.type.name)) return false;
  dispatch?.(state.tr.setSelection(NodeSelection.create(state.doc, $from.before())));
  return true;
};

// At the start of a heading or of code, Backspace makes it text before it joins anything.
const plain: Command = (state, dispatch, view) => {
  const { $from, empty } = state.selection;
  if (!empty || $from.parentOffset > 0) return false;
  if (/^(heading\d|codeBlock)$/.test($from.parent.type.name))
    return setBlockType(type("paragraph"))(state, dispatch, view);
  const item = ancestor(state, (node) => node.type.name === "listItem" || node.type.name === "taskItem");
  // Only in its first block, and not where a block inside it comes first.
  if (item && $from.before() === item.pos + 1) return liftItem(state, dispatch, view);
  return false;
};

const parted = ["columns", "tabs", "stepper", "expandable", "hint", "table"];

// At the start of a line below columns, tabs and the like, Backspace does not pull the line into them: an empty one
// goes, else what is above is selected.
const pastParts: Command = (state, dispatch) => {
  const { $from, empty } = state.selection;
  if (!empty || $from.parentOffset > 0 || $from.depth === 0) return false;
  const start = $from.before();
  const above = state.doc.resolve(start).nodeBefore;
  if (!above || !parted.includes(above.type.name)) return false;
  if (dispatch) {
    const tr = state.tr;
    if ($from.parent.content.size > 0) tr.setSelection(BlockSelection.between(state.doc, start - above.nodeSize));
    else tr.delete(start, $from.after()).setSelection(Selection.near(tr.doc.resolve(start), -1));
    dispatch(tr.scrollIntoView());
  }
  return true;
};

// Down on the last line of code leaves it when nothing is below.
const below: Command = (state, dispatch, view) => {
  const { $from, empty } = state.selection;
  if (!empty || $from.parent.type.name !== "codeBlock" || $from.parentOffset < $from.parent.content.size) return false;
  return $from.node(-1).maybeChild($from.indexAfter(-1)) ? false : exitCode(state, dispatch, view);
};

const inCode = (insert: string): Command => (state, dispatch) => {
  if (state.selection.$from.parent.type.name !== "codeBlock") return false;
  dispatch?.(state.tr.insertText(insert).scrollIntoView());
  return true;
};

const hardBreak: Command = chainCommands(newlineInCode, (state, dispatch) => {
  if (!state.selection.$from.parent.inlineContent) return false;
  dispatch?.(state.tr.replaceSelectionWith(type("hardBreak").create()).scrollIntoView());
  return true;
});

const listed: Command = (state) => ancestor(state, (node) => node.type.isInGroup("list")) !== null;

// sink nests an item. In a list the key is taken in any case, so that it does not lead out of the text.
const sink: Command = chainCommands(sinkListItem(type("listItem")), sinkListItem(type("taskItem")), listed);

// keymap is ProseMirror's without held AltGr.
function keymap(bindings: Record<string, Command>): Plugin {
  const handle = keydownHandler(bindings);
  return new Plugin({
    props: { handleKeyDown: (view, event) => !heldAltGraph(event) && handle(view, event) },
  });
}

// keys returns the plugins of the keyboard. onLink asks for the address of a link.
export function keys(onLink: () => void): Plugin[] {
  return [
    keymap({
      [bound("bold")]: mark("bold"),
      [bound("italic")]: mark("italic"),
      [bound("inlineCode")]: mark("code"),
      [bound("strikethrough")]: mark("strikethrough"),
      [bound("link")]: (state) => {
        // Without words, and outside of a link, it is the palette's.
        if (state.selection.empty && !linkRef(state)) return false;
        onLink();
        return true;
      },
      [bound("text")]: text("paragraph"),
      [bound("heading1")]: text("heading1"),
      [bound("heading2")]: text("heading2"),
      [bound("heading3")]: text("heading3"),
      [bound("codeBlock")]: code,
      [bound("numbers")]: list("listOrdered"),
      [bound("bullets")]: list("listUnordered"),
      [bound("tasks")]: list("listTasks"),
      Tab: chainCommands(inCode("\t"), sink),
      "Shift-Tab": chainCommands(liftItem, listed),
      [bound("leave")]: chainCommands(tick, leave),
      "Shift-Enter": hardBreak,
      Enter: chainCommands(editSelected, openSelected, newlineInCode, fence, pastTitle, splitItem),
      Backspace: chainCommands(undoInputRule, captionStart, plain, pastParts),
      ArrowDown: below,
      ArrowRight: overEdge(true),
      ArrowLeft: overEdge(false),
      // The first undo takes back what typing was turned into, and leaves what was typed.
      [bound("undo")]: chainCommands(undoInputRule, undo),
      [bound("redo")]: redo,
      "Mod-y": redo,
    }),
    // Enter is ProseMirror's, with a split of our own in the end.
    keymap({ ...baseKeymap, Enter: chainCommands(newlineInCode, createParagraphNear, liftEmptyBlock, split) }),
  ];
}
