// Saves a page while it is written: soon after each change, on the revision that it was read from, so that nothing of
// somebody else's is overwritten. What was typed is kept in the browser until the server has said that it has it.
import { Failure } from "../api/client";
import { same, type JsonDocument } from "../editor/document";
import type { Draft, Drafts } from "./drafts";
import { merged, mineFirst } from "./merge";

export interface Content {
  title: string;
  document: JsonDocument;
}

export interface Loaded extends Content {
  revision: string;
}

// Server is what saving asks of the API. Its failures are those of the client.
export interface Server {
  // save changes the page on a revision, and returns the revision that it made with what that was made on.
  save(base: string, content: Partial<Content>): Promise<{ revision: string; parents: string[] }>;
  load(): Promise<Loaded>;
}

export type SaveState =
  | { kind: "saved" | "waiting" | "saving" }
  | { kind: "offline"; kept: boolean }
  | { kind: "failed"; reason: string; signedOut: boolean; kept: boolean }
  | { kind: "conflict"; theirs: Loaded };

interface Options {
  server: Server;
  drafts: Drafts;
  // What the server has, as it was loaded.
  loaded: Loaded;
  // What was typed before and never saved.
  left: Draft | null;
  // current returns what is typed now.
  current: () => Content;
  // received shows what somebody else has changed, replaced something else as a whole.
  received: (content: Content) => void;
  replaced: (content: Content) => void;
  // What a person does not wait for: a save comes so long after the last change, and so long after the first at most.
  quiet?: number;
  longest?: number;
}

const withoutNetwork = (failure: unknown) => failure instanceof Failure && (failure.status === 0 || failure.status >= 500);

export class Saving {
  private base: string;
  // What the server is known to have on base; null for what was typed on a revision that is not known here.
  private known: Content | null;
  private state: SaveState = { kind: "saved" };
  private dirty = false;
  private busy = false;
  private kept = true;
  private keeping: Promise<void> | null = null;
  private firstChange = 0;
  private failures = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly listeners = new Set<() => void>();

  constructor(private readonly options: Options) {
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
  readonly get = (): SaveState => this.state;

  private become(state: SaveState): void {
    this.state = state;
    for (const listener of this.listeners) listener();
  }

  // changed notes that something was typed.
  changed(): void {
    if (!this.dirty) this.firstChange = Date.now();
    this.dirty = true;
    this.keep();
    if (this.state.kind === "saved" || this.state.kind === "saving") this.become({ kind: "waiting" });
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
    this.timer = setTimeout(() => void this.save(), delay);
  }

  // save sends what was typed now. One save is under way at a time.
  readonly save = async (): Promise<void> => {
    clearTimeout(this.timer);
    if (this.busy || this.state.kind === "conflict") return;
    const sent = this.options.current();
    if (this.known && same(this.known.document, sent.document) && this.known.title === sent.title) return this.settle();
    this.busy = true;
    this.firstChange = Date.now();
    if (this.state.kind === "waiting" || this.state.kind === "failed") this.become({ kind: "saving" });
    try {
      const { title, document } = sent;
      const change: Partial<Content> = {};
      if (this.known?.title !== title) change.title = title;
      if (!this.known || !same(this.known.document, document)) change.document = document;
      const { revision, parents } = await this.options.server.save(this.base, change);
      const alone = revision === this.base || parents.includes(this.base);
      if (alone) {
        this.base = revision;
        this.known = sent;
      } else {
        await this.takeIn(sent);
      }
      this.failures = 0;
      this.busy = false;
      if (this.get().kind !== "conflict") await this.settle();
    } catch (failure) {
      this.busy = false;
      await this.failed(failure);
    }
  };

  // settle says that all is saved, or goes on with what was typed meanwhile.
  private async settle(): Promise<void> {
    const now = this.options.current();
    if (this.known && same(this.known.document, now.document) && this.known.title === now.title) {
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
  private async takeIn(sent: Content): Promise<void> {
    const theirs = await this.options.server.load();
    const now = this.options.current();
    const nodes = merged(sent.document.nodes, now.document.nodes, theirs.document.nodes);
    if (!nodes || (now.title !== sent.title && theirs.title !== sent.title)) return this.become({ kind: "conflict", theirs });
    this.base = theirs.revision;
    this.known = theirs;
    this.options.received({ title: now.title === sent.title ? theirs.title : now.title, document: { ...now.document, nodes } });
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

  // keepMine saves what is typed here where both have changed the same, and what only the others have changed as theirs.
  keepMine(): void {
    if (this.state.kind !== "conflict") return;
    const { theirs } = this.state;
    const now = this.options.current();
    if (this.known) {
      const nodes = mineFirst(this.known.document.nodes, now.document.nodes, theirs.document.nodes);
      const title = now.title === this.known.title ? theirs.title : now.title;
      this.options.received({ title, document: { ...now.document, nodes } });
    }
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
}
