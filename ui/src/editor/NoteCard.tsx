// The note on the words that the cursor is in, or the pointer is over: what it says, and how to change it.
import type { EditorState } from "@tiptap/pm/state";
import { Pencil, Trash2 } from "lucide-react";
import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from "react";
import { IconButton } from "../look/Button";
import { t } from "../words/words";
import { coordsAt } from "./coords";
import { plainText } from "./document";
import { openNote } from "./forms/notes";
import styles from "./NoteCard.module.css";
import { documentOf, noteAt, setNote } from "./notes";
import type { Session } from "./session";
import { placeWithWindow } from "./useBeside";
import { useStateWhile } from "./useStateWhile";

export function NoteCard({ session }: { session: Session }) {
  const { view } = session;
  const [over, setOver] = useState<number | null>(null);
  const noteIn = (state: EditorState) => {
    const { selection, doc } = state;
    const at = over === null ? (selection.empty ? selection.from : null) : Math.min(over, doc.content.size);
    return at === null ? null : noteAt(state, at);
  };
  const state = useStateWhile(session, (state) => noteIn(state) !== null);
  const panel = useSyncExternalStore(session.panels.subscribe, session.panels.get);
  const card = useRef<HTMLDivElement>(null);
  const note = state && !panel ? noteIn(state) : null;
  const from = note?.from;

  // The pointer is the text's, which is no component.
  useEffect(() => {
    const enter = (event: PointerEvent) => {
      const target = event.target instanceof Element ? event.target : null;
      const words = target?.closest(".annotation");
      // In code that is being written, the cursor says which.
      if (words && view.dom.contains(words) && !words.closest(".cm-editor")) setOver(view.posAtDOM(words, 0));
      else if (!card.current?.contains(target)) setOver(null);
    };
    document.addEventListener("pointerover", enter);
    return () => document.removeEventListener("pointerover", enter);
  }, [view]);

  useEffect(() => session.onMove((mapping) => setOver((pos) => (pos === null ? null : mapping.map(pos)))), [session]);

  useLayoutEffect(() => {
    const element = card.current;
    if (from === undefined || !element) return;
    const place = () => {
      const line = coordsAt(view, Math.min(from, view.state.doc.content.size));
      const below = line.bottom + element.offsetHeight + 4 < window.innerHeight;
      element.style.left = `${Math.max(8, Math.min(line.left, window.innerWidth - element.offsetWidth - 8))}px`;
      element.style.top = `${below ? line.bottom + 2 : line.top - element.offsetHeight - 2}px`;
    };
    return placeWithWindow(place);
  }, [from, view, state]);

  if (!note) return null;
  return (
    <div
      ref={card}
      className={styles.card}
      role="group"
      aria-label={t("editor.note")}
      onMouseDown={(event) => event.preventDefault()}
    >
      <p className={styles.text}>{plainText(documentOf(note.mark)).trim() || t("editor.note.empty")}</p>
      <IconButton label={t("editor.note.edit")} onClick={() => openNote(view, note.from + 1)}>
        <Pencil />
      </IconButton>
      <IconButton
        label={t("editor.note.remove")}
        onClick={() => {
          setNote(note, null)(view.state, view.dispatch, view);
          setOver(null);
          view.focus();
        }}
      >
        <Trash2 />
      </IconButton>
    </div>
  );
}
