// What is in a document while it is written: its headings, its words. A block is counted once until it changes, so that
// a long page costs nothing while it is typed into.
import type { Node } from "@tiptap/pm/model";
import { TextSelection } from "@tiptap/pm/state";
import { anchorOf } from "./blocks/anchor";
import { countWords } from "../words/count";
import type { Session } from "./session";

interface Heading {
  level: number;
  text: string;
  anchor: string;
  element: () => HTMLElement | null;
  go: () => void;
}

const counted = new WeakMap<Node, { words: number; characters: number }>();

function countsOf(block: Node): { words: number; characters: number } {
  const known = counted.get(block);
  if (known) return known;
  const text = block.textBetween(0, block.content.size, " ", " ");
  const counts = { words: countWords(text), characters: text.length };
  counted.set(block, counts);
  return counts;
}

// outlineOf is the text of a session for those beside the editor who show what is in it.
export function outlineOf(session: Session) {
  const read = () => {
    const headings: Heading[] = [];
    let words = 0;
    let characters = 0;
    session.view.state.doc.descendants((node, pos) => {
      if (!node.isTextblock) return true;
      const counts = countsOf(node);
      words += counts.words;
      characters += counts.characters;
      const level = /^heading(\d)$/.exec(node.type.name)?.[1];
      if (level)
        headings.push({
          level: Number(level),
          text: node.textContent.trim(),
          anchor: anchorOf(node),
          element: () => shown(session, pos),
          go: () => go(session, pos),
        });
      return false;
    });
    return { headings, words, characters };
  };
  return { read, subscribe: session.onEdit };
}

function shown(session: Session, pos: number): HTMLElement | null {
  const { doc } = session.view.state;
  if (pos > doc.content.size) return null;
  const dom = session.view.nodeDOM(pos);
  return dom instanceof HTMLElement ? dom : null;
}

function go(session: Session, pos: number): void {
  const { view } = session;
  if (!view.state.doc.nodeAt(pos)?.isTextblock) return;
  view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, pos + 1)));
  view.focus();
  const element = shown(session, pos);
  (element?.querySelector("h2, h3, h4") ?? element)?.scrollIntoView();
}
