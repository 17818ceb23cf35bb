// Comments on the text while it is written. What they are about is marked by decorations, never in the document, and
// follows what is typed.
import { keymap } from "@tiptap/pm/keymap";
import type { Node } from "@tiptap/pm/model";
import { Plugin, PluginKey, TextSelection, type EditorState, type Transaction } from "@tiptap/pm/state";
import { Decoration, DecorationSet, type EditorView } from "@tiptap/pm/view";
import type { Anchor, Target } from "../comments/Commenting";
import "../comments/highlights.css";
import { find, passageOf, quoteOf } from "../comments/quote";
import { charactersOf } from "../look/characters";
import { writeBlock, writeDocument } from "./convert";
import { plainText, type JsonNode } from "./document";
import type { Session } from "./session";

interface Marks {
  set: DecorationSet;
  anchors: Anchor[];
  active: string | null;
}

const key = new PluginKey<Marks>("comments");

// Commented is what those around an editor can be asked about comments.
interface Commented {
  // ask begins a comment, pick opens a thread.
  ask?: (target: Target) => void;
  pick?: (id: string) => void;
}

const known = new WeakMap<EditorView, Commented>();

// commented returns what an editor asks about comments.
export function commented(view: EditorView): Commented {
  const found = known.get(view) ?? {};
  known.set(view, found);
  return found;
}

// What an inline without text of its own stands for, as the server has it.
function leafText(node: Node): string {
  const data = (node.attrs["data"] ?? {}) as Record<string, unknown>;
  const text = (name: string) => (typeof data[name] === "string" ? (data[name] as string) : "");
  switch (node.type.name) {
    case "hardBreak":
      return "\n";
    case "emoji":
      return charactersOf(text("code"));
    case "inlineMath":
      return text("formula");
    case "button":
      return text("label");
  }
  return "";
}

// given returns the text of a text block, and which place in the block each character has.
function given(node: Node): { text: string; at: number[] } {
  let text = "";
  const at: number[] = [];
  node.forEach((child, offset) => {
    const part = child.isText ? child.text! : leafText(child);
    for (let i = 0; i < part.length; i++) at.push(offset + (child.isText ? i : 0));
    text += part;
  });
  return { text, at };
}

interface Passage {
  pos: number;
  node: Node;
  text: string;
  // at says where in the document each character is.
  at: number[];
}

const squeezed = new WeakMap<Node, { text: string; at: number[] }>();

function passagesOf(doc: Node): Passage[] {
  const list: Passage[] = [];
  doc.descendants((node, pos) => {
    if (!node.isTextblock) return true;
    let inside = squeezed.get(node);
    if (!inside) {
      const { text, at } = given(node);
      const passage = passageOf(text);
      inside = { text: passage.text, at: passage.from.map((from) => at[from]!) };
      squeezed.set(node, inside);
    }
    list.push({ pos, node, text: inside.text, at: inside.at });
    return false;
  });
  return list;
}

const words = (text: string) => text.replace(/\s+/g, " ").trim();

// blockOf finds the block that a comment is about: the one with its key when that says the same, or else by its words.
function blockOf(doc: Node, { node: id, preview }: Anchor): { pos: number; size: number } | null {
  const sought = preview.replace(/…$/, "");
  const wanted = keyedBlock(doc, id);
  let first: { pos: number; size: number } | null = null;
  let same: { pos: number; size: number } | null = null;
  doc.descendants((node, pos) => {
    if (same || !node.isBlock) return false;
    const json = node.type.isInGroup("block") || node.isTextblock ? node : null;
    if (!json) return true;
    const text = words(node.textBetween(0, node.content.size, " ", leafText));
    const fits = sought === "" ? text === "" : text.startsWith(sought);
    if (fits && wanted !== null && written(node) === wanted) same = { pos, size: node.nodeSize };
    else if (fits && sought !== "" && !first) first = { pos, size: node.nodeSize };
    return true;
  });
  return same ?? first;
}

function written(node: Node): JsonNode | null {
  try {
    return writeBlock(node);
  } catch {
    return null; // a node that is no block of the JSON by itself
  }
}

// keyedBlock returns the block of the JSON that the server gives a key.
function keyedBlock(doc: Node, id: string): JsonNode | null {
  const place = Number.parseInt(id.slice(1), 36);
  let next = 0;
  const visit = (nodes: readonly JsonNode[]): JsonNode | null => {
    for (const node of nodes) {
      if (++next === place) return node;
      const inside = visit(node.nodes ?? []) ?? visit(node.fragments ?? []);
      if (inside) return inside;
    }
    return null;
  };
  return visit(writeDocument(doc).nodes);
}

// keyOf returns the key that the server gives a block, null for a part of one.
function keyOf(doc: Node, node: Node): string | null {
  const sought = written(node);
  let next = 0;
  const visit = (nodes: readonly JsonNode[]): number | null => {
    for (const each of nodes) {
      const at = ++next;
      if (each === sought) return at;
      const inside = visit(each.nodes ?? []) ?? visit(each.fragments ?? []);
      if (inside !== null) return inside;
    }
    return null;
  };
  const place = sought && visit(writeDocument(doc).nodes);
  return place ? `n${place.toString(36)}` : null;
}

function decoration(doc: Node, passages: Passage[], anchor: Anchor, active: boolean): Decoration | null {
  const attributes = (name: string) => ({ class: active ? `${name} is-active` : name, "data-comment": anchor.id });
  const spec = { comment: anchor.id };
  if (anchor.quote) {
    const found = find(passages.map((each) => each.text), anchor.quote);
    if (!found) return null;
    const { pos, at } = passages[found.index]!;
    const start = pos + 1 + at[found.at]!;
    const end = pos + 1 + at[found.at + anchor.quote.quote.length - 1]! + 1;
    return Decoration.inline(start, end, attributes("comment-words"), spec);
  }
  const block = blockOf(doc, anchor);
  return block && Decoration.node(block.pos, block.pos + block.size, attributes("comment-block"), spec);
}

// Those that are marked already stay where they are: they have followed what was typed.
function marks(doc: Node, anchors: Anchor[], active: string | null, before: DecorationSet): DecorationSet {
  const passages = passagesOf(doc);
  const list = anchors.flatMap((anchor) => {
    const [there] = before.find(undefined, undefined, (spec) => spec["comment"] === anchor.id);
    if (there && anchor.quote && there.to > there.from) {
      const attributes = {
        class: anchor.id === active ? "comment-words is-active" : "comment-words",
        "data-comment": anchor.id,
      };
      return [Decoration.inline(there.from, there.to, attributes, { comment: anchor.id })];
    }
    return decoration(doc, passages, anchor, anchor.id === active) ?? [];
  });
  return DecorationSet.create(doc, list);
}

// targetOf is what a comment on the selection is about, null where no words are selected.
export function targetOf(state: EditorState): Target | null {
  const { from, to, empty } = state.selection;
  if (empty) return null;
  for (const { pos, node } of passagesOf(state.doc)) {
    if (pos + node.nodeSize <= from || pos >= to) continue;
    const { text, at } = given(node);
    const inside = (offset: number) => pos + 1 + offset >= from && pos + 1 + offset < to;
    const start = at.findIndex(inside);
    if (start < 0) continue;
    let end = start;
    while (end < at.length && inside(at[end]!)) end++;
    // Words of one block: where several are selected, the first counts.
    const quote = quoteOf(text, start, end);
    if (quote) return { quote: { ...quote, quote: quote.quote.slice(0, 1000) } };
  }
  return null;
}

// askAbout begins a comment on the words that are selected, or else on the block that the selection is or is in.
export function askAbout(view: EditorView): boolean {
  const { selection } = view.state;
  const { ask } = commented(view);
  if (!ask) return false;
  const target = selection instanceof TextSelection ? targetOf(view.state) : null;
  if (!target)
    return askAboutBlock(view, selection instanceof TextSelection ? selection.$from.before() : selection.from);
  ask(target);
  // What is commented on is marked; the bar of the selection goes.
  view.dispatch(view.state.tr.setSelection(TextSelection.near(view.state.doc.resolve(view.state.selection.to), -1)));
  return true;
}

// askAboutBlock begins a comment on the block at a place.
export function askAboutBlock(view: EditorView, pos: number): boolean {
  const { doc } = view.state;
  const node = doc.nodeAt(pos);
  const block = node && keyOf(doc, node);
  if (!node || !block) return false;
  const json = written(node);
  const shown = words(node.textBetween(0, node.content.size, " ", leafText)) || (json ? words(plainText(json)) : "");
  commented(view).ask?.({ node: block, shown: shown.slice(0, 256) });
  return true;
}

// comments marks what comments are about.
export function comments(): Plugin[] {
  return [
    keymap({ "Mod-Alt-m": (_state, _dispatch, view) => (view ? askAbout(view) : false) }),
    new Plugin<Marks>({
      key,
      state: {
        init: () => ({ set: DecorationSet.empty, anchors: [], active: null }),
        apply: (tr, before) => {
          const given = tr.getMeta(key) as { anchors: Anchor[]; active: string | null } | undefined;
          const set = tr.docChanged ? before.set.map(tr.mapping, tr.doc) : before.set;
          if (given) return { ...given, set: marks(tr.doc, given.anchors, given.active, set) };
          if (!tr.docChanged || before.anchors.length === 0) return tr.docChanged ? { ...before, set } : before;
          // Blocks that came from elsewhere took the marks of those before them along.
          return { ...before, set: tr.getMeta("received") ? marks(tr.doc, before.anchors, before.active, set) : set };
        },
      },
      props: {
        decorations: (state) => key.getState(state)?.set,
        handleClick: (view, _pos, event) => {
          const id = (event.target as Element).closest("[data-comment]")?.getAttribute("data-comment");
          if (id && view.state.selection.empty) commented(view).pick?.(id);
          return false;
        },
      },
    }),
  ];
}

// showMarks marks what comments are about.
export const showMarks = (state: EditorState, anchors: Anchor[], active: string | null): Transaction =>
  state.tr.setMeta(key, { anchors, active }).setMeta("addToHistory", false);

// markOf is where the words of a comment are, null where they are not.
export const markOf = (state: EditorState, id: string): Decoration | null =>
  key.getState(state)?.set.find(undefined, undefined, (spec) => spec["comment"] === id)[0] ?? null;

// wordlessAt returns what a block without a text of its own is shown by, such as a divider.
function wordlessAt(view: EditorView, pos: number): Element | null {
  const shown = view.state.doc.nodeAt(pos)?.isAtom ? view.nodeDOM(pos) : null;
  return shown instanceof Element ? shown : null;
}

// placesOf is the text of a session for the discussion beside it.
export function placesOf(session: Session) {
  const { view } = session;
  const place = (id: string) => markOf(view.state, id);
  const resized = new Set<() => void>();
  const sizes = new ResizeObserver(() => resized.forEach((each) => each()));
  sizes.observe(view.dom);
  return {
    show: (anchors: Anchor[], active: string | null) => {
      view.dispatch(showMarks(view.state, anchors, active));
      resized.forEach((each) => each());
    },
    top: (id: string) => {
      const found = place(id);
      const block = found && wordlessAt(view, found.from);
      if (block) return block.getBoundingClientRect().top;
      return found ? view.coordsAtPos(Math.min(found.from + 1, found.to)).top : null;
    },
    go: (id: string) => {
      const found = place(id);
      const block = found && wordlessAt(view, found.from);
      if (block) return block.scrollIntoView({ block: "center" });
      const { node } = found ? view.domAtPos(found.from + 1) : { node: null };
      const element = node instanceof Element ? node : node?.parentElement;
      element?.scrollIntoView({ block: "center" });
    },
    subscribe: (listener: () => void) => {
      resized.add(listener);
      const stop = session.onEdit(listener);
      return () => {
        resized.delete(listener);
        stop();
      };
    },
    // What a comment on the words that are selected is about.
    selected: () => targetOf(view.state),
    // What is written, its blocks as they are shown, and a comment on one of them.
    root: view.dom,
    blocks: (): Element[] => [...view.dom.children],
    ask: (block: Element): void => {
      const at = view.state.doc.resolve(view.posAtDOM(block, 0));
      askAboutBlock(view, at.depth > 0 ? at.before(1) : at.pos);
    },
    asks: (ask: (target: Target) => void, pick: (id: string) => void) => Object.assign(commented(view), { ask, pick }),
    end: () => sizes.disconnect(),
  };
}
