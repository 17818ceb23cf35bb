// Saves a page while it is written: soon after each change, on the revision that it was read from, so that nothing of
// somebody else's is overwritten. What was typed is kept in the browser until the server has said that it has it.
import { Failure } from "../api/client";
import { same } from "../editor/document";
import type { Draft, Drafts } from "./drafts";
import type { Form } from "./forms";

// Loaded is the content of a page, in the form C in which it is written, with the revision that it is of.
export type Loaded<C> = C & { revision: string };

// Server is what saving asks of the API. Its failures are those of the client.
export interface Server<C> {
  // save changes the page on a revision, and returns the revision that it made with what that was made on.
  save(base: string, content: Partial<C>): Promise<{ revision: string; parents: string[] }>;
  load(): Promise<Loaded<C>>;
}

export type SaveState<C = object> =
  | { kind: "saved" | "waiting" | "saving" }
  | { kind: "offline"; kept: boolean }
  | { kind: "failed"; reason: string; signedOut: boolean; kept: boolean }
  | { kind: "conflict"; theirs: Loaded<C> };

// Saver is what the screen asks of whatever saves its page.
export interface Saver {
  subscribe(listener: () => void): () => void;
  get(): SaveState;
  changed(): void;
  save(): Promise<void>;
  saved(): Promise<void>;
  refresh(): Promise<void>;
  keepMine(): void;
  takeTheirs(): void;
  leave(): void;
  flush(): Promise<boolean>;
  end(): Promise<void>;
  // resume goes on after an end, or with a server that is back.
  resume(): void;
}

interface Options<C> {
  form: Form<C>;
  server: Server<C>;
  drafts: Drafts<C>;
  // What the server has, as it was loaded.
  loaded: Loaded<C>;
  // What was typed before and never saved.
  left: Draft<C> | null;
  // current returns what is typed now.
  current: () => C;
  // received shows what somebody else has changed, replaced something else as a whole.
  received: (content: C) => void;
  replaced: (content: C) => void;
  // What a person does not wait for: a save comes so long after the last change, and so long after the first at most.
  quiet?: number;
  longest?: number;
}

const withoutNetwork = (failure: unknown) =>
  failure instanceof Failure && (failure.status === 0 || failure.status >= 500);

// changes returns what of a content differs from what is known.
function changes<C extends object>(known: C | null, now: C): Partial<C> {
  const differs = (Object.keys(now) as (keyof C)[]).filter((name) => !known || !same(known[name], now[name]));
  return Object.fromEntries(differs.map((name) => [name, now[name]])) as Partial<C>;
}

export class Saving<C extends object> implements Saver {
  private base: string;
  // What the server is known to have on base; null for what was typed on a revision that is not known here.
  private known: C | null;
  private state: SaveState<C> = { kind: "saved" };
  private dirty = false;
  private busy: Promise<void> | null = null;
  private ended = false;
  private kept = true;
  private keeping: Promise<void> | null = null;
  private firstChange = 0;
  private failures = 0;
  // The newest revision that somebody has told of, and whether it is on its way.
  private wanted = "";
  private following = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly listeners = new Set<() => void>();

  constructor(private readonly options: Options<C>) {
    const { loaded, left } = options;
    this.base = left?.base ?? loaded.revision;
    this.known = left ? null : loaded;
    if (left) {
      this.dirty = true;
      this.state = { kind: "waiting" };
      this.plan(0);
    }
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
  readonly get = (): SaveState<C> => this.state;

  private become(state: SaveState<C>): void {
    this.state = state;
    for (const listener of this.listeners) listener();
  }

  // changed notes that something was typed.
  changed(): void {
    if (!this.dirty) this.firstChange = Date.now();
    this.dirty = true;
    this.keep();
    const { state } = this;
    // What was refused as it stood, such as half a line of front matter, may be right now.
    if (state.kind === "saved" || state.kind === "saving" || (state.kind === "failed" && !state.signedOut))
      this.become({ kind: "waiting" });
    const { quiet = 800, longest = 1800 } = this.options;
    if (this.state.kind === "waiting") this.plan(Math.max(0, Math.min(quiet, this.firstChange + longest - Date.now())));
  }

  // keep puts what is typed into the browser's store: at once, and again when it has changed meanwhile.
  private keep(): void {
    if (this.keeping) return;
    const before = this.options.current();
    this.keeping = this.options.drafts
      .keep({ base: this.base, ...before })
      .then(
        () => (this.kept = true),
        () => (this.kept = false),
      )
      .then(() => {
        this.keeping = null;
        if (this.dirty && !same(this.options.current(), before)) this.keep();
      });
  }

  private plan(delay: number): void {
    clearTimeout(this.timer);
    if (this.ended) return;
    this.timer = setTimeout(() => void this.save(), delay);
  }

  // save sends what was typed now. One save is under way at a time.
  readonly save = async (): Promise<void> => {
    clearTimeout(this.timer);
    if (this.busy || this.state.kind === "conflict") return;
    const sent = this.options.current();
    if (this.isKnown(sent)) return this.settle();
    this.firstChange = Date.now();
    if (this.state.kind === "waiting" || this.state.kind === "failed") this.become({ kind: "saving" });
    this.busy = this.send(sent);
    await this.busy;
  };

  private async send(sent: C): Promise<void> {
    try {
      const { revision, parents } = await this.options.server.save(this.base, changes(this.known, sent));
      const alone = revision === this.base || parents.includes(this.base);
      if (alone) {
        this.base = revision;
        this.known = sent;
      } else {
        await this.takeIn(sent);
      }
      this.failures = 0;
      this.busy = null;
      if (this.get().kind !== "conflict") await this.settle();
    } catch (failure) {
      this.busy = null;
      await this.failed(failure);
    }
  }

  private isKnown(content: C): boolean {
    return this.known !== null && Object.keys(changes(this.known, content)).length === 0;
  }

  // settle says that all is saved, or goes on with what was typed meanwhile.
  private async settle(): Promise<void> {
    const now = this.options.current();
    if (this.isKnown(now)) {
      this.dirty = false;
      this.become({ kind: "saved" });
      await this.keeping;
      if (!this.dirty) await this.options.drafts.drop().catch(() => undefined);
      return;
    }
    this.become({ kind: "waiting" });
    this.keep();
    this.plan(this.options.quiet ?? 800);
  }

  // takeIn shows what somebody else has changed, beside what was typed since it was sent.
  private async takeIn(sent: C): Promise<void> {
    const theirs = await this.options.server.load();
    const now = this.options.current();
    const both = this.options.form.merged(sent, now, theirs);
    if (!both) return this.become({ kind: "conflict", theirs });
    this.base = theirs.revision;
    this.known = theirs;
    this.options.received(both);
    // The editor may write what it received in another way; without a change of this person's that is no change.
    if (same(now, sent)) this.known = this.options.current();
  }

  private async failed(failure: unknown): Promise<void> {
    this.failures++;
    if (failure instanceof Failure && failure.status === 409) {
      // Two changed the same, or the change request is not open any more.
      const theirs = await this.options.server.load().catch(() => null);
      if (theirs && theirs.revision !== this.base) return this.become({ kind: "conflict", theirs });
    }
    if (withoutNetwork(failure)) this.become({ kind: "offline", kept: this.kept });
    else {
      const { status, message } = failure instanceof Failure ? failure : { status: 0, message: String(failure) };
      this.become({ kind: "failed", reason: message, signedOut: status === 401, kept: this.kept });
    }
    // What does not pass by itself is tried again by the person; nothing is lost until then.
    if (withoutNetwork(failure)) this.plan(Math.min(1000 * 2 ** Math.min(this.failures, 4), 10_000));
  }

  // saved returns once the server has what is typed now; it fails when that cannot be.
  readonly saved = async (): Promise<void> => {
    void this.save();
    await new Promise<void>((done, fail) => {
      const look = () => {
        const { kind } = this.get();
        if (kind === "waiting" || kind === "saving" || this.busy) return;
        stop();
        if (kind === "saved") done();
        else fail(new Error(kind));
      };
      const stop = this.subscribe(look);
      look();
    });
  };

  // refresh shows what the server has by now, beside what is typed here.
  readonly refresh = async (): Promise<void> => {
    await this.saved();
    this.busy = this.takeIn(this.options.current());
    try {
      await this.busy;
    } finally {
      this.busy = null;
    }
    if (this.get().kind !== "conflict") await this.settle();
  };

  // follow shows what a revision has that others have made, unless something is typed here that is still to be sent: a
  // save brings that along.
  async follow(revision: string): Promise<void> {
    this.wanted = revision;
    if (this.following) return;
    this.following = true;
    try {
      // One that this page has saved is its base in a moment.
      await this.busy;
      for (let last = ""; this.wanted !== last && this.wanted !== this.base && this.state.kind === "saved"; ) {
        last = this.wanted;
        await this.refresh();
      }
    } catch {
      // The next revision, or the next save, brings it.
    } finally {
      this.following = false;
    }
  }

  // keepMine saves what is typed here where both have changed the same, and what only the others have changed as
  // theirs.
  keepMine(): void {
    if (this.state.kind !== "conflict") return;
    const { theirs } = this.state;
    const now = this.options.current();
    if (this.known) this.options.received(this.options.form.mineFirst(this.known, now, theirs));
    this.base = theirs.revision;
    this.known = theirs;
    this.become({ kind: "waiting" });
    this.plan(0);
  }

  // takeTheirs drops what is typed here.
  takeTheirs(): void {
    if (this.state.kind !== "conflict") return;
    const { theirs } = this.state;
    this.base = theirs.revision;
    this.options.replaced(theirs);
    this.known = this.options.current();
    this.state = { kind: "waiting" };
    void this.settle();
  }

  // leave sends what is left when the page is left; a draft stays in the browser if nobody answers.
  leave(): void {
    clearTimeout(this.timer);
    if (this.dirty) void this.save();
  }

  // flush sends all that is typed now, and reports whether the server has it.
  async flush(): Promise<boolean> {
    // What is typed while it is sent is sent as well; somebody who never stops typing has it their way.
    for (let tries = 0; tries < 5; tries++) {
      await this.busy;
      if (this.state.kind === "conflict") return false;
      if (!this.dirty) return true;
      await this.save();
      const { kind } = this.get();
      if (kind === "offline" || kind === "failed" || kind === "conflict") return false;
    }
    return !this.dirty;
  }

  // end sends what is left for the last time, and goes on no further. What the server does not have then is a draft.
  async end(): Promise<void> {
    this.ended = true;
    clearTimeout(this.timer);
    await this.flush();
    await this.keeping;
  }

  // resume goes on after an end.
  resume(): void {
    this.ended = false;
  }
}
