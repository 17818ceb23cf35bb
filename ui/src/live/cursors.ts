// Where others are in the text: a caret with a name that fades, and what they have selected. They are decorations, no
// part of the document, and nothing that is said to those who listen.
import { Plugin, PluginKey, type EditorState, type Transaction } from "@tiptap/pm/state";
import { Decoration, DecorationSet, type EditorView } from "@tiptap/pm/view";
import { colourOf, initials } from "../look/person";

export interface Shown {
  client: string;
  name: string;
  anchor: number;
  head: number;
}

export interface Change {
  // put replaces what is shown of one client, drop takes clients away.
  put?: Shown;
  drop?: string[];
  // by is the client whose steps a transaction brings: what they type is before their caret.
  by?: string;
}

const key = new PluginKey<Map<string, Shown>>("cursors");

// So long the name stands beside a caret that has come to rest.
const fades = 3000;

interface Caret {
  dom: HTMLElement;
  timer: ReturnType<typeof setTimeout> | undefined;
  at: string;
}

// The carets of an editor, by client, so that one that moves is the same element.
const carets = new WeakMap<EditorView, Map<string, Caret>>();

function made({ client, name }: Shown): HTMLElement {
  const dom = document.createElement("span");
  dom.dataset["client"] = client;
  dom.className = "live-caret";
  dom.dataset["colour"] = String(colourOf(name));
  dom.setAttribute("aria-hidden", "true");
  // The style sheet draws the name, so that it is no text of the document.
  dom.dataset["name"] = name;
  dom.dataset["initials"] = initials(name);
  return dom;
}

// caretOf returns the caret of a client, with its name for a while when it has moved.
function caretOf(view: EditorView, shown: Shown): HTMLElement {
  const all = carets.get(view) ?? new Map<string, Caret>();
  carets.set(view, all);
  const caret = all.get(shown.client) ?? { dom: made(shown), timer: undefined, at: "" };
  all.set(shown.client, caret);
  return caret.dom;
}

function wake(view: EditorView, shown: ReadonlyMap<string, Shown>): void {
  const all = carets.get(view);
  if (!all) return;
  for (const [client, caret] of all) {
    const now = shown.get(client);
    if (!now) {
      clearTimeout(caret.timer);
      all.delete(client);
      continue;
    }
    const at = `${now.anchor} ${now.head}`;
    if (at === caret.at) continue;
    caret.at = at;
    caret.dom.classList.add("is-new");
    clearTimeout(caret.timer);
    caret.timer = setTimeout(() => caret.dom.classList.remove("is-new"), fades);
  }
}

function drawn(state: EditorState): DecorationSet {
  const all = key.getState(state)!;
  if (all.size === 0) return DecorationSet.empty;
  const list: Decoration[] = [];
  for (const shown of all.values()) {
    const { client, name, anchor, head } = shown;
    if (anchor !== head) {
      const attributes = { class: "live-selection", "data-colour": String(colourOf(name)) };
      list.push(Decoration.inline(Math.min(anchor, head), Math.max(anchor, head), attributes, { client }));
    }
    // A caret stands in text; a block that is selected as a whole has its tint alone.
    if (state.doc.resolve(head).parent.inlineContent) {
      list.push(
        Decoration.widget(head, (view) => caretOf(view, shown), {
          key: `live-${client}`,
          side: 10,
          ignoreSelection: true,
          stopEvent: () => true,
        }),
      );
    } else if (state.doc.resolve(Math.min(anchor, head)).nodeAfter) {
      const from = Math.min(anchor, head);
      list.push(
        Decoration.node(
          from,
          from + state.doc.nodeAt(from)!.nodeSize,
          { class: "live-block", "data-colour": String(colourOf(name)) },
          { client },
        ),
      );
    }
  }
  return DecorationSet.create(state.doc, list);
}

export function cursors(): Plugin<Map<string, Shown>> {
  return new Plugin<Map<string, Shown>>({
    key,
    state: {
      init: () => new Map(),
      apply(tr, before) {
        const change = tr.getMeta(key) as Change | undefined;
        if (!change && (!tr.docChanged || before.size === 0)) return before;
        const next = new Map<string, Shown>();
        const most = tr.doc.content.size;
        for (const shown of before.values()) {
          if (change?.drop?.includes(shown.client)) continue;
          const side = change?.by === shown.client ? 1 : -1;
          const mapped = (pos: number) => Math.min(most, tr.docChanged ? tr.mapping.map(pos, side) : pos);
          next.set(shown.client, { ...shown, anchor: mapped(shown.anchor), head: mapped(shown.head) });
        }
        const { put } = change ?? {};
        if (put) next.set(put.client, { ...put, anchor: Math.min(most, put.anchor), head: Math.min(most, put.head) });
        return next;
      },
    },
    props: { decorations: drawn },
    view: (view) => ({
      update: () => wake(view, key.getState(view.state)!),
      destroy: () => {
        for (const { timer } of carets.get(view)?.values() ?? []) clearTimeout(timer);
        carets.delete(view);
      },
    }),
  });
}

// change shows others elsewhere.
export const change = (tr: Transaction, what: Change): Transaction =>
  tr.setMeta(key, what).setMeta("addToHistory", false);

// shownIn returns who is shown in a state.
export const shownIn = (state: EditorState): ReadonlyMap<string, Shown> => key.getState(state) ?? new Map();
