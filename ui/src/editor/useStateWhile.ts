// The state of the editor, for what is drawn beside the text now and then.
import type { EditorState } from "@tiptap/pm/state";
import { useSyncExternalStore } from "react";
import type { Session } from "./session";

// useStateWhile returns the state while it holds something to show, else null. Who follows each state is drawn anew
// with each key, and whatever React draws anew costs it a walk through the whole text, to keep the selection.
export function useStateWhile(session: Session, shows: (state: EditorState) => boolean): EditorState | null {
  return useSyncExternalStore(session.subscribe, () => (shows(session.state()) ? session.state() : null));
}
