// A live session as one browser sees it: what is sent, what comes, in which order, and what a person is told. It knows
// neither the screen nor the network: messages go through a Line, the text is a Joint.
import type { Joint } from "./joint";
import type { EndReason, Cursor, FromClient, FromServer, Person, Steps } from "./wire";
import type { Way } from "./connection";

// Line is a connection as a live session needs it.
export interface Line {
  start(): void;
  send(message: FromClient): boolean;
  retry(): void;
  close(): void;
}

// Underway is a batch that was sent, and may be on disk.
export interface Underway {
  id: string;
  version: number;
  count: number;
}

export type LiveState = {
  // saved: the server has all. saving: it has not said so yet. The others say why it does not have it.
  kind: "saved" | "saving" | "offline" | "refused" | "signedOut" | "conflict" | "ended";
  message: string;
  way: Way;
  people: Person[];
  ended: { reason: EndReason; message: string } | null;
};

export interface Begun {
  session: string;
  version: number;
  underway: Underway | null;
}

interface Options {
  client: string;
  schema: string;
  joint: Joint;
  // What goes on from an earlier time, null to begin anew.
  begun: Begun | null;
  revision: string;
  // unavailable: the server takes nobody in, or the app is too old for it.
  unavailable: (message: string) => void;
  // revised: the branch has a revision that this page's text is in. paged: other fields of the page are others now.
  revised: () => void;
  paged: () => void;
  random?: () => number;
}

// What is typed within this time goes as one batch.
const gathers = 40;
// A batch that nobody answers in this time is sent over another connection.
const patience = 10_000;
// Steps that do not come in this time after later ones are asked for.
const gap = 1000;
// Cursors are not sent more often.
const cursorPause = 120;

const nobody: Person[] = [];
const quiet: Omit<LiveState, "kind"> = { message: "", way: "none", people: nobody, ended: null };

export class Live {
  private now: LiveState = { kind: "saved", ...quiet };
  private line: Line | null = null;
  private session: string | null;
  private underway: Underway | null;
  private resent = 0;
  private joined = false;
  // What was typed before the session was known is sent once it is.
  private refusal = "";
  private conflict: { node: unknown; version: number; session: string } | null = null;
  private ended: LiveState["ended"] = null;
  private signedOut = false;
  private away = false;
  private way: Way = "none";
  private people = nobody;
  private readonly ahead = new Map<number, Steps>();
  private inbox: FromServer[] = [];
  private readonly cursors = new Map<string, Cursor>();
  private told = "";
  private readonly timers: Record<"send" | "answer" | "gap" | "cursor" | "part", ReturnType<typeof setTimeout> | undefined> = { send: undefined, answer: undefined, gap: undefined, cursor: undefined, part: undefined };
  private readonly listeners = new Set<() => void>();
  private flushes: { version: number | null; done: (revision: boolean) => void }[] = [];
  private focused = false;
  private parting: (() => void) | null = null;
  // revision is the newest one that is known to hold text of this session.
  revision: string;

  constructor(private readonly options: Options) {
    this.session = options.begun?.session ?? null;
    this.underway = options.begun?.underway ?? null;
    this.revision = options.revision;
  }

  readonly get = (): LiveState => this.now;
  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  // connect begins, over a line.
  connect(line: Line): void {
    this.line = line;
    line.start();
  }

  // begun is what another tab needs to go on, null while no session is known.
  get begun(): Begun | null {
    return this.session === null ? null : { session: this.session, version: this.options.joint.version, underway: this.underway };
  }

  private become(): void {
    const pending = this.options.joint.pending > 0;
    const kind = ((): LiveState["kind"] => {
      if (this.conflict) return "conflict";
      if (this.ended) return "ended";
      if (!pending) return "saved";
      if (this.refusal) return "refused";
      if (this.signedOut) return "signedOut";
      return this.away ? "offline" : "saving";
    })();
    const people = this.joined ? this.people : nobody;
    const { now } = this;
    const message = kind === "refused" ? this.refusal : (this.ended?.message ?? "");
    if (kind !== now.kind || message !== now.message || this.way !== now.way || people !== now.people || this.ended !== now.ended) {
      this.now = { kind, message, way: this.way, people, ended: this.ended };
      for (const listener of this.listeners) listener();
    }
    if (kind !== "saving" && kind !== "offline") this.part();
  }

  // What the connection tells.

  readonly hello = (): FromClient => {
    const { begun } = this;
    this.joined = false;
    return { type: "hello", client: this.options.client, schema: this.options.schema, session: begun?.session ?? null, version: begun?.version ?? null };
  };

  readonly up = (way: Way): void => {
    this.way = way;
    this.away = this.signedOut = false;
    this.become();
  };

  readonly down = (): void => {
    this.way = "none";
    this.away = true;
    this.joined = false;
    clearTimeout(this.timers.answer);
    this.answerFlushes(false);
    this.become();
  };

  readonly refused = (status: number, message: string): void => {
    this.way = "none";
    this.joined = false;
    if (status === 401) this.signedOut = true;
    else this.options.unavailable(message);
    this.become();
  };

  readonly message = (message: FromServer): void => {
    if (this.ended && message.type !== "state" && message.type !== "resume") return;
    // While an input method is at work the text stays as it is around it.
    if (this.inbox.length > 0 || (this.options.joint.busy && ["steps", "state", "resume"].includes(message.type))) {
      this.inbox.push(message);
      return;
    }
    this.take(message);
    this.become();
  };

  // settled takes in what came while an input method was at work.
  settled(): void {
    if (this.options.joint.busy) return;
    for (const message of this.inbox.splice(0)) this.take(message);
    this.become();
  }

  private take(message: FromServer): void {
    switch (message.type) {
      case "state":
        this.start(message);
        return;
      case "resume":
        this.resume(message.session, message.version, message.revision);
        return;
      case "steps":
        this.order(message);
        return;
      case "behind":
        this.behind(message.id, message.version);
        return;
      case "refused":
        if (message.id !== this.underway?.id) return;
        this.clear();
        this.refusal = message.message;
        return;
      case "people":
        this.meet(message.people);
        return;
      case "cursor":
        this.point(message.client, message);
        return;
      case "revision":
        this.revision = message.revision;
        this.answerFlushes(true, message.version);
        this.options.revised();
        return;
      case "page":
        this.options.paged();
        return;
      case "ended":
        this.end(message.reason, message.message);
    }
  }

  private start({ session, version, node, revision }: Extract<FromServer, { type: "state" }>): void {
    this.forget();
    this.revision = revision;
    this.ended = null;
    try {
      if (!this.options.joint.begin(node, version)) {
        this.conflict = { node, version, session };
        return;
      }
    } catch {
      // A document that this editor cannot have.
      this.line?.close();
      this.options.unavailable("");
      return;
    }
    this.session = session;
    this.join();
  }

  private resume(session: string, version: number, revision: string): void {
    this.ahead.clear();
    this.ended = null;
    if (session !== this.session || version !== this.options.joint.version) {
      this.anew();
      return;
    }
    if (revision) this.revision = revision;
    this.join();
  }

  private join(): void {
    this.joined = true;
    this.conflict = null;
    this.told = "";
    this.resent = 0;
    // What was under way is sent again as it was; the server knows it by its id.
    if (this.underway) this.send(true);
    else this.plan(0);
    this.tell();
    for (const flush of this.flushes) flush.version = null;
    this.flush();
  }

  // forget leaves a session that is not the one any more.
  private forget(): void {
    this.ahead.clear();
    this.cursors.clear();
    this.clear();
    this.refusal = "";
    this.missed = 0;
  }

  private clear(): void {
    this.underway = null;
    clearTimeout(this.timers.answer);
  }

  // anew begins with what the server has now.
  private anew(): void {
    this.session = null;
    this.forget();
    this.line?.start();
  }

  // missing asks again for steps that do not come.
  private missing(): void {
    clearTimeout(this.timers.gap);
    this.timers.gap = setTimeout(() => (this.ahead.size > 0 || this.options.joint.version < this.missed) && this.line?.start(), gap);
  }

  private order(steps: Steps): void {
    const { joint } = this.options;
    if (this.conflict || steps.version + steps.steps.length <= joint.version) return;
    if (steps.version !== joint.version) {
      this.ahead.set(steps.version, steps);
      this.missing();
      return;
    }
    this.apply(steps);
    for (let next = this.ahead.get(joint.version); next; next = this.ahead.get(joint.version)) {
      this.ahead.delete(next.version);
      this.apply(next);
    }
    for (const [client, cursor] of this.cursors) if (cursor.version <= joint.version) this.point(client, cursor);
  }

  private apply({ id, client, steps, version }: Steps): void {
    const mine = id === this.underway?.id;
    try {
      this.options.joint.receive(steps, mine, client);
    } catch {
      // What the server has is not what this browser thinks.
      this.anew();
      return;
    }
    if (mine) {
      this.clear();
      this.resent = 0;
      this.plan(0);
      this.tell();
    } else if (this.underway && version >= this.underway.version) {
      // Another was at its version: it was not taken, whatever becomes of the connection. The server says so, too.
      this.underway = { ...this.underway, count: -1 };
    }
  }

  private behind(id: string, version: number): void {
    if (id !== this.underway?.id) return;
    this.clear();
    if (version > this.options.joint.version) {
      this.missed = version;
      this.missing();
    }
    const pause = this.resent === 0 ? 0 : Math.min(1000, 20 * 2 ** (this.resent - 1)) * (this.options.random ?? Math.random)();
    this.resent++;
    this.plan(pause);
  }

  // The version that is to come before something is sent again.
  private missed = 0;

  private end(reason: EndReason, message: string): void {
    this.joined = false;
    if (reason === "closed") {
      clearTimeout(this.timers.answer);
      this.line?.start();
      return;
    }
    this.line?.close();
    this.way = "none";
    this.answerFlushes(false);
    if (reason === "schema") {
      this.options.unavailable("");
      return;
    }
    this.ended = { reason, message };
    this.meet([]);
  }

  // What is sent.

  // changed notes that something was typed.
  changed(): void {
    this.refusal = "";
    this.plan(gathers);
    this.become();
  }

  private plan(delay: number): void {
    clearTimeout(this.timers.send);
    this.timers.send = setTimeout(() => this.send(), delay);
  }

  private send(again = false): void {
    const { joint } = this.options;
    if (!this.joined || this.refusal || this.conflict || (this.underway && !again)) return;
    if (joint.version < this.missed) {
      this.plan(gathers);
      return;
    }
    const before = again && this.underway && this.underway.count > 0 && this.underway.version === joint.version ? this.underway : null;
    const steps = joint.batch(before?.count);
    if (steps.length === 0) {
      this.clear();
      this.flush();
      return;
    }
    this.underway = { id: before?.id ?? crypto.randomUUID(), version: joint.version, count: steps.length };
    this.line?.send({ type: "steps", id: this.underway.id, version: joint.version, steps });
    clearTimeout(this.timers.answer);
    this.timers.answer = setTimeout(() => this.line?.start(), patience);
  }

  // save sends now what waits, also what was refused, and tries to connect again.
  save(): void {
    this.refusal = "";
    if (this.ended) {
      this.line?.start();
      return;
    }
    this.line?.retry();
    this.plan(0);
    this.become();
  }

  // flushed returns once the branch has a revision with all that is typed now, or reports that it has not.
  flushed(): Promise<boolean> {
    return new Promise((done) => {
      const flush = { version: null, done };
      this.flushes.push(flush);
      setTimeout(() => {
        this.flushes = this.flushes.filter((each) => each !== flush);
        done(false);
      }, patience);
      if (this.ended || this.conflict || this.refusal || this.away) this.answerFlushes(false);
      this.plan(0);
    });
  }

  private flush(): void {
    if (this.options.joint.pending > 0 || !this.joined) return;
    let ask = false;
    for (const flush of this.flushes) {
      if (flush.version !== null) continue;
      flush.version = this.options.joint.version;
      ask = true;
    }
    if (ask) this.line?.send({ type: "flush" });
  }

  private answerFlushes(revision: boolean, version = Infinity): void {
    const answered = this.flushes.filter((flush) => !revision || (flush.version !== null && flush.version <= version));
    this.flushes = this.flushes.filter((flush) => !answered.includes(flush));
    for (const { done } of answered) done(revision);
  }

  // Others.

  private meet(people: Person[]): void {
    const { client, joint } = this.options;
    const before = this.people;
    const others = people.filter((each) => each.client !== client);
    this.people = others.length > 0 ? others : nobody;
    const gone = before.filter(({ client }) => !this.people.some((each) => each.client === client)).map((each) => each.client);
    for (const each of gone) this.cursors.delete(each);
    if (gone.length > 0) joint.show({ drop: gone });
    for (const { client, cursor } of this.people) if (cursor && !before.some((each) => each.client === client)) this.point(client, cursor);
  }

  private point(client: string, cursor: Cursor): void {
    const { joint } = this.options;
    this.cursors.delete(client);
    const person = this.people.find((each) => each.client === client);
    if (!person) return;
    if (cursor.anchor === null || cursor.head === null) {
      joint.show({ drop: [client] });
      return;
    }
    if (cursor.version > joint.version) {
      this.cursors.set(client, cursor);
      return;
    }
    const anchor = joint.place(cursor.anchor, cursor.version);
    const head = joint.place(cursor.head, cursor.version);
    if (anchor !== null && head !== null) joint.show({ put: { client, name: person.user.displayName, anchor, head } });
  }

  // selected notes that this person is elsewhere in the text, or not in it any more.
  selected(focused: boolean): void {
    this.focused = focused;
    this.timers.cursor ??= setTimeout(() => {
      this.timers.cursor = undefined;
      this.tell();
    }, cursorPause);
  }

  private tell(): void {
    if (!this.joined) return;
    const { joint } = this.options;
    const place = this.focused ? joint.selection() : { anchor: null, head: null };
    const now = JSON.stringify([joint.version, place]);
    if (now === this.told || (this.told === "" && !this.focused)) return;
    if (this.line?.send({ type: "cursor", version: joint.version, ...place })) this.told = now;
  }

  // leave sends what waits and says good-bye. It returns once the server has it, or does not answer.
  leave(): Promise<void> {
    this.options.joint.detach();
    this.focused = false;
    clearTimeout(this.timers.cursor);
    return new Promise((done) => {
      this.parting = done;
      this.timers.part = setTimeout(() => this.part(true), patience);
      this.plan(0);
      this.become();
    });
  }

  private part(now = false): void {
    if (!this.parting || (!now && this.options.joint.pending > 0 && this.now.kind === "saving")) return;
    const done = this.parting;
    this.parting = null;
    for (const timer of Object.values(this.timers)) clearTimeout(timer);
    this.line?.close();
    this.joined = false;
    done();
  }

  // stop goes on no further, without a word.
  stop(): void {
    for (const timer of Object.values(this.timers)) clearTimeout(timer);
    this.joined = false;
    this.line?.close();
    this.answerFlushes(false);
    this.meet([]);
  }

  // choose settles what both have changed.
  choose(prefer: "mine" | "theirs"): void {
    if (!this.conflict) return;
    const { node, version, session } = this.conflict;
    this.options.joint.begin(node, version, prefer);
    this.session = session;
    // More may have come meanwhile.
    this.conflict = null;
    this.line?.start();
    this.become();
  }

  // theirs is the document of the server that what was typed cannot be put together with.
  get theirs(): unknown {
    return this.conflict?.node ?? null;
  }
}
