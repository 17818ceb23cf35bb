// Markdown while it is edited: CodeMirror's view, with what the server says of the text.
import { closeBrackets, closeBracketsKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentLess, insertTab } from "@codemirror/commands";
import { markdown, markdownLanguage } from "@codemirror/lang-markdown";
import {
  bracketMatching,
  indentUnit,
  LanguageDescription,
  LanguageSupport,
  syntaxHighlighting,
} from "@codemirror/language";
import { forceLinting, linter, lintGutter, lintKeymap, nextDiagnostic, setDiagnostics } from "@codemirror/lint";
import { Annotation, Compartment, EditorState, Transaction, type ChangeSpec } from "@codemirror/state";
import { EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { diffArrays } from "diff";
import { highlighter } from "../code/highlight";
import { language, load, nameOf } from "../code/languages";
import type { Target } from "../find/finder";
import { headerBottom, scrollSo, type ViewState } from "../code/viewState";
import "../code/styles";
import { dialect } from "./dialect";
import { diagnosticsOf, offsetOf, type Read } from "./faults";
import { findField, sourceTarget } from "./find";
import { markdownHighlighter } from "./highlight";

export interface Options {
  markdown: string;
  editable: boolean;
  label: string;
  // What the server read in the text already, if it did.
  read: Read | null;
  check: (text: string) => Promise<Read>;
  // onChange is called with a function that returns the text.
  onChange: (write: () => string) => void;
  onFaults: (count: number) => void;
}

const received = Annotation.define<true>();

function codeLanguage(info: string): LanguageDescription | null {
  const name = nameOf(info);
  if (!name) return null;
  return LanguageDescription.of({
    name,
    load: async () => {
      await load(name);
      const found = language(name);
      if (!found) throw new Error(`${name} cannot be loaded`);
      return new LanguageSupport(found);
    },
  });
}

export class SourceText {
  readonly view: EditorView;
  // Where the blocks begin, as far as it is known.
  private blocks: number[] = [];
  private readonly listeners = new Set<() => void>();
  private readonly writable = new Compartment();

  constructor(place: HTMLElement, private readonly options: Options) {
    this.view = new EditorView({ parent: place, state: this.fresh(options.markdown) });
    if (options.read) this.take(options.read);
    else forceLinting(this.view);
  }

  private fresh(text: string): EditorState {
    const { options } = this;
    return EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        lintGutter(),
        history(),
        // Bytes stay as they are, also line ends of other systems.
        EditorState.lineSeparator.of("\n"),
        this.writable.of(EditorState.readOnly.of(!options.editable)),
        EditorView.lineWrapping,
        // Each line runs as its words do.
        EditorView.perLineTextDirection.of(true),
        highlightActiveLine(),
        findField,
        indentUnit.of("  "),
        bracketMatching(),
        closeBrackets(),
        markdown({ base: markdownLanguage, extensions: [dialect], codeLanguages: codeLanguage }),
        syntaxHighlighting(highlighter),
        syntaxHighlighting(markdownHighlighter),
        EditorView.contentAttributes.of({ "aria-label": options.label, spellcheck: "true", tabindex: "0" }),
        linter(
          async (view) => {
            const text = view.state.doc;
            const read = await options.check(text.toString()).catch(() => null);
            // Without an answer the text is as good as it was.
            if (!read) return [];
            if (view.state.doc.eq(text)) this.place(read);
            options.onFaults(read.faults.length);
            return diagnosticsOf(text, read.faults);
          },
          { delay: 600 },
        ),
        keymap.of([
          { key: "Tab", run: insertTab, shift: indentLess },
          ...closeBracketsKeymap,
          ...lintKeymap,
          ...historyKeymap,
          ...defaultKeymap,
        ]),
        EditorView.updateListener.of((update) => {
          if (!update.docChanged) return;
          this.blocks = this.blocks.map((at) => update.changes.mapPos(at));
          for (const listener of this.listeners) listener();
          if (!update.transactions.some((tr) => tr.annotation(received))) options.onChange(this.write);
        }),
      ],
    });
  }

  private place(read: Read): void {
    this.blocks = read.lines.map((line) => offsetOf(this.view.state.doc, { line, column: 1 }));
  }

  // take shows what the server has read.
  private take(read: Read): void {
    this.place(read);
    this.view.dispatch(setDiagnostics(this.view.state, diagnosticsOf(this.view.state.doc, read.faults)));
    this.options.onFaults(read.faults.length);
  }

  readonly write = (): string => this.view.state.doc.toString();

  // receive takes in what somebody else has changed, line by line, and keeps the cursor and the undo.
  receive(text: string): void {
    const lines = (of: string) => of.split(/(?<=\n)/);
    const changes: ChangeSpec[] = [];
    let at = 0;
    for (const part of diffArrays(lines(this.write()), lines(text))) {
      const size = part.added ? 0 : part.value.join("").length;
      if (part.removed) changes.push({ from: at, to: at + size });
      else if (part.added) changes.push({ from: at, insert: part.value.join("") });
      at += size;
    }
    if (changes.length > 0)
      this.view.dispatch({ changes, annotations: [received.of(true), Transaction.addToHistory.of(false)] });
  }

  // allow says whether the text can be changed from now on.
  allow(editable: boolean): void {
    this.options.editable = editable;
    if (this.view.state.readOnly === editable)
      this.view.dispatch({ effects: this.writable.reconfigure(EditorState.readOnly.of(!editable)) });
  }

  // replace begins again with another text, without an undo.
  replace(text: string): void {
    this.view.setState(this.fresh(text));
    forceLinting(this.view);
  }

  // target is the text as something to find in.
  target(): Target {
    return sourceTarget(this.view, this.onEdit);
  }

  // onEdit calls back whenever the text has become another.
  readonly onEdit = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  nextFault(): void {
    this.view.focus();
    nextDiagnostic(this.view);
  }

  // viewState is where the cursor is, and what is on top of the screen.
  viewState(): ViewState {
    const { view } = this;
    const blockAt = (pos: number) => this.blocks.findLastIndex((start) => start <= pos);
    const height = Math.max(0, headerBottom(view.dom) - view.documentTop);
    const top = Math.max(0, blockAt(view.lineBlockAtHeight(height).from));
    return { cursor: blockAt(view.state.selection.main.head), top, y: this.y(top) };
  }

  // y is how far down the screen a block begins.
  private y(block: number): number {
    const { view } = this;
    return view.documentTop + view.lineBlockAt(this.blocks[block] ?? 0).top;
  }

  // go goes to a view state: the cursor into its block, and what was on top there where it was.
  go({ cursor, top, y }: ViewState): void {
    const { view } = this;
    view.dispatch({ selection: { anchor: this.blocks[cursor] ?? 0 } });
    view.focus();
    // Lines that were never on the screen have heights that are guessed, so the second time is exact.
    scrollSo(this.y(top), y);
    requestAnimationFrame(() => scrollSo(this.y(top), y));
  }
}
