// A text area for code: CodeMirror without a history of its own, for an editor around it that has one.
import { closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, indentLess, insertTab } from "@codemirror/commands";
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { Compartment, EditorState, StateEffect, StateField, type ChangeSet, type Extension } from "@codemirror/state";
import { Decoration, EditorView, keymap, type Command, type DecorationSet } from "@codemirror/view";
import { highlighter } from "./highlight";
import { language, load } from "./languages";
import "./styles";

export interface Look {
  text: string;
  syntax: string;
  wrap: boolean;
  // What it is, for those who listen.
  label: string;
  // Where lines that stand out begin, and where words are that have notes.
  marked: number[];
  noted: { from: number; to: number }[];
}

export interface Outside {
  // onChange is told what was typed and what is selected.
  onChange(changes: ChangeSet, anchor: number, head: number): void;
  // onLeave goes out of the code, from its first or last place; extend keeps what is selected.
  onLeave(direction: -1 | 1, extend: boolean): boolean;
  // onKey is offered keys that mean something outside, before or after the code's own had their turn.
  onKey(event: KeyboardEvent): boolean;
}

export interface Area {
  dom: HTMLElement;
  focused(): boolean;
  update(look: Look): void;
  select(anchor: number, head: number): void;
  destroy(): void;
}

type Marked = Pick<Look, "marked" | "noted">;
const setMarked = StateEffect.define<Marked>();
const line = Decoration.line({ class: "is-highlighted" });
const words = Decoration.mark({ class: "annotation" });
const linesAt = ({ marked, noted }: Marked): DecorationSet =>
  Decoration.set([...marked.map((at) => line.range(at)), ...noted.map(({ from, to }) => words.range(from, to))], true);
const marked = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (set, tr) =>
    tr.effects.reduce((now, effect) => (effect.is(setMarked) ? linesAt(effect.value) : now), set.map(tr.changes)),
  provide: (field) => EditorView.decorations.from(field),
});

// unitOf returns what a text is indented with, a tab where nothing says so.
function unitOf(text: string): string {
  const found = /^( {2,8}|\t)\S/m.exec(text)?.[1];
  return found ?? "\t";
}

// atEdge reports whether the cursor is at the first or last place, or row as it is shown, of the code.
function atEdge(view: EditorView, direction: -1 | 1, row: boolean): boolean {
  const { head } = view.state.selection.main;
  const edge = direction < 0 ? 0 : view.state.doc.length;
  if (head === edge) return true;
  if (!row) return false;
  const [here, there] = [view.coordsAtPos(head), view.coordsAtPos(edge)];
  return here !== null && there !== null && Math.abs(here.top - there.top) < 4;
}

const outside = (given: Outside, direction: -1 | 1, row: boolean, extend = false): Command => (view) => {
  const { main, ranges } = view.state.selection;
  if (ranges.length > 1 || (!main.empty && !extend) || !atEdge(view, direction, row)) return false;
  return given.onLeave(direction, extend);
};

// area makes a text area with what the code is now. It is not in the document yet.
export function area(first: Look, given: Outside): Area {
  const grammar = new Compartment();
  const wrapping = new Compartment();
  const labelled = new Compartment();
  const wrap = (on: boolean): Extension => (on ? EditorView.lineWrapping : []);
  const label = (text: string): Extension =>
    EditorView.contentAttributes.of({ "aria-label": text, spellcheck: "false", tabindex: "0" });
  const grammarOf = (syntax: string): Extension => language(syntax) ?? [];
  let look = first;
  let updating = false;

  const arrows = (key: string, direction: -1 | 1, row: boolean) => ({
    key,
    run: outside(given, direction, row),
    shift: outside(given, direction, row, true),
  });
  const forward = (event: KeyboardEvent) =>
    (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState("AltGraph") && given.onKey(event);
  // Undo is that of the text around, and so is what leaves a block.
  const theirs = (_view: EditorView, event: KeyboardEvent) => /^(Enter|[zy])$/i.test(event.key) && forward(event);
  const start: Command = (view) =>
    view.state.selection.main.empty &&
    view.state.selection.main.head === 0 &&
    given.onKey(new KeyboardEvent("keydown", { key: "Backspace" }));
  // Escape lets Tab go on, for as long as CodeMirror does; another one chooses the block, as it does in other text.
  let escaped = -Infinity;
  const escape: Command = () => {
    const again = performance.now() - escaped < 2_000;
    escaped = again ? -Infinity : performance.now();
    return again && given.onKey(new KeyboardEvent("keydown", { key: "Escape" }));
  };
  const view = new EditorView({
    state: EditorState.create({
      doc: first.text,
      extensions: [
        keymap.of([
          { any: theirs },
          arrows("ArrowUp", -1, true),
          arrows("ArrowDown", 1, true),
          arrows("ArrowLeft", -1, false),
          arrows("ArrowRight", 1, false),
          { key: "Backspace", run: start },
          { key: "Escape", run: escape },
          { key: "Tab", run: insertTab, shift: indentLess },
          ...closeBracketsKeymap,
          ...defaultKeymap,
          { any: (_view, event) => forward(event) },
        ]),
        // Each character has its place in the text around, also what other editors take for a line break.
        EditorState.lineSeparator.of("\n"),
        indentUnit.of(unitOf(first.text)),
        indentOnInput(),
        bracketMatching(),
        closeBrackets(),
        syntaxHighlighting(highlighter),
        marked.init(() => linesAt(first)),
        grammar.of(grammarOf(first.syntax)),
        wrapping.of(wrap(first.wrap)),
        labelled.of(label(first.label)),
        EditorView.updateListener.of((update) => {
          if (updating || !(update.docChanged || update.selectionSet) || !view.hasFocus) return;
          const { anchor, head } = update.state.selection.main;
          given.onChange(update.changes, anchor, head);
        }),
      ],
    }),
  });
  const bring = (syntax: string) =>
    void load(syntax)?.then(
      () => look.syntax === syntax && view.dispatch({ effects: grammar.reconfigure(grammarOf(syntax)) }),
    );
  bring(first.syntax);

  return {
    dom: view.dom,
    focused: () => view.hasFocus,
    update(next) {
      updating = true;
      const before = look;
      look = next;
      const now = view.state.doc.toString();
      const effects: StateEffect<unknown>[] = [setMarked.of(next)];
      if (next.wrap !== before.wrap) effects.push(wrapping.reconfigure(wrap(next.wrap)));
      if (next.label !== before.label) effects.push(labelled.reconfigure(label(next.label)));
      if (next.syntax !== before.syntax) effects.push(grammar.reconfigure(grammarOf(next.syntax)));
      if (now === next.text) {
        if (
          effects.length > 1 ||
          JSON.stringify([next.marked, next.noted]) !== JSON.stringify([before.marked, before.noted])
        )
          view.dispatch({ effects });
      } else {
        let from = 0;
        let [end, nextEnd] = [now.length, next.text.length];
        while (from < end && from < nextEnd && now[from] === next.text[from]) from++;
        while (end > from && nextEnd > from && now[end - 1] === next.text[nextEnd - 1])
          [end, nextEnd] = [end - 1, nextEnd - 1];
        view.dispatch({ changes: { from, to: end, insert: next.text.slice(from, nextEnd) }, effects });
      }
      if (next.syntax !== before.syntax) bring(next.syntax);
      updating = false;
    },
    select(anchor, head) {
      updating = true;
      view.focus();
      view.dispatch({ selection: { anchor, head }, scrollIntoView: true });
      updating = false;
    },
    destroy: () => view.destroy(),
  };
}

// placeIn returns where a place in the code is on the screen, null for one in no text area.
export function placeIn(dom: Element, at: number): { left: number; right: number; top: number; bottom: number } | null {
  const found = dom.querySelector<HTMLElement>(".cm-editor");
  const view = found && EditorView.findFromDOM(found);
  return view ? view.coordsAtPos(Math.min(at, view.state.doc.length)) : null;
}
