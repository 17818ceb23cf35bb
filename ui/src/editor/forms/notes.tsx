// Opens the text of the note on words beside them.
import { lazy, Suspense } from "react";
import type { Command } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import { Skeleton } from "../../look/Skeleton";
import { t } from "../../words/words";
import { coordsAt } from "../coords";
import { annotate, documentOf, noteAt, setNote } from "../notes";
import { around } from "../panels";
import styles from "./Forms.module.css";

const Editor = lazy(async () => ({ default: (await import("../Editor")).Editor }));

// openNote opens the note on the words at a position.
export function openNote(view: EditorView, pos: number): void {
  const note = noteAt(view.state, pos);
  if (!note || !view.editable) return;
  const { panels, services } = around(view);
  // What is typed before the words moves them.
  let at = note.from + 1;
  panels.open({
    label: t("editor.note"),
    anchor: () => {
      const now = noteAt(view.state, at) ?? note;
      const start = coordsAt(view, Math.min(now.from, view.state.doc.content.size));
      const end = coordsAt(view, Math.min(now.to, view.state.doc.content.size), -1);
      return { left: start.left, top: start.top, right: Math.max(end.right, start.left), bottom: end.bottom };
    },
    body: (close) => (
      <div className={styles.note_form}>
        <div
          className={styles.nested}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            close();
          }}
        >
          <Suspense fallback={<Skeleton lines={2} />}>
            <Editor
              document={documentOf(note.mark)}
              label={t("editor.note")}
              services={services}
              autoFocus
              onChange={(write) => {
                const now = noteAt(view.state, at);
                if (!now) return;
                setNote(now, write())(view.state, view.dispatch, view);
                at = now.from + 1;
              }}
            />
          </Suspense>
        </div>
      </div>
    ),
  });
}

// addNote puts a note on the selected words and opens it.
export const addNote: Command = (state, dispatch, view) => {
  if (!annotate(state, dispatch)) return false;
  if (dispatch && view) openNote(view, state.selection.from + 1);
  return true;
};
