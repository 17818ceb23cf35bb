// Rows of the tree that are dragged: with a mouse after 6 px, with a finger that has rested on one. What is taken
// follows, a line shows where it lands between rows, a fill that it lands inside; who waits over a closed row opens it,
// edges scroll. Escape, a second finger and letting go beside the tree leave all as it is. A finger that rests and is
// lifted again gets the menu; keys have it, too.
import { type PointerEvent, type RefObject, useEffect, useRef, useState } from "react";
import { dropsOf, type Where } from "./arrange";
import styles from "./PageTree.module.css";
import type { Page } from "./queries";
import { t } from "../words/words";
import { label, type Row } from "./tree";

const threshold = 6;
const opensAfter = 600;
// So long a finger rests until it drags, and so far it may move meanwhile.
const restsFor = 450;
const restless = 10;
// So near the edges the tree scrolls, and so far with each picture at most, in pixels.
const edge = 40;
const pace = 14;
// So far beside the tree what is let go still lands in it.
const beside = 32;

type Tree = {
  box: RefObject<HTMLDivElement | null>;
  list: Row[];
  height: number;
  // All pages, also while a filter hides some; undefined where nothing is moved.
  roots: Page[] | undefined;
  // The pages that go along when a row is dragged: none where it stays.
  taken: (page: Page) => Page[];
  open: (ids: string[]) => void;
  onDrop: (pages: Page[], on: Page, where: Where) => void;
  // A finger has rested on a row, and was lifted where it was.
  onHeld: (row: Row, at: { x: number; y: number }) => void;
};

type Over = { row: Row; index: number; where: Where };
// pressed is the page whose row is held; its row stays in the document, since a touch ends with it.
type Drag = { pages: Page[]; pressed: string; over: Over | undefined; ghost: string };

export function useTreeDrag(tree: Tree) {
  const [drag, setDrag] = useState<Drag | null>(null);
  const now = useRef(tree);
  now.current = tree;
  const stop = useRef<(() => void) | null>(null);
  useEffect(() => () => stop.current?.(), []);
  const finger = useFinger(tree.box);

  const onPointerDown = (event: PointerEvent) => {
    const index = Number((event.target as HTMLElement).closest<HTMLElement>("[data-index]")?.dataset["index"] ?? -1);
    const row = tree.list[index];
    if (!row || event.button !== 0 || !event.isPrimary || (event.target as HTMLElement).closest("button, input"))
      return;
    const pages = tree.taken(row.page);
    if (pages.length === 0) return;
    const ids = pages.map(({ id }) => id);
    const touch = event.pointerType !== "mouse";
    const [x, y] = [event.clientX, event.clientY];
    let at = { x, y };
    let begun = false;
    let moved = false;
    // What is below the pointer. React may draw it only after the finger is lifted.
    let over: Over | undefined;
    let frame = 0;
    let waiting: { id: string; timer: number } | null = null;

    const wait = (id: string | null) => {
      if (waiting?.id === id) return;
      clearTimeout(waiting?.timer);
      waiting = id === null ? null : { id, timer: window.setTimeout(() => now.current.open([id]), opensAfter) };
    };
    // follow looks what is below the pointer now.
    const follow = () => {
      const { box, list, height, roots } = now.current;
      const element = box.current?.querySelector("[role=tree]");
      if (!box.current || !element || !roots) return;
      const { left, right } = box.current.getBoundingClientRect();
      const line = (at.y - element.getBoundingClientRect().top) / height;
      const place = Math.min(Math.max(0, Math.floor(line)), list.length - 1);
      const part = line - place;
      const target = at.x < left - beside || at.x > right + beside ? undefined : list[place];
      const ways: Where[] =
        part < 0.3
          ? ["before", "inside"]
          : part > 0.7
            ? ["after", "inside"]
            : ["inside", part < 0.5 ? "before" : "after"];
      const where = target && ways.find((each) => (dropsOf(roots, ids, target.page.id, each) ?? []).length > 0);
      wait(
        target?.expanded === false && !ids.includes(target.page.id) && part > 0.2 && part < 0.8 ? target.page.id : null,
      );
      over = target && where ? { row: target, index: place, where } : undefined;
      // A finger would cover it.
      setDrag({
        pages,
        pressed: row.page.id,
        over,
        ghost: touch ? `${at.x - 24}px ${at.y - 56}px` : `${at.x + 12}px ${at.y + 8}px`,
      });
    };
    const scroll = () => {
      frame = requestAnimationFrame(scroll);
      const box = now.current.box.current;
      if (!box) return;
      const { top, bottom } = box.getBoundingClientRect();
      const by = at.y < top + edge ? at.y - top - edge : at.y > bottom - edge ? at.y - bottom + edge : 0;
      if (by === 0) return;
      box.scrollTop += Math.sign(by) * Math.min(pace, Math.abs(by) / 3);
      follow();
    };
    const begin = () => {
      // A finger that stops a tree which still runs belongs to the browser until it is lifted.
      if (touch && finger.current === "scrolls") return end();
      begun = true;
      if (touch) {
        finger.current = "drags";
        // Where the device can, the finger feels that it has taken something.
        navigator.vibrate?.(10);
      }
      frame = requestAnimationFrame(scroll);
      follow();
    };
    const rest = touch ? window.setTimeout(begin, restsFor) : 0;
    const move = (next: globalThis.PointerEvent) => {
      if (next.pointerId !== event.pointerId) return;
      at = { x: next.clientX, y: next.clientY };
      const far = Math.hypot(at.x - x, at.y - y);
      if (!begun) {
        // A finger that goes on scrolls.
        if (touch ? far > restless : far < threshold) return touch ? end() : undefined;
        if (touch) return;
        begin();
      }
      moved ||= far >= threshold;
      next.preventDefault();
      if (moved) follow();
    };
    const end = () => {
      clearTimeout(rest);
      cancelAnimationFrame(frame);
      wait(null);
      window.removeEventListener("pointermove", move);
      window.removeEventListener("pointerup", up);
      window.removeEventListener("pointercancel", lost);
      window.removeEventListener("pointerdown", second, true);
      window.removeEventListener("keydown", key, true);
      stop.current = null;
      setDrag(null);
    };
    const lost = (cancelled: globalThis.PointerEvent) => cancelled.pointerId === event.pointerId && end();
    const second = (down: globalThis.PointerEvent) => down.pointerId !== event.pointerId && end();
    const up = (lifted: globalThis.PointerEvent) => {
      if (lifted.pointerId !== event.pointerId) return;
      if (begun) {
        at = { x: lifted.clientX, y: lifted.clientY };
        if (moved) follow();
        // What is let go is no press of the row below. Of a touch no click is made.
        const swallow = (click: MouseEvent) => {
          click.preventDefault();
          click.stopPropagation();
        };
        if (!touch) {
          window.addEventListener("click", swallow, { capture: true, once: true });
          setTimeout(() => window.removeEventListener("click", swallow, { capture: true }));
        }
        if (moved && over) now.current.onDrop(pages, over.row.page, over.where);
        else if (touch && !moved) now.current.onHeld(row, at);
      }
      end();
    };
    const key = (pressed: KeyboardEvent) => {
      if (pressed.key !== "Escape") return;
      pressed.preventDefault();
      pressed.stopPropagation();
      end();
    };
    stop.current?.();
    stop.current = end;
    window.addEventListener("pointermove", move);
    window.addEventListener("pointerup", up);
    window.addEventListener("pointercancel", lost);
    window.addEventListener("pointerdown", second, true);
    window.addEventListener("keydown", key, true);
  };

  const over = drag?.over;
  const top = over ? (over.index + (over.where === "after" ? 1 : 0)) * tree.height : 0;
  const mark = over && (
    <div
      aria-hidden
      className={styles.mark}
      data-where={over.where}
      style={
        {
          translate: `0 ${top}px`,
          height: over.where === "inside" ? tree.height : 0,
          "--level": over.row.level - 1,
        } as React.CSSProperties
      }
    />
  );
  const follower = drag && (
    <div aria-hidden className={styles.ghost} style={{ translate: drag.ghost }}>
      {drag.pages.length === 1 && drag.pages[0]
        ? label(drag.pages[0])
        : t("tree.several", { count: drag.pages.length })}
    </div>
  );
  return { onPointerDown, mark, follower, pressed: drag?.pressed, dragging: drag !== null };
}

// useFinger says whose the finger on a box is. One that drags does not scroll, and is no press of a mouse when it is
// lifted; one that comes while the box still runs is the browser's, which cannot be asked for it. Browsers ask
// listeners that were there before.
function useFinger(box: RefObject<HTMLElement | null>) {
  const finger = useRef<"free" | "drags" | "scrolls">("free");
  useEffect(() => {
    const element = box.current;
    const start = (event: TouchEvent) =>
      event.touches.length === 1 && (finger.current = event.cancelable ? "free" : "scrolls");
    const hold = (event: TouchEvent) => finger.current === "drags" && event.cancelable && event.preventDefault();
    const passive = { passive: false };
    element?.addEventListener("touchstart", start, passive);
    element?.addEventListener("touchmove", hold, passive);
    element?.addEventListener("touchend", hold, passive);
    return () => {
      element?.removeEventListener("touchstart", start);
      element?.removeEventListener("touchmove", hold);
      element?.removeEventListener("touchend", hold);
    };
  }, [box]);
  return finger;
}
