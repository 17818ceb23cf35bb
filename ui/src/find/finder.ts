// Finding and replacing in a text that is written, whatever its editor is.
import { pattern, search, type Match, type Query } from "./search";

// Target is an editor that one looks for something in.
export interface Target {
  texts(): string[];
  // start is where the cursor is: the first match from there on comes first.
  start(): { block: number; offset: number };
  // show marks what was found; current is the number of the one that is gone to, -1 for none.
  show(matches: readonly Match[], current: number): void;
  // reveal opens what hides a match, and scrolls to it.
  reveal(match: Match): void;
  // replace puts what a replacement makes in the place of matches, as one step of the undo.
  replace(matches: readonly Match[]): void;
  // selected returns the selected words, as far as they stand in one line.
  selected(): string;
  // select selects a match, or nothing more, and gives the text the focus.
  select(match: Match | null): void;
  // subscribe calls back when the text has changed.
  subscribe(listener: () => void): () => void;
}

export interface Found {
  matches: Match[];
  current: number;
  // What is wrong with what is looked for.
  wrong: "invalid" | "slow" | null;
}

// So long may a regular expression take, in milliseconds.
const patience = 1000;

const nothing: Found = { matches: [], current: -1, wrong: null };

export class Finder {
  private found = nothing;
  private query: Query = { text: "", matchCase: false, words: false, regex: false };
  private replacement = "";
  private worker: Worker | null = null;
  private stopped = false;
  private asked = 0;
  private at: { block: number; offset: number };
  private readonly leave: () => void;
  private readonly listeners = new Set<() => void>();

  constructor(private readonly target: Target) {
    this.at = target.start();
    this.leave = target.subscribe(() => void this.look(false));
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
  readonly get = (): Found => this.found;

  private become(found: Found): void {
    this.found = found;
    this.target.show(found.matches, found.current);
    for (const listener of this.listeners) listener();
  }

  // ask looks for something else, or has something else put in its place.
  ask(query: Query, replacement: string): void {
    this.query = query;
    this.replacement = replacement;
    void this.look(true);
  }

  private async look(go: boolean): Promise<void> {
    const asked = ++this.asked;
    // An editor that says that its text has changed is not done with it yet.
    await null;
    if (asked !== this.asked || this.stopped) return;
    if (this.query.text === "") return this.become(nothing);
    if (!pattern(this.query)) return this.become({ ...nothing, wrong: "invalid" });
    const matches = await this.matches();
    // Whoever asked later has the answer.
    if (asked !== this.asked || this.stopped) return;
    if (!matches) return this.become({ ...nothing, wrong: "slow" });
    const { block, offset } = this.at;
    const next = matches.findIndex((match) => match.block > block || (match.block === block && match.from >= offset));
    const current = matches.length === 0 ? -1 : Math.max(next, 0);
    this.become({ matches, current, wrong: null });
    if (go && current >= 0) this.target.reveal(matches[current]!);
  }

  // matches returns what is found, null when it takes too long. Plain words cannot.
  private matches(): Match[] | Promise<Match[] | null> {
    const { query, replacement } = this;
    const texts = this.target.texts();
    if (!query.regex) return search(texts, query, replacement);
    this.worker?.terminate();
    const worker = (this.worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" }));
    return new Promise((done) => {
      const end = (matches: Match[] | null) => {
        clearTimeout(timer);
        worker.terminate();
        if (this.worker === worker) this.worker = null;
        done(matches);
      };
      // The time that loading takes is not the expression's.
      let timer = setTimeout(() => end(null), 10_000);
      worker.onmessage = (event: MessageEvent<Match[] | "ready">) => {
        if (event.data !== "ready") return end(event.data);
        clearTimeout(timer);
        timer = setTimeout(() => end(null), patience);
        worker.postMessage({ texts, query, replacement });
      };
      worker.onerror = () => end(null);
    });
  }

  // go goes to the next match, or the one before.
  go(by: 1 | -1): void {
    const { matches, current } = this.found;
    if (matches.length === 0) return;
    const next = (current + by + matches.length) % matches.length;
    const match = matches[next]!;
    this.at = { block: match.block, offset: match.from };
    this.become({ ...this.found, current: next });
    this.target.reveal(match);
  }

  // replace replaces the match that was gone to, and goes on behind it.
  replace(): void {
    const match = this.found.matches[this.found.current];
    if (!match) return;
    this.at = { block: match.block, offset: match.from + match.insert.length };
    this.target.replace([match]);
    void this.look(true);
  }

  // replaceAll replaces all that was found, and returns how many that were.
  replaceAll(): number {
    const { matches } = this.found;
    if (matches.length > 0) this.target.replace(matches);
    return matches.length;
  }

  // close ends it; the text gets the focus where one has arrived.
  close(focus: boolean): void {
    this.stopped = true;
    this.worker?.terminate();
    this.leave();
    this.target.show([], -1);
    if (focus) this.target.select(this.found.matches[this.found.current] ?? null);
  }
}
