// Whether the server answers, and whether it still knows who is here. What queries and mutations meet is noted here by
// the caches of main.tsx, and the shell's banner says it.
import { MutationCache, QueryCache, type QueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { Failure } from "../api/client";

// "away": no answer, or one that says that the server cannot answer now. "expired": the session has ended.
export type Connection = "here" | "away" | "expired";

let now: Connection = "here";
const listeners = new Set<() => void>();

function become(next: Connection): void {
  if (next === now) return;
  now = next;
  for (const listener of listeners) listener();
}

// metSuccess notes an answer.
export function metSuccess(): void {
  leaving = false;
  become("here");
}

// metFailure notes a failure. waiting says that there is nothing to show without an answer: then who is signed out is
// led through signing in at once. Otherwise something may have been typed here, and only the banner says it.
export function metFailure(failure: Error, waiting: boolean): void {
  if (!(failure instanceof Failure)) return;
  if (failure.status === 401) {
    become("expired");
    if (waiting) signIn();
  } else if (failure.status === 0 || [502, 503, 504].includes(failure.status)) {
    become("away");
  }
}

// signInAddress is the page that signs in and comes back to the address that is shown now.
export function signInAddress(): string {
  const here = location.pathname + location.search + location.hash;
  return `/signin?next=${encodeURIComponent(here)}`;
}

let leave = (address: string) => location.assign(address);
let leaving = false;

// signIn leaves once, however many answers say that nobody is signed in: browsers drop the first way out for a second.
function signIn(): void {
  if (leaving) return;
  leaving = true;
  leave(signInAddress());
}

// leaveWith puts something else in the place of going to another address, for tests.
export function leaveWith(other: (address: string) => void): void {
  leaving = false;
  leave = other;
}

// caches are those of a QueryClient that note what they meet.
export function caches() {
  return {
    queryCache: new QueryCache({
      onSuccess: metSuccess,
      onError: (failure, query) => metFailure(failure, query.state.data === undefined),
    }),
    mutationCache: new MutationCache({ onSuccess: metSuccess, onError: (failure) => metFailure(failure, false) }),
  };
}

// retry asks again for everything that is shown.
export function retry(queries: QueryClient): void {
  void queries.invalidateQueries();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener("online", listener);
  window.addEventListener("offline", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("online", listener);
    window.removeEventListener("offline", listener);
  };
}

// whenHere calls back whenever the server answers again, or knows again who is here. It returns what ends that.
export function whenHere(act: () => void): () => void {
  const listener = () => now === "here" && act();
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

// connection is how things stand now. Browsers know that there is no network before anything was asked.
export const connection = (): Connection => (navigator.onLine || now === "expired" ? now : "away");

export function useConnection(): Connection {
  return useSyncExternalStore(subscribe, connection);
}
