// The choices for what was typed, and the one that Enter takes.
import { useEffect, useRef, useState } from "react";
import type { Choice, Search } from "./choice";

export interface Picked<T> {
  // choices are those of the words before while the new ones are on their way, so that rows do not blink.
  choices: Choice<T>[];
  state: "waiting" | "ready" | "failed";
  index: number;
  setIndex: (index: number) => void;
  // onKey takes the arrows; it reports whether the key was one of them.
  onKey: (key: string) => boolean;
  retry: () => void;
  // take returns the choice that Enter takes, after the answer when that is still on its way.
  take: () => Promise<Choice<T> | undefined>;
}

type Found<T> = { words: string | null; choices: Choice<T>[]; failed: boolean };

export function usePicker<T>(search: Search<T>, words: string): Picked<T> {
  const [found, setFound] = useState<Found<T>>({ words: null, choices: [], failed: false });
  const [chosen, setChosen] = useState({ words, index: 0 });
  const [tries, setTries] = useState(0);
  const answer = useRef<Promise<Choice<T>[]>>(Promise.resolve([]));
  const index = chosen.words === words ? Math.min(chosen.index, Math.max(found.choices.length - 1, 0)) : 0;

  // What is asked for while one types is of this component alone; answers are kept by those who give them.
  useEffect(() => {
    let left = false;
    answer.current = Promise.resolve().then(() => search(words));
    answer.current.then(
      (choices) => !left && setFound({ words, choices, failed: false }),
      () => !left && setFound({ words, choices: [], failed: true }),
    );
    return () => void (left = true);
    // A search is made anew with every drawing, and means the same: only words ask again.
  }, [words, tries]);

  const setIndex = (next: number) => setChosen({ words, index: next });
  return {
    choices: found.choices,
    state: found.words !== words ? "waiting" : found.failed ? "failed" : "ready",
    index,
    setIndex,
    onKey: (key) => {
      const count = found.choices.length;
      const step = { ArrowDown: 1, ArrowUp: -1 }[key];
      if (step === undefined || count === 0) return false;
      setIndex((index + step + count) % count);
      return true;
    },
    retry: () => setTries(tries + 1),
    take: async () => (found.words === words ? found.choices[index] : (await answer.current.catch(() => []))[0]),
  };
}
