// Rows of the tree that are dragged with a pointer: after 6 px they follow it, a line shows where they land between rows, a
// fill that they land inside; who waits over a closed row opens it, edges scroll, Escape leaves all as it is. Touch and keys
// have the menu of a row.
import { type PointerEvent, type RefObject, useEffect, useRef, useState } from "react";
import { dropped, type Where } from "./arrange";
import styles from "./PageTree.module.css";
import type { Page } from "./queries";
import { label, type Row } from "./tree";

const threshold = 6;
const opensAfter = 600;
// So near the edges the tree scrolls, and so far with each picture at most, in pixels.
const edge = 40;
const pace = 14;

type Tree = {
  box: RefObject<HTMLDivElement | null>;
  list: Row[];
  height: number;
  // All pages, also while a filter hides some; undefined where nothing is moved.
  roots: Page[] | undefined;
  draggable: (page: Page) => boolean;
  open: (ids: string[]) => void;
  onDrop: (page: Page, on: Page, where: Where) => void;
};

type Drag = { page: Page; over?: { row: Row; index: number; where: Where } };

export function useTreeDrag(tree: Tree) {
  const [drag, setDrag] = useState<Drag | null>(null);
  const ghost = useRef<HTMLDivElement>(null);
  const now = useRef({ ...tree, drag });
  now.current = { ...tree, drag };
  const stop = useRef<(() => void) | null>(null);
  useEffect(() => () => stop.current?.(), []);

  const onPointerDown = (event: PointerEvent) => {
    const index = Number((event.target as HTMLElement).closest<HTMLElement>("[data-index]")?.dataset["index"] ?? -1);
    const row = tree.list[index];
    if (!row || event.button !== 0 || event.pointerType === "touch" || !tree.draggable(row.page) || (event.target as HTMLElement).closest("button, input")) return;
    const [x, y] = [event.clientX, event.clientY];
    let at = { x, y };
    let begun = false;
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
      const element = box.current?.firstElementChild;
      if (!element || !roots) return;
      const line = (at.y - element.getBoundingClientRect().top) / height;
      const place = Math.min(Math.max(0, Math.floor(line)), list.length - 1);
      const part = line - place;
      const target = list[place];
      const ways: Where[] = part < 0.3 ? ["before", "inside"] : part > 0.7 ? ["after", "inside"] : ["inside", part < 0.5 ? "before" : "after"];
      const where = target && ways.find((each) => dropped(roots, row.page.id, target.page.id, each));
      wait(target?.expanded === false && target.page.id !== row.page.id && part > 0.2 && part < 0.8 ? target.page.id : null);
      setDrag({ page: row.page, ...(target && where ? { over: { row: target, index: place, where } } : {}) });
      ghost.current?.style.setProperty("translate", `${at.x + 12}px ${at.y + 8}px`);
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
    const move = (next: globalThis.PointerEvent) => {
      at = { x: next.clientX, y: next.clientY };
      if (!begun) {
        if (Math.hypot(at.x - x, at.y - y) < threshold) return;
        begun = true;
        frame = requestAnimationFrame(scroll);
      }
      next.preventDefault();
      follow();
    };
    const end = () => {
      cancelAnimationFrame(frame);
      wait(null);
      window.removeEventListener("pointermove", move);
      window.removeEventListener("pointerup", up);
      window.removeEventListener("pointercancel", end);
      window.removeEventListener("keydown", key, true);
      stop.current = null;
      setDrag(null);
    };
    const up = () => {
      const over = now.current.drag?.over;
      if (begun) {
        // What is let go is no press of the row below.
        const swallow = (click: MouseEvent) => {
          click.preventDefault();
          click.stopPropagation();
        };
        window.addEventListener("click", swallow, { capture: true, once: true });
        setTimeout(() => window.removeEventListener("click", swallow, { capture: true }));
        if (over) now.current.onDrop(row.page, over.row.page, over.where);
      }
      end();
    };
    const key = (pressed: KeyboardEvent) => {
      if (pressed.key !== "Escape") return;
      pressed.preventDefault();
      pressed.stopPropagation();
      begun = false;
      end();
    };
    stop.current = end;
    window.addEventListener("pointermove", move);
    window.addEventListener("pointerup", up);
    window.addEventListener("pointercancel", end);
    window.addEventListener("keydown", key, true);
  };

  const over = drag?.over;
  const top = over ? (over.index + (over.where === "after" ? 1 : 0)) * tree.height : 0;
  const mark = over && (
    <div
      aria-hidden
      className={styles.mark}
      data-where={over.where}
      style={{ translate: `0 ${top}px`, height: over.where === "inside" ? tree.height : 0, "--level": over.row.level - 1 } as React.CSSProperties}
    />
  );
  const follower = drag && (
    <div ref={ghost} aria-hidden className={styles.ghost}>
      {label(drag.page)}
    </div>
  );
  return { onPointerDown, mark, follower, dragged: drag?.page.id };
}
