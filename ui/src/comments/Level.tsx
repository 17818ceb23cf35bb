// Threads beside a text: first those that have no words in it, then the others, level with theirs where there is room.
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { Surface } from "./Commenting";
import styles from "./CommentsPanel.module.css";
import { level } from "./level";
import type { Comment } from "./queries";

type Props = {
  surface: Surface | null;
  list: Comment[];
  active: string | null;
  beside: boolean;
  onLook: (id: string) => void;
  draw: (comment: Comment, placed: boolean) => ReactNode;
};

// How high the header above the text is, in pixels.
const header = 48;

const outdatedFirst = (a: Comment, b: Comment) =>
  Number(b.target.page?.outdated ?? false) - Number(a.target.page?.outdated ?? false);

export function Level({ surface, list, active, beside, onLook, draw }: Props) {
  const tops = useTops(surface, list);
  const column = useRef<HTMLDivElement>(null);
  const placed = list.filter((each) => tops.has(each.id)).sort((a, b) => tops.get(a.id)! - tops.get(b.id)!);
  const others = list.filter((each) => !tops.has(each.id)).sort(outdatedFirst);
  const order = placed.map((each) => each.id).join();

  // Cards move with the window, without being drawn again.
  useLayoutEffect(() => {
    const element = column.current;
    if (!element || !beside || !surface) return;
    let frame = 0;
    const arrange = () => {
      frame = 0;
      const cards = [...element.children] as HTMLElement[];
      const ids = order === "" ? [] : order.split(",");
      const from = element.getBoundingClientRect().top;
      element.scrollTop = 0;
      const wishes = ids.map((id, i) => {
        const top = surface.top(id) ?? 0;
        // A card is seen as long as its words are, also where something else stands beside them.
        return { wish: top > header ? Math.max(0, top - from) : top - from, height: cards[i]?.offsetHeight ?? 0 };
      });
      level(wishes, ids.indexOf(active ?? "")).forEach((top, i) =>
        cards[i]?.style.setProperty("transform", `translateY(${Math.round(top)}px)`),
      );
    };
    const soon = () => (frame ||= requestAnimationFrame(arrange));
    arrange();
    const stop = surface.subscribe(soon);
    const sizes = new ResizeObserver(soon);
    for (const card of [element, ...element.children]) sizes.observe(card);
    window.addEventListener("scroll", soon, { passive: true });
    window.addEventListener("resize", soon);
    return () => {
      cancelAnimationFrame(frame);
      stop();
      sizes.disconnect();
      window.removeEventListener("scroll", soon);
      window.removeEventListener("resize", soon);
    };
  }, [surface, beside, active, order, others.length]);

  return (
    <>
      {others.length > 0 && (
        <div className={beside && placed.length > 0 ? `${styles.list} ${styles.short}` : styles.list}>
          {others.map((each) => draw(each, false))}
        </div>
      )}
      <div ref={column} className={beside ? styles.level : styles.list}>
        {placed.map((each) => (
          <div
            key={each.id}
            className={styles.card}
            data-thread={each.id}
            onFocus={() => beside && onLook(each.id)}
            onClick={() => beside && onLook(each.id)}
          >
            {draw(each, true)}
          </div>
        ))}
      </div>
    </>
  );
}

// useTops says which threads have words in the text, in the order of these.
function useTops(surface: Surface | null, list: Comment[]): Map<string, number> {
  const [tops, setTops] = useState(new Map<string, number>());
  const ids = list.map((each) => each.id).join();
  useEffect(() => {
    let frame = 0;
    const read = () => {
      frame = 0;
      const found = new Map<string, number>();
      for (const id of ids === "" ? [] : ids.split(",")) {
        const top = surface?.top(id);
        if (top !== null && top !== undefined) found.set(id, top + window.scrollY);
      }
      setTops((now) => (sameOrder(now, found) ? now : found));
    };
    read();
    const stop = surface?.subscribe(() => (frame ||= requestAnimationFrame(read)));
    return () => {
      cancelAnimationFrame(frame);
      stop?.();
    };
  }, [surface, ids]);
  return tops;
}

const sorted = (tops: Map<string, number>) => [...tops].sort((a, b) => a[1] - b[1]).map(([id]) => id);
const sameOrder = (a: Map<string, number>, b: Map<string, number>) => sorted(a).join() === sorted(b).join();
