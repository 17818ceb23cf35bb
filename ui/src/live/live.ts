// A live session as one browser sees it: what is sent, what comes, in which order, and what a person is told. It knows
// neither the screen nor the network: messages go through a Line, the text is a SharedText.
import { Participants, nobody } from "./participants";
import type { Way } from "./connection";
import { Flushes } from "./flushes";
import { Order } from "./order";
import { kindOf, Published } from "./published";
import type { Begun, Line, LiveState, Options, Underway } from "./types";
import { uuid } from "./uuid";
import type { EndReason, FromClient, FromServer, Steps } from "./wire";

// What is typed within this time goes as one batch.
const gathers = 40;
// A batch that nobody answers in this time is sent over another connection.
const patience = 10_000;

export class Live {
  private line: Line | null = null;
  private session: string | null;
  private underway: Underway | null;
  private resent = 0;
  private joined = false;
  private refusal = "";
  private conflict: { node: unknown; version: number; session: string } | null = null;
  private ended: LiveState["ended"] = null;
  private signedOut = false;
  private away = false;
  private way: Way = "none";
  private readonly early: Order;
  private inbox: FromServer[] = [];
  private readonly timers: Partial<Record<"send" | "answer" | "again" | "part", ReturnType<typeof setTimeout>>> = {};
  private readonly published = new Published();
  readonly get = this.published.get;
  readonly subscribe = this.published.subscribe;
  private readonly flushes = new Flushes();
  readonly participants: Participants;
  private parting: (() => void) | null = null;
  // revision is the newest one that is known to hold text of this session.
  revision: string;

  constructor(private readonly options: Options) {
    const tell = (message: FromClient) => this.joined && (this.line?.send(message) ?? false);
    this.participants = new Participants(options.client, options.shared, tell);
    this.early = new Order(() => options.shared.version, () => this.line?.start());
    this.session = options.begun?.session ?? null;
    this.underway = options.begun?.underway ?? null;
    this.revision = options.revision;
    this.become();
  }

  // connect begins, over a line.
  connect(line: Line): void {
    this.line = line;
    line.start();
  }

  // begun is what another tab needs to go on, null while no session is known.
  get begun(): Begun | null {
    const { session, underway } = this;
    return session === null ? null : { session, version: this.options.shared.version, underway };
  }

  private become(): void {
    const { conflict, ended, refusal, signedOut, away, way } = this;
    const pending = this.options.shared.pending > 0;
    const kind = kindOf({ conflict, ended, refusal, signedOut, away, pending });
    const people = this.joined ? this.participants.people : nobody;
    const message = kind === "refused" ? refusal : (ended?.message ?? "");
    this.published.put({ kind, message, way, people, ended });
    this.part();
  }

  readonly hello = (): FromClient => {
    const { begun } = this;
    this.joined = false;
    const { client, schema } = this.options;
    return { type: "hello", client, schema, session: begun?.session ?? null, version: begun?.version ?? null };
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
    this.flushes.answer(false);
    // Where others are is not known any more.
    this.participants.meet(nobody);
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
    if (this.inbox.length > 0 || (this.options.shared.busy && ["steps", "state", "resume"].includes(message.type))) {
      this.inbox.push(message);
      return;
    }
    this.take(message);
    this.become();
  };

  // settled takes in what came while an input method was at work.
  settled(): void {
    if (this.options.shared.busy) return;
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
        this.participants.meet(message.people);
        return;
      case "cursor":
        this.participants.point(message.client, message);
        return;
      case "revision":
        this.revision = message.revision;
        this.flushes.answer(true, message.version);
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
      if (!this.options.shared.begin(node, version)) {
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
    this.early.clear();
    this.ended = null;
    if (session !== this.session || version !== this.options.shared.version) {
      this.anew();
      return;
    }
    if (revision) this.revision = revision;
    this.join();
  }

  private join(): void {
    this.joined = true;
    this.conflict = null;
    this.resent = 0;
    // What was under way is sent again as it was; the server knows it by its id.
    if (this.underway) this.send(true);
    else this.plan(0);
    this.participants.tell(true);
    this.flushes.again();
    this.flush();
  }

  // forget leaves a session that is not the one any more.
  private forget(): void {
    this.early.clear();
    this.participants.forget();
    this.clear();
    this.refusal = "";
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

  private order(steps: Steps): void {
    const { shared } = this.options;
    if (this.conflict || steps.version + steps.steps.length <= shared.version) return;
    if (steps.version !== shared.version) {
      this.early.keep(steps);
      return;
    }
    this.apply(steps);
    for (let next = this.early.next(); next; next = this.early.next()) this.apply(next);
    this.participants.came();
  }

  private apply({ id, client, steps, version }: Steps): void {
    const mine = id === this.underway?.id;
    try {
      this.options.shared.receive(steps, mine, client);
    } catch {
      // What the server has is not what this browser thinks.
      this.anew();
      return;
    }
    if (mine) {
      this.clear();
      this.resent = 0;
      this.plan(0);
      this.participants.tell();
    } else if (this.underway && version >= this.underway.version) {
      // Another was at its version: it was not taken, whatever becomes of the connection. The server says so, too.
      this.underway = { ...this.underway, count: -1 };
    }
  }

  private behind(id: string, version: number): void {
    if (id !== this.underway?.id) return;
    this.clear();
    this.early.wait(version);
    const pause =
      this.resent === 0 ? 0 : Math.min(1000, 20 * 2 ** (this.resent - 1)) * (this.options.random ?? Math.random)();
    this.resent++;
    this.plan(pause);
  }

  private end(reason: EndReason, message: string): void {
    this.joined = false;
    if (reason === "closed") {
      clearTimeout(this.timers.answer);
      this.timers.again = setTimeout(() => this.line?.start(), 200 * (0.5 + (this.options.random ?? Math.random)()));
      return;
    }
    this.line?.close();
    this.way = "none";
    this.flushes.answer(false);
    if (reason === "schema") {
      this.options.unavailable("");
      return;
    }
    this.ended = { reason, message };
    this.participants.meet([]);
  }

  // changed notes that something was typed.
  changed(): void {
    if (this.inbox.length > 0) this.settled();
    this.refusal = "";
    this.plan(gathers);
    this.become();
  }

  private plan(delay: number): void {
    clearTimeout(this.timers.send);
    this.timers.send = setTimeout(() => this.send(), delay);
  }

  private send(again = false): void {
    const { shared } = this.options;
    if (!this.joined || this.refusal || this.conflict || (this.underway && !again)) return;
    if (this.early.incomplete) {
      this.plan(gathers);
      return;
    }
    const { underway } = this;
    const before = again && underway && underway.count > 0 && underway.version === shared.version ? underway : null;
    const steps = shared.batch(before?.count);
    if (!steps) {
      this.options.oversized();
      return;
    }
    if (steps.length === 0) {
      this.clear();
      this.flush();
      return;
    }
    this.underway = { id: before?.id ?? uuid(), version: shared.version, count: steps.length };
    this.line?.send({ type: "steps", id: this.underway.id, version: shared.version, steps });
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
    this.retry();
    this.plan(0);
    this.become();
  }

  // retry connects now where that waits.
  retry(): void {
    if (!this.ended) this.line?.retry();
  }

  // flushed returns once the branch has a revision with all that is typed now, or reports that it has not.
  flushed(): Promise<boolean> {
    const answer = this.flushes.wait();
    if (this.ended || this.conflict || this.refusal || this.away) this.flushes.answer(false);
    this.plan(0);
    return answer;
  }

  private flush(): void {
    const { shared } = this.options;
    if (this.joined && shared.pending === 0 && this.flushes.ask(shared.version)) this.line?.send({ type: "flush" });
  }

  // leave goes on without a view until the server has all, and says good-bye then.
  leave(): Promise<void> {
    this.options.shared.detach();
    this.participants.stop();
    return new Promise((done) => {
      this.parting = done;
      this.plan(0);
      this.become();
    });
  }

  // finish ends a leave whose text cannot be sent now.
  finish(): void {
    if (this.get().kind === "offline") this.part(true);
    else this.timers.part = setTimeout(() => this.part(true), patience);
  }

  private part(now = false): void {
    if (!this.parting || (!now && ["saving", "offline"].includes(this.get().kind))) return;
    const done = this.parting;
    this.parting = null;
    this.stop();
    done();
  }

  // stop goes on no further, without a word.
  stop(): void {
    for (const timer of Object.values(this.timers)) clearTimeout(timer);
    this.early.clear();
    this.joined = false;
    this.line?.close();
    this.flushes.answer(false);
    this.participants.meet([]);
    this.parting?.();
  }

  // choose settles what both have changed.
  choose(prefer: "mine" | "theirs"): void {
    if (!this.conflict) return;
    const { node, version, session } = this.conflict;
    this.options.shared.begin(node, version, prefer);
    this.session = session;
    // More may have come meanwhile.
    this.conflict = null;
    this.line?.start();
    this.become();
  }
}
