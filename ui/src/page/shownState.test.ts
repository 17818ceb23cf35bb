import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { SaveState } from "./saving";
import { shownState } from "./shownState";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("says once that saving goes on, that it is done after a moment, and what is wrong at once", () => {
  let state: SaveState = { kind: "saved" };
  const listeners = new Set<() => void>();
  const shown = shownState({
    get: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  });
  const said: string[] = [];
  const stop = shown.subscribe(() => said.push(shown.get().kind));
  const become = (next: SaveState) => {
    state = next;
    for (const listener of listeners) listener();
  };
  for (let key = 0; key < 5; key++) {
    become({ kind: "waiting" });
    become({ kind: "saving" });
    become({ kind: "saved" });
    vi.advanceTimersByTime(100);
  }
  expect(said).toEqual(["waiting"]);
  vi.advanceTimersByTime(200);
  expect(said).toEqual(["waiting", "saved"]);
  become({ kind: "waiting" });
  become({ kind: "offline", kept: true });
  become({ kind: "saved" });
  expect(said).toEqual(["waiting", "saved", "waiting", "offline", "saved"]);
  become({ kind: "saving" });
  become({ kind: "saved" });
  stop();
  vi.advanceTimersByTime(1000);
  expect(listeners.size).toBe(0);
  expect(said.at(-1)).toBe("saving");
});
