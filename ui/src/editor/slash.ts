// The slash menu's side of the text: where a "/" was typed, what was typed after it, and the keys while it is open.
// What it shows is SlashMenu.tsx.
import { Plugin, PluginKey, type EditorState } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import { found, remember, type Insertion } from "./insert";
import { installedIn } from "./installed";

export interface Slash {
  // from is where the "/" stands.
  from: number;
  to: number;
  query: string;
  items: Insertion[];
  index: number;
}

export const slashKey = new PluginKey<Slash | null>("slash");

// The longest text after a "/" that is looked for.
const longest = 30;

// sought returns the "/" before the cursor with what follows it.
function sought(state: EditorState): { from: number; to: number; query: string } | null {
  const { $from, empty } = state.selection;
  if (
    !empty ||
    !$from.parent.inlineContent ||
    $from.parent.type.spec.code ||
    $from.parent.type.name === "tableTitle" ||
    !$from.node(-1)
  )
    return null;
  if ($from.marks().some((mark) => mark.type.name === "code")) return null;
  const before = $from.parent.textBetween(
    Math.max(0, $from.parentOffset - longest - 2),
    $from.parentOffset,
    null,
    "\ufffc",
  );
  const match = /(?:^|\s)\/([^/\n\ufffc]*)$/.exec(before);
  if (!match) return null;
  return { from: $from.pos - match[1]!.length - 1, to: $from.pos, query: match[1]! };
}

// choose takes the "/" and what follows it away and does what was chosen.
export function choose(view: EditorView, item: Insertion): void {
  const open = slashKey.getState(view.state);
  if (!open) return;
  view.dispatch(view.state.tr.delete(open.from, open.to).setMeta(slashKey, "close"));
  item.run(view.state, view.dispatch, view);
  remember(item.id);
  view.focus();
}

export function slash(): Plugin<Slash | null> {
  return new Plugin<Slash | null>({
    key: slashKey,
    state: {
      init: () => null,
      apply(tr, before, old, state): Slash | null {
        const meta = tr.getMeta(slashKey) as "close" | { index: number } | undefined;
        if (meta === "close") return null;
        if (meta && before) return { ...before, index: meta.index };
        if (!tr.docChanged && !tr.selectionSet) return before;
        const now = sought(state);
        if (!now) return null;
        // It opens when the "/" is typed, and not again when the cursor comes by.
        const goesOn = before !== null && tr.mapping.map(before.from) === now.from;
        if (goesOn && tr.getMeta("received")) return { ...before, ...now };
        if (!goesOn && !(tr.docChanged && now.query === "" && !tr.getMeta("history$") && !tr.getMeta("received")))
          return null;
        const items = found(now.query, installedIn(old));
        return items.length > 0 ? { ...now, items, index: 0 } : null;
      },
    },
    props: {
      attributes: (state): Record<string, string> => {
        const open = slashKey.getState(state);
        return open
          ? { "aria-controls": "slash-menu", "aria-activedescendant": `slash-${open.items[open.index]?.id}` }
          : {};
      },
      handleKeyDown(view, event) {
        const open = slashKey.getState(view.state);
        if (!open || event.isComposing) return false;
        const go = (index: number) =>
          view.dispatch(view.state.tr.setMeta(slashKey, { index: (index + open.items.length) % open.items.length }));
        switch (event.key) {
          case "ArrowDown":
            go(open.index + 1);
            return true;
          case "ArrowUp":
            go(open.index - 1);
            return true;
          case "Enter":
          case "Tab":
            choose(view, open.items[open.index]!);
            return true;
          case "Escape":
            view.dispatch(view.state.tr.setMeta(slashKey, "close"));
            return true;
        }
        return false;
      },
    },
  });
}
