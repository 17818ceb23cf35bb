// What was just done in the tree, for as long as one may want to take it back. It stays while somebody is at it.
import { Undo2, X } from "lucide-react";
import { useEffect, useState } from "react";
import { Button, IconButton } from "../look/Button";
import { t } from "../words/words";
import styles from "./PageTree.module.css";

const lasting = 12_000;

type Props = { words: string; onUndo: () => void; onClose: () => void };

export function UndoBar({ words, onUndo, onClose }: Props) {
  const [held, hold] = useState(false);
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(onClose, lasting);
    return () => clearTimeout(timer);
  }, [held, words]);
  return (
    <div
      className={styles.undo}
      role="group"
      aria-label={t("tree.undo")}
      onPointerEnter={() => hold(true)}
      onPointerLeave={() => hold(false)}
      onFocus={() => hold(true)}
      onBlur={() => hold(false)}
    >
      <span className={styles.undoText}>{words}</span>
      <Button kind="quiet" icon={<Undo2 aria-hidden size={16} />} onClick={onUndo}>
        {t("tree.undo")}
      </Button>
      <IconButton label={t("look.close")} onClick={onClose}>
        <X />
      </IconButton>
    </div>
  );
}
