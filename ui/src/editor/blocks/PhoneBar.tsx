// What the handle does, on a phone: a bar above the keyboard for the block that the cursor is in. While words are
// selected, the bar for them stands there.
import { ArrowDown, ArrowUp, GripVertical, Plus, Redo2, Undo2 } from "lucide-react";
import { redo, undo } from "@tiptap/pm/history";
import type { Command } from "@tiptap/pm/state";
import { useCallback, useLayoutEffect, useRef, useSyncExternalStore } from "react";
import { IconButton } from "../../look/Button";
import { useMedia } from "../../look/useMedia";
import { t } from "../../words/words";
import styles from "../SelectionBar.module.css";
import type { Session } from "../session";
import { insertBelow, move } from "./change";

export const phone = "(max-width: 40rem)";

// dock keeps an element above the keyboard, and returns what ends it.
export function dock(element: HTMLElement): () => void {
  const viewport = window.visualViewport;
  const place = () => {
    element.style.left = "0";
    element.style.top = `${(viewport ? viewport.offsetTop + viewport.height : window.innerHeight) - element.offsetHeight}px`;
  };
  place();
  viewport?.addEventListener("resize", place);
  viewport?.addEventListener("scroll", place);
  return () => {
    viewport?.removeEventListener("resize", place);
    viewport?.removeEventListener("scroll", place);
  };
}

export function PhoneBar({ session }: { session: Session }) {
  const small = useMedia(phone);
  const { view, handling } = session;
  const subscribe = useCallback(
    (listener: () => void) => {
      const stop = session.subscribe(listener);
      view.dom.addEventListener("focus", listener);
      view.dom.addEventListener("blur", listener);
      return () => {
        stop();
        view.dom.removeEventListener("focus", listener);
        view.dom.removeEventListener("blur", listener);
      };
    },
    [session, view],
  );
  const shown = useSyncExternalStore(subscribe, () => small && view.hasFocus() && view.state.selection.empty);
  const bar = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => (shown && bar.current ? dock(bar.current) : undefined), [shown]);
  if (!shown) return null;
  const run = (command: Command) => () => {
    command(view.state, view.dispatch, view);
    view.focus();
  };
  return (
    <div
      ref={bar}
      role="toolbar"
      aria-label={t("blocks.bar")}
      className={styles.bar}
      data-docked
      onMouseDown={(event) => event.preventDefault()}
    >
      <div className={styles.tools}>
        <IconButton label={t("blocks.add")} onClick={run(insertBelow)}>
          <Plus />
        </IconButton>
        <IconButton label={t("blocks.menu")} onClick={() => handling.openMenu()}>
          <GripVertical />
        </IconButton>
        <IconButton label={t("blocks.up")} onClick={run(move(-1))}>
          <ArrowUp />
        </IconButton>
        <IconButton label={t("blocks.down")} onClick={run(move(1))}>
          <ArrowDown />
        </IconButton>
        <IconButton label={t("keys.undo")} onClick={run(undo)}>
          <Undo2 />
        </IconButton>
        <IconButton label={t("keys.redo")} onClick={run(redo)}>
          <Redo2 />
        </IconButton>
      </div>
    </div>
  );
}
