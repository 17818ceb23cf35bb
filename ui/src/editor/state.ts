// The editor's state: its document and the plugins that make it an editor.
import { dropCursor } from "@tiptap/pm/dropcursor";
import { gapCursor } from "@tiptap/pm/gapcursor";
import { history } from "@tiptap/pm/history";
import type { Node } from "@tiptap/pm/model";
import { EditorState, Plugin } from "@tiptap/pm/state";
import { Decoration, DecorationSet } from "@tiptap/pm/view";
import { blockKeys } from "./blocks/keys";
import { choosing } from "./blocks/selection";
import { code } from "./code";
import { inCode } from "./codeEdge";
import { find } from "./find";
import { installed } from "./installed";
import { diagrams } from "./diagrams";
import { comments } from "./comments";
import { keys } from "./keys";
import { lineOf, needsLine, withLine } from "./line";
import { pasting } from "./paste";
import { pointing } from "./pointing";
import { pastedAddress } from "./pastedAddress";
import { dropping } from "./media/insert";
import { uploads } from "./media/uploads";
import { slash } from "./slash";
import { tableKeys } from "./tables/keys";
import { noting } from "./tables/note";
import { pastingTables } from "./tables/paste";
import { tables } from "./tables/plugin";
import { triggers } from "./trigger";
import { typing } from "./typing";
import { revealing } from "./views/tabs";

// A last block that nothing can be typed into gets a line below it. What others have written they have given theirs.
function lastLine(): Plugin {
  return new Plugin({
    appendTransaction(transactions, _before, state) {
      if (!transactions.some((tr) => tr.docChanged && !tr.getMeta("received"))) return null;
      return needsLine(state.doc)
        ? state.tr.insert(state.doc.content.size, lineOf(state.doc)).setMeta("addToHistory", false)
        : null;
    },
  });
}

// An empty line says what can be done with it: the only one of a page always, others while the cursor is in them.
function placeholder(page: string, other: string): Plugin {
  return new Plugin({
    props: {
      decorations(state) {
        const only =
          state.doc.childCount === 1 &&
          state.doc.firstChild!.content.size === 0 &&
          state.doc.firstChild!.type.name === "paragraph";
        const { $from, empty } = state.selection;
        const at = only
          ? 0
          : empty &&
              $from.depth > 0 &&
              $from.parent.type.name === "paragraph" &&
              $from.parent.content.size === 0 &&
              $from.node(-1).type.name !== "tableCell"
            ? $from.before()
            : null;
        if (at === null) return null;
        const size = state.doc.nodeAt(at)!.nodeSize;
        return DecorationSet.create(state.doc, [
          Decoration.node(at, at + size, { class: "is-blank", "data-placeholder": only ? page : other }),
        ]);
      },
    },
  });
}

export interface Hooks {
  // onLink asks for the address of a link on the selected words.
  onLink: () => void;
  // onMenu opens the menu of the selected blocks, and reports whether there are any.
  onMenu: () => boolean;
  placeholder: { page: string; other: string };
  // What those around the editor add to it.
  plugins?: readonly Plugin[];
}

export function editorState(doc: Node, { onLink, onMenu, placeholder: texts, plugins = [] }: Hooks): EditorState {
  return EditorState.create({
    doc: withLine(doc),
    plugins: [
      pointing(),
      installed(),
      slash(),
      triggers(),
      pastedAddress(),
      dropping(),
      uploads(),
      typing(),
      tableKeys(),
      ...comments(),
      blockKeys(onMenu),
      choosing(),
      revealing(),
      ...keys(onLink),
      pastingTables(),
      pasting(async () => (await import("./markdown")).render),
      history({ newGroupDelay: 500 }),
      dropCursor({ color: false, class: "drop-cursor" }),
      gapCursor(),
      code(),
      inCode(),
      find(),
      ...tables(),
      noting(),
      lastLine(),
      diagrams(),
      placeholder(texts.page, texts.other),
      ...plugins,
    ],
  });
}
