// The way to the server: a WebSocket, HTTP where WebSockets do not pass, and again and again while neither does.
import type { FromClient, FromServer } from "./wire";

// Way is how messages go now; none while nothing answers.
export type Way = "socket" | "http" | "none";

export interface Socket {
  onopen: (() => void) | null;
  onmessage: ((event: { data: string }) => void) | null;
  onclose: (() => void) | null;
  send(text: string): void;
  close(): void;
}

// Answer is what a POST came back with; status is 0 when nothing answered.
export type Answer = { messages: FromServer[] } | { status: number; message: string };

export interface Ways {
  socket(): Socket;
  post(body: { client: string; wait: number; messages: FromClient[] }, signal: AbortSignal): Promise<Answer>;
  // gone calls back when the network goes, and returns what ends that.
  gone?(act: () => void): () => void;
  // last sends what nobody waits for, when the page goes.
  last?(body: { client: string; wait: number; messages: FromClient[] }): void;
}

export interface Heard {
  // hello is what a connection begins with.
  hello(): FromClient;
  message(message: FromServer): void;
  // up: messages go; down: they do not, and it is tried again.
  up(way: Way): void;
  down(): void;
  // refused: the server answers, but takes nobody in.
  refused(status: number, message: string): void;
}

// So long a WebSocket may take to open and to say something before HTTP is tried.
const patience = 4000;
// So long the server may keep a question that has no answer yet, in seconds.
const wait = 25;
// So long WebSockets are not tried again where they did not pass.
const shunned = 10 * 60_000;

let blockedUntil = 0;

// forget lets WebSockets be tried again at once, for tests.
export const forget = (): void => void (blockedUntil = 0);

export class Connection {
  private way: Way = "none";
  private socket: Socket | null = null;
  private hearing: AbortController | null = null;
  private queue: FromClient[] = [];
  private posting = false;
  private tries = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private closed = false;
  // A WebSocket that has once passed is not given up for HTTP.
  private passed = false;
  private watching: (() => void) | undefined;
  // What belongs to an earlier attempt counts no more.
  private attempt = 0;

  constructor(
    private readonly client: string,
    private readonly ways: Ways,
    private readonly heard: Heard,
    private readonly random: () => number = Math.random,
  ) {}

  // start connects, or connects anew.
  start(): void {
    this.drop();
    this.closed = false;
    this.watching ??= this.ways.gone?.(() => this.way !== "none" && this.lost());
    if (Date.now() < blockedUntil) void this.overHTTP(this.attempt);
    else this.overSocket(this.attempt);
  }

  private drop(): void {
    this.attempt++;
    clearTimeout(this.timer);
    this.queue = [];
    this.posting = false;
    this.hearing?.abort();
    this.hearing = null;
    const { socket } = this;
    this.socket = null;
    if (socket) {
      socket.onopen = socket.onmessage = socket.onclose = null;
      socket.close();
    }
    this.way = "none";
  }

  private overSocket(attempt: number): void {
    let socket: Socket;
    try {
      socket = this.ways.socket();
    } catch {
      void this.overHTTP(attempt);
      return;
    }
    this.socket = socket;
    let said = false;
    const failed = () => {
      if (attempt !== this.attempt) return;
      if (said) {
        this.lost();
        return;
      }
      this.drop();
      void this.overHTTP(this.attempt);
    };
    this.timer = setTimeout(failed, patience);
    socket.onopen = () => socket.send(JSON.stringify(this.heard.hello()));
    socket.onmessage = ({ data }) => {
      if (attempt !== this.attempt) return;
      if (!said) {
        said = this.passed = true;
        clearTimeout(this.timer);
        this.reached("socket");
      }
      this.heard.message(JSON.parse(data) as FromServer);
    };
    socket.onclose = failed;
  }

  private async overHTTP(attempt: number): Promise<void> {
    this.hearing = new AbortController();
    const { signal } = this.hearing;
    let messages: FromClient[] = [this.heard.hello()];
    for (let first = true; attempt === this.attempt; first = false) {
      const began = Date.now();
      const answer = await this.ways.post({ client: this.client, wait: first ? 0 : wait, messages }, signal);
      if (attempt !== this.attempt) return;
      if (!("messages" in answer)) {
        this.failed(answer);
        return;
      }
      if (first) {
        if (!this.passed) blockedUntil = Date.now() + shunned;
        this.reached("http");
      }
      messages = [];
      this.hear(answer.messages, attempt);
      // A server that has nothing to say and does not wait is not asked without a pause.
      if (answer.messages.length === 0 && Date.now() - began < 200) await new Promise((done) => setTimeout(done, 250));
    }
  }

  private hear(messages: FromServer[], attempt: number): void {
    for (const message of messages) if (attempt === this.attempt) this.heard.message(message);
  }

  private reached(way: Way): void {
    this.way = way;
    this.tries = 0;
    this.heard.up(way);
  }

  private failed({ status, message }: { status: number; message: string }): void {
    if (status === 0 || status >= 500 || status === 408 || status === 429) {
      this.lost();
      return;
    }
    this.drop();
    this.heard.refused(status, message);
  }

  private lost(): void {
    const had = this.way !== "none";
    this.drop();
    if (!had) this.heard.down();
    // What has just worked is tried again at once, but not by all in the same moment.
    const most = had ? 200 : Math.min(10_000, 500 * 2 ** this.tries++);
    this.timer = setTimeout(() => this.start(), most * (0.5 + this.random() / 2));
  }

  // send sends a message, and reports whether there is a way.
  send(message: FromClient): boolean {
    if (this.way === "socket") {
      this.socket!.send(JSON.stringify(message));
      return true;
    }
    if (this.way === "none") return false;
    this.queue.push(message);
    void this.post(this.attempt);
    return true;
  }

  // By HTTP, what is to be said goes beside the question that waits, one after the other.
  private async post(attempt: number): Promise<void> {
    if (this.posting) return;
    this.posting = true;
    while (attempt === this.attempt && this.queue.length > 0) {
      const messages = this.queue.splice(0);
      const answer = await this.ways.post({ client: this.client, wait: 0, messages }, this.hearing!.signal);
      if (attempt !== this.attempt) return;
      if (!("messages" in answer)) {
        this.failed(answer);
        return;
      }
      this.hear(answer.messages, attempt);
    }
    this.posting = false;
  }

  // retry connects now instead of later.
  retry(): void {
    if (this.way === "none" && !this.closed) this.start();
  }

  // close says good-bye and tries no more.
  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.watching?.();
    this.watching = undefined;
    if (this.way === "socket") this.socket!.send(JSON.stringify({ type: "bye" } satisfies FromClient));
    else if (this.way === "http") this.ways.last?.({ client: this.client, wait: 0, messages: [{ type: "bye" }] });
    this.drop();
  }
}

// waysTo returns the ways to a live session in a browser.
export function waysTo(path: string): Ways {
  const address = new URL(path, location.href);
  const socketAddress = new URL(address);
  socketAddress.protocol = address.protocol === "https:" ? "wss:" : "ws:";
  const request = (body: object): RequestInit => ({
    method: "POST",
    headers: { "content-type": "application/json" },
    credentials: "same-origin",
    body: JSON.stringify(body),
  });
  return {
    socket: () => new WebSocket(socketAddress) as unknown as Socket,
    async post(body, signal) {
      try {
        const response = await fetch(address, { ...request(body), signal });
        const answer = (await response.json()) as { messages?: FromServer[]; error?: { message?: string } };
        if (response.ok) return { messages: answer.messages ?? [] };
        return { status: response.status, message: answer.error?.message ?? response.statusText };
      } catch {
        return { status: 0, message: "" };
      }
    },
    gone(act) {
      window.addEventListener("offline", act);
      return () => window.removeEventListener("offline", act);
    },
    last: (body) => void fetch(address, { ...request(body), keepalive: true }).catch(() => undefined),
  };
}
