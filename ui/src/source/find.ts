// Finding in Markdown: all of it is one text.
import { StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, type DecorationSet } from "@codemirror/view";
import type { Target } from "../find/finder";
import type { Match } from "../find/search";

const setFound = StateEffect.define<{ matches: readonly Match[]; current: number }>();
const found = Decoration.mark({ class: "found" });
const foundCurrent = Decoration.mark({ class: "found found-current" });

// findField holds what was found.
export const findField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (set, tr) =>
    tr.effects.reduce(
      (now, effect) =>
        effect.is(setFound)
          ? Decoration.set(
              effect.value.matches.map(({ from, to }, i) =>
                (i === effect.value.current ? foundCurrent : found).range(from, to),
              ),
            )
          : now,
      set.map(tr.changes),
    ),
  provide: (field) => EditorView.decorations.from(field),
});

// sourceTarget is a view as something to find in; subscribe calls back when its text has changed.
export function sourceTarget(view: EditorView, subscribe: (listener: () => void) => () => void): Target {
  let of = view.state.doc;
  return {
    texts() {
      of = view.state.doc;
      return [of.toString()];
    },
    start: () => ({ block: 0, offset: view.state.selection.main.from }),
    show(matches, current) {
      // What was found in another text is looked for again.
      if (of !== view.state.doc && matches.length > 0) return;
      view.dispatch({ effects: setFound.of({ matches, current }) });
    },
    reveal: ({ from }) => view.dispatch({ effects: EditorView.scrollIntoView(from, { y: "center" }) }),
    replace(matches) {
      if (of === view.state.doc && !view.state.readOnly)
        view.dispatch({ changes: matches.map(({ from, to, insert }) => ({ from, to, insert })) });
    },
    selected() {
      const { from, to } = view.state.selection.main;
      const text = view.state.sliceDoc(from, to);
      return text.includes("\n") || text.length > 200 ? "" : text;
    },
    select(match) {
      if (match && of === view.state.doc)
        view.dispatch({ selection: { anchor: match.from, head: match.to }, scrollIntoView: true });
      view.focus();
    },
    subscribe,
  };
}
