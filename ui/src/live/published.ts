// What a live session says of itself to those who draw it.
import { quiet, type LiveState } from "./types";

// Facts are what the kind of a state follows from. pending: the server does not have all that was typed.
export interface Facts {
  conflict: unknown;
  ended: LiveState["ended"];
  refusal: string;
  signedOut: boolean;
  away: boolean;
  pending: boolean;
}

// kindOf returns the kind of a state: what stands in the way of more comes first.
export function kindOf({ conflict, ended, refusal, signedOut, away, pending }: Facts): LiveState["kind"] {
  if (conflict) return "conflict";
  if (ended) return "ended";
  if (!pending) return "saved";
  if (refusal) return "refused";
  if (signedOut) return "signedOut";
  return away ? "offline" : "saving";
}

// Published is the state of now, and who listens to what it becomes.
export class Published {
  private now = quiet;
  private readonly listeners = new Set<() => void>();

  readonly get = (): LiveState => this.now;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  // put makes a state that of now. Who listens hears of it when a part of it is another one.
  put(next: LiveState): void {
    const { now } = this;
    if ((Object.keys(next) as (keyof LiveState)[]).every((name) => next[name] === now[name])) return;
    this.now = next;
    for (const listener of this.listeners) listener();
  }
}
