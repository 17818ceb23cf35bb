import { ChevronRight, EyeOff, SquareArrowOutUpRight } from "lucide-react";
import type { MouseEvent } from "react";
import { t } from "../words/words";
import styles from "./PageTree.module.css";
import { emojiText, label, type Row } from "./tree";

type Props = {
  row: Row;
  index: number;
  top: number;
  height: number;
  current: boolean;
  tabbable: boolean;
  changed: boolean;
  href: string | undefined;
  onActivate: (row: Row) => void;
  onToggle: (row: Row) => void;
};

// TreeRow is one page in the tree: a link, so that it opens in a new tab and shows its address like one.
export function TreeRow({ row, index, top, height, current, tabbable, changed, href, onActivate, onToggle }: Props) {
  const { page } = row;
  const onClick = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    onActivate(row);
  };
  const onChevron = (event: MouseEvent) => {
    event.preventDefault();
    event.stopPropagation();
    onToggle(row);
  };
  const Item = href ? "a" : "div";
  return (
    <Item
      {...(href ? { href, draggable: false } : {})}
      role="treeitem"
      aria-level={row.level}
      aria-posinset={row.place}
      aria-setsize={row.siblings}
      aria-expanded={row.expanded}
      aria-selected={current}
      aria-current={current ? "page" : undefined}
      tabIndex={tabbable ? 0 : -1}
      data-index={index}
      data-type={page.type}
      className={styles.row}
      style={{ height, translate: `0 ${top}px`, "--level": row.level - 1 } as React.CSSProperties}
      onClick={onClick}
    >
      {row.expanded === undefined ? (
        <span className={styles.chevron} />
      ) : (
        <span className={styles.chevron} data-open={row.expanded} onClick={onChevron} aria-hidden>
          <ChevronRight />
        </span>
      )}
      {page.emoji && (
        <span className={styles.emoji} aria-hidden>
          {emojiText(page.emoji)}
        </span>
      )}
      <span className={styles.title}>{label(page) || t("tree.untitled")}</span>
      {page.type === "link" && <SquareArrowOutUpRight className={styles.sign} aria-hidden />}
      {page.hidden && <EyeOff className={styles.sign} aria-label={t("tree.hidden")} role="img" />}
      {changed && <span className={styles.dot} role="img" aria-label={t("tree.changed")} />}
    </Item>
  );
}
