// Finding in rich text: each text block is a text, where what is no text takes one place.
import type { Node } from "@tiptap/pm/model";
import { Plugin, PluginKey, TextSelection } from "@tiptap/pm/state";
import { Decoration, DecorationSet } from "@tiptap/pm/view";
import type { Target } from "../find/finder";
import type { Match } from "../find/search";
import type { Session } from "./session";

const key = new PluginKey<DecorationSet>("find");

export function find(): Plugin<DecorationSet> {
  return new Plugin<DecorationSet>({
    key,
    state: {
      init: () => DecorationSet.empty,
      apply: (tr, set) =>
        (tr.getMeta(key) as DecorationSet | undefined) ?? (tr.docChanged ? set.map(tr.mapping, tr.doc) : set),
    },
    props: { decorations: (state) => key.getState(state) },
  });
}

type Block = { node: Node; start: number };

function blocksOf(doc: Node): Block[] {
  const found: Block[] = [];
  doc.descendants((node, pos) => {
    if (!node.isTextblock) return true;
    found.push({ node, start: pos + 1 });
    return false;
  });
  return found;
}

const textOf = (node: Node) =>
  node.textBetween(0, node.content.size, null, (leaf) =>
    leaf.type.name === "hardBreak" ? "\n" : "\ufffc".repeat(leaf.nodeSize),
  );

// richTarget is a session as something to find in.
export function richTarget(session: Session): Target {
  const { view } = session;
  let blocks: Block[] = [];
  let of: Node | null = null;
  const place = ({ block, from, to }: Match) => {
    const start = blocks[block]!.start;
    return { from: start + from, to: start + to };
  };
  return {
    texts() {
      of = view.state.doc;
      blocks = blocksOf(of);
      return blocks.map(({ node }) => textOf(node));
    },
    start() {
      const { from } = view.state.selection;
      const found = blocksOf(view.state.doc);
      const block = Math.max(0, found.findLastIndex(({ start }) => start <= from));
      return { block, offset: Math.max(0, from - (found[block]?.start ?? 0)) };
    },
    show(matches, current) {
      // What was found in another text is looked for again.
      if (view.isDestroyed || (of !== view.state.doc && matches.length > 0)) return;
      const marks = matches.map((match, i) => {
        const { from, to } = place(match);
        return Decoration.inline(from, to, { class: i === current ? "found found-current" : "found" });
      });
      view.dispatch(view.state.tr.setMeta(key, DecorationSet.create(view.state.doc, marks)));
    },
    reveal(match) {
      if (of !== view.state.doc) return;
      const { from } = place(match);
      // What hides a place opens when the cursor comes into it.
      view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, from)));
      const { node } = view.domAtPos(from);
      const element = view.dom.querySelector(".found-current") ?? (node instanceof Element ? node : node.parentElement);
      element?.scrollIntoView({ block: "center" });
    },
    replace(matches) {
      if (of !== view.state.doc) return;
      const { tr } = view.state;
      for (const match of [...matches].reverse()) {
        const { from, to } = place(match);
        if (match.insert) tr.insertText(match.insert, from, to);
        else tr.delete(from, to);
      }
      view.dispatch(tr);
    },
    selected() {
      const { from, to } = view.state.selection;
      const text = view.state.doc.textBetween(from, to, "\n");
      return text.includes("\n") || text.length > 200 ? "" : text;
    },
    select(match) {
      if (match && of === view.state.doc) {
        const { from, to } = place(match);
        view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, from, to)).scrollIntoView());
      }
      view.focus();
    },
    subscribe: session.onEdit,
  };
}
