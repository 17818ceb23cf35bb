// What keys, menus and the toolbar do to a document. A command is a plain function of ProseMirror's kind.
import { chainCommands, exitCode, lift, setBlockType, toggleMark, wrapIn } from "@tiptap/pm/commands";
import type { Attrs, Mark, Node, NodeType } from "@tiptap/pm/model";
import { liftListItem, wrapInList } from "@tiptap/pm/schema-list";
import { Selection, TextSelection, type Command, type EditorState } from "@tiptap/pm/state";
import { schema } from "./schema";
import type { Ref } from "./services";

export type TextName = "paragraph" | "heading1" | "heading2" | "heading3";
export type ListName = "listOrdered" | "listUnordered" | "listTasks";
export type MarkName = "bold" | "italic" | "code" | "strikethrough" | "keyboard" | "superscript" | "subscript";

export const type = (name: string): NodeType => schema.nodes[name]!;

// mark puts a mark on the selection or takes it off.
export const mark = (name: MarkName): Command => toggleMark(schema.marks[name]!, null, { removeWhenPresent: false });

// hasMark reports whether the selection, or what would be typed next, has a mark.
export function hasMark(state: EditorState, name: string): boolean {
  const found = schema.marks[name]!;
  const { from, to, empty, $from } = state.selection;
  if (empty) return found.isInSet(state.storedMarks ?? $from.marks()) !== undefined;
  return state.doc.rangeHasMark(from, to, found);
}

// ancestor returns the innermost node around the selection that passes, with its depth.
export function ancestor(
  state: EditorState,
  passes: (node: Node) => boolean,
): { node: Node; depth: number; pos: number } | null {
  const { $from } = state.selection;
  for (let depth = $from.depth; depth > 0; depth--) {
    const node = $from.node(depth);
    if (passes(node)) return { node, depth, pos: $from.before(depth) };
  }
  return null;
}

const isList = (node: Node) => node.type.isInGroup("list");
const isItem = (node: Node) => node.type.name === "listItem" || node.type.name === "taskItem";

// text makes the selected blocks text or headings, out of the list or code that they are in.
export const text = (name: TextName): Command => {
  const set = setBlockType(type(name));
  return (state, dispatch, view) => {
    if (set(state, dispatch, view)) return true;
    return ancestor(state, isItem) ? liftItem(state, dispatch, view) : lift(state, dispatch, view);
  };
};

export const liftItem: Command = chainCommands(liftListItem(type("listItem")), liftListItem(type("taskItem")));

// list makes the selected blocks a list, another kind of list, or text again.
export const list = (name: ListName): Command => (state, dispatch, view) => {
  const around = ancestor(state, isList);
  if (!around) return chainCommands(wrapInList(type(name)), asText(wrapInList(type(name))))(state, dispatch, view);
  if (around.node.type.name === name) return liftItem(state, dispatch, view);
  if (dispatch) {
    const item = type(name === "listTasks" ? "taskItem" : "listItem");
    const items = around.node.children.map((child) => item.create(null, child.content));
    const { from, to } = state.selection;
    const tr = state.tr.replaceWith(around.pos, around.pos + around.node.nodeSize, type(name).create(null, items));
    dispatch(tr.setSelection(TextSelection.between(tr.doc.resolve(from), tr.doc.resolve(to))).scrollIntoView());
  }
  return true;
};

// asText makes a block plain text first, where a command cannot do with what it is.
function asText(command: Command): Command {
  return (state, dispatch, view) => {
    if (!setBlockType(type("paragraph"))(state)) return false;
    let changed: EditorState = state;
    setBlockType(type("paragraph"))(state, (tr) => (changed = state.apply(tr)));
    if (!command(changed)) return false;
    if (dispatch) {
      setBlockType(type("paragraph"))(state, dispatch);
      if (view) command(view.state, view.dispatch, view);
    }
    return true;
  };
}

// wrap puts the selected blocks into a quote or a hint, or takes them out of one.
export const wrap = (name: "blockquote" | "hint", attrs?: Attrs): Command => (state, dispatch, view) => {
  if (ancestor(state, (node) => node.type.name === name)) return lift(state, dispatch, view);
  return wrapIn(type(name), attrs)(state, dispatch, view);
};

// code makes a block code, or text again.
export const code: Command = (state, dispatch, view) =>
  state.selection.$from.parent.type.name === "codeBlock"
    ? setBlockType(type("paragraph"))(state, dispatch, view)
    : setBlockType(type("codeBlock"))(state, dispatch, view);

// insert puts a block where the selection is, in the place of an empty paragraph, and goes on in it.
export const insert =
  (make: () => Node): Command =>
  (state, dispatch) => {
    const { $from } = state.selection;
    const node = make();
    const replaces = $from.parent.type.name === "paragraph" && $from.parent.content.size === 0;
    const depth = replaces ? $from.depth - 1 : $from.depth;
    const at = replaces ? $from.before() : $from.depth > 0 ? $from.after() : $from.pos;
    const parent = $from.node(replaces ? depth : Math.max($from.depth - 1, 0));
    const index = replaces ? $from.index(depth) : $from.indexAfter(Math.max($from.depth - 1, 0));
    if (!parent.canReplaceWith(index, replaces ? index + 1 : index, node.type)) return false;
    if (dispatch) {
      const tr = replaces ? state.tr.replaceWith(at, $from.after(), node) : state.tr.insert(at, node);
      const end = at + node.nodeSize;
      // Nothing can be typed into some blocks, so there is a line below them.
      if (!tr.doc.resolve(end).nodeAfter && (node.isAtom || node.isLeaf)) tr.insert(end, type("paragraph").create());
      const into =
        node.isAtom || node.isLeaf ? Selection.near(tr.doc.resolve(end)) : Selection.near(tr.doc.resolve(at + 1));
      dispatch(tr.setSelection(into).scrollIntoView());
    }
    return true;
  };

// tick ticks the task that the selection is in, or takes the tick back.
export const tick: Command = (state, dispatch) => {
  const task = ancestor(state, (node) => node.type.name === "taskItem");
  if (!task) return false;
  dispatch?.(
    state.tr.setNodeMarkup(task.pos, undefined, { ...task.node.attrs, data: { checked: !isChecked(task.node) } }),
  );
  return true;
};

export function isChecked(node: Node): boolean {
  return (node.attrs["data"] as { checked?: boolean }).checked === true;
}

// leave goes to a new line below the block that the selection is in.
export const leave: Command = (state, dispatch, view) => {
  if (exitCode(state, dispatch, view)) return true;
  const { $from } = state.selection;
  if ($from.depth === 0) return false;
  const outer = ancestor(
    state,
    (node) => node.isBlock && !node.isTextblock && node.type.isInGroup("block") && !isList(node),
  );
  const after = outer ? outer.pos + outer.node.nodeSize : $from.after();
  if (dispatch) {
    const tr = state.tr.insert(after, type("paragraph").create());
    dispatch(tr.setSelection(TextSelection.create(tr.doc, after + 1)).scrollIntoView());
  }
  return true;
};

// leadTo leads the selected words somewhere; null takes the link away.
export const leadTo = (ref: Ref | null): Command => (state, dispatch) => {
  const found = schema.marks["link"]!;
  const { from, to } = linkRange(state);
  if (from === to) return false;
  if (dispatch) {
    const tr = state.tr.removeMark(from, to, found);
    if (ref) tr.addMark(from, to, found.create({ data: { ref } }));
    dispatch(tr.scrollIntoView());
  }
  return true;
};

// linkRange is the selection, or the whole of the link that the cursor is in.
export function linkRange(state: EditorState): { from: number; to: number } {
  const { from, to, empty, $from } = state.selection;
  if (!empty) return { from, to };
  const found = schema.marks["link"]!.isInSet($from.marks());
  if (!found) return { from, to };
  let index = $from.index();
  // Between two nodes the marks are those of the one before.
  if ($from.textOffset === 0 && index > 0 && found.isInSet($from.parent.child(index - 1).marks)) index--;
  let [first, last] = [index, index];
  while (first > 0 && found.isInSet($from.parent.child(first - 1).marks)) first--;
  while (last + 1 < $from.parent.childCount && found.isInSet($from.parent.child(last + 1).marks)) last++;
  return { from: $from.posAtIndex(first), to: $from.posAtIndex(last + 1) };
}

// linkRef returns where the link at the selection leads, null when there is none.
export function linkRef(state: EditorState): Ref | null {
  const { from, to, empty, $from } = state.selection;
  let ref: Ref | null = null;
  // Right after a link is not in it: its marks do not go on there.
  if (empty) return refIn($from.marks());
  state.doc.nodesBetween(from, to, (node) => {
    ref ??= refIn(node.marks);
  });
  return ref;
}

const refIn = (marks: readonly Mark[]): Ref | null =>
  (schema.marks["link"]!.isInSet(marks)?.attrs["data"] as { ref?: Ref } | undefined)?.ref ?? null;

// colorOf returns the colours of the selected words, "default" where there are none or several.
export function colorOf(state: EditorState): { text: string; background: string } {
  const found = new Set<string>();
  state.doc.nodesBetween(state.selection.from, state.selection.to, (node) => {
    if (node.isText) found.add(JSON.stringify(schema.marks["color"]!.isInSet(node.marks)?.attrs["data"] ?? {}));
  });
  const [only] = found;
  const { text = "default", background = "default" } = (found.size === 1 ? JSON.parse(only!) : {}) as {
    text?: string;
    background?: string;
  };
  return { text, background };
}

// color gives the selected words a colour, or one behind them; "default" takes it back.
export const color = (change: { text?: string; background?: string }): Command => (state, dispatch) => {
  const { from, to, empty } = state.selection;
  if (empty) return false;
  const mark = schema.marks["color"]!;
  const tr = state.tr;
  state.doc.nodesBetween(from, to, (node, pos, parent) => {
    if (!node.isInline || !parent?.type.allowsMarkType(mark)) return;
    const before = mark.isInSet(node.marks)?.attrs["data"] as { text?: string; background?: string } | undefined;
    const data = { text: "default", background: "default", ...before, ...change };
    const [start, end] = [Math.max(from, pos), Math.min(to, pos + node.nodeSize)];
    tr.removeMark(start, end, mark);
    if (data.text !== "default" || data.background !== "default") tr.addMark(start, end, mark.create({ data }));
  });
  dispatch?.(tr.scrollIntoView());
  return true;
};
