// The way through finding and replacing in a space: looking, what was found, writing, done. One may stop at any time.
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { findAll, replaceAll, type Search, SlowError } from "./spaceReplacing";
import { pattern, type Query } from "./search";

export type Stage =
  | { at: "asking"; wrong?: "invalid" | "slow"; failure?: unknown }
  | { at: "finding"; done: number; all: number }
  | { at: "found"; search: Search; failure?: unknown }
  | { at: "writing"; done: number; all: number }
  | { at: "done"; pages: number; matches: number; number: number; stopped: boolean };

export function useSpaceReplacing(space: string, change: number | undefined) {
  const queries = useQueryClient();
  const [stage, setStage] = useState<Stage>({ at: "asking" });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const place = { space, change };

  const find = async (query: Query, replacement: string) => {
    if (!pattern(query)) return setStage({ at: "asking", wrong: "invalid" });
    const mine = (running.current = new AbortController());
    setStage({ at: "finding", done: 0, all: 0 });
    try {
      const search = await findAll(queries, place, query, replacement, mine.signal, (done, all) =>
        setStage({ at: "finding", done, all }),
      );
      setStage({ at: "found", search });
    } catch (failure) {
      mine.abort();
      setStage({
        at: "asking",
        ...(failure instanceof SlowError ? { wrong: "slow" } : stoppedBy(failure) ? {} : { failure }),
      });
    }
  };

  // replace writes what was found, but for the pages that are left out.
  const replace = async (search: Search, without: ReadonlySet<string>) => {
    const mine = (running.current = new AbortController());
    const hits = search.hits.filter(({ page }) => !without.has(page));
    let written = 0;
    const progress = (done: number, all: number) => {
      written = done;
      setStage({ at: "writing", done, all });
    };
    progress(0, hits.length);
    try {
      const number = await replaceAll(queries, place, search.revision, hits, mine.signal, progress);
      const some = hits.slice(0, written);
      setStage({
        at: "done",
        pages: some.length,
        matches: some.reduce((sum, { matches }) => sum + matches.length, 0),
        number,
        stopped: written < hits.length,
      });
    } catch (failure) {
      // What is written already is not found again.
      const left = search.hits.filter((hit) => !hits.slice(0, written).includes(hit));
      setStage({
        at: "found",
        search: { ...search, hits: left, matches: left.reduce((sum, { matches }) => sum + matches.length, 0) },
        failure,
      });
    }
  };
  return { stage, find, replace, stop: () => running.current?.abort(), ask: () => setStage({ at: "asking" }) };
}

const stoppedBy = (failure: unknown) => failure instanceof DOMException && failure.name === "AbortError";
