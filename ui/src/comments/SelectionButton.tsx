// Offers to comment on words that are selected in a text that is read. Mod+Alt+M does so, too.
import { MessageSquarePlus } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Button } from "../look/Button";
import { Keys } from "../look/Keys";
import { t } from "../words/words";
import { type Target, useCommenting } from "./Commenting";
import { selected } from "./dom";
import styles from "./SelectionButton.module.css";

// words returns what a comment on the selection is about, for a text that knows more of it than its elements say.
export function SelectionButton({
  root,
  page,
  words,
}: {
  root: HTMLElement;
  page: string;
  words?: () => Target | null;
}) {
  const { begin } = useCommenting();
  const [target, setTarget] = useState<Target | null>(null);
  const place = useRef<HTMLDivElement>(null);
  const newest = useRef({ begin, words: () => (words ? words() : selected(root)) });
  newest.current = { begin, words: () => (words ? words() : selected(root)) };

  // The selection is the document's.
  useEffect(() => {
    let pressed = false;
    const look = () => !pressed && setTarget(newest.current.words());
    const down = () => (pressed = true);
    const up = () => {
      pressed = false;
      // The browser moves the selection after the pointer.
      setTimeout(look);
    };
    const key = (event: KeyboardEvent) => {
      if (
        event.code !== "KeyM" ||
        !event.altKey ||
        !(event.ctrlKey || event.metaKey) ||
        event.getModifierState("AltGraph")
      )
        return;
      const found = newest.current.words();
      if (!found) return;
      event.preventDefault();
      newest.current.begin({ ...found, page });
    };
    document.addEventListener("selectionchange", look);
    document.addEventListener("pointerdown", down);
    document.addEventListener("pointerup", up);
    document.addEventListener("pointercancel", up);
    document.addEventListener("keydown", key);
    return () => {
      document.removeEventListener("selectionchange", look);
      document.removeEventListener("pointerdown", down);
      document.removeEventListener("pointerup", up);
      document.removeEventListener("pointercancel", up);
      document.removeEventListener("keydown", key);
    };
  }, [root, page]);

  useEffect(() => {
    const box = target && getSelection()?.getRangeAt(0).getBoundingClientRect();
    const element = place.current;
    if (!box || !element) return;
    const left = Math.min(
      Math.max(8, (box.left + box.right - element.offsetWidth) / 2),
      innerWidth - element.offsetWidth - 8,
    );
    element.style.setProperty("left", `${left + scrollX}px`);
    element.style.setProperty(
      "top",
      `${(box.top > 104 ? box.top - element.offsetHeight - 8 : box.bottom + 8) + scrollY}px`,
    );
  }, [target]);

  if (!target) return null;
  return (
    <div ref={place} className={styles.place} onMouseDown={(event) => event.preventDefault()}>
      <Button
        icon={<MessageSquarePlus />}
        onClick={() => {
          begin({ ...target, page });
          setTarget(null);
        }}
      >
        {t("comment.selection")}
        <Keys keys="Mod+Alt+M" />
      </Button>
    </div>
  );
}
