// The editor of a text that several may write at once. Load it lazily, beside the editor itself.
import { useRef, useState, type ComponentProps } from "react";
import type { Editor } from "../editor/Editor";
import { fingerprint } from "../editor/fingerprint";
import type { Session } from "../editor/session";
import { SharedText, sharedPlugins, kept } from "../live/sharedText";
import "../live/cursors.css";
import type { LiveDraft } from "./drafts";
import type { Together } from "./together";

type Props = ComponentProps<typeof Editor> & { together: Together; left: LiveDraft["text"] };

// liveEditor makes an editor one that takes part in live sessions.
export function liveEditor(Shown: typeof Editor) {
  return function LiveEditor({ together, left, ...rest }: Props) {
    // The text goes on from what was kept where this editor can read it.
    const [read] = useState(() => (left && left.schema === fingerprint() ? kept(left.waiting) : null));
    const [plugins] = useState(sharedPlugins);
    const stop = useRef<() => void>(undefined);

    const joined = (session: Session | null) => {
      stop.current?.();
      stop.current = undefined;
      if (!session) {
        together.part();
        return;
      }
      const shared = new SharedText(session.view);
      if (left && read) shared.resume(left.version, read.steps);
      together.begin({ shared, schema: fingerprint(), kept: read !== null });
      stop.current = follow(session, together);
    };
    return <Shown {...rest} plugins={plugins} begin={read?.doc} onSession={joined} />;
  };
}

// follow tells of where the cursor is, and of an input method that has done its work.
function follow({ view, subscribe }: Session, together: Together): () => void {
  let selection = view.state.selection;
  const focused = () => view.dom.contains(document.activeElement);
  const moved = () => {
    if (view.state.selection.eq(selection)) return;
    selection = view.state.selection;
    together.selected(focused());
  };
  // The focus is where it is a moment later.
  const focus = () => queueMicrotask(() => together.selected(focused()));
  const composed = () => setTimeout(() => together.settled(), 60);
  const stops = [subscribe(moved)];
  view.dom.addEventListener("focusin", focus);
  view.dom.addEventListener("focusout", focus);
  view.dom.addEventListener("compositionend", composed);
  return () => {
    stops.forEach((stop) => stop());
    view.dom.removeEventListener("focusin", focus);
    view.dom.removeEventListener("focusout", focus);
    view.dom.removeEventListener("compositionend", composed);
  };
}
