import { useState } from "react";

// The tree's width in pixels, and what it may be.
export const narrowest = 200;
export const widest = 480;
export const usual = 264;

const key = "recto.tree.width";

// within keeps a width to what it may be.
export const within = (width: number): number =>
  Math.round(Math.min(widest, Math.max(narrowest, Number.isFinite(width) ? width : usual)));

// useWidth is the width of the tree, kept in the browser.
export function useWidth(): [number, (width: number) => void] {
  const [width, setWidth] = useState(() => within(Number(localStorage.getItem(key) ?? usual)));
  const resize = (next: number) => {
    setWidth(within(next));
    localStorage.setItem(key, String(within(next)));
  };
  return [width, resize];
}
