// How many pages of the tree are selected, with what can be done with them; for who listens it is said when it changes.
import { Ellipsis, X } from "lucide-react";
import { IconButton } from "../look/Button";
import { t } from "../words/words";
import styles from "./PageTree.module.css";

type Props = { count: number; onMenu: (anchor: { getBoundingClientRect: () => DOMRect }) => void; onClear: () => void };

export function SelectionBar({ count, onMenu, onClear }: Props) {
  return (
    <div className={styles.undo} role="group" aria-label={t("tree.selection")}>
      <span className={styles.undoText} role="status">
        {t("tree.selected", { count })}
      </span>
      <IconButton
        label={t("tree.menuAll", { count })}
        aria-haspopup="menu"
        onClick={({ currentTarget }) => onMenu(currentTarget)}
      >
        <Ellipsis />
      </IconButton>
      <IconButton label={t("tree.unselect")} onClick={onClear}>
        <X />
      </IconButton>
    </div>
  );
}
