import { Link } from "@tanstack/react-router";
import { ChevronRight, Ellipsis, Folder, NotebookText } from "lucide-react";
import { type KeyboardEvent, type MouseEvent, type ReactNode, useRef } from "react";
import { keysOf } from "../look/shortcuts";
import { emojiText } from "../space/tree";
import { t } from "../words/words";
import styles from "./Places.module.css";
import type { Asked } from "./Places";
import { about, type Place } from "./places";
import { usePlaceDrag } from "./usePlaceDrag";

type Props = {
  place: Place;
  // Of a collection: whether what is in it shows.
  open?: boolean;
  onToggle?: () => void;
  onAsk: (asked: Asked) => void;
  onStep: (place: Place, way: "up" | "down") => void;
  children?: ReactNode;
};

// PlaceRow leads to a space or a collection, and has the menu of what can be done with it.
export function PlaceRow({ place, open, onToggle, onAsk, onStep, children }: Props) {
  const link = useRef<HTMLAnchorElement>(null);
  const { row, over, isDragged } = usePlaceDrag(place);
  const { title, permissions } = about(place);
  const ask = (what: Asked["what"], anchor: HTMLElement) => onAsk({ place, what, anchor });
  const onKeyDown = (event: KeyboardEvent) => {
    const keys = `${event.altKey ? "Alt+" : ""}${event.shiftKey ? "Shift+" : ""}${event.key}`;
    const anchor = link.current;
    if (!anchor) return;
    if (keys === keysOf("pageMenu") || keys === "ContextMenu") ask("menu", anchor);
    else if (!permissions.manage) return;
    else if (keys === keysOf("pageUp")) onStep(place, "up");
    else if (keys === keysOf("pageDown")) onStep(place, "down");
    else if (keys === keysOf("renamePage")) ask("rename", anchor);
    else if (keys === keysOf("deletePage") && permissions.admin) ask("delete", anchor);
    else return;
    event.preventDefault();
  };
  const onContextMenu = (event: MouseEvent) => {
    event.preventDefault();
    if (link.current) ask("menu", link.current);
  };
  const common = { ref: link, className: styles.link, draggable: false, onKeyDown };
  return (
    <li>
      <div
        className={styles.row}
        {...row}
        data-over={over}
        data-dragged={isDragged || undefined}
        onContextMenu={onContextMenu}
      >
        {place.kind === "collection" ? (
          <button
            type="button"
            className={styles.chevron}
            aria-expanded={open}
            aria-label={t("home.contents", { title })}
            onClick={onToggle}
          >
            <ChevronRight aria-hidden />
          </button>
        ) : (
          <span className={styles.chevron} />
        )}
        {place.kind === "collection" ? (
          <Link {...common} to="/collections/$collection" params={{ collection: place.collection.id }}>
            <Folder aria-hidden />
            <span className={`${styles.name} ${styles.group}`}>{title}</span>
            <span className={styles.count}>{t("home.inside", { count: place.places.length })}</span>
          </Link>
        ) : (
          <Link {...common} to="/spaces/$space" params={{ space: place.space.id }}>
            {place.space.emoji ? <span aria-hidden>{emojiText(place.space.emoji)}</span> : <NotebookText aria-hidden />}
            <span className={styles.name}>{title}</span>
            {place.space.changeRequestsOpen > 0 && (
              <span className={styles.count}>{t("home.open", { count: place.space.changeRequestsOpen })}</span>
            )}
          </Link>
        )}
        <button
          type="button"
          className={styles.more}
          aria-haspopup="menu"
          aria-label={t("home.options", { title })}
          onClick={(event) => ask("menu", event.currentTarget)}
        >
          <Ellipsis aria-hidden />
        </button>
      </div>
      {children}
    </li>
  );
}
