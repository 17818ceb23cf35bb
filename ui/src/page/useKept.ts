import { useState } from "react";
import type { Draft, Drafts } from "./drafts";

// Kept is what was typed here before and never saved.
export interface Kept {
  // Whether it is the text that is written now. Otherwise the page cannot be written, and it is to be copied or
  // dropped.
  restored: boolean;
  text: () => string;
  drop: () => void;
}

type Begun<C> = { left: Draft<C> | null; drafts: Drafts<C> };

// useKept is what was typed before; null without, and once it is dropped. left is what of it is written on.
export function useKept<C>(
  { left: before, drafts }: Begun<C>,
  left: Draft<C> | null,
  write: (typed: C) => string,
): Kept | null {
  const [dropped, setDropped] = useState(false);
  if (!before || dropped) return null;
  return {
    restored: left !== null,
    text: () => write(before),
    drop: () => {
      setDropped(true);
      void drafts.drop().catch(() => undefined);
    },
  };
}
