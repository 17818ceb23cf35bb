// The text of the page on the screen, for those beside it who show what is in it: the screen gives it, the outline
// reads it. Nothing is read before somebody asks.
import { createContext, type ReactNode, useContext, useEffect, useState } from "react";

export interface Heading {
  // From 1, the largest in a page.
  level: number;
  text: string;
  // element is what shows it now; null while it is not shown.
  element: () => HTMLElement | null;
  // go leads there.
  go: () => void;
}

export interface PageText {
  read: () => { headings: Heading[]; words: number; characters: number };
  // subscribe calls back whenever the text has changed.
  subscribe: (listener: () => void) => () => void;
}

const Context = createContext<{ text: PageText | null; give: (text: PageText | null) => void }>({
  text: null,
  give: () => undefined,
});

export function PageTextHost({ children }: { children: ReactNode }) {
  const [text, give] = useState<PageText | null>(null);
  return <Context value={{ text, give }}>{children}</Context>;
}

// usePageText is the text of the page on the screen, null while there is none.
export const usePageText = (): PageText | null => useContext(Context).text;

// GivePageText gives the text of a screen while it is drawn.
export function GivePageText({ text }: { text: PageText | null }) {
  const { give } = useContext(Context);
  useEffect(() => {
    give(text);
    return () => give(null);
  }, [give, text]);
  return null;
}
