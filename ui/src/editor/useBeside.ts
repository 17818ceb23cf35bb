// Places what floats beside a line of the text: below it, or above where there is no room.
import { useLayoutEffect, type RefObject } from "react";
import type { Session } from "./session";

// again are values that change its size.
export function useBeside(
  element: RefObject<HTMLElement | null>,
  session: Session,
  pos: number | undefined,
  again: unknown,
): void {
  useLayoutEffect(() => {
    const floating = element.current;
    if (pos === undefined || !floating) return;
    const place = () => {
      if (pos > session.view.state.doc.content.size) return;
      const line = session.view.coordsAtPos(pos);
      const { offsetWidth: width, offsetHeight: height } = floating;
      const below = line.bottom + 6;
      const room = window.visualViewport?.height ?? window.innerHeight;
      floating.style.left = `${Math.max(8, Math.min(line.left, window.innerWidth - width - 8))}px`;
      floating.style.top = `${below + height > room - 8 && line.top - height - 6 > 8 ? line.top - height - 6 : below}px`;
    };
    return placeWithWindow(place);
  }, [element, session, pos, again]);
}

// placeWithWindow places something now, and again when the window scrolls or has another size. It returns what ends
// that.
export function placeWithWindow(place: () => void): () => void {
  place();
  window.addEventListener("scroll", place, true);
  window.addEventListener("resize", place);
  return () => {
    window.removeEventListener("scroll", place, true);
    window.removeEventListener("resize", place);
  };
}
