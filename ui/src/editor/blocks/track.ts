// Places that stay at their node while the document changes around it.
import type { Node } from "@tiptap/pm/model";
import type { Transaction } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";

export interface Tracked {
  // pos is the place before the node, null once it is gone.
  pos: number | null;
}

const places = new WeakMap<EditorView, Set<WeakRef<Tracked>>>();

// track follows the node at a place as long as somebody holds what it returns.
export function track(view: EditorView, pos: number): Tracked {
  const at: Tracked = { pos };
  const all = places.get(view) ?? new Set();
  places.set(view, all.add(new WeakRef(at)));
  return at;
}

// follow moves the places of a view along with a change of its document.
export function follow(view: EditorView, tr: Transaction): void {
  const all = places.get(view);
  if (!all || !tr.docChanged) return;
  for (const ref of all) {
    const at = ref.deref();
    if (!at || at.pos === null) {
      all.delete(ref);
      continue;
    }
    const kind = tr.before.nodeAt(at.pos)?.type;
    const pos = tr.mapping.map(at.pos, 1);
    at.pos = kind !== undefined && tr.doc.nodeAt(pos)?.type === kind ? pos : null;
  }
}

// nodeOf returns the node at a place, null once it is gone.
export const nodeOf = (view: EditorView, at: Tracked): Node | null =>
  at.pos === null ? null : view.state.doc.nodeAt(at.pos);
