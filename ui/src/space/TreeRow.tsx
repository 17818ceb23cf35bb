import { ChevronRight, Ellipsis, EyeOff, SquareArrowOutUpRight } from "lucide-react";
import type { MouseEvent } from "react";
import type { User } from "../live/wire";
import { Avatar } from "../look/Avatar";
import { Glyph } from "../look/Glyph";
import { t } from "../words/words";
import styles from "./PageTree.module.css";
import { RowName } from "./RowName";
import { emojiText, type Row } from "./tree";

type Props = {
  row: Row;
  index: number;
  top: number;
  height: number;
  current: boolean;
  tabbable: boolean;
  changed: boolean;
  // Who writes the page now.
  people: readonly User[];
  href: string | undefined;
  onActivate: (row: Row) => void;
  // Whether the row is selected; undefined where nothing can be.
  selected: boolean | undefined;
  // Selects the row as a click with keys does, and reports whether it did.
  onSelect: ((row: Row, event: MouseEvent) => boolean) | undefined;
  onToggle: (row: Row) => void;
  title: string;
  // Opens the menu, at a place or at the row; for those who may edit.
  onMenu: ((row: Row, at?: { x: number; y: number }) => void) | undefined;
  // Takes the name that is written in the row, undefined to leave it; while there is one, the row is a field.
  onNamed: ((title: string | undefined) => void) | undefined;
};

// TreeRow is one page in the tree: a link, so that it opens in a new tab and shows its address like one.
export function TreeRow({
  row,
  index,
  top,
  height,
  current,
  tabbable,
  changed,
  people,
  href,
  onActivate,
  selected,
  onSelect,
  onToggle,
  title,
  onMenu,
  onNamed,
}: Props) {
  const { page } = row;
  const onClick = (event: MouseEvent) => {
    if (onSelect?.(row, event)) return event.preventDefault();
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    onActivate(row);
  };
  const onChevron = (event: MouseEvent) => {
    event.preventDefault();
    event.stopPropagation();
    onToggle(row);
  };
  const onButton = (event: MouseEvent) => {
    event.preventDefault();
    event.stopPropagation();
    const { left, bottom } = event.currentTarget.getBoundingClientRect();
    onMenu?.(row, { x: left, y: bottom });
  };
  const onContextMenu = (event: MouseEvent) => {
    if (!onMenu || onNamed) return;
    event.preventDefault();
    // A finger that rests drags, or opens the menu when it is lifted.
    if (["touch", "pen"].includes((event.nativeEvent as globalThis.PointerEvent).pointerType)) return;
    // Keys have no place of their own.
    onMenu(row, event.button === 2 || event.clientX > 0 ? { x: event.clientX, y: event.clientY } : undefined);
  };
  const touch = height > 32;
  const Item = href && !onNamed ? "a" : "div";
  return (
    <Item
      {...(Item === "a" ? { href, draggable: false } : {})}
      role="treeitem"
      aria-level={row.level}
      aria-posinset={row.place}
      aria-setsize={row.siblings}
      aria-expanded={row.expanded}
      aria-selected={selected ?? current}
      aria-current={current ? "page" : undefined}
      tabIndex={tabbable ? 0 : -1}
      data-index={index}
      data-type={page.type}
      data-page={page.id}
      className={styles.row}
      style={{ height, translate: `0 ${top}px`, "--level": row.level - 1 } as React.CSSProperties}
      onClick={onNamed ? undefined : onClick}
      onContextMenu={onContextMenu}
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
      {!page.emoji && page.icon && (
        <span className={styles.icon}>
          <Glyph name={page.icon} />
        </span>
      )}
      {onNamed ? (
        <RowName title={title} onDone={onNamed} />
      ) : (
        <span className={styles.name}>
          <span className={styles.title} dir="auto">{title}</span>
          {page.type === "link" && <SquareArrowOutUpRight className={styles.sign} aria-hidden />}
          {page.hidden && <EyeOff className={styles.sign} aria-label={t("tree.hidden")} role="img" />}
          {changed && <span className={styles.dot} role="img" aria-label={t("tree.changed")} />}
          {people.length > 0 && (
            <span
              className={styles.people}
              role="img"
              aria-label={t("live.here", { names: people.map((each) => each.displayName).join(", ") })}
            >
              {people.slice(0, 3).map((each) => (
                <Avatar key={each.id} name={each.displayName} picture={each.photoURL} size="small" />
              ))}
            </span>
          )}
        </span>
      )}
      {onMenu && !onNamed && (
        // Where there are keys, they open the menu, and the row is not called by the button, too.
        <button
          type="button"
          tabIndex={-1}
          className={styles.more}
          aria-hidden={!touch}
          aria-label={t("tree.menu")}
          aria-haspopup="menu"
          onClick={onButton}
        >
          <Ellipsis aria-hidden />
        </button>
      )}
    </Item>
  );
}
