import { type KeyboardEvent, type PointerEvent, useRef } from "react";
import { t } from "../words/words";
import styles from "./Resizer.module.css";
import { narrowest, usual, widest } from "./useWidth";

// Resizer is the edge of the tree that can be moved: by pointer, by arrows, Home and End (the window splitter pattern);
// a double click puts it back.
export function Resizer({ width, onResize }: { width: number; onResize: (width: number) => void }) {
  const from = useRef<{ x: number; width: number }>(undefined);
  const sign = () => (document.documentElement.dir === "rtl" ? -1 : 1);
  const down = (event: PointerEvent<HTMLDivElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    from.current = { x: event.clientX, width };
  };
  const move = (event: PointerEvent) => {
    if (from.current) onResize(from.current.width + sign() * (event.clientX - from.current.x));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.shiftKey ? 48 : 16;
    const next = { ArrowRight: width + sign() * by, ArrowLeft: width - sign() * by, Home: narrowest, End: widest }[
      event.key
    ];
    if (next === undefined) return;
    event.preventDefault();
    onResize(next);
  };
  return (
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={t("tree.width")}
      aria-valuenow={width}
      aria-valuemin={narrowest}
      aria-valuemax={widest}
      tabIndex={0}
      className={styles.resizer}
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={() => (from.current = undefined)}
      onPointerCancel={() => (from.current = undefined)}
      onDoubleClick={() => onResize(usual)}
      onKeyDown={onKeyDown}
    />
  );
}
