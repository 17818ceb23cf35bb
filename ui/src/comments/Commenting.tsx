// What the text of a page and the discussion beside it know of each other: the screen gives its text, the panel shows
// what is said about it, and either leads to the other.
import { useLocation, useNavigate, useSearch } from "@tanstack/react-router";
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from "react";
import { useKept } from "./draft";
import type { Quote } from "./quote";

// Anchor is what a comment is about, for a text to find it.
export interface Anchor {
  id: string;
  quote: Quote | null;
  // node is the key of its block, preview the beginning of that block's text.
  node: string;
  preview: string;
}

// Target is what a new comment is about: the page as a whole when it has neither node nor quote.
export interface Target {
  page?: string | undefined;
  node?: string | undefined;
  quote?: Quote | undefined;
  // shown is what is quoted above the comment while it is written.
  shown?: string | undefined;
  suggest?: boolean;
}

// Surface is a text that comments are shown on.
export interface Surface {
  // show marks what comments are about; active is the one that is looked at.
  show: (anchors: Anchor[], active: string | null) => void;
  // top is how far below the top of the window the words of a comment are, null where they are not.
  top: (id: string) => number | null;
  go: (id: string) => void;
  // subscribe calls back when words may stand elsewhere.
  subscribe: (listener: () => void) => () => void;
  // ready returns once the server has the text as it is shown.
  ready: () => Promise<void>;
  // changed tells the text that the server has another.
  changed: () => Promise<void>;
}

type State = {
  surface: Surface | null;
  give: (surface: Surface | null) => void;
  // target is what the comment that is being written is about.
  target: Target | null;
  setTarget: (target: Target | null) => void;
};

const Context = createContext<State>({
  surface: null,
  give: () => undefined,
  target: null,
  setTarget: () => undefined,
});

export function CommentingHost({ place, children }: { place: string; children: ReactNode }) {
  const [surface, give] = useState<Surface | null>(null);
  const [kept, setTarget] = useKept<Target & { place: string }>("target");
  const state = useMemo<State>(
    () => ({
      surface,
      give,
      // What is begun in one discussion waits there.
      target: kept?.place === place ? kept : null,
      setTarget: (target) => setTarget(target && { ...target, place }),
    }),
    [surface, kept, place],
  );
  return <Context value={state}>{children}</Context>;
}

// GiveSurface gives the text of a screen while it is drawn.
export function GiveSurface({ surface }: { surface: Surface | null }) {
  const { give } = useContext(Context);
  useEffect(() => {
    give(surface);
    return () => give(null);
  }, [give, surface]);
  return null;
}

// useCommenting is the discussion of the screen. Which thread is open stands in the address.
export function useCommenting() {
  const { surface, target, setTarget } = useContext(Context);
  const { comment }: { comment?: string } = useSearch({ strict: false });
  const diff = useLocation({ select: ({ pathname }) => pathname.endsWith("/diff") });
  const navigate = useNavigate();
  const address = (change: Record<string, string | undefined>) =>
    void navigate({
      to: ".",
      search: ((before: object) => ({ ...before, ...change })) as never,
      hash: true,
      replace: true,
      resetScroll: false,
    });
  return {
    surface,
    target,
    active: comment ?? null,
    // open shows a thread, null none.
    open: (id: string | null) => address(id === null ? { comment: undefined } : { comment: id, panel: "comments" }),
    // begin starts a comment. Words that were typed for another one stay.
    begin: (next: Target) => {
      setTarget(next);
      address({ panel: "comments", comment: undefined, ...(diff && next.page ? { page: next.page } : {}) });
    },
    end: () => setTarget(null),
  };
}
