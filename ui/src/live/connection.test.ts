// Ways to the server that fail, in simulated time.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Connection, forget, type Answer, type Socket, type Ways } from "./connection";
import type { FromClient, FromServer } from "./wire";

const state: FromServer = { type: "state", session: "s", version: 0, node: {}, revision: "r" };
const hello: FromClient = { type: "hello", client: "c", schema: "x", session: null, version: null };

// A server whose ways the test opens and closes.
class Net implements Ways {
  sockets = true;
  http: "ok" | "away" | Answer = "ok";
  opened: (Socket & { sent: FromClient[] })[] = [];
  posts: { wait: number; messages: FromClient[] }[] = [];
  // Questions that wait.
  waiting: ((messages: FromServer[]) => void)[] = [];
  silent = false;

  socket = () => {
    const socket = {
      onopen: null,
      onmessage: null,
      onclose: null,
      sent: [] as FromClient[],
      close: () => undefined,
    } as unknown as Socket & { sent: FromClient[] };
    socket.send = (text) => {
      const message = JSON.parse(text) as FromClient;
      socket.sent.push(message);
      if (message.type === "hello") setTimeout(() => socket.onmessage?.({ data: JSON.stringify(state) }), 10);
    };
    this.opened.push(socket);
    if (!this.silent) setTimeout(() => (this.sockets ? socket.onopen?.() : socket.onclose?.()), 10);
    return socket;
  };

  post = async (body: { wait: number; messages: FromClient[] }, signal: AbortSignal): Promise<Answer> => {
    await new Promise((done) => setTimeout(done, 10));
    if (this.http === "away") return { status: 0, message: "" };
    if (this.http !== "ok") return this.http;
    this.posts.push(body);
    if (body.messages.some(({ type }) => type === "hello")) return { messages: [state] };
    if (body.wait === 0) return { messages: [] };
    return new Promise((done) => {
      this.waiting.push((messages) => done({ messages }));
      signal.addEventListener("abort", () => done({ status: 0, message: "" }));
    });
  };

  last = vi.fn();
}

let net: Net;
let events: string[];
let connection: Connection;

beforeEach(() => {
  vi.useFakeTimers();
  forget();
  net = new Net();
  events = [];
  connection = new Connection("c", net, {
    hello: () => hello,
    message: ({ type }) => events.push(type),
    up: (way) => events.push(`up ${way}`),
    down: () => events.push("down"),
    refused: (status, message) => events.push(`refused ${status} ${message}`),
  }, () => 1);
});
afterEach(() => {
  connection.close();
  vi.useRealTimers();
});

const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test("goes over a WebSocket", async () => {
  connection.start();
  await wait(50);
  expect(events).toEqual(["up socket", "state"]);
  expect(connection.send({ type: "flush" })).toBe(true);
  connection.close();
  expect(net.opened[0]!.sent.map(({ type }) => type)).toEqual(["hello", "flush", "bye"]);
});

test("goes over HTTP where WebSockets do not pass, and does not try them each time", async () => {
  net.sockets = false;
  connection.start();
  await wait(50);
  expect(events).toEqual(["up http", "state"]);
  connection.send({ type: "flush" });
  connection.send({ type: "flush" });
  await wait(50);
  expect(net.posts.map(({ wait, messages }) => [wait, ...messages.map(({ type }) => type)])).toEqual([
    [0, "hello"],
    [25],
    [0, "flush"],
    [0, "flush"],
  ]);
  net.waiting.shift()!([{ type: "page" }]);
  await wait(50);
  expect(events.at(-1)).toBe("page");
  expect(net.waiting).toHaveLength(1);
  connection.start();
  await wait(50);
  expect(net.opened).toHaveLength(1);
  connection.close();
  expect(net.last).toHaveBeenCalledOnce();
});

test("goes over HTTP when a WebSocket opens and says nothing", async () => {
  net.silent = true;
  connection.start();
  await wait(4100);
  expect(events).toEqual(["up http", "state"]);
});

test("tries again while nothing answers, with longer pauses, and at once when asked", async () => {
  net.sockets = false;
  net.http = "away";
  connection.start();
  await wait(40_000);
  const tried = net.opened.length;
  expect(events[0]).toBe("down");
  expect(tried).toBeGreaterThan(5);
  expect(tried).toBeLessThan(12);
  expect(connection.send({ type: "flush" })).toBe(false);
  net.sockets = true;
  connection.retry();
  await wait(50);
  expect(events.slice(-2)).toEqual(["up socket", "state"]);
});

test("a connection that breaks is made again at once, without a word when that goes well", async () => {
  connection.start();
  await wait(50);
  net.opened[0]!.onclose?.();
  await wait(500);
  expect(events).toEqual(["up socket", "state", "up socket", "state"]);
  net.sockets = false;
  net.http = "away";
  net.opened[1]!.onclose?.();
  await wait(500);
  expect(events.at(-1)).toBe("down");
  // A server that was away is no reason to shun WebSockets.
  net.sockets = true;
  net.http = "ok";
  await wait(2000);
  expect(events.slice(-2)).toEqual(["up socket", "state"]);
});

test("says what the server does not allow, and leaves it at that", async () => {
  net.sockets = false;
  net.http = { status: 403, message: "No." };
  connection.start();
  await wait(60_000);
  expect(events).toEqual(["refused 403 No."]);
  expect(net.opened).toHaveLength(1);
});
