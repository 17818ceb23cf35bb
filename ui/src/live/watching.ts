// Somebody in a live session who writes the page in another form than steps: who else is there, and when there is a
// revision that others have made.
import type { Heard, Way } from "./connection";
import { nobody } from "./participants";
import { quiet, type Line, type LiveState } from "./types";
import type { FromClient, FromServer } from "./wire";

// What others type is asked for so long after it has begun, and not more often.
const gathers = 400;
const pause = 2000;

interface Options {
  // client and schema are what a session is entered with.
  client: string;
  schema: string;
  // revised: the branch has a revision with what somebody has written in the session.
  revised: (revision: string) => void;
}

export class Watching implements Heard {
  private now = quiet;
  private line: Line | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private asked = 0;
  private readonly listeners = new Set<() => void>();

  constructor(private readonly options: Options) {}

  readonly get = (): LiveState => this.now;
  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  private become(change: Partial<LiveState>): void {
    this.now = { ...this.now, ...change };
    for (const listener of this.listeners) listener();
  }

  // connect begins, over a line.
  connect(line: Line): void {
    this.line = line;
    line.start();
  }

  readonly hello = (): FromClient => ({
    type: "hello",
    client: this.options.client,
    schema: this.options.schema,
    session: null,
    version: null,
  });

  readonly up = (way: Way): void => this.become({ way });

  readonly down = (): void => this.become({ way: "none", people: nobody });

  // Whoever is not taken in writes as if there were no session.
  readonly refused = (): void => this.down();

  readonly message = (message: FromServer): void => {
    switch (message.type) {
      case "state":
        this.become({ ended: null });
        this.options.revised(message.revision);
        return;
      case "steps":
        this.ask();
        return;
      case "revision":
        this.options.revised(message.revision);
        return;
      case "people": {
        const others = message.people.filter(({ client }) => client !== this.options.client);
        this.become({ people: others.length > 0 ? others : nobody });
        return;
      }
      case "ended":
        this.end(message);
    }
  };

  // ask has what was typed made a revision.
  private ask(): void {
    this.timer ??= setTimeout(
      () => {
        this.timer = undefined;
        this.asked = Date.now();
        this.line?.send({ type: "flush" });
      },
      Math.max(gathers, this.asked + pause - Date.now()),
    );
  }

  private end({ reason, message }: Extract<FromServer, { type: "ended" }>): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (reason === "closed") {
      this.timer = setTimeout(() => {
        this.timer = undefined;
        this.line?.start();
      }, gathers);
      return;
    }
    this.line?.close();
    // An app that is older than its server writes Markdown as ever.
    this.become({ people: nobody, way: "none", ended: reason === "schema" ? null : { reason, message } });
  }

  // stop leaves.
  stop(): void {
    clearTimeout(this.timer);
    this.line?.close();
  }
}
