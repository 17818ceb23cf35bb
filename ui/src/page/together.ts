// Saves a page while it is written, alone or with others. The body goes through a live session, the title through the
// API; where there is no session, both go through the API. What was typed is kept in the browser until the server has
// it.
import { Connection, type Ways } from "../live/connection";
import type { SharedText } from "../live/sharedText";
import { Live } from "../live/live";
import { quiet, type Begun, type LiveState } from "../live/types";
import type { JsonDocument } from "../editor/document";
import type { Draft, Drafts, LiveDraft } from "./drafts";
import { headline, rich, type Headline, type Rich } from "./forms";
import { Saving, type Loaded, type Saver, type SaveState, type Server } from "./saving";

interface Options {
  // client names this tab for as long as it has the page open.
  client: string;
  ways: Ways;
  server: Server<Rich>;
  drafts: Drafts<Rich>;
  loaded: Loaded<Rich>;
  left: Draft<Rich> | null;
  // Whether the page can be changed, and whether this person may take part in its session.
  open: boolean;
  may: boolean;
  // What is typed now.
  current: () => Rich;
  show: (title: string) => void;
  receive: (document: JsonDocument) => void;
  replace: (document: JsonDocument) => void;
  // revised: the branch has a new revision. paged: fields of the page but its body have changed.
  revised: () => void;
  paged: () => void;
  signedOut: () => void;
  // refused: the server does not let this person into the session, or not any more.
  refused: () => void;
}

// Given is what a text begins with in a session.
export interface Given {
  shared: SharedText;
  // schema names what documents the editor can have.
  schema: string;
  // Whether it could go on from what was kept.
  kept: boolean;
}

export class Together implements Saver {
  // api: title and body through the API. live: the body through a session.
  private mode: "api" | "live";
  private saving: Saving<Rich> | Saving<Headline>;
  private live: Live | null = null;
  private given: Given | null = null;
  private stopSaving: () => void = () => undefined;
  private now: SaveState = { kind: "saved" };
  private session: LiveState = quiet;
  // What Saving wants kept of the title.
  private titled: string | null = null;
  private keeping: Promise<void> | null = null;
  private again = false;
  private kept = true;
  private parting: Promise<void> | null = null;
  // outdated is true when the server has a newer app than this.
  outdated = false;
  private readonly listeners = new Set<() => void>();

  constructor(private readonly options: Options) {
    const { open, may, left } = options;
    this.mode = open && may && (!left || left.live) ? "live" : "api";
    this.saving = this.mode === "live" ? this.titles() : this.whole(options.loaded, open ? left : null);
    this.watch();
    if (this.mode === "live" && left?.live?.titled) this.saving.changed();
  }

  private watch(): void {
    this.stopSaving();
    this.stopSaving = this.saving.subscribe(() => this.changedState());
    this.changedState();
  }

  private titles(): Saving<Headline> {
    const { left, loaded, server, current, show } = this.options;
    const titled = left?.live?.titled;
    return new Saving<Headline>({
      form: headline,
      server: { load: server.load, save: (base, content) => server.save(base, content) },
      drafts: { keep: (draft) => this.keepTitle(draft.base), drop: () => this.keepTitle(null) },
      // A title that was typed before is saved on the revision that it was typed on.
      loaded: titled
        ? { title: "\0", revision: titled }
        : { title: loaded.title, revision: this.live?.revision ?? loaded.revision },
      left: null,
      current: () => ({ title: current().title }),
      received: ({ title }) => show(title),
      replaced: ({ title }) => show(title),
    });
  }

  private whole(loaded: Loaded<Rich>, left: Draft<Rich> | null): Saving<Rich> {
    const { server, drafts, current, show, receive, replace } = this.options;
    return new Saving<Rich>({
      form: rich,
      server,
      drafts,
      loaded,
      left,
      current,
      received: ({ title, document }) => (show(title), receive(document)),
      replaced: ({ title, document }) => (show(title), replace(document)),
    });
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
  readonly get = (): SaveState => this.now;
  // together is the session as it is shown.
  readonly together = (): LiveState => this.session;

  private changedState(): void {
    const session = this.mode === "live" ? (this.live?.get() ?? quiet) : quiet;
    const next = this.state(session);
    if (JSON.stringify(next) === JSON.stringify(this.now) && session === this.session) return;
    this.now = next;
    this.session = session;
    for (const listener of this.listeners) listener();
  }

  // state is the worst of how the title and the body stand.
  private state(session: LiveState): SaveState {
    const title = this.saving.get();
    const failed = (reason: string, signedOut = false): SaveState => ({
      kind: "failed",
      reason,
      signedOut,
      kept: this.kept,
    });
    if (title.kind === "conflict") return title;
    // What was typed before waits for its text.
    if (this.mode === "live" && !this.live && this.options.left?.live?.text) return { kind: "waiting" };
    switch (session.kind) {
      case "conflict":
        return { kind: "conflict", theirs: { revision: this.live!.revision } };
      case "refused":
        return failed(session.message);
      case "signedOut":
        return failed("", true);
      case "ended":
        if (this.given!.shared.pending > 0) return failed(session.message);
        break;
      case "offline":
        return title.kind === "failed" ? title : { kind: "offline", kept: this.kept };
      case "saving":
        if (title.kind === "saved" || title.kind === "waiting") return { kind: "saving" };
    }
    return title;
  }

  // begin takes part in the session with the text that has come.
  begin(given: Given): void {
    const text = this.options.left?.live?.text;
    this.given = given;
    if (this.mode === "live" && text && !given.kept) {
      // This editor cannot go on from the steps; the document is there as well.
      this.mode = "api";
      this.saving = this.whole(this.options.loaded, this.options.left);
      this.watch();
    }
    if (this.mode === "live")
      this.join(text && given.kept ? { session: text.session, version: text.version, underway: text.underway } : null);
    else if (this.options.open && this.options.may) this.joinLater();
  }

  // What was typed before goes into the branch first, and comes into the session from there.
  private joinLater(): void {
    const joined = () => {
      if (this.mode === "live" || this.saving.get().kind !== "saved") return;
      stop();
      void this.saving.end();
      this.mode = "live";
      this.given?.shared.reset();
      this.saving = this.titles();
      this.watch();
      if (this.given) this.join(null);
    };
    const stop = this.saving.subscribe(joined);
    joined();
  }

  private join(begun: Begun | null): void {
    const { client, ways, loaded, left, revised, signedOut } = this.options;
    const { shared, schema } = this.given!;
    const live = new Live({
      client,
      schema,
      shared,
      begun,
      revision: left?.live?.text?.base ?? loaded.revision,
      unavailable: (message) => {
        this.fallBack(live, message === "");
        if (message !== "") this.options.refused();
      },
      // The API takes more, and the session has it from there.
      oversized: () => {
        if (this.live !== live) return;
        this.fallBack(live, false);
        this.joinLater();
      },
      revised,
      paged: () => this.paged(),
    });
    this.live = live;
    let clean = shared.pending === 0;
    live.subscribe(() => {
      if (this.live !== live) return;
      const now = shared.pending === 0;
      if (now && !clean) this.keep();
      clean = now;
      if (live.get().ended?.reason === "access" && this.session.ended === null) this.options.refused();
      if (live.get().kind === "signedOut" && this.now.kind !== "failed") signedOut();
      this.changedState();
    });
    live.connect(new Connection(client, ways, live));
    this.changedState();
  }

  // fallBack writes through the API from now on.
  private fallBack(live: Live, outdated: boolean): void {
    if (this.live !== live) return;
    const { loaded, current } = this.options;
    const pending = this.given!.shared.pending > 0 || this.titled !== null;
    this.outdated = outdated;
    live.stop();
    this.mode = "api";
    this.live = null;
    const { revision } = live;
    this.saving = this.whole(
      pending ? loaded : { ...current(), revision },
      pending ? { ...current(), base: revision } : null,
    );
    this.titled = null;
    this.watch();
  }

  private pagedTimer: ReturnType<typeof setTimeout> | undefined;

  private paged(): void {
    this.options.paged();
    clearTimeout(this.pagedTimer);
    // A title that is typed by another comes in a few parts.
    this.pagedTimer = setTimeout(() => {
      if (this.mode === "live" && this.saving.get().kind === "saved") void this.saving.refresh().catch(() => undefined);
    }, 400);
  }

  // changed notes that the title was typed, typed that the body was.
  changed(): void {
    this.saving.changed();
  }

  typed(): void {
    if (this.mode === "api") {
      this.saving.changed();
      return;
    }
    this.live?.changed();
    this.changedState();
    this.keep();
  }

  private keepTitle(base: string | null): Promise<void> {
    this.titled = base;
    this.keep();
    return this.keeping ?? Promise.resolve();
  }

  // keep puts what the server does not have into the browser's store: at once, and again when it has changed meanwhile.
  private keep(): void {
    if (this.keeping) {
      this.again = true;
      return;
    }
    this.again = false;
    this.keeping = this.store()
      .then(
        () => (this.kept = true),
        () => (this.kept = false),
      )
      .then(() => {
        this.keeping = null;
        if (this.again) this.keep();
      });
  }

  private async store(): Promise<void> {
    const { drafts, current, loaded } = this.options;
    // What the API saves is kept by Saving.
    if (this.mode === "api") return;
    const dirty = (this.given?.shared.pending ?? 0) > 0;
    if (!dirty && this.titled === null) {
      await drafts.drop();
      return;
    }
    const base = this.live?.revision ?? loaded.revision;
    const begun = this.live?.begun;
    const live: LiveDraft = {
      titled: this.titled,
      text:
        dirty && begun ? { ...begun, base, schema: this.given!.schema, waiting: this.given!.shared.waiting() } : null,
    };
    const draft: Draft<Rich> = { ...current(), base };
    // What was typed before a session was known is a document on a revision.
    await drafts.keep(dirty && !begun ? draft : { ...draft, live });
  }

  readonly save = async (): Promise<void> => {
    this.live?.save();
    await this.saving.save();
  };

  async flush(): Promise<boolean> {
    const title = await this.saving.flush();
    const { live } = this;
    if (!live) return title;
    if (await live.flushed()) return title;
    // It may be the API's turn now.
    if (!this.live) return this.saving.flush();
    return title && this.given?.shared.pending === 0 && this.get().kind === "saved";
  }

  readonly saved = async (): Promise<void> => {
    if (!(await this.flush())) throw new Error(this.get().kind);
  };

  readonly refresh = async (): Promise<void> => {
    if (this.mode === "api") await this.saving.refresh();
    else await this.saved();
  };

  keepMine(): void {
    if (this.live?.get().kind === "conflict") this.live.choose("mine");
    else this.saving.keepMine();
  }

  takeTheirs(): void {
    if (this.live?.get().kind === "conflict") this.live.choose("theirs");
    else this.saving.takeTheirs();
  }

  leave(): void {
    this.saving.leave();
  }

  // part leaves the session when the text goes; what waits is sent first.
  part(): void {
    const { live } = this;
    if (!live) return;
    this.parting = live.leave().then(() => this.keeping ?? undefined);
  }

  async end(): Promise<void> {
    await this.saving.end();
    if (this.parting) this.live?.finish();
    await this.parting;
    // What is too much for the session is saved by now, or is a draft.
    if (this.mode === "api") await this.saving.end();
    await this.keeping;
  }

  resume(): void {
    this.saving.resume();
    this.live?.retry();
  }

  // selected and settled pass on what happens in the text.
  selected(focused: boolean): void {
    this.live?.participants.selected(focused);
  }

  settled(): void {
    this.live?.settled();
  }
}

