// What is in Markdown while it is written: its headings, its words.
import { ensureSyntaxTree, syntaxTree } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { countWords } from "../words/count";
import type { SourceText } from "./text";

export interface Heading {
  level: number;
  text: string;
  element: () => HTMLElement | null;
  go: () => void;
}

// So long may reading a page take, in milliseconds; what is not read then has no headings yet.
const patience = 100;

// outlineOf is the text for those beside the editor who show what is in it. The largest headings of a text have two
// signs.
export function outlineOf(text: SourceText) {
  const { view } = text;
  const read = () => {
    const { doc } = view.state;
    const headings: Heading[] = [];
    const tree = ensureSyntaxTree(view.state, doc.length, patience) ?? syntaxTree(view.state);
    tree.iterate({
      enter: ({ name, from, to }) => {
        const found = /^(?:ATX|Setext)Heading([2-4])$/.exec(name);
        if (!found) return;
        const words = doc
          .sliceString(from, to)
          .replace(/^#+\s*|\n.*$/gs, "")
          .replace(/<[^>]*>/g, "")
          .trim();
        headings.push({
          level: Number(found[1]) - 1,
          text: words,
          element: () => elementAt(view, from),
          go: () => go(view, from),
        });
      },
    });
    const all = doc.toString();
    return { headings, words: countWords(all), characters: all.length };
  };
  return { read, subscribe: text.onEdit };
}

function elementAt(view: EditorView, at: number): HTMLElement | null {
  if (at < view.viewport.from || at > view.viewport.to) return null;
  const { node } = view.domAtPos(at);
  return node instanceof HTMLElement ? node : node.parentElement;
}

function go(view: EditorView, at: number): void {
  view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "start", yMargin: 80 }) });
  view.focus();
}
