// Makes blocks into others with what is in them: text, headings, lists, quotes, hints, code.
import { closeHistory } from "@tiptap/pm/history";
import { Fragment, type Node } from "@tiptap/pm/model";
import { TextSelection, type Command, type EditorState, type Transaction } from "@tiptap/pm/state";
import type { Key } from "../../words/words";
import { schema } from "../schema";
import { type, type ListName, type TextName } from "../commands";
import { BlockSelection } from "./selection";
import { isItem, isList, nodesOf, selectedRange, type Range } from "./units";

export type TurnName = TextName | ListName | "blockquote" | "hint" | "codeBlock";

// turns are what blocks can become, as menus list them.
export const turns: { name: TurnName; icon: string; title: Key }[] = [
  { name: "paragraph", icon: "text", title: "editor.text" },
  { name: "heading1", icon: "heading-1", title: "editor.heading1" },
  { name: "heading2", icon: "heading-2", title: "editor.heading2" },
  { name: "heading3", icon: "heading-3", title: "editor.heading3" },
  { name: "listUnordered", icon: "bullets", title: "editor.bullets" },
  { name: "listOrdered", icon: "numbers", title: "editor.numbers" },
  { name: "listTasks", icon: "tasks", title: "editor.tasks" },
  { name: "blockquote", icon: "quote", title: "editor.quote" },
  { name: "hint", icon: "hint", title: "editor.hint" },
  { name: "codeBlock", icon: "code", title: "editor.code" },
];

const wraps = (node: Node) => node.type.name === "blockquote" || node.type.name === "hint";

// plain returns blocks without what is around them: lists, quotes and hints become what they hold.
function plain(nodes: readonly Node[]): Node[] {
  return nodes.flatMap((node) => (isList(node) || isItem(node) || wraps(node) ? plain(node.children) : [node]));
}

function asText(node: Node, name: TextName): Node[] {
  if (node.type.name === "codeBlock")
    return node.textContent.split("\n").map((line) => type(name).create(null, line ? schema.text(line) : null));
  if (!node.inlineContent || !node.type.isInGroup("block")) return [node];
  const { align } = node.attrs["data"] as { align?: string };
  return [type(name).create({ data: align ? { align } : {} }, node.content)];
}

const tasks = (name: ListName) => type(name === "listTasks" ? "taskItem" : "listItem");

function items(node: Node, name: ListName): Node[] {
  if (isList(node)) return node.children.flatMap((child) => items(child, name));
  if (isItem(node)) return [tasks(name).create(null, node.content)];
  return asText(node, "paragraph").map((line) => tasks(name).create(null, line));
}

// turned returns what blocks become. What has no words, such as a divider, stays what it is in what becomes of the
// others.
export function turned(nodes: readonly Node[], name: TurnName): Node[] {
  switch (name) {
    case "listOrdered":
    case "listUnordered":
    case "listTasks":
      return [type(name).create(null, nodes.flatMap((node) => items(wraps(node) ? wrapped(node) : node, name)))];
    case "blockquote":
    case "hint":
      return [
        type(name).create(
          null,
          nodes.flatMap((node) => (wraps(node) ? node.children : isItem(node) ? node.children : [node])),
        ),
      ];
    case "codeBlock": {
      const text = plain(nodes).map((node) => node.textBetween(0, node.content.size, "\n", "\n")).join("\n");
      return [type("codeBlock").create(null, text ? schema.text(text) : null)];
    }
    default:
      return plain(nodes).flatMap((node) => asText(node, name));
  }
}

// wrapped is a quote or a hint as a list of what it holds, for items.
const wrapped = (node: Node) =>
  type("listUnordered").create(
    null,
    node.children.map((child) => type("listItem").create(null, child)),
  );

// turn makes the selected units something else. Items that become no items split their list.
export const turn = (name: TurnName): Command => (state, dispatch) => {
  const found = selectedRange(state);
  if (!found) return false;
  const range = isItem(nodesOf(found)[0]!) && isListName(name) ? listRange(state, found) : found;
  // A divider or a picture has no words to become something else.
  if (nodesOf(range).every((node) => node.textContent === "" && (node.isAtom || !holdsText(node)))) return false;
  const nodes = turned(nodesOf(range), name);
  if (nodes.length === 0) return false;
  const content = isItem(nodesOf(range)[0]!) ? null : Fragment.from(nodes);
  if (content && !range.parent.canReplace(range.start, range.end, content)) return false;
  if (!dispatch) return true;
  const tr = state.tr;
  const at = content ? range.from : replaceItems(tr, state, range, nodes);
  if (content) tr.replaceWith(range.from, range.to, content);
  const size = nodes.reduce((sum, node) => sum + node.nodeSize, 0);
  if (state.selection instanceof BlockSelection) tr.setSelection(BlockSelection.create(tr.doc, at, at + size));
  else tr.setSelection(TextSelection.near(tr.doc.resolve(at + size), -1));
  dispatch(closeHistory(tr).scrollIntoView());
  return true;
};

const holdsText = (node: Node): boolean => node.isTextblock || node.children.some(holdsText);

const isListName = (name: TurnName): name is ListName => name.startsWith("list");

// listRange is the list around items, which changes as a whole.
function listRange(state: EditorState, range: Range): Range {
  const $list = state.doc.resolve(range.inside);
  const pos = $list.before();
  const $pos = state.doc.resolve(pos);
  return {
    parent: $pos.parent,
    inside: $pos.start(),
    start: $pos.index(),
    end: $pos.index() + 1,
    from: pos,
    to: pos + range.parent.nodeSize,
  };
}

// replaceItems puts blocks in the place of items: the list ends before them, and goes on after them.
function replaceItems(tr: Transaction, state: EditorState, range: Range, nodes: Node[]): number {
  const list = range.parent;
  const pos = state.doc.resolve(range.inside).before();
  const before = list.children.slice(0, range.start);
  const after = list.children.slice(range.end);
  const { start = 1 } = list.attrs["data"] as { start?: number };
  const goesOn =
    list.type.name === "listOrdered" && before.length > 0 ? { data: { start: start + before.length } } : { data: {} };
  const made = [
    ...(before.length > 0 ? [list.copy(Fragment.from(before))] : []),
    ...nodes,
    ...(after.length > 0 ? [list.type.create(goesOn, after)] : []),
  ];
  tr.replaceWith(pos, pos + list.nodeSize, made);
  return pos + (before.length > 0 ? made[0]!.nodeSize : 0);
}
