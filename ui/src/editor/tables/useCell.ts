// The cell that the handles of a table stand at: the one under the mouse, or else the one with the cursor.
import { useEffect, useState } from "react";
import { TableMap } from "@tiptap/pm/tables";
import type { EditorState } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import type { Session } from "../session";
import { useStateWhile } from "../useStateWhile";
import { currentCell } from "./grid";

export interface Place {
  tablePos: number;
  row: number;
  column: number;
  // The elements that it is drawn as.
  scroll: HTMLElement;
  line: HTMLElement;
  title: HTMLElement;
  cards: boolean;
}

// underMouse returns the position of the cell that an element is in.
function underMouse(view: EditorView, target: EventTarget | null): number | null {
  const cell = target instanceof Element ? target.closest<HTMLElement>("td, th") : null;
  const body = cell?.closest("tbody");
  if (!cell || !body || !view.dom.contains(cell) || !body.closest(".block-table")) return null;
  const start = view.posAtDOM(body, 0);
  const table = view.state.doc.resolve(start).parent;
  const row = [...body.children].indexOf(cell.parentElement!);
  const index = [...cell.parentElement!.children].indexOf(cell);
  if (table.type.name !== "table" || !table.maybeChild(row)?.maybeChild(index)) return null;
  let pos = start + 1;
  for (let r = 0; r < row; r++) pos += table.child(r).nodeSize;
  for (let i = 0; i < index; i++) pos += table.child(row).child(i).nodeSize;
  return pos;
}

export function placeOf(view: EditorView, state: EditorState, pos: number | null): Place | null {
  if (pos === null || pos > state.doc.content.size) return null;
  const $cell = state.doc.resolve(pos);
  if ($cell.depth < 2 || $cell.node(-1).type.name !== "table" || !$cell.nodeAfter) return null;
  const tablePos = $cell.before(-1);
  const dom = view.nodeDOM(tablePos);
  if (!(dom instanceof HTMLElement)) return null;
  const { left, top } = TableMap.get($cell.node(-1)).findCell(pos - tablePos - 1);
  const lines = dom.querySelectorAll<HTMLElement>(":scope > .table-scroll > table > tbody > tr");
  const scroll = dom.querySelector<HTMLElement>(":scope > .table-scroll");
  const [line, title] = [lines[top], lines[0]?.children[left]];
  if (!scroll || !line || !(title instanceof HTMLElement)) return null;
  return { tablePos, row: top, column: left, scroll, line, title, cards: dom.classList.contains("is-cards") };
}

// useCell returns the place with the state that it is in; held keeps it where it is while a menu is open.
export function useCell(session: Session, held: boolean): { state: EditorState | null; place: Place | null } {
  const { view } = session;
  const [hovered, setHovered] = useState<number | null>(null);
  const state = useStateWhile(session, (state) => hovered !== null || currentCell(state) !== null);
  // The pointer is the document's: handles stand outside of the text.
  useEffect(() => {
    if (held) return;
    const over = (event: PointerEvent) => {
      if (event.pointerType !== "mouse" || event.buttons !== 0) return;
      if (event.target instanceof Element && event.target.closest("[data-table-tools]")) return;
      setHovered(underMouse(view, event.target));
    };
    document.addEventListener("pointerover", over);
    return () => document.removeEventListener("pointerover", over);
  }, [view, held]);
  useEffect(
    () => session.onMove((mapping) => setHovered((pos) => (pos === null ? null : mapping.map(pos, 1)))),
    [session],
  );
  const place = state && (placeOf(view, state, hovered) ?? placeOf(view, state, currentCell(state)));
  return { state, place };
}
